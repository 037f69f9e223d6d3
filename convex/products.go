package convex

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Products with A and J, clique by clique and constraint by constraint, without forming
// either as a matrix:
//
//	mulClique, mulBlocks   A x
//	mulJ                   J_i x
//	addJT                  y_n += J_iᵀ y
//
// Vectors over velocities have all n of the problem, and functions read and write the
// part of a clique or of a constraint's nodes. A dense clique stores both triangles of A,
// a deformable the lower one, as 3×3 blocks by block columns. Rigid bodies, of six
// velocities, and vertices, of three, are written out: loops of so few rounds cost more
// than their arithmetic.
//
// Sums are taken in the order of rows and columns, never by the number of workers: the same bits.

// invertDiagonal computes D = diag(A)^−½ of a clique.
func (x *iterate) invertDiagonal(c *cliques.Clique) {
	d := x.d[c.Offset : c.Offset+c.Size]
	// A is positive definite: its diagonal is positive
	if c.Pattern == nil {
		for i := range d {
			d[i] = 1 / math.Sqrt(c.A[i*c.Size+i])
		}
		return
	}
	for j := range c.Nodes {
		// the first block of a column is the diagonal one
		a := (*[9]float64)(c.A[9*c.Pattern.Ptr[j]:])
		d[3*j], d[3*j+1], d[3*j+2] = 1/math.Sqrt(a[0]), 1/math.Sqrt(a[4]), 1/math.Sqrt(a[8])
	}
}

// mulClique writes A x on the velocities of a clique. dst must not be x.
func mulClique(c *cliques.Clique, dst, x []float64) {
	n := c.Size
	dst, x = dst[c.Offset:c.Offset+n], x[c.Offset:c.Offset+n]
	if c.Pattern != nil {
		mulBlocks(c, dst, x)
		return
	}
	// a rigid body
	if n == 6 {
		x6 := (*[6]float64)(x)
		for i := range dst {
			dst[i] = dot6((*[6]float64)(c.A[6*i:]), x6)
		}
		return
	}
	for i := range dst {
		sum := 0.0
		for j, a := range c.A[i*n : (i+1)*n] {
			sum += a * x[j]
		}
		dst[i] = sum
	}
}

// mulBlocks writes A x for the lower triangle of 3×3 blocks of a deformable: block
// (i, j) acts on x_j, and its transpose on x_i. dst and x are those of the clique alone.
func mulBlocks(c *cliques.Clique, dst, x []float64) {
	clear(dst)
	for j := range c.Nodes {
		xj := (*[3]float64)(x[3*j:])
		x0, x1, x2 := xj[0], xj[1], xj[2]
		rows := c.Pattern.Row[c.Pattern.Ptr[j]:c.Pattern.Ptr[j+1]]
		blocks := c.A[9*int(c.Pattern.Ptr[j]):]
		// diagonal block
		a := (*[9]float64)(blocks)
		yj := (*[3]float64)(dst[3*j:])
		y0 := yj[0] + a[0]*x0 + a[1]*x1 + a[2]*x2
		y1 := yj[1] + a[3]*x0 + a[4]*x1 + a[5]*x2
		y2 := yj[2] + a[6]*x0 + a[7]*x1 + a[8]*x2
		// blocks below, and their transposes
		for e, i := range rows[1:] {
			a := (*[9]float64)(blocks[9*e+9:])
			xi, yi := (*[3]float64)(x[3*i:]), (*[3]float64)(dst[3*i:])
			u0, u1, u2 := xi[0], xi[1], xi[2]
			yi[0] += a[0]*x0 + a[1]*x1 + a[2]*x2
			yi[1] += a[3]*x0 + a[4]*x1 + a[5]*x2
			yi[2] += a[6]*x0 + a[7]*x1 + a[8]*x2
			y0 += a[0]*u0 + a[3]*u1 + a[6]*u2
			y1 += a[1]*u0 + a[4]*u1 + a[7]*u2
			y2 += a[2]*u0 + a[5]*u1 + a[8]*u2
		}
		yj[0], yj[1], yj[2] = y0, y1, y2
	}
}

// mulJ writes J_i x for one constraint to dst (Dim): a sum over the nodes that it
// touches, in order of its blocks.
func mulJ(p *cliques.Problem, i int, dst, x []float64) {
	clear(dst)
	// one block for each node that the constraint touches
	for _, b := range p.Blocks(handle(i)) {
		n := p.NodeSize[b.Node]
		xb := x[p.NodeOffset[b.Node]:][:n]
		if n == 6 {
			x6 := (*[6]float64)(xb)
			for r := range dst {
				dst[r] += dot6((*[6]float64)(b.J[6*r:]), x6)
			}
			continue
		}
		for r := range dst {
			sum := 0.0
			for j, a := range b.J[r*n : (r+1)*n] {
				sum += a * xb[j]
			}
			dst[r] += sum
		}
	}
}

// addJT adds J_iᵀ y of one constraint, y (Dim), to dst (n).
func addJT(p *cliques.Problem, i int, dst, y []float64) {
	for _, b := range p.Blocks(handle(i)) {
		n := p.NodeSize[b.Node]
		db := dst[p.NodeOffset[b.Node]:][:n]
		// row r of J_i times y_r; impulses of open contacts are zero
		for r, f := range y {
			if f == 0 {
				continue
			}
			if n == 6 {
				d, J := (*[6]float64)(db), (*[6]float64)(b.J[6*r:])
				d[0] += J[0] * f
				d[1] += J[1] * f
				d[2] += J[2] * f
				d[3] += J[3] * f
				d[4] += J[4] * f
				d[5] += J[5] * f
				continue
			}
			for j, a := range b.J[r*n : (r+1)*n] {
				db[j] += a * f
			}
		}
	}
}

// dot returns xᵀ y.
func dot(x, y []float64) float64 {
	sum := 0.0
	for i, a := range x {
		sum += a * y[i]
	}
	return sum
}

// dot6 is dot for six numbers.
func dot6(a, b *[6]float64) float64 {
	return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3] + a[4]*b[4] + a[5]*b[5]
}
