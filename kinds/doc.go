// Package kinds is the registry of everything that users choose by name (plug-ins,
// factories): shapes, joints, constraints, drives, signals, laws, file formats.
//
// A seam is a place where the program can be extended, such as "shape". A kind is
// one choice of a seam, such as "sphere". The file that implements a kind also
// describes it, and registers it with the registry of its seam:
//
//	var _ = Shapes.Register(kinds.Kind[ShapeSpec]{
//		Name:    "sphere",
//		Doc:     "Ball about the origin of the shape's frame.",
//		New:     func() ShapeSpec { return &SphereSpec{} },
//		Samples: func() []ShapeSpec { return []ShapeSpec{&SphereSpec{Radius: 0.05}} },
//	})
//
//	// SphereSpec are the parameters of a sphere.
//	type SphereSpec struct {
//		Radius float64 `key:"radius,required" unit:"m" doc:"radius" above:"0"`
//	}
//
//	// Make implements ShapeSpec.
//	func (s *SphereSpec) Make(m MeshSource) (Shape, error) { return NewSphere(s.Radius) }
//
// The registry belongs to the package that defines the seam:
//
//	// Shapes are the registered kinds of shapes.
//	var Shapes = kinds.NewRegistry[ShapeSpec]("shape", "Solid that takes part in contact.")
//
//	// ShapeSpec makes a shape from its parameters.
//	type ShapeSpec interface{ Make(MeshSource) (Shape, error) }
//
// Nothing else has to be edited. From the registry follow the decoder of scene
// files with its error messages, the editor's JSON Schema, the reference manual,
// "curlfree kinds" and the conformance suite of the seam, which runs over the
// Samples of all registered kinds.
//
// # Parameters
//
// The parameters of a kind are the exported fields with a key tag of the struct to
// which New returns a pointer. New sets the defaults. Tags:
//
//	key:"name"           key in scene files; options after commas:
//	key:"name,required"  the key must be given
//	key:"name,inf"       .inf is a valid value
//	unit:"m"             SI unit, empty for pure numbers; unit:"deg" marks a field that
//	                     is written in degrees and stored in radians
//	doc:"…"              meaning, without the unit
//	default:"…"          text for a default that New cannot express ("at the start")
//	above, min, max, below:"0"   bounds of a number, or of each number of a list
//	choice:"x,y,z"       valid texts
//	formerly:"old"       earlier keys, still read with a warning
//	ref:"body"           the text names an item of the scene: body, joint, deformable,
//	                     mesh, material, drive or signal
//
// Field types: float64, int, bool, string, arrays and slices of float64, slices of
// string, pointers to these (nil: not given), r3.Vec, r3.Pose, and structs of such
// fields. A field whose type is the interface of another registry, such as
// motion.Spec, has a kind of that seam. Embedded structs without a key add their
// fields.
//
// Package kinds depends neither on YAML nor on files, so physics packages may import it.
// A Make method resolves names through an interface that the seam's package defines. Its
// error describes the fault and its remedy, without the position in the file: the caller
// adds that.
//
// # How a scene writes a kind
//
// The registry's Style says so: Nested {sphere: {radius: 0.05}}, Typed {type:
// revolute, axis: [0, 0, 1]} or Keyed {position: z, body: ball}, where the key that
// names the kind is one of its parameters too.
package kinds
