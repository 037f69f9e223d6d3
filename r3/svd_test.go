package r3

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
)

func randMat(r *rand.Rand) (m Mat) {
	for i := range m {
		m[i] = r.NormFloat64()
	}
	return m
}

func randRot(r *rand.Rand) Mat { return RotExp(randVec(r).Scale(2)) }

// awkward matrices: zero, singular, inverted, huge, tiny, graded, equal singular values.
func awkward(r *rand.Rand) []Mat {
	var ms []Mat
	for _, d := range []Vec{
		{}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {-1, -1, -1}, {1, 1, -1}, {2, 1, -1}, {1, 0.5, -0.5}, {3, 2, -1e-9}, {3, 2, 1e-9},
		{1e150, 1e149, 1e148}, {1e-150, 1e-151, -1e-152}, {1, 1e-8, 1e-16}, {1, 1e-12, -1e-12}, {1, 1e-200, 1e-300}, {1e300, 1, 1e-300},
	} {
		ms = append(ms, Diag(d), randRot(r).Mul(Diag(d)), randRot(r).Mul(Diag(d)).Mul(randRot(r)))
	}
	for range 2000 {
		m := randMat(r)
		ms = append(ms, m, m.Scale(math.Exp(30*r.NormFloat64())), Identity().Add(m.Scale(0.05)))
		a := randVec(r)
		ms = append(ms, Outer(a, randVec(r)), Outer(a, randVec(r)).Add(Outer(randVec(r), a)))
	}
	return ms
}

func maxAbs(m Mat) float64 {
	s := 0.0
	for _, x := range m {
		s = math.Max(s, math.Abs(x))
	}
	return s
}

func checkRotation(t *testing.T, what string, F, R Mat) {
	t.Helper()
	if e := maxAbs(R.Mul(R.T()).Sub(Identity())); !(e < 4e-15) || !(math.Abs(R.Det()-1) < 1e-14) {
		t.Fatalf("%s of %v is no rotation: %v (error %g, det %g)", what, F, R, e, R.Det())
	}
}

// F = U diag(s) Vᵀ, U and V rotations, s ordered, the sign of det F in s₂.
func TestSVDReproducesTheMatrix(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, F := range awkward(r) {
		U, s, V := SVD(F)
		checkRotation(t, "U", F, U)
		checkRotation(t, "V", F, V)
		if !(s[0] >= s[1] && s[1] >= math.Abs(s[2])*(1-1e-15)) {
			t.Fatalf("singular values %v of %v are not in order", s, F)
		}
		if e := maxAbs(U.Mul(Diag(s)).Mul(V.T()).Sub(F)); !(e <= 4e-15*maxAbs(F)) {
			t.Fatalf("U diag(s) Vᵀ − F = %g for F = %v, s = %v", e, F, s)
		}
	}
}

// One-sided Jacobi keeps the relative accuracy of small singular values when
// columns are graded.
func TestSVDKeepsSmallSingularValues(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 100 {
		want := Vec{1, 1e-9, -1e-18}
		_, s, _ := SVD(randRot(r).Mul(Diag(want)))
		for i := range s {
			if math.Abs(s[i]-want[i]) > 1e-14*math.Abs(want[i]) {
				t.Fatalf("s = %v, want %v", s, want)
			}
		}
	}
}

// F = R S with R a rotation and S symmetric; S is positive for det F > 0 and has
// only its smallest eigenvalue negative for det F < 0.
func TestPolarIsTheNearestRotation(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for _, F := range awkward(r) {
		R := Polar(F)
		checkRotation(t, "polar", F, R)
		scale := maxAbs(F)
		S := R.T().Mul(F)
		for _, ij := range [][2]int{{1, 3}, {2, 6}, {5, 7}} {
			if e := math.Abs(S[ij[0]] - S[ij[1]]); !(e <= 1e-14*scale) {
				t.Fatalf("RᵀF is off symmetric by %g for F = %v", e, F)
			}
		}
		if scale == 0 || math.IsInf(scale*scale, 0) {
			continue
		}
		// Nearest: tr(RᵀF) is no less than for rotations nearby and far.
		for range 5 {
			Q := R.Mul(RotExp(randVec(r).Scale(math.Exp(-5 * r.Float64()))))
			if Q.T().Mul(F).Trace() > S.Trace()+1e-13*scale {
				t.Fatalf("a rotation nearer to %v than %v: %v", F, R, Q)
			}
		}
	}
}

func TestPolarOfARotationIsItself(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for range 1000 {
		Q := randRot(r)
		if e := maxAbs(Polar(Q).Sub(Q)); e > 2e-15 {
			t.Fatalf("polar(Q) − Q = %g", e)
		}
	}
}

// Newton and the SVD are two ways to the same rotation.
func TestPolarAgreesWithSVD(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 5000 {
		F := randMat(r)
		U, s, V := SVD(F)
		gap := s[1] + s[2] // conditions R
		if e := maxAbs(Polar(F).Sub(U.Mul(V.T()))); !(e <= 1e-14*s[0]/gap) {
			t.Fatalf("F = %v, s = %v: off by %g", F, s, e)
		}
	}
}

func TestSymEigenReproducesTheMatrix(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	for _, F := range awkward(r) {
		if maxAbs(F) > 1e100 {
			continue
		}
		S := F.Add(F.T())
		Q, w := SymEigen(S)
		checkRotation(t, "Q", S, Q)
		if e := maxAbs(Q.Mul(Diag(w)).Mul(Q.T()).Sub(S)); !(e <= 1e-14*maxAbs(S)) {
			t.Fatalf("Q diag(w) Qᵀ − S = %g for S = %v", e, S)
		}
	}
}

// From a matrix that is not finite the result is not finite or a rotation, and the
// iterations end.
func TestDecompositionsOfNaNEnd(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for i := range 9 {
			F := Identity()
			F[i] = x
			SVD(F)
			Polar(F)
			SymEigen(F)
		}
	}
}

func TestDecompositionsDoNotAllocate(t *testing.T) {
	F := Mat{1, 2, 3, 4, 5, 6, 7, 8, -10}
	var sink float64
	if n := alloctest.PerRun(100, func() {
		U, s, V := SVD(F)
		sink += U[0] + s[0] + V[0] + Polar(F)[0]
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

func BenchmarkPolar(b *testing.B) {
	F := RotExp(Vec{1, 2, 3}).Mul(Mat{1.02, 0.01, 0, 0.02, 0.97, 0, 0, 0.01, 1.01})
	var sink float64
	for b.Loop() {
		sink += Polar(F)[0]
	}
}

func BenchmarkSVD(b *testing.B) {
	F := RotExp(Vec{1, 2, 3}).Mul(Mat{1.02, 0.01, 0, 0.02, 0.97, 0, 0, 0.01, 1.01})
	var sink float64
	for b.Loop() {
		_, s, _ := SVD(F)
		sink += s[0]
	}
}
