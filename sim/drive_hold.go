package sim

// A hold is a weld of two bodies that is switched during the run, as by a suction cup, a magnet, a gripper that locks
// or a tool changer. It is open, holds, or is broken:
//
//	open → holding    while it is on (a motion of time above 0, a signal within its bounds), and the bodies touch where it asks for that
//	holding → open    when it is off
//	holding → broken  when the force |F_weld + Σ F_contact| or the moment |M_weld|, means over the step, is above 1.0001 times its bound
//	broken → open     when it is off
//
// F_contact are the forces of contacts between the two bodies: a cup that is pressed on carries what pulls at it, not
// what presses. With an axis along which the body presses, the part of the force along it is left out. A hold changes
// at the end of a step, by what the step brought, and acts from the next one on, with the bodies in the relative pose
// that they had then. So it carries a load above its bound for one step. What it is, and the relative pose, are part of
// the state.

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

var _ = Drives.Register(kinds.Kind[Drive]{
	Name: "hold",
	Doc:  "Holds a body as a suction cup, a magnet or a locked gripper does: a weld that is switched by time, a signal or contact, and breaks above a force.",
	About: "The bodies keep the relative pose that they have when it takes hold. It breaks when what pulls, the force of the weld and of contacts between the two bodies together, is above force " +
		"(of a suction cup: pressure difference times area), or the moment of the weld above moment, and holds again once it was off. It changes at the end of a step. " +
		"drive_effort is the magnitude of the weld's force.",
	New: func() Drive { return &HoldDrive{} },
	Samples: func() []Drive {
		return []Drive{
			&HoldDrive{Body: "arm", Object: "ball", Contact: true, Axis: r3.Vec{0, 0, -1}, On: &motion.Piecewise{Times: []float64{0.1, 0.2}, Values: []float64{1, 0}}, Force: 20},
			&HoldDrive{Body: "arm", Object: "box", Point: r3.Vec{0, 0, 0.1}, Moment: 0.5},
		}
	},
})

// HoldDrive is a weld of a body to another that is switched during the run.
type HoldDrive struct {
	// Body is the rigid body that holds, such as that of a suction cup.
	Body string `key:"hold,required" doc:"rigid body that holds, such as that of a suction cup" ref:"body"`
	// Object is the rigid body that is held.
	Object string `key:"object,required" doc:"rigid body that is held" ref:"body"`
	// Point is where it holds, in the frame of Body, m.
	Point r3.Vec `key:"point" unit:"m" doc:"where it holds, in the frame of the body that holds: the place of its moment"`
	// On is above 0 while it is on; nil: always.
	On motion.Motion `key:"on" doc:"it holds while this is above 0" default:"always"`
	// Signal is the name of a signal that has to be between Above and Below; empty: none.
	Signal string `key:"signal" doc:"signal of the scene between whose bounds it holds" default:"none"`
	// Above and Below are bounds of the signal, in its unit; nil: none.
	Above *float64 `key:"above" doc:"it holds while the signal is above this, in the unit of the signal" default:"no bound"`
	Below *float64 `key:"below" doc:"it holds while the signal is below this, in the unit of the signal" default:"no bound"`
	// Contact says that it takes hold only while the bodies press on each other.
	Contact bool `key:"contact" doc:"it takes hold only while the two bodies press on each other"`
	// Axis is the direction in the frame of Body in which it presses on the object, of any length: forces along it do
	// not break it; zero: all do.
	Axis r3.Vec `key:"axis" doc:"direction in which it presses on the object, in the frame of the body that holds: forces along it do not break it" default:"none: forces in all directions count"`
	// Force is the force above which it breaks, N; 0: none.
	Force float64 `key:"force,inf" unit:"N" doc:"force that pulls above which it breaks" min:"0" default:"none"`
	// Moment is the moment about Point above which it breaks, N m; 0: none.
	Moment float64 `key:"moment,inf" unit:"N m" doc:"moment about the point above which it breaks" min:"0" default:"none"`
}

