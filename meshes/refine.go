package meshes

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// Meshes with finer elements, by uniform refinement. Each element becomes eight of half its size: tets by the midpoints
// of their edges (see tet10.go), ten-node tets by those of the eight tets that fill them, hexahedra and wedges by the
// middles of edges, quads and cells. Edges stay straight, so that the refined mesh fills the same body but for quads
// that are not plane.

// Refinement is a mesh with finer elements, or with more vertices for each.
type Refinement struct {
	// Mesh has the vertices of the original first.
	Mesh *Tet
	// Parents are the vertices of the original of which each further vertex of Mesh is the mean.
	Parents [][]int32
}

// Inherit returns the vertices of the refined mesh that lie between vertices of a set of the
// original, those included.
func (r *Refinement) Inherit(verts []int32) []int32 {
	first := len(r.Mesh.Verts) - len(r.Parents)
	in := make([]bool, first)
	for _, v := range verts {
		in[v] = true
	}
	// in the order of the vertices, each once
	var out []int32
	for v := range in {
		if in[v] {
			out = append(out, int32(v))
		}
	}
	for i, parents := range r.Parents {
		if !slices.ContainsFunc(parents, func(v int32) bool { return !in[v] }) {
			out = append(out, int32(first+i))
		}
	}
	return out
}

// refinement makes the vertices of a refined mesh.
type refinement struct {
	Refinement
	// made is the vertex in the middle of others, by their sorted numbers.
	made map[[8]int32]int32
}

// newRefinement starts with the vertices of a mesh.
func newRefinement(m *Tet) *refinement {
	return &refinement{Refinement{Mesh: &Tet{Verts: slices.Clone(m.Verts)}}, map[[8]int32]int32{}}
}

// key returns the sorted vertices, padded by −1.
func (r *refinement) key(verts []int32) [8]int32 {
	key := [8]int32{-1, -1, -1, -1, -1, -1, -1, -1}
	slices.Sort(key[:copy(key[:], verts)])
	return key
}

// has reports whether there is a vertex in the middle of others.
func (r *refinement) has(verts ...int32) bool {
	_, ok := r.made[r.key(verts)]
	return ok
}

// mid returns the vertex in the middle of others, itself for one.
func (r *refinement) mid(verts ...int32) int32 {
	if len(verts) == 1 {
		return verts[0]
	}
	key := r.key(verts)
	parents := slices.Clone(key[:len(verts)])
	i, ok := r.made[key]
	if !ok {
		i = int32(len(r.Mesh.Verts))
		r.made[key] = i
		var x r3.Vec
		for _, v := range parents {
			x = x.AddScaled(1/float64(len(parents)), r.Mesh.Verts[v])
		}
		r.Mesh.Verts, r.Parents = append(r.Mesh.Verts, x), append(r.Parents, parents)
	}
	return i
}

// RefineTets returns the mesh with ten-node tets in place of its tets, see Quadratic.
func (m *Tet) RefineTets() Refinement {
	r := newRefinement(m)
	r.Mesh.Cells = &Cells{}
	for _, t := range m.Tets {
		var v [10]int32
		copy(v[:], t[:])
		for k, e := range Tet10Edges {
			v[4+k] = r.mid(t[e[0]], t[e[1]])
		}
		r.Mesh.addTet10(v)
	}
	return r.Refinement
}

// cut says what is halved of hexahedra and wedges.
type cut struct{ plane, height bool }

// RefineCells returns a mesh of hexahedra and wedges with eight in place of each. An error names a
// cell whose parts are flat or inside out.
func (m *Tet) RefineCells() (Refinement, error) { return m.cutCells(cut{true, true}) }

// RefinePlane returns a mesh of hexahedra and wedges with four in place of each: the quads and
// triangles of a swept mesh are cut, the first face of each cell and the opposite one, and heights
// stay. An error says that the mesh is not swept, so that neighbours would not fit, or names a cell
// whose parts are flat or inside out.
func (m *Tet) RefinePlane() (Refinement, error) { return m.cutCells(cut{plane: true}) }

