package scene

// Meshes of robot files. What is done to a mesh depends on its use:
//
//	visual              triangles as they are in the file; nothing is examined
//	hull of contact     vertices as they are in the file, of which the hull is taken
//	solid of contact    closed surface, examined and mended as any mesh of a scene
//
// A solid that is not closed, or cuts itself, has no inside that contact could tell: its convex
// hull stands for it, with a warning. Each file is read, and each hull built, once for a use and
// a scale, whatever the number of shapes.

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// hullCorners is the largest number of corners of a convex hull of a robot's mesh. A ball of this
// many corners is round to 0.2 % of its radius, and building its tables takes some milliseconds.
const hullCorners = 1024

// meshUse is what a mesh is read for.
type meshUse int

const (
	seen         meshUse = iota // is drawn and touches nothing
	touchedHull                 // touches as its convex hull
	touchedSolid                // touches as the solid that its surface encloses
)

// meshKey names a mesh that was read.
type meshKey struct {
	file string
	tri  *meshes.Tri // of meshes without a file
	s    r3.Vec      // scale
	use  meshUse
}

// robotMesh is a mesh that was read for a use.
type robotMesh struct {
	tri *meshes.Tri
	// shape is that of contact, nil for meshes that are only seen.
	shape geometry.Shape
	err   error
}

// seenMesh returns the surface of a mesh for pictures.
func (r *robotLoader) seenMesh(m *robot.Mesh) (*meshes.Tri, error) {
	got := r.readOnce(m, seen, func(got *robotMesh) { got.tri, got.err = r.rawMesh(m) })
	return got.tri, got.err
}

// touchedMesh returns the shape of a mesh for contact.
func (r *robotLoader) touchedMesh(g *robot.Geometry) (geometry.Shape, error) {
	use := touchedSolid
	// formats such as MJCF let meshes touch as hulls
	if g.Mesh.ConvexHull {
		use = touchedHull
	}
	got := r.readOnce(g.Mesh, use, func(got *robotMesh) {
		if use == touchedHull {
			// a hull has an inside whether or not the surface is closed
			if got.tri, got.err = r.rawMesh(g.Mesh); got.err == nil {
				got.shape, got.err = r.hull(g, got.tri)
			}
			return
		}
		got.shape, got.err = r.solid(g)
	})
	return got.shape, got.err
}

// readOnce returns the mesh of a use, which make makes the first time.
func (r *robotLoader) readOnce(m *robot.Mesh, use meshUse, make func(*robotMesh)) *robotMesh {
	// faults are kept as well, so that a missing file is looked for once
	key := meshKey{m.File, m.Triangles, m.Scale, use}
	got := r.meshes[key]
	if got == nil {
		got = &robotMesh{}
		make(got)
		r.meshes[key] = got
	}
	return got
}

// rawMesh returns the triangles of a mesh as they are in the file, scaled.
func (r *robotLoader) rawMesh(m *robot.Mesh) (*meshes.Tri, error) {
	if m.Triangles != nil {
		return scaledCopy(m), nil
	}
	path, err := r.meshInput(m)
	if err != nil {
		return nil, err
	}
	// robot files state lengths in m; a mesh in mm has a scale of 0.001 there
	tri, err := meshes.Seen(path, meshes.ReadOptions{Unit: "m"})
	if err != nil {
		return nil, err
	}
	robot.ScaleMesh(tri, m.Scale)
	return tri, nil
}

// solid returns the inside of a closed mesh, or the hull of any other, with a warning.
func (r *robotLoader) solid(g *robot.Geometry) (geometry.Shape, error) {
	tri, err := r.mendedMesh(g.Mesh)
	if err != nil {
		return nil, err
	}
	if g.Mesh.Sound {
		return geometry.NewMesh(tri)
	}
	// both faults leave the inside undefined: signed distances would change sign at a gap or a cut
	fault := ""
	if err := meshes.Watertight(tri); err != nil {
		fault = "is not closed (" + err.Error() + ")"
	} else if cuts, checked := meshes.SelfIntersections(tri, 1); len(cuts) > 0 {
		p := tri.Verts[tri.Tris[cuts[0][0]][0]]
		fault = fmt.Sprintf("cuts itself (near (%.4g, %.4g, %.4g) m)", p[0], p[1], p[2])
	} else {
		if !checked {
			r.warnAt(g.Line, "mesh %s: %s", g.Mesh.File, meshes.UncheckedCuts)
		}
		return geometry.NewMesh(tri)
	}
	hull, err := r.hull(g, tri)
	if err == nil {
		r.mendAt(g.Line, "mesh %s %s: its convex hull is used for contact", g.Mesh.File, fault)
	}
	return hull, err
}

// mendedMesh returns the surface of a mesh, mended as far as its shape stays, and scaled.
func (r *robotLoader) mendedMesh(m *robot.Mesh) (*meshes.Tri, error) {
	if m.Triangles != nil {
		return scaledCopy(m), nil
	}
	path, err := r.meshInput(m)
	if err != nil {
		return nil, err
	}
	tri, rep, err := meshes.ReadTri(path, meshes.ReadOptions{Unit: "m"})
	if err != nil {
		return nil, err
	}
	// what was mended is reported; the size in the file is doubted only where it is the final one
	r.reportMesh(path, rep, m.Scale != r3.Vec{1, 1, 1})
	robot.ScaleMesh(tri, m.Scale)
	return tri, nil
}

// hull returns the convex hull of a mesh. One of too many corners is made coarser, with a warning.
func (r *robotLoader) hull(g *robot.Geometry, tri *meshes.Tri) (geometry.Shape, error) {
	c, lost, err := geometry.NewConvexWithin(tri.Verts, hullCorners)
	if err != nil {
		return nil, err
	}
	if lost > 0 {
		r.warnAt(g.Line, "mesh %s: its convex hull is reduced to %d corners: the mesh sticks out of it by at most %.2g m", g.Mesh.File, hullCorners, lost)
	}
	return c, nil
}

// scaledCopy returns the triangles of a mesh without a file. The robot's own, which other shapes
// share, stay as they are.
func scaledCopy(m *robot.Mesh) *meshes.Tri {
	tri := &meshes.Tri{Verts: slices.Clone(m.Triangles.Verts), Tris: slices.Clone(m.Triangles.Tris)}
	robot.ScaleMesh(tri, m.Scale)
	return tri
}

// meshInput returns the path of a mesh, whose content counts for the fingerprint as meshes of the
// scene do.
func (r *robotLoader) meshInput(m *robot.Mesh) (path string, err error) {
	if path, err = r.uris.path(m.File); err != nil {
		return path, err
	}
	text, err := readInput(path)
	if err == nil {
		r.digestMesh(path, text)
	}
	return path, err
}
