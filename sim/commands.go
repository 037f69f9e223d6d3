package sim

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
)

// commands are commands to some drives of a model, and its constraints with those of these drives bound to them.
type commands struct {
	drives      []int                   // indices into Model.Constraints
	actuations  []constraints.Actuation // by drive
	of          []constraints.Command   // by drive
	constraints []constraints.Constraint
}

// newCommands returns drives without commands.
func newCommands(all []constraints.Constraint, drives []int) commands {
	n := len(drives)
	c := commands{drives: drives, actuations: make([]constraints.Actuation, n), of: make([]constraints.Command, n), constraints: slices.Clone(all)}
	for k, i := range drives {
		d := all[i].(constraints.Commanded)
		c.actuations[k], c.constraints[i] = d.Actuation(), d.Bind(&c.of[k])
	}
	return c
}

// commandedDrives returns the drives that controllers of a model may command, in the order of their constraints.
// Without controllers there are none.
func commandedDrives(m *Model) (drives []int) {
	if len(m.Controllers) == 0 || m.Names == nil {
		return nil
	}
	for _, i := range m.Names.Drives {
		if _, ok := m.Constraints[i].(constraints.Commanded); ok {
			drives = append(drives, i)
		}
	}
	slices.Sort(drives)
	return drives
}

// commandedDrive returns the constraint of a drive that takes commands.
func (m *Model) commandedDrive(name string) (constraint int, err error) {
	if m.Names == nil {
		return 0, errors.New("the model has no names of drives")
	}
	i, ok := m.Names.Drives[name]
	if ok {
		_, ok = m.Constraints[i].(constraints.Commanded)
	}
	if why := m.uncommanded[name]; !ok && why != "" {
		return 0, fmt.Errorf("drive %q takes no commands: %s", name, why)
	}
	if !ok {
		return 0, fmt.Errorf("no drive that takes commands is called %q%s", name, kinds.Suggest(name, slices.Sorted(maps.Keys(m.Names.Drives))))
	}
	return i, nil
}

// numCommands is the number of numbers of a drive in State.Commands; NaN stands for what is not given. The input of a
// drive without a target is the first.
const numCommands = 3

// inputPlace returns the place of the input of a drive among its numbers.
func inputPlace(takes constraints.Commands) int {
	if takes&constraints.TargetCommand == 0 {
		return 0
	}
	return 2
}

// restore takes the commands of a state; before the first step it has none.
func (c *commands) restore(x *State) {
	clear(c.of)
	if len(x.Commands) == 0 {
		return
	}
	for k := range c.of {
		takes := c.actuations[k].Takes
		d, n, at := &c.of[k], x.Commands[k*numCommands:], inputPlace(takes)
		if at > 0 && !math.IsNaN(n[0]) {
			d.Given, d.Position, d.Velocity = constraints.TargetCommand, n[0], n[1]
		}
		if !math.IsNaN(n[at]) {
			d.Given, d.Input = d.Given|takes&constraints.InputCommands, n[at]
		}
	}
}

// keep writes the commands into a state.
func (c *commands) keep(x *State) {
	x.Commands = x.Commands[:0]
	for k := range c.of {
		d, n := &c.of[k], [numCommands]float64{math.NaN(), math.NaN(), math.NaN()}
		if d.Given&constraints.TargetCommand != 0 {
			n[0], n[1] = d.Position, d.Velocity
		}
		if d.Given&constraints.InputCommands != 0 {
			n[inputPlace(c.actuations[k].Takes)] = d.Input
		}
		x.Commands = append(x.Commands, n[:]...)
	}
}

// UseInputs declares the inputs of drives as the input vector u of the following steps, in this order: of controllers
// of joints, those of robots included (DRIVE.JOINT), the feed-forward effort, N or N m, of actuators the control. It is
// what SetEffort and SetInput of Control command: it replaces their own, and is zero until SetInputs. Gains and bounds
// of the drives stay. The error names a drive that does not exist or takes no commands. Without names there is no
// input.
func (s *Stepper) UseInputs(drives ...string) error {
	list := make([]int, len(drives))
	for k, name := range drives {
		i, err := s.Model.commandedDrive(name)
		if err == nil && slices.Contains(list[:k], i) {
			err = fmt.Errorf("drive %q is named twice", name)
		}
		if err != nil {
			return fmt.Errorf("sim: inputs: %w", err)
		}
		list[k] = i
	}
	s.inputs = newCommands(s.commanded.constraints, list)
	for k := range list {
		s.inputs.of[k].Given = s.inputs.actuations[k].Takes & constraints.InputCommands
	}
	return nil
}

// SetInputs sets the input u of the next steps, one number for each drive of UseInputs, N or
// N m, or the unit of a control. It panics where there are not as many.
func (s *Stepper) SetInputs(u []float64) {
	if len(u) != len(s.inputs.of) {
		panic(fmt.Sprintf("sim: %d inputs for %d drives of UseInputs: give one for each", len(u), len(s.inputs.of)))
	}
	for k, x := range u {
		s.inputs.of[k].Input = x
	}
}

// NumInputs returns the number of drives of UseInputs.
func (s *Stepper) NumInputs() int { return len(s.inputs.of) }
