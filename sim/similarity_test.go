package sim

// Dynamic similarity: a scene whose lengths, masses and times are multiplied by L, M and T, and with them all that has
// a unit, moves alike in these units. So does what is computed, but for lengths, times and energies that are written
// into the program. Where the factors are powers of four all numbers of a step are multiplied by powers of two, which
// does not round, and the bits are the same.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// units are those of a similar scene: lengths times L, masses times M, times times T.
type units struct{ L, M, T float64 }

// froude returns the units of a scene s times as large, of the same density, under the same gravity.
func froude(s float64) units { return units{s, s * s * s, math.Sqrt(s)} }

// rescale turns a scene into the similar one of other units.
func rescale(b *Builder, u units) {
	force := u.M * u.L / (u.T * u.T)
	pressure, torque, speed := force/(u.L*u.L), force*u.L, u.L/u.T
	b.Gravity = b.Gravity.Scale(u.L / (u.T * u.T))
	b.TimeStep *= u.T
	b.SpeculativeMargin *= u.L
	if b.HydroelasticMargin != nil {
		b.HydroelasticMargin = ptr(*b.HydroelasticMargin * u.L)
	}
	if law, ok := b.Contact.(constraints.Lagged); ok {
		law.StictionTolerance, law.SlidingTolerance = constraints.SlipTolerances(law)
		law.StictionTolerance *= speed
		law.SlidingTolerance *= speed
		b.Contact = law
	}
	for _, m := range b.materials.list {
		m.Stiffness *= force / u.L
		m.Dissipation /= speed
		m.RelaxationTime *= u.T
		m.PressureGradient *= pressure / u.L
		m.HydroelasticModulus *= pressure
	}
	pose := func(X *r3.Pose) { X.P = X.P.Scale(u.L) }
	points := func(p []r3.Vec) (q []r3.Vec) {
		for _, x := range p {
			q = append(q, x.Scale(u.L))
		}
		return q
	}
	scaled := map[geometry.Shape]geometry.Shape{} // bodies may share a mesh
	shape := func(s *ShapeSpec) {
		pose(&s.Pose)
		if s.Density == 0 {
			s.Density = DefaultDensity
		}
		s.Density *= u.M / (u.L * u.L * u.L)
		s.ResolutionHint *= u.L
		if r, ok := scaled[s.Shape]; ok {
			s.Shape = r
			return
		}
		was := s.Shape
		switch g := s.Shape.(type) {
		case geometry.HalfSpace:
			if g.Thickness == 0 {
				g.Thickness = geometry.DefaultThickness
			}
			g.Thickness *= u.L
			s.Shape = g
		case *geometry.Box:
			s.Shape = must(geometry.NewBox(g.Half.Scale(2 * u.L)))
		case *geometry.Sphere:
			s.Shape = must(geometry.NewSphere(g.Radius * u.L))
		case *geometry.Capsule:
			s.Shape = must(geometry.NewCapsule(g.Radius*u.L, 2*g.HalfLength*u.L))
		case *geometry.Cylinder:
			s.Shape = must(geometry.NewCylinder(g.Radius*u.L, 2*g.HalfLength*u.L))
		case *geometry.Ellipsoid:
			s.Shape = must(geometry.NewEllipsoid(g.Semi.Scale(u.L)))
		case *geometry.Convex:
			s.Shape = must(geometry.NewConvex(points(g.SurfaceMesh().Verts)))
		case *geometry.Mesh:
			tri := g.SurfaceMesh()
			s.Shape = must(geometry.NewMesh(&meshes.Tri{Verts: points(tri.Verts), Tris: tri.Tris}))
		}
		scaled[was] = s.Shape
	}
	for i := range b.shapes {
		shape(&b.shapes[i].spec)
	}
	for _, body := range b.bodies {
		s := &body.spec
		pose(&s.Pose)
		s.Velocity, s.AngularVelocity, s.Mass = s.Velocity.Scale(speed), s.AngularVelocity.Scale(1/u.T), s.Mass*u.M
		for i := range s.Shapes {
			shape(&s.Shapes[i])
		}
		if m := s.Inertial; m != nil {
			m.Mass, m.Com, m.Inertia = m.Mass*u.M, m.Com.Scale(u.L), m.Inertia.Scale(u.M*u.L*u.L)
		}
		if j := s.Joint; j != nil {
			pose(&j.Frames.X_PF)
			pose(&j.Frames.X_BM)
			length, effort := 1.0, torque
			if _, slides := j.Joint.(rigid.Prismatic); slides {
				length, effort = u.L, force
			}
			j.Damping *= effort / length * u.T
			j.Stiffness *= effort / length
			if j.Limits != nil {
				j.Limits = &[2]float64{length * j.Limits[0], length * j.Limits[1]}
			}
		}
	}
	for _, d := range b.deformables {
		s := &d.spec
		pose(&s.Pose)
		mu, lambda := s.Law.Lame()
		nu := lambda / (2 * (lambda + mu))
		law := func(E, nu float64) fem.ConstitutiveLaw { return must(fem.NewCorotational(E, nu)) }
		if _, ok := s.Law.(fem.NeoHookean); ok {
			law = func(E, nu float64) fem.ConstitutiveLaw { return must(fem.NewNeoHookean(E, nu)) }
		}
		mesh := *s.Mesh
		mesh.Verts = points(mesh.Verts)
		s.Mesh, s.Law = &mesh, law(2*mu*(1+nu)*pressure, nu)
		if s.Density == 0 {
			s.Density = DefaultDensity
		}
		s.Density *= u.M / (u.L * u.L * u.L)
		s.StiffnessDamping *= u.T
		s.MassDamping /= u.T
		s.Velocity, s.AngularVelocity = s.Velocity.Scale(speed), s.AngularVelocity.Scale(1/u.T)
	}
	for i := range b.constraints {
		switch c := b.constraints[i].spec.(type) {
		case *constraints.DistanceSpec:
			c.PointA, c.PointB = c.PointA.Scale(u.L), c.PointB.Scale(u.L)
			if c.Length != nil {
				c.Length = ptr(*c.Length * u.L)
			}
		case *constraints.BallSpec:
			if c.PointB = c.PointB.Scale(u.L); c.PointA != nil {
				a := c.PointA.Scale(u.L)
				c.PointA = &a
			}
		}
	}
	times := func(m motion.Motion, by float64) motion.Motion {
		if c, ok := m.(motion.Constant); ok {
			return c * motion.Constant(by)
		}
		return m
	}
	for _, item := range b.drives {
		d := item.spec.(*JointDrive)
		length, effort := 1.0, torque
		if _, slides := b.bodyOf[d.Joint].spec.Joint.Joint.(rigid.Prismatic); slides {
			length, effort = u.L, force
		}
		d.Kp, d.Kd = d.Kp*effort/length, d.Kd*effort/length*u.T
		d.Target, d.Effort, d.FeedForward = times(d.Target, length), times(d.Effort, effort), times(d.FeedForward, effort)
	}
}

