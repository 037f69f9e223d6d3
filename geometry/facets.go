package geometry

// The pressure field of a round shape is linear between vertices on its surface, so that
// its facets lie inside of the surface and contact is softer. A facet with sides of h on a
// surface with the radius of curvature R lies h²/(8R) inside on the mean, so that a ball
// pressed in by δ, with F ∝ δ², has the relative error of force
//
//	2 h²/(8R) / δ,                                                        (1)
//
// if all sides were h. Measured over orientations, fields with the hint h have at most
//
//	e = c h²/δ,                                                           (2)
//
// with c R = 0.5 of balls, and 0.2 of the straight sides of capsules and cylinders (F ∝
// δ^{3/2}, facets h²/(12R) inside). With hydroelastic.Options.EqualVolume the facets lie
// across the surface; the mean error vanishes, and c R of what remains is 0.12 and 0.03. An ellipsoid is a ball that is
// stretched: with the semi-axis s in the direction of contact and the longest one l, c = 0.5 s/l² and 0.12 s/l².

import "math"

// Facets describes the facets of the pressure field of a round shape at the point of
// least curvature, where it rests on a plane.
type Facets struct {
	// Radius is the radius of curvature there, m.
	Radius float64
	// Length is the length of the straight line on which the shape rests, m; 0: it rests on a
	// point.
	Length float64
	// Inscribed and EqualVolume are the coefficients c of the relative force error c
	// h²/δ, 1/m: of facets with corners on the surface, and of facets that enclose
	// the volume of the round shape.
	Inscribed, EqualVolume float64
}

// Round is a shape whose pressure field has facets in place of a round surface.
type Round interface {
	Shape
	// Facets returns the facets that touch a plane on which the shape rests, with the
	// coefficients of their force error.
	Facets() Facets
}

// Facets implements Round.
func (s *Sphere) Facets() Facets { return Facets{s.Radius, 0, 0.5 / s.Radius, 0.12 / s.Radius} }

// Facets implements Round. An ellipsoid rests across its shortest axis, where the mean
// radius of curvature √(R1 R2) counts: F = π s δ² √(R1 R2).
func (e *Ellipsoid) Facets() Facets {
	a, b, c := e.Semi[0], e.Semi[1], e.Semi[2]
	long, short := max(a, b, c), min(a, b, c)
	stretch := short / (long * long)
	return Facets{a * b * c / (short * short), 0, 0.5 * stretch, 0.12 * stretch}
}

// Facets implements Round, of the side.
func (c *Capsule) Facets() Facets {
	return Facets{c.Radius, 2 * c.HalfLength, 0.2 / c.Radius, 0.03 / c.Radius}
}

// Facets implements Round, of the round side.
func (c *Cylinder) Facets() Facets {
	return Facets{c.Radius, 2 * c.HalfLength, 0.2 / c.Radius, 0.03 / c.Radius}
}

// softening returns c of (2).
func (f Facets) softening(equalVolume bool) float64 {
	if equalVolume {
		return f.EqualVolume
	}
	return f.Inscribed
}

// Error returns the largest relative error of the force of a field with the resolution
// hint (m) at a depth (m): (2), at most 1.
func (f Facets) Error(hint, depth float64, equalVolume bool) float64 {
	if depth <= 0 {
		return 1
	}
	return min(1, f.softening(equalVolume)*hint*hint/depth)
}

// Hint returns the resolution hint (m) at which the error at a depth (m) is e: (2).
func (f Facets) Hint(e, depth float64, equalVolume bool) float64 {
	return math.Sqrt(e * depth / f.softening(equalVolume))
}

// RestDepth returns the static depth (m) of the shape in a plane under a weight (N),
// where the pressure grows by slope (Pa/m):
//
//	W = slope (π R δ² + 4/3 L √(2R) δ^{3/2})                              (3)
func (f Facets) RestDepth(slope, weight float64) float64 {
	// Bisect below the depth of the first term alone.
	least, most := 0.0, math.Sqrt(weight/(slope*math.Pi*f.Radius))
	line := 4.0 / 3 * f.Length * math.Sqrt(2*f.Radius)
	for range 60 {
		x := (least + most) / 2
		if slope*(math.Pi*f.Radius*x*x+line*x*math.Sqrt(x)) < weight {
			least = x
		} else {
			most = x
		}
	}
	return most
}
