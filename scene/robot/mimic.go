package robot

// NamedMimic is a joint that mimics another, named.
type NamedMimic struct {
	Line               int
	Joint              int
	Leader             string
	Multiplier, Offset float64
}

// SetMimic sets the mimic of a joint; joints are the numbers of joints by name.
func (r *Reader) SetMimic(m *Robot, f NamedMimic, joints map[string]int) {
	j := &m.Joints[f.Joint]
	other, ok := joints[f.Leader]
	switch {
	case !ok || other == f.Joint:
		r.Fail(f.Line, "joint %q mimics %q: name another joint of the robot", j.Name, f.Leader)
	case !j.Type.OneDOF():
		r.Warn(f.Line, "joint %q is %s: its <mimic> is ignored", j.Name, j.Type)
	case !m.Joints[other].Type.OneDOF():
		r.Fail(f.Line, "joint %q mimics %q, which is %s and has no single position: make %q fixed too, or let it follow another",
			j.Name, f.Leader, m.Joints[other].Type, j.Name)
	default:
		j.Mimic = &Mimic{other, f.Multiplier, f.Offset}
	}
}

// CheckMimicCycles reports joints that follow each other around.
func (r *Reader) CheckMimicCycles(m *Robot) {
	seenFrom := make([]int, len(m.Joints)) // 1 + the joint whose leaders were followed
	for i := range m.Joints {
		for at := i; seenFrom[at] == 0; at = m.Joints[at].Mimic.Joint {
			seenFrom[at] = i + 1
			lead := m.Joints[at].Mimic
			if lead == nil {
				break
			}
			if seenFrom[lead.Joint] == i+1 {
				r.Fail(m.Joints[at].Line, "joint %q mimics one that mimics it: mimics must lead to one joint, not in a circle", m.Joints[at].Name)
				return
			}
		}
	}
}
