package sim

import "github.com/curlfree/curlfree/constraints"

// ConstraintSpec makes a constraint from its parameters, once bodies and joints have
// numbers and poses.
type ConstraintSpec interface {
	Make(r *Resolver) (constraints.Constraint, error)
}

// ConstraintFunc is a function that is a ConstraintSpec.
type ConstraintFunc func(r *Resolver) (constraints.Constraint, error)

// Make implements ConstraintSpec.
func (f ConstraintFunc) Make(r *Resolver) (constraints.Constraint, error) { return f(r) }

// constraintItem is a constraint that was added.
type constraintItem struct {
	name string
	spec ConstraintSpec
}

// AddConstraint adds a constraint.
func (b *Builder) AddConstraint(name string, spec ConstraintSpec) {
	if b.add("constraint", name) {
		b.constraints = append(b.constraints, constraintItem{name, spec})
	}
}

// addConstraints makes the constraints.
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

// checkConstraint reports parameters out of their range.
func checkConstraint(c constraints.Constraint) error {
	if c, ok := c.(constraints.Checker); ok {
		return c.Check()
	}
	return nil
}
