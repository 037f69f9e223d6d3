package supernodal

import "fmt"

// Solution of H x = b by the factors, front by front. Forward, up the tree, front s
// with L11 and L21 computes
//
//	z1 = b1 + Σ (z2 of children),  y1 = L11⁻¹ z1,  z2 = Σ (z2 of children) − L21 y1    (1)
//
// and hands z2, the change of the right-hand side in the rows below, to its parent, like
// a contribution block: subtrees are independent and sums have one order. Backward, down
// the tree,
//
//	x1 = L11⁻ᵀ (y1 − L21ᵀ x2)                                                          (2)

// Solve overwrites x (rows in order of the graph's nodes) by H⁻¹ x. It panics without a
// successful Factor, and when x has the wrong length.
func (c *Cholesky) Solve(x []float64) {
	if !c.factored {
		panic("supernodal: Solve without a successful Factor")
	}
	// forward, up the tree
	c.gather(x)
	c.runTasks(forward)
	for _, k := range c.s.top {
		c.forward(k)
	}
	c.backwardAll(x)
}

// backwardAll solves backward, down the tree, and writes the solution to x.
func (c *Cholesky) backwardAll(x []float64) {
	for i := len(c.s.top) - 1; i >= 0; i-- {
		c.backward(c.s.top[i])
	}
	c.runTasks(backward)
	c.scatter(x)
}

// gather copies x to the order of elimination. It panics when x has the wrong length.
func (c *Cholesky) gather(x []float64) {
	if len(x) != len(c.x) {
		panic(fmt.Sprintf("supernodal: right-hand side of %d rows for a matrix of %d", len(x), len(c.x)))
	}
	for node, n := range c.g.Size {
		if p := c.s.pos[node]; p >= 0 {
			at := c.s.start[p]
			put(c.x[at:at+n], x)
		}
		x = x[n:]
	}
}

// scatter copies the solution back to the order of the graph.
func (c *Cholesky) scatter(x []float64) {
	for node, n := range c.g.Size {
		if p := c.s.pos[node]; p >= 0 {
			put(x[:n], c.x[c.s.start[p]:])
		}
		x = x[n:]
	}
}

// put is copy for a few numbers, mostly three: a call of copy takes longer.
func put(dst, src []float64) {
	if len(dst) == 3 {
		d, s := (*[3]float64)(dst), (*[3]float64)(src)
		d[0], d[1], d[2] = s[0], s[1], s[2]
		return
	}
	copy(dst, src)
}

// Both are bound by memory: each entry of L is read once for one multiplication. So they
// read panels by columns, in groups that keep their part of the vector in registers.

// solveBlock is how many columns of a diagonal block are solved for at once, by
// kernels; other columns take part by axpys and dots, in groups of that many.
var solveBlock = [...]int{portable: 3, avx2: 8, avx512: 8}

// forward does (1) for supernode k.
func (c *Cholesky) forward(k int32) {
	s := c.s
	t := &s.node[k]
	f, w := int(t.f), int(t.w)
	p, z := c.l[t.l:t.l+f*w], c.z[t.z:][:f]
	inv := c.inv[s.start[t.first]:][:w]
	// assemble: own rows, then the children's
	copy(z, c.x[s.start[t.first]:][:w])
	clear(z[w:])
	for _, ch := range s.child[t.child0:t.child1] {
		// z2 of the child, to its rows here
		b := &s.node[ch]
		y := c.z[b.z+int(b.w):][:b.f-b.w]
		for _, r := range s.runs[b.run0:b.run1] {
			add(z[r.dst:], y[r.src:r.src+r.n])
		}
	}
	width := solveBlock[active]
	for j := 0; j < w; j += width {
		e := min(j+width, w)
		// triangle
		if e-j == 8 {
			forward8((*[8]float64)(z[j:]), (*[8]float64)(inv[j:]), p[j*f+j:], f)
		} else {
			for i := j; i < e; i++ {
				x := z[i] * inv[i]
				z[i] = x
				axpy(z[i+1:e], x, p[i*f+i+1:i*f+e])
			}
		}
		// rows below it
		if e < f {
			axpys(z[e:], p[j*f+e:], f, z[j:e])
		}
	}
}

// backward does (2) for supernode k.
func (c *Cholesky) backward(k int32) {
	s := c.s
	t := &s.node[k]
	f, w := int(t.f), int(t.w)
	p, z := c.l[t.l:t.l+f*w], c.z[t.z:][:f]
	inv := c.inv[s.start[t.first]:][:w]
	// x2
	at := w
	for _, r := range s.below[t.below0:t.below1] {
		n := int(s.size[r])
		put(z[at:at+n], c.x[s.start[r]:])
		at += n
	}
	// blocks of columns from the last
	width := solveBlock[active]
	for e := w; e > 0; {
		j := (e - 1) / width * width
		// y − L21ᵀ x2
		if e < f {
			dots(z[j:e], p[j*f+e:], f, z[e:])
		}
		if e-j == 8 {
			backward8((*[8]float64)(z[j:]), (*[8]float64)(inv[j:]), p[j*f+j:], f)
			e = j
			continue
		}
		for i := e - 1; i >= j; i-- {
			// a block of fewer than eight columns
			x := z[i]
			for q, l := range p[i*f+i+1 : i*f+e] {
				x -= l * z[i+1+q]
			}
			z[i] = x * inv[i]
		}
		e = j
	}
	copy(c.x[s.start[t.first]:], z[:w])
}
