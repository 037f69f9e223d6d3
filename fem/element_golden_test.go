package fem

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/supernodal"
)

// Reference numbers of hexahedra and wedges; see testdata/README.md.
type elementVectors struct {
	HexUnitCube struct {
		Tolerance float64
		Nu3       []float64 `json:"nu_0_3"`
		Nu5       []float64 `json:"nu_0_499999"`
	} `json:"hex_unit_cube"`
	HexDistorted struct {
		Nu          float64
		X           []r3.Vec
		Trace       float64   `json:"trace_K0"`
		FirstRow    []float64 `json:"K0_first_row"`
		Eigenvalues []float64
		MassSums    []float64 `json:"mass_rho_1_row_sums"`
		MassRow     []float64 `json:"mass_rho_1_first_row"`
		Pos         []r3.Vec  `json:"x"`
		R           [3]r3.Vec
		Energy      float64
		Force       []r3.Vec `json:"internal_force"`
		Moment      r3.Vec   `json:"moment_before_correction_body_axes"`
	} `json:"hex_distorted"`
	WedgeUnit struct {
		Tolerance float64
		Nu3       []float64 `json:"nu_0_3"`
		Nu5       []float64 `json:"nu_0_499999"`
		MassRow   []float64 `json:"mass_rho_1_first_row"`
	} `json:"wedge_unit"`
	Tet10Unit struct {
		Low    []float64 `json:"nu_0_3"`
		High   []float64 `json:"nu_0_49"`
		Corner []float64 `json:"mass_over_rhoV_times_420_row_0"`
		Middle []float64 `json:"mass_over_rhoV_times_420_row_4"`
	} `json:"tet10_unit"`
	Tet10Turned struct {
		Corners []r3.Vec  `json:"X_corners"`
		X       []r3.Vec  `json:"x"`
		Energy  float64   `json:"energy"`
		Force   []r3.Vec  `json:"internal_force"`
		Trace   float64   `json:"trace_frozen_stiffness"`
		Row     []float64 `json:"frozen_stiffness_first_row"`
	} `json:"tet10_corotated"`
	HexPatch struct {
		X     []r3.Vec
		Hexes [][8]int32
	} `json:"hex_patch"`
	Cantilever struct {
		Values map[string]float64
	}
	Finray struct {
		Points [][2]float64
		Quads  [][4]int32
		Band   [][2]float64 `json:"load_1N_band"`
		End    [][2]float64 `json:"load_1N_end"`
		Values map[string]struct {
			Tip     float64 `json:"tip_uy_mm"`
			Band    float64 `json:"band_mean_uy_mm"`
			End     float64 `json:"end_load_0_2N_tip_uy_mm"`
			Gravity float64 `json:"gravity_y_tip_uy_mm"`
			R       float64 `json:"R_N_per_mm"`
		}
		Corotational map[string]struct {
			Tip    r3.Vec  `json:"tip_mm"`
			Band   float64 `json:"band_mean_uy_mm"`
			Energy float64 `json:"energy_mJ"`
		} `json:"corotational_1N"`
	} `json:"finray_hex"`
}

// loadElements reads the reference numbers.
func loadElements(t testing.TB) *elementVectors {
	t.Helper()
	data, err := os.ReadFile("testdata/elements.json")
	if err != nil {
		t.Fatal(err)
	}
	var g elementVectors
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	return &g
}

// sameNumbers compares lists relative to the largest number.
func sameNumbers(t testing.TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	most := 0.0
	for _, x := range want {
		most = max(most, math.Abs(x))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol*most) {
			t.Errorf("%s %d: %.15g, want %.15g", what, i, got[i], want[i])
		}
	}
}

