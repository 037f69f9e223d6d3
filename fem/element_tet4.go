package fem

// Linear tetrahedra of four nodes, with any constitutive law. With shape gradients g_a, volume V, F = Σ x_a g_aᵀ, the
// same in all of a tet, and R fixed,
//
//	f_a = −V R σ g_a,  σ = 2μ ε + λ tr ε I,  ε = sym(RᵀF) − I,             (1)
//	K_ab = λ w_a w_bᵀ + μ w_b w_aᵀ + μ V (g_a·g_b) I,  w_a = √V R g_a,     (2)
//	M_ab = ρ V/20 (1 + δ_ab) I.                                            (3)
//
// Of (2) the outer products of one block are summed over tets before λ and μ multiply them, so that a pass writes w, a
// sixth of the blocks' memory. The last term does not depend on R and is summed once, as (3) is. Nonlinear laws and a
// search for rest have blocks K_ab.
// Source of (1), (2): Müller and Gross, "Interactive Virtual Materials", 2004 (corotated elements); Sifakis and Barbič,
// "FEM Simulation of 3D Deformable Solids", 2012. (3): Zienkiewicz and Taylor, The Finite Element Method, volume 1,
// 6.3.

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Tet4 are four-node (linear) tetrahedra, for any mesh and any law.
const Tet4 Elements = "tet4"

var _ = ElementKinds.Register(kinds.Kind[ElementKind]{
	Name: string(Tet4),
	Doc:  "Linear tetrahedra of four nodes, for any mesh and any law.",
	About: "Only where a scene asks for them, or a law from Go takes no others. Strain is constant in each, so that thin walls bend too stiffly: with one across, a beam has a fifth of its deflection, with two half, " +
		"and they lock as Poisson's ratio comes near 0.5. `curlfree check` says how far a body bends from the truth.",
	New:     func() ElementKind { return &tet4Elements{} },
	Samples: func() []ElementKind { return []ElementKind{&tet4Elements{}} },
})

// tet4Elements implements ElementKind.
type tet4Elements struct{}

func (*tet4Elements) TakesLaw(ConstitutiveLaw) error { return nil }

func (*tet4Elements) TakesMesh(*meshes.Tet) error { return nil }

func (*tet4Elements) SuitsMesh(*meshes.Tet) error { return nil }

func (*tet4Elements) Mesh(tets *meshes.Tet) *meshes.Tet { return tets }

func (*tet4Elements) NodesOfCorner() float64 { return 1 }

// Rank implements ElementKind: see shareOne.
func (*tet4Elements) Rank() int { return 21 }

func (*tet4Elements) newSet(m *Model) (elementSet, error) {
	m.packLanes()
	return tet4Set{m}, nil
}

const (
	tet4Nodes  = 4
	tet4Blocks = tet4Nodes * (tet4Nodes + 1) / 2
)

// element is a tet at rest.
type element struct {
	verts [4]int32
	// grad are ∂N_a/∂X of the vertices 1…3, 1/m; that of vertex 0 is minus their sum.
	grad [3]r3.Vec
	// volume at rest, m³.
	volume float64
}

