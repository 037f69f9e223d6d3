package check

import "math"

// exceeds reports whether a value is above a limit by more than round-off: values of a scene that are
// exactly at a limit, after units and products, are not.
func exceeds(x, limit float64) bool { return x > limit+1e-9*math.Abs(limit) }
