package rigid

import "github.com/curlfree/curlfree/r3"

// Jacobian writes the point Jacobian J (6×n, row-major) of a point that is fixed to a placed
// link, at p_W (m): rows of its angular velocity, then of the velocity of the point, world axes.
// columns (NumV) has the column of each velocity of the model, or −1 for one that is left
// out; those of mimic joints are in the columns of their leaders. Equation (1) of rows.go.
func (d *Data) Jacobian(link int, p_W r3.Vec, columns []int, n int, J []float64) {
	clear(J[:6*n])
	for i := d.m.inboard[link]; i != World; i = d.m.placing[i].nextInboard {
		r := p_W.Sub(d.x_WB[i].P)
		for k := d.m.v0[i]; k < d.m.v0[i]+d.m.nv[i]; k++ {
			c := columns[d.m.lead[k]]
			if c < 0 {
				continue
			}
			at := d.subspace[k].shiftMotion(r).scale(d.m.gain[k])
			for row := range 3 {
				J[row*n+c] += at.w[row]
				J[(3+row)*n+c] += at.v[row]
			}
		}
	}
}
