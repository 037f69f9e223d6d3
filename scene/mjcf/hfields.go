package mjcf

// Height fields: ground as heights on a grid of nrow × ncol points, read as a closed mesh. With
// size = (r_x, r_y, z, b) and the heights e scaled to 0 … 1 over their range, the points are
//
//	x = r_x (2 c/(ncol − 1) − 1),  y = r_y (2 r/(nrow − 1) − 1),  z e         (1)
//
// and the bottom lies at −b. Rows of the attribute elevation and of images begin at the greatest y, those
// of MuJoCo's binary files at the least. Source: MuJoCo, XML reference, asset/hfield.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	_ "image/png" // heights in PNG files
	"math"
	"path"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// maxFieldPoints bounds the points of a height field: more than these no contact is found in reasonable
// time, and a few digits of a file could claim all memory.
const maxFieldPoints = 1 << 18

// hfield reads a height field asset. One that cannot be read is warned of, and geoms of it are left out.
func (r *reader) hfield(e *robot.Element) {
	name, _ := e.Attr("name")
	file, _ := e.Attr("file")
	e.Attr("content_type")
	if name == "" && file != "" {
		name = strings.TrimSuffix(path.Base(slashes(file)), path.Ext(file))
	}
	size := r.numbers(e, "size", 4, 4)
	// bounded, so that their product is a number
	count := func(name string) int { return int(max(-1, min(r.Number(e, name, 0), maxFieldPoints+1))) }
	rows, cols := count("nrow"), count("ncol")
	heights := r.numbers(e, "elevation", 0, math.MaxInt)
	if r.Err != nil {
		return
	}
	var err error
	switch {
	case file != "":
		rows, cols, heights, err = r.heightFile(e, slashes(file))
	// no memory for a size that the next switch refuses
	case rows*cols > maxFieldPoints || rows < 0 || cols < 0:
	// MuJoCo lets a program fill such a field at run time; here it stays flat
	case heights == nil:
		heights = make([]float64, rows*cols)
	default:
		err = topRowFirst(rows, cols, heights)
	}
	switch {
	case err != nil:
	case rows < 2 || cols < 2 || rows > maxFieldPoints/cols:
		err = fmt.Errorf("it has %d × %d points: 2 × 2 to %d are required", rows, cols, maxFieldPoints)
	case size == nil || min(size[0], size[1], size[2], size[3]) <= 0 || max(size[0], size[1], size[2], size[3]) > robot.MaxLength:
		err = fmt.Errorf("its size needs four positive lengths: half lengths along x and y, height and depth")
	}
	if err != nil {
		r.Warn(e.Line, "ignored: <hfield name=%q>: %v", name, err)
		return
	}
	r.hfields[name] = fieldMesh(rows, cols, heights, [4]float64(size))
}

// heightFile reads the heights of a file, see assetFile, those of the least y first. The size of an image
// is checked before its pixels are decoded: a short file may claim any number of them. A height is the
// luminance in 16 bits, whose scale is of no matter, since (1) uses the range of heights.
func (r *reader) heightFile(e *robot.Element, file string) (rows, cols int, heights []float64, err error) {
	file = r.assetFile(e, file)
	if r.open == nil {
		return 0, 0, nil, fmt.Errorf("%s: no files can be read here", file)
	}
	data, err := r.open(file)
	if err != nil {
		return 0, 0, nil, err
	}
	if path.Ext(file) != ".png" {
		return binaryHeights(file, data)
	}
	return pngHeights(file, data)
}

// pngHeights reads the heights of a field from the grey values of an image, the row of least y first.
func pngHeights(file string, data []byte) (rows, cols int, heights []float64, err error) {
	// the size first: a small file may hold a huge image
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err == nil && (c.Width < 1 || c.Height > maxFieldPoints/c.Width) {
		err = fmt.Errorf("%d × %d pixels, %d are allowed", c.Width, c.Height, maxFieldPoints)
	}
	if err != nil {
		return 0, 0, nil, fmt.Errorf("%s: %w", file, err)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return 0, 0, nil, fmt.Errorf("%s: %w", file, err)
	}
	b := img.Bounds()
	for y := b.Max.Y - 1; y >= b.Min.Y; y-- { // images begin at the greatest y
		for x := b.Min.X; x < b.Max.X; x++ {
			heights = append(heights, float64(color.Gray16Model.Convert(img.At(x, y)).(color.Gray16).Y))
		}
	}
	return b.Dy(), b.Dx(), heights, nil
}

// binaryHeights reads MuJoCo's own format: the numbers of rows and columns as 32-bit integers, then heights
// as 32-bit floating-point numbers, little-endian.
func binaryHeights(file string, data []byte) (rows, cols int, heights []float64, err error) {
	if len(data) < 8 {
		return 0, 0, nil, fmt.Errorf("%s: %d bytes are no height field", file, len(data))
	}
	// signed, so that a negative number is refused as such
	rows, cols = int(int32(binary.LittleEndian.Uint32(data))), int(int32(binary.LittleEndian.Uint32(data[4:])))
	if rows < 1 || cols < 1 || rows > maxFieldPoints/cols || len(data) != 8+4*rows*cols {
		return 0, 0, nil, fmt.Errorf("%s: %d bytes for %d × %d heights of 4 bytes behind 8", file, len(data), rows, cols)
	}
	for i := range rows * cols {
		x := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[8+4*i:])))
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, 0, nil, fmt.Errorf("%s: height %d is %g", file, i, x)
		}
		heights = append(heights, x)
	}
	return rows, cols, heights, nil
}

// topRowFirst turns the order of rows about.
func topRowFirst(rows, cols int, heights []float64) error {
	if len(heights) != rows*cols {
		return fmt.Errorf("%d numbers of elevation for %d × %d points", len(heights), rows, cols)
	}
	for r := range rows / 2 {
		for c := range cols {
			a, b := r*cols+c, (rows-1-r)*cols+c
			heights[a], heights[b] = heights[b], heights[a]
		}
	}
	return nil
}

// fieldMesh returns the solid below a height field, (1), with outward triangles.
func fieldMesh(rows, cols int, heights []float64, size [4]float64) *meshes.Tri {
	// The point in row r and column c has the number r cols + c in the top layer, n more in the bottom,
	// which has the same x and y.
	least, most := slices.Min(heights), slices.Max(heights)
	tri := &meshes.Tri{}
	n := rows * cols
	for layer := range 2 { // top, then bottom
		for i, e := range heights {
			p := r3.Vec{size[0] * (2*float64(i%cols)/float64(cols-1) - 1), size[1] * (2*float64(i/cols)/float64(rows-1) - 1), -size[3]}
			switch {
			case layer > 0:
			case most > least:
				p[2] = size[2] * (e - least) / (most - least)
			// a field of one height lies at z = 0
			default:
				p[2] = 0
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
// triangles cut each other: fields have 512 points along a side, and 262,144 at most.
const leastField = 1e-6

// soundField reports whether the solid of a height field is closed and cuts nothing by construction: its top has
// one height at each place, above its bottom.
func soundField(tri *meshes.Tri) bool {
	if tri == nil {
		return false
	}
	s := tri.Bounds().Size()
	return min(s[0], s[1], s[2]) > leastField*max(s[0], s[1], s[2])
}
