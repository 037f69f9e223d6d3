package scene

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"curlfree/constraints"
	"curlfree/geometry"
	"curlfree/r3"
	"curlfree/record"
	"curlfree/rigid"
)

// buildBodies makes rigid links and their shapes, of bodies and of robots.
func (b *builder) buildBodies() {
	b.findPrescribed()
	done := map[string]bool{}
	var visit func(name string, path []string)
	// parents come before children
	visit = func(name string, path []string) {
		if done[name] {
			return
		}
		spec := b.f.Bodies.Get(name)
		if slices.Contains(path, name) {
			b.fail(spec.Pos, "bodies %s are jointed in a loop: close loops with constraints", strings.Join(append(path, name), ", "))
			done[name] = true
			return
		}
		if j := spec.Joint; j != nil && b.f.Bodies.Get(j.Parent) != nil {
			visit(j.Parent, append(path, name))
		}
		if !done[name] {
			done[name] = true
			b.body(name, spec)
		}
	}
	for _, name := range b.f.Robots.Keys {
		before := len(b.errs)
		if b.robot(name, b.f.Robots.Get(name)); len(b.errs) > before {
			b.badRobots = append(b.badRobots, name)
		}
	}
	for _, name := range b.f.Bodies.Keys {
		visit(name, nil)
	}
}

// findPrescribed notes which bodies and robot bases drives move.
func (b *builder) findPrescribed() {
	for _, name := range b.f.Drives.Keys {
		d := b.f.Drives.Get(name)
		if d.Body == "" {
			continue
		}
		if b.f.Bodies.Get(d.Body) == nil && b.f.Robots.Get(d.Body) == nil {
			b.fail(d.Pos, "drives.%s.body: no body or robot is called %q%s", name, d.Body, record.Suggest(d.Body, slices.Concat(b.f.Bodies.Keys, b.f.Robots.Keys)))
			continue
		}
		if b.prescribed[d.Body] != nil {
			b.fail(d.Pos, "drives.%s: %s is moved by another drive already", name, d.Body)
		}
		b.prescribed[d.Body] = d
	}
}

// baseJoint is the joint of a body or robot base to the world: fixed, free, or
// moved by a drive.
func (b *builder) baseJoint(name string, floating bool) rigid.Joint {
	d := b.prescribed[name]
	switch {
	case d == nil && floating:
		return rigid.Floating{}
	case d == nil:
		return rigid.Weld{}
	}
	p := rigid.Prescribed{Axis: r3.Vec(d.Axis)}
	for i, m := range []*Motion{d.X, d.Y, d.Z} {
		if f := b.motion(m); f != nil {
			p.Translation[i] = f
		}
	}
	if f := b.motion(d.Angle); f != nil {
		p.Angle = f
		if p.Axis.Norm() == 0 {
			b.fail(d.Pos, "the drive of %s: angle wants an axis, such as [0, 0, 1]", name)
		}
	}
	return p
}

