package sim

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Forces that follow the bodies have a stiffness K + S whose skew part S no potential has: pressures at the edge of
// their surface (fem/face_stiffness.go). The convex problem of a pseudo-step takes the symmetric part K alone or, where
// that is not positive definite, its projection. With the Hessian H of the problem at its solution d₀, contacts and
// constraints as they are there, and E = K + S less the stiffness in H, the displacement of the whole tangent is d = d₀
// + δ,
//
//	(H + E) δ = −E d₀.                                                          (1)
//
// (1) is solved by GMRES with H as preconditioner, whose factors the problem has left: H⁻¹E is small but for the modes
// that the vertices of the edge and the negative ones have, so that some tens of products are enough. Without it
// Newton's method converges linearly, or not at all. The Hessenberg matrix of GMRES also has the eigenvalues of 1 +
// H⁻¹E. Where K is not positive definite and their real parts are not positive either, d₀ is left as it is, which goes
// away from a balance that is not stable; where they are positive a balance is stable, for motions with much damping.
// Source: Saad and Schultz, "GMRES", 1986; Concus and Golub, "A generalized conjugate gradient method for nonsymmetric
// systems of linear equations", 1976, for the symmetric part as preconditioner.

const (
	followersTol  = 1e-9 // residual of (1), relative to its right-hand side
	followersMost = 100  // products
)

// followers is the working memory of (1).
type followers struct {
	basis  [][]float64 // orthonormal
	h      [][]float64 // columns of the Hessenberg matrix
	r      [][]float64 // turned to a triangle
	cs     [][2]float64
	rhs    []float64
	size   int     // of h; 0: none was computed for the problem at hand
	excess float64 // ½ dᵀE d of the displacement, J
}

// addFollowers adds δ of (1) to the solution of the problem at hand.
func (s *Stepper) addFollowers() error {
	f := &s.rest.followers
	f.size, f.excess = 0, 0
	skew, held := s.lacksTangents()
	if !skew && !held {
		return nil
	}
	if err := s.solver.LinearizeSolution(&s.Problem, s.vNext); err != nil {
		return err
	}
	// δ = −H⁻¹E (d₀ + δ)
	b := f.vector(0, len(s.vNext))
	s.mulPreconditioned(b, s.vNext)
	size := norm(b)
	if size == 0 {
		return nil
	}
	for i := range b {
		b[i] /= -size
	}
	f.rhs, f.cs = append(f.rhs[:0], size), f.cs[:0]
	n := 0
	for n < followersMost && math.Abs(f.rhs[n]) > followersTol*size {
		if s.interrupted != nil && s.interrupted() {
			return ErrInterrupted
		}
		q, w := f.basis[n], f.vector(n+1, len(s.vNext))
		s.mulPreconditioned(w, q)
		for i, x := range q {
			w[i] += x
		}
		length := f.orthogonalise(n)
		f.turn(n)
		n++
		if length == 0 {
			break
		}
	}
	f.size = n
	if held && !f.stable() {
		return nil
	}
	f.solve()
	for k, q := range f.basis[:n] {
		for i, x := range q {
			s.vNext[i] += f.rhs[k] * x
		}
	}
	s.mulFollowers(b, s.vNext)
	f.excess = 0.5 * dotOf(b, s.vNext)
	return s.checkSolution()
}

// lacksTangents reports whether any deformable lacks a part of its tangent: a skew one, or negative modes.
func (s *Stepper) lacksTangents() (skew, held bool) {
	for _, d := range s.deformables {
		a, b := d.LacksTangent()
		skew, held = skew || a, held || b
	}
	return skew, held
}

// orthogonalise makes vector n+1 of the basis normal to those before it, by modified Gram-Schmidt, and a unit vector
// unless it is zero. It writes column n of the Hessenberg matrix and returns the length that was left.
func (f *followers) orthogonalise(n int) (length float64) {
	if len(f.h) == n {
		f.h, f.r = append(f.h, nil), append(f.r, nil)
	}
	column, w := f.h[n][:0], f.basis[n+1]
	for _, q := range f.basis[:n+1] {
		x := dotOf(q, w)
		column = append(column, x)
		for i, y := range q {
			w[i] -= x * y
		}
	}
	length = norm(w)
	f.h[n] = append(column, length)
	if length > 0 {
		for i := range w {
			w[i] /= length
		}
	}
	return length
}

// turn makes column n of the Hessenberg matrix one of a triangle, by Givens rotations, and turns the right-hand side
// with it.
func (f *followers) turn(n int) {
	r := append(f.r[n][:0], f.h[n]...)
	for k, g := range f.cs {
		r[k], r[k+1] = g[0]*r[k]+g[1]*r[k+1], g[0]*r[k+1]-g[1]*r[k]
	}
	size := math.Max(math.Hypot(r[n], r[n+1]), math.SmallestNonzeroFloat64)
	c, t := r[n]/size, r[n+1]/size
	r[n] = size
	f.r[n], f.cs = r, append(f.cs, [2]float64{c, t})
	f.rhs = append(f.rhs, -t*f.rhs[n])
	f.rhs[n] *= c
}

// solve replaces the right-hand side by the solution of the triangle.
func (f *followers) solve() {
	for k := f.size - 1; k >= 0; k-- {
		for j := k + 1; j < f.size; j++ {
			f.rhs[k] -= f.r[j][k] * f.rhs[j]
		}
		f.rhs[k] /= f.r[k][k]
	}
}

// stable reports whether the eigenvalues of 1 + H⁻¹E have positive real parts.
func (f *followers) stable() bool {
	if f.size == 0 {
		return false
	}
	h := mat.NewDense(f.size, f.size, nil)
	for j, column := range f.h[:f.size] {
		for i, x := range column[:min(len(column), f.size)] {
			h.Set(i, j, x)
		}
	}
	var e mat.Eigen
	if !e.Factorize(h, mat.EigenNone) {
		return false
	}
	for _, l := range e.Values(nil) {
		if !(real(l) > 0) {
			return false
		}
	}
	return true
}

// vector returns the memory of vector i of the basis, of length n.
func (f *followers) vector(i, n int) []float64 {
	if len(f.basis) == i {
		f.basis = append(f.basis, nil)
	}
	if len(f.basis[i]) != n {
		f.basis[i] = make([]float64, n)
	}
	return f.basis[i]
}

// mulFollowers writes y = E x.
func (s *Stepper) mulFollowers(y, x []float64) {
	clear(y)
	for _, d := range s.deformables {
		if skew, held := d.LacksTangent(); skew || held {
			first, _ := d.Nodes()
			at := s.Problem.NodeOffset[first]
			d.AddTangentRest(y[at:], x[at:])
		}
	}
}

// mulPreconditioned writes y = H⁻¹E x.
func (s *Stepper) mulPreconditioned(y, x []float64) {
	s.mulFollowers(y, x)
	s.solver.SolveHessian(y)
}
