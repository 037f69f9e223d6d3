package geometry

// Contact surfaces of pressure fields where the bodies are at the end of a step, and the energy
// that fields store. A column of a field between a face and the surface of its body, which the face has
// pressed together by the depth d along the gradient, stores p d/2 on each unit of its cross-section. With the
// area S, the gradient g along the normal and the depth d in both bodies, root mean square over the face,
//
//	U = Σ ½ S g d²,  over faces in contact                                  (1)
//
// since the cross-section is S g d/p: smaller than S where the face is inclined.
//
// Geometry of the end is not needed where bodies hardly move relative to each other. All points of the pair approach by
// at most δ; where the margin of the fields is wider than that, faces at the start, in contact and ahead of it, are all
// there can be at the end, and no deeper than d + δ and δ. With K and K' the sums of S g over both kinds,
//
//	U⁺ ≤ (√U + δ √(K/2))² + ½ K' δ²                                         (2)
//
// Where the next step starts at the same poses, its present surfaces are the ones found here.

import (
	"math"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// placedSurface is a contact surface with the poses of the geoms at which it was found.
type placedSurface struct {
	hydroelastic.ContactSurface
	at    [2]r3.Pose
	known bool // false: none was found
	// U of (1), J; K and K' of (2), N/m
	energy, stiffness, ahead float64
}

// NumSurfacePairs returns the number of pairs of geoms that may touch by pressure in the step.
func (s *Data) NumSurfacePairs() int { return s.numSurfaces }

// SurfacePair returns the bodies and the geoms of such a pair, in the order of HydroelasticContacts.
func (s *Data) SurfacePair(i int) (bodies [2]int, geoms [2]int32) {
	p := &s.hydroelasticPairs[i]
	return [2]int{p.A, p.B}, p.Elem
}

// EnergyAtStart returns (1) of a pair at the start of the step, J.
func (s *Data) EnergyAtStart(pair int) float64 {
	return s.hydroelasticPairs[pair].present.energy
}

// EnergyAtEnd returns (1) of a pair at the end that FindSurfacesAtEnd was asked for, J.
func (s *Data) EnergyAtEnd(pair int) float64 { return s.hydroelasticPairs[pair].end.energy }

// BoundEnergyAtEnd returns (2) for the motions of the rigid bodies, J; +Inf where it says nothing.
func (s *Data) BoundEnergyAtEnd(pair int, motions []RigidMotion) float64 {
	p := &s.hydroelasticPairs[pair]
	delta := s.RelativeMotion(pair, motions)
	if delta > marginOf(&s.Model.Geoms[p.a])+marginOf(&s.Model.Geoms[p.b]) {
		return math.Inf(1)
	}
	now := &p.present
	root := math.Sqrt(now.energy) + delta*math.Sqrt(now.stiffness/2)
	return root*root + now.ahead/2*delta*delta // (2)
}

// RelativeMotion bounds how far any point of the contact of a pair moves on one body relative to the other, m.
// All contact lies in the ball around the smaller geom.
func (s *Data) RelativeMotion(pair int, motions []RigidMotion) float64 {
	p := &s.hydroelasticPairs[pair]
	A, B := motionOf(motions, p.A), motionOf(motions, p.B)
	ga, gb := &s.geoms[p.a], &s.geoms[p.b]
	g, radius := ga, ga.extent_G.Size().Norm()/2
	if r := gb.extent_G.Size().Norm() / 2; r < radius {
		g, radius = gb, r
	}
	center := g.X_WG.Point(g.extent_G.Center())
	u := B.linear(center).Sub(A.linear(center))
	turn := B.Rotation.Sub(A.Rotation).Norm() * radius
	arcs := A.beyondLinear(center.Sub(A.X0.P).Norm()+radius, 0) + B.beyondLinear(center.Sub(B.X0.P).Norm()+radius, 0)
	return u.Norm() + turn + arcs
}

// FindSurfacesAtEnd finds the contact surfaces of the given pairs at the end of the motions of the rigid bodies.
func (s *Data) FindSurfacesAtEnd(pairs []int, motions []RigidMotion) {
	if len(pairs) == 0 {
		return
	}
	s.endPairs, s.endMotions = pairs, motions
	s.Pool.Run(len(pairs), (*endFinder)(s))
	s.endPairs, s.endMotions = nil, nil
}

// endFinder is a Data that finds contact surfaces at the end of a step on workers.
type endFinder Data

// Do implements workers.Task.
func (s *endFinder) Do(worker, i int) {
	d, p := (*Data)(s), &s.hydroelasticPairs[s.endPairs[i]]
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
	to.measure()
}

// measure sets the energy and the stiffnesses of a surface.
func (c *placedSurface) measure() {
	c.energy, c.stiffness, c.ahead = 0, 0, 0
	for i := range c.Faces {
		f := &c.Faces[i]
		k := f.Area * f.PressureGradient
		if f.Pressure <= 0 {
			c.ahead += k
			continue
		}
		d := f.Depth / f.Pressure
		c.energy += k * d * d / 2 * c.meanSquarePressure(f)
		c.stiffness += k
	}
}

// meanSquarePressure returns the mean of p² over a face, Pa²: the pressure is linear on each triangle of a fan.
func (c *placedSurface) meanSquarePressure(f *hydroelastic.Face) float64 {
	at, corners, n := c.Pressures[f.Lo:f.Hi], c.Verts_W[f.Lo:f.Hi], &f.Normal_W
	var u, v r3.Vec
	area, sum := 0.0, 0.0
	p0, p1 := at[0], at[1]
	u.SetSub(&corners[1], &corners[0])
	for k := 2; k < len(at); k++ {
		v.SetSub(&corners[k], &corners[0])
		a := n[0]*(u[1]*v[2]-u[2]*v[1]) + n[1]*(u[2]*v[0]-u[0]*v[2]) + n[2]*(u[0]*v[1]-u[1]*v[0])
		p2 := at[k]
		area += a
		sum += a * (p0*(p0+p1) + p1*(p1+p2) + p2*(p2+p0))
		u, p1 = v, p2
	}
	return sum / (6 * area)
}
