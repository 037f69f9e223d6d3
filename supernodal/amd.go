package supernodal

// amd orders the nodes of a graph so that eliminating them one by one creates
// little fill: approximate minimum degree on the quotient graph (Amestoy, Davis,
// Duff, "An approximate minimum degree ordering algorithm", SIAM J. Matrix Anal.
// Appl. 17(4), 1996; data structures after Davis, "Direct Methods for Sparse
// Linear Systems", SIAM 2006, section 7.1), with
//
//   - degrees in rows, not nodes: a node of six rows weighs six,
//   - classes: all nodes of class 0 before those of class 1 (CAMD),
//   - nodes that are put off: they come as if they had putOff rows more around them.
//
// In the quotient graph an eliminated node is an element, standing for the
// clique of its uneliminated neighbours. List i of ci holds first elen[i]
// elements, then variables. Nodes of equal lists merge into supervariables:
// nv[i] is the weight of a variable or element, 0 for what was merged.
type amd struct {
	cp, ci           []int32 // lists; for a dead object cp is flip(what took it in)
	len, elen        []int32
	nv, degree       []int32
	next, last       []int32 // degree lists, and hash chains within a step
	head, hash       []int32
	w                []int32
	rank             []int32 // of pivots by elimination
	mark, lemax      int32
	cnz              int   // used part of ci
	weight, nel, low int   // total weight, eliminated weight, smallest degree
	now              uint8 // class that is eliminated
	pivots           int
	seq              []int32
	quotient
}

// quotient is a graph to be ordered: full adjacency without the diagonal and
// without empty nodes.
type quotient struct {
	size     []int32 // rows of each node; a node of size 0 with a list is an element to begin with
	class    []uint8 // of each node
	late     []uint8 // 1 for nodes that are put off
	ptr, adj []int32
	elements []int32 // how many elements come first in each node's list; nil for none
}

// putOff is worth eight vertices. Refactor computes late nodes and all that follow
// them: less than with minimum degree alone, when they come late, for little more
// fill.
const putOff = 24

// key returns the degree by which a variable is chosen.
func (a *amd) key(i int32) int32 { return a.degree[i] + putOff*int32(a.late[i]) }

const (
	isElement = -2
	isMerged  = -1
)

func flip(i int32) int32 { return -i - 2 }

// order appends the nodes of positive size to dst in order of elimination.
func (a *amd) order(dst []int32, q quotient) []int32 {
	a.quotient = q
	a.setup()
	a.begin()
	a.clearMarks(0)
	a.now = 0
	a.enlist()
	size := a.size
	n := len(size)
	for a.nel < a.weight {
		k := a.pop()
		a.eliminate(k)
	}
	// principal variable of each node, then a counting sort by elimination
	a.seq = resize(a.seq, a.pivots+1)
	clear(a.seq)
	for i := range n {
		if size[i] == 0 {
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
	for k := range a.pivots {
		a.seq[k+1] += a.seq[k]
	}
	base := len(dst)
	for i := range n {
		if size[i] > 0 {
			dst = append(dst, 0)
		}
	}
	for i := range n {
		if size[i] > 0 {
			dst[base+int(a.seq[a.rank[i]])] = int32(i)
			a.seq[a.rank[i]]++
		}
	}
	return dst
}

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
	a.head = resize(a.head, a.weight+1+putOff)
	a.cnz = len(adj)
	a.ci = resize(a.ci, a.cnz+a.cnz/2+4*n)
	copy(a.ci, adj)
	fill(a.head, -1)
	fill(a.hash, -1)
	a.mark, a.lemax = 0, 0
	a.nel, a.low, a.pivots = 0, 0, 0
	for i := range n {
		a.cp[i], a.len[i] = ptr[i], ptr[i+1]-ptr[i]
		a.next[i], a.last[i], a.w[i], a.elen[i] = -1, -1, 1, 0
		a.nv[i] = size[i]
		d := int32(0)
		for _, j := range adj[ptr[i]:ptr[i+1]] {
			d += size[j]
		}
		a.degree[i] = d
		if size[i] > 0 {
			continue
		}
		a.elen[i] = isElement
		if a.lemax = max(a.lemax, d); d == 0 {
			a.cp[i], a.w[i] = -1, 0
		}
	}
}

// begin counts what elements add to the degrees of variables.
func (a *amd) begin() {
	size := a.size
	for i, n := range a.elements {
		a.elen[i] = n
		d := int(a.degree[i])
		for _, e := range a.ci[a.cp[i] : a.cp[i]+n] {
			d += int(a.degree[e] - size[i])
		}
		a.degree[i] = int32(min(d, a.weight-int(size[i])))
	}
}

// enlist puts the live variables of the current class into the degree lists.
func (a *amd) enlist() {
	a.low = 0
	for i := len(a.nv) - 1; i >= 0; i-- {
		if a.nv[i] > 0 && a.elen[i] >= 0 && a.class[i] == a.now {
			a.push(int32(i))
		}
	}
}

func (a *amd) push(i int32) {
	d := a.key(i)
	if h := a.head[d]; h != -1 {
		a.last[h] = i
	}
	a.next[i], a.last[i] = a.head[d], -1
	a.head[d] = i
	a.low = min(a.low, int(d))
}

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
		a.now++
		a.enlist()
	}
}

