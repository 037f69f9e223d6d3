package profiles

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/curlfree/curlfree/meshes/internal/exact"
	"github.com/curlfree/curlfree/meshes/internal/samples"
)

// checkDelaunay compares a triangulation with its definition: triangles turn counter-clockwise and cover the
// border square, neighbours and marks of both sides agree, and no circle about a triangle contains the vertex
// across an edge that is not fixed, from which it follows for all vertices that the triangle sees (Lee, Lin 1986).
func checkDelaunay(t *testing.T, d *delaunay) {
	t.Helper()
	area := 0.0
	for i, v := range d.tri {
		a := exact.Orient(d.pts[v[0]], d.pts[v[1]], d.pts[v[2]])
		if area += a / 2; a <= 0 {
			t.Fatalf("triangle %v is flat or turned", v)
		}
		for k, n := range d.nbr[i] {
			if n == noTri {
				continue
			}
			g := d.edgeBetween(n, v[(k+1)%3], v[(k+2)%3])
			if d.nbr[n][g] != int32(i) || d.fixed[n][g] != d.fixed[i][k] {
				t.Fatalf("triangles %d and %d disagree on their edge", i, n)
			}
			if q := d.tri[n][g]; !d.fixed[i][k] && exact.InCircle(d.pts[v[0]], d.pts[v[1]], d.pts[v[2]], d.pts[q]) > 0 {
				t.Fatalf("vertex %d lies in the circle of its neighbour %v", q, v)
			}
		}
	}
	side := d.pts[1][0] - d.pts[0][0]
	if math.Abs(area-side*side) > 1e-12*area {
		t.Errorf("triangles of %g m² in a square of %g", area, side*side)
	}
	for v, i := range d.at {
		if d.vertexOf(i, int32(v)) < 0 {
			t.Fatalf("vertex %d is none of triangle %v", v, d.tri[i])
		}
	}
}

// Random segments between points of the plane, or of a grid, where circles through four points are common,
// give a constrained Delaunay triangulation with all of them; those that cross or pass a point are refused and
// change nothing.
func TestRandomSegmentsStayDelaunay(t *testing.T) {
	r := samples.NewRand(t, 218)
	fixed, refused := 0, 0
	for round := range 60 {
		d := newDelaunay(vec2{0, 0}, vec2{1, 1})
		for range 80 {
			p := vec2{r.Float64(), r.Float64()}
			if round%2 == 0 {
				p = vec2{float64(r.IntN(12)) / 16, float64(r.IntN(12)) / 16}
			}
			d.insert(p)
		}
		var have [][2]int32
		for range 60 {
			a, b := int32(4+r.IntN(len(d.pts)-4)), int32(4+r.IntN(len(d.pts)-4))
			if a == b {
				continue
			}
			// the truth by brute force
			free := true
			for q := range d.pts {
				free = free && (int32(q) == a || int32(q) == b || segmentDistance(d.pts[q], d.pts[a], d.pts[b]) > 1e-12)
			}
			for _, s := range have {
				free = free && !crosses(d.pts[a], d.pts[b], d.pts[s[0]], d.pts[s[1]])
			}
			if err := d.constrain(a, b); (err == nil) != free {
				t.Fatalf("segment %v–%v: error %v, free %v", d.pts[a], d.pts[b], err, free)
			}
			if !free {
				refused++
				continue
			}
			have = append(have, [2]int32{a, b})
		}
		checkDelaunay(t, d)
		for _, s := range have {
			if tri, e := d.findEdge(s[0], s[1]); tri == noTri || !d.fixed[tri][e] {
				t.Fatalf("segment %v is no constraint", s)
			}
		}
		fixed += len(have)
	}
	if fixed < 300 || refused < 300 {
		t.Errorf("%d segments, %d refused: too few to decide", fixed, refused)
	}
}

