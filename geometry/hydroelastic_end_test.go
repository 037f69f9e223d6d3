package geometry

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// fieldsInContact is a shape with a pressure field on one that may have one, too.
func fieldsInContact(t *testing.T, shape, other Shape, opt hydroelastic.Options) *Data {
	below, above := withField(t, other, opt), withField(t, shape, opt)
	below.Body, above.Body = World, 0
	return NewData(&Model{NumRigid: 1, Geoms: []Geom{below, above}})
}

// energyAt returns the energy of the fields with the body at a pose.
func energyAt(s *Data, X r3.Pose) float64 {
	s.X_WB[0] = X
	s.Collide()
	if s.NumSurfacePairs() == 0 {
		return 0
	}
	return s.EnergyAtStart(0)
}

// The force of fields is minus the gradient of their energy.
func TestEnergyOfFieldsIsTheWorkOfTheirForces(t *testing.T) {
	opt := hydroelastic.Options{HydroelasticModulus: 1e6, ResolutionHint: 0.01}
	for _, shape := range []Shape{must(NewSphere(0.05)), must(NewBox(r3.Vec{0.1, 0.08, 0.06}))} {
		for _, depth := range []float64{1e-3, 3e-3, 8e-3} {
			s := fieldsInContact(t, shape, must(NewBox(r3.Vec{0.4, 0.4, 0.1})), opt)
			X := r3.Pose{R: r3.Identity(), P: r3.Vec{0.003, -0.002, 0.05 + shape.Bounds().Max[2] - depth}}
			const e = 1e-4
			up, down := X, X
			up.P[2] += e
			down.P[2] -= e
			force := (energyAt(s, down) - energyAt(s, up)) / (2 * e)
			energyAt(s, X)
			want := s.HydroelasticContacts()[0].Surface.Force_W[2]
			if math.Abs(force-want) > 0.06*math.Abs(want) {
				t.Errorf("%T, %g m deep: energy falls by %g J/m, the force is %g N", shape, depth, force, want)
			}
		}
	}
}

// Small motions end with no more energy than the bound, and the next placement has the surface of the end.
func TestEnergyAtTheEndKeepsItsBound(t *testing.T) {
	opt := hydroelastic.Options{HydroelasticModulus: 1e6, ResolutionHint: 0.02, Margin: 1e-3}
	r := rand.New(rand.NewPCG(1, 1))
	unit := func() r3.Vec { return r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit() }
	bounded, touching := 0, 0
	for i := range 200 {
		var shape Shape = must(NewSphere(0.05))
		if i%2 == 0 {
			shape = must(NewBox(r3.Vec{0.1, 0.08, 0.06}))
		}
		s := fieldsInContact(t, shape, HalfSpace{}, opt)
		X := r3.Pose{R: r3.RotExp(unit().Scale(0.02 * r.Float64())), P: r3.Vec{0, 0, shape.Bounds().Max[2] - 2e-3*r.Float64() + 5e-4}}
		energyAt(s, X)
		if s.NumSurfacePairs() == 0 {
			continue
		}
		m := RigidMotion{X0: X, Translation: unit().Scale(1e-3 * r.Float64()), Rotation: unit().Scale(0.01 * r.Float64())}
		m.X1 = r3.Pose{R: r3.RotExp(m.Rotation).Mul(X.R), P: X.P.Add(m.Translation)}
		motions := []RigidMotion{m}
		bound := s.BoundEnergyAtEnd(0, motions)
		s.FindSurfacesAtEnd([]int{0}, motions)
		end := s.EnergyAtEnd(0)
		if end > bound*1.02 {
			t.Errorf("%d: %g J at the end, bound %g", i, end, bound)
		}
		if !math.IsInf(bound, 1) && end > 0 {
			bounded++
		}
		// the same as from a data that has seen nothing before
		fresh := fieldsInContact(t, shape, HalfSpace{}, opt)
		if again, want := energyAt(s, m.X1), energyAt(fresh, m.X1); again != want || end != want {
			t.Errorf("%d: energies %g and %g, placed again %g", i, end, again, want)
		}
		if want := fresh.HydroelasticContacts(); len(want) > 0 {
			touching++
			if !reflect.DeepEqual(s.HydroelasticContacts(), want) {
				t.Errorf("%d: another contact surface", i)
			}
		}
	}
	if bounded < 20 || touching < 50 {
		t.Errorf("%d bounds say something, %d pairs touch", bounded, touching)
	}
}
