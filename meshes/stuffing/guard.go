package stuffing

// A mesh is accepted only if it agrees with the part: with as many pieces and
// handles, within a few per cent of the volume, and without tets that the reader of
// the program refuses. What the lattice makes of a part depends on where its points
// fall, so that a few lattices beside the wanted one are tried before a size is
// refused.

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

const (
	// lossRefused is the relative change of volume that is refused.
	lossRefused = 0.03
	// angleWanted is the least dihedral angle, rad, for which a mesh is taken at once: 8°.
	angleWanted = 8 * math.Pi / 180
	// knifeCos is the cosine of the angle between two faces, 10°, under which the part
	// itself is as sharp as a poor tet.
	knifeCos = 0.985
	// sizeSteps bounds how many smaller sizes are tried for one that would do.
	sizeSteps = 6
	// sizeStep is the factor between them.
	sizeStep = 0.75
)

// unfaithful is the error of a mesh that is not the part.
type unfaithful struct {
	// m
	size float64
	why  string
	// a mesh that is, at a smaller size; nil if none was found
	better *meshes.Tet
	// its report
	rep *Result
}

// Error implements error: what is wrong and what would do.
func (u *unfaithful) Error() string {
	advice := "no size down to the limit of vertices does: raise the limit, or unite and thicken what is too fine in the CAD program"
	if u.better != nil {
		advice = fmt.Sprintf("size %.3g m with %d vertices would do", u.rep.Size, len(u.better.Verts))
	}
	return fmt.Sprintf("meshes: stuffing: at size %.3g m %s: %s", u.size, u.why, advice)
}

// topologyOf counts the pieces of a boundary and the handles over all of them; −1
// handles where the boundary is no manifold.
type topologyOf struct{ shells, handles int }

// topologyChange describes how the boundary of m differs from the surface; "" where it
// does not. Surfaces that cross themselves or are no manifold have no numbers of
// their own to compare with.
func (s *stuffing) topologyChange(m *meshes.Tet) string {
	if s.crossed || s.shape.handles < 0 {
		return ""
	}
	out, _ := m.Surface()
	top := repair.Topology(out)
	switch {
	case top.Components != s.shape.shells:
		return fmt.Sprintf("the mesh has %s instead of %d", phrases.Plural(top.Components, "piece"), s.shape.shells)
	case top.Genus < 0:
		return "the boundary of the mesh touches itself at a vertex"
	case top.Genus != s.shape.handles:
		return fmt.Sprintf("the mesh has %s instead of %d", phrases.Plural(top.Genus, "handle"), s.shape.handles)
	}
	return ""
}

// measured reports whether the volume of the solid is known: where parts overlap, only
// a union decides it.
func (s *stuffing) measured() bool { return !s.crossed || s.union != nil }

// flaw gives the reason why a finished mesh cannot be used or is not the part; "" if it can and
// is.
func (s *stuffing) flaw(m *meshes.Tet, q *meshes.Quality) string {
	var r meshes.Findings
	repair.TetFaults(m, &r)
	if q.Inverted > 0 {
		return phrases.Plural(q.Inverted, "tet") + " would be inverted"
	}
	// Faults that the reader refuses, such as tets without a volume.
	for _, f := range r.List {
		if f.Severity == meshes.Error {
			return f.Text
		}
	}
	if loss := q.Volume/s.volume - 1; math.Abs(loss) > lossRefused && s.measured() && !s.opt.AllowLoss {
		return fmt.Sprintf("the mesh has %+.1f %% volume against the surface", 100*loss)
	}
	return ""
}

// nearby lists the lattices to try for a size: shifts in cells, factors of the size, and
// of the number of cells across walls and gaps. The first is what was asked for.
var nearby = []struct {
	factor float64
	shift  r3.Vec
	finer  float64
}{
	{1, r3.Vec{}, 1},
	{1, r3.Vec{0.25, 0.25, 0.25}, 1},
	{0.97, r3.Vec{0.31, 0.17, 0.43}, 1},
	{1, r3.Vec{}, 1.5},
	{1, r3.Vec{0.25, 0.25, 0.25}, 2},
	{0.94, r3.Vec{0.13, 0.37, 0.29}, 3},
}

