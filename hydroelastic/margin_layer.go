package hydroelastic

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// The margin layer of a mesh consists of prisms between its boundary, where the pressure
// is 0, and the boundary moved outwards. A vertex moves by the least u that keeps the
// margin δ to the planes of all its faces,
//
//	min ½|u|²  subject to  n_f·u ≥ δ                                       (1)
//
// Each prism is split into three tetrahedra by its smallest vertex numbers, so that
// neighbours agree. The pressure falls with the gradient s of the field inside,
//
//	p = −s min_f n_f·u                                                    (2)

const (
	// maxShift bounds |u| over δ, at sharp corners.
	maxShift = 3
	// shiftSweeps is the number of Gauss–Seidel sweeps over the faces of a vertex for
	// (1).
	shiftSweeps = 200
	// shrinkings is how often the shift of the vertices of an inverted tetrahedron is
	// halved before the tetrahedron is left out.
	shrinkings = 6
)

// addMarginLayer adds the layer around the outward boundary triangles; slope is s, Pa/m.
func (b *builder) addMarginLayer(tris [][3]int32, margin, slope float64) {
	verts, normals, index := b.boundaryNormals(tris)
	// Shifted vertices and the prisms between.
	shift := make([]r3.Vec, len(verts))
	for i := range shift {
		shift[i] = outward(normals[i]).Scale(margin)
	}
	// Shifted vertices follow those of the mesh, in the order of verts.
	first := int32(len(b.verts))
	// Shifted vertices.
	for i, v := range verts {
		b.verts, b.p = append(b.verts, b.verts[v].Add(shift[i])), append(b.p, 0)
	}
	prisms := make([][3][4]int32, len(tris))
	for k, t := range tris {
		prisms[k] = prism(t, [3]int32{first + index[t[0]], first + index[t[1]], first + index[t[2]]})
	}
	// Halve the shifts that invert tetrahedra, then set the pressures (2).
	b.untangle(prisms, first, verts)
	for i, v := range verts {
		outer := first + int32(i)
		// Halved shifts reach less high than the margin.
		height := min(margin, leastHeight(normals[i], b.verts[outer].Sub(b.verts[v])))
		b.p[outer] = -slope * max(height, 0) // (2)
	}
	for _, p := range prisms {
		for _, t := range p {
			if volume6(b.verts, t) > 0 {
				// A flat tetrahedron has no part of the contact surface.
				_ = b.tet(t)
			}
		}
	}
}

// leastHeight returns the least height of a shift u (m) over faces with the given unit
// normals, min_f n_f·u of (2), m.
func leastHeight(normals []r3.Vec, u r3.Vec) float64 {
	least := math.Inf(1)
	for _, n := range normals {
		least = min(least, n.Dot(u))
	}
	return least
}

// boundaryNormals returns the vertices of the boundary in the order in which triangles
// name them, the unit normals of the faces at each, and the place of each vertex in these
// lists.
func (b *builder) boundaryNormals(tris [][3]int32) (verts []int32, normals [][]r3.Vec, index map[int32]int32) {
	index = map[int32]int32{}
	for _, t := range tris {
		n := r3.TriangleNormal(b.verts[t[0]], b.verts[t[1]], b.verts[t[2]]).Unit()
		for _, v := range t {
			i, ok := index[v]
			if !ok {
				i = int32(len(verts))
				index[v] = i
				verts, normals = append(verts, v), append(normals, nil)
			}
			normals[i] = append(normals[i], n)
		}
	}
	return verts, normals, index
}

// outward solves (1) for δ = 1 by Gauss–Seidel on its dual, u = Σ λ_f n_f, λ ≥ 0.
func outward(normals []r3.Vec) r3.Vec {
	lambda := make([]float64, len(normals))
	var u r3.Vec
	for range shiftSweeps {
		worst := 0.0
		for f, n := range normals {
			// A step to the constraint of face f that keeps its multiplier positive.
			step := max(1-n.Dot(u), -lambda[f])
			lambda[f] += step
			u = u.AddScaled(step, n)
			worst = max(worst, step, -step)
		}
		if worst < 1e-9 {
			break
		}
	}
	// At sharp corners the margin is narrower than requested.
	if l := u.Norm(); l > maxShift {
		u = u.Scale(maxShift / l)
	}
	return u
}

// prism splits the prism between an outward triangle and its image farther out, whose
// vertex numbers are all larger, into three tetrahedra.
func prism(in, out [3]int32) [3][4]int32 {
	// Sort the triangle; an odd permutation mirrors the prism.
	odd := false
	swap := func(i, j int) {
		if in[i] > in[j] {
			in[i], in[j] = in[j], in[i]
			out[i], out[j] = out[j], out[i]
			odd = !odd
		}
	}
	swap(0, 1)
	swap(1, 2)
	swap(0, 1)
	// The three tetrahedra of a prism with sorted vertices.
	t := [3][4]int32{
		{in[0], in[1], in[2], out[2]},
		{in[0], in[1], out[2], out[1]},
		{in[0], out[1], out[2], out[0]},
	}
	if odd {
		for k := range t {
			t[k][2], t[k][3] = t[k][3], t[k][2]
		}
	}
	return t
}

// volume6 returns six times the signed volume of a tetrahedron, m³.
func volume6(x []r3.Vec, t [4]int32) float64 {
	o := x[t[0]]
	return x[t[1]].Sub(o).Cross(x[t[2]].Sub(o)).Dot(x[t[3]].Sub(o))
}

// untangle halves the shifts of vertices of inverted tetrahedra, as in grooves narrower
// than the margin; first is the first shifted vertex.
func (b *builder) untangle(prisms [][3][4]int32, first int32, verts []int32) {
	for range shrinkings {
		// Shifted vertices of inverted tetrahedra.
		turned := map[int32]bool{}
		for _, p := range prisms {
			for _, t := range p {
				if volume6(b.verts, t) > 0 {
					continue
				}
				for _, v := range t {
					if v >= first {
						turned[v] = true
					}
				}
			}
		}
		// No tetrahedron is inverted any more.
		if len(turned) == 0 {
			return
		}
		for i, v := range verts {
			if w := first + int32(i); turned[w] {
				b.verts[w] = b.verts[v].Lerp(b.verts[w], 0.5)
			}
		}
	}
}
