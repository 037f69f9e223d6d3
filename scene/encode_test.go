package scene

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/parser"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// inScenes returns the seams whose kinds scene files name.
func inScenes() []kinds.Seam {
	var seams []kinds.Seam
	for _, s := range kinds.All() {
		if !strings.HasSuffix(s.Name(), "format") && s.Type().Kind() == reflect.Interface && s.Name() != "machine part" {
			seams = append(seams, s)
		}
	}
	return seams
}

// randomise gives random values within their bounds to the fields of a kind; sometimes
// it leaves the default.
func randomise(rng *rand.Rand, fields []kinds.Field) {
	for _, f := range fields {
		if f.Required || rng.IntN(3) > 0 {
			randomValue(rng, f.Value, &f.Param)
		}
	}
}

func randomValue(rng *rand.Rand, v reflect.Value, p *kinds.Param) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		randomValue(rng, v.Elem(), p)
	case reflect.Float64:
		v.SetFloat(kinds.ToStored(randomNumber(rng, p), p.Unit))
	case reflect.Int:
		v.SetInt(int64(math.Ceil(randomNumber(rng, p))))
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.String:
		texts := []string{"ball", "a.b", "true", "12", "1e3", "~", "null", "on: fire", "- x", " edge ", "Größe", "#3", ".inf", "yes", "a\nb", "it's", `"`, "0x10", "?"}
		if p.Choices != nil {
			texts = p.Choices
		}
		v.SetString(texts[rng.IntN(len(texts))])
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+rng.IntN(3), 4))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			randomValue(rng, v.Index(i), p)
		}
	case reflect.Struct:
		if v.Type() == transformType {
			v.Set(reflect.ValueOf(r3.Pose{R: r3.RotRPY(rng.Float64(), rng.Float64(), rng.Float64()), P: r3.Vec{rng.Float64(), 1e-7, -3}}))
			return
		}
		randomise(rng, kinds.FieldsOf(v))
	case reflect.Interface:
		s := kinds.Of(v.Type())
		_, spec := randomKind(rng, s)
		v.Set(reflect.ValueOf(spec))
	}
}

// randomKind returns a kind of a seam with random parameters that fit together.
func randomKind(rng *rand.Rand, s kinds.Seam) (name string, spec any) {
	for {
		name = s.Names()[rng.IntN(len(s.Names()))]
		spec = s.Make(name)
		randomise(rng, kinds.Fields(spec))
		if c, ok := spec.(interface{ Check() error }); !ok || c.Check() == nil {
			return name, spec
		}
	}
}

// randomNumber returns a number within a parameter's bounds, of any magnitude.
func randomNumber(rng *rand.Rand, p *kinds.Param) float64 {
	for {
		x := math.Ldexp(rng.Float64()*2-1, rng.IntN(20)-10)
		if p.Infinite && rng.IntN(8) == 0 {
			x = math.Inf(1)
		}
		if p.Bounds.Has(x) {
			return x
		}
	}
}

// sameValue reports whether two values are equal, rotations and degrees up to round-off.
func sameValue(a, b reflect.Value, p *kinds.Param) bool {
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && sameValue(a.Elem(), b.Elem(), p)
	case reflect.Float64:
		x, y := a.Float(), b.Float()
		return x == y || (p.Unit == "deg" || p.Key == "") && math.Abs(x-y) < 1e-10
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !sameValue(a.Index(i), b.Index(i), p) {
				return false
			}
		}
		return true
	case reflect.Struct:
		if a.Type() == transformType {
			p = &kinds.Param{} // rotations by quaternions round
		} else if fields := kinds.FieldsOf(a); len(fields) > 0 {
			other := kinds.FieldsOf(b)
			for i := range fields {
				if !sameValue(fields[i].Value, other[i].Value, &fields[i].Param) {
					return false
				}
			}
			return true
		}
		for i := range a.NumField() {
			if !sameValue(a.Field(i), b.Field(i), p) {
				return false
			}
		}
		return true
	}
	return a.Interface() == b.Interface()
}

// decodeItem reads an item of a seam as part of a scene.
func decodeItem(s kinds.Seam, text string) (spec any, errs []error) {
	if s.Style() == kinds.Plain {
		text = "{" + "kind: " + text + "}"
	}
	f, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		return nil, []error{err}
	}
	d := &decoder{file: "item"}
	key := map[kinds.Style]string{kinds.Typed: "type", kinds.Plain: "kind"}[s.Style()]
	it := itemField{item: &looseItem{in: s}, key: key}
	values := d.mapping(f.Docs[0].Body, "")
	d.chooseKind(&it, values, "")
	d.entries(f.Docs[0].Body, values, []itemField{it}, it.fields(), "")
	if !it.parameters().IsValid() {
		return nil, append(d.errs, fmt.Errorf("no kind in %s", text))
	}
	return it.parameters().Addr().Interface(), d.errs
}

// Every kind with random parameters, written and read again, is the same.
func TestKindsAreReadAsTheyAreWritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range inScenes() {
		for _, k := range s.Kinds() {
			for range 40 {
				spec := s.Make(k.Name)
				randomise(rng, kinds.Fields(spec))
				text := Encode(s, k.Name, spec)
				got, errs := decodeItem(s, text)
				if len(errs) > 0 {
					t.Fatalf("%s %s: %s: %v", s.Name(), k.Name, text, errs)
				}
				if got != nil && !sameValue(reflect.ValueOf(spec), reflect.ValueOf(got), &kinds.Param{Key: "kind"}) {
					t.Fatalf("%s %s: %s\nis read as %s", s.Name(), k.Name, text, Encode(s, k.Name, got))
				}
			}
		}
	}
}
