package geometry

import (
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Shapes are the registered kinds of shapes.
var Shapes = kinds.NewRegistry[ShapeSpec]("shape", "Solid that takes part in contact, in a frame of its own.")

// ShapeSpec creates a shape from its parameters. The error names the faulty parameter.
type ShapeSpec interface {
	Make(m MeshSource) (Shape, error)
}

// MeshSource maps the names of meshes in parameters of shapes to their data.
type MeshSource interface {
	// Solid returns the solid inside the closed surface of a mesh. Calls with one name
	// return one solid, so that shapes share their trees and pressure fields.
	Solid(mesh string) (*Mesh, error)
	// Verts returns the vertices of a mesh, m, of which a convex hull is made.
	Verts(mesh string) ([]r3.Vec, error)
}

// FieldMaker is a shape that generates its own pressure field. Other shapes get a
// field on tetrahedra that fill their SurfaceMesh.
type FieldMaker interface {
	Shape
	// PressureField returns the field with the stiffness, the resolution and the margin
	// of opt. HydroelasticModulus is positive; only unbounded shapes, whose surface no
	// mesh covers, are asked for 0 and return a rigid body.
	PressureField(opt hydroelastic.Options) (hydroelastic.Geometry, error)
}

// NewPressureField returns the pressure field of a shape, or for a HydroelasticModulus of
// 0 the rigid surface that pressure fields act on. opt.ResolutionHint is the longest edge
// of either, m. The error names the faulty number or part of the surface.
func NewPressureField(s Shape, opt hydroelastic.Options) (hydroelastic.Geometry, error) {
	// A half-space has no mesh: it makes its own rigid body.
	if opt.HydroelasticModulus == 0 && !isHalfSpace(s) {
		return hydroelastic.NewRigid(s.SurfaceMesh(), opt.ResolutionHint)
	}
	if f, ok := s.(FieldMaker); ok {
		return f.PressureField(opt)
	}
	return hydroelastic.NewFromSurface(s.SurfaceMesh(), opt)
}
