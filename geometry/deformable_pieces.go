package geometry

// What a cutter did to a triangle, piece by piece, so that it can be taken back: deformable_clip_adjoint.go.

// noFacet stands for pieces that are cut by levels of the linear distance, not along creases.
const noFacet = -1

// piece is a polygon that a cutter added to a part.
type piece struct {
	// of the sub-triangle that it was cut from
	corners [3]sample
	// at its centroid
	middle sample
	// the corner whose tangent is the field there, and the side of cutCrease; or noFacet
	facet int
	side  float64
	// arguments of cutter.add
	overlap bool
	share   float64
	// number of the part
	part int
}

// pieces are those of the last triangle. Methods of nil do nothing.
type pieces struct {
	list []piece
	// of the piece to come
	corners [3]sample
	facet   int
	side    float64
	// some were cut at points that a search found
	searched bool
}

// reset forgets all pieces.
func (p *pieces) reset() {
	if p != nil {
		p.list, p.searched = p.list[:0], false
	}
}

// follow notes that pieces to come are cut at a point that a search found.
func (p *pieces) follow() {
	if p != nil {
		p.searched = true
	}
}

// begin notes from which sub-triangle the pieces to come are cut.
func (p *pieces) begin(a, b, d *sample, facet int, side float64) {
	if p != nil {
		p.corners, p.facet, p.side = [3]sample{*a, *b, *d}, facet, side
	}
}

// note notes a piece that is added to a part.
func (p *pieces) note(c *cutter, into *part, middle *sample, overlap bool, share float64) {
	if p == nil {
		return
	}
	x := piece{corners: p.corners, middle: *middle, facet: p.facet, side: p.side, overlap: overlap, share: share}
	for i := range c.parts {
		if &c.parts[i] == into {
			x.part = i
		}
	}
	p.list = append(p.list, x)
}
