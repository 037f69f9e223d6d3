package kinds

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// Param describes a parameter of a kind.
type Param struct {
	Key      string       // key in scene files
	Type     reflect.Type // type of the field, without the pointer of an optional field
	Unit     string       // SI unit, "deg", or empty for pure numbers and texts
	Doc      string       // meaning, without the unit
	Default  string       // default value as text: "0.5", "at the start"; empty: none
	Choices  []string     // valid texts; nil: any
	Ref      string       // type of the named item: body, joint, deformable, mesh, material, drive, signal; empty: none
	Required bool         // the key must be given
	Infinite bool         // .inf is a valid value
	Bounds   Range        // bounds of a number
	Formerly []string     // earlier keys, still read with a warning
}

// Range bounds numbers in the unit in which users write them. The zero value bounds
// nothing.
type Range struct {
	Min, Max     *float64 // inclusive bounds
	Above, Below *float64 // exclusive bounds
}

// Has reports whether x lies in the range.
func (r *Range) Has(x float64) bool {
	switch {
	case r.Min != nil && !(x >= *r.Min), r.Max != nil && !(x <= *r.Max):
		return false
	case r.Above != nil && !(x > *r.Above), r.Below != nil && !(x < *r.Below):
		return false
	}
	return true
}

// String returns the requirement of the range in words: "must be positive", "must be at least 1
// and must be less than 5".
func (r *Range) String() string {
	// the lower bound, with words of its own at zero; then the upper
	var parts []string
	switch {
	case r.Above != nil && *r.Above == 0:
		parts = append(parts, "must be positive")
	case r.Above != nil:
		parts = append(parts, fmt.Sprintf("must be greater than %g", *r.Above))
	case r.Min != nil && *r.Min == 0:
		parts = append(parts, "must not be negative")
	case r.Min != nil:
		parts = append(parts, fmt.Sprintf("must be at least %g", *r.Min))
	}
	switch {
	case r.Below != nil:
		parts = append(parts, fmt.Sprintf("must be less than %g", *r.Below))
	case r.Max != nil:
		parts = append(parts, fmt.Sprintf("must be at most %g", *r.Max))
	}
	return strings.Join(parts, " and ")
}

// Field is a parameter together with the struct field with its value.
type Field struct {
	Param
	Value reflect.Value // settable value of the field, which may be a pointer
}

// Fields returns the parameters of a kind, in the order of the struct's fields.
// spec is a pointer to a struct. It panics on a tag that has no meaning.
func Fields(spec any) []Field {
	v := reflect.ValueOf(spec)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	return FieldsOf(v.Elem())
}

// FieldsOf returns the parameters of a settable struct value, as Fields does of a pointer to a
// struct.
func FieldsOf(v reflect.Value) []Field {
	tagged, ok := described.Load(v.Type())
	if !ok {
		tagged, _ = described.LoadOrStore(v.Type(), paramsOf(v.Type()))
	}
	params := tagged.([]taggedParam)
	fields := make([]Field, len(params))
	for i := range params {
		p, f := &params[i], &fields[i]
		f.Param, f.Value = p.Param, v.FieldByIndex(p.index)
		// without a tag, the default is the value of a new struct
		if f.Default == "" {
			f.Default = valueText(f.Value, f.Unit)
		}
	}
	return fields
}

// described are the tags of struct types that were read before, as []taggedParam: a
// study builds thousands of scenes of the same types.
var described sync.Map

// taggedParam is a parameter as its tags describe it, and where its field is.
type taggedParam struct {
	Param
	index []int
}

// paramsOf reads the tags of a struct type and of structs embedded in it.
func paramsOf(t reflect.Type) (params []taggedParam) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("key")
		switch {
		case ok:
			params = append(params, taggedParam{newParam(f, tag), f.Index})
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			for _, p := range paramsOf(f.Type) {
				params = append(params, taggedParam{p.Param, append([]int{i}, p.index...)})
			}
		}
	}
	return params
}

// Params returns the descriptions of the parameters of a kind.
func Params(spec any) []Param {
	var params []Param
	for _, f := range Fields(spec) {
		params = append(params, f.Param)
	}
	return params
}

