package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Eight tets side by side, one a lane: number k of all of them is at 64·k bytes.
// The numbers of package fem's types eight, restEight and law, in order.
const (
	eightPos    = 0  // edges x_a − x_0, 3i + a
	eightStrain = 9  // the same where stress is
	eightR      = 18 // rotation
	eightF      = 27 // gradient
	eightW      = 36 // √V R g_a, 3a + i
	eightForce  = 45 // −V R σ g_a, 3a + i

	restGrad   = 0 // g_a, 3a + j
	restRoot   = 9
	restVolume = 10 // −V

	lawMu2     = 0 // 2μ
	lawLambda  = 1
	lawHalf    = 2
	lawOne     = 3
	lawThree   = 4
	lawNear    = 5 // squared
	lawLeast   = 6 // squared
	lawSettled = 7 // squared
	lawSteps   = 8 // an integer
)

// lanes is memory of one operand of elements.
type lanes struct {
	base reg.GPVirtual
	from int
}

func (b lanes) at(k int) Mem { return Mem{Base: b.base, Disp: 64 * (b.from + k)} }

// elements emits rotations, forces and stiffness vectors of eight tets. X, the
// iterate of the rotation, stays in memory: with its cofactors there are more
// numbers than registers.
func elements(s *isa) {
	text(s, "elements", "b, rest, law *float64) (bad int",
		"%s computes rotation, forces and stiffness vectors of eight tets. It returns the",
		"lanes, bits, whose rotation it did not find; their results mean nothing.")
	b, rest, law := argument("b"), argument("rest"), argument("law")
	of := func(from int) lanes { return lanes{b, from} }
	X, g := of(eightR), lanes{rest, restGrad}
	bad := GP64()
	XORQ(bad, bad)
	s.eachHalf(b, rest, bad, func() {
		s.gradient(of(eightPos), g, X)
		s.polar(X, law, bad)
		s.gradient(of(eightStrain), g, of(eightF))
		s.stress(X, of(eightF), law, rest)
		s.products(of, rest)
	})
	VZEROUPPER()
	Store(bad, ReturnIndex(0))
	RET()
}

// gradient writes F = Σ e_a ⊗ g_a.
func (s *isa) gradient(e, g, F lanes) {
	for i := range 3 {
		for a := range 3 {
			VMOVUPD(e.at(3*i+a), s.v(a))
		}
		for j := range 3 {
			sum := s.v(3 + j)
			VMULPD(g.at(j), s.v(0), sum)
			VFMADD231PD(g.at(3+j), s.v(1), sum)
			VFMADD231PD(g.at(6+j), s.v(2), sum)
			VMOVUPD(sum, F.at(3*i+j))
		}
	}
}

// polar replaces X by the rotation nearest to it, Newton's iteration of r3.Polar
//
//	X ← ½ (γ X + (γ X)⁻ᵀ),  γ² = ‖X⁻¹‖ / ‖X‖
//
// in all lanes until all have converged or are bad. Cofactors are in registers 0 to 8.
func (s *isa) polar(X lanes, law, bad reg.GPVirtual) {
	n2, t := s.v(13), s.v(10)
	steps := GP64()
	MOVQ(at(law, lawSteps), steps)
	s.zero(n2)
	for k := range 9 {
		VMOVUPD(X.at(k), t)
		VFMADD231PD(t, t, n2)
	}
	again := label("polar")
	Label(again)
	s.cofactors(X)
	s.findBad(law, bad)
	s.scaling(law)
	s.newtonStep(X)
	open := GP64()
	change := s.v(14)
	VBROADCASTSD(at(law, lawSettled), t)
	s.compare(less, change, t, open)
	ORQ(bad, open)
	done := label("settled")
	s.flip(open)
	JZ(LabelRef(done))
	DECQ(steps)
	JNZ(LabelRef(again))
	ORQ(open, bad)
	Label(done)
}

// cofactors leaves those of X in registers 0 to 8, and det X in 9.
func (s *isa) cofactors(X lanes) {
	det, t := s.v(9), s.v(10)
	for k := range 9 {
		i, j := k/3, k%3
		p, q := (i+1)%3, (i+2)%3
		m, n := (j+1)%3, (j+2)%3
		c := s.v(k)
		VMOVUPD(X.at(3*p+m), t)
		VMULPD(X.at(3*q+n), t, c)
		VMOVUPD(X.at(3*p+n), t)
		VFNMADD231PD(X.at(3*q+m), t, c)
	}
	VMULPD(X.at(0), s.v(0), det)
	VFMADD231PD(X.at(1), s.v(1), det)
	VFMADD231PD(X.at(2), s.v(2), det)
}

