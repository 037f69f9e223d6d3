package sim

// What the adjoint of a step costs, in assemblies of its problem: callers choose between it and tangents, of which one
// takes eight.

const (
	assembliesByFaces = 4  // by hand
	assembliesByTerms = 70 // three axes of some five colours, positions and velocities, both sides
	placementsInOne   = 10 // placements of bodies that cost an assembly
)

// AdjointAssemblies returns about how many assemblies of the step AdjointOfSignals takes with these cotangents, from
// what the step contains, and after it from how the step was differentiated. A forward tangent takes eight, a parameter
// two more in either way.
func (l *Linearization) AdjointAssemblies(bar []float64) int {
	nx, _ := l.Size()
	cost := assembliesByFaces
	switch {
	case l.isLocal || l.hasLocalDerivatives():
	case l.known || !l.hasVertexTerms():
		cost = 2 * nx
	case l.adjoined && !l.vertices.faces.used:
		cost = assembliesByTerms
	}
	for i, b := range bar {
		if b == 0 {
			continue
		}
		signal := &l.s.Model.Signals[i]
		if sum, ok := signal.Signal.(contactSum); signal.OfStep && !(ok && sum.sumsContacts()) {
			return cost + 3*nx // both sides of the state at the start and of v⁺
		}
		if _, ok := signal.Signal.(pointSignal); !signal.OfStep && !ok {
			cost += 2 * nx / placementsInOne
		}
	}
	return cost
}
