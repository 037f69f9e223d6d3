package sim

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/workers"
)

// Subsystem is one kind of bodies: what it appends to the problem and how its
// points move. Its cliques' velocities lie in the problem in the order of its
// own v.
type Subsystem interface {
	// Size returns the lengths of its parts of the state.
	Size() (nq, nv int)
	// Place reads the state at time t, for a step of h, and writes poses or
	// vertices and reaches into the scene.
	Place(t, h float64, q, v []float64, s *geometry.Data)
	// PredictMotion writes reaches into the scene as Place does, but those of the
	// solution of its own cliques; positions are those of Place.
	PredictMotion(h float64, vNext []float64, s *geometry.Data)
	// FreeMotion appends its cliques.
	FreeMotion(h float64, q, v []float64, p *cliques.Problem)
	// PointRow adds s·dir_W·v(f) to a row of the open constraint.
	PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64)
	// Advance writes the state after the step, reading the problem's solution
	// of its own cliques.
	Advance(h float64, vNext, q, v []float64)
}

var (
	_ Subsystem = (*rigidTrees)(nil)
	_ Subsystem = (*softBody)(nil)
)

// rigidTrees are all articulated bodies of the model.
type rigidTrees struct {
	*rigid.Data
	model   *rigid.Model
	gravity r3.Vec
	radius  []float64 // of each link's shapes about its origin, m
}

func (r *rigidTrees) Size() (nq, nv int) { return r.model.NumQ(), r.model.NumV() }

func (r *rigidTrees) Place(t, h float64, q, v []float64, s *geometry.Data) {
	r.Data.Place(t, h, q, v)
	s.X_WB = r.Poses()
	r.reaches(h, s, r.StepVelocity)
}

func (r *rigidTrees) PredictMotion(h float64, vNext []float64, s *geometry.Data) {
	r.Data.PredictMotion(vNext)
	r.reaches(h, s, r.PredictedVelocity)
}

func (r *rigidTrees) reaches(h float64, s *geometry.Data, velocity func(link int) (w, v *r3.Vec)) {
	for i := range s.Model.NumRigid {
		w, u := velocity(i)
		s.PredictedTranslation[i].SetScale(h, u)
		s.MotionBound[i] = h * math.Sqrt(w.DotOf(w)) * r.radius[i]
	}
}

func (r *rigidTrees) FreeMotion(h float64, q, v []float64, p *cliques.Problem) {
	r.Data.FreeMotion(r.gravity, nil, p)
}

func (r *rigidTrees) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64) {
	r.Data.PointRow(p, row, f.Body, f.Pos_W, dir_W, s)
}

// softBody is one deformable.
type softBody struct {
	*fem.Data
	model   *fem.Model
	gravity r3.Vec
	soft    int // deformable number; its scene body is Rigid+soft
	pool    *workers.Pool

	vonMises []float64 // of each tet, by VonMises

	touchesSelf bool
	flex        flexer
	unforeseen  float64 // largest motion of a vertex that the last look did not foresee, m
}

func (b *softBody) Size() (nq, nv int) { n := 3 * b.model.NumVerts(); return n, n }

func (b *softBody) Place(t, h float64, q, v []float64, s *geometry.Data) {
	b.Data.Place(q)
	s.X_W[b.soft] = b.Positions()
	b.reach(h, v, len(v)/3, s)
	if b.touchesSelf {
		b.foreseeFlex(h, v, s)
	}
}

func (b *softBody) PredictMotion(h float64, vNext []float64, s *geometry.Data) {
	b.reach(h, vNext, b.model.NumVerts(), s)
	if b.touchesSelf {
		b.foreseeFlexAgain(h, vNext, s)
	}
}

// reach bounds the motion of n vertices, of which those in v have velocities and
// the others none.
func (b *softBody) reach(h float64, v []float64, n int, s *geometry.Data) {
	var mean r3.Vec
	for u := v; len(u) >= 3; u = u[3:] {
		mean[0], mean[1], mean[2] = mean[0]+u[0], mean[1]+u[1], mean[2]+u[2]
	}
	mean = mean.Scale(1 / float64(n))
	farthest := 0.0 // squared
	if 3*n > len(v) {
		farthest = mean.Norm2()
	}
	for u := v; len(u) >= 3; u = u[3:] {
		x, y, z := u[0]-mean[0], u[1]-mean[1], u[2]-mean[2]
		farthest = max(farthest, x*x+y*y+z*z)
	}
	body := s.Model.NumRigid + b.soft
	s.PredictedTranslation[body] = mean.Scale(h)
	s.MotionBound[body] = h * math.Sqrt(farthest)
}

// vertexOf returns the vertex of a node.
func (b *softBody) vertexOf(node int32) int {
	v := 0
	for b.model.Node(int32(v)) != node {
		v++
	}
	return v
}

func (b *softBody) FreeMotion(h float64, q, v []float64, p *cliques.Problem) {
	b.Data.FreeMotion(h, b.gravity, q, v, b.pool, p)
}

func (b *softBody) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64) {
	b.Data.PointRow(p, row, f.Vert[:f.N], f.W[:f.N], dir_W, s)
}
