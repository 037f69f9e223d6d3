package sim

// The adjoint of a step: cotangents λ of its end become those of its start, of the inputs, and of parameters θ of
// the model, by one solve with H,
//
//	H y = λ_v + h Yᵀ λ_q + (∂s/∂v⁺)ᵀ s̄                                                    (1)
//	λ_q ← Xᵀ λ_q − r_qᵀ y + (∂s/∂q)ᵀ s̄,   λ_v ← −r_vᵀ y + (∂s/∂v)ᵀ s̄                         (2)
//	λ_u −= r_uᵀ y,   λ_θ −= r_θᵀ y − (∂s/∂θ)ᵀ s̄                                           (3)
//
// with symbols of linearize.go, and the cotangents s̄ of signals of the step, such as contact forces, which are
// functions of the state at its start and of v⁺ (signal_derivative.go). The gradient of a run by any number of
// parameters so takes one solve and the partial derivatives of each step, from the last to the first. Source: as
// linearize.go, and Griewank and Walther, "Evaluating Derivatives", 2008, section 3.2.

import "fmt"

// Adjoint replaces the cotangent λ (nx) of the end of the step by that of its start, and adds that of
// the inputs to lambdaU (nil: not computed). It costs as much as a Jacobian, and one or two steps where deformables
// touch rigid bodies (adjoint_faces.go); some hundred assemblies where a part of such a step has no derivative by hand.
func (l *Linearization) Adjoint(lambda, lambdaU []float64) error {
	return l.AdjointOfSignals(nil, lambda, lambdaU)
}

// AdjointOfSignals is Adjoint, and adds what the model's signals contribute, whose cotangents bar has one for each
// signal, for their values after the step; nil: none. ParameterCotangent may follow.
func (l *Linearization) AdjointOfSignals(bar, lambda, lambdaU []float64) error {
	// by hand or by terms where deformables have too many columns
	l.vertices.faces.used, l.adjoined = false, true
	if l.isDivided() {
		return l.adjointOfParts(bar, lambda, lambdaU)
	}
	if !l.known && l.hasVertexTerms() {
		l.before = append(l.before[:0], lambda...)
		for _, how := range [2]adjointWay{byFaces, byTerms} {
			switch {
			case l.loops.follow != nil:
				continue
			case how == byFaces && l.endSize() > 0:
				continue
			}
			ok, err := l.adjointOfSignals(bar, lambda, lambdaU, how)
			if ok || err != nil {
				return err
			}
			copy(lambda, l.before)
		}
	}
	_, err := l.adjointOfSignals(bar, lambda, lambdaU, byColumns)
	return err
}

// adjointWay is how products r_xᵀy are found.
type adjointWay int

const (
	byColumns adjointWay = iota
	byTerms              // adjoint_vertices.go
	byFaces              // adjoint_faces.go
)

// adjointOfSignals is AdjointOfSignals in one of the ways. It is false, with lambda undefined, where a part of the step
// has no derivative in that way.
func (l *Linearization) adjointOfSignals(bar, lambda, lambdaU []float64, how adjointWay) (ok bool, err error) {
	if err := l.findEnd(); err != nil {
		return false, err
	}
	switch how {
	case byColumns:
		err = l.computePartials()
	case byTerms:
		err = l.computeInputPartials()
	}
	if err != nil {
		return false, err
	}
	if ok, err := l.differentiateSignals(bar, how); !ok || err != nil {
		return false, err
	}
	nv, n := len(l.place), l.columnSize()
	for i, s := range l.signals.end {
		lambda[i] += s
	}
	// a fixed vertex stays where it is, so that its cotangent has no effect
	l.clearFixed(lambda)
	l.ends.lambda = append(l.ends.lambda[:0], lambda...)
	// (1): Yᵀ λ_q and λ_v as cotangents of v⁺, then in the places of the problem
	l.cotangent = append(l.cotangent[:0], l.signals.step...)
	l.addCotangent(lambda)
	l.solveDerivative(l.cotangent, true)
	// (2), (3)
	copy(lambda, l.dq) // Xᵀ λ_q
	clear(lambda[nv:])
	for k := range lambda {
		lambda[k] += l.signals.start[k]
	}
	y, end := l.cotangent, l.ends.lambda[:l.endSize()]
	switch how {
	case byFaces:
		ok, err = l.subtractFaces(l.cotangent, lambda)
	case byTerms:
		ok, err = l.subtractTerms(l.cotangent, lambda)
	default:
		ok = true
		// each row of the products is a column of r_x
		for k := range lambda {
			column := l.partials[k*n : (k+1)*n]
			lambda[k] += dot(column[len(y):], end) - dot(column[:len(y)], y)
		}
	}
	if !ok || err != nil {
		return false, err
	}
	l.foldCotangent(lambda)
	for k := range lambdaU {
		column := l.inputPartials[k*n : (k+1)*n]
		lambdaU[k] += dot(column[len(y):], end) - dot(column[:len(y)], y)
	}
	return true, nil
}

