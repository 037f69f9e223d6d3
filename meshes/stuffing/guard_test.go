package stuffing

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// Thin walls and narrow windows survive sizes much larger than they are: one piece, as
// many handles, and the volume, whatever the size.
func TestThinWallsAndWindowsSurviveCoarseSizes(t *testing.T) {
	for _, c := range []struct {
		name    string
		m       *meshes.Tri
		handles int
		sizes   []float64
	}{{"fin", prisms.FinnedBlock(t), 0, []float64{0.005}}, {"window", prisms.FramedPlate(t), 1, []float64{0.0061}}} {
		for _, h := range c.sizes {
			m, rep := mustStuff(t, c.m, Options{Size: h})
			out, _ := m.Surface()
			top := repair.Topology(out)
			if off := samples.VolumeOf(m)/c.m.Volume() - 1; top.Components != 1 || top.Genus != c.handles || math.Abs(off) > 0.03 {
				t.Errorf("%s at %g m: %d pieces, %d handles, volume off by %.2g", c.name, h, top.Components, top.Genus, off)
			}
			if len(rep.LostWalls)+len(rep.BridgedGaps) > 0 || rep.Quality.MinDihedral < 8*samples.Degree {
				t.Errorf("%s at %g m: least angle %.1f°, %s", c.name, h, rep.Quality.MinDihedral/samples.Degree, rep.String())
			}
			if rep.LeastSize >= 0.001 {
				t.Errorf("%s at %g m: cells of %g m across 1 mm", c.name, h, rep.LeastSize)
			}
		}
	}
}

// A mesh that is not the part is an error that names a size which gives the part.
func TestMeshThatIsNotThePartIsRefused(t *testing.T) {
	s := prisms.FinnedBlock(t)
	_, _, err := Isosurface(s, Options{Size: 0.0051, WallCells: -1})
	var poor *unfaithful
	if !errors.As(err, &poor) || poor.better == nil || !strings.Contains(err.Error(), "would do") {
		t.Fatalf("error %v, want one with a size that would do", err)
	}
	// The size does what the error says, as it is printed.
	var size float64
	if _, err := fmt.Sscanf(err.Error()[strings.Index(err.Error(), ": size "):], ": size %g m with", &size); err != nil || size != poor.rep.Size {
		t.Errorf("%v: size %g, tried was %g", err, size, poor.rep.Size)
	}
	m, rep := mustStuff(t, s, Options{Size: size, WallCells: -1})
	if off := samples.VolumeOf(m)/s.Volume() - 1; math.Abs(off) > lossRefused {
		t.Errorf("size %g: volume off by %g", rep.Size, off)
	}
	// Who wants it nevertheless gets it, with a warning.
	_, rep = mustStuff(t, s, Options{Size: 0.005, WallCells: -1, AllowLoss: true})
	if rep.Count("volume")+rep.Count("topology") == 0 {
		t.Errorf("findings %q say nothing of the loss", rep.String())
	}
}

// Walls that need more vertices than the limit are an error that says how many, not one
// that asks for a smaller size, which would need still more.
func TestWallsBeyondTheLimitNameTheLimit(t *testing.T) {
	shell := samples.Together(prisms.BoxSurface(r3.Vec{}, r3.Vec{1, 1, 1}), samples.InsideOut(prisms.BoxSurface(r3.Vec{0.02, 0.02, 0.02}, r3.Vec{0.98, 0.98, 0.98})))
	_, _, err := Isosurface(shell, Options{Size: 0.2, MaxVertices: 3000})
	if err == nil || !strings.Contains(err.Error(), "the limit is 3000: raise the limit") {
		t.Errorf("error %v", err)
	}
}