// findBad adds the lanes to bad where det X > least ‖X‖³ is false, ‖X‖² in
// register 13.
func (s *isa) findBad(law, bad reg.GPVirtual) {
	det, t, u, a, n2 := s.v(9), s.v(10), s.v(11), s.v(12), s.v(13)
	good := GP64()
	s.zero(t)
	VMAXPD(t, det, t)
	VMULPD(t, t, t)
	VMULPD(n2, n2, u)
	VMULPD(n2, u, u)
	VBROADCASTSD(at(law, lawLeast), a)
	VMULPD(a, u, u)
	s.compare(greater, t, u, good)
	s.flip(good)
	ORQ(good, bad)
}

// scaling leaves a = ½ γ in register 12 and b = ½/(γ det X) in 15, with γ = 1 where no
// lane is far from a rotation.
func (s *isa) scaling(law reg.GPVirtual) {
	det, t, u, a, n2, b := s.v(9), s.v(10), s.v(11), s.v(12), s.v(13), s.v(15)
	plain, update := label("plain"), label("update")
	far := GP64()
	VBROADCASTSD(at(law, lawThree), t)
	VSUBPD(t, n2, t)
	VMULPD(t, t, t)
	VBROADCASTSD(at(law, lawNear), u)
	s.compare(greater, t, u, far)
	VBROADCASTSD(at(law, lawHalf), a)
	TESTQ(far, far)
	JZ(LabelRef(plain))
	s.zero(t)
	for k := range 9 {
		VFMADD231PD(s.v(k), s.v(k), t)
	}
	VDIVPD(n2, t, t)
	VSQRTPD(t, t)
	VDIVPD(det, t, t)
	VSQRTPD(t, t)
	VMULPD(t, det, u)
	VDIVPD(u, a, b)
	VMULPD(t, a, a)
	JMP(LabelRef(update))
	Label(plain)
	VDIVPD(det, a, b)
	Label(update)
}

// newtonStep makes X ← a X + b cof X, and leaves ‖X‖² in register 13 and the squared
// change in 14.
func (s *isa) newtonStep(X lanes) {
	t, u, a, n2, change, b := s.v(10), s.v(11), s.v(12), s.v(13), s.v(14), s.v(15)
	s.zero(n2)
	s.zero(change)
	for k := range 9 {
		VMOVUPD(X.at(k), t)
		VMULPD(b, s.v(k), u)
		VFMADD231PD(a, t, u)
		VMOVUPD(u, X.at(k))
		VSUBPD(t, u, t)
		VFMADD231PD(t, t, change)
		VFMADD231PD(u, u, n2)
	}
}

const (
	less    = 0x11 // comparisons, false for NaN
	greater = 0x1e
)

// compare writes the lanes where x < y, or x > y, as bits.
func (s *isa) compare(how uint8, x, y reg.VecPhysical, bits reg.GPVirtual) {
	if s.wide {
		VCMPPD(U8(how), y, x, reg.K2)
		KMOVB(reg.K2, bits.As32())
		return
	}
	VCMPPD(U8(how), y, x, x)
	VMOVMSKPD(x, bits.As32())
}

// flip inverts the bits of all lanes, and leaves whether any is set.
func (s *isa) flip(bits reg.GPVirtual) {
	XORQ(U32(1<<s.lanes-1), bits)
	ANDQ(U32(1<<s.lanes-1), bits)
}

// strain leaves ε = sym(RᵀF) − I as xx, yy, zz, 2xy, 2xz, 2yz in the first six registers.
func (s *isa) strain(R, F lanes, law reg.GPVirtual) {
	t, one := s.v(6), s.v(7)
	VBROADCASTSD(at(law, lawOne), one)
	for j := range 3 {
		x := s.v(j)
		VMOVUPD(R.at(j), t)
		VMULPD(F.at(j), t, x)
		for i := 1; i < 3; i++ {
			VMOVUPD(R.at(3*i+j), t)
			VFMADD231PD(F.at(3*i+j), t, x)
		}
		VSUBPD(one, x, x)
	}
	for n, jk := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
		x := s.v(3 + n)
		for i := range 3 {
			j, k := 3*i+jk[0], 3*i+jk[1]
			VMOVUPD(R.at(j), t)
			if i == 0 {
				VMULPD(F.at(k), t, x)
			} else {
				VFMADD231PD(F.at(k), t, x)
			}
			VMOVUPD(R.at(k), t)
			VFMADD231PD(F.at(j), t, x)
		}
	}
}

// stress leaves −V σ of the strain between R and F in the same order and registers.
func (s *isa) stress(R, F lanes, law, rest reg.GPVirtual) {
	s.strain(R, F, law)
	s.hooke(law, rest)
}