// fillNear makes the mesh for a size, or for one near it where that fails or has sharp tets
// by accident, and says so. If all fail it looks for a size that does, for the error.
func (s *stuffing) fillNear(h float64) (*meshes.Tet, Result, error) {
	var first *unfaithful
	// the mesh with the largest of the least angles so far, and what came before it
	var best *meshes.Tet
	var bestRep Result
	why := ""
	for _, n := range nearby {
		if n.finer > 1 && best != nil {
			break // finer cells are dear: they are for parts that have no mesh yet
		}
		s.finer = n.finer
		m, rep, err := s.fill(n.factor*h, n.shift)
		var poor *unfaithful
		switch {
		case err == nil:
			if why != "" {
				rep.Addf(meshes.Note, "retried", 1, "at size %.4g m %s: size %.4g m with a lattice shifted by %g, %g, %g cells and %g times as many cells across walls and gaps used",
					h, why, n.factor*h, n.shift[0], n.shift[1], n.shift[2], n.finer)
			}
			// a mesh with sharp tets is better than none
			if best == nil || rep.Quality.MinDihedral > bestRep.Quality.MinDihedral {
				best, bestRep = m, rep
			}
			if rep.Quality.MinDihedral >= s.angle || hasKnifeEdge(s.surface) {
				return best, bestRep, nil
			}
			// the note gives the reason of the first retry
			if why == "" {
				why = fmt.Sprintf("tets have angles of %.1f°", rep.Quality.MinDihedral*180/math.Pi)
			}
		case n.finer > 1 && !errors.As(err, &poor):
			// more cells than the limit allows: smaller sizes need more still
		case !errors.As(err, &poor):
			// an error that other lattices share, but for a mesh that there is
			if best == nil {
				return m, rep, err
			}
		case first == nil:
			first = poor
			if why == "" {
				why = poor.why
			}
		}
	}
	if best != nil {
		return best, bestRep, nil
	}
	s.findSize(h, first)
	return nil, Result{Size: h, SurfaceVolume: s.volume}, first
}

// findSize looks for a size below h that has a mesh, for the error that says so.
func (s *stuffing) findSize(h float64, failed *unfaithful) {
	s.finer = 1
	for try := h * sizeStep; try > h*math.Pow(sizeStep, sizeSteps+0.5); try *= sizeStep {
		m, rep, err := s.fill(asPrinted(try), r3.Vec{})
		var poor *unfaithful
		if err == nil {
			failed.better, failed.rep = m, &rep
			break
		}
		if !errors.As(err, &poor) {
			break // too many vertices
		}
	}
}

// asPrinted returns x with three digits, as messages print it: who follows the advice gets
// the mesh that was tried.
func asPrinted(x float64) float64 {
	// messages print sizes with %.3g
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// hasKnifeEdge reports whether two faces of m meet at less than 10°, where tets are as sharp as
// the part.
func hasKnifeEdge(m *meshes.Tri) bool {
	normal := map[[2]int32]r3.Vec{}
	for _, t := range m.Tris {
		p := surfaces.Corners(m, t)
		n := p[1].Sub(p[0]).Cross(p[2].Sub(p[0]))
		// a triangle without area has no normal, and meets no other at an angle
		n = n.Scale(1 / max(n.Norm(), math.SmallestNonzeroFloat64))
		for i := range 3 {
			k := meshes.SideKey(t[i], t[(i+1)%3])
			if o, ok := normal[k]; !ok {
				normal[k] = n
				// faces that fold back on each other have opposite normals
			} else if o.Dot(n) < -knifeCos {
				return true
			}
		}
	}
	return false
}
