package sdf

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/mutation"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// nextFile separates the text of a file from that of all files that it includes.
const nextFile = "\x1e"

// FuzzParse checks on whatever is read, with a second file that it may include, what Robot guarantees.
func FuzzParse(f *testing.F) {
	arm, err := os.ReadFile("testdata/arm.sdf")
	if err != nil {
		f.Fatal(err)
	}
	seeds := [][]byte{arm, []byte(reference)}
	in := func(inside string) {
		seeds = append(seeds, []byte("<sdf version='1.9'><model name='m'>"+inside+"</model></sdf>"))
	}
	in(link("a", "<pose rotation_format='quat_xyzw'>1 2 3 1e-3 0 0 0</pose>"))
	in(link("a", "") + link("b", "<pose relative_to='j'/>") + turns("j", "a", "b", about))
	in("<static>1</static>" + link("a", "") + link("b", "") + turns("j", "world", "b", ""))
	in(link("a", "") + "<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>")
	in(link("a", "") + "<joint name='j' type='screw'><parent>world</parent><child>a</child><axis/><thread_pitch>1e-300</thread_pitch></joint>")
	in("<link name='a'><inertial/><visual name='v'><pose degrees='1'>1e12 0 0 1e12 0 0</pose><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry></visual></link>")
	in(auto("<density>5</density><mass>2</mass>", "<pose>1 2 3 0 0 1</pose><geometry>"+frame2+"</geometry>", "<density>1e-9</density><geometry><cone><radius>1</radius><length>2</length></cone></geometry>"))
	seeds = append(seeds, []byte("<sdf version='1.5'><model name='m'>"+twoLinks+turns("b", "a", "b", about)+"<frame name='b'/></model></sdf>"),
		[]byte("<sdf version='1.9'><world name='w'><frame name='f' attached_to='g'/><frame name='g'/><model name='m'><pose relative_to='f'/>"+link("a", "")+"</model></world></sdf>"))
	in("<drake:joint/>" + link("a", "") + link("b", ""))
	in("<include><uri>model://n</uri><name>i</name><pose>1 2 3 0 0 0</pose></include>" + link("b", "") + turns("j", "b", "i::c", "") +
		"</model></sdf>" + nextFile + "<sdf version='1.9'><model name='n' placement_frame='g'>" + link("c", "") + "<frame name='g' attached_to='c'/>")
	in("<include merge='1'><uri>n</uri></include></model></sdf>" + nextFile + "<robot name='r'><link name='a'/></robot><!--")
	mutation.Fuzz(f, seeds, func(t testing.TB, data []byte) string {
		text, second, _ := strings.Cut(string(data), nextFile)
		return robottest.Any(t, text, func(in io.Reader, name string) (*robot.Robot, []robot.Warning, error) {
			m, warnings, err := Parse(in, name, func(string) ([]byte, error) { return []byte(second), nil })
			if err == nil && len(m.Includes) > 0 { // lines beyond the first file
				warnings = nil
			}
			return m, warnings, err
		})
	})
}

// TestPublicModelsLoad reads every SDFormat file below the folder that
// CURLFREE_MODELS names.
func TestPublicModelsLoad(t *testing.T) {
	robottest.Public(t, "sdf", []string{".sdf"}, func(path string, in io.Reader) (*robot.Robot, []robot.Warning, error) {
		return Parse(in, filepath.Base(path), nil)
	}, func(m *robot.Robot) { grippers(t, m) })
}

// grippers checks the figures of a well-known gripper: two fingers that slide up to
// 55 mm.
func grippers(t *testing.T, m *robot.Robot) {
	if m.Name != "Schunk_Gripper" {
		return
	}
	left := joint(t, m, "left_finger_sliding_joint")
	if left.Type != robot.Prismatic || left.Lower != -0.055 || left.Upper != 0 {
		t.Errorf("left finger: %+v", left)
	}
	if right := joint(t, m, "right_finger_sliding_joint"); right.Lower != 0 || right.Upper != 0.055 {
		t.Errorf("right finger: %+v", right)
	}
	if in := m.Links[left.Child].Inertial; in.Mass != 0.05 || in.Inertia[0] != 0.16 {
		t.Errorf("inertia: %+v", in)
	}
}
