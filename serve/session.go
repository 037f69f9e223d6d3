package serve

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// session is a scene with the state at hand.
type session struct {
	source  source
	sc      *scene.Scene
	h       float64
	stepper *sim.Stepper
	x       *sim.State
	spare   *sim.State // memory of the next state that a client gives; nil: none
	memory  []float64  // of signals
	signals []float64  // at the state, where evaluated
	// whether bodies are placed at the state, and signals evaluated
	placed, evaluated bool
	contacts          contactArrays
	recorder          *run.Recorder
	draws             *draws
}

// source is what a scene is loaded from.
type source struct {
	path    string
	text    []byte // in place of the file; nil: none
	set     []string
	threads int
	// snapshot keeps meshes for further loads, and refuses files that have changed since.
	snapshot *scene.Snapshot
}

// sourceOf reads the arguments of a scene.
func sourceOf(a *arguments) source {
	s := source{path: a.text("path"), set: a.texts("set"), threads: a.whole("threads", 0, 0, sim.MaxThreads), snapshot: new(scene.Snapshot)}
	if text := a.text("text"); text != "" {
		s.text = []byte(text)
	}
	if s.path == "" {
		a.fail("path is missing: name the scene file")
	}
	return s
}

// load loads the scene with more overrides.
func (s *source) load(more ...string) (*scene.Scene, error) {
	set := slices.Concat(s.set, more)
	var sc *scene.Scene
	var err error
	if s.text != nil {
		sc, err = s.snapshot.LoadText(s.path, s.text, set)
	} else {
		sc, err = s.snapshot.Load(s.path, set)
	}
	if err == nil {
		if lack := check.EnoughMemory(sc.Model); lack != nil {
			err = fmt.Errorf("%s: %w", s.path, lack)
		}
	}
	return sc, as("input", err)
}

// load is the method that begins a session.
func load(c *connection, a *arguments) (any, error) {
	s := &session{source: sourceOf(a)}
	s.draws = drawsOf(a)
	if err := a.check(); err != nil {
		return nil, err
	}
	sc, err := await(c, func() (*scene.Scene, error) { return s.source.load() })
	if err != nil {
		return nil, err
	}
	if err := s.draws.check(sc); err != nil {
		return nil, err
	}
	if err := s.begin(c, sc); err != nil {
		return nil, err
	}
	n := c.number()
	c.sessions[n] = s
	m := describeScene(sc)
	m["sim"] = n
	return m, nil
}

// begin puts a session at the start of a scene.
func (s *session) begin(c *connection, sc *scene.Scene) error {
	threads := s.source.threads
	if threads == 0 {
		threads = sc.File.Solver.Threads
	}
	stepper, err := sim.NewStepper(sc.Model, sim.Options{Threads: threads})
	if err != nil {
		return as("input", err)
	}
	stepper.InterruptIf(c.interrupted)
	if s.stepper != nil {
		s.stepper.Close()
	}
	s.sc, s.stepper, s.h = sc, stepper, sc.File.Time.Step
	s.restart()
	return nil
}

// restart puts the session at the start.
func (s *session) restart() {
	s.spare = nil
	s.x, s.memory = s.sc.Model.Start.Clone(), s.sc.Signals.NewMemory()
	s.moved()
	// signals that count from the start note it
	s.evaluate()
}

// moved notes that the state is another one.
func (s *session) moved() { s.placed, s.evaluated = false, false }

// close ends the session.
func (s *session) close() {
	if s.recorder != nil {
		s.recorder.Discard()
		s.recorder = nil
	}
	s.stepper.Close()
}

// describeScene returns the answer to a client that has loaded a scene.
func describeScene(sc *scene.Scene) map[string]any {
	m, names := sc.Model, sc.Signals.Names()
	units := make([]string, len(names))
	for i := range names {
		units[i] = sc.Signals.Unit(i)
	}
	rigid := m.Geometry.NumRigid
	var deformables []any
	for i, d := range m.Deformables {
		deformables = append(deformables, map[string]any{"name": sc.Static.Deformables[i].Name, "vertices": d.NumVerts()})
	}
	drives := map[string]any{}
	for name := range m.Names.Drives {
		if takes, err := m.Takes(name); err == nil {
			drives[name] = map[string]any{
				"target": takes&constraints.TargetCommand != 0,
				"effort": takes&constraints.EffortCommand != 0, "control": takes&constraints.ControlCommand != 0,
			}
		}
	}
	var values []any
	for _, l := range m.LiveValues() {
		values = append(values, map[string]any{"name": l.Name, "min": l.Min, "max": l.Max, "start": l.Value})
	}
	_, rigidV := m.RigidSize()
	return map[string]any{
		"title": sc.Static.Title, "path": sc.Path, "step": sc.File.Time.Step, "duration": sc.File.Time.Duration, "equilibrium": sc.File.Time.Equilibrium,
		"signals": names, "units": units, "bodies": slices.Clone(sc.Static.Bodies[:rigid]), "deformables": deformables, "drives": drives, "values": values,
		"nq": len(m.Start.Q), "nv": len(m.Start.V), "rigid_nv": rigidV, "warnings": sc.Warnings, "estimates": sc.Estimates(), "fingerprint": sc.Fingerprint,
	}
}

// session returns the session of a request.
func (c *connection) session(a *arguments) *session {
	n := a.whole("sim", 0, 0, math.MaxInt)
	s, ok := c.sessions[n]
	if !ok {
		a.fail("there is no session %d: it was closed, or never loaded", n)
	}
	return s
}

// closeSession is the method that ends a session.
func closeSession(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	if err := a.check(); err != nil {
		return nil, err
	}
	s.close()
	delete(c.sessions, a.whole("sim", 0, 0, math.MaxInt))
	return nil, nil
}

