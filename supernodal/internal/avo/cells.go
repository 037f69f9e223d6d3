package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Eight hexahedra or wedges side by side, one a lane: number k of all of them is at 64·k
// bytes. Wedges have two more nodes, without stiffness and gradients.
// The numbers of package fem's types cellLanes and restCellLanes, in order.
const (
	cellPos     = 0   // x_a, then Rᵀ(x_a − x̄), 3a + i
	cellU       = 24  // u_a
	cellProduct = 48  // (K0 u)_a
	cellR       = 72  // rotation
	cellF       = 81  // gradient
	cellD       = 90  // tr S I − S
	cellQ       = 99  // m, then q
	cellEnergy  = 102 // ½ uᵀK0u
	cellStrain  = 103 // y_a, then Rᵀ(y_a − ȳ)
	cellForce   = 127 // forces on the nodes
	cellTurned  = 151 // R K0 Rᵀ, 9·block + 3i + j
	cellModel   = 475 // energy of the linear model at y

	restCellGrad  = 0  // g_a, 3a + j
	restCellPos   = 24 // X_a − X̄
	restCellShare = 48 // 1/number of nodes
	restCellStiff = 49 // K0, 9·block + 3i + j

	lawFlat = 9
)

const (
	nodes      = 8
	cellBlocks = nodes * (nodes + 1) / 2
)

// eachHalf emits the body for all lanes: twice for four lanes, with the addresses of b and
// rest advanced, and with the bits of both halves in bad.
func (s *isa) eachHalf(b, rest, bad reg.GPVirtual, body func()) {
	if s.wide {
		body()
		return
	}
	half := GP64()
	MOVQ(U32(2), half)
	Label("half")
	body()
	ADDQ(U8(32), b)
	ADDQ(U8(32), rest)
	if bad != nil {
		SHLQ(U8(4), bad)
	}
	DECQ(half)
	JNZ(LabelRef("half"))
	if bad != nil {
		// first half << 8 | second half << 4
		high := copyOf(bad)
		SHRQ(U8(8), high)
		ANDQ(U32(0xf0), bad)
		ORQ(high, bad)
	}
}

// cellFrames emits rotations, energies and corrections of eight elements.
func cellFrames(s *isa) {
	text(s, "cellFrames", "b, rest, law *float64) (bad int",
		"%s computes rotation, energy and correction of eight hexahedra or wedges. It returns",
		"the lanes, bits, whose rotation it did not find; their results mean nothing.")
	b, rest, law := argument("b"), argument("rest"), argument("law")
	of := func(from int) lanes { return lanes{b, from} }
	bad := GP64()
	XORQ(bad, bad)
	s.eachHalf(b, rest, bad, func() {
		s.center(of(cellPos), rest)
		s.cellGradient(of(cellPos), lanes{rest, restCellGrad}, of(cellF), of(cellR))
		s.polar(of(cellR), law, bad)
		s.displace(of(cellU), of(cellPos), of(cellR), lanes{rest, restCellPos})
		s.product(of(cellProduct), of(cellU), lanes{rest, restCellStiff})
		s.energyAndMoment(of, law)
		s.correction(of(cellR), of(cellF), of(cellD), of(cellQ), law, bad)
	})
	VZEROUPPER()
	Store(bad, ReturnIndex(0))
	RET()
}

// cellForces emits forces and turned stiffness of eight elements in the frames of cellFrames.
func cellForces(s *isa) {
	text(s, "cellForces", "b, rest *float64",
		"%s computes forces and turned stiffness of eight hexahedra or wedges from rotations",
		"and corrections.")
	b, rest := argument("b"), argument("rest")
	of := func(from int) lanes { return lanes{b, from} }
	s.eachHalf(b, rest, nil, func() {
		s.center(of(cellStrain), rest)
		s.displace(of(cellU), of(cellStrain), of(cellR), lanes{rest, restCellPos})
		s.product(of(cellProduct), of(cellU), lanes{rest, restCellStiff})
		s.turnForces(of, lanes{rest, restCellGrad})
		s.turnBlocks(of(cellTurned), of(cellR), lanes{rest, restCellStiff})
	})
	VZEROUPPER()
	RET()
}

