package meshes_test

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// tetOf returns a mesh of one tet with positive volume.
func tetOf(a, b, c, d r3.Vec) *meshes.Tet {
	m := &meshes.Tet{Verts: []r3.Vec{a, b, c, d}, Tets: [][4]int32{{0, 1, 2, 3}}}
	if m.Volume(0) < 0 {
		m.Tets[0] = [4]int32{1, 0, 2, 3}
	}
	return m
}

// A tet with three right angles at a corner and legs a, b, c: V = abc/6, the fourth
// face has the area ½√(a²b² + b²c² + c²a²) (de Gua), R = ½√(a² + b² + c²), and the
// angle at the edge opposite to leg a is atan(a √(b² + c²)/(bc)).
func TestCornerTetsInClosedForm(t *testing.T) {
	r := samples.NewRand(t, 231)
	for range 200 {
		a, b, c := 0.05+r.Float64(), 0.05+r.Float64(), 0.05+r.Float64()
		x := samples.RandomPose(r, 1)
		s := tetOf(x.Point(r3.Vec{}), x.Point(r3.Vec{a, 0, 0}), x.Point(r3.Vec{0, b, 0}), x.Point(r3.Vec{0, 0, c})).Shape(0)
		v := a * b * c / 6
		faces := (a*b + b*c + c*a + math.Sqrt(a*a*b*b+b*b*c*c+c*c*a*a)) / 2
		ratio := 3 * (3 * v / faces) / (math.Sqrt(a*a+b*b+c*c) / 2)
		angle := func(a, b, c float64) float64 { return math.Atan2(a*math.Hypot(b, c), b*c) }
		least := min(angle(a, b, c), angle(b, c, a), angle(c, a, b))
		if math.Abs(s.Volume-v) > 1e-12 || math.Abs(s.RadiusRatio-ratio) > 1e-9 || math.Abs(s.MinDihedral-least) > 1e-9 || math.Abs(s.MaxDihedral-math.Pi/2) > 1e-9 {
			t.Fatalf("legs %g, %g, %g: %+v; want volume %g, ratio %g, least angle %g", a, b, c, s, v, ratio, least)
		}
		edges := []float64{a, b, c, math.Hypot(a, b), math.Hypot(b, c), math.Hypot(c, a)}
		if math.Abs(s.MinEdge-slices.Min(edges)) > 1e-12 || math.Abs(s.MaxEdge-slices.Max(edges)) > 1e-12 {
			t.Fatalf("edges %g to %g of %v", s.MinEdge, s.MaxEdge, edges)
		}
	}
}

// A disphenoid, four opposite corners of the box a × b × c: opposite edges are equal,
// V = abc/3, R = ½√(a² + b² + c²), all faces have the same area, and the angle at
// the edges √(a² + b²) is 2 atan(ab/(c √(a² + b²))).
func TestDisphenoidsInClosedForm(t *testing.T) {
	r := samples.NewRand(t, 232)
	for range 200 {
		a, b, c := 0.1+r.Float64(), 0.1+r.Float64(), 0.1+r.Float64()
		s := tetOf(r3.Vec{}, r3.Vec{a, b, 0}, r3.Vec{a, 0, c}, r3.Vec{0, b, c}).Shape(0)
		v := a * b * c / 3
		face := math.Sqrt(a*a*b*b+b*b*c*c+c*c*a*a) / 2
		ratio := 3 * (3 * v / (4 * face)) / (math.Sqrt(a*a+b*b+c*c) / 2)
		angle := func(a, b, c float64) float64 { return 2 * math.Atan2(a*b, c*math.Hypot(a, b)) }
		angles := []float64{angle(a, b, c), angle(b, c, a), angle(c, a, b)}
		if math.Abs(s.Volume-v) > 1e-12 || math.Abs(s.RadiusRatio-ratio) > 1e-9 {
			t.Fatalf("box %g, %g, %g: %+v; want volume %g, ratio %g", a, b, c, s, v, ratio)
		}
		if lo, hi := slices.Min(angles), slices.Max(angles); math.Abs(s.MinDihedral-lo) > 1e-9 || math.Abs(s.MaxDihedral-hi) > 1e-9 {
			t.Fatalf("box %g, %g, %g: angles %g to %g, want %g to %g", a, b, c, s.MinDihedral, s.MaxDihedral, lo, hi)
		}
	}
}

// A regular pyramid on an equilateral triangle of edge 1 with height h: as h falls the
// angles at the base go as atan(2√3 h), and the ratio tends to 0 like h².
func TestPyramidsFlattenInClosedForm(t *testing.T) {
	base := func(k int) r3.Vec {
		s, c := math.Sincos(2 * math.Pi * float64(k) / 3)
		return r3.Vec{c / math.Sqrt(3), s / math.Sqrt(3), 0}
	}
	var ratios []float64
	for _, h := range []float64{math.Sqrt(2.0 / 3), 0.1, 0.01, 0.001} {
		s := tetOf(base(0), base(1), base(2), r3.Vec{0, 0, h}).Shape(0)
		// The inradius of the base is 1/(2√3).
		foot := math.Atan(2 * math.Sqrt(3) * h)
		if got := s.MinDihedral; math.Abs(got-foot) > 1e-12 && math.Abs(s.MaxDihedral-foot) > 1e-12 {
			t.Errorf("height %g: angles %g to %g, at the base %g", h, got, s.MaxDihedral, foot)
		}
		// The circumradius of a pyramid: (h² + ⅓)/(2h).
		side := math.Sqrt(h*h+1.0/12) / 2
		volume := math.Sqrt(3) / 12 * h
		want := 3 * 3 * volume / (math.Sqrt(3)/4 + 3*side) / ((h*h + 1.0/3) / (2 * h))
		if math.Abs(s.RadiusRatio-want) > 1e-9*want {
			t.Errorf("height %g: ratio %g, want %g", h, s.RadiusRatio, want)
		}
		ratios = append(ratios, s.RadiusRatio)
	}
	if math.Abs(ratios[0]-1) > 1e-12 {
		t.Errorf("the regular tet has ratio %g", ratios[0])
	}
	if order := math.Log10(ratios[2] / ratios[3]); math.Abs(order-2) > 0.01 {
		t.Errorf("the ratio falls with order %.3f, want 2", order)
	}
}

