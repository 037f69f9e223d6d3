package supernodal

// Triangles of eight columns, the diagonal blocks of panels in solutions, written
// out: half of a solution in thin bodies passes here, and loops so short cost more
// than their arithmetic. c0, c1 … are the columns of the block from its diagonal row on.

// forward8 solves L y = z in place for the 8×8 block that p begins with (column-major,
// stride f), row by row,
//
//	y_i = (z_i − Σ_{j<i} L_ij y_j) inv_i                                      (1)
//
// inv has the reciprocals of its diagonal.
func forward8(z, inv *[8]float64, p []float64, f int) {
	x0 := z[0] * inv[0]
	c0 := (*[8]float64)(p)
	x1 := (z[1] - c0[1]*x0) * inv[1]
	c1 := (*[8]float64)(p[1*f:])
	x2 := (z[2] - c0[2]*x0 - c1[2]*x1) * inv[2]
	c2 := (*[8]float64)(p[2*f:])
	x3 := (z[3] - c0[3]*x0 - c1[3]*x1 - c2[3]*x2) * inv[3]
	c3 := (*[8]float64)(p[3*f:])
	x4 := (z[4] - c0[4]*x0 - c1[4]*x1 - c2[4]*x2 - c3[4]*x3) * inv[4]
	c4 := (*[8]float64)(p[4*f:])
	x5 := (z[5] - c0[5]*x0 - c1[5]*x1 - c2[5]*x2 - c3[5]*x3 - c4[5]*x4) * inv[5]
	c5 := (*[8]float64)(p[5*f:])
	x6 := (z[6] - c0[6]*x0 - c1[6]*x1 - c2[6]*x2 - c3[6]*x3 - c4[6]*x4 - c5[6]*x5) * inv[6]
	c6 := (*[8]float64)(p[6*f:])
	x7 := (z[7] - c0[7]*x0 - c1[7]*x1 - c2[7]*x2 - c3[7]*x3 - c4[7]*x4 - c5[7]*x5 - c6[7]*x6) * inv[7]
	*z = [8]float64{x0, x1, x2, x3, x4, x5, x6, x7}
}

// backward8 solves Lᵀ y = z in place for the same block, from the last row up,
//
//	y_i = (z_i − Σ_{j>i} L_ji y_j) inv_i                                      (2)
func backward8(z, inv *[8]float64, p []float64, f int) {
	c0 := (*[8]float64)(p)
	c1 := (*[8]float64)(p[1*f:])
	c2 := (*[8]float64)(p[2*f:])
	c3 := (*[8]float64)(p[3*f:])
	c4 := (*[8]float64)(p[4*f:])
	c5 := (*[8]float64)(p[5*f:])
	c6 := (*[8]float64)(p[6*f:])
	x7 := z[7] * inv[7]
	x6 := (z[6] - c6[7]*x7) * inv[6]
	x5 := (z[5] - c5[7]*x7 - c5[6]*x6) * inv[5]
	x4 := (z[4] - c4[7]*x7 - c4[6]*x6 - c4[5]*x5) * inv[4]
	x3 := (z[3] - c3[7]*x7 - c3[6]*x6 - c3[5]*x5 - c3[4]*x4) * inv[3]
	x2 := (z[2] - c2[7]*x7 - c2[6]*x6 - c2[5]*x5 - c2[4]*x4 - c2[3]*x3) * inv[2]
	x1 := (z[1] - c1[7]*x7 - c1[6]*x6 - c1[5]*x5 - c1[4]*x4 - c1[3]*x3 - c1[2]*x2) * inv[1]
	x0 := (z[0] - c0[7]*x7 - c0[6]*x6 - c0[5]*x5 - c0[4]*x4 - c0[3]*x3 - c0[2]*x2 - c0[1]*x1) * inv[0]
	*z = [8]float64{x0, x1, x2, x3, x4, x5, x6, x7}
}
