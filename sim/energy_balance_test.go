package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// gains steps n times and returns the energy gained in all, J, and by whom most at once.
func gains(t *testing.T, s *Stepper, x *State, h float64, n int) (total float64, by string) {
	t.Helper()
	most := 0.0
	for range n {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		g := &s.Report.EnergyGained
		if total += g.Energy; g.Energy > most {
			most, by = g.Energy, s.GainedBy(g)
		}
	}
	return total, by
}

// A blow between two steps, which no impulse of a step explains, counts with its whole
// energy, and names the body. The body is a free one, an arm on a spring, a deformable.
func TestEnergyWithoutCauseIsReported(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.ground(mat)
	w.body("ball", w.sphere(0.05), 2, at(0, 0, 0.05), r3.Vec{}, r3.Vec{}, mat)
	arm := w.link(rigid.LinkSpec{
		Name: "arm", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, X_PF: at(0, 3, 2), Stiffness: 3, Damping: 0.01,
		Mass: 0.5, Com_B: r3.Vec{0, 0, -0.2}, Inertia_B: r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3}),
	})
	w.setQ(arm, 0.3)
	w.soft("cube", r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, 1e5, at(1, 0, 2), r3.Vec{}, mat)
	s, x := w.build()
	const h = 1e-3
	if total, by := gains(t, s, x, h, 100); total != 0 {
		t.Fatalf("%s gained %g J before the blow", by, total)
	}
	nq, nv := s.Model.RigidSize()
	blows := map[string]func(){
		"ball": func() { x.V[5] += 3 },
		"arm":  func() { x.V[6] += math.Copysign(3, x.V[6]) },
		"cube": func() {
			for i := nv + 1; i < len(x.V); i += 3 {
				x.V[i] += 1.5
			}
		},
	}
	for name, blow := range blows {
		s.Place(x, h)
		before := energy(s, x)
		blow()
		s.Place(x, h)
		want := energy(s, x) - before
		total, by := gains(t, s, x, h, 1)
		near(t, "energy given to the "+name, total, want, 0.03*want)
		if by != name {
			t.Errorf("%s gained it, not the %s", by, name)
		}
		if total, by := gains(t, s, x, h, 20); total != 0 {
			t.Errorf("after the blow on the %s, %s gains %g J", name, by, total)
		}
	}
	// a cube drawn out of shape
	for i := nq + 2; i < len(x.Q); i += 3 {
		x.Q[i] = 2 + 1.2*(x.Q[i]-2)
	}
	if total, by := gains(t, s, x, h, 1); total < 1 || by != "cube" {
		t.Errorf("stretched, %s gained %g J", by, total)
	}
}

// A ball pushed into the floor between two steps is thrown out with more energy than it
// brought: the contact is named.
func TestEnergyOutOfContactIsReported(t *testing.T) {
	w := newScaffold(t)
	const k, deep, h = 1e5, 0.01, 1e-4
	mat := w.material(k, 0, 0.5)
	w.ground(mat)
	w.body("ball", w.sphere(0.05), 1, at(0, 0, 0.06), r3.Vec{}, r3.Vec{}, mat)
	s, x := w.build()
	gains(t, s, x, h, 200)
	x.Q[6] = 0.05 - deep
	x.EnergyReference[0] = math.Inf(1) // the push itself is not the point
	total, by := gains(t, s, x, h, 1000)
	near(t, "energy of the contact", total, 0.5*(k/2)*deep*deep, 0.1)
	if !strings.HasPrefix(by, "contact of ") || !strings.Contains(by, "ball") {
		t.Errorf("%s gained it", by)
	}
}

// Bodies that overlap at the start spring apart: that is no gain.
func TestOverlapAtTheStartIsNoGain(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 0, 0.5)
	w.ground(mat)
	w.body("ball", w.sphere(0.05), 1, at(0, 0, 0.04), r3.Vec{}, r3.Vec{}, mat)
	s, x := w.build()
	if total, by := gains(t, s, x, 1e-3, 300); total != 0 || x.Q[6] < 0.1 {
		t.Errorf("%s gained %g J, height %g", by, total, x.Q[6])
	}
}

