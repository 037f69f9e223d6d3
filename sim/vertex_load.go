package sim

import (
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"
)

// VertexLoad computes external forces on the vertices of a deformable. It is immutable.
type VertexLoad interface {
	// AddForces adds the forces (N, world axes) on the vertices at positions x (m) at time t
	// (s) to force. It allocates nothing.
	AddForces(t float64, x, force []r3.Vec)
}

// followerLoad is a VertexLoad whose forces follow the body.
type followerLoad interface {
	// addStiffness adds their stiffness at time t (s) to the tangent at rest of the body's last clique.
	addStiffness(t float64, d *fem.Data)
}
