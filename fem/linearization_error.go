package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// The linearisation error of a body: its difference from its linear model at the velocities
// that a step was solved for. The energy of a tet is that in its own rotation, R =
// polar(F(y)); its energy in the linear model is that in the rotation R_k of the last
// linearisation. Bounds of their difference that need no rotation spare most steps the
// comparison: a rotation of a tet by δ changes F by ‖ΔF‖² = 2δ², and its false strain of δ²/2
// in a plane has the energy
//
//	B = ½ (μ + λ) V δ⁴,  |E − E_k| ≤ 2 √(E B) + B.                               (1)
//
// R_k is not computed again: with the stiffness vectors w_a = √V R_k g_a of the linear model
// and the edges D_a at rest, for which Σ g_a D_aᵀ = I,
//
//	R_k = Σ_a w_a D_aᵀ/√V.                                                      (2)
//
// Tests go from cheap to dear, and most steps end at the first or second:
//
//	boundByVertices   one motion for the body, no loop over tets
//	boundErrors       (1) with E ≤ the energy of the step, one gradient a tet; a few tets
//	                  suffice where they exceed the bound by themselves
//	boundDifferences  (1) with the energies E of elements with more nodes than four
//	compareEnergies   both energies of each tet, one polar decomposition a tet
//
// Energies compare with those that the step exchanges anyway, so that a body at rest, which
// has none, needs a floor: see energyFloor.

// linearizationError returns the difference of the energies of body and linear model at the solved velocities over its
// tolerance, the larger of the two, with that difference, J; and whether body and vertices turn differently, so that y must
// leave out no rotation. Where a bound shows that the ratio is at most 1 both are 0.
func (d *Data) linearizationError(vNext []float64, touched bool, A, mom []float64, pool *workers.Pool) (ratio, energy float64, turns bool) {
	f, m := &d.free, d.model
	tol := freeTol
	if touched {
		tol = linearizationTol
	}
	// energies of the start, what a step exchanges at least, by a free fall, and round-off
	scale := f.moveTo(vNext) + d.StartEnergy() + 0.5*m.mass*f.h*f.h*f.gravity.Norm2() + energyFloor*(m.mu+m.lambda)*m.mass/m.spec.Density
	var e energyErrors
	if d.newton != nil {
		e.gain = d.newton.linearizationError(A, mom, vNext, pool)
		e.elastic = sum(d.newton.energy)
	} else {
		// where a bound passes, the step's cost is one loop over vertices or tets, without rotations
		// Σ 2 √(E B) + B ≤ t (scale + Σ E) where Σ B ≤ t²/(1 + t) scale: by vertices, then tets
		least := 0.5 * tol * tol * scale
		if f.boundByVertices() <= least {
			return 0, 0, false
		}
		if f.errors.isBelow(pool, least) {
			return 0, 0, false
		}
		// to compare such elements takes longer than to know their energy
		if m.set != nil {
			if b := f.errors.run(pool, boundDifferences); b.apart <= tol*(scale+b.elastic) {
				return 0, 0, false
			}
		}
		e = f.errors.run(pool, compareEnergies)
	}
	// energy at the end of the step, where y left out a rotation
	if !f.implicit && f.rotation.rotates {
		end := f.errors.run(pool, endEnergies).elastic
		turns = math.Abs(end-e.elastic) > rotationTol*(scale+min(end, e.elastic))
	}
	scale += e.elastic
	gained, apart := math.Abs(e.gain)/(tol*scale), e.apart/(distortionTol*scale)
	if apart > gained {
		return apart, e.apart, turns
	}
	return gained, math.Abs(e.gain), turns
}

// boundByVertices bounds the energy of false strain of the first pass by the largest motion u
// of a vertex relative to the mean: ‖ΔF‖ ≤ 2 u Σ_a |g_a|. It keeps the motion (in way).
func (f *freeMotion) boundByVertices() float64 {
	m := f.model
	// further passes have frames of their own, and a rotating body moves far without straining
	if f.pass > 0 || f.rotation.rotates {
		return math.Inf(1)
	}
	var mean r3.Vec
	for i := range f.way {
		f.way[i] = f.solved[i].Sub(f.pos[i])
		mean = mean.Add(f.way[i])
	}
	mean = mean.Scale(1 / float64(len(f.way)))
	u2 := 0.0
	for i := range f.way {
		u2 = max(u2, f.way[i].Sub(mean).Norm2())
	}
	n := 2 * u2 * m.steepest * m.steepest // ½‖ΔF‖²
	return 0.5 * (m.mu + m.lambda) * m.mass / m.spec.Density * n * n
}

// energyErrors compares the energies of some tets with those of the linear model, J.
type energyErrors struct {
	// gain is the sum of the differences E − E_k.
	gain float64
	// apart is the sum of their absolute values, or a bound.
	apart float64
	// elastic is the sum of the energies E.
	elastic float64
}

// add adds an element of energy E, and of energy inModel in the linear model.
func (e *energyErrors) add(E, inModel float64) {
	change := E - inModel
	e.elastic += E
	e.gain += change
	e.apart += math.Abs(change)
}

