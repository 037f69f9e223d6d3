package scene

import (
	"slices"
	"testing"
)

// Recordings name the bodies that no force moves: fixed ones and those with a prescribed motion; not those on joints
// and free ones.
func TestRecordingsNameBodiesThatNoForceMoves(t *testing.T) {
	sc, err := loadText(t, `
time: {step: 0.01, duration: 1}
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  ball: {pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.1}}]}
  door: {mass: 1, joint: {type: revolute, axis: [0, 0, 1]}, shapes: [{box: {size: [1, 0.1, 1]}}]}
  lift: {pose: {xyz: [2, 0, 0]}, shapes: [{box: {size: [0.1, 0.1, 1]}}]}
drives: {up: {body: lift, z: {sine: {amplitude: 0.2, frequency: 1}}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range sc.Static.Kinematic {
		names = append(names, sc.Static.Bodies[i])
	}
	if want := []string{"floor", "lift"}; !slices.Equal(names, want) {
		t.Errorf("%v of %v, want %v", names, sc.Static.Bodies, want)
	}
}
