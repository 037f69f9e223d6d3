package check

// Robot files give the greatest speed of a joint, but a simulated joint is not held to
// it: a controller follows its target as fast as its effort allows. A target that moves
// faster shows what the real mechanism could not do.

import "math"

// speedSamples is how many times of a run a target's speed is sampled at.
const speedSamples = 4096

// targets warns of controllers whose target moves faster than the speed limit of
// their joint: the limit bounds nothing in a simulation.
func (c *checker) targets() {
	for _, t := range c.Targets {
		if t.Motion == nil || math.IsInf(t.SpeedLimit, 1) {
			continue
		}
		// Sample the rate in the middle of equal parts of the run.
		most := 0.0
		for i := range speedSamples {
			_, v := t.Motion.At((float64(i) + 0.5) / speedSamples * c.Duration)
			most = math.Max(most, math.Abs(v))
		}
		if most > t.SpeedLimit*(1+1e-9) {
			c.warn(Speed, []string{t.Path}, "slow the target down, or accept that the mechanism could not follow",
				"its target moves at up to %.3g a second, but the speed limit of %s is %.3g: a simulated joint is not held to that limit", most, t.Joint, t.SpeedLimit)
		}
	}
}
