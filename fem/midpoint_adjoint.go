package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// The adjoint of the first linearization of a step of the midpoint rule, derivatives of
//
//	Φ = yᵀ[A (w − v0) − p] − λ·E                                              (1)
//
// at fixed w, y and λ, with the end E of the step, by positions, velocities and the memory of the start. As in
// adjoint.go elements are taken at one place z for A and p together, in frames of the positions y½ of the middle. With
// T u = ū + Q½ (u − ū) and symbols of midpoint.go,
//
//	y½ = c + Q½ (x − c),   z = x + (½h + ζ + e h) w − e h r T w₋ + (I − S) (y½ − c)          (2)
//	Φ = (1/θ + hα) yᵀM (w − v0) + hα yᵀM v0 + δ r/θ yᵀM T Δv₋ + h yᵀf(R(y½), z) − h yᵀ(m g + loads) − λ·E
//	E: Δv = (w − v0 + δ r′ T Δv₋)/θ,   v⁺ = v0 + Δv,   W = T w,   DV = T Δv                     (3)
//
// The half angle of Q½ is φ = u atan(½h |u|)/|u| with u = I⁻¹L, since n·L/(n·I n) of u's direction n is |u|.

// Bars are derivatives by a state and its memory, or by the end of a step: 3·NumVerts each.
type Bars struct{ X, V, W, DV []float64 }

// MidpointAdjoint adds to start the derivatives of (1) by the state x, v of the start and the memory of the step that
// Integrate set, of h seconds and without an impact; w and y (Dofs) are w and y, end has λ, of which X is not read.
// diagonal is that of FreeMotionAdjoint. Loads on the vertices must not depend on positions. It is false, and start is
// undefined, for flat elements.
func (d *Data) MidpointAdjoint(h float64, x, v, w, y []float64, diagonal []r3.Mat, end, start *Bars) bool {
	m, a := d.model, d.adjointMemory()
	f, s, zeta := a.freeMotion, &d.step, m.spec.StiffnessDamping
	f.h, f.pass, f.step = h, 0, d.step
	mass, stiff := f.factors()
	a.diagonal, a.stiff = diagonal, stiff
	f.predictMiddle(x, v)
	ahead, back := s.Alpha*h+zeta+s.E*h, s.E*h*s.Ratio
	for i, n := range m.node {
		a.y[i], a.z[i], a.zBar[i], a.xBar[i] = r3.Vec{}, f.strain[i], r3.Vec{}, r3.Vec{}
		if n >= 0 {
			a.y[i] = r3.Vec(y[3*n : 3*n+3])
			// strain has v0 in place of w
			a.z[i] = a.z[i].AddScaled(ahead, r3.Vec(w[3*n:3*n+3]).Sub(f.vel[i]))
		}
	}
	// elements take their frames at pos
	f.pos, f.middle = f.middle, f.pos
	ok := m.set.adjoint(a)
	f.pos, f.middle = f.middle, f.pos
	if !ok {
		return false
	}
	b := midpointBars{adjointPass: a, start: start, My: make([]r3.Vec, len(m.node))}
	b.multiplyMass()
	for i := range b.My {
		addTo(start.V, i, b.My[i].Scale(h*m.spec.MassDamping-mass))
	}
	// y½ and z
	lift := r3.Identity().Sub(f.turn.shrink)
	if !f.turn.turns {
		lift = r3.Mat{}
	}
	var center r3.Vec
	var SBar r3.Mat
	for i := range a.zBar {
		arm := f.middle[i].Sub(f.turn.center)
		by := lift.MulVec(a.zBar[i]).Add(a.xBar[i]) // of y½; S is symmetric
		turned := f.turn.half.TMulVec(by)
		addTo(start.X, i, a.zBar[i].Add(turned))
		center = center.Add(a.xBar[i]).Sub(turned)
		b.half = b.half.Add(r3.Outer(by, f.pos[i].Sub(f.turn.center)))
		SBar = SBar.Sub(r3.Outer(a.zBar[i], arm))
	}
	b.half = b.half.Add(sym(SBar))
	if len(s.W) > 0 {
		b.addTurned(s.W, start.W, func(i int) r3.Vec { return a.zBar[i].Scale(-back) })
	}
	b.addEnd(w, end)
	if len(m.vertex) == len(m.node) && m.class != Linear {
		for i, mass := range m.nodalMass {
			addTo(start.X, i, center.Scale(mass/m.mass))
		}
		b.addHalfTurn(x, v)
	}
	return true
}

// midpointBars are bars of a step.
type midpointBars struct {
	*adjointPass
	start *Bars
	My    []r3.Vec // M y
	half  r3.Mat   // by Q½
}

// addTo adds u to a vertex of a list.
func addTo(to []float64, i int, u r3.Vec) {
	to[3*i], to[3*i+1], to[3*i+2] = to[3*i]+u[0], to[3*i+1]+u[1], to[3*i+2]+u[2]
}

