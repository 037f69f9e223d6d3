package parts

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// The section over one pitch is a polygon in (r, z); a turn of it by φ about z moves it along z by
// lead φ/2π, so that one list of stations gives all vertices.

// thread is a part with a ridge wound around it.
// The mesh follows the helix: the number of vertices does not depend on the
// lead, and all turns of the thread have the same facets.
type thread struct {
	// axial advance in a turn and distance of ridges, m; the thread is
	// right-handed
	lead, pitch float64
	// mirror it
	left bool
	// corners of the section over one pitch, ascending
	stations []station
	// radius between the ridges, m
	root float64
	// radius of the other wall, m: a bore (0: none), or a nut's outside
	wall float64
	// number of flat sides of the other wall; 0: round
	flats int
	// extent along z, m
	length float64
	// height of the middle of ridge 0 at angle 0, m
	start float64
	// columns in a turn; a multiple of flats
	columns int
	// layers of tets in the depth of the thread
	layers int
}

// station is a corner of the axial section: its place from the ridge's middle
// and its radius, m.
type station struct{ u, r float64 }

// The ends of a ridge, over the pitch.
const (
	fadeLength = 0.25 // axial advance over which a ridge fades
	endMargin  = 0.15 // plain cylinder at the ends; also the least distance of a station from the end
)

// reach returns the largest distance, m, from the middle of a ridge of the
// stations that are off the root, and of their neighbours.
func (t *thread) reach() float64 {
	u := 0.0
	// A station that stands off the root takes its neighbours with it, since
	// the facets between them do, too.
	for i, s := range t.stations {
		if s.r != t.root {
			next := t.stations[min(i+1, len(t.stations)-1)].u
			last := t.stations[max(i-1, 0)].u
			u = max(u, math.Abs(next), math.Abs(last))
		}
	}
	return u
}

// full returns the length over which the thread has its full depth, m.
func (t *thread) full() float64 {
	return t.length - 2*(t.reach()+(endMargin+fadeLength)*t.pitch)
}

// height returns by how much the ridge is grown where its middle is at z: 0 to
// 1.
func (t *thread) height(z float64) float64 {
	// Beyond this height the ridge has vanished.
	first := t.length/2 - endMargin*t.pitch - t.reach() // |z| at which it fades out
	return max(0, min(1, (first-math.Abs(z))/(fadeLength*t.pitch)))
}

// node is a vertex of the threaded surface.
type node struct {
	// number n P + k of station k of ridge n, P stations a ridge; the ends have
	// their own
	id int
	// vertex
	v int32
	// height, m
	z float64
	// radius, m
	r float64
}

const (
	bottomID = math.MinInt
	topID    = math.MaxInt
)

// column lists the nodes at the angle number i from the lower end up.
func (t *thread) column(i int) []node {
	// Part of a turn.
	turn := float64(i) / float64(t.columns)
	per := len(t.stations)
	out := []node{{id: bottomID, z: -t.length / 2, r: t.root}}
	// Stations too close to the end would make slivers there.
	edge := t.length/2 - endMargin*t.pitch*(1-1e-9)
	// All ridges that may reach into this column.
	first := int(math.Floor((-t.length/2-t.lead*turn)/t.pitch)) - 2
	last := int(math.Ceil((t.length/2-t.lead*turn)/t.pitch)) + 2
	for n := first; n <= last; n++ {
		middle := t.lead*turn + float64(n)*t.pitch + t.start // (1)
		h := t.height(middle)
		for k, s := range t.stations {
			if z := middle + s.u; math.Abs(z) <= edge {
				out = append(out, node{id: n*per + k, z: z, r: t.root + h*(s.r-t.root)})
			}
		}
	}
	return append(out, node{id: topID, z: t.length / 2, r: t.root})
}

// net is the triangulated surface over angle and height.
type net struct {
	// coordinates of the vertices; rad and m
	angle, z, r []float64
	// triangles, counter-clockwise seen from outside
	tris [][3]int32
	// bottom and top vertex of each column
	ends [2][]int32
}

