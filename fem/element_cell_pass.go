package fem

import "github.com/curlfree/curlfree/r3"

// Passes over the elements with one frame, one chunk at a time: the start of a step and its
// further linearizations, and the comparison of the body with its linear model.
//
// What the first pass writes, and columns (free.go) and further passes read:
//
//	energy[chunk]       elastic energy at the start of the step, J
//	force[8·cell + a]   force of the cell on its node a in world axes, N, with damping
//	stiff[36·cell + k]  blocks R K0_ab Rᵀ in world axes, N/m, in the order of triangle
//
// Each chunk writes its own slots, so that the order in which workers take chunks does not
// show in the bits.

// compute implements elementSet.
func (s cellSet) compute(f *elementPass, i, end int) {
	if f.cellsSideBySide() {
		var b cellLanes
		for ; i+8 <= end; i += 8 {
			f.computeCellLanes(&b, i)
		}
	}
	for ; i < end; i++ {
		f.cell(i)
	}
}

// cell computes one element.
func (f *elementPass) cell(i int) {
	if f.pass > 0 && f.step.Midpoint {
		f.middleCell(i)
		return
	}
	c := &f.model.cells[i]
	R, q, energy := f.cellFrame(i)
	if f.pass == 0 {
		f.energy[i/tetChunk] += energy
	}
	// turned once here, where each block is read by the two columns of its nodes later
	f.cellForces(i, &R, q)
	c.turnBlocks((*[cellBlocks]r3.Mat)(f.stiff[cellBlocks*i:]), &R)
}

// modelPositions returns the positions at which the linear model is taken: those at the start
// of the step, or of its further pass; under the midpoint rule those of its middle.
func (f *freeMotion) modelPositions() []r3.Vec {
	switch {
	case f.step.Midpoint:
		return f.middle
	case f.pass > 0:
		return f.frames
	}
	return f.pos
}

// cellFrame returns the frame of element i in the linear model, its correction q, and the
// energy where the model is taken. It keeps the gradient there.
func (f *freeMotion) cellFrame(i int) (R r3.Mat, q r3.Vec, energy float64) {
	c := &f.model.cells[i]
	x := c.at(f.modelPositions())
	R = r3.Identity()
	// a linear law has the axes of the world: no frame turns, and no moment is to be corrected
	if f.model.class == Linear {
		return R, q, c.energy(&x, &R)
	}
	F := c.gradient(&x)
	f.kept[i] = F
	R = r3.Polar(F)
	// q belongs to x, not to the positions strain: it is constant in the step, like R
	q, energy = c.correction(&x, &F, &R)
	// the excess turns all of the body further, and q with it
	if f.rotation.unresolved && f.pass == 0 {
		R = f.rotation.excess.Mul(R)
	}
	return R, q, energy
}

// cellForces writes the forces of element i on its nodes: −f of (2) at the positions strain,
// with damping.
func (f *elementPass) cellForces(i int, R *r3.Mat, q r3.Vec) {
	c := &f.model.cells[i]
	var u [cellNodes]r3.Vec
	x := c.at(f.strain)
	c.displacements(&u, &x, R)
	// ζK0 acts on the rate of strain (u(y) − u(x))/h, which is added to u with the factor ζ
	// strain is the damping in the first pass; later it acts on the change of u
	if s := f.model.spec.StiffnessDamping / f.h; f.pass > 0 && s > 0 {
		var before [cellNodes]r3.Vec
		x = c.at(f.pos)
		R0 := r3.Polar(c.gradient(&x))
		c.displacements(&before, &x, &R0)
		for a := range c.n {
			u[a] = u[a].AddScaled(s, u[a].Sub(before[a]))
		}
	}
	f.spreadCell(i, R, q, &u)
}

// spreadCell writes these forces at the displacements u.
func (f *elementPass) spreadCell(i int, R *r3.Mat, q r3.Vec, u *[cellNodes]r3.Vec) {
	c := &f.model.cells[i]
	var K [cellNodes]r3.Vec
	c.multiply(&K, u)
	force := f.force[cellNodes*i : cellNodes*i+c.n]
	for a := range force {
		v := q.Cross(c.grad[a]).Sub(K[a])
		force[a].vec().SetMul(R, &v)
	}
	f.addSetMassDamping(i, force)
}

