package run

// Energy that bodies gained in a run beyond the work done on them: errors of integration, as
// sim/energy_balance.go finds them step by step. The run warns of every gain.
//
// Sums are kept in checkpoints, as numbers in a list, so that a resumed run warns of all its gains.

import (
	"fmt"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// energyGains sums up the gains of a run.
type energyGains struct {
	total   float64          // J
	steps   int              // number of steps with a gain
	largest sim.GainedEnergy // in one step
	time    float64          // of the largest, s
}

// energyGainsNumbers is the length of an energyGains in the memory of a checkpoint.
const energyGainsNumbers = 6

// energyGainsOf returns the energyGains that appendTo stored.
func energyGainsOf(m []float64) energyGains {
	return energyGains{m[0], int(m[1]), sim.GainedEnergy{Energy: m[2], Body: int(m[3]), Other: int(m[4])}, m[5]}
}

// appendTo returns a copy of a checkpoint's memory with the sums appended.
func (g *energyGains) appendTo(memory []float64) []float64 {
	n, l := len(memory), &g.largest
	return append(memory[:n:n], g.total, float64(g.steps), l.Energy, float64(l.Body), float64(l.Other), g.time)
}

// add adds the gain that a step found at its start, at time t (s).
func (g *energyGains) add(gain *sim.GainedEnergy, t float64) {
	if gain.Energy == 0 {
		return
	}
	g.total += gain.Energy
	g.steps++
	if gain.Energy > g.largest.Energy {
		g.largest, g.time = *gain, t
	}
}

// summary returns the largest gain for run.json, nil without any.
func (g *energyGains) summary(s *sim.Stepper) *record.EnergyGain {
	if g.steps == 0 {
		return nil
	}
	return &record.EnergyGain{Energy: g.largest.Energy, Time: g.time, By: s.GainedBy(&g.largest), Steps: g.steps}
}

// warning is the warning of a run with gains; otherwise empty.
func (g *energyGains) warning(s *sim.Stepper) string {
	if g.steps == 0 {
		return ""
	}
	return fmt.Sprintf("bodies gained %.3g J of energy beyond the work done on them, in %d steps; most at t = %.6g s: %s gained %.3g J. The results are wrong there: use a shorter time.step; place bodies apart that overlap at the start, since shorter steps damp their release less",
		g.total, g.steps, g.time, s.GainedBy(&g.largest), g.largest.Energy)
}
