package scene

// A material has a surface and an inside. The surface makes contact; of the inside, the density gives
// rigid bodies their mass, and elasticity and damping are of deformables only. Two surfaces combine as
// springs in series, with friction by the harmonic mean (see package constraints, material.go).

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/elastomers"
	"github.com/curlfree/curlfree/fem"
)

// Material is the material of a body: its surface, and its interior where it deforms.
// Nil: not given, so that the default material's value applies.
type Material struct {
	Pos
	// GivenParameters are stiffness, dissipation and other scalars of the surface.
	constraints.GivenParameters
	// Friction is the friction coefficient. Those of two surfaces are combined by the harmonic
	// mean, so that a smooth surface dominates.
	Friction *Friction `key:"friction" doc:"coefficient of friction, or static and dynamic ones: it falls from one to the other at a slip of about ten sliding tolerances" default:"0.5"`
	// FrictionDirection is the principal direction of anisotropic friction, of rigid bodies
	// only, of any length but 0; it rotates with the body.
	FrictionDirection *[3]float64 `key:"friction_direction" formerly:"grain" doc:"orthotropic friction: direction in the body's axes along which friction holds"`
	// FrictionTransverse is the coefficient across FrictionDirection, which it requires. The
	// static coefficient across is in proportion.
	FrictionTransverse *float64 `key:"friction_transverse" formerly:"friction_across" doc:"orthotropic friction: dynamic coefficient across friction_direction" max:"1e4"`
	// SurfaceVelocity is the velocity of the surface along its body (conveyor belt). It acts on
	// friction but moves no mass; its component along the contact normal is ignored.
	SurfaceVelocity *[3]float64 `key:"surface_velocity" unit:"m/s" doc:"velocity of the surface relative to its body, in the body's axes, as of a conveyor belt" default:"[0, 0, 0]"`
	// Density is the mass per volume. For rigid bodies it is used only where their Mass is not
	// given.
	Density *float64 `key:"density" unit:"kg/m³" doc:"mass per volume" default:"1000"`
	// YoungsModulus is Young's modulus of deformables; rigid bodies ignore it.
	YoungsModulus *float64 `key:"youngs_modulus" unit:"Pa" doc:"Young's modulus of deformables" default:"1e6"`
	// PoissonsRatio is Poisson's ratio; near 0.5 linear tetrahedra lock and are too stiff in
	// bending.
	PoissonsRatio *float64 `key:"poissons_ratio" doc:"Poisson's ratio of deformables, between -1 and 0.5" default:"0.4"`
	// MassDamping is α of Rayleigh damping, the damping matrix α M + ζ K; it resists rigid motion, too.
	// A mode of frequency ω has the damping ratio α/(2 ω) + ζ ω/2.
	MassDamping *float64 `key:"mass_damping" unit:"1/s" doc:"Rayleigh damping α, proportional to mass" default:"0"`
	// StiffnessDamping is ζ of Rayleigh damping; it resists strain rates only, those of high
	// frequencies most.
	StiffnessDamping *float64 `key:"stiffness_damping" unit:"s" doc:"Rayleigh damping ζ, proportional to stiffness" default:"0"`
	// Color is the colour of shapes for which neither shape nor body gives one.
	Color string `key:"color" doc:"colour \"#rrggbb\"" default:"chosen"`

	// Law is the constitutive law of deformables with its parameters.
	Law Item[fem.ConstitutiveSpec] `kind:"constitutive_law,optional" formerly:"law"` // nil: corotational
	// Elastomer is a rubber whose law was measured: its law, or its modulus where Law is one of Young's modulus.
	Elastomer Item[elastomers.Spec] `kind:"elastomer,optional"`
}

// Friction is one coefficient, or {static, dynamic}.
type Friction struct {
	// Static is the coefficient at rest; a value below Dynamic is treated as equal to it. Laws
	// without static friction use Dynamic only.
	Static float64 `key:"static" doc:"coefficient of static friction" max:"1e4"`
	// Dynamic is Coulomb's μ of this surface, before the combination with the other.
	Dynamic float64 `key:"dynamic" doc:"coefficient of dynamic friction" max:"1e4"`
}

