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
	n, r, bias_W      r3.Vec
	bound             float64 // μ n0, N s
	eps               float64
	h, hk, d          float64
	vBreak, xBreak, b float64
	next              *plainFace
}

// isPlain reports whether a law is one of these.
func isPlain(law ContactLaw) bool {
	l, ok := law.(*lagged)
	if !ok || l.aniso {
		return false
	}
	_, ok = l.normal.(*huntCrossley)
	return ok
}

// load copies a prepared face.
func (q *plainFace) load(f *patchFace) {
	l := f.law.(*lagged)
	hc := l.normal.(*huntCrossley)
	q.n, q.r, q.bias_W = f.R_WC.Col(2), f.r, f.R_WC.MulVec(f.bias)
	q.bound, q.eps = l.mu*l.n0, l.friction.eps
	q.h, q.hk, q.d = hc.h, hc.h*hc.k, hc.d
	q.vBreak, q.xBreak, q.b = hc.vBreak, hc.xBreak, hc.b
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
		if u := q.vBreak - cn; u > 0 {
			x, b := q.xBreak+q.h*u, q.b+q.d*u
			cost += q.hk * u * (q.xBreak*q.b + u*(0.5*(q.xBreak*q.d+q.b*q.h)+u*q.d*q.h/3))
			p, dp = q.hk*x*b, -q.hk*(q.h*b+q.d*x)
		}
		if p == 0 && q.bound == 0 {
			continue
		}
		tx, ty, tz := ux-cn*nx, uy-cn*ny, uz-cn*nz
		tt := tx*tx + ty*ty + tz*tz
		rho := math.Sqrt(tt + q.eps*q.eps)
		a := q.bound / rho
		cost += q.bound * tt / (rho + q.eps) // (1)

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
