package sim

// Differences near touch. Where a point contact begins or ends, r has a slope on each side. A difference whose sides lie on both is a
// mean of them, which is the derivative of neither. So differences are taken again with smaller widths until all contacts
// bear on both sides as they do in the step itself, and refused where the least width does not
// suffice: contact begins in this very step. Faces of deformables and of pressure fields have areas, which vanish
// where contact begins, and with them the kink.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

const (
	// narrowing divides widths of differences whose sides differ in what bears, narrowings times at most: 1 µm becomes 1 nm, and the
	// derivative loses three of its digits.
	narrowing  = 32
	narrowings = 2
)

// bearingPoints returns the number of point contacts of the problem that bear at the velocities of its impulses.
func (s *Stepper) bearingPoints() (n int) {
	for i := range s.contacts {
		if s.bearsAt(i) {
			n++
		}
	}
	return n
}

// bearsAt reports whether contact i is a point that bears.
func (s *Stepper) bearsAt(i int) bool {
	return s.contacts[i].Area == 0 && constraints.ContactBears(&s.Problem, s.handles[i])
}

// slopeTol is the relative difference of the slopes of a contact on both sides of a difference from which on that is narrowed: slopes jump
// where a contact begins to slide, and change much within the stiction tolerance.
const slopeTol = 0.1

// readSlopes notes the slopes tr G of all point contacts at a side of a difference.
func (l *Linearization) readSlopes(side int) {
	s, gamma, G := l.s, l.local.impulse[:], l.local.G[:9]
	l.slopes[side] = l.slopes[side][:0]
	for i := range s.contacts {
		if s.contacts[i].Area > 0 {
			continue
		}
		h := s.handles[i]
		s.Problem.Constraints[h].Law.Eval(s.Problem.Velocity(h), gamma, G)
		l.slopes[side] = append(l.slopes[side], G[0]+G[4]+G[8])
	}
}

// slopesDiffer reports whether a contact has another slope on the other side.
func (l *Linearization) slopesDiffer() bool {
	a, b := l.slopes[0], l.slopes[1]
	if len(a) != len(b) {
		return true
	}
	for i := range a {
		if math.Abs(a[i]-b[i]) > slopeTol*math.Max(math.Abs(a[i]), math.Abs(b[i])) {
			return true
		}
	}
	return false
}

// findBearing counts the contacts that bear in the step itself, once.
func (l *Linearization) findBearing() error {
	if l.bearing >= 0 {
		return nil
	}
	if err := l.s.residual(&l.x, l.h, l.v, l.redetections, &l.gradient, l.plus); err != nil {
		return err
	}
	l.bearing = l.s.bearingPoints()
	return nil
}

// touchError returns the error of a step in which a contact of two bodies begins or ends.
func (l *Linearization) touchError(a, b int) error {
	return fmt.Errorf("%w at t = %.6g s: contact of %s and %s begins or ends within the width of differences: its derivative is that of one side alone; change the start or the step a little",
		ErrNotDifferentiable, l.x.Time, l.s.BodyName(a), l.s.BodyName(b))
}

// touchErrorOf returns the error of the contact that is nearest to touch of a stepper's problem.
func (l *Linearization) touchErrorOf(s *Stepper) error {
	nearest, of := -1.0, geometry.Contact{}
	for i := range s.contacts {
		c := &s.contacts[i]
		if gap := math.Abs(constraints.ContactGap(&s.Problem, s.handles[i], c)); c.Area == 0 && (nearest < 0 || gap < nearest) {
			nearest, of = gap, *c
		}
	}
	return l.touchError(of.A.Body, of.B.Body)
}
