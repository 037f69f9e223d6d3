package render

import (
	"math"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/workers"
)

// The ground is a square of a plane: a faint checker, shadows, and an edge that fades into the background. It fills
// half of most pictures, so its pixels are computed apart from those of bodies. With the albedo c, the normal n, the
// directions l to the lamp and u up, the part s of the lamp and the part a of the sky that a point sees, it shines with
//
//	t c (0.70 s (n·l)⁺/(u·l) + 0.42 a),  t = 1 or 0.93 in turn,
//
// and its opacity falls from 1 to 0 over the outer quarter of the square.
//
// A plane and its picture are related by a projective map: with the coordinates p and q of a point of the ground and
// its place x and y in the picture, pixels,
//
//	w (x, y, 1) = H (p, q, 1),  (p, q, 1)/w = H⁻¹ (x, y, 1),             (1)
//
// and all that light is looked up with (the place in the lamp's map, the height, the place in the grid of the sky's
// light) is affine in p and q. A pixel needs no triangle, no normal and no place in the world.

// groundShader computes colours of one square of ground.
type groundShader struct {
	light *lighting
	// fromPicture is H⁻¹ of (1).
	fromPicture r3.Mat
	// u, v and h give the place in the lamp's map, cells, and the height there, m, of (p, q, 1).
	u, v, h r3.Vec
	// taps are those of the plane.
	taps taps
	// lamp is the light of the lamp where all of it is seen.
	lamp float64
	// colors are those of its squares.
	colors *groundColors
	// half is half of the square's edge, m; perCell the number of squares of the checker for 1 m.
	half, perCell float64
	// shade is the part of the sky that points of the ground see.
	shade *groundShade
}

// groundColors are the colours of the two kinds of squares in light from 0 to brightest, in even steps.
type groundColors struct {
	// exact are those that pixels at edges mix, rounded those of pixels that see ground alone, 8 bits a channel.
	exact   [2][shades]fauxgl.Color
	rounded [2][shades][4]uint8
}

// newGroundColors finds them from the colour of each kind of square in a light.
func newGroundColors(color func(square int, light float64) fauxgl.Color) *groundColors {
	g := new(groundColors)
	for square := range g.exact {
		for k := range shades {
			c := color(square, (float64(k)+0.5)*brightest/shades)
			c.A = 1
			g.exact[square][k] = c
			put(g.rounded[square][k][:], c)
		}
	}
	return g
}

// shadeOf returns the step of a light.
func shadeOf(light float64) int { return max(0, min(shades-1, int(light*(shades/brightest)))) }

// Colours of the ground are found once a film for so many steps of light, a quarter of a step of the 8-bit result at
// most for usual albedos; level ground gets lampLight + groundSky at most.
const (
	shades    = 4096
	brightest = 1.28
)

// darkSquare is t of the darker squares of the checker.
const darkSquare = 0.93

// see finds where points of the ground, whose frame is X_WG, are in the picture of a stage and in the lamp's map.
func (s *groundShader) see(st *stage, X_WG r3.Pose) {
	m := &st.matrix
	x, y, n := X_WG.R.Col(0), X_WG.R.Col(1), X_WG.R.Col(2)
	var toPicture r3.Mat // H
	// the depth is not needed: within the plane it follows from p and q
	for k, a := range [3]r3.Vec{x, y, X_WG.P} {
		// clip coordinates of a direction, and of the origin
		cx, cy, cw := m.X00*a[0]+m.X01*a[1]+m.X02*a[2], m.X10*a[0]+m.X11*a[1]+m.X12*a[2], m.X30*a[0]+m.X31*a[1]+m.X32*a[2]
		if k == 2 {
			cx, cy, cw = cx+m.X03, cy+m.X13, cw+m.X33
		}
		toPicture[k], toPicture[3+k], toPicture[6+k] = (cw+cx)*float64(st.w)/2, (cw-cy)*float64(st.h)/2, cw
	}
	// seen edge-on the ground has no pixels, and H no inverse
	s.fromPicture, _ = toPicture.Inv()
	// looked up 1.5 cells above the plane, and a cell nearer to the lamp, see lampLight
	d := &s.light.lamp
	o := vector(X_WG.P.AddScaled(1.5/d.scale, n))
	s.u = r3.Vec{d.u.along(x), d.u.along(y), d.u.at(o)}
	s.v = r3.Vec{d.v.along(x), d.v.along(y), d.v.at(o)}
	s.h = r3.Vec{d.h.along(x), d.h.along(y), d.h.at(o) + 1/d.scale}
	s.taps = s.light.taps(vector(n))
}

