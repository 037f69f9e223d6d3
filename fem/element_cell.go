package fem

// Elements with one frame: hexahedra and wedges. Each has a constant matrix K0 at rest, and a
// frame R that turns it, from the deformation gradient of its centre,
//
//	F = Σ x_a g_aᵀ = R S,   K_ab = R K0_ab Rᵀ,                                (1)
//	f(y)_a = R (K0 u(y))_a − R (q × g_a),   u(y)_a = Rᵀ(y_a − ȳ) − (X_a − X̄),  (2)
//	m = Σ y'_a × (K0 u(x))_a,  y'_a = Rᵀ(x_a − x̄),   q = (tr S I − S)⁻¹ m,     (3)
//
// with the shape gradients g at the centre at rest and means over the nodes; the nodes feel
// −f. The energy of the whole element, ½ uᵀK0u, is not stationary in the frame of its centre:
// without q the forces would have the moment Σ m. With it f is the gradient of the energy at
// x, so that force and moment vanish. q is taken at x and is constant in a step, like R.
//
// A kind of such elements is its K0, masses and gradients: element_hex12.go,
// element_wedge6.go. All else is common, and K0 is positive semi-definite: so is A.
// Source: this program's; the frame of the centre is that of Crisfield and Moita, "A
// co-rotational formulation for 2-D continua including incompatible modes", 1996.
//
// One frame for the whole element is why it is cheaper than its number of nodes suggests: one
// polar decomposition, one constant matrix turned by it. It is also why the element needs the
// correction q, and why its linear model errs where the element itself bends by a large angle:
// a mesh has to have enough of them along a part that bends far.

import (
	"fmt"

	"github.com/curlfree/curlfree/r3"
)

// cellNodes is the largest number of nodes of an element with one frame, cellBlocks that of
// the blocks of the lower triangle of its matrix.
const (
	cellNodes  = 8
	cellBlocks = cellNodes * (cellNodes + 1) / 2
)

// cell is an element with one frame, at rest.
type cell struct {
	// A wedge uses the first six entries of the lists over nodes, and the first 21 blocks.
	// n is the number of nodes.
	n int
	// verts are the vertices at the nodes.
	verts [cellNodes]int32
	// rest are X_a − X̄, m.
	rest [cellNodes]r3.Vec
	// grad are ∂N_a/∂X at the centre, 1/m.
	grad [cellNodes]r3.Vec
	// stiff are the blocks of K0 in the order of triangle, N/m.
	stiff [cellBlocks]r3.Mat
	// mass times the identity are the blocks of the consistent mass matrix, kg.
	mass [cellBlocks]float64
	// volume at rest, m³.
	volume float64
	// upper are the blocks, bits, whose row is above their column in A: their transposes are
	// in its lower triangle.
	upper uint64
}

// cellSet are the hexahedra and wedges of a model.
type cellSet struct{ turnedBlocks }

// newCellSet makes the elements of the mesh's hexahedra and wedges.
func newCellSet(m *Model) (elementSet, error) {
	mesh := m.spec.Mesh
	m.cells = make([]cell, mesh.Cells.Len())
	m.steepest = 0
	var X [cellNodes]r3.Vec
	for i := range m.cells {
		c, verts := &m.cells[i], mesh.Cells.Cell(i)
		c.n = len(verts)
		copy(c.verts[:], verts)
		var mean r3.Vec
		for a, v := range verts {
			X[a] = mesh.Verts[v]
			mean = mean.AddScaled(1/float64(c.n), X[a])
		}
		// about the mean, which keeps digits far from the origin
		for a := range verts {
			X[a] = X[a].Sub(mean)
		}
		c.rest = X
		var whole [cellNodes]r3.Vec
		kind, err := "hexahedron", error(nil)
		if c.n == 8 {
			err = c.restHex12(m.mu, m.lambda, m.spec.Density, &whole)
		} else {
			kind, err = "wedge", c.restWedge6(m.mu, m.lambda, m.spec.Density, &whole)
		}
		if err != nil {
			return nil, fmt.Errorf("cell %d, a %s of vertices %v: %w", i, kind, verts, err)
		}
		if m.class == Nonlinear {
			c.separateMean(&whole)
		}
		steep := 0.0
		for _, g := range c.grad[:c.n] {
			steep += g.Norm()
		}
		m.steepest = max(m.steepest, steep/2) // ‖ΔF‖ ≤ Σ |x_a||g_a|
	}
	m.packCellLanes()
	return cellSet{turnedBlocks{m}}, nil
}

