package sim

import (
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

var cube = r3.Vec{0.1, 0.1, 0.1}

// heavy damps vibrations strongly, so that a body is at rest soon.
func heavy(s *DeformableSpec) { s.StiffnessDamping, s.MassDamping = 0.01, 0 }

// The contact forces on a deformable at rest add up to its weight ρ V g, and in a
// pile those of each interface to the weight above.
func TestDeformablesRestOnTheirWeight(t *testing.T) {
	long(t)
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.ground(mat)
	low := w.soft("low", cube, [3]int{3, 3, 3}, 2e5, at(0, 0, 0.05), r3.Vec{}, mat, heavy)
	top := w.soft("top", cube.Scale(0.8), [3]int{2, 2, 2}, 2e5, at(0.003, 0.005, 0.14), r3.Vec{}, mat, heavy)
	s, x := w.build()
	run(t, s, x, 5e-3, 600)
	wLow, wTop := 1.0*grav, 0.512*grav
	nearVec(t, "force on the upper", contactForce(s, x, top), r3.Vec{0, 0, wTop}, 1e-4*wTop)
	nearVec(t, "force on the lower", contactForce(s, x, low), r3.Vec{0, 0, wLow}, 1e-4*wLow)
	ground := ContactForce{On: -1, Of: Z}.Value(s, x)
	near(t, "force on the ground", ground, -wLow-wTop, 1e-4*wLow)
	pair := ContactForce{On: low, From: []int{top}, Of: Z}.Value(s, x)
	near(t, "force between", pair, -wTop, 1e-4*wTop)
	sum := ContactForce{On: top, Kind: NormalSum}.Value(s, x)
	if !(sum >= wTop*(1-1e-4)) {
		t.Errorf("normal forces of %g N carry %g N", sum, wTop)
	}
}

// Two plates that a piston each presses with F grip a deformable of weight W by
// friction as long as 2 μ F > W, and drop it else.
func TestPinchedDeformableIsHeldByFriction(t *testing.T) {
	long(t)
	for _, c := range []struct {
		force float64
		holds bool
	}{{20, true}, {4, false}} {
		w := newScaffold(t)
		body := pinch(w, c.force)
		s, x := w.build()
		run(t, s, x, 5e-3, 300)
		f := contactForce(s, x, body)
		z := s.deformables[0].CenterOfMass()[2]
		if c.holds {
			nearVec(t, "friction", f, r3.Vec{0, 0, grav}, 1e-3*grav)
			near(t, "height", z, 0, 2e-3)
			normal := ContactForce{On: body, From: []int{0}, Kind: NormalSum}.Value(s, x)
			near(t, "pinch", normal, c.force, 0.02*c.force)
		} else if z > -0.05 {
			t.Errorf("pressed by %g N it should fall, but is at %g m", c.force, z)
		}
	}
}

// pinch is a 1 kg cube in midair between two plates on pistons of the given
// force.
func pinch(w *scaffold, force float64) (body int) {
	mat := w.material(1e5, 10, 0.5)
	for i, sign := range []float64{-1, 1} {
		l := w.link(rigid.LinkSpec{
			Name: []string{"left", "right"}[i], Parent: rigid.World, Joint: rigid.Prismatic{Axis: r3.Vec{-sign, 0, 0}},
			X_PF: at(sign*0.06, 0, 0), Mass: 0.5, Inertia_B: r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3}), Damping: 5,
		})
		w.geom(l, r3.PoseIdentity(), w.box(0.02, 0.14, 0.14), mat)
		w.AddDrive(w.bodies[l].name, &JointDrive{Joint: w.bodies[l].name, FeedForward: motion.Constant(force)})
	}
	return w.soft("cube", cube, [3]int{3, 3, 3}, 2e5, at(0, 0, 0), r3.Vec{}, mat, heavy)
}

