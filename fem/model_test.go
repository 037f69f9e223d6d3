package fem

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"

	"gonum.org/v1/gonum/mat"
)

func TestImpossibleSpecsAreErrorsThatSayWhere(t *testing.T) {
	good := func() Spec {
		return Spec{Name: "pad", Mesh: boxMesh(r3.Vec{1, 1, 1}, 1, 1, 1), Law: rubber(t, 0.3), Density: 1000}
	}
	for want, spoil := range map[string]func(s *Spec){
		"no tetrahedra":                   func(s *Spec) { s.Mesh = nil },
		"no tetrahedra: make":             func(s *Spec) { s.Mesh = &meshes.Tet{} },
		"no constitutive law":             func(s *Spec) { s.Law = nil },
		"density of 0":                    func(s *Spec) { s.Density = 0 },
		"density of NaN":                  func(s *Spec) { s.Density = math.NaN() },
		"mass damping of -1":              func(s *Spec) { s.MassDamping = -1 },
		"stiffness damping of +Inf":       func(s *Spec) { s.StiffnessDamping = math.Inf(1) },
		"fixed vertex 8 does not exist":   func(s *Spec) { s.Fixed = []int32{0, 8} },
		"fixed vertex -1":                 func(s *Spec) { s.Fixed = []int32{-1} },
		"vertex 3 is at":                  func(s *Spec) { s.Mesh.Verts[3][1] = math.Inf(1) },
		"tet 2 names vertex 8":            func(s *Spec) { s.Mesh.Tets[2][1] = 8 },
		"tet 4 (vertices":                 func(s *Spec) { t := &s.Mesh.Tets[4]; t[0], t[1] = t[1], t[0] },
		"is inside out, volume -0.167":    func(s *Spec) { t := &s.Mesh.Tets[4]; t[0], t[1] = t[1], t[0] },
		"is flat, volume 0 m³: remove it": func(s *Spec) { flatten(s) },
		"vertex 8 belongs to no tet":      func(s *Spec) { s.Mesh.Verts = append(s.Mesh.Verts, r3.Vec{5, 5, 5}) },
		`deformable "pad"`:                func(s *Spec) { s.Density = -3 },
	} {
		s := good()
		spoil(&s)
		_, err := NewModel(s)
		if err == nil {
			t.Errorf("no error, want %q", want)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not contain %q", err, want)
		}
	}
}

// flatten makes a sheet of the box.
func flatten(s *Spec) {
	for i := range s.Mesh.Verts {
		s.Mesh.Verts[i][2] = 0
	}
}

// Scale and place must not decide what is flat.
func TestTinyAndDistantTetsAreValid(t *testing.T) {
	for _, scale := range []float64{1e-6, 1, 1e3} {
		mesh := boxMesh(r3.Vec{scale, scale, 0.01 * scale}, 2, 2, 1)
		if _, err := NewModel(Spec{Mesh: mesh, Law: rubber(t, 0.3), Density: 1}); err != nil {
			t.Error(err)
		}
	}
}

// irregular is a box whose inner vertices are displaced.
func irregular(n int) *meshes.Tet {
	m := boxMesh(r3.Vec{1, 1, 1}, n, n, n)
	r := rand.New(rand.NewSource(7))
	for i, p := range m.Verts {
		inner := true
		for _, x := range p {
			inner = inner && x > 1e-9 && x < 1-1e-9
		}
		if inner {
			m.Verts[i] = p.AddScaled(0.2/float64(n), r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		}
	}
	return m
}

// Σ m_ab = ρV, row sums are what gravity weighs, and the boundary encloses V.
func TestMassIsDensityTimesVolume(t *testing.T) {
	m := mustModel(t, Spec{Mesh: irregular(4), Law: rubber(t, 0.3), Density: 1200})
	blocks, rows := 0.0, 0.0
	for j := range m.pattern.N {
		for k := m.pattern.Ptr[j]; k < m.pattern.Ptr[j+1]; k++ {
			if int(m.pattern.Row[k]) == j {
				blocks += m.blocks[k].mass
			} else {
				blocks += 2 * m.blocks[k].mass
			}
		}
	}
	for _, x := range m.nodalMass {
		rows += x
	}
	for what, x := range map[string]float64{"blocks": blocks, "row sums": rows, "Mass": m.Mass()} {
		if math.Abs(x-1200) > 1e-9 {
			t.Errorf("%s: %g kg, want 1200", what, x)
		}
	}
	tris, owner := m.Boundary()
	if len(tris) != 6*4*4*2 || len(owner) != len(tris) {
		t.Errorf("%d boundary triangles of %d owners", len(tris), len(owner))
	}
	if v := (&meshes.Tri{Verts: m.Mesh().Verts, Tris: tris}).Volume(); math.Abs(v-1) > 1e-12 {
		t.Errorf("the boundary encloses %g m³", v)
	}
}

// dense returns A of a clique as a full matrix.
func dense(w *world) *mat.SymDense {
	c := &w.p.Cliques[0]
	s := mat.NewSymDense(c.Size, nil)
	for j := range c.Pattern.N {
		for k := c.Pattern.Ptr[j]; k < c.Pattern.Ptr[j+1]; k++ {
			for a := range 3 {
				for b := range 3 {
					s.SetSym(3*int(c.Pattern.Row[k])+a, 3*j+b, c.A[9*int(k)+3*a+b])
				}
			}
		}
	}
	return s
}

// stiffness returns K and M, by solving A at two time steps for them.
func stiffness(w *world) (K, M *mat.SymDense) {
	w.freeMotion(1, r3.Vec{})
	A1 := dense(w)
	w.freeMotion(1e3, r3.Vec{})
	A2 := dense(w)
	n := A1.SymmetricDim()
	K, M = mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			k := (A2.At(i, j) - A1.At(i, j)) / (1e6 - 1)
			K.SetSym(i, j, k)
			M.SetSym(i, j, A1.At(i, j)-k)
		}
	}
	return K, M
}

