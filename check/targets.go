package check

// Robot files and drives give the greatest speed of a joint, and a controller commands no more. A target
// that moves faster runs away from its joint, as it would from the real mechanism.

import "math"

// speedSamples is how many times of a run a target's speed is sampled at.
const speedSamples = 4096

// targets warns of controllers whose target moves faster than the speed limit of their joint.
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
		if exceeds(most, t.SpeedLimit) {
			what := "the joint falls behind"
			if !t.Held {
				what = "the mechanism could not follow, while this drive, without kd, is not bound by that limit"
			}
			c.warn(Speed, []string{t.Path}, "slow the target down, or give the drive another velocity_limit",
				"its target moves at up to %.3g a second, but the speed limit of %s is %.3g: %s", most, t.Joint, t.SpeedLimit, what)
		}
	}
}