// cellModels emits energies of the linear model in the frames of cellFrames.
func cellModels(s *isa) {
	text(s, "cellModels", "b, rest, law *float64",
		"%s computes the energies of the linear models of eight hexahedra or wedges from rotations",
		"and corrections.")
	b, rest, law := argument("b"), argument("rest"), argument("law")
	of := func(from int) lanes { return lanes{b, from} }
	s.eachHalf(b, rest, nil, func() {
		s.center(of(cellStrain), rest)
		s.displace(of(cellU), of(cellStrain), of(cellR), lanes{rest, restCellPos})
		s.product(of(cellProduct), of(cellU), lanes{rest, restCellStiff})
		s.modelEnergy(of, lanes{rest, restCellGrad}, law)
	})
	VZEROUPPER()
	RET()
}

// center subtracts the mean of the nodes.
func (s *isa) center(x lanes, rest reg.GPVirtual) {
	for i := range 3 {
		sum := s.v(i)
		VMOVUPD(x.at(i), sum)
		for a := 1; a < nodes; a++ {
			VADDPD(x.at(3*a+i), sum, sum)
		}
		VMULPD(lanes{rest, restCellShare}.at(0), sum, sum)
	}
	for a := range nodes {
		for i := range 3 {
			t := s.v(3 + i)
			VMOVUPD(x.at(3*a+i), t)
			VSUBPD(s.v(i), t, t)
			VMOVUPD(t, x.at(3*a+i))
		}
	}
}

// cellGradient writes F = Σ x_a ⊗ g_a, twice.
func (s *isa) cellGradient(x, g, F, R lanes) {
	for k := range 9 {
		s.zero(s.v(k))
	}
	for a := range nodes {
		for i := range 3 {
			VMOVUPD(x.at(3*a+i), s.v(9+i))
			for j := range 3 {
				VFMADD231PD(g.at(3*a+j), s.v(9+i), s.v(3*i+j))
			}
		}
	}
	for k := range 9 {
		VMOVUPD(s.v(k), F.at(k))
		VMOVUPD(s.v(k), R.at(k))
	}
}

// loadMatrix leaves a matrix in the first nine registers.
func (s *isa) loadMatrix(R lanes) {
	for k := range 9 {
		VMOVUPD(R.at(k), s.v(k))
	}
}

// displace replaces x by Rᵀx and writes u = Rᵀx − X.
func (s *isa) displace(u, x, R, X lanes) {
	s.loadMatrix(R)
	for a := range nodes {
		for i := range 3 {
			VMOVUPD(x.at(3*a+i), s.v(9+i))
		}
		for j := range 3 {
			t := s.v(12 + j)
			VMULPD(s.v(9), s.v(j), t)
			VFMADD231PD(s.v(10), s.v(3+j), t)
			VFMADD231PD(s.v(11), s.v(6+j), t)
			VMOVUPD(t, x.at(3*a+j))
			VSUBPD(X.at(3*a+j), t, t)
			VMOVUPD(t, u.at(3*a+j))
		}
	}
}

// product writes f = K0 u from the lower triangle of blocks of K0.
func (s *isa) product(f, u, K lanes) {
	for a := range nodes {
		// even and odd columns are summed apart, which hides the latency
		for i := range 6 {
			s.zero(s.v(i))
		}
		for b := range nodes {
			x := 6 + 3*(b%2)
			for j := range 3 {
				VMOVUPD(u.at(3*b+j), s.v(x+j))
			}
			for i := range 3 {
				sum := s.v(3*(b%2) + i)
				for j := range 3 {
					k := 9*(a*(a+1)/2+b) + 3*i + j
					if b > a {
						k = 9*(b*(b+1)/2+a) + 3*j + i
					}
					VFMADD231PD(K.at(k), s.v(x+j), sum)
				}
			}
		}
		for i := range 3 {
			VADDPD(s.v(3+i), s.v(i), s.v(i))
			VMOVUPD(s.v(i), f.at(3*a+i))
		}
	}
}

