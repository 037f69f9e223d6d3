package rigid

import "github.com/curlfree/curlfree/r3"

// Derivatives of the free motion of fast trees, whose bias is that of two iterations, (2) to (4) of midpoint.go. With
// v_i = v0, v0 + ½ dv_0, v0 + ½ dv_1, A dv_i = p_i and R_i = A (v⁺ − v0) − p_i, the residual is
//
//	r = (1 − w) R_1 + w (1 − φ) R_0 + w φ R_2                                  (1)
//
// R_i and dv_i change as in (7) and (8) of inverse_dynamics_tangent.go, and the weights by
//
//	c_i = |dv_i − dv_{i−1}|²,   δc_i = 2 (p_i − p_{i−1})ᵀ δ(dv_i − dv_{i−1}) + (dv_i − dv_{i−1})ᵀ δM (dv_i − dv_{i−1})   (2)
//
// in the norm of A, where xᵀ δM x is xᵀ ∂ID at rest without weight with the accelerations x.

// fastTangent is working memory of these.
type fastTangent struct {
	dv    [3][]float64 // δdv_i by each direction, a row of n each (2n × n)
	p     [3][]float64 // p_i
	dc    [3][]float64 // δc_1, δc_2 and the change of the size, by each direction
	x, px []float64
	w     []float64 // acceleration (v⁺ − v0)/h
	out   []float64 // columns of r
}

// resize makes room for trees of up to n dofs.
func (s *fastTangent) resize(n int) {
	for i := range 3 {
		s.dv[i], s.p[i], s.dc[i] = make([]float64, 2*n*n), make([]float64, n), make([]float64, 2*n)
	}
	s.x, s.px, s.w, s.out = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, 2*n*n)
}

// fastTangent adds the derivatives of (1) of a tree of joints with one axis. It is false, and adds nothing, where the
// iteration diverges.
func (d *Data) fastTangent(t int, gravity r3.Vec, vNext, A []float64, s *fastTangent, c columns) bool {
	n, first, hand := len(vNext), d.m.treeStart[t], &d.tangent.hand
	v0 := d.v[first : first+n]
	LD := hand.LD[:n*n]
	copy(LD, A)
	eliminate(LD, n)
	for i := range s.p {
		mulSquare(A, d.gains[i][first:first+n], s.p[i][:n])
	}
	// c_1, c_2 and the size, with their changes
	clear(s.dc[0][:2*n])
	clear(s.dc[1][:2*n])
	clear(s.dc[2][:2*n])
	c1 := d.changeNorm(t, 1, s, n)
	c2 := d.changeNorm(t, 2, s, n)
	size := d.sizeNorm(t, A, s, n)
	ratio := c2 / c1
	phi := 1 / (1 + ratio*ratio*ratio*ratio)
	if !(c1 > 0) || !(phi > 0) {
		return false
	}
	out := s.out[:2*n*n]
	clear(out)
	w := d.secondLook[t]
	for k := range n {
		s.w[k] = (vNext[k] - v0[k]) / d.h
	}
	for i, weight := range [3]float64{w * (1 - phi), 1 - w, w * phi} {
		d.lookTangent(t, i, gravity, A, s, hand, weight, out)
	}
	for dir := range 2 * n {
		// the norms depend on dv, too
		row := [3][]float64{s.dv[0][dir*n:][:n], s.dv[1][dir*n:][:n], s.dv[2][dir*n:][:n]}
		dc1, dc2, dsize := s.dc[0][dir], s.dc[1][dir], s.dc[2][dir]
		for j := range n {
			dc1 += 2 * (s.p[1][j] - s.p[0][j]) * (row[1][j] - row[0][j])
			dc2 += 2 * (s.p[2][j] - s.p[1][j]) * (row[2][j] - row[1][j])
			dsize += 2 * s.p[0][j] * row[0][j]
		}
		dphi := -4 * phi * phi * ratio * ratio * ratio * (dc2 - ratio*dc1) / c1
		dw := 0.0
		if x := (c1/(slowChange*size) - 1) / 3; x < 1 {
			dw = 6 * x * (1 - x) / (3 * slowChange * size) * (dc1 - c1/size*dsize)
		}
		col := c.position(dir%n, n)
		if dir >= n {
			col = c.velocity(dir-n, n)
		}
		for j := range col {
			back := s.p[0][j] - s.p[2][j] // R_2 − R_0
			col[j] += out[dir*n+j] + dw*(s.p[1][j]-s.p[0][j]+phi*back) + w*dphi*back
		}
	}
	return true
}

