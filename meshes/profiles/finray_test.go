package profiles

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/exact"
	"github.com/curlfree/curlfree/meshes/internal/samples"
)

// elastic assembles the stiffness of small-strain finite elements with dim
// displacements a node and solves it with the fixed nodes at rest. The nodes are
// numbered along x, which keeps the band narrow.
type elastic struct {
	dim    int
	number []int // node → place along x
	band   int
	k      *mat.SymBandDense
}

func newElastic(dim int, x []float64, elements [][]int32) *elastic {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	e := &elastic{dim: dim, number: make([]int, len(x))}
	for i, v := range order {
		e.number[v] = i
	}
	for _, el := range elements {
		for _, a := range el {
			for _, b := range el {
				e.band = max(e.band, e.number[a]-e.number[b])
			}
		}
	}
	e.band = dim*(e.band+1) - 1
	e.k = mat.NewSymBandDense(dim*len(x), e.band, nil)
	return e
}

func (e *elastic) add(a, i, b, j int32, v float64) {
	r, c := e.dim*e.number[a]+int(i), e.dim*e.number[b]+int(j)
	if r <= c {
		e.k.SetSymBand(r, c, e.k.At(r, c)+v)
	}
}

func (e *elastic) solve(load []float64, held func(node int) bool) []float64 {
	n := len(e.number) * e.dim
	rhs := mat.NewVecDense(n, nil)
	for v, p := range e.number {
		for i := range e.dim {
			if held(v) { // a huge spring
				e.k.SetSymBand(e.dim*p+i, e.dim*p+i, e.k.At(e.dim*p+i, e.dim*p+i)*1e12)
			} else {
				rhs.SetVec(e.dim*p+i, load[e.dim*v+i])
			}
		}
	}
	var chol mat.BandCholesky
	if !chol.Factorize(e.k) {
		panic("stiffness is not positive definite")
	}
	var u mat.VecDense
	if err := chol.SolveVecTo(&u, rhs); err != nil {
		panic(err)
	}
	out := make([]float64, n)
	for v, p := range e.number {
		for i := range e.dim {
			out[e.dim*v+i] = u.AtVec(e.dim*p + i)
		}
	}
	return out
}

const (
	finE  = 2.5e6 // Pa, the soft rubber of the usual finger
	finNu = 0.3
)

// pressed is the answer of a finger, fixed at its base block, to 1 N along +y,
// spread over 10 mm in the middle of the contact face: displacements along y, m,
// of the tip's contact edge and of the middle of the load.
type pressed struct{ tip, load float64 }

// pressPlane solves plane stress with quadratic triangles (six nodes), which
// do not lock in bending.
func pressPlane(f FinRay, m *planar) pressed {
	// Nodes: corners, then edge middles.
	h := m.halve()
	pts := h.pts
	els := make([][]int32, len(m.tris))
	for i, t := range m.tris {
		// halve makes (t0,c,b),(t1,a,c),(t2,b,a),(a,b,c); a is opposite t0.
		q := h.tris[4*i+3]
		els[i] = []int32{t[0], t[1], t[2], q[2], q[0], q[1]} // edges 01, 12, 20
	}
	x := make([]float64, len(pts))
	for i, p := range pts {
		x[i] = p[0]
	}
	e := newElastic(2, x, els)
	c := finE * f.Width / (1 - finNu*finNu)
	for _, el := range els {
		var g [3]vec2 // gradients of the barycentric coordinates
		p := [3]vec2{pts[el[0]], pts[el[1]], pts[el[2]]}
		area := exact.Orient(p[0], p[1], p[2]) / 2
		for i := range 3 {
			d := sub2(p[(i+2)%3], p[(i+1)%3])
			g[i] = vec2{-d[1] / (2 * area), d[0] / (2 * area)}
		}
		for q := range 3 { // three Gauss points, exact for quadratics
			l := [3]float64{1. / 6, 1. / 6, 1. / 6}
			l[q] = 2. / 3
			var dn [6]vec2
			for i := range 3 {
				j := (i + 1) % 3
				for k := range 2 {
					dn[i][k] = (4*l[i] - 1) * g[i][k]
					dn[3+i][k] = 4 * (l[i]*g[j][k] + l[j]*g[i][k])
				}
			}
			w := c * area / 3
			for a := range 6 {
				for b := range 6 {
					A, B := dn[a], dn[b]
					s := (1 - finNu) / 2
					e.add(el[a], 0, el[b], 0, w*(A[0]*B[0]+s*A[1]*B[1]))
					e.add(el[a], 0, el[b], 1, w*(finNu*A[0]*B[1]+s*A[1]*B[0]))
					e.add(el[a], 1, el[b], 0, w*(finNu*A[1]*B[0]+s*A[0]*B[1]))
					e.add(el[a], 1, el[b], 1, w*(A[1]*B[1]+s*A[0]*B[0]))
				}
			}
		}
	}
	load := make([]float64, 2*len(pts))
	total := 0.0
	for _, el := range els {
		for i := range 3 {
			a, b, m := el[i], el[(i+1)%3], el[3+i]
			if pts[a][1] != 0 || pts[b][1] != 0 || math.Abs(pts[m][0]-f.Length/2) > 0.005 {
				continue
			}
			l := dist2(pts[a], pts[b])
			load[2*a+1] += l / 6
			load[2*b+1] += l / 6
			load[2*m+1] += 4 * l / 6
			total += l
		}
	}
	for i := range load {
		load[i] /= total
	}
	u := e.solve(load, func(v int) bool { return pts[v][0] <= f.BaseBlock*(1+1e-9) })
	return readPressed(f, len(pts), func(v int) (vec2, float64) { return pts[v], u[2*v+1] })
}

