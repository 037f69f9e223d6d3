// Package scene reads scene files and robot files and builds sim.Models from
// them. A scene is YAML, strict, in SI units with angles in radians unless a key
// ends in _deg; docs/scene.md lists every key.
package scene

import "github.com/curlfree/curlfree/constraints"

// File is a scene file as written.
type File struct {
	Title       string             `yaml:"title"`
	Time        Time               `yaml:"time"`
	Gravity     [3]float64         `yaml:"gravity"` // m/s²
	Solver      Solver             `yaml:"solver"`
	Materials   Named[Material]    `yaml:"materials"`
	Pairs       []Pair             `yaml:"pairs"`
	Meshes      Named[Mesh]        `yaml:"meshes"`
	Bodies      Named[Body]        `yaml:"bodies"`
	Tables      Named[Table]       `yaml:"tables"`
	Robots      Named[Robot]       `yaml:"robots"`
	Deformables Named[Deformable]  `yaml:"deformables"`
	Constraints Named[Constraint]  `yaml:"constraints"`
	Drives      Named[Drive]       `yaml:"drives"`
	Signals     Named[Signal]      `yaml:"signals"`
	Output      Output             `yaml:"output"`
	Render      Render             `yaml:"render"`
	Expect      Named[Expectation] `yaml:"expect"`

	Dir string // folder that relative file names start from
}

// Time of a run.
type Time struct {
	Pos
	Step     float64 `yaml:"step"`     // s
	Duration float64 `yaml:"duration"` // s
}

// Solver settings.
type Solver struct {
	Pos
	Contact            string   `yaml:"contact"`             // contact law
	FrictionLag        string   `yaml:"friction_lag"`        // geometry, previous, sweep: where lagged friction takes its bound from
	NormalLaw          string   `yaml:"normal_law"`          // of the normal force
	HertzOverlap       float64  `yaml:"hertz_overlap"`       // m, where Hertz's force is the stiffness times the overlap
	BarrierRange       float64  `yaml:"barrier_range"`       // m, gap at which barriers begin to act
	BarrierStiffness   float64  `yaml:"barrier_stiffness"`   // N/m, 0: the pair's
	StictionTolerance  float64  `yaml:"stiction_tolerance"`  // v_s, m/s
	Sigma              float64  `yaml:"sigma"`               // friction regularisation of SAP and the regularised laws
	Beta               float64  `yaml:"beta"`                // near-rigid parameter of SAP
	Tolerance          float64  `yaml:"tolerance"`           // relative
	MaxIterations      int      `yaml:"max_iterations"`      //
	AllowUnconverged   bool     `yaml:"allow_unconverged"`   // go on after a step that did not converge
	Threads            int      `yaml:"threads"`             // 0: all cores
	SpeculativeMargin  float64  `yaml:"speculative_margin"`  // contacts this far ahead are always considered, m
	ConditionNumber    bool     `yaml:"condition_number"`    // record it per step
	HydroelasticMargin *float64 `yaml:"hydroelastic_margin"` // m, how far pressure fields reach beyond their shapes
}

// Material of a surface, and of a body's inside where it has one.
type Material struct {
	Pos
	Stiffness           *float64    `yaml:"stiffness,inf"`        // N/m, point contact
	Dissipation         *float64    `yaml:"dissipation"`          // s/m
	RelaxationTime      *float64    `yaml:"relaxation_time"`      // s
	Friction            *Friction   `yaml:"friction"`             //
	Grain               *[3]float64 `yaml:"grain"`                // body axes: friction holds along it
	FrictionAcross      *float64    `yaml:"friction_across"`      // dynamic, across the grain
	SurfaceVelocity     *[3]float64 `yaml:"surface_velocity"`     // m/s, body axes: a belt
	HydroelasticModulus *float64    `yaml:"hydroelastic_modulus"` // Pa
	ContactLayer        *float64    `yaml:"contact_layer,inf"`    // Pa/m, pressure gradient of a deformable's surface
	Density             *float64    `yaml:"density"`              // kg/m³
	YoungsModulus       *float64    `yaml:"youngs_modulus"`       // Pa
	PoissonsRatio       *float64    `yaml:"poissons_ratio"`       //
	MassDamping         *float64    `yaml:"mass_damping"`         // 1/s, Rayleigh α
	StiffnessDamping    *float64    `yaml:"stiffness_damping"`    // s, Rayleigh ζ
	Law                 string      `yaml:"law"`                  // corotational, linear, neo_hookean
	Color               string      `yaml:"color"`                // #rrggbb
}

