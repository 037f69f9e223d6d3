package record

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// bent is a recording of one instant of a surface z(s) that is straight along y: n strips along the profile, m across.
// Its triangles are all that its deformable has.
func bent(profile func(s float64) (x, z float64), n, m int, width float64) *Recording {
	d := Deformable{Name: "pad"}
	at := func(i, j int) int32 { return int32(i*(m+1) + j) }
	for i := range n + 1 {
		x, z := profile(float64(i) / float64(n))
		for j := range m + 1 {
			d.Rest = append(d.Rest, r3.Vec{x, width * float64(j) / float64(m), z})
		}
	}
	for i := range n {
		for j := range m {
			d.Tris = append(d.Tris, [3]int32{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	return &Recording{Static: Static{Deformables: []Deformable{d}}, Frames: []Frame{{Verts: [][]r3.Vec{d.Rest}}}}
}

// push adds a contact of the given normal force, N, and sliding speed, m/s, on a boundary triangle.
func push(rec *Recording, t int, force, slip float64) {
	n := rec.Static.Deformables[0].normal(int32(t)).Unit()
	f := &rec.Frames[0]
	f.Contacts = append(f.Contacts, Contact{A: -1, B: 0, Normal_W: n.Neg(), Force_W: n.Scale(-force), Slip_W: r3.Vec{slip}, Area: 1, Elem: [2]int32{0, int32(t)}})
}

// Unrolled, a prism of n sides that approximates an arc of radius r and angle φ is 2 n r sin(φ/2n) long, whatever its
// direction in space, and each edge keeps its length across triangles.
func TestPrismsAreUnrolledExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, c := range []struct{ r, phi, width float64 }{{0.02, math.Pi, 0.03}, {0.05, 1, 0.2}, {0.03, 1.9 * math.Pi, 0.01}, {1e6, 1e-7, 0.05}} {
		const n = 24
		rec := bent(func(s float64) (float64, float64) {
			si, co := math.Sincos(c.phi * (s - 0.5))
			return c.r * si, c.r * (co - 1)
		}, n, 3, c.width)
		R, p := r3.RotExp(r3.Vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}), r3.Vec{1, 2, 3}
		d := &rec.Static.Deformables[0]
		for i := range d.Rest {
			d.Rest[i] = R.MulVec(d.Rest[i]).Add(p)
		}
		push(rec, 40, 1, 0)
		f, err := rec.Unroll("pad", r3.Vec{})
		if err != nil {
			t.Fatal(err)
		}
		long, short := 2*n*c.r*math.Sin(c.phi/2/n), c.width
		if long < short {
			long, short = short, long
		}
		if math.Abs(f.Size[0]/long-1) > 1e-6 || math.Abs(f.Size[1]/short-1) > 1e-6 || len(f.Tris) != len(d.Tris) {
			t.Errorf("arc of %g m and %g rad: %v with %d triangles, want %g and %g", c.r, c.phi, f.Size, len(f.Tris), long, short)
		}
		// a vertex has one place, and distances along the surface are those in the plane
		place := map[int32][2]float64{}
		for i, tri := range f.Tris {
			for k, v := range d.Tris[tri] {
				q, seen := place[v]
				if at := f.At[i][k]; seen && math.Hypot(at[0]-q[0], at[1]-q[1]) > 1e-6*long {
					t.Fatalf("vertex %d is at %v and at %v", v, q, at)
				}
				place[v] = f.At[i][k]
				w := d.Tris[tri][(k+1)%3]
				e, g := d.Rest[w].Sub(d.Rest[v]).Norm(), f.At[i][(k+1)%3]
				if got := math.Hypot(g[0]-f.At[i][k][0], g[1]-f.At[i][k][1]); math.Abs(got-e) > 1e-9*long {
					t.Fatalf("an edge of %g m is %g m long", e, got)
				}
			}
		}
	}
}

// A box has six faces, distinguished by their directions; the one that is pressed is found. No force is an error, and
// so is a body that is not deformable.
func TestFacesAreFoundByTheirDirectionOrTheirForce(t *testing.T) {
	d := Deformable{Name: "cube"}
	for k := range 8 {
		d.Rest = append(d.Rest, r3.Vec{float64(k & 1), float64(k >> 1 & 1), float64(k >> 2)})
	}
	quad := func(a, b, c, e int32) { d.Tris = append(d.Tris, [3]int32{a, b, c}, [3]int32{a, c, e}) }
	quad(0, 2, 3, 1) // −z
	quad(4, 5, 7, 6) // +z
	quad(0, 1, 5, 4) // −y
	quad(2, 6, 7, 3) // +y
	quad(0, 4, 6, 2) // −x
	quad(1, 3, 7, 5) // +x
	rec := &Recording{Static: Static{Deformables: []Deformable{d}}, Frames: []Frame{{Verts: [][]r3.Vec{d.Rest}}}}
	for i, n := range []r3.Vec{{0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}} {
		f, err := rec.Unroll("cube", n)
		if err != nil || len(f.Tris) != 2 || f.Tris[0] != int32(2*i) || f.Normal.Sub(n).Norm() > 1e-12 {
			t.Errorf("towards %v: %+v, %v", n, f, err)
		}
	}
	if _, err := rec.Unroll("cube", r3.Vec{}); err == nil {
		t.Error("a face of a body that nothing presses on")
	}
	if _, err := rec.Unroll("box", r3.Vec{}); err == nil {
		t.Error("a face of a body that is not there")
	}
	push(rec, 7, 2, 0)
	push(rec, 0, 1, 0)
	if f, err := rec.Unroll("cube", r3.Vec{}); err != nil || f.Tris[0] != 6 {
		t.Errorf("the pressed face: %+v, %v", f, err)
	}
}

// Taxels get the parts of forces that lie in them: their sum is the normal force for any size of the taxels, an even
// pressure is that pressure on each, also on those that the edge of the face cuts, and slip is weighted by force.
func TestTaxelsHaveTheForceOfTheFace(t *testing.T) {
	const length, width, p = 0.1, 0.021, 3e4
	rec := bent(func(s float64) (float64, float64) {
		return length * (s + 0.05*math.Sin(9*s)) / (1 + 0.05*math.Sin(9)), 0
	}, 17, 4, width)
	d := &rec.Static.Deformables[0]
	want := 0.0
	for k := range d.Tris {
		f := p * d.normal(int32(k)).Norm() / 2
		push(rec, k, f, 0.02)
		want += f
	}
	face, err := rec.Unroll("pad", r3.Vec{})
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range []float64{1e-3, 0.7e-3, 5e-3, 0.03, 1, face.DefaultCell()} {
		x, err := rec.Taxels(face, 0, cell)
		if err != nil {
			t.Fatal(err)
		}
		force, area := 0.0, 0.0
		for k := range x.Force {
			force, area = force+x.Force[k], area+x.Area[k]
			if x.Area[k] > 1e-12 && (math.Abs(x.Pressure(k)/p-1) > 1e-6 || math.Abs(x.Slip[k]-0.02) > 1e-12) {
				t.Fatalf("taxels of %g m: %g Pa and %g m/s on taxel %d, want %g and 0.02", cell, x.Pressure(k), x.Slip[k], k, float64(p))
			}
		}
		if math.Abs(force/want-1) > 1e-9 || math.Abs(x.Normal/want-1) > 1e-9 || math.Abs(area/(length*width)-1) > 1e-6 {
			t.Errorf("taxels of %g m: %g N on %g m², want %g and %g", cell, force, area, want, length*width)
		}
		if math.Abs(math.Abs(x.Total[2])/want-1) > 1e-9 {
			t.Errorf("the force is %v, want ±%g along z", x.Total, want)
		}
	}
	for _, cell := range []float64{0, -1, math.NaN(), 1e-9} {
		if _, err := rec.Taxels(face, 0, cell); err == nil {
			t.Errorf("taxels of %g m", cell)
		}
	}
}
