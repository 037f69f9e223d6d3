package rigid

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// mass returns M with rotors of the placed state, over all trees.
func (d *Data) mass() [][]float64 {
	d.computeComposites(d.m.allLinks)
	n := len(d.m.dofs)
	M := make([][]float64, n)
	for i := range M {
		M[i] = make([]float64, n)
	}
	for t := range d.m.Trees() {
		first, k := d.m.treeStart[t], d.m.treeStart[t+1]-d.m.treeStart[t]
		A := make([]float64, k*k)
		d.massMatrix(t, A)
		for i := range k {
			copy(M[first+i][first:first+k], A[i*k:])
		}
	}
	return M
}

// M e_k = RNEA(v̇ = e_k) − RNEA(0).
func TestCRBAColumnsAreRNEA(t *testing.T) {
	for i := range 50 {
		r := newRand(i)
		m, q, v := randForest(t, r, 1+r.IntN(9), everything)
		d := m.NewData()
		d.Place(0.3, 0.01, q, v)
		M, g := d.mass(), randVec(r)
		bias, tau, e := make([]float64, m.NumV()), make([]float64, m.NumV()), make([]float64, m.NumV())
		d.InverseDynamics(g, e, bias)
		for k := range e {
			clear(e)
			e[k] = 1
			d.InverseDynamics(g, e, tau)
			for j := range tau {
				if x := tau[j] - bias[j]; math.Abs(x-M[j][k]) > 1e-11*(1+math.Abs(bias[j])+math.Sqrt(M[j][j]*M[k][k])) {
					t.Fatalf("forest %d: M[%d][%d] = %g, by inverse dynamics %g", i, j, k, M[j][k], x)
				}
			}
		}
	}
}

// M_jk = T(e_j + e_k) − T(e_j) − T(e_k) + T(0), T the kinetic energy.
func TestMassMatrixIsTheHessianOfKineticEnergy(t *testing.T) {
	for i := range 30 {
		r := newRand(i)
		m, q, _ := randForest(t, r, 1+r.IntN(7), everything)
		d := m.NewData()
		v := make([]float64, m.NumV())
		T := func(dofs ...int) float64 {
			clear(v)
			for _, k := range dofs {
				v[k]++
			}
			d.Place(0.3, 0.01, q, v)
			return d.KineticEnergy()
		}
		T0 := T()
		M := d.mass()
		for j := range v {
			for k := range v {
				if x := T(j, k) - T(j) - T(k) + T0; math.Abs(x-M[j][k]) > 1e-12*(1+T0+largest(M[j]...)+largest(M[k]...)) {
					t.Fatalf("forest %d: M[%d][%d] = %g, by energy %g", i, j, k, M[j][k], x)
				}
			}
		}
	}
}

// bias_i = Σ (∂M_ij/∂q_k − ½ ∂M_jk/∂q_i) v_j v_k + ∂U/∂q_i where q̇ = v.
func TestBiasIsTheChristoffelForm(t *testing.T) {
	const e = 1e-5
	for i := range 20 {
		r := newRand(i)
		m, q, v := randForest(t, r, 1+r.IntN(6), coordinates)
		d, g := m.NewData(), randVec(r).Scale(5)
		n := m.NumV()
		dM, dU := make([][][]float64, n), make([]float64, n)
		for k := range n {
			at := func(s float64) ([][]float64, float64) {
				x := append([]float64(nil), q...)
				x[k] += s
				d.Place(0, 0.01, x, v)
				return d.mass(), d.PotentialEnergy(g)
			}
			hi, uh := at(e)
			lo, ul := at(-e)
			for j := range hi {
				for l := range hi[j] {
					hi[j][l] = (hi[j][l] - lo[j][l]) / (2 * e)
				}
			}
			dM[k], dU[k] = hi, (uh-ul)/(2*e)
		}
		bias := make([]float64, n)
		d.Place(0, 0.01, q, v)
		d.InverseDynamics(g, make([]float64, n), bias)
		for j := range n {
			want := dU[j]
			for k := range n {
				for l := range n {
					want += (dM[l][j][k] - 0.5*dM[j][k][l]) * v[k] * v[l]
				}
			}
			if math.Abs(bias[j]-want) > 1e-7*(1+largest(bias...)) {
				t.Fatalf("forest %d: bias[%d] = %g, want %g", i, j, bias[j], want)
			}
		}
	}
}

