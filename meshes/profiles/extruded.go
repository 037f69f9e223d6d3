package profiles

// Guarantees: the volume is area times width to round-off; the mesh conforms;
// caps and sides keep all corners of the profile; for an even number of layers
// the mesh is mirror symmetric about z = 0, bit for bit.

// Extruded parts: a triangulated profile swept along its normal. Each triangle
// of the plane becomes a column of prisms, one a layer, and each prism three
// tets:
//
//	     c'           a, b, c sorted by vertex number; primes on the next layer
//	    /|\
//	   / | \          (a, b, c, c')  (a, b, c', b')  (a, b', c', a')
//	  a'─┼──b'
//	  |  c  |         The diagonal of each side starts at its vertex with the
//	  | / \ |         smaller number, on the lower layer, so that neighbours agree.
//	  a ─── b
//
// Above the middle the layers are numbered downwards, which makes the mesh its
// own mirror image for an even number of layers: an extruded finger then does
// not twist when it is pressed straight.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// maxVertices bounds the size of generated meshes: about 100 times the number
// of vertices that a simulation can handle, and still within memory.
const maxVertices = 2_000_000

// SweepProfile returns tets of the profile swept over width, m, along z, centred at z =
// 0; x and y are those of the profile. layers is the number of elements over the width,
// 0 for width/size rounded. size is the target edge length in the plane, m, 0 for a
// triangulation of the corners alone. Errors report profiles that do not bound a region,
// and sizes that give too many vertices. The cells are hexahedra, and wedges where
// triangles of the plane are left over.
func SweepProfile(p Profile, width float64, layers int, size float64) (*meshes.Tet, error) {
	if err := CheckSweep(width, layers, size); err != nil {
		return nil, err
	}
	m, err := p.triangulate(size)
	if err != nil {
		return nil, err
	}
	if layers == 0 {
		layers = layersFor(width, size)
	}
	if n := float64(len(m.pts)) * float64(layers+1); n > maxVertices {
		return nil, fmt.Errorf("meshes: sweep: size %g m with %d layers needs %.2g vertices, the limit is %d; choose a larger size or fewer layers", size, layers, n, maxVertices)
	}
	return m.sweep(width, layers), nil
}

// layersFor returns how many layers of about size, m, fit in width, m.
func layersFor(width, size float64) int {
	if size <= 0 {
		return 1
	}
	return max(1, int(math.Round(math.Min(width/size, maxVertices))))
}

// CheckSweep refuses widths, sizes and numbers of layers that make no sense.
func CheckSweep(width float64, layers int, size float64) error {
	switch {
	case !(width > 0) || math.IsInf(width, 0):
		return fmt.Errorf("meshes: sweep: width %g m must be positive and finite", width)
	case layers < 0:
		return fmt.Errorf("meshes: sweep: %d layers: the number of layers must not be negative", layers)
	case !(size >= 0) || math.IsInf(size, 0):
		return fmt.Errorf("meshes: sweep: size %g m must be finite and not negative", size)
	}
	return nil
}

// sweep turns the triangles into prisms and those into tets. Vertex v of layer
// k gets the number k·len(pts)+v.
func (m *planar) sweep(width float64, layers int) *meshes.Tet {
	n := len(m.pts)
	out := &meshes.Tet{
		Verts: make([]r3.Vec, 0, n*(layers+1)),
		Tets:  make([][4]int32, 0, 3*layers*len(m.tris)),
	}
	for k := range layers + 1 {
		// Written so that opposite layers are exact mirror images in float64.
		z := width * float64(2*k-layers) / float64(2*layers)
		for _, p := range m.pts {
			out.Verts = append(out.Verts, r3.Vec{p[0], p[1], z})
		}
	}
	for k := range layers {
		// Above the middle a layer is swept downwards.
		lo, hi := int32(k*n), int32((k+1)*n)
		mirrored := 2*k >= layers
		if mirrored {
			lo, hi = hi, lo
		}
		for _, t := range m.tris {
			v, odd := meshes.SortedTri(t)
			a, b, c := v[0], v[1], v[2]
			for _, tet := range [3][4]int32{
				{lo + a, lo + b, lo + c, hi + c},
				{lo + a, lo + b, hi + c, hi + b},
				{lo + a, hi + b, hi + c, hi + a},
			} {
				// Each reflection reverses the orientation.
				if odd != mirrored {
					tet[0], tet[1] = tet[1], tet[0]
				}
				out.Tets = append(out.Tets, tet)
			}
		}
	}
	out.Cells = m.sweptCells(layers)
	return out
}

// Extrude returns the closed, outward surface of the profile swept over width,
// m, along z, centred at z = 0, without vertices other than the profile's
// corners on both caps.
func (p *Profile) Extrude(width float64) (*meshes.Tri, error) {
	if err := CheckSweep(width, 1, 0); err != nil {
		return nil, err
	}
	m, err := p.triangulate(0)
	if err != nil {
		return nil, err
	}
	// Vertices of both caps.
	n := int32(len(m.pts))
	out := &meshes.Tri{}
	for _, z := range [2]float64{-width / 2, width / 2} {
		for _, q := range m.pts {
			out.Verts = append(out.Verts, r3.Vec{q[0], q[1], z})
		}
	}
	// The lower cap faces down.
	for _, t := range m.tris {
		out.Tris = append(out.Tris, [3]int32{t[0], t[2], t[1]}, [3]int32{n + t[0], n + t[1], n + t[2]})
	}
	// Two triangles for each edge of the outline.
	for _, loop := range m.outline() {
		for i, a := range loop {
			b := loop[(i+1)%len(loop)]
			out.Tris = append(out.Tris, [3]int32{a, b, n + b}, [3]int32{a, n + b, n + a})
		}
	}
	return out, nil
}
