package render

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
)

// groundScene is a plate over a tilted square of ground of 2 m, seen by a camera.
func groundScene(t *testing.T, s *stage) (*groundShader, r3.Pose) {
	t.Helper()
	X_WG := r3.Pose{R: r3.RotExp(r3.Vec{0.2, -0.1, 0.4}), P: r3.Vec{0.3, -0.2, 0.1}}
	up, lamp := r3.Vec{0, 0, 1}, r3.Vec{0.3, -0.2, 1}.Unit()
	l := new(lighting)
	l.cast(shadowOf(square(r3.Vec{-0.3, -0.3, 0.8}, r3.Vec{0.6, 0, 0}, r3.Vec{0, 0.6, 0.1})), lamp, up, r3.Vec{0, 0, 0.4}, 1, final, 512, 96)
	v := &view{eye: r3.Vec{1.5, -3, 2}, target: r3.Vec{0, 0, 0.2}, up: up}
	s.matrix = fauxgl.LookAt(vector(v.eye), vector(v.target), vector(up)).Perspective(35, float64(s.w)/float64(s.h), 0.01, 100)
	g := &groundShader{light: l, half: 1, perCell: 8, lamp: lampLight}
	g.colors = newGroundColors(func(square int, light float64) fauxgl.Color {
		x := light / brightest
		return fauxgl.Color{R: x, G: x, B: float64(square)}
	})
	g.see(s, X_WG)
	g.shade = newGroundShade(l, X_WG, 0, 0, 2, 96)
	return g, X_WG
}

// The point of the ground that is found for a place of the picture is projected to that place.
func TestGroundIsWhereRaysMeetIt(t *testing.T) {
	s := &stage{w: 320, h: 200}
	g, X_WG := groundScene(t, s)
	rng := rand.New(rand.NewPCG(1, 18))
	for range 1000 {
		x, y := 320*rng.Float64(), 60+140*rng.Float64()
		p, q := g.point(x, y)
		c := s.matrix.MulPositionW(vector(X_WG.Point(r3.Vec{p, q, 0})))
		if gx, gy := (1+c.X/c.W)*160, (1-c.Y/c.W)*100; math.Hypot(gx-x, gy-y) > 1e-9 {
			t.Fatalf("(%g, %g) is seen at (%g, %g)", x, y, gx, gy)
		}
	}
}

// A point of the ground has the light that the lamp's map and the sky's maps give at its place in the world, and
// pixels that are computed together have the colours that each has by itself, up to the bend of the sky's light between
// them.
func TestGroundHasTheLightOfItsPoints(t *testing.T) {
	s := &stage{w: 960, h: 600}
	g, X_WG := groundScene(t, s)
	normal := vector(X_WG.R.Col(2))
	lit, dark, parts, bend := 0, 0, 0, 0.0
	for y := 180.5; y < 600; y += 9 {
		for x := 0.5; x+8 < 960; x += 8 {
			var span [4 * 8]uint8
			back := fauxgl.Color{R: 0, G: 0.25, B: 0.5, A: 1}
			g.span(x, y, back, span[:])
			for k := range 8 {
				one := g.at(x+float64(k), y)
				if one.A == 0 {
					continue // not on the square
				}
				var want [4]uint8
				put(want[:], mixed(one, back, one.A))
				c := span[4*k:]
				bend = max(bend, math.Abs(float64(c[0])-float64(want[0])))
				if c[2] != want[2] || c[3] != 255 || math.Abs(float64(c[1])-float64(want[1])) > 1 {
					t.Fatalf("pixel (%g, %g): %v in a span, %v by itself", x+float64(k), y, c[:4], want)
				}
				p, q := g.point(x+float64(k), y)
				// taps are turned by the last bits of the place, so that points near an edge differ
				lamp, even := g.light.lampLight(vector(X_WG.Point(r3.Vec{p, q, 0})), normal), true
				for _, d := range [4][2]float64{{0.01, 0}, {-0.01, 0}, {0, 0.01}, {0, -0.01}} {
					even = even && lamp == g.light.lampLight(vector(X_WG.Point(r3.Vec{p + d[0], q + d[1], 0})), normal)
				}
				switch {
				case !even:
					parts++
					continue
				case lamp == 0:
					dark++
				case lamp == 1:
					lit++
				}
				if want := (lampLight*lamp + groundSky*g.shade.at(p, q)) / brightest; math.Abs(one.R-want) > 1.0/shades {
					t.Fatalf("pixel (%g, %g): light %g of the scale, want %g", x+float64(k), y, one.R, want)
				}
			}
		}
	}
	if bend != 1 {
		t.Errorf("pixels of a span are off by %g at most: 1 is what the bend of the light and rounding give", bend)
	}
	if lit < 1000 || dark < 200 || parts < 100 {
		t.Errorf("%d lit, %d dark, %d others: the test is empty", lit, dark, parts)
	}
}

// A scene of 0.1 mm has the same picture at 1 km from the origin: heights in maps of light are not those of the world.
// The scene's own numbers have a resolution of 1e-13 m there, a millionth of a pixel.
func TestPicturesDoNotDependOnTheDistanceFromTheOrigin(t *testing.T) {
	draw := func(at r3.Vec) []uint8 {
		rec := still(4e-4, body{mesh: box(r3.Vec{1e-4, 1e-4, 1e-4}), at: at.Add(r3.Vec{0, 0, 0.6e-4})},
			body{mesh: cylinder(3e-5, 5e-5, 24), at: at.Add(r3.Vec{1e-4, -8e-5, 2.5e-5})})
		rec.Static.Geoms[2].X_BG.P = at
		opt := small(t, rec)
		opt.Size = [2]int{200, 160}
		return painter(t, rec, opt).Picture(0).Pix
	}
	near, far := draw(r3.Vec{}), draw(r3.Vec{1024, -1024, 512})
	differ := 0
	for i := range near {
		if d := int(near[i]) - int(far[i]); d > 8 || d < -8 {
			differ++
		}
	}
	if differ > len(near)/1000 {
		t.Errorf("%d of %d values differ", differ, len(near))
	}
}

// Triangles that share a slot are one surface: a pixel on their edge is shaded once, and a pixel on a crease twice.
func TestSmoothEdgesAreShadedOnce(t *testing.T) {
	seen := []projected{{slots: [3]int32{1, 2, 3}}, {slots: [3]int32{3, 2, 4}}, {slots: [3]int32{5, 6, 7}}, {}, {}}
	b := &samples{n: 2, w: 2, h: 2}
	for _, c := range []struct {
		ids  []int32
		want int
	}{{[]int32{0, 0, 1, 1}, 1}, {[]int32{0, 1, 2, 2}, 2}, {[]int32{3, 3, 4, 4}, 2}, {[]int32{0, 1, -1, -1}, 2}, {[]int32{-1, -1, 1, 0}, 2}} {
		b.id, b.below = c.ids, []int32{-1, -1, -1, -1}
		got := b.groupsAt(0, 0, seen)
		count := 0
		for _, g := range got {
			count += int(g.count)
		}
		if len(got) != c.want || count != 4 {
			t.Errorf("%v: %d groups of %d samples, want %d of 4", c.ids, len(got), count, c.want)
		}
	}
}
