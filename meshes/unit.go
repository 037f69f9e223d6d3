package meshes

import (
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/r3"
)

// unitNames contains the accepted length units, in the order errors list them.
var unitNames = []struct {
	names  []string
	metres float64
}{
	{[]string{"m", "meter", "metre", "meters", "metres"}, 1},
	{[]string{"mm", "millimeter", "millimetre", "millimeters", "millimetres"}, 1e-3},
	{[]string{"cm", "centimeter", "centimetre", "centimeters", "centimetres"}, 1e-2},
	{[]string{"dm", "decimeter", "decimetre", "decimeters", "decimetres"}, 1e-1},
	{[]string{"um", "µm", "μm", "micrometer", "micrometre", "micron"}, 1e-6},
	{[]string{"km", "kilometer", "kilometre"}, 1e3},
	{[]string{"in", "inch", "inches", `"`}, 0.0254},
	{[]string{"ft", "foot", "feet", "'"}, 0.3048},
}

// Bounds on the largest side of a mesh, m, outside of which the unit is doubted:
// what a hand contains is smaller than a room and larger than a grain of salt.
const (
	unlikelyAbove = 5
	unlikelyBelow = 1e-3
)

// maxCoordinate bounds coordinates, m: far above any part, far below where
// volumes overflow or single precision loses a part.
const maxCoordinate = 1e7

// UnitScale returns the length of the named unit in metres; "" is the metre.
func UnitScale(unit string) (float64, error) {
	if unit == "" {
		return 1, nil
	}
	want := strings.ToLower(strings.TrimSpace(unit))
	known := make([]string, len(unitNames))
	for i, u := range unitNames {
		known[i] = u.names[0]
		for _, n := range u.names {
			if n == want {
				return u.metres, nil
			}
		}
	}
	return 0, fmt.Errorf("meshes: unknown unit %q: write one of %s", unit, strings.Join(known, ", "))
}

// warnUnlikelyUnit warns when a mesh read with the unit has an unlikely size, and names
// the unit that would make it likely.
func warnUnlikelyUnit(rep *Findings, box r3.Box, unit string) {
	s := box.Size()
	size := max(s[0], s[1], s[2])
	if !(size > unlikelyAbove || size < unlikelyBelow) || size <= 0 {
		return
	}
	taken := "no unit is given, so that it was taken for metres"
	if unit != "" {
		taken = fmt.Sprintf("it was read with unit: %s", unit)
	}
	scale, err := UnitScale(unit)
	if err != nil {
		panic("meshes: warnUnlikelyUnit with a unit not checked")
	}
	name, likely := likelyUnit(size / scale)
	if name == unit || unit == "" && name == "m" {
		rep.addf(Warning, "unit", 1, "the mesh is %s across; %s: check that this is meant", length(size), taken)
		return
	}
	rep.addf(Warning, "unit", 1, "the mesh is %[1]s across; %[2]s: if that is not meant, say `unit: %[3]s` in a scene, --unit %[3]s on the command line (%[4]s across)",
		length(size), taken, name, length(likely))
}

// likelyUnit returns the unit in which a part of that many units would be
// nearest in size to a hand (0.15 m), by ratio, and the size it would have, m.
// The common units go first: others must be nearer by a factor of 10 to win.
func likelyUnit(units float64) (name string, size float64) {
	const hand, common = 0.15, 10
	best := math.Inf(1)
	for _, u := range []struct {
		name           string
		metres, factor float64
	}{{"mm", 1e-3, 1}, {"m", 1, 1}, {"cm", 1e-2, common}, {"in", 0.0254, common}, {"um", 1e-6, common}, {"km", 1e3, common}} {
		d := math.Abs(math.Log(units*u.metres/hand)) + math.Log(u.factor)
		if d < best {
			best, name, size = d, u.name, units*u.metres
		}
	}
	return name, size
}

// length prints a length with a unit a reader can picture.
func length(x float64) string {
	switch a := math.Abs(x); {
	case a == 0:
		return "0 m"
	case a < 1e-3:
		return fmt.Sprintf("%.3g µm", x*1e6)
	case a < 1:
		return fmt.Sprintf("%.4g mm", x*1e3)
	}
	return fmt.Sprintf("%.4g m", x)
}

// point prints a position, m, to the digits a reader needs to find it.
func point(p r3.Vec) string { return fmt.Sprintf("(%.5g, %.5g, %.5g) m", p[0], p[1], p[2]) }
