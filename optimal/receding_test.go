package optimal

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// pushed is a linear system with a constant disturbance that its model does not have.
type pushed struct {
	*linear
	push float64
}

func (p *pushed) Step(k int, x, u, next []float64) error {
	err := p.linear.Step(k, x, u, next)
	next[0] += p.push
	return err
}

// With the horizon of the task, plans of a linear system do not change on the way: Bellman's principle. What acts is
// the optimum of Solve.
func TestPlansOfALinearSystemAreTheOptimumOfTheTask(t *testing.T) {
	l, c, x0 := oscillators(rand.New(rand.NewPCG(3, 4)))
	const N = 24
	whole, err := Solve([]Dynamics{l}, c, x0, table(N, 2), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Recede(l, []Dynamics{l}, c, x0, table(N, 2), Receding{Horizon: N, Every: 5}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.U) != N || len(r.X) != N+1 || len(r.K) != N {
		t.Fatalf("%d states, %d controls, %d gains of %d steps", len(r.X), len(r.U), len(r.K), N)
	}
	if math.Abs(r.Cost-whole.Cost) > 1e-9*whole.Cost {
		t.Errorf("cost %.12g, the optimum has %.12g", r.Cost, whole.Cost)
	}
	// shifted plans are optimal already: an iteration finds that nothing falls
	if n := len(r.Iterations); n > len(whole.Iterations)+4*2 {
		t.Errorf("%d iterations of five plans, the first alone takes %d", n, len(whole.Iterations))
	}
}

// Plans begin where the plant is, so that a push which the model does not have costs less than under the controls of
// one plan.
func TestPlansAnswerAPushThatTheModelDoesNotHave(t *testing.T) {
	l, c, x0 := oscillators(rand.New(rand.NewPCG(3, 4)))
	const N = 40
	plant := &pushed{l, 0.5}
	whole, err := Solve([]Dynamics{l}, c, x0, table(N, 2), Options{})
	if err != nil {
		t.Fatal(err)
	}
	// the controls of the whole plan, as they are
	blind, x := 0.0, append([]float64(nil), x0...)
	for k, u := range whole.U {
		blind += c.Value(k, x, u)
		next := make([]float64, 4)
		if err := plant.Step(k, x, u, next); err != nil {
			t.Fatal(err)
		}
		x = next
	}
	blind += c.Value(N, x, nil)
	r, err := Recede(plant, []Dynamics{l}, c, x0, table(N, 2), Receding{Horizon: 10, Every: 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Cost > blind/2 {
		t.Errorf("cost %.4g with plans at each step, %.4g without", r.Cost, blind)
	}
}

// An interrupt ends the planning, not the task.
func TestAnInterruptedTaskContinuesAsPlanned(t *testing.T) {
	l, c, x0 := oscillators(rand.New(rand.NewPCG(3, 4)))
	r, err := Recede(l, []Dynamics{l}, c, x0, table(20, 2), Receding{Horizon: 6, Every: 2}, Options{Each: func(i Iteration) bool { return i.Number < 3 }})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.U) != 20 || len(r.Iterations) != 3 {
		t.Errorf("%d controls after %d iterations", len(r.U), len(r.Iterations))
	}
}

func TestRecedingHorizonsThatPlanTooLateAreRefused(t *testing.T) {
	l, c, x0 := oscillators(rand.New(rand.NewPCG(3, 4)))
	if _, err := Recede(l, []Dynamics{l}, c, x0, table(9, 2), Receding{Horizon: 3, Every: 4}, Options{}); err == nil || !strings.Contains(err.Error(), "plans again within it") {
		t.Error(err)
	}
}
