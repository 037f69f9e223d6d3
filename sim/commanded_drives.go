package sim

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
)

// A drive is commanded by three numbers, NaN where the drive keeps its own.
const (
	targetPosition    = iota // m or rad; of actuators the input u
	targetVelocity           // m/s or rad/s
	feedForwardEffort        // N or N m
	numCommands
)

// driveCommand are the commands of a drive.
type driveCommand [numCommands]float64

// noCommand leaves a drive its own target.
var noCommand = driveCommand{math.NaN(), math.NaN(), math.NaN()}

// or returns a command, or what the drive has of its own.
func (c *driveCommand) or(which int, own float64) float64 {
	if math.IsNaN(c[which]) {
		return own
	}
	return c[which]
}

// commandKind describes what commands a drive takes.
type commandKind int

const (
	setsTarget commandKind = 1 << iota // SetTarget, SetEffort
	setsInput                          // SetInput
)

// setters names the methods of Control for a drive, for messages.
func (k commandKind) setters() string {
	if k == setsInput {
		return "SetInput"
	}
	return "SetTarget or SetEffort"
}

// commandedDrive is a drive that controllers may command.
type commandedDrive struct {
	kind    commandKind
	command driveCommand
}

// over returns a function of time that a command replaces; own may be nil, for zero.
func (d *commandedDrive) over(which int, own func(t float64) float64) func(t float64) float64 {
	return func(t float64) float64 {
		x := 0.0
		if own != nil {
			x = own(t)
		}
		return d.command.or(which, x)
	}
}

// commandedTarget is the target of a commanded drive.
type commandedTarget struct {
	drive *commandedDrive
	own   constraints.Target
}

// At implements constraints.Target.
func (t commandedTarget) At(time float64) (q, v float64) {
	if t.own != nil { // nil stands for zero
		q, v = t.own.At(time)
	}
	return t.drive.command.or(targetPosition, q), t.drive.command.or(targetVelocity, v)
}

// commandedDrives are the drives of a model that its controllers may command, in the order of
// their constraints. Without controllers there are none.
type commandedDrives struct {
	drives []commandedDrive
	number map[string]int // by the name of the drive
	robots [][]int        // numbers of the drives of each robot's joints
	// constraints are the model's, with those of commanded drives replaced
	constraints []constraints.Constraint
}

// newCommandedDrives returns the drives of a model without commands.
func newCommandedDrives(m *Model) commandedDrives {
	c := commandedDrives{constraints: m.Constraints}
	if len(m.Controllers) == 0 || m.Names == nil {
		return c
	}
	names := make(map[int]string, len(m.Names.Drives)) // by constraint
	for name, i := range m.Names.Drives {
		names[i] = name
	}
	c.constraints = append([]constraints.Constraint(nil), m.Constraints...)
	c.robots = make([][]int, len(m.robots))
	// constraints refer to elements of this slice, which does not grow
	c.drives, c.number = make([]commandedDrive, 0, len(names)), make(map[string]int, len(names))
	for i := range m.Constraints {
		name, ok := names[i]
		if !ok {
			continue
		}
		k := len(c.drives)
		kind := c.command(i, k)
		if kind == 0 {
			continue
		}
		c.drives = append(c.drives, commandedDrive{kind, noCommand})
		c.number[name] = k
	}
	return c
}

// command makes constraint i obey drive k, the next of the list, and returns what commands it takes;
// 0: none.
func (c *commandedDrives) command(i, k int) commandKind {
	d := &c.drives[:k+1][k] // within the capacity
	switch own := c.constraints[i].(type) {
	case *constraints.PD:
		pd := *own
		pd.Target = commandedTarget{d, own.Target}
		pd.FeedForward = d.over(feedForwardEffort, own.FeedForward)
		c.constraints[i] = &pd
		return setsTarget
	case *constraints.Motor:
		motor := *own
		motor.Target = commandedTarget{d, own.Target}
		motor.FeedForward = d.over(feedForwardEffort, own.FeedForward)
		c.constraints[i] = &motor
		return setsTarget
	case robotJoint:
		c.robots[own.robot] = append(c.robots[own.robot], k)
		return setsTarget
	case *constraints.Actuator:
		actuator := *own
		actuator.Control = d.over(targetPosition, own.Control)
		c.constraints[i] = &actuator
		return setsInput
	}
	return 0
}

// restore takes the commands of a state; before the first step it has none.
func (c *commandedDrives) restore(x *State) {
	for k := range c.drives {
		d := &c.drives[k]
		d.command = noCommand
		if len(x.Commands) > 0 {
			copy(d.command[:], x.Commands[k*numCommands:])
		}
	}
}

// keep writes the commands into a state.
func (c *commandedDrives) keep(x *State) {
	x.Commands = x.Commands[:0]
	for k := range c.drives {
		x.Commands = append(x.Commands, c.drives[k].command[:]...)
	}
}

// direct replaces the setpoints of a robot by the commands of its joints. The effort comes on top of
// what the robot compensates, so that it is added by addEfforts.
func (c *commandedDrives) direct(robot int, at *robotSetpoint) {
	if len(c.drives) == 0 {
		return
	}
	for joint, k := range c.robots[robot] {
		cmd := &c.drives[k].command
		if !math.IsNaN(cmd[targetPosition]) {
			// a command has no acceleration that inverse dynamics could plan
			at.q[joint], at.v[joint], at.a[joint] = cmd[targetPosition], cmd[targetVelocity], 0
		}
	}
}

// addEfforts adds the commanded efforts to the feed forward of a robot; compensated reports that it was
// computed in this step.
func (c *commandedDrives) addEfforts(robot int, dofs []int, compensated bool, at *robotSetpoint) {
	if len(c.drives) == 0 {
		return
	}
	for joint, k := range c.robots[robot] {
		dof := dofs[joint]
		if !compensated {
			at.feedForward[dof] = 0
		}
		at.feedForward[dof] += c.drives[k].command.or(feedForwardEffort, 0)
	}
}
