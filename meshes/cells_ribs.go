package meshes

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// Cells beside ribs. One hexahedron with internal modes across a wall bends as it should, whatever
// its length, but where the wall meets a rib, a corner or a block its stress varies over a length of
// its thickness (Saint-Venant's principle). A cell that is longer cannot follow that, and the
// joint turns too little.
//
//	wall    a hexahedron that has the boundary on two opposite faces, t apart, with t at most
//	        three times its other extents: the width of a part of one layer is no thickness
//	beside  a wall with a neighbour that is no wall of the same direction; its length l is
//	        measured from the face between them to the opposite one
//
// The meshes advice is l ≤ 1.5 t.

// ribLength is the length of a cell beside a rib, over the thickness of its wall, from which on
// it counts as long.
const ribLength = 1.5

// widestWall is the greatest thickness of a wall over the least extent of its cells.
const widestWall = 3

// RibCells counts the hexahedra of walls one cell thick where these end at ribs, corners and
// blocks.
type RibCells struct {
	// Beside is the number of hexahedra with such an end, Long that of those longer than 1.5 times the thickness
	// of their wall.
	Beside, Long int
	// Size is 1.5 times the thickness of the walls of long ones, m: a tenth of these are
	// thinner. 0 without long ones.
	Size float64
}

// oppositeFaces are the faces of a hexahedron, in pairs across from each other.
var oppositeFaces = [3][2][4]int{{{0, 1, 2, 3}, {4, 5, 6, 7}}, {{0, 1, 5, 4}, {3, 2, 6, 7}}, {{1, 2, 6, 5}, {0, 3, 7, 4}}}

// hexNeighbors has what lies beyond the faces of hexahedra: the number of a cell, or −1 for
// the boundary; by direction and side.
type hexNeighbors [][3][2]int32

// RibCells counts the cells of walls beside ribs.
func (m *Tet) RibCells() (out RibCells) {
	if m.Cells == nil {
		return out
	}
	// what each hexahedron has beside it decides whether it is a wall, and where that ends
	next := m.Cells.neighbors()
	// the direction in which each hexahedron is a wall, −1 for none
	thin := make([]int, len(next))
	for i := range next {
		thin[i] = m.thinDirection(i, &next[i])
	}
	var thickness []float64 // of long ones
	for i := range next {
		if thin[i] < 0 {
			continue
		}
		// thickness, and length towards an end of the wall
		t, l := m.extent(i, thin[i]), m.lengthBeside(i, next, thin)
		if l > 0 {
			out.Beside++
		}
		// a cell of the length that is advised is not long, whatever round-off says
		if l > ribLength*t*(1+1e-9) {
			thickness = append(thickness, t)
		}
	}
	if out.Long = len(thickness); out.Long > 0 {
		// not the thinnest of all, lest one odd cell decide the advice
		slices.Sort(thickness)
		out.Size = ribLength * thickness[out.Long/10]
	}
	return out
}

// lengthBeside returns l of a hexahedron of a wall, m; 0 where the wall continues at both ends.
func (m *Tet) lengthBeside(i int, next hexNeighbors, thin []int) (l float64) {
	for e := range 3 {
		// along the wall only
		if e == thin[i] {
			continue
		}
		for _, j := range next[i][e] {
			// beyond the boundary there is nothing that the cell has to turn
			if j >= 0 && (int(j) >= len(next) || !m.sameWall(i, int(j), thin[i], thin[j])) {
				l = max(l, m.extent(i, e))
			}
		}
	}
	return l
}

// neighbors returns what lies beyond the faces of the hexahedra.
func (c *Cells) neighbors() hexNeighbors {
	next := make(hexNeighbors, len(c.Hexes))
	type side struct{ cell, d, s int32 }
	// the first cell at each face, by its sorted vertices; the second one meets it
	first := make(map[[4]int32]side, 3*len(c.Hexes))
	meet := func(verts [4]int32, at side) {
		slices.Sort(verts[:])
		other, met := first[verts]
		if !met {
			first[verts] = at
			return
		}
		// wedges are numbered behind the hexahedra and keep no neighbours themselves
		for _, p := range [2][2]side{{at, other}, {other, at}} {
			if int(p[0].cell) < len(next) {
				next[p[0].cell][p[0].d][p[0].s] = p[1].cell
			}
		}
	}
	for i, v := range c.Hexes {
		// until a neighbour is found, each face is on the boundary
		next[i] = [3][2]int32{{-1, -1}, {-1, -1}, {-1, -1}}
		for d, pair := range oppositeFaces {
			for s, f := range pair {
				meet([4]int32{v[f[0]], v[f[1]], v[f[2]], v[f[3]]}, side{int32(i), int32(d), int32(s)})
			}
		}
	}
	// wedges meet hexahedra with their quads alone
	for i, v := range c.Wedges {
		for _, f := range WedgeFaces {
			if len(f) == 4 {
				meet([4]int32{v[f[0]], v[f[1]], v[f[2]], v[f[3]]}, side{cell: int32(len(next) + i)})
			}
		}
	}
	return next
}

// extent returns the distance between the middles of opposite faces of hexahedron i, m.
func (m *Tet) extent(i, d int) float64 { return m.across(i, d).Norm() }

// across returns the way between the middles of opposite faces of hexahedron i, m.
func (m *Tet) across(i, d int) (way r3.Vec) {
	// the mean of the four edges between the faces is the way between their middles
	v := &m.Cells.Hexes[i]
	for k := range 4 {
		way = way.AddScaled(0.25, m.Verts[v[oppositeFaces[d][1][k]]].Sub(m.Verts[v[oppositeFaces[d][0][k]]]))
	}
	return way
}

// thinDirection returns the direction in which a hexahedron is a wall, −1 for none.
func (m *Tet) thinDirection(i int, next *[3][2]int32) (thin int) {
	// the shortest direction with the boundary on both sides, unless the cell is short in others
	thin = -1
	least, best := math.Inf(1), math.Inf(1)
	for d := range 3 {
		l := m.extent(i, d)
		least = min(least, l)
		if next[d] == [2]int32{-1, -1} && l < best {
			thin, best = d, l
		}
	}
	if best > widestWall*least {
		return -1
	}
	return thin
}

// sameWall reports whether hexahedra i and j, walls of directions d and e, are thin in about the same
// direction, within 45°, so that the wall continues. e < 0: cell j is no wall.
func (m *Tet) sameWall(i, j, d, e int) bool {
	// a cell that is no wall ends this one
	if e < 0 {
		return false
	}
	// either sense of a direction counts
	u, v := m.across(i, d).Unit(), m.across(j, e).Unit()
	return math.Abs(u.Dot(v)) > 0.7
}
