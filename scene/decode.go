package scene

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/curlfree/curlfree/kinds"
)

// Pos is where an item stands in the scene file. A field of this type is filled
// by the decoder; it is zero for items that came from an override.
type Pos struct{ Line, Col int }

// Named is a YAML mapping from free names to items, in the order of the file.
type Named[T any] struct {
	Keys []string
	Item map[string]*T
}

// Get returns the item of a name, nil when there is none.
func (n *Named[T]) Get(name string) *T { return n.Item[name] }

func (n *Named[T]) add(name string) any {
	if n.Item == nil {
		n.Item = map[string]*T{}
	}
	if n.Item[name] == nil {
		n.Item[name] = new(T)
		n.Keys = append(n.Keys, name)
	}
	return n.Item[name]
}

func (n *Named[T]) get(name string) any {
	if v := n.Item[name]; v != nil {
		return v
	}
	return nil
}

func (n *Named[T]) names() []string { return n.Keys }

type named interface {
	add(string) any
	get(string) any
	names() []string
}

// alternative is implemented by specifications that a bare scalar may stand
// for, such as friction: 0.5 instead of friction: {static: …, dynamic: …}.
type alternative interface{ setScalar(x float64) }

// Numbers is a list of numbers; a bare number stands for a list of one.
type Numbers []float64

func (n *Numbers) setScalar(x float64) { *n = Numbers{x} }

// Error is a fault of an input file: where, what and how to mend it.
type Error struct {
	File string
	Pos
	Msg string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// decoder fills Go values from YAML nodes, strictly: unknown keys, duplicate
// keys and wrong types are errors with a position. All errors of a file are
// collected, so that one run names them all.
type decoder struct {
	file      string
	errs      []error
	unbounded bool // the value being decoded may be .inf
}

// parse decodes YAML text into the structure out.
func parse(file string, text []byte, out any) error {
	d := &decoder{file: file}
	f, err := parser.ParseBytes(text, 0)
	if err != nil {
		return syntaxError(file, err)
	}
	if len(f.Docs) > 1 && f.Docs[1].Body != nil {
		return &Error{File: file, Pos: position(f.Docs[1].Body), Msg: "a second YAML document: a scene is one document"}
	}
	if len(f.Docs) == 0 || f.Docs[0].Body == nil {
		return &Error{File: file, Msg: "the file is empty: a scene needs at least time: and something to simulate"}
	}
	d.value(f.Docs[0].Body, reflect.ValueOf(out).Elem(), "")
	return errors.Join(d.errs...)
}

// syntaxError gives a fault of the YAML itself the form of all others.
func syntaxError(file string, err error) error {
	e := &Error{File: file, Msg: strings.TrimSpace(err.Error())}
	var y yaml.Error
	if errors.As(err, &y) {
		e.Msg = y.GetMessage()
		if strings.Contains(e.Msg, "tab character") || strings.Contains(e.Msg, "'\t'") {
			e.Msg = "a tab at the beginning of the line: YAML takes no tabs for indentation, write spaces"
		}
		if t := y.GetToken(); t != nil && t.Position != nil {
			e.Pos = Pos{t.Position.Line, t.Position.Column}
		}
	}
	return e
}

func position(n ast.Node) Pos {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return Pos{t.Position.Line, t.Position.Column}
	}
	return Pos{}
}

func (d *decoder) fail(n ast.Node, format string, args ...any) {
	d.errs = append(d.errs, &Error{File: d.file, Pos: position(n), Msg: fmt.Sprintf(format, args...)})
}

var posType = reflect.TypeFor[Pos]()

