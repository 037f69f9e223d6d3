package fem

import "github.com/curlfree/curlfree/r3"

// Eight elements with one frame at once, one in each lane of vector registers, as the tets of
// element_lanes.go. A wedge takes a lane like a hexahedron, with two more nodes that have no
// gradient and no stiffness. The scalar code computes elements whose rotation Newton's
// iteration does not find, flat ones, steps with unresolved rotation, further passes of a
// step, and the rest of a number of elements that eight does not divide.

// cellLanes is the memory of a kernel's call: each row has one number of eight elements.
type cellLanes struct {
	// pos: x_a, replaced by Rᵀ(x_a − x̄), 3a + i, m.
	pos [3 * cellNodes][8]float64
	// scratch: u_a and (K0 u)_a of (2), 3a + i; m and N
	_ [6 * cellNodes][8]float64
	// R and F are rotation and gradient at pos.
	R, F [9][8]float64
	// scratch: tr S I − S, and from one kernel to the other the correction (3), N m
	_ [12][8]float64
	// energy is ½ uᵀK0u at pos, J.
	energy [8]float64
	// strain are the positions freeMotion.strain, replaced as pos.
	strain [3 * cellNodes][8]float64
	// force is that on the nodes, 3a + i, N.
	force [3 * cellNodes][8]float64
	// turned are the entries of R K0 Rᵀ, 9·block + 3i + j, N/m.
	turned [9 * cellBlocks][8]float64
	// model is the energy of the linear model at strain, J.
	model [8]float64
}

// restCellLanes are the constants of eight elements at rest.
type restCellLanes struct {
	grad  [3 * cellNodes][8]float64  // g_a, 3a + j
	rest  [3 * cellNodes][8]float64  // X_a − X̄, 3a + j
	share [8]float64                 // 1/number of nodes
	stiff [9 * cellBlocks][8]float64 // K0, 9·block + 3i + j
}

// packCellLanes prepares the kernels' copy of the elements.
func (m *Model) packCellLanes() {
	if !haveKernels || m.class != Corotated {
		return
	}
	m.restCells = make([]restCellLanes, len(m.cells)/8)
	for i := range m.restCells {
		r := &m.restCells[i]
		for lane := range 8 {
			c := &m.cells[8*i+lane]
			r.share[lane] = 1 / float64(c.n)
			for k := range 3 * c.n {
				r.grad[k][lane], r.rest[k][lane] = c.grad[k/3][k%3], c.rest[k/3][k%3]
			}
			for k := range 9 * triangle(c.n, 0) {
				r.stiff[k][lane] = c.stiff[k/9][k%9]
			}
		}
	}
}

// packCell writes the positions of the nodes of one element to a lane.
func packCell(dst *[3 * cellNodes][8]float64, x []r3.Vec, c *cell, lane int) {
	lane &= 7
	for a := range cellNodes {
		var p r3.Vec // 0 for the nodes that a wedge does not have
		if a < c.n {
			p = x[c.verts[a]]
		}
		dst[3*a][lane], dst[3*a+1][lane], dst[3*a+2][lane] = p[0], p[1], p[2]
	}
}

// packNodes writes the positions of the nodes of one element to a lane; a wedge's last two are 0.
func packNodes(dst *[3 * cellNodes][8]float64, x *[cellNodes]r3.Vec, lane int) {
	lane &= 7
	for a := range x {
		dst[3*a][lane], dst[3*a+1][lane], dst[3*a+2][lane] = x[a][0], x[a][1], x[a][2]
	}
}

// cellsSideBySide reports whether kernels compute the elements in this pass.
func (f *freeMotion) cellsSideBySide() bool {
	return haveKernels && f.model.class == Corotated && !f.rotation.unresolved && f.pass == 0
}

