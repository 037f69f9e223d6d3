// Package parts makes machine parts from a few numbers: involute gears, racks,
// worms, screws and nuts, rings, cups and shafts, each as a closed triangle
// surface and as tetrahedra with vertices inside teeth and threads. Tooth flanks
// are inscribed in the exact surface within a stated chord error. NewPair checks
// that two parts run together and places them.
//
// Every part turns about the z axis of its own frame and is centred on z = 0.
package parts

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
)

// Part is a machine part that can be meshed. A Part is a value: change its
// fields and ask again.
type Part interface {
	// Check returns what is wrong with the parameters, and how to mend it.
	Check() error
	// Surface returns the closed outward surface.
	Surface() (*meshes.Tri, error)
	// Tets returns the part filled with tetrahedra.
	Tets() (*meshes.Tet, error)
	// Facts returns derived numbers worth knowing; Check must have passed.
	Facts() []Fact
}

// Fact is a derived number of a part.
type Fact struct {
	Name  string
	Value float64
	Unit  string // m, rad, rad/m, or "" for a pure number
}

// Fineness says how finely a part is meshed. The zero value stands for the
// defaults of the part.
type Fineness struct {
	Chord  float64 // largest distance of a facet from the exact surface, m; 0 stands for 1 % of module or pitch
	Across int     // cells across a tooth or wall; even numbers have vertices inside
	Layers int     // layers of tetrahedra: along the face of a gear, in the depth of a thread
}

// Limits of fineness, against meshes nobody can use.
const (
	maxVertices = 2_000_000
	maxAcross   = 32
	maxLayers   = 1000
	maxTeeth    = 1000
	maxColumns  = 20_000 // points around a circle
)

// checker keeps the first fault of a part.
type checker struct {
	part string
	err  error
}

// require records the fault unless ok.
func (c *checker) require(ok bool, format string, args ...any) {
	if c.err == nil && !ok {
		c.err = fmt.Errorf("parts: "+c.part+": "+format, args...)
	}
}

// positive wants a positive, finite length.
func (c *checker) positive(name string, v float64) {
	c.require(v > 0 && v < maxLength, "%s is %.6g m: it must be positive and below %g m", name, v, maxLength)
}

// notNegative wants a finite length of at least zero.
func (c *checker) notNegative(name string, v float64) {
	c.require(v >= 0 && v < maxLength, "%s is %.6g m: it must not be negative, and below %g m", name, v, maxLength)
}

// maxLength bounds all lengths, m: no part of a hand or machine is larger.
const maxLength = 1e3

// within wants a number in [lo, hi].
func (c *checker) within(name string, v, lo, hi float64) {
	c.require(v >= lo && v <= hi, "%s is %.6g: it must lie between %.6g and %.6g", name, v, lo, hi)
}

// angle wants an angle (rad) in [lo, hi] (deg).
func (c *checker) angle(name string, v, lo, hi float64) {
	const slack = 1e-9
	c.require(v >= rad(lo)-slack && v <= rad(hi)+slack, "%s is %.6g°: it must lie between %.6g° and %.6g°", name, deg(v), lo, hi)
}

// fineness checks the fineness of a part of the given size.
func (c *checker) fineness(f Fineness, chord, size float64) {
	c.notNegative("chord", f.Chord)
	c.require(chord >= 1e-6*size, "chord is %.3g m, less than a millionth of the part's %.3g m: choose a larger chord", chord, size)
	c.require(chord <= 0.1*size, "chord is %.3g m, more than a tenth of the part's %.3g m: choose a smaller chord", chord, size)
	c.require(f.Across >= 0 && f.Across <= maxAcross, "across is %d: it must lie between 0 (default) and %d", f.Across, maxAcross)
	c.require(f.Layers >= 0 && f.Layers <= maxLayers, "layers is %d: it must lie between 0 (default) and %d", f.Layers, maxLayers)
}

// room refuses meshes beyond maxVertices.
func (c *checker) room(verts float64) {
	c.require(verts <= maxVertices, "it takes about %.2g vertices, the limit is %d: choose a larger chord or fewer layers", verts, maxVertices)
}

func rad(deg float64) float64 { return deg * math.Pi / 180 }
func deg(rad float64) float64 { return rad * 180 / math.Pi }

// or returns v, or the default where v is zero.
func or[T int | float64](v, byDefault T) T {
	if v == 0 {
		return byDefault
	}
	return v
}

// aroundCircle returns the number of equal chords that keep within chord of a
// circle of radius r, at least 6: r (1 − cos(π/n)) ≤ chord.
func aroundCircle(r, chord float64) int {
	if chord >= r {
		return 6
	}
	// 2 asin √(x/2) is acos(1−x) without its cancellation.
	half := 2 * math.Asin(math.Sqrt(chord/r/2))
	return max(6, int(min(math.Ceil(math.Pi/half-1e-9), 1e9)))
}
