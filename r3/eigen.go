package r3

import "math"

// SymEigen returns the eigenvalues w and the rotation Q of eigenvectors (its
// columns) of a symmetric matrix, S = Q diag(w) Qᵀ, in no particular order. Only
// the upper triangle is read.
//
// Cyclic Jacobi: rotations in the planes of two axes make off-diagonal entries zero one
// after the other. With t = tan of the angle of such a rotation,
//
//	t² + 2 θ t − 1 = 0,   θ = (S_qq − S_pp)/(2 S_pq)                         (1)
//
// whose smaller root is taken; the sum of the squared off-diagonal entries falls at each
// rotation, in the end quadratically. Source: Golub, Van Loan, Matrix Computations,
// section 8.5.
func SymEigen(S Mat) (Q Mat, w Vec) {
	S[3], S[6], S[7] = S[1], S[2], S[5]
	Q = Identity()
	for range maxSweeps {
		off := math.Abs(S[1]) + math.Abs(S[2]) + math.Abs(S[5])
		if !(off > 1e-16*(math.Abs(S[0])+math.Abs(S[4])+math.Abs(S[8]))) {
			break
		}
		jacobi(&S, &Q, 0, 1)
		jacobi(&S, &Q, 0, 2)
		jacobi(&S, &Q, 1, 2)
	}
	return Q, Vec{S[0], S[4], S[8]}
}

// jacobi makes S_pq zero by a rotation (1) in the plane of p and q.
func jacobi(S, Q *Mat, p, q int) {
	b := S[3*p+q]
	if b == 0 {
		return
	}
	theta := (S[4*q] - S[4*p]) / (2 * b)
	t := math.Copysign(1/(math.Abs(theta)+math.Sqrt(1+theta*theta)), theta)
	c := 1 / math.Sqrt(1+t*t)
	s := c * t
	for k := range 3 { // columns of S and Q
		S[3*k+p], S[3*k+q] = c*S[3*k+p]-s*S[3*k+q], s*S[3*k+p]+c*S[3*k+q]
		Q[3*k+p], Q[3*k+q] = c*Q[3*k+p]-s*Q[3*k+q], s*Q[3*k+p]+c*Q[3*k+q]
	}
	for k := range 3 { // rows of S
		S[3*p+k], S[3*q+k] = c*S[3*p+k]-s*S[3*q+k], s*S[3*p+k]+c*S[3*q+k]
	}
}