// computeCellLanes computes the elements i … i + 7.
func (f *elementPass) computeCellLanes(b *cellLanes, i int) {
	at := f.modelPositions()
	for lane := range 8 {
		c := &f.model.cells[i+lane]
		packCell(&b.pos, at, c, lane)
		packCell(&b.strain, f.strain, c, lane)
	}
	rest := &f.model.restCells[i/8]
	bad := cellFrames(b, rest, &f.law)
	cellForces(b, rest)
	// results of each lane; failed ones by the scalar code
	for lane := range 8 {
		if bad>>lane&1 != 0 {
			f.cell(i + lane)
			continue
		}
		f.energy[i/tetChunk] += b.energy[lane]
		f.kept[i+lane] = b.gradient(lane)
		f.scatterCell(b, i+lane, lane)
	}
}

// scatterCell writes the forces and blocks of one element from a lane, the blocks transposed
// where A has their transposes.
func (f *elementPass) scatterCell(b *cellLanes, i, lane int) {
	c := &f.model.cells[i]
	lane &= 7
	force := f.force[cellNodes*i : cellNodes*i+c.n]
	for a := range force {
		force[a] = padded{b.force[3*a][lane], b.force[3*a+1][lane], b.force[3*a+2][lane]}
	}
	f.addSetMassDamping(i, force)
	stiff := f.stiff[cellBlocks*i : cellBlocks*i+triangle(c.n, 0)]
	for k := range stiff {
		D, B := &stiff[k], b.turned[9*k:9*k+9:9*k+9]
		D[0], D[4], D[8] = B[0][lane], B[4][lane], B[8][lane]
		if c.upper>>k&1 != 0 {
			D[1], D[2], D[3], D[5], D[6], D[7] = B[3][lane], B[6][lane], B[1][lane], B[7][lane], B[2][lane], B[5][lane]
		} else {
			D[1], D[2], D[3], D[5], D[6], D[7] = B[1][lane], B[2][lane], B[3][lane], B[5][lane], B[6][lane], B[7][lane]
		}
	}
}

// gradient returns F of one element.
func (b *cellLanes) gradient(lane int) (F r3.Mat) {
	lane &= 7
	for k := range F {
		F[k] = b.F[k][lane]
	}
	return F
}

// boundCellLanes computes the energies of the elements i … i + 7 at the end of the step, or at y
// with the bounds of their differences from the linear model; turned as in compare.
func (f *errorPass) boundCellLanes(b *cellLanes, i int, turned float64, sums *energyErrors) {
	atEnd := f.what == endEnergies
	for lane := range 8 {
		c := &f.model.cells[i+lane]
		if atEnd && f.rotation.rotates {
			x := f.endOf(c)
			packNodes(&b.pos, &x, lane)
		} else {
			packCell(&b.pos, f.solved, c, lane)
		}
	}
	bad := cellFrames(b, &f.model.restCells[i/8], &f.elements.law)
	for lane := range 8 {
		F, E := b.gradient(lane), b.energy[lane]
		if bad>>lane&1 != 0 {
			c := &f.model.cells[i+lane]
			x, R := c.at(f.solved), r3.Polar(F)
			if atEnd {
				x = f.endOf(c)
			}
			E = c.energy(&x, &R)
		}
		if atEnd {
			sums.elastic += E
		} else {
			f.boundCell(i+lane, &F, E, turned, sums)
		}
	}
}

// compareCellLanes is compareCell for the elements i … i + 7.
func (f *errorPass) compareCellLanes(b *cellLanes, i int, sums *energyErrors) {
	near := 0
	for lane := range 8 {
		if f.known[i+lane].isNear() {
			near |= 1 << lane
		}
	}
	bad := 0
	if near != 1<<8-1 {
		at := f.modelPositions()
		for lane := range 8 {
			c := &f.model.cells[i+lane]
			packCell(&b.pos, at, c, lane)
			packCell(&b.strain, f.solved, c, lane)
		}
		rest := &f.model.restCells[i/8]
		bad = cellFrames(b, rest, &f.elements.law)
		cellModels(b, rest, &f.elements.law)
	}
	for lane := range 8 {
		if (near|bad)>>lane&1 != 0 {
			f.compareCell(i+lane, sums)
			continue
		}
		sums.add(f.known[i+lane].energy, b.model[lane])
	}
}