func TestEigenvaluesOfUnitElements(t *testing.T) {
	g := loadElements(t)
	for nu, want := range map[float64][]float64{0.3: g.HexUnitCube.Nu3, 0.499999: g.HexUnitCube.Nu5} {
		c := oneCell(t, unitCube(), nu)
		w := eigenvalues(t, cellMatrix(c, c.stiff[:]))[6:]
		sameNumbers(t, fmt.Sprint("cube: eigenvalue, ratio ", nu), w[:17], want[:17], g.HexUnitCube.Tolerance)
		sameNumbers(t, fmt.Sprint("cube: last eigenvalue, ratio ", nu), w[17:], want[17:], g.HexUnitCube.Tolerance)
	}
	for nu, want := range map[float64][]float64{0.3: g.WedgeUnit.Nu3, 0.499999: g.WedgeUnit.Nu5} {
		c := oneCell(t, unitWedge, nu)
		w := eigenvalues(t, cellMatrix(c, c.stiff[:]))[6:]
		sameNumbers(t, fmt.Sprint("wedge: eigenvalue, ratio ", nu), w[:11], want[:11], g.WedgeUnit.Tolerance)
		sameNumbers(t, fmt.Sprint("wedge: last eigenvalue, ratio ", nu), w[11:], want[11:], g.WedgeUnit.Tolerance)
		var row []float64
		for b := range 6 {
			row = append(row, c.mass[symmetric(0, b)])
		}
		sameNumbers(t, "mass", row, g.WedgeUnit.MassRow, 1e-12)
	}
}

func TestDistortedHexahedron(t *testing.T) {
	const exact = 1e-10
	g := loadElements(t).HexDistorted
	c := oneCell(t, g.X, g.Nu)
	K := cellMatrix(c, c.stiff[:])
	sameNumbers(t, "trace", []float64{mat.Trace(K)}, []float64{g.Trace}, exact)
	row := make([]float64, 24)
	for j := range row {
		row[j] = K.At(0, j)
	}
	sameNumbers(t, "first row", row, g.FirstRow, exact)
	sameNumbers(t, "eigenvalue", eigenvalues(t, K)[6:], g.Eigenvalues, exact)
	// masses
	var first, sums []float64
	for a := range 8 {
		first = append(first, c.mass[symmetric(0, a)])
		s := 0.0
		for b := range 8 {
			s += c.mass[symmetric(a, b)]
		}
		sums = append(sums, s)
	}
	sameNumbers(t, "mass", first, g.MassRow, exact)
	sameNumbers(t, "nodal mass", sums, g.MassSums, exact)
	// frame, energy and forces of a deformed state
	var x [cellNodes]r3.Vec
	copy(x[:], g.Pos)
	R := r3.Polar(c.gradient(&x))
	for i := range 3 {
		row := R.Row(i)
		sameNumbers(t, "frame", row[:], g.R[i][:], exact)
	}
	f, energy := internalForce(c, &x)
	sameNumbers(t, "energy", []float64{energy}, []float64{g.Energy}, exact)
	var got, want []float64
	for a := range 8 {
		got, want = append(got, f[a][:]...), append(want, g.Force[a][:]...)
	}
	sameNumbers(t, "force", got, want, exact)
	// the moment that the forces would have without the correction
	var u, Ku [cellNodes]r3.Vec
	c.displacements(&u, &x, &R)
	c.multiply(&Ku, &u)
	var m r3.Vec
	for a := range 8 {
		m = m.Add(u[a].Add(c.rest[a]).Cross(Ku[a]))
	}
	sameNumbers(t, "moment", m[:], g.Moment[:], exact)
}

// MacNeal and Harder's patch: seven distorted hexahedra in a unit cube. The linear field that
// the outer nodes have is that of the inner ones, and the stress is 2000 and 400 Pa.
func TestMacNealHarderPatch(t *testing.T) {
	g := loadElements(t).HexPatch
	mesh, err := meshes.FillCells(g.X, g.Hexes, nil)
	if err != nil {
		t.Fatal(err)
	}
	law, _ := NewLinear(1e6, 0.25)
	m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1e-9, Elements: Hex12, Fixed: []int32{0, 1, 2, 3, 4, 5, 6, 7}})
	G := r3.Mat{1, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1}.Scale(1e-3)
	w := newWorld(m)
	for v := range 8 {
		x := g.X[v].Add(G.MulVec(g.X[v]))
		copy(w.x[3*v:], x[:])
	}
	equilibrium(t, w, nil, 1)
	w.d.Place(w.x)
	for v := 8; v < 16; v++ {
		want := g.X[v].Add(G.MulVec(g.X[v]))
		if e := w.d.Positions()[v].Sub(want).Norm(); e > 1e-12 {
			t.Errorf("vertex %d strays by %g m", v, e)
		}
	}
	for i := range mesh.Tets {
		s := w.d.Stress(i)
		sameNumbers(t, "stress", s[:], []float64{2000, 400, 400, 400, 2000, 400, 400, 400, 2000}, 1e-11)
	}
}

