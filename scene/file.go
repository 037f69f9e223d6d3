package scene

// The structures of this package mirror the file. Their key, unit and doc tags are the one
// description of every key: the decoder, the JSON Schema and the reference manual follow from them
// (see package kinds). Names of sections have one file each: file_bodies.go, file_materials.go and
// file_constraints.go have the structures, files such as bodies.go turn them into calls of
// sim.Builder. decode.go reads YAML into them, override.go sets single values, validate.go checks
// the whole, load.go defines the order in which sections are built.
//
// Optional values are pointers where 0 has a meaning of its own; nil means that the file does not
// give the value. Structures that messages refer to embed Pos.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/timestep"
)

// File is the content of a scene file.
type File struct {
	// Title is a description, which has no effect on results.
	Title string `key:"title" doc:"title of pictures and reports"`
	// Time is the only section that is required.
	Time Time `key:"time" doc:"step and duration of the run"`
	// Gravity acts on all bodies. From its norm g follow the default margins h² g and 2 h² g, about
	// the distance of free fall in a step. The default is (0, 0, −9.81) m/s².
	Gravity [3]float64 `key:"gravity" unit:"m/s²" doc:"acceleration of gravity in world axes"`
	// Solver has the contact law, with friction, and settings that trade accuracy for time.
	Solver Solver `key:"solver" doc:"contact law, tolerances, threads"`
	// Materials are inherited one level deep: from default, never from each other.
	Materials Named[Material] `key:"materials" doc:"materials by name; default serves what names no other, and gives others what they leave out"`
	// Pairs is a list, because a pair has no name; both orders of its materials mean the same.
	Pairs []Pair `key:"pairs" doc:"effective contact parameters of pairs of materials, in place of the combination rules"`
	// Meshes are read even where nothing uses them, so that a faulty file is found.
	Meshes Named[Mesh] `key:"meshes" doc:"surface and volume meshes by name"`
	// Bodies are numbered in the order of the file, after all links of robots.
	Bodies Named[Body] `key:"bodies" doc:"rigid bodies by name"`
	// Tables add to Bodies before anything else is read, so that their rows can be named anywhere.
	Tables Named[Table] `key:"tables" doc:"CSV files with a rigid body in each row"`
	// Robots are numbered before Bodies, so that a joint may connect a body to a link.
	Robots Named[Robot] `key:"robots" doc:"articulated models from robot files; their links are bodies called NAME.LINK, their joints NAME.JOINT"`
	// Deformables come after all rigid bodies in the state and in recordings.
	Deformables Named[Deformable] `key:"deformables" doc:"deformable bodies by name"`
	// Constraints close kinematic loops (loop closure), which the tree of joints cannot have.
	Constraints Named[Constraint] `key:"constraints" doc:"constraints between bodies or joints by name"`
	// Drives prescribe the motion of a body or robot at most once.
	Drives Named[Drive] `key:"drives" doc:"controllers of joints and prescribed motions of bodies by name"`
	// Loads come after drives. Loads on a rigid body are terms of the convex problem, as
	// constraints are.
	Loads Named[ExternalLoad] `key:"loads" doc:"forces, pressures and moments on bodies by name"`
	// Signals are the recorded quantities, in the order of the columns. They do not change the
	// motion.
	Signals Named[Signal] `key:"signals" doc:"numbers to record at every step, columns of signals.csv"`
	// Output rates choose which steps are written, not which are computed.
	Output Output `key:"output" doc:"rates of recordings and tables"`
	// Render has the settings of pictures, which the recording stores; `curlfree render` may
	// override all of them.
	Render Render `key:"render" doc:"settings of pictures and films"`
	// Expect turns a scene into a regression test.
	Expect Named[Expectation] `key:"expect" doc:"checks at the end of every run; exit code 1 when one fails"`

	// Dir is the folder that relative file names start from.
	Dir string

	// outdated are warnings about earlier names that overrides use.
	outdated []string
	// poses are those of kinds' parameters as the file writes them: a kind has a rotation matrix, from which the
	// angles of the file do not follow.
	poses map[*r3.Pose]Pose
	// written is the duration in the file, before overrides, s: a shortened run does not
	// reach all windows of expectations.
	written float64
}