// at returns the colour of the ground at a place of the picture, pixels.
func (s *groundShader) at(x, y float64) fauxgl.Color {
	// behind the horizon p and q are no numbers of the square; such pixels see none of its triangles
	p, q := s.point(x, y)
	return s.color(p, q, s.lampAt(p, q)+groundSky*s.shade.at(p, q))
}

// point returns the point of the ground that is seen at a place of the picture, by (1).
func (s *groundShader) point(x, y float64) (p, q float64) {
	m := &s.fromPicture
	r := 1 / (m[6]*x + m[7]*y + m[8])
	return r * (m[0]*x + m[1]*y + m[2]), r * (m[3]*x + m[4]*y + m[5])
}

// inMap returns where a point is looked up in the lamp's map, cells, and its height, m.
func (s *groundShader) inMap(p, q float64) (u, v, h float64) {
	return s.u[0]*p + s.u[1]*q + s.u[2], s.v[0]*p + s.v[1]*q + s.v[2], s.h[0]*p + s.h[1]*q + s.h[2]
}

// lampAt returns the light of the lamp at a point.
func (s *groundShader) lampAt(p, q float64) float64 {
	u, v, h := s.inMap(p, q)
	tile := s.light.tileAt(u, v)
	if s.light.open(tile, h) {
		return s.lamp
	}
	return s.lamp * s.light.lookUp(tile, u, v, h, &s.taps)
}

// lampBetween returns the light of the lamp on a line between two points, where tiles of its map show that all of it
// has the same.
func (s *groundShader) lampBetween(p0, q0, p1, q1 float64) (light float64, ok bool) {
	u0, v0, h0 := s.inMap(p0, q0)
	u1, v1, h1 := s.inMap(p1, q1)
	u0, u1, v0, v1 = min(u0, u1), max(u0, u1), min(v0, v1), max(v0, v1)
	low, high, ok := s.light.about(u0, u1, v0, v1)
	switch {
	case s.light.outside(u0, u1, v0, v1), ok && high <= heightBits(min(h0, h1)):
		return s.lamp, true
	case ok && low > heightBits(max(h0, h1)+s.light.rise(&s.taps)):
		return 0, true
	}
	return 0, false
}

// square returns the kind of square of the checker that a point is in.
func (s *groundShader) square(p, q float64) int {
	// squares of odd and of even sums of their numbers alternate, on both sides of 0
	return (floor(p*s.perCell) + floor(q*s.perCell)) & 1
}

// color returns the colour of a point in some light.
func (s *groundShader) color(p, q, light float64) fauxgl.Color {
	c := s.colors.exact[s.square(p, q)][shadeOf(light)]
	if r := max(math.Abs(p), math.Abs(q)); r > opaque*s.half {
		c.A = smoothstep((1 - r/s.half) / (1 - opaque))
	}
	return c
}

// opaque is the part of the square's half edge within which its opacity is 1.
const opaque = 0.75

// span paints neighbouring pixels of a row, the first at the place (x, y), pixels, before a background. The light of
// the sky changes so little between the first and the last that it is interpolated; where all of them see all of the
// lamp or nothing of it, which the tiles of its map distinguish from these two, no pixel looks it up; and where both
// are in one square of the checker, so is the line between them.
func (s *groundShader) span(x, y float64, back fauxgl.Color, row []uint8) {
	last := float64(len(row)/4 - 1)
	p0, q0 := s.point(x, y)
	p1, q1 := s.point(x+last, y)
	// samples of the sky's light between them
	if !(max(math.Abs(p1-p0), math.Abs(q1-q0)) < s.shade.step) {
		for i := 0; i < len(row); i += 4 {
			c := s.at(x+float64(i/4), y)
			put(row[i:i+4], mixed(c, back, c.A))
		}
		return
	}
	sky := groundSky * s.shade.at(p0, q0)
	rate := (groundSky*s.shade.at(p1, q1) - sky) / max(1, last)
	lamp, even := s.lampBetween(p0, q0, p1, q1)
	inner := max(math.Abs(p0), math.Abs(q0), math.Abs(p1), math.Abs(q1)) <= opaque*s.half
	if even && inner && floor(p0*s.perCell) == floor(p1*s.perCell) && floor(q0*s.perCell) == floor(q1*s.perCell) {
		s.colors.fill(s.square(p0, q0), sky+lamp, rate, row)
		return
	}
	for i := 0; i < len(row); i += 4 {
		k := float64(i / 4)
		p, q := s.point(x+k, y)
		if !even {
			lamp = s.lampAt(p, q)
		}
		light := sky + k*rate + lamp
		if inner {
			copy(row[i:i+4], s.colors.rounded[s.square(p, q)][shadeOf(light)][:])
			continue
		}
		c := s.color(p, q, light)
		put(row[i:i+4], mixed(c, back, c.A))
	}
}

