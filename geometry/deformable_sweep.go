package geometry

// A face of a deformable has one or two contacts with a shape, at centroids of its parts. In
// a fast impact the face may tilt about them, and its corners pass through a thin shape,
// beyond whose middle the distance field pushes them out at the far side. So where a pair
// moves or overlaps by a share of the shape's thickness, the solved paths of the vertices
// are followed through the shape,
//
//	y(t) = (1 − t) y₀ + t y₁    in the frame of the shape, start to end           (1)
//	y_e, n                      where the path enters the shape, and the normal   (2)
//
// and a vertex that goes deeper than the share gets a contact of its own, with the gap
// n·(y₀ − y_e) at rest: its gap at the end is n·(y₁ − y_e), exactly, because vertices move
// linearly. That gap is counted from the linear motion of a rigid body, which differs from (1) by
// distance times rotation: where the vertex would begin deeper than it does by the share, the
// linear model does not describe the step, and the step is to be divided. Its area is the share of the vertex in the
// surface; where the law of contact is so soft that the vertex still goes deeper, further contacts of the same vertex
// have sweepGrowth times the area of the one before, up to mostGrowth.
//
// A vertex that begins deeper than that, in contact too soft for its load, stays where it is: its contact, as stiff as
// that of a core and with the friction of the materials, begins with a gap of 0 where the vertex is. Nothing but the
// faces drives it out, so that a state at rest remains at rest; a contact that began as deep as the vertex threw it
// out, and others back in, step by step.
//
// In a shape with a pressure field the field acts on faces, up to its core (hydroelastic_core.go).
// There a vertex has a contact of the core, whose gap is that of (2) with the depth of the core added.
// A vertex that begins below the core stays where it is, on the side where it is nearer to the
// surface: faces of crushed bodies do not show by their normals from where they came.

import "github.com/curlfree/curlfree/r3"

const (
	// sweptDepth is the depth of a vertex, relative to the thickness of the shape, from
	// which it gets a contact of its own.
	sweptDepth = 0.25
	// sweptNoise is how much deeper a vertex may go in a step that begins deeper than that, relative to that depth:
	// round-off of one at rest.
	sweptNoise = 1e-6
	// sweepGrowth is the ratio of the areas of successive contacts of a vertex.
	sweepGrowth = 10
	// mostGrowth is the largest area of a contact of a vertex, over its share of the surface.
	mostGrowth = 1e12
	// sweepRounds bounds the searches along a path, to the shape and to the limit of depth.
	sweepRounds = 256
)

// sweep is the working memory of SweepVertices.
type sweep struct {
	// of each vertex: the pair in which it was last followed
	followed []int
	pairs    int
	// of each vertex of the pair: lumped area, m², and sum of area vectors of faces whose
	// outward side is known, m²
	area   []float64
	facing []r3.Vec
	// a contact of the call begins deeper than its vertex
	bent bool
	// of the vertices that got contacts in the call
	short Shortage
	// of the geom of the pair; a local variable would escape to the heap
	shape shapeField
}

// limitOf returns the depth of vertices in a geom from which they are stopped, m: of one with a
// pressure field that of its core, pressed in by a little.
func (s *Data) limitOf(geom int32) float64 {
	if s.hasField(int(geom)) {
		return s.coreDepthOf(int(geom)) * (1 + pressedShare/2)
	}
	return sweptDepth * s.geoms[geom].thickness
}

// hasField reports whether a geom has a pressure field of its own.
func (s *Data) hasField(geom int) bool {
	field := s.Model.Geoms[geom].Field
	return field != nil && field.Compliant()
}

// isSwept reports whether vertices of a pair are followed: a geom and a deformable, which may
// come to overlap far.
func (s *Data) isSwept(p *itemPair, deepest float64) bool {
	geoms := int32(len(s.geoms))
	if p.a >= geoms || p.b < geoms {
		return false
	}
	if s.hasField(int(p.a)) {
		deepest *= deepening // the contact of a face is at its mean depth
	}
	return s.limitOf(p.a) < s.approach(p)+deepest
}

// deepestFace returns the depth of the deepest face of a deformable, m.
func deepestFace(contacts []Contact) float64 {
	depth := 0.0
	for i := range contacts {
		if contacts[i].Area > 0 {
			depth = max(depth, -contacts[i].Phi)
		}
	}
	return depth
}

// NeedsSweep reports whether the contacts of the last detection require a call of
// SweepVertices.
func (s *Data) NeedsSweep(contacts []Contact) bool {
	if len(s.deformables) == 0 {
		return false
	}
	deepest := deepestFace(contacts)
	for i := range s.pairs {
		if s.isSwept(&s.pairs[i], deepest) {
			return true
		}
	}
	return false
}

