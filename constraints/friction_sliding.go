package constraints

// The slip speed below which friction is viscous follows the relative velocity v_c0 of a contact at the start of the
// step,
//
//	k = 0.05 |v_c0|,   a = max(0, ε_s² − v_s²)
//	ε² = v_s² + a k²/(a + k²)                                             (1)
//
// It is the stiction tolerance v_s of a contact at rest, a twentieth of the slip of one that slides slowly, and the
// sliding tolerance ε_s of one that slides at much more than 20 ε_s; where v_s ≥ ε_s it is v_s. A body loaded by the
// share x of its friction limit creeps at ε x/√(1 − x²). Where that is less than 20 ε, up to 99.87 % of the limit, the
// next step has a smaller ε, so that creep falls to that of v_s. Steady sliding has 99.87 % of Coulomb's friction or
// more. With v_s itself, contacts that slide or meet would take more iterations, since their friction turns within ε,
// and be no more exact. (1) is smooth in v_c0, and constant over a step, which leaves the problem convex.
// Source: this program.

import "math"

// slidingShare is ε over a small velocity.
const slidingShare = 0.05

// tolerances returns v_s and ε_s of a contact model that gives some of them: the defaults of both where v_s
// is 0, and v_s for contacts that slide as well where ε_s alone is 0.
func tolerances(vs, sliding float64) (float64, float64) {
	if vs == 0 {
		vs = DefaultStictionTolerance
		if sliding == 0 {
			sliding = DefaultSlidingTolerance
		}
	}
	return vs, math.Max(vs, sliding)
}

// slipModel is a contact model that has slip tolerances.
type slipModel interface {
	slipTolerances() (stiction, sliding float64)
}

// SlipTolerances returns the slip speeds below which friction of what sticks, and of what slides fast, is viscous in a
// contact model, v_s and ε_s, m/s: the defaults where it has none. Friction of joints has the same, in rad/s or m/s.
func SlipTolerances(m ContactModel) (stiction, sliding float64) {
	if s, ok := m.(slipModel); ok {
		return s.slipTolerances()
	}
	return tolerances(0, 0)
}

// viscousSlip returns ε of (1), m/s, for the speed |v_c0|.
func viscousSlip(vs, sliding, speed float64) float64 {
	a, k := sliding*sliding-vs*vs, slidingShare*speed
	if !(a > 0) || k == 0 {
		return vs
	}
	r := a / k / k // a k²/(a + k²) = a/(1 + r), finite at any speed
	return math.Sqrt(vs*vs + a/(1+r))
}
