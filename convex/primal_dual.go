package convex

import "github.com/curlfree/curlfree/cliques"

// PrimalDual is a Law with a kink, such as that of friction between stick and slip, whose Newton
// direction treats the direction of its force as an unknown of its own. A primal-dual Newton
// direction can cross the kink, where that of the Hessian ends at it.
type PrimalDual interface {
	cliques.Law
	// DirectionHessian changes the Hessian G of an evaluation at the constraint velocity vc, with
	// the impulse gamma, into the matrix ⪰ 0 of the Newton direction.
	DirectionHessian(vc, gamma, G []float64)
	// UpdateDual moves the dual unknown by a Newton step dc from the constraint velocity vc.
	UpdateDual(vc, dc []float64)
}

// quadraticRate is the ratio of residuals, before and after a full step, from which on Newton's
// method converges by itself.
const quadraticRate = 0.1

// nearSolution is the residual of a guess, relative to its scale, below which Newton's method is tried by itself first:
// that of a solve that continues from one to a usual tolerance. Its dual unknowns are those of a new problem, and would
// cost an iteration.
const nearSolution = 1e-6

// useDirectionHessians changes the Hessians of an island, once after each evaluation, unless
// its steps already converge as those of a smooth problem.
func (l *laws) useDirectionHessians(is *island) {
	switch n := len(is.history); {
	case n == 1 && is.whole.res < nearSolution*is.whole.scale:
		return
	case n > 1 && is.alpha == 1 && is.history[n-1] < quadraticRate*is.history[n-2]:
		return
	}
	if is.directionHessians {
		return
	}
	is.directionHessians = true
	for _, k := range l.constraintsOf(is) {
		c := &l.p.Constraints[k]
		if law, ok := c.Law.(PrimalDual); ok {
			law.DirectionHessian(l.c[c.Row:c.Row+c.Dim], l.p.Gamma[c.Row:c.Row+c.Dim], l.hessianOf(int(k)))
		}
	}
}

// updateDuals moves the dual unknowns of an island by the whole Newton step, however short the
// step of the line search: the line search stops at kinks, which the dual crosses.
func (l *laws) updateDuals(is *island) {
	for _, k := range l.constraintsOf(is) {
		c := &l.p.Constraints[k]
		if law, ok := c.Law.(PrimalDual); ok {
			law.UpdateDual(l.c[c.Row:c.Row+c.Dim], l.dc[c.Row:c.Row+c.Dim])
		}
	}
}