// value decodes node n into v; path names it in messages.
func (d *decoder) value(n ast.Node, v reflect.Value, path string) {
	switch t := n.(type) {
	case *ast.AnchorNode:
		d.value(t.Value, v, path)
		return
	case *ast.TagNode:
		d.fail(n, "%s: YAML tags are not used in scenes", path)
		return
	case *ast.AliasNode, *ast.MergeKeyNode:
		d.fail(n, "%s: YAML aliases are not supported in scenes: write the value out", path)
		return
	case *ast.NullNode:
		return // as if the key were absent
	}
	if m, ok := v.Addr().Interface().(named); ok {
		d.mapping(n, path, func(key string, kv *ast.MappingValueNode) {
			if m.get(key) != nil {
				d.fail(kv.Key, "%s is given twice", join(path, key))
				return
			}
			item := reflect.ValueOf(m.add(key)).Elem()
			d.value(kv.Value, item, join(path, key))
			setPos(item, position(kv.Key))
		})
		return
	}
	if a, ok := v.Addr().Interface().(alternative); ok && n.Type() != ast.MappingType && (v.Kind() != reflect.Slice || n.Type() != ast.SequenceType) {
		if x, ok := d.number(n, path); ok {
			a.setScalar(x)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		d.value(n, v.Elem(), path)
	case reflect.Struct:
		setPos(v, position(n))
		fields := fieldsOf(v)
		seen := map[string]bool{}
		d.mapping(n, path, func(key string, kv *ast.MappingValueNode) {
			f, ok := fields[key]
			switch {
			case !ok:
				d.fail(kv.Key, "unknown key %s%s", join(path, clip(key)), kinds.Suggest(key, keysOf(fields)))
			case seen[key]:
				d.fail(kv.Key, "%s is given twice", join(path, key))
			default:
				seen[key] = true
				before := d.unbounded
				d.unbounded = f.unbounded
				d.value(kv.Value, f.Value, join(path, key))
				d.unbounded = before
				setPos(f.Value, position(kv.Key))
			}
		})
	case reflect.Slice:
		s, ok := n.(*ast.SequenceNode)
		if !ok {
			d.fail(n, "%s: a list is wanted, written [a, b] or one item a line after a dash", path)
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(s.Values), len(s.Values)))
		for i, e := range s.Values {
			d.value(e, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Array:
		s, ok := n.(*ast.SequenceNode)
		if !ok || len(s.Values) != v.Len() {
			d.fail(n, "%s: %d numbers are wanted, written [a, b, …]", path, v.Len())
			return
		}
		for i, e := range s.Values {
			d.value(e, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Float64:
		if x, ok := d.number(n, path); ok {
			v.SetFloat(x)
		}
	case reflect.Int:
		if x, ok := d.number(n, path); ok {
			if x != math.Trunc(x) || math.Abs(x) > 1e15 {
				d.fail(n, "%s: %v is not a whole number", path, x)
				return
			}
			v.SetInt(int64(x))
		}
	case reflect.Bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			d.fail(n, "%s: true or false is wanted, not %s", path, brief(n))
			return
		}
		v.SetBool(b.Value)
	case reflect.String:
		switch t := n.(type) {
		case *ast.StringNode:
			v.SetString(t.Value)
		case *ast.LiteralNode:
			v.SetString(t.Value.Value)
		case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
			v.SetString(n.GetToken().Value)
		default:
			d.fail(n, "%s: a text is wanted, not %s", path, brief(n))
		}
	default:
		panic("scene: no decoding into " + v.Type().String())
	}
}

func (d *decoder) mapping(n ast.Node, path string, each func(key string, kv *ast.MappingValueNode)) {
	var values []*ast.MappingValueNode
	switch t := n.(type) {
	case *ast.MappingNode:
		values = t.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{t}
	default:
		d.fail(n, "%s: keys and values are wanted, not %s", orScene(path), brief(n))
		return
	}
	for _, kv := range values {
		key := kv.Key.GetToken().Value
		if _, merge := kv.Key.(*ast.MergeKeyNode); merge {
			d.fail(kv.Key, "%s: YAML merge keys are not supported in scenes: write the values out", orScene(path))
			continue
		}
		each(key, kv)
	}
}

// number reads a finite number, or .inf where that has a meaning.
func (d *decoder) number(n ast.Node, path string) (float64, bool) {
	switch t := n.(type) {
	case *ast.FloatNode:
		if !math.IsNaN(t.Value) && !math.IsInf(t.Value, 0) {
			return t.Value, true
		}
	case *ast.IntegerNode:
		switch x := t.Value.(type) {
		case int64:
			return float64(x), true
		case uint64:
			return float64(x), true
		}
	case *ast.InfinityNode:
		if d.unbounded {
			return t.Value, true
		}
		d.fail(n, "%s is infinite: give a finite number", path)
		return 0, false
	case *ast.NanNode:
		d.fail(n, "%s is not a number (NaN): give a value", path)
		return 0, false
	case *ast.StringNode:
		// 1e7 has no point, which YAML 1.2's core schema reads as a number but
		// some parsers as text.
		if x, err := strconv.ParseFloat(t.Value, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x, true
		}
	}
	hint := ""
	if t, ok := n.(*ast.StringNode); ok {
		hint = inSI(path, t.Value)
	}
	d.fail(n, "%s: a number is wanted, not %s%s", path, brief(n), hint)
	return 0, false
}

func brief(n ast.Node) string {
	s := n.String()
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i] + " …"
	}
	return strconv.Quote(clip(s))
}

// clip shortens a text of the file to what a message can show.
func clip(s string) string {
	const shown = 40
	if utf8.RuneCountInString(s) <= shown {
		return s
	}
	return string([]rune(s)[:shown]) + "…"
}

// setPos notes where an item stands, if it is of a kind that keeps that.
func setPos(v reflect.Value, p Pos) {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		if v.Field(i).Type() == posType && v.Type().Field(i).Anonymous {
			v.Field(i).Set(reflect.ValueOf(p))
		}
	}
}

// field is a key of a structure. Its tag says its name, and ",inf" where .inf has
// a meaning.
type field struct {
	reflect.Value
	unbounded bool
}

// fieldsOf returns the settable fields of a structure by their names.
func fieldsOf(v reflect.Value) map[string]field {
	m := map[string]field{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if name, option, _ := strings.Cut(f.Tag.Get("yaml"), ","); name != "" {
			m[name] = field{v.Field(i), option == "inf"}
		} else if f.Anonymous && f.Type.Kind() == reflect.Struct && f.Type != posType {
			maps.Copy(m, fieldsOf(v.Field(i)))
		}
	}
	return m
}

func keysOf[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func orScene(path string) string {
	if path == "" {
		return "the scene"
	}
	return path
}