// multiplyMass computes M y.
func (b *midpointBars) multiplyMass() {
	m := b.model
	for j := range m.pattern.N {
		u := m.vertex[j]
		for k := m.pattern.Ptr[j]; k < m.pattern.Ptr[j+1]; k++ {
			w, mass := m.vertex[m.pattern.Row[k]], m.blocks[k].mass
			b.My[w] = b.My[w].AddScaled(mass, b.y[u])
			if u != w { // the upper triangle
				b.My[u] = b.My[u].AddScaled(mass, b.y[w])
			}
		}
	}
}

// addTurned adds the bars of T u for velocities u of the vertices (3·NumVerts), whose bars are of(i), to those of u,
// unless nil, and to Q½.
func (b *midpointBars) addTurned(u, bars []float64, of func(i int) r3.Vec) {
	m, t := b.model, &b.turn
	mean, sum := b.meanOf(u), r3.Vec{}
	for i, n := range m.node {
		if n < 0 {
			continue
		}
		bar := of(i)
		if t.turns {
			sum = sum.Add(bar)
		}
		b.half = b.half.Add(r3.Outer(bar, r3.Vec(u[3*i:3*i+3]).Sub(mean)))
		if bars != nil {
			addTo(bars, i, t.half.TMulVec(bar))
		}
	}
	if bars == nil || !t.turns {
		return
	}
	sum = sum.Sub(t.half.TMulVec(sum))
	for i, mass := range m.nodalMass {
		addTo(bars, i, sum.Scale(mass/m.mass))
	}
}

// addEnd adds the bars of the memory in p and of −λ·E, (3).
func (b *midpointBars) addEnd(w []float64, end *Bars) {
	m, s := b.model, &b.step
	n := len(m.node)
	// velocities of all vertices; fixed ones have none
	move, change := make([]float64, 3*n), make([]float64, 3*n)
	for i, node := range m.node {
		if node >= 0 {
			u := r3.Vec(w[3*node : 3*node+3])
			addTo(move, i, u)
			addTo(change, i, b.changeOf(i, u))
		}
	}
	of := func(bars []float64) func(i int) r3.Vec {
		return func(i int) r3.Vec { return r3.Vec(bars[3*i : 3*i+3]).Neg() }
	}
	b.addTurned(move, nil, of(end.W))
	// of Δv: those of DV, and of v⁺
	bars := make([]float64, 3*n)
	if !s.Forgets {
		b.addTurned(change, bars, of(end.DV))
	}
	for i := range m.node {
		own := r3.Vec(end.V[3*i : 3*i+3])
		addTo(bars, i, own.Neg())
		addTo(b.start.V, i, own.Neg().AddScaled(-1/s.Theta, r3.Vec(bars[3*i:3*i+3])))
	}
	if share := s.Delta * s.ChangeRatio / s.Theta; len(s.DV) > 0 {
		b.addTurned(s.DV, b.start.DV, func(i int) r3.Vec { return b.My[i].Add(r3.Vec(bars[3*i : 3*i+3])).Scale(share) })
	}
}

// addHalfTurn adds what x and v change by Q½, whose bar is known.
func (b *midpointBars) addHalfTurn(x, v []float64) {
	m, h := b.model, b.h
	var mv, L r3.Vec
	var at massMoments
	for i, mass := range m.nodalMass {
		mv = mv.AddScaled(mass/m.mass, r3.Vec(v[3*i:3*i+3]))
	}
	arms := func(i int) (r, w r3.Vec) {
		return r3.Vec(x[3*i : 3*i+3]).Sub(b.turn.center), r3.Vec(v[3*i : 3*i+3]).Sub(mv)
	}
	for i, mass := range m.nodalMass {
		r, w := arms(i)
		L = L.AddScaled(mass, r.Cross(w))
		at.add(mass, &r)
	}
	inverse, det, trace := at.inertia(m.mass)
	if !(det > slender*math.Pow(trace/3, 3)) {
		return // bodies on a line have no rotation
	}
	u := inverse.MulVec(L)
	size, slope := halfAngle(0.5*h, u.Norm())
	phi := u.Scale(size)
	// δQ½ = [J δφ] Q½
	phiBar := leftJacobian(phi).TMulVec(axial(b.half.Mul(r3.RotExp(phi).T())))
	uBar := phiBar.Scale(size).AddScaled(slope*u.Dot(phiBar), u)
	LBar := inverse.MulVec(uBar)
	I := inertiaBar(r3.Outer(LBar, u).Scale(-1))
	for i, mass := range m.nodalMass {
		r, w := arms(i)
		addTo(b.start.X, i, w.Cross(LBar).Add(I.MulVec(r)).Scale(mass))
		addTo(b.start.V, i, LBar.Cross(r).Scale(mass))
	}
}

// halfAngle returns g = atan(c a)/a and its derivative by a over a.
func halfAngle(c, a float64) (g, slope float64) {
	s := c * a
	if s < 1e-3 { // series, where the closed forms cancel
		return c * (1 - s*s/3 + s*s*s*s/5), c * c * c * (-2.0/3 + 4*s*s/5)
	}
	g = math.Atan(s) / a
	return g, (c/(1+s*s) - g) / (a * a)
}
