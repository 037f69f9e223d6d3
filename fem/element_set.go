package fem

import (
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// elementSet are the elements of a body where these are not linear tets: all of one kind, over
// the vertices of the mesh. A kind computes forces and turned stiffness of its elements into
// slots; assembly, solution and reports are common.
type elementSet interface {
	// len is their number.
	len() int
	// slots returns the numbers of nodes and blocks for which each element has room in
	// freeMotion.force and freeMotion.stiff.
	slots() (nodes, blocks int)
	// nodesOf returns the vertices at the nodes of element i.
	nodesOf(i int) []int32
	// massOf returns the factor of the identity in the block a, b of its consistent mass, kg.
	massOf(i, a, b int) float64
	// transpose marks block k of the lower triangle of element i, whose transpose A has.
	transpose(i, k int)
	// compute writes forces, turned stiffness and, in the first pass of a step, the energy of
	// the elements i … end − 1 of one chunk.
	compute(f *elementPass, i, end int)
	// derive computes the energies of the elements i … end − 1 under a nonlinear law at the
	// positions n.strain, and their derivatives of the order of n; C is scratch.
	derive(n *tangentPass, C *[81]float64, i, end int)
	// rest computes forces, energies and true tangents of the elements i … end − 1 of one chunk under a linear or
	// corotated law.
	rest(r *restPass, chunk, i, end int)
	// compare adds what an errorPass requires of the elements i … end − 1.
	compare(f *errorPass, i, end int, turned float64, sums *energyErrors)
	// energyOf returns the elastic energy of element i at the positions x of the vertices, J.
	energyOf(i int, x []r3.Vec) float64
	// centerGradient returns the deformation gradient at the centre of element i.
	centerGradient(i int, x []r3.Vec) r3.Mat
	// tetGradient returns that near a tet of the mesh, which lies in element i.
	tetGradient(i int, tet int32, x []r3.Vec) r3.Mat
	// keeps is the number of matrices of each element that a pass leaves for the next one in
	// freeMotion.kept.
	keeps() int
	// kineticBound is the largest eigenvalue of an element's consistent mass relative to its
	// lumped masses, rounded up: 1 where these are row sums.
	kineticBound() float64
}

// newSet makes the elements of the kind that was chosen.
func (m *Model) newSet() error {
	kind, err := ElementKinds.New(m.choice.Elements.String())
	if err != nil {
		return err
	}
	// a kind may have none of its own: then the tets of the mesh are the elements
	if m.set, err = kind.newSet(m); err == nil && m.set != nil {
		m.weighSet()
	}
	return err
}

// energyOf returns the elastic energy of element i at the positions x of the vertices, J.
func (m *Model) energyOf(i int, x []r3.Vec) float64 {
	if m.set != nil {
		return m.set.energyOf(i, x)
	}
	e := &m.elements[i]
	F := e.gradient(x)
	return e.volume * m.spec.Law.Energy(F, m.rotation(F))
}

// weighSet computes the masses of the vertices anew, which tets gave before.
func (m *Model) weighSet() {
	m.nodalMass, m.lumped = make([]float64, len(m.nodalMass)), make([]float64, len(m.nodalMass))
	m.mass = 0
	for i := range m.set.len() {
		verts := m.set.nodesOf(i)
		for a, v := range verts {
			for b := range verts {
				x := m.set.massOf(i, a, b)
				m.nodalMass[v] += x
				m.mass += x
			}
		}
		m.lumpElement(i)
	}
	if slices.Min(m.nodalMass) > 0 {
		m.lumped = m.nodalMass
	}
}

// lumpElement adds the scaled diagonal of the mass of element i to the lumped masses.
// Source: Hinton, Rock and Zienkiewicz, 1976.
func (m *Model) lumpElement(i int) {
	verts, whole, diagonal := m.set.nodesOf(i), 0.0, 0.0
	for a := range verts {
		diagonal += m.set.massOf(i, a, a)
		for b := range verts {
			whole += m.set.massOf(i, a, b)
		}
	}
	for a, v := range verts {
		m.lumped[v] += m.set.massOf(i, a, a) * whole / diagonal
	}
}

// setEntries lists the contributions of elements to blocks of A, and marks the blocks that
// these have to transpose.
func (m *Model) setEntries() []entry {
	var entries []entry
	nodes, blocks := m.set.slots()
	for i := range m.set.len() {
		verts := m.set.nodesOf(i)
		for a, va := range verts {
			for b, vb := range verts[:a+1] {
				row, col, slot := m.node[va], m.node[vb], a
				if row < 0 || col < 0 {
					continue
				}
				if row < col {
					row, col, slot = col, row, b
					m.set.transpose(i, triangle(a, b))
				}
				entries = append(entries, entry{col, row, pair{int32(nodes*i + slot), int32(blocks*i + triangle(a, b))}, m.set.massOf(i, a, b)})
			}
		}
	}
	return entries
}

// addSetMassDamping adds −αM v0 of element i to the forces on its nodes. M is not lumped: rows
// of the consistent mass couple the nodes.
func (f *freeMotion) addSetMassDamping(i int, force []padded) {
	set := f.model.set
	verts := set.nodesOf(i)
	for a := range force {
		x := force[a].vec()
		for b, v := range verts {
			x.IncScale(-f.model.spec.MassDamping*set.massOf(i, a, b), &f.vel[v])
		}
	}
}

// gatherSet writes one block of A as the sum over its elements, whose turned blocks the
// pairs name.
func (f *freeMotion) gatherSet(A *[9]float64, pairs []pair, stiff, diag float64) {
	var s r3.Mat
	for _, p := range pairs {
		K := &f.stiff[p.col]
		s[0] += K[0]
		s[1] += K[1]
		s[2] += K[2]
		s[3] += K[3]
		s[4] += K[4]
		s[5] += K[5]
		s[6] += K[6]
		s[7] += K[7]
		s[8] += K[8]
	}
	for i := range s {
		A[i] = stiff * s[i]
	}
	A[0], A[4], A[8] = A[0]+diag, A[4]+diag, A[8]+diag
}

// gradientOf returns F = Σ x_a g_aᵀ of positions x and as many shape gradients.
func gradientOf(x, grad []r3.Vec) r3.Mat {
	// written in scalars, which stay in registers
	var xx, xy, xz, yx, yy, yz, zx, zy, zz float64
	for a := range x {
		p, g := &x[a], &grad[a]
		xx, xy, xz = xx+p[0]*g[0], xy+p[0]*g[1], xz+p[0]*g[2]
		yx, yy, yz = yx+p[1]*g[0], yy+p[1]*g[1], yz+p[1]*g[2]
		zx, zy, zz = zx+p[2]*g[0], zy+p[2]*g[1], zz+p[2]*g[2]
	}
	return r3.Mat{xx, xy, xz, yx, yy, yz, zx, zy, zz}
}
