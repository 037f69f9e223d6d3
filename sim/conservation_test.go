package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// After n steps v = v0 + n h g and p = p0 + n h v0 + ½ n (n+1) h² g.
func TestFreeFallIsExact(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	u := r3.Vec{1, -2, 3}
	b := w.body("box", w.box(0.1, 0.2, 0.3), 2, at(0, 0, 10), r3.Vec{}, u, mat)
	d := w.soft("cube", r3.Vec{0.1, 0.1, 0.1}, [3]int{3, 3, 3}, 1e5, at(5, 0, 10), u, mat)
	s, x := w.build()
	const h, n = 0.01, 100
	start := append([]float64(nil), x.Q...)
	run(t, s, x, h, n)
	fall := u.Scale(n*h).AddScaled(0.5*n*(n+1)*h*h, s.Model.Gravity)
	v := u.AddScaled(n*h, s.Model.Gravity)
	nearVec(t, "box", s.kin.Pose(b).P, r3.Vec{0, 0, 10}.Add(fall), 1e-13*30)
	nearVec(t, "velocity of the box", r3.Vec(x.V[3:6]), v, 1e-13)
	nq, nv := s.Model.RigidSize()
	for i := range s.Model.Deformables[0].NumVerts() {
		nearVec(t, "vertex", s.kin.Vertex(d, int32(i)), r3.Vec(start[nq+3*i:nq+3*i+3]).Add(fall), 1e-11)
		nearVec(t, "velocity of the vertex", r3.Vec(x.V[nv+3*i:nv+3*i+3]), v, 1e-11)
	}
}

func tilted(x, y, z float64) r3.Pose {
	return r3.Pose{R: r3.RotRPY(0.3, 0.2, 0.4), P: r3.Vec{x, y, z}}
}

// collisions are pairs about to meet in empty space.
var collisions = map[string]func(w *scaffold, mat int){
	"rigid on rigid": func(w *scaffold, mat int) {
		w.body("a", w.box(0.1, 0.1, 0.1), 1, tilted(0, 0, 0), r3.Vec{1, 2, 3}, r3.Vec{}, mat)
		w.body("b", w.sphere(0.05), 1, at(0.14, 0.02, 0.01), r3.Vec{}, r3.Vec{-1, 0, 0}, mat)
	},
	"rigid on deformable": func(w *scaffold, mat int) {
		w.body("ball", w.sphere(0.05), 0.5, at(-0.12, 0.03, 0.01), r3.Vec{0, 0, 3}, r3.Vec{1, 0, 0}, mat)
		w.soft("cube", r3.Vec{0.1, 0.1, 0.1}, [3]int{3, 3, 3}, 1e5, tilted(0, 0, 0), r3.Vec{}, mat)
	},
	"deformable on deformable": func(w *scaffold, mat int) {
		w.soft("a", r3.Vec{0.1, 0.1, 0.1}, [3]int{3, 3, 3}, 1e5, tilted(0, 0, 0), r3.Vec{}, mat)
		w.soft("b", r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, 2e5, at(0.15, 0.03, 0.01), r3.Vec{-1, 0, 0}, mat)
	},
}

// collide returns the largest change of both momenta, relative, in 0.1 s.
func collide(t *testing.T, law constraints.ContactModel, scene func(*scaffold, int), h float64) (dp, dL float64) {
	w := newScaffold(t)
	w.Gravity, w.Contact = r3.Vec{}, law
	scene(w, w.material(1e4, 10, 0.5))
	s, x := w.build()
	p0, L0 := momentum(s, x)
	var pushed float64
	for range int(math.Round(0.1 / h)) {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		if len(s.deformables) < 2 {
			closed(t, s) // the scene is where the step began
		}
		for i := range s.Report.Contacts() {
			pushed += s.Report.Contacts()[i].Normal
		}
		s.Place(x, h)
		p, L := momentum(s, x)
		dp, dL = max(dp, p.Sub(p0).Norm()/p0.Norm()), max(dL, L.Sub(L0).Norm()/L0.Norm())
	}
	if pushed == 0 {
		t.Fatal("they never met")
	}
	return dp, dL
}