// net divides the surface into triangles, column by column.
func (t *thread) net() *net {
	out := &net{}
	// The columns in order around, and the first one again.
	cols := make([][]node, t.columns+1)
	for i := range t.columns {
		cols[i] = t.column(i)
		for k := range cols[i] {
			nd := &cols[i][k]
			nd.v = int32(len(out.z))
			out.angle = append(out.angle, 2*math.Pi*float64(i)/float64(t.columns))
			out.z = append(out.z, nd.z)
			out.r = append(out.r, nd.r)
		}
		out.ends[0] = append(out.ends[0], cols[i][0].v)
		out.ends[1] = append(out.ends[1], cols[i][len(cols[i])-1].v)
	}
	// After one turn a ridge has the number that it had a lead lower.
	// The number of stations that pass in one turn.
	shift := int(math.Round(t.lead/t.pitch)) * len(t.stations)
	back := make([]node, len(cols[0]))
	for k, nd := range cols[0] {
		if nd.id != bottomID && nd.id != topID {
			nd.id -= shift
		}
		back[k] = nd
	}
	cols[t.columns] = back
	for i := range t.columns {
		out.strip(cols[i], cols[i+1])
	}
	return out
}

// strip joins two columns, the second to the right seen from outside. Nodes
// with the same number are joined; the others are at the ends.
func (s *net) strip(a, b []node) {
	i, j := 0, 0
	for i < len(a)-1 || j < len(b)-1 {
		switch {
		// The station exists only on the left.
		case j == len(b)-1 || i < len(a)-1 && a[i+1].id < b[j+1].id:
			s.tri(a[i], b[j], a[i+1])
			i++
		// It exists only on the right.
		case i == len(a)-1 || b[j+1].id < a[i+1].id:
			s.tri(a[i], b[j], b[j+1])
			j++
		default: // the same corner on both sides
			if s.across(a[i], b[j+1]) < s.across(a[i+1], b[j]) {
				s.tri(a[i], b[j], b[j+1])
				s.tri(a[i], b[j+1], a[i+1])
			} else {
				s.tri(a[i], b[j], a[i+1])
				s.tri(a[i+1], b[j], b[j+1])
			}
			i, j = i+1, j+1
		}
	}
}

// tri adds a triangle.
func (s *net) tri(a, b, c node) { s.tris = append(s.tris, [3]int32{a.v, b.v, c.v}) }

// across returns the square of a diagonal's length without the part that both
// diagonals of a cell share.
func (s *net) across(a, b node) float64 {
	return (a.z-b.z)*(a.z-b.z) + (a.r-b.r)*(a.r-b.r)
}

// wallAt returns the radius of the other wall at an angle, m: round, or flat
// sides whose corners lie at multiples of 2π/flats, at the distance wall from
// the axis.
func (t *thread) wallAt(angle float64) float64 {
	if t.flats == 0 {
		return t.wall
	}
	// Distance of a flat side from the axis, seen at the angle from its middle.
	side := 2 * math.Pi / float64(t.flats)
	off := math.Mod(angle, side) - side/2
	return t.wall / math.Cos(off)
}

// internal reports whether the thread is inside of its wall, as in a nut.
func (t *thread) internal() bool { return t.wall > t.root }

// place returns a point given by angle, radius and height, mirrored if the
// thread is left-handed.
func (t *thread) place(angle, r, z float64) r3.Vec {
	// Mirroring in the xz plane reverses the hand.
	sin, cos := math.Sincos(angle)
	if t.left {
		sin = -sin
	}
	return r3.Vec{r * cos, r * sin, z}
}

// depth returns the greatest height of the ridge over the root, m.
func (t *thread) depth() float64 {
	d := 0.0
	for _, s := range t.stations {
		d = max(d, math.Abs(s.r-t.root))
	}
	return d
}

