package render

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// square returns the two triangles of a parallelogram, as a soup.
func square(o, x, y r3.Vec) []r3.Vec {
	return []r3.Vec{o, o.Add(x), o.Add(x).Add(y), o, o.Add(x).Add(y), o.Add(y)}
}

// shadowOf is a soup of triangles, three points each, as a caster.
func shadowOf(soup []r3.Vec) []caster {
	c := caster{verts: soup}
	for i := 0; i+2 < len(soup); i += 3 {
		c.tris = append(c.tris, [3]int32{int32(i), int32(i + 1), int32(i + 2)})
	}
	return []caster{c}
}

// The ambient light over open ground is 1; it halves at the foot of a high wall.
func TestAmbientLightHalvesAtAWall(t *testing.T) {
	soup := square(r3.Vec{0, -50, 0}, r3.Vec{0, 100, 0}, r3.Vec{0, 0, 50})
	var l lighting
	up := r3.Vec{0, 0, 1}
	l.cast(shadowOf(soup), up, up, r3.Vec{0, 0, 25}, 75, final, 256, 192)
	if s := l.ambient(r3.Vec{-40, 0, 0}, up); s < 0.75 {
		t.Errorf("far from the wall: %g", s)
	}
	if s := l.ambient(r3.Vec{-1.5, 0, 0}, up); math.Abs(s-0.5) > 0.1 {
		t.Errorf("at the wall: %g, want about ½", s)
	}
	l.cast(shadowOf(nil), up, up, r3.Vec{}, 1, final, 256, 192)
	if s := l.ambient(r3.Vec{}, up); math.Abs(s-1) > 1e-9 {
		t.Errorf("alone: %g, want 1", s)
	}
}

// At the middle of the floor of a box with walls of height h at the distance a on
// all sides, the part of the cosine-weighted sky that is seen is the form factor of
// the opening, F = 4/π · q · atan q with q = A/√(1 + A²), A = a/h.
func TestAmbientLightInABoxIsTheFormFactorOfItsOpening(t *testing.T) {
	up := r3.Vec{0, 0, 1}
	for _, h := range []float64{0.5, 1, 2} {
		var soup []r3.Vec
		for k := range 4 {
			s, c := math.Sincos(float64(k) * math.Pi / 2)
			x, y := r3.Vec{c, s, 0}, r3.Vec{-s, c, 0}
			soup = append(soup, square(x.Sub(y), y.Scale(2), up.Scale(h))...)
		}
		var l lighting
		l.cast(shadowOf(soup), up, up, r3.Vec{0, 0, h / 2}, math.Hypot(math.Sqrt2, h/2), final, 256, 192)
		A := 1 / h
		q := A / math.Sqrt(1+A*A)
		want := 4 / math.Pi * q * math.Atan(q)
		if got := l.ambient(r3.Vec{}, up); math.Abs(got-want) > 0.05 {
			t.Errorf("walls of %g: %.3f, want %.3f", h, got, want)
		}
	}
}

// The ambient light on the wall of a bin changes evenly: neighbours, 2 % of the
// wall's width apart, differ by little more than the trend.
func TestAmbientLightOfAWallIsEven(t *testing.T) {
	up := r3.Vec{0, 0, 1}
	soup := square(r3.Vec{}, r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0})
	for k := range 4 {
		s, c := math.Sincos(float64(k) * math.Pi / 2)
		x, y := r3.Vec{c / 2, s / 2, 0}, r3.Vec{-s / 2, c / 2, 0}
		soup = append(soup, square(x.Sub(y).Add(r3.Vec{0.5, 0.5, 0}), y.Scale(2), up)...)
	}
	var l lighting
	l.cast(shadowOf(soup), up, up, r3.Vec{0.5, 0.5, 0.5}, 0.9, final, 256, 192)
	last := math.NaN()
	for k := 10; k <= 90; k++ {
		z := float64(k) / 100
		s := l.ambient(r3.Vec{0, 0.5, z}, r3.Vec{1, 0, 0})
		if math.Abs(s-last) > 0.05 {
			t.Errorf("light jumps from %.3f to %.3f at the height %.2f", last, s, z)
		}
		last = s
	}
}

