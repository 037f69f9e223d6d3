package sim

// Derivatives of signals. A signal of a state s(x⁺) depends on the end of the step; one of a step, such as a contact
// force, on the state at its start and on the velocities v⁺ at its end, s(x, v⁺): the stages are taken at x, and laws
// and reports at v⁺, so that no solve is part of it. Both are differenced as the residual of the step is, in each
// coordinate for cotangents (adjoint.go), along one direction for tangents.
//
// Maxima and counts jump, or change their derivative, from one body or face to the next. They name themselves by
// the interface unsmooth.

import (
	"fmt"
	"math"
)

// endWidth is the width of differences in v⁺, m/s or rad/s: far below the slip at which contacts stick, 1e-6 m/s by
// default.
const endWidth = 2e-9

// unsmooth is implemented by signals that may have no derivative.
type unsmooth interface {
	// whyUnsmooth returns the reason in a model, with a smooth signal to take in its place; empty: it has a derivative.
	whyUnsmooth(*Model) string
}

// CheckSmooth returns an error that wraps ErrNotDifferentiable where signal i of the model has no derivative.
func (m *Model) CheckSmooth(i int) error {
	if d, ok := m.Signals[i].Signal.(derivedSignal); ok {
		if err := m.CheckSmooth(d.derivedFrom()); err != nil {
			return err
		}
	}
	if u, ok := m.Signals[i].Signal.(unsmooth); ok && u.whyUnsmooth(m) != "" {
		return fmt.Errorf("%w: signal %q is %s", ErrNotDifferentiable, m.Signals[i].Name, u.whyUnsmooth(m))
	}
	return nil
}

// signalDerivative is the derivative of Σ s̄ s over signals s with cotangents s̄, and what it is made with.
type signalDerivative struct {
	end   []float64 // by the state at the end, of signals of states (nx)
	start []float64 // by the state at the start, of signals of the step (nx)
	step  []float64 // by v⁺, likewise (n)
	of    [2][]int  // the signals with a cotangent: of states, of the step
	// signals of points that move with rigid bodies (signal_point_derivative.go)
	points []int
	bar    []float64 // s̄
	state  State     // displaced
	v      []float64 // v⁺, displaced
}

// differentiateSignals computes the derivatives of Σ bar s. By terms and by faces, those of contacts by the vertices at
// the start are left to the products of r_x. It is false where signals or the step have no derivatives by faces.
func (l *Linearization) differentiateSignals(bar []float64, how adjointWay) (ok bool, err error) {
	nx, _ := l.Size()
	nv, d := len(l.place), &l.signals
	d.end, d.start, d.step = sized(d.end, nx), sized(d.start, nx), sized(d.step, len(l.v))
	clear(d.end)
	clear(d.start)
	clear(d.step)
	if err := l.selectSignals(bar); err != nil {
		return false, err
	}
	clear(l.direction)
	l.differentiatePointSignals(bar)
	// contacts of deformables act on few of their many vertices
	ofContacts := how != byColumns && l.areContactSums()
	if how == byTerms && ofContacts && len(d.of[1]) > 0 {
		if err := l.differenceContactSums(bar); err != nil {
			return false, err
		}
	}
	if how == byFaces && !ofContacts {
		return false, nil
	}
	ofStep := len(d.of[1]) > 0 && !ofContacts
	if err := l.differenceByEntries(bar, ofStep); err != nil {
		return false, err
	}
	if how == byFaces {
		if err := l.beginFaces(); err != nil || !l.hasFaces() {
			return false, err
		}
		l.addSignalsByEnd()
		return true, nil
	}
	if !ofStep {
		return true, nil
	}
	// velocities of the problem are those of the state, at their places
	for i, at := range l.place {
		if at < 0 {
			continue
		}
		l.direction[nv+i] = 1
		if d.step[at], err = l.differenceOfEnd(bar, l.direction[nv:], i, i+1); err != nil {
			return false, err
		}
		l.direction[nv+i] = 0
	}
	return true, nil
}

// differenceByEntries adds the derivatives of signals by each entry of the states at the end and, of signals of the
// step, at the start.
func (l *Linearization) differenceByEntries(bar []float64, ofStep bool) (err error) {
	d := &l.signals
	nx := len(d.end)
	for k := range nx {
		if l.place[k%len(l.place)] < 0 {
			continue
		}
		l.direction[k] = 1
		// signals of states read no memory
		if len(d.of[0]) > 0 && k < 2*len(l.place) {
			d.end[k] += l.differenceOfState(bar, l.direction, k, k+1)
		}
		if ofStep && !l.isStill(k) {
			if d.start[k], err = l.differenceAlong(bar, l.direction, k, k+1); err != nil {
				return err
			}
		}
		l.direction[k] = 0
	}
	return nil
}

