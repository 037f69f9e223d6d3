package render

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fogleman/fauxgl"
)

// What a facet gives for a pixel is the attribute of the point of the triangle that is seen there: the point's own
// barycentric coordinates in space give both.
func TestFacetsInterpolateInSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	vec := func() fauxgl.Vector {
		return fauxgl.Vector{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
	}
	m := fauxgl.Perspective(50, 4.0/3, 0.5, 50).Mul(fauxgl.LookAt(fauxgl.V(0, -8, 1), fauxgl.V(0, 0, 0), fauxgl.V(0, 0, 1)))
	s := &stage{w: 640, h: 480, matrix: m}
	tested := 0
	for range 300 {
		var corner [3]fauxgl.Vertex
		for k := range corner {
			corner[k] = fauxgl.Vertex{Position: vec(), Normal: vec(), Texture: fauxgl.Vector{X: rng.Float64(), Y: rng.Float64(), Z: 0.2}}
		}
		l := layer{tris: []fauxgl.Triangle{{V1: corner[0], V2: corner[1], V3: corner[2]}}}
		seen := s.project(nil, &l, 0)
		if len(seen) == 0 || seen[0].area < 10 {
			continue // it shows its back, or is a sliver
		}
		f := facets(nil, seen, nil)[0]
		a, b := rng.Float64(), rng.Float64()
		if a+b > 1 {
			a, b = 1-a, 1-b
		}
		blend := func(of func(*fauxgl.Vertex) float64) float64 {
			return a*of(&corner[0]) + b*of(&corner[1]) + (1-a-b)*of(&corner[2])
		}
		p := fauxgl.Vector{
			X: blend(func(v *fauxgl.Vertex) float64 { return v.Position.X }),
			Y: blend(func(v *fauxgl.Vertex) float64 { return v.Position.Y }),
			Z: blend(func(v *fauxgl.Vertex) float64 { return v.Position.Z }),
		}
		c := m.MulPositionW(p)
		var got fauxgl.Vertex
		f.shade(shaderFunc(func(v *fauxgl.Vertex) fauxgl.Color { got = *v; return fauxgl.Color{} }), (1+c.X/c.W)*320, (1-c.Y/c.W)*240, new(fauxgl.Vertex))
		n := fauxgl.Vector{
			X: blend(func(v *fauxgl.Vertex) float64 { return v.Normal.X }),
			Y: blend(func(v *fauxgl.Vertex) float64 { return v.Normal.Y }),
			Z: blend(func(v *fauxgl.Vertex) float64 { return v.Normal.Z }),
		}.Normalize()
		off := max(got.Position.Sub(p).Length(), got.Normal.Sub(n).Length(), math.Abs(got.Texture.Z-0.2),
			math.Abs(got.Texture.X-blend(func(v *fauxgl.Vertex) float64 { return v.Texture.X })),
			math.Abs(got.Texture.Y-blend(func(v *fauxgl.Vertex) float64 { return v.Texture.Y })))
		if off > 1e-9 {
			t.Fatalf("at %v: %+v, off by %g", p, got, off)
		}
		tested++
	}
	if tested < 80 {
		t.Errorf("%d triangles were tested", tested)
	}
}
