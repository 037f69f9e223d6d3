package sim

// Differences near touch. Where a point contact begins or ends, r has a slope on each side. A difference whose sides
// lie on both is a mean of them, which is the derivative of neither. So differences are taken again with smaller widths
// until all contacts are loaded on both sides as they do in the step itself, and refused where the least width does not
// suffice: contact begins in this very step. Faces of deformables and of pressure fields have areas, which vanish where
// contact begins, and with them the kink.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

const (
	// narrowing divides widths of differences whose sides differ in what is loaded, narrowings times at most: 1 µm
	// becomes 1 nm, and the derivative loses three of its digits.
	narrowing  = 32
	narrowings = 2
)

// bearingPoints returns the number of point contacts of the problem that are loaded at the velocities of its impulses.
func (s *Stepper) bearingPoints() (n int) {
	for i := range s.contacts {
		if s.bearsAt(i) {
			n++
		}
	}
	return n
}

// contactPoints returns the number of point contacts of the problem.
func (s *Stepper) contactPoints() (n int) {
	for i := range s.contacts {
		if s.contacts[i].Area == 0 {
			n++
		}
	}
	return n
}

// bearsAt reports whether contact i is a loaded point.
func (s *Stepper) bearsAt(i int) bool {
	return s.contacts[i].Area == 0 && constraints.ContactBears(&s.Problem, s.handles[i])
}

// slopeTol is the relative difference of the slopes of a contact on both sides of a difference from which on that is
// narrowed: slopes jump where a contact begins to slide, and change much within the stiction tolerance.
const slopeTol = 0.1

// readSlopes notes the slopes tr G of all point contacts and constraints of a stepper's problem at a side of a
// difference.
func (l *Linearization) readSlopes(s *Stepper, side int) {
	l.slopes[side] = l.slopes[side][:0]
	p, next := &s.Problem, cliques.Handle(0)
	for i, h := range s.handles {
		if next = h + 1; s.contacts[i].Area == 0 {
			l.slopes[side] = append(l.slopes[side], l.slopeOf(p, h))
		}
	}
	// those of the model follow contacts and contact surfaces
	for _, h := range s.surfaceHandles {
		next = h + 1
	}
	for ; int(next) < len(p.Constraints); next++ {
		l.slopes[side] = append(l.slopes[side], l.slopeOf(p, next))
	}
}

// slopeOf returns tr G of a term.
func (l *Linearization) slopeOf(p *cliques.Problem, h cliques.Handle) (sum float64) {
	n, d := p.Constraints[h].Dim, &l.local
	d.gamma = sized(d.gamma, n)
	if n*n > len(d.G) {
		return 0
	}
	p.Constraints[h].Law.Eval(p.Velocity(h), d.gamma, d.G[:n*n])
	for r := range n {
		sum += d.G[r*n+r]
	}
	return sum
}

// slopesDiffer reports whether a term has another slope on the other side, and whether it acts on one side alone, as a
// limit that is reached or an effort that saturates.
func (l *Linearization) slopesDiffer() (differ, acts bool) {
	a, b := l.slopes[0], l.slopes[1]
	if len(a) != len(b) {
		return true, false
	}
	for i := range a {
		if math.Abs(a[i]-b[i]) > slopeTol*math.Max(math.Abs(a[i]), math.Abs(b[i])) {
			differ = true
			if a[i] == 0 || b[i] == 0 {
				acts, l.acting = true, i
			}
		}
	}
	return differ, acts
}

// kinkError returns the error of a step in which a constraint, or a point of contact in place of another, begins to act
// in the problem of a stepper.
func (l *Linearization) kinkError(s *Stepper) error {
	// slopes of points come first
	point := -1
	for i := range s.contacts {
		if s.contacts[i].Area != 0 {
			continue
		}
		if point++; point == l.acting {
			return l.contactKinkError(s.contacts[i].A.Body, s.contacts[i].B.Body)
		}
	}
	return l.limitKinkError(l.actingName(s))
}

// actingName names the constraint whose slope begins or ceases to be zero in the problem of a stepper.
func (l *Linearization) actingName(s *Stepper) string {
	first := 0 // of the terms after contacts and contact surfaces
	for _, handles := range [2][]cliques.Handle{s.handles, s.surfaceHandles} {
		for _, h := range handles {
			first = int(h) + 1
		}
	}
	return s.termName(cliques.Handle(first + l.acting - s.contactPoints()))
}

// limitKinkError returns the error of a step in which a constraint with a name begins to act.
func (l *Linearization) limitKinkError(name string) error {
	return fmt.Errorf("%w at t = %.6g s: a limit or a bound begins or ceases to act within the width of differences, of %s: its derivative is that of one side alone; change the start or the step a little",
		ErrNotDifferentiable, l.x.Time, name)
}

// touchError returns the error of a step in which a contact of two bodies begins or ends.
func (l *Linearization) touchError(a, b int) error {
	return fmt.Errorf("%w at t = %.6g s: contact of %s and %s begins or ends within the width of differences: its derivative is that of one side alone; change the start or the step a little",
		ErrNotDifferentiable, l.x.Time, l.s.BodyName(a), l.s.BodyName(b))
}

// touchErrorOf returns the error of the contact point that is nearest to touch of a stepper's problem, or of any
// contact; where that has none, of the step itself.
func (l *Linearization) touchErrorOf(s *Stepper) error {
	if len(s.contacts) == 0 {
		// the contact ends within the difference
		if s = l.s; l.residualAt(s, &l.x, l.roundEnd(), l.plus) != nil || len(s.contacts) == 0 {
			return l.noDerivative("a contact begins within the width of differences: its derivative is that of one side alone; change the start a little, or")
		}
	}
	nearest, of := -1.0, geometry.Contact{}
	for i := range s.contacts {
		c := &s.contacts[i]
		gap := math.Abs(constraints.ContactGap(&s.Problem, s.handles[i], c))
		if isPoint := c.Area == 0; nearest < 0 || isPoint && of.Area > 0 || isPoint == (of.Area == 0) && gap < nearest {
			nearest, of = gap, *c
		}
	}
	return l.touchError(of.A.Body, of.B.Body)
}
