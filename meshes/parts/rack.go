package parts

// Racks have no chord error. The parameter is accepted, since all kinds of
// parts have it, and does nothing.

// Racks. In the transverse plane, with the pitch p = π m/cos β and tan α_t =
// tan α_n/cos β, a tooth thinned by j is as wide as
//
//	w(y) = p/2 − j − 2 y tan α_t
//
// at the height y over the pitch line. The teeth are rows of cells; below them
// cells grow towards the base.

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Rack is a straight bar with the teeth of a gear of infinite radius. It moves
// along x; its teeth point to y, the pitch line is y = 0. Flanks are planes,
// exact at any resolution. The middle of a tooth lies at x = 0, z = 0.
type Rack struct {
	// Module is the normal module, m.
	Module float64
	// Teeth is the number of teeth.
	Teeth int
	// PressureAngle is the normal pressure angle, rad.
	PressureAngle float64
	// Backlash is the reduction of the tooth thickness at the pitch line, m.
	Backlash float64
	// Addendum is the height of the teeth over the pitch line, over the module.
	Addendum float64
	// Clearance is the distance of the root from the tip of the mate (bottom
	// clearance), over the module.
	Clearance float64
	// FaceWidth is the extent along z, m.
	FaceWidth float64
	// Base is the thickness below the teeth, m.
	Base float64
	// Helix is the helix angle, rad; opposite to that of the gear.
	Helix float64
	Resolution
}

// DefaultRack returns a rack for the default spur gear.
func DefaultRack() Rack {
	return Rack{
		Module: 1e-3, Teeth: 12, PressureAngle: rad(20), Addendum: 1, Clearance: 0.25,
		FaceWidth: 8e-3, Base: 3e-3,
	}
}

// Pitch returns the distance of neighbouring teeth along x, m.
func (r Rack) Pitch() float64 { return math.Pi * r.Module / math.Cos(r.Helix) }

// slope returns the tangent of the transverse pressure angle.
func (r Rack) slope() float64 { return math.Tan(r.PressureAngle) / math.Cos(r.Helix) }

// halfAt returns half the width of a tooth, m, at the height y, m.
func (r Rack) halfAt(y float64) float64 {
	// the straight flank of the basic rack, which leans by the pressure angle
	return (r.Pitch()/2-r.Backlash)/2 - y*r.slope()
}

// span returns the heights of tip and root over the pitch line, m.
func (r Rack) span() (tip, root float64) {
	return r.Addendum * r.Module, -(r.Addendum + r.Clearance) * r.Module
}

// Check returns an error with the faulty parameter and its remedy, or nil.
func (r Rack) Check() error {
	c := checker{part: "rack"}
	r.check(&c)
	return c.err
}

// check records the first fault of the parameters.
func (r Rack) check(c *checker) {
	c.positive("module", r.Module)
	c.within("teeth", float64(r.Teeth), 1, maxTeeth)
	c.angle("pressure angle", r.PressureAngle, 5, 40)
	c.angle("helix angle", r.Helix, -60, 60)
	c.within("addendum", r.Addendum, 0.2, 2)
	c.within("clearance", r.Clearance, 0.01, 1)
	c.require(r.Backlash >= 0 && r.Backlash < r.Module, "backlash is %.6g m: it must not be negative and well below the module; it is a length in m", r.Backlash)
	c.positive("face width", r.FaceWidth)
	c.positive("base", r.Base)
	c.resolution(r.Resolution, or(r.Chord, 0.01*r.Module), r.Module)
	if c.err != nil {
		return
	}
	// room for the tip and for the root, as fractions of the module and of the pitch
	tip, root := r.span()
	c.require(r.halfAt(tip) >= minTip*r.Module/2, "the teeth are pointed: choose a smaller addendum, pressure angle or backlash")
	c.require(r.halfAt(root) <= r.Pitch()/2*(1-minTip), "the gaps close at the root: choose a smaller addendum, clearance or pressure angle")
	rows, across := r.cells()
	c.room(float64(r.Teeth) * float64((rows+6)*(across+2)) * float64(or(r.Layers, r.layers())+1))
}

