package supernodal

// Approximate minimum degree (AMD) ordering, a fill-reducing permutation; (1) to (4) are taken in
// amd_eliminate.go. Eliminating
// node p of a graph joins all its neighbours; the one with the fewest neighbours goes
// next. The graph of what is left is kept as a quotient graph, in which an eliminated
// node is an element e with the list L_e of its uneliminated neighbours, and a variable i
// has a list A_i of variables and a list E_i of elements. To eliminate the variable p of
// least degree,
//
//	L_p = (A_p ∪ ⋃_{e ∈ E_p} L_e) \ {p},  the elements in E_p are absorbed   (1)
//	w(e) = |L_e \ L_p|  for all elements e that meet L_p                     (2)
//	A_i ← A_i \ (L_p ∪ {p}),  E_i ← (E_i \ E_p) ∪ {p}   for i in L_p          (3)
//	d_i = min( n − s_i,  d_i + |L_p \ i|,  |A_i| + |L_p \ i| + Σ w(e) )      (4)
//
//	d_i   bound of the degree of i, exact when i has at most two elements
//	s_i   weight of i; |·| is the weight of a set; n that of all variables left
//
// Variables with equal lists are merged, for they would be eliminated one after the
// other (supervariables); variables with no neighbour outside of L_p are eliminated
// together with p (mass elimination).
//
// Beyond the source:
//
//   - degrees are in rows, not nodes: a node of six rows weighs six,
//   - classes: all nodes of class 0 before those of class 1 (constrained ordering, CAMD),
//   - deferred nodes are chosen as if they had deferral rows more around them.
//
// Source: Amestoy, Davis, Duff, "An approximate minimum degree ordering algorithm", SIAM
// J. Matrix Anal. Appl. 17(4), 1996; names and data structures of Davis, "Direct Methods
// for Sparse Linear Systems", SIAM 2006, section 7.1.

// amd orders the nodes of a graph. List i of ci has first elen[i] elements, then
// variables.
type amd struct {
	asker
	// start of each list; the lists. Of a dead object cp is flip(what absorbed it)
	cp, ci []int32
	len    []int32 // length of each list
	// number of elements in it; isElement, isMerged
	elen []int32
	// weight of a variable or element, 0 for what was merged
	nv     []int32
	degree []int32 // d_i of a variable, |L_e| of an element

	head []int32 // first variable of each degree
	hash []int32 // first variable of each hash value
	// links of degree lists, and of hash chains within a step
	next, last []int32

	w           []int32 // mark + w(e) of (2); 0 for dead elements
	mark, lemax int32   // larger than all older w; largest |L_e|

	rank   []int32 // of pivots, by elimination
	pivots int
	seq    []int32 // scratch of the final sort

	cnz         int   // used part of ci
	weight, nel int   // total and eliminated weight
	low         int   // no degree list below has a variable
	now         uint8 // class that is being eliminated
	quotient
}

// quotient is a graph to be ordered: full adjacency without the diagonal and
// without empty nodes.
type quotient struct {
	// rows of each node; a node of size 0 with a list is an element to begin with
	size     []int32
	class    []uint8 // of each node
	deferred []uint8 // 1 for nodes that are deferred
	ptr, adj []int32 // neighbours of each node
	// how many elements come first in each node's list; nil for none
	elements []int32
}

// deferral is worth eight vertices. Refactor computes deferred nodes and all their
// ancestors: with deferral they are eliminated later and fewer nodes are ancestors, for
// little more fill than that of minimum degree alone.
const deferral = 24

// Values of elen for what is not a variable.
const (
	isElement = -2
	isMerged  = -1
)

// flip encodes a node as a negative number, and decodes it.
func flip(i int32) int32 { return -i - 2 }

// order appends the nodes of positive size to dst in order of elimination.
func (a *amd) order(dst []int32, q quotient) []int32 {
	a.quotient = q
	a.setup()
	a.countElements()
	a.clearMarks(0)
	a.now = 0
	a.enlist()
	// until all weight is eliminated
	for n := 0; a.nel < a.weight; n++ {
		if n%256 == 0 {
			a.ask()
		}
		k := a.pop()
		a.eliminate(k)
	}
	return a.sort(dst)
}

// sort appends the nodes by the rank of the pivot they were merged into; those of one
// pivot by number.
func (a *amd) sort(dst []int32) []int32 {
	n := len(a.size)
	a.seq = resize(a.seq, a.pivots+1)
	clear(a.seq)
	// pivot of each node, with path compression
	for i := range n {
		if a.size[i] == 0 {
			continue
		}
		r := int32(i)
		for a.elen[r] == isMerged {
			r = flip(a.cp[r])
		}
		a.rank[i] = a.rank[r]
		for j := int32(i); a.elen[j] == isMerged && j != r; {
			j, a.cp[j] = flip(a.cp[j]), flip(r)
		}
		a.seq[a.rank[i]+1]++
	}
	// counting sort
	base := len(dst)
	for k := range a.pivots {
		a.seq[k+1] += a.seq[k]
	}
	for i := range n {
		if a.size[i] > 0 {
			dst = append(dst, 0)
		}
	}
	for i := range n {
		if a.size[i] > 0 {
			dst[base+int(a.seq[a.rank[i]])] = int32(i)
			a.seq[a.rank[i]]++
		}
	}
	return dst
}

