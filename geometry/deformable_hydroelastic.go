package geometry

import (
	"slices"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// Contact of a deformable with a rigid body that has a pressure field. The field's
// cells cut the faces of the surface, on which the pressure is then linear, and the
// deformable's own contact layer yields in series with the field: where the
// undeformed surface is δ deep, of p = g δ, the pressure is
//
//	p = δ/(1/g + 1/g_layer),  φ = −p/g = −δ                               (1)
//
// g the gradient of the field along the face's normal, Contact.Grad. A field much
// stiffer than the layer is a rigid shape, one much softer presses with its own
// pressure. What is pressed is pressed along its own normal: edges and corners of
// the rigid body make no directions of theirs for it to catch on.
//
// Cells of one face share its normal, so that a face makes two contacts at most:
// the parts that press, and those in the field's skirt. With areas A_i
//
//	A = Σ A_i,  g = Σ A_i g_i/A,  φ = Σ A_i g_i φ_i/(A g)                  (2)
//
// keeps force and stiffness. Beyond the skirt the distance to the shape serves.

// pressedPart is what the cells have in common with one face.
type facePressure struct {
	area, stiffness, force float64 // Σ A, Σ A g, Σ A g φ
	center_W               r3.Vec  // Σ A x
}

func (p *facePressure) add(f *hydroelastic.Face) {
	k := f.Area * f.PressureGradientA
	p.area += f.Area
	p.stiffness += k
	p.force += k * f.Phi
	p.center_W = p.center_W.AddScaled(f.Area, f.Pos_W)
}

// asBody returns the surface as hydroelastic takes it, where it is now.
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

// softPressed appends the contacts of a geom with a pressure field (A) and a
// deformable (B).
func (s *Data) hydroelasticDeformableContacts(geom, soft int, margin float64) {
	g, b := &s.Model.Geoms[geom], &s.deformables[soft]
	s.queries[0].Contact(g.Field, b.asBody(), s.geoms[geom].X_WG, r3.PoseIdentity(), &s.pressure)
	faces := s.pressure.Faces
	slices.SortStableFunc(faces, func(f, g hydroelastic.Face) int { return int(f.Elem[1]) - int(g.Elem[1]) })
	from := len(s.contacts)
	for i := 0; i < len(faces); {
		tri := faces[i].Elem[1]
		var parts [2]facePressure // what presses, what is ahead
		for ; i < len(faces) && faces[i].Elem[1] == tri; i++ {
			k := 0
			if faces[i].Phi > 0 {
				k = 1
			}
			parts[k].add(&faces[i])
		}
		if !b.isActive(tri) {
			continue
		}
		for k := range parts {
			p := &parts[k]
			if p.stiffness == 0 || k == 1 && parts[0].area > 0 && p.force > s.moving*p.stiffness {
				continue // of what presses already, what is farther than it moves
			}
			s.addFacePressure(geom, b, tri, p)
		}
	}
	s.addBeyondMargin(geom, b, margin, from)
	slices.SortStableFunc(s.contacts[from:], compareElem)
}

// pressedContact appends (2).
func (s *Data) addFacePressure(geom int, b *deformableSurface, tri int32, p *facePressure) {
	g := &s.Model.Geoms[geom]
	_, x, y, z := b.corners(tri)
	f := b.feature(tri, r3.Barycentric(p.center_W.Scale(1/p.area), x, y, z))
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

// beyondSkirt appends what is ahead of the field's skirt, as far as the margin;
// contacts from the given one on are those of the field.
func (s *Data) addBeyondMargin(geom int, b *deformableSurface, margin float64, from int) {
	g := &s.Model.Geoms[geom]
	skirt := marginOf(g)
	if margin <= skirt {
		return
	}
	ahead := len(s.contacts)
	slope := g.Field.(interface{ PressureGradient() float64 }).PressureGradient()
	s.clipFaces(geom, b, margin, true)
	field, kept := s.contacts[from:ahead], s.contacts[:ahead]
	for _, c := range s.contacts[ahead:] {
		if c.Phi <= skirt {
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