// Friction is one coefficient, or {static, dynamic}.
type Friction struct {
	Static  float64 `yaml:"static"`
	Dynamic float64 `yaml:"dynamic"`
}

func (f *Friction) setScalar(x float64) { f.Static, f.Dynamic = x, x }

// Pair gives the effective contact parameters of two materials, which replace
// the combination rules.
type Pair struct {
	Pos
	Materials      []string  `yaml:"materials"` // two names
	Stiffness      *float64  `yaml:"stiffness"`
	ContactLayer   *float64  `yaml:"contact_layer"`
	Dissipation    *float64  `yaml:"dissipation"`
	RelaxationTime *float64  `yaml:"relaxation_time"`
	Friction       *Friction `yaml:"friction"`
}

// Mesh is a surface or volume mesh from a file or a generator.
type Mesh struct {
	Pos
	File     string     `yaml:"file"`
	Unit     string     `yaml:"unit"`
	Scale    [3]float64 `yaml:"scale"`
	Method   string     `yaml:"method"`   // auto, stuffing, extrude: surface to tetrahedra
	Size     float64    `yaml:"size"`     // target edge length, m
	Vertices int        `yaml:"vertices"` // or target number of vertices
	Layers   int        `yaml:"layers"`   // of an extruded part
	Box      *BoxMesh   `yaml:"box"`      // a generated bar

	Part Named[Named[Numbers]] `yaml:"part"` // a generated machine part: its kind, with its parameters
}

// BoxMesh is a box of regular tetrahedra, centred.
type BoxMesh struct {
	Size  [3]float64 `yaml:"size"`
	Cells [3]int     `yaml:"cells"`
}

// Pose is a position and a rotation: roll-pitch-yaw, or a quaternion (w,x,y,z).
type Pose struct {
	Pos
	XYZ        [3]float64  `yaml:"xyz"`
	RPY        *[3]float64 `yaml:"rpy"`
	RPYDeg     *[3]float64 `yaml:"rpy_deg"`
	Quaternion *[4]float64 `yaml:"quaternion"`
}

// Shape of a body: exactly one kind.
type Shape struct {
	Pos
	Sphere     *SphereShape `yaml:"sphere"`
	Box        *BoxShape    `yaml:"box"`
	Cylinder   *RoundShape  `yaml:"cylinder"`
	Capsule    *RoundShape  `yaml:"capsule"`
	Ellipsoid  *Ellipsoid   `yaml:"ellipsoid"`
	HalfSpace  *HalfSpace   `yaml:"half_space"`
	Mesh       *MeshShape   `yaml:"mesh"`
	Convex     *MeshShape   `yaml:"convex"`
	Pose       Pose         `yaml:"pose"`
	Material   string       `yaml:"material"`
	Color      string       `yaml:"color"`
	Visual     bool         `yaml:"visual_only"` // no contact
	Resolution float64      `yaml:"resolution"`  // m, longest edge of its pressure field
}

// SphereShape is a sphere about the shape's origin.
type SphereShape struct {
	Radius float64 `yaml:"radius"`
}

// BoxShape is a box of full edge lengths.
type BoxShape struct {
	Size [3]float64 `yaml:"size"`
}

// RoundShape is a cylinder, or a capsule whose length is that of its straight
// part, along z.
type RoundShape struct {
	Radius float64 `yaml:"radius"`
	Length float64 `yaml:"length"`
}

// Ellipsoid is an ellipsoid about the shape's origin, along its axes.
type Ellipsoid struct {
	Semi [3]float64 `yaml:"semi_axes"`
}

// HalfSpace is the solid below z = 0 of the shape's frame.
type HalfSpace struct {
	Size      float64 `yaml:"size"`      // edge of the square that pictures show, m
	Thickness float64 `yaml:"thickness"` // of its pressure field, m
}

