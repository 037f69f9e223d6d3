package render

import (
	"image/color"
	"math"
	"testing"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
)

// lone is a shader without anything that throws shadows.
func lone(lamp, eye r3.Vec) *surfaceShader {
	var l lighting
	l.cast(shadowOf(nil), lamp, r3.Vec{0, 0, 1}, r3.Vec{}, 1, final, 64, minDomeCells)
	return &surfaceShader{eye: vector(eye), up: vector(r3.Vec{0, 0, 1}), light: &l, lamp: vector(lamp)}
}

// A matt white plane with the normal n shines with
// 0.70 (n·l)⁺ + 0.36 h + 0.20 (1−h) + 0.20 (n·e)⁺, h = (1 + n·u)/2, clipped at 1.
func TestPlanesShineByTheFormula(t *testing.T) {
	lamp, eye := r3.Vec{0.3, -0.4, 1}.Unit(), r3.Vec{1, -2, 1.5}
	s := lone(lamp, eye)
	for _, n := range []r3.Vec{{0, 0, 1}, {0, -1, 0}, {1, 0, 0}, lamp, {0.2, -0.9, -0.1}} {
		n = n.Unit()
		for _, albedo := range []float64{0.2, 0.5} {
			got := s.Fragment(&fauxgl.Vertex{Normal: vector(n), Color: fauxgl.Color{R: albedo, G: albedo, B: albedo, A: 1}, Texture: fauxgl.Vector{X: 1, Y: -1}})
			h := (1 + n[2]) / 2
			want := albedo * (0.70*math.Max(0, n.Dot(lamp)) + 0.36*h + 0.20*(1-h) + 0.20*math.Max(0, n.Dot(eye.Unit())))
			if e := srgb(want); math.Abs(got.R-e) > 2e-3 || got.R != got.G || got.A != 1 {
				t.Errorf("normal %v, albedo %g: %g, want %g", n, albedo, got.R, e)
			}
		}
	}
}

// srgb is the transfer function of IEC 61966-2-1.
func srgb(x float64) float64 {
	if x <= 0.0031308 {
		return 12.92 * x
	}
	return 1.055*math.Pow(math.Min(x, 1), 1/2.4) - 0.055
}

// A field keeps a quarter of its colour in the dark, and the highlight is at its
// brightest where the normal halves the angle between lamp and eye.
func TestFieldsGlowAndGlossShines(t *testing.T) {
	lamp, eye := r3.Vec{0, -1, 1}.Unit(), r3.Vec{0, -3, 0}
	s := lone(lamp, eye)
	dark := s.Fragment(&fauxgl.Vertex{Normal: vector(r3.Vec{0, 0.6, -0.8}), Texture: fauxgl.Vector{X: 0, Y: 1}})
	full := fieldLight[1024]
	if want := srgb(0.25 * full.G); math.Abs(dark.G-want) > 3e-3 {
		t.Errorf("in the dark: %g, want %g", dark.G, want)
	}
	half := lamp.Add(eye.Unit()).Unit()
	at := func(n r3.Vec) float64 {
		matt := s.Fragment(&fauxgl.Vertex{Normal: vector(n), Texture: fauxgl.Vector{X: 1, Y: -1}})
		gloss := s.Fragment(&fauxgl.Vertex{Normal: vector(n), Texture: fauxgl.Vector{X: 1, Y: -1, Z: 0.16}})
		return gloss.R - matt.R
	}
	if best := at(half); math.Abs(best-srgb(0.16)) > 3e-3 {
		t.Errorf("the highlight is %g, want %g", best, srgb(0.16))
	}
	if at(half.Add(r3.Vec{0.3, 0, 0}).Unit()) >= at(half) || at(r3.Vec{0, 0.6, -0.8}) != 0 {
		t.Error("the highlight is not where the normal halves the angle, or in the dark")
	}
}

// Normals that are smooth may turn away from the eye at an outline: they are bent back.
func TestNormalsThatTurnAwayAreBentBack(t *testing.T) {
	s := lone(r3.Vec{0, 0, 1}, r3.Vec{0, -3, 0})
	got := s.Fragment(&fauxgl.Vertex{Normal: vector(r3.Vec{1, 0.2, 0}.Unit()), Color: fauxgl.Color{R: 1, G: 1, B: 1, A: 1}, Texture: fauxgl.Vector{X: 1, Y: -1}})
	if got.R < srgb(0.28) || got.R > srgb(0.31) { // 0.36/2 + 0.20/2 and nearly nothing of the camera's
		t.Errorf("%g of the light", got.R)
	}
}

