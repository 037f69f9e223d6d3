package fem

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"

	"gonum.org/v1/gonum/mat"
)

// modes returns the eigenvalues ω² (rising) and the M-orthonormal shapes of
// K φ = ω² M φ.
func modes(t *testing.T, K, M *mat.SymDense) (omega2 []float64, shapes *mat.Dense) {
	t.Helper()
	var chol mat.Cholesky
	if !chol.Factorize(M) {
		t.Fatal("M is not positive definite")
	}
	var L mat.TriDense
	chol.LTo(&L)
	var X, Y mat.Dense
	if err := X.Solve(&L, K); err != nil {
		t.Fatal(err)
	}
	if err := Y.Solve(&L, X.T()); err != nil { // L⁻¹ K L⁻ᵀ
		t.Fatal(err)
	}
	n := M.SymmetricDim()
	S := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			S.SetSym(i, j, 0.5*(Y.At(i, j)+Y.At(j, i)))
		}
	}
	var eig mat.EigenSym
	eig.Factorize(S, true)
	var V, phi mat.Dense
	eig.VectorsTo(&V)
	if err := phi.Solve(L.T(), &V); err != nil {
		t.Fatal(err)
	}
	return eig.Values(nil), &phi
}

// bar returns a bar of length 1 clamped at x = 0.
func bar(t *testing.T, cells int, s Spec) *world {
	t.Helper()
	s.Mesh = boxMesh(r3.Vec{1, 0.1, 0.1}, cells, 1, 1)
	s.Fixed = where(s.Mesh, func(p r3.Vec) bool { return p[0] == 0 })
	return newWorld(mustModel(t, s))
}

// along returns the part of a matrix that acts along x.
func along(S *mat.SymDense) *mat.SymDense {
	n := S.SymmetricDim() / 3
	X := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			X.SetSym(i, j, S.At(3*i, 3*j))
		}
	}
	return X
}

// Motion along x only, ν = 0: f = c/4L, c = √(E/ρ). The consistent mass bounds it
// from above with the square of the size; a lumped mass brackets it from below.
func TestBarFrequencyIsBracketedAndConvergesAtSecondOrder(t *testing.T) {
	const E, rho = 1e4, 1000.0
	law, err := NewCorotational(E, 0)
	if err != nil {
		t.Fatal(err)
	}
	exact := math.Pi / 2 * math.Sqrt(E/rho)
	var excess []float64
	for _, n := range []int{4, 8, 16} {
		w := bar(t, n, Spec{Law: law, Density: rho})
		K, M := stiffness(w)
		o2, _ := modes(t, along(K), along(M))
		excess = append(excess, math.Sqrt(o2[0])/exact-1)

		lumped := mat.NewSymDense(len(w.d.model.vertex), nil)
		for j, v := range w.d.model.vertex {
			lumped.SetSym(j, j, w.d.model.nodalMass[v])
		}
		o2, _ = modes(t, along(K), lumped)
		low := math.Sqrt(o2[0])/exact - 1
		if excess[len(excess)-1] <= 0 || low >= 0 || low < -2*excess[len(excess)-1] {
			t.Errorf("%d cells: consistent mass %+.5f, lumped mass %+.5f off the frequency", n, excess[len(excess)-1], low)
		}
	}
	for i := range 2 {
		if rate := math.Log2(excess[i] / excess[i+1]); rate < 1.9 || rate > 2.1 {
			t.Errorf("excess of frequency %v: rate %.2f, want 2", excess, rate)
		}
	}
}

// A mode φ with Rayleigh damping moves as a scalar: with D = α + ζω²,
//
//	(1 + hD + h²ω²)(v⁺ − v) = −h [ω²(q + h v) + D v],  q⁺ = q + h v⁺,
//
// whose amplitude decays at the rate ½(α + ζω²) as h → 0.
func TestRayleighDampingDecaysAtItsRate(t *testing.T) {
	law, err := NewCorotational(1e4, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	w := bar(t, 4, Spec{Law: law, Density: 1000})
	K, M := stiffness(w)
	omega2, shapes := modes(t, K, M)
	const mode = 2
	o2 := omega2[mode]
	const alpha, zeta = 0.2, 0.03
	D := alpha + zeta*o2

	damped := w.d.model.spec
	damped.MassDamping, damped.StiffnessDamping = alpha, zeta
	m := mustModel(t, damped)
	phi := make([]float64, m.Dofs())
	for i := range phi {
		phi[i] = shapes.At(i, mode)
	}
	const size = 1e-7 // small enough for R to be the identity to round-off
	energy := func(h, end float64) (rate float64) {
		w := newWorld(m)
		copy(w.v, scaled(m.spread(phi), size))
		v, q := size, 0.0
		for range int(math.Round(end / h)) {
			w.step(h, r3.Vec{})
			v -= h * (o2*(q+h*v) + D*v) / (1 + h*D + h*h*o2)
			q += h * v
		}
		got := 0.0
		Mv := massTimes(m, w.v)
		for i, p := range m.spread(phi) {
			got += p * Mv[i]
		}
		if math.Abs(got-v) > 1e-5*size {
			t.Errorf("h = %g: modal velocity %g, scalar recurrence %g", h, got/size, v/size)
		}
		return -math.Log((v*v+o2*q*q)/(size*size)) / (2 * end)
	}
	period := 2 * math.Pi / math.Sqrt(o2-D*D/4)
	coarse, fine := energy(period/200, period), energy(period/400, period)
	if rate := 2*fine - coarse; math.Abs(rate-D/2) > 0.01*D/2 { // first order in h
		t.Errorf("decay at %g/s, want ½(α + ζω²) = %g/s", rate, D/2)
	}
}

func scaled(x []float64, s float64) []float64 {
	for i := range x {
		x[i] *= s
	}
	return x
}

// spin returns a square plate turning at omega about z and its state after some
// seconds.
func spin(t *testing.T, law ConstitutiveLaw, omega, h, end, zeta float64) *world {
	t.Helper()
	m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.1, 0.05}, 2, 2, 1), Law: law, Density: 1000, StiffnessDamping: zeta})
	w := newWorld(m)
	c := w.d.CenterOfMass()
	for i, p := range w.d.Positions() {
		v := r3.Vec{0, 0, omega}.Cross(p.Sub(c))
		copy(w.v[3*i:], v[:])
	}
	for range int(math.Round(end / h)) {
		w.step(h, r3.Vec{})
	}
	return w
}

