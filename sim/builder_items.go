package sim

// Items of a builder by name. Parameters are handed out as pointers: what a program changes there counts from the
// next Build on, and is checked by it as parameters that are added are. Relations that have no name of their own, such
// as pairs without contact, belong to the items that they name and are removed with these; items that are named by
// others are not, and Build reports the others.

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
)

// Body returns the parameters of a rigid body, to be read or edited until Build. Shape and Spec of its shapes, and
// other pointers, are shared with models that were built before: replace them instead of what they point to. An
// unknown name is an *UnknownError.
func (b *Builder) Body(name string) (*BodySpec, error) {
	if item := b.bodyOf[name]; item != nil {
		b.revision++
		return &item.spec, nil
	}
	if slices.Contains(b.Names("deformable"), name) {
		return nil, fmt.Errorf("%s is deformable: ask for it by Deformable", name)
	}
	return nil, b.unknown("body", name)
}

// Joint returns the parameters of the joint of a rigid body, by the name of the joint, to be read or edited until
// Build. Bodies that are fixed or free have no joint: give them one by BodySpec.Joint. An unknown name is an
// *UnknownError.
func (b *Builder) Joint(name string) (*JointSpec, error) {
	if item := b.jointed(name); item != nil {
		b.revision++
		return item.spec.Joint, nil
	}
	if b.bodyOf[name] != nil {
		return nil, fmt.Errorf("%s has no joint, it is fixed or free: give it one by BodySpec.Joint", name)
	}
	return nil, b.unknown("joint", name)
}

// jointed returns the body with the joint of a name, nil if there is none.
func (b *Builder) jointed(name string) *bodyItem {
	if item := b.bodyOf[name]; item != nil && item.spec.Joint != nil && item.jointName() == name {
		return item
	}
	for _, item := range b.bodies {
		if item.spec.Joint != nil && item.jointName() == name {
			return item
		}
	}
	return nil
}

// Shapes returns the shapes that AddShape has put on a body or on the world, such as those of the links of a robot, to
// be read or edited until Build; none is an empty list. Those of BodySpec.Shapes are not among them. An unknown name is
// an *UnknownError.
func (b *Builder) Shapes(body string) ([]*ShapeSpec, error) {
	if b.bodyOf[body] == nil && body != worldName {
		return nil, b.unknown("body", body)
	}
	b.revision++
	var list []*ShapeSpec
	for _, item := range b.shapesOn[body] {
		list = append(list, &item.spec)
	}
	return list, nil
}

// Deformable returns the parameters of a deformable body, to be read or edited until Build. Its mesh is shared with
// models that were built before: replace it, and with it the vertices of Attach. An unknown name is an *UnknownError.
func (b *Builder) Deformable(name string) (*DeformableSpec, error) {
	if b.bodyOf[name] != nil {
		return nil, fmt.Errorf("%s is rigid: ask for it by Body", name)
	}
	return lookUp(b, "deformable", name, b.deformables, func(i *deformableItem) (string, *DeformableSpec) { return i.name, &i.spec })
}

// Material returns a contact material, to be read or edited until Build; there is always one called "default". Mass and
// elasticity are not among its parameters: they stand with shapes and deformables. An unknown name is an *UnknownError.
func (b *Builder) Material(name string) (*constraints.ContactMaterial, error) {
	i, err := b.materials.find(name)
	if err != nil {
		return nil, err
	}
	b.revision++
	return b.materials.list[i], nil
}

// Constraint returns the parameters of a constraint as they were added, such as a *constraints.WeldSpec, which may be
// edited until Build. An unknown name is an *UnknownError.
func (b *Builder) Constraint(name string) (constraints.Spec, error) {
	return lookUp(b, "constraint", name, b.constraints, func(i constraintItem) (string, constraints.Spec) { return i.name, i.spec })
}

// Drive returns the parameters of a drive as they were added, such as a *JointDrive, which may be edited until Build.
// An unknown name is an *UnknownError.
func (b *Builder) Drive(name string) (Drive, error) {
	return lookUp(b, "drive", name, b.drives, func(i driveItem) (string, Drive) { return i.name, i.spec })
}

