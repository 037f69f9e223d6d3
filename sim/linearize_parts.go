package sim

// Derivatives of divided steps (division.go). Each part is a step of its own, from the end of the one before, so that
//
//	x_{k+1} = f_k(x_k, u, θ),   δx_{k+1} = ∂f_k/∂x δx_k + ∂f_k/∂u δu + ∂f_k/∂θ δθ          (1)
//
// and adjoints go through the parts from the last to the first. How a step is divided is a function of its start that
// only jumps.

import (
	"fmt"
	"math"
)

// beginParts prepares the parts, and makes the last one the present one.
func (l *Linearization) beginParts() error {
	for k := range l.parts {
		l.enter(k)
		if err := l.prepareRounds(); err != nil {
			return err
		}
	}
	l.placement = -1
	l.enterLastRound()
	return nil
}

// enter makes part k the present one.
func (l *Linearization) enter(k int) {
	p := &l.parts[k]
	last := len(p.tape.y) - 1
	l.part, l.h = k, p.h
	l.x.copyFrom(&p.x)
	l.v = append(l.v[:0], p.tape.y[last]...)
	l.y = l.y[:0]
	for _, y := range p.tape.y {
		l.y = push(l.y, y)
	}
	l.known, l.inputsKnown = false, false
	l.ends.at.copyFrom(&p.end)
	l.beginEnd()
	if p.isReady {
		l.enterLastRound()
	}
}

// isDivided reports whether the step has several parts.
func (l *Linearization) isDivided() bool { return len(l.parts) > 1 }

// jacobianOfParts is Jacobian of a divided step.
func (l *Linearization) jacobianOfParts(fx, fu []float64) error {
	nx, nu := l.Size()
	if nu > 0 && len(fu) == 0 {
		nu = 0
	}
	a, b := make([]float64, nx*nx), make([]float64, nx*nu)
	for k := range l.parts {
		l.enter(k)
		if err := l.jacobian(a, b); err != nil {
			return err
		}
		if k == 0 {
			copy(fx, a)
			copy(fu, b)
			continue
		}
		multiplyBy(fx, a, nil, nx, nx)
		multiplyBy(fu, a, b, nx, nu)
	}
	return nil
}

// multiplyBy replaces x (n×c) by a x + b, with a (n×n); nil: b = 0.
func multiplyBy(x, a, b []float64, n, c int) {
	column := make([]float64, n)
	for k := range c {
		for i := range n {
			column[i] = x[i*c+k]
		}
		for i := range n {
			x[i*c+k] = dot(a[i*n:(i+1)*n], column)
			if b != nil {
				x[i*c+k] += b[i*c+k]
			}
		}
	}
}

// tangentOfParts is Tangent of a divided step.
func (l *Linearization) tangentOfParts(dx, du, dst []float64) error {
	at := append([]float64(nil), dx...)
	l.largest = sized(l.largest, len(l.v))
	clear(l.largest)
	for k := range l.parts {
		l.enter(k)
		if err := l.tangent(at, du, dst); err != nil {
			return err
		}
		l.noteLargest(dst)
		copy(at, dst)
	}
	return l.checkDigits(dst)
}

// leftDigits is the share of the largest tangent of a velocity after any part of a step that is left at its end at
// least: what differences of the parts err, some 1e-8 of that, is 1e-3 of it then.
const leftDigits = 1e-5

// noteLargest notes the largest tangents of velocities so far, of one at the end of a part.
func (l *Linearization) noteLargest(dst []float64) {
	nv := len(l.place)
	for i, at := range l.place {
		if at >= 0 {
			l.largest[at] = max(l.largest[at], math.Abs(dst[nv+i]))
		}
	}
}

// checkDigits refuses a tangent of the end of a divided step in which those of its parts cancel each other.
func (l *Linearization) checkDigits(dst []float64) error {
	nv := len(l.place)
	for i, at := range l.place {
		if at < 0 {
			continue
		}
		if d := math.Abs(dst[nv+i]); d > 0 && d < leftDigits*l.largest[at] {
			return fmt.Errorf("%w at t = %.6g s: the step was divided into %d parts, and derivatives of %s after its parts cancel each other: take a shorter step",
				ErrNotDifferentiable, l.parts[0].x.Time, len(l.parts), l.s.ownerOfSolved(at))
		}
	}
	return nil
}

// adjointOfParts is AdjointOfSignals of a divided step.
func (l *Linearization) adjointOfParts(bar, lambda, lambdaU []float64) error {
	if err := l.selectSignals(bar); err != nil {
		return err
	}
	for k := len(l.parts) - 1; k >= 0; k-- {
		l.enter(k)
		if _, err := l.adjointOfSignals(bar, lambda, lambdaU, byColumns); err != nil {
			return err
		}
		p := &l.parts[k]
		p.cotangent = append(p.cotangent[:0], l.cotangent...)
		p.lambda = append(p.lambda[:0], l.ends.lambda...)
		bar = nil // signals are those of the end
	}
	l.enter(len(l.parts) - 1)
	return nil
}

// cotangentOfParts returns λ_θ of (3) of adjoint.go without signals.
func (l *Linearization) cotangentOfParts(plus, minus *Stepper, width float64) (sum float64, err error) {
	for k := range l.parts {
		l.enter(k)
		if err := l.parameterPartial(plus, minus, width); err != nil {
			return 0, err
		}
		sum += l.weighColumn(l.parts[k].cotangent, l.parts[k].lambda)
	}
	return sum, nil
}

// modelTangentOfParts is ModelTangent of a divided step.
func (l *Linearization) modelTangentOfParts(plus, minus *Stepper, width float64, dst []float64) error {
	nx, _ := l.Size()
	before, by := make([]float64, nx), make([]float64, nx)
	l.largest = sized(l.largest, len(l.v))
	clear(l.largest)
	for k := range l.parts {
		l.enter(k)
		if err := l.modelTangent(plus, minus, width, by); err != nil {
			return err
		}
		clear(dst)
		if k > 0 {
			if err := l.tangent(before, nil, dst); err != nil {
				return err
			}
		}
		for i, d := range by {
			dst[i] += d
		}
		l.noteLargest(dst)
		copy(before, dst)
	}
	return l.checkDigits(dst)
}

// checkUndivided returns an error for a signal of the step where that was divided.
func (l *Linearization) checkUndivided(signal int) error {
	if !l.isDivided() {
		return nil
	}
	return fmt.Errorf("%w at t = %.6g s: signal %q is a mean over the %d parts of a step that was divided: take a shorter step",
		ErrNotDifferentiable, l.parts[0].x.Time, l.s.Model.Signals[signal].Name, len(l.parts))
}