func (b *builder) body(name string, s *Body) {
	switch driven := b.prescribed[name] != nil; {
	case s.Fixed && s.Joint != nil:
		b.fail(s.Pos, "bodies.%s: a fixed body has no joint: leave out one of the two", name)
		return
	case s.Fixed && driven:
		b.fail(s.Pos, "bodies.%s: a drive moves this body, so it is not fixed: leave out one of the two", name)
		return
	case s.Joint != nil && driven:
		b.fail(s.Pos, "bodies.%s: a drive with body: moves bodies without a joint; move this one by its joint: {joint: %s, …}", name, name)
		return
	}
	shapes := make([]geometry.Shape, len(s.Shapes))
	for i := range s.Shapes {
		if shapes[i] = b.shape("bodies."+name, &s.Shapes[i]); shapes[i] == nil {
			return // said by shape
		}
	}
	b.checkColor(s.Pos, "bodies."+name, s.Color)
	X_WB := b.pose(&s.Pose)
	b.X_W0[name] = X_WB
	spec := rigid.LinkSpec{Name: name, Parent: rigid.World, X_PF: X_WB, X_BM: r3.PoseIdentity()}
	st := start{}
	switch {
	case s.Fixed:
		spec.Joint = rigid.Weld{}
	case s.Joint != nil && s.Joint.Type != "free":
		if !b.joint(name, s, X_WB, &spec, &st) {
			return
		}
	default:
		if s.Joint != nil && !b.jointKeys(name, s.Joint) {
			return
		}
		spec.Joint = b.baseJoint(name, true)
	}
	if !s.Fixed && !b.inertia(name, s, shapes, &spec) {
		return
	}
	if _, free := spec.Joint.(rigid.Floating); free {
		spec.X_PF = r3.PoseIdentity()
		st.q = freePosition(X_WB)
		st.v = append(append(st.v, s.AngularVelocity[:]...), s.Velocity[:]...)
	} else if s.Velocity != [3]float64{} || s.AngularVelocity != [3]float64{} {
		b.fail(s.Pos, "bodies.%s: velocity and angular_velocity are of free bodies; of a joint, give its speed", name)
	}
	link, err := b.trees.Add(spec)
	if err != nil {
		b.fail(s.Pos, "bodies.%s: %v", name, err)
		return
	}
	b.links[name] = link
	st.link = link
	b.starts = append(b.starts, st)
	if s.Joint != nil {
		b.jointExtras(name, s.Joint, link)
	}
	b.addShapes(name, link, s, shapes)
}

// freePosition returns the position of a free joint that puts a body at X_WB.
func freePosition(X_WB r3.Pose) []float64 {
	q := X_WB.R.Quat()
	return []float64{q[0], q[1], q[2], q[3], X_WB.P[0], X_WB.P[1], X_WB.P[2]}
}

// joint sets the joint of a body that has one; the body's pose is that at zero
// joint position.
func (b *builder) joint(name string, s *Body, X_WB r3.Pose, spec *rigid.LinkSpec, st *start) bool {
	j := s.Joint
	if !b.jointKeys(name, j) {
		return false
	}
	X_WP := r3.PoseIdentity()
	if j.Parent != "" && j.Parent != "world" {
		parent, ok := b.links[j.Parent]
		if !ok {
			if b.spoilt(j.Parent) {
				return false
			}
			b.fail(j.Pos, "bodies.%s.joint.parent: unknown body %q%s", name, j.Parent, record.Suggest(j.Parent, keysOf(b.links)))
			return false
		}
		spec.Parent, X_WP = parent, b.X_W0[j.Parent]
	}
	// F and M coincide at zero, at the joint's point, with the body's axes
	X_BM := r3.Pose{R: r3.Identity(), P: r3.Vec(j.Point)}
	spec.X_BM = X_BM
	spec.X_PF = X_WP.Inv().Mul(X_WB).Mul(X_BM)
	axis := r3.Vec(j.Axis)
	if j.Type != "weld" && (axis.Norm() == 0 || !axis.IsFinite()) {
		b.fail(j.Pos, "bodies.%s.joint.axis: a direction is wanted, such as [0, 0, 1]", name)
		return false
	}
	axis = axis.Unit()
	switch j.Type {
	case "revolute":
		spec.Joint = rigid.Revolute{Axis: axis}
	case "prismatic":
		spec.Joint = rigid.Prismatic{Axis: axis}
	case "screw":
		if j.Pitch == 0 {
			b.fail(j.Pos, "bodies.%s.joint.pitch: a screw has one, m per revolution", name)
			return false
		}
		spec.Joint = rigid.Screw{Axis: axis, Pitch: j.Pitch}
	case "weld":
		spec.Joint = rigid.Weld{}
		return true
	default:
		b.fail(j.Pos, "bodies.%s.joint.type: unknown %q%s", name, j.Type, record.Suggest(j.Type, []string{"revolute", "prismatic", "screw", "weld", "free"}))
		return false
	}
	spec.Damping, spec.Stiffness, spec.Rest, spec.RotorInertia = j.Damping, j.Stiffness, j.Rest, j.RotorInertia
	st.q, st.v = []float64{j.Position}, []float64{j.Speed}
	return true
}

