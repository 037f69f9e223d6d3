package optimize

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/curlfree/curlfree/optimal"
)

// Starts are first guesses of efforts from which a task is solved (multi-start): iLQR finds a local minimum, and
// whether a plan makes a contact often depends on the guess. The first start is that of the file; the others add to it
// efforts that are linear in time between random values at knots.
type Starts struct {
	// Number is that of all starts.
	Number int `key:"number,required" min:"1" max:"10000"`
	// Spread is the standard deviation of the random efforts, one for each drive, N or N m.
	Spread []float64 `key:"spread,required"`
	// Knots is the number of random values in the whole time.
	Knots int `key:"knots" min:"2" max:"10000"`
	// Seed selects the random numbers.
	Seed int `key:"seed"`
}

// defaultKnots is the number of knots where the file gives none: a force may change its sign a few times.
const defaultKnots = 6

// StartResult is the end of one start.
type StartResult struct {
	// Cost is that of the last stage; +Inf where the start failed.
	Cost float64
	// Iterations is the number of iterations of all stages.
	Iterations int
	// Err is why a start failed: for instance, its first guess pushes bodies through each other.
	Err error
}

// checkStarts verifies the starts against the drives.
func (f *File) checkStarts() error {
	s := f.Starts
	// unknowns have no first guess of efforts
	if len(f.Drives) == 0 {
		return errors.New("starts are for efforts of drives: leave them out with unknowns")
	}
	if len(s.Spread) != len(f.Drives) {
		return fmt.Errorf("starts.spread has %d numbers for %d drives: give one for each", len(s.Spread), len(f.Drives))
	}
	// 0 leaves a drive as it is
	for _, x := range s.Spread {
		if !(x >= 0) || math.IsInf(x, 0) {
			return fmt.Errorf("starts.spread: %g is no standard deviation: give a finite number that is not negative", x)
		}
	}
	return nil
}

// disturb returns the efforts of all steps from which a start begins: u, and those of its random numbers.
func (t *Task) disturb(u []float64, start int) [][]float64 {
	// the start of the file itself comes first
	if start == 0 {
		return slices.Repeat([][]float64{u}, t.steps)
	}
	// values between knots are continuous, as forces of motors are
	s := t.File.Starts
	knots := cmp.Or(s.Knots, defaultKnots)
	// one sequence for each start, so that more starts leave the first ones as they are
	random := rand.New(rand.NewPCG(uint64(s.Seed), uint64(start)))
	values := make([][]float64, knots)
	// independent of each other, so that a start may push either way
	for i := range values {
		for _, spread := range s.Spread {
			values[i] = append(values[i], spread*random.NormFloat64())
		}
	}
	guess := make([][]float64, t.steps)
	for k := range guess {
		// every step has its own efforts;
		// the place of the step between two knots; the last step is at the last one
		at := float64(k) / float64(max(1, t.steps-1)) * float64(knots-1)
		i := min(int(at), knots-2)
		w := at - float64(i) // weight of the later knot
		for j, x := range u {
			guess[k] = append(guess[k], x+(1-w)*values[i][j]+w*values[i+1][j])
		}
	}
	return guess
}

// Solve runs iLQR from all starts, one after the other, each on several steppers at a time, at most four for each core;
// the result does not depend on their number. Starts that fail are left out, unless all do. each is called after every
// iteration, and ends the solve by returning false, with the best result so far; nil: not called.
func (t *Task) Solve(threads int, each func(optimal.Iteration) bool) (*Solution, error) {
	// without the key there is one, that of the file
	number := 1
	if t.File.Starts != nil {
		number = t.File.Starts.Number
	}
	// the caller may end the whole search, not only a start
	stopped := false
	next := func(row optimal.Iteration) bool {
		stopped = each != nil && !each(row)
		return !stopped
	}
	// a failed start costs nothing but itself
	var best *Solution
	var starts []StartResult
	refused := 0
	for i := 0; i < number && !stopped; i++ {
		s, err := t.solveStages(i, threads, next)
		if err != nil {
			starts = append(starts, StartResult{Cost: math.Inf(1), Err: err})
			continue
		}
		// steps without a derivative count over all starts
		starts = append(starts, StartResult{Cost: s.Cost, Iterations: len(s.Iterations)})
		refused += s.Refused
		// the first of equal costs
		if best == nil || s.Cost < best.Cost {
			best = s
		}
	}
	if best == nil {
		return nil, starts[0].Err
	}
	// what all starts cost, beside the result of the best
	best.Starts, best.Refused = starts, refused
	return best, nil
}
