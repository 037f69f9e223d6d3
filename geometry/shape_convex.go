package geometry

// Support and faces of a convex polyhedron. Support points of large hulls are found by
// walking along edges to higher corners: on a convex surface there are no local maxima.
// Faces are polygons that were merged from the hull's triangles once (hull_planes.go).

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Convex is the convex hull of points: immutable. Triangles of the hull that lie in one
// plane, to planarTol of the size, make one polygon, so that a block read from a file of
// triangles rests on its corners as a Box does.
type Convex struct {
	// corners and triangles of the hull
	surface meshes.Tri
	bounds  r3.Box
	polys   []convexPoly
	// polygons around corner i are vertPol[vertOff[i]:vertOff[i+1]]
	vertOff []int32
	vertPol []int32
	// neighbours of corner i are edgeTo[edgeOff[i]:edgeOff[i+1]]
	edgeOff []int32
	edgeTo  []int32
	// farthest corners along ±x, ±y, ±z, from which walks start
	extreme [6]int32
	// corners this close along a direction count as equally far, m
	level float64
	// searches of the nearest face of large hulls; nil: all faces are tried
	near *nearestOnHull
}

// convexPoly is one plane face of a hull.
type convexPoly struct {
	// the polygon, of at most maxFace corners
	face Face
	// n·p ≤ d for every corner p of the hull, m
	d float64
	// triangles of the surface that it consists of
	tris []int32
}

var _ SupportMap = (*Convex)(nil)

const (
	// planarTol is how far, relative to the size, corners of one face may lie off its
	// plane: coordinates stored in 32 bits are that uneven.
	planarTol = 1e-6
	// levelTol is the difference in height, relative to the size, below which corners
	// count as equally far: a little above round-off.
	levelTol = 1e-12
	// climbFrom is the number of corners from which walking along edges is faster than
	// trying all corners.
	climbFrom = 32
)

var _ = Shapes.Register(kinds.Kind[ShapeSpec]{
	Name: "convex",
	Doc:  "Convex hull of the vertices of a mesh.",
	New:  func() ShapeSpec { return &ConvexSpec{} },
	Samples: func() []ShapeSpec {
		return []ShapeSpec{&ConvexSpec{"wedge"}, &ConvexSpec{"block"}}
	},
})

// ConvexSpec are the parameters of a convex hull.
type ConvexSpec struct {
	// Mesh is the name of the mesh.
	Mesh string `key:"mesh,required" doc:"mesh whose hull is taken" ref:"mesh"`
}

// Make implements ShapeSpec.
func (s *ConvexSpec) Make(m MeshSource) (Shape, error) {
	points, err := m.Verts(s.Mesh)
	if err != nil {
		return nil, err
	}
	return NewConvex(points)
}

// NewConvex returns the convex hull of the points (m). Points that are not finite, or lie
// in one plane, are an error.
func NewConvex(points []r3.Vec) (*Convex, error) {
	tris, err := convexHull(points)
	if err != nil {
		return nil, fmt.Errorf("geometry: convex: %w", err)
	}
	return newConvex(points, tris), nil
}

// HullSurface returns the surface of the convex hull of the points (m). Points that are not finite, or
// lie in one plane, are an error.
func HullSurface(points []r3.Vec) (*meshes.Tri, error) {
	c, err := NewConvex(points)
	if err != nil {
		return nil, err
	}
	return c.SurfaceMesh(), nil
}

// newConvex makes the shape of the triangles of a hull of the points.
func newConvex(points []r3.Vec, tris [][3]int32) *Convex {
	// Number the corners of the hull in the order of its triangles.
	c := &Convex{}
	// New numbers of the points; −1 for points inside of the hull.
	number := make([]int32, len(points))
	for i := range number {
		number[i] = -1
	}
	for _, t := range tris {
		for i, v := range t {
			if number[v] < 0 {
				number[v] = int32(len(c.surface.Verts))
				c.surface.Verts = append(c.surface.Verts, points[v])
			}
			t[i] = number[v]
		}
		c.surface.Tris = append(c.surface.Tris, t)
	}
	// Merge triangles to faces and set up the tables of neighbours.
	c.bounds = c.surface.Bounds()
	// Tolerances scale with the size.
	size := c.bounds.Size().Norm()
	c.polys = mergePlanes(&c.surface, planarTol*size)
	c.level = levelTol * size
	c.index()
	if len(c.polys) >= searchFrom {
		c.near = newNearestOnHull(c)
	}
	return c
}

