package run

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// pull draws a rubber pad over a round edge, where its faces change with every step.
const pull = `
time: {step: 0.01, duration: 0.4}
gravity: [0, 0, 0]
materials:
  default: {friction: 0.6}
  rubber: {youngs_modulus: 1e6, poissons_ratio: 0.45, stiffness_damping: 0.005}
meshes: {pad: {box: {size: [0.06, 0.02, 0.01], cells: [12, 4, 2]}}}
bodies:
  roll: {fixed: true, pose: {rpy_deg: [90, 0, 0]}, shapes: [{cylinder: {radius: 0.02, length: 0.05}}]}
  hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, pose: {xyz: [0, 0, 0.0248]}}
deformables:
  pad: {mesh: pad, elements: tet4, material: rubber, frame: hand, attach: [{body: hand, where: {z_min: 0.0049}}]}
drives:
  hand: {body: hand, x: {times: [0.1, 0.4], values: [0, 0.03], smooth: false}}
signals:
  n: {body: pad, from: [roll], contact_force: normal}
  f: {body: pad, from: [roll], contact_force: friction}
`

// sliding is a block on a plane.
const sliding = `
time: {step: 0.01, duration: 0.4}
materials: {default: {friction: 0.4, dissipation: 20}}
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  block: {mass: 1, pose: {xyz: [0, 0, 0.05]}, velocity: [3, 0, 0], shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
`

const lackText = "of its friction in the step to t ="

// lackWarning runs a scene and returns its summary and what it warns about lacking friction.
func lackWarning(t *testing.T, dir, text string, set ...string) (*record.Summary, string) {
	t.Helper()
	s := mustRun(t, load(t, text, set...), Options{Dir: dir})
	for _, w := range s.Warnings {
		if strings.Contains(w, lackText) {
			return s, w
		}
	}
	return s, ""
}

func TestRunsWarnOfLackingFriction(t *testing.T) {
	dir := t.TempDir()
	s, w := lackWarning(t, dir, pull, "solver.friction_lag=geometry")
	for _, part := range []string{"the contact of ", "roll", "pad", " lacked ", lackText, "friction_lag: auto", "time.step"} {
		if !strings.Contains(w, part) {
			t.Errorf("warns %q, want %q in it", w, part)
		}
	}
	// the tables say the same
	table, err := record.ReadColumns(dir, record.SignalsFile, nil)
	steps, err2 := record.ReadColumns(dir, record.StepsFile, nil)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if most := slices.Max(steps.Column("lacking_friction")); most != s.FrictionLag.Share || most < 0.2 {
		t.Errorf("lacks at most %g by steps.csv, %g by the summary", most, s.FrictionLag.Share)
	}
	sum := func(name string) (x float64) {
		for _, y := range table.Column(name)[15:] {
			x += y
		}
		return x
	}
	share := (s.FrictionLag.Lacking - s.FrictionLag.Excess) / s.FrictionLag.Allowed
	// the summary has the steps before it slides, too
	if got := 1 - sum("f")/(0.6*sum("n")); got < 0.1 || share > got || share < 0.7*got {
		t.Errorf("lacks %.3g by the signals, %.3g by the summary", got, share)
	}
}

// By default no loaded contact lacks more than 2 %, and nothing is warned of.
func TestTheDefaultLacksLittleFriction(t *testing.T) {
	for name, text := range map[string]string{"pull": pull, "sliding": sliding} {
		s, w := lackWarning(t, t.TempDir(), text)
		if l := s.FrictionLag; w != "" || l.Share > maxLackingShare || l.Lacking > 0.01*l.Allowed || l.Allowed <= 0 {
			t.Errorf("%s: %q, %+v", name, w, l)
		}
	}
	s, _ := lackWarning(t, t.TempDir(), sliding)
	if want := 0.4 * 9.81 * 0.4; math.Abs(s.FrictionLag.Allowed-want) > 0.1*want {
		t.Errorf("a block may have %g N s of friction, want %g", s.FrictionLag.Allowed, want)
	}
	if s, w := lackWarning(t, t.TempDir(), pull, "solver.friction_lag=sweep"); w != "" || s.FrictionLag.Share > 1e-3 {
		t.Errorf("a sweep: %q, %+v", w, s.FrictionLag)
	}
	if s, _ := lackWarning(t, t.TempDir(), sliding, "solver.contact=similar"); s.FrictionLag.Allowed != 0 || s.FrictionLag.Bodies != nil {
		t.Errorf("a law without lag: %+v", s.FrictionLag)
	}
}

func TestFrictionLagKeepsItsNumbers(t *testing.T) {
	var l frictionLag
	l.add(&sim.Report{FrictionLag: constraints.LagError{Allowed: 1, Lacking: 0.5}, LackingFriction: 0.5, LackingBodies: [2]int{-1, 3}}, 0.1)
	l.add(&sim.Report{FrictionLag: constraints.LagError{Allowed: 3, Excess: 0.1}, LackingFriction: 0.01, LackingBodies: [2]int{1, 2}}, 0.2)
	if got := frictionLagOf(l.appendTo([]float64{7, 8})[2:]); got != l || l.share != 0.5 || l.time != 0.1 || l.bodies != [2]int{-1, 3} {
		t.Errorf("recalls %+v of %+v", got, l)
	}
	s := l.summary(func(body int) string { return map[int]string{-1: "world", 3: "part"}[body] })
	want := "the contact of world and part lacked 50 % of its friction in the step to t = 0.1 s, and all contacts of the run 12 % of theirs"
	if w := frictionWarning(&s, sim.FrictionLagAuto); !strings.HasPrefix(w, want) {
		t.Errorf("warns %q", w)
	}
	if w := frictionWarning(new(record.FrictionLag), sim.FrictionLagAuto); w != "" {
		t.Error(w)
	}
}

func TestResumedRunsKeepTheLackOfFriction(t *testing.T) {
	sc := load(t, pull, "solver.friction_lag=geometry")
	dir := t.TempDir()
	want := mustRun(t, sc, Options{Dir: t.TempDir()})
	interrupt(t, sc, Options{Dir: dir}, 25)
	got := mustRun(t, sc, Options{Dir: dir, Resume: true})
	if !reflect.DeepEqual(got.FrictionLag, want.FrictionLag) || !slices.Equal(got.Warnings, want.Warnings) {
		t.Errorf("%+v %q, want %+v %q", got.FrictionLag, got.Warnings, want.FrictionLag, want.Warnings)
	}
}
