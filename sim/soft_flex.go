package sim

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// What parts of a deformable approach each other by in a step is foreseen vertex by
// vertex, without the motion of the body as a rigid whole: that of the same linear
// and angular momentum for vertices of equal mass,
//
//	v̄ = Σ v/n,  Σ (|r|² − r rᵀ) ω = Σ r × v,  d = h (v − v̄ − ω × r)          (1)
//
// r the position relative to the mean. Each look of a step adds its motion to those
// of the looks before.

// flexer foresees the motion of the vertices of a deformable that may touch itself.
type flexer struct {
	looks [][]r3.Vec // motions of this step, the storage of all looks
	used  int
}

// look appends the motions of a step of h; v returns the velocity of a vertex. It
// returns by how much they differ from the last look's at most, m.
func (f *flexer) look(h float64, x []r3.Vec, v func(i int) r3.Vec) (change float64) {
	if f.used == len(f.looks) {
		f.looks = append(f.looks, make([]r3.Vec, len(x)))
	}
	d := f.looks[f.used]
	var center, mean, spin r3.Vec
	for i := range x {
		d[i] = v(i)
		center, mean = center.Add(x[i]), mean.Add(d[i])
	}
	s := 1 / float64(len(x))
	center, mean = center.Scale(s), mean.Scale(s)
	var inertia r3.Mat
	for i := range x {
		r := x[i].Sub(center)
		spin = spin.Add(r.Cross(d[i].Sub(mean)))
		n := r.Norm2()
		inertia = inertia.Add(r3.Diag(r3.Vec{n, n, n}).Sub(r3.Outer(r, r)))
	}
	inv, _ := inertia.Inv()
	w := inv.MulVec(spin)
	for i := range x {
		d[i] = d[i].Sub(mean).Sub(w.Cross(x[i].Sub(center))).Scale(h) // (1)
		if f.used > 0 {
			change = max(change, d[i].Sub(f.looks[f.used-1][i]).Norm2())
		}
	}
	f.used++
	return math.Sqrt(change)
}

// foreseeFlex tells the scene how the body deforms in the step, with the
// velocities of all vertices at its start.
func (b *softBody) foreseeFlex(h float64, v []float64, s *geometry.Data) {
	b.flex.used = 0
	b.flex.look(h, b.Positions(), func(i int) r3.Vec { return r3.Vec(v[3*i : 3*i+3]) })
	s.PredictedDeformation[b.soft] = b.flex.looks[:b.flex.used]
}

// foreseeFlexAgain does so with the velocities of its nodes that were solved for,
// and notes how much they differ from what was foreseen.
func (b *softBody) foreseeFlexAgain(h float64, vNext []float64, s *geometry.Data) {
	b.unforeseen = b.flex.look(h, b.Positions(), func(i int) r3.Vec {
		n := b.model.Node(int32(i))
		if n < 0 {
			return r3.Vec{}
		}
		return r3.Vec(vNext[3*n : 3*n+3])
	})
	s.PredictedDeformation[b.soft] = b.flex.looks[:b.flex.used]
}