// addCotangent adds (1) without signals to the cotangent of v⁺, of the cotangent λ of the end, and sets dq to Xᵀ λ_q.
func (l *Linearization) addCotangent(lambda []float64) {
	nv := len(l.place)
	clear(l.dq)
	if l.endSize() > 0 {
		l.addEndCotangent(lambda, l.cotangent)
		return
	}
	copy(l.dv, lambda[nv:])
	l.advanceAdjoint(lambda[:nv], l.dq, l.dv)
	for i, at := range l.place {
		if at >= 0 {
			l.cotangent[at] += l.dv[i]
		}
	}
}

// ParameterCotangent returns the part (3) of a parameter of the model in the derivative of the cost, after
// AdjointOfSignals with the same bar: plus and minus are steppers of models with the parameter changed by ±width, of
// the same bodies and inputs, or one of them is the linearization's and the other's is changed by twice the width.
func (l *Linearization) ParameterCotangent(plus, minus *Stepper, width float64, bar []float64) (float64, error) {
	if l.isDivided() {
		sum, err := l.cotangentOfParts(plus, minus, width)
		if err != nil {
			return 0, err
		}
		direct, err := l.parameterSignals(plus, minus, width, bar)
		return direct + sum, err
	}
	if err := l.parameterPartial(plus, minus, width); err != nil {
		return 0, err
	}
	direct, err := l.parameterSignals(plus, minus, width, bar)
	return direct + l.weighColumn(l.cotangent, l.ends.lambda), err
}

// ModelTangent writes the derivative dst (nx) of the end of the step by a parameter of the model: plus and minus are
// steppers of models with the parameter changed by ±width, of the same bodies and inputs.
func (l *Linearization) ModelTangent(plus, minus *Stepper, width float64, dst []float64) error {
	if l.isDivided() {
		return l.modelTangentOfParts(plus, minus, width, dst)
	}
	return l.modelTangent(plus, minus, width, dst)
}

// modelTangent is ModelTangent of the present part.
func (l *Linearization) modelTangent(plus, minus *Stepper, width float64, dst []float64) error {
	if err := l.parameterPartial(plus, minus, width); err != nil {
		return err
	}
	clear(l.dq)
	if err := l.findEnd(); err != nil {
		return err
	}
	l.finish(dst)
	return nil
}

// weighColumn returns what column gives with the cotangents y of the solution and λ of the end, −r_θᵀy + E_θᵀλ.
func (l *Linearization) weighColumn(y, lambda []float64) float64 {
	n := len(l.v)
	return dot(l.column[n:], lambda[:l.endSize()]) - dot(l.column[:n], y)
}

// parameterPartial writes r_θ into column.
func (l *Linearization) parameterPartial(plus, minus *Stepper, width float64) error {
	if l.IsChain() {
		clear(l.column)
		return l.addRounds(func(column []float64) error { return l.addParameter(plus, minus, width, column) })
	}
	// v⁺, the inputs and whether contacts are detected again are those of this step: only r sees the parameter
	if err := l.findRest(); err != nil {
		return err
	}
	clear(l.column)
	return l.addParameter(plus, minus, width, l.column)
}

// addParameter adds r_θ of the present round to a column.
func (l *Linearization) addParameter(plus, minus *Stepper, width float64, column []float64) error {
	for k, s := range [2]*Stepper{plus, minus} {
		if a, b := len(s.Model.Start.V), len(l.x.V); a != b {
			return fmt.Errorf("sim: the model has %d velocities, the linearized one %d: use models of the same bodies", a, b)
		}
		if m := s.Model.Rigid; m != nil && !m.SameMimics(l.s.Model.Rigid) {
			return errMimic
		}
		copy(s.inputs.of, l.s.inputs.of)
		if err := l.residualAt(s, l.startIn(s), l.roundEnd(), [2][]float64{l.plus, l.minus}[k]); err != nil {
			return err
		}
		// the width is that of the models
		if !l.actsAsAtRest(s) {
			return l.touchErrorOf(s)
		}
		l.readSlopes(s, k)
	}
	if _, acts := l.slopesDiffer(); acts {
		return l.kinkError(plus)
	}
	// what round-off changes velocities by within the width is negligible
	// at a bound of the parameter one side is the step itself
	if isOneSided := plus == l.s || minus == l.s; !isOneSided && l.hasKink(width, poseNoise/l.h/width, false) {
		return l.kinkErrorOf(plus)
	}
	for i := range column {
		column[i] += (l.plus[i] - l.minus[i]) / (2 * width)
	}
	return nil
}
