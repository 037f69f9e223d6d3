package fem

// How well the hexahedra and wedges of a wall one element thick bend. In pure bending of
// curvature κ, with t along the wall, q across it, s beside both and p, n, w the coordinates along
// t, q, s, a bar has
//
//	u = κ [p n t − ½ (p² + ν (n² − w²)) q − ν n w s],   U = ½ E κ² ∫ n² dV.              (1)
//
// A hexahedron whose nodes move by u stores U if it is a parallelepiped, and more if its cross
// sections are not parallel (trapezoidal locking; MacNeal, Finite Elements: Their Design and
// Performance, 1994); wedges store several times U. The share of the bending that an element has
// is U over what it stores, and that of the walls is the mean over their elements by volume, for
// these bend one after the other. Where two are across a wall, their mean strains carry three
// quarters of the bending, so that their own share hardly counts.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// bendingRatio is Poisson's ratio of the comparison: near ½ (1) is no good field for a distorted
// element, whose nodes would change its volume.
const bendingRatio = 0.3

// leastWalls is the share of a body's volume that walls one element thick need to have, lest a few
// elements at corners stand for the whole.
const leastWalls = 0.25

// bendingShare returns the share of their bending that walls one element thick have; 1 without
// such walls.
func (m cellSet) bendingShare() float64 {
	outside := map[[3]int32]bool{}
	for _, t := range m.boundary {
		outside[sorted3(t)] = true
	}
	share, walls, volume := 0.0, 0.0, 0.0
	for i := range m.cells {
		c := &m.cells[i]
		volume += c.volume
		if s := c.bendingShare(outside); s > 0 {
			share, walls = share+s*c.volume, walls+c.volume
		}
	}
	if walls < leastWalls*volume {
		return 1
	}
	return share / walls
}

// sorted3 returns the corners of a triangle in ascending order.
func sorted3(t [3]int32) [3]int32 {
	a, b, c := t[0], t[1], t[2]
	return [3]int32{min(a, b, c), a + b + c - min(a, b, c) - max(a, b, c), max(a, b, c)}
}

// wallBar is a way in which an element may bend, as part of a wall.
type wallBar struct {
	along, across r3.Vec
	// thickness of the wall, and how far its middle is from the mean of the element's nodes, m.
	thickness, off float64
}

// bendingShare returns the share of an element that is as thick as its wall, in the way in which
// it has least; 0 for other elements.
func (c *cell) bendingShare(outside map[[3]int32]bool) float64 {
	bars := c.hexBars(outside)
	if c.n == 6 {
		bars = c.wedgeBars(outside)
	}
	thickness := math.Inf(1)
	for _, b := range bars {
		thickness = min(thickness, b.thickness)
	}
	// of a comparison material, with E = 2 (1 + ν) μ and μ = 1
	const mu, lambda = 1, 2 * bendingRatio / (1 - 2*bendingRatio)
	var whole [cellNodes]r3.Vec
	sample, make := cell{rest: c.rest, n: c.n}, (*cell).restHex12
	if c.n == 6 {
		make = (*cell).restWedge6
	}
	if len(bars) == 0 || make(&sample, mu, lambda, 0, &whole) != nil {
		return 0
	}
	worst := 1.0
	for _, b := range bars {
		// bars of a square cross section bend both ways
		if b.thickness <= 1.01*thickness {
			worst = min(worst, sample.bent(b))
		}
	}
	return worst
}

// hexSides are the two faces that a hexahedron has across each local direction ξ.
var hexSides = [3][2][4]int{
	{{0, 3, 7, 4}, {1, 2, 6, 5}},
	{{0, 1, 5, 4}, {3, 2, 6, 7}},
	{{0, 1, 2, 3}, {4, 5, 6, 7}},
}

// hexBars returns the bars of a hexahedron: across directions in which both sides are on the
// boundary.
func (c *cell) hexBars(outside map[[3]int32]bool) (bars []wallBar) {
	_, dN := hexShapes(r3.Vec{})
	J := jacobian(c.rest[:], dN[:])
	for d, sides := range hexSides {
		if !c.onBoundary(sides[0][:], outside) || !c.onBoundary(sides[1][:], outside) {
			continue
		}
		for _, along := range [2]int{(d + 1) % 3, (d + 2) % 3} {
			bars = append(bars, wallBar{J.Col(along), J.Col(d), 2 * J.Col(d).Norm(), 0})
		}
	}
	return bars
}

