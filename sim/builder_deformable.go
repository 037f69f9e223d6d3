package sim

// A deformable becomes a model of package fem and a surface of package geometry: the
// boundary triangles of its mesh, each with the tetrahedron that it belongs to. Its
// vertices start at
//
//	x_i = X_WF X_FM p_i
//
// with p_i the vertex of the mesh, M the frame of the mesh and F that of the body Frame,
// where that body is at the start. Attached vertices of bodies that never move are fixed:
// they have no velocities in the problem of a step. Those of other bodies keep their place
// on the body by a constraint.

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// DeformableSpec describes a deformable body.
type DeformableSpec struct {
	// Mesh is the body at rest, in its own frame M, m. It is kept, not copied.
	Mesh *meshes.Tet
	// Law is the constitutive law, such as fem.NewCorotational.
	Law fem.ConstitutiveLaw

	// Elements is the kind of finite element; zero: fem.Auto, the best that Mesh has as it is:
	// fem.Hex12 where it has hexahedra, fem.Tet10 where it comes from meshes.Tet.Quadratic, else
	// linear tetrahedra. These are too stiff in bending.
	Elements fem.Elements
	// Density is the mass per volume at rest, kg/m³; 0: DefaultDensity.
	Density float64
	// MassDamping is α of Rayleigh damping, the damping matrix αM + ζK, 1/s. It resists rigid
	// motion too.
	MassDamping float64
	// StiffnessDamping is ζ of Rayleigh damping, the damping matrix αM + ζK, s.
	StiffnessDamping float64

	// Pose is X_FM, the pose of M at the start, in the frame F of the body Frame; the zero
	// value is the identity.
	Pose r3.Pose
	// Frame is the name of the rigid body whose frame at the start Pose refers to; empty: the
	// world.
	Frame string
	// Velocity is the velocity of the centre of mass at the start, in world axes, m/s.
	Velocity r3.Vec
	// AngularVelocity is the angular velocity of the body at the start about its centre of
	// mass, in world axes, rad/s: vertex x has the velocity v + ω × (x − c).
	AngularVelocity r3.Vec

	// Material is the name of the contact material; empty: the default one.
	Material string
	// SelfContact enables contact of the body's surface with itself.
	SelfContact bool
	// Attach are the vertices that are fixed to rigid bodies. The deformable has no contact
	// with these bodies.
	Attach []AttachSpec
	// NoContact are the names of bodies, rigid or deformable, that this body has no contact
	// with.
	NoContact []string
}

// AttachSpec fixes vertices of a deformable to a rigid body, at their positions of
// the start. Vertices on the world or on a Fixed body never move; others are attached
// by a constraint, constraints.Fixed.
type AttachSpec struct {
	// Body is the name of the rigid body; empty or "world": the world.
	Body string
	// Verts are the vertices, each in one attachment at most; see VertsWithin.
	Verts []int32
}

// deformableItem is a deformable that was added.
type deformableItem struct {
	name string
	spec DeformableSpec
}

// AddDeformable adds a deformable body.
func (b *Builder) AddDeformable(name string, spec DeformableSpec) {
	if b.add("deformable", name) {
		b.deformables = append(b.deformables, &deformableItem{name, spec})
	}
}

// makeDeformables makes the models and surfaces of deformables.
func (a *assembly) makeDeformables() {
	for _, d := range a.deformables {
		s := &d.spec
		if s.Mesh == nil || s.Law == nil {
			a.fail("deformable", d.name, "Mesh and Law must be given: a volume mesh and a constitutive law")
			continue
		}
		// the surface's material
		mat, err := a.materials.find(s.Material)
		if err != nil {
			a.fail("deformable", d.name, "%w", err)
			continue
		}
		if directional(a.materials.list[mat]) {
			a.fail("deformable", d.name, "its contact material has a friction direction or a surface velocity, which are given in the axes of a rigid body: give it another material")
			continue
		}
		// the body's mechanics
		density := s.Density
		if density == 0 {
			density = DefaultDensity
		}
		model, err := fem.NewModel(fem.Spec{
			Name: d.name, Mesh: s.Mesh, Law: s.Law, Elements: s.Elements, Density: density,
			MassDamping: s.MassDamping, StiffnessDamping: s.StiffnessDamping, Fixed: a.fixedVerts(d),
		})
		if err != nil {
			a.fail("deformable", d.name, "%w", err)
			continue
		}
		// its surface in contact
		tris, owner := s.Mesh.Boundary()
		g := geometry.Deformable{Name: d.name, NumVerts: len(s.Mesh.Verts), Tris: tris, Tets: owner, Apexes: apexes(s.Mesh, tris, owner), Size: geometry.SizeOf(s.Mesh.Bounds()), Material: mat}
		if model.Elements() != fem.Tet4 {
			g.Parents = s.Mesh.ParentFaces(tris, owner)
		}
		if model.Dofs() < 3*g.NumVerts {
			g.Fixed = func(v int32) bool { return model.Node(v) < 0 }
		}
		if s.SelfContact {
			g.Self = geometry.NewSelfContact(s.Mesh, tris)
		}
		a.m.Names.Deformables[d.name] = len(a.made)
		a.m.Deformables = append(a.m.Deformables, model)
		a.surfaces = append(a.surfaces, g)
		a.made = append(a.made, d)
	}
}

