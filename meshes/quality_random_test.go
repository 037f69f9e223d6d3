package meshes_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// circumsphere solves |x − p_i|² = R² for the centre relative to p_0 by Cramer's rule.
func circumsphere(p [4]r3.Vec) float64 {
	var m r3.Mat
	var b r3.Vec
	for i := range 3 {
		d := p[i+1].Sub(p[0])
		m[3*i], m[3*i+1], m[3*i+2] = d[0], d[1], d[2]
		b[i] = d.Norm2() / 2
	}
	var x r3.Vec
	for k := range 3 {
		n := m
		for i := range 3 {
			n[3*i+k] = b[i]
		}
		x[k] = n.Det() / m.Det()
	}
	return x.Norm()
}

// Shapes of random tets against other formulas, and inequalities that are true for all:
// ρ ≤ 1, 2π ≤ Σ θ ≤ 3π (Gaddum 1956), edges and volume.
func TestShapesOfRandomTetsKeepTheInequalities(t *testing.T) {
	r := samples.NewRand(t, 51)
	for range 500 {
		p := [4]r3.Vec{samples.RandomVec(r), samples.RandomVec(r), samples.RandomVec(r), samples.RandomVec(r)}
		m := &meshes.Tet{Verts: p[:], Tets: [][4]int32{{0, 1, 2, 3}}}
		s := m.Shape(0)
		if math.Abs(s.Volume) < 1e-3 {
			continue
		}
		if s.Volume < 0 {
			if s.RadiusRatio >= 0 {
				t.Errorf("an inverted tet has the radius ratio %g", s.RadiusRatio)
			}
			m.Tets[0] = [4]int32{0, 1, 3, 2}
			u := m.Shape(0)
			if math.Abs(u.Volume+s.Volume) > 1e-15 || math.Abs(u.RadiusRatio+s.RadiusRatio) > 1e-12 || math.Abs(u.MinDihedral-s.MinDihedral) > 1e-12 {
				t.Errorf("reversed: %+v, was %+v", u, s)
			}
			s = u
		}
		area, sum := 0.0, 0.0
		var n [4]r3.Vec
		for i, f := range meshes.TetFaces {
			a, b, c := m.Verts[m.Tets[0][f[0]]], m.Verts[m.Tets[0][f[1]]], m.Verts[m.Tets[0][f[2]]]
			n[i] = b.Sub(a).Cross(c.Sub(a))
			area += n[i].Norm() / 2
		}
		for i := range 4 {
			for j := range i {
				sum += math.Acos(-n[i].Dot(n[j]) / (n[i].Norm() * n[j].Norm()))
			}
		}
		if sum < 2*math.Pi-1e-9 || sum > 3*math.Pi+1e-9 {
			t.Errorf("dihedral angles sum up to %g", sum)
		}
		if want := 3 * (3 * s.Volume / area) / circumsphere(p); math.Abs(s.RadiusRatio-want) > 1e-9 || s.RadiusRatio > 1+1e-12 {
			t.Errorf("radius ratio %g, by the centre of the sphere %g", s.RadiusRatio, want)
		}
		if s.MinEdge > s.MaxEdge || s.MinDihedral > s.MaxDihedral || s.Volume > math.Pow(s.MaxEdge, 3)/(6*math.Sqrt2)+1e-12 {
			t.Errorf("%+v", s)
		}
	}
}

// Sums and extremes over a mesh against a loop over its tets.
func TestQualityAgreesWithBruteForce(t *testing.T) {
	r := samples.NewRand(t, 52)
	for name, m := range prisms.RandomTets(t, r) {
		q := meshes.TetQuality(m)
		least, volume, ratio, edges := math.Inf(1), 0.0, 0.0, 0.0
		var bins [18]int
		for i := range m.Tets {
			s := m.Shape(i)
			least = min(least, s.RadiusRatio)
			volume += s.Volume
			ratio += s.RadiusRatio
			bins[int(s.MinDihedral*180/math.Pi/5)]++
			for _, e := range meshes.TetEdges {
				edges += m.Verts[m.Tets[i][e[0]]].Sub(m.Verts[m.Tets[i][e[1]]]).Norm()
			}
		}
		n := float64(len(m.Tets))
		if q.MinRatio != least || math.Abs(q.Volume-volume) > 1e-12 || math.Abs(q.MeanRatio-ratio/n) > 1e-12 || math.Abs(q.MeanEdge-edges/(6*n)) > 1e-12 {
			t.Errorf("%s: %+v", name, q)
		}
		if q.Dihedral != bins || m.Shape(q.Worst).RadiusRatio != least || q.Tets != len(m.Tets) || q.Vertices != len(m.Verts) {
			t.Errorf("%s: histogram %v, want %v", name, q.Dihedral, bins)
		}
		total := 0
		for _, k := range q.Ratio {
			total += k
		}
		if total != len(m.Tets) {
			t.Errorf("%s: the bins of the radius ratio have %d of %d tets", name, total, len(m.Tets))
		}
	}
}

