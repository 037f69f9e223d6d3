package scene

// Shapes of robot files become shapes of the model (collision) or of pictures only (visual).
// A visual that cannot be read is left out with a warning, because results do not depend on it.
// Meshes are in robot_meshes.go.
// A shape G of a file hangs on its link at X_LG. Links of the file and bodies of the model have the
// same frames, so X_LG is the pose of the shape on its body.
//
// Collision shapes without visuals are what pictures show of a link; with visuals they only touch.
//
// Surface parameters of a file make a variant of the robot's material: its values where the file is
// silent, else those of the file. Shapes with equal parameters share a variant. Where the scene names
// a material for the robot, this one applies, and the file's parameters do not.

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/sim"
)

// shapes adds collision shapes; pictures show the visuals of a link in their place where
// it has any.
func (r *robotLoader) shapes() {
	// pictures show visual shapes unless the scene says otherwise
	visuals := r.spec.Visuals == nil || *r.spec.Visuals
	r.readMeshes(visuals)
	for i := range r.model.Links {
		link := &r.model.Links[i]
		name := r.linkName(i)
		shown := false
		if visuals {
			for k := range link.Visuals {
				g := &link.Visuals[k]
				if shape := r.shape(g, true); shape != nil {
					shown = true
					r.pictures.addVisual(record.Geom{Name: name, X_BG: g.X_LG, Color: g.Color}, shape)
				}
			}
		}
		for k := range link.Collisions {
			g := &link.Collisions[k]
			// both are tried, so that both are reported
			material, ok := r.material(g)
			shape := r.shape(g, false)
			if !ok || shape == nil {
				continue
			}
			// a collision shape is drawn only where the link has no visual
			r.pictures.add(record.Geom{Name: name, X_BG: g.X_LG, Color: g.Color, Hidden: shown}, shape)
			r.builder.AddShape(name, sim.ShapeSpec{Shape: shape, Pose: g.X_LG, Material: material, ResolutionHint: value(g.Material.ResolutionHint, 0)})
		}
	}
	r.warnVisuals()
}

// shape builds a shape; a visual that cannot be read is left out with a warning, a collision
// shape is an error. Primitives are exact.
func (r *robotLoader) shape(g *robot.Geometry, visual bool) geometry.Shape {
	sh, err := g.Primitive()
	switch {
	case sh != nil || err != nil:
	case visual:
		m := r.meshes[meshKeyOf(g, true)]
		if err = m.err; err == nil {
			return pictureShape{m.tri} // a surface that is only looked at may be open
		}
	default:
		sh, err = r.touchedMesh(g)
	}
	if err == nil {
		return sh
	}
	// a run does not depend on a visual
	switch {
	case visual:
		r.loseVisual(g.Line, err)
	case errors.Is(err, geometry.ErrFlat):
		r.mendAt(g.Line, "collision shape left out: %v; give the scene a half_space or a box for ground", err)
	case r.spec.MissingMeshes == "skip" && errors.Is(err, fs.ErrNotExist):
		r.warnAt(g.Line, "collision shape left out: %v", err)
	default:
		r.failAt(g.Line, "%v", err)
	}
	return nil
}

// pictureShape is a surface that is only looked at.
type pictureShape struct{ tri *meshes.Tri }

// Bounds implements geometry.Shape. SignedDistance is never called: pictures have no contact.
func (p pictureShape) Bounds() r3.Box { return p.tri.Bounds() }

// SignedDistance implements geometry.Shape: nothing touches the surface.
func (p pictureShape) SignedDistance(r3.Vec) (float64, r3.Vec) { return math.Inf(1), r3.Vec{0, 0, 1} }

// SurfaceMesh implements geometry.Shape.
func (p pictureShape) SurfaceMesh() *meshes.Tri { return p.tri }

// material returns the material of a collision shape: the robot's, with what the
// file says of this surface.
func (r *robotLoader) material(g *robot.Geometry) (string, bool) {
	if !r.knownMaterial(r.spec.Pos, r.spec.Material) {
		return "", false
	}
	name := cmp.Or(r.spec.Material, defaultMaterial)
	base, ok := r.loader.materials.index[name]
	if !ok {
		return "", false // reported with the material
	}
	t := &r.loader.materials
	// a copy of the base with what the file changes
	m := t.list[base].Contact
	s := &g.Material
	changed := s.Apply(&m) || s.StaticFriction != nil || s.Friction != nil
	set(&m.StaticFriction, s.StaticFriction)
	set(&m.Friction, s.Friction)
	if !changed || r.spec.Material != "" {
		return name, true // the material that the scene names applies
	}
	// numbers of robot files are not checked before
	if err := m.Check(); err != nil {
		r.failAt(g.Line, "%v", err)
		return "", false
	}
	for i := range t.list { // many shapes share a surface
		if t.list[i].Base == base && t.list[i].Contact == m {
			return t.names[i], true
		}
	}
	variant := fmt.Sprintf("%s of robot files (%d)", name, len(t.list))
	t.add(check.Material{Name: name, Base: base, Contact: m}, variant)
	r.builder.AddMaterial(variant, m)
	r.places[[2]string{"material", variant}] = place{r.file, Pos{g.Line, 1}, ""}
	return variant, true
}
