package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// mesh appends a deformable of a mesh, which may touch itself or not; vel is its
// velocity at the start at each place.
func (w *scaffold) mesh(name string, m *meshes.Tet, E float64, X r3.Pose, vel func(p r3.Vec) r3.Vec, mat int, self bool, edit ...func(*DeformableSpec)) int {
	s := DeformableSpec{Mesh: m, Law: must(fem.NewCorotational(E, 0.3)), Pose: X, Material: materialName(mat), SelfContact: self}
	for _, f := range edit {
		f(&s)
	}
	w.AddDeformable(w.name(name), s)
	number := len(w.deformables) - 1
	if vel != nil {
		w.finished = append(w.finished, func(model *Model) {
			_, from := model.RigidSize()
			for _, d := range model.Deformables[:number] {
				from += 3 * d.NumVerts()
			}
			for i, p := range m.Verts {
				if model.Deformables[number].Node(int32(i)) >= 0 {
					u := vel(p)
					copy(model.Start.V[from+3*i:], u[:])
				}
			}
		})
	}
	return len(w.bodies) + number
}

// fork returns two prongs, 10 mm thick, 20 mm wide and 40 mm long and as far apart
// as they are thick, that rise from a block of 10 mm height at the origin.
func fork(n int) *meshes.Tet {
	size := r3.Vec{0.03, 0.02, 0.05}
	box := must(meshes.BoxTets(size, [3]int{3 * n, n, 5 * n}))
	m := &meshes.Tet{}
	number := make([]int32, len(box.Verts))
	for _, v := range box.Tets {
		var c r3.Vec
		for _, i := range v {
			c = c.AddScaled(0.25, box.Verts[i])
		}
		if math.Abs(c[0]) < 0.005 && c[2] > -0.015 {
			continue
		}
		for k, i := range v {
			if number[i] == 0 {
				m.Verts = append(m.Verts, box.Verts[i].Add(r3.Vec{0, 0, 0.025}))
				number[i] = int32(len(m.Verts))
			}
			v[k] = number[i] - 1
		}
		m.Tets = append(m.Tets, v)
	}
	return m
}

// snap throws the prongs of a fork at each other.
func snap(speed float64) func(r3.Vec) r3.Vec {
	return func(p r3.Vec) r3.Vec {
		s := max(0, (p[2]-0.01)/0.04)
		return r3.Vec{-speed * s * s * math.Copysign(1, p[0])}
	}
}

// overlap returns the deepest overlap of the bodies with themselves in a state, m,
// whether they are allowed to touch or not.
func overlap(s *Stepper, x *State) (deepest float64) {
	s.Place(x, 1e-3)
	for i := range s.deformables {
		spec := s.Model.Geometry.Deformables[i]
		spec.Body, spec.Self = 0, geometry.NewSelfContact(s.Model.Deformables[i].Mesh(), spec.Tris)
		g := geometry.NewData(&geometry.Model{Deformables: []geometry.Deformable{spec}})
		g.X_W[0] = s.Geometry.X_W[i]
		for _, c := range g.Collide() {
			deepest = max(deepest, -c.Phi)
		}
	}
	return deepest
}

// Prongs that are thrown at each other in empty space bounce back: they do not
// pass, whatever the step; momentum is that of before to round-off, and the impact
// makes no energy.
func TestProngsDoNotPassEachOther(t *testing.T) {
	long(t)
	for _, h := range []float64{1e-3, 4e-3} {
		for _, self := range []bool{true, false} {
			w := newScaffold(t)
			w.Gravity = r3.Vec{}
			w.mesh("fork", fork(2), 2e5, tilted(0, 0, 0), snap(2), w.material(1e5, 5, 0.5), self)
			s, x := w.build()
			p0, _ := momentum(s, x)
			scale := s.Model.Deformables[0].Mass() * 1
			deepest, last, touched := 0.0, energy(s, x), 0
			first := last
			for range int(math.Round(0.03 / h)) {
				s.Place(x, h)
				before := slices.Clone(s.Geometry.X_W[0])
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
				ahead := 0
				for i := range s.Report.Contacts() {
					if c := &s.Report.Contacts()[i]; c.Normal > 0 {
						touched++
						if c.Phi >= 0 {
							ahead++
						}
					}
				}
				if ahead == 0 {
					s.Geometry.X_W[0] = before
					closed(t, s)
				}
				deepest = max(deepest, overlap(s, x))
				e := energy(s, x)
				if e > last+1e-6*first {
					t.Errorf("h = %g, self contact %v: energy grows from %g to %g J at t = %g", h, self, last, e, x.Time)
				}
				last = e
				if p, _ := momentum(s, x); p.Sub(p0).Norm() > 1e-13*scale {
					t.Errorf("h = %g: momentum is %v, was %v", h, p, p0)
				}
			}
			if self && (touched == 0 || deepest > 1e-3) || !self && deepest < 1e-3 {
				t.Errorf("h = %g, self contact %v: overlap by %g m at most, %d contacts bore force", h, self, deepest, touched)
			}
			t.Logf("h = %g, self contact %v: deepest %.3g m, %d contacts, energy %.4g of %.4g J", h, self, deepest, touched, last, first)
		}
	}
}

