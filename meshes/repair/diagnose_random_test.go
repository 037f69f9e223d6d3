package repair

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// Theory's numbers of closed surfaces, whatever their pose and numbering.
func TestTopologyOfRandomSolids(t *testing.T) {
	r := samples.NewRand(t, 11)
	for round := range 3 {
		for _, s := range prisms.RandomSolids(t, r) {
			name := samples.CaseName(s.Name, round)
			d := Diagnose(s.M)
			if !d.Closed || d.Genus != s.Genus || d.Components != s.Components {
				t.Errorf("%s: closed %v, genus %d, %d components; want genus %d, %d components", name, d.Closed, d.Genus, d.Components, s.Genus, s.Components)
			}
			if d.Euler != 2*(s.Components-s.Genus) || 2*d.Edges != 3*d.Triangles {
				t.Errorf("%s: Euler characteristic %d, %d edges, %d triangles", name, d.Euler, d.Edges, d.Triangles)
			}
			if len(d.Holes)+len(d.NonManifoldEdges)+len(d.NonManifoldVerts)+len(d.Degenerate)+len(d.Duplicate)+d.Unused+d.InconsistentEdges+d.InsideOut > 0 {
				t.Errorf("%s: faults %+v", name, d)
			}
			if len(d.SelfIntersections) > 0 || !d.SelfIntersectionsChecked {
				t.Errorf("%s: triangles %v intersect", name, d.SelfIntersections)
			}
			if err := Watertight(s.M); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if d.Volume <= 0 || d.Area <= 0 || math.Pow(36*math.Pi*d.Volume*d.Volume, 1.0/3) > d.Area {
				t.Errorf("%s: area %g and volume %g break the isoperimetric inequality", name, d.Area, d.Volume)
			}
		}
	}
}

func TestDiagnosisDoesNotDependOnNumbering(t *testing.T) {
	r := samples.NewRand(t, 12)
	for _, s := range prisms.RandomSolids(t, r) {
		a, b := Diagnose(s.M), Diagnose(samples.Shuffled(s.M, r))
		if a.Euler != b.Euler || a.Edges != b.Edges || a.Bounds != b.Bounds || math.Abs(a.Volume-b.Volume) > 1e-12 || math.Abs(a.Area-b.Area) > 1e-11 {
			t.Errorf("%s: %+v, shuffled %+v", s.Name, a, b)
		}
	}
}

// Each damage gives just its fault.
func TestDamageIsNamedByItsKind(t *testing.T) {
	r := samples.NewRand(t, 13)
	base := samples.Blob(r, 3)
	n := len(base.Tris)
	copyOf := func() *meshes.Tri { return &meshes.Tri{Verts: slices.Clone(base.Verts), Tris: slices.Clone(base.Tris)} }
	for _, c := range []struct {
		kind   string
		damage func(m *meshes.Tri)
		count  int
	}{
		{"hole", func(m *meshes.Tri) { m.Tris = slices.Delete(m.Tris, 100, 101) }, 1},
		{"flipped", func(m *meshes.Tri) { m.Tris[7][0], m.Tris[7][1] = m.Tris[7][1], m.Tris[7][0] }, 3},
		{"duplicate", func(m *meshes.Tri) { m.Tris = append(m.Tris, m.Tris[3]) }, 1},
		{"inside-out", func(m *meshes.Tri) { *m = *samples.FlippedTri(m) }, 1},
		{"unused-vertex", func(m *meshes.Tri) { m.Verts = append(m.Verts, r3.Vec{}, r3.Vec{}) }, 2},
		{"degenerate", func(m *meshes.Tri) { m.Tris = append(m.Tris, [3]int32{0, 0, 1}) }, 1},
		{"non-manifold-edge", func(m *meshes.Tri) {
			m.Verts = append(m.Verts, r3.Vec{3, 0, 0})
			m.Tris = append(m.Tris, [3]int32{m.Tris[0][0], m.Tris[0][1], int32(len(m.Verts) - 1)})
		}, 1},
		{"non-manifold-vertex", func(m *meshes.Tri) {
			k := int32(len(m.Verts))
			m.Verts = append(m.Verts, r3.Vec{3, 0, 0}, r3.Vec{3, 1, 0}, r3.Vec{3, 0, 1})
			m.Tris = append(m.Tris, [3]int32{0, k, k + 1}, [3]int32{0, k + 1, k + 2}, [3]int32{0, k + 2, k}, [3]int32{k, k + 2, k + 1})
		}, 1},
	} {
		m := copyOf()
		c.damage(m)
		rep := Diagnose(m).Findings(m)
		if rep.Count(c.kind) != c.count {
			t.Errorf("%s: %d found, want %d\n%s", c.kind, rep.Count(c.kind), c.count, rep.String())
		}
	}
	if len(base.Tris) != n {
		t.Error("a damage changed the original")
	}
}

