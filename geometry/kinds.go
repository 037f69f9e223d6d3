package geometry

import (
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Shapes are the registered kinds of shapes.
var Shapes = kinds.NewRegistry[ShapeSpec]("shape", "Solid that takes part in contact, in a frame of its own.")

// ShapeSpec makes a shape from its parameters. The error names the parameter at fault.
type ShapeSpec interface {
	Make(m MeshSource) (Shape, error)
}

// MeshSource finds the meshes that the parameters of shapes name.
type MeshSource interface {
	// Solid returns the solid inside the closed surface of a mesh. Calls with one name
	// return one solid, so that shapes share their trees and pressure fields.
	Solid(mesh string) (*Mesh, error)
	// Verts returns the vertices of a mesh, m, of which a convex hull is made.
	Verts(mesh string) ([]r3.Vec, error)
}

// FieldMaker is a shape that makes its own pressure field. Other shapes get one of
// tetrahedra that fill their SurfaceMesh.
type FieldMaker interface {
	Shape
	// PressureField returns the field with the stiffness, the resolution and the margin
	// of opt. HydroelasticModulus is positive, but for shapes whose surface no mesh
	// covers: they return a rigid body for 0.
	PressureField(opt hydroelastic.Options) (hydroelastic.Geometry, error)
}

// NewPressureField returns the pressure field of a shape, or for a HydroelasticModulus of
// 0 the rigid surface that fields press on. opt.ResolutionHint is the longest edge of
// either, m. The error says which number or which part of the surface is at fault.
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