// Time has the time step and the duration of a run.
type Time struct {
	Pos
	// Step h is constant over the run. Contact and elasticity are implicit, so that h is bounded by the
	// motion to resolve, not by stiffness.
	Step float64 `key:"step" unit:"s" doc:"time step h; without it steps control their error, see accuracy" default:"–"`
	// Duration is at least one step; the last step reaches it, or passes it by less than h.
	Duration float64 `key:"duration" unit:"s" doc:"simulated time" default:"–"`
	// Accuracy has steps control their error, see StepControl of package sim; it takes the place of Step.
	Accuracy float64 `key:"accuracy" doc:"in place of step: bound of the error that one step adds to positions, over the size of each body; steps get as long as it allows. It bounds the error of one step, not that of the run" default:"1e-3 where there is no step"`
	// MaxStep bounds steps with Accuracy. Output, controllers and commands have this period.
	MaxStep float64 `key:"max_step" unit:"s" doc:"longest step with accuracy, and the period of controllers and of rows of tables" default:"the period of frames, in parts of at most 0.01 s"`
	// MinStep bounds steps with Accuracy from below.
	MinStep float64 `key:"min_step" unit:"s" doc:"shortest step with accuracy; steps of this length with a larger error are counted" default:"1e-6 s"`
	// Rule chooses how a step integrates in time. Midpoint is of second order and damps motions less.
	Rule string `key:"rule" choice:"euler,midpoint" doc:"rule of integration in time: euler: symplectic Euler, of first order, which damps elastic vibrations by about ½ ω h of critical; midpoint: damped midpoint rule, of second order, which damps them by numerical_damping alone" default:"euler; with accuracy midpoint, unless a deformable has a nonlinear law"`
	// NumericalDamping is e = δ of the midpoint rule.
	NumericalDamping float64 `key:"numerical_damping" doc:"damping of the midpoint rule: ζ = ½ e (ω h)³ at the frequency ω; larger values damp fast vibrations more and lower the order at large steps; 0 leaves them undamped"`
	// Equilibrium solves for static equilibrium without inertia: every step ends at rest under the
	// loads, targets and motions of its end. Step is then the increment of the load path from one state
	// at rest to the next; without it there is one increment.
	Equilibrium bool `key:"equilibrium" doc:"each step ends at rest under the loads, targets and motions of that time, without inertia; duration is then 1 s unless given, and step the duration"`
}

// modelStep returns the step that margins and checks are made for, s.
func (t *Time) modelStep() float64 {
	if t.Equilibrium {
		return sim.RestStep
	}
	return t.Step
}

