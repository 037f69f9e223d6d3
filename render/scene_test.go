package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// body is a shape at a place, for made-up recordings.
type body struct {
	mesh  *meshes.Tri
	at    r3.Vec
	color string
}

// still is a recording of one instant in which each body stands where it is. ground is
// the edge of a square of ground at z = 0; 0: none.
func still(ground float64, bodies ...body) *record.Recording {
	rec := &record.Recording{}
	st := &rec.Static
	st.Gravity = r3.Vec{0, 0, -9.81}
	f := record.Frame{}
	for i, b := range bodies {
		st.Bodies = append(st.Bodies, string(rune('a'+i)))
		st.Geoms = append(st.Geoms, record.Geom{Name: st.Bodies[i], Body: i, X_BG: r3.PoseIdentity(), Mesh: b.mesh, Color: b.color})
		f.Poses = append(f.Poses, r3.Pose{R: r3.Identity(), P: b.at})
	}
	if ground > 0 {
		st.Geoms = append(st.Geoms, record.Geom{Name: "ground", Body: -1, X_BG: r3.PoseIdentity(), Ground: ground, Color: "#d6d4ce"})
	}
	rec.Frames = []record.Frame{f}
	return rec
}

// seenFrom are options for a picture without legend from a point to another.
func seenFrom(t *testing.T, rec *record.Recording, eye, target r3.Vec, pixels int) Options {
	t.Helper()
	opt := small(t, rec)
	opt.Size, opt.Camera, opt.Target, opt.Background = [2]int{pixels, pixels}, &eye, &target, "#ffffff"
	return opt
}

// isRed and isBlue distinguish bodies of these colours from each other and from white.
func isRed(c color.RGBA) bool  { return int(c.R) > int(c.B)+40 }
func isBlue(c color.RGBA) bool { return int(c.B) > int(c.R)+40 }

// count counts the pixels of an image for which a condition is true.
func count(img *image.RGBA, is func(color.RGBA) bool) int {
	n := 0
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if is(img.RGBAAt(x, y)) {
				n++
			}
		}
	}
	return n
}

// shot draws a recording of one instant without its legend.
func shot(t *testing.T, rec *record.Recording, opt Options) *image.RGBA {
	t.Helper()
	p := painter(t, rec, opt)
	f := rec.At(0)
	white := color.NRGBA{255, 255, 255, 255}
	s := &stage{w: opt.Size[0], h: opt.Size[1], samples: opt.Samples, matrix: p.view.matrix, top: white, bottom: white}
	p.build(s, new(board), f, p.values(f))
	return s.draw()
}

// A point at (x, y, z) in the camera's axes is seen at f·x/z and f·y/z of half of the
// picture, f = 1/tan(fov/2).
func TestPointsAreProjectedByThePinholeFormula(t *testing.T) {
	rec := still(0, body{mesh: box(r3.Vec{1, 1, 1})})
	for _, fov := range []float64{10, 30, 90} {
		opt := seenFrom(t, rec, r3.Vec{0, -5, 0}, r3.Vec{0, 0, 0}, 200)
		opt.Size, opt.FOV = [2]int{300, 200}, fov
		v := painter(t, rec, opt).view
		for _, p := range []r3.Vec{{0, 0, 0}, {0.3, 0, 0.2}, {-0.4, 1.5, 0.1}, {0.2, -2, -0.3}} {
			c := v.matrix.MulPositionW(vector(p))
			f, z := 1/math.Tan(fov*math.Pi/360), p[1]+5
			if x, y := f*p[0]/z/1.5, f*p[2]/z; math.Abs(c.X/c.W-x) > 1e-9 || math.Abs(c.Y/c.W-y) > 1e-9 {
				t.Errorf("fov %g: %v is seen at (%g, %g), want (%g, %g)", fov, p, c.X/c.W, c.Y/c.W, x, y)
			}
		}
	}
}

// Depth differences near the target are those that depth returns.
func TestDepthOfADistanceIsThatOfPixels(t *testing.T) {
	rec := still(0, body{mesh: box(r3.Vec{1, 1, 1})})
	v := painter(t, rec, seenFrom(t, rec, r3.Vec{0, -5, 0}, r3.Vec{0, 0, 0}, 100)).view
	z := func(y float64) float64 {
		c := v.matrix.MulPositionW(vector(r3.Vec{0, y, 0}))
		return 0.5 * c.Z / c.W
	}
	const d = 1e-3
	if got, want := v.depth(2*d), z(d)-z(-d); math.Abs(got/want-1) > 2e-3 {
		t.Errorf("depth of %g m is %g, pixels differ by %g", 2*d, got, want)
	}
}

