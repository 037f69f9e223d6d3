package geometry

// Relinearization. Contacts are linear in velocities: a contact predicts the gap φ +
// n·(d_B − d_A), with d the linear displacement of the bodies at its point. Bodies that
// turn move on arcs, and roll on to points of their surface that no contact has. So
// after the solve the separation of each pair at the end of the step is compared with
// the prediction of its contacts, along normals n that separate the pair at the start,
//
//	s₁(n) ≥ min(0, predicted) − tolerance  for one such n                      (1)
//
// s₁ never exceeds the true distance, and a normal that separates the pair at both ends
// shows that neither passed through the other. The normals are those of the contacts, of
// the closest points at the end, and of the time of impact. Where (1) fails for all of
// them the pair gets another contact, between the points that are foremost along the best
// normal at the end. Its lever arms are the mean ones (rigid_motion.go), with which its
// gap is exact at the solved velocities, and, against a kinematic body, at rest: as it
// demands nothing that bodies at rest do not meet, it adds no energy. Contacts are only
// added, so that the repetition ends.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// relinearizeTol is the tolerance of (1) relative to the thickness of the thinner shape.
const relinearizeTol = 0.005

// deepestPromise is the depth at the end, over the same thickness, that an added contact permits
// at most.
const deepestPromise = 0.1

// pressedShare is how far cores of bodies with pressure fields may be pressed in at the start
// of the step along a normal that counts, over their depth.
const pressedShare = 0.05

// ArcRadius returns a length ρ of a body: when it turns by a small angle θ, its gaps differ
// from linear ones by up to about ½ θ² ρ, m. It covers arcs of points and rolling.
func (s *Data) ArcRadius(body int) float64 {
	rho := 0.0
	for i := range s.geoms {
		if s.Model.Geoms[i].Body == body {
			rho = max(rho, s.geoms[i].radius+s.geoms[i].rolling)
		}
	}
	return rho
}

// LeastTolerance returns the error of gaps below which a pair is not linearized again, m.
func (s *Data) LeastTolerance() float64 {
	least := math.Inf(1)
	for i := range s.geoms {
		least = min(least, s.geoms[i].thickness)
	}
	return relinearizeTol * least
}

// Shortage is the largest length by which bodies come closer than contacts say, over what is permitted.
type Shortage struct {
	// Length is by how much they come closer, m.
	Length float64
	// Ratio is that over the length that is permitted; 0: none comes closer.
	Ratio float64
	// Bodies are A and B.
	Bodies [2]int
}

// add takes the larger one.
func (s *Shortage) add(length, permitted float64, a, b int) {
	if ratio := length / permitted; ratio > s.Ratio {
		*s = Shortage{length, ratio, [2]int{a, b}}
	}
}

// Relinearize appends to dst contacts of the pairs of geoms whose separation at the end of
// the motions is less than their linear contacts predict. These are the contacts of
// Collide or Redetect and those that earlier calls appended; motions are those of the
// rigid bodies. gaps are those that the contacts predict, m; nil: they follow from the motions and rows of the start.
func (s *Data) Relinearize(motions []RigidMotion, contacts []Contact, gaps []float64, dst []Contact) (found []Contact, short Shortage) {
	detected := len(contacts) - len(dst)
	added := contacts[detected:]
	for i := range s.pairs {
		p := &s.pairs[i]
		a, b := int(p.a), int(p.b)
		if max(a, b) >= len(s.geoms) {
			continue // deformables move linearly
		}
		q := movingPair{s: s, a: a, b: b, A: motionOf(motions, int(p.bodyA)), B: motionOf(motions, int(p.bodyB))}
		q.gaps, q.first, q.firstAdded = gaps, int(p.first), detected
		ga, gb := &s.geoms[a], &s.geoms[b]
		q.tol = relinearizeTol * min(ga.thickness, gb.thickness)
		if q.A.beyondLinear(ga.radius, ga.rolling)+q.B.beyondLinear(gb.radius, gb.rolling) <= q.tol {
			continue
		}
		if p.surface >= 0 {
			// Where fields act only their core is stopped at points.
			if q.core = s.coreDepth(a, b); !s.reachesCore(p, q.core) {
				continue
			}
		}
		if p.surface < 0 && p.count == 0 && q.approach() < s.searches[i].leastGap(ga.shape, gb.shape) {
			continue // the bodies are farther apart than they approach
		}
		if c, ok := q.relinearize(contacts[p.first:p.first+p.count], added); ok {
			dst = append(dst, c)
			short.add(q.promised-q.phi, q.tol, c.A.Body, c.B.Body)
		}
	}
	return dst, short
}