// compare implements elementSet.
func (s cellSet) compare(f *errorPass, i, end int, turned float64, sums *energyErrors) {
	m := f.model
	if f.what == compareEnergies {
		if m.restCells != nil && !f.rotation.unresolved {
			var b cellLanes
			for ; i+8 <= end; i += 8 {
				f.compareCellLanes(&b, i, sums)
			}
		}
		for ; i < end; i++ {
			f.compareCell(i, sums)
		}
		return
	}
	if f.what != boundErrors && m.restCells != nil {
		var b cellLanes
		for ; i+8 <= end; i += 8 {
			f.boundCellLanes(&b, i, turned, sums)
		}
	}
	for ; i < end; i++ {
		c := &m.cells[i]
		switch f.what {
		case boundErrors:
			x := c.at(f.solved)
			F := c.gradient(&x)
			sums.apart += f.turnBound(i, &F, turned)
		case boundDifferences:
			x := c.at(f.solved)
			F := c.gradient(&x)
			R := r3.Polar(F)
			f.boundCell(i, &F, c.energy(&x, &R), turned, sums)
		case endEnergies:
			x := f.endOf(c)
			sums.elastic += s.energyAt(c, &x)
		}
	}
}

// cellTurn2 bounds the square of the angle by which an element has turned, as turn2 does for a
// tet.
func (f *errorPass) cellTurn2(i int, F *r3.Mat) float64 {
	G := f.kept[i]
	if f.rotation.unresolved && f.pass == 0 {
		G = f.rotation.excess.Mul(G)
	}
	D := F.Sub(G)
	return 0.5 * D.Norm2()
}

// turnBound returns B of (1) of linearization_error.go for element i, with the rotation that y
// leaves out.
func (f *errorPass) turnBound(i int, F *r3.Mat, turned float64) float64 {
	n := f.cellTurn2(i, F)
	return f.model.cells[i].volume * (f.model.mu + f.model.lambda) * n * (0.5*n + turned)
}

// boundCell adds the energy E of element i at y, where its gradient is F, and the bound of its
// difference from that of the linear model. It keeps what compareCell needs.
func (f *errorPass) boundCell(i int, F *r3.Mat, E, turned float64, sums *energyErrors) {
	bound := differenceBound(E, f.turnBound(i, F, 0))
	f.known[i] = elementError{E, bound}
	if turned > 0 {
		bound = differenceBound(E, f.turnBound(i, F, turned))
	}
	sums.elastic += E
	sums.apart += bound
}

// compareCell adds the energy E of element i at y, and its difference from that of the linear
// model, ½ uᵀK0u in the frame of the model less the work of its correction. It spares the frame of
// the model where the bound of the difference is small.
func (f *errorPass) compareCell(i int, sums *energyErrors) {
	c, E := &f.model.cells[i], f.known[i].energy
	if f.known[i].isNear() {
		sums.elastic += E
		sums.apart += f.known[i].bound
		return
	}
	// q does work on the way from where the model is taken, seen in the frame
	var from, to [cellNodes]r3.Vec
	R, q, _ := f.cellFrame(i)
	at, x := c.at(f.modelPositions()), c.at(f.solved)
	if f.rotation.unresolved && f.pass == 0 {
		back := f.rotation.excess.T().Mul(R)
		c.turnBack(&from, &at, &back)
	} else {
		c.turnBack(&from, &at, &R)
	}
	c.turnBack(&to, &x, &R)
	// in the frame of the model f = K0 u − q × g, so that the part of q is linear in positions
	work := 0.0
	for a := range c.n {
		work += q.Cross(c.grad[a]).Dot(to[a].Sub(from[a]))
	}
	sums.add(E, c.energy(&x, &R)-work)
}

// endOf returns the nodes of an element at the end of the step, x + h v = y + removed (x − c).
func (f *errorPass) endOf(c *cell) [cellNodes]r3.Vec {
	x := c.at(f.solved)
	if f.rotation.rotates {
		for a, v := range c.verts[:c.n] {
			x[a] = x[a].Add(f.rotation.removed.MulVec(f.pos[v].Sub(f.rotation.center)))
		}
	}
	return x
}
