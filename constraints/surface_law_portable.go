package constraints

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// evalGo is eval without generated code.
func (q *laneFaces) evalGo(w, v r3.Vec, s *surfaceSums, hessian bool) {
	v = v.Add(q.surfaceVelocity)
	if !q.flat {
		s.evalPortable(q.first, w, v, hessian)
		return
	}
	var f flatSums
	f.sum(q.first, w, v, hessian)
	f.addTo(s, w, v)
}

// evalPortable adds the faces of a list.
func (s *surfaceSums) evalPortable(b *faceBlock, w, v r3.Vec, hessian bool) {
	for ; b != nil; b = b.next {
		for k := range blockLanes {
			rx, ry, rz := b.r[0][k], b.r[1][k], b.r[2][k]
			nx, ny, nz := b.n[0][k], b.n[1][k], b.n[2][k]
			tx := v[0] + w[1]*rz - w[2]*ry // (1)
			ty := v[1] + w[2]*rx - w[0]*rz
			tz := v[2] + w[0]*ry - w[1]*rx
			c := nx*tx + ny*ty + nz*tz

			x, bound := b.v[k]-c, b.bound[k]
			if !(x > 0) {
				if bound == 0 {
					continue
				}
				x = 0
			}
			Bx := b.B[k] * x
			y := b.A[k] + Bx // (2)
			p, stiff := x*y, y+Bx
			if x == 0 {
				stiff = 0 // (3)
			}

			tx, ty, tz = tx-c*nx, ty-c*ny, tz-c*nz
			tt := tx*tx + ty*ty + tz*tz
			eps := b.eps[k]
			rho := math.Sqrt(tt + eps*eps)
			inv := 1 / rho
			a := bound * inv // (4)

			fx, fy, fz := p*nx-a*tx, p*ny-a*ty, p*nz-a*tz // (6)
			s.force[0] += fx
			s.force[1] += fy
			s.force[2] += fz
			s.moment[0] += ry*fz - rz*fy
			s.moment[1] += rz*fx - rx*fz
			s.moment[2] += rx*fy - ry*fx

			if !hessian {
				continue
			}
			s.cost += bound*(rho-eps) + x*x*(0.5*b.A[k]+(1./3)*Bx) // (5)

			d, m := a*inv*inv, stiff-a // (7)
			dx, dy, dz, mx, my, mz := d*tx, d*ty, d*tz, m*nx, m*ny, m*nz
			s.add(a-dx*tx+mx*nx, mx*ny-dx*ty, mx*nz-dx*tz,
				a-dy*ty+my*ny, my*nz-dy*tz, a-dz*tz+mz*nz, rx, ry, rz)
		}
	}
}
