//go:build !amd64 || purego

package constraints

import "github.com/curlfree/curlfree/r3"

// eval adds the faces to the sums.
func (q *laneFaces) eval(w, v r3.Vec, s *surfaceSums, hessian bool) { q.evalGo(w, v, s, hessian) }
