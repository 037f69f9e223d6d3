package sim

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// A bound of effort over time without an effort is refused with what applies one.
func TestABoundOfNoEffortIsRefused(t *testing.T) {
	bound := &motion.Piecewise{Times: []float64{0, 1}, Values: []float64{0, 2}}
	for _, d := range []struct {
		JointDrive
		fails bool
	}{
		{JointDrive{Effort: bound}, true},
		{JointDrive{Effort: bound, Kd: 1}, false},
		{JointDrive{Effort: bound, FeedForward: motion.Constant(0)}, false},
		{JointDrive{Effort: motion.Constant(2)}, false},
	} {
		b := NewBuilder()
		b.AddBody("cart", BodySpec{Mass: 2, Inertia: new(r3.Identity()), Joint: &JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}}})
		d.Joint = "cart"
		b.AddDrive("motor", &d.JointDrive)
		if _, err := b.Build(); (err != nil) != d.fails || d.fails && !strings.Contains(err.Error(), `drive "motor": effort bounds an effort that this drive does not have: write feed_forward: {times: …}`) {
			t.Errorf("%+v: %v", d.JointDrive, err)
		}
	}
}
