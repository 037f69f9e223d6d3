package geometry

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Two soft blocks face to face: the overlap counts once, from both sides.
func TestOverlapOfDeformablesCountsOnce(t *testing.T) {
	a, b := gridBox(r3.Vec{0.1, 0.1, 0.02}, 6), gridBox(r3.Vec{0.06, 0.06, 0.02}, 5)
	s := deformableData(nil, a, b)
	const depth = 1e-4
	s.X_W[1] = moved(b, r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.4}), P: r3.Vec{0, 0, 0.04 - depth}})
	cs := s.Collide()
	checkDeformable(t, s, cs)
	area, _, push := total(cs)
	want := 0.12 * 0.12
	t.Logf("%d contacts, area %.5g of %.5g, ∫−φ %.4g of %.4g", len(cs), area, want, push[2], want*depth)
	if math.Abs(area/want-1) > 0.005 || math.Abs(push[2]/(want*depth)-1) > 0.005 {
		t.Errorf("area %g, want %g; ∫−φ %g, want %g", area, want, push[2], want*depth)
	}
	if math.Hypot(push[0], push[1]) > 0.01*push[2] {
		t.Errorf("sideways push %v", push)
	}
	// The other order of bodies gives the same with normals reversed.
	r := deformableData(nil, b, a)
	r.X_W[0], r.X_W[1] = s.X_W[1], s.X_W[0]
	area2, _, push2 := total(r.Collide())
	if math.Abs(area2-area) > 1e-12*area || push2.Add(push).Norm() > 1e-12*push.Norm() {
		t.Errorf("swapped: area %v and %v, push %v and %v", area, area2, push, push2)
	}
}

// Walls one element thick push each other back the way they came, even when one
// has sunk beyond the middle of the other.
func TestThinDeformableWallsPushBackBeyondTheirMiddle(t *testing.T) {
	a, b := gridBox(r3.Vec{0.1, 0.1, 0.001}, 5), gridBox(r3.Vec{0.05, 0.05, 0.001}, 5)
	s := deformableData(nil, a, b)
	for _, depth := range []float64{0.0005, 0.0012, 0.0015, 0.0018} {
		s.X_W[1] = moved(b, shift(0.003, 0.002, 0.002-depth))
		_, _, push := total(s.Collide())
		want := 0.01 * depth
		if math.Abs(push[2]/want-1) > 0.05 {
			t.Errorf("depth %g: ∫−φ n %v, want %g upward", depth, push, want)
		}
	}
}

// Deformables that are grossly stretched are measured as they are now.
func TestStretchedSurfaceIsMeasuredWhereItIs(t *testing.T) {
	a, b := gridBox(r3.Vec{0.1, 0.1, 0.02}, 6), gridBox(r3.Vec{0.05, 0.05, 0.02}, 4)
	s := deformableData(nil, a, b)
	s.Collide()
	stretched := make([]r3.Vec, len(a.Verts))
	for i, p := range a.Verts {
		stretched[i] = r3.Vec{p[0] / 1.5, p[1] / 1.5, 3 * p[2]}
	}
	s.X_W[0] = stretched
	s.X_W[1] = moved(b, shift(0, 0, 0.08-1e-3))
	area, _, push := total(s.Collide())
	if math.Abs(area/0.01-1) > 0.03 || math.Abs(push[2]/1e-5-1) > 0.03 {
		t.Errorf("area %g, want 0.01; ∫−φ %g, want 1e-5", area, push[2])
	}
}

func TestDeadTrianglesMakeNoContact(t *testing.T) {
	m := sheet(1, 2)
	s := deformableData(HalfSpace{}, m)
	s.ActiveTriangle[0] = func(tri int32) bool { return tri == 3 }
	if cs := s.Collide(); len(cs) != 1 || cs[0].Elem[1] != 3 {
		t.Fatalf("contacts %v", cs)
	}
}

func BenchmarkDeformableOnBall(b *testing.B) {
	m := sheet(0.1, 40)
	s := deformableData(&Sphere{Radius: 0.05}, m)
	s.X_WB[0] = shift(0, 0, -0.045)
	b.ReportAllocs()
	for b.Loop() {
		s.Collide()
	}
	b.ReportMetric(float64(len(s.Collide())), "contacts")
}

func BenchmarkDeformableOnBox(b *testing.B) {
	m := sheet(0.1, 40)
	s := deformableData(&Box{Half: r3.Vec{0.03, 0.02, 0.05}}, m)
	s.X_WB[0] = shift(0.0013, 0.0007, -0.0485)
	s.MotionBound[0] = 1e-3
	b.ReportAllocs()
	for b.Loop() {
		s.Collide()
	}
	b.ReportMetric(float64(len(s.Collide())), "contacts")
}

func BenchmarkDeformableOnDeformable(b *testing.B) {
	x, y := gridBox(r3.Vec{0.1, 0.1, 0.02}, 20), gridBox(r3.Vec{0.06, 0.06, 0.02}, 15)
	s := deformableData(nil, x, y)
	s.X_W[1] = moved(y, r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.4}), P: r3.Vec{0, 0, 0.0399}})
	b.ReportAllocs()
	for b.Loop() {
		s.Collide()
	}
	b.ReportMetric(float64(len(s.Collide())), "contacts")
}

// Two blocks of one width, stacked flush and overlapping by δ: their sides lie in
// each other and press nothing across the block.
func TestFlushSidesDoNotTouch(t *testing.T) {
	a := gridBox(r3.Vec{0.1, 0.1, 0.02}, 6)
	s := deformableData(nil, a, a)
	const depth = 1e-4
	for k := range 10 {
		R := r3.RotExp(r3.Vec{0.3 * float64(k), -0.2 * float64(k), 0.1 * float64(k)})
		s.X_W[0] = moved(a, r3.Pose{R: R})
		s.X_W[1] = moved(a, r3.Pose{R: R, P: R.MulVec(r3.Vec{0, 0, 0.04 - depth})})
		cs := s.Collide()
		checkDeformable(t, s, cs)
		for i := range cs {
			if c := &cs[i]; c.Phi < -2*depth {
				t.Fatalf("pose %d: φ = %g at %v, normal %v", k, c.Phi, R.TMulVec(c.Pos_W), R.TMulVec(c.Normal_W))
			}
		}
		_, _, push := total(cs)
		if want := R.MulVec(r3.Vec{0, 0, 0.04 * depth}); push.Sub(want).Norm() > 0.01*want.Norm() {
			t.Errorf("pose %d: ∫ −φ n = %v, want %v", k, R.TMulVec(push), R.TMulVec(want))
		}
	}
}
