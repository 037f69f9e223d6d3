package gears

import "math"

// ISOStiffness are stiffnesses of ISO 6336-1:2006, clause 9, method B, in N/(mm µm), which are GPa.
type ISOStiffness struct {
	// Theoretical is c'_th = 1/q' of the series for the theory of Weber and Banaschek (solid discs, steel).
	Theoretical float64
	// Single is c' of one pair of teeth, the largest along its path.
	Single float64
	// Mesh is c_γα, the mean over the path of all pairs.
	Mesh float64
}

// correction is C_M, by which measured teeth are softer than the theory.
const correction = 0.8

// ISO returns stiffnesses of ISO 6336-1 at the tangential force per face width, N/m:
//
//	q' = 0.04723 + 0.15551/z_n1 + 0.25791/z_n2 − 0.00635 x_1 − 0.11654 x_1/z_n1
//	     − 0.00193 x_2 − 0.24188 x_2/z_n2 + 0.00529 x_1² + 0.00182 x_2²
//	c' = c'_th C_M C_R C_B cos β,  C_B = [1 + 0.5 (1.2 − h_fP/m)] [1 − 0.02 (20° − α_n)]
//	c_γα = c' (0.75 ε_α + 0.25)
//
// with C_M = 0.8, C_R = 1 for solid discs, C_B the mean of both racks, and z_n = z/(cos²β_b cos β), infinite for
// internal gears and racks. Below 100 N/mm c' falls with the power 0.25 of the load; for other materials it is
// proportional to 2 E_1 E_2/(E_1 + E_2). The standard gives the range −0.5 ≤ x_1 + x_2 ≤ 2, x_1 ≥ x_2, β ≤ 45°,
// ε_α ≥ 1.2.
func (p *Pair) ISO(load float64) ISOStiffness {
	a, b := &p.A, &p.B
	cb := math.Cos(a.BaseHelix())
	normal := cb * cb * math.Cos(a.Helix)
	i1, i2 := normal/float64(a.Teeth), normal/float64(b.Teeth)
	x1, x2 := a.Shift, b.Shift
	switch {
	case b.Form != External:
		i2, x2 = 0, 0
	case a.Teeth > b.Teeth: // the pinion is the first
		i1, i2, x1, x2 = i2, i1, x2, x1
	}
	q := 0.04723 + 0.15551*i1 + 0.25791*i2 - 0.00635*x1 - 0.11654*x1*i1 - 0.00193*x2 - 0.24188*x2*i2 + 0.00529*x1*x1 + 0.00182*x2*x2
	rack := func(g *Gear) float64 {
		return (1 + 0.5*(1.2-(g.Addendum+g.Clearance))) * (1 - 0.02*(20-g.PressureAngle*deg))
	}
	c := ISOStiffness{Theoretical: 1 / q}
	ea, eb := a.Material.E, b.Material.E
	c.Single = c.Theoretical * correction * (rack(a) + rack(b)) / 2 * math.Cos(a.Helix) * (2 * ea * eb / (ea + eb) / Steel.E)
	if load < 100e3 {
		c.Single *= math.Pow(math.Max(load, 1)/100e3, 0.25)
	}
	c.Mesh = c.Single * (0.75*p.ContactRatio + 0.25)
	return c
}
