package meshes

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

func join(ms ...*Tri) *Tri {
	out := &Tri{}
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
	d := Diagnose(cubeTri(r3.Vec{1, 2, 3}, 0.5))
	if d.Area != 1.5 || math.Abs(d.Volume-0.125) > 1e-15 || d.Components != 1 || !d.Closed || d.Euler != 2 || d.Genus != 0 || d.Edges != 18 {
		t.Errorf("%+v", d)
	}
	if len(d.Holes)+len(d.NonManifoldEdges)+len(d.NonManifoldVerts)+d.InconsistentEdges+d.InsideOut+len(d.Degenerate)+len(d.Duplicate)+d.Unused+len(d.SelfIntersections) > 0 {
		t.Errorf("faults: %+v", d)
	}
	r := d.Findings(cubeTri(r3.Vec{}, 0.5))
	if len(r.Warnings()) > 0 || r.Err() != nil {
		t.Error(r.String())
	}
}

func TestATorusHasAHandleAndTwoPiecesHaveNone(t *testing.T) {
	if d := Diagnose(torusTri(12)); d.Genus != 1 || d.Euler != 0 || !d.Closed || len(d.SelfIntersections) > 0 || d.InsideOut > 0 {
		t.Errorf("torus: %+v", d)
	}
	if d := Diagnose(join(cubeTri(r3.Vec{}, 1), cubeTri(r3.Vec{3, 0, 0}, 1))); d.Genus != 0 || d.Euler != 4 || d.Components != 2 {
		t.Errorf("two cubes: %+v", d)
	}
}

func TestHolesAreFoundWhereTheyAre(t *testing.T) {
	m := cubeTri(r3.Vec{}, 1)
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
	m = cubeTri(r3.Vec{}, 1)
	m.Tris = slices.Delete(m.Tris, 0, 1) // 0 2 3
	i := slices.Index(m.Tris, [3]int32{0, 1, 5})
	m.Tris = slices.Delete(m.Tris, i, i+1)
	if d := Diagnose(m); len(d.Holes) != 2 || len(d.Holes[0].Verts) != 3 || len(d.Holes[1].Verts) != 3 {
		t.Errorf("%+v", d.Holes)
	}
}

func TestWatertightNamesEachFault(t *testing.T) {
	if err := Watertight(cubeTri(r3.Vec{}, 1)); err != nil {
		t.Error(err)
	}
	m := cubeTri(r3.Vec{}, 1)
	m.Tris[3][1], m.Tris[3][2] = m.Tris[3][2], m.Tris[3][1]
	if err := Watertight(m); err == nil || !strings.Contains(err.Error(), "disagree") {
		t.Errorf("flipped: %v", err)
	}
	m = cubeTri(r3.Vec{}, 1)
	for i := range m.Tris {
		m.Tris[i][1], m.Tris[i][2] = m.Tris[i][2], m.Tris[i][1]
	}
	if err := Watertight(m); err == nil || !strings.Contains(err.Error(), "inside out") {
		t.Errorf("inside out: %v", err)
	}
	if d := Diagnose(m); d.InsideOut != 1 {
		t.Errorf("inside out: %+v", d)
	}
	m = cubeTri(r3.Vec{}, 1) // and a fin on an edge
	m.Verts = append(m.Verts, r3.Vec{2, 2, 2})
	m.Tris = append(m.Tris, [3]int32{0, 1, 8})
	if err := Watertight(m); err == nil {
		t.Error("a fin is watertight")
	}
	if d := Diagnose(m); len(d.NonManifoldEdges) != 1 || d.NonManifoldEdges[0] != (NonManifoldEdge{0, 1, 3}) {
		t.Errorf("fin: %+v", d.NonManifoldEdges)
	}
	if err := Watertight(&Tri{}); !errors.Is(err, ErrNotClosed) {
		t.Errorf("nothing: %v", err)
	}
}

