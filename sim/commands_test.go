package sim

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// winch is a drive of a kind that this package does not have: an effort of 5 N m for each unit of its input.
type winch struct {
	joint string
	dof   int
	input float64
	bound *constraints.Command
}

var _ constraints.Commanded = (*winch)(nil)

func (d *winch) AddTo(b *Builder, name string) { b.AddDriveConstraint(name, d) }

func (d *winch) Make(r *Resolver) (constraints.Constraint, error) {
	w, err := *d, error(nil)
	w.dof, err = r.Joint(d.joint)
	return &w, err
}

func (d *winch) Actuation() constraints.Actuation {
	return constraints.Actuation{Takes: constraints.EffortCommand, Along: constraints.JointSum{Dofs: []int{d.dof}, Coefficients: []float64{1}}, Gain: 5}
}

func (d *winch) Bind(c *constraints.Command) constraints.Constraint {
	w := *d
	w.bound = c
	return &w
}

func (d *winch) Append(k constraints.Kinematics, p *cliques.Problem) int {
	u := d.input
	if d.bound != nil && d.bound.Given != 0 {
		u = d.bound.Input
	}
	set := constraints.Setpoint{Dof: d.dof, FeedForward: 5 * u, Min: math.Inf(-1), Max: math.Inf(1)}
	return set.Append(k, p)
}

// unregistered are drives of robot files, and of a program of its own.
func unregistered() map[string][]Drive {
	return map[string][]Drive{
		"actuator": {
			&Actuator{Joints: []string{"arm"}, Coefficients: []float64{1}, Gain: [3]float64{2e3}, Bias: [3]float64{0, -2e3, -20}, Control: motion.Constant(0.1)},
			&Actuator{Joints: []string{"arm", "cart"}, Coefficients: []float64{0.5, -1}, Gain: [3]float64{3, -40}, Bias: [3]float64{0, -60}, Control: motion.Constant(0.2)},
		},
		"winch": {&winch{joint: "cart", input: 0.1}},
	}
}

// driveModel is the sample scene with a drive that is called drive, and a controller, if any.
func driveModel(d Drive, control func(c *Control), others ...Drive) (*Model, error) {
	b := sample("rubber", "ball", "box", "arm", "cart", "pad")
	b.Gravity = r3.Vec{}
	b.ExcludePair("ball", "box")
	b.bodyOf["ball"].spec.Velocity = r3.Vec{}
	b.AddDrive("drive", d)
	for i, d := range others {
		b.AddDrive(fmt.Sprint("other ", i), d)
	}
	if control != nil {
		b.AddController("commands", func() Controller {
			return feedback(func(c *Control) error { control(c); return nil })
		})
	}
	return b.Build()
}

// Every sample of every registered drive takes commands, from controllers and callers alike, with derivatives by its
// input, or says why it takes none.
func TestRegisteredDrivesTakeCommandsOrSayWhyNot(t *testing.T) {
	all := unregistered()
	for _, k := range Drives.Entries() {
		all[k.Name] = k.Samples()
	}
	for kind, samples := range all {
		for i, d := range samples {
			t.Run(fmt.Sprint(kind, " ", i), func(t *testing.T) {
				m := must(driveModel(d, nil))
				if p, ok := d.(Uncommanded); ok {
					checkUncommanded(t, m, p.Uncommanded())
					return
				}
				names := slices.Sorted(maps.Keys(m.Names.Drives))
				if len(names) == 0 {
					t.Fatal("it has no drive of a joint: let the kind implement Uncommanded")
				}
				checkInputs(t, m, names)
				checkControllers(t, d, m, names)
			})
		}
	}
}

// checkUncommanded checks that messages say why a drive takes no commands.
func checkUncommanded(t *testing.T, m *Model, why string) {
	err := mustStepper(t, m).UseInputs("drive")
	if len(why) < 20 || err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("error %v of a drive that takes no commands because %q", err, why)
	}
	for name, i := range m.Names.Drives {
		if _, ok := m.Constraints[i].(constraints.Commanded); ok {
			t.Errorf("%s takes commands and says that it takes none", name)
		}
	}
}

// inputsOf are inputs of drives, by which efforts are some N or N m.
func inputsOf(m *Model, names []string) []float64 {
	u := make([]float64, len(names))
	for k, name := range names {
		u[k] = (1.25 + 0.5*float64(k)) / m.Constraints[m.Names.Drives[name]].(constraints.Commanded).Actuation().Gain
	}
	return u
}

