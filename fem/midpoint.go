package fem

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// The damped midpoint rule of package timestep for bodies with linear or corotated laws. With the displacement velocity
// w, x⁺ = x + h w, and the middle x½ = ½ (x + x⁺), the stress of an element is that of the mean of the strains ε = U −
// I of the ends, F = R U, in the frame of the middle,
//
//	σ = C (sym(R½ᵀF(x + ½h w)) − I + s),  P = R½ σ,                          (1)
//	s = ½ (ε0 + ε1) − (sym(R½ᵀF(x½)) − I).                                   (2)
//
// R½ and s are those of x⁺_k, at which the body is linearized, so that the problem is (4) of package timestep. Where
// x⁺_k is x⁺ the stress is C ½ (ε0 + ε1), and does the work that the elastic energy gains but for terms of θ² Δε with
// the angle θ by which the element turns: for isotropic C, σ commutes with ε0 + ε1. For elements of more than one
// strain (1) holds at each of their points, or for the displacements of their nodes in the frame.
//
// The first linearization is at the rigid motion that the momentum of the start predicts,
//
//	x⁺_0 = c + h v_c + Q (x − c),  Q = exp(θ n),  tan ½θ = ½h n·L/(n·I n),   (3)
//
// with the centre of mass c and the axis n of rigid_rotation.go. Velocities are tangents of arcs and w is their chord:
// hence the tangent of ½θ. With Q½ = exp(½θ n) and S = ½ (Q½ + Q½ᵀ) the frame is R½ = Q½R0, and s = R0ᵀ(I − S)F(x). So
// the first pass takes its frames at Q½(x − c), and its forces are those at
//
//	y = x + (½h + ζ + e h) v0 − e h r w₋ + (I − S) Q½ (x − c),               (4)
//
// with the damping of strain and of its changes, which act in the frame of the middle: rigid chords strain nothing
// there. Later passes have s of (2), and no last term.
//
// w₋ and Δv₋ turn with the body. A step writes them turned by its Q½ to its end, and the next one turns them by its own
// Q½ to its middle, about the velocity of the centre of mass, which does not turn.
//
// Momentum is exact. Angular momentum drifts at second order: (1) has a moment where the mean of the stretches and the
// stretch of the middle do not commute.
// Source: Simo and Tarnow, "The discrete energy-momentum method", 1992; (1) to (4) for corotated elements are this
// program's.

// midpoint is the scratch of the rule.
type midpoint struct {
	step timestep.Step
	// middle: positions at which R½ is taken, m.
	middle []r3.Vec
	// before: Δv₋ at the middle, m/s; of all vertices.
	before []r3.Vec
	// drag: α v0 + δ r′ Δv₋/(θ h), m/s².
	drag []r3.Vec
	// half: middle of the start and the solved end, m.
	half []r3.Vec
	// shift are s of (2) of the last linearization, for each frame of each element; from the second pass on.
	shift []strain6
	turn  meanTurn
	// ledger is the motion of each node, for Data.Ledger.
	ledger []nodeMotion

	strains strainPass
}

// meanTurn is the rigid motion of (3).
type meanTurn struct {
	center     r3.Vec // c, m
	half, full r3.Mat // Q½, Q
	shrink     r3.Mat // S
	turns      bool   // Q is not the identity
}

// MidpointFault returns what the midpoint rule does not integrate of the body; nil: nothing.
func (m *Model) MidpointFault() error {
	if m.class == Nonlinear {
		return fmt.Errorf("the midpoint rule does not integrate the law of deformable %q, which is nonlinear: take the law corotational, or the rule euler", m.spec.Name)
	}
	return nil
}

// needMidpoint makes room for steps of the rule.
func (f *freeMotion) needMidpoint() {
	if f.middle != nil {
		return
	}
	n, elements := f.model.NumVerts(), f.model.set.len()
	vecs := make([]r3.Vec, 4*n)
	f.middle, f.before, f.drag, f.half = vecs[:n], vecs[n:2*n], vecs[2*n:3*n], vecs[3*n:]
	f.shift = make([]strain6, f.model.set.frames()*elements)
	f.ledger = make([]nodeMotion, f.model.pattern.N)
	f.strains.freeMotion, f.strains.chunks = f, make([]strainErrors, chunks(elements, tetChunk))
}

