package robot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
	_ "github.com/curlfree/curlfree/scene/urdf"
)

// The extension determines the format, else the content does.
func TestFormatsAreChosenByExtensionAndContent(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"a.urdf", "<robot name='r'><link name='a'/></robot>", ""},
		{"A.URDF", "<robot name='r'><link name='a'/></robot>", ""},
		{"a", "<robot name='r'><link name='a'/></robot>", ""},
		{"a.urdf", "<sdf/>", "a.urdf:1: the root element is <sdf>: a URDF begins with <robot>"},
		{"a.xml", "<sdf/>", "a URDF begins with <robot>"},
		{"a.obj", "v 0 0 0", "a.obj:1: neither the extension nor the content is that of a robot format: .urdf, "},
	} {
		r, _, err := robot.Parse(c.path, []byte(c.text), nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
		if err == nil && r.Links[0].Name != "a" {
			t.Errorf("%s: %+v", c.path, r)
		}
	}
}

func ExampleParse() {
	arm, warnings, err := robot.Parse("arm.urdf", []byte(`<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><limit lower="-1" upper="2"/>
  </joint>
</robot>`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range arm.Order() {
		j := &arm.Joints[i]
		fmt.Println(arm.Links[j.Parent].Name, "carries", arm.Links[j.Child].Name, "on", j.Name, j.Lower, "to", j.Upper)
	}
	fmt.Println(len(warnings), "warnings")
	// Output:
	// base carries upper on shoulder -1 to 2
	// 0 warnings
}