func (s cellSet) len() int                               { return len(s.cells) }
func (s cellSet) slots() (nodes, blocks int)             { return cellNodes, cellBlocks }
func (s cellSet) nodesOf(i int) []int32                  { return s.cells[i].verts[:s.cells[i].n] }
func (s cellSet) massOf(i, a, b int) float64             { return s.cells[i].mass[symmetric(a, b)] }
func (s cellSet) frames() int                            { return 1 }
func (s cellSet) volumeAt(i int) float64                 { return s.cells[i].volume }
func (s cellSet) gradientAt(i, _ int, x []r3.Vec) r3.Mat { return s.centerGradient(i, x) }
func (s cellSet) kineticBound() float64                  { return 1 } // masses are row sums

func (s cellSet) contribute(i, a, b int) (pair, float64) {
	return blockPair(i, a, b, cellNodes, cellBlocks, &s.cells[i].upper), 0
}

// scratch implements elementSet: F at the centre is kept.
func (s cellSet) scratch(f *freeMotion) {
	f.needBlocks()
	f.kept, f.errors.known = make([]r3.Mat, len(s.cells)), make([]elementError, len(s.cells))
}

func (s cellSet) energyOf(i int, pos []r3.Vec) float64 {
	c := &s.cells[i]
	x := c.at(pos)
	return s.energyAt(c, &x)
}

// energyAt returns the elastic energy at the positions x of the nodes, J.
func (s cellSet) energyAt(c *cell, x *[cellNodes]r3.Vec) float64 {
	F := c.gradient(x)
	if s.class == Nonlinear {
		R := r3.Polar(F)
		phi, _ := hardening(F, 0)
		return c.volume*s.spec.Law.Energy(F, R) + phi*c.energy(x, &R)
	}
	R := s.rotation(F)
	return c.energy(x, &R)
}

func (s cellSet) centerGradient(i int, pos []r3.Vec) r3.Mat {
	x := s.cells[i].at(pos)
	return s.cells[i].gradient(&x)
}

func (s cellSet) tetGradient(tet int32, pos []r3.Vec) r3.Mat {
	return s.centerGradient(int(s.spec.Mesh.Cells.Of[tet]), pos)
}

// symmetric indexes the lower triangle of a symmetric matrix.
func symmetric(a, b int) int { return triangle(max(a, b), min(a, b)) }

// at returns the positions of the nodes among those of the vertices.
func (c *cell) at(x []r3.Vec) (p [cellNodes]r3.Vec) {
	for a, v := range c.verts[:c.n] {
		p[a] = x[v]
	}
	return p
}

// gradient returns F of (1) at the positions x of the nodes.
func (c *cell) gradient(x *[cellNodes]r3.Vec) r3.Mat {
	return gradientOf(x[:c.n], c.grad[:c.n])
}

// turnBack writes Rᵀ(x_a − x̄).
// The mean is that of the nodes, as in rest: a translation has no displacement, to round-off.
func (c *cell) turnBack(y, x *[cellNodes]r3.Vec, R *r3.Mat) {
	var mean r3.Vec
	for a := range c.n {
		mean = mean.Add(x[a])
	}
	mean = mean.Scale(1 / float64(c.n))
	for a := range c.n {
		p := x[a].Sub(mean)
		y[a].SetTMul(R, &p)
	}
}

// displacements writes u of (2) at the positions x of the nodes.
func (c *cell) displacements(u, x *[cellNodes]r3.Vec, R *r3.Mat) {
	c.turnBack(u, x, R)
	for a := range c.n {
		u[a] = u[a].Sub(c.rest[a])
	}
}