func readPressed(f FinRay, n int, at func(int) (vec2, float64)) pressed {
	var r pressed
	near := math.Inf(1)
	for v := range n {
		p, uy := at(v)
		if p[1] != 0 {
			continue
		}
		if p[0] == f.Length {
			r.tip = uy
		}
		if d := math.Abs(p[0] - f.Length/2); d < near {
			near, r.load = d, uy
		}
	}
	return r
}

// pressTets solves the same with the linear tetrahedra of a mesh.
func pressTets(f FinRay, m *meshes.Tet) pressed {
	els := make([][]int32, len(m.Tets))
	x := make([]float64, len(m.Verts))
	for i := range m.Tets {
		els[i] = m.Tets[i][:]
	}
	for i, p := range m.Verts {
		x[i] = p[0]
	}
	e := newElastic(3, x, els)
	mu, la := finE/(2*(1+finNu)), finE*finNu/((1+finNu)*(1-2*finNu))
	for t, el := range m.Tets {
		vol := m.Volume(t)
		var g [4][3]float64
		for i, fc := range meshes.TetFaces {
			a, b, c := m.Verts[el[fc[0]]], m.Verts[el[fc[1]]], m.Verts[el[fc[2]]]
			g[i] = b.Sub(a).Cross(c.Sub(a)).Scale(-1 / (6 * vol))
		}
		for a := range 4 {
			for b := range 4 {
				dot := g[a][0]*g[b][0] + g[a][1]*g[b][1] + g[a][2]*g[b][2]
				for i := range 3 {
					for j := range 3 {
						k := la*g[a][i]*g[b][j] + mu*g[a][j]*g[b][i]
						if i == j {
							k += mu * dot
						}
						e.add(el[a], int32(i), el[b], int32(j), vol*k)
					}
				}
			}
		}
	}
	load := make([]float64, 3*len(m.Verts))
	total := 0.0
	tris, _ := m.Boundary()
	for _, t := range tris {
		a, b, c := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
		if a[1] != 0 || b[1] != 0 || c[1] != 0 || math.Abs((a[0]+b[0]+c[0])/3-f.Length/2) > 0.005 {
			continue
		}
		area := b.Sub(a).Cross(c.Sub(a)).Norm() / 2
		total += area
		for _, v := range t {
			load[3*v+1] += area / 3
		}
	}
	for i := range load {
		load[i] /= total
	}
	u := e.solve(load, func(v int) bool { return m.Verts[v][0] <= f.BaseBlock*(1+1e-9) })
	return readPressed(f, len(m.Verts), func(v int) (vec2, float64) {
		if m.Verts[v][2] != 0 {
			return vec2{0, 1}, 0 // only the middle plane is read
		}
		return vec2{m.Verts[v][0], m.Verts[v][1]}, u[3*v+1]
	})
}