// predictMiddle reads the state, predicts the motion (3) and computes the positions (4).
func (f *freeMotion) predictMiddle(x, v []float64) {
	f.rotation = rigidRotation{excess: r3.Identity()}
	f.turn = f.model.meanTurn(f.h, x, v)
	for i, n := range f.model.node {
		f.pos[i], f.vel[i] = r3.Vec(x[3*i:3*i+3]), r3.Vec{}
		if n >= 0 {
			f.vel[i] = r3.Vec(v[3*i : 3*i+3])
		}
		f.middle[i] = f.pos[i]
		if f.turn.turns {
			r := f.pos[i].Sub(f.turn.center)
			f.middle[i] = f.turn.center.Add(f.turn.half.MulVec(r))
		}
	}
	f.slowDown()
	f.strainMiddle()
}

// meanTurn returns (3) of a state.
func (m *Model) meanTurn(h float64, x, v []float64) meanTurn {
	s := m.meanSpin(0, x, v)
	t := meanTurn{center: s.center, half: r3.Identity(), full: r3.Identity()}
	if !s.spins {
		return t
	}
	half := math.Atan(0.5 * h * s.along / s.about)
	t.turns = half != 0
	t.half, t.full = r3.RotExp(s.axis.Scale(half)), r3.RotExp(s.axis.Scale(2*half))
	t.shrink = t.half.Add(t.half.T()).Scale(0.5)
	return t
}

// turned returns a velocity u of a vertex turned by Q½ about the mean.
func (t *meanTurn) turned(u, mean r3.Vec) r3.Vec {
	if !t.turns {
		return u
	}
	return mean.Add(t.half.MulVec(u.Sub(mean)))
}

// meanOf returns the velocity of the centre of mass of velocities u (3·NumVerts), m/s, where they turn; else zero.
func (f *freeMotion) meanOf(u []float64) (mean r3.Vec) {
	if f.turn.turns && len(u) > 0 {
		for i, mass := range f.model.nodalMass {
			mean = mean.AddScaled(mass/f.model.mass, r3.Vec(u[3*i:3*i+3]))
		}
	}
	return mean
}

// slowDown computes before and drag.
func (f *freeMotion) slowDown() {
	s := &f.step
	mean, rate, fall := f.meanOf(s.DV), s.Delta*s.ChangeRatio/(s.Theta*f.h), f.longerFall()
	for i, n := range f.model.node {
		f.before[i] = r3.Vec{}
		if n >= 0 && len(s.DV) > 0 {
			f.before[i] = f.turn.turned(r3.Vec(s.DV[3*i:3*i+3]), mean).Add(fall)
		}
		f.drag[i] = f.vel[i].Scale(f.model.spec.MassDamping).AddScaled(rate, f.before[i])
	}
}

// fallTol is the difference of mean changes of velocity, relative to them, that is round-off of a solve.
const fallTol = 1e-9

// longerFall returns what the step before would have added to the velocities of a body that fell in it, had it been as
// long as a longer step of now: the body falls on along its parabola. It is zero where anything else moved the body.
func (f *freeMotion) longerFall() (u r3.Vec) {
	s, m := &f.step, f.model
	if s.Delta == 0 || len(s.DV) == 0 || !(f.h > s.Before) || len(m.vertex) < len(m.node) {
		return u
	}
	fell := f.gravity.Scale(s.Before)
	for i, mass := range m.nodalMass {
		u = u.AddScaled(mass/m.mass, r3.Vec(s.DV[3*i:3*i+3]))
	}
	if !(u.Sub(fell).Norm() <= fallTol*fell.Norm()) {
		return r3.Vec{}
	}
	return u.Scale(f.h/s.Before - 1)
}

// strainMiddle computes the positions (4) to strain.
func (f *freeMotion) strainMiddle() {
	s := &f.step
	zeta, mean := f.model.spec.StiffnessDamping, f.meanOf(s.W)
	ahead, back := s.Alpha*f.h+zeta+s.E*f.h, s.E*f.h*s.Ratio
	lifts := f.pass == 0 && f.turn.turns
	lift := r3.Identity().Sub(f.turn.shrink)
	for i, n := range f.model.node {
		y := f.pos[i].AddScaled(ahead, f.vel[i])
		if n >= 0 && back > 0 {
			y = y.AddScaled(-back, f.turn.turned(r3.Vec(s.W[3*i:3*i+3]), mean))
		}
		if lifts {
			y = y.Add(lift.MulVec(f.middle[i].Sub(f.turn.center)))
		}
		f.strain[i] = y
	}
}

