package render

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"github.com/fogleman/fauxgl"
)

// Colours are given as sRGB, #rrggbb, and computed with as linear light, where sums and products of light
// are those of physics. Tables replace powers in both directions, because every sample of a picture is
// encoded: 256 values in, 4096 steps out, finer than a step of the 8-bit result, even next to black, where sRGB is
// steepest.

// bodyColors are given to bodies that have none: muted, and apart for colour-blind
// eyes.
var bodyColors = []string{"#5b84b1", "#d9925b", "#7fa66a", "#b5739d", "#c9ad5c", "#6aa6a6", "#8f86c0", "#b87f74"}

// parseColor reads #rrggbb.
func parseColor(s string) (color.NRGBA, error) {
	if len(s) == 7 && s[0] == '#' {
		if n, err := strconv.ParseUint(s[1:], 16, 32); err == nil {
			return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}, nil
		}
	}
	return color.NRGBA{}, fmt.Errorf("%q is not a colour: write #rrggbb, such as #d9822b", s)
}

// bodyColor returns the given colour, or the k-th of the palette, as light.
func bodyColor(s string, k int) fauxgl.Color {
	// a body without a colour has that of its number in the palette
	c, err := parseColor(s)
	if err != nil {
		c, _ = parseColor(bodyColors[k%len(bodyColors)])
	}
	return toLight(c)
}

// toLight decodes an sRGB colour to linear light, in which shading is computed.
func toLight(c color.NRGBA) fauxgl.Color {
	return fauxgl.Color{R: decodeSRGB[c.R], G: decodeSRGB[c.G], B: decodeSRGB[c.B], A: float64(c.A) / 255}
}

// decodeSRGB maps sRGB values to linear light (IEC 61966-2-1):
//
//	x/12.92                     for x ≤ 0.04045
//	((x + 0.055)/1.055)^2.4     for larger x, x = i/255
var decodeSRGB = func() (t [256]float64) {
	for i := range t {
		x := float64(i) / 255
		if x <= 0.04045 {
			t[i] = x / 12.92
		} else {
			t[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return t
}()

// encodeSRGB maps linear light in [0,1], in 4096 steps, to sRGB in [0,1]: numbers of 32 bits, so that
// the table leaves half of the nearest cache to others.
var encodeSRGB = func() (t [4097]float32) {
	for i := range t {
		x := float64(i) / 4096
		if x <= 0.0031308 {
			t[i] = float32(12.92 * x)
		} else {
			t[i] = float32(1.055*math.Pow(x, 1/2.4) - 0.055)
		}
	}
	return t
}()

// fromLight encodes linear light, clipped to the range of screens.
func fromLight(c fauxgl.Color) fauxgl.Color {
	e := func(x float64) float64 { return float64(encodeSRGB[max(0, min(4096, int(x*4096+0.5)))]) }
	return fauxgl.Color{R: e(c.R), G: e(c.G), B: e(c.B), A: c.A}
}

// viridis is the perceptually uniform colour map of that name (van der Walt and
// Smith, 2015), at 17 equal steps.
var viridis = [17][3]uint8{
	{68, 1, 84}, {72, 24, 106}, {71, 45, 123}, {66, 64, 134}, {59, 82, 139}, {51, 99, 141},
	{44, 114, 142}, {38, 130, 142}, {33, 145, 140}, {31, 160, 136}, {40, 174, 128}, {63, 188, 115},
	{94, 201, 98}, {132, 212, 75}, {173, 220, 48}, {216, 226, 25}, {253, 231, 37},
}

// darkest is the part of viridis that is left out: shading would be lost in it.
const darkest = 0.2

// colormap returns the colour of u in [0,1].
func colormap(u float64) color.NRGBA {
	// between two entries of the table, in sRGB, where the map is perceptually even
	x := (darkest + (1-darkest)*max(0, min(1, u))) * float64(len(viridis)-1)
	i := min(int(x), len(viridis)-2)
	f := x - float64(i)
	a, b := viridis[i], viridis[i+1]
	mix := func(k int) uint8 { return uint8(float64(a[k])*(1-f) + float64(b[k])*f + 0.5) }
	return color.NRGBA{mix(0), mix(1), mix(2), 255}
}

// fieldLight is the colour map as light, in 1024 steps.
var fieldLight = func() (t [1025]fauxgl.Color) {
	for i := range t {
		t[i] = toLight(colormap(float64(i) / 1024))
	}
	return t
}()
