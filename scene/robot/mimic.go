package robot

// NamedMimic is a mimic joint as a file writes it, with its leader given by name.
type NamedMimic struct {
	// Line is the line of the file that defines it.
	Line int
	// Joint is the number of the mimic joint (follower).
	Joint int
	// Leader is the name of the independent joint that it follows.
	Leader string
	// Multiplier is the ratio of the velocities.
	Multiplier float64
	// Offset is the position of Joint where Leader is at zero, rad or m.
	Offset float64
}

// SetMimic sets the Mimic of a joint. The numbers of joints by name are in joints. A
// leader without exactly one position is a fault; the mimic of a joint without one
// is ignored with a warning.
func (r *Reader) SetMimic(m *Robot, f NamedMimic, joints map[string]int) {
	j := &m.Joints[f.Joint]
	other, ok := joints[f.Leader]
	switch {
	case other == f.Joint && ok:
		r.Fail(f.Line, "joint %q mimics %q: name another joint of the robot", j.Name, f.Leader)
	case !ok:
		r.Repair(f.Line, "joint %q mimics %q, which is no joint of the robot: it moves by itself", j.Name, f.Leader)
	case !j.Type.OneDOF():
		r.Warn(f.Line, "joint %q is %s: its <mimic> is ignored", j.Name, j.Type)
	case !m.Joints[other].Type.OneDOF():
		r.Fail(f.Line, "joint %q mimics %q, which is %s and has no single position: make %q fixed too, or let it follow another",
			j.Name, f.Leader, m.Joints[other].Type, j.Name)
	default:
		j.Mimic = &Mimic{other, f.Multiplier, f.Offset}
	}
}

// CheckMimicCycles reports joints that mimic each other in a cycle.
func (r *Reader) CheckMimicCycles(m *Robot) {
	// Follow the leaders of each joint up to one that was visited before. It closes a
	// cycle if the same walk visited it.
	visitedFrom := make([]int, len(m.Joints)) // 1 + the joint that the walk began at
	for i := range m.Joints {
		for at := i; visitedFrom[at] == 0; at = m.Joints[at].Mimic.Joint {
			visitedFrom[at] = i + 1
			lead := m.Joints[at].Mimic
			if lead == nil {
				break
			}
			if visitedFrom[lead.Joint] == i+1 {
				r.Fail(m.Joints[at].Line, "joint %q mimics one that mimics it: mimics must lead to one joint, not in a cycle", m.Joints[at].Name)
				return
			}
		}
	}
}