// Small cells all over a part are predicted to have up to twice the vertices that they have: the limit applies to what
// they have. The walls of the shell would get cells twice as large otherwise.
func TestLimitAppliesToVerticesThatThereAre(t *testing.T) {
	shell := samples.Moved(samples.Together(prisms.BoxSurface(r3.Vec{}, r3.Vec{1, 1, 1}), samples.InsideOut(prisms.BoxSurface(r3.Vec{0.1, 0.1, 0.1}, r3.Vec{0.9, 0.9, 0.9}))), r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)})
	const size = 0.25
	s, err := newStuffing(shell, Options{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	free, predicted := s.grade(size, maxHalvings, true)
	m, skin := cutLattice(s.lattice(free, r3.Vec{}))
	makeManifold(m, skin, free.least())
	limit := len(m.Verts) * 21 / 20
	if predicted < 1.1*float64(limit) {
		t.Fatalf("%.0f vertices predicted, %d made: the limit %d shows nothing", predicted, len(m.Verts), limit)
	}
	for _, c := range []struct {
		limit          int
		counting, fits bool
	}{{limit, false, false}, {limit, true, true}, {len(m.Verts) - 1, true, false}} {
		s.opt.MaxVertices, s.counting = c.limit, c.counting
		held, _, err := s.fits(size)
		if err != nil || (held.halvings == free.halvings) != c.fits {
			t.Errorf("limit %d of %d vertices: cells of %g m, without limit %g m, error %v", c.limit, len(m.Verts), held.least(), free.least(), err)
		}
	}
}

// Tets without a volume, which the reader refuses, never leave the filler.
func TestFlatTetsAreAFlaw(t *testing.T) {
	s, err := newStuffing(samples.SphereSurface(1, 2), Options{AllowLoss: true})
	if err != nil {
		t.Fatal(err)
	}
	m := &meshes.Tet{Verts: []r3.Vec{{}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 0}}, Tets: [][4]int32{{0, 1, 2, 3}}}
	q := meshes.TetQuality(m)
	if s.flaw(m, &q) == "" {
		t.Error("a flat tet is no flaw")
	}
	m.Verts[3][2] = 0.5
	if q = meshes.TetQuality(m); s.flaw(m, &q) != "" {
		t.Errorf("a good tet: %s", s.flaw(m, &q))
	}
}

// sampleSurface returns samples of a surface at most spacing, m, apart, that see as far as reach, m.
func sampleSurface(d *meshes.Distance, spacing, reach float64) (out []surfaces.Sample) {
	g := surfaces.NewGauge(d, 1)
	g.Sample(spacing, reach, func(*surfaces.Sample) float64 { return math.Inf(1) }, func(s *surfaces.Sample) bool {
		out = append(out, *s)
		return true
	})
	return out
}

// Walls and gaps are measured straight across.
func TestWallsAndGapsAreMeasured(t *testing.T) {
	d := meshes.NewDistance(prisms.FinnedBlock(t))
	fin, far := 0, 0
	for _, s := range sampleSurface(d, 0.002, 0.007) {
		// The sides of the fin have 1 mm below them, all else more than 7 mm.
		if s.At[1] > 0.0081 && (math.Abs(s.At[0]-0.0153) < 1e-9 || math.Abs(s.At[0]-0.0143) < 1e-9) {
			fin++
			if math.Abs(s.Wall-0.001) > 1e-9 {
				t.Errorf("wall of %g m at %v", s.Wall, s.At)
			}
		} else if far++; !math.IsInf(s.Wall, 1) || !math.IsInf(s.Gap, 1) {
			t.Errorf("wall %g m, gap %g m at %v", s.Wall, s.Gap, s.At)
		}
	}
	if fin < 100 || far < 100 {
		t.Errorf("%d samples on the fin, %d elsewhere", fin, far)
	}
	// The window of the plate is a gap of 1 mm.
	least := math.Inf(1)
	for _, s := range sampleSurface(meshes.NewDistance(prisms.FramedPlate(t)), 0.002, 0.01) {
		least = min(least, s.Gap)
	}
	if math.Abs(least-0.001) > 1e-6 {
		t.Errorf("gap of %g m, want 1 mm", least)
	}
}
