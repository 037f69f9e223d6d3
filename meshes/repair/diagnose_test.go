package repair

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

func join(ms ...*meshes.Tri) *meshes.Tri {
	out := &meshes.Tri{}
	for _, m := range ms {
		n := int32(len(out.Verts))
		out.Verts = append(out.Verts, m.Verts...)
		for _, t := range m.Tris {
			out.Tris = append(out.Tris, [3]int32{t[0] + n, t[1] + n, t[2] + n})
		}
	}
	return out
}

func TestDiagnosisOfACubeIsExact(t *testing.T) {
	d := Diagnose(samples.CubeTri(r3.Vec{1, 2, 3}, 0.5))
	if d.Area != 1.5 || math.Abs(d.Volume-0.125) > 1e-15 || d.Components != 1 || !d.Closed || d.Euler != 2 || d.Genus != 0 || d.Edges != 18 {
		t.Errorf("%+v", d)
	}
	if len(d.Holes)+len(d.NonManifoldEdges)+len(d.NonManifoldVerts)+d.InconsistentEdges+d.InsideOut+len(d.Degenerate)+len(d.Duplicate)+d.Unused+len(d.SelfIntersections) > 0 {
		t.Errorf("faults: %+v", d)
	}
	r := d.Findings(samples.CubeTri(r3.Vec{}, 0.5))
	if len(r.Warnings()) > 0 || r.Err() != nil {
		t.Error(r.String())
	}
}

func TestATorusHasAHandleAndTwoPiecesHaveNone(t *testing.T) {
	if d := Diagnose(samples.TorusTri(12)); d.Genus != 1 || d.Euler != 0 || !d.Closed || len(d.SelfIntersections) > 0 || d.InsideOut > 0 {
		t.Errorf("torus: %+v", d)
	}
	if d := Diagnose(join(samples.CubeTri(r3.Vec{}, 1), samples.CubeTri(r3.Vec{3, 0, 0}, 1))); d.Genus != 0 || d.Euler != 4 || d.Components != 2 {
		t.Errorf("two cubes: %+v", d)
	}
}

func TestHolesAreFoundWhereTheyAre(t *testing.T) {
	m := samples.CubeTri(r3.Vec{}, 1)
	m.Tris = append(m.Tris[:2:2], m.Tris[4:]...) // without the top
	d := Diagnose(m)
	if d.Closed || len(d.Holes) != 1 {
		t.Fatalf("%+v", d)
	}
	h := d.Holes[0]
	if len(h.Verts) != 4 || math.Abs(h.Length-4) > 1e-15 || h.Center != (r3.Vec{0.5, 0.5, 1}) {
		t.Errorf("%+v", h)
	}
	err := Watertight(m)
	if !errors.Is(err, ErrNotClosed) || !strings.Contains(err.Error(), "4 edges of 4 m at (0.5, 0.5, 1) m") {
		t.Errorf("%v", err)
	}
	// Two triangles missing that touch in one vertex are two holes.
	m = samples.CubeTri(r3.Vec{}, 1)
	m.Tris = slices.Delete(m.Tris, 0, 1) // 0 2 3
	i := slices.Index(m.Tris, [3]int32{0, 1, 5})
	m.Tris = slices.Delete(m.Tris, i, i+1)
	if d := Diagnose(m); len(d.Holes) != 2 || len(d.Holes[0].Verts) != 3 || len(d.Holes[1].Verts) != 3 {
		t.Errorf("%+v", d.Holes)
	}
}

func TestWatertightNamesEachFault(t *testing.T) {
	if err := Watertight(samples.CubeTri(r3.Vec{}, 1)); err != nil {
		t.Error(err)
	}
	m := samples.CubeTri(r3.Vec{}, 1)
	m.Tris[3][1], m.Tris[3][2] = m.Tris[3][2], m.Tris[3][1]
	if err := Watertight(m); err == nil || !strings.Contains(err.Error(), "disagree") {
		t.Errorf("flipped: %v", err)
	}
	m = samples.CubeTri(r3.Vec{}, 1)
	for i := range m.Tris {
		m.Tris[i][1], m.Tris[i][2] = m.Tris[i][2], m.Tris[i][1]
	}
	if err := Watertight(m); err == nil || !strings.Contains(err.Error(), "inside out") {
		t.Errorf("inside out: %v", err)
	}
	if d := Diagnose(m); d.InsideOut != 1 {
		t.Errorf("inside out: %+v", d)
	}
	m = samples.CubeTri(r3.Vec{}, 1) // and a fin on an edge
	m.Verts = append(m.Verts, r3.Vec{2, 2, 2})
	m.Tris = append(m.Tris, [3]int32{0, 1, 8})
	if err := Watertight(m); err == nil {
		t.Error("a fin is watertight")
	}
	if d := Diagnose(m); len(d.NonManifoldEdges) != 1 || d.NonManifoldEdges[0] != (NonManifoldEdge{0, 1, 3}) {
		t.Errorf("fin: %+v", d.NonManifoldEdges)
	}
	if err := Watertight(&meshes.Tri{}); !errors.Is(err, ErrNotClosed) {
		t.Errorf("nothing: %v", err)
	}
}

func TestPinchedVerticesAreFound(t *testing.T) {
	a, b := samples.CubeTri(r3.Vec{}, 1), samples.CubeTri(r3.Vec{1, 1, 1}, 1)
	m := join(a, b) // corner 7 of a is corner 0 of b
	for i := range m.Tris {
		for k := range m.Tris[i] {
			if m.Tris[i][k] == 8 {
				m.Tris[i][k] = 7
			}
		}
	}
	if d := Diagnose(m); !slices.Equal(d.NonManifoldVerts, []int32{7}) || d.Components != 2 || d.Unused != 1 || len(d.SelfIntersections) > 0 {
		t.Errorf("%+v", d)
	}
}

