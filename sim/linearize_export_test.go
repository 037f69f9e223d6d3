package sim

// Repeated returns for which terms the step was solved again, and "parts" where it was divided.
func (l *Linearization) Repeated() (names []string) {
	for k := range l.parts {
		for i, moved := range l.parts[k].tape.moved {
			if moved && !contains(names, termKinds[i].name) {
				names = append(names, termKinds[i].name)
			}
		}
	}
	if l.isDivided() {
		names = append(names, "parts")
	}
	return names
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}
