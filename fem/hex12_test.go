package fem

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Bodies of hexahedra and wedges in steps: what is true of tets is true of them.

// mixedMesh returns a block of n×n×n unit cells over [0, 1]³, of which every third of the plane
// is cut into two wedges. Inner vertices stray at random by a share of a cell.
func mixedMesh(t testing.TB, n int, stray float64) *meshes.Tet {
	t.Helper()
	r := rand.New(rand.NewSource(5))
	var verts []r3.Vec
	side := n + 1
	at := func(i, j, k int) int32 { return int32(i + side*(j+side*k)) }
	for k := range side {
		for j := range side {
			for i := range side {
				p := r3.Vec{float64(i), float64(j), float64(k)}
				if i%n != 0 && j%n != 0 && k%n != 0 {
					p = strayed(r, []r3.Vec{p}, stray)[0]
				}
				verts = append(verts, p.Scale(1/float64(n)))
			}
		}
	}
	var hexes [][8]int32
	var wedges [][6]int32
	for k := range n {
		for j := range n {
			for i := range n {
				a := [4]int32{at(i, j, k), at(i+1, j, k), at(i+1, j+1, k), at(i, j+1, k)}
				b := [4]int32{at(i, j, k+1), at(i+1, j, k+1), at(i+1, j+1, k+1), at(i, j+1, k+1)}
				if (i+j)%3 == 0 {
					wedges = append(wedges, [6]int32{a[0], a[1], a[2], b[0], b[1], b[2]}, [6]int32{a[0], a[2], a[3], b[0], b[2], b[3]})
				} else {
					hexes = append(hexes, [8]int32{a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]})
				}
			}
		}
	}
	m, err := meshes.FillCells(verts, hexes, wedges)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// quadraticLaws returns the laws of constant stiffness.
func quadraticLaws(t testing.TB, youngs, nu float64) map[string]ConstitutiveLaw {
	laws := lawsOf(t, youngs, nu)
	delete(laws, "neo_hookean")
	return laws
}

// x = G X has the same stress everywhere and no force inside, to round-off, where hexahedra
// and wedges of any shape meet.
func TestHexahedraAndWedgesPassThePatchTestTogether(t *testing.T) {
	G := r3.RotExp(r3.Vec{0.4, 0.3, -0.8}).Mul(r3.Mat{1.1, 0.2, 0, -0.1, 0.9, 0.05, 0.1, 0, 1.05})
	for name, law := range quadraticLaws(t, 1, 0.45) {
		m := mustModel(t, Spec{Mesh: mixedMesh(t, 4, 0.1), Law: law, Density: 1000, Elements: Hex12})
		w := newWorld(m)
		for i, X := range m.Mesh().Verts {
			x := G.MulVec(X)
			copy(w.x[3*i:], x[:])
		}
		w.d.Place(w.x)
		want := law.Stress(G, r3.Polar(G))
		if name != "linear" {
			want = want.Mul(G.T()).Scale(1 / G.Det())
		}
		for e := range m.NumTets() {
			if d := w.d.Stress(e).Sub(want); d.Norm2() > 1e-24*want.Norm2() {
				t.Fatalf("%s: stress of tet %d is off by %v", name, e, d)
			}
		}
		w.freeMotion(1, r3.Vec{})
		inside := 0
		for i, X := range m.Mesh().Verts {
			inner := X.Min(r3.Vec{1, 1, 1}.Sub(X))
			if f := r3.Vec(w.p.P[3*i : 3*i+3]); min(inner[0], inner[1], inner[2]) > 1e-9 {
				inside++
				if f.Norm() > 1e-14 { // forces outside are 0.03
					t.Fatalf("%s: force %v inside", name, f)
				}
			}
		}
		if inside != 27 {
			t.Fatalf("%d inner vertices", inside)
		}
	}
}

