package scene

// A deformable takes its tetrahedra from a mesh, law and density from a material, and its attachments
// from regions of the mesh at rest. Regions are tested in the mesh's frame M, before the pose moves
// it: a vertex X belongs to a region when
//
//	min ≤ X ≤ max   in each of the bounds that the region gives                (1)
//
// so that a region without bounds is the whole mesh. Bounds are inclusive, and coordinates of files
// are rounded, so a bound at a face is best put a little outside of it.
//
// Displacements in pictures are measured from the start, not from rest (see pictures.static).

import (
	"cmp"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/internal/memory"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// addDeformables adds the deformable bodies.
func (l *loader) addDeformables() {
	for _, name := range l.f.Deformables.Keys {
		l.deformable(name, l.f.Deformables.Get(name))
	}
}

// deformable adds one deformable body, unless its mesh or material has a fault, which is
// reported there.
func (l *loader) deformable(name string, s *Deformable) {
	path := "deformables." + name
	before := len(l.errs)
	l.put("deformable", name, s.Pos, path)
	// all faults of the entry in one go
	known := l.soundMaterial(s.Pos, s.Material)
	l.checkColor(s.Pos, path, s.Color)
	// reported where it stands, as a mesh with a fault
	if !known {
		l.tets(s.Pos, s.Mesh)
		return
	}
	material := l.materialSpec(s.Material)
	// parameters of the law may be valid alone and not for this elasticity
	law, err := material.elastic()
	if err != nil {
		if len(l.errs) == 0 { // else it is reported with the material
			l.fail(s.Pos, "%s: %v", path, err)
		}
		l.tets(s.Pos, s.Mesh) // for its faults
		return
	}
	mesh := l.elementMeshOf(s, path, law)
	if mesh == nil {
		return
	}
	l.nonlinear = l.nonlinear || law.Class() == fem.Nonlinear
	spec := sim.DeformableSpec{
		Elements: fem.Elements(s.Elements.Name),
		Mesh:     mesh, Law: law, Density: value(material.Density, defaultDensity),
		MassDamping: value(material.MassDamping, 0), StiffnessDamping: value(material.StiffnessDamping, 0),
		Pose: l.poseOf(&s.Pose), Frame: s.Frame, Velocity: r3.Vec(s.Velocity), AngularVelocity: r3.Vec(s.AngularVelocity),
		Material: s.Material, SelfContact: s.SelfContact, NoContact: s.NoContact,
	}
	// vertices of each region; the builder refuses those of two regions
	for i := range s.Attach {
		a := &s.Attach[i]
		if a.Body == "" {
			l.fail(a.Pos, "%s.attach: body is required: the name of a rigid body, or world", path)
		}
		verts := sim.VertsWithin(mesh, a.Where.Box())
		// a region beside the mesh is a mistake of frame or unit: say where the mesh is
		if len(verts) == 0 {
			box := mesh.Bounds()
			l.fail(a.Pos, "attach: no vertex lies in this region; the mesh spans %.4g to %.4g m", box.Min, box.Max)
		}
		spec.Attach = append(spec.Attach, sim.AttachSpec{Body: a.Body, Verts: verts})
	}
	if len(l.errs) > before {
		return
	}
	if err := memory.Need(bytesPerVertex * float64(len(mesh.Verts))); err != nil {
		l.fail(s.Pos, "%s: %d vertices: %v: give fewer vertices or a larger size, or raise the limit", path, len(mesh.Verts), err)
		return
	}
	l.builder.AddDeformable(name, spec)
	l.pictures.colors[name] = cmp.Or(s.Color, material.Color)
}