// index sets up the tables around corners.
func (c *Convex) index() {
	n := len(c.surface.Verts)
	// Polygons and neighbours of each corner.
	pol := make([][]int32, n)
	edge := make([][]int32, n)
	// Several triangles of a polygon meet at a corner: list it once.
	for i, p := range c.polys {
		for _, t := range p.tris {
			for _, v := range c.surface.Tris[t] {
				if k := len(pol[v]); k == 0 || pol[v][k-1] != int32(i) {
					pol[v] = append(pol[v], int32(i))
				}
			}
		}
	}
	for _, t := range c.surface.Tris {
		// Every edge comes once in each direction.
		for i := range t {
			edge[t[i]] = append(edge[t[i]], t[(i+1)%3])
		}
	}
	// Lists of lists as one list with offsets.
	flat := func(lists [][]int32) (off, all []int32) {
		off = append(off, 0)
		for _, l := range lists {
			all = append(all, l...)
			off = append(off, int32(len(all)))
		}
		return off, all
	}
	c.vertOff, c.vertPol = flat(pol)
	// The walks start from the extreme corners along the axes.
	c.edgeOff, c.edgeTo = flat(edge)
	for i := range c.extreme {
		var d r3.Vec
		d[i/2] = float64(1 - 2*(i%2))
		c.extreme[i] = c.scan(d)
	}
}

// Verts returns the corners of the hull, m. They must not be changed.
func (c *Convex) Verts() []r3.Vec { return c.surface.Verts }

// Bounds returns the bounds in G.
func (c *Convex) Bounds() r3.Box { return c.bounds }

// SignedDistance returns the exact distance to the hull. Inside, the nearest face counts,
// of equally near ones the first.
func (c *Convex) SignedDistance(p_G r3.Vec) (phi float64, grad r3.Vec) {
	if c.near == nil {
		return c.distanceOverFaces(p_G)
	}
	phi, _, grad = c.near.signedFrom(p_G, -1)
	return phi, grad
}

// distanceOverFaces returns the signed distance by trying all faces.
func (c *Convex) distanceOverFaces(p_G r3.Vec) (phi float64, grad r3.Vec) {
	// The greatest height over the planes of the faces is the distance inside.
	phi = math.Inf(-1)
	for i := range c.polys {
		f := &c.polys[i]
		if d := f.face.Normal.Dot(p_G) - f.d; d > phi {
			phi, grad = d, f.face.Normal
		}
	}
	// Inside.
	if phi <= 0 {
		return phi, grad
	}
	// Outside: the nearest point of the faces that p is in front of.
	best, q := math.Inf(1), r3.Vec{}
	for i := range c.polys {
		f := &c.polys[i]
		// Faces behind p, or whose plane is farther than the best point, cannot contain the
		// nearest point.
		h := f.face.Normal.Dot(p_G) - f.d
		if h < -planarTol*phi || h*h > best {
			continue
		}
		for _, t := range f.tris {
			v := c.surface.Tris[t]
			// The nearest point of a triangle.
			var s simplex
			s.n = 3
			for j := range s.n {
				s.v[j].w = c.surface.Verts[v[j]].Sub(p_G)
			}
			u, _ := s.reduce()
			if d := u.Norm2(); d < best {
				best, q = d, u
			}
		}
	}
	// From the nearest point to p.
	d, n := direction(q.Neg())
	if d <= touchTol*c.bounds.Size().Norm() {
		// On the surface to round-off the direction would be noise.
		return phi, grad
	}
	return d, n
}

