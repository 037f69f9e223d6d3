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
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// studdedPlate is a plate of 40 × 25 mm with square holes that lie askew and a toothed side, tilted: hollow and convex
// corners that no plane of a lattice follows.
func studdedPlate(t *testing.T, rng *rand.Rand) *meshes.Tri {
	t.Helper()
	p := profiles.Profile{Outer: [][2]float64{{0, 0}, {0.04, 0}, {0.04, 0.02}}}
	for k := range 6 {
		x := 0.04 - 0.04/6*float64(k)
		p.Outer = append(p.Outer, [2]float64{x - 0.001, 0.02}, [2]float64{x - 0.0018, 0.025}, [2]float64{x - 0.0045, 0.025}, [2]float64{x - 0.0053, 0.02})
	}
	p.Outer = append(p.Outer, [2]float64{0, 0.02})
	for k := range 6 {
		turn, r := math.Pi/2*rng.Float64(), 0.0014+0.0008*rng.Float64()
		var hole [][2]float64
		for i := range 4 {
			s, c := math.Sincos(turn + math.Pi/2*float64(i))
			hole = append(hole, [2]float64{0.006 + 0.0145*float64(k%3) + r*c, 0.0055 + 0.009*float64(k/3) + r*s})
		}
		p.Holes = append(p.Holes, hole)
	}
	s, err := p.Extrude(0.005)
	if err != nil {
		t.Fatal(err)
	}
	return samples.Moved(s, r3.Pose{R: r3.RotRPY(0.4*rng.Float64(), 0.4*rng.Float64(), rng.Float64())})
}

// toRidges returns a stuffing of cells of the given size, m, whose vertices were moved to corners and ridges, as
// sharpen does.
func toRidges(t *testing.T, m *meshes.Tri, size float64) *relaxer {
	t.Helper()
	s, err := newStuffing(m, Options{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := s.fits(size)
	if err != nil {
		t.Fatal(err)
	}
	l := s.lattice(g, r3.Vec{})
	tets, skin := cutLattice(l)
	skin, _ = makeManifold(tets, skin, l.h)
	r := newRelaxer(tets, skin, l.cellEdge, s.dist, s.ridges)
	r.relax(snapFloor)
	r.snapCorners()
	r.snapRidges()
	r.relax(relaxSoon)
	return r
}

// Flips leave a closed manifold of the same pieces and handles that cuts itself no more than before, no tet that is
// inside out and no more poor ones than before, and bring the boundary to sharp edges at corners that lattices fill or
// cut off.
func TestFlipsBringTheBoundaryToSharpEdges(t *testing.T) {
	const size = 0.0025
	rng := rand.New(rand.NewPCG(9, 4))
	flips, gained, all := 0, 0.0, 0.0
	const shapes = 6
	for range shapes {
		m := studdedPlate(t, rng)
		r := toRidges(t, m, size)
		poor := func() (n int) {
			for i := range r.m.Tets {
				if r.quality(int32(i)) < snapFloor {
					n++
				}
			}
			return n
		}
		out, _ := r.m.Surface()
		before, poorBefore, had := repair.Topology(out), poor(), sharpKept(m, r.m, edgeTolerance*size)
		cuts, _ := surfaces.Crossings(out, 1000)
		flips += len(r.flips())
		r.flipAcrossRidges()
		out, _ = r.m.Surface()
		if err := repair.Watertight(out); err != nil {
			t.Error(err)
		}
		if after := repair.Topology(out); after.Components != before.Components || after.Genus != before.Genus {
			t.Errorf("%d pieces and %d handles became %d and %d", before.Components, before.Genus, after.Components, after.Genus)
		}
		if now, _ := surfaces.Crossings(out, 1000); len(now) > len(cuts) {
			t.Errorf("the boundary cuts itself: %v", now)
		}
		if n := poor(); n > poorBefore {
			t.Errorf("%d poor tets, %d before", n, poorBefore)
		}
		gained += sharpKept(m, r.m, edgeTolerance*size) - had
		// the whole way
		done, rep := mustStuff(t, m, Options{Size: size})
		kept := sharpKept(m, done, edgeTolerance*size)
		all += kept
		t.Logf("%.1f %% kept, least angle %.1f°", 100*kept, rep.Quality.MinDihedral/samples.Degree)
		if rep.Quality.MinDihedral < 8*samples.Degree {
			t.Errorf("least angle %.1f°", rep.Quality.MinDihedral/samples.Degree)
		}
	}
	t.Logf("%d edges to flip, which gain %.1f %%; %.1f %% kept in the end", flips, 100*gained/shapes, 100*all/shapes)
	if flips < 100 || gained < 0.04*shapes || all < 0.965*shapes {
		t.Error("too few sharp edges kept")
	}
}

// A flip that is undone leaves mesh and stars as they were.
func TestUndoneFlipsLeaveNoTrace(t *testing.T) {
	r := toRidges(t, studdedPlate(t, rand.New(rand.NewPCG(3, 8))), 0.0025)
	tets, verts := slices.Clone(r.m.Tets), slices.Clone(r.m.Verts)
	list := r.flips()
	counts := map[int]int{}
	for i := range list {
		f := &list[i]
		ring, old := r.around(f.edge, f.at.apex[0], f.at.owner)
		if len(old) > flipTets || ring[len(ring)-1] != f.at.apex[1] {
			continue
		}
		counts[len(old)]++
		volume := func(add [][4]int32) (v float64) {
			for _, t := range add {
				a := r.m.Verts[t[0]]
				v += r.m.Verts[t[1]].Sub(a).Cross(r.m.Verts[t[2]].Sub(a)).Dot(r.m.Verts[t[3]].Sub(a))
			}
			return v
		}
		// The tets that come fill what the old ones did, but for that between both pairs of triangles.
		drop, add := r.bestDivision(f, ring, old)
		var gone [][4]int32
		for _, t := range drop {
			gone = append(gone, r.m.Tets[t])
		}
		k := slices.Index(f.at.tri[:], ring[0])
		between := volume([][4]int32{{ring[0], f.at.tri[(k+1)%3], f.at.tri[(k+2)%3], f.at.apex[1]}})
		if got := volume(add) - volume(gone); math.Abs(got-between) > 1e-12*math.Pow(0.0025, 3) {
			t.Errorf("%d tets: volume changes by %g, between the triangles is %g", len(old), got, between)
		}
		_, was, count := r.exchange(drop, add)
		r.withdraw(drop, add, was, count)
	}
	if !slices.Equal(tets, r.m.Tets) || !slices.Equal(verts, r.m.Verts) {
		t.Error("the mesh is another")
	}
	first, stars := tetStars(r.m)
	for v := range r.m.Verts {
		got := slices.Sorted(slices.Values(r.stars[v]))
		if !slices.Equal(got, stars[first[v]:first[v+1]]) {
			t.Fatalf("vertex %d has the tets %v, want %v", v, got, stars[first[v]:first[v+1]])
		}
	}
	if counts[2] == 0 || counts[3] == 0 {
		t.Errorf("edges with 1, 2, … tets: %v", counts)
	}
	t.Log(counts)
}
