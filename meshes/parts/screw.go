package parts

// Screws: an external thread on a cylinder. With no clearance, screw and nut of
// the same basic profile touch on all of their flanks; a clearance on either
// part makes play:
//
//	axial play  = 2 (c_screw + c_nut)/cos φ
//	normal play = axial play/√(1 + tan²φ + tan²γ)
//
// φ the flank angle, γ the lead angle at the pitch diameter.

// Screw threads have straight flanks in the axial section. At radius ρ, with axial
// pitch p, pitch radius r₂, flank angle φ (from the plane across the axis; half
// the angle of an ISO or trapezoidal thread) the basic profile is half as wide as
//
//	w(ρ) = p/4 − (ρ − r₂) tan φ                                             (1)
//
// between the minor and the major radius. A screw stays behind it by its clearance
// c, measured normal to the profile everywhere, a nut likewise on the other side:
//
//	w_screw = w − c/cos φ,  w_groove = w + c/cos φ                          (2)

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
)

// Thread has what a screw and its nut have in common, and the clearance of
// this one of them.
type Thread struct {
	// Pitch is the axial distance of neighbouring ridges p, m.
	Pitch float64
	// Starts is the number of threads side by side; the lead is Starts times
	// Pitch.
	Starts int
	// Major is the outer diameter of the basic profile, m.
	Major float64
	// Minor is the inner diameter of the basic profile, m.
	Minor float64
	// PitchDiameter is the diameter at which ridge and groove are equally wide,
	// m; 0 stands for midway between Minor and Major.
	PitchDiameter float64
	// FlankAngle is the angle φ of the flanks from the plane across the axis,
	// rad: 30° for ISO metric, 15° for trapezoidal threads.
	FlankAngle float64
	// Clearance is the distance of the part's surface behind the basic profile,
	// along its normal, m.
	Clearance float64
	// Left makes the thread left-handed.
	Left bool
}

// ISOThread returns the basic profile of an ISO metric thread (ISO 68-1) of a
// diameter and pitch, m. With the height H = √3/2 p of the sharp profile the
// minor diameter is smaller by 1.25 H and the pitch diameter by 0.75 H.
func ISOThread(diameter, pitch float64) Thread {
	h := pitch * math.Sqrt(3) / 2
	return Thread{
		Pitch: pitch, Starts: 1, Major: diameter, Minor: diameter - 1.25*h,
		PitchDiameter: diameter - 0.75*h, FlankAngle: rad(30),
	}
}

// Lead returns the axial advance in one turn, m.
func (t Thread) Lead() float64 { return float64(t.Starts) * t.Pitch }

// LeadAngle returns the slope of the thread at the pitch diameter, rad. A
// thread is self-locking where the friction coefficient exceeds its tangent
// times the cosine of the flank angle.
func (t Thread) LeadAngle() float64 {
	return math.Atan(t.Lead() / (math.Pi * 2 * t.pitchRadius()))
}

// pitchRadius returns half of the pitch diameter in use, m.
func (t Thread) pitchRadius() float64 { return or(t.PitchDiameter, (t.Major+t.Minor)/2) / 2 }

// half returns half the width of the ridge at a radius, m, of the basic profile
// grown by the clearance c, m, normal to it (1) (2).
func (t Thread) half(radius, c float64) float64 {
	return t.Pitch/4 - (radius-t.pitchRadius())*math.Tan(t.FlankAngle) + c/math.Cos(t.FlankAngle)
}

// check records the first fault of the profile.
func (t Thread) check(c *checker) {
	c.positive("pitch", t.Pitch)
	c.within("starts", float64(t.Starts), 1, 20)
	c.positive("major diameter", t.Major)
	c.require(t.Minor > 0, "minor diameter is %.6g m: it must be positive; unless given it is the major diameter, now %.6g m, less 1.0825 pitches of %.6g m", t.Minor, t.Major, t.Pitch)
	c.require(t.Minor < t.Major, "minor diameter %.6g m is not below the major diameter %.6g m", t.Minor, t.Major)
	c.notNegative("pitch diameter", t.PitchDiameter)
	c.require(t.PitchDiameter == 0 || t.PitchDiameter > t.Minor && t.PitchDiameter < t.Major,
		"pitch diameter %.6g m is not between minor %.6g m and major %.6g m: give 0 for midway", t.PitchDiameter, t.Minor, t.Major)
	c.angle("flank angle", t.FlankAngle, 3, 60)
	c.require(t.Clearance >= 0, "clearance is %.6g m: a negative one makes screw and nut overlap; give 0 or a small positive length", t.Clearance)
	c.require(t.Clearance < t.Pitch, "clearance is %.6g m, above the pitch of %.6g m: it is a length in m", t.Clearance, t.Pitch)
	if c.err != nil {
		return
	}
	c.require(t.LeadAngle() <= rad(45), "the lead angle is %.4g°, above 45°: choose fewer starts, a smaller pitch or a larger diameter", deg(t.LeadAngle()))
}

// Screw is an external thread on a cylinder. The middle of a ridge lies on the
// x axis at z = 0.
type Screw struct {
	// Thread is the profile.
	Thread
	// Length is the extent along z, m.
	Length float64
	// Bore is the diameter of the bore, m; 0 for none. Tets need one.
	Bore float64
	Resolution
}