// motionOf returns the motion of a body; the world rests.
func motionOf(motions []RigidMotion, body int) *RigidMotion {
	if body == World {
		return &resting
	}
	return &motions[body]
}

// movingPair is a pair of geoms in the step.
type movingPair struct {
	s    *Data
	a, b int
	A, B *RigidMotion
	// gaps of all contacts, nil: by their rows of the start; its first contact of the detection, and the first added
	// one
	gaps              []float64
	first, firstAdded int
	// tolerance of (1), m
	tol float64
	// depth of the core of a pair in hydroelastic contact, which gaps are measured from, m
	core float64
	// poses of the geoms at the start and at the end
	start, end [2]r3.Pose
	// gap at the end that its contacts permit, m
	promised float64
	// least separation at the start of a normal that counts, m
	floor float64
	// largest separation at the end, with its normal and foremost points
	phi      float64
	n_W      r3.Vec
	x_A, x_B r3.Vec
}

// approach bounds how far the geoms approach each other within the step, m.
func (q *movingPair) approach() float64 {
	a, b := &q.s.geoms[q.a], &q.s.geoms[q.b]
	dA, dB := q.A.X1.P.Sub(q.A.X0.P), q.B.X1.P.Sub(q.B.X0.P)
	return dA.Sub(dB).Norm() + q.A.turn()*a.radius + q.B.turn()*b.radius
}

// relinearize returns the contact that the pair lacks, false if it lacks none. detected are its
// contacts of the detection, added those of earlier calls, of all pairs.
func (q *movingPair) relinearize(detected, added []Contact) (c Contact, lacks bool) {
	s := q.s
	q.start = [2]r3.Pose{s.poseOf(q.a, q.A, 0), s.poseOf(q.b, q.B, 0)}
	q.end = [2]r3.Pose{s.poseOf(q.a, q.A, 1), s.poseOf(q.b, q.B, 1)}
	// What the contacts predict, and the least separation at the start along their normals.
	promised, overlap := 0.0, 0.0
	for i := range detected {
		promised, overlap = min(promised, q.promise(q.first+i, &detected[i])), min(overlap, detected[i].Phi)
	}
	for i := range added {
		if c := &added[i]; q.owns(c) {
			// An added contact may start far below 0, as its points need not face each other
			// then. A law with dissipation does not always open it in time, which permits nothing.
			promised = min(promised, max(q.promise(q.firstAdded+i, c), -deepestPromise/relinearizeTol*q.tol))
			// For the same reason it says something about the separation at the start down to the thickness of
			// the thinner shape only: along a normal in which that shape was deeper it lies beyond the other.
			overlap = min(overlap, max(c.Phi, -q.tol/relinearizeTol))
		}
	}
	// The core may be pressed in without a contact that says so.
	q.promised, q.floor, q.phi = promised, min(overlap-q.tol, -pressedShare*q.core), math.Inf(-1)
	least := promised - q.tol
	// (1) along the normals of contacts, of the end and of the impact.
	for i := range detected {
		if q.try(detected[i].Normal_W) >= least {
			return c0, false
		}
	}
	for i := range added {
		if c := &added[i]; q.owns(c) && q.try(c.Normal_W) >= least {
			return c0, false
		}
	}
	// Shapes that are not convex: those without contacts cannot meet in the step, and those
	// whose hulls overlap at the start, such as gears in mesh, have no normal that counts.
	if s.isGeneralPair(q.a, q.b) && math.IsInf(q.phi, -1) {
		return c0, false
	}
	_, n_W, found := s.gap(0, q.a, q.b, &q.end[0], &q.end[1], math.Inf(1), true)
	if found && q.try(n_W) >= least {
		return c0, false
	}
	_, n_W, found = s.TimeOfImpact(0, q.a, q.b, q.A, q.B, q.tol)
	if !found || q.try(n_W) >= least || math.IsInf(q.phi, -1) {
		return c0, false
	}
	return q.contact(), true
}

