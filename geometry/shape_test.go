package geometry

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// randomHull returns the hull of n points of a ball.
func randomHull(r *rand.Rand, n int, size float64) *Convex {
	var ps []r3.Vec
	for range n {
		ps = append(ps, gauss(r).Unit().Scale(size*(0.5+0.5*r.Float64())))
	}
	return must(NewConvex(ps))
}

// cornersOf returns the corners of a box, the points of its hull twin.
func cornersOf(b *Box) []r3.Vec { return b.SurfaceMesh().Verts }

func solids(r *rand.Rand) map[string]SupportMap {
	box := must(NewBox(r3.Vec{0.2, 0.12, 0.08}))
	return map[string]SupportMap{
		"sphere":   must(NewSphere(0.07)),
		"box":      box,
		"cylinder": must(NewCylinder(0.05, 0.16)),
		"disc":     must(NewCylinder(0.1, 0.02)),
		"capsule":  must(NewCapsule(0.04, 0.14)),
		"hull":     randomHull(r, 12, 0.1),
		"bighull":  randomHull(r, 120, 0.1),
		"boxhull":  must(NewConvex(cornersOf(box))),
	}
}

// names of solids in a fixed order.
var solidNames = []string{"sphere", "box", "cylinder", "disc", "capsule", "hull", "bighull", "boxhull"}

func TestConstructorsRefuseBadSizes(t *testing.T) {
	for _, x := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-300} {
		_, e1 := NewSphere(x)
		_, e2 := NewBox(r3.Vec{1, x, 1})
		_, e3 := NewCylinder(x, 1)
		_, e4 := NewCylinder(1, x)
		_, e5 := NewCapsule(x, 1)
		_, e6 := NewCapsule(1, x)
		for i, err := range []error{e1, e2, e3, e4, e5, e6} {
			if err == nil || !strings.Contains(err.Error(), "positive") {
				t.Errorf("%d: length %g gives %v", i, x, err)
			}
		}
	}
	for name, ps := range map[string][]r3.Vec{
		"few":       {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
		"flat":      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.2, 1e-9}},
		"line":      {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}},
		"coincide":  {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
		"notfinite": {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, math.NaN()}},
	} {
		if _, err := NewConvex(ps); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Log(err)
		}
	}
}

// folded reports whether g is not the derivative of a shape's distance at p: a fold of
// the distance lies near.
func folded(s Shape, p, g r3.Vec) bool {
	for i := range p {
		const h = 1e-7
		q, m := p, p
		q[i] += h
		m[i] -= h
		a, _ := s.SignedDistance(q)
		b, _ := s.SignedDistance(m)
		if !near((a-b)/(2*h), g[i], 2e-6) {
			return true
		}
	}
	return false
}

// The gradient is unit and the derivative of the distance.
func TestSignedDistanceGradientIsUnitAndMatchesDifferences(t *testing.T) {
	r := newRand(t, 1)
	shapes := solids(r)
	for _, name := range solidNames {
		s := shapes[name]
		bad := 0
		for range 2000 {
			p := gauss(r).Scale(0.1)
			_, g := s.SignedDistance(p)
			if !near(g.Norm(), 1, 1e-14) {
				t.Fatalf("%s: |gradient| = %g at %v", name, g.Norm(), p)
			}
			if folded(s, p, g) {
				bad++
			}
		}
		if bad > 4 {
			t.Errorf("%s: gradient differs at %d of 2000 points", name, bad)
		}
	}
}

// Walking the distance against the gradient ends on the surface, and nothing on
// the surface is nearer: both show that the distance is exact.
func TestSignedDistanceAgreesWithSurfaceSamples(t *testing.T) {
	r := newRand(t, 2)
	shapes := solids(r)
	for _, name := range solidNames {
		s := shapes[name]
		var cloud []r3.Vec // exact surface points
		for len(cloud) < 3000 {
			p := gauss(r).Scale(0.1)
			phi, g := s.SignedDistance(p)
			q := p.AddScaled(-phi, g)
			if left, _ := s.SignedDistance(q); !near(left, 0, 1e-15) {
				t.Fatalf("%s: %g left after walking %g", name, left, phi)
			}
			cloud = append(cloud, q)
		}
		for range 300 {
			p := gauss(r).Scale(0.1)
			phi, _ := s.SignedDistance(p)
			for _, q := range cloud {
				if p.Sub(q).Norm() < math.Abs(phi)-1e-15 {
					t.Fatalf("%s: distance %g at %v but %v is nearer", name, phi, p, q)
				}
			}
		}
	}
}

