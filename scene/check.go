package scene

// Package check inspects the model that was built; it knows nothing of files. What it needs of the
// scene is given to it here: the materials by name, the path of each body for its messages, machine
// parts, whose meshing it checks against their geometry, and targets of joints with speed limits.

import (
	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/sim"
)

// checkModel adds the warnings and estimates of package check to the scene.
func (l *loader) checkModel(sc *Scene) error {
	r, err := check.Run(&check.Input{
		Model: sc.Model, Step: l.f.Time.modelStep(), Duration: l.f.Time.Duration,
		Materials: l.materials.list, Paths: l.paths(sc.Model),
		Parts: l.pictures.partGeoms(sc.Model), Margin: l.f.Solver.HydroelasticMargin, Targets: l.targets,
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
		name := m.Rigid.LinkName(i)
		kind := "robots."
		// bodies of tables are among the bodies of the file by now
		if l.f.Bodies.Get(name) != nil {
			kind = "bodies."
		}
		// links of robots are called ROBOT.LINK, so that robots. makes it a path
		all = append(all, kind+name)
	}
	// numbers of deformables follow those of rigid bodies
	for i := range m.Geometry.Deformables {
		kind, name := "robots.", m.Geometry.Deformables[i].Name
		if l.f.Deformables.Get(name) != nil {
			kind = "deformables."
		}
		all = append(all, kind+name)
	}
	return all
}
