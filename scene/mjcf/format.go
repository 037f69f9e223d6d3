package mjcf

import (
	_ "embed"
	"io"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/scene/robot"
)

var _ = robot.Formats.Register(kinds.Kind[robot.Format]{
	Name: "mjcf",
	Doc:  "MJCF, the XML of MuJoCo.",
	About: `Read are compiler; nested default classes with class and childclass; include, attach and replicate; bodies and frames; inertial, or
masses from shapes and closed meshes; hinges, slides, balls and free joints, springdamper; all shapes but planes; height fields, as closed meshes without mass;
meshes from files, written out or built in; colours of materials; contact/exclude, contype and conaffinity; equality/joint along a
line, as mimics; equality/connect and weld of bodies, as constraints called after the robot; fixed tendons with their limits,
springs and equalities, as constraints; and actuators that pull at a joint or fixed tendon, as drives called after the robot:
motor, position, velocity, intvelocity, damper, and general of fixed or affine gain and bias. A scene gives their controls;
their limits of force are effort limits of joints. The robot's pose is that of MuJoCo's world. Where
shapes lie in the world, a joint hangs on it or there are several bodies, the root is a link called world. Several joints
of one body become a chain of links without mass, called BODY_1 and so on. Meshes touch as their convex hulls, but those of geoms of type sdf. Gravity,
solref, solimp, spatial tendons, sensors and sites are not read; keyframes are, with positions, controls and activations.
Everything else in the file is listed as ignored.`,
	New:     func() robot.Format { return &format{} },
	Samples: func() []robot.Format { return []robot.Format{&format{}} },
})

// format reads MJCF files.
type format struct{}

//go:embed reference.xml
var reference string

// Extensions implements robot.Format.
func (*format) Extensions() []string { return []string{".mjcf", ".xml"} }

// Recognize implements robot.Format.
// Other formats are XML as well, and share the extension: the root element distinguishes them.
func (*format) Recognize(text []byte) bool { return robot.RootName(text) == "mujoco" }

// Parse implements robot.Format.
func (*format) Parse(in io.Reader, name string, open robot.Open) (*robot.Robot, []robot.Warning, error) {
	return Parse(in, name, open)
}

// Reference implements robot.Format.
func (*format) Reference() string { return reference }
