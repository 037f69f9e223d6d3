package parts

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Kind is a kind of part that can be made from named numbers.
type Kind struct {
	Name   string
	Doc    string // one line
	About  string // frame, advice; may be long
	Params []Param

	start func() binding
}

// Param is one number of a kind of part, or a list of numbers.
type Param struct {
	Name    string // words joined by underscores; _deg marks angles in degrees
	Unit    string // m, deg, or "" for a pure number
	Doc     string
	Default []float64 // one number, or those of a list
	Whole   bool      // whole numbers only
	Flag    bool      // 0 or 1
	List    bool      // any number of numbers
}

// binding is a part under construction: where its parameters go and how it ends.
type binding struct {
	fields []field
	part   func() (Part, error)
}

// field ties a parameter to a field of a part.
type field struct {
	Param
	at any // *float64, *int, *bool or *[]float64

	// follow sets the parameter by those that are given, when it is not itself; nil:
	// it keeps its default.
	follow func(given func(name string) bool)
}

func metres(name string, at *float64, doc string) field {
	return field{Param: Param{Name: name, Unit: "m", Doc: doc}, at: at}
}

func number(name string, at *float64, doc string) field {
	return field{Param: Param{Name: name, Doc: doc}, at: at}
}

func angle(name string, at *float64, doc string) field {
	return field{Param: Param{Name: name + "_deg", Unit: "deg", Doc: doc}, at: at}
}

func count(name string, at *int, doc string) field {
	return field{Param: Param{Name: name, Doc: doc, Whole: true}, at: at}
}

func flag(name string, at *bool, doc string) field {
	return field{Param: Param{Name: name, Doc: doc, Flag: true}, at: at}
}

func list(name string, at *[]float64, unit, doc string) field {
	return field{Param: Param{Name: name, Unit: unit, Doc: doc, List: true}, at: at}
}

// get returns the value of a field as a user writes it.
func (f field) get() []float64 {
	switch at := f.at.(type) {
	case *float64:
		if f.Unit == "deg" {
			// Eleven digits: 20° shall not read 20.000000000000004°.
			return []float64{math.Round(deg(*at)*1e9) / 1e9}
		}
		return []float64{*at}
	case *int:
		return []float64{float64(*at)}
	case *bool:
		if *at {
			return []float64{1}
		}
		return []float64{0}
	case *[]float64:
		return slices.Clone(*at)
	}
	panic("parts: field of a type that no parameter has")
}

// set stores what a user wrote.
func (f field) set(v []float64) error {
	if at, ok := f.at.(*[]float64); ok {
		*at = slices.Clone(v)
		return nil
	}
	if len(v) != 1 {
		return fmt.Errorf("%s is %v: it takes one number", f.Name, v)
	}
	x := v[0]
	switch at := f.at.(type) {
	case *float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s is %v: it must be finite", f.Name, x)
		}
		if f.Unit == "deg" {
			x = rad(x)
		}
		*at = x
	case *int:
		if x != math.Trunc(x) || math.Abs(x) > 1e9 {
			return fmt.Errorf("%s is %v: it must be a whole number", f.Name, x)
		}
		*at = int(x)
	case *bool:
		if x != 0 && x != 1 {
			return fmt.Errorf("%s is %v: it must be 0 (no) or 1 (yes)", f.Name, x)
		}
		*at = x == 1
	}
	return nil
}

// Make returns the part of a kind with the given parameters, the others at their
// defaults. The part is checked.
func Make(kind string, params map[string][]float64) (Part, error) {
	k := KindOf(kind)
	if k == nil {
		var names []string
		for _, k := range kinds {
			names = append(names, k.Name)
		}
		return nil, fmt.Errorf("parts: no part is called %q: there are %s", kind, strings.Join(names, ", "))
	}
	b := k.start()
	names := make([]string, 0, len(params))
	for name := range params {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		i := slices.IndexFunc(b.fields, func(f field) bool { return f.Name == name })
		if i < 0 {
			var known []string
			for _, f := range b.fields {
				known = append(known, f.Name)
			}
			return nil, fmt.Errorf("parts: %s: no parameter is called %q: there are %s", kind, name, strings.Join(known, ", "))
		}
		if err := b.fields[i].set(params[name]); err != nil {
			return nil, fmt.Errorf("parts: %s: %w", kind, err)
		}
	}
	given := func(name string) bool { return slices.Contains(names, name) }
	for _, f := range b.fields {
		if f.follow != nil && !given(f.Name) {
			f.follow(given)
		}
	}
	p, err := b.part()
	if err == nil {
		err = p.Check()
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Kinds returns all kinds of parts, in the order a reader wants them.
func Kinds() []Kind { return slices.Clone(kinds) }

// KindOf returns the kind of that name, or nil.
func KindOf(name string) *Kind {
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name }); i >= 0 {
		return &kinds[i]
	}
	return nil
}

// kind makes a Kind of a part's default and the fields it binds.
func kind[T Part](name, doc, about string, byDefault func() T, bind func(*T) []field) Kind {
	k := Kind{Name: name, Doc: doc, About: about}
	k.start = func() binding {
		p := byDefault()
		return binding{bind(&p), func() (Part, error) { return p, nil }}
	}
	k.list()
	return k
}

// list fills in the parameters with their defaults.
func (k *Kind) list() {
	for _, f := range k.start().fields {
		p := f.Param
		p.Default = f.get()
		k.Params = append(k.Params, p)
	}
}

// nameOf names the kind of a part, for errors.
func nameOf(p Part) string {
	switch p.(type) {
	case Spur:
		return "spur"
	case RingGear:
		return "ring gear"
	case Rack:
		return "rack"
	case Worm:
		return "worm"
	case WormWheel:
		return "worm wheel"
	case Screw:
		return "screw"
	case Nut:
		return "nut"
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", p), "parts."))
}
