package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// flux is the sum of the area vectors of triangles, which is zero for a closed surface,
// and a third of the flux of x, its volume.
func flux(tris []fauxgl.Triangle) (area r3.Vec, volume float64) {
	for i := range tris {
		a, b, c := vec(tris[i].V1.Position), vec(tris[i].V2.Position), vec(tris[i].V3.Position)
		n := r3.TriangleNormal(a, b, c).Scale(0.5)
		area = area.Add(n)
		volume += n.Dot(a.Add(b).Add(c)) / 9
	}
	return area, volume
}

// trianglesOf are those of a mesh.
func trianglesOf(verts []r3.Vec, tris [][3]int32) (out []fauxgl.Triangle) {
	at := func(k int32) fauxgl.Vertex { return fauxgl.Vertex{Position: vector(verts[k])} }
	for _, t := range tris {
		out = append(out, fauxgl.Triangle{V1: at(t[0]), V2: at(t[1]), V3: at(t[2])})
	}
	return out
}

// Half of a body and its section form a closed surface: their areas balance, whatever the
// plane, and both halves have the volume of the whole.
func TestSectionsCloseWhatIsCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	m := icosphere(2)
	for range 20 {
		n := r3.Vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Unit()
		point := n.Scale(1.2*rng.Float64() - 0.6)
		sum := 0.0
		for _, side := range []float64{1, -1} {
			c := newCutter(&Cut{Point: point, Normal: n.Scale(side)}, 1e-9)
			left, leftVolume := flux(c.triangles(trianglesOf(m.Verts, m.Tris)))
			section := c.section(m.Verts, m.Tris, fauxgl.Color{})
			area := areaOf(section)
			if gap := left.AddScaled(area, n.Scale(side)); gap.Norm() > 1e-9 {
				t.Errorf("plane %v at %v: the areas leave %v", n, point, gap)
			}
			sum += leftVolume + area*side*n.Dot(point)/3
		}
		if math.Abs(sum-m.Volume()) > 1e-9 {
			t.Errorf("plane %v at %v: the halves have the volume %g, the whole %g", n, point, sum, m.Volume())
		}
	}
}

// A section of a fine sphere at the height h has the area π (1 − h²).
func TestSectionsOfSpheresAreDiscs(t *testing.T) {
	m := icosphere(4)
	for _, h := range []float64{-0.9, -0.3, 0, 0.5, 0.8} {
		c := newCutter(&Cut{Point: r3.Vec{0, 0, h}, Normal: r3.Vec{0, 0, 2}}, 1)
		if got, want := areaOf(c.section(m.Verts, m.Tris, fauxgl.Color{})), math.Pi*(1-h*h); math.Abs(got/want-1) > 0.02 {
			t.Errorf("at %g the section has the area %g, want %g", h, got, want)
		}
	}
	c := newCutter(&Cut{Point: r3.Vec{0, 0, 2}, Normal: r3.Vec{0, 0, 1}}, 1)
	if n := len(c.section(m.Verts, m.Tris, fauxgl.Color{})); n != 0 {
		t.Errorf("a plane beside the sphere makes %d triangles", n)
	}
}

// A deformable's section by tetrahedra has the area of the section of its boundary.
func TestSectionsOfTetrahedraAreThoseOfTheirBoundary(t *testing.T) {
	m := bar(r3.Vec{1, 0.5, 2}, [3]int{3, 2, 5})
	tris, _ := m.Boundary()
	rng := rand.New(rand.NewPCG(6, 6))
	for range 20 {
		n := r3.Vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		c := newCutter(&Cut{Point: r3.Vec{0.1, 0.05, 0.3}, Normal: n}, 1)
		inside, outline := areaOf(c.tetSection(m.Verts, m.Tets, nil, fauxgl.Color{})), areaOf(c.section(m.Verts, tris, fauxgl.Color{}))
		if math.Abs(inside-outline) > 1e-9 {
			t.Errorf("plane %v: %g by tetrahedra, %g by the boundary", n, inside, outline)
		}
	}
}