// energyAndMoment writes ½ Σ u·f and m = Σ y × f.
func (s *isa) energyAndMoment(of func(int) lanes, law reg.GPVirtual) {
	y, u, f := of(cellPos), of(cellU), of(cellProduct)
	for k := range 4 {
		s.zero(s.v(k))
	}
	energy, m := s.v(3), 0
	for a := range nodes {
		for i := range 3 {
			VMOVUPD(f.at(3*a+i), s.v(4+i))
			VFMADD231PD(u.at(3*a+i), s.v(4+i), energy)
		}
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			VFMADD231PD(y.at(3*a+j), s.v(4+k), s.v(m+i))
			VFNMADD231PD(y.at(3*a+k), s.v(4+j), s.v(m+i))
		}
	}
	VBROADCASTSD(at(law, lawHalf), s.v(4))
	VMULPD(s.v(4), energy, energy)
	VMOVUPD(energy, of(cellEnergy).at(0))
	for i := range 3 {
		VMOVUPD(s.v(m+i), of(cellQ).at(i))
	}
}

// correction replaces m in q by q = D⁻¹ m, D = tr S I − S, S = RᵀF. Flat elements are bad.
func (s *isa) correction(R, F, D, q lanes, law, bad reg.GPVirtual) {
	s.loadMatrix(R)
	// −S, column by column of F
	for j := range 3 {
		for k := range 3 {
			VMOVUPD(F.at(3*k+j), s.v(9+k))
		}
		for i := range 3 {
			t := s.v(12)
			s.zero(t)
			for k := range 3 {
				VFNMADD231PD(s.v(9+k), s.v(3*k+i), t)
			}
			VMOVUPD(t, D.at(3*i+j))
		}
	}
	// its trace, −t, on the diagonal
	trace := s.v(13)
	VMOVUPD(D.at(0), trace)
	VADDPD(D.at(4), trace, trace)
	VADDPD(D.at(8), trace, trace)
	for i := range 3 {
		VMOVUPD(D.at(4*i), s.v(12))
		VSUBPD(trace, s.v(12), s.v(12))
		VMOVUPD(s.v(12), D.at(4*i))
	}
	s.cofactors(D)
	// det > flat t³
	t, good := s.v(14), GP64()
	VBROADCASTSD(at(law, lawFlat), t)
	s.zero(s.v(10))
	VSUBPD(trace, s.v(10), trace)
	for range 3 {
		VMULPD(trace, t, t)
	}
	VMOVAPD(s.v(9), s.v(15))
	s.compare(greater, s.v(15), t, good)
	s.flip(good)
	ORQ(good, bad)
	// q_i = Σ_j cof_ji m_j/det
	for i := range 3 {
		VMOVUPD(q.at(i), s.v(10+i))
	}
	for i := range 3 {
		x := s.v(13 + i%2)
		VMULPD(s.v(10), s.v(i), x)
		VFMADD231PD(s.v(11), s.v(3+i), x)
		VFMADD231PD(s.v(12), s.v(6+i), x)
		VDIVPD(s.v(9), x, x)
		VMOVUPD(x, q.at(i))
	}
}

// turnForces writes the forces R (q × g_a − (K0 u)_a) on the nodes.
func (s *isa) turnForces(of func(int) lanes, g lanes) {
	q, f, force := 9, of(cellProduct), of(cellForce)
	s.loadMatrix(of(cellR))
	for i := range 3 {
		VMOVUPD(of(cellQ).at(i), s.v(q+i))
	}
	for a := range nodes {
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			c := s.v(12 + i)
			VMULPD(g.at(3*a+k), s.v(q+j), c)
			VFNMADD231PD(g.at(3*a+j), s.v(q+k), c)
			VSUBPD(f.at(3*a+i), c, c)
		}
		for i := range 3 {
			t := s.v(15)
			VMULPD(s.v(12), s.v(3*i), t)
			VFMADD231PD(s.v(13), s.v(3*i+1), t)
			VFMADD231PD(s.v(14), s.v(3*i+2), t)
			VMOVUPD(t, force.at(3*a+i))
		}
	}
}