func TestSelfIntersectionsAreFoundAndTouchingIsNot(t *testing.T) {
	a := samples.CubeTri(r3.Vec{}, 1)
	for _, c := range []struct {
		name string
		m    *meshes.Tri
		cut  bool
	}{
		{"shifted into each other", join(a, samples.CubeTri(r3.Vec{0.5, 0.4, 0.3}, 1)), true},
		{"a corner inside", join(a, samples.CubeTri(r3.Vec{0.99, 0.99, 0.99}, 1)), true},
		{"shifted along an axis: faces overlap in planes", join(a, samples.CubeTri(r3.Vec{0.5, 0, 0}, 1)), true},
		{"touching faces overlap", join(a, samples.CubeTri(r3.Vec{1, 0.25, 0.25}, 1)), true},
		{"touching along an edge", join(a, samples.CubeTri(r3.Vec{1, 1, 0.25}, 1)), false},
		{"touching in a corner", join(a, samples.CubeTri(r3.Vec{1, 1, 1}, 1)), false},
		{"one inside the other", join(a, samples.CubeTri(r3.Vec{0.25, 0.25, 0.25}, 0.5)), false},
		{"apart", join(a, samples.CubeTri(r3.Vec{1.000001, 0, 0}, 1)), false},
	} {
		if got := len(Diagnose(c.m).SelfIntersections) > 0; got != c.cut {
			t.Errorf("%s: crossings %v, want %v", c.name, got, c.cut)
		}
	}
	// A vertex of a cube pushed through the opposite face: neighbours cut.
	m := samples.CubeTri(r3.Vec{}, 1)
	m.Verts[7] = r3.Vec{0.4, 0.3, -0.5}
	if len(Diagnose(m).SelfIntersections) == 0 {
		t.Error("a face pushed through another is not found")
	}
	// A fold back onto the neighbour.
	fold := &meshes.Tri{Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.5, 0}}, Tris: [][3]int32{{0, 1, 2}, {1, 0, 3}}}
	if len(Diagnose(fold).SelfIntersections) != 1 {
		t.Error("a fold is not found")
	}
	fold.Verts[3] = r3.Vec{0.3, -0.5, 0}
	if len(Diagnose(fold).SelfIntersections) != 0 {
		t.Error("neighbours in a plane seem to cut")
	}
}

func TestTetChecksNameTheFaults(t *testing.T) {
	m := samples.GridTets(2, 0.1)
	if r := CheckTet(m); r.Err() != nil {
		t.Error(r.String())
	}
	bad := samples.GridTets(2, 0.1)
	bad.Tets[4][0], bad.Tets[4][1] = bad.Tets[4][1], bad.Tets[4][0]
	if r := CheckTet(bad); r.Err() == nil || !strings.Contains(r.Err().Error(), "number 4 at (") || r.Count("inverted") != 1 {
		t.Error(r.String())
	}
	if m, rep := TetsOnRead(bad); rep.Err() != nil || rep.Count("inverted") != 1 || m.Volume(4) <= 0 {
		t.Error(rep.String())
	}
	bad = samples.GridTets(1, 0.1)
	bad.Tets[2][3] = bad.Tets[2][0]
	if _, rep := TetsOnRead(bad); rep.Err() == nil || !strings.Contains(rep.Err().Error(), "the first number 2 at (") {
		t.Error(rep.String())
	}
	bad = samples.GridTets(1, 0.1)
	bad.Tets = append(bad.Tets, bad.Tets[0], bad.Tets[0])
	if r := CheckTet(bad); r.Count("non-manifold-face") == 0 || r.Err() == nil {
		t.Error(r.String())
	}
	bad = samples.GridTets(1, 0.1)
	bad.Verts = append(bad.Verts, bad.Verts[0])
	bad.Tets[0][0] = 8
	if r := CheckTet(bad); r.Count("coincident") != 1 {
		t.Error(r.String())
	}
	two := samples.GridTets(1, 0.1)
	for _, p := range samples.OneTet {
		two.Verts = append(two.Verts, p.Add(r3.Vec{1, 0, 0}))
	}
	two.Verts = append(two.Verts, r3.Vec{5, 5, 5})
	two.Tets = append(two.Tets, [4]int32{8, 9, 10, 11})
	m, rep := TetsOnRead(two)
	if rep.Count("parts") != 2 || rep.Count("unused-vertex") != 1 || len(m.Verts) != 12 || rep.Err() != nil {
		t.Error(rep.String())
	}
}

// The rim of a surface without one triangle is that triangle's edges; a triangle turned over counts
// twice, since its neighbours run along its edges as it does.
func TestRimLengthCountsEdgesRunInOneDirection(t *testing.T) {
	m := samples.SphereSurface(1, 2)
	if l := RimLength(m); l != 0 {
		t.Errorf("closed: %g m", l)
	}
	tri := m.Tris[17]
	var around float64
	for k := range 3 {
		around += m.Verts[tri[k]].Sub(m.Verts[tri[(k+1)%3]]).Norm()
	}
	open := &meshes.Tri{Verts: m.Verts, Tris: slices.Delete(slices.Clone(m.Tris), 17, 18)}
	turned := &meshes.Tri{Verts: m.Verts, Tris: slices.Clone(m.Tris)}
	turned.Tris[17] = [3]int32{tri[1], tri[0], tri[2]}
	for _, c := range []struct {
		m    *meshes.Tri
		want float64
	}{{open, around}, {turned, 2 * around}} {
		if l := RimLength(c.m); math.Abs(l-c.want) > 1e-15 {
			t.Errorf("%g m, want %g", l, c.want)
		}
	}
}
