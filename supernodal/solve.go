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

// forward solves L y = x for the columns of one supernode, three at a time, and
// takes their part off the rows below.
func (c *Cholesky) forward(t *supernode) {
	s := c.s
	f, w := int(t.f), int(t.w)
	p := c.l[t.l : t.l+f*w]
	x, y := c.x[s.start[t.first]:][:w], c.t[:f-w]
	clear(y)
	j := 0
	for ; j+3 <= w; j += 3 {
		a0, a1, a2 := p[j*f:][:f], p[(j+1)*f:][:f], p[(j+2)*f:][:f]
		u := x[j] / a0[j]
		v := (x[j+1] - u*a0[j+1]) / a1[j+1]
		z := (x[j+2] - u*a0[j+2] - v*a1[j+2]) / a2[j+2]
		x[j], x[j+1], x[j+2] = u, v, z
		strip13(x[j+3:], a0[j+3:w], a1[j+3:w], a2[j+3:w], u, v, z)
		strip13(y, a0[w:], a1[w:], a2[w:], u, v, z)
	}
	for ; j < w; j++ {
		a := p[j*f:][:f]
		x[j] /= a[j]
		axpy(x[j+1:], x[j], a[j+1:w])
		axpy(y, x[j], a[w:])
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

// backward solves Lᵀ y = x for the columns of one supernode.
func (c *Cholesky) backward(t *supernode) {
	s := c.s
	f, w := int(t.f), int(t.w)
	p := c.l[t.l : t.l+f*w]
	x, y := c.x[s.start[t.first]:][:w], c.t[:f-w]
	at := 0
	for _, r := range s.below[t.below0:t.below1] {
		at += copy(y[at:], c.x[s.start[r]:s.start[r+1]])
	}
	j := w
	for ; j%3 != 0; j-- {
		a := p[(j-1)*f:][:f]
		x[j-1] = (x[j-1] - dot(a[w:], y) - dot(a[j:w], x[j:])) / a[j-1]
	}
	for j -= 3; j >= 0; j -= 3 {
		a0, a1, a2 := p[j*f:][:f], p[(j+1)*f:][:f], p[(j+2)*f:][:f]
		u, v, z := dot3(a0[w:], a1[w:], a2[w:], y)
		u2, v2, z2 := dot3(a0[j+3:w], a1[j+3:w], a2[j+3:w], x[j+3:])
		x2 := (x[j+2] - z - z2) / a2[j+2]
		x1 := (x[j+1] - v - v2 - a1[j+2]*x2) / a1[j+1]
		x0 := (x[j] - u - u2 - a0[j+1]*x1 - a0[j+2]*x2) / a0[j]
		x[j], x[j+1], x[j+2] = x0, x1, x2
	}
}
