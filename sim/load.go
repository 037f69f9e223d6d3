package sim

// External loads on bodies, besides gravity: forces and moments on rigid bodies, and forces on
// the vertices of deformables that shape functions spread. They are taken at the end of each
// step, t + h, and where the bodies are at its start; so follower loads lag by the motion of a
// step. Loads of rigid bodies are terms of the problem (constraints.Wrench); those of vertices
// enter the free motion, p += h f, and their work h f·v⁺ the balance of energy.

import (
	"fmt"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

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
