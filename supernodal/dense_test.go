package supernodal

import (
	"math"
	"math/rand/v2"
	"testing"
)

// eachKernel runs a test with every set of kernels that the machine has.
func eachKernel(t *testing.T, test func(t *testing.T)) {
	defer func(k kernel) { active = k }(active)
	for k := portable; k <= widest(); k++ {
		active = k
		t.Run(Kernel(), test)
	}
}

// denseMat is a column-major matrix inside a larger array: the memory around it must
// not change.
type denseMat struct {
	all, a  []float64
	m, n, l int
}

const guard = 1e300

func newDense(r *rand.Rand, m, n int) denseMat {
	d := denseMat{m: m, n: n, l: m + r.IntN(9)}
	if r.IntN(20) == 0 {
		d.l += 512
	}
	at := r.IntN(9)
	d.all = make([]float64, at+d.l*n+9)
	for i := range d.all {
		d.all[i] = guard
	}
	d.a = d.all[at : at+d.l*(n-1)+m] // ends with the last entry: nothing may be read beyond
	for j := range n {
		for i := range m {
			d.a[i+j*d.l] = 2*r.Float64() - 1
		}
	}
	return d
}

func (d denseMat) clone() denseMat {
	c := d
	c.all = append([]float64(nil), d.all...)
	c.a = c.all[cap(d.all)-cap(d.a):][:len(d.a)]
	return c
}

// compare reports the entries (of the lower triangle, if lower) that differ by
// more than tol, and any change outside the matrix.
func (d denseMat) compare(t *testing.T, want denseMat, lower bool, tol float64) {
	t.Helper()
	for i, x := range d.all {
		if want.all[i] == guard && x != guard {
			t.Fatalf("%d×%d, stride %d: written outside", d.m, d.n, d.l)
		}
	}
	for j := range d.n {
		for i := range d.m {
			if lower && i < j {
				continue
			}
			if x, y := d.a[i+j*d.l], want.a[i+j*d.l]; !(math.Abs(x-y) <= tol) {
				t.Fatalf("%d×%d, stride %d: entry (%d, %d) is %g, want %g", d.m, d.n, d.l, i, j, x, y)
			}
		}
	}
}

func naiveUpdate(c, a, b denseMat, mode int) {
	for j := range c.n {
		for i := range c.m {
			s := c.a[i+j*c.l]
			if mode&modeAssign != 0 {
				s = 0
			}
			for k := range a.n {
				s -= a.a[i+k*a.l] * b.a[j+k*b.l]
			}
			c.a[i+j*c.l] = s
		}
	}
}

func checkUpdate(t *testing.T, r *rand.Rand, m, n, k, mode int) {
	t.Helper()
	if mode&modeLower != 0 {
		n = min(m, n)
	}
	c, a, b := newDense(r, m, n), newDense(r, m, k), newDense(r, n, k)
	want := c.clone()
	naiveUpdate(want, a, b, mode)
	(&product{c.a, a.a, b.a, c.l, a.l, b.l, m, n, k, mode}).subtract(&Cholesky{})
	c.compare(t, want, mode&modeLower != 0, 1e-15*float64(k+1))
}

func TestUpdateIsItsNaiveTwin(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 30))
		for m := 1; m <= 64; m++ {
			for n := 1; n <= 64; n++ {
				checkUpdate(t, r, m, n, 1+r.IntN(64), (m+n)%4)
			}
			for k := 1; k <= 64; k++ {
				checkUpdate(t, r, m, m, k, modeLower|modeAssign)
			}
		}
		for mode := range 4 { // blocked
			checkUpdate(t, r, 300, 290, blockInner+7, mode)
			checkUpdate(t, r, 30, blockCols+1, 2*blockInner+1, mode)
		}
	})
}

func TestTilesGiveTheBitsOfTheWhole(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 35))
		for trial := range 40 {
			mode := trial % 4
			m, n, k := 1+r.IntN(500), 1+r.IntN(500), 1+r.IntN(2*blockInner)
			if mode&modeLower != 0 {
				n = min(m, n)
			}
			c, a, b := newDense(r, m, n), newDense(r, m, k), newDense(r, n, k)
			want := c.clone()
			(&product{want.a, a.a, b.a, c.l, a.l, b.l, m, n, k, mode}).subtract(&Cholesky{})
			x := &product{c.a, a.a, b.a, c.l, a.l, b.l, m, n, k, mode}
			for i := range x.tileCount() {
				x.tile(&Cholesky{}, i)
			}
			c.compare(t, want, mode&modeLower != 0, 0)
		}
	})
}

