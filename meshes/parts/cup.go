package parts

// Cups: a solid of revolution with a bottom. The profile has one edge on the
// axis. A cup of default size has a volume of
//
//	π (d/2 − w)² (h − b) = 277 ml
//
// with diameter d, wall w, height h and bottom b. For grasping scenes: its wall
// is thin enough to deform if it is given a soft material.

import "github.com/curlfree/curlfree/meshes"

// Cup is a round cup, open to +z.
type Cup struct {
	// Outer is the outer diameter, m.
	Outer float64
	// Height is the extent along z, m.
	Height float64
	// Wall is the thickness of the wall, m.
	Wall float64
	// Bottom is the thickness of the bottom, m.
	Bottom float64
	// Size is the edge length of tets, m; 0 stands for half of the wall.
	Size float64
	// Chord is the largest deviation from circles, m; 0 stands for 0.2 % of the
	// diameter.
	Chord float64
}

// DefaultCup returns a cup of 277 ml.
func DefaultCup() Cup { return Cup{Outer: 70e-3, Height: 90e-3, Wall: 3e-3, Bottom: 4e-3} }

// Check returns an error with the faulty parameter and its remedy, or nil.
func (p Cup) Check() error {
	c := checker{part: "cup"}
	c.positive("outer diameter", p.Outer)
	c.positive("height", p.Height)
	c.positive("wall", p.Wall)
	c.positive("bottom", p.Bottom)
	c.require(p.Wall < p.Outer/2, "walls of %.6g m fill the diameter of %.6g m: choose thinner ones", p.Wall, p.Outer)
	c.require(p.Bottom < p.Height, "a bottom of %.6g m fills the height of %.6g m: choose a thinner one", p.Bottom, p.Height)
	if c.err == nil {
		p.revolve().check(&c)
	}
	return c.err
}

// revolve returns the cup as a solid of revolution.
func (p Cup) revolve() Revolve {
	r, h := p.Outer/2, p.Height/2
	return Revolve{Profile: [][2]float64{{0, -h}, {r, -h}, {r, h}, {r - p.Wall, h}, {r - p.Wall, p.Bottom - h}, {0, p.Bottom - h}}, Size: p.Size, Chord: p.Chord}
}

// Tets returns the cup as tetrahedra.
func (p Cup) Tets() (*meshes.Tet, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p.revolve().tets(&checker{part: "cup"})
}

// Surface returns the closed surface.
func (p Cup) Surface() (*meshes.Tri, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p.revolve().surface(), nil
}

// Facts returns derived quantities of the part.
func (p Cup) Facts() []Fact { return p.revolve().Facts() }
