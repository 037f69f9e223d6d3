package parts

// Involute teeth in the transverse plane (DIN 3960, Litvin & Fuentes 2004). With
// normal module m, normal pressure angle α_n, helix angle β at the pitch circle,
// z teeth, profile shift x and teeth thinned by j at the pitch circle,
//
//	m_t = m/cos β,  tan α = tan α_n/cos β                                   (1)
//	r = z m_t/2,  r_b = r cos α                                             (2)
//	ψ = (π m_t/2 + 2 x m tan α − j)/(2 r)   half angle of a tooth at r      (3)
//	inv α = tan α − α                                                       (4)
//	ψ(t) = ψ + inv α − (t − atan t),  ρ(t) = r_b √(1 + t²)                  (5)
//
// is the flank, t the tangent of its pressure angle at radius ρ (the roll angle).
// Nodes equally spaced in t^(3/2) give chords of equal deviation r_b t Δt²/8.
//
// The root is what a rack cuts whose teeth, with tips rounded by ρ_f, reach
// h_f = (h_a + c) m below its reference line. The centre of the rounding lies
//
//	b = h_f − ρ_f − x m                                  below the pitch line (6)
//	a = π m_t/4 + j/2 − (h_f − ρ_f) tan α − ρ_f/cos α     off the gap's middle  (7)
//
// and, as the contact's normal turns from the flank's (ν = α) to the radius
// (ν = π/2), always through the pitch point, the rack cuts at the distance
//
//	d = b/sin ν + ρ_f                                                       (8)
//
// from the pitch point: in the gear at radius and angle from the gap's middle
//
//	(r − d sin ν, d cos ν) in Cartesian form, turned by (a − b cot ν)/r      (9)
//
// It joins the flank at roll t = tan α − d(α)/r_b                          (10)
// and undercuts it if that is negative.

import (
	"math"
)

// profile is an external involute tooth in the transverse plane, its middle at
// angle zero. Lengths in m, angles in rad.
// The equations are those of straight gears in the transverse plane; helical
// gears have the same tooth there, turned along the axis.
type profile struct {
	// number of teeth
	z int
	// π/z, half the angle of tooth and gap
	half float64
	// pitch and base radius (2)
	r, rb float64
	// tip and root radius
	ra, rf float64
	// transverse pressure angle (1)
	alpha float64
	// half angle of the tooth at the pitch circle (3)
	psi float64
	// roll where the flank begins (10) and at the tip
	t0, t1 float64
	// centre and radius of the root rounding (6) (7)
	a, b, rho float64
}

// inv is the involute function (4).
func inv(alpha float64) float64 { return math.Tan(alpha) - alpha } // (4)

// flank returns the half angle of the tooth, rad, and the radius, m, at roll t
// (5).
func (p *profile) flank(t float64) (psi, radius float64) {
	return p.psi + inv(p.alpha) - (t - math.Atan(t)), p.rb * math.Sqrt(1+t*t)
}

// halfAt returns the half angle of the tooth, rad, at a radius of the flank, m.
func (p *profile) halfAt(radius float64) float64 {
	psi, _ := p.flank(rollAt(p.rb, radius))
	return psi
}

// rollAt returns the roll at a radius, √((ρ/r_b)² − 1); 0 below the base
// circle.
func rollAt(rb, radius float64) float64 {
	return math.Sqrt(max(0, (radius/rb-1)*(radius/rb+1)))
}

// fillet returns the point of the root at which the contact's normal has the
// angle nu, as half angle from the tooth's middle, rad, and radius, m (8) (9).
func (p *profile) fillet(nu float64) (psi, radius float64) {
	sin, cos := math.Sincos(nu)
	d := p.b/sin + p.rho
	x, y := d*cos, p.r-d*sin
	return p.half - (math.Atan2(x, y) + (p.a-p.b*cos/sin)/p.r), math.Hypot(x, y)
}

// flankCurve is the flank from foot to tip over s in [0, 1], on the side of
// positive angles. Equal steps of s give chords of equal deviation.
func (p *profile) flankCurve(s float64) vec2 {
	u0, u1 := math.Pow(p.t0, 1.5), math.Pow(p.t1, 1.5)
	t := math.Pow(u0+s*(u1-u0), 2.0/3)
	psi, r := p.flank(t)
	return polar(r, psi)
}

// filletCurve is the root from the root circle to the flank over s in [0, 1].
func (p *profile) filletCurve(s float64) vec2 {
	psi, r := p.fillet(math.Pi/2 + s*(p.alpha-math.Pi/2))
	return polar(r, psi)
}

// landAngle returns the half angle from the tooth's middle, rad, at which the
// root circle begins.
func (p *profile) landAngle() float64 { return p.half - p.a/p.r }
