package sim

// The end of a step under the midpoint rule. Beside r, (1) of linearize.go, the end x⁺ is a function of the state x at
// the start, its memory included, of the solutions y before the last one, about which rigid bodies are linear, and of
// w,
//
//	x⁺ = E(x, y, w),   δx⁺ = E_x δx + Σ E_y δy + E_w δw                        (1)
//
// whose differences are taken with those of r: each residual is followed by the tangent from the end of the step itself
// to E. Positions, which are x ⊕ h w, have tangents by hand, and are zero there but for those of SteppedJoints, which
// depend on the middle of the step. E_w has a block for each tree, of differences of the end alone, and (1) of
// fem/midpoint_end.go for deformables.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/fem"
)

// endWidth is the width of differences of ends by w, relative to velocities, and in m/s or rad/s at rest: ends are
// smooth on the scale of a turn by h w.
const endMotionWidth = 1e-4

// endTerms are E and its derivatives by w.
type endTerms struct {
	at State // of the step, or of its present part
	// θ that impacts want, of trees and deformables, and the next ones of each
	impacts, nextImpacts []float64
	flies                []bool // velocities of x whose changes of the step before have no effect
	stepped              []bool // velocities of SteppedJoints
	moved                State
	// those of a displaced state, as flies
	movedFlies []bool
	known      bool // E_w is
	// E_w of each tree, one after the other, and of each deformable: rows of its positions, velocities, W and DV, with
	// a column for each of its velocities
	trees []float64
	soft  []fem.EndMotion
	w     []float64
	sides [2][]float64
	dw    []float64 // of the last tangent
	// λ of the end of the adjoint
	lambda []float64
}

// endSize returns the number of entries that follow r in columns: the tangent of the end under the midpoint rule.
func (l *Linearization) endSize() int {
	if !l.s.Model.Rule.Midpoint {
		return 0
	}
	return l.s.Model.TangentSize()
}

// beginEnd reads what tangents of the present part need of its start.
func (l *Linearization) beginEnd() {
	e := &l.ends
	e.known = false
	if l.endSize() == 0 {
		return
	}
	e.flies = l.s.Model.inFlight(&l.x, e.flies)
	if m := l.s.Model.Rigid; m != nil && e.stepped == nil {
		e.stepped = m.IsStepped()
	}
}

// isStill reports whether an entry of a direction has no effect: those of fixed vertices, of a memory that the state
// does not have, and of changes of trees in flight.
func (l *Linearization) isStill(k int) bool {
	nv := len(l.place)
	return l.place[k%nv] < 0 || k >= 2*nv && (len(l.x.Memory.W) == 0 || k >= 3*nv && l.ends.flies[k-3*nv])
}

// writeEnd writes the tangent from the end of the present part to E to dst, after the residual r of a step of s from x
// with the displacement velocities w (n), but for positions that are x ⊕ h w.
func (l *Linearization) writeEnd(s *Stepper, x *State, w, dst []float64) {
	e := &l.ends
	l.endAt(s, l.h, x, w, &e.moved)
	s.Model.StateDifference(&e.at, &e.moved, dst)
	for i := range l.place {
		if i >= len(e.stepped) || !e.stepped[i] {
			dst[i] = 0
		}
	}
}