func TestPinchedVerticesAreFound(t *testing.T) {
	a, b := cubeTri(r3.Vec{}, 1), cubeTri(r3.Vec{1, 1, 1}, 1)
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
	a := cubeTri(r3.Vec{}, 1)
	for _, c := range []struct {
		name string
		m    *Tri
		cut  bool
	}{
		{"shifted into each other", join(a, cubeTri(r3.Vec{0.5, 0.4, 0.3}, 1)), true},
		{"a corner inside", join(a, cubeTri(r3.Vec{0.99, 0.99, 0.99}, 1)), true},
		{"shifted along an axis: faces overlap in planes", join(a, cubeTri(r3.Vec{0.5, 0, 0}, 1)), true},
		{"touching faces overlap", join(a, cubeTri(r3.Vec{1, 0.25, 0.25}, 1)), true},
		{"touching along an edge", join(a, cubeTri(r3.Vec{1, 1, 0.25}, 1)), false},
		{"touching in a corner", join(a, cubeTri(r3.Vec{1, 1, 1}, 1)), false},
		{"one inside the other", join(a, cubeTri(r3.Vec{0.25, 0.25, 0.25}, 0.5)), false},
		{"apart", join(a, cubeTri(r3.Vec{1.000001, 0, 0}, 1)), false},
	} {
		if got := len(Diagnose(c.m).SelfIntersections) > 0; got != c.cut {
			t.Errorf("%s: crossings %v, want %v", c.name, got, c.cut)
		}
	}
	// A vertex of a cube pushed through the opposite face: neighbours cut.
	m := cubeTri(r3.Vec{}, 1)
	m.Verts[7] = r3.Vec{0.4, 0.3, -0.5}
	if len(Diagnose(m).SelfIntersections) == 0 {
		t.Error("a face pushed through another is not found")
	}
	// A fold back onto the neighbour.
	fold := &Tri{Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.5, 0}}, Tris: [][3]int32{{0, 1, 2}, {1, 0, 3}}}
	if len(Diagnose(fold).SelfIntersections) != 1 {
		t.Error("a fold is not found")
	}
	fold.Verts[3] = r3.Vec{0.3, -0.5, 0}
	if len(Diagnose(fold).SelfIntersections) != 0 {
		t.Error("neighbours in a plane seem to cut")
	}
}

// Random pairs of triangles against the definition: a side of one passes through
// the other, computed in rational arithmetic.
func TestCutAgreesWithSegmentsThroughTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	cuts := 0
	for range 1000 {
		m := &Tri{Tris: [][3]int32{{0, 1, 2}, {3, 4, 5}}}
		for range 6 {
			m.Verts = append(m.Verts, r3.Vec{r.Float64(), r.Float64(), r.Float64()})
		}
		through := func(p, q, a, b, c r3.Vec) bool {
			if sideExact(a, b, c, p) == sideExact(a, b, c, q) {
				return false
			}
			s := sideExact(p, q, a, b)
			return sideExact(p, q, b, c) == s && sideExact(p, q, c, a) == s
		}
		want := false
		for _, o := range [2][2]int{{0, 3}, {3, 0}} {
			s, t := m.Verts[o[0]:o[0]+3], m.Verts[o[1]:o[1]+3]
			for k := range 3 {
				want = want || through(s[k], s[(k+1)%3], t[0], t[1], t[2])
			}
		}
		if got := cutEachOther(m, m.Tris[0], m.Tris[1]); got != want {
			t.Fatalf("%v: cut %v, want %v", m.Verts, got, want)
		}
		if want {
			cuts++
		}
	}
	if cuts < 100 || cuts > 900 {
		t.Errorf("%d of 1000 cut: the test tests nothing", cuts)
	}
}

func TestSideIsExactNearThePlane(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	zero := 0
	for range 2000 {
		var p [4]r3.Vec
		for i := range 3 {
			p[i] = r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		}
		u, v := r.Float64(), r.Float64()
		p[3] = p[0].Scale(1-u-v).AddScaled(u, p[1]).AddScaled(v, p[2])
		if got, want := side(p[0], p[1], p[2], p[3]), sideRational(p[0], p[1], p[2], p[3]); got != want {
			t.Fatalf("%v: %d, want %d", p, got, want)
		}
		p[3][2] = p[0][2]
		p[1][2], p[2][2] = p[0][2], p[0][2]
		if side(p[0], p[1], p[2], p[3]) == 0 {
			zero++
		}
	}
	if zero != 2000 {
		t.Errorf("%d of 2000 points of a plane are found on it", zero)
	}
	if side(r3.Vec{}, r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}, r3.Vec{0, 0, 1}) != 1 {
		t.Error("the sign is the wrong way round")
	}
}