// checkInputs checks that derivatives of steps by the inputs are differences of steps.
func checkInputs(t *testing.T, m *Model, names []string) {
	s, x := mustStepper(t, m), m.Start.Clone()
	if err := s.UseInputs(names...); err != nil {
		t.Fatal(err)
	}
	const h = 1e-3
	u := inputsOf(m, names)
	s.SetInputs(u)
	run(t, s, x, h, 5)
	x.EnergyReference = nil
	l, err := s.Linearize(x, h)
	if err != nil {
		t.Fatal(err)
	}
	n, nu := l.Size()
	fx, fu := make([]float64, n*n), make([]float64, n*nu)
	if err := l.Jacobian(fx, fu); err != nil {
		t.Fatal(err)
	}
	for k := range names {
		var ends [2]*State
		width := 1e-2 / s.inputs.actuations[k].Gain
		for side, w := range [2]float64{width, -width} {
			v := slices.Clone(u)
			v[k] += w
			s.SetInputs(v)
			ends[side] = x.Clone()
			if err := s.Step(ends[side], h); err != nil {
				t.Fatal(err)
			}
		}
		most := 0.0
		for i := range x.V {
			want := (ends[0].V[i] - ends[1].V[i]) / (2 * width)
			most = max(most, math.Abs(want))
			if got := fu[(n/2+i)*nu+k]; math.Abs(got-want) > 1e-5*s.inputs.actuations[k].Gain*h {
				t.Errorf("%s: velocity %d changes by %g per unit of the input, want %g", names[k], i, got, want)
			}
		}
		if most == 0 {
			t.Errorf("%s: the input moves nothing", names[k])
		}
	}
	// what is no number is no absence of a command
	s.SetInputs(slices.Repeat([]float64{math.NaN()}, len(u)))
	if err := s.Step(x, h); err == nil {
		t.Error("a step with an input that is no number has no error")
	}
}

// checkControllers checks that commands of a controller are those of the caller, that a target moves the drive if it
// takes one, and that a controller without commands, or one that released all, changes nothing.
func checkControllers(t *testing.T, d Drive, m *Model, names []string) {
	const h, steps = 1e-3, 10
	u := inputsOf(m, names)
	end := func(control func(c *Control), inputs bool) *State {
		s, x := mustStepper(t, must(driveModel(d, control))), m.Start.Clone()
		if inputs {
			if err := s.UseInputs(names...); err != nil {
				t.Fatal(err)
			}
			s.SetInputs(inputsOf(m, names))
		}
		run(t, s, x, h, steps)
		return x
	}
	takes := m.Constraints[m.Names.Drives[names[0]]].(constraints.Commanded).Actuation().Takes
	set := func(c *Control) {
		for k, name := range names {
			if takes&constraints.ControlCommand != 0 {
				c.SetInput(name, u[k])
			} else {
				c.SetEffort(name, u[k])
			}
		}
	}
	own, called, commanded := end(nil, false), end(nil, true), end(set, false)
	// a plan of these inputs, without feedback
	plan := &Policy{Step: h, Drives: names}
	for range steps {
		plan.Efforts, plan.States = append(plan.Efforts, u), append(plan.States, slices.Concat(own.Q, own.V))
		plan.Feedback = append(plan.Feedback, make([]float64, 2*len(own.V)*len(names)))
	}
	planned := m.Start.Clone()
	run(t, mustStepper(t, must(driveModel(d, nil, &PolicyDrive{Policy: plan}))), planned, h, steps)
	idle := end(func(*Control) {}, false)
	released := end(func(c *Control) {
		set(c)
		for _, name := range names {
			c.Release(name)
		}
	}, false)
	for i := range own.V {
		if called.V[i] != commanded.V[i] || called.V[i] != planned.V[i] || own.V[i] != idle.V[i] || own.V[i] != released.V[i] {
			t.Errorf("velocity %d: inputs %g, commands %g, of a plan %g; own %g, controller without commands %g, released %g", i, called.V[i], commanded.V[i], planned.V[i], own.V[i], idle.V[i], released.V[i])
		}
	}
	if slices.Equal(own.V, called.V) {
		t.Error("inputs do nothing")
	}
	if takes&constraints.TargetCommand == 0 {
		return
	}
	aimed := end(func(c *Control) {
		for _, name := range names {
			c.SetTarget(name, -0.3, 0.2)
		}
	}, false)
	if gains := hasGains(d); gains == slices.Equal(aimed.V, own.V) {
		t.Errorf("the drive has gains: %v; targets move it: %v", gains, !gains)
	}
}

// hasGains reports whether a drive has gains, by which targets act.
func hasGains(d Drive) bool {
	m, ok := d.(*MotorDrive)
	return !ok || m.Kp > 0 || m.Kd > 0
}

// Inputs of the caller go before commands of controllers, whose targets stay.
func TestInputsGoBeforeCommandsOfControllers(t *testing.T) {
	d := &JointDrive{Joint: "cart", Kp: 100, Kd: 5}
	end := func(effort float64, inputs ...float64) float64 {
		m := must(driveModel(d, func(c *Control) {
			c.SetTarget("drive", 0.1, 0)
			c.SetEffort("drive", effort)
		}))
		s, x := mustStepper(t, m), m.Start.Clone()
		if len(inputs) > 0 {
			if err := s.UseInputs("drive"); err != nil {
				t.Fatal(err)
			}
			s.SetInputs(inputs)
		}
		run(t, s, x, 1e-3, 10)
		return x.V[m.Joint("cart")]
	}
	if got, want := end(7, 2), end(2); got != want || got == end(7) {
		t.Errorf("%g with an input, %g with a command of as much", got, want)
	}
}
