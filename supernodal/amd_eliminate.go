package supernodal

// One elimination on the quotient graph, by the equations (1) to (4) of amd.go:
//
//	newElement      (1), the members leave the degree lists
//	weighElements   (2)
//	prune           (3) and the sums of (4); mass elimination
//	merge           supervariables
//	finish          (4), the members return to the degree lists
//
// Sets are lists with marks: the weight nv of a member of L_k is negative while k is
// eliminated, and w[e] − mark is the weight of L_e \ L_k.
//
// A variable stands for all that were merged into it: its weight nv is their number, and the lists
// of the graph shrink as elimination continues, so that memory is never more than that of the input.

// eliminate eliminates variable k, which has left the degree lists.
func (a *amd) eliminate(k int32) {
	a.rank[k] = int32(a.pivots)
	a.pivots++
	nvk := a.nv[k]
	a.nel += int(nvk)
	if a.elen[k] > 0 && a.cnz+a.low >= len(a.ci) { // no room for L_k
		a.collect()
	}
	// (1): L_k, of weight dk
	dk := a.newElement(k)
	pk1, pk2 := a.cp[k], a.cp[k]+a.len[k]
	a.clearMarks(0)
	// (2)
	a.weighElements(pk1, pk2)
	// (3) and (4), and mass elimination
	for _, i := range a.ci[pk1:pk2] {
		if a.prune(i, k) {
			// weights of members of L_k are negative until finish
			nvi := -a.nv[i]
			dk -= nvi
			nvk += nvi
			a.nel += int(nvi)
			a.nv[i], a.elen[i], a.cp[i] = 0, isMerged, flip(k)
		}
	}
	a.degree[k] = dk
	a.lemax = max(a.lemax, dk)
	// supervariables
	a.clearMarks(a.lemax)
	for _, i := range a.ci[pk1:pk2] {
		if a.nv[i] < 0 {
			a.merge(i)
		}
	}
	a.finish(k, dk, nvk)
}

// weighElements computes (2) for the members of L_k = ci[pk1:pk2], as w[e] − mark.
func (a *amd) weighElements(pk1, pk2 int32) {
	for _, i := range a.ci[pk1:pk2] {
		// weight of i, which is marked as a member of L_k
		nvi := -a.nv[i]
		for _, e := range a.ci[a.cp[i] : a.cp[i]+a.elen[i]] {
			if a.w[e] >= a.mark { // seen before
				a.w[e] -= nvi
			} else if a.w[e] != 0 {
				a.w[e] = a.degree[e] + a.mark - nvi
			}
		}
	}
}

// finish sets the degrees of L_k's members, puts them back into the degree lists, and
// removes from L_k what was merged.
func (a *amd) finish(k, dk, nvk int32) {
	pk1, pk2 := a.cp[k], a.cp[k]+a.len[k]
	p := pk1
	for pk := pk1; pk < pk2; pk++ {
		i := a.ci[pk]
		// merged ones have weight 0
		nvi := -a.nv[i]
		if nvi <= 0 {
			continue
		}
		a.nv[i] = nvi
		// the last two bounds of (4)
		d := min(int(a.degree[i])+int(dk-nvi), a.weight-a.nel-int(nvi))
		a.degree[i] = int32(d)
		if a.class[i] == a.now {
			a.push(i)
		}
		// keep it
		a.ci[p] = i
		p++
	}
	a.nv[k] = nvk
	if a.len[k] = p - pk1; a.len[k] == 0 {
		a.cp[k], a.w[k] = -1, 0
	}
	if int(pk2) == a.cnz { // the element was built at the end: give the rest back
		a.cnz = int(p)
	}
}

// newElement turns variable k into an element with L_k of (1), takes the members out
// of the degree lists, marks them by negative nv, and returns the weight of L_k.
// Absorbed elements are removed.
func (a *amd) newElement(k int32) (dk int32) {
	elenk := a.elen[k]
	p := a.cp[k]
	a.nv[k] = -a.nv[k]
	// built at the end of ci, or in place when k has no elements
	pk1 := int32(a.cnz)
	if elenk == 0 {
		pk1 = p // in place
	}
	pk2 := pk1
	for t := int32(0); t <= elenk; t++ { // the elements of k, then its own variables
		e, pj, ln := k, p+elenk, a.len[k]-elenk
		if t < elenk {
			e = a.ci[p+t]
			pj, ln = a.cp[e], a.len[e]
		}
		for _, i := range a.ci[pj : pj+ln] {
			// dead, or in L_k already
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
		// the elements of k are absorbed
		if e != k {
			a.cp[e], a.w[e] = flip(k), 0
		}
	}
	if elenk != 0 {
		a.cnz = int(pk2)
	}
	// k is an element now
	a.degree[k], a.cp[k], a.len[k], a.elen[k] = dk, pk1, pk2-pk1, isElement
	return dk
}

// prune removes from i's lists what element k covers (3), sums the terms of (4) without
// |L_k| and puts i on a hash chain. It reports whether i has no neighbour outside of L_k
// and so may be eliminated with k.
func (a *amd) prune(i, k int32) bool {
	p1 := a.cp[i]
	p2 := p1 + a.elen[i]
	p4 := p1 + a.len[i]
	pn, d, h := p1, int32(0), uint32(0)
	// elements
	for p := p1; p < p2; p++ {
		e := a.ci[p]
		// absorbed before
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
	// variables
	p3 := pn
	for p := p2; p < p4; p++ {
		j := a.ci[p]
		// in L_k, or merged
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
	// k becomes the first element
	a.elen[i] = p3 - p1 + 1
	a.degree[i] = min(a.degree[i], d)
	// the first variable makes room for the first element, and this for k
	a.ci[pn] = a.ci[p3]
	a.ci[p3] = a.ci[p1]
	a.ci[p1] = k
	a.len[i] = pn - p1 + 1
	// hash of the lists: equal lists have equal sums
	h %= uint32(len(a.hash))
	a.next[i], a.last[i] = a.hash[h], int32(h)
	a.hash[h] = i
	return false
}

// merge joins the variables of i's hash chain whose lists are equal.
func (a *amd) merge(i int32) {
	h := a.last[i]
	i = a.hash[h]
	a.hash[h] = -1
	for ; i != -1 && a.next[i] != -1; i = a.next[i] {
		// mark the lists of i, but for k, which all have in common
		ln, eln := a.len[i], a.elen[i]
		for _, j := range a.ci[a.cp[i]+1 : a.cp[i]+ln] {
			a.w[j] = a.mark
		}
		prev := i
		for j := a.next[i]; j != -1; {
			if !a.isSame(i, j, ln, eln) {
				prev, j = j, a.next[j]
				continue
			}
			// j is merged into i
			a.cp[j] = flip(i)
			a.nv[i] += a.nv[j]
			a.nv[j], a.elen[j] = 0, isMerged
			j = a.next[j]
			a.next[prev] = j
		}
		// marks of i are void
		a.mark++
	}
}

// isSame reports whether j has the class and lists of i, whose entries are marked.
func (a *amd) isSame(i, j, ln, eln int32) bool {
	if a.len[j] != ln || a.elen[j] != eln || a.class[j] != a.class[i] || a.deferred[j] != a.deferred[i] {
		return false
	}
	for _, x := range a.ci[a.cp[j]+1 : a.cp[j]+ln] {
		if a.w[x] != a.mark {
			return false
		}
	}
	return true
}
