package mjcf

// Height fields: ground as heights on a grid of nrow × ncol points, read as a closed mesh. With
// size = (r_x, r_y, z, b) and the heights e scaled to 0 … 1 over their range, the points are
//
//	x = r_x (2 c/(ncol − 1) − 1),  y = r_y (2 r/(nrow − 1) − 1),  z e         (1)
//
// and the bottom lies at −b. Rows of the attribute elevation and of images begin at the greatest y, those
// of MuJoCo's binary files at the least. Source: MuJoCo, XML reference, asset/hfield.

import (
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/scene/robot"
)

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
	count := func(name string) int { return int(max(-1, min(r.Number(e, name, 0), robot.MaxFieldPoints+1))) }
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
	case rows*cols > robot.MaxFieldPoints || rows < 0 || cols < 0:
	// MuJoCo lets a program fill such a field at run time; here it stays flat
	case heights == nil:
		heights = make([]float64, rows*cols)
	default:
		err = topRowFirst(rows, cols, heights)
	}
	switch {
	case err != nil:
	case rows < 2 || cols < 2 || rows > robot.MaxFieldPoints/cols:
		err = fmt.Errorf("it has %d × %d points: 2 × 2 to %d are required", rows, cols, robot.MaxFieldPoints)
	case size == nil || min(size[0], size[1], size[2], size[3]) <= 0 || max(size[0], size[1], size[2], size[3]) > robot.MaxLength:
		err = fmt.Errorf("its size needs four positive lengths: half lengths along x and y, height and depth")
	}
	if err != nil {
		r.Warn(e.Line, "ignored: <hfield name=%q>: %v", name, err)
		return
	}
	r.hfields[name] = scaledField(rows, cols, heights, [4]float64(size)).Mesh()
}

// heightFile reads the heights of a file, see assetFile, those of the least y first. Their scale is of no matter, since
// (1) uses the range of heights.
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
	rows, cols, heights, err = robot.PNGHeights(data)
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return rows, cols, heights, err
}

// binaryHeights reads MuJoCo's own format: the numbers of rows and columns as 32-bit integers, then heights
// as 32-bit floating-point numbers, little-endian.
func binaryHeights(file string, data []byte) (rows, cols int, heights []float64, err error) {
	if len(data) < 8 {
		return 0, 0, nil, fmt.Errorf("%s: %d bytes are no height field", file, len(data))
	}
	// signed, so that a negative number is refused as such
	rows, cols = int(int32(binary.LittleEndian.Uint32(data))), int(int32(binary.LittleEndian.Uint32(data[4:])))
	if rows < 1 || cols < 1 || rows > robot.MaxFieldPoints/cols || len(data) != 8+4*rows*cols {
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

// scaledField returns a height field with heights that are scaled by (1).
func scaledField(rows, cols int, heights []float64, size [4]float64) *robot.HeightField {
	least, most := slices.Min(heights), slices.Max(heights)
	f := &robot.HeightField{Rows: rows, Cols: cols, HalfX: size[0], HalfY: size[1], Bottom: -size[3]}
	for _, e := range heights {
		z := 0.0 // a field of one height lies at z = 0
		if most > least {
			z = size[2] * (e - least) / (most - least)
		}
		f.Heights = append(f.Heights, z)
	}
	return f
}