// A sphere of radius R at the distance d has a round outline of the half angle
// asin(R/d), so of the area π (tan(asin(R/d))/tan(fov/2))² of the picture's quarter.
func TestSpheresHaveTheAreaOfTheirOutline(t *testing.T) {
	for _, level := range []int{1, 2, 3} { // 80, 320 and 1280 triangles
		rec := still(0, body{mesh: icosphere(level), color: "#c02020"})
		opt := seenFrom(t, rec, r3.Vec{0, -6, 0}, r3.Vec{}, 400)
		opt.Samples = 2
		got := float64(count(shot(t, rec, opt), isRed))
		r := 200 * math.Tan(math.Asin(1./6)) / math.Tan(15*math.Pi/180)
		want := math.Pi * r * r
		if tol := []float64{0, 0.03, 6e-3, 4e-3}[level]; math.Abs(got/want-1) > tol {
			t.Errorf("%d triangles: %g pixels, want %.0f", 20*int(math.Pow(4, float64(level))), got, want)
		}
	}
}

// The outline of a coarse sphere is round: the distance of its pixels from the middle
// varies by less than a pixel and a half.
func TestOutlinesOfSpheresHaveNoCorners(t *testing.T) {
	rec := still(0, body{mesh: icosphere(2), color: "#c02020"})
	img := shot(t, rec, seenFrom(t, rec, r3.Vec{0, -6, 0}, r3.Vec{}, 400))
	least, most := math.Inf(1), 0.0
	for k := range 360 {
		s, c := math.Sincos(float64(k) * math.Pi / 180)
		r := 0.0
		for ; isRed(img.RGBAAt(200+int(math.Floor(r*c)), 200+int(math.Floor(r*s)))); r += 0.25 {
		}
		least, most = math.Min(least, r), math.Max(most, r)
	}
	if most-least > 1.5 {
		t.Errorf("the outline is between %g and %g pixels from the middle", least, most)
	}
}

// What is nearer hides what is farther, in whichever order bodies come.
func TestNearBodiesHideFarOnes(t *testing.T) {
	near := body{box(r3.Vec{1, 0.1, 1}), r3.Vec{0, -1, 0}, "#c02020"}
	far := body{box(r3.Vec{1, 0.1, 1}), r3.Vec{0, 1, 0}, "#2020c0"}
	for i, order := range [][]body{{near, far}, {far, near}} {
		rec := still(0, order...)
		img := shot(t, rec, seenFrom(t, rec, r3.Vec{0, -8, 0}, r3.Vec{}, 100))
		if n := count(img, isBlue); n > 0 || count(img, isRed) == 0 {
			t.Errorf("order %d: %d pixels of the hidden body", i, n)
		}
	}
	// half of the far one beside the near one
	near.at[0] = 0.5
	rec := still(0, near, far)
	opt := seenFrom(t, rec, r3.Vec{0, -100, 0}, r3.Vec{}, 100)
	opt.FOV = 1.5
	img := shot(t, rec, opt)
	if red, blue := count(img, isRed), count(img, isBlue); math.Abs(float64(red)/float64(blue)-2) > 0.1 {
		t.Errorf("%d pixels of the near body, %d of the far one: want twice as many", red, blue)
	}
}

// Of coplanar faces that of the first body is seen everywhere, whatever round-off says.
func TestCoplanarFacesDoNotFight(t *testing.T) {
	for _, angle := range []float64{0, 0.3, 1.1} {
		R := r3.RotExp(r3.Vec{0.2, angle, 0.1})
		turned := func(m *meshes.Tri) *meshes.Tri {
			out := &meshes.Tri{Tris: m.Tris}
			for _, p := range m.Verts {
				out.Verts = append(out.Verts, R.MulVec(p))
			}
			return out
		}
		first := turned(box(r3.Vec{1, 1, 1}))
		second := turned(box(r3.Vec{1, 1, 1}))
		for i, p := range second.Verts { // the same cube with other vertices, by round-off
			second.Verts[i] = p.Scale(1 + 1e-15*float64(i))
		}
		rec := still(0, body{first, r3.Vec{}, "#c02020"}, body{second, r3.Vec{}, "#2020c0"})
		if n := count(shot(t, rec, seenFrom(t, rec, r3.Vec{2, -4, 2}, r3.Vec{}, 200)), isBlue); n > 0 {
			t.Errorf("%d pixels of the second body", n)
		}
	}
}