// apexes returns the vertex of the tetrahedron of each boundary triangle that is not a corner
// of the triangle.
func apexes(mesh *meshes.Tet, tris [][3]int32, owner []int32) []int32 {
	list := make([]int32, len(tris))
	for i, t := range tris {
		for _, v := range mesh.Tets[owner[i]] {
			if v != t[0] && v != t[1] && v != t[2] {
				list[i] = v
			}
		}
	}
	return list
}

// neverMoves reports whether a body is the world or Fixed. Bodies on joints and bodies
// with prescribed motion may move.
func (a *assembly) neverMoves(name string) bool {
	body := a.bodyOf[name]
	return name == "" || name == worldName || body != nil && body.spec.Fixed
}

// fixedVerts returns the vertices attached to bodies that never move. It also checks
// all attachments of the deformable.
func (a *assembly) fixedVerts(d *deformableItem) []int32 {
	// each vertex is attached to one body
	var fixed []int32
	owner := map[int32]string{}
	for _, t := range d.spec.Attach {
		if len(t.Verts) == 0 {
			box := d.spec.Mesh.Bounds()
			a.fail("deformable", d.name, "its attachment to %q has no vertex; the mesh spans %.4g to %.4g m", t.Body, box.Min, box.Max)
		}
		// vertices of the mesh, each attached once
		for _, v := range t.Verts {
			if v < 0 || int(v) >= len(d.spec.Mesh.Verts) {
				a.fail("deformable", d.name, "its attachment to %q has vertex %d, of a mesh of %d", t.Body, v, len(d.spec.Mesh.Verts))
				return nil
			}
			if first, twice := owner[v]; twice {
				a.fail("deformable", d.name, "the vertex at %.4g m is attached to %q and to %q: attach it once", d.spec.Mesh.Verts[v], first, t.Body)
				break
			}
			owner[v] = t.Body
		}
		if a.neverMoves(t.Body) {
			fixed = append(fixed, t.Verts...)
		}
	}
	return fixed
}

// placeDeformables writes where deformables start, and attaches vertices to bodies
// that move.
func (a *assembly) placeDeformables() {
	a.place()
	for i, d := range a.made {
		s := &d.spec
		// the pose of the mesh in the world
		frame, err := a.names.RigidBody(s.Frame)
		if err != nil {
			a.fail("deformable", d.name, "its frame: %w", err)
			frame = geometry.World // for constraints, whose faults are reported too
		}
		X_WM := a.names.Pose(frame).Mul(s.Pose.OrIdentity())
		a.names.poses = append(a.names.poses, X_WM)
		// a linear law is valid for small rotations from the mesh's own axes
		if isLinear(a.m.Deformables[i]) && X_WM.R.Sub(r3.Identity()).Norm2() > leastRotation {
			a.fail("deformable", d.name, "its linear law treats rotation as strain, so it must start unrotated: use a corotational law, or turn the mesh itself")
			continue
		}
		// start, and attachments to bodies that may move
		placed := a.startDeformable(i, X_WM, s)
		for _, t := range s.Attach {
			held := Attachment{Deformable: i, Verts: t.Verts, Body: geometry.World, Constraint: -1}
			held.Body, _ = a.names.RigidBody(t.Body) // attach reports unknown bodies
			if !a.neverMoves(t.Body) {
				held.Constraint = len(a.m.Constraints)
				a.attach(i, d, t, placed)
			}
			a.m.Attachments = append(a.m.Attachments, held)
		}
	}
}

// leastRotation is the squared norm of R − I from which a rotation counts.
const leastRotation = 1e-20

// startDeformable appends the start of deformable i to the start state, and returns
// where its vertices are.
func (a *assembly) startDeformable(i int, X_WM r3.Pose, s *DeformableSpec) []r3.Vec {
	model, start := a.m.Deformables[i], &a.m.Start
	verts := model.Mesh().Verts
	placed := make([]r3.Vec, len(verts))
	center := X_WM.Point(model.CenterOfMass())
	// fixed vertices are in the state too, at rest
	for j, p := range verts {
		placed[j] = X_WM.Point(p)
		start.Q = append(start.Q, placed[j][:]...)
		v := s.Velocity.Add(s.AngularVelocity.Cross(placed[j].Sub(center)))
		if model.Node(int32(j)) < 0 { // fixed
			v = r3.Vec{}
		}
		start.V = append(start.V, v[:]...)
	}
	return placed
}

// attach adds the constraint that holds vertices of deformable i on a rigid body.
func (a *assembly) attach(i int, d *deformableItem, t AttachSpec, placed []r3.Vec) {
	body, err := a.names.RigidBody(t.Body)
	if err != nil {
		a.fail("deformable", d.name, "attachment: %w", err)
		return
	}
	// hold them where they are
	at := make([]r3.Vec, len(t.Verts))
	for n, v := range t.Verts {
		at[n] = placed[v]
	}
	c, err := constraints.NewFixed(a.m.Rigid.NumLinks()+i, t.Verts, at, body, a.names.Pose(body))
	if err != nil {
		a.fail("deformable", d.name, "attachment to %q: %v", t.Body, err)
		return
	}
	a.m.Constraints = append(a.m.Constraints, c)
}

// nearestVert returns the vertex of a mesh nearest to a point of its frame.
func nearestVert(m *meshes.Tet, p r3.Vec) int {
	best, d := 0, math.Inf(1)
	for i, v := range m.Verts {
		if e := v.Sub(p).Norm2(); e < d {
			best, d = i, e
		}
	}
	return best
}
