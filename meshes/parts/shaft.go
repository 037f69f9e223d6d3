package parts

// Shafts: cylinders of several diameters in a row, as turned on a lathe. A
// single step is a disc or a rod; with a bore it is a sleeve. Neighbouring
// steps must differ in diameter, since equal ones would leave a ring of
// needless edges.

import "github.com/curlfree/curlfree/meshes"

// Shaft is a stepped shaft of round sections, centred on z = 0; with one step a
// disc or rod.
type Shaft struct {
	// Steps lists the diameter and the length of each step, m, from the lowest
	// up.
	Steps []float64
	// Bore is the diameter of the bore, m; 0 for none.
	Bore float64
	// Size is the edge length of tets, m; 0 stands for half of the mean wall.
	Size float64
	// Chord is the largest deviation from circles, m; 0 stands for 0.2 % of the
	// largest diameter.
	Chord float64
}

// DefaultShaft returns a shaft of 36 mm with two journals of 6 mm.
func DefaultShaft() Shaft {
	return Shaft{Steps: []float64{6e-3, 8e-3, 10e-3, 20e-3, 6e-3, 8e-3}}
}

// Check returns an error with the faulty parameter and its remedy, or nil.
func (s Shaft) Check() error {
	c := checker{part: "shaft"}
	c.require(len(s.Steps) > 0 && len(s.Steps)%2 == 0, "steps has %d numbers: give a diameter and a length for each step", len(s.Steps))
	c.require(len(s.Steps) <= 1000, "steps has %d numbers, the limit is 1000", len(s.Steps))
	for i, x := range s.Steps {
		c.positive([2]string{"the diameter of a step", "the length of a step"}[i%2], x)
		c.require(i%2 == 1 || x > s.Bore, "the bore of %.6g m goes through the step of %.6g m: choose a smaller bore", s.Bore, x)
		c.require(i < 2 || i%2 == 1 || x != s.Steps[i-2], "steps %d and %d have one diameter, %.6g m: make them one step", i/2-1, i/2, x)
	}
	c.notNegative("bore", s.Bore)
	if c.err == nil {
		s.revolve().check(&c)
	}
	return c.err
}

// revolve returns the shaft as a solid of revolution.
func (s Shaft) revolve() Revolve {
	length := 0.0
	for i := 1; i < len(s.Steps); i += 2 {
		length += s.Steps[i]
	}
	out := [][2]float64{{s.Bore / 2, -length / 2}}
	z := -length / 2
	for i := 0; i+1 < len(s.Steps); i += 2 {
		r := s.Steps[i] / 2
		out = append(out, [2]float64{r, z}, [2]float64{r, z + s.Steps[i+1]})
		z += s.Steps[i+1]
	}
	return Revolve{Profile: append(out, [2]float64{s.Bore / 2, z}), Size: s.Size, Chord: s.Chord}
}

// Tets returns the shaft as tetrahedra.
func (s Shaft) Tets() (*meshes.Tet, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s.revolve().tets(&checker{part: "shaft"})
}

// Surface returns the closed surface.
func (s Shaft) Surface() (*meshes.Tri, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s.revolve().surface(), nil
}

// Facts returns derived quantities of the part.
func (s Shaft) Facts() []Fact { return s.revolve().Facts() }
