// Package shapetest checks that a shape keeps the contract of geometry.Shape: its
// distance, its surface mesh, its bounds, its mass properties, its support mapping and
// its pressure field describe one solid, and its contacts with any other shape are the
// same whichever body comes first.
package shapetest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

const (
	// enough for a distance that is wrong in a hundredth of the box to show
	samples = 200 // random points and directions of each check
	// each is computed in both orders, for all pairs of registered shapes
	pairs   = 25  // random placements of each pair
	endless = 1e6 // m, bounds beyond this are those of a shape without end
	// of the size of the bodies of scenes
	window = 0.4 // m, edge of the cube in which a shape without end is looked at
	// distances come from a few products of coordinates
	tol = 1e-10 // round-off, relative to the size
)

// Check tests a shape alone: gradient, bounds, distance, mass properties, support mapping
// where it has one, and pressure field. Failures name the fact that is not true.
func Check(t testing.TB, s geometry.Shape) {
	t.Helper()
	c := newChecker(t, s)
	c.gradient()
	c.bounds()
	c.distance()
	c.mass()
	if k, ok := s.(geometry.SupportMap); ok {
		c.support(k)
	}
	c.field()
}

// checker is a shape under test.
// Everything is compared with the triangles of the surface mesh, which share no code with distances,
// support mappings or fields.
type checker struct {
	t testing.TB
	s geometry.Shape
	r *rand.Rand
	// surface mesh of the shape
	mesh *meshes.Tri
	// taken once: it decides all sizes below
	box  r3.Box  // where points are sampled: the bounds, or a window of them
	size float64 // diagonal of box, m
	// what a shape may differ by from its facets; 0 for polyhedra
	sagitta float64 // greatest distance of the surface mesh from the surface, m
	endless bool    // a half-space: no bounds, no mass
}

// newChecker samples the surface mesh, whose facets may lie off a curved surface.
func newChecker(t testing.TB, s geometry.Shape) *checker {
	c := &checker{t: t, s: s, r: rand.New(rand.NewPCG(20261122, 2)), mesh: s.SurfaceMesh(), box: s.Bounds()}
	// A shape without end is looked at near its origin.
	if c.endless = c.box.Size().Norm() > endless; c.endless {
		w := r3.Vec{window / 2, window / 2, window / 2}
		c.box = r3.Box{Min: w.Neg(), Max: w}
	}
	c.size = c.box.Size().Norm()
	// Middles of triangles and edges lie farthest off the surface.
	for _, tri := range c.mesh.Tris {
		a, b, d := c.mesh.Verts[tri[0]], c.mesh.Verts[tri[1]], c.mesh.Verts[tri[2]]
		for _, w := range [4][3]float64{{1. / 3, 1. / 3, 1. / 3}, {0.5, 0.5, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}} {
			if p := r3.Combine(w, a, b, d); c.box.Dist2(p) == 0 {
				phi, _ := s.SignedDistance(p)
				c.sagitta = max(c.sagitta, math.Abs(phi))
			}
		}
	}
	if !c.endless && c.sagitta > 0.05*c.size {
		t.Errorf("surface mesh: it lies up to %g m off the surface of a shape of %g m", c.sagitta, c.size)
	}
	return c
}

// point returns a random point in the box or, for a shape with an end, up to half of its
// size outside.
func (c *checker) point() (p r3.Vec) {
	// Contact requires distances outside as well as inside.
	for i := range p {
		e := c.box.Max[i] - c.box.Min[i]
		if !c.endless {
			e *= 2
		}
		p[i] = (c.box.Min[i]+c.box.Max[i])/2 + e*(c.r.Float64()-0.5)
	}
	return p
}

// direction returns a random unit vector, by normal components: no direction is preferred.
func (c *checker) direction() r3.Vec {
	return r3.Vec{c.r.NormFloat64(), c.r.NormFloat64(), c.r.NormFloat64()}.Unit()
}

// gradient: ∇φ is a unit vector, and φ falls to 0 at p − φ ∇φ.
func (c *checker) gradient() {
	c.t.Helper()
	for range samples {
		p := c.point()
		phi, g := c.s.SignedDistance(p)
		if math.Abs(g.Norm()-1) > 1e-12 {
			c.t.Errorf("gradient: it is %g long at %v", g.Norm(), p)
			return
		}
		// The gradient leads to the nearest point of the surface: contacts take their points there.
		if left, _ := c.s.SignedDistance(p.AddScaled(-phi, g)); math.Abs(left) > 1e-8*c.size {
			c.t.Errorf("gradient: φ = %g at %v, but %g is left where the gradient leads", phi, p, left)
			return
		}
	}
}

