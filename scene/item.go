package scene

// A place for one kind of a seam is an Item. What the kind adds to the keys of the structure
// around it depends on the style of its seam (see kinds.Style):
//
//	Nested   {sphere: {radius: 0.1}}          the kind is a key, parameters stand below it
//	Typed    {type: revolute, axis: [0,0,1]}  a key names the kind, parameters stand beside it
//	Keyed    {position: z, body: ball}        a parameter named as the kind stands beside the others
//	Plain    {contact: sap, sigma: 1e-3}      as Typed, and parameters of other kinds may stay
//
// Parameters of a Plain seam outlive a change of kind: a scene gives stiction_tolerance, and --set
// chooses among contact laws of which some read it. Every change of kind therefore collects the
// parameters that differ from their defaults and sets those that the new kind has by the same key.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/curlfree/curlfree/kinds"
)

// Item has one kind of a seam with its parameters, such as a shape. It is a field
// of the structure with what all kinds of the seam share. The tag says which key
// names the kind:
//
//	Kind Item[rigid.JointSpec] `kind:"type"`     // {type: revolute, axis: …}
//	Contact Item[constraints.ContactSpec] `kind:"contact"` // {contact: lagged, stiction_tolerance: …}
//	Kind Item[geometry.ShapeSpec] `kind:""`      // {sphere: {radius: …}}: the kinds' own names
//
// The decoder adds the parameters of the kind to the keys of the structure.
type Item[S any] struct {
	// Pos is the place of the key that names the kind.
	Pos
	// Name is the present name of the kind; empty: not given.
	Name string
	// Spec is a pointer to the parameters; nil when Name is empty.
	Spec S

	// others are parameters of kinds that are not chosen, of a Plain seam: a scene may
	// give parameters of all contact laws and choose one of them. Several kinds may have
	// the same key; the first of them in this list has its value.
	others []spare[S]
}

// spare are the parameters of a kind that is not chosen.
type spare[S any] struct {
	name string
	spec S
}

// item is an Item of any seam.
type item interface {
	seam() kinds.Seam
	name() string
	// parameters returns the structure of parameters; it is not valid if there is none.
	parameters() reflect.Value
	// set chooses a kind. Parameters that were given before and have the same key and
	// type keep their values.
	set(name string, at Pos)
	// spare returns the parameters of a kind that is not chosen.
	spare(name string) reflect.Value
	// spares returns the names of the kinds that are not chosen.
	spares() []string
}

// seam implements item.
func (*Item[S]) seam() kinds.Seam { return kinds.Of(reflect.TypeFor[S]()) }

// name implements item.
func (it *Item[S]) name() string { return it.Name }

// parameters implements item.
func (it *Item[S]) parameters() reflect.Value {
	v := reflect.ValueOf(it.Spec)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.Elem()
}

// set implements item. Of a Plain seam, the parameters of the kind chosen before are kept: a
// later choice finds them again. Parameters move by key and type, so that a radius never becomes
// a list of radii.
func (it *Item[S]) set(name string, at Pos) {
	// what was given so far, by key
	changed := it.changed()
	if it.Name != "" && it.seam().Style() == kinds.Plain {
		it.keep(it.Name, it.Spec)
	}
	it.Pos, it.Name = at, name
	it.Spec, _ = it.seam().Make(name).(S)
	// the kind that is chosen now is spare no longer
	it.others = slices.DeleteFunc(it.others, func(o spare[S]) bool { return o.name == name })
	for _, f := range kinds.Fields(it.Spec) {
		if v, ok := changed[f.Key]; ok && v.Type() == f.Value.Type() {
			f.Value.Set(v)
		}
	}
}

// inherit takes kind and parameters of another item where this one gives none.
// A value that equals its default counts as not given: nobody can distinguish the two in a kind.
func (it *Item[S]) inherit(base *Item[S]) {
	// what the item gives itself stays
	given := it.changed()
	if it.Name == "" {
		it.set(base.Name, base.Pos)
	}
	// of the base, only what differs from the program: a kind has defaults of its own
	usual := base.changed()
	for _, f := range kinds.Fields(it.Spec) {
		if v, ok := usual[f.Key]; ok && !given[f.Key].IsValid() && v.Type() == f.Value.Type() {
			f.Value.Set(v)
		}
	}
}

// changed returns the parameters of the kind so far, and of those that are not chosen, that
// differ from their defaults. Values are compared deeply, because parameters may be lists and
// poses.
func (it *Item[S]) changed() map[string]reflect.Value {
	m := map[string]reflect.Value{}
	note := func(name string, spec S) {
		usual := map[string]reflect.Value{}
		for _, f := range kinds.Fields(it.seam().Make(name)) {
			usual[f.Key] = f.Value
		}
		for _, f := range kinds.Fields(spec) {
			if !reflect.DeepEqual(f.Value.Interface(), usual[f.Key].Interface()) {
				m[f.Key] = f.Value
			}
		}
	}
	// the latest value of a key wins: oldest first, the chosen kind last
	for _, o := range slices.Backward(it.others) {
		note(o.name, o.spec)
	}
	if it.Name != "" {
		note(it.Name, it.Spec)
	}
	return m
}

// keep puts the parameters of a kind that is chosen no longer before all others: they
// have the latest value of every key that they have.
func (it *Item[S]) keep(name string, spec S) {
	it.others = slices.Insert(it.others, 0, spare[S]{name, spec})
}

// spare returns the parameters of a kind that is not chosen.
func (it *Item[S]) spare(name string) reflect.Value {
	for _, o := range it.others {
		if o.name == name {
			return reflect.ValueOf(o.spec).Elem()
		}
	}
	spec, _ := it.seam().Make(name).(S)
	it.others = append(it.others, spare[S]{name, spec})
	return reflect.ValueOf(spec).Elem()
}

