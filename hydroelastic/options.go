package hydroelastic

import (
	"fmt"
	"math"
)

// Options say how stiff, how fine and how wide a field is.
type Options struct {
	// Modulus is the pressure at the innermost points, Pa. A flat face pressed in
	// by δ answers with the pressure Modulus·δ/depth, the depth being that of the
	// innermost points below the surface.
	HydroelasticModulus float64
	// Hint is the resolution, m: no edge of the surface is longer, on balls and
	// ellipsoids by up to a quarter. 0 stands for a sixteenth of the diagonal of the
	// shape's bounds.
	ResolutionHint float64
	// Margin is the width of the skirt around the shape, m, in which the pressure
	// is negative: faces there are ahead of contact. It changes nothing at rest.
	Margin float64
}

// Lengths outside of this range lose their meaning in float64, m.
const (
	minLength = 1e-9
	maxLength = 1e9
)

// maxCells bounds the cells of a field: a finer one is a mistaken unit.
const maxCells = 2_000_000

func checkLength(shape, what string, x float64) error {
	if x >= minLength && x <= maxLength {
		return nil
	}
	return fmt.Errorf("hydroelastic: %s: %s is %g m: give a positive, finite length (%g … %g m)", shape, what, x, minLength, maxLength)
}

// checked returns the options with the hint filled in, or what is wrong.
func (o Options) checked(shape string, diagonal float64) (Options, error) {
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

// pieces returns into how many pieces of at most the hint a length is cut.
func (o Options) pieces(length float64, least int) int {
	return max(least, int(math.Ceil(min(length/o.ResolutionHint*(1-1e-12), maxCells))))
}

// checkCells refuses a hint that needs too many cells.
func (o Options) checkCells(shape string, cells float64) error {
	if cells <= maxCells {
		return nil
	}
	return fmt.Errorf("hydroelastic: %s: a resolution hint of %g m needs %.3g cells, the limit is %d: choose a coarser one", shape, o.ResolutionHint, cells, maxCells)
}
