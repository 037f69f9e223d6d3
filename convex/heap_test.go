package convex_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

const (
	gravity = 9.81
	rngSeed = 20261121
)

// heap is a set of free bodies with contacts, from which a problem with any contact model
// of package constraints is built.
type heap struct {
	h        float64
	mass     []float64
	inertia  []float64
	pos, vel []r3.Vec
	spin     []r3.Vec
	contacts []geometry.Contact
	pair     constraints.Pair

	nodes []cliques.Node
}

func (q *heap) body(mass, radius float64, pos, vel, spin r3.Vec) int {
	q.mass, q.inertia = append(q.mass, mass), append(q.inertia, 0.4*mass*radius*radius)
	q.pos, q.vel, q.spin = append(q.pos, pos), append(q.vel, vel), append(q.spin, spin)
	return len(q.mass) - 1
}

// touch adds a contact of bodies a (or geometry.World) and b with normal a → b.
func (q *heap) touch(a, b int, at, normal r3.Vec, phi float64) {
	q.contacts = append(q.contacts, geometry.Contact{
		A: geometry.MaterialPoint{Body: a}, B: geometry.MaterialPoint{Body: b}, Pos_W: at, Normal_W: normal, Phi: phi,
	})
}

// build makes the problem of the next step with a contact model.
func (q *heap) build(p *cliques.Problem, m constraints.ContactModel) {
	p.Reset(0, q.h)
	q.append(p, m)
}

func (q *heap) append(p *cliques.Problem, m constraints.ContactModel) {
	q.nodes = q.nodes[:0]
	for i, mass := range q.mass {
		node, A, v0, mom := p.AddDense(6)
		for j := range 3 {
			A[7*j], A[7*(j+3)] = q.inertia[i], mass
			v0[j], v0[j+3] = q.spin[i][j], q.vel[i][j]
		}
		mom[5] = -mass * gravity * q.h
		q.nodes = append(q.nodes, node)
	}
	for i := range q.contacts {
		constraints.AppendContact(m, &q.contacts[i], &q.pair, (*bodies)(q), p)
	}
}

// bodies is the Kinematics of a heap: velocities (ω, v of the centre).
type bodies heap

func (*bodies) Pose(int) r3.Pose         { return r3.PoseIdentity() }
func (*bodies) Vertex(int, int32) r3.Vec { panic("no vertices") }
func (k *bodies) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64) {
	J := p.Block(k.nodes[f.Body])[6*row:]
	moment := f.Pos_W.Sub(k.pos[f.Body]).Cross(dir_W)
	for j := range 3 {
		J[j] += s * moment[j]
		J[j+3] += s * dir_W[j]
	}
}
func (k *bodies) PointRows(p *cliques.Problem, f *geometry.MaterialPoint, R_WC *r3.Mat, tangent_W *r3.Vec, s float64) {
	at := *f
	at.Pos_W.IncScale(1, tangent_W)
	for row, point := range [3]*geometry.MaterialPoint{&at, &at, f} {
		k.PointRow(p, row, point, R_WC.Col(row), s)
	}
}
func (k *bodies) AngularRow(p *cliques.Problem, row int, body int, dir_W r3.Vec, s float64) {
	J := p.Block(k.nodes[body])[6*row:]
	for j := range 3 {
		J[j] += s * dir_W[j]
	}
}
func (*bodies) AtEnd() constraints.Kinematics { return nil }

// Lever is the point.
func (*bodies) Lever(_ int, p_W r3.Vec) r3.Vec { return p_W }

// Rate is that of no end.
func (*bodies) Rate(*cliques.Problem, int) float64 { return 0 }

func (*bodies) DofRow(*cliques.Problem, int, int, float64) { panic("no joints") }
func (*bodies) Dof(int) (float64, float64)                 { panic("no joints") }
func (*bodies) SlipTolerances() (float64, float64)         { panic("no joints") }

// law is a contact law of the tests with its name.
type law struct {
	name string
	m    constraints.ContactModel
}

// models are the contact laws of the tests.
var models = []law{
	{"sap", constraints.SAP{Beta: 1}},
	{"similar", constraints.Similar{}},
	{"similar_regularized", constraints.Similar{Sigma: constraints.DefaultSigma}},
	{"lagged", constraints.Lagged{}},
	{"lagged_regularized", constraints.Lagged{Sigma: constraints.DefaultSigma}},
}

// withStiction returns the laws with a stiction tolerance, m/s.
func withStiction(tolerance float64) []law {
	list := slices.Clone(models)
	for i := range list {
		switch m := list[i].m.(type) {
		case constraints.Lagged:
			m.StictionTolerance = tolerance
			list[i].m = m
		case constraints.Similar:
			m.StictionTolerance = tolerance
			list[i].m = m
		}
	}
	return list
}

func randomUnit(r *rand.Rand) r3.Vec {
	return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()
}

// randomHeap has five bodies, 30 velocities, in random relative motion: 12
// contacts that overlap by up to ten times their static depth, and 40
// pairs that are 1 to 10 cm apart.
func randomHeap(r *rand.Rand, k, mu, speed float64) *heap {
	const n, active, ahead = 5, 12, 40
	q := &heap{h: 5e-3, pair: constraints.Pair{Stiffness: k, Dissipation: 20, RelaxationTime: 1e-4, Friction: mu}}
	scaled := func() r3.Vec { return randomUnit(r).Scale(speed * r.Float64()) }
	for range n {
		q.body(0.5+r.Float64(), 0.1, randomUnit(r).Scale(0.3), scaled(), scaled().Scale(10))
	}
	for i := range active + ahead {
		b := i % n
		a := r.IntN(n)
		if a == b || r.IntN(3) == 0 {
			a = geometry.World
		}
		phi := -10 * r.Float64() * gravity / k
		if i >= active {
			phi = 0.01 + 0.09*r.Float64()
		}
		normal := randomUnit(r)
		q.touch(a, b, q.pos[b].Sub(normal.Scale(0.1)), normal, phi)
	}
	return q
}

// stack is a column of bodies on the ground, each on four corners; the masses
// run from the bottom.
func stack(k, mu float64, masses []float64) *heap {
	q := &heap{h: 5e-3, pair: constraints.Pair{Stiffness: k, Dissipation: 20, RelaxationTime: 1e-4, Friction: mu}}
	below, above := geometry.World, 0.0
	for _, m := range masses {
		above += m
	}
	for i, m := range masses {
		z := 0.1 * float64(2*i+1)
		b := q.body(m, 0.1, r3.Vec{0, 0, z}, r3.Vec{0.01 * float64(i), 0, 0}, r3.Vec{})
		for c := range 4 {
			x, y := 0.1*float64(1-2*(c&1)), 0.1*float64(1-c&2)
			q.touch(below, b, r3.Vec{x, y, z - 0.1}, r3.Vec{0, 0, 1}, -above*gravity/(4*k)*(1+0.3*math.Sin(float64(7*i+3*c))))
		}
		below, above = b, above-m
	}
	return q
}