// The energy of the affine motion is that of the law times the volume, and P = h f is its
// gradient in any state, net force and moment being zero.
func TestForcesOfHexahedraAreTheGradientOfTheirEnergy(t *testing.T) {
	for name, law := range quadraticLaws(t, 1e5, 0.4) {
		for seed, size := range []float64{0.003, 0.03, 1} { // the last turns elements inside out
			m := mustModel(t, Spec{Mesh: mixedMesh(t, 2, 0.1), Law: law, Density: 1000, Elements: Hex12})
			w := newWorld(m)
			w.shake(int64(seed), size, 0)
			w.freeMotion(1, r3.Vec{})
			if e := w.d.ElasticEnergy(); math.Abs(w.d.StartEnergy()/e-1) > 1e-12 {
				t.Errorf("%s: energy %g at the start of the step, %g J", name, w.d.StartEnergy(), e)
			}
			var sum, moment r3.Vec
			for i := range m.NumVerts() {
				f := r3.Vec(w.p.P[3*i : 3*i+3])
				sum, moment = sum.Add(f), moment.Add(w.d.Positions()[i].Cross(f))
			}
			if name == "linear" {
				moment = r3.Vec{} // not frame indifferent
			}
			if sum.Norm() > 1e-7*size || moment.Norm() > 1e-7*size && seed < 2 {
				t.Errorf("%s: net force %g N, moment %g N m", name, sum.Norm(), moment.Norm())
			}
			if seed == 2 {
				if w.d.Inverted() == 0 {
					t.Fatal("nothing is inside out")
				}
				continue // there the frame jumps
			}
			for i, p := range w.p.P {
				if f := -difference(w, i, 1e-7); math.Abs(p-f) > 1e-3+1e-6*math.Abs(f) {
					t.Fatalf("%s: force %g, difference %g N at %d", name, p, f, i)
				}
			}
		}
	}
}

// Free fall, turned rest and mass damping as for tets: nothing strains, z_n = z0 + n h v0 +
// ½ g h² n (n + 1), v_n = v0/(1 + hα)ⁿ.
func TestRigidMotionsOfHexahedraStrainNothing(t *testing.T) {
	g, h := r3.Vec{0.3, -0.2, -9.81}, 0.01
	for name, law := range quadraticLaws(t, 1e5, 0.4) {
		m := mustModel(t, Spec{Mesh: mixedMesh(t, 2, 0.1), Law: law, Density: 1000, StiffnessDamping: 0.01, Elements: Hex12})
		if math.Abs(m.Mass()-1000) > 1e-9 {
			t.Errorf("mass %g kg, want 1000", m.Mass())
		}
		w := newWorld(m)
		v0 := r3.Vec{1, 2, 3}
		if name != "linear" { // in any orientation
			R := r3.RotExp(r3.Vec{1, 2, -3})
			for i, X := range m.Mesh().Verts {
				x := R.MulVec(X)
				copy(w.x[3*i:], x[:])
			}
			w.d.Place(w.x)
		}
		start := append([]r3.Vec(nil), w.d.Positions()...)
		for i := range m.NumVerts() {
			copy(w.v[3*i:], v0[:])
		}
		const n = 20
		for range n {
			w.step(h, g)
		}
		want := v0.Scale(n*h).AddScaled(0.5*h*h*n*(n+1), g)
		for i, p := range w.d.Positions() {
			if e := p.Sub(start[i]).Sub(want).Norm(); e > 2e-11 {
				t.Fatalf("%s: vertex %d is off by %g m", name, i, e)
			}
		}
		// mass damping alone
		m = mustModel(t, Spec{Mesh: mixedMesh(t, 2, 0.1), Law: law, Density: 1000, MassDamping: 3, Elements: Hex12})
		w = newWorld(m)
		for i := range m.NumVerts() {
			w.v[3*i] = 2
		}
		for range 10 {
			w.step(0.01, r3.Vec{})
		}
		if want := 2 * math.Pow(1.03, -10); math.Abs(w.v[0]-want) > 1e-11 {
			t.Errorf("%s: velocity %g, want %g", name, w.v[0], want)
		}
	}
}

