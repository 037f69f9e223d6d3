// Package stuffing fills closed surfaces with tets: prisms by layers, others by isosurface stuffing.
package stuffing

// Guarantees of a stuffing:
//
//   - All tets have positive volume and conform; the boundary is a closed
//     manifold that does not cut itself (crossings.go).
//   - Boundary vertices lie on flat parts of the surface within 10⁻⁶ h, and off
//     curved parts by what makes their faces lie on both sides.
//   - The mesh has the pieces and handles of the surface and at most 3 % of
//     volume off, or there is an error; with AllowLoss, what the lattice cannot
//     resolve is reported: bridged gaps and lost walls with place and width.
//   - Sharp edges are kept where tets of good quality allow.
//   - Solids that overlap are filled as their union (internal/surfaces/union.go).
//
// Most of the time goes to distance queries and to relaxing.

// Isosurface stuffing: tets for any closed surface (F. Labelle, J. R. Shewchuk,
// Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles,
// SIGGRAPH 2007). With φ the signed distance to the surface, negative inside:
//
//	1. lattice   a body-centred cubic lattice on an octree, cells of size h at
//	             the surface, smaller ones across thin walls and gaps
//	             (grading.go) and along sharp edges that bend or lie
//	             close to others (edges.go), φ at its vertices
//	                                                        (lattice.go)
//	2. cut       lattice edges with a change of sign are cut where φ = 0;
//	             vertices too close to a cut move there; what is left of each
//	             lattice tet inside is filled from a table   (cut.go)
//	3. clean     tets that hang by an edge or a vertex go    (clean.go)
//	4. sharpen   vertices near sharp edges and corners of the surface move onto
//	             them, as far as quality allows              (ridges.go);
//	             boundary edges that still cut ridges off are flipped
//	             (flip.go) or divided there         (divide.go)
//	5. relax     vertices move where the worst tet around them improves
//	             (relax.go); flat tets on the boundary that stay are
//	             taken off                                   (peel.go)
//	6. balance   vertices of curved regions move so that the volume is that of
//	             the surface                                 (balance.go)
//
// Steps 1 and 2 alone give dihedral angles between 10.7° and 164.8° for a
// surface that cells of one size resolve; step 5 usually reaches 20°, step 4 costs
// some of it. A mesh that is not the part is refused (guard.go). All steps
// run in a fixed order: the same input gives the same bits.

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// Options has the element sizes of isosurface stuffing. If Size is 0, the
// size that gives about Vertices vertices is searched.
type Options struct {
	// Size is the edge length of the lattice cells at the surface, m. Edges of
	// tets are between 0.6 and 1 times as long there.
	Size float64
	// Vertices is the target number of vertices, met within a few per cent; 0
	// stands for 1,000.
	Vertices int
	// Coarsen is the number of times that cells may double in size away from the
	// surface, up to 6; 0 stands for 2, negative numbers for none.
	Coarsen int
	// MaxVertices is the largest number of vertices that is accepted; 0 stands for
	// 200,000.
	MaxVertices int
	// WallCells is the least number of cells across a wall: cells are halved, up
	// to five times, where fewer of the target size fit, and where gaps are
	// narrow. 0 stands for 2, negative numbers for cells of one size, also along
	// sharp edges. These have smaller cells where Size is given.
	WallCells int
	// AllowLoss accepts a mesh that differs from its surface in the number of
	// pieces or handles, or by more than 3 % of the volume; findings report it.
	AllowLoss bool
}

// Result describes a mesh made by isosurface stuffing.
type Result struct {
	// Findings are warnings and notes in words.
	meshes.Findings
	// Size is the edge length of the lattice cells at the surface, m.
	Size float64
	// LeastSize is the edge length of the smallest lattice cells, m: less than
	// Size where walls are thin, gaps narrow or sharp edges close to each other.
	LeastSize float64
	// SurfaceVolume is the volume that the surface encloses, m³; that of the
	// mesh is in Quality.
	SurfaceVolume float64
	// Deviation is the largest distance of the centroid of a boundary face from
	// the surface, m.
	Deviation float64
	// BridgedGaps are gaps narrower than the lattice cells that were filled,
	// largest first.
	BridgedGaps []UnresolvedFeature
	// LostWalls are walls thinner than the lattice that are missing, largest
	// first.
	LostWalls []UnresolvedFeature
	// Removed is the number of tets that were removed because they were connected
	// by an edge only or were separate pieces smaller than a cell.
	Removed int
	// Quality measures the tets of the mesh.
	Quality meshes.Quality
}

