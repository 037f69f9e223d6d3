// Package fem simulates deformable bodies with linear tetrahedra: it gives each
// step's convex problem the blocks of A, the momentum gained freely and the
// velocity of surface points, and reports energies and stresses. A Model is
// immutable; a Data is the scratch of one stepper.
package fem

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Spec describes a deformable body.
type Spec struct {
	Name             string
	Mesh             *meshes.Tet // at rest, without stress; kept, not copied: leave it alone
	Law              ConstitutiveLaw
	Density          float64 // kg/m³
	MassDamping      float64 // α of D = αM + ζK, 1/s; resists rigid motion too
	StiffnessDamping float64 // ζ of D = αM + ζK, s
	Fixed            []int32 // vertices that never move
}

// Model is a deformable body, immutable and shared by any number of Data.
type Model struct {
	spec       Spec
	class      Class
	mu, lambda float64
	elements   []element
	rest       []restEight     // of the elements, eight by eight
	node       []int32         // node of each vertex, −1 when fixed
	vertex     []int32         // vertex of each node
	pattern    cliques.Pattern // of A, over the nodes
	blocks     []block         // of each block of the pattern
	pairs      []pair          // contributions of tets to blocks, by block, then by tet
	nodalMass  []float64       // row sums of the mass matrix, by vertex, kg
	mass       float64         // kg

	boundary [][3]int32 // boundary triangles, outward
	owner    []int32    // the tet of each
}

// element is a tet at rest.
type element struct {
	verts  [4]int32
	grad   [3]r3.Vec // ∂N_a/∂X of the vertices 1…3, 1/m; that of vertex 0 is minus their sum
	volume float64   // m³
}

// gradient returns F = Σ_a x_a ⊗ ∇N_a.
func (e *element) gradient(x []r3.Vec) r3.Mat {
	// Scalars: arrays live in memory, and this is the innermost loop.
	o, a, b, c := &x[e.verts[0]], &x[e.verts[1]], &x[e.verts[2]], &x[e.verts[3]]
	f, g, h := &e.grad[0], &e.grad[1], &e.grad[2]
	a0, a1, a2 := a[0]-o[0], a[1]-o[1], a[2]-o[2]
	b0, b1, b2 := b[0]-o[0], b[1]-o[1], b[2]-o[2]
	c0, c1, c2 := c[0]-o[0], c[1]-o[1], c[2]-o[2]
	return r3.Mat{
		a0*f[0] + b0*g[0] + c0*h[0], a0*f[1] + b0*g[1] + c0*h[1], a0*f[2] + b0*g[2] + c0*h[2],
		a1*f[0] + b1*g[0] + c1*h[0], a1*f[1] + b1*g[1] + c1*h[1], a1*f[2] + b1*g[2] + c1*h[2],
		a2*f[0] + b2*g[0] + c2*h[0], a2*f[1] + b2*g[1] + c2*h[1], a2*f[2] + b2*g[2] + c2*h[2],
	}
}

// sixVolumes returns six times the volume at the positions x, as signed as det F.
func (e *element) sixVolumes(x []r3.Vec) float64 {
	o, a, b, c := &x[e.verts[0]], &x[e.verts[1]], &x[e.verts[2]], &x[e.verts[3]]
	a0, a1, a2 := a[0]-o[0], a[1]-o[1], a[2]-o[2]
	b0, b1, b2 := b[0]-o[0], b[1]-o[1], b[2]-o[2]
	c0, c1, c2 := c[0]-o[0], c[1]-o[1], c[2]-o[2]
	return a0*(b1*c2-b2*c1) + a1*(b2*c0-b0*c2) + a2*(b0*c1-b1*c0)
}

// shape returns ∇N_a, 1/m.
func (e *element) shape(a int) r3.Vec {
	if a == 0 {
		return e.grad[0].Add(e.grad[1]).Add(e.grad[2]).Neg()
	}
	return e.grad[a-1]
}

// NewModel checks the specification and prepares a body: gradients and volumes
// of the tets at rest, consistent masses, the pattern of A. Errors name the tet
// or vertex at fault.
func NewModel(s Spec) (*Model, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("fem: deformable %q: %w", s.Name, err)
	}
	m := &Model{spec: s, class: s.Law.Class()}
	m.mu, m.lambda = s.Law.Lame()
	if err := m.restShape(); err != nil {
		return nil, fmt.Errorf("fem: deformable %q: %w", s.Name, err)
	}
	m.number()
	m.connect()
	m.sideBySide()
	m.boundary, m.owner = s.Mesh.Boundary()
	return m, nil
}