// clearMarks makes mark larger than all of w.
func (a *amd) clearMarks(step int32) {
	a.mark += step
	if a.mark < 2 || a.mark > 1<<30-a.lemax {
		for i := range a.w {
			if a.w[i] != 0 {
				a.w[i] = 1
			}
		}
		a.mark = 2
	}
}

func (a *amd) eliminate(k int32) {
	a.rank[k] = int32(a.pivots)
	a.pivots++
	nvk := a.nv[k]
	a.nel += int(nvk)
	if a.elen[k] > 0 && a.cnz+a.low >= len(a.ci) {
		a.collect()
	}
	dk := a.newElement(k)
	pk1, pk2 := a.cp[k], a.cp[k]+a.len[k]
	a.clearMarks(0)
	// weights of L_e \ L_k for all elements e that meet L_k
	for _, i := range a.ci[pk1:pk2] {
		nvi := -a.nv[i]
		for _, e := range a.ci[a.cp[i] : a.cp[i]+a.elen[i]] {
			if a.w[e] >= a.mark {
				a.w[e] -= nvi
			} else if a.w[e] != 0 {
				a.w[e] = a.degree[e] + a.mark - nvi
			}
		}
	}
	for _, i := range a.ci[pk1:pk2] {
		if a.prune(i, k) { // eliminated together with k
			nvi := -a.nv[i]
			dk -= nvi
			nvk += nvi
			a.nel += int(nvi)
			a.nv[i], a.elen[i], a.cp[i] = 0, isMerged, flip(k)
		}
	}
	a.degree[k] = dk
	a.lemax = max(a.lemax, dk)
	a.clearMarks(a.lemax)
	for _, i := range a.ci[pk1:pk2] {
		if a.nv[i] < 0 {
			a.merge(i)
		}
	}
	// final degrees, and L_k without what was merged
	p := pk1
	for pk := pk1; pk < pk2; pk++ {
		i := a.ci[pk]
		nvi := -a.nv[i]
		if nvi <= 0 {
			continue
		}
		a.nv[i] = nvi
		d := min(int(a.degree[i])+int(dk-nvi), a.weight-a.nel-int(nvi))
		a.degree[i] = int32(d)
		if a.class[i] == a.now {
			a.push(i)
		}
		a.ci[p] = i
		p++
	}
	a.nv[k] = nvk
	if a.len[k] = p - pk1; a.len[k] == 0 {
		a.cp[k], a.w[k] = -1, 0
	}
	if int(pk2) == a.cnz { // the element was built at the end
		a.cnz = int(p)
	}
}

