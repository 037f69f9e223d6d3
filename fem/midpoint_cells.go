package fem

import "github.com/curlfree/curlfree/r3"

// Further passes of the midpoint rule over elements with one frame. In place of strains, (2) of midpoint.go is of the
// displacements u of the nodes in the frame: with y = Rᵀ(x − x̄) at start, middle and end,
//
//	u = R½ᵀ(y − ȳ) − (X − X̄) + s,  s = ½ (y0 + y1) − y½,                       (1)
//
// and the correction q of element_cell.go is that of the mean ½ (y0 + y1) with the stretch ½ (U0 + U1). So forces do
// the work of ½ uᵀK0u but for terms of θ² Δu: with R1 = R½ exp(a), R0 = R½ exp(−a) the work of K0u on the nodes exceeds
// it by 2 a·m, which that of q takes away.

// middleCell computes one element.
func (f *elementPass) middleCell(i int) {
	c := &f.model.cells[i]
	R, middle, F := f.cellAt(i, f.middle)
	R0, mean, F0 := f.cellAt(i, f.pos)
	R1, end, F1 := f.cellAt(i, f.frames)
	f.kept[i] = F
	for a := range c.n {
		mean[a] = mean[a].Add(end[a]).Scale(0.5)
	}
	U := R0.T().Mul(F0).Add(R1.T().Mul(F1)).Scale(0.5)
	s := R.Mul(U).Sub(F)
	f.shift[i] = symmetricIn(&R, &s)
	I := r3.Identity()
	q, _ := c.correction(&mean, &U, &I)
	// u of (1) at the positions strain
	x := c.at(f.strain)
	var u [cellNodes]r3.Vec
	c.displacements(&u, &x, &R)
	for a := range c.n {
		u[a] = u[a].Add(mean[a]).Sub(middle[a])
	}
	f.spreadCell(i, &R, q, &u)
	c.turnBlocks((*[cellBlocks]r3.Mat)(f.stiff[cellBlocks*i:]), &R)
}

// cellAt returns the frame R of element i at the positions x of the vertices, Rᵀ(x − x̄) of its nodes and its gradient.
func (f *elementPass) cellAt(i int, x []r3.Vec) (R r3.Mat, y [cellNodes]r3.Vec, F r3.Mat) {
	c := &f.model.cells[i]
	at := c.at(x)
	F = c.gradient(&at)
	R = r3.Polar(F)
	c.turnBack(&y, &at, &R)
	return R, y, F
}
