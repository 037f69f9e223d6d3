package sim

// Rigid bodies in the adjoint of a step with deformables: terms give derivatives (bars) by the pose of a body and by
// its velocities at the end and the start of the step and in the solution y, all in world axes about the world's
// origin. Those by coordinates q and v⁰ of the trees, which are few, follow from differences of kinematics alone,
//
//	∂T/∂q_k = X̄·S_k + ∂/∂q_k [V̄⁺·V(q, v⁺) + V̄⁰·V(q, v⁰) + Ȳ·J(q) y + Ē·X_end(q, v⁰) + Λ̄:Λ(q) + …]         (1)
//
// where X_end are the poses at the end of the step that attachments follow (iterate.go), Λ = J A⁻¹ Jᵀ is the mobility
// of the body, and … are predicted motions. The rest of the step is that of rigid bodies, local_derivatives.go.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// bodyBars are the bars of one rigid body.
type bodyBars struct {
	used bool
	// by a rotation and a translation of the body
	moment, force r3.Vec
	// by the velocities of atEnd, atStart and inSolution: angular, and of the point at the origin
	velocity [3][6]float64
	// by rotation matrix and origin at the end of the step
	endR r3.Mat
	endP r3.Vec
	// by Λ, and whether any is
	mobility [36]float64
	mobile   bool
}

// Velocities of bodyBars.
const (
	atEnd = iota
	atStart
	inSolution
)

// resetBars makes the bars of all rigid bodies zero.
func (l *Linearization) resetBars() {
	t := &l.vertices.faces
	n := l.s.Model.Geometry.NumRigid
	for len(t.bodies) < n {
		t.bodies = append(t.bodies, bodyBars{})
	}
	for i := range t.bodies {
		t.bodies[i] = bodyBars{}
	}
}

// addLever adds the bars of velocities of a point at p_W that a body carries the other way, in the order of
// bodyBars.velocity, and those by where the point is to pBar.
func (l *Linearization) addLever(body int, p_W r3.Vec, bars [3]r3.Vec, pBar *r3.Vec) {
	if body == geometry.World {
		return
	}
	b := &l.vertices.faces.bodies[body]
	b.used = true
	for e, u := range bars {
		b.addVelocity(e, p_W, u.Neg())
		// v(p) = v + ω × p
		*pBar = pBar.Sub(u.Cross(l.angularVelocity(body, e)))
	}
}

// addVelocity adds the bar u of the velocity of the point at p_W.
func (b *bodyBars) addVelocity(e int, p_W, u r3.Vec) {
	m := p_W.Cross(u)
	for k := range 3 {
		b.velocity[e][k] += m[k]
		b.velocity[e][3+k] += u[k]
	}
}

// angularVelocity returns the angular velocity of a body, of kind e.
func (l *Linearization) angularVelocity(body, e int) r3.Vec {
	var V [6]float64
	l.bodyVelocity(body, e, &V)
	return r3.Vec(V[:3])
}

// bodyVelocity writes the velocity of a body about the world's origin, of kind e.
func (l *Linearization) bodyVelocity(body, e int, V *[6]float64) {
	rigid, joints := l.s.rigid, l.vertices.faces.zero
	var origin r3.Vec
	switch e {
	case atEnd:
		rigid.RelativeVelocity(geometry.World, body, &origin, l.v, V)
	case atStart:
		rigid.RelativeVelocity(geometry.World, body, &origin, l.moved.V, V)
	default: // without the motion that is prescribed
		var known [6]float64
		rigid.RelativeVelocity(geometry.World, body, &origin, l.cotangent, V)
		rigid.RelativeVelocity(geometry.World, body, &origin, joints, &known)
		for k := range V {
			V[k] -= known[k]
		}
	}
}

// addRigidCoordinates adds (1) to products: the bars of bodies, and those of their predicted motions.
func (l *Linearization) addRigidCoordinates() {
	s, t, nv := l.s, &l.vertices.faces, len(l.place)
	_, joints := s.Model.RigidSize()
	a := &t.contacts
	for i := range a.Force {
		if b := &t.bodies[i]; a.Force[i] != (r3.Vec{}) || a.Moment[i] != (r3.Vec{}) || a.Bound[i] != 0 {
			b.used = true
			b.force, b.moment = b.force.Add(a.Force[i]), b.moment.Add(a.Moment[i])
		}
	}
	clear(l.direction)
	for k := range joints {
		// by the pose
		t.unit[k] = 1
		for i := range t.bodies {
			if b := &t.bodies[i]; b.used {
				var V, known [6]float64
				var origin r3.Vec
				s.rigid.RelativeVelocity(geometry.World, i, &origin, t.unit, &V)
				s.rigid.RelativeVelocity(geometry.World, i, &origin, t.zero, &known)
				for r := range 3 {
					l.products[k] += b.moment[r]*(V[r]-known[r]) + b.force[r]*(V[3+r]-known[3+r])
				}
			}
		}
		t.unit[k] = 0
	}
	for k := range joints {
		for _, entry := range [2]int{k, nv + k} {
			width := poseWidth
			if entry >= nv {
				width /= l.h
			}
			l.direction[entry] = 1
			for _, w := range [2]float64{width, -width} {
				l.moved.copyFrom(&l.x)
				l.moveEntries(&l.moved, l.direction, entry, entry+1, w)
				l.products[entry] += l.weighBodies(entry < nv) / (2 * w)
			}
			l.direction[entry] = 0
		}
	}
	// back to the step itself
	l.moved.copyFrom(&l.x)
	l.placeRigid()
}

