package constraints

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// TestSimilarIsStifferAndHigherWhereItSlides evaluates k_eff = k (1 + μ d |vt|)
// and the gliding offset μ h |vt| at vn = 0, and d_eff by the slope in vn.
func TestSimilarIsStifferAndHigherWhereItSlides(t *testing.T) {
	const h, k, d, mu, phi, v = 1e-3, 1e6, 10.0, 0.5, -1e-4, 2.0
	n := new(huntCrossley)
	n.init(h, k, d, phi)
	l := &similar{normal: n, friction: friction{mu: mu, eps: 1e-12}}
	var g [3]float64
	var G [9]float64
	l.Eval([]float64{v, 0, 0}, g[:], G[:])
	x, kEff := -phi+mu*h*v, k*(1+mu*d*v)
	closeTo(t, "impulse", g[:], []float64{-mu * h * kEff * x, 0, h * kEff * x}, 1e-10)
	closeTo(t, "slope", G[8:], []float64{h * kEff * (h + d/(1+mu*d*v)*x)}, 1e-10)
}

// TestStribeckCurveHasItsLimits are μ_s at rest and μ_d in fast sliding, both
// exact, monotone between, half way at ten times the stiction tolerance.
func TestStribeckCurveHasItsLimits(t *testing.T) {
	const s, d = 0.9, 0.3
	if got := Stribeck(s, d, 0); math.Abs(got-s) > 1e-15 {
		t.Errorf("at rest %.17g", got)
	}
	if got := Stribeck(s, d, 1e9); got != d {
		t.Errorf("sliding %.17g", got)
	}
	if got := Stribeck(s, d, 10); math.Abs(got-(d+(s-d)/(1+10/math.Sqrt(101)))) > 1e-15 {
		t.Errorf("half way %.17g", got)
	}
	for x, last := 0.0, s+1e-15; x < 200; x += 0.5 {
		mu := Stribeck(s, d, x)
		if mu > last || mu < d {
			t.Fatalf("%g at %g after %g", mu, x, last)
		}
		last = mu
	}
	if Stribeck(0.2, 0.5, 0) != 0.5 {
		t.Error("a static coefficient below the dynamic one does not count as equal")
	}
}

// TestGrainTurnsWithItsBody has the tensor of the contact's frame from axes on a
// turned body, and from either side.
func TestGrainTurnsWithItsBody(t *testing.T) {
	f := scene()
	r := rand.New(rand.NewPCG(8, 0))
	for range 100 {
		n := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()
		g_B := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()
		c := contactBetween(geometry.MaterialPoint{Body: 0}, geometry.MaterialPoint{Body: 1}, r3.Vec{}, n, 0)
		R_WC := ContactFrame(c)
		side := Side{Friction: 0.9, TransverseFriction: 0.2, FrictionDirection_B: g_B}
		for body := range 2 {
			M := side.tensor(c, body, f)
			e_W := f.X_WB[body].R.MulVec(g_B)
			e_W = e_W.AddScaled(-e_W.Dot(n), n).Unit()
			for _, ax := range []struct {
				v_W r3.Vec
				mu  float64
			}{{e_W, 0.9}, {n.Cross(e_W), 0.2}} {
				v := R_WC.TMulVec(ax.v_W)
				closeTo(t, "principal axis", []float64{M.xx*v[0] + M.xy*v[1], M.xy*v[0] + M.yy*v[1]}, []float64{ax.mu * v[0], ax.mu * v[1]}, 1e-12)
			}
		}
	}
}

func TestGrainThatStandsOnTheSurfaceIsIsotropic(t *testing.T) {
	f := scene()
	n := r3.Vec{1, 2, -2}.Unit()
	c := contactBetween(geometry.MaterialPoint{Body: 0}, geometry.MaterialPoint{Body: 1}, r3.Vec{}, n, 0)
	for _, tilt := range []float64{0, 1e-5} {
		t1, _ := r3.Basis(n)
		g_W := n.AddScaled(tilt, t1).Unit()
		side := Side{Friction: 0.9, TransverseFriction: 0.4, FrictionDirection_B: f.X_WB[1].R.TMulVec(g_W)}
		if M := side.tensor(c, 1, f); M.xy != 0 || M.xx != M.yy || math.Abs(M.xx-0.6) > 1e-15 {
			t.Errorf("%+v, want 0.6 I", M)
		}
	}
}

