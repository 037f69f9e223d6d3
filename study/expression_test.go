package study

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/mutation"
)

func testEnv() map[string]any {
	return map[string]any{
		"mu": 2.3, "tau": 4e-6, "time": map[string]any{"step": 1e-3}, "law": "sap",
		"pairs": []any{map[string]any{"friction": 0.7}},
	}
}

func TestFormulasAreEvaluated(t *testing.T) {
	for text, want := range map[string]any{
		"0.1 + mu*(time.step + tau)*10": 0.1 + 2.3*(1e-3+4e-6)*10,
		"1/4":                           0.25, "2^3": 8.0, "-mu": -2.3, "sqrt(16)": 4.0, "log10(1e3)": 3.0, "max(1, mu)": 2.3,
		"pairs[0].friction":                  0.7,
		`law == "sap" ? 1 : 2`:               1,
		`law in ["sap", "x"] and not (mu<1)`: true,
		"atan(1)*4":                          math.Pi,
	} {
		e, err := compile(text, testEnv())
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := e.value(testEnv())
		x, isNumber := toFloat(got)
		w, _ := toFloat(want)
		if err != nil || isNumber && math.Abs(x-w) > 1e-15 || !isNumber && got != want {
			t.Errorf("%s is %v (%v), want %v", text, got, err, want)
		}
	}
}

func TestMistakesInFormulasAreExplained(t *testing.T) {
	for text, want := range map[string]string{
		"muu + 1":          `unknown name muu: did you mean "mu"?`,
		"time.stpe + 1":    `time has no "stpe": did you mean "step"?`,
		"mu +":             "character",
		"law + 1":          "invalid operation",
		"sqrt(law)":        "sqrt takes a number",
		"sqrt(1, 2)":       "sqrt takes one number",
		"pairs[3].x":       "out of range",
		"len([1])":         "unknown name len",
		"1e999":            "out of range",
		"":                 "character",
		"mu == 'a\nb' ? 1": "character",
	} {
		e, err := compile(text, testEnv())
		if err == nil {
			_, err = e.value(testEnv())
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q in it", text, err, want)
		}
	}
	if _, err := condition("mu + 1", testEnv()); err == nil {
		t.Error("a number is a condition")
	}
}

func TestValuesOfFormulasAreWrittenAsYAML(t *testing.T) {
	for want, v := range map[string]any{
		"0.001": 1e-3, "3": 3, "true": true, "sap": "sap", "[1, 2.5, x]": []any{1, 2.5, "x"}, "1e-07": 1e-7,
	} {
		if got, err := formatValue(v); err != nil || got != want {
			t.Errorf("%v is written %q, %v", v, got, err)
		}
	}
	for _, v := range []any{math.NaN(), math.Inf(1), nil, map[string]any{}, []any{math.NaN()}} {
		if got, err := formatValue(v); err == nil {
			t.Errorf("%v is written %q", v, got)
		}
	}
}

func TestTreesAreReadAndSetByPath(t *testing.T) {
	m, err := parseTree([]byte("a: {b: [1, {c: 1e7}]}\nd: word\ne: 0x10\nf: true\n"))
	if err != nil {
		t.Fatal(err)
	}
	before := cloneTree(m)
	for path, want := range map[string]any{"a.b.0": 1.0, "a.b.1.c": 1e7, "d": "word", "f": true, "a.b.2": nil, "a.x.y": nil, "d.e": nil} {
		if got := getPath(m, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	setPath(m, "a.b.0", 5.0)
	setPath(m, "a.b.1.c", 6.0)
	setPath(m, "new.x.y", 7.0)
	setPath(m, "a.b.9", 1.0)
	setPath(m, "d.z", 8.0)
	for path, want := range map[string]any{"a.b.0": 5.0, "a.b.1.c": 6.0, "new.x.y": 7.0, "d.z": 8.0} {
		if got := getPath(m, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if getPath(before, "a.b.0") != 1.0 || getPath(before, "a.b.1.c") != 1e7 {
		t.Error("a copy changed with its original")
	}
}

func FuzzFormula(f *testing.F) {
	seeds := mutation.Texts("mu + 1", "time.step < 2 and law == 'x'", "pairs[0].friction", "sqrt(-1)", "[1,2][mu]", "{a: 1}.a", "let x = 1; x")
	mutation.Fuzz(f, seeds, func(_ testing.TB, data []byte) string {
		s := string(data)
		if len(s) > 200 {
			return "long"
		}
		e, err := compile(s, testEnv())
		if err != nil {
			return err.Error()
		}
		v, err := e.value(testEnv())
		if err != nil {
			return err.Error()
		}
		_, _ = formatValue(v)
		return ""
	})
}
