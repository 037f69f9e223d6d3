package sim

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/constraints"
)

// inputs are drives whose feed forward the caller sets before each step.
type inputs struct {
	drives []int     // indices into Model.Constraints
	u      []float64 // N or N m
	// constraints are the model's, with those of the drives replaced
	constraints []constraints.Constraint
}

// UseInputs declares the feed-forward efforts of drives of kind joint as the input vector u of the
// following steps, in this order, N or N m. The input replaces their own feed forward, and is zero
// until SetInputs. Gains and bounds of the drives stay. The error names a drive that does not exist or
// has no feed forward. Without names there is no input.
func (s *Stepper) UseInputs(drives ...string) error {
	in := inputs{u: make([]float64, len(drives)), constraints: slices.Clone(s.commanded.constraints)}
	for k, name := range drives {
		i, ok := -1, false
		if s.Model.Names != nil {
			i, ok = s.Model.Names.Drives[name]
		}
		if !ok {
			return fmt.Errorf("sim: input %q: there is no such drive of a joint", name)
		}
		pd, ok := s.commanded.constraints[i].(*constraints.PD)
		if !ok {
			return fmt.Errorf("sim: input %q: the feed forward of this drive is no input: take a drive of kind joint", name)
		}
		if slices.Contains(in.drives, i) {
			return fmt.Errorf("sim: input %q: it is named twice", name)
		}
		c := *pd
		u := &in.u[k]
		c.FeedForward = func(float64) float64 { return *u }
		in.drives, in.constraints[i] = append(in.drives, i), &c
	}
	s.inputs = in
	return nil
}

// SetInputs sets the input u of the next steps, one number for each drive of UseInputs, N or
// N m. It panics where there are not as many.
func (s *Stepper) SetInputs(u []float64) {
	if len(u) != len(s.inputs.u) {
		panic(fmt.Sprintf("sim: %d inputs for %d drives of UseInputs: give one for each", len(u), len(s.inputs.u)))
	}
	copy(s.inputs.u, u)
}

// NumInputs returns the number of drives of UseInputs.
func (s *Stepper) NumInputs() int { return len(s.inputs.u) }