func TestSingularPointsHaveFixedUnitGradients(t *testing.T) {
	shapes := solids(newRand(t, 3))
	for _, name := range solidNames {
		for _, p := range []r3.Vec{{}, {0, 0, 0.01}, {0, 0, 0.5}, {0, 0, -0.08}} {
			phi, g := shapes[name].SignedDistance(p)
			if !near(g.Norm(), 1, 1e-14) || math.IsNaN(phi) {
				t.Errorf("%s at %v: %g %v", name, p, phi, g)
			}
		}
	}
	// Tiny offsets must not lose the direction.
	phi, g := must(NewSphere(1)).SignedDistance(r3.Vec{0, 3e-200, 4e-200})
	if phi != -1 || !near(g[1], 0.6, 1e-15) || !near(g[2], 0.8, 1e-15) {
		t.Errorf("sphere near its centre: %g %v", phi, g)
	}
}

// watertight reports whether every edge is used once in each direction.
func watertight(m *meshes.Tri) bool {
	edges := map[[2]int32]int{}
	for _, f := range m.Tris {
		for k := range f {
			edges[[2]int32{f[k], f[(k+1)%3]}]++
		}
	}
	for e, n := range edges {
		if n != 1 || edges[[2]int32{e[1], e[0]}] != 1 {
			return false
		}
	}
	return len(m.Tris) > 0
}

func TestSurfacesAreClosedAndFillTheShape(t *testing.T) {
	shapes := solids(newRand(t, 4))
	share := map[string]float64{"sphere": 0.99, "cylinder": 0.99, "disc": 0.99, "capsule": 0.98}
	for _, name := range solidNames {
		s := shapes[name]
		m := s.SurfaceMesh()
		if !watertight(m) {
			t.Errorf("%s: surface is open", name)
		}
		for _, p := range m.Verts {
			if phi, _ := s.SignedDistance(p); !near(phi, 0, 1e-15) && p[0]*p[0]+p[1]*p[1] > 0 {
				t.Errorf("%s: corner %v is %g off the surface", name, p, phi)
			}
		}
		exact, err := MassOf(s)
		if err != nil {
			t.Fatal(err)
		}
		lo := share[name]
		if lo == 0 {
			lo = 1 - 1e-12
		}
		if q := m.Volume() / exact.Mass; q < lo || q > 1+1e-12 {
			t.Errorf("%s: surface encloses %g of the volume", name, q)
		}
	}
	if !watertight((HalfSpace{}).SurfaceMesh()) {
		t.Error("half-space slab is open")
	}
}

// The primitives' formulas and the polyhedral integrals of ever finer surfaces
// meet, at the second order of the facets.
func TestMassFormulasAreTheLimitOfFacets(t *testing.T) {
	rev := func(profile func(n int) [][2]float64) func(n int) *meshes.Tri {
		return func(n int) *meshes.Tri { return revolve(profile(n), 4*n) }
	}
	for name, c := range map[string]struct {
		s Shape
		m func(n int) *meshes.Tri
	}{
		"cylinder": {must(NewCylinder(0.3, 0.8)), rev(func(int) [][2]float64 {
			return [][2]float64{{0, -0.4}, {0.3, -0.4}, {0.3, 0.4}, {0, 0.4}}
		})},
		"sphere": {must(NewSphere(0.3)), rev(func(n int) (p [][2]float64) {
			for i := range n + 1 {
				s, c := math.Sincos(math.Pi * float64(i) / float64(n))
				p = append(p, [2]float64{0.3 * s, -0.3 * c})
			}
			return p
		})},
		"capsule": {must(NewCapsule(0.3, 0.8)), rev(func(n int) (p [][2]float64) {
			for i := range 2*n + 2 {
				k, z := i, -0.4
				if i > n {
					k, z = i-1, 0.4
				}
				s, c := math.Sincos(math.Pi / 2 * float64(k) / float64(n))
				p = append(p, [2]float64{0.3 * s, z - 0.3*c})
			}
			return p
		})},
	} {
		exact, _ := MassOf(c.s)
		var last [3]float64
		for k, n := range []int{16, 32, 64} {
			m, err := MassOfSurface(c.m(n))
			if err != nil {
				t.Fatal(err)
			}
			e := [3]float64{1 - m.Mass/exact.Mass, 1 - m.Inertia[0]/exact.Inertia[0], 1 - m.Inertia[8]/exact.Inertia[8]}
			for i := range e {
				if k > 0 && (e[i] < 0 || !near(last[i]/e[i], 4, 0.1)) {
					t.Errorf("%s: error %d goes from %g to %g on halving", name, i, last[i], e[i])
				}
			}
			last = e
		}
	}
}

