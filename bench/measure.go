package bench

// How steps are measured. A scene is stepped to where its work begins, then its steps are taken once
// to grow all buffers, and then again from the same state in each repeat. So every repeat does the
// same work to the last bit, which the hash of the state verifies, and of each step the least time of
// all repeats is the best estimate of its own: other processes only add to it.
//
//	warm-up │ steps: buffers, counts │ restore, steps: times │ restore, steps: times │ …
//
// Wall-clock time is what users wait for, processor time what the work costs on a machine that is
// loaded by others. Differences below Noise, the spread of whole repeats, mean nothing.

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/cputime"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/supernodal"
	"github.com/curlfree/curlfree/workers"
)

// Options are the settings of a measurement. Defaults are those of the command
// line.
type Options struct {
	// Threads is the number of threads that a step uses; 0: all cores.
	Threads int
	// Repeat is the number of times that the steps are measured; 0: 3.
	Repeat int
	// Version is the version of the program, for the result.
	Version string
	// Interrupted is asked within steps; where it is true the measurement ends with sim.ErrInterrupted. nil: never.
	Interrupted func() bool
}

// Quantiles describe the distribution of a time over the steps of a scene, ms.
type Quantiles struct {
	// Mean is the arithmetic mean, ms.
	Mean float64 `json:"mean"`
	// Median is the 50th percentile, ms.
	Median float64 `json:"median"`
	// P95 is the 95th percentile, ms.
	P95 float64 `json:"p95"`
}

// MeanMax describes a number that varies from step to step.
type MeanMax struct {
	// Mean is the arithmetic mean over the steps.
	Mean float64 `json:"mean"`
	// Max is the largest value of a step.
	Max float64 `json:"max"`
}

// Result is the measurement of a scene.
//
// Let t_kr be the time of step k in repeat r. The time of step k is min_r t_kr: load of the
// machine by other processes only makes steps slower.
type Result struct {
	// Scene is the name of the scene.
	Scene string `json:"scene"`
	// Version is the version of the program.
	Version string `json:"version,omitempty"`
	// Machine is the computer of the measurement.
	Machine Machine `json:"machine"`
	// Threads is the number of threads that a step, or all rollouts, used.
	Threads int `json:"threads"`
	// Kernel is the instruction set of the factorization, such as avx2.
	Kernel string `json:"kernel"`
	// Vertices is the number of vertices of deformables.
	Vertices int `json:"vertices"`
	// Dofs is the number of generalized velocities, rigid and deformable.
	Dofs int `json:"dofs"`
	// TimeStep is the time step, s.
	TimeStep float64 `json:"time_step_s"`
	// Rollouts is the number of states that were stepped at the same time; 0: one.
	Rollouts int `json:"rollouts,omitempty"`
	// StepsPerSecond is the number of steps of all rollouts in a second of wall-clock time.
	StepsPerSecond float64 `json:"steps_per_s,omitempty"`
	// Steps is the number of steps that were measured, of each state.
	Steps int `json:"steps"`
	// Repeat is the number of times that they were measured.
	Repeat int `json:"repeat"`
	// StepMs is the wall-clock time of a step, ms; of rollouts the mean over all steps of the fastest repeat.
	StepMs Quantiles `json:"step_ms"`
	// StageMs is the wall-clock time of each stage of a step, ms, by the names of
	// sim.StageNames.
	StageMs map[string]Quantiles `json:"stage_ms"`
	// CPUMs is the mean processor time of a step, summed over threads, ms; 0 if unknown.
	CPUMs float64 `json:"cpu_ms,omitempty"`
	// Newton is the number of Newton iterations of a step.
	Newton MeanMax `json:"newton_iterations"`
	// Solves is the number of convex problems that a step solves.
	Solves MeanMax `json:"solves"`
	// OneSolve is the share of steps that solve one.
	OneSolve float64 `json:"one_solve_share"`
	// Divided is the number of steps that were taken in parts.
	Divided int `json:"divided_steps"`
	// LineSearch is the number of evaluations of the line search of a step.
	LineSearch MeanMax `json:"line_search_evaluations"`
	// Contacts is the number of contact constraints of a step.
	Contacts MeanMax `json:"contacts"`
	// Unconverged is the number of steps whose solver did not converge.
	Unconverged int `json:"unconverged_steps"`
	// Reanalyzed is the number of steps in which the sparsity pattern changed.
	Reanalyzed int `json:"reanalyzed_steps"`
	// Factor is the cost of factoring the Newton matrix of the last step.
	Factor Factorization `json:"factor"`
	// HeapMB is the heap in use after the steps, when all buffers have their size, 10⁶ bytes.
	HeapMB float64 `json:"heap_MB"`
	// PeakMB is the largest resident memory of the process while the scene was loaded and
	// stepped, 10⁶ bytes; 0 if unknown.
	PeakMB float64 `json:"peak_rss_MB,omitempty"`
	// Allocations is the number of heap allocations of a step, the least of all repeats.
	Allocations float64 `json:"allocations_per_step"`
	// Noise is the total time of the slowest repeat over that of the fastest, minus 1.
	Noise float64 `json:"noise"`
	// StateHash is the hash of the state after the steps, in hexadecimal.
	StateHash string `json:"state_hash"`

	matrix *NewtonMatrix // of the last step, for --matrix
}

