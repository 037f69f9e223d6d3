package convex

import "github.com/curlfree/curlfree/cliques"

// Quadratic is a Law whose potential may be quadratic, such as that of an attachment or of a
// joint without limits. Its Hessian G is then the same in all iterations of a step, so that
// the factor of nodes that only such constraints touch is computed once a step.
type Quadratic interface {
	cliques.Law
	// IsQuadratic reports whether G has the same bits at every vc, until the next Prepare. It
	// may be called before Prepare.
	IsQuadratic() bool
}

// isQuadratic reports whether a law is known to be quadratic.
func isQuadratic(l cliques.Law) bool {
	q, ok := l.(Quadratic)
	return ok && q.IsQuadratic()
}
