package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The numbers of package fem's type adjointLanes, in order, as those of elements.go.
const (
	adjPos    = 0  // edges of x, 3i + a
	adjZ      = 9  // edges of z
	adjY      = 18 // edges of y
	adjR      = 27 // rotation
	adjF      = 36 // gradient of x
	adjG      = 45 // RᵀF(z), then tr U I − U
	adjB      = 54 // RᵀF(y)
	adjZBar   = 63 // −V R T g_a, 3a + i
	adjXBar   = 72 // R (ω × g_a), 3a + i
	adjSigma  = 81 // −V σ
	adjT      = 87 // −V T
	adjMoment = 93 // −V ax(B σ − T Gᵀ), then ω
)

// symmetric are the places of the entries of a symmetric matrix among xx, yy, zz, xy, xz, yz.
var symmetric = [3][3]int{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}

// adjointFrames emits rotations, stresses and moments on the frames of eight tets.
func adjointFrames(s *isa) {
	text(s, "adjointFrames", "b, rest, law *float64) (bad int",
		"%s computes rotation, stresses and moment on the frame of eight tets. It returns the",
		"lanes, bits, whose rotation it did not find; their results mean nothing.")
	b, rest, law := argument("b"), argument("rest"), argument("law")
	of := func(from int) lanes { return lanes{b, from} }
	g := lanes{rest, restGrad}
	bad := GP64()
	XORQ(bad, bad)
	s.eachHalf(b, rest, bad, func() {
		s.gradient(of(adjPos), g, of(adjR))
		s.gradient(of(adjPos), g, of(adjF))
		s.polar(of(adjR), law, bad)
		for _, part := range [2]struct {
			edges, M, stress int
			fromRest         bool
		}{{adjZ, adjG, adjSigma, true}, {adjY, adjB, adjT, false}} {
			s.gradient(of(part.edges), g, of(adjZBar)) // scratch
			s.turnedBack(of(part.M), of(adjR), of(adjZBar))
			s.stressOf(of(part.M), of(part.stress), part.fromRest, law, rest)
		}
		s.momentOnFrame(of)
	})
	VZEROUPPER()
	Store(bad, ReturnIndex(0))
	RET()
}

// adjointBars emits the bars of eight tets after adjointFrames: those of the positions z at which forces are taken, and
// of x, which sets the frames, both over −h.
func adjointBars(s *isa) {
	text(s, "adjointBars", "b, rest, law *float64) (bad int",
		"%s computes the bars of eight tets from stresses and moments. It returns the lanes,",
		"bits, of flat tets; their results mean nothing.")
	b, rest, law := argument("b"), argument("rest"), argument("law")
	of := func(from int) lanes { return lanes{b, from} }
	g := lanes{rest, restGrad}
	bad := GP64()
	XORQ(bad, bad)
	s.eachHalf(b, rest, bad, func() {
		s.forceBars(of, g)
		s.correction(of(adjR), of(adjF), of(adjG), of(adjMoment), law, bad)
		s.frameBars(of, g)
	})
	VZEROUPPER()
	Store(bad, ReturnIndex(0))
	RET()
}

// turnedBack writes M = RᵀF.
func (s *isa) turnedBack(M, R, F lanes) {
	s.loadMatrix(R)
	for j := range 3 {
		for k := range 3 {
			VMOVUPD(F.at(3*k+j), s.v(9+k))
		}
		for i := range 3 {
			t := s.v(12 + i)
			VMULPD(s.v(9), s.v(i), t)
			VFMADD231PD(s.v(10), s.v(3+i), t)
			VFMADD231PD(s.v(11), s.v(6+i), t)
			VMOVUPD(t, M.at(3*i+j))
		}
	}
}

// stressOf writes −V (2μ ε + λ tr ε I) of ε = sym M, less I where M is a gradient from rest.
func (s *isa) stressOf(M, stress lanes, fromRest bool, law, rest reg.GPVirtual) {
	one := s.v(7)
	VBROADCASTSD(at(law, lawOne), one)
	for j := range 3 {
		VMOVUPD(M.at(4*j), s.v(j))
		if fromRest {
			VSUBPD(one, s.v(j), s.v(j))
		}
	}
	// twice the entries off the diagonal
	for n, jk := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
		VMOVUPD(M.at(3*jk[0]+jk[1]), s.v(3+n))
		VADDPD(M.at(3*jk[1]+jk[0]), s.v(3+n), s.v(3+n))
	}
	s.hooke(law, rest)
	for n := range 6 {
		VMOVUPD(s.v(n), stress.at(n))
	}
}

// momentOnFrame writes ax(B σ − T Gᵀ): m_i = Σ_k B_lk σ_kj − B_jk σ_kl − T_lk G_jk + T_jk G_lk, j and l after i.
func (s *isa) momentOnFrame(of func(int) lanes) {
	B, G, sigma, T := of(adjB), of(adjG), of(adjSigma), of(adjT)
	for i := range 3 {
		j, l := (i+1)%3, (i+2)%3
		m := s.v(i)
		s.zero(m)
		for k := range 3 {
			for n, x := range [4]Mem{B.at(3*l + k), T.at(symmetric[j][k]), B.at(3*j + k), T.at(symmetric[l][k])} {
				VMOVUPD(x, s.v(4+n))
			}
			VFMADD231PD(sigma.at(symmetric[k][j]), s.v(4), m)
			VFMADD231PD(G.at(3*l+k), s.v(5), m)
			VFNMADD231PD(sigma.at(symmetric[k][l]), s.v(6), m)
			VFNMADD231PD(G.at(3*j+k), s.v(7), m)
		}
		VMOVUPD(m, of(adjMoment).at(i))
	}
}

// forceBars writes −V R T g_a, row i of all.
func (s *isa) forceBars(of func(int) lanes, g lanes) {
	for n := range 6 {
		VMOVUPD(of(adjT).at(n), s.v(n))
	}
	for i := range 3 {
		for k := range 3 {
			VMOVUPD(of(adjR).at(3*i+k), s.v(6+k))
		}
		for j := range 3 { // row of R T
			x := s.v(9 + j)
			VMULPD(s.v(symmetric[0][j]), s.v(6), x)
			VFMADD231PD(s.v(symmetric[1][j]), s.v(7), x)
			VFMADD231PD(s.v(symmetric[2][j]), s.v(8), x)
		}
		for a := range 3 {
			t := s.v(12)
			VMULPD(g.at(3*a), s.v(9), t)
			VFMADD231PD(g.at(3*a+1), s.v(10), t)
			VFMADD231PD(g.at(3*a+2), s.v(11), t)
			VMOVUPD(t, of(adjZBar).at(3*a+i))
		}
	}
}

// frameBars writes R (ω × g_a).
func (s *isa) frameBars(of func(int) lanes, g lanes) {
	const omega = 9
	s.loadMatrix(of(adjR))
	for i := range 3 {
		VMOVUPD(of(adjMoment).at(i), s.v(omega+i))
	}
	for a := range 3 {
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			c := s.v(12 + i)
			VMULPD(g.at(3*a+k), s.v(omega+j), c)
			VFNMADD231PD(g.at(3*a+j), s.v(omega+k), c)
		}
		for i := range 3 {
			t := s.v(15)
			VMULPD(s.v(12), s.v(3*i), t)
			VFMADD231PD(s.v(13), s.v(3*i+1), t)
			VFMADD231PD(s.v(14), s.v(3*i+2), t)
			VMOVUPD(t, of(adjXBar).at(3*a+i))
		}
	}
}
