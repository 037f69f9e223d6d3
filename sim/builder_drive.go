package sim

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
)

// Drives are the registered kinds of drives.
var Drives = kinds.NewRegistry[Drive]("drive", "What moves a joint or a body over time.").In(kinds.Keyed)

// Drive is the parameters of a drive: a controller of joints or a prescribed motion of a body.
type Drive interface {
	// AddTo adds the parts of the drive (controllers, constraints, motions) to the builder,
	// under the name of the drive.
	AddTo(b *Builder, name string)
}

// Uncommanded is a Drive that takes no commands: its constraints, if any, are not constraints.Commanded.
type Uncommanded interface {
	Drive
	// Uncommanded returns the reason, and what may be commanded instead, for messages.
	Uncommanded() string
}

// AddDrive adds a drive, such as a *JointDrive or a *BodyMotion.
func (b *Builder) AddDrive(name string, d Drive) {
	if b.add("drive", name) {
		if u, ok := d.(Uncommanded); ok {
			b.uncommanded[name] = u.Uncommanded()
		}
		d.AddTo(b, name)
	}
}

// driveItem is the controller of a joint that was added.
type driveItem struct {
	name string
	spec DriveConstraintSpec
}

// DriveConstraintSpec creates the controller of a joint from its parameters, such as gains
// and target. Builder.Build calls Make after it has assigned degrees of freedom to all
// joints, so that the Resolver can map joint names to them.
type DriveConstraintSpec interface {
	Make(r *Resolver) (constraints.Constraint, error)
}

// AddDriveConstraint adds a constraint under the name of a drive, after all other
// constraints: its effort is then the drive's effort, see Effort. Kinds of Drive call it.
func (b *Builder) AddDriveConstraint(name string, spec DriveConstraintSpec) {
	b.drives = append(b.drives, driveItem{name, spec})
}

// addDrives makes the controllers of joints, after all other constraints. Prescribed
// motions are joints already.
func (a *assembly) addDrives() {
	for _, d := range a.drives {
		c, err := d.spec.Make(&a.names)
		if err == nil {
			err = checkConstraint(c)
		}
		if err != nil {
			a.fail("drive", d.name, "%w", err)
			continue
		}
		a.m.Names.Drives[d.name] = len(a.m.Constraints)
		a.m.Constraints = append(a.m.Constraints, c)
	}
	a.addRobots()
}