// levels returns the radii of the layers at a vertex, outwards, m: a few in the
// thread, down to half its depth behind the root, and growing ones to the wall.
func (t *thread) levels(r, wall float64) []float64 {
	// The layers of the thread end half a depth behind the root.
	d := 0.5 * t.depth()
	if t.internal() {
		d = -d
	}
	core := t.root - d // behind the root, away from the ridge
	// Behind them, growing layers lead to the wall, if there is room.
	steps := []float64{core}
	if behind := min(math.Abs(core-t.wall), math.Abs(core-wall)); (core-t.wall)*d > 0 && behind > 0.25*math.Abs(d) {
		steps, _ = rings(0, 1, 1/max(1, math.Round(math.Abs(core-t.wall)/math.Abs(2*d))), 1)
		for i, s := range steps {
			steps[i] = core + s*(wall-core)
		}
	} else {
		steps[0] = wall
	}
	out := make([]float64, 0, t.layers+len(steps))
	for k := range t.layers {
		out = append(out, r+(steps[0]-r)*float64(k)/float64(t.layers))
	}
	out = append(out, steps...)
	if !t.internal() { // from the wall out
		for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
			out[i], out[j] = out[j], out[i]
		}
	}
	return out
}

// tets fills the thread with layers between its surface and the other wall.
func (t *thread) tets() (*meshes.Tet, error) {
	// The net, and the radii of the layers at each of its vertices.
	n := t.net()
	radii := make([][]float64, len(n.z))
	for v := range radii {
		radii[v] = t.levels(n.r[v], t.wallAt(n.angle[v]))
	}
	// Triangles by rank; which of them were reversed by that is remembered.
	tris := make([][3]int32, len(n.tris))
	odd := make(map[[3]int32]bool, len(n.tris))
	for i, c := range n.tris {
		s, o := meshes.SortedTri(c)
		tris[i], odd[s] = s, o
	}
	return sweeping{
		copies: len(radii[0]),
		ccw:    func(c [3]int32) bool { return odd[c] == t.left },
		at:     func(k int, v int32) r3.Vec { return t.place(n.angle[v], radii[v][k], n.z[v]) },
	}.sweep(len(n.z), tris)
}

// surface returns the closed surface, with as few triangles as the thread
// allows.
func (t *thread) surface() *meshes.Tri {
	n := t.net()
	out := &meshes.Tri{}
	for v := range n.z {
		out.Verts = append(out.Verts, t.place(n.angle[v], n.r[v], n.z[v]))
	}
	face := func(a, b, c int32) { out.Tris = append(out.Tris, [3]int32{a, b, c}) }
	// The thread faces outwards on a screw, inwards in a nut.
	inward := t.internal()
	for _, c := range n.tris {
		if inward {
			face(c[0], c[2], c[1])
		} else {
			face(c[0], c[1], c[2])
		}
	}
	// The other wall, with a vertex at both ends of each column; a single one
	// on the axis.
	var wall [2][]int32 // bottom and top of the other wall
	for e, z := range [2]float64{-t.length / 2, t.length / 2} {
		// Wall, and both end faces.
		for i := range t.columns {
			if t.wall == 0 && i > 0 {
				wall[e] = append(wall[e], wall[e][0])
				continue
			}
			a := n.angle[n.ends[e][i]]
			wall[e] = append(wall[e], int32(len(out.Verts)))
			out.Verts = append(out.Verts, t.place(a, t.wallAt(a), z))
		}
	}
	for i := range t.columns {
		j := (i + 1) % t.columns
		t0, t1 := n.ends[0], n.ends[1]
		quad := func(a, b, c, d int32) { // counter-clockwise where the wall is the bore
			if inward {
				b, d = d, b
			}
			if a != b && b != c && a != c {
				face(a, b, c)
			}
			if a != c && c != d && a != d {
				face(a, c, d)
			}
		}
		quad(wall[0][i], wall[1][i], wall[1][j], wall[0][j])
		quad(t0[i], wall[0][i], wall[0][j], t0[j])
		quad(wall[1][i], t1[i], t1[j], wall[1][j])
	}
	// Mirroring reversed all triangles.
	if t.left {
		for i, c := range out.Tris {
			out.Tris[i] = [3]int32{c[0], c[2], c[1]}
		}
	}
	return out
}