func TestMassPropertiesMoveAndAddExactly(t *testing.T) {
	// Two blocks make one of twice the length, in any frame.
	half := must(NewBox(r3.Vec{0.2, 0.3, 0.4}))
	whole := must(NewBox(r3.Vec{0.4, 0.3, 0.4}))
	m, _ := MassOf(half)
	w, _ := MassOf(whole)
	X := randomPose(newRand(t, 5), 1)
	got := m.Scale(7).Transform(X.Mul(at(r3.Vec{0.1}))).Plus(m.Scale(7).Transform(X.Mul(at(r3.Vec{-0.1}))))
	want := w.Scale(7).Transform(X)
	if !near(got.Mass, want.Mass, 1e-15) || got.Com.Sub(want.Com).Norm() > 1e-15 || math.Sqrt(got.Inertia.Sub(want.Inertia).Norm2()) > 1e-15 {
		t.Errorf("halves %v, whole %v", got, want)
	}
	// A hull far from its origin.
	far := X
	far.P = r3.Vec{10, 20, -30}
	var ps []r3.Vec
	for _, p := range cornersOf(whole) {
		ps = append(ps, far.Point(p))
	}
	h, _ := MassOf(must(NewConvex(ps)))
	f := w.Transform(far)
	if !near(h.Mass, f.Mass, 1e-14) || h.Com.Sub(f.Com).Norm() > 1e-13 || math.Sqrt(h.Inertia.Sub(f.Inertia).Norm2()) > 1e-14 {
		t.Errorf("hull %v, box %v", h, f)
	}
	if _, err := MassOf(HalfSpace{}); err == nil {
		t.Error("a half-space has mass")
	}
	inside := whole.SurfaceMesh()
	for i, f := range inside.Tris {
		inside.Tris[i] = [3]int32{f[0], f[2], f[1]}
	}
	if _, err := MassOfSurface(inside); err == nil {
		t.Error("a surface turned inside out has mass")
	}
}

// Support and Face keep their contract in every direction.
func TestFacesContainTheFarthestPoint(t *testing.T) {
	r := newRand(t, 6)
	shapes := solids(r)
	dirs := []r3.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, r3.Vec{1, 1, 0}.Unit(), r3.Vec{0, 1, 1}.Unit(), r3.Vec{1, 1, 1}.Unit()}
	for range 2000 {
		dirs = append(dirs, gauss(r).Unit())
	}
	for _, name := range solidNames {
		s := shapes[name]
		for _, n := range dirs {
			f, p := s.Face(n), s.Support(n)
			if phi, _ := s.SignedDistance(p); !near(phi, -s.Rounding(), 1e-15) {
				t.Fatalf("%s: support %v lies at %g", name, p, phi)
			}
			best := math.Inf(-1)
			for i, q := range f.P[:f.N] {
				best = max(best, n.Dot(q))
				if f.N >= 3 && !near(f.Normal.Dot(q.Sub(f.P[0])), 0, 1e-15) {
					t.Fatalf("%s: corner %d is off the plane", name, i)
				}
				if f.N >= 3 {
					a, b := f.P[(i+1)%f.N].Sub(q), f.P[(i+2)%f.N].Sub(q)
					if a.Cross(b).Dot(f.Normal) <= 0 {
						t.Fatalf("%s: face turns the wrong way", name)
					}
				}
			}
			if !near(best, n.Dot(p), 1e-15) {
				t.Fatalf("%s along %v: face reaches %g, support %g", name, n, best, n.Dot(p))
			}
			if f.N >= 3 && f.Normal.Dot(n) < minFaceCos {
				t.Fatalf("%s: face is steep: %g", name, f.Normal.Dot(n))
			}
			// No sample of the surface is farther.
			if q := s.Support(gauss(r)); n.Dot(q) > n.Dot(p)+1e-16 {
				t.Fatalf("%s: %v is farther than the support", name, q)
			}
		}
	}
}
