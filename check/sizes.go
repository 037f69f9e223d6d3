package check

// Sizes of shapes and meshes that depths and margins are compared with.
//
// Sizes are those of bounding boxes in the shape's own axes: warnings compare orders of
// magnitude, for which they are accurate enough.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
)

// leastExtent returns the least extent of a shape's bounds, m; +Inf of a
// half-space.
func leastExtent(g *geometry.Geom) float64 {
	if _, endless := g.Shape.(geometry.HalfSpace); endless {
		return math.Inf(1)
	}
	d := g.Shape.Bounds().Size()
	return min(d[0], d[1], d[2])
}

// diagonal returns the length of the diagonal of a shape's bounds, m; +Inf of a half-space.
func diagonal(g *geometry.Geom) float64 {
	if _, endless := g.Shape.(geometry.HalfSpace); endless {
		return math.Inf(1)
	}
	return g.Shape.Bounds().Size().Norm()
}

// leastOf returns the least extent of a mesh's bounds, m: that of a body's outline, which its
// walls may be much thinner than.
func leastOf(m *meshes.Tet) float64 {
	d := m.Bounds().Size()
	return min(d[0], d[1], d[2])
}

// largestOf returns the largest extent of a mesh's bounds, m.
func largestOf(m *meshes.Tet) float64 {
	d := m.Bounds().Size()
	return max(d[0], d[1], d[2])
}

// meanEdge returns the mean length of the edges of a mesh's tetrahedra, m. Each edge counts
// once for each tet that has it: an estimate of the element size.
func meanEdge(m *meshes.Tet) float64 {
	sum, n := 0.0, 0
	for _, t := range m.Tets {
		for i := range 4 {
			for j := range i {
				sum += m.Verts[t[i]].Sub(m.Verts[t[j]]).Norm()
				n++
			}
		}
	}
	return sum / math.Max(1, float64(n))
}
