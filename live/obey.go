package live

import (
	"fmt"

	"github.com/curlfree/curlfree/record"
)

// obey does what a viewer asks for. What is wrong with it goes back to the viewer; nothing ends the session.
func (s *Session) obey(r request) {
	switch {
	// a viewer that leaves lets go of what it holds
	case r.leave:
		s.hands.leave(s, r.viewer)
		return
	// a new viewer gets a snapshot though the run stands still
	case r.join:
		s.changed = true
		return
	}
	if err := s.do(r.viewer, &r.command); err != nil {
		r.viewer.notify(err.Error())
	}
}

// do does what a command says.
func (s *Session) do(v *Viewer, c *Command) error {
	if err := c.check(); err != nil {
		return err // commands of programs in Go
	}
	switch c.Do {
	case "":
		// a session of days must not fill the memory
		if len(s.past.inputs) >= maxInputs {
			return fmt.Errorf("%d inputs are kept, and no more: reset the run", maxInputs)
		}
		return s.hands.input(s, v, c.Input)
	case DoPong:
		return nil // to the connection it says something, to the run it does not
	case DoPlay, DoStep:
		// a step from a failed state would fail again
		if s.status.Failure != "" {
			return fmt.Errorf("the run has failed: go back to an earlier time or to the start")
		}
		s.status.Paused, s.oneStep = c.Do == DoStep, c.Do == DoStep
		// time in the pause does not count for the speed
		s.pace.restart(s.now(), s.x.Time)
		s.count.reset(s.x.Time)
	// the step that is on its way ends first, since commands are read between steps
	case DoPause:
		s.status.Paused = true
	// both leave the future behind: its inputs are forgotten too
	case DoReset:
		s.begin(s.past.back(0))
	case DoJump:
		s.begin(s.past.back(c.Time))
	// the clock begins again: a faster run has nothing to catch up
	case DoSpeed:
		s.status.Speed, s.pace.speed = c.Speed, c.Speed
		s.pace.restart(s.now(), s.x.Time)
		s.count.reset(s.x.Time)
	}
	// every command but an input changes the status
	s.change()
	return nil
}

// operate gives an input to the state and keeps it.
func (s *Session) operate(in record.Input) error {
	// an input that the model refuses is not kept: a replay would fail at it
	if err := s.stepper.Operate(s.x, in.OperatorInput); err != nil {
		return err
	}
	// it is numbered by the step that it precedes, which is all that a replay needs
	s.past.add(in)
	s.count.inputs++
	// somebody waits to see what it does
	s.urgent = true
	return nil
}
