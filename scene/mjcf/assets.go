package mjcf

// Assets: meshes and materials, which geoms refer to by name.
//
// A mesh has a file, or vertices (m) and perhaps faces that the element has itself. Its
// vertices are scaled, shifted and turned into the frame of the geom by refpos and refquat. Paths
// are relative to compiler/meshdir, and that to the file of the robot, or else to the included file
// that names them. A material gives a colour; its textures and reflections have no use here.

import (
	"bytes"
	"errors"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// mesh is a mesh asset: a file or triangles, and its pose in the frame of a geom.
type mesh struct {
	line   int
	name   string
	file   string      // relative to the robot's folder; empty: it has none
	tri    *meshes.Tri // instead of a file
	scale  r3.Vec      // factors of the coordinates in the file
	X_GM   r3.Pose     // pose of the scaled file in a geom
	volume string      // attribute inertia: what the mass follows from
}

// assets reads the meshes and materials that geoms refer to.
func (r *reader) assets(a *robot.Element) {
	for _, e := range a.All("material") {
		// A material's colour may come from its class.
		v := r.view(e, "material", "")
		c := paint{}
		if text, at, ok := v.get("rgba"); ok {
			c = r.rgba(at, text)
		}
		r.materials[r.RequiredText(e, "name")] = c
	}
	for _, e := range a.All("hfield") {
		r.hfield(e)
	}
	for _, e := range a.All("mesh") {
		// The name is that of the file where the element has none.
		m := r.mesh(e)
		if first := r.meshes[m.name]; first != nil {
			r.Fail(e.Line, "a second mesh is called %q (the first is in line %d): names must differ", m.name, r.line(first.line))
			return
		}
		r.meshes[m.name] = m
	}
}

// mesh reads a mesh asset. MuJoCo moves vertices x by refpos p, turns them by refquat R
// and then scales them by S: S Rᵀ (x − p). Here scaling comes first: Rᵀ (S x − S p),
// which is the same where the scale is the same along all axes.
func (r *reader) mesh(e *robot.Element) *mesh {
	// Attributes may come from the defaults of <mesh>.
	v := r.view(e, "mesh", "")
	m := &mesh{line: e.Line, name: v.text("name", ""), volume: v.text("inertia", "legacy"), scale: r3.Vec{1, 1, 1}}
	r.meshFile(v, m)
	if text, at, ok := v.get("scale"); ok {
		m.scale = r.place(at, "scale", text)
	}
	s := m.scale
	// A negative factor mirrors the mesh; zero has no meaning.
	if s[0]*s[1]*s[2] == 0 {
		r.Fail(e.Line, "<mesh scale>: the scale (%g, %g, %g) flattens the mesh: no component may be 0", s[0], s[1], s[2])
	}
	m.X_GM = r3.PoseIdentity()
	// the pose of the file in a geom
	var p r3.Vec
	if text, at, ok := v.get("refpos"); ok {
		p = r.place(at, "refpos", text)
	}
	// MuJoCo turns by the inverse of refquat.
	if text, at, ok := v.get("refquat"); ok {
		m.X_GM.R = r.rotation(&robot.Element{Name: "mesh", Line: at.Line}, "quat", text).T()
	}
	if m.X_GM.R != r3.Identity() && (s[0] != s[1] || s[1] != s[2]) {
		r.Fail(e.Line, "<mesh name=%q>: a refquat with a scale that differs by axis shears: turn the mesh in its file", m.name)
	}
	// −Rᵀ S p, see above
	m.X_GM.P = m.X_GM.R.MulVec(r3.Vec{-s[0] * p[0], -s[1] * p[1], -s[2] * p[2]})
	return m
}

// meshFile reads the file of a mesh, or the vertices or parameters that the element has instead. A
// mesh without a name has that of its file.
func (r *reader) meshFile(v view, m *mesh) {
	file := slashes(v.text("file", ""))
	if m.name == "" {
		m.name = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	if file != "" {
		m.file = r.assetFile(v[0], file)
	} else if _, at, ok := v.get("vertex"); ok {
		m.tri = r.written(at)
	} else if kind := v.text("builtin", "none"); kind != "none" {
		m.tri = r.builtin(v[0], kind)
	}
}

// assetFile returns the name of an asset's file relative to the robot's folder. Folders in the
// name count unless strippath drops them. Like MuJoCo it looks in meshdir, then beside the included
// file that names it.
func (r *reader) assetFile(e *robot.Element, file string) string {
	if r.compiler.strippath {
		file = path.Base(file)
	}
	// graft noted the folder of an attached file
	dir, attached := r.dirs[e]
	if !attached {
		dir = slashes(r.compiler.meshdir)
	}
	if path.IsAbs(file) {
		return file
	}
	name := file
	if dir != "" {
		name = path.Join(dir, file)
	}
	if folder, included := r.folders[e]; included && !r.compiler.strippath && r.open != nil {
		if found, _, err := r.openNear(name, file, folder); err == nil {
			return found
		}
	}
	return name
}

// meshGeom sets the mesh of a geom. In MuJoCo meshes touch as their convex hulls, but those of type sdf.
func (r *reader) meshGeom(v view, g *robot.Geometry) {
	name := v.text("mesh", "")
	if name == "" {
		r.Fail(g.Line, "<geom type=\"mesh\"> has no mesh: name one of <asset>")
		return
	}
	// The mesh may be named before or after the geom in the file, since assets are read first.
	m := r.meshes[name]
	switch {
	case m == nil:
		r.Fail(g.Line, "<geom>: there is no mesh %q: add one to <asset>", name)
		return
	case m.file == "" && m.tri == nil:
		r.Fail(g.Line, "<geom>: mesh %q has no file, vertices or parameters: save it as OBJ or STL and name that", name)
		return
	}
	g.Mesh = &robot.Mesh{File: m.file, Triangles: m.tri, Scale: m.scale, ConvexHull: true}
	// The mesh's pose in the geom follows that of the geom in the link.
	g.X_LG = g.X_LG.Mul(m.X_GM)
}

// solid returns the mass properties of a scaled mesh for a density of 1 kg/m³, in the
// frame of its file; nil after a fault. Each mesh is computed once.
func (r *reader) solid(m *mesh, line int) *geometry.MassProperties {
	if s, ok := r.solids[m]; ok {
		return s
	}
	// either of them makes the volume of the mesh unnecessary
	const remedy = "give the body an <inertial>, or the geom mass=\"0\""
	tri, err := r.surfaceOf(m)
	if err != nil {
		r.Fail(line, "mesh %q, from which its body's mass comes: %v: %s", m.name, err, remedy)
		return nil
	}
	// The mass follows from the triangles as the geom has them.
	robot.ScaleMesh(tri, m.scale)
	s, err := r.volume(m, tri, line)
	if err != nil {
		r.Fail(line, "mesh %q, from which its body's mass comes: %v: %s", m.name, err, remedy)
		return nil
	}
	r.solids[m] = s
	return s
}

// surfaceOf returns the triangles of a mesh before they are scaled.
func (r *reader) surfaceOf(m *mesh) (*meshes.Tri, error) {
	// Triangles of the element itself are copied, since scaling changes them.
	switch {
	case m.tri != nil:
		return &meshes.Tri{Verts: slices.Clone(m.tri.Verts), Tris: slices.Clone(m.tri.Tris)}, nil
	case r.open == nil:
		return nil, errors.New("files are not read here")
	}
	// Names of files are relative to the robot's.
	text, err := r.open(m.file)
	if err != nil {
		return nil, err
	}
	// MJCF has no unit for meshes: coordinates are metres.
	ext := strings.ToLower(path.Ext(m.file))
	tri, err := formats.Solid(bytes.NewReader(text), ext, formats.ReadOptions{Unit: "m"})
	// Without faces the vertices mean their hull.
	if errors.Is(err, formats.ErrNoTris) {
		if points := formats.PointsFrom(bytes.NewReader(text), ext); points != nil {
			return geometry.HullSurface(points)
		}
	}
	return tri, err
}

// written returns the triangles that a <mesh> has itself, those of the convex
// hull where it gives vertices alone; nil after a fault.
func (r *reader) written(e *robot.Element) *meshes.Tri {
	verts, faces := r.numbers(e, "vertex", 12, math.MaxInt), r.numbers(e, "face", 3, math.MaxInt)
	// Numbers come in threes: coordinates of a vertex, vertices of a face.
	if r.Err == nil && (len(verts)%3 != 0 || len(faces)%3 != 0) {
		r.Fail(e.Line, "<mesh>: vertex and face have three numbers each time: %d and %d are given", len(verts), len(faces))
	}
	if r.Err != nil {
		return nil
	}
	// Without faces the vertices mean their hull.
	tri := &meshes.Tri{}
	for i := 0; i < len(verts); i += 3 {
		tri.Verts = append(tri.Verts, r3.Vec(verts[i:i+3]))
	}
	if faces == nil {
		hull, err := geometry.HullSurface(tri.Verts)
		if err != nil {
			r.Fail(e.Line, "<mesh vertex>: %v", err)
			return nil
		}
		return hull
	}
	return r.faces(e, tri, faces)
}

// faces adds triangles of three vertex numbers each to a mesh; nil after a fault.
func (r *reader) faces(e *robot.Element, tri *meshes.Tri, numbers []float64) *meshes.Tri {
	for i := 0; i < len(numbers); i += 3 {
		// The numbers are vertices, counted from 0, counter-clockwise seen from outside.
		var t [3]int32
		for k, x := range numbers[i : i+3] {
			if x != math.Trunc(x) || x < 0 || x >= float64(len(tri.Verts)) {
				r.Fail(e.Line, "<mesh face>: %g is no vertex: whole numbers from 0 to %d are required", x, len(tri.Verts)-1)
				return nil
			}
			t[k] = int32(x)
		}
		tri.Tris = append(tri.Tris, t)
	}
	return tri
}

// volume returns the mass properties of a mesh for a density of 1 kg/m³: those of the volume that it
// encloses where it is closed but for small holes, else those of its convex hull.
func (r *reader) volume(m *mesh, tri *meshes.Tri, line int) (*geometry.MassProperties, error) {
	// MuJoCo computes the inertia of shells; here they are solid.
	if m.volume == "shell" {
		r.Warn(line, "mesh %q weighs as a shell in MuJoCo: taken as solid", m.name)
	}
	if m.volume == "convex" {
		s, err := geometry.MassOfHull(tri)
		return &s, err
	}
	s, note, err := robot.MassOfMesh(tri)
	if note != "" {
		r.Warn(line, "mesh %q %s", m.name, note)
	}
	return &s, err
}
