package sim

import (
	"fmt"
	"github.com/curlfree/curlfree/timestep"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

const grav = 9.81 // m/s²

// scaffold is a Builder with short calls for tests. Bodies and materials are known by
// their numbers, which follow the calls: bodies first, then deformables.
type scaffold struct {
	*Builder
	t        testing.TB
	numMats  int
	finished []func(m *Model) // changes of the start that the Builder has no words for
}

// newScaffold returns an empty scaffold. CURLFREE_RULE=midpoint has the families of random scenes run under that rule,
// and CURLFREE_ACCURACY=1e-3 with control of errors; other tests have numbers of Euler's rule.
func newScaffold(t testing.TB) *scaffold {
	b := NewBuilder()
	b.RelTol = 1e-8
	b.Rule.Midpoint, b.Rule.Damping = os.Getenv("CURLFREE_RULE") == "midpoint", timestep.DefaultDamping
	b.Control.Accuracy, _ = strconv.ParseFloat(os.Getenv("CURLFREE_ACCURACY"), 64)
	return &scaffold{Builder: b, t: t}
}

func at(x, y, z float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{x, y, z}} }

// material appends one: stiffness (N/m), Hunt–Crossley d (s/m), friction.
func (w *scaffold) material(k, d, mu float64) int {
	return w.contactMaterial(constraints.ContactMaterial{
		Stiffness: k, Dissipation: d, RelaxationTime: 1e-3, StaticFriction: mu, Friction: mu,
	})
}

// contactMaterial appends one as given.
func (w *scaffold) contactMaterial(m constraints.ContactMaterial) int {
	w.AddMaterial(materialName(w.numMats), m)
	w.numMats++
	return w.numMats - 1
}

// ptr returns a pointer to x.
func ptr(x float64) *float64 { return &x }

func materialName(mat int) string { return fmt.Sprint("material ", mat) }

// mat returns a material, which may be changed.
func (w *scaffold) mat(i int) *constraints.ContactMaterial {
	return w.materials.list[w.materials.number[materialName(i)]]
}

// name returns a name that is free.
func (w *scaffold) name(name string) string {
	for i := 2; w.taken[[2]string{"body", name}]; i++ {
		name = fmt.Sprint(strings.TrimRight(name, " 0123456789"), " ", i)
	}
	return name
}

// geom puts a shape on a body or the world.
func (w *scaffold) geom(body int, X_BG r3.Pose, s geometry.Shape, mat int) {
	name := worldName
	if body != geometry.World {
		name = w.bodies[body].name
	}
	w.AddShape(name, ShapeSpec{Shape: s, Pose: X_BG, Material: materialName(mat)})
}

func (w *scaffold) ground(mat int) {
	w.geom(geometry.World, r3.PoseIdentity(), geometry.HalfSpace{}, mat)
}

// link appends a body by its specification in package rigid. It may touch its parent.
func (w *scaffold) link(s rigid.LinkSpec) int {
	if len(w.deformables) > 0 {
		w.t.Fatal("links come before deformables")
	}
	spec := BodySpec{Inertial: &geometry.MassProperties{Mass: s.Mass, Com: s.Com_B, Inertia: s.Inertia_B}}
	if _, free := s.Joint.(rigid.Floating); !free {
		spec.Joint = &JointSpec{
			Joint: s.Joint, Frames: &JointFrames{X_PF: s.X_PF.OrIdentity(), X_BM: s.X_BM.OrIdentity()}, ContactParent: true,
			Damping: s.Damping, Stiffness: s.Stiffness, Rest: s.Rest, RotorInertia: s.RotorInertia,
		}
		if s.Parent != rigid.World {
			spec.Joint.Parent = w.bodies[s.Parent].name
		}
	}
	w.AddBody(w.name(s.Name), spec)
	return len(w.bodies) - 1
}

