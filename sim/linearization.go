package sim

// Jacobians, tangents and adjoints of a step by (2) to (5) of linearize.go (implicit differentiation).
// With n velocities of the problem, n_v of the state and n_u inputs it keeps the partial derivatives of
// r at fixed v⁺,
//
//	r_x = (r_q, r_v)   n × nx,        r_u   n × n_u,    a column each,                 (6)
//
// by central differences, r_x d = [r(x ⊞ w d) − r(x ⊞ −w d)]/(2 w). One factor of H then serves all: a Jacobian
// solves for each column, a tangent for one combination of columns, an adjoint for one cotangent and takes
// products with the columns. A gradient over a run of N steps by adjoints so costs N solves, whatever the number of
// inputs, and 4 n_v assemblies a step; tangents, of eight assemblies, are cheaper where directions are few.

import "math"

// Size returns the size of tangent vectors of a state, 2 n_v or 4 n_v (Model.TangentSize), and the number of inputs.
func (l *Linearization) Size() (nx, nu int) { return l.s.Model.TangentSize(), len(l.s.inputs.of) }

// End writes the state at the end of the step into x.
func (l *Linearization) End(x *State) {
	if l.s.Model.Rule.Midpoint {
		x.copyFrom(&l.ends.at) // bodies may have been placed elsewhere since
	} else {
		l.endAt(l.s, l.h, &l.x, l.v, x)
	}
	if l.isDivided() {
		first := &l.parts[0].x
		x.Time, x.Step = first.endTime(l.total), first.Step+1
	}
}

// endAt writes the end of a step of s over h from the state start with the solution v (n) into x. Under the midpoint
// rule its bodies are placed there.
func (l *Linearization) endAt(s *Stepper, h float64, start *State, v []float64, x *State) {
	x.copyFrom(start)
	if s.Model.Rule.Midpoint {
		x.Memory.begin(h, len(x.V))
	}
	iq, iv, in := 0, 0, 0
	for i, b := range s.subsystems {
		nq, nv := b.Size()
		// velocities that the problem has of this body: fixed vertices are not among them
		n := s.solved[i]
		b.Advance(h, v[in:in+n], x.Q[iq:iq+nq], x.V[iv:iv+nv], x.Memory.part(iv, nv))
		iq, iv, in = iq+nq, iv+nv, in+n
	}
	x.Time += h
	x.Step++
}

// Jacobian writes the derivatives of the end of the step: fx (nx × nx of Size) by the state and fu
// (nx × inputs) by the inputs, row-major. Where parts of the step have no derivatives of their own it takes two
// assemblies of the step for each column of fx, once for each Linearization.
func (l *Linearization) Jacobian(fx, fu []float64) error {
	if l.isDivided() {
		return l.jacobianOfParts(fx, fu)
	}
	return l.jacobian(fx, fu)
}

// jacobian is Jacobian of the present part.
func (l *Linearization) jacobian(fx, fu []float64) error {
	if err := l.findEnd(); err != nil {
		return err
	}
	if err := l.computePartials(); err != nil {
		return err
	}
	nx, nu := l.Size()
	l.finishColumns(l.partials, nx, true, fx)
	l.foldColumns(fx, nx)
	l.finishColumns(l.inputPartials, nu, false, fu)
	return nil
}

// finishColumns writes the derivative (nx × c) of the end of the step by c numbers, row-major, by (2) and (5), from
// the columns of r by them. They are the positions and velocities of the state, or none of them.
func (l *Linearization) finishColumns(partials []float64, c int, state bool, dst []float64) {
	n, nv := len(l.v), len(l.place)
	if l.endSize() > 0 {
		l.finishColumnsWithEnd(partials, c, state, dst)
		return
	}
	dv := dst[nv*c:]
	for k := range c {
		copy(l.column, partials[k*n:(k+1)*n])
		l.solveDerivative(l.column, false)
		for i, at := range l.place {
			if at >= 0 {
				dv[i*c+k] = -l.column[at]
			} else {
				dv[i*c+k] = 0 // fixed vertices
			}
		}
	}
	_, rigid := l.s.Model.RigidSize()
	if rigid > 0 {
		l.s.rigid.AdvanceJacobian(l.h, l.x.Q, l.v[:rigid], dv, c, state, dst)
	}
	// vertices have X = Y = 1
	for i := rigid; i < nv; i++ {
		row := dst[i*c : (i+1)*c]
		for k := range row {
			row[k] = l.h * dv[i*c+k]
		}
		if state && l.place[i] >= 0 {
			row[i]++
		}
	}
}

