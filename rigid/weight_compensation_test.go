package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"gonum.org/v1/gonum/mat"
)

// carryWeights gives the links of a model shares of their weight that are carried: c, or random ones where it is NaN.
func carryWeights(m *Model, r *rand.Rand, c float64) {
	for i := range m.links {
		s := &m.links[i]
		if s.WeightCompensation = c; math.IsNaN(c) {
			s.WeightCompensation = []float64{0, 1, 1.5 * r.Float64(), -0.3}[r.IntN(4)]
		}
		if t := m.tree[i]; t >= 0 {
			m.carriedTree[t] = m.carriedTree[t] || s.WeightCompensation != 0
		}
	}
}

// A thrown body of which all weight is carried moves straight on, one of which half is falls with g/2, turning or not.
func TestThrownBodiesFallByTheWeightThatIsLeft(t *testing.T) {
	for i := range 12 {
		for _, c := range []float64{0, 0.5, 1, 1.25} {
			w := tumbler(t, i, i%2 == 0)
			w.gravity = r3.Vec{0.3, -0.4, -9.81}
			carryWeights(w.m, nil, c)
			const h, n = 0.01, 300
			p0, L0, _, _ := w.state(h)
			m := w.compositeInertia[0].mass
			for range n {
				w.step(t, h, nil)
			}
			p, L, _, _ := w.state(h)
			want := p0.AddScaled(m*(1-c)*n*h, w.gravity)
			if e := p.Sub(want).Norm() / (p0.Norm() + want.Norm()); e > 1e-12 {
				t.Errorf("body %d, share %g: momentum %v, want %v", i, c, p, want)
			}
			if e := L.Sub(L0).Norm() / L0.Norm(); e > 1e-11 {
				t.Errorf("body %d, share %g: angular momentum is off by %g", i, c, e)
			}
		}
	}
}

// Of links welded together, one of which is carried, the moment of weight turns the body: its momenta change in each
// step by those of the forces on the links at the start of the step.
func TestMomentOfCarriedWeightTurnsBodies(t *testing.T) {
	for i := range 20 {
		w := tumbler(t, i, false)
		if i%4 == 3 {
			w = jumper(t)
		}
		w.gravity = r3.Vec{0.3, -0.4, -9.81}
		carryWeights(w.m, newRand(i), math.NaN())
		const h = 1e-3
		for k := range 40 {
			p0, L0, com, _ := w.state(h)
			var force, moment r3.Vec
			for link := range w.m.links {
				s := &w.m.links[link]
				f := w.gravity.Scale(s.Mass * (1 - s.WeightCompensation))
				force = force.Add(f)
				moment = moment.Add(w.x_WB[link].Point(s.Com_B).Sub(com).Cross(f))
			}
			w.step(t, h, nil)
			p, L, _, _ := w.state(h)
			if e := p.Sub(p0).Sub(force.Scale(h)).Norm(); e > 1e-11*(p.Norm()+1) {
				t.Fatalf("body %d step %d: momentum gained is off by %g of %g", i, k, e, h*force.Norm())
			}
			if e := L.Sub(L0).Sub(moment.Scale(h)).Norm(); e > 1e-11*(L.Norm()+1) {
				t.Fatalf("body %d step %d: angular momentum gained is off by %g of %g", i, k, e, h*moment.Norm())
			}
		}
	}
}

// Where the same share of all links is carried, motion and energy are those in less gravity.
func TestEqualSharesAreLessGravity(t *testing.T) {
	const c, h = 0.3, 2e-3
	for i := range 60 {
		r := newRand(i)
		m, q, v := randForest(t, r, 1+r.IntN(7), []int{4, coordinates, floating}[i%3])
		g := r3.Vec{0.3, -0.4, -9.81}
		var A, p [2][]float64
		var potential [2]float64
		for side := range 2 {
			d := m.NewData()
			var problem cliques.Problem
			d.Place(0, h, q, v)
			problem.Reset(0, h)
			at := g
			if side == 0 {
				at = g.Scale(1 - c)
			} else {
				carryWeights(m, nil, c)
			}
			d.FreeMotion(at, nil, &problem)
			for _, clique := range problem.Cliques {
				A[side] = append(A[side], clique.A...)
			}
			p[side], potential[side] = append([]float64(nil), problem.P...), d.PotentialEnergy(at)
			for tree := range m.Trees() {
				_, weight := d.weightOf(tree, &at)
				potential[side] += 1e3 * float64(tree) * weight
			}
		}
		if len(p[0]) == 0 {
			continue
		}
		if e := largestDifference(p[1], p[0]); e > 1e-11 {
			t.Errorf("forest %d: momentum gained is off by %g", i, e)
		}
		if e := largestDifference(A[1], A[0]); e > 0 {
			t.Errorf("forest %d: mass differs by %g", i, e)
		}
		if e := math.Abs(potential[1] - potential[0]); e > 1e-10*(1+math.Abs(potential[0])) {
			t.Errorf("forest %d: potential energy %g, want %g", i, potential[1], potential[0])
		}
	}
}

