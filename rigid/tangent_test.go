package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// tangentForest has a joint of every registered kind, one link each.
func tangentForest(t *testing.T) *Model {
	t.Helper()
	var b Builder
	for _, k := range Joints.Kinds() {
		j, err := Joints.Entry(k.Name).Samples()[0].Make()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Add(LinkSpec{Name: k.Name, Parent: World, Joint: j, X_PF: r3.PoseIdentity(), X_BM: r3.PoseIdentity(), Mass: 1, Inertia_B: r3.Diag(r3.Vec{1, 1, 1})}); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tangentState(m *Model, r *rand.Rand) (q, v, dq, dv []float64) {
	q = make([]float64, m.nq)
	for i := range m.links {
		nq, _ := m.links[i].Joint.Size()
		m.links[i].Joint.Zero(q[m.q0[i] : m.q0[i]+nq])
	}
	random := func() []float64 {
		x := make([]float64, len(m.dofs))
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	m.Displace(q, random())
	return q, random(), random(), random()
}

// (q ⊞ ε δ) ⊞ h (v + ε δv), compared with q ⊞ h v, by central differences.
func TestAdvanceTangentIsTheDifferenceOfAdvance(t *testing.T) {
	const eps, h = 1e-5, 0.3
	m, r := tangentForest(t), rand.New(rand.NewPCG(5, 1))
	d := m.NewData()
	for range 20 {
		q, v, dq, dv := tangentState(m, r)
		n := len(v)
		end := append([]float64(nil), q...)
		d.Advance(h, v, end, make([]float64, n), timestep.Memory{})
		var side, ends [2][]float64
		for k, w := range [2]float64{eps, -eps} {
			a, u, step := append([]float64(nil), q...), make([]float64, n), make([]float64, n)
			for i := range n {
				u[i], step[i] = v[i]+w*dv[i], w*dq[i]
			}
			m.Displace(a, step)
			ends[k] = make([]float64, n)
			d.Advance(h, u, a, ends[k], timestep.Memory{})
			side[k] = make([]float64, n)
			m.Difference(end, a, side[k])
		}
		got, gotV := make([]float64, n), append([]float64(nil), dv...)
		d.AdvanceTangent(h, q, v, dq, gotV, got)
		for i := range n {
			if want := (ends[0][i] - ends[1][i]) / (2 * eps); math.Abs(gotV[i]-want) > 1e-7*(1+math.Abs(want)) {
				t.Fatalf("tangent of velocity %d of %q: %g, want %g", i, m.links[m.dofs[i]].Name, gotV[i], want)
			}
			if want := (side[0][i] - side[1][i]) / (2 * eps); math.Abs(got[i]-want) > 1e-8*(1+math.Abs(want)) {
				t.Fatalf("tangent %d of %q: %g, want %g", i, m.links[m.dofs[i]].Name, got[i], want)
			}
		}
		// λ·δ⁺ by the transpose
		lambda, aq, av := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range lambda {
			lambda[i] = r.NormFloat64()
		}
		forward, adjoint := 0.0, 0.0
		for i := range n {
			av[i] = r.NormFloat64()
			forward += lambda[i]*got[i] + av[i]*gotV[i]
		}
		d.AdvanceAdjoint(h, q, v, lambda, aq, av)
		for i := range n {
			adjoint += aq[i]*dq[i] + av[i]*dv[i]
		}
		if math.Abs(forward-adjoint) > 1e-13*float64(n)*(1+math.Abs(forward)) {
			t.Errorf("λ·δ⁺ is %.15g forward, %.15g by the adjoint", forward, adjoint)
		}
	}
}

func TestDifferenceUndoesDisplace(t *testing.T) {
	m, r := tangentForest(t), rand.New(rand.NewPCG(5, 2))
	for range 20 {
		q, _, delta, _ := tangentState(m, r)
		for i := range delta {
			delta[i] *= 0.5 // turns below π
		}
		to, got := append([]float64(nil), q...), make([]float64, len(delta))
		m.Displace(to, delta)
		m.Difference(q, to, got)
		for i := range got {
			if math.Abs(got[i]-delta[i]) > 1e-13 {
				t.Fatalf("tangent %d: %g, want %g", i, got[i], delta[i])
			}
		}
	}
}
