package sim

// Derivatives of the terms of a pair by the velocities at the start of the step, Γ of (2) and (3) of local_pair.go:
// bounds of lagged friction and dampers depend on them.

import (
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// differenceStart sets Γ of the terms, and the derivative of the wrench by V⁰ (3).
func (l *Linearization) differenceStart() error {
	d := &l.local
	part, w := &d.pair, &d.wrench
	at, count, width := l.s.kin.Pose(part.view.body[1]), 3, 0.0
	if part.with != nil {
		count = 6
	}
	if part.with == nil {
		if depends, err := l.dependsOnStart(&at); !depends || err != nil {
			return err
		}
	}
	for k := range count {
		if width = jointWidth / l.h; part.with == nil && k < 2 {
			width = slipWidth
		}
		if err := l.differenceStartBy(&at, k, width); err != nil {
			return err
		}
	}
	for i := range part.terms {
		if t := &part.terms[i]; part.with == nil {
			addCongruent(&t.J, &t.byStart, t.dim, 1, &w.ByStart)
		}
	}
	return nil
}

// differenceStartBy adds component k of differenceStart, with a width that is narrowed until the same terms act on both
// sides (touch.go): a bound of friction may begin to act.
func (l *Linearization) differenceStartBy(X_WB *r3.Pose, k int, width float64) error {
	d := &l.local
	part := &d.pair
	gamma := &part.gamma
	for range narrowings + 1 {
		sides := true
		part.byStart = part.byStart[:0]
		for _, x := range [2]float64{width, -width} {
			if err := l.appendPair(X_WB, true, k, x); err != nil {
				return err
			}
			// terms that appear are those of another side, too
			if len(d.problem.Constraints) != len(part.terms) {
				sides = false
				break
			}
			for i := range part.terms {
				t := &part.terms[i]
				n := t.dim
				d.evaluate(i, t.end[:n], gamma[:n], d.G[:])
				sides = sides && !changesSide(gamma[:n], t.gamma[:n])
				for _, g := range gamma[:n] {
					part.byStart = append(part.byStart, g/(2*x))
				}
			}
		}
		if sides {
			l.addStart(k)
			return nil
		}
		width /= narrowing
	}
	return l.touchError(part.view.body[0], part.view.body[1])
}

// addStart adds the impulses of both sides of a difference by component k of the velocity at the start.
func (l *Linearization) addStart(k int) {
	part, w := &l.local.pair, &l.local.wrench
	n := 0
	for n < len(part.byStart) {
		for i := range part.terms {
			t := &part.terms[i]
			for r := range t.dim {
				if n == len(part.byStart) {
					return
				}
				g := part.byStart[n]
				n++
				if part.with == nil {
					t.byStart[r*t.dim+k] += g
					continue
				}
				for j := range 6 {
					w.ByStart[6*j+k] += t.J[6*r+j] * g
				}
			}
		}
	}
}

// dependsOnStart reports whether any contact of the part depends on its velocity at the start: most laws do not where
// static and dynamic friction are one.
func (l *Linearization) dependsOnStart(X_WB *r3.Pose) (bool, error) {
	d := &l.local
	part := &d.pair
	gamma := &part.gamma
	for _, x := range [2]float64{jointWidth / l.h, -jointWidth / l.h} {
		if err := l.appendPair(X_WB, true, allAxes, x); err != nil {
			return false, err
		}
		for i := range part.terms {
			t := &part.terms[i]
			d.evaluate(i, t.end[:t.dim], gamma[:t.dim], d.G[:])
			if !slices.Equal(gamma[:t.dim], t.gamma[:t.dim]) {
				return true, nil
			}
		}
	}
	return false, nil
}

// allAxes stands for all components of a velocity.
const allAxes = 3
