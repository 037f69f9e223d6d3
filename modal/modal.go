// Package modal is the modal analysis of deformables. Each natural frequency ω and mode shape φ solves
//
//	K φ = ω² M φ,   φᵀ M φ = 1                                               (1)
//
// with stiffness K and consistent mass M at rest, for vertices that are not fixed. Shapes of the
// lowest frequencies are the dominant eigenvectors of
//
//	T = (K + σM)⁻¹ M,   T φ = φ/(ω² + σ),                                   (2)
//
// which the block Lanczos method finds with one factorization and full orthogonalization in the
// inner product of M. Blocks find modes that share a frequency, such as the bending of a square
// beam in two directions and the six rigid motions of a free body. The shift σ is 0 for fixed
// bodies and a small positive number for free ones, where K is singular.
// Sources: Bathe, Finite Element Procedures, 11.6; Parlett, The Symmetric Eigenvalue Problem, 13.
package modal

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/supernodal"
)

// Mode is a natural vibration: all vertices move in phase, x = X + a φ sin ωt with any small a.
type Mode struct {
	// Frequency is ω/2π, Hz; about 0 for a rigid motion.
	Frequency float64
	// Omega2 is ω², 1/s².
	Omega2 float64
	// Shape is φ of (1), a vector of each vertex in the axes of the mesh, 1/√kg; 0 where fixed.
	Shape []r3.Vec
	// MassShare is the effective modal mass along x, y and z, as a share of the mass
	// of free vertices: (φᵀ M e)²/(eᵀ M e). Those of all modes add up to 1.
	MassShare r3.Vec
	// Residual is ‖K φ − ω² M φ‖/‖K φ‖; where φ is a rigid motion relative to 1e-4 of the forces
	// that its vertices would need one by one.
	Residual float64
}

// Modes are the lowest modes of a body.
type Modes struct {
	// List is in ascending order of frequencies.
	List []Mode
	// K and M are the matrices of (1), N/m and kg; rows 3i … 3i + 2 are x, y and z of vertex
	// Verts[i].
	K, M *sparse.CSR
	// Verts are the numbers of the vertices that are not fixed.
	Verts []int32
}

const (
	// blockSize is the number of vectors that one Lanczos step adds.
	blockSize = 6
	// residualTol is the residual at which a mode is accepted.
	residualTol = 1e-9
	// roundoff is the residual of a rigid motion relative to the largest entry of K times ‖φ‖.
	roundoff = 1e-13
	// freeShift is σ over tr K/tr M, about the square of the highest frequency, of free bodies.
	freeShift = 1e-6
)

// Solve returns the n lowest modes of a deformable. The vertices in held are fixed, in addition
// to those that the model fixes. The error reports that too few vertices are free, or that the
// modes did not converge.
func Solve(m *fem.Model, held []int32, n int) (*Modes, error) {
	out := &Modes{}
	s := newSystem(m, held, out)
	// as many modes as velocities, of which the last are those of single elements
	size := 3 * len(out.Verts)
	// the command and callers from Go get the same message
	if n < 1 || n > size {
		return nil, fmt.Errorf("modal: %d modes of a body with %d velocities that are not fixed: ask for 1 to %d", n, size, size)
	}
	if err := s.factor(); err != nil {
		return nil, err
	}
	// K + σM is factored once; each iteration solves with it
	if err := s.lanczos(n, out); err != nil {
		return nil, fmt.Errorf("modal: %s: %w", m.Name(), err)
	}
	// shapes of free vertices become those of all
	for i := range out.List {
		s.spread(&out.List[i], m.NumVerts(), out.Verts)
	}
	return out, nil
}

// system has the matrices of (1) and (2) over the free vertices.
type system struct {
	// K and M are whole, not triangles, for products with vectors.
	K, M *sparse.CSR
	// graph is that of the blocks, for the factorization chol of K + σM.
	graph supernodal.Graph
	chol  supernodal.Cholesky
	// blocks are rows and columns of the blocks of the lower triangle, stiff and mass those of K
	// and M.
	blocks      [][2]int
	stiff, mass [][]float64
	// sigma is the shift, 1/s².
	sigma float64
	// stiffest is the largest diagonal entry of K, N/m.
	stiffest float64
}

