package fem

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// The conformance suite of finite elements, part two: steps of bodies of every registered kind.
// element_conformance_test.go has part one, what is true for each element.

// A free bar spins: momentum stays to round-off, angular momentum to second order in the
// step, at most twice what linear tets lose, and 1e-4 in 60 steps with vibration.
func TestSpinningElementsKeepMomentum(t *testing.T) {
	for _, vibrate := range []bool{false, true} {
		tet := spinDrift(t, Tet4, vibrate, 5e-3)
		for _, e := range kindsOfElements() {
			coarse, fine := spinDrift(t, e, vibrate, 5e-3), spinDrift(t, e, vibrate, 2.5e-3)
			t.Logf("%s, vibrating %t: angular momentum drifts by %.2e, at half the step %.2e; tets %.2e", e, vibrate, coarse, fine, tet)
			// forces of linear tets have no moment about x wherever y is, those of others at y = x only
			if coarse > max(2*tet, 1e-4) || !vibrate && fine > coarse/2 {
				t.Errorf("%s, vibrating %t: angular momentum drifts by %.2e, at half the step %.2e; tets %.2e", e, vibrate, coarse, fine, tet)
			}
		}
	}
}

// In steps that resolve the vibration of the bar, hexahedra lose no more angular momentum than linear tets. What is
// lost is the moment Σ u(x)×K0 (u(y) − u(x)) of the linear model about the start, a product of two strains. In steps
// of 5 ms the bar of hexahedra, which bends as it should, stores three times the energy of the tets, whose
// bending is too stiff and too fast for the step, and loses 7e-5 where they lose 3e-5.
func TestVibratingHexahedraKeepMomentumAsTetsDo(t *testing.T) {
	const h = 1.25e-3
	tet, hex := spinDrift(t, Tet4, true, h), spinDrift(t, Hex12, true, h)
	if t.Logf("angular momentum drifts by %.3g, of tets %.3g", hex, tet); hex > 1.05*tet {
		t.Errorf("angular momentum drifts by %.3g, of tets %.3g", hex, tet)
	}
}

// spinDrift returns the relative drift of the angular momentum of a spinning bar in 0.3 s.
func spinDrift(t *testing.T, e Elements, vibrate bool, h float64) float64 {
	t.Helper()
	mesh, err := meshes.BoxTets(r3.Vec{0.06, 0.01, 0.01}, [3]int{6, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	mesh = meshFor(t, e, mesh)
	law, _ := NewCorotational(1e6, 0.3)
	w := newWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, Elements: e}))
	for i, p := range w.d.Positions() {
		v := r3.Vec{2, 3, 20}.Cross(p)
		if vibrate {
			v[2] += 0.3 * math.Cos(40*math.Pi*p[0])
		}
		copy(w.v[3*i:], v[:])
	}
	momentum, angular := w.d.Momentum(w.v), w.d.AngularMomentum(r3.Vec{}, w.v)
	for range int(math.Round(0.3 / h)) {
		w.step(h, r3.Vec{})
	}
	if d := w.d.Momentum(w.v).Sub(momentum).Norm(); d > 1e-12 {
		t.Errorf("%s: momentum drifts by %g N s", e, d)
	}
	return w.d.AngularMomentum(r3.Vec{}, w.v).Sub(angular).Norm() / angular.Norm()
}

