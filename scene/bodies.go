package scene

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/rigid"
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
		b.fail(s.Pos, "bodies.%s: velocity and angular_velocity are of free bodies; of a joint, give its velocity", name)
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
		f := fieldSpec{pos: spec.Pos, where: fmt.Sprintf("bodies.%s.shapes", name), resolutionHint: spec.ResolutionHint, thickness: defaultThickness}
		if spec.HalfSpace != nil && spec.HalfSpace.Thickness != 0 {
			f.thickness = spec.HalfSpace.Thickness
		}
		if spec.Mesh != nil && !spec.Visual {
			if d := b.meshes[spec.Mesh.Mesh]; d != nil && b.mats[mat].HydroelasticModulus > 0 {
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
	g.Mesh = sh.SurfaceMesh()
	b.static.Geoms = append(b.static.Geoms, g)
	if contact {
		b.geoms = append(b.geoms, geometry.Geom{Name: g.Name, Body: g.Body, X_BG: g.X_BG, Shape: sh, Material: material})
		b.fields = append(b.fields, f)
	}
}
