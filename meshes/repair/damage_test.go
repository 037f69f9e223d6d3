package repair

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/r3"
)

// damage is one way in which files of surfaces are broken: it changes m and returns
// the kind of finding that reports it and the number of items.
type damage func(m *meshes.Tri, r *rand.Rand) (kind string, n int)

// damages can be combined in any order: none hides another.
var damages = map[string]damage{
	// Triangles that use a vertex twice.
	"degenerate triangles": func(m *meshes.Tri, r *rand.Rand) (string, int) {
		n := 1 + r.IntN(4)
		for range n {
			a, b := m.Tris[r.IntN(len(m.Tris))][0], m.Tris[r.IntN(len(m.Tris))][1]
			m.Tris = append(m.Tris, [3]int32{a, a, b})
		}
		return "degenerate", n
	},
	// Triangles that are there twice, the copy from another corner.
	"duplicate triangles": func(m *meshes.Tri, r *rand.Rand) (string, int) {
		n := 1 + r.IntN(3)
		for _, i := range r.Perm(len(m.Tris))[:n] {
			t := m.Tris[i]
			m.Tris = append(m.Tris, [3]int32{t[1], t[2], t[0]})
		}
		return "duplicate", n
	},
	// Vertices that no triangle uses.
	"unused vertices": func(m *meshes.Tri, r *rand.Rand) (string, int) {
		n := 1 + r.IntN(5)
		for range n {
			m.Verts = append(m.Verts, samples.RandomVec(r))
		}
		return "", n
	},
	// Vertices that are there twice: a corner of some triangles goes to a copy.
	"double vertices": func(m *meshes.Tri, r *rand.Rand) (string, int) {
		v := m.Tris[r.IntN(len(m.Tris))][0]
		m.Verts = append(m.Verts, m.Verts[v])
		for i := range m.Tris {
			for k := range 3 {
				if m.Tris[i][k] == v && r.IntN(2) == 0 {
					m.Tris[i][k] = int32(len(m.Verts) - 1)
				}
			}
		}
		return "", 1
	},
	// Triangles that run the other way.
	"reversed triangles": func(m *meshes.Tri, r *rand.Rand) (string, int) {
		n := 0
		for i := range m.Tris {
			if r.IntN(5) == 0 {
				m.Tris[i][0], m.Tris[i][1] = m.Tris[i][1], m.Tris[i][0]
				n++
			}
		}
		return "", n
	},
}

// Any combination of damage, in any order, leaves the solid: same topology, volume
// and area, and the findings count what was done.
func TestRandomDamageIsRepaired(t *testing.T) {
	r := samples.NewRand(t, 261)
	var names []string
	for name := range damages {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, s := range prisms.RandomSolids(t, r) {
		volume, area := s.M.Volume(), samples.SurfaceArea(s.M)
		for range 3 {
			m := &meshes.Tri{Verts: slices.Clone(s.M.Verts), Tris: slices.Clone(s.M.Tris)}
			want := map[string]int{}
			var done []string
			for _, i := range r.Perm(len(names))[:1+r.IntN(len(names))] {
				kind, n := damages[names[i]](m, r)
				want[kind] += n
				done = append(done, names[i])
			}
			got, rep := Repair(m, DefaultOptions())
			if err := Watertight(got); err != nil {
				t.Errorf("%s with %v: %v\n%s", s.Name, done, err, rep.String())
				continue
			}
			d := Diagnose(got)
			if d.Genus != s.Genus || d.Components != s.Components || d.Unused != 0 {
				t.Errorf("%s with %v: genus %d, %d components, %d unused vertices", s.Name, done, d.Genus, d.Components, d.Unused)
			}
			if math.Abs(got.Volume()-volume) > 1e-9*volume || math.Abs(samples.SurfaceArea(got)-area) > 1e-9*area {
				t.Errorf("%s with %v: volume %g of %g, area %g of %g", s.Name, done, got.Volume(), volume, samples.SurfaceArea(got), area)
			}
			// A duplicate of a degenerate triangle may count as either.
			if n := rep.Count("degenerate") + rep.Count("duplicate"); n != want["degenerate"]+want["duplicate"] {
				t.Errorf("%s with %v: %d triangles dropped, want %d and %d", s.Name, done, n, want["degenerate"], want["duplicate"])
			}
		}
	}
}

// Diagnosis does not change with the numbering and the first corners of triangles,
// and distinguishes each damage.
func TestDamageIsDiagnosed(t *testing.T) {
	r := samples.NewRand(t, 262)
	for _, s := range prisms.RandomSolids(t, r) {
		m := &meshes.Tri{Verts: slices.Clone(s.M.Verts), Tris: slices.Clone(s.M.Tris)}
		// Duplicates first: the copy of a degenerate triangle would count as such.
		_, twice := damages["duplicate triangles"](m, r)
		_, degenerate := damages["degenerate triangles"](m, r)
		_, unused := damages["unused vertices"](m, r)
		for _, x := range []*meshes.Tri{m, samples.Shuffled(m, r)} {
			d := Diagnose(x)
			if len(d.Degenerate) != degenerate || d.Unused != unused || len(d.Duplicate) != twice {
				t.Errorf("%s: %d degenerate of %d, %d unused of %d, %d duplicate of %d", s.Name, len(d.Degenerate), degenerate, d.Unused, unused, len(d.Duplicate), twice)
			}
			if d.Triangles != len(m.Tris) || d.Vertices != len(m.Verts) {
				t.Errorf("%s: %d triangles, %d vertices", s.Name, d.Triangles, d.Vertices)
			}
		}
	}
}

// A box without one of its sides is closed by a flat side again, however the side was
// divided: volume and area are those of the box.
func TestMissingSidesOfBoxesAreFilledFlat(t *testing.T) {
	r := samples.NewRand(t, 263)
	for range 12 {
		size := r3.Vec{0.5 + r.Float64(), 0.5 + r.Float64(), 0.5 + r.Float64()}
		box := prisms.GridBoxClosed(size, 1+r.IntN(4))
		b := box.Bounds()
		volume, area := box.Volume(), samples.SurfaceArea(box)
		axis := r.IntN(3)
		open := &meshes.Tri{Verts: box.Verts}
		for _, v := range box.Tris {
			flat := true
			for _, k := range v {
				flat = flat && math.Abs(box.Verts[k][axis]-b.Max[axis]) < 1e-12
			}
			if !flat {
				open.Tris = append(open.Tris, v)
			}
		}
		if Watertight(open) == nil {
			t.Fatal("the open box counts as closed")
		}
		x := samples.RandomPose(r, 3)
		got, rep := Repair(samples.Moved(open, x), Options{FillHoles: 10})
		if err := Watertight(got); err != nil {
			t.Errorf("%v\n%s", err, rep.String())
			continue
		}
		if math.Abs(got.Volume()-volume) > 1e-9*volume || math.Abs(samples.SurfaceArea(got)-area) > 1e-9*area {
			t.Errorf("volume %g of %g, area %g of %g", got.Volume(), volume, samples.SurfaceArea(got), area)
		}
		// A hole longer than allowed stays.
		left, _ := Repair(samples.Moved(open, x), Options{FillHoles: 0.1})
		if Watertight(left) == nil {
			t.Error("a hole longer than allowed is filled")
		}
	}
}
