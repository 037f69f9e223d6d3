package render

import (
	"math"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
)

// A vertex carries, besides position, normal and colour, three scalars in fauxgl's
// texture coordinates: X is the ambient light, Y the field scaled to [0,1], or −1 for
// none, and Z the gloss.

// surfaceShader lights bodies: by a lamp with shadow, by the sky, a little from below
// and from the camera, with a mild highlight.
type surfaceShader struct {
	// eye is the position of the camera, m, in world axes.
	eye fauxgl.Vector
	// up is the unit vector towards the middle of the sky.
	up fauxgl.Vector
	// light holds the depth maps.
	light *lighting
	// lamp is the unit vector towards the lamp.
	lamp fauxgl.Vector
	// plain leaves out shadows, as on arrows.
	plain bool
}

// Strengths of the lights; a white surface that faces the lamp under open sky
// gets about 1.
const (
	lampLight   = 0.70
	skyLight    = 0.36
	bounceLight = 0.20
	cameraLight = 0.20
	groundSky   = 0.42
	// part of a field's colour that does not depend on light, so that it can be
	// read against the scale
	fieldGlow = 0.25
)

// Fragment implements shader: it returns the colour of a sample, see the
// package document.
func (s *surfaceShader) Fragment(v *fauxgl.Vertex) fauxgl.Color {
	n := v.Normal
	toEye := s.eye.Sub(v.Position).Normalize()
	if n.Dot(toEye) < 0 { // smooth normals may turn away at the outline
		n = n.Sub(toEye.MulScalar(1.05 * n.Dot(toEye))).Normalize()
	}
	// the body's colour, or that of a field
	albedo, glow := v.Color, 0.0
	if v.Texture.Y > -0.5 {
		albedo = fieldLight[int(max(0, min(1, v.Texture.Y))*1024+0.5)]
		glow = fieldGlow
	}
	// the lamp, in shadow
	cos := n.Dot(s.lamp)
	lamp := 0.0
	if cos > 0 {
		lamp = cos
		switch {
		case s.plain || v.Output.X == allLit:
		case v.Output.X == allDark:
			lamp = 0
		default:
			lamp *= s.light.lampLight(vec(v.Position), vec(n))
		}
	}
	// the sky above, the ground below, and the camera's light
	h := 0.5 + 0.5*n.Dot(s.up)
	light := lampLight*lamp + v.Texture.X*(skyLight*h+bounceLight*(1-h)+cameraLight*max(0, n.Dot(toEye)))
	c := albedo.MulScalar(glow + (1-glow)*light)
	// the highlight
	if v.Texture.Z > 0 && lamp > 0 {
		half := s.lamp.Add(toEye).Normalize()
		c = c.AddScalar(v.Texture.Z * pow40(max(0, n.Dot(half))) * min(1, lamp*2))
	}
	c.A = 1
	return fromLight(c)
}

// pow40 returns x⁴⁰, for which math.Pow takes ten times as long.
func pow40(x float64) float64 {
	x *= x
	x *= x
	x *= x // x⁸
	y := x * x
	return y * y * x
}

// groundShader draws a square of ground: a faint checker, shadows, and an edge
// that fades into the background.
//
// With the albedo c, the normal n, the directions l to the lamp and u up, the part s of the
// lamp and the part a of the sky that a point sees, it shines with
//
//	t c (0.70 s (n·l)⁺/(u·l) + 0.42 a),  t = 1 or 0.93 in turn,
//
// and its opacity falls from 1 to 0 over the outer quarter of the square.
type groundShader struct {
	surfaceShader
	// X_GW maps world coordinates into the ground's frame, whose z axis is its normal.
	X_GW r3.Pose
	// half is half of the square's edge, cell the edge of a square of the checker, m.
	half, cell float64
	// shade is the part of the sky that points of the ground see.
	shade *groundShade
}

// Fragment implements shader: checker, light and fading edge.
func (s *groundShader) Fragment(v *fauxgl.Vertex) fauxgl.Color {
	p := s.X_GW.Point(vec(v.Position))
	lamp := max(0, v.Normal.Dot(s.lamp)) / s.up.Dot(s.lamp) // level ground gets all of it
	light := lampLight*lamp*s.light.lampLight(vec(v.Position), vec(v.Normal)) + groundSky*s.shade.at(p[0], p[1])
	tone := 1.0
	if (int(math.Floor(p[0]/s.cell))+int(math.Floor(p[1]/s.cell)))&1 == 0 {
		tone = 0.93
	}
	c := fromLight(v.Color.MulScalar(light * tone))
	r := max(math.Abs(p[0]), math.Abs(p[1])) / s.half
	c.A = smoothstep((1 - r) / 0.25)
	return c
}

// smoothstep rises smoothly from 0 at x ≤ 0 to 1 at x ≥ 1.
func smoothstep(x float64) float64 {
	x = max(0, min(1, x))
	return x * x * (3 - 2*x)
}

// groundShade is the sky's light on the part of the ground near the bodies.
type groundShade struct {
	// x0 and y0 are the coordinates of the first sample in the ground's frame, m; step is
	// the distance of samples, m.
	x0, y0, step float64
	// n is the number of samples a side.
	n int
	// light is the part of the sky that each sample sees, row by row along x, from 0 to 1.
	light []float64
}

// newGroundShade samples the square of the given half edge about (x, y) of the
// ground's frame at cells × cells points.
func newGroundShade(l *lighting, X_WG r3.Pose, x, y, half float64, cells int) *groundShade {
	g := &groundShade{x0: x - half, y0: y - half, step: 2 * half / float64(cells-1), n: cells}
	g.light = make([]float64, g.n*g.n)
	normal := X_WG.R.Col(2)
	parallel(g.n, func(j int) {
		first := X_WG.Point(r3.Vec{g.x0, g.y0 + float64(j)*g.step, 0})
		l.ambientRow(first, X_WG.R.Col(0).Scale(g.step), normal, g.light[j*g.n:(j+1)*g.n])
	})
	return g
}

// at interpolates between samples; outside it blends to open sky.
func (g *groundShade) at(x, y float64) float64 {
	u, v := (x-g.x0)/g.step, (y-g.y0)/g.step
	last := float64(g.n - 1)
	if u < 0 || v < 0 || u >= last || v >= last {
		return 1
	}
	i, j := int(u), int(v)
	a, b := u-float64(i), v-float64(j)
	k := j*g.n + i
	l := (g.light[k]*(1-a)+g.light[k+1]*a)*(1-b) + (g.light[k+g.n]*(1-a)+g.light[k+g.n+1]*a)*b
	edge := min(u, v, last-u, last-v) / last
	return 1 + (l-1)*smoothstep(edge/0.15)
}

// vec converts a vector of fauxgl.
func vec(v fauxgl.Vector) r3.Vec { return r3.Vec{v.X, v.Y, v.Z} }
