package scene

import "github.com/curlfree/curlfree/fem"

// Material of a body: its surface, and its interior where it deforms. Nil: not given,
// so that the default material's value holds.
type Material struct {
	Pos
	Stiffness           *float64    `key:"stiffness,inf" unit:"N/m" doc:"stiffness of a point contact" default:"1e6"`
	Dissipation         *float64    `key:"dissipation" unit:"s/m" doc:"Hunt–Crossley dissipation d: the rebound speed is at most 1/d" default:"50"`
	RelaxationTime      *float64    `key:"relaxation_time" unit:"s" doc:"Kelvin–Voigt relaxation time τ, read by the contact law sap" default:"0.1"`
	Friction            *Friction   `key:"friction" doc:"coefficient of friction, or static and dynamic ones: it falls from one to the other at a slip of about ten stiction tolerances" default:"0.5"`
	FrictionDirection   *[3]float64 `key:"friction_direction" formerly:"grain" doc:"orthotropic friction: direction in the body's axes along which friction holds"`
	FrictionTransverse  *float64    `key:"friction_transverse" formerly:"friction_across" doc:"orthotropic friction: dynamic coefficient across friction_direction"`
	SurfaceVelocity     *[3]float64 `key:"surface_velocity" unit:"m/s" doc:"velocity of the surface relative to its body, in the body's axes, as of a conveyor belt" default:"[0, 0, 0]"`
	HydroelasticModulus *float64    `key:"hydroelastic_modulus" unit:"Pa" doc:"pressure at the innermost points of rigid bodies of this material, which then touch by pressure fields and press on deformables with them, in series with their pressure_gradient; without one in the scene rigid bodies touch at points" default:"none: rigid"`
	PressureGradient    *float64    `key:"pressure_gradient,inf" formerly:"contact_layer" unit:"Pa/m" doc:"contact pressure on a deformable's surface per depth" default:"1e8"`
	Density             *float64    `key:"density" unit:"kg/m³" doc:"mass per volume" default:"1000"`
	YoungsModulus       *float64    `key:"youngs_modulus" unit:"Pa" doc:"Young's modulus of deformables" default:"1e6"`
	PoissonsRatio       *float64    `key:"poissons_ratio" doc:"Poisson's ratio of deformables, between -1 and 0.5" default:"0.4"`
	MassDamping         *float64    `key:"mass_damping" unit:"1/s" doc:"Rayleigh damping α, proportional to mass" default:"0"`
	StiffnessDamping    *float64    `key:"stiffness_damping" unit:"s" doc:"Rayleigh damping ζ, proportional to stiffness" default:"0"`
	Color               string      `key:"color" doc:"colour \"#rrggbb\"" default:"chosen"`

	Law Item[fem.ConstitutiveSpec] `kind:"constitutive_law,optional" formerly:"law"` // nil: corotational
}

// Friction is one coefficient, or {static, dynamic}.
type Friction struct {
	Static  float64 `key:"static" doc:"coefficient of static friction"`
	Dynamic float64 `key:"dynamic" doc:"coefficient of dynamic friction"`
}

// setScalar implements scalar: one coefficient is both.
func (f *Friction) setScalar(x float64) { f.Static, f.Dynamic = x, x }

// Pair gives the effective contact parameters of two materials, which replace
// the combination rules.
type Pair struct {
	Pos
	Materials        []string  `key:"materials" ref:"material" doc:"the two materials"`
	Stiffness        *float64  `key:"stiffness" unit:"N/m" doc:"effective stiffness of a point contact"`
	PressureGradient *float64  `key:"pressure_gradient" formerly:"contact_layer" unit:"Pa/m" doc:"effective contact pressure per depth"`
	Dissipation      *float64  `key:"dissipation" unit:"s/m" doc:"effective Hunt–Crossley dissipation"`
	RelaxationTime   *float64  `key:"relaxation_time" unit:"s" doc:"effective relaxation time"`
	Friction         *Friction `key:"friction" doc:"effective coefficient of friction"`
}

// Mesh is a surface or volume mesh from a file or a generator.
type Mesh struct {
	Pos
	File     string     `key:"file" doc:"mesh file; one of file, box and part"`
	Unit     string     `key:"unit" doc:"unit of lengths in the file: m, cm, mm, in" default:"m"`
	Scale    [3]float64 `key:"scale" doc:"factors along the axes" default:"[1, 1, 1]"`
	Method   string     `key:"method" doc:"how a surface becomes tetrahedra: auto, stuffing or extrude" default:"auto"`
	Size     float64    `key:"size" unit:"m" doc:"target edge length of tetrahedra"`
	Vertices int        `key:"vertices" doc:"target number of vertices, in place of size"`
	Layers   int        `key:"layers" doc:"layers of an extruded part"`
	Box      *BoxMesh   `key:"box" doc:"a box of regular tetrahedra, centred at the origin"`

	Part Named[Named[Numbers]] `key:"part" doc:"a generated machine part: its kind, with its parameters"`
}

// BoxMesh is a box of regular tetrahedra, centred.
type BoxMesh struct {
	Size  [3]float64 `key:"size" unit:"m" doc:"edge lengths"`
	Cells [3]int     `key:"cells" doc:"number of cells along each edge"`
}
