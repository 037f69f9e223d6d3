package sim

// A region of a deformable is what a box in the frame M of its mesh contains at rest: a vertex X
// belongs to it when
//
//	min ≤ X ≤ max   in each of the bounds that are given                        (1)
//
// and a face or an element when all of its vertices do. A region without bounds is the whole
// body. Bounds are inclusive. The frame M is that of the mesh at rest, so that a region keeps its numbers wherever
// the scene puts the body. Loads spread a total F over a region by shares,
//
//	F_a = F s_a/Σ s_b,   s_a = ∫ N_a dV  or  ∫ N_a dA,   at rest                      (2)
//
// with the shape functions N_a, so that finer meshes give the same load. Source: docs/theory.md, Loads.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Region selects the vertices of a mesh within an axis-aligned box in the mesh's
// own frame, m.
type Region struct {
	// XMin is the lower bound of x. All bounds are inclusive; nil: unbounded.
	XMin *float64 `key:"x_min,inf" unit:"m" doc:"least x in the mesh's own frame"`
	// XMax is the upper bound of x.
	XMax *float64 `key:"x_max,inf" unit:"m" doc:"largest x"`
	// YMin is the lower bound of y.
	YMin *float64 `key:"y_min,inf" unit:"m" doc:"least y"`
	// YMax is the upper bound of y.
	YMax *float64 `key:"y_max,inf" unit:"m" doc:"largest y"`
	// ZMin is the lower bound of z.
	ZMin *float64 `key:"z_min,inf" unit:"m" doc:"least z"`
	// ZMax is the upper bound of z.
	ZMax *float64 `key:"z_max,inf" unit:"m" doc:"largest z"`
}

// Box returns the region's bounds, infinite where a bound is not given.
func (r *Region) Box() r3.Box {
	// a nil pointer differs from a bound of zero
	or := func(p *float64, x float64) float64 {
		if p != nil {
			return *p
		}
		return x
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	return r3.Box{
		Min: r3.Vec{or(r.XMin, lo), or(r.YMin, lo), or(r.ZMin, lo)},
		Max: r3.Vec{or(r.XMax, hi), or(r.YMax, hi), or(r.ZMax, hi)},
	}
}

// whole reports whether the region is the whole body: no bound is given.
func (r *Region) whole() bool { return *r == Region{} }

// VertsWithin returns the vertices of a mesh within a box, bounds included; bounds may
// be infinite.
func VertsWithin(mesh *meshes.Tet, box r3.Box) []int32 {
	const eps = 1e-9 // m, for vertices on planes that are bounds
	var verts []int32
	for i, p := range mesh.Verts {
		// all three coordinates
		inside := true
		for k := range p {
			inside = inside && p[k] >= box.Min[k]-eps && p[k] <= box.Max[k]+eps
		}
		if inside {
			verts = append(verts, int32(i))
		}
	}
	return verts
}

// regionOf are the parts of a body within a region.
type regionOf struct {
	model    *fem.Model
	verts    []int32    // ascending
	inside   []bool     // of each vertex
	faces    []fem.Face // with all of their vertices inside
	elements []int      // likewise
}

// find returns the parts of a body within the region. A region without vertices is an error, as it
// is more often a wrong unit or frame than meant; one without faces or elements may fix or load vertices.
func (r *Region) find(m *fem.Model) (*regionOf, error) {
	p := &regionOf{model: m, verts: VertsWithin(m.Mesh(), r.Box()), inside: make([]bool, m.NumVerts())}
	if len(p.verts) == 0 {
		box := m.Mesh().Bounds()
		return nil, fmt.Errorf("where: no vertex lies in this region; the mesh of %s spans %.4g to %.4g m", m.Name(), box.Min, box.Max)
	}
	for _, v := range p.verts {
		p.inside[v] = true
	}
	for _, f := range m.Faces() {
		if p.contains(f.Verts[:f.N]) {
			p.faces = append(p.faces, f)
		}
	}
	// one slice serves the shares of all elements, which are not read here
	var shares []float64
	for i := range m.NumElements() {
		var verts []int32
		if verts, shares = m.Volumes(i, shares); p.contains(verts) {
			p.elements = append(p.elements, i)
		}
	}
	return p, nil
}

// contains reports whether all of some vertices are inside.
func (p *regionOf) contains(verts []int32) bool {
	for _, v := range verts {
		if !p.inside[v] {
			return false
		}
	}
	return true
}

// needFaces reports that a load needs faces where the region has none: pressure and traction act per m².
func (p *regionOf) needFaces() error {
	if len(p.faces) > 0 {
		return nil
	}
	return fmt.Errorf("where: the region has %d vertices of %s but no face of its surface with all corners in it: move its bounds until it contains one", len(p.verts), p.model.Name())
}

// areas returns the shares ∫ N_a dA of the vertices in the area of the region's faces at rest, m².
func (p *regionOf) areas() []share {
	return p.gather(func(add func(v int32, s float64)) {
		for i := range p.faces {
			f := &p.faces[i]
			s := f.Areas(p.model.Mesh().Verts)
			for a, v := range f.Verts[:f.N] {
				add(v, s[a])
			}
		}
	})
}

// volumes returns the shares ∫ N_a dV of the vertices in the volume of the region's elements at rest, m³.
func (p *regionOf) volumes() []share {
	var V []float64
	return p.gather(func(add func(v int32, s float64)) {
		for _, i := range p.elements {
			var verts []int32
			verts, V = p.model.Volumes(i, V)
			for a, v := range verts {
				add(v, V[a])
			}
		}
	})
}

// spread returns shares (2) of sum 1, by which a total is spread over the region: as its elements
// are, if it has any, else as its faces are, else by equal parts to the vertices.
func (p *regionOf) spread() []share {
	var list []share
	switch {
	case len(p.elements) > 0:
		list = p.volumes()
	case len(p.faces) > 0:
		list = p.areas()
	default:
		for _, v := range p.verts {
			list = append(list, share{v, 1})
		}
	}
	sum := 0.0
	for _, s := range list {
		sum += s.part
	}
	for i := range list {
		list[i].part /= sum
	}
	return list
}

// share is the part of a vertex in an area, a volume or a total.
type share struct {
	vert int32   // of the mesh
	part float64 // m², m³, or a fraction of a total
}

// gather sums what visit adds by vertices, in their order, so that the sum of shares has the same bits in
// each run. Vertices without a share, such as those of faces that lie partly inside, are left out.
func (p *regionOf) gather(visit func(add func(v int32, s float64))) []share {
	sum := make([]float64, p.model.NumVerts())
	visit(func(v int32, s float64) { sum[v] += s })
	var list []share
	for _, v := range p.verts {
		if sum[v] != 0 {
			list = append(list, share{v, sum[v]})
		}
	}
	return list
}
