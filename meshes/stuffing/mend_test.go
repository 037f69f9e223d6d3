package stuffing

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// drilledPlate is a plate of 30 × 20 mm with a hole whose wall to the edge is wall m thick,
// tilted: cells of four sizes meet around the hole.
func drilledPlate(t *testing.T, wall, radius, thickness, roll, pitch, yaw float64) *meshes.Tri {
	t.Helper()
	p := profiles.Profile{
		Outer: [][2]float64{{0, 0}, {0.03, 0}, {0.03, 0.02}, {0, 0.02}},
		Holes: [][][2]float64{samples.Circle(wall+radius, 0.005+radius, radius, 24)},
	}
	s, err := p.Extrude(thickness)
	if err != nil {
		t.Fatal(err)
	}
	return surfaces.Welded(samples.AsSTL(s, r3.Pose{R: r3.RotRPY(roll, pitch, yaw)}))
}

// Tets that the cut leaves inside out where cells of two sizes meet are repaired before
// anything moves to sharp edges, without another lattice: without that step one stays inside
// out, beside which moves are allowed to leave tets of half a degree.
func TestPoorTetsAreRepairedBeforeSharpEdgesAreSought(t *testing.T) {
	s := drilledPlate(t, 0.00143636, 0.0034418, 0.0144612, 2.559472, 4.828422, 2.847182)
	_, rep := mustStuff(t, s, Options{Size: 0.0053952})
	if rep.Count("retried") > 0 || rep.Quality.MinDihedral < 12*samples.Degree {
		t.Errorf("least dihedral angle %.1f°, %s", rep.Quality.MinDihedral/samples.Degree, rep.String())
	}
}

// A mesh whose least angle is smaller than wanted is replaced by the best of those of
// lattices beside, and the report says so.
func TestBestOfLatticesBesideIsTaken(t *testing.T) {
	const size = 0.0085
	part := samples.Moved(prisms.BoxSurface(r3.Vec{}, r3.Vec{0.05, 0.03, 0.02}), r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)})
	s, err := newStuffing(part, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var angles []float64
	for _, n := range nearby[:3] {
		_, rep, err := s.fill(n.factor*size, n.shift)
		if err != nil {
			t.Fatal(err)
		}
		angles = append(angles, rep.Quality.MinDihedral)
	}
	best := slices.Max(angles)
	if best == angles[0] {
		t.Fatalf("angles %v: the first lattice is the best", angles)
	}
	s.angle = 90 * samples.Degree // more than any
	if _, rep, err := s.fillNear(size); err != nil || rep.Quality.MinDihedral != best || rep.Count("retried") != 1 {
		t.Errorf("angle %g, want %g: %v, %s", rep.Quality.MinDihedral, best, err, rep.String())
	}
	s.angle = angles[0] // no more than the first has
	if _, rep, err := s.fillNear(size); err != nil || rep.Quality.MinDihedral != angles[0] || rep.Count("retried") > 0 {
		t.Errorf("angle %g, want %g: %v, %s", rep.Quality.MinDihedral, angles[0], err, rep.String())
	}
}

// Parts that are as sharp as poor tets ask for no other lattice.
func TestKnifeEdgesAreSeen(t *testing.T) {
	for _, c := range []struct {
		height float64
		want   bool
	}{{0.01, true}, {0.02, true}, {0.0225, false}, {0.1, false}} {
		// A triangle with a corner of atan(height / 0.12).
		p := profiles.Profile{Outer: [][2]float64{{0, 0}, {0.12, 0}, {0.12, c.height}}}
		s, err := p.Extrude(0.05)
		if err != nil {
			t.Fatal(err)
		}
		if got := hasKnifeEdge(s); got != c.want {
			t.Errorf("corner of %.1f°: knife edge %v", math.Atan(c.height/0.12)/samples.Degree, got)
		}
	}
}

// Dividing the edges that cut a ridge off leaves no more poor tets than there were: what
// neighbours give way is not left flat, which no later move repairs.
func TestDivisionsLeaveNoPoorTets(t *testing.T) {
	divided := 0
	bracket := prisms.BracketProfile()
	part, err := bracket.Extrude(0.02)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		m     *meshes.Tri
		parts float64 // of the diagonal
	}{{toothedLever(t), 8}, {toothedLever(t), 11}, {samples.Moved(part, r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)}), 11}} {
		// as in fill and sharpen, up to the first divisions
		r := toRidges(t, c.m, c.m.Bounds().Size().Norm()/c.parts)
		tets := r.m
		poor := func() (n int) {
			for k := range tets.Tets {
				if r.quality(int32(k)) < snapFloor {
					n++
				}
			}
			return n
		}
		before, verts := poor(), len(tets.Verts)
		r.splitAcrossRidges()
		if after := poor(); after > before {
			t.Errorf("shape %d: %d tets below 12° after %d divisions, %d before", i, after, len(tets.Verts)-verts, before)
		}
		divided += len(tets.Verts) - verts
	}
	if divided < 20 {
		t.Errorf("%d divisions: the shapes ask for too few", divided)
	}
}
