package sim

// The motion by which parts of a deformable approach each other in a step is predicted
// vertex by vertex, without the rigid part of the body's motion. The rigid part is the
// motion that has the same linear and angular momentum when all vertices have equal mass:
//
//	v̄ = Σ v_i/n                                       mean velocity                  (1)
//	Σ (|r_i|² 1 − r_i r_iᵀ) ω = Σ r_i × v_i           mean angular velocity          (2)
//	d_i = h (v_i − v̄ − ω × r_i)                       predicted displacement         (3)
//
// with r_i the position of vertex i relative to the mean of all. Each detection of
// contacts in a step adds its prediction to those of the earlier ones.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// deformationPredictor predicts the displacements of the vertices of a deformable whose
// surface may touch itself.
type deformationPredictor struct {
	predictions [][]r3.Vec // displacements by vertex, one list for each detection of a step, m
	used        int        // number of detections so far in this step
}

// predict appends the displacements in a step of h; v returns the velocity of a vertex,
// x are their positions. It returns the largest difference from the prediction before, m.
func (f *deformationPredictor) predict(h float64, x []r3.Vec, v func(i int) r3.Vec) (change float64) {
	if f.used == len(f.predictions) {
		f.predictions = append(f.predictions, make([]r3.Vec, len(x)))
	}
	d := f.predictions[f.used]
	// (1)
	var center, mean, moment r3.Vec
	for i := range x {
		d[i] = v(i)
		center, mean = center.Add(x[i]), mean.Add(d[i])
	}
	s := 1 / float64(len(x))
	center, mean = center.Scale(s), mean.Scale(s)
	// (2)
	var inertia r3.Mat
	for i := range x {
		r := x[i].Sub(center)
		moment = moment.Add(r.Cross(d[i].Sub(mean)))
		n := r.Norm2()
		inertia = inertia.Add(r3.Diag(r3.Vec{n, n, n}).Sub(r3.Outer(r, r)))
	}
	inv, _ := inertia.Inv()
	w := inv.MulVec(moment)
	// (3)
	for i := range x {
		d[i] = d[i].Sub(mean).Sub(w.Cross(x[i].Sub(center))).Scale(h)
		if f.used > 0 {
			change = max(change, d[i].Sub(f.predictions[f.used-1][i]).Norm2())
		}
	}
	f.used++
	return math.Sqrt(change)
}

// predictDeformation writes the predicted displacements of a step of h into the
// geometry, from the velocities of all vertices at its start.
func (b *deformableBody) predictDeformation(h float64, v []float64, g *geometry.Data) {
	b.deformation.used = 0
	b.deformation.predict(h, b.Positions(), func(i int) r3.Vec { return r3.Vec(v[3*i : 3*i+3]) })
	g.PredictedDeformation[b.number] = b.deformation.predictions[:b.deformation.used]
}

// repredictDeformation does so from the solved velocities of the body's nodes, and notes
// by how much they exceed the prediction before.
func (b *deformableBody) repredictDeformation(h float64, vNext []float64, g *geometry.Data) {
	b.unpredicted = b.deformation.predict(h, b.Positions(), func(i int) r3.Vec {
		n := b.model.Node(int32(i))
		if n < 0 { // fixed
			return r3.Vec{}
		}
		return r3.Vec(vNext[3*n : 3*n+3])
	})
	g.PredictedDeformation[b.number] = b.deformation.predictions[:b.deformation.used]
}
