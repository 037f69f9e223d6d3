package parts

// Spur and helical gears. The section of one tooth (sector.go) has rows of
// cells across the tooth down to the middle of the fillets, and rings of
// growing cells from there to the bore; it is repeated around the axis and
// swept along z with the twist of the helix.
//
// Cells are smallest at flanks and fillets, where contact and bending stress are.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
)

// Spur is an external involute gear, straight or helical, of the form that a
// rack would cut, root included. The middle of tooth 0 lies on the x axis at z
// = 0.
type Spur struct {
	// Module is the normal module m, m: for straight gears the pitch diameter
	// over the number of teeth. Gears that mate have the same.
	Module float64
	// Teeth is the number of teeth z.
	Teeth int
	// PressureAngle is the normal pressure angle α_n, rad; 20° by ISO 53.
	PressureAngle float64
	// Shift is the profile shift x, over the module; positive outwards. It
	// makes teeth of small gears stronger and avoids undercut.
	Shift float64
	// Backlash is the reduction of this gear's tooth thickness at the pitch circle,
	// m. The play of a pair is the sum of both gears'.
	Backlash float64
	// Addendum is the height of the tip above the pitch circle (of the
	// unshifted gear), over the module.
	Addendum float64
	// Clearance is the distance of the root from the tip of the mate (bottom
	// clearance), over the module.
	Clearance float64
	// Fillet is the tip radius of the rack that cuts the root, over the module.
	Fillet float64
	// FaceWidth is the extent along z, m.
	FaceWidth float64
	// Bore is the diameter of the bore, m; 0 for none.
	Bore float64
	// Helix is the helix angle β at the pitch circle, rad; positive for
	// right-handed gears.
	Helix float64
	Resolution
}

// DefaultSpur returns a gear of module 1 mm with 20 teeth of the basic rack of
// ISO 53.
func DefaultSpur() Spur {
	return Spur{
		Module: 1e-3, Teeth: 20, PressureAngle: rad(20), Addendum: 1, Clearance: 0.25, Fillet: 0.38,
		FaceWidth: 8e-3, Bore: 6e-3,
	}
}

// chord returns the chord error in use, m.
func (g Spur) chord() float64 { return or(g.Chord, 0.01*g.Module) }

// outlineChord returns the share of the chord error for the outline of the
// section, m: on a helical gear the other half is for the twist between layers.
func (g Spur) outlineChord() float64 {
	if g.Helix != 0 {
		return g.chord() / 2
	}
	return g.chord()
}

// transverse returns the module and pressure angle in the transverse plane (1).
func (g Spur) transverse() (module, alpha float64) {
	c := math.Cos(g.Helix)
	return g.Module / c, math.Atan(math.Tan(g.PressureAngle) / c)
}

// profile returns the tooth in the transverse plane; the parameters are not
// checked.
func (g Spur) profile() profile {
	mt, alpha := g.transverse()
	m := g.Module
	p := profile{z: g.Teeth, half: math.Pi / float64(g.Teeth), r: float64(g.Teeth) * mt / 2, alpha: alpha}
	p.rb = p.r * math.Cos(alpha) // (2)
	p.ra = p.r + (g.Addendum+g.Shift)*m
	p.rf = p.r - (g.Addendum+g.Clearance-g.Shift)*m
	p.psi = (math.Pi*mt/2 + 2*g.Shift*m*math.Tan(alpha) - g.Backlash) / (2 * p.r) // (3)
	hf := (g.Addendum + g.Clearance) * m
	p.rho = g.Fillet * m
	p.b = hf - p.rho - g.Shift*m                                                           // (6)
	p.a = math.Pi*mt/4 + g.Backlash/2 - (hf-p.rho)*math.Tan(alpha) - p.rho/math.Cos(alpha) // (7)
	p.t0 = math.Tan(alpha) - (p.b/math.Sin(alpha)+p.rho)/p.rb                              // (10)
	p.t1 = rollAt(p.rb, p.ra)
	return p
}