// randomScene is a heap of boxes and balls, an arm with a controller, a swing with unactuated
// limbs and, in some, a deformable on top.
func randomScene(t *testing.T, seed uint64) (*Stepper, *State) {
	r := rand.New(rand.NewPCG(seed, 1))
	w := newScaffold(t)
	mat := w.material(math.Exp(math.Log(1e4)+3*r.Float64()), 20*r.Float64(), r.Float64())
	w.ground(mat)
	for i := range 4 + r.IntN(5) {
		X := r3.Pose{R: r3.RotRPY(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()), P: r3.Vec{0.2 * r.NormFloat64(), 0.2 * r.NormFloat64(), 0.2 + 0.15*float64(i)}}
		shape := w.sphere(0.03 + 0.03*r.Float64())
		if r.IntN(2) == 0 {
			shape = w.box(0.05+0.1*r.Float64(), 0.05+0.1*r.Float64(), 0.05+0.1*r.Float64())
		}
		spin := r3.Vec{3 * r.NormFloat64(), 3 * r.NormFloat64(), 3 * r.NormFloat64()}
		w.body(fmt.Sprint("body ", i), shape, math.Exp(r.NormFloat64()), X, spin, r3.Vec{r.NormFloat64(), r.NormFloat64(), -3 * r.Float64()}, mat)
	}
	parent := rigid.World
	for i := range 2 + r.IntN(4) {
		X := at(3, 0, 1)
		if i > 0 {
			X = at(0, 0, -0.3)
		}
		parent = w.link(rigid.LinkSpec{
			Name: fmt.Sprint("link ", i), Parent: parent, Joint: rigid.Revolute{Axis: r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()}, X_PF: X,
			Mass: 0.2 + r.Float64(), Com_B: r3.Vec{0, 0, -0.15}, Inertia_B: r3.Diag(r3.Vec{1e-2, 1e-2, 5e-3}),
			Stiffness: 3 * float64(r.IntN(2)), Damping: 0.05 * float64(r.IntN(2)), RotorInertia: 0.01 * float64(r.IntN(2)),
		})
		w.setV(parent, 3*r.NormFloat64())
	}
	if r.IntN(2) == 0 {
		w.soft("pad", r3.Vec{0.1, 0.08, 0.06}, [3]int{2, 2, 2}, 1e5, at(0, 0, 2), r3.Vec{0, 0, -1}, mat)
	}
	s, x := w.build()
	if r.IntN(2) == 0 { // a controller of the first joint of the arm
		dof := s.rigid.model.VStart(s.rigid.model.NumLinks() - 1)
		s.Model.Constraints = append(s.Model.Constraints, &constraints.PD{Dof: dof, Kp: 50 * r.Float64(), Kd: r.Float64(), Target: motion.Constant(r.NormFloat64())})
		s, x = start(t, s.Model, 1)
	}
	return s, x
}

// Falls, blows, friction, springs, controllers and swinging limbs give no alarm.
func TestSoundScenesGainNoEnergy(t *testing.T) {
	n := 12
	if testing.Short() {
		n = 3
	}
	for seed := range uint64(n) {
		s, x := randomScene(t, seed)
		if total, by := gains(t, s, x, 2e-3, 1000); total != 0 {
			t.Errorf("seed %d: %s gained %g J", seed, by, total)
		}
	}
}

// A restored run reports the same gains.
func TestRestoredRunsReportTheSameGains(t *testing.T) {
	s, x := randomScene(t, 3)
	gains(t, s, x, 2e-3, 50)
	saved := x.Clone()
	other, _ := start(t, s.Model, 1)
	for _, c := range []struct {
		s *Stepper
		x *State
	}{{s, x}, {other, saved}} {
		c.x.V[3] += 20
		if err := c.s.Step(c.x, 2e-3); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := s.Report.EnergyGained, other.Report.EnergyGained; a != b || a.Energy == 0 || saved.Hash() != x.Hash() {
		t.Errorf("%+v, restored %+v", a, b)
	}
}

// Limp floating chains that spin at 0.1 rad a step keep within their energy, and give no alarm.
func TestSpinningChainsGiveNoAlarm(t *testing.T) {
	const h = 0.01
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 2))
		w := newScaffold(t)
		w.Gravity = r3.Vec{}
		root := w.link(rigid.LinkSpec{Name: "base", Parent: rigid.World, Joint: rigid.Floating{}, Mass: 1, Inertia_B: r3.Diag(r3.Vec{7e-3, 6e-3, 3e-3})})
		w.setV(root, 6, 7, 4, 0.1, 0, 0)
		for i, parent := 0, root; i < 5; i++ {
			parent = w.link(rigid.LinkSpec{
				Name: fmt.Sprint("link ", i), Parent: parent, Joint: rigid.Revolute{Axis: r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()}, X_PF: at(0.1, 0, -0.2),
				Mass: 0.1 + r.Float64(), Com_B: r3.Vec{0, 0, -0.1}, Inertia_B: r3.Diag(r3.Vec{5e-3, 5e-3, 2e-3}),
			})
			w.setV(parent, 4*r.NormFloat64())
		}
		s, x := w.build()
		e0 := energy(s, x)
		if total, by := gains(t, s, x, h, 1000); total != 0 {
			t.Errorf("seed %d: %s gained %g J", seed, by, total)
		}
		s.Place(x, h)
		if e := energy(s, x); !(e < 1.2*e0) {
			t.Errorf("seed %d: energy grows from %g to %g", seed, e0, e)
		}
	}
}

