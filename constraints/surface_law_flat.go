package constraints

// Flat contact surfaces: faces in one plane, as of a body on a table or between flat pads.
// In axes F of that plane normals are (0, 0, 1) and arms (x, y, 0), so that (1) to
// (7) of surface_law_lanes.go are
//
//	t = (v₀ − ω₂ y, v₁ + ω₂ x),  c = v₂ + ω₀ y − ω₁ x                   (1)
//	K = diag(a I − d t tᵀ, −p'),  d = a/ρ²                              (2)
//
// which take half of the arithmetic. Rotation about the normal moves a face along e = (−y, x),
// so that t = (v₀, v₁) + ω₂ e: sums of a, a e and a eᵀe are both the impulse of friction and
// the first part of its Hessian. The equations of the contact are in the axes F.

import (
	"math"
	"unsafe"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// axes sets the axes F of a contact surface: those of its plane where it is flat, else the
// world's.
func (q *laneFaces) axes(pt *geometry.HydroelasticContact) {
	q.flat, q.R_WF = isFlat(pt), r3.Identity()
	if q.flat {
		q.R_WF.SetBasis(&pt.Surface.Faces[0].Normal_W)
	}
}

// isFlat reports whether faces have one normal and are in one plane, to round-off of
// their coordinates.
func isFlat(pt *geometry.HydroelasticContact) bool {
	if len(pt.Surface.Faces) == 0 {
		return false
	}
	n, o := pt.Surface.Faces[0].Normal_W, pt.Centroid_W
	height := n.Dot(o)
	least := 0x1p-48 * (math.Abs(o[0]) + math.Abs(o[1]) + math.Abs(o[2]))
	for i := range pt.Surface.Faces {
		f := &pt.Surface.Faces[i]
		z := n[0]*f.Pos_W[0] + n[1]*f.Pos_W[1] + n[2]*f.Pos_W[2] - height
		if f.Normal_W != n || math.Abs(z) > least {
			return false
		}
	}
	return true
}

// flatSums are the sums over the faces of a flat contact surface, those of impulses first.
// Generated code depends on their order.
type flatSums struct {
	p, py, px     float64
	a, ax, ay, ar float64 // a, a x, a y, a (x² + y²)

	normalWork, normalCubic, frictionWork float64 // x p, x³ B, μ n0 (ρ − ε): of the cost
	k, ky, kx                             float64 // of k = −p'
	kyy, kxy, kxx                         float64
	d00, d01, d11                         float64 // of d t tᵀ
	dq0, dq1, dqq                         float64 // of d q t and d q², q = e·t
}

const flatImpulseSums = 7

func (f *flatSums) all() []float64 { return (*[22]float64)(unsafe.Pointer(f))[:] }

// addTo adds to s the sums of a contact surface that moves at (w, v).
func (f *flatSums) addTo(s *surfaceSums, w, v r3.Vec) {
	s.cost += 0.5*f.normalWork - (1./6)*f.normalCubic + f.frictionWork
	s.force[0] -= v[0]*f.a - w[2]*f.ay
	s.force[1] -= v[1]*f.a + w[2]*f.ax
	s.force[2] += f.p
	s.moment[0] += f.py
	s.moment[1] -= f.px
	s.moment[2] -= v[1]*f.ax - v[0]*f.ay + w[2]*f.ar

	s.ll[0] += f.a - f.d00 // (2)
	s.ll[1] -= f.d01
	s.ll[3] += f.a - f.d11
	s.ll[5] += f.k
	s.al[2] += f.ky
	s.al[5] -= f.kx
	s.al[6] -= f.ay + f.dq0
	s.al[7] += f.ax - f.dq1
	s.aa[0] += f.kyy
	s.aa[1] -= f.kxy
	s.aa[3] += f.kxx
	s.aa[5] += f.ar - f.dqq
}

// sum adds the faces of a list.
func (f *flatSums) sum(b *faceBlock, w, v r3.Vec, hessian bool) {
	for ; b != nil; b = b.next {
		for k := range blockLanes {
			rx, ry := b.r[0][k], b.r[1][k]
			if x := b.v[k] - (v[2] + w[0]*ry - w[1]*rx); x > 0 { // (1)
				Bx := b.B[k] * x
				y := b.A[k] + Bx
				p := x * y
				f.p += p
				f.py += p * ry
				f.px += p * rx
				if stiff := y + Bx; hessian {
					kx, ky := stiff*rx, stiff*ry
					f.normalWork += p * x
					f.normalCubic += Bx * x * x
					f.k += stiff
					f.ky += ky
					f.kx += kx
					f.kyy += ky * ry
					f.kxy += ky * rx
					f.kxx += kx * rx
				}
			}
			bound, eps := b.bound[k], b.eps[k]
			if bound == 0 {
				continue
			}
			tx, ty := v[0]-w[2]*ry, v[1]+w[2]*rx
			rho := math.Sqrt(eps*eps + tx*tx + ty*ty)
			inv := 1 / rho
			a := inv * bound
			ax, ay := a*rx, a*ry
			f.a += a
			f.ax += ax
			f.ay += ay
			f.ar += ax*rx + ay*ry
			if !hessian {
				continue
			}
			f.frictionWork += (rho - eps) * bound
			d, q := inv*inv*a, rx*ty-ry*tx
			dx, dy, dq := d*tx, d*ty, d*q
			f.d00 += dx * tx
			f.d01 += dx * ty
			f.d11 += dy * ty
			f.dq0 += dq * tx
			f.dq1 += dq * ty
			f.dqq += dq * q
		}
	}
}