func TestTetChecksNameTheFaults(t *testing.T) {
	m := gridTets(2, 0.1)
	if r := CheckTet(m); r.Err() != nil {
		t.Error(r.String())
	}
	bad := gridTets(2, 0.1)
	bad.Tets[4][0], bad.Tets[4][1] = bad.Tets[4][1], bad.Tets[4][0]
	if r := CheckTet(bad); r.Err() == nil || !strings.Contains(r.Err().Error(), "number 4 at (") || r.Count("inverted") != 1 {
		t.Error(r.String())
	}
	if m, rep := repairTetsOnRead(bad); rep.Err() != nil || rep.Count("inverted") != 1 || m.Volume(4) <= 0 {
		t.Error(rep.String())
	}
	bad = gridTets(1, 0.1)
	bad.Tets[2][3] = bad.Tets[2][0]
	if _, rep := repairTetsOnRead(bad); rep.Err() == nil || !strings.Contains(rep.Err().Error(), "the first number 2 at (") {
		t.Error(rep.String())
	}
	bad = gridTets(1, 0.1)
	bad.Tets = append(bad.Tets, bad.Tets[0], bad.Tets[0])
	if r := CheckTet(bad); r.Count("non-manifold-face") == 0 || r.Err() == nil {
		t.Error(r.String())
	}
	bad = gridTets(1, 0.1)
	bad.Verts = append(bad.Verts, bad.Verts[0])
	bad.Tets[0][0] = 8
	if r := CheckTet(bad); r.Count("coincident") != 1 {
		t.Error(r.String())
	}
	two := gridTets(1, 0.1)
	for _, p := range oneTet {
		two.Verts = append(two.Verts, p.Add(r3.Vec{1, 0, 0}))
	}
	two.Verts = append(two.Verts, r3.Vec{5, 5, 5})
	two.Tets = append(two.Tets, [4]int32{8, 9, 10, 11})
	m, rep := repairTetsOnRead(two)
	if rep.Count("parts") != 2 || rep.Count("unused-vertex") != 1 || len(m.Verts) != 12 || rep.Err() != nil {
		t.Error(rep.String())
	}
}

// The rim of a surface without one triangle is that triangle's edges; a triangle turned over counts
// twice, since its neighbours run along its edges as it does.
func TestRimLengthCountsEdgesRunInOneDirection(t *testing.T) {
	m := sphereSurface(1, 2)
	if l := RimLength(m); l != 0 {
		t.Errorf("closed: %g m", l)
	}
	tri := m.Tris[17]
	var around float64
	for k := range 3 {
		around += m.Verts[tri[k]].Sub(m.Verts[tri[(k+1)%3]]).Norm()
	}
	open := &Tri{Verts: m.Verts, Tris: slices.Delete(slices.Clone(m.Tris), 17, 18)}
	turned := &Tri{Verts: m.Verts, Tris: slices.Clone(m.Tris)}
	turned.Tris[17] = [3]int32{tri[1], tri[0], tri[2]}
	for _, c := range []struct {
		m    *Tri
		want float64
	}{{open, around}, {turned, 2 * around}} {
		if l := RimLength(c.m); math.Abs(l-c.want) > 1e-15 {
			t.Errorf("%g m, want %g", l, c.want)
		}
	}
}

// Neighbours in one plane, of which plane faces consist, are told apart without exact signs, and no pair that cuts is lost: the fast
// tests never contradict the exact one.
func TestTrianglesAreToldApartOnlyWhereTheyDoNotCut(t *testing.T) {
	r := newRand(t, 41)
	apart, cuts := 0, 0
	for range 3000 {
		// corners on a coarse grid share vertices, edges and planes
		m := &Tri{}
		for range 6 {
			p := r3.Vec{float64(r.IntN(3)), float64(r.IntN(3)), float64(r.IntN(2))}
			m.Verts = append(m.Verts, p.Scale(0.1).Add(r3.Vec{0.3, 0.7, -0.2}))
		}
		k := r.IntN(4) // number of common corners
		m.Tris = [][3]int32{{0, 1, 2}, {3, 4, 5}}
		for i, at := range r.Perm(3)[:min(k, 2)] {
			m.Tris[1][at] = int32(i)
		}
		s := newCrossings(m)
		if s.flats[0] || s.flats[1] {
			continue
		}
		cut := cutEachOther(m, m.Tris[0], m.Tris[1])
		if cut {
			cuts++
		}
		for _, pair := range [][2]int32{{0, 1}, {1, 0}} {
			if !s.apart(pair[0], pair[1]) {
				continue
			}
			apart++
			if cut {
				t.Fatalf("triangles %v of %v cut each other, and were told apart", m.Tris, m.Verts)
			}
		}
	}
	if apart < 300 || cuts < 100 {
		t.Errorf("%d pairs told apart, %d cut: too few", apart, cuts)
	}
	// two halves of a square, and a fan of a plane face
	m := &Tri{Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.3, 2, 0}}, Tris: [][3]int32{{0, 1, 2}, {0, 2, 3}, {3, 2, 4}}}
	s := newCrossings(m)
	for _, pair := range [][2]int32{{0, 1}, {1, 2}, {0, 2}} {
		if !s.apart(pair[0], pair[1]) {
			t.Errorf("triangles %v of a plane face take exact signs", pair)
		}
	}
}
