package parts

// Rings in a regular grid: cells across the wall times layers along the axis
// times steps around. Unlike a solid of revolution with the same profile, the
// section needs no triangulation, and even numbers of cells put vertices in the
// middle of the wall.
//
// Surface and tets have different facets on the end faces, but the same sides:
// chords around are shared.

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
)

// Ring is a washer or tube, meshed in a regular grid.
type Ring struct {
	// Outer is the outer diameter, m.
	Outer float64
	// Inner is the inner diameter, m.
	Inner float64
	// Length is the extent along z, m.
	Length float64
	Resolution
}

// DefaultRing returns a washer.
func DefaultRing() Ring { return Ring{Outer: 10e-3, Inner: 6e-3, Length: 1e-3} }

// Check returns an error with the faulty parameter and its remedy, or nil.
func (r Ring) Check() error {
	c := checker{part: "ring"}
	r.check(&c)
	return c.err
}

// check records the first fault of the parameters.
func (r Ring) check(c *checker) {
	c.positive("outer diameter", r.Outer)
	c.positive("inner diameter", r.Inner)
	c.require(r.Inner < r.Outer, "inner diameter %.6g m is not below the outer diameter %.6g m", r.Inner, r.Outer)
	c.positive("length", r.Length)
	c.resolution(r.Resolution, r.chord(), r.Outer)
	if c.err == nil {
		across, layers := r.cells()
		c.room(float64((across+1)*(layers+1)) * float64(aroundCircle(r.Outer/2, r.chord())))
	}
}

// chord returns the chord error in use, m.
func (r Ring) chord() float64 { return or(r.Chord, 0.002*r.Outer) }

// cells returns the numbers of cells across the wall and along the axis.
func (r Ring) cells() (across, layers int) {
	across = or(r.Across, 2)
	cell := (r.Outer - r.Inner) / 2 / float64(across)
	return across, or(r.Layers, int(min(200, max(2, math.Round(r.Length/cell)))))
}

// revolve returns the ring as a solid of revolution.
func (r Ring) revolve() Revolve {
	h := r.Length / 2
	return Revolve{Profile: [][2]float64{{r.Inner / 2, -h}, {r.Outer / 2, -h}, {r.Outer / 2, h}, {r.Inner / 2, h}}, Chord: r.chord()}
}

// Tets returns the ring as tetrahedra, by default two cells across the wall.
func (r Ring) Tets() (*meshes.Tet, error) {
	c := checker{part: "ring"}
	r.check(&c)
	if c.err != nil {
		return nil, c.err
	}
	across, layers := r.cells()
	// A grid of the section, divided so that no corner has a triangle of its
	// own.
	s := &section{}
	for i := range layers + 1 {
		for j := range across + 1 {
			s.add(vec2{r.Inner/2 + (r.Outer-r.Inner)/2*float64(j)/float64(across), r.Length * float64(2*i-layers) / float64(2*layers)})
		}
	}
	for i := range layers {
		for j := range across {
			a := int32(i*(across+1) + j)
			b, d := a+1, a+int32(across)+1
			e := d + 1
			// No corner of the section is cut off, where fields would vanish.
			if (2*i+1 <= layers) == (2*j+1 <= across) {
				s.tris = append(s.tris, [3]int32{a, b, e}, [3]int32{a, d, e})
			} else {
				s.tris = append(s.tris, [3]int32{a, b, d}, [3]int32{b, d, e})
			}
		}
	}
	sides := aroundCircle(r.Outer/2, r.chord())
	m, err := s.around(sides, &c)
	if err != nil {
		return nil, err
	}
	m.Cells = r.hexahedra(across, layers, sides)
	return m, nil
}

// hexahedra returns the grid's cells, whose six tets come from two triangles of the section.
func (r Ring) hexahedra(across, layers, sides int) *meshes.Cells {
	out := &meshes.Cells{}
	n := int32((across + 1) * (layers + 1)) // vertices of the section
	for k := range sides {
		lo, hi := int32(k)*n, int32((k+1)%sides)*n
		for i := range layers {
			for j := range across {
				a := int32(i*(across+1) + j)
				b, d := a+1, a+int32(across)+1
				e := d + 1
				cell := int32(len(out.Hexes))
				// radius, z and angle are left-handed
				out.Hexes = append(out.Hexes, [8]int32{lo + a, lo + d, lo + e, lo + b, hi + a, hi + d, hi + e, hi + b})
				out.Of = append(out.Of, cell, cell, cell, cell, cell, cell)
			}
		}
	}
	return out
}

// Surface returns the closed surface.
func (r Ring) Surface() (*meshes.Tri, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	return r.revolve().surface(), nil
}

// Facts returns derived quantities of the part.
func (r Ring) Facts() []Fact { return r.revolve().Facts() }