// slitBetweenRows is a square with a slit, along which 2,000 small holes lie in a row on each side: flipping
// the diagonals between the rows one by one took half a minute.
func slitBetweenRows() Profile {
	p := Profile{Outer: [][2]float64{{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}}
	const n, w = 4000, 1e-7
	for i := range n {
		x, y := 2*float64(i)/n-1, 0.01*float64(1-2*(i%2))
		p.Holes = append(p.Holes, [][2]float64{{x, y}, {x + w, y}, {x, y + w}})
	}
	p.Holes = append(p.Holes, [][2]float64{{-1.5, 0}, {1.5, 0}, {1.5, 1e-9}})
	return p
}

// parabola has n corners on y = x², each of which flips the edges of those before it.
func parabola(n int) Profile {
	var p Profile
	for i := range n {
		x := 2*float64(i)/float64(n) - 1
		p.Outer = append(p.Outer, vec2{x, x * x})
	}
	return p
}

// 12,000 corners of any arrangement take a second or so: m triangles = corners − 2 + 2 holes (Euler).
func TestThousandsOfCornersTakeASecond(t *testing.T) {
	for name, p := range map[string]Profile{"slit": slitBetweenRows(), "parabola": parabola(12000)} {
		begin := time.Now()
		m, err := p.triangulate(0)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want := len(m.pts) - 2 + 2*len(p.Holes); len(m.tris) != want {
			t.Errorf("%s: %d triangles, want %d", name, len(m.tris), want)
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("%s: %v", name, d)
		}
	}
}

// triangleSet returns the triangles with their least vertex first, sorted.
func triangleSet(d *delaunay) [][3]int32 {
	var out [][3]int32
	for _, v := range d.tri {
		k := 0
		for v[k] != slices.Min(v[:]) {
			k++
		}
		out = append(out, [3]int32{v[k], v[(k+1)%3], v[(k+2)%3]})
	}
	slices.SortFunc(out, func(a, b [3]int32) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
	})
	return out
}

// Points of which no four lie on a circle have one Delaunay triangulation, whatever the order; a corner that
// repeats another one is named in both.
func TestOrderOfInsertionDoesNotMatter(t *testing.T) {
	r := samples.NewRand(t, 219)
	for range 20 {
		var p Profile
		for range 3 + r.IntN(300) {
			p.Outer = append(p.Outer, vec2{r.Float64(), r.Float64()})
		}
		a, err := p.insertCorners()
		if err != nil {
			t.Fatal(err)
		}
		b, err := p.insertByRounds(p.Outer)
		if err != nil {
			t.Fatal(err)
		}
		checkDelaunay(t, b)
		if !slices.Equal(a.pts, b.pts) || !slices.Equal(triangleSet(a), triangleSet(b)) {
			t.Fatalf("%d points: another triangulation in rounds", len(p.Outer))
		}
		i, j := r.IntN(len(p.Outer)), r.IntN(len(p.Outer))
		if i == j {
			continue
		}
		p.Outer[i] = p.Outer[j]
		_, errA := p.insertCorners()
		_, errB := p.insertByRounds(p.Outer)
		if errA == nil || errB == nil || errA.Error() != errB.Error() {
			t.Errorf("repeated corner: %v, in rounds %v", errA, errB)
		}
	}
}

// The order in rounds takes a few flips a corner where that of the outline takes thousands.
func TestRoundsTakeFewFlips(t *testing.T) {
	p := parabola(3000)
	d, err := p.insertByRounds(p.Outer)
	if err != nil {
		t.Fatal(err)
	}
	if d.flips > 20*len(p.Outer) {
		t.Errorf("%d flips of %d corners", d.flips, len(p.Outer))
	}
}

// incircle against fractions at all magnitudes of float64, on circles where the sign hangs on the last bit.
func TestIncircleIsExactAtAllMagnitudes(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 4))
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	for range 3000 {
		// a rectangle, whose corners lie on a circle, with one coordinate an ulp off or not
		w, h := math.Ldexp(r.Float64(), r.IntN(120)-60), math.Ldexp(r.Float64(), r.IntN(120)-60)
		x, y := math.Ldexp(r.NormFloat64(), r.IntN(120)-60), 0.0
		p := [4]vec2{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}
		if r.IntN(3) > 0 {
			c := &p[r.IntN(4)][r.IntN(2)]
			*c = math.Nextafter(*c, float64(r.IntN(3)-1)*math.MaxFloat64)
		}
		sum := new(big.Rat)
		for i := range 3 {
			var row [2][2]*big.Rat
			for k, q := range [2]vec2{p[(i+1)%3], p[(i+2)%3]} {
				row[k] = [2]*big.Rat{new(big.Rat).Sub(rat(q[0]), rat(p[3][0])), new(big.Rat).Sub(rat(q[1]), rat(p[3][1]))}
			}
			minor := new(big.Rat).Sub(new(big.Rat).Mul(row[0][0], row[1][1]), new(big.Rat).Mul(row[1][0], row[0][1]))
			dx, dy := new(big.Rat).Sub(rat(p[i][0]), rat(p[3][0])), new(big.Rat).Sub(rat(p[i][1]), rat(p[3][1]))
			lift := new(big.Rat).Add(new(big.Rat).Mul(dx, dx), new(big.Rat).Mul(dy, dy))
			sum.Add(sum, minor.Mul(minor, lift))
		}
		if got := exact.InCircle(p[0], p[1], p[2], p[3]); cmp.Compare(got, 0) != sum.Sign() {
			t.Fatalf("%v: %g, exact sign %d", p, got, sum.Sign())
		}
	}
}