// newSystem leaves out the rows and columns of fixed vertices.
func newSystem(m *fem.Model, held []int32, out *Modes) *system {
	s := &system{}
	free := s.number(m, held, out)
	n := len(out.Verts)
	// blocks between free vertices alone
	// those of the body without damping, at rest and in its own axes
	K, M := m.Matrices()
	pattern := m.Pattern()
	for j := range pattern.N {
		for b := pattern.Ptr[j]; b < pattern.Ptr[j+1]; b++ {
			// nodes follow the order of vertices, so that the lower triangle stays the lower one
			if r, c := free[pattern.Row[b]], free[j]; r >= 0 && c >= 0 {
				s.blocks = append(s.blocks, [2]int{r, c})
				s.stiff, s.mass = append(s.stiff, K[9*b:9*b+9]), append(s.mass, M[9*b:9*b+9])
			}
		}
	}
	s.K, s.M = s.assemble(s.stiff, n), s.assemble(s.mass, n)
	s.scale(len(held) == 0 && n == m.NumVerts())
	s.buildGraph(n)
	out.K, out.M = s.K, s.M
	return s
}

// number lists the vertices that are not fixed, and returns the number in that list of each node
// of the body, −1 where it is fixed.
func (s *system) number(m *fem.Model, held []int32, out *Modes) []int {
	free := make([]int, m.Pattern().N)
	for _, v := range held {
		if j := m.Node(v); j >= 0 { // the model fixes the others
			free[j] = -1
		}
	}
	for v := range int32(m.NumVerts()) {
		if j := m.Node(v); j >= 0 && free[j] == 0 {
			free[j] = len(out.Verts)
			out.Verts = append(out.Verts, v)
		}
	}
	return free
}

// assemble returns the whole of a symmetric matrix of the blocks of its lower triangle.
func (s *system) assemble(blocks [][]float64, n int) *sparse.CSR {
	// entries by place first, for a row of the result has blocks of both triangles
	a := sparse.NewCOO(3*n, 3*n, nil, nil, nil)
	for k, b := range s.blocks {
		for i, x := range blocks[k] {
			addSymmetric(a, 3*b[0]+i/3, 3*b[1]+i%3, x, b[0] == b[1])
		}
	}
	return a.ToCSR()
}

// scale finds the largest diagonal entry of K and, for a body that floats, the shift.
func (s *system) scale(floats bool) {
	traceK, traceM := 0.0, 0.0
	for k, b := range s.blocks {
		if b[0] != b[1] {
			continue
		}
		for i := 0; i < 9; i += 4 { // the diagonal
			traceK += s.stiff[k][i]
			traceM += s.mass[k][i]
			s.stiffest = max(s.stiffest, s.stiff[k][i])
		}
	}
	// only a body that nothing fixes has rigid motions, six of them
	if floats {
		s.sigma = freeShift * traceK / traceM
	}
}

// addSymmetric adds an entry of a block and, off the diagonal, its mirror image.
func addSymmetric(a *sparse.COO, i, j int, x float64, diagonal bool) {
	a.Set(i, j, x)
	// blocks on the diagonal are whole already
	if !diagonal {
		a.Set(j, i, x)
	}
}

// buildGraph makes the graph of the factorization.
func (s *system) buildGraph(n int) {
	// a node of three velocities for each vertex
	for range n {
		s.graph.AddNode(3, 0)
	}
	for _, b := range s.blocks {
		s.graph.AddEdge(b[0], b[1])
	}
	s.graph.Pack()
}

