package scene

// Anchors and aliases of YAML: {a: &soft {friction: 1}, b: *soft} says {friction: 1} twice. They are
// taken out of a file before it is decoded, so that the decoder meets neither; a value that stands in
// several places has the place of its anchor in messages. An alias refers to an anchor above it, so
// that no value contains itself. Since ten aliases of ten aliases of … make a gigabyte of a short
// file, the values that aliases bring have a budget.

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// maxAliased is the largest number of values that the aliases of a file may bring. A scene of as
// many values has about as many lines.
const maxAliased = 100_000

// aliases replaces the aliases of one file.
type aliases struct {
	file string
	// anchors are the values by name, with what is in them replaced.
	anchors map[string]anchored
	// brought counts the values that aliases have brought.
	brought int
	errs    []error
}

// anchored is a value with its number of values, those in it included.
type anchored struct {
	node ast.Node
	size int
}

// withoutAliases returns a document without anchors and aliases.
func withoutAliases(file string, n ast.Node) (ast.Node, error) {
	a := &aliases{file: file, anchors: map[string]anchored{}}
	n, _ = a.replace(n)
	return n, errors.Join(a.errs...)
}

// fail notes a fault at a node.
func (a *aliases) fail(n ast.Node, format string, args ...any) {
	a.errs = append(a.errs, &Error{File: a.file, Pos: position(n), Msg: fmt.Sprintf(format, args...)})
}

// replace returns a node without anchors and aliases, and the number of values in it.
func (a *aliases) replace(n ast.Node) (ast.Node, int) {
	size := 1
	switch t := n.(type) {
	case *ast.AnchorNode:
		value, size := a.replace(t.Value)
		// known from here on: an alias within its own anchor is a fault
		a.anchors[t.Name.GetToken().Value] = anchored{value, size}
		return value, size
	case *ast.AliasNode:
		return a.alias(t)
	case *ast.MappingNode:
		for _, kv := range t.Values {
			_, k := a.replace(kv)
			size += k
		}
	case *ast.MappingValueNode:
		value, k := a.replace(t.Value)
		t.Value, size = value, size+k
	case *ast.SequenceNode:
		for i := range t.Values {
			value, k := a.replace(t.Values[i])
			t.Values[i], size = value, size+k
		}
	}
	return n, size
}

// alias returns the value that an alias stands for.
func (a *aliases) alias(n *ast.AliasNode) (ast.Node, int) {
	name := n.Value.GetToken().Value
	v, ok := a.anchors[name]
	if !ok {
		a.fail(n, "*%s: there is no anchor &%s above it", name, name)
		return n, 1
	}
	if a.brought += v.size; a.brought > maxAliased {
		if a.brought-v.size <= maxAliased { // once
			a.fail(n, "*%s: the aliases of the file expand to more than %d values: write tables for many bodies", name, maxAliased)
		}
		return n, 1
	}
	return v.node, v.size
}
