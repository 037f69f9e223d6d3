package study

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// twin is a random formula as text and the value that Go computes for it.
type twin struct {
	text  string
	value float64
}

// leaf is a number or a name of variables.
func leaf(r *rand.Rand, env map[string]any) twin {
	names := sortedKeys(env)
	if r.Intn(2) == 0 {
		name := names[r.Intn(len(names))]
		if m, ok := env[name].(map[string]any); ok {
			return twin{name + ".part", m["part"].(float64)}
		}
		if l, ok := env[name].([]any); ok {
			k := r.Intn(len(l))
			return twin{fmt.Sprintf("%s[%d]", name, k), l[k].(float64)}
		}
		return twin{name, env[name].(float64)}
	}
	x := math.Round(1000*(0.5+r.Float64())) / 512
	return twin{strconv.FormatFloat(x, 'f', -1, 64), x}
}

// grow makes a formula of a depth; every operation is in parentheses, so that the text
// does not depend on precedence.
func grow(r *rand.Rand, env map[string]any, depth int) twin {
	if depth == 0 {
		return leaf(r, env)
	}
	a, b := grow(r, env, depth-1), grow(r, env, r.Intn(depth))
	if math.IsNaN(a.value) || math.IsNaN(b.value) {
		return leaf(r, env) // max of the expression language ignores NaN, unlike Go's
	}
	switch r.Intn(9) {
	case 0:
		return twin{"(" + a.text + " + " + b.text + ")", a.value + b.value}
	case 1:
		return twin{"(" + a.text + " - " + b.text + ")", a.value - b.value}
	case 2:
		return twin{"(" + a.text + " * " + b.text + ")", a.value * b.value}
	case 3:
		return twin{"(" + a.text + " / " + b.text + ")", a.value / b.value}
	case 4:
		return twin{"(-" + a.text + ")", -a.value}
	case 5:
		return twin{"abs(" + a.text + ")", math.Abs(a.value)}
	case 6:
		return twin{"max(" + a.text + ", " + b.text + ")", math.Max(a.value, b.value)}
	case 7:
		if a.value < b.value {
			return twin{"(" + a.text + " < " + b.text + " ? " + a.text + " : " + b.text + ")", a.value}
		}
		return twin{"(" + a.text + " < " + b.text + " ? " + a.text + " : " + b.text + ")", b.value}
	}
	names := sortedKeys(functions)
	name := names[r.Intn(len(names))]
	return twin{name + "(" + a.text + ")", functions[name](a.value)}
}

// Random formulas have exactly the value of the same operations in Go.
func TestFormulasAgreeWithGoArithmetic(t *testing.T) {
	env := map[string]any{"mu": 0.7, "h": 1e-3, "big": 12345.5, "group": map[string]any{"part": -2.25}, "list": []any{3.5, -1.25}}
	r := rand.New(rand.NewSource(1))
	finite := 0
	for range 3000 {
		want := grow(r, env, 1+r.Intn(4))
		e, err := compile(want.text, env)
		if err != nil {
			t.Fatalf("%s: %v", want.text, err)
		}
		got, err := e.number(env)
		if err != nil {
			t.Fatalf("%s: %v", want.text, err)
		}
		if math.IsNaN(want.value) != math.IsNaN(got) || !math.IsNaN(got) && got != want.value {
			t.Errorf("%s is %v, want %v", want.text, got, want.value)
		}
		if !math.IsNaN(want.value) && !math.IsInf(want.value, 0) {
			finite++
		}
	}
	if finite < 1500 {
		t.Errorf("only %d formulas have a finite value", finite)
	}
}

// Precedence and associativity are those of arithmetic: powers before products before
// sums before comparisons before not, and, or.
func TestPrecedenceOfOperators(t *testing.T) {
	a, b, c := 2.0, 3.0, 5.0
	env := map[string]any{"a": a, "b": b, "c": c}
	for text, want := range map[string]any{
		"a + b*c":                a + b*c,
		"(a + b)*c":              (a + b) * c,
		"a - b - c":              a - b - c,
		"a/b/c":                  a / b / c,
		"a/b*c":                  a / b * c,
		"2*a^b":                  2 * math.Pow(a, b),
		"a^b^a":                  math.Pow(a, math.Pow(b, a)),
		"-a + b":                 -a + b,
		"a < b and b < c":        true,
		"a < b or 1/0 < 0":       true,
		"not (a > b)":            true,
		"a > b or a < b and c<0": false,
		"a == 2 ? b : c":         b,
		"a in [1, 2, 3]":         true,
		"7 % 4":                  3,
		"floor(c/a)":             math.Floor(c / a),
		"ceil(c/a)":              math.Ceil(c / a),
		"round(c/a)":             math.Round(c / a),
		"min(a, b, c)":           a,
	} {
		e, err := compile(text, env)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := e.value(env)
		x, isNumber := toFloat(got)
		w, wantsNumber := toFloat(want)
		if err != nil || isNumber != wantsNumber || isNumber && math.Abs(x-w) > 1e-14*math.Abs(w) || !isNumber && got != want {
			t.Errorf("%s is %v (%v), want %v", text, got, err, want)
		}
	}
}

