package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Passes over linear tets, as those of elements with one frame in element_cell_pass.go: the start of a step and its
// further linearizations, and the comparison of the body with its linear model. Both take eight tets at a time as far
// as kernels go, element_lanes.go. The frame of the linear model is not kept: with the stiffness vectors w_a = √V R_k
// g_a and the edges D_a at rest, for which Σ g_a D_aᵀ = I,
//
//	R_k = Σ_a w_a D_aᵀ/√V.                                                      (4)

// compute implements elementSet.
func (s tet4Set) compute(f *elementPass, i, end int) {
	if haveKernels && s.class == Corotated && !f.rotation.unresolved && f.pass == 0 {
		var b elementLanes
		for ; i+8 <= end; i += 8 {
			f.computeLanes(&b, i)
		}
	}
	if haveKernels && s.class == Corotated && f.pass > 0 && f.step.Midpoint {
		var b elementLanes
		for ; i+8 <= end; i += 8 {
			f.middleLanes(&b, i)
		}
	}
	for ; i < end; i++ {
		f.tet(i)
	}
}

// tet computes one tet.
func (f *elementPass) tet(t int) {
	e := &f.model.elements[t]
	R, F := r3.Identity(), e.gradient(f.strain)
	if f.model.class == Corotated {
		R = f.frame(e)
	}
	switch {
	case f.pass == 0:
		f.energy[t/tetChunk] += e.volume * f.model.spec.Law.Energy(e.gradient(f.modelPositions()), R)
		if f.rotation.unresolved && f.model.class == Corotated {
			R = f.rotation.excess.Mul(R)
		}
	case f.step.Midpoint:
		f.addMeanStrain(t, e.gradient(f.pos), e.gradient(f.frames), e.gradient(f.middle), &R, &F)
	case f.model.class == Corotated && f.model.spec.StiffnessDamping > 0:
		addStrainRate(f.model.spec.StiffnessDamping/f.h, e.gradient(f.pos), &R, &F)
	}
	// the three other vertices by (1) and (2), the first by the balance of forces
	T := f.model.piola(F, R, -e.volume)
	root := math.Sqrt(e.volume)
	w, force := (*[4]padded)(f.w[4*t:]), (*[4]padded)(f.force[4*t:])
	w[0], force[0] = padded{}, padded{}
	for a := range e.grad {
		g0, g1, g2 := e.grad[a][0], e.grad[a][1], e.grad[a][2]
		for i := range 3 {
			w[a+1][i] = root * (R[3*i]*g0 + R[3*i+1]*g1 + R[3*i+2]*g2)
			force[a+1][i] = T[3*i]*g0 + T[3*i+1]*g1 + T[3*i+2]*g2 // (1)
			w[0][i] -= w[a+1][i]
			force[0][i] -= force[a+1][i]
		}
	}
	f.addMassDamping(e, force)
}

// piola returns s·R σ of (1) at the gradient F.
func (m *Model) piola(F, R r3.Mat, s float64) r3.Mat {
	mu, lambda := 2*s*m.mu, s*m.lambda
	// G = RᵀF
	xx := R[0]*F[0] + R[3]*F[3] + R[6]*F[6] - 1
	yy := R[1]*F[1] + R[4]*F[4] + R[7]*F[7] - 1
	zz := R[2]*F[2] + R[5]*F[5] + R[8]*F[8] - 1
	xy := 0.5 * (R[0]*F[1] + R[3]*F[4] + R[6]*F[7] + R[1]*F[0] + R[4]*F[3] + R[7]*F[6])
	xz := 0.5 * (R[0]*F[2] + R[3]*F[5] + R[6]*F[8] + R[2]*F[0] + R[5]*F[3] + R[8]*F[6])
	yz := 0.5 * (R[1]*F[2] + R[4]*F[5] + R[7]*F[8] + R[2]*F[1] + R[5]*F[4] + R[8]*F[7])
	// σ of (1)
	p := lambda * (xx + yy + zz)
	xx, yy, zz, xy, xz, yz = mu*xx+p, mu*yy+p, mu*zz+p, mu*xy, mu*xz, mu*yz
	// R σ
	return r3.Mat{
		R[0]*xx + R[1]*xy + R[2]*xz, R[0]*xy + R[1]*yy + R[2]*yz, R[0]*xz + R[1]*yz + R[2]*zz,
		R[3]*xx + R[4]*xy + R[5]*xz, R[3]*xy + R[4]*yy + R[5]*yz, R[3]*xz + R[4]*yz + R[5]*zz,
		R[6]*xx + R[7]*xy + R[8]*xz, R[6]*xy + R[7]*yy + R[8]*yz, R[6]*xz + R[7]*yz + R[8]*zz,
	}
}

// frame returns the rotation of an element where it was linearized last: in the first pass of
// a step that at its start, which the excess of the body's rotation turns further.
func (f *freeMotion) frame(e *element) r3.Mat {
	return r3.Polar(e.gradient(f.modelPositions()))
}

// addMassDamping is addSetMassDamping of one tet.
func (f *freeMotion) addMassDamping(e *element, force *[4]padded) {
	rate, vel := f.slowed()
	if rate == 0 {
		return
	}
	c := rate * f.model.spec.Density * e.volume / 20
	var sum r3.Vec
	for _, v := range e.verts {
		sum = sum.Add(vel[v])
	}
	for a, v := range e.verts {
		x := force[a].vec()
		*x = x.AddScaled(-c, sum.Add(vel[v]))
	}
}

