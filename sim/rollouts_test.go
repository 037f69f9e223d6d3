package sim

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// rolloutModel is a pusher with a motor, a ball, a soft cube and the ground, all in contact with each other.
func rolloutModel() *Model {
	b := NewBuilder()
	b.AddBody("ground", BodySpec{Fixed: true, Shapes: []ShapeSpec{{Shape: geometry.HalfSpace{}}}})
	b.AddBody("pusher", BodySpec{
		Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{-0.1, 0, 0.05}}, Mass: 1, Shapes: []ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{0.02, 0.1, 0.08}}}},
		Joint: &JointSpec{Name: "slide", Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}},
	})
	b.AddBody("ball", BodySpec{Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{-0.05, 0, 0.03}}, Mass: 0.2, Shapes: []ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.03}}}})
	cube, err := meshes.BoxTets(r3.Vec{0.05, 0.05, 0.05}, [3]int{2, 2, 2})
	if err != nil {
		panic(err)
	}
	law, err := fem.NewCorotational(1e5, 0.4)
	if err != nil {
		panic(err)
	}
	b.AddDeformable("cube", DeformableSpec{Mesh: cube, Law: law, Pose: r3.Pose{R: r3.Identity(), P: r3.Vec{0.02, 0, 0.025}}})
	b.AddDrive("push", &JointDrive{Joint: "slide", Kd: 1})
	return b.MustBuild()
}

// startsOf returns states of a model with the ball at random places, and random inputs of the motor.
func startsOf(m *Model, n, steps int, rng *rand.Rand) (states []*State, inputs [][]float64) {
	ball := m.Rigid.QStart(m.Body("ball"))
	for range n {
		x := m.Start.Clone()
		x.Q[ball+4] += 0.01 * rng.Float64()
		x.Q[ball+5] += 0.02 * rng.Float64()
		u := make([]float64, steps)
		for k := range u {
			u[k] = 20 * rng.Float64()
		}
		states, inputs = append(states, x), append(inputs, u)
	}
	return states, inputs
}

// States that are stepped in company have the bits of states that are stepped alone, in any order and
// with any number of threads.
func TestRolloutsHaveTheBitsOfSingleRuns(t *testing.T) {
	n, steps, h := 13, 40, 0.005
	if raceDetector { // where steps take 30 times as long
		n, steps = 6, 10
	}
	m := rolloutModel()
	rng := rand.New(rand.NewPCG(5, 6))
	starts, inputs := startsOf(m, n, steps, rng)
	want := make([]string, n)
	for i := range starts {
		s := mustStepper(t, m)
		if err := s.UseInputs("push"); err != nil {
			t.Fatal(err)
		}
		x := starts[i].Clone()
		for k := range steps {
			s.SetInputs(inputs[i][k : k+1])
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
		}
		want[i] = x.Hash()
	}
	if want[0] == want[1] {
		t.Fatal("two random starts end in the same state")
	}
	for _, threads := range []int{1, 2, 5} {
		r, err := NewRollouts(m, Options{Threads: threads}, "push")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		// twice with the same rollouts, in another order, and in two parts
		for _, parts := range []int{1, 2} {
			order := rng.Perm(n)
			var states []*State
			for _, i := range order {
				states = append(states, starts[i].Clone())
			}
			seen := make([]int, n)
			r.Observe = func(s *Stepper, x *State, state, step int) {
				if step == seen[state] && s.Report.Step == x.Step {
					seen[state]++
				}
			}
			for part := range parts {
				var u [][]float64
				for _, i := range order {
					u = append(u, inputs[i][part*steps/parts:(part+1)*steps/parts])
				}
				clear(seen)
				if err := r.Run(states, u, steps/parts, h); err != nil {
					t.Fatal(err)
				}
				for _, n := range seen {
					if n != steps/parts {
						t.Fatalf("%d of %d steps were observed in order", n, steps/parts)
					}
				}
			}
			for k, i := range order {
				if states[k].Hash() != want[i] {
					t.Errorf("%d threads, %d parts: state %d differs from that of a single run", threads, parts, i)
				}
			}
		}
	}
}

