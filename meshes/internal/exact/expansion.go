// Package exact has geometric predicates whose sign is right for all coordinates.
package exact

// Exact sums and products of float64 numbers, for predicates whose sign must be
// right. An expansion of the products of nine numbers of 53 bits has at most a
// few dozen terms, so that it fits an array on the stack.

import "math"

// Arithmetic without round-off: a number as the sum of float64s that share no bits
// (Shewchuk 1997). A sum and a product of two floats are two floats,
//
//	a + b = fl(a + b) + e,  a b = fl(a b) + e                            (1)
//
// with e a float, too, unless exponents run out.

// expansion is a number as a sum of float64s without common bits, in ascending
// order of magnitude, none zero. The empty expansion is zero.
type expansion []float64

// sign returns the sign of the number: that of the largest term, since the others
// together are smaller.
func (e expansion) sign() int {
	switch {
	case len(e) == 0:
		return 0
	case e[len(e)-1] > 0:
		return 1
	}
	return -1
}

// plus adds a float64 in place (Shewchuk's Grow-Expansion): b is added to each term
// in ascending order, the round-off becomes a term of the result.
func (e expansion) plus(b float64) expansion {
	n := 0
	for _, x := range e {
		var rest float64
		if b, rest = twoSum(b, x); rest != 0 {
			e[n] = rest
			n++
		}
	}
	if e = e[:n]; b != 0 {
		e = append(e, b)
	}
	return e
}

// plusProduct adds the product x y z without round-off: x y is a sum of two floats,
// and so is the product of each of them with z.
func (e expansion) plusProduct(x, y, z float64) expansion {
	if x == 0 || y == 0 || z == 0 {
		return e
	}
	p, q := twoProduct(x, y)
	for _, f := range [2]float64{q, p} {
		hi, lo := twoProduct(f, z)
		e = e.plus(lo).plus(hi)
	}
	return e
}

// twoSum returns the rounded sum and its round-off: a + b = sum + rest exactly
// (Knuth).
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	v := sum - a
	return sum, (a - (sum - v)) + (b - v)
}

// twoProduct returns the rounded product and its round-off, which a fused
// multiply-add yields exactly.
func twoProduct(a, b float64) (product, rest float64) {
	product = a * b
	return product, math.FMA(a, b, -product)
}
