package hydroelastic

import (
	"fmt"

	"curlfree/meshes"
	"curlfree/r3"
)

// NewTets returns the field of any solid of tetrahedra,
//
//	p = E · distance of the vertex to the boundary / the largest such distance
//
// exactly 0 on the boundary. Tetrahedra, faces and edges inside whose vertices
// all lie on the boundary are split first: they would have no pressure. The skirt
// is a layer of further tetrahedra. Hint plays no role.
func NewTets(m *meshes.Tet, opt Options) (*Compliant, error) {
	return newTets("tets", m, opt)
}

func newTets(shape string, m *meshes.Tet, opt Options) (*Compliant, error) {
	if err := checkMesh(shape, m.Verts, len(m.Tets), func(i int) []int32 { return m.Tets[i][:] }); err != nil {
		return nil, err
	}
	if len(m.Tets) == 0 {
		return nil, fmt.Errorf("hydroelastic: %s: the mesh has no tetrahedra", shape)
	}
	opt, err := opt.checked(shape, m.Bounds().Size().Norm())
	if err != nil {
		return nil, err
	}
	report := meshes.CheckTet(m)
	if err := report.Err(); err != nil {
		return nil, fmt.Errorf("hydroelastic: %s: %w", shape, err)
	}
	m, _, err = meshes.SplitBoundary(m, meshes.SplitOptions{Edges: true, Faces: true})
	if err != nil {
		return nil, fmt.Errorf("hydroelastic: %s: %w", shape, err)
	}
	dist, depth := boundaryDistance(m)
	b := &builder{verts: m.Verts, p: make([]float64, len(m.Verts))}
	for i, d := range dist {
		b.p[i] = opt.Modulus * d / depth
	}
	for _, t := range m.Tets {
		if err := b.tet(t); err != nil {
			return nil, fmt.Errorf("hydroelastic: %s: %w", shape, err)
		}
	}
	if opt.Margin > 0 {
		tris, _ := m.Boundary()
		b.skirt(tris, opt.Margin, opt.Modulus/depth)
	}
	if err := opt.checkCells(shape, float64(len(b.cells))); err != nil {
		return nil, err
	}
	return b.build(opt, depth), nil
}

// boundaryDistance returns how deep each vertex is, 0 exactly on the boundary,
// and the largest of these, m.
func boundaryDistance(m *meshes.Tet) (dist []float64, depth float64) {
	surface, from := m.Surface()
	on := make([]bool, len(m.Verts))
	for i := range surface.Verts {
		v := i
		if from != nil {
			v = int(from[i])
		}
		on[v] = true
	}
	d := meshes.NewDistance(surface)
	dist = make([]float64, len(m.Verts))
	near := int32(-1)
	for i, x := range m.Verts {
		if on[i] {
			continue
		}
		var q r3.Vec
		_, q, near, _, _ = d.SignedFrom(x, near)
		dist[i] = x.Sub(q).Norm() // inside by construction
		depth = max(depth, dist[i])
	}
	return dist, depth
}
