package parts

// FinRay fingers: package meshes makes their profile and sweeps it over the width. As a part their dimensions
// are values of a scene, which studies vary and searches for a design find: small changes move vertices and keep
// the tetrahedra, as long as no row of elements is added.

import (
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/profiles"
)

// FinRay is a FinRay finger with its element sizes.
type FinRay struct {
	profiles.FinRay
	profiles.FinRayOptions
}

// DefaultFinRay returns the finger of meshes.DefaultFinRay with two elements across the walls and over the width.
func DefaultFinRay() FinRay {
	return FinRay{profiles.DefaultFinRay(), profiles.FinRayOptions{}}
}

// Check returns an error with the faulty parameter and its remedy, or nil.
func (f FinRay) Check() error { return f.FinRay.Check(f.FinRayOptions) }

// Tets returns the finger as tetrahedra in rows that follow walls and ribs, swept over the width.
func (f FinRay) Tets() (*meshes.Tet, error) { return f.FinRay.Tets(f.FinRayOptions) }

// Surface returns the closed surface.
func (f FinRay) Surface() (*meshes.Tri, error) { return f.FinRay.Surface() }

// Facts returns derived quantities of the part: its volume, and the angle of its back.
func (f FinRay) Facts() []Fact {
	m, err := f.FinRay.Surface()
	if err != nil {
		return nil
	}
	// all faces are planes, so that facets are exact
	return []Fact{{"volume", m.Volume(), "m³"}, {"angle of the back", f.BackAngle(), "rad"}, {"chord error", 0, "m"}}
}

// finRayKind binds the parameters.
func finRayKind() Kind {
	return kind("finray", "FinRay finger",
		"x runs from the base (0) to the tip, y is the depth with the flat contact face at y = 0 and the finger on\n"+
			"its positive side, z is the width, centred. Ribs lean towards the tip for positive rib_angle.\n\n"+
			"Elements: size is the edge length along walls and ribs; across counts them over the thickness of a wall,\n"+
			"layers over the width. Deformables get hexahedra of it, which bend right with one across a wall.",
		DefaultFinRay, func(f *FinRay) []field {
			return []field{
				metres("length", &f.Length, "from base to tip"),
				metres("width", &f.Width, "along z"),
				metres("base_depth", &f.BaseDepth, "depth at the base"),
				metres("tip_depth", &f.TipDepth, "depth at the tip"),
				metres("wall", &f.Wall, "thickness of the front wall, and of the back wall unless that is given"),
				metres("back_wall", &f.BackWall, "thickness of the back wall; 0: that of the front wall"),
				metres("rib", &f.Rib, "thickness of the ribs"),
				metres("neck", &f.Neck, "thickness of a rib at its ends"),
				metres("neck_length", &f.NeckLength, "length over which a rib narrows to its neck"),
				metres("base_block", &f.BaseBlock, "length of the solid base"),
				metres("tip_block", &f.TipBlock, "length of the solid tip"),
				count("ribs", &f.Ribs, "number of ribs"),
				number("rib_angle", &f.RibAngle, "inclination of the ribs towards the tip, rad"),
				metres("size", &f.Size, "edge length along walls and ribs; 0: 2.6 % of the length"),
				count("across", &f.Across, "elements across a wall; 0: 2"),
				count("layers", &f.Layers, "elements over the width; 0: 2"),
				count("refine", &f.Refine, "number of times that all elements are halved"),
			}
		})
}