// MeshShape is a closed triangle mesh; for convex, its hull.
type MeshShape struct {
	Mesh string `yaml:"mesh"`
}

// Body is a rigid body.
type Body struct {
	Pos
	Fixed           bool        `yaml:"fixed"`
	Mass            float64     `yaml:"mass"` // kg; or density of its material
	Com             *[3]float64 `yaml:"com"`
	Inertia         *Inertia    `yaml:"inertia"` // about com; default: of the shapes
	Pose            Pose        `yaml:"pose"`
	Velocity        [3]float64  `yaml:"velocity"`
	AngularVelocity [3]float64  `yaml:"angular_velocity"`
	Shapes          []Shape     `yaml:"shapes"`
	Joint           *Joint      `yaml:"joint"` // default: free
	NoContact       []string    `yaml:"no_contact"`
	Color           string      `yaml:"color"`
}

// Inertia about the centre of mass, kg m², in body axes.
type Inertia struct {
	XX float64 `yaml:"ixx"`
	YY float64 `yaml:"iyy"`
	ZZ float64 `yaml:"izz"`
	XY float64 `yaml:"ixy"`
	XZ float64 `yaml:"ixz"`
	YZ float64 `yaml:"iyz"`
}

// Joint connects a body to its parent. The body's pose is its pose at zero
// joint position; the axis passes through point and is given in that pose's
// frame.
type Joint struct {
	Pos
	Type         string     `yaml:"type"`   // revolute, prismatic, screw, weld, free
	Parent       string     `yaml:"parent"` // body, or world
	Axis         [3]float64 `yaml:"axis"`
	Point        [3]float64 `yaml:"point"`
	Pitch        float64    `yaml:"pitch"` // m per revolution
	Position     float64    `yaml:"position"`
	Speed        float64    `yaml:"speed"`
	Lower        *float64   `yaml:"lower,inf"`
	Upper        *float64   `yaml:"upper,inf"`
	Damping      float64    `yaml:"damping"`
	Friction     float64    `yaml:"friction"`
	Stiffness    float64    `yaml:"stiffness"`
	Rest         float64    `yaml:"rest"`
	RotorInertia float64    `yaml:"rotor_inertia"`
}

// Robot is an articulated model from a robot file.
type Robot struct {
	Pos
	File     string         `yaml:"file"`
	Pose     Pose           `yaml:"pose"`
	Floating *bool          `yaml:"floating"` // base free or fixed; default as the file says, else fixed
	Joints   Named[float64] `yaml:"joints"`   // initial positions
	Material string         `yaml:"material"` // of collision shapes that name none
	Packages Named[string]  `yaml:"packages"` // folder of each package:// name
	Collide  *bool          `yaml:"self_collision"`
	Visuals  *bool          `yaml:"visuals"`
}

// Deformable is a body of tetrahedra.
type Deformable struct {
	Pos
	Mesh      string     `yaml:"mesh"`
	Material  string     `yaml:"material"`
	Frame     string     `yaml:"frame"` // body or robot.link that pose is measured from, at the start; default world
	Pose      Pose       `yaml:"pose"`
	Velocity  [3]float64 `yaml:"velocity"`
	Attach    []Attach   `yaml:"attach"`
	Color     string     `yaml:"color"`
	NoContact []string   `yaml:"no_contact"`
	Self      bool       `yaml:"self_contact"` // its parts touch each other
}

// Attach fixes vertices to a body, or to the world.
type Attach struct {
	Pos
	Body  string `yaml:"body"` // body or robot.link; world: the vertices never move
	Where Region `yaml:"where"`
}

// Region selects vertices by a box in the mesh's own frame: all bounds given
// must hold.
type Region struct {
	XMin *float64 `yaml:"x_min,inf"`
	XMax *float64 `yaml:"x_max,inf"`
	YMin *float64 `yaml:"y_min,inf"`
	YMax *float64 `yaml:"y_max,inf"`
	ZMin *float64 `yaml:"z_min,inf"`
	ZMax *float64 `yaml:"z_max,inf"`
}

