package robot

import "math"

// leastRange is the range of a leader's positions below which it cannot move, rad or m.
const leastRange = 1e-6

// MendMimicLimits takes the limits off mimic joints that leave their leaders no motion. A follower at q_f = m q + o
// between limits lets its leader move between (lower − o)/m and (upper − o)/m. Files are found whose mimics have a
// multiplier of −1 and limits for +1, as of the 2F-85: other programs do not look at them, and with them the hand
// cannot close.
func (r *Reader) MendMimicLimits(m *Robot) {
	if r.Err != nil {
		return // mimics may be in a cycle
	}
	lo, hi := make([]float64, len(m.Joints)), make([]float64, len(m.Joints))
	for i := range m.Joints {
		lo[i], hi[i] = m.Joints[i].Lower, m.Joints[i].Upper
	}
	for i := range m.Joints {
		j := &m.Joints[i]
		if j.Mimic == nil || j.Mimic.Multiplier == 0 {
			continue
		}
		// position = a q + b of the joint that leads all
		a, b, lead := j.Mimic.Multiplier, j.Mimic.Offset, j.Mimic.Joint
		for f := m.Joints[lead].Mimic; f != nil; f = m.Joints[lead].Mimic {
			a, b, lead = a*f.Multiplier, b+a*f.Offset, f.Joint
		}
		from, to := (j.Lower-b)/a, (j.Upper-b)/a
		if a < 0 {
			from, to = to, from
		}
		from, to = math.Max(from, lo[lead]), math.Min(to, hi[lead])
		switch {
		case a == 0 || hi[lead]-lo[lead] <= leastRange:
		case to-from <= leastRange:
			r.Repair(j.Line, "joint %q follows %q by %g, which its limits %g and %g leave no motion: they are taken off; give it those that follow from its mimic",
				j.Name, m.Joints[lead].Name, a, j.Lower, j.Upper)
			j.Lower, j.Upper = math.Inf(-1), math.Inf(1)
		default:
			lo[lead], hi[lead] = from, to
		}
	}
}
