package stuffing

// Thin walls ask for a number of vertices that no size of cells goes below: w cells across a wall of thickness t,
// and as long along it, are
//
//	n ≈ Σ 2 A t/2 / (t/w)³ + 1.2 A / (t/w)²                                (1)
//
// over parts A of both sides. A request for far fewer is refused from the measured walls, before lattices are searched
// for it. One lattice is cut then, which shows how many there are, since (1) is up to twice too many.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// fewOff is how many times more vertices than asked for walls must need for the request to be refused.
const fewOff = 1.5

// tooFewError is the error of a number of vertices far below what the walls of a part need.
type tooFewError struct {
	// number asked for, with nodes on the middles of edges if midpoints is true
	asked     int
	midpoints bool
	// vertices of the coarsest lattice that has the wanted cells across walls
	least int
	// median thickness of the walls, m, and cells across
	wall  float64
	cells int
	// the lattice has the pieces and handles of the part
	whole bool
}

// Error implements error: what the walls need, and what may be asked for.
func (e *tooFewError) Error() string {
	n, about := e.least, ""
	if e.midpoints {
		n, about = int(math.Round(midpointNodes*float64(n)/100))*100, "about "
	}
	why := fmt.Sprintf("meshes: stuffing: %d vertices are too few: %s across walls of %s need", e.asked, phrases.Plural(e.cells, "cell"), phrases.Length(asPrinted(e.wall)))
	if !e.whole {
		return fmt.Sprintf("%s more than %s%d", why, about, n)
	}
	return fmt.Sprintf("%s %s%d: ask for %d", why, about, n, n)
}

// tooFew returns an error if walls need far more vertices than are asked for; nil if not, or where it cannot be seen.
func (s *stuffing) tooFew() *tooFewError {
	if s.opt.WallCells < 0 {
		return nil
	}
	// Larger cells than the part is thick are halved everywhere.
	extent := s.dist.Mesh().Bounds().Size()
	h := min(extent[0], extent[1], extent[2])
	g, n, err := s.fits(h)
	want := fewOff * float64(s.opt.Vertices)
	if err != nil || n < predictedMost*want || n > float64(s.opt.MaxVertices) {
		return nil // maybe enough, or the limit is what is too low
	}
	m, skin := cutLattice(s.lattice(g, r3.Vec{}))
	makeManifold(m, skin, g.least())
	if float64(len(m.Verts)) < want {
		return nil
	}
	return &tooFewError{asked: s.opt.Vertices, least: len(m.Verts), wall: s.medianWall(h), cells: s.opt.WallCells, whole: s.topologyChange(m) == ""}
}

// medianWall returns the median thickness over the area of the walls thinner than twice reach, m.
func (s *stuffing) medianWall(reach float64) float64 {
	var samples []surfaces.Sample
	s.gauge.Sample(reach/2, 2*reach, func(*surfaces.Sample) float64 { return math.Inf(1) }, func(x *surfaces.Sample) bool {
		samples = append(samples, *x)
		return true
	})
	slices.SortFunc(samples, func(a, b surfaces.Sample) int { return cmp.Compare(a.Wall, b.Wall) })
	all := 0.0
	for i := range samples {
		if !math.IsInf(samples[i].Wall, 1) {
			all += samples[i].Area
		}
	}
	half := 0.0
	for i := range samples {
		if half += samples[i].Area; half >= all/2 {
			return samples[i].Wall
		}
	}
	return math.Inf(1)
}
