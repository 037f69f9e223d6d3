package run

// Energy that bodies, contacts and springs gained in a run beyond the work done on them: errors of integration, as
// sim/energy_balance.go finds them step by step. The run warns of every gain.
//
// Contact of bodies that overlap at the start releases what it stores within a few steps, at speeds that steps hardly
// resolve; shorter ones damp it less. So where bodies overlap there the remedy is to part them.
//
// Sums are kept in checkpoints, as numbers in a list, so that a resumed run warns of all its gains.

import (
	"fmt"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// energyGains sums up the gains of a run.
type energyGains struct {
	total   float64                 // J
	steps   int                     // number of steps with a gain
	largest sim.GainedEnergy        // of one body, contact or spring
	start   sim.RelativePenetration // deepest overlap at the start of the run
}

// energyGainsNumbers is the length of an energyGains in the memory of a checkpoint.
const energyGainsNumbers = 12

// notedOverlap is the overlap at the start over the thickness of bodies above which its release counts as the cause of
// gains.
const notedOverlap = 0.01

// energyGainsOf returns the energyGains that appendTo stored.
func energyGainsOf(m []float64) energyGains {
	return energyGains{
		m[0], int(m[1]),
		sim.GainedEnergy{Energy: m[2], Body: int(m[3]), Other: int(m[4]), Share: m[5], Time: m[6], Scale: m[7]},
		sim.RelativePenetration{Ratio: m[8], Depth: m[9], Bodies: [2]int{int(m[10]), int(m[11])}},
	}
}

// appendTo returns a copy of a checkpoint's memory with the sums appended.
func (g *energyGains) appendTo(memory []float64) []float64 {
	n, l, o := len(memory), &g.largest, &g.start
	return append(memory[:n:n], g.total, float64(g.steps), l.Energy, float64(l.Body), float64(l.Other), l.Share, l.Time, l.Scale,
		o.Ratio, o.Depth, float64(o.Bodies[0]), float64(o.Bodies[1]))
}

// add adds the gain that a step reports.
func (g *energyGains) add(gain *sim.GainedEnergy) {
	if gain.Energy == 0 {
		return
	}
	g.total += gain.Energy
	g.steps++
	if gain.Share > g.largest.Share {
		g.largest = *gain
	}
}

// addStart notes the overlap at the start of the first step.
func (g *energyGains) addStart(r *sim.Report) {
	if r.Step == 1 {
		g.start = r.RelativePenetration
	}
}

// summary returns the largest gain for run.json, nil without any.
func (g *energyGains) summary(s *sim.Stepper) *record.EnergyGain {
	if g.steps == 0 {
		return nil
	}
	return &record.EnergyGain{Energy: g.largest.Share, Time: g.largest.Time, Of: g.largest.Scale, By: s.GainedBy(&g.largest), Steps: g.steps}
}

// warning is the warning of a run with gains; otherwise empty.
func (g *energyGains) warning(s *sim.Stepper) string {
	if g.steps == 0 {
		return ""
	}
	l, remedy := &g.largest, "use a shorter time.step"
	if g.start.Ratio > notedOverlap {
		remedy = fmt.Sprintf("part %s, which overlap by %.3g mm at the start: contact releases what it stores there within a few steps, and shorter ones damp that less", s.PenetratedBy(&g.start), 1e3*g.start.Depth)
	}
	return fmt.Sprintf("%.3g J of energy were gained beyond the work done, found in %d steps; most by %s: %.3g J%s, in the step that ends at t = %.6g s. The results are wrong from there on: %s",
		g.total, g.steps, s.GainedBy(l), l.Share, ofEnergy(l), l.Time, remedy)
}

// ofEnergy relates a gain to the energy of what gained it.
func ofEnergy(l *sim.GainedEnergy) string {
	if l.Scale <= 0 {
		return ""
	}
	return fmt.Sprintf(" (it has %.3g J of kinetic and elastic energy)", l.Scale)
}
