package robot

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/repair"
)

// Masses of shapes, for formats whose links may weigh what their shapes do.

// Primitive returns the shape of a geometry that is not a mesh; nil for one that is.
func (g *Geometry) Primitive() (geometry.Shape, error) {
	switch {
	case g.Box != nil:
		return geometry.NewBox(*g.Box)
	case g.Sphere > 0:
		return geometry.NewSphere(g.Sphere)
	case g.Cylinder != nil:
		return geometry.NewCylinder(g.Cylinder.Radius, g.Cylinder.Length)
	// its length is that between the centres of its caps
	case g.Capsule != nil:
		return geometry.NewCapsule(g.Capsule.Radius, g.Capsule.Length)
	case g.Ellipsoid != nil:
		return geometry.NewEllipsoid(*g.Ellipsoid)
	}
	return nil, nil
}

// openVolume is the largest part of its volume that the holes of a mesh may hide where it weighs as
// if it were closed.
const openVolume = 0.01

// MassOfMesh returns the mass properties of a mesh for a density of 1 kg/m³: those of the volume that
// it encloses where it is closed but for small holes, else those of its convex hull. A mesh that is open
// has a note that says which.
func MassOfMesh(tri *meshes.Tri) (m geometry.MassProperties, note string, err error) {
	// Contact shapes, whose tables take longer, are not needed.
	mass := geometry.MassOfSurface
	if open := repair.Watertight(tri); open != nil && nearlyClosed(tri) {
		note = fmt.Sprintf("is not closed (%v): it weighs as if it were closed, which is off by less than %g %%", open, 100*openVolume)
	} else if open != nil {
		note = fmt.Sprintf("is not closed (%v): it weighs as its convex hull", open)
		mass = geometry.MassOfHull
	}
	m, err = mass(tri)
	return m, note, err
}

// nearlyClosed reports whether the holes of a mesh hide less than openVolume of it. Some surface of
// area L²/4π at the most spans rims of length L (the isoperimetric inequality), and its cone from the
// middle of the mesh is what (1) of geometry.MassOfSurface lacks.
func nearlyClosed(tri *meshes.Tri) bool {
	enclosed, err := geometry.MassOfSurface(tri)
	rim, far := repair.RimLength(tri), tri.Bounds().Size().Norm()/2
	return err == nil && rim*rim/(4*math.Pi)*far/3 < openVolume*enclosed.Mass
}