// Free spin: backward Euler alone loses angular momentum at the rate hω² (0.63 of
// it here at 10 ms), and rotations frozen at the start of the step strain a
// body falsely by ½(hω)². What is left falls with the square of h.
func TestSpinLosesAngularMomentumAtSecondOrderOnly(t *testing.T) {
	const omega, end = 10.0, 1.0
	for name, law := range lawsOf(t, 1e5, 0.3) {
		if name == "linear" {
			continue // does not turn
		}
		var loss []float64
		for _, h := range []float64{0.02, 0.01} {
			start := spin(t, law, omega, h, 0, 0)
			about := start.d.CenterOfMass()
			before := start.d.AngularMomentum(about, start.v)[2]
			w := spin(t, law, omega, h, end, 0)
			loss = append(loss, 1-w.d.AngularMomentum(about, w.v)[2]/before)
		}
		t.Logf("%s: loss %.2e at 20 ms, %.2e at 10 ms", name, loss[0], loss[1])
		if math.Abs(loss[1]) > 2e-3 || math.Abs(loss[1]) > math.Abs(loss[0])/3+1e-6 {
			t.Errorf("%s: loses %.2e of its angular momentum at 20 ms, %.2e at 10 ms", name, loss[0], loss[1])
		}
	}
}

// A stiff body spins without false strain, whose elastic energy would be many
// times the kinetic energy here; damping does not see the spin either.
func TestSpinIsNoStrain(t *testing.T) {
	for name, law := range lawsOf(t, 1e7, 0.3) {
		if name == "linear" {
			continue
		}
		for _, zeta := range []float64{0, 0.01} {
			w := spin(t, law, 10, 0.01, 0.5, zeta)
			kinetic, elastic := w.d.KineticEnergy(w.v), w.d.ElasticEnergy()
			if elastic > 0.01*kinetic {
				t.Errorf("%s, ζ = %g: elastic energy %g J, kinetic %g J", name, zeta, elastic, kinetic)
			}
		}
	}
}

// A body that turns by more than a step resolves is braked, not blown up.
func TestUnresolvedSpinIsBraked(t *testing.T) {
	for _, E := range []float64{1e5, 1e7} {
		law, err := NewCorotational(E, 0.3)
		if err != nil {
			t.Fatal(err)
		}
		start := spin(t, law, 150, 0.01, 0, 0)
		w := spin(t, law, 150, 0.01, 2, 0.005)
		if e0, e1 := start.d.KineticEnergy(start.v), w.d.KineticEnergy(w.v); !(e1 < e0) || w.d.Inverted() > 0 {
			t.Errorf("E = %g: kinetic energy %g → %g J, %d tets inside out", E, e0, e1, w.d.Inverted())
		}
		if least, most := w.d.Stretch(); least < 0.5 || most > 2 {
			t.Errorf("E = %g: stretches %g to %g", E, least, most)
		}
	}
}

// Random velocities of each vertex, faster than the mesh resolves, decay: they
// must not feed the frame of the step.
func TestRoughMotionCreatesNoEnergy(t *testing.T) {
	for name, law := range lawsOf(t, 1e5, 0.3) {
		m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.2, 0.02, 0.02}, 8, 1, 1), Law: law, Density: 1000})
		w := newWorld(m)
		w.shake(1, 0, 3)
		before := w.d.KineticEnergy(w.v)
		for i := range 50 {
			w.step(0.01, r3.Vec{})
			if e := w.d.KineticEnergy(w.v) + w.d.ElasticEnergy(); !(e < before) {
				t.Fatalf("%s: %g J of %g after step %d", name, e, before, i)
			}
		}
	}
}