// Tangent writes the derivative dst (nx) of the end of the step along a direction: dx (nx) of the
// state and du of the inputs (nil: none). It takes eight assemblies at most, and those of the inputs once for each
// Linearization: differences are taken along the direction as a whole.
func (l *Linearization) Tangent(dx, du, dst []float64) error {
	if l.isDivided() {
		return l.tangentOfParts(dx, du, dst)
	}
	return l.tangent(dx, du, dst)
}

// tangent is Tangent of the present part.
func (l *Linearization) tangent(dx, du, dst []float64) error {
	nv := len(l.place)
	if err := l.findEnd(); err != nil {
		return err
	}
	if du != nil {
		if err := l.computeInputPartials(); err != nil {
			return err
		}
	}
	dx = l.followLeaders(dx)
	clear(l.column)
	// Joints and vertices by widths of their own, positions and velocities too: vertices bound small polygons of
	// contact, which the width of joints would distort, and velocities move bodies by h times their width.
	l.findReach(dx)
	defer func() { l.reach = l.reach[:0] }()
	for part := range l.kindsOfEntries {
		if err := l.addDifference(dx, part[0], part[1]); err != nil {
			return err
		}
	}
	// inputs are linear in r: their columns are combined
	n := l.columnSize()
	for k, d := range du {
		for i, r := range l.inputPartials[k*n : (k+1)*n] {
			l.column[i] += d * r
		}
	}
	for i := range nv {
		l.dq[i] = dx[i]
		// fixed vertices have no tangent
		if l.place[i] < 0 {
			l.dq[i] = 0
		}
	}
	l.finish(dst)
	return nil
}

// findReach computes by how much a direction (nx) displaces each coordinate in the step.
func (l *Linearization) findReach(dx []float64) {
	l.reach = sized(l.reach, len(l.v))
	clear(l.reach)
	nv := len(l.place)
	for i, at := range l.place {
		if at >= 0 {
			l.reach[at] = math.Abs(dx[i])
			for k := nv + i; k < len(dx); k += nv {
				l.reach[at] = max(l.reach[at], l.h*math.Abs(dx[k]))
			}
		}
	}
}

// finish writes the tangent of the end of the step for δq in dq and r_x δx in column, by (2) and
// (5). It overwrites column by its solution.
func (l *Linearization) finish(dst []float64) {
	nv := len(l.place)
	l.solveDerivative(l.column[:len(l.v)], false)
	if l.endSize() > 0 {
		l.finishEnd(l.column, dst)
		return
	}
	for i, at := range l.place {
		dst[nv+i] = 0 // fixed vertices
		if at >= 0 {
			dst[nv+i] = -l.column[at]
		}
	}
	l.advanceTangent(l.dq, dst[nv:], dst[:nv])
}

// advanceTangent writes (5), and replaces dv by the tangent of the velocities of the state. Vertices have X = Y = 1.
func (l *Linearization) advanceTangent(dq, dv, dst []float64) {
	_, nv := l.s.Model.RigidSize()
	if nv > 0 {
		l.s.rigid.AdvanceTangent(l.h, l.x.Q, l.v[:nv], dq, dv, dst)
	}
	for i := nv; i < len(dst); i++ {
		dst[i] = dq[i] + l.h*dv[i]
	}
}

// advanceAdjoint applies the transpose of (5): it adds Xᵀ λ to dq and h Yᵀ λ to dv, the cotangent of the velocities of
// the state, which becomes that of v⁺.
func (l *Linearization) advanceAdjoint(lambda, dq, dv []float64) {
	_, nv := l.s.Model.RigidSize()
	if nv > 0 {
		l.s.rigid.AdvanceAdjoint(l.h, l.x.Q, l.v[:nv], lambda, dq, dv)
	}
	for i := nv; i < len(lambda); i++ {
		dq[i] += lambda[i]
		dv[i] += l.h * lambda[i]
	}
}

// computePartials computes r_q, r_v and r_u, once: from parts of the step, else nx columns of two assemblies each.
func (l *Linearization) computePartials() error {
	if l.known {
		return nil
	}
	if ok, err := l.computeLocalPartials(); ok || err != nil {
		return err
	}
	if err := l.computeInputPartials(); err != nil {
		return err
	}
	nx, _ := l.Size()
	n := l.columnSize()
	l.partials = sized(l.partials, nx*n)
	l.direction = sized(l.direction, nx)
	clear(l.direction)
	for k := range nx {
		clear(l.column)
		if !l.isStill(k) {
			l.direction[k] = 1
			if err := l.addDifference(l.direction, k, k+1); err != nil {
				return err
			}
			l.direction[k] = 0
		}
		copy(l.partials[k*n:], l.column)
	}
	l.known = true
	return nil
}