// Matrix returns the Newton matrix of the last step.
func (r *Result) Matrix() *NewtonMatrix { return r.matrix }

// runner steps a scene and records times.
// The buffers of a runner are made before the repeats: its own work would count as the stepper's.
type runner struct {
	stepper *sim.Stepper
	x       *sim.State
	h       float64
	best    []sample // the fastest of each step so far
	now     []sample // of the present repeat

	unconverged int // steps since it was cleared
}

// sample is the wall-clock time of a step and of its stages, s.
type sample struct {
	total  float64
	stages [len(sim.StageNames)]float64
}

// Measure measures a scene: it takes WarmUpSteps steps, then Steps steps to allocate all
// buffers, and then these steps Repeat times from the same state. It is an error if a repeat
// ends in another state.
func Measure(s *Scene, opt Options) (*Result, error) {
	// zero values are defaults, so that callers name only what they want
	if opt.Threads == 0 {
		opt.Threads = runtime.NumCPU()
	}
	if opt.Repeat == 0 {
		opt.Repeat = 3
	}
	res, err := measureScene(s, opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return res, nil
}

// measureScene is Measure with all options given.
func measureScene(s *Scene, opt Options) (*Result, error) {
	// memory of scenes before must not count for this one
	debug.FreeOSMemory()
	resetPeak()
	sc, err := s.Load()
	if err != nil {
		return nil, err
	}
	if s.Rollouts > 0 {
		return measureRollouts(s, sc, opt)
	}
	stepper, err := sim.NewStepper(sc.Model, sim.Options{Threads: opt.Threads})
	if err != nil {
		return nil, err
	}
	stepper.InterruptIf(opt.Interrupted)
	// its threads end with the measurement
	defer stepper.Close()
	r := &runner{stepper: stepper, x: sc.Model.Start.Clone(), h: sc.File.Time.Step}
	// until the bodies touch, or whatever the scene is about
	for range s.WarmUpSteps {
		if err := r.step(); err != nil {
			return nil, err
		}
	}
	res := newResult(s, sc, opt)
	// every repeat begins here, after the warm-up
	from := r.x.Clone()
	// counts take calls between steps, which would disturb the times: they have a run of their own
	if err := res.count(r, s.Steps); err != nil {
		return nil, err
	}
	if err := res.repeat(r, from, s.Steps, opt.Repeat); err != nil {
		return nil, err
	}
	// of each step its fastest repeat
	res.times(r.best)
	if err := res.factor(&stepper.Problem, opt.Threads); err != nil {
		return nil, err
	}
	// the heap is measured with the buffers of the stepper in it
	runtime.KeepAlive(stepper)
	return res, nil
}

// newResult returns a result with all that is known before the steps.
func newResult(s *Scene, sc *scene.Scene, opt Options) *Result {
	res := &Result{
		Scene: s.Name, Version: opt.Version, Machine: thisMachine(), Threads: opt.Threads, Kernel: supernodal.Kernel(),
		TimeStep: sc.File.Time.Step, Rollouts: s.Rollouts, Steps: s.Steps, Repeat: opt.Repeat,
	}
	// the size of the problem, by which times of scenes are compared
	rigid, deformable := sc.Model.Dofs()
	res.Dofs = rigid + deformable
	for _, b := range sc.Model.Deformables {
		res.Vertices += b.NumVerts()
	}
	return res
}

// step takes a step. A step that did not converge is counted and is no error.
// A scene may be too hard for the solver on purpose.
func (r *runner) step() error {
	err := r.stepper.Step(r.x, r.h)
	// its time counts like any other: users pay for it too
	if errors.Is(err, sim.ErrNotConverged) {
		r.unconverged++
		err = nil
	}
	// a product has no drift, which sums of steps have
	r.x.Time = float64(r.x.Step) * r.h
	return err
}

// restore copies a state without allocating.
func (r *runner) restore(from *sim.State) {
	// in place: a clone in each repeat would show as allocations
	x := r.x
	*x = sim.State{
		Time: from.Time, Step: from.Step, Pace: from.Pace,
		Memory: sim.StepMemory{H: from.Memory.H, W: append(x.Memory.W[:0], from.Memory.W...), DV: append(x.Memory.DV[:0], from.Memory.DV...)},
		Q:      append(x.Q[:0], from.Q...), V: append(x.V[:0], from.V...), LaggedContacts: append(x.LaggedContacts[:0], from.LaggedContacts...),
		EnergyReference: append(x.EnergyReference[:0], from.EnergyReference...), Operator: append(x.Operator[:0], from.Operator...),
	}
}

// count takes the steps once, which allocates all buffers, and counts iterations and contacts.
func (res *Result) count(r *runner, n int) error {
	r.unconverged = 0
	for range n {
		if err := r.step(); err != nil {
			return err
		}
		// valid until the next step
		rep := &r.stepper.Report
		res.Newton.add(float64(rep.Solver.Iterations), n)
		res.Solves.add(float64(rep.Solves), n)
		if rep.Solves <= 1 {
			res.OneSolve += 1 / float64(n)
		}
		if rep.Parts > 0 {
			res.Divided++
		}
		res.LineSearch.add(float64(rep.Solver.LineSearch), n)
		res.Contacts.add(float64(rep.NumContacts), n)
		if rep.Solver.Reanalyzed {
			res.Reanalyzed++
		}
	}
	// the hash is what all repeats are compared with
	res.Unconverged, res.StateHash = r.unconverged, r.x.Hash()
	return nil
}

// repeat measures n steps from a state, several times. All repeats must end in the state in
// which count ended.
func (res *Result) repeat(r *runner, from *sim.State, n, repeat int) error {
	r.best, r.now = make([]sample, n), make([]sample, n)
	for i := range r.best {
		r.best[i].total = math.Inf(1)
	}
	// whole repeats for noise and processor time, whose clock is too coarse for single steps
	fastest, slowest, cpu := math.Inf(1), 0.0, math.Inf(1)
	res.Allocations = math.Inf(1)
	var m runtime.MemStats
	for range repeat {
		r.restore(from)
		// garbage of the repeat before is not collected within this one
		runtime.GC()
		// reading stops the world for some microseconds, outside of the timed steps
		runtime.ReadMemStats(&m)
		before, spent := m.Mallocs, cputime.Used().Seconds()
		if err := r.timed(); err != nil {
			return err
		}
		cpu = min(cpu, cputime.Used().Seconds()-spent)
		runtime.ReadMemStats(&m)
		// rounded down: the Go runtime allocates a few times itself
		res.Allocations = min(res.Allocations, math.Floor(float64(m.Mallocs-before)/float64(n)))
		if hash := r.x.Hash(); hash != res.StateHash {
			return fmt.Errorf("the same steps ended in the states %s and %s: stepping is not deterministic", res.StateHash, hash)
		}
		total := r.keepBest()
		fastest, slowest = min(fastest, total), max(slowest, total)
	}
	// the spread of whole repeats shows how far to trust differences of versions
	res.Noise, res.CPUMs = slowest/fastest-1, 1e3*cpu/float64(n)
	runtime.GC()
	runtime.ReadMemStats(&m)
	res.HeapMB, res.PeakMB = float64(m.HeapAlloc)/mega, peak()/mega
	return nil
}

// keepBest keeps the fastest sample of each step and returns the total time of the present
// repeat, s.
func (r *runner) keepBest() (total float64) {
	for i, now := range r.now {
		total += now.total
		// stages go with the total: those of one step and one repeat
		if now.total < r.best[i].total {
			r.best[i] = now
		}
	}
	return total
}

// mega converts bytes to MB.
const mega = 1e6

// timed takes the steps and measures the time of each.
func (r *runner) timed() error {
	for i := range r.now {
		// the monotonic clock, some 50 ns a call: a millionth of most steps
		begin := time.Now()
		if err := r.step(); err != nil {
			return err
		}
		r.now[i] = sample{time.Since(begin).Seconds(), r.stepper.Report.Stages}
	}
	return nil
}

// add adds the value of one of n steps.
func (c *MeanMax) add(x float64, n int) {
	// n is known before, so that no sum has to be divided at the end
	c.Mean += x / float64(n)
	c.Max = max(c.Max, x)
}

// times computes the quantiles of the samples.
func (res *Result) times(steps []sample) {
	// one buffer for all quantities: quantiles sort it again
	ms := make([]float64, len(steps))
	collect := func(of func(s *sample) float64) Quantiles {
		// the mean too: rare slow steps, such as a new pattern, count in it and not in the median
		sum := 0.0
		for i := range steps {
			ms[i] = 1e3 * of(&steps[i])
			sum += ms[i]
		}
		slices.Sort(ms)
		return Quantiles{sum / float64(len(ms)), quantile(ms, 0.5), quantile(ms, 0.95)}
	}
	res.StepMs = collect(func(s *sample) float64 { return s.total })
	res.StageMs = map[string]Quantiles{}
	for k, name := range sim.StageNames {
		res.StageMs[name] = collect(func(s *sample) float64 { return s.stages[k] })
	}
}

// quantile returns the p-quantile of sorted numbers by linear interpolation.
func quantile(sorted []float64, p float64) float64 {
	// position of the quantile between the first and the last number
	at := p * float64(len(sorted)-1)
	i := min(int(at), max(0, len(sorted)-2))
	if len(sorted) == 1 {
		return sorted[0]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// factor measures the factorization of the Newton matrix of the last step.
func (res *Result) factor(p *cliques.Problem, threads int) error {
	// as many threads as the steps had
	pool := workers.NewPool(threads)
	defer pool.Close()
	// assembled here once more: the solver keeps its own in parts
	res.matrix = newtonMatrix(p)
	var err error
	res.Factor, err = res.matrix.time(pool)
	return err
}
