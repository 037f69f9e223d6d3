package run

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
)

// Scenes whose bodies pivot, where the impulse of the geometry at the start of a step says
// nothing about that of the step. References are small steps, which agree with other contact
// laws (similar, sap) to 2 %.

// leaningRod falls from a lean of 30°; friction of 0.8 holds its foot, whose place in the body
// moves by rolling on its round end.
const leaningRod = `
time: {step: %g, duration: 0.3}
materials: {default: {friction: 0.8}}
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  rod: {mass: 0.3, pose: {xyz: [0.1225, 0, 0.217176223927], rpy_deg: [0, 30, 0]}, shapes: [{capsule: {radius: 0.005, length: 0.49}}]}
signals:
  centre_x: {body: rod, point: [0, 0, -0.245], position: x}
  tilt: {body: rod, rotation: angle}
`

// The centre of the end rolls without slip: it advances by r times the change of the tilt. Up to
// 0.95 rad a rod that pivots about its end, |F|/N = ¾ sin θ |3 cos θ − 2 cos θ0| / (1 − ¾ sin² θ
// − 3/2 cos θ (cos θ0 − cos θ)), asks for less than 0.5; beyond 1.02 rad for more than 0.8.
func TestTheFootOfALeaningRodStays(t *testing.T) {
	// at 10 ms a turn of up to 0.03 rad a step moves the centre aside by 0.84 mm, under sweep alike
	for h, slip := range map[float64]float64{10e-3: 0.95e-3, 2e-3: 0.5e-3, 1e-3: 0.5e-3} {
		dir := t.TempDir()
		s := mustRun(t, load(t, fmt.Sprintf(leaningRod, h)), Options{Dir: dir})
		table, err := record.ReadColumns(dir, record.SignalsFile, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, tilt := table.Column("centre_x"), table.Column("tilt")
		most := 0.0
		for i := range x {
			if tilt[i] < 0.95 {
				most = math.Max(most, math.Abs(x[i]-0.005*(tilt[i]-math.Pi/6)))
			}
		}
		if most > slip || s.FrictionLag.Share > maxLackingShare {
			t.Errorf("h %g s: the foot slips %.3g mm, lacks %.3g", h, 1e3*most, s.FrictionLag.Share)
		}
	}
}

// dominoes stand in a row; the first is pushed.
func dominoes(h float64, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "time: {step: %g, duration: 1.6}\nmaterials: {default: {friction: 0.5}}\nbodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n", h)
	for i := range n {
		push := ""
		if i == 0 {
			push = ", angular_velocity: [0, 8, 0], velocity: [0.2, 0, 0]"
		}
		fmt.Fprintf(&b, "  d%d: {mass: 0.02, pose: {xyz: [%.3f, 0, 0.025]}%s, shapes: [{box: {size: [0.008, 0.025, 0.05]}}]}\n", i, 0.025*float64(i), push)
	}
	b.WriteString("signals:\n")
	for i := range n {
		fmt.Fprintf(&b, "  t%d: {body: d%d, rotation: angle}\n", i, i)
	}
	return b.String()
}

// All of thirty dominoes fall, and the last when it does with small steps: at 1.19 s (0.5 ms;
// similar and sap 1.19).
func TestDominoesFall(t *testing.T) {
	const n = 30
	dir := t.TempDir()
	s := mustRun(t, load(t, dominoes(5e-3, n)), Options{Dir: dir})
	table, err := record.ReadColumns(dir, record.SignalsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	times := table.Column(timeColumn)
	fell := func(i int) float64 {
		for k, a := range table.Column(fmt.Sprintf("t%d", i)) {
			if a > 0.5 {
				return times[k]
			}
		}
		return math.Inf(1)
	}
	for i := range n {
		if math.IsInf(fell(i), 1) {
			t.Errorf("domino %d stands", i)
		}
	}
	if last := fell(n - 1); math.Abs(last-1.19) > 0.15*1.19 {
		t.Errorf("the last falls at %g s, want 1.19", last)
	}
	if l := s.FrictionLag; l.Lacking+l.Excess > 0.005*l.Allowed {
		t.Errorf("friction is off by %g and %g of %g N s", l.Lacking, l.Excess, l.Allowed)
	}
}

// shakenGrip is a rod between two pads of default material, on a hand that circles at 1.2 Hz. Its stiction tolerance
// sets what the rod creeps when it is near its limit of friction.
const shakenGrip = `
time: {step: 0.01, duration: 10}
solver: {stiction_tolerance: 1e-4}
bodies:
  hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}
  left: {mass: 0.1, pose: {xyz: [0, -0.0192, 0]}, joint: {type: prismatic, parent: hand, axis: [0, 1, 0]}, shapes: [{box: {size: [0.0175, 0.0182, 0.0185]}}]}
  right: {mass: 0.1, pose: {xyz: [0, 0.0192, 0]}, joint: {type: prismatic, parent: hand, axis: [0, -1, 0]}, shapes: [{box: {size: [0.0175, 0.0182, 0.0185]}}]}
  rod: {mass: 0.50265, inertia: {ixx: 1.68808e-3, iyy: 1.68808e-3, izz: 2.5133e-5}, pose: {xyz: [0, 0, -0.075]}, shapes: [{cylinder: {radius: 0.01, length: 0.2}}]}
drives:
  left: {joint: left, feed_forward: 8}
  right: {joint: right, feed_forward: 8}
  hand: {body: hand, x: {sine: {amplitude: 0.03, frequency: 1.2, phase: 1.5708, ramp: 1, start: 0.5}}, y: {sine: {amplitude: 0.03, frequency: 1.2, ramp: 1, start: 0.5}}}
signals:
  rod_z: {body: rod, position: z, relative_to: hand}
`

// The grip holds, and what the rod slides in ten seconds is what it slides at 1 ms: 19.2 mm
// (sweep 19.2).
func TestAShakenGripHolds(t *testing.T) {
	dir := t.TempDir()
	s := mustRun(t, load(t, shakenGrip), Options{Dir: dir})
	table, err := record.ReadColumns(dir, record.SignalsFile, []string{"rod_z"})
	if err != nil {
		t.Fatal(err)
	}
	z := table.Column("rod_z")
	if slid := -0.075 - z[len(z)-1]; math.Abs(slid-19.2e-3) > 1e-3 || s.FrictionLag.Share > maxLackingShare {
		t.Errorf("slides %.3g mm, want 19.2; lacks %.3g", 1e3*slid, s.FrictionLag.Share)
	}
}