func TestFinRayTetsFillTheSurface(t *testing.T) {
	wide := DefaultFinRay()
	wide.TipDepth, wide.Ribs, wide.RibAngle, wide.Neck = 0.008, 9, -0.3, wide.Rib
	bare := DefaultFinRay()
	bare.Ribs = 0
	for _, f := range []FinRay{DefaultFinRay(), wide, bare} {
		s, err := f.Surface()
		if err != nil {
			t.Fatal(err)
		}
		samples.CheckClosed(t, s)
		for _, opt := range []FinRayOptions{{}, {Layers: 3, Across: 1}, {Refine: 1}} {
			m, err := f.Tets(opt)
			if err != nil {
				t.Fatal(err)
			}
			samples.CheckTets(t, m)
			if v, want := samples.VolumeOf(m), s.Volume(); math.Abs(v-want) > 1e-9*want {
				t.Errorf("tets fill %g, surface encloses %g", v, want)
			}
		}
	}
}

// The size of mesh the published scene uses: 1,009 vertices, 2,668 tets.
func TestFinRayDefaultMeshSize(t *testing.T) {
	f := DefaultFinRay()
	m, err := f.Tets(FinRayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if nv, nt := len(m.Verts), len(m.Tets); nv < 980 || nv > 1040 || nt < 2560 || nt > 2780 {
		t.Errorf("%d vertices, %d tets", nv, nt)
	}
	base := f.BaseVertices(m)
	for _, v := range base {
		if m.Verts[v][0] > f.BaseBlock+1e-12 {
			t.Errorf("vertex %d at %v is not in the base block", v, m.Verts[v])
		}
	}
	t.Logf("%d vertices, %d tets, %d in the base block, %.2f cm³", len(m.Verts), len(m.Tets), len(base), 1e6*samples.VolumeOf(m))
}

// The Fin Ray effect: a load on the contact face along +y moves the tip along
// −y, in the converged answer as well as with the coarse default tets, and the
// finger carries newtons without collapsing.
func TestFinRayTipMovesTowardsTheLoad(t *testing.T) {
	f := DefaultFinRay()
	show := func(name string, r pressed) {
		t.Helper()
		t.Logf("%s: load %.2f mm, tip %.2f mm per newton", name, 1e3*r.load, 1e3*r.tip)
		if !(r.tip < -0.2*r.load) || !(r.load > 0 && r.load < 0.010) {
			t.Errorf("%s: tip %.3g m, load %.3g m per newton", name, r.tip, r.load)
		}
	}
	m, err := f.planar(0.004, 1)
	if err != nil {
		t.Fatal(err)
	}
	var tips []float64
	for i, name := range []string{"quadratic triangles", "halved", "halved twice"} {
		if i > 0 {
			m = m.halve()
		}
		r := pressPlane(f, m)
		show(name, r)
		tips = append(tips, r.tip)
	}
	// The sharp corners at the hinges make it first order: each halving halves
	// the change.
	if q := (tips[2] - tips[1]) / (tips[1] - tips[0]); !(q > 0 && q < 0.6) {
		t.Errorf("tip displacements %g do not converge", tips)
	}
	for _, opt := range []FinRayOptions{{}, {Refine: 1, Layers: 1}} {
		tets, err := f.Tets(opt)
		if err != nil {
			t.Fatal(err)
		}
		show("linear tets", pressTets(f, tets))
	}
}

func TestBadFinRaysAreRefusedWithAReason(t *testing.T) {
	for _, c := range []struct {
		want string
		edit func(*FinRay)
	}{
		{"Wall", func(f *FinRay) { f.Wall = -1 }},
		{"Length", func(f *FinRay) { f.Length = math.NaN() }},
		{"no room", func(f *FinRay) { f.Ribs = 40 }},
		{"two walls", func(f *FinRay) { f.TipDepth = 0.003 }},
		{"leave no room", func(f *FinRay) { f.TipBlock = 0.095 }},
		{"RibAngle", func(f *FinRay) { f.RibAngle = 1.5 }},
		{"Neck", func(f *FinRay) { f.Neck = 0.004 }},
		{"BaseDepth", func(f *FinRay) { f.BaseDepth = 0.004 }},
	} {
		f := DefaultFinRay()
		c.edit(&f)
		if _, err := f.Tets(FinRayOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one that says %q", err, c.want)
		}
	}
	if _, err := DefaultFinRay().Tets(FinRayOptions{Size: 1e-7}); err == nil {
		t.Error("an absurd size was accepted")
	}
}