// modelEnergy writes ½ Σ u·f − Σ (q × g_a)·(y_a − x_a), both of positions turned back.
func (s *isa) modelEnergy(of func(int) lanes, g lanes, law reg.GPVirtual) {
	u, f, x, y := of(cellU), of(cellProduct), of(cellPos), of(cellStrain)
	energy, work := s.v(0), s.v(1)
	s.zero(energy)
	s.zero(work)
	for i := range 3 {
		VMOVUPD(of(cellQ).at(i), s.v(2+i))
	}
	for a := range nodes {
		for i := range 3 {
			VMOVUPD(f.at(3*a+i), s.v(5+i))
			VFMADD231PD(u.at(3*a+i), s.v(5+i), energy)
		}
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			c, way := s.v(5+i), s.v(8+i)
			VMULPD(g.at(3*a+k), s.v(2+j), c)
			VFNMADD231PD(g.at(3*a+j), s.v(2+k), c)
			VMOVUPD(y.at(3*a+i), way)
			VSUBPD(x.at(3*a+i), way, way)
			VFMADD231PD(way, c, work)
		}
	}
	VBROADCASTSD(at(law, lawHalf), s.v(2))
	VFMSUB231PD(s.v(2), energy, work) // work = ½ energy − work
	VMOVUPD(work, of(cellModel).at(0))
}

// turnBlocks writes R K Rᵀ for all blocks, row by row.
func (s *isa) turnBlocks(to, R, K lanes) {
	s.loadMatrix(R)
	n := GP64()
	MOVQ(U32(cellBlocks), n)
	from, dst := copyOf(K.base), copyOf(to.base)
	K.base, to.base = from, dst
	again := label("turn")
	Label(again)
	for i := range 3 {
		for j := range 3 { // row of R K
			t := s.v(9 + j)
			VMULPD(K.at(j), s.v(3*i), t)
			VFMADD231PD(K.at(3+j), s.v(3*i+1), t)
			VFMADD231PD(K.at(6+j), s.v(3*i+2), t)
		}
		for j := range 3 {
			t := s.v(12 + j)
			VMULPD(s.v(9), s.v(3*j), t)
			VFMADD231PD(s.v(10), s.v(3*j+1), t)
			VFMADD231PD(s.v(11), s.v(3*j+2), t)
			VMOVUPD(t, to.at(3*i+j))
		}
	}
	ADDQ(U32(9*64), from)
	ADDQ(U32(9*64), dst)
	DECQ(n)
	JNZ(LabelRef(again))
}

// gather emits the assembly of A from turned blocks.
func gather(s *isa) {
	text(s, "gather", "A, stiff *float64, pairs *int32, blocks *float64, n int, law *float64",
		"%s writes n blocks k Σ K + c m I over the turned blocks K that a block's pairs name,",
		"m its mass; law is c, k.")
	A, stiff, pairs, block, n := argument("A"), argument("stiff"), argument("pairs"), argument("blocks"), argument("n")
	law := argument("law")
	mass, k := reg.Y13, reg.Y14
	VBROADCASTSD(at(law, 0), mass)
	VBROADCASTSD(at(law, 1), k)
	p, end, row := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: block, Disp: 16}, p)
	LEAQ(Mem{Base: pairs, Index: p, Scale: 8}, p)

	Label("block")
	MOVLQSX(Mem{Base: block, Disp: 24 + 16}, end)
	LEAQ(Mem{Base: pairs, Index: end, Scale: 8}, end)
	for i := range 3 {
		s.zero(s.v(i))
	}
	Label("pair")
	MOVLQSX(Mem{Base: p, Disp: 4}, row)
	LEAQ(Mem{Base: row, Index: row, Scale: 8}, row) // blocks have 72 bytes
	LEAQ(Mem{Base: stiff, Index: row, Scale: 8}, row)
	VADDPD(at(row, 0), reg.Y0, reg.Y0)
	VADDPD(at(row, 4), reg.Y1, reg.Y1)
	VADDSD(at(row, 8), reg.X2, reg.X2)
	ADDQ(U8(8), p)
	CMPQ(p, end)
	JLT(LabelRef("pair"))

	// entries 0, 4 and 8 are the diagonal: lane 0 of each register
	VMOVSD(Mem{Base: block}, reg.X3)
	VMULSD(reg.X13, reg.X3, reg.X3)
	for i := range 3 {
		VMOVAPD(reg.Y3, ymm[5+i])
		VFMADD231PD(k, ymm[i], ymm[5+i])
	}
	VMOVUPD(reg.Y5, at(A, 0))
	VMOVUPD(reg.Y6, at(A, 4))
	VMOVSD(reg.X7, at(A, 8))
	ADDQ(U8(72), A)
	ADDQ(U8(24), block)
	DECQ(n)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}
