package fem

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
	"github.com/curlfree/curlfree/workers"
)

// barOf returns a bar of three cubes of 0.1 m of a kind of elements, along x.
func barOf(t testing.TB, e Elements) *meshes.Tet {
	t.Helper()
	box := boxMesh(r3.Vec{0.3, 0.1, 0.1}, 3, 1, 1)
	at := func(i, j, k int32) int32 { return (i*2+j)*2 + k }
	var hexes [][8]int32
	var wedges [][6]int32
	for i := range int32(3) {
		c := [8]int32{at(i, 0, 0), at(i+1, 0, 0), at(i+1, 1, 0), at(i, 1, 0), at(i, 0, 1), at(i+1, 0, 1), at(i+1, 1, 1), at(i, 1, 1)}
		if i == 1 { // a cube of two wedges
			wedges = append(wedges, [6]int32{c[0], c[1], c[2], c[4], c[5], c[6]}, [6]int32{c[0], c[2], c[3], c[4], c[6], c[7]})
			continue
		}
		hexes = append(hexes, c)
	}
	cells, err := meshes.FillCells(box.Verts, hexes, wedges)
	if err != nil {
		t.Fatal(err)
	}
	return meshFor(t, e, cells, box)
}

// everyBar calls check with a bar of every kind of elements.
func everyBar(t *testing.T, check func(t *testing.T, mesh *meshes.Tet, e Elements)) {
	t.Helper()
	for _, e := range kindsOfElements() {
		t.Run(string(e), func(t *testing.T) { check(t, barOf(t, e), e) })
	}
}

// A body that falls and tumbles follows the parabola exactly, also with damping of strain.
func TestMidpointFreeFallIsExact(t *testing.T) {
	g, v0, h := r3.Vec{0.3, -0.2, -9.81}, r3.Vec{1, 2, 3}, 0.01
	everyBar(t, func(t *testing.T, mesh *meshes.Tet, e Elements) {
		for name, law := range quadraticLaws(t, 1e5, 0.3) {
			w := newMidWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, Elements: e, StiffnessDamping: 1e-3}))
			if name != "linear" {
				w.turn(r3.Vec{3, 10, -5})
			}
			for i := range w.v {
				w.v[i] += v0[i%3]
			}
			w.d.Place(w.x)
			c0, end := w.d.CenterOfMass(), 0.0
			for range 50 {
				w.step(h, g)
				end += h
				want := c0.AddScaled(end, v0).AddScaled(0.5*end*end, g)
				if d := w.d.CenterOfMass().Sub(want).Norm(); d > 1e-12 {
					t.Fatalf("%s: the centre of mass is off the parabola by %g m after %g s", name, d, end)
				}
			}
		}
	})
}

// Steps of a tet of which one vertex moves in one direction are those of an oscillator: values by an independent
// implementation in Python (numpy), e = δ = 0.05, from x = 1 at rest: x, v and w after each of three steps of 10 ms.
func TestMidpointStepsOfOneMode(t *testing.T) {
	for _, c := range []struct {
		hz, zeta float64
		want     [3][3]float64
	}{
		{7.8, 0.056, [3][3]float64{
			{0.8895684864000796, -22.086302719984083, -11.043151359992041},
			{0.5920983993889315, -38.0227047511294, -29.747008701114805},
			{0.181849376654049, -44.93000952188598, -41.02490227348825},
		}},
		{1000, 0, [3][3]float64{
			{-0.9979756274453868, -399.59512548907736, -199.79756274453868},
			{0.6303490962104352, 586.6736773840239, 162.8324723655822},
			{-0.36237970540998166, -570.8410815294496, -99.27288016204169},
		}},
	} {
		// m = ρV/10 and k = V (λ + 2μ) = 2V μ for Poisson's ratio 0: ω² = 20 μ/ρ
		omega := 2 * math.Pi * c.hz
		for name, law := range quadraticLaws(t, omega*omega/10, 0) {
			const amplitude = 0.1
			w := newMidWorld(mustModel(t, Spec{Mesh: unitTet(), Law: law, Density: 1, Elements: Tet4, Fixed: []int32{0, 1, 2},
				MassDamping: c.zeta * omega, StiffnessDamping: c.zeta / omega}))
			w.x[11] += amplitude
			for i, want := range c.want {
				w.step(0.01, r3.Vec{})
				for j, got := range []float64{w.x[11] - 1, w.v[11], w.next[2]} {
					if math.Abs(got/amplitude-want[j]) > 2e-12*math.Max(1, math.Abs(want[j])) {
						t.Errorf("%s, %g Hz, step %d: number %d is %.17g, want %.17g", name, c.hz, i+1, j, got/amplitude, want[j])
					}
				}
			}
		}
	}
}