// gradient returns the deformation gradient F = Σ_a x_a ⊗ ∇N_a at the positions x.
func (e *element) gradient(x []r3.Vec) r3.Mat {
	// written in scalars, which stay in registers: this is the innermost loop
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

// shape returns ∇N_a, 1/m.
func (e *element) shape(a int) r3.Vec {
	if a == 0 {
		return e.grad[0].Add(e.grad[1]).Add(e.grad[2]).Neg()
	}
	return e.grad[a-1]
}

// tet4Set are the tets of the mesh, which contact and pictures see of every body.
type tet4Set struct{ *Model }

func (s tet4Set) len() int                                { return len(s.elements) }
func (s tet4Set) slots() (nodes, blocks int)              { return tet4Nodes, tet4Blocks }
func (s tet4Set) nodesOf(i int) []int32                   { return s.elements[i].verts[:] }
func (s tet4Set) parentFaces() []meshes.ParentFace        { return nil }
func (s tet4Set) scratch(f *freeMotion)                   { f.w = make([]padded, tet4Nodes*len(s.elements)) }
func (s tet4Set) frames() int                             { return 1 }
func (s tet4Set) volumeAt(i int) float64                  { return s.elements[i].volume }
func (s tet4Set) gradientAt(i, _ int, x []r3.Vec) r3.Mat  { return s.elements[i].gradient(x) }
func (s tet4Set) weigh()                                  {}           // restShape has weighed tets
func (s tet4Set) kineticBound() float64                   { return 1 } // masses are row sums
func (s tet4Set) tetGradient(t int32, x []r3.Vec) r3.Mat  { return s.elements[t].gradient(x) }
func (s tet4Set) centerGradient(i int, x []r3.Vec) r3.Mat { return s.elements[i].gradient(x) }

// tetVolume implements elementSet: six times the volume, without gradients.
func (s tet4Set) tetVolume(t int32, x []r3.Vec) float64 {
	v := &s.elements[t].verts
	o, a, b, c := &x[v[0]], &x[v[1]], &x[v[2]], &x[v[3]]
	a0, a1, a2 := a[0]-o[0], a[1]-o[1], a[2]-o[2]
	b0, b1, b2 := b[0]-o[0], b[1]-o[1], b[2]-o[2]
	c0, c1, c2 := c[0]-o[0], c[1]-o[1], c[2]-o[2]
	return a0*(b1*c2-b2*c1) + a1*(b2*c0-b0*c2) + a2*(b0*c1-b1*c0)
}

func (s tet4Set) massOf(i, a, b int) float64 {
	share := s.spec.Density * s.elements[i].volume / 20
	if a == b {
		share *= 2
	}
	return share
}

func (s tet4Set) energyOf(i int, x []r3.Vec) float64 {
	e := &s.elements[i]
	F := e.gradient(x)
	return e.volume * s.spec.Law.Energy(F, s.rotation(F))
}

// contribute implements elementSet: a pair has the slots of both nodes.
func (s tet4Set) contribute(i, a, b int) (pair, float64) {
	e := &s.elements[i]
	return pair{int32(tet4Nodes*i + a), int32(tet4Nodes*i + b)}, e.volume * e.shape(a).Dot(e.shape(b))
}

// assemble implements elementSet.
func (s tet4Set) assemble(f *columnPass, k, end int32, mass, stiff float64) {
	law := [3]float64{mass, stiff * s.mu, stiff * s.lambda}
	if haveKernels {
		f.assemble(f.A, k, end, &law)
		return
	}
	for ; k < end; k++ {
		b := &s.blocks[k]
		f.gather((*[9]float64)(f.A[9*k:]), s.pairs[b.first:s.blocks[k+1].first], law[1], law[2], mass*b.mass+law[1]*b.dot)
	}
}

// gather writes one block of A as the sum over its tets.
func (f *freeMotion) gather(A *[9]float64, pairs []pair, mu, lambda, diag float64) {
	var O r3.Mat // Σ w_a w_bᵀ
	for _, p := range pairs {
		a, b := &f.w[p.row], &f.w[p.col]
		O[0] += a[0] * b[0]
		O[1] += a[0] * b[1]
		O[2] += a[0] * b[2]
		O[3] += a[1] * b[0]
		O[4] += a[1] * b[1]
		O[5] += a[1] * b[2]
		O[6] += a[2] * b[0]
		O[7] += a[2] * b[1]
		O[8] += a[2] * b[2]
	}
	both := mu + lambda
	*A = [9]float64{ // (2)
		both*O[0] + diag, lambda*O[1] + mu*O[3], lambda*O[2] + mu*O[6],
		lambda*O[3] + mu*O[1], both*O[4] + diag, lambda*O[5] + mu*O[7],
		lambda*O[6] + mu*O[2], lambda*O[7] + mu*O[5], both*O[8] + diag,
	}
}

// computedBlock implements elementSet.
func (s tet4Set) computedBlock(f *freeMotion, i, a, b int) r3.Mat {
	e, O := &s.elements[i], r3.Outer(*f.w[tet4Nodes*i+a].vec(), *f.w[tet4Nodes*i+b].vec())
	d := s.mu * e.volume * e.shape(a).Dot(e.shape(b))
	return O.Scale(s.lambda).Add(O.T().Scale(s.mu)).Add(r3.Diag(r3.Vec{d, d, d})) // (2)
}

// sumBlock implements elementSet.
func (s tet4Set) sumBlock(stiff []r3.Mat, pairs []pair) (sum r3.Mat) {
	// pairs name the tets that have both nodes, with the places of the nodes in the tet; blocks
	// above the diagonal are transposes
	for _, p := range pairs {
		t, a, b := p.row/tet4Nodes, int(p.row%tet4Nodes), int(p.col%tet4Nodes)
		if a >= b {
			sum = sum.Add(stiff[tet4Blocks*int(t)+triangle(a, b)])
		} else {
			sum = sum.Add(stiff[tet4Blocks*int(t)+triangle(b, a)].T())
		}
	}
	return sum
}

// derive implements elementSet.
func (s tet4Set) derive(n *tangentPass, C *[81]float64, i, end int) {
	// the law gets the identity for a rotation: only corotated laws read it
	law, I := s.spec.Law, r3.Identity()
	for ; i < end; i++ {
		e := &s.elements[i]
		F := e.gradient(n.strain)
		n.energy[i] = e.volume * law.Energy(F, I)
		if n.order < forces {
			continue
		}
		// forces −V P ∇N_a
		P := law.Stress(F, I)
		e.spread((*[tet4Nodes]padded)(n.force[tet4Nodes*i:]), &P, -e.volume)
		if n.order < tangents {
			continue
		}
		law.Tangent(F, I, n.project, C)
		e.contract(C, (*[tet4Blocks]r3.Mat)(n.stiff[tet4Blocks*i:]))
	}
}

// spread writes the forces scale·P g_a. That on vertex 0 is minus the sum of the others: no net force, to round-off.
func (e *element) spread(force *[tet4Nodes]padded, P *r3.Mat, scale float64) {
	first := force[0].vec()
	*first = r3.Vec{}
	for a := range e.grad {
		x := force[a+1].vec()
		*x = P.MulVec(e.grad[a]).Scale(scale)
		*first = first.Sub(*x)
	}
}

// contract writes K_ab = V g_a·C·g_b for a ≥ b, in the order of triangle. Since the gradients of the shape functions
// sum to zero, nine of the ten blocks follow from three gradients, and the block of vertex 0 with itself is minus the
// sum of the others in its row.
func (e *element) contract(C *[81]float64, K *[tet4Blocks]r3.Mat) {
	K[0] = r3.Mat{}
	var whole [3]r3.Mat // K_a0
	for b := range 3 {
		T := contractRight(C, &e.grad[b])
		for a := range 3 {
			k := T.left(e.grad[a].Scale(e.volume))
			if a >= b {
				K[triangle(a+1, b+1)] = k
			}
			whole[a] = whole[a].Sub(k)
		}
	}
	// vertex 0: rows and columns sum to zero
	for a, k := range whole {
		K[triangle(a+1, 0)] = k
		K[0] = K[0].Sub(k)
	}
}