// drops are scenes of parts of 10 cm that fall on a plate and on each other, off centre and tilted.
var drops = []struct {
	name string
	add  func(w *scaffold, mat int)
}{
	{"sphere", func(w *scaffold, mat int) {
		w.body("part", w.sphere(0.05), 1, at(0, 0, 0.06), r3.Vec{1, 2, 3}, r3.Vec{0.3, 0.1, -0.5}, mat)
	}},
	{"box", func(w *scaffold, mat int) {
		w.body("part", w.box(0.1, 0.12, 0.08), 1, tilted(0, 0, 0.09), r3.Vec{1, 2, 0}, r3.Vec{0.3, 0, -0.5}, mat)
	}},
	{"cylinder", func(w *scaffold, mat int) {
		w.body("part", must(geometry.NewCylinder(0.05, 0.1)), 1, tilted(0, 0, 0.09), r3.Vec{1, 2, 0}, r3.Vec{0.3, 0, -0.5}, mat)
		w.body("lower", w.box(0.2, 0.2, 0.02), 1, at(0, 0, 0.0101), r3.Vec{}, r3.Vec{}, mat)
	}},
	{"round", func(w *scaffold, mat int) {
		w.body("capsule", must(geometry.NewCapsule(0.03, 0.1)), 1, tilted(0, 0, 0.09), r3.Vec{1, 2, 0}, r3.Vec{0.3, 0, -0.5}, mat)
		w.body("ellipsoid", must(geometry.NewEllipsoid(r3.Vec{0.05, 0.04, 0.03})), 1, tilted(0.02, 0.01, 0.2), r3.Vec{1, 2, 0}, r3.Vec{}, mat)
	}},
	{"hulls", func(w *scaffold, mat int) {
		// of corners at random: of equal ones a hull is not numbered alike where factors round
		for i := range 2 {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			var p []r3.Vec
			for range 20 {
				p = append(p, randomDirection(r).Scale(0.06))
			}
			w.body(fmt.Sprint("stone ", i), must(geometry.NewConvex(p)), 1, tilted(0.02*float64(i), 0, 0.08+0.13*float64(i)), r3.Vec{1, 2, 0}, r3.Vec{0.3, 0, -0.5}, mat)
		}
	}},
	{"mesh", func(w *scaffold, mat int) {
		w.body("part", must(geometry.NewMesh(lShape(0.1))), 1, tilted(0, 0, 0.12), r3.Vec{1, 2, 0}, r3.Vec{0.3, 0, -0.5}, mat)
		w.body("lower", must(geometry.NewMesh(lShape(0.12))), 1, at(0, 0, 0.001), r3.Vec{}, r3.Vec{}, mat)
	}},
	{"stack", func(w *scaffold, mat int) {
		for i := range 5 {
			w.body("part", w.box(0.1, 0.1, 0.05), 1, at(0.01*float64(i%2), 0, 0.026+0.051*float64(i)), r3.Vec{}, r3.Vec{}, mat)
		}
		w.body("ball", w.sphere(0.03), 1, at(0.01, 0.02, 0.31), r3.Vec{}, r3.Vec{0, 0, -1}, mat)
	}},
	{"fields", func(w *scaffold, mat int) {
		w.mat(mat).HydroelasticModulus = 1e6
		w.body("box", w.box(0.1, 0.12, 0.08), 1, tilted(0, 0, 0.09), r3.Vec{1, 2, 0}, r3.Vec{0.3, 0, -0.5}, mat)
		w.body("ball", w.sphere(0.05), 1, at(0.02, 0, 0.22), r3.Vec{}, r3.Vec{0, 0, -1}, mat)
	}},
	{"chain", func(w *scaffold, mat int) {
		parent, X := rigid.World, at(0, 0, 0.04)
		for range 5 {
			parent = w.link(rigid.LinkSpec{Name: "link", Parent: parent, Joint: rigid.Ball{}, X_PF: X, Mass: 0.1,
				Com_B: r3.Vec{0.03, 0, 0}, Inertia_B: r3.Diag(r3.Vec{2e-5, 4e-5, 4e-5})})
			w.geom(parent, at(0.03, 0, 0), w.box(0.05, 0.02, 0.02), mat)
			X = at(0.07, 0.005, 0)
		}
	}},
	{"loops", func(w *scaffold, mat int) {
		for i := range 6 {
			w.body(fmt.Sprint("bead ", i), w.box(0.05, 0.03, 0.03), 0.1, at(0.07*float64(i), 0.001*float64(i*i), 0.03), r3.Vec{1, 2, 0}, r3.Vec{}, mat)
			if i > 0 {
				b := constraints.TwoBodies{A: fmt.Sprint("bead ", i-1), B: fmt.Sprint("bead ", i)}
				if i%2 == 0 {
					w.AddConstraint(fmt.Sprint("rod ", i), &constraints.DistanceSpec{TwoBodies: b, PointA: r3.Vec{0.02, 0, 0}, PointB: r3.Vec{-0.02, 0, 0}})
				} else {
					w.AddConstraint(fmt.Sprint("ball ", i), &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: b, PointB: r3.Vec{-0.035, 0, 0}}})
				}
			}
		}
	}},
	{"soft", func(w *scaffold, mat int) {
		w.soft("part", cube, [3]int{2, 2, 2}, 5e4, tilted(0.02, 0.03, 0.12), r3.Vec{0, 0, -0.5}, mat, damped(2e-3))
	}},
	{"soft hex12", func(w *scaffold, mat int) {
		w.soft("part", cube, [3]int{2, 2, 2}, 5e4, tilted(0.02, 0.03, 0.12), r3.Vec{0, 0, -0.5}, mat, damped(2e-3),
			func(s *DeformableSpec) { s.Elements = fem.Hex12 })
	}},
	{"soft tet10", func(w *scaffold, mat int) {
		w.soft("part", cube, [3]int{1, 1, 1}, 5e4, tilted(0.02, 0.03, 0.12), r3.Vec{0, 0, -0.5}, mat, damped(2e-3),
			func(s *DeformableSpec) { s.Elements, s.Mesh = fem.Tet10, meshOf(s.Mesh, fem.Tet10) })
	}},
	{"neo-Hookean", func(w *scaffold, mat int) {
		w.soft("part", cube, [3]int{2, 2, 2}, 5e4, tilted(0.02, 0.03, 0.12), r3.Vec{0, 0, -0.5}, mat, damped(2e-3),
			func(s *DeformableSpec) { s.Elements, s.Law = fem.Hex12, must(fem.NewNeoHookean(5e4, 0.45)) })
	}},
	{"machine", func(w *scaffold, mat int) { busy(w) }},
	{"soft parts", func(w *scaffold, mat int) {
		w.body("box", w.box(0.1, 0.12, 0.08), 0.5, tilted(0, 0, 0.25), r3.Vec{1, 2, 0}, r3.Vec{0.3, 0, -0.5}, mat)
		w.body("mesh", must(geometry.NewMesh(lShape(0.1))), 0.5, tilted(0, 0, 0.4), r3.Vec{1, 2, 0}, r3.Vec{0.3, 0, -0.5}, mat)
		w.soft("lower", cube, [3]int{2, 2, 2}, 5e4, at(0, 0, 0.051), r3.Vec{}, mat, damped(2e-3))
		w.soft("upper", cube, [3]int{2, 2, 1}, 1e5, tilted(0.02, 0.03, 0.17), r3.Vec{}, mat)
	}},
}

