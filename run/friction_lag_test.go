package run

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/record"
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
  pad: {mesh: pad, material: rubber, frame: hand, attach: [{body: hand, where: {z_min: 0.0049}}]}
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

const deficitText = "less friction than their normal forces allow"

// deficitWarning runs a scene and returns its summary and what it warns about a friction deficit.
func deficitWarning(t *testing.T, dir, text string, set ...string) (*record.Summary, string) {
	t.Helper()
	s := mustRun(t, load(t, text, set...), Options{Dir: dir})
	for _, w := range s.Warnings {
		if strings.Contains(w, deficitText) {
			return s, w
		}
	}
	return s, ""
}

func TestRunsWarnOfAFrictionDeficit(t *testing.T) {
	dir := t.TempDir()
	s, w := deficitWarning(t, dir, pull)
	for _, part := range []string{"sliding contacts had 2", " % less friction", " N s in total", "friction_lag: sweep", "time.step"} {
		if !strings.Contains(w, part) {
			t.Errorf("warns %q, want %q in it", w, part)
		}
	}
	// the tables say the same, once it slides
	table, err := record.ReadColumns(dir, record.SignalsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := func(name string) (x float64) {
		for _, y := range table.Column(name)[15:] {
			x += y
		}
		return x
	}
	share := s.Sliding.Lacking / s.Sliding.Allowed
	if got := 1 - sum("f")/(0.6*sum("n")); math.Abs(got-share) > 0.03 {
		t.Errorf("lacks %.3g by the signals, %.3g by the summary", got, share)
	}

	if s, w := deficitWarning(t, t.TempDir(), pull, "solver.friction_lag=sweep"); w != "" || s.Sliding.Allowed <= 0 {
		t.Errorf("a sweep: %q, %+v", w, s.Sliding)
	}
	if _, w := deficitWarning(t, t.TempDir(), pull, "time.step=0.001"); w != "" {
		t.Errorf("steps of 1 ms: %q", w)
	}
	if s, w := deficitWarning(t, t.TempDir(), sliding); w != "" || math.Abs(s.Sliding.Allowed-0.4*9.81*0.4) > 0.1*0.4*9.81*0.4 {
		t.Errorf("a block: %q, %+v", w, s.Sliding)
	}
}

func TestOneImpactIsNoFrictionDeficit(t *testing.T) {
	var l frictionLag
	l.add(constraints.SlidingFriction{Bound: 1, Deficit: 1})
	for range 50 {
		l.add(constraints.SlidingFriction{Bound: 0.01, Deficit: 0.001})
	}
	if w := l.warning(); w != "" {
		t.Error(w)
	}
	var even frictionLag
	for range 20 {
		even.add(constraints.SlidingFriction{Bound: 0.1, Deficit: -0.02})
	}
	if w := even.warning(); !strings.Contains(w, "had 20 % more friction than their normal forces allow, 0.4 N s in total") {
		t.Error(w)
	}
	if w := new(frictionLag).warning(); w != "" {
		t.Error(w)
	}
	if got := frictionLagOf(even.appendTo([]float64{7, 8})[2:]); got != even {
		t.Errorf("recalls %+v of %+v", got, even)
	}
}

func TestResumedRunsKeepTheFrictionDeficit(t *testing.T) {
	sc := load(t, pull)
	dir := t.TempDir()
	want := mustRun(t, sc, Options{Dir: t.TempDir()})
	interrupt(t, sc, Options{Dir: dir}, 25)
	got := mustRun(t, sc, Options{Dir: dir, Resume: true})
	if got.Sliding != want.Sliding || !slices.Equal(got.Warnings, want.Warnings) {
		t.Errorf("%+v %q, want %+v %q", got.Sliding, got.Warnings, want.Sliding, want.Warnings)
	}
}
