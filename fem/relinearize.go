package fem

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// A step with constraints is solved with internal forces that are linear in v: with frames
// R or tangents of a state that the step does not end in. A body that an impact turns by θ
// within the step, or strains much, then has forces and an energy that the problem did not
// know of: with frames of the start, rotation by θ is a strain of θ²/2, which stores E V θ⁴/8
// in a body of Young's modulus E. So a step compares, at the solved velocities, the body's
// energy with that of the linear model and, where they differ, linearises the body there and
// is solved again: Newton's method on
//
//	Ψ(v) = ½ (v − v0)ᵀM(v − v0) − h f_ext·v + Σ V Ψ(F(y(v))) + damping + Σ ℓ(J v + b),  (1)
//	A = M + hD + h²K(y_k),   P = A (v_k − v0) − ∇Φ(v_k)                                (2)
//
// with Φ the part of (1) without constraints. Frames of corotated laws are polar(F(y_k)); the
// energy with them is the true one to first order in y − y_k, for the true energy is
// stationary in the frame. Damping acts on the change of the strain in these frames,
//
//	σ_d = ζ/h C (sym(R_kᵀF(y)) − sym(R_0ᵀF(x))),  R_0 = polar(F(x)).                  (3)
//
// Where the mean rotation that y leaves out, predicted from the start, is not the solved one,
// y does not strain as the vertices do. Such a body is taken implicitly: y(v) = x + h v. That
// is backward Euler, which cannot create energy but slows spin at the rate h ω², in steps with
// such impacts only.
// Source: this program's; (1) is the incremental potential of Gast et al. 2015 with contact.

// relinearized is the state of the passes of a step.
type relinearized struct {
	h       float64 // of the step, s
	gravity r3.Vec
	// pass counts linearisations within the step, 0 for that of its start.
	pass int
	// implicit: no rotation is left out of y.
	implicit bool
	// share of the way from the last linearisation to the solution at which the next one is.
	share float64
	// way is that way, m, and ways the number of passes that had one in the same y.
	way  []r3.Vec
	ways int
	// frames are the positions y_k of the last linearisation.
	frames []r3.Vec
	// solved are the positions y at the velocities solved last.
	solved []r3.Vec

	errors errorPass
	// change and elastic are results of errorPass for each element, J.
	change, elastic []float64
}

// Linearization errors, in units of the body's kinetic and elastic energy at the start and of
// what it gains by a free fall of the step.
const (
	// linearizationTol is the difference of the energies of body and linear model from which
	// on the body is linearised again.
	linearizationTol = 1e-3
	// rotationTol is the difference of the energies at y and at the end of the step from which
	// on no rotation is left out of y. It is larger: y leaves out the rotation of strained
	// bodies, too, which changes the direction of strain.
	rotationTol = 5e-3
	// energyFloor is round-off of elastic energies, relative to those of strains of order 1.
	energyFloor = 1e-13
	// leastShare bounds freeMotion.share from below.
	leastShare = 1.0 / 16
	// mostShare bounds it from above.
	mostShare = 8
)

// Relinearize compares the body with its linear model at the solved velocities vNext (Dofs,
// m/s) of the clique. Where their energies differ by more than a tolerance, it linearises the
// body there, overwrites A and P of the clique and reports true: the problem has to be solved
// again. It allocates nothing and gives the same bits for any number of workers.
func (d *Data) Relinearize(vNext []float64, pool *workers.Pool, p *cliques.Problem) bool {
	f := &d.free
	if d.model.class == Linear {
		return false
	}
	A, v0, mom := d.part(p)
	errs, turns := d.linearizationErrors(vNext, A, mom, pool)
	if !errs && !turns {
		return false
	}
	// linearise there, or part of the way
	f.pass++
	f.moveFrames()
	if turns {
		f.turnFrames()
		f.rotation.removed = r3.Mat{}
	}
	if f.implicit {
		f.moveTo(vNext)
	}
	if d.newton != nil {
		d.newton.moveToFrames()
		d.newton.relinearize(pool, A, mom)
		return true
	}
	f.assembleAll(pool, A, v0, mom)
	return true
}

// linearizationErrors reports whether body and linear model differ at the solved velocities,
// and whether body and vertices turn differently, so that y must leave out no rotation.
func (d *Data) linearizationErrors(vNext, A, mom []float64, pool *workers.Pool) (errs, turns bool) {
	f, m := &d.free, d.model
	// energies of the start, what a step exchanges at least, by a free fall, and round-off
	scale := f.moveTo(vNext) + d.StartEnergy() + 0.5*m.mass*f.h*f.h*f.gravity.Norm2() + energyFloor*(m.mu+m.lambda)*m.mass/m.spec.Density
	var apart, elastic float64
	if d.newton != nil {
		apart = d.newton.linearizationError(A, mom, vNext, pool)
		elastic = sum(d.newton.energy)
	} else {
		// energies differ by 2 √(E B) + B at most, with the energy B of false strain, which is
		// bounded by vertices, then by tets, before their rotations are computed
		const least = linearizationTol * linearizationTol / 8
		if f.boundByVertices() <= least*scale {
			return false, false
		}
		if f.errors.run(pool, boundErrors); sum(f.change) <= least*scale {
			return false, false
		}
		f.errors.run(pool, compareEnergies)
		apart, elastic = sum(f.change), sum(f.elastic)
	}
	// energy at the end of the step, where y left out a rotation
	if !f.implicit && f.rotation.rotates {
		f.errors.run(pool, endEnergies)
		end := sum(f.elastic)
		turns = math.Abs(end-elastic) > rotationTol*(scale+min(end, elastic))
	}
	return apart > linearizationTol*(scale+elastic), turns
}

