package scene

// Items of scenes are written so that the decoder reads the same parameters again. Numbers
// keep all bits, except rotations, which become quaternions, and degrees, which have eleven
// digits.
//
// Examples, one of each style of seam:
//
//	{sphere: {radius: 0.05}}                  a shape, whose kind is a key
//	{type: revolute, axis: [0, 0, 1]}         a joint
//	{position: z, body: ball}                 a signal
//	{sine: {amplitude: 0.01, frequency: 2}}   a motion, which is Keyed but not flat
//	lagged                                    a contact law, whose parameters stand beside it

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// Encode writes an item of a seam as a scene does, on one line: the name of its kind and the
// parameters that differ from their defaults. spec is a pointer to the parameters. Decoding the
// result gives the same parameters, so that the samples of all kinds are examples of the manual
// that certainly work.
func Encode(s kinds.Seam, name string, spec any) string {
	// what has its default need not be written
	usual := s.Make(name)
	params := encodeFields(spec, usual, name)
	// the four styles, see item.go
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

// encodeFields writes the fields of spec that are required, differ from those of usual, or
// have the key that names the kind.
func encodeFields(spec, usual any, name string) []string {
	was := map[string]reflect.Value{}
	if usual != nil {
		for _, f := range kinds.Fields(usual) {
			was[f.Key] = f.Value
		}
	}
	var out []string
	for _, f := range kinds.Fields(spec) {
		// required keys are written even at their default, else the item would be refused
		if u, ok := was[f.Key]; ok && reflect.DeepEqual(u.Interface(), f.Value.Interface()) && !f.Required && f.Key != name {
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
		if v.IsNil() {
			return "null"
		}
		return encodeValue(v.Elem(), unit)
	case reflect.Interface:
		// seams: a kind by the type of its parameters
		if m, ok := v.Interface().(motion.Motion); ok {
			// a constant motion is a bare number
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
		// the inverse of kinds.ToStored, rounded so that 20° stays 20
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
		// structures that are no kinds: all of their fields, against zero
		if x, ok := v.Interface().(r3.Pose); ok {
			return encodeTransform(x)
		}
		return "{" + strings.Join(encodeFields(v.Addr().Interface(), reflect.New(v.Type()).Interface(), ""), ", ") + "}"
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

// encodeTransform writes a pose as position and quaternion. The identity is {}; a rotation is a
// quaternion, which keeps more bits than angles do.
func encodeTransform(x r3.Pose) string {
	var parts []string
	if x.P != (r3.Vec{}) {
		parts = append(parts, "xyz: "+encodeNumbers(x.P[:]))
	}
	if q := x.R.Quat(); x.R != r3.Identity() {
		parts = append(parts, "quaternion: "+encodeNumbers(q[:]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// encodeNumbers writes a list of numbers in YAML's flow style.
func encodeNumbers(list []float64) string { return encodeValue(reflect.ValueOf(list), "") }

// plainText matches texts that YAML reads as they are, unless they are reserved words.
var plainText = regexp.MustCompile(`^[A-Za-z_]([A-Za-z0-9_./ -]*[A-Za-z0-9_])?$`)

// encodeText quotes a text where YAML would read it as something else. YAML 1.2 reserves few
// words, but editors and older parsers read yes, no, on and off as truths.
func encodeText(s string) string {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "inf", "nan", "infinity":
		return strconv.Quote(s)
	}
	if !plainText.MatchString(s) {
		return strconv.Quote(s)
	}
	return s
}
