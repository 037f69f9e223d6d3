package fem

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Data is the scratch of stepping one body. It holds nothing that the next step
// depends on: Place and FreeMotion rebuild it from the state.
type Data struct {
	model *Model
	pos   []r3.Vec // vertices, as placed, m
	first cliques.Node

	free   freeMotion
	newton *newton // of a nonlinear law
}

// NewData returns the scratch of one stepper, placed at rest.
func (m *Model) NewData() *Data {
	d := &Data{
		model: m,
		pos:   append([]r3.Vec(nil), m.spec.Mesh.Verts...),
	}
	d.free.init(m)
	if m.class == Nonlinear {
		d.newton = new(newton)
		d.newton.init(&d.free)
	}
	return d
}

// Model returns the body.
func (d *Data) Model() *Model { return d.model }

// Place reads the positions x of all vertices (3·NumVerts, m), for Positions,
// TriangleActive and the reports.
func (d *Data) Place(x []float64) { load(d.pos, x) }

// Positions returns the vertices as placed, in world; valid until the next
// Place.
func (d *Data) Positions() []r3.Vec { return d.pos }

// TriangleActive tells whether the tet of a boundary triangle has kept its orientation as
// placed. What is inside out should make no contact, so that it can recover.
func (d *Data) TriangleActive(tri int32) bool {
	return d.model.elements[d.model.owner[tri]].sixVolumes(d.pos) > 0
}

// PointRow adds s·dir_W·Σ w_i v(vert_i) to a row of the open constraint, the
// body's clique being in p already. Fixed vertices add nothing.
func (d *Data) PointRow(p *cliques.Problem, row int, vert []int32, w []float64, dir_W r3.Vec, s float64) {
	for i, v := range vert {
		n := d.model.node[v]
		if n < 0 {
			continue
		}
		J := p.Block(d.first + cliques.Node(n))[3*row : 3*row+3]
		sw := s * w[i]
		J[0] += sw * dir_W[0]
		J[1] += sw * dir_W[1]
		J[2] += sw * dir_W[2]
	}
}

// Advance takes the step: v becomes vNext, the velocities of the body's nodes
// (Dofs), and x moves by h·v. Fixed vertices stay where they are, at rest.
func (d *Data) Advance(h float64, vNext, x, v []float64) {
	for i, n := range d.model.node {
		u := v[3*i : 3*i+3]
		if n < 0 {
			clear(u)
			continue
		}
		copy(u, vNext[3*n:3*n+3])
		for k, s := range u {
			x[3*i+k] += h * s
		}
	}
}

// load unpacks a flat vector.
func load(dst []r3.Vec, x []float64) {
	for i := range dst {
		dst[i] = r3.Vec(x[3*i : 3*i+3])
	}
}