// Bodies on a plate that a function of time lifts rise with it; in each step
// the plate's velocity is its displacement over h.
func TestBodiesRiseWithALiftedPlate(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	lift, err := motion.NewPiecewise([]float64{0.2, 1.2}, []float64{0, 0.5}, true)
	if err != nil {
		t.Fatal(err)
	}
	plate := w.link(rigid.LinkSpec{Name: "plate", Parent: rigid.World, Joint: rigid.Prescribed{Translation: [3]motion.Motion{lift, nil, lift}}})
	w.geom(plate, at(0, 0, -0.01), w.box(0.5, 0.5, 0.02), mat)
	box := w.body("box", w.box(0.1, 0.1, 0.04), 1, at(-0.1, 0, 0.02), r3.Vec{}, r3.Vec{}, mat)
	w.soft("cube", cube, [3]int{2, 2, 2}, 2e5, at(0.1, 0, 0.05), r3.Vec{}, mat, heavy)
	s, x := w.build()
	const h = 5e-3
	before := s.kin.Pose(plate).P
	for range 300 {
		run(t, s, x, h, 1)
		now := s.kin.Pose(plate).P
		_, v := s.rigid.Velocity(plate)
		nearVec(t, "velocity of the plate", v, now.Sub(before).Scale(1/h), 1e-12)
		before = now
		near(t, "gap under the box", s.kin.Pose(box).P[2]-now[2]-0.02, 0, 2e-4)
	}
	nearVec(t, "the plate", before, r3.Vec{0.5, 0, 0.5}, 1e-12)
	// regularized friction lags by its creep while the plate speeds up
	near(t, "the box' way", s.kin.Pose(box).P[0]+0.1, 0.5, 1e-3)
	near(t, "the cube's way", s.deformables[0].CenterOfMass()[0]-0.1, 0.5, 1e-3)
}

// A deformable attached to a rigid body that hangs in a joint: in steady state the
// attachment carries its weight.
func TestAttachmentCarriesTheWeight(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	holder := w.link(rigid.LinkSpec{
		Name: "holder", Parent: rigid.World, Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}, Mass: 0.5,
		Inertia_B: r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3}), Stiffness: 1000, Damping: 50,
	})
	hang(w, holder, at(0, 0, -0.05), r3.Vec{}, mat)
	s, x := w.build()
	run(t, s, x, 5e-3, 400)
	f := s.Model.Constraints[0].(*constraints.Fixed)
	force, _ := f.Force(s.kin, &s.Problem, s.Term(0), r3.Vec{})
	nearVec(t, "force on the holder", force, r3.Vec{0, 0, -grav}, 1e-6*grav)
	near(t, "spring", -1000*JointPosition{0}.Value(s, x), 1.5*grav, 1e-6*grav)
	near(t, "error", f.Violation(s.kin).Distance, 0, 1e-7)
}

// hang attaches the top face of a cube to a link that is at the origin.
func hang(w *scaffold, link int, X r3.Pose, u r3.Vec, mat int) {
	w.soft("hung", cube, [3]int{3, 3, 3}, 1e5, X, u, mat, heavy, func(s *DeformableSpec) {
		top := r3.EmptyBox().Extend(r3.Vec{-1, -1, 0.05}).Extend(r3.Vec{1, 1, 1})
		s.Attach = []AttachSpec{{Body: w.bodies[link].name, Verts: VertsWithin(s.Mesh, top)}}
	})
}

// Attachments act between the bodies alone.
func TestAttachmentConservesMomentum(t *testing.T) {
	off := 0.0
	masses := []float64{1, 1.4, 1.8, 2.2}
	for _, mass := range masses {
		w := newScaffold(t)
		w.Gravity = r3.Vec{}
		mat := w.material(1e5, 10, 0.5)
		b := w.body("box", w.box(0.1, 0.1, 0.1), mass, at(0, 0, 0), r3.Vec{0, 0, 1}, r3.Vec{0.1, 0, 0}, mat)
		hang(w, b, at(0, 0, -0.11), r3.Vec{0.3, 0.2, 0}, mat)
		s, x := w.build()
		p0, L0 := momentum(s, x)
		for range 200 {
			if err := s.Step(x, 1e-3); err != nil {
				t.Fatal(err)
			}
			closed(t, s)
		}
		s.Place(x, 1e-3)
		p, L := momentum(s, x)
		off += p.Sub(p0).Norm()
		nearVec(t, "angular momentum", L, L0, 5e-3*L0.Norm())
	}
	// round-off of 200 steps: single boxes are off by 0.2e-13 to 2.5e-13
	near(t, "momentum", off/float64(len(masses)), 0, 200*1e-15)
}
