package hydroelastic

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// unit cells: a tetrahedron and a column.
var unitTet = []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
var unitColumn = []r3.Vec{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}

func cornersOf(x []r3.Vec) cellCorners {
	c := cellCorners{t: tetrahedron, v: &[8]int32{0, 1, 2, 3, 4, 5, 6, 7}}
	if len(x) == 8 {
		c.t = column
	}
	copy(c.x[:], x)
	return c
}

// All sixteen sets of vertices above a plane: the polygon runs counter-clockwise
// seen from below, and each side lies on the face it names.
func TestSlicesOfATetrahedronInAllCases(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for above := range 16 {
		c := cornersOf(unitTet)
		for k := range 4 {
			c.s[k] = -0.1 - r.Float64()
			if above>>k&1 == 1 {
				c.s[k] = 0.1 + r.Float64()
			}
		}
		c.above = above
		var p polygon
		c.slice(&p)
		if want := []int{0, 3, 4, 3, 0}[bits.OnesCount(uint(above))]; p.n != want {
			t.Fatalf("case %04b: %d corners, want %d", above, p.n, want)
		}
		checkSlice(t, &c, &p)
	}
}

// checkSlice expects the slice of a cell by a linear function.
func checkSlice(t *testing.T, c *cellCorners, p *polygon) {
	t.Helper()
	if p.n == 0 {
		return
	}
	// The gradient of the heights; a column's are linear, too.
	grad := gradientOf(c)
	n := grad.Unit().Neg()
	var area r3.Vec
	for k := range p.n {
		x, y, z := p.x[k], p.x[(k+1)%p.n], p.x[(k+2)%p.n]
		area = area.Add(x.Cross(y))
		if h := grad.Dot(x.Sub(c.x[0])) + c.s[0]; math.Abs(h) > 1e-12 {
			t.Errorf("corner %d is %g above the plane", k, h)
		}
		if turn := y.Sub(x).Cross(z.Sub(y)).Dot(n); turn < -1e-12 {
			t.Errorf("above %b: corner %d turns by %g", c.above, k+1, turn)
		}
		f := c.faceNormal(p.face[k])
		o := c.x[c.t.faces[p.face[k]][0].from]
		if a, b := f.Dot(x.Sub(o)), f.Dot(y.Sub(o)); math.Abs(a)+math.Abs(b) > 1e-12 {
			t.Errorf("above %b: side %d is not on face %d: %g, %g", c.above, k, p.face[k], a, b)
		}
	}
	if area.Dot(n) < 0 {
		t.Errorf("above %b: the slice runs clockwise seen from below", c.above)
	}
}

func gradientOf(c *cellCorners) r3.Vec {
	a, b, d := 1, 2, 3
	if c.t == column {
		a, b, d = 1, 3, 4
	}
	e := r3.FromColumns(c.x[a].Sub(c.x[0]), c.x[b].Sub(c.x[0]), c.x[d].Sub(c.x[0])).T()
	inv, _ := e.Inv()
	return inv.MulVec(r3.Vec{c.s[a] - c.s[0], c.s[b] - c.s[0], c.s[d] - c.s[0]})
}

func TestSlicesOfAColumnByPlanes(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	seen := map[int]bool{}
	for range 20000 {
		c := cornersOf(unitColumn)
		n := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		o := r3.Vec{r.Float64(), r.Float64(), r.Float64()}
		if !c.against(&n, n.Dot(o), 0) {
			t.Fatal("a plane through the inside does not cut")
		}
		var p polygon
		c.slice(&p)
		checkSlice(t, &c, &p)
		seen[p.n] = true
	}
	for n := 3; n <= 6; n++ {
		if !seen[n] {
			t.Errorf("no slice of %d corners", n)
		}
	}
}

// A plane along a face that two cells share is cut once, whichever of them is
// above.
func TestPlaneAlongASharedFaceIsCutOnce(t *testing.T) {
	for _, n := range []r3.Vec{{0, 0, 1}, {0, 0, -1}} {
		upper, lower := cornersOf(unitTet), cornersOf([]r3.Vec{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}})
		var p polygon
		area := 0.0
		for _, c := range []*cellCorners{&upper, &lower} {
			if c.against(&n, 0, 0) {
				c.slice(&p)
				down := n.Neg()
				var at r3.Vec
				a := p.measure(&down, &at)
				area += a
			}
		}
		near(t, "area", area, 0.5, 1e-15)
	}
}

// pair is a pair of tetrahedra with linear pressures, in one frame.
type tetPair struct{ a, b tetField }

type tetField struct {
	x [4]r3.Vec
	p [4]float64
}

func randomTet(r *rand.Rand) (f tetField) {
	for {
		for k := range f.x {
			f.x[k] = r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			f.p[k] = r.NormFloat64()
		}
		switch v := volume6(f.x[:], [4]int32{0, 1, 2, 3}); {
		case v < -0.05:
			f.x[2], f.x[3] = f.x[3], f.x[2]
			return f
		case v > 0.05:
			return f
		}
	}
}

// field wraps a tetrahedron as a body.
func (f *tetField) field() (*Compliant, error) {
	b := &builder{verts: f.x[:], p: f.p[:]}
	if err := b.tet([4]int32{0, 1, 2, 3}); err != nil {
		return nil, err
	}
	c := b.build(Options{HydroelasticModulus: 1}, 1)
	c.steepest = 1e100 // it has pressure on its surface, where solids have none
	return c, nil
}

