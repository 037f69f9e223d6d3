package fem

import "github.com/curlfree/curlfree/r3"

// The tangent at rest that A of a clique lacks: the skew part S of the stiffness of pressures (face_stiffness.go), and
// where A is the projected one, what the projection has changed. Where A has the tangent K* and the body K + S, the
// rest is E = K + S − K*.

// HoldTangent keeps the tangent of the last LinearizeAtRest, pressures included, so that AddTangentRest has it when A
// is the projected one at the same positions, of the same pseudo-step. The next tangent that is not projected ends
// that.
func (d *Data) HoldTangent() {
	r := d.atRest
	r.held = append(r.held[:0], r.A...)
}

// LacksTangent reports what A of the last LinearizeAtRest lacks of the tangent, that AddTangentRest has: a skew part,
// and what the projection has changed.
func (d *Data) LacksTangent() (skew, projected bool) {
	r := d.atRest
	return r != nil && len(r.skew) > 0, r != nil && len(r.held) > 0
}

// AddTangentRest adds h² E x to y; x and y are of the body's nodes, as the solution of its clique is.
func (d *Data) AddTangentRest(y, x []float64) {
	r := d.atRest
	for i := range r.skew {
		b := &r.skew[i]
		r, c := 3*b.row, 3*b.col
		addMul(y[r:r+3], &b.k, x[c:c+3], 1)
		if r != c {
			addMulT(y[c:c+3], &b.k, x[r:r+3], -1)
		}
	}
	if len(r.held) == 0 {
		return
	}
	p := &d.model.pattern
	for j := range p.N {
		c := 3 * j
		for e := p.Ptr[j]; e < p.Ptr[j+1]; e++ {
			r0 := 3 * int(p.Row[e])
			var k r3.Mat
			for i := range k {
				k[i] = r.held[9*int(e)+i] - r.A[9*int(e)+i]
			}
			addMul(y[r0:r0+3], &k, x[c:c+3], 1)
			if r0 != c {
				addMulT(y[c:c+3], &k, x[r0:r0+3], 1)
			}
		}
	}
}

// addMul adds s k x to y.
func addMul(y []float64, k *r3.Mat, x []float64, s float64) {
	for i := range y {
		y[i] += s * (k[3*i]*x[0] + k[3*i+1]*x[1] + k[3*i+2]*x[2])
	}
}

// addMulT adds s kᵀ x to y.
func addMulT(y []float64, k *r3.Mat, x []float64, s float64) {
	for i := range y {
		y[i] += s * (k[i]*x[0] + k[3+i]*x[1] + k[6+i]*x[2])
	}
}
