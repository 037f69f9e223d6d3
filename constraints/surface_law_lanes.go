package constraints

// Faces of the default contact law: lagged isotropic friction with Hunt–Crossley's normal
// law, evaluated eight at a time. In world axes faces need no frame of their own: with u the
// velocity of B's surface relative to that of A at the face and n its normal,
//
//	u = v + ω × r,  c = n·u,  t = u − c n                               (1)
//	x = (v̂ − c)₊,  y = A + B x                                          (2)
//	p = x y,  −p' = y + B x if x > 0, else 0                            (3)
//	ρ = √(|t|² + ε²),  a = μ n0/ρ                                       (4)
//	ℓ = μ n0 (ρ − ε) + x² (A/2 + B x/3)                                 (5)
//	f = −a t + p n                                                      (6)
//	K = a (I − t tᵀ/ρ² − n nᵀ) − p' n nᵀ                                (7)
//
// (4) to (7) are (2) to (4) of contact_lagged.go in world axes; (2), (3) are those of
// normal_huntcrossley.go, where one of x̂ and b̂ always is zero, so that A = h k (x̂ d + b̂ h),
// B = h² k d. v includes the surface velocity; v̂ subtracts its normal component. Vectors are
// in axes F of the contact surface.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// blockLanes is the number of faces of a block.
const blockLanes = 8

// faceBlock has blockLanes faces, component by component, for vector registers of eight or
// four numbers. Generated code depends on its layout. Lanes without a face have no force.
type faceBlock struct {
	n, r  [3][blockLanes]float64
	A, B  [blockLanes]float64 // kg, kg s/m
	v     [blockLanes]float64 // v̂, m/s
	bound [blockLanes]float64 // μ n0, N s
	eps   [blockLanes]float64 // ε, m/s
	next  *faceBlock

	faces int
	index [blockLanes]int32   // of the face in its contact
	_     [2]float64          // to whole cache lines
	mu    [blockLanes]float64 // μ
	n0    [blockLanes]float64 // N s

	least               [blockLanes]float64 // ε by the velocity at the start, of friction_sliding.go, m/s
	lastBound, residual [blockLanes]float64 // n0 and r of normal_bound.go at the update before, N s
}

// laneFaces are the faces of one contact surface. Those that can have friction come first, as
// the others are mostly open gaps in whole blocks.
type laneFaces struct {
	first           *faceBlock
	faces           int
	flat            bool        // normals are (0, 0, 1) and arms (x, y, 0)
	R_WF            r3.Mat      // the axes
	surfaceVelocity r3.Vec      // velocity of B's surface along its body relative to that of A's
	w               [6]float64  // Delassus diagonal
	sigma           float64     // σ
	updates         int         // of the bounds n0 in this step
	scratch         laneScratch // of generated code
}

// isLaneLaw reports whether the faces of a model and pair follow the default contact law.
func isLaneLaw(m ContactModel, pair *Pair) (Lagged, bool) {
	l, ok := m.(Lagged)
	if !ok || pair.anisotropic() {
		return l, false
	}
	_, ok = orHuntCrossley(l.Normal).(HuntCrossley)
	return l, ok
}

// blockList is a list of blocks that faces are appended to.
type blockList struct{ first, last *faceBlock }

// open returns the block with room for one more face.
func (l *blockList) open(p *cliques.Problem) *faceBlock {
	if l.last == nil || l.last.faces == blockLanes {
		l.grow(p)
	}
	return l.last
}

// grow adds a block.
func (l *blockList) grow(p *cliques.Problem) {
	b := cliques.New[faceBlock](p)
	for i := range b.eps {
		b.eps[i] = 1 // no face: 0/1
	}
	if l.last == nil {
		l.first = b
	} else {
		l.last.next = b
	}
	l.last = b
}

