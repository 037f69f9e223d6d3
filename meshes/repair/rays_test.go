package repair

import (
	"math"
	"testing"
	"time"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// Rays and solid angles agree on what is inside, for points anywhere, and at the corners and on the
// axes of a body, where rays along an axis would meet edges.
func TestRaysAgreeWithSolidAngles(t *testing.T) {
	r := samples.NewRand(t, 36)
	rays := 0
	for _, m := range []*meshes.Tri{samples.TorusTri(9), samples.CubeTri(r3.Vec{}, 1)} {
		x := samples.RandomPose(r, 2)
		for n := range 2000 {
			tilted := n%2 == 0 // every other one lies along the axes
			p := samples.RandomVec(r)
			if n%5 == 0 { // in a plane of symmetry or beyond a corner
				p = m.Verts[r.IntN(len(m.Verts))].Scale(float64(r.IntN(5)) / 2)
			}
			if tilted {
				p = x.Point(p)
			}
			body := &meshes.Tri{Verts: append([]r3.Vec{}, m.Verts...), Tris: m.Tris}
			all := make([]int32, len(m.Tris))
			for i := range all {
				all[i] = int32(i)
			}
			for i, v := range body.Verts {
				if tilted {
					body.Verts[i] = x.Point(v)
				}
			}
			want := windsByAngles(body, all, p)
			if got := winds(body, all, p); got != want {
				t.Fatalf("point %v: by rays %v, by solid angles %v", p, got, want)
			}
			// most points are decided by the ray
			sure := true
			for _, v := range body.Tris {
				_, ok := crossing(body.Verts[v[0]].Sub(p), body.Verts[v[1]].Sub(p), body.Verts[v[2]].Sub(p))
				sure = sure && ok
			}
			if sure {
				rays++
			}
		}
	}
	if rays < 3000 {
		t.Errorf("%d of 4000 points are decided by a ray", rays)
	}
}

// A comb of 3000 teeth: a polygon of 6002 corners, half of them reflex, is covered in a time that grows
// with the square of its corners. With their third power it takes an hour.
func TestEarsOfAPolygonOfManyCorners(t *testing.T) {
	const teeth = 3000
	var verts []r3.Vec
	for i := range teeth {
		x := float64(i)
		verts = append(verts, r3.Vec{x, 0, 0}, r3.Vec{x + 0.5, 100, 0})
	}
	verts = append(verts, r3.Vec{teeth, -1, 0}, r3.Vec{-1, -1, 0})
	loop := make([]int32, len(verts))
	for i := range loop {
		loop[i] = int32(len(verts) - 1 - i) // counter-clockwise seen from z
	}
	begin := time.Now()
	tris := surfaces.AppendPolygon(nil, verts, loop)
	if d := time.Since(begin); d > 30*time.Second {
		t.Errorf("took %v", d)
	}
	sum, least := 0.0, 0.0
	for _, v := range tris {
		twice := surfaces.Newell(verts, v[:])[2]
		sum, least = sum+twice/2, min(least, twice)
	}
	if want := surfaces.Newell(verts, loop)[2] / 2; len(tris) != len(verts)-2 || !(want > 0) || least < 0 || sum < want*(1-1e-9) || sum > want*(1+1e-9) {
		t.Errorf("%d triangles of area %g, want %d of %g; the least has %g", len(tris), sum, len(verts)-2, want, least)
	}
}

// A disc of 20,000 corners is covered by triangles of which few overlap in boxes: the search for cuts
// takes a fraction of a second. A fan has 2e8 pairs.
func TestLargeConvexPolygonsAreNoFan(t *testing.T) {
	const n = 20000
	verts, loop := make([]r3.Vec, n), make([]int32, n)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		verts[i], loop[i] = r3.Vec{cos, sin, 0.5}, int32(i)
	}
	m := &meshes.Tri{Verts: verts, Tris: surfaces.AppendPolygon(nil, verts, loop)}
	area := 0.0
	for _, v := range m.Tris {
		twice := surfaces.Newell(verts, v[:])[2]
		if !(twice > 0) {
			t.Fatalf("triangle %v has the area %g", v, twice/2)
		}
		area += twice / 2
	}
	// n/2 sin 2π/n
	if want := n / 2 * math.Sin(2*math.Pi/n); len(m.Tris) != n-2 || math.Abs(area-want) > 1e-12 {
		t.Errorf("%d triangles of area %.15g, want %.15g", len(m.Tris), area, want)
	}
	begin := time.Now()
	if cuts, _ := SelfIntersections(m, 1); len(cuts) > 0 {
		t.Errorf("triangles %v cut each other", cuts)
	}
	if d := time.Since(begin); d > 20*time.Second {
		t.Errorf("the search for cuts took %v", d)
	}
}
