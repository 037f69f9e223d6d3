package constraints

import "github.com/curlfree/curlfree/cliques"

// errorWidth is the width of differences by errors of constraints, m or rad: impulses are linear in them but for their
// bounds.
const errorWidth = 0x1p-24

// ImpulseByError writes the derivatives of the impulses of a term by the errors g0 of their equations, N s/m or N m
// s/rad, at the velocities at which the problem has its impulses; w are the Delassus entries. It is false for laws
// other than springs and near-rigid constraints.
func ImpulseByError(p *cliques.Problem, h cliques.Handle, w, dst []float64) bool {
	law, ok := p.Constraints[h].Law.(*compliant)
	if !ok {
		return false
	}
	law.Prepare(p.H, w)
	for i, c := range p.Velocity(h) {
		e := &law.rows[i]
		g0, dst := e.g0, &dst[i]
		*dst = 0
		for _, width := range [2]float64{errorWidth, -errorWidth} {
			e.g0 = g0 + width
			law.Prepare(p.H, w)
			_, gamma, _ := e.eval(c)
			*dst += gamma / (2 * width)
		}
		e.g0 = g0
	}
	law.Prepare(p.H, w)
	return true
}