// A disc that rolls about in a circle on its rim and never leaves the floor is given energy by its
// contact, which opens at the end of each step and is closed again at the start of the next: it
// is reported though the contact has been closed since the start of the run.
func TestContactThatIsClosedFromTheStartReportsItsGains(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e6, 20, 0.9)
	w.ground(mat)
	const radius, half, lean = 0.05, 0.0005, 20 * math.Pi / 180
	// spin Ω = 4 g/(R sin lean) about the vertical of a disc that rolls steadily
	spin := math.Sqrt(4 * 9.81 / (radius * math.Sin(lean)))
	R := r3.RotRPY(0, lean, 0)
	X := r3.Pose{R: R, P: r3.Vec{0, 0, radius*math.Sin(lean) + half*math.Cos(lean)}}
	w.body("disc", must(geometry.NewCylinder(radius, 2*half)), 0.4, X, R.MulVec(r3.Vec{-spin * math.Sin(lean), 0, 0}), r3.Vec{}, mat)
	s, x := w.build()
	// the rise of all energy above its least value
	total, rise, least, by := 0.0, 0.0, math.Inf(1), ""
	const h = 5e-4
	for range 4000 {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		if g := &s.Report.EnergyGained; g.Energy > 0 {
			total, by = total+g.Energy, s.GainedBy(g)
		}
		e := s.stateEnergy(x, h)
		least = min(least, e)
		rise = max(rise, e-least)
	}
	// energy falls in between, and rises again
	if !(rise > 2e-3 && total > rise-1e-3 && total < 1.5*rise+1e-3) || by != "contact of world and disc" && by != "contact of ground and disc" {
		t.Errorf("%s gained %g J, and energy rises by %g J", by, total, rise)
	}
}

// An arm is given a thousandth of its energy in each of a hundred steps, too little to be distinguished from the errors
// of a step: all but a few hundredths are reported all the same, and so they are for free bodies and deformables.
func TestGainsBelowTheToleranceOfAStepAddUp(t *testing.T) {
	const h = 1e-3
	build := func() (*Stepper, *State) {
		w := newScaffold(t)
		w.Gravity = r3.Vec{}
		mat := w.material(1e5, 10, 0.5)
		w.body("ball", w.sphere(0.05), 2, at(0, 0, 0.05), r3.Vec{}, r3.Vec{1, 0, 0}, mat)
		arm := w.link(rigid.LinkSpec{
			Name: "arm", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, X_PF: at(0, 3, 2),
			Mass: 0.5, Com_B: r3.Vec{0, 0, -0.2}, Inertia_B: r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3}),
		})
		w.setV(arm, 2)
		w.soft("cube", r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, 1e5, at(1, 0, 2), r3.Vec{1, 0, 0}, mat)
		return w.build()
	}
	s, _ := build()
	_, nv := s.Model.RigidSize()
	for name, part := range map[string][2]int{"ball": {0, 6}, "arm": {6, 7}, "cube": {nv, -1}} {
		s, x := build()
		if part[1] < 0 {
			part[1] = len(x.V)
		}
		energyOf := func() (e float64) {
			s.Place(x, h)
			return s.KineticEnergy(x)
		}
		before := energyOf()
		total, by := 0.0, ""
		for range 100 {
			for i := part[0]; i < part[1]; i++ {
				x.V[i] *= math.Sqrt(1.001)
			}
			sum, who := gains(t, s, x, h, 1)
			if total += sum; sum > 0 {
				by = who
			}
		}
		rise := energyOf() - before
		if !(total > 0.4*rise && total <= rise*1.001) || by != name {
			t.Errorf("%s: %s gained %g J of %g", name, by, total, rise)
		}
	}
}

