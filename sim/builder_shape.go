package sim

import (
	"errors"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// ShapeSpec describes a shape on a body.
type ShapeSpec struct {
	Shape    geometry.Shape
	Pose     r3.Pose // X_BG; the zero value is the identity
	Material string  // contact material; "": the default one
	Density  float64 // kg/m³; 0: DefaultDensity
	Visual   bool    // it makes no contact

	// What follows matters in models with compliant rigid surfaces, whose contact
	// material has a HydroelasticModulus.
	ResolutionHint float64     // longest edge of its surface in contact, m; 0: by its size
	Thickness      float64     // depth of the pressure field of a half-space, m; 0: DefaultThickness
	Volume         *meshes.Tet // volume mesh of the shape for its pressure field; nil: made from the surface
}

// endless reports whether the shape has no volume to weigh.
func (s *ShapeSpec) endless() bool {
	_, ok := s.Shape.(geometry.HalfSpace)
	return ok
}

// shapeItem is a body, with its shapes, or a shape on one.
type shapeItem struct {
	body *bodyItem // nil: a shape of its own
	on   string
	spec ShapeSpec
}

// geom adds a shape to contact.
func (a *assembly) geom(body string, link int, s *ShapeSpec) {
	if s.Shape == nil {
		a.fail("body", body, "%v", errors.New("a shape of it is nil: give one, such as that of geometry.NewSphere"))
		return
	}
	mat, err := a.materials.find(s.Material)
	if err != nil {
		a.fail("body", body, "%w", err)
		return
	}
	if s.Visual {
		return
	}
	a.geoms = append(a.geoms, geometry.Geom{Name: body, Body: link, X_BG: poseOr(s.Pose), Shape: s.Shape, Material: mat})
	a.pressure = append(a.pressure, s)
}