// Uncommanded implements Uncommanded.
func (*HoldDrive) Uncommanded() string {
	return "it holds or lets go, and has no target or effort: switch it by a live value as on, or by a signal"
}

// AddTo implements Drive.
func (d *HoldDrive) AddTo(b *Builder, name string) { b.AddDriveConstraint(name, &holdSpec{d, name}) }

// holdSpec makes a hold of a name.
type holdSpec struct {
	*HoldDrive
	name string
}

// switchedWeld is a hold of a model: immutable.
type switchedWeld struct {
	spec       HoldDrive
	name       string
	a, b       int // bodies that holds, and is held
	X_AP       r3.Pose
	constraint int // of the model
	number     int // among the holds of the model
	signal     int // of the model; −1: none
}

// Make implements DriveConstraintSpec.
func (d *holdSpec) Make(r *Resolver) (constraints.Constraint, error) {
	a, errA := r.RigidBody(d.Body)
	b, errB := r.RigidBody(d.Object)
	if err := errors.Join(errA, errB); err != nil {
		return nil, err
	}
	switch {
	case a == b:
		return nil, fmt.Errorf("%s cannot hold itself: name another object", d.Body)
	case !r.Movable(a) && !r.Movable(b):
		return nil, fmt.Errorf("neither %s nor %s can move", d.Body, d.Object)
	case !(d.Force >= 0) || !(d.Moment >= 0):
		return nil, fmt.Errorf("force and moment are %g N and %g N m: they must not be negative", d.Force, d.Moment)
	case d.Signal == "" && (d.Above != nil || d.Below != nil):
		return nil, errors.New("above and below are bounds of a signal: name it by signal")
	case d.Signal != "" && d.Above == nil && d.Below == nil:
		return nil, errors.New("signal needs a bound: give above or below")
	}
	return &switchedWeld{spec: *d.HoldDrive, name: d.name, a: a, b: b, X_AP: r3.Pose{R: r3.Identity(), P: d.Point}, number: -1, signal: -1}, nil
}

// addHolds numbers the holds, and finds their signals, which come after drives.
func addHolds(a *assembly) {
	number := 0
	for i, c := range a.m.Constraints {
		d, ok := c.(*switchedWeld)
		if !ok {
			continue
		}
		d.constraint, d.number = i, number
		if number++; d.spec.Signal == "" {
			continue
		}
		k, ok := a.m.Names.Signals[d.spec.Signal]
		if !ok {
			a.fail("drive", d.name, "signal: %w", &UnknownError{"signal", d.spec.Signal, slices.Sorted(maps.Keys(a.m.Names.Signals))})
			continue
		}
		d.signal = k
	}
}

// holdsOf returns the holds of a model, in the order of their constraints.
func holdsOf(m *Model) (list []*switchedWeld) {
	for _, c := range m.Constraints {
		if d, ok := c.(*switchedWeld); ok {
			list = append(list, d)
		}
	}
	return list
}

// What a hold is.
const (
	holdOpen = iota
	holdHolds
	holdBroken
)

// holdSize is the number of numbers of a hold in State.Holds: what it is, and X_BQ by its rotation and position.
const holdSize = 1 + 9 + 3

// holdData is a hold in a stepper.
type holdData struct {
	is   int
	weld constraints.Weld
}

var (
	_ constraints.Constraint = (*switchedWeld)(nil)
	_ constraints.Curved     = (*switchedWeld)(nil)
	_ constraints.Described  = (*switchedWeld)(nil)
	_ constraints.Tie        = (*switchedWeld)(nil)
)

// Ties implements constraints.Tie: while it holds.
func (d *switchedWeld) Ties() bool { return true }

