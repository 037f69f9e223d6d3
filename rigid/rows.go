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
// (h_ω; h_v) the column of H of velocity k at the origin o_k of its link. The velocity that
// prescribed joints cause is known and goes to the bias of the row. Columns of mimic joints are added to those of their
// leaders, (2) of mimic.go. Points are given in the placed poses; under the midpoint rule rows are those of the middle
// of the step, see MiddlePoint.

// PointRows adds s·R_WCᵀ v(p) of the material point of a link at p_W (m) to the first three
// rows of the open constraint, the first two at the offset o_W (m) from it: v(p + o) = v(p) + ω×o.
func (d *Data) PointRows(p *cliques.Problem, link int, p_W *r3.Vec, R_WC *r3.Mat, o_W *r3.Vec, s float64) {
	m := d.m
	d, at := d.rowsOf(link, p_W)
	// the known velocity
	if m.placing[link].prescribed {
		var r, u r3.Vec
		r.SetSub(&at, &d.x_WB[link].P)
		u.SetCross(&d.prescribedVel[link].w, &r)
		u.IncScale(1, &d.prescribedVel[link].v)
		addTangent(&u, &d.prescribedVel[link].w, o_W, R_WC)
		for row := range u {
			p.AddBias(row, s*u[row])
		}
	}
	t := m.tree[link]
	if t < 0 {
		return
	}
	// the part of the tree's velocities
	first, n := m.treeStart[t], m.treeStart[t+1]-m.treeStart[t]
	J := p.Block(d.node[t])
	if single := m.singleBody[t]; single != World && m.placing[single].kind == freeFloating {
		d.floatingRows(J, single, &at, R_WC, o_W, s)
		return
	}
	for i := m.inboard[link]; i != World; i = m.placing[i].nextInboard {
		var r, u r3.Vec
		r.SetSub(&at, &d.x_WB[i].P)
		for j := range m.nv[i] {
			k := m.v0[i] + j
			u.SetCross(&d.subspace[k].w, &r)
			u.IncScale(1, &d.subspace[k].v)
			addTangent(&u, &d.subspace[k].w, o_W, R_WC) // (1)
			c, s := m.lead[k]-first, s*m.gain[k]
			for row := range u {
				J[row*n+c] += s * u[row]
			}
		}
	}
}

// addTangent turns the velocity u of a point into the axes R_WC, the first two components at the offset o_W from it on
// a body that turns at w.
func addTangent(u, w, o_W *r3.Vec, R_WC *r3.Mat) {
	u.SetTMul(R_WC, u)
	if *o_W == (r3.Vec{}) {
		return
	}
	var t r3.Vec
	t.SetCross(w, o_W)
	t.SetTMul(R_WC, &t)
	u[0], u[1] = u[0]+t[0], u[1]+t[1]
}

// floatingRows is PointRows of a single floating body, whose block has six columns: (1) is
// dir·v_M + (r×dir)·ω with r from M.
func (d *Data) floatingRows(J []float64, single int, p_W *r3.Vec, R_WC *r3.Mat, o_W *r3.Vec, s float64) {
	var lever, r r3.Vec
	lever.SetSub(p_W, &d.x_WB[single].P)
	lever.SetAdd(&lever, &d.p_MB[single])
	r.SetAdd(&lever, o_W)
	J = J[:18]
	for row := range 3 {
		if row == 2 {
			r = lever
		}
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

// PointRow adds s·dir·v(p) of the material point of a link at p_W (m) to a row of the open
// constraint.
func (d *Data) PointRow(p *cliques.Problem, row, link int, p_W, dir_W r3.Vec, s float64) {
	d, p_W = d.rowsOf(link, &p_W)
	f := dir_W.Scale(s)
	if b := f.Dot(d.prescribedVel[link].shiftMotion(p_W.Sub(d.x_WB[link].P)).v); b != 0 {
		p.AddBias(row, b)
	}
	J := d.row(p, row, link)
	for i := d.m.inboard[link]; i != World; i = d.m.placing[i].nextInboard {
		wrench := spatial{v: f}.shiftForce(p_W.Sub(d.x_WB[i].P))
		d.addWrenchRow(i, wrench, J) // (1)
	}
}

// AngularRow adds s·dir·ω of a link's angular velocity to a row of the open constraint.
func (d *Data) AngularRow(p *cliques.Problem, row, link int, dir_W r3.Vec, s float64) {
	d, _ = d.rowsOf(link, &r3.Vec{})
	moment := spatial{w: dir_W.Scale(s)}
	if b := moment.dot(d.prescribedVel[link]); b != 0 {
		p.AddBias(row, b)
	}
	J := d.row(p, row, link)
	for i := d.m.inboard[link]; i != World; i = d.m.placing[i].nextInboard {
		d.addWrenchRow(i, moment, J)
	}
}

// DofRow adds s·v[dof] to a row of the open constraint.
func (d *Data) DofRow(p *cliques.Problem, row, dof int, s float64) {
	link := d.m.dofs[dof]
	d.row(p, row, link)[d.m.lead[dof]-d.m.treeStart[d.m.tree[link]]] += s * d.m.gain[dof]
}

// addWrenchRow adds Hᵀ f of a force f at the origin of link i to the entries of its joint's
// velocities in a row J of its tree.
func (d *Data) addWrenchRow(i int, force spatial, J []float64) {
	v0, first := d.m.v0[i], d.m.treeStart[d.m.tree[i]]
	for k := v0; k < v0+d.m.nv[i]; k++ {
		J[d.m.lead[k]-first] += d.m.gain[k] * force.dot(d.subspace[k])
	}
}

// row returns one row of the open constraint's block on a link's tree, nil for a link that
// no velocity moves.
func (d *Data) row(p *cliques.Problem, row, link int) []float64 {
	t := d.m.tree[link]
	if t < 0 {
		return nil
	}
	n := d.m.treeStart[t+1] - d.m.treeStart[t]
	return p.Block(d.node[t])[row*n : (row+1)*n]
}
