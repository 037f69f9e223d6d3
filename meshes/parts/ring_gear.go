package parts

// Internal gears. A ring gear's gap is congruent to the tooth of an external
// gear of the same number of teeth, with its backlash taken as negative
// thickness:
//
//	ψ_ring(ρ) = π/z − ψ_gap(ρ)      half angle of a tooth
//
// so that the flanks of both follow from the same equations (involute.go). The
// roots are plain corners: a ring is broached or printed, not cut by a rack.

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
)

// RingGear is an internal involute gear, straight or helical, with sharp
// corners at the root. Its gaps have the form of an external gear's teeth. The
// middle of tooth 0 lies on the x axis at z = 0.
type RingGear struct {
	// Module is the normal module, m.
	Module float64
	// Teeth is the number of teeth; with a pressure angle of 20° at least 34.
	Teeth int
	// PressureAngle is the normal pressure angle, rad.
	PressureAngle float64
	// Shift is the profile shift, over the module; positive outwards.
	Shift float64
	// Backlash is the reduction of the tooth thickness at the pitch circle, m.
	Backlash float64
	// Addendum is the distance of the tip inside of the pitch circle (unshifted),
	// over the module.
	Addendum float64
	// Clearance is the distance of the root from the tip of the mate (bottom
	// clearance), over the module.
	Clearance float64
	// FaceWidth is the extent along z, m.
	FaceWidth float64
	// Outer is the outer diameter, m.
	Outer float64
	// Helix is the helix angle, rad; positive for right-handed, equal to that
	// of the pinion.
	Helix float64
	Resolution
}

// DefaultRingGear returns a ring for the default spur gear. Its teeth are
// shorter than usual, so that their tips do not reach below the pinion's
// involutes.
func DefaultRingGear() RingGear {
	return RingGear{
		Module: 1e-3, Teeth: 60, PressureAngle: rad(20), Addendum: 0.8, Clearance: 0.45,
		FaceWidth: 8e-3, Outer: 70e-3,
	}
}

// gap returns the external gear whose teeth fill this gear's gaps.
func (g RingGear) gap() Spur {
	return Spur{
		Module: g.Module, Teeth: g.Teeth, PressureAngle: g.PressureAngle, Shift: g.Shift, Backlash: -g.Backlash,
		Addendum: g.Addendum + g.Clearance, Clearance: 0, FaceWidth: g.FaceWidth, Helix: g.Helix, Resolution: g.Resolution,
	}
}

// radii returns the tip (inner) and root (outer) radius, m.
func (g RingGear) radii() (tip, root float64) {
	r := g.gap().profile().r
	return r - (g.Addendum-g.Shift)*g.Module, r + (g.Addendum+g.Clearance+g.Shift)*g.Module
}

// Check returns an error with the faulty parameter and its remedy, or nil.
func (g RingGear) Check() error {
	c := checker{part: "ring gear"}
	g.check(&c)
	return c.err
}

// check records the first fault of the parameters.
func (g RingGear) check(c *checker) {
	s := g.gap()
	c.positive("module", g.Module)
	c.within("teeth", float64(g.Teeth), 5, maxTeeth)
	c.angle("pressure angle", g.PressureAngle, 5, 40)
	c.angle("helix angle", g.Helix, -60, 60)
	c.within("shift", g.Shift, -2, 2)
	c.within("addendum", g.Addendum, 0.2, 2)
	c.within("clearance", g.Clearance, 0.01, 1)
	c.require(g.Backlash >= 0 && g.Backlash < g.Module, "backlash is %.6g m: it must not be negative and well below the module; it is a length in m", g.Backlash)
	c.positive("face width", g.FaceWidth)
	c.positive("outer diameter", g.Outer)
	c.resolution(g.Resolution, s.chord(), g.Module)
	if c.err != nil {
		return
	}
	// Where the involute ends: the tips of a ring must stay outside of the base
	// circle.
	p := s.profile()
	tip, root := g.radii()
	c.require(tip >= p.rb, "the tips at %.6g m diameter lie inside the base circle of %.6g m, where there is no involute: give at least %d teeth, a shift of at least %.4g or an addendum of at most %.4g",
		2*tip, 2*p.rb, int(math.Ceil(2*g.Addendum/(1-math.Cos(p.alpha)))), g.Addendum-(p.r-p.rb)/g.Module, (p.r-p.rb)/g.Module+g.Shift)
	land := p.halfAt(root)
	c.require(land > minTip*g.Module/root, "the gaps are pointed at the root: choose a smaller shift, addendum or clearance")
	c.require(p.half-p.halfAt(tip) > minTip*g.Module/tip/2, "the teeth are pointed: choose a larger shift or a smaller addendum")
	c.require(g.Outer/2 >= root+minRim*g.Module, "outer diameter %.6g m leaves less than %.2g modules around the root circle of %.6g m diameter: choose at least %.6g m", g.Outer, minRim, 2*root, 2*(root+minRim*g.Module))
	if c.err == nil {
		rows := len(g.side())
		c.require(rows > 0, "the chord error needs too many facets: choose a larger chord")
		around := float64(aroundCircle(g.Outer/2, s.chord())) * 2
		c.room((float64((rows+4)*(s.across()+1)*g.Teeth) + around) * float64(len(s.layers(true))))
	}
}

