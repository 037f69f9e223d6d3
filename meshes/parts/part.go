// Package parts generates machine parts from parameters: involute gears, racks,
// worms, screws and nuts, rings, cups and shafts, each as a closed triangle surface
// and as tets with vertices inside teeth and threads. Curved flanks are
// approximated by facets whose vertices lie on the exact surface and whose largest
// distance from it, the chord error, is a parameter. NewPair checks that two parts
// mate and places them.
//
// Conventions. Every part has its own frame: it turns about the z axis and is
// centred on z = 0; the middle of tooth 0, or of a thread's ridge, lies on the
// x axis at z = 0. Lengths are metres, angles radians. Teeth and threads follow
// the symbols of ISO 21771 (gears) and ISO 68-1 (threads); the equations stand
// at the head of involute.go, worm.go, screw.go, thread.go and pair.go.
package parts

// Each kind of part has a file with its type, its default, its checks and its
// equations; kinds.go lists their parameters for scenes. Common ground: section.go
// sweeps plane sections, sector.go repeats teeth, thread.go winds ridges,
// revolve.go turns profiles.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
)

// Part is a machine part that can be meshed. A Part is a value: change its
// fields and mesh it again.
type Part interface {
	// Check returns nil, or an error that names the faulty parameter and how
	// to repair it.
	Check() error
	// Surface returns the closed outward surface. It checks the parameters
	// first.
	Surface() (*meshes.Tri, error)
	// Tets returns the part filled with tets. It checks the parameters first.
	Tets() (*meshes.Tet, error)
	// Facts returns derived quantities, such as diameters. Check must have
	// passed.
	Facts() []Fact
}

// Fact is a derived quantity of a part or pair.
type Fact struct {
	// Name is the name of the quantity, such as "base diameter".
	Name string
	// Value is the number, in Unit.
	Value float64
	// Unit is m, rad, m³, rad/m, m/rad, or "" for a pure number.
	Unit string
}

// Resolution has the element sizes of a part's mesh. The zero value stands for
// the defaults of the part.
type Resolution struct {
	// Chord is the largest distance of a facet from the exact surface, m; 0
	// stands for 1 % of module or pitch.
	Chord float64
	// Across is the number of cells across a tooth or wall; even numbers put
	// vertices in the middle of it. 0 stands for 2.
	Across int
	// Layers is the number of layers of tets: along the face of a gear, in the
	// depth of a thread. 0 stands for the default of the part.
	Layers int
}

// Limits of resolution, against meshes that are too large to use.
const (
	maxVertices = 2_000_000
	maxAcross   = 32
	maxLayers   = 1000
	maxTeeth    = 1000
	maxColumns  = 20_000 // points around a circle
)

// checker keeps the first fault of a part.
type checker struct {
	// name of the part, for the message
	part string
	// first fault
	err error
}

// require records the fault, formatted, unless ok.
func (c *checker) require(ok bool, format string, args ...any) {
	if c.err == nil && !ok {
		c.err = fmt.Errorf("parts: "+c.part+": "+format, args...)
	}
}

// positive requires a positive, finite length, m.
func (c *checker) positive(name string, v float64) {
	c.require(v > 0 && v < maxLength, "%s is %.6g m: it must be positive and below %g m", name, v, maxLength)
}

// notNegative requires a finite length of at least zero, m.
func (c *checker) notNegative(name string, v float64) {
	c.require(v >= 0 && v < maxLength, "%s is %.6g m: it must not be negative, and below %g m", name, v, maxLength)
}

// maxLength bounds all lengths, m: no part of a hand or machine is longer.
const maxLength = 1e3

// within requires a number in [lo, hi].
func (c *checker) within(name string, v, lo, hi float64) {
	c.require(v >= lo && v <= hi, "%s is %.6g: it must lie between %.6g and %.6g", name, v, lo, hi)
}

// angle requires an angle v, rad, in [lo, hi], deg.
func (c *checker) angle(name string, v, lo, hi float64) {
	const slack = 1e-9
	c.require(v >= rad(lo)-slack && v <= rad(hi)+slack, "%s is %.6g°: it must lie between %.6g° and %.6g°", name, deg(v), lo, hi)
}

// resolution checks the resolution of a part; chord is the chord error in use and
// size the length it is compared with, m.
func (c *checker) resolution(f Resolution, chord, size float64) {
	c.notNegative("chord", f.Chord)
	c.require(chord >= 1e-6*size, "chord is %.3g m, less than a millionth of the part's %.3g m: choose a larger chord", chord, size)
	c.require(chord <= 0.1*size, "chord is %.3g m, more than a tenth of the part's %.3g m: choose a smaller chord", chord, size)
	c.require(f.Across >= 0 && f.Across <= maxAcross, "across is %d: it must lie between 0 (default) and %d", f.Across, maxAcross)
	c.require(f.Layers >= 0 && f.Layers <= maxLayers, "layers is %d: it must lie between 0 (default) and %d", f.Layers, maxLayers)
}

// room refuses meshes of more than maxVertices vertices.
func (c *checker) room(verts float64) {
	c.require(verts <= maxVertices, "it takes about %.2g vertices, the limit is %d: choose a larger chord or fewer layers", verts, maxVertices)
}

// rad converts from degrees.
func rad(deg float64) float64 { return deg * math.Pi / 180 }

// deg converts to degrees.
func deg(rad float64) float64 { return rad * 180 / math.Pi }

// or returns v, or the default where v is zero.
func or[T int | float64](v, byDefault T) T {
	if v == 0 {
		return byDefault
	}
	return v
}

// aroundCircle returns the number n of equal chords, at least 6, that stay
// within chord, m, of a circle of radius r, m:
//
//	r (1 − cos(π/n)) ≤ chord
func aroundCircle(r, chord float64) int {
	if chord >= r {
		return 6
	}
	// 2 asin √(x/2) is acos(1−x) without its cancellation.
	half := 2 * math.Asin(math.Sqrt(chord/r/2))
	return max(6, int(min(math.Ceil(math.Pi/half-1e-9), 1e9)))
}
