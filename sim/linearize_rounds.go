package sim

// Derivatives of steps that were solved several times (loop.go). Solve j of K is the root y_j of a residual that
// depends on the solutions before, about which terms were linearized, contacts found or bounds of friction moved
// (tape.go),
//
//	r_j(x, y_1 … y_{j−1}, y_j) = 0,   v⁺ = y_K                                     (1)
//	H_j δy_j = −(∂r_j/∂x δx + Σ_{i<j} ∂r_j/∂y_i δy_i),   j = 1 … K                  (2)
//
// Both differences of (2) are central, of the problem that the tape makes of a displaced state or of displaced
// solutions. That is the derivative of the step as it was taken, however far its terms are from agreement: no fixed
// point is assumed. Columns of these steps are those of v⁺ itself, with the unit matrix in place of H. Source: chain
// rule for the iterates of an iteration, Griewank and Walther, "Evaluating Derivatives", 2008, chapter 15 (piggyback
// differentiation).

import (
	"math"

	"github.com/curlfree/curlfree/convex"
)

// roundWidth is the width of differences by solutions, relative to velocities, and in m/s or rad/s at rest.
const roundWidth = 1e-6

// stepPart is a part of a divided step, or the whole of one that was solved several times.
type stepPart struct {
	x       State
	h       float64
	end     State // under the midpoint rule
	tape    tape
	rounds  []solveRound
	isReady bool // rounds are computed
	// y of its adjoint, and λ of its end
	cotangent, lambda []float64
}

// solveRound is one of the solves.
type solveRound struct {
	solver  convex.Solver // with the factor of H_j
	rest    []float64     // r_j
	bearing int           // points of contact that are loaded
	points  int           // of contact
	tangent []float64     // δy_j along the present direction
	direct  []float64     // ∂r_j/∂x δx along it
	// r_j and the slopes of terms on both sides of a difference
	sides  [2][]float64
	slopes [2][]float64
	acts   bool // contacts act on both sides as in the step itself
}

// IsChain reports whether the step was divided or solved several times, so that its columns are those of (2).
func (l *Linearization) IsChain() bool { return len(l.parts) > 0 }

// prepareRounds makes and factors the problems of all solves of the present part.
func (l *Linearization) prepareRounds() error {
	p, s := &l.parts[l.part], l.s
	if p.isReady {
		return nil
	}
	n := len(p.tape.y)
	for len(p.rounds) < n {
		p.rounds = append(p.rounds, solveRound{})
	}
	p.rounds = p.rounds[:n]
	for j := range p.rounds {
		r := &p.rounds[j]
		r.rest = sized(r.rest, l.columnSize())
		l.round = j
		if err := l.residualAt(s, &l.x, p.tape.y[j], r.rest); err != nil {
			return err
		}
		r.bearing, r.points = s.bearingPoints(), s.contactPoints()
		if err := r.solver.Linearize(&s.Problem, p.tape.y[j]); err != nil {
			return err
		}
	}
	p.isReady = true
	return nil
}

// enterRound makes round j the one whose residual is differentiated.
func (l *Linearization) enterRound(j int) {
	r := &l.parts[l.part].rounds[j]
	l.round, l.hessian, l.rest, l.restKnown, l.bearing = j, &r.solver, r.rest, true, r.bearing
}

// enterLastRound makes the last round the present one.
func (l *Linearization) enterLastRound() { l.enterRound(len(l.parts[l.part].rounds) - 1) }

// residualAt writes r (1) of linearize.go of the present round at the velocities v, for a state at the start and a
// stepper of this model or of one with other numbers.
func (l *Linearization) residualAt(s *Stepper, x *State, v, r []float64) error {
	if !l.IsChain() {
		return l.residual(s, x, v, r)
	}
	if err := s.play(&l.parts[l.part].tape, x, l.h, l.y, l.round, &l.gradient, nil); err != nil {
		return err
	}
	return l.evaluateRound(s, x, v, r)
}

// evaluateRound writes r (1) of linearize.go of the present round, whose problem is made, and the end of the step in
// the last one.
func (l *Linearization) evaluateRound(s *Stepper, x *State, v, r []float64) error {
	if err := l.gradient.Gradient(&s.Problem, v, r[:len(v)]); err != nil {
		return err
	}
	switch end := r[len(v):]; {
	case len(end) == 0:
	case l.round == len(l.parts[l.part].tape.y)-1:
		l.writeEnd(s, x, v, end)
	default:
		clear(end)
	}
	return nil
}

// addRounds adds −δv⁺ by (2) to column, where direct adds ∂r_j/∂x δx, or what other change of the step there is, of the
// present round.
func (l *Linearization) addRounds(direct func(column []float64) error) error {
	p, n := &l.parts[l.part], len(l.v)
	for j := range p.rounds {
		l.enterRound(j)
		r := &p.rounds[j]
		r.tangent = sized(r.tangent, l.columnSize())
		clear(r.tangent)
		if err := direct(r.tangent); err != nil {
			return err
		}
		if err := l.addSolutions(j, r.tangent); err != nil {
			return err
		}
		y := r.tangent[:n]
		l.foldRows(y)
		r.solver.SolveHessian(y)
		for i, d := range y {
			y[i] = -d
		}
	}
	for i, d := range p.rounds[len(p.rounds)-1].tangent {
		if i < n {
			d = -d
		}
		l.column[i] += d
	}
	return nil
}

// roundEnd returns the velocities at which r of the present round vanishes.
func (l *Linearization) roundEnd() []float64 {
	if !l.IsChain() {
		return l.v
	}
	return l.parts[l.part].tape.y[l.round]
}

