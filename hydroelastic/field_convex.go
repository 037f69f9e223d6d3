package hydroelastic

// Field of a convex solid: one tetrahedron from each part of a face to the centroid, on
// which the pressure is linear from 0 to E. Its gradient on a face at the distance d from
// the centroid is E/d, so that faces nearer to the centroid are stiffer.
//
// With d the distance of face f along its normal, p = E (1 − n_f·(x − c)/d_f) in the cone of f: the
// field is continuous across the sides of the cones, where two faces have the same pressure.

import (
	"fmt"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// NewConvex returns the field of a convex solid given by its surface (outward triangles,
// closed): E at the centroid of the volume, 0 on the surface, linear along rays between.
// Faces are bisected down to the resolution hint, so that a large flat one does not touch
// at one point.
func NewConvex(hull *meshes.Tri, opt Options) (*Compliant, error) {
	if _, err := checkSolid("convex", hull); err != nil { // a convex surface cuts itself nowhere
		return nil, err
	}
	size := hull.Bounds().Size()
	opt, err := opt.checked("convex", size.Norm())
	if err != nil {
		return nil, err
	}
	// All cells share the centroid.
	centre := centroid(hull)
	far, near, cells, err := measureConvex(hull, centre, opt)
	if err != nil {
		return nil, err
	}
	// The centroid of a flat solid lies on a face.
	if near <= 1e-9*far {
		return nil, fmt.Errorf("hydroelastic: convex: the solid is too flat: its centroid is %.3g m below the surface", near)
	}
	if err := opt.checkCells("convex", cells); err != nil {
		return nil, err
	}
	// The margin layer is the solid scaled about the centroid, nowhere thinner than the
	// margin.
	grow := opt.Margin / near
	b := &builder{}
	inner := b.vertex(centre, opt.HydroelasticModulus)
	// One tetrahedron from each part of a face to the centroid.
	for _, t := range hull.Tris {
		p, q, s := hull.Verts[t[0]], hull.Verts[t[1]], hull.Verts[t[2]]
		// A triangle without area bounds no cell.
		if r3.TriangleNormal(p, q, s) == (r3.Vec{}) {
			continue
		}
		bisect(p, q, s, opt.ResolutionHint, func(x0, x1, x2 r3.Vec) {
			var outer [3]int32
			for k, x := range [3]r3.Vec{x0, x1, x2} {
				outer[k] = b.vertex(x.AddScaled(grow, x.Sub(centre)), -opt.HydroelasticModulus*grow)
			}
			b.column(outer[:], []int32{inner, inner, inner})
		})
	}
	c := b.build(opt, far)
	c.leastDepth = near
	return c, nil
}

// measureConvex returns the greatest and the least distance of the faces from the
// centre, m, and an estimate of the number of cells. A surface that is not convex is an
// error.
func measureConvex(hull *meshes.Tri, centre r3.Vec, opt Options) (far, near, cells float64, err error) {
	size := hull.Bounds().Size().Norm()
	near = size
	for i, t := range hull.Tris {
		a, b, c := hull.Verts[t[0]], hull.Verts[t[1]], hull.Verts[t[2]]
		n := r3.TriangleNormal(a, b, c).Unit()
		// Every vertex must lie below the plane of the triangle.
		for _, x := range hull.Verts {
			if d := n.Dot(x.Sub(a)); d > 1e-6*size {
				return 0, 0, 0, fmt.Errorf("hydroelastic: convex: vertices lie up to %.3g m above triangle %d near %.4g m: the surface is not convex; use NewFromSurface", d, i, a)
			}
		}
		// A triangle without area has no plane.
		if n == (r3.Vec{}) {
			continue
		}
		d := n.Dot(a.Sub(centre))
		far, near = max(far, d), min(near, d)
		cells += bisectedParts(a, b, c, opt.ResolutionHint)
	}
	return far, near, cells, nil
}

// centroid returns the centroid of the enclosed volume, summed about the first vertex.
func centroid(m *meshes.Tri) r3.Vec {
	o := m.Verts[0]
	var sum r3.Vec
	vol := 0.0
	for _, t := range m.Tris {
		a, b, c := m.Verts[t[0]].Sub(o), m.Verts[t[1]].Sub(o), m.Verts[t[2]].Sub(o)
		// Six times the volume of the tetrahedron to the first vertex, and its share of
		// the centroid.
		v := a.Dot(b.Cross(c))
		sum = sum.AddScaled(v/4, a.Add(b).Add(c))
		vol += v
	}
	return o.AddScaled(1/vol, sum)
}

// checkMesh returns an error for vertices out of range and for coordinates that are not
// finite.
func checkMesh(shape string, verts []r3.Vec, parts int, part func(i int) []int32) error {
	// Coordinates, then indices.
	for i, x := range verts {
		if !x.IsFinite() {
			return fmt.Errorf("hydroelastic: %s: vertex %d is at %v: give finite coordinates", shape, i, x)
		}
	}
	for i := range parts {
		for _, v := range part(i) {
			if v < 0 || int(v) >= len(verts) {
				return fmt.Errorf("hydroelastic: %s: element %d names vertex %d of %d: the file is damaged or its numbers start at 1", shape, i, v, len(verts))
			}
		}
	}
	return nil
}

// searched says of a geometry of a surface whether all triangles of that were searched for cuts.
type searched struct{ unchecked bool }

// SelfIntersectionsChecked reports whether it is known that the surface, if it was made from one, does
// not cut itself: the search of surfaces with ten thousands of slivers ends early.
func (s *searched) SelfIntersectionsChecked() bool { return !s.unchecked }

// checkSolid returns an error for a surface that does not bound a solid. checked is false if not all
// triangles could be searched for cuts.
func checkSolid(shape string, m *meshes.Tri) (checked bool, err error) {
	if err := checkMesh(shape, m.Verts, len(m.Tris), func(i int) []int32 { return m.Tris[i][:] }); err != nil {
		return false, err
	}
	// Holes, then self-intersections.
	if err := repair.Watertight(m); err != nil {
		return false, fmt.Errorf("hydroelastic: %s: %w", shape, err)
	}
	d := repair.Diagnose(m)
	if len(d.SelfIntersections) > 0 {
		c := d.SelfIntersections[0]
		return false, fmt.Errorf("hydroelastic: %s: the surface cuts itself: %d pairs of triangles, the first %d and %d near %.4g m: unite the parts in the program the mesh comes from",
			shape, len(d.SelfIntersections), c[0], c[1], m.Verts[m.Tris[c[0]][0]])
	}
	return d.SelfIntersectionsChecked, nil
}