// newElement turns variable k into an element with L_k = union of its lists,
// takes the members out of the degree lists, marks them by negative nv, and
// returns the weight of L_k. Absorbed elements die.
func (a *amd) newElement(k int32) (dk int32) {
	elenk := a.elen[k]
	p := a.cp[k]
	a.nv[k] = -a.nv[k]
	pk1 := int32(a.cnz)
	if elenk == 0 {
		pk1 = p // in place
	}
	pk2 := pk1
	for t := int32(0); t <= elenk; t++ {
		e, pj, ln := k, p+elenk, a.len[k]-elenk
		if t < elenk {
			e = a.ci[p+t]
			pj, ln = a.cp[e], a.len[e]
		}
		for _, i := range a.ci[pj : pj+ln] {
			nvi := a.nv[i]
			if nvi <= 0 {
				continue
			}
			dk += nvi
			a.nv[i] = -nvi
			a.ci[pk2] = i
			pk2++
			if a.class[i] == a.now {
				a.unlink(i)
			}
		}
		if e != k {
			a.cp[e], a.w[e] = flip(k), 0
		}
	}
	if elenk != 0 {
		a.cnz = int(pk2)
	}
	a.degree[k], a.cp[k], a.len[k], a.elen[k] = dk, pk1, pk2-pk1, isElement
	return dk
}

// prune removes from i's lists what element k covers, bounds its degree without
// k and puts it on a hash chain. It reports whether i has no neighbour but k and
// so may be eliminated with it.
func (a *amd) prune(i, k int32) bool {
	p1 := a.cp[i]
	p2 := p1 + a.elen[i]
	p4 := p1 + a.len[i]
	pn, d, h := p1, int32(0), uint32(0)
	for p := p1; p < p2; p++ {
		e := a.ci[p]
		if a.w[e] == 0 {
			continue
		}
		if dext := a.w[e] - a.mark; dext > 0 {
			d += dext
			a.ci[pn] = e
			pn++
			h += uint32(e)
		} else { // L_e ⊆ L_k: absorbed
			a.cp[e], a.w[e] = flip(k), 0
		}
	}
	p3 := pn
	for p := p2; p < p4; p++ {
		j := a.ci[p]
		if a.nv[j] <= 0 {
			continue
		}
		d += a.nv[j]
		a.ci[pn] = j
		pn++
		h += uint32(j)
	}
	if d == 0 && a.class[i] == a.now {
		return true
	}
	a.elen[i] = p3 - p1 + 1
	a.degree[i] = min(a.degree[i], d)
	a.ci[pn] = a.ci[p3]
	a.ci[p3] = a.ci[p1]
	a.ci[p1] = k
	a.len[i] = pn - p1 + 1
	h %= uint32(len(a.hash))
	a.next[i], a.last[i] = a.hash[h], int32(h)
	a.hash[h] = i
	return false
}

// merge joins the variables of i's hash chain that cannot be told apart.
func (a *amd) merge(i int32) {
	h := a.last[i]
	i = a.hash[h]
	a.hash[h] = -1
	for ; i != -1 && a.next[i] != -1; i = a.next[i] {
		ln, eln := a.len[i], a.elen[i]
		for _, j := range a.ci[a.cp[i]+1 : a.cp[i]+ln] {
			a.w[j] = a.mark
		}
		prev := i
		for j := a.next[i]; j != -1; {
			same := a.len[j] == ln && a.elen[j] == eln && a.class[j] == a.class[i] && a.late[j] == a.late[i]
			if same {
				for _, x := range a.ci[a.cp[j]+1 : a.cp[j]+ln] {
					if a.w[x] != a.mark {
						same = false
						break
					}
				}
			}
			if same {
				a.cp[j] = flip(i)
				a.nv[i] += a.nv[j]
				a.nv[j], a.elen[j] = 0, isMerged
				j = a.next[j]
				a.next[prev] = j
			} else {
				prev, j = j, a.next[j]
			}
		}
		a.mark++
	}
}

// collect squeezes dead lists out of ci.
func (a *amd) collect() {
	for j := range a.cp {
		if p := a.cp[j]; p >= 0 { // live: its first entry moves to cp, marked
			if a.len[j] == 0 {
				continue
			}
			a.cp[j] = a.ci[p]
			a.ci[p] = flip(int32(j))
		}
	}
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
