package check_test

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// A wheel of 0.1 m on a hinge at (0.3, 0, 0), a slider that goes from x = 1 to 2, a
// screwed disc, a pendulum on the wheel and a free ball: which can meet which.
const reaching = timeOf + `
bodies:
  block: {fixed: true, shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}
  wall: {fixed: true, pose: {xyz: [0, 5, 0]}, shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}
  floor: {fixed: true, pose: {xyz: [0, 0, -9]}, shapes: [{half_space: {}}]}
  wheel: {pose: {xyz: [0.3, 0, 0]}, joint: {type: revolute, axis: [0, 0, 1]}, shapes: [{box: {size: [0.15, 0.15, 0.1]}}]}
  slider: {pose: {xyz: [1, 0, 0]}, joint: {type: prismatic, axis: [1, 0, 0], lower: 0, upper: 1}, shapes: [{sphere: {radius: 0.1}}]}
  bead: {pose: {xyz: [1, 0, 0]}, joint: {type: prismatic, axis: [0, 1, 0]}, shapes: [{sphere: {radius: 0.1}}]}
  nut: {pose: {xyz: [0, 0, 1]}, joint: {type: screw, axis: [0, 0, 1], pitch: 0.1, lower: 0, upper: 6.283185307179586}, shapes: [{box: {size: [0.2, 0.2, 0.1]}}]}
  arm: {pose: {xyz: [0.3, 0, 0]}, joint: {type: revolute, axis: [0, 0, 1], parent: wheel, point: [0, 0, 0]}, shapes: [{sphere: {radius: 0.05}, pose: {xyz: [0.5, 0, 0]}}]}
  ball: {pose: {xyz: [0, 3, 0]}, shapes: [{sphere: {radius: 0.1}}]}
  lid: {pose: {xyz: [0, 0, 1.195]}, fixed: true, shapes: [{box: {size: [0.2, 0.2, 0.1]}}]}
`

func TestBodiesMeetWhereTheirJointsLetThem(t *testing.T) {
	sc := load(t, reaching)
	in := &check.Input{Model: sc.Model, Step: sc.File.Time.Step}
	geom := func(name string) *geometry.Geom {
		for i := range sc.Model.Geometry.Geoms {
			if g := &sc.Model.Geometry.Geoms[i]; g.Name == name {
				return g
			}
		}
		t.Fatal(name)
		return nil
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"wheel", "block", false}, // its corners reach to x = 0.194
		{"slider", "wheel", false},
		{"slider", "bead", true},
		{"bead", "wall", true},     // nothing bounds it, though it misses
		{"wheel", "wall", false},   //
		{"nut", "lid", true},       // it rises by the pitch in its turn
		{"nut", "block", false},    // it does not come down
		{"nut", "wall", false},     //
		{"arm", "wheel", true},     // it goes around: boxes do not decide
		{"arm", "slider", true},    // at x = 0.8 to 0.9
		{"arm", "block", true},     // on the other side
		{"arm", "nut", false},      //
		{"ball", "wall", true},     // free
		{"wheel", "floor", true},   // endless
		{"block", "wall", false},   //
		{"slider", "slider", true}, // itself
		{"lid", "block", false},    //
	} {
		if got := check.CanMeet(in, geom(c.a), geom(c.b)); got != c.want {
			t.Errorf("%s and %s can meet: %v, want %v", c.a, c.b, got, c.want)
		}
		if got := check.CanMeet(in, geom(c.b), geom(c.a)); got != c.want {
			t.Errorf("%s and %s can meet: %v, want %v", c.b, c.a, got, c.want)
		}
	}
}

// The box of all that a box sweeps contains it in every position, and is no larger than
// its cylinder's.
func TestTurnedBoxesContainEveryPosition(t *testing.T) {
	box := r3.Box{Min: r3.Vec{0.1, -0.2, 0.3}, Max: r3.Vec{0.4, 0.1, 0.5}}
	for _, axis := range []r3.Vec{{0, 0, 1}, {1, 0, 0}, r3.Vec{1, 2, -1}.Unit()} {
		sweep := check.Turned(box, axis)
		for k := range 60 {
			turn := r3.Pose{R: r3.RotExp(axis.Scale(2 * math.Pi * float64(k) / 60))}
			for c := range 8 {
				p := box.Min
				for i := range p {
					if c>>i&1 == 1 {
						p[i] = box.Max[i]
					}
				}
				if d := sweep.Dist2(turn.Point(p)); d > 1e-24 {
					t.Fatalf("axis %v, turn %d: a corner is %g m outside", axis, k, math.Sqrt(d))
				}
			}
		}
	}
	r := math.Hypot(0.4, 0.2)
	if got := check.Turned(box, r3.Vec{0, 0, 1}); got.Max.Sub(r3.Vec{r, r, 0.5}).Norm() > 1e-12 || got.Min.Sub(r3.Vec{-r, -r, 0.3}).Norm() > 1e-12 {
		t.Errorf("about z: %v", got)
	}
}

func TestEstimatesLeaveOutWhatCannotMeetAndSayWhatTouchesAtPoints(t *testing.T) {
	sc := load(t, strings.Replace(reaching, "bodies:", `
materials: {hard: {}, soft: {hydroelastic_modulus: 1e6}}
bodies:
  pad: {pose: {xyz: [0, 9, 0]}, joint: {type: revolute, axis: [0, 0, 1]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}, material: soft}]}
  stop: {fixed: true, pose: {xyz: [0, 12, 0]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}, material: hard}]}`, 1))
	points := false
	for i := range sc.Contacts {
		a := &sc.Contacts[i]
		if strings.Contains(a.String(), "soft on hard") {
			t.Errorf("what cannot meet is reported: %s", a)
		}
		if a.Materials == [2]string{"default", "default"} {
			points = true
			if !strings.Contains(a.String(), "at points (neither material has a hydroelastic_modulus)") {
				t.Error(a)
			}
		}
	}
	if !points {
		t.Error("what touches at points is not reported")
	}
}
