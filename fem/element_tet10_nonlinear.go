package fem

// Ten-node tets under a law Ψ₀(F) + ½ Λ (J − 1)², J = det F. As element_tet10.go splits λ, so a
// part Λ_m = λ − min(λ, 4μ) of Λ acts on the mean of J of the four points, and the rest Λ_c at the
// points, of weight W:
//
//	E = Σ_q W [Ψ₀(F_q) + ½ Λ_c (J_q − 1)²] + ½ V Λ_m θ²,   θ = ¼ Σ_q (J_q − 1),     (1)
//	p_q = Λ_c (J_q − 1) + Λ_m θ,   f_a = −Σ_q W [∂Ψ₀/∂F + p_q cof F_q] g_qa,         (2)
//	K_ab = Σ_q W g_qa·C(F_q, Λ_c, p_q)·g_qb + Λ_m/V b_a b_bᵀ,   b_a = Σ_q W cof F_q g_qa.   (3)
//
// At small strains these are the forces and the stiffness of element_tet10.go. C has the pressure
// of the element, not of the point, so that its projection to positive semi-definite makes (3) so.
// No point has a moment: (∂Ψ₀/∂F + p cof F) Fᵀ is symmetric.

import (
	"fmt"

	"github.com/curlfree/curlfree/r3"
)

// takesVolumetric returns an error for nonlinear laws whose Λ cannot be split.
func takesVolumetric(law ConstitutiveLaw) error {
	if _, ok := law.(VolumetricLaw); law.Class() == Nonlinear && !ok {
		return fmt.Errorf("the law %T cannot distinguish the volume, of which these elements take the mean: choose elements tet4, or give the law the methods of VolumetricLaw", law)
	}
	return nil
}

// nonlinearEnergy returns (1) at the positions x of the nodes, J.
func (s *tet10Set) nonlinearEnergy(e *tet10, x *[tet10Nodes]r3.Vec) float64 {
	sum, theta, bulk := 0.0, 0.0, s.law.Bulk()-s.meanLambda
	for q := range tet10Points {
		F := e.gradient(q, x)
		sum += e.weight() * s.law.EnergyWith(F, bulk)
		theta += (F.Det() - 1) / tet10Points
	}
	return sum + 0.5*e.volume*s.meanLambda*theta*theta
}

// derive implements elementSet.
func (s *tet10Set) derive(n *tangentPass, C *[81]float64, i, end int) {
	for ; i < end; i++ {
		e := &s.tets[i]
		x := e.at(n.strain)
		n.energy[i] = s.nonlinearEnergy(e, &x)
		if n.order >= forces {
			s.deriveOne(n, C, i, &x)
		}
	}
}

// deriveOne writes (2) and, where they are asked for, the blocks (3) of element i.
func (s *tet10Set) deriveOne(n *tangentPass, C *[81]float64, i int, x *[tet10Nodes]r3.Vec) {
	e, bulk, W := &s.tets[i], s.law.Bulk()-s.meanLambda, s.tets[i].weight()
	// all points first: the pressure at each depends on them all
	var F, cof [tet10Points]r3.Mat
	var dJ [tet10Points]float64
	theta := 0.0
	for q := range F {
		F[q] = e.gradient(q, x)
		cof[q] = F[q].Cofactor()
		dJ[q] = F[q].Det() - 1
		theta += dJ[q] / tet10Points
	}
	force, K := n.force[tet10Nodes*i:tet10Nodes*(i+1)], n.stiff[tet10Blocks*i:tet10Blocks*(i+1)]
	clear(force)
	if n.order >= tangents {
		clear(K)
	}
	var b [tet10Nodes]r3.Vec
	var pressure [tet10Points]float64
	law, simple := s.law.(cofactorLaw)
	simple = simple && !n.project
	for q := range F {
		p := bulk*dJ[q] + s.meanLambda*theta
		pressure[q] = p
		P := s.law.StressWith(F[q], p).Scale(-W)
		for a := range force {
			v := force[a].vec()
			*v = v.Add(P.MulVec(e.grad[q][a]))
			b[a] = b[a].AddScaled(W, cof[q].MulVec(e.grad[q][a]))
		}
		if n.order >= tangents && !simple {
			s.law.TangentWith(F[q], bulk, p, n.project, C)
			addTangent(K, C, W, e.grad[q][:], e.upper)
		}
	}
	if n.order < tangents {
		return
	}
	if simple {
		s.cofactorTangent((*[tet10Blocks]r3.Mat)(K), e, &F, &cof, law.shear(), bulk, &pressure)
	}
	if s.meanLambda == 0 {
		return
	}
	// the mean dilatation couples all nodes
	for a := range b {
		for c := range a + 1 {
			k := triangle(a, c)
			B := r3.Outer(b[a], b[c]).Scale(s.meanLambda / e.volume)
			if e.upper>>k&1 != 0 {
				B = B.T()
			}
			K[k] = K[k].Add(B)
		}
	}
}

