package ik_test

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/ik"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// An arm of two links of 1 m in a plane reaches (1, 1) with one joint at 0 or at a right angle.
func ExampleSolver_Reach() {
	var b rigid.Builder
	for i := range 3 {
		link := rigid.LinkSpec{
			Name: fmt.Sprint("link ", i), Parent: i - 1, Mass: 1, Inertia_B: r3.Identity(),
			Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}}, X_PF: r3.PoseIdentity(), X_BM: r3.PoseIdentity(),
		}
		if i > 0 {
			link.X_PF.P = r3.Vec{1, 0, 0}
		}
		if i == 2 {
			link.Joint = rigid.Weld{}
		}
		b.Add(link)
	}
	model, _ := b.Build()
	var joints []ik.Joint
	for dof := range 2 {
		joints = append(joints, ik.Joint{Dof: dof, Lower: -math.Pi, Upper: math.Pi})
	}
	s, _ := ik.NewSolver(ik.Robot{Rigid: model, Joints: joints})
	s.Frames = []ik.Frame{{Link: 2, X_BF: r3.PoseIdentity(), X_WF: r3.Pose{R: r3.Identity(), P: r3.Vec{1, 1, 0}}, Position: 1}}
	q := []float64{0.3, 0.5}
	r, _ := s.Reach(q, ik.Search{})
	fmt.Printf("%v: elbow at %.4f rad\n", r.OK, q[1])
	s.Frames[0].X_WF.P = r3.Vec{3, 0, 0}
	r, _ = s.Reach(q, ik.Search{})
	fmt.Printf("%v: %.3f m away\n", r.OK, r.Position)
	// Output:
	// true: elbow at 1.5708 rad
	// false: 1.000 m away
}