// The same bits for any number of workers and whatever the scratch contained, and a step with
// reports allocates nothing.
func TestStepsOfElementsAreReproducible(t *testing.T) {
	box, err := meshes.BoxTets(r3.Vec{0.2, 0.1, 0.1}, [3]int{10, 5, 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range kindsOfElements() {
		mesh := meshFor(t, e, strayedBox(t, 4, 0.2), box)
		t.Run(e.String(), func(t *testing.T) {
			m := mustModel(t, Spec{Mesh: mesh, Law: rubber(t, 0.45), Density: 1000, StiffnessDamping: 0.01, MassDamping: 0.1, Elements: e})
			checkSameBits(t, m, 0.003, 0.05)
			checkNoAllocations(t, m)
			// Newton's method on fewer elements, in more than one chunk, that it does not turn inside out
			if box, err = meshes.BoxTets(r3.Vec{0.2, 0.1, 0.1}, [3]int{6, 4, 4}); e == Tet10 {
				box, err = meshes.BoxTets(r3.Vec{0.2, 0.1, 0.1}, [3]int{4, 2, 2})
			}
			if err != nil {
				t.Fatal(err)
			}
			m = mustModel(t, Spec{Mesh: meshFor(t, e, box), Law: neoHookean(t, 1e5, 0.4), Density: 1000, StiffnessDamping: 0.01, MassDamping: 0.1, Elements: e})
			checkSameBits(t, m, 1e-4, 1e-3)
			checkNoAllocations(t, m)
		})
	}
}

// checkSameBits steps a body whose vertices stray by a size (m) with one to four workers, each
// twice, and with others between, which stray far.
func checkSameBits(t *testing.T, m *Model, size, far float64) {
	t.Helper()
	var want string
	for _, n := range []int{1, 2, 4} {
		w := newWorld(m)
		w.pool = workers.NewPool(n)
		for round := range 2 {
			w.x, w.v = flat(m.Mesh().Verts), make([]float64, len(w.v))
			w.shake(1, size, 1)
			w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
			got := fmt.Sprintf("%x %x %x %x", w.p.Cliques[0].A, w.p.P, w.p.V0, w.d.StartEnergy())
			if want == "" {
				want = got
			} else if got != want {
				t.Errorf("%d workers, round %d: other bits", n, round)
			}
			w.shake(2, far, 3)
			w.freeMotion(0.02, r3.Vec{})
		}
		w.pool.Close()
	}
}

// checkNoAllocations steps a body with all reports.
func checkNoAllocations(t *testing.T, m *Model) {
	t.Helper()
	w := newWorld(m)
	w.shake(1, 0.001, 0.1)
	next := make([]float64, m.Dofs())
	var dst []float64
	step := func() {
		w.d.Place(w.x)
		w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
		w.d.LinearizationError(next, true, nil, &w.p)
		w.d.Relinearize(next, nil, &w.p)
		dst = w.d.VonMises(dst)
		_ = w.d.ElasticEnergy() + w.d.KineticEnergy(w.v) + w.d.MaxVonMises()
		_, _ = w.d.Stretch()
		_ = w.d.AngularMomentum(r3.Vec{}, w.v)
	}
	step()
	if n := alloctest.PerRun(5, step); n != 0 {
		t.Errorf("%v allocations per step", n)
	}
}

// Rigid motion has the momenta and energy of the block; negative row sums of the mass of
// ten-node tets integrate them exactly.
func TestReportsOfElementsInRigidMotion(t *testing.T) {
	for _, e := range kindsOfElements() {
		mesh := meshFor(t, e, strayedBox(t, 2, 0.2), mixedMesh(t, 3, 0))
		w := newWorld(mustModel(t, Spec{Mesh: mesh, Law: rubber(t, 0.3), Density: 6, Elements: e}))
		omega, u := r3.Vec{1, -2, 3}, r3.Vec{0.5, 0.25, -1}
		c := r3.Vec{0.5, 0.5, 0.5}
		for i, p := range w.d.Positions() {
			v := u.Add(omega.Cross(p.Sub(c)))
			copy(w.v[3*i:], v[:])
		}
		// I = m/6 for a unit cube
		if d := w.d.CenterOfMass().Sub(c).Norm(); d > 1e-14 {
			t.Errorf("%s: centre of mass off by %g", e, d)
		}
		if d := w.d.Momentum(w.v).Sub(u.Scale(6)).Norm(); d > 1e-13 {
			t.Errorf("%s: momentum off by %g", e, d)
		}
		if d := w.d.AngularMomentum(c, w.v).Sub(omega).Norm(); d > 1e-13 {
			t.Errorf("%s: angular momentum off by %g", e, d)
		}
		want := 3*u.Norm2() + 0.5*omega.Norm2()
		if got := w.d.KineticEnergy(w.v); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: kinetic energy %g, want %g J", e, got, want)
		}
		if got := w.d.LumpedKineticEnergy(w.v); got < want*(1-1e-12) {
			t.Errorf("%s: the bound of the kinetic energy %g is below %g J", e, got, want)
		}
		if least, most := w.d.Stretch(); math.Abs(least-1)+math.Abs(most-1) > 1e-12 || w.d.MaxVonMises() > 1e-8 || w.d.Inverted() != 0 {
			t.Errorf("%s at rest: stretches %g to %g, stress %g Pa", e, least, most, w.d.MaxVonMises())
		}
	}
}