// spoilt reports whether a body that there is no link of is one of the scene, or of
// a robot of it, in which a fault was found: that has been said, and is enough.
func (b *builder) spoilt(name string) bool {
	if b.f.Bodies.Get(name) != nil {
		return true
	}
	robot, _, ok := strings.Cut(name, ".")
	return ok && b.f.Robots.Get(robot) != nil && slices.Contains(b.badRobots, robot)
}

// jointKeys refuses what a type of joint has no use for.
func (b *builder) jointKeys(name string, j *Joint) bool {
	moves := j.Type == "revolute" || j.Type == "prismatic" || j.Type == "screw"
	known := moves || j.Type == "weld" || j.Type == "free"
	zero := [3]float64{}
	for _, k := range []struct {
		key         string
		given, used bool
	}{
		{"parent", j.Parent != "", j.Type != "free"}, {"point", j.Point != zero, moves},
		{"axis", j.Axis != zero, moves}, {"pitch", j.Pitch != 0, j.Type == "screw"},
		{"position", j.Position != 0, moves}, {"speed", j.Speed != 0, moves},
		{"lower", j.Lower != nil, moves}, {"upper", j.Upper != nil, moves},
		{"damping", j.Damping != 0, moves}, {"friction", j.Friction != 0, moves},
		{"stiffness", j.Stiffness != 0, moves}, {"rest", j.Rest != 0, moves},
		{"rotor_inertia", j.RotorInertia != 0, moves},
	} {
		if known && k.given && !k.used {
			b.fail(j.Pos, "bodies.%s.joint.%s has no meaning for a joint of type %s: leave it out", name, k.key, j.Type)
			return false
		}
	}
	return true
}

// jointExtras adds a joint's limits and dry friction.
func (b *builder) jointExtras(name string, j *Joint, link int) {
	if j.Type != "revolute" && j.Type != "prismatic" && j.Type != "screw" {
		return
	}
	b.dofs[name] = dof{link}
	lo, hi := value(j.Lower, math.Inf(-1)), value(j.Upper, math.Inf(1))
	switch {
	case lo > hi:
		b.fail(j.Pos, "bodies.%s.joint: lower %g exceeds upper %g", name, lo, hi)
	case j.Position < lo || j.Position > hi:
		b.warn("bodies.%s.joint: position %g lies outside its limits %g to %g", name, j.Position, lo, hi)
	}
	if j.Friction < 0 {
		b.fail(j.Pos, "bodies.%s.joint.friction is %g: it must not be negative", name, j.Friction)
	}
	b.limits = append(b.limits, jointLimit{link, lo, hi, j.Friction})
}

// jointLimit is what becomes constraints once dofs are numbered.
type jointLimit struct {
	link                   int
	lower, upper, friction float64
}

// inertia sets mass, centre and inertia of a body; false when it cannot.
func (b *builder) inertia(name string, s *Body, shapes []geometry.Shape, spec *rigid.LinkSpec) bool {
	var total geometry.MassProperties
	solid := slices.ContainsFunc(s.Shapes, func(g Shape) bool { return !g.Visual && g.HalfSpace == nil })
	for i, sh := range shapes {
		// what is only looked at weighs where a body has nothing else
		if s.Shapes[i].HalfSpace != nil || s.Shapes[i].Visual && solid {
			continue
		}
		density := value(b.materialSpec(s.Shapes[i].Material).Density, defaultDensity)
		m, err := geometry.MassOf(sh)
		if err != nil {
			b.fail(s.Shapes[i].Pos, "bodies.%s: %v", name, err)
			return false
		}
		total = total.Plus(m.Scale(density).Transform(b.pose(&s.Shapes[i].Pose)))
	}
	if s.Mass < 0 {
		b.fail(s.Pos, "bodies.%s.mass is %g kg: it must be positive", name, s.Mass)
		return false
	}
	if s.Mass > 0 {
		if total.Mass > 0 {
			total = total.Scale(s.Mass / total.Mass)
		} else {
			total.Mass = s.Mass
		}
	}
	spec.Mass, spec.Com_B, spec.Inertia_B = total.Mass, total.Com, total.Inertia
	if s.Com != nil {
		spec.Com_B = r3.Vec(*s.Com)
	}
	if i := s.Inertia; i != nil {
		spec.Inertia_B = r3.Mat{i.XX, i.XY, i.XZ, i.XY, i.YY, i.YZ, i.XZ, i.YZ, i.ZZ}
	}
	if spec.Mass == 0 && b.prescribed[name] == nil {
		b.fail(s.Pos, "bodies.%s has no mass: give mass (kg), or shapes, whose material has a density, or fixed: true", name)
		return false
	}
	return true
}