// A state that fails stays where it is and is named; the others continue.
func TestRolloutsNameStatesThatFail(t *testing.T) {
	m := rolloutModel()
	starts, inputs := startsOf(m, 4, 5, rand.New(rand.NewPCG(1, 2)))
	starts[2].V[0] = math.NaN()
	before := starts[2].Hash()
	r, err := NewRollouts(m, Options{Threads: 2}, "push")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	err = r.Run(starts, inputs, 5, 0.005)
	if err == nil || !strings.Contains(err.Error(), "state 2: sim: state at t = 0 s") || strings.Contains(err.Error(), "state 1") {
		t.Errorf("got %v", err)
	}
	for i, x := range starts {
		if want := 5; i != 2 && x.Step != want {
			t.Errorf("state %d took %d steps, want %d", i, x.Step, want)
		}
	}
	if starts[2].Hash() != before {
		t.Error("the state that fails changed")
	}
	for want, run := range map[string]func() error{
		"inputs for 1 states, but there are 4":                func() error { return r.Run(starts, inputs[:1], 5, 0.005) },
		"state 0 has 5 inputs, want 6: 1 for each of 6 steps": func() error { return r.Run(starts, inputs, 6, 0.005) },
		"states 1 and 3 are the same": func() error {
			return r.Run([]*State{starts[0], starts[1], starts[2], starts[1]}, inputs, 5, 0.005)
		},
		"rollouts of -1 steps": func() error { return r.Run(starts, nil, -1, 0.005) },
		`no drive that takes commands is called "pull": did you mean "push"`: func() error { _, err := NewRollouts(m, Options{Threads: 1}, "pull"); return err },
		"Threads is -3: give 0 for all cores, or a positive number":          func() error { _, err := NewRollouts(m, Options{Threads: -3}); return err },
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Steps that do not converge are taken and reported.
func TestRolloutsContinueAfterStepsThatDidNotConverge(t *testing.T) {
	m := rolloutModel()
	m.MaxIterations = 1
	starts, inputs := startsOf(m, 3, 30, rand.New(rand.NewPCG(1, 2)))
	r, err := NewRollouts(m, Options{Threads: 2}, "push")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Run(starts, inputs, 30, 0.005); !errors.Is(err, ErrNotConverged) {
		t.Errorf("got %v", err)
	}
	for i, x := range starts {
		if x.Step != 30 {
			t.Errorf("state %d took %d steps", i, x.Step)
		}
	}
}

// Rollouts allocate nothing once each thread has stepped.
func TestRolloutsAllocateNothing(t *testing.T) {
	m := cartModel(&JointDrive{Joint: "slide"})
	r, err := NewRollouts(m, Options{Threads: 2}, "motor")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var states []*State
	var inputs [][]float64
	for range 50 {
		states, inputs = append(states, m.Start.Clone()), append(inputs, make([]float64, 20))
	}
	run := func() {
		if err := r.Run(states, inputs, 20, 0.001); err != nil {
			t.Fatal(err)
		}
	}
	// which thread takes which state is open: each of them steps once, to size its buffers
	for _, s := range r.steppers {
		if err := s.Step(m.Start.Clone(), 0.001); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if n := alloctest.PerRun(20, run); n >= 1 {
		t.Errorf("%g allocations in 1000 steps", n)
	}
}

// Sampling-based control tries many inputs from one state.
func ExampleRollouts() {
	model := cartModel(&JointDrive{Joint: "slide"}) // 2 kg on a slide
	rollouts, err := NewRollouts(model, Options{Threads: 2}, "motor")
	if err != nil {
		panic(err)
	}
	defer rollouts.Close()
	var states []*State
	var inputs [][]float64
	for i := range 3 {
		states = append(states, model.Start.Clone())
		u := make([]float64, 100) // of 100 steps
		for k := range u {
			u[k] = float64(i)
		}
		inputs = append(inputs, u)
	}
	if err := rollouts.Run(states, inputs, 100, 0.01); err != nil {
		panic(err)
	}
	for i, x := range states {
		fmt.Printf("%g N: %.4f m\n", inputs[i][0], x.Q[0])
	}
	// Output:
	// 0 N: 0.0000 m
	// 1 N: 0.2525 m
	// 2 N: 0.5050 m
}