// Load returns the parameters of a load as they were added, such as a *ForceSpec, which may be edited until Build. An
// unknown name is an *UnknownError.
func (b *Builder) Load(name string) (LoadSpec, error) {
	return lookUp(b, "load", name, b.loads, func(i loadItem) (string, LoadSpec) { return i.name, i.spec })
}

// Signal returns the parameters of a signal as they were added, such as a *PositionSpec, which may be edited until
// Build. An unknown name is an *UnknownError.
func (b *Builder) Signal(name string) (SignalSpec, error) {
	return lookUp(b, "signal", name, b.signals, func(i signalItem) (string, SignalSpec) { return i.name, i.spec })
}

// lookUp returns the parameters of an item of a list.
func lookUp[T, S any](b *Builder, kind, name string, list []T, get func(T) (string, S)) (spec S, err error) {
	for _, item := range list {
		if n, spec := get(item); n == name {
			b.revision++
			return spec, nil
		}
	}
	return spec, b.unknown(kind, name)
}

// Names returns the names of the items of a kind, in the order in which they were added. The kinds are those of Remove;
// Names panics for another word.
func (b *Builder) Names(kind string) []string { return must(itemListOf(kind)).names(b) }

// Remove removes an item of a kind:
//
//	material      and pairs of it; "default" is always there
//	body          a rigid body with its shapes, its joint and that it follows another (AddMimic),
//	              and pairs and groups without contact that name it
//	joint         the joint of a body, which then is free
//	shape         the shapes of AddShape on the body of this name
//	mimic         that the joint of this name follows another
//	deformable    and pairs and groups without contact that name it
//	constraint, drive, load, signal, controller, live value
//
// Other items that name it are not removed: Build reports them. An unknown name is an *UnknownError.
func (b *Builder) Remove(kind, name string) error {
	list, err := itemListOf(kind)
	if err != nil {
		return err
	}
	if kind == "material" && name == defaultMaterial {
		return fmt.Errorf("the material %q is always there: edit it", name)
	}
	if !slices.Contains(list.names(b), name) {
		return b.unknown(kind, name)
	}
	b.revision++
	list.remove(b, name)
	delete(b.taken, nameKey(kind, name))
	return nil
}

// Revision returns a number that grows with every call that adds an item, removes one, or returns parameters that may
// be edited. While it stays the same, so do the items; fields of the Builder do not count.
func (b *Builder) Revision() int { return b.revision }

// unknown returns the error of a name that no item of a kind has.
func (b *Builder) unknown(kind, name string) error {
	return &UnknownError{kind, name, b.Names(kind)}
}

// itemList is how the items of a kind are listed and removed.
type itemList struct {
	kind   string
	names  func(b *Builder) []string
	remove func(b *Builder, name string)
}

// itemListOf returns the list of a kind.
func itemListOf(kind string) (itemList, error) {
	var known []string
	for _, l := range itemLists() {
		if l.kind == kind {
			return l, nil
		}
		known = append(known, l.kind)
	}
	return itemList{}, fmt.Errorf("unknown kind of item %q%s", kind, kinds.Suggest(kind, known))
}

// itemLists are the lists of all kinds.
func itemLists() []itemList {
	return []itemList{
		{"material", func(b *Builder) []string { return slices.Clone(b.materials.names) }, func(b *Builder, name string) { b.materials.remove(name) }},
		{"body", namesOf(bodiesOf, (*bodyItem).itemName), (*Builder).removeBody},
		{"joint", (*Builder).jointNames, func(b *Builder, name string) { b.jointed(name).spec.Joint = nil }},
		{"shape", (*Builder).shaped, (*Builder).removeShapes},
		listOf("mimic", func(b *Builder) *[]mimicItem { return &b.mimics }, func(i mimicItem) string { return i.joint }),
		{"deformable", namesOf(deformablesOf, (*deformableItem).itemName), func(b *Builder, name string) {
			remove(deformablesOf(b), name, (*deformableItem).itemName)
			b.touchAgain(name)
		}},
		listOf("constraint", func(b *Builder) *[]constraintItem { return &b.constraints }, func(i constraintItem) string { return i.name }),
		listOf("drive", func(b *Builder) *[]driveItem { return &b.drives }, func(i driveItem) string { return i.name }),
		listOf("load", func(b *Builder) *[]loadItem { return &b.loads }, func(i loadItem) string { return i.name }),
		listOf("signal", func(b *Builder) *[]signalItem { return &b.signals }, func(i signalItem) string { return i.name }),
		listOf("controller", func(b *Builder) *[]NamedController { return &b.controllers }, func(i NamedController) string { return i.Name }),
		listOf("live value", func(b *Builder) *[]*motion.Live { return &b.live }, func(i *motion.Live) string { return i.Name }),
	}
}

