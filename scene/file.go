// Package scene reads scene files and robot files and builds sim.Models from
// them. A scene is YAML, strict, in SI units with angles in radians unless a key
// ends in _deg.
//
// The structures of this package mirror the file. Their key, unit and doc tags are
// the one description of every key: the decoder, the JSON Schema and the reference
// manual follow from them (see package kinds).
package scene

import "github.com/curlfree/curlfree/constraints"

// File is a scene file as written.
type File struct {
	Title       string             `key:"title" doc:"what pictures and reports are called"`
	Time        Time               `key:"time" doc:"step and duration of the run"`
	Gravity     [3]float64         `key:"gravity" unit:"m/s²" doc:"acceleration of gravity in world axes"`
	Solver      Solver             `key:"solver" doc:"contact law, tolerances, threads"`
	Materials   Named[Material]    `key:"materials" doc:"materials by name; default serves what names no other, and gives others what they leave out"`
	Pairs       []Pair             `key:"pairs" doc:"effective contact parameters of pairs of materials, in place of the combination rules"`
	Meshes      Named[Mesh]        `key:"meshes" doc:"surface and volume meshes by name"`
	Bodies      Named[Body]        `key:"bodies" doc:"rigid bodies by name"`
	Tables      Named[Table]       `key:"tables" doc:"CSV files with a rigid body in each row"`
	Robots      Named[Robot]       `key:"robots" doc:"articulated models from robot files; their links are bodies called NAME.LINK, their joints NAME.JOINT"`
	Deformables Named[Deformable]  `key:"deformables" doc:"deformable bodies by name"`
	Constraints Named[Constraint]  `key:"constraints" doc:"constraints between bodies or joints by name"`
	Drives      Named[Drive]       `key:"drives" doc:"controllers of joints and prescribed motions of bodies by name"`
	Signals     Named[Signal]      `key:"signals" doc:"numbers to record at every step, columns of signals.csv"`
	Output      Output             `key:"output" doc:"rates of recordings and tables"`
	Render      Render             `key:"render" doc:"how pictures and films are taken"`
	Expect      Named[Expectation] `key:"expect" doc:"checks at the end of every run; exit code 1 when one fails"`

	// Dir is the folder that relative file names start from.
	Dir string

	outdated []string // warnings about earlier names that overrides use
	written  float64  // duration in the file, before overrides, s
}

// Time of a run.
type Time struct {
	Pos
	Step     float64 `key:"step" unit:"s" doc:"time step h" default:"–"`
	Duration float64 `key:"duration" unit:"s" doc:"simulated time" default:"–"`
}

// Solver settings.
type Solver struct {
	Pos
	FrictionLag        string   `key:"friction_lag" choice:"geometry,previous,sweep" doc:"normal impulse that bounds lagged friction: of the geometry at the start of the step, of the previous step for contacts that carried force then (not of contact surfaces, whose faces change every step), or sweep: solve again until it is that of this step"`
	Tolerance          float64  `key:"tolerance" doc:"relative tolerance of Newton's method"`
	MaxIterations      int      `key:"max_iterations" doc:"largest number of Newton iterations in a step"`
	AllowUnconverged   bool     `key:"allow_unconverged" doc:"continue after a step that did not converge, instead of exit code 4"`
	Threads            int      `key:"threads" doc:"worker threads, 0: all cores; results do not depend on it"`
	SpeculativeMargin  float64  `key:"speculative_margin" unit:"m" doc:"contacts up to this gap are always considered" default:"h² g"`
	ConditionNumber    bool     `key:"condition_number" doc:"add the condition number of D H D, D = diag(A)^−½, at the end of each step's solve to steps.csv"`
	HydroelasticMargin *float64 `key:"hydroelastic_margin" unit:"m" doc:"how far pressure fields extend beyond their shapes, to act ahead of contact" default:"max(1e-4, 2 h² g), at most 5 % of a shape's least extent"`

	Contact   Item[constraints.ContactSpec] `kind:"contact"`
	NormalLaw Item[constraints.NormalSpec]  `kind:"normal_law"`
}

