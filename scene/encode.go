package scene

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
)

// Encode writes an item of a seam as a scene does, on one line: the name of its kind
// and the parameters that differ from their defaults. spec is a pointer to the
// parameters.
func Encode(s kinds.Seam, name string, spec any) string {
	usual := s.Make(name)
	params := encodeFields(spec, usual)
	switch s.Style() {
	case kinds.Nested:
		return fmt.Sprintf("{%s: {%s}}", name, strings.Join(params, ", "))
	case kinds.Typed:
		return "{" + strings.Join(append([]string{"type: " + name}, params...), ", ") + "}"
	case kinds.Keyed:
		if !Flat(s, kinds.Info{Name: name, Params: kinds.Params(spec)}) {
			return fmt.Sprintf("{%s: {%s}}", name, strings.Join(params, ", "))
		}
		return "{" + strings.Join(params, ", ") + "}"
	}
	return strings.Join(append([]string{name}, params...), ", ")
}

func encodeFields(spec, usual any) []string {
	was := map[string]reflect.Value{}
	if usual != nil {
		for _, f := range kinds.Fields(usual) {
			was[f.Key] = f.Value
		}
	}
	var out []string
	for _, f := range kinds.Fields(spec) {
		if u, ok := was[f.Key]; ok && reflect.DeepEqual(u.Interface(), f.Value.Interface()) && !f.Required {
			continue
		}
		out = append(out, f.Key+": "+encodeValue(f.Value, f.Unit))
	}
	return out
}

// encodeValue writes a value in YAML's flow style.
func encodeValue(v reflect.Value, unit string) string {
	switch v.Kind() {
	case reflect.Pointer:
		return encodeValue(v.Elem(), unit)
	case reflect.Interface:
		if m, ok := v.Interface().(motion.Motion); ok {
			if x, ok := motion.ConstantValue(m); ok {
				return kinds.Number(x)
			}
		}
		if s := kinds.Of(v.Type()); s != nil && !v.IsNil() {
			return encodeKind(s, v.Interface())
		}
		return "null"
	case reflect.Float64:
		x := v.Float()
		if unit == "deg" {
			x = math.Round(x*180/math.Pi*1e9) / 1e9
		}
		return kinds.Number(x)
	case reflect.String:
		return encodeText(v.String())
	case reflect.Slice, reflect.Array:
		items := make([]string, v.Len())
		for i := range items {
			items[i] = encodeValue(v.Index(i), unit)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case reflect.Struct:
		return "{" + strings.Join(encodeFields(v.Addr().Interface(), reflect.New(v.Type()).Interface()), ", ") + "}"
	}
	return fmt.Sprint(v.Interface())
}

// encodeKind writes a kind whose name follows from the type of its parameters.
func encodeKind(s kinds.Seam, spec any) string {
	for _, k := range s.Kinds() {
		if reflect.TypeOf(s.Make(k.Name)) == reflect.TypeOf(spec) {
			return Encode(s, k.Name, spec)
		}
	}
	return "null"
}

// encodeText quotes a text where YAML would read it as something else.
func encodeText(s string) string {
	if s == "" || strings.ContainsAny(s, ":#{}[],&*!|>'\"%@`\n") || s == "true" || s == "false" || s == "null" {
		return strconv.Quote(s)
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return strconv.Quote(s)
	}
	return s
}