// bounds: they contain the surface and touch it. Searches for pairs use nothing else of a shape, so that
// a contact outside of its bounds is never found.
func (c *checker) bounds() {
	c.t.Helper()
	if c.endless {
		return
	}
	// bounds that are too small lose contacts, those that are too large cost searches
	b, m := c.s.Bounds(), c.mesh.Bounds()
	for i := range 3 {
		// The mesh may not stick out, and may miss the bounds by its facets.
		low, high := m.Min[i]-b.Min[i], b.Max[i]-m.Max[i]
		if least, most := min(low, high), max(low, high); least < -tol*c.size || most > 2*c.sagitta+tol*c.size {
			c.t.Errorf("bounds: %v, those of the surface mesh are %v", b, m)
			return
		}
	}
}

// distance: |φ| is the distance to the triangles of the surface, by trying all, and
// φ < 0 where they wind around the point.
// Trees and closed forms have branches for faces, edges and corners: random points meet all of them.
func (c *checker) distance() {
	c.t.Helper()
	for range samples {
		p := c.point()
		// Distance and winding by trying all triangles: no tree, no code of the shape.
		phi, _ := c.s.SignedDistance(p)
		d := math.Inf(1)
		angle := 0.0 // solid angle, sr
		for _, tri := range c.mesh.Tris {
			a, b, e := c.mesh.Verts[tri[0]], c.mesh.Verts[tri[1]], c.mesh.Verts[tri[2]]
			q, _ := r3.ClosestOnTriangle(p, a, b, e)
			d = min(d, p.Sub(q).Norm())
			angle += solidAngle(a.Sub(p), b.Sub(p), e.Sub(p))
		}
		// Facets lie inside of curved surfaces by the sagitta.
		if math.Abs(math.Abs(phi)-d) > 2*c.sagitta+tol*c.size {
			c.t.Errorf("distance: φ = %g at %v, the surface mesh is %g m away", phi, p, d)
			return
		}
		// Winding numbers distinguish inside from outside, except near the surface.
		if inside := angle > 2*math.Pi; d > 2*c.sagitta+tol*c.size && inside != (phi < 0) {
			c.t.Errorf("distance: φ = %g at %v, but inside is %v by the winding of the mesh", phi, p, inside)
			return
		}
	}
}

// solidAngle returns the solid angle of a triangle seen from the origin, sr (Van
// Oosterom and Strackee 1983): tan(Ω/2) = a·(b×c)/(abc + (a·b)c + (b·c)a + (c·a)b).
func solidAngle(a, b, c r3.Vec) float64 {
	x, y, z := a.Norm(), b.Norm(), c.Norm()
	// Atan2 keeps the sign where the denominator is negative: angles above π
	return 2 * math.Atan2(a.Dot(b.Cross(c)), x*y*z+a.Dot(b)*z+b.Dot(c)*x+c.Dot(a)*y)
}

// mass: volume, centre and inertia are those of the solid inside the surface mesh, to
// what facets miss.
func (c *checker) mass() {
	c.t.Helper()
	// Exact for primitives, or of the mesh itself.
	got, err := geometry.MassOf(c.s)
	// A shape without end has no mass.
	if c.endless {
		// MassOf must refuse it.
		if err == nil {
			c.t.Errorf("mass: a shape without end weighs %g kg", got.Mass)
		}
		return
	}
	if err != nil {
		c.t.Errorf("mass: %v", err)
		return
	}
	// The solid inside of the mesh.
	solid, err := geometry.NewMesh(c.mesh)
	if err != nil {
		c.t.Errorf("surface mesh: %v", err)
		return
	}
	// Of the facets.
	want, err := geometry.MassOf(solid)
	if err != nil {
		c.t.Errorf("mass of the surface mesh: %v", err)
		return
	}
	// Volume between facets and surface, relative to the solid.
	area := 0.0
	for _, tri := range c.mesh.Tris {
		area += r3.TriangleNormal(c.mesh.Verts[tri[0]], c.mesh.Verts[tri[1]], c.mesh.Verts[tri[2]]).Norm() / 2
	}
	// Facets miss at most the volume of a layer as thick as the sagitta.
	slack := 2*c.sagitta*area/want.Mass + 1e-9 // share of the volume between facets and surface
	// Volume, centre and inertia.
	if e := math.Abs(got.Mass/want.Mass - 1); e > slack {
		c.t.Errorf("mass: volume %g m³, that of the surface mesh is %g", got.Mass, want.Mass)
	}
	// a lever of the size of the shape carries what facets miss of the volume
	if e := got.Com.Sub(want.Com).Norm(); e > slack*c.size {
		c.t.Errorf("mass: centre %v, that of the surface mesh is %v", got.Com, want.Com)
	}
	// inertia has the volume and two levers in it, and errs by the sum of their shares
	if e := math.Sqrt(got.Inertia.Sub(want.Inertia).Norm2() / want.Inertia.Norm2()); e > 3*slack {
		c.t.Errorf("mass: inertia %v, that of the surface mesh is %v", got.Inertia, want.Inertia)
	}
}