// check validates everything but the shape of the tets.
func (s *Spec) check() error {
	switch {
	case s.Mesh == nil || len(s.Mesh.Tets) == 0:
		return fmt.Errorf("no tetrahedra: make a mesh first")
	case s.Law == nil:
		return fmt.Errorf("no material: give an elastic law")
	case !(s.Density > 0) || math.IsInf(s.Density, 0):
		return fmt.Errorf("density of %g kg/m³: it must be positive and finite", s.Density)
	case !(s.MassDamping >= 0) || math.IsInf(s.MassDamping, 0):
		return fmt.Errorf("mass damping of %g 1/s: it must not be negative", s.MassDamping)
	case !(s.StiffnessDamping >= 0) || math.IsInf(s.StiffnessDamping, 0):
		return fmt.Errorf("stiffness damping of %g s: it must not be negative", s.StiffnessDamping)
	}
	n := int32(len(s.Mesh.Verts))
	for i, p := range s.Mesh.Verts {
		if !p.IsFinite() {
			return fmt.Errorf("vertex %d is at %v: it must be finite", i, p)
		}
	}
	for i, t := range s.Mesh.Tets {
		for _, v := range t {
			if v < 0 || v >= n {
				return fmt.Errorf("tet %d names vertex %d, but the mesh has vertices 0 to %d", i, v, n-1)
			}
		}
	}
	for _, v := range s.Fixed {
		if v < 0 || v >= n {
			return fmt.Errorf("fixed vertex %d does not exist: the mesh has vertices 0 to %d", v, n-1)
		}
	}
	return nil
}

// flattest is the least 6√2·volume/(longest edge)³ of a tet, 1 for a regular
// one. Below it, gradients are round-off of the coordinates.
const flattest = 1e-9

// restShape computes elements and masses.
func (m *Model) restShape() error {
	verts, rho := m.spec.Mesh.Verts, m.spec.Density
	m.elements = make([]element, len(m.spec.Mesh.Tets))
	m.nodalMass = make([]float64, len(verts))
	for i, t := range m.spec.Mesh.Tets {
		x0 := verts[t[0]]
		a, b, c := verts[t[1]].Sub(x0), verts[t[2]].Sub(x0), verts[t[3]].Sub(x0)
		six := a.Cross(b).Dot(c)
		edge2 := max(a.Norm2(), b.Norm2(), c.Norm2(), b.Sub(a).Norm2(), c.Sub(a).Norm2(), c.Sub(b).Norm2())
		switch flat := flattest * edge2 * math.Sqrt(edge2); {
		case six < -flat:
			return fmt.Errorf("tet %d (vertices %v) is inside out, volume %.3g m³: swap two of its vertices", i, t, six/6)
		case !(six > flat):
			return fmt.Errorf("tet %d (vertices %v) is flat, volume %.3g m³: remove it or mesh anew", i, t, six/6)
		}
		m.elements[i] = element{
			verts:  t,
			grad:   [3]r3.Vec{b.Cross(c).Scale(1 / six), c.Cross(a).Scale(1 / six), a.Cross(b).Scale(1 / six)},
			volume: six / 6,
		}
		for _, v := range t {
			m.nodalMass[v] += rho * six / 24
		}
		m.mass += rho * six / 6
	}
	for v, mass := range m.nodalMass {
		if mass == 0 {
			return fmt.Errorf("vertex %d belongs to no tet: remove it, for it would have no mass", v)
		}
	}
	return nil
}

// number gives the vertices that may move their nodes, in order.
func (m *Model) number() {
	m.node = make([]int32, len(m.spec.Mesh.Verts))
	for _, v := range m.spec.Fixed {
		m.node[v] = -1
	}
	for v := range m.node {
		if m.node[v] == 0 {
			m.node[v] = int32(len(m.vertex))
			m.vertex = append(m.vertex, int32(v))
		}
	}
}

// Name returns the body's name.
func (m *Model) Name() string { return m.spec.Name }

// Spec returns what the model was made from.
func (m *Model) Spec() Spec { return m.spec }

// Mesh returns the mesh at rest; do not change it.
func (m *Model) Mesh() *meshes.Tet { return m.spec.Mesh }

// NumVerts returns the number of vertices, fixed ones included.
func (m *Model) NumVerts() int { return len(m.node) }

// NumTets returns the number of tetrahedra.
func (m *Model) NumTets() int { return len(m.elements) }

// Dofs returns the number of velocities that the solver sees: three for each
// vertex that is not fixed.
func (m *Model) Dofs() int { return 3 * len(m.vertex) }

// Node returns the node of a vertex within the body's clique, −1 when fixed.
func (m *Model) Node(vert int32) int32 { return m.node[vert] }

// Pattern returns the pattern of A over the nodes; do not change it.
func (m *Model) Pattern() *cliques.Pattern { return &m.pattern }

// Mass returns the mass, kg, fixed vertices included.
func (m *Model) Mass() float64 { return m.mass }

// Boundary returns the boundary triangles, outward, as indices of vertices, and
// for each the tet it belongs to; do not change them.
func (m *Model) Boundary() (tris [][3]int32, owner []int32) { return m.boundary, m.owner }
