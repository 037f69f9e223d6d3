package live

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// Options are the settings of a session.
type Options struct {
	// Threads is the number of threads of a step; 0: that of the scene, else all cores.
	Threads int
	// Speed is the simulated time in a second; 0: as fast as possible.
	Speed float64
	// FrameRate is the number of snapshots in a second; 0: 40.
	FrameRate float64
	// Paused lets the session begin at rest.
	Paused bool
	// InputsLog is the file that gets the inputs of operators; empty: none.
	InputsLog string
}

// MaxFrameRate is the largest rate of snapshots, 1/s.
const MaxFrameRate = 1000

// defaultFrameRate is smooth to the eye, and leaves most of the time to steps.
const defaultFrameRate = 40

// Session is a scene that is run for viewers.
type Session struct {
	scene *scene.Scene
	opt   Options
	h     float64 // time step, s

	// nobody else reads or writes these: viewers send requests instead
	// of the goroutine of Run
	stepper *sim.Stepper
	x       *sim.State
	memory  []float64 // of signals
	signals []float64
	// past has the saved states and all inputs.
	past     timeline
	status   Status
	pace     pace
	hands    hands
	count    counter
	oneStep  bool      // take a step although the session is paused
	changed  bool      // viewers have not seen the status yet
	urgent   bool      // the next step gets a snapshot soon
	lastShot time.Time // when the last snapshot was taken
	nextShot time.Time // when the next one is due

	// viewers write to commands; Run alone reads them
	commands chan request
	done     chan struct{} // closed when Run has ended
	// board hands snapshots from Run to viewers.
	board board
	first record.Frame // at the start of the scene
}

// request is a command of a viewer, or its coming or leaving.
type request struct {
	// viewer is who asks, and who gets errors.
	viewer      *Viewer
	command     Command
	join, leave bool
}

// NewSession returns a session at the start of a scene. Run runs it.
func NewSession(sc *scene.Scene, opt Options) (*Session, error) {
	// steps to equilibrium have no duration that a clock could follow
	if sc.File.Time.Equilibrium {
		return nil, errors.New("time.equilibrium: states at rest do not follow a clock: use curlfree run")
	}
	if err := CheckSpeed(opt.Speed); err != nil {
		return nil, err
	}
	if opt.FrameRate == 0 {
		opt.FrameRate = defaultFrameRate
	}
	// the command line comes before the scene, and the machine last
	if opt.Threads == 0 {
		opt.Threads = sc.File.Solver.Threads
	}
	if opt.Threads == 0 {
		opt.Threads = runtime.NumCPU()
	}
	sc = inTime(sc)
	// threads do not change the bits, so that a replay may have others
	stepper, err := sim.NewStepper(sc.Model, sim.Options{Threads: opt.Threads})
	if err != nil {
		return nil, err
	}
	s := &Session{
		scene: sc, opt: opt, h: sc.File.Time.Step, stepper: stepper,
		commands: make(chan request, 64), done: make(chan struct{}), hands: newHands(sc.Model),
		status: Status{Paused: opt.Paused, Speed: opt.Speed}, pace: pace{speed: opt.Speed},
	}
	s.board.viewers = map[*Viewer]bool{}
	s.past.interval = saveInterval
	if s.past.log, err = openLog(opt.InputsLog, s.h, sc.Model.Control.MinStep); err != nil {
		// the stepper has goroutines, which end with it
		stepper.Close()
		return nil, err
	}
	s.begin(savedState{sc.Model.Start.Clone(), sc.Signals.NewMemory()})
	// pages take the first frame as the rest from which displacements count
	record.Capture(stepper, s.x, &s.first)
	return s, nil
}

