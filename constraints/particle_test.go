package constraints_test

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	. "github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// particle is a point of unit mass over the plane z = 0, stepped by the product's
// own solver.
type particle struct {
	rows
	m    ContactModel
	pair Pair
	q, v r3.Vec
	s    convex.Solver
	p    cliques.Problem
	h    cliques.Handle
}

func (k *particle) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir r3.Vec, s float64) {
	J := p.Block(k.node)
	for j, x := range dir {
		J[3*row+j] += s * x
	}
}

func (k *particle) PointRows(p *cliques.Problem, f *geometry.MaterialPoint, R_WC *r3.Mat, _ *r3.Vec, s float64) {
	threeRows(k, p, f, R_WC, s)
}

// threeRows is PointRows by PointRow.
func threeRows(k interface {
	PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir r3.Vec, s float64)
}, p *cliques.Problem, f *geometry.MaterialPoint, R_WC *r3.Mat, s float64) {
	for row := range 3 {
		k.PointRow(p, row, f, R_WC.Col(row), s)
	}
}

// step advances the particle over the plane z = 0 by dt under a force.
func (k *particle) step(t *testing.T, dt float64, force r3.Vec) {
	t.Helper()
	k.begin(dt, force)
	k.solve(t)
	k.q = k.q.AddScaled(dt, k.v)
}

func (k *particle) begin(dt float64, force r3.Vec) {
	k.p.Reset(0, dt)
	node, A, v0, mom := k.p.AddDense(3)
	k.node = node
	for i := range 3 {
		A[4*i], v0[i], mom[i] = 1, k.v[i], dt*force[i]
	}
	c := geometry.Contact{A: geometry.MaterialPoint{Body: geometry.World}, B: geometry.MaterialPoint{Body: 0}, Pos_W: k.q, Normal_W: r3.Vec{0, 0, 1}, Phi: k.q[2]}
	k.h = AppendContact(k.m, &c, &k.pair, k, &k.p)
}

func (k *particle) solve(t *testing.T) {
	t.Helper()
	k.s.RelTol, k.s.AlphaMax = 1e-12, AlphaMax(k.m)
	v := slices.Clone(k.p.V0)
	if _, err := k.s.Solve(&k.p, v); err != nil {
		t.Fatal(err)
	}
	copy(k.v[:], v)
}

const g = 9.81

func settle(t *testing.T, k *particle, dt float64, force r3.Vec) {
	t.Helper()
	for range 4000 {
		k.step(t, dt, force)
	}
}

// TestHertzSphereSinksByItsLaw rests 1 kg on x = (m g/k_H)^{2/3}, with k_H of a
// sphere of radius R and modulus E*.
func TestHertzSphereSinksByItsLaw(t *testing.T) {
	const E, R = 1e9, 0.02
	kH := 4.0 / 3 * E * math.Sqrt(R)
	want := -math.Pow(g/kH, 2.0/3)
	for _, delta := range []float64{0, 1e-6, 1e-3} { // only a unit
		law := Hertz{Overlap: delta}
		k := &particle{m: Lagged{Normal: law}, pair: Pair{Stiffness: law.Stiffness(E, R), Dissipation: 20}}
		settle(t, k, 1e-3, r3.Vec{0, 0, -g})
		if math.Abs(k.q[2]-want) > 1e-9*-want {
			t.Errorf("δ = %g: rests at %g, want %g", delta, k.q[2], want)
		}
	}
}

// TestBarriersCarryLoadsWithinTheirGap rests 1 kg where the barrier carries m g, started
// in the gap and from overlap.
func TestBarriersCarryLoadsWithinTheirGap(t *testing.T) {
	for name, m := range map[string]NormalModel{"ipc": IPC{}, "log_barrier": LogBarrier{}, "small": IPC{1e-4, 5e5}} {
		for _, z := range []float64{5e-4, 0, -1e-3} {
			k := &particle{m: Lagged{Normal: m}, pair: Pair{Stiffness: 1e4}, q: r3.Vec{0, 0, z}}
			settle(t, k, 1e-3, r3.Vec{0, 0, -g})
			if dHat := m.Range(); k.q[2] <= 0 || k.q[2] >= dHat {
				t.Errorf("%s from %g: rests at %g, outside of the gap", name, z, k.q[2])
			}
			if f := k.p.Impulse(k.h)[2] / k.p.H; math.Abs(f-g) > 1e-9*g || k.v.Norm() > 1e-12 {
				t.Errorf("%s from %g: carries %g N, moves at %g", name, z, f, k.v.Norm())
			}
		}
	}
}

