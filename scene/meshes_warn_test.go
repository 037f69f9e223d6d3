package scene

import (
	"strings"
	"testing"
)

func TestLargePartsAndCutSurfacesAreWarnedOf(t *testing.T) {
	cut := `meshes: {m: {part: {ring: {outer: 10, inner: 5, length: 3}}}}
bodies: {b: {shapes: [{mesh: {mesh: m}}]}}
`
	if got := warned(t, timeOf+cut, "large"); !strings.Contains(got, "meshes.m.part.ring is 10 m large: lengths are in m") {
		t.Errorf("a ring of 10 m: %q", got)
	}
	crossed := `meshes: {m: {file: crossed.obj}}
deformables: {d: {mesh: m}}
`
	if got := warned(t, timeOf+crossed, "cuts itself"); !strings.Contains(got, "mesh m: the surface cuts itself (") {
		t.Errorf("two cubes that cut each other: %q", got)
	}
	// Two cubes of 1 m³ that overlap, as a rigid body: the mass counts the overlap twice.
	rigid := "meshes: {m: {file: crossed.obj}}\nbodies: {b: {shapes: [{mesh: {mesh: m}}]}}\n"
	if got := warned(t, timeOf+rigid, "overlap"); !strings.Contains(got, "mesh m: solids overlap in ") {
		t.Errorf("a rigid body of two cubes: %q", got)
	}
	if _, err := load(t, fixtures(t), timeOf+"materials: {default: {hydroelastic_modulus: 1e6}}\nmeshes: {m: {file: crossed.obj}}\nbodies: {b: {shapes: [{mesh: {mesh: m}}]}}\n"); err == nil || !strings.Contains(err.Error(), "the surface cuts itself") {
		t.Errorf("a field of two cubes that cut each other: %v", err)
	}
}

// warned returns the warnings of a scene in which a text stands.
func warned(t *testing.T, text, of string) string {
	t.Helper()
	sc, err := load(t, fixtures(t), text)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, w := range sc.Warnings {
		if strings.Contains(w, of) {
			got += w + "\n"
		}
	}
	return got
}
