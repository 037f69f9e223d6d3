package stuffing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// comb is a plate with slots of random widths, from a quarter of the cells on, turned at random.
func comb(t *testing.T, rng *rand.Rand, size float64) *meshes.Tri {
	t.Helper()
	p := profiles.Profile{Outer: [][2]float64{{0, 0}}}
	x := 0.0
	for range 3 {
		tooth, slot := size*(0.6+2*rng.Float64()), size*(0.25+rng.Float64())
		foot := size * (1 + rng.Float64())
		p.Outer = append(p.Outer, [2]float64{x + tooth, 0}, [2]float64{x + tooth + slot/4, 5*size - foot}, [2]float64{x + tooth + slot, 5*size - foot}, [2]float64{x + tooth + slot, 0})
		x += tooth + slot
	}
	p.Outer = append(p.Outer, [2]float64{x + size, 0}, [2]float64{x + size, 5 * size}, [2]float64{0, 5 * size})
	s, err := p.Extrude(1.5 * size)
	if err != nil {
		t.Fatal(err)
	}
	return samples.Moved(s, r3.Pose{R: r3.RotRPY(rng.Float64(), rng.Float64(), rng.Float64())})
}

// Where gaps are narrower than cells, with sharp edges on both sides, the boundary does not cut itself.
func TestTheBoundaryDoesNotCutItself(t *testing.T) {
	const size = 0.003
	rng := samples.NewRand(t, 61)
	refused, shapes := 0, 6
	for range shapes {
		m := comb(t, rng, size)
		if cuts, _ := surfaces.Crossings(m, 1); len(cuts) > 0 {
			t.Fatal("the surface cuts itself")
		}
		done, _, err := Isosurface(m, Options{Size: size, AllowLoss: true})
		if err != nil {
			t.Log(err)
			refused++
			continue
		}
		out, _ := done.Surface()
		if cuts, _ := surfaces.Crossings(out, 1000); len(cuts) > 0 {
			t.Errorf("%d pairs of triangles cut each other", len(cuts))
		}
	}
	if refused > shapes/2 {
		t.Errorf("%d of %d shapes were refused", refused, shapes)
	}
	for range 2 {
		m := studdedPlate(t, rng)
		done, _ := mustStuff(t, m, Options{Size: 0.0025})
		out, _ := done.Surface()
		if cuts, _ := surfaces.Crossings(out, 1000); len(cuts) > 0 {
			t.Errorf("plate: %d pairs of triangles cut each other", len(cuts))
		}
	}
}

// The crossings of a vertex that was moved at random, into the part or out of it, are those that a
// search among all boundary triangles finds; moves that make some are undone.
func TestCrossingsAreThoseOfAFullSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	r := toRidges(t, studdedPlate(t, rng), 0.0025)
	r.indexSkin()
	crossed, found := 0, 0
	for range 120 {
		v := int32(rng.IntN(len(r.m.Verts)))
		if r.hold[v] == free {
			continue
		}
		old := r.m.Verts[v]
		r.move(v, old.Add(r3.Vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Scale(1.5*r.size[v])))
		out, from := r.m.Surface()
		own := int32(slices.Index(from, v))
		all, _ := surfaces.Crossings(out, math.MaxInt)
		want := 0
		for _, c := range all {
			if slices.Contains(out.Tris[c[0]][:], own) || slices.Contains(out.Tris[c[1]][:], own) {
				want++
			}
		}
		if got := r.crossings(v, math.MaxInt); got != want {
			t.Errorf("vertex %d: %d crossings, a full search finds %d", v, got, want)
		}
		if got := r.crossings(v, 0); got > 0 != (want > 0) {
			t.Errorf("vertex %d: crossings are found: %t, want %t", v, got > 0, want > 0)
		}
		found += want
		if at := r.m.Verts[v]; r.uncrossed(v, old) != (want == 0) || want > 0 && r.m.Verts[v] != old || want == 0 && r.m.Verts[v] != at {
			t.Errorf("vertex %d of %d crossings is at %v, came from %v", v, want, r.m.Verts[v], old)
		}
		if want > 0 {
			crossed++
		}
		r.move(v, old)
	}
	if crossed < 15 || crossed > 110 {
		t.Errorf("%d vertices crossed others", crossed)
	}
	t.Logf("%d vertices, %d crossings", crossed, found)
}

// The boundary triangles at each vertex stay those of the mesh through all steps of a stuffing.
func TestFacesAtVerticesAreThoseOfTheBoundary(t *testing.T) {
	r := toRidges(t, studdedPlate(t, rand.New(rand.NewPCG(8, 8))), 0.0025)
	for i, step := range []func(){func() {}, func() { r.flipAcrossRidges() }, func() { r.splitAcrossRidges() }, func() { r.relax(relaxGoal) }, r.peel, r.balance} {
		step()
		want := make([]int, len(r.m.Verts))
		tris, _ := r.m.Boundary()
		for _, f := range tris {
			for _, v := range f {
				want[v]++
			}
		}
		// those that the step has listed, and all
		for range 2 {
			for v, n := range want {
				if f := r.skin.faces[v]; f != nil && len(f) != n {
					t.Fatalf("step %d: vertex %d has %d boundary triangles, want %d", i, v, len(f), n)
				}
				if got := r.facesAt(int32(v)); len(got) != n {
					t.Fatalf("step %d: vertex %d has %d boundary triangles, want %d", i, v, len(got), n)
				}
			}
		}
	}
}
