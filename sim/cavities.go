package sim

import (
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/internal/unionfind"
)

// cavities reports for each vertex whether it is on a closed surface inside of the body: a
// connected part of the boundary that encloses a negative volume,
//
//	V = ⅙ Σ (x_a × x_b)·x_c
//
// over its triangles at rest, whose normals point out of the material and so into a cavity.
func cavities(m *fem.Model) []bool {
	tris, _ := m.Boundary()
	sets := unionfind.New(m.NumVerts())
	for _, t := range tris {
		sets.Union(t[0], t[1])
		sets.Union(t[0], t[2])
	}
	verts := m.Mesh().Verts
	volume := make([]float64, len(verts))
	for _, t := range tris {
		volume[sets.Find(t[0])] += verts[t[0]].Cross(verts[t[1]]).Dot(verts[t[2]]) // 6 V: only the sign counts
	}
	inside := make([]bool, len(verts))
	for _, t := range tris {
		for _, v := range t {
			inside[v] = volume[sets.Find(v)] < 0
		}
	}
	return inside
}
