package live

import (
	"time"

	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/web"
)

// counter adds up what steps report between two snapshots.
type counter struct {
	// sums since the last snapshot
	steps                int
	wall                 time.Duration
	stages               [len(sim.StageNames)]float64
	iterations, contacts int
	parts, inaccurate    int // of steps; those of the least length with a larger error than time.accuracy
	inputs               int // of the whole session

	// real-time factor: simulated time over time of the clock since about a second ago
	clock [2]time.Time
	sim   [2]float64
}

// StatNames returns the numbers of Snapshot.Stats, means over the steps since the last snapshot.
func StatNames() []web.Signal {
	// the order is that of appendTo; pages name the numbers by it
	list := []web.Signal{{Name: "real_time"}, {Name: "step", Unit: "ms"}}
	for _, stage := range sim.StageNames {
		list = append(list, web.Signal{Name: stage, Unit: "ms"})
	}
	return append(list, web.Signal{Name: "iterations"}, web.Signal{Name: "contacts"}, web.Signal{Name: "parts"}, web.Signal{Name: "inaccurate"}, web.Signal{Name: "viewers"}, web.Signal{Name: "inputs"})
}

// reset begins again at a time of the run (s); the number of inputs stays.
func (c *counter) reset(sim float64) {
	// both ends of the window: a run that was paused has no past
	now := time.Now()
	// sums begin again, the window stays
	*c = counter{inputs: c.inputs, clock: [2]time.Time{now, now}, sim: [2]float64{sim, sim}}
}

// add counts a step that took some time.
func (c *counter) add(r *sim.Report, wall time.Duration) {
	c.steps++
	c.wall += wall
	for i, t := range r.Stages {
		c.stages[i] += t
	}
	c.iterations += r.Solver.Iterations
	c.contacts += r.NumContacts
	c.parts += max(r.Parts, 1)
	c.inaccurate += r.Defects[sim.AccuracyTerm].Left
}

// appendTo appends the numbers of StatNames at a time of the run (s), and begins to count again.
func (c *counter) appendTo(list []float64, now time.Time, sim float64, viewers int) []float64 {
	// a run that stands still has no step to divide by
	n := float64(max(1, c.steps))
	elapsed := max(now.Sub(c.clock[0]).Seconds(), 1e-6)
	// s of the run per s of the clock; ms a step
	list = append(list, (sim-c.sim[0])/elapsed, 1e3*c.wall.Seconds()/n)
	for _, t := range c.stages {
		list = append(list, 1e3*t/n)
	}
	list = append(list, float64(c.iterations)/n, float64(c.contacts)/n, float64(c.parts)/n, float64(c.inaccurate)/n, float64(viewers), float64(c.inputs))
	// the window continues by half of its length
	if now.Sub(c.clock[1]) > window/2 {
		c.clock[0], c.sim[0] = c.clock[1], c.sim[1]
		c.clock[1], c.sim[1] = now, sim
	}
	*c = counter{inputs: c.inputs, clock: c.clock, sim: c.sim}
	return list
}

// window is the time over which the real-time factor is taken.
const window = time.Second
