package sim

// The error of a step, (1) of step_control.go, as a term of it.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// linkSize is the shape of a link that (1) compares errors with.
type linkSize struct {
	center_B r3.Vec  // c
	radius   float64 // R, m; below 0: the link has neither shapes nor mass
}

// linkSizes returns those of the links of a model.
func linkSizes(m *Model) []linkSize {
	sizes := make([]linkSize, m.Geometry.NumRigid)
	boxes := make([]r3.Box, len(sizes))
	has := make([]bool, len(sizes))
	for _, geom := range m.Geometry.Geoms {
		if _, endless := geom.Shape.(geometry.HalfSpace); endless || geom.Body < 0 || geom.Body >= len(sizes) {
			continue
		}
		b := geom.Shape.Bounds().Transform(geom.X_BG)
		if i := geom.Body; has[i] {
			boxes[i] = boxes[i].Union(b)
		} else {
			boxes[i], has[i] = b, true
		}
	}
	for i := range sizes {
		link := m.Rigid.Link(i)
		switch of := &sizes[i]; {
		case has[i]:
			size := boxes[i].Size()
			of.center_B, of.radius = boxes[i].Center(), 0.5*max(size[0], size[1], size[2])
		case link.Mass > 0:
			I := &link.Inertia_B
			of.center_B, of.radius = link.Com_B, math.Sqrt((I[0]+I[4]+I[8])/(2*link.Mass))
			if of.radius == 0 { // a point mass: its distance from the origin of its link, where the joint is
				of.radius = link.Com_B.Norm()
			}
		default:
			of.radius = -1
		}
	}
	return sizes
}

// leastSize bounds the size of links in (1), m.
const leastSize = 1e-3

// accuracy is the term: an error above the accuracy divides the step.
type accuracy struct {
	plainTerm
	links []linkSize
}

var accuracyKind = termKind{name: "accuracy", unit: "1", again: "the error of the step is above time.accuracy"}

// measure returns ε.
func (a *accuracy) measure(s *Stepper) (worst defect) {
	bound := s.Model.Control.Accuracy
	if bound == 0 {
		return worst
	}
	note := func(e float64, body int) {
		if ratio := e / bound; ratio > worst.ratio || math.IsNaN(ratio) {
			worst = defect{ratio: ratio, value: e, bodies: [2]int{body, body}}
		}
	}
	x, iv, in := s.iterate.state, 0, 0
	for k, b := range s.subsystems {
		_, nv := b.Size()
		w, v := s.vNext[in:in+s.solved[k]], x.V[iv:iv+nv]
		switch b := b.(type) {
		case *rigidTrees:
			b.FindLocalErrors(w, v)
			for i := range a.links {
				if of := &a.links[i]; of.radius >= 0 {
					turn, shift := b.LocalError(i)
					lever := s.Geometry.X_WB[i].R.MulVec(of.center_B)
					shift.IncCross(&turn, &lever)
					note((shift.Norm()+of.radius*turn.Norm())/math.Max(2*of.radius, leastSize), i)
				}
			}
		case *deformableBody:
			note(b.LocalError(w, v)/b.model.Size(), s.Model.Geometry.NumRigid+b.number)
		}
		iv, in = iv+nv, in+s.solved[k]
	}
	return worst
}