// addShapes adds the geoms of a body.
func (b *builder) addShapes(name string, link int, s *Body, shapes []geometry.Shape) {
	for i, sh := range shapes {
		spec := &s.Shapes[i]
		mat, ok := b.material(spec.Pos, spec.Material)
		if !ok {
			continue
		}
		b.checkColor(spec.Pos, "bodies."+name, spec.Color)
		color := spec.Color
		if color == "" {
			color = s.Color
		}
		if color == "" {
			color = b.materialSpec(spec.Material).Color
		}
		g := record.Geom{Name: name, Body: link, X_BG: b.pose(&spec.Pose), Color: color}
		if spec.HalfSpace != nil {
			g.Ground = spec.HalfSpace.Size
			if g.Ground == 0 {
				g.Ground = 1
			}
		}
		f := fieldSpec{pos: spec.Pos, where: fmt.Sprintf("bodies.%s.shapes", name), resolution: spec.Resolution, thickness: defaultThickness}
		if spec.HalfSpace != nil && spec.HalfSpace.Thickness != 0 {
			f.thickness = spec.HalfSpace.Thickness
		}
		if spec.Mesh != nil && !spec.Visual {
			if d := b.meshes[spec.Mesh.Mesh]; d != nil && b.mats[mat].Modulus > 0 {
				f.tets = b.partTets(spec.Mesh.Mesh, d)
			}
			if d := b.meshes[spec.Mesh.Mesh]; d != nil && d.part != nil && d.spec.Scale == [3]float64{} {
				b.parts[len(b.geoms)] = d.part
			}
		}
		b.addGeom(g, sh, mat, !spec.Visual, f)
	}
}

// addGeom adds a shape to the pictures, and to contact unless it is only for
// show.
func (b *builder) addGeom(g record.Geom, sh geometry.Shape, material int, contact bool, f fieldSpec) {
	g.Surface = sh.Surface()
	b.static.Geoms = append(b.static.Geoms, g)
	if contact {
		b.geoms = append(b.geoms, geometry.Geom{Name: g.Name, Body: g.Body, X_BG: g.X_BG, Shape: sh, Material: material})
		b.fields = append(b.fields, f)
	}
}

// finishModel builds the trees and the geometry, and the initial state.
func (b *builder) finishModel() {
	if len(b.errs) > 0 {
		return
	}
	trees, err := b.trees.Build()
	if err != nil {
		b.errs = append(b.errs, &Error{File: b.path, Msg: err.Error()})
		return
	}
	m := b.model
	m.Rigid = trees
	m.Start.Q, m.Start.V = trees.Start()
	for _, s := range b.starts {
		copy(m.Start.Q[trees.QStart(s.link):], s.q)
		copy(m.Start.V[trees.VStart(s.link):], s.v)
	}
	for i := range trees.NumLinks() {
		b.static.Bodies = append(b.static.Bodies, trees.LinkName(i))
	}
	b.buildFields()
	m.Geometry = &geometry.Model{Rigid: trees.NumLinks(), Geoms: b.geoms, Soft: b.softGeoms}
	b.couplers()
	b.placeDeformables()
	b.contactFilter()
	for _, l := range b.limits {
		d := trees.VStart(l.link)
		if !math.IsInf(l.lower, -1) || !math.IsInf(l.upper, 1) {
			m.Constraints = append(m.Constraints, &constraints.Limit{Dof: d, Lower: l.lower, Upper: l.upper})
		}
		if l.friction > 0 {
			m.Constraints = append(m.Constraints, &constraints.JointFriction{Dof: d, Effort: l.friction})
		}
	}
}