// multiply writes K0 u.
func (c *cell) multiply(f, u *[cellNodes]r3.Vec) {
	*f = [cellNodes]r3.Vec{}
	// only the lower triangle is stored and read: half of the memory traffic of a full matrix
	k := 0
	for a := range c.n {
		// row a, and by symmetry the part of column a above the diagonal
		ua := &u[a]
		f0, f1, f2 := f[a][0], f[a][1], f[a][2]
		for b := range a {
			K, ub, fb := &c.stiff[k], &u[b], &f[b]
			f0 += K[0]*ub[0] + K[1]*ub[1] + K[2]*ub[2]
			f1 += K[3]*ub[0] + K[4]*ub[1] + K[5]*ub[2]
			f2 += K[6]*ub[0] + K[7]*ub[1] + K[8]*ub[2]
			fb[0] += K[0]*ua[0] + K[3]*ua[1] + K[6]*ua[2]
			fb[1] += K[1]*ua[0] + K[4]*ua[1] + K[7]*ua[2]
			fb[2] += K[2]*ua[0] + K[5]*ua[1] + K[8]*ua[2]
			k++
		}
		K := &c.stiff[k]
		f[a] = r3.Vec{
			f0 + K[0]*ua[0] + K[1]*ua[1] + K[2]*ua[2],
			f1 + K[3]*ua[0] + K[4]*ua[1] + K[5]*ua[2],
			f2 + K[6]*ua[0] + K[7]*ua[1] + K[8]*ua[2],
		}
		k++
	}
}

// work returns Σ f_a·u_a.
func (c *cell) work(f, u *[cellNodes]r3.Vec) float64 {
	sum := 0.0
	for a := range c.n {
		sum += f[a].DotOf(&u[a])
	}
	return sum
}

// flatCell is det(tr S I − S)/tr³S below which (3) has no q: the element is flat or inside out.
const flatCell = 1e-9

// correction returns q of (3) and the energy ½ uᵀK0u at the positions x of the nodes
// with the frame R of their gradient F.
func (c *cell) correction(x *[cellNodes]r3.Vec, F, R *r3.Mat) (q r3.Vec, energy float64) {
	var y, u, f [cellNodes]r3.Vec
	c.turnBack(&y, x, R)
	for a := range c.n {
		u[a].SetSub(&y[a], &c.rest[a])
	}
	c.multiply(&f, &u)
	// m and q
	var m r3.Vec
	for a := range c.n {
		m.IncCross(&y[a], &f[a])
	}
	var S r3.Mat
	S.SetTMul(R, F)
	// tr S I − S is 2 I for an element that is not strained, so that q is m/2 there
	t := S.Trace()
	D := r3.Mat{t - S[0], -S[1], -S[2], -S[3], t - S[4], -S[5], -S[6], -S[7], t - S[8]}
	inverse, det := D.Inv()
	if det > flatCell*t*t*t && t > 0 {
		q.SetMul(&inverse, &m)
	}
	return q, 0.5 * c.work(&f, &u)
}

// energy returns ½ uᵀK0u at the positions x of the nodes in the frame R, J.
func (c *cell) energy(x *[cellNodes]r3.Vec, R *r3.Mat) float64 {
	var u, f [cellNodes]r3.Vec
	c.displacements(&u, x, R)
	c.multiply(&f, &u)
	return 0.5 * c.work(&f, &u)
}

// turnBlocks writes the blocks of (1) to K, transposed where A has their transposes.
func (c *cell) turnBlocks(K *[cellBlocks]r3.Mat, R *r3.Mat) {
	for k := range triangle(c.n, 0) {
		B := &c.stiff[k]
		// T = R B, then K = T Rᵀ
		var T r3.Mat
		T.SetMul(R, B)
		D := &K[k]
		d01 := T[0]*R[3] + T[1]*R[4] + T[2]*R[5]
		d02 := T[0]*R[6] + T[1]*R[7] + T[2]*R[8]
		d10 := T[3]*R[0] + T[4]*R[1] + T[5]*R[2]
		d12 := T[3]*R[6] + T[4]*R[7] + T[5]*R[8]
		d20 := T[6]*R[0] + T[7]*R[1] + T[8]*R[2]
		d21 := T[6]*R[3] + T[7]*R[4] + T[8]*R[5]
		if c.upper>>k&1 != 0 {
			d01, d02, d10, d12, d20, d21 = d10, d20, d01, d21, d02, d12
		}
		*D = r3.Mat{
			T[0]*R[0] + T[1]*R[1] + T[2]*R[2], d01, d02,
			d10, T[3]*R[3] + T[4]*R[4] + T[5]*R[5], d12,
			d20, d21, T[6]*R[6] + T[7]*R[7] + T[8]*R[8],
		}
	}
}
