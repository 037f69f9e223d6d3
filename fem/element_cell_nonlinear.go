package fem

// Hexahedra and wedges under a nonlinear law Ψ. Their energy is that of the law at the mean
// gradient, and that of small strains for what the nodes do besides,
//
//	E = V Ψ(F) + ½ φ(F) uᵀ Kₕ u,   F = Σ x_a g_aᵀ = R S,   g_a = 1/V ∫ ∂N_a/∂X,     (1)
//	Kₕ = PᵀK0 P,   P_ab = δ_ab − 1/n − X_a·g_b,   u_a = Rᵀ(x_a − x̄) − X_a,       (2)
//
// with X about the mean of the n nodes. P takes away all displacements that are linear in X, so
// that Kₕ has the energy of bending, torsion and hourglasses alone. The cross term between both
// parts is zero, since K0 is exact for constant strain: at small strains (1) is ½ uᵀK0u, and
// bends as hex12 does. At large ones a body under uniform stress has the law's stress exactly,
// each element has one J, which does not lock, and what an element bends has the stiffness of rest
// times φ: that share of the energy falls with the square of the element's size. It cannot turn
// negative, as that of internal modes under large compression does. Forces, with q of
// element_cell.go for the frame, and the tangent, in which frame and φ are fixed:
//
//	f_a = (V ∂Ψ/∂F + ½ uᵀKₕu ∂φ/∂F) g_a + φ R ((Kₕu)_a − q × g_a),
//	K_ab = V g_b·∂²Ψ/∂F²·g_a + φ R Kₕ_ab Rᵀ.                                           (3)
//
// φ is 1 at rest and falls in tension and rises in compression as the modulus of a bar of rubber
// does, (1 + 2/s³)/3 at the stretch s: with I₁ = F:F, I₂ = cof F:cof F
//
//	φ = 101 y/(100 + y),   y = (I₂/I₁ J^−⅔)⁵,                                           (4)
//
// is 0.45 at s = 2 (bar: 0.42) and 27 at ¼ (43). With φ = 1 a block that is pressed to a quarter of
// its height pushes its inner nodes out.
//
// Source: Puso, "A highly efficient enhanced assumed strain physically stabilized hexahedral
// element", 2000, has such a split; Reese and Wriggers 2000 why modes turn unstable.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

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
			n.energy[i] = s.energyAt(c, &x)
			continue
		}
		// the moment of the second part about the nodes gives q, and its energy is on the way
		q, bent := c.correction(&x, &F, &R)
		phi, P := hardening(F, bent/V)
		n.energy[i] = V*law.Energy(F, R) + phi*bent
		s.nonlinearForces(n, i, &x, &R, P.Add(law.Stress(F, R)), q, phi)
		if n.order < tangents {
			continue
		}
		// the blocks of rest, turned, and those of the law on top of them
		K := (*[cellBlocks]r3.Mat)(n.stiff[cellBlocks*i:])
		c.turnBlocks(K, &R)
		for k := range K {
			K[k] = K[k].Scale(phi)
		}
		law.Tangent(F, R, n.project, C)
		addTangent(K[:], C, V, c.grad[:c.n], c.upper)
	}
}

// nonlinearForces writes −f of (3) for the stress P of the law.
func (s cellSet) nonlinearForces(n *tangentPass, i int, x *[cellNodes]r3.Vec, R *r3.Mat, P r3.Mat, q r3.Vec, phi float64) {
	c := &s.cells[i]
	var u, bent [cellNodes]r3.Vec
	c.displacements(&u, x, R)
	c.multiply(&bent, &u)
	P = P.Scale(-c.volume)
	for a := range c.n {
		v := q.Cross(c.grad[a]).Sub(bent[a]).Scale(phi)
		*n.force[cellNodes*i+a].vec() = P.MulVec(c.grad[a]).Add(R.MulVec(v))
	}
}

// Constants of hardening.
const (
	hardeningPower = 5
	mostHardening  = 100
	flatVolume     = 0.01 // of J², below which φ does not follow J any more
)

// hardening returns φ of (4) and, times scale, ∂φ/∂F.
func hardening(F r3.Mat, scale float64) (phi float64, slope r3.Mat) {
	cof, J := F.Cofactor(), F.Det()
	one, two, square := F.Norm2(), cof.Norm2(), J*J+flatVolume
	if two == 0 {
		return 0, r3.Mat{} // a line: its slope is zero, too
	}
	y := math.Pow(two/one/math.Cbrt(square/(1+flatVolume)), hardeningPower)
	phi = (1 + mostHardening) * y / (mostHardening + y)
	// dφ = φ' p y d(ln y)/p, with ∂I₁/∂F = 2 F, ∂I₂/∂F = 2 (I₁F − F FᵀF) and ∂J/∂F = cof F
	scale *= phi * hardeningPower * mostHardening / (mostHardening + y)
	slope = F.Scale(2*one/two - 2/one).Sub(F.Mul(F.T()).Mul(F).Scale(2 / two)).Sub(cof.Scale(2. / 3 * J / square))
	return phi, slope.Scale(scale)
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
