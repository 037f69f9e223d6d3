package optimize

import (
	"errors"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/sim"
)

// Refusals name both bodies of a contact surface, and no contact where there is none.
func TestRefusalsNameWhatActs(t *testing.T) {
	for _, c := range []struct {
		scene, of, by, duration, want, not string
	}{
		{"spur-pair", "wheel_rad@last", "bodies.wheel.pose.xyz.0", "0.1", "contact of pinion and wheel", "pinion and pinion"},
		{"panda-circle", "tool_y@last", "robots.arm.joints.panda_joint2", "0.2", "nothing touches it", "contact of"},
	} {
		_, err := Gradient("../examples/"+c.scene+"/scene.yaml", []string{"time.duration=" + c.duration}, c.of, []string{c.by}, gradient.Automatic, 1)
		if !errors.Is(err, sim.ErrNotDifferentiable) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), c.not) {
			t.Errorf("%s: got %v, want a refusal with %q", c.scene, err, c.want)
		}
	}
}