// boundByVertices bounds the energy of false strain of the first pass by the largest motion u
// of a vertex relative to the mean: ‖ΔF‖ ≤ 2 u Σ_a |g_a|. It keeps the motion (in way).
func (f *freeMotion) boundByVertices() float64 {
	m := f.model
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

// Unstrain replaces the solved velocities vNext (Dofs, m/s) of a body that Relinearize still
// finds different from its linear model by those that lead to the positions of its last
// linearisation, which has no false strain.
func (d *Data) Unstrain(vNext []float64) {
	f := &d.free
	f.moveTo(vNext)
	for j, i := range d.model.vertex {
		for k := range 3 {
			vNext[3*j+k] = f.vel[i][k] + (f.frames[i][k]-f.strain[i][k])/f.h
		}
	}
}

// moveTo computes y(v0) (to strain) and y at the velocities v of the nodes (to solved). It
// returns the larger of the kinetic energies, with lumped masses, J.
func (f *freeMotion) moveTo(v []float64) float64 {
	S, o := &f.rotation.removed, &f.rotation.center
	start, end := 0.0, 0.0
	for i, n := range f.model.node {
		x, u := &f.pos[i], &f.vel[i]
		y := x.AddScaled(f.h, *u)
		if f.rotation.rotates {
			y = y.Sub(S.MulVec(x.Sub(*o)))
		}
		f.strain[i], f.solved[i] = y, y
		if n < 0 {
			continue
		}
		w := r3.Vec(v[3*n : 3*n+3])
		f.solved[i] = y.AddScaled(f.h, w.Sub(*u))
		start += f.model.nodalMass[i] * u.Norm2()
		end += f.model.nodalMass[i] * w.Norm2()
	}
	return 0.5 * max(start, end)
}

// startFrames sets frames to the positions of the start, moved and turned with the frame of
// the step.
func (f *freeMotion) startFrames() {
	var u r3.Vec
	if len(f.model.vertex) == len(f.model.node) {
		for i, mass := range f.model.nodalMass {
			u = u.AddScaled(f.h*mass/f.model.mass, f.vel[i])
		}
	}
	for i, x := range f.pos {
		f.frames[i] = x.Add(u)
		if f.rotation.unresolved {
			r := x.Sub(f.rotation.center)
			f.frames[i] = f.rotation.center.Add(f.rotation.excess.MulVec(r)).Add(u)
		}
	}
}

// moveFrames moves the positions of the linearisation towards the solved ones. Where passes
// overshoot, as in strong impacts of stiff bodies whose frames turn, the share of the way is
// that of Aitken's extrapolation from the last two passes.
func (f *freeMotion) moveFrames() {
	if f.pass == 1 && f.model.class == Corotated {
		f.startFrames()
	}
	dot, square := 0.0, 0.0
	for i, mass := range f.model.nodalMass {
		way := f.solved[i].Sub(f.frames[i])
		change := way.Sub(f.way[i])
		dot += mass * change.Dot(f.way[i])
		square += mass * change.Norm2()
		f.way[i] = way
	}
	f.ways++
	if f.ways > 1 && square > 0 {
		f.share = min(max(-f.share*dot/square, leastShare), mostShare)
	}
	f.retract()
}

// turnFrames turns the positions of the linearisation by the rotation that y left out, where
// it leaves out none any more.
func (f *freeMotion) turnFrames() {
	f.implicit, f.ways, f.share = true, 0, 1
	var c r3.Vec
	for i, mass := range f.model.nodalMass {
		c = c.AddScaled(mass/f.model.mass, f.frames[i])
	}
	R := f.rotation.full.Add(r3.Identity()).Mul(f.rotation.excess.T())
	for i, x := range f.frames {
		f.frames[i] = c.Add(R.MulVec(x.Sub(c)))
	}
}

// retract moves the positions of the linearisation by a share of the way such that its mean
// rotation strains nothing: on the straight way of the vertices a rotation by θ stretches
// the body by √(1 + θ²), and its law stiffens. With the mean rotation θ of the way about the
// centre of mass c, and d the rest of it,
//
//	y ← c + c_way + exp(θ̂ atan|θ|) (y − c + d).                              (4)
func (f *freeMotion) retract() {
	m, share := f.model, f.share
	var c, w r3.Vec
	for i, mass := range m.nodalMass {
		c, w = c.AddScaled(mass/m.mass, f.frames[i]), w.AddScaled(mass/m.mass, f.way[i])
	}
	var L r3.Vec
	var I r3.Mat
	for i, mass := range m.nodalMass {
		r := f.frames[i].Sub(c)
		L = L.AddScaled(mass, r.Cross(f.way[i]))
		I = I.Add(r3.Identity().Scale(mass * r.Norm2())).Sub(r3.Outer(r, r).Scale(mass))
	}
	inverse, det := I.Inv()
	var theta r3.Vec
	if len(m.vertex) == len(m.node) && det > slender*math.Pow(I.Trace()/3, 3) {
		theta = inverse.MulVec(L).Scale(share)
	}
	R := r3.Identity()
	if angle := theta.Norm(); angle > 0 {
		R = r3.RotExp(theta.Scale(math.Atan(angle) / angle))
	}
	for i := range f.frames {
		r := f.frames[i].Sub(c)
		d := f.way[i].Sub(w).Scale(share).Sub(theta.Cross(r))
		f.frames[i] = c.AddScaled(share, w).Add(R.MulVec(r.Add(d)))
	}
}

// addStrainRate adds the damping (3) to the gradient F at which stress is evaluated.
func (f *elementPass) addStrainRate(e *element, R, F *r3.Mat) {
	c := f.model.spec.StiffnessDamping / f.h
	if c == 0 {
		return
	}
	G := e.gradient(f.pos)
	before := R.Mul(r3.Polar(G).T().Mul(G))
	for i := range F {
		F[i] += c * (F[i] - before[i])
	}
}

// errorPass is the parallel loop over tets that compares the body with its linear model.
type errorPass struct {
	*freeMotion
	what int
}

// What errorPass computes.
const (
	// boundErrors: a bound of the energy of false strain by rotation (to change).
	boundErrors = iota
	// compareEnergies: the energy at y, and its difference from that of the linear model.
	compareEnergies
	// endEnergies: the energy at the end of the step, x + h v.
	endEnergies
)

func (f *errorPass) run(pool *workers.Pool, what int) {
	f.what = what
	pool.Run(chunks(f.model.numElements(), tetChunk), f)
}

// Do implements workers.Task for one chunk of tets.
func (f *errorPass) Do(_, chunk int) {
	m := f.model
	// the square of the rotation that y leaves out, which turns the strain
	turned := 0.0
	if f.rotation.rotates && !f.implicit {
		turned = f.rotation.removed.Norm2()
	}
	if m.cells != nil {
		f.doCells(chunk, turned)
		return
	}
	for t := chunk * tetChunk; t < min((chunk+1)*tetChunk, len(m.elements)); t++ {
		e := &m.elements[t]
		F := e.gradient(f.solved)
		switch f.what {
		case boundErrors:
			n := f.turn2(e, &F)
			f.change[t] = e.volume * (m.mu + m.lambda) * n * (0.5*n + turned)
		case compareEnergies:
			f.compare(t, &F)
		case endEnergies:
			// x + h v = y + removed (x − c): its gradient adds removed F(x)
			if f.rotation.rotates {
				F = F.Add(f.rotation.removed.Mul(e.gradient(f.pos)))
			}
			f.elastic[t] = e.volume * m.spec.Law.Energy(F, m.rotation(F))
		}
	}
}

// turn2 bounds the square of the angle δ by which a tet has turned since the last
// linearisation: a rotation changes F by ‖ΔF‖² = 2δ². Its false strain is δ²/2 in a plane,
// with the energy density ½ (μ + λ) δ⁴.
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

// compare writes the energy of a tet at y and its difference from that of the linear model.
// With the energy B of false strain it differs by 2 √(E B) + B at most, which spares the
// frame of the linear model where that is little.
func (f *errorPass) compare(t int, F *r3.Mat) {
	m := f.model
	e := &m.elements[t]
	E := e.volume * m.spec.Law.Energy(*F, m.rotation(*F))
	n := f.turn2(e, F)
	B := e.volume * (m.mu + m.lambda) * 0.5 * n * n
	f.elastic[t] = E
	if f.change[t] = B + 2*math.Sqrt(max(E, 0)*B); f.change[t] > 0.25*linearizationTol*E {
		f.change[t] = math.Abs(E - e.volume*m.spec.Law.Energy(*F, f.modelFrame(e)))
	}
}

// modelFrame returns the rotation that an element has in the linear model.
func (f *errorPass) modelFrame(e *element) r3.Mat {
	R := f.frame(e)
	if f.pass == 0 && f.rotation.unresolved {
		R = f.rotation.excess.Mul(R)
	}
	return R
}

// sum adds the numbers of all tets in their order.
func sum(x []float64) float64 {
	s := 0.0
	for _, y := range x {
		s += y
	}
	return s
}
