package meshes

// Filling of surfaces with tets by the method that suits the part. Prisms,
// which include most printed fingers and cut plates, are swept: fewer and
// better tets than stuffing gives, exact walls, and layers that follow the
// axis. All other parts are stuffed.

import (
	"cmp"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
)

// TetOptions are the settings of filling a surface with tets. The zero value
// chooses the method and aims at 1,000 vertices.
type TetOptions struct {
	// Method is "stuffing" (isosurface stuffing, any closed surface), "extrude"
	// (layers of a prism) or "auto", the same as "": extrude if the surface is
	// a prism, else stuff.
	Method string
	// Size is the target edge length, m; 0 searches for the size that gives
	// Vertices.
	Size float64
	// Vertices is the number of vertices where Size is 0, met within 20 % or refused; 0 stands for
	// about 1,000, or more where the part needs them.
	Vertices int
	// Midpoints counts the middles of edges among Vertices: they are nodes of the ten-node tets that
	// Tet.Quadratic makes of the mesh.
	Midpoints bool
	// Layers is the number of layers over the width of an extrusion; 0 stands
	// for layers about as thick as Size, or thinner ones and smaller triangles where dihedral angles
	// would be less than 8°, as far as Vertices allow where Size is 0.
	Layers int
	// MaxVertices is the largest number of vertices that is accepted; 0 stands for
	// 200,000.
	MaxVertices int
	// WallCells is the least number of cells of a stuffing across a wall; 0
	// stands for 2, negative numbers for cells of one size.
	WallCells int
	// AllowLoss accepts a stuffing with another number of pieces or handles
	// than the surface, or a volume that is off by more than 3 %.
	AllowLoss bool
}

// TetResult describes the mesh that fills a surface.
type TetResult struct {
	// Findings are the warnings of the method.
	Findings
	// Method is the method that was used: "stuffing" or "extrude".
	Method string
	// Size is the edge length that was used, m.
	Size float64
	// Layers is the number of layers of an extrusion, 0 for stuffing.
	Layers int
	// Stuffing holds the details of a stuffing; nil for an extrusion.
	Stuffing *StuffingResult
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
func (opt *TetOptions) limit() int { return cmp.Or(opt.MaxVertices, defaultMaxVertices) }

// TetrahedralizeSurface fills a closed outward surface with tets. A prism, such
// as a part that was cut from a sheet or extruded, gets layers along its axis,
// which represent it exactly; everything else is filled by isosurface stuffing.
// Errors name a surface that is not closed, sizes that give too many
// vertices, and numbers of vertices that no mesh of the part has.
func TetrahedralizeSurface(surface *Tri, opt TetOptions) (*Tet, TetResult, error) {
	if err := opt.check(); err != nil {
		return nil, TetResult{}, err
	}
	if opt.Size == 0 && opt.Vertices > 0 {
		return seekNodes(surface, opt)
	}
	return tetrahedralize(surface, opt)
}

// tetrahedralize is TetrahedralizeSurface for a size, or for about as many vertices of tets.
func tetrahedralize(surface *Tri, opt TetOptions) (*Tet, TetResult, error) {
	// Prisms.
	if opt.Method != "stuffing" {
		if e, ok := FindExtrusion(surface); ok {
			if err := Watertight(welded(surface)); err != nil {
				return nil, TetResult{}, err
			}
			return e.fill(opt)
		}
		if opt.Method == "extrude" {
			return nil, TetResult{}, fmt.Errorf("meshes: the surface is no prism: not all its triangles lie in two parallel planes or along their normal: use method stuffing")
		}
	}
	// Everything else.
	m, r, err := IsosurfaceStuffing(surface, StuffingOptions{
		Size: opt.Size, Vertices: opt.Vertices, MaxVertices: opt.MaxVertices, WallCells: opt.WallCells, AllowLoss: opt.AllowLoss,
	})
	if err != nil {
		return nil, TetResult{}, err
	}
	rep := TetResult{Findings: r.Findings, Method: "stuffing", Size: r.Size, Stuffing: &r}
	if opt.Layers > 0 {
		rep.addf(Warning, "layers", 1, "layers are for extruded parts: %d layers ignored", opt.Layers)
	}
	return m, rep, nil
}

// check refuses options that make no sense.
func (opt TetOptions) check() error {
	switch opt.Method {
	case "", "auto", "stuffing", "extrude":
	default:
		return fmt.Errorf("meshes: unknown method %q%s", opt.Method, kinds.Suggest(opt.Method, []string{"auto", "stuffing", "extrude"}))
	}
	if n := min(opt.Vertices, opt.MaxVertices); n < 0 {
		return fmt.Errorf("meshes: %d vertices: the number must not be negative", n)
	}
	return checkSweep(1, opt.Layers, opt.Size)
}

// fill sweeps the extrusion at the size or number of vertices of opt.
func (e *Extrusion) fill(opt TetOptions) (*Tet, TetResult, error) {
	size := opt.Size
	if size == 0 {
		var err error
		if size, err = e.seek(opt); err != nil {
			return nil, TetResult{}, err
		}
	}
	m, layers, err := e.plane(size, &opt)
	if err != nil {
		return nil, TetResult{}, err
	}
	if n := len(m.pts) * (layers + 1); n > opt.limit() {
		return nil, TetResult{}, fmt.Errorf("meshes: size %g m with %d layers needs %d vertices, the limit is %d: choose a larger size or fewer layers, or raise the limit", size, layers, n, opt.limit())
	}
	out := m.sweep(e.Width, layers)
	for i, p := range out.Verts {
		out.Verts[i] = e.Pose_WP.Point(p)
	}
	rep := TetResult{Method: "extrude", Size: size, Layers: layers}
	if m.size < size {
		rep.addf(Note, "thin", 1, "edges of %.3g m in place of %.3g m across the axis: larger ones would make flat tetrahedra with %s", m.size, size, plural(layers, "layer"))
	}
	if opt.Size == 0 && opt.Vertices == 0 && float64(len(out.Verts)) > manyMore*defaultVertices {
		rep.addf(Warning, "finer", len(out.Verts), "%d vertices are too few for the %d corners of the outline: %d taken", defaultVertices, e.Profile.corners(), len(out.Verts))
	}
	return out, rep, nil
}

// plane triangulates the profile for a size and returns the number of layers.
// Facets and edges that are too fine for the size are dropped from the outline if it
// stays valid without them.
func (e *Extrusion) plane(size float64, opt *TetOptions) (m *planar, layers int, err error) {
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
			limit = min(limit, int(littleMore*float64(cmp.Or(opt.Vertices, defaultVertices))))
		}
		m, layers = p.goodLayers(m, e.Width, size, limit)
	}
	return m, layers, err
}

// seek returns the size that comes closest to the wanted number of vertices.
// The number falls with the size, but in steps: bisection in the logarithm of
// the size keeps the best that it met.
func (e *Extrusion) seek(opt TetOptions) (float64, error) {
	want := float64(cmp.Or(opt.Vertices, defaultVertices))
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
