package fem

// The ten-node tetrahedron (quadratic tet) with straight edges, for volumes that are not swept. With barycentric
// coordinates l the shape functions are l_a (2 l_a − 1) of corners and 4 l_i l_j of midpoints;
// they are evaluated at the four points l = (a, b, b, b) and its permutations, of weight
// W = V/4, which is exact. Each point has a frame of its own, R_q = polar(F_q) at the start of
// the step:
//
//	F_q = Σ x_a g_qaᵀ,   ε_q = sym(R_qᵀ F_q) − I,   θ = ¼ Σ_q tr ε_q,                  (1)
//	σ_q = 2μ ε_q + (λ_c tr ε_q + λ_m θ) I,   f_a = −Σ_q W R_q σ_q g_qa,                (2)
//	K_ab = Σ_q W [μ (g_qa·g_qb) I + μ w_qb w_qaᵀ + λ_c w_qa w_qbᵀ] + λ_m/V b_a b_bᵀ,   (3)
//	w_qa = R_q g_qa,   b_a = Σ_q W w_qa.
//
// All of λ at the points would lock as Poisson's ratio tends to ½, and all of it on the mean
// dilatation θ would bend too easily. So λ_c = min(λ, 4μ), that of Poisson's ratio 0.4, acts
// at the points, and the rest λ_m on the mean. Forces have no moment: R_q σ_q F_qᵀ is symmetric.
// The consistent mass is positive definite, but its row sums are −ρV/20 at corners and ρV/5 at
// midpoints: right as weights of gravity and of momenta, but no masses to divide by.
// Source: the element is Zienkiewicz and Taylor, The Finite Element Method, 6.5; frames at
// points and the split of λ are this program's, after mean dilatation (Hughes 4.5).

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Tet10 are ten-node (quadratic) tetrahedra. They need a mesh from meshes.Tet.Quadratic and a
// law that is linear, corotational or a VolumetricLaw.
const Tet10 Elements = "tet10"

var _ = ElementKinds.Register(kinds.Kind[ElementKind]{
	Name: string(Tet10),
	Doc:  "Ten-node tetrahedra with straight edges, for any volume and any law.",
	About: "Strain is linear in each: with one across, a beam has 97 % of its deflection or more, also where it is nearly incompressible. " +
		"A mesh of tetrahedra gets vertices on the middles of its edges; `vertices` of a mesh counts them.",
	New:     func() ElementKind { return &tet10Elements{} },
	Samples: func() []ElementKind { return []ElementKind{&tet10Elements{}} },
})

// tet10Elements implements ElementKind.
type tet10Elements struct{}

// TakesLaw implements ElementKind.
func (*tet10Elements) TakesLaw(law ConstitutiveLaw) error { return takesVolumetric(law) }

// TakesMesh implements ElementKind.
func (*tet10Elements) TakesMesh(mesh *meshes.Tet) error {
	if mesh.Cells == nil || len(mesh.Cells.Tets10) == 0 {
		return fmt.Errorf("the mesh has no ten-node tetrahedra: make it with Quadratic, or take elements tet4")
	}
	return nil
}

func (*tet10Elements) SuitsMesh(*meshes.Tet) error { return nil }

// Mesh implements ElementKind: hexahedra and wedges are replaced by the tets that fill them.
func (*tet10Elements) Mesh(tets *meshes.Tet) *meshes.Tet {
	if tets.Cells != nil && len(tets.Cells.Tets10) > 0 {
		return tets
	}
	return tets.Quadratic()
}

// NodesOfCorner implements ElementKind: a mesh has some 4.5 to 6 edges a vertex.
func (*tet10Elements) NodesOfCorner() float64 { return 5.5 }

// Rank implements ElementKind.
func (*tet10Elements) Rank() int { return 97 }

func (*tet10Elements) newSet(m *Model) (elementSet, error) { return newTet10Set(m) }

const (
	tet10Nodes  = 10
	tet10Blocks = tet10Nodes * (tet10Nodes + 1) / 2
	tet10Points = 4
	// pointRatio is the largest λ/μ that acts at the points.
	pointRatio = 4
)

// tet10Edges are the edges of the midpoints, as meshes.Cells has them.
var tet10Edges = [6][2]int{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}

// tet10Near and tet10Far are the coordinates a and b of the points, (5 ± 3√5)/20 and (5 − √5)/20.
var (
	tet10Near = (5 + 3*math.Sqrt(5)) / 20
	tet10Far  = (5 - math.Sqrt(5)) / 20
)

// tet10 is a ten-node tet at rest.
type tet10 struct {
	verts [tet10Nodes]int32
	// grad are ∂N_a/∂X at each point, 1/m.
	grad [tet10Points][tet10Nodes]r3.Vec
	// dot are Σ_q W g_qa·g_qb, by pairs of nodes in the order of triangle, m.
	dot [tet10Blocks]float64
	// volume at rest, m³.
	volume float64
	// upper are the blocks, bits, whose row is above their column in A.
	upper uint64
}