// Constraint between bodies or joints: exactly one kind.
type Constraint struct {
	Pos
	Weld     *TwoPoses  `yaml:"weld"`
	Ball     *TwoPoints `yaml:"ball"`
	Distance *Distance  `yaml:"distance"`
	Coupler  *Coupler   `yaml:"coupler"`
}

// TwoPoses are frames on two bodies.
type TwoPoses struct {
	A  string `yaml:"a"`
	B  string `yaml:"b"`
	PA *Pose  `yaml:"pose_a"` // default: where b's frame is on a at the start
	PB Pose   `yaml:"pose_b"`
}

// TwoPoints are points on two bodies, in their frames.
type TwoPoints struct {
	A  string      `yaml:"a"`
	B  string      `yaml:"b"`
	PA *[3]float64 `yaml:"point_a"` // default: where b's point is on a at the start
	PB [3]float64  `yaml:"point_b"`
}

// Distance keeps two points apart; point_a is the origin of a unless given.
type Distance struct {
	TwoPoints
	Length    *float64 `yaml:"length"`        // m, default: at the start
	Stiffness *float64 `yaml:"stiffness,inf"` // N/m, default: near-rigid
	Damping   float64  `yaml:"damping"`       // N s/m
	Rope      bool     `yaml:"rope"`          // only pulls
}

// Coupler ties joint a to ratio times joint b plus offset.
type Coupler struct {
	A      string  `yaml:"a"`
	B      string  `yaml:"b"`
	Ratio  float64 `yaml:"ratio"`
	Offset float64 `yaml:"offset"`
}

// Drive moves a joint by a controller, or a body by a prescribed motion:
// exactly one of joint and body.
type Drive struct {
	Pos
	Joint       string     `yaml:"joint"` // robot.joint or body
	Kp          float64    `yaml:"kp"`
	Kd          float64    `yaml:"kd"`
	Effort      *Motion    `yaml:"effort,inf"` // limit, N or N m
	FeedForward *Motion    `yaml:"feed_forward"`
	Target      *Motion    `yaml:"target"`
	Velocity    *Motion    `yaml:"velocity"` // target velocity instead of a position
	Body        string     `yaml:"body"`
	X           *Motion    `yaml:"x"`
	Y           *Motion    `yaml:"y"`
	Z           *Motion    `yaml:"z"`
	Axis        [3]float64 `yaml:"axis"`
	Angle       *Motion    `yaml:"angle"`
}

// Motion is a function of time: a constant, a table or a sine.
type Motion struct {
	Pos
	Value  float64   `yaml:"value"`
	Times  []float64 `yaml:"times"`
	Values []float64 `yaml:"values"`
	Smooth *bool     `yaml:"smooth"` // minimum-jerk between knots (default) or linear
	Sine   *Sine     `yaml:"sine"`
}

func (m *Motion) setScalar(x float64) { *m = Motion{Pos: m.Pos, Value: x} }

// Sine is offset + amplitude sin(2π frequency t + phase).
type Sine struct {
	Amplitude float64 `yaml:"amplitude"`
	Frequency float64 `yaml:"frequency"`
	Phase     float64 `yaml:"phase"`
	Offset    float64 `yaml:"offset"`
	Start     float64 `yaml:"start"` // s, rest before
	Ramp      float64 `yaml:"ramp"`  // s over which the amplitude comes in
}

