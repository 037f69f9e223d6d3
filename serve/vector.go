package serve

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/workers"
)

// maxStates bounds the states of a vector.
const maxStates = 1 << 20

// vectorEnv are states of a scene that are stepped together. Without draws they share the model, and rollouts share out
// the states to threads; with draws each state has a model of its own, and threads share out the models.
type vectorEnv struct {
	source  source
	draws   *draws
	sc      *scene.Scene // that of the file, whose signals all have
	h       float64
	actions []action
	lanes   []lane
	groups  []group
	pool    *workers.Pool
	// of the step at hand
	steps int
	c     *connection
}

// action is a number of an action: to which drive it goes, and as what.
type action struct {
	drive string
	kind  constraints.Commands
}

// lane is a state of a vector with what belongs to it.
type lane struct {
	sc      *scene.Scene
	x       *sim.State
	before  *sim.State // the present action
	memory  []float64  // of signals
	signals []float64
	failure error
}

// group are the states of one model.
type group struct {
	rollouts *sim.Rollouts
	states   []*sim.State // of the lanes that step at present
	which    []int        // these lanes
}

// newVector is the method that makes a vector.
func newVector(c *connection, a *arguments) (any, error) {
	v := &vectorEnv{c: c, source: sourceOf(a), draws: drawsOf(a)}
	n := a.whole("n", 1, 1, maxStates)
	names, as := a.texts("actions"), a.texts("as")
	if len(as) != len(names) {
		a.fail("as has %d texts, actions %d: give target, effort, control or an empty text for each", len(as), len(names))
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	var err error
	if v.sc, err = await(c, func() (*scene.Scene, error) { return v.source.load() }); err != nil {
		return nil, err
	}
	switch {
	case v.sc.File.Time.Equilibrium:
		return nil, errors.New("time.equilibrium: states at rest take no actions over time: load the scene instead")
	case v.draws.check(v.sc) != nil:
		return nil, v.draws.check(v.sc)
	}
	v.h = v.sc.File.Time.Step
	for i, name := range names {
		one, err := newAction(v.sc.Model, name, as[i])
		if err != nil {
			return nil, err
		}
		v.actions = append(v.actions, one)
	}
	v.lanes = make([]lane, n)
	for i := range v.lanes {
		v.lanes[i].sc = v.sc
	}
	threads := v.source.threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	v.pool = workers.NewPool(workers.Useful(threads))
	if v.draws == nil {
		v.groups = make([]group, 1)
	} else {
		v.groups = make([]group, n)
	}
	for g := range v.groups {
		if err := v.build(g); err != nil {
			v.close()
			return nil, err
		}
	}
	for i := range v.lanes {
		v.restart(i)
	}
	number := c.number()
	c.vectors[number] = v
	m := describeScene(v.sc)
	m["vector"], m["observations"] = number, v.observations()
	return m, nil
}

// newAction returns the action of a drive, as a target where it takes one and nothing else is said.
func newAction(m *sim.Model, drive, as string) (one action, err error) {
	takes, err := m.Takes(drive)
	if err != nil {
		return one, err
	}
	kind, known := map[string]constraints.Commands{"target": constraints.TargetCommand, "effort": constraints.EffortCommand, "control": constraints.ControlCommand}[as]
	switch {
	case as == "" && takes&constraints.TargetCommand != 0:
		kind = constraints.TargetCommand
	case as == "":
		kind = takes
	case !known:
		return one, fmt.Errorf("an action of drive %q as %q: give target, effort or control", drive, as)
	case takes&kind == 0:
		return one, fmt.Errorf("drive %q takes no %s", drive, as)
	}
	return action{drive, kind}, nil
}

// build makes the rollouts of a group.
func (v *vectorEnv) build(g int) error {
	k := &v.groups[g]
	threads, first := v.source.threads, 0
	if v.draws != nil {
		threads, first = 1, g
	}
	r, err := sim.NewRollouts(v.lanes[first].sc.Model, sim.Options{Threads: threads})
	if err != nil {
		return as("input", err)
	}
	if k.rollouts != nil {
		k.rollouts.Close()
	}
	*k = group{rollouts: r}
	r.InterruptIf(v.c.interrupted)
	r.Observe = func(s *sim.Stepper, x *sim.State, state, step int) { v.observe(&v.lanes[k.which[state]], s, x, step) }
	return nil
}

// observe reads signals after the last step of an action, and those whose reference is due.
func (v *vectorEnv) observe(l *lane, s *sim.Stepper, x *sim.State, step int) {
	last := step == v.steps-1
	for i := 0; !last && i < len(l.memory); i++ {
		since, _ := l.sc.Signals.Reference(i)
		last = math.IsNaN(l.memory[i]) && x.Time >= since
	}
	if last {
		s.Place(x, v.h)
		l.signals = l.sc.Signals.Evaluate(s, x, l.memory, l.signals[:0])
	}
}

// restart puts a state at its start.
func (v *vectorEnv) restart(i int) {
	l := &v.lanes[i]
	l.x, l.memory, l.failure = l.sc.Model.Start.Clone(), l.sc.Signals.NewMemory(), nil
	l.before = l.x.Clone()
	// a run of no steps observes nothing
	s := v.groupOf(i).rollouts.Stepper()
	s.Place(l.x, v.h)
	l.signals = l.sc.Signals.Evaluate(s, l.x, l.memory, l.signals[:0])
}

// observations returns the signals of all states, a row each.
func (v *vectorEnv) observations() array {
	k := len(v.sc.Signals.Names())
	out := array{dims: []int{len(v.lanes), k}, floats: make([]float64, 0, k*len(v.lanes))}
	for i := range v.lanes {
		out.floats = append(out.floats, v.lanes[i].signals...)
	}
	return out
}

// vector returns the vector of a request.
func (c *connection) vector(a *arguments) *vectorEnv {
	n := a.whole("vector", 0, 0, math.MaxInt)
	v, ok := c.vectors[n]
	if !ok {
		a.fail("there is no vector %d: it was closed, or never made", n)
	}
	return v
}

// numbers returns a list of numbers of states of a vector.
func (a *arguments) numbers(name string, v *vectorEnv) (which []int) {
	for _, x := range argument[[]any](a, name, "a list of numbers of states", nil) {
		i, ok := x.(int64)
		if !ok || v != nil && (i < 0 || int(i) >= len(v.lanes)) {
			a.fail("%s: %v is no number of a state", name, x)
			return nil
		}
		which = append(which, int(i))
	}
	return which
}

// resetVector is the method that returns states to their start: all, or those that a mask names.
func resetVector(c *connection, a *arguments) (any, error) {
	v := c.vector(a)
	which := a.numbers("which", v)
	var seeds []int
	for _, x := range argument[[]any](a, "seeds", "a list of whole numbers", nil) {
		s, ok := x.(int64)
		if !ok || s < 0 {
			a.fail("seeds: %v is no seed: give whole numbers from 0", x)
			break
		}
		seeds = append(seeds, int(s))
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	if a.of["which"] == nil {
		for i := range v.lanes {
			which = append(which, i)
		}
	}
	if len(seeds) > 0 && len(seeds) != len(which) {
		return nil, fmt.Errorf("%d seeds for %d states", len(seeds), len(which))
	}
	for k, i := range which {
		if v.draws != nil && len(seeds) > 0 {
			sc, err := v.source.load(v.draws.at(seeds[k])...)
			if err != nil {
				return nil, fmt.Errorf("state %d, seed %d: %w", i, seeds[k], err)
			}
			v.lanes[i].sc = sc
			if err := v.build(i); err != nil {
				return nil, err
			}
		}
		v.restart(i)
	}
	return map[string]any{"observations": v.observations()}, nil
}

// stepVector is the method that takes an action of each state.
func stepVector(c *connection, a *arguments) (any, error) {
	v := c.vector(a)
	substeps := a.whole("substeps", 1, 1, scene.MaxSteps)
	rest := a.numbers("rest", v)
	n, m := 0, 0
	if v != nil {
		n, m = len(v.lanes), len(v.actions)
	}
	actions := a.finite("actions", n, m)
	if actions == nil && m > 0 {
		a.fail("actions are missing: an array of %d rows, one for each state, and %d columns", n, m)
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	for g := range v.groups {
		k := &v.groups[g]
		k.states, k.which = k.states[:0], k.which[:0]
	}
	for i := range v.lanes {
		l := &v.lanes[i]
		l.before, l.failure = l.x.Clone(), nil
		if slices.Contains(rest, i) {
			continue
		}
		if err := l.act(v.actions, actions[i*m:(i+1)*m]); err != nil {
			return nil, fmt.Errorf("state %d: %w", i, err)
		}
		k := v.groupOf(i)
		k.states, k.which = append(k.states, l.x), append(k.which, i)
	}
	v.steps = substeps
	v.pool.Run(len(v.groups), v)
	return v.end()
}

// groupOf returns the group of a lane.
func (v *vectorEnv) groupOf(i int) *group {
	if len(v.groups) > 1 {
		return &v.groups[i]
	}
	return &v.groups[0]
}

// act commands the action to a state.
func (l *lane) act(actions []action, values []float64) error {
	for k, a := range actions {
		c := constraints.Command{Given: a.kind, Position: values[k], Input: values[k]}
		if err := l.sc.Model.Command(l.x, a.drive, c); err != nil {
			return err
		}
	}
	return nil
}

// Do implements workers.Task for a group.
func (v *vectorEnv) Do(_, g int) {
	k := &v.groups[g]
	_ = k.rollouts.Run(k.states, nil, v.steps, v.h) // errors of each state are read one by one
	for state, i := range k.which {
		v.lanes[i].failure = k.rollouts.Err(state)
	}
}

// end returns the outcome of an action; where it was interrupted all states are those before it.
func (v *vectorEnv) end() (any, error) {
	for i := range v.lanes {
		if errors.Is(v.lanes[i].failure, sim.ErrInterrupted) {
			for k := range v.lanes {
				*v.lanes[k].x = *v.lanes[k].before
			}
			return nil, run.ErrInterrupted
		}
	}
	var failed, texts = []any{}, []string{}
	for i := range v.lanes {
		l := &v.lanes[i]
		if l.failure == nil || errors.Is(l.failure, sim.ErrNotConverged) && v.sc.File.Solver.AllowUnconverged {
			continue
		}
		failed, texts = append(failed, i), append(texts, l.failure.Error())
	}
	return map[string]any{"observations": v.observations(), "failed": failed, "errors": texts}, nil
}

// vectorState is the method that returns the states of a vector, or those that are named.
func vectorState(c *connection, a *arguments) (any, error) {
	v := c.vector(a)
	if err := a.check(); err != nil {
		return nil, err
	}
	var list []any
	for i := range v.lanes {
		list = append(list, stateOf(v.lanes[i].sc, v.lanes[i].x, v.lanes[i].memory))
	}
	return list, nil
}

// closeVector is the method that ends a vector.
func closeVector(c *connection, a *arguments) (any, error) {
	v := c.vector(a)
	if err := a.check(); err != nil {
		return nil, err
	}
	v.close()
	for n, one := range c.vectors {
		if one == v {
			delete(c.vectors, n)
		}
	}
	return nil, nil
}

// close ends the threads.
func (v *vectorEnv) close() {
	for i := range v.groups {
		if r := v.groups[i].rollouts; r != nil {
			r.Close()
		}
	}
	if v.pool != nil {
		v.pool.Close()
	}
}
