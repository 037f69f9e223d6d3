package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
)

// squash is a scene with a deformable bar that falls on the floor, a ball that rolls and a
// driven joint.
const squash = `
time: {step: 0.005, duration: 0.3}
materials:
  default: {friction: 0.4}
  rubber: {youngs_modulus: 2e5, poissons_ratio: 0.3, stiffness_damping: 0.01}
meshes: {bar: {box: {size: [0.2, 0.05, 0.05], cells: [8, 2, 2]}}}
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  ball: {pose: {xyz: [0, 0, 0.1]}, velocity: [0.3, 0, 0], shapes: [{sphere: {radius: 0.03}}]}
  slider: {mass: 1, pose: {xyz: [1, 0, 0]}, joint: {type: prismatic, axis: [0, 0, 1]}}
deformables: {bar: {mesh: bar, material: rubber, pose: {xyz: [0, 0, 0.03], rpy: [0.1, 0, 0]}}}
drives: {hold: {joint: slider, kp: 300, kd: 30, target: {times: [0, 0.2], values: [0, 0.1]}}}
signals:
  z: {body: ball, position: z}
  late: {body: ball, position: x, since: 0.1}
  push: {body: ball, from: [bar], contact_force: z}
  load: {body: floor, contact_force: normal}
  effort: {drive_effort: hold}
  energy: {energy: total}
output: {rate: 40}
expect:
  falls: {signal: z, max: 0.1}
  converged: {run: unconverged_steps, max: 0}
`