// newParam reads the tags of a field.
func newParam(f reflect.StructField, tag string) Param {
	options := strings.Split(tag, ",")
	p := Param{
		Key: options[0], Type: f.Type, Unit: f.Tag.Get("unit"), Doc: f.Tag.Get("doc"),
		Default: f.Tag.Get("default"), Ref: f.Tag.Get("ref"),
	}
	// a pointer means that the parameter may be left out: its type is that of the value
	if p.Type.Kind() == reflect.Pointer {
		p.Type = p.Type.Elem()
	}
	for _, o := range options[1:] {
		switch o {
		case "required":
			p.Required = true
		case "inf":
			p.Infinite = true
		default:
			panic(fmt.Sprintf("kinds: the field %s has the unknown option %q", f.Name, o))
		}
	}
	if old := f.Tag.Get("formerly"); old != "" {
		p.Formerly = strings.Split(old, ",")
	}
	if c := f.Tag.Get("choice"); c != "" {
		p.Choices = strings.Split(c, ",")
	}
	p.Bounds = Range{Min: bound(f, "min"), Max: bound(f, "max"), Above: bound(f, "above"), Below: bound(f, "below")}
	return p
}

// bound reads the tag of a bound of a field, such as min:"0"; nil: there is none. It panics
// on a text that is not a number.
func bound(f reflect.StructField, name string) *float64 {
	text, ok := f.Tag.Lookup(name)
	if !ok {
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("kinds: the bound %s of the field %s is not a number: %q", name, f.Name, text))
	}
	return &x
}

// valueText writes a value as users read it; empty for one that is not given.
func valueText(v reflect.Value, unit string) string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return valueText(v.Elem(), unit)
	case reflect.Float64:
		return Number(fromStored(v.Float(), unit))
	case reflect.Int, reflect.Bool:
		return fmt.Sprint(v.Interface())
	case reflect.String:
		return v.String()
	case reflect.Array, reflect.Slice:
		if v.Len() == 0 || v.Type().Elem().Kind() != reflect.Float64 && v.Type().Elem().Kind() != reflect.Int {
			return ""
		}
		items := make([]string, v.Len())
		for i := range items {
			items[i] = valueText(v.Index(i), unit)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return ""
}

// Number writes a number as YAML reads it.
func Number(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return ".inf"
	case math.IsInf(x, -1):
		return "-.inf"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// ToStored converts a number from the unit in which users write it to the one in
// which a field stores it: degrees become radians.
func ToStored(x float64, unit string) float64 {
	if unit == "deg" {
		return math.Pi / 180 * x
	}
	return x
}

// fromStored is the inverse of ToStored. Eleven digits of degrees suffice: 20° must not
// read 20.000000000000004°.
func fromStored(x float64, unit string) float64 {
	if unit == "deg" {
		return math.Round(x*180/math.Pi*1e9) / 1e9
	}
	return x
}

// Validate returns one error for each invalid value of a kind's parameters (numbers
// out of bounds, unknown choices), which names the key. The reader of the file
// checks that required keys are given.
func Validate(spec any) []error {
	var errs []error
	for _, f := range Fields(spec) {
		if err := f.Check(f.Value); err != nil {
			errs = append(errs, fmt.Errorf("%s %w", f.Key, err))
		}
	}
	return errs
}

// Check returns an error for an invalid value of the parameter. Its text continues a
// sentence that begins with the key. A nil pointer (value not given) is valid.
func (p *Param) Check(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return p.Check(v.Elem())
		}
	case reflect.Float64, reflect.Int:
		x := number(v, p.Unit)
		if !p.Bounds.Has(x) {
			return fmt.Errorf("is %s: it %s", quantity(x, p.Unit), p.Bounds.String())
		}
		return checkMagnitude(x, p.Unit)
	case reflect.String:
		if s := v.String(); p.Choices != nil && s != "" && !contains(p.Choices, s) {
			return fmt.Errorf("is %q%s", s, Suggest(s, p.Choices))
		}
	case reflect.Array, reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Float64 {
			for i := range v.Len() {
				if err := p.Check(v.Index(i)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// number returns a number as users write it.
func number(v reflect.Value, unit string) float64 {
	if v.Kind() == reflect.Int {
		return float64(v.Int())
	}
	return fromStored(v.Float(), unit)
}

// quantity writes a number with its unit, if it has one.
func quantity(x float64, unit string) string {
	if unit == "" {
		return Number(x)
	}
	return Number(x) + " " + unit
}

// contains reports whether a text is in a list.
func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
