package curlfree

// An index of concepts: terms of textbooks, of Drake, MuJoCo and Pinocchio, with the file that
// implements each. Synonyms share a line. A test (internal/lint) checks that a comment of the file
// contains every term of its line, so that a search for a term finds both. CONVENTIONS.md has the
// glossary of the words that this program uses itself.
//
// Articulated bodies
//
//	composite rigid body algorithm, CRBA, mass matrix       rigid/dynamics.go
//	recursive Newton-Euler algorithm, RNEA                  rigid/dynamics.go
//	articulated body algorithm, ABA                         rigid/factor.go
//	spatial vector, spatial inertia, twist, wrench          rigid/spatial.go
//	teleoperation, dead-man switch                          sim/robot_target_teleop.go
//	kinematic tree, multibody dynamics                      rigid/model.go
//	motion subspace                                         rigid/joint.go
//	free joint, floating base                               rigid/joint_floating.go
//	revolute joint, hinge                                   rigid/joint_revolute.go
//	prismatic joint, slider                                 rigid/joint_prismatic.go
//	ball joint, spherical joint                             rigid/joint_ball.go
//	universal joint, Cardan joint                           rigid/joint_universal.go
//	gimbal lock, Euler angles                               rigid/joint_gimbal.go
//	prescribed motion, kinematic body                       rigid/joint_prescribed.go
//	reflected inertia, armature                             rigid/link.go
//	gyroscopic moment                                       rigid/floating_body.go
//	leapfrog                                                rigid/midpoint.go
//	point Jacobian                                          rigid/jacobian.go
//	quaternion                                              r3/quat.go
//	monogram notation                                       r3/vec.go
//	computed torque, inverse dynamics control               rigid/planned_effort.go
//	gravity compensation                                    rigid/planned_effort.go
//	virtual work                                            sim/robot_dependents.go
//	pseudoinverse                                           sim/pseudoinverse.go
//
// Constraints, drives and loads
//
//	kinematic loop, loop closure                            scene/file_constraints.go
//	mimic joint                                             rigid/mimic.go
//	gear ratio                                              constraints/constraint_coupler.go
//	joint limit                                             constraints/constraint_limit.go
//	joint friction, dry friction                            constraints/constraint_friction.go
//	constraint stabilisation, Baumgarte                     constraints/compliant.go
//	weld constraint                                         constraints/constraint_weld.go
//	rope, rod                                               constraints/constraint_distance.go
//	PD controller                                           constraints/constraint_pd.go
//	servo                                                   sim/drive_joint.go
//	impedance control, feed forward                         sim/drive_robot.go
//	actuator, transmission                                  constraints/constraint_actuator.go
//	fixed tendon                                            constraints/joint_sum.go
//	minimum-jerk, trapezoidal velocity profile              motion/timing.go
//	follower load                                           sim/load_pressure.go
//	body force                                              sim/load_body_force.go
//	reaction force                                          sim/reactions.go
//
// Contact
//
//	collision detection, broad phase, narrow phase          geometry/data.go
//	sweep and prune                                         geometry/broad_phase.go
//	bounding volume hierarchy, AABB                         bvh/bvh.go
//	surface area heuristic                                  bvh/build.go
//	separating axis test                                    geometry/pair_box.go
//	signed distance                                         meshes/distance.go
//	pseudonormal                                            meshes/distance_normals.go
//	GJK, support function                                   geometry/gjk.go
//	EPA, expanding polytope, penetration depth              geometry/epa.go
//	Minkowski difference                                    geometry/smooth_normal.go
//	convex hull, quickhull                                  geometry/hull.go
//	contact manifold                                        geometry/manifold.go
//	contact reduction                                       geometry/contact_reduction.go
//	torsional friction, limit surface of a face             geometry/face_friction.go
//	speculative contact                                     geometry/collide.go
//	continuous collision detection                          geometry/deformable_sweep.go
//	time of impact, conservative advancement                geometry/time_of_impact.go
//	self-contact                                            geometry/deformable_self.go
//	collision filter                                        sim/builder_filter.go
//	hydroelastic contact, contact patch                     hydroelastic/doc.go
//	pressure field                                          hydroelastic/field.go
//	contact surface, centre of pressure                     hydroelastic/contact_surface.go
//	polygon clipping                                        hydroelastic/polygon.go
//	Hunt-Crossley                                           constraints/normal_huntcrossley.go
//	restitution                                             constraints/restitution.go
//	Kelvin–Voigt, friction cone, SAP                        constraints/contact_sap.go
//	Hertz                                                   constraints/normal_hertz.go
//	barrier                                                 constraints/normal_barrier.go
//	incremental potential contact, IPC                      constraints/normal_ipc.go
//	lagged friction                                         constraints/contact_lagged.go
//	anisotropic friction, orthotropic friction              constraints/friction_anisotropic.go
//	stiction                                                constraints/stiction.go
//	Stribeck                                                constraints/friction_stribeck.go
//	conveyor belt                                           constraints/material.go
//
// Deformable bodies
//
//	finite element method, tetrahedra                       fem/model.go
//	constitutive law, first Piola stress                    fem/constitutive.go
//	deformation gradient, Hooke's law                       fem/constitutive.go
//	corotational                                            fem/constitutive_corotational.go
//	neo-Hookean                                             fem/constitutive_neohookean.go
//	Mooney–Rivlin                                           fem/constitutive_mooneyrivlin.go
//	Ogden                                                   fem/constitutive_ogden.go
//	Yeoh, Arruda and Boyce                                  fem/constitutive_invariant.go
//	laws of rubber fitted to tests                          elastomers/doc.go
//	polar decomposition, singular value decomposition       r3/svd.go
//	Rayleigh damping                                        fem/model.go
//	incompatible modes                                      fem/element_hex12.go
//	mean dilatation, B-bar                                  fem/element_wedge6.go
//	quadrature, ten-node tetrahedron                        fem/element_tet10.go
//	shape functions                                         fem/faces.go
//	consistent mass                                         fem/pattern.go
//	lumped mass                                             fem/element_set.go
//	von Mises stress, Cauchy stress                         fem/report.go
//	discretization error, locking, Richardson extrapolation discretization/estimate.go
//	uniform refinement                                      meshes/refine.go
//	damping by the time step, numerical damping             check/step_damping.go
//	modal analysis, Lanczos, natural frequency              modal/modal.go
//	static equilibrium, pseudo-transient continuation       sim/equilibrium.go
//
// Solvers
//
//	convex optimization, complementarity problem            convex/solver.go
//	Delassus operator                                       convex/delassus.go
//	Newton's method, semi-smooth Newton                     convex/solver.go
//	exact line search                                       convex/linesearch.go
//	primal-dual                                             constraints/friction_primal_dual.go
//	homotopy                                                convex/continuation.go
//	island                                                  convex/partition.go
//	union-find, connected components                        internal/unionfind/unionfind.go
//	condition number                                        convex/condition.go
//	implicit function theorem, adjoint                      sim/linearize.go
//	sparse Cholesky factorization, multifrontal             supernodal/factor.go
//	Schur complement                                        supernodal/factor.go
//	elimination tree                                        supernodal/tree.go
//	supernode                                               supernodal/merge.go
//	approximate minimum degree, AMD                         supernodal/amd.go
//	nested dissection                                       supernodal/dissect.go
//	minimum degree ordering                                 supernodal/choose.go
//	symbolic factorization                                  supernodal/symbolic.go
//	time integration                                        sim/doc.go
//	symplectic Euler                                        sim/step.go
//	backward Euler                                          fem/free.go
//	energy balance                                          sim/energy_balance.go
//	substep                                                 sim/divided_step.go
//
// Robots and control
//
//	inverse kinematics                                      ik/robot.go
//	damped least squares                                    ik/solver.go
//	augmented Lagrangian                                    ik/interval.go
//	collision avoidance                                     ik/pairs.go
//	manipulability, redundancy, null-space motion           ik/tasks.go
//	optimal control, trajectory optimization, iLQR          optimal/doc.go
//	nonlinear least squares, Levenberg-Marquardt            leastsquares/solve.go
//	BFGS, quasi-Newton method                               optimize/descent.go
//	confidence intervals, observability, identifiability    leastsquares/confidence.go
//	system identification, parameter estimation             optimize/parameters.go
//	adjoint method, sensitivity analysis                    gradient/gradient.go
//	checkpointing of trajectories                           gradient/trajectory.go
//	Riccati recursion, LQR                                  optimal/backward.go
//	differential dynamic programming, box constraints       optimal/doc.go
//	box-constrained quadratic program, projected Newton     optimal/boxqp.go
//	feedback controller, zero-order hold                    sim/controller.go
//	rollout                                                 sim/rollouts.go
//	waypoint                                                sim/robot_target_joints.go
//	sensor                                                  sim/signal.go
//	URDF                                                    scene/urdf/doc.go
//	SDFormat                                                scene/sdf/doc.go
//	MJCF                                                    scene/mjcf/doc.go
//
// Meshes, studies and pictures
//
//	mesh generation, tetrahedral mesh                       meshes/mesh.go
//	isosurface stuffing                                     meshes/stuffing/stuffing.go
//	body-centred cubic lattice, octree                      meshes/stuffing/lattice.go
//	planar Delaunay triangulation                           meshes/profiles/delaunay.go
//	constrained Delaunay triangulation                      meshes/profiles/constrain.go
//	biased randomized insertion order                       meshes/profiles/insert.go
//	Delaunay refinement                                     meshes/profiles/refine.go
//	dihedral angle, radius ratio                            meshes/quality.go
//	mesh repair                                             meshes/repair/repair.go
//	T-junction                                              meshes/repair/tjunctions.go
//	ear clipping                                            meshes/internal/surfaces/ears.go
//	winding number                                          meshes/distance.go
//	involute                                                meshes/parts/involute.go
//	mass properties                                         geometry/mass.go
//	parameter sweep, parameter study                        study/doc.go
//	design of experiments                                   study/sample.go
//	Latin hypercube                                         study/sample_latin_hypercube.go
//	Sobol's sequence                                        study/sample_sobol.go
//	simple random sampling                                  study/sample_monte_carlo.go
//	NSGA-II, nondominated sorting                           study/nsga2.go
//	thread pool, parallel loop                              workers/workers.go
//	checkpoint                                              record/checkpoint.go
//	section view, clipping plane                            render/cut.go
//	shadow map                                              render/light.go
//	amplitude spectrum                                      render/spectrum.go