// d'Alembert: τ_k = Σ_links (d(m v_c)/dt − m g)·∂v_c/∂v_k + dL_c/dt·∂ω/∂v_k + I_r v̇_k
// with rates of momenta by differences along the motion, for every joint, also
// floating and prescribed.
func TestInverseDynamicsIsTheRateOfMomentum(t *testing.T) {
	const h, e = 1e-4, 1e-4
	for i := range 40 {
		r := newRand(i)
		m, q, v := randForest(t, r, 1+r.IntN(6), everything)
		d, g, n := m.NewData(), randVec(r).Scale(5), m.NumV()
		vdot := make([]float64, n)
		for k := range vdot {
			vdot[k] = r.NormFloat64()
		}
		// both sides average the past and the coming mean velocity of prescribed
		// joints, so that they see the velocity at t
		momenta := func(t, h float64) (p, L []r3.Vec) {
			x, u, mid := append([]float64(nil), q...), make([]float64, n), make([]float64, n)
			for k := range u {
				u[k], mid[k] = v[k]+h*vdot[k], v[k]+0.5*h*vdot[k]
			}
			d.Advance(h, mid, x, mid, timestep.Memory{})
			p, L = make([]r3.Vec, m.NumLinks()), make([]r3.Vec, m.NumLinks())
			for _, s := range []float64{e, -e} {
				d.Place(t+h, s, x, u)
				for l := range p {
					f := d.bodyInertia[l].times(d.vel[l])
					c := d.bodyInertia[l].mc.Scale(1 / d.bodyInertia[l].mass)
					p[l] = p[l].AddScaled(0.5, f.v)
					L[l] = L[l].AddScaled(0.5, f.w.Sub(c.Cross(f.v)))
				}
			}
			return p, L
		}
		p1, L1 := momenta(0.3, h)
		p0, L0 := momenta(0.3, -h)
		tau := make([]float64, n)
		for _, s := range []float64{e, -e} {
			d.Place(0.3, s, q, v)
			one := make([]float64, n)
			d.InverseDynamics(g, vdot, one)
			for k := range tau {
				tau[k] += 0.5 * one[k]
			}
		}
		for k := range tau {
			want := m.links[m.dofs[k]].RotorInertia * vdot[k]
			for l := range p1 {
				below := false
				for j := l; j != World; j = m.links[j].Parent {
					below = below || j == m.dofs[k]
				}
				if !below {
					continue
				}
				c := d.x_WB[l].P.Add(d.bodyInertia[l].mc.Scale(1 / d.bodyInertia[l].mass)).Sub(d.x_WB[m.dofs[k]].P)
				dp := p1[l].Sub(p0[l]).Scale(0.5/h).AddScaled(-d.bodyInertia[l].mass, g)
				dL := L1[l].Sub(L0[l]).Scale(0.5 / h)
				want += dp.Dot(d.subspace[k].shiftMotion(c).v) + dL.Dot(d.subspace[k].w)
			}
			if math.Abs(tau[k]-want) > 2e-6*(1+largest(tau...)) {
				t.Fatalf("forest %d: τ[%d] = %.9g, want %.9g", i, k, tau[k], want)
			}
		}
	}
}

