package mjcf

// Springs of joints by time constant and damping ratio: springdamper="T ζ" stands in place of stiffness
// and damping, which are then
//
//	k = M/(T ζ)²   and   d = 2 M/T
//
// with M the inertia that the joint moves in the file's position. Source: MuJoCo, XML reference,
// body/joint/springdamper.

// oscillator is a joint with springdamper.
type oscillator struct {
	joint   int
	T, zeta float64
}

// oscillator notes the springdamper of a joint, until masses are known. Numbers that are 0, the default,
// have no effect.
func (r *reader) oscillator(v view, joint string) {
	text, at, ok := v.get("springdamper")
	if !ok || r.Err != nil {
		return
	}
	x := r.parse(at, "springdamper", text, 2, 2)
	switch {
	case x == nil || x[0] == 0 && x[1] == 0:
	case !(x[0] > 0 && x[1] > 0):
		r.Fail(at.Line, "<%s springdamper=%q>: a time constant in s and a damping ratio are required, both greater than 0", at.Name, text)
	default:
		r.oscillators = append(r.oscillators, oscillator{r.joints[joint], x[0], x[1]})
	}
}

// setSprings gives joints with springdamper their stiffness and damping.
func (r *reader) setSprings() {
	if r.Err != nil {
		return
	}
	for _, o := range r.oscillators {
		j := &r.m.Joints[o.joint]
		M := r.inertiaMoved(o.joint)
		j.Stiffness, j.Damping = M/(o.T*o.T*o.zeta*o.zeta), 2*M/o.T
	}
}
