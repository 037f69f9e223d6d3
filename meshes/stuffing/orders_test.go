package stuffing

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// fittedOrder returns the slope of log y over log x by least squares.
func fittedOrder(x, y []float64) float64 {
	var mx, my, xx, xy float64
	for i := range x {
		mx += math.Log(x[i]) / float64(len(x))
		my += math.Log(y[i]) / float64(len(x))
	}
	for i := range x {
		d := math.Log(x[i]) - mx
		xx += d * d
		xy += d * (math.Log(y[i]) - my)
	}
	return xy / xx
}

// exactSolid is a surface whose volume, area and distance are known in closed form.
type exactSolid struct {
	name         string
	m            *meshes.Tri // fine enough that its own error does not matter
	volume, area float64
	off          func(r3.Vec) float64 // signed distance, or its first order, m
	radius       float64              // least radius of curvature, m
	sizes        []float64
}

// exactSolids are a ball and a torus.
func exactSolids() []exactSolid {
	const R, a = 1, 0.45
	return []exactSolid{
		{"ball", samples.SphereSurface(1, 4), 4 * math.Pi / 3, 4 * math.Pi, func(p r3.Vec) float64 { return p.Norm() - 1 }, 1, []float64{0.6, 0.43, 0.31}},
		{"torus", samples.Torus(R, a, 60, 30), 2 * math.Pi * math.Pi * R * a * a, 4 * math.Pi * math.Pi * R * a,
			func(p r3.Vec) float64 { return math.Hypot(math.Hypot(p[0], p[1])-R, p[2]) - a }, a, []float64{0.4, 0.31, 0.24}},
	}
}

// Stuffed smooth solids converge with the square of the size in distance of the boundary
// from the exact surface and have its area to a few per cent. Their volume is that of
// the surface that was filled, at any size: faces lie on both sides of it, and vertices
// are off by the mean sagitta of the faces at most, l²/8r for edges of length l on a
// radius r; the longest are a tenth longer than the size. The orders are fitted over several sizes, since the lattice
// falls differently onto the surface for each.
func TestStuffedSolidsConvergeQuadratically(t *testing.T) {
	for _, s := range exactSolids() {
		var distance []float64
		for _, h := range s.sizes {
			m, _ := mustStuff(t, s.m, Options{Size: h})
			tris, _ := m.Boundary()
			boundary := &meshes.Tri{Verts: m.Verts, Tris: tris}
			// Root mean square distance of the faces' centroids, weighted by area.
			sum, total := 0.0, 0.0
			for _, v := range tris {
				p, q, w := m.Verts[v[0]], m.Verts[v[1]], m.Verts[v[2]]
				d := s.off(p.Add(q).Add(w).Scale(1.0 / 3))
				face := q.Sub(p).Cross(w.Sub(p)).Norm() / 2
				sum += face * d * d
				total += face
				if off := math.Abs(s.off(p)); off > 1.21*h*h/(8*s.radius) {
					t.Errorf("%s, size %g: a vertex is %g m off the surface", s.name, h, off)
				}
			}
			distance = append(distance, math.Sqrt(sum/total))
			if v := samples.VolumeOf(m) / s.m.Volume(); math.Abs(v-1) > 0.003 {
				t.Errorf("%s, size %g: %g of the surface's volume", s.name, h, v)
			}
			if a := samples.SurfaceArea(boundary) / s.area; math.Abs(a-1) > 0.04 {
				t.Errorf("%s, size %g: %g of the area", s.name, h, a)
			}
		}
		if order := fittedOrder(s.sizes, distance); !(order > 1.2 && order < 2.8) {
			t.Errorf("%s: the distance %.3g has order %.2f in the size, want 2", s.name, distance, order)
		}
	}
}

// The number of tets grows with the inverse cube of the size where cells are not
// coarsened inside.
func TestUniformStuffingGrowsWithTheCube(t *testing.T) {
	s := samples.SphereSurface(1, 4)
	sizes := []float64{0.5, 0.36, 0.26}
	var counts []float64
	for _, h := range sizes {
		m, rep := mustStuff(t, s, Options{Size: h, Coarsen: -1})
		counts = append(counts, float64(len(m.Tets)))
		// The body-centred cubic lattice has 12 tets of volume h³/12 per cell.
		if perCell := float64(len(m.Tets)) * h * h * h / rep.Quality.Volume; perCell < 8 || perCell > 30 {
			t.Errorf("size %g: %.1f tets per h³, a lattice has 12", h, perCell)
		}
	}
	if order := fittedOrder(sizes, counts); order > -2.4 || order < -3.4 {
		t.Errorf("%v tets: order %.2f, want −3", counts, order)
	}
}

// Stuffing follows a motion of the part up to the lattice: volume and quality of a
// ball are those of the ball at rest within the error of its size.
func TestStuffingIsNearlyInvariant(t *testing.T) {
	r := samples.NewRand(t, 253)
	s := samples.SphereSurface(1, 4)
	const h = 0.45
	at, _ := mustStuff(t, s, Options{Size: h})
	lost := 4*math.Pi/3 - samples.VolumeOf(at)
	for range 2 {
		m, rep := mustStuff(t, samples.Moved(s, samples.RandomPose(r, 5)), Options{Size: h})
		if other := 4*math.Pi/3 - samples.VolumeOf(m); other < 0.6*lost || other > 1.6*lost {
			t.Errorf("the volume falls short by %g, at rest by %g", other, lost)
		}
		if rep.Quality.MinDihedral < 15*samples.Degree {
			t.Errorf("least dihedral angle %.1f°", rep.Quality.MinDihedral/samples.Degree)
		}
	}
	// Scaling by a power of two scales everything exactly.
	small, _ := mustStuff(t, samples.Scaled(s, r3.Vec{0.125, 0.125, 0.125}), Options{Size: h / 8})
	if len(small.Tets) != len(at.Tets) || math.Abs(samples.VolumeOf(small)*512-samples.VolumeOf(at)) > 1e-9 {
		t.Errorf("an eighth of the part has %d tets, the part %d", len(small.Tets), len(at.Tets))
	}
}