// factor factors K + σM.
func (s *system) factor() error {
	var A supernodal.Matrix
	A.Reset(&s.graph)
	// K + σM, block by block
	for k, b := range s.blocks {
		block := A.Block(b[0], b[1])
		for i := range block {
			block[i] = s.stiff[k][i] + s.sigma*s.mass[k][i]
		}
	}
	// a pivot that is not positive shows a motion without stiffness
	s.chol.Analyze(&s.graph)
	if err := s.chol.Err(); err != nil {
		return fmt.Errorf("modal: %w", err)
	}
	if err := s.chol.Factor(&A); err != nil {
		return fmt.Errorf("modal: K is not positive definite, so that the body moves freely in some way: fix three vertices that are not in a line, or none: %w", err)
	}
	return nil
}

// times returns A x. The memory is new: basis vectors keep theirs.
func times(A *sparse.CSR, x []float64) []float64 {
	y := make([]float64, len(x))
	A.MulVecTo(y, false, x)
	return y
}

// krylov is the growing basis of the Lanczos method.
type krylov struct {
	// basis are the vectors V, orthonormal in M; image is T V and weighed M V.
	basis, image, weighed [][]float64
}

// lanczos fills the list of modes. The basis grows by images of its last block until the n
// dominant vectors have converged, or as far as memory and patience go.
func (s *system) lanczos(n int, out *Modes) error {
	size, _ := s.K.Dims()
	// full orthogonalization takes memory and time of the square of this number
	most := min(size, 12*n+20*blockSize)
	var k krylov
	for block := startBlock(size); len(k.basis) < most && len(block) > 0; {
		block = s.extend(&k, block, most)
		if len(k.basis) >= n && s.ritz(n, &k, out) {
			return nil
		}
	}
	return fmt.Errorf("%d modes did not converge in %d Lanczos vectors: ask for fewer, or repair elements that are nearly flat", n, len(k.basis))
}

// startBlock returns random vectors, the same for every call, so that results repeat.
func startBlock(size int) (block [][]float64) {
	r := rand.New(rand.NewPCG(1, uint64(size)))
	// normal deviates have no direction that they favour, so that no mode is missed
	for range min(blockSize, size) {
		x := make([]float64, size)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		block = append(block, x)
	}
	return block
}

// extend adds a block to the basis, up to most vectors in all, and returns the next one, the
// images of what was added; none where the basis is invariant.
func (s *system) extend(k *krylov, block [][]float64, most int) (next [][]float64) {
	// vectors that lie in the basis already are dropped
	from := len(k.basis)
	for _, x := range block {
		if len(k.basis) == most {
			break
		}
		if w := s.orthonormal(x, k); w != nil {
			// M v serves every later orthogonalization, and T v = (K + σM)⁻¹ M v
			k.basis, k.weighed = append(k.basis, x), append(k.weighed, w)
		}
	}
	for _, w := range k.weighed[from:] {
		y := append([]float64(nil), w...)
		s.chol.Solve(y)
		k.image = append(k.image, y)
		next = append(next, append([]float64(nil), y...))
	}
	return next
}

// orthonormal makes x orthonormal to the basis in the inner product of M and returns M x; nil
// where nothing of x is left.
func (s *system) orthonormal(x []float64, b *krylov) []float64 {
	// to distinguish what is left from round-off
	before := math.Sqrt(max(0, dot(x, times(s.M, x))))
	// against all vectors, for round-off brings back those that have converged
	for range 2 { // twice is enough: Parlett 6.9
		for i, v := range b.basis {
			c := dot(b.weighed[i], x)
			for k := range x {
				x[k] -= c * v[k]
			}
		}
	}
	// of length one in the inner product of M
	w := times(s.M, x)
	norm := math.Sqrt(max(0, dot(x, w)))
	if !(norm > 1e-10*before) {
		return nil
	}
	for k := range x {
		x[k] /= norm
		w[k] /= norm
	}
	return w
}

