// Package sim is the simulator (time integration): it steps a model of articulated rigid
// bodies and deformable bodies in frictional contact forward in time. It is the only
// package that uses rigid trees, deformable bodies, geometry, constraints and the solver
// together; step.go shows the six stages of a step.
//
// A Builder makes a Model from items with names. A Stepper advances a State of the model;
// its Report has the forces of the last step:
//
//	b := sim.NewBuilder()
//	b.AddBody("ball", sim.BodySpec{Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
//	model, err := b.Build()
//	stepper, err := sim.NewStepper(model, sim.Options{Threads: 2})
//	state := model.Start.Clone()
//	err = stepper.Step(state, 0.001)
//
// The equation of a step, with v the generalized velocities of all bodies and h the length
// of the step:
//
//	v⁺ = argmin_v  ½ (v − v*)ᵀ A (v − v*) + Σ_i ℓ_i(J_i v + b_i)
//
// A is the momentum matrix, v* the velocities without constraints, ℓ_i the convex
// potential of a contact, joint limit or controller. Positions follow by q⁺ = q ⊕ h v⁺.
//
// # Results
//
// Results are read in three ways. Signals, added to the Builder by name, are read by
// Stepper.Read at a state. Stepper.Report has the
// contacts and contact surfaces of the last step with their forces, penetration, and the
// work of the solver. Stepper.Geometry has the poses of rigid bodies (X_WB) and the
// vertices of deformables (X_W) at the state of the last call of Stepper.Place or Read.
//
// Forces are means over a step: impulses divided by h. They exist only after a step by
// this stepper: at a state that was restored they are not a number until its next step.
//
// # States, threads, errors
//
// A State can be cloned, saved and restored at any time, and steppers of one model can be
// exchanged: the same state and step give the same bits for any number of threads. A
// Stepper is used by one goroutine at a time; different steppers of one model may run at
// once.
//
// Errors of Build are Diagnostics, joined. Errors of Step say when and at which body,
// contact or constraint it failed, and leave the state unchanged. ErrNotConverged alone
// reports a step that was taken, with the best velocities found.
//
// # Controllers
//
// A Controller, added by Builder.AddController, reads state, signals and contacts after each step and
// commands drives for the next one. What it commands and remembers is part of the State.
//
// # Rollouts
//
// Rollouts steps many states of a model at the same time, each with inputs of its own.
//
// # Extensions
//
// Kinds of signals and drives are registered with Signals and Drives: one file each with
// its parameters, their units, and samples for the conformance suites among the tests of
// this package.
package sim
