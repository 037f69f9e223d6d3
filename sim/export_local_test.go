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

// HasVertexTerms reports whether adjoints of the step are by terms or by hand.
func (l *Linearization) HasVertexTerms() bool { return l.hasVertexTerms() }

// HasImpact reports whether a body takes the step with the θ of an impact.
func (l *Linearization) HasImpact() bool { return len(l.impactBodies()) > 0 }

// ImpactGaps returns by how much the θ of each impact is above the next one of its body.
func (l *Linearization) ImpactGaps() (gaps []float64) {
	for _, i := range l.impactBodies() {
		gaps = append(gaps, l.ends.impacts[i]-l.ends.nextImpacts[i])
	}
	return gaps
}
