package sim

// A body becomes a link of package rigid. Its joint frames F (on the parent P) and M (on
// the body B) follow from the poses at zero position, at which they coincide:
//
//	X_BM = (1, p_BM),  X_PF = X_WP⁻¹ X_WB X_BM                                      (1)
//
// Mass, centre c and inertia I about it follow from the shapes i of density ρ_i, volume
// V_i, centre c_i and inertia I_i about it (parallel axis theorem):
//
//	m = Σ m_i,  m_i = ρ_i V_i,  m c = Σ m_i c_i                                     (2)
//	I = Σ R_i I_i R_iᵀ + m_i (|d_i|² 1 − d_i d_iᵀ),  d_i = c_i − c                  (3)
//
// Links are numbered in the order in which bodies are added, but parents come before
// their children. Geoms follow the same order.
//
// (2) and (3) count the volume that shapes share twice: a body of shapes that reach into each
// other needs a mass and an inertia of its own.

import (
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// DefaultDensity is the density of shapes and deformables without one of their own, kg/m³.
const DefaultDensity = 1000

// BodySpec describes a rigid body. Without a joint it is free to move, unless it is
// Fixed or a BodyMotion moves it.
type BodySpec struct {
	// Pose is X_WB, the pose of the body with all joints at zero position; the zero value
	// is the identity.
	Pose r3.Pose
	// Fixed bodies never move. They have no joint.
	Fixed bool
	// Joint is the joint to the body's parent; nil: none.
	Joint *JointSpec

	// Velocity is the velocity of the origin of a free body at the start, in world axes, m/s.
	Velocity r3.Vec
	// AngularVelocity is the angular velocity of a free body at the start, in world axes,
	// rad/s.
	AngularVelocity r3.Vec

	// Shapes are the shapes for contact, whose densities give the body its mass.
	Shapes []ShapeSpec

	// Mass is the mass, kg, to which the inertia of the shapes is scaled; 0: by the
	// densities of the shapes. A body without shapes is a point mass, unless Inertia is
	// given.
	Mass float64
	// Com_B is the centre of mass in the body's frame, m; nil: that of the shapes.
	Com_B *r3.Vec
	// Inertia is the rotational inertia about the centre of mass, in the body's axes,
	// kg m²; nil: that of the shapes.
	Inertia *r3.Mat
	// Inertial are mass, centre of mass and inertia given together, in place of Mass,
	// Com_B, Inertia and the densities of shapes; nil: not given.
	Inertial *geometry.MassProperties

	// WeightCompensation is the share of the weight that is carried: gravity acts on (1 − c) of the mass.
	WeightCompensation float64

	// NoContact are the names of bodies, rigid or deformable, that this body has no contact
	// with.
	NoContact []string
}

// bodyItem is a body that was added.
type bodyItem struct {
	name string
	spec BodySpec
	// in the copy of a Build: whether its turn has come, and its number; −1: a fault was found in it
	done bool
	link int
}

// AddBody adds a rigid body. Its parent, if it has one, may be added later.
func (b *Builder) AddBody(name string, spec BodySpec) {
	if !b.add("body", name) {
		return
	}
	// copies: list and joint belong to the caller, who may use them for other bodies
	spec.Shapes = slices.Clone(spec.Shapes)
	if spec.Joint != nil {
		joint := *spec.Joint
		spec.Joint = &joint
	}
	item := &bodyItem{name: name, spec: spec}
	b.bodies = append(b.bodies, item)
	b.bodyOf[name] = item
	b.shapes = append(b.shapes, &shapeItem{body: item})
}

// AddShape adds a shape to a body, or to the world. It does not contribute to the
// mass of the body, which follows from BodySpec.Shapes.
func (b *Builder) AddShape(body string, spec ShapeSpec) {
	b.revision++
	item := &shapeItem{on: body, spec: spec}
	b.shapes, b.shapesOn[body] = append(b.shapes, item), append(b.shapesOn[body], item)
}

// links makes the links and geoms, each body after its parent.
func (a *assembly) links() {
	a.checkMotions()
	// bodies and shapes in the order of the calls; parents of a body come before it
	for _, s := range a.shapes {
		switch {
		case s.body != nil:
			a.visit(s.body, nil)
		case s.on == worldName:
			a.geom(worldName, geometry.World, &s.spec)
		case a.bodyOf[s.on] == nil:
			a.fail("body", s.on, "a shape is on it: %w", &UnknownError{"body", s.on, a.bodyNames()})
		default:
			body := a.bodyOf[s.on]
			if a.visit(body, nil); body.link >= 0 {
				a.geom(body.name, body.link, &s.spec)
			}
		}
	}
}

// bodyNames returns the names of all rigid bodies, for suggestions.
func (a *assembly) bodyNames() []string {
	names := make([]string, len(a.bodies))
	for i, body := range a.bodies {
		names[i] = body.name
	}
	return names
}

// visit adds a body to the trees, its parents first. path are the bodies that wait for
// this one, each a child of the next.
func (a *assembly) visit(body *bodyItem, path []*bodyItem) {
	if body.done {
		return
	}
	// a body that waits for itself
	if slices.Contains(path, body) {
		var names []string
		for _, p := range append(path, body) {
			names = append(names, p.name)
		}
		a.fail("body", body.name, "its joints make a loop of %s: close loops with constraints", strings.Join(names, ", "))
		body.done = true
		return
	}
	// the parent, then the body, unless a loop was found above
	if j := body.spec.Joint; j != nil && a.bodyOf[j.Parent] != nil {
		a.visit(a.bodyOf[j.Parent], append(path, body))
	}
	if !body.done {
		body.done = true
		a.body(body)
	}
}

// body adds a link with its joint, mass and shapes.
func (a *assembly) body(body *bodyItem) {
	s := &body.spec
	if slices.ContainsFunc(s.Shapes, func(g ShapeSpec) bool { return g.Shape == nil }) {
		return // reported by makeShape
	}
	// joint and mass
	X_WB := s.Pose.OrIdentity()
	spec := rigid.LinkSpec{Name: body.name, Parent: rigid.World, X_PF: X_WB, X_BM: r3.PoseIdentity()}
	start := jointStart{item: body}
	if !a.hold(body, X_WB, &spec, &start) {
		return
	}
	if _, set := a.X_W0[body.name]; !set { // joint sets it for bodies on joints
		a.X_W0[body.name] = X_WB
	}
	if !s.Fixed && !a.inertia(body, a.motionOf(body.name) != nil, &spec) {
		return
	}
	// free bodies have their pose in the state, others in the joint's frames
	if _, free := spec.Joint.(rigid.Floating); free && s.Joint == nil {
		// in free motion the centre of mass has a straight path
		spec.X_PF, spec.X_BM.P = r3.PoseIdentity(), spec.Com_B
		start.q, start.v = freeStart(X_WB, spec.Com_B, s)
	} else if s.Velocity != (r3.Vec{}) || s.AngularVelocity != (r3.Vec{}) {
		a.fail("body", body.name, "velocity and angular velocity are for free bodies: give the velocity of the joint instead")
	}
	// the link, its name, and its shapes, in the order (bodies, shapes) of the calls
	link, err := a.trees.Add(spec)
	if err != nil {
		a.fail("body", body.name, "%w", err)
		return
	}
	body.link = link
	a.m.Names.Bodies[body.name] = link
	a.starts = append(a.starts, start)
	for i := range s.Shapes {
		a.geom(body.name, link, &s.Shapes[i])
	}
}

// hold sets the joint of a link: its own, or one to the world that is fixed, free or
// moved by a drive. It is false when it cannot.
func (a *assembly) hold(body *bodyItem, X_WB r3.Pose, spec *rigid.LinkSpec, start *jointStart) bool {
	s, motion := &body.spec, a.motionOf(body.name)
	switch {
	case s.Fixed && s.Joint != nil:
		a.fail("body", body.name, "a fixed body has no joint: leave out one of the two")
		return false
	case motion != nil && (s.Fixed || s.Joint != nil && !rootJoint(s.Joint)):
		a.fail("body", body.name, "the motion %q moves it, so it is neither fixed nor on a joint: leave out one of the two", motion.name)
		return false
	case s.Joint != nil:
		if !a.joint(body, X_WB, spec, start) {
			return false
		}
	case s.Fixed:
		spec.Joint = rigid.Weld{}
	default:
		spec.Joint = rigid.Floating{}
	}
	// a motion takes the place of a joint to the world, in the same frames
	if motion != nil {
		spec.Joint = motion.joint()
	}
	return true
}

// freeStart returns position and velocity of a free joint: quaternion and centre of mass, angular
// velocity and velocity of the centre of mass.
func freeStart(X_WB r3.Pose, com_B r3.Vec, s *BodySpec) (q, v []float64) {
	r, p, lever := X_WB.R.Quat(), X_WB.P, r3.Vec{}
	if com_B != (r3.Vec{}) {
		p, lever = X_WB.Point(com_B), X_WB.R.MulVec(com_B)
	}
	velocity := s.Velocity.Add(s.AngularVelocity.Cross(lever))
	q = []float64{r[0], r[1], r[2], r[3], p[0], p[1], p[2]}
	return q, slices.Concat(s.AngularVelocity[:], velocity[:])
}

// inertia sets mass, centre and inertia of a link, by (2) and (3) or as given; false when
// it cannot. moved bodies follow a prescribed motion.
func (a *assembly) inertia(body *bodyItem, moved bool, spec *rigid.LinkSpec) bool {
	s := &body.spec
	total, err := massOf(s)
	switch {
	case err != nil:
		a.fail("body", body.name, "%w", err)
		return false
	case s.Mass < 0:
		a.fail("body", body.name, "its mass is %g kg: it must be positive", s.Mass)
		return false
	}
	// what is given in place of the shapes' values
	spec.Mass, spec.Com_B, spec.Inertia_B, spec.WeightCompensation = total.Mass, total.Com, total.Inertia, s.WeightCompensation
	if s.Com_B != nil {
		spec.Com_B = *s.Com_B
	}
	if s.Inertia != nil {
		spec.Inertia_B = *s.Inertia
	}
	// forces move a body by its mass; prescribed motions need none
	if spec.Mass == 0 && !moved && s.Inertial == nil {
		a.fail("body", body.name, "it has no mass: give a mass (kg) or shapes, or let it be fixed")
		return false
	}
	return true
}

// massOf returns mass, centre and inertia of a body's shapes, in the body's frame, scaled
// to a given mass.
func massOf(s *BodySpec) (total geometry.MassProperties, err error) {
	if s.Inertial != nil {
		return *s.Inertial, nil
	}
	// sum over the shapes, in the body's frame
	solid := slices.ContainsFunc(s.Shapes, func(g ShapeSpec) bool { return !g.Visual && !g.endless() })
	for i := range s.Shapes {
		g := &s.Shapes[i]
		if g.endless() || g.Visual && solid {
			continue // a shape without contact has mass only where a body has no other
		}
		density := g.Density
		if density == 0 {
			density = DefaultDensity
		}
		m, err := geometry.MassOf(g.Shape)
		if err != nil {
			return total, err
		}
		total = total.Plus(m.Scale(density).Transform(g.Pose.OrIdentity()))
	}
	// a given mass keeps the distribution
	if s.Mass > 0 {
		if total.Mass > 0 {
			return total.Scale(s.Mass / total.Mass), nil
		}
		total.Mass = s.Mass
	}
	return total, nil
}
