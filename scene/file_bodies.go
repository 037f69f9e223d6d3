package scene

import (
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/rigid"
)

// Pose is a position and a rotation: roll-pitch-yaw, or a quaternion (w,x,y,z).
type Pose struct {
	Pos
	XYZ        [3]float64  `key:"xyz" unit:"m" doc:"position"`
	RPY        *[3]float64 `key:"rpy" unit:"rad" doc:"roll, pitch and yaw: rotations about the fixed axes x, y and z, in this order"`
	RPYDeg     *[3]float64 `key:"rpy_deg" unit:"°" doc:"roll, pitch and yaw"`
	Quaternion *[4]float64 `key:"quaternion" doc:"unit quaternion (w, x, y, z)"`
}

// Shape of a body: exactly one kind.
type Shape struct {
	Pos
	Pose           Pose    `key:"pose" doc:"pose of the shape in the body's frame"`
	Material       string  `key:"material" ref:"material" doc:"material" default:"default"`
	Color          string  `key:"color" doc:"colour \"#rrggbb\"" default:"that of the body"`
	Visual         bool    `key:"visual_only" doc:"only drawn: it does not touch anything"`
	ResolutionHint float64 `key:"resolution_hint" formerly:"resolution" unit:"m" doc:"longest edge of the shape's pressure field, or of the rigid surface that fields press on" default:"a sixteenth of the size"`

	Kind Item[geometry.ShapeSpec] `kind:""`
}

// Body is a rigid body.
type Body struct {
	Pos
	Fixed           bool        `key:"fixed" doc:"the body never moves"`
	Mass            float64     `key:"mass" unit:"kg" doc:"mass" default:"from the shapes and the density of their materials"`
	Com             *[3]float64 `key:"com" unit:"m" doc:"centre of mass in the body's frame" default:"of the shapes"`
	Inertia         *Inertia    `key:"inertia" unit:"kg m²" doc:"inertia about the centre of mass, in body axes" default:"of the shapes"`
	Pose            Pose        `key:"pose" doc:"pose in the world, with a joint that at joint position 0"`
	Velocity        [3]float64  `key:"velocity" unit:"m/s" doc:"initial velocity of a free body"`
	AngularVelocity [3]float64  `key:"angular_velocity" unit:"rad/s" doc:"initial angular velocity of a free body"`
	Shapes          []Shape     `key:"shapes" doc:"shapes of the body"`
	Joint           *Joint      `key:"joint" doc:"joint that connects the body to its parent" default:"free"`
	NoContact       []string    `key:"no_contact" ref:"body" doc:"bodies that it never touches, besides those to which a joint connects it and those welded to the same link"`
	Color           string      `key:"color" doc:"colour \"#rrggbb\"" default:"that of the material"`
}

// Inertia about the centre of mass, kg m², in body axes.
type Inertia struct {
	XX float64 `key:"ixx" unit:"kg m²" doc:"moment of inertia about x"`
	YY float64 `key:"iyy" unit:"kg m²" doc:"moment of inertia about y"`
	ZZ float64 `key:"izz" unit:"kg m²" doc:"moment of inertia about z"`
	XY float64 `key:"ixy" unit:"kg m²" doc:"product of inertia, −∫ x y dm"`
	XZ float64 `key:"ixz" unit:"kg m²" doc:"product of inertia, −∫ x z dm"`
	YZ float64 `key:"iyz" unit:"kg m²" doc:"product of inertia, −∫ y z dm"`
}