// Output of a run.
type Output struct {
	Pos
	Rate       float64 `key:"rate" unit:"1/s" doc:"recorded frames per second"`
	TableRate  float64 `key:"table_rate" unit:"1/s" doc:"rows of signals.csv and steps.csv per second; expectations and statistics read only those" default:"every step"`
	Checkpoint float64 `key:"checkpoint" unit:"s" doc:"simulated time between checkpoints" default:"every 30 s of wall time"`
}

// Render is how pictures are taken.
type Render struct {
	Size            [2]int      `key:"size" doc:"width and height of pictures, pixels"`
	Camera          *[3]float64 `key:"camera" unit:"m" doc:"position of the camera" default:"chosen to show all bodies"`
	Target          *[3]float64 `key:"target" unit:"m" doc:"point at the centre of the picture" default:"centre of the bodies"`
	Up              *[3]float64 `key:"up" doc:"direction that points up in pictures" default:"[0, 0, 1]"`
	FOV             float64     `key:"fov_deg" unit:"°" doc:"vertical field of view"`
	Field           string      `key:"field" doc:"what colours show: von_mises, displacement, deformation, contact_pressure or none"`
	FieldMax        float64     `key:"field_max" doc:"value at the upper end of the colour scale, in the field's unit" default:"largest value"`
	Forces          *bool       `key:"forces" doc:"draw arrows of contact forces" default:"chosen"`
	ContactSurfaces *bool       `key:"contact_surfaces" formerly:"patches" doc:"draw the faces of hydroelastic contact surfaces" default:"where field is contact_pressure"`
	Cut             *RenderCut  `key:"cut" doc:"show bodies cut open" default:"bodies are whole"`
	Rate            float64     `key:"rate" unit:"1/s" doc:"frames per second of films"`
	Slow            float64     `key:"slow" doc:"seconds of a film for one second of the run"`
	Picture         *float64    `key:"picture_time" unit:"s" doc:"time that the run's picture shows" default:"the end"`
	Background      string      `key:"background" doc:"colour \"#rrggbb\" behind all bodies" default:"white"`
}

// RenderCut removes the parts of bodies in front of a plane.
type RenderCut struct {
	Point  [3]float64 `key:"point" unit:"m" doc:"point of the plane"`
	Normal [3]float64 `key:"normal" doc:"normal of the plane, towards the side that is removed"`
	Bodies []string   `key:"bodies" ref:"body" doc:"bodies that are cut" default:"all"`
}

// Expectation is checked at the end of a run.
type Expectation struct {
	Pos
	Signal string      `key:"signal" ref:"signal" doc:"signal that is checked; one of signal and run"`
	Run    string      `key:"run" doc:"number of run.json that is checked, such as unconverged_steps or contacts.mean"`
	Stat   string      `key:"stat" doc:"statistic of the signal: last, first, min, max, abs_max, mean, median, p95, rms, std, range, relative_std" default:"last"`
	Over   *[2]float64 `key:"over,inf" unit:"s" doc:"time from and to which the statistic is taken" default:"the whole run"`
	Min    *float64    `key:"min,inf" doc:"least value, in the signal's unit"`
	Max    *float64    `key:"max,inf" doc:"largest value, in the signal's unit"`
	Value  *float64    `key:"value" doc:"expected value, with within"`
	Within *float64    `key:"within" doc:"largest difference from value"`
}

// NewFile returns a scene file in which every key has its default value, to be given to
// Decode.
func NewFile() *File { return defaults() }

// defaults are the values of keys that a scene leaves out.
func defaults() *File {
	f := &File{Gravity: [3]float64{0, 0, -9.81}}
	f.Solver = Solver{FrictionLag: "geometry", Tolerance: 1e-5, MaxIterations: 100}
	f.Solver.Contact.set(constraints.DefaultContactModel, Pos{})
	f.Solver.NormalLaw.set(constraints.DefaultNormalModel, Pos{})
	f.Output = Output{Rate: 50}
	f.Render = Render{Size: [2]int{1280, 960}, FOV: 30, Rate: 25, Slow: 1}
	return f
}
