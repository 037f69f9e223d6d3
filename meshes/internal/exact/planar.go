package exact

// Robust geometric predicates in the plane. A triangulation branches on the
// signs of two determinants; with wrong signs, which round-off gives for nearly
// collinear and cocircular points, walks cycle and triangles fold over. Drawn
// parts are full of such points: holes in rows, arcs of equal facets.

// Exact signs of the two determinants a planar Delaunay triangulation needs.
//
//	orient(a,b,c)     = |b−a  c−a|                                     (1)
//	incircle(a,b,c,d) = |p−d  |p−d|²|, p = a, b, c                     (2)
//
// Guarantee: the returned sign is the sign of the determinant of the given
// float64 coordinates. A float64 evaluation is accepted when it exceeds
// Shewchuk's static error bound (Adaptive Precision Floating-Point Arithmetic,
// 1997); otherwise the determinant is evaluated as an expansion, in integers or in rational arithmetic.

import (
	"math"
	"math/big"
)

// Error bounds of Shewchuk (1997), in units of the sum of magnitudes.
const (
	EpsUnit       = 1.0 / (1 << 53) // half an ulp of 1
	orientBound   = (3 + 16*EpsUnit) * EpsUnit
	incircleBound = (10 + 96*EpsUnit) * EpsUnit
)

// vec2 is a point of the plane.
type vec2 = [2]float64

// Orient returns twice the signed area (1) of the triangle a, b, c, m²:
// positive if it runs counter-clockwise, zero if the points are collinear. The
// sign is exact.
func Orient(a, b, c vec2) float64 {
	l := (a[0] - c[0]) * (b[1] - c[1])
	r := (a[1] - c[1]) * (b[0] - c[0])
	det := l - r // (1)
	if math.Abs(det) > orientBound*(math.Abs(l)+math.Abs(r)) {
		return det
	}
	return orientExact(a, b, c)
}

// orientExact evaluates (1) as an expansion, or in rational arithmetic where exponents would run
// out. A difference of coordinates is exact as the sum of two float64s, so that each of the two
// products is a sum of four. Collinear points are common: rows of vertices on an edge.
func orientExact(a, b, c vec2) float64 {
	// rows a−c and b−c
	var m [2][2][2]float64
	for i, p := range [2]vec2{a, b} {
		for k := range 2 {
			m[i][k][0], m[i][k][1] = twoSum(p[k], -c[k])
			// products of factors in this range neither overflow nor lose their last bits
			for _, x := range m[i][k] {
				if x = math.Abs(x); x != 0 && !(x >= leastFactor && x <= mostFactor) {
					return orientByRationals(a, b, c)
				}
			}
		}
	}
	// eight products of two terms each
	var terms [16]float64
	sum := expansion(terms[:0])
	for parts := range 4 {
		f, g := parts&1, parts>>1
		sum = sum.plusProduct(m[0][0][f], m[1][1][g], 1)
		sum = sum.plusProduct(-m[0][1][f], m[1][0][g], 1)
	}
	// the largest term has the sign of the sum, which round-off of the others must not change
	det := 0.0
	for _, x := range sum {
		det += x
	}
	if len(sum) > 0 && det*sum[len(sum)-1] <= 0 {
		return sum[len(sum)-1]
	}
	return det
}

// orientByRationals evaluates (1) in rational arithmetic, for coordinates of extreme magnitude.
func orientByRationals(a, b, c vec2) float64 {
	ax, ay := ratSub(a[0], c[0]), ratSub(a[1], c[1])
	bx, by := ratSub(b[0], c[0]), ratSub(b[1], c[1])
	s := new(big.Rat).Sub(ax.Mul(ax, by), ay.Mul(ay, bx))
	return ratValue(s)
}

// InCircle returns a number with the sign of (2): positive if d lies inside the
// circle through the counter-clockwise a, b, c, zero if it lies on it.
func InCircle(a, b, c, d vec2) float64 {
	ax, ay := a[0]-d[0], a[1]-d[1]
	bx, by := b[0]-d[0], b[1]-d[1]
	cx, cy := c[0]-d[0], c[1]-d[1]
	al, bl, cl := ax*ax+ay*ay, bx*bx+by*by, cx*cx+cy*cy
	bc, cb, ca, ac, ab, ba := bx*cy, cx*by, cx*ay, ax*cy, ax*by, bx*ay
	det := al*(bc-cb) + bl*(ca-ac) + cl*(ab-ba) // (2)
	size := al*(math.Abs(bc)+math.Abs(cb)) + bl*(math.Abs(ca)+math.Abs(ac)) + cl*(math.Abs(ab)+math.Abs(ba))
	if math.Abs(det) > incircleBound*size {
		return det
	}
	return incircleExact(a, b, c, d)
}

// incircleExact evaluates (2) in integers. Corners on a circle are common in what people draw, and
// fractions would spend most of the time on common divisors.
func incircleExact(a, b, c, d vec2) float64 {
	var n [8]big.Int
	wholes(n[:], a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1])
	// rows p − d, with their squares
	var x, y, lift [3]big.Int
	var u, v big.Int
	for i := range 3 {
		x[i].Sub(&n[2*i], &n[6])
		y[i].Sub(&n[2*i+1], &n[7])
		lift[i].Add(u.Mul(&x[i], &x[i]), v.Mul(&y[i], &y[i]))
	}
	var sum, minor big.Int
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		minor.Sub(u.Mul(&x[j], &y[k]), v.Mul(&x[k], &y[j]))
		sum.Add(&sum, u.Mul(&minor, &lift[i]))
	}
	return float64(sum.Sign())
}

// wholes sets n to float64s over their common power of two, which makes them integers: a float64 is
// an integer of 53 bits times a power of two.
func wholes(n []big.Int, x ...float64) {
	const bits = 53
	low := math.MaxInt
	for _, v := range x {
		if _, e := math.Frexp(v); v != 0 {
			low = min(low, e)
		}
	}
	for i, v := range x {
		if v != 0 {
			m, e := math.Frexp(v)
			n[i].SetInt64(int64(math.Ldexp(m, bits)))
			n[i].Lsh(&n[i], uint(e-low))
		}
	}
}

// ratSub returns a − b.
func ratSub(a, b float64) *big.Rat {
	x := new(big.Rat).SetFloat64(a)
	return x.Sub(x, new(big.Rat).SetFloat64(b))
}

// ratMul returns a b.
func ratMul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

// ratValue rounds to float64, but never rounds a number other than zero to
// zero.
func ratValue(r *big.Rat) float64 {
	if v, _ := r.Float64(); v != 0 {
		return v
	}
	return float64(r.Sign()) * math.SmallestNonzeroFloat64
}