// SweepVertices appends to dst contacts of the vertices of deformables that penetrate
// geoms too deeply within the step (continuous collision detection). motions are those
// of the rigid bodies, end are the vertices of each deformable at the end of the step
// (m), contacts are the contacts of the step so far. linear is false where bodies turn by so much
// that contacts which are linear in velocities say something else than the motion. The shortage is the depth of the
// deepest vertex at its end.
func (s *Data) SweepVertices(motions []RigidMotion, end [][]r3.Vec, contacts, dst []Contact) (found []Contact, short Shortage, linear bool) {
	s.sweep.bent, s.sweep.short = false, Shortage{}
	deepest := deepestFace(contacts)
	for i := range s.pairs {
		p := &s.pairs[i]
		if !s.isSwept(p, deepest) {
			continue
		}
		soft := int(p.b) - len(s.geoms)
		dst = s.sweepPair(p, &s.deformables[soft], motionOf(motions, int(p.bodyA)), end[soft], contacts, dst)
	}
	return dst, s.sweep.short, !s.sweep.bent
}

// sweepPair does so for a geom and a deformable.
func (s *Data) sweepPair(p *itemPair, b *deformableSurface, A *RigidMotion, end []r3.Vec, contacts, dst []Contact) []Contact {
	s.sweep.shape = shapeField{s.geoms[p.a].X_WG, newDistanceQuery(s.Model.Geoms[p.a].Shape)}
	near := b.findNear(&s.sweep.shape, s.boxes[p.a], s.DeformableSpeculativeDistance+s.approach(p))
	// The vertices of the faces near, with their areas.
	w := &s.sweep
	if n := b.spec.NumVerts; len(w.area) < n {
		w.area, w.facing, w.followed = make([]float64, n), make([]r3.Vec, n), make([]int, n)
	}
	for _, tri := range near {
		v, a, c, d := b.corners(tri)
		normal := r3.TriangleNormal(a, c, d).Scale(1.0 / 6)
		share, active := normal.Norm(), b.isActive(tri)
		for _, i := range v {
			w.area[i] += share
			if active { // inverted tetrahedra have no outside
				w.facing[i] = w.facing[i].Add(normal)
			}
		}
	}
	w.pairs++
	found := len(dst)
	core := 0.0
	if s.hasField(int(p.a)) {
		core = s.coreDepthOf(int(p.a))
	}
	path := vertexPath{
		query: newDistanceQuery(s.Model.Geoms[p.a].Shape), limit: s.limitOf(p.a), core: core,
		convex: !isGeneral(s.geoms[p.a].shape), X0: s.poseOf(int(p.a), A, 0), X1: s.poseOf(int(p.a), A, 1),
	}
	for _, tri := range near {
		for k, v := range b.dist.Mesh().Tris[tri] {
			if w.followed[v] == w.pairs {
				continue
			}
			w.followed[v] = w.pairs
			var weights [3]float64
			weights[k] = 1
			// no contact holds a fixed vertex out of what does not yield either
			yields := b.spec.Fixed == nil || !b.spec.Fixed(v) || !s.IsKinematic(int(p.bodyA))
			if yields && path.follow(b.x_W[v], end[v], w.facing[v]) {
				dst = s.appendSwept(p, b, tri, weights, w.area[v], &path, A, contacts, end[v], dst)
			}
			w.area[v], w.facing[v] = 0, r3.Vec{}
		}
	}
	if len(dst) == found && path.core > 0 {
		dst = s.sweepFaces(p, b, near, &path, A, end, contacts, dst)
	}
	return dst
}

