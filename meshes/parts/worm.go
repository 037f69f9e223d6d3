package parts

// A worm is an involute helicoid (form ZI): a helical gear of as many teeth as it
// has starts. With axial module m, s starts, pitch radius r, lead angle γ, normal
// pressure angle α_n and teeth thinned axially by j,
//
//	tan γ = s m/(2 r)                                                       (1)
//	tan α = tan α_n/sin γ,  r_b = r cos α          transverse               (2)
//	c = s m/2 = lead/2π                                                     (3)
//	u(ρ) = (π m/2 − j)/2 + c (inv α − inv α(ρ)),  cos α(ρ) = r_b/ρ          (4)
//
// u is the half width of the thread at radius ρ in the axial section. With a
// helical wheel of helix γ and the same hand, both are involute gears on crossed
// axes: conjugate for every centre distance, touching in one point that runs along
// a straight line through the pitch point.

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
)

// Worm is a cylindrical worm. The middle of a thread lies on the x axis at z =
// 0. Give the pitch diameter or the lead angle.
// The worm is meshed as a thread (thread.go), whose ridge has the width (4).
type Worm struct {
	// Module is the axial module, m: the axial pitch over π.
	Module float64
	// Starts is the number of threads s.
	Starts int
	// PitchDiameter is the pitch diameter, m; or 0 with LeadAngle given.
	PitchDiameter float64
	// LeadAngle is the lead angle γ at the pitch diameter, rad; or 0 with
	// PitchDiameter given.
	LeadAngle float64
	// PressureAngle is the normal pressure angle, rad.
	PressureAngle float64
	// Backlash is the reduction of the axial thread thickness, m.
	Backlash float64
	// Addendum is the height of the threads over the pitch cylinder, over the
	// module.
	Addendum float64
	// Clearance is the distance of the root from the tip of the mate (bottom
	// clearance), over the module.
	Clearance float64
	// Length is the extent along z, m.
	Length float64
	// Bore is the diameter of the bore, m; 0 for none. Tets need one.
	Bore float64
	// Left makes the worm left-handed.
	Left bool
	Resolution
}

// DefaultWorm returns a single-start worm of module 1 mm.
func DefaultWorm() Worm {
	return Worm{
		Module: 1e-3, Starts: 1, PitchDiameter: 16e-3, PressureAngle: rad(20),
		Addendum: 1, Clearance: 0.25, Length: 24e-3, Bore: 6e-3,
	}
}

// chord returns the chord error in use, m.
func (w Worm) chord() float64 { return or(w.Chord, 0.01*w.Module) }

// Lead returns the axial advance of a thread in one turn, m.
func (w Worm) Lead() float64 { return float64(w.Starts) * math.Pi * w.Module }

// pitchRadius returns the pitch radius, m, and the lead angle, rad (1).
func (w Worm) pitchRadius() (r, gamma float64) {
	if w.PitchDiameter == 0 {
		return float64(w.Starts) * w.Module / (2 * math.Tan(w.LeadAngle)), w.LeadAngle
	}
	return w.PitchDiameter / 2, math.Atan(float64(w.Starts) * w.Module / w.PitchDiameter)
}

// base returns the base radius, m, and the transverse pressure angle, rad (2).
func (w Worm) base() (rb, alpha float64) {
	r, gamma := w.pitchRadius()
	alpha = math.Atan(math.Tan(w.PressureAngle) / math.Sin(gamma))
	return r * math.Cos(alpha), alpha
}

// halfWidth returns half the axial width of the thread at a radius, m (4).
func (w Worm) halfWidth(radius float64) float64 {
	rb, alpha := w.base()
	t := rollAt(rb, radius)
	c := w.Lead() / (2 * math.Pi) // (3)
	return (math.Pi*w.Module/2-w.Backlash)/2 + c*(inv(alpha)-(t-math.Atan(t)))
}

// radii returns the tip and root radius and the deepest radius that a mate's
// tip reaches, m.
func (w Worm) radii() (tip, root, deepest float64) {
	r, _ := w.pitchRadius()
	return r + w.Addendum*w.Module, r - (w.Addendum+w.Clearance)*w.Module, r - w.Addendum*w.Module
}

// Check returns an error with the faulty parameter and its remedy, or nil.
func (w Worm) Check() error {
	c := checker{part: "worm"}
	w.check(&c)
	return c.err
}

