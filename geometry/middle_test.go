package geometry

import (
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// The gap of a contact of a pair that turns changes by the rate in the middle of the step, with an error of the third
// order in its length: its point and normal are those of the contact there. With those of the start it is of the
// second.
func TestGapsChangeByTheContactOfTheMiddle(t *testing.T) {
	r := newRand(t, 20261130)
	shapes := []func() Shape{
		func() Shape { return must(NewEllipsoid(r3.Vec{0.1, 0.06, 0.04})) },
		func() Shape { return must(NewCylinder(0.1, 0.01)) },
		func() Shape { return must(NewCapsule(0.03, 0.1)) },
		func() Shape { return must(NewBox(r3.Vec{0.2, 0.1, 0.05})) },
	}
	for k, make := range shapes {
		for trial := range 20 {
			m := &Model{NumRigid: 2, Geoms: []Geom{
				{Body: 0, Shape: must(NewBox(r3.Vec{1, 1, 0.2})), X_BG: at(r3.Vec{0, 0, -0.1})},
				{Body: 1, Shape: make(), X_BG: r3.PoseIdentity()},
			}}
			// tilted so that it touches at one point, in the middle of the box
			R := r3.RotExp(gauss(r).Scale(0.4)).Mul(r3.RotExp(r3.Vec{0.6, 0.3, 0}))
			start := [2]r3.Pose{r3.PoseIdentity(), {R: R, P: r3.Vec{0, 0, 0.3}}}
			start[1].P[2] -= gapOf(m, start) + 1e-5
			w, v := [2]r3.Vec{gauss(r), gauss(r).Scale(3)}, [2]r3.Vec{gauss(r).Scale(0.1), gauss(r).Scale(0.1)}
			after := func(h float64) (X [2]r3.Pose) {
				for i := range X {
					X[i] = r3.Pose{R: r3.RotExp(w[i].Scale(h)).Mul(start[i].R), P: start[i].P.AddScaled(h, v[i])}
				}
				return X
			}
			off := func(h float64) float64 {
				s := NewData(m)
				copy(s.X_WB, start[:])
				s.SpeculativeDistance = 0.01
				found := append([]Contact(nil), s.Collide()...)
				half, end := after(h/2), after(h)
				s.MoveToMiddle(half[:], found)
				best := -1
				for i := range found {
					if best < 0 || found[i].Phi < found[best].Phi {
						best = i
					}
				}
				c := &found[best]
				if !c.Middle {
					t.Fatalf("shape %d, trial %d: the contact is not that of the middle", k, trial)
				}
				rate := func(i int) r3.Vec { return v[i].Add(w[i].Cross(c.Pos_W.Sub(half[i].P))) }
				return gapOf(m, end) - c.Phi - h*rate(1).Sub(rate(0)).Dot(c.Normal_W)
			}
			a, b := off(4e-3), off(2e-3)
			if a < 0 {
				a = -a
			}
			if b < 0 {
				b = -b
			}
			if b > 0.2*a+2e-10 {
				t.Errorf("shape %d, trial %d: gaps err by %g and %g m at steps of 4 and 2 ms, want an eighth", k, trial, a, b)
			}
		}
	}
}

// gapOf returns the least gap of the two bodies of a model at given poses, m.
func gapOf(m *Model, X_WB [2]r3.Pose) float64 {
	s := NewData(m)
	copy(s.X_WB, X_WB[:])
	c, ok := s.Nearest(1, []int{0})
	if !ok {
		panic("no gap")
	}
	return c.Phi
}

// Bodies that hardly turn keep their contacts.
func TestContactsOfBodiesAtRestStay(t *testing.T) {
	m := &Model{NumRigid: 1, Geoms: []Geom{
		{Body: World, Shape: HalfSpace{}, X_BG: r3.PoseIdentity()}, {Body: 0, Shape: must(NewBox(r3.Vec{0.1, 0.1, 0.1})), X_BG: r3.PoseIdentity()},
	}}
	s := NewData(m)
	s.X_WB[0] = at(r3.Vec{0, 0, 0.05 - 1e-6})
	s.SpeculativeDistance = 1e-3
	found := append([]Contact(nil), s.Collide()...)
	X := s.X_WB[0]
	X.R = r3.RotExp(r3.Vec{1e-6, 0, 0})
	s.MoveToMiddle([]r3.Pose{X}, found)
	for i := range found {
		if found[i] != s.contacts[i] {
			t.Errorf("contact %d moved", i)
		}
	}
	if len(found) != 4 {
		t.Fatalf("%d contacts", len(found))
	}
}