// The same forest elsewhere in the world has the same A and p.
func TestPlaceInTheWorldDoesNotMatter(t *testing.T) {
	for i := range 20 {
		r := newRand(i)
		m, q, v := randForest(t, r, 1+r.IntN(6), coordinates)
		X := r3.Pose{R: r3.RotExp(randVec(r)), P: r3.Vec{1000, -2000, 500}}
		moved := append([]LinkSpec(nil), m.links...)
		for k := range moved {
			if l := &moved[k]; l.Parent == World {
				l.X_PF = X.Mul(l.X_PF)
			}
		}
		g := randVec(r).Scale(5)
		a, b := newWorld(m), newWorld(build(t, moved...))
		a.q, a.v, a.gravity = q, v, g
		b.q, b.v, b.gravity = q, v, X.R.MulVec(g)
		x, y := a.gain(t, 0.01, nil), b.gain(t, 0.01, nil)
		for k := range x {
			if math.Abs(x[k]-y[k]) > 1e-9*(1+largest(x...)) {
				t.Fatalf("forest %d: v*−v0 = %g here, %g there", i, x[k], y[k])
			}
		}
	}
}

// Efforts between links leave the momentum of a free tree alone, linear and
// angular.
func TestInternalEffortsGiveNoMomentum(t *testing.T) {
	for i := range 20 {
		r := newRand(i)
		var b Builder
		for k := range 6 {
			s := LinkSpec{Name: "l", Parent: k - 1, Joint: randJoint(r, coordinates), X_PF: randPose(r), X_BM: randPose(r)}
			if k == 0 {
				s.Joint = Floating{}
			}
			randBody(r, &s)
			if _, err := b.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		w := newWorld(m)
		tau := make([]float64, m.NumV())
		for k := range w.v {
			w.v[k] = r.NormFloat64()
			if k >= 6 {
				w.q[k+1], tau[k] = 0.5*r.NormFloat64(), 10*r.NormFloat64()
			}
		}
		const h = 0.01
		p0, L0, _, _ := w.state(h)
		w.step(t, h, tau)
		p, L, _, _ := w.state(h)
		round := 1e-12 * float64(m.NumLinks())
		if e := p.Sub(p0).Norm() + L.Sub(L0).Norm(); e > round*(1+p0.Norm()+L0.Norm()) {
			t.Fatalf("tree %d: momenta change by %g", i, e)
		}
	}
}

// Welded to each other, bodies are one body with the sum of mass and inertia.
func TestWeldedBodiesAreOne(t *testing.T) {
	r := newRand(0)
	a := LinkSpec{Name: "a", Parent: World, Joint: Floating{}}
	b := LinkSpec{Name: "b", Parent: 0, Joint: Weld{}, X_PF: randPose(r), X_BM: randPose(r)}
	randBody(r, &a)
	randBody(r, &b)
	pair := newWorld(build(t, a, b))
	X_AB := b.X_PF.Mul(b.X_BM.Inv())

	one := a
	one.Mass = a.Mass + b.Mass
	c := X_AB.Point(b.Com_B)
	one.Com_B = a.Com_B.Scale(a.Mass/one.Mass).AddScaled(b.Mass/one.Mass, c)
	steiner := func(m float64, r r3.Vec) r3.Mat {
		return r3.Diag(r3.Vec{1, 1, 1}).Scale(m * r.Norm2()).Sub(r3.Outer(r, r).Scale(m))
	}
	one.Inertia_B = a.Inertia_B.Add(X_AB.R.Mul(b.Inertia_B).Mul(X_AB.R.T())).
		Add(steiner(a.Mass, a.Com_B.Sub(one.Com_B))).Add(steiner(b.Mass, c.Sub(one.Com_B)))
	one.Inertia_B = one.Inertia_B.Add(one.Inertia_B.T()).Scale(0.5)
	single := newWorld(build(t, one))
	for k := range pair.v {
		pair.v[k] = r.NormFloat64()
	}
	copy(single.v, pair.v)
	pair.gravity, single.gravity = r3.Vec{1, 2, -9}, r3.Vec{1, 2, -9}
	for range 100 {
		pair.step(t, 0.01, nil)
		single.step(t, 0.01, nil)
	}
	for k := range pair.v {
		if math.Abs(pair.v[k]-single.v[k]) > 1e-10 {
			t.Errorf("v[%d] = %g welded, %g as one", k, pair.v[k], single.v[k])
		}
	}
}
