package profiles

// Filling of extrusions with layers of tets: of a size, or of a number of vertices.

import (
	"cmp"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
)

const (
	// DefaultVertices is the target number of vertices if none is given.
	DefaultVertices = 1000
	// DefaultMaxVertices is the largest mesh that is not refused by default.
	DefaultMaxVertices = 200_000
)

// FillOptions are the settings of filling an extrusion.
type FillOptions struct {
	// Size is the target edge length, m; 0 searches for the size that gives Vertices.
	Size float64
	// Vertices is the number of vertices that is sought where Size is 0; 0 stands for about DefaultVertices.
	Vertices int
	// Layers is the number of layers over the width; 0 stands for layers about as thick as Size, or thinner ones
	// and smaller triangles where dihedral angles would be less than 8°.
	Layers int
	// MaxVertices is the largest number of vertices that is accepted; 0 stands for DefaultMaxVertices.
	MaxVertices int
}

// Filling describes the mesh that fills an extrusion.
type Filling struct {
	// Findings are its warnings.
	meshes.Findings
	// Size is the edge length that was used, m, Layers the number of layers.
	Size   float64
	Layers int
}

// Facets that are too fine for the size are dropped from the outline of an extrusion.
const (
	// outlineTol is how far the outline may move, over the size.
	outlineTol = 0.05
	// outlineLoss bounds the area that it sweeps over that of the part: teeth and thin walls stay at any size.
	outlineLoss = 0.01
	// littleMore is how many times the wanted number of vertices dihedral angles may take.
	littleMore = 1.1
	// manyMore is how many times the wanted number of vertices is worth a warning.
	manyMore = 1.5
)

// limit returns the largest number of vertices.
func (opt *FillOptions) limit() int { return cmp.Or(opt.MaxVertices, DefaultMaxVertices) }

// Fill sweeps the extrusion at the size or number of vertices of opt. Errors name sizes that give too many vertices.
func (e *Extrusion) Fill(opt FillOptions) (*meshes.Tet, Filling, error) {
	size := opt.Size
	if size == 0 {
		var err error
		if size, err = e.seek(opt); err != nil {
			return nil, Filling{}, err
		}
	}
	m, layers, err := e.plane(size, &opt)
	if err != nil {
		return nil, Filling{}, err
	}
	if n := len(m.pts) * (layers + 1); n > opt.limit() {
		return nil, Filling{}, fmt.Errorf("meshes: size %g m with %d layers needs %d vertices, the limit is %d: choose a larger size or fewer layers, or raise the limit", size, layers, n, opt.limit())
	}
	out := m.sweep(e.Width, layers)
	for i, p := range out.Verts {
		out.Verts[i] = e.Pose_WP.Point(p)
	}
	rep := Filling{Size: size, Layers: layers}
	if m.size < size {
		rep.Addf(meshes.Note, "thin", 1, "edges of %.3g m in place of %.3g m across the axis: larger ones would make flat tetrahedra with %s", m.size, size, phrases.Plural(layers, "layer"))
	}
	if opt.Size == 0 && opt.Vertices == 0 && float64(len(out.Verts)) > manyMore*DefaultVertices {
		rep.Addf(meshes.Warning, "finer", len(out.Verts), "%d vertices are too few for the %d corners of the outline: %d taken", DefaultVertices, e.Profile.corners(), len(out.Verts))
	}
	return out, rep, nil
}

// plane triangulates the profile for a size and returns the number of layers.
// Facets and edges that are too fine for the size are dropped from the outline if it
// stays valid without them.
func (e *Extrusion) plane(size float64, opt *FillOptions) (m *planar, layers int, err error) {
	p := e.Profile.simplified(min(outlineTol*size, outlineLoss*e.Profile.Area()/e.Profile.perimeter()))
	p = p.withoutShortEdges(outlineTol * size)
	// Who gives layers gets these, of triangles as large as asked for.
	triangulate := (*Profile).triangulateWell
	if opt.Layers > 0 {
		triangulate = (*Profile).triangulate
	}
	if m, err = triangulate(&p, size); err != nil {
		p = e.Profile
		m, err = triangulate(&p, size)
	}
	if layers = opt.Layers; layers == 0 && err == nil {
		limit := opt.limit()
		if opt.Size == 0 {
			// where a number of vertices is wanted, no more of them for better angles
			limit = min(limit, int(littleMore*float64(cmp.Or(opt.Vertices, DefaultVertices))))
		}
		m, layers = p.goodLayers(m, e.Width, size, limit)
	}
	return m, layers, err
}

// seek returns the size that comes closest to the wanted number of vertices.
// The number falls with the size, but in steps: bisection in the logarithm of
// the size keeps the best that it met.
func (e *Extrusion) seek(opt FillOptions) (float64, error) {
	want := float64(cmp.Or(opt.Vertices, DefaultVertices))
	if want > float64(opt.limit()) {
		return 0, fmt.Errorf("meshes: %.0f vertices requested, the limit is %d: raise it", want, opt.limit())
	}
	area := e.Profile.Area()
	best, off := 0.0, math.Inf(1)
	lo := 0.2 * math.Sqrt(area/want)
	hi := 4 * math.Sqrt(area)
	// An outline with too many corners gives too many vertices at any size: the coarsest mesh is the nearest.
	if float64(2*e.Profile.corners()) > want {
		m, layers, err := e.plane(hi, &opt)
		if err != nil {
			return 0, err
		}
		if float64(len(m.pts)*(layers+1)) >= want {
			return hi, nil
		}
	}
	for range 40 {
		h := math.Sqrt(lo * hi)
		m, layers, err := e.plane(h, &opt)
		if err != nil {
			return 0, err
		}
		n := float64(len(m.pts) * (layers + 1))
		if d := math.Abs(n/want - 1); d < off {
			best, off = h, d
		}
		if off < 0.01 || hi/lo < 1.001 {
			break
		}
		if n > want {
			lo = h
		} else {
			hi = h
		}
	}
	return best, nil
}
