package surfaces

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// combPrism is a prism over a comb of 4 k + 2 corners: k teeth on a back that is one edge long.
func combPrism(k int) *meshes.Tri {
	var base [][2]float64
	for i := range k {
		x := float64(i) / float64(k)
		base = append(base, [2]float64{x, 0.5}, [2]float64{x + 0.5/float64(k), 0.5}, [2]float64{x + 0.5/float64(k), 0.05}, [2]float64{x + 1/float64(k), 0.05})
	}
	base = append(base, [2]float64{1, 0}, [2]float64{0, 0})
	slices.Reverse(base)
	n := len(base)
	m := &meshes.Tri{}
	top, bottom := make([]int32, n), make([]int32, n)
	for level, z := range []float64{0, 0.1} {
		for i, p := range base {
			m.Verts = append(m.Verts, r3.Vec{p[0], p[1], z})
			top[i], bottom[n-1-i] = int32(level*n+i), int32(i)
		}
	}
	m.Tris = AppendPolygon(AppendPolygon(nil, m.Verts, top), m.Verts, bottom)
	for i := range n {
		j := (i + 1) % n
		m.Tris = append(m.Tris, [3]int32{int32(i), int32(j), int32(n + j)}, [3]int32{int32(i), int32(n + j), int32(n + i)})
	}
	return m
}

// A comb of 4,000 corners is triangulated and found to be free of cuts in a second: all triangles at
// its back meet in two corners, 4 million pairs of boxes.
func TestCombsOfManyCornersAreExamined(t *testing.T) {
	begin := time.Now()
	m := combPrism(1000)
	EachEdge(EdgeUses(m), func(u []EdgeUse) {
		if Balance(u) != 0 {
			t.Fatalf("the edge %d–%d is open", u[0].A, u[0].B)
		}
	})
	// the back, and a tooth for each root
	if v, want := m.Volume(), 0.1*(0.05+0.5*0.45); math.Abs(v-want) > 1e-12 {
		t.Errorf("volume %g, want %g", v, want)
	}
	if p := flatPatches(m, make([]bool, len(m.Tris))); len(p.planes) != 2 {
		t.Fatalf("%d patches, want the two caps", len(p.planes))
	}
	if cuts, _ := Crossings(m, 1); len(cuts) > 0 {
		t.Errorf("triangles %v cut each other", cuts)
	}
	if d := time.Since(begin); d > 20*time.Second {
		t.Errorf("the comb took %v", d)
	}
}