// The time of a gain is the end of the step in which it happened, also where it is found later.
func TestGainsAreDatedByTheirStep(t *testing.T) {
	const h = 1e-3
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	arm := w.link(rigid.LinkSpec{
		Name: "arm", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, X_PF: at(0, 3, 2),
		Mass: 0.5, Com_B: r3.Vec{0, 0, -0.2}, Inertia_B: r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3}),
	})
	w.setV(arm, 2)
	s, x := w.build()
	gains(t, s, x, h, 20)
	x.V[0] *= math.Sqrt(1.1) // below the tolerance of a step
	for range 200 {
		if gains(t, s, x, h, 1); s.Report.EnergyGained.Energy > 0 {
			break
		}
	}
	g := s.Report.EnergyGained
	if !(math.Abs(g.Energy-0.1/1.1*g.Scale) < 1e-3*g.Scale) || math.Abs(g.Time-20*h) > 1e-9 {
		t.Errorf("%+v", g)
	}
}

// Springs among the constraints are in the signals of energy, and a spring that gives more than it stores is named.
func TestSpringsAmongConstraintsAreInTheBalance(t *testing.T) {
	const k, h = 200.0, 1e-4
	for name, spec := range map[string]constraints.Spec{
		"distance": &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{B: "ball"}, Length: ptr(0.3), Stiffness: ptr(k)},
		"rope":     &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{B: "ball"}, Length: ptr(0.3), Stiffness: ptr(k), Rope: true},
	} {
		w := newScaffold(t)
		w.Gravity = r3.Vec{}
		mat := w.material(1e5, 10, 0.5)
		w.body("ball", w.sphere(0.05), 2, at(0.4, 0, 0), r3.Vec{}, r3.Vec{0, 0.3, 0}, mat)
		w.AddConstraint("line", spec)
		s, x := w.build()
		s.Place(x, h)
		start := Energy{Elastic}.Value(s, x)
		near(t, name+": elastic energy", start, 0.5*k*0.1*0.1, 1e-12)
		whole := energy(s, x)
		if total, by := gains(t, s, x, h, 5000); total != 0 {
			t.Errorf("%s: %s gained %g J", name, by, total)
		}
		s.Place(x, h)
		near(t, name+": energy", energy(s, x), whole, 0.02*whole)
		// drawn longer between two steps: the body is where it is, and the spring has more to give
		s, x = w.build()
		gains(t, s, x, h, 10)
		s.Place(x, h)
		before := Energy{Elastic}.Value(s, x)
		x.Q[4] += 0.02
		s.Place(x, h)
		want := Energy{Elastic}.Value(s, x) - before
		total, by := gains(t, s, x, h, 1)
		near(t, name+": given to the spring", total, want, 0.05*want)
		if !strings.Contains(by, "line") {
			t.Errorf("%s: %s gained it", name, by)
		}
	}
}

// A soft cube of hexahedra that turns 0.4 rad in its first step gains 4 % of its energy there: the
// gain is reported as it is. At 0.01 rad a step it has none.
func TestSpinningSoftCubeReportsWhatItGainsInItsFirstStep(t *testing.T) {
	for _, h := range []float64{0.01, 0.00025} {
		w := newScaffold(t)
		w.Gravity = r3.Vec{}
		w.soft("cube", r3.Vec{0.04, 0.04, 0.04}, [3]int{3, 3, 3}, 1e7, at(0, 0, 0), r3.Vec{}, w.material(1e6, 0, 0), func(s *DeformableSpec) {
			s.Elements, s.AngularVelocity = fem.Hex12, r3.Vec{0, 0, 40}
		})
		s, x := w.build()
		s.Place(x, h)
		before := energy(s, x)
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		s.Place(x, h)
		rise := energy(s, x) - before
		got := s.GainedBefore(x, h).Energy
		if want := max(0, rise); h > 1e-3 && !(rise > 0.01*before && math.Abs(got-want) < 1e-3*want) || h < 1e-3 && got != 0 {
			t.Errorf("h = %g s: energy rises by %g J of %g, reported %g", h, rise, before, got)
		}
	}
}
