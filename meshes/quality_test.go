package meshes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

func TestShapesOfKnownTetsAreExact(t *testing.T) {
	regular := &meshes.Tet{Verts: []r3.Vec{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, Tets: [][4]int32{{0, 1, 3, 2}}}
	s := regular.Shape(0)
	if s.Volume < 0 {
		regular.Tets[0] = [4]int32{0, 1, 2, 3}
		s = regular.Shape(0)
	}
	if d := math.Acos(1.0 / 3); !near(s.MinDihedral, d) || !near(s.MaxDihedral, d) || !near(s.RadiusRatio, 1) || !near(s.MinEdge, math.Sqrt(8)) || !near(s.Volume, 8.0/3) {
		t.Errorf("regular: %+v", s)
	}
	corner := &meshes.Tet{Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Tets: [][4]int32{{0, 1, 2, 3}}}
	s = corner.Shape(0)
	r, R := 3*(1.0/6)/(1.5+math.Sqrt(3)/2), math.Sqrt(3)/2
	if !near(s.MaxDihedral, math.Pi/2) || !near(s.MinDihedral, math.Acos(1/math.Sqrt(3))) || !near(s.RadiusRatio, 3*r/R) || !near(s.MaxEdge, math.Sqrt2) {
		t.Errorf("corner: %+v", s)
	}
	corner.Tets[0] = [4]int32{1, 0, 2, 3}
	if s := corner.Shape(0); !near(s.RadiusRatio, -3*r/R) || !near(s.Volume, -1.0/6) {
		t.Errorf("inverted corner: %+v", s)
	}
	corner.Verts[3] = r3.Vec{0.3, 0.3, 0}
	if s := corner.Shape(0); s.RadiusRatio != 0 || s.Volume != 0 || math.IsNaN(s.MinDihedral) {
		t.Errorf("flat: %+v", s)
	}
}

// Moving, turning and scaling a mesh leaves angles and ratios as they are.
func TestShapesDoNotDependOnPlaceTurnOrSize(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		m, n := &meshes.Tet{Tets: [][4]int32{{0, 1, 2, 3}}}, &meshes.Tet{Tets: [][4]int32{{0, 1, 2, 3}}}
		R := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		for range 4 {
			p := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			m.Verts = append(m.Verts, p)
			n.Verts = append(n.Verts, R.MulVec(p).Scale(1e-3).Add(r3.Vec{1e-3, 2e-3, 3e-3}))
		}
		a, b := m.Shape(0), n.Shape(0)
		if math.Abs(a.RadiusRatio-b.RadiusRatio) > 1e-10 || math.Abs(a.MinDihedral-b.MinDihedral) > 1e-9 || math.Abs(a.Volume-1e9*b.Volume) > 1e-10 {
			t.Fatalf("%+v, %+v", a, b)
		}
	}
}

func TestQualitySumsUp(t *testing.T) {
	m := samples.GridTets(3, 0.1)
	q := meshes.TetQuality(m)
	if q.Tets != 162 || q.Vertices != 64 || !near(q.Volume, 0.027) || !near(q.MinDihedral, math.Pi/4) || !near(q.MaxDihedral, math.Pi/2) || q.Inverted != 0 {
		t.Errorf("%+v", q)
	}
	sum := 0
	for _, n := range q.Dihedral {
		sum += n
	}
	if sum != q.Tets || math.Abs(q.MeanRatio-q.MinRatio) > 1e-12 {
		t.Errorf("%+v", q)
	}
	if q.String() == "" {
		t.Error("no histogram")
	}
}

// A plate one cube thick has no vertex inside, a block of six has few without a
// neighbour inside.
func TestThinWallsAreReported(t *testing.T) {
	if w := meshes.OneElementWalls(samples.GridTets(1, 1)); w.BoundaryTets != 1 || w.ThinVerts != 1 {
		t.Errorf("%+v", w)
	}
	w := meshes.OneElementWalls(samples.GridTets(6, 1))
	if w.ThinVerts > 0.2 || w.BoundaryTets > 0.1 {
		t.Errorf("block: %+v", w)
	}
}

