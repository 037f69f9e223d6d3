// Package optimize finds efforts of drives of a scene that minimise a cost over a run: the file of
// `curlfree optimize`, the scene as a system of package optimal, and the results.
package optimize

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/sim"
)

// system is a stepper as optimal.Dynamics. A state is Q, then V; controls are efforts of drives.
type system struct {
	s      *sim.Stepper
	h      float64
	x, end sim.State
	// refused counts steps whose Jacobian is of differences of whole steps
	refused int
}

// newSystem returns a system of its own stepper.
func newSystem(m *sim.Model, h float64, drives []string) (*system, error) {
	s, err := sim.NewStepper(m, sim.Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	if err := s.UseInputs(drives...); err != nil {
		return nil, err
	}
	return &system{s: s, h: h, x: *m.Start.Clone(), end: *m.Start.Clone()}, nil
}

// Size implements optimal.Dynamics.
func (y *system) Size() (nx, ndx, nu int) {
	return len(y.x.Q) + len(y.x.V), 2 * len(y.x.V), y.s.NumInputs()
}

// load makes a list of numbers the state at the start of step k.
func (y *system) load(x []float64, k int, to *sim.State) {
	copy(to.Q, x)
	copy(to.V, x[len(to.Q):])
	to.Time, to.Step = y.s.Model.Start.Time+float64(k)*y.h, k
	to.EnergyReference = to.EnergyReference[:0]
}

// flatten is the inverse of load.
func flatten(x *sim.State, dst []float64) {
	copy(dst, x.Q)
	copy(dst[len(x.Q):], x.V)
}

// Step implements optimal.Dynamics.
func (y *system) Step(k int, x, u, next []float64) error {
	y.load(x, k, &y.x)
	y.s.SetInputs(u)
	if err := y.s.Step(&y.x, y.h); err != nil {
		return err
	}
	flatten(&y.x, next)
	return nil
}

// Linearize implements optimal.Dynamics. Steps that have no derivative of their own get differences
// of whole steps.
func (y *system) Linearize(k int, x, u, fx, fu []float64) error {
	y.load(x, k, &y.x)
	y.s.SetInputs(u)
	l, err := y.s.Linearize(&y.x, y.h)
	if errors.Is(err, sim.ErrNotDifferentiable) {
		y.refused++
		return y.difference(k, x, u, fx, fu)
	}
	if err != nil {
		return err
	}
	return l.Jacobian(fx, fu)
}

// differenceWidth is the width of differences of whole steps, in m, rad, and as much a step; of
// efforts it is a thousand times as wide.
const differenceWidth = 1e-5

// difference writes the Jacobians by central differences of whole steps.
func (y *system) difference(k int, x, u, fx, fu []float64) error {
	_, n, m := y.Size()
	dx, v, d := make([]float64, n), make([]float64, m), make([]float64, n)
	for c := range n + m {
		width := differenceWidth
		if c >= n/2 {
			width /= y.h
		}
		if c >= n {
			width = 1e3 * differenceWidth
		}
		var ends [2]sim.State
		for side, w := range [2]float64{width, -width} {
			y.load(x, k, &y.x)
			copy(v, u)
			if c < n {
				dx[c] = 1
				y.s.Model.MoveState(&y.x, w, dx)
				dx[c] = 0
			} else {
				v[c-n] += w
			}
			y.s.SetInputs(v)
			if err := y.s.Step(&y.x, y.h); err != nil {
				return err
			}
			ends[side] = *y.x.Clone()
		}
		y.s.Model.StateDifference(&ends[1], &ends[0], d)
		for i, e := range d {
			if c < n {
				fx[i*n+c] = e / (2 * width)
			} else {
				fu[i*m+c-n] = e / (2 * width)
			}
		}
	}
	return nil
}

// Difference implements optimal.Dynamics.
func (y *system) Difference(from, to, dx []float64) {
	y.load(from, 0, &y.x)
	y.load(to, 0, &y.end)
	y.s.Model.StateDifference(&y.x, &y.end, dx)
}

// hold returns the efforts that keep the driven joints at rest in the first step, by Newton's method on
// their velocities at its end: gravity compensation.
func (y *system) hold(drives []string) ([]float64, error) {
	_, n, m := y.Size()
	u, dofs := make([]float64, m), make([]int, m)
	for k, name := range drives {
		dofs[k] = y.s.Model.Constraints[y.s.Model.Names.Drives[name]].(*constraints.PD).Dof
	}
	fx, fu := make([]float64, n*n), make([]float64, n*m)
	for range 5 {
		y.x = *y.s.Model.Start.Clone()
		y.s.SetInputs(u)
		l, err := y.s.Linearize(&y.x, y.h)
		if err == nil {
			err = l.Jacobian(fx, fu)
		}
		if err != nil {
			return nil, fmt.Errorf("start: hold: %w", err)
		}
		l.End(&y.end)
		// fu of the joints' velocities, and these velocities
		A, b := make([]float64, m*m), make([]float64, m)
		for r, dof := range dofs {
			copy(A[r*m:(r+1)*m], fu[(n/2+dof)*m:(n/2+dof+1)*m])
			b[r] = -y.end.V[dof]
		}
		if !eliminate(A, b) {
			return nil, errors.New("start: hold: efforts of the drives do not determine the velocities of their joints")
		}
		for k := range u {
			u[k] += b[k]
		}
	}
	return u, nil
}

// eliminate overwrites b by A⁻¹ b, with pivots; false where A is singular.
func eliminate(A, b []float64) bool {
	n := len(b)
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(A[i*n+k]) > math.Abs(A[p*n+k]) {
				p = i
			}
		}
		if A[p*n+k] == 0 {
			return false
		}
		for j := range n {
			A[p*n+j], A[k*n+j] = A[k*n+j], A[p*n+j]
		}
		b[p], b[k] = b[k], b[p]
		for i := range n {
			if i == k {
				continue
			}
			f := A[i*n+k] / A[k*n+k]
			for j := k; j < n; j++ {
				A[i*n+j] -= f * A[k*n+j]
			}
			b[i] -= f * b[k]
		}
	}
	for k := range n {
		b[k] /= A[k*n+k]
	}
	return true
}
