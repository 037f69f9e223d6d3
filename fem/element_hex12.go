package fem

// Hexahedra of eight nodes with twelve internal, incompatible modes. With the shape functions
// N_a = ⅛ Π_k (1 + s_ak ξ_k), J = Σ X_a ⊗ ∂N_a/∂ξ, j = det J, those J0, j0 at ξ = 0,
// g_a = J⁻ᵀ ∂N_a/∂ξ, t_d the row d of J0⁻¹ and l = ∛j0, the strain of node a along e_i is
// sym(e_i ⊗ g_a), and those of the internal modes are
//
//	nine    d, i = 0…2:  l sym(e_i ⊗ h_d),  h_d = −2 ξ_d (j0/j) t_d            (1)
//	three   d = 0…2:     I ξ_{d+1} ξ_{d+2} (j0/j)                              (2)
//
// (1) are those of the bubbles 1 − ξ_d², with which the element bends; (2) let the dilatation
// vary, without which it locks as Poisson's ratio tends to ½. The factor j0/j gives each mode
// the mean zero, so that constant strain is exact in any shape. Sums over 2×2×2 points of
// weight j give the energy of all 36 modes; eliminating the internal ones leaves
//
//	K0 = Kuu − Kua Kaa⁻¹ Kuaᵀ ⪰ 0.                                             (3)
//
// Source: Wilson, Taylor, Doherty and Ghaboussi 1973; Taylor, Beresford and Wilson, "A
// non-conforming element for stress analysis", 1976; (2) as in Andelfinger and Ramm 1993.
//
// The modes belong to the element alone, so that elimination leaves a matrix of its 24 nodal
// displacements: in a step a hexahedron costs what one without modes does. Without (1) a
// hexahedron bends too stiffly by shear, as tets do; with them a beam one element high has the
// deflection of the theory.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Hex12 are hexahedra with twelve incompatible (internal) modes, and wedges between them. They
// need a mesh with cells and take any law.
const Hex12 Elements = "hex12"

var _ = ElementKinds.Register(kinds.Kind[ElementKind]{
	Name: string(Hex12),
	Doc:  "Hexahedra with incompatible modes, and wedges between them, for swept meshes and any law.",
	About: "Eight nodes and twelve internal modes: with one across, a beam has 99 % of its deflection, also where it is nearly incompressible. " +
		"Boxes, rings, FinRay fingers and extruded parts have hexahedra, with wedges where their plane leaves triangles. " +
		"A nonlinear law acts on the mean deformation of each; what it bends besides has the stiffness of rest, harder where it is pressed.",
	New:     func() ElementKind { return &hex12Elements{} },
	Samples: func() []ElementKind { return []ElementKind{&hex12Elements{}} },
})

// hex12Elements implements ElementKind.
type hex12Elements struct{}

// TakesLaw implements ElementKind.
func (*hex12Elements) TakesLaw(ConstitutiveLaw) error { return nil }

// TakesMesh implements ElementKind.
func (*hex12Elements) TakesMesh(mesh *meshes.Tet) error {
	if c := mesh.Cells; c == nil || len(c.Tets10) > 0 {
		return fmt.Errorf("the mesh has no hexahedra: sweep it (a box, a ring, a FinRay finger, an extruded part), or take elements tet10 or tet4")
	}
	return nil
}

// SuitsMesh implements ElementKind: wedges have constant strain in the swept plane, and cells that
// are inside out somewhere have no stiffness.
func (*hex12Elements) SuitsMesh(mesh *meshes.Tet) error {
	c := mesh.Cells
	// a quad of the plane is two triangles
	if len(c.Wedges) > 2*len(c.Hexes) {
		return fmt.Errorf("the mesh has more wedges than hexahedra")
	}
	for i := range c.Len() {
		if verts := c.Cell(i); !(leastJacobian(mesh.Verts, verts) > 0) {
			return fmt.Errorf("the mesh has cells that are inside out in part, such as cell %d", i)
		}
	}
	return nil
}

func (*hex12Elements) Mesh(tets *meshes.Tet) *meshes.Tet { return tets }

func (*hex12Elements) NodesOfCorner() float64 { return 1 }

// Rank implements ElementKind.
func (*hex12Elements) Rank() int { return 99 }

func (*hex12Elements) newSet(m *Model) (elementSet, error) { return newCellSet(m) }