// side returns the flank at positive angles from tip to root.
func (g RingGear) side() []vec2 {
	p := g.gap().profile()
	tip, root := g.radii()
	// Equal steps in t^(3/2) give chords of equal deviation.
	u0, u1 := math.Pow(rollAt(p.rb, tip), 1.5), math.Pow(rollAt(p.rb, root), 1.5)
	return polyline(func(s float64) vec2 {
		psi, r := p.flank(math.Pow(u0+s*(u1-u0), 2.0/3))
		return polar(r, p.half-psi)
	}, g.gap().outlineChord(), 3, 1000)
}

// section meshes the transverse plane.
func (g RingGear) section() *section {
	s := &sector{}
	spur := g.gap()
	p := spur.profile()
	_, root := g.radii()
	side := g.side()
	// Rows across the tooth, from the tip outwards.
	var inner []int32
	for k, q := range side {
		row := s.toothRow(q, spur.across(), false)
		if k > 0 {
			s.cells(inner, row, true)
		}
		inner = row
	}
	// The circle at the root: half a gap, the tooth, half a gap.
	// Half of the gap's circle, the tooth, and the other half.
	end := side[len(side)-1]
	first := math.Atan2(end[1], end[0])
	land := p.half - first
	n := max(1, int(math.Ceil(land*float64(aroundCircle(root, spur.outlineChord()))/(2*math.Pi))))
	var chain []int32
	for i := range n {
		chain = append(chain, s.add(polar(root, -p.half+land*float64(i)/float64(n))))
	}
	chain = append(chain, inner...)
	for i := range n {
		chain = append(chain, s.add(polar(root, first+land*float64(i+1)/float64(n))))
	}
	s.twin[chain[len(chain)-1]] = chain[0]
	s.rim(chain, root, g.Outer/2, g.Teeth, aroundCircle(g.Outer/2, spur.chord()))
	return s.whole(g.Teeth)
}

// tets checks the gear and sweeps its section.
func (g RingGear) tets(solid bool) (*meshes.Tet, error) {
	c := checker{part: "ring gear"}
	g.check(&c)
	if c.err != nil {
		return nil, c.err
	}
	s := g.gap()
	m, err := g.section().along(s.layers(solid), s.twist())
	c.require(err == nil, "%w", err)
	return m, c.err
}

// Tets returns the ring as tetrahedra.
func (g RingGear) Tets() (*meshes.Tet, error) {
	return g.tets(true)
}

// Surface returns the closed surface.
func (g RingGear) Surface() (*meshes.Tri, error) {
	return surfaceOf(g.tets(false))
}

// Facts returns diameters, thicknesses and the resolution of the flanks.
func (g RingGear) Facts() []Fact {
	p := g.gap().profile()
	tip, root := g.radii()
	return []Fact{
		{"pitch diameter", 2 * p.r, "m"},
		{"base diameter", 2 * p.rb, "m"},
		{"tip diameter", 2 * tip, "m"},
		{"root diameter", 2 * root, "m"},
		{"tooth thickness at the pitch circle", 2 * (p.half - p.psi) * p.r, "m"},
		{"base pitch", 2 * math.Pi * p.rb / float64(g.Teeth), "m"},
		{"facets per flank", float64(len(g.side()) - 1), ""},
		{"chord error", g.gap().chord(), "m"},
		{"transmission error from facets", g.gap().chord() / p.rb, "rad"},
	}
}
