package sim

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/rigid"
)

// DriveSpec describes the controller of a joint with one degree of freedom:
//
//	u = Kp (target − q) + Kd (target' − v) + feed forward,  |u| ≤ effort
type DriveSpec struct {
	Joint       string
	Kp          float64       // N/m or N m/rad
	Kd          float64       // N s/m or N m s/rad
	Target      motion.Motion // position over time, m or rad; nil: zero
	Velocity    motion.Motion // velocity over time, m/s or rad/s, in place of Target and without Kp
	FeedForward motion.Motion // effort that is added, N or N m; nil: none
	Effort      float64       // bound of the effort's magnitude, N or N m; 0: none
	EffortLimit motion.Motion // bound of the effort's magnitude over time, N or N m; nil: Effort
}

// Make implements ConstraintSpec.
func (d *DriveSpec) Make(r *Resolver) (constraints.Constraint, error) {
	dof, err := r.Joint(d.Joint)
	switch {
	case err != nil:
		return nil, err
	case d.Target != nil && d.Velocity != nil:
		return nil, errors.New("Target and Velocity exclude each other")
	case d.Velocity != nil && d.Kp != 0:
		return nil, errors.New("a drive of Velocity has Kd only: leave out Kp")
	case !(d.Effort >= 0):
		return nil, fmt.Errorf("its Effort is %g: it must not be negative", d.Effort)
	}
	c := &constraints.PD{Dof: dof, Kp: d.Kp, Kd: d.Kd}
	switch {
	case d.Target != nil:
		c.Target = d.Target
	case d.Velocity != nil:
		c.Target = velocityTarget{d.Velocity}
	}
	if d.EffortLimit != nil {
		c.Limit = valueOf(d.EffortLimit)
	} else if d.Effort > 0 && !math.IsInf(d.Effort, 1) {
		c.Min, c.Max = -d.Effort, d.Effort
	}
	if d.FeedForward != nil {
		c.FeedForward = valueOf(d.FeedForward)
	}
	return c, nil
}

// valueOf returns a motion without its rate.
func valueOf(m motion.Motion) func(t float64) float64 {
	return func(t float64) float64 {
		x, _ := m.At(t)
		return x
	}
}

// velocityTarget is the target of a drive of velocity, which is its function of time.
type velocityTarget struct{ v motion.Motion }

// At implements constraints.Target.
func (t velocityTarget) At(time float64) (x, dx float64) {
	v, _ := t.v.At(time)
	return 0, v
}

// driveItem is a drive that was added.
type driveItem struct {
	name string
	spec ConstraintSpec
}

// AddDrive adds the controller of a joint, such as a *DriveSpec.
func (b *Builder) AddDrive(name string, spec ConstraintSpec) {
	if b.add("drive", name) {
		b.drives = append(b.drives, driveItem{name, spec})
	}
}

// addDrives makes the controllers.
func (a *assembly) addDrives() {
	for _, d := range a.drives {
		c, err := d.spec.Make(&a.names)
		if err == nil {
			err = checkConstraint(c)
		}
		if err != nil {
			a.fail("drive", d.name, "%v", err)
			continue
		}
		a.m.Names.Drives[d.name] = len(a.m.Constraints)
		a.m.Constraints = append(a.m.Constraints, c)
	}
}

// motionItem is a prescribed motion that was added.
type motionItem struct {
	name, body string
	motion     rigid.Prescribed
}

// AddMotion prescribes the motion of a body that has no joint but one to the world,
// fixed or free, which the motion replaces: the body's pose, or its joint's frame F, is
// what the motion starts from.
func (b *Builder) AddMotion(name, body string, m rigid.Prescribed) {
	if b.add("drive", name) {
		b.motions = append(b.motions, motionItem{name: name, body: body, motion: m})
	}
}

// motionOf returns the motion prescribed for a body, or nil.
func (a *assembly) motionOf(body string) *motionItem {
	for i := range a.motions {
		if a.motions[i].body == body {
			return &a.motions[i]
		}
	}
	return nil
}

// checkMotions reports motions of bodies that there are not, and bodies with two.
func (a *assembly) checkMotions() {
	for i := range a.motions {
		m := &a.motions[i]
		if a.bodyOf[m.body] == nil {
			a.fail("drive", m.name, "unknown body %q%s", m.body, kinds.Suggest(m.body, a.bodyNames()))
		} else if first := a.motionOf(m.body); first != m {
			a.fail("drive", m.name, "%s is moved by %q already", m.body, first.name)
		}
	}
}
