package rigid

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/r3"
)

// Articulated bodies, the twin of A⁻¹ p: from tip to base, with
// D = Hᵀ𝓘H + diag(I_r + h d + h² k), and A_b, Z the acceleration and force due to velocities,
//
//	e = τ − Hᵀ(Z + 𝓘 A_b),  U = 𝓘 H D⁻¹,  𝓘_P += Xᵀ(𝓘 − U Hᵀ𝓘)X,
//	Z_P += Xᵀ(Z + 𝓘 A_b + U e),
//
// and back, A⁺ = X A_P, v̇ = D⁻¹ e − Uᵀ A⁺, A = A⁺ + A_b + H v̇. Springs and dampers
// go to τ. Source: Featherstone, 7.

func dense(r, c int) *mat.Dense { return mat.NewDense(r, max(c, 1), nil) }

func column6(w, v r3.Vec) *mat.Dense {
	return mat.NewDense(6, 1, []float64{w[0], w[1], w[2], v[0], v[1], v[2]})
}

// product returns the product of matrices.
func product(m ...mat.Matrix) *mat.Dense {
	var p mat.Dense
	p.Product(m...)
	return &p
}

// block returns [a b; c d].
func block(a, b, c, d r3.Mat) *mat.Dense {
	m := dense(6, 6)
	for i := range 3 {
		for j := range 3 {
			m.Set(i, j, a[3*i+j])
			m.Set(i, 3+j, b[3*i+j])
			m.Set(3+i, j, c[3*i+j])
			m.Set(3+i, 3+j, d[3*i+j])
		}
	}
	return m
}

// articulatedTerms are I, X, H, A_b and Z of each link.
type articulatedTerms struct{ I, Z, X, H, Ab []*mat.Dense }

// terms returns the articulated terms of the placed state, with the accelerations and
// forces due to the velocities given.
func (d *Data) terms(at velocities) (a articulatedTerms) {
	m := d.m
	one := r3.Identity()
	for i := range m.links {
		l, vel, rel, bias := &m.links[i], at.vel, at.rel, spatial{}
		if m.tree[i] < 0 {
			vel, rel = d.vel, d.rel
		}
		if _, ok := l.Joint.(BiasedJoint); ok {
			bias = at.bias[i]
		}
		R := d.x_WB[i].R
		c, w := R.MulVec(l.Com_B), vel[i].w
		Io := R.Mul(l.Inertia_B).Mul(R.T()).Sub(r3.Skew(c).Mul(r3.Skew(c)).Scale(l.Mass))
		mc := r3.Skew(c).Scale(l.Mass)
		a.I = append(a.I, block(Io, mc, mc.Scale(-1), one.Scale(l.Mass)))
		a.Z = append(a.Z, column6(w.Cross(Io.MulVec(w)), w.Cross(w.Cross(c)).Scale(l.Mass)))
		var wP, o r3.Vec
		if l.Parent != World {
			wP, o = vel[l.Parent].w, d.x_WB[l.Parent].P
		}
		r := d.x_WB[i].P.Sub(o)
		a.X = append(a.X, block(one, r3.Mat{}, r3.Skew(r).Scale(-1), one))
		V := rel[i]
		a.Ab = append(a.Ab, column6(
			wP.Cross(V.w).Add(d.prescribedAcc[i].w).Add(bias.w),
			wP.Cross(wP.Cross(r)).Add(wP.Cross(V.v).Scale(2)).Add(V.w.Cross(V.w.Cross(d.p_MB[i]))).Add(d.prescribedAcc[i].v).Add(bias.v)))
		H := dense(6, m.nv[i])
		for j := range m.nv[i] {
			c := d.subspace[m.v0[i]+j]
			H.SetCol(j, []float64{c.w[0], c.w[1], c.w[2], c.v[0], c.v[1], c.v[2]})
		}
		a.H = append(a.H, H)
	}
	return a
}