// The efforts that keep a forest at rest are the derivatives of its potential energy, planned efforts likewise.
func TestEffortsOfCarriedWeightAreDerivativesOfEnergy(t *testing.T) {
	g := r3.Vec{0.3, -0.4, -9.81}
	for i := range 60 {
		r := newRand(i)
		m, q, v := randForest(t, r, 1+r.IntN(7), []int{4, coordinates, floating}[i%3])
		carryWeights(m, r, math.NaN())
		n := m.NumV()
		if n == 0 {
			continue
		}
		clear(v)
		d := m.NewData()
		energy := func(delta []float64) float64 {
			x := append([]float64(nil), q...)
			m.Displace(x, delta)
			d.Place(0, 1e-3, x, v)
			return d.PotentialEnergy(g)
		}
		want := make([]float64, n)
		for k := range want {
			delta := make([]float64, n)
			delta[k] = 1e-5
			up := energy(delta)
			delta[k] = -1e-5
			want[k] = (up - energy(delta)) / 2e-5
		}
		d.Place(0, 1e-3, q, v)
		got, planned := make([]float64, n), make([]float64, n)
		d.InverseDynamics(g, make([]float64, n), got)
		if e := largestDifference(got, want); e > 1e-8 {
			t.Errorf("forest %d: efforts %v, derivatives of energy %v", i, got, want)
		}
		for tree := range m.Trees() {
			d.PlannedEfforts(tree, allLinks(m), g, v, make([]float64, n), nil, planned)
		}
		if e := largestDifference(planned, want); e > 1e-8 {
			t.Errorf("forest %d: planned efforts %v, derivatives of energy %v", i, planned, want)
		}
	}
}

// A floating tree at rest starts to move as its forces say although its joints gain energy from weight of several
// shares: the limit of energy does not contain it.
func TestFloatingTreesOfSeveralSharesStartToMove(t *testing.T) {
	for i := range 10 {
		w := jumper(t)
		clear(w.v)
		w.gravity = gravity
		carryWeights(w.m, newRand(i), math.NaN())
		const h = 1e-3
		w.least, w.recent = []float64{math.Inf(1)}, []float64{0}
		w.LimitEnergy(w.least, w.recent)
		n := w.m.NumV()
		w.Place(0, h, w.q, w.v)
		f := make([]float64, n)
		w.InverseDynamics(w.gravity, make([]float64, n), f)
		M := mat.NewDense(n, n, nil)
		for k, row := range w.mass() {
			M.SetRow(k, row)
		}
		var want mat.VecDense
		if err := want.SolveVec(M, mat.NewVecDense(n, f)); err != nil {
			t.Fatal(err)
		}
		want.ScaleVec(-h, &want)
		dv := w.gain(t, h, nil)
		if e := largestDifference(dv, want.RawVector().Data); e > 0.02 || w.EnergyLimited() {
			t.Errorf("shares %d: velocities gained are off by %g, limited %v", i, e, w.EnergyLimited())
		}
	}
}

// An arm of several shares that swings keeps its energy as one under all of its weight does.
func TestSwingingArmsOfSeveralSharesKeepTheirEnergy(t *testing.T) {
	for i := range 6 {
		w := limpArm(t)
		carryWeights(w.m, newRand(i), math.NaN())
		w.gravity = gravity
		energy := func() float64 {
			w.Place(w.t, 1e-3, w.q, w.v)
			return w.KineticEnergy() + w.PotentialEnergy(w.gravity)
		}
		drift := func(h float64) (off, kinetic float64) {
			w.q, w.v = w.m.Start()
			for k := range w.q {
				w.q[k] += 0.3 * float64(k+1)
			}
			w.t = 0
			start := energy()
			for w.t < 0.5 {
				w.step(t, h, nil)
				off = max(off, math.Abs(energy()-start))
				kinetic = max(kinetic, w.KineticEnergy())
			}
			return off, kinetic
		}
		coarse, _ := drift(1e-3)
		fine, kinetic := drift(2.5e-4)
		if !(kinetic > 0) || fine > 0.01*kinetic || coarse > 1e-9 && fine > 0.5*coarse {
			t.Errorf("shares %d: energy is off by %g at 1 ms and %g at 0.25 ms, of %g", i, coarse, fine, kinetic)
		}
	}
}

// The momentum gained at the velocities of free motion is that of free motion.
func TestMomentumAtIncludesCarriedWeight(t *testing.T) {
	known := 0
	for i := range 20 {
		w := tumbler(t, i, i%2 == 0)
		w.gravity = r3.Vec{0.3, -0.4, -9.81}
		carryWeights(w.m, newRand(i), math.NaN())
		dv := w.gain(t, 1e-3, nil)
		v, mom := make([]float64, 6), make([]float64, 6)
		for k := range v {
			v[k] = w.v[k] + dv[k]
		}
		if !w.MomentumAt(0, &w.gravity, v, mom) {
			continue
		}
		known++
		if e := largestDifference(mom, w.p.P); e > 1e-10 {
			t.Errorf("body %d: %v, want %v", i, mom, w.p.P)
		}
	}
	if known == 0 {
		t.Skip("no free floating body among them")
	}
}

func TestLinksRefuseSharesThatAreNotFinite(t *testing.T) {
	for _, c := range []float64{math.NaN(), math.Inf(1)} {
		s := bob()
		s.WeightCompensation = c
		var b Builder
		if _, err := b.Add(s); err == nil {
			t.Errorf("share %g is accepted", c)
		}
	}
}
