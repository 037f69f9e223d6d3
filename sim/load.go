package sim

// External loads on bodies, besides gravity: forces and moments on rigid bodies, and forces on
// the vertices of deformables that shape functions spread. They are taken at the end of each
// step, t + h, and where the bodies are at its start; so follower loads lag by the motion of a
// step. Loads of rigid bodies are terms of the problem (constraints.Wrench); those of vertices
// enter the free motion, p += h f, and their work h f·v⁺ the balance of energy.

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
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

// deadLoad is a force per share of each vertex, along axes that do not turn.
type deadLoad struct {
	shares []share
	force  r3.Vec // per share
	factor motion.Motion
}

// AddForces implements VertexLoad.
func (l *deadLoad) AddForces(t float64, _, force []r3.Vec) {
	f := l.force.Scale(factorAt(l.factor, t))
	for _, s := range l.shares {
		force[s.vert] = force[s.vert].AddScaled(s.part, f)
	}
}

// factorAt returns the factor of a load at time t; nil: 1.
func factorAt(m motion.Motion, t float64) float64 {
	if m == nil {
		return 1
	}
	x, _ := m.At(t)
	return x
}

// loadedDeformable returns the deformable that a load names.
func (r *Resolver) loadedDeformable(body, load string) (int, error) {
	n, err := r.Body(body)
	if err != nil {
		return 0, err
	}
	i, ok := r.model.Names.Deformables[body]
	if !ok {
		return 0, fmt.Errorf("%s is rigid: a %s acts on deformables; a rigid body takes force and moment", orWorld(body), load)
	}
	if !r.Movable(n) {
		return 0, fmt.Errorf("all vertices of %s are fixed: the %s has no effect", body, load)
	}
	return i, nil
}

// loadedBody returns the rigid body that a load names.
func (r *Resolver) loadedBody(body string) (int, error) {
	n, err := r.RigidBody(body)
	switch {
	case err != nil:
		return 0, err
	case n == geometry.World || !r.Movable(n):
		return 0, fmt.Errorf("%s is fixed or follows a prescribed motion: no load moves it; leave it out", orWorld(body))
	}
	return n, nil
}
