package check

// Numerical damping, damping by the time step: implicit Euler damps what vibrates. With x⁺ = x + h v⁺ and v⁺ = v − h ω²
// x⁺ a vibration of frequency ω has the multipliers λ = 1/(1 ± iωh) of a step, and decays as one of the share ζ of
// critical damping whose λ has the same modulus and turn,
//
//	ζ = −ln|λ|/√(ln²|λ| + arg²λ),  |λ| = 1/√(1 + ω²h²),  arg λ = arctan ωh           (1)
//
// which is ω h/2 for small ωh, and adds to the damping of the material. Source: Hairer and Wanner,
// Solving Ordinary Differential Equations II, IV.3.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/modal"
	"github.com/curlfree/curlfree/sim"
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

// stepDamping returns ζ of (1).
func stepDamping(omega, h float64) float64 {
	ln, arg := 0.5*math.Log1p(omega*omega*h*h), math.Atan(omega*h)
	return ln / math.Hypot(ln, arg)
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
			e.Frequency, e.Share = omega/(2*math.Pi), stepDamping(omega, h)
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
		all = append(all, DampingEstimate{Where: "spring " + name, Frequency: s.Omega / (2 * math.Pi), Share: stepDamping(s.Omega, h)})
	}
	return all
}
