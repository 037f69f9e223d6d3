package sim

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// ConstraintFunc is a constraints.Spec given by a function, for constraints without a
// registered kind: it creates the constraint from bodies and joints that it looks up by
// name.
type ConstraintFunc func(r *Resolver) (constraints.Constraint, error)

// Make implements constraints.Spec. It panics if r is not a *Resolver, which that of a
// Builder is.
func (f ConstraintFunc) Make(r constraints.Resolver) (constraints.Constraint, error) {
	return f(r.(*Resolver))
}

// constraintItem is a constraint that was added. It is made when all bodies are known,
// so that constraints may be added before the bodies that they act on.
type constraintItem struct {
	name string
	spec constraints.Spec
}

// AddConstraint adds a constraint, such as the closure of a kinematic loop, from its
// parameters (a *constraints.WeldSpec, say) or a ConstraintFunc. Poses of bodies are
// those at the start.
func (b *Builder) AddConstraint(name string, spec constraints.Spec) {
	if b.add("constraint", name) {
		b.constraints = append(b.constraints, constraintItem{name, spec})
	}
}

// addConstraints makes the constraints, in the order in which they were added: this is the
// order of their terms in the problem and of their numbers in reports.
func (a *assembly) addConstraints() {
	for _, item := range a.constraints {
		c, err := item.spec.Make(&a.names)
		if err == nil {
			if err = checkConstraint(c); err == nil {
				err = a.checkAnchors(c)
			}
		}
		if err != nil {
			a.fail("constraint", item.name, "%w", err)
			continue
		}
		a.m.Names.Constraints[item.name] = len(a.m.Constraints)
		a.m.Constraints = append(a.m.Constraints, c)
	}
}

// checkAnchors reports points of deformables whose vertices are not there. Of all points
// that a constraint holds, some velocity must be free.
func (a *assembly) checkAnchors(c constraints.Constraint) error {
	held, ok := c.(constraints.Described)
	if !ok {
		return nil
	}
	points := held.Describe().Points
	if len(points) == 0 { // those of joints
		return nil
	}
	// bodies are numbered links first, then deformables
	bodies := a.m.Rigid.NumLinks() + len(a.m.Deformables)
	// one velocity at least must be free: rows without any have nothing to act on
	free := false
	for _, p := range points {
		i := p.Body - a.m.Rigid.NumLinks()
		if p.Body < geometry.World || p.Body >= bodies || (p.N > 0) != (i >= 0) {
			return fmt.Errorf("a point of body %d by %d vertices: there are %d bodies, of which those from %d on are deformable and have points by vertices", p.Body, p.N, bodies, a.m.Rigid.NumLinks())
		}
		if i < 0 {
			free = free || a.names.Movable(p.Body)
			continue
		}
		// a vertex without a node is attached to another body, and does not move by itself
		d := a.m.Deformables[i]
		for _, v := range p.Vert[:p.N] {
			if v < 0 || int(v) >= d.NumVerts() {
				return fmt.Errorf("vertex %d of deformable %s, which has %d", v, d.Name(), d.NumVerts())
			}
			free = free || d.Node(v) >= 0
		}
	}
	if !free {
		return errors.New("none of its points can move: their bodies are fixed, or their vertices attached to fixed bodies")
	}
	return nil
}

// checkConstraint reports parameters out of their range, which programs may state past the checks of scenes, for
// constraints that implement
// constraints.Checker; others cannot be wrong on their own.
func checkConstraint(c constraints.Constraint) error {
	if c, ok := c.(constraints.Checker); ok {
		return c.Check()
	}
	return nil
}
