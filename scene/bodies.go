package scene

import (
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
		b.robot(name, b.f.Robots.Get(name))
	}
	for _, name := range b.f.Bodies.Keys {
		visit(name, nil)
	}
	for name, d := range b.prescribed {
		if b.baseName[name] == "" {
			b.fail(d.Pos, "drives: no body or robot is called %q%s", name, suggest(name, append(b.f.Bodies.Keys, b.f.Robots.Keys...)))
		}
	}
}

// findPrescribed notes which bodies and robot bases drives move.
func (b *builder) findPrescribed() {
	for _, name := range b.f.Drives.Keys {
		d := b.f.Drives.Get(name)
		if d.Body == "" {
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
	b.baseName[name] = name
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
			b.fail(d.Pos, "drives of %s: angle wants an axis", name)
		}
	}
	return p
}

func (b *builder) body(name string, s *Body) {
	if s.Fixed && (s.Joint != nil || b.prescribed[name] != nil) {
		b.fail(s.Pos, "bodies.%s: a fixed body has neither a joint nor a drive", name)
		return
	}
	if strings.Contains(name, ".") || name == "world" {
		b.fail(s.Pos, "bodies: %q cannot be a name: names have no dots and world is taken", name)
		return
	}
	var shapes []geometry.Shape
	for i := range s.Shapes {
		shapes = append(shapes, b.shape("bodies."+name, &s.Shapes[i]))
	}
	if slices.Contains(shapes, nil) {
		return // said above
	}
	X_WB := b.pose(&s.Pose)
	if s.Fixed {
		b.links[name] = geometry.World
		b.baseName[name] = name
		b.addShapes(name, geometry.World, X_WB, s, shapes)
		return
	}
	spec := rigid.LinkSpec{Name: name, Parent: -1, X_PF: X_WB, X_BM: r3.PoseIdentity()}
	b.inertia(name, s, shapes, &spec)
	st := start{}
	free := s.Joint == nil && b.prescribed[name] == nil
	switch {
	case s.Joint != nil && s.Joint.Type != "free":
		if !b.joint(name, s, X_WB, &spec, &st) {
			return
		}
	case free || s.Joint != nil:
		spec.Joint = b.baseJoint(name, true)
		spec.X_PF = r3.PoseIdentity()
		q := X_WB.R.Quat()
		st.q = []float64{q[0], q[1], q[2], q[3], X_WB.P[0], X_WB.P[1], X_WB.P[2]}
		st.v = append(append(st.v, s.AngularVelocity[:]...), s.Velocity[:]...)
	default:
		spec.Joint = b.baseJoint(name, false)
	}
	link, err := b.trees.Add(spec)
	if err != nil {
		b.fail(s.Pos, "bodies.%s: %v", name, err)
		return
	}
	b.links[name] = link
	b.baseName[name] = name
	st.link = link
	b.starts = append(b.starts, st)
	if s.Joint != nil {
		b.jointExtras(name, s.Joint, link)
	}
	b.addShapes(name, link, r3.PoseIdentity(), s, shapes)
}

// joint sets the joint of a body that has one; the body's pose is that at zero
// joint position.
func (b *builder) joint(name string, s *Body, X_WB r3.Pose, spec *rigid.LinkSpec, st *start) bool {
	j := s.Joint
	X_WP := r3.PoseIdentity()
	if j.Parent != "" && j.Parent != "world" {
		parent, ok := b.links[j.Parent]
		if !ok {
			b.fail(j.Pos, "bodies.%s.joint.parent: unknown body %q%s", name, j.Parent, suggest(j.Parent, keysOf(b.links)))
			return false
		}
		if parent != geometry.World {
			spec.Parent = parent
			X_WP = b.zeroPose(j.Parent)
		}
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
		b.fail(j.Pos, "bodies.%s.joint.type: unknown %q%s", name, j.Type, suggest(j.Type, []string{"revolute", "prismatic", "screw", "weld", "free"}))
		return false
	}
	spec.Damping, spec.Stiffness, spec.Rest, spec.RotorInertia = j.Damping, j.Stiffness, j.Rest, j.RotorInertia
	st.q, st.v = []float64{j.Position}, []float64{j.Speed}
	return true
}

// zeroPose returns X_WB of a body with all joints at zero, as its file entry
// gives it.
func (b *builder) zeroPose(name string) r3.Pose {
	if s := b.f.Bodies.Get(name); s != nil {
		return b.pose(&s.Pose)
	}
	return r3.PoseIdentity()
}