func TestSmoothstepRisesFromZeroToOne(t *testing.T) {
	for x, want := range map[float64]float64{-1: 0, 0: 0, 0.5: 0.5, 1: 1, 7: 1, 0.25: 0.15625} {
		if got := smoothstep(x); math.Abs(got-want) > 1e-15 {
			t.Errorf("smoothstep(%g) = %g, want %g", x, got, want)
		}
	}
}

// Ground far from bodies has the whole sky, and grids blend to it at their rim.
func TestGroundShadeIsOpenSkyOutside(t *testing.T) {
	soup := square(r3.Vec{-0.5, -0.5, 0.2}, r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0})
	up := r3.Vec{0, 0, 1}
	var l lighting
	l.cast(shadowOf(soup), up, up, r3.Vec{0, 0, 0.1}, 1, final, 64, 192)
	g := newGroundShade(&l, r3.PoseIdentity(), 0, 0, 2, 65)
	if under := g.at(0, 0); under > 0.25 {
		t.Errorf("under the plate: %g", under)
	}
	for _, p := range [][2]float64{{5, 0}, {-5, -5}, {1.999, 0}} {
		if got := g.at(p[0], p[1]); math.Abs(got-1) > 0.01 {
			t.Errorf("at %v: %g", p, got)
		}
	}
	last := g.at(0, 0)
	for x := 0.0; x < 2; x += 0.01 {
		if now := g.at(x, 0); math.Abs(now-last) > 0.06 {
			t.Errorf("a step from %g to %g at %g", last, now, x)
		} else {
			last = now
		}
	}
}

// Every sRGB value survives decoding and encoding.
func TestColoursSurviveLinearLight(t *testing.T) {
	for i := range 256 {
		c := fromLight(toLight(color.NRGBA{uint8(i), uint8(255 - i), 128, 255}))
		if math.Abs(c.R*255-float64(i)) > 0.6 || math.Abs(c.G*255-float64(255-i)) > 0.6 {
			t.Errorf("%d becomes %g", i, c.R*255)
		}
		if x := float64(i) / 255; math.Abs(srgb(decodeSRGB[i])-x) > 1e-6 {
			t.Errorf("decoding %d gives %g", i, decodeSRGB[i])
		}
	}
	if c := fromLight(fauxgl.Color{R: -1, G: 7, B: 0.5}); c.R != 0 || math.Abs(c.G-1) > 1e-12 {
		t.Errorf("light out of range becomes %v", c)
	}
}

func TestColoursAreRead(t *testing.T) {
	if c, err := parseColor("#d9822b"); err != nil || c != (color.NRGBA{217, 130, 43, 255}) {
		t.Errorf("%v, %v", c, err)
	}
	for _, s := range []string{"", "d9822b", "#d9822", "#d9822g", "#d9822b0", "red"} {
		if _, err := parseColor(s); err == nil {
			t.Errorf("%q is a colour", s)
		}
	}
	if bodyColor("", 3) != bodyColor("", 3+len(bodyColors)) || bodyColor("", 0) == bodyColor("", 1) {
		t.Error("the palette does not repeat, or has two equal colours")
	}
	if isDark("#202020") != true || isDark("#f0f0f0") != false || isDark("x") != false {
		t.Error("dark backgrounds are not distinguished from light ones")
	}
}

// Luminance rises along the colour map, so that it can be read in grey.
func TestColourMapRisesInLuminance(t *testing.T) {
	last := -1.0
	for k := range 101 {
		c := toLight(colormap(float64(k) / 100))
		if y := 0.2126*c.R + 0.7152*c.G + 0.0722*c.B; y <= last {
			t.Errorf("luminance falls to %g at %d %%", y, k)
		} else {
			last = y
		}
	}
	if colormap(-1) != colormap(0) || colormap(2) != colormap(1) || colormap(1) != (color.NRGBA{253, 231, 37, 255}) {
		t.Error("the ends of the colour map")
	}
}
