package urdf

import (
	_ "embed"
	"io"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene/robot"
)

var _ = robot.Formats.Register(kinds.Kind[robot.Format]{
	Name: "urdf",
	Doc:  "Unified Robot Description Format, as ROS and Drake read it.",
	About: `All links and joints are read: fixed, revolute, continuous, prismatic, floating, and Drake's screw and ball; planar
and Drake's universal ones as several joints of one axis. Read of links are inertials, visuals, collisions and colours; of joints limits, damping, friction, mimics;
of Drake's tags capsules, ellipsoids, proximity properties, ball constraints, collision filter groups, gear ratios and rotor inertias. The
root link is at the robot's pose, fixed unless the scene says floating: true. Files with xacro macros have to be expanded
by xacro first. Everything else in the file is listed as ignored.`,
	New:     func() robot.Format { return &format{} },
	Samples: func() []robot.Format { return []robot.Format{&format{}} },
})

// format reads URDF files.
type format struct{}

//go:embed reference.urdf
var reference string

// Extensions implements robot.Format. XML files are URDF where they begin with
// <robot>, and xacro files are recognized to say how to expand them.
func (*format) Extensions() []string { return []string{".urdf", ".xacro", ".xml"} }

// Recognize implements robot.Format.
func (*format) Recognize(text []byte) bool { return robot.RootName(text) == "robot" }

// Parse implements robot.Format. A URDF names no files that decide its mechanics.
func (*format) Parse(in io.Reader, name string, _ robot.Open) (*robot.Robot, []robot.Warning, error) {
	return Parse(in, name)
}

// Reference implements robot.Format.
func (*format) Reference() string { return reference }