// hexNodes are the reference coordinates of the nodes.
var hexNodes = [8]r3.Vec{{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}

// hexShapes returns N_a and ∂N_a/∂ξ at ξ.
func hexShapes(xi r3.Vec) (N [8]float64, dN [8]r3.Vec) {
	for a, s := range hexNodes {
		x, y, z := 1+s[0]*xi[0], 1+s[1]*xi[1], 1+s[2]*xi[2]
		N[a] = x * y * z / 8
		dN[a] = r3.Vec{s[0] * y * z / 8, x * s[1] * z / 8, x * y * s[2] / 8}
	}
	return N, dN
}

// jacobian returns Σ X_a ⊗ ∂N_a/∂ξ, J of an isoparametric element.
func jacobian(X, dN []r3.Vec) (J r3.Mat) {
	for a := range dN {
		J = J.Add(r3.Outer(X[a], dN[a]))
	}
	return J
}

// shapeGradients returns j⁻¹ and writes ∂N_a/∂X, from J and ∂N_a/∂ξ.
func shapeGradients(g []r3.Vec, J r3.Mat, dN []r3.Vec) (inverse r3.Mat, j float64) {
	inverse, j = J.Inv()
	for a := range dN {
		g[a] = inverse.TMulVec(dN[a])
	}
	return inverse, j
}

// leastJacobian returns the least Jacobian of a hexahedron or wedge at its centre and the points of
// its sums, m³.
func leastJacobian(verts []r3.Vec, cell []int32) float64 {
	var X [cellNodes]r3.Vec
	for a, v := range cell {
		X[a] = verts[v]
	}
	least := math.Inf(1)
	at := func(dN []r3.Vec) {
		_, j := jacobian(X[:len(dN)], dN).Inv()
		least = min(least, j)
	}
	if len(cell) == 8 {
		_, dN := hexShapes(r3.Vec{})
		at(dN[:])
		for _, s := range hexNodes {
			_, dN := hexShapes(s.Scale(1 / math.Sqrt(3)))
			at(dN[:])
		}
		return least
	}
	for _, zeta := range [3]float64{-1 / math.Sqrt(3), 0, 1 / math.Sqrt(3)} {
		for _, p := range wedgePoints {
			_, dN := wedgeShapes(p[0], p[1], zeta)
			at(dN[:])
		}
	}
	return least
}

// errDistorted reports that a Jacobian, that has to be positive at the points of the sums and at
// the centre, is not. At corners it may be negative: standard patch tests have such elements.
func errDistorted(j float64) error {
	return fmt.Errorf("its Jacobian is %.3g m³ inside: it is flat, inside out or too distorted; remesh the part there", j)
}

// restHex12 computes the matrices of a hexahedron from its rest positions. It adds the integrals
// of the shape gradients, m², to whole.
func (c *cell) restHex12(mu, lambda, rho float64, whole *[cellNodes]r3.Vec) error {
	X := c.rest[:]
	_, dN := hexShapes(r3.Vec{})
	inverse0, j0 := shapeGradients(c.grad[:], jacobian(X, dN[:]), dN[:])
	if !(j0 > 0) {
		return errDistorted(j0)
	}
	// a length makes modes displacements, so that Kaa has the unit and the size of Kuu
	l := math.Cbrt(j0)

	// Gauss points ±1/√3 of weight 1 in each direction, exact for cubics
	var K condensed
	point := 1 / math.Sqrt(3)
	for _, s := range hexNodes {
		xi := s.Scale(point)
		N, dN := hexShapes(xi)
		var g [8]r3.Vec
		_, j := shapeGradients(g[:], jacobian(X, dN[:]), dN[:])
		if !(j > 0) {
			return errDistorted(j)
		}
		// the strains of all modes
		var e [36]strain6
		for a := range g {
			whole[a] = whole[a].AddScaled(j, g[a])
			for i := range 3 {
				e[3*a+i] = dyad(i, g[a])
			}
		}
		for d := range 3 {
			h := inverse0.Row(d).Scale(-2 * l * xi[d] * j0 / j)
			for i := range 3 {
				e[24+3*d+i] = dyad(i, h) // (1)
			}
			p := xi[(d+1)%3] * xi[(d+2)%3] * j0 / j
			e[33+d] = strain6{p, p, p} // (2)
		}
		K.add(e[:], j, mu, lambda)
		// consistent mass
		c.volume += j
		for a := range 8 {
			for b := range a + 1 {
				c.mass[triangle(a, b)] += rho * j * N[a] * N[b]
			}
		}
	}
	K.eliminate(36, 24) // (3)
	K.blocks(c.stiff[:], 8)
	return nil
}

// strain6 is a symmetric tensor: xx, yy, zz, and √2 times yz, xz, xy, so that the product of
// two tensors is that of the vectors.
type strain6 [6]float64

// dyad returns sym(e_i ⊗ g).
func dyad(i int, g r3.Vec) (e strain6) {
	e[i] = g[i]
	j, k := (i+1)%3, (i+2)%3
	// the component that i and j leave out is k
	e[3+k] = g[j] / math.Sqrt2
	e[3+j] = g[k] / math.Sqrt2
	return e
}

// condensed is a symmetric matrix of modes, of which the first belong to nodes.
type condensed [36][36]float64

// add adds the energies w (2μ e_i:e_j + λ tr e_i tr e_j) of pairs of strains.
func (K *condensed) add(e []strain6, w, mu, lambda float64) {
	for i := range e {
		x := &e[i]
		tr := w * lambda * (x[0] + x[1] + x[2])
		for j := range i + 1 {
			y := &e[j]
			dot := x[0]*y[0] + x[1]*y[1] + x[2]*y[2] + x[3]*y[3] + x[4]*y[4] + x[5]*y[5]
			K[i][j] += 2*w*mu*dot + tr*(y[0]+y[1]+y[2])
		}
	}
	for i := range e {
		for j := range i {
			K[j][i] = K[i][j]
		}
	}
}

// eliminate makes the energy stationary in the modes keep … n − 1, from the last to the first.
func (K *condensed) eliminate(n, keep int) {
	// Gaussian elimination; Kaa is positive definite where j > 0, so that no pivot is zero
	for p := n - 1; p >= keep; p-- {
		for i := range p {
			f := K[i][p] / K[p][p]
			for j := range i + 1 {
				K[i][j] -= f * K[p][j]
				K[j][i] = K[i][j]
			}
		}
	}
}

// blocks writes the blocks of the lower triangle of n nodes.
func (K *condensed) blocks(dst []r3.Mat, n int) {
	for a := range n {
		for b := range a + 1 {
			B := &dst[triangle(a, b)]
			for i := range 3 {
				for j := range 3 {
					B[3*i+j] = K[3*a+i][3*b+j]
				}
			}
		}
	}
}