// A body that lies in the ground's plane is seen, not the ground.
func TestGroundDoesNotFightWithBodies(t *testing.T) {
	sheet := &meshes.Tri{Verts: []r3.Vec{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, Tris: [][3]int32{{0, 1, 2}, {0, 2, 3}}}
	rec := still(6, body{sheet, r3.Vec{}, "#c02020"})
	opt := seenFrom(t, rec, r3.Vec{0, -0.01, 8}, r3.Vec{}, 200)
	got := float64(count(shot(t, rec, opt), isRed))
	side := 200 / (8 * math.Tan(15*math.Pi/180)) // pixels: 2 m at 8 m
	if want := side * side; math.Abs(got/want-1) > 0.03 {
		t.Errorf("%g pixels of the sheet, want %.0f", got, want)
	}
}

// The shadow of a plate lies where rays from the lamp through the plate meet the ground.
func TestPicturesShowShadowsInTheirPlace(t *testing.T) {
	rec := still(20, body{box(r3.Vec{1, 1, 0.01}), r3.Vec{0, 0, 2}, "#c02020"})
	opt := seenFrom(t, rec, r3.Vec{0, -6, 9}, r3.Vec{0, 0, 0}, 300)
	p := painter(t, rec, opt)
	img := shot(t, rec, opt)
	light := func(at r3.Vec) float64 {
		c := p.view.matrix.MulPositionW(vector(at))
		x, y := 150*(1+c.X/c.W), 150*(1-c.Y/c.W)
		q := img.RGBAAt(int(x), int(y))
		return float64(q.R) + float64(q.G) + float64(q.B)
	}
	d := p.view.lampDirection()
	under := r3.Vec{-2 * d[0] / d[2], -2 * d[1] / d[2], 0}
	in, out := light(under), 0.0
	for _, off := range []r3.Vec{{0.8, 0, 0}, {-0.8, 0, 0}, {0, 0.8, 0}, {0, -0.8, 0}} {
		out = light(under.Add(off))
		if out < 1.25*in {
			t.Errorf("%v from the shadow's middle the ground is as dark: %g, in the shadow %g", off, out, in)
		}
	}
	for _, off := range []r3.Vec{{0.4, 0, 0}, {-0.4, 0, 0}, {0, 0.4, 0}, {0, -0.4, 0}} {
		if l := light(under.Add(off)); math.Abs(l-in) > 0.12*in {
			t.Errorf("%v from the shadow's middle: %g, there %g", off, l, in)
		}
	}
}

// A contact surface in the plane of a face is seen in its full colour.
func TestContactSurfacesShowOnFaces(t *testing.T) {
	rec := still(0, body{box(r3.Vec{1, 1, 1}), r3.Vec{}, "#808080"}, body{box(r3.Vec{0.1, 0.1, 0.1}), r3.Vec{5, 5, 5}, "#808080"})
	rec.Frames[0].ContactSurfaces = []record.ContactSurface{{
		A: 0, B: 1, Geoms: [2]int32{0, 1}, Verts_W: []r3.Vec{{-0.3, -0.5, -0.3}, {0.3, -0.5, -0.3}, {0.3, -0.5, 0.3}, {-0.3, -0.5, 0.3}},
		Faces: []record.Face{{Hi: 4, Area: 0.36, Pressure: 1, Normal_W: r3.Vec{0, -1, 0}}},
	}}
	opt := seenFrom(t, rec, r3.Vec{0, -4, 0}, r3.Vec{}, 200)
	show, no := true, false
	opt.ContactSurfaces, opt.Forces = &show, &no
	want, _ := parseColor(arrowColor)
	exact := func(c color.RGBA) bool {
		return math.Abs(float64(c.R)-float64(want.R))+math.Abs(float64(c.G)-float64(want.G))+math.Abs(float64(c.B)-float64(want.B)) < 8
	}
	side := 0.6*100/(3.5*math.Tan(15*math.Pi/180)) + 2*innerBorder*200 // with its border
	if n := float64(count(shot(t, rec, opt), exact)); math.Abs(n/(side*side)-1) > 0.05 {
		t.Errorf("%g pixels in the surface's colour, want %.0f", n, side*side)
	}
}
