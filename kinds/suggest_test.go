package kinds

import "testing"

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
