package robot

// Height fields: ground as heights on a grid of points, read as the closed mesh of the solid below it.

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/png" // heights in PNG files

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// MaxFieldPoints bounds the points of a height field: more than these no contact is found in reasonable
// time, and a few digits of a file could claim all memory.
const MaxFieldPoints = 1 << 19

// HeightField is ground as heights on a grid. Point (r, c) lies at
//
//	x = R_x (2 c/(Cols − 1) − 1),  y = R_y (2 r/(Rows − 1) − 1),  z = Heights[r Cols + c]     (1)
type HeightField struct {
	// Rows and Cols are the numbers of points along y and x, 2 at least.
	Rows, Cols int
	// HalfX and HalfY are the half lengths R_x and R_y, m.
	HalfX, HalfY float64
	// Heights are z of the points, m, those of the least y first (Rows × Cols).
	Heights []float64
	// Bottom is z of the flat bottom of the solid, m, below all heights.
	Bottom float64
}

// PNGHeights reads heights from the grey values of an image, 0 for black and 1 for white, the row of the least y first,
// which is the lowest of the image. The size of the image is checked before its pixels are decoded: a short file may
// claim any number of them.
func PNGHeights(data []byte) (rows, cols int, heights []float64, err error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err == nil && (c.Width < 1 || c.Height > MaxFieldPoints/c.Width) {
		err = fmt.Errorf("%d × %d pixels, %d are allowed", c.Width, c.Height, MaxFieldPoints)
	}
	if err != nil {
		return 0, 0, nil, err
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return 0, 0, nil, err
	}
	b := img.Bounds()
	for y := b.Max.Y - 1; y >= b.Min.Y; y-- { // images begin at the greatest y
		for x := b.Min.X; x < b.Max.X; x++ {
			heights = append(heights, float64(color.Gray16Model.Convert(img.At(x, y)).(color.Gray16).Y)/65535)
		}
	}
	return b.Dy(), b.Dx(), heights, nil
}

// Solid returns the solid below the ground, with outward triangles.
func (f *HeightField) Solid() *meshes.Tri {
	// The point in row r and column c has the number r Cols + c in the top layer, n more in the bottom,
	// which has the same x and y.
	rows, cols := f.Rows, f.Cols
	tri := &meshes.Tri{}
	n := rows * cols
	for layer := range 2 { // top, then bottom
		for i, z := range f.Heights {
			p := r3.Vec{f.HalfX * (2*float64(i%cols)/float64(cols-1) - 1), f.HalfY * (2*float64(i/cols)/float64(rows-1) - 1), f.Bottom}
			if layer == 0 {
				p[2] = z
			}
			tri.Verts = append(tri.Verts, p)
		}
	}
	// two triangles with corners that are counterclockwise from outside
	quad := func(a, b, c, d int) {
		tri.Tris = append(tri.Tris, [3]int32{int32(a), int32(b), int32(c)}, [3]int32{int32(a), int32(c), int32(d)})
	}
	for r := range rows - 1 {
		for c := range cols - 1 {
			a := r*cols + c
			// the top, and the bottom with the other sense
			quad(a, a+1, a+cols+1, a+cols)
			quad(n+a, n+a+cols, n+a+cols+1, n+a+1)
		}
		// the sides x = ∓r_x
		a, b := r*cols, r*cols+cols-1
		quad(a, a+cols, n+a+cols, n+a)
		quad(b+cols, b, n+b, n+b+cols)
	}
	for c := range cols - 1 { // the sides y = ∓r_y
		a, b := c, (rows-1)*cols+c
		quad(a+1, a, n+a, n+a+1)
		quad(b, b+1, n+b+1, n+b)
	}
	return tri
}

// leastField is the smallest extent of a height field over its largest from which round-off cannot make its
// triangles cut each other: fields have 724 points along a side of a square, and 524,288 at most.
const leastField = 1e-6

// Mesh returns the solid as a shape. It is sound where round-off cannot close its thickness: its top has one height at
// each place, above its bottom.
func (f *HeightField) Mesh() *Mesh {
	tri := f.Solid()
	s := tri.Bounds().Size()
	return &Mesh{Triangles: tri, Scale: r3.Vec{1, 1, 1}, Sound: min(s[0], s[1], s[2]) > leastField*max(s[0], s[1], s[2])}
}
