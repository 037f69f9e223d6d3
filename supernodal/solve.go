package supernodal

// Solve overwrites x (rows in order of the graph's nodes) by H⁻¹ x.
func (c *Cholesky) Solve(x []float64) {
	if !c.factored {
		panic("supernodal: Solve without a successful Factor")
	}
	if len(x) != len(c.x) {
		panic("supernodal: right-hand side of the wrong length")
	}
	c.gather(x)
	for k := range c.s.node {
		c.forward(&c.s.node[k])
	}
	for k := len(c.s.node) - 1; k >= 0; k-- {
		c.backward(&c.s.node[k])
	}
	c.scatter(x)
}

// SolveMany overwrites each of the columns of x (n rows, column-major) by H⁻¹
// times it.
func (c *Cholesky) SolveMany(x []float64, columns int) {
	n := len(c.x)
	if len(x) != n*columns {
		panic("supernodal: right-hand sides of the wrong length")
	}
	for j := range columns {
		c.Solve(x[j*n : (j+1)*n])
	}
}

func (c *Cholesky) gather(x []float64) {
	at := 0
	for node, n := range c.g.Size {
		if p := c.s.pos[node]; p >= 0 {
			copy(c.x[c.s.start[p]:], x[at:at+int(n)])
		}
		at += int(n)
	}
}

func (c *Cholesky) scatter(x []float64) {
	at := 0
	for node, n := range c.g.Size {
		if p := c.s.pos[node]; p >= 0 {
			copy(x[at:at+int(n)], c.x[c.s.start[p]:])
		}
		at += int(n)
	}
}

// forward solves L y = x for the columns of one supernode and takes their part
// off the rows below.
func (c *Cholesky) forward(t *supernode) {
	s := &c.s
	f, w := int(t.f), int(t.w)
	x, y := c.x[s.start[t.first]:][:w], c.t[:f-w]
	clear(y)
	for j := range w {
		col := c.l[t.l+j*f:][:f]
		a := x[j] / col[j]
		x[j] = a
		axpy(x[j+1:], a, col[j+1:w])
		axpy(y, a, col[w:])
	}
	for _, r := range s.below[t.below0:t.below1] {
		n := int(s.size[r])
		z := c.x[s.start[r]:][:n]
		for i := range z {
			z[i] += y[i]
		}
		y = y[n:]
	}
}

// axpy computes y −= a x.
func axpy(y []float64, a float64, x []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] -= a * v
	}
}

// backward solves Lᵀ y = x for the columns of one supernode.
func (c *Cholesky) backward(t *supernode) {
	s := &c.s
	f, w := int(t.f), int(t.w)
	x, y := c.x[s.start[t.first]:][:w], c.t[:0]
	for _, r := range s.below[t.below0:t.below1] {
		y = append(y, c.x[s.start[r]:s.start[r+1]]...)
	}
	for j := w - 1; j >= 0; j-- {
		col := c.l[t.l+j*f:][:f]
		a := x[j] - dot(col[w:], y) - dot(col[j+1:w], x[j+1:])
		x[j] = a / col[j]
	}
}

func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1 float64
	i := 0
	for ; i+2 <= len(x); i += 2 {
		s0 += x[i] * y[i]
		s1 += x[i+1] * y[i+1]
	}
	if i < len(x) {
		s0 += x[i] * y[i]
	}
	return s0 + s1
}
