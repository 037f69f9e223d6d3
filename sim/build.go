package sim

// What makes a model of items uses all of them, and the order in which they need each other.

// Build creates the model with its start state and names. The error joins a
// Diagnostic for every fault found. Afterwards items may be added, edited and removed, and Build
// called again: it makes another model of the items as they are then.
func (b *Builder) Build() (*Model, error) {
	a := newAssembly(b.expanded())
	m, err := build(a)
	b.warnings = a.warnings
	return m, err
}

// build makes the model, or returns all faults found.
func build(a *assembly) (*Model, error) {
	// bodies, numbered
	a.contactMaterials()
	a.links()
	a.makeDeformables()
	a.plant()
	if err := a.failed(); err != nil {
		return nil, err // what follows refers to numbers of bodies
	}
	// constraints, in the order that their numbers keep, and contact
	a.couple()
	a.setDefaultGradients()
	a.placeDeformables()
	a.excludePairs()
	a.limits()
	a.addConstraints()
	a.addDrives()
	a.addLoads()
	a.addSignals()
	// what refers to those that come after it
	addHolds(a)
	findDependents(a)
	a.addLive()
	addOperator(a)
	a.m.Controllers = a.controllers
	a.m.commanded = commandedDrives(a.m)
	if err := a.failed(); err != nil {
		return nil, err
	}
	if err := a.m.Validate(); err != nil {
		return nil, err
	}
	return a.m, nil
}

// MustBuild builds models that are known to be valid, such as those of tests and
// examples. It panics where Build returns an error.
func (b *Builder) MustBuild() *Model {
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}