// A tet's stiffness gathered by blocks from w and constants is the textbook
// assembly V g:C:g of its tangent.
func TestBlocksAreTheAssembledTangent(t *testing.T) {
	mesh := irregular(2)
	for _, fixed := range [][]int32{nil, {3, 0, 17}} {
		m := mustModel(t, Spec{Mesh: mesh, Law: Corotational{hooke{3, 5}}, Density: 1e-3, Fixed: fixed, MassDamping: 0.2, StiffnessDamping: 0.3})
		w := newWorld(m)
		r := rand.New(rand.NewSource(3))
		for i := range w.x {
			w.x[i] += 0.1 * r.NormFloat64()
		}
		h := 0.7
		w.freeMotion(h, r3.Vec{})
		got := dense(w)
		want := mat.NewSymDense(m.Dofs(), nil)
		var C [81]float64
		load(w.d.pos, w.x)
		for _, e := range m.elements {
			m.spec.Law.Tangent(r3.Mat{}, r3.Polar(e.gradient(w.d.pos)), false, &C)
			for a, va := range e.verts {
				for b, vb := range e.verts {
					na, nb := int(m.node[va]), int(m.node[vb])
					if na < 0 || nb < 0 {
						continue
					}
					for i := range 3 {
						for k := range 3 {
							s := 0.0
							for j := range 3 {
								for l := range 3 {
									s += e.shape(a)[j] * C[9*(3*i+j)+3*k+l] * e.shape(b)[l]
								}
							}
							s *= e.volume * h * (h + 0.3)
							if i == k {
								mass := m.spec.Density * e.volume / 20 * (1 + 0.2*h)
								if a == b {
									mass *= 2
								}
								s += mass
							}
							if row, col := 3*na+i, 3*nb+k; row >= col {
								want.SetSym(row, col, want.At(row, col)+s)
							}
						}
					}
				}
			}
		}
		if !mat.EqualApprox(got, want, 1e-13) {
			t.Errorf("fixed %v: A differs from its assembly", fixed)
		}
		if n := len(m.vertex) + len(fixed); n != m.NumVerts() || m.Dofs() != 3*len(m.vertex) || m.Node(17) >= 0 != (fixed == nil) {
			t.Errorf("fixed %v: %d nodes", fixed, len(m.vertex))
		}
	}
}

// K has six motions without force where all elements have one rotation, three
// translations elsewhere, and no negative eigenvalue.
func TestStiffnessIsSemidefiniteWithTheRigidMotionsAsNullSpace(t *testing.T) {
	m := mustModel(t, Spec{Mesh: irregular(2), Law: rubber(t, 0.4), Density: 1})
	for zeros, deform := range map[int]func(X r3.Vec) r3.Vec{
		6: r3.RotExp(r3.Vec{1, 2, 3}).MulVec,
		3: func(X r3.Vec) r3.Vec { return r3.RotExp(r3.Vec{X[1], X[2], X[0]}).MulVec(X) },
	} {
		w := newWorld(m)
		for i, X := range m.Mesh().Verts {
			x := deform(X)
			copy(w.x[3*i:], x[:])
		}
		K, _ := stiffness(w)
		var eig mat.EigenSym
		eig.Factorize(K, false)
		v := eig.Values(nil)
		if most := v[len(v)-1]; v[0] < -1e-12*most || v[zeros-1] > 1e-12*most || v[zeros] < 1e-5*most {
			t.Errorf("want %d zeros among the least eigenvalues %v of %g", zeros, v[:8], most)
		}
	}
}
