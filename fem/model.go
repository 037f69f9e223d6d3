// Package fem simulates deformable bodies by the finite element method: linear and ten-node tetrahedra,
// hexahedra and wedges, with corotational, neo-Hookean and other constitutive laws. For each body it
// gives the convex problem of a step the momentum matrix A, the momentum gained in free motion and the
// velocity of material points, and it reports energies, stresses and momenta.
//
// A Model is immutable and may be shared. A Data is the working memory of one stepper:
// Place reads positions, FreeMotion appends the body to the problem, Advance takes the
// step. The state is positions x and velocities v of all vertices (3·NumVerts, world
// axes).
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
	// Name is for error messages and reports.
	Name string
	// Mesh is the undeformed, stress-free body, in world axes, m. It is kept, not copied, and
	// must not change.
	Mesh *meshes.Tet
	// Law is the constitutive law of all elements.
	Law ConstitutiveLaw
	// Elements are a registered kind of finite elements; empty: Auto, the best that Mesh has as it
	// is: hexahedra and wedges, ten-node tetrahedra (see meshes.Tet.Quadratic), else linear ones.
	Elements Elements
	// Density is the mass per volume at rest, kg/m³.
	Density float64
	// MassDamping is α of the Rayleigh damping D = αM + ζK, 1/s. It resists rigid motion too.
	MassDamping float64
	// StiffnessDamping is ζ of D = αM + ζK, s.
	StiffnessDamping float64
	// Fixed are vertices that never move.
	Fixed []int32
}

// Model is a deformable body, immutable and shared by any number of Data.
type Model struct {
	spec Spec
	// choice is what the body is made of.
	choice Choice
	class  Class
	// mu and lambda are the Lamé parameters of the law at rest, Pa.
	mu, lambda float64
	// elements has each tet at rest.
	elements []element
	// set are the elements.
	set elementSet
	// cells has the hexahedra and wedges at rest.
	cells []cell
	// restTets has the constants of linear tets for kernels, eight each.
	restTets []restLanes
	// restCells has those of the cells, eight each.
	restCells []restCellLanes
	// node is the node of each vertex, −1 when fixed.
	node []int32
	// vertex is the vertex of each node.
	vertex []int32
	// pattern is the sparsity pattern of A over the nodes.
	pattern cliques.Pattern
	// blocks are the constant parts of each block of the pattern.
	blocks []block
	// pairs are the contributions of tets to blocks, by block, then by tet.
	pairs []pair
	// held are the elements that have a fixed vertex.
	held []int32
	// nodalMass are the row sums of the mass matrix, by vertex, kg.
	nodalMass []float64
	// lumped are positive masses of the vertices with the same sum: nodalMass, or where that
	// has negative ones the scaled diagonal of the mass matrix, kg.
	lumped []float64
	// mass of the whole, kg.
	mass float64
	// size is the diagonal of the bounds at rest, m.
	size float64

	// steepest is the largest Σ_a |∂N_a/∂X| over the vertices 1…3 of any tet, 1/m.
	steepest float64

	// boundary are the boundary triangles, outward.
	boundary [][3]int32
	// owner is the tet of each boundary triangle.
	owner []int32
}

// NewModel checks the specification and prepares a body: shape gradients and volumes of
// the tets at rest, consistent masses, the sparsity pattern of A. Errors name the faulty
// tet or vertex.
func NewModel(s Spec) (*Model, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("fem: deformable %q: %w", s.Name, err)
	}
	choice, err := s.Elements.Choose(s.Law, func(ElementKind) *meshes.Tet { return s.Mesh })
	if err != nil {
		return nil, fmt.Errorf("fem: deformable %q: %w", s.Name, err)
	}
	// the rest state, then all that depends on the mesh alone
	m := &Model{spec: s, choice: choice, class: s.Law.Class(), size: s.Mesh.Bounds().Size().Norm()}
	m.mu, m.lambda = s.Law.Lame()
	if err := m.restShape(); err != nil {
		return nil, fmt.Errorf("fem: deformable %q: %w", s.Name, err)
	}
	m.lumped = m.nodalMass
	if err := m.newSet(); err != nil {
		return nil, fmt.Errorf("fem: deformable %q: %w", s.Name, err)
	}
	m.numberNodes()
	m.held = m.atFixed()
	m.buildPattern()
	m.boundary, m.owner = s.Mesh.Boundary()
	return m, nil
}