// begin makes a state the present one.
func (s *Session) begin(at savedState) {
	// a copy: the saved state may be returned to again
	s.x = at.state.Clone()
	s.memory = append(s.memory[:0], at.memory...)
	s.stepper.Place(s.x, s.h)
	s.evaluate()
	s.past.save(s.x, s.memory)
	// a failure does not outlive the return to a time before it
	s.status.Failure, s.oneStep = "", false
	// hands that hold are those of the state that was left
	s.hands.forget()
	// nobody holds what was held then
	for _, in := range s.stepper.Releases(s.x) {
		_ = s.operate(record.Input{Step: s.x.Step, OperatorInput: in}) // letting go is always accepted
	}
	// the clock continues from here; it does not catch up
	s.pace.restart(time.Now(), s.x.Time)
	s.count.reset(s.x.Time)
	s.change()
}

// change notes that the status changed, so that the next snapshot reaches viewers.
func (s *Session) change() {
	s.status.revision++
	s.changed = true
}

// Run runs the session until ctx is done. It returns the error of writing inputs, if any: no step and no viewer ends
// it.
func (s *Session) Run(ctx context.Context) error {
	// done closes first, then the board, so that no viewer waits for a run that has ended
	defer s.stepper.Close()
	defer s.board.close()
	defer close(s.done)
	// a step that takes long ends with the session
	s.stepper.InterruptIf(func() bool { return ctx.Err() != nil })
	// one timer for all waits, since a new one each step would make garbage
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	s.pace.restart(time.Now(), s.x.Time)
	for ctx.Err() == nil {
		// commands before the step that they should act on
		s.drain()
		now := time.Now()
		// what a lost viewer holds is let go
		s.hands.expire(s, now)
		s.past.log.flush(now, s.past.inputs, s.x.Step)
		// too early for a step, or paused: wait for commands too
		if wait := s.waiting(now); wait > 0 {
			if s.changed || s.status.Paused && s.urgent {
				s.shoot(now)
			}
			timer.Reset(wait)
			select {
			case <-ctx.Done():
			case r := <-s.commands:
				s.obey(r)
			case <-timer.C:
			}
			continue
		}
		s.step()
		// a snapshot of a change or a due one; an input is shown at up to twice the rate
		if now := time.Now(); s.changed || !now.Before(s.nextShot) || s.urgent && now.Sub(s.lastShot) >= s.framePeriod()/2 {
			s.shoot(now)
		}
	}
	return s.past.log.finish(&record.Inputs{TimeStep: s.h, MinStep: s.scene.Model.Control.MinStep, List: s.past.inputs, Steps: s.x.Step, Hash: s.x.Hash()})
}

// idle is the time between two looks at the clock of a run that stands still.
const idle = 100 * time.Millisecond

// waiting returns the time until the next step is due; idle while the run stands still.
func (s *Session) waiting(now time.Time) time.Duration {
	switch {
	case s.oneStep:
		return 0
	case s.status.Paused:
		return idle
	}
	// a slow speed still looks at the clock often, for hands that expire
	return min(s.pace.wait(now, s.x.Time), idle)
}

// framePeriod is the time between two snapshots.
func (s *Session) framePeriod() time.Duration {
	return time.Duration(float64(time.Second) / s.opt.FrameRate)
}

// drain obeys all commands that wait.
func (s *Session) drain() {
	for {
		select {
		case r := <-s.commands:
			s.obey(r)
		default:
			return
		}
	}
}

// leastShare is the shortest part of a step that errors ask for in a session, unless the scene has time.min_step: more
// parts would be late by the clock. Pages show how many parts would have to be shorter.
const leastShare = 1.0 / 16

// inTime returns a scene whose steps do not control their error by so many parts that they cannot follow the clock.
func inTime(sc *scene.Scene) *scene.Scene {
	if c := &sc.Model.Control; c.Accuracy == 0 || c.MinStep > 0 {
		return sc
	}
	s, m := *sc, *sc.Model
	m.Control.MinStep = leastShare * sc.File.Time.Step
	s.Model = &m
	return &s
}

