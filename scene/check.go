package scene

import (
	"github.com/curlfree/curlfree/check"
)

// checkModel adds to the scene what package check says of its model.
func (b *builder) checkModel(sc *Scene) error {
	in := &check.Input{
		Model: b.model, Step: b.f.Time.Step, Duration: b.f.Time.Duration,
		Materials: b.checkMaterials(), Paths: b.paths(),
		Parts: b.parts, Margin: b.f.Solver.HydroelasticMargin, Targets: b.targets,
	}
	r, err := check.Run(in)
	if err != nil {
		return &Error{File: b.path, Msg: err.Error()}
	}
	sc.Contacts, sc.DeformableContacts = r.Contacts, r.Deformables
	for _, w := range r.Warnings {
		b.warn("%s", w)
	}
	return nil
}

// checkMaterials returns the contact materials with the names of those in the scene
// that they were made of.
func (b *builder) checkMaterials() []check.Material {
	all := make([]check.Material, len(b.mats))
	for i, base := range b.bases {
		all[i] = check.Material{Base: base, Contact: b.mats[i]}
		for name, k := range b.materials {
			if k == base {
				all[i].Name = name
			}
		}
	}
	return all
}

// paths returns the scene paths of all bodies by number.
func (b *builder) paths() []string {
	var all []string
	for i := range b.model.Rigid.NumLinks() {
		name := b.model.Rigid.LinkName(i)
		kind := "robots."
		if b.f.Bodies.Get(name) != nil {
			kind = "bodies."
		}
		all = append(all, kind+name)
	}
	for i := range b.softGeoms {
		all = append(all, "deformables."+b.softGeoms[i].Name)
	}
	return all
}
