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

// commandedDrives returns the drives of a model that take commands, in the order of their constraints.
func commandedDrives(m *Model) (drives []int) {
	if m.Names == nil || m.commanded != nil {
		return m.commanded
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
		n := commandNumbers(&c.of[k], c.actuations[k].Takes)
		x.Commands = append(x.Commands, n[:]...)
	}
}

// commandNumbers returns the numbers of a command to a drive in State.Commands.
func commandNumbers(d *constraints.Command, takes constraints.Commands) [numCommands]float64 {
	n := [numCommands]float64{math.NaN(), math.NaN(), math.NaN()}
	if d.Given&constraints.TargetCommand != 0 {
		n[0], n[1] = d.Position, d.Velocity
	}
	if d.Given&constraints.InputCommands != 0 {
		n[inputPlace(takes)] = d.Input
	}
	return n
}

// Takes returns the commands that a drive takes. The error says why there are none.
func (m *Model) Takes(drive string) (constraints.Commands, error) {
	i, err := m.commandedDrive(drive)
	if err != nil {
		return 0, err
	}
	return m.Constraints[i].(constraints.Commanded).Actuation().Takes, nil
}

// Command commands a drive in all steps from a state on, as a caller outside of the simulation does between steps: a
// target, a feed-forward effort or a control in place of its own. The command replaces the one before it; an empty one
// gives the drive its own again. It is part of the state. The error leaves the state unchanged.
func (m *Model) Command(x *State, drive string, c constraints.Command) error {
	i, err := m.commandedDrive(drive)
	if err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	takes := m.Constraints[i].(constraints.Commanded).Actuation().Takes
	switch {
	case c.Given&^takes&constraints.TargetCommand != 0:
		return fmt.Errorf("sim: drive %q takes no target: command its input", drive)
	case c.Given&constraints.InputCommands != 0 && takes&constraints.InputCommands == 0:
		return fmt.Errorf("sim: drive %q takes no input: command its target", drive)
	}
	n := commandNumbers(&c, takes)
	for k, number := range n {
		given := k < 2 && c.Given&constraints.TargetCommand != 0 || k == inputPlace(takes) && c.Given&constraints.InputCommands != 0
		if given && (math.IsNaN(number) || math.IsInf(number, 0)) {
			return fmt.Errorf("sim: drive %q: a command of %g: it must be finite", drive, number)
		}
	}
	drives := commandedDrives(m)
	if len(x.Commands) != numCommands*len(drives) {
		x.Commands = x.Commands[:0]
		for range numCommands * len(drives) {
			x.Commands = append(x.Commands, math.NaN())
		}
	}
	k, _ := slices.BinarySearch(drives, i)
	copy(x.Commands[k*numCommands:], n[:])
	// a state without commands is that of a run that never had any
	if len(m.Controllers) == 0 && !slices.ContainsFunc(x.Commands, func(c float64) bool { return !math.IsNaN(c) }) {
		x.Commands = x.Commands[:0]
	}
	return nil
}

// obeyCommands has drives obey the commands of a state. Under controllers these do it.
func (s *Stepper) obeyCommands(x *State) error {
	if len(s.Model.Controllers) > 0 || len(x.Commands) == 0 && len(s.commanded.of) == 0 {
		return nil
	}
	// most steppers never see commands, so that drives are bound to them for the first one
	if len(s.commanded.of) == 0 {
		inputs := s.inputs
		s.commanded = newCommands(s.Model.Constraints, commandedDrives(s.Model))
		s.inputs = newCommands(s.commanded.constraints, inputs.drives)
		copy(s.inputs.of, inputs.of)
	}
	if have, want := len(x.Commands), numCommands*len(s.commanded.drives); have != 0 && have != want {
		return fmt.Errorf("sim: state at t = %.6g s: it has %d commands of drives, the model %d: it was saved by a run of another model", x.Time, have, want)
	}
	s.commanded.restore(x)
	return nil
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
