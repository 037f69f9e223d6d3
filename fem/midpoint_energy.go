package fem

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Ledger is where the energy of a body goes in a step of the midpoint rule, J. With the kinetic, elastic and potential energy
// E, and the work W of loads and constraints, both by w,
//
//	E⁺ + End = E + Start + W − Numerical − Viscous,                           (1)
//	Π = ½ δ |Δv|²_M + ½ e h² |w|²_K,
//
// for linear laws to round-off, for corotated ones as far as the passes of the step converge.
type Ledger struct {
	// Start and End are what the damping of changes has stored: Π of the step before, which is that of the memory, and of this one.
	Start, End float64
	// Numerical is what the damping of changes takes, not negative for steps of equal length: with the step h₋ of before and r
	//	½ δ |Δv − r Δv₋|²_M + ½ e h² |w − r w₋|²_K + ½ δ (1 − r²) |Δv₋|²_M + ½ e (h₋² − r² h²) |w₋|²_K.
	Numerical float64
	// Viscous is what Rayleigh damping takes, h |w|²_D.
	Viscous float64
}

// Ledger returns (1) of the step with the solved displacement velocities w (Dofs, m/s) of the clique, before Advance; zero
// under Euler. It allocates nothing.
func (d *Data) Ledger(w []float64, p *cliques.Problem) (l Ledger) {
	f, s := &d.free, &d.step
	if !s.Midpoint {
		return l
	}
	A, _, _ := d.part(p)
	spec := &d.model.spec
	ww, wb, bb := d.stiffnessProducts(w, A)
	l.Viscous = f.h * (spec.MassDamping*d.massNorm(w, 0, 0, 1) + spec.StiffnessDamping*ww)
	if len(s.W) == 0 {
		return l
	}
	// |Δv|², |Δv₋|² and |Δv − r Δv₋|² by the mass
	now, before, apart := d.massNorm(w, 1, 0, 0), d.massNorm(w, 0, 1, 0), d.massNorm(w, 1, -s.Ratio, 0)
	h2 := f.h * f.h
	l.Start = 0.5*s.Delta*before + 0.5*s.E*s.Before*s.Before*bb
	l.End = 0.5*s.Delta*now + 0.5*s.E*h2*ww
	l.Numerical = 0.5*s.Delta*(apart+(1-s.Ratio*s.Ratio)*before) +
		0.5*s.E*(h2*(ww-2*s.Ratio*wb+s.Ratio*s.Ratio*bb)+(s.Before*s.Before-s.Ratio*s.Ratio*h2)*bb)
	return l
}

// endKineticEnergy returns the kinetic energy at the end of the step with the displacement velocities w, J.
func (d *Data) endKineticEnergy(w []float64) float64 {
	f := &d.free
	for i, n := range d.model.node {
		v := f.vel[i]
		if n >= 0 {
			v = v.Add(f.changeOf(i, r3.Vec(w[3*n:3*n+3])))
		}
		copy(f.whole[3*i:], v[:])
	}
	return d.KineticEnergy(f.whole)
}

// massNorm returns |a Δv + b Δv₋ + c w|² by the consistent mass.
func (d *Data) massNorm(w []float64, a, b, c float64) float64 {
	f := &d.free
	for i, n := range d.model.node {
		var u r3.Vec
		if n >= 0 {
			x := r3.Vec(w[3*n : 3*n+3])
			u = f.changeOf(i, x).Scale(a).AddScaled(b, f.before[i]).AddScaled(c, x)
		}
		copy(f.whole[3*i:], u[:])
	}
	return 2 * d.KineticEnergy(f.whole)
}

// stiffnessProducts returns w·K w, w·K w₋ and w₋·K w₋, w₋ turned to the middle of the step, with K of the last
// linearisation: what A has besides the mass.
func (d *Data) stiffnessProducts(w, A []float64) (ww, wb, bb float64) {
	f, m := &d.free, d.model
	mass, stiff := f.factors()
	mean := f.meanOf(f.step.W)
	at := func(j int32) (u, b r3.Vec) {
		if i := m.vertex[j]; len(f.step.W) > 0 {
			b = f.turn.turned(r3.Vec(f.step.W[3*i:3*i+3]), mean)
		}
		return r3.Vec(w[3*j : 3*j+3]), b
	}
	for j := range m.pattern.N {
		uj, bj := at(int32(j))
		for k := m.pattern.Ptr[j]; k < m.pattern.Ptr[j+1]; k++ {
			i := m.pattern.Row[k]
			ui, bi := at(int32(i))
			B := r3.Mat(A[9*k : 9*k+9])
			diagonal := mass * m.blocks[k].mass
			B[0], B[4], B[8] = B[0]-diagonal, B[4]-diagonal, B[8]-diagonal
			Bu, Bb := B.MulVec(uj), B.MulVec(bj)
			switch {
			case int(i) == int(j):
				ww, wb, bb = ww+ui.Dot(Bu), wb+ui.Dot(Bb), bb+bi.Dot(Bb)
			default: // and its transpose
				ww, bb = ww+2*ui.Dot(Bu), bb+2*bi.Dot(Bb)
				wb += ui.Dot(Bb) + bi.Dot(Bu)
			}
		}
	}
	return ww / stiff, wb / stiff, bb / stiff
}
