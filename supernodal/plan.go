package supernodal

import (
	"cmp"
	"slices"
)

// Memory and tasks. Supernodes are eliminated in postorder, children before parents, and
// whole subtrees may be eliminated at the same time.
//
// Contribution blocks are stored on two stacks by parity of depth: while a front is
// assembled its children's blocks end one stack and its own grows on the other,
// so that no block is ever moved. Each worker has such a pair. Blocks that pass from a
// task to the top of the tree, or from supernodes that Refactor does not compute to those
// that it computes, have places of their own before the stacks.
//
//	l    panels, in order of supernodes; they stay, as L
//	cb   kept blocks │ stacks of worker 0, even and odd │ stacks of worker 1 │ …
//	z    one vector of f rows a front, for solutions

const (
	// minSaving is the time, ns, that a cut into tasks must save to be worth waking
	// workers.
	minSaving = 50e3
	// tasksPer is the number of tasks per worker that small subtrees are joined into:
	// enough for workers to finish at about the same time.
	tasksPer = 4.0
)

// task is a range of supernodes that consists of whole subtrees.
type task struct {
	lo, hi int32
	work   float64 // predicted time, ns
}

// plan lays out panels and contribution blocks and cuts the tree into tasks for
// a number of workers.
func (s *symbolic) plan(workers int) {
	s.predictWork()
	s.cut(float64(workers))
	depth := s.depths()
	s.layoutPanels()
	s.cbStack = 0
	// stacks that any task, or the top, fits into
	for _, t := range s.tasks {
		s.seq = s.seq[:0]
		for k := t.lo; k < t.hi; k++ {
			s.seq = append(s.seq, k)
		}
		s.layoutStacks(s.seq, depth)
	}
	s.layoutStacks(s.top, depth)
	s.workers = workers
	if len(s.tasks) == 0 {
		s.workers = 1
	}
	s.cbSize = s.cbKeep + s.workers*s.cbStack
}

// depths returns the depth of each supernode in its tree.
func (s *symbolic) depths() []int32 {
	depth := s.temp(0, len(s.node))
	for k := len(s.node) - 1; k >= 0; k-- {
		depth[k] = 0
		if p := s.node[k].parent; p != -1 {
			depth[k] = depth[p] + 1
		}
	}
	return depth
}

// layoutPanels places panels, parts of right-hand sides and contribution blocks that are
// kept, and sums the predicted work.
func (s *symbolic) layoutPanels() {
	s.lSize, s.zSize, s.cbKeep, s.flops, s.cost, s.recost = 0, 0, 0, 0, 0, 0
	for k := range s.node {
		t := &s.node[k]
		// panel, as a part of L
		t.l = s.lSize
		s.lSize += int(t.w) * int(t.f)
		// right-hand side
		t.z = s.zSize
		s.zSize += int(t.f)
		// predicted work
		s.flops += frontFlops(float64(t.w), float64(t.f))
		s.cost += t.work
		if t.refactored {
			s.recost += expectedRefactors * t.work
		}
		// between parts that Refactor computes and does not compute
		if t.parent != -1 && !t.refactored && s.node[t.parent].refactored {
			t.keep = true
		}
		if t.keep {
			t.cb = s.cbKeep
			s.cbKeep += t.update()
		}
	}
}

// update returns the floats of the contribution block.
func (t *supernode) update() int {
	m := int(t.f - t.w)
	return m * m
}

// predictWork predicts the time of fronts and subtrees.
func (s *symbolic) predictWork() {
	for k := range s.node {
		t := &s.node[k]
		t.work = frontCost(float64(t.w), float64(t.f))
		t.subtreeWork = t.work
		for _, c := range s.child[t.child0:t.child1] {
			t.subtreeWork += s.node[c].subtreeWork
		}
	}
}

// cut finds the top of the tree whose removal leaves subtrees that workers share
// best: supernodes enter it in order of falling subtree work, and the predicted
// time is that of the top plus the larger of the largest subtree left and a
// worker's even share (after Geist, Ng, "Task scheduling for parallel sparse
// Cholesky factorization", 1989).
func (s *symbolic) cut(workers float64) {
	s.tasks, s.top = s.tasks[:0], s.top[:0]
	total := 0.0
	// total work of the tree
	for k := range s.node {
		total += s.node[k].work
	}
	limit := 0.0 // subtrees up to this become tasks
	if workers > 1 {
		limit = s.limit(workers, total)
	}
	sum := 0.0
	for k := range s.node {
		t := &s.node[k]
		if t.subtreeWork > limit {
			// too large for one task
			s.top = append(s.top, int32(k))
			continue
		}
		sum += t.work
		// the root of a task's subtree: the top reads its contribution
		t.keep = t.parent == -1 || s.node[t.parent].subtreeWork > limit
	}
	s.joinTasks(limit, sum/(tasksPer*workers))
}

// joinTasks makes tasks of the subtrees up to a limit of work, neighbours joined up to a
// share, and sorts them, large ones first.
func (s *symbolic) joinTasks(limit, share float64) {
	last := int32(-1)
	for k := range s.node {
		t := &s.node[k]
		if t.subtreeWork > limit || !t.keep {
			continue
		}
		n := len(s.tasks) - 1
		// a new task, unless the subtree follows the last one and fits
		if n < 0 || last != t.subtreeFirst || s.tasks[n].work+t.subtreeWork > share {
			s.tasks = append(s.tasks, task{lo: t.subtreeFirst})
			n++
		}
		s.tasks[n].hi = int32(k) + 1
		s.tasks[n].work += t.subtreeWork
		last = int32(k) + 1
	}
	slices.SortStableFunc(s.tasks, func(a, b task) int { return cmp.Compare(b.work, a.work) })
}

// limit returns the work of the largest subtree that stays a task, 0 for none.
func (s *symbolic) limit(workers, total float64) float64 {
	// by falling work; ties by number
	s.falling = s.falling[:0]
	for k := range s.node {
		s.falling = append(s.falling, int32(k))
	}
	slices.SortFunc(s.falling, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.node[b].subtreeWork, s.node[a].subtreeWork), cmp.Compare(a, b))
	})
	limit, best, top := 0.0, total-minSaving, 0.0
	for i, k := range s.falling {
		t := &s.node[k]
		// subtrees of equal work enter together
		if i == 0 || t.subtreeWork < s.node[s.falling[i-1]].subtreeWork {
			if time := top + max(t.subtreeWork, (total-top)/workers); time < best {
				best, limit = time, t.subtreeWork
			}
		}
		if top += t.work; top > best { // no cut further down is better
			break
		}
	}
	return limit
}

// layoutStacks places the blocks of supernodes eliminated in sequence by one worker,
// relative to its stacks, and widens the stacks to fit them.
func (s *symbolic) layoutStacks(seq, depth []int32) {
	var top, peak [2]int
	for _, k := range seq {
		// the stack of a block is that of its parity of depth
		t, d := &s.node[k], depth[k]&1
		if !t.keep {
			t.cb = top[d]
			top[d] += t.update()
			peak[d] = max(peak[d], top[d])
		}
		for _, c := range s.child[t.child0:t.child1] { // theirs are free now
			if u := &s.node[c]; !u.keep {
				top[1-d] -= u.update()
			}
		}
	}
	for _, k := range seq { // the second stack lies behind the first
		if t := &s.node[k]; !t.keep && depth[k]&1 == 1 {
			t.cb += peak[0]
		}
	}
	s.cbStack = max(s.cbStack, peak[0]+peak[1])
}
