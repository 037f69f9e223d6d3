package discretization

import (
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
)

// The meshes that a body is compared with, each made of the one before:
//
//	tet4    hexahedra on the same vertices where the mesh has them, else ten-node tets
//	tet10   ten-node tets of half the size
//	hex12   hexahedra and wedges of half the size; then of half the size in their plane
//
// and the share s of the error that the first one has left. Smooth stress makes the compliance of
// quadratic elements and of hexahedra converge with the fourth and the second power of their size,
// s = 1/16 and 1/4. At re-entrant corners of 90°, such as those of ribs, it converges with the power
// 1.09 of any elements, s = 0.47, and more slowly before the elements are smaller than the walls.
// The numbers lie in between; the tests compare them with bodies of many kinds. A second mesh shows
// how fast a body converges, so that less has to be presumed of the third.
const (
	leftTet4   = 0.2
	leftTet10  = 0.33
	leftHex12  = 0.55
	leftSecond = 0.4
)

// budget is what a mesh may have so that it is solved in good time.
type budget struct {
	vertices int
	flops    float64 // of the factorization
}

// The first mesh takes up to about two seconds. A second one is for coarse meshes, which need it.
var (
	firstBudget  = budget{25000, 1.6e10}
	secondBudget = budget{9000, 1.5e9}
)

// level is a mesh of a body with what fixes and loads it.
type level struct {
	mesh     *meshes.Tet
	elements fem.Elements
	law      fem.ConstitutiveLaw
	held     []int32
	loads    []load
}

// left is the share s of the error that the next level has left.
func (l *level) left() float64 {
	switch l.elements {
	case fem.Tet4:
		return leftTet4
	case fem.Tet10:
		return leftTet10
	}
	return leftHex12
}

// isSwept reports whether a mesh has hexahedra.
func isSwept(m *meshes.Tet) bool { return m.Cells != nil && len(m.Cells.Tets10) == 0 }

// isTooLarge finds meshes whose refinement exceeds a budget for certain: it multiplies vertices
// by at least three, unless it takes better elements on the same ones.
func (l *level) isTooLarge(most budget) bool {
	n := len(l.mesh.Verts)
	if l.elements != fem.Tet4 || !isSwept(l.mesh) {
		n *= 3
	}
	return n > most.vertices
}

// refined returns the next level: cells are cut in all directions, or in their plane only. The error
// is ErrTooLarge for meshes that exceed the budget, or that of the refinement.
func (l *level) refined(plane bool, most budget) (*level, error) {
	var r meshes.Refinement
	var err error
	e := l.elements
	if l.isTooLarge(most) {
		return nil, ErrTooLarge
	}
	switch {
	case e == fem.Tet4 && isSwept(l.mesh):
		r, e = meshes.Refinement{Mesh: l.mesh}, fem.Hex12
	case e == fem.Tet4 || e == fem.Tet10:
		r, e = l.mesh.RefineTets(), fem.Tet10
	case plane:
		r, err = l.mesh.RefinePlane()
	default:
		r, err = l.mesh.RefineCells()
	}
	if err != nil {
		return nil, err
	}
	if len(r.Mesh.Verts) > most.vertices {
		return nil, ErrTooLarge
	}
	out := &level{mesh: r.Mesh, elements: e, law: l.law, held: r.Inherit(l.held)}
	for _, p := range l.loads {
		out.loads = append(out.loads, load{p.direction, r.Interpolate(p.density)})
	}
	return out, nil
}

// compliances returns c of (1) for all loads, each over the square of its force: m/N, NaN for a load
// without force. The error is ErrTooLarge for factorizations that exceed the budget.
func (l *level) compliances(most budget) ([]float64, error) {
	m, err := fem.NewModel(fem.Spec{Mesh: l.mesh, Law: l.law, Elements: l.elements, Density: 1, Fixed: l.held})
	if err != nil {
		return nil, err
	}
	s, err := newStatics(m, most.flops)
	if err != nil {
		return nil, err
	}
	c := make([]float64, len(l.loads))
	for i := range l.loads {
		// of unit density, so that masses are volumes
		force := 0.0
		for v, b := range l.loads[i].density {
			force += m.NodalMass(int32(v)) * b
		}
		c[i] = s.compliance(&l.loads[i]) / (force * force)
	}
	return c, nil
}
