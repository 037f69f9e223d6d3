package meshes

import (
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// solid is a closed surface with what theory says of it.
type solid struct {
	name       string
	m          *Tri
	genus      int // handles over all pieces
	components int
}

// randomSolids are closed outward surfaces of several kinds, sizes and places.
func randomSolids(t testing.TB, r *rand.Rand) []solid {
	t.Helper()
	prism := func(p Profile) *Tri {
		m, err := p.Extrude(0.2 + r.Float64())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	hole := func(x, y float64) [][2]float64 { return circle(x, y, 0.03+0.02*r.Float64(), 5+r.IntN(5)) }
	star := starPolygon(r, 5+r.IntN(8))
	list := []solid{
		{"ellipsoid", scaled(sphereSurface(1, 2+r.IntN(2)), r3.Vec{0.5 + r.Float64(), 0.5 + r.Float64(), 0.5 + r.Float64()}), 0, 1},
		{"blob", blob(r, 3), 0, 1},
		{"torus", torus(1, 0.2+0.3*r.Float64(), 8+r.IntN(16), 5+r.IntN(8)), 1, 1},
		{"star prism", prism(Profile{Outer: star}), 0, 1},
		{"plate with holes", prism(Profile{Outer: [][2]float64{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}},
			Holes: [][][2]float64{hole(-0.3, -0.2), hole(0.25, 0.1), hole(-0.1, 0.3)}}), 3, 1},
		{"two balls", together(sphereSurface(0.5, 2), moved(sphereSurface(0.7, 2), r3.Pose{R: r3.Identity(), P: r3.Vec{3, 0, 0}})), 0, 2},
		{"hollow ball", together(sphereSurface(1, 2), flippedTri(sphereSurface(0.4, 2))), 0, 2},
		{"box", gridBoxClosed(r3.Vec{0.1 + r.Float64(), 0.1 + r.Float64(), 0.1 + r.Float64()}, 1+r.IntN(4)), 0, 1},
	}
	for i := range list {
		list[i].m = shuffled(moved(list[i].m, randomPose(r, 2)), r)
	}
	return list
}

// gridBoxClosed is gridBox with the vertices of neighbouring faces made one.
func gridBoxClosed(h r3.Vec, n int) *Tri {
	m := joined(gridBox(h, n))
	to, verts := make([]int32, len(m.Verts)), []r3.Vec(nil)
	for _, t := range m.Tris {
		for _, v := range t {
			to[v] = -1
		}
	}
	for v, p := range m.Verts {
		if to[v] < 0 {
			to[v] = int32(len(verts))
			verts = append(verts, p)
		}
	}
	for i, t := range m.Tris {
		m.Tris[i] = [3]int32{to[t[0]], to[t[1]], to[t[2]]}
	}
	m.Verts = verts
	return m
}

// randomTets are volume meshes: boxes with inner vertices moved, swept profiles and
// a ball of pyramids.
func randomTets(t testing.TB, r *rand.Rand) map[string]*Tet {
	t.Helper()
	box, err := BoxTets(r3.Vec{1, 1.5, 2}, [3]int{2 + r.IntN(2), 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	on := onBoundary(box)
	for i := range box.Verts {
		if !on[i] {
			box.Verts[i] = box.Verts[i].AddScaled(0.05, randomVec(r))
		}
	}
	sweep, err := SweepProfile(Profile{Outer: starPolygon(r, 9)}, 0.4, 1+r.IntN(3), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	ball := coneTets(blob(r, 2))
	out := map[string]*Tet{"box": box, "sweep": sweep, "ball": ball}
	for name, m := range out {
		x := randomPose(r, 1)
		for i, p := range m.Verts {
			m.Verts[i] = x.Point(p)
		}
		out[name] = m
	}
	return out
}

// finnedBlock is a block of 30 × 8 × 15 mm with a fin of 1 mm on it.
func finnedBlock(t *testing.T) *Tri {
	t.Helper()
	p := Profile{Outer: [][2]float64{{0, 0}, {0.03, 0}, {0.03, 0.008}, {0.0153, 0.008}, {0.0153, 0.022}, {0.0143, 0.022}, {0.0143, 0.008}, {0, 0.008}}}
	s, err := p.Extrude(0.015)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// framedPlate is a plate of 30 × 30 × 2 mm with a window of 1 mm, tilted.
func framedPlate(t *testing.T) *Tri {
	t.Helper()
	p := Profile{
		Outer: [][2]float64{{0, 0}, {0.03, 0}, {0.03, 0.03}, {0, 0.03}},
		Holes: [][][2]float64{{{0.011, 0.012}, {0.012, 0.012}, {0.012, 0.013}, {0.011, 0.013}}},
	}
	s, err := p.Extrude(0.002)
	if err != nil {
		t.Fatal(err)
	}
	return joined(asSTL(s, r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)}))
}

func boxSurface(a, b r3.Vec) *Tri {
	p := Profile{Outer: [][2]float64{{a[0], a[1]}, {b[0], a[1]}, {b[0], b[1]}, {a[0], b[1]}}}
	m, err := p.Extrude(b[2] - a[2])
	if err != nil {
		panic(err)
	}
	for i := range m.Verts {
		m.Verts[i][2] += (a[2] + b[2]) / 2
	}
	return m
}

// bracketProfile is an L with a fillet and two holes, m.
func bracketProfile() Profile {
	outer, holes := bracketLoops()
	return Profile{Outer: outer, Holes: holes}
}
