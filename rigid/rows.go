package rigid

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Rows of Jacobians. The point of a link at p moves with the velocities of all
// joints between the link and the world,
//
//	dir·v(p) = Σ_k dir·(h_v + h_ω×(p − o_k)) v_k                           (1)
//
// (h_ω; h_v) the column of velocity k at the origin o_k of its own link. What
// prescribed joints contribute is known and goes to the bias.

// PointRows adds s·R_WCᵀ v(p) of the point of a link at p_W to the first three rows
// of the open constraint.
func (d *Data) PointRows(p *cliques.Problem, link int, p_W *r3.Vec, R_WC *r3.Mat, s float64) {
	m := d.m
	if m.placing[link].driven {
		var r, u r3.Vec
		r.SetSub(p_W, &d.x_WB[link].P)
		u.SetCross(&d.driven[link].w, &r)
		u.IncScale(1, &d.driven[link].v)
		u.SetTMul(R_WC, &u)
		for row := range u {
			p.AddBias(row, s*u[row])
		}
	}
	t := m.tree[link]
	if t < 0 {
		return
	}
	first, n := m.first[t], m.first[t+1]-m.first[t]
	J := p.Block(d.node[t])
	if flier := m.flier[t]; flier != World && m.placing[flier].kind == flying {
		d.flyingRows(J, flier, p_W, R_WC, s)
		return
	}
	for i := m.mover[link]; i != World; i = m.placing[i].above {
		var r, u r3.Vec
		r.SetSub(p_W, &d.x_WB[i].P)
		for j := range m.nv[i] {
			k := m.v0[i] + j
			u.SetCross(&d.column[k].w, &r)
			u.IncScale(1, &d.column[k].v)
			u.SetTMul(R_WC, &u) // (1)
			for row := range u {
				J[row*n+k-first] += s * u[row]
			}
		}
	}
}

// flyingRows is PointRows of what flies: (1) is dir·v_M + (r×dir)·ω, r from M.
func (d *Data) flyingRows(J []float64, flier int, p_W *r3.Vec, R_WC *r3.Mat, s float64) {
	var r r3.Vec
	r.SetSub(p_W, &d.x_WB[flier].P)
	r.SetAdd(&r, &d.p_MB[flier])
	J = J[:18]
	for row := range 3 {
		x, y, z := s*R_WC[row], s*R_WC[3+row], s*R_WC[6+row]
		e := J[6*row : 6*row+6 : 6*row+6]
		e[0] += r[1]*z - r[2]*y
		e[1] += r[2]*x - r[0]*z
		e[2] += r[0]*y - r[1]*x
		e[3] += x
		e[4] += y
		e[5] += z
	}
}

// PointRow adds s·dir·v(p) of the point of a link at p_W to a row of the open
// constraint.
func (d *Data) PointRow(p *cliques.Problem, row, link int, p_W, dir_W r3.Vec, s float64) {
	f := dir_W.Scale(s)
	if b := f.Dot(d.driven[link].shifted(p_W.Sub(d.x_WB[link].P)).v); b != 0 {
		p.AddBias(row, b)
	}
	J := d.row(p, row, link)
	for i := d.m.mover[link]; i != World; i = d.m.placing[i].above {
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
	for i := d.m.mover[link]; i != World; i = d.m.placing[i].above {
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
