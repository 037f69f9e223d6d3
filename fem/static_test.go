package fem

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// solveStatic returns the displacements (3·NumVerts) under nodal forces (N) of a
// body at rest: A of a very long step of a body almost without mass is h²K.
func solveStatic(t *testing.T, m *Model, force []float64) []float64 {
	t.Helper()
	w := newWorld(m)
	const h = 1e6
	w.freeMotion(h, r3.Vec{})
	K := make([]float64, len(w.p.Cliques[0].A))
	for i, a := range w.p.Cliques[0].A {
		K[i] = a / (h * h)
	}
	u := factorAndSolve(t, m, K, func(rhs []float64) {
		for j, v := range m.vertex {
			copy(rhs[3*j:3*j+3], force[3*v:3*v+3])
		}
	})
	return m.spread(u)
}

// A cantilever of length L, height H and width B with a load F on its tip sinks by
//
//	δ = F L³/(3 E I) + F L/(κ G A),  κ = 10(1 + ν)/(12 + 11ν)
//
// (Timoshenko; the second term is 0.8 % here), save for what the clamp hinders.
// Linear tets are far too stiff until several fit into the height: the excess of
// stiffness falls with the square of their size.
func TestCantileverConvergesToBeamTheoryAtSecondOrder(t *testing.T) {
	const E, nu, L, H, B, F = 1e6, 0.3, 1.0, 0.1, 0.05, 1e-3
	const I, G = B * H * H * H / 12, E / (2 * (1 + nu))
	const kappa = 10 * (1 + nu) / (12 + 11*nu)
	theory := F*L*L*L/(3*E*I) + F*L/(kappa*G*B*H)
	law, err := NewCorotational(E, nu)
	if err != nil {
		t.Fatal(err)
	}
	cells := []int{1, 2, 4, 8, 16}
	known := []float64{0.21, 0.50, 0.79, 0.93, 0.98} // of linear tets, from other codes
	var share, stiff, rate []float64
	for i, n := range cells {
		mesh := boxMesh(r3.Vec{L, B, H}, 10*n, max(1, n/4), n)
		m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1e-12, Fixed: where(mesh, func(p r3.Vec) bool { return p[0] == 0 })})
		tip := where(mesh, func(p r3.Vec) bool { return p[0] > L*(1-1e-9) })
		force := make([]float64, 3*m.NumVerts())
		for _, v := range tip {
			force[3*v+2] = F / float64(len(tip))
		}
		u := solveStatic(t, m, force)
		sink := 0.0
		for _, v := range tip {
			sink += u[3*v+2] / float64(len(tip))
		}
		share, stiff = append(share, sink/theory), append(stiff, theory/sink)
		if math.Abs(share[i]-known[i]) > 0.02 {
			t.Errorf("%d cells: %.3f of theory, want %.2f", n, share[i], known[i])
		}
		if i > 1 {
			rate = append(rate, math.Log2((stiff[i-2]-stiff[i-1])/(stiff[i-1]-stiff[i])))
			if r := rate[i-2]; r < 1.7 || r > 2.3 {
				t.Errorf("%d cells: rate %.2f, want about 2", n, r)
			}
		}
	}
	t.Logf("cells %v: share of theory %.4f, rates of stiffness %.2f", cells, share, rate)
	limit := stiff[4] - (stiff[3]-stiff[4])/3 // Richardson
	if math.Abs(limit-1) > 0.01 {
		t.Errorf("stiffness tends to %.3f of theory", limit)
	}
}