// check returns an error about any part of the specification but the tets' shapes.
func (s *Spec) check() error {
	switch {
	case s.Mesh == nil || len(s.Mesh.Tets) == 0:
		return fmt.Errorf("no tetrahedra: make a mesh first")
	case s.Law == nil:
		return fmt.Errorf("no constitutive law: give one, such as NewCorotational")
	case !(s.Density > 0) || math.IsInf(s.Density, 0):
		return fmt.Errorf("density of %g kg/m³: it must be positive and finite", s.Density)
	case !(s.MassDamping >= 0) || math.IsInf(s.MassDamping, 0):
		return fmt.Errorf("mass damping of %g 1/s: it must not be negative", s.MassDamping)
	case !(s.StiffnessDamping >= 0) || math.IsInf(s.StiffnessDamping, 0):
		return fmt.Errorf("stiffness damping of %g s: it must not be negative", s.StiffnessDamping)
	}
	// coordinates, and indices of tets and fixed vertices
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
	return s.Mesh.CheckCells()
}

// flattest is the least quality 6√2·volume/(longest edge)³ of a tet; a regular one has 1.
// Below it, shape gradients are round-off of the coordinates.
const flattest = 1e-9

// restShape computes the elements at rest and the masses.
func (m *Model) restShape() error {
	verts, rho := m.spec.Mesh.Verts, m.spec.Density
	m.elements = make([]element, len(m.spec.Mesh.Tets))
	m.nodalMass = make([]float64, len(verts))
	for i, t := range m.spec.Mesh.Tets {
		// edges from the first vertex, six times the volume, and the longest edge squared
		x0 := verts[t[0]]
		a, b, c := verts[t[1]].Sub(x0), verts[t[2]].Sub(x0), verts[t[3]].Sub(x0)
		six := a.Cross(b).Dot(c)
		edge2 := max(a.Norm2(), b.Norm2(), c.Norm2(), b.Sub(a).Norm2(), c.Sub(a).Norm2(), c.Sub(b).Norm2())
		switch flat := flattest * edge2 * math.Sqrt(edge2); {
		case six < -flat:
			return fmt.Errorf("tet %d (vertices %v) is inside out, volume %.3g m³: swap two of its vertices", i, t, six/6)
		case !(six > flat):
			return fmt.Errorf("tet %d (vertices %v) is flat, volume %.3g m³: remove it or mesh again", i, t, six/6)
		}
		// ∇N_a of the three other vertices are rows of the inverse of the edge matrix
		m.elements[i] = element{
			verts:  t,
			grad:   [3]r3.Vec{b.Cross(c).Scale(1 / six), c.Cross(a).Scale(1 / six), a.Cross(b).Scale(1 / six)},
			volume: six / 6,
		}
		g := &m.elements[i].grad
		m.steepest = max(m.steepest, g[0].Norm()+g[1].Norm()+g[2].Norm())
		// a quarter of the mass for each vertex
		for _, v := range t {
			m.nodalMass[v] += rho * six / 24
		}
		m.mass += rho * six / 6
	}
	// a vertex without mass would make A singular
	for v, mass := range m.nodalMass {
		if mass == 0 {
			return fmt.Errorf("vertex %d belongs to no tet: remove it, for it would have no mass", v)
		}
	}
	return nil
}

// numberNodes numbers the nodes of the vertices that are not fixed, in their order.
func (m *Model) numberNodes() {
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

// Spec returns the specification that the model was made from.
func (m *Model) Spec() Spec { return m.spec }

// Mesh returns the mesh at rest; do not change it.
func (m *Model) Mesh() *meshes.Tet { return m.spec.Mesh }

// NumVerts returns the number of vertices, fixed ones included.
func (m *Model) NumVerts() int { return len(m.node) }

// NumTets returns the number of tetrahedra.
func (m *Model) NumTets() int { return len(m.elements) }

// Dofs returns the number of degrees of freedom: three velocities for each vertex
// that is not fixed.
func (m *Model) Dofs() int { return 3 * len(m.vertex) }

// Node returns the node of a vertex within the body's clique, −1 when fixed.
func (m *Model) Node(vert int32) int32 { return m.node[vert] }

// Pattern returns the sparsity pattern of A over the nodes, the lower triangle by columns;
// do not change it.
func (m *Model) Pattern() *cliques.Pattern { return &m.pattern }

// Mass returns the mass, kg, fixed vertices included.
func (m *Model) Mass() float64 { return m.mass }

// CenterOfMass returns the centre of mass at rest, m.
func (m *Model) CenterOfMass() r3.Vec { return m.centerOfMass(m.spec.Mesh.Verts) }

// centerOfMass returns the centre of mass with vertices at x, m.
func (m *Model) centerOfMass(x []r3.Vec) (c r3.Vec) {
	for i, mass := range m.nodalMass {
		c = c.AddScaled(mass, x[i])
	}
	return c.Scale(1 / m.mass)
}

// NodalMass returns the mass of a vertex: the sum of its row of the mass matrix, kg.
func (m *Model) NodalMass(vert int32) float64 { return m.nodalMass[vert] }

// Boundary returns the boundary triangles as indices of vertices, counter-clockwise seen
// from outside, and the tet that owns each; do not change them.
func (m *Model) Boundary() (tris [][3]int32, owner []int32) { return m.boundary, m.owner }