// TestGlidingOffsets slides at 1 m/s, driven as hard as friction holds: Lagged
// rests at −m g/k, Similar at −m g/(k (1 + μ d v)) + μ h v, SAP at
// −(1 + μ̃²) m g/k + μ (h + τ) v, for an exact v. With damping from touch the spring of an
// open gap is (h + τ)/h times as stiff, and the offset μ h v.
func TestGlidingOffsets(t *testing.T) {
	const dt, kk, d, tau, mu, v = 1e-3, 1e5, 20.0, 5e-3, 0.5, 1.0
	pair := Pair{Stiffness: kk, Dissipation: d, RelaxationTime: tau, Friction: mu}
	rn := 1 / (dt * kk * (dt + tau))
	for _, tc := range []struct {
		name string
		m    ContactModel
		want float64
	}{
		{"lagged", Lagged{StictionTolerance: 1e-7}, -g / kk},
		{"similar", Similar{StictionTolerance: 1e-7}, -g/(kk*(1+mu*d*v)) + mu*dt*v},
		{"sap", SAP{}, -g/kk*(1+mu*mu*DefaultSigma/rn) + mu*(dt+tau)*v},
		{"sap, damping from touch", SAP{DampingFromTouch: true}, -g/kk*(1+mu*mu*DefaultSigma/rn)*dt/(dt+tau) + mu*dt*v},
	} {
		k := &particle{m: tc.m, pair: pair, v: r3.Vec{v, 0, 0}}
		for range 4000 {
			k.v[0] = v
			k.step(t, dt, r3.Vec{mu * g, 0, -g})
		}
		if math.Abs(k.q[2]-tc.want) > 1e-5*math.Abs(tc.want) {
			t.Errorf("%s: glides at %g, want %g", tc.name, k.q[2], tc.want)
		}
		if gamma := k.p.Impulse(k.h); math.Abs(math.Hypot(gamma[0], gamma[1])-mu*dt*g) > 1e-6*mu*dt*g {
			t.Errorf("%s: friction %v, want %g", tc.name, gamma, mu*dt*g)
		}
	}
}

// TestBeltCarriesAParticleAtItsSpeed puts a particle on a running surface: it
// ends with the belt. It accelerates at μ g, unless sliding lifts it.
func TestBeltCarriesAParticleAtItsSpeed(t *testing.T) {
	for _, m := range []ContactModel{Lagged{StictionTolerance: 1e-6}, Similar{StictionTolerance: 1e-6}, SAP{}} {
		k := &particle{m: m, pair: Pair{Stiffness: 1e6, Dissipation: 50, RelaxationTime: 1e-3, Friction: 0.5}, q: r3.Vec{0, 0, -g / 1e6}}
		k.pair.Sides[0].SurfaceVelocity_B = r3.Vec{0.3, -0.4, 7} // what runs into the surface does not count
		k.step(t, 1e-3, r3.Vec{0, 0, -g})
		for range 20 {
			k.step(t, 1e-3, r3.Vec{0, 0, -g})
		}
		a := math.Hypot(k.v[0], k.v[1]) / 21e-3
		if _, lagged := m.(Lagged); lagged && math.Abs(a-0.5*g) > 1e-3*g || a < 0.3*g || a > 0.6*g {
			t.Errorf("%T: accelerates at %g, want %g", m, a, 0.5*g)
		}
		settle(t, k, 1e-3, r3.Vec{0, 0, -g})
		if d := k.v.Sub(r3.Vec{0.3, -0.4, 0}).Norm(); d > 1e-6 {
			t.Errorf("%T: ends at %v", m, k.v)
		}
	}
}

// TestSweepsFindCoulombsLaw lands a particle obliquely: with the gap's lag there
// is no friction in the first step, sweeps bring it to μ times the impulse.
func TestSweepsFindCoulombsLaw(t *testing.T) {
	const mu = 0.5
	k := &particle{m: Lagged{}, pair: Pair{Stiffness: 1e5, Dissipation: 1, Friction: mu}, q: r3.Vec{0, 0, 1e-4}, v: r3.Vec{2, 0, -1}}
	k.begin(1e-3, r3.Vec{})
	start := k.v
	k.solve(t)
	gamma := k.p.Impulse(k.h)
	if n0, ok := LaggedImpulse(&k.p, k.h); !ok || n0 != 0 || gamma[2] <= 0 || gamma[0] != 0 || gamma[1] != 0 {
		t.Fatalf("first solve: n0 %g, impulse %v", n0, gamma)
	}
	for range 3 {
		if _, largest := UpdateNormalBound(&k.p, k.h); math.Abs(largest-gamma[2]) > 1e-12 {
			t.Fatalf("bounds friction by %g, the impulse is %g", largest, gamma[2])
		}
		k.v = start
		k.solve(t)
	}
	if ft := math.Hypot(gamma[0], gamma[1]); math.Abs(ft-mu*gamma[2]) > 1e-6*ft {
		t.Errorf("friction %g, want μ %g", ft, mu*gamma[2])
	}
	k.m = SAP{}
	k.begin(1e-3, r3.Vec{})
	k.solve(t)
	_, ok := LaggedImpulse(&k.p, k.h)
	if _, largest := UpdateNormalBound(&k.p, k.h); ok || largest != 0 {
		t.Error("SAP is no lagged law")
	}
}

