package optimize

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/optimal"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// File is the content of an optimization file. Paths in it are relative to its folder, values are in SI
// units unless they name one, as in scenes.
type File struct {
	// Title describes the task; it is not interpreted.
	Title string `key:"title"`
	// Scene is the scene file, relative to the folder of this file.
	Scene string `key:"scene,required"`
	// Set gives values of the scene.
	Set scene.Named[string] `key:"set"`
	// Stages are values of the scene for several solves in sequence (continuation), each started from
	// the efforts that the one before found: for instance compliant contact, whose gradients reach
	// farther, before stiff contact. The result is that of the last stage. nil: one stage, without
	// changes.
	Stages []scene.Named[string] `key:"stages"`
	// Steps is the number of steps; 0: those of the scene's duration.
	Steps int `key:"steps" min:"0"`
	// Method is how the minimum is searched: "ilqr" for efforts of drives; for unknowns "gauss_newton" (Levenberg and
	// Marquardt, sums of squares only), "bfgs" (smooth costs), "adam" (noisy derivatives), "nelder_mead" and "cma_es"
	// (noisy costs). Empty: ilqr for drives, gauss_newton for unknowns.
	Method string `key:"method" choice:"ilqr,gauss_newton,bfgs,adam,nelder_mead,cma_es"`
	// Derivatives are those of bfgs and adam: "differences" of whole runs, or "exact", from the derivative of each
	// step. Empty: differences.
	Derivatives string `key:"derivatives" choice:"differences,exact"`
	// Drives are the drives whose efforts are sought, one value a step.
	Drives []string `key:"drives"`
	// Unknowns are values of the scene that are sought, by name, in place of efforts.
	Unknowns scene.Named[Unknown] `key:"unknowns"`
	// Start is the first guess: "hold", the constant efforts that keep the joints at rest, or "zero".
	Start string `key:"start" choice:"hold,zero"`
	// Starts are further first guesses of efforts, random ones (multi-start); nil: one guess alone.
	Starts *Starts `key:"starts"`
	// Limits bound the magnitudes of the efforts, one for each drive, N or N m; nil: none.
	Limits []float64 `key:"limits"`
	// Effort is the weight of the square of efforts, per second.
	Effort float64 `key:"effort" min:"0"`
	// Loss are the other terms of the cost, by name.
	Loss scene.Named[Term] `key:"loss,required"`
	// Horizon is the time of a plan, s, where efforts are planned again on the way (receding horizon, model predictive
	// control): each plan begins from the one before, shifted, and what is required at the end counts at its end. 0:
	// one plan for all steps.
	Horizon float64 `key:"horizon" min:"0"`
	// Replan is the time after which efforts are planned again, s; 0: a step.
	Replan float64 `key:"replan" min:"0"`
	// Iterations bounds the iterations of all stages, for each start; 0: 100. Of a receding horizon it bounds those of
	// the first plan.
	Iterations int `key:"iterations" min:"0"`
	// Decrease is the relative decrease of the cost at which the iteration ends; 0: 1e-6.
	Decrease float64 `key:"decrease" min:"0"`
}

// Term is a quadratic term of the cost: the distance of a free body, or of joints, from a target, and
// their velocities. Of a body's pose only the position of its origin counts, not the rotation; of its
// velocity both the linear and the angular part, so that it comes to rest at the target.
type Term struct {
	// Body is a free body; empty: Joints are given.
	Body string `key:"body"`
	// Joints are joints with one degree of freedom.
	Joints []string `key:"joints"`
	// Target is the wanted position of the body's origin (x, y, z), or are the wanted positions
	// of the joints, m or rad; nil: those at the start.
	Target []float64 `key:"target"`
	// Weight is the weight of the squared distance at all times, 1/(m² s) or 1/(rad² s).
	Weight float64 `key:"weight"`
	// Rate is the weight of the squared velocity, linear and angular, at all times, s/m² or
	// s/rad².
	Rate float64 `key:"rate" min:"0"`
	// AtEnd is the weight of the squared distance at the end, 1/m² or 1/rad².
	AtEnd float64 `key:"at_end" min:"0"`
	// RateAtEnd is the weight of the squared velocity at the end, s²/m² or s²/rad².
	RateAtEnd float64 `key:"rate_at_end" min:"0"`

	// Signal is a signal of the scene; a term of unknowns has one in place of a body or joints. Its weight
	// is then that of one sample, in 1 over the square of the signal's unit.
	Signal string `key:"signal"`
	// Record is a CSV file with the values that the signal should have, with a column time_s; empty: the one
	// number of Target at all steps.
	Record string `key:"record"`
	// Column is the column of Record; empty: the name of the signal.
	Column string `key:"column"`
	// Over is the interval of time of the samples, s; nil: the whole run.
	Over []float64 `key:"over"`
	// Norm is "square", weight (signal − target)² summed over the samples, or "mean", weight times the mean of
	// the signal, which a negative weight maximizes.
	Norm string `key:"norm" choice:"square,mean"`
}

