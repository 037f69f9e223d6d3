package sim

import (
	"errors"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
)

// Loads are the registered kinds of loads.
var Loads = kinds.NewRegistry[LoadSpec]("load", "Force on a body from outside, over time.").In(kinds.Keyed)

// LoadSpec creates a load from its parameters, which name a body.
type LoadSpec interface {
	// Make returns the load, or an error that describes the faulty parameter.
	Make(r *Resolver) (Load, error)
}

// Load is an external load: forces on the vertices of a deformable, or a wrench on a rigid
// body.
type Load struct {
	// Deformable is an index into Model.Deformables, of a load OnVertices.
	Deformable int
	// OnVertices are forces on the vertices of a deformable; nil for a rigid body.
	OnVertices VertexLoad
	// OnBody is the load of a rigid body; nil for a deformable.
	OnBody constraints.Constraint
}

// loadItem is a load that was added.
type loadItem struct {
	name string
	spec LoadSpec
}

// AddLoad adds a load, such as a *ForceSpec.
func (b *Builder) AddLoad(name string, spec LoadSpec) {
	if b.add("load", name) {
		b.loads = append(b.loads, loadItem{name, spec})
	}
}

// addLoads makes the loads: those of rigid bodies after all constraints and drives.
func (a *assembly) addLoads() {
	a.m.Loads = make([][]VertexLoad, len(a.m.Deformables))
	for _, item := range a.loads {
		if err := errors.Join(kinds.Validate(item.spec)...); err != nil {
			a.fail("load", item.name, "%w", err)
			continue
		}
		l, err := item.spec.Make(&a.names)
		switch {
		case err != nil:
			a.fail("load", item.name, "%w", err)
		case l.OnBody != nil:
			a.m.Constraints = append(a.m.Constraints, l.OnBody)
		case l.OnVertices != nil:
			a.m.Loads[l.Deformable] = append(a.m.Loads[l.Deformable], l.OnVertices)
		}
	}
}
