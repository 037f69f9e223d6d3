package rigid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

const seed = 20261121

func newRand(i int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(i))) }

func randVec(r *rand.Rand) r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }

func randPose(r *rand.Rand) r3.Pose {
	return r3.Pose{R: r3.RotExp(randVec(r)), P: randVec(r).Scale(0.3)}
}

// randBody fills in a possible mass and inertia.
func randBody(r *rand.Rand, s *LinkSpec) {
	s.Mass, s.Com_B = math.Exp(0.5*r.NormFloat64()), randVec(r).Scale(0.2)
	a, b, c := r.Float64(), r.Float64(), r.Float64() // Σ m x² along principal axes
	R := r3.RotExp(randVec(r))
	I := R.Mul(r3.Diag(r3.Vec{b + c, c + a, a + b})).Mul(R.T()).Scale(0.05 * s.Mass)
	s.Inertia_B = I.Add(I.T()).Scale(0.5)
}

// randAcross returns a direction at 45° or more from an axis.
func randAcross(r *rand.Rand, axis r3.Vec) r3.Vec {
	for {
		if x := randVec(r).Unit(); x.Cross(axis).Norm() > math.Sqrt(0.5) {
			return x
		}
	}
}

func randJoint(r *rand.Rand, kinds int) Joint {
	axis := randVec(r).Unit()
	switch r.IntN(kinds) {
	case 0:
		return Revolute{Axis: axis}
	case 1:
		return Prismatic{Axis: axis}
	case 2:
		return Screw{Axis: axis, Pitch: 0.5 * r.NormFloat64()}
	case 3:
		return Weld{}
	case 4:
		if r.IntN(2) == 0 {
			return Planar{}
		}
		return Planar{Axes: [2]r3.Vec{axis, axis.Cross(randVec(r)).Unit()}}
	case 5:
		return Universal{Axes: [2]r3.Vec{axis, randAcross(r, axis)}}
	case 6:
		if r.IntN(2) == 0 {
			return Gimbal{}
		}
		second := randAcross(r, axis)
		return Gimbal{Axes: [3]r3.Vec{axis, second, randAcross(r, second)}}
	case 7:
		return Floating{}
	case 8:
		return Ball{}
	}
	sine := func() motion.Motion {
		return motion.Sine{Amplitude: 0.3, Frequency: 0.3, Phase: r.Float64(), Offset: r.Float64()}
	}
	return Prescribed{Translation: [3]motion.Motion{sine(), nil, sine()}, Axis: randVec(r), Angle: sine()}
}

// The kinds of randForest: joints whose positions are coordinates; those with
// quaternions too; prescribed ones too.
const (
	coordinates = 7
	floating    = 9
	everything  = 10
)

// randForest returns a forest, at positions and velocities of order one.
func randForest(t testing.TB, r *rand.Rand, links, kinds int) (m *Model, q, v []float64) {
	t.Helper()
	var b Builder
	for i := range links {
		s := LinkSpec{Name: fmt.Sprint("l", i), Parent: r.IntN(i+1) - 1, Joint: randJoint(r, kinds), X_PF: randPose(r), X_BM: randPose(r)}
		if i > 0 && r.IntN(3) > 0 {
			s.Parent = i - 1
		}
		randBody(r, &s)
		if r.IntN(2) == 0 {
			s.RotorInertia = r.Float64()
		}
		if _, err := b.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	q, v = m.Start()
	for i := range q {
		q[i] += 0.5 * r.NormFloat64()
	}
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return m, q, v
}

// build returns a forest of links that are known to be right.
func build(t testing.TB, links ...LinkSpec) *Model {
	t.Helper()
	var b Builder
	for _, s := range links {
		if s.X_PF == (r3.Pose{}) {
			s.X_PF = r3.PoseIdentity()
		}
		if s.X_BM == (r3.Pose{}) {
			s.X_BM = r3.PoseIdentity()
		}
		if _, err := b.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// world steps a model without constraints: A (v* − v0) = p by gonum.
type world struct {
	*Data
	p       cliques.Problem
	t       float64
	gravity r3.Vec
	q, v    []float64
	least   []float64 // energy of each tree so far, of hop
	recent  []float64 // its kinetic energy of late
	scheme  timestep.Rule
	memory  timestep.Memory
	last    float64 // s, the step before
}

func newWorld(m *Model) *world {
	w := &world{Data: m.NewData()}
	w.q, w.v = m.Start()
	return w
}

// integrate sets the rule of the coming step.
func (w *world) integrate(h float64) {
	w.Integrate(w.scheme.Step(h, w.memory, w.last))
	if w.last = h; w.scheme.Midpoint && w.memory.W == nil {
		w.memory = timestep.Memory{W: make([]float64, len(w.v)), DV: make([]float64, len(w.v))}
	}
}

// gain returns v* − v0 of the placed state.
func (w *world) gain(t testing.TB, h float64, tau []float64) []float64 {
	t.Helper()
	w.Place(w.t, h, w.q, w.v)
	w.p.Reset(w.t, h)
	w.FreeMotion(w.gravity, tau, &w.p)
	dv := make([]float64, len(w.v))
	for _, c := range w.p.Cliques {
		var chol mat.Cholesky
		if !chol.Factorize(mat.NewSymDense(c.Size, c.A)) {
			t.Fatal("A is not positive definite")
		}
		x := mat.NewVecDense(c.Size, dv[c.Offset:c.Offset+c.Size])
		if err := chol.SolveVecTo(x, mat.NewVecDense(c.Size, w.p.P[c.Offset:c.Offset+c.Size])); err != nil {
			t.Fatal(err)
		}
	}
	return dv
}

func (w *world) step(t testing.TB, h float64, tau []float64) {
	t.Helper()
	dv := w.gain(t, h, tau)
	for i := range dv {
		dv[i] += w.v[i]
	}
	w.Advance(h, dv, w.q, w.v, timestep.Memory{})
	w.t += h
}

func largest(x ...float64) float64 {
	s := 0.0
	for _, a := range x {
		s = math.Max(s, math.Abs(a))
	}
	return s
}
