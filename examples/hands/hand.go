package main

import "github.com/curlfree/curlfree/r3"

// A hand is a robot file and how its joints close, as someone would who reads the file: nothing of the
// grip itself.
type hand struct {
	// name is that of the table, file the path of the robot file in the folder of the user.
	name, file string
	// diameter of the sphere, m.
	diameter float64
	// preset are positions of joints from which the fingers close, rad or m; 0 for others.
	preset map[string]float64
	// fingers close until they touch, each for itself.
	fingers []finger
	// at bounds the place of the sphere, m, in the frame of the file; nil: wherever fingers reach. A gripper
	// whose jaws share one joint needs it: both touch at once only on its plane of symmetry.
	at *r3.Box
}

// A finger is the joints that close it together. Links that they move belong to it, those of mimic
// joints too, and so does every jaw of a gripper.
type finger []travel

// travel is how far a joint closes.
type travel struct {
	joint        string
	open, closed float64 // rad or m
}

// chain is a finger of which all joints close by the same angle.
func chain(closed float64, joints ...string) (f finger) {
	for _, j := range joints {
		f = append(f, travel{j, 0, closed})
	}
	return f
}

// hands are those of the table in docs/robots.md.
var hands = []hand{
	{
		name: "LEAP", file: "leap_hand/leap_hand_right.urdf", diameter: 0.06,
		preset:  map[string]float64{"12": 1.57},
		fingers: []finger{chain(1.4, "1", "2", "3"), chain(1.4, "5", "6", "7"), chain(1.4, "9", "10", "11"), chain(1.4, "14", "15")},
	},
	{
		name: "Allegro", file: "allegro_hand/allegro_hand_right.urdf", diameter: 0.06,
		preset: map[string]float64{"joint_12.0": 1.396, "joint_13.0": 0.3},
		fingers: []finger{
			chain(1.5, "joint_1.0", "joint_2.0", "joint_3.0"), chain(1.5, "joint_5.0", "joint_6.0", "joint_7.0"),
			chain(1.5, "joint_9.0", "joint_10.0", "joint_11.0"), chain(1.5, "joint_14.0", "joint_15.0"),
		},
	},
	{
		name: "Shadow", file: "shadow_hand/shadow_hand_right.urdf", diameter: 0.06,
		preset: map[string]float64{"THJ4": 1.2},
		fingers: []finger{
			chain(1.4, "FFJ3", "FFJ2", "FFJ1"), chain(1.4, "MFJ3", "MFJ2", "MFJ1"), chain(1.4, "RFJ3", "RFJ2", "RFJ1"), chain(1.4, "LFJ3", "LFJ2", "LFJ1"),
			{{"THJ5", 0, 1}, {"THJ2", 0, 0.6}, {"THJ1", 0, 1.2}},
		},
	},
	{
		name: "Barrett", file: "barrett_hand/bhand_model.urdf", diameter: 0.07,
		fingers: []finger{
			{{"finger_1_med_joint", 0, -2.3}, {"finger_1_dist_joint", 0, -0.77}},
			{{"finger_2_med_joint", 0, -2.3}, {"finger_2_dist_joint", 0, -0.77}},
			{{"finger_3_med_joint", 0, -2.3}, {"finger_3_dist_joint", 0, -0.77}},
		},
	},
	{
		name: "Ability", file: "ability_hand/ability_hand_right.urdf", diameter: 0.05,
		preset:  map[string]float64{"thumb_q1": -1.57},
		fingers: []finger{chain(1.8, "index_q1"), chain(1.8, "middle_q1"), chain(1.8, "ring_q1"), chain(1.8, "pinky_q1"), chain(1.5, "thumb_q2")},
	},
	{
		name: "DClaw", file: "dclaw_gripper/dclaw_gripper.urdf", diameter: 0.06,
		fingers: []finger{
			{{"joint_f1_1", 0, -0.8}, {"joint_f1_2", 0, 0.4}}, {{"joint_f2_1", 0, 0.8}, {"joint_f2_2", 0, -0.4}}, {{"joint_f3_1", 0, 0.8}, {"joint_f3_2", 0, 0.4}},
		},
	},
	{
		name: "Inspire", file: "inspire_hand/inspire_hand_right.urdf", diameter: 0.05,
		preset: map[string]float64{"thumb_proximal_yaw_joint": 1.3},
		fingers: []finger{
			chain(1.47, "index_proximal_joint"), chain(1.47, "middle_proximal_joint"), chain(1.47, "ring_proximal_joint"), chain(1.47, "pinky_proximal_joint"),
			chain(0.6, "thumb_proximal_pitch_joint"),
		},
	},
	{
		name: "SVH", file: "schunk_hand/schunk_svh_hand_right.urdf", diameter: 0.05,
		preset: map[string]float64{"right_hand_Thumb_Opposition": 0.6},
		fingers: []finger{
			{{"right_hand_Index_Finger_Proximal", 0, 0.79}, {"right_hand_Index_Finger_Distal", 0, 1.33}},
			{{"right_hand_Middle_Finger_Proximal", 0, 0.79}, {"right_hand_Middle_Finger_Distal", 0, 1.33}},
			chain(0.98, "right_hand_Ring_Finger"), chain(0.98, "right_hand_Pinky"), chain(0.97, "right_hand_Thumb_Flexion"),
		},
	},
	{
		name: "2F-85", file: "robotiq_arg85_description/robots/robotiq_arg85_description.URDF", diameter: 0.05,
		fingers: []finger{chain(0.72, "finger_joint")},
		at:      &r3.Box{Min: r3.Vec{0, 0, 0.08}, Max: r3.Vec{0, 0, 0.17}},
	},
	{
		name: "2F-140", file: "robotiq_2f_140.urdf", diameter: 0.06,
		fingers: []finger{chain(0.7, "finger_joint")},
		at:      &r3.Box{Min: r3.Vec{0, 0, 0.1}, Max: r3.Vec{0, 0, 0.25}},
	},
}
