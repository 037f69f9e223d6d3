package sim

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/rigid"
)

// prescribedMotion is a motion of a body over time, which no force changes.
type prescribedMotion interface {
	// check reports what is wrong with it.
	check() error
	// joint returns the joint to the world that follows it.
	joint() rigid.Prescribed
}

// motionItem is a prescribed motion that was added.
type motionItem struct {
	name, body string
	prescribedMotion
}

// checkMotions reports faults of motions, motions of unknown bodies, and bodies with two.
func (a *assembly) checkMotions() {
	for i := range a.motions {
		m := &a.motions[i]
		if err := m.check(); err != nil {
			a.fail("drive", m.name, "%v", err)
		}
		if a.bodyOf[m.body] == nil {
			a.fail("drive", m.name, "unknown body %q%s", m.body, kinds.Suggest(m.body, a.bodyNames()))
		} else if first := a.motionOf(m.body); first != m {
			a.fail("drive", m.name, "%s is moved by %q already", m.body, first.name)
		}
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
