package sim

// Colours of vertices for the products of adjoint_vertices.go (graph colouring): no term of the problem acts on two
// vertices of a colour.

import (
	"slices"

	"github.com/curlfree/curlfree/cliques"
)

// color lists the vertices on which terms of the problem act, and colours them: no term acts on two of a colour.
func (l *Linearization) color() {
	t := &l.vertices
	l.listTouched()
	// one colour after the other takes what vertices it can, in their order
	t.taken = sized32(t.taken, len(l.s.Problem.Constraints))
	for i := range t.taken {
		t.taken[i] = -1
	}
	t.colors = 0
	for left := len(t.touched); left > 0; t.colors++ {
		for i := range t.touched {
			terms := t.terms[t.first[i]:t.first[i+1]]
			if t.touched[i].color >= 0 || slices.ContainsFunc(terms, func(c int32) bool { return t.taken[c] == t.colors }) {
				continue
			}
			t.touched[i].color = t.colors
			for _, c := range terms {
				t.taken[c] = t.colors
			}
			left--
		}
	}
}

// listTouched lists the vertices on which terms act, and the terms of each.
func (l *Linearization) listTouched() {
	p, t := &l.s.Problem, &l.vertices
	_, joints := l.s.Model.RigidSize()
	t.of = sized32(t.of, len(l.v))
	for i := range t.of {
		t.of[i] = -1
	}
	// how many terms each has, at its place
	for c := range p.Constraints {
		for _, b := range p.Blocks(cliques.Handle(c)) {
			if at := p.NodeOffset[b.Node]; at >= joints {
				t.of[at] = max(t.of[at], 0) + 1
			}
		}
	}
	// in the order of the state; terms begin where those of the vertex before end
	t.touched, t.first = t.touched[:0], append(t.first[:0], 0)
	for i := joints; i < len(l.place); i += 3 {
		if at := l.place[i]; at >= 0 && t.of[at] >= 0 {
			n := t.first[len(t.touched)]
			t.first = append(t.first, n+t.of[at])
			t.of[at] = int32(len(t.touched))
			t.touched = append(t.touched, touchedVertex{entry: int32(i), place: int32(at), color: -1, next: n})
		}
	}
	t.terms = sized32(t.terms, int(t.first[len(t.touched)]))
	for c := range p.Constraints {
		for _, b := range p.Blocks(cliques.Handle(c)) {
			if at := p.NodeOffset[b.Node]; at >= joints {
				v := &t.touched[t.of[at]]
				t.terms[v.next] = int32(c)
				v.next++
			}
		}
	}
}

// sized32 returns x with length n.
func sized32(x []int32, n int) []int32 {
	if cap(x) < n {
		return make([]int32, n)
	}
	return x[:n]
}