// positive returns a panel of f rows whose top is positive definite, its factor
// by the textbook and its diagonal.
func positive(r *rand.Rand, f, w int) (p, want denseMat, diag []float64) {
	p = newDense(r, f, w)
	p.l, p.a = f, p.all[:f*w]
	diag = make([]float64, w)
	for j := range w {
		for i := range f {
			p.a[i+j*f] = 2*r.Float64() - 1
		}
		p.a[j+j*f] = float64(w) + 1
		diag[j] = p.a[j+j*f]
	}
	want = p.clone()
	for j := range w {
		for i := j; i < f; i++ {
			s := want.a[i+j*f]
			for k := range j {
				s -= want.a[i+k*f] * want.a[j+k*f]
			}
			if i == j {
				want.a[j+j*f] = math.Sqrt(s)
			} else {
				want.a[i+j*f] = s / want.a[j+j*f]
			}
		}
	}
	return p, want, diag
}

func TestPanelIsTheTextbooks(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 31))
		check := func(f, w int) {
			t.Helper()
			p, want, diag := positive(r, f, w)
			inv := make([]float64, w+1)
			inv[w] = guard
			if j := new(Cholesky).panel(p.a, f, w, diag, inv[:w], false); j != -1 {
				t.Fatalf("%d×%d: pivot %d fails", f, w, j)
			}
			p.compare(t, want, true, 1e-15*float64(w+10))
			for j, x := range inv[:w] {
				if math.Abs(x*want.a[j+j*f]-1) > 1e-15*float64(w+10) {
					t.Fatalf("%d×%d: reciprocal %d is %g", f, w, j, x)
				}
			}
			if inv[w] != guard {
				t.Fatalf("%d×%d: written behind the reciprocals", f, w)
			}
		}
		for f := 1; f <= 64; f++ {
			for w := 1; w <= f; w++ {
				check(f, w)
			}
		}
		check(200, 3*panelBlock-1)
		check(211, 2*panelBlock+3)
	})
}

// Every pivot is tested before its column is scaled.
func TestPanelNamesTheFailingPivot(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 32))
		for w := 1; w <= 20; w++ {
			for bad := range w {
				for _, x := range []float64{-1, 0, math.NaN(), math.Inf(1)} {
					p, _, diag := positive(r, w+5, w)
					p.a[bad+bad*(w+5)] = x
					if j := new(Cholesky).panel(p.a, w+5, w, diag, make([]float64, w), false); j != bad {
						t.Fatalf("%d columns, %g in column %d: pivot %d fails", w, x, bad, j)
					}
				}
			}
		}
	})
}

func TestDotsAndAxpysAreProducts(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 33))
		for m := 1; m <= 64; m++ {
			for n := 1; n <= 64; n++ {
				a := newDense(r, m, n)
				x, y := newDense(r, n, 1), newDense(r, m, 1)
				wantX, wantY := x.clone(), y.clone()
				for j := range n {
					for i := range m {
						wantX.a[j] -= a.a[i+j*a.l] * y.a[i]
						wantY.a[i] -= a.a[i+j*a.l] * x.a[j]
					}
				}
				z := x.clone()
				dots(z.a, a.a, a.l, y.a)
				z.compare(t, wantX, false, 1e-13)
				axpys(y.a, a.a, a.l, x.a)
				y.compare(t, wantY, false, 1e-13)
			}
		}
	})
}

// Runs of a contribution block are scattered over a front in ascending order.
func TestExtendAddsRunByRun(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 34))
		for trial := range 2000 {
			var runs []run
			n, row := 0, 10
			for range 1 + r.IntN(6) {
				row += r.IntN(4)
				k := 1 + r.IntN([]int{4, 9, 30}[trial%3])
				runs = append(runs, run{int32(n), int32(row), int32(k)})
				n, row = n+k, row+k
			}
			shift := 10 - r.IntN(10)
			cols := 1 + r.IntN(len(runs))
			dst, src := newDense(r, row-shift, row-shift), newDense(r, n, n)
			src.l, src.a = n, src.all[:n*n]
			for i := range src.a {
				src.a[i] = r.Float64()
			}
			want := dst.clone()
			for a, rc := range runs[:cols] {
				for _, rr := range runs[a:] {
					for j := range int(rc.n) {
						for i := range int(rr.n) {
							want.a[int(rr.dst)-shift+i+(int(rc.dst)-shift+j)*dst.l] += src.a[int(rr.src)+i+(int(rc.src)+j)*n]
						}
					}
				}
			}
			extend(dst.all[len(dst.all)-cap(dst.a):], dst.l, src.a, n, runs, cols, shift)
			dst.compare(t, want, true, 0)
		}
	})
}

func TestKernelFollowsTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		name   string
		widest kernel
		want   kernel
		ok     bool
	}{
		{"", avx2, avx2, true},
		{"portable", avx512, portable, true},
		{"avx2", avx512, avx2, true},
		{"avx512", avx512, avx512, true},
		{"avx512", avx2, 0, false},
		{"avx2", portable, 0, false},
		{"AVX2", avx512, 0, false},
		{"fast", avx512, 0, false},
	} {
		if k, err := parseKernel(c.name, c.widest); k != c.want || (err == nil) != c.ok {
			t.Errorf("%q with %s: got %s, %v", c.name, kernelNames[c.widest], kernelNames[k], err)
		}
	}
}
