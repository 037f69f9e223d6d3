package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tile accumulates −A Bᵀ for rv vectors of rows (the last masked) and nc columns
// in registers 0…rv·nc−1: register j·rv+v is vector v of column j.
type tile struct {
	*isa
	rv, nc int
	whole  bool // no vector is masked
	corner bool // starts on the diagonal of a lower trapezoid, see halfVector
}

// halfVector reports whether half a vector suffices: in the first eight rows of a corner,
// of which the columns from the fifth on need only the last four. On Zen 4 that is half
// the work.
func (t tile) halfVector(v, j int) bool { return t.corner && v == 0 && j >= t.lanes/2 }

func (t tile) acc(v, j int) reg.VecPhysical { return t.v(j*t.rv + v) }
func (t tile) tail(v int) bool              { return v == t.rv-1 && !t.whole }

// Registers after the largest tile: a column of A, then a factor of B.
func (t tile) a(v int) reg.VecPhysical { return t.isa.v(t.rows*t.cols + v) }
func (t tile) b() reg.VecPhysical      { return t.isa.v(t.rows*t.cols + t.rows) }

// multiply runs over the k columns of A and B, k ≥ 0. ap and bp are clobbered.
func (t tile) multiply(ap, lda, bp, ldb reg.GPVirtual, k Op) {
	for i := range t.rv * t.nc {
		t.zero(t.v(i))
	}
	left := GP64()
	MOVQ(k, left)
	loop, done := label("multiply"), label("multiplied")
	TESTQ(left, left)
	JZ(LabelRef(done))
	Label(loop)
	for v := range t.rv {
		t.load(at(ap, v*t.lanes), t.a(v), t.tail(v))
	}
	last := t.rows*t.cols + t.rows
	if t.corner {
		VMOVUPD(at(ap, t.lanes/2), half(last+1))
	}
	for j := range t.nc {
		VBROADCASTSD(at(bp, j), t.b())
		t.subtractColumn(j, last)
	}
	ADDQ(lda, ap)
	ADDQ(ldb, bp)
	DECQ(left)
	JNZ(LabelRef(loop))
	Label(done)
}

// subtractColumn subtracts a column of A times the factor in register last from the sums of
// column j; the half vector of a corner is in the register after it.
func (t tile) subtractColumn(j, last int) {
	for v := range t.rv {
		if t.halfVector(v, j) {
			VFNMADD231PD(half(last+1), half(last), half(j*t.rv))
			continue
		}
		VFNMADD231PD(t.a(v), t.b(), t.acc(v, j))
	}
}

// addC adds C to the sums.
func (t tile) addC(c, ldc reg.GPVirtual) {
	p := copyOf(c)
	for j := range t.nc {
		if j > 0 {
			ADDQ(ldc, p)
		}
		for v := range t.rv {
			if t.halfVector(v, j) {
				VADDPD(at(p, t.lanes/2), half(j*t.rv), half(j*t.rv))
				continue
			}
			t.add(at(p, v*t.lanes), t.acc(v, j), t.b(), t.tail(v))
		}
	}
}

// storeC writes the sums to C. c is clobbered.
func (t tile) storeC(c, ldc reg.GPVirtual) {
	for j := range t.nc {
		if j > 0 {
			ADDQ(ldc, c)
		}
		for v := range t.rv {
			if t.halfVector(v, j) {
				VMOVUPD(half(j*t.rv), at(c, t.lanes/2))
				continue
			}
			t.store(t.acc(v, j), at(c, v*t.lanes), t.tail(v))
		}
	}
}

// eachTile emits the tiles of all sizes and a jump to the one of the given
// numbers of rows (≥ 1, clobbered) and columns (1…cols); body must not fall
// through. Masked loads cost AVX2 a fifth, AVX-512 nothing: that has no tiles
// without.
func (s *isa) eachTile(rows, cols reg.GPVirtual, body func(t tile)) {
	whole := label("whole")
	if !s.wide {
		CMPQ(rows, U8(s.rows*s.lanes))
		JEQ(LabelRef(whole))
	}
	s.eachHeight(rows, func(rv int) { s.eachWidth(tile{isa: s, rv: rv}, cols, body) })
	if !s.wide {
		Label(whole)
		s.eachWidth(tile{isa: s, rv: s.rows, whole: true}, cols, body)
	}
}

// eachCorner emits the corners of all heights, of all columns, and a jump to the one
// of the given number of rows (≥ lanes, clobbered); body must not fall through.
func (s *isa) eachCorner(rows reg.GPVirtual, body func(t tile)) {
	s.eachHeight(rows, func(rv int) { body(tile{isa: s, rv: rv, nc: s.cols, corner: true}) })
}

// eachHeight emits the code for each number of vectors in a column, with the mask of the
// last one set, and a jump to the one that rows (≥ 1, clobbered) need; emit must not fall through.
func (s *isa) eachHeight(rows reg.GPVirtual, emit func(rv int)) {
	start := make([]string, s.rows)
	for rv := range s.rows {
		start[rv] = label("rows%d", rv+1)
	}
	for rv := s.rows - 1; rv > 0; rv-- {
		CMPQ(rows, U8(rv*s.lanes))
		JGT(LabelRef(start[rv]))
	}
	for rv := 1; rv <= s.rows; rv++ {
		Label(start[rv-1])
		if rv > 1 {
			SUBQ(U8((rv-1)*s.lanes), rows)
		}
		s.setMask(rows)
		emit(rv)
	}
}

func (s *isa) eachWidth(t tile, cols reg.GPVirtual, body func(t tile)) {
	to := make([]string, s.cols)
	for nc := range to {
		to[nc] = label("tile%dx%d", t.rv, nc+1)
	}
	dispatch(cols, to)
	for nc := range to {
		Label(to[nc])
		t.nc = nc + 1
		body(t)
	}
}

func text(s *isa, name, signature string, doc ...string) {
	TEXT(name+s.name, 4, "func("+signature+")") // NOSPLIT
	Pragma("noescape")
	doc[0] = fmt.Sprintf(doc[0], name+s.name)
	Doc(doc...)
}