// New corners of cut triangles have light and field in proportion; a cut of other bodies
// changes nothing.
func TestCutTrianglesInterpolateTheirCorners(t *testing.T) {
	at := func(x, light, scalar float64) fauxgl.Vertex {
		return fauxgl.Vertex{Position: fauxgl.V(x, 0, 0), Normal: fauxgl.V(0, 0, 1), Texture: fauxgl.V(light, scalar, 0.5)}
	}
	a, b := at(0, 0.2, 0), at(4, 1, 0.8)
	for _, u := range []float64{0, 0.25, 1} {
		m := between(&a, &b, u)
		if math.Abs(m.Position.X-4*u) > 1e-12 || math.Abs(m.Texture.X-(0.2+0.8*u)) > 1e-12 || math.Abs(m.Texture.Y-0.8*u) > 1e-12 || m.Texture.Z != 0.5 {
			t.Errorf("at %g: %+v", u, m)
		}
	}
	c := newCutter(&Cut{Normal: r3.Vec{1, 0, 0}, Bodies: []string{"cup"}}, 1)
	if c.of("cup") != c || c.of("lid") != nil || newCutter(nil, 1) != nil || newCutter(nil, 1).of("cup") != nil {
		t.Error("a cut of one body is one of others")
	}
	if got := c.height(r3.Vec{-2, 5, 5}); got != -2 {
		t.Errorf("a point behind the plane has the height %g", got)
	}
}

// An arrow is a closed surface: a cylinder and a cone over a polygon of 20 sides.
func TestArrowsAreCylindersWithConesOnThem(t *testing.T) {
	const length, radius, sides = 1.0, 0.03, 20.0
	for _, dir := range []r3.Vec{{0, 0, 1}, {1, 0, 0}, r3.Vec{1, -2, 3}.Unit()} {
		tris := appendArrow(nil, r3.Vec{4, 5, 6}, dir, length, radius, fauxgl.Color{})
		area, volume := flux(tris)
		if area.Norm() > 1e-12 {
			t.Errorf("towards %v: the surface is open by %v", dir, area)
		}
		base := sides / 2 * math.Sin(2*math.Pi/sides) // of a polygon in the unit circle
		head := 5.5 * radius
		want := base*radius*radius*(length-head) + base*2.3*2.3*radius*radius*head/3
		if math.Abs(math.Abs(volume)/want-1) > 1e-9 {
			t.Errorf("towards %v: the volume is %g, want %g", dir, volume, want)
		}
		least, most := math.Inf(1), math.Inf(-1)
		for i := range tris {
			h := vec(tris[i].V2.Position).Sub(r3.Vec{4, 5, 6}).Dot(dir)
			least, most = min(least, h), max(most, h)
		}
		if math.Abs(least) > 1e-12 || math.Abs(most-length) > 1e-12 {
			t.Errorf("towards %v: it reaches from %g to %g", dir, least, most)
		}
	}
}

// Lengths of arrows are proportional to forces, up to a limit; small ones are left out.
func TestLengthsOfArrowsAreProportional(t *testing.T) {
	for force, want := range map[float64]float64{10: 0.5, 5: 0.25, 1: 0.05, 0.19: 0, 25: 1.25, 1000: 1.25} {
		tris := drawArrows(nil, []arrow{{force: r3.Vec{0, force, 0}}}, 10, 0.5)
		reach := 0.0
		for i := range tris {
			reach = max(reach, tris[i].V1.Position.Y, tris[i].V2.Position.Y, tris[i].V3.Position.Y)
		}
		if math.Abs(reach-want) > 1e-12 {
			t.Errorf("a force of %g N has an arrow of %g m, want %g", force, reach, want)
		}
	}
}

