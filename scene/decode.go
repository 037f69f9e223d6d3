package scene

// The decoder reads YAML into the structures of this package and of registered kinds.
//
// A scene goes through three stages. Each reports all of its faults before the next begins,
// because faults of form make later ones meaningless:
//
//  1. The decoder checks form: known keys, types, finite numbers, bounds, one kind for each
//     item (this file and decode_struct.go).
//  2. Overrides are applied, and the whole file is validated again (override.go,
//     validate.go).
//  3. The loader resolves names, reads other files and adds items to a sim.Builder, which
//     checks the model (load.go).
//
// YAML is read as version 1.2, without tags and merge keys; aliases are replaced before (see
// aliases.go). A null value counts as absent.

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Pos is the position (line and column) of an item in the scene file. The decoder
// fills fields of this type; they are zero for items that came from an override.
type Pos struct {
	// Line counts from 1; 0: unknown.
	Line int
	// Col counts characters from 1.
	Col int
}

// Error is a fault of an input file: its position, its description and its remedy.
type Error struct {
	// File is the name of a scene, robot file, mesh or table, as the user wrote it.
	File string
	// Pos is zero where a fault has no place, such as a file that cannot be read.
	Pos
	// Msg begins with the path of the key in the scene, and ends with the remedy.
	Msg string
}

// Error returns "file:line:column: message".
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Decode fills the structure out from YAML text by its key tags (see package kinds),
// as strictly as scene files are read. file is the name of the text in messages.
func Decode(file string, text []byte, out any) error {
	_, err := parse(file, text, out)
	return err
}

// parse is Decode that also returns warnings, such as those about outdated keys.
func parse(file string, text []byte, out any) (warnings []string, err error) {
	if text, err = inputfile.Text(text); err != nil {
		return nil, &Error{File: file, Msg: err.Error()}
	}
	if err := CheckNesting(file, text); err != nil {
		return nil, err
	}
	// the syntax of YAML; comments are dropped
	f, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, syntaxError(file, err)
	}
	// a file of a separator and comments has documents without a body
	if len(f.Docs) > 1 && f.Docs[1].Body != nil {
		return nil, &Error{File: file, Pos: position(f.Docs[1].Body), Msg: "a second YAML document: a scene is one document"}
	}
	if len(f.Docs) == 0 || f.Docs[0].Body == nil {
		return nil, &Error{File: file, Msg: "the file is empty: a scene needs at least time: and something to simulate"}
	}
	body, err := withoutAliases(file, f.Docs[0].Body)
	if err != nil {
		return nil, err
	}
	// all faults of form at once
	d := &decoder{file: file}
	if f, ok := out.(*File); ok {
		f.poses = map[*r3.Pose]Pose{}
		d.poses = f.poses
	}
	d.value(body, field{Value: reflect.ValueOf(out).Elem()}, "")
	return d.warnings, errors.Join(d.errs...)
}

// syntaxError gives a fault of the YAML itself the form of all others.
func syntaxError(file string, err error) error {
	e := &Error{File: file}
	var y yaml.Error
	if !errors.As(err, &y) {
		e.Msg = strings.TrimSpace(err.Error())
	} else {
		e.Msg = y.GetMessage()
		// the parser has two messages about tabs, and both need explaining
		if strings.Contains(e.Msg, "tab character") || strings.Contains(e.Msg, "'\t'") {
			e.Msg = "a tab at the beginning of the line: YAML takes no tabs for indentation, write spaces"
		}
		if t := y.GetToken(); t != nil && t.Position != nil {
			e.Pos = Pos{t.Position.Line, t.Position.Column}
		}
	}
	return e
}

// position returns the place of a node in its text, zero if the parser does not have it.
func position(n ast.Node) Pos {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return Pos{t.Position.Line, t.Position.Column}
	}
	return Pos{}
}

