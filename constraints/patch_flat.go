package constraints

// Flat patches: faces in one plane, as of a body on a table or between flat pads.
// In axes F of that plane normals are (0, 0, 1) and arms (x, y, 0), so that (1) to
// (7) of patch_plain.go are
//
//	t = (v₀ − ω₂ y, v₁ + ω₂ x),  c = v₂ + ω₀ y − ω₁ x                   (1)
//	K = diag(a I − (a/ρ²) t tᵀ, −p')                                    (2)
//
// and 19 of the 28 sums, half of the arithmetic, remain. The equations of the patch
// are in F, so that nothing is turned.

import (
	"math"

	"curlfree/geometry"
	"curlfree/r3"
)

// axes sets the axes F of a patch: those of its plane where it is flat, else the
// world's.
func (q *plainFaces) axes(pt *geometry.Patch) {
	q.flat, q.R_WF = isFlat(pt), r3.Identity()
	if q.flat {
		q.R_WF.SetBasis(&pt.Surface.Faces[0].Normal_W)
	}
}

// isFlat reports whether faces have one normal and are in one plane, to round-off of
// their coordinates.
func isFlat(pt *geometry.Patch) bool {
	if len(pt.Surface.Faces) == 0 {
		return false
	}
	n, o := pt.Surface.Faces[0].Normal_W, pt.Center_W
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

// evalFlat is evalPortable for flat patches.
func (s *patchSums) evalFlat(b *faceBlock, w, v r3.Vec) {
	for ; b != nil; b = b.next {
		for k := range blockLanes {
			rx, ry := b.r[0][k], b.r[1][k]
			tx, ty, c := v[0]-w[2]*ry, v[1]+w[2]*rx, v[2]+w[0]*ry-w[1]*rx // (1)

			if x := b.v[k] - c; x > 0 {
				Bx := b.B[k] * x
				y := b.A[k] + Bx
				p, stiff := x*y, y+Bx
				s.cost += x * x * (0.5*b.A[k] + (1./3)*Bx)
				s.force[2] += p
				s.moment[0] += p * ry
				s.moment[1] -= p * rx
				s.ll[5] += stiff
				s.al[2] += stiff * ry
				s.al[5] -= stiff * rx
				s.aa[0] += stiff * ry * ry
				s.aa[1] -= stiff * ry * rx
				s.aa[3] += stiff * rx * rx
			}
			bound, eps := b.bound[k], b.eps[k]
			if bound == 0 {
				continue
			}
			tt := tx*tx + ty*ty
			rho := math.Sqrt(tt + eps*eps)
			inv := 1 / rho
			a := bound * inv
			s.cost += bound * tt / (rho + eps)
			fx, fy := a*tx, a*ty
			s.force[0] -= fx
			s.force[1] -= fy
			s.moment[2] += fx*ry - fy*rx

			d := a * inv * inv // (2)
			kxx, less, kyy := a-d*tx*tx, d*tx*ty, a-d*ty*ty
			gx, gy := less*rx+kxx*ry, less*ry+kyy*rx
			s.ll[0] += kxx
			s.ll[1] -= less
			s.ll[3] += kyy
			s.al[6] -= gx
			s.al[7] += gy
			s.aa[5] += gx*ry + gy*rx
		}
	}
}
