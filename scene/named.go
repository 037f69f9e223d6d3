package scene

// Named is a YAML mapping from free names to items, in the order of the file.
type Named[T any] struct {
	// Keys are the names in the order of the file, which determines the numbers of bodies
	// and columns; a Go map would have a random order.
	Keys []string
	// Item has a pointer for each of Keys, never nil.
	Item map[string]*T
}

// Get returns the item of a name, nil when there is none.
func (n *Named[T]) Get(name string) *T { return n.Item[name] }

// add implements named: it returns a pointer to the item of a name, new if there is none.
func (n *Named[T]) add(name string) any {
	// the zero value is an empty mapping
	if n.Item == nil {
		n.Item = map[string]*T{}
	}
	if n.Item[name] == nil {
		n.Item[name] = new(T)
		n.Keys = append(n.Keys, name)
	}
	return n.Item[name]
}

// get implements named: it returns a pointer to the item of a name, or nil.
func (n *Named[T]) get(name string) any {
	if v := n.Item[name]; v != nil {
		return v
	}
	return nil
}

// names implements named: the names in the order of the file.
func (n *Named[T]) names() []string { return n.Keys }

// named is a Named of any type.
type named interface {
	add(string) any
	get(string) any
	names() []string
}

// scalar is implemented by structures that a bare number may stand for, such as
// friction: 0.5 instead of friction: {static: 0.5, dynamic: 0.5}.
type scalar interface{ setScalar(x float64) }

// Numbers is a list of numbers; a bare number stands for a list of one.
// Joints with one degree of freedom are by far the most common, and take a number without brackets.
type Numbers []float64

// setScalar implements scalar.
func (n *Numbers) setScalar(x float64) { *n = Numbers{x} }