// promise returns the gap of contact i of all at the end of the linear motion, m.
func (q *movingPair) promise(i int, c *Contact) float64 {
	if q.gaps != nil {
		return q.gaps[i]
	}
	return c.Phi + c.Normal_W.Dot(q.B.linear(c.Pos_W).Sub(q.A.linear(c.Pos_W)))
}

// c0 is no contact.
var c0 Contact

// owns reports whether a contact is one of the pair.
func (q *movingPair) owns(c *Contact) bool {
	return c.A.N == 0 && c.B.N == 0 && c.Elem == [2]int32{int32(q.a), int32(q.b)}
}

// try keeps a normal if it separates the pair at the start, and the best such normal at
// the end. It returns the largest separation at the end so far, m.
func (q *movingPair) try(n_W r3.Vec) float64 {
	if phi, _, _ := q.s.separationAlong(q.a, q.b, &q.start[0], &q.start[1], n_W); phi+q.core < q.floor {
		return q.phi
	}
	phi, x_A, x_B := q.s.separationAlong(q.a, q.b, &q.end[0], &q.end[1], n_W)
	if phi += q.core; phi > q.phi {
		q.phi, q.n_W, q.x_A, q.x_B = phi, n_W, x_A, x_B
	}
	return q.phi
}

// contact returns the contact of the foremost points at the end along the best normal.
func (q *movingPair) contact() Contact {
	s, n := q.s, q.n_W
	ga, gb := &s.Model.Geoms[q.a], &s.Model.Geoms[q.b]
	fixedA, fixedB := s.IsKinematic(ga.Body), s.IsKinematic(gb.Body)
	// Both points lie on one normal: the foremost point of the smaller body counts.
	if fixedA || !fixedB && s.geoms[q.b].radius <= s.geoms[q.a].radius {
		q.x_A = q.x_B.AddScaled(q.core-q.phi, n)
	} else {
		q.x_B = q.x_A.AddScaled(q.phi-q.core, n)
	}
	// Mean lever arms of the two points.
	x_A, x_B := q.A.start(q.x_A), q.B.start(q.x_B)
	p_A, p_B := q.A.lever(x_A), q.B.lever(x_B)
	c := Contact{Normal_W: n, Materials: [2]int{ga.Material, gb.Material}, Elem: [2]int32{int32(q.a), int32(q.b)}, Core: q.core > 0}
	c.A.Body, c.B.Body = ga.Body, gb.Body
	switch {
	case fixedA && !fixedB:
		c.Pos_W = p_B
	case fixedB && !fixedA:
		c.Pos_W = p_A
	default:
		c.Pos_W = p_A.Lerp(p_B, 0.5)
	}
	// The gap that the linear model needs to be exact at the solved velocities. It adds
	// no energy unless it is less than what there is at the start.
	phi := q.phi - n.Dot(q.B.linear(c.Pos_W).Sub(q.A.linear(c.Pos_W)))
	c.Phi = max(phi, min(0, n.Dot(x_B.Sub(x_A))+q.core))
	c.A.Pos_W, c.B.Pos_W = c.Pos_W.AddScaled(-c.Phi/2, n), c.Pos_W.AddScaled(c.Phi/2, n)
	return c
}