// tet10Set are the ten-node tets of a model. It implements elementSet.
type tet10Set struct {
	turnedBlocks
	tets []tet10
	// pointLambda is λ_c and meanLambda λ_m of (2), Pa.
	pointLambda, meanLambda float64
	// law is the law where it is nonlinear, else nil.
	law VolumetricLaw
}

// newTet10Set makes the elements of the mesh's ten-node tets.
func newTet10Set(m *Model) (elementSet, error) {
	mesh := m.spec.Mesh
	s := &tet10Set{turnedBlocks: turnedBlocks{m}, tets: make([]tet10, mesh.Cells.Len())}
	// a negative λ, of a negative ratio of Poisson, acts at the points as a whole
	s.pointLambda = min(m.lambda, pointRatio*m.mu)
	s.meanLambda = m.lambda - s.pointLambda
	s.law, _ = m.spec.Law.(VolumetricLaw)
	m.steepest = 0
	for i := range s.tets {
		e := &s.tets[i]
		copy(e.verts[:], mesh.Cells.Cell(i))
		if err := e.rest(mesh.Verts); err != nil {
			return nil, fmt.Errorf("cell %d, a ten-node tetrahedron of vertices %v: %w", i, e.verts, err)
		}
		// the largest motion of F by nodes that move by a metre, at any point
		for q := range e.grad {
			steep := 0.0
			for _, g := range e.grad[q] {
				steep += g.Norm()
			}
			m.steepest = max(m.steepest, steep/2) // ‖ΔF‖ ≤ Σ |x_a||g_a|
		}
	}
	return s, nil
}

// straightTol is how far a midpoint may be from the middle of its edge, relative to the edge.
const straightTol = 1e-6

// rest computes volume and gradients. The edges must be straight.
func (e *tet10) rest(verts []r3.Vec) error {
	x := func(a int) r3.Vec { return verts[e.verts[a]] }
	for k, edge := range tet10Edges {
		middle := x(edge[0]).Add(x(edge[1])).Scale(0.5)
		if off, length := x(4+k).Sub(middle).Norm(), x(edge[0]).Sub(x(edge[1])).Norm(); !(off <= straightTol*length) {
			return fmt.Errorf("vertex %d is %.3g m off the middle of its edge: edges must be straight; move it there, or make the mesh of four-node tetrahedra", e.verts[4+k], off)
		}
	}
	// gradients of the barycentric coordinates
	a, b, c := x(1).Sub(x(0)), x(2).Sub(x(0)), x(3).Sub(x(0))
	// a tet that is inside out is refused here, flat ones where tets are checked
	six := a.Cross(b).Dot(c)
	if !(six > 0) {
		return errDistorted(six)
	}
	e.volume = six / 6
	l := [4]r3.Vec{1: b.Cross(c).Scale(1 / six), 2: c.Cross(a).Scale(1 / six), 3: a.Cross(b).Scale(1 / six)}
	l[0] = l[1].Add(l[2]).Add(l[3]).Neg()
	for q := range e.grad {
		// coordinates of the point, of which one is near its corner
		at := [4]float64{tet10Far, tet10Far, tet10Far, tet10Far}
		at[q] = tet10Near
		for k := range 4 {
			e.grad[q][k] = l[k].Scale(4*at[k] - 1)
		}
		for k, edge := range tet10Edges {
			i, j := edge[0], edge[1]
			e.grad[q][4+k] = l[j].Scale(4*at[i]).AddScaled(4*at[j], l[i])
		}
	}
	// the part of (3) that frames do not turn
	for a := range tet10Nodes {
		for b := range a + 1 {
			for q := range e.grad {
				e.dot[triangle(a, b)] += e.weight() * e.grad[q][a].Dot(e.grad[q][b])
			}
		}
	}
	return nil
}

// weight returns W, m³.
func (e *tet10) weight() float64 { return e.volume / tet10Points }

func (s *tet10Set) len() int                   { return len(s.tets) }
func (s *tet10Set) slots() (nodes, blocks int) { return tet10Nodes, tet10Blocks }
func (s *tet10Set) nodesOf(i int) []int32      { return s.tets[i].verts[:] }
func (s *tet10Set) frames() int                { return tet10Points }
func (s *tet10Set) volumeAt(i int) float64     { return s.tets[i].weight() }
func (s *tet10Set) kineticBound() float64      { return 2.236 } // rounded up

func (s *tet10Set) contribute(i, a, b int) (pair, float64) {
	return blockPair(i, a, b, tet10Nodes, tet10Blocks, &s.tets[i].upper), 0
}

// scratch implements elementSet: R_q are kept.
func (s *tet10Set) scratch(f *freeMotion) {
	f.needBlocks()
	f.kept = make([]r3.Mat, tet10Points*len(s.tets))
}

