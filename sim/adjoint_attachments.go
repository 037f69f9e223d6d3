package sim

// Attachments of vertices to rigid bodies in the adjoint of a step, one vertex after the other: with the vertex at x,
// its place P on the body, the motion y of the vertex less that of the body at x in the solution,
//
//	t = −y·γ(g, c, w),   g = x − P,   c = v⁺ − v⁺_A(x) − o/h,   o = P_end − P − h v⁰_A(x)         (1)
//	ḡ = −y ∂γ/∂g,   c̄ = y G,   w̄ = −y ∂γ/∂w   (by equation),   ȳ = −γ
//
// o is the bias of constraints/curved.go with P at P_end at the end of the step. The mobility w of an equation along e
// is that of the vertex, whose part addMobilities takes, and φᵀ Λ φ of the body, φ = (x × e, e).

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// addAttachment adds (1) of an attachment whose first term is at a handle, to products and to the bars of its body.
func (l *Linearization) addAttachment(c *constraints.Fixed, first cliques.Handle, y []float64) bool {
	s, p, t := l.s, &l.s.Problem, &l.vertices
	iv := l.firstVelocity(c.Deformable)
	X_WA := s.kin.Pose(c.Body)
	rigid := c.Body != geometry.World
	if rigid {
		l.mobilityOf(c.Body)
	}
	for i, v := range c.Verts {
		h := first + cliques.Handle(i)
		var yc r3.Vec
		for _, b := range p.Blocks(h) {
			off, n := p.NodeOffset[b.Node], p.NodeSize[b.Node]
			for r := range yc {
				yc[r] += dot(b.J[r*n:(r+1)*n], y[off:off+n])
			}
		}
		w, byError, gamma := t.rows[0][:3], t.rows[1][:3], t.rows[2][:3]
		l.gradient.DelassusDiagonal(h, w)
		if !constraints.ImpulseByError(p, h, w, byError) {
			return false
		}
		p.Constraints[h].Law.Eval(p.Velocity(h), gamma, l.local.G[:9])
		var error, end r3.Vec
		for r := range 3 {
			error[r], end[r] = -yc[r]*byError[r], yc[r]*l.local.G[4*r]
		}
		F := r3.Vec(p.Impulse(h))
		x := s.kin.Vertex(c.Deformable, v)
		xBar := error
		if rigid {
			b := &t.faces.bodies[c.Body]
			P := X_WA.Point(c.Pos_B[i])
			// the body's velocities at x, and its point P
			l.addLever(c.Body, x, [3]r3.Vec{atEnd: end, inSolution: F.Neg()}, &xBar)
			offset := end.Scale(-1 / l.h)
			b.endP = b.endP.Add(offset)
			b.endR = b.endR.Add(r3.Outer(offset, c.Pos_B[i]))
			b.addVelocity(atStart, x, offset.Scale(-l.h))
			xBar = xBar.AddScaled(-l.h, offset.Cross(l.angularVelocity(c.Body, atStart)))
			pBar := error.Neg().Sub(offset)
			b.force, b.moment = b.force.Add(pBar), b.moment.Add(P.Cross(pBar))
			l.addBodyMobility(h, x, w, yc, b, &xBar)
		}
		for axis, d := range xBar {
			l.products[iv+3*int(v)+axis] += d
		}
	}
	return true
}

// addBodyMobility adds what the mobility of the body gives, in mobilityOf, to the equations of a term at x.
func (l *Linearization) addBodyMobility(h cliques.Handle, x r3.Vec, w []float64, yc r3.Vec, b *bodyBars, xBar *r3.Vec) {
	p, t := &l.s.Problem, &l.vertices.faces
	law, gamma := p.Constraints[h].Law, l.vertices.rows[2][:3]
	for r := range 3 {
		// w̄ by differences, as addMobilities
		at, bar := w[r], 0.0
		for _, side := range [2]float64{1, -1} {
			w[r] = at * (1 + side*mobilityWidth)
			law.Prepare(l.h, w)
			law.Eval(p.Velocity(h), gamma, l.local.G[:9])
			bar -= side * yc.Dot(r3.Vec(gamma)) / (2 * mobilityWidth * at)
		}
		if w[r] = at; bar == 0 {
			continue
		}
		var e r3.Vec
		e[r] = 1
		arm := x.Cross(e)
		phi := [6]float64{arm[0], arm[1], arm[2], e[0], e[1], e[2]}
		var turned r3.Vec // the angular part of Λ φ
		for i := range 6 {
			for j := range 6 {
				b.mobility[6*i+j] += bar * phi[i] * phi[j]
			}
			if i < 3 {
				turned[i] = dot(t.mobility[6*i:6*i+6], phi[:])
			}
		}
		b.mobile = true
		*xBar = xBar.AddScaled(2*bar, e.Cross(turned))
	}
	law.Prepare(l.h, w)
}
