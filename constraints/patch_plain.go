package constraints

// Faces of lagged friction on Hunt–Crossley's law, without grain: the default,
// and what a thousand faces mostly are. In world axes no frame is needed: with u
// the velocity of B seen from A at the face, n its normal,
//
//	c_n = n·u,  t = u − c_n n,  ρ = √(|t|² + ε²),  a = μ n0/ρ
//	ℓ = μ n0 |t|²/(ρ + ε) − P(c_n)                                      (1)
//	f = −a t + p n                                                      (2)
//	K = a (I − t tᵀ/ρ² − n nᵀ) − p' n nᵀ                                (3)
//
// which is contact_lagged.go's (2) to (4) turned into the world.

import (
	"math"

	"curlfree/r3"
)

// plainFace holds one such face by value, side by side with the next.
type plainFace struct {
	n, r, bias_W r3.Vec
	friction     friction
	normal       huntCrossley
	next         *plainFace
}

// isPlain reports whether the faces of a model and pair are of this kind.
func isPlain(m ContactModel, pair *Pair) (Lagged, bool) {
	l, ok := m.(Lagged)
	if !ok || pair.anisotropic() {
		return l, false
	}
	_, ok = normalOr(l.Normal).(HuntCrossley)
	return l, ok
}

// start makes the law of a face at which B moves at u_W at the start of the step
// of h, seen from A.
func (q *plainFace) start(m *Lagged, pair *Pair, h, phi float64, u_W r3.Vec) {
	q.normal.init(h, pair.Stiffness, pair.Dissipation, phi)
	f := &q.friction
	f.vs, f.sigma, f.mu = stictionOr(m.StictionTolerance), m.Sigma, pair.Friction
	cn := q.n.Dot(u_W)
	if m.StaticFriction {
		f.mu = Stribeck(pair.StaticFriction, pair.Friction, u_W.AddScaled(-cn, q.n).Norm()/f.vs)
	}
	f.n0 = q.normal.Lag(cn)
}

// prepare sets ε from the patch's Delassus diagonal w.
func (q *plainFace) prepare(w []float64) {
	if q.friction.sigma == 0 {
		q.friction.eps = q.friction.vs
		return
	}
	q.weigh(w)
	q.friction.eps = q.friction.speed(q.friction.sigma)
}

// weigh takes the mean of w over the plane of the face: half of what the trace has
// beside the normal.
func (q *plainFace) weigh(w []float64) {
	a := q.r.Cross(q.n)
	sum := 0.0
	for k := range 3 {
		sum += (1 - q.n[k]*q.n[k]) * w[3+k]
		sum += (q.r.Norm2() - q.r[k]*q.r[k] - a[k]*a[k]) * w[k]
	}
	q.friction.wt = 0.5 * sum
}

// relag is lagged.relag.
func (q *plainFace) relag(w, v r3.Vec) (change, impulse float64) {
	_, p, _ := q.normal.Eval(q.n.Dot(q.velocity(w, v)))
	change = math.Abs(p - q.friction.n0)
	q.friction.n0 = p
	return change, p
}

// velocity returns that of B seen from A at the face, world axes.
func (q *plainFace) velocity(w, v r3.Vec) r3.Vec { return v.Add(w.Cross(q.r)).Add(q.bias_W) }

// load returns what the face bears.
func (q *plainFace) load(w, v r3.Vec, h float64) FaceLoad {
	u := q.velocity(w, v)
	cn := q.n.Dot(u)
	slip := u.AddScaled(-cn, q.n)
	_, p, _ := q.normal.Eval(cn)
	f := &q.friction
	a := f.mu * f.n0 / math.Sqrt(slip.Norm2()+f.eps*f.eps)
	return FaceLoad{q.n.Scale(p).AddScaled(-a, slip).Scale(1 / h), p / h, slip}
}

// eval adds the faces from q on to the sums and returns their cost.
func (q *plainFace) eval(w, v r3.Vec, force, moment *r3.Vec, sum *patchHessian) (cost float64) {
	for ; q != nil; q = q.next {
		rx, ry, rz := q.r[0], q.r[1], q.r[2]
		nx, ny, nz := q.n[0], q.n[1], q.n[2]
		ux := v[0] + w[1]*rz - w[2]*ry + q.bias_W[0]
		uy := v[1] + w[2]*rx - w[0]*rz + q.bias_W[1]
		uz := v[2] + w[0]*ry - w[1]*rx + q.bias_W[2]
		cn := nx*ux + ny*uy + nz*uz

		p, dp := 0.0, 0.0
		if cn < q.normal.vBreak {
			var P float64
			P, p, dp = q.normal.Eval(cn)
			cost -= P
		}
		bound, eps := q.friction.mu*q.friction.n0, q.friction.eps
		if p == 0 && bound == 0 {
			continue
		}
		tx, ty, tz := ux-cn*nx, uy-cn*ny, uz-cn*nz
		tt := tx*tx + ty*ty + tz*tz
		rho := math.Sqrt(tt + eps*eps)
		a := bound / rho
		cost += bound * tt / (rho + eps) // (1)

		fx, fy, fz := p*nx-a*tx, p*ny-a*ty, p*nz-a*tz // (2)
		force[0] += fx
		force[1] += fy
		force[2] += fz
		moment[0] += ry*fz - rz*fy
		moment[1] += rz*fx - rx*fz
		moment[2] += rx*fy - ry*fx

		s, m := a/(rho*rho), a+dp // (3)
		sum.add(a-s*tx*tx-m*nx*nx, -s*tx*ty-m*nx*ny, -s*tx*tz-m*nx*nz,
			a-s*ty*ty-m*ny*ny, -s*ty*tz-m*ny*nz, a-s*tz*tz-m*nz*nz, rx, ry, rz)
	}
	return cost
}
