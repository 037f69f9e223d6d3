package geometry

// Pressure fields ahead of contact. The margin of a field describes contact as far as bodies
// approach by less than the margin within a step. Bodies that approach by more are in contact
// at the end of the step where there is nothing at its start, or over a larger surface. Their
// contact surface is therefore found where they will be: at the poses after the fraction s of
// their predicted motion, and linearized about that motion. With u the displacement of a
// point of a body in the whole step, linear in its velocities, a face of the surface at s with
// the gap φ_s, the normal n and the centroid x_s enters the step with
//
//	x = x_s − s t                                                           (1)
//	φ = φ_s − s (u_B(x) − u_A(x))·n                                         (2)
//
// t is the translation of the body that moves, the mean of both where both are free. Then at
// the predicted velocities the law reads the gap and the arms that the face has at s: it
// gives the field's own pressure there, and changes with the field's own stiffness. After
// the solve the surface is found again along the solved motion where that deviates, which is
// Newton's method for the surface at the end of the step.
//
// Shapes that are not convex roll, slide and turn on each other with the same approach as
// bodies that strike. With the surface of the start, normals and arms are those of parts that
// have moved on when the step ends: parts that turn into contact resist, and those that turn
// out of it help less, so that teeth of gears lost 3.3 % of their power a mesh at 1/25 of a tooth a
// step, and threads climbed at each edge of their facets. So s = 1 where they turn by more
// than leastTurn: what is lost is then of second order, 0.3 %.
//
// Else s is the first touch (time_of_impact.go) and the way from there to a depth somewhat larger
// than that at the end, at most that of the core (hydroelastic_core.go). So no field is passed
// over, however fast bodies are.