// appendSwept appends the contact of the point of a triangle with the given weights, whose path
// goes too deep; area is its share of the surface, m².
func (s *Data) appendSwept(p *itemPair, b *deformableSurface, tri int32, weights [3]float64, area float64, path *vertexPath, A *RigidMotion, contacts []Contact, end_W r3.Vec, dst []Contact) []Contact {
	x := b.feature(tri, weights)
	c := Contact{
		A: MaterialPoint{Body: int(p.bodyA), Pos_W: x.Pos_W}, B: x,
		Materials: [2]int{s.Model.Geoms[p.a].Material, b.spec.Material},
		Pos_W:     x.Pos_W, Normal_W: path.X1.R.MulVec(path.n_G), Area: area,
		Elem: [2]int32{p.a, tri},
	}
	deep := path.core == 0 && path.most > path.limit
	if c.Core = path.core > 0 || deep; c.Core {
		c.Weight = 1
	}
	if path.core > 0 {
		c.Area = 0 // of no friction
	}
	held, growth := false, 1.0
	for i := range contacts {
		if e := &contacts[i]; e.A.Body == c.A.Body && e.Elem[0] == p.a && e.B.Body == x.Body && e.B.Vert == x.Vert && e.B.W == x.W {
			held, growth = held || e.Core, growth*sweepGrowth
		}
	}
	// The core is pressed in by a little where it stops a body.
	if held && path.phi > path.begin-(path.limit-path.core) {
		return dst
	}
	s.sweep.short.add(-path.phi, path.most, c.A.Body, c.B.Body)
	// The law is as stiff as it can be.
	if growth > mostGrowth {
		s.sweep.bent = true
		return dst
	}
	c.Area, c.Weight = c.Area*growth, c.Weight*growth
	travel := end_W.Sub(x.Pos_W).Sub(A.linear(x.Pos_W))
	// A contact that begins deeper than its vertex gives energy that no body gave.
	least := path.begin - sweptDepth*s.geoms[p.a].thickness
	if c.Phi = path.phi - c.Normal_W.Dot(travel); c.Phi < least {
		s.sweep.bent, c.Phi = true, least
	}
	switch {
	case deep:
		c.Phi = max(c.Phi-path.begin, 0)
	case c.Core: // (1) of hydroelastic_core.go
		c.Phi = max(c.Phi+path.core, 0)
	}
	s.sweep.short.add(-path.phi, path.most, c.A.Body, c.B.Body)
	return append(dst, c)
}

// vertexPath follows vertices through a shape.
type vertexPath struct {
	query distanceQuery
	limit float64
	// depth of the core of a shape with a pressure field, else 0, m
	core float64
	// the shape is convex
	convex bool
	// poses of the shape at the start and at the end
	X0, X1 r3.Pose
	// normal where the path enters, and the gap along it at the end, m
	n_G r3.Vec
	phi float64
	// distance at the start where that is negative, else 0, m
	begin float64
	// the depth up to which the vertex may go: the limit, or that of its start, m
	most float64

	// the path (1), its length, and the fraction of it where the search is
	y0, way r3.Vec
	length  float64
	t       float64
}

// follow reports whether the path of a vertex goes deeper than the limit, and sets n_G and
// phi. facing_W points outward at the vertex, zero where that is unknown.
func (w *vertexPath) follow(start_W, end_W, facing_W r3.Vec) bool {
	w.y0 = w.X0.InvPoint(start_W)
	y1 := w.X1.InvPoint(end_W)
	w.way = y1.Sub(w.y0)
	w.length, w.t = w.way.Norm(), 0
	// (2)
	phi, n, ok := w.search(w.limit / 16)
	if !ok {
		return false
	}
	w.begin = 0
	if w.t == 0 {
		w.begin = min(0, phi)
	}
	y := w.y0.AddScaled(w.t, w.way).AddScaled(-phi, n) // on the surface
	w.most = w.limit
	if phi < -w.limit {
		if w.core == 0 && turnsAway(w.X0.R.TMulVec(facing_W.Unit()), n) {
			// It may be beyond the middle and have come from the other side.
			return false
		}
		w.most = -phi // faces drive it out, and the core nothing; it only may not go deeper
		if w.core == 0 {
			w.most += sweptNoise * w.limit
		}
	}
	if w.n_G, w.phi = n, n.Dot(y1.Sub(y)); w.phi > -w.most {
		return false
	}
	// The path may cut off a corner, less deep than its end lies below the surface.
	_, _, ok = w.search(-0.99 * w.most)
	return ok
}

// search continues along the path to the first place where the distance is at most level, m.
// It returns the distance and its gradient there, false if the path has no such place.
//
// The distance changes by at most the length of the way. That of a convex shape is a convex
// function and nowhere less than its tangent, which gives longer steps.
func (w *vertexPath) search(level float64) (phi float64, grad r3.Vec, ok bool) {
	for range sweepRounds {
		phi, grad = w.query.at(w.y0.AddScaled(w.t, w.way))
		if phi <= level {
			return phi, grad, true
		}
		rate := w.length
		if w.convex {
			rate = -grad.Dot(w.way)
		}
		// a little beyond the level, so that tangents reach it
		if w.t += (phi - level + w.limit/64) / rate; !(rate > 0) || w.t >= 1 {
			break
		}
	}
	if w.t < 1 { // moving away, or very slowly towards the level
		return phi, grad, false
	}
	w.t = 1
	phi, grad = w.query.at(w.y0.Add(w.way))
	return phi, grad, phi <= level
}
