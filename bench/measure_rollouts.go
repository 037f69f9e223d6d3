package bench

// Rollouts: many states of one model that are stepped with different inputs, as sampling-based
// control and reinforcement learning do. Threads share out states instead of the work of a step,
// so that the throughput, in steps per second, grows with the cores where the latency of a single
// step of a small robot does not.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/curlfree/curlfree/internal/cputime"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// rolloutEffort bounds the random efforts of rollouts, N m: some of the arm's own weight.
const rolloutEffort = 2

// rolloutHold is the number of steps for which a random effort stays: as control at 100 Hz.
const rolloutHold = 10

// measureRollouts measures many states of one model that are stepped at the same time. A repeat is one
// call of sim.Rollouts.Run, so that single steps have no times: the mean over all of them is the result.
func measureRollouts(s *Scene, sc *scene.Scene, opt Options) (*Result, error) {
	res := newResult(s, sc, opt)
	drives := slices.Sorted(maps.Keys(sc.Model.Names.Drives))
	rollouts, err := sim.NewRollouts(sc.Model, sim.Options{Threads: opt.Threads}, drives...)
	if err != nil {
		return nil, err
	}
	defer rollouts.Close()
	// random efforts with a fixed seed: the same inputs on every machine and in every version
	rng := rand.New(rand.NewPCG(1, 2))
	warmUp, inputs := make([][]float64, s.Rollouts), make([][]float64, s.Rollouts)
	starts, states := make([]*sim.State, s.Rollouts), make([]*sim.State, s.Rollouts)
	for i := range states {
		starts[i], states[i] = sc.Model.Start.Clone(), sc.Model.Start.Clone()
		warmUp[i], inputs[i] = randomEfforts(rng, s.WarmUpSteps, len(drives)), randomEfforts(rng, s.Steps, len(drives))
	}
	// the warm-up leads the states apart, so that the measured steps are not copies of one
	h, steps := res.TimeStep, s.Steps*s.Rollouts
	if err := rollouts.Run(starts, warmUp, s.WarmUpSteps, h); err != nil {
		return nil, err
	}
	fastest, slowest, cpu := math.Inf(1), 0.0, math.Inf(1)
	res.Allocations = math.Inf(1)
	var m runtime.MemStats
	// the first one sizes all buffers and is not measured
	for r := range opt.Repeat + 1 {
		// every repeat does the same work, from the same states
		for i, x := range starts {
			*states[i] = *x.Clone()
		}
		// garbage of the copies is collected before the clock starts
		runtime.GC()
		runtime.ReadMemStats(&m)
		before, spent, begin := m.Mallocs, cputime.Used().Seconds(), time.Now()
		if err := rollouts.Run(states, inputs, s.Steps, h); err != nil {
			return nil, err
		}
		took := time.Since(begin).Seconds()
		used := cputime.Used().Seconds() - spent
		runtime.ReadMemStats(&m)
		// equal bits show that repeats did equal work, whatever the threads
		hash := hashOf(states)
		if r == 0 {
			res.StateHash = hash
			continue
		}
		if hash != res.StateHash {
			return nil, fmt.Errorf("the same steps ended in the states %s and %s: stepping is not deterministic", res.StateHash, hash)
		}
		// other processes only make a repeat slower: the fastest one is the best estimate
		fastest, slowest, cpu = min(fastest, took), max(slowest, took), min(cpu, used)
		res.Allocations = min(res.Allocations, math.Floor(float64(m.Mallocs-before)/float64(steps)))
	}
	// without times of single steps their quantiles are all the mean
	mean := 1e3 * fastest / float64(steps)
	res.StepMs = Quantiles{mean, mean, mean}
	res.StepsPerSecond = float64(steps) / fastest
	res.Noise, res.CPUMs = slowest/fastest-1, 1e3*cpu/float64(steps)
	// memory in use, with the buffers of all threads at their final size
	runtime.GC()
	runtime.ReadMemStats(&m)
	res.HeapMB, res.PeakMB = float64(m.HeapAlloc)/mega, peak()/mega
	return res, res.factorFirst(sc, starts[0], h)
}

// factorFirst measures the factorization of the Newton matrix of a step from a state. The steppers of
// rollouts are not accessible, so that the step is taken once more by a stepper of its own.
func (res *Result) factorFirst(sc *scene.Scene, x *sim.State, h float64) error {
	stepper, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		return err
	}
	defer stepper.Close()
	if err := stepper.Step(x, h); err != nil {
		return err
	}
	return res.factor(&stepper.Problem, 1)
}

// randomEfforts returns inputs for a number of steps, N m: uniform in ±rolloutEffort, each constant for
// rolloutHold steps. Row k of drives values is the input of step k.
func randomEfforts(rng *rand.Rand, steps, drives int) []float64 {
	u := make([]float64, steps*drives)
	for k := range u {
		if k < drives || k/drives%rolloutHold == 0 {
			u[k] = rolloutEffort * (2*rng.Float64() - 1)
		} else {
			u[k] = u[k-drives]
		}
	}
	return u
}

// hashOf returns a digest of the bits of all states.
func hashOf(states []*sim.State) string {
	h := sha256.New()
	for _, x := range states {
		h.Write([]byte(x.Hash()))
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}