// spares returns the names of all kinds that are not chosen, those first whose parameters
// have the latest values.
func (it *Item[S]) spares() []string {
	var names []string
	for _, o := range it.others {
		names = append(names, o.name)
	}
	for _, name := range it.seam().Names() {
		if name != it.Name && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// itemField is an Item of a structure with the key that names its kind.
type itemField struct {
	item
	// key names the kind; empty: the kinds' own names do.
	key string
	// earlier are names that key had in former versions.
	earlier []string
	// optional items may have no kind: materials take the law of default.
	optional bool
	// usual is the kind that applies where an optional item has none, for the manual; may be empty.
	usual string
}

// itemsOf returns the items of a structure. Embedded structures are searched, as kinds.FieldsOf
// does, but not Pos, which has no tags.
func itemsOf(v reflect.Value) []itemField {
	// tags of a type are read once: a study builds thousands of scenes of the same types
	places, ok := itemPlaces.Load(v.Type())
	if !ok {
		places, _ = itemPlaces.LoadOrStore(v.Type(), findItems(v.Type(), nil))
	}
	var items []itemField
	for _, p := range places.([]itemPlace) {
		it := p.itemField
		it.item = v.FieldByIndex(p.index).Addr().Interface().(item)
		items = append(items, it)
	}
	return items
}

// itemPlaces are the items of structures that were searched before, as []itemPlace by their type.
var itemPlaces sync.Map

// itemPlace is what tags say of an item, and where it is in its structure.
type itemPlace struct {
	itemField // without the item
	index     []int
}

// findItems searches a type of structures, which is the field with the index at of another.
func findItems(t reflect.Type, at []int) (places []itemPlace) {
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(at), i)
		if tag, ok := f.Tag.Lookup("kind"); ok {
			p := itemPlace{index: index}
			p.key, p.optional = strings.CutSuffix(tag, ",optional")
			p.usual = f.Tag.Get("default")
			if old := f.Tag.Get("formerly"); old != "" {
				p.earlier = strings.Split(old, ",")
			}
			places = append(places, p)
		} else if f.Anonymous && f.Type.Kind() == reflect.Struct && f.Type != posType {
			places = append(places, findItems(f.Type, index)...)
		}
	}
	return places
}

// fields returns the keys that a chosen kind adds to those of its structure.
func (it *itemField) fields() map[string]field {
	m := map[string]field{}
	spec := it.parameters()
	if spec.IsValid() {
		m = it.ownFields(spec)
	}
	if it.seam().Style() == kinds.Plain {
		it.addSpare(m)
	}
	if f, ok := m[it.name()]; ok && it.key == "" {
		for _, old := range it.formerly() {
			m[old] = f
		}
	}
	return m
}

// ownFields returns the keys of the chosen kind.
func (it *itemField) ownFields(spec reflect.Value) map[string]field {
	m := map[string]field{}
	usual := reflect.ValueOf(it.seam().Make(it.name())).Elem()
	// the parameters stand below the kind, or beside its key
	if it.key == "" && !it.flat() { // {sphere: {radius: 0.05}}
		m[it.name()] = field{Value: spec, param: kinds.Param{Key: it.name()}, usual: usual}
		return m
	}
	// both lists have the fields of one type, so the same order
	was := kinds.FieldsOf(usual)
	for i, f := range kinds.FieldsOf(spec) {
		m[f.Key] = field{Value: f.Value, param: f.Param, usual: was[i].Value}
	}
	return m
}

// flat reports whether the parameters of the chosen kind stand beside the key that names it, as
// in {position: z, body: ball}. Of a Keyed seam, either all parameters stand below the kind, or
// one has its name and all stand beside each other.
func (it *itemField) flat() bool {
	return Flat(it.seam(), kinds.Info{Name: it.name(), Params: kinds.Params(it.parameters().Addr().Interface())})
}

// wanted returns the message that an item has no kind.
func (it *itemField) wanted(path string) string {
	return fmt.Sprintf("%s: a %s is required, one of %s", orScene(path), it.seam().Name(), strings.Join(it.seam().Names(), ", "))
}

// addSpare adds the keys of kinds that are not chosen.
func (it *itemField) addSpare(m map[string]field) {
	for _, name := range it.spares() {
		usual := kinds.Fields(it.seam().Make(name))
		for i, f := range kinds.FieldsOf(it.spare(name)) {
			// the first spare kind that has the key has its value
			if _, ok := m[f.Key]; !ok {
				m[f.Key] = field{Value: f.Value, param: f.Param, usual: usual[i].Value}
			}
		}
	}
}

// formerly returns the earlier names of the chosen kind.
func (it *itemField) formerly() []string {
	for _, k := range it.seam().Kinds() {
		if k.Name == it.name() {
			return k.Formerly
		}
	}
	return nil
}

// looseItem is an item that is a value of its own, not part of a structure.
type looseItem struct {
	in   kinds.Seam
	kind string // empty until one is chosen
	spec any    // a pointer to its parameters
}

// seam implements item.
func (it *looseItem) seam() kinds.Seam { return it.in }

// name implements item.
func (it *looseItem) name() string { return it.kind }

// parameters implements item.
func (it *looseItem) parameters() reflect.Value {
	v := reflect.ValueOf(it.spec)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.Elem()
}

// spares implements item: kinds that are not chosen have no parameters here.
func (it *looseItem) spares() []string { return nil }

// spare implements item.
func (it *looseItem) spare(string) reflect.Value { return reflect.Value{} }

// set implements item. Every choice begins with the defaults of its kind.
func (it *looseItem) set(name string, _ Pos) { it.kind, it.spec = name, it.in.Make(name) }
