package sim

// Control of the error of steps. A step of given length H is taken in parts, each as long as its error allows. The
// error of a part of h is that which it adds to displacements (Step.LocalError of package timestep), over the size of
// its body:
//
//	ε = max over bodies   link: (|δp_c| + R |δθ|)/max(2R, 1 mm)   deformable: max |δx| over its diagonal       (1)
//
// with half of the largest extent of the shapes of the link as R, and their centre c, or with the radius of its
// inertia, √(tr I/2m) about the centre of mass; joints count by the links that they move. With ε over the accuracy, and
// its power q = 3 of h under the midpoint rule, 2 under Euler,
//
//	ε > 1:  the part is taken again with h max(0.2, 0.85 ε^(−1/q))                                       (2)
//	ε ≤ 1:  the next one has h f,  f = 0.85 ε^(−0.7/q) ε₋^(0.4/q) in [0.3, 2]                            (3)
//
// with ε₋ of the part before. f from 0.9 to 1.1 counts as 1, and after a part that was taken again f ≤ 1. A part that
// would leave less than its own length to H takes half of what is left, so that the last part of H is never much
// shorter than its neighbours. For (3) a part that was shortened so has the length and, by its power q, the error of
// the longer one. The error of one part is bounded, not their sum: bodies that meet and part again multiply it.
//
// The sequence of parts is a function of the state alone, which remembers the length of the next part and ε₋. Source:
// (3) is the controller of Gustafsson, 1991, with exponents for Hairer and Wanner's order; (1) is this program's.

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/rigid"
)

// StepControl bounds the errors of steps.
type StepControl struct {
	// Accuracy bounds the error of a part of a step over the size of each body, see step_control.go; 0: none, steps are
	// taken as long as they are asked for.
	Accuracy float64
	// MinStep is the shortest part that errors ask for, s; parts of this length with a larger error are counted. 0: a
	// millionth of the step, and at least 1 µs.
	MinStep float64
}

// Bounds of StepControl.
const (
	LeastAccuracy = 1e-9
	MostAccuracy  = 0.1
)

// Check returns an error where a bound is out of range.
func (c *StepControl) Check() error {
	if a := c.Accuracy; a != 0 && !(a >= LeastAccuracy && a <= MostAccuracy) {
		return fmt.Errorf("accuracy is %g: a number from %g to %g is required, such as 1e-3", a, LeastAccuracy, MostAccuracy)
	}
	if h := c.MinStep; !(h >= 0) || math.IsInf(h, 0) {
		return fmt.Errorf("the shortest step is %g s: it must be positive", h)
	}
	return nil
}

// Pace is what the control of errors remembers of the last part of a step. It is empty at the start and without
// control.
type Pace struct {
	// Next is the length of the next part, s.
	Next float64
	// Error is ε of the last part over the accuracy.
	Error float64
}

const (
	firstShare  = 0.1  // the first part of a run over its step,
	firstStep   = 1e-4 // and its longest, s
	leastPart   = 1e-6 // the shortest part over its step, and in s
	safety      = 0.85 // of (2) and (3)
	leastShrink = 0.2  // of (2)
	leastGrowth = 0.3  // of (3)
	mostGrowth  = 2    // of (3)
	steadyLow   = 0.9  // f that counts as 1
	steadyHigh  = 1.1
	leastError  = 1e-9 // errors over the accuracy that count as no smaller,
	leastBefore = 1e-3 // of the part before
	sliver      = 1e-9 // of H that counts as nothing
)

// firstPart returns the length of the first part of a step of H.
func (c *StepControl) firstPart(last *Pace, H float64) float64 {
	h := last.Next
	if !(h > 0) {
		h = math.Min(firstShare*H, firstStep)
	}
	return math.Max(h, c.shortest(H))
}

// shortest returns the shortest part of a step of H.
func (c *StepControl) shortest(H float64) float64 {
	if c.MinStep > 0 {
		return math.Min(c.MinStep, H)
	}
	return math.Min(math.Max(leastPart, leastPart*H), H)
}

// shrink returns the factor of (2) for an error over the accuracy, or that of a part that is divided for another
// reason: ½.
func shrink(ratio, order float64) float64 {
	if !(ratio > 1) {
		return 0.5
	}
	return math.Max(leastShrink, safety*math.Pow(ratio, -1/order))
}

// growth returns f of (3).
func growth(ratio, before, order float64, again bool) float64 {
	if before == 0 { // the first part has nothing to compare
		before = 1
	}
	f := safety * math.Pow(math.Max(ratio, leastError), -0.7/order) * math.Pow(math.Max(before, leastBefore), 0.4/order)
	f = math.Min(math.Max(f, leastGrowth), mostGrowth)
	if again && f > 1 || f > steadyLow && f < steadyHigh {
		return 1
	}
	return f
}

// kinksOf returns the times at which velocities of prescribed joints jump, ascending, s.
func kinksOf(m *Model) (all []float64) {
	if m.Rigid == nil {
		return nil
	}
	for i := range m.Rigid.NumLinks() {
		if j, ok := m.Rigid.Link(i).Joint.(rigid.Prescribed); ok {
			for _, x := range []motion.Motion{j.Translation[0], j.Translation[1], j.Translation[2], j.Angle} {
				all = append(all, motion.KinksOf(x)...)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
