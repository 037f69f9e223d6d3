package bench

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/supernodal"
	"github.com/curlfree/curlfree/workers"
)

// Options of a measurement.
type Options struct {
	Threads int    // 0: all cores
	Repeat  int    // times that the steps are taken; 0: 3
	Version string // of the program
}

// Quantiles tell what a step takes, over the steps of a scene.
type Quantiles struct {
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

// MeanMax is a number that varies from step to step.
type MeanMax struct {
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

// Result is what a scene took. Every step counts with the quickest of its repeats: what
// disturbs a machine only ever adds time.
type Result struct {
	Scene       string               `json:"scene"`
	Version     string               `json:"version,omitempty"`
	Machine     Machine              `json:"machine"`
	Threads     int                  `json:"threads"`
	Kernel      string               `json:"kernel"` // of the factorization
	Vertices    int                  `json:"vertices"`
	Dofs        int                  `json:"dofs"`
	TimeStep    float64              `json:"time_step_s"`
	Steps       int                  `json:"steps"`
	Repeat      int                  `json:"repeat"`
	StepMs      Quantiles            `json:"step_ms"`
	StageMs     map[string]Quantiles `json:"stage_ms"`         // by sim.StageNames
	CPUMs       float64              `json:"cpu_ms,omitempty"` // mean time of processors, of all threads; 0 where unknown
	Newton      MeanMax              `json:"newton_iterations"`
	LineSearch  MeanMax              `json:"line_search_evaluations"`
	Contacts    MeanMax              `json:"contacts"`
	Unconverged int                  `json:"unconverged_steps"`
	Reanalyzed  int                  `json:"reanalyzed_steps"` // in which the pattern of contact changed
	Factor      Factorization        `json:"factor"`
	HeapMB      float64              `json:"heap_MB"`               // live, with all buffers grown
	PeakMB      float64              `json:"peak_rss_MB,omitempty"` // of the process while the scene was loaded and stepped
	Allocations float64              `json:"allocations_per_step"`
	Noise       float64              `json:"noise"` // slowest repeat over quickest, less 1
	StateHash   string               `json:"state_hash"`

	matrix *NewtonMatrix
}

// Matrix returns the Newton matrix of the last step.
func (r *Result) Matrix() *NewtonMatrix { return r.matrix }

// runner steps a scene.
type runner struct {
	stepper *sim.Stepper
	x       *sim.State
	h       float64
	best    []sample // of each step
	now     []sample // of this repeat

	unconverged int
}

// sample is a step's times, s.
type sample struct {
	total  float64
	stages [len(sim.StageNames)]float64
}

// Measure runs a scene: once to grow buffers, then as often as asked for from the same
// state.
func Measure(s *Scene, opt Options) (*Result, error) {
	if opt.Threads == 0 {
		opt.Threads = runtime.NumCPU()
	}
	if opt.Repeat == 0 {
		opt.Repeat = 3
	}
	debug.FreeOSMemory()
	resetPeak()
	sc, err := s.Load()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	stepper, err := sim.NewStepper(sc.Model, sim.Options{Threads: opt.Threads})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	defer stepper.Close()
	r := &runner{stepper: stepper, x: sc.Model.Start.Clone(), h: sc.File.Time.Step}
	for range s.WarmUpSteps {
		if err := r.step(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	res := &Result{
		Scene: s.Name, Version: opt.Version, Machine: thisMachine(), Threads: opt.Threads, Kernel: supernodal.Kernel(),
		TimeStep: r.h, Steps: s.Steps, Repeat: opt.Repeat,
	}
	rigid, soft := sc.Model.Dofs()
	res.Dofs = rigid + soft
	for _, b := range sc.Model.Deformables {
		res.Vertices += b.NumVerts()
	}
	if err := res.steps(r, s.Steps, opt.Repeat); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	res.times(r.best)
	if err := res.factor(&stepper.Problem, opt.Threads); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	runtime.KeepAlive(stepper)
	return res, nil
}

// step takes a step. One that did not converge counts like others.
func (r *runner) step() error {
	err := r.stepper.Step(r.x, r.h)
	if errors.Is(err, sim.ErrNotConverged) {
		r.unconverged++
		err = nil
	}
	r.x.Time = float64(r.x.Step) * r.h
	return err
}

// restore makes the state that of from, without allocating.
func (r *runner) restore(from *sim.State) {
	x := r.x
	*x = sim.State{
		Time: from.Time, Step: from.Step,
		Q: append(x.Q[:0], from.Q...), V: append(x.V[:0], from.V...), LaggedContacts: append(x.LaggedContacts[:0], from.LaggedContacts...),
	}
}

// steps warms up and measures. The states that repeats end in must be the same bits.
func (res *Result) steps(r *runner, n, repeat int) error {
	from := r.x.Clone()
	r.unconverged = 0
	for range n {
		if err := r.step(); err != nil {
			return err
		}
		rep := &r.stepper.Report
		res.Newton.add(float64(rep.Solver.Iterations), n)
		res.LineSearch.add(float64(rep.Solver.LineSearch), n)
		res.Contacts.add(float64(rep.NumContacts), n)
		if rep.Solver.Reanalyzed {
			res.Reanalyzed++
		}
	}
	res.Unconverged, res.StateHash = r.unconverged, r.x.Hash()
	r.best, r.now = make([]sample, n), make([]sample, n)
	for i := range r.best {
		r.best[i].total = math.Inf(1)
	}
	quickest, slowest, cpu := math.Inf(1), 0.0, math.Inf(1)
	res.Allocations = math.Inf(1)
	var m runtime.MemStats
	for range repeat {
		r.restore(from)
		runtime.GC()
		runtime.ReadMemStats(&m)
		before := m.Mallocs
		spent := cpuTime()
		if err := r.timed(); err != nil {
			return err
		}
		cpu = min(cpu, cpuTime()-spent)
		runtime.ReadMemStats(&m)
		// the runtime's own few come and go
		res.Allocations = min(res.Allocations, math.Floor(float64(m.Mallocs-before)/float64(n)))
		if hash := r.x.Hash(); hash != res.StateHash {
			return fmt.Errorf("the same steps ended in the states %s and %s: stepping is not deterministic", res.StateHash, hash)
		}
		total := 0.0
		for i, now := range r.now {
			total += now.total
			if now.total < r.best[i].total {
				r.best[i] = now
			}
		}
		quickest, slowest = min(quickest, total), max(slowest, total)
	}
	res.Noise, res.CPUMs = slowest/quickest-1, 1e3*cpu/float64(n)
	runtime.GC()
	runtime.ReadMemStats(&m)
	res.HeapMB, res.PeakMB = float64(m.HeapAlloc)/mega, peak()/mega
	return nil
}

const mega = 1e6

// timed takes the steps and times each.
func (r *runner) timed() error {
	for i := range r.now {
		begin := time.Now()
		if err := r.step(); err != nil {
			return err
		}
		r.now[i] = sample{time.Since(begin).Seconds(), r.stepper.Report.Stages}
	}
	return nil
}

func (c *MeanMax) add(x float64, n int) {
	c.Mean += x / float64(n)
	c.Max = max(c.Max, x)
}

// times sums up the samples.
func (res *Result) times(steps []sample) {
	ms := make([]float64, len(steps))
	collect := func(of func(s *sample) float64) Quantiles {
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

// quantile of sorted numbers, between neighbours linearly.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := min(int(at), max(0, len(sorted)-2))
	if len(sorted) == 1 {
		return sorted[0]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// factor times the factorization of the last step's Newton matrix.
func (res *Result) factor(p *cliques.Problem, threads int) error {
	pool := workers.NewPool(threads)
	defer pool.Close()
	res.matrix = newtonMatrix(p)
	var err error
	res.Factor, err = res.matrix.time(pool)
	return err
}
