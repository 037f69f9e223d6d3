package geometry

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// manyFaced returns hulls that are searched: round, flat, needle-like, of plane sides with rounded rims, of points
// whose coordinates are stored in 32 bits, and far from the origin.
func manyFaced(r *rand.Rand) map[string]*Convex {
	cloud := func(n int, at func(u r3.Vec) r3.Vec) *Convex {
		var ps []r3.Vec
		for range n {
			ps = append(ps, at(gauss(r).Unit()))
		}
		return must(NewConvex(ps))
	}
	stretch := r3.Vec{0.02 + 0.2*r.Float64(), 0.02 + 0.2*r.Float64(), 0.02 + 0.2*r.Float64()}
	scaled := func(s r3.Vec) func(u r3.Vec) r3.Vec {
		return func(u r3.Vec) r3.Vec { return r3.Vec{s[0] * u[0], s[1] * u[1], s[2] * u[2]} }
	}
	// sides that are plane but for the rounding of their many points
	side := func(u r3.Vec) r3.Vec {
		u = u.Scale(0.1)
		for k := range u {
			u[k] = float64(float32(max(-0.05, min(0.05, u[k]))))
		}
		return u
	}
	return map[string]*Convex{
		"round":  cloud(60+r.IntN(500), scaled(stretch)),
		"disc":   cloud(60+r.IntN(300), scaled(r3.Vec{0.1, 0.1, 1e-3})),
		"needle": cloud(60+r.IntN(300), scaled(r3.Vec{1e-3, 1e-3, 0.1})),
		"plane":  cloud(60+r.IntN(500), side),
		"far":    cloud(60+r.IntN(200), func(u r3.Vec) r3.Vec { return u.Scale(0.05).Add(r3.Vec{30, -20, 10}) }),
	}
}

// Searched distances are those to the nearest of all triangles, exactly outside and within the evenness of plane faces
// inside, and those of the mesh of the surface; the gradient is that over all faces where the nearest point is unique.
func TestSearchedHullsAgreeWithAllTrianglesAndWithMeshes(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	searched, inside, compared := 0, 0, 0
	for range 6 {
		for name, c := range manyFaced(r) {
			if c.near == nil {
				continue
			}
			searched++
			size := c.bounds.Size().Norm()
			surface := meshes.NewDistance(c.SurfaceMesh())
			middle := c.bounds.Center()
			for k := range 400 {
				// near corners, edges and faces, deep inside, and far away
				tri := c.surface.Tris[r.IntN(len(c.surface.Tris))]
				a, b, d := c.surface.Verts[tri[0]], c.surface.Verts[tri[1]], c.surface.Verts[tri[2]]
				w := [3]float64{r.ExpFloat64(), r.ExpFloat64() * float64(k%2), r.ExpFloat64() * float64(k%3)}
				sum := w[0] + w[1] + w[2]
				p := r3.Combine([3]float64{w[0] / sum, w[1] / sum, w[2] / sum}, a, b, d)
				p = middle.AddScaled(1+r.NormFloat64()*math.Pow(10, -4*r.Float64()), p.Sub(middle))
				phi, tri1, g := c.near.signedFrom(p, -1)
				want := math.Inf(1)
				for i := range c.surface.Tris {
					want = min(want, c.near.closest(p, int32(i)).Sub(p).Norm())
				}
				if math.Abs(math.Abs(phi)-want) > 2*planarTol*size || phi > planarTol*size && math.Abs(phi-want) > 1e-12*size {
					t.Fatalf("%s: %v: φ = %g, distance to the nearest of all triangles %g", name, p, phi, want)
				}
				// trying all faces may miss one that a place is behind by the unevenness of its plane
				over, n := c.distanceOverFaces(p)
				if phi < -20*planarTol*size && math.Abs(phi-over) > 2*planarTol*size {
					t.Fatalf("%s: %v: φ = %g, over all faces %g", name, p, phi, over)
				}
				if math.Abs(g.Norm()-1) > 1e-12 {
					t.Fatalf("%s: %v: gradient %v is no unit vector", name, p, g)
				}
				other, _, _, _, _ := surface.Signed(p)
				if math.Abs(phi-other) > 2*planarTol*size {
					t.Fatalf("%s: %v: φ = %g, of the mesh %g", name, p, phi, other)
				}
				// the gradient is that of all faces where a small way along it changes the distance by as much
				const way = 1e-3
				there, _ := c.distanceOverFaces(p.AddScaled(way*size, g))
				back, _ := c.distanceOverFaces(p.AddScaled(-way*size, g))
				if back > way*size && math.Abs(over-phi) <= planarTol*size {
					compared++
					if math.Abs(there-back-2*way*size) > 10*planarTol*size || g.Sub(n).Norm() > 0.01 {
						t.Fatalf("%s: %v: gradient %v, over all faces %v; φ changes by %g over %g", name, p, g, n, there-back, 2*way*size)
					}
				}
				if phi < 0 {
					inside++
				}
				for _, guess := range []int32{tri1, int32(r.IntN(len(c.surface.Tris)))} {
					if x, y, z := c.near.signedFrom(p, guess); x != phi || y != tri1 || z != g {
						t.Fatalf("%s: %v: from guess %d %g on %d, else %g on %d", name, p, guess, x, y, phi, tri1)
					}
				}
			}
		}
	}
	if searched < 20 || inside < 1000 || compared < 1000 {
		t.Errorf("%d hulls, %d places inside, %d gradients: too few", searched, inside, compared)
	}
}

func TestSearchesOfHullsAllocateNothing(t *testing.T) {
	c := randomHull(rand.New(rand.NewPCG(1, 2)), 400, 0.1)
	if c.near == nil {
		t.Fatal("not searched")
	}
	if n := alloctest.PerRun(100, func() { c.SignedDistance(r3.Vec{0.03, 0.02, 0.11}) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// BenchmarkHullDistance shows from which number of faces a search is faster than trying all of them.
func BenchmarkHullDistance(b *testing.B) {
	for _, n := range []int{10, 20, 40, 100, 505} {
		r := rand.New(rand.NewPCG(3, 4))
		var ps []r3.Vec
		for range n {
			ps = append(ps, gauss(r).Unit().Scale(0.1))
		}
		c := must(NewConvex(ps))
		near := newNearestOnHull(c)
		var places []r3.Vec
		for range 1000 {
			places = append(places, gauss(r).Unit().Scale(0.09+0.02*r.Float64()))
		}
		name := fmt.Sprint(n, " corners")
		b.Run(name+"/all", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				c.distanceOverFaces(places[i%len(places)])
			}
		})
		b.Run(name+"/searched", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				near.signedFrom(places[i%len(places)], -1)
			}
		})
	}
}
