package hydroelastic

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// NewCapsule returns the field of a cylinder about the z axis with a half ball on each
// end, of the given radius R and length of the straight part (m), centred in its frame.
// With d the distance to the axis segment
//
//	p = E (1 − d/R)
//
// at the vertices.
func NewCapsule(radius, length float64, opt Options) (*Compliant, error) {
	if err := checkLength("capsule", "radius", radius); err != nil {
		return nil, err
	}
	if err := checkLength("capsule", "length of the straight part", length); err != nil {
		return nil, err
	}
	opt, err := opt.checked("capsule", 2*math.Hypot(math.Sqrt2*radius, length/2+radius))
	if err != nil {
		return nil, err
	}
	// Sides around the axis, rings on each half ball, layers of the straight part.
	sides := 2 * opt.pieces(math.Pi*radius, 4)
	rings := opt.pieces(math.Pi/2*radius, 2)
	layers := opt.pieces(length, 2)
	if err := opt.checkCells("capsule", float64(sides)*(2*float64(rings)+float64(layers))); err != nil {
		return nil, err
	}
	b := &builder{}
	edge := -opt.HydroelasticModulus * opt.Margin / radius
	// The vertices at fraction z of the segment, in direction i, on ring j from the
	// equator to the pole.
	at := func(i, j int, z float64) (outer, inner int32) {
		axis := r3.Vec{0, 0, z * length / 2}
		u := r3.Vec{0, 0, math.Copysign(1, z)}
		if j < rings {
			s, c := math.Sincos(math.Pi / 2 * float64(j) / float64(rings))
			x, y := circle(i, sides)
			u = r3.Vec{c * x, c * y, math.Copysign(s, z)}
		}
		return b.vertex(axis.AddScaled(radius+opt.Margin, u), edge), b.vertex(axis, opt.HydroelasticModulus)
	}
	type corner struct {
		i, j int
		z    float64
	}
	// One column over three or four such places.
	add := func(c ...corner) {
		var outer, inner [4]int32
		for k, v := range c {
			outer[k], inner[k] = at(v.i, v.j, v.z)
		}
		b.column(outer[:len(c)], inner[:len(c)])
	}
	// Sector by sector: the straight part, then both half balls.
	for i := range sides {
		for k := range layers {
			lo, hi := symmetric(k, layers), symmetric(k+1, layers)
			add(corner{i, 0, lo}, corner{i + 1, 0, lo}, corner{i + 1, 0, hi}, corner{i, 0, hi})
		}
		for _, z := range [2]float64{1, -1} {
			a, c := i, i+1
			// The lower half ball runs the other way round.
			if z < 0 {
				a, c = c, a
			}
			for j := range rings - 1 {
				add(corner{a, j, z}, corner{c, j, z}, corner{c, j + 1, z}, corner{a, j + 1, z})
			}
			add(corner{a, rings - 1, z}, corner{c, rings - 1, z}, corner{a, rings, z})
		}
	}
	return b.build(opt, radius), nil
}
