package sim

// All driven joints j swing about their positions q0_j at the start with one frequency and phase,
//
//	q_j = q0_j + a_j x(t),   x = r(t) sin(ω t + φ),   ω = 2π f                              (1)
//	ẋ = ṙ sin + r ω cos                                                                    (2)
//	ẍ = r̈ sin + 2 ṙ ω cos − r ω² sin                                                        (3)
//
// with the minimum jerk r from 0 to 1 of package motion over the time of a ramp. With a ramp the motion begins
// at q0_j and at rest; without one the target is at q0_j + a_j sin φ and moves with a_j ω cos φ at t = 0,
// which the robot, at rest at q0_j, has to catch up with.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
)

var _ = RobotTargets.Register(kinds.Kind[RobotTarget]{
	Name: "sine",
	Doc:  "Each joint swings about its start, from rest where a ramp is given.",
	New:  func() RobotTarget { return &JointSines{} },
	Samples: func() []RobotTarget {
		return []RobotTarget{
			&JointSines{Amplitude: kinds.Numbers{0.1}, Frequency: 0.5},
			&JointSines{Amplitude: kinds.Numbers{0.1, 0.02}, Frequency: 0.5, Phase: 0.3, Ramp: 0.4},
		}
	},
})

// JointSines is a harmonic motion (1) of all joints, q_0 + a r(t) sin(2π f t + φ), with a
// minimum-jerk ramp r from 0 to 1.
type JointSines struct {
	// Amplitude is the amplitude a, one value for all joints or one for each, m or rad.
	Amplitude kinds.Numbers `key:"amplitude,required" unit:"rad or m" doc:"amplitude of all joints, or of each"`
	// Frequency is the frequency f, Hz.
	Frequency float64 `key:"frequency,required" unit:"Hz" doc:"frequency" min:"0"`
	// Phase is the phase φ, rad.
	Phase float64 `key:"phase" unit:"rad" doc:"phase"`
	// Ramp is the time within which the amplitude grows, s; 0: none.
	Ramp float64 `key:"ramp" unit:"s" doc:"time within which the amplitude grows from zero; 0: full amplitude at all times" min:"0"`
}

// sines is the trajectory of JointSines.
type sines struct {
	start, amplitude []float64      // of each joint, m or rad
	omega, phase     float64        // ω, rad/s, and φ, rad
	ramp             motion.Passage // r(t); duration 0: r = 1
}

// Make implements RobotTarget.
func (s *JointSines) Make(d *DrivenRobot) (Trajectory, error) {
	amplitude, err := s.Amplitude.Of(len(d.Joints), 0)
	if err != nil {
		return nil, fmt.Errorf("amplitude %w", err)
	}
	// both ends of the swing, whatever the sign of the amplitude
	for i, a := range amplitude {
		for _, end := range [2]float64{d.Start[i] - math.Abs(a), d.Start[i] + math.Abs(a)} {
			if end < d.Lower[i]-limitSlack || end > d.Upper[i]+limitSlack {
				return nil, fmt.Errorf("amplitude: %s swings to %g, beyond its limits, %g to %g", d.Joints[i], end, d.Lower[i], d.Upper[i])
			}
		}
	}
	// a ω, the largest speed at full amplitude
	for i, a := range amplitude {
		if v := math.Abs(a) * 2 * math.Pi * s.Frequency; v > d.Velocity[i] {
			return nil, fmt.Errorf("frequency: %s moves at up to %.4g, above its velocity limit %g", d.Joints[i], v, d.Velocity[i])
		}
	}
	tr := &sines{d.Start, amplitude, 2 * math.Pi * s.Frequency, s.Phase, motion.Passage{Duration: s.Ramp}}
	// what a short ramp adds to it, by the second term of (2)
	pieces := piecesOfRamp * int(1+min(s.Ramp*s.Frequency, 1e4))
	err = d.checkSpeed(tr, func(yield func(t float64) bool) {
		for k := 0; k < pieces && yield(s.Ramp*float64(k)/float64(pieces)); k++ {
		}
	})
	if err != nil {
		return nil, fmt.Errorf("ramp: %w; take longer", err)
	}
	return tr, nil
}

// piecesOfRamp is the number of times, for each period of a ramp, at which the speed is compared with
// its bound: between two of them it changes by some thousandths.
const piecesOfRamp = 64

// At implements Trajectory.
func (s *sines) At(t float64, q, v, a []float64) {
	r, dr, ddr := s.ramp.At(t)
	// a passage without duration is still 0 at t = 0
	if s.ramp.Duration == 0 {
		r, dr, ddr = 1, 0, 0
	}
	sin, cos := math.Sincos(s.omega*t + s.phase)
	x, dx, ddx := r*sin, dr*sin+r*s.omega*cos, ddr*sin+2*dr*s.omega*cos-r*s.omega*s.omega*sin // (1), (2), (3)
	for j, A := range s.amplitude {
		q[j], v[j], a[j] = s.start[j]+A*x, A*dx, A*ddx
	}
}
