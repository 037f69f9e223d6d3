package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/curlfree/curlfree/sim"
)

// MaxMessage is the largest message of a viewer, bytes.
const MaxMessage = 4096

// Command is what a viewer asks of a session.
type Command struct {
	// Do is one of the words of Do…, or empty where Input is given.
	Do string `json:"do,omitempty"`
	// Speed is the simulated time in a second, for DoSpeed; 0: as fast as possible.
	Speed float64 `json:"speed,omitempty"`
	// Time is the simulated time to go back to, s, for DoJump.
	Time float64 `json:"time,omitempty"`
	// Fields are the names of the fields that the viewer wants, for DoFields.
	Fields []string `json:"fields,omitempty"`
	// Input is an input of the operator.
	Input *sim.OperatorInput `json:"input,omitempty"`
}

// Words of Command.Do.
const (
	DoPlay   = "play"   // continue
	DoPause  = "pause"  // stop after the present step
	DoStep   = "step"   // take one step and stop
	DoReset  = "reset"  // go back to the start
	DoJump   = "jump"   // go back to the last saved state up to Time
	DoSpeed  = "speed"  // change the speed
	DoFields = "fields" // choose the fields that this viewer receives
	DoPong   = "pong"   // the viewer is there: the answer to {"ping": true}
)

// MaxSpeed is the largest speed of a session, simulated seconds in a second.
const MaxSpeed = 100

// leastSpeed is the least one above 0: slower runs stand still to the eye, and paused ones say so.
const leastSpeed = 1e-3

// CheckSpeed returns an error unless a speed is one that a session can have.
func CheckSpeed(speed float64) error {
	if speed == 0 || speed >= leastSpeed && speed <= MaxSpeed {
		return nil
	}
	return fmt.Errorf("a speed of %g: it goes from %g to %d, and 0 is as fast as possible", speed, leastSpeed, MaxSpeed)
}

// maxFields bounds the fields that a viewer names.
const maxFields = 16

// ParseCommand reads a message of a viewer. The error says what is wrong with it.
func ParseCommand(message []byte) (Command, error) {
	// at most MaxMessage bytes, so that the decoder needs little memory
	var c Command
	if len(message) > MaxMessage {
		return c, fmt.Errorf("a message of %d bytes: at most %d are read", len(message), MaxMessage)
	}
	// unknown keys are errors: a misspelt one would be obeyed in part
	d := json.NewDecoder(bytes.NewReader(message))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("this is no command: %w", err)
	}
	// a second object in the message would be passed over in silence
	if _, err := d.Token(); err != io.EOF {
		return c, errors.New("this is no command: one object a message is expected")
	}
	return c, c.check()
}

// check reports what is wrong with a command, but for inputs, which the model checks.
func (c *Command) check() error {
	switch c.Do {
	case "":
		// inputs themselves are checked by the model, which has names and ranges
		if c.Input == nil {
			return errors.New("this is no command: give do or input")
		}
		return nil
	case DoPlay, DoPause, DoStep, DoReset, DoPong:
	case DoJump:
		// times beyond the run are none: the nearest saved state is taken
		if math.IsNaN(c.Time) || math.IsInf(c.Time, 0) {
			return fmt.Errorf("jump: %g is no time", c.Time)
		}
	case DoSpeed:
		if err := CheckSpeed(c.Speed); err != nil {
			return err
		}
	case DoFields:
		// unknown names are left out by the encoder, but long lists cost time in each frame
		if len(c.Fields) > maxFields {
			return fmt.Errorf("%d fields: at most %d are sent", len(c.Fields), maxFields)
		}
	default:
		return fmt.Errorf("unknown command %q", c.Do)
	}
	if c.Input != nil {
		return errors.New("give do or input, not both")
	}
	return nil
}
