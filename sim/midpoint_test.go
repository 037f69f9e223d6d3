package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// midpointRule is the midpoint rule with its default damping.
var midpointRule = timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}

// A body in free fall moves on its parabola, whatever the step.
func TestMidpointFallIsAParabola(t *testing.T) {
	const n, h = 40, 0.025
	u := r3.Vec{1, -2, 3}
	w := newScaffold(t)
	w.Rule = midpointRule
	d := w.soft("cube", r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, 1e5, tilted(0, 0, 10), u, w.material(1e5, 10, 0.5))
	s, x := w.build()
	start := append([]float64(nil), x.Q...)
	run(t, s, x, h, n)
	fall := u.Scale(n*h).AddScaled(0.5*n*h*n*h, s.Model.Gravity)
	for i := range s.Model.Deformables[0].NumVerts() {
		nearVec(t, "vertex", s.kin.Vertex(d, int32(i)), r3.Vec(start[3*i:3*i+3]).Add(fall), 1e-11)
		nearVec(t, "velocity", r3.Vec(x.V[3*i:3*i+3]), u.AddScaled(n*h, s.Model.Gravity), 1e-11)
	}
}

// vibrate lets a bar clamped at one end go from the deflection of its weight, without gravity, and returns after each
// step the inner product of its deflection with that of the start, which other modes than the first hardly change.
func vibrate(t *testing.T, rule timestep.Rule, elements fem.Elements, E, zeta, h, duration float64) (tip []float64) {
	mesh := must(meshes.BoxTets(r3.Vec{0.1, 0.04, 0.02}, [3]int{6, 2, 2}))
	w := newScaffold(t)
	w.Rule, w.Gravity = rule, r3.Vec{0, 0, -0.5}
	w.soft("bar", r3.Vec{0.1, 0.04, 0.02}, [3]int{6, 2, 2}, E, r3.PoseIdentity(), r3.Vec{}, w.material(1e5, 10, 0.5), damped(zeta),
		fixed(VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.0499, 1, 1}})...),
		func(s *DeformableSpec) { s.Elements = elements })
	s, x := w.build()
	if err := s.Equilibrium(x, 1); err != nil {
		t.Fatal(err)
	}
	w.Gravity = r3.Vec{}
	m := w.model()
	free, _ := start(t, m, 1)
	first := append([]float64(nil), x.Q...)
	note := func() {
		sum := 0.0
		for i, q := range m.Start.Q {
			sum += (first[i] - q) * (x.Q[i] - q)
		}
		tip = append(tip, sum)
	}
	note()
	for range int(math.Round(duration / h)) {
		if err := free.Step(x, h); err != nil {
			t.Fatal(err)
		}
		note()
	}
	return tip
}

// vibration returns frequency (Hz) and share of critical damping of a free vibration y with samples each h, by least
// squares of y_{k+1} = a y_k − b y_{k−1}.
func vibration(y []float64, h float64) (hz, zeta float64) {
	var s11, s12, s22, r1, r2 float64
	for k := 1; k+1 < len(y); k++ {
		a, b, c := y[k], y[k-1], y[k+1]
		s11, s12, s22, r1, r2 = s11+a*a, s12+a*b, s22+b*b, r1+a*c, r2+b*c
	}
	det := s11*s22 - s12*s12
	a, b := (r1*s22-r2*s12)/det, -(s11*r2-s12*r1)/det
	ln, arg := -0.5*math.Log(b), math.Acos(a/(2*math.Sqrt(b)))
	return math.Hypot(ln, arg) / h / (2 * math.Pi), ln / math.Hypot(ln, arg)
}

// A beam of 7.8 Hz has at steps of 10 ms the frequency and the damping of the rule, about those of its material; under
// Euler it has five times that damping.
func TestMidpointBeam(t *testing.T) {
	for _, elements := range []fem.Elements{fem.Tet4, fem.Hex12} {
		// scale the stiffness to 7.8 Hz
		const hz, E = 7.8, 1e5
		f0, _ := vibration(vibrate(t, midpointRule, elements, E, 0, 1e-3, 0.3), 1e-3)
		stiff := E * (hz / f0) * (hz / f0)
		omega := 2 * math.Pi * hz
		for _, c := range []struct {
			zeta, wantHz, wantZeta, tolHz, tolZeta float64
		}{
			{0, 0.97 * hz, 0.0026, 0.003 * hz, 0.0005},
			{0.056, 0.97 * hz, 0.0553, 0.003 * hz, 0.002},
		} {
			f, zeta := vibration(vibrate(t, midpointRule, elements, stiff, 2*c.zeta/omega, 0.01, 1), 0.01)
			near(t, fmt.Sprint(elements, ", frequency"), f, c.wantHz, c.tolHz)
			near(t, fmt.Sprint(elements, ", damping"), zeta, c.wantZeta, c.tolZeta)
		}
	}
}

