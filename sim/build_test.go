package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

const grav = 9.81 // m/s²

// world collects a model: first materials, then links, then deformables, then
// constraints. Lengths given to its methods are in units of L, masses in L³, times
// in seconds, so that the same calls describe a smaller world; X moves all of it.
type world struct {
	t            testing.TB
	m            *Model
	L            float64
	X            r3.Pose // of the whole in the real world
	trees        rigid.Builder
	mats         []constraints.ContactMaterial
	g            geometry.Model
	q, v         map[int][]float64 // of links that do not start at zero
	softQ        []float64
	velocitiesOf []float64
}

func newWorld(t testing.TB) *world {
	return &world{t: t, L: 1, X: r3.PoseIdentity(), q: map[int][]float64{}, v: map[int][]float64{},
		m: &Model{Contact: constraints.Lagged{}, RelTol: 1e-8, Gravity: r3.Vec{0, 0, -grav}}}
}

func at(x, y, z float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{x, y, z}} }

// material appends one: stiffness (N/m), Hunt–Crossley d (s/m), friction.
func (w *world) material(k, d, mu float64) int {
	l3 := w.L * w.L * w.L
	w.mats = append(w.mats, constraints.ContactMaterial{
		Stiffness: k * l3, Dissipation: d / w.L, RelaxationTime: 1e-3, StaticFriction: mu, Friction: mu,
	})
	return len(w.mats) - 1
}

func (w *world) pose(x r3.Pose) r3.Pose { return w.X.Mul(r3.Pose{R: x.R, P: x.P.Scale(w.L)}) }

// geom puts a shape on a link or the world.
func (w *world) geom(body int, X_BG r3.Pose, s geometry.Shape, mat int) {
	X := r3.Pose{R: X_BG.R, P: X_BG.P.Scale(w.L)}
	if body == geometry.World {
		X = w.pose(X_BG)
	}
	w.g.Geoms = append(w.g.Geoms, geometry.Geom{Name: "geom", Body: body, X_BG: X, Shape: s, Material: mat})
}

func (w *world) ground(mat int) { w.geom(geometry.World, r3.PoseIdentity(), geometry.HalfSpace{}, mat) }

// link appends one as given, but for the world's L and X.
func (w *world) link(s rigid.LinkSpec) int {
	if len(w.softQ) > 0 {
		w.t.Fatal("links come before deformables")
	}
	_, floating := s.Joint.(rigid.Floating)
	if s.X_PF == (r3.Pose{}) {
		s.X_PF = r3.PoseIdentity()
	}
	if s.X_BM == (r3.Pose{}) {
		s.X_BM = r3.PoseIdentity()
	}
	s.X_PF.P, s.X_BM.P, s.Com_B = s.X_PF.P.Scale(w.L), s.X_BM.P.Scale(w.L), s.Com_B.Scale(w.L)
	if s.Parent == rigid.World && !floating {
		s.X_PF = w.X.Mul(s.X_PF)
	}
	l3 := w.L * w.L * w.L
	s.Mass, s.Inertia_B = s.Mass*l3, s.Inertia_B.Scale(l3*w.L*w.L)
	return must(w.trees.Add(s))
}

// body appends a free body with one shape of the given mass, moving with the
// angular velocity om and the velocity u.
func (w *world) body(name string, s geometry.Shape, mass float64, X r3.Pose, om, u r3.Vec, mat int) int {
	p := must(geometry.MassOf(s))
	p = p.Scale(mass / p.Mass)
	l2 := w.L * w.L
	i := w.link(rigid.LinkSpec{Name: name, Parent: rigid.World, Joint: rigid.Floating{}, Mass: mass, Inertia_B: p.Inertia.Scale(1 / l2)})
	w.free(i, X, om, u)
	w.geom(i, r3.PoseIdentity(), s, mat)
	return i
}

// free says where a free link starts and how it moves.
func (w *world) free(link int, X r3.Pose, om, u r3.Vec) {
	X = w.pose(X)
	q := X.R.Quat()
	om, u = w.X.R.MulVec(om), w.X.R.MulVec(u.Scale(w.L))
	w.q[link] = []float64{q[0], q[1], q[2], q[3], X.P[0], X.P[1], X.P[2]}
	w.v[link] = []float64{om[0], om[1], om[2], u[0], u[1], u[2]}
}

func (w *world) box(x, y, z float64) geometry.Shape {
	return must(geometry.NewBox(r3.Vec{x, y, z}.Scale(w.L)))
}

func (w *world) sphere(r float64) geometry.Shape { return must(geometry.NewSphere(r * w.L)) }