// A cantilever of 7.8 Hz with 5.6 % of damping in steps of 10 ms has the damping and the frequency of an oscillator,
// and with none ζ = ½ e (ω h)³; errors fall with the square of the step.
func TestMidpointDampingOfACantilever(t *testing.T) {
	const hz, h = 7.8, 0.01
	mesh := boxMesh(r3.Vec{0.1, 0.02, 0.02}, 5, 1, 1)
	fixed := where(mesh, func(p r3.Vec) bool { return p[0] == 0 })
	for name, law := range quadraticLaws(t, 1e5, 0.3) {
		// the density for the frequency
		K, M := stiffness(newWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, Fixed: fixed})))
		omega2, shapes := modes(t, K, M)
		omega := 2 * math.Pi * hz
		density := 1000 * omega2[0] / (omega * omega)
		for _, zeta := range []float64{0, 0.056} {
			var got [5][2]float64 // at 10, 5 … 0.625 ms
			for i := range got {
				w := newMidWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: density, Fixed: fixed, StiffnessDamping: 2 * zeta / omega}))
				most := 0.0
				for k := range w.d.model.vertex {
					most = math.Max(most, math.Abs(shapes.At(3*k+1, 0)))
				}
				for k, v := range w.d.model.vertex {
					for c := range 3 {
						w.x[3*int(v)+c] += 1e-6 * shapes.At(3*k+c, 0) / most
					}
				}
				// the tip as a sum of samples
				var tip []float64
				last := 3*int(w.d.model.vertex[len(w.d.model.vertex)-1]) + 1
				rest := mesh.Verts[last/3][1]
				for range 200 << i {
					w.step(h/float64(int(1)<<i), r3.Vec{})
					tip = append(tip, w.x[last]-rest)
				}
				got[i][0], got[i][1] = decay(tip[1:], h/float64(int(1)<<i))
			}
			order := math.Log2((got[0][1]/hz-1)/(got[4][1]/hz-1)) / 4
			t.Logf("%s, ζ %g: ζ and f (Hz) at 10 to 0.6 ms: %.5f; order %.3f", name, zeta, got, order)
			if !(order >= 1.85) {
				t.Errorf("%s, ζ %g: the frequency is of order %.3f", name, zeta, order)
			}
			want, tol := 0.0553, 0.002
			if zeta == 0 {
				want, tol = 0.0026, 0.0005
			}
			if math.Abs(got[0][0]-want) > tol || math.Abs(got[0][1]/hz-0.970) > 0.003 {
				t.Errorf("%s: at 10 ms ζ is %g, want %g, and the frequency %g Hz, want 3.0 %% less than %g", name, got[0][0], want, got[0][1], hz)
			}
			if e1, e2 := got[1][1]/hz-1, got[2][1]/hz-1; !(math.Abs(e1) > 3.5*math.Abs(e2)) {
				t.Errorf("%s: the error of the frequency is %g at 5 ms, %g at 2.5 ms", name, e1, e2)
			}
		}
	}
}

// decay returns the damping ratio and the undamped frequency (Hz) of samples of a decaying oscillation, from its second
// difference equation x₊ = a x − b x₋, b = exp(−2ζωh), a = 2 √b cos(ω√(1 − ζ²) h).
func decay(x []float64, h float64) (zeta, hz float64) {
	var xx, xy, yy, xz, yz float64
	for i := 2; i < len(x); i++ {
		p, q, r := x[i-1], x[i-2], x[i]
		xx, xy, yy, xz, yz = xx+p*p, xy+p*q, yy+q*q, xz+p*r, yz+q*r
	}
	det := xx*yy - xy*xy
	a, b := (xz*yy-yz*xy)/det, -(yz*xx-xz*xy)/det
	decay, turn := -0.5*math.Log(b)/h, math.Acos(a/(2*math.Sqrt(b)))/h
	omega := math.Hypot(decay, turn)
	return decay / omega, omega / (2 * math.Pi)
}

// The energy of a linear body, of loads, of both dampings and of what the damping of changes stores adds up to
// round-off, for any steps and velocities, and what the damping takes is not negative.
func TestMidpointLedgerOfLinearBodies(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	g := r3.Vec{1, 2, -9.81}
	everyBar(t, func(t *testing.T, mesh *meshes.Tet, e Elements) {
		law := quadraticLaws(t, 1e5, 0.3)["linear"]
		for _, fixed := range [][]int32{nil, {0, 1, 5}} {
			w := newMidWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, Elements: e, Fixed: fixed, MassDamping: 0.3, StiffnessDamping: 1e-3}))
			w.shake(1, 0.003, 1)
			for _, v := range fixed {
				clear(w.v[3*v : 3*v+3])
			}
			total := func() float64 { return w.energy() + w.d.PotentialEnergy(g) }
			scale := math.Abs(total()) + w.energy()
			for i := range 30 {
				before := total()
				w.step(0.02*math.Pow(2, 4*r.Float64()-2), g)
				l := w.ledger
				rest := total() + l.End - before - l.Start + l.Numerical + l.Viscous
				// the weight of fixed vertices is no part of the motion, and their positions stay
				if math.Abs(rest) > 1e-12*scale {
					t.Fatalf("step %d: %g J of %g are left over", i, rest, scale)
				}
				if l.Numerical < 0 || l.Viscous < 0 {
					t.Fatalf("step %d: damping takes %g J and %g J", i, l.Numerical, l.Viscous)
				}
			}
		}
	})
}

