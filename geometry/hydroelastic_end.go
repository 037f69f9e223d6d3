package geometry

// Contact surfaces of pressure fields where the bodies are at the end of a step, and the energy
// that fields store. A column of a field between a face and the surface of its body, which the face has
// pressed together by the depth d along the gradient, stores p d/2 on each unit of its cross-section. With the
// area S, the gradient g along the normal and the depth d of a face in both bodies,
//
//	U = Σ ½ S g d²,  over faces in contact                                  (1)
//
// since the cross-section is S g d/p: smaller than S where the face is inclined.
//
// Where the next step starts at the same poses, its present surfaces are the ones found here.

import (
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// placedSurface is a contact surface with the poses of the geoms at which it was found.
type placedSurface struct {
	hydroelastic.ContactSurface
	at    [2]r3.Pose
	known bool
}

// SurfaceEnergy is the energy that a pair of geoms stores in pressure fields.
type SurfaceEnergy struct {
	// A and B are the bodies, Elem the geoms.
	A, B int
	Elem [2]int32
	// Start and End are (1) at the start and at the end of the step, J.
	Start, End float64
}

// NumSurfacePairs returns the number of pairs of geoms that may touch by pressure in the step.
func (s *Data) NumSurfacePairs() int { return s.numSurfaces }

// FindSurfacesAtEnd finds the contact surfaces at the end of the motions of the rigid bodies.
func (s *Data) FindSurfacesAtEnd(motions []RigidMotion) {
	s.endMotions = motions
	s.Pool.Run(s.numSurfaces, (*endFinder)(s))
	s.endMotions = nil
}

// SurfaceEnergyOf returns the energies of a pair after FindSurfacesAtEnd, in the order of
// HydroelasticContacts.
func (s *Data) SurfaceEnergyOf(pair int) SurfaceEnergy {
	p := &s.hydroelasticPairs[pair]
	return SurfaceEnergy{A: p.A, B: p.B, Elem: p.Elem, Start: fieldEnergy(p.present.Faces), End: fieldEnergy(p.end.Faces)}
}

// endFinder is a Data that finds contact surfaces at the end of a step on workers.
type endFinder Data

// Do implements workers.Task.
func (s *endFinder) Do(worker, i int) {
	d, p := (*Data)(s), &s.hydroelasticPairs[i]
	X_WA, X_WB := d.poseOf(p.a, motionOf(s.endMotions, p.A), 1), d.poseOf(p.b, motionOf(s.endMotions, p.B), 1)
	d.findPlaced(worker, p, X_WA, X_WB, &p.end)
}

// findPlaced sets a contact surface of a pair to that at the given poses.
func (s *Data) findPlaced(worker int, p *hydroelasticPair, X_WA, X_WB r3.Pose, to *placedSurface) {
	at := [2]r3.Pose{X_WA, X_WB}
	if to.known && to.at == at {
		return
	}
	s.queries[worker].Contact(s.Model.Geoms[p.a].Field, s.Model.Geoms[p.b].Field, X_WA, X_WB, &to.ContactSurface)
	to.at, to.known = at, true
}

// fieldEnergy returns (1), J.
func fieldEnergy(faces []hydroelastic.Face) float64 {
	energy := 0.0
	for i := range faces {
		if f := &faces[i]; f.Pressure > 0 {
			energy += f.Area * f.PressureGradient * f.Depth * f.Depth / 2
		}
	}
	return energy
}
