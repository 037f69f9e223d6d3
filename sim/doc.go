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
// # Items
//
// Items are added to the Builder under names, in any order, and refer to each other by these. Until Build, and before
// any further Build, they can be found by their names, edited and removed: Builder.Body returns a pointer to the
// BodySpec, and likewise Joint, Shapes, Deformable, Material, Constraint, Drive, Load and Signal. A scene file becomes
// such items too (scene.Open).
//
// Most items are kinds, chosen by the type of their parameters; every field has its unit in its comment:
//
//	shapes       geometry.SphereSpec, BoxSpec, CapsuleSpec and others of geometry.Shapes, as ShapeSpec.Spec
//	joints       rigid.Revolute, Prismatic and others, as JointSpec.Joint
//	laws         fem.NewCorotational and others, as DeformableSpec.Law
//	constraints  constraints.WeldSpec, BallSpec, DistanceSpec, CouplerSpec
//	drives       JointDrive, MotorDrive, RobotDrive, Actuator of joints; BodyMotion and HoldDrive of bodies;
//	             PolicyDrive; targets of robots: JointWaypoints, JointSines, JointTable, PoseWaypoints, PoseTable,
//	             TwistTable, DelayedTarget, Teleop
//	loads        ForceSpec, MomentSpec of rigid bodies; PressureSpec, TractionSpec, BodyForceSpec of deformables
//	signals      PositionSpec, VelocitySpec, SpeedSpec, RotationSpec, AngularVelocitySpec, NearestSpec of bodies;
//	             ContactForceSpec, ContactMomentSpec, ContactSurfaceSpec, PenetrationSpec of contacts; JointStateSpec,
//	             DriveEffortSpec of joints; VonMisesSpec, ReactionSpec, ReactionMomentSpec of deformables;
//	             AccelerometerSpec, GyroSpec, JointWrenchSpec of bodies; ChamberVolumeSpec;
//	             MeasuredSpec, the errors of a sensor;
//	             EnergySpec, MomentumSpec, AngularMomentumSpec, CenterOfMassSpec; CountSpec, what the solver does
//
// Functions of time among their parameters are those of package motion: motion.Constant, motion.Sine,
// motion.NewPiecewise.
//
// # Results
//
// Results are read in three ways. Signals, added to the Builder by name, are read by
// Stepper.Read at a state, in the order in which they were added; Model.Names.Signals has their places. Stepper.Report
// has the contacts and contact surfaces of the last step with their forces, penetration, and the
// work of the solver. Stepper.Geometry has the poses of rigid bodies (X_WB) and the
// vertices of deformables (X_W) at the state of the last call of Stepper.Place or Read. Model.Body has the number of a
// body, by which reports and Geometry name it, deformables behind all rigid bodies; Stepper.BodyName its name.
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
// Rollouts steps many states of a model at the same time, each with inputs of its own: efforts of the drives that
// NewRollouts names, drive by drive for each step. Rollouts.Observe is where signals and forces of each step are read;
// another stepper reads positions of the states afterwards, but no forces.
//
// # What programs may rely on
//
// These names stay, or change by an entry of CHANGELOG.md that says what takes their place:
//
//	Builder    its fields and methods, the parameters of items above, Diagnostic, UnknownError, VertsWithin
//	Model      Start, Signals, Names, Gravity, Rigid, Deformables, Geometry, Constraints; Body, Joint, Dofs,
//	           RigidSize, LiveValues, Command, Takes
//	State      all of it; Clone, Hash
//	Stepper    Model, Report, Geometry; NewStepper, Options, Step, Read, Place, Equilibrium, Linearize, LinearizeTo,
//	           UseInputs, SetInputs, NumInputs, Operate, BodyName, VonMises, ContactSurface, InterruptIf, Close
//	Report     Step, Err, Solver, Penetration, Contacts, ContactSurfaces
//	Rollouts, Controller, Control, OperatorInput, Linearization
//	errors     ErrNotConverged, ErrInterrupted, ErrNothingMoves, ErrNotDifferentiable
//	seams      Signals, Drives, Loads, RobotTargets with SignalSpec, Drive, LoadSpec, RobotTarget, Resolver
//
// Other exported names serve packages of this program (check, run, live, bench) and may change at any time.
//
// # Extensions
//
// Kinds of signals and drives are registered with Signals and Drives: one file each with
// its parameters, their units, and samples for the conformance suites among the tests of
// this package.
package sim
