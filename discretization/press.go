package discretization

import (
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Loads press on patches of the surface: a force per volume against the outward normal n of a
// triangle, with the density at corner v of an element
//
//	b_v = exp(−|x_v − P|²/R²)  where a triangle of the surface at v faces along n, else 0       (1)
//
// also 0 where v is fixed, and in between as the corners of the element have it, so that a mesh and
// its refinements carry the same load. P is the middle of the triangle, and N patches of radius R
// would cover the surface. Patches are as far from each other as they can, in place and direction:
//
//	d² = |Δx|² + (D/4)² |Δn|²,  D the diagonal of the bounds                             (2)

// numPatches is the number of patches: about as many as a finger has ribs and walls.
const numPatches = 24

// facing is the least cosine between normals that face along each other.
const facing = 0.7

// load is a force per volume.
type load struct {
	direction r3.Vec
	density   []float64 // b of (1), by vertex, N/m³
}

// patch is a load on a patch of the surface.
type patch struct {
	vertex int32 // one at its middle
	load
}

// triangles are the middles and normals of the triangles of a surface.
type triangles struct {
	verts          [][3]int32
	middle, normal []r3.Vec
	area           float64
}

// surfaceOf returns the triangles of the boundary of a mesh.
func surfaceOf(mesh *meshes.Tet) (s triangles) {
	s.verts, _ = mesh.Boundary()
	for _, t := range s.verts {
		a, b, c := mesh.Verts[t[0]], mesh.Verts[t[1]], mesh.Verts[t[2]]
		n := b.Sub(a).Cross(c.Sub(a))
		s.area += n.Norm() / 2
		s.middle, s.normal = append(s.middle, a.Add(b).Add(c).Scale(1./3)), append(s.normal, n.Unit())
	}
	return s
}

// patches returns the loads of a mesh of which some vertices are fixed.
func patches(mesh *meshes.Tet, held []int32) (out []patch) {
	s := surfaceOf(mesh)
	radius := math.Sqrt(s.area / (math.Pi * numPatches))
	turn := mesh.Bounds().Size().Norm() / 4
	// the first one is at an end; the distance (2) of each triangle to the patches so far
	distance := make([]float64, len(s.verts))
	for i := range distance {
		distance[i] = math.Inf(1)
	}
	at := farthestFromMean(s.middle)
	for range min(numPatches, len(s.verts)) {
		out = append(out, s.patch(mesh, held, at, radius))
		// the farthest one is next; of those that symmetry makes equal the first
		next := at
		for i := range distance {
			d := s.middle[i].Sub(s.middle[at]).Norm2() + turn*turn*s.normal[i].Sub(s.normal[at]).Norm2()
			distance[i] = min(distance[i], d)
		}
		for i := range distance {
			if distance[i] > distance[next]*(1+1e-9) {
				next = i
			}
		}
		at = next
	}
	return out
}

// farthestFromMean returns the point that is farthest from the mean of all.
func farthestFromMean(x []r3.Vec) (best int) {
	var mean r3.Vec
	for _, p := range x {
		mean = mean.AddScaled(1/float64(len(x)), p)
	}
	for i, p := range x {
		if p.Sub(mean).Norm2() > x[best].Sub(mean).Norm2()*(1+1e-9) {
			best = i
		}
	}
	return best
}

// patch returns the load at triangle i.
func (s *triangles) patch(mesh *meshes.Tet, held []int32, i int, radius float64) patch {
	p := patch{s.verts[i][0], load{s.normal[i].Neg(), make([]float64, len(mesh.Verts))}}
	for k, t := range s.verts {
		if s.normal[k].Dot(s.normal[i]) < facing {
			continue
		}
		for _, v := range t {
			p.density[v] = math.Exp(-mesh.Verts[v].Sub(s.middle[i]).Norm2() / (radius * radius))
		}
	}
	for _, v := range held {
		p.density[v] = 0
	}
	// vertices on edges of ten-node tets have the mean of their corners
	if mesh.Cells != nil {
		for _, t := range mesh.Cells.Tets10 {
			for k, e := range meshes.Tet10Edges {
				p.density[t[4+k]] = (p.density[t[e[0]]] + p.density[t[e[1]]]) / 2
			}
		}
	}
	return p
}
