package stuffing

// A flat face between vertices on a curved surface cuts a sliver off it where the
// surface is convex, and adds one where it is concave: wheels come out too thin, holes
// too narrow, masses too small. Here vertices move off the surface by the mean of what
// their faces miss, so that faces lie on both sides of the surface and the volume is
// that of the part. Flat regions do not change.

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

const (
	// balanceRounds is how often all vertices move: the second round corrects what
	// the first leaves where the curvature varies.
	balanceRounds = 2
	// balanceReach bounds a move over h. A face that is farther off does not follow
	// the surface at all.
	balanceReach = 0.15
)

// balancer collects how far off the surface lies from the faces around each vertex.
type balancer struct {
	*relaxer
	// weighted sums of displacements, and weights; those of vertices on ridges are
	// over edges along the ridge, of others over faces
	sum    []r3.Vec
	weight []float64
	// displacement to the surface at the middle of each boundary edge, m; false where
	// the edge cuts off a ridge
	off map[[2]int32]r3.Vec
	cut map[[2]int32]bool
}

// balance moves the vertices of curved regions so that the mean distance of the faces
// around each from the surface vanishes, as far as quality allows.
func (r *relaxer) balance() {
	tris, _ := r.m.Boundary()
	for range balanceRounds {
		r.indexSkin()
		b := &balancer{
			relaxer: r, sum: make([]r3.Vec, len(r.m.Verts)), weight: make([]float64, len(r.m.Verts)),
			off: map[[2]int32]r3.Vec{}, cut: map[[2]int32]bool{},
		}
		for _, t := range tris {
			b.face(t)
		}
		for v, w := range b.weight {
			if w > 0 {
				b.shift(int32(v), b.sum[v].Scale(1/w))
			}
		}
	}
}

// face adds what a boundary face misses to its vertices. The mean of a quadratic
// function over a triangle is that over the middles of its edges.
func (b *balancer) face(t [3]int32) {
	var mean r3.Vec
	cut := false
	for i := range 3 {
		d, c := b.edge(t[i], t[(i+1)%3])
		mean = mean.AddScaled(1.0/3, d)
		cut = cut || c
	}
	if cut {
		return // what it cuts off is a ridge, not curvature
	}
	p := b.m.Verts
	area := p[t[1]].Sub(p[t[0]]).Cross(p[t[2]].Sub(p[t[0]])).Norm() / 2
	for _, v := range t {
		if b.hold[v] == onSkin {
			b.sum[v] = b.sum[v].AddScaled(area, mean)
			b.weight[v] += area
		}
	}
}

// edge returns the displacement, m, from the middle of a boundary edge to the surface,
// and whether the edge cuts off a ridge. Edges along a ridge count for their ends.
func (b *balancer) edge(v, w int32) (r3.Vec, bool) {
	k := meshes.SideKey(v, w)
	if d, ok := b.off[k]; ok {
		return d, b.cut[k]
	}
	p, q := b.m.Verts[v], b.m.Verts[w]
	mid := p.Lerp(q, 0.5)
	phi, at, _, _, _ := b.dist.Signed(mid)
	d := at.Sub(mid)
	if math.Abs(phi) < skinTol*b.size[v] {
		d = r3.Vec{}
	}
	size := math.Min(b.size[v], b.size[w])
	ridge, far := b.ridge.nearest(mid, size)
	switch along := b.hold[v] >= onRidge && b.hold[w] >= onRidge; {
	case along && far < balanceReach*size:
		// Simpson's rule over an edge whose ends may be off by now.
		l := q.Sub(p).Norm()
		mean := ridge.Sub(mid).Scale(4.0 / 6)
		for _, x := range [2]r3.Vec{p, q} {
			at, _ := b.ridge.nearest(x, size)
			mean = mean.AddScaled(1.0/6, at.Sub(x))
		}
		for _, x := range [2]int32{v, w} {
			if b.hold[x] == onRidge {
				b.sum[x] = b.sum[x].AddScaled(l, mean)
				b.weight[x] += l
			}
		}
	case far < 3*math.Abs(phi) || math.Abs(phi) > balanceReach*size:
		b.cut[k] = true
	}
	b.off[k] = d
	return d, b.cut[k]
}

// shift moves v by d, or by half of it, if quality allows.
func (b *balancer) shift(v int32, d r3.Vec) {
	if l := d.Norm(); l < skinTol*b.size[v] || l > balanceReach*b.size[v] {
		return
	}
	old, was := b.m.Verts[v], b.worst(v)
	for _, s := range [2]float64{1, 0.5} {
		b.move(v, old.AddScaled(s, d))
		if b.worst(v) >= min(snapFloor, was) && b.uncrossed(v, old) {
			return
		}
	}
	b.move(v, old)
}
