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
	c.runTasks(forward)
	for _, k := range c.s.top {
		c.forward(k)
	}
	for i := len(c.s.top) - 1; i >= 0; i-- {
		c.backward(c.s.top[i])
	}
	c.runTasks(backward)
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

// forward solves L y = x for the columns of supernode k, three at a time, and
// hands what they take off the rows below to the parent, like a contribution
// block: so that subtrees are independent and sums have one order.
func (c *Cholesky) forward(k int32) {
	s := c.s
	t := &s.node[k]
	f, w := int(t.f), int(t.w)
	p := c.l[t.l : t.l+f*w]
	x, y := c.x[s.start[t.first]:][:w], c.y[t.y:][:f-w]
	clear(y)
	for _, ch := range s.child[t.child0:t.child1] {
		b := &s.node[ch]
		z := c.y[b.y:][:b.f-b.w]
		for _, r := range s.runs[b.run0:b.run1] {
			if int(r.dst) < w {
				add(x[r.dst:], z[r.src:r.src+r.n])
			} else {
				add(y[int(r.dst)-w:], z[r.src:r.src+r.n])
			}
		}
	}
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
}

// backward solves Lᵀ y = x for the columns of supernode k.
func (c *Cholesky) backward(k int32) {
	s := c.s
	t := &s.node[k]
	f, w := int(t.f), int(t.w)
	p := c.l[t.l : t.l+f*w]
	x, y := c.x[s.start[t.first]:][:w], c.y[t.y:][:f-w]
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