// Holes of any number of triangles have their loops and lengths.
func TestHolesHaveTheirLengths(t *testing.T) {
	r := samples.NewRand(t, 14)
	for range 20 {
		m := samples.SphereSurface(1, 3)
		v := int32(r.IntN(len(m.Verts)))
		var ring [][2]int32 // the edges opposite v: the rim after its fan has gone
		var kept [][3]int32
		for _, tri := range m.Tris {
			k := slices.Index(tri[:], v)
			if k < 0 {
				kept = append(kept, tri)
				continue
			}
			ring = append(ring, [2]int32{tri[(k+1)%3], tri[(k+2)%3]})
		}
		length := 0.0
		for _, e := range ring {
			length += m.Verts[e[0]].Sub(m.Verts[e[1]]).Norm()
		}
		d := Diagnose(&meshes.Tri{Verts: m.Verts, Tris: kept})
		if len(d.Holes) != 1 || len(d.Holes[0].Verts) != len(ring) || math.Abs(d.Holes[0].Length-length) > 1e-12 || d.Unused != 1 {
			t.Fatalf("%d edges of %g: %v, %d unused", len(ring), length, d.Holes, d.Unused)
		}
		if d.Closed || d.Genus != -1 || d.Euler != 1 { // a disc
			t.Errorf("closed %v, genus %d, Euler %d", d.Closed, d.Genus, d.Euler)
		}
		if c := d.Holes[0].Center; c.Sub(m.Verts[v]).Norm() > 0.2 {
			t.Errorf("the hole at %v is said to be at %v", m.Verts[v], c)
		}
	}
}

// segmentCuts is a brute-force twin of cut for triangles in general position: an
// edge of one passes through the inside of the other.
func segmentCuts(p, q [3]r3.Vec) bool {
	pierces := func(a, b r3.Vec, t [3]r3.Vec) bool {
		n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
		da, db := a.Sub(t[0]).Dot(n), b.Sub(t[0]).Dot(n)
		if da*db >= 0 {
			return false
		}
		x := a.Lerp(b, da/(da-db))
		for k := range 3 {
			if t[(k+1)%3].Sub(t[k]).Cross(x.Sub(t[k])).Dot(n) <= 0 {
				return false
			}
		}
		return true
	}
	for k := range 3 {
		if pierces(p[k], p[(k+1)%3], q) || pierces(q[k], q[(k+1)%3], p) {
			return true
		}
	}
	return false
}

