//go:build !amd64 || purego

package constraints

import "github.com/curlfree/curlfree/r3"

// eval adds the faces to the sums.
func (q *plainFaces) eval(w, v r3.Vec, s *patchSums, hessian bool) { q.evalGo(w, v, s, hessian) }