// actsAsAtRest reports whether as many points of contact are loaded in the problem of a stepper, and are there, as in
// the step itself.
func (l *Linearization) actsAsAtRest(s *Stepper) bool {
	return s.bearingPoints() == l.bearing && (!l.IsChain() || s.contactPoints() == l.parts[l.part].rounds[l.round].points)
}

// computeInputRounds computes the columns of inputs.
func (l *Linearization) computeInputRounds() error {
	s, n := l.s, l.columnSize()
	l.inputPartials = sized(l.inputPartials, n*len(s.inputs.of))
	for k := range s.inputs.of {
		input, width := &s.inputs.of[k].Input, inputWidth(s, k)
		u := *input
		clear(l.column)
		err := l.addRounds(func(column []float64) error {
			for side, r := range [2][]float64{l.plus, l.minus} {
				*input = u + [2]float64{width, -width}[side]
				err := l.residualAt(s, &l.x, l.roundEnd(), r)
				*input = u
				if err != nil {
					return err
				}
			}
			for i := range column {
				column[i] += (l.plus[i] - l.minus[i]) / (2 * width)
			}
			return nil
		})
		if err != nil {
			return err
		}
		copy(l.inputPartials[k*n:], l.column)
	}
	l.inputsKnown = true
	return nil
}

// differentiateRounds computes the difference of r_j of all rounds along the entries from a to b of a direction, in one
// play for each side. Those that need a smaller width are differentiated one by one.
func (l *Linearization) differentiateRounds(dx []float64, a, b int, width float64) error {
	p, s, n := &l.parts[l.part], l.s, l.columnSize()
	for side, w := range [2]float64{width, -width} {
		l.moved.copyFrom(&l.x)
		l.moveEntries(&l.moved, dx, a, b, w)
		err := s.play(&p.tape, &l.moved, l.h, l.y, len(p.rounds)-1, &l.gradient, func(k int) error {
			r := &p.rounds[k]
			l.enterRound(k)
			r.sides[side] = sized(r.sides[side], n)
			if side == 0 {
				r.acts = true
			}
			if err := l.evaluateRound(s, &l.moved, p.tape.y[k], r.sides[side]); err != nil {
				return err
			}
			r.acts = r.acts && l.actsAsAtRest(s)
			l.readSlopes(s, side)
			r.slopes[side] = append(r.slopes[side][:0], l.slopes[side]...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	size, positions := largest(dx[a:b]), a < len(l.place)
	for k := range p.rounds {
		r := &p.rounds[k]
		l.enterRound(k)
		r.direct = sized(r.direct, n)
		clear(r.direct)
		for side := range 2 {
			l.slopes[side] = append(l.slopes[side][:0], r.slopes[side]...)
		}
		copy(l.plus, r.sides[0])
		copy(l.minus, r.sides[1])
		if differ, _ := l.slopesDiffer(); r.acts && !differ && !l.hasKink(width, l.negligible(width, size, positions), false) {
			for i := range r.direct {
				r.direct[i] = (l.plus[i] - l.minus[i]) / (2 * width)
			}
			continue
		}
		err := l.differentiate(width, size, positions, r.direct, func(w float64, r []float64) error { return l.assemble(dx, a, b, w, r) })
		if err != nil {
			return err
		}
	}
	return nil
}

// addSolutions adds Σ_{i<j} ∂r_j/∂y_i δy_i to a column.
func (l *Linearization) addSolutions(j int, column []float64) error {
	width, size := l.widthOfSolutions(j)
	if width == 0 {
		return nil
	}
	err := l.differentiate(width, size, false, column, func(w float64, r []float64) error {
		l.moveSolutions(j, w)
		return l.residualAt(l.s, &l.x, l.parts[l.part].tape.y[j], r)
	})
	l.moveSolutions(j, 0)
	return err
}

// widthOfSolutions returns the width of differences along the tangents of the solutions before round j, and the largest
// of their entries.
func (l *Linearization) widthOfSolutions(j int) (width, size float64) {
	p, speed := &l.parts[l.part], 1.0
	for i := range p.rounds[:j] {
		size, speed = math.Max(size, largest(p.rounds[i].tangent[:len(l.v)])), math.Max(speed, largest(p.tape.y[i]))
	}
	if size == 0 {
		return 0, 0
	}
	return roundWidth * speed / size, size
}

// moveSolutions moves the solutions before round j by w times their tangents.
func (l *Linearization) moveSolutions(j int, w float64) {
	p := &l.parts[l.part]
	for i := range p.rounds[:j] {
		for k, d := range p.rounds[i].tangent[:len(l.v)] {
			l.y[i][k] = p.tape.y[i][k] + w*d
		}
	}
}

// differenceOfRounds returns the derivative of the signals of the step by the solutions before the last one, along
// their tangents.
func (l *Linearization) differenceOfRounds(bar []float64) (float64, error) {
	if !l.IsChain() {
		return 0, nil
	}
	l.enterLastRound()
	width, _ := l.widthOfSolutions(l.round)
	if width == 0 {
		return 0, nil
	}
	d, err := l.differenceStep(bar, width, func(w float64) (*State, []float64) {
		l.moveSolutions(l.round, w)
		return &l.x, l.v
	})
	l.moveSolutions(l.round, 0)
	return d, err
}

// differenceAlong returns the derivative of the signals of the step by its start along the entries from a to b of a
// direction, at fixed v⁺.
func (l *Linearization) differenceAlong(bar, dx []float64, a, b int) (float64, error) {
	d, err := l.differenceOfStart(bar, dx, a, b)
	if err != nil || !l.IsChain() || len(l.parts[l.part].rounds) == 1 || largest(dx[a:b]) == 0 {
		return d, err
	}
	clear(l.column)
	if err := l.addDifference(dx, a, b); err != nil {
		return 0, err
	}
	by, err := l.differenceOfRounds(bar)
	return d + by, err
}
