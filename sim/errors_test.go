package sim

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/timestep"
)

func says(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one that says %q", parts)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%q does not say %q", err, p)
		}
	}
}

func TestModelsThatCannotStepAreRefused(t *testing.T) {
	for want, spoil := range map[string]func(m *Model){
		"nothing to simulate":               func(m *Model) { m.Rigid, m.Deformables = nil, nil },
		"Model.Contact is nil":              func(m *Model) { m.Contact = nil },
		"Model.Geometry is nil":             func(m *Model) { m.Geometry = nil },
		"Model.ContactMaterials is nil":     func(m *Model) { m.ContactMaterials = nil },
		"rigid bodies":                      func(m *Model) { g := *m.Geometry; g.NumRigid--; m.Geometry = &g },
		"in Model.Geometry has 1 vertices":  func(m *Model) { m.Geometry.Deformables[0].NumVerts = 1 },
		"deformables, the model has 5 and ": func(m *Model) { m.Deformables = nil },
		"gravity is":                        func(m *Model) { m.Gravity[1] = math.NaN() },
		"RelTol is 2":                       func(m *Model) { m.RelTol = 2 },
		"MaxIterations is -1":               func(m *Model) { m.MaxIterations = -1 },
		"SpeculativeMargin is -0.1":         func(m *Model) { m.SpeculativeMargin = -0.1 },
		"SpeculativeMargin is +Inf":         func(m *Model) { m.SpeculativeMargin = math.Inf(1) },
		"FrictionLag is for":                func(m *Model) { m.Contact, m.FrictionLag = constraints.Similar{}, FrictionLagPrevious },
	} {
		m := busyModel(t, timestep.Rule{})
		spoil(m)
		_, err := NewStepper(m, Options{Threads: 1})
		says(t, err, want)
	}
	w := newScaffold(t)
	w.link(rigid.LinkSpec{Name: "fixed", Parent: rigid.World, Joint: rigid.Weld{}})
	_, err := w.Build()
	says(t, err, "nothing to simulate", "no body can move")
}

// A model made in Go is refused for the same faults as a scene file, and all faults are
// reported at once.
func TestConstraintsOutOfRangeAreRefused(t *testing.T) {
	m := busyModel(t, timestep.Rule{})
	n := len(m.Constraints)
	m.Constraints = append(m.Constraints,
		&constraints.Limit{Dof: 0, Lower: 1, Upper: -1},
		&constraints.JointFriction{Dof: 0, Effort: 1},
		&constraints.PD{Dof: 0, Kp: -3},
		&constraints.Weld{A: 2, B: 2},
	)
	_, err := NewStepper(m, Options{Threads: 1})
	for i, want := range []string{"(limit): ", "", "(pd): ", "(weld): "} {
		if want != "" {
			says(t, err, fmt.Sprintf("constraint %d %s", n+i, want))
		} else if strings.Contains(err.Error(), fmt.Sprintf("constraint %d ", n+i)) {
			t.Errorf("%q blames constraint %d", err, n+i)
		}
	}
	says(t, err, "1 to -1, want the lower first", "Kp is -3", "weld ties body 2 to itself")
}

// unchanged steps and fails when the step changes the state, bit by bit.
func unchanged(t *testing.T, s *Stepper, x *State, h float64) error {
	t.Helper()
	before := x.Hash()
	err := s.Step(x, h)
	if x.Hash() != before {
		t.Error("the failed step changed the state")
	}
	return err
}

func TestStepsThatAreNotPositiveAreRefused(t *testing.T) {
	s, x := start(t, busyModel(t, timestep.Rule{}), 1)
	for _, h := range []float64{0, -1e-3, math.NaN(), math.Inf(1), math.Inf(-1)} {
		says(t, unchanged(t, s, x, h), "step of", "positive")
	}
}

func TestStatesThatAreNotFiniteNameTheBody(t *testing.T) {
	m := busyModel(t, timestep.Rule{})
	s, _ := start(t, m, 1)
	nq, nv := m.RigidSize()
	for _, c := range []struct {
		v    bool
		i    int
		want string
	}{
		{false, 7 + 4, `position of body "top"`}, {false, 22, `position of body "hand"`},
		{true, 2, `velocity of body "low"`}, {true, 18, `velocity of body "arm"`},
		{false, nq + 3*4 + 1, `position of deformable "cube" (vertex 4)`}, {true, nv + 3*5, `velocity of deformable "cube" (vertex 5)`},
	} {
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			x := m.Start.Clone()
			if c.v {
				x.V[c.i] = bad
			} else {
				x.Q[c.i] = bad
			}
			says(t, unchanged(t, s, x, 1e-3), c.want, "not finite")
		}
	}
	x := m.Start.Clone()
	run(t, s, x, 1e-3, 1) // and the stepper is as good as new
	fresh, y := start(t, m, 1)
	run(t, fresh, y, 1e-3, 1)
	if x.Hash() != y.Hash() {
		t.Error("failed steps left something behind")
	}
}

func TestStatesOfTheWrongLengthPanic(t *testing.T) {
	s, x := start(t, busyModel(t, timestep.Rule{}), 1)
	for _, x := range []*State{{Q: x.Q[1:], V: x.V}, {Q: x.Q, V: append(x.V, 0)}, {}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			_ = s.Step(x, 1e-3)
		}()
	}
}