// SignalTangents returns Σ bar ds, where ds are the changes of the model's signals after the step, and bar has one
// number for each of them: dx and dEnd (nx) are the tangents of the states at the start and at the end.
func (l *Linearization) SignalTangents(bar, dx, dEnd []float64) (float64, error) {
	if err := l.selectSignals(bar); err != nil {
		return 0, err
	}
	sum, nv := 0.0, len(l.place)
	_, joints := l.s.Model.RigidSize()
	// kinds of coordinates by widths of their own, as Tangent does
	for part := range l.kindsOfEntries {
		if len(l.signals.of[0]) > 0 && part[0] < 2*nv {
			sum += l.differenceOfState(bar, dEnd, part[0], part[1])
		}
		if len(l.signals.of[1]) > 0 {
			s, err := l.differenceAlong(bar, dx, part[0], part[1])
			if err != nil {
				return 0, err
			}
			sum += s
		}
	}
	if len(l.signals.of[1]) == 0 {
		return sum, nil
	}
	by, err := l.solutionTangent(dx, dEnd)
	if err != nil {
		return 0, err
	}
	for _, part := range [2][2]int{{0, joints}, {joints, nv}} {
		s, err := l.differenceOfEnd(bar, by, part[0], part[1])
		if err != nil {
			return 0, err
		}
		sum += s
	}
	return sum, nil
}

// ParameterSignals returns Σ bar ∂s/∂θ at fixed states and v⁺; plus and minus are steppers as of ModelTangent.
func (l *Linearization) ParameterSignals(plus, minus *Stepper, width float64, bar []float64) (float64, error) {
	return l.parameterSignals(plus, minus, width, bar)
}

// parameterSignals returns Σ bar ∂s/∂θ.
func (l *Linearization) parameterSignals(plus, minus *Stepper, width float64, bar []float64) (float64, error) {
	if err := l.selectSignals(bar); err != nil {
		return 0, err
	}
	if len(l.signals.of[0])+len(l.signals.of[1]) == 0 {
		return 0, nil
	}
	var values [2]float64
	for k, s := range [2]*Stepper{plus, minus} {
		copy(s.inputs.of, l.s.inputs.of)
		a, bears, err := l.weighStep(s, bar, l.startIn(s), l.v, k)
		if err != nil {
			return 0, err
		}
		if !bears {
			return 0, l.touchErrorOf(s)
		}
		l.End(&l.signals.state)
		l.moveFixed(s, &l.signals.state)
		values[k] = a + l.weighState(s, bar, &l.signals.state)
	}
	direct := (values[0] - values[1]) / (2 * width)
	if len(l.signals.of[1]) == 0 || !l.IsChain() {
		return direct, nil
	}
	// the solutions on which the problem depends change, too
	if err := l.parameterPartial(plus, minus, width); err != nil {
		return 0, err
	}
	by, err := l.differenceOfRounds(bar)
	return direct + by, err
}

// selectSignals lists the signals with a cotangent, and refuses those that have no derivative.
func (l *Linearization) selectSignals(bar []float64) error {
	d, m := &l.signals, l.s.Model
	d.bar = bar
	d.of[0], d.of[1] = d.of[0][:0], d.of[1][:0]
	for i, b := range bar {
		if b == 0 {
			continue
		}
		if err := m.CheckSmooth(i); err != nil {
			return err
		}
		k := 0
		if m.Signals[i].OfStep {
			if err := l.checkUndivided(i); err != nil {
				return err
			}
			k = 1
		}
		d.of[k] = append(d.of[k], i)
	}
	return nil
}

// differenceOfState returns the derivative of the signals of the end state along the entries from a to b of
// a direction.
func (l *Linearization) differenceOfState(bar, dx []float64, a, b int) float64 {
	width := l.widthAlong(dx[a:b], a)
	if width == 0 {
		return 0
	}
	var values [2]float64
	for k, w := range [2]float64{width, -width} {
		l.End(&l.signals.state)
		l.moveEntries(&l.signals.state, dx, a, b, w)
		values[k] = l.weighState(l.s, bar, &l.signals.state)
	}
	return (values[0] - values[1]) / (2 * width)
}

// differenceOfStart returns the derivative of the signals of the step by its start, at fixed v⁺, along the entries
// from a to b of a direction.
func (l *Linearization) differenceOfStart(bar, dx []float64, a, b int) (float64, error) {
	width := l.widthAlong(dx[a:b], a)
	if width == 0 {
		return 0, nil
	}
	return l.differenceStep(bar, width, func(w float64) (*State, []float64) {
		l.moved.copyFrom(&l.x)
		l.moveEntries(&l.moved, dx, a, b, w)
		return &l.moved, l.v
	})
}

