package mjcf_test

import (
	"fmt"
	"strings"

	"github.com/curlfree/curlfree/scene/mjcf"
)

func ExampleParse() {
	door, warnings, err := mjcf.Parse(strings.NewReader(`<mujoco model="door">
  <default><geom density="700"/></default>
  <worldbody>
    <body name="leaf" pos="0.4 0 1">
      <joint name="hinge" axis="0 0 1" pos="-0.4 0 0" range="0 90"/>
      <geom type="box" size="0.4 0.02 1"/>
      <site name="handle" pos="0.35 0 0"/>
    </body>
  </worldbody>
</mujoco>`), "door.xml", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	hinge := door.Joints[0]
	leaf := door.Links[hinge.Child]
	fmt.Printf("%s of %.1f kg turns at %v, 0 to %.4f rad\n", leaf.Name, leaf.Inertial.Mass, hinge.X_PF.P, hinge.Upper)
	for _, w := range warnings {
		fmt.Printf("line %d: %s\n", w.Line, w.Text)
	}
	// Output:
	// leaf of 44.8 kg turns at [0 0 1], 0 to 1.5708 rad
	// line 7: ignored: <mujoco/site>
}