// holding returns the weld of a hold in the stepper whose kinematics these are; nil where it does not hold.
func (d *switchedWeld) holding(k constraints.Kinematics) *constraints.Weld {
	var s *Stepper
	if rows, ok := k.(rowKinematics); ok {
		k = rows.Kinematics
	}
	switch k := k.(type) {
	case kinematics:
		s = k.s
	case kinematicsAtEnd:
		s = k.s
	}
	if all := actorOf[*holds](s); all != nil && all.data[d.number].is == holdHolds {
		return &all.data[d.number].weld
	}
	return nil
}

// Append implements constraints.Constraint with one term of six equations while it holds.
func (d *switchedWeld) Append(k constraints.Kinematics, p *cliques.Problem) int {
	if w := d.holding(k); w != nil {
		return w.Append(k, p)
	}
	return 0
}

// Values implements constraints.Curved.
func (d *switchedWeld) Values(k constraints.Kinematics, g *[6]float64) int {
	if w := d.holding(k); w != nil {
		return w.Values(k, g)
	}
	return 0
}

// Closing implements constraints.Closing.
func (d *switchedWeld) Closing(k constraints.BodyVelocities, size float64) (i constraints.Impact, speed float64, ok bool) {
	if w := d.holding(k); w != nil {
		return w.Closing(k, size)
	}
	return i, 0, false
}

// Describe implements constraints.Described.
func (d *switchedWeld) Describe() constraints.Description {
	w := constraints.Weld{A: d.a, B: d.b, X_AP: d.X_AP, X_BQ: r3.PoseIdentity()}
	return w.Describe()
}

// Violation implements constraints.Described: none while it does not hold.
func (d *switchedWeld) Violation(k constraints.Kinematics) constraints.Violation {
	if w := d.holding(k); w != nil {
		return w.Violation(k)
	}
	return constraints.Violation{}
}

// StoredEnergy implements constraints.Described: it has no spring.
func (*switchedWeld) StoredEnergy(constraints.Kinematics) float64 { return 0 }

// holds is the actor that switches all holds.
type holds struct {
	list []*switchedWeld // of the model
	data []holdData
}

// newHolds returns the holds of a stepper, open.
func newHolds(m *Model) *holds {
	o := &holds{list: holdsOf(m)}
	o.data = make([]holdData, len(o.list))
	for i, d := range o.list {
		o.data[i].weld = constraints.Weld{A: d.a, B: d.b, X_AP: d.X_AP, X_BQ: r3.PoseIdentity()}
	}
	return o
}

// acts implements actor.
func (o *holds) acts(x *State) bool { return len(o.list) > 0 || len(x.Holds) > 0 }

// begin implements actor. Holds of the start of a run hold what is on then: nothing has pressed or pulled yet.
func (o *holds) begin(s *Stepper, x *State, h float64) error {
	switch have, want := len(x.Holds), holdSize*len(o.data); {
	case have == want:
		for i := range o.data {
			o.data[i].restore(x.Holds[i*holdSize:])
		}
	case have == 0:
		for i := range o.data {
			o.data[i].is, o.data[i].weld.X_BQ = holdOpen, r3.PoseIdentity()
		}
		s.Place(x, h)
		o.switchAll(s, x)
	default:
		return fmt.Errorf("sim: state at t = %.6g s: it has %d numbers of holds, the model %d: it was saved by a run of another model", x.Time, have, want)
	}
	return nil
}

// end implements actor: they are switched by what the step brought.
func (o *holds) end(s *Stepper, x *State, h float64) error {
	s.Place(x, h)
	o.switchAll(s, x)
	x.Holds = x.Holds[:0]
	for i := range o.data {
		x.Holds = o.data[i].keep(x.Holds)
	}
	return nil
}

// beginRest implements actor.
func (o *holds) beginRest(*Stepper, *State) error {
	if len(o.list) > 0 {
		return fmt.Errorf("sim: equilibrium: drive %q holds and lets go over time, not at rest: give a weld in its place", o.list[0].name)
	}
	return nil
}

// restore takes what a state has of a hold.
func (d *holdData) restore(numbers []float64) {
	d.is = int(numbers[0])
	copy(d.weld.X_BQ.R[:], numbers[1:10])
	copy(d.weld.X_BQ.P[:], numbers[10:13])
}

