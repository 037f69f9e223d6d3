package parts

// Worm wheels. With the worm's lead angle γ and axial module m, the wheel is a
// helical gear with
//
//	helix angle β = γ, transverse module m, normal module m cos γ
//
// of the worm's hand, so that the normal base pitches of both agree and the
// axes may cross at a right angle.

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
)

// WormWheel is the wheel of a worm: a helical involute gear whose helix angle
// is the worm's lead angle, of the same hand. It is not throated. A throated
// wheel touches along lines that facets cannot reproduce: its contact would
// jump from facet to facet, and jam at the smallest error of centre distance.
// This one touches an involute worm in one point of each flank and runs at any
// centre distance with constant ratio, and its contact moves smoothly over the
// facets.
//
// The middle of tooth 0 lies on the x axis at z = 0.
type WormWheel struct {
	// Module is the axial module of the worm, m, which is the wheel's
	// transverse module.
	Module float64
	// Teeth is the number of teeth.
	Teeth int
	// LeadAngle is the lead angle of the worm, rad.
	LeadAngle float64
	// Left is for a left-handed worm.
	Left bool
	// PressureAngle is the normal pressure angle, rad.
	PressureAngle float64
	// Shift is the profile shift, over the module.
	Shift float64
	// Backlash is the reduction of the tooth thickness at the pitch circle, m.
	Backlash float64
	// Addendum is the height of the tip above the pitch circle, over the
	// module.
	Addendum float64
	// Clearance is the distance of the root from the tip of the mate (bottom
	// clearance), over the module.
	Clearance float64
	// Fillet is the tip radius of the rack that cuts the root, over the module.
	Fillet float64
	// FaceWidth is the extent along z, m.
	FaceWidth float64
	// Bore is the diameter of the bore, m; 0 for none.
	Bore float64
	Resolution
}

// DefaultWormWheel returns a wheel for the default worm.
func DefaultWormWheel() WormWheel {
	_, gamma := DefaultWorm().pitchRadius()
	return WormWheel{
		Module: 1e-3, Teeth: 40, LeadAngle: gamma, PressureAngle: rad(20),
		Addendum: 1, Clearance: 0.25, Fillet: 0.38, FaceWidth: 10e-3, Bore: 8e-3,
	}
}

// Spur returns the wheel as a helical gear.
func (w WormWheel) Spur() Spur {
	helix := w.LeadAngle
	if w.Left {
		helix = -helix
	}
	cos := math.Cos(w.LeadAngle) // heights of gears go by the normal module
	return Spur{
		Module: w.Module * cos, Teeth: w.Teeth, PressureAngle: w.PressureAngle, Shift: w.Shift / cos,
		Backlash: w.Backlash, Addendum: w.Addendum / cos, Clearance: w.Clearance / cos, Fillet: w.Fillet / cos,
		FaceWidth: w.FaceWidth, Bore: w.Bore, Helix: helix, Resolution: w.Resolution,
	}
}

// Check returns an error with the faulty parameter and its remedy, or nil.
func (w WormWheel) Check() error {
	c := checker{part: "worm wheel"}
	c.positive("module", w.Module)
	c.angle("lead angle", w.LeadAngle, 0.5, 45)
	// Spur has the same bounds over its own module, which is a little smaller.
	c.within("shift", w.Shift, -2, 2)
	c.within("addendum", w.Addendum, 0.2, 2)
	c.within("clearance", w.Clearance, 0, 1)
	c.within("fillet", w.Fillet, 0, 1)
	if c.err == nil {
		w.Spur().check(&c)
	}
	return c.err
}

// Surface returns the closed surface.
func (w WormWheel) Surface() (*meshes.Tri, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	return surfaceOf(w.Spur().tets("worm wheel", false))
}

// Tets returns the wheel as tetrahedra, as Spur does.
func (w WormWheel) Tets() (*meshes.Tet, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	return w.Spur().tets("worm wheel", true)
}

// Facts returns derived quantities of the part.
func (w WormWheel) Facts() []Fact { return w.Spur().Facts() }
