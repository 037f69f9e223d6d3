package scene

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// buildDeformables makes the deformable bodies; where they start is known once
// the rigid bodies are placed, see placeDeformables.
func (b *builder) buildDeformables() {
	for _, name := range b.f.Deformables.Keys {
		s := b.f.Deformables.Get(name)
		mesh := b.tets(s.Pos, s.Mesh)
		mat, ok := b.material(s.Pos, s.Material)
		if mesh == nil || !ok {
			continue
		}
		spec := b.materialSpec(s.Material)
		law, err := spec.elastic()
		if err != nil {
			continue // said with the material
		}
		model, err := fem.NewModel(fem.Spec{
			Name: name, Mesh: mesh, Law: law,
			Density:          value(spec.Density, defaultDensity),
			MassDamping:      value(spec.MassDamping, 0),
			StiffnessDamping: value(spec.StiffnessDamping, 0),
			Fixed:            b.fixedVertices(name, s, mesh),
		})
		if err != nil {
			b.fail(s.Pos, "deformables.%s: %v", name, err)
			continue
		}
		tris, owner := mesh.Boundary()
		b.softs[name] = len(b.softSpecs)
		b.softSpecs = append(b.softSpecs, s)
		b.softGeoms = append(b.softGeoms, geometry.Deformable{
			Name: name, NumVerts: len(mesh.Verts), Tris: tris, Tets: owner, Material: mat,
		})
		if s.SelfContact {
			b.softGeoms[len(b.softGeoms)-1].Self = geometry.NewSelfContact(mesh, tris)
		}
		b.model.Deformables = append(b.model.Deformables, model)
		b.checkColor(s.Pos, "deformables."+name, s.Color)
		color := s.Color
		if color == "" {
			color = spec.Color
		}
		b.static.Deformables = append(b.static.Deformables, record.Deformable{
			Name: name, Color: color, Rest: mesh.Verts, Tets: mesh.Tets, Tris: tris,
		})
	}
}

// in reports whether a point lies within the region.
func (r *Region) in(p r3.Vec) bool {
	const eps = 1e-9 // m, so that bounds on a mesh's planes include them
	return p[0] >= value(r.XMin, math.Inf(-1))-eps && p[0] <= value(r.XMax, math.Inf(1))+eps &&
		p[1] >= value(r.YMin, math.Inf(-1))-eps && p[1] <= value(r.YMax, math.Inf(1))+eps &&
		p[2] >= value(r.ZMin, math.Inf(-1))-eps && p[2] <= value(r.ZMax, math.Inf(1))+eps
}

// selected returns the vertices of a region, and complains when there are none.
func (b *builder) selected(a *Attach, mesh *meshes.Tet) []int32 {
	var verts []int32
	for i, p := range mesh.Verts {
		if a.Where.in(p) {
			verts = append(verts, int32(i))
		}
	}
	if len(verts) == 0 {
		box := mesh.Bounds()
		b.fail(a.Pos, "attach: no vertex lies in this region; the mesh spans %.4g to %.4g m", box.Min, box.Max)
	}
	return verts
}

// neverMoves reports whether a body is the world or one that is fixed.
func (b *builder) neverMoves(name string) bool {
	s := b.f.Bodies.Get(name)
	return name == "world" || s != nil && s.Fixed
}

// fixedVertices are those attached to what never moves. It also checks all
// attachments of the deformable.
func (b *builder) fixedVertices(name string, s *Deformable, mesh *meshes.Tet) []int32 {
	var fixed []int32
	owner := map[int32]int{}
	for i := range s.Attach {
		a := &s.Attach[i]
		if a.Body == "" {
			b.fail(a.Pos, "deformables.%s.attach: body is wanted, a rigid body or world", name)
		}
		verts := b.selected(a, mesh)
		for _, v := range verts {
			if first, twice := owner[v]; twice {
				b.fail(a.Pos, "deformables.%s.attach: the vertex at %.4g m is attached to %s already: regions must not overlap", name, mesh.Verts[v], s.Attach[first].Body)
				break
			}
			owner[v] = i
		}
		if b.neverMoves(a.Body) {
			fixed = append(fixed, verts...)
		}
	}
	return fixed
}

// placeDeformables sets their initial positions and velocities, and attaches
// vertices to bodies where they are then.
func (b *builder) placeDeformables() {
	m := b.model
	for i := range b.softGeoms {
		b.softGeoms[i].Body = m.Rigid.NumLinks() + i
	}
	poseOf := b.placed()
	for i, s := range b.softSpecs {
		frame, ok := b.rigidBody(s.Pos, s.Frame)
		if !ok {
			continue
		}
		X_WM := poseOf(frame).Mul(b.pose(&s.Pose))
		if m.Deformables[i].Spec().Law.Class() == fem.Linear && X_WM.R.Sub(r3.Identity()).Norm2() > 1e-20 {
			b.fail(s.Pos, "deformables.%s: the law linear takes rotation for strain, so the body must start unrotated: use the law corotational, or turn the mesh itself", b.softGeoms[i].Name)
			continue
		}
		b.softPose = append(b.softPose, X_WM)
		mesh := m.Deformables[i].Mesh()
		placed := make([]r3.Vec, len(mesh.Verts))
		for j, p := range mesh.Verts {
			placed[j] = X_WM.Point(p)
			m.Start.Q = append(m.Start.Q, placed[j][:]...)
			v := r3.Vec(s.Velocity)
			if m.Deformables[i].Node(int32(j)) < 0 {
				v = r3.Vec{}
			}
			m.Start.V = append(m.Start.V, v[:]...)
		}
		for k := range s.Attach {
			a := &s.Attach[k]
			if b.neverMoves(a.Body) {
				continue
			}
			body, ok := b.rigidBody(a.Pos, a.Body)
			if !ok {
				continue
			}
			verts := b.selected(a, mesh)
			at := make([]r3.Vec, len(verts))
			for n, v := range verts {
				at[n] = placed[v]
			}
			c, err := constraints.NewFixed(m.Rigid.NumLinks()+i, verts, at, body, poseOf(body))
			if err != nil {
				b.fail(a.Pos, "attach: %v", err)
				continue
			}
			m.Constraints = append(m.Constraints, c)
		}
	}
}
