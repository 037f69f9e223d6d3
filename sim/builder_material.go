package sim

// Contact materials belong to surfaces; the parameters of a contact combine those of both
// sides, see package constraints, unless OverridePair states them. Mass and elasticity are
// not of contact materials: they stand with shapes and deformables.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// defaultMaterial is the name of the contact material of surfaces that name none.
const defaultMaterial = "default"

// materialTable are contact materials by name. Number 0 is the default one; the others
// are numbered in the order in which they are added.
type materialTable struct {
	names     []string
	list      []*constraints.ContactMaterial // each may be edited
	number    map[string]int
	overrides []pairOverride
}

// pairOverride are the contact parameters of one pair of materials.
type pairOverride struct {
	names [2]string
	constraints.Override
}

func (t *materialTable) add(name string, m constraints.ContactMaterial) {
	if i, ok := t.number[name]; ok {
		*t.list[i] = m
		return
	}
	t.number[name] = len(t.list)
	t.names, t.list = append(t.names, name), append(t.list, &m)
}

// find returns the number of a material; of the default one for no name.
func (t *materialTable) find(name string) (int, error) {
	if name == "" {
		name = defaultMaterial
	}
	i, ok := t.number[name]
	if !ok {
		return 0, &UnknownError{"material", name, t.names}
	}
	return i, nil
}

// AddMaterial adds a contact material. The name "default" replaces the material of
// surfaces without one of their own.
func (b *Builder) AddMaterial(name string, m constraints.ContactMaterial) {
	if b.add("material", name) {
		b.materials.add(name, m)
	}
}

// OverridePair sets contact parameters of one pair of materials, in place of those that
// follow from both; a material may be paired with itself.
func (b *Builder) OverridePair(materialA, materialB string, o constraints.Override) {
	b.revision++
	b.materials.overrides = append(b.materials.overrides, pairOverride{[2]string{materialA, materialB}, o})
}

// contactMaterials makes the table of pairs of materials.
func (a *assembly) contactMaterials() {
	// each material by itself
	t := &a.materials
	list := make([]constraints.ContactMaterial, len(t.list))
	for i, m := range t.list {
		list[i] = *m
		if err := m.Check(); err != nil {
			a.fail("material", t.names[i], "%w", err)
		}
	}
	table, err := constraints.NewContactMaterials(list)
	if err != nil {
		return // reported with the material
	}
	// pairs with parameters of their own
	for _, o := range t.overrides {
		i, err := t.find(o.names[0])
		if err != nil {
			a.fail("material", o.names[0], "override of a pair: %w", err)
			continue
		}
		j, err := t.find(o.names[1])
		if err != nil {
			a.fail("material", o.names[1], "override of a pair: %w", err)
			continue
		}
		if err := table.Override(i, j, o.Override); err != nil {
			a.fail("material", o.names[0], "its pair with %q: %v", o.names[1], err)
		}
	}
	a.m.ContactMaterials = table
}

// Materials with a direction are refused on deformables, which have no axes of their own.

// directional reports whether a material's friction or velocity has a direction in the
// axes of a rigid body.
func directional(m *constraints.ContactMaterial) bool {
	return m.FrictionDirection_B != (r3.Vec{}) || m.SurfaceVelocity_B != (r3.Vec{})
}
