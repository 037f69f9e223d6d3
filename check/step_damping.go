package check

// Numerical damping, damping by the time step. A step multiplies a vibration of the frequency ω by a complex number λ,
// which decays as one of the share ζ of critical damping whose λ has the same modulus and turn,
//
//	ζ = −ln|λ|/√(ln²|λ| + arg²λ)                                                   (1)
//
// The rule of Euler, x⁺ = x + h v⁺ and v⁺ = v − h ω² x⁺, has λ = 1/(1 ± iωh): ζ is ω h/2 for small ωh. That of the
// midpoint rule of package timestep is ½ e (ωh)³. Both add to the damping of the material. λ is an eigenvalue of the
// matrix of a step of (x, v, w, Δv). Source: Hairer and Wanner, Solving Ordinary Differential Equations II, IV.3.

import (
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/modal"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/timestep"
)

// mostVibrating is the number of vertices of a deformable up to which its lowest frequency is
// computed: about half a second.
const mostVibrating = 2500

// DampingEstimate is the damping that the time step adds to a deformable or a spring at its lowest
// natural frequency.
type DampingEstimate struct {
	// Where is the deformable, joint or constraint.
	Where string `json:"where"`
	// Frequency is the lowest natural frequency, Hz.
	Frequency float64 `json:"frequency_Hz"`
	// Share is ζ of (1).
	Share float64 `json:"share_of_critical_damping"`
	// Reason says why there is no estimate; empty where there is one.
	Reason string `json:"not_estimated,omitempty"`
}

// String returns the estimate as one line.
func (e *DampingEstimate) String() string {
	if e.Reason != "" {
		return fmt.Sprintf("%s: what the step adds was not computed: %s", e.Where, e.Reason)
	}
	return fmt.Sprintf("%s: the step adds %.2g %% of critical damping at the lowest frequency, %.3g Hz", e.Where, 100*e.Share, e.Frequency)
}

// Vibration returns what steps of h (s) make of an undamped vibration of omega (rad/s): the share ζ (1) of critical
// damping that they add, and its angular frequency ω_h = √(ln²|λ| + arg²λ)/h in them (rad/s).
func Vibration(rule timestep.Rule, omega, h float64) (zeta, inSteps float64) {
	// columns are steps from unit vectors, after many steps before them
	const n = 4
	A := mat.NewDense(n, n, nil)
	for j := range n {
		var y [n]float64
		y[j] = 1
		y = oscillate(rule.Step(h, timestep.Memory{W: y[2:3], DV: y[3:4]}, h), omega, y)
		A.SetCol(j, y[:])
	}
	var eigen mat.Eigen
	if !eigen.Factorize(A, mat.EigenNone) {
		return math.NaN(), math.NaN()
	}
	// the vibration is the pair that decays the slowest; the other eigenvalues belong to the memory
	most := 0.0
	for _, x := range eigen.Values(nil) {
		if size := cmplx.Abs(x); size > most && imag(x) >= 0 {
			ln, arg := -math.Log(size), cmplx.Phase(x)
			most, zeta, inSteps = size, ln/math.Hypot(ln, arg), math.Hypot(ln, arg)/h
		}
	}
	return zeta, inSteps
}

// oscillate returns x, v, w and Δv of a unit mass on a spring of omega² after a step.
func oscillate(s timestep.Step, omega float64, y [4]float64) [4]float64 {
	h, k, x, v, w, dv := s.H, omega*omega, y[0], y[1], y[2], y[3]
	p := -h*k*(x+s.Alpha*h*v) - s.E*h*h*k*(v-s.Ratio*w) - s.Delta*s.Ratio*dv/s.Theta
	w = v + p/(1/s.Theta+s.Kappa*h*h*k)
	change := s.Change(w, v, dv)
	return [4]float64{x + h*w, v + change, w, change}
}

// StepDamping returns the damping that steps of h seconds add to each deformable and each spring of a
// model at the start.
func StepDamping(m *sim.Model, h float64) (all []DampingEstimate) {
	c := &checker{Input: &Input{Model: m, Step: h}}
	for i, body := range m.Deformables {
		e := DampingEstimate{Where: body.Name()}
		if body.NumVerts() > mostVibrating {
			e.Reason = "the mesh is large; curlfree modes has its frequencies"
		} else if omega, err := lowest(body, c.attached(i)); err != nil {
			e.Reason = err.Error()
		} else {
			e.Frequency = omega / (2 * math.Pi)
			e.Share, _ = Vibration(m.Rule, omega, h)
		}
		all = append(all, e)
	}
	return append(all, springDamping(m, h)...)
}

// lowest returns the lowest natural frequency of a deformable above those of rigid motions, rad/s.
func lowest(body *fem.Model, held []int32) (float64, error) {
	n := 1
	if len(held) == 0 && len(body.Spec().Fixed) == 0 {
		n = 7 // six rigid motions
	}
	modes, err := modal.Solve(body, held, n)
	if err != nil {
		return 0, err
	}
	return math.Sqrt(modes.List[n-1].Omega2), nil
}

// springDamping returns the estimates of springs.
func springDamping(m *sim.Model, h float64) (all []DampingEstimate) {
	st, err := sim.NewStepper(m, sim.Options{Threads: 1})
	if err != nil {
		return nil
	}
	names := map[[2]int]string{}
	for name, i := range m.Names.Constraints {
		names[[2]int{-1, i}] = name
	}
	for name, dof := range m.Names.Joints {
		names[[2]int{dof, -1}] = name
	}
	for _, s := range st.SpringFrequencies(m.Start.Clone()) {
		name, ok := names[[2]int{s.Joint, s.Constraint}]
		if !ok {
			continue // made by the program, such as a driver's
		}
		zeta, _ := Vibration(m.Rule, s.Omega, h)
		all = append(all, DampingEstimate{Where: "spring " + name, Frequency: s.Omega / (2 * math.Pi), Share: zeta})
	}
	return all
}
