package sim

// Impacts of the midpoint rule in the adjoint of a step by terms. A body that meets another takes the step with the θ
// of impacts.go, a function of the gap and the velocities of one contact, on which the free motion of the body and its
// end depend. With the derivative θ̄ of yᵀr − λ·E by θ, of two whole assemblies,
//
//	t = θ̄ θ(x, v)                                                             (1)
//
// is a term on the vertices of that contact, as those of adjoint_vertices.go. Coordinates of rigid bodies have it in
// their columns.

import (
	"math"

	"github.com/curlfree/curlfree/timestep"
)

// thetaTie is the difference of θ of two impacts of a body that makes the larger one a kink of both.
const thetaTie = 1e-9

// thetaWidth is the width of differences by θ, of which matrices and ends are smooth functions.
const thetaWidth = 1e-5

// impactTerms are (1) of the bodies that meet others.
type impactTerms struct {
	bodies   []int // trees, then deformables
	bars     []float64
	contacts []int // of each, −1: a limit
	shift    []float64
}

// impactBodies returns the trees and deformables that take the step with the θ of an impact.
func (l *Linearization) impactBodies() []int {
	t := &l.vertices.impacts
	t.bodies = t.bodies[:0]
	if l.endSize() == 0 {
		return t.bodies
	}
	for i, impact := range l.ends.impacts {
		if impact > l.leastTheta() {
			t.bodies = append(t.bodies, i)
		}
	}
	return t.bodies
}

// leastTheta returns θ of bodies without impacts.
func (l *Linearization) leastTheta() float64 {
	return l.s.Model.Rule.Step(l.h, l.x.Memory.part(0, len(l.x.V)), l.x.Memory.H).Theta
}

// hasEqualImpacts reports whether two impacts of a body want the same θ, as by symmetry: its θ is that of both.
func (l *Linearization) hasEqualImpacts() bool {
	for _, body := range l.impactBodies() {
		if l.ends.impacts[body]-l.ends.nextImpacts[body] < thetaTie {
			return true
		}
	}
	return false
}

// stepOf returns the step of the deformable i, whose n velocities begin at iv.
func (l *Linearization) stepOf(i, iv, n int) timestep.Step {
	s := l.s
	step := s.Model.Rule.Step(l.h, l.x.Memory.part(iv, n), l.x.Memory.H)
	if at := s.numTrees() + i; at < len(l.ends.impacts) && l.ends.impacts[at] > step.Theta {
		return step.Impact(l.ends.impacts[at])
	}
	return step
}

// addImpacts computes θ̄ of each impact.
func (l *Linearization) addImpacts(y []float64) error {
	s, t := l.s, &l.vertices.impacts
	t.bars = t.bars[:0]
	for _, body := range l.impactBodies() {
		t.shift = sized(t.shift, len(s.impacts))
		clear(t.shift)
		s.impactShift = t.shift
		// impacts end at the θ of other steps
		width := math.Min(thetaWidth, 0.25*(l.ends.impacts[body]-l.leastTheta()))
		for side, r := range [2][]float64{l.plus, l.minus} {
			t.shift[body] = width * float64(1-2*side)
			if err := l.residualAt(s, &l.x, l.v, r); err != nil {
				s.impactShift = nil
				return err
			}
		}
		s.impactShift = nil
		for i := range l.column {
			l.column[i] = (l.plus[i] - l.minus[i]) / (2 * width)
		}
		t.bars = append(t.bars, -l.weighColumn(y, l.ends.lambda))
	}
	return nil
}

// noteImpactTerms notes the contacts of impacts, whose terms are in the problem of the step, which is made.
func (l *Linearization) noteImpactTerms() {
	t := &l.vertices.impacts
	t.contacts = t.contacts[:0]
	for _, body := range t.bodies {
		t.contacts = append(t.contacts, l.s.impactContact[body])
	}
}

// weighImpact returns t (1) of an impact at the displaced state: other contacts do not take its place there.
func (l *Linearization) weighImpact(i int) float64 {
	s, t := l.s, &l.vertices.impacts
	if t.contacts[i] < 0 {
		return 0 // of a limit
	}
	if s.rigid != nil {
		s.rigid.PlaceComposites()
	}
	body := t.bodies[i]
	s.impacts[body] = 0
	s.measureImpact(&l.moved, t.contacts[i], l.h)
	return t.bars[i] * s.impacts[body]
}

// weighImpacts returns the sum of t (1) at the displaced state.
func (l *Linearization) weighImpacts() (sum float64) {
	for i := range l.vertices.impacts.bodies {
		sum += l.weighImpact(i)
	}
	return sum
}

// sumImpacts adds s t (1) at the displaced state to the vertices of a colour.
func (l *Linearization) sumImpacts(color int32, axis int, s float64) {
	t := &l.vertices.impacts
	for i, contact := range t.contacts {
		if contact < 0 {
			continue
		}
		if v := l.vertices.vertexOf(&l.s.Problem, l.s.handles[contact], color); v != nil {
			v.sum[axis] += s * l.weighImpact(i)
		}
	}
}