// closed fails unless no impulse of the step has power in a motion of everything
// as one rigid body: the impulses of constraints have neither resultant nor moment.
func closed(t *testing.T, s *Stepper) {
	t.Helper()
	u, om := r3.Vec{0.3, -0.5, 0.7}, r3.Vec{-2, 3, 1}
	p := &s.Problem
	v := make([]float64, p.Size())
	x := make([]float64, 0, len(v))
	// free bodies and vertices only: their velocities in world axes
	for i := range s.Model.Geometry.NumRigid {
		at := u.Add(om.Cross(s.Geometry.X_WB[i].P))
		x = append(append(x, om[:]...), at[:]...)
	}
	for _, verts := range s.Geometry.X_W {
		for _, q := range verts {
			at := u.Add(om.Cross(q))
			x = append(x, at[:]...)
		}
	}
	copy(v, x)
	for h := range p.Constraints {
		for row := range p.Constraints[h].Dim {
			g := p.Impulse(cliques.Handle(h))[row]
			sum, size := 0.0, 0.0
			for _, b := range p.Blocks(cliques.Handle(h)) {
				n := p.NodeSize[b.Node]
				for k := range n {
					c := g * b.J[row*n+k] * v[p.NodeOffset[b.Node]+k]
					sum, size = sum+c, size+math.Abs(c)
				}
			}
			if !(math.Abs(sum) <= 1e-12*(math.Abs(g)+size)) {
				t.Fatalf("impulse %d of constraint %d moves all as one: %g of %g", row, h, sum, size)
			}
		}
	}
}

// Contact acts on one line: momentum is kept to round-off, angular momentum of
// rigid bodies too. A deformable holds its elements' frames during the step, so
// that the change of strain by contact has a moment of second order in the
// strain: its angular momentum is kept to O(h). Two deformables touch at one point, to
// which the tetrahedron of one of them is continued over a gap or overlap.
func TestCollisionsConserveMomentum(t *testing.T) {
	long(t)
	for name, scene := range collisions {
		for _, law := range []constraints.ContactModel{constraints.Lagged{}, constraints.SAP{Beta: 1}, constraints.Lagged{Normal: constraints.IPC{}}} {
			t.Run(fmt.Sprintf("%s/%+v", name, law), func(t *testing.T) {
				dp, dL := collide(t, law, scene, 0.5e-3)
				near(t, "change of momentum", dp, 0, 1e-14)
				if name == "rigid on rigid" {
					near(t, "change of angular momentum", dL, 0, 1e-13)
					return
				}
				near(t, "change of angular momentum", dL, 0, 2.5e-3)
				// at longer steps, which of two steps the impact begins in changes more than the step does
				_, half := collide(t, law, scene, 0.25e-3)
				near(t, "at half the step", half, 0, 0.6*dL)
			})
		}
	}
}