// equilibrium moves a body to rest under nodal forces (3·NumVerts, N; nil: none) by n
// iterations of Newton's method with frozen frames; A of a very long step is h²K. It returns
// the length of the last motion, m.
func equilibrium(t testing.TB, w *world, force []float64, n int) (last float64) {
	t.Helper()
	m := w.d.model
	const h = 1e3
	for range n {
		clear(w.v)
		w.freeMotion(h, r3.Vec{})
		u := factorAndSolve(t, m, w.p.Cliques[0].A, func(rhs []float64) {
			copy(rhs, w.p.P)
			for j, v := range m.vertex {
				for i := range 3 {
					if force != nil {
						rhs[3*j+i] += h * force[3*int(v)+i]
					}
				}
			}
		})
		last = 0
		for j, v := range m.vertex {
			for i := range 3 {
				w.x[3*int(v)+i] += h * u[3*j+i]
				last = max(last, math.Abs(h*u[3*j+i]))
			}
		}
	}
	return last
}

// factorAndSolve returns A⁻¹ rhs for blocks over the pattern; fill writes rhs.
func factorAndSolve(t testing.TB, m *Model, blocks []float64, fill func(rhs []float64)) []float64 {
	t.Helper()
	var g supernodal.Graph
	for range m.pattern.N {
		g.AddNode(3, 0)
	}
	for j := range m.pattern.N {
		for _, i := range m.pattern.Row[m.pattern.Ptr[j]:m.pattern.Ptr[j+1]] {
			g.AddEdge(int(i), j)
		}
	}
	g.Pack()
	var A supernodal.Matrix
	A.Reset(&g)
	copy(A.Val, blocks)
	var c supernodal.Cholesky
	c.Analyze(&g)
	if err := c.Factor(&A); err != nil {
		t.Fatal(err)
	}
	u := make([]float64, m.Dofs())
	fill(u)
	c.Solve(u)
	return u
}

// A cantilever of n cells across, ten times as long: the end sinks as the reference element
// of the same formulas does, to round-off, and as elasticity in three dimensions within 1 %
// with one cell.
func TestCantileverOfHexahedra(t *testing.T) {
	g := loadElements(t).Cantilever
	for _, n := range []int{1, 2} {
		for nu, truth := range map[float64]float64{0.3: 0.40026, 0.49: 0.39523} {
			mesh, err := meshes.BoxTets(r3.Vec{0.1, 0.01, 0.01}, [3]int{10 * n, n, n})
			if err != nil {
				t.Fatal(err)
			}
			law, _ := NewLinear(1e6, nu)
			m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1e-9, Elements: Hex12,
				Fixed: where(mesh, func(p r3.Vec) bool { return p[0] < -0.05+1e-9 })})
			// uniform traction: a quarter of each face of the end at its corners
			load := make([]float64, m.NumVerts())
			for _, h := range mesh.Cells.Hexes {
				for _, v := range []int32{h[1], h[2], h[5], h[6]} {
					if mesh.Verts[v][0] > 0.05-1e-9 {
						load[v] += 1e-3 / float64(4*n*n)
					}
				}
			}
			force := make([]float64, 3*len(load))
			for v, f := range load {
				force[3*v+1] = f
			}
			w := newWorld(m)
			equilibrium(t, w, force, 1)
			sink := 0.0
			for v, f := range load {
				sink += f / 1e-3 * 1e3 * (w.x[3*v+1] - mesh.Verts[v][1])
			}
			want := g.Values[fmt.Sprintf("hex n=%d nu=%g", n, nu)]
			if math.Abs(sink/want-1) > 1e-8 {
				t.Errorf("%d cells, ratio %g: %.12g mm, want %.12g", n, nu, sink, want)
			}
			if e := math.Abs(sink/truth - 1); n == 1 && e > 0.01 {
				t.Errorf("%d cells, ratio %g: %g mm, %.2g from the truth %g", n, nu, sink, e, truth)
			}
		}
	}
}

