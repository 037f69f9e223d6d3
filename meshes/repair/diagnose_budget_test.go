package repair

import (
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// A search that ends early says so in words.
func TestTheEndOfTheSearchForCutsIsSaid(t *testing.T) {
	m := samples.Fan(600)
	d := Diagnose(m)
	if f := d.Findings(m); !d.SelfIntersectionsChecked || f.Count("self-intersection-search") != 0 {
		t.Errorf("searched: %v, findings %v", d.SelfIntersectionsChecked, f)
	}
	d.SelfIntersectionsChecked = false
	if f := d.Findings(m); f.Count("self-intersection-search") != 1 {
		t.Errorf("the end of the search goes unsaid: %v", f)
	}
	// so it is before tetrahedra are made, where no cut was met so far
	if w := d.CutWarning(); w != UncheckedCuts {
		t.Errorf("warned of %q", w)
	}
	if d.SelfIntersections = [][2]int32{{0, 1}}; !strings.Contains(d.CutWarning(), "cuts itself (1 pair of triangles") {
		t.Errorf("warned of %q", d.CutWarning())
	}
	if d = Diagnose(m); d.CutWarning() != "" {
		t.Errorf("warned of %q, though no triangles cut each other", d.CutWarning())
	}
}

// Open pieces enclose nothing: a soup of triangles around a box takes no time that grows with their square.
func TestASoupIsNestedInLittleTime(t *testing.T) {
	m := &meshes.Tri{}
	for i := range 150_000 {
		n := int32(len(m.Verts))
		x := r3.Vec{float64(i % 50), float64(i / 50 % 50), float64(i / 2500)}
		m.Verts = append(m.Verts, x, x.Add(r3.Vec{0.5, 0, 0}), x.Add(r3.Vec{0, 0.5, 0}))
		m.Tris = append(m.Tris, [3]int32{n, n + 1, n + 2})
	}
	start := time.Now()
	if d := Topology(m); d.Components != 150_000 || d.InsideOut != 0 {
		t.Errorf("%d pieces, %d inside out", d.Components, d.InsideOut)
	}
	if took := time.Since(start); took > 8*time.Second {
		t.Errorf("%v", took)
	}
}