// Falling by x⁺ = x + h v⁺ loses ½ m h² g² of energy a step, contact whose force
// is taken at the end of the step more: no body that left the ground has more
// energy than before it touched.
func TestContactNeverCreatesEnergy(t *testing.T) {
	long(t)
	drops := map[string]func(w *scaffold, mat int){
		"box": func(w *scaffold, mat int) {
			w.body("b", w.box(0.1, 0.1, 0.1), 1, tilted(0, 0, 0.2), r3.Vec{1, 0, 2}, r3.Vec{0.5, 0, 0}, mat)
		},
		"sphere": func(w *scaffold, mat int) {
			w.body("b", w.sphere(0.05), 1, at(0, 0, 0.2), r3.Vec{}, r3.Vec{0.5, 0, 0}, mat)
		},
		"deformable": func(w *scaffold, mat int) {
			w.soft("b", r3.Vec{0.1, 0.1, 0.1}, [3]int{3, 3, 3}, 5e4, tilted(0, 0, 0.2), r3.Vec{0.5, 0, 0}, mat)
		},
	}
	for name, drop := range drops {
		for _, law := range []constraints.ContactModel{constraints.Lagged{}, constraints.SAP{Beta: 1}} {
			t.Run(fmt.Sprintf("%s/%T", name, law), func(t *testing.T) {
				w := newScaffold(t)
				w.Contact = law
				mat := w.material(1e5, 1, 0.5)
				w.ground(mat)
				drop(w, mat)
				s, x := w.build()
				const h = 1e-3
				e0 := energy(s, x)
				bound, flights, pushed := e0, 0, false
				for range 1000 {
					run(t, s, x, h, 1)
					e := energy(s, x)
					if e > e0 {
						t.Fatalf("at %.3f s energy is %g, at the start %g", x.Time, e, e0)
					}
					f := contactForce(s, x, 0)
					if f.Norm() > 0 {
						pushed = true
						continue
					}
					// spinning freely, a body's energy errs by O(h²) a step
					if e > bound*(1+1e-6) {
						t.Fatalf("at %.3f s energy is %g, before touch it was %g", x.Time, e, bound)
					}
					if pushed {
						flights++
					}
					bound, pushed = e, false
				}
				if flights == 0 {
					t.Error("it never left the ground again: nothing was tested")
				}
			})
		}
	}
}

// A ball's contact is one spring k: with ½ k φ² its energy falls in every step.
func TestEnergyWithThatInContactNeverRises(t *testing.T) {
	w := newScaffold(t)
	const k, h = 1e5, 1e-3
	mat := w.material(k, 1, 0.5)
	w.ground(mat)
	b := w.body("ball", w.sphere(0.05), 1, at(0, 0, 0.2), r3.Vec{}, r3.Vec{}, mat)
	s, x := w.build()
	last := math.Inf(1)
	for range 1000 {
		run(t, s, x, h, 1)
		deep := max(0, 0.05-s.kin.Pose(b).P[2])
		e := energy(s, x) + 0.5*(k/2)*deep*deep
		if e > last*(1+1e-12) {
			t.Fatalf("at %.3f s energy rises from %.15g to %.15g", x.Time, last, e)
		}
		last = e
	}
}

// A box with a pendulum on it tumbles at 10 rad/s: its momenta last, its energy never
// grows, and the run continues bit by bit from any state.
func TestTumblingTreesConserve(t *testing.T) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	box := w.link(rigid.LinkSpec{Name: "box", Parent: rigid.World, Joint: rigid.Floating{}, Mass: 1, Inertia_B: r3.Diag(r3.Vec{7e-3, 6e-3, 3e-3})})
	w.link(rigid.LinkSpec{
		Name: "bob", Parent: box, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, X_PF: at(0.05, 0, -0.1),
		Mass: 1e-3, Com_B: r3.Vec{0, 0, -0.05}, Inertia_B: r3.Diag(r3.Vec{2e-7, 2e-7, 1e-8}),
	})
	w.setV(box, 6, 7, 4, 0, 0, 0)
	s, x := w.build()
	const h = 0.01
	s.Place(x, h)
	p0, L0 := momentum(s, x)
	e0 := energy(s, x)
	var saved *State
	for k := range 2000 {
		if k == 1000 {
			saved = x.Clone()
		}
		run(t, s, x, h, 1)
		s.Place(x, h)
		p, _ := momentum(s, x)
		nearVec(t, "momentum", p, p0, 1e-10*p0.Norm())
		if e := energy(s, x); e > e0*(1+1e-6) {
			t.Fatalf("at %.2f s energy is %g, at the start %g", x.Time, e, e0)
		}
	}
	// about a fixed point, past which the centre of mass moves as it should to first order
	if _, L := momentum(s, x); L.Sub(L0).Norm() > 1e-4*L0.Norm() {
		t.Errorf("angular momentum is %v, was %v", L, L0)
	}
	fresh, _ := start(t, s.Model, 1)
	run(t, fresh, saved, h, 1000)
	if saved.Hash() != x.Hash() {
		t.Error("restored, it goes another way")
	}
}
