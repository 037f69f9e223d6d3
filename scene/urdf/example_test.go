package urdf_test

import (
	"fmt"
	"strings"

	"github.com/curlfree/curlfree/scene/urdf"
)

func ExampleParse() {
	door, warnings, err := urdf.Parse(strings.NewReader(`<robot name="door">
  <link name="frame"/>
  <link name="leaf"><inertial><mass value="20"/><inertia ixx="8" iyy="6" izz="2"/></inertial></link>
  <joint name="hinge" type="revolute">
    <parent link="frame"/><child link="leaf"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="1.57" effort="0.5" colour="red"/>
  </joint>
</robot>`), "door.urdf")
	if err != nil {
		fmt.Println(err)
		return
	}
	hinge := door.Joints[0]
	fmt.Println(door.Links[hinge.Child].Name, "turns", hinge.Lower, "to", hinge.Upper, "rad")
	for _, w := range warnings {
		fmt.Printf("line %d: %s\n", w.Line, w.Text)
	}
	// Output:
	// leaf turns 0 to 1.57 rad
	// line 6: ignored: attribute colour of <robot/joint/limit>
}