// The shadow of a plate at the height h under a lamp in the direction d lies at its
// place less h d/d_z.
func TestLampsShadowIsWhereRaysMeetTheGround(t *testing.T) {
	d := r3.Vec{0.3, -0.2, 1}.Unit()
	soup := square(r3.Vec{-0.5, -0.5, 1}, r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0})
	var l lighting
	l.cast(shadowOf(soup), d, r3.Vec{0, 0, 1}, r3.Vec{0, 0, 0.5}, 1.5, final, 1024, 192)
	n := r3.Vec{0, 0, 1}
	at := r3.Vec{-d[0] / d[2], -d[1] / d[2], 0} // under the plate's middle
	for _, c := range []struct {
		x, y float64
		want float64
	}{{0, 0, 0}, {0.45, 0.45, 0}, {-0.45, 0.45, 0}, {0.55, 0, 1}, {0, -0.55, 1}, {-0.55, -0.55, 1}} {
		if got := l.lampLight(vector(at.Add(r3.Vec{c.x, c.y, 0})), vector(n)); got != c.want {
			t.Errorf("(%g, %g) from the shadow's middle: %g of the light, want %g", c.x, c.y, got, c.want)
		}
	}
	// half of it on the edge, on average over the lamp's size
	sum, count := 0.0, 0
	for y := -0.3; y < 0.3; y += 0.003 {
		sum += l.lampLight(vector(at.Add(r3.Vec{0.5, y, 0})), vector(n))
		count++
	}
	if mean := sum / float64(count); math.Abs(mean-0.5) > 0.08 {
		t.Errorf("%.3f of the light on the edge, want ½", mean)
	}
}

// A surface throws no shadow on itself, however it is turned to the lamp.
func TestSurfacesDoNotShadeThemselves(t *testing.T) {
	lamp := r3.Vec{0, 0, 1}
	for _, deg := range []float64{0, 20, 40, 60, 75} {
		s, c := math.Sincos(deg * math.Pi / 180)
		x, y, n := r3.Vec{c, 0, s}, r3.Vec{0, 1, 0}, r3.Vec{-s, 0, c}
		var l lighting
		l.cast(shadowOf(square(x.Scale(-1).Sub(y), x.Scale(2), y.Scale(2))), lamp, lamp, r3.Vec{}, 1.5, final, 1024, 192)
		for k := range 100 {
			p := x.Scale(-0.8+0.016*float64(k)).AddScaled(0.007*float64(k)-0.35, y)
			if got := l.lampLight(vector(p), vector(n)); got != 1 {
				t.Errorf("turned by %g°: %g of the light at %v", deg, got, p)
				break
			}
		}
	}
}

// What is known of the light on a whole triangle is true at each of its points, and what the tiles of the map say is
// what all taps say one by one.
func TestLightOnTrianglesIsThatAtTheirPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	up, lamp := r3.Vec{0, 0, 1}, r3.Vec{0.4, -0.3, 1}.Unit()
	vec := func(scale float64) r3.Vec {
		return r3.Vec{scale * rng.NormFloat64(), scale * rng.NormFloat64(), scale * rng.NormFloat64()}
	}
	var soup []r3.Vec
	for range 60 {
		soup = append(soup, square(vec(0.3), vec(0.2), vec(0.2))...)
	}
	var l lighting
	l.cast(shadowOf(soup), lamp, up, r3.Vec{}, 1.5, final, 512, minDomeCells)
	known := map[float64]int{}
	for range 3000 {
		a := vec(0.4)
		b, c := a.Add(vec(0.02)), a.Add(vec(0.02))
		on := l.onTriangle(vector(a), vector(b), vector(c))
		known[on]++
		for range 5 {
			p, n := a.Lerp(b, rng.Float64()), vec(1).Unit()
			p = p.Lerp(c, rng.Float64())
			got := l.lampLight(vector(p), vector(n))
			if on == allLit && got != 1 || on == allDark && got != 0 {
				t.Fatalf("%v of a triangle with light %g sees %g of the lamp", p, on, got)
			}
			if want := tapsOf(&l, p, n); math.Abs(got-want) > 1e-12 {
				t.Fatalf("%v with normal %v sees %g of the lamp, by all taps %g", p, n, got, want)
			}
		}
	}
	if known[allLit] < 300 || known[allDark] < 30 || known[partsLit] < 300 {
		t.Errorf("triangles by their light: %v", known)
	}
}

