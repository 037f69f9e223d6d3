package formats

// The accepted spellings follow those of CAD programs and the UCUM; the case of
// letters does not matter.

// Units of length. Mesh files carry none (STL, OBJ) or none that writers keep to,
// so that a wrong unit is the most common fault of a scene: a hand of 200 m. Sizes
// that no part of a hand or machine has are reported together with the unit that
// would make them likely.

import (
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/r3"
)

// unitNames has the accepted names of length units with their length in metres,
// in the order in which errors list them; the first name of each is the usual one.
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

// Bounds of the largest side of a mesh, m. Outside of them the unit is reported as
// unlikely: a part is smaller than a room and larger than a grain of salt.
const (
	unlikelyAbove = 5
	unlikelyBelow = 1e-3
)

// maxCoordinate bounds the magnitude of coordinates, m: far above any part, and far
// below the size at which volumes overflow or single precision cannot resolve a
// part.
const maxCoordinate = 1e7

// UnitScale returns the length of the named unit in metres, such as 0.001 for "mm";
// the empty name is the metre. The case of letters does not matter. The error lists
// the known units.
func UnitScale(unit string) (float64, error) {
	if unit == "" {
		return 1, nil
	}
	// spaces around the name have no meaning either
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
	return 0, fmt.Errorf("meshes: unknown unit %q%s", unit, kinds.Suggest(want, known))
}

// warnUnlikelyUnit warns when a mesh that was read with the unit has an unlikely
// size, and names the unit that would make it likely. The unit must be valid.
func warnUnlikelyUnit(rep *meshes.Findings, box r3.Box, unit string) {
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
	// The unit that was given may be the most likely one nevertheless.
	name, likely := likelyUnit(size / scale)
	if name == unit || unit == "" && name == "m" {
		rep.Addf(meshes.Warning, "unit", 1, "the mesh is %s across; %s: check that this is right", phrases.Length(size), taken)
		return
	}
	rep.Addf(meshes.Warning, "unit", 1, "the mesh is %[1]s across; %[2]s: if that is wrong, say `unit: %[3]s` in a scene, --unit %[3]s on the command line (%[4]s across)",
		phrases.Length(size), taken, name, phrases.Length(likely))
}

// likelyUnit returns the unit in which a part of that many units would be nearest
// to the size of a hand (0.15 m), by ratio, and the size it would have, m. Uncommon
// units win only if they are nearer by a factor of 10.
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