// Signal is a named number to record at every step: exactly one quantity.
type Signal struct {
	Pos
	Body            string      `yaml:"body"`        // body, robot.link or deformable
	Point           *[3]float64 `yaml:"point"`       // in the body's frame; on a deformable: the nearest vertex of the rest mesh
	RelativeTo      string      `yaml:"relative_to"` // body whose frame measures position and velocity
	Since           *float64    `yaml:"since"`       // subtract the value at this time; 0 before
	Scale           *float64    `yaml:"scale"`       // multiply by this, for other units
	Position        string      `yaml:"position"`    // x, y, z or norm
	Velocity        string      `yaml:"velocity"`
	Rotation        string      `yaml:"rotation"` // component of the rotation vector, or angle
	AngularVelocity string      `yaml:"angular_velocity"`

	Force   string   `yaml:"contact_force"`  // x, y, z, norm, normal or friction: force on body
	Moment  string   `yaml:"contact_moment"` // x, y, z, norm in the body's axes, about point: moment on body
	From    []string `yaml:"from"`           // bodies that exert it, default: all; or that nearest looks at
	Patch   string   `yaml:"patch"`          // area, max_pressure, mean_pressure, slip, max_slip, count, center_x, center_y, center_z: of body's contact surfaces with from
	Nearest string   `yaml:"nearest"`        // gap, x, y, z, slip, slip_x, slip_y, slip_z, normal_velocity: where body is nearest to from

	Joint       string `yaml:"joint"` // robot.joint or body
	Of          string `yaml:"of"`    // position, velocity
	Drive       string `yaml:"drive_effort"`
	Energy      string `yaml:"energy"`      // kinetic, potential, elastic, total
	Momentum    string `yaml:"momentum"`    // x, y, z, norm
	Stress      string `yaml:"von_mises"`   // deformable: the largest value, Pa
	Count       string `yaml:"count"`       // contacts, iterations
	Penetration string `yaml:"penetration"` // max
	Speed       string `yaml:"speed"`       // max: the fastest body origin or vertex
}

// Output of a run.
type Output struct {
	Pos
	Rate       float64 `yaml:"rate"`       // recorded frames per second, default 50
	TableRate  float64 `yaml:"table_rate"` // rows of the tables per second, default every step
	Checkpoint float64 `yaml:"checkpoint"` // seconds of simulated time between checkpoints
}

// Render is how pictures are taken.
type Render struct {
	Size       [2]int      `yaml:"size"` // pixels
	Camera     *[3]float64 `yaml:"camera"`
	Target     *[3]float64 `yaml:"target"`
	Up         *[3]float64 `yaml:"up"`
	FOV        float64     `yaml:"fov_deg"`
	Field      string      `yaml:"field"` // von_mises, displacement, none
	FieldMax   float64     `yaml:"field_max"`
	Forces     *bool       `yaml:"forces"`
	Patches    *bool       `yaml:"patches"`      // faces of pressure fields, default: where contact_pressure is shown
	Cut        *RenderCut  `yaml:"cut"`          // default: bodies are whole
	Rate       float64     `yaml:"rate"`         // frames per second
	Slow       float64     `yaml:"slow"`         // seconds of a film for one of the run
	Picture    *float64    `yaml:"picture_time"` // time of the run's picture, default the end
	Background string      `yaml:"background"`
}

// RenderCut takes away what lies in front of a plane.
type RenderCut struct {
	Point  [3]float64 `yaml:"point"`
	Normal [3]float64 `yaml:"normal"` // towards what is taken away
	Bodies []string   `yaml:"bodies"` // default: all
}

// Expectation is checked at the end of a run.
type Expectation struct {
	Pos
	Signal string      `yaml:"signal"` // signal, or a number of run.json
	Run    string      `yaml:"run"`
	Stat   string      `yaml:"stat"`     // last (default), first, min, max, mean, std, range, relative_std
	Over   *[2]float64 `yaml:"over,inf"` // s
	Min    *float64    `yaml:"min,inf"`
	Max    *float64    `yaml:"max,inf"`
	Value  *float64    `yaml:"value"`
	Within *float64    `yaml:"within"` // of value
}

// defaults are what a scene that says nothing gets.
func defaults() *File {
	f := &File{Gravity: [3]float64{0, 0, -9.81}}
	f.Solver = Solver{
		Contact: constraints.DefaultContactModel, FrictionLag: "geometry", NormalLaw: constraints.DefaultNormalModel,
		StictionTolerance: constraints.DefaultStictionTolerance, Sigma: constraints.DefaultSigma, Beta: constraints.DefaultBeta,
		HertzOverlap: constraints.DefaultHertzOverlap, BarrierRange: constraints.DefaultBarrierRange,
		Tolerance: 1e-5, MaxIterations: 100,
	}
	f.Output = Output{Rate: 50}
	f.Render = Render{Size: [2]int{960, 720}, FOV: 30, Rate: 25, Slow: 1}
	return f
}