// setScalar implements scalar: one coefficient is both.
func (f *Friction) setScalar(x float64) { f.Static, f.Dynamic = x, x }

// Pair gives the effective contact parameters of two materials, which replace
// the combination rules.
type Pair struct {
	Pos
	// Materials are exactly two, which may be the same one; their order does not matter.
	Materials []string `key:"materials" ref:"material" doc:"the two materials"`
	// Override are the scalars but friction, whose coefficients come together; nil: by the combination rule.
	constraints.Override
	// Friction is the coefficient of the pair, in place of the harmonic mean; directions of
	// friction are then ignored.
	Friction *Friction `key:"friction" doc:"effective coefficient of friction"`
}

// Mesh is a surface or volume mesh from a file or a generator.
type Mesh struct {
	Pos
	// File is the path of the mesh file, relative to the scene; its digest is part of the run's
	// fingerprint.
	File string `key:"file" doc:"mesh file; one of file, box and part"`
	// Unit is the length unit of files whose format has none, such as STL; a warning is given
	// where the size of the mesh suggests a wrong unit.
	Unit string `key:"unit" doc:"unit of lengths in the file: m, cm, mm, in" default:"m"`
	// Scale are factors along the mesh's own axes, applied after the unit; positive, so that
	// the mesh is not mirrored.
	Scale [3]float64 `key:"scale" doc:"factors along the axes" default:"[1, 1, 1]"`
	// Method is the meshing method; auto extrudes prisms and uses isosurface stuffing for all
	// other shapes (Labelle, Shewchuk 2007).
	Method string `key:"method" doc:"method of filling a surface with tetrahedra: auto, stuffing or extrude" default:"auto"`
	// Size is the element size; 0: it follows from Vertices.
	Size float64 `key:"size" unit:"m" doc:"target edge length of tetrahedra"`
	// Vertices is the number of nodes of the elements, from which the element size is found
	// where Size is 0; a mesh that misses it by more than 20 % is refused.
	Vertices int `key:"vertices" doc:"number of vertices, in place of size; those that elements add count, too; met within 20 % or refused"`
	// Layers is the number of elements along the axis of the prism, for Method extrude.
	Layers int `key:"layers" doc:"layers of an extruded part"`
	// WallCells is the number of cells across a wall, for Method stuffing: cells are halved, up
	// to five times, where walls are thinner.
	WallCells int `key:"wall_cells" doc:"least number of cells across thin walls of a stuffed part; 0: 2, negative: cells of one size"`
	// AllowLoss turns the error about a volume mesh that differs from its surface (pieces,
	// handles, volume) into a warning.
	AllowLoss bool `key:"allow_loss" doc:"accept tetrahedra with other pieces or handles than the surface, or a volume off by more than 3 %"`
	// MaxVertices is the largest number of vertices that is accepted; a larger number is most
	// likely a size in the wrong unit.
	MaxVertices int `key:"max_vertices" doc:"largest number of vertices of the tetrahedra of a surface or box" default:"200,000"`
	// Box is a box of regular tetrahedra. It excludes File and Part, and takes no method or
	// element size.
	Box *BoxMesh `key:"box" doc:"a box of regular tetrahedra, centred at the origin"`

	// Part is a generated machine part, a mapping with one entry; package meshes/parts checks
	// its parameters.
	Part Named[Named[Numbers]] `key:"part" doc:"a generated machine part: its kind, with its parameters"`
}

// BoxMesh is a box of regular tetrahedra, centred.
type BoxMesh struct {
	// Size are the full edge lengths: the box spans ± Size/2.
	Size [3]float64 `key:"size" unit:"m" doc:"edge lengths"`
	// Cells are the numbers of cells along each edge, of which each is cut into six tetrahedra;
	// at most 1e7 cells in all, and MaxVertices vertices.
	Cells [3]int `key:"cells" doc:"number of cells along each edge"`
}
