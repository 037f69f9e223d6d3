package render

import (
	"image/color"
	"math"
	"math/rand/v2"
	"runtime"
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

// plainColor is a shader of one colour.
type plainColor fauxgl.Color

func (c plainColor) Fragment(*fauxgl.Vertex) fauxgl.Color { return fauxgl.Color(c) }

// flatTriangle is a triangle at the depth z in clip space with corners in the picture's coordinates from −1 to 1.
func flatTriangle(z float64, a, b, c [2]float64) fauxgl.Triangle {
	at := func(p [2]float64) fauxgl.Vertex { return fauxgl.Vertex{Position: fauxgl.V(p[0], p[1], z)} }
	return fauxgl.Triangle{V1: at(a), V2: at(b), V3: at(c)}
}

// screen is a rectangle of the picture from x0 to x1 over its whole height.
func screen(z, x0, x1 float64) []fauxgl.Triangle {
	return []fauxgl.Triangle{flatTriangle(z, [2]float64{x0, -1}, [2]float64{x1, -1}, [2]float64{x1, 1}), flatTriangle(z, [2]float64{x0, -1}, [2]float64{x1, 1}, [2]float64{x0, 1})}
}

// The share of a pixel's samples that a triangle covers is found by comparing each with its edges; no sample lies in
// two triangles that share an edge, and none between them.
func TestTrianglesCoverTheSamplesBetweenTheirEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	const w, h = 23, 37 // more than two bands
	point := func() [2]float64 { return [2]float64{3 * (rng.Float64() - 0.5), 3 * (rng.Float64() - 0.5)} }
	cross := func(a, b, c [2]float64) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]) }
	for n := 1; n <= 4; n++ {
		for range 20 {
			a, b, c, d := point(), point(), point(), point()
			if cross(a, b, c) < 0 {
				b, c = c, b
			}
			if cross(b, d, c) < 0 { // the second triangle is on the other side of the edge bc
				d = [2]float64{b[0] + c[0] - a[0], b[1] + c[1] - a[1]}
			}
			red, green := []fauxgl.Triangle{flatTriangle(0, a, b, c)}, []fauxgl.Triangle{flatTriangle(0, b, d, c)}
			s := &stage{w: w, h: h, samples: n, matrix: fauxgl.Identity(), solid: []layer{
				{tris: red, shader: plainColor{R: 1, A: 1}}, {tris: green, shader: plainColor{G: 1, A: 1}},
			}}
			img := s.draw()
			inside := func(p [2]float64, u, v, q [2]float64) bool {
				return cross(u, v, p) >= 0 && cross(v, q, p) >= 0 && cross(q, u, p) >= 0
			}
			for y := range h {
				for x := range w {
					var count [2]int
					for j := range n {
						for i := range n {
							p := [2]float64{2*(float64(x)+(float64(i)+0.5)/float64(n))/w - 1, 1 - 2*(float64(y)+(float64(j)+0.5)/float64(n))/h}
							switch {
							case inside(p, a, b, c):
								count[0]++
							case inside(p, b, d, c):
								count[1]++
							}
						}
					}
					got := img.RGBAAt(x, y)
					for k, v := range [2]uint8{got.R, got.G} {
						if want := float64(count[k]) / float64(n*n) * 255; math.Abs(float64(v)-want) > 0.51 {
							t.Fatalf("%d samples, colour %d of pixel (%d, %d) is %d, want %g", n*n, k, x, y, v, want)
						}
					}
				}
			}
		}
	}
}

