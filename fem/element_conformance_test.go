package fem

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// The conformance suite of finite elements, part one: forces, stiffness, masses and accuracy of
// every registered kind, on single elements and on small bodies of random form. It asks a body
// only what every body answers, so that a new kind is tested once it is registered. A kind for
// which no mesh of the suite serves fails: formsOf is where it gets one.

// kindsOfElements returns the registered kinds but auto, which is one of the others.
func kindsOfElements() (list []Elements) {
	for _, name := range ElementKinds.Names() {
		if e := Elements(name); e != Auto {
			list = append(list, e)
		}
	}
	return list
}

// meshFor returns the first mesh that serves a kind of elements, with the vertices that they add.
func meshFor(t testing.TB, e Elements, forms ...*meshes.Tet) *meshes.Tet {
	t.Helper()
	kind, err := ElementKinds.New(e.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range forms {
		if mesh := kind.Mesh(form); kind.TakesMesh(mesh) == nil {
			return mesh
		}
	}
	t.Fatalf("the suite has no mesh for the elements %s: add one", e)
	return nil
}

// formsOf returns meshes for a kind of elements: one tet, hexahedron and wedge of random form,
// and two blocks of elements that meet.
func formsOf(t testing.TB, r *rand.Rand, e Elements) (list []*meshes.Tet) {
	t.Helper()
	tet := unitTet()
	tet.Verts = strayed(r, tet.Verts, 0.08)
	hex, err1 := meshes.FillCells(strayed(r, unitCube(), 0.08), [][8]int32{{0, 1, 2, 3, 4, 5, 6, 7}}, nil)
	wedge, err2 := meshes.FillCells(strayed(r, unitWedge, 0.08), nil, [][6]int32{{0, 1, 2, 3, 4, 5}})
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	kind, _ := ElementKinds.New(e.String())
	for _, form := range []*meshes.Tet{tet, hex, wedge, mixedMesh(t, 2, 0.1), strayedBox(t, 2, 0.2)} {
		if mesh := kind.Mesh(form); kind.TakesMesh(mesh) == nil {
			list = append(list, mesh)
		}
	}
	if len(list) == 0 {
		t.Fatalf("the suite has no mesh for the elements %s: add one to formsOf", e)
	}
	return list
}

// everyLaw returns the laws of every class, and of the nonlinear ones those of one and of two
// invariants, of a polynomial and of principal stretches.
func everyLaw(t testing.TB, youngs, nu float64) map[string]ConstitutiveLaw {
	t.Helper()
	laws := lawsOf(t, youngs, nu)
	silicone, err := NewMooneyRivlin(youngs, nu, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	laws["mooney_rivlin"] = silicone
	mu, _, _ := Lame(youngs, nu)
	if laws["ogden"], err = NewOgden([]float64{0.5 * mu, -0.1 * mu, 0.55 / 3.5 * mu}, []float64{2.5, -2, 3.5}, nu, 4); err != nil {
		t.Fatal(err)
	}
	if laws["yeoh"], err = NewYeoh(0.5*mu, 0.02*mu, -0.0005*mu, nu, 4); err != nil {
		t.Fatal(err)
	}
	return laws
}

// everyBody calls check with free bodies of density 1 of every kind of elements with every law,
// of Young's modulus 1 and Poisson's ratios up to nearly ½.
func everyBody(t *testing.T, check func(t *testing.T, r *rand.Rand, w *world)) {
	t.Helper()
	for _, e := range kindsOfElements() {
		kind, _ := ElementKinds.New(e.String())
		r := rand.New(rand.NewSource(12))
		for _, nu := range []float64{0, 0.3, 0.499} {
			for name, law := range everyLaw(t, 1, nu) {
				if err := kind.TakesLaw(law); err != nil {
					t.Errorf("%s: %v", e, err)
					continue
				}
				for i, mesh := range formsOf(t, r, e) {
					t.Run(fmt.Sprint(e, " ", name, " ", nu, " ", i), func(t *testing.T) {
						check(t, r, newWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1, Elements: e})))
					})
				}
			}
		}
	}
}

