package geometry

// Bodies cut from one plate: their end faces are flush, and what keeps them apart are the sides
// of their outlines. Contact must be that of the outlines, whatever the last bits of an offset.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// plateOutline is a star-shaped polygon in the plane of x and y, counter-clockwise about the origin.
type plateOutline [][2]float64

// prism returns the plateOutline as a plate between −half and half along z, in layers.
func (o plateOutline) prism(half float64, layers int) *meshes.Tri {
	m := &meshes.Tri{}
	n := int32(len(o))
	for k := range layers + 1 {
		z := half * (2*float64(k)/float64(layers) - 1)
		for _, p := range o {
			m.Verts = append(m.Verts, r3.Vec{p[0], p[1], z})
		}
	}
	bottom, top := int32(len(m.Verts)), int32(len(m.Verts))+1
	m.Verts = append(m.Verts, r3.Vec{0, 0, -half}, r3.Vec{0, 0, half})
	last := n * int32(layers)
	for i := range n {
		j := (i + 1) % n
		m.Tris = append(m.Tris, [3]int32{bottom, j, i}, [3]int32{top, last + i, last + j})
		for k := range int32(layers) {
			a, b := k*n, (k+1)*n
			m.Tris = append(m.Tris, [3]int32{a + i, a + j, b + j}, [3]int32{a + i, b + j, b + i})
		}
	}
	return m
}

// randomPlateOutline returns a regular or an irregular polygon, a step, a cam, or a toothed wheel, of about the radius
// 1.
func randomOutline(r *rand.Rand) (o plateOutline, convex bool) {
	switch kind := r.IntN(5); kind {
	case 4:
		in, out := 0.1+0.4*r.Float64(), 0.6+0.4*r.Float64()
		return plateOutline{{-0.5, -0.5}, {out, -0.5}, {out, in}, {in, in}, {in, 1}, {-0.5, 1}}, false
	case 0, 1:
		n := 3 + r.IntN(6)
		turn := 2 * math.Pi * r.Float64()
		for i := range n {
			a := turn + 2*math.Pi*(float64(i)+float64(kind)*0.4*(r.Float64()-0.5))/float64(n)
			o = append(o, [2]float64{math.Cos(a), math.Sin(a)})
		}
		return o, true
	case 2:
		for i := range 60 {
			a := 2 * math.Pi * float64(i) / 60
			l := 0.8 + 0.2*math.Cos(a)
			o = append(o, [2]float64{l * math.Cos(a), l * math.Sin(a)})
		}
		return o, false
	}
	teeth := 4 + r.IntN(12)
	for i := range teeth {
		for _, c := range [4][2]float64{{-0.3, 0.75}, {-0.2, 1}, {0.2, 1}, {0.3, 0.75}} {
			a := 2 * math.Pi * (float64(i) + c[0]) / float64(teeth)
			o = append(o, [2]float64{c[1] * math.Cos(a), c[1] * math.Sin(a)})
		}
	}
	return o, false
}

// outlinesCross reports whether two outlines cross each other, the second one at a pose in the plane of the first one.
func outlinesCross(a, b plateOutline, X r3.Pose) bool {
	moved := make(plateOutline, len(b))
	for i, p := range b {
		q := X.Point(r3.Vec{p[0], p[1], 0})
		moved[i] = [2]float64{q[0], q[1]}
	}
	side := func(a, b, p [2]float64) float64 {
		return (b[0]-a[0])*(p[1]-a[1]) - (b[1]-a[1])*(p[0]-a[0])
	}
	for i := range a {
		a0, a1 := a[i], a[(i+1)%len(a)]
		for j := range moved {
			b0, b1 := moved[j], moved[(j+1)%len(b)]
			if side(a0, a1, b0)*side(a0, a1, b1) < 0 && side(b0, b1, a0)*side(b0, b1, a1) < 0 {
				return true
			}
		}
	}
	return false
}

// springLoad is Σ −φ n over the contacts that overlap: the force on B of springs of 1 N/m.
func springLoad(cs []Contact) (f r3.Vec, n int) {
	for i := range cs {
		if c := &cs[i]; c.Phi < 0 {
			f, n = f.AddScaled(-c.Phi, c.Normal_W), n+1
		}
	}
	return f, n
}

