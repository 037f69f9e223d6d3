package sim

// WholeAssemblies makes a Linearization take its derivatives from differences of whole assemblies, or of parts again.
func (l *Linearization) WholeAssemblies(yes bool) {
	l.local.off, l.known, l.inputsKnown, l.isLocal = yes, false, false, false
}

// IsLocal reports whether the last derivatives are those of parts.
func (l *Linearization) IsLocal() bool { return l.isLocal }

// UseColumns makes adjoints of deformables take columns of whole assemblies.
func (l *Linearization) UseColumns(on bool) { l.vertices.off = on }

// UseColors makes adjoints of steps with deformables differentiate contacts by colours of vertices.
func (l *Linearization) UseColors(on bool) { l.vertices.faces.off = on }

// ByFaces reports whether the last adjoint differentiated contacts of faces by hand.
func (l *Linearization) ByFaces() bool { return l.vertices.faces.used }

// Placements returns how many times bodies were placed.
func (s *Stepper) Placements() int { return s.placements }