func bodiesOf(b *Builder) *[]*bodyItem            { return &b.bodies }
func deformablesOf(b *Builder) *[]*deformableItem { return &b.deformables }
func (item *bodyItem) itemName() string           { return item.name }
func (item *deformableItem) itemName() string     { return item.name }

// listOf is the list of items that nothing else of the builder depends on.
func listOf[T any](kind string, list func(*Builder) *[]T, name func(T) string) itemList {
	return itemList{kind, namesOf(list, name), func(b *Builder, item string) { remove(list(b), item, name) }}
}

// namesOf returns a function that lists the names of items.
func namesOf[T any](list func(*Builder) *[]T, name func(T) string) func(*Builder) []string {
	return func(b *Builder) []string {
		names := make([]string, 0, len(*list(b)))
		for _, item := range *list(b) {
			names = append(names, name(item))
		}
		return names
	}
}

// remove removes the items of a name from a list.
func remove[T any](list *[]T, item string, name func(T) string) {
	*list = slices.DeleteFunc(*list, func(t T) bool { return name(t) == item })
}

// jointNames returns the names of the joints of bodies.
func (b *Builder) jointNames() (names []string) {
	for _, item := range b.bodies {
		if item.spec.Joint != nil {
			names = append(names, item.jointName())
		}
	}
	return names
}

// shaped returns the names of bodies with shapes of AddShape, in the order of their first ones.
func (b *Builder) shaped() (names []string) {
	for _, item := range b.shapes {
		if item.body == nil && b.shapesOn[item.on][0] == item {
			names = append(names, item.on)
		}
	}
	return names
}

// removeShapes removes the shapes of AddShape on a body.
func (b *Builder) removeShapes(body string) {
	b.shapes = slices.DeleteFunc(b.shapes, func(item *shapeItem) bool { return item.body == nil && item.on == body })
	delete(b.shapesOn, body)
}

// removeBody removes a rigid body with what belongs to it.
func (b *Builder) removeBody(name string) {
	item := b.bodyOf[name]
	if item.spec.Joint != nil {
		remove(&b.mimics, item.jointName(), func(m mimicItem) string { return m.joint })
	}
	remove(&b.bodies, name, (*bodyItem).itemName)
	delete(b.bodyOf, name)
	b.removeShapes(name)
	b.shapes = slices.DeleteFunc(b.shapes, func(s *shapeItem) bool { return s.body == item })
	b.touchAgain(name)
}

// touchAgain removes a body from pairs and groups without contact.
func (b *Builder) touchAgain(body string) {
	b.excluded = slices.DeleteFunc(b.excluded, func(p [2]string) bool { return p[0] == body || p[1] == body })
	for i, group := range b.apart {
		b.apart[i] = slices.DeleteFunc(group, func(name string) bool { return name == body })
	}
}

// remove removes a material and the pairs that name it. Those behind it get other numbers.
func (t *materialTable) remove(name string) {
	i := t.number[name]
	t.names, t.list = slices.Delete(t.names, i, i+1), slices.Delete(t.list, i, i+1)
	delete(t.number, name)
	for k, other := range t.names[i:] {
		t.number[other] = i + k
	}
	t.overrides = slices.DeleteFunc(t.overrides, func(o pairOverride) bool { return o.names[0] == name || o.names[1] == name })
}
