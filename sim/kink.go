package sim

// Kinks within differences. Points of contact come and go without weight, and faces, edges and corners of shapes take
// turns as what is nearest: there the residual is continuous, and its slopes on both sides differ. A central difference
// of a function f over a kink is the mean of two slopes, and errs by half of their difference at most. With the
// function at the pose itself, which is known,
//
//	kink = [f(+δ) + f(−δ) − 2 f(0)]/2δ                                         (1)
//
// is by how much slopes on both sides differ from their mean, and so an estimate of the error. It vanishes with δ where
// f is smooth. Where it is not small beside the difference, the width is narrowed as in touch.go, until the kink lies
// outside, and at last the step is refused. Functions that curve strongly, as those of stiff constraints on bodies that
// turn fast, have (1) in proportion to δ. Of two widths δ and nδ between which the difference does not change, the
// share that is not is
//
//	[n kink(δ) − kink(nδ)]/(n − 1)                                                                (2)

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Bounds of kinks: relative to the difference, and to what a displacement of all bodies with their velocities would
// give in a step, since what is smaller is of no account. The last is what round-off moves, m.
const (
	kinkTol   = 1e-3
	leastKink = 1e-6
	// the first of a step that was solved several times: errors of its rounds add up, and grow from one to the next
	roundKinkTol = 1e-5
	poseNoise    = 1e-12
)

// setScale sets the lever and the scale of hasKink for the contact of a body with its origin at p_W about a centre.
func (part *pairPart) setScale(w *rigid.PairWrench, p_W r3.Vec, h float64) {
	arm, all := 0.0, 0.0
	for i := range part.terms {
		t := &part.terms[i]
		for r := range t.dim {
			for k := range 3 {
				a, b := t.J[6*r+k], t.J[6*r+3+k]
				arm, all = arm+a*a, all+b*b
			}
		}
	}
	part.lever = p_W.Sub(w.Center_W).Norm()
	if all > 0 {
		part.lever += math.Sqrt(arm / all)
	}
	// points about which nothing turns have no moment
	if part.lever == 0 {
		part.lever = 1
	}
	part.scale = 0
	for k := range 6 {
		part.scale = max(part.scale, part.size(k, &w.ByEnd)/h)
	}
}

// size returns the size of column k of a derivative of the wrench, N or N m: moments by the lever, and turns by the
// displacement at it.
func (part *pairPart) size(k int, columns *[36]float64) float64 {
	x := (math.Hypot(columns[k], math.Hypot(columns[6+k], columns[12+k])))/part.lever + math.Hypot(columns[18+k], math.Hypot(columns[24+k], columns[30+k]))
	if k < 3 {
		x /= part.lever
	}
	return x
}

// hasKink reports whether the difference of column k of ∂W/∂ξ is a mean over a kink (1), of the derivatives kink.
func (part *pairPart) hasKink(k int, column *[36]float64, kink *[6]float64, width float64) bool {
	var of [36]float64
	for i, x := range kink {
		of[6*i+k] = x
	}
	return part.size(k, &of) > kinkTol*part.size(k, column)+max(leastKink, poseNoise/width)*part.scale
}

// findRest computes r of the step itself, and counts the contacts that are loaded in it, once.
func (l *Linearization) findRest() error {
	if l.restKnown {
		return nil
	}
	l.rest = sized(l.rest, l.columnSize())
	if err := l.residualAt(l.s, &l.x, l.v, l.rest); err != nil {
		return err
	}
	l.bearing, l.restKnown = l.s.bearingPoints(), true
	return nil
}

// findBearing counts the contacts that are loaded in the step itself, once.
func (l *Linearization) findBearing() error {
	if l.bearing >= 0 {
		return nil
	}
	return l.findRest()
}

