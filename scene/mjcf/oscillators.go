package mjcf

// Springs of joints by time constant and damping ratio: springdamper="T ζ" stands in place of stiffness
// and damping, which are then
//
//	k = M/(T ζ)²   and   d = 2 M/T
//
// with M the inertia that a force on the joint meets in the file's position while all other joints are
// free, 1/(M⁻¹)_ii of the mass matrix M. Source: MuJoCo, XML reference, body/joint/springdamper, and what
// MuJoCo 3.12.0 makes of it.

import "gonum.org/v1/gonum/mat"

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
	if len(r.oscillators) == 0 || r.Err != nil {
		return
	}
	all := r.dofs()
	var ch mat.Cholesky
	if !ch.Factorize(r.massMatrix(all)) {
		j := &r.m.Joints[r.oscillators[0].joint]
		r.Fail(j.Line, "joint %q: its springdamper asks for the inertia that it meets, but the mass matrix of the robot is singular: give all bodies that move masses and inertias", j.Name)
		return
	}
	number := map[int]int{} // of the joints with one degree of freedom
	for i := range all {
		number[all[i].joint] = i
	}
	var column mat.VecDense
	for _, o := range r.oscillators {
		i := number[o.joint]
		unit := mat.NewVecDense(len(all), nil)
		unit.SetVec(i, 1)
		if err := ch.SolveVecTo(&column, unit); err != nil {
			r.Warn(r.m.Joints[o.joint].Line, "joint %q: its springdamper is inexact: %v", r.m.Joints[o.joint].Name, err)
		}
		M := 1 / column.AtVec(i)
		j := &r.m.Joints[o.joint]
		j.Stiffness, j.Damping = M/(o.T*o.T*o.zeta*o.zeta), 2*M/o.T
	}
}