// Every function is that of package math at points of its domain, and refuses texts and
// other numbers of arguments.
func TestFunctionsAreThoseOfMath(t *testing.T) {
	for name, f := range functions {
		for _, x := range []float64{-0.75, 0, 0.25, 1, 40} {
			env := map[string]any{"x": x}
			e, err := compile(name+"(x)", env)
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.number(env)
			if want := f(x); err != nil || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s(%v) is %v (%v), want %v", name, x, got, err, want)
			}
		}
		for text, want := range map[string]string{"(s)": "takes a number", "(1, 2)": "takes one number", "()": "takes one number"} {
			env := map[string]any{"s": "text"}
			e, err := compile(name+text, env)
			if err == nil {
				_, err = e.value(env)
			}
			if err == nil || !strings.Contains(err.Error(), name+" "+want) {
				t.Errorf("%s%s: %v", name, text, err)
			}
		}
	}
}

// The names of a formula are those that it uses, each once, without functions and parts.
func TestFormulasListTheirNames(t *testing.T) {
	env := map[string]any{"a": 1.0, "b": 2.0, "m": map[string]any{"x": 1.0, "y": map[string]any{"z": 2.0}}, "l": []any{1.0}}
	for text, want := range map[string][]string{
		"1 + 2":                  nil,
		"a":                      {"a"},
		"a*b + a":                {"a", "b"},
		"m.x + m.y.z":            {"m"},
		"sqrt(a) + max(b, l[0])": {"sqrt", "a", "b", "l"},
	} {
		e, err := compile(text, env)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := slices.DeleteFunc(slices.Clone(e.names), func(s string) bool { return functions[s] != nil })
		want = slices.DeleteFunc(want, func(s string) bool { return functions[s] != nil })
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s uses %v, want %v", text, got, want)
		}
	}
}

// A part that does not exist is reported with the mapping that lacks it, at any depth.
func TestUnknownPartsNameTheirMapping(t *testing.T) {
	env := map[string]any{"a": map[string]any{"b": map[string]any{"step": 1.0}}, "x": 1.0}
	for text, want := range map[string]string{
		"a.c":             `"a.c": a has no "c"`,
		"a.b.stp":         `a.b has no "stp": did you mean "step"?`,
		"1 + 2*a.b.stepp": `a.b has no "stepp": did you mean "step"?`,
		"y":               "unknown name y",
	} {
		if _, err := compile(text, env); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", text, err, want)
		}
	}
	for text, parts := range map[string][]string{"a.b.step": {"a", "b", "step"}, "x": {"x"}} {
		if err := checkParts(env, parts); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A number that is not a number is an error of the measure, not a value.
func TestFormulasOfNumbersRefuseOtherValues(t *testing.T) {
	env := map[string]any{"s": "text", "x": 1.0, "l": []any{1.0}}
	for _, text := range []string{"s", "x > 0", "l", "nil"} {
		e, err := compile(text, env)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if v, err := e.number(env); err == nil || !strings.Contains(err.Error(), "not a number") {
			t.Errorf("%s is %v, %v", text, v, err)
		}
	}
	for text, want := range map[string]bool{"x > 0": true, "x < 0": false, `s == "text"`: true} {
		e, err := condition(text, env)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := e.value(env); err != nil || v != want {
			t.Errorf("%s is %v, %v", text, v, err)
		}
	}
}

// Names cannot be mistaken for formulas, nor formulas for names.
func TestNamesAndFormulasAreReported(t *testing.T) {
	for _, text := range []string{"z", "tip_x", "bodies.ball.mass", "grip_N", "a-b", "µ"} {
		if !isName(text) {
			t.Errorf("%q is taken for a formula", text)
		}
	}
	for _, text := range []string{"z + 1", "2*z", "z/2", "f(z)", "z<1", "z==1", "a[0]", `"z"`, "a ? b : c", "a, b", "!a", "a|b", "2^a", "a%b", "a&b"} {
		if isName(text) {
			t.Errorf("%q is taken for a name", text)
		}
	}
}

// Numbers are written with as many digits as are needed to read them back.
func TestNumbersAreWrittenExactly(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 1000 {
		x := (r.Float64() - 0.5) * math.Pow(10, float64(r.Intn(40)-20))
		text, err := formatValue(x)
		back, ok := parseNumber(text)
		if err != nil || !ok || back != x {
			t.Errorf("%v is written %q (%v) and read back as %v", x, text, err, back)
		}
	}
	if text, err := formatValue([]any{1.0, []any{true, "x"}, -2.5e-7}); err != nil || text != "[1, [true, x], -2.5e-07]" {
		t.Errorf("%q, %v", text, err)
	}
}