// massOf returns the consistent mass in closed form, in ρV/420: of a corner 6, of two corners
// 1, of a corner and a midpoint of its own edge −4, of another −6, of midpoints 32 with
// themselves, 16 where their edges meet and 8 where these are opposite.
func (s *tet10Set) massOf(i, a, b int) float64 {
	return tet10Mass[a][b] * s.spec.Density * s.tets[i].volume / 420
}

// tet10Mass are the factors of massOf.
var tet10Mass = func() (M [tet10Nodes][tet10Nodes]float64) {
	for a := range 4 {
		for b := range 4 {
			M[a][b] = 1
		}
		M[a][a] = 6
		for k, e := range tet10Edges {
			M[a][4+k] = -6
			if e[0] == a || e[1] == a {
				M[a][4+k] = -4
			}
			M[4+k][a] = M[a][4+k]
		}
	}
	for k, e := range tet10Edges {
		for l, f := range tet10Edges {
			switch {
			case k == l:
				M[4+k][4+l] = 32
			case e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]:
				M[4+k][4+l] = 16
			default:
				M[4+k][4+l] = 8
			}
		}
	}
	return M
}()

// at returns the positions of the nodes among those of the vertices.
func (e *tet10) at(x []r3.Vec) (p [tet10Nodes]r3.Vec) {
	for a, v := range e.verts {
		p[a] = x[v]
	}
	return p
}

// gradient returns F of (1) at point q, at the positions x of the nodes.
func (e *tet10) gradient(q int, x *[tet10Nodes]r3.Vec) r3.Mat {
	return gradientOf(x[:], e.grad[q][:])
}

// tet10Strains are ε_q of (1).
type tet10Strains [tet10Points]r3.Mat

// set computes ε_q at the gradient F in the frame R.
func (eps *tet10Strains) set(q int, F, R *r3.Mat) {
	var G r3.Mat
	G.SetTMul(R, F)
	// the symmetric part, written in scalars
	xy, xz, yz := 0.5*(G[1]+G[3]), 0.5*(G[2]+G[6]), 0.5*(G[5]+G[7])
	eps[q] = r3.Mat{G[0] - 1, xy, xz, xy, G[4] - 1, yz, xz, yz, G[8] - 1}
}

// energy returns Σ W (μ |ε_q|² + ½ λ_c (tr ε_q)²) + ½ V λ_m θ².
func (s *tet10Set) energy(e *tet10, eps *tet10Strains) float64 {
	// quadrature by the four points is exact: strains are linear, their squares quadratic
	W, sum, theta := e.weight(), 0.0, 0.0
	for q := range eps {
		tr := eps[q].Trace()
		sum += W * (s.mu*eps[q].Norm2() + 0.5*s.pointLambda*tr*tr)
		theta += tr / tet10Points
	}
	return sum + 0.5*e.volume*s.meanLambda*theta*theta
}

// energyOf implements elementSet.
func (s *tet10Set) energyOf(i int, pos []r3.Vec) float64 {
	e := &s.tets[i]
	x := e.at(pos)
	return s.energyAt(e, &x)
}

// energyAt returns the elastic energy at the positions x of the nodes, J.
func (s *tet10Set) energyAt(e *tet10, x *[tet10Nodes]r3.Vec) float64 {
	if s.class == Nonlinear {
		return s.nonlinearEnergy(e, x)
	}
	var eps tet10Strains
	for q := range eps {
		F := e.gradient(q, x)
		R := s.rotation(F)
		eps.set(q, &F, &R)
	}
	return s.energy(e, &eps)
}

// gradientAt implements elementSet.
func (s *tet10Set) gradientAt(i, q int, pos []r3.Vec) r3.Mat {
	e := &s.tets[i]
	x := e.at(pos)
	return e.gradient(q, &x)
}

// centerGradient implements elementSet: F is linear, so that it is the mean of the points.
func (s *tet10Set) centerGradient(i int, pos []r3.Vec) (F r3.Mat) {
	e := &s.tets[i]
	x := e.at(pos)
	for q := range tet10Points {
		F = F.Add(e.gradient(q, &x).Scale(1. / tet10Points))
	}
	return F
}

// tetGradient implements elementSet: a tet at a corner has the point next to it.
func (s *tet10Set) tetGradient(tet int32, pos []r3.Vec) r3.Mat {
	i := int(s.spec.Mesh.Cells.Of[tet])
	e := &s.tets[i]
	// the tets of an element are four at its corners and four of midpoints alone
	for _, v := range s.spec.Mesh.Tets[tet] {
		for q, corner := range e.verts[:tet10Points] {
			if v == corner {
				x := e.at(pos)
				return e.gradient(q, &x)
			}
		}
	}
	return s.centerGradient(i, pos)
}