// Check returns an error with the faulty parameter and its remedy, or nil.
func (g Spur) Check() error {
	c := checker{part: "spur"}
	g.check(&c)
	return c.err
}

func (g Spur) check(c *checker) {
	// The parameters on their own, then how they fit together.
	c.positive("module", g.Module)
	c.within("teeth", float64(g.Teeth), 5, maxTeeth)
	c.angle("pressure angle", g.PressureAngle, 5, 40)
	c.angle("helix angle", g.Helix, -60, 60)
	c.within("shift", g.Shift, -2, 2)
	c.within("addendum", g.Addendum, 0.2, 2)
	c.within("clearance", g.Clearance, 0, 1)
	c.within("fillet", g.Fillet, 0, 1)
	c.require(g.Backlash >= 0, "backlash is %.6g m: a negative one makes the teeth too thick for their gaps; give 0 or a small positive length", g.Backlash)
	c.require(g.Backlash < g.Module, "backlash is %.6g m, above the module: it is a length in m, usually a few percent of the module", g.Backlash)
	c.positive("face width", g.FaceWidth)
	c.notNegative("bore", g.Bore)
	c.resolution(g.Resolution, g.chord(), g.Module)
	if c.err != nil {
		return
	}
	g.checkTooth(c)
	if c.err == nil {
		c.room(g.vertices())
	}
}

// checkTooth refuses teeth that no rack can cut.
func (g Spur) checkTooth(c *checker) {
	p := g.profile()
	m := g.Module
	c.require(p.a >= 0, "the gap is too narrow for a fillet of %.3g modules: choose a smaller fillet or addendum", g.Fillet)
	if p.t0 < 0 {
		shifted := g
		shifted.Shift = math.Ceil(g.leastShift()*1e4) / 1e4
		advice := fmt.Sprintf("shift of at least %.4g (and its negative to the mate, to keep the centre distance), ", shifted.Shift)
		if q := shifted.profile(); 2*q.ra*q.halfAt(q.ra) < minTip*m {
			advice = "" // it would make them pointed
		}
		c.require(false, "%d teeth with shift %.4g are undercut: give %s%d teeth or more, a larger pressure angle, or a smaller addendum", g.Teeth, g.Shift, advice, g.leastTeeth())
	}
	if c.err != nil {
		return
	}
	tip := 2 * p.ra * p.halfAt(p.ra)
	c.require(p.halfAt(p.ra) > 0 && tip >= minTip*m, "the teeth are pointed: %.3g m thick at the tip, less than %.3g modules: choose a smaller shift (now %.4g) or addendum (now %.4g)", max(0, tip), minTip, g.Shift, g.Addendum)
	_, foot := p.flank(p.t0)
	c.require(foot < p.ra-0.1*m && p.t1 > p.t0, "hardly any flank is left between root and tip: choose a larger addendum or a smaller fillet")
	c.require(p.landAngle() > 0 && p.rf > 0.1*m, "no root is left: choose more teeth, a larger shift or a smaller addendum")
	c.require(g.Bore/2 <= p.rf-minRim*m, "bore %.6g m goes through the root circle of %.6g m diameter, or leaves less than %.2g modules between: choose a bore of at most %.6g m",
		g.Bore, 2*p.rf, minRim, max(0, 2*(p.rf-minRim*m)))
}

// Least thickness of tips and rims, over the module.
const (
	minTip = 0.05
	minRim = 0.25
)

// leastShift is the profile shift without undercut: t0 = 0 in (10).
func (g Spur) leastShift() float64 {
	deep, round := g.undercut()
	return deep - round
}

// leastTeeth returns the number of teeth from which there is no undercut at the
// given shift.
func (g Spur) leastTeeth() int {
	deep, round := g.undercut()
	return int(math.Ceil(float64(g.Teeth) * (deep - g.Shift) / round))
}

