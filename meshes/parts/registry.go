package parts

// Values are float64 throughout, counts and flags included, because scene files
// and command lines give numbers: whole numbers and flags are checked when they
// are set.

// Parts by name: scenes and the command line make parts from a kind and named
// numbers. A kind binds each parameter to a field of the part; defaults, help
// texts and errors follow from the binding.

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Kind is a kind of part with named numbers as parameters.
type Kind struct {
	// Name is how scenes and the command line call it, such as "ring_gear".
	Name string
	// Doc is a description in one line.
	Doc string
	// About describes the frame of the part and gives advice; it may be long.
	About string
	// Params are the parameters, in the order of the help text.
	Params []Param

	// begins a part at its defaults
	start func() binding
}

// Param describes one number of a kind of part, or a list of numbers.
type Param struct {
	// Name consists of words joined by underscores; _deg at the end marks
	// angles in degrees.
	Name string
	// Unit is m, deg, or "" for a pure number.
	Unit string
	// Doc describes what the parameter means.
	Doc string
	// Default is one number, or those of a list.
	Default []float64
	// Whole allows whole numbers only.
	Whole bool
	// Flag allows 0 (no) and 1 (yes) only.
	Flag bool
	// List allows any number of numbers.
	List bool
}

// binding is a part under construction.
type binding struct {
	// where its parameters go
	fields []field
	// checks nothing, returns the part
	part func() (Part, error)
}

// field ties a parameter to a field of a part.
type field struct {
	Param
	// pointer to the field: *float64, *int, *bool or *[]float64
	at any

	// follow, if not nil, sets a parameter that is not given from those that
	// are; nil keeps the default.
	follow func(given func(name string) bool)
}

// metres binds a length.
func metres(name string, at *float64, doc string) field {
	return field{Param: Param{Name: name, Unit: "m", Doc: doc}, at: at}
}

// number binds a pure number.
func number(name string, at *float64, doc string) field {
	return field{Param: Param{Name: name, Doc: doc}, at: at}
}

// angle binds an angle, which users write in degrees.
func angle(name string, at *float64, doc string) field {
	return field{Param: Param{Name: name + "_deg", Unit: "deg", Doc: doc}, at: at}
}

// count binds a whole number.
func count(name string, at *int, doc string) field {
	return field{Param: Param{Name: name, Doc: doc, Whole: true}, at: at}
}

// flag binds a yes or no.
func flag(name string, at *bool, doc string) field {
	return field{Param: Param{Name: name, Doc: doc, Flag: true}, at: at}
}

// list binds a list of numbers.
func list(name string, at *[]float64, unit, doc string) field {
	return field{Param: Param{Name: name, Unit: unit, Doc: doc, List: true}, at: at}
}

// get returns the value of a field as a user writes it.
func (f field) get() []float64 {
	switch at := f.at.(type) {
	// Angles are shown in degrees.
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

// set stores what a user wrote. The error lists what the parameter accepts.
func (f field) set(v []float64) error {
	// A list takes any number of numbers.
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
		// Not-a-number would pass every comparison.
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s is %v: it must be finite", f.Name, x)
		}
		if f.Unit == "deg" {
			x = rad(x)
		}
		*at = x
	case *int:
		// Counts are whole and within the range of int.
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

// Make returns the part of a kind with the given parameters by name, the others
// at their defaults. The part is checked. Errors list the known kinds or
// parameters, or are those of Check.
func Make(kind string, params map[string][]float64) (Part, error) {
	k := KindOf(kind)
	if k == nil {
		var names []string
		for _, k := range kinds {
			names = append(names, k.Name)
		}
		return nil, fmt.Errorf("parts: no part is called %q: there are %s", kind, strings.Join(names, ", "))
	}
	// Sort the names, so that the same error is reported each time.
	b := k.start()
	names := make([]string, 0, len(params))
	for name := range params {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		// An unknown name lists the known ones.
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
	// Parameters that depend on others.
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

// Kinds returns all kinds of parts, in the order of the manual.
func Kinds() []Kind { return slices.Clone(kinds) }

// KindOf returns the kind of that name, or nil.
func KindOf(name string) *Kind {
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name }); i >= 0 {
		return &kinds[i]
	}
	return nil
}

// kind makes a Kind from the default of a part and a function that binds its
// fields.
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