// support: the farthest point of the core, moved out by the rounding, lies on the
// surface, no vertex of the mesh lies farther, and the face in that direction contains it.
func (c *checker) support(s geometry.SupportMap) {
	c.t.Helper()
	for range samples {
		n := c.direction()
		// The farthest point lies on the surface.
		// rounding is the radius of the ball that sweeps the core: of a sphere it is all
		core := s.Support(n)
		p := core.AddScaled(s.Rounding(), n)
		if phi, _ := s.SignedDistance(p); math.Abs(phi) > 1e-8*c.size {
			c.t.Errorf("support: %v along %v is %g m off the surface", p, n, phi)
			return
		}
		// No vertex of the mesh is farther.
		for _, q := range c.mesh.Verts {
			if far := n.Dot(q.Sub(p)); far > tol*c.size {
				c.t.Errorf("support: the vertex %v lies %g m farther along %v than %v", q, far, n, p)
				return
			}
		}
		if !c.face(s, n, core) {
			return
		}
	}
}

// face: the face along n lies on the core, is turned to n and contains the farthest point,
// to the error of polygons that stand for curves. It reports whether all of that is true.
func (c *checker) face(s geometry.SupportMap, n, core r3.Vec) bool {
	c.t.Helper()
	f := s.Face(n)
	// an edge or a corner has no normal of its own
	if f.N >= 3 && f.Normal.Dot(n) < 0.5-tol {
		c.t.Errorf("face: along %v its normal is %v", n, f.Normal)
		return false
	}
	// Corners of the face lie on the core, one of them as high as the farthest point.
	high := math.Inf(-1)
	for _, q := range f.P[:f.N] {
		high = max(high, n.Dot(q.Sub(core)))
		// a face of the core may lie within the shape, never outside
		if phi, _ := s.SignedDistance(q); phi > tol*c.size {
			c.t.Errorf("face: its corner %v lies %g m outside", q, phi)
			return false
		}
	}
	// polygons that stand for a round edge may lie 1 % of the size below it
	if f.N == 0 || high > tol*c.size || high < -1e-2*c.size {
		c.t.Errorf("face: along %v its highest corner is %g m above the farthest point", n, high)
		return false
	}
	return true
}

// field: the shape has a pressure field that covers it, and a rigid surface. Every shape must have
// both, or a scene with a modulus of elasticity could not contain it.
func (c *checker) field() {
	c.t.Helper()
	// A coarse field: whether one can be made does not depend on how fine it is.
	opt := hydroelastic.Options{HydroelasticModulus: 1e6, ResolutionHint: c.size / 4, Margin: 1e-3 * c.size}
	// With a modulus a field, without one a rigid surface.
	for _, modulus := range []float64{opt.HydroelasticModulus, 0} {
		opt.HydroelasticModulus = modulus
		f, err := geometry.NewPressureField(c.s, opt)
		if err != nil {
			c.t.Errorf("pressure field of %g Pa: %v", modulus, err)
			continue
		}
		// two rigid surfaces make no contact surface: the seam relies on this answer
		if f.Compliant() != (modulus > 0) {
			c.t.Errorf("pressure field of %g Pa: Compliant is %v", modulus, f.Compliant())
		}
		if b := f.Bounds(); modulus > 0 && b.Dist2(c.box.Center()) > 0 {
			c.t.Errorf("pressure field: its bounds %v leave out the centre of the shape", b)
		}
	}
}
