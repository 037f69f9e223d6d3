package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// room closes the ground to a box of the given size (m) of six planes.
func (w *scaffold) room(size float64, mat int) {
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			var turn, place r3.Vec
			switch place[axis] = side * size / 2; axis {
			case 0:
				turn[1] = -side * math.Pi / 2
			case 1:
				turn[0] = side * math.Pi / 2
			case 2:
				turn[0] = (1 + side) * math.Pi / 2
			}
			w.geom(geometry.World, r3.Pose{R: r3.RotExp(turn), P: place}, geometry.HalfSpace{}, mat)
		}
	}
}

// contactEnergy returns the energy that contacts stored at the start of the last step, J.
func (s *Stepper) contactEnergy() (e float64) {
	for i := range s.Report.Contacts() {
		c := &s.Report.Contacts()[i].Contact
		e += s.storedEnergy(c, c.Phi)
	}
	return e
}

// Undamped soft blocks that bounce in a box, of random stiffness, contact and step, gain no energy: that of motion,
// weight and strain, and Π of (120) in docs/theory.md (of a corotational law of Δv alone). With what contacts store
// at their gaps of the start it is bounded less closely: gaps of contacts that are found again at the solved end are
// those of the division of faces there, by which U_c is off in steps of first touches.
func TestMidpointBlocksInABoxGainNoEnergy(t *testing.T) {
	seed, n := impacts(t, 12, 120)
	for _, law := range []struct {
		name            string
		make            func(E float64) fem.ConstitutiveLaw
		bound, contacts float64
	}{
		{"linear", func(E float64) fem.ConstitutiveLaw { return must(fem.NewLinear(E, 0.3)) }, 1.001, 1.002},
		{"corotational", func(E float64) fem.ConstitutiveLaw { return must(fem.NewCorotational(E, 0.3)) }, 1.01, 1.01},
	} {
		worst, most, contacts, parts := 0.0, 0.0, 0, 0
		for i := range n {
			r := rand.New(rand.NewPCG(seed, i))
			w := newScaffold(t)
			w.Rule = midpointRule
			k, E, h := math.Pow(10, 3+3*r.Float64()), math.Pow(10, 4+3*r.Float64()), math.Pow(10, -3+1.3*r.Float64())
			mat := w.material(k, 0, 0)
			w.room(0.2, mat)
			u := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			X := r3.Pose{R: r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})}
			if law.name == "linear" { // which does not turn
				X.R = r3.Identity()
			}
			w.soft("block", r3.Vec{0.08, 0.07, 0.06}, [3]int{2, 2, 2}, E, X, u, mat, func(s *DeformableSpec) { s.Law = law.make(E) })
			s, x := w.build()
			const floor = -0.336 * 9.81 * 0.1 // the block at the bottom: E is not negative
			first := energy(s, x) - floor
			scale := first
			for range 100 {
				before := energy(s, x) - floor
				stored := 0.0
				if len(x.Memory.W) > 0 {
					stored = w.Rule.Damping * s.KineticEnergy(&State{Q: x.Q, V: x.Memory.DV})
					if law.name == "linear" {
						// ½ e h² |w|²_K is e times the elastic energy of the displacement h w
						moved := x.Clone()
						for j, rest := range s.Model.Start.Q {
							moved.Q[j] = rest + x.Memory.H*x.Memory.W[j]
						}
						s.Place(moved, h)
						stored += w.Rule.Damping * s.elasticEnergy()
					}
				}
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
				total, withContacts := before+stored, before+stored
				if s.Report.Parts == 0 { // else contacts are those of parts of the step
					withContacts += s.contactEnergy()
				}
				contacts += len(s.Report.Contacts())
				parts += s.Report.Parts
				worst, most = math.Max(worst, total/scale), math.Max(most, withContacts/scale)
				if total > law.bound*scale || withContacts > law.contacts*scale {
					t.Errorf("%s, %d: k %.3g N/m, E %.3g Pa, h %.3g s: E + Π rises from %.5g to %.5g J, with contacts to %.5g J", law.name, i, k, E, h, scale, total, withContacts)
					break
				}
				s.Place(x, h)
			}
		}
		t.Logf("%s: at most %.6f of the start, with contacts %.6f, %d contacts, %d parts of steps", law.name, worst, most, contacts, parts)
		if contacts < int(100*n) {
			t.Errorf("%s: only %d contacts", law.name, contacts)
		}
	}
}

// onAPad returns a pad of linear tetrahedra that is fixed below, and a rigid block of mass m (kg) on all of its upper
// face.
func onAPad(t *testing.T, E, m float64) (*Stepper, *State, int) {
	mesh := must(meshes.BoxTets(r3.Vec{0.06, 0.06, 0.04}, [3]int{2, 2, 2}))
	w := newScaffold(t)
	w.Rule, w.Gravity = midpointRule, r3.Vec{}
	mat := w.material(1e5, 0, 0.5)
	block := w.body("payload", w.box(0.06, 0.06, 0.02), m, at(0, 0, 0.05), r3.Vec{}, r3.Vec{}, mat)
	below := VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{1, 1, -0.0199}})
	above := VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, 0.0199}, Max: r3.Vec{1, 1, 1}})
	w.soft("pad", r3.Vec{0.06, 0.06, 0.04}, [3]int{2, 2, 2}, E, at(0, 0, 0.02), r3.Vec{}, mat, func(s *DeformableSpec) {
		s.Attach = append(s.Attach, AttachSpec{Body: worldName, Verts: below}, AttachSpec{Body: "payload", Verts: above})
	})
	s, x := w.build()
	return s, x, block
}