// check records the first fault of the parameters.
func (w Worm) check(c *checker) {
	c.positive("module", w.Module)
	c.within("starts", float64(w.Starts), 1, 20)
	c.notNegative("pitch diameter", w.PitchDiameter)
	c.require(w.PitchDiameter != 0 || w.LeadAngle != 0, "neither pitch diameter nor lead angle is given: give one of them")
	if c.err == nil && w.PitchDiameter != 0 && w.LeadAngle != 0 {
		_, gamma := w.pitchRadius()
		c.require(math.Abs(gamma-w.LeadAngle) < 1e-3*gamma, "pitch diameter %.6g m makes the lead angle %.5g°, not %.5g°: give only one of them", w.PitchDiameter, deg(gamma), deg(w.LeadAngle))
	}
	if w.PitchDiameter == 0 {
		c.angle("lead angle", w.LeadAngle, 0.5, 45)
	}
	c.angle("pressure angle", w.PressureAngle, 5, 40)
	c.within("addendum", w.Addendum, 0.2, 2)
	c.within("clearance", w.Clearance, 0.01, 1)
	c.require(w.Backlash >= 0 && w.Backlash < w.Module, "backlash is %.6g m: it must not be negative and well below the module; it is a length in m", w.Backlash)
	c.positive("length", w.Length)
	c.notNegative("bore", w.Bore)
	c.resolution(w.Resolution, w.chord(), w.Module)
	if c.err != nil {
		return
	}
	_, gamma := w.pitchRadius()
	c.require(gamma >= rad(0.5)*(1-1e-9) && gamma <= rad(45)*(1+1e-9), "the lead angle is %.4g°: it must lie between 0.5° and 45°; choose another pitch diameter or number of starts", deg(gamma))
	tip, root, deepest := w.radii()
	c.require(root-w.Bore/2 > minRim*w.Module, "bore %.6g m leaves less than %.2g modules under the root circle of %.6g m diameter: choose a smaller bore or a larger pitch diameter", w.Bore, minRim, 2*root)
	rb, _ := w.base()
	c.require(rb < deepest, "the flanks would reach %.4g m inside the base circle of %.4g m diameter (undercut): choose a larger pitch diameter, fewer starts or a larger pressure angle", rb-deepest, 2*rb)
	c.require(w.halfWidth(tip) > minTip*w.Module/2, "the threads are pointed: choose a smaller addendum (now %.4g) or backlash (now %.4g m)", w.Addendum, w.Backlash)
	c.require(w.halfWidth(max(root, rb)) < (0.5-endMargin/4)*math.Pi*w.Module, "the gaps close at the root: choose a smaller addendum or clearance")
	c.threadRoom(w.thread)
}

// thread returns the worm's mesh, or nil if its flanks take too many facets.
func (w Worm) thread() *thread {
	tip, root, _ := w.radii()
	rb, _ := w.base()
	columns := aroundCircle(tip, w.chord()/2)
	foot := max(root, rb)
	least := max(or(w.Across, 2)/2, flankRows(w.Lead(), tip-root, root, w.chord(), columns))
	if least > 100 || columns > maxColumns {
		return nil
	}
	// One flank from crest to root; below the base circle it continues radially.
	side := polyline(func(s float64) vec2 {
		r := tip + s*(foot-tip)
		return vec2{w.halfWidth(r), r}
	}, w.chord()/4, least, 100)
	if side == nil {
		return nil
	}
	if foot > root {
		side = append(side, vec2{side[len(side)-1][0], root})
	}
	t := &thread{
		lead: w.Lead(), pitch: math.Pi * w.Module, left: w.Left, root: root,
		wall: w.Bore / 2, length: w.Length, columns: columns, layers: or(w.Layers, 2),
	}
	t.stations = ridge(side, root)
	return t
}

// ridge returns the stations of a symmetric ridge from one side of it, crest to
// root, with a further station in the middle of the crest.
func ridge(side []vec2, root float64) []station {
	var out []station
	last := len(side) - 1
	for i := last; i >= 0; i-- {
		out = append(out, station{-side[i][0], side[i][1]})
	}
	out = append(out, station{0, side[0][1]})
	for _, p := range side {
		out = append(out, station{p[0], p[1]})
	}
	out[0].r, out[len(out)-1].r = root, root
	return out
}

// Tets returns the worm as tets, with two layers in the depth of the thread. It
// needs a bore.
func (w Worm) Tets() (*meshes.Tet, error) {
	c := checker{part: "worm"}
	w.check(&c)
	c.require(w.Bore > 0, noBore)
	if c.err != nil {
		return nil, c.err
	}
	m, err := w.thread().tets()
	c.require(err == nil, "%w", err)
	return m, c.err
}

// noBore is why a thread without a bore has no tetrahedra here.
const noBore = "tetrahedra in layers under the thread need a bore: give one, or make the surface and fill it with `curlfree mesh tet`"

// Surface returns the closed surface.
func (w Worm) Surface() (*meshes.Tri, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	return w.thread().surface(), nil
}

// Facts returns diameters, lead and resolution.
func (w Worm) Facts() []Fact {
	r, gamma := w.pitchRadius()
	tip, root, _ := w.radii()
	rb, _ := w.base()
	t := w.thread()
	return []Fact{
		{"pitch diameter", 2 * r, "m"},
		{"tip diameter", 2 * tip, "m"},
		{"root diameter", 2 * root, "m"},
		{"base diameter", 2 * rb, "m"},
		{"lead", w.Lead(), "m"},
		{"lead angle", gamma, "rad"},
		{"axial thread thickness at the pitch circle", 2 * w.halfWidth(r), "m"},
		{"length of full thread", t.full(), "m"},
		{"facets per turn", float64(t.columns), ""},
		{"facets per flank", float64(len(t.stations)-3) / 2, ""},
		{"chord error", w.chord(), "m"},
	}
}