// undercut returns how far the straight flanks of the unshifted rack reach
// below the pitch line, and how far they may, which is proportional to the
// number of teeth; both over the module.
func (g Spur) undercut() (deep, round float64) {
	_, alpha := g.transverse()
	sin := math.Sin(alpha)
	return g.Addendum + g.Clearance - g.Fillet*(1-sin), g.profile().r * sin * sin / g.Module
}

// layers returns the heights of the copies of the section, m: as many layers as
// wanted, and enough for the twist. A solid gets thin layers at both ends.
// Between copies turned by φ, points at the tip leave their circle by r_a (1 −
// cos φ/2), and the diagonal of a facet of length e, root to tip, leaves the
// flank by e φ/4.
func (g Spur) layers(solid bool) []float64 {
	p := g.profile()
	n, skin := or(g.Layers, 1), 0.0
	if solid {
		n, skin = or(g.Layers, g.solidLayers()), p.ra*p.half/2
	}
	if g.Helix != 0 {
		facet, side := 0.0, g.flankPoints()
		for i := 1; i < len(side); i++ {
			facet = max(facet, dist2(side[i-1], side[i]))
		}
		step := g.chord() / 2 / (facet/4 + math.Sqrt(p.ra*g.chord())/4)
		// Layers that the twist needs for the chord error.
		need := int(min(math.Ceil(math.Abs(g.FaceWidth*g.twist())/step), maxVertices))
		if skin > 0 {
			need += 2
		}
		n = max(n, need)
	}
	return heights(g.FaceWidth, n, skin)
}

// twist returns the angle by which the section turns per length, rad/m.
func (g Spur) twist() float64 { return math.Tan(g.Helix) / g.profile().r }

// across returns the number of cells across a tooth.
func (g Spur) across() int { return or(g.Across, 2) }

// flankPoints returns the vertices of a flank from foot to tip.
func (g Spur) flankPoints() []vec2 {
	p := g.profile()
	return polyline(p.flankCurve, g.outlineChord(), 3, 1000)
}

// vertices estimates the number of vertices of the tets.
func (g Spur) vertices() float64 {
	// Cells of a tooth, and those behind it.
	rows := len(g.flankPoints())
	if rows == 0 {
		return math.Inf(1)
	}
	tooth := float64((rows+6)*(g.across()+1) + 4*(g.across()+4))
	around := float64(aroundCircle(g.Bore/2, g.chord())) * 2
	return (tooth*float64(g.Teeth) + around) * float64(len(g.layers(true)))
}

// section meshes the transverse plane.
func (g Spur) section() *section {
	p := g.profile()
	tol := g.outlineChord()
	s := &sector{}
	// The outline of half a tooth, root circle to tip.
	root := polyline(evenly(p.filletCurve), tol, 2, 1000)
	if land := 2 * p.rf * (p.half - p.landAngle()); land < dist2(root[0], root[1]) && len(root) > 2 {
		root = root[1:] // the short rest of the root circle becomes one point
	}
	side := append(root[:len(root)-1], g.flankPoints()...) // root circle to tip, positive angles
	foot := len(root) / 2                                  // of the lowest row of cells
	// Rows of cells across the tooth above the foot; below it only the outline.
	var below []int32
	for k, q := range side {
		row := s.toothRow(q, g.across(), k < foot)
		switch {
		case k < foot:
			below = append(below, row...)
		case k == foot:
			chain := s.rootChain(&p, tol, below, row)
			s.rim(chain, p.rf, g.Bore/2, g.Teeth, aroundCircle(max(g.Bore/2, tol), tol))
			below = row
		default:
			s.cells(below, row, false)
			below = row
		}
	}
	return s.whole(g.Teeth)
}

// toothRow adds the vertices across a tooth at the height of q, a point of the
// flank at positive angles, beginning at negative angles; only the two ends if
// ends is set.
func (s *sector) toothRow(q vec2, across int, ends bool) []int32 {
	r, psi := math.Hypot(q[0], q[1]), math.Atan2(q[1], q[0])
	var out []int32
	for j := range across + 1 {
		if ends && j > 0 && j < across {
			continue
		}
		out = append(out, s.add(polar(r, psi*float64(2*j-across)/float64(across))))
	}
	return out
}

