package meshes

import (
	"fmt"
	"math"
)

// TetOptions says how to fill a surface with tetrahedra. The zero value chooses
// the method and aims at 1,000 vertices.
type TetOptions struct {
	Method   string  // "auto" or "": extrude what is a prism, stuff the rest; "stuffing"; "extrude"
	Size     float64 // target edge length, m; 0 seeks the size that gives Vertices
	Vertices int     // wanted number of vertices where Size is 0; 0 stands for 1,000
	Layers   int     // of an extrusion, over its width; 0 stands for layers of about the size
}

// TetResult says how a surface was filled.
type TetResult struct {
	Findings
	Method string       // "stuffing" or "extrude"
	Size   float64      // used, m
	Layers int          // of an extrusion
	Stuff  *StuffResult // nil for an extrusion
}

const (
	// outlineTol is how far, over the size, an extruded outline may move to lose
	// facets too fine for the size.
	outlineTol = 0.05
	// extrudeLimit bounds the vertices of an extrusion.
	extrudeLimit = defaultMaxVertices
)

// TetrahedralizeSurface fills a closed outward surface with tetrahedra: a prism,
// such as a cut or printed profile, with layers along its axis, everything else
// by isosurface stuffing.
func TetrahedralizeSurface(surface *Tri, opt TetOptions) (*Tet, TetResult, error) {
	switch opt.Method {
	case "", "auto", "stuffing", "extrude":
	default:
		return nil, TetResult{}, fmt.Errorf("meshes: unknown method %q: use auto, stuffing or extrude", opt.Method)
	}
	if opt.Vertices < 0 {
		return nil, TetResult{}, fmt.Errorf("meshes: %d vertices wanted: the number must not be negative", opt.Vertices)
	}
	if err := checkSweep(1, opt.Layers, opt.Size); err != nil {
		return nil, TetResult{}, err
	}
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
	m, r, err := Stuff(surface, StuffOptions{Size: opt.Size, Vertices: opt.Vertices})
	if err != nil {
		return nil, TetResult{}, err
	}
	rep := TetResult{Findings: r.Findings, Method: "stuffing", Size: r.Size, Stuff: &r}
	if opt.Layers > 0 {
		rep.addf(Warning, "layers", 1, "layers are for extruded parts: %d layers ignored", opt.Layers)
	}
	return m, rep, nil
}

// fill sweeps the extrusion at the size or vertex count of opt.
func (e *Extrusion) fill(opt TetOptions) (*Tet, TetResult, error) {
	size := opt.Size
	if size == 0 {
		var err error
		if size, err = e.seek(opt); err != nil {
			return nil, TetResult{}, err
		}
	}
	m, layers, err := e.plane(size, opt.Layers)
	if err != nil {
		return nil, TetResult{}, err
	}
	if n := len(m.pts) * (layers + 1); n > extrudeLimit {
		return nil, TetResult{}, fmt.Errorf("meshes: size %g m with %d layers needs %d vertices, the limit is %d: choose a larger size or fewer layers", size, layers, n, extrudeLimit)
	}
	out := m.sweep(e.Width, layers)
	for i, p := range out.Verts {
		out.Verts[i] = e.Pose_WP.Point(p)
	}
	return out, TetResult{Method: "extrude", Size: size, Layers: layers}, nil
}

// plane triangulates the profile for a size; fine facets go if the outline
// without them is still a valid profile.
func (e *Extrusion) plane(size float64, layers int) (*planar, int, error) {
	if layers == 0 {
		layers = layersFor(e.Width, size)
	}
	p := e.Profile.simplified(outlineTol * size)
	m, err := p.triangulate(size)
	if err != nil {
		m, err = e.Profile.triangulate(size)
	}
	return m, layers, err
}

// seek returns the size that comes closest to the wanted number of vertices. The
// count falls with the size, but in steps: halving the interval keeps the best.
func (e *Extrusion) seek(opt TetOptions) (float64, error) {
	want := float64(opt.Vertices)
	if want == 0 {
		want = defaultVertices
	}
	if want > extrudeLimit {
		return 0, fmt.Errorf("meshes: %d vertices wanted, the limit is %d", opt.Vertices, extrudeLimit)
	}
	area := e.Profile.Area()
	best, off := 0.0, math.Inf(1)
	lo := 0.2 * math.Sqrt(area/want)
	hi := 4 * math.Sqrt(area)
	for range 40 {
		h := math.Sqrt(lo * hi)
		m, layers, err := e.plane(h, opt.Layers)
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