// On a smooth surface away from others, tiles show that its side towards the lamp is lit, also where it slopes; what
// they show is what all taps say.
func TestTilesShowThatSlopesAreLit(t *testing.T) {
	const around, along = 96, 40
	var soup []r3.Vec
	point := func(i, j int) r3.Vec {
		s, c := math.Sincos(2 * math.Pi * float64(i) / around)
		return r3.Vec{c, 4*float64(j)/along - 2, s}
	}
	for i := range around {
		for j := range along {
			soup = append(soup, square(point(i, j), point(i, j+1).Sub(point(i, j)), point(i+1, j).Sub(point(i, j)))...)
		}
	}
	var l lighting
	l.cast(shadowOf(soup), r3.Vec{0, 0, 1}, r3.Vec{0, 0, 1}, r3.Vec{}, 2.4, &qualities[1], 960, minDomeCells)
	rng := rand.New(rand.NewPCG(1, 7))
	known, all := 0, 0
	for range 4000 {
		s, c := math.Sincos(math.Pi * (0.15 + 0.7*rng.Float64()))
		n := r3.Vec{c, 0, s}
		p := n.Add(r3.Vec{0, 3*rng.Float64() - 1.5, 0})
		u, v, h := l.lamp.project(vector(p.AddScaled(1.5/l.lamp.scale, n)))
		h += 1 / l.lamp.scale
		tile := l.tileAt(u, v)
		slope := l.taps(vector(n))
		all++
		if l.open(tile, h) || l.above(tile, u, v, h, &slope) {
			known++
			if got := tapsOf(&l, p, n); got != 1 {
				t.Fatalf("%v sees %g of the lamp, by its tile all", p, got)
			}
		}
	}
	if known < all*9/10 {
		t.Errorf("tiles decide %d in %d points", known, all)
	}
}

// lit reports whether no surface is between the light and the cell at (u, v) at the
// height h. Outside the map everything is lit.
func (d *depthMap) lit(u, v, h float64) bool {
	// Floor, since places left of the map would be truncated into it
	x, y := int(math.Floor(u)), int(math.Floor(v))
	if x < 0 || y < 0 || x >= d.n || y >= d.n {
		return true
	}
	return d.height[y*d.n+x] <= heightBits(h)
}

// tapsOf is the share of all taps that are lit, without the tiles. A tap means the cell that is a whole number of cells
// from that of the place, and the plane is that through the place, where it rises.
func tapsOf(l *lighting, p, n r3.Vec) float64 {
	d := &l.lamp
	u, v, h := d.project(vector(p.AddScaled(1.5/d.scale, n)))
	h += 1 / d.scale
	slope := -1 / (max(grazingLight, n.Dot(d.dir)) * d.scale)
	hu, hv := slope*n.Dot(d.e1), slope*n.Dot(d.e2)
	hash := math.Float64bits(u*12.9898+v*78.233) * 0x9e3779b97f4a7c15
	sum, taps := 0.0, l.quality.disc[hash>>40%turns]
	for _, tap := range taps {
		x := math.Floor(u) + 0.5 + math.Round(penumbra*float64(d.n)*tap[0])
		y := math.Floor(v) + 0.5 + math.Round(penumbra*float64(d.n)*tap[1])
		if d.lit(x, y, h+max(0, hu*(x-u)+hv*(y-v))) {
			sum++
		}
	}
	return sum / float64(len(taps))
}