// Defaults and limits.
const (
	// defaultCoarsen lets inner cells grow to four times the size of those at
	// the surface.
	defaultCoarsen = 2
	// lossWarned is the relative change of volume worth a warning.
	lossWarned = 0.02
	// slipVolume is the share of the volume that overlaps, from which parts overlap
	// by more than a slip.
	slipVolume = 1e-4
)

// stuffing is one surface that is being filled.
type stuffing struct {
	// welded: coincident vertices are one
	surface *meshes.Tri
	// distance queries on surface
	dist *meshes.Distance
	// of the surface, m²
	area float64
	// enclosed, m³
	volume float64
	// parts of the surface overlap: its pieces and handles are not those of the solid
	crossed bool
	// boundary of the union of parts that overlap; nil if none do
	union *surfaces.Union
	// winding numbers of the surface, for signs where there is a union
	winding *meshes.Distance
	// walls and gaps of dist's surface, as far as they were measured
	gauge *surfaces.Gauge
	// sharp edges of the surface
	ridges *ridges
	// pieces and handles of the surface
	shape topologyOf
	// with defaults filled in
	opt Options
	// factor of the cells across walls and gaps, 1 but where a lattice failed
	finer float64
	// count vertices of lattices that are predicted to have too many: larger cells lost the part
	counting bool
	// least dihedral angle, rad, with which a mesh is taken at once
	angle float64
}

// Isosurface fills a closed outward surface with tets of nearly equal size. It
// refuses an open surface (ErrNotClosed), a size so large that no tets remain, and one
// that needs more than MaxVertices vertices. Sharp edges of the surface are kept where
// the quality of the tets allows. Parts that overlap count as one body.
func Isosurface(surface *meshes.Tri, opt Options) (*meshes.Tet, Result, error) {
	s, err := newStuffing(surface, opt)
	if err != nil {
		return nil, Result{}, err
	}
	if opt.Size > 0 {
		return s.fillNear(opt.Size)
	}
	if opt.Vertices > 0 {
		if few := s.tooFew(); few != nil {
			return nil, Result{}, few
		}
	}
	size, err := s.seek()
	if err != nil {
		return nil, Result{}, err
	}
	m, rep, err := s.fillNear(size)
	// The number of vertices is a wish where the caller named none: more are
	// taken where the part needs them.
	var poor *unfaithful
	if errors.As(err, &poor) && opt.Vertices == 0 && poor.better != nil {
		rep = *poor.rep
		rep.Addf(meshes.Warning, "finer", len(poor.better.Verts), "%d vertices are too few (%s): %d taken", s.opt.Vertices, poor.why, len(poor.better.Verts))
		return poor.better, rep, nil
	}
	return m, rep, err
}

// newStuffing checks surface and options and measures the surface.
func newStuffing(surface *meshes.Tri, opt Options) (*stuffing, error) {
	switch {
	case !(opt.Size >= 0) || math.IsInf(opt.Size, 0):
		return nil, fmt.Errorf("meshes: stuffing: Size %g m must be finite and not negative", opt.Size)
	case opt.Vertices < 0 || opt.MaxVertices < 0:
		return nil, errors.New("meshes: stuffing: Vertices and MaxVertices must not be negative")
	case opt.Coarsen > 6:
		return nil, fmt.Errorf("meshes: stuffing: Coarsen %d must not exceed 6", opt.Coarsen)
	}
	// Defaults.
	opt.Vertices = cmp.Or(opt.Vertices, profiles.DefaultVertices)
	opt.MaxVertices = cmp.Or(opt.MaxVertices, profiles.DefaultMaxVertices)
	opt.Coarsen = max(cmp.Or(opt.Coarsen, defaultCoarsen), 0)
	opt.WallCells = cmp.Or(opt.WallCells, defaultWallCells)
	if opt.Size == 0 && opt.Vertices > opt.MaxVertices {
		return nil, fmt.Errorf("meshes: stuffing: %d vertices requested, the limit is %d", opt.Vertices, opt.MaxVertices)
	}
	// Positions that are not finite would fail far from here.
	for i, p := range surface.Verts {
		if x := p[0] + p[1] + p[2]; math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("meshes: stuffing: vertex %d of the surface is not finite", i)
		}
	}
	s := &stuffing{surface: surfaces.Welded(surface), opt: opt, finer: 1, angle: angleWanted}
	if err := repair.Watertight(s.surface); err != nil {
		return nil, err
	}
	s.dist = meshes.NewDistance(s.surface)
	top := repair.Topology(s.surface)
	s.shape = topologyOf{top.Components, top.Genus}
	s.volume = s.surface.Volume()
	// Overlapping parts show as pieces that are oriented against their nesting, or
	// intersect.
	s.crossed = top.Components > 1 && top.InsideOut > 0
	if s.union = surfaces.Unite(s.surface, s.dist); s.union != nil {
		// Cuts of a piece by itself that change no volume are slips of the CAD program: it
		// counts as it is. Pieces that only touch are one.
		s.crossed = s.crossed || s.union.Joined || math.Abs(s.union.Volume/s.volume-1) > slipVolume
		s.volume = s.union.Volume
		s.winding, s.dist = s.dist, meshes.NewDistance(s.union.Tri)
		s.ridges = unionRidges(s.union)
	} else {
		s.ridges = findRidges(s.surface)
	}
	for _, t := range s.surface.Tris {
		a := s.surface.Verts[t[0]]
		s.area += s.surface.Verts[t[1]].Sub(a).Cross(s.surface.Verts[t[2]].Sub(a)).Norm() / 2
	}
	return s, nil
}