// The search by boxes finds just the pairs of a search over all pairs.
func TestSelfIntersectionsAgreeWithBruteForce(t *testing.T) {
	r := samples.NewRand(t, 15)
	for round := range 8 {
		m := &meshes.Tri{}
		for range 60 { // unconnected triangles in a box: many cut each other
			c := samples.RandomVec(r)
			n := int32(len(m.Verts))
			for range 3 {
				m.Verts = append(m.Verts, c.AddScaled(0.4, samples.RandomVec(r)))
			}
			m.Tris = append(m.Tris, [3]int32{n, n + 1, n + 2})
		}
		var want [][2]int32
		for i := range m.Tris {
			for j := i + 1; j < len(m.Tris); j++ {
				if segmentCuts(surfaces.Corners(m, m.Tris[i]), surfaces.Corners(m, m.Tris[j])) {
					want = append(want, [2]int32{int32(i), int32(j)})
				}
			}
		}
		got, _ := SelfIntersections(m, surfaces.MaxCrossings)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: %d pairs, brute force finds %d", round, len(got), len(want))
		}
		if len(want) == 0 {
			t.Errorf("round %d: no pair cuts: the test shows nothing", round)
		}
		if few, _ := SelfIntersections(m, 2); len(want) > 2 && !slices.Equal(few, want[:2]) {
			t.Errorf("limited to 2: %v, want %v", few, want[:2])
		}
	}
}

// Two convex bodies intersect as surfaces when they overlap without nesting.
func TestOverlapOfSpheresShowsAsSelfIntersection(t *testing.T) {
	for _, c := range []struct {
		distance float64
		cut      bool
	}{{0.2, false}, {0.6, true}, {1, true}, {1.4, true}, {1.6, false}} {
		m := samples.Together(samples.SphereSurface(1, 3), samples.Moved(samples.SphereSurface(0.5, 3), r3.Pose{R: r3.Identity(), P: r3.Vec{c.distance, 0.01, 0.02}}))
		if got := len(Diagnose(m).SelfIntersections) > 0; got != c.cut {
			t.Errorf("spheres of 1 and 0.5 at a distance of %g: cut %v", c.distance, got)
		}
	}
}

func TestOverlapInAPlaneIsACut(t *testing.T) {
	base := [3]r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}
	for _, c := range []struct {
		name  string
		other [3]r3.Vec
		cut   bool
	}{
		{"the same", base, true},
		{"inside", [3]r3.Vec{{0.1, 0.1, 0}, {0.3, 0.1, 0}, {0.1, 0.3, 0}}, true},
		{"across", [3]r3.Vec{{-1, 0.2, 0}, {2, 0.2, 0}, {0, 0.3, 0}}, true},
		{"beside", [3]r3.Vec{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, false},
		{"along an edge", [3]r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, -1, 0}}, false},
		{"at a corner", [3]r3.Vec{{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}, false},
		{"above", [3]r3.Vec{{0, 0, 0.1}, {1, 0, 0.1}, {0, 1, 0.1}}, false},
	} {
		m := &meshes.Tri{Tris: [][3]int32{{0, 1, 2}, {3, 4, 5}}}
		m.Verts = append(append(m.Verts, base[:]...), c.other[:]...)
		for _, flip := range []bool{false, true} {
			if flip {
				m.Tris[1] = [3]int32{3, 5, 4}
			}
			if cuts, _ := SelfIntersections(m, 9); (len(cuts) > 0) != c.cut {
				t.Errorf("%s, turned %v: cut %v", c.name, flip, !c.cut)
			}
		}
	}
}

// Nested shells: the depth of nesting decides which way is right.
func TestNestingDecidesTheOrientation(t *testing.T) {
	r := samples.NewRand(t, 17)
	for range 10 {
		var shells []*meshes.Tri
		want := 0
		for k, radius := range []float64{1, 0.8, 0.6, 0.4} {
			m := samples.SphereSurface(radius, 1)
			if r.IntN(2) == 0 {
				m = samples.FlippedTri(m)
			}
			if (m.Volume() > 0) != (k%2 == 0) {
				want++
			}
			shells = append(shells, m)
		}
		m := samples.Together(shells...)
		if d := Diagnose(m); d.InsideOut != want || d.Components != 4 {
			t.Errorf("%d shells inside out, want %d", d.InsideOut, want)
		}
		fixed, _ := Repair(m, Options{})
		if d := Diagnose(fixed); d.InsideOut != 0 {
			t.Errorf("%d shells inside out after repair", d.InsideOut)
		}
	}
}