// Solver has the settings of the contact law and of the convex solver.
type Solver struct {
	Pos
	// FrictionLag chooses the normal impulse that bounds lagged friction. Contact laws without
	// lagged friction accept only the value geometry.
	FrictionLag string `key:"friction_lag" choice:"auto,geometry,previous,sweep" doc:"normal impulse that bounds lagged friction: auto: that of this step within 2 % of each contact, by solving again where it differs; geometry: of the geometry at the start of the step; previous: of the previous step for contacts that carried force then (not of contact surfaces, whose faces change every step); sweep: that of this step, by solving again until both agree"`
	// Tolerance ε, 0 < ε < 1, bounds the residual relative to the largest momentum of the step.
	Tolerance float64 `key:"tolerance" doc:"relative tolerance of Newton's method"`
	// MaxIterations bounds the Newton iterations of a solve; a step whose solve needs more ends the run, unless
	// AllowUnconverged is set.
	MaxIterations int `key:"max_iterations" doc:"largest number of Newton iterations of a solve, without those of continuation; a step may solve several times"`
	// MaxTreeDofs bounds memory and time: the matrix of a tree is dense.
	MaxTreeDofs int `key:"max_tree_dofs" doc:"largest number of degrees of freedom of one tree of bodies that joints connect"`
	// AllowUnconverged keeps the last iterate of such a step; run.json counts them.
	AllowUnconverged bool `key:"allow_unconverged" doc:"continue after a step that did not converge, instead of exit code 4"`
	// Threads is the number of threads, on which results do not depend.
	Threads int `key:"threads" doc:"worker threads, 0: all cores; results do not depend on it"`
	// SpeculativeMargin is the least gap at which contacts are detected (speculative contact); for
	// fast bodies the gap grows by their motion in the step.
	SpeculativeMargin float64 `key:"speculative_margin" unit:"m" doc:"contacts up to this gap are always considered" default:"h² g, at least 0.05 % of the smallest body"`
	// ConditionNumber takes some tens of Lanczos iterations a step and does not change results.
	ConditionNumber bool `key:"condition_number" doc:"add the condition number of D H D, D = diag(A)^−½, at the end of each step's solve to steps.csv"`
	// HydroelasticMargin must stay below the clearance of parts that mesh, such as the backlash of
	// gears, or they press on each other without touching. nil: by the rule of the default; 0: none.
	HydroelasticMargin *float64 `key:"hydroelastic_margin" unit:"m" doc:"width of the layer outside of shapes in which pressure fields act ahead of contact; around convex shapes at least 2 h² g, at most 5 % of their least extent, so that they come to rest" default:"max(0.2 % of the smallest shape, 2 h² g), at most 5 % of a shape's least extent"`

	// Contact is the law of friction and its parameters, such as stiction_tolerance.
	Contact Item[constraints.ContactSpec] `kind:"contact"`
	// NormalLaw is the law of the normal force; sap has its own and takes no other.
	NormalLaw Item[constraints.NormalSpec] `kind:"normal_law"`
}

// Output has the rates at which a run writes its results.
type Output struct {
	Pos
	// Rate is the rate of recorded frames; above 1/h every step is recorded. Frames have all
	// vertices, so the rate determines the size of recordings.
	Rate float64 `key:"rate" unit:"1/s" doc:"recorded frames per second"`
	// TableRate is the rate of table rows; 0 writes every step. A low rate hides peaks from
	// expectations.
	TableRate float64 `key:"table_rate" unit:"1/s" doc:"rows of signals.csv and steps.csv per second; expectations and statistics read only those" default:"every step"`
	// Checkpoint is the simulated time between checkpoints; 0: by wall-clock time. An
	// interrupted run continues from the last checkpoint with the same bits.
	Checkpoint float64 `key:"checkpoint" unit:"s" doc:"simulated time between checkpoints" default:"every 30 s of wall time"`
}

// Render has the settings of pictures and films.
type Render struct {
	// Size is at least 16 × 16 pixels.
	Size [2]int `key:"size" doc:"width and height of pictures, pixels"`
	// Camera is in world axes. nil: placed so that all that moves stays in the picture.
	Camera *[3]float64 `key:"camera" unit:"m" doc:"position of the camera" default:"chosen to show all bodies"`
	// Target is in world axes. nil: the middle of all bodies that move.
	Target *[3]float64 `key:"target" unit:"m" doc:"point at the centre of the picture" default:"centre of the bodies"`
	// Up need not be perpendicular to the view; nil: against gravity.
	Up *[3]float64 `key:"up" doc:"direction that points up in pictures" default:"against gravity"`
	// FOV is the angle from the bottom to the top edge, 1° to 150°. Small angles come near to a parallel
	// projection.
	FOV float64 `key:"fov_deg" unit:"°" doc:"vertical field of view"`
	// Field colours deformables; contact_pressure colours contact surfaces as well. Empty: von_mises where
	// there are deformables.
	Field string `key:"field" doc:"field shown by colours: von_mises, displacement, deformation, contact_pressure, slip or none"`
	// FieldMax makes the colours of several pictures comparable. 0: the largest value of the recording.
	FieldMax float64 `key:"field_max" doc:"value at the upper end of the colour scale, in the field's unit" default:"largest value"`
	// Forces draws contact forces as arrows: one for each contact point, and one for all faces
	// of a contact surface.
	Forces *bool `key:"forces" doc:"draw arrows of contact forces, on the body that forces move and from the contact on" default:"chosen"`
	// ContactSurfaces draws contact surfaces, visible through the bodies that hide them.
	ContactSurfaces *bool `key:"contact_surfaces" formerly:"patches" doc:"draw the faces of hydroelastic contact surfaces" default:"where field is contact_pressure"`
	// Cut shows section views; it removes material in pictures only.
	Cut *RenderCut `key:"cut" doc:"show bodies cut open" default:"bodies are whole"`
	// Rate is the frame rate of films. It may differ from the rate of Output: positions are
	// interpolated between recorded frames.
	Rate float64 `key:"rate" unit:"1/s" doc:"frames per second of films"`
	// Slow 10 shows a tenth of a second of the run in each second of the film.
	Slow float64 `key:"slow" doc:"seconds of a film for one second of the run"`
	// Picture is the time of the picture; outside of the recorded times the nearest frame is
	// shown.
	Picture *float64 `key:"picture_time" unit:"s" doc:"time that the run's picture shows" default:"the end"`
	// Background is the background colour; empty: a light gradient. A dark colour turns the
	// legend's text white.
	Background string `key:"background" doc:"colour \"#rrggbb\" behind all bodies" default:"a light gradient"`
}

