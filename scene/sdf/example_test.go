package sdf_test

import (
	"fmt"
	"strings"

	"github.com/curlfree/curlfree/scene/sdf"
)

func ExampleParse() {
	door, warnings, err := sdf.Parse(strings.NewReader(`<sdf version="1.9"><model name="door">
  <link name="leaf">
    <pose>0.4 0 1 0 0 0</pose>
    <inertial><mass>20</mass><inertia><ixx>8</ixx><iyy>6</iyy><izz>2</izz></inertia></inertial>
  </link>
  <joint name="hinge" type="revolute">
    <pose>-0.4 0 0 0 0 0</pose>
    <parent>world</parent><child>leaf</child>
    <axis><xyz>0 0 1</xyz><limit><lower>0</lower><upper>1.57</upper></limit></axis>
  </joint>
  <plugin name="opener"/>
</model></sdf>`), "door.sdf", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	hinge := door.Joints[0]
	fmt.Println(door.Links[hinge.Child].Name, "turns at", hinge.X_PF.P, hinge.Lower, "to", hinge.Upper, "rad")
	for _, w := range warnings {
		fmt.Printf("line %d: %s\n", w.Line, w.Text)
	}
	// Output:
	// leaf turns at [0 0 1] 0 to 1.57 rad
	// line 11: ignored: <sdf/model/plugin>
}
