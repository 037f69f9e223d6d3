package sim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/timestep"
)

// StepMemory is what all bodies remember of the last step under the midpoint rule, see package timestep.
type StepMemory struct {
	// H is the length of that step, s.
	H float64
	// W are its displacement velocities, and DV the changes of velocities in it, in the order and units of State.V but
	// for free rotations, whose DV are in the axes of the body. Both are empty where there was none.
	W, DV []float64
}

// Clear empties the memory, as at the start of a run.
func (m *StepMemory) Clear() { m.H, m.W, m.DV = 0, m.W[:0], m.DV[:0] }

// copyFrom makes m a deep copy.
func (m *StepMemory) copyFrom(y *StepMemory) {
	m.H, m.W, m.DV = y.H, append(m.W[:0], y.W...), append(m.DV[:0], y.DV...)
}

// begin makes room for a step of h (s) of n velocities.
func (m *StepMemory) begin(h float64, n int) {
	m.H = h
	if len(m.W) != n {
		m.W, m.DV = slices.Grow(m.W[:0], n)[:n], slices.Grow(m.DV[:0], n)[:n]
	}
}

// part returns the memory of n velocities from the first on.
func (m *StepMemory) part(first, n int) timestep.Memory {
	if len(m.W) == 0 {
		return timestep.Memory{}
	}
	return timestep.Memory{W: m.W[first : first+n], DV: m.DV[first : first+n]}
}

// rule returns the rule of the coming step: static equilibrium has no inertia, and its pseudo-steps are those of Euler.
func (s *Stepper) rule() timestep.Rule {
	if s.rest.holds {
		return timestep.Rule{}
	}
	return s.Model.Rule
}

// checkRule reports what the rule of the model does not integrate.
func (m *Model) checkRule() error {
	if err := m.Rule.Check(); err != nil {
		return fmt.Errorf("sim: Model.Rule: %w", err)
	}
	if err := m.Control.Check(); err != nil {
		return fmt.Errorf("sim: Model.Control: %w", err)
	}
	if !m.Rule.Midpoint {
		return nil
	}
	var errs []error
	for _, d := range m.Deformables {
		errs = append(errs, d.MidpointFault())
	}
	return errors.Join(errs...)
}
