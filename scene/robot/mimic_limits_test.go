package robot_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// Limits that leave a leader no motion are taken off, those that leave it any stay, however mimics are chained: of
// random positions of the leader within the limits that remain some are within all of them, and each that is gone would
// have left none.
func TestMimicLimitsLeaveTheLeaderMotion(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 41))
	gone, stay := 0, 0
	for range 300 {
		const n = 5
		m := connected(n+1, [2]int{0, 1}, [2]int{0, 2}, [2]int{0, 3}, [2]int{0, 4}, [2]int{0, 5})
		for i := range m.Joints {
			j := &m.Joints[i]
			lower := 2*rng.Float64() - 1
			j.Type, j.Axis, j.Lower, j.Upper, j.Line = robot.Revolute, r3.Vec{0, 0, 1}, lower, lower+rng.Float64(), 10+i
			if i > 0 { // of joint 0, or of one that follows it
				j.Mimic = &robot.Mimic{Joint: rng.IntN(i), Multiplier: 4*rng.Float64() - 2, Offset: rng.Float64() - 0.5}
			}
		}
		before := append([]robot.Joint(nil), m.Joints...)
		r := robot.Reader{File: "f"}
		r.MendMimicLimits(m)
		// positions at which all limits of a list of joints are met
		within := func(joints []robot.Joint, also int) bool {
			for k := range 5001 {
				q := [n]float64{joints[0].Lower + (joints[0].Upper-joints[0].Lower)*float64(k)/5000}
				ok := true
				for i := 1; i < n; i++ {
					f := joints[i].Mimic
					q[i] = f.Multiplier*q[f.Joint] + f.Offset
					low, high := joints[i].Lower, joints[i].Upper
					if i == also {
						low, high = before[i].Lower, before[i].Upper
					}
					if i <= also || also < 0 {
						ok = ok && low <= q[i] && q[i] <= high
					}
				}
				if ok {
					return true
				}
			}
			return false
		}
		warned := 0
		for i := range m.Joints {
			if !math.IsInf(m.Joints[i].Upper, 1) {
				stay++
				continue
			}
			gone++
			warned++
			// a range below the 5,000th part of the leader's may be missed
			if within(m.Joints, i) {
				t.Fatalf("limits %g and %g of joint %d are gone, but leave its leader motion", before[i].Lower, before[i].Upper, i)
			}
		}
		if warned != len(r.Warnings) {
			t.Fatalf("%d limits are gone, %d warnings", warned, len(r.Warnings))
		}
		if !within(m.Joints, -1) {
			t.Fatal("the leader cannot move within the limits that stay")
		}
	}
	if gone < 100 || stay < 100 {
		t.Errorf("%d limits are gone and %d stay: too few", gone, stay)
	}
}

// The finger of a 2F-85: a multiplier of −1, and limits for +1. Limits that touch the leader's at one end leave none
// either.
func TestLimitsOfTheWrongSignAreTakenOff(t *testing.T) {
	m := connected(4, [2]int{0, 1}, [2]int{0, 2}, [2]int{0, 3})
	for i := range m.Joints {
		m.Joints[i].Type, m.Joints[i].Axis, m.Joints[i].Upper = robot.Revolute, r3.Vec{0, 1, 0}, 0.8757
		m.Joints[i].Lower = 0
	}
	m.Joints[1].Mimic, m.Joints[2].Mimic = &robot.Mimic{Joint: 0, Multiplier: -1}, &robot.Mimic{Joint: 0, Multiplier: 1}
	r := robot.Reader{File: "f"}
	r.MendMimicLimits(m)
	if len(r.Warnings) != 1 || !r.Warnings[0].Repaired || !math.IsInf(m.Joints[1].Lower, -1) || m.Joints[2].Upper != 0.8757 || m.Joints[0].Upper != 0.8757 {
		t.Errorf("%v, %v", r.Warnings, m.Joints)
	}
}
