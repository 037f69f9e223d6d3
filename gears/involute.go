package gears

import "math"

// Inv is the involute function tan α − α.
func Inv(alpha float64) float64 { return math.Tan(alpha) - alpha }

// InvAngle returns the angle in [0, π/2) whose involute function is v ≥ 0, rad.
func InvAngle(v float64) float64 {
	// A series for small v, whose error Newton's method removes: inv is convex, its derivative is tan².
	alpha := math.Min(math.Cbrt(3*v), math.Atan(v+math.Pi/2))
	for range 50 {
		tan := math.Tan(alpha)
		if tan == 0 {
			return 0
		}
		step := (tan - alpha - v) / (tan * tan)
		alpha -= step
		if math.Abs(step) <= 1e-16*alpha {
			break
		}
	}
	return alpha
}

// rollAt returns the roll, tan of the pressure angle, at a radius; 0 below the base circle.
func rollAt(base, radius float64) float64 {
	return math.Sqrt(math.Max(0, (radius/base-1)*(radius/base+1)))
}
