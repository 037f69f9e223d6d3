package constraints

import (
	"fmt"
	"slices"
	"strings"
)

// registry is a choice of models by name; the file of each model registers its
// own. P are the parameters that models are made from.
type registry[P, M any] struct {
	kind    string // what is chosen, for messages
	entries []entry[P, M]
}

type entry[P, M any] struct {
	name string
	make func(P) (M, error)
}

func (r *registry[P, M]) add(name string, make func(P) (M, error)) {
	if slices.Contains(r.names(), name) {
		panic("constraints: " + r.kind + " " + name + " registered twice")
	}
	r.entries = append(r.entries, entry[P, M]{name, make})
}

// names returns the choices, sorted.
func (r *registry[P, M]) names() []string {
	names := make([]string, len(r.entries))
	for i, e := range r.entries {
		names[i] = e.name
	}
	slices.Sort(names)
	return names
}

// make returns the model of a name, or an error that lists the names.
func (r *registry[P, M]) make(name string, params P) (M, error) {
	for _, e := range r.entries {
		if e.name == name {
			return e.make(params)
		}
	}
	var none M
	return none, fmt.Errorf("constraints: no %s %q, choose one of %s", r.kind, name, strings.Join(r.names(), ", "))
}

// bound is a parameter with the range it must lie in.
type bound struct {
	name  string
	value float64
	ok    bool
	want  string
}

// checkBounds returns an error that names the first parameter out of range.
func checkBounds(what string, bounds []bound) error {
	for _, b := range bounds {
		if !b.ok {
			return fmt.Errorf("constraints: %s %s is %g, want %s", what, b.name, b.value, b.want)
		}
	}
	return nil
}
