package repair

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// Triangles are cut at vertices on their open edges, on reading as in repair: the
// surface is closed then, keeps its volume, and has no triangle without an area.
func TestSeamsWithVerticesOnOneSideAreJoined(t *testing.T) {
	for _, at := range [][]float64{{0.5}, {0.2, 0.7}, {0.1, 0.4, 0.6}} {
		m := samples.WithJunctions(at...)
		if Watertight(m) == nil {
			t.Fatal("the test's surface is closed")
		}
		read, rep := OnRead(m, false)
		repaired, _ := Repair(m, DefaultOptions())
		for name, got := range map[string]*meshes.Tri{"read": read, "repaired": repaired} {
			if err := Watertight(got); err != nil {
				t.Errorf("%v, %s: %v", at, name, err)
			}
			if d := Diagnose(got); math.Abs(d.Volume-m.Bounds().Size()[0]*m.Bounds().Size()[1]*m.Bounds().Size()[2]) > 1e-12 || len(d.Degenerate) > 0 || d.Genus != 0 {
				t.Errorf("%v, %s: volume %g, %d triangles without an area, %d handles", at, name, d.Volume, len(d.Degenerate), d.Genus)
			}
		}
		if rep.Count("t-junction") != len(at) {
			t.Errorf("%v: %s", at, rep.String())
		}
	}
}

// A real hole beside a vertex on an edge stays a hole on reading.
func TestHolesAreNotJoined(t *testing.T) {
	m := samples.WithJunctions(0.5)
	m.Tris = slices.Delete(m.Tris, 3, 4)
	read, _ := OnRead(m, false)
	if Watertight(read) == nil {
		t.Error("a missing triangle was closed on reading")
	}
}

// A hole that is longer than the limit names the limit, and closes with a higher one.
func TestLongHolesNameTheLimit(t *testing.T) {
	m := surfaces.Welded(samples.GridBox(r3.Vec{1, 1, 1}, 1))
	volume, top := m.Volume(), m.Bounds().Max[2] // without its upper side
	m.Tris = slices.DeleteFunc(m.Tris, func(t [3]int32) bool {
		return m.Verts[t[0]][2] == top && m.Verts[t[1]][2] == top && m.Verts[t[2]][2] == top
	})
	if n := len(Diagnose(m).Holes); n != 1 {
		t.Fatalf("%d holes, want 1", n)
	}
	left, rep := Repair(m, DefaultOptions())
	if Watertight(left) == nil || !strings.Contains(rep.String(), "--fill-holes") || strings.Contains(rep.String(), repairAdvice) {
		t.Errorf("findings %q", rep.String())
	}
	if closed, _ := Repair(m, Options{FillHoles: 5}); Watertight(closed) != nil || math.Abs(closed.Volume()-volume) > 1e-12 {
		t.Error("the hole is not closed with a higher limit")
	}
}