// resetSession is the method that returns to the start, of another draw where values are drawn.
func resetSession(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	seed, seeded := a.whole("seed", 0, 0, math.MaxInt), a.of["seed"] != nil
	if err := a.check(); err != nil {
		return nil, err
	}
	if s.recorder != nil {
		return nil, errors.New("a recording continues: end it before reset, since its times must rise")
	}
	var drawn []string
	if s.draws != nil && seeded {
		drawn = s.draws.at(seed)
		sc, err := await(c, func() (*scene.Scene, error) { return s.source.load(drawn...) })
		if err == nil {
			err = s.begin(c, sc)
		}
		if err != nil {
			return nil, err
		}
	} else {
		s.restart()
	}
	return s.where(map[string]any{"drawn": drawn}), nil
}

// where adds time and step of the state to an answer.
func (s *session) where(m map[string]any) map[string]any {
	m["time"], m["steps"] = s.x.Time, s.x.Step
	return m
}

// step is the method that takes steps.
func step(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	n := a.whole("n", 1, 0, scene.MaxSteps)
	if err := a.check(); err != nil {
		return nil, err
	}
	for range n {
		if err := s.step(c); err != nil {
			return nil, err
		}
	}
	return s.where(make(map[string]any, 2)), nil
}

// step takes a step.
func (s *session) step(c *connection) error {
	if c.interrupted() {
		return sim.ErrInterrupted
	}
	if s.x.Step >= scene.MaxSteps {
		return as("step", fmt.Errorf("%d steps were taken, the most that there may be", s.x.Step))
	}
	take := s.stepper.Step
	if s.sc.File.Time.Equilibrium {
		take = s.stepper.Equilibrium
	}
	var began time.Time
	if s.recorder != nil {
		began = time.Now()
	}
	s.moved()
	err := take(s.x, s.h)
	if errors.Is(err, sim.ErrInterrupted) {
		return err
	}
	if err == nil || errors.Is(err, sim.ErrNotConverged) {
		// as in runs: a product has no drift
		s.x.Time = float64(s.x.Step) * s.h
	}
	if s.recorder != nil {
		return as("step", s.recorder.Stepped(time.Since(began).Seconds(), err))
	}
	if errors.Is(err, sim.ErrNotConverged) && s.sc.File.Solver.AllowUnconverged {
		err = nil
	} else if errors.Is(err, sim.ErrNotConverged) {
		err = fmt.Errorf("%w: the step was taken (solver.allow_unconverged: true continues such runs)", err)
	}
	if s.referenceDue() {
		s.evaluate()
	}
	return as("step", err)
}

// referenceDue reports whether a signal notes at this step the value from which it is measured.
func (s *session) referenceDue() bool {
	for i := range s.memory {
		if since, _ := s.sc.Signals.Reference(i); math.IsNaN(s.memory[i]) && s.x.Time >= since {
			return true
		}
	}
	return false
}

// place places bodies at the state.
func (s *session) place() {
	if !s.placed {
		s.stepper.Place(s.x, s.h)
		s.placed = true
	}
}

// evaluate computes the signals at the state.
func (s *session) evaluate() {
	if !s.evaluated {
		s.place()
		s.signals = s.sc.Signals.Evaluate(s.stepper, s.x, s.memory, s.signals[:0])
		s.evaluated = true
	}
}

// command is the method that commands a drive.
func command(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	drive := a.text("drive")
	given := func(name string) bool { return a.of[name] != nil }
	var k constraints.Command
	if given("target") {
		k.Given = constraints.TargetCommand
	} else if given("velocity") {
		a.fail("velocity: give the target as well")
	}
	if given("input") {
		k.Given |= constraints.InputCommands
	}
	k.Position, k.Velocity, k.Input = a.number("target", 0), a.number("velocity", 0), a.number("input", 0)
	if err := a.check(); err != nil {
		return nil, err
	}
	return nil, s.sc.Model.Command(s.x, drive, k)
}

// setValue is the method that changes a live value.
func setValue(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	in := sim.ValueInput{Name: a.text("name"), Value: a.number("value", math.NaN())}
	if err := a.check(); err != nil {
		return nil, err
	}
	return nil, s.stepper.Operate(s.x, sim.OperatorInput{Set: &in})
}

// recordSession is the method that begins a run folder.
func recordSession(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	opt := run.Options{Dir: a.text("dir"), Force: a.truth("force", false), Version: c.opt.Version}
	if opt.Dir == "" {
		a.fail("dir is missing: name the run folder")
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	if s.recorder != nil {
		return nil, errors.New("a recording continues: end it first")
	}
	r, err := run.Record(s.sc, s.stepper, s.x, s.memory, opt)
	if err != nil {
		return nil, as("output", err)
	}
	s.recorder = r
	s.moved()
	return nil, nil
}

// endRecord is the method that ends the run folder.
func endRecord(c *connection, a *arguments) (any, error) {
	s := c.session(a)
	if err := a.check(); err != nil {
		return nil, err
	}
	if s.recorder == nil {
		return nil, errors.New("there is no recording")
	}
	r := s.recorder
	s.recorder = nil
	s.place()
	summary, err := r.Close(nil)
	if err != nil {
		return nil, as("output", err)
	}
	return map[string]any{"state_hash": summary.StateHash, "unmet": summary.FailedChecks(), "warnings": summary.Warnings}, nil
}

// unknown returns the error of a name that is none of a list.
func unknown(kind, name string, known []string) error {
	return fmt.Errorf("there is no %s %q%s", kind, name, kinds.Suggest(name, known))
}