// jointExtras adds a joint's limits and dry friction.
func (b *builder) jointExtras(name string, j *Joint, link int) {
	if j.Type != "revolute" && j.Type != "prismatic" && j.Type != "screw" {
		return
	}
	b.dofs[name] = dof{link}
	lo, hi := value(j.Lower, math.Inf(-1)), value(j.Upper, math.Inf(1))
	if lo > hi {
		b.fail(j.Pos, "bodies.%s.joint: lower %g exceeds upper %g", name, lo, hi)
	}
	b.limits = append(b.limits, jointLimit{link, lo, hi, j.Friction})
}

// jointLimit is what becomes constraints once dofs are numbered.
type jointLimit struct {
	link                   int
	lower, upper, friction float64
}

// inertia sets mass, centre and inertia of a body.
func (b *builder) inertia(name string, s *Body, shapes []geometry.Shape, spec *rigid.LinkSpec) {
	var total geometry.MassProperties
	for i, sh := range shapes {
		if s.Shapes[i].HalfSpace != nil {
			continue
		}
		density := value(b.materialSpec(s.Shapes[i].Material).Density, defaultDensity)
		m, err := geometry.MassOf(sh)
		if err != nil {
			b.fail(s.Shapes[i].Pos, "bodies.%s: %v", name, err)
			return
		}
		total = total.Plus(m.Scale(density).Transform(b.pose(&s.Shapes[i].Pose)))
	}
	if s.Mass < 0 || math.IsInf(s.Mass, 0) {
		b.fail(s.Pos, "bodies.%s.mass is %g kg: it must be positive", name, s.Mass)
		return
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
		b.fail(s.Pos, "bodies.%s has no mass: give mass (kg), or shapes whose material has a density", name)
	}
}

// addShapes adds the geoms of a body; X_LB places the body on its link.
func (b *builder) addShapes(name string, link int, X_LB r3.Pose, s *Body, shapes []geometry.Shape) {
	for i, sh := range shapes {
		spec := &s.Shapes[i]
		mat, ok := b.material(spec.Pos, spec.Material)
		if !ok {
			continue
		}
		X_LG := X_LB.Mul(b.pose(&spec.Pose))
		color := spec.Color
		if color == "" {
			color = s.Color
		}
		if color == "" {
			color = b.materialSpec(spec.Material).Color
		}
		g := record.Geom{Name: name, Body: link, X_BG: X_LG, Color: color}
		if spec.HalfSpace != nil {
			g.Ground = spec.HalfSpace.Size
			if g.Ground == 0 {
				g.Ground = 1
			}
		}
		b.addGeom(g, sh, mat, !spec.Visual)
	}
}

// addGeom adds a shape to the pictures, and to contact unless it is only for
// show.
func (b *builder) addGeom(g record.Geom, sh geometry.Shape, material int, contact bool) {
	g.Surface = sh.Surface()
	b.static.Geoms = append(b.static.Geoms, g)
	if contact {
		b.geoms = append(b.geoms, geometry.Geom{Name: g.Name, Body: g.Body, X_BG: g.X_BG, Shape: sh, Material: material})
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
	for i := range b.model.Rigid.NumLinks() {
		if p := b.model.Rigid.Parent(i); p >= 0 {
			g.Skip = append(g.Skip, [2]int{p, i})
		}
	}
	add := func(p Pos, name string, others []string) {
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
			if a.Body != "world" {
				add(a.Pos, n, []string{a.Body})
			}
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
	if !ok {
		b.fail(p, "unknown body %q%s", name, suggest(name, keysOf(b.links)))
	}
	return i, ok
}

// anyBody returns a scene body by name: rigid or deformable.
func (b *builder) anyBody(p Pos, name string) (int, bool) {
	if i, ok := b.softs[name]; ok {
		return b.model.Rigid.NumLinks() + i, true
	}
	if _, ok := b.links[name]; !ok && name != "" && name != "world" {
		b.fail(p, "unknown body %q%s", name, suggest(name, append(keysOf(b.links), keysOf(b.softs)...)))
		return 0, false
	}
	return b.rigidBody(p, name)
}

// dof returns a one-degree-of-freedom joint by name: "body" or "robot.joint".
func (b *builder) dof(p Pos, name string) (int, bool) {
	d, ok := b.dofs[name]
	if !ok {
		b.fail(p, "unknown joint %q%s", name, suggest(name, keysOf(b.dofs)))
		return 0, false
	}
	return b.model.Rigid.VStart(d.link), true
}
