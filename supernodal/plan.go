package supernodal

// Tasks are cut so that a few workers finish together without many fronts left
// to the serial top of the tree.
const (
	minTask  = 100e3 // ns: below this a task is not worth waking a worker
	maxTasks = 24.0  // a task is at most this part of all work
)

// task is a range of supernodes that consists of whole subtrees.
type task struct{ lo, hi int32 }

// plan lays out panels and contribution blocks and cuts the tree into tasks.
//
// Contribution blocks live on two stacks by parity of depth: while a front is
// assembled its children's blocks end one stack and its own grows on the other,
// so nothing is ever moved. Every task has its own pair. Blocks that pass from a
// task to the top, or from supernodes that Refactor skips to those it computes,
// have places of their own.
func (s *symbolic) plan() {
	s.works()
	s.cut()
	depth := s.scratch(0, len(s.node))
	s.lSize, s.cbSize, s.flops = 0, 0, 0
	for k := len(s.node) - 1; k >= 0; k-- {
		if p := s.node[k].parent; p != -1 {
			depth[k] = depth[p] + 1
		} else {
			depth[k] = 0
		}
	}
	for k := range s.node {
		t := &s.node[k]
		t.l = s.lSize
		s.lSize += int(t.w) * int(t.f)
		s.flops += frontFlops(float64(t.w), float64(t.f))
		if t.parent != -1 && !t.dirty && s.node[t.parent].dirty {
			t.keep = true
		}
		if t.keep {
			t.cb = s.cbSize
			s.cbSize += t.update()
		}
	}
	for _, t := range s.tasks {
		s.stack.reset()
		for k := t.lo; k < t.hi; k++ {
			s.stack.place(s, k, depth)
		}
		for k := t.lo; k < t.hi; k++ {
			s.stack.settle(s, k, depth)
		}
		s.cbSize += s.stack.peak[0] + s.stack.peak[1]
	}
	s.stack.reset()
	for _, k := range s.top {
		s.stack.place(s, k, depth)
	}
	for _, k := range s.top {
		s.stack.settle(s, k, depth)
	}
	s.cbSize += s.stack.peak[0] + s.stack.peak[1]
}

// update returns the floats of the contribution block.
func (t *supernode) update() int {
	m := int(t.f - t.w)
	return m * m
}

func (s *symbolic) works() {
	for k := range s.node {
		t := &s.node[k]
		t.work = frontCost(float64(t.w), float64(t.f))
		t.subtreeWork = t.work
		for _, c := range s.child[t.child0:t.child1] {
			t.subtreeWork += s.node[c].subtreeWork
		}
	}
}

// cut makes tasks of the largest subtrees that are small enough, neighbours
// joined while they are tiny; the rest is the top.
func (s *symbolic) cut() {
	s.tasks, s.top = s.tasks[:0], s.top[:0]
	total := 0.0
	for k := range s.node {
		total += s.node[k].work
	}
	limit := max(total/maxTasks, minTask)
	open, sum := false, 0.0
	for k := range s.node {
		t := &s.node[k]
		small := total > 2*minTask && t.subtreeWork <= limit
		root := small && (t.parent == -1 || s.subtree(t.parent) > limit)
		switch {
		case root:
			t.keep = true
			if !open || sum+t.subtreeWork > limit {
				s.tasks = append(s.tasks, task{t.subtreeFirst, int32(k) + 1})
				sum = 0
			}
			s.tasks[len(s.tasks)-1].hi = int32(k) + 1
			sum += t.subtreeWork
			open = true
		case !small:
			s.top = append(s.top, int32(k))
			open = false
		}
	}
}

func (s *symbolic) subtree(k int32) float64 { return s.node[k].subtreeWork }

// stacks simulates the pair of stacks of one task.
type stacks struct{ top, peak [2]int }

func (a *stacks) reset() { *a = stacks{} }

// place pushes supernode k's block, relative to its stack, and pops its
// children's.
func (a *stacks) place(s *symbolic, k int32, depth []int32) {
	t, d := &s.node[k], depth[k]&1
	if !t.keep {
		t.cb = a.top[d]
		a.top[d] += t.update()
		a.peak[d] = max(a.peak[d], a.top[d])
	}
	for _, c := range s.child[t.child0:t.child1] {
		if u := &s.node[c]; !u.keep {
			a.top[1-d] -= u.update()
		}
	}
}

// settle makes the place of k's block absolute.
func (a *stacks) settle(s *symbolic, k int32, depth []int32) {
	t := &s.node[k]
	if t.keep {
		return
	}
	t.cb += s.cbSize
	if depth[k]&1 == 1 {
		t.cb += a.peak[0]
	}
}