// Attributes are linear in space, not in the picture: with a perspective projection the position that a shader gets at
// a pixel is where the ray through it meets the plane of the triangle.
func TestShadersGetThePlaceWhereTheRayMeetsTheTriangle(t *testing.T) {
	m := fauxgl.LookAt(fauxgl.V(0, -5, 2), fauxgl.V(0, 0, 0), fauxgl.V(0, 0, 1)).Perspective(40, 1, 0.1, 100)
	at := func(x, y, z float64) fauxgl.Vertex {
		return fauxgl.Vertex{Position: fauxgl.V(x, y, z), Normal: fauxgl.V(0, 0, 1)}
	}
	// a triangle in the plane z = 0.1 x, which crosses the near plane behind the camera
	tri := fauxgl.Triangle{V1: at(-30, -20, -3), V2: at(30, -20, 3), V3: at(0, 40, 0)}
	seen := 0
	s := &stage{w: 40, h: 40, samples: 1, matrix: m, solid: []layer{{tris: []fauxgl.Triangle{tri}, shader: shaderFunc(func(v *fauxgl.Vertex) fauxgl.Color {
		seen++
		p := v.Position
		if math.Abs(p.Z-0.1*p.X) > 1e-9 {
			t.Errorf("%v is not in the plane", p)
		}
		c := m.MulPositionW(p)
		x, y := (c.X/c.W+1)*20, (1-c.Y/c.W)*20
		if math.Abs(x-math.Floor(x)-0.5) > 1e-6 || math.Abs(y-math.Floor(y)-0.5) > 1e-6 {
			t.Errorf("%v is seen at (%g, %g), not at the middle of a pixel", p, x, y)
		}
		return fauxgl.White
	})}}}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // seen is counted by one band at a time
	s.draw()
	if seen < 800 {
		t.Errorf("%d pixels of 1600 show the triangle", seen)
	}
}

type shaderFunc func(*fauxgl.Vertex) fauxgl.Color

func (f shaderFunc) Fragment(v *fauxgl.Vertex) fauxgl.Color { return f(v) }

// The nearest surface is seen, the first of two in one plane where a bias says so, and what is behind a translucent one
// shows through it.
func TestTheNearestSurfaceIsSeen(t *testing.T) {
	red, green := plainColor{R: 1, A: 1}, plainColor{G: 1, A: 1}
	at := func(layers ...layer) color.RGBA {
		s := &stage{w: 4, h: 4, samples: 2, matrix: fauxgl.Identity(), solid: layers}
		return s.draw().RGBAAt(2, 1)
	}
	near, far := screen(-0.2, -1, 1), screen(0.2, -1, 1)
	for _, c := range []struct {
		name string
		got  color.RGBA
		want [2]uint8
	}{
		{"the nearer one last", at(layer{tris: far, shader: red}, layer{tris: near, shader: green}), [2]uint8{0, 255}},
		{"the nearer one first", at(layer{tris: near, shader: red}, layer{tris: far, shader: green}), [2]uint8{255, 0}},
		{"one plane, with a bias", at(layer{tris: near, shader: red}, layer{tris: near, shader: green, bias: 1e-6}), [2]uint8{255, 0}},
		{"one plane, without", at(layer{tris: near, shader: red}, layer{tris: near, shader: green}), [2]uint8{0, 255}},
		{"a veil in front", at(layer{tris: far, shader: red}, layer{tris: near, shader: plainColor{G: 1, A: 0.2}, translucent: true}), [2]uint8{204, 51}},
	} {
		if got := [2]uint8{c.got.R, c.got.G}; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A cover in front has its full colour, one behind a body shows through it in part.
func TestCoversShowThroughBodies(t *testing.T) {
	// depths 0.5 of the body; 0.55 of the cover at the left, within the lift, and 0.7 in the middle, behind it
	over := append(screen(0.1, -1, -1./3), screen(0.4, -1./3, 1./3)...)
	s := &stage{w: 3, h: 1, samples: 2, matrix: fauxgl.Identity(), solid: []layer{{tris: screen(0, -1, 1), shader: plainColor{G: 100. / 255, B: 200. / 255, A: 1}}}}
	s.over = []cover{{layer{tris: over, shader: plainColor{R: 200. / 255, G: 100. / 255, A: 1}}, 0.25, 0.1}}
	img := s.draw()
	for i, want := range [][3]uint8{{200, 100, 0}, {50, 100, 150}, {0, 100, 200}} {
		if got := [3]uint8(img.Pix[4*i : 4*i+3]); got != want {
			t.Errorf("pixel %d is %v, want %v", i, got, want)
		}
	}
}

// The background changes evenly from top to bottom.
func TestBackdropsAreEven(t *testing.T) {
	s := &stage{top: color.NRGBA{200, 100, 0, 255}, bottom: color.NRGBA{100, 200, 0, 255}}
	for _, u := range []float64{0, 0.25, 0.5, 1} {
		c := s.backdrop(u)
		if math.Abs(255*c.R-(200-100*u)) > 1e-9 || math.Abs(255*c.G-(100+100*u)) > 1e-9 || c.A != 1 {
			t.Errorf("at %g: %v", u, c)
		}
	}
}
