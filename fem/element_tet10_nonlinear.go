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
		return fmt.Errorf("the law %T cannot tell the volume apart, of which these elements take the mean: choose elements tet4, or give the law the methods of VolumetricLaw", law)
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
	for q := range F {
		p := bulk*dJ[q] + s.meanLambda*theta
		P := s.law.StressWith(F[q], p).Scale(-W)
		for a := range force {
			v := force[a].vec()
			*v = v.Add(P.MulVec(e.grad[q][a]))
			b[a] = b[a].AddScaled(W, cof[q].MulVec(e.grad[q][a]))
		}
		if n.order >= tangents {
			s.law.TangentWith(F[q], bulk, p, n.project, C)
			addTangent(K, C, W, e.grad[q][:], e.upper)
		}
	}
	if n.order < tangents || s.meanLambda == 0 {
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
