package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// heldBar is a slender bar along x of E = 1e6 Pa without Poisson's effect, clamped at its lower end, with loads of the
// caller; u returns the mean displacement of its free end.
func heldBar(t *testing.T, elements fem.Elements, size r3.Vec, loads func(w *scaffold, end Region)) (s *Stepper, x *State, u func(x *State) r3.Vec) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	mesh := meshOf(must(meshes.BoxTets(size, [3]int{24, 1, 1})), elements)
	w.AddDeformable("bar", DeformableSpec{
		Mesh: mesh, Law: must(fem.NewCorotational(1e6, 0)), Elements: elements,
		Attach: []AttachSpec{{Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.4999 * size[0], 1, 1}})}},
	})
	loads(w, Region{XMin: ptr(0.4999 * size[0])})
	s, x = w.build()
	first := x.Clone()
	return s, x, func(x *State) (u r3.Vec) {
		n := 0
		for v := range len(x.Q) / 3 {
			if first.Q[3*v] > 0.4999*size[0] {
				for k := range 3 {
					u[k] += x.Q[3*v+k] - first.Q[3*v+k]
				}
				n++
			}
		}
		return u.Scale(1 / float64(n))
	}
}

// Beck's column: a compressive force that turns with the free end of a clamped bar does not let it buckle by
// divergence, at any multiple of Euler's load. A small force Q across its end bends it by
//
//	w = Q/(EI k³) (sin kL − kL cos kL),   k² = P/EI,
//
// of either sign. Source: Beck, "Die Knicklast des einseitig eingespannten, tangential gedrückten Stabes", 1952; w by
// EI w″″ + P w″ = 0 with w″ = 0 and EI w‴ = −Q at the end.
func TestFollowerForcesBendBecksColumn(t *testing.T) {
	const E, Q = 1e6, 1e-6
	size := r3.Vec{0.4, 0.01, 0.012}
	EI := E * size[1] * size[1] * size[1] * size[2] / 12 // softest across y
	for _, elements := range []fem.Elements{fem.Tet10, fem.Hex12} {
		for _, kL := range []float64{1, 2.2, 3.1, 4.2} { // Euler: π/2, Beck's flutter: 4.48
			k := kL / size[0]
			s, x, end := heldBar(t, elements, size, func(w *scaffold, end Region) {
				w.AddLoad("thrust", &PressureSpec{Pressure: motion.Constant(k * k * EI / (size[1] * size[2])), Body: "bar", Where: end})
				w.AddLoad("across", &ForceSpec{Force: r3.Vec{0, Q, 0}, Body: "bar", Axes: "world", Where: end})
			})
			rest(t, s, x, 1)
			want := Q / (EI * k * k * k) * (math.Sin(kL) - kL*math.Cos(kL))
			near(t, "deflection", end(x)[1], want, 0.02*Q/(EI*k*k*k)*(1+kL))
			if n := s.Report.PseudoSteps; n > 15 {
				t.Errorf("%v, kL = %g: %d pseudo-steps", elements, kL, n)
			}
		}
	}
}

// A dead force of 1.2 times Euler's load buckles the same bar along the elastica, whether a pressure that follows it
// acts on a side or not: states that are not stable are left where forces have no potential, too. The elastica has 2p/k
// across, K(p) = kL, k² = P/EI, K the complete elliptic integral. Source: Timoshenko and Gere, Theory of Elastic
// Stability, 2.7.
func TestBarsUnderFollowerForcesBuckle(t *testing.T) {
	const E = 1e6
	size := r3.Vec{0.4, 0.01, 0.012}
	EI := E * size[1] * size[1] * size[1] * size[2] / 12
	P := 1.2 * EI * math.Pi * math.Pi / (4 * size[0] * size[0])
	k := math.Sqrt(P / EI)
	lo, hi := 0.0, 1.0
	for range 50 {
		p := (lo + hi) / 2
		a, g := 1.0, math.Sqrt(1-p*p)
		for range 10 { // arithmetic-geometric mean
			a, g = (a+g)/2, math.Sqrt(a*g)
		}
		if math.Pi/(2*a) < k*size[0] {
			lo = p
		} else {
			hi = p
		}
	}
	for _, p := range []float64{0, 0.01} {
		s, x, end := heldBar(t, fem.Hex12, size, func(w *scaffold, end Region) {
			w.AddLoad("thrust", &ForceSpec{Force: r3.Vec{-P, 0, 0}, Body: "bar", Axes: "world", Where: end})
			if p > 0 {
				w.AddLoad("air", &PressureSpec{Pressure: motion.Constant(p), Body: "bar", Where: Region{YMin: ptr(0.4999 * size[1])}})
			}
		})
		rest(t, s, x, 1)
		near(t, "deflection", math.Abs(end(x)[1]), 2*lo/k, 0.01*2*lo/k)
	}
}

// An open chamber, whose pressure has a strong skew part, is at rest in few pseudo-steps, as far as round-off lets
// forces balance.
func TestStripsUnderPressureTakeFewPseudoSteps(t *testing.T) {
	for _, elements := range elementsOf {
		for _, p := range []float64{20, -40, 80} {
			s, x, end := heldBar(t, elements, r3.Vec{0.2, 0.02, 0.01}, func(w *scaffold, end Region) {
				w.AddLoad("air", &PressureSpec{Pressure: motion.Constant(p), Body: "bar", Where: Region{ZMin: ptr(0.00499), XMin: ptr(0.01)}})
			})
			rest(t, s, x, 1)
			t.Logf("%v, %g Pa: bent by %.3g m", elements, p, end(x)[2])
			if n := s.Report.PseudoSteps; n > 20 || !(s.Report.RestResidual < 1e-9) {
				t.Errorf("%v, %g Pa: %d pseudo-steps, residual %g", elements, p, n, s.Report.RestResidual)
			}
		}
	}
}
