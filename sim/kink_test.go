package sim_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// The corners that two equal boxes share lie on the edges of the one or of the other, by the side to which it is moved:
// exactly above each other there is no derivative, and the refusal names both. Nearby there is one. Both are so by
// parts of the step and by whole assemblies.
func TestContactsWithKinksAreRefusedByName(t *testing.T) {
	for _, c := range []struct {
		name   string
		law    constraints.ContactModel
		offset float64
		want   bool
	}{
		{"aligned, parts", constraints.Similar{StictionTolerance: 1e-2}, 0, false},
		{"aligned, whole", constraints.SAP{}, 0, false},
		{"beside, parts", constraints.Similar{StictionTolerance: 1e-2}, 1e-3, true},
		{"beside, whole", constraints.SAP{}, 1e-3, true},
	} {
		s := differentiable(t, 1, func(b *sim.Builder) {
			b.Contact, b.FrictionLag = c.law, 0
			box := func(x, z, turn float64) sim.BodySpec {
				return sim.BodySpec{Mass: 1, Pose: at(x, x, z), AngularVelocity: r3.Vec{turn, turn, 0}, Shapes: []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{0.1, 0.1, 0.1}}}}}
			}
			b.AddBody("lower", box(0, 0, 0))
			b.AddBody("upper", box(c.offset, 0.0998, 0.5))
		})
		x := s.Model.Start.Clone()
		l, err := s.Linearize(x, 2e-3)
		if err != nil {
			t.Fatal(err)
		}
		nx, _ := l.Size()
		err = l.Jacobian(make([]float64, nx*nx), nil)
		switch {
		case c.want && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case !c.want && (!errors.Is(err, sim.ErrNotDifferentiable) || !strings.Contains(err.Error(), "lower and upper")):
			t.Errorf("%s: %v, want a refusal that names both", c.name, err)
		}
	}
}
