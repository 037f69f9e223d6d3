package scene

import (
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene/robot"
)

// shapes adds collision shapes, and visuals in their place in pictures where a
// link has any.
func (r *robotBuilder) shapes() {
	b := r.b
	visuals := r.spec.Visuals == nil || *r.spec.Visuals
	for i := range r.model.Links {
		l := &r.model.Links[i]
		shown := false
		if visuals {
			for k := range l.Visuals {
				g := &l.Visuals[k]
				if sh := r.shape(g, true); sh != nil {
					shown = true
					b.addGeom(record.Geom{Name: r.name + "." + l.Name, Body: r.links[i], X_BG: g.X_LG, Color: g.Color}, sh, 0, false, fieldSpec{})
				}
			}
		}
		for k := range l.Collisions {
			g := &l.Collisions[k]
			mat, ok := r.material(g)
			sh := r.shape(g, false)
			if !ok || sh == nil {
				continue
			}
			b.addGeom(record.Geom{Name: r.name + "." + l.Name, Body: r.links[i], X_BG: g.X_LG, Color: g.Color, Hidden: shown}, sh, mat, true, fieldSpec{
				where: r.where(g.Line), pos: r.spec.Pos, thickness: defaultThickness,
				resolutionHint: given(g.Material.ResolutionHint),
			})
		}
	}
}

// given returns a number of a robot file, 0 where it gives none.
func given(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

// shape builds a shape; a visual that cannot be read is left out with a warning,
// a collision shape is an error.
func (r *robotBuilder) shape(g *robot.Geometry, visual bool) geometry.Shape {
	var sh geometry.Shape
	var err error
	switch {
	case g.Box != nil:
		sh, err = geometry.NewBox(*g.Box)
	case g.Sphere > 0:
		sh, err = geometry.NewSphere(g.Sphere)
	case g.Cylinder != nil:
		sh, err = geometry.NewCylinder(g.Cylinder.Radius, g.Cylinder.Length)
	case g.Capsule != nil:
		sh, err = geometry.NewCapsule(g.Capsule.Radius, g.Capsule.Length)
	case g.Ellipsoid != nil:
		sh, err = geometry.NewEllipsoid(*g.Ellipsoid)
	default:
		var tri *meshes.Tri
		if tri, err = r.mesh(g.Mesh); err == nil {
			if visual {
				return pictureShape{tri}
			}
			if g.Mesh.ConvexHull {
				sh, err = geometry.NewConvex(tri.Verts)
			} else if err = meshes.Watertight(tri); err == nil {
				sh, err = geometry.NewMesh(tri)
			} else if hull, herr := geometry.NewConvex(tri.Verts); herr == nil {
				r.warn(g.Line, "mesh %s is not closed (%v): its convex hull is used for contact", g.Mesh.File, err)
				return hull
			}
		}
	}
	if err == nil {
		return sh
	}
	if visual {
		r.warn(g.Line, "visual left out: %v", err)
	} else {
		r.fail(g.Line, "%v", err)
	}
	return nil
}

// pictureShape is a surface that is only looked at.
type pictureShape struct{ tri *meshes.Tri }

func (p pictureShape) Bounds() r3.Box                          { return p.tri.Bounds() }
func (p pictureShape) SignedDistance(r3.Vec) (float64, r3.Vec) { return math.Inf(1), r3.Vec{0, 0, 1} }
func (p pictureShape) SurfaceMesh() *meshes.Tri                { return p.tri }

// mesh returns the surface of a mesh, scaled.
func (r *robotBuilder) mesh(m *robot.Mesh) (*meshes.Tri, error) {
	tri := m.Triangles
	if tri == nil {
		var err error
		if tri, err = r.meshFile(m); err != nil {
			return nil, err
		}
	} else {
		tri = &meshes.Tri{Verts: slices.Clone(tri.Verts), Tris: slices.Clone(tri.Tris)}
	}
	robot.ScaleMesh(tri, m.Scale)
	return tri, nil
}

// meshFile reads the file of a mesh.
func (r *robotBuilder) meshFile(m *robot.Mesh) (*meshes.Tri, error) {
	path := m.File
	rest, ok := strings.CutPrefix(path, "package://")
	if !ok {
		rest, ok = strings.CutPrefix(path, "model://")
	}
	if ok {
		pkg, inside, _ := strings.Cut(rest, "/")
		if dir := r.spec.Packages.Get(pkg); dir != nil {
			path = filepath.Join(r.b.rel(*dir), filepath.FromSlash(inside))
		} else {
			path = findPackage(r.dir, pkg, inside)
		}
	} else {
		path = filepath.FromSlash(strings.TrimPrefix(path, "file://"))
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.dir, path)
		}
	}
	text, err := readInput(path)
	if err != nil {
		return nil, err
	}
	r.b.digest(text)
	tri, rep, err := meshes.ReadTri(path, meshes.ReadOptions{Unit: "m"})
	if err != nil {
		return nil, err
	}
	r.b.reportMesh(path, rep, m.Scale != r3.Vec{1, 1, 1})
	return tri, nil
}

// findPackage looks for a ROS package, or a model of Gazebo, in the folders above the robot file: one
// of that name, or the one that holds package.xml.
func findPackage(dir, pkg, inside string) string {
	inside = filepath.FromSlash(inside)
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	for d := abs; ; d = filepath.Dir(d) {
		if filepath.Base(d) == pkg {
			return filepath.Join(d, inside)
		}
		if exists(filepath.Join(d, pkg, inside)) {
			return filepath.Join(d, pkg, inside)
		}
		if filepath.Dir(d) == d {
			return filepath.Join(abs, pkg, inside)
		}
	}
}

// material returns the material of a collision shape: the robot's, with what the
// file says of this surface.
func (r *robotBuilder) material(g *robot.Geometry) (int, bool) {
	b := r.b
	base, ok := b.material(r.spec.Pos, r.spec.Material)
	if !ok {
		return 0, false
	}
	m := b.mats[base]
	changed := false
	apply := func(dst *float64, x float64) {
		if !math.IsNaN(x) {
			*dst, changed = x, true
		}
	}
	s := &g.Material
	apply(&m.Stiffness, s.Stiffness)
	apply(&m.Dissipation, s.Dissipation)
	apply(&m.RelaxationTime, s.RelaxationTime)
	apply(&m.HydroelasticModulus, s.HydroelasticModulus)
	apply(&m.StaticFriction, s.StaticFriction)
	apply(&m.Friction, s.Friction)
	if !changed || r.spec.Material != "" {
		return base, true // the scene's word counts
	}
	if err := m.Check(); err != nil {
		r.fail(g.Line, "%v", err)
		return 0, false
	}
	for i := range b.mats { // many shapes share a surface
		if b.bases[i] == base && b.mats[i] == m {
			return i, true
		}
	}
	b.addMaterial(m, base)
	return len(b.mats) - 1, true
}