// cofactorTangent writes the blocks of the points for laws whose tangent is μ I + bulk cof ⊗ cof + (p − μ) ∂cof/∂F:
//
//	K_ab = μ Σ W g_a·g_b I + Σ W [bulk u_a u_bᵀ + (p − μ) S(F (g_a × g_b))],   u = cof F g, S(y)_ik = ε_ikm y_m   (4)
//
// block by block, all points of one before the next. The first sum is known from rest.
func (s *tet10Set) cofactorTangent(K *[tet10Blocks]r3.Mat, e *tet10, F, cof *[tet10Points]r3.Mat, mu, bulk float64, pressure *[tet10Points]float64) {
	// with c = W (p − μ) is c F (g_a × g_b) = M_b g_a
	var u [tet10Nodes][tet10Points]r3.Vec
	var M [tet10Points]r3.Mat
	W := e.weight()
	for a := range u {
		for q := range cof {
			u[a][q].SetMul(&cof[q], &e.grad[q][a])
		}
	}
	for b := range tet10Nodes {
		for q := range M {
			g, f, c := &e.grad[q][b], &F[q], W*(pressure[q]-mu)
			x, y, z := c*g[0], c*g[1], c*g[2]
			for i := 0; i < 9; i += 3 {
				M[q][i] = f[i+2]*y - f[i+1]*z
				M[q][i+1] = f[i]*z - f[i+2]*x
				M[q][i+2] = f[i+1]*x - f[i]*y
			}
		}
		for a := b; a < tet10Nodes; a++ {
			var O r3.Mat
			var y r3.Vec
			for q := range M {
				u, v, g, m := &u[a][q], &u[b][q], &e.grad[q][a], &M[q]
				O[0] += u[0] * v[0]
				O[1] += u[0] * v[1]
				O[2] += u[0] * v[2]
				O[3] += u[1] * v[0]
				O[4] += u[1] * v[1]
				O[5] += u[1] * v[2]
				O[6] += u[2] * v[0]
				O[7] += u[2] * v[1]
				O[8] += u[2] * v[2]
				y[0] += m[0]*g[0] + m[1]*g[1] + m[2]*g[2]
				y[1] += m[3]*g[0] + m[4]*g[1] + m[5]*g[2]
				y[2] += m[6]*g[0] + m[7]*g[1] + m[8]*g[2]
			}
			k := triangle(a, b)
			d, l := mu*e.dot[k], W*bulk
			B := r3.Mat{
				l*O[0] + d, l*O[1] + y[2], l*O[2] - y[1],
				l*O[3] - y[2], l*O[4] + d, l*O[5] + y[0],
				l*O[6] + y[1], l*O[7] - y[0], l*O[8] + d,
			}
			if e.upper>>k&1 != 0 {
				B = B.T()
			}
			K[k] = B
		}
	}
}
