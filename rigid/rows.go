package rigid

import (
	"curlfree/cliques"
	"curlfree/r3"
)

// Rows of Jacobians. The point of a link at p moves with the velocities of all
// joints between the link and the world,
//
//	dir·v(p) = Σ_k dir·(h_v + h_ω×(p − o_k)) v_k                           (1)
//
// (h_ω; h_v) the column of velocity k at the origin o_k of its own link. What
// prescribed joints contribute is known and goes to the bias.

// PointRow adds s·dir·v(p) of the point of a link at p_W to a row of the open
// constraint.
func (d *Data) PointRow(p *cliques.Problem, row, link int, p_W, dir_W r3.Vec, s float64) {
	f := dir_W.Scale(s)
	if b := f.Dot(d.driven[link].shifted(p_W.Sub(d.x_WB[link].P)).v); b != 0 {
		p.AddBias(row, b)
	}
	J := d.row(p, row, link)
	for i := d.m.mover[link]; i != World; i = d.m.above(i) {
		wrench := spatial{v: f}.carried(p_W.Sub(d.x_WB[i].P))
		d.pair(i, wrench, J) // (1)
	}
}

// AngularRow adds s·dir·ω of a link to a row of the open constraint.
func (d *Data) AngularRow(p *cliques.Problem, row, link int, dir_W r3.Vec, s float64) {
	moment := spatial{w: dir_W.Scale(s)}
	if b := moment.dot(d.driven[link]); b != 0 {
		p.AddBias(row, b)
	}
	J := d.row(p, row, link)
	for i := d.m.mover[link]; i != World; i = d.m.above(i) {
		d.pair(i, moment, J)
	}
}

// DofRow adds s·v[dof] to a row of the open constraint.
func (d *Data) DofRow(p *cliques.Problem, row, dof int, s float64) {
	link := d.m.dofs[dof]
	d.row(p, row, link)[dof-d.m.first[d.m.tree[link]]] += s
}

// pair adds what a force at the origin of mover i does along its velocities to a
// tree's row.
func (d *Data) pair(i int, force spatial, J []float64) {
	k, at := d.m.v0[i], d.m.v0[i]-d.m.first[d.m.tree[i]]
	for j := range d.m.nv[i] {
		J[at+j] += force.dot(d.column[k+j])
	}
}

// row returns one row of the open constraint's block on a link's tree, nil when
// the link does not move by velocities.
func (d *Data) row(p *cliques.Problem, row, link int) []float64 {
	t := d.m.tree[link]
	if t < 0 {
		return nil
	}
	n := d.m.first[t+1] - d.m.first[t]
	return p.Block(d.node[t])[row*n : (row+1)*n]
}
