package robot

import "github.com/curlfree/curlfree/r3"

// Deformable is a deformable body that a robot file places beside its links, as Drake's SDFormat has them. No
// joint carries it.
type Deformable struct {
	// Name is unique among links and deformables.
	Name string
	// Line is where the file begins to describe it.
	Line int
	// X_FD is the pose of the mesh's frame at rest in the frame of the file.
	X_FD r3.Pose
	// Mesh is a file of tetrahedra.
	Mesh *Mesh
	// Material has the contact parameters of the surface.
	Material ContactMaterial
	// Color is the colour in pictures as #rrggbb, empty where the file gives none.
	Color string
	// YoungsModulus is in Pa.
	YoungsModulus float64
	// PoissonsRatio is above −1 and below 0.5.
	PoissonsRatio float64
	// Density is the mass per volume at rest, kg/m³.
	Density float64
	// MassDamping is α of Rayleigh damping αM + ζK, 1/s.
	MassDamping float64
	// StiffnessDamping is ζ of Rayleigh damping αM + ζK, s.
	StiffnessDamping float64
	// Law is the constitutive law by its name in scenes, such as corotational.
	Law string
	// Walls fix the vertices that lie behind planes at rest.
	Walls []Wall
}

// Wall is a plane in the frame F of the file: points x with (x − Point)·Normal < 0 lie behind it.
type Wall struct {
	// Point is a point of the plane, m.
	Point r3.Vec
	// Normal points out of the wall; it need not be a unit vector.
	Normal r3.Vec
}

// Holds reports whether a point lies behind the plane.
func (w *Wall) Holds(p_F r3.Vec) bool { return p_F.Sub(w.Point).Dot(w.Normal) < 0 }