// Momentum changes by the impulses of gravity and supports to round-off, also where vertices are fixed.
func TestMidpointMomentumAndReactions(t *testing.T) {
	g, h, alpha := r3.Vec{1, 2, -9.81}, 0.01, 0.4
	everyBar(t, func(t *testing.T, mesh *meshes.Tet, e Elements) {
		for name, law := range quadraticLaws(t, 1e5, 0.3) {
			for _, fixed := range [][]int32{nil, {0, 1, 5}} {
				w := newMidWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, Elements: e, Fixed: fixed, MassDamping: alpha, StiffnessDamping: 1e-3}))
				w.shake(1, 0.002, 1)
				for _, v := range fixed {
					clear(w.v[3*v : 3*v+3])
				}
				reactions := make([]r3.Vec, w.d.model.NumVerts())
				all := make([]float64, len(w.v))
				for i := range 20 {
					before := w.d.Momentum(w.v)
					w.step(h, g)
					clear(reactions)
					w.d.AddReactions(&w.p, w.next, reactions)
					for i, n := range w.d.model.node {
						if n >= 0 {
							copy(all[3*i:3*i+3], w.next[3*n:3*n+3])
						}
					}
					want := before.AddScaled(h*w.d.model.mass, g).AddScaled(-h*alpha, w.d.Momentum(all))
					for _, y := range reactions {
						want = want.Add(y)
					}
					if d := w.d.Momentum(w.v).Sub(want).Norm(); d > 1e-12*(1+before.Norm()) {
						t.Fatalf("%s, %d fixed, step %d: momentum is off by %g N s", name, len(fixed), i, d)
					}
				}
			}
		}
	})
}

// What the rule does not integrate is refused.
func TestMidpointRefusesNonlinearLaws(t *testing.T) {
	m := mustModel(t, Spec{Mesh: unitTet(), Law: neoHookean(t, 1e5, 0.3), Density: 1})
	if m.MidpointFault() == nil {
		t.Error("a nonlinear law is no fault")
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a step of a nonlinear law does not panic")
			}
		}()
		m.NewData().Integrate(timestep.Rule{Midpoint: true}.Step(0.01, timestep.Memory{}, 0))
	}()
	w := newMidWorld(mustModel(t, Spec{Mesh: unitTet(), Law: rubber(t, 0.3), Density: 1}))
	if err := w.d.model.MidpointFault(); err != nil {
		t.Error(err)
	}
	w.step(0.01, r3.Vec{})
	n := make([]float64, 12)
	if w.d.FreeMotionAdjoint(0.01, w.x, w.v, w.next, n, nil, n, n) {
		t.Error("the adjoint takes a step of the midpoint rule")
	}
}

// Steps have the same bits for any number of workers and whatever was stepped before, and allocate nothing.
func TestMidpointStepsAreReproducible(t *testing.T) {
	for _, e := range kindsOfElements() {
		kind, _ := ElementKinds.New(e.String())
		mesh := kind.Mesh(mixedMesh(t, 4, 0.1))
		if kind.TakesMesh(mesh) != nil {
			mesh = kind.Mesh(boxMesh(r3.Vec{0.2, 0.1, 0.1}, 4, 3, 3))
		}
		m := mustModel(t, Spec{Mesh: mesh, Law: rubber(t, 0.4), Density: 1000, Elements: e, StiffnessDamping: 1e-3, MassDamping: 0.1})
		var want string
		for n, threads := range []int{1, 4, 2, 2} {
			w := newMidWorld(m)
			w.pool = workers.NewPool(threads)
			if n == 3 { // after another motion
				w.shake(9, 0.01, 30)
				w.step(0.02, r3.Vec{})
				w.x, w.memory, w.before = flat(mesh.Verts), timestep.Memory{}, 0
			}
			w.most = 3
			w.shake(1, 0.0003, 10)
			w.turn(r3.Vec{20, 5, 3})
			passes := 0
			for range 3 {
				passes += w.step(0.01, r3.Vec{0, 0, -9.81})
			}
			got := fmt.Sprintf("%x %x %x %v", w.x, w.v, w.memory, w.ledger)
			if passes < 4 {
				t.Fatalf("%s: %d passes in 3 steps are no test of further ones", e, passes)
			}
			if want == "" {
				want = got
			} else if got != want {
				t.Errorf("%s: run %d with %d workers has other bits", e, n, threads)
			}
			if threads == 2 {
				next := append([]float64(nil), w.next...)
				if n := alloctest.PerRun(10, func() {
					w.d.Integrate(w.rule.Step(0.01, w.memory, w.before))
					w.d.Place(w.x)
					w.p.Reset(0, 0.01)
					w.d.Linearize(0.01, r3.Vec{}, w.x, w.v, w.pool, &w.p)
					w.d.LinearizationError(next, true, w.pool, &w.p)
					w.d.Relinearize(next, w.pool, &w.p)
					w.d.EnergyRise(next, 0, w.pool, &w.p)
					w.d.EndVelocities(next, next)
					w.d.Advance(0.01, next, w.x, w.v, w.memory)
				}); n != 0 {
					t.Errorf("%s: %v allocations in a step", e, n)
				}
			}
			w.pool.Close()
		}
	}
}
