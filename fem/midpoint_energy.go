package fem

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Ledger is where the energy of a body goes in a step of the midpoint rule, J. With the kinetic, elastic and potential
// energy E, and the work W of loads and constraints, both by w,
//
//	E⁺ + End = E + Start + W − Numerical − Viscous,                           (1)
//	Π = ½ δ |Δv|²_M + ½ e h² |w|²_K,
//
// for linear laws to round-off, for corotated ones as far as the passes of the step converge.
type Ledger struct {
	// Start and End are what the damping of changes has stored: Π of the step before, which is that of the memory, and
	// of this one.
	Start, End float64
	// Numerical is what the damping of changes takes, never negative: with the step h₋ of
	// before and r
	//	½ δ |Δv − r′ Δv₋|²_M + ½ e h² |w − r w₋|²_K + ½ δ (1 − r′²) |Δv₋|²_M + ½ e (h₋² − r² h²) |w₋|²_K.
	Numerical float64
	// Viscous is what Rayleigh damping takes, h |w|²_D.
	Viscous float64
}

// Ledger returns (1) of the step with the solved displacement velocities w (Dofs, m/s) of the clique, before Advance;
// zero under Euler. It allocates nothing.
func (d *Data) Ledger(w []float64, p *cliques.Problem) (l Ledger) {
	f, s, spec := &d.free, &d.step, &d.model.spec
	if !s.Midpoint {
		return l
	}
	A, _, _ := d.part(p)
	q := f.products(w, A)
	l.Viscous = f.h * (spec.MassDamping*q.wMw + spec.StiffnessDamping*q.wKw)
	h2, r, rc, before2 := f.h*f.h, s.Ratio, s.ChangeRatio, s.Before*s.Before
	l.Start = 0.5*s.Delta*q.bMb + 0.5*s.E*before2*q.uKu
	l.End = 0.5*s.Delta*q.cMc + 0.5*s.E*h2*q.wKw
	l.Numerical = 0.5*s.Delta*(q.cMc-2*rc*q.cMb+q.bMb) + 0.5*s.E*(h2*(q.wKw-2*r*q.wKu)+before2*q.uKu)
	return l
}

// stepProducts are scalar products by M (J) and K (J/s²) of a step: of w, u = w₋, c = Δv and b = Δv₋, the memory turned
// to the middle of the step.
type stepProducts struct {
	wMw, cMc, cMb, bMb float64
	wKw, wKu, uKu      float64
}

// nodeMotion is w, u, c and b of a node.
type nodeMotion struct{ w, u, c, b r3.Vec }

// products returns those of the displacement velocities w, with K of the last linearization: what A has besides the
// mass.
func (f *freeMotion) products(w, A []float64) (s stepProducts) {
	m := f.model
	mass, stiff := f.factors()
	mean := f.meanOf(f.step.W)
	for j := range f.ledger {
		at, i := &f.ledger[j], int(m.vertex[j])
		if at.u = (r3.Vec{}); len(f.step.W) > 0 {
			at.u = f.turn.turned(r3.Vec(f.step.W[3*i:3*i+3]), mean)
		}
		at.w = r3.Vec(w[3*j : 3*j+3])
		at.c, at.b = f.changeOf(i, at.w), f.before[i]
	}
	for j := range f.ledger {
		// sums over the rows of column j, twice those below the diagonal for their transposes
		var Mw, Mc, Mb, Kw, Ku r3.Vec
		at := &f.ledger[j]
		for k := m.pattern.Ptr[j]; k < m.pattern.Ptr[j+1]; k++ {
			i := int(m.pattern.Row[k])
			row, M, B, twice := &f.ledger[i], m.blocks[k].mass, (*[9]float64)(A[9*k:9*k+9]), 2.0
			if i == j {
				twice = 1
			}
			x, y, cut := &row.w, &row.u, mass*M
			M *= twice
			for a := range 3 {
				Kw[a] += twice * (B[a]*x[0] + B[3+a]*x[1] + B[6+a]*x[2] - cut*x[a])
				Ku[a] += twice * (B[a]*y[0] + B[3+a]*y[1] + B[6+a]*y[2] - cut*y[a])
				Mw[a] += M * x[a]
				Mc[a] += M * row.c[a]
				Mb[a] += M * row.b[a]
			}
		}
		s.wMw += at.w.Dot(Mw)
		s.cMc += at.c.Dot(Mc)
		s.bMb += at.b.Dot(Mb)
		s.wKw += at.w.Dot(Kw)
		s.uKu += at.u.Dot(Ku)
		s.cMb += 0.5 * (at.b.Dot(Mc) + at.c.Dot(Mb))
		s.wKu += 0.5 * (at.u.Dot(Kw) + at.w.Dot(Ku))
	}
	s.wKw, s.wKu, s.uKu = s.wKw/stiff, s.wKu/stiff, s.uKu/stiff
	return s
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
