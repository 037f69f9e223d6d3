// Package prisms has samples that are extruded, and random solids and volume meshes, for tests.
package prisms

import (
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// Solid is a closed surface with what theory says of it.
type Solid struct {
	Name       string
	M          *meshes.Tri
	Genus      int // handles over all pieces
	Components int
}

// RandomSolids are closed outward surfaces of several kinds, sizes and places.
func RandomSolids(t testing.TB, r *rand.Rand) []Solid {
	t.Helper()
	prism := func(p profiles.Profile) *meshes.Tri {
		m, err := p.Extrude(0.2 + r.Float64())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	hole := func(x, y float64) [][2]float64 { return samples.Circle(x, y, 0.03+0.02*r.Float64(), 5+r.IntN(5)) }
	star := samples.StarPolygon(r, 5+r.IntN(8))
	list := []Solid{
		{"ellipsoid", samples.Scaled(samples.SphereSurface(1, 2+r.IntN(2)), r3.Vec{0.5 + r.Float64(), 0.5 + r.Float64(), 0.5 + r.Float64()}), 0, 1},
		{"blob", samples.Blob(r, 3), 0, 1},
		{"torus", samples.Torus(1, 0.2+0.3*r.Float64(), 8+r.IntN(16), 5+r.IntN(8)), 1, 1},
		{"star prism", prism(profiles.Profile{Outer: star}), 0, 1},
		{"plate with holes", prism(profiles.Profile{Outer: [][2]float64{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}},
			Holes: [][][2]float64{hole(-0.3, -0.2), hole(0.25, 0.1), hole(-0.1, 0.3)}}), 3, 1},
		{"two balls", samples.Together(samples.SphereSurface(0.5, 2), samples.Moved(samples.SphereSurface(0.7, 2), r3.Pose{R: r3.Identity(), P: r3.Vec{3, 0, 0}})), 0, 2},
		{"hollow ball", samples.Together(samples.SphereSurface(1, 2), samples.FlippedTri(samples.SphereSurface(0.4, 2))), 0, 2},
		{"box", GridBoxClosed(r3.Vec{0.1 + r.Float64(), 0.1 + r.Float64(), 0.1 + r.Float64()}, 1+r.IntN(4)), 0, 1},
	}
	for i := range list {
		list[i].M = samples.Shuffled(samples.Moved(list[i].M, samples.RandomPose(r, 2)), r)
	}
	return list
}

// GridBoxClosed is gridBox with the vertices of neighbouring faces made one.
func GridBoxClosed(h r3.Vec, n int) *meshes.Tri {
	m := samples.Joined(samples.GridBox(h, n))
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

// RandomTets are volume meshes: boxes with inner vertices moved, swept profiles and
// a ball of pyramids.
func RandomTets(t testing.TB, r *rand.Rand) map[string]*meshes.Tet {
	t.Helper()
	box, err := meshes.BoxTets(r3.Vec{1, 1.5, 2}, [3]int{2 + r.IntN(2), 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	on := samples.OnBoundary(box)
	for i := range box.Verts {
		if !on[i] {
			box.Verts[i] = box.Verts[i].AddScaled(0.05, samples.RandomVec(r))
		}
	}
	sweep, err := profiles.SweepProfile(profiles.Profile{Outer: samples.StarPolygon(r, 9)}, 0.4, 1+r.IntN(3), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	ball := samples.ConeTets(samples.Blob(r, 2))
	out := map[string]*meshes.Tet{"box": box, "sweep": sweep, "ball": ball}
	for name, m := range out {
		x := samples.RandomPose(r, 1)
		for i, p := range m.Verts {
			m.Verts[i] = x.Point(p)
		}
		out[name] = m
	}
	return out
}

// FinnedBlock is a block of 30 × 8 × 15 mm with a fin of 1 mm on it.
func FinnedBlock(t *testing.T) *meshes.Tri {
	t.Helper()
	p := profiles.Profile{Outer: [][2]float64{{0, 0}, {0.03, 0}, {0.03, 0.008}, {0.0153, 0.008}, {0.0153, 0.022}, {0.0143, 0.022}, {0.0143, 0.008}, {0, 0.008}}}
	s, err := p.Extrude(0.015)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// FramedPlate is a plate of 30 × 30 × 2 mm with a window of 1 mm, tilted.
func FramedPlate(t *testing.T) *meshes.Tri {
	t.Helper()
	p := profiles.Profile{
		Outer: [][2]float64{{0, 0}, {0.03, 0}, {0.03, 0.03}, {0, 0.03}},
		Holes: [][][2]float64{{{0.011, 0.012}, {0.012, 0.012}, {0.012, 0.013}, {0.011, 0.013}}},
	}
	s, err := p.Extrude(0.002)
	if err != nil {
		t.Fatal(err)
	}
	return samples.Joined(samples.AsSTL(s, r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)}))
}

func BoxSurface(a, b r3.Vec) *meshes.Tri {
	p := profiles.Profile{Outer: [][2]float64{{a[0], a[1]}, {b[0], a[1]}, {b[0], b[1]}, {a[0], b[1]}}}
	m, err := p.Extrude(b[2] - a[2])
	if err != nil {
		panic(err)
	}
	for i := range m.Verts {
		m.Verts[i][2] += (a[2] + b[2]) / 2
	}
	return m
}

// BracketProfile is an L with a fillet and two holes, m.
func BracketProfile() profiles.Profile {
	outer, holes := samples.BracketLoops()
	return profiles.Profile{Outer: outer, Holes: holes}
}