// addDifference adds r_x dx to column for the entries from a to b of a direction, all of joints or all of
// vertices, positions or velocities: their largest displacement is the width of their kind, whatever the length of dx.
func (l *Linearization) addDifference(dx []float64, a, b int) error {
	width := l.widthAlong(dx[a:b], a)
	if width == 0 {
		return nil
	}
	if l.IsChain() {
		if err := l.differentiateRounds(dx, a, b, width); err != nil {
			return err
		}
		return l.addRounds(func(column []float64) error {
			copy(column, l.parts[l.part].rounds[l.round].direct)
			return nil
		})
	}
	if err := l.findRest(); err != nil {
		return err
	}
	return l.differentiate(width, largest(dx[a:b]), a < len(l.place), l.column, func(w float64, r []float64) error {
		return l.assemble(dx, a, b, w, r)
	})
}

// differentiate adds the central difference of r of the present round to a column: assemble writes r at a distance
// along the direction, whose largest entry is size, of positions or of velocities.
func (l *Linearization) differentiate(width, size float64, positions bool, column []float64, assemble func(w float64, r []float64) error) error {
	wider := false // the last width had the same contacts on both sides
	for narrowed := 0; ; narrowed++ {
		// central: the error is of second order in the width
		sides := true
		for k, r := range [2][]float64{l.plus, l.minus} {
			if err := assemble([2]float64{width, -width}[k], r); err != nil {
				return err
			}
			sides = sides && l.actsAsAtRest(l.s)
			l.readSlopes(l.s, k)
		}
		differ, acts := l.slopesDiffer()
		kinked := sides && l.hasKink(width, l.negligible(width, size, positions), wider)
		wider = sides
		switch last := narrowed == narrowings; {
		case last && !sides:
			return l.touchErrorOf(l.s)
		case last && acts:
			return l.kinkError(l.s)
		case last && kinked:
			return l.kinkErrorOf(l.s)
		case last || sides && !differ && !kinked:
			for i := range column {
				column[i] += (l.plus[i] - l.minus[i]) / (2 * width)
			}
			return nil
		}
		width /= narrowing
	}
}

// assemble writes r (1), at v⁺, for the state moved by width along the entries from a to b of a
// direction.
func (l *Linearization) assemble(dx []float64, a, b int, width float64, r []float64) error {
	// from the start each time: displacements there and back would leave round-off
	l.moved.copyFrom(&l.x)
	l.moveEntries(&l.moved, dx, a, b, width)
	return l.residualAt(l.s, &l.moved, l.roundEnd(), r)
}

// computeInputPartials computes r_u, once: inputs change constraints, and setpoints of robots, alone. The stages before
// them are taken once, for all inputs.
func (l *Linearization) computeInputPartials() error {
	s, n := l.s, l.columnSize()
	if l.inputsKnown || len(s.inputs.of) == 0 {
		return nil
	}
	if l.IsChain() {
		return l.computeInputRounds()
	}
	if err := l.residualAt(s, &l.x, l.v, l.plus); err != nil {
		return err
	}
	l.inputPartials = sized(l.inputPartials, n*len(s.inputs.of))
	for k := range s.inputs.of {
		// put back also where constraints fail
		input, width := &s.inputs.of[k].Input, inputWidth(s, k)
		u := *input
		for side, r := range [2][]float64{l.plus, l.minus} {
			*input = u + [2]float64{width, -width}[side]
			s.plan(&l.x)
			err := s.constrain(&l.x, l.h)
			if err == nil {
				clear(r) // the end follows from v⁺
				err = l.gradient.Gradient(&s.Problem, l.v, r[:len(l.v)])
			}
			*input = u
			if err != nil {
				return err
			}
		}
		// r is linear in an input as long as the effort keeps within its bounds, so that the width may be large
		for i := range n {
			l.inputPartials[k*n+i] = (l.plus[i] - l.minus[i]) / (2 * width)
		}
	}
	l.inputsKnown = true
	return nil
}

// inputWidth returns the width of central differences by input k.
func inputWidth(s *Stepper, k int) float64 { return effortWidth / s.inputs.actuations[k].Gain }

// kindsOfEntries yields the ranges of the entries of tangents that are of one kind: of joints or of vertices, positions
// or velocities, which have widths of their own.
func (l *Linearization) kindsOfEntries(yield func(part [2]int) bool) {
	nx, _ := l.Size()
	nv := len(l.place)
	_, joints := l.s.Model.RigidSize()
	for first := 0; first < nx; first += nv {
		if !yield([2]int{first, first + joints}) || !yield([2]int{first + joints, first + nv}) {
			return
		}
	}
}
