package sdf

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// old checks that the inside of a <model> of version 1.6 is read with one warning that it was mended.
func old(t *testing.T, inside string, line int, want string) *robot.Robot {
	t.Helper()
	m := robottest.Repaired(t, alone, "<sdf version='1.6'><model name='m'>\n"+inside+"</model></sdf>", "m.sdf", line, want)
	robottest.Check(t, m)
	return m
}

func TestJointsOfOldFilesThatAreCalledAsLinksAreRenamed(t *testing.T) {
	// the mimic names the joint, the child of the joint the link
	m := old(t, link("a", "")+link("b", "<pose>1 0 0 0 0 0</pose>")+link("c", "")+turns("b", "a", "b", about)+
		turns("ac", "a", "c", "<axis><xyz>0 0 1</xyz><mimic joint='b'/></axis>"),
		5, `a second <joint> is called "b" (the first, a link, is in line 3), as files before version 1.7 may: called "b_joint"`)
	j := joint(t, m, "b_joint")
	if m.Links[j.Child].Name != "b" || j.X_PF.P != [3]float64{1, 0, 0} {
		t.Errorf("%+v", j)
	}
	if f := joint(t, m, "ac").Mimic; f == nil || m.Joints[f.Joint].Name != "b_joint" {
		t.Errorf("mimic %+v", f)
	}
	// joints that come before their links; a name that is taken; the world; frames
	joint(t, old(t, turns("b", "a", "b", about)+twoLinks, 2, `called "b_joint"`), "b_joint")
	m = old(t, twoLinks+link("c", "")+turns("b_joint", "a", "c", about)+turns("b", "a", "b", about), 6, `called "b_joint0"`)
	joint(t, m, "b_joint0")
	joint(t, old(t, link("a", "")+turns("world", "world", "a", about), 3, `<joint> "world": the format reserves this name: called "world_joint"`), "world_joint")
	old(t, twoLinks+turns("j", "a", "b", about)+"<frame name='j'/>", 5, `a second <frame> is called "j" (the first, a joint, is in line 4), as files before version 1.7 may: called "j_frame"`)
	old(t, "<model name='n'>"+link("b", "")+"</model>\n"+link("a", "")+turns("n", "a", "n::b", about), 5, `the first, a model, is in line 2`)
}

// Gearboxes find their hinges where all have the names of the links.
func TestGearboxesFindHingesThatAreRenamed(t *testing.T) {
	m := old(t, twoLinks+link("c", "")+turns("a", "c", "a", about)+turns("b", "c", "b", about)+gears("0.5"), 5, `called "a_joint"`)
	if f := joint(t, m, "b_joint").Mimic; f == nil || m.Joints[f.Joint].Name != "a_joint" {
		t.Errorf("mimic %+v", f)
	}
}

func TestNamesOfNewFilesMustDiffer(t *testing.T) {
	refused(t, []fault{
		{"joint of a link", twoLinks + turns("b", "a", "b", about), 4, `a second <joint> is called "b"`},
		{"joint of the world", twoLinks + turns("world", "a", "b", about), 4, "the format reserves this name"},
	})
	// in old files only elements of different kinds may share a name
	text := "<sdf version='1.5'><model name='m'>" + twoLinks + turns("j", "a", "b", about) + turns("j", "world", "a", about) + "</model></sdf>"
	if _, _, err := Parse(strings.NewReader(text), "m.sdf", nil); err == nil || !strings.Contains(err.Error(), `a second <joint> is called "j"`) {
		t.Errorf("error %v", err)
	}
}
