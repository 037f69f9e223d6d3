package parts

import "github.com/curlfree/curlfree/meshes"

// Shaft is a stepped shaft of round sections, centred on z = 0; with one step a
// disc or rod.
type Shaft struct {
	Steps []float64 // diameter and length of each step, from −z up, m
	Bore  float64   // diameter, m; 0: none
	Size  float64   // edge length of tetrahedra, m; 0: half of the mean wall
	Chord float64   // m; 0: 0.2 % of the largest diameter
}

// DefaultShaft returns a shaft with two journals.
func DefaultShaft() Shaft {
	return Shaft{Steps: []float64{6e-3, 8e-3, 10e-3, 20e-3, 6e-3, 8e-3}}
}

// Check returns what is wrong with the parameters, and how to mend it.
func (s Shaft) Check() error {
	c := checker{part: "shaft"}
	c.require(len(s.Steps) > 0 && len(s.Steps)%2 == 0, "steps holds %d numbers: give a diameter and a length for each step", len(s.Steps))
	c.require(len(s.Steps) <= 1000, "steps holds %d numbers, the limit is 1000", len(s.Steps))
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

// Facts returns derived numbers worth knowing.
func (s Shaft) Facts() []Fact { return s.revolve().Facts() }
