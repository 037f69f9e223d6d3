package sdf

import (
	_ "embed"
	"io"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene/robot"
)

var _ = robot.Formats.Register(kinds.Kind[robot.Format]{
	Name: "sdf",
	Doc:  "SDFormat 1.4 to 1.11, as Gazebo and Drake read it: one model with those in it, alone or in a world.",
	About: `Read are links, frames, relative_to, attached_to and expressed_in; joints that are fixed, revolute, continuous,
prismatic, screws or balls; universal, revolute2 and Drake's planar joints as several joints of one axis; gearboxes; mimics, springs (spring_stiffness), mu and mu2; and Drake's tags for rotors, proximity
properties, capsules, ellipsoids, ball constraints and collision filter groups. Height maps are PNG images. A second joint to a link closes a loop: a constraint replaces what it
fixes, a point, or a hinge. The robot's pose is that of the file's world frame. The
canonical link is fixed there unless the scene says floating: true. Where joints hang on the world, and of static models,
whose joints are all fixed, the root is a link called world. Links without an inertial have 1 kg and 1 kg m², as the format
defines; those of <inertial auto="true"> weigh what their collisions do. Models in the model and those of an <include> are parts of the robot, with names such as arm::finger; includes are
found beside the file, by model:// and package:// in the folders above it, or where packages of the scene say. Everything else in the file is listed as ignored.`,
	New:     func() robot.Format { return &format{} },
	Samples: func() []robot.Format { return []robot.Format{&format{}} },
})

// format reads SDFormat files.
type format struct{}

//go:embed reference.sdf
var reference string

// Extensions implements robot.Format.
func (*format) Extensions() []string { return []string{".sdf", ".world"} }

// Recognize implements robot.Format.
func (*format) Recognize(text []byte) bool { return robot.RootName(text) == "sdf" }

// Parse implements robot.Format.
func (*format) Parse(in io.Reader, name string, open robot.Open) (*robot.Robot, []robot.Warning, error) {
	return Parse(in, name, open)
}

// ParseModel implements robot.ModelChooser.
func (*format) ParseModel(in io.Reader, name string, open robot.Open, model string) (*robot.Robot, []robot.Warning, error) {
	return ParseModel(in, name, open, model)
}

// Reference implements robot.Format.
func (*format) Reference() string { return reference }