// The force that an arrow stands for is the 80th percentile of the largest of each frame,
// rounded up: one impact does not shrink all other arrows.
func TestScaleOfArrowsIgnoresImpacts(t *testing.T) {
	rec := still(0, body{mesh: box(r3.Vec{1, 1, 1})})
	rec.Frames = nil
	for k := range 10 {
		force := 7.0
		if k == 4 {
			force = 1e4
		}
		rec.Frames = append(rec.Frames, record.Frame{Time: float64(k), Poses: []r3.Pose{r3.PoseIdentity()}, Contacts: []record.Contact{{A: -1, B: 0, Force_W: r3.Vec{0, 0, force}}}})
	}
	if got := forceScale(rec); got != roundUp(7) {
		t.Errorf("arrows stand for %g N, want %g", got, roundUp(7))
	}
	for k := range rec.Frames {
		rec.Frames[k].Contacts = nil
	}
	if got := forceScale(rec); got != 0 {
		t.Errorf("without contacts they stand for %g N", got)
	}
}

// Means over samples are those of arithmetic, rounded to the nearest.
func TestSamplesAreAveraged(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for n := 1; n <= 4; n++ {
		src := image.NewNRGBA(image.Rect(0, 0, 5*n, 3*n))
		for i := range src.Pix {
			src.Pix[i] = uint8(rng.IntN(256))
		}
		out := image.NewRGBA(image.Rect(0, 0, 5, 4))
		average(out, src, 1, n)
		for y := range 3 {
			for x := range 5 {
				sum := 0.0
				for j := range n {
					for i := range n {
						sum += float64(src.NRGBAAt(x*n+i, y*n+j).G)
					}
				}
				if got, want := out.RGBAAt(x, y+1), sum/float64(n*n); math.Abs(float64(got.G)-want) > 0.5 || got.A != 255 {
					t.Errorf("%d samples: pixel (%d, %d) is %v, want %g", n*n, x, y, got, want)
				}
			}
		}
	}
}

// A cover in front has its full colour, one behind a body shows through it in part.
func TestCoversShowThroughBodies(t *testing.T) {
	dst, over := fauxgl.NewContext(3, 1), fauxgl.NewContext(3, 1)
	for i := range 3 {
		dst.DepthBuffer[i] = 0.5
		copy(dst.ColorBuffer.Pix[4*i:], []uint8{0, 100, 200, 255})
		copy(over.ColorBuffer.Pix[4*i:], []uint8{200, 100, 0, 255})
	}
	over.DepthBuffer[0], over.DepthBuffer[1] = 0.55, 0.7 // within the lift, behind it, and nothing
	overlay(dst, over, &cover{hidden: 0.25, lift: 0.1})
	for i, want := range [][3]uint8{{200, 100, 0}, {50, 100, 150}, {0, 100, 200}} {
		if got := [3]uint8(dst.ColorBuffer.Pix[4*i : 4*i+3]); got != want {
			t.Errorf("pixel %d is %v, want %v", i, got, want)
		}
	}
}

// The background changes evenly from top to bottom.
func TestBackdropsAreEven(t *testing.T) {
	s := &stage{top: color.NRGBA{200, 100, 0, 255}, bottom: color.NRGBA{100, 200, 0, 255}}
	row := make([]uint8, 8)
	for _, u := range []float64{0, 0.25, 0.5, 1} {
		s.backdrop(row, u)
		for i := 0; i < 8; i += 4 {
			if math.Abs(float64(row[i])-(200-100*u)) > 0.5 || math.Abs(float64(row[i+1])-(100+100*u)) > 0.5 || row[i+3] != 255 {
				t.Errorf("at %g: %v", u, row[i:i+4])
			}
		}
	}
}

// Every item of a parallel loop is done once.
func TestParallelDoesEachItemOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		done := make([]atomic.Int32, n)
		parallel(n, func(i int) { done[i].Add(1) })
		for i := range done {
			if k := done[i].Load(); k != 1 {
				t.Errorf("item %d of %d is done %d times", i, n, k)
			}
		}
	}
}