// appendFaces makes the faces of a contact whose bodies have the motions start before the solve, with
// the surface velocity run in them, all in axes F. Vectors are written as scalars, which stay in
// registers.
func (q *laneFaces) appendFaces(m *Lagged, pt *geometry.HydroelasticContact, pair *Pair, start *surfaceMotions, run r3.Vec, p *cliques.Problem) {
	w, v := start.slip.w, start.slip.v
	q.faces, q.surfaceVelocity, q.sigma = len(pt.Surface.Faces), run, m.Sigma
	vs, sliding := tolerances(m.StictionTolerance, m.SlidingTolerance)
	h, d, R := p.H, pair.Dissipation, &q.R_WF
	sticks := m.StaticFriction && pair.StaticFriction > pair.Friction
	var rubbing, others blockList
	for i := range pt.Surface.Faces {
		face := &pt.Surface.Faces[i]
		nx, ny, nz := face.Normal_W[0], face.Normal_W[1], face.Normal_W[2]
		rx, ry, rz := face.Pos_W[0]-pt.Centroid_W[0], face.Pos_W[1]-pt.Centroid_W[1], face.Pos_W[2]-pt.Centroid_W[2]
		if q.flat {
			rx, ry, rz = R[0]*rx+R[3]*ry+R[6]*rz, R[1]*rx+R[4]*ry+R[7]*rz, 0
			nx, ny, nz = 0, 0, 1
		}
		tx, ty, tz := v[0]+w[1]*rz-w[2]*ry, v[1]+w[2]*rx-w[0]*rz, v[2]+w[0]*ry-w[1]*rx // (1)
		c, along := nx*tx+ny*ty+nz*tz, nx*run[0]+ny*run[1]+nz*run[2]
		mu := pair.Friction
		tx, ty, tz = tx-c*nx, ty-c*ny, tz-c*nz
		slip2, vn := tx*tx+ty*ty+tz*tz, c-along
		eps := viscousSlip(vs, sliding, math.Sqrt(slip2+vn*vn))
		if sticks {
			mu = Stribeck(pair.StaticFriction, mu, math.Sqrt(slip2)/sliding)
		}
		hk := h * face.Area * face.PressureGradient
		vBreak, xBreak, b := breakOff(h, d, face.Phi)
		if p.Midpoint {
			w, v := start.lagged.w, start.lagged.v
			vn = nx*(v[0]+w[1]*rz-w[2]*ry) + ny*(v[1]+w[2]*rx-w[0]*rz) + nz*(v[2]+w[0]*ry-w[1]*rx) - along
		}
		n0 := 0.0 // huntCrossley.Lag
		if slow := 1 - d*vn; face.Phi < 0 && slow > 0 {
			n0 = hk * -face.Phi * slow
		}

		list := &others
		if mu*n0 > 0 {
			list = &rubbing
		}
		f := list.open(p)
		k := f.faces % blockLanes
		f.faces++
		f.n[0][k], f.n[1][k], f.n[2][k] = nx, ny, nz
		f.r[0][k], f.r[1][k], f.r[2][k] = rx, ry, rz
		f.A[k], f.B[k], f.v[k] = hk*(xBreak*d+b*h), hk*h*d, vBreak+along
		f.mu[k], f.n0[k], f.bound[k], f.eps[k], f.index[k] = mu, n0, mu*n0, eps, int32(i)
		f.least[k] = eps
	}
	q.first = rubbing.first
	if q.first == nil {
		q.first = others.first
	} else {
		rubbing.last.next = others.first
	}
}

// prepare stores the Delassus diagonal and sets ε where it depends on it.
func (q *laneFaces) prepare(w []float64) {
	copy(q.w[:], w)
	if q.sigma > 0 {
		q.setEpsilon(q.sigma)
	}
}

// setEpsilon sets ε for a σ and returns whether one exceeds that of the model.
func (q *laneFaces) setEpsilon(sigma float64) (above bool) {
	for b := q.first; b != nil; b = b.next {
		for k := range b.faces {
			eps := b.least[k]
			if sigma > 0 {
				rest := b.bound[k] * b.tangentialDelassus(k, &q.w)
				eps = math.Max(b.least[k], sigma*rest)
				above = above || eps > math.Max(b.least[k], q.sigma*rest)
			}
			b.eps[k] = eps
		}
	}
	return above
}