// slowed returns a rate (1/s) and velocities u whose forces −rate M u elements add to theirs: those of mass damping
// and, under the midpoint rule, of changes. The rate is 0 where there are none.
func (f *freeMotion) slowed() (rate float64, u []r3.Vec) {
	switch {
	case !f.step.Midpoint:
		return f.model.spec.MassDamping, f.vel
	case f.model.spec.MassDamping > 0 || f.step.Delta > 0:
		return 1, f.drag
	}
	return 0, nil
}

// startEnds sets frames to the ends (3) of the motion that the start predicts.
func (f *freeMotion) startEnds() {
	var u r3.Vec
	if len(f.model.vertex) == len(f.model.node) {
		for i, mass := range f.model.nodalMass {
			u = u.AddScaled(f.h*mass/f.model.mass, f.vel[i])
		}
	}
	for i, x := range f.pos {
		if f.turn.turns {
			x = f.turn.center.Add(f.turn.full.MulVec(x.Sub(f.turn.center)))
		}
		f.frames[i] = x.Add(u)
	}
}

// moveMiddle sets the middle to that of the ends frames at which the body is linearized next.
func (f *freeMotion) moveMiddle() {
	for i, x := range f.pos {
		f.middle[i] = x.Lerp(f.frames[i], 0.5)
	}
	f.strainMiddle()
}

// moveToEnds computes x + h w (to solved) for displacement velocities w of the nodes. It returns the larger of the
// kinetic energies at the ends, with lumped masses, J.
func (f *freeMotion) moveToEnds(w []float64) float64 {
	start, end := 0.0, 0.0
	for i, n := range f.model.node {
		f.solved[i] = f.pos[i]
		if n < 0 {
			continue
		}
		u := r3.Vec(w[3*n : 3*n+3])
		f.solved[i].IncScale(f.h, &u)
		v := f.vel[i].Add(f.changeOf(i, u))
		start += f.model.lumped[i] * f.vel[i].Norm2()
		end += f.model.lumped[i] * v.Norm2()
	}
	return 0.5 * max(start, end)
}

// unstrainEnds replaces displacement velocities of the nodes by those that lead to the ends of the last linearization.
func (f *freeMotion) unstrainEnds(w []float64) {
	for j, i := range f.model.vertex {
		u := f.frames[i].Sub(f.pos[i]).Scale(1 / f.h)
		copy(w[3*j:], u[:])
	}
}

// changeOf returns Δv of vertex i with the displacement velocity w, m/s.
func (f *freeMotion) changeOf(i int, w r3.Vec) (dv r3.Vec) {
	for k := range dv {
		dv[k] = f.step.Change(w[k], f.vel[i][k], f.before[i][k])
	}
	return dv
}

// EndVelocities writes the velocities of the nodes at the end of the step with the solved displacement velocities w
// (Dofs, m/s) to dst, of Dofs elements. Under Euler they are the same.
func (d *Data) EndVelocities(w, dst []float64) {
	f := &d.free
	if !d.step.Midpoint {
		copy(dst, w)
		return
	}
	for n, i := range d.model.vertex {
		v := f.vel[i].Add(f.changeOf(int(i), r3.Vec(w[3*n:3*n+3])))
		copy(dst[3*n:3*n+3], v[:])
	}
}

// advanceMiddle is Advance of the midpoint rule.
func (d *Data) advanceMiddle(h float64, w, x, v []float64, next timestep.Memory) {
	f := &d.free
	for i, n := range d.model.node {
		W, DV := next.W[3*i:3*i+3], next.DV[3*i:3*i+3]
		if n < 0 {
			clear(v[3*i : 3*i+3])
			clear(W)
			clear(DV)
			continue
		}
		u := r3.Vec(w[3*n : 3*n+3])
		change := f.changeOf(i, u)
		copy(W, u[:])
		copy(DV, change[:])
		for k := range u {
			x[3*i+k] += h * u[k]
			v[3*i+k] = f.vel[i][k] + change[k]
		}
	}
	if f.step.Forgets {
		clear(next.DV)
	}
	// the memory turns to the end of the step
	if !f.turn.turns {
		return
	}
	for _, u := range [2][]float64{next.W, next.DV} {
		mean := f.meanOf(u)
		for i := range d.model.node {
			y := f.turn.turned(r3.Vec(u[3*i:3*i+3]), mean)
			copy(u[3*i:], y[:])
		}
	}
}
