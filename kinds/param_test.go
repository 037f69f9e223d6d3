package kinds

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func ptr(x float64) *float64 { return &x }

// A range contains a number if every bound that it has does.
func TestRangesAgreeWithTheirBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	some := func() *float64 {
		if rng.IntN(2) == 0 {
			return nil
		}
		return ptr(float64(rng.IntN(5)))
	}
	for range 2000 {
		r := Range{Min: some(), Max: some(), Above: some(), Below: some()}
		x := float64(rng.IntN(5))
		want := (r.Min == nil || x >= *r.Min) && (r.Max == nil || x <= *r.Max) && (r.Above == nil || x > *r.Above) && (r.Below == nil || x < *r.Below)
		if got := r.Has(x); got != want {
			t.Fatalf("%v has %g: %v, want %v", r.String(), x, got, want)
		}
		bounded := r != Range{}
		if r.Has(math.NaN()) == bounded {
			t.Fatalf("%q has NaN: %v", r.String(), !bounded)
		}
		if (r.String() != "") != bounded {
			t.Fatalf("%+v is described as %q", r, r.String())
		}
	}
}

func TestRangesSayWhatTheyAskFor(t *testing.T) {
	for _, c := range []struct {
		r    Range
		want string
	}{
		{Range{}, ""},
		{Range{Above: ptr(0)}, "must be positive"},
		{Range{Above: ptr(-1)}, "must be greater than -1"},
		{Range{Min: ptr(0)}, "must not be negative"},
		{Range{Min: ptr(2), Max: ptr(3)}, "must be at least 2 and must be at most 3"},
		{Range{Above: ptr(-1), Below: ptr(0.5)}, "must be greater than -1 and must be less than 0.5"},
		{Range{Max: ptr(1e-3)}, "must be at most 0.001"},
	} {
		if got := c.r.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Degrees are stored in radians and read back as the degrees that were written, without
// the round-off of the conversion.
func TestDegreesAreReadBackAsTheyWereWritten(t *testing.T) {
	for deg := -720.0; deg <= 720; deg += 0.25 {
		rad := ToStored(deg, "deg")
		if math.Abs(rad-deg*math.Pi/180) > 1e-13 {
			t.Fatalf("%g° is stored as %g rad", deg, rad)
		}
		if got := fromStored(rad, "deg"); got != deg {
			t.Fatalf("%g° is read back as %.17g°", deg, got)
		}
	}
	for _, unit := range []string{"", "m", "rad", "°"} {
		if ToStored(1.25, unit) != 1.25 || fromStored(1.25, unit) != 1.25 {
			t.Errorf("a number in %q is converted", unit)
		}
	}
}

func TestNumbersAreWrittenAsYAMLReadsThem(t *testing.T) {
	for x, want := range map[float64]string{0.5: "0.5", -3: "-3", 1e-7: "1e-07", 1e21: "1e+21", math.Inf(1): ".inf", math.Inf(-1): "-.inf"} {
		if got := Number(x); got != want {
			t.Errorf("%g is written %s, want %s", x, got, want)
		}
	}
}

// everything has a field of every type that parameters may have.
type everything struct {
	Float    float64         `key:"float,required" unit:"m" doc:"a length" min:"0" below:"4"`
	Int      int             `key:"int" doc:"a count" min:"1" formerly:"count,number"`
	Bool     bool            `key:"bool" doc:"a flag"`
	Text     string          `key:"text" doc:"a choice" choice:"a,b"`
	Name     string          `key:"name" doc:"a body" ref:"body"`
	List     []float64       `key:"list,inf" doc:"numbers" max:"9"`
	Texts    []string        `key:"texts" doc:"names" default:"all"`
	Vector   [3]float64      `key:"vector" doc:"a vector"`
	Optional *float64        `key:"optional" unit:"deg" doc:"an angle" above:"0"`
	Inner    struct{ X int } `key:"inner" doc:"a structure"`

	Hidden float64
}

func TestFieldsOfEveryTypeAreDescribed(t *testing.T) {
	spec := &everything{Int: 3, Bool: true, Text: "b", List: []float64{1, math.Inf(1)}, Optional: ptr(math.Pi)}
	want := []Param{
		{Key: "float", Unit: "m", Doc: "a length", Default: "0", Required: true, Bounds: Range{Min: ptr(0), Below: ptr(4)}},
		{Key: "int", Doc: "a count", Default: "3", Bounds: Range{Min: ptr(1)}, Formerly: []string{"count", "number"}},
		{Key: "bool", Doc: "a flag", Default: "true"},
		{Key: "text", Doc: "a choice", Default: "b", Choices: []string{"a", "b"}},
		{Key: "name", Doc: "a body", Ref: "body"},
		{Key: "list", Doc: "numbers", Default: "[1, .inf]", Infinite: true, Bounds: Range{Max: ptr(9)}},
		{Key: "texts", Doc: "names", Default: "all"},
		{Key: "vector", Doc: "a vector", Default: "[0, 0, 0]"},
		{Key: "optional", Unit: "deg", Doc: "an angle", Default: "180", Bounds: Range{Above: ptr(0)}},
		{Key: "inner", Doc: "a structure"},
	}
	got := Params(spec)
	if len(got) != len(want) {
		t.Fatalf("%d parameters, want %d", len(got), len(want))
	}
	for i := range got {
		got[i].Type = nil
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("%+v\nwant %+v", got[i], want[i])
		}
	}
}

// Fields are settable: what is set in them is set in the struct.
func TestFieldsAreThoseOfTheStruct(t *testing.T) {
	spec := new(everything)
	fields := Fields(spec)
	fields[0].Value.SetFloat(2.5)
	fields[7].Value.Index(1).SetFloat(-1)
	if spec.Float != 2.5 || spec.Vector != [3]float64{0, -1, 0} {
		t.Errorf("%+v", spec)
	}
	for _, none := range []any{everything{}, 3, "text", new(int)} {
		if f := Fields(none); f != nil {
			t.Errorf("%T has fields %v", none, f)
		}
	}
}

func TestEveryBoundIsChecked(t *testing.T) {
	for _, c := range []struct {
		change func(*everything)
		want   string
	}{
		{func(*everything) {}, ""},
		{func(e *everything) { e.Float = -1 }, "float is -1 m: it must not be negative and must be less than 4"},
		{func(e *everything) { e.Float = 4 }, "float is 4 m: it"},
		{func(e *everything) { e.Int = 0 }, "int is 0: it must be at least 1"},
		{func(e *everything) { e.Text = "c" }, `text is "c"`},
		{func(e *everything) { e.Text = "" }, ""},
		{func(e *everything) { e.List = []float64{1, 10} }, "list is 10: it must be at most 9"},
		{func(e *everything) { e.List = nil }, ""},
		{func(e *everything) { e.Optional = ptr(-math.Pi / 2) }, "optional is -90 deg: it must be positive"},
		{func(e *everything) { e.Optional = nil }, ""},
	} {
		spec := &everything{Float: 1, Int: 1, Text: "a", Optional: ptr(1)}
		c.change(spec)
		errs := Validate(spec)
		switch {
		case c.want == "" && len(errs) == 0:
		case len(errs) != 1 || c.want == "" || !strings.Contains(errs[0].Error(), c.want):
			t.Errorf("%+v: %v, want %q", spec, errs, c.want)
		}
	}
}

// Mistakes in tags are found by the first test that lists the parameters.
func TestTagsWithoutAMeaningPanic(t *testing.T) {
	for _, c := range []struct {
		spec any
		want string
	}{
		{&struct {
			X float64 `key:"x,requierd"`
		}{}, `unknown option "requierd"`},
		{&struct {
			X float64 `key:"x" min:"zero"`
		}{}, "the bound min of the field X is not a number"},
	} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, c.want) {
					t.Errorf("panic %q, want %q in it", r, c.want)
				}
			}()
			Fields(c.spec)
		}()
	}
}
