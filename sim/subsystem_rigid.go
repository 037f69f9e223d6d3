package sim

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// rigidTrees are all rigid bodies of the model.
type rigidTrees struct {
	*rigid.Data
	model   *rigid.Model
	gravity r3.Vec    // m/s²
	radius  []float64 // of each link's shapes about its origin, m
}

// Size implements Subsystem: positions and velocities of all joints.
func (r *rigidTrees) Size() (nq, nv int) { return r.model.NumQ(), r.model.NumV() }

// Place implements Subsystem.
func (r *rigidTrees) Place(t, h float64, q, v []float64, g *geometry.Data) {
	r.Data.Place(t, h, q, v)
	g.X_WB = r.Poses()
	r.boundMotion(h, g, r.StepVelocity)
}

// PredictMotion implements Subsystem.
func (r *rigidTrees) PredictMotion(h float64, vNext []float64, g *geometry.Data) {
	r.Data.PredictMotion(vNext)
	r.boundMotion(h, g, r.PredictedVelocity)
}

// boundMotion writes the motion of every link in a step of h, and a bound on the
// displacement that its rotation adds: h |ω| times the radius of its shapes.
func (r *rigidTrees) boundMotion(h float64, g *geometry.Data, velocity func(link int) (w, v *r3.Vec)) {
	for i := range g.Model.NumRigid {
		w, u := velocity(i)
		g.PredictedTranslation[i].SetScale(h, u)
		m := &g.Motion[i]
		m.Translation = g.PredictedTranslation[i]
		m.Rotation.SetScale(h, w)
		g.MotionBound[i] = h * math.Sqrt(w.DotOf(w)) * r.radius[i]
	}
}

// FreeMotion implements Subsystem: composite inertias and recursive Newton–Euler, one
// clique for each tree.
func (r *rigidTrees) FreeMotion(h float64, q, v []float64, p *cliques.Problem) {
	r.Data.FreeMotion(r.gravity, nil, p)
}

// PointRow implements Subsystem: the row of a point fixed to a link.
func (r *rigidTrees) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64) {
	r.Data.PointRow(p, row, f.Body, f.Pos_W, dir_W, s)
}
