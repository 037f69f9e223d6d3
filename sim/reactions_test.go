package sim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Reactions balance in every step of a motion: with the momenta p of a body,
//
//	h (Σ reactions + Σ loads + weight + contact) = p⁺ − p
//
// for bodies attached to the world and by a body that moves, of all elements and laws, with a ball that
// falls on attached and on free vertices.
func TestReactionsBalanceLoadsWeightContactAndMomentum(t *testing.T) {
	const h = 2e-3
	for trial := range 16 {
		r := rand.New(rand.NewPCG(uint64(trial), 16))
		w := newScaffold(t)
		w.RelTol = 1e-12
		mat := w.material(1e4, 1, 0.5)
		// a hand that swings holds the other end
		hand := w.link(rigid.LinkSpec{Name: "hand", Parent: rigid.World, Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}, Mass: 0.2, Inertia_B: r3.Diag(r3.Vec{1e-4, 1e-4, 1e-4}), X_PF: at(0.05, 0, 0)})
		w.setV(hand, 0.3)
		w.body("ball", w.sphere(0.01), 0.02, at(-0.045+0.03*r.Float64(), 0, 0.03), r3.Vec{}, r3.Vec{0, 0, -0.5}, mat)
		mesh := must(meshes.BoxTets(r3.Vec{0.1, 0.02, 0.02}, [3]int{5, 1, 1}))
		// in the last trials no constraint touches the bar
		free := trial == 8 || trial == 9
		law := fem.ConstitutiveLaw(must(fem.NewCorotational(3e5, 0.3)))
		switch {
		case trial%4 == 2, free:
			law = must(fem.NewNeoHookean(3e5, 0.3))
		case trial%4 == 3:
			law = must(fem.NewLinear(3e5, 0.3))
		}
		attach := []AttachSpec{
			{Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.03, 1, 1}})},
			{Body: "hand", Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{0.05, -1, -1}, Max: r3.Vec{1, 1, 1}})},
		}
		var noContact []string
		elements := elementsOf[trial%2*(1-trial%4/2)]
		if free {
			attach, noContact, elements = attach[:1], []string{"ball"}, fem.Tet4
		}
		if trial >= 13 {
			law, elements = must(fem.NewNeoHookean(3e5, 0.3)), fem.Hex12
		}
		if trial >= 10 && trial < 13 || trial == 15 {
			if elements = fem.Tet10; trial < 13 {
				law = must(fem.NewCorotational(3e5, 0.3))
			}
			mesh = meshOf(mesh, elements)
			attach[0].Verts = VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.03, 1, 1}})
			attach[1].Verts = VertsWithin(mesh, r3.Box{Min: r3.Vec{0.05, -1, -1}, Max: r3.Vec{1, 1, 1}})
		}
		w.AddDeformable("bar", DeformableSpec{
			Mesh: mesh, Law: law, Elements: elements, Material: materialName(mat), StiffnessDamping: 1e-3 * float64(trial/4), MassDamping: float64(trial / 4),
			Attach: attach, NoContact: noContact,
		})
		w.AddLoad("pull", &ForceSpec{Force: r3.Vec{0.3, 0.2, -0.1}, Body: "bar", Axes: "world"})
		w.AddLoad("press", &PressureSpec{Pressure: motion.Constant(300), Body: "bar", Where: Region{ZMin: ptr(0.01)}})
		for i, c := range []string{"x", "y", "z"} {
			w.AddSignal(fmt.Sprint("world ", i), &ReactionSpec{Component: c, HeldSpec: HeldSpec{Body: "bar", At: "world"}})
			w.AddSignal(fmt.Sprint("all ", i), &ReactionSpec{Component: c, HeldSpec: HeldSpec{Body: "bar"}})
		}
		s, x := w.build()
		d, bar := s.deformables[0], s.Model.Body("bar")
		worst, touched := 0.0, false
		for range 60 {
			s.Place(x, h)
			before := d.Momentum(s.velocitiesOf(x, 0))
			run(t, s, x, h, 1)
			change := d.Momentum(s.velocitiesOf(x, 0)).Sub(before).Scale(1 / h)
			got := s.Read(x, nil)
			sum := r3.Vec{got[1], got[3], got[5]}.Add(s.Model.Gravity.Scale(d.model.Mass()))
			contact := contactForce(s, x, bar)
			touched = touched || contact != r3.Vec{}
			sum = sum.Add(contact)
			// loads of the step; it may have been taken in parts
			if s.Report.Parts > 0 {
				continue
			}
			for _, f := range d.force {
				sum = sum.Add(f)
			}
			// mass damping slows all of the body, from outside
			sum = sum.AddScaled(-d.model.Spec().MassDamping, d.Momentum(s.velocitiesOf(x, 0)))
			worst = max(worst, sum.Sub(change).Norm())
		}
		if !(worst < 1e-9) || touched == free {
			t.Errorf("trial %d: forces miss the change of momentum by %g N, contact: %v", trial, worst, touched)
		}
	}
}