// Kuhn's tets of a cube are congruent: edges from 1 to √3, dihedral angles of 45°,
// 60° and 90°, inradius 1/(2 + 2√2), circumradius √3/2. All fall into one bin.
func TestKuhnTetsAreCongruent(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		m, err := meshes.BoxTets(r3.Vec{1, 1, 1}, [3]int{n, n, n})
		if err != nil {
			t.Fatal(err)
		}
		q := meshes.TetQuality(m)
		// 3 V = 1/2; faces: two of ½, two of √2/2.
		want := 3 * (0.5 / (1 + math.Sqrt2)) / (math.Sqrt(3) / 2)
		if math.Abs(q.MinRatio-want) > 1e-12 || math.Abs(q.MeanRatio-want) > 1e-12 {
			t.Errorf("ratios %g, mean %g, want %g", q.MinRatio, q.MeanRatio, want)
		}
		if math.Abs(q.MinDihedral-math.Pi/4) > 1e-12 || math.Abs(q.MaxDihedral-math.Pi/2) > 1e-12 {
			t.Errorf("angles %g° to %g°", q.MinDihedral/samples.Degree, q.MaxDihedral/samples.Degree)
		}
		h := 1 / float64(n)
		// Three edges of h, two of √2 h, one of √3 h.
		if mean := (3 + 2*math.Sqrt2 + math.Sqrt(3)) / 6 * h; math.Abs(q.MeanEdge-mean) > 1e-12 || math.Abs(q.MinEdge-h) > 1e-12 || math.Abs(q.MaxEdge-math.Sqrt(3)*h) > 1e-12 {
			t.Errorf("edges %g, %g, mean %g, want %g", q.MinEdge, q.MaxEdge, q.MeanEdge, mean)
		}
		if q.Tets != 6*n*n*n || q.Ratio[int(want*10)] != q.Tets || math.Abs(q.MinVolume*float64(q.Tets)-1) > 1e-12 {
			t.Errorf("%d cells: %d tets, histogram %v", n, q.Tets, q.Ratio)
		}
		// One cell is all boundary.
		if n == 1 && (q.Walls.BoundaryTets != 1 || q.Walls.ThinVerts != 1 || q.Walls.BothSides != 1) {
			t.Errorf("one cell: %+v", q.Walls)
		}
	}
}

// The body-centred cubic lattice: tets between two centres and an edge have the
// edges a (twice) and √3/2 a (four times), angles of 60° and 90°.
func TestBodyCentredTetsInClosedForm(t *testing.T) {
	s := tetOf(r3.Vec{0, 0, -0.5}, r3.Vec{0, 0, 0.5}, r3.Vec{0.5, -0.5, 0}, r3.Vec{0.5, 0.5, 0}).Shape(0)
	// V = 1/12; four faces of √2/4; R = √5/4.
	want := 3 * (0.25 / math.Sqrt2) / (math.Sqrt(5) / 4)
	if math.Abs(s.RadiusRatio-want) > 1e-12 || math.Abs(s.MinDihedral-math.Pi/3) > 1e-12 || math.Abs(s.MaxDihedral-math.Pi/2) > 1e-12 {
		t.Errorf("%+v, want ratio %g", s, want)
	}
	if math.Abs(s.MinEdge-math.Sqrt(3)/2) > 1e-12 || math.Abs(s.MaxEdge-1) > 1e-12 || math.Abs(s.Volume-1.0/12) > 1e-15 {
		t.Errorf("%+v", s)
	}
}

// Turning tets over changes signs, nothing else: as many inverted as were turned.
func TestInvertedTetsAreCounted(t *testing.T) {
	r := samples.NewRand(t, 233)
	for name, m := range prisms.RandomTets(t, r) {
		before := meshes.TetQuality(m)
		turned, volume := 0, 0.0
		for i := range m.Tets {
			if r.IntN(4) == 0 {
				m.Tets[i][0], m.Tets[i][1] = m.Tets[i][1], m.Tets[i][0]
				turned++
				volume += 2 * m.Volume(i)
			}
		}
		q := meshes.TetQuality(m)
		if q.Inverted != turned || before.Inverted != 0 {
			t.Errorf("%s: %d inverted, want %d", name, q.Inverted, turned)
		}
		if math.Abs(q.Volume-before.Volume-volume) > 1e-12 {
			t.Errorf("%s: volume %g after %g, want a change of %g", name, q.Volume, before.Volume, volume)
		}
		if q.MinDihedral != before.MinDihedral && math.Abs(q.MinDihedral-before.MinDihedral) > 1e-9 {
			t.Errorf("%s: least angle %g, before %g", name, q.MinDihedral, before.MinDihedral)
		}
		if faults := repair.CheckTet(m); faults.Err() == nil && turned > 0 {
			t.Errorf("%s: inverted tets pass the check", name)
		}
		sum := 0
		for _, n := range q.Ratio {
			sum += n
		}
		if sum != len(m.Tets) || q.Ratio[0] < turned {
			t.Errorf("%s: histogram %v of %d tets", name, q.Ratio, len(m.Tets))
		}
	}
}
