package hydroelastic

import "github.com/curlfree/curlfree/r3"

// NewSphere returns the field of a ball about the origin of the given radius R (m), p = E
// (R − r)/R at the vertices: tetrahedra from a subdivided octahedron, projected on the
// sphere, to the centre.
func NewSphere(radius float64, opt Options) (*Compliant, error) {
	if err := checkLength("sphere", "radius", radius); err != nil {
		return nil, err
	}
	// All semi-axes are equal.
	return newEllipsoid("sphere", r3.Vec{radius, radius, radius}, opt)
}
