package scene

// The formats of robot files that the program reads: each of these packages registers
// one with robot.Formats.
import (
	_ "github.com/curlfree/curlfree/scene/mjcf"
	_ "github.com/curlfree/curlfree/scene/sdf"
	_ "github.com/curlfree/curlfree/scene/urdf"
)