// Bodies at rest stay so: after a second the forces of a stack of blocks do not tremble, after three no vertex moves.
func TestMidpointStackRests(t *testing.T) {
	for _, h := range []float64{0.01, 0.02} {
		w := newScaffold(t)
		w.Rule = midpointRule
		mat := w.material(1e5, 10, 0.5)
		w.ground(mat)
		for i := range 3 {
			w.soft(fmt.Sprint("block", i), r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, 1e5, at(0, 0, 0.05+0.1*float64(i)), r3.Vec{}, mat, damped(0.03))
		}
		s, x := w.build()
		for _, seconds := range []float64{1, 3} {
			run(t, s, x, h, int(math.Round(seconds/h))-x.Step)
			weight, square, fastest, sum := 3*9.81, 0.0, 0.0, 0.0
			const n = 20
			for range n {
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
				f := 0.0
				for i := range s.Report.Contacts() {
					if c := &s.Report.Contacts()[i]; c.A.Body == geometry.World || c.B.Body == geometry.World {
						f += c.Normal
					}
				}
				sum, square = sum+f, square+(f-weight)*(f-weight)
				for _, u := range x.Memory.W {
					fastest = max(fastest, math.Abs(u))
				}
			}
			t.Logf("%g s, after %g s: force %g of %g N, rms of the difference %.2g of it, fastest vertex %.2g m/s", h, seconds, sum/n, weight, math.Sqrt(square/n)/weight, fastest)
			near(t, "mean force", sum/n/weight, 1, 1e-4)
			near(t, "rms of the force", math.Sqrt(square/n)/weight, 0, 1e-3)
			if seconds == 3 {
				near(t, "velocity", fastest, 0, 1e-4)
			}
		}
	}
}

// A free body of three moments of inertia keeps its energy and its angular momentum, whatever the step.
func TestMidpointFreeSpin(t *testing.T) {
	for _, h := range []float64{0.001, 0.01, 0.1} {
		w := newScaffold(t)
		w.Rule, w.Gravity = midpointRule, r3.Vec{}
		w.body("box", w.box(0.1, 0.2, 0.3), 2, tilted(0, 0, 0), r3.Vec{3, 4, -2}, r3.Vec{1, 0, 0}, w.material(1e5, 10, 0.5))
		s, x := w.build()
		e0 := energy(s, x)
		p0, L0 := momentum(s, x)
		run(t, s, x, h, 300)
		p, L := momentum(s, x)
		near(t, "energy", energy(s, x)/e0, 1, 1e-11)
		nearVec(t, "momentum", p, p0, 1e-12*p0.Norm())
		nearVec(t, "angular momentum", L.Add(s.Model.Gravity), L0, 1e-11*L0.Norm())
	}
}

// A box that bounces undamped keeps its energy within what steps resolve, and gains none.
func TestMidpointBoxBounces(t *testing.T) {
	for _, h := range []float64{0.005, 0.01, 0.02} {
		w := newScaffold(t)
		w.Rule = midpointRule
		mat := w.material(1e4, 0, 0)
		w.ground(mat)
		w.body("box", w.box(0.1, 0.2, 0.3), 2, tilted(0, 0, 0.4), r3.Vec{1, 2, -1}, r3.Vec{}, mat)
		s, x := w.build()
		e0, most, solves, least := energy(s, x), 0.0, 0, math.Inf(1)
		const n = 400
		for range n {
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
			solves += s.Report.Solves
			s.Place(x, h)
			e := energy(s, x)
			most, least = max(most, e/e0), min(least, e/e0)
		}
		t.Logf("%g s: energy at most %.6f of the start, at the end %.4f; %.2f solves a step", h, most, energy(s, x)/e0, float64(solves)/n)
		if most > 1.004 {
			t.Errorf("%g s: the energy rises to %g", h, most)
		}
	}
}

// A ball that lands rolling, with contact so stiff and damped that the step does not resolve it, rolls without sinking
// in: the point of contact stays below it.
func TestMidpointBallRolls(t *testing.T) {
	for _, h := range []float64{1e-3, 2e-3, 5e-3} {
		w := newScaffold(t)
		w.Rule = midpointRule
		mat := w.material(1e7, 500, 0.5)
		w.ground(mat)
		w.body("ball", w.sphere(0.025), 0.5, at(0, 0, 0.03), r3.Vec{}, r3.Vec{2, 0, 0}, mat)
		s, x := w.build()
		run(t, s, x, h, int(math.Round(0.5/h)))
		near(t, fmt.Sprint(h, " s: height"), x.Q[6], 0.025, 1e-5)
		near(t, fmt.Sprint(h, " s: speed"), x.V[3], 2./7*5, 0.02)
		near(t, fmt.Sprint(h, " s: slip"), x.V[3]-0.025*x.V[1], 0, 0.02)
	}
}
