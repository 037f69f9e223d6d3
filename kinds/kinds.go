package kinds

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Style is how scene files write an item of a seam.
type Style int

// Styles.
const (
	Nested Style = iota // {sphere: {radius: 0.05}}: the key names the kind, its value has the parameters
	Typed               // {type: revolute, axis: [0, 0, 1]}: the parameters stand beside the type
	Keyed               // {position: z, body: ball}: one parameter, of the same name, names the kind
	Plain               // the name alone, such as contact: lagged; parameters, if any, stand beside it
)

// Kind is one choice of a seam. S is the seam's interface.
type Kind[S any] struct {
	Name  string // as users write it: lower case, words joined by underscores
	Doc   string // one sentence
	About string // further paragraphs: conventions, formulas, advice; may be empty

	Formerly []string // earlier names, still read with a warning

	// New returns a pointer to a new struct of parameters at their defaults.
	New func() S
	// Samples returns valid parameters for the conformance suite of the seam. The
	// first sample is the example of the reference manual, so it should read well.
	// Names in it are those of the manual's scene: bodies ball, box, arm (on a
	// revolute joint) and cart (on a prismatic joint), the deformable pad, the meshes
	// wedge (a closed surface) and block (a volume), the drive turn.
	Samples func() []S
}

// Info describes a kind without its type.
type Info struct {
	Seam   string  // name of the seam
	Name   string  // name of the kind, as users write it
	Doc    string  // description in one sentence
	About  string  // further paragraphs; may be empty
	Params []Param // parameters in the order of the struct's fields

	Formerly []string // earlier names

	// Sample returns the first sample, a pointer to a struct of parameters, or nil.
	Sample func() any
}

// Seam is a registry of kinds without its Go type: one place at which users choose an implementation
// by name, such as the shape of a body. Documentation and schemas are made from all seams alike.
type Seam interface {
	// Name returns the name of the seam, such as "shape".
	Name() string
	// Doc returns a description of the kinds of this seam in one sentence.
	Doc() string
	// Style returns how scene files write an item.
	Style() Style
	// Names returns the names of the registered kinds, sorted.
	Names() []string
	// Current returns the present name of a kind, given its present or an earlier name.
	Current(name string) (current string, ok bool)
	// Kinds describes the registered kinds, in the order of their names.
	Kinds() []Info
	// Make returns a pointer to new parameters of a kind at their defaults, or nil if
	// no kind has that name.
	Make(name string) any
	// Type returns the interface of the seam.
	Type() reflect.Type
}

var (
	mu    sync.Mutex
	seams []Seam
)