// findEnd computes E_w, once.
func (l *Linearization) findEnd() error {
	e := &l.ends
	if e.known || l.endSize() == 0 {
		return nil
	}
	if l.IsChain() {
		l.enterLastRound()
	}
	l.plus, l.minus = sized(l.plus, l.columnSize()), sized(l.minus, l.columnSize())
	if err := l.residualAt(l.s, &l.x, l.v, l.plus); err != nil {
		return err
	}
	e.soft = e.soft[:0]
	for _, b := range l.s.deformables {
		e.soft = append(e.soft, b.EndMotion())
	}
	e.trees = e.trees[:0]
	widest := 0
	for t := range l.s.numTrees() {
		first, end := l.s.Model.Rigid.DofsOfTree(t)
		widest = max(widest, end-first)
		for range 4 * (end - first) * (end - first) {
			e.trees = append(e.trees, 0)
		}
	}
	nv := len(l.place)
	for k := range widest {
		for side := range e.sides {
			e.w = append(e.w[:0], l.v...)
			l.eachTree(func(first, n int, _ []float64) {
				if k < n {
					e.w[first+k] += endMotionWidth * math.Max(1, math.Abs(l.v[first+k])) * float64(1-2*side)
				}
			})
			e.sides[side] = sized(e.sides[side], l.endSize())
			l.writeEnd(l.s, &l.x, e.w, e.sides[side])
		}
		l.eachTree(func(first, n int, block []float64) {
			if k >= n {
				return
			}
			width := endMotionWidth * math.Max(1, math.Abs(l.v[first+k]))
			for part := range 4 {
				for i := range n {
					at := part*nv + first + i
					block[(part*n+i)*n+k] = (e.sides[0][at] - e.sides[1][at]) / (2 * width)
				}
			}
		})
	}
	e.known = true
	return nil
}

// eachTree calls f with the first velocity and the number of those of each tree, and its block of E_w.
func (l *Linearization) eachTree(f func(first, n int, block []float64)) {
	blocks := l.ends.trees
	for t := range l.s.numTrees() {
		first, end := l.s.Model.Rigid.DofsOfTree(t)
		n := end - first
		f(first, n, blocks[:4*n*n])
		blocks = blocks[4*n*n:]
	}
}

// addEnd adds E_w dw to the tangent dst of the end, but for positions that are x ⊕ h w.
func (l *Linearization) addEnd(dw, dst []float64) {
	nv := len(l.place)
	l.eachTree(func(first, n int, block []float64) {
		for part := range 4 {
			for i := range n {
				dst[part*nv+first+i] += dot(block[(part*n+i)*n:(part*n+i+1)*n], dw[first:first+n])
			}
		}
	})
	l.eachSoft(func(i, iv, in, n, free int) {
		l.ends.soft[i].AddTangent(dw[in:in+free], dst[nv+iv:nv+iv+n], dst[2*nv+iv:2*nv+iv+n], dst[3*nv+iv:3*nv+iv+n])
	})
}

// addEndAdjoint adds E_wᵀ λ to dw, but for positions that are x ⊕ h w.
func (l *Linearization) addEndAdjoint(lambda, dw []float64) {
	nv := len(l.place)
	l.eachTree(func(first, n int, block []float64) {
		for part := range 4 {
			for i := range n {
				for k, b := range block[(part*n+i)*n : (part*n+i+1)*n] {
					dw[first+k] += b * lambda[part*nv+first+i]
				}
			}
		}
	})
	l.eachSoft(func(i, iv, in, n, free int) {
		l.ends.soft[i].AddAdjoint(lambda[nv+iv:nv+iv+n], lambda[2*nv+iv:2*nv+iv+n], lambda[3*nv+iv:3*nv+iv+n], dw[in:in+free])
	})
}

// eachSoft calls f with the number of each deformable, and the first of its velocities and their number in the state
// and in the problem.
func (l *Linearization) eachSoft(f func(i, iv, in, n, free int)) {
	s := l.s
	_, joints := s.Model.RigidSize()
	iv, in := joints, joints
	for i, b := range s.deformables {
		_, n := b.Size()
		free := s.solved[len(s.subsystems)-len(s.deformables)+i]
		f(i, iv, in, n, free)
		iv, in = iv+n, in+free
	}
}

// finishEnd writes the tangent of the end under the midpoint rule for δq in dq, from column: r_x δx solved for −δw,
// followed by E_x δx.
func (l *Linearization) finishEnd(column, dst []float64) {
	e, n, nv := &l.ends, len(l.v), len(l.place)
	e.dw = sized(e.dw, n)
	for i, x := range column[:n] {
		e.dw[i] = -x
	}
	copy(dst, column[n:])
	l.addEnd(e.dw, dst)
	clear(l.dv)
	for i, at := range l.place {
		if at >= 0 {
			l.dv[i] = e.dw[at]
		}
	}
	_, rigid := l.s.Model.RigidSize()
	if rigid > 0 {
		l.s.rigid.PositionTangent(l.h, l.x.Q, l.v[:rigid], l.dq, l.dv, dst)
	}
	for i := rigid; i < nv; i++ {
		dst[i] = l.dq[i] + l.h*l.dv[i]
	}
	l.clearFixed(dst)
}