// decoder fills Go values from YAML nodes, strictly: unknown keys, duplicate keys and wrong types
// are errors with a position. All errors of a file are collected, so that one run names them all.
// Faults inside an item do not end the decoding of its neighbours: a value that cannot be decoded
// keeps its default, and the first stage ends with all messages.
type decoder struct {
	file     string
	errs     []error
	warnings []string
	// poses of kinds' parameters as they are written, for overrides of their parts; nil: they are not kept
	poses map[*r3.Pose]Pose
}

// fail notes a fault at a node: what is wrong, and how to repair it.
func (d *decoder) fail(n ast.Node, format string, args ...any) {
	d.errs = append(d.errs, &Error{File: d.file, Pos: position(n), Msg: fmt.Sprintf(format, args...)})
}

// warn notes probable mistakes, with its place.
func (d *decoder) warn(n ast.Node, format string, args ...any) {
	e := Error{File: d.file, Pos: position(n), Msg: fmt.Sprintf(format, args...)}
	d.warnings = append(d.warnings, e.Error())
}

// field is a value to decode into, with its description as a parameter.
type field struct {
	// Value is settable, of the structure that is filled.
	reflect.Value
	// param has the bounds and the unit of the key; zero for items of lists and mappings.
	param kinds.Param
	// choice is the item whose kind the value names; nil for all other values.
	choice item
	// usual is the default of the value, which null restores; not valid if it is zero.
	usual reflect.Value
	// pose is that of a kind's parameters of which the value is a part; nil: of none.
	pose *partOfPose
}

// of returns a part of a value: the same parameter, another place.
func (f field) of(v reflect.Value) field { return field{Value: v, param: f.param} }

// value decodes node n into v; path names it in messages. A value that is absent or null keeps
// what it had before, which is its default in a scene and the present value in an override.
func (d *decoder) value(n ast.Node, v field, path string) {
	// nodes that are no values
	switch t := n.(type) {
	case *ast.AnchorNode:
		d.value(t.Value, v, path)
		return
	case *ast.TagNode:
		d.fail(n, "%s: YAML tags are not used in scenes", path)
		return
	case *ast.AliasNode, *ast.MergeKeyNode: // of an override
		d.fail(n, "%s: YAML aliases work in files only: write the value out", path)
		return
	case *ast.NullNode:
		return // as if the key were absent
	}
	// a bare number for a list of a kind
	if m, ok := v.Addr().Interface().(*kinds.Numbers); ok && n.Type() != ast.SequenceType {
		if x, ok := d.number(n, v, path); ok {
			m.SetNumber(kinds.ToStored(x, v.param.Unit))
		}
		return
	}
	// types of this package that decode themselves
	switch m := v.Addr().Interface().(type) {
	case named:
		d.named(n, m, path)
		return
	case scalar:
		// a bare number for a structure, or for a list that is not written as one
		if n.Type() != ast.MappingType && (v.Kind() != reflect.Slice || n.Type() != ast.SequenceType) {
			if x, ok := d.number(n, v, path); ok {
				m.setScalar(x)
			}
			return
		}
	}
	// all others by the kind of their Go type
	decode, ok := decoders()[v.Kind()]
	if !ok {
		// a field of a kind that nobody tested: a fault of the program
		panic("scene: no decoding into " + v.Type().String())
	}
	decode(d, n, v, path)
}

// decoders returns the decoder of each kind of Go value.
func decoders() map[reflect.Kind]func(*decoder, ast.Node, field, string) {
	return map[reflect.Kind]func(*decoder, ast.Node, field, string){
		reflect.Pointer:   (*decoder).pointer,
		reflect.Interface: (*decoder).kind,
		reflect.Struct:    (*decoder).structure,
		reflect.Slice:     (*decoder).list,
		reflect.Array:     (*decoder).array,
		reflect.Float64:   (*decoder).float,
		reflect.Int:       (*decoder).whole,
		reflect.Bool:      (*decoder).truth,
		reflect.String:    (*decoder).text,
	}
}