// changeNorm returns c_i of (2) and sets its changes by M.
func (d *Data) changeNorm(t, i int, s *fastTangent, n int) float64 {
	first, norm := d.m.treeStart[t], 0.0
	for k := range n {
		s.x[k] = d.gains[i][first+k] - d.gains[i-1][first+k]
		norm += s.x[k] * (s.p[i][k] - s.p[i-1][k])
	}
	d.addMassChange(t, s.x[:n], s.dc[i-1])
	return norm
}

// sizeNorm returns |v0|² + |dv_0|² of midpoint.go, and sets its changes by M and v0.
func (d *Data) sizeNorm(t int, A []float64, s *fastTangent, n int) float64 {
	first := d.m.treeStart[t]
	v0, dv := d.v[first:first+n], d.gains[0][first:first+n]
	d.addMassChange(t, v0, s.dc[2])
	d.addMassChange(t, dv, s.dc[2])
	mulSquare(A, v0, s.px[:n])
	size := 0.0
	for k := range n {
		s.px[k] -= d.drivetrain[first+k].mass * v0[k] // without springs and dampers
		s.dc[2][n+k] += 2 * s.px[k]
		size += v0[k]*s.px[k] + dv[k]*s.p[0][k]
	}
	return size
}

// addMassChange adds xᵀ ∂M/∂q_k x to dst.
func (d *Data) addMassChange(t int, x, dst []float64) {
	hand, n := &d.tangent.hand, len(x)
	rest := d.tangent.fast.px[:n]
	clear(rest)
	hand.compute(d, t, r3.Vec{}, rest, x)
	for k := range n {
		for j, y := range x {
			dst[k] += y * hand.dq[j*n+k]
		}
	}
}

// lookTangent sets δdv_i, and adds the change of R_i times a weight.
func (d *Data) lookTangent(t, i int, gravity r3.Vec, A []float64, s *fastTangent, hand *inverseDynamicsTangent, weight float64, out []float64) {
	m, h := d.m, d.h
	first, n := m.treeStart[t], m.treeStart[t+1]-m.treeStart[t]
	v, a := hand.v[:n], s.x[:n]
	for k := range n {
		v[k] = d.v[first+k]
		if i > 0 {
			v[k] += 0.5 * d.gains[i-1][first+k]
		}
	}
	// accelerations: dv_i/h for δdv_i, then those of the step for R_i
	for part := range 2 {
		for k := range n {
			if a[k] = d.gains[i][first+k] / h; part == 1 {
				a[k] = s.w[k]
			}
		}
		hand.compute(d, t, gravity, v, a)
		for dir := range 2 * n {
			k, side := dir%n, dir/n
			stiffness, D := m.drivetrainOf(first+k, h)
			change := s.px[:n]
			by := [2][]float64{hand.dq, hand.dv}[side]
			for j := range n {
				sum := by[j*n+k]
				if i > 0 {
					sum += 0.5 * rowDot(hand.dv[j*n:(j+1)*n], s.dv[i-1][dir*n:][:n])
				}
				change[j] = h * sum
			}
			change[k] += [2]float64{h * stiffness, D}[side]
			if part == 0 {
				for j := range change {
					change[j] = -change[j]
				}
				m.fold(t, change)
				solve(hand.LD[:n*n], change, s.dv[i][dir*n:][:n])
				continue
			}
			for j := range change {
				if side == 1 {
					change[j] -= A[j*n+k]
				}
				out[dir*n+j] += weight * change[j]
			}
		}
	}
}

// mulSquare writes y = A x of a square matrix.
func mulSquare(A, x, y []float64) {
	for i := range y {
		y[i] = rowDot(A[i*len(x):(i+1)*len(x)], x)
	}
}

// rowDot returns xᵀ y.
func rowDot(x, y []float64) float64 {
	s := 0.0
	for i, a := range x {
		s += a * y[i]
	}
	return s
}
