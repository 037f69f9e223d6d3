// Package sim steps a model of rigid trees and deformable bodies in frictional contact
// forward in time. It is the only package that sees rigid trees, deformable bodies,
// geometry, constraints and the solver together; step.go shows the six stages of a step.
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
package sim