// step takes a step. One that fails stops the run, which can go back from there.
func (s *Session) step() {
	// longer runs are no scenes, so that their inputs could not be repeated
	if s.x.Step >= scene.MaxSteps {
		s.fail(fmt.Errorf("the run has %d steps, and takes no more: go back to an earlier time or to the start", s.x.Step))
		return
	}
	// the time of a step includes signals that it must evaluate, for the figures of speed
	began := time.Now()
	// not converged is no failure yet: scenes may allow it
	err := s.stepper.Step(s.x, s.h)
	if errors.Is(err, sim.ErrInterrupted) {
		return
	}
	if err != nil && !errors.Is(err, sim.ErrNotConverged) {
		s.fail(err)
		return
	}
	// as run does it: a product has no drift
	s.x.Time = float64(s.x.Step) * s.h
	s.stepper.Place(s.x, s.h)
	if s.referenceDue() {
		s.evaluate()
	}
	// a step that did not converge counts too
	s.count.add(&s.stepper.Report, time.Since(began))
	if err != nil && !s.scene.File.Solver.AllowUnconverged {
		s.fail(fmt.Errorf("%w (solver.allow_unconverged: true continues such runs)", err))
		return
	}
	// pause again after the one step
	if s.oneStep {
		s.oneStep = false
		s.change()
	}
	// a saved state is news to viewers, but no reason for a snapshot of its own
	if s.past.save(s.x, s.memory) {
		s.status.revision++
	}
}

// evaluate computes the signals at the present state. Distances and fields cost as much as a step, so that only states
// that somebody sees have signals.
func (s *Session) evaluate() {
	s.signals = s.scene.Signals.Evaluate(s.stepper, s.x, s.memory, s.signals[:0])
}

// referenceDue reports whether a signal notes at this step the value from which it is measured.
func (s *Session) referenceDue() bool {
	// NaN: the reference of this signal was not noted yet
	for i := range s.memory {
		if since, _ := s.scene.Signals.Reference(i); math.IsNaN(s.memory[i]) && s.x.Time >= since {
			return true
		}
	}
	return false
}

// fail stops the run for the error of a step.
func (s *Session) fail(err error) {
	// the model is placed at the state that viewers see
	s.stepper.Place(s.x, s.h)
	s.status.Failure, s.status.Paused, s.oneStep = err.Error(), true, false
	s.change()
}

// shoot publishes a snapshot of the present state, unless nobody watches.
func (s *Session) shoot(now time.Time) {
	viewers := s.board.watched()
	// signals and copies cost time that steps can use
	if viewers == 0 {
		return
	}
	// frames keep their rate, unless they are late, or came early for a change
	if s.nextShot = s.nextShot.Add(s.framePeriod()); s.nextShot.Before(now) || s.nextShot.Sub(now) > s.framePeriod() {
		s.nextShot = now.Add(s.framePeriod())
	}
	s.lastShot, s.urgent, s.changed = now, false, false
	s.evaluate()
	// filled outside of the mutex: viewers continue with the one before
	shot := s.board.blank()
	record.Capture(s.stepper, s.x, &shot.Frame)
	shot.Step = s.x.Step
	shot.Signals = append(shot.Signals[:0], s.signals...)
	shot.Stats = s.count.appendTo(shot.Stats[:0], now, s.x.Time, viewers)
	// lists of the status are made only when it changed
	if shot.Status.revision != s.status.revision {
		// viewers may still read the lists of earlier snapshots
		s.status.Saved, s.status.Values = s.past.times(), s.wanted()
		shot.Status = s.status
	}
	s.board.publish(shot)
}

// wanted are the live values as operators want them.
func (s *Session) wanted() (list []float64) {
	for i := range s.scene.Model.LiveValues() {
		list = append(list, s.stepper.WantedValue(s.x, i))
	}
	return list
}

// now is the time of the clock.
func (s *Session) now() time.Time { return time.Now() }
