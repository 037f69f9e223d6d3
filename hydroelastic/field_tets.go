package hydroelastic

// Field of a mesh of tetrahedra. The exact distance to the boundary at the vertices is
// interpolated linearly, which needs a vertex inside in each tetrahedron that touches the
// boundary, and two depths at least in every tetrahedron.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// NewTets returns the field of any solid of tetrahedra. With d the distance of a vertex
// to the boundary and r the radius of the largest ball inside
//
//	p = E d/r
//
// exactly 0 on the boundary. Tetrahedra, faces and edges inside whose vertices all lie on
// the boundary are split first, because they would have no pressure; and so are
// tetrahedra of constant pressure. The margin is a layer of further tetrahedra.
// ResolutionHint is not used.
func NewTets(m *meshes.Tet, opt Options) (*Compliant, error) {
	return newTets("tets", m, opt)
}

// newTets is NewTets; shape is the name in messages.
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
	// Faults of the mesh, such as inverted tetrahedra.
	report := repair.CheckTet(m)
	if err := report.Err(); err != nil {
		return nil, fmt.Errorf("hydroelastic: %s: %w", shape, err)
	}
	// Each tetrahedron needs a vertex inside, and a gradient.
	m, _, err = meshes.SplitBoundary(m, meshes.SplitOptions{Edges: true, Faces: true})
	if err != nil {
		return nil, fmt.Errorf("hydroelastic: %s: %w", shape, err)
	}
	dist := newDepths(m)
	dist.splitPlateaus()
	depth := dist.deepest()
	b, err := buildTets(m, dist.of, depth, opt)
	if err != nil {
		return nil, fmt.Errorf("hydroelastic: %s: %w", shape, err)
	}
	if err := opt.checkCells(shape, float64(len(b.cells))); err != nil {
		return nil, err
	}
	return b.build(opt, depth), nil
}

// buildTets returns the cells of a mesh, given the depths of its vertices and the greatest
// depth, m, with the margin layer around them.
func buildTets(m *meshes.Tet, depths []float64, greatest float64, opt Options) (*builder, error) {
	b := &builder{verts: m.Verts, p: make([]float64, len(m.Verts))}
	// The pressure at a vertex is proportional to its depth.
	for i, d := range depths {
		b.p[i] = opt.HydroelasticModulus * (d / greatest)
	}
	for _, t := range m.Tets {
		if err := b.tet(t); err != nil {
			return nil, err
		}
	}
	if opt.Margin > 0 {
		tris, _ := m.Boundary()
		b.addMarginLayer(tris, opt.Margin, opt.HydroelasticModulus/greatest)
	}
	return b, nil
}

// depths are the distances of a mesh's vertices to its boundary.
type depths struct {
	mesh    *meshes.Tet
	surface *meshes.Distance
	// triangle of the last answer, from which the next search starts
	near int32
	// depth of each vertex, m; exactly 0 on the boundary
	of []float64
}

// newDepths measures all vertices of a mesh.
func newDepths(m *meshes.Tet) *depths {
	// Vertices of the boundary have depth 0 exactly.
	surface, from := m.Surface()
	on := make([]bool, len(m.Verts))
	for i := range surface.Verts {
		v := i
		if from != nil {
			v = int(from[i])
		}
		on[v] = true
	}
	d := &depths{mesh: m, surface: meshes.NewDistance(surface), near: -1}
	for i, x := range m.Verts {
		d.add(x, on[i])
	}
	return d
}

// add appends the depth of a vertex; on reports that it lies on the boundary.
func (d *depths) add(x r3.Vec, on bool) {
	if on {
		d.of = append(d.of, 0)
		return
	}
	// Inside by construction: a negative sign is round-off.
	d.of = append(d.of, math.Abs(d.at(x)))
}

// at returns the depth of any point, m, negative outside.
func (d *depths) at(x r3.Vec) float64 {
	phi, _, near, _, _ := d.surface.SignedFrom(x, d.near)
	d.near = near
	return -phi
}

// deepest returns the depth of the innermost points, the radius of the largest ball that
// fits, m: from the deepest vertices on, by steps along the axes and the diagonals, which
// are halved when none leads deeper. The gradient of the field is then that of the shape
// and does not depend on where the mesh has vertices.
func (d *depths) deepest() float64 {
	const starts, finest = 8, 1e-6
	// Vertices from the deepest on.
	order := make([]int, len(d.of))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(d.of[j], d.of[i]) })
	best := d.of[order[0]]
	// Climb from each of the deepest vertices.
	for _, v := range order[:min(starts, len(order))] {
		x, depth := d.mesh.Verts[v], d.of[v]
		for step := depth / 2; step > finest*best; {
			moved := false
			// All combinations of −1, 0 and 1 along the axes.
			for k := range 27 {
				y := x.AddScaled(step, r3.Vec{float64(k%3 - 1), float64(k/3%3 - 1), float64(k/9 - 1)})
				if e := d.at(y); e > depth*(1+finest) {
					x, depth, moved = y, e, true
				}
			}
			if !moved {
				step /= 2
			}
		}
		best = max(best, depth)
	}
	return best
}

// plateau is the range of depths in a tetrahedron over its longest edge below which its
// pressure counts as constant.
const plateau = 0.01

// splitPlateaus splits the tetrahedra whose vertices are all equally deep, as in the
// middle of a coarse mesh, into four at their centroids, which are deeper.
func (d *depths) splitPlateaus() {
	m := d.mesh
	for i := range len(m.Tets) {
		t := m.Tets[i]
		// Range of depths, longest edge and centroid.
		lo, hi, edge2 := d.of[t[0]], d.of[t[0]], 0.0
		var mid r3.Vec
		for k, v := range t {
			lo, hi = min(lo, d.of[v]), max(hi, d.of[v])
			mid = mid.AddScaled(0.25, m.Verts[v])
			for _, w := range t[:k] {
				edge2 = max(edge2, m.Verts[v].Sub(m.Verts[w]).Norm2())
			}
		}
		if (hi-lo)*(hi-lo) > plateau*plateau*edge2 {
			continue
		}
		// The centroid becomes a vertex.
		v := int32(len(m.Verts))
		m.Verts = append(m.Verts, mid)
		d.add(mid, false)
		m.Split(i, v)
	}
}
