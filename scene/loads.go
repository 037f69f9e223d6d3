package scene

// addLoads adds the loads.
func (l *loader) addLoads() {
	for _, name := range l.f.Loads.Keys {
		s := l.f.Loads.Get(name)
		l.put("load", name, s.Pos, "loads."+name)
		l.builder.AddLoad(name, s.Kind.Spec)
	}
}
