package profiles

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
)

// nickedPolygon is a convex polygon of n corners at about 50 mm whose corners and sides have chamfers, jogs and nicks
// of at most depth, m.
func nickedPolygon(rng *rand.Rand, n int, depth float64) (loop [][2]float64) {
	at := func(k int) vec2 {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		return vec2{0.05 * c, 0.05 * s}
	}
	for k := range n {
		p, q := at(k), at(k+1)
		along := unit2(sub2(q, p))
		out := vec2{along[1], -along[0]}
		put := func(s, d float64) {
			loop = append(loop, vec2{p[0] + s*along[0] + d*out[0], p[1] + s*along[1] + d*out[1]})
		}
		side, d := dist2(p, q), depth*(0.1+0.9*rng.Float64())
		put(d, 0) // a chamfer, with the end of the side before
		switch rng.IntN(3) {
		case 0: // a jog to and fro
			put(0.3*side, 0)
			put(0.3*side, -d)
			put(0.7*side, -d)
			put(0.7*side, 0)
		case 1: // a nick
			put(0.5*side-d/2, 0)
			put(0.5*side, -d/2)
			put(0.5*side+d/2, 0)
		}
		put(side-d, 0)
	}
	return loop
}

// Chamfers, jogs and nicks of less than a twentieth of the size make no flat tetrahedra, and dropping them keeps
// volume.
func TestShortEdgesOfAnOutlineMakeNoFlatTetrahedra(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 100 {
		size := 0.004 + 0.008*rng.Float64()
		p := Profile{Outer: nickedPolygon(rng, 5+rng.IntN(8), outlineTol*size*rng.Float64())}
		s, err := p.Extrude(0.005 + 0.1*rng.Float64())
		if err != nil {
			t.Fatal(err)
		}
		m, r, err := filled(s, FillOptions{Size: size})
		if err != nil {
			t.Fatal(err)
		}
		q := meshes.TetQuality(m)
		if q.MinDihedral < layerAngle {
			t.Errorf("size %.3g mm: %d layers, least dihedral angle %.1f°", 1e3*size, r.Layers, q.MinDihedral/samples.Degree)
		}
		if off := math.Abs(q.Volume/s.Volume() - 1); off > shortLoss+outlineLoss/2 {
			t.Errorf("size %.3g mm: volume off by %.2g", 1e3*size, off)
		}
		samples.CheckTets(t, m)
	}
}

// The ends of thin walls and sharp tips are edges shorter than any tolerance, which stay.
func TestEndsOfThinWallsStay(t *testing.T) {
	const wall = 1e-4
	p := Profile{Outer: [][2]float64{{0, 0}, {0.1, 0}, {0.1, 0.02}, {0.05 + wall, 0.02}, {0.05 + wall, 0.05}, {0.05, 0.05}, {0.05, 0.02}, {0, 0.02}}}
	q := p.withoutShortEdges(10 * wall)
	if len(q.Outer) != len(p.Outer) || q.Area() != p.Area() {
		t.Errorf("%v became %v", p.Outer, q.Outer)
	}
}

// A corner takes the place of an edge where its neighbours meet, so that a chamfered square becomes the square.
func TestASmallChamferBecomesTheCorner(t *testing.T) {
	p := Profile{Outer: [][2]float64{{0, 0}, {1, 0}, {1, 0.999}, {0.999, 1}, {0, 1}}}
	q := p.withoutShortEdges(0.01)
	if len(q.Outer) != 4 || math.Abs(q.Area()-1) > 1e-12 {
		t.Errorf("%v", q.Outer)
	}
}
