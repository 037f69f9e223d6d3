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

	half := GP64()
	if !s.wide {
		MOVQ(U32(2), half)
		Label("half")
	}
	s.gradient(of(eightPos), g, X)
	s.polar(X, law, bad)
	s.gradient(of(eightStrain), g, of(eightF))
	s.stress(X, of(eightF), law, rest)
	s.products(of, rest)
	if !s.wide {
		// bits of the second half are the upper ones
		ADDQ(U8(32), b)
		ADDQ(U8(32), rest)
		SHLQ(U8(4), bad)
		DECQ(half)
		JNZ(LabelRef("half"))
		// first half << 8 | second half << 4
		high := copyOf(bad)
		SHRQ(U8(8), high)
		ANDQ(U32(0xf0), bad)
		ORQ(high, bad)
	}
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

// polar replaces X by the rotation nearest to it, Newton's iteration of r3.Polar in
// all lanes until all are settled or bad.
func (s *isa) polar(X lanes, law, bad reg.GPVirtual) {
	det, t, u, a, n2, change, b := s.v(9), s.v(10), s.v(11), s.v(12), s.v(13), s.v(14), s.v(15)
	constant := func(k int, v reg.VecPhysical) { VBROADCASTSD(at(law, k), v) }
	steps := GP64()
	MOVQ(at(law, lawSteps), steps)
	s.zero(n2)
	for k := range 9 {
		VMOVUPD(X.at(k), t)
		VFMADD231PD(t, t, n2)
	}
	again := label("polar")
	Label(again)
	for k := range 9 { // cofactors
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

	// det > least ‖X‖³
	good := GP64()
	s.zero(t)
	VMAXPD(t, det, t)
	VMULPD(t, t, t)
	VMULPD(n2, n2, u)
	VMULPD(n2, u, u)
	constant(lawLeast, a)
	VMULPD(a, u, u)
	s.compare(greater, t, u, good)
	s.flip(good)
	ORQ(good, bad)

	// γ, only where a lane needs it
	plain, update := label("plain"), label("update")
	far := GP64()
	constant(lawThree, t)
	VSUBPD(t, n2, t)
	VMULPD(t, t, t)
	constant(lawNear, u)
	s.compare(greater, t, u, far)
	constant(lawHalf, a)
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
	open := GP64()
	constant(lawSettled, t)
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

// stress leaves −V σ, σ = 2μ ε + λ tr ε I of ε = sym(RᵀF) − I, as xx, yy, zz, xy, xz,
// yz in the first six registers.
func (s *isa) stress(R, F lanes, law, rest reg.GPVirtual) {
	t, one, mu, lambda, p := s.v(6), s.v(7), s.v(8), s.v(9), s.v(10)
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
	sigma := [3][3]int{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}
	R, w, force, g := of(eightR), of(eightW), of(eightForce), lanes{rest, restGrad}
	t := s.v(12)
	for i := range 3 {
		for j := range 3 {
			VMOVUPD(R.at(3*i+j), s.v(6+j))
		}
		for j := range 3 { // row of R σ
			x := s.v(9 + j)
			VMULPD(s.v(sigma[0][j]), s.v(6), x)
			VFMADD231PD(s.v(sigma[1][j]), s.v(7), x)
			VFMADD231PD(s.v(sigma[2][j]), s.v(8), x)
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

// blocks emits the assembly of A: for each of n blocks the outer products of its
// pairs, and what does not turn. Vectors of vertices have four numbers, the last 0.
func blocks(s *isa) {
	text(s, "blocks", "A, w *float64, pairs *int32, blocks *float64, n int, law *float64",
		"%s writes n blocks λ O + μ Oᵀ + (c m + μ d) I, O = Σ w_row w_colᵀ over a block's",
		"pairs, m and d its mass and dot; law is c, μ, λ.")
	A, w, pairs, block, n := argument("A"), argument("w"), argument("pairs"), argument("blocks"), argument("n")
	law := argument("law")
	mass, mu, lambda := reg.Y13, reg.Y14, reg.Y15
	VBROADCASTSD(at(law, 0), mass)
	VBROADCASTSD(at(law, 1), mu)
	VBROADCASTSD(at(law, 2), lambda)
	p, row, col := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: block, Disp: 16}, p)
	LEAQ(Mem{Base: pairs, Index: p, Scale: 8}, p)

	Label("block")
	end := GP64()
	MOVLQSX(Mem{Base: block, Disp: 24 + 16}, end)
	LEAQ(Mem{Base: pairs, Index: end, Scale: 8}, end)
	for i := range 4 {
		s.zero(s.v(i))
	}
	Label("pair")
	MOVL(Mem{Base: p}, row.As32())
	MOVL(Mem{Base: p, Disp: 4}, col.As32())
	SHLQ(U8(5), row)
	SHLQ(U8(5), col)
	VMOVUPD(Mem{Base: w, Index: col, Scale: 1}, reg.Y4)
	for i := range 3 {
		VBROADCASTSD(Mem{Base: w, Index: row, Scale: 1, Disp: 8 * i}, ymm[5+i])
		VFMADD231PD(reg.Y4, ymm[5+i], ymm[i])
	}
	ADDQ(U8(8), p)
	CMPQ(p, end)
	JLT(LabelRef("pair"))

	// columns of O
	VUNPCKLPD(reg.Y1, reg.Y0, reg.Y4)             // 00 10 02 12
	VUNPCKHPD(reg.Y1, reg.Y0, reg.Y5)             // 01 11
	VUNPCKLPD(reg.Y3, reg.Y2, reg.Y6)             // 20  – 22
	VUNPCKHPD(reg.Y3, reg.Y2, reg.Y7)             // 21
	VPERM2F128(U8(0x20), reg.Y6, reg.Y4, reg.Y8)  // 00 10 20
	VPERM2F128(U8(0x20), reg.Y7, reg.Y5, reg.Y9)  // 01 11 21
	VPERM2F128(U8(0x31), reg.Y6, reg.Y4, reg.Y10) // 02 12 22
	// λ O + μ Oᵀ + diagonal
	VBROADCASTSD(Mem{Base: block, Disp: 8}, reg.Y11)
	VMULPD(mu, reg.Y11, reg.Y11)
	VBROADCASTSD(Mem{Base: block}, reg.Y12)
	VFMADD231PD(mass, reg.Y12, reg.Y11)
	for i := range 3 {
		VMULPD(lambda, ymm[i], ymm[i])
		VFMADD231PD(mu, ymm[8+i], ymm[i])
	}
	// the diagonal entry of each row, other lanes of it unchanged
	for i := range 3 {
		VADDPD(reg.Y11, ymm[i], reg.Y12)
		VBLENDPD(U8(1<<i), reg.Y12, ymm[i], ymm[i])
	}
	VMOVUPD(reg.Y0, at(A, 0))
	VMOVUPD(reg.Y1, at(A, 3))
	VMOVUPD(reg.X2, at(A, 6))
	VEXTRACTF128(U8(1), reg.Y2, reg.X2)
	VMOVSD(reg.X2, at(A, 8))
	ADDQ(U8(72), A)
	ADDQ(U8(24), block)
	DECQ(n)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// sums emits the forces on vertices.
func sums(s *isa) {
	text(s, "sums", "dst, force *float64, pairs *int32, blocks *float64, columns *int32, n int",
		"%s adds, for each of n columns, the forces of the tets around its vertex: those of",
		"the rows of its first block's pairs.")
	dst, force, pairs, blocks, columns, n := argument("dst"), argument("force"), argument("pairs"), argument("blocks"), argument("columns"), argument("n")
	p, end, row, k := GP64(), GP64(), GP64(), GP64()
	Label("column")
	MOVLQSX(Mem{Base: columns}, k)
	LEAQ(Mem{Base: k, Index: k, Scale: 2}, k) // blocks have 24 bytes
	MOVLQSX(Mem{Base: blocks, Index: k, Scale: 8, Disp: 16}, p)
	MOVLQSX(Mem{Base: blocks, Index: k, Scale: 8, Disp: 24 + 16}, end)
	LEAQ(Mem{Base: pairs, Index: p, Scale: 8}, p)
	LEAQ(Mem{Base: pairs, Index: end, Scale: 8}, end)
	s.zero(s.v(0))
	Label("tet")
	MOVL(Mem{Base: p}, row.As32())
	SHLQ(U8(5), row)
	VADDPD(Mem{Base: force, Index: row, Scale: 1}, reg.Y0, reg.Y0)
	ADDQ(U8(8), p)
	CMPQ(p, end)
	JLT(LabelRef("tet"))
	VMOVUPD(reg.Y0, Mem{Base: dst})
	ADDQ(U8(32), dst)
	ADDQ(U8(4), columns)
	DECQ(n)
	JNZ(LabelRef("column"))
	VZEROUPPER()
	RET()
}
