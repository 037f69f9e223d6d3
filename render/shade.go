package render

import (
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
	// light has the depth maps.
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
	// all light of a point is that of directions from it
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
			lamp *= s.light.lampLight(v.Position, n)
		}
	}
	// the sky above, the ground below, and the camera's light
	h := 0.5 + 0.5*n.Dot(s.up)
	light := lampLight*lamp + v.Texture.X*(skyLight*h+bounceLight*(1-h)+cameraLight*max(0, n.Dot(toEye)))
	c := albedo.MulScalar(glow + (1-glow)*light)
	// the highlight: (n·h)⁴⁰ with the unit vector h half-way between the lamp and the eye, of which the square is
	// enough
	if v.Texture.Z > 0 && lamp > 0 {
		half := s.lamp.Add(toEye)
		if x := n.Dot(half); x > 0 {
			c = c.AddScalar(v.Texture.Z * pow20(x*x/half.Dot(half)) * min(1, lamp*2))
		}
	}
	c.A = 1
	return fromLight(c)
}

// pow20 returns x²⁰, for which math.Pow takes ten times as long.
func pow20(x float64) float64 {
	x *= x
	x *= x // x⁴
	y := x * x
	return y * y * x
}

// smoothstep rises smoothly from 0 at x ≤ 0 to 1 at x ≥ 1.
func smoothstep(x float64) float64 {
	x = max(0, min(1, x))
	return x * x * (3 - 2*x)
}

// vec converts a vector of fauxgl.
func vec(v fauxgl.Vector) r3.Vec { return r3.Vec{v.X, v.Y, v.Z} }