// cells fills the band between two rows across a tooth, the second farther out.
// The diagonals keep the corners at the tip, which is inward or outward, in two
// triangles, so that fields need not vanish there.
func (s *sector) cells(lower, upper []int32, inward bool) {
	n := len(lower) - 1
	for j := range n {
		s.quad(lower[j], upper[j], upper[j+1], lower[j+1], (2*j+1 <= n) != inward)
	}
}

// rootChain returns the chain from gap to gap: the root circle, the fillet up
// to the row, the row across the tooth, and back. ends has the vertices of
// both fillets below the row in pairs, from the root circle up.
func (s *sector) rootChain(p *profile, tol float64, ends, row []int32) []int32 {
	at := s.pts[ends[1]]
	first := math.Atan2(at[1], at[0]) // where the lowest node of the fillet lies
	// The part of the root circle on each side of the tooth.
	land := p.half - first
	n := max(1, int(math.Ceil(land*float64(aroundCircle(p.rf, tol))/(2*math.Pi))))
	var chain []int32
	for i := range n { // right half of the gap, up to the tooth
		chain = append(chain, s.add(polar(p.rf, -p.half+land*float64(i)/float64(n))))
	}
	for i := 0; i < len(ends); i += 2 {
		chain = append(chain, ends[i])
	}
	chain = append(chain, row...)
	for i := len(ends) - 1; i > 0; i -= 2 {
		chain = append(chain, ends[i])
	}
	for i := range n {
		chain = append(chain, s.add(polar(p.rf, first+land*float64(i+1)/float64(n))))
	}
	s.twin[chain[len(chain)-1]] = chain[0]
	return chain
}

// Tets returns the gear as tets: by default two cells across a tooth, so that
// lines of vertices run inside each tooth, in layers about as thick as two
// teeth.
func (g Spur) Tets() (*meshes.Tet, error) {
	return g.tets("spur", true)
}

// solidLayers returns the default number of layers along the face: a thin one
// at both ends, and between them layers about two teeth thick.
func (g Spur) solidLayers() int {
	return 2 + int(min(math.Ceil(g.FaceWidth/(math.Pi*g.Module)-0.5), maxLayers-2))
}

// tets checks the gear, which part names in errors, and sweeps its section.
func (g Spur) tets(part string, solid bool) (*meshes.Tet, error) {
	c := checker{part: part}
	g.check(&c)
	if c.err != nil {
		return nil, c.err
	}
	m, err := g.section().along(g.layers(solid), g.twist())
	c.require(err == nil, "%w", err)
	return m, c.err
}

// Surface returns the closed surface, with a single layer along the face unless
// the teeth are helical or Layers is set.
func (g Spur) Surface() (*meshes.Tri, error) {
	return surfaceOf(g.tets("spur", false))
}

// Facts returns diameters, thicknesses and the resolution of the flanks.
func (g Spur) Facts() []Fact {
	p := g.profile()
	n := float64(len(g.flankPoints()) - 1)
	return []Fact{
		{"pitch diameter", 2 * p.r, "m"},
		{"base diameter", 2 * p.rb, "m"},
		{"tip diameter", 2 * p.ra, "m"},
		{"root diameter", 2 * p.rf, "m"},
		{"tooth thickness at the pitch circle", 2 * p.psi * p.r, "m"},
		{"tooth thickness at the tip", 2 * p.halfAt(p.ra) * p.ra, "m"},
		{"base pitch", 2 * math.Pi * p.rb / float64(g.Teeth), "m"},
		{"least shift without undercut", g.leastShift(), ""},
		{"facets per flank", n, ""},
		{"chord error", g.chord(), "m"},
		{"transmission error from facets", g.chord() / p.rb, "rad"},
	}
}
