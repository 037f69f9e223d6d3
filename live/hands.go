package live

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// hands are what viewers do with the run at the moment: who drags, and who steers. A robot is steered by one viewer at
// a time. Who holds a body or a switch has to say so again and again: what a viewer held that falls silent, or leaves,
// is let go, and is not held again before the viewer said that it lets go.
type hands struct {
	model  *sim.Model
	steers map[string]*steering // by the drive
	// a slot for each body that is dragged
	dragging [sim.MaxDrags]dragging
	// lapsed fell silent with a body in the hand, and have to let go before they drag again.
	lapsed map[*Viewer]bool
}

// dragging is a body under the hand of a viewer.
type dragging struct {
	viewer *Viewer // nil: the slot is free
	// last is the input that the state has; repeated ones are not kept again.
	last sim.DragInput
	// at is when the viewer last said that it holds the body.
	at time.Time
}

// steering is a robot under the hand of a viewer.
type steering struct {
	viewer *Viewer // nil: none holds the switch
	lapsed *Viewer // fell silent with the switch held, and has to release it before it steers again
	// last is the input that the state has; repeated ones are not kept again.
	last sim.TeleopInput
	// at is when the viewer last confirmed the switch.
	at time.Time
}

// deadline is the time after which a body or a switch is let go whose holding is not confirmed. Pages confirm it every
// 100 ms.
const deadline = 400 * time.Millisecond

// newHands returns hands that do nothing.
func newHands(m *sim.Model) hands {
	return hands{model: m, steers: map[string]*steering{}, lapsed: map[*Viewer]bool{}}
}

// forget lets go of everything, since the state was replaced by one that has other hands.
func (d *hands) forget() { *d = newHands(d.model) }

// input does an input of a viewer.
func (d *hands) input(s *Session, v *Viewer, in *sim.OperatorInput) error {
	// a copy: the caller may use the input again
	given := *in
	switch {
	case in.Drag != nil && in.Set == nil && in.Teleop == nil:
		return d.drag(s, v, *in.Drag)
	case in.Teleop != nil && in.Set == nil && in.Drag == nil:
		return d.steer(s, v, in.Teleop)
	}
	err := s.operate(record.Input{Step: s.x.Step, OperatorInput: given})
	// refused inputs change nothing, so that nobody has to hear of them
	if err == nil {
		s.change() // other viewers have the same sliders
	}
	return err
}

// drag drags with the hand of a viewer. Spring, damper and bound of the force that the viewer leaves out follow from
// the mass of the body.
func (d *hands) drag(s *Session, v *Viewer, in sim.DragInput) error {
	// the slot that this viewer has, or else the first free one
	slot := -1
	for i := range d.dragging {
		by := d.dragging[i].viewer
		if by == v || slot < 0 && by == nil {
			slot = i
		}
		// a viewer has one hand: it moves the body that it holds
		if by == v {
			break
		}
	}
	// no body: the viewer lets go
	if in.Body == "" {
		delete(d.lapsed, v)
		if slot >= 0 && d.dragging[slot].viewer == v {
			return d.letGo(s, slot)
		}
		return nil
	}
	// a page that answers again may still draw a hand that nobody holds
	if d.lapsed[v] {
		return nil
	}
	if slot < 0 {
		return fmt.Errorf("%d bodies are dragged already", sim.MaxDrags)
	}
	// heavier bodies get stiffer springs, so that all follow the hand about as fast
	// 0 for bodies that the model does not have, which it refuses by name
	mass := d.mass(in.Body)
	if in.Stiffness == 0 {
		in.Stiffness = dragStiffness + mass*dragRate*dragRate
	}
	if in.Damping == 0 {
		in.Damping = 2 * math.Sqrt(in.Stiffness*mass) // critical
	}
	if in.Force == 0 {
		in.Force = dragForce + dragWeights*mass*s.scene.Model.Gravity.Norm()
	}
	in.Slot = slot
	// what is only confirmed is no input
	if at := &d.dragging[slot]; at.viewer != v || !reflect.DeepEqual(at.last, in) {
		// the slot is taken only if the model accepts the input, and the log has a copy of its own
		kept := in
		if err := s.operate(record.Input{Step: s.x.Step, OperatorInput: sim.OperatorInput{Drag: &kept}}); err != nil {
			return err
		}
		at.viewer, at.last = v, in
	}
	d.dragging[slot].at = s.now()
	return nil
}

