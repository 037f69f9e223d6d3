package sim

import (
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Bodies touch unless they are in one group, of several that may share members, or welded in one piece;
// a body of no name is reported.
func TestGroupsWithoutContact(t *testing.T) {
	ball, err := geometry.NewSphere(1)
	if err != nil {
		t.Fatal(err)
	}
	inertia := r3.Identity()
	b := NewBuilder()
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		b.AddBody(name, BodySpec{Mass: 1, Inertia: &inertia})
		b.AddShape(name, ShapeSpec{Shape: ball})
	}
	for _, name := range []string{"x", "y"} { // fixed to the world
		b.AddBody(name, BodySpec{Fixed: true})
		b.AddShape(name, ShapeSpec{Shape: ball})
	}
	b.AddBody("f", BodySpec{Mass: 1, Inertia: &inertia, Joint: &JointSpec{Parent: "e", Joint: rigid.Weld{}}}) // one piece with e
	b.AddBody("g", BodySpec{Mass: 1, Inertia: &inertia, Pose: r3.PoseIdentity(), Joint: &JointSpec{Parent: "f", Joint: rigid.Weld{}}})
	b.AddShape("g", ShapeSpec{Shape: ball})
	b.ExcludeGroup("a", "b", "c")
	b.ExcludeGroup("c", "d")
	b.ExcludeGroup("b", "e")
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	apart := map[string]bool{"ab": true, "ac": true, "bc": true, "cd": true, "be": true, "xy": true, "ef": true, "eg": true, "fg": true}
	for _, p := range "abcdefgxy" {
		for _, q := range "abcdefgxy" {
			if p >= q {
				continue
			}
			if got := m.Geometry.InExcludedGroup(m.Body(string(p)), m.Body(string(q))); got != apart[string(p)+string(q)] {
				t.Errorf("%c and %c in one group: %v", p, q, got)
			}
		}
	}
	if n := len(m.Geometry.ExcludedGroups); n != 3 { // pieces, and two lists for groups that share b and c
		t.Errorf("%d lists of groups", n)
	}
	b.ExcludeGroup("a", "nobody")
	if _, err := b.Build(); err == nil {
		t.Error("a group of nobody is no error")
	}
}