// compare implements elementSet.
func (s tet4Set) compare(f *errorPass, i, end int, turned float64, sums *energyErrors) {
	// a bound that takes the energies of tets costs as much as to compare these
	if f.what == boundDifferences {
		sums.apart = math.Inf(1)
		return
	}
	// eight rotations at a time, as in the first pass
	if f.what == compareEnergies && haveKernels {
		var b elementLanes
		for ; i+8 <= end; i += 8 {
			f.compareLanes(&b, i, sums)
		}
	}
	for ; i < end; i++ {
		e := &s.elements[i]
		F := e.gradient(f.solved)
		switch f.what {
		case boundErrors:
			n := f.turn2(e, &F)
			sums.apart += e.volume * (s.mu + s.lambda) * n * (0.5*n + turned)
		case compareEnergies:
			R := s.rotation(F)
			f.compare(i, &F, &R, sums)
		case endEnergies:
			// x + h v = y + removed (x − c): its gradient adds removed F(x)
			if f.rotation.rotates {
				F = F.Add(f.rotation.removed.Mul(e.gradient(f.pos)))
			}
			sums.elastic += e.volume * s.spec.Law.Energy(F, s.rotation(F))
		}
	}
}

// turn2 bounds the square of the angle δ by which a tet has turned since the last
// linearization, by ‖ΔF‖² = 2δ².
func (f *errorPass) turn2(e *element, F *r3.Mat) float64 {
	at := f.pos
	if f.pass > 0 {
		at = f.frames
	} else if !f.rotation.rotates {
		D := e.gradient(f.way) // by boundByVertices
		return 0.5 * D.Norm2()
	}
	G := e.gradient(at)
	if f.rotation.unresolved && f.pass == 0 {
		G = f.rotation.excess.Mul(G)
	}
	D := F.Sub(G)
	return 0.5 * D.Norm2()
}

// compareLanes compares the tets t … t + 7, whose rotations the kernel computes, by the stiffness
// vectors of either rotation, as (1) of element_lanes.go.
func (f *errorPass) compareLanes(b *elementLanes, t int, sums *energyErrors) {
	for lane, e := range f.model.elements[t : t+8] {
		packEdges(&b.pos, f.solved, &e.verts, lane)
	}
	rest := &f.model.restTets[t/8]
	bad := elements(b, rest, &f.elements.law)
	// those of the linear model in place of strain
	for lane := range 8 {
		gather(&b.strain, (*[4]padded)(f.w[4*(t+lane):]), lane)
	}
	laneEnergies(&b.energy, &b.pos, &b.w, rest, &f.elements.law)
	laneEnergies(&b.model, &b.pos, &b.strain, rest, &f.elements.law)
	for lane := range 8 {
		if bad>>lane&1 != 0 {
			F := f.model.elements[t+lane].gradient(f.solved)
			R := r3.Polar(F)
			f.compare(t+lane, &F, &R, sums)
			continue
		}
		sums.add(b.energy[lane], b.model[lane])
	}
}

// compare adds the energy of a tet at y, with the gradient F and its rotation R, and its
// difference from that of the linear model.
func (f *errorPass) compare(t int, F, R *r3.Mat, sums *energyErrors) {
	frame := f.modelFrame(t)
	V := f.model.elements[t].volume
	sums.add(V*f.model.corotatedEnergy(F, R), V*f.model.corotatedEnergy(F, &frame))
}

// modelFrame returns the rotation (4) that a tet has in the linear model.
func (f *errorPass) modelFrame(t int) r3.Mat {
	e, x := &f.model.elements[t], f.model.spec.Mesh.Verts
	o, a, b, c := &x[e.verts[0]], &x[e.verts[1]], &x[e.verts[2]], &x[e.verts[3]]
	w := (*[4]padded)(f.w[4*t:])
	// D_a are the edges from vertex 0; w_a has the factor √V, which 1/√V takes out
	s := 1 / math.Sqrt(e.volume)
	var R r3.Mat
	for j := range 3 {
		D1, D2, D3 := s*(a[j]-o[j]), s*(b[j]-o[j]), s*(c[j]-o[j])
		R[j] = w[1][0]*D1 + w[2][0]*D2 + w[3][0]*D3
		R[3+j] = w[1][1]*D1 + w[2][1]*D2 + w[3][1]*D3
		R[6+j] = w[1][2]*D1 + w[2][2]*D2 + w[3][2]*D3
	}
	return R
}

// corotatedEnergy returns the energy density μ |ε|² + ½ λ (tr ε)², ε = sym(RᵀF) − I, J/m³.
// Written in scalars, which stay in registers.
func (m *Model) corotatedEnergy(F, R *r3.Mat) float64 {
	xx := R[0]*F[0] + R[3]*F[3] + R[6]*F[6] - 1
	yy := R[1]*F[1] + R[4]*F[4] + R[7]*F[7] - 1
	zz := R[2]*F[2] + R[5]*F[5] + R[8]*F[8] - 1
	xy := R[0]*F[1] + R[3]*F[4] + R[6]*F[7] + R[1]*F[0] + R[4]*F[3] + R[7]*F[6]
	xz := R[0]*F[2] + R[3]*F[5] + R[6]*F[8] + R[2]*F[0] + R[5]*F[3] + R[8]*F[6]
	yz := R[1]*F[2] + R[4]*F[5] + R[7]*F[8] + R[2]*F[1] + R[5]*F[4] + R[8]*F[7]
	tr := xx + yy + zz
	return m.mu*(xx*xx+yy*yy+zz*zz+0.5*(xy*xy+xz*xz+yz*yz)) + 0.5*m.lambda*tr*tr
}