// Springs of drags that viewers do not choose: as soft as a finger on a small body, and stiff enough to move a heavy
// one within a second.
const (
	dragStiffness = 100 // N/m
	dragRate      = 8   // 1/s
	dragForce     = 20  // N
	dragWeights   = 3   // of the body
)

// mass returns the mass of a body, kg; 0 for unknown ones.
func (d *hands) mass(body string) float64 {
	// deformable bodies are numbered behind the rigid ones
	n, ok := d.model.Names.Bodies[body]
	if i := n - d.model.Geometry.NumRigid; ok && i >= 0 {
		return d.model.Deformables[i].Mass()
	} else if ok && n >= 0 {
		return d.model.Rigid.Link(n).Mass
	}
	return 0
}

// letGo ends a drag.
func (d *hands) letGo(s *Session, slot int) error {
	d.dragging[slot] = dragging{}
	return s.operate(record.Input{Step: s.x.Step, OperatorInput: sim.OperatorInput{Drag: &sim.DragInput{Slot: slot}}})
}

// steer moves a robot with the hand of a viewer.
func (d *hands) steer(s *Session, v *Viewer, in *sim.TeleopInput) error {
	now := s.now()
	at := d.steers[in.Drive]
	if at != nil && at.viewer != nil && at.viewer != v {
		if !in.Hold {
			return nil // it does not hold the switch: nothing changes
		}
		return errors.New("somebody else steers this robot")
	}
	// a page that answers again may still say that a key is down which nobody watches
	if at != nil && at.lapsed == v {
		if in.Hold {
			return nil
		}
		at.lapsed = nil
	}
	// what is only confirmed is no input
	if at == nil || at.viewer == nil && in.Hold || !reflect.DeepEqual(at.last, *in) {
		kept := *in
		if err := s.operate(record.Input{Step: s.x.Step, OperatorInput: sim.OperatorInput{Teleop: &kept}}); err != nil {
			return err
		}
		if at == nil {
			at = &steering{}
			d.steers[in.Drive] = at
		}
		at.last = kept
	}
	// the switch stays with a viewer only while it says Hold
	// of the clock, not of the run: a slow run lets go as soon as a fast one
	at.at, at.viewer = now, nil
	if in.Hold {
		at.viewer = v
	}
	return nil
}

// expire lets go of bodies and switches that were not confirmed in time.
func (d *hands) expire(s *Session, now time.Time) {
	for slot := range d.dragging {
		if at := d.dragging[slot]; at.viewer != nil && now.Sub(at.at) > deadline {
			at.viewer.notify("the body was let go: no word for 0.4 s; release it, and drag it again")
			d.lapsed[at.viewer] = true
			_ = d.letGo(s, slot) // letting go is always accepted
		}
	}
	for _, at := range d.inOrder() {
		if at.viewer != nil && now.Sub(at.at) > deadline {
			at.viewer.notify("the dead-man switch was let go: no word for 0.4 s; release it, and hold it again")
			// remembered, since the page may come back with the key still down in its mind
			at.lapsed = at.viewer
			d.stop(s, at)
		}
	}
}

// inOrder returns who steers by the names of drives, so that switches that are let go at once stand in the log in one
// order.
func (d *hands) inOrder() []*steering {
	var list []*steering
	for _, drive := range slices.Sorted(maps.Keys(d.steers)) {
		list = append(list, d.steers[drive])
	}
	return list
}

// stop lets go of the switch of a robot.
func (d *hands) stop(s *Session, at *steering) {
	at.viewer = nil
	// the zero input of this robot: no speed, and the switch open
	at.last = sim.TeleopInput{Drive: at.last.Drive}
	// a copy for the log, since the next command of this robot changes the other
	last := at.last
	// the drive exists, so that the input is accepted
	_ = s.operate(record.Input{Step: s.x.Step, OperatorInput: sim.OperatorInput{Teleop: &last}})
}

// leave ends all that a viewer does.
func (d *hands) leave(s *Session, v *Viewer) {
	for slot := range d.dragging {
		if d.dragging[slot].viewer == v {
			_ = d.letGo(s, slot) // letting go is always accepted
		}
	}
	delete(d.lapsed, v)
	for _, at := range d.inOrder() {
		if at.viewer == v {
			d.stop(s, at)
		}
	}
}
