package scene

// Bodies become calls of sim.Builder. The keys of a joint that its kind does not have are refused
// here, because the builder would ignore them in silence:
//
//	key                               meaning for a joint of n velocities
//	parent, point                     all but free; point where the joint moves
//	position, velocity, damping       n > 0, lists of as many numbers as the kind takes
//	limits, friction, spring, rotor   n = 1
//
// A body with a fault is not added. Its name is noted all the same, so that joints and signals that
// name it are not reported as well (see faults.go).
//
// Numbers are those of the file, in SI units: the decoder has converted what has another unit.

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// addBodies adds robots, then bodies, with their shapes.
func (l *loader) addBodies() {
	l.findMotions()
	for _, name := range l.f.Robots.Keys {
		l.robot(name, l.f.Robots.Get(name))
	}
	for _, name := range l.f.Bodies.Keys {
		l.body(name, l.f.Bodies.Get(name))
	}
}

// body adds a body with its joint and shapes.
func (l *loader) body(name string, s *Body) {
	before := len(l.errs)
	path := "bodies." + name
	// a joint has the name of its body
	l.put("body", name, s.Pos, path)
	l.put("joint", name, s.Pos, path+".joint")
	// Values are passed on as they are: the builder refuses masses and inertias that no body
	// has, and faults.go finds their place.
	spec := sim.BodySpec{
		Pose: l.poseOf(&s.Pose), Fixed: s.Fixed, Mass: s.Mass, NoContact: s.NoContact,
		Velocity: r3.Vec(s.Velocity), AngularVelocity: r3.Vec(s.AngularVelocity),
		Com_B: (*r3.Vec)(s.Com), WeightCompensation: s.WeightCompensation,
	}
	// the file gives six numbers of the symmetric matrix
	if i := s.Inertia; i != nil {
		spec.Inertia = &r3.Mat{i.XX, i.XY, i.XZ, i.XY, i.YY, i.YZ, i.XZ, i.YZ, i.ZZ}
	}
	if s.Joint != nil {
		spec.Joint = l.joint(path, s.Joint)
	}
	l.checkColor(s.Pos, path, s.Color)
	// all shapes are made, so that all of their faults are reported
	sound := true
	for i := range s.Shapes {
		shape, ok := l.bodyShape(name, s, &s.Shapes[i])
		spec.Shapes, sound = append(spec.Shapes, shape), sound && ok
	}
	// a body with a fault would only bring more messages of the builder
	if len(l.errs) == before && sound {
		l.builder.AddBody(name, spec)
	}
}

// joint returns the joint of a body that has one. A body with a free joint has none.
func (l *loader) joint(path string, j *Joint) *sim.JointSpec {
	// The kind refuses its own parameters, such as an axis of no length.
	made, err := j.Kind.Spec.Make()
	if err != nil {
		l.fail(j.Pos, "%s.joint.%v", path, err)
		return nil
	}
	// A free joint is the absence of one, but its keys are checked as those of all others.
	nq, nv := made.Size()
	if !l.jointKeys(path, j, nq, nv) {
		return nil
	}
	if _, free := made.(rigid.Floating); free {
		return nil
	}
	spec := &sim.JointSpec{
		Parent: j.Parent, Joint: made, Point: r3.Vec(j.Point), Q: j.Position, V: j.Velocity,
		Damping: j.Damping, Stiffness: j.Stiffness, Rest: j.Rest, RotorInertia: j.RotorInertia, Friction: j.Friction, StaticFriction: j.StaticFriction,
	}
	// one-sided limits leave the other side open
	if j.Lower != nil || j.Upper != nil {
		spec.Limits = &[2]float64{value(j.Lower, math.Inf(-1)), value(j.Upper, math.Inf(1))}
	}
	return spec
}

// jointKeys refuses keys that have no meaning for a joint of nq positions and nv
// velocities.
func (l *loader) jointKeys(path string, j *Joint, nq, nv int) bool {
	// what the kind can do decides which keys mean something
	free, moves, single := j.Kind.Name == "free", nv > 0, nv == 1
	moves = moves && !free
	for _, k := range []struct {
		key          string
		given, means bool
	}{
		{"parent", j.Parent != "", !free}, {"point", j.Point != [3]float64{}, moves},
		{"position", j.Position != nil, moves}, {"velocity", j.Velocity != nil, moves},
		{"lower", j.Lower != nil, single}, {"upper", j.Upper != nil, single},
		{"damping", j.Damping != 0, moves}, {"friction", j.Friction != 0, single}, {"static_friction", j.StaticFriction != 0, single},
		{"stiffness", j.Stiffness != 0, single}, {"rest", j.Rest != 0, single},
		{"rotor_inertia", j.RotorInertia != 0, single},
	} {
		if k.given && !k.means {
			l.fail(j.Pos, "%s.joint.%s has no meaning for a joint of type %s: leave it out", path, k.key, j.Kind.Name)
			return false
		}
	}
	for _, k := range []struct {
		key  string
		n    Numbers
		want int
	}{{"position", j.Position, nq}, {"velocity", j.Velocity, nv}} {
		// the two counts differ: a ball joint takes a quaternion and an angular velocity
		if k.n != nil && len(k.n) != k.want {
			l.fail(j.Pos, "%s.joint.%s has %d numbers: a %s joint takes %d", path, k.key, len(k.n), j.Kind.Name, k.want)
			return false
		}
	}
	return true
}

// bodyShape returns a shape of a body, and adds it to pictures.
func (l *loader) bodyShape(name string, body *Body, s *Shape) (sim.ShapeSpec, bool) {
	path := "bodies." + name
	shape := l.shape(path, s)
	// a material with a fault was reported; its bodies are left out in silence
	known := l.soundMaterial(s.Pos, s.Material)
	l.checkColor(s.Pos, path, s.Color)
	if shape == nil || !known {
		return sim.ShapeSpec{}, false
	}
	// density and colour come from the resolved material, after inheritance
	material := l.materialSpec(s.Material)
	spec := sim.ShapeSpec{
		Shape: shape, Pose: l.poseOf(&s.Pose), Material: s.Material, Density: value(material.Density, defaultDensity),
		Visual: s.Visual, ResolutionHint: s.ResolutionHint,
	}
	// pictures get the same pose; a half-space is drawn as a square of its size
	g := record.Geom{Name: name, X_BG: spec.Pose, Color: cmp.Or(s.Color, body.Color, material.Color)}
	if h, ok := s.Kind.Spec.(*geometry.HalfSpaceSpec); ok {
		g.Ground = h.Size
	}
	l.pictures.add(g, shape)
	return spec, true
}

// shape makes the contact shape of a specification, nil when it has a fault.
func (l *loader) shape(where string, s *Shape) geometry.Shape {
	// the mesh that a shape names may have faults of its own, which are reported there
	before := len(l.errs)
	shape, err := s.Kind.Spec.Make(&meshSource{l, s.Pos, !s.Visual && l.materialSpec(s.Material).HydroelasticModulus != nil})
	if len(l.errs) > before || errors.Is(err, errReported) {
		return nil
	}
	if err != nil {
		l.fail(s.Pos, "%s: %s", where, strings.TrimPrefix(err.Error(), "geometry: "))
		return nil
	}
	return shape
}
