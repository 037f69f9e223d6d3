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
	// The grid: sides around the axis are even in number, so that both halves are alike.
	m := capsuleMesh{
		radius: radius, half: length / 2, margin: opt.Margin, modulus: opt.HydroelasticModulus,
		edge:  -opt.HydroelasticModulus * opt.Margin / radius,
		sides: 2 * opt.pieces(math.Pi*radius, 4), rings: opt.pieces(math.Pi/2*radius, 2), layers: opt.pieces(length, 2),
	}
	if err := opt.checkCells("capsule", float64(m.sides)*(2*float64(m.rings)+float64(m.layers))); err != nil {
		return nil, err
	}
	// The gradient of the field does not change with the size of the mesh.
	if opt.EqualVolume {
		k := polygonScale(m.sides)
		m.radius, m.modulus = k*radius, k*opt.HydroelasticModulus
	}
	for i := range m.sides {
		m.straight(i)
		m.end(i, 1)
		m.end(i, -1)
	}
	return m.build(opt, radius), nil
}

// capsuleMesh is a capsule that is cut into columns.
type capsuleMesh struct {
	builder
	// radius, half of the straight part and width of the margin, m
	radius, half, margin float64
	// pressures on the axis and on the outer surface, Pa
	modulus, edge float64
	// numbers of cells around the axis, on each half ball from the equator to the pole,
	// and along the straight part
	sides, rings, layers int
}

// capsulePlace is a place on the surface: direction i around the axis, ring j of a half
// ball, fraction z of the half segment.
type capsulePlace struct {
	i, j int
	z    float64
}

// at returns the vertices at a place, on the outer surface and on the axis.
func (m *capsuleMesh) at(p capsulePlace) (outer, inner int32) {
	axis := r3.Vec{0, 0, p.z * m.half}
	u := r3.Vec{0, 0, math.Copysign(1, p.z)} // the pole
	if p.j < m.rings {
		s, c := math.Sincos(math.Pi / 2 * float64(p.j) / float64(m.rings))
		x, y := circle(p.i, m.sides)
		u = r3.Vec{c * x, c * y, math.Copysign(s, p.z)}
	}
	return m.vertex(axis.AddScaled(m.radius+m.margin, u), m.edge), m.vertex(axis, m.modulus)
}

// add adds the column over three or four places, counter-clockwise seen from outside.
func (m *capsuleMesh) add(places ...capsulePlace) {
	var outer, inner [4]int32
	for k, p := range places {
		outer[k], inner[k] = m.at(p)
	}
	m.column(outer[:len(places)], inner[:len(places)])
}

// straight adds the columns of sector i of the straight part.
func (m *capsuleMesh) straight(i int) {
	for k := range m.layers {
		lo, hi := symmetric(k, m.layers), symmetric(k+1, m.layers)
		m.add(capsulePlace{i, 0, lo}, capsulePlace{i + 1, 0, lo}, capsulePlace{i + 1, 0, hi}, capsulePlace{i, 0, hi})
	}
}

// end adds the columns of sector i of the half ball at z = ±1.
func (m *capsuleMesh) end(i int, z float64) {
	a, c := i, i+1
	// The lower half ball runs the other way round.
	if z < 0 {
		a, c = c, a
	}
	for j := range m.rings - 1 {
		m.add(capsulePlace{a, j, z}, capsulePlace{c, j, z}, capsulePlace{c, j + 1, z}, capsulePlace{a, j + 1, z})
	}
	m.add(capsulePlace{a, m.rings - 1, z}, capsulePlace{c, m.rings - 1, z}, capsulePlace{a, m.rings, z})
}