// squeeze puts a fork upright between two plates that pistons press with the
// given force at the tips.
func squeeze(w *scaffold, n int, force float64, self bool) {
	mat := w.material(1e6, 10, 0.3)
	w.mat(mat).PressureGradient = 1e8
	for i, sign := range []float64{-1, 1} {
		l := w.link(rigid.LinkSpec{
			Name: []string{"left", "right"}[i], Parent: rigid.World, Joint: rigid.Prismatic{Axis: r3.Vec{-sign, 0, 0}},
			X_PF: at(sign*0.0201, 0, 0.042), Mass: 0.05, Inertia_B: r3.Diag(r3.Vec{1e-5, 1e-5, 1e-5}), Damping: 2,
		})
		w.geom(l, r3.PoseIdentity(), w.box(0.01, 0.04, 0.02), mat)
		w.AddDrive(w.bodies[l].name, &JointDrive{Joint: w.bodies[l].name, FeedForward: motion.Constant(force)})
	}
	w.mesh("fork", fork(n), 3e5, r3.PoseIdentity(), nil, mat, self, heavy, func(s *DeformableSpec) {
		foot := r3.EmptyBox().Extend(r3.Vec{-1, -1, -1}).Extend(r3.Vec{1, 1, 0})
		s.Attach = []AttachSpec{{Body: "world", Verts: VertsWithin(s.Mesh, foot)}}
	})
}

// Prongs that are pressed together push each other with the part of the load that bending
// does not carry: faces of both sides alike, and the forces of the plates are in balance.
func TestPressedProngsCarryTheLoad(t *testing.T) {
	long(t)
	const force = 4.0
	var before [2]float64
	for _, L := range []float64{1, 1e-3} {
		var gap [2]float64
		for k, self := range []bool{true, false} {
			w := newScaffold(t)
			w.Gravity = r3.Vec{}
			squeeze(w, 1, force, self)
			rescale(w.Builder, units{L, L * L * L, 1})
			s, x := w.build()
			run(t, s, x, 5e-3, 100)
			l4 := L * L * L * L
			for i, sign := range []float64{1, -1} {
				f := ContactForce{On: i, From: []int{2}, Of: X}.Value(s, x)
				near(t, "force on a plate", f/l4, -sign*force, 1e-3*force)
			}
			gap[k] = (s.kin.Pose(1).P[0] - s.kin.Pose(0).P[0]) / L
			near(t, "force of the fork on itself", ContactForce{On: 2, From: []int{2}, Of: X}.Value(s, x), 0, 0)
			var left, right float64
			for i := range s.Report.Contacts() {
				c := &s.Report.Contacts()[i]
				if c.A.Body == 2 && c.B.Body == 2 {
					if f := c.Force_W[0] / l4; f > 0 {
						right += f
					} else {
						left -= f
					}
				}
			}
			t.Logf("L = %g, self contact %v: plates %.5g m apart, prongs push with %.4g and %.4g N, overlap %.3g m", L, self, gap[k], left, right, overlap(s, x)/L)
			if self && (left < 0.1*force || math.Abs(left/right-1) > 0.1) {
				t.Errorf("L = %g: faces of the left push with %g N, of the right with %g N", L, right, left)
			}
		}
		// plates of 10 mm, prongs of 10 mm each, which give way by millimetres
		if gap[0] < 0.028 || gap[1] > gap[0]-1e-3 {
			t.Errorf("L = %g: plates are %g m apart with contact of the prongs, %g m without", L, gap[0], gap[1])
		}
		if L != 1 && math.Abs(gap[0]-before[0]) > 1e-4 {
			t.Errorf("in millimetres plates are %g apart, else %g", gap[0], before[0])
		}
		before = gap
	}
}

// A body that spins, free or swollen by it, has no contacts with itself.
func TestSpinningBodiesDoNotTouchThemselves(t *testing.T) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	om := r3.Vec{3, 20, -10}
	w.mesh("fork", fork(1), 1e6, r3.PoseIdentity(), func(p r3.Vec) r3.Vec { return om.Cross(p.Sub(r3.Vec{0, 0, 0.025})) }, w.material(1e5, 10, 0.5), true)
	s, x := w.build()
	for range 200 {
		if err := s.Step(x, 5e-3); err != nil {
			t.Fatal(err)
		}
		if n := len(s.Report.Contacts()); n > 0 {
			t.Fatalf("%d contacts at t = %g", n, x.Time)
		}
	}
}

