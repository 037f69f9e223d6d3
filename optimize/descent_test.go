package optimize

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/workers"
)

// boundedPush seeks force and mass of the cart: x at the end is 0.55 f/m, and heavier is dearer by norm mean of nothing
// else.
const boundedPush = `
scene: cart.yaml
method: bfgs
derivatives: exact
unknowns:
  f: {path: drives.pull.feed_forward, start: 3, min: 0.5, max: 10, scale: linear}
  m: {path: bodies.cart.mass, start: 2, min: 1, max: 4}
loss:
  place: {signal: x, target: [0.3], over: [1, 1]}
  speed: {signal: v, norm: mean, weight: 0.05, over: [0.35, 1]}
decrease: 1e-12
`

// x = 0.55 f/m and the mean of v from 0.35 to 1 s, 0.7 f/m of samples at the ends of steps, depend on q = f/m alone,
// whose best value is that of a parabola. Bounds of both are met.
func TestDescentFindsAMinimumWithinBounds(t *testing.T) {
	const x, v = 0.55, 0.7
	q := (0.3*x - 0.05*v/2) / (x * x)
	s := solve(t, records(t, boundedPush, 3, 2, none), 1)
	if got := s.Values[0] / s.Values[1]; math.Abs(got/q-1) > 1e-5 || !s.Converged {
		t.Errorf("f/m = %.9g m/s², want %.9g; converged %v", got, q, s.Converged)
	}
	if s.Gradients > 15 || s.Refused > 0 {
		t.Errorf("%d derivatives, %d refused", s.Gradients, s.Refused)
	}
	// a force of at least 2 N needs more mass than the bound allows: both are fixed
	s = solve(t, records(t, strings.Replace(boundedPush, "min: 0.5", "min: 2.5", 1), 3, 2, none), 1)
	if math.Abs(s.Values[0]-2.5) > 1e-9 || math.Abs(s.Values[1]-4) > 1e-9 || !s.Converged {
		t.Errorf("force %.9g N, mass %.9g kg, want both at their bounds; converged %v", s.Values[0], s.Values[1], s.Converged)
	}
}

// Exact derivatives of squares and means, of samples between steps, scaled and measured from a time, are differences of
// runs.
func TestExactDerivativesOfACostAreDifferencesOfRuns(t *testing.T) {
	path := records(t, `
scene: cart.yaml
method: bfgs
derivatives: exact
set: {signals.x.since: "0.25", signals.x.scale: "1000", signals.v.scale: "-3"}
unknowns:
  f: {path: drives.pull.feed_forward, start: 3, scale: linear, difference: 1e-4}
  m: {path: bodies.cart.mass, start: 2, difference: 1e-4}
loss:
  place: {signal: x, record: record.csv, over: [0.1, 0.87]}
  speed: {signal: v, norm: mean, weight: 40, over: [0, 0.7]}
`, 5, 2, none)
	task, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	// times of records need not be those of steps
	for i := range task.samples {
		for k := range task.samples[i].times {
			task.samples[i].times[k] += 0.013
		}
	}
	p := &parameters{t: task, s: &ParameterSolution{}, y: []float64{3, math.Log(2)}}
	s, exact, diff := slope{p: p}, make([]float64, 2), make([]float64, 2)
	if err := s.compute(p.y, exact); err != nil {
		t.Fatal(err)
	}
	if err := s.differences(p.y, diff); err != nil {
		t.Fatal(err)
	}
	for i := range exact {
		if math.Abs(exact[i]/diff[i]-1) > 1e-6 || exact[i] == 0 {
			t.Errorf("unknown %d: %.9g, by differences %.9g", i, exact[i], diff[i])
		}
	}
}

// wall is a ball that flies to a wall.
const wall = `
time: {step: 0.01, duration: 0.1}
gravity: [0, 0, 0]
solver: {contact: similar}
materials:
  default: {stiffness: 1e4, dissipation: 0, friction: 0}
bodies:
  wall: {fixed: true, pose: {rpy: [0, 1.5707963267948966, 0]}, shapes: [{half_space: {}}]}
  ball: {mass: 1, joint: {type: prismatic, axis: [1, 0, 0], velocity: -1}, pose: {xyz: [0.2, 0, 0]}, shapes: [{sphere: {radius: 0.1}}]}
signals:
  x: {body: ball, position: x}
`

// A search that begins where a contact or a limit begins is refused: at the last step the ball of 0.1 m just reaches
// the wall, or its joint the limit. A derivative that differences do not confirm is refused with both numbers.
func TestAStartAtAKinkIsRefused(t *testing.T) {
	text := `
scene: wall.yaml
method: bfgs
derivatives: exact
unknowns:
  x: {path: bodies.ball.PATH, start: START, scale: linear}
loss:
  x: {signal: x, norm: mean, over: [0.1, 0.1]}
`
	load := func(at, start, limits string) *Task {
		t.Helper()
		path := records(t, strings.NewReplacer("PATH", at, "START", start).Replace(text), 3, 2, none)
		writeBeside(t, path, "wall.yaml", strings.Replace(wall, "velocity: -1", "velocity: -1"+limits, 1))
		task, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		return task
	}
	for want, task := range map[string]*Task{
		"contact of wall and ball begins": load("pose.xyz.0", "0.2", ""),
		"a limit or a bound begins":       load("joint.velocity", "-0.5", ", lower: -0.05"),
	} {
		if s, err := task.SolveParameters(1, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q, %+v", err, want, s)
		}
	}
	// 1 is right away from the wall
	p := &parameters{t: load("pose.xyz.0", "0.3", ""), s: &ParameterSolution{}, y: []float64{0.3}, pool: workers.NewPool(1)}
	defer p.pool.Close()
	for exact, want := range map[float64]bool{1: true, 1.001: true, 1.02: false} {
		s := slope{p: p, exact: []float64{exact}}
		if err := s.check(p.y, []float64{1}); want != (err == nil) || err != nil && !strings.Contains(err.Error(), "unknowns.x: the derivative of the cost is 1.02 at the start, a difference of runs over 1e-5 is 1: no contact begins or ends between these runs") {
			t.Errorf("derivative %g: %v", exact, err)
		}
	}
}

// Where steps have no derivative, the start is refused with the way out, and later differences take the place of
// derivatives and are counted.
func TestDifferencesTakeThePlaceOfRefusedDerivatives(t *testing.T) {
	path := records(t, `
scene: wall.yaml
method: bfgs
derivatives: exact
set: {solver.contact: lagged, solver.friction_lag: previous}
unknowns:
  x: {path: bodies.ball.pose.xyz.0, start: 0.3, scale: linear, difference: 1e-3}
loss:
  x: {signal: x, norm: mean, over: [0.1, 0.1]}
`, 3, 2, none)
	writeBeside(t, path, "wall.yaml", wall)
	task, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := task.SolveParameters(1, nil); err == nil || !strings.Contains(err.Error(), "friction follows the step before") || !strings.Contains(err.Error(), "derivatives: differences") {
		t.Errorf("error %v, want the refusal and the way out", err)
	}
	p := &parameters{t: task, s: &ParameterSolution{}, y: []float64{0.3}}
	s, g := slope{p: p, exact: []float64{1}}, []float64{0}
	// the ball does not reach the wall: it ends as much farther as it begins
	if err := s.gradient(p.y, g); err != nil || s.refused != 1 || math.Abs(g[0]-1) > 1e-9 {
		t.Errorf("derivative %g, %d refused: %v", g[0], s.refused, err)
	}
}
