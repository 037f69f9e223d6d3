package supernodal

// refiner makes the separator of a part lighter by moving nodes out of it, best
// first, each pulling its neighbours on the far side in; a pass goes on through
// worse states and returns to the best it saw (Fiduccia, Mattheyses 1982, in the
// form for vertex separators of Ashcraft, Liu 1994). Levels of a breadth-first
// search are thick in irregular meshes: there this halves the work of a
// factorization; of regular grids it takes 1 %.
type refiner struct {
	side   []uint8    // of nodes of the part: lower, upper, separator
	near   [][2]int32 // of separator nodes: weight of neighbours on either side
	locked []bool     // moved in this pass
	sep    []int32    // the separator, in no order
	at     []int32    // place of a node there
	weight [3]int32   // by side
	moves  []move
	pulled []int32 // by all moves
}

const (
	lower, upper, separator = 0, 1, 2

	passes   = 6
	patience = 60 // moves in a pass without a better state
)

// move is one node that left the separator and those it pulled in.
type move struct {
	node, pulled int32 // its pulled nodes start there
	to           uint8
}

func (r *refiner) reset(n int) {
	r.side, r.near, r.locked, r.at = resize(r.side, n), resize(r.near, n), resize(r.locked, n), resize(r.at, n)
}

// refine improves the sides of the nodes of one part.
func (r *refiner) refine(d *dissector, nodes []int32) {
	r.sep, r.weight = r.sep[:0], [3]int32{}
	for _, x := range nodes {
		r.weight[r.side[x]] += d.size[x]
		if r.side[x] == separator {
			r.enter(x)
		}
	}
	for _, x := range r.sep {
		r.survey(d, x)
	}
	for range passes {
		for _, x := range nodes {
			r.locked[x] = false
		}
		if !r.pass(d) {
			return
		}
	}
}

// pass reports whether it found something better.
func (r *refiner) pass(d *dissector) bool {
	r.moves, r.pulled = r.moves[:0], r.pulled[:0]
	start := r.score()
	best, kept := start, 0
	for len(r.moves) < kept+patience {
		x, to := r.choose(d)
		if x < 0 {
			break
		}
		r.apply(d, x, to)
		if s := r.score(); s < best {
			best, kept = s, len(r.moves)
		}
	}
	for len(r.moves) > kept {
		r.undo(d)
	}
	return best < start
}

// score is lower for a lighter separator, then for better balance.
func (r *refiner) score() float64 {
	total := float64(r.weight[lower] + r.weight[upper] + r.weight[separator])
	return float64(r.weight[separator]) + float64(abs(r.weight[lower]-r.weight[upper]))/(2*total)
}

func abs(x int32) int32 { return max(x, -x) }

// choose returns the node whose leaving the separator gains most, and where it
// goes, −1 if none may move: a side must not get too heavy.
func (r *refiner) choose(d *dissector) (node int32, to uint8) {
	node = -1
	most := int32(0)
	limit := int32((1 - d.middle()) * float64(r.weight[lower]+r.weight[upper]+r.weight[separator]))
	lighter := uint8(lower)
	if r.weight[upper] < r.weight[lower] {
		lighter = upper
	}
	for _, x := range r.sep {
		if r.locked[x] {
			continue
		}
		for _, t := range [2]uint8{lighter, 1 - lighter} {
			gain := d.size[x] - r.near[x][1-t]
			if (node < 0 || gain > most) && (t == lighter || r.weight[t]+d.size[x] <= limit) {
				node, to, most = x, t, gain
			}
		}
	}
	return node, to
}

func (r *refiner) apply(d *dissector, x int32, to uint8) {
	r.moves = append(r.moves, move{x, int32(len(r.pulled)), to})
	r.locked[x] = true
	r.leave(d, x, to)
	for _, y := range d.adj[d.ptr[x]:d.ptr[x+1]] {
		if d.part[y] == d.part[x] && r.side[y] == 1-to {
			r.pulled = append(r.pulled, y)
			r.join(d, y)
		}
	}
}

func (r *refiner) undo(d *dissector) {
	m := r.moves[len(r.moves)-1]
	r.moves = r.moves[:len(r.moves)-1]
	for _, y := range r.pulled[m.pulled:] {
		r.leave(d, y, 1-m.to)
	}
	r.pulled = r.pulled[:m.pulled]
	r.join(d, m.node)
}

// leave moves a node from the separator to a side, join the other way.
func (r *refiner) leave(d *dissector, x int32, to uint8) {
	last := r.sep[len(r.sep)-1]
	r.sep[r.at[x]], r.at[last] = last, r.at[x]
	r.sep = r.sep[:len(r.sep)-1]
	r.set(d, x, to)
	r.tell(d, x, to, d.size[x])
}

func (r *refiner) join(d *dissector, x int32) {
	r.tell(d, x, r.side[x], -d.size[x])
	r.set(d, x, separator)
	r.enter(x)
	r.survey(d, x)
}

func (r *refiner) set(d *dissector, x int32, to uint8) {
	r.weight[r.side[x]] -= d.size[x]
	r.weight[to] += d.size[x]
	r.side[x] = to
}

func (r *refiner) enter(x int32) {
	r.at[x] = int32(len(r.sep))
	r.sep = append(r.sep, x)
}

// tell changes what the separator's nodes know of their neighbour x.
func (r *refiner) tell(d *dissector, x int32, side uint8, by int32) {
	for _, y := range d.adj[d.ptr[x]:d.ptr[x+1]] {
		if d.part[y] == d.part[x] && r.side[y] == separator {
			r.near[y][side] += by
		}
	}
}

// survey sums the weights around a separator node.
func (r *refiner) survey(d *dissector, x int32) {
	r.near[x] = [2]int32{}
	for _, y := range d.adj[d.ptr[x]:d.ptr[x+1]] {
		if d.part[y] == d.part[x] && r.side[y] != separator {
			r.near[x][r.side[y]] += d.size[y]
		}
	}
}
