package scene

import (
	"testing"

	"github.com/curlfree/curlfree/scene/robot/robottest"
)

func TestRobotFormatsConform(t *testing.T) { robottest.Conform(t) }
