package constraints

// The law of a contact surface: a hydroelastic contact of many faces between two rigid
// bodies. All faces depend on one relative velocity of the bodies, so that the contact is one
// term of six equations. With V = (ω, v) the angular velocity of B relative to A and the
// velocity at the centre C, face i at r_i from C with axes R_i has
//
//	vc_i = R_iᵀ (v + ω × r_i) + b_i = R_iᵀ Φ_i V + b_i,  Φ_i = (−[r_i], I)   (1)
//	ℓ(V) = Σ ℓ_i(vc_i)                                                      (2)
//	γ    = Σ Φ_iᵀ R_i γ_i = Σ (r_i × f_i, f_i),  f_i = R_i γ_i              (3)
//	G    = Σ Φ_iᵀ R_i G_i R_iᵀ Φ_i                                          (4)
//
// with b_i the surface velocity. Any contact law serves its faces, and the solver has six
// equations whatever the number of faces. Under the midpoint rule faces that are found ahead have the mean force of the
// step, others that of its end. Source of the faces: Elandt et al., "A pressure field model for fast, robust
// approximation of net contact force and moment between nominally rigid objects", 2019; (1) to (4) are this program's.

import (
	"math"
	"unsafe"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// surfaceLaw is the law of a contact surface; its faces are a list in the problem's memory.
type surfaceLaw struct {
	faces *surfaceFace
	lanes laneFaces // instead, for the default contact law
}

// surfaceFace is a face under any contact law.
type surfaceFace struct {
	law  ContactLaw
	r    r3.Vec // from the centre C, world axes, m
	R_WC r3.Mat
	bias r3.Vec // b_i
	next *surfaceFace

	// Scratch, in memory of the problem's because laws take slices.
	w, vc, gamma r3.Vec
	G            r3.Mat
}

// AppendHydroelasticContact adds a hydroelastic contact as one term of six equations, moments
// about pt.Center_W (N m s) first, in axes of the world or of the contact's plane. pair is that
// of ContactMaterials.HydroelasticPair; stiffness and gap are those of each face.
func AppendHydroelasticContact(m ContactModel, pt *geometry.HydroelasticContact, pair *Pair, k Kinematics, p *cliques.Problem) cliques.Handle {
	l := cliques.New[surfaceLaw](p)
	h := p.AddConstraint(l)
	sides := cliques.New[materialPoints](p)
	sides[0] = geometry.MaterialPoint{Body: pt.A, Pos_W: pt.Centroid_W}
	sides[1] = geometry.MaterialPoint{Body: pt.B, Pos_W: pt.Centroid_W}
	pair.EndForce, pair.EndShare = !(pt.Middle && p.Midpoint), nil
	lag, plain := isLaneLaw(m, pair)
	plain = plain && pair.EndForce
	if !pair.EndForce {
		pair.EndShare = surfaceEndShare(pt, k, p)
	}
	R_WF := r3.Identity()
	if plain {
		l.lanes.axes(pt)
		R_WF = l.lanes.R_WF
	}
	for i := range 3 {
		relativeAngularRow(k, p, i, pt.A, pt.B, R_WF.Col(i))
		relativePointRow(k, p, 3+i, &sides[0], &sides[1], R_WF.Col(i))
	}
	start := cliques.Scratch[surfaceMotions](p)
	start.read(p, h)
	run := R_WF.TMulVec(SurfaceVelocity(pair, k, pt.A, pt.B))

	if plain {
		start.slip.v, start.lagged.v = start.slip.v.Add(run), start.lagged.v.Add(run)
		l.lanes.appendFaces(&lag, pt, pair, start, run, p)
	} else {
		l.appendGeneralFaces(m, pt, pair, start, run, k, p)
	}
	return h
}

// SurfaceContact returns the contact that a contact surface is as a whole, without materials: at its centroid, along
// the mean normal of its faces and with the least of their gaps, and their stiffness (N/m). It is false where the
// normals cancel.
func SurfaceContact(pt *geometry.HydroelasticContact) (c geometry.Contact, stiffness float64, ok bool) {
	var normal r3.Vec
	gap := math.Inf(1)
	for i := range pt.Surface.Faces {
		f := &pt.Surface.Faces[i]
		stiffness += f.Area * f.PressureGradient
		normal = normal.AddScaled(f.Area, f.Normal_W)
		gap = math.Min(gap, f.Phi)
	}
	length := normal.Norm()
	if length == 0 {
		return c, stiffness, false
	}
	c = geometry.Contact{Phi: gap, Normal_W: normal.Scale(1 / length), Pos_W: pt.Centroid_W, Materials: pt.Materials}
	c.A, c.B = geometry.MaterialPoint{Body: pt.A, Pos_W: c.Pos_W}, geometry.MaterialPoint{Body: pt.B, Pos_W: c.Pos_W}
	return c, stiffness, true
}

// surfaceEndShare returns η of the mean force of the faces of a contact surface, in memory of the problem; nil where
// they have one each.
func surfaceEndShare(pt *geometry.HydroelasticContact, k Kinematics, p *cliques.Problem) *float64 {
	c, stiffness, ok := SurfaceContact(pt)
	if !ok {
		return nil
	}
	whole := cliques.Scratch[geometry.Contact](p)
	*whole = c
	share := cliques.New[float64](p)
	*share = EndShare(p.H, stiffness, ContactInverseMass(whole, k))
	return share
}

// appendGeneralFaces adds the faces under any contact law.
func (l *surfaceLaw) appendGeneralFaces(m ContactModel, pt *geometry.HydroelasticContact, pair *Pair, start *surfaceMotions, run r3.Vec, k Kinematics, p *cliques.Problem) {
	c := cliques.New[geometry.Contact](p)
	c.A.Body, c.B.Body, c.Materials = pt.A, pt.B, pt.Materials
	last := &l.faces
	for i := range pt.Surface.Faces {
		face := &pt.Surface.Faces[i]
		c.Pos_W, c.A.Pos_W, c.B.Pos_W = face.Pos_W, face.Pos_W, face.Pos_W
		c.Normal_W, c.Phi = face.Normal_W, face.Phi
		pair.Stiffness = face.Area * face.PressureGradient

		f := cliques.New[surfaceFace](p)
		f.law = m.Law(c, pair, k, p)
		f.r = face.Pos_W.Sub(pt.Centroid_W)
		f.R_WC = ContactFrame(c)
		f.bias = f.R_WC.TMulVec(run)
		f.bias[2] = 0
		f.law.Start(pair, StartVelocities{f.velocity(start.lagged.w, start.lagged.v), f.velocity(start.slip.w, start.slip.v)})
		*last, last = f, &f.next
	}
}

// surfaceMotions are motions of B relative to A that are known before the solve, see StartVelocities.
type surfaceMotions struct{ lagged, slip surfaceMotion }

// surfaceMotion is an angular velocity (rad/s) and the velocity at the centre (m/s).
type surfaceMotion struct{ w, v r3.Vec }

// read sets the motions of a contact surface.
func (s *surfaceMotions) read(p *cliques.Problem, h cliques.Handle) {
	var V [2][6]float64
	p.LaggedVelocities(h, V[0][:])
	if V[1] = V[0]; p.Midpoint {
		p.SlipVelocities(h, V[1][:])
	}
	for i, m := range [2]*surfaceMotion{&s.lagged, &s.slip} {
		m.w, m.v = r3.Vec(V[i][:3]), r3.Vec(V[i][3:])
	}
}

// SurfaceVelocity returns the velocity of the surface of B along its body relative to that of
// A, world axes, m/s, and the slip of the pair.
func SurfaceVelocity(pair *Pair, k Kinematics, a, b int) (u_W r3.Vec) {
	u_W = pair.Slip_W
	for i, body := range [2]int{a, b} {
		if u_B := pair.Sides[i].SurfaceVelocity_B; u_B != (r3.Vec{}) {
			u_W = u_W.AddScaled(float64(2*i-1), k.Pose(body).R.MulVec(u_B))
		}
	}
	return u_W
}

// velocity returns (1).
func (f *surfaceFace) velocity(w, v r3.Vec) r3.Vec {
	return f.R_WC.TMulVec(v.Add(w.Cross(f.r))).Add(f.bias)
}

// Dim implements cliques.Law.
func (l *surfaceLaw) Dim() int { return 6 }

// Prepare implements cliques.Law. The Delassus diagonal of a face follows from that of the
// contact.
func (l *surfaceLaw) Prepare(h float64, w []float64) {
	for f := l.faces; f != nil; f = f.next {
		for i := range 3 {
			e := f.R_WC.Col(i)
			a := f.r.Cross(e)
			f.w[i] = 0
			for j := range 3 {
				f.w[i] += a[j]*a[j]*w[j] + e[j]*e[j]*w[3+j]
			}
		}
		f.law.Prepare(h, f.w[:])
	}
	l.lanes.prepare(w)
}

// Eval implements cliques.Law.
func (l *surfaceLaw) Eval(vc, gamma, G []float64) float64 {
	var s surfaceSums
	l.sum(vc, &s, true)
	s.writeImpulse(gamma)
	s.writeHessian(G)
	return s.cost
}

// EvalImpulse implements convex.GradientOnly.
func (l *surfaceLaw) EvalImpulse(vc, gamma []float64) {
	var s surfaceSums
	l.sum(vc, &s, false)
	s.writeImpulse(gamma)
}

// sum adds the faces to the sums; without hessian only to those of the impulse.
func (l *surfaceLaw) sum(vc []float64, s *surfaceSums, hessian bool) {
	w, v := r3.Vec(vc[:3]), r3.Vec(vc[3:6])
	if l.lanes.first != nil {
		l.lanes.eval(w, v, s, hessian)
		return
	}
	for f := l.faces; f != nil; f = f.next {
		f.vc = f.velocity(w, v)
		s.cost += f.law.Eval(f.vc[:], f.gamma[:], f.G[:]) // (2)
		if f.gamma != (r3.Vec{}) {
			f_W := f.R_WC.MulVec(f.gamma)
			s.force, s.moment = s.force.Add(f_W), s.moment.Add(f.r.Cross(f_W)) // (3)
		}
		if hessian && f.G != (r3.Mat{}) {
			s.addTurned(&f.R_WC, &f.G, f.r)
		}
	}
}

// surfaceSums are (2), (3) and the blocks of (4) of the angular (a) and linear (l) rows; of
// symmetric blocks the entries 00, 01, 02, 11, 12, 22. Generated code depends on their order.
type surfaceSums struct {
	force, moment r3.Vec
	cost          float64
	ll            [6]float64
	al            [9]float64
	aa            [6]float64
}

const impulseSums = 6 // force and moment

func (p *surfaceSums) all() []float64 { return (*[maxSums]float64)(unsafe.Pointer(p))[:] }

// addTurned adds one face with K = R G Rᵀ.
func (p *surfaceSums) addTurned(R, G *r3.Mat, r r3.Vec) {
	var T r3.Mat // R G
	for i := 0; i < 9; i += 3 {
		a, b, c := R[i], R[i+1], R[i+2]
		T[i], T[i+1], T[i+2] = a*G[0]+b*G[1]+c*G[2], a*G[1]+b*G[4]+c*G[5], a*G[2]+b*G[5]+c*G[8]
	}
	k00 := T[0]*R[0] + T[1]*R[1] + T[2]*R[2]
	k01 := T[0]*R[3] + T[1]*R[4] + T[2]*R[5]
	k02 := T[0]*R[6] + T[1]*R[7] + T[2]*R[8]
	k11 := T[3]*R[3] + T[4]*R[4] + T[5]*R[5]
	k12 := T[3]*R[6] + T[4]*R[7] + T[5]*R[8]
	k22 := T[6]*R[6] + T[7]*R[7] + T[8]*R[8]
	p.add(k00, k01, k02, k11, k12, k22, r[0], r[1], r[2])
}

// add adds one face at r = (x, y, z) with K = (k): ll = K, al = [r] K, aa = [r] K [r]ᵀ. It is
// written in scalars because contact surfaces have up to thousands of faces.
func (p *surfaceSums) add(k00, k01, k02, k11, k12, k22, x, y, z float64) {
	a00, a01, a02 := y*k02-z*k01, y*k12-z*k11, y*k22-z*k12
	a10, a11, a12 := z*k00-x*k02, z*k01-x*k12, z*k02-x*k22
	a20, a21, a22 := x*k01-y*k00, x*k11-y*k01, x*k12-y*k02

	p.ll[0] += k00
	p.ll[1] += k01
	p.ll[2] += k02
	p.ll[3] += k11
	p.ll[4] += k12
	p.ll[5] += k22
	p.al[0] += a00
	p.al[1] += a01
	p.al[2] += a02
	p.al[3] += a10
	p.al[4] += a11
	p.al[5] += a12
	p.al[6] += a20
	p.al[7] += a21
	p.al[8] += a22
	p.aa[0] += y*a02 - z*a01
	p.aa[1] += z*a00 - x*a02
	p.aa[2] += x*a01 - y*a00
	p.aa[3] += z*a10 - x*a12
	p.aa[4] += x*a11 - y*a10
	p.aa[5] += x*a21 - y*a20
}

func (p *surfaceSums) writeImpulse(gamma []float64) {
	copy(gamma, p.moment[:])
	copy(gamma[3:], p.force[:])
}

// writeHessian writes the 6×6 matrix.
func (p *surfaceSums) writeHessian(G []float64) {
	a, b, c := &p.aa, &p.al, &p.ll
	*(*[36]float64)(G) = [36]float64{
		a[0], a[1], a[2], b[0], b[1], b[2],
		a[1], a[3], a[4], b[3], b[4], b[5],
		a[2], a[4], a[5], b[6], b[7], b[8],
		b[0], b[3], b[6], c[0], c[1], c[2],
		b[1], b[4], b[7], c[1], c[3], c[4],
		b[2], b[5], b[8], c[2], c[4], c[5],
	}
}

// FaceLoad is the load of one face of a hydroelastic contact in a step.
type FaceLoad struct {
	Force_W r3.Vec  // force on B at the centroid of the face, N
	Normal  float64 // normal component of the force, N
	Slip_W  r3.Vec  // tangential velocity of B relative to A at the end of the step, m/s
}

// HydroelasticLoads appends to dst, after the solve, the load of each face of the contact with
// handle h, in the order of its faces.
func HydroelasticLoads(p *cliques.Problem, h cliques.Handle, dst []FaceLoad) []FaceLoad {
	l := p.Constraints[h].Law.(*surfaceLaw)
	V := p.Velocity(h)
	w, v := r3.Vec(V[:3]), r3.Vec(V[3:6])
	for f := l.faces; f != nil; f = f.next {
		f.vc = f.velocity(w, v)
		f.law.Eval(f.vc[:], f.gamma[:], f.G[:])
		f_W := f.R_WC.MulVec(f.gamma).Scale(1 / p.H)
		slip := f.R_WC.MulVec(r3.Vec{f.vc[0], f.vc[1], 0})
		dst = append(dst, FaceLoad{f_W, f.gamma[2] / p.H, slip})
	}
	return l.lanes.loads(w, v, p.H, dst)
}

// HydroelasticWork returns, after the solve, the work that bodies did on the contact with handle h against
// the normal forces of its faces, J, and the part of the work of all its forces on the change of velocities that bodies
// lose at once (LostWork), at the solution y (n).
func HydroelasticWork(p *cliques.Problem, h cliques.Handle, y []float64) (work, lost float64) {
	l := p.Constraints[h].Law.(*surfaceLaw)
	V := p.Velocity(h)
	w, v := r3.Vec(V[:3]), r3.Vec(V[3:6])
	for f := l.faces; f != nil; f = f.next {
		f.vc = f.velocity(w, v)
		f.law.Eval(f.vc[:], f.gamma[:], f.G[:])
		work -= f.gamma[2] * f.vc[2]
	}
	return work + l.lanes.normalWork(w, v), LostWork(p, h, y)
}

// LostWork returns, after the solve, ½ γ·(c − c⁰) of a constraint with velocities c⁰ at the start of the step, J:
// bodies lose as much of the work γ·c on them at once, as an impulse does the work γ·(c⁰ + c)/2. Under the midpoint
// rule, where the change of velocities is (w − v0)/θ, it is (1 − 1/(2 θ)) γ·J (w − v0), by the θ of each body, with the
// solution w (n); numerical damping of the change is not in it. It is 0 where that is negative, as of friction against
// which a weight speeds up: then it is what the weight lost, and no gain of the constraint.
func LostWork(p *cliques.Problem, h cliques.Handle, w []float64) (lost float64) {
	if p.Midpoint {
		gamma := p.Impulse(h)
		for _, b := range p.Blocks(h) {
			n, off := p.NodeSize[b.Node], p.NodeOffset[b.Node]
			share := 1 - 0.5/p.Theta[b.Node]
			for r, y := range gamma {
				for j, x := range b.J[r*n : (r+1)*n] {
					lost += share * y * x * (w[off+j] - p.V0[off+j])
				}
			}
		}
		return max(0, lost)
	}
	v := p.Velocity(h)
	for r, y := range p.Impulse(h) {
		if y != 0 {
			lost += 0.5 * y * (v[r] - p.StartVelocity(h, r))
		}
	}
	return max(0, lost)
}
