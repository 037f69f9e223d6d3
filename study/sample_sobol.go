package study

import (
	"math/bits"
	"math/rand/v2"
)

// Sobol's sequence, scrambled. Value j of point i has the 32 binary digits
//
//	x_ij = ⊕_k i_k v_jk,    v_jk = m_jk 2^{32−k}                                   (1)
//
// with the binary digits i_k of i. The odd numbers m_jk < 2^k follow from s of them and a primitive
// polynomial of degree s with inner coefficients a,
//
//	m_k = 2 a_1 m_{k−1} ⊕ … ⊕ 2^{s−1} a_{s−1} m_{k−s+1} ⊕ 2^s m_{k−s} ⊕ m_{k−s}    (2)
//
// Owen's scrambling flips each digit at random, by the digits before it: points stay as evenly spread,
// their means have no bias, and errors of smooth integrands fall faster. 2^k points are spread best.
// Sources: Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections", 2008;
// Owen, "Randomly permuted (t,m,s)-nets and (t,s)-sequences", 1995.

// sobolPolynomials are degree s, coefficients a as a number, and the first m of Joe and Kuo's
// new-joe-kuo-6 for value 2 on; value 1 is van der Corput's sequence.
var sobolPolynomials = []struct {
	s, a int
	m    []uint32
}{
	{1, 0, []uint32{1}},
	{2, 1, []uint32{1, 3}},
	{3, 1, []uint32{1, 3, 1}},
	{3, 2, []uint32{1, 1, 1}},
	{4, 1, []uint32{1, 1, 3, 3}},
	{4, 4, []uint32{1, 3, 5, 13}},
	{5, 2, []uint32{1, 1, 5, 5, 17}},
	{5, 4, []uint32{1, 1, 5, 5, 5}},
	{5, 7, []uint32{1, 1, 7, 11, 19}},
	{5, 11, []uint32{1, 1, 5, 1, 1}},
	{5, 13, []uint32{1, 1, 1, 3, 11}},
	{5, 14, []uint32{1, 3, 5, 5, 31}},
	{6, 1, []uint32{1, 3, 3, 9, 7, 49}},
	{6, 13, []uint32{1, 1, 1, 15, 21, 21}},
	{6, 16, []uint32{1, 3, 1, 13, 27, 49}},
	{6, 19, []uint32{1, 1, 1, 15, 7, 5}},
	{6, 22, []uint32{1, 3, 1, 15, 13, 25}},
	{6, 25, []uint32{1, 1, 5, 5, 19, 61}},
	{7, 1, []uint32{1, 3, 7, 11, 23, 15, 103}},
	{7, 4, []uint32{1, 3, 7, 13, 13, 15, 69}},
}

// sobolBits is the number of digits.
const sobolBits = 32

// sobolDirections returns v_jk of (1) for value j, k from 1 at index 0.
func sobolDirections(j int) (v [sobolBits]uint32) {
	if j == 0 {
		for k := range v {
			v[k] = 1 << (sobolBits - 1 - k)
		}
		return v
	}
	p := sobolPolynomials[j-1]
	m := make([]uint32, sobolBits)
	for k := range m {
		if k < p.s {
			m[k] = p.m[k]
			continue
		}
		// (2)
		m[k] = m[k-p.s] ^ m[k-p.s]<<p.s
		for i := 1; i < p.s; i++ {
			if p.a>>(p.s-1-i)&1 == 1 {
				m[k] ^= m[k-i] << i
			}
		}
	}
	for k := range v {
		v[k] = m[k] << (sobolBits - 1 - k)
	}
	return v
}

// sobol returns (1).
func sobol(i int, v *[sobolBits]uint32) (x uint32) {
	for n := uint32(i); n != 0; n &= n - 1 {
		x ^= v[bits.TrailingZeros32(n)]
	}
	return x
}

// scrambledSobol draws the first points of the scrambled sequence.
func scrambledSobol(u [][]float64, r *rand.Rand) {
	for j := range u[0] {
		v := sobolDirections(j)
		key := r.Uint64()
		for i := range u {
			u[i][j] = float64(scramble(sobol(i, &v), key)) / (1 << sobolBits)
		}
	}
}

// scramble flips each digit of x by a random bit that the digits before it choose.
func scramble(x uint32, key uint64) uint32 {
	out := x
	for b := range sobolBits {
		before := uint64(x) >> (sobolBits - b) // b digits, 0 for none
		// the leading 1 gives the number of digits
		if mix(key^(before|1<<b))&1 == 1 {
			out ^= 1 << (sobolBits - 1 - b)
		}
	}
	return out
}

// mix turns a number into one whose bits all depend on all of it (SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