// phi returns the signed distance at p, m. Where parts of the surface overlap,
// the winding number gives the sign, so that they count as one body.
func (s *stuffing) phi(p r3.Vec) float64 {
	d, _, tri, _, _ := s.dist.Signed(p)
	var in bool
	switch {
	case s.union != nil && !s.union.Sure[tri]:
		in = s.winding.Inside(p) // beside a cut only the winding number decides
	case s.union == nil && s.crossed:
		in = s.dist.Inside(p)
	default:
		return d
	}
	if in {
		return -math.Abs(d)
	}
	return math.Abs(d)
}

// predict estimates the number of vertices for a size h: two per cell in the
// layer that is not coarsened, a few more on the surface.
func (s *stuffing) predict(h float64) float64 {
	fine := s.volume
	if s.opt.Coarsen > 0 {
		fine = min(fine, 3.5*h*s.area)
	}
	return 2*fine/(h*h*h) + 2*(s.volume-fine)/math.Pow(2*h, 3) + 1.2*s.area/(h*h)
}

// predictedSize inverts predict by bisection.
func (s *stuffing) predictedSize(n float64) float64 {
	lo, hi := 0.0, s.surface.Bounds().Size().Norm()
	for range 100 {
		if h := (lo + hi) / 2; s.predict(h) > n {
			lo = h
		} else {
			hi = h
		}
	}
	return hi
}

// lattice makes the lattice for a grading and a shift in cells. A single piece
// that intersects itself shows where the sign of the pseudo-normals and that of
// the winding number differ. A few hundred points are tested, since winding
// numbers are slow.
func (s *stuffing) lattice(g *grading, shift r3.Vec) *lattice {
	l := newGradedLattice(s.surface.Bounds(), g, s.opt.Coarsen, shift, s.phi)
	if s.crossed || s.union != nil {
		return l
	}
	const places = 300
	// Points near the surface are unreliable by either sign.
	for i := 0; i < len(l.cells); i += 1 + len(l.cells)/places {
		c := l.cells[i]
		if d := l.leaves[c]; math.Abs(d) > 0.1*g.size && s.dist.Inside(l.position(c.center())) != (d < 0) {
			s.crossed = true
			return newGradedLattice(s.surface.Bounds(), g, s.opt.Coarsen, shift, s.phi)
		}
	}
	return l
}

// seek returns the size that comes closest to the wanted number of vertices:
// secant steps on the power law below, within a bracket.
func (s *stuffing) seek() (float64, error) {
	want := float64(s.opt.Vertices)
	h := s.predictedSize(want)
	best, bestN, bestOff := 0.0, 0.0, math.Inf(1)
	small, large := 0.0, math.Inf(1) // sizes known to give too many, too few
	for range 20 {
		// Only the cut and cleaned lattice is needed to count.
		g, _, err := s.fits(h)
		if err != nil {
			return 0, err
		}
		m, skin := cutLattice(s.lattice(g, r3.Vec{}))
		makeManifold(m, skin, g.least())
		n := float64(len(m.Verts))
		if off := math.Abs(n/want - 1); n > 0 && off < bestOff {
			best, bestN, bestOff = h, n, off
		}
		if bestOff < 0.01 {
			break
		}
		// Narrow the bracket.
		if n > want {
			small = max(small, h)
		} else {
			large = min(large, h)
		}
		// The number of vertices goes with about the −2.5th power of the size;
		// the bracket limits the step.
		next := h * math.Pow(max(n, 1)/want, 0.4)
		if next <= small || next >= large || math.Abs(next/h-1) < 1e-3 {
			next = math.Sqrt(small * large)
			if small >= large && best > 0 {
				// Walls need other numbers of halvings for other sizes, so that the
				// number of vertices does not always fall: start again from the best.
				small, large = 0, math.Inf(1)
				next = best * math.Pow(bestN/want, 0.4)
			}
			if small == 0 && math.IsInf(next, 1) || next == 0 || next == h {
				break
			}
		}
		h = next
	}
	if best == 0 {
		return 0, fmt.Errorf("meshes: stuffing: %d vertices are too few for this part: allow more", s.opt.Vertices)
	}
	return best, nil
}

