// Package optimize finds efforts of drives of a scene, or values of a scene, that minimize a cost over a run: the file
// of `curlfree optimize`, and the results.
//
// # Efforts
//
// The scene is a system of package optimal:
//
//	min over u_k of  Σ_{k<N} h (dx_kᵀ Q dx_k + e u_kᵀ u_k) + dx_Nᵀ Q_N dx_N            (1)
//
//	u_k   inputs of the drives in step k, within ± their limits: efforts, N or N m, or controls of actuators
//	dx_k  difference of the state before step k from the target, positions and velocities
//	Q, e  weights of the file, per second; Q_N those at the end
//	h     step of the scene, s
//
// A file may have several stages, which solve (1) for other values of the scene one after the other:
// compliant contact first, whose gradients are not zero at a distance from contact, then contact as it
// is. A stage starts from the policy of the one before.
//
// # Values
//
// Unknowns p are values of the scene, such as materials and sizes, and the cost is that of signals s of
// a run against records or targets z:
//
//	min over p of  Σ_i w (s(t_i; p) − z_i)²                                             (2)
//
// by Levenberg and Marquardt (package leastsquares), with intervals of 95 % and the combinations of unknowns that
// the signals do not determine; or, also for means of signals, by BFGS and Adam within bounds (descent.go), Nelder and
// Mead or CMA-ES of gonum. Derivatives are central differences of whole runs, several at a time, or for BFGS and Adam
// products of the derivatives of steps (slope.go). The same files and number of
// unknowns give the same bits on any number of threads.
//
// Load reads a file and its scene, Task.SolveParameters minimizes (2), Task.Solve (1) by iLQR, Task.CostOf evaluates
// (1) for given efforts in an ordinary run.
package optimize

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/sim"
)

// system is a stepper as optimal.Dynamics. A state is that of sim.Model.PutState; controls are inputs of drives.
type system struct {
	s      *sim.Stepper
	drives []constraints.Actuation
	h      float64   // step, s
	x, end sim.State // scratch
	// refused counts steps whose Jacobian is of differences of whole steps: where there are many, the
	// scene should be one that can be differentiated
	refused int
}

// newSystem returns a system of its own stepper.
func newSystem(m *sim.Model, h float64, drives []string) (*system, error) {
	// one thread: iLQR steps several systems at the same time
	s, err := sim.NewStepper(m, sim.Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	// inputs take the place of the drives' feed forward; their gains and bounds stay
	if err := s.UseInputs(drives...); err != nil {
		return nil, err
	}
	y := &system{s: s, h: h, x: *m.Start.Clone(), end: *m.Start.Clone()}
	for _, name := range drives {
		y.drives = append(y.drives, m.Constraints[m.Names.Drives[name]].(constraints.Commanded).Actuation())
	}
	return y, nil
}

// Size implements optimal.Dynamics.
func (y *system) Size() (nx, ndx, nu int) {
	return y.s.Model.StateNumbers(), y.s.Model.TangentSize(), y.s.NumInputs()
}

// load makes a list of numbers the state at the start of step k, with its time: motions of the scene
// depend on it.
func (y *system) load(x []float64, k int, to *sim.State) {
	y.s.Model.TakeState(x, to)
	to.Time, to.Step = y.s.Model.Start.Time+float64(k)*y.h, k
	// every step is the first of a run for the energy alarm: states of a line search are no run
	to.EnergyReference = to.EnergyReference[:0]
}

// Step implements optimal.Dynamics.
func (y *system) Step(k int, x, u, next []float64) error {
	y.load(x, k, &y.x)
	y.s.SetInputs(u)
	if err := y.s.Step(&y.x, y.h); err != nil {
		return err
	}
	y.s.Model.PutState(&y.x, next)
	return nil
}

// Linearize implements optimal.Dynamics. Steps that have no derivative of their own get differences
// of whole steps, two for each number of the tangent and each input.
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
// efforts it is a thousand times as wide, N or N m.
const differenceWidth = 1e-5

// widthOf returns the width of the difference of column c of both Jacobians.
func (y *system) widthOf(c int) float64 {
	switch _, n, _ := y.Size(); {
	case c >= n:
		return 1e3 * differenceWidth / y.drives[c-n].Gain
	case c >= len(y.x.V):
		return differenceWidth / y.h // velocities: as far in a step
	}
	return differenceWidth
}

// difference writes the Jacobians by central differences of whole steps.
func (y *system) difference(k int, x, u, fx, fu []float64) error {
	_, n, m := y.Size()
	dx, v, d := make([]float64, n), make([]float64, m), make([]float64, n)
	var ends [2]sim.State
	for c := range n + m {
		width := y.widthOf(c)
		for side, w := range [2]float64{width, -width} {
			y.load(x, k, &y.x)
			copy(v, u)
			// columns of the state come first, then those of the controls; the state moves along its
			// tangent, lest quaternions leave their sphere
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
		// ends of both sides in the tangent space, too;
		// a column of a row-major matrix
		y.s.Model.StateDifference(&ends[1], &ends[0], d)
		J, columns, col := fx, n, c
		if c >= n {
			J, columns, col = fu, m, c-n
		}
		for i, e := range d {
			J[i*columns+col] = e / (2 * width)
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

// hold returns the inputs that keep what the drives move at rest in the first step, by Newton's method on
// its velocities at the end: those of joints, or weighted sums c·v of them,
//
//	c·v(u) + c·f_u δu = 0,                                                            (2)
//
// which is gravity compensation, and what contact at the start requires besides.
func (y *system) hold() ([]float64, error) {
	_, n, m := y.Size()
	nv := len(y.x.V)
	u := make([]float64, m)
	fx, fu := make([]float64, n*n), make([]float64, n*m) // f_u alone counts
	// contact makes the velocities nonlinear in the efforts; five steps are enough where they are not
	for range 5 {
		// always the first step: the start is what is kept
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
		A, b := make([]float64, m*m), make([]float64, m) // of (2)
		for r := range y.drives {
			l := &y.drives[r].Along
			for i, dof := range l.Dofs {
				for k, f := range fu[(nv+dof)*m : (nv+dof+1)*m] {
					A[r*m+k] += l.Coefficients[i] * f
				}
				b[r] -= l.Coefficients[i] * y.end.V[dof]
			}
		}
		// efforts enter linearly, so that one step suffices but for contact
		var du mat.VecDense
		if err := du.SolveVec(mat.NewDense(m, m, A), mat.NewVecDense(m, b)); err != nil {
			return nil, fmt.Errorf("start: hold: efforts of the drives do not determine the velocities of what they move: %w", err)
		}
		for k := range u {
			u[k] += du.AtVec(k)
		}
	}
	return u, nil
}