// lShape is an L of equal arms, size wide and high and half as deep, about the middle of its corner.
func lShape(size float64) *meshes.Tri {
	a, b := size/6, size*5/6
	return prismOf([][2]float64{{-a, -a}, {b, -a}, {b, a}, {a, a}, {a, b}, {-a, b}}, size/4)
}

// dropped is a drop under a contact law in the units u, of steps of h.
func dropped(t *testing.T, add func(w *scaffold, mat int), law string, u units, h float64) (*Stepper, *State) {
	w := newScaffold(t)
	w.RelTol, w.TimeStep = 1e-12, h
	mat := w.material(1e5, 5, 0.5)
	w.mat(mat).PressureGradient = 1e8
	w.ground(mat)
	add(w, mat)
	rescale(w.Builder, u)
	speed := u.L / u.T
	w.Contact = contactModel(law, constraints.DefaultNormalModel, constraints.DefaultStictionTolerance*speed, constraints.DefaultSlidingTolerance*speed)
	return w.build()
}

// apartInUnits steps a drop, and the similar one in the units u, n times. It returns how far apart they get relative to
// parts of 10 cm.
func apartInUnits(t *testing.T, add func(w *scaffold, mat int), law string, u units, h float64, n int) (worst float64) {
	sa, xa := dropped(t, add, law, units{1, 1, 1}, h)
	defer sa.Close()
	sb, xb := dropped(t, add, law, u, h)
	defer sb.Close()
	contacts := 0
	for range n {
		run(t, sa, xa, h, 1)
		run(t, sb, xb, h*u.T, 1)
		contacts += len(sa.contacts) + len(sa.surfaces)
		pb := places(sb, r3.PoseIdentity(), u.L)
		for i, p := range places(sa, r3.PoseIdentity(), 1) {
			worst = max(worst, p.Sub(pb[i]).Norm()/0.1)
		}
	}
	if contacts == 0 {
		t.Fatal("nothing touches")
	}
	return worst
}