// Two plates of one thickness touch as two of different thickness, of which one covers the other: at
// the ends of the lines where their outlines touch. Offsets along z change nothing.
func TestFlushPlatesTouchByTheirOutlines(t *testing.T) {
	seed, trials := orderSeeds(t, 40, 2000)
	r := rand.New(rand.NewPCG(seed, 0))
	touching := 0
	for trial := range trials {
		oA, convexA := randomOutline(r)
		oB, convexB := randomOutline(r)
		half := 0.05 + 0.4*r.Float64()
		dir := 2 * math.Pi * r.Float64()
		X := r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 2 * math.Pi * r.Float64()})}
		depth := 1e-3 * math.Pow(10, -3*r.Float64()) // less than the height of a facet
		place := func(d float64) r3.Pose {
			X.P = r3.Vec{d * math.Cos(dir), d * math.Sin(dir), 0}
			return X
		}
		// What B may be: shapes of the outline at a half thickness.
		mesh := func(layers int) func(half float64) Shape {
			return func(half float64) Shape { return mustMesh(t, oB.prism(half, layers)) }
		}
		kinds := map[string]func(half float64) Shape{"mesh": mesh(1), "layers": mesh(3), "fine": mesh(40)}
		switch kind := r.IntN(4); {
		case kind == 0:
			x, y := 0.3+r.Float64(), 0.3+r.Float64()
			oB = plateOutline{{x, y}, {-x, y}, {-x, -y}, {x, -y}}
			kinds["box"] = func(half float64) Shape { return must(NewBox(r3.Vec{x, y, half})) }
		case kind == 1:
			oB = nil
			for i := range 48 {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / 48)
				oB = append(oB, [2]float64{cos, sin})
			}
			kinds = map[string]func(half float64) Shape{"cylinder": func(half float64) Shape { return must(NewCylinder(1, half)) }}
		case convexB:
			kinds["hull"] = func(half float64) Shape { return must(NewConvex(oB.prism(half, 1).Verts)) }
		}
		// Where they first touch, coming from afar.
		far := 2.5
		for step := 0.02; step > 1e-13; step /= 2 {
			for far > step && !outlinesCross(oA, oB, place(far-step)) {
				far -= step
			}
		}
		X = place(far - depth)
		world := r3.Pose{R: r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}), P: r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}}
		for name, of := range kinds {
			reference := two(mustMesh(t, oA.prism(half, 1)), of(2*half), r3.PoseIdentity(), X, 0)
			want, points := springLoad(reference)
			// Where two corners meet the direction depends on which plate covers the other.
			covered, _ := springLoad(two(mustMesh(t, oA.prism(2*half, 1)), of(half), r3.PoseIdentity(), X, 0))
			if points == 0 || covered.Sub(want).Norm() > 1e-9*want.Norm() {
				continue
			}
			touching++
			other := of(half)
			for _, offset := range []float64{0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1.5e-9, -1.5e-9, 1e-7, -1e-7, 1e-6, -1e-5, 1e-4, -1e-4} {
				Y := X
				Y.P[2] = offset
				for _, swap := range []bool{false, true} {
					a, b, X_A, X_B, sign := Shape(mustMesh(t, oA.prism(half, 1))), other, world, world.Mul(Y), 1.0
					if swap {
						a, b, X_A, X_B, sign = b, a, X_B, X_A, -1
					}
					cs := two(a, b, X_A, X_B, 0)
					got, n := springLoad(cs)
					got = world.R.TMulVec(got).Scale(sign)
					if e := got.Sub(want).Norm(); !(e <= 1e-6*want.Norm()+1e-9) {
						t.Errorf("seed %d, trial %d, %d and %d corners (convex %v, %v), %s, swapped %v, offset %g, depth %g: force %v of %d points, want %v of %d",
							seed, trial, len(oA), len(oB), convexA, convexB, name, swap, offset, depth, got, n, want, points)
						if testing.Verbose() {
							for _, c := range reference {
								fmt.Println("  want", world.Point(c.Pos_W), c.Pos_W, c.Normal_W, c.Phi)
							}
							for _, c := range cs {
								fmt.Println("  got", c.Pos_W, world.InvPoint(c.Pos_W), world.R.TMulVec(c.Normal_W), c.Phi)
							}
						}
						return
					}
				}
			}
		}
	}
	if touching < trials {
		t.Errorf("only %d of %d plates touch", touching, trials)
	}
}
