package fem

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Nonlinear laws on all elements: what one element has (the conformance suite has the rest), and
// closed forms of finite elasticity.

// The tangent of elements is the derivative of their forces, by differences: at any positions for
// tets, and for hexahedra and wedges where they are deformed uniformly, as they leave out how
// their frame turns under the force of bending.
func TestTangentsOfElementsAreTheDerivativesOfTheirForces(t *testing.T) {
	for _, e := range kindsOfElements() {
		r := rand.New(rand.NewSource(5))
		for name, law := range everyLaw(t, 1, 0.48) {
			if law.Class() != Nonlinear {
				continue
			}
			for i, mesh := range formsOf(t, r, e) {
				w := newWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1, Elements: e}))
				m, n := w.d.model, w.d.newton
				w.freeMotion(1, r3.Vec{}) // makes the scratch of workers
				stray := 0.02
				if e == Hex12 {
					stray = 0
				}
				G := r3.RotExp(r3.Vec{0.4, -0.3, 0.8}).Mul(r3.Mat{1.2, 0.2, 0, -0.1, 0.8, 0.1, 0.1, 0, 0.9})
				x := make([]r3.Vec, m.NumVerts())
				for v, X := range mesh.Verts {
					x[v] = G.MulVec(X).Add(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(stray))
				}
				derive := func(d []float64, size float64) ([]float64, []float64) {
					for v := range x {
						n.strain[v] = x[v].AddScaled(size, r3.Vec(d[3*v:3*v+3]))
					}
					A := make([]float64, 9*len(m.pattern.Row))
					clear(n.base)
					n.assemble(nil, A, false)
					f := append([]float64(nil), n.scratch...)
					Kd := make([]float64, len(d))
					m.multiply(Kd, A, d)
					return f, Kd
				}
				d := make([]float64, 3*len(x))
				for k := range d {
					d[k] = r.NormFloat64()
				}
				n.h = 1
				const eps = 1e-5
				_, Kd := derive(d, 0)
				ahead, _ := derive(d, eps)
				back, _ := derive(d, -eps)
				scale := 0.0
				for _, x := range Kd {
					scale = max(scale, math.Abs(x))
				}
				for k := range d {
					if got := (back[k] - ahead[k]) / (2 * eps); math.Abs(got-Kd[k]) > 1e-6*scale {
						t.Fatalf("%s, %s, form %d: the force changes by %g, the tangent says %g of %g", e, name, i, got, Kd[k], scale)
					}
				}
			}
		}
	}
}

// shell returns a hollow sphere of inner radius 1 and outer radius 2: the six faces of a cube, each
// of n×n cells of equal angles, in layers.
func shell(t *testing.T, n, layers int) *meshes.Tet {
	t.Helper()
	index := map[[3]int]int32{} // by direction in units of cells and layer
	var verts []r3.Vec
	vertex := func(p [3]int, layer int) int32 {
		key := [3]int{p[0] + 100*p[1], p[2], layer}
		if v, ok := index[key]; ok {
			return v
		}
		var d r3.Vec
		for k := range d {
			d[k] = math.Tan(math.Pi / 4 * (2*float64(p[k])/float64(n) - 1))
		}
		index[key] = int32(len(verts))
		verts = append(verts, d.Unit().Scale(1+float64(layer)/float64(layers)))
		return index[key]
	}
	var hexes [][8]int32
	for axis := range 3 {
		for side := range 2 {
			for i := range n {
				for j := range n {
					for layer := range layers {
						var h [8]int32
						for c, at := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
							var p [3]int
							p[axis], p[(axis+1)%3], p[(axis+2)%3] = side*n, i+at[0], j+at[1]
							h[c], h[c+4] = vertex(p, layer), vertex(p, layer+1)
						}
						if side == 0 { // the sense of quads about the outward normal
							h = [8]int32{h[0], h[3], h[2], h[1], h[4], h[7], h[6], h[5]}
						}
						hexes = append(hexes, h)
					}
				}
			}
		}
	}
	mesh, err := meshes.FillCells(verts, hexes, nil)
	if err != nil {
		t.Fatal(err)
	}
	return mesh
}

// inflate returns the energy of a hollow sphere whose inner vertices, and the others to start from,
// move as the flow does that keeps the volume and takes the inner radius from 1 to a.
func inflate(t *testing.T, law ConstitutiveLaw, e Elements, n int, a float64) float64 {
	t.Helper()
	mesh := shell(t, n, n)
	if e == Tet10 {
		mesh = (&meshes.Tet{Verts: mesh.Verts, Tets: mesh.Tets}).Quadratic()
	}
	var inner []int32
	tris, _ := mesh.Boundary()
	for _, tri := range tris {
		if max(mesh.Verts[tri[0]].Norm(), mesh.Verts[tri[1]].Norm(), mesh.Verts[tri[2]].Norm()) < 1.3 {
			inner = append(inner, tri[:]...)
		}
	}
	w := newWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1e-9, Elements: e, Fixed: inner}))
	for i, X := range mesh.Verts {
		R := X.Norm()
		x := X.Scale(math.Cbrt(R*R*R+a*a*a-1) / R)
		copy(w.x[3*i:], x[:])
	}
	w.step(1e3, r3.Vec{})
	return w.d.ElasticEnergy()
}