// differenceStep returns the derivative of the signals of the step along a direction, by states and velocities v⁺ that
// moved gives at a distance w. As for residuals the width is narrowed where contacts or constraints act otherwise on
// the other side.
func (l *Linearization) differenceStep(bar []float64, width float64, moved func(w float64) (*State, []float64)) (float64, error) {
	for narrowed := 0; ; narrowed++ {
		var values [2]float64
		sides := true
		for k, w := range [2]float64{width, -width} {
			x, v := moved(w)
			value, bears, err := l.weighStep(l.s, bar, x, v, k)
			if err != nil {
				return 0, err
			}
			values[k], sides = value, sides && bears
		}
		differ, acts := l.slopesDiffer()
		switch last := narrowed == narrowings; {
		case last && !sides:
			return 0, l.touchErrorOf(l.s)
		case last && acts:
			return 0, l.kinkError(l.s)
		case last || sides && !differ:
			return (values[0] - values[1]) / (2 * width), nil
		}
		width /= narrowing
	}
}

// differenceOfEnd returns the derivative of the signals of the step by v⁺ along the entries from a to b of
// a change of the state's velocities.
func (l *Linearization) differenceOfEnd(bar, dv []float64, a, b int) (float64, error) {
	largest := 0.0
	for _, d := range dv[a:b] {
		largest = max(largest, math.Abs(d))
	}
	if largest == 0 {
		return 0, nil
	}
	return l.differenceStep(bar, endWidth/largest, func(w float64) (*State, []float64) {
		l.signals.v = append(l.signals.v[:0], l.v...)
		for i := a; i < b; i++ {
			if at := l.place[i]; at >= 0 {
				l.signals.v[at] += w * dv[i]
			}
		}
		return &l.x, l.signals.v
	})
}

// widthAlong returns the width of differences along the entries of a direction of which a is the first, of one kind of
// coordinates; 0: the direction has none of them.
func (l *Linearization) widthAlong(dx []float64, a int) float64 {
	largest, nv := 0.0, len(l.place)
	for _, d := range dx {
		largest = max(largest, math.Abs(d))
	}
	if largest == 0 {
		return 0
	}
	width := jointWidth
	if len(l.s.deformables) > 0 || spreadsFriction(l.s.contacts) {
		width = jointNearFaceWidth
	}
	if _, joints := l.s.Model.RigidSize(); a%nv >= joints {
		width = vertexWidth
	}
	if a >= nv {
		width /= l.h // m/s and rad/s that displace by the width in the step
	}
	return width / largest
}

// moveEntries moves a state by w times the entries from a to b of a direction.
func (l *Linearization) moveEntries(x *State, dx []float64, a, b int, w float64) {
	nv := len(l.place)
	clear(l.dv)
	if e := &l.ends; b > 3*nv {
		e.movedFlies = l.s.Model.inFlight(x, e.movedFlies)
	}
	for i := a; i < b; i++ {
		switch {
		case l.place[i%nv] < 0: // fixed vertices stay
		case i < nv:
			l.dv[i] = w * dx[i]
		case i < 2*nv:
			x.V[i-nv] += w * dx[i]
		case len(x.Memory.W) == 0:
		case i < 3*nv:
			x.Memory.W[i-2*nv] += w * dx[i]
		case !l.ends.movedFlies[i-3*nv]:
			x.Memory.DV[i-3*nv] += w * dx[i]
		}
	}
	// rotations are displaced on their manifold, x ⊞ δ
	if a < nv {
		l.s.Model.displace(x.Q, l.dv)
	}
}

// weighState returns Σ bar s over the signals of states, at the state x.
func (l *Linearization) weighState(s *Stepper, bar []float64, x *State) float64 {
	if len(l.signals.of[0]) == 0 {
		return 0
	}
	s.Place(x, l.h)
	sum := 0.0
	for _, i := range l.signals.of[0] {
		sum += bar[i] * s.Model.Signals[i].Signal.Value(s, x)
	}
	return sum
}

// weighStep returns Σ bar s over the signals of the step from x that ends with the velocities v, and notes the slopes
// of terms at this side of a difference. Its bool is false where other points of contact are loaded than in the step
// itself: a difference of such sums would be a mean over a kink (touch.go).
func (l *Linearization) weighStep(s *Stepper, bar []float64, x *State, v []float64, side int) (sum float64, bears bool, err error) {
	if len(l.signals.of[1]) == 0 {
		return 0, true, nil
	}
	if err := l.findBearing(); err != nil {
		return 0, false, err
	}
	// contacts, constraints, and impulses of the laws at v
	if err := l.residualAt(s, x, v, l.plus); err != nil {
		return 0, false, err
	}
	l.readSlopes(s, side)
	if !l.actsAsAtRest(s) {
		return 0, false, nil
	}
	s.vNext = append(s.vNext[:0], v...)
	// a report of its own, but for the constraints' terms of this problem
	s.Report = Report{contacts: s.Report.contacts[:0], surfaces: s.Report.surfaces[:0]}
	s.resetReactions()
	s.Report.await(s)
	s.addReactions(l.h)
	// moments of forces are about points of the end state
	end := &l.signals.state
	l.endAt(s, l.h, x, v, end)
	s.Report.Step = end.Step
	s.Place(end, l.h)
	for _, i := range l.signals.of[1] {
		sum += bar[i] * s.Model.Signals[i].Signal.Value(s, end)
	}
	s.resetReport()
	return sum, true, nil
}