// TestTensorsCombineLikeCoefficients compares (2) with the rule along common
// axes, with inverses in general, and in its limits.
func TestTensorsCombineLikeCoefficients(t *testing.T) {
	for _, tc := range []struct{ a, b, want tensor }{
		{tensor{0.8, 0, 0.3}, tensor{0.5, 0, 0.6}, tensor{combineFriction(0.8, 0.5), 0, combineFriction(0.3, 0.6)}},
		{tensor{0.5, 0, 0.5}, tensor{0.5, 0, 0.5}, tensor{0.5, 0, 0.5}},
		{tensor{0.8, 0, 0}, tensor{0.4, 0, 0.4}, tensor{combineFriction(0.8, 0.4), 0, 0}},
		{tensor{0.8, 0, 0}, tensor{0.4, 0, 0}, tensor{combineFriction(0.8, 0.4), 0, 0}},
		{tensor{0.8, 0, 0}, tensor{0, 0, 0.4}, tensor{}},
		{tensor{}, tensor{}, tensor{}},
	} {
		got := combineTensors(tc.a, tc.b)
		closeTo(t, "combined", []float64{1, got.xx, got.xy, got.yy}, []float64{1, tc.want.xx, tc.want.xy, tc.want.yy}, 1e-15)
	}
	inv := func(m tensor) tensor { return tensor{m.yy, -m.xy, m.xx}.scale(1 / m.det()) }
	a, b := tensor{0.8, 0.1, 0.4}, tensor{0.3, -0.2, 0.9}
	ia, ib := inv(a), inv(b)
	want := inv(tensor{ia.xx + ib.xx, ia.xy + ib.xy, ia.yy + ib.yy}).scale(2)
	got, swapped := combineTensors(a, b), combineTensors(b, a)
	closeTo(t, "combined", []float64{got.xx, got.xy, got.yy}, []float64{want.xx, want.xy, want.yy}, 1e-14)
	if got != swapped {
		t.Errorf("%v, swapped %v", got, swapped)
	}
}

// TestAnisotropicFrictionTurnsToTheRoughDirection has the force −n0 M M v/|M v| in
// sliding.
func TestAnisotropicFrictionTurnsToTheRoughDirection(t *testing.T) {
	f := friction{aniso: true, M: tensor{0.8, 0, 0.2}, eps: 1e-12, n0: 1}
	l := &lagged{normal: new(huntCrossley), friction: f}
	var g [3]float64
	var G [9]float64
	l.Eval([]float64{1, 1, 0}, g[:], G[:])
	size := math.Hypot(0.8, 0.2)
	closeTo(t, "force", g[:2], []float64{-0.64 / size, -0.04 / size}, 1e-12)
	for i, v := range [][]float64{{1, 0, 0}, {0, 1, 0}} { // along the axes as Coulomb's
		l.Eval(v, g[:], G[:])
		want := [][]float64{{-0.8, 0}, {0, -0.2}}[i]
		closeTo(t, "force", g[:2], want, 1e-12)
	}
}

// TestMaterialsBringTheirGrain through the table: isotropic stand-ins, unit
// friction directions, deformables and SAP refused, overrides isotropic.
func TestMaterialsBringTheirGrain(t *testing.T) {
	wood := DefaultContactMaterial()
	wood.Friction, wood.StaticFriction, wood.TransverseFriction, wood.FrictionDirection_B = 0.9, 1.8, 0.4, r3.Vec{0, 3, 0}
	s := table(t, DefaultContactMaterial(), wood)
	pair, err := s.Pair(&geometry.Contact{Materials: [2]int{0, 1}})
	if err != nil || !pair.anisotropic() || pair.Sides[1].FrictionDirection_B != (r3.Vec{0, 1, 0}) || pair.Sides[0].FrictionDirection_B != (r3.Vec{}) {
		t.Fatalf("%+v, %v", pair, err)
	}
	closeTo(t, "means", []float64{pair.Friction, pair.StaticFriction}, []float64{combineFriction(0.5, 0.6), combineFriction(0.5, 1.2)}, 1e-15)
	if _, err := s.Pair(&geometry.Contact{Materials: [2]int{0, 1}, B: geometry.MaterialPoint{Body: 4, N: 3}, Area: 1}); err == nil {
		t.Error("a friction direction on a deformable body is no error")
	}
	if s.Check(SAP{}) == nil || s.Check(Lagged{}) != nil || table(t, DefaultContactMaterial()).Check(SAP{}) != nil {
		t.Error("SAP with a friction direction is no error, or another is")
	}
	mu := 0.7
	if err := s.Override(0, 1, Override{Friction: &mu}); err != nil {
		t.Fatal(err)
	}
	if pair, err := s.Pair(&geometry.Contact{Materials: [2]int{0, 1}}); err != nil || pair.anisotropic() || pair.Friction != 0.7 {
		t.Errorf("overridden: %+v, %v", pair, err)
	}
	for _, change := range []func(m *ContactMaterial){
		func(m *ContactMaterial) { m.TransverseFriction = 0.3 },
		func(m *ContactMaterial) { m.FrictionDirection_B[1] = math.NaN() },
		func(m *ContactMaterial) { m.FrictionDirection_B[0], m.TransverseFriction = 1, -1 },
		func(m *ContactMaterial) { m.SurfaceVelocity_B[2] = inf },
	} {
		m := DefaultContactMaterial()
		change(&m)
		if m.Check() == nil {
			t.Errorf("%+v is no error", m)
		}
	}
}

