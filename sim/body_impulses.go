package sim

// Impulses of constraints on rigid bodies. A row of a constraint s·dir·v(P) with the impulse γ is an impulse s γ dir at
// P on the body, one of ω a moment; rows of joints act between a body and its parent, through the joint. The rows are
// noted as they are made, and their impulses added up when the problem is solved. Contacts are in the report.

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// bodyImpulses are the impulses on rigid bodies over the last step, of steps that want them (Model.BodyImpulses).
type bodyImpulses struct {
	noting bool // rows are those of constraints
	rows   []bodyRow
	sums   []bodyImpulse // of each rigid body
}

// bodyRow is a row of a constraint on a rigid body.
type bodyRow struct {
	body      int
	term, row int    // in the problem
	turns     bool   // it is a moment, and acts nowhere
	dir, pos  r3.Vec // of a unit impulse, and where it acts, m
}

// bodyImpulse is an impulse and its moment about the world's origin, N s and N m s.
type bodyImpulse struct{ force, moment r3.Vec }

// add adds an impulse at a point (m).
func (b *bodyImpulse) add(force, pos r3.Vec) {
	b.force = b.force.Add(force)
	b.moment = b.moment.Add(pos.Cross(force))
}

// noteRow notes a row while those of constraints are made.
func (s *Stepper) noteRow(p *cliques.Problem, body, row int, turns bool, dir, pos r3.Vec) {
	if b := &s.bodyImpulses; b.noting {
		b.rows = append(b.rows, bodyRow{body, len(p.Constraints) - 1, row, turns, dir, pos})
	}
}

// notePoints notes three rows along the axes of a frame, the first two of the point at the offset tangent.
func (s *Stepper) notePoints(p *cliques.Problem, body int, R_WC *r3.Mat, at, tangent r3.Vec, sign float64) {
	if !s.bodyImpulses.noting {
		return
	}
	for row := range 3 {
		pos := at
		if row < 2 {
			pos = at.Add(tangent)
		}
		s.noteRow(p, body, row, false, R_WC.Col(row).Scale(sign), pos)
	}
}

// noteRows begins or ends the rows of constraints of a new problem.
func (s *Stepper) noteRows(begin bool) {
	b := &s.bodyImpulses
	if b.noting = begin && s.Model.BodyImpulses; b.noting {
		b.rows = b.rows[:0]
	}
}

// resetBodyImpulses begins a step.
func (s *Stepper) resetBodyImpulses() {
	if b := &s.bodyImpulses; s.Model.BodyImpulses {
		if b.sums == nil {
			b.sums = make([]bodyImpulse, s.Model.Geometry.NumRigid)
		}
		clear(b.sums)
	}
}

// addBodyImpulses adds those of a solved step, or of a part of one.
func (s *Stepper) addBodyImpulses() {
	b := &s.bodyImpulses
	if !s.Model.BodyImpulses {
		return
	}
	for i := range b.rows {
		r := &b.rows[i]
		impulse := r.dir.Scale(s.Problem.Impulse(cliques.Handle(r.term))[r.row])
		if r.turns {
			b.sums[r.body].moment = b.sums[r.body].moment.Add(impulse)
		} else {
			b.sums[r.body].add(impulse, r.pos)
		}
	}
}
