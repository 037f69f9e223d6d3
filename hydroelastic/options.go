package hydroelastic

import (
	"fmt"
	"math"
)

// Options are the stiffness, the resolution and the margin of a field.
type Options struct {
	// HydroelasticModulus is E, the pressure at the innermost points, Pa. A flat face
	// pressed in by δ carries the pressure E δ/depth, with the depth of the innermost
	// points below the surface. It must be positive and finite.
	HydroelasticModulus float64
	// ResolutionHint is the longest edge of the surface, m; on balls and ellipsoids edges
	// are up to a quarter longer. 0 stands for a sixteenth of the diagonal of the shape's
	// bounds. Package sim chooses a finer one for round shapes by their load.
	ResolutionHint float64
	// EqualVolume moves the facets of balls, ellipsoids, capsules and cylinders outwards, so
	// that they enclose the volume of the round shape; else their corners lie on it and
	// contact is softer. The force is then correct on average over all orientations.
	EqualVolume bool
	// Margin is the width of the layer around the shape in which the pressure is
	// negative, m: faces there are ahead of contact. It does not change forces at
	// rest.
	Margin float64
}

// Lengths outside of this range lose their meaning in float64, m.
const (
	// Lengths outside of this range have no significant digits in float64, m.
	minLength = 1e-9
	maxLength = 1e9
)

// maxCells bounds the cells of a field: a hint that needs more is likely in a wrong unit.
const maxCells = 2_000_000

// checkLength returns an error unless x is a positive finite length, m.
func checkLength(shape, what string, x float64) error {
	if x >= minLength && x <= maxLength {
		return nil
	}
	return fmt.Errorf("hydroelastic: %s: %s is %g m: give a positive, finite length (%g … %g m)", shape, what, x, minLength, maxLength)
}

// checked returns the options with the hint filled in, or an error that names the option
// at fault. diagonal is that of the shape's bounds, m.
func (o Options) checked(shape string, diagonal float64) (Options, error) {
	// Each fault has a message of its own.
	switch {
	case !(o.HydroelasticModulus > 0) || math.IsInf(o.HydroelasticModulus, 0):
		return o, fmt.Errorf("hydroelastic: %s: modulus is %g Pa: give a positive, finite pressure, such as 1e6; a body without compliance is a NewRigid", shape, o.HydroelasticModulus)
	case !(o.ResolutionHint >= 0) || math.IsInf(o.ResolutionHint, 0):
		return o, fmt.Errorf("hydroelastic: %s: resolution hint is %g m: give the longest edge wanted, or 0 for a sixteenth of the size", shape, o.ResolutionHint)
	case !(o.Margin >= 0) || o.Margin > maxLength:
		return o, fmt.Errorf("hydroelastic: %s: margin is %g m: give 0 or the gap ahead of contact wanted, such as 1e-4", shape, o.Margin)
	}
	if o.ResolutionHint == 0 {
		o.ResolutionHint = diagonal / 16
	}
	return o, nil
}

// pieces returns into how many pieces of at most the hint a length (m) is cut.
func (o Options) pieces(length float64, least int) int {
	return max(least, int(math.Ceil(min(length/o.ResolutionHint*(1-1e-12), maxCells))))
}

// checkCells returns an error for a hint that needs too many cells.
func (o Options) checkCells(shape string, cells float64) error {
	if cells <= maxCells {
		return nil
	}
	return fmt.Errorf("hydroelastic: %s: a resolution hint of %g m needs %.3g cells, the limit is %d: choose a coarser one", shape, o.ResolutionHint, cells, maxCells)
}
