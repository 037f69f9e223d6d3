package phrases

import (
	"testing"

	"github.com/curlfree/curlfree/r3"
)

func TestPluralsAndLists(t *testing.T) {
	for _, c := range []struct {
		n    int
		noun string
		want string
	}{
		{1, "triangle", "1 triangle"}, {0, "triangle", "0 triangles"}, {2, "vertex", "2 vertices"}, {1, "vertex", "1 vertex"},
		{5, "tetrahedron", "5 tetrahedra"}, {3, "index", "3 indices"}, {7, "piece", "7 pieces"},
	} {
		if got := Plural(c.n, c.noun); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	at := func(i int) string { return string(rune('a' + i)) }
	for n, want := range []string{"", "a", "a, b", "a, b, c", "a, b, c, and 1 more", "a, b, c, and 2 more"} {
		if got := Some(n, at); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestLengthsAreEasyToRead(t *testing.T) {
	for x, want := range map[float64]string{0: "0 m", 2.5e-7: "0.25 µm", 0.0004: "400 µm", 0.001: "1 mm", 0.12345: "123.5 mm", 1: "1 m", 12.3456: "12.35 m", -0.02: "-20 mm"} {
		if got := Length(x); got != want {
			t.Errorf("%g: %q, want %q", x, got, want)
		}
	}
	if got := Point(r3.Vec{1, -0.25, 1.0 / 3}); got != "(1, -0.25, 0.33333) m" {
		t.Errorf("%q", got)
	}
}