import (
	"math"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

const (
	// touchShare is the depth, over that of the core, at which the time of impact counts as
	// found.
	touchShare = 0.01
	// generalShare is by how much a face of shapes that are not convex may close within the
	// step, over the depth of the core, without its surface being found ahead, which is done
	// only where they move by half of their thickness, or turn: teeth of gears close by more
	// than their margin.
	generalShare = 0.02
	// leastTurn is the relative rotation of shapes that are not convex in a step (rad) beyond
	// which their surface is found at the end of the motion. Teeth of gears lose about two thirds
	// of the rotation as a share of their power where it is not.
	leastTurn = 2e-4
	// maxSamples bounds the poses along the motion, half of the thinner body apart, at which
	// shapes that are not convex are probed; beyond, their time of impact is searched.
	maxSamples = 32
	// deeperShare is by how much deeper than at the end of the motion the surface is found,
	// over the depth that the motion adds: faces that are found deeper describe what is less
	// deep, not the reverse.
	deeperShare = 0.5
	// deeperTolerance and shallowTolerance are the least and the largest change of the depth,
	// over that at which the surface was found, with which it need not be found again.
	deeperTolerance  = 0.1
	shallowTolerance = 0.75
	// changeTolerance is by how much any point may move otherwise than where the surface was
	// found without it being found again, over the depth of the core.
	changeTolerance = 0.25
	// slideTolerance is how far bodies may move along the surface beyond where it was found
	// without it being found again, over the least extent of the bodies.
	slideTolerance = 0.1
	// maxSteepening bounds the gradient of a face that closes only after the first touch, over
	// that of the field.
	maxSteepening = 4
	// energyTolerance bounds the energy of a linearized surface at the start of the step, over
	// that of the present one: they differ by how faces at different depths are inclined.
	energyTolerance = 1.5
)

// findSurface sets the contact surface of the pair for the present placement and motion. A
// surface that was found along another motion of the same placement stays where the bodies
// do not touch along this one, which it may have stopped.
func (s *hydroelasticFinder) findSurface(worker int, p *hydroelasticPair) {
	d := (*Data)(s)
	ga, gb := &s.Model.Geoms[p.a], &s.Model.Geoms[p.b]
	if p.fresh {
		X_WA, X_WB := s.geoms[p.a].X_WG, s.geoms[p.b].X_WG
		if p.end.known && p.end.at == [2]r3.Pose{X_WA, X_WB} {
			p.present, p.end = p.end, p.present // the last step ended here
		}
		d.findPlaced(worker, p, X_WA, X_WB, &p.present)
		p.deepest, p.place.at, p.Surface = 0, 0, p.present.ContactSurface
		p.Middle, p.late, p.Touch = false, false, 0
		for i := range p.present.Faces {
			p.deepest = max(p.deepest, p.present.Faces[i].Depth)
		}
	}
	p.margin, p.moved = marginOf(ga)+marginOf(gb), false
	p.sought = [2]LinearMotion{*d.motionOf(p.A), *d.motionOf(p.B)}
	if !d.isAhead(p) {
		return
	}
	place, ok := d.findAhead(worker, p)
	if !ok {
		return
	}
	for i := range p.trial.Faces {
		place.depth = max(place.depth, p.trial.Faces[i].Depth)
	}
	p.moved, p.place, p.Middle, p.Touch = true, place, d.Middle, place.touch
	p.ahead, p.trial = p.trial, p.ahead
	d.linearize(p)
	p.Surface = p.ahead
}

// isAhead reports whether the contact surface of a pair is found ahead.
func (s *Data) isAhead(p *hydroelasticPair) bool {
	return s.Middle && s.turns(p) || p.approach > p.margin && s.approaches(p)
}

// approaches reports whether the present contact surface, within its margin, does not
// describe the contact at the end of the step: there is none, some face closes by more than
// the margin, the bodies move by so much that parts without a face might pass the field, or
// shapes that are not convex turn.
func (s *Data) approaches(p *hydroelasticPair) bool {
	faces, core := p.present.Faces, s.coreDepth(p.a, p.b)
	most := p.margin
	switch general := s.isGeneralPair(p.a, p.b); {
	case general:
		if p.approach < min(s.geoms[p.a].thickness, s.geoms[p.b].thickness)/2 {
			return s.turns(p)
		}
		most = max(most, generalShare*core)
	case p.approach > core:
		return true
	}
	if len(faces) == 0 {
		return true
	}
	for i := range faces {
		if s.closing(p, &faces[i], 0) > most {
			return true
		}
	}
	return false
}

// turns reports whether the bodies turn relative to each other by so much that the surface
// of their end has other normals than the present one.
func (s *Data) turns(p *hydroelasticPair) bool {
	a, b := s.motionOf(p.A).Rotation, s.motionOf(p.B).Rotation
	return a.Sub(b).Norm() > leastTurn
}

// closing returns by how much the motion of the bodies closes a face in the step, m, whose place is that after the
// fraction at of their translation.
func (s *Data) closing(p *hydroelasticPair, f *hydroelastic.Face, at float64) float64 {
	oA, oB := s.originAfter(p.A, at), s.originAfter(p.B, at)
	uA, uB := s.motionOf(p.A).at(&f.Pos_W, &oA), s.motionOf(p.B).at(&f.Pos_W, &oB)
	uA.IncScale(-1, &uB)
	return uA.DotOf(&f.Normal_W)
}

// predictedPlace is where a contact surface is found ahead of the bodies.
type predictedPlace struct {
	// motions of A and B
	motion [2]LinearMotion
	// fractions of them after which the bodies touch, and after which the surface is found
	touch, at float64
	// displacement of A relative to B beyond that, m
	beyond r3.Vec
	// depth of the bodies there, m
	depth float64
}

// findAhead sets p.trial to the contact surface ahead of the bodies and returns where it was
// found. It is false where the bodies do not touch within the step.
func (s *Data) findAhead(worker int, p *hydroelasticPair) (place predictedPlace, ok bool) {
	place.motion, place.at = p.sought, 1
	core, samples := s.coreDepth(p.a, p.b), 1
	general := s.isGeneralPair(p.a, p.b)
	if general {
		samples = int(min(maxSamples+1, math.Ceil(2*p.approach/min(s.geoms[p.a].thickness, s.geoms[p.b].thickness))))
	}
	switch {
	case samples > maxSamples || !general && p.approach > core/2:
		if !s.placeAhead(worker, p, core, &place) {
			return place, false
		}
	case s.Middle && samples == 1 && !p.late:
		place.at = 0.5
		if s.queryAt(worker, p, &place); p.trial.Area > 0 {
			return place, true
		}
		place.at, p.late = 1, true // they touch after the middle
	case samples > 1:
		// The first place in contact before the end.
		for k := 1; k < samples; k++ {
			place.at = float64(k) / float64(samples)
			if s.queryAt(worker, p, &place); p.trial.Area > 0 {
				return place, true
			}
		}
		place.at = 1
	}
	s.queryAt(worker, p, &place)
	return place, len(p.trial.Faces) > 0
}

// queryAt sets p.trial to the contact surface at a place.
func (s *Data) queryAt(worker int, p *hydroelasticPair, place *predictedPlace) {
	X_WA, X_WB := s.poseAfter(p.a, place.at), s.poseAfter(p.b, place.at)
	wA, wB := s.shares(p)
	X_WA.P.IncScale(wA, &place.beyond)
	X_WB.P.IncScale(-wB, &place.beyond)
	s.queries[worker].Contact(s.Model.Geoms[p.a].Field, s.Model.Geoms[p.b].Field, X_WA, X_WB, &p.trial)
}

// isGeneralPair reports whether a geom of a pair is not convex.
func (s *Data) isGeneralPair(a, b int) bool {
	return isGeneral(s.geoms[a].shape) || isGeneral(s.geoms[b].shape)
}

// placeAhead sets the fractions of a place to the time of impact and the way from there to a
// depth somewhat larger than at the end, at most that of the core.
func (s *Data) placeAhead(worker int, p *hydroelasticPair, core float64, place *predictedPlace) bool {
	A, B := s.rigidMotion(p.A), s.rigidMotion(p.B)
	t, n_W, ok := s.TimeOfImpact(worker, p.a, p.b, &A, &B, touchShare*core)
	if !ok {
		return false
	}
	// How deep the bodies are at the end along the normal of the first touch.
	X_WA, X_WB := s.poseOf(p.a, &A, t), s.poseOf(p.b, &B, t)
	phi, x_A, x_B := s.separationAlong(p.a, p.b, &X_WA, &X_WB, n_W)
	f := hydroelastic.Face{Pos_W: x_A, Normal_W: n_W}
	// The foremost point of a large plate is a corner, far from the contact.
	if s.geoms[p.b].radius < s.geoms[p.a].radius {
		f.Pos_W = x_B
	}
	closing := s.closing(p, &f, 0)
	end := closing*(1-t) - phi
	place.touch = t
	// Bodies in contact that hardly approach stay near their depth: much deeper, their sides
	// would be part of the surface.
	extra := p.margin
	if p.deepest > 0 {
		extra = min(extra, p.deepest)
	}
	place.depth = min(core, max(end, 0)+deeperShare*max(end-max(-phi, 0), 0)+extra)
	if end <= place.depth {
		// beyond the end of the motion along the normal
		place.beyond = n_W.Scale(min(place.depth-end, place.depth))
		return true
	}
	place.at = t
	if ahead := place.depth + phi; ahead > 0 {
		place.at += ahead / closing
	}
	return true
}

// shares returns the shares of the bodies in a relative displacement: a kinematic body has
// none, free bodies have one half each.
func (s *Data) shares(p *hydroelasticPair) (wA, wB float64) {
	switch {
	case s.IsKinematic(p.A):
		return 0, 1
	case s.IsKinematic(p.B):
		return 1, 0
	}
	return 0.5, 0.5
}

// rowsAt returns the fraction of the step at whose end rows of surfaces that are found ahead are taken.
func (s *Data) rowsAt() float64 {
	if s.Middle {
		return 0.5
	}
	return 0
}

// linearize carries the faces of p.ahead back to where rows of the step are taken, (1), and their gaps to its start,
// (2).
func (s *Data) linearize(p *hydroelasticPair) {
	tA, tB := &s.motionOf(p.A).Translation, &s.motionOf(p.B).Translation
	wA, wB := s.shares(p)
	l, to := &p.place, s.rowsAt()
	back := tA.Scale(wA*(l.at-to)).AddScaled(wB*(l.at-to), *tB).AddScaled(wA*wA-wB*wB, l.beyond)
	for i := range p.ahead.Faces {
		f := &p.ahead.Faces[i]
		f.Pos_W.IncScale(-1, &back) // (1)
		at := f.Pressure
		closing := s.closing(p, f, to)
		closed := l.at*closing + l.beyond.DotOf(&f.Normal_W)
		// No face is in contact before the bodies touch.
		if since := closed - l.touch*closing; p.deepest <= 0 && since > 0 && f.Phi < -since {
			f.PressureGradient, f.Phi = min(f.Pressure/since, maxSteepening*f.PressureGradient), -since
		}
		f.SetGap(f.Phi + closed) // (2)
		at -= f.Pressure
		for k := f.Lo; k < f.Hi; k++ {
			p.ahead.Verts_W[k].IncScale(-1, &back)
			p.ahead.Pressures[k] -= at
		}
	}
	p.boundEnergy()
	p.ahead.Sum()
}

// boundEnergy bounds the energy that the linearized surface has at the start of the step,
// Σ S p²/(2 g), by that of the present one. A step adds no more kinetic energy than that.
func (p *hydroelasticPair) boundEnergy() {
	most, energy := energyTolerance*storedEnergy(p.present.Faces), storedEnergy(p.ahead.Faces)
	if energy <= most {
		return
	}
	share := math.Sqrt(most / energy)
	for i := range p.ahead.Faces {
		if f := &p.ahead.Faces[i]; f.Phi < 0 {
			f.SetGap(share * f.Phi)
		}
	}
}

// storedEnergy returns the energy of faces in contact, J.
func storedEnergy(faces []hydroelastic.Face) float64 {
	energy := 0.0
	for i := range faces {
		if f := &faces[i]; f.Pressure > 0 {
			energy += f.Area * f.Pressure * -f.Phi / 2
		}
	}
	return energy
}

// deviates reports whether the motion of the bodies has changed so much since the contact
// surface was found that it has to be found again: faces are deeper than they were found at,
// by far less deep, or moved along the surface.
func (s *Data) deviates(p *hydroelasticPair) bool {
	now := [2]*LinearMotion{s.motionOf(p.A), s.motionOf(p.B)}
	change := 0.0
	for i, geom := range [2]int{p.a, p.b} {
		change += now[i].Translation.Sub(p.sought[i].Translation).Norm() + now[i].Rotation.Sub(p.sought[i].Rotation).Norm()*s.geoms[geom].radius
	}
	if change <= p.margin/2 {
		return false
	}
	l := &p.place
	if l.at == 0 {
		return s.isAhead(p)
	}
	// Other parts of the bodies may meet.
	if change > changeTolerance*s.coreDepth(p.a, p.b) {
		return true
	}
	along := p.margin + slideTolerance*min(s.geoms[p.a].thickness, s.geoms[p.b].thickness)
	oA, oB := s.originAfter(p.A, s.rowsAt()), s.originAfter(p.B, s.rowsAt())
	// displacement of A relative to B, and that at which the surface was found
	u, before := relativeMotion(now[0], now[1], &oA, &oB), relativeMotion(&l.motion[0], &l.motion[1], &oA, &oB)
	// and beyond that
	beyond := LinearMotion{
		u.Translation.AddScaled(-l.at, before.Translation).Sub(l.beyond), u.Rotation.AddScaled(-l.at, before.Rotation),
	}
	for i := range p.ahead.Faces {
		f := &p.ahead.Faces[i]
		d := beyond.at(&f.Pos_W, &oA)
		deeper := d.DotOf(&f.Normal_W)
		if deeper <= deeperTolerance*l.depth && deeper >= -shallowTolerance*l.depth-p.margin && d.DotOf(&d)-deeper*deeper <= along*along {
			continue
		}
		if d = u.at(&f.Pos_W, &oA); d.DotOf(&f.Normal_W) >= min(0, f.Phi) { // else the face opens
			return true
		}
	}
	return false
}