// Task is an optimization file with its scene.
type Task struct {
	// File is the file as read.
	File *File
	// Scene is the scene with the values of the last stage.
	Scene *scene.Scene
	// stages are the scenes of all stages, the last one Scene
	stages []*scene.Scene
	path   string  // of the file
	h      float64 // step, s
	steps  int
	cost   *optimal.Quadratic // of all stages

	// of unknowns
	samples []samples
	inputs  *scene.Snapshot // all runs must read the same files
}

// Load reads an optimization file and its scene.
func Load(path string) (*Task, error) {
	text, err := scene.ReadInput(path)
	if err != nil {
		return nil, err
	}
	// the decoder has the keys and their bounds, and reports all faults at once
	f := &File{Start: "hold"}
	if err := scene.Decode(path, text, f); err != nil {
		return nil, err
	}
	t := &Task{File: f, path: path, steps: f.Steps, inputs: &scene.Snapshot{}}
	if err := t.checkMethod(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := t.loadStages(); err != nil {
		return nil, err
	}
	t.h = t.Scene.File.Time.Step
	// to the nearest step, as a run of the scene takes them
	if t.steps == 0 {
		t.steps = int(t.Scene.File.Time.Duration/t.h + 0.5)
	}
	// terms of states for efforts, of signals for unknowns
	terms := t.makeCost
	if t.SeeksParameters() {
		terms = t.makeSamples
	}
	if err := terms(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// checkMethod verifies that the file has what its method seeks, and nothing of the other kind.
func (t *Task) checkMethod() error {
	f := t.File
	// exactly one of both is sought
	efforts, values := len(f.Drives) > 0, len(f.Unknowns.Keys) > 0
	switch {
	case efforts == values:
		return errors.New("give drives, whose efforts are sought, or unknowns, values of the scene, and not both")
	case f.Method == "" && efforts:
		f.Method = "ilqr"
	case f.Method == "":
		f.Method = "gauss_newton"
	case efforts != (f.Method == "ilqr"):
		return fmt.Errorf("method %s: efforts of drives are found by ilqr, unknowns by one of the other methods", f.Method)
	}
	if f.Starts != nil {
		if err := f.checkStarts(); err != nil {
			return err
		}
	}
	// one bound for each effort, in their order
	if n := len(f.Limits); n > 0 && n != len(f.Drives) {
		return fmt.Errorf("limits has %d numbers for %d drives: give one for each", n, len(f.Drives))
	}
	// what only efforts have would be ignored in silence
	if f.Derivatives != "" && f.Method != "bfgs" && f.Method != "adam" {
		return fmt.Errorf("derivatives are a choice of methods bfgs and adam, not of %s: leave it out", f.Method)
	}
	if values && (len(f.Stages) > 0 || f.Effort > 0 || f.Horizon > 0) {
		return errors.New("stages, effort and horizon are for efforts of drives: leave them out with unknowns")
	}
	if f.Replan > f.Horizon {
		return fmt.Errorf("replan: %g s is longer than the horizon of %g s: efforts are planned again within it", f.Replan, f.Horizon)
	}
	return nil
}

// loadStages loads the scene once for each stage: its model is built again from the values of the stage.
func (t *Task) loadStages() (err error) {
	stages := t.File.Stages
	if len(stages) == 0 {
		stages = make([]scene.Named[string], 1) // one stage, without values of its own
	}
	for _, stage := range stages {
		// values of the stage come last, so that they win over those of the file
		var set []string
		for _, values := range [2]scene.Named[string]{t.File.Set, stage} {
			for _, key := range values.Keys {
				set = append(set, key+"="+*values.Get(key))
			}
		}
		if t.Scene, err = t.load(set); err != nil {
			return err
		}
		if len(t.stages) > 0 && t.Scene.Model.Rule.Midpoint != t.stages[0].Model.Rule.Midpoint {
			return errors.New("stages differ in time.rule: states of one stage do not fit the next: give all of them one rule")
		}
		t.stages = append(t.stages, t.Scene)
	}
	return nil
}

// load loads the scene with values. A file of it that has changed since the first time is an error.
func (t *Task) load(set []string) (*scene.Scene, error) {
	return t.inputs.Load(t.file(t.File.Scene), set)
}

// file returns the path of a file that the optimization file names.
func (t *Task) file(name string) string {
	// a full path may come from another folder than the file's
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(t.path), name)
}

// makeCost turns the terms of the loss into the diagonal cost
//
//	Σ_k h (dx_kᵀ Q dx_k + e u_kᵀ u_k) + dx_Nᵀ Q_N dx_N                                  (1)
//
// of the tangent dx from the target to the state: positions, then velocities; a memory has no weight.
func (t *Task) makeCost() error {
	m := t.Scene.Model
	// what no term names keeps the start as its target, with weight 0; all velocities have rest as theirs
	target := m.Start.Clone()
	clear(target.V)
	n := m.TangentSize()
	c := &optimal.Quadratic{Q: make([]float64, n), End: make([]float64, n), R: make([]float64, len(t.File.Drives))}
	// weights are per second, so that the step does not change the cost
	for i := range c.R {
		c.R[i] = t.h * t.File.Effort
	}
	// terms add up where several name the same joint
	for _, name := range t.File.Loss.Keys {
		if err := t.addTerm(t.File.Loss.Get(name), target, c); err != nil {
			return fmt.Errorf("loss.%s: %w", name, err)
		}
	}
	c.Target = make([]float64, m.StateNumbers())
	m.PutState(target, c.Target)
	// rotations have a difference in the tangent space, not one of their quaternions
	c.Distance = func(from, to, dx []float64) {
		nq, nv := len(target.Q), len(target.V)
		m.StateDifference(&sim.State{Q: from[:nq], V: from[nq : nq+nv]}, &sim.State{Q: to[:nq], V: to[nq : nq+nv]}, dx)
	}
	t.cost = c
	return nil
}

// addTerm adds the weights of a term, and its target.
func (t *Task) addTerm(term *Term, target *sim.State, c *optimal.Quadratic) error {
	switch {
	case term.Signal != "" || term.Record != "" || term.Column != "" || term.Over != nil || term.Norm != "":
		return errors.New("signals are terms of unknowns: efforts of drives have bodies and joints as terms")
	case (term.Body == "") == (len(term.Joints) == 0):
		return errors.New("name a body or joints, and not both")
	case term.Body != "":
		return t.addBody(term, target, c)
	}
	m := t.Scene.Model
	// without a target the joints are to stay where they start
	if term.Target != nil && len(term.Target) != len(term.Joints) {
		return fmt.Errorf("target has %d numbers: give one position (rad or m) for each of the %d joints", len(term.Target), len(term.Joints))
	}
	for k, name := range term.Joints {
		v, ok := m.Names.Joints[name]
		if !ok {
			return fmt.Errorf("there is no joint %q with one degree of freedom%s", name, kinds.Suggest(name, slices.Sorted(maps.Keys(m.Names.Joints))))
		}
		// q and v of a tree differ in number where it has quaternions
		if link := m.Rigid.LinkOfDof(v); term.Target != nil {
			target.Q[m.Rigid.QStart(link)+v-m.Rigid.VStart(link)] = term.Target[k]
		}
		t.weigh(term, c, v, true)
	}
	return nil
}

// addBody adds the term of a free body: its place, and all six of its velocities.
func (t *Task) addBody(term *Term, target *sim.State, c *optimal.Quadratic) error {
	m := t.Scene.Model
	i, ok := m.Names.Bodies[term.Body]
	if !ok || i >= m.Rigid.NumLinks() {
		return fmt.Errorf("there is no rigid body %q%s", term.Body, kinds.Suggest(term.Body, slices.Sorted(maps.Keys(m.Names.Bodies))))
	}
	// a free body has a quaternion and a position
	if nq, nv := m.Rigid.Link(i).Joint.Size(); nq != 7 || nv != 6 {
		return fmt.Errorf("%s has a joint: name joints instead of the body", term.Body)
	}
	if term.Target != nil && len(term.Target) != 3 {
		return fmt.Errorf("target has %d numbers: a body needs 3 (x, y, z of its origin, m)", len(term.Target))
	}
	// behind the quaternion
	copy(target.Q[m.Rigid.QStart(i)+4:], term.Target)
	// rotations come first among the velocities, and have no target
	for k := range 6 {
		t.weigh(term, c, m.Rigid.VStart(i)+k, k >= 3)
	}
	return nil
}

// weigh adds the weights (1) of velocity number v, and of its position where that has a target.
func (t *Task) weigh(term *Term, c *optimal.Quadratic, v int, position bool) {
	n := len(t.Scene.Model.Start.V)
	if position {
		c.Q[v] += t.h * term.Weight
		c.End[v] += term.AtEnd
	}
	c.Q[n+v] += t.h * term.Rate
	c.End[n+v] += term.RateAtEnd
}
