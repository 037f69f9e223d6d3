package parts

import (
	"reflect"

	registry "github.com/curlfree/curlfree/kinds"
)

func init() { registry.AddSeam(seam{}) }

// seam presents the kinds of parts to the manual and to "curlfree kinds".
type seam struct{}

var _ registry.Seam = seam{}

// Name implements kinds.Seam.
func (seam) Name() string { return "machine part" }

// Doc implements registry.Seam.
func (seam) Doc() string { return "Machine part that is generated from parameters." }

// Style implements registry.Seam.
func (seam) Style() registry.Style { return registry.Nested }

// Type implements registry.Seam.
func (seam) Type() reflect.Type { return reflect.TypeFor[Part]() }

// Make implements registry.Seam. Parts are made by Make of this package, because some
// parameters follow from others.
func (seam) Make(string) any { return nil }

// Names implements registry.Seam.
func (s seam) Names() []string {
	var names []string
	for _, k := range s.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Current implements registry.Seam.
func (seam) Current(name string) (current string, ok bool) { return name, KindOf(name) != nil }

// Kinds implements registry.Seam.
func (seam) Kinds() []registry.Info {
	// kinds in the order of the manual: gears, threads, round parts
	var all []registry.Info
	for _, k := range Kinds() {
		info := registry.Info{Seam: "machine part", Name: k.Name, Doc: k.Doc + ".", About: k.About}
		for _, p := range k.Params {
			info.Params = append(info.Params, p.describe())
		}
		info.Sample = func() any { return &struct{}{} } // the defaults
		all = append(all, info)
	}
	return all
}

// describe returns a parameter as the manual shows it.
func (p Param) describe() registry.Param {
	// numbers unless the parameter says otherwise
	d := registry.Param{Key: p.Name, Type: reflect.TypeFor[float64](), Unit: p.Unit, Doc: p.Doc}
	switch {
	case p.List:
		d.Type = reflect.TypeFor[[]float64]()
	case p.Whole:
		d.Type = reflect.TypeFor[int]()
	}
	// lists are too long for a default in one line
	if len(p.Default) == 1 && !p.List {
		d.Default = registry.Number(p.Default[0])
	}
	return d
}
