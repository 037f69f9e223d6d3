package sim

// An operator drags a body by a spring between a point of it and a target, constraints.Drag. Its term follows those of
// the model in the problem of a step. There is none while nothing is dragged.

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// MaxDrags is how many points may be dragged at once.
const MaxDrags = 4

// Bounds of drags, beyond what hands and meshes of any scale need: numbers of inputs come from outside.
const (
	maxDragStiffness = 1e7 // N/m
	maxDragDamping   = 1e6 // N s/m
	maxDragForce     = 1e6 // N
	maxDragWay       = 1e4 // m, of targets and points from their origin
)

// DragInput drags a point of a body to a target, by a spring and damper with a bounded force.
type DragInput struct {
	// Slot distinguishes drags at once, 0 to MaxDrags − 1.
	Slot int `json:"slot,omitempty"`
	// Body is the name of a rigid or deformable body that can move; empty lets go.
	Body string `json:"body,omitempty"`
	// Point is the point of a rigid body, in its frame, m.
	Point r3.Vec `json:"point,omitzero"`
	// Vertex is the vertex of a deformable body.
	Vertex int `json:"vertex,omitempty"`
	// Target is where the point is dragged to, in the world, m.
	Target r3.Vec `json:"target,omitzero"`
	// Stiffness is that of the spring, N/m.
	Stiffness float64 `json:"stiffness,omitempty"`
	// Damping is that of the damper, N s/m.
	Damping float64 `json:"damping,omitempty"`
	// Force bounds the magnitude of the force, N.
	Force float64 `json:"force,omitempty"`
}

// Numbers of a drag in State.Operator.
const (
	dragBody = iota // 1 + number of the scene body; 0: nothing is dragged
	dragVertex
	dragPoint                         // 3
	dragTarget    = dragPoint + 3     // 3
	dragStiffness = dragTarget + 3    // N/m
	dragDamping   = dragStiffness + 1 // N s/m
	dragForce     = dragDamping + 1   // N
	dragNumbers   = dragForce + 1
)

// drag writes a drag into a state, or removes it.
func (o *operator) drag(m *Model, x *State, in *DragInput) error {
	if in.Slot < 0 || in.Slot >= MaxDrags {
		return fmt.Errorf("input: drag %d: slots go from 0 to %d", in.Slot, MaxDrags-1)
	}
	var at [dragNumbers]float64
	if in.Body != "" {
		number, err := checkDrag(m, in)
		if err != nil {
			return err
		}
		at[dragBody], at[dragVertex] = float64(number+1), float64(in.Vertex)
		copy(at[dragPoint:], in.Point[:])
		copy(at[dragTarget:], in.Target[:])
		at[dragStiffness], at[dragDamping], at[dragForce] = in.Stiffness, in.Damping, in.Force
	}
	// slots up to this one
	for len(x.Operator) < o.size+(in.Slot+1)*dragNumbers {
		x.Operator = append(x.Operator, 0)
	}
	copy(x.Operator[o.size+in.Slot*dragNumbers:], at[:])
	// a state in which nothing is dragged has none
	for n := len(x.Operator) - dragNumbers; n >= o.size && x.Operator[n+dragBody] == 0; n -= dragNumbers {
		x.Operator = x.Operator[:n]
	}
	return nil
}

// checkDrag returns the number of the body that is dragged, or what is wrong.
func checkDrag(m *Model, in *DragInput) (number int, err error) {
	if m.Names == nil {
		return 0, errors.New("input: drag: the model has no names of bodies")
	}
	number, ok := m.Names.Bodies[in.Body]
	if !ok {
		return 0, unknownOperated("body", in.Body, slices.Sorted(maps.Keys(m.Names.Bodies)))
	}
	if !(&Resolver{model: m}).Movable(number) {
		return 0, fmt.Errorf("input: drag: %s cannot move", in.Body)
	}
	if i := number - m.Geometry.NumRigid; i >= 0 {
		d := m.Deformables[i]
		if in.Vertex < 0 || in.Vertex >= d.NumVerts() {
			return 0, fmt.Errorf("input: drag: %s has no vertex %d: vertices go from 0 to %d", in.Body, in.Vertex, d.NumVerts()-1)
		}
		if d.Node(int32(in.Vertex)) < 0 {
			return 0, fmt.Errorf("input: drag: vertex %d of %s is fixed", in.Vertex, in.Body)
		}
	}
	for _, p := range [2]r3.Vec{in.Point, in.Target} {
		if !(p.Norm() <= maxDragWay) {
			return 0, fmt.Errorf("input: drag: point or target at %g m: at most %g m from the origin", p, maxDragWay)
		}
	}
	for _, g := range [3]struct {
		what        string
		value, most float64
	}{{"stiffness", in.Stiffness, maxDragStiffness}, {"damping", in.Damping, maxDragDamping}, {"force", in.Force, maxDragForce}} {
		if !(g.value >= 0 && g.value <= g.most) {
			return 0, fmt.Errorf("input: drag: %s is %g: it must be from 0 to %g", g.what, g.value, g.most)
		}
	}
	if in.Stiffness == 0 || in.Force == 0 {
		return 0, fmt.Errorf("input: drag: give stiffness (N/m) and force (N) above 0")
	}
	return number, nil
}

// placeDrags reads the drags of a state for the step at hand. The error reports numbers that no input can have
// written.
func (o *operator) placeDrags(s *Stepper, x *State) error {
	s.drags = s.drags[:0]
	m := s.Model
	for at := x.Operator[o.size:]; len(at) > 0; at = at[dragNumbers:] {
		if at[dragBody] == 0 {
			continue
		}
		body, vertex := int(at[dragBody])-1, int(at[dragVertex])
		d := constraints.Drag{
			Anchor: constraints.Anchor{Body: body, Pos_B: r3.Vec(at[dragPoint:])}, Target_W: r3.Vec(at[dragTarget:]),
			Stiffness: at[dragStiffness], Damping: at[dragDamping], Force: at[dragForce],
		}
		i := body - m.Geometry.NumRigid
		if i >= 0 {
			d.Anchor = constraints.VertexAnchor(body, int32(vertex))
		}
		if at[dragBody] != math.Trunc(at[dragBody]) || body < 0 || i >= len(m.Deformables) || i >= 0 && (vertex < 0 || vertex >= m.Deformables[i].NumVerts()) || d.Check() != nil {
			return fmt.Errorf("sim: state at t = %.6g s: a drag of its operator is damaged", x.Time)
		}
		s.drags = append(s.drags, d)
	}
	return nil
}

// Releases returns the inputs that let go of all that an operator holds at a state: drags, and dead-man switches.
func (s *Stepper) Releases(x *State) (list []OperatorInput) {
	o := actorOf[*operator](s)
	if len(x.Operator) < o.size {
		return nil
	}
	for slot, at := 0, x.Operator[o.size:]; len(at) > 0; slot, at = slot+1, at[dragNumbers:] {
		if at[dragBody] != 0 {
			list = append(list, OperatorInput{Drag: &DragInput{Slot: slot}})
		}
	}
	for _, t := range teleopsOf(s.Model) {
		if x.Operator[t.offset+teleopHold] != 0 {
			list = append(list, OperatorInput{Teleop: &TeleopInput{Drive: t.drive}})
		}
	}
	return list
}
