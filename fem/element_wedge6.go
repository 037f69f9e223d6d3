package fem

// Wedges of six nodes, for the triangles that are left over where the plane of a swept mesh is
// cut into quads. With λ_i the barycentric coordinates of the triangle, ζ the coordinate along
// the sweep and N = λ_i (1 ∓ ζ)/2, sums over 3×2 points of weight w = j/6 give
//
//	K0 = Σ w BᵀC'B + (λ + ⅔μ)/V b bᵀ,   b_a = Σ w g_a,                         (1)
//
// with C' the deviatoric part of Hooke's matrix: the dilatation is that of the whole, so that
// the element does not lock as Poisson's ratio tends to ½. It has constant strain in the
// plane, so that it is stiff in bending: a mesh should have few. One point in the plane
// would leave a seventh mode without energy.
// Source: Hughes, The Finite Element Method, 4.5 (mean dilatation, B-bar).

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// wedgeShapes returns N_a and ∂N_a/∂(r, s, ζ) at the barycentric coordinates (1 − r − s, r, s).
func wedgeShapes(r, s, zeta float64) (N [6]float64, dN [6]r3.Vec) {
	lambda := [3]float64{1 - r - s, r, s}
	for a := range 6 {
		// nodes 0, 1, 2 at ζ = −1, the others at ζ = 1
		side := -1.0
		if a >= 3 {
			side = 1
		}
		h, l := (1+side*zeta)/2, lambda[a%3]
		d := [3][2]float64{{-1, -1}, {1, 0}, {0, 1}}[a%3]
		N[a] = l * h
		dN[a] = r3.Vec{d[0] * h, d[1] * h, l * side / 2}
	}
	return N, dN
}

// wedgePoints are the places in the triangle of the six points.
var wedgePoints = [3][2]float64{{1. / 6, 1. / 6}, {2. / 3, 1. / 6}, {1. / 6, 2. / 3}}

// restWedge6 computes the matrices of a wedge from its rest positions. It adds the integrals b of
// the shape gradients, m².
func (c *cell) restWedge6(mu, lambda, rho float64, b *[cellNodes]r3.Vec) error {
	X := c.rest[:6]
	_, dN := wedgeShapes(1./3, 1./3, 0)
	if _, j0 := shapeGradients(c.grad[:6], jacobian(X, dN[:]), dN[:]); !(j0 > 0) {
		return errDistorted(j0)
	}

	var K condensed
	for _, p := range wedgePoints {
		for _, zeta := range [2]float64{-1 / math.Sqrt(3), 1 / math.Sqrt(3)} {
			N, dN := wedgeShapes(p[0], p[1], zeta)
			var g [6]r3.Vec
			_, j := shapeGradients(g[:], jacobian(X, dN[:]), dN[:])
			if !(j > 0) {
				return errDistorted(j)
			}
			w := j / 6
			var e [18]strain6
			for a := range g {
				b[a] = b[a].AddScaled(w, g[a])
				for i := range 3 {
					e[3*a+i] = dyad(i, g[a])
				}
			}
			K.add(e[:], w, mu, -2./3*mu) // the deviatoric part of (1)
			c.volume += w
			for i := range 6 {
				for k := range i + 1 {
					c.mass[triangle(i, k)] += rho * w * N[i] * N[k]
				}
			}
		}
	}
	K.blocks(c.stiff[:], 6)
	// b/V is the mean of the gradients: b·u/V is the mean dilatation of the element
	// the dilatation of the whole
	for i := range 6 {
		for k := range i + 1 {
			B := &c.stiff[triangle(i, k)]
			*B = B.Add(r3.Outer(b[i], b[k]).Scale((lambda + 2./3*mu) / c.volume))
		}
	}
	return nil
}
