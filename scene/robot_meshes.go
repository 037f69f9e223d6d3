package scene

// Meshes of robot files. What is done to a mesh depends on its use:
//
//	visual              triangles as they are in the file; nothing is examined
//	hull of contact     vertices as they are in the file, of which the hull is taken
//	solid of contact    closed surface, examined and repaired as any mesh of a scene
//
// A solid that is not closed, or cuts itself, has no inside that contact could use: its convex
// hull stands for it, with a warning. Each file is parsed once (robot_mesh_files.go), and each hull built once for a
// use and a scale, whatever the number of shapes and of robots: first all meshes of a robot on all cores, then the
// shapes take them one after the other, so that warnings have the order of the file.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/workers"
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

// robotMesh is a mesh that is read for a use.
type robotMesh struct {
	*robot.Mesh
	use  meshUse
	file *meshFile // nil: the robot has the surface itself
	tri  *meshes.Tri
	// shape is that of contact, nil for meshes that are only seen.
	shape geometry.Shape
	err   error
	// findings say what was repaired of a solid, fault why its hull stands for it.
	findings meshes.Findings
	fault    string
	// unchecked is set where a solid has too many triangles to look for cuts.
	unchecked bool
	// lost is the distance by which the mesh sticks out of its hull, m.
	lost float64
}

// meshKeyOf returns the name of a shape's mesh.
func meshKeyOf(g *robot.Geometry, visual bool) meshKey {
	use := touchedSolid
	switch {
	case visual:
		use = seen
	// formats such as MJCF let meshes touch as hulls
	case g.Mesh.ConvexHull:
		use = touchedHull
	}
	return meshKey{g.Mesh.File, g.Mesh.Triangles, g.Mesh.Scale, use}
}

// readMeshes reads the meshes of all links, of visuals where they are shown. Faults are kept, since
// shapes report them where they stand in the file.
func (r *robotLoader) readMeshes(visuals bool) {
	files := meshFiles{}
	var all []*robotMesh
	add := func(g *robot.Geometry, visual bool) {
		if g.Mesh == nil || r.meshes[meshKeyOf(g, visual)] != nil {
			return
		}
		m := &robotMesh{Mesh: g.Mesh, use: meshKeyOf(g, visual).use}
		// inputs are digested in the order of the file
		if g.Mesh.Triangles == nil {
			m.file, m.err = r.meshInput(g.Mesh, files)
		}
		if known := r.knownMesh(m); known != nil {
			m = known
		} else {
			all = append(all, m)
		}
		r.meshes[meshKeyOf(g, visual)] = m
	}
	for i := range r.model.Links {
		link := &r.model.Links[i]
		for k := range link.Visuals {
			if visuals {
				add(&link.Visuals[k], true)
			}
		}
		for k := range link.Collisions {
			add(&link.Collisions[k], false)
		}
	}
	files.parse(all)
	workers.Each(len(all), func(i int) { all[i].read() })
	for _, m := range all {
		m.file.release()
	}
}

// read reads a mesh and builds its shape.
func (m *robotMesh) read() {
	if m.err == nil {
		m.tri, m.err = m.surface()
	}
	switch {
	case m.err != nil || m.use == seen:
	// a hull has an inside whether or not the surface is closed
	case m.use == touchedHull:
		m.hull()
	default:
		m.solid()
	}
}

// surface returns the triangles of a mesh, scaled: of a solid repaired as far as its shape stays, else
// as they are in the file.
func (m *robotMesh) surface() (tri *meshes.Tri, err error) {
	// robot files state lengths in m; a mesh in mm has a scale of 0.001 there
	opt := formats.ReadOptions{Unit: "m"}
	switch {
	// other shapes share the robot's own triangles
	case m.file == nil:
		tri = &meshes.Tri{Verts: slices.Clone(m.Triangles.Verts), Tris: slices.Clone(m.Triangles.Tris)}
	case m.use == touchedSolid:
		tri, m.findings, err = m.file.parsed.Tri(opt)
	default:
		tri, err = m.file.parsed.Seen(opt)
	}
	// vertices alone mean their hull where the format lets meshes touch so
	if errors.Is(err, formats.ErrNoTris) && m.ConvexHull {
		if points := m.file.parsed.Points(); points != nil {
			tri, err = geometry.HullSurface(points)
		}
	}
	if err != nil {
		return nil, err
	}
	robot.ScaleMesh(tri, m.Scale)
	return tri, nil
}

// solid sets the inside of a closed mesh, or the hull of any other.
func (m *robotMesh) solid() {
	// both faults leave the inside undefined: signed distances would change sign at a gap or a cut
	if !m.Sound {
		if err := repair.Watertight(m.tri); err != nil {
			m.fault = "is not closed (" + err.Error() + ")"
		} else if cuts, checked := repair.SelfIntersections(m.tri, 1); len(cuts) > 0 {
			p := m.tri.Verts[m.tri.Tris[cuts[0][0]][0]]
			m.fault = fmt.Sprintf("cuts itself (near (%.4g, %.4g, %.4g) m)", p[0], p[1], p[2])
		} else {
			m.unchecked = !checked
		}
	}
	if m.fault != "" {
		m.hull()
		return
	}
	m.shape, m.err = geometry.NewMesh(m.tri)
}

// hull sets the convex hull of a mesh. One of too many corners is made coarser.
func (m *robotMesh) hull() {
	m.shape, m.lost, m.err = geometry.NewConvexWithin(m.tri.Verts, hullCorners)
}

// touchedMesh returns the shape of a mesh for contact. The first shape that has it is warned of what
// was done to it.
func (r *robotLoader) touchedMesh(g *robot.Geometry) (geometry.Shape, error) {
	m := r.meshes[meshKeyOf(g, false)]
	if r.told[m] {
		return m.shape, m.err
	}
	r.told[m] = true
	// the size in the file is doubted only where it is the final one
	r.reportMesh(m.file.name(), m.findings, m.Scale != r3.Vec{1, 1, 1})
	if m.unchecked {
		r.warnAt(g.Line, "mesh %s: %s", g.Mesh.File, repair.UncheckedCuts)
	}
	if m.err == nil && m.lost > 0 {
		r.warnAt(g.Line, "mesh %s: its convex hull is reduced to %d corners: the mesh sticks out of it by at most %.2g m", g.Mesh.File, hullCorners, m.lost)
	}
	if m.err == nil && m.fault != "" {
		r.mendAt(g.Line, "mesh %s %s: its convex hull is used for contact", g.Mesh.File, m.fault)
	}
	return m.shape, m.err
}
