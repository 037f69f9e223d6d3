// Package phrases puts numbers, lengths and places into words.
package phrases

import (
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/r3"
)

// Plural returns a number with its noun in the right form: "1 triangle", "3
// triangles", "2 vertices", "2 tetrahedra".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "x") { // vertex, index
		return fmt.Sprintf("%d %sices", n, strings.TrimSuffix(noun, "ex"))
	}
	if strings.HasSuffix(noun, "ron") { // tetrahedron
		return fmt.Sprintf("%d %sa", n, strings.TrimSuffix(noun, "on"))
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Some joins the texts at(0), at(1), … of the first three of n items, and describes how
// many more there are.
func Some(n int, at func(int) string) string {
	const shown = 3
	var b strings.Builder
	for i := range min(n, shown) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(at(i))
	}
	if n > shown {
		fmt.Fprintf(&b, ", and %d more", n-shown)
	}
	return b.String()
}

// Length prints a length, m, in µm, mm or m with about four digits.
func Length(x float64) string {
	switch a := math.Abs(x); {
	case a == 0:
		return "0 m"
	case a < 1e-3:
		return fmt.Sprintf("%.3g µm", x*1e6)
	case a < 1:
		return fmt.Sprintf("%.4g mm", x*1e3)
	}
	return fmt.Sprintf("%.4g m", x)
}

// Point prints a position, m, with five digits: enough to find the place in a
// viewer.
func Point(p r3.Vec) string { return fmt.Sprintf("(%.5g, %.5g, %.5g) m", p[0], p[1], p[2]) }