// Splitting keeps the volume, the boundary and the old vertices, and leaves no
// tet, and on request no inner edge or face, with all vertices on the boundary.
func TestSplittingLeavesNoTetOnTheBoundaryAlone(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for _, opt := range []meshes.SplitOptions{{}, {Faces: true}, {Edges: true}, {Edges: true, Faces: true}} {
			m := samples.GridTets(n, 0.1)
			r := rand.New(rand.NewPCG(13, uint64(n)))
			for i := range m.Verts { // no symmetry
				for k := range 3 {
					m.Verts[i][k] += 0.01 * r.Float64()
				}
			}
			before, _ := m.Boundary()
			got, res, err := meshes.SplitBoundary(m, opt)
			if err != nil {
				t.Fatal(err)
			}
			if d := meshes.TetQuality(got).Volume - meshes.TetQuality(m).Volume; math.Abs(d) > 1e-14 {
				t.Errorf("n=%d %+v: the volume changed by %g", n, opt, d)
			}
			after, _ := got.Boundary()
			if !sameTriangles(before, after) {
				t.Errorf("n=%d %+v: the boundary changed: %d triangles became %d", n, opt, len(before), len(after))
			}
			for i, p := range m.Verts {
				if got.Verts[i] != p {
					t.Fatalf("n=%d: vertex %d moved", n, i)
				}
			}
			if rep := repair.CheckTet(got); rep.Err() != nil || rep.Count("boundary-tet") != 0 || rep.Count("unused-vertex") != 0 {
				t.Errorf("n=%d %+v:\n%s", n, opt, rep.String())
			}
			edges, faces := innerOnBoundary(got)
			if opt.Edges && edges > 0 || opt.Edges && opt.Faces && faces > 0 {
				t.Errorf("n=%d %+v: %d inner edges and %d inner faces are left on the boundary", n, opt, edges, faces)
			}
			if n == 1 && res.Tets+res.Edges+res.Faces == 0 {
				t.Error("nothing was split")
			}
			if rep := res.Findings(); rep.String() == "" || res.After.MinRatio <= 0 {
				t.Error(rep.String())
			}
		}
	}
}

// Faces alone, where a neck has all edges of a face on its boundary.
func TestFacesOfANeckAreSplit(t *testing.T) {
	m := &meshes.Tet{
		Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1}, {0.3, 0.3, -1}},
		Tets:  [][4]int32{{0, 1, 2, 3}, {0, 2, 1, 4}},
	}
	got, res, err := meshes.SplitBoundary(m, meshes.SplitOptions{Edges: true, Faces: true})
	if err != nil || res.Edges != 0 || res.Faces != 1 || res.Tets != 0 || len(got.Tets) != 6 {
		t.Fatalf("%+v, %v", res, err)
	}
	if !near(meshes.TetQuality(got).Volume, 1.0/3) {
		t.Errorf("volume %g", meshes.TetQuality(got).Volume)
	}
	// A chain of necks: each tet between has two such faces.
	chain := &meshes.Tet{Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}
	top := [3]int32{0, 1, 2}
	for i := range 6 {
		v := int32(len(chain.Verts))
		base := chain.Verts[top[0]].Add(chain.Verts[top[1]]).Add(chain.Verts[top[2]]).Scale(1.0 / 3)
		chain.Verts = append(chain.Verts, base.Add(r3.Vec{0.1, 0.05 * float64(i), 1}))
		chain.Tets = append(chain.Tets, [4]int32{top[0], top[1], top[2], v})
		if chain.Volume(i) < 0 {
			chain.Tets[i][0], chain.Tets[i][1] = chain.Tets[i][1], chain.Tets[i][0]
		}
		top[i%3] = v
	}
	want := meshes.TetQuality(chain).Volume
	got, res, err = meshes.SplitBoundary(chain, meshes.SplitOptions{Faces: true})
	if err != nil || res.Faces != 5 || math.Abs(meshes.TetQuality(got).Volume-want) > 1e-13 {
		t.Fatalf("%+v, %v", res, err)
	}
	if _, faces := innerOnBoundary(got); faces > 0 {
		t.Errorf("%d faces are left", faces)
	}
	if rep := repair.CheckTet(got); rep.Err() != nil {
		t.Error(rep.String())
	}
}

func sameTriangles(a, b [][3]int32) bool {
	set := map[[3]int32]int{}
	rot := func(t [3]int32) [3]int32 {
		for t[0] > t[1] || t[0] > t[2] {
			t = [3]int32{t[1], t[2], t[0]}
		}
		return t
	}
	for _, t := range a {
		set[rot(t)]++
	}
	for _, t := range b {
		set[rot(t)]--
	}
	for _, n := range set {
		if n != 0 {
			return false
		}
	}
	return true
}

// innerOnBoundary counts inner edges and faces whose vertices all lie on the
// boundary, by brute force.
func innerOnBoundary(m *meshes.Tet) (edges, faces int) {
	on := samples.OnBoundary(m)
	tris, _ := m.Boundary()
	outerE, outerF := map[[2]int32]bool{}, map[[3]int32]bool{}
	for _, t := range tris {
		k, _ := meshes.SortedTri(t)
		outerF[k] = true
		for i := range 3 {
			outerE[meshes.SideKey(t[i], t[(i+1)%3])] = true
		}
	}
	seenE, seenF := map[[2]int32]bool{}, map[[3]int32]bool{}
	for _, t := range m.Tets {
		for _, e := range meshes.TetEdges {
			k := meshes.SideKey(t[e[0]], t[e[1]])
			if on[k[0]] && on[k[1]] && !outerE[k] && !seenE[k] {
				seenE[k] = true
				edges++
			}
		}
		for _, f := range meshes.TetFaces {
			k, _ := meshes.SortedTri([3]int32{t[f[0]], t[f[1]], t[f[2]]})
			if on[k[0]] && on[k[1]] && on[k[2]] && !outerF[k] && !seenF[k] {
				seenF[k] = true
				faces++
			}
		}
	}
	return edges, faces
}