// clearFixed clears the entries of fixed vertices in a tangent or a cotangent.
func (l *Linearization) clearFixed(x []float64) {
	nv := len(l.place)
	for k := range x {
		if l.place[k%nv] < 0 {
			x[k] = 0
		}
	}
}

// addEndCotangent adds E_wᵀ λ to the cotangent of w (n), of the cotangent λ of the end, and that of the positions of
// the start at fixed w to dq.
func (l *Linearization) addEndCotangent(lambda, w []float64) {
	nv := len(l.place)
	l.addEndAdjoint(lambda, w)
	clear(l.dv)
	_, rigid := l.s.Model.RigidSize()
	if rigid > 0 {
		l.s.rigid.PositionAdjoint(l.h, l.x.Q, l.v[:rigid], lambda, l.dq, l.dv)
	}
	for i := rigid; i < nv; i++ {
		l.dq[i] += lambda[i]
		l.dv[i] += l.h * lambda[i]
	}
	for i, at := range l.place {
		if at >= 0 {
			w[at] += l.dv[i]
		}
	}
}

// finishColumnsWithEnd is finishColumns under the midpoint rule.
func (l *Linearization) finishColumnsWithEnd(partials []float64, c int, state bool, dst []float64) {
	n, nv := l.columnSize(), len(l.place)
	nx, _ := l.Size()
	end := make([]float64, nx)
	for k := range c {
		copy(l.column, partials[k*n:(k+1)*n])
		l.solveDerivative(l.column[:len(l.v)], false)
		clear(l.dq)
		if state && k < nv && l.place[k] >= 0 {
			l.dq[k] = 1
		}
		l.finishEnd(l.column, end)
		for i, x := range end {
			dst[i*c+k] = x
		}
	}
}

// solutionTangent returns the tangent of the solution, in the order of the state's velocities (n_v), of which the end
// of the step has the tangent dEnd for dx of its start: under Euler that of the velocities.
func (l *Linearization) solutionTangent(dx, dEnd []float64) ([]float64, error) {
	nv := len(l.place)
	if l.endSize() == 0 {
		return dEnd[nv:], nil
	}
	e := &l.ends
	_, rigid := l.s.Model.RigidSize()
	e.dw = sized(e.dw, nv)
	copy(e.dw[:rigid], dEnd[2*nv:])
	if slices.Contains(e.stepped, true) {
		l.differenceDisplacements(dx, dEnd)
	}
	// vertices: x⁺ = x + h w
	for i := rigid; i < nv; i++ {
		e.dw[i] = (dEnd[i] - dx[i]) / l.h
	}
	return e.dw, nil
}

// differenceDisplacements replaces the tangents of displacement velocities of SteppedJoints in the memory of the end by
// those of the solution.
func (l *Linearization) differenceDisplacements(dx, dEnd []float64) {
	e, s, nv := &l.ends, l.s, len(l.place)
	_, rigid := s.Model.RigidSize()
	for i, is := range e.stepped {
		if is {
			e.dw[i] = 0
		}
	}
	width := jointWidth / math.Max(largest(dx[:2*nv]), math.Max(largest(dEnd[2*nv:2*nv+rigid]), math.SmallestNonzeroFloat64))
	for _, w := range [2]float64{width, -width} {
		l.moved.copyFrom(&l.x)
		s.Model.MoveState(&l.moved, w, dx)
		s.Place(&l.moved, l.h)
		e.w = append(e.w[:0], e.at.Memory.W[:rigid]...)
		for i := range e.w {
			e.w[i] += w * dEnd[2*nv+i]
		}
		s.rigid.DisplacementVelocities(e.w)
		for i, is := range e.stepped {
			if is {
				e.dw[i] += e.w[i] / (2 * w)
			}
		}
	}
	l.placement = -1
}