// placeRigid places the rigid bodies of the state moved.
func (l *Linearization) placeRigid() {
	s := l.s
	s.placements++
	nq, nv := s.Model.RigidSize()
	s.rigid.Place(l.x.Time, l.h, l.moved.Q[:nq], l.moved.V[:nv], s.Geometry)
}

// weighBodies returns what the bars of bodies give at the state moved: the bracket of (1).
func (l *Linearization) weighBodies(positions bool) (sum float64) {
	s, t := l.s, &l.vertices.faces
	l.placeRigid()
	nq, nv := s.Model.RigidSize()
	end := s.rigid.EndPoses(l.x.endTime(l.h), l.h, l.moved.V[:nv], l.moved.Q[:nq])
	for i := range t.bodies {
		b := &t.bodies[i]
		if !b.used {
			continue
		}
		for e := range b.velocity {
			var V [6]float64
			l.bodyVelocity(i, e, &V)
			sum += dot(V[:], b.velocity[e][:])
		}
		sum += b.endP.Dot(end[i].P) + dot(b.endR[:], end[i].R[:])
		a := &t.contacts
		sum += a.Translation[i].Dot(s.Geometry.PredictedTranslation[i]) + a.Bound[i]*s.Geometry.MotionBound[i]
	}
	if positions {
		sum += l.weighMobilities()
	}
	return sum
}

// weighMobilities returns Λ̄:Λ of all bodies at the present placement.
func (l *Linearization) weighMobilities() (sum float64) {
	t := &l.vertices.faces
	for i := range t.bodies {
		if b := &t.bodies[i]; b.mobile {
			l.mobilityOf(i)
			sum += dot(b.mobility[:], t.mobility[:])
		}
	}
	return sum
}

// mobilityOf writes Λ of a body at the present placement.
func (l *Linearization) mobilityOf(body int) {
	s, t := l.s, &l.vertices.faces
	_, joints := s.Model.RigidSize()
	p := &l.local.problem
	p.Reset(l.x.Time, l.h)
	s.rigid.Data.FreeMotion(s.rigid.gravity, nil, p)
	t.motions = sized(t.motions, 6*joints)
	var origin r3.Vec
	var V, known [6]float64
	s.rigid.RelativeVelocity(geometry.World, body, &origin, t.zero, &known)
	for k := range joints {
		t.unit[k] = 1
		s.rigid.RelativeVelocity(geometry.World, body, &origin, t.unit, &V)
		t.unit[k] = 0
		for r := range 6 {
			t.motions[r*joints+k] = V[r] - known[r]
		}
	}
	t.mobility = [36]float64{}
	for i := range p.Cliques {
		c := &p.Cliques[i]
		n := c.Size
		t.factor = append(t.factor[:0], c.A...)
		if !factorInPlace(t.factor, n) {
			continue
		}
		// rows of L⁻¹ Jᵀ
		t.solved = sized(t.solved, 6*n)
		for r := range 6 {
			copy(t.solved[r*n:(r+1)*n], t.motions[r*joints+c.Offset:])
			solveLower(t.factor, t.solved[r*n:(r+1)*n])
		}
		for r := range 6 {
			for q := range 6 {
				t.mobility[6*r+q] += dot(t.solved[r*n:(r+1)*n], t.solved[q*n:(q+1)*n])
			}
		}
	}
}

// factorInPlace replaces the lower triangle of A (n×n) by its Cholesky factor; false where A is not positive definite.
func factorInPlace(A []float64, n int) bool {
	for i := range n {
		for j := range i + 1 {
			sum := A[i*n+j] - dot(A[i*n:i*n+j], A[j*n:j*n+j])
			switch {
			case i > j:
				A[i*n+j] = sum / A[j*n+j]
			case !(sum > 0):
				return false
			default:
				A[i*n+i] = math.Sqrt(sum)
			}
		}
	}
	return true
}

// solveLower replaces b by L⁻¹ b.
func solveLower(L, b []float64) {
	n := len(b)
	for i := range b {
		b[i] = (b[i] - dot(L[i*n:i*n+i], b[:i])) / L[i*n+i]
	}
}
