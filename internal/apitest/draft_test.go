package apitest

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// cart is a scene with a cart that pushes a box against friction.
const cart = `
time: {step: 0.005, duration: 0.5}
output: {rate: 100}
materials: {default: {friction: 0.5}}
bodies:
  ground: {fixed: true, shapes: [half_space: {}]}
  cart: {pose: {xyz: [0, 0, 0.05]}, joint: {type: prismatic, axis: [1, 0, 0]}, shapes: [{box: {size: [0.1, 0.1, 0.08]}}]}
  box: {mass: 2, pose: {xyz: [0.1001, 0, 0.05]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
drives: {push: {joint: cart, kd: 1}}
`

// open writes the scene and opens it for edits.
func open(t *testing.T, overrides []string) *scene.Draft {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cart.yaml")
	if err := os.WriteFile(path, []byte(cart), 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := scene.Open(path, overrides)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// edited returns the scene with a box of 1 kg in place of 2, on ground without friction, and a signal of its place and
// of the force that pushes it.
func edited(t *testing.T, overrides ...string) *scene.Scene {
	t.Helper()
	d := open(t, overrides)
	box, err := d.Builder.Body("box")
	if err != nil {
		t.Fatal(err)
	}
	box.Mass = 1
	smooth, err := d.Builder.Material("default")
	if err != nil {
		t.Fatal(err)
	}
	smooth.Friction, smooth.StaticFriction = 0, 0
	d.Builder.AddSignal("x", &sim.PositionSpec{Component: "x", Body: "box"})
	d.Builder.AddSignal("push_N", &sim.ContactForceSpec{Component: "x", Body: "box", From: []string{"cart"}})
	if _, err := d.Builder.Body("bx"); err == nil || !strings.Contains(err.Error(), `did you mean "box"?`) {
		t.Errorf("an unknown name: %v", err)
	}
	sc, err := d.Load()
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// Carts that push with different forces accelerate the box as masses without friction do: the state of each rollout
// has its own end, and forces are those of its own steps.
func TestAnotherModuleEditsASceneAndRollsItOut(t *testing.T) {
	sc := edited(t)
	r, err := sim.NewRollouts(sc.Model, sim.Options{Threads: 2}, "push")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	const n, steps = 4, 100
	var states []*sim.State
	var inputs [][]float64
	for i := range n {
		u := make([]float64, steps) // one drive: a number a step, N
		for k := range u {
			u[k] = 5 * float64(i)
		}
		states, inputs = append(states, sc.Model.Start.Clone()), append(inputs, u)
	}
	pushed := make([]float64, n) // at the last step, N
	push := sc.Model.Names.Signals["push_N"]
	r.Observe = func(s *sim.Stepper, x *sim.State, state, step int) { pushed[state] = s.Read(x, nil)[push] }
	if err := r.Run(states, inputs, steps, sc.File.Time.Step); err != nil {
		t.Fatal(err)
	}
	// the drive damps with 1 N s/m: m dv/dt = F − v, with 1 kg of the box and 0.8 kg of the cart
	const m, T = 1.8, steps * 0.005
	dof := sc.Model.Joint("cart")
	for i, x := range states {
		F := 5 * float64(i)
		v, a := F*(1-math.Exp(-T/m)), F/m*math.Exp(-T/m)
		if math.Abs(x.V[dof]-v) > 0.02*v+1e-9 || math.Abs(pushed[i]-a) > 0.05*a+1e-9 {
			t.Errorf("%g N: the cart moves at %g m/s, want %g, and pushes with %g N, want %g", F, x.V[dof], v, pushed[i], a)
		}
	}
}

// A recording is read as matrices of gonum, a row for each frame.
func TestAnotherModuleReadsARecordingAsMatrices(t *testing.T) {
	sc := edited(t, "drives.push.feed_forward=9")
	dir := t.TempDir()
	if _, err := run.Run(context.Background(), sc, run.Options{Dir: dir, Threads: 1}); err != nil {
		t.Fatal(err)
	}
	rec, err := record.ReadRun(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	box := slices.Index(rec.Static.Bodies, "box")
	P := mat.NewDense(rec.Len(), 3, nil)               // places of the box, m
	V := mat.NewDense(rec.Len(), rec.Static.NumV, nil) // velocities of rigid bodies
	for k := range rec.Len() {
		f := rec.At(k)
		P.SetRow(k, f.Poses[box].P[:])
		V.SetRow(k, f.V)
	}
	if err := rec.Err(); err != nil {
		t.Fatal(err)
	}
	table, err := record.ReadColumns(dir, record.SignalsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := mat.NewVecDense(len(table.Column("x")), table.Column("x"))
	// frames and rows of the table are both of 100 a second and every step: every second row is a frame
	if rec.Len() != 51 || x.Len() != 101 {
		t.Fatalf("%d frames, %d rows", rec.Len(), x.Len())
	}
	for k := range rec.Len() {
		if P.At(k, 0) != x.AtVec(2*k) {
			t.Errorf("frame %d: the box is at %g m, by the table at %g m", k, P.At(k, 0), x.AtVec(2*k))
		}
	}
	dof := sc.Model.Joint("cart")
	if v, want := V.At(rec.Len()-1, dof), 9*(1-math.Exp(-0.5/1.8)); math.Abs(v-want) > 0.02*want {
		t.Errorf("the cart ends at %g m/s, want %g", v, want)
	}
}
