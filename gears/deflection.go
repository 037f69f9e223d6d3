package gears

import "math"

// Deflection of teeth by Weber and Banaschek (C. Weber, The Deformations of Loaded Gears and the Effect on Their
// Load-Carrying Capacity, DSIR 1949; C. Weber, K. Banaschek, Formänderung und Profilrücknahme bei gerad- und
// schrägverzahnten
// Rädern, 1953). A force per width w acts along the normal of a flank, at the angle α_F to the perpendicular of the
// tooth's middle line, and crosses that line at the height y_p over the root. With the half thickness x(y), plane
// strain, E' = E/(1 − ν²), the flank gives along the normal by
//
//	δ_bend/w = cos²α_F/E' { 12 ∫ (y_p − y)²/(2x)³ dy + [2.4/(1−ν) + tan²α_F] ∫ dy/(2x) }            (1)
//	δ_root/w = cos²α_F/E' { 18/π (y_p/s)² + 2(1−2ν)/(1−ν) y_p/s + 4.8/π [1 + (1−ν)/2.4 tan²α_F] }   (2)
//
// integrals over 0 to y_p, s = 2x(0) the thickness at the root. (2) is the rotation and displacement of the
// half-plane on
// which the tooth stands; for ν = 0.3 and multiplied by 1 − ν² its coefficients are 5.2, 1 and 1.4 (1 + 0.294
// tan²α_F).
// (1) is bending, shear and compression: 10.92, 3.1 (1 + 0.294 tan²α_F).
//
// Teeth of helical gears are taken in the normal section, as those of a straight gear of z/(cos²β_b cos β) teeth.

// outline is the half outline of a tooth: heights over the root and half thicknesses, from the root upwards, m.
type outline struct {
	y, x []float64
	// origin is the place on the tooth's middle where heights begin, m from the axis (of a rack from the pitch
	// line).
	origin float64
}

// Points of an outline along the root's rounding and along the flank.
const (
	rootPoints  = 60
	flankPoints = 120
)

// normalSection returns the straight gear whose teeth have the form of this gear's in the normal section, and that
// section, of which the number of teeth is no whole number.
func (g *Gear) normalSection() (Gear, Tooth) {
	v := *g
	v.Helix = 0
	v.Thinning *= math.Cos(g.Helix)
	if g.Form != Rack && g.TipDiameter != 0 { // the same height over the pitch circle
		t := g.Tooth()
		v.Addendum = math.Abs(t.RTip-t.R-g.Shift*g.Module) / g.Module
		v.Clearance, v.TipDiameter = g.Addendum+g.Clearance-v.Addendum, 0
	}
	cb := math.Cos(g.BaseHelix())
	return v, v.toothOf(float64(g.Teeth) / (cb * cb * math.Cos(g.Helix)))
}

// outline returns the outline of a tooth of a straight gear.
func (t *Tooth) outline() (o outline) {
	up := 1.0
	if t.gear.Form == Internal {
		up = -1
	}
	add := func(half, radius float64) {
		sin, cos := math.Sincos(half)
		o.x, o.y = append(o.x, radius*sin), append(o.y, up*radius*cos)
	}
	flank := func(from float64) {
		for i := range flankPoints + 1 {
			r := from + (t.RTip-from)*float64(i)/flankPoints
			if t.gear.Form == Rack {
				o.x, o.y = append(o.x, t.HalfAt(r)), append(o.y, r)
			} else {
				add(t.HalfAt(r), r)
			}
		}
	}
	switch t.gear.Form {
	case Rack: // an arc tangent to root and flank
		foot := t.SFoot * math.Sin(t.Alpha)
		center := t.HalfAt(foot) + t.rho*math.Cos(t.Alpha)
		for i := range rootPoints {
			sin, cos := math.Sincos(rootNormal(t.Alpha, i))
			o.x, o.y = append(o.x, center-t.rho*cos), append(o.y, t.RRoot+t.rho*(1-sin))
		}
		flank(foot)
	case Internal:
		flank(t.RRoot)
	default:
		for i := range rootPoints {
			add(t.fillet(rootNormal(t.Alpha, i)))
		}
		flank(t.radiusAt(math.Max(0, t.SFoot)))
	}
	o.origin = up * o.y[0]
	y0 := o.y[0]
	for i := range o.y {
		o.y[i] -= y0
	}
	return o
}