// The ribs of a finger that two plates flatten come to touch, and push each other
// back.
func TestRibsOfAFingerTouch(t *testing.T) {
	long(t)
	f := profiles.DefaultFinRay()
	f.RibAngle, f.Rib, f.Ribs = 0.7, 0.0025, 7
	m := must(f.Tets(profiles.FinRayOptions{Layers: 1, Across: 1}))
	box := m.Bounds()
	var deepest [2]float64
	for k, self := range []bool{true, false} {
		w := newScaffold(t)
		w.Gravity = r3.Vec{}
		mat := w.material(1e6, 10, 0.5)
		w.mat(mat).PressureGradient = 2e9
		for _, sign := range []float64{-1, 1} {
			press := must(motion.NewPiecewise([]float64{0, 0.25}, []float64{0, -sign * 0.0065}, true))
			y := box.Min[1] - 0.0051
			if sign > 0 {
				y = 0.0285
			}
			rod := w.link(rigid.LinkSpec{Name: []string{"front", "", "back"}[1+int(sign)], Parent: rigid.World,
				Joint: rigid.Prescribed{Translation: [3]motion.Motion{nil, press, nil}}, X_PF: at(0.052, y, 0)})
			w.geom(rod, r3.PoseIdentity(), must(geometry.NewBox(r3.Vec{0.02, 0.01, 0.03})), mat)
		}
		w.mesh("finger", m, 1e6, r3.PoseIdentity(), nil, mat, self, heavy, fixed(f.BaseVertices(m)...))
		s, x := w.build()
		bore := 0
		for range 25 {
			if err := s.Step(x, 1e-2); err != nil {
				t.Fatal(err)
			}
			for i := range s.Report.Contacts() {
				if c := &s.Report.Contacts()[i]; c.A.Body == c.B.Body && c.Normal > 0 {
					bore++
				}
			}
			deepest[k] = max(deepest[k], overlap(s, x))
		}
		t.Logf("self contact %v: overlap by %.3g m at most, %d contacts bore force", self, deepest[k], bore)
		if self && bore == 0 {
			t.Error("the ribs never touch")
		}
	}
	if deepest[0] > 0.3*f.Rib || deepest[1] < 2*deepest[0] {
		t.Errorf("overlaps by %g m, without contact %g m; ribs are %g m thick", deepest[0], deepest[1], f.Rib)
	}
}

// A strip that falls on its end buckles and folds on itself. In steps of 4 ms backward Euler
// damps the fold so much that its sides need not meet.
func TestFallingStripFoldsOnItself(t *testing.T) {
	long(t)
	const thick = 0.004
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.3)
	w.ground(mat)
	w.mesh("strip", must(meshes.BoxTets(r3.Vec{thick, 0.01, 0.16}, [3]int{1, 2, 32})), 3e4,
		r3.Pose{R: r3.RotExp(r3.Vec{0, 0.03, 0}), P: r3.Vec{0, 0, 0.0815}}, nil, mat, true, damped(2e-3))
	s, x := w.build()
	deepest, bore := 0.0, 0
	for range 300 {
		if err := s.Step(x, 2e-3); err != nil {
			t.Fatal(err)
		}
		deepest = max(deepest, overlap(s, x))
		for i := range s.Report.Contacts() {
			if c := &s.Report.Contacts()[i]; c.A.Body == c.B.Body && c.Normal > 0 {
				bore++
			}
		}
	}
	t.Logf("overlap by %.3g m at most, %d contacts bore force", deepest, bore)
	if bore == 0 || deepest > 0.25*thick {
		t.Errorf("overlap by %g m at most, %d contacts bore force", deepest, bore)
	}
}

// Self contact gives the same bits for any number of workers and after a restore,
// and allocates nothing.
func TestSelfContactIsDeterministic(t *testing.T) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.mesh("fork", fork(1), 2e5, tilted(0, 0, 0), snap(2), w.material(1e5, 5, 0.5), true)
	m := w.model()
	s, x := start(t, m, 1)
	one := trace(t, s, x, 40)
	s, x = start(t, m, 2)
	two := trace(t, s, x, 20)
	s, _ = start(t, m, 2)
	if two = append(two, trace(t, s, x.Clone(), 20)...); !slices.Equal(one, two) {
		t.Error("bits differ")
	}
	*x = *m.Start.Clone()
	trace(t, s, x, 40)
	*x = *m.Start.Clone()
	var err error
	if n := alloctest.PerRun(30, func() {
		if e := s.Step(x, 1e-3); e != nil {
			err = e
		}
	}); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
	if err != nil {
		t.Fatal(err)
	}
}