// pointer decodes an optional value, which is given if the pointer is not nil. A value that
// is there already, such as a default, keeps what the node leaves out.
func (d *decoder) pointer(n ast.Node, v field, path string) {
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	d.value(n, v.of(v.Elem()), path)
}

// list decodes a sequence into a slice, which it replaces as a whole. Items begin at zero, not at
// those of a default: lists have no item-wise defaults.
func (d *decoder) list(n ast.Node, v field, path string) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(n, "%s: a list is required, written [a, b] or one item a line after a dash", path)
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(s.Values), len(s.Values)))
	for i, e := range s.Values {
		d.value(e, v.of(v.Index(i)), fmt.Sprintf("%s[%d]", path, i))
	}
}

// array decodes a sequence that must have the length of the array.
func (d *decoder) array(n ast.Node, v field, path string) {
	s, ok := n.(*ast.SequenceNode)
	if !ok || len(s.Values) != v.Len() {
		d.fail(n, "%s: %d numbers are required, written [a, b, …]", path, v.Len())
		return
	}
	for i, e := range s.Values {
		d.value(e, v.of(v.Index(i)), fmt.Sprintf("%s[%d]", path, i))
	}
}

// float decodes a number and converts it to the unit in which the field stores it.
func (d *decoder) float(n ast.Node, v field, path string) {
	if x, ok := d.number(n, v, path); ok {
		v.SetFloat(kinds.ToStored(x, v.param.Unit))
	}
}

// whole decodes a number without a fraction. Numbers above 1e15 are refused: a float64
// does not represent all integers beyond 2⁵³.
func (d *decoder) whole(n ast.Node, v field, path string) {
	x, ok := d.number(n, v, path)
	switch {
	case !ok:
	case x != math.Trunc(x) || math.Abs(x) > 1e15:
		d.fail(n, "%s: %v is not a whole number", path, x)
	default:
		v.SetInt(int64(x))
	}
}

// truth decodes true or false; yes and no are texts in YAML 1.2.
func (d *decoder) truth(n ast.Node, v field, path string) {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		d.fail(n, "%s: true or false is expected, not %s", path, brief(n))
		return
	}
	v.SetBool(b.Value)
}

// text decodes a text. Names may look like numbers: body 3 is the body "3".
func (d *decoder) text(n ast.Node, v field, path string) {
	switch t := n.(type) {
	case *ast.StringNode:
		v.SetString(t.Value)
	case *ast.LiteralNode:
		v.SetString(t.Value.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		v.SetString(n.GetToken().Value)
	default:
		d.fail(n, "%s: a text is expected, not %s", path, brief(n))
	}
}

// number reads a finite number, or .inf where that has a meaning. Whole numbers are exact up to
// 2⁵³; YAML's .inf is accepted where the key has a meaning for it, NaN nowhere.
func (d *decoder) number(n ast.Node, v field, path string) (float64, bool) {
	switch t := n.(type) {
	case *ast.FloatNode:
		// 1e999 is a float to YAML and infinite to Go
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
		// the tag of the key allows it, as for limits that do not exist
		if v.param.Infinite {
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
	// a number with a unit is the most common mistake
	hint := ""
	if t, ok := n.(*ast.StringNode); ok {
		hint = inSI(path, t.Value)
	}
	d.fail(n, "%s: a number is expected, not %s%s", path, brief(n), hint)
	return 0, false
}

// brief quotes the first line of a node for a message. Messages stay on one line, and short where
// a whole section stands in place of a number.
func brief(n ast.Node) string {
	s := n.String()
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i] + " …"
	}
	return strconv.Quote(clip(s))
}

// clip shortens a text of the file to fit a message.
func clip(s string) string {
	const shown = 40
	if utf8.RuneCountInString(s) <= shown {
		return s
	}
	return string([]rune(s)[:shown]) + "…"
}
