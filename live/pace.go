package live

import "time"

// pace says when a step is due by the clock: the time s of the run follows the clock by
//
//	s = s₀ + speed (t − t₀)
//
// A run that falls behind does not catch up: what is lost beyond maxLag is forgotten by moving t₀.
type pace struct {
	speed float64   // 0: as fast as possible
	clock time.Time // t₀
	sim   float64   // s₀, s
}

// maxLag is how far a run may be behind the clock: steps that grip take thrice the mean, and are
// caught up within the time in which a person sees no delay.
const maxLag = 100 * time.Millisecond

// restart begins again at a time of the run (s).
func (p *pace) restart(now time.Time, sim float64) { p.clock, p.sim = now, sim }

// wait returns the time until the step from a time of the run (s) on is due; 0: now.
func (p *pace) wait(now time.Time, sim float64) time.Duration {
	// no clock at all
	if p.speed == 0 {
		return 0
	}
	due := p.clock.Add(time.Duration((sim - p.sim) / p.speed * float64(time.Second)))
	// negative: the run is late
	left := due.Sub(now)
	if left < -maxLag {
		p.restart(now.Add(-maxLag), sim)
	}
	return max(0, left)
}
