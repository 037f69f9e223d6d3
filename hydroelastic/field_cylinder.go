package hydroelastic

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// NewCylinder returns the field of a round cylinder about the z axis, centred in its
// frame, of the given radius and full length (m). The round side is a prism inscribed in
// it; with d the distance to its surface and c that of the medial core, which is a
// segment of the axis or, in a flat cylinder, a disk,
//
//	p = E d/c.
func NewCylinder(radius, length float64, opt Options) (*Compliant, error) {
	if err := checkLength("cylinder", "radius", radius); err != nil {
		return nil, err
	}
	if err := checkLength("cylinder", "length", length); err != nil {
		return nil, err
	}
	half := length / 2
	opt, err := opt.checked("cylinder", 2*math.Hypot(math.Sqrt2*radius, half))
	if err != nil {
		return nil, err
	}
	// The medial core is as deep as the nearer of side and cap allows.
	depth := min(radius, half)
	y := cylinder{
		builder: &builder{}, modulus: opt.HydroelasticModulus,
		// The number of sides is even, so that both halves are alike.
		sides: 2 * opt.pieces(math.Pi*radius, 4),
		rings: opt.pieces(radius, 1), layers: opt.pieces(length, 2),
		outer: [2]float64{radius + opt.Margin, half + opt.Margin},
		edge:  -opt.HydroelasticModulus * opt.Margin / depth,
	}
	if err := opt.checkCells("cylinder", float64(y.sides)*(2*float64(y.rings)+float64(y.layers))); err != nil {
		return nil, err
	}
	// The core: a disk of radius core[0], or a segment of half length core[1].
	if d := radius - half; d > 1e-6*depth {
		y.core[0] = d
	} else if d < -1e-6*depth {
		y.core[1] = -d
	}
	// Round sides and core grow together, so that the depth between them stays.
	if opt.EqualVolume {
		grow := radius * (polygonScale(y.sides) - 1)
		y.outer[0] += grow
		if y.core[0] > 0 {
			y.core[0] += grow
		}
	}
	for i := range y.sides {
		y.side(i)
		y.caps(i)
	}
	return y.build(opt, depth), nil
}

// cylinder is a cylinder that is cut into columns.
type cylinder struct {
	*builder
	// numbers of cells around, along the radius of a cap, and along the axis
	sides, rings, layers int
	// pressures of the core and of the outer surface, Pa
	modulus, edge float64
	// radius and half length, m
	outer, core [2]float64
}

// spot is a place on the cylinder: direction i, fractions of radius and half length.
type spot struct {
	i    int
	r, z float64
}

// at returns the vertex at a place of the outer surface or the core.
func (y *cylinder) at(size [2]float64, p float64, s spot) int32 {
	cos, sin := circle(s.i, y.sides)
	r := s.r * size[0]
	return y.vertex(r3.Vec{r * cos, r * sin, s.z * size[1]}, p)
}

// quad adds the column over four places, counter-clockwise seen from outside.
func (y *cylinder) quad(c [4]spot) {
	var outer, inner [4]int32
	for k, v := range c {
		outer[k] = y.at(y.outer, y.edge, v)
		inner[k] = y.at(y.core, y.modulus, v)
	}
	y.column(outer[:], inner[:])
}

// side adds the columns of one facet of the round side.
func (y *cylinder) side(i int) {
	for j := range y.layers {
		lo, hi := symmetric(j, y.layers), symmetric(j+1, y.layers)
		y.quad([4]spot{{i, 1, lo}, {i + 1, 1, lo}, {i + 1, 1, hi}, {i, 1, hi}})
	}
}

// caps adds the columns of one sector of both ends, ring by ring.
func (y *cylinder) caps(i int) {
	for j := range y.rings {
		// Fractions of the radius on both sides of the ring.
		in, out := float64(j)/float64(y.rings), float64(j+1)/float64(y.rings)
		for _, z := range [2]float64{1, -1} {
			a, b := i, i+1
			// The lower cap runs the other way round.
			if z < 0 {
				a, b = b, a
			}
			y.quad([4]spot{{a, out, z}, {b, out, z}, {b, in, z}, {a, in, z}})
		}
	}
}