// fill makes the mesh for a size, m, and a shift of the lattice in cells.
func (s *stuffing) fill(h float64, shift r3.Vec) (*meshes.Tet, Result, error) {
	rep := Result{Size: h, SurfaceVolume: s.volume}
	g, n, err := s.fits(h)
	if err != nil {
		return nil, rep, err
	}
	if n > float64(s.opt.MaxVertices) {
		return nil, rep, fmt.Errorf("meshes: stuffing: size %.3g m would need about %.2g vertices, the limit is %d: choose a size above %.2g m, or raise the limit",
			h, n, s.opt.MaxVertices, s.predictedSize(float64(s.opt.MaxVertices)))
	}
	rep.LeastSize = g.least()
	// Steps 1 to 3.
	l := s.lattice(g, shift)
	m, skin := cutLattice(l)
	skin, rep.Removed = makeManifold(m, skin, l.h)
	if g.lacking > 0 && (len(m.Tets) == 0 || s.topologyChange(m) != "") && !s.opt.AllowLoss {
		// Fewer vertices than predicted may keep the part within the limit.
		if !s.counting {
			s.counting = true
			return s.fill(h, shift)
		}
		return nil, rep, fmt.Errorf("meshes: stuffing: walls and gaps need cells of less than %.2g m and at least about %.2g vertices, the limit is %d: raise the limit, or allow loss",
			g.least(), g.lacking, s.opt.MaxVertices)
	}
	if len(m.Tets) == 0 {
		return nil, rep, fmt.Errorf("meshes: stuffing: size %.3g m leaves nothing of a part whose walls are about %.2g m thick: choose a smaller size", h, 2*s.volume/s.area)
	}
	// What the lattice did not resolve, the steps below cannot repair.
	if why := s.topologyChange(m); why != "" && !s.opt.AllowLoss {
		return nil, rep, &unfaithful{size: h, why: why}
	}
	// Steps 4 and 5. Poor tets, of cells of two sizes, are repaired first: what moves beside
	// them would be allowed to be as poor.
	r := newRelaxer(m, skin, l.cellEdge, s.dist, s.ridges)
	r.relax(snapFloor)
	r.sharpen()
	r.relax(relaxGoal)
	r.peel()
	r.balance()
	// Measure the result.
	tris, _ := m.Boundary()
	for _, t := range tris {
		d, _, _, _, _ := s.dist.Signed(m.Verts[t[0]].Add(m.Verts[t[1]]).Add(m.Verts[t[2]]).Scale(1.0 / 3))
		rep.Deviation = max(rep.Deviation, math.Abs(d))
	}
	rep.Quality = meshes.TetQuality(m)
	if why := s.flaw(m, &rep.Quality); why != "" {
		return nil, rep, &unfaithful{size: h, why: why}
	}
	rep.BridgedGaps, rep.LostWalls = unresolvedFeatures(l, s.dist)
	s.describe(&rep, m)
	return m, rep, nil
}

// describe adds findings that put the result in words.
func (s *stuffing) describe(r *Result, m *meshes.Tet) {
	spots := func(kind, what string, list []UnresolvedFeature) {
		if len(list) == 0 {
			return
		}
		r.Addf(meshes.Warning, kind, len(list), "%s: %s; a size below half the width keeps it", what,
			phrases.Some(len(list), func(i int) string {
				return fmt.Sprintf("%s wide near %s", phrases.Length(list[i].Width), phrases.Point(list[i].Center))
			}))
	}
	spots("bridged", phrases.Plural(len(r.BridgedGaps), "gap")+" narrower than the lattice filled", r.BridgedGaps)
	spots("lost", phrases.Plural(len(r.LostWalls), "wall")+" thinner than the lattice left out in part", r.LostWalls)
	if r.Removed > 0 {
		r.Addf(meshes.Note, "removed", r.Removed, "%s that hung by an edge, or apart, taken away", phrases.Plural(r.Removed, "tet"))
	}
	if why := s.topologyChange(m); why != "" {
		r.Addf(meshes.Warning, "topology", 1, "%s: choose a smaller size", why)
	}
	if loss := r.Quality.Volume/r.SurfaceVolume - 1; math.Abs(loss) > lossWarned && s.measured() {
		r.Addf(meshes.Warning, "volume", 1, "the mesh has %+.1f %% volume against the surface: choose a smaller size", 100*loss)
	}
}
