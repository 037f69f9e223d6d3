package gradient

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/sim"
)

// sameTopology returns what differs between a model and those with a parameter changed by a little, where it is more
// than numbers: bodies, constraints, or elements of a mesh. Then the difference of the models is no derivative.
func sameTopology(m *sim.Model, others ...*sim.Model) error {
	for _, o := range others {
		// bodies first: all else depends on them
		if err := compareBodies(m, o); err != nil {
			return err
		}
		if err := compareMeshes(m, o); err != nil {
			return err
		}
		// what acts between bodies, by kinds in their order
		if !slices.EqualFunc(m.Constraints, o.Constraints, func(a, b constraints.Constraint) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) }) {
			return fmt.Errorf("the constraints change with it: %d before, %d after, or of other kinds", len(m.Constraints), len(o.Constraints))
		}
		// signals are compared by name, since their values must differ
		if !slices.EqualFunc(m.Signals, o.Signals, func(a, b sim.NamedSignal) bool { return a.Name == b.Name }) {
			return fmt.Errorf("the signals change with it")
		}
		if reflect.TypeOf(m.Contact) != reflect.TypeOf(o.Contact) || m.FrictionLag != o.FrictionLag {
			return fmt.Errorf("the contact law changes with it")
		}
	}
	return nil
}

// compareBodies compares numbers of bodies, joints and shapes.
func compareBodies(m, o *sim.Model) error {
	// sizes of states, then shapes one by one in the order of the scene
	aq, av := m.RigidSize()
	bq, bv := o.RigidSize()
	if aq != bq || av != bv || m.Geometry.NumRigid != o.Geometry.NumRigid {
		return fmt.Errorf("the rigid bodies change with it: %d bodies with %d velocities before, %d with %d after", m.Geometry.NumRigid, av, o.Geometry.NumRigid, bv)
	}
	if len(m.Geometry.Geoms) != len(o.Geometry.Geoms) {
		return fmt.Errorf("the number of shapes changes with it, from %d to %d", len(m.Geometry.Geoms), len(o.Geometry.Geoms))
	}
	for i := range m.Geometry.Geoms {
		// sizes and places may differ, kinds may not
		a, b := &m.Geometry.Geoms[i], &o.Geometry.Geoms[i]
		if a.Body != b.Body || reflect.TypeOf(a.Shape) != reflect.TypeOf(b.Shape) {
			return fmt.Errorf("shape %d changes its kind or body with it", i)
		}
	}
	return nil
}

// compareMeshes compares the elements of deformables.
func compareMeshes(m, o *sim.Model) error {
	if len(m.Deformables) != len(o.Deformables) {
		return fmt.Errorf("the number of deformables changes with it, from %d to %d", len(m.Deformables), len(o.Deformables))
	}
	for i, d := range m.Deformables {
		// positions of vertices may differ, which elements they belong to may not
		a, b := d.Mesh(), o.Deformables[i].Mesh()
		switch {
		case len(a.Verts) != len(b.Verts) || len(a.Tets) != len(b.Tets):
			return fmt.Errorf("the mesh of %s changes with it: %d vertices and %d tetrahedra before, %d and %d after: take a value away from where a row of elements is added",
				d.Name(), len(a.Verts), len(a.Tets), len(b.Verts), len(b.Tets))
		case !slices.Equal(a.Tets, b.Tets):
			return fmt.Errorf("the tetrahedra of the mesh of %s change with it: give a mesh whose elements do not depend on the value", d.Name())
		case d.Dofs() != o.Deformables[i].Dofs():
			return fmt.Errorf("the vertices of %s that are fixed change with it", d.Name())
		}
	}
	return nil
}
