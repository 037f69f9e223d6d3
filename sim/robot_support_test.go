package sim

import (
	"fmt"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// onSlab is a walker on a slab, 0.1 m thick, which lies between its feet and the ground.
func onSlab(feet []r3.Vec, com r3.Vec, slab BodySpec) *Builder {
	b := walker(feet, 10, com)
	ground := &b.bodyOf["ground"].spec
	ground.Pose = at(0, 0, -0.1)
	slab.Shapes = []ShapeSpec{{Shape: must(geometry.NewBox(r3.Vec{2, 2, 0.1})), Material: "m"}}
	slab.Pose = at(0, 0, -0.05)
	b.AddBody("slab", slab)
	return b
}

// A robot that stands on bodies which the ground carries has the efforts that it has on the floor: free planks, stacks
// of them, kinematic bodies. One that stands on a lift, which its controller does not include, is reported by name, and
// one that holds a part is not.
func TestRobotsStandOnWhatTheGroundCarries(t *testing.T) {
	feet := []r3.Vec{{0.3, 0, 0}, {-0.2, 0.25, 0}, {-0.2, -0.25, 0}}
	com := r3.Vec{0.05, -0.03, 0.1}
	f0 := (com[0] + 0.2) / 0.5
	f1 := (1-f0)/2 + com[1]/0.5
	for name, build := range map[string]func() *Builder{
		"free slab":  func() *Builder { return onSlab(feet, com, BodySpec{}) },
		"fixed slab": func() *Builder { return onSlab(feet, com, BodySpec{Fixed: true}) },
		"two slabs": func() *Builder {
			b := onSlab(feet, com, BodySpec{})
			b.bodyOf["ground"].spec.Pose = at(0, 0, -0.2)
			b.AddBody("lower", BodySpec{Pose: at(0, 0, -0.15), Shapes: []ShapeSpec{{Shape: must(geometry.NewBox(r3.Vec{1, 1, 0.1})), Material: "m"}}})
			return b
		},
		"lift": func() *Builder {
			b := onSlab(feet, com, BodySpec{Joint: &JointSpec{Name: "lift", Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}}})
			b.AddDrive("hold", &JointDrive{Joint: "lift", Kp: 1e6, Kd: 1e4})
			return b
		},
	} {
		b := build()
		bear(b)
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 2e-3, 5)
		unseen := s.Report.UnseenSupport
		if name == "lift" {
			if unseen.Drive != "d" || s.BodyName(unseen.Body) != "slab" {
				t.Errorf("%s: reported %+v", name, unseen)
			}
			continue
		}
		if unseen.Drive != "" {
			t.Errorf("%s: reported %+v", name, unseen)
		}
		for i, share := range []float64{f0, f1, 1 - f0 - f1} {
			near(t, fmt.Sprintf("%s, leg %d", name, i), Effort{m.Names.Drives[fmt.Sprintf("d.j_foot%d", i)]}.Value(s, x), -98.1*share, 1e-3)
		}
		run(t, s, x, 2e-3, 495)
		near(t, name+": height after 1 s", s.kin.Pose(m.Body("r.trunk")).P[2], 0.53, 1e-4)
	}
}

// A free part in the air under a link of a floating robot carries nothing, and is no support that is reported.
func TestPartsInTheAirCarryNoRobot(t *testing.T) {
	b := floatingArm()
	mat := constraints.DefaultContactMaterial()
	b.AddMaterial("m", mat)
	b.bodyOf["r.base"].spec.Shapes = []ShapeSpec{{Shape: must(geometry.NewBox(r3.Vec{0.1, 0.1, 0.1})), Material: "m"}}
	b.AddBody("part", BodySpec{Pose: at(0, 0, 0.93), Shapes: []ShapeSpec{{Shape: must(geometry.NewBox(r3.Vec{0.1, 0.1, 0.05})), Material: "m"}}})
	bear(b)
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 1e-3, 1)
	if n := s.planner.(*robots).setpoints[0].dependents.support.points(); n > 0 || s.Report.UnseenSupport.Drive != "" {
		t.Errorf("%d points of support, reported %+v", n, s.Report.UnseenSupport)
	}
}