// TestLaggedImpulseOfTheCallerCounts bounds friction by what the pair gives, and
// by the gap when it gives NaN.
func TestLaggedImpulseOfTheCallerCounts(t *testing.T) {
	n0 := 0.02
	k := &particle{m: Lagged{}, pair: Pair{Stiffness: 1e5, Friction: 0.5, LaggedImpulse: &n0}, q: r3.Vec{0, 0, -1e-4}, v: r3.Vec{1, 0, 0}}
	for _, want := range []float64{0.02, 0.01} { // h k x = 1e-3 · 1e5 · 1e-4
		k.begin(1e-3, r3.Vec{})
		if got, _ := LaggedImpulse(&k.p, k.h); !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("n0 = %g, want %g", got, want)
		}
		n0 = math.NaN()
	}
}

// TestStaticFrictionHoldsUntilItSlips puts a load between μ_d m g and μ_s m g on a
// particle: at rest it creeps, sliding it continues, for every law.
func TestStaticFrictionHoldsUntilItSlips(t *testing.T) {
	const static, dynamic, load = 0.8, 0.4, 0.6
	for _, m := range []ContactModel{Lagged{StaticFriction: true}, Similar{StaticFriction: true}, SAP{StaticFriction: true}} {
		for _, moving := range []bool{false, true} {
			k := &particle{m: m, pair: Pair{Stiffness: 1e6, Dissipation: 50, RelaxationTime: 1e-3, Friction: dynamic, StaticFriction: static}, q: r3.Vec{0, 0, -g / 1e6}}
			if moving {
				k.v[0] = 0.1
			}
			for range 200 {
				k.step(t, 1e-3, r3.Vec{load * g, 0, -g})
			}
			want := 0.1 + (load-dynamic)*g*0.2
			if moving && math.Abs(k.v[0]-want) > 0.02*want {
				t.Errorf("%T: slides at %g, want %g", m, k.v[0], want)
			}
			if !moving && !(k.v[0] < 1.5e-4) {
				t.Errorf("%T: slips at %g", m, k.v[0])
			}
		}
	}
}

// TestStaticFrictionIsOffUnlessAsked slides under the same load.
func TestStaticFrictionIsOffUnlessAsked(t *testing.T) {
	for _, m := range []ContactModel{Lagged{}, Similar{}, SAP{}} {
		k := &particle{m: m, pair: Pair{Stiffness: 1e6, Dissipation: 50, RelaxationTime: 1e-3, Friction: 0.4, StaticFriction: 0.8}, q: r3.Vec{0, 0, -g / 1e6}}
		for range 50 {
			k.step(t, 1e-3, r3.Vec{0.6 * g, 0, -g})
		}
		if k.v[0] < 0.08 {
			t.Errorf("%T: stays at %g", m, k.v[0])
		}
	}
}

// TestSkateRunsAlongItsGrainOnly pushes a particle obliquely on a surface that is
// slippery along its friction direction: it stays in the groove.
func TestSkateRunsAlongItsGrainOnly(t *testing.T) {
	for _, m := range []ContactModel{Lagged{}, Similar{}} {
		k := &particle{m: m, pair: Pair{Stiffness: 1e6, Dissipation: 50}, q: r3.Vec{0, 0, -g / 1e6}}
		k.pair.Sides = [2]Side{{Friction: 0, TransverseFriction: 0.8, FrictionDirection_B: r3.Vec{0.6, 0.8, 0}}, {Friction: 0.8}}
		for range 200 {
			k.step(t, 1e-3, r3.Vec{0.5 * g, 0, -g})
		}
		along, across := 0.6*k.v[0]+0.8*k.v[1], -0.8*k.v[0]+0.6*k.v[1]
		if want := 0.6 * 0.5 * g * 0.2; math.Abs(along-want) > 1e-6*want {
			t.Errorf("%T: runs at %g, want %g", m, along, want)
		}
		if math.Abs(across) > 1.2e-4 {
			t.Errorf("%T: leaves the groove at %g", m, across)
		}
	}
}

func TestSolverHints(t *testing.T) {
	for _, tc := range []struct {
		m    ContactModel
		want float64
	}{{Lagged{}, 1}, {Similar{}, 1.5}, {SAP{}, 1.5}} {
		if got := AlphaMax(tc.m); got != tc.want {
			t.Errorf("%T: %g", tc.m, got)
		}
	}
}
