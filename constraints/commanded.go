package constraints

// Commands of drives. What a drive does by functions of time, a controller or a caller may command instead: a target,
// or an input u that enters the effort linearly,
//
//	f(u) = f(0) + u ∂f/∂u                                                          (1)
//
// which is the feed-forward effort of controllers of joints (∂f/∂u = 1), and the control of actuators.

// Commands is a set of commands that a drive takes.
type Commands uint8

const (
	// TargetCommand replaces the target: position and velocity.
	TargetCommand Commands = 1 << iota
	// EffortCommand is an input that replaces the feed-forward effort.
	EffortCommand
	// ControlCommand is an input that replaces the control of an actuator.
	ControlCommand

	// InputCommands are those that set the input.
	InputCommands = EffortCommand | ControlCommand
)

// Command is what is commanded to a drive.
type Command struct {
	// Given are the commands that count. For the others the drive does what it does of its own.
	Given Commands
	// Position and Velocity are the target at the end of the step, m or rad, and per second.
	Position, Velocity float64
	// Input is u of (1): N or N m of a feed-forward effort, of an actuator the unit of its control.
	Input float64
}

// Actuation describes the effort of a drive.
type Actuation struct {
	// Takes are the commands that the drive takes, of the inputs one.
	Takes Commands
	// Along is the sum of joint positions along which the effort acts.
	Along JointSum
	// Gain is the magnitude of ∂f/∂u, N or N m per unit of the input; of a gain that follows the motion its scale, not
	// 0.
	Gain float64
}

// Commanded is a Constraint of a drive that takes commands. It moves joints by efforts, and ties none (Tie).
type Commanded interface {
	Constraint
	// Actuation returns its effort, which does not depend on the motion.
	Actuation() Actuation
	// Bind returns the constraint as it is under a command, which it reads in each step. What the command
	// does not give is as without it, so that a bound constraint may be bound again.
	Bind(c *Command) Constraint
}

// Following is a Commanded that follows a function of time, whatever the motion.
type Following interface {
	Commanded
	// TargetAt returns the wanted position (m or rad) and velocity (m/s or rad/s) of Actuation.Along at time t (s); ok
	// is false without a target.
	TargetAt(t float64) (x, dx float64, ok bool)
}

// boundTarget is a target that a command replaces.
type boundTarget struct {
	command *Command
	own     Target // nil: zero
}

// At implements Target.
func (t boundTarget) At(time float64) (x, dx float64) {
	switch {
	case t.command.Given&TargetCommand != 0:
		return t.command.Position, t.command.Velocity
	case t.own != nil:
		return t.own.At(time)
	}
	return 0, 0
}

// boundInput returns a function of time that the input of a command replaces; own may be nil, for zero.
func boundInput(c *Command, own func(t float64) float64) func(t float64) float64 {
	return func(t float64) float64 {
		switch {
		case c.Given&InputCommands != 0:
			return c.Input
		case own != nil:
			return own(t)
		}
		return 0
	}
}
