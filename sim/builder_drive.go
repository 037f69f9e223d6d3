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
	// under the name of the drive. Build calls it once, with a copy of the builder.
	AddTo(b *Builder, name string)
}

// Uncommanded is a Drive that takes no commands: its constraints, if any, are not constraints.Commanded.
type Uncommanded interface {
	Drive
	// Uncommanded returns the reason, and what may be commanded instead, for messages.
	Uncommanded() string
}

// driveItem is a drive that was added. It adds its parts when the model is built, so that it may be edited before.
type driveItem struct {
	name string
	spec Drive
}

// AddDrive adds a drive, such as a *JointDrive or a *BodyMotion.
func (b *Builder) AddDrive(name string, d Drive) {
	if b.add("drive", name) {
		b.drives = append(b.drives, driveItem{name, d})
	}
}

// drivenItem is the controller of a joint, a part of a drive.
type drivenItem struct {
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
	b.revision++
	b.driven = append(b.driven, drivenItem{name, spec})
}

// addDrives makes the controllers of joints, after all other constraints. Prescribed
// motions are joints already.
func (a *assembly) addDrives() {
	for _, d := range a.driven {
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
	// those of several joints name each DRIVE.JOINT, so that signals of effort name it as they name a single drive
	for _, d := range a.jointDrives {
		list, joints, err := d.spec.makeJoints(&a.names, d.name)
		if err != nil {
			a.fail("drive", d.name, "%w", err)
			continue
		}
		for i, joint := range joints {
			a.m.Names.Drives[d.name+"."+joint] = len(a.m.Constraints) + i
		}
		a.m.Constraints = append(a.m.Constraints, list...)
	}
}

// jointsItem is the controller of several joints, a part of a drive. The joints are looked for when the model is built,
// so that a scene may add drives before bodies.
type jointsItem struct {
	name string
	spec jointsSpec
}

// jointsSpec makes the controller of several joints, which has a constraint for each.
type jointsSpec interface {
	makeJoints(r *Resolver, name string) (list []constraints.Constraint, joints []string, err error)
}