// capSlope caps (2) of continuation.go; faces act in parallel and share the cap.
func (q *laneFaces) capSlope(ratio float64) bool {
	return q.setEpsilon(math.Max(q.sigma, float64(q.faces)/ratio))
}

// tangentialDelassus returns the mean of w over the plane of a face: half of the trace without
// the normal component.
func (b *faceBlock) tangentialDelassus(k int, w *[6]float64) float64 {
	n, r := b.normal(k), b.arm(k)
	a, rr, sum := r.Cross(n), r.Norm2(), 0.0
	for i := range 3 {
		sum += (1-n[i]*n[i])*w[3+i] + (rr-r[i]*r[i]-a[i]*a[i])*w[i]
	}
	return 0.5 * sum
}

func (b *faceBlock) normal(k int) r3.Vec { return r3.Vec{b.n[0][k], b.n[1][k], b.n[2][k]} }
func (b *faceBlock) arm(k int) r3.Vec    { return r3.Vec{b.r[0][k], b.r[1][k], b.r[2][k]} }

// tractionAt returns t and p of a face where surfaces move at (w, v).
func (b *faceBlock) tractionAt(k int, w, v *r3.Vec) (tx, ty, tz, p float64) {
	nx, ny, nz, rx, ry, rz := b.n[0][k], b.n[1][k], b.n[2][k], b.r[0][k], b.r[1][k], b.r[2][k]
	tx, ty, tz = v[0]+w[1]*rz-w[2]*ry, v[1]+w[2]*rx-w[0]*rz, v[2]+w[0]*ry-w[1]*rx // (1)
	c := nx*tx + ny*ty + nz*tz
	if x := b.v[k] - c; x > 0 {
		p = x * (b.A[k] + b.B[k]*x) // (2), (3)
	}
	return tx - c*nx, ty - c*ny, tz - c*nz, p
}

// normalWork returns the work against p of the faces where bodies move at (w, v), J.
func (q *laneFaces) normalWork(w, v r3.Vec) (work float64) {
	run := q.surfaceVelocity
	for b := q.first; b != nil; b = b.next {
		for k := range b.faces {
			nx, ny, nz, rx, ry, rz := b.n[0][k], b.n[1][k], b.n[2][k], b.r[0][k], b.r[1][k], b.r[2][k]
			c := nx*(v[0]+w[1]*rz-w[2]*ry) + ny*(v[1]+w[2]*rx-w[0]*rz) + nz*(v[2]+w[0]*ry-w[1]*rx)
			if x := b.v[k] - c - (nx*run[0] + ny*run[1] + nz*run[2]); x > 0 {
				work -= x * (b.A[k] + b.B[k]*x) * c
			}
		}
	}
	return work
}

// loads appends the loads of the faces in the order of the contact.
func (q *laneFaces) loads(w, v r3.Vec, h float64, dst []FaceLoad) []FaceLoad {
	v = v.Add(q.surfaceVelocity)
	at, R := len(dst), &q.R_WF
	dst = slices.Grow(dst, q.faces)[:at+q.faces]
	for b := q.first; b != nil; b = b.next {
		for k := range b.faces {
			tx, ty, tz, p := b.tractionAt(k, &w, &v)
			a := b.bound[k] / (h * math.Sqrt(tx*tx+ty*ty+tz*tz+b.eps[k]*b.eps[k])) // (4)
			p /= h
			fx, fy, fz := p*b.n[0][k]-a*tx, p*b.n[1][k]-a*ty, p*b.n[2][k]-a*tz // (6)
			l := &dst[at+int(b.index[k])]
			l.Normal = p
			for i := range 3 {
				x, y, z := R[3*i], R[3*i+1], R[3*i+2]
				l.Force_W[i] = x*fx + y*fy + z*fz
				l.Slip_W[i] = x*tx + y*ty + z*tz
			}
		}
	}
	return dst
}
