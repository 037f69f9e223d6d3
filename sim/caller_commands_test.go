package sim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/motion"
)

// A caller that commands a drive between steps does what a controller does that commands the same.
func TestCommandsOfCallersAreThoseOfControllers(t *testing.T) {
	const h = 0.01
	targets := []float64{0.1, 0.1, -0.2, 0.3, 0.3}
	drive := &JointDrive{Joint: "slide", Kp: 200, Kd: 20, Target: motion.Constant(0.05)}
	step := 0
	controlled := cartModel(drive, func() Controller {
		return feedback(func(c *Control) error {
			c.SetTarget("motor", targets[min(c.State.Step, len(targets)-1)], 0)
			if c.State.Step == 2 {
				c.SetEffort("motor", 3)
			}
			return nil
		})
	})
	want := stepTimes(t, controlled, len(targets), h)

	m := cartModel(drive)
	x := m.Start.Clone()
	for ; step < len(targets); step++ {
		// a stepper of its own for each step: commands are of the state
		s, err := NewStepper(m, Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		c := constraints.Command{Given: constraints.TargetCommand, Position: targets[step]}
		if step >= 2 {
			c.Given, c.Input = c.Given|constraints.EffortCommand, 3
		}
		if err := m.Command(x, "motor", c); err != nil {
			t.Fatal(err)
		}
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	if !slices.Equal(x.Q, want.Q) || !slices.Equal(x.V, want.V) {
		t.Errorf("commanded by the caller: q = %v, v = %v; by a controller: q = %v, v = %v", x.Q, x.V, want.Q, want.V)
	}
}

// A drive that is released has its own target again, and the state is one of a run without commands; a stepper that
// has seen commands takes the same steps as one that has not.
func TestReleasedDrivesAreThoseOfARunWithoutCommands(t *testing.T) {
	m := cartModel(&JointDrive{Joint: "slide", Kp: 200, Kd: 20, Target: motion.Constant(0.05)})
	s, err := NewStepper(m, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	x := m.Start.Clone()
	if err := m.Command(x, "motor", constraints.Command{Given: constraints.TargetCommand, Position: 1}); err != nil {
		t.Fatal(err)
	}
	if err := s.Step(x, 0.01); err != nil {
		t.Fatal(err)
	}
	if err := m.Command(x, "motor", constraints.Command{}); err != nil {
		t.Fatal(err)
	}
	if len(x.Commands) != 0 {
		t.Errorf("commands after the release: %v", x.Commands)
	}
	x = m.Start.Clone()
	for range 10 {
		if err := s.Step(x, 0.01); err != nil {
			t.Fatal(err)
		}
	}
	if want := stepTimes(t, m, 10, 0.01); x.Hash() != want.Hash() {
		t.Errorf("hash %s after commands of another state, %s without", x.Hash(), want.Hash())
	}
}

// The derivative of a commanded step is that of differences.
func TestCommandedStepsHaveDerivatives(t *testing.T) {
	m := cartModel(&JointDrive{Joint: "slide", Kp: 200, Kd: 20, Target: motion.Constant(0.05)})
	s, err := NewStepper(m, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	x := m.Start.Clone()
	if err := m.Command(x, "motor", constraints.Command{Given: constraints.TargetCommand, Position: 0.7}); err != nil {
		t.Fatal(err)
	}
	l, err := s.Linearize(x, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	var end State
	l.End(&end)
	if err := s.Step(x, 0.01); err != nil {
		t.Fatal(err)
	}
	if math.Abs(end.Q[0]-x.Q[0]) > 1e-12 {
		t.Errorf("the linearization ends at %g, the step at %g", end.Q[0], x.Q[0])
	}
}

func TestCommandsThatDrivesDoNotTakeAreRefused(t *testing.T) {
	m := cartModel(&JointDrive{Joint: "slide", Kp: 200, Kd: 20})
	x := m.Start.Clone()
	for _, c := range []struct {
		drive string
		given constraints.Command
		want  string
	}{
		{"moter", constraints.Command{Given: constraints.TargetCommand}, `did you mean "motor"`},
		{"motor", constraints.Command{Given: constraints.TargetCommand, Position: math.NaN()}, "finite"},
		{"motor", constraints.Command{Given: constraints.EffortCommand, Input: math.Inf(1)}, "finite"},
	} {
		err := m.Command(x, c.drive, c.given)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: error %v, want %q", c.drive, c.given, err, c.want)
		}
		if len(x.Commands) != 0 {
			t.Errorf("%s: the state has commands after an error", c.drive)
		}
	}
	x.Commands = []float64{1}
	s, err := NewStepper(m, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Step(x, 0.01); err == nil || !strings.Contains(err.Error(), "another model") {
		t.Errorf("a state with one command: error %v", err)
	}
}
