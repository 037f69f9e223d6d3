package robot

import (
	"math"
	"slices"
)

// JointSum is a weighted sum of joint positions, l = Σ c_i q_i, rad or m.
type JointSum struct {
	// Joints are numbers of joints with one degree of freedom, each once.
	Joints []int
	// Coefficients are the factors c_i of the joints, as many as Joints; none is 0.
	Coefficients []float64
}

// Scaled returns the sum times a factor.
func (s JointSum) Scaled(by float64) JointSum {
	c := slices.Clone(s.Coefficients)
	for i := range c {
		c[i] *= by
	}
	return JointSum{slices.Clone(s.Joints), c}
}

// Minus returns the sum less another times a factor.
func (s JointSum) Minus(other JointSum, by float64) JointSum {
	d := s.Scaled(1)
	for i, joint := range other.Joints {
		k := slices.Index(d.Joints, joint)
		if k < 0 {
			d.Joints, d.Coefficients = append(d.Joints, joint), append(d.Coefficients, 0)
			k = len(d.Joints) - 1
		}
		d.Coefficients[k] -= by * other.Coefficients[i]
	}
	// what cancels is left out
	var out JointSum
	for i, c := range d.Coefficients {
		if c != 0 {
			out.Joints, out.Coefficients = append(out.Joints, d.Joints[i]), append(out.Coefficients, c)
		}
	}
	return out
}

// At returns the sum at positions of all joints of a robot.
func (s JointSum) At(q []float64) (l float64) {
	for i, joint := range s.Joints {
		l += s.Coefficients[i] * q[joint]
	}
	return l
}

// Coupling keeps a sum of joint positions in Lower ≤ l ≤ Upper. Where both are equal, it couples the
// joints.
type Coupling struct {
	// Name is unique among the robot's couplings and loops.
	Name string
	// Line is the line of the file that describes it.
	Line int
	JointSum
	// Lower and Upper are in the unit of the sum; ∓Inf: none.
	Lower, Upper float64
}

// Range is an interval; the zero value of *Range, nil, has no bounds.
type Range struct {
	// Lower and Upper are its ends, the lower first.
	Lower, Upper float64
}

// Clamp returns the number of a range nearest to x; of nil x itself.
func (r *Range) Clamp(x float64) float64 {
	if r == nil {
		return x
	}
	return math.Max(r.Lower, math.Min(x, r.Upper))
}

// Actuator pulls along a sum of joint positions l with the force (N or N m)
//
//	f = (g₀ + g₁ l + g₂ l̇) u + b₀ + b₁ l + b₂ l̇
//
// so that joint i feels the effort c_i f. Motors have g₀ alone; servos of position b₁ = −g₀.
type Actuator struct {
	// Name is unique among the robot's actuators.
	Name string
	// Line is the line of the file that describes it.
	Line int
	JointSum
	// Gain and Bias are g and b of the formula.
	Gain, Bias [3]float64
	// Force bounds f; nil: none.
	Force *Range
	// ControlRange bounds the control; nil: none.
	ControlRange *Range
	// Control is the control at the start of a run, unless a scene gives another.
	Control float64
	// Integrates reports that the control is the rate of u, which starts at Activation.
	Integrates bool
	// Activation is u at the start, in the unit of f over that of g₀.
	Activation float64
	// ActivationRange bounds u, in the same unit; nil: none.
	ActivationRange *Range
}
