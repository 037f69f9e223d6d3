package sim

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// ShapeSpec describes a shape on a body: either Shape or Spec must be given.
type ShapeSpec struct {
	// Shape is the shape, in its own frame G.
	Shape geometry.Shape
	// Spec are the parameters of the shape in place of Shape, such as a
	// *geometry.SphereSpec. Names of meshes among them are resolved by
	// Builder.Meshes.
	Spec geometry.ShapeSpec
	// Pose is X_BG, the pose of the shape on its body; the zero value is the identity.
	Pose r3.Pose
	// Material is the name of the contact material; empty: the default one.
	Material string
	// Density is the density from which the body's mass is computed, kg/m³; 0:
	// DefaultDensity.
	Density float64
	// Visual marks a shape without contact. It has mass only where the body has no other
	// shapes.
	Visual bool
	// ResolutionHint is the longest edge of the shape's surface in contact by pressure
	// fields, m; 0: by its size. It is used in models with hydroelastic contact, where some
	// contact material has a HydroelasticModulus.
	ResolutionHint float64
}

// endless reports whether the shape has no volume to weigh.
func (s *ShapeSpec) endless() bool {
	_, ok := s.Shape.(geometry.HalfSpace)
	return ok
}

// shapeItem is a body, with its shapes, or a shape on one.
type shapeItem struct {
	body *bodyItem // nil: a shape of its own
	on   string    // the name of its body
	spec ShapeSpec
}

// makeShape makes the shape from its parameters, where these are given.
func (b *Builder) makeShape(body string, s *ShapeSpec) {
	var err error
	switch {
	case s.Shape != nil && s.Spec != nil:
		err = errors.New("a shape of it has both Shape and Spec: leave out one of the two")
	case s.Spec != nil:
		// a nil interface on an error, not a nil pointer in one
		if shape, fault := s.Spec.Make(meshesOr(b.Meshes)); fault == nil {
			s.Shape = shape
		} else {
			err = fault
		}
	case s.Shape == nil:
		err = errors.New("a shape of it is nil: give Shape or Spec, such as &geometry.SphereSpec{Radius: 0.05}")
	}
	if err != nil {
		b.added = append(b.added, &Diagnostic{"body", body, err})
	}
}

// meshesOr returns the source of meshes, or one without any.
func meshesOr(m geometry.MeshSource) geometry.MeshSource {
	if m == nil {
		return noMeshes{}
	}
	return m
}

// noMeshes is a source without meshes.
type noMeshes struct{}

// Solid implements geometry.MeshSource.
func (noMeshes) Solid(mesh string) (*geometry.Mesh, error) {
	return nil, fmt.Errorf("unknown mesh %q: the builder has no Meshes", mesh)
}

// Verts implements geometry.MeshSource.
func (noMeshes) Verts(mesh string) ([]r3.Vec, error) {
	return nil, fmt.Errorf("unknown mesh %q: the builder has no Meshes", mesh)
}

// geom adds a shape to contact.
func (a *assembly) geom(body string, link int, s *ShapeSpec) {
	mat, err := a.materials.find(s.Material)
	switch {
	case err != nil:
		a.fail("body", body, "%w", err)
		return
	case s.Shape == nil || s.Visual:
		return // reported by makeShape, or without contact
	}
	a.geoms = append(a.geoms, geometry.Geom{Name: body, Body: link, X_BG: s.Pose.OrIdentity(), Shape: s.Shape, Material: mat})
	a.pressure = append(a.pressure, s)
}
