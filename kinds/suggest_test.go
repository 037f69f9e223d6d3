package kinds

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestSuggestionsNameTheNearest(t *testing.T) {
	for _, c := range []struct {
		word    string
		choices []string
		want    string
	}{
		{"stpe", []string{"duration", "step"}, `: did you mean "step"?`},
		{"reibung", []string{"friction", "stiffness"}, ": the choices are friction, stiffness"},
		{"x", nil, ": there are none"},
		{"größe", []string{"grösse", "size"}, `: did you mean "grösse"?`},
	} {
		if got := Suggest(c.word, c.choices); got != c.want {
			t.Errorf("%s: %q, want %q", c.word, got, c.want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"gltf2", "gltf", 1}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"same", "same", 0}, {"stpe", "step", 1}} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("distance of %q and %q is %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// twin is the edit distance by its recursive definition.
func twin(a, b []rune) int {
	switch {
	case len(a) == 0:
		return len(b)
	case len(b) == 0:
		return len(a)
	case a[0] == b[0]:
		return twin(a[1:], b[1:])
	}
	d := 1 + min(twin(a[1:], b), twin(a, b[1:]), twin(a[1:], b[1:]))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		d = min(d, 1+twin(a[2:], b[2:]))
	}
	return d
}

func TestEditDistanceAgreesWithItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	word := func() string {
		w := make([]rune, rng.IntN(6))
		for i := range w {
			w[i] = []rune("abö")[rng.IntN(3)]
		}
		return string(w)
	}
	for range 500 {
		a, b := word(), word()
		d := editDistance(a, b)
		if want := twin([]rune(a), []rune(b)); d != want {
			t.Fatalf("distance of %q and %q is %d, want %d", a, b, d, want)
		}
		if d != editDistance(b, a) || (d == 0) != (a == b) {
			t.Fatalf("distance of %q and %q is not symmetric, or 0 for different words", a, b)
		}
	}
}

// A word of any length is compared in bounded time, and its first choice wins a tie.
func TestSuggestionsOfOddWords(t *testing.T) {
	if got := Suggest(strings.Repeat("x", 1<<20), []string{"step"}); got != ": the choices are step" {
		t.Errorf("a long word: %q", got)
	}
	if got := Suggest("stap", []string{"stop", "step"}); got != `: did you mean "stop"?` {
		t.Errorf("a tie: %q", got)
	}
	if got := Suggest("", []string{"a", "abc"}); got != `: did you mean "a"?` {
		t.Errorf("an empty word: %q", got)
	}
}