// A hollow sphere of nearly incompressible rubber whose inner radius is blown up from 1 to a has
// the energy
//
//	E = ∫ 4π R² Ψ(λ⁻², λ, λ) dR,  λ = r/R,  r³ = R³ + a³ − 1
//
// of the radial flow that keeps the volume. Hexahedra converge to it from below with the square of
// their size, as the volume of their mesh does. Linear tets lock: they have 14 times that energy.
func TestInflatedSphereHasTheEnergyOfItsClosedForm(t *testing.T) {
	const a = 1.4
	for name, law := range everyLaw(t, 1, 0.4999) {
		if law.Class() != Nonlinear {
			continue
		}
		const cuts = 400 // Simpson's rule
		truth := 0.0
		for i := range cuts + 1 {
			R, weight := 1+float64(i)/cuts, [2]float64{2, 4}[i%2]
			if i == 0 || i == cuts {
				weight = 1
			}
			l := math.Cbrt(R*R*R+a*a*a-1) / R
			truth += weight / (3 * cuts) * 4 * math.Pi * R * R * law.Energy(r3.Diag(r3.Vec{1 / (l * l), l, l}), r3.Identity())
		}
		coarse, fine := inflate(t, law, Hex12, 2, a)/truth, inflate(t, law, Hex12, 4, a)/truth
		tets, linear := inflate(t, law, Tet10, 2, a)/truth, inflate(t, law, Tet4, 4, a)/truth
		t.Logf("%s: hexahedra have %.4f and %.4f of the energy, ten-node tets %.4f, linear ones %.1f", name, coarse, fine, tets, linear)
		if rate := (1 - coarse) / (1 - fine); math.Abs(fine-1) > 0.04 || rate < 3.5 || rate > 4.5 {
			t.Errorf("%s: hexahedra have %.4f of the energy, half as large %.4f", name, coarse, fine)
		}
		if math.Abs(tets-1) > 0.25 || linear < 5 {
			t.Errorf("%s: ten-node tets have %.4f of the energy, linear ones %.1f", name, tets, linear)
		}
	}
}

// A slender bar one element thick that a force across its tip bends by two thirds of its length is
// Euler's elastica, but for its small strain and shear.
func TestSlenderBarOfRubberFollowsTheElastica(t *testing.T) {
	const E, nu, L, H, F = 1e6, 0.3, 0.4, 0.01, 0.02
	sink := elastica(E*H*H*H*H/12, L, F)
	for name, law := range everyLaw(t, E, nu) {
		if law.Class() != Nonlinear {
			continue
		}
		for _, e := range []Elements{Hex12, Tet10} {
			box, err := meshes.BoxTets(r3.Vec{L, H, H}, [3]int{20, 1, 1})
			if err != nil {
				t.Fatal(err)
			}
			mesh := meshFor(t, e, box)
			w := newWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1e-9, Elements: e, Fixed: where(mesh, func(p r3.Vec) bool { return p[0] < -L/2+1e-9 })}))
			force := make([]r3.Vec, len(mesh.Verts))
			tip := where(mesh, func(p r3.Vec) bool { return p[0] > L/2-1e-9 })
			for _, v := range tip {
				force[v] = r3.Vec{0, 0, F / float64(len(tip))}
			}
			w.d.SetForces(force)
			w.step(1e3, r3.Vec{})
			z := 0.0
			for _, v := range tip {
				z += w.x[3*v+2] / float64(len(tip))
			}
			t.Logf("%s, %s: sinks by %.5f of %.5f m, %d iterations", name, e, z, sink, w.d.newton.iterations)
			if math.Abs(z/sink-1) > 0.01 {
				t.Errorf("%s, %s: sinks by %g m, want %g", name, e, z, sink)
			}
		}
	}
}

// elastica returns the deflection of the tip of a cantilever of bending stiffness B and length L
// under a force F of fixed direction across its end: θ” = −F cos θ/B, θ(0) = 0, θ'(L) = 0.
func elastica(B, L, F float64) float64 {
	const n = 2000
	h := L / n
	shoot := func(slope float64) (end, sink float64) {
		theta, rate := 0.0, slope
		for range n {
			k1, l1 := rate, -F*math.Cos(theta)/B
			k2, l2 := rate+0.5*h*l1, -F*math.Cos(theta+0.5*h*k1)/B
			next := theta + h*k2
			sink += h * (math.Sin(theta) + 4*math.Sin(theta+0.5*h*k1) + math.Sin(next)) / 6
			theta, rate = next, rate+h*l2
		}
		return rate, sink
	}
	lo, hi := 0.0, F*L/B
	for range 60 {
		if end, _ := shoot((lo + hi) / 2); end > 0 {
			hi = (lo + hi) / 2
		} else {
			lo = (lo + hi) / 2
		}
	}
	_, sink := shoot((lo + hi) / 2)
	return sink
}