// With frames frozen the energy is the true one to first order in the motion from where the
// model is taken: halving the motion divides the difference by four, in the first pass of a
// step and after one more linearization.
func TestLinearModelOfHexahedraIsTrueToFirstOrder(t *testing.T) {
	m := mustModel(t, Spec{Mesh: mixedMesh(t, 2, 0.1), Law: rubber(t, 0.4), Density: 1000, Fixed: []int32{0}, Elements: Hex12})
	w := newWorld(m)
	w.shake(3, 0.03, 0)
	const h = 0.01
	w.freeMotion(h, r3.Vec{})
	f := &w.d.free
	r := rand.New(rand.NewSource(8))
	way := make([]float64, m.Dofs())
	for i := range way {
		way[i] = r.NormFloat64()
	}
	difference := func(size float64) float64 {
		v := make([]float64, len(way))
		for j, i := range m.vertex {
			for k := range 3 {
				v[3*j+k] = (f.modelPositions()[i][k] - f.pos[i][k] + size*way[3*j+k]) / h
			}
		}
		f.moveTo(v)
		return f.errors.run(nil, compareEnergies).apart
	}
	for f.pass = range 2 {
		copy(f.frames, f.pos)
		for i := range f.frames {
			f.frames[i] = f.frames[i].Add(r3.Vec{0.02 * math.Sin(float64(i)), 0.03 * math.Cos(float64(i)), 0})
		}
		coarse, fine := difference(0.01), difference(0.005)
		t.Logf("pass %d: energies differ by %.3g and %.3g J", f.pass, coarse, fine)
		if ratio := coarse / fine; ratio < 3.3 || ratio > 4.7 {
			t.Errorf("pass %d: energies differ by %.3g J, after half of the way by %.3g: want a quarter", f.pass, coarse, fine)
		}
	}
}

// Elements that do not fit are refused in a sentence that names the cure, and auto takes what
// fits.
func TestElementsFollowMeshAndLaw(t *testing.T) {
	tets, cells := boxMesh(r3.Vec{1, 1, 1}, 1, 1, 1), mixedMesh(t, 2, 0)
	laws := lawsOf(t, 1e5, 0.4)
	for _, c := range []struct {
		mesh *meshes.Tet
		law  string
		ask  Elements
		want string
	}{
		{tets, "corotational", Auto, "tet4"}, {cells, "corotational", Auto, "hex12"}, {cells, "linear", Auto, "hex12"},
		{cells, "neo_hookean", Auto, "hex12"}, {cells, "neo_hookean", Hex12, "hex12"}, {cells, "corotational", Tet4, "tet4"},
		{tets, "corotational", Hex12, "error"}, {tets, "neo_hookean", Auto, "tet4"},
	} {
		m, err := NewModel(Spec{Mesh: c.mesh, Law: laws[c.law], Density: 1, Elements: c.ask})
		got := "error"
		if err == nil {
			got = m.Elements().String()
		}
		if got != c.want {
			t.Errorf("%s with %s: %s, want %s (%v)", c.ask, c.law, got, c.want, err)
		}
	}
	// a hexahedron with a face pushed through the opposite one
	X := unitCube()
	for a := range 4 {
		X[a+4][2] = 1e-3 * (1 - 3*X[a][0])
	}
	if _, err := NewModel(Spec{Mesh: &meshes.Tet{Verts: X, Tets: [][4]int32{{0, 1, 3, 4}, {1, 2, 3, 6}}, Cells: &meshes.Cells{Hexes: [][8]int32{{0, 1, 2, 3, 4, 5, 6, 7}}, Of: []int32{0, 0}}},
		Law: laws["linear"], Density: 1, Elements: Hex12}); err == nil {
		t.Error("a hexahedron inside out was accepted")
	}
}
