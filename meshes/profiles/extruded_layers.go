package profiles

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Layers of an extrusion. A layer as thick as the size gives flat tetrahedra at edges of the outline that are much
// shorter than the size: their dihedral angles are about 0.7 atan(edge/thickness). Layers are made thinner until
// the angles are as large as those of a stuffing may be, or until triangles that are wide for the thickness limit them:
// every tetrahedron of a prism has its largest least angle at one thickness, and the mesh likewise. Then triangles
// become smaller too: those of a plate thinner than a fifth of the size are flat with one layer.

const (
	// layerAngle is the least dihedral angle that ends the search, 8°, rad.
	layerAngle = 8 * math.Pi / 180
	// thinnestLayer bounds the search, over the size.
	thinnestLayer = 1.0 / 10
	// moreLayers is the ratio of the numbers of layers that are tried one after the other, and of the sizes of
	// triangles.
	moreLayers = 1.15
	// smallestTriangle bounds the search for triangles, over the size.
	smallestTriangle = 1.0 / 8
)

// goodLayers returns the number of layers over width, m, for the size, m, and the triangulation they are for: m with
// layers as thick as the size, or thinner ones where these give flat tetrahedra, or smaller triangles where no layers
// do without these. No more than limit vertices are taken, and no more than 1/thinnestLayer times those of m with
// layers as thick as the size.
func (p *Profile) goodLayers(m *planar, width, size float64, limit int) (*planar, int) {
	base := layersFor(width, size)
	limit = min(limit, int(float64((base+1)*len(m.pts))/thinnestLayer))
	layers, angle := m.bestLayers(width, base, limit)
	for s := size / moreLayers; angle < layerAngle && s > smallestTriangle*size; s /= moreLayers {
		finer, err := p.triangulateWell(s)
		if err != nil || (base+1)*len(finer.pts) > limit {
			break
		}
		if n, a := finer.bestLayers(width, base, limit); a >= layerAngle {
			return finer, n
		}
	}
	return m, layers
}

// bestLayers returns the number of layers over width, m, and the least dihedral angle with them, rad: the given number
// if that angle is layerAngle at least, else the least number of which more give no larger angle, as far as limit
// vertices allow.
func (m *planar) bestLayers(width float64, layers, limit int) (best int, angle float64) {
	best, angle = layers, m.layerDihedral(width/float64(layers), -1)
	most := min(float64(layers)/thinnestLayer, float64(limit)/float64(len(m.pts))-1)
	for n := layers; angle < layerAngle; {
		n = max(n+1, int(moreLayers*float64(n)))
		if float64(n) > most {
			break
		}
		a := m.layerDihedral(width/float64(n), angle)
		if a <= angle {
			break
		}
		best, angle = n, a
	}
	return best, angle
}

// layerDihedral returns the least dihedral angle, rad, of the tetrahedra of a layer of a thickness, m. It may end at
// the first angle that is not above enough.
func (m *planar) layerDihedral(thickness, enough float64) float64 {
	least := math.Inf(1)
	prism := meshes.Tet{Verts: make([]r3.Vec, 6), Tets: [][4]int32{{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}}}
	for _, t := range m.tris {
		// the corners in ascending order, as sweep takes them
		v, _ := meshes.SortedTri(t)
		for i, p := range v {
			x := m.pts[p]
			prism.Verts[i], prism.Verts[i+3] = r3.Vec{x[0], x[1], 0}, r3.Vec{x[0], x[1], thickness}
		}
		for i := range prism.Tets {
			least = min(least, prism.Shape(i).MinDihedral)
		}
		if least <= enough {
			break
		}
	}
	return least
}