// wedgeSides are the faces of four vertices of a wedge, and a vertex across from each.
var wedgeSides = [3]struct {
	side [4]int
	apex int
}{{[4]int{0, 1, 4, 3}, 2}, {[4]int{1, 2, 5, 4}, 0}, {[4]int{2, 0, 3, 5}, 1}}

// wedgeBars returns the bars of a wedge: along sides on the boundary, and across both triangles
// where these are.
func (c *cell) wedgeBars(outside map[[3]int32]bool) (bars []wallBar) {
	sweep := c.rest[3].Sub(c.rest[0])
	edge := c.rest[1].Sub(c.rest[0])
	if c.onBoundary([]int{0, 1, 2}, outside) && c.onBoundary([]int{3, 4, 5}, outside) {
		bars = append(bars, wallBar{edge, sweep, sweep.Norm(), 0}, wallBar{edge.Cross(sweep), sweep, sweep.Norm(), 0})
	}
	for _, s := range wedgeSides {
		if !c.onBoundary(s.side[:], outside) {
			continue
		}
		along := c.rest[s.side[1]].Sub(c.rest[s.side[0]])
		across := along.Cross(sweep)
		height := math.Abs(c.rest[s.apex].Sub(c.rest[s.side[0]]).Dot(across)) / across.Norm()
		bars = append(bars, wallBar{along, across, height, height/2 - height/3})
	}
	return bars
}

// onBoundary reports whether a face is on the boundary: its triangle, or both triangles of four
// vertices, whichever way these are cut.
func (c *cell) onBoundary(face []int, outside map[[3]int32]bool) bool {
	has := func(a, b, d int) bool {
		return outside[sorted3([3]int32{c.verts[face[a]], c.verts[face[b]], c.verts[face[d]]})]
	}
	if len(face) == 3 {
		return has(0, 1, 2)
	}
	return has(0, 1, 2) && has(0, 2, 3) || has(0, 1, 3) && has(1, 2, 3)
}

// bent returns the share of an element of the comparison material that bends as part of a bar.
func (c *cell) bent(b wallBar) float64 {
	const nu, E = bendingRatio, 2 * (1 + bendingRatio)
	t := b.along.Scale(1 / b.along.Norm())
	q := b.across.AddScaled(-b.across.Dot(t), t)
	q = q.Scale(1 / q.Norm())
	s := t.Cross(q)
	// (1) with κ = 1
	var u [cellNodes]r3.Vec
	for a, x := range c.rest[:c.n] {
		p, n, w := x.Dot(t), x.Dot(q), x.Dot(s)
		u[a] = t.Scale(p*n).AddScaled(-(p*p+nu*(n*n-w*w))/2, q).AddScaled(-nu*n*w, s)
	}
	stored := 0.0
	for i := range c.n {
		for j := range i {
			stored += u[i].Dot(c.stiff[triangle(i, j)].MulVec(u[j]))
		}
		stored += u[i].Dot(c.stiff[triangle(i, i)].MulVec(u[i])) / 2
	}
	exact := 0.0
	c.eachPoint(func(N []float64, w float64) {
		n := 0.0
		for a := range N {
			n += N[a] * c.rest[a].Dot(q)
		}
		exact += E * w * n * n / 2
	})
	// about the middle of the wall there is a constant strain besides, which elements have exactly
	constant := E * c.volume * b.off * b.off / 2
	return (exact + constant) / (stored + constant)
}

// eachPoint calls f with the shape functions at each point of an element's sums, and the volume
// that it stands for.
func (c *cell) eachPoint(f func(N []float64, w float64)) {
	if c.n == 8 {
		for _, corner := range hexNodes {
			N, dN := hexShapes(corner.Scale(1 / math.Sqrt(3)))
			f(N[:], jacobian(c.rest[:], dN[:]).Det())
		}
		return
	}
	for _, zeta := range [2]float64{-1 / math.Sqrt(3), 1 / math.Sqrt(3)} {
		for _, p := range wedgePoints {
			N, dN := wedgeShapes(p[0], p[1], zeta)
			f(N[:], jacobian(c.rest[:6], dN[:]).Det()/6)
		}
	}
}
