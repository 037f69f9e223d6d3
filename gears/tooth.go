package gears

import "math"

// Teeth in the transverse plane (ISO 21771; Litvin & Fuentes, Gear Geometry and Applied Theory, 2004). With normal
// module m, pressure angle α_n, helix angle β, z teeth, shift x and thinning j,
//
//	m_t = m/cos β,  tan α = tan α_n/cos β,  r = z m_t/2,  r_b = r cos α
//	ψ_b = (π m_t/2 + 2 x m tan α − j)/(2 r) + inv α    half angle of a tooth at the base circle
//
// A flank of side σ = ±1 at roll t, the tangent of its pressure angle, touches the line that leaves the base
// circle at
// the angle τ = σ(ψ_b − t) from the tooth's middle: with e(τ) = (cos τ, sin τ) and its derivative e'(τ)
//
//	p = r_b e(τ) + s n,  s = r_b t,  n = σ e'(τ)                                                  (1)
//
// n is the flank's outward normal. Gaps of internal gears have the form of teeth of external ones; the normal of the
// material is −n. Flanks of racks are planes.
//
// The root is cut by a rack whose tips, rounded by ρ_f, reach h_f = (h_a + c) m below its reference line. The centre
// of the rounding is b = h_f − ρ_f − x m below the pitch line and a = π m_t/4 + j/2 − (h_f − ρ_f) tan α − ρ_f/cos
// α off
// the middle of the gap. While the normal of the cut turns from ν = α to π/2 it cuts at d = b/sin ν + ρ_f from the
// pitch point, in the gear at (r − d sin ν, d cos ν) turned by (a − b cot ν)/r.

// Tooth is the transverse section of a gear's teeth, derived from its parameters.
type Tooth struct {
	gear     *Gear
	modified bool

	// R, RBase, RTip and RRoot are radii of the pitch, base, tip and root circle, m; of a rack RTip and RRoot are
	// heights over its pitch line, R and RBase are 0.
	R, RBase, RTip, RRoot float64
	// Alpha is the transverse pressure angle, rad.
	Alpha float64
	// HalfBase is the half angle of a tooth (internal: of a gap) at the base circle, rad; of a rack half the
	// thickness
	// at the pitch line, m.
	HalfBase float64
	// Pitch is the angle from tooth to tooth, rad; of a rack the distance, m.
	Pitch float64
	// SFoot and STip are path lengths s = r_b t of the ends of a flank, m; of a rack heights over sin α.
	SFoot, STip float64

	a, b, rho float64 // of the rounding that cuts the root
}

// Tooth returns the section of the gear's teeth; parameters are not checked.
func (g *Gear) Tooth() Tooth { return g.toothOf(float64(g.Teeth)) }

// toothOf returns the section for z teeth, which may be no whole number.
func (g *Gear) toothOf(z float64) Tooth {
	mt, alpha := g.transverse()
	m := g.Module
	t := Tooth{gear: g, Alpha: alpha}
	t.modified = g.TipRelief.Amount != 0 || g.RootRelief.Amount != 0 || g.ProfileCrowning != 0 || g.LeadCrowning != 0
	hf := (g.Addendum + g.Clearance) * m
	t.rho = g.Fillet * m
	t.a = math.Pi*mt/4 + g.Thinning/2 - (hf-t.rho)*math.Tan(alpha) - t.rho/math.Cos(alpha)
	if g.Form == Rack {
		t.Pitch = math.Pi * mt
		t.HalfBase = math.Pi*mt/4 - g.Thinning/2
		t.RTip, t.RRoot = g.Addendum*m, -hf
		t.b = hf - t.rho
		t.STip = t.RTip / math.Sin(alpha)
		t.SFoot = -(hf - t.rho*(1-math.Sin(alpha))) / math.Sin(alpha)
		return t
	}
	t.R = z * mt / 2
	t.RBase = t.R * math.Cos(alpha)
	t.Pitch = 2 * math.Pi / z
	e, thinning := 1.0, g.Thinning
	if g.Form == Internal {
		e, thinning = -1, -g.Thinning
	}
	t.HalfBase = (math.Pi*mt/2+2*g.Shift*m*math.Tan(alpha)-thinning)/(2*t.R) + Inv(alpha)
	t.RTip = t.R + (e*g.Addendum+g.Shift)*m
	t.RRoot = t.R + (-e*(g.Addendum+g.Clearance)+g.Shift)*m
	if g.TipDiameter != 0 {
		t.RTip = g.TipDiameter / 2
	}
	t.STip = t.RBase * rollAt(t.RBase, t.RTip)
	if g.Form == Internal {
		t.SFoot = t.RBase * rollAt(t.RBase, t.RRoot)
		return t
	}
	t.b = hf - t.rho - g.Shift*m
	t.SFoot = t.R*math.Sin(alpha) - t.b/math.Sin(alpha) - t.rho
	return t
}

// HalfAt returns the half angle of a tooth at a radius of the flank, rad; of a rack its half thickness at a
// height, m.
func (t *Tooth) HalfAt(radius float64) float64 {
	if t.gear.Form == Rack {
		return t.HalfBase - radius*math.Tan(t.Alpha)
	}
	roll := rollAt(t.RBase, radius)
	half := t.HalfBase - (roll - math.Atan(roll))
	if t.gear.Form == Internal {
		half = t.Pitch/2 - half
	}
	return half
}

// radiusAt returns the radius at the path length s, m.
func (t *Tooth) radiusAt(s float64) float64 { return math.Hypot(t.RBase, s) }

// fillet returns a point of the root whose normal of the cut has the angle nu: half angle from the middle of the
// tooth,
// rad, and radius, m.
func (t *Tooth) fillet(nu float64) (half, radius float64) {
	sin, cos := math.Sincos(nu)
	d := t.b/sin + t.rho
	x, y := d*cos, t.R-d*sin
	return t.Pitch/2 - (math.Atan2(x, y) + (t.a-t.b*cos/sin)/t.R), math.Hypot(x, y)
}

// middle returns the angle of the middle of tooth k (internal: of gap k), rad; of a rack its place, m.
func (t *Tooth) middle(k int) float64 {
	at := t.Pitch * float64(k)
	switch f := t.gear.displacement(k); {
	case t.gear.Form == Rack:
		at += f
	case f != 0:
		at += f / t.R
	}
	if t.gear.Form == Internal {
		at += t.Pitch / 2
	}
	return at
}
