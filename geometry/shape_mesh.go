package geometry

// A solid of any form is given by its surface: its distance is that to the nearest
// triangle, with the sign of the angle-weighted normal there (Bærentzen and Aanæs 2005),
// and it touches with the vertices and edges that stick out (features.go).

import (
	"fmt"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Mesh is the solid inside a closed triangle surface of any form: holes, hooks and bowls
// are kept, not filled as by a convex hull.
type Mesh struct {
	// distances to the surface
	dist *meshes.Distance
	// vertices and edges that stick out
	features *features
	// tetrahedra of WithTets, or nil
	tets *meshes.Tet
}

var _ Shape = (*Mesh)(nil)

var _ = Shapes.Register(kinds.Kind[ShapeSpec]{
	Name: "mesh",
	Doc:  "Inside of a closed surface of any form: holes, hooks and bowls are kept.",
	New:  func() ShapeSpec { return &MeshSpec{} },
	Samples: func() []ShapeSpec {
		return []ShapeSpec{&MeshSpec{"wedge"}, &MeshSpec{"block"}}
	},
})

// MeshSpec are the parameters of a mesh.
type MeshSpec struct {
	// Mesh is the name of the mesh, whose surface must be closed.
	Mesh string `key:"mesh,required" doc:"closed surface" ref:"mesh"`
}

// Make implements ShapeSpec.
func (s *MeshSpec) Make(m MeshSource) (Shape, error) {
	solid, err := m.Solid(s.Mesh)
	if err != nil {
		return nil, err
	}
	return solid, nil
}

// NewMesh returns the solid inside m, which is kept and must not change. A surface that
// does not enclose a solid is an error; triangles may share vertices by index or by
// position.
func NewMesh(m *meshes.Tri) (*Mesh, error) {
	// Each fault of the surface has a message of its own.
	if len(m.Tris) == 0 {
		return nil, fmt.Errorf("geometry: mesh has no triangles")
	}
	for i, p := range m.Verts {
		if !p.IsFinite() {
			return nil, fmt.Errorf("geometry: mesh vertex %d is at %v: coordinates must be finite", i, p)
		}
	}
	if err := checkClosed(m); err != nil {
		return nil, err
	}
	if v := m.Volume(); !(v > 0) {
		return nil, fmt.Errorf("geometry: mesh encloses %g m³: its triangles must be counter-clockwise seen from outside; flip them", v)
	}
	return &Mesh{dist: meshes.NewDistance(m), features: findFeatures(m)}, nil
}

// WithTets returns the solid with tetrahedra that fill it, which its pressure field is
// built on. m is kept and must not change; nil leaves the field to fill the surface.
func (s *Mesh) WithTets(m *meshes.Tet) *Mesh {
	t := *s
	t.tets = m
	return &t
}

// PressureField implements FieldMaker: p grows with the distance to the surface, on the
// tetrahedra of WithTets or on some that are made here.
func (s *Mesh) PressureField(opt hydroelastic.Options) (hydroelastic.Geometry, error) {
	if s.tets != nil {
		return hydroelastic.NewTets(s.tets, opt)
	}
	return hydroelastic.NewFromSurface(s.SurfaceMesh(), opt)
}

// weld returns for each vertex the first vertex at the same position.
func weld(m *meshes.Tri) []int32 {
	// First vertex at each position.
	place := make(map[r3.Vec]int32, len(m.Verts))
	first := make([]int32, len(m.Verts))
	for i, p := range m.Verts {
		if _, ok := place[p]; !ok {
			place[p] = int32(i)
		}
		first[i] = place[p]
	}
	return first
}

// checkClosed returns an error unless every edge runs as often one way as the other:
// once, or more often where parts of the solid touch.
func checkClosed(m *meshes.Tri) error {
	// Indices must exist before edges can be compared.
	for i, t := range m.Tris {
		for _, v := range t {
			if v < 0 || int(v) >= len(m.Verts) {
				return fmt.Errorf("geometry: mesh triangle %d names vertex %d of %d", i, v, len(m.Verts))
			}
		}
	}
	// Count the directed edges, by position.
	first := weld(m)
	balance := make(map[[2]int32]int, 3*len(m.Tris)/2)
	for _, t := range m.Tris {
		for k := range t {
			// +1 for one direction, −1 for the other.
			if a, b := first[t[k]], first[t[(k+1)%3]]; a < b {
				balance[[2]int32{a, b}]++
			} else if a > b {
				balance[[2]int32{b, a}]--
			}
		}
	}
	// Edges out of balance, for the message.
	open, at := 0, -1
	for i, t := range m.Tris {
		for k := range t {
			a, b := first[t[k]], first[t[(k+1)%3]]
			if balance[[2]int32{min(a, b), max(a, b)}] != 0 {
				open++
				if at < 0 {
					at = i
				}
			}
		}
	}
	if open > 0 {
		return fmt.Errorf("geometry: mesh is not closed: %d triangle edges have no partner that runs the other way, the first on triangle %d; close the holes and orient the triangles alike", open, at)
	}
	return nil
}

// Bounds returns the bounds of the surface in G, m.
func (s *Mesh) Bounds() r3.Box { return s.dist.Tree().Bounds() }

// SignedDistance returns the distance (m) from p_G to the surface, negative
// inside, and its unit gradient.
func (s *Mesh) SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec) {
	phi, _, _, _, grad = s.dist.Signed(p_G)
	return phi, grad
}

// SurfaceMesh returns the mesh itself, which must not be changed.
func (s *Mesh) SurfaceMesh() *meshes.Tri { return s.dist.Mesh() }