// cells returns the numbers of cells up a tooth and across it.
func (r Rack) cells() (rows, across int) {
	across = or(r.Across, 2)
	tip, root := r.span()
	return max(2, int(math.Round((tip-root)*float64(across)/(r.Pitch()/2)))), across
}

// layers returns the default number of layers along the face.
func (r Rack) layers() int {
	// two thin outer layers, and inner ones as thick as a pitch
	return 2 + int(min(math.Ceil(r.FaceWidth/r.Pitch()-0.5), maxLayers-2))
}

// section meshes the xy plane. Chains run towards −x, counter-clockwise about
// what lies below.
func (r Rack) section() *section {
	s := &sector{}
	tip, root := r.span()
	rows, across := r.cells()
	p := r.Pitch()
	var chain []int32
	// Rows of cells of each tooth; their lowest rows and the gaps form the
	// chain.
	for i := range r.Teeth {
		x := float64(r.Teeth/2-i) * p
		if i == 0 {
			chain = append(chain, s.add(vec2{x + p/2, root}))
		}
		var lower []int32
		for k := range rows + 1 {
			y := root + (tip-root)*float64(k)/float64(rows)
			var row []int32
			for j := range across + 1 {
				row = append(row, s.add(vec2{x + r.halfAt(y)*float64(across-2*j)/float64(across), y}))
			}
			if k == 0 {
				chain = append(chain, row...)
			} else {
				s.cells(lower, row, false)
			}
			lower = row
		}
		chain = append(chain, s.add(vec2{x - p/2, root}))
	}
	// Rows of growing cells down to the base.
	left, right := s.pts[chain[len(chain)-1]][0], s.pts[chain[0]][0]
	first := p / float64(across+2)
	depths, steps := rings(0, r.Base, min(first, r.Base), r.Base)
	for i, y := range depths[1:] {
		n := max(1, int(math.Round((right-left)/max(steps[i], first))))
		var next []int32
		for j := range n + 1 {
			next = append(next, s.add(vec2{right + (left-right)*float64(j)/float64(n), root - y}))
		}
		s.zip(chain, next)
		chain = next
	}
	return &s.section
}

// tets checks the rack and sweeps its section, sheared by the helix.
func (r Rack) tets(layers int, skin float64) (*meshes.Tet, error) {
	c := checker{part: "rack"}
	r.check(&c)
	if c.err != nil {
		return nil, c.err
	}
	s := r.section()
	c.require(!s.folded, "%w", errFolded)
	if c.err != nil {
		return nil, c.err
	}
	// a helix moves the section along the rack by z tan β
	zs := heights(r.FaceWidth, layers, skin)
	shear := -math.Tan(r.Helix)
	m, err := sweeping{
		copies: len(zs), ccw: s.ccw,
		at: func(k int, v int32) r3.Vec { return r3.Vec{s.pts[v][0] + shear*zs[k], s.pts[v][1], zs[k]} },
	}.sweep(len(s.pts), s.tris)
	c.require(err == nil, "%w", err)
	return m, c.err
}

// Tets returns the rack as tetrahedra.
func (r Rack) Tets() (*meshes.Tet, error) { return r.tets(or(r.Layers, r.layers()), r.Pitch()/8) }

// Surface returns the closed surface.
func (r Rack) Surface() (*meshes.Tri, error) { return surfaceOf(r.tets(or(r.Layers, 1), 0)) }

// Facts returns pitch, length and heights.
func (r Rack) Facts() []Fact {
	tip, root := r.span()
	return []Fact{
		{"pitch", r.Pitch(), "m"},
		{"length", r.Pitch() * float64(r.Teeth), "m"},
		{"tip height over the pitch line", tip, "m"},
		{"root height over the pitch line", root, "m"},
		{"tooth thickness at the pitch line", 2 * r.halfAt(0), "m"},
		{"chord error", 0, "m"},
	}
}
