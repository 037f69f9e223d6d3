package supernodal

// grasp is a pair of FinRay fingers of 1,000 vertices each, five layers deep: a
// triangle of two walls and eight ribs. An object of six rows touches 60 vertices
// of each on the outer wall; a hand of nine rows grips them at the root. It has
// the size, fronts and fill of a typical gripper scene.
func grasp() *Graph {
	const long, deep, ribs, rib = 42, 5, 8, 4
	const wall = 2 * long * deep
	const n = 2*wall + ribs*rib*deep
	g := new(Graph)
	class := func(v int) uint8 { // the wall's outer layer
		if v < long*deep && v/deep >= 14 && v/deep < 26 {
			return 1
		}
		return 0
	}
	for range 2 {
		for v := range n {
			g.AddNode(3, class(v))
		}
	}
	object := g.AddNode(6, 1)
	hand := g.AddNode(9, 0)
	for k := range 2 {
		base := k * n
		gridEdges(g, base, 2, long, deep)
		gridEdges(g, base+wall, 2, long, deep)
		for i := range ribs {
			at := base + 2*wall + i*rib*deep
			gridEdges(g, at, 1, rib, deep)
			row := (4 + i*5) * deep // of the walls, where the rib ends
			for d := range deep {
				for e := max(0, d-1); e <= min(deep-1, d+1); e++ {
					for side, end := range []int{at + d, at + (rib-1)*deep + d} {
						inner := base + side*wall + long*deep*(1-side) + row + e
						g.AddEdge(end, inner)
						g.AddEdge(end, inner+deep)
					}
				}
			}
		}
		for d := range deep { // the walls meet at the tip, the hand grips the root
			for e := range deep {
				g.AddEdge(base+long*deep-1-d, base+wall+long*deep-1-e)
			}
			for layer := range 4 {
				g.AddEdge(hand, base+layer*long*deep+d)
			}
		}
		for v := range n {
			if class(v) == 1 {
				g.AddEdge(object, base+v)
			}
		}
	}
	g.Pack()
	return g
}
