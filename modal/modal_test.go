package modal

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// bar returns a bar along x of square section, clamped at its lower end or free.
func bar(t testing.TB, elements fem.Elements, size r3.Vec, cells [3]int, nu float64, clamped bool) *fem.Model {
	t.Helper()
	mesh, err := meshes.BoxTets(size, cells)
	if err != nil {
		t.Fatal(err)
	}
	if elements == fem.Tet10 {
		mesh = mesh.Quadratic()
	}
	law, err := fem.NewCorotational(2e6, nu)
	if err != nil {
		t.Fatal(err)
	}
	spec := fem.Spec{Name: "bar", Mesh: mesh, Law: law, Elements: elements, Density: 1000, MassDamping: 1, StiffnessDamping: 0.01}
	for v, p := range mesh.Verts {
		if clamped && p[0] < -size[0]/2+1e-9 {
			spec.Fixed = append(spec.Fixed, int32(v))
		}
	}
	m, err := fem.NewModel(spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Modes are those of dense matrices, multiple frequencies and rigid motions included, for all
// elements.
func TestModesAreThoseOfDenseMatrices(t *testing.T) {
	for _, clamped := range []bool{true, false} {
		for _, e := range []fem.Elements{fem.Tet4, fem.Hex12, fem.Tet10} {
			m := bar(t, e, r3.Vec{0.05, 0.01, 0.01}, [3]int{5, 1, 1}, 0.3, clamped)
			got, err := Solve(m, nil, 14)
			if err != nil {
				t.Fatal(err)
			}
			want := denseValues(t, got)
			scale := want[len(want)-1]
			for i, mode := range got.List {
				if math.Abs(mode.Omega2-want[i]) > 1e-9*want[i]+1e-12*scale {
					t.Errorf("%s, clamped %t: mode %d has ω² = %.12g, want %.12g", e, clamped, i, mode.Omega2, want[i])
				}
				if !clamped && (i < 6) != (mode.Omega2 < 1e-6*want[6]) {
					t.Errorf("%s: mode %d of a free body has ω² = %g", e, i, mode.Omega2)
				}
			}
		}
	}
}

// denseValues returns all ω² by the dense eigenvalues of L⁻¹ K L⁻ᵀ, M = L Lᵀ.
func denseValues(t *testing.T, m *Modes) []float64 {
	t.Helper()
	n, _ := m.K.Dims()
	M, K := mat.NewSymDense(n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			K.Set(i, j, m.K.At(i, j))
			if j >= i {
				M.SetSym(i, j, m.M.At(i, j))
			}
		}
	}
	var c mat.Cholesky
	if !c.Factorize(M) {
		t.Fatal("the mass is not positive definite")
	}
	var L mat.TriDense
	c.LTo(&L)
	var X, Y mat.Dense
	if err := X.Solve(&L, K); err != nil {
		t.Fatal(err)
	}
	if err := Y.Solve(&L, X.T()); err != nil {
		t.Fatal(err)
	}
	S := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			S.SetSym(i, j, 0.5*(Y.At(i, j)+Y.At(j, i)))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(S, false) {
		t.Fatal("no eigenvalues")
	}
	w := e.Values(nil)
	slices.Sort(w)
	return w
}

// Shapes are orthonormal in M and K, fixed vertices stay, and the shares of mass of all modes add
// up to one.
func TestShapesAreOrthonormal(t *testing.T) {
	m := bar(t, fem.Hex12, r3.Vec{0.03, 0.01, 0.01}, [3]int{3, 1, 1}, 0.3, true)
	all, err := Solve(m, nil, 36)
	if err != nil {
		t.Fatal(err)
	}
	var share r3.Vec
	for i, a := range all.List {
		share = share.Add(a.MassShare)
		for _, v := range m.Spec().Fixed {
			if a.Shape[v] != (r3.Vec{}) {
				t.Errorf("mode %d moves the fixed vertex %d", i, v)
			}
		}
		for j, b := range all.List[:i+1] {
			x, y := flat(a, all.Verts), flat(b, all.Verts)
			want := 0.0
			if i == j {
				want = 1
			}
			if got := dot(x, times(all.M, y)); math.Abs(got-want) > 1e-9 {
				t.Errorf("modes %d and %d: φᵀMφ = %g", i, j, got)
			}
			if got := dot(x, times(all.K, y)); math.Abs(got-want*a.Omega2) > 1e-9*all.List[35].Omega2 {
				t.Errorf("modes %d and %d: φᵀKφ = %g", i, j, got)
			}
		}
	}
	if share.Sub(r3.Vec{1, 1, 1}).Norm() > 1e-9 {
		t.Errorf("shares of the mass add up to %v", share)
	}
}

func flat(m Mode, verts []int32) (x []float64) {
	for _, v := range verts {
		x = append(x, m.Shape[v][:]...)
	}
	return x
}

// The first three frequencies of a clamped bar of 4 × 2 × 20 cells, all of bending, are those of
// Timoshenko's beam, solved by shooting, within 1 % at ν = 0, where clamping hinders no strain.
// Higher ones are up to 2 % too high: their waves are a few cells long.
func TestFrequenciesOfAClampedBarAreTimoshenkos(t *testing.T) {
	const L, H, B, E, rho = 0.2, 0.02, 0.01, 2e6, 1000.0
	want := append(timoshenko(L, B*H, B*H*H*H/12, E, E/2, 10.0/12, rho, 2), timoshenko(L, B*H, H*B*B*B/12, E, E/2, 10.0/12, rho, 3)...)
	slices.Sort(want)
	m := bar(t, fem.Hex12, r3.Vec{L, B, H}, [3]int{20, 2, 4}, 0, true)
	got, err := Solve(m, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for k, mode := range got.List {
		t.Logf("%.4f Hz, Timoshenko %.4f Hz (%+.2f %%)", mode.Frequency, want[k], 100*(mode.Frequency/want[k]-1))
		if math.Abs(mode.Frequency/want[k]-1) > 0.01 {
			t.Errorf("mode %d: %g Hz, want %g", k+1, mode.Frequency, want[k])
		}
	}
}

// timoshenko returns the n lowest frequencies of a clamped beam, Hz: roots of the determinant of
// moment and shear at the free end, integrated from the clamp by Runge–Kutta.
func timoshenko(L, A, I, E, G, kappa, rho float64, n int) (f []float64) {
	// state w, θ, M, Q: w' = θ + Q/κGA, θ' = M/EI, M' = −Q − ρIω²θ, Q' = −ρAω²w
	end := func(omega float64) float64 {
		var y [2][4]float64
		y[0][2], y[1][3] = E*I/L, E*I/(L*L)
		d := func(s [4]float64) [4]float64 {
			return [4]float64{s[1] + s[3]/(kappa*G*A), s[2] / (E * I), -s[3] - rho*I*omega*omega*s[1], -rho * A * omega * omega * s[0]}
		}
		const steps = 400
		h := L / steps
		for c := range y {
			for range steps {
				s := y[c]
				add := func(k [4]float64, a float64) (o [4]float64) {
					for i := range o {
						o[i] = s[i] + a*k[i]
					}
					return o
				}
				k1 := d(s)
				k2 := d(add(k1, h/2))
				k3 := d(add(k2, h/2))
				k4 := d(add(k3, h))
				for i := range s {
					y[c][i] = s[i] + h/6*(k1[i]+2*k2[i]+2*k3[i]+k4[i])
				}
			}
		}
		return y[0][2]*y[1][3] - y[0][3]*y[1][2]
	}
	step := 0.02 * math.Sqrt(E*I/(rho*A)) / (L * L)
	for omega, before := step, end(step); len(f) < n; omega += step {
		now := end(omega + step)
		if now*before < 0 {
			lo, hi := omega, omega+step
			for range 60 {
				mid := (lo + hi) / 2
				if end(lo)*end(mid) <= 0 {
					hi = mid
				} else {
					lo = mid
				}
			}
			f = append(f, lo/(2*math.Pi))
		}
		before = now
	}
	return f
}

// A body that is fixed too little, and too many modes, are errors that say so.
func TestModesThatThereAreNot(t *testing.T) {
	m := bar(t, fem.Hex12, r3.Vec{0.03, 0.01, 0.01}, [3]int{3, 1, 1}, 0.3, false)
	if _, err := Solve(m, []int32{0}, 3); err == nil {
		t.Error("a body fixed at one point has modes")
	}
	if _, err := Solve(m, nil, 1000); err == nil {
		t.Error("a body of 48 velocities has 1000 modes")
	}
}
