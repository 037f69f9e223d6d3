package parts

// The profile is closed implicitly and may run either way. Corners on the axis
// become single vertices; an edge on the axis vanishes, so that cones, balls
// and cups have no hole along it.

// Solids of revolution. By Pappus, a closed polygon with corners (ρ_i, z_i)
// turned about the z axis encloses
//
//	V = π/3 | Σ (ρ_i + ρ_{i+1}) (ρ_i z_{i+1} − ρ_{i+1} z_i) |               (1)
//
// The mesh has n equal steps around; its volume is V · (n/2π) sin(2π/n), that
// of the inscribed prism.
//
// Step k is at the angle 2π k/n; the first and the last are the same vertices.

import (
	"math"
	"strings"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// Revolve is the solid of a closed profile turned about the z axis.
type Revolve struct {
	// Profile lists the corners (radius, z), m, closed implicitly, in either
	// direction. Radii must not be negative; at most one edge may lie on the
	// axis.
	Profile [][2]float64
	// Size is the edge length of tets in the profile, m; 0 stands for half of
	// the mean wall.
	Size float64
	// Chord is the largest deviation from circles, m; 0 stands for 0.2 % of the
	// largest diameter.
	Chord float64
}

// widest returns the largest radius, m.
func (r Revolve) widest() float64 {
	// the circle on which facets deviate most
	w := 0.0
	for _, p := range r.Profile {
		w = max(w, p[0])
	}
	return w
}

// sides returns the number of steps around.
func (r Revolve) sides() int { return aroundCircle(r.widest(), r.chord()) }

// chord returns the chord error in use, m.
func (r Revolve) chord() float64 { return or(r.Chord, 0.004*r.widest()) }

// Check returns an error with the faulty parameter and its remedy, or nil.
func (r Revolve) Check() error {
	c := checker{part: "revolve"}
	r.check(&c)
	return c.err
}

// check records the first fault of the parameters.
func (r Revolve) check(c *checker) {
	// The corners.
	c.require(len(r.Profile) >= 3, "the profile has %d corners, it needs at least 3", len(r.Profile))
	c.require(len(r.Profile) <= 10_000, "the profile has %d corners, the limit is 10000", len(r.Profile))
	for i, p := range r.Profile {
		c.require(p[0] >= 0 && p[0] < maxLength && math.Abs(p[1]) < maxLength, "corner %d of the profile is at radius %.6g m, z %.6g m: radii must not be negative, and all below %g m", i, p[0], p[1], maxLength)
	}
	if c.err != nil {
		return
	}
	c.require(r.widest() > 0, "the whole profile lies on the axis")
	c.notNegative("size", r.Size)
	c.resolution(Resolution{Chord: r.Chord}, r.chord(), r.widest())
	// A corner on the axis whose neighbours are both off it makes the solid touch itself in a point.
	n := len(r.Profile)
	for i, p := range r.Profile {
		touches := p[0] == 0 && r.Profile[(i+1)%n][0] > 0 && r.Profile[(i+n-1)%n][0] > 0
		c.require(!touches, "corner %d of the profile touches the axis in a single point: let an edge of the profile lie on the axis, or keep off it", i)
	}
	// Two edges on the axis make the solid touch itself.
	axial := 0
	for i, p := range r.Profile {
		if p[0] == 0 && r.Profile[(i+1)%n][0] == 0 {
			axial++
		}
	}
	c.require(axial <= 1, "%d edges of the profile lie on the axis: at most one may, the solid would touch itself", axial)
	if c.err != nil {
		return
	}
	p := r.planar()
	// Extruding finds loops that cross or touch themselves.
	if _, err := p.Extrude(1); err != nil {
		c.require(false, "the profile is no simple polygon: %s", strings.TrimPrefix(err.Error(), "meshes: profile: "))
		return
	}
	c.require(r.area() > 1e-9*r.widest()*r.widest(), "the profile encloses next to no area")
	c.require(r.Size == 0 || r.area()/(r.Size*r.Size) < maxVertices, "size %.3g m is too small for the profile: choose a larger one", r.Size)
	// a triangle of the profile becomes a prism of three tets in each step around
	c.room(3 * (r.area()/(r.size()*r.size()) + float64(n)) * float64(r.sides()))
}

// planar returns the profile as a region of the plane.
func (r Revolve) planar() profiles.Profile { return profiles.Profile{Outer: r.Profile} }

// area returns the area of the profile, m².
func (r Revolve) area() float64 { p := r.planar(); return p.Area() }

// size returns the edge length in the profile, m: by default area over
// circumference, which is half of the thickness of a thin wall.
func (r Revolve) size() float64 {
	if r.Size > 0 {
		return r.Size
	}
	// Length of the outline.
	round := 0.0
	for i, p := range r.Profile {
		round += dist2(p, r.Profile[(i+1)%len(r.Profile)])
	}
	return r.area() / round
}

// section triangulates the profile: the lower side of a slab that is swept from
// it.
func (r Revolve) section() (*section, error) {
	// one layer of any thickness: only its lower cap is used
	slab, err := profiles.SweepProfile(r.planar(), 1, 1, r.size())
	if err != nil {
		return nil, err
	}
	// The first half of the vertices is the lower cap.
	n := int32(len(slab.Verts) / 2)
	s := &section{}
	for _, p := range slab.Verts[:n] {
		s.add(vec2{p[0], p[1]})
	}
	// Faces of the lower cap are the triangulation.
	tris, _ := slab.Boundary()
	for _, t := range tris {
		if t[0] < n && t[1] < n && t[2] < n {
			sorted, _ := meshes.SortedTri(t)
			s.tris = append(s.tris, sorted)
		}
	}
	return s, nil
}

// Tets returns the solid as tetrahedra.
func (r Revolve) Tets() (*meshes.Tet, error) {
	c := checker{part: "revolve"}
	r.check(&c)
	if c.err != nil {
		return nil, c.err
	}
	return r.tets(&c)
}

// tets turns the triangulated profile; c names the part in errors.
func (r Revolve) tets(c *checker) (*meshes.Tet, error) {
	s, err := r.section()
	if err != nil {
		c.require(false, "%s", strings.TrimPrefix(err.Error(), "meshes: "))
		return nil, c.err
	}
	return s.around(r.sides(), c)
}

// around turns a section with coordinates (radius, z) about the z axis in equal
// steps.
func (s *section) around(sides int, c *checker) (*meshes.Tet, error) {
	// Directions of the copies.
	turn := make([]vec2, sides)
	for k := range turn {
		turn[k] = polar(1, 2*math.Pi*float64(k)/float64(sides))
	}
	m, err := sweeping{
		copies: sides, closed: true,
		fixed: func(v int32) bool { return s.pts[v][0] == 0 },
		ccw:   func(t [3]int32) bool { return !s.ccw(t) }, // radius, z and angle are left-handed
		at: func(k int, v int32) r3.Vec {
			p := s.pts[v]
			return r3.Vec{p[0] * turn[k][0], p[0] * turn[k][1], p[1]}
		},
	}.sweep(len(s.pts), s.tris)
	c.require(err == nil, "%w", err)
	return m, c.err
}

// Surface returns the closed surface, with no vertices but the profile's corners
// on each meridian.
func (r Revolve) Surface() (*meshes.Tri, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	return r.surface(), nil
}

// surface turns the outline of the profile.
func (r Revolve) surface() *meshes.Tri {
	// The direction of the outline decides which side is outside.
	loop := r.Profile
	area := 0.0
	for i, p := range loop {
		q := loop[(i+1)%len(loop)]
		area += p[0]*q[1] - p[1]*q[0]
	}
	sides := r.sides()
	out := &meshes.Tri{}
	// Vertices: a single one for a corner on the axis.
	number := make([][]int32, len(loop))
	for i, p := range loop {
		number[i] = make([]int32, sides)
		for k := range sides {
			// A corner on the axis is one vertex.
			if p[0] == 0 && k > 0 {
				number[i][k] = number[i][0]
				continue
			}
			number[i][k] = int32(len(out.Verts))
			d := polar(p[0], 2*math.Pi*float64(k)/float64(sides))
			out.Verts = append(out.Verts, r3.Vec{d[0], d[1], p[1]})
		}
	}
	for i := range loop {
		p, q := number[i], number[(i+1)%len(loop)]
		if area < 0 { // clockwise: outside is on the left
			p, q = q, p
		}
		for k := range sides {
			// Two triangles for each edge and step; at the axis one has no
			// area.
			next := (k + 1) % sides
			for _, t := range [2][3]int32{{p[k], p[next], q[next]}, {p[k], q[next], q[k]}} {
				if t[0] != t[1] && t[1] != t[2] && t[0] != t[2] {
					out.Tris = append(out.Tris, t)
				}
			}
		}
	}
	return out
}

// Volume returns the volume of the exact solid by (1), m³.
func (r Revolve) Volume() float64 {
	v := 0.0
	for i, p := range r.Profile {
		q := r.Profile[(i+1)%len(r.Profile)]
		v += (p[0] + q[0]) * (p[0]*q[1] - q[0]*p[1])
	}
	return math.Abs(v) * math.Pi / 3
}

// Facts returns diameter, volume and resolution.
func (r Revolve) Facts() []Fact {
	return []Fact{
		{"largest diameter", 2 * r.widest(), "m"},
		{"exact volume", r.Volume(), "m³"},
		{"sides around", float64(r.sides()), ""},
		{"chord error", r.chord(), "m"},
	}
}
