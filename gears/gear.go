package gears

import "math"

// Form says on which side of its pitch surface a gear has teeth.
type Form int

// Forms of gears.
const (
	External Form = iota
	Internal
	Rack
)

func (f Form) String() string { return [...]string{"external", "internal", "rack"}[f] }

// Relief is material taken off a flank towards one of its ends: Amount·(x/Length)^Power over the distance x from
// where
// it begins.
type Relief struct {
	// Amount at the end of the flank, m, along the line of action.
	Amount float64
	// Length over which it grows, m, along the line of action.
	Length float64
	// Power is 1 for linear relief, 2 for one that begins smoothly; 0 means 1.
	Power float64
}

// at returns the relief at the distance x, m, from where it begins.
func (r Relief) at(x float64) float64 {
	switch {
	case r.Amount == 0 || x <= 0:
		return 0
	case r.Power == 0 || r.Power == 1:
		return r.Amount * x / r.Length
	default:
		return r.Amount * math.Pow(x/r.Length, r.Power)
	}
}

// Gear is an involute gear. [Default] has the proportions of ISO 53.
type Gear struct {
	Form Form
	// Module is the normal module m, m.
	Module float64
	// Teeth is the number of teeth z.
	Teeth int
	// PressureAngle is the normal pressure angle α_n, rad.
	PressureAngle float64
	// Helix is the helix angle β at the pitch circle, rad, positive for right-handed gears.
	Helix float64
	// Shift is the profile shift x over the module, positive away from the axis.
	Shift float64
	// Thinning is what is taken off the thickness of each tooth at the pitch circle, m, in the transverse plane.
	Thinning float64
	// FaceWidth is the extent b along z, m, half of it on each side of z = 0.
	FaceWidth float64

	// Addendum, Clearance and Fillet are those of the basic rack over the module: height of the tip over the
	// pitch
	// line, depth of the root below the mate's tip, radius of the rounding that cuts the root.
	Addendum, Clearance, Fillet float64
	// TipDiameter is given where teeth are shortened, m; 0: from Addendum and Shift.
	TipDiameter float64

	// TipRelief and RootRelief are taken off both flanks; that of the root begins Length above the foot of the
	// flank.
	TipRelief, RootRelief Relief
	// ProfileCrowning and LeadCrowning are the heights of a parabola over the flank from foot to tip, and over
	// the face
	// from end to end, m: what is taken off at the ends.
	ProfileCrowning, LeadCrowning float64
	// Displacements are how far each tooth stands off its place along the pitch circle, m, counter-clockwise
	// (of a
	// rack along x): accumulated pitch errors. Empty: none.
	Displacements []float64
	// Eccentricity is the distance of the teeth's axis from that of rotation, m, half of the runout; it lies
	// at the
	// angle EccentricityAt in the gear's frame, rad.
	Eccentricity, EccentricityAt float64

	Material Material
}

// Default returns an external steel gear of the basic rack of ISO 53 (profile A), 20° and no shift.
func Default(module float64, teeth int) Gear {
	return Gear{
		Module: module, Teeth: teeth, PressureAngle: 20 * math.Pi / 180, FaceWidth: 10 * module,
		Addendum: 1, Clearance: 0.25, Fillet: 0.38, Material: Steel,
	}
}

// transverse returns module and pressure angle in the transverse plane.
func (g *Gear) transverse() (module, alpha float64) {
	c := math.Cos(g.Helix)
	return g.Module / c, math.Atan(math.Tan(g.PressureAngle) / c)
}

// BaseHelix returns the helix angle β_b at the base circle, rad: sin β_b = sin β cos α_n.
func (g *Gear) BaseHelix() float64 { return math.Asin(math.Sin(g.Helix) * math.Cos(g.PressureAngle)) }

// BasePitch returns the transverse base pitch, m.
func (g *Gear) BasePitch() float64 {
	m, alpha := g.transverse()
	return math.Pi * m * math.Cos(alpha)
}

// twist returns the angle by which the section turns along z, rad/m; of a rack how far it moves along x, m/m.
func (g *Gear) twist() float64 {
	if g.Form == Rack {
		// A rack is a left-handed gear of infinite radius seen from its mate: teeth of positive helix move
		// to −x.
		return -math.Tan(g.Helix)
	}
	m, _ := g.transverse()
	return math.Tan(g.Helix) / (float64(g.Teeth) * m / 2)
}

// displacement returns how far tooth k stands off its place, m.
func (g *Gear) displacement(k int) float64 {
	n := len(g.Displacements)
	if n == 0 {
		return 0
	}
	return g.Displacements[((k%n)+n)%n]
}

// Removed returns what modifications take off a flank at the path length s from the base circle's tangent point (of a
// rack from its pitch line), m, and at z, m, along the line of action. Beyond the ends it is that of the end.
func (t *Tooth) Removed(s, z float64) float64 {
	g := t.gear
	if !t.modified {
		return 0
	}
	// from foot to tip, whatever the direction in which s grows
	x, length := s-t.SFoot, t.STip-t.SFoot
	if length < 0 {
		x, length = -x, -length
	}
	x = math.Min(math.Max(x, 0), length)
	c := g.TipRelief.at(x-length+g.TipRelief.Length) + g.RootRelief.at(g.RootRelief.Length-x)
	if u := 2*x/length - 1; g.ProfileCrowning != 0 {
		c += g.ProfileCrowning * u * u
	}
	if v := 2 * z / g.FaceWidth; g.LeadCrowning != 0 {
		c += g.LeadCrowning * v * v
	}
	return c
}
