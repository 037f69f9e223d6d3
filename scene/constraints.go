package scene

// addConstraints adds the constraints.
func (l *loader) addConstraints() {
	for _, name := range l.f.Constraints.Keys {
		s := l.f.Constraints.Get(name)
		l.put("constraint", name, s.Pos, "constraints."+name+"."+s.Kind.Name)
		l.builder.AddConstraint(name, s.Kind.Spec)
	}
}