// DefaultScrew returns an M6 screw of 12 mm with a bore of 2 mm.
func DefaultScrew() Screw {
	return Screw{Thread: ISOThread(6e-3, 1e-3), Length: 12e-3, Bore: 2e-3}
}

// chord returns the chord error in use, m.
func (s Screw) chord() float64 { return or(s.Chord, 0.01*s.Pitch) }

// radii returns the crest and root radius, m.
func (s Screw) radii() (crest, root float64) {
	return s.Major/2 - s.Clearance, s.Minor/2 - s.Clearance
}

// Check returns an error with the faulty parameter and its remedy, or nil.
func (s Screw) Check() error {
	c := checker{part: "screw"}
	s.check(&c)
	return c.err
}

// check records the first fault of the parameters.
func (s Screw) check(c *checker) {
	s.Thread.check(c)
	c.positive("length", s.Length)
	c.notNegative("bore", s.Bore)
	c.resolution(s.Resolution, s.chord(), s.Pitch)
	if c.err != nil {
		return
	}
	crest, root := s.radii()
	c.require(s.half(crest, -s.Clearance) > minTip*s.Pitch/4, "the ridges are pointed: choose a smaller major diameter, flank angle or clearance")
	c.require(s.half(root, -s.Clearance) < s.Pitch/2*(1-minTip), "the gaps close at the root: choose a larger minor diameter or clearance")
	c.require(root-s.Bore/2 > minRim*(crest-root), "bore %.6g m leaves no wall under the root of %.6g m diameter: choose a smaller bore", s.Bore, 2*root)
	c.threadRoom(s.mesh)
}

// threadRoom checks that a thread can be meshed.
func (c *checker) threadRoom(mesh func() *thread) {
	if c.err != nil {
		return
	}
	t := mesh()
	c.require(t != nil, "the chord error needs too many facets: choose a larger chord")
	if c.err != nil {
		return
	}
	c.require(t.full() > 0, "length %.6g m leaves no thread of full depth: the ends take %.6g m; choose a longer part", t.length, t.length-t.full())
	c.room(float64(t.columns) * (2 + float64(len(t.stations))*t.length/t.pitch) * float64(t.layers+6))
}

func (s Screw) mesh() *thread {
	crest, root := s.radii()
	t := s.Thread.mesh(crest, root, func(r float64) float64 { return s.half(r, -s.Clearance) }, s.chord(), s.Resolution, 0)
	if t != nil {
		t.wall, t.length = s.Bore/2, s.Length
	}
	return t
}

// mesh returns a thread whose ridge is width wide to each side, from root to
// crest, or nil if that takes too many facets.
func (t Thread) mesh(crest, root float64, width func(r float64) float64, chord float64, f Resolution, flats int) *thread {
	columns := aroundCircle(max(crest, root), chord/2)
	if flats > 0 {
		columns = (columns + flats - 1) / flats * flats
	}
	rows := flankRows(t.Lead(), math.Abs(crest-root), min(crest, root), chord, columns)
	rows = max(rows, or(f.Across, 2)/2)
	if columns > maxColumns || rows > 100 {
		return nil
	}
	var side []vec2
	for i := range rows + 1 {
		r := crest + (root-crest)*float64(i)/float64(rows)
		side = append(side, vec2{width(r), r})
	}
	return &thread{
		lead: t.Lead(), pitch: t.Pitch, left: t.Left, stations: ridge(side, root), root: root,
		columns: columns, layers: or(f.Layers, 2), flats: flats,
	}
}

// flankRows returns into how many cells a flank must be cut so that the diagonals
// of its facets stay within a quarter of the chord error. In the turn φ between
// columns, a diagonal of radial extent e at radius r leaves a screw surface of
// lead l by (l/2π) e φ/(4 r).
func flankRows(lead, height, radius, chord float64, columns int) int {
	off := lead / (2 * math.Pi) * height * (2 * math.Pi / float64(columns)) / (4 * radius)
	return max(1, int(math.Ceil(min(4*off/chord, 1e6))))
}

// Tets returns the screw as tetrahedra. It needs a bore.
func (s Screw) Tets() (*meshes.Tet, error) {
	c := checker{part: "screw"}
	s.check(&c)
	c.require(s.Bore > 0, noBore)
	if c.err != nil {
		return nil, c.err
	}
	m, err := s.mesh().tets()
	c.require(err == nil, "%w", err)
	return m, c.err
}

// Surface returns the closed surface.
func (s Screw) Surface() (*meshes.Tri, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s.mesh().surface(), nil
}

// Facts returns derived quantities of the part.
func (s Screw) Facts() []Fact {
	crest, root := s.radii()
	return append([]Fact{
		{"crest diameter", 2 * crest, "m"},
		{"root diameter", 2 * root, "m"},
	}, s.Thread.facts(s.mesh(), s.chord())...)
}

func (t Thread) facts(m *thread, chord float64) []Fact {
	return []Fact{
		{"pitch diameter", 2 * t.pitchRadius(), "m"},
		{"lead", t.Lead(), "m"},
		{"lead angle", t.LeadAngle(), "rad"},
		{"self-locking from friction coefficient", math.Tan(t.LeadAngle()) * math.Cos(t.FlankAngle), ""},
		{"length of full thread", m.full(), "m"},
		{"facets per turn", float64(m.columns), ""},
		{"facets per flank", float64(len(m.stations)-3) / 2, ""},
		{"chord error", chord, "m"},
	}
}