// forces returns the forces of a body at rest on its vertices: P = h f where v0 = 0, also of a
// nonlinear law's linear model at the start.
func (w *world) forces() (f []r3.Vec) {
	clear(w.v)
	w.d.Place(w.x)
	const h = 0x1p-10 // a power of two, so that the division rounds nothing
	w.p.Reset(0, h)
	w.d.Linearize(h, r3.Vec{}, w.x, w.v, w.pool, &w.p)
	for i := 0; i < len(w.p.P); i += 3 {
		f = append(f, r3.Vec(w.p.P[i:i+3]).Scale(1/h))
	}
	return f
}

// Kinds of elements state their facts, and auto has the best that mesh and law allow.
func TestRegisteredElementsStateTheirFacts(t *testing.T) {
	if err := kinds.Check(ElementKinds); err != nil {
		t.Error(err)
	}
	block := mixedMesh(t, 2, 0)
	box := strayedBox(t, 2, 0)
	for _, e := range kindsOfElements() {
		kind, _ := ElementKinds.New(e.String())
		mesh := meshFor(t, e, block, box)
		// the number of vertices that a mesh gets is about the stated one
		form := block
		if kind.TakesMesh(kind.Mesh(block)) != nil {
			form = box
		}
		if got, want := float64(len(mesh.Verts))/float64(len(form.Verts)), kind.NodesOfCorner(); math.Abs(got/want-1) > 0.2 {
			t.Errorf("%s: %.2f vertices for each corner, stated are %g", e, got, want)
		}
		if got := (Elements)(e).String(); got != string(e) {
			t.Errorf("%s is printed as %s", e, got)
		}
		// a mesh of its own is made once
		if again := kind.Mesh(mesh); len(again.Verts) != len(mesh.Verts) {
			t.Errorf("%s: a mesh that serves is changed", e)
		}
	}
	if got := Elements("").String(); got != "auto" {
		t.Errorf("bodies that name no elements have %s", got)
	}
	_, err := Elements("hex8").Choose(rubber(t, 0.3), nil)
	if err == nil || !strings.Contains(err.Error(), `unknown finite element "hex8": did you mean "hex12"?`) {
		t.Errorf("hex8: %v", err)
	}
	if c, err := Auto.Choose(rubber(t, 0.3), func(ElementKind) *meshes.Tet { return nil }); c != (Choice{}) || err != nil {
		t.Errorf("without a mesh auto has %+v, %v", c, err)
	}
}

// wholeVolumeLaw hides the methods of VolumetricLaw of a nonlinear law.
type wholeVolumeLaw struct{ ConstitutiveLaw }