// RenderCut removes the parts of bodies in front of a plane.
type RenderCut struct {
	// Point is any point of the plane, in world axes.
	Point [3]float64 `key:"point" unit:"m" doc:"point of the plane"`
	// Normal is in world axes, of any length but 0.
	Normal [3]float64 `key:"normal" doc:"normal of the plane, towards the side that is removed"`
	// Bodies are the bodies that are cut; others stay whole, so that they are visible inside of
	// cut bodies.
	Bodies []string `key:"bodies" ref:"body" doc:"bodies that are cut" default:"all"`
}

// Expectation is checked at the end of a run.
type Expectation struct {
	Pos
	// Signal is the name of a signal. Exactly one of Signal and Run is given.
	Signal string `key:"signal" ref:"signal" doc:"signal that is checked; one of signal and run"`
	// Run is the path of a number in run.json, which has statistics of the whole run.
	Run string `key:"run" doc:"number of run.json that is checked, such as unconverged_steps or contacts.mean"`
	// Stat is the statistic of the rows of signals.csv in the window, all with equal weight.
	// See record.Stats. Empty: last.
	Stat string `key:"stat" doc:"statistic of the signal: last, first, min, max, abs_max, mean, median, p95, rms, std, range, relative_std" default:"last"`
	// Over is the window of simulated time, s, both ends included; .inf stands for the end of
	// the run.
	Over *[2]float64 `key:"over,inf" unit:"s" doc:"time from and to which the statistic is taken" default:"the whole run"`
	// Min is the lower bound, inclusive; nil: no bound.
	Min *float64 `key:"min,inf" doc:"least value, in the signal's unit"`
	// Max is the upper bound, inclusive; nil: no bound.
	Max *float64 `key:"max,inf" doc:"largest value, in the signal's unit"`
	// Value with Within means Min = Value − Within and Max = Value + Within; it excludes both.
	Value *float64 `key:"value" doc:"expected value, with within"`
	// Within is the absolute tolerance of Value, in the unit of the signal, not negative.
	Within *float64 `key:"within" doc:"largest difference from value"`
}

// NewFile returns a scene file in which every key has its default value, to be given to
// Decode.
func NewFile() *File { return defaults() }

// defaults are the values of keys that a scene leaves out.
func defaults() *File {
	f := &File{Gravity: [3]float64{0, 0, -9.81}}
	f.Solver = Solver{FrictionLag: "auto", Tolerance: 1e-5, MaxIterations: 100, MaxTreeDofs: rigid.DefaultMaxTreeDofs}
	f.Solver.Contact.set(constraints.DefaultContactModel, Pos{})
	f.Solver.NormalLaw.set(constraints.DefaultNormalModel, Pos{})
	f.Time = Time{NumericalDamping: timestep.DefaultDamping}
	f.Output = Output{Rate: 50}
	f.Render = Render{Size: [2]int{1280, 960}, FOV: 30, Rate: 25, Slow: 1}
	return f
}
