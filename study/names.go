package study

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/curlfree/curlfree/scene"
)

// place is where the items of a study file stand, by their keys from the top
// joined with slashes: "derive/bodies.rod.pose.xyz.2", "plots/a/panels/0/y".
type place map[string]scene.Pos

// places finds them in a text that is known to be good YAML.
func places(text []byte) place {
	p := place{}
	f, err := parser.ParseBytes(text, 0)
	if err != nil || len(f.Docs) == 0 {
		return p
	}
	p.add("", f.Docs[0].Body)
	return p
}

func (p place) add(path string, n ast.Node) {
	below := func(key string) string {
		if path == "" {
			return key
		}
		return path + "/" + key
	}
	switch t := n.(type) {
	case *ast.MappingNode:
		for _, kv := range t.Values {
			p.add(path, kv)
		}
	case *ast.MappingValueNode:
		key := t.Key.GetToken()
		at := below(key.Value)
		p[at] = scene.Pos{Line: key.Position.Line, Col: key.Position.Column}
		p.add(at, t.Value)
	case *ast.SequenceNode:
		for i, e := range t.Values {
			at := below(strconv.Itoa(i))
			if tok := e.GetToken(); tok != nil {
				p[at] = scene.Pos{Line: tok.Position.Line, Col: tok.Position.Column}
			}
			p.add(at, e)
		}
	}
}

// of returns the place of an item, or of the nearest above it.
func (p place) of(path string) scene.Pos {
	for {
		if at, ok := p[path]; ok {
			return at
		}
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			return scene.Pos{}
		}
		path = path[:i]
	}
}

// tree reads YAML as values that formulas can use: maps by text, lists, texts,
// truths and float64.
func tree(text []byte) (map[string]any, error) {
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	m, _ := plain(v).(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	return m, nil
}

// plain brings what a YAML reader returns to those kinds.
func plain(v any) any {
	switch t := v.(type) {
	case map[string]any:
		for k, x := range t {
			t[k] = plain(x)
		}
		return t
	case []any:
		for i, x := range t {
			t[i] = plain(x)
		}
		return t
	case string:
		return scalar(t)
	case int:
		return float64(t)
	case int64:
		return float64(t)
	case uint64:
		return float64(t)
	}
	return v
}

// scalar reads a text as the number, truth or word that it is.
func scalar(text string) any {
	if x, ok := number(text); ok {
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

// parsed reads the text of a value.
func parsed(text string) any {
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
		var v any
		if yaml.Unmarshal([]byte(text), &v) == nil {
			return plain(v)
		}
	}
	return scalar(text)
}

// clone copies a tree.
func clone(v any) any {
	switch t := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(t))
		for k, x := range t {
			m[k] = clone(x)
		}
		return m
	case []any:
		s := make([]any, len(t))
		for i, x := range t {
			s[i] = clone(x)
		}
		return s
	}
	return v
}

// put sets the value at a path of a tree, making what is missing above it.
func put(at map[string]any, path string, v any) {
	keys := strings.Split(path, ".")
	for i, key := range keys[:len(keys)-1] {
		switch next := at[key].(type) {
		case map[string]any:
			at = next
		case []any:
			k, err := strconv.Atoi(keys[i+1])
			if err != nil || k < 0 || k >= len(next) {
				return
			}
			if i+2 == len(keys) {
				next[k] = v
				return
			}
			below, ok := next[k].(map[string]any)
			if !ok {
				return
			}
			put(below, strings.Join(keys[i+2:], "."), v)
			return
		default:
			m := map[string]any{}
			at[key] = m
			at = m
		}
	}
	at[keys[len(keys)-1]] = v
}

// get returns the value at a path of a tree, nil where there is none.
func get(at any, path string) any {
	for _, key := range strings.Split(path, ".") {
		switch t := at.(type) {
		case map[string]any:
			at = t[key]
		case []any:
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

// number reads a value as a number, for axes.
func number(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}