// scan returns the farthest corner along d by trying all.
func (c *Convex) scan(d r3.Vec) int32 {
	best, far := int32(0), math.Inf(-1)
	for i, p := range c.surface.Verts {
		if x := d.Dot(p); x > far {
			best, far = int32(i), x
		}
	}
	return best
}

// farthest returns the farthest corner along d. On a convex surface a corner none of
// whose neighbours is farther is the farthest of all.
func (c *Convex) farthest(d r3.Vec) int32 {
	if len(c.surface.Verts) < climbFrom {
		return c.scan(d)
	}
	// Start from the best of the six extreme corners and walk uphill.
	v, far := int32(0), math.Inf(-1)
	// The best of the six.
	for _, e := range c.extreme {
		if x := d.Dot(c.surface.Verts[e]); x > far {
			v, far = e, x
		}
	}
	for {
		// A step to the highest neighbour.
		next := v
		// Neighbours that are as high as v.
		for _, u := range c.edgeTo[c.edgeOff[v]:c.edgeOff[v+1]] {
			if x := d.Dot(c.surface.Verts[u]); x > far {
				next, far = u, x
			}
		}
		if next == v {
			return v
		}
		v = next
	}
}

// Support returns the corner farthest along dir_G.
func (c *Convex) Support(dir_G r3.Vec) r3.Vec { return c.surface.Verts[c.farthest(dir_G)] }

// Face returns, of the faces at the farthest corner, the one whose normal is nearest to
// n_G; where all of them are steep the edge that is least steep, or the corner.
func (c *Convex) Face(n_G r3.Vec) Face {
	v := c.farthest(n_G)
	best, cos := int32(-1), minFaceCos
	// The best face so far around a corner.
	look := func(v int32) {
		for _, i := range c.vertPol[c.vertOff[v]:c.vertOff[v+1]] {
			if x := c.polys[i].face.Normal.Dot(n_G); x > cos {
				best, cos = i, x
			}
		}
	}
	look(v)
	// Along the normal of an edge or a face several corners are farthest: which of them v
	// is must not matter.
	level := n_G.Dot(c.surface.Verts[v]) - c.level
	for _, u := range c.edgeTo[c.edgeOff[v]:c.edgeOff[v+1]] {
		if n_G.Dot(c.surface.Verts[u]) >= level {
			look(u)
		}
	}
	// A face that is turned to n_G.
	if best >= 0 {
		return c.polys[best].face
	}
	// No face: the edge that is least steep.
	p := c.surface.Verts[v]
	f := Face{N: 1}
	f.P[0] = p
	slope := 1 - minFaceCos
	for _, u := range c.edgeTo[c.edgeOff[v]:c.edgeOff[v+1]] {
		_, e := direction(c.surface.Verts[u].Sub(p))
		if x := -e.Dot(n_G); x < slope {
			slope = x
			f.N, f.P[1] = 2, c.surface.Verts[u]
		}
	}
	return f
}

// PressureField implements FieldMaker: p falls linearly from the
// centroid.
func (c *Convex) PressureField(opt hydroelastic.Options) (hydroelastic.Geometry, error) {
	return hydroelastic.NewConvex(c.SurfaceMesh(), opt)
}

// Rounding returns 0.
func (c *Convex) Rounding() float64 { return 0 }

// mass returns the exact mass properties.
func (c *Convex) mass() MassProperties {
	m, err := MassOfSurface(&c.surface)
	if err != nil {
		panic("geometry: convex hull without volume: " + err.Error())
	}
	return m
}

// SurfaceMesh returns the triangles of the hull.
func (c *Convex) SurfaceMesh() *meshes.Tri {
	return &meshes.Tri{
		Verts: append([]r3.Vec(nil), c.surface.Verts...),
		Tris:  append([][3]int32(nil), c.surface.Tris...),
	}
}

// numFaces implements faced.
func (c *Convex) numFaces() int { return len(c.polys) }

// height implements faced.
func (c *Convex) height(face int, p_G r3.Vec) (phi float64, n r3.Vec) {
	f := &c.polys[face]
	return f.face.Normal.DotOf(&p_G) - f.d, f.face.Normal
}