// finray returns a finger of hexahedra, two layers of the reference profile, fixed at x ≤ 6 mm.
func finray(t testing.TB, g *elementVectors, law ConstitutiveLaw) *Model {
	t.Helper()
	var verts []r3.Vec
	n := int32(len(g.Finray.Points))
	for level := range 3 {
		for _, p := range g.Finray.Points {
			verts = append(verts, r3.Vec{p[0], p[1], 0.01 * float64(level-1)})
		}
	}
	var hexes [][8]int32
	for k := range int32(2) {
		for _, q := range g.Finray.Quads {
			lo, hi := k*n, (k+1)*n
			hexes = append(hexes, [8]int32{lo + q[0], lo + q[1], lo + q[2], lo + q[3], hi + q[0], hi + q[1], hi + q[2], hi + q[3]})
		}
	}
	mesh, err := meshes.FillCells(verts, hexes, nil)
	if err != nil {
		t.Fatal(err)
	}
	return mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, Elements: Hex12,
		Fixed: where(mesh, func(p r3.Vec) bool { return p[0] < 0.006+1e-9 })})
}

// alongY returns nodal forces along y.
func alongY(m *Model, loads [][2]float64, s float64) []float64 {
	f := make([]float64, 3*m.NumVerts())
	for _, l := range loads {
		f[3*int(l[0])+1] = s * l[1]
	}
	return f
}

// A FinRay finger of hexahedra under 1 N on its contact face, 0.2 N at its end, and its weight
// along y: tip and mean of the loaded band, mm.
func TestFinrayOfHexahedra(t *testing.T) {
	g := loadElements(t)
	for nu, want := range map[float64]string{0.3: "0.3", 0.45: "0.45", 0.49: "0.49"} {
		law, _ := NewLinear(2.5e6, nu)
		m := finray(t, g, law)
		const tip = 202 + 34
		// the motion along y, mm: of the tip and of the band by its load
		solve := func(force []float64) (at, band float64) {
			w := newWorld(m)
			equilibrium(t, w, force, 1)
			u := func(v int) float64 { return 1e3 * (w.x[3*v+1] - m.Mesh().Verts[v][1]) }
			for _, l := range g.Finray.Band {
				band += l[1] * u(int(l[0]))
			}
			return u(tip), band
		}
		v := g.Finray.Values[want]
		at, band := solve(alongY(m, g.Finray.Band, 1))
		end, _ := solve(alongY(m, g.Finray.End, 0.2))
		weight := make([]float64, 3*m.NumVerts())
		for i, mass := range m.nodalMass {
			weight[3*i+1] = 9.81 * mass
		}
		gravity, _ := solve(weight)
		sameNumbers(t, "ratio "+want+": tip, band", []float64{at, band}, []float64{v.Tip, v.Band}, 1e-6)
		sameNumbers(t, "ratio "+want+": end load", []float64{end}, []float64{v.End}, 1e-6)
		sameNumbers(t, "ratio "+want+": weight", []float64{gravity}, []float64{v.Gravity}, 1e-6)
	}
}

// The same with large deflection, in steps of the load and then to rest.
func TestFinrayOfHexahedraBendsFar(t *testing.T) {
	g := loadElements(t)
	for nu, want := range map[float64]string{0.3: "0.3", 0.49: "0.49"} {
		law, _ := NewCorotational(2.5e6, nu)
		m := finray(t, g, law)
		w := newWorld(m)
		for i := range 10 {
			equilibrium(t, w, alongY(m, g.Finray.Band, float64(i+1)/10), 2)
		}
		last := equilibrium(t, w, alongY(m, g.Finray.Band, 1), 40)
		w.d.Place(w.x)
		tip, band := w.d.Positions()[202+34].Sub(m.Mesh().Verts[202+34]).Scale(1e3), 0.0
		for _, l := range g.Finray.Band {
			v := int(l[0])
			band += l[1] * 1e3 * (w.x[3*v+1] - m.Mesh().Verts[v][1])
		}
		v := g.Finray.Corotational[want]
		t.Logf("ratio %s: tip %.6f mm, band %.6f mm, last motion %.2g m", want, tip, band, last)
		sameNumbers(t, "ratio "+want, append(tip[:], band, 1e3*w.d.ElasticEnergy()), append(v.Tip[:], v.Band, v.Energy), 1e-5)
	}
}
