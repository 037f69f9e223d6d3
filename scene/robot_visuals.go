package scene

// Visuals that are left out. Robot files come with many visual meshes, and a folder that lacks them
// lacks them all: one warning for each would bury those about contact and inertia. So they are
// reported by two lines, for files that are not there and for those that cannot be read, with the
// first of each. Nothing of a run depends on them.

import (
	"errors"
	"io/fs"
)

// lostVisuals are the visuals of a robot that are left out for one reason.
type lostVisuals struct {
	count int
	line  int   // of the first, in the robot file
	err   error // of the first
}

// loseVisual notes a visual that is left out.
func (r *robotLoader) loseVisual(line int, err error) {
	v := &r.unreadable
	if errors.Is(err, fs.ErrNotExist) {
		v = &r.missing
	}
	if v.count++; v.count == 1 {
		v.line, v.err = line, err
	}
}

// warnVisuals lists the visuals that are left out.
func (r *robotLoader) warnVisuals() {
	for _, v := range []*lostVisuals{&r.missing, &r.unreadable} {
		switch {
		case v.count == 1:
			r.warnAt(v.line, "visual left out: %v", v.err)
		case v.count > 1:
			r.warnAt(v.line, "%d visuals left out, the first: %v", v.count, v.err)
		}
	}
}
