package parts

// Nuts: the internal counterpart of a screw (screw.go). The thread's ridges
// point inward; the other wall is round or has flat sides whose corners lie on
// multiples of 2π/flats, columns of the mesh among them.

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
)

// Nut is an internal thread in a round or flat-sided body. The middle of a
// groove lies on the x axis at z = 0: a nut and a screw of equal poses mate.
type Nut struct {
	// Thread is the profile.
	Thread
	// Length is the extent along z, m.
	Length float64
	// Outer is the outer diameter, or the width across flats, m.
	Outer float64
	// Flats is the number of flat sides; 0 for a round nut.
	Flats int
	Resolution
}

// DefaultNut returns an M6 hexagon nut with a clearance of 0.05 mm.
func DefaultNut() Nut {
	n := Nut{Thread: ISOThread(6e-3, 1e-3), Length: 5e-3, Outer: 10e-3, Flats: 6}
	n.Clearance = 0.05e-3
	return n
}

// chord returns the chord error in use, m.
func (n Nut) chord() float64 { return or(n.Chord, 0.01*n.Pitch) }

// radii returns the crest (inner) and root radius, m.
func (n Nut) radii() (crest, root float64) {
	return n.Minor/2 + n.Clearance, n.Major/2 + n.Clearance
}

// ridgeHalf returns half the width of the ridge between two grooves at radius
// r, m.
func (n Nut) ridgeHalf(r float64) float64 { return n.Pitch/2 - n.half(r, n.Clearance) }

// Check returns an error with the faulty parameter and its remedy, or nil.
func (n Nut) Check() error {
	c := checker{part: "nut"}
	n.check(&c)
	return c.err
}

// check records the first fault of the parameters.
func (n Nut) check(c *checker) {
	n.Thread.check(c)
	c.positive("length", n.Length)
	c.positive("outer diameter", n.Outer)
	c.require(n.Flats == 0 || n.Flats >= 3 && n.Flats <= 12, "flats is %d: give 0 for a round nut, or 3 to 12 sides", n.Flats)
	c.resolution(n.Resolution, n.chord(), n.Pitch)
	if c.err != nil {
		return
	}
	// the basic profile leaves a ridge, a groove and a wall of some thickness
	crest, root := n.radii()
	c.require(n.ridgeHalf(crest) > minTip*n.Pitch/4, "the ridges are pointed: choose a larger minor diameter, or a smaller flank angle or clearance")
	c.require(n.ridgeHalf(root) < n.Pitch/2*(1-minTip), "the grooves close at the bottom: choose a smaller major diameter or a larger clearance")
	c.require(n.Outer/2-root > minRim*(root-crest), "outer diameter %.6g m leaves no wall around the thread of %.6g m: choose a larger one", n.Outer, 2*root)
	c.threadRoom(n.mesh)
}

// mesh returns the mesh of the thread, or nil if its flanks take too many
// facets.
func (n Nut) mesh() *thread {
	crest, root := n.radii()
	t := n.Thread.mesh(crest, root, n.ridgeHalf, n.chord(), n.Resolution, n.Flats)
	if t == nil {
		return nil
	}
	if n.Flats == 0 {
		// The outside has the chord error too.
		t.columns = max(t.columns, min(aroundCircle(n.Outer/2, n.chord()), maxColumns))
	}
	// the thread starts half a pitch later than that of a screw: grooves where it has ridges
	t.wall, t.length, t.start = n.Outer/2, n.Length, n.Pitch/2
	return t
}

// Tets returns the nut as tetrahedra.
func (n Nut) Tets() (*meshes.Tet, error) {
	c := checker{part: "nut"}
	n.check(&c)
	if c.err != nil {
		return nil, c.err
	}
	m, err := n.mesh().tets()
	c.require(err == nil, "%w", err)
	return m, c.err
}

// Surface returns the closed surface.
func (n Nut) Surface() (*meshes.Tri, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	return n.mesh().surface(), nil
}

// Facts returns derived quantities of the part.
func (n Nut) Facts() []Fact {
	crest, root := n.radii()
	return append([]Fact{
		{"crest diameter", 2 * crest, "m"},
		{"root diameter", 2 * root, "m"},
	}, n.Thread.facts(n.mesh(), n.chord())...)
}

// screw checks a screw and a nut and places the nut. Their normal clearance
// follows from the axial gap of the flanks by the slopes of flank and helix.
func (p *Pair) screw(c *checker, a Screw, b Nut) {
	c.require(math.Abs(a.Pitch-b.Pitch) <= 1e-6*a.Pitch && a.Starts == b.Starts, "pitches %.6g m × %d and %.6g m × %d differ: screw and nut need the same pitch and starts", a.Pitch, a.Starts, b.Pitch, b.Starts)
	c.require(a.Left == b.Left, "screw and nut are of different hand: make both right-handed or both left-handed")
	c.require(math.Abs(a.FlankAngle-b.FlankAngle) <= 1e-6, "flank angles %.5g° and %.5g° differ", deg(a.FlankAngle), deg(b.FlankAngle))
	if c.err != nil {
		return
	}
	// the ridges of each reach into the grooves of the other, and not to their bottom
	crest, root := a.radii()
	nutCrest, nutRoot := b.radii()
	c.require(crest <= nutRoot && root <= nutCrest, "the screw of %.6g m and %.6g m does not fit into the nut of %.6g m and %.6g m (major and minor diameter with clearance): give both the same diameters", 2*crest, 2*root, 2*nutRoot, 2*nutCrest)
	c.require(crest > nutCrest, "the screw of %.6g m diameter does not reach the nut's thread of %.6g m", 2*crest, 2*nutCrest)
	// the axial gap of both flanks at the pitch radius, m
	r := a.pitchRadius()
	axial := b.half(r, b.Clearance) - a.half(r, -a.Clearance)
	c.require(axial >= -1e-9*a.Pitch, "screw and nut overlap by %.3g m along the axis: give both the same pitch diameter, or more clearance", -axial)
	tan := math.Tan(a.LeadAngle())
	// A gap g along the axis, between flanks with the slopes tan α (radial, flank angle) and tan λ
	// (tangential, lead angle), is g/√(1 + tan²α + tan²λ) wide along their normal.
	p.FlankClearance = max(0, axial) / math.Sqrt(1+math.Pow(math.Tan(a.FlankAngle), 2)+tan*tan)
	p.PressureAngle, p.BasePitch = a.FlankAngle, a.Pitch
	// turns in which both have their full profile
	p.ContactRatio = float64(a.Starts) * min(a.mesh().full(), b.mesh().full()) / a.Lead()
	// the nut advances by one lead for a turn of the screw, m/rad
	p.Ratio = -a.Lead() / (2 * math.Pi)
	if a.Left {
		p.Ratio = -p.Ratio
	}
	p.period = a.Pitch
}