// starRing is a prism over a star of 2 k corners, with a star of as many as its hole: no triangle of its
// caps is one of a large fan, and the boundary of a cap has two loops.
func starRing(t *testing.T, k int) *meshes.Tri {
	t.Helper()
	loop := func(scale float64) (p [][2]float64) {
		for i := range 2 * k {
			s, c := math.Sincos(math.Pi * float64(i) / float64(k))
			r := scale * (1 + 0.3*float64(i%2))
			p = append(p, [2]float64{r * c, r * s})
		}
		return p
	}
	p := profiles.Profile{Outer: loop(1), Holes: [][][2]float64{loop(0.5)}}
	m, err := p.Extrude(0.1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A star with a star-shaped hole, of 6,000 corners, is found to be free of cuts in seconds, and its caps are
// patches, though their boundaries are two loops each.
func TestStarsOfManyCornersAreExamined(t *testing.T) {
	begin := time.Now()
	m := starRing(t, 1500)
	if p := flatPatches(m, make([]bool, len(m.Tris))); len(p.planes) != 2 {
		t.Errorf("%d patches, want the two caps", len(p.planes))
	}
	if cuts, _ := Crossings(m, 1); len(cuts) > 0 {
		t.Errorf("triangles %v cut each other", cuts)
	}
	if d := time.Since(begin); d > 20*time.Second {
		t.Errorf("the star took %v", d)
	}
}

// With patches the search finds the pairs that the test of every pair finds: in combs and stars whose
// corners are moved within the plane, so that triangles fold over, or out of it, and that other parts pierce.
func TestPatchesHideNoCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	found, patched := 0, 0
	for trial := range 24 {
		m := combPrism(75)
		if trial%2 == 1 {
			m = starRing(t, 40)
		}
		for range trial / 2 % 4 {
			v := r.IntN(len(m.Verts))
			d := r3.Vec{0.05 * r.NormFloat64(), 0.05 * r.NormFloat64(), 0.02 * r.NormFloat64()}
			if trial%3 == 0 {
				d[2] = 0
			}
			m.Verts[v] = m.Verts[v].Add(d)
		}
		if trial%5 == 0 {
			lo := r3.Vec{r.Float64(), 0.3 * r.Float64(), 0.2 * r.Float64()}
			m = samples.Together(m, prisms.BoxSurface(lo, lo.Add(r3.Vec{0.1, 0.1, 0.1})))
		}
		s := newCrossings(m)
		var want [][2]int32
		for i, t := range m.Tris {
			for j := range i {
				if s.boxes[i].Overlaps(s.boxes[j]) && !s.flats[i] && !s.flats[j] && CutEachOther(m, m.Tris[j], t) {
					want = append(want, [2]int32{int32(j), int32(i)})
				}
			}
		}
		slices.SortFunc(want, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
		if got, _ := s.amongPatches(math.MaxInt); !slices.Equal(got, want) {
			t.Errorf("trial %d: %d pairs, want %d", trial, len(got), len(want))
		}
		if got, _ := Crossings(m, math.MaxInt); !slices.Equal(got, want) {
			t.Errorf("trial %d, without patches: %d pairs, want %d", trial, len(got), len(want))
		}
		found += len(want)
		patched += len(flatPatches(m, s.flats).planes)
	}
	if found < 50 || patched < 12 {
		t.Errorf("%d cuts, %d patches: the parts are too few to decide", found, patched)
	}
}

// A triangle that seems to lie beside a plane does so exactly: sides of slivers a few roundings off the plane,
// at any place and size.
func TestBesideIsNeverWrong(t *testing.T) {
	r := samples.NewRand(t, 142)
	seen := 0
	for range 40000 {
		m := &meshes.Tri{Tris: [][3]int32{{0, 1, 2}, {3, 4, 5}}}
		u, v := samples.RandomVec(r), samples.RandomVec(r)
		scale, thin := math.Exp2(float64(r.IntN(60)-30)), math.Exp2(-float64(r.IntN(20)))
		for range 6 {
			p := u.Scale(r.NormFloat64()).AddScaled(thin*r.NormFloat64(), v)
			m.Verts = append(m.Verts, p.AddScaled(1e-15*float64(r.IntN(9)), samples.RandomVec(r)).Scale(scale))
		}
		s := newCrossings(m)
		if !s.beside(0, 1) {
			continue
		}
		seen++
		if _, kind := sides(Corners(m, m.Tris[0]), Corners(m, m.Tris[1])); kind != oneSide {
			t.Fatalf("%v: corners on both sides of a plane count as one side", m.Verts)
		}
	}
	if seen < 100 {
		t.Errorf("%d triangles beside planes: too few to decide", seen)
	}
}

// Triangles of one plane that a line parts do not cut each other, however the plane is turned: they lie
// in it up to round-off only, so that the line common to their planes is anywhere.
func TestTrianglesApartInATurnedPlaneDoNotCut(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	wrong := 0
	const pairs = 3000
	for range pairs {
		// two slivers beside each other, as of teeth
		gap, width := 1e-3+0.01*r.Float64(), 1e-3+0.01*r.Float64()
		x := samples.RandomPose(r, 1)
		m := &meshes.Tri{Tris: [][3]int32{{0, 1, 2}, {3, 4, 5}}}
		for _, v := range []r3.Vec{{0, 0, 0}, {0, 0.5, 0}, {-width, 0.5 * r.Float64(), 0}, {gap, 0, 0}, {gap + width, 0.5 * r.Float64(), 0}, {gap, 0.5, 0}} {
			m.Verts = append(m.Verts, x.Point(v))
		}
		if CutEachOther(m, m.Tris[0], m.Tris[1]) {
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d pairs are said to cut", wrong, pairs)
	}
}
