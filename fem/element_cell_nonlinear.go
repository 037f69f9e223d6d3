package fem

// Hexahedra and wedges under a nonlinear law Ψ. Their energy is that of the law at the mean
// gradient, and that of small strains for what the nodes do besides,
//
//	E = V Ψ(F) + ½ uᵀ Kₕ u,   F = Σ x_a g_aᵀ = R S,   g_a = 1/V ∫ ∂N_a/∂X,     (1)
//	Kₕ = PᵀK0 P,   P_ab = δ_ab − 1/n − X_a·g_b,   u_a = Rᵀ(x_a − x̄) − X_a,       (2)
//
// with X about the mean of the n nodes. P takes away all displacements that are linear in X, so
// that Kₕ has the energy of bending, torsion and hourglasses alone. The cross term between both
// parts is zero, since K0 is exact for constant strain: at small strains (1) is ½ uᵀK0u, and
// bends as hex12 does. At large ones a body under uniform stress has the law's stress exactly,
// each element has one J, which does not lock, and what an element bends has the stiffness of rest:
// that share of the energy falls with the square of the element's size. It cannot turn negative,
// as that of internal modes under large compression does.
// Forces, with q of element_cell.go for the frame, and the tangent, in which the frame is fixed:
//
//	f_a = V ∂Ψ/∂F g_a + R (Kₕu)_a − R (q × g_a),   K_ab = V g_b·∂²Ψ/∂F²·g_a + R Kₕ_ab Rᵀ.  (3)
//
// Source: Puso, "A highly efficient enhanced assumed strain physically stabilized hexahedral
// element", 2000, has such a split; Reese and Wriggers 2000 why modes turn unstable.

import "github.com/curlfree/curlfree/r3"

// separateMean replaces the gradients of the centre by g of (1), given the integrals of the
// gradients, and K0 by Kₕ of (2).
func (c *cell) separateMean(whole *[cellNodes]r3.Vec) {
	for a := range c.n {
		c.grad[a] = whole[a].Scale(1 / c.volume)
	}
	// P acts on nodes alone
	var P [cellNodes][cellNodes]float64
	for a := range c.n {
		for b := range c.n {
			P[a][b] = -1/float64(c.n) - c.rest[a].Dot(c.grad[b])
		}
		P[a][a]++
	}
	// KP, then Pᵀ(KP)
	var KP [cellNodes][cellNodes]r3.Mat
	for a := range c.n {
		for b := range c.n {
			for k := range c.n {
				KP[a][b] = KP[a][b].Add(blockOf(c.stiff[:], a, k).Scale(P[k][b]))
			}
		}
	}
	for a := range c.n {
		for b := range a + 1 {
			var sum r3.Mat
			for k := range c.n {
				sum = sum.Add(KP[k][b].Scale(P[k][a]))
			}
			c.stiff[triangle(a, b)] = sum
		}
	}
}

// derive implements elementSet.
func (s cellSet) derive(n *tangentPass, C *[81]float64, i, end int) {
	law, V := s.spec.Law, 0.0
	for ; i < end; i++ {
		c := &s.cells[i]
		V = c.volume
		x := c.at(n.strain)
		F := c.gradient(&x)
		R := r3.Polar(F)
		if n.order < forces {
			n.energy[i] = V*law.Energy(F, R) + c.energy(&x, &R)
			continue
		}
		// the moment of the second part about the nodes gives q, and its energy is on the way
		q, bent := c.correction(&x, &F, &R)
		n.energy[i] = V*law.Energy(F, R) + bent
		s.nonlinearForces(n, i, &x, &R, law.Stress(F, R), q)
		if n.order < tangents {
			continue
		}
		// the blocks of rest, turned, and those of the law on top of them
		K := (*[cellBlocks]r3.Mat)(n.stiff[cellBlocks*i:])
		c.turnBlocks(K, &R)
		law.Tangent(F, R, n.project, C)
		addTangent(K[:], C, V, c.grad[:c.n], c.upper)
	}
}

// nonlinearForces writes −f of (3) for the stress P of the law.
func (s cellSet) nonlinearForces(n *tangentPass, i int, x *[cellNodes]r3.Vec, R *r3.Mat, P r3.Mat, q r3.Vec) {
	c := &s.cells[i]
	var u, bent [cellNodes]r3.Vec
	c.displacements(&u, x, R)
	c.multiply(&bent, &u)
	P = P.Scale(-c.volume)
	for a := range c.n {
		v := q.Cross(c.grad[a]).Sub(bent[a])
		*n.force[cellNodes*i+a].vec() = P.MulVec(c.grad[a]).Add(R.MulVec(v))
	}
}

// addTangent adds W g_a·C·g_b of shape gradients g to the blocks of an element, in the order of
// triangle, with the transposes of those in upper (bits).
func addTangent(K []r3.Mat, C *[81]float64, W float64, grad []r3.Vec, upper uint64) {
	for b := range grad {
		T := contractRight(C, &grad[b])
		for a := b; a < len(grad); a++ {
			B, k := T.left(grad[a].Scale(W)), triangle(a, b)
			if upper>>k&1 != 0 {
				B = B.T()
			}
			K[k] = K[k].Add(B)
		}
	}
}