// Auto goes from the highest rank on, past kinds that law or mesh do not allow or that would be
// inaccurate on the mesh, and gives the reasons.
func TestAutoTakesTheMostAccurateElementsAndGivesReasons(t *testing.T) {
	neo, err := NewNeoHookean(1e6, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	swept := mixedMesh(t, 2, 0)
	plain := strayedBox(t, 2, 0)
	// more triangles than quads of the swept plane
	wedges := *swept
	wedges.Cells = &meshes.Cells{Wedges: make([][6]int32, 2*len(swept.Cells.Hexes)+1), Hexes: swept.Cells.Hexes}
	// a hexahedron with two corners exchanged
	turned := *swept
	turned.Cells = &meshes.Cells{Hexes: slices.Clone(swept.Cells.Hexes)}
	h := &turned.Cells.Hexes[0]
	h[1], h[3] = h[3], h[1]
	h[5], h[7] = h[7], h[5]
	quadratic := func(k ElementKind) func(*meshes.Tet) *meshes.Tet { return k.Mesh }
	asItIs := func(ElementKind) func(*meshes.Tet) *meshes.Tet {
		return func(m *meshes.Tet) *meshes.Tet { return m }
	}
	for _, c := range []struct {
		name   string
		mesh   *meshes.Tet
		law    ConstitutiveLaw
		of     func(ElementKind) func(*meshes.Tet) *meshes.Tet
		want   Elements
		reason string
	}{
		{"swept", swept, neo, quadratic, Hex12, ""},
		{"swept, law of the whole volume", swept, wholeVolumeLaw{neo}, quadratic, Hex12, ""},
		{"any volume", plain, neo, quadratic, Tet10, "not hex12, for the mesh has no hexahedra"},
		{"any volume as it is", plain, neo, asItIs, Tet4, "not hex12, for the mesh has no hexahedra, not tet10, for the mesh has no ten-node tetrahedra"},
		{"law of the whole volume", plain, wholeVolumeLaw{neo}, quadratic, Tet4, "not hex12, for the mesh has no hexahedra, not tet10, for the law fem.wholeVolumeLaw cannot distinguish the volume, of which these elements take the mean"},
		{"mostly wedges", &wedges, neo, quadratic, Tet10, "not hex12, for the mesh has more wedges than hexahedra"},
		{"inside out", &turned, neo, quadratic, Tet10, "not hex12, for the mesh has cells that are inside out in part, such as cell 0"},
	} {
		got, err := Auto.Choose(c.law, func(kind ElementKind) *meshes.Tet { return c.of(kind)(c.mesh) })
		if err != nil || got.Elements != c.want || got.Reason != c.reason {
			t.Errorf("%s: %s because of %q, %v; want %s because of %q", c.name, got.Elements, got.Reason, err, c.want, c.reason)
		}
	}
}

// The rank of a kind is the share of the deflection that a cantilever of 10:1 with one element
// across has under its own weight,
//
//	δ = q L⁴/(8 E I) + q L²/(2 κ G A),  κ = 10(1 + ν)/(12 + 11ν),
//
// of Timoshenko's beam, to 4 %: what a box of six tets a cell gives depends on their diagonals.
func TestRankOfElementsIsTheirShareOfTheDeflection(t *testing.T) {
	const E, nu, L, H = 1e6, 0.3, 0.1, 0.01
	const I, G, A, kappa = H * H * H * H / 12, E / (2 * (1 + nu)), H * H, 10 * (1 + nu) / (12 + 11*nu)
	const rho, g = 1e-9, 1e9 // nearly no mass, so that solveStatic finds K
	law, _ := NewLinear(E, nu)
	box, err := meshes.BoxTets(r3.Vec{L, H, H}, [3]int{10, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	q := rho * g * A
	truth := q*L*L*L*L/(8*E*I) + q*L*L/(2*kappa*G*A)
	for _, e := range kindsOfElements() {
		kind, _ := ElementKinds.New(e.String())
		mesh := meshFor(t, e, box)
		m := mustModel(t, Spec{Mesh: mesh, Law: law, Density: rho, Elements: e, Fixed: where(mesh, func(p r3.Vec) bool { return p[0] < -L/2+1e-9 })})
		force := make([]float64, 3*m.NumVerts())
		for v := range m.NumVerts() {
			force[3*v+2] = g * m.NodalMass(int32(v))
		}
		u := solveStatic(t, m, force)
		tip, sink := where(mesh, func(p r3.Vec) bool { return p[0] > L/2-1e-9 }), 0.0
		for _, v := range tip {
			sink += u[3*v+2] / float64(len(tip))
		}
		t.Logf("%s: %.3f of the deflection", e, sink/truth)
		if math.Abs(100*sink/truth-float64(kind.Rank())) > 4 {
			t.Errorf("%s: %.3f of the deflection, rank %d", e, sink/truth, kind.Rank())
		}
	}
}

// Forces are −∂E/∂x at any positions, by differences of fourth order. They have no resultant, and
// with a law that turns with the element no moment.
func TestForcesOfElementsAreTheGradientOfTheirEnergy(t *testing.T) {
	everyBody(t, func(t *testing.T, r *rand.Rand, w *world) {
		Q := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(0.3))
		for i, X := range w.d.model.Mesh().Verts {
			x := Q.MulVec(X).Add(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(0.02))
			copy(w.x[3*i:], x[:])
		}
		f := w.forces()
		scale := 0.0
		var sum, moment r3.Vec
		for i, force := range f {
			scale = max(scale, force.Norm())
			sum, moment = sum.Add(force), moment.Add(r3.Vec(w.x[3*i:3*i+3]).Cross(force))
		}
		if sum.Norm() > 1e-11*scale || w.d.model.class != Linear && moment.Norm() > 1e-11*scale {
			t.Errorf("resultant %.3g, moment %.3g of forces of %.3g", sum.Norm(), moment.Norm(), scale)
		}
		// a few coordinates of each body: the energy of all elements is summed for each
		for range 12 {
			k, x := r.Intn(len(w.x)), append([]float64(nil), w.x...)
			const e = 1e-4
			energy := func(d float64) float64 {
				x[k] = w.x[k] + d
				w.d.Place(x)
				return w.d.ElasticEnergy()
			}
			slope := (8*(energy(e)-energy(-e)) - (energy(2*e) - energy(-2*e))) / (12 * e)
			if got := f[k/3][k%3]; math.Abs(got+slope) > 1e-8*scale {
				t.Errorf("force %d is %.10g, the slope of the energy %.10g", k, got, slope)
			}
		}
	})
}

// A has the stiffness of rigid motions alone: six eigenvalues of K are zero and the others
// positive, also where the body is turned. Rows of M sum up to the masses of the vertices.
func TestOnlyRigidMotionsOfElementsHaveNoEnergy(t *testing.T) {
	everyBody(t, func(t *testing.T, r *rand.Rand, w *world) {
		if w.d.model.class != Linear {
			Q := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
			for i, X := range w.d.model.Mesh().Verts {
				x := Q.MulVec(X)
				copy(w.x[3*i:], x[:])
			}
			w.d.Place(w.x)
		}
		K, M := stiffness(w)
		values := eigenvalues(t, K)
		most := values[len(values)-1]
		if math.Abs(values[0]) > 1e-11*most || math.Abs(values[5]) > 1e-11*most || values[6] < 1e-6*most {
			t.Errorf("eigenvalues %.3g, want six zeros", values[:8])
		}
		n := K.SymmetricDim()
		for v := range n / 3 {
			row := 0.0
			for u := range n / 3 {
				row += M.At(3*v, 3*u)
			}
			if want := w.d.model.NodalMass(int32(v)); math.Abs(row-want) > 1e-9*w.d.model.Mass() {
				t.Errorf("vertex %d: a row of the mass sums up to %g, want %g kg", v, row, want)
			}
		}
	})
}

// Displacements u = G X have the stress P of the law everywhere: forces inside vanish, and the
// virtual work of another such field H X is V H:P, whatever the form of the elements.
func TestElementsRepresentConstantStrain(t *testing.T) {
	G := r3.Mat{0.01, 0.02, -0.03, 0.004, 0.05, -0.06, 0.07, 0.008, 0.009}
	H := r3.Mat{0.03, -0.02, 0.01, 0, 0.07, 0.02, -0.01, 0.06, -0.04}
	everyBody(t, func(t *testing.T, _ *rand.Rand, w *world) {
		m := w.d.model
		if m.class == Corotated {
			return // linear in the frames of the elements
		}
		for i, X := range m.Mesh().Verts {
			x := X.Add(G.MulVec(X))
			copy(w.x[3*i:], x[:])
		}
		f, work, scale := w.forces(), 0.0, 0.0
		for i, X := range m.Mesh().Verts {
			work -= H.MulVec(X).Dot(f[i])
			scale = max(scale, f[i].Norm())
		}
		I := r3.Identity()
		want := 0.0
		for i, s := range m.spec.Law.Stress(G.Add(I), I) {
			want += m.Mass() * s * H[i] // the density is 1
		}
		if math.Abs(work-want) > 1e-10*math.Abs(want) {
			t.Errorf("work %.12g, want %.12g J", work, want)
		}
		// vertices that no boundary triangle has
		inside := map[int32]bool{}
		for v := range f {
			inside[int32(v)] = true
		}
		tris, _ := m.Boundary()
		for _, tri := range tris {
			for _, v := range tri {
				delete(inside, v)
			}
		}
		for v := range inside {
			if f[v].Norm() > 1e-11*scale {
				t.Errorf("force %.3g inside, of forces of %.3g", f[v].Norm(), scale)
			}
		}
	})
}

// A of a step is positive definite at any positions, with damping of both kinds.
func TestMomentumMatrixOfElementsIsPositiveDefinite(t *testing.T) {
	everyBody(t, func(t *testing.T, r *rand.Rand, w *world) {
		spec := w.d.model.Spec()
		spec.MassDamping, spec.StiffnessDamping = 2, 0.05
		damped := newWorld(mustModel(t, spec))
		damped.shake(r.Int63(), 0.05, 1)
		damped.freeMotion(0.1, r3.Vec{})
		var cholesky mat.Cholesky
		if !cholesky.Factorize(dense(damped)) {
			t.Error("A is not positive definite")
		}
	})
}