func load(t testing.TB, text string, set ...string) *scene.Scene {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	sc, err := scene.Load(path, set)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func mustRun(t testing.TB, sc *scene.Scene, opt Options) *record.Summary {
	t.Helper()
	s, err := Run(context.Background(), sc, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// interrupt runs a scene until a number of steps are done.
func interrupt(t testing.TB, sc *scene.Scene, opt Options, steps int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opt.Progress = func(float64, float64) {
		if steps--; steps == 0 {
			cancel()
		}
	}
	if _, err := Run(ctx, sc, opt); !errors.Is(err, ErrInterrupted) {
		t.Fatalf("got %v, want an interruption", err)
	}
}

func read(t testing.TB, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// files lists what is in a folder.
func files(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// physics returns steps.csv without the columns of wall-clock times.
func physics(t testing.TB, dir string) string {
	t.Helper()
	table, err := record.ReadColumns(dir, record.StepsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, c := range table.Columns {
		if !strings.HasSuffix(c, "_ms") {
			fmt.Fprintln(&b, c, table.Data[i])
		}
	}
	return b.String()
}

func TestRunFolderKeepsItsContract(t *testing.T) {
	sc, dir := load(t, squash, "solver.condition_number=true"), t.TempDir()
	s := mustRun(t, sc, Options{Dir: dir, Version: "v1"})
	var m map[string]any
	if err := json.Unmarshal([]byte(read(t, dir, record.SummaryFile)), &m); err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(`scene version contact_model time_step_s duration_s steps
		dofs.rigid dofs.deformable dofs.total vertices tetrahedra threads kernel wall_s real_time_factor
		step_ms.mean step_ms.p50 step_ms.p95 step_ms.max
		stage_ms.place stage_ms.collide stage_ms.free_motion stage_ms.constrain stage_ms.solve stage_ms.advance
		newton_iterations.mean newton_iterations.p95 newton_iterations.max contacts.mean contacts.max
		unconverged_steps free_motion_unconverged_steps max_penetration_m penetration_to_thickness friction_lag.allowed_N_s friction_lag.lacking_N_s friction_lag.excess_N_s friction_lag.largest_share friction_lag.largest_time_s energy_gained_J state_hash checks`) {
		at := any(m)
		for _, key := range strings.Split(path, ".") {
			at = at.(map[string]any)[key]
		}
		if at == nil {
			t.Errorf("run.json has no %s", path)
		}
	}
	check := m["checks"].([]any)[0].(map[string]any)
	for _, key := range []string{"name", "value", "bound", "ok"} {
		if check[key] == nil {
			t.Errorf("checks have no %s", key)
		}
	}
	if s.Steps != 60 || math.Abs(s.Duration-0.3) > 1e-12 || s.Dofs != (record.Dofs{Rigid: 7, Deformable: 243, Total: 250}) ||
		s.Vertices != 81 || s.Tetrahedra != 192 || s.ContactModel != "lagged" || s.Version != "v1" || s.Threads != runtime.NumCPU() {
		t.Errorf("%+v", s)
	}
	steps, err := record.ReadColumns(dir, record.StepsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range strings.Fields("time_s newton_iterations line_search_evaluations residual contacts penetration_m kinetic_J wall_ms condition_number") {
		if len(steps.Column(c)) != 60 {
			t.Errorf("steps.csv: %d rows of %s, want 60", len(steps.Column(c)), c)
		}
	}
	if c := steps.Column("condition_number"); !(slices.Max(c) > 1) {
		t.Errorf("condition numbers %v", c)
	}
	signals, err := record.ReadColumns(dir, record.SignalsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"time_s", "z", "late", "push", "load", "effort", "energy"}; !slices.Equal(signals.Columns, want) {
		t.Errorf("columns %v, want %v", signals.Columns, want)
	}
	for c, want := range map[string]float64{"time_s": 0, "z": 0.1, "push": 0, "load": 0, "effort": 0, "late": 0} {
		if x := signals.Column(c); len(x) != 61 || math.Abs(x[0]-want) > 1e-15 {
			t.Errorf("%s starts at %g in %d rows, want %g in 61", c, x[0], len(x), want)
		}
	}
	if x := signals.Column("load"); x[60] < 1 {
		t.Errorf("the floor carries %g N at the end", x[60])
	}
	rec, err := record.ReadRun(dir)
	if err == nil {
		err = rec.Valid()
	}
	if err != nil {
		t.Fatal(err)
	}
	if n := rec.Len(); n != 13 || rec.Time(12) != s.Duration { // 40 a second, from 0 to 0.3
		t.Errorf("%d frames to %g s, want 13 to %g", n, rec.Time(n-1), s.Duration)
	}
}

func TestConditionNumbersAreRecordedOnRequestOnly(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, load(t, squash, "time.duration=0.02"), Options{Dir: dir})
	if strings.Contains(read(t, dir, record.StepsFile), "condition_number") {
		t.Error("steps.csv has condition numbers that were not requested")
	}
}

func TestRatesBeyondTheStepsGiveAFrameAStep(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, load(t, squash, "time.duration=0.1", "output.rate=1e300"), Options{Dir: dir})
	if rec, err := record.ReadRun(dir); err != nil || rec.Len() != 21 {
		t.Errorf("%d frames of 20 steps, want 21 (%v)", rec.Len(), err)
	}
}

func TestTablesCanBeThinned(t *testing.T) {
	dir := t.TempDir()
	s := mustRun(t, load(t, squash, "time.step=0.001", "time.duration=0.1025", "output.table_rate=100"), Options{Dir: dir})
	if s.Steps != 103 {
		t.Errorf("%d steps", s.Steps)
	}
	for _, file := range []struct {
		name string
		rows int // ten a tenth of a second and the last step; signals also have the start
	}{{"steps.csv", 11}, {"signals.csv", 12}} {
		if lines := strings.Count(read(t, dir, file.name), "\n") - 1; lines != file.rows {
			t.Errorf("%s has %d rows, want %d", file.name, lines, file.rows)
		}
	}
}

func TestUnconvergedStepsEndARunUnlessAllowed(t *testing.T) {
	set := []string{"solver.max_iterations=1", "time.duration=0.2"}
	dir := t.TempDir()
	s, err := Run(context.Background(), load(t, squash, set...), Options{Dir: dir})
	if !errors.Is(err, ErrSolver) || !strings.Contains(err.Error(), "not converged after 1 iterations") || !strings.Contains(err.Error(), "solver.allow_unconverged") {
		t.Errorf("got %v", err)
	}
	if s == nil || s.Unconverged != 1 || s.Steps >= 40 {
		t.Errorf("the summary of a run that failed: %+v", s)
	}
	if got := files(t, dir); !slices.Equal(got, completeFiles) {
		t.Errorf("the folder contains %v, want %v", got, completeFiles)
	}
	s = mustRun(t, load(t, squash, append(set, "solver.allow_unconverged=true")...), Options{Dir: dir})
	if s.Steps != 40 || s.Unconverged < 2 {
		t.Errorf("%d of %d steps not converged", s.Unconverged, s.Steps)
	}
	for _, c := range s.Checks {
		if c.Name == "converged" && c.OK {
			t.Error("the check of unconverged steps is passed")
		}
	}
}

// block is a free deformable block with a time step that is long compared with its periods.
const block = `
time: {step: 1, duration: 20}
gravity: [0, 0, 0]
materials: {rubber: {youngs_modulus: 1e5, poissons_ratio: 0.4, density: 100, constitutive_law: neo_hookean}}
meshes: {block: {box: {size: [1, 1, 1], cells: [1, 1, 1]}}}
deformables: {block: {mesh: block, material: rubber}}
output: {table_rate: 0.1}
expect: {settled: {run: free_motion_unconverged_steps, max: 0}}
`

// sluggish is a law whose tangent is much too stiff: Newton's method creeps, and does not
// converge within its iterations.
type sluggish struct{ fem.NeoHookean }

func (m sluggish) Tangent(F, R r3.Mat, project bool, dPdF *[81]float64) {
	m.NeoHookean.Tangent(F, R, project, dPdF)
	for i := range dPdF {
		dPdF[i] *= 1e4
	}
}

// Where the iterations of a deformable do not converge, the run continues, and warns with the
// time of the first such step, even if the table has few rows.
func TestRunsWarnOfUnconvergedFreeMotion(t *testing.T) {
	dir := t.TempDir()
	sc := load(t, block)
	spec := sc.Model.Deformables[0].Spec()
	spec.Law = sluggish{spec.Law.(fem.NeoHookean)}
	body, err := fem.NewModel(spec)
	if err != nil {
		t.Fatal(err)
	}
	sc.Model.Deformables[0] = body
	for i := range sc.Model.Start.Q {
		sc.Model.Start.Q[i] *= 1.1
	}
	s := mustRun(t, sc, Options{Dir: dir})
	steps, err := record.ReadColumns(dir, record.StepsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := steps.Column(record.FreeMotionUnconvergedColumn); len(c) < 3 || c[0] != 1 || steps.Column("time_s")[0] != 1 {
		t.Errorf("steps.csv has %v", c)
	}
	if s.Steps != 20 || s.FreeMotionUnconverged == 0 || s.Checks[0].OK || s.Unconverged != 0 {
		t.Errorf("%+v", s)
	}
	warns := func(w string) bool { return strings.Contains(w, "did not converge in ") }
	if !slices.ContainsFunc(s.Warnings, warns) {
		t.Errorf("warnings %q", s.Warnings)
	}
	if s = mustRun(t, load(t, block), Options{Dir: dir}); s.FreeMotionUnconverged != 0 || slices.ContainsFunc(s.Warnings, warns) || !s.Checks[0].OK {
		t.Errorf("at rest: %+v", s)
	}
}

func TestOverridesChangeTheRun(t *testing.T) {
	hash := map[string]string{}
	for _, set := range []string{"title=x", "solver.contact=sap", "time.step=0.004", "materials.rubber.youngs_modulus=4e5", "gravity.2=-5"} {
		s := mustRun(t, load(t, squash, "time.duration=0.1", set), Options{Dir: t.TempDir()})
		if other, seen := hash[s.StateHash]; seen {
			t.Errorf("%s and %s end in the same state", set, other)
		}
		hash[s.StateHash] = set
	}
}