// articulated returns v* − v0 of the placed state by the articulated-body algorithm, with
// the forces due to velocities at those given.
func (d *Data) articulated(gravity r3.Vec, at velocities, tau []float64) []float64 {
	m, h := d.m, d.h
	n := len(m.links)
	terms := d.terms(at)
	I, Z, X, H, Ab := terms.I, terms.Z, terms.X, terms.H, terms.Ab
	U, D, e := make([]*mat.Dense, n), make([]*mat.Dense, n), make([]*mat.Dense, n)
	for i := n - 1; i >= 0; i-- {
		l := &m.links[i]
		Z[i].Add(Z[i], product(I[i], Ab[i]))
		if nv := m.nv[i]; nv > 0 {
			D[i], e[i] = product(H[i].T(), I[i], H[i]), product(H[i].T(), Z[i])
			for j := range nv {
				k := m.v0[i] + j
				D[i].Set(j, j, D[i].At(j, j)+l.RotorInertia+h*l.Damping+h*h*l.Stiffness)
				f := -l.Damping * d.v[k]
				if l.Stiffness > 0 {
					f -= l.Stiffness * (d.q[m.q0[i]] + h*d.v[k] - l.Rest)
				}
				e[i].Set(j, 0, tau[k]+f-e[i].At(j, 0))
			}
			var inv mat.Dense
			if err := inv.Inverse(D[i]); err != nil {
				panic(err)
			}
			D[i], U[i] = &inv, product(I[i], H[i], &inv)
			Z[i].Add(Z[i], product(U[i], e[i]))
			I[i].Sub(I[i], product(U[i], H[i].T(), I[i]))
		}
		if p := l.Parent; p != World {
			I[p].Add(I[p], product(X[i].T(), I[i], X[i]))
			Z[p].Add(Z[p], product(X[i].T(), Z[i]))
		}
	}
	dv := make([]float64, len(m.dofs))
	A := make([]*mat.Dense, n)
	for i := range m.links {
		A[i] = column6(r3.Vec{}, gravity.Neg())
		if p := m.links[i].Parent; p != World {
			A[i] = A[p]
		}
		A[i] = product(X[i], A[i])
		if nv := m.nv[i]; nv > 0 {
			a := product(D[i], e[i])
			a.Sub(a, product(U[i].T(), A[i]))
			for j := range nv {
				dv[m.v0[i]+j] = h * a.At(j, 0)
			}
			A[i].Add(A[i], product(H[i], a))
		}
		A[i].Add(A[i], Ab[i])
	}
	return dv
}

// Articulated bodies invert A (v* − v0) = p, springs, dampers and rotors included,
// with the bias at v½.
func TestArticulatedBodiesInvertTheStep(t *testing.T) {
	for i := range 60 {
		r := newRand(i)
		var b Builder
		for k := range 1 + r.IntN(9) {
			s := LinkSpec{Name: "l", Parent: r.IntN(k+1) - 1, Joint: randJoint(r, everything), X_PF: randPose(r), X_BM: randPose(r)}
			randBody(r, &s)
			s.RotorInertia, s.Damping = r.Float64(), 10*r.Float64()
			if _, nv := s.Joint.Size(); nv == 1 {
				s.Stiffness, s.Rest = 1e3*r.Float64(), r.NormFloat64()
			}
			if _, err := b.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		w := newWorld(m)
		w.t, w.gravity = 0.3, randVec(r).Scale(5)
		tau := make([]float64, m.NumV())
		for k := range w.q {
			w.q[k] += 0.5 * r.NormFloat64()
		}
		for k := range tau {
			w.v[k], tau[k] = 0.1*r.NormFloat64(), r.NormFloat64() // slow enough for one iteration of v½
		}
		const h = 0.001
		got := w.gain(t, h, tau)
		want, alone := w.articulated(w.gravity, w.midpoint, tau), w.articulated(w.gravity, w.velocities, tau)
		for k := range got {
			t0 := m.tree[m.dofs[k]]
			if m.singleBody[t0] != World || m.floatingBase[t0] == m.dofs[k] {
				continue // keeps its momenta
			}
			if m.treeStart[t0+1]-m.treeStart[t0] == 1 {
				want[k] = alone[k] // does not look halfway
			}
			if math.Abs(got[k]-want[k]) > 1e-11*(1+largest(want...)) {
				t.Fatalf("forest %d: v*−v0 [%d] = %.15g, by articulated bodies %.15g", i, k, got[k], want[k])
			}
		}
	}
}
