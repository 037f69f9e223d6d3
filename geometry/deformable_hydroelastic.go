package geometry

import (
	"slices"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// Contact of a deformable with a rigid body that has a pressure field. The field's cells
// cut the faces of the surface, on which the pressure is then linear. The deformable's
// own pressure gradient g_B acts in series with the field: where the undeformed surface
// is δ deep, the pressure is
//
//	p = δ/(1/g + 1/g_B),  φ = −p/g = −δ                                   (1)
//
// with g the gradient of the field along the face's normal, Contact.PressureGradient. A
// field much stiffer than g_B is a rigid shape, one much softer presses with its own
// pressure. Faces are pressed along their own normals: edges and corners of the rigid
// body add no directions of their own, which would brake the surface as it slides.
//
// Cells of one face share its normal, so that a face makes two contacts at most: the
// parts in contact, and those within the field's margin. With areas A_i
//
//	A = Σ A_i,  g = Σ A_i g_i/A,  φ = Σ A_i g_i φ_i/(A g)                  (2)
//
// keeps force and stiffness. Beyond the margin the distance to the shape is used.

// facePressure is the sum over the cells that one face meets.
type facePressure struct {
	// Σ A (m²), Σ A g (N/m), Σ A g φ (N)
	area, stiffness, force float64
	// Σ A x, m³
	center_W r3.Vec
	// Σ A w_i w_j of the triangle's weights, see deformable_parent.go, m²
	products products
}

// add adds the face of one cell.
func (p *facePressure) add(f *hydroelastic.Face) {
	k := f.Area * f.PressureGradientA
	p.area += f.Area
	p.stiffness += k
	p.force += k * f.Phi
	p.center_W = p.center_W.AddScaled(f.Area, f.Pos_W)
}

// asBody returns the surface as one side of a hydroelastic contact, at its present place.
func (s *deformableSurface) asBody() *hydroelastic.Rigid {
	m := s.dist.Mesh()
	switch {
	case s.moving == nil:
		s.moving = hydroelastic.NewMovingSurface(m.Verts, m.Tris)
	case !s.moved:
		s.moving.Move(m.Verts)
	}
	s.moved = true
	return s.moving.Rigid()
}

// hydroelasticDeformableContacts appends the contacts of a geom with a pressure field (A)
// and a deformable (B).
func (s *Data) hydroelasticDeformableContacts(geom, soft int, margin float64) {
	g, b := &s.Model.Geoms[geom], &s.deformables[soft]
	s.queries[0].Contact(g.Field, b.asBody(), s.geoms[geom].X_WG, r3.PoseIdentity(), &s.pressure)
	// Faces of the contact surface, by triangle of the deformable.
	faces := s.pressure.Faces
	slices.SortStableFunc(faces, func(f, g hydroelastic.Face) int { return int(f.Elem[1]) - int(g.Elem[1]) })
	from := len(s.contacts)
	for i := 0; i < len(faces); {
		tri := faces[i].Elem[1]
		// parts in contact, parts ahead
		var parts [2]facePressure
		for ; i < len(faces) && faces[i].Elem[1] == tri; i++ {
			k := 0
			if faces[i].Phi > 0 {
				k = 1
			}
			parts[k].add(&faces[i])
			if b.parent(tri) != nil {
				_, x, y, z := b.corners(tri)
				parts[k].addProducts(&faces[i], s.pressure.Verts_W, x, y, z)
			}
		}
		if !b.isActive(tri) {
			continue
		}
		for k := range parts {
			p := &parts[k]
			if p.stiffness == 0 || k == 1 && parts[0].area > 0 && p.force > s.moving*p.stiffness {
				// A triangle in contact keeps the parts ahead that it reaches by moving.
				continue
			}
			s.addFacePressure(geom, b, tri, p)
		}
	}
	// Contacts beyond the field's margin, and all in the order of triangles.
	s.addBeyondMargin(geom, b, margin, from)
	slices.SortStableFunc(s.contacts[from:], compareElem)
}

// addFacePressure appends the contact (2).
func (s *Data) addFacePressure(geom int, b *deformableSurface, tri int32, p *facePressure) {
	g := &s.Model.Geoms[geom]
	_, x, y, z := b.corners(tri)
	for i := range p.products {
		p.products[i] /= p.area
	}
	f := b.face(tri, r3.Barycentric(p.center_W.Scale(1/p.area), x, y, z), &p.products)
	s.contacts = append(s.contacts, Contact{
		A:                MaterialPoint{Body: g.Body, Pos_W: f.Pos_W},
		B:                f,
		Materials:        [2]int{g.Material, b.spec.Material},
		Pos_W:            f.Pos_W,
		Normal_W:         b.dist.FaceNormal(tri).Neg(),
		Phi:              p.force / p.stiffness,
		Area:             p.area,
		PressureGradient: p.stiffness / p.area,
		Elem:             [2]int32{int32(geom), tri},
	})
}

// addBeyondMargin appends the contacts beyond the field's margin, up to the given margin;
// contacts from index from on are those of the field.
func (s *Data) addBeyondMargin(geom int, b *deformableSurface, margin float64, from int) {
	g := &s.Model.Geoms[geom]
	fieldMargin := marginOf(g)
	if margin <= fieldMargin {
		return
	}
	ahead := len(s.contacts)
	slope := g.Field.(interface{ PressureGradient() float64 }).PressureGradient()
	s.clipFaces(geom, b, margin, true)
	// A triangle in contact keeps those that it reaches by moving.
	field, kept := s.contacts[from:ahead], s.contacts[:ahead]
	for _, c := range s.contacts[ahead:] {
		if c.Phi <= fieldMargin {
			continue
		}
		i, found := slices.BinarySearchFunc(field, c.Elem[1], func(c Contact, tri int32) int { return int(c.Elem[1]) - int(tri) })
		if !found || field[i].Phi > 0 || c.Phi <= s.moving {
			c.PressureGradient = slope
			kept = append(kept, c)
		}
	}
	s.contacts = kept
}
