package supernodal

// Refinement of a separator by single moves. A node x that leaves the separator S for
// one side pulls its neighbours on the other side into S, so that the separator's weight
// changes by
//
//	Δ|S| = −s_x + Σ s_y  over the neighbours y of x on the other side          (1)
//
// In a pass the move of least (1) is made again and again, each node leaving at most
// once, also when the separator grows; at the end the pass returns to the best state it
// met. Passes follow each other while they improve.
//
// Breadth-first levels are thick in irregular meshes: there refinement halves the work
// of a factorization; on regular grids it saves 1 %.
//
// Sources: Fiduccia, Mattheyses, "A linear-time heuristic for improving network
// partitions", 1982; for vertex separators Ashcraft, Liu, 1994.

// refiner refines the separator of one part. The sums of (1) are kept for the nodes of the
// separator and updated with each move, so that a move takes time in proportion to the
// nodes of the separator, and that of its neighbours.
type refiner struct {
	// of nodes of the part: lower, upper, separator
	side []uint8
	// of separator nodes: weight of their neighbours on either side
	near   [][2]int32
	locked []bool   // left the separator in this pass
	sep    []int32  // the separator, in no order
	at     []int32  // place of a node there
	weight [3]int32 // by side
	moves  []move   // of this pass
	// nodes that moves pulled in, move after move
	pulled []int32
}

const (
	lower, upper, separator = 0, 1, 2

	passes   = 6  // at most
	maxStall = 60 // moves of a pass without a better state that end it
)

// move is one node that left the separator and those it pulled in.
type move struct {
	node, pulled int32 // its pulled nodes start there
	to           uint8
}

// reset makes room for n nodes.
func (r *refiner) reset(n int) {
	r.side, r.near, r.locked, r.at = resize(r.side, n), resize(r.near, n), resize(r.locked, n), resize(r.at, n)
}

// refine improves the sides of the nodes of one part.
func (r *refiner) refine(d *dissector, nodes []int32) {
	r.sep, r.weight = r.sep[:0], [3]int32{}
	// weights, and the separator
	for _, x := range nodes {
		r.weight[r.side[x]] += d.size[x]
		if r.side[x] == separator {
			r.enter(x)
		}
	}
	for _, x := range r.sep {
		r.sumNeighbors(d, x)
	}
	// passes, until one is in vain
	for range passes {
		for _, x := range nodes {
			r.locked[x] = false
		}
		if !r.pass(d) {
			return
		}
	}
}

// pass makes moves and returns to the best state; it reports whether that is better than
// the first.
func (r *refiner) pass(d *dissector) bool {
	r.moves, r.pulled = r.moves[:0], r.pulled[:0]
	start := r.score()
	best, kept := start, 0
	for len(r.moves) < kept+maxStall {
		x, to := r.choose(d)
		// all are locked, or no side has room
		if x < 0 {
			break
		}
		r.apply(d, x, to)
		// the number of moves that lead to the best state
		if s := r.score(); s < best {
			best, kept = s, len(r.moves)
		}
	}
	for len(r.moves) > kept { // back to the best state
		r.undo(d)
	}
	return best < start
}

// score is lower for a lighter separator, then for better balance.
func (r *refiner) score() float64 {
	total := float64(r.weight[lower] + r.weight[upper] + r.weight[separator])
	return float64(r.weight[separator]) + float64(abs(r.weight[lower]-r.weight[upper]))/(2*total)
}

// abs returns |x|.
func abs(x int32) int32 { return max(x, -x) }

// choose returns the node with the least (1), and the side it goes to; −1 if none may
// move: a side must not get too heavy, unless it is the lighter one.
func (r *refiner) choose(d *dissector) (node int32, to uint8) {
	node = -1
	most := int32(0)
	limit := int32((1 - d.minShare()) * float64(r.weight[lower]+r.weight[upper]+r.weight[separator]))
	// of equal gains the one that balances
	lighter := uint8(lower)
	if r.weight[upper] < r.weight[lower] {
		lighter = upper
	}
	for _, x := range r.sep {
		if r.locked[x] {
			continue
		}
		for _, t := range [2]uint8{lighter, 1 - lighter} {
			// minus (1)
			gain := d.size[x] - r.near[x][1-t]
			if (node < 0 || gain > most) && (t == lighter || r.weight[t]+d.size[x] <= limit) {
				node, to, most = x, t, gain
			}
		}
	}
	return node, to
}

// apply makes a move.
func (r *refiner) apply(d *dissector, x int32, to uint8) {
	r.moves = append(r.moves, move{x, int32(len(r.pulled)), to})
	r.locked[x] = true
	r.leave(d, x, to)
	for _, y := range d.adj[d.ptr[x]:d.ptr[x+1]] {
		// a neighbour on the other side must separate now
		if d.part[y] == d.part[x] && r.side[y] == 1-to {
			r.pulled = append(r.pulled, y)
			r.join(d, y)
		}
	}
}

// undo takes the last move back.
func (r *refiner) undo(d *dissector) {
	m := r.moves[len(r.moves)-1]
	r.moves = r.moves[:len(r.moves)-1]
	for _, y := range r.pulled[m.pulled:] {
		// back to the side they came from
		r.leave(d, y, 1-m.to)
	}
	r.pulled = r.pulled[:m.pulled]
	r.join(d, m.node)
}

// leave moves a node from the separator to a side.
func (r *refiner) leave(d *dissector, x int32, to uint8) {
	// the last one takes its place
	last := r.sep[len(r.sep)-1]
	r.sep[r.at[x]], r.at[last] = last, r.at[x]
	r.sep = r.sep[:len(r.sep)-1]
	r.set(d, x, to)
	// its neighbours in the separator have it on a side now
	r.addToNeighbors(d, x, to, d.size[x])
}

// join moves a node from its side to the separator.
func (r *refiner) join(d *dissector, x int32) {
	r.addToNeighbors(d, x, r.side[x], -d.size[x])
	r.set(d, x, separator)
	r.enter(x)
	r.sumNeighbors(d, x)
}

// set changes the side of a node, and the weights of sides.
func (r *refiner) set(d *dissector, x int32, to uint8) {
	r.weight[r.side[x]] -= d.size[x]
	r.weight[to] += d.size[x]
	r.side[x] = to
}

// enter adds a node to the list of the separator.
func (r *refiner) enter(x int32) {
	r.at[x] = int32(len(r.sep))
	r.sep = append(r.sep, x)
}

// addToNeighbors adds to the weights on a side that the neighbours of x in the separator
// have.
func (r *refiner) addToNeighbors(d *dissector, x int32, side uint8, by int32) {
	for _, y := range d.adj[d.ptr[x]:d.ptr[x+1]] {
		if d.part[y] == d.part[x] && r.side[y] == separator {
			r.near[y][side] += by
		}
	}
}

// sumNeighbors sums the weights around a separator node.
func (r *refiner) sumNeighbors(d *dissector, x int32) {
	r.near[x] = [2]int32{}
	for _, y := range d.adj[d.ptr[x]:d.ptr[x+1]] {
		if d.part[y] == d.part[x] && r.side[y] != separator {
			r.near[x][r.side[y]] += d.size[y]
		}
	}
}
