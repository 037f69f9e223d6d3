package parts

// Only parts that lead have mates: spur gears, worms and screws. The mate of a
// rack or a ring gear is the gear that it was made for.

// Parts that follow from their mate: a gear's mate has its module and pressure
// angle, a nut the thread of its screw. Everything else keeps the default of
// the kind or is given.

import (
	"fmt"
	"maps"
	"math"
)

// MakeMate returns a part that mates with p, as Make does; parameters in which the
// two must agree have the values of p unless they are given. It starts from a spur
// gear, worm or screw.
func MakeMate(p Part, kind string, params map[string][]float64) (Part, error) {
	// what the mate takes over; given parameters replace it at the end
	all := map[string][]float64{}
	// Parameters in the unit in which users write them.
	set := func(name string, v float64) { all[name] = []float64{v} }
	// flags are numbers: 1 for true, 0 for false
	yes := map[bool]float64{true: 1}
	switch p := p.(type) {
	// Gears on parallel axes have opposite helices; a ring has the same as its
	// pinion.
	case Spur:
		set("module", p.Module)
		set("pressure_angle_deg", deg(p.PressureAngle))
		set("face_width", p.FaceWidth)
		set("helix_deg", -deg(p.Helix))
		if kind == "ring_gear" {
			set("helix_deg", deg(p.Helix))
		}
	// A wheel is made for the lead angle and the hand of its worm.
	case Worm:
		_, gamma := p.pitchRadius()
		set("module", p.Module)
		set("pressure_angle_deg", deg(p.PressureAngle))
		set("lead_angle_deg", deg(gamma))
		set("left", yes[p.Left])
	// A nut has the basic profile of the screw; both have their own clearance.
	case Screw:
		set("pitch", p.Pitch)
		set("starts", float64(p.Starts))
		set("left", yes[p.Left])
		set("major", p.Major)
		set("minor", p.Minor)
		set("pitch_diameter", p.PitchDiameter)
		set("flank_angle_deg", deg(p.FlankAngle))
	default:
		return nil, fmt.Errorf("parts: mesh: a %s has no mate: start from a spur, worm or screw", nameOf(p))
	}
	// Drop parameters that the mate does not have.
	if k := KindOf(kind); k != nil {
		known := map[string]bool{}
		for _, f := range k.Params {
			known[f.Name] = true
		}
		maps.DeleteFunc(all, func(name string, _ []float64) bool { return !known[name] })
	}
	maps.Copy(all, params)
	return Make(kind, all)
}

// Facts returns the derived quantities of the pair: the position of the mate, its
// motion, and the quality of the contact.
func (p *Pair) Facts() []Fact {
	// A nut lies at the origin of its screw.
	at := p.X_AB.P
	if _, ok := p.A.(Screw); ok {
		return []Fact{
			{"travel of the nut per turn of the screw", p.Ratio * 2 * math.Pi, "m"},
			{"turns of full thread engaged", p.ContactRatio, ""},
			{"clearance of each flank", p.FlankClearance, "m"},
		}
	}
	// A rack is moved, not turned.
	turn, ratio := "rad", ""
	if _, ok := p.B.(Rack); ok {
		turn, ratio = "m", "m/rad"
	}
	// place, motion and contact, in this order
	facts := []Fact{
		{"centre distance", p.CenterDistance, "m"},
		{"mate's x", at[0], "m"},
		{"mate's y", at[1], "m"},
	}
	if axis := p.X_AB.R.Col(2); axis[2] < 1 { // crossed axes
		facts = append(facts, Fact{"mate's turn about x", math.Atan2(-axis[1], axis[2]), "rad"})
	}
	return append(facts, []Fact{
		{"mate's position that meshes", p.Mate(0), turn},
		{"mate's speed over this part's", p.Ratio, ratio},
		{"working pressure angle", p.PressureAngle, "rad"},
		{"base pitch", p.BasePitch, "m"},
		{"contact ratio", p.ContactRatio, ""},
		{"overlap ratio", p.OverlapRatio, ""},
		{"clearance of each flank", p.FlankClearance, "m"},
	}...)
}