// A box of n cells in one direction and one in the others is all wall.
func TestWallsOfBoxes(t *testing.T) {
	for _, c := range []struct {
		cells [3]int
		thin  bool // every vertex on the boundary
	}{{[3]int{1, 1, 1}, true}, {[3]int{4, 4, 1}, true}, {[3]int{2, 2, 2}, false}, {[3]int{4, 4, 4}, false}} {
		m, err := meshes.BoxTets(r3.Vec{1, 1, 1}, c.cells)
		if err != nil {
			t.Fatal(err)
		}
		w := meshes.TetQuality(m).Walls
		if (w.BoundaryTets == 1) != c.thin || (w.ThinVerts == 1) != c.thin {
			t.Errorf("%v cells: %+v", c.cells, w)
		}
		if w.BoundaryTets < 0 || w.BoundaryTets > 1 || w.BothSides < 0 || w.BothSides > 1 || w.ThinVerts < 0 || w.ThinVerts > 1 {
			t.Errorf("%v cells: fractions %+v", c.cells, w)
		}
	}
	if w := meshes.TetQuality(&meshes.Tet{}).Walls; w != (meshes.Walls{}) {
		t.Errorf("an empty mesh has walls %+v", w)
	}
}

func TestQualityIsReportedByItsLimits(t *testing.T) {
	flat := &meshes.Tet{Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 0.01}}, Tets: [][4]int32{{0, 1, 2, 3}}}
	rep := repair.CheckTet(flat)
	if rep.Count("poor") == 0 || rep.Count("boundary-tet") != 1 || rep.Err() != nil {
		t.Error(rep.String())
	}
	empty := repair.CheckTet(&meshes.Tet{})
	if empty.Count("empty") != 0 || empty.Err() == nil || !strings.Contains(empty.Err().Error(), "no tetrahedra") {
		t.Error(empty.String())
	}
	good, err := meshes.BoxTets(r3.Vec{1, 1, 1}, [3]int{4, 4, 4})
	if err != nil {
		t.Fatal(err)
	}
	if rep := repair.CheckTet(good); len(rep.Warnings()) > 0 {
		t.Error(rep.String())
	}
	q := meshes.TetQuality(good)
	if text := q.String(); !strings.Contains(text, "384 tetrahedra, 125 vertices") || !strings.Contains(text, "#") {
		t.Error(text)
	}
	data, err := json.Marshal(q)
	if err != nil || !strings.Contains(string(data), `"min_dihedral_rad":`) || !strings.Contains(string(data), `"walls":{"boundary_tets":`) {
		t.Errorf("%s, %v", data, err)
	}
}

// Splitting keeps volume and boundary, and leaves no tet with all its vertices on the
// boundary, for any mesh.
func TestSplittingRandomMeshes(t *testing.T) {
	r := samples.NewRand(t, 53)
	for name, m := range prisms.RandomTets(t, r) {
		for _, opt := range []meshes.SplitOptions{{}, {Edges: true}, {Faces: true}, {Edges: true, Faces: true}} {
			got, res, err := meshes.SplitBoundary(m, opt)
			if err != nil {
				t.Fatalf("%s %+v: %v", name, opt, err)
			}
			samples.CheckTets(t, got)
			if math.Abs(samples.VolumeOf(got)-samples.VolumeOf(m)) > 1e-12 || meshes.TetQuality(got).Walls.BoundaryTets != 0 {
				t.Errorf("%s %+v: volume %g of %g, %g on the boundary", name, opt, samples.VolumeOf(got), samples.VolumeOf(m), meshes.TetQuality(got).Walls.BoundaryTets)
			}
			before, _ := m.Boundary()
			after, _ := got.Boundary()
			if !sameTriangles(before, after) {
				t.Errorf("%s %+v: the boundary changed", name, opt)
			}
			if edges, faces := innerOnBoundary(got); opt.Edges && edges > 0 || opt.Faces && faces > 0 {
				t.Errorf("%s %+v: %d edges and %d faces are left", name, opt, edges, faces)
			}
			if res.After.Tets != len(got.Tets) || res.Before.Tets != len(m.Tets) || (res.Edges > 0) && !opt.Edges || res.Faces > 0 && !opt.Faces {
				t.Errorf("%s %+v: result %+v", name, opt, res)
			}
			if f := res.Findings(); f.Count("split") != res.Edges+res.Faces+res.Tets {
				t.Errorf("%s: %s", name, f.String())
			}
		}
	}
}
