package study

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/curlfree/curlfree/internal/inputfile"
)

// A tree is the content of a YAML file in the few Go types that formulas can use:
//
//	mapping   map[string]any
//	list      []any
//	number    float64
//	truth     bool
//	text      string
//
// A path such as bodies.ball.shapes.0.sphere.radius addresses a value in it.
//
// Numbers lose their spelling: 1e3 and 1000 are the same value of a formula.

// parseTree reads YAML into a tree. A text without content is an empty tree.
func parseTree(text []byte) (map[string]any, error) {
	text, err := inputfile.Text(text)
	if err != nil {
		return nil, err
	}
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	m, _ := normalize(v).(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	return m, nil
}

// The YAML decoder reads integers as int or uint64 and numbers with an exponent, such as 1e-3,
// as texts. Formulas need all of them as float64.

// normalize converts the values that a YAML decoder returns to the types of a tree.
// Maps and lists are converted in place.
func normalize(v any) any {
	switch t := v.(type) {
	case map[string]any:
		for k, x := range t {
			t[k] = normalize(x)
		}
		return t
	case []any:
		for i, x := range t {
			t[i] = normalize(x)
		}
		return t
	case string:
		// the decoder leaves numbers such as 1e-3 as texts
		return parseScalar(t)
	case int: // the decoder has several integer types; formulas compute with float64
		return float64(t)
	case int64:
		return float64(t)
	case uint64:
		return float64(t)
	}
	return v
}

// parseScalar reads a text as a number, as true or false, or else as a text.
func parseScalar(text string) any {
	if x, ok := parseNumber(text); ok {
		return x
	}
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	return text
}

// parseValue reads a value as written in a study file: a scalar, or a list or mapping
// in brackets.
func parseValue(text string) any {
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
		// a text that only starts like a list stays a text
		var v any
		if yaml.Unmarshal([]byte(text), &v) == nil {
			return normalize(v)
		}
	}
	return parseScalar(text)
}

// cloneTree returns a deep copy of a tree.
func cloneTree(v any) any {
	// mappings and lists are copied, scalars are never changed in place
	switch t := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(t))
		for k, x := range t {
			m[k] = cloneTree(x)
		}
		return m
	case []any:
		s := make([]any, len(t))
		for i, x := range t {
			s[i] = cloneTree(x)
		}
		return s
	}
	return v
}

// Paths. The keys of a path are separated by dots; a key that is a number addresses an element of
// a list, counted from 0: bodies.ball.pose.xyz.2 is the height of the ball.

// cutKey cuts the first key off a path. Names of items may have dots: the longest key that the mapping has is meant.
func cutKey(m map[string]any, path string) (key, rest string, more bool) {
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '.') {
		if _, ok := m[path[:end]]; ok {
			return path[:end], strings.TrimPrefix(path[end:], "."), end < len(path)
		}
	}
	return strings.Cut(path, ".")
}

// setPath sets the value at a path of a tree. Mappings that are missing on the way are
// created. List elements are replaced only where they exist: a path beyond the end of
// a list has no effect, and the scene reports it when it is loaded.
func setPath(at map[string]any, path string, v any) {
	key, rest, more := cutKey(at, path)
	if !more {
		at[key] = v
		return
	}
	switch next := at[key].(type) {
	case map[string]any:
		setPath(next, rest, v)
	case []any:
		setElement(next, rest, v)
	default:
		m := map[string]any{}
		at[key] = m
		setPath(m, rest, v)
	}
}

// setElement sets the value at a path that starts with the index of a list element.
func setElement(list []any, path string, v any) {
	key, rest, more := strings.Cut(path, ".")
	k, err := strconv.Atoi(key)
	if err != nil || k < 0 || k >= len(list) {
		return
	}
	// the last key replaces the element, others continue inside it
	if !more {
		list[k] = v
		return
	}
	switch below := list[k].(type) {
	case map[string]any:
		setPath(below, rest, v)
	case []any:
		setElement(below, rest, v)
	}
}

// getPath returns the value at a path of a tree; nil where there is none.
func getPath(at any, path string) any {
	// each key descends by one level
	for more := true; more; {
		var key string
		switch t := at.(type) {
		case map[string]any:
			key, path, more = cutKey(t, path)
			at = t[key]
		case []any:
			key, path, more = strings.Cut(path, ".")
			k, err := strconv.Atoi(key)
			if err != nil || k < 0 || k >= len(t) {
				return nil
			}
			at = t[k]
		default:
			return nil
		}
	}
	return at
}

// parseNumber reads a text as a number.
func parseNumber(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}
