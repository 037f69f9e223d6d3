package optimize

import (
	"math"

	"github.com/curlfree/curlfree/scene"
)

// Costs as package gradient calls them: functions of the values of the model's signals after each step. What a scene
// shows of a signal is scaled, and may be measured from its value at a time; samples lie between steps. All that is
// linear,
//
//	s(t) = Σ_k w_k x_k,   ∂F/∂x_k = w_k ∂F/∂s                                                (10)

// stepWeight is one w_k of (10): the weight of a signal's value after a step.
type stepWeight struct {
	// step counts from 0, the start; weight includes the scale of the signal.
	step   int
	weight float64
}

// shown appends (10) of signal i as the scene shows it after step k, times w. Values before the time from which a
// signal is measured are zero, and so are forces at the start.
func shown(sc *scene.Scene, i, k int, w float64, to []stepWeight) []stepWeight {
	since, scale := sc.Signals.Reference(i)
	// forces at the start are zero and have no derivative
	of := func(k int, w float64) {
		if k > 0 || !sc.Model.Signals[i].OfStep {
			to = append(to, stepWeight{k, w * scale})
		}
	}
	// +Inf where nothing is subtracted
	if math.IsInf(since, 1) {
		of(k, w)
		return to
	}
	// the first step that reaches the time
	h := sc.File.Time.Step
	from := max(0, int(math.Ceil((since-timeSlack)/h)))
	if k < from {
		return to
	}
	// the value that is subtracted is one of the same run
	of(k, w)
	of(from, -w)
	return to
}

// sampled returns (10) of signal i at a time, linear between the steps before and after it.
func (t *Task) sampled(sc *scene.Scene, i int, time float64) (w []stepWeight) {
	// as collect takes samples: a part of the step that ends at or after the time
	k := max(0, int(math.Ceil((time-timeSlack)/t.h)))
	if k == 0 {
		return shown(sc, i, 0, 1, w)
	}
	// f is the share of the step's end; 1 − f is that of its begin
	f := min(1, 1-(float64(k)*t.h-time)/t.h)
	return shown(sc, i, k-1, 1-f, shown(sc, i, k, f, w))
}

// lossOf returns the cost (4) of the values of signals after each step, and adds its derivative to bar.
func (t *Task) lossOf(sc *scene.Scene, values, bar [][]float64) float64 {
	signals, slopes := make([][]float64, len(t.samples)), make([][]float64, len(t.samples))
	// the same weights serve the value here and the derivative below
	for i, s := range t.samples {
		slopes[i] = make([]float64, len(s.times))
		for _, time := range s.times {
			// the signal at the time of the sample, as the scene shows it
			x := 0.0
			for _, w := range t.sampled(sc, s.signal, time) {
				x += w.weight * values[w.step][s.signal]
			}
			signals[i] = append(signals[i], x)
		}
	}
	// terms first: squares need the signals
	cost := t.costOf(signals, slopes)
	for i, s := range t.samples {
		for n, time := range s.times {
			// the transposed of the sum above
			for _, w := range t.sampled(sc, s.signal, time) {
				bar[w.step][s.signal] += w.weight * slopes[i][n]
			}
		}
	}
	return cost
}