// soft appends a deformable box of n³ cells, Young's modulus E, ν = 0.3, of
// 1000 kg/m³; it returns its scene body.
func (w *world) soft(name string, edge r3.Vec, n [3]int, E float64, X r3.Pose, u r3.Vec, mat int, edit ...func(*fem.Spec)) int {
	mesh := must(meshes.BoxTets(edge.Scale(w.L), n))
	s := fem.Spec{Name: name, Mesh: mesh, Law: must(fem.NewCorotational(E*w.L*w.L, 0.3)), Density: 1000}
	for _, f := range edit {
		f(&s)
	}
	b := must(fem.NewModel(s))
	u = w.X.R.MulVec(u.Scale(w.L))
	for i, p := range mesh.Verts {
		p = w.pose(X).Point(p)
		w.softQ = append(w.softQ, p[:]...)
		if b.Node(int32(i)) < 0 {
			w.velocitiesOf = append(w.velocitiesOf, 0, 0, 0)
			continue
		}
		w.velocitiesOf = append(w.velocitiesOf, u[:]...)
	}
	tris, owner := mesh.Boundary()
	w.m.Deformables = append(w.m.Deformables, b)
	trees := must(w.trees.Build())
	body := trees.NumLinks() + len(w.g.Deformables)
	w.g.Deformables = append(w.g.Deformables, geometry.Deformable{Name: name, Body: body, NumVerts: len(mesh.Verts), Tris: tris, Tets: owner, Material: mat})
	return body
}

// damped sets the stiffness damping ζ.
func damped(zeta float64) func(*fem.Spec) {
	return func(s *fem.Spec) { s.StiffnessDamping = zeta }
}

func (w *world) constrain(c ...constraints.Constraint) {
	for _, c := range c {
		if k, ok := c.(constraints.Checker); ok && k.Check() != nil {
			w.t.Fatal(k.Check())
		}
	}
	w.m.Constraints = append(w.m.Constraints, c...)
}

// model finishes the model.
func (w *world) model() *Model {
	trees := must(w.trees.Build())
	q, v := trees.Start()
	for l, x := range w.q {
		copy(q[trees.QStart(l):], x)
	}
	for l, x := range w.v {
		copy(v[trees.VStart(l):], x)
	}
	w.m.Rigid = trees
	w.g.NumRigid = trees.NumLinks()
	if len(w.mats) == 0 {
		w.material(1e5, 10, 0.5)
	}
	w.m.Geometry, w.m.ContactMaterials = &w.g, must(constraints.NewContactMaterials(w.mats))
	w.m.Gravity = w.X.R.MulVec(w.m.Gravity.Scale(w.L))
	w.m.Start = State{Q: append(q, w.softQ...), V: append(v, w.velocitiesOf...)}
	return w.m
}

// build returns a stepper and the start, placed.
func (w *world) build() (*Stepper, *State) { return start(w.t, w.model(), 1) }

func start(t testing.TB, m *Model, threads int) (*Stepper, *State) {
	t.Helper()
	s, err := NewStepper(m, Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	x := m.Start.Clone()
	s.Place(x, 1e-3)
	return s, x
}

// run takes n steps of h and places the end.
func run(t testing.TB, s *Stepper, x *State, h float64, n int) {
	t.Helper()
	for range n {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
	}
	s.Place(x, h)
}

// near fails unless |got − want| ≤ tol.
func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s is %.12g, want %.12g within %.3g (off by %.3g)", what, got, want, tol, got-want)
	}
}

func nearVec(t testing.TB, what string, got, want r3.Vec, tol float64) {
	t.Helper()
	if !(got.Sub(want).Norm() <= tol) {
		t.Errorf("%s is %.12g, want %.12g within %.3g (off by %.3g)", what, got, want, tol, got.Sub(want).Norm())
	}
}

// momentum returns the linear and angular momentum of everything, about the
// world's origin.
func momentum(s *Stepper, x *State) (p, L r3.Vec) {
	if s.rigid != nil {
		L = s.rigid.AngularMomentum(r3.Vec{})
	}
	for i := range s.deformables {
		L = L.Add(s.deformables[i].AngularMomentum(r3.Vec{}, s.velocitiesOf(x, i)))
	}
	return s.momentum(x), L
}

func energy(s *Stepper, x *State) float64 { return Energy{Total}.Value(s, x) }

// contactForce returns the sum of contact forces on a body.
func contactForce(s *Stepper, x *State, body int) r3.Vec {
	f := ContactForce{On: body}
	var r r3.Vec
	for i := range r {
		f.Of = Component(i)
		r[i] = f.Value(s, x)
	}
	return r
}

// long skips what runs many steps on one goroutine when the race detector, which
// learns nothing there, asks for short tests.
func long(t *testing.T) {
	if testing.Short() {
		t.Skip("long, on one goroutine")
	}
}
