package sim

import (
	"testing"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Signals of a joint have its unit: rad where it turns, also along a thread, and m where it slides; so have efforts of
// drives, of single joints and of robots.
func TestSignalsOfJointsHaveTheUnitOfTheJoint(t *testing.T) {
	b := NewBuilder()
	inertia := r3.Mat{1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}
	for name, joint := range map[string]rigid.Joint{
		"hinge": rigid.Revolute{Axis: r3.Vec{0, 0, 1}}, "slide": rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, "screw": rigid.Screw{Axis: r3.Vec{0, 0, 1}, Pitch: 1e-3},
		"wrist": rigid.Revolute{Axis: r3.Vec{1, 0, 0}}, "lift": rigid.Prismatic{Axis: r3.Vec{0, 0, 1}},
	} {
		b.AddBody(name, BodySpec{Mass: 1, Com_B: &r3.Vec{}, Inertia: &inertia, Joint: &JointSpec{Joint: joint}})
	}
	b.AddDriveConstraint("turn", &JointDrive{Joint: "hinge", Kp: 10})
	b.AddDriveConstraint("push", &JointDrive{Joint: "slide", Kp: 10})
	b.AddDrive("arm", &RobotDrive{Joints: []string{"lift", "wrist"}, Kp: kinds.Numbers{10}, Kd: kinds.Numbers{1}, Target: &Teleop{Link: "lift", FollowSpec: FollowSpec{Follow: "position"}}})
	want := map[string]string{}
	for _, c := range []struct{ item, position, velocity string }{{"hinge", "rad", "rad/s"}, {"slide", "m", "m/s"}, {"screw", "rad", "rad/s"}} {
		b.AddSignal(c.item, &JointStateSpec{State: "position", Joint: c.item})
		b.AddSignal(c.item+" v", &JointStateSpec{State: "velocity", Joint: c.item})
		want[c.item], want[c.item+" v"] = c.position, c.velocity
	}
	for drive, unit := range map[string]string{"turn": "N m", "push": "N", "arm.lift": "N", "arm.wrist": "N m"} {
		b.AddSignal(drive, &DriveEffortSpec{Drive: drive})
		want[drive] = unit
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range m.Signals {
		if s.Unit != want[s.Name] {
			t.Errorf("%s is in %q, want %q", s.Name, s.Unit, want[s.Name])
		}
	}
}
