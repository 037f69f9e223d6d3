package render

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// tessellated splits a mesh and returns it as one.
func tessellated(m *meshes.Tri, tol, size float64) (*meshes.Tri, *tessellation, []r3.Vec) {
	s := newSkin(m.Verts, m.Tris)
	t := tessellate(s, [][]r3.Vec{m.Verts}, tol, size, 1)
	verts, normals := t.apply(m.Verts, s.normals(m.Verts))
	return &meshes.Tri{Verts: verts, Tris: t.tris}, t, normals
}

func meshArea(m *meshes.Tri) (a float64) {
	for _, t := range m.Tris {
		a += r3.TriangleNormal(m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]).Norm() / 2
	}
	return a
}

// closed reports whether each edge of a mesh has two triangles, in opposite senses.
func closed(m *meshes.Tri) bool {
	n := map[[2]int32]int{}
	for _, t := range m.Tris {
		for e := range 3 {
			n[[2]int32{t[e], t[(e+1)%3]}]++
		}
	}
	for k, c := range n {
		if c != 1 || n[[2]int32{k[1], k[0]}] != 1 {
			return false
		}
	}
	return true
}

// A box keeps its area and volume however small its faces become, and has no edge
// longer than asked for.
func TestTessellationOfABoxKeepsItsShape(t *testing.T) {
	r, _, _ := tessellated(box(r3.Vec{1, 2, 3}), 1e-9, 0.3)
	if math.Abs(meshArea(r)-22) > 1e-12 || math.Abs(r.Volume()-6) > 1e-12 || !closed(r) {
		t.Errorf("area %g, volume %g, closed %t", meshArea(r), r.Volume(), closed(r))
	}
	for _, v := range r.Tris {
		for e := range 3 {
			if l := r.Verts[v[e]].Sub(r.Verts[v[(e+1)%3]]).Norm(); l > 0.3+1e-12 {
				t.Fatalf("an edge of %g m", l)
			}
		}
	}
}

// icosphere is a unit sphere of 20·4ⁿ triangles.
func icosphere(n int) *meshes.Tri {
	const g = math.Phi
	m := &meshes.Tri{Verts: []r3.Vec{
		{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0}, {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
		{g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1},
	}, Tris: [][3]int32{
		{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
	}}
	for range n {
		mid := map[[2]int32]int32{}
		middle := func(a, b int32) int32 {
			k := [2]int32{min(a, b), max(a, b)}
			if _, ok := mid[k]; !ok {
				mid[k] = int32(len(m.Verts))
				m.Verts = append(m.Verts, m.Verts[a].Add(m.Verts[b]))
			}
			return mid[k]
		}
		var tris [][3]int32
		for _, t := range m.Tris {
			a, b, c := middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])
			tris = append(tris, [3]int32{t[0], a, c}, [3]int32{t[1], b, a}, [3]int32{t[2], c, b}, [3]int32{a, b, c})
		}
		m.Tris = tris
		for i := range m.Verts {
			m.Verts[i] = m.Verts[i].Unit()
		}
	}
	return m
}

// A coarse sphere becomes round: all its points are within 1.5 ‰ of the
// radius, its normals point away from the middle, and area and volume are 4π and 4π/3.
func TestTessellationMakesSpheresRound(t *testing.T) {
	r, tess, normals := tessellated(icosphere(2), 1e-4, math.Inf(1))
	for _, p := range r.Verts {
		if math.Abs(p.Norm()-1) > 1.5e-3 {
			t.Fatalf("a point at %g of the radius", p.Norm())
		}
	}
	for k, n := range normals {
		if n.Dot(r.Verts[tess.vert[k]].Unit()) < 0.9995 {
			t.Fatalf("normal %v at %v", n, r.Verts[tess.vert[k]])
		}
	}
	if math.Abs(meshArea(r)/(4*math.Pi)-1) > 2e-3 || math.Abs(r.Volume()/(4*math.Pi/3)-1) > 3e-3 || !closed(r) {
		t.Errorf("area %g, volume %g, closed %t", meshArea(r), r.Volume(), closed(r))
	}
}

// The rim of a cylinder, where its round side meets the flat end, becomes round from
// both sides: no gap opens, and the ends stay flat.
func TestTessellationRoundsRims(t *testing.T) {
	const n = 16
	m := new(meshes.Tri)
	for k := range n {
		s, c := math.Sincos(2 * math.Pi * float64(k) / n)
		m.Verts = append(m.Verts, r3.Vec{c, s, 0}, r3.Vec{c, s, 1})
	}
	m.Verts = append(m.Verts, r3.Vec{0, 0, 0}, r3.Vec{0, 0, 1})
	for k := range int32(n) {
		a, b := 2*k, 2*((k+1)%n)
		m.Tris = append(m.Tris, [3]int32{a, b, b + 1}, [3]int32{a, b + 1, a + 1}, [3]int32{2 * n, b, a}, [3]int32{2*n + 1, a + 1, b + 1})
	}
	r, _, _ := tessellated(m, 1e-4, math.Inf(1))
	if !closed(r) {
		t.Error("gaps at the rims")
	}
	for i, p := range r.Verts {
		if z := p[2]; math.Abs(z) < 1e-9 || math.Abs(z-1) < 1e-9 {
			if rho := math.Hypot(p[0], p[1]); rho > 1.002 || i < 2*n && math.Abs(rho-1) > 1e-12 {
				t.Fatalf("a point of an end at the radius %g", rho)
			}
		}
	}
	if v := r.Volume(); math.Abs(v/math.Pi-1) > 4e-3 {
		t.Errorf("volume %g, want π: the prism has %g", v, m.Volume())
	}
}

// Scalars of new vertices are means, so that a linear one stays linear where the
// surface is flat.
func TestTessellationKeepsLinearFields(t *testing.T) {
	b := box(r3.Vec{1, 2, 3})
	field := func(p r3.Vec) float64 { return 1 + 2*p[0] - 3*p[1] + p[2] }
	var x []float64
	for _, p := range b.Verts {
		x = append(x, field(p))
	}
	r, tess, _ := tessellated(b, 1, 0.5)
	for i, v := range tess.scalars(x) {
		if math.Abs(v-field(r.Verts[i])) > 1e-12 {
			t.Fatalf("%g at %v, want %g", v, r.Verts[i], field(r.Verts[i]))
		}
	}
}

// A surface of many triangles is not split further.
func TestTessellationIsBounded(t *testing.T) {
	m := icosphere(4)
	if _, tess, _ := tessellated(m, 1e-12, 1e-12); len(tess.tris) > 4*maxTessellated {
		t.Errorf("%d triangles", len(tess.tris))
	}
}

// A terrace of many blocks far larger than what the camera looks at is split into a bounded
// number of triangles: without the bound 100 blocks give 5 million.
func TestManySurfacesShareOneBudget(t *testing.T) {
	rec := grip(1)
	for i := range 100 {
		at := r3.Pose{R: r3.Identity(), P: r3.Vec{float64(i), 0, -5}}
		rec.Static.Geoms = append(rec.Static.Geoms, record.Geom{Name: "block", Body: -1, X_BG: at, Mesh: box(r3.Vec{9, 9, 9})})
	}
	opt, err := RecordedOptions(&rec.Static)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPainter(rec, opt)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, g := range p.geoms {
		n += len(g.surface.tris)
	}
	// the last split of a surface makes four of each triangle
	if n > 4*maxTessellatedAll {
		t.Errorf("%d triangles", n)
	}
}