// setup makes lists and degrees of the graph: every node is a variable, whose neighbours
// are in its list, but for nodes of size 0, which are elements, or empty.
func (a *amd) setup() {
	size, ptr, adj := a.size, a.ptr, a.adj
	n := len(size)
	a.weight = 0
	for _, s := range size {
		a.weight += int(s)
	}
	for _, s := range []*[]int32{&a.cp, &a.len, &a.elen, &a.nv, &a.degree, &a.next, &a.last, &a.hash, &a.w, &a.rank} {
		*s = resize(*s, n)
	}
	// degrees are at most the total weight, keys more by the deferral
	a.head = resize(a.head, a.weight+1+deferral)
	a.cnz = len(adj)
	a.ci = resize(a.ci, a.cnz+a.cnz/2+4*n) // room for new elements
	copy(a.ci, adj)
	fill(a.head, -1)
	fill(a.hash, -1)
	a.mark, a.lemax = 0, 0
	a.nel, a.low, a.pivots = 0, 0, 0
	for i := range n {
		a.cp[i], a.len[i] = ptr[i], ptr[i+1]-ptr[i]
		a.next[i], a.last[i], a.w[i], a.elen[i] = -1, -1, 1, 0
		a.nv[i] = size[i]
		// degree: weight of the neighbours
		d := int32(0)
		for _, j := range adj[ptr[i]:ptr[i+1]] {
			d += size[j]
		}
		a.degree[i] = d
		if size[i] > 0 {
			continue
		}
		// an element, dead when its list is empty
		a.elen[i] = isElement
		if a.lemax = max(a.lemax, d); d == 0 {
			a.cp[i], a.w[i] = -1, 0
		}
	}
}

// countElements adds |L_e \ i| of the initial elements to the degrees of variables.
func (a *amd) countElements() {
	size := a.size
	for i, n := range a.elements {
		a.elen[i] = n
		d := int(a.degree[i])
		for _, e := range a.ci[a.cp[i] : a.cp[i]+n] {
			d += int(a.degree[e] - size[i])
		}
		// no more than all others
		a.degree[i] = int32(min(d, a.weight-int(size[i])))
	}
}

// key returns the degree by which a variable is chosen.
func (a *amd) key(i int32) int32 { return a.degree[i] + deferral*int32(a.deferred[i]) }

// enlist puts the live variables of the current class into the degree lists.
func (a *amd) enlist() {
	a.low = 0
	for i := len(a.nv) - 1; i >= 0; i-- {
		if a.nv[i] > 0 && a.elen[i] >= 0 && a.class[i] == a.now {
			a.push(int32(i))
		}
	}
}

// push adds a variable to the list of its degree.
func (a *amd) push(i int32) {
	d := a.key(i)
	if h := a.head[d]; h != -1 {
		a.last[h] = i
	}
	a.next[i], a.last[i] = a.head[d], -1
	a.head[d] = i
	a.low = min(a.low, int(d))
}

// unlink takes a variable off the list of its degree.
func (a *amd) unlink(i int32) {
	if a.next[i] != -1 {
		a.last[a.next[i]] = a.last[i]
	}
	if a.last[i] != -1 {
		a.next[a.last[i]] = a.next[i]
	} else {
		a.head[a.key(i)] = a.next[i]
	}
}

// pop removes a variable of least degree of the lowest class left.
func (a *amd) pop() int32 {
	for {
		for ; a.low < len(a.head); a.low++ {
			if k := a.head[a.low]; k != -1 {
				if a.next[k] != -1 {
					a.last[a.next[k]] = -1
				}
				a.head[a.low] = a.next[k]
				return k
			}
		}
		// none of this class is left: the next
		a.now++
		a.enlist()
	}
}

// clearMarks makes mark larger than all of w.
func (a *amd) clearMarks(step int32) {
	a.mark += step
	if a.mark < 2 || a.mark > 1<<30-a.lemax { // start again before it overflows
		for i := range a.w {
			if a.w[i] != 0 {
				a.w[i] = 1
			}
		}
		a.mark = 2
	}
}

// collect removes dead lists from ci (garbage collection).
func (a *amd) collect() {
	for j := range a.cp {
		if p := a.cp[j]; p >= 0 { // live: its first entry moves to cp, and is marked
			if a.len[j] == 0 {
				continue
			}
			a.cp[j] = a.ci[p]
			a.ci[p] = flip(int32(j))
		}
	}
	// live lists move down, in order; their first entries come back from cp
	q := 0
	for p := 0; p < a.cnz; {
		j := flip(a.ci[p])
		p++
		if j < 0 {
			continue
		}
		a.ci[q] = a.cp[j]
		a.cp[j] = int32(q)
		q++
		for range a.len[j] - 1 {
			a.ci[q] = a.ci[p]
			q++
			p++
		}
	}
	a.cnz = q
}
