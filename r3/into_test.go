package r3

import (
	"math"
	"math/rand"
	"testing"
)

// Every form in place is its form by value, also where the destination is an operand.

func checkVec(t *testing.T, name string, got, want Vec) {
	t.Helper()
	if e := got.Sub(want).Norm(); !(e <= 4e-15*(1+want.Norm())) {
		t.Fatalf("%s: %v, want %v", name, got, want)
	}
}

func checkMat(t *testing.T, name string, got, want Mat) {
	t.Helper()
	if e := math.Sqrt(got.Sub(want).Norm2()); !(e <= 1e-14*(1+math.Sqrt(want.Norm2()))) {
		t.Fatalf("%s: %v, want %v", name, got, want)
	}
}

func randPose(r *rand.Rand) Pose { return Pose{randRot(r), randVec(r)} }

func TestVectorsInPlaceAreThoseByValue(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 100 {
		a, b, c, s, M, X := randVec(r), randVec(r), randVec(r), r.NormFloat64(), randMat(r), randPose(r)
		for _, x := range []struct {
			name string
			set  func(v, a, b *Vec)
			want Vec
		}{
			{"SetAdd", func(v, a, b *Vec) { v.SetAdd(a, b) }, a.Add(b)},
			{"SetSub", func(v, a, b *Vec) { v.SetSub(a, b) }, a.Sub(b)},
			{"SetCross", func(v, a, b *Vec) { v.SetCross(a, b) }, a.Cross(b)},
			{"SetScale", func(v, a, _ *Vec) { v.SetScale(s, a) }, a.Scale(s)},
			{"SetUnit", func(v, a, _ *Vec) { v.SetUnit(a) }, a.Unit()},
			{"SetMul", func(v, a, _ *Vec) { v.SetMul(&M, a) }, M.MulVec(a)},
			{"SetTMul", func(v, a, _ *Vec) { v.SetTMul(&M, a) }, M.TMulVec(a)},
			{"SetPoint", func(v, a, _ *Vec) { v.SetPoint(&X, a) }, X.Point(a)},
		} {
			v, p, q := c, a, b
			x.set(&v, &p, &q)
			checkVec(t, x.name, v, x.want)
			x.set(&p, &p, &q)
			checkVec(t, x.name+" onto a", p, x.want)
			p = a
			x.set(&q, &p, &q)
			checkVec(t, x.name+" onto b", q, x.want)
		}
		v := c
		v.SetUnit(&Vec{})
		checkVec(t, "SetUnit of zero", v, Vec{})
		v = c
		v.IncCross(&a, &b)
		checkVec(t, "IncCross", v, c.Add(a.Cross(b)))
		v = c
		v.IncScale(s, &a)
		checkVec(t, "IncScale", v, c.AddScaled(s, a))
		if a.DotOf(&b) != a.Dot(b) {
			t.Fatal("DotOf")
		}
	}
}

func TestMatricesInPlaceAreThoseByValue(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 100 {
		a, M, N := randVec(r), randMat(r), randMat(r)
		var m Mat
		m.SetMul(&M, &N)
		checkMat(t, "Mat.SetMul", m, M.Mul(N))
		m.SetTMul(&M, &N)
		checkMat(t, "Mat.SetTMul", m, M.T().Mul(N))
		m = M
		m.SetMul(&m, &N)
		checkMat(t, "Mat.SetMul onto a", m, M.Mul(N))
		q := Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		m.SetQuat(&q)
		checkMat(t, "SetQuat", m, q.Mat())
		for _, n := range []Vec{a.Unit(), {1, 0, 0}, {0, 1, 0}, {0, 0, -1}, Vec{1, 1, 0}.Unit(), Vec{0, 1, 1}.Unit(), Vec{1, 1, 1}.Unit()} {
			t1, t2 := Basis(n)
			if m.SetBasis(&n); m != FromColumns(t1, t2, n) {
				t.Fatalf("SetBasis of %v: %v", n, m)
			}
		}
	}
}

func TestPosesAndBoxesInPlaceAreThoseByValue(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 100 {
		a, b, s, X, Y := randVec(r), randVec(r), r.NormFloat64(), randPose(r), randPose(r)
		var x Pose
		x.SetMul(&X, &Y)
		checkMat(t, "Pose.SetMul", x.R, X.Mul(Y).R)
		checkVec(t, "Pose.SetMul", x.P, X.Mul(Y).P)
		x.SetInvMul(&X, &Y)
		checkMat(t, "Pose.SetInvMul", x.R, X.Inv().Mul(Y).R)
		checkVec(t, "Pose.SetInvMul", x.P, X.Inv().Mul(Y).P)
		box, got := EmptyBox().Extend(a).Extend(b), Box{}
		got.SetTransform(&X, &box)
		want := box.Transform(X)
		checkVec(t, "SetTransform", got.Min, want.Min)
		checkVec(t, "SetTransform", got.Max, want.Max)
		got.SetInflate(&box, s)
		checkVec(t, "SetInflate", got.Min, box.Inflate(s).Min)
		checkVec(t, "SetInflate", got.Max, box.Inflate(s).Max)
		x = X
		x.SetMul(&x, &Y)
		checkVec(t, "Pose.SetMul onto a", x.P, X.Mul(Y).P)
	}
}
