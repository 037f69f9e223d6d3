package sim

// Derivatives of steps that balls, welds and distances have solved again (term_loops.go). The problem of such a step
// depends on the velocities y about which it was made, and its solution on itself,
//
//	r(x, v⁺, y) = 0,   y = v⁺                                               (1)
//	(H + B) δv⁺ = −r_x δx,   B = ∂r/∂y                                      (2)
//
// B comes from central differences, and (2) is solved by δv ← H⁻¹(−r_x δx − B δv), which contracts like (1) itself, by
// about the angle of a step; the adjoint by the transpose of B. Source: implicit function theorem.

import "math"

const (
	// loopsTol is the relative change of v⁺ at which (1) is solved.
	loopsTol = 1e-10
	// sameLoops is how far the solution of (1) may be from that of the step, relative to velocities: the loop of the
	// step ends at its tolerance.
	sameLoops = 1e-7
	// mostLoopSolves bounds the solves of (1) and the iterations of (2).
	mostLoopSolves = 60
	// loopWidth is the width of the differences of B, relative to velocities, and in m/s or rad/s at rest.
	loopWidth = 1e-6
)

// loopTerms are B and its scratch.
type loopTerms struct {
	follow []float64 // y, or nil: the problem is that of the start of the step
	at     []float64 // y where it is displaced
	B      []float64 // n×size, column by column
	size   int       // number of velocities of joints, which come first
	rhs    []float64
	moved  []float64
}

// followLoops solves (1), if the step was solved again for its loops. It is false where that does not settle, or
// elsewhere than the step.
func (l *Linearization) followLoops(of *tape) (settles bool) {
	s := l.s
	if !of.moved[loopsTerm] {
		return true
	}
	t := &l.loops
	step := of.y[len(of.y)-1]
	for range mostLoopSolves {
		t.at = append(t.at[:0], s.vNext...)
		s.curved.followSolution(s, 0)
		if err := s.constrain(&l.x, l.h); err != nil {
			return false
		}
		if err := s.minimize(false); err != nil {
			return false
		}
		if s.Report.Err != nil {
			return false
		}
		change, size := 0.0, 0.0
		for i, v := range s.vNext {
			change, size = math.Max(change, math.Abs(v-t.at[i])), math.Max(size, math.Abs(v))
		}
		if change <= loopsTol*size {
			if off := maxDifference(s.vNext, step); off > sameLoops*size {
				return false
			}
			t.follow = append(sized(t.follow, 0), s.vNext...)
			return true
		}
	}
	return false
}

// maxDifference returns the largest difference of entries of two lists.
func maxDifference(a, b []float64) (most float64) {
	for i, x := range a {
		most = max(most, math.Abs(x-b[i]))
	}
	return most
}

// differentiateLoops computes B.
func (l *Linearization) differentiateLoops() error {
	t, n := &l.loops, len(l.v)
	if t.follow == nil {
		return nil
	}
	// the displaced y takes the place of v⁺ in residual
	v := append(sized(t.rhs, 0), t.follow...)
	t.rhs = v
	// vertices move on straight lines
	_, t.size = l.s.Model.RigidSize()
	t.B = sized(t.B, t.size*n)
	l.plus, l.minus = sized(l.plus, n), sized(l.minus, n)
	for k := range t.size {
		width := loopWidth * math.Max(1, math.Abs(v[k]))
		for side, r := range [2][]float64{l.plus, l.minus} {
			t.follow = append(t.follow[:0], v...)
			t.follow[k] += width * float64(1-2*side)
			if err := l.residualAt(l.s, &l.x, l.v, r); err != nil {
				return err
			}
		}
		for i := range n {
			t.B[k*n+i] = (l.plus[i] - l.minus[i]) / (2 * width)
		}
	}
	t.follow = append(t.follow[:0], v...)
	l.placement = -1 // the problem is that of a displaced y
	return nil
}

// solveDerivative overwrites x (n) by (H + B)⁻¹ x, or by that of the transpose.
func (l *Linearization) solveDerivative(x []float64, transposed bool) {
	if l.IsChain() {
		return // columns are solved already
	}
	t, n := &l.loops, len(x)
	l.foldRows(x)
	if t.follow == nil {
		l.hessian.SolveHessian(x)
		return
	}
	t.rhs = append(t.rhs[:0], x...)
	t.moved = sized(t.moved, n)
	l.hessian.SolveHessian(x)
	for range mostLoopSolves {
		copy(t.moved, t.rhs)
		for k := range t.size {
			column := t.B[k*n : (k+1)*n]
			if transposed {
				t.moved[k] -= dot(column, x)
				continue
			}
			for i, b := range column {
				t.moved[i] -= b * x[k]
			}
		}
		l.foldRows(t.moved)
		l.hessian.SolveHessian(t.moved)
		change, size := 0.0, 0.0
		for i, v := range t.moved {
			change, size = math.Max(change, math.Abs(v-x[i])), math.Max(size, math.Abs(v))
		}
		copy(x, t.moved)
		if change <= 1e-14*size {
			return
		}
	}
}
