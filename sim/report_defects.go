package sim

import (
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
)

// StepTerm names a term of a step: a part of its equations that the convex problem has only about given velocities,
// such as contacts of bodies that turn. After each solve its defect is measured, how far the end of the step is from
// what the problem says of it; a defect above its tolerance is repaired by another solve, or by shorter parts of the
// step.
type StepTerm struct {
	// Name is its name: friction, coverage, gaps, paths, faces, deformables, motions, loops, accuracy,
	// restitution, deformable_energy, tree_energy, field_energy or joint_steps.
	Name string
	// Unit is that of its defect.
	Unit string
}

// TermDefect is the defect of a term at the end of a step, the largest of its parts.
type TermDefect struct {
	// Ratio is the defect over its tolerance; 0 where a bound shows that it is smaller, or where the term has nothing
	// to compare.
	Ratio float64
	// Value is the defect, in the unit of its term.
	Value float64
	// Bodies are the bodies with the largest defect; one body twice where no other is at it.
	Bodies [2]int
	// Left is the number of parts of the step, each the smallest that there are, that were taken with a Ratio above 1.
	Left int
}

// StepTerms are the terms of a step in the order of Report.Defects.
var StepTerms = func() (all [numTerms]StepTerm) {
	for i, k := range termKinds {
		all[i] = StepTerm{k.name, k.unit}
	}
	return all
}()

// AccuracyTerm is the index of the term of errors in StepTerms.
const AccuracyTerm = accuracyTerm

// HasTerm reports whether a term of StepTerms has anything to compare in steps of the model.
func (m *Model) HasTerm(term int) bool {
	bodies := len(m.Geometry.Geoms)+len(m.Deformables) > 1
	switch term {
	case frictionTerm:
		return bodies && constraints.IsLagged(m.Contact) && (m.FrictionLag == FrictionLagAuto || m.FrictionLag == FrictionLagSweep)
	case coverageTerm:
		return bodies
	case gapsTerm:
		return len(m.Geometry.Geoms) > 1
	case pathsTerm, facesTerm:
		return bodies && len(m.Deformables) > 0
	case deformablesTerm, deformableEnergyTerm:
		return slices.ContainsFunc(m.Deformables, func(b *fem.Model) bool { return b.Class() != fem.Linear })
	case motionsTerm:
		return m.Rule.Midpoint && m.Rigid != nil && m.Rigid.NumV() > 0
	case accuracyTerm:
		return m.Control.Accuracy > 0
	case loopsTerm:
		return slices.ContainsFunc(m.Constraints, func(c constraints.Constraint) bool {
			_, ok := c.(constraints.Curved)
			return ok
		})
	case treeEnergyTerm:
		return m.Rigid != nil && m.Rigid.NumV() > 0
	case fieldEnergyTerm:
		return slices.ContainsFunc(m.Geometry.Geoms, func(g geometry.Geom) bool { return g.Field != nil })
	}
	return false
}

// LargestDefect returns the largest defect of a term at the end of the step over its tolerance.
func (r *Report) LargestDefect() float64 {
	largest := 0.0
	for i := range r.Defects {
		largest = max(largest, r.Defects[i].Ratio)
	}
	return largest
}

// mostRatio bounds the ratio of a defect where there is no energy to compare it with.
const mostRatio = 1e9

// noteDefects keeps the defects of a part of a step, or of a whole one.
func (r *Report) noteDefects(l *stepLoop) {
	r.Rounds += l.rounds
	for i := range l.defects {
		if d, of := &l.defects[i], &r.Defects[i]; d.ratio > of.Ratio {
			of.Ratio, of.Value, of.Bodies = min(d.ratio, mostRatio), d.value, d.bodies
		}
	}
}