// rootNormal returns the angle of the cut's normal at a point of the root, from π/2 down to the pressure angle.
func rootNormal(alpha float64, i int) float64 {
	return math.Pi/2 + (alpha-math.Pi/2)*float64(i)/rootPoints
}

// integrals returns ∫ (y_p − y)²/(2x)³ dy, 1/m⁰, and ∫ dy/(2x) over 0 to y_p, with 1/(2x) linear between points.
func (o *outline) integrals(yp float64) (bend, shear float64) {
	for i := 1; i < len(o.y); i++ {
		y0, y1 := o.y[i-1], o.y[i]
		if y0 >= yp {
			break
		}
		u0, u1 := 1/(2*o.x[i-1]), 1/(2*o.x[i])
		if y1 > yp {
			u1 = u0 + (u1-u0)*(yp-y0)/(y1-y0)
			y1 = yp
		}
		// Gauss-Legendre with three points
		for _, q := range [3][2]float64{{-math.Sqrt(0.6), 5.0 / 18}, {0, 8.0 / 18}, {math.Sqrt(0.6), 5.0 / 18}} {
			at := (1 + q[0]) / 2
			u, arm := u0+(u1-u0)*at, yp-(y0+(y1-y0)*at)
			bend += q[1] * (y1 - y0) * arm * arm * u * u * u
			shear += q[1] * (y1 - y0) * u
		}
	}
	return bend, shear
}

// Deflection is how the teeth of a gear give under a line load at a point of the flank.
type Deflection struct {
	// Bend and Root are (1) and (2), m²/N: deflections along the normal over force per width.
	Bend, Root float64
	// Depth is the distance of the flank from the tooth's middle along the normal, m.
	Depth float64
}

// deflector has what deflections of a gear are computed from.
type deflector struct {
	gear  *Gear
	tooth Tooth // of the normal section
	form  outline
}

// newDeflector returns the deflector of a gear.
func newDeflector(g *Gear) *deflector {
	d := &deflector{}
	v, t := g.normalSection()
	d.gear, d.tooth = &v, t
	d.tooth.gear = d.gear
	d.form = d.tooth.outline()
	return d
}

// load returns the angle of a flank's normal to the perpendicular of the tooth's middle, rad, the height over the
// root
// at which it crosses the middle, and how deep that lies below the flank, m, at a height over the pitch circle, m.
func (d *deflector) load(height float64) (angle, yp, depth float64) {
	t := &d.tooth
	switch d.gear.Form {
	case Rack:
		half := t.HalfAt(height)
		return t.Alpha, height - half*math.Tan(t.Alpha) - d.form.origin, half / math.Cos(t.Alpha)
	case Internal: // the normal leans away from the axis, into the root
		radius := t.R + height
		half := t.HalfAt(radius)
		angle = half + math.Atan(rollAt(t.RBase, radius))
		sin, cos := math.Sincos(half)
		return angle, d.form.origin - radius*(cos+sin*math.Tan(angle)), radius * sin / math.Cos(angle)
	default: // tangent of the base circle
		roll := rollAt(t.RBase, t.R+height)
		angle = roll - t.HalfBase
		return angle, t.RBase/math.Cos(angle) - d.form.origin, t.RBase * (roll - math.Tan(angle))
	}
}

// at returns the deflection at a height over the pitch circle, m.
func (d *deflector) at(height float64) Deflection {
	angle, yp, depth := d.load(height)
	yp = math.Max(yp, 0)
	nu := d.gear.Material.Nu
	sin, cos := math.Sincos(angle)
	tan2 := (sin / cos) * (sin / cos)
	bend, shear := d.form.integrals(yp)
	u := yp / (2 * d.form.x[0])
	c := cos * cos * (1 - nu*nu) / d.gear.Material.E
	return Deflection{
		Bend:  c * (12*bend + (2.4/(1-nu)+tan2)*shear),
		Root:  c * (18/math.Pi*u*u + 2*(1-2*nu)/(1-nu)*u + 4.8/math.Pi*(1+(1-nu)/2.4*tan2)),
		Depth: depth,
	}
}