// hasKink reports whether the difference of r between plus and minus is a mean over a kink (1) for any body, as seen by
// the velocities that it causes, of which least is negligible. follows: the last call was of a width that was wider by
// narrowing.
func (l *Linearization) hasKink(width, least float64, follows bool) bool {
	l.kinks, l.wider = l.wider, l.kinks
	l.kinks[0], l.kinks[1] = sized(l.kinks[0], len(l.v)), sized(l.kinks[1], len(l.v))
	slope, kink := l.kinks[0], l.kinks[1]
	tol := kinkTol
	if l.IsChain() {
		tol = roundKinkTol
	}
	smooth := true
	for i := range l.v {
		a, b := l.plus[i], l.minus[i]
		slope[i], kink[i] = (a-b)/(2*width), (a+b-2*l.rest[i])/(2*width)
		smooth = smooth && kink[i] == 0
	}
	if smooth {
		return false
	}
	l.hessian.SolveHessian(slope)
	l.hessian.SolveHessian(kink)
	p := &l.s.Problem
	for i := range p.Cliques {
		c := &p.Cliques[i]
		end := c.Offset + c.Size
		most := tol*largest(slope[c.Offset:end]) + least
		if len(l.reach) > 0 {
			most = max(most, leastKink*largest(l.reach[c.Offset:end])/l.h)
		}
		if largest(kink[c.Offset:end]) > most && !(follows && l.isCurvature(c.Offset, end, most)) {
			l.kinked = [2]int{c.Offset, end}
			return true
		}
	}
	return false
}

// isCurvature reports whether (1) of the entries from a to b is in proportion to the width, by (2), but for most.
func (l *Linearization) isCurvature(a, b int, most float64) bool {
	for i := a; i < b; i++ {
		kink := (narrowing*l.kinks[1][i] - l.wider[1][i]) / (narrowing - 1)
		if math.Abs(kink) > most || math.Abs(l.kinks[0][i]-l.wider[0][i]) > most {
			return false
		}
	}
	return true
}

// largest returns the largest magnitude of x.
func largest(x []float64) (most float64) {
	for _, e := range x {
		most = max(most, math.Abs(e))
	}
	return most
}

// negligible returns least of hasKink for a difference by width along a direction whose largest entry is size, of
// positions or of velocities.
func (l *Linearization) negligible(width, size float64, positions bool) float64 {
	moved := width * size // m or m/s
	if positions {
		return max(leastKink, poseNoise/moved) * size / l.h
	}
	return max(leastKink, poseNoise/(l.h*moved)) * size
}

// kinkErrorOf returns the error of a step whose r has a kink, by what acts on the body concerned in the problem of s:
// the contact point that is loaded most, any other contact, a contact surface, or nothing that touches.
func (l *Linearization) kinkErrorOf(s *Stepper) error {
	most, of := math.Inf(-1), -1
	for i := range s.contacts {
		if h := s.handles[i]; l.actsOnKinked(s, h) {
			// faces after points
			f := s.Problem.Impulse(h)[2]
			if s.contacts[i].Area != 0 {
				f = -1 / (1 + math.Abs(f))
			}
			if f > most {
				most, of = f, i
			}
		}
	}
	if of >= 0 {
		return l.contactKinkError(s.contacts[of].A.Body, s.contacts[of].B.Body)
	}
	for i, h := range s.surfaceHandles {
		if l.actsOnKinked(s, h) {
			return l.contactKinkError(s.surfaces[i].A, s.surfaces[i].B)
		}
	}
	return fmt.Errorf("%w at t = %.6g s: forces or setpoints of %s bend too much within the width of differences, and nothing touches it: look for bounds of efforts, drives that compute their setpoints, and stiff constraints",
		ErrNotDifferentiable, l.x.Time, s.ownerOfSolved(l.kinked[0]))
}

// actsOnKinked reports whether a term of a stepper's problem acts on the body whose r has a kink.
func (l *Linearization) actsOnKinked(s *Stepper, h cliques.Handle) bool {
	return slices.ContainsFunc(s.Problem.Blocks(h), func(b cliques.Block) bool {
		at := s.Problem.NodeOffset[b.Node]
		return at >= l.kinked[0] && at < l.kinked[1]
	})
}

// contactKinkError returns the error of a step in which the contact of two bodies has a kink.
func (l *Linearization) contactKinkError(a, b int) error {
	return fmt.Errorf("%w at t = %.6g s: contact of %s and %s gets other points, other faces or another normal within the width of differences: its derivative is that of one side alone; change the start or the step a little",
		ErrNotDifferentiable, l.x.Time, l.s.BodyName(a), l.s.BodyName(b))
}
