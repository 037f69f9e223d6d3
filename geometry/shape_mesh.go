package geometry

// A solid of any form is given by its surface: its distance is that to the nearest
// triangle, with the sign of the angle-weighted normal there (Bærentzen and Aanæs 2005),
// and it touches with the vertices and edges that stick out (features.go).

import (
	"fmt"
	"slices"
	"sync"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Mesh is the solid inside a closed triangle surface of any form: holes, hooks and bowls
// are kept, not filled as by a convex hull.
type Mesh struct {
	surface *meshes.Tri
	bounds  r3.Box
	// made where the solid first comes near another
	tables *meshTables
	// tetrahedra of WithTets, or nil
	tets *meshes.Tet
}

// meshTables are what searches on a surface read. Most meshes of a robot touch nothing in a run, and the tables of
// detailed ones take longer to make than the files to read: they wait for the first search, by whatever goroutine.
type meshTables struct {
	distances, sticksOut sync.Once
	// distances to the surface
	dist *meshes.Distance
	// vertices and edges that stick out
	features *features
}

// distance returns the distances to the surface.
func (s *Mesh) distance() *meshes.Distance {
	s.tables.distances.Do(func() { s.tables.dist = meshes.NewDistance(s.surface) })
	return s.tables.dist
}

// features returns the vertices and edges that stick out.
func (s *Mesh) features() *features {
	s.tables.sticksOut.Do(func() { s.tables.features = findFeatures(s.surface) })
	return s.tables.features
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
	s := &Mesh{surface: m, bounds: r3.EmptyBox(), tables: &meshTables{}}
	for _, t := range m.Tris {
		for _, v := range t {
			s.bounds = s.bounds.Extend(m.Verts[v])
		}
	}
	return s, nil
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

// closedByIndex reports whether every edge runs as often one way as the other, as vertices are numbered. Edges are
// counted at their lower vertex, in lists, which takes a tenth of the time of a map; it is false as well where such a
// list is long.
func closedByIndex(m *meshes.Tri) bool {
	from := make([]int32, len(m.Verts)+1)
	for _, t := range m.Tris {
		for k := range t {
			from[min(t[k], t[(k+1)%3])+1]++
		}
	}
	for i := range m.Verts {
		from[i+1] += from[i]
	}
	// the other vertex of each edge, negative where the edge runs down
	other, next := make([]int32, 3*len(m.Tris)), slices.Clone(from)
	for _, t := range m.Tris {
		for k := range t {
			a, b := t[k], t[(k+1)%3]
			at := min(a, b)
			if other[next[at]] = b; a > b {
				other[next[at]] = -1 - a
			}
			next[at]++
		}
	}
	for i := range m.Verts {
		list := other[from[i]:from[i+1]]
		if len(list) > longList {
			return false
		}
		for _, x := range list {
			balance := 0
			for _, y := range list {
				if y == x {
					balance++
				} else if y == -1-x {
					balance--
				}
			}
			if balance != 0 && x != int32(i) && x != -1-int32(i) {
				return false
			}
		}
	}
	return true
}

// longList is the number of edges at a vertex from which a map is the faster way.
const longList = 200

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
	// Where each edge by index has a partner, so has each by position.
	if closedByIndex(m) {
		return nil
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
func (s *Mesh) Bounds() r3.Box { return s.bounds }

// SignedDistance returns the distance (m) from p_G to the surface, negative
// inside, and its unit gradient.
func (s *Mesh) SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec) {
	phi, _, _, _, grad = s.distance().Signed(p_G)
	return phi, grad
}

// SurfaceMesh returns the mesh itself, which must not be changed.
func (s *Mesh) SurfaceMesh() *meshes.Tri { return s.surface }