// TestStaticFrictionScalesTheTensor at rest by μ_s/μ_d along the friction direction.
func TestStaticFrictionScalesTheTensor(t *testing.T) {
	f := scene()
	f.V[0], f.V[1] = [6]float64{}, [6]float64{}
	c := contactBetween(geometry.MaterialPoint{Body: 0}, geometry.MaterialPoint{Body: 1}, r3.Vec{}, r3.Vec{0, 0, 1}, -1e-3)
	q := pair
	side := Side{Friction: 0.4, StaticFriction: 0.6, TransverseFriction: 0.2, FrictionDirection_B: r3.Vec{1, 0, 0}}
	q.Sides = [2]Side{side, {Friction: 0.4, StaticFriction: 0.6, TransverseFriction: 0.4}}
	var p cliques.Problem
	f.begin(&p, 0, 1e-3)
	var M [2]tensor
	for i, m := range []Lagged{{}, {StaticFriction: true}} {
		M[i] = p.Constraints[AppendContact(m, c, &q, f, &p)].Law.(*lagged).M
	}
	closeTo(t, "static", []float64{M[1].xx, M[1].xy, M[1].yy}, []float64{1.5 * M[0].xx, 1.5 * M[0].xy, 1.5 * M[0].yy}, 1e-14)
}

// TestSurfaceVelocityIsThatOfBPastA adds the tangential part of the turned
// velocities to the bias, with the sign of each side.
func TestSurfaceVelocityIsThatOfBPastA(t *testing.T) {
	for _, m := range models(t) {
		f := scene()
		c := contactBetween(geometry.MaterialPoint{Body: 0}, geometry.MaterialPoint{Body: 2}, r3.Vec{0.1, 0, 0}, r3.Vec{1, -1, 2}, -1e-3)
		q := pair
		uA, uB := r3.Vec{1, 2, 3}, r3.Vec{-0.5, 0.1, 0.7}
		var p cliques.Problem
		f.begin(&p, 0, 1e-3)
		still := AppendContact(m, c, &q, f, &p)
		q.Sides[0].SurfaceVelocity_B, q.Sides[1].SurfaceVelocity_B = uA, uB
		belt := AppendContact(m, c, &q, f, &p)
		want := ContactFrame(c).TMulVec(f.X_WB[2].R.MulVec(uB).Sub(f.X_WB[0].R.MulVec(uA)))
		want[2] = 0
		for i := range want {
			if got := p.StartVelocity(belt, i) - p.StartVelocity(still, i); math.Abs(got-want[i]) > 1e-14 {
				t.Errorf("%T row %d: %g, want %g", m, i, got, want[i])
			}
		}
	}
}

// TestRegularizationBoundsTheStiffnessOfFriction has G_t ≤ 1/(σ w_t) at rest
// however strong the impact, also for tensors.
func TestRegularizationBoundsTheStiffnessOfFriction(t *testing.T) {
	const w, sigma = 2.0, 1e-3
	for _, n0 := range []float64{1e-6, 1, 1e6} {
		for _, f := range []friction{{mu: 0.5}, {mu: 0.8, aniso: true, M: tensor{0.8, 0, 0.1}}} {
			f.n0, f.vs, f.sigma = n0, 1e-4, sigma
			f.prepare([]float64{w, w, w})
			limit := 1 / (sigma * w)
			if got := n0 * f.eval(0, 0).hxx; got > limit*(1+1e-12) || n0 > 1 && got < limit*(1-1e-12) {
				t.Errorf("n0 = %g: %g, limit %g", n0, got, limit)
			}
		}
	}
}