func TestContactOfTwoRigidMaterialsNamesTheBodies(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(math.Inf(1), 0, 0.5)
	w.ground(mat)
	w.body("anvil", w.box(0.1, 0.1, 0.1), 1, at(0, 0, 0.05), r3.Vec{}, r3.Vec{}, mat)
	s, x := w.build()
	says(t, unchanged(t, s, x, 1e-3), "contact of", "world", "anvil", "both rigid")
}

// faulty is a constraint of one row on a dof, some numbers of which are not finite.
type faulty struct {
	bias, jacobian, impulse float64
}

func (c *faulty) Append(k constraints.Kinematics, p *cliques.Problem) int {
	p.AddConstraint(&faultyLaw{c.impulse})
	k.DofRow(p, 0, 0, 1+c.jacobian)
	p.AddBias(0, c.bias)
	return 1
}

type faultyLaw struct{ impulse float64 }

func (l *faultyLaw) Dim() int                       { return 1 }
func (l *faultyLaw) Prepare(h float64, w []float64) {}
func (l *faultyLaw) Eval(vc, gamma, G []float64) float64 {
	gamma[0], G[0] = -vc[0]+l.impulse, 1
	return 0.5 * vc[0] * vc[0]
}

func TestFaultsInTheProblemNameWhoseTheyAre(t *testing.T) {
	nan := math.NaN()
	for _, c := range []faulty{{bias: nan}, {jacobian: nan}, {impulse: nan}} {
		w := newScaffold(t)
		pendulum(w, 0.5)
		w.constrain(&constraints.Limit{Dof: 0, Lower: -1e9, Upper: 1e9}, &c)
		s, x := w.build()
		err := unchanged(t, s, x, 1e-3)
		says(t, err, "t = 0 s", `constraint "c1" (faulty)`)
		var nonFinite *convex.NonFiniteError
		if !errors.As(err, &nonFinite) {
			t.Errorf("%v hides its cause", err)
		}
	}
	// an effort that is not finite, from a function of the user's
	w := newScaffold(t)
	pendulum(w, 0.5)
	w.constrain(&constraints.PD{Dof: 0, FeedForward: func(float64) float64 { return nan }})
	s, x := w.build()
	says(t, unchanged(t, s, x, 1e-3), `constraint "c0" (pd)`)
}

// stiff is a law that is softer than nothing: its A is indefinite.
type stiff struct{ fem.LinearElastic }

func (m stiff) Class() fem.Class { return fem.Nonlinear }

func (m stiff) Tangent(F, R r3.Mat, project bool, dPdF *[81]float64) {
	m.LinearElastic.Tangent(F, R, project, dPdF)
	for i := range dPdF {
		dPdF[i] *= -1
	}
}

func TestIndefiniteMomentumMatrixNamesTheBody(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.body("box", w.box(0.1, 0.1, 0.1), 1, at(0, 0, 0), r3.Vec{}, r3.Vec{}, mat)
	w.soft("bad", cube, [3]int{1, 1, 1}, 1e9, at(1, 0, 0), r3.Vec{}, mat, fixed(0), func(s *DeformableSpec) {
		s.Law = stiff{must(fem.NewLinear(1e9, 0.3))}
	})
	s, x := w.build()
	err := unchanged(t, s, x, 0.1)
	says(t, err, `deformable "bad" (vertex`, "not positive definite")
	var indefinite *convex.IndefiniteError
	if !errors.As(err, &indefinite) {
		t.Errorf("%v hides its cause", err)
	}
}

// A solve that runs out of iterations takes the step and says so.
func TestUnconvergedStepsAreTaken(t *testing.T) {
	m := busyModel(t, timestep.Rule{})
	m.MaxIterations = 1
	m.RelTol = 1e-14
	s, x := start(t, m, 1)
	failed := 0
	for i := range 50 {
		err := s.Step(x, 2e-3)
		if x.Step != i+1 || math.Abs(x.Time-float64(i+1)*2e-3) > 1e-12 {
			t.Fatalf("step %d was not taken", i)
		}
		if err == nil {
			continue
		}
		failed++
		if !errors.Is(err, ErrNotConverged) || s.Report.Err == nil {
			t.Fatal(err)
		}
		for _, want := range []string{"contact law lagged", "residual over tolerance ["} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q in it", err, want)
			}
		}
	}
	if failed == 0 {
		t.Error("one iteration was enough")
	}
}

// Velocity i of the problem is of the vertex that is solved for, not of the i-th.
func TestOwnersOfSolvedVelocitiesSkipFixedVertices(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.body("ball", w.sphere(0.05), 1, at(-1, 0, 0), r3.Vec{}, r3.Vec{}, mat)
	w.soft("held", cube, [3]int{1, 1, 1}, 1e5, at(0, 0, 0), r3.Vec{}, mat, fixed(0, 2))
	w.soft("after", cube, [3]int{1, 1, 1}, 1e5, at(1, 0, 0), r3.Vec{}, mat)
	s, x := w.build()
	run(t, s, x, 1e-3, 1)
	for i, want := range map[int]string{
		5: `body "ball"`, 6: `deformable "held" (vertex 1)`, 9: `deformable "held" (vertex 3)`,
		23: `deformable "held" (vertex 7)`, 24: `deformable "after" (vertex 0)`,
	} {
		if got := s.ownerOfSolved(i); got != want {
			t.Errorf("velocity %d is of %s, want %s", i, got, want)
		}
	}
}
