package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

// A ball whose resolution is not given has the force π E δ² (1 − 2δ/(3R)) of a round one
// within 2 % where its weight presses it in, in every orientation; twins share the field.
func TestDefaultResolutionKeepsTheForceAtRest(t *testing.T) {
	const R = 0.1
	for _, modulus := range []float64{1e5, 1e6, 1e7} {
		w := newScaffold(t)
		mat := w.material(1e5, 10, 0.5)
		w.mat(mat).HydroelasticModulus = modulus
		w.ground(w.material(1e5, 10, 0.5))
		w.body("ball", w.sphere(R), 40, at(0, 0, R), r3.Vec{}, r3.Vec{}, mat)
		w.body("twin", w.sphere(R), 40, at(1, 0, R), r3.Vec{}, r3.Vec{}, mat)
		m := w.model()
		var fields []*hydroelastic.Compliant
		for i := range m.Geometry.Geoms {
			if f, ok := m.Geometry.Geoms[i].Field.(*hydroelastic.Compliant); ok {
				fields = append(fields, f)
			}
		}
		if len(fields) != 2 || fields[0] != fields[1] {
			t.Fatal("balls of one size do not share their field")
		}
		// π E δ² (1 − 2δ/(3R)) = W
		depth := (&geometry.Sphere{Radius: R}).Facets().RestDepth(modulus/R, 40*grav)
		var q hydroelastic.Query
		var s hydroelastic.ContactSurface
		for k := range 30 {
			turned := r3.RotExp(r3.Vec{0.3 * float64(k), 0.7, 0.2 * float64(k*k%7)})
			q.Contact(hydroelastic.NewRigidHalfSpace(), fields[0], r3.PoseIdentity(), r3.Pose{R: turned, P: r3.Vec{0, 0, R - depth}}, &s)
			want := math.Pi * modulus * depth * depth * (1 - 2*depth/(3*R))
			near(t, "force", s.Force_W[2], want, ForceError*want)
		}
	}
	// a given resolution is kept
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.mat(mat).HydroelasticModulus = 1e6
	w.body("ball", w.sphere(R), 4, at(0, 0, R), r3.Vec{}, r3.Vec{}, mat)
	w.spec(0).Shapes[0].ResolutionHint = 0.05
	if f := w.model().Geometry.Geoms[0].Field.(*hydroelastic.Compliant); f.ResolutionHint() != 0.05 || f.EqualVolume() {
		t.Errorf("a hint of %g m, equal volume %v", f.ResolutionHint(), f.EqualVolume())
	}
}