// Joint connects a body to its parent. The body's pose is its pose at zero
// joint position; the axis passes through point and is given in that pose's
// frame.
type Joint struct {
	Pos
	Parent       string     `key:"parent" ref:"body" doc:"body that carries this one" default:"world"`
	Point        [3]float64 `key:"point" unit:"m" doc:"origin of the joint's frame in the body's frame, whose axes it shares at zero position"`
	Position     Numbers    `key:"position" unit:"m or rad" doc:"initial position; a list for joints of several" default:"0"`
	Velocity     Numbers    `key:"velocity" formerly:"speed" unit:"m/s or rad/s" doc:"initial velocity; a list for joints of several" default:"0"`
	Lower        *float64   `key:"lower,inf" unit:"m or rad" doc:"lower limit" default:"none"`
	Upper        *float64   `key:"upper,inf" unit:"m or rad" doc:"upper limit" default:"none"`
	Damping      float64    `key:"damping" unit:"N s/m or N m s" doc:"viscous damping"`
	Friction     float64    `key:"friction" unit:"N or N m" doc:"dry friction"`
	Stiffness    float64    `key:"stiffness" unit:"N/m or N m/rad" doc:"stiffness of a spring"`
	Rest         float64    `key:"rest" unit:"m or rad" doc:"position at which the spring is relaxed"`
	RotorInertia float64    `key:"rotor_inertia" unit:"kg or kg m²" doc:"reflected inertia of the motor's rotor"`

	Kind Item[rigid.JointSpec] `kind:"type"`
}

// Robot is an articulated model from a robot file.
type Robot struct {
	Pos
	File        string         `key:"file" doc:"robot file"`
	Pose        Pose           `key:"pose" doc:"pose of the file's own frame: the root link of a URDF, the world of SDFormat and MJCF files"`
	Floating    *bool          `key:"floating" doc:"whether the base is free" default:"as the file says, else fixed"`
	Joints      Named[float64] `key:"joints" unit:"m or rad" doc:"initial positions of joints"`
	Material    string         `key:"material" ref:"material" doc:"material of collision shapes that name none" default:"default"`
	Packages    Named[string]  `key:"packages" doc:"folder of each package:// name"`
	SelfContact *bool          `key:"self_contact" formerly:"self_collision" doc:"whether links of the robot touch each other" default:"false"`
	Visuals     *bool          `key:"visuals" doc:"whether pictures show the visual meshes" default:"true"`
}

// Deformable is a deformable body.
type Deformable struct {
	Pos
	Mesh        string     `key:"mesh" ref:"mesh" doc:"volume mesh, or closed surface, which becomes tetrahedra"`
	Material    string     `key:"material" ref:"material" doc:"material" default:"default"`
	Frame       string     `key:"frame" ref:"body" doc:"body from which pose is measured at the start" default:"world"`
	Pose        Pose       `key:"pose" doc:"pose of the mesh's frame"`
	Velocity    [3]float64 `key:"velocity" unit:"m/s" doc:"initial velocity"`
	Attach      []Attach   `key:"attach" doc:"regions that are fixed to bodies"`
	Color       string     `key:"color" doc:"colour \"#rrggbb\"" default:"that of the material"`
	NoContact   []string   `key:"no_contact" ref:"body" doc:"bodies that it never touches, besides those to which it is attached"`
	SelfContact bool       `key:"self_contact" doc:"parts of the body touch each other, as ribs, jaws and folds do; give the material a pressure_gradient of at least Young's modulus over the length of an element"`
}

// Attach fixes vertices to a body, or to the world.
type Attach struct {
	Pos
	Body  string `key:"body" ref:"body" doc:"rigid body; world: the vertices never move"`
	Where Region `key:"where" doc:"region of the vertices"`
}

// Region selects vertices by a box in the mesh's own frame: all bounds given
// must hold.
type Region struct {
	XMin *float64 `key:"x_min,inf" unit:"m" doc:"least x in the mesh's own frame"`
	XMax *float64 `key:"x_max,inf" unit:"m" doc:"largest x"`
	YMin *float64 `key:"y_min,inf" unit:"m" doc:"least y"`
	YMax *float64 `key:"y_max,inf" unit:"m" doc:"largest y"`
	ZMin *float64 `key:"z_min,inf" unit:"m" doc:"least z"`
	ZMax *float64 `key:"z_max,inf" unit:"m" doc:"largest z"`
}
