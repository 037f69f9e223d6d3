package exact

// The exact side of a plane. Three levels, each slower than the one before:
// float64 with an error bound, expansions of float64 terms, rational numbers.

// The side of a plane on which a point lies, exactly:
//
//	side(a,b,c,d) = sign (b−a)×(c−a)·(d−a)                            (1)
//
// Guarantee: the sign is that of the given float64 coordinates. A float64
// evaluation is accepted when it exceeds Shewchuk's static error bound (1997);
// otherwise the determinant is evaluated as an expansion, or in rational arithmetic
// where exponents would run out. Planes through many vertices are common in what
// people draw, so that this is no rare case.

import (
	"math"
	"math/big"

	"github.com/curlfree/curlfree/r3"
)

// sideBound is Shewchuk's bound on the error of (1), over the sum of the magnitudes
// of its products.
const sideBound = (7 + 56*EpsUnit) * EpsUnit

// Side returns +1 when d lies on the side of the plane abc from which a, b, c turn
// counter-clockwise, −1 when it lies on the other, 0 when it lies in the plane.
func Side(a, b, c, d r3.Vec) int {
	u, v, w := a.Sub(d), b.Sub(d), c.Sub(d)
	// Corners that coincide, and planes along the axes, are common: a zero column
	// makes the determinant zero.
	for k := range 3 { // corners that coincide, and axis-aligned planes, are common
		if u[k] == 0 && v[k] == 0 && w[k] == 0 {
			return 0
		}
	}
	if d == a || d == b || d == c {
		return 0
	}
	// The float64 determinant and the sum of the magnitudes of its products.
	bc, cb := u[1]*v[2], u[2]*v[1]
	ca, ac := u[2]*v[0], u[0]*v[2]
	ab, ba := u[0]*v[1], u[1]*v[0]
	det := w[0]*(bc-cb) + w[1]*(ca-ac) + w[2]*(ab-ba)
	size := math.Abs(w[0])*(math.Abs(bc)+math.Abs(cb)) + math.Abs(w[1])*(math.Abs(ca)+math.Abs(ac)) + math.Abs(w[2])*(math.Abs(ab)+math.Abs(ba))
	switch bound := sideBound * size; {
	case det > bound:
		return -1 // (a−d)×(b−d)·(c−d) = −(1)
	case det < -bound:
		return 1
	}
	return sideExact(a, b, c, d)
}

// Bounds of the magnitude of each factor within which (1) of expansion.go is valid: a
// product of three factors and its round-off then neither overflow nor underflow.
const (
	leastFactor = 0x1p-300
	mostFactor  = 0x1p+300
)

// sideExact evaluates (1) as an expansion. Differences of coordinates are exact as
// sums of two float64s, so that each of the six products is a sum of eight.
func sideExact(a, b, c, d r3.Vec) int {
	var m [3][3][2]float64 // rows b−a, c−a, d−a, each entry exact as two floats
	for i, p := range [3]r3.Vec{b, c, d} {
		for k := range 3 {
			m[i][k][0], m[i][k][1] = twoSum(p[k], -a[k])
			for _, x := range m[i][k] {
				if x = math.Abs(x); x != 0 && !(x >= leastFactor && x <= mostFactor) {
					return sideRational(a, b, c, d)
				}
			}
		}
	}
	var terms [6 * 8 * 4]float64 // products · choices of parts · terms
	sum := expansion(terms[:0])
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		for parts := range 8 {
			f, g, h := parts&1, parts>>1&1, parts>>2
			sum = sum.plusProduct(m[0][j][f], m[1][k][g], m[2][i][h])
			sum = sum.plusProduct(-m[0][k][f], m[1][j][g], m[2][i][h])
		}
	}
	return sum.sign()
}

// sideRational evaluates (1) in rational arithmetic, for coordinates of extreme
// magnitude.
func sideRational(a, b, c, d r3.Vec) int {
	var m [3][3]*big.Rat
	for i, p := range [3]r3.Vec{b, c, d} {
		for k := range 3 {
			m[i][k] = ratSub(p[k], a[k])
		}
	}
	sum := new(big.Rat)
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		minor := new(big.Rat).Sub(ratMul(m[0][j], m[1][k]), ratMul(m[0][k], m[1][j]))
		sum.Add(sum, minor.Mul(minor, m[2][i]))
	}
	return sum.Sign()
}