// contactFilter lists the pairs that never touch: bodies that a joint connects,
// and what no_contact names.
func (b *builder) contactFilter() {
	g := b.model.Geometry
	g.Skip = b.skip
	// what welds make one piece of, or of the world
	piece := make([]int, b.model.Rigid.NumLinks())
	for i := range piece {
		piece[i] = i
		p := b.model.Rigid.Parent(i)
		if p != rigid.World {
			g.Skip = append(g.Skip, [2]int{p, i})
		}
		if _, welded := b.model.Rigid.Link(i).Joint.(rigid.Weld); welded {
			piece[i] = p
			if p != rigid.World {
				piece[i] = piece[p]
			}
		}
		for j := range i {
			if piece[i] == piece[j] {
				g.Skip = append(g.Skip, [2]int{j, i})
			}
		}
	}
	add := func(p Pos, name string, others []string) {
		if len(others) == 0 {
			return
		}
		i, ok := b.anyBody(p, name)
		for _, o := range others {
			j, ok2 := b.anyBody(p, o)
			if ok && ok2 {
				g.Skip = append(g.Skip, [2]int{i, j})
			}
		}
	}
	for _, n := range b.f.Bodies.Keys {
		s := b.f.Bodies.Get(n)
		add(s.Pos, n, s.NoContact)
	}
	for _, n := range b.f.Deformables.Keys {
		s := b.f.Deformables.Get(n)
		add(s.Pos, n, s.NoContact)
		// a deformable does not touch what holds it
		for _, a := range s.Attach {
			add(a.Pos, n, []string{a.Body})
		}
	}
}

// rigidBody returns a rigid body by name: "body" or "robot.link"; the world for
// no name.
func (b *builder) rigidBody(p Pos, name string) (int, bool) {
	if name == "" || name == "world" {
		return geometry.World, true
	}
	i, ok := b.links[name]
	switch {
	case ok:
	case b.f.Deformables.Get(name) != nil:
		b.fail(p, "%s is deformable: a rigid body is wanted here", name)
	default:
		b.fail(p, "unknown body %q%s", name, record.Suggest(name, keysOf(b.links)))
	}
	return i, ok
}

// anyBody returns a scene body by name: rigid or deformable.
func (b *builder) anyBody(p Pos, name string) (int, bool) {
	if i, ok := b.softs[name]; ok {
		return b.model.Rigid.NumLinks() + i, true
	}
	if _, ok := b.links[name]; !ok && name != "" && name != "world" {
		b.fail(p, "unknown body %q%s", name, record.Suggest(name, slices.Concat(keysOf(b.links), keysOf(b.softs))))
		return 0, false
	}
	return b.rigidBody(p, name)
}

// dof returns a one-degree-of-freedom joint by name: "body" or "robot.joint".
func (b *builder) dof(p Pos, name string) (int, bool) {
	d, ok := b.dofs[name]
	if !ok {
		b.fail(p, "unknown joint %q%s", name, record.Suggest(name, keysOf(b.dofs)))
		return 0, false
	}
	return b.model.Rigid.VStart(d.link), true
}

// placed returns a function that gives X_WB of rigid bodies at the start.
func (b *builder) placed() func(body int) r3.Pose {
	m := b.model
	kin := m.Rigid.NewData()
	nq, nv := m.RigidSize()
	kin.Place(0, b.f.Time.Step, m.Start.Q[:nq], m.Start.V[:nv])
	return func(body int) r3.Pose {
		if body == geometry.World {
			return r3.PoseIdentity()
		}
		return kin.Pose(body)
	}
}