// ritz computes the modes of T in the basis, Vᵀ M T V y = θ y, and reports whether the n
// dominant ones have converged.
func (s *system) ritz(n int, k *krylov, out *Modes) bool {
	// the small problem, of the size of the basis
	m := len(k.basis)
	H := mat.NewSymDense(m, nil)
	for i := range m {
		for j := range i + 1 {
			// symmetric but for round-off
			H.SetSym(i, j, 0.5*(dot(k.weighed[i], k.image[j])+dot(k.weighed[j], k.image[i])))
		}
	}
	// all eigenvectors of a dense matrix of a few hundred rows
	var e mat.EigenSym
	if !e.Factorize(H, true) {
		return false
	}
	var y mat.Dense
	e.VectorsTo(&y)
	out.List = out.List[:0]
	for i := range n {
		// eigenvalues ascend: the largest θ is the lowest frequency
		mode := s.mode(combine(k.basis, &y, m-1-i))
		if !(mode.Residual <= residualTol) {
			return false
		}
		out.List = append(out.List, mode)
	}
	return true
}

// combine returns V y for column j of y.
func combine(basis [][]float64, y *mat.Dense, j int) []float64 {
	// row by row of the basis, which memory has in this order
	phi := make([]float64, len(basis[0]))
	for i, v := range basis {
		c := y.At(i, j)
		for l := range phi {
			phi[l] += c * v[l]
		}
	}
	return phi
}

// mode returns the mode of a shape φ of the free vertices, which it normalizes: ω² by Rayleigh's
// quotient, whose error is the square of that of φ, with residual and shares of mass.
func (s *system) mode(phi []float64) (mode Mode) {
	// φᵀMφ = 1
	Mp := times(s.M, phi)
	scale := 1 / math.Sqrt(dot(phi, Mp))
	for i := range phi {
		phi[i] *= scale
		Mp[i] *= scale
	}
	Kp := times(s.K, phi)
	// round-off may make that of a rigid motion negative
	mode.Omega2 = max(0, dot(phi, Kp))
	mode.Frequency = math.Sqrt(mode.Omega2) / (2 * math.Pi)
	// of (1), and the elastic forces of the shape
	rest, force := 0.0, 0.0
	for i := range phi {
		d := Kp[i] - mode.Omega2*Mp[i]
		rest, force = rest+d*d, force+Kp[i]*Kp[i]
	}
	// forces of a rigid motion are round-off of those of its vertices one by one
	alone := roundoff / residualTol * s.stiffest * math.Sqrt(dot(phi, phi))
	mode.Residual = math.Sqrt(rest) / max(math.Sqrt(force), alone)
	// of the free vertices, until spread gives it to all
	mode.Shape = make([]r3.Vec, len(phi)/3)
	for i := range mode.Shape {
		mode.Shape[i] = r3.Vec(phi[3*i : 3*i+3])
	}
	mode.MassShare = s.massShare(Mp)
	return mode
}

// massShare returns (φᵀ M e)²/(eᵀ M e) for the unit motions e along x, y and z, of M φ.
func (s *system) massShare(Mp []float64) (share r3.Vec) {
	// e moves all free vertices by one along an axis
	for k := range 3 {
		e := make([]float64, len(Mp))
		for i := k; i < len(e); i += 3 {
			e[i] = 1
		}
		pushed := dot(e, Mp)
		share[k] = pushed * pushed / dot(e, times(s.M, e))
	}
	return share
}

// spread gives the shape of free vertices to all, upright: its largest component is positive.
func (s *system) spread(mode *Mode, verts int, free []int32) {
	all := make([]r3.Vec, verts)
	// the sign of a shape is free: the same one for all calls and machines
	largest := 0.0
	for i, v := range free {
		// fixed vertices keep the zero
		all[v] = mode.Shape[i]
		for _, x := range mode.Shape[i] {
			// of components that symmetry makes equal the first counts, whatever round-off says
			if math.Abs(x) > math.Abs(largest)*(1+1e-6) {
				largest = x
			}
		}
	}
	for i := range all {
		if largest < 0 {
			all[i] = all[i].Neg()
		}
	}
	mode.Shape = all
}

// dot returns Σ x_i y_i.
func dot(x, y []float64) float64 {
	// in the order of the vertices, so that results repeat
	sum := 0.0
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
