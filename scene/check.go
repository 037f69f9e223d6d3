package scene

// Package check inspects the model that was built; it does not depend on files. What it needs of the
// scene is given to it here: the materials by name, the path of each body for its messages, machine
// parts, whose meshing it checks against their geometry, and targets of joints with speed limits.

import (
	"slices"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/sim"
)

// checkModel adds the warnings and estimates of package check to the scene.
func (l *loader) checkModel(sc *Scene) error {
	r, err := check.Run(&check.Input{
		Model: sc.Model, Step: l.f.Time.modelStep(), Duration: l.f.Time.Duration,
		Materials: l.checkedMaterials(), Paths: l.paths(sc.Model),
		Parts: l.pictures.partGeoms(sc.Model), Margin: l.builder.HydroelasticMargin, Targets: l.targets(),
	})
	if err != nil {
		return &Error{File: l.path, Msg: err.Error()}
	}
	sc.Contacts, sc.DeformableContacts, sc.Bending = r.Contacts, r.Deformables, r.Bending
	// they name paths themselves
	for _, w := range r.Warnings {
		l.warn("%s", w)
	}
	return nil
}

// StepDamping returns the damping that the time step adds to deformables and springs; none for a
// scene of states at rest.
func (sc *Scene) StepDamping() []check.DampingEstimate {
	if sc.File.Time.Equilibrium {
		return nil
	}
	return check.StepDamping(sc.Model, sc.File.Time.modelStep())
}

// Estimates returns lines on the model: discretization errors, and damping by the step.
func (sc *Scene) Estimates() (lines []string) {
	for i := range sc.Bending {
		lines = append(lines, "bending: "+sc.Bending[i].String())
	}
	damping := sc.StepDamping()
	for i := range damping {
		lines = append(lines, "damping: "+damping[i].String())
	}
	return lines
}

// paths returns the scene paths of all bodies by number.
func (l *loader) paths(m *sim.Model) []string {
	var all []string
	for i := range m.Rigid.NumLinks() {
		all = append(all, l.pathOf("body", m.Rigid.LinkName(i)))
	}
	// numbers of deformables follow those of rigid bodies
	for i := range m.Geometry.Deformables {
		all = append(all, l.pathOf("deformable", m.Geometry.Deformables[i].Name))
	}
	return all
}

// checkedMaterials returns the materials of the builder, in its order, as package check takes them.
func (l *loader) checkedMaterials() (list []check.Material) {
	number := map[string]int{} // by the name in the builder
	for i, name := range l.builder.Names("material") {
		m, err := l.builder.Material(name)
		if err != nil {
			continue // there is one of each name
		}
		number[name] = i
		c := check.Material{Name: name, Base: i, Contact: *m}
		// variants of robot files, behind the materials that they come from
		if k := slices.Index(l.materials.names, name); k >= 0 {
			known := &l.materials.list[k]
			if base, ok := number[l.materials.names[known.Base]]; ok {
				c.Name, c.Base = known.Name, base
			}
		}
		list = append(list, c)
	}
	return list
}
