package sim

import (
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// divisible is a scene with every kind of contact: a soft cube and a rigid box strike the
// ground and slide, so does a ball with a pressure field, and a drive brakes a cart.
func divisible(t testing.TB) (s *Stepper, x *State) {
	w := newScaffold(t)
	mat, field := w.material(1e6, 20, 0.4), w.material(1e6, 20, 0.4)
	w.mat(field).HydroelasticModulus = 1e6
	w.ground(mat)
	w.body("box", w.box(0.1, 0.1, 0.1), 1, at(0, 1, 0.0505), r3.Vec{}, r3.Vec{1, 0, -0.5}, mat)
	w.body("ball", w.sphere(0.05), 0.5, at(0, -1, 0.0501), r3.Vec{0, 3, 0}, r3.Vec{0.5, 0, -1}, field)
	cart := w.link(rigid.LinkSpec{Name: "cart", Parent: rigid.World, Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, Mass: 2, Inertia_B: r3.Diag(r3.Vec{1, 1, 1})})
	w.setV(cart, 3)
	w.AddDrive("brake", &JointDrive{Joint: "cart", Kd: 50, Velocity: motion.Constant(0)})
	w.soft("cube", r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, 1e5, at(0, 0, 0.0502), r3.Vec{0.3, 0, -1}, mat)
	return w.build()
}

// momenta returns the momentum of each body of divisible.
func momenta(s *Stepper, x *State) (p [4]r3.Vec) {
	for i, m := range [...]float64{1, 0.5} {
		p[i] = r3.Vec(x.V[6*i+3 : 6*i+6]).Scale(m)
	}
	p[2] = r3.Vec{2 * x.V[12], 0, 0}
	p[3] = s.deformables[0].Momentum(s.velocitiesOf(x, 0))
	return p
}

// Truth is Newton's law: what contacts and drives give to a body in a step is h times their
// force. Each pair of bodies keeps one contact surface, whose area is the mean of the parts'.
func TestDividedStepsReportMeansOverTheirParts(t *testing.T) {
	const h = 4e-3
	s, x := divisible(t)
	half, _ := start(t, s.Model, 1)
	drive := Effort{Constraint: s.Model.Names.Drives["brake"]}
	weights := [4]float64{grav, 0.5 * grav, 0, s.Model.Deformables[0].Mass() * grav}
	for step := range 15 {
		s.Place(x, h)
		before, y := momenta(s, x), x.Clone()
		s.resetReport()
		if err := s.takeHalves(x, h); err != nil {
			t.Fatal(err)
		}
		if s.Report.Parts != 2 || x.Step != step+1 {
			t.Fatalf("%d parts in step %d", s.Report.Parts, x.Step)
		}
		s.Place(x, h)
		for body, p := range momenta(s, x) {
			f := contactForce(s, x, body).Add(r3.Vec{0, 0, -weights[body]})
			if body == 2 {
				f = r3.Vec{drive.Value(s, x)}
			}
			want := p.Sub(before[body]).Scale(1 / h)
			nearVec(t, s.BodyName(body), f, want, 1e-6*(1+want.Norm()))
		}
		// surfaces of the two parts, one by one
		var area [4]float64
		for range 2 {
			run(t, half, y, h/2, 1)
			for body := range area {
				area[body] += ContactSurfaceSignal{Body: body, Kind: ContactSurfaceArea}.Value(half, y) / 2
			}
		}
		for body, want := range area {
			near(t, "area", ContactSurfaceSignal{Body: body, Kind: ContactSurfaceArea}.Value(s, x), want, 1e-12)
			if n := (ContactSurfaceSignal{Body: body, Kind: ContactSurfaceCount}).Value(s, x); n > 1 {
				t.Errorf("%g contact surfaces of %s and the ground", n, s.BodyName(body))
			}
		}
	}
}

// The polygons of a contact surface belong to its faces.
func TestDividedStepsKeepThePolygonsOfFaces(t *testing.T) {
	const h = 4e-3
	s, x := divisible(t)
	faces := 0
	for range 15 {
		s.Place(x, h)
		s.resetReport()
		if err := s.takeHalves(x, h); err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Report.ContactSurfaces() {
			shape := s.ContactSurface(&c)
			if shape == nil {
				continue
			}
			contacts := s.Report.Contacts()[c.Contacts[0]:c.Contacts[1]]
			if len(contacts) != len(shape.Faces) {
				t.Fatalf("%d contacts of %d faces", len(contacts), len(shape.Faces))
			}
			// the mean of the corners is near the centroid, both within the polygon
			for k, f := range shape.Faces {
				var mean r3.Vec
				radius := 0.0
				for _, v := range shape.Verts_W[f.Lo:f.Hi] {
					mean = mean.AddScaled(1/float64(f.Hi-f.Lo), v)
				}
				for _, v := range shape.Verts_W[f.Lo:f.Hi] {
					radius = max(radius, v.Sub(mean).Norm())
				}
				if contacts[k].Pos_W.Sub(mean).Norm() > radius {
					t.Fatalf("face %d is at %v, its corners at %v", k, contacts[k].Pos_W, mean)
				}
				faces++
			}
		}
	}
	if faces == 0 {
		t.Error("no faces")
	}
}

func TestDividedStepsAllocateNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("under the race detector waiting threads allocate")
	}
	const h = 4e-3
	s, x := divisible(t)
	first := x.Clone()
	fall := func() {
		x.copyFrom(first)
		for range 8 {
			s.resetReport()
			if err := s.takeHalves(x, h); err != nil {
				t.Fatal(err)
			}
		}
	}
	fall()
	// each fall is the same: what others allocate meanwhile is less than one a fall
	if n := alloctest.PerRun(20, fall); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// takeHalves takes a step of h seconds in two parts at least.
func (s *Stepper) takeHalves(x *State, h float64) error {
	s.parts.begin(s.Model, x, nil, h)
	s.parts.shorten(0)
	return s.continueParts(x)
}