// cutCells returns the mesh with cut cells.
func (m *Tet) cutCells(c cut) (Refinement, error) {
	r := newRefinement(m)
	var hexes [][8]int32
	var wedges [][6]int32
	for _, v := range m.Cells.Hexes {
		hexes = append(hexes, r.hex(v, c)...)
	}
	for _, v := range m.Cells.Wedges {
		wedges = append(wedges, r.wedge(v, c)...)
	}
	if !c.height {
		for i := range m.Cells.Len() {
			v := m.Cells.Cell(i)
			for a := range len(v) / 2 {
				if r.has(v[a], v[a+len(v)/2]) {
					return r.Refinement, fmt.Errorf("meshes: the mesh is not swept: the height of cell %d is an edge in the plane of another one", i)
				}
			}
		}
	}
	mesh, err := FillCells(r.Mesh.Verts, hexes, wedges)
	r.Mesh = mesh
	return r.Refinement, err
}

// levels are the places of the planes of cut cells along their height, of three.
func (c cut) levels() []int {
	if !c.height {
		return []int{0, 2}
	}
	return []int{0, 1, 2}
}

// places are the places of points of cut quads along their sides, of three.
func (c cut) places() []int {
	if !c.plane {
		return []int{0, 2}
	}
	return []int{0, 1, 2}
}

// hex returns the parts of a hexahedron.
func (r *refinement) hex(v [8]int32, c cut) (out [][8]int32) {
	// vertices lie on a grid of 2 by 2 by 2, numbered around the faces as VTK has it
	at := func(i, j, k int) int32 { return v[[2][2]int{{0, 3}, {1, 2}}[i][j]+4*k] }
	// the middle of the vertices of which the place i, j, k of 3 by 3 by 3 is the mean
	point := func(i, j, k int) int32 {
		var verts []int32
		for _, a := range halves[i] {
			for _, b := range halves[j] {
				for _, c := range halves[k] {
					verts = append(verts, at(a, b, c))
				}
			}
		}
		return r.mid(verts...)
	}
	z, xy := c.levels(), c.places()
	for e := range len(z) - 1 {
		for b := range len(xy) - 1 {
			for a := range len(xy) - 1 {
				i, j, k := xy[a], xy[b], z[e]
				l, m, n := xy[a+1], xy[b+1], z[e+1]
				out = append(out, [8]int32{
					point(i, j, k), point(l, j, k), point(l, m, k), point(i, m, k),
					point(i, j, n), point(l, j, n), point(l, m, n), point(i, m, n),
				})
			}
		}
	}
	return out
}

// halves are the ends of an edge of which the three points of its halves are the mean.
var halves = [3][]int{{0}, {0, 1}, {1}}

// triangleParts are the four triangles of a cut triangle: of which corners each corner is the mean.
var triangleParts = [][3][]int{{{0}, {0, 1}, {0, 2}}, {{0, 1}, {1}, {1, 2}}, {{0, 2}, {1, 2}, {2}}, {{0, 1}, {1, 2}, {0, 2}}}

// wedge returns the parts of a wedge.
func (r *refinement) wedge(v [6]int32, c cut) (out [][6]int32) {
	// the middle of corners of the triangle, at the place k of 3 along the height
	point := func(k int, corners ...int) int32 {
		var verts []int32
		for _, a := range corners {
			for _, c := range halves[k] {
				verts = append(verts, v[a+3*c])
			}
		}
		return r.mid(verts...)
	}
	parts := triangleParts
	if !c.plane {
		parts = [][3][]int{{{0}, {1}, {2}}}
	}
	z := c.levels()
	for k := range len(z) - 1 {
		for _, t := range parts {
			var w [6]int32
			for a, corners := range t {
				w[a], w[a+3] = point(z[k], corners...), point(z[k+1], corners...)
			}
			out = append(out, w)
		}
	}
	return out
}

// Interpolate returns the values at the vertices of the refined mesh of values at those of the
// original: further vertices have the mean of their parents.
func (r *Refinement) Interpolate(values []float64) []float64 {
	out := append(make([]float64, 0, len(r.Mesh.Verts)), values...)
	for _, parents := range r.Parents {
		mean := 0.0
		for _, v := range parents {
			mean += values[v] / float64(len(parents))
		}
		out = append(out, mean)
	}
	return out
}