// hooke replaces a strain in the first six registers by −V σ, σ = 2μ ε + λ tr ε I.
func (s *isa) hooke(law, rest reg.GPVirtual) {
	t, mu, lambda, p := s.v(6), s.v(8), s.v(9), s.v(10)
	VBROADCASTSD(at(law, lawMu2), mu)
	VBROADCASTSD(at(law, lawLambda), lambda)
	VMULPD(lanes{rest, restVolume}.at(0), mu, mu)
	VMULPD(lanes{rest, restVolume}.at(0), lambda, lambda)
	VADDPD(s.v(0), s.v(1), p)
	VADDPD(s.v(2), p, p)
	VMULPD(lambda, p, p)
	for j := range 3 {
		VFMADD213PD(p, mu, s.v(j))
	}
	VBROADCASTSD(at(law, lawHalf), t)
	VMULPD(t, mu, mu)
	for n := range 3 {
		VMULPD(mu, s.v(3+n), s.v(3+n))
	}
}

// products writes w and forces, row i of all.
func (s *isa) products(of func(int) lanes, rest reg.GPVirtual) {
	R, w, force, g := of(eightR), of(eightW), of(eightForce), lanes{rest, restGrad}
	t := s.v(12)
	for i := range 3 {
		for j := range 3 {
			VMOVUPD(R.at(3*i+j), s.v(6+j))
		}
		for j := range 3 { // row of R σ
			x := s.v(9 + j)
			VMULPD(s.v(symmetric[0][j]), s.v(6), x)
			VFMADD231PD(s.v(symmetric[1][j]), s.v(7), x)
			VFMADD231PD(s.v(symmetric[2][j]), s.v(8), x)
		}
		for j := range 3 {
			VMULPD(lanes{rest, restRoot}.at(0), s.v(6+j), s.v(6+j))
		}
		for a := range 3 {
			for k, to := range [2]lanes{w, force} {
				from := 6 + 3*k
				VMULPD(g.at(3*a), s.v(from), t)
				VFMADD231PD(g.at(3*a+1), s.v(from+1), t)
				VFMADD231PD(g.at(3*a+2), s.v(from+2), t)
				VMOVUPD(t, to.at(3*a+i))
			}
		}
	}
}

// energies emits elastic energies of eight tets, equation (2) of fem/balance.go, from edges x and
// stiffness vectors w. Products and sums are those of the scalar code, in its order, without
// multiply-adds, so that both have the same bits.
func energies(s *isa) {
	text(s, "energies", "x, w, root, law, dst *float64",
		"%s computes the elastic energies of eight tets from edges and stiffness vectors.")
	x, w, root, law, dst := argument("x"), argument("w"), argument("root"), argument("law"), argument("dst")
	for half := range 8 / s.lanes {
		// row k of an array of numbers of eight tets
		row := func(base reg.GPVirtual, k int) Mem { return Mem{Base: base, Disp: 64*k + 8*s.lanes*half} }
		t, a, sum, e := s.v(6), s.v(7), s.v(8), s.v(9)
		// products adds Σ_a x_ai w_aj of three vertices to the register
		products := func(i, j int, to reg.VecPhysical, first bool) {
			for v := range 3 {
				VMOVUPD(row(x, 3*i+v), a)
				if first && v == 0 {
					VMULPD(row(w, 3*v+j), a, to)
					continue
				}
				VMULPD(row(w, 3*v+j), a, t)
				VADDPD(t, to, to)
			}
		}
		VMOVUPD(row(root, 0), e)
		for i := range 3 {
			products(i, i, s.v(i), true)
			VSUBPD(e, s.v(i), s.v(i))
		}
		for n, ij := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
			products(ij[0], ij[1], s.v(3+n), true)
			products(ij[1], ij[0], s.v(3+n), false)
		}
		// λ/2 tr²
		tr := s.v(10)
		VADDPD(s.v(1), s.v(0), tr)
		VADDPD(s.v(2), tr, tr)
		VBROADCASTSD(at(law, lawHalf), t)
		VBROADCASTSD(at(law, lawLambda), e)
		VMULPD(t, e, e)
		VMULPD(tr, e, e)
		VMULPD(tr, e, e)
		// μ (Σ ε_ii² + ½ Σ (2 ε_ij)²)
		squares := func(from int, to reg.VecPhysical) {
			VMULPD(s.v(from), s.v(from), to)
			for k := 1; k < 3; k++ {
				VMULPD(s.v(from+k), s.v(from+k), a)
				VADDPD(a, to, to)
			}
		}
		squares(0, sum)
		squares(3, tr)
		VMULPD(t, tr, tr)
		VADDPD(tr, sum, sum)
		VBROADCASTSD(at(law, lawMu2), a)
		VMULPD(t, a, a)
		VMULPD(a, sum, sum)
		VADDPD(e, sum, sum)
		VMOVUPD(sum, row(dst, 0))
	}
	VZEROUPPER()
	RET()
}