// fill paints pixels of one square in a light that grows from pixel to pixel.
func (g *groundColors) fill(square int, light, rate float64, row []uint8) {
	colors := &g.rounded[square]
	for i := 0; i+4 <= len(row); i += 4 {
		copy(row[i:i+4], colors[shadeOf(light+float64(i/4)*rate)][:])
	}
}

// floor is math.Floor for numbers that an int represents.
func floor(x float64) int {
	i := int(x)
	if x < float64(i) {
		i--
	}
	return i
}

// ceil is math.Ceil for numbers that an int represents.
func ceil(x float64) int {
	i := int(x)
	if x > float64(i) {
		i++
	}
	return i
}

// groundShade is the sky's light on the part of the ground near the bodies.
type groundShade struct {
	// x0 and y0 are the coordinates of the first sample in the ground's frame, m; step is
	// the distance of samples, m.
	x0, y0, step float64
	// n is the number of samples a side.
	n int
	// light is the part of the sky that each sample sees, row by row along x, from 0 to 1. It blends to open sky at the
	// rim.
	light []float64
}

// newGroundShade samples the square of the given half edge about (x, y) of the
// ground's frame at cells × cells points.
func newGroundShade(l *lighting, X_WG r3.Pose, x, y, half float64, cells int) *groundShade {
	g := &groundShade{x0: x - half, y0: y - half, step: 2 * half / float64(cells-1), n: cells}
	g.light = make([]float64, g.n*g.n)
	normal := X_WG.R.Col(2)
	workers.Each(g.n, func(j int) {
		first := X_WG.Point(r3.Vec{g.x0, g.y0 + float64(j)*g.step, 0})
		row := g.light[j*g.n : (j+1)*g.n]
		l.ambientRow(first, X_WG.R.Col(0).Scale(g.step), normal, row)
		for i := range row {
			edge := float64(min(i, j, g.n-1-i, g.n-1-j)) / float64(g.n-1)
			row[i] = 1 + (row[i]-1)*smoothstep(edge/0.15)
		}
	})
	return g
}

// at interpolates between samples; outside is open sky.
func (g *groundShade) at(x, y float64) float64 {
	u, v := (x-g.x0)/g.step, (y-g.y0)/g.step
	last := float64(g.n - 1)
	if !(u >= 0 && v >= 0 && u < last && v < last) {
		return 1
	}
	i, j := int(u), int(v)
	a, b := u-float64(i), v-float64(j)
	row, next := g.light[j*g.n+i:][:2], g.light[(j+1)*g.n+i:][:2]
	return (row[0]*(1-a)+row[1]*a)*(1-b) + (next[0]*(1-a)+next[1]*a)*b
}

// groundSkin is a square of a half-space's boundary as it is drawn.
type groundSkin struct {
	geom *record.Geom
	// colors are those of its squares.
	colors *groundColors
}

// newGroundSkin finds the colours of a square.
func newGroundSkin(g *record.Geom) groundSkin {
	// a pixel then needs neither a product nor the tables of sRGB
	c, _ := parseColor(GroundColor(g.Color))
	albedo := toLight(c)
	return groundSkin{g, newGroundColors(func(square int, light float64) fauxgl.Color {
		return fromLight(albedo.MulScalar([2]float64{darkSquare, 1}[square] * light))
	})}
}

// ground is the layer of a square.
func (p *Painter) ground(s *stage, g *groundSkin, X_WG r3.Pose, lamp r3.Vec, center r3.Vec, radius float64) layer {
	half, normal := g.geom.Ground/2, X_WG.R.Col(2)
	sh := &groundShader{light: s.light, half: half, perCell: 1 / p.cell, colors: g.colors}
	sh.lamp = lampLight * max(0, normal.Dot(lamp)) / p.view.up.Dot(lamp) // level ground gets all of it
	sh.see(s, X_WG)
	// the sky's light is sampled about the bodies, not over all of a large ground
	m := X_WG.Inv().Point(center)
	sh.shade = newGroundShade(s.light, X_WG, m[0], m[1], min(2.2*radius, 2*math.Hypot(half, half)), p.quality.dome(p.opt.Size))
	// corners at ±half in the plane z = 0 of the ground's frame, whose z axis is the normal
	corner := func(x, y float64) fauxgl.Vertex {
		return fauxgl.Vertex{Position: vector(X_WG.Point(r3.Vec{x * half, y * half, 0}))}
	}
	a, b, d, e := corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)
	return layer{
		bias:   p.view.depth(groundDepth * p.view.size),
		tris:   []fauxgl.Triangle{{V1: a, V2: b, V3: d}, {V1: a, V2: d, V3: e}},
		ground: sh, translucent: true,
	}
}