// errorPass is the parallel loop over tets that compares the body with its linear model.
type errorPass struct {
	*freeMotion
	what   int
	chunks []energyErrors // results
	part   int            // of the chunks, that the loop takes
	// known is what boundDifferences finds of elements with one frame, for compareEnergies.
	known []elementError
}

// elementError is the energy E of an element at y, and the bound of its difference from that of
// the linear model without the rotation that y leaves out, J.
type elementError struct{ energy, bound float64 }

// isNear reports whether the bound is so small that it takes the place of the difference.
func (e *elementError) isNear() bool { return e.bound <= 0.25*linearizationTol*e.energy }

// What errorPass computes.
const (
	// boundErrors: Σ B of (1) (apart).
	boundErrors = iota
	// boundDifferences: (1) for each element (apart), with its energy at y (elastic).
	boundDifferences
	// compareEnergies: the energy at y, and its difference from that of the linear model. Elements
	// with more nodes than four were bounded before.
	compareEnergies
	// endEnergies: the energy at the end of the step, x + h v (elastic).
	endEnergies
)

// run returns the sums over all tets, in the order of chunks.
func (f *errorPass) run(pool *workers.Pool, what int) (e energyErrors) {
	f.what, f.part = what, allChunks
	pool.Run(len(f.chunks), f)
	for i := range f.chunks {
		c := &f.chunks[i]
		e.gain, e.apart, e.elastic = e.gain+c.gain, e.apart+c.apart, e.elastic+c.elastic
	}
	return e
}

// differenceBound returns the bound (1) of |E − E_k| for an energy E of either model.
func differenceBound(E, B float64) float64 { return B + 2*math.Sqrt(max(E, 0)*B) }

// isBelow reports whether Σ B of (1) is at most a bound. No B is negative, so that the chunks of
// a sample often show that a body which turns far is above: the others follow where they do not.
func (f *errorPass) isBelow(pool *workers.Pool, bound float64) bool {
	f.what = boundErrors
	n := chunks(len(f.chunks), sampleStride)
	f.part = sampled
	pool.Run(n, f)
	total := 0.0
	for i := range n {
		total += f.chunks[i*sampleStride].apart
	}
	if total > bound {
		return false
	}
	f.part = unsampled
	pool.Run(len(f.chunks)-n, f)
	for i := range len(f.chunks) - n {
		total += f.chunks[f.chunk(i)].apart
	}
	return total <= bound
}

// sampleStride is the distance of the chunks in a sample of them.
const sampleStride = 8

// Parts of the chunks that a loop takes.
const (
	allChunks = iota
	sampled   // each sampleStride-th, from the first on
	unsampled // the others
)

// chunk returns the number of chunk i of the part.
func (f *errorPass) chunk(i int) int {
	switch f.part {
	case sampled:
		return i * sampleStride
	case unsampled:
		return i + i/(sampleStride-1) + 1
	}
	return i
}

// Do implements workers.Task for one chunk of tets.
func (f *errorPass) Do(_, i int) {
	chunk := f.chunk(i)
	m, sums := f.model, &f.chunks[chunk]
	*sums = energyErrors{}
	// the square of the rotation that y leaves out, which turns the strain
	turned := 0.0
	if f.rotation.rotates && !f.implicit {
		turned = f.rotation.removed.Norm2()
	}
	if m.set != nil {
		m.set.compare(f, chunk*tetChunk, min((chunk+1)*tetChunk, m.set.len()), turned, sums)
		return
	}
	t, end := chunk*tetChunk, min((chunk+1)*tetChunk, len(m.elements))
	// eight rotations at a time, as in the first pass
	if f.what == compareEnergies && haveKernels {
		var b elementLanes
		for ; t+8 <= end; t += 8 {
			f.compareLanes(&b, t, sums)
		}
	}
	for ; t < end; t++ {
		e := &m.elements[t]
		F := e.gradient(f.solved)
		switch f.what {
		case boundErrors:
			n := f.turn2(e, &F)
			sums.apart += e.volume * (m.mu + m.lambda) * n * (0.5*n + turned)
		case compareEnergies:
			R := m.rotation(F)
			f.compare(t, &F, &R, sums)
		case endEnergies:
			// x + h v = y + removed (x − c): its gradient adds removed F(x)
			if f.rotation.rotates {
				F = F.Add(f.rotation.removed.Mul(e.gradient(f.pos)))
			}
			sums.elastic += e.volume * m.spec.Law.Energy(F, m.rotation(F))
		}
	}
}

// turn2 bounds the square of the angle δ by which a tet has turned since the last
// linearisation, by ‖ΔF‖² = 2δ².
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
// vectors of either rotation, as (1) of balance.go.
func (f *errorPass) compareLanes(b *elementLanes, t int, sums *energyErrors) {
	for lane, e := range f.model.elements[t : t+8] {
		packEdges(&b.pos, f.solved, &e.verts, lane)
	}
	rest := &f.model.rest[t/8]
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

// modelFrame returns the rotation (2) that a tet has in the linear model.
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

// sum adds the numbers of all tets in their order.
func sum(x []float64) float64 {
	s := 0.0
	for _, y := range x {
		s += y
	}
	return s
}