// bruteForce cuts a large square of the plane of equal pressure by all eight
// faces.
func (q *tetPair) bruteForce() (area float64, centroid r3.Vec) {
	A, _ := q.a.field()
	B, _ := q.b.field()
	m := B.pressure[0].grad.Sub(A.pressure[0].grad)
	n := m.Unit()
	x0 := m.Scale((A.pressure[0].zero - B.pressure[0].zero) / m.Norm2())
	u, v := r3.Basis(n)
	const big = 100
	p := []r3.Vec{
		x0.AddScaled(-big, u).AddScaled(-big, v), x0.AddScaled(big, u).AddScaled(-big, v),
		x0.AddScaled(big, u).AddScaled(big, v), x0.AddScaled(-big, u).AddScaled(big, v)}
	for _, t := range []*[4]r3.Vec{&q.a.x, &q.b.x} {
		for _, f := range [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}} {
			n := r3.TriangleNormal(t[f[0]], t[f[1]], t[f[2]]).Unit()
			var out []r3.Vec
			for k := range p {
				a, b := p[k], p[(k+1)%len(p)]
				ha, hb := n.Dot(a.Sub(t[f[0]])), n.Dot(b.Sub(t[f[0]]))
				if ha <= 0 {
					out = append(out, a)
				}
				if ha <= 0 != (hb <= 0) {
					out = append(out, a.Lerp(b, ha/(ha-hb)))
				}
			}
			if p = out; len(p) < 3 {
				return 0, r3.Vec{}
			}
		}
	}
	for k := 1; k+1 < len(p); k++ {
		s := r3.TriangleNormal(p[0], p[k], p[k+1]).Dot(n) / 2
		area += s
		centroid = centroid.AddScaled(s/3, p[0].Add(p[k]).Add(p[k+1]))
	}
	return area, centroid.Scale(1 / area)
}

func TestRandomTetPairsAgreeWithBruteForce(t *testing.T) {
	trials := 100_000
	if testing.Short() {
		trials = 10_000
	}
	r := rand.New(rand.NewSource(3))
	q := Query{AllFaces: true}
	var s ContactSurface
	met := 0
	for i := range trials {
		pair := tetPair{randomTet(r), randomTet(r)}
		A, err := pair.a.field()
		if err != nil {
			t.Fatal(err)
		}
		B, err := pair.b.field()
		if err != nil {
			t.Fatal(err)
		}
		q.Contact(A, B, r3.PoseIdentity(), r3.PoseIdentity(), &s)
		var area float64
		var centroid r3.Vec
		for _, f := range s.Faces { // two where the pressure changes its sign
			area += f.Area
			centroid = centroid.AddScaled(f.Area, f.Pos_W)
			checkFace(t, "tet pair", &s, &f)
		}
		want, at := pair.bruteForce()
		if math.Abs(area-want) > 1e-10*(1+want) {
			t.Fatalf("pair %d: area %.15g, brute force %.15g", i, area, want)
		}
		if want > 1e-6 {
			met++
			if e := centroid.Scale(1 / area).Sub(at).Norm(); e > 1e-8/math.Min(1, want) {
				t.Fatalf("pair %d: the centroid is off by %g", i, e)
			}
		}
	}
	if met < trials/50 {
		t.Errorf("only %d of %d pairs meet", met, trials)
	}
}

// FuzzTetPair cuts tetrahedra of any shape; faces must be sound and lie in both.
func FuzzTetPair(f *testing.F) {
	seed := func(pair tetPair) {
		var data []byte
		for _, t := range []*tetField{&pair.a, &pair.b} {
			for k := range t.x {
				for _, v := range append(t.x[k][:], t.p[k]) {
					data = binary.LittleEndian.AppendUint16(data, uint16(int16(v*1000)))
				}
			}
		}
		f.Add(data)
	}
	r := rand.New(rand.NewSource(4))
	for range 8 {
		seed(tetPair{randomTet(r), randomTet(r)})
	}
	unit := tetField{x: [4]r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, p: [4]float64{0, 0, 0, 1}}
	below := tetField{x: [4]r3.Vec{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}}, p: [4]float64{0, 0, 0, 1}}
	seed(tetPair{unit, below})
	seed(tetPair{unit, unit})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 64 {
			return
		}
		var pair tetPair
		for _, tet := range []*tetField{&pair.a, &pair.b} {
			for k := range tet.x {
				for i := range 4 {
					v := float64(int16(binary.LittleEndian.Uint16(data))) / 1000
					data = data[2:]
					if i < 3 {
						tet.x[k][i] = v
					} else {
						tet.p[k] = v
					}
				}
			}
		}
		A, err := pair.a.field()
		if err != nil {
			return
		}
		B, err := pair.b.field()
		if err != nil {
			return
		}
		q := Query{AllFaces: true}
		var s ContactSurface
		q.Contact(A, B, r3.PoseIdentity(), r3.PoseIdentity(), &s)
		for _, f := range s.Faces {
			if !(f.Area > 0) || !f.Pos_W.IsFinite() || math.IsNaN(f.Phi) || math.Abs(f.Normal_W.Norm()-1) > 1e-12 {
				t.Fatalf("unsound face %+v", f)
			}
			for _, c := range []*Compliant{A, B} {
				box := c.Bounds().Inflate(1e-9 * (1 + c.reach))
				for _, x := range s.Verts_W[f.Lo:f.Hi] {
					if box.Dist2(x) > 0 {
						t.Fatalf("corner %v is outside of a tetrahedron", x)
					}
				}
			}
		}
	})
}
