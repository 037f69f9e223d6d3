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
// include: with frames of the start, rotation by θ is a strain of θ²/2, which stores E V θ⁴/8
// in a body of Young's modulus E. So a step compares, at the solved velocities, the body's
// energy with that of the linear model and, where they differ, linearizes the body there and
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
	// pass counts linearizations within the step, 0 for that of its start.
	pass int
	// turns: at the velocities solved last, body and vertices turn differently.
	turns bool
	// implicit: no rotation is left out of y.
	implicit bool
	// share of the way from the last linearization to the solution at which the next one is.
	share float64
	// way is that way, m, and ways the number of passes that had one in the same y.
	way  []r3.Vec
	ways int
	// frames are the positions y_k of the last linearization.
	frames []r3.Vec
	// solved are the positions y at the velocities solved last.
	solved []r3.Vec
	// whole are velocities of all vertices, fixed ones included, m/s.
	whole []float64

	errors errorPass
}

// Linearization errors, in units of the body's kinetic and elastic energy at the start and of
// what it gains by a free fall of the step.
const (
	// linearizationTol is the difference of the energies of body and linear model from which
	// on the body is linearized again: what a step may gain or lose.
	linearizationTol = 1e-3
	// freeTol is the same for bodies that nothing touches, of which backward Euler takes more.
	freeTol = 5e-3
	// distortionTol is the sum over tets of such differences, whatever their sign, from which on
	// it is: energy that moves within a bent body is neither gained nor lost.
	distortionTol = 1e-2
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

// LinearizationError compares the body with its linear model at the solved velocities vNext (Dofs,
// m/s) of the clique. It returns the difference of their energies, J, and its ratio to the tolerance, which is smaller
// where constraints touch the body; a ratio of at most 1 that a bound shows is 0. It allocates nothing and gives the
// same bits for any number of workers.
func (d *Data) LinearizationError(vNext []float64, touched bool, pool *workers.Pool, p *cliques.Problem) (ratio, energy float64) {
	f := &d.free
	f.turns = false
	if d.model.class == Linear {
		return 0, 0
	}
	if f.step.Midpoint {
		return d.strainError(vNext, pool)
	}
	A, _, mom := d.part(p)
	ratio, energy, f.turns = d.linearizationError(vNext, touched, A, mom, pool)
	if f.turns {
		ratio = math.Max(ratio, math.Nextafter(1, 2))
	}
	return ratio, energy
}

// Relinearize linearizes the body at the solved velocities vNext at which LinearizationError was called last, or part
// of the way there: it overwrites A and P of the clique, and the problem has to be solved again.
func (d *Data) Relinearize(vNext []float64, pool *workers.Pool, p *cliques.Problem) {
	f := &d.free
	A, v0, mom := d.part(p)
	f.pass++
	f.moveFrames()
	if f.turns {
		f.turnFrames()
		f.rotation.removed = r3.Mat{}
	}
	if f.implicit {
		f.moveTo(vNext)
	}
	if f.step.Midpoint {
		f.moveMiddle()
	}
	if d.newton != nil {
		d.newton.moveToFrames()
		d.newton.relinearize(pool, A, mom)
		return
	}
	f.assembleAll(pool, A, v0, mom)
}

// EnergyRise returns the kinetic, elastic and potential energy that the body has more at the end
// of the step with the velocities vNext (Dofs, m/s) of the clique than at its start, J; 0 where the step did not
// linearize it again, or where the kinetic energy is least at most: what backward Euler gains on an arc is a
// share of that. Under the midpoint rule it includes what the damping of changes stores.
func (d *Data) EnergyRise(vNext []float64, least float64, pool *workers.Pool, p *cliques.Problem) float64 {
	f := &d.free
	if f.pass == 0 || f.moveTo(vNext) <= least {
		return 0
	}
	rise := f.errors.run(pool, endEnergies).elastic - d.StartEnergy()
	for i, u := range f.vel {
		copy(f.whole[3*i:], u[:])
	}
	rise -= d.KineticEnergy(f.whole)
	for i, n := range d.model.node {
		if n >= 0 {
			copy(f.whole[3*i:3*i+3], vNext[3*n:3*n+3])
		}
		rise -= f.h * d.model.nodalMass[i] * f.gravity.Dot(r3.Vec(f.whole[3*i:3*i+3]))
	}
	if f.step.Midpoint {
		l := d.Ledger(vNext, p)
		return rise + l.End - l.Start + d.endKineticEnergy(vNext)
	}
	return rise + d.KineticEnergy(f.whole)
}

// Unstrain handles a body whose linearization has not converged: it replaces the solved
// velocities vNext (Dofs, m/s) by those that lead to the positions of the last
// linearization, which has no spurious strain.
func (d *Data) Unstrain(vNext []float64) {
	f := &d.free
	if f.step.Midpoint {
		f.unstrainEnds(vNext)
		return
	}
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
	if f.step.Midpoint {
		return f.moveToEnds(v)
	}
	S, o := &f.rotation.removed, &f.rotation.center
	start, end := 0.0, 0.0
	var r, turned, change r3.Vec
	for i, n := range f.model.node {
		x, u, y, z := &f.pos[i], &f.vel[i], &f.strain[i], &f.solved[i]
		*y = *x
		y.IncScale(f.h, u)
		if f.rotation.rotates {
			r.SetSub(x, o)
			turned.SetMul(S, &r)
			y.SetSub(y, &turned)
		}
		*z = *y
		if n < 0 {
			continue
		}
		w := (*r3.Vec)(v[3*n:])
		change.SetSub(w, u)
		z.IncScale(f.h, &change)
		start += f.model.lumped[i] * u.DotOf(u)
		end += f.model.lumped[i] * w.DotOf(w)
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

// moveFrames moves the positions of the linearization towards the solved ones. Where passes
// overshoot, as in strong impacts of stiff bodies whose frames turn, the share of the way is
// that of Aitken's extrapolation from the last two passes.
func (f *freeMotion) moveFrames() {
	switch {
	case f.pass == 1 && f.step.Midpoint:
		f.startEnds()
	case f.pass == 1 && f.model.class == Corotated:
		f.startFrames()
	}
	dot, square := 0.0, 0.0
	for i, mass := range f.model.lumped {
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

// turnFrames turns the positions of the linearization by the rotation that y left out, where
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

// retract moves the positions of the linearization by a share of the way such that its mean
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

// addStrainRate adds the damping (3), with c = ζ/h, to the gradient F at which stress is evaluated; G is that of the
// start.
func addStrainRate(c float64, G r3.Mat, R, F *r3.Mat) {
	// the strain of the start in its own frame, seen in the frame of the pass
	before := R.Mul(r3.Polar(G).T().Mul(G))
	for i := range F {
		F[i] += c * (F[i] - before[i])
	}
}