// keep appends it.
func (d *holdData) keep(numbers []float64) []float64 {
	numbers = append(numbers, float64(d.is))
	numbers = append(numbers, d.weld.X_BQ.R[:]...)
	return append(numbers, d.weld.X_BQ.P[:]...)
}

// switchAll switches all holds at a placed state, by the forces of the step that led to it.
func (o *holds) switchAll(s *Stepper, x *State) {
	for i, d := range o.list {
		at := &o.data[i]
		on := d.on(s, x)
		switch at.is {
		case holdBroken:
			if !on {
				at.is = holdOpen
			}
		case holdHolds:
			if !on {
				at.is = holdOpen
			} else if force, moment := s.heldLoad(d); exceeds(force, d.spec.Force) || exceeds(moment, d.spec.Moment) {
				at.is = holdBroken
			}
		default:
			if on && (!d.spec.Contact || s.press(d)) {
				at.is = holdHolds
				at.weld.X_BQ = s.kin.Pose(d.b).Inv().Mul(s.kin.Pose(d.a)).Mul(d.X_AP)
			}
		}
	}
}

// breakTol is the share of its bound by which a load is above it: a step has forces to the tolerance of its solver,
// some 1e-5 of them, and a hold that is loaded to its bound holds.
const breakTol = 1e-4

// exceeds reports whether a load is above a bound; 0: none.
func exceeds(load, bound float64) bool { return bound > 0 && load > bound*(1+breakTol) }

// on reports whether a hold is switched on at a state.
func (d *switchedWeld) on(s *Stepper, x *State) bool {
	if d.spec.On != nil {
		if on, _ := d.spec.On.At(x.Time); !(on > 0) {
			return false
		}
	}
	if d.signal < 0 {
		return true
	}
	v := s.Model.Signals[d.signal].Signal.Value(s, x)
	return !math.IsNaN(v) && (d.spec.Above == nil || v > *d.spec.Above) && (d.spec.Below == nil || v < *d.spec.Below)
}

// press reports whether the bodies of a hold pressed on each other in the last step.
func (s *Stepper) press(d *switchedWeld) bool {
	contacts := s.Report.Contacts()
	for i := range contacts {
		if c := &contacts[i]; between(&c.Contact, d.a, d.b) && c.Normal > 0 {
			return true
		}
	}
	return false
}

// between reports whether a contact is of two bodies.
func between(c *geometry.Contact, a, b int) bool {
	return c.A.Body == a && c.B.Body == b || c.A.Body == b && c.B.Body == a
}

// partWrench implements wrenchConstraint: zero where it does not hold.
func (d *switchedWeld) partWrench(s *Stepper) (M, F r3.Vec) {
	if term := s.modelTerms[d.constraint]; term >= 0 {
		M, F = actorOf[*holds](s).data[d.number].weld.Wrench(&s.Problem, term)
	}
	return M, F
}

// heldLoad returns the magnitude of the force on the object, of the weld and of contacts with the body that holds it
// (N), and of the moment of the weld (N m), means over the step.
func (s *Stepper) heldLoad(d *switchedWeld) (force, moment float64) {
	M, F := d.partWrench(s)
	if s.Report.Parts > 0 {
		mean := &s.divided.wrenches[d.constraint]
		M, F = mean[0], mean[1]
	}
	contacts := s.Report.Contacts()
	for i := range contacts {
		c := &contacts[i]
		switch {
		case !between(&c.Contact, d.a, d.b):
		case c.B.Body == d.b:
			F = F.Add(c.Force_W)
		default:
			F = F.Sub(c.Force_W)
		}
	}
	if d.spec.Axis != (r3.Vec{}) {
		axis := s.kin.Pose(d.a).R.MulVec(d.spec.Axis.Unit())
		F = F.AddScaled(-max(0, F.Dot(axis)), axis)
	}
	return F.Norm(), M.Norm()
}
