package scene

// Constraints refer to bodies and joints that may be added later, so they are created when the
// builder resolves names. Until then the builder holds a function.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/sim"
)

// addConstraints adds the constraints.
func (l *loader) addConstraints() {
	for _, name := range l.f.Constraints.Keys {
		s := l.f.Constraints.Get(name)
		l.put("constraint", name, s.Pos, "constraints."+name+"."+s.Kind.Name)
		l.builder.AddConstraint(name, sim.ConstraintFunc(func(r *sim.Resolver) (constraints.Constraint, error) {
			return s.Kind.Spec.Make(r)
		}))
	}
}
