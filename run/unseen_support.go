package run

// Steps in which robots with floating bases stand on bodies from which the feed forward of their drives takes no
// support. Counts are kept in checkpoints, as those of open loops are.

import (
	"fmt"

	"github.com/curlfree/curlfree/sim"
)

// unseenSupports counts such steps.
type unseenSupports struct {
	steps      int
	first      float64 // start of the first one, s
	link, body int     // of it
}

// unseenSupportsNumbers is the length of an unseenSupports in the memory of a checkpoint.
const unseenSupportsNumbers = 4

// unseenSupportsOf returns the unseenSupports that appendTo stored.
func unseenSupportsOf(m []float64) unseenSupports {
	return unseenSupports{int(m[0]), m[1], int(m[2]), int(m[3])}
}

// appendTo returns a copy of a checkpoint's memory with the counts appended.
func (u *unseenSupports) appendTo(memory []float64) []float64 {
	n := len(memory)
	return append(memory[:n:n], float64(u.steps), u.first, float64(u.link), float64(u.body))
}

// add adds a step that begins at a time, s.
func (u *unseenSupports) add(r *sim.UnseenSupport, time float64) {
	if r.Drive == "" {
		return
	}
	if u.steps == 0 {
		u.first, u.link, u.body = time, r.Link, r.Body
	}
	u.steps++
}

// warning is the warning of a run with such steps; otherwise empty.
func (u *unseenSupports) warning(s *sim.Stepper) string {
	if u.steps == 0 {
		return ""
	}
	link, body := s.BodyName(u.link), s.BodyName(u.body)
	return fmt.Sprintf("in %d steps, first at t = %.6g s, %s stands on %s, which joints let move: feed forward of the robot takes no support from it, and what it would carry weighs on the other feet, or on none: fix %s, or set gravity_compensation and inverse_dynamics to false", u.steps, u.first, link, body, body)
}
