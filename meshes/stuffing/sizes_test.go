package stuffing

import (
	"cmp"
	"errors"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// coil is a helical spring of round wire, of radius wire, m, with a coil radius of 1: turns
// turns, which lie pitch m apart, of n sections with 8 corners each, and flat ends.
func coil(wire, pitch, turns float64, n int) *meshes.Tri {
	const k = 8
	m := &meshes.Tri{}
	for i := range n + 1 {
		a := 2 * math.Pi * turns * float64(i) / float64(n)
		s, c := math.Sincos(a)
		for j := range k {
			v, u := math.Sincos(2 * math.Pi * float64(j) / k)
			m.Verts = append(m.Verts, r3.Vec{(1 + wire*u) * c, (1 + wire*u) * s, wire*v + pitch*a/(2*math.Pi)})
		}
	}
	at := func(i, j int) int32 { return int32(i*k + j%k) }
	for i := range n {
		for j := range k {
			m.Tris = append(m.Tris, [3]int32{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	for j := 2; j < k; j++ {
		m.Tris = append(m.Tris, [3]int32{at(0, 0), at(0, j-1), at(0, j)}, [3]int32{at(n, 0), at(n, j), at(n, j-1)})
	}
	if m.Volume() < 0 {
		m = samples.FlippedTri(m)
	}
	return m
}

// toothedLever is a wheel of 9 teeth and a bar that ends inside it, whose surfaces cut each
// other, tilted.
func toothedLever(t *testing.T) *meshes.Tri {
	t.Helper()
	var rim [][2]float64
	for i := range 36 {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 36)
		r := [4]float64{1, 1, 0.78, 0.78}[i%4]
		rim = append(rim, [2]float64{r * c, r * s})
	}
	p := profiles.Profile{Outer: rim}
	wheel, err := p.Extrude(0.4)
	if err != nil {
		t.Fatal(err)
	}
	return samples.Moved(samples.Together(wheel, prisms.BoxSurface(r3.Vec{0.3, -0.17, -0.13}, r3.Vec{2.5, 0.16, 0.11})), r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)})
}

// Whatever the size, a part is filled with a mesh that is the part and has no sharp tets, or
// refused with a size that does. CURLFREE_SIZES sets the number of sizes tried.
func TestNoSizeFailsByAccident(t *testing.T) {
	count := 2
	if n, err := strconv.Atoi(os.Getenv("CURLFREE_SIZES")); err == nil {
		count = n
	}
	// Guldin: the section of the wire, an octagon, times the way of its middle, in chords.
	const wire, turns, n = 0.12, 1.6, 60
	wound := 2 * math.Sqrt2 * wire * wire * n * math.Sin(2*math.Pi*turns/n)
	for _, c := range []struct {
		name     string
		m        *meshes.Tri
		volume   float64 // 0: that of the union
		from, to float64
	}{
		{"coil", coil(wire, 0.5, turns, n), wound, 0.16, 0.6},
		{"lever", toothedLever(t), 0, 0.2, 0.7},
	} {
		refused := 0
		for i := range count {
			h := c.from * math.Pow(c.to/c.from, (float64(i)+0.37)/float64(count))
			m, rep, err := Isosurface(c.m, Options{Size: h, MaxVertices: 20_000})
			var poor *unfaithful
			if errors.As(err, &poor) && poor.better != nil {
				refused++
				continue
			}
			if err != nil {
				t.Errorf("%s at %g: %v", c.name, h, err)
				continue
			}
			samples.CheckTets(t, m)
			off := rep.Quality.Volume/cmp.Or(c.volume, rep.SurfaceVolume) - 1
			if rep.Quality.MinDihedral < 8*samples.Degree || math.Abs(off) > lossRefused {
				t.Errorf("%s at %g: least angle %.1f°, volume off by %.2f %%", c.name, h, rep.Quality.MinDihedral/samples.Degree, 100*off)
			}
		}
		t.Logf("%s: %d of %d sizes refused", c.name, refused, count)
	}
}
