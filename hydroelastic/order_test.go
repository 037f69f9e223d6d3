package hydroelastic

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// orderBodies are bodies of all kinds, some of them twice.
func orderBodies(t *testing.T) map[string]Geometry {
	t.Helper()
	opt := Options{HydroelasticModulus: 1e6, ResolutionHint: 0.06, Margin: 2e-3}
	stiff := opt
	stiff.HydroelasticModulus = 3e6
	bodies := map[string]Geometry{}
	put := func(name string, g Geometry, err error) {
		if err != nil {
			t.Fatal(err)
		}
		bodies[name] = g
	}
	add := func(name string, make func(opt Options) (*Compliant, error)) {
		g, err := make(opt)
		put(name, g, err)
		g, err = make(stiff)
		put("stiff "+name, g, err)
	}
	hull := blockOf(r3.Vec{0.12, 0.1, 0.08})
	add("box", func(opt Options) (*Compliant, error) { return NewBox(r3.Vec{0.12, 0.1, 0.08}, opt) })
	add("ball", func(opt Options) (*Compliant, error) { return NewSphere(0.06, opt) })
	add("capsule", func(opt Options) (*Compliant, error) { return NewCapsule(0.04, 0.1, opt) })
	add("cylinder", func(opt Options) (*Compliant, error) { return NewCylinder(0.05, 0.1, opt) })
	add("ellipsoid", func(opt Options) (*Compliant, error) { return NewEllipsoid(r3.Vec{0.05, 0.07, 0.04}, opt) })
	add("hull", func(opt Options) (*Compliant, error) { return NewConvex(hull, opt) })
	add("mesh", func(opt Options) (*Compliant, error) { return NewFromSurface(hull, opt) })
	rigid, err := NewRigid(hull, 0.06)
	put("rigid", rigid, err)
	ground, err := NewHalfSpace(0.1, opt)
	put("ground", ground, err)
	put("rigid ground", NewRigidHalfSpace(), nil)
	return bodies
}

// blockOf returns the surface of a block of the given edge lengths.
func blockOf(size r3.Vec) *meshes.Tri {
	m := &meshes.Tri{}
	for i := range 8 {
		m.Verts = append(m.Verts, r3.Vec{size[0] * (float64(i&1) - 0.5), size[1] * (float64(i>>1&1) - 0.5), size[2] * (float64(i>>2) - 0.5)})
	}
	for _, q := range [6][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Tris = append(m.Tris, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// orderPoses returns random poses of two bodies: anywhere, or with parallel axes,
// flush faces or one centre.
func orderPoses(r *rand.Rand) (X_WA, X_WB r3.Pose) {
	v := func(s float64) r3.Vec { return r3.Vec{s * r.NormFloat64(), s * r.NormFloat64(), s * r.NormFloat64()} }
	X_WA, X_WB = r3.Pose{R: r3.RotExp(v(1)), P: v(0.03)}, r3.Pose{R: r3.RotExp(v(1)), P: v(0.05)}
	turn := r3.Vec{}
	turn[r.IntN(3)] = math.Pi / 2 * float64(r.IntN(4))
	switch r.IntN(4) {
	case 0:
		X_WB.R = X_WA.R.Mul(r3.RotExp(turn))
	case 1:
		flush := r3.Vec{}
		flush[r.IntN(3)] = 0.02 * float64(r.IntN(7))
		X_WB = X_WA.Mul(r3.Pose{R: r3.RotExp(turn), P: flush})
	case 2:
		X_WB.P = X_WA.P
	}
	return X_WA, X_WB
}

// The contact surface of a pair is the same bit for bit whichever body comes first, but
// for the direction of its normals. Seeds are fixed; with CURLFREE_LONG=1 they are fresh.
func TestOrderOfBodiesDoesNotMatter(t *testing.T) {
	seed, pairs := uint64(1), 3000
	if os.Getenv("CURLFREE_LONG") != "" {
		seed, pairs = rand.Uint64(), 100000
		t.Logf("seed %d, %d pairs", seed, pairs)
	}
	bodies := orderBodies(t)
	names := []string{"box", "ball", "capsule", "cylinder", "ellipsoid", "hull", "mesh", "rigid", "ground", "rigid ground",
		"stiff box", "stiff ball", "stiff capsule", "stiff cylinder", "stiff ellipsoid", "stiff hull", "stiff mesh"}
	r := rand.New(rand.NewPCG(seed, 0))
	var q Query
	var ab, ba ContactSurface
	touching, number, value := 0, 0, 0
	for range pairs {
		na, nb := names[r.IntN(len(names))], names[r.IntN(len(names))]
		X_WA, X_WB := orderPoses(r)
		if !q.Contact(bodies[na], bodies[nb], X_WA, X_WB, &ab) {
			continue
		}
		q.Contact(bodies[nb], bodies[na], X_WB, X_WA, &ba)
		if len(ab.Faces) > 0 {
			touching++
		}
		switch {
		case len(ab.Faces) != len(ba.Faces):
			number++
			t.Logf("%s %s at %v %v: %d and %d faces", na, nb, X_WA, X_WB, len(ab.Faces), len(ba.Faces))
		case !mirrors(&ab, &ba):
			value++
			t.Logf("%s %s at %v %v: %d faces differ", na, nb, X_WA, X_WB, len(ab.Faces))
		}
	}
	if touching < pairs/4 || number+value > 0 {
		t.Errorf("of %d pairs %d touch, %d differ in number, %d in value", pairs, touching, number, value)
	}
}

// mirrors reports whether b is a with the bodies swapped.
func mirrors(a, b *ContactSurface) bool {
	if a.Force_W.Add(b.Force_W) != (r3.Vec{}) || a.Area != b.Area {
		return false
	}
	for i := range a.Faces {
		f, g := a.Faces[i], b.Faces[i]
		g.Normal_W, g.Elem = g.Normal_W.Neg(), [2]int32{g.Elem[1], g.Elem[0]}
		g.PressureGradientA, g.PressureGradientB = g.PressureGradientB, g.PressureGradientA
		if f != g {
			return false
		}
	}
	return true
}