// At rest the reactions of a bar that hangs between the world and a fixed block balance its load in
// force and moment.
func TestReactionsAtRestBalanceForceAndMoment(t *testing.T) {
	for _, elements := range elementsOf {
		w := newScaffold(t)
		mesh := meshOf(must(meshes.BoxTets(r3.Vec{0.1, 0.02, 0.02}, [3]int{6, 1, 1})), elements)
		w.AddBody("block", BodySpec{Fixed: true, Pose: at(0.3, 0, 0.1), Shapes: []ShapeSpec{{Shape: must(geometry.NewBox(r3.Vec{0.01, 0.01, 0.01}))}}})
		w.AddDeformable("bar", DeformableSpec{
			Mesh: mesh, Law: must(fem.NewCorotational(3e5, 0.3)), Elements: elements, StiffnessDamping: 0.02, MassDamping: 20, Pose: at(0.2, 0.1, 0.3),
			Attach: []AttachSpec{
				{Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.05, 1, 1}})},
				{Body: "block", Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{0.05, -1, -1}, Max: r3.Vec{1, 1, 1}})},
			},
		})
		F := r3.Vec{0.2, 0.3, -0.4}
		w.AddLoad("pull", &ForceSpec{Force: F, Body: "bar", Axes: "world", Where: Region{XMin: ptr(-0.02), XMax: ptr(0.001), ZMax: ptr(-0.01)}})
		names := []string{"x", "y", "z"}
		for _, c := range names {
			w.AddSignal("force "+c, &ReactionSpec{Component: c, HeldSpec: HeldSpec{Body: "bar"}})
		}
		for _, c := range names {
			w.AddSignal("moment "+c, &ReactionMomentSpec{Component: c, HeldSpec: HeldSpec{Body: "bar"}, Point: &r3.Vec{0.1, 0.2, 0.3}})
		}
		for _, c := range names {
			w.AddSignal("block "+c, &ReactionMomentSpec{Component: c, HeldSpec: HeldSpec{Body: "bar", At: "block"}})
		}
		s, x := w.build()
		run(t, s, x, 0.02, 400)
		got := s.Read(x, nil)
		d := s.deformables[0]
		weight := s.Model.Gravity.Scale(d.model.Mass())
		nearVec(t, "reaction", r3.Vec(got[:3]), F.Add(weight).Neg(), 1e-9)
		about := r3.Vec{0.1, 0.2, 0.3}
		M := d.CenterOfMass().Sub(about).Cross(weight)
		for v, f := range d.force {
			M = M.Add(d.Positions()[v].Sub(about).Cross(f))
		}
		nearVec(t, "moment", r3.Vec(got[3:6]), M.Neg(), 1e-9)
		if r3.Vec(got[6:]).Norm() < 1e-3 {
			t.Error("the block transmits no moment")
		}
	}
}
