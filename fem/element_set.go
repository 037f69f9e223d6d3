package fem

import (
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// elementSet are the elements of a body: all of one kind, over the vertices of the mesh. A kind
// computes forces and stiffness of its elements into slots; solution and reports are common, and so is assembly
// for kinds that embed turnedBlocks.
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
	// weigh replaces the masses of the vertices, those of the tets of the mesh, where those of massOf differ.
	weigh()
	// contribute returns where the block of A in the row of node a and the column of node b finds the part of element
	// i, and that part's share of block.dot, m.
	contribute(i, a, b int) (p pair, dot float64)
	// parentFaces returns the faces of elements behind the boundary triangles of the mesh; nil: these are the faces.
	parentFaces() []meshes.ParentFace
	// scratch makes room for what compute and compare write besides forces.
	scratch(f *freeMotion)
	// compute writes forces, stiffness and, in the first pass of a step, the energy of
	// the elements i … end − 1 of one chunk.
	compute(f *elementPass, i, end int)
	// assemble writes the blocks k … end − 1 of A, mass·M + stiff·K, with the stiffness that compute wrote.
	assemble(f *columnPass, k, end int32, mass, stiff float64)
	// computedBlock returns K_ab of element i, of nodes one of which is fixed, that compute wrote, N/m.
	computedBlock(f *freeMotion, i, a, b int) r3.Mat
	// sumBlock adds the parts of one block of K, which derive and rest have written to stiff.
	sumBlock(stiff []r3.Mat, pairs []pair) r3.Mat
	// derive computes the energies of the elements i … end − 1 under a nonlinear law at the
	// positions n.strain, and their derivatives of the order of n; C is scratch.
	derive(n *tangentPass, C *[81]float64, i, end int)
	// rest computes forces, energies and true tangents of the elements i … end − 1 of one chunk under a linear or
	// corotated law.
	rest(r *restPass, chunk, i, end int)
	// turnNonlinear adds what their frames change to the true tangents of the elements i … end − 1 under a nonlinear
	// law, which derive has written.
	turnNonlinear(r *restPass, i, end int)
	// adjoint adds the bars of all elements. It is false where one is flat.
	adjoint(a *adjointPass) bool
	// compare adds what an errorPass requires of the elements i … end − 1.
	compare(f *errorPass, i, end int, turned float64, sums *energyErrors)
	// energyOf returns the elastic energy of element i at the positions x of the vertices, J.
	energyOf(i int, x []r3.Vec) float64
	// frames is the number of frames of each element, and gradientAt the deformation gradient at which frame q of
	// element i is taken, at the positions x of the vertices; volumeAt is the volume of one, m³.
	frames() int
	gradientAt(i, q int, x []r3.Vec) r3.Mat
	volumeAt(i int) float64
	// strainErrors adds what a strainPass requires of the elements i … end − 1.
	strainErrors(f *strainPass, i, end int, sums *strainErrors)
	// centerGradient returns the deformation gradient at the centre of element i.
	centerGradient(i int, x []r3.Vec) r3.Mat
	// tetGradient returns that near a tet of the mesh.
	tetGradient(tet int32, x []r3.Vec) r3.Mat
	// tetVolume returns a number with the sign of its determinant. Detection of contacts asks it of each boundary
	// triangle.
	tetVolume(tet int32, x []r3.Vec) float64
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
	if m.set, err = kind.newSet(m); err == nil {
		m.set.weigh()
	}
	return err
}

// addSetMassDamping adds −αM v0 of element i to the forces on its nodes, and under the midpoint rule the damping of
// changes. M is not lumped: rows of the consistent mass couple the nodes.
func (f *freeMotion) addSetMassDamping(i int, force []padded) {
	set := f.model.set
	rate, vel := f.slowed()
	if rate == 0 {
		return
	}
	verts := set.nodesOf(i)
	for a := range force {
		x := force[a].vec()
		for b, v := range verts {
			x.IncScale(-rate*set.massOf(i, a, b), &vel[v])
		}
	}
}

// turnedBlocks is the common part of kinds whose elements have a block for each pair of nodes, turned by their frames,
// in freeMotion.stiff. A has the transposes of some: the kind notes these and writes them so.
type turnedBlocks struct{ *Model }

// weigh implements elementSet.
func (s turnedBlocks) weigh() {
	m, set := s.Model, s.set
	m.nodalMass, m.lumped = make([]float64, len(m.nodalMass)), make([]float64, len(m.nodalMass))
	m.mass = 0
	for i := range set.len() {
		verts := set.nodesOf(i)
		for a, v := range verts {
			for b := range verts {
				x := set.massOf(i, a, b)
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
	set := m.set
	verts, whole, diagonal := set.nodesOf(i), 0.0, 0.0
	for a := range verts {
		diagonal += set.massOf(i, a, a)
		for b := range verts {
			whole += set.massOf(i, a, b)
		}
	}
	for a, v := range verts {
		m.lumped[v] += set.massOf(i, a, a) * whole / diagonal
	}
}

// blockPair returns contribute's pair for elements with so many slots, and notes in upper (bits) the blocks of the
// lower triangle of element i whose transposes A has.
func blockPair(i, a, b, nodes, blocks int, upper *uint64) pair {
	k := symmetric(a, b)
	if a < b {
		*upper |= 1 << k
	}
	return pair{int32(nodes*i + a), int32(blocks*i + k)}
}

func (s turnedBlocks) parentFaces() []meshes.ParentFace {
	return s.spec.Mesh.ParentFaces(s.boundary, s.owner)
}

func (s turnedBlocks) strainErrors(f *strainPass, i, end int, sums *strainErrors) {
	f.strainErrorsOf(i, end, sums)
}

func (s turnedBlocks) tetVolume(tet int32, x []r3.Vec) float64 {
	return s.set.tetGradient(tet, x).Det()
}

// assemble implements elementSet.
func (s turnedBlocks) assemble(f *columnPass, k, end int32, mass, stiff float64) {
	if haveKernels {
		f.assembleSet(f.A, k, end, &[2]float64{mass, stiff})
		return
	}
	for ; k < end; k++ {
		b := &s.blocks[k]
		sum := s.sumBlock(f.stiff, s.pairs[b.first:s.blocks[k+1].first])
		setBlock(f.A, k, &sum, stiff, mass*b.mass)
	}
}

// computedBlock implements elementSet: blocks of pairs that are not in A are never transposed.
func (s turnedBlocks) computedBlock(f *freeMotion, i, a, b int) r3.Mat {
	_, blocks := s.set.slots()
	return blockOf(f.stiff[blocks*i:], a, b)
}

// sumBlock implements elementSet.
func (s turnedBlocks) sumBlock(stiff []r3.Mat, pairs []pair) (sum r3.Mat) {
	for _, p := range pairs {
		K := &stiff[p.col]
		sum[0] += K[0]
		sum[1] += K[1]
		sum[2] += K[2]
		sum[3] += K[3]
		sum[4] += K[4]
		sum[5] += K[5]
		sum[6] += K[6]
		sum[7] += K[7]
		sum[8] += K[8]
	}
	return sum
}

// setBlock writes block k of A, scale·K + diag I.
func setBlock(A []float64, k int32, K *r3.Mat, scale, diag float64) {
	B := (*[9]float64)(A[9*k:])
	for i, x := range K {
		B[i] = scale * x
	}
	B[0], B[4], B[8] = B[0]+diag, B[4]+diag, B[8]+diag
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