func TestSimilarScenesMoveAlike(t *testing.T) {
	for i, d := range drops {
		t.Run(d.name, func(t *testing.T) {
			seed, n := shots(t, 1)
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			for range n {
				law, h := shotLaws[r.IntN(len(shotLaws))], logUniform(r, 1.5e-3, 5e-3)
				n := min(150, int(0.25/h))
				if d.name == "soft parts" && os.Getenv("CURLFREE_LONG") == "" {
					n = min(n, 30) // dear steps
				}
				// the same density and gravity, from 0.1 mm to 10 m; then any units
				s := math.Ldexp(1, 2*(r.IntN(9)-5))
				any := units{math.Ldexp(1, 2*(r.IntN(9)-4)), math.Ldexp(1, 2*(r.IntN(19)-9)), math.Ldexp(1, r.IntN(19)-9)}
				for _, u := range []units{froude(s), any} {
					least := 0.0
					if d.name == "machine" {
						least = 1e-6 // limits of sliding joints have a length of their own, δ of constraints/joint_return.go
					}
					if far := apartInUnits(t, d.add, law, u, h, n); !(far <= least) {
						t.Errorf("%s, h %.3g s, units %v: %.3g of the size apart, want %g", law, h, u, far, least)
					}
				}
				// where factors round, motion that is sensitive amplifies round-off: as much of it at 1.1 times the
				// size
				s = logUniform(r, 1e-3, 1e2)
				if far := apartInUnits(t, d.add, law, froude(s), h, n); !(far <= 1e-6) {
					if least := apartInUnits(t, d.add, law, froude(1.1), h, n); !(far <= 30*least) {
						t.Errorf("%s, h %.3g s, %.3g times as large: %.3g of the size apart, at 1.1 times the size %.3g", law, h, s, far, least)
					}
				}
			}
		})
	}
}
