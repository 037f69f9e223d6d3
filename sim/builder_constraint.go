package sim

import "github.com/curlfree/curlfree/constraints"

// ConstraintFunc makes a constraint from bodies and joints that it looks up by name. It
// is a constraints.Spec for constraints that no registered kind describes.
type ConstraintFunc func(r *Resolver) (constraints.Constraint, error)

// Make implements constraints.Spec. It panics if r is not a *Resolver, which that of a
// Builder is.
func (f ConstraintFunc) Make(r constraints.Resolver) (constraints.Constraint, error) {
	return f(r.(*Resolver))
}

// constraintItem is a constraint that was added.
type constraintItem struct {
	name string
	spec constraints.Spec
}

// AddConstraint adds a constraint from its parameters, such as a *constraints.WeldSpec,
// or a ConstraintFunc. The poses that it is made from are those at the start.
func (b *Builder) AddConstraint(name string, spec constraints.Spec) {
	if b.add("constraint", name) {
		b.constraints = append(b.constraints, constraintItem{name, spec})
	}
}

// addConstraints makes the constraints, in the order in which they were added.
func (a *assembly) addConstraints() {
	for _, item := range a.constraints {
		c, err := item.spec.Make(&a.names)
		if err == nil {
			err = checkConstraint(c)
		}
		if err != nil {
			a.fail("constraint", item.name, "%w", err)
			continue
		}
		a.m.Names.Constraints[item.name] = len(a.m.Constraints)
		a.m.Constraints = append(a.m.Constraints, c)
	}
}

// checkConstraint reports parameters out of their range, for constraints that implement Checker.
func checkConstraint(c constraints.Constraint) error {
	if c, ok := c.(constraints.Checker); ok {
		return c.Check()
	}
	return nil
}