// body appends a free body with one shape of the given mass, moving with the
// angular velocity om and the velocity u.
func (w *scaffold) body(name string, s geometry.Shape, mass float64, X r3.Pose, om, u r3.Vec, mat int) int {
	w.AddBody(w.name(name), BodySpec{
		Pose: X, AngularVelocity: om, Velocity: u, Mass: mass, Shapes: []ShapeSpec{{Shape: s, Material: materialName(mat)}},
	})
	return len(w.bodies) - 1
}

// spec returns the specification of a body, which may be changed.
func (w *scaffold) spec(body int) *BodySpec { return &w.bodies[body].spec }

// setQ says where a body starts: the position of its joint, or of a free one quaternion
// and place.
func (w *scaffold) setQ(body int, q ...float64) {
	s := w.spec(body)
	if s.Joint != nil {
		s.Joint.Q = q
		return
	}
	s.Pose = r3.Pose{R: r3.Quat(q[:4]).Mat(), P: r3.Vec(q[4:])}
}

// setV says how a body starts: the velocity of its joint, or of a free one angular
// velocity and velocity.
func (w *scaffold) setV(body int, v ...float64) {
	s := w.spec(body)
	if s.Joint != nil {
		s.Joint.V = v
		return
	}
	s.AngularVelocity, s.Velocity = r3.Vec(v[:3]), r3.Vec(v[3:])
}

func (w *scaffold) box(x, y, z float64) geometry.Shape { return must(geometry.NewBox(r3.Vec{x, y, z})) }

func (w *scaffold) sphere(r float64) geometry.Shape { return must(geometry.NewSphere(r)) }

// soft appends a deformable box of n³ cells, Young's modulus E, ν = 0.3, of
// 1000 kg/m³; it returns its scene body.
func (w *scaffold) soft(name string, edge r3.Vec, n [3]int, E float64, X r3.Pose, u r3.Vec, mat int, edit ...func(*DeformableSpec)) int {
	// of linear tetrahedra unless a test asks for others: contact, constraints and controllers take any
	s := DeformableSpec{Elements: fem.Tet4, Mesh: must(meshes.BoxTets(edge, n)), Law: must(fem.NewCorotational(E, 0.3)), Pose: X, Velocity: u, Material: materialName(mat)}
	for _, f := range edit {
		f(&s)
	}
	w.AddDeformable(w.name(name), s)
	return len(w.bodies) + len(w.deformables) - 1
}

// damped sets the stiffness damping ζ.
func damped(zeta float64) func(*DeformableSpec) {
	return func(s *DeformableSpec) { s.StiffnessDamping = zeta }
}

// fixed holds vertices in place.
func fixed(verts ...int32) func(*DeformableSpec) {
	return func(s *DeformableSpec) { s.Attach = append(s.Attach, AttachSpec{Body: worldName, Verts: verts}) }
}

// constrain appends constraints as given.
func (w *scaffold) constrain(list ...constraints.Constraint) {
	for _, c := range list {
		w.AddConstraint(fmt.Sprint("c", len(w.constraints)), ConstraintFunc(func(*Resolver) (constraints.Constraint, error) { return c, nil }))
	}
}

// model builds the model.
func (w *scaffold) model() *Model {
	w.t.Helper()
	if w.numMats == 0 {
		w.material(1e5, 10, 0.5)
	}
	m, err := w.Build()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range w.finished {
		f(m)
	}
	return m
}

// build returns a stepper on one goroutine and the start, placed.
func (w *scaffold) build() (*Stepper, *State) {
	w.t.Helper()
	OnOneGoroutine(w.t)
	return start(w.t, w.model(), 1)
}

// OnOneGoroutine skips the test under the race detector, which makes it many times slower and finds nothing
// on one goroutine.
func OnOneGoroutine(t testing.TB) {
	t.Helper()
	if raceDetector {
		t.Skip("steps on one goroutine")
	}
}

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

// long skips a test of many steps on one goroutine in short mode: the race detector,
// which asks for it, finds nothing there.
func long(t *testing.T) {
	if testing.Short() {
		t.Skip("long, on one goroutine")
	}
}
