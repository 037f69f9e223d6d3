package convex

import "github.com/curlfree/curlfree/r3"

// Products of small dense blocks, for the terms of the Hessian,
//
//	B_b = G J_b                    d×n, mulGJ                              (19)
//	H_ab += J_aᵀ B_b               m×n, addTMul                            (20)
//
//	d      equations of the constraint
//	m, n   velocities of the nodes a and b
//
// Contacts have three equations, vertices three and rigid bodies six velocities: these
// sizes are written out, because most of the time of an assembly is in them. All blocks
// are row-major.

// allZero reports whether all numbers are 0.
func allZero(x []float64) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}

// mulGJ writes (19) to dst (d×n) for G (d×d) and J (d×n). dst must not overlap them.
func mulGJ(dst, G, J []float64, d, n int) {
	// a contact on a vertex
	if d == 3 && n == 3 {
		*(*r3.Mat)(dst) = r3.Mat(G).Mul(r3.Mat(J))
		return
	}
	// a contact on a body: three rows of J at once
	if d == 3 {
		x, y, z := J[:n], J[n:2*n], J[2*n:3*n]
		for r := range 3 {
			a, b, c := G[3*r], G[3*r+1], G[3*r+2]
			row := dst[r*n : (r+1)*n]
			for j := range row {
				row[j] = a*x[j] + b*y[j] + c*z[j]
			}
		}
		return
	}
	// any number of rows
	for r := range d {
		row := dst[r*n : (r+1)*n]
		clear(row)
		// many entries of G are zero where equations are decoupled
		for q, g := range G[r*d : (r+1)*d] {
			if g == 0 {
				continue
			}
			for j, x := range J[q*n : (q+1)*n] {
				row[j] += g * x
			}
		}
	}
}

// addTMul adds XᵀY to dst (m×n) for X (d×m) and Y (d×n), which is (20).
func addTMul(dst, X, Y []float64, d, m, n int) {
	if d == 3 && n == 3 { // contacts: one row of dst from the columns of X
		y := (*[9]float64)(Y)
		for i := range m {
			a, b, c := X[i], X[m+i], X[2*m+i]
			row := (*[3]float64)(dst[3*i:])
			row[0] += a*y[0] + b*y[3] + c*y[6]
			row[1] += a*y[1] + b*y[4] + c*y[7]
			row[2] += a*y[2] + b*y[5] + c*y[8]
		}
		return
	}
	// contacts on rigid bodies
	if d == 3 && n == 6 {
		// rows of Y in registers, one row of dst at a time
		y0, y1, y2 := (*[6]float64)(Y), (*[6]float64)(Y[6:]), (*[6]float64)(Y[12:])
		for i := range m {
			a, b, c := X[i], X[m+i], X[2*m+i]
			row := (*[6]float64)(dst[6*i:])
			row[0] += a*y0[0] + b*y1[0] + c*y2[0]
			row[1] += a*y0[1] + b*y1[1] + c*y2[1]
			row[2] += a*y0[2] + b*y1[2] + c*y2[2]
			row[3] += a*y0[3] + b*y1[3] + c*y2[3]
			row[4] += a*y0[4] + b*y1[4] + c*y2[4]
			row[5] += a*y0[5] + b*y1[5] + c*y2[5]
		}
		return
	}
	// contacts on trees
	if d == 3 {
		y0, y1, y2 := Y[:n], Y[n:2*n], Y[2*n:3*n]
		for i := range m {
			a, b, c := X[i], X[m+i], X[2*m+i]
			row := dst[i*n : (i+1)*n]
			for j := range row {
				row[j] += a*y0[j] + b*y1[j] + c*y2[j]
			}
		}
		return
	}
	// any number of equations: one outer product each
	for r := range d {
		y := Y[r*n : (r+1)*n]
		for i, x := range X[r*m : (r+1)*m] {
			if x == 0 {
				continue
			}
			row := dst[i*n : (i+1)*n]
			for j, z := range y {
				row[j] += x * z
			}
		}
	}
}