// All returns all seams of the packages that the program links, by name.
func All() []Seam {
	mu.Lock()
	defer mu.Unlock()
	all := slices.Clone(seams)
	slices.SortFunc(all, func(a, b Seam) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}

// AddSeam adds a seam that is not a Registry, so that All and the manual include its kinds.
func AddSeam(s Seam) {
	mu.Lock()
	defer mu.Unlock()
	seams = append(seams, s)
}

// Of returns the seam whose kinds are of an interface type, or nil.
func Of(t reflect.Type) Seam {
	mu.Lock()
	defer mu.Unlock()
	for _, s := range seams {
		if s.Type() == t {
			return s
		}
	}
	return nil
}

// Registry has the kinds of a seam. Kinds are registered while packages
// initialize; afterwards the registry is read only and safe for concurrent use.
type Registry[S any] struct {
	name, doc string
	style     Style
	kinds     []Kind[S]
}

var _ Seam = (*Registry[any])(nil)

// NewRegistry returns the empty registry of a seam with the Nested style. It panics if
// another seam has this name.
func NewRegistry[S any](name, doc string) *Registry[S] {
	r := &Registry[S]{name: name, doc: doc}
	mu.Lock()
	defer mu.Unlock()
	for _, s := range seams {
		if s.Name() == name {
			panic("kinds: the seam " + name + " exists already")
		}
	}
	seams = append(seams, r)
	return r
}

// In sets the style in which scenes write items of the seam, and returns the
// registry.
func (r *Registry[S]) In(s Style) *Registry[S] {
	r.style = s
	return r
}

// Register adds a kind and returns its name. It panics if the name is taken, so
// that the conflict is found by the first run of any test.
func (r *Registry[S]) Register(k Kind[S]) string {
	for i := range r.kinds {
		if r.kinds[i].Name == k.Name {
			panic(fmt.Sprintf("kinds: %s %s is registered twice", r.name, k.Name))
		}
	}
	r.kinds = append(r.kinds, k)
	slices.SortFunc(r.kinds, func(a, b Kind[S]) int { return strings.Compare(a.Name, b.Name) })
	return k.Name
}

// Name implements Seam.
func (r *Registry[S]) Name() string { return r.name }

// Doc implements Seam.
func (r *Registry[S]) Doc() string { return r.doc }

// Style implements Seam.
func (r *Registry[S]) Style() Style { return r.style }

// Type returns the Go interface that all kinds of the registry implement. It implements Seam.
func (r *Registry[S]) Type() reflect.Type { return reflect.TypeFor[S]() }

// Make implements Seam.
func (r *Registry[S]) Make(name string) any {
	if k := r.find(name); k != nil {
		return k.New()
	}
	return nil
}

// New returns new parameters of a kind at their defaults. The error lists the
// registered names and the nearest of them.
func (r *Registry[S]) New(name string) (S, error) {
	if k := r.find(name); k != nil {
		return k.New(), nil
	}
	var none S
	return none, fmt.Errorf("unknown %s %q%s", r.name, name, Suggest(name, r.Names()))
}

// Entry returns a kind by its name, or nil.
func (r *Registry[S]) Entry(name string) *Kind[S] { return r.find(name) }

// find returns the kind of a present name, or nil.
func (r *Registry[S]) find(name string) *Kind[S] {
	for i := range r.kinds {
		if r.kinds[i].Name == name {
			return &r.kinds[i]
		}
	}
	return nil
}

// Names returns the names of the registered kinds, sorted.
func (r *Registry[S]) Names() []string {
	names := make([]string, len(r.kinds))
	for i := range r.kinds {
		names[i] = r.kinds[i].Name
	}
	return names
}

// Current implements Seam.
func (r *Registry[S]) Current(name string) (current string, ok bool) {
	for i := range r.kinds {
		if k := &r.kinds[i]; k.Name == name || slices.Contains(k.Formerly, name) {
			return k.Name, true
		}
	}
	return "", false
}

// Entries returns the registered kinds, sorted by name.
func (r *Registry[S]) Entries() []Kind[S] { return slices.Clone(r.kinds) }

// Kinds implements Seam.
func (r *Registry[S]) Kinds() []Info {
	infos := make([]Info, len(r.kinds))
	for i, k := range r.kinds {
		infos[i] = Info{Seam: r.name, Name: k.Name, Doc: k.Doc, About: k.About, Params: Params(k.New()), Formerly: k.Formerly}
		infos[i].Sample = func() any {
			if k.Samples == nil {
				return nil
			}
			if s := k.Samples(); len(s) > 0 {
				return s[0]
			}
			return nil
		}
	}
	return infos
}

// Check returns an error that lists the facts that registered kinds of a seam lack: a
// documentation, samples, and the meaning of each parameter.
func Check(s Seam) error {
	var errs []error
	lacks := func(k Info, what string) {
		errs = append(errs, fmt.Errorf("%s %s has no %s", s.Name(), k.Name, what))
	}
	if s.Doc() == "" {
		errs = append(errs, fmt.Errorf("the seam %s has no documentation", s.Name()))
	}
	// each kind, then each of its parameters
	for _, k := range s.Kinds() {
		if k.Doc == "" {
			lacks(k, "documentation")
		}
		if k.Sample() == nil {
			lacks(k, "samples for the conformance suite")
		}
		for _, p := range k.Params {
			if p.Doc == "" {
				lacks(k, "documentation of "+p.Key)
			}
		}
	}
	return errors.Join(errs...)
}

// Numbers is a list of numbers among a kind's parameters, such as one value for each joint. A
// scene may write a single number instead, which usually applies to all elements.
type Numbers []float64

// SetNumber sets the list to one element, from a bare number of a scene file.
func (n *Numbers) SetNumber(x float64) { *n = Numbers{x} }

// Of returns n numbers: those of the list; its only element n times; or usual n times where the
// list is empty. The error of a list of another length names n.
func (n Numbers) Of(count int, usual float64) ([]float64, error) {
	list := make([]float64, count)
	switch {
	case len(n) > 1 && len(n) != count:
		return nil, fmt.Errorf("has %d numbers: give one for all, or one for each of %d", len(n), count)
	case len(n) == count:
		copy(list, n)
		return list, nil
	case len(n) == 1:
		usual = n[0]
	}
	for i := range list {
		list[i] = usual
	}
	return list, nil
}