// A rigid payload on a soft pad without damping vibrates with that of the rule alone, ½ e (ωh)³, whatever of its mass
// is in either body.
func TestMidpointPayloadOnASoftPad(t *testing.T) {
	const h, hz = 0.01, 7.8
	for _, m := range []float64{0.5, 1, 3} {
		heights := func(E, h float64, n int) (z []float64) {
			s, x, block := onAPad(t, E, m)
			s.Place(x, h)
			rest := s.kin.Pose(block).P[2]
			x.V[5] = 0.02 // a blow
			for range n {
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
				s.Place(x, h)
				z = append(z, s.kin.Pose(block).P[2]-rest)
			}
			return z
		}
		f0, _ := vibration(heights(2e4, 5e-4, 800), 5e-4)
		f, zeta := vibration(heights(2e4*(hz/f0)*(hz/f0), h, 100), h)
		t.Logf("%g kg: %.3f Hz in small steps, %.3f Hz and ζ %.5f at 10 ms", m, f0, f, zeta)
		near(t, "damping", zeta, 0.0026, 0.0005)
		near(t, "frequency", f, 0.97*hz, 0.003*hz)
	}
}

// Two soft bodies and a rigid one that collide, rub and part keep the sum of their momenta to round-off.
func TestMidpointMomentumOfSoftAndRigidBodies(t *testing.T) {
	for _, h := range []float64{1e-3, 1e-2} {
		w := newScaffold(t)
		w.Rule, w.Gravity = midpointRule, r3.Vec{}
		mat := w.material(1e4, 5, 0.5)
		w.body("box", w.box(0.1, 0.1, 0.1), 1, tilted(-0.12, 0.01, 0), r3.Vec{1, 2, -1}, r3.Vec{1.5, 0, 0.2}, mat)
		w.soft("cube", r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, 5e4, at(0.02, 0, 0), r3.Vec{0, 0.1, 0}, mat, damped(1e-3))
		w.soft("bar", r3.Vec{0.1, 0.05, 0.05}, [3]int{2, 1, 1}, 2e5, at(0.2, 0.01, 0.01), r3.Vec{-1, 0, 0}, mat)
		s, x := w.build()
		s.Place(x, h)
		p0, _ := momentum(s, x)
		scale, touched := 0.0, 0
		for _, m := range []float64{1 * 1.5, 0.25 * 1} {
			scale += m
		}
		for range int(0.4 / h) {
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
			for i := range s.Report.Contacts() {
				if s.Report.Contacts()[i].Normal > 0 {
					touched++
				}
			}
			s.Place(x, h)
			if p, _ := momentum(s, x); !(p.Sub(p0).Norm() <= 1e-12*scale) {
				t.Fatalf("%g s, step %d: momentum changes by %g N s of %g", h, x.Step, p.Sub(p0).Norm(), scale)
			}
		}
		if touched < 50 {
			t.Errorf("%g s: %d contacts with force", h, touched)
		}
	}
}

// A nearly incompressible beam with a weight on the upper edge of its tip falls from the horizontal and swings without
// gaining energy: false strains of volume count by their energy.
func TestMidpointBeamThatKeepsItsVolume(t *testing.T) {
	const h = 0.01
	mesh := must(meshes.BoxTets(r3.Vec{0.1, 0.03, 0.03}, [3]int{8, 2, 2}))
	w := newScaffold(t)
	w.Rule = midpointRule
	mat := w.material(1e5, 0, 0.5)
	w.body("weight", w.sphere(0.005), 0.052, at(0.1, 0, 0.015), r3.Vec{}, r3.Vec{}, mat)
	root := VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.0499, 1, 1}})
	edge := VertsWithin(mesh, r3.Box{Min: r3.Vec{0.0499, -1, 0.0149}, Max: r3.Vec{1, 1, 1}})
	w.soft("beam", r3.Vec{0.1, 0.03, 0.03}, [3]int{8, 2, 2}, 1e5, at(0.05, 0, 0), r3.Vec{}, mat, func(s *DeformableSpec) {
		s.Elements, s.Law = fem.Hex12, must(fem.NewCorotational(263824, 0.499))
		s.Attach = append(s.Attach, AttachSpec{Body: worldName, Verts: root}, AttachSpec{Body: "weight", Verts: edge})
	})
	s, x := w.build()
	s.Place(x, h)
	first, most, fastest, solves := energy(s, x), math.Inf(-1), 0.0, 0
	const n = 60
	for range n {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		solves += s.Report.Solves
		s.Place(x, h)
		most, fastest = math.Max(most, energy(s, x)-first), math.Max(fastest, s.KineticEnergy(x))
	}
	t.Logf("the energy rises by %.2g J, of %.2g J of motion; %.2f solves a step", most, fastest, float64(solves)/n)
	if !(fastest > 5e-3) || most > 0.02*fastest {
		t.Errorf("the energy rises by %g J, of %g J of motion", most, fastest)
	}
}
