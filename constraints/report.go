package constraints

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Effort returns, after the solve, the force (N) or torque (N m) γ/h of a constraint of one
// equation: the effort of a controller, the reaction of limits on their joint, the effort of a
// coupler on its first joint.
func Effort(p *cliques.Problem, h cliques.Handle) float64 { return p.Impulse(h)[0] / p.H }

// PointForce returns the force (world, N) on B of a constraint of three
// equations in world axes, a ball or one vertex of an attachment, after the
// solve; A feels its negative.
func PointForce(p *cliques.Problem, h cliques.Handle) r3.Vec {
	g := p.Impulse(h)
	return r3.Vec{g[0], g[1], g[2]}.Scale(1 / p.H)
}
