package formats

// Geometries of COLLADA files, and the transforms of their nodes.
//
// A corner of a triangle is a group of indices, one for each input at its offset: with inputs
// VERTEX (0), NORMAL (1) and TEXCOORD (2), <p>7 0 3  8 0 4  9 0 5</p> is the triangle 7, 8, 9. Only
// the index of VERTEX counts here; that of normals and textures may differ from corner to corner,
// which would make vertices of other formats out of one.
//
//	triangles    three corners each, all in one <p>
//	polylist     <vcount> corners each, all in one <p>
//	polygons     one <p> each; those with holes (<ph>) are left out
//	trifans      one <p> each: c0 c1 c2, c0 c2 c3, …
//	tristrips    one <p> each: c0 c1 c2, c2 c1 c3, …
//
// Polygons may be concave: they are cut into triangles by appendPolygon, as those of other formats.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// daeShape is a geometry in its own frame.
type daeShape struct {
	// verts are positions in the unit of length of the file, tris their numbers from 0.
	verts []r3.Vec
	tris  [][3]int32
}

// fault is an error of a geometry.
func (g *daeGeometry) fault(format string, args ...any) error {
	return fmt.Errorf("geometry %q: %s", g.ID, fmt.Sprintf(format, args...))
}

// shape reads positions and triangles.
func (g *daeGeometry) shape() (*daeShape, error) {
	s := &daeShape{}
	// a geometry without positions has no vertices, so that any index is a fault
	// <vertices> names the source of positions
	source := ""
	for _, in := range g.Verts.Inputs {
		if in.Semantic == "POSITION" {
			source = in.Source
		}
	}
	for i := range g.Sources {
		if "#"+g.Sources[i].ID != source {
			continue
		}
		// only the first three of a vertex's numbers are coordinates
		x, err := daeFloats(g.Sources[i].Array)
		if err != nil {
			return nil, g.fault("<float_array>: %v", err)
		}
		stride := 3
		if n, err := strconv.Atoi(g.Sources[i].Access.Stride); err == nil && n >= 3 {
			stride = n
		}
		// a stride may be any number: what is left is cut, since a sum could overflow
		for ; len(x) >= 3; x = x[min(stride, len(x)):] {
			s.verts = append(s.verts, r3.Vec(x[:3]))
		}
	}
	// what differs between the primitives is only how corners become triangles
	for _, set := range []struct {
		all []daePrimitive
		cut func(s *daeShape, p *daePrimitive, corners [][]int32) error
	}{{g.Triangles, (*daeShape).triangles}, {g.Polylists, (*daeShape).polylist}, {g.Polygons, (*daeShape).polygons}, {g.Fans, (*daeShape).fans}, {g.Strips, (*daeShape).strips}} {
		for i := range set.all {
			corners, err := set.all[i].corners(len(s.verts))
			if err == nil {
				err = set.cut(s, &set.all[i], corners)
			}
			if err != nil {
				return nil, g.fault("%v", err)
			}
		}
	}
	return s, nil
}

// Sources of normals and colours are never decoded: their text may be longer than that of positions.

// corners returns the vertex numbers in each <p>, whose entries have one index for every input; n
// are there.
func (p *daePrimitive) corners(n int) ([][]int32, error) {
	// inputs may share an offset: the number of indices of a corner is the largest offset and one
	stride, offset := 1, -1
	for _, in := range p.Inputs {
		if in.Offset < 0 || in.Offset > 64 {
			return nil, fmt.Errorf("<input offset=\"%d\">: offsets are from 0 to 64", in.Offset)
		}
		stride = max(stride, in.Offset+1)
		if in.Semantic == "VERTEX" {
			offset = in.Offset
		}
	}
	if offset < 0 {
		return nil, fmt.Errorf("triangles without <input semantic=\"VERTEX\">")
	}
	var all [][]int32
	for _, text := range p.P {
		words := strings.Fields(text)
		loop := make([]int32, 0, len(words)/stride)
		for i := offset; i < len(words); i += stride {
			// indices are checked here, once, so that all that follows may trust them
			v, err := strconv.Atoi(words[i])
			if err != nil || v < 0 || v >= n {
				return nil, fmt.Errorf("<p> names vertex %q: whole numbers below %d are required", words[i], n)
			}
			loop = append(loop, int32(v))
		}
		all = append(all, loop)
	}
	return all, nil
}

// triangles takes corners by threes.
func (s *daeShape) triangles(_ *daePrimitive, corners [][]int32) error {
	for _, c := range corners {
		for ; len(c) >= 3; c = c[3:] {
			s.tris = append(s.tris, [3]int32(c))
		}
	}
	return nil
}

// polylist cuts polygons whose numbers of corners are in <vcount>.
func (s *daeShape) polylist(p *daePrimitive, corners [][]int32) error {
	for _, c := range corners {
		for _, word := range strings.Fields(p.Counts) {
			n, err := strconv.Atoi(word)
			if err != nil || n < 0 || n > len(c) {
				return fmt.Errorf("<vcount> %q: %d corners are left in <p>", word, len(c))
			}
			s.polygon(c[:n])
			c = c[n:]
		}
	}
	return nil
}

// polygons cuts polygons, one in each <p>.
func (s *daeShape) polygons(_ *daePrimitive, corners [][]int32) error {
	for _, c := range corners {
		s.polygon(c)
	}
	return nil
}

// polygon adds the triangles of a polygon.
func (s *daeShape) polygon(loop []int32) {
	if len(loop) >= 3 {
		s.tris = surfaces.AppendPolygon(s.tris, s.verts, loop)
	}
}

// Fans and strips keep the orientation of their first triangle, which is that of the part; every
// other triangle of a strip is listed the other way round.

// fans adds triangles that share the first corner of their <p>.
func (s *daeShape) fans(_ *daePrimitive, corners [][]int32) error {
	for _, c := range corners {
		for i := 2; i < len(c); i++ {
			s.tris = append(s.tris, [3]int32{c[0], c[i-1], c[i]})
		}
	}
	return nil
}

// strips adds triangles of three corners in a row, every other one turned.
func (s *daeShape) strips(_ *daePrimitive, corners [][]int32) error {
	for _, c := range corners {
		for i := 2; i < len(c); i++ {
			t := [3]int32{c[i-2], c[i-1], c[i]}
			if i%2 == 1 {
				t[0], t[1] = t[1], t[0]
			}
			s.tris = append(s.tris, t)
		}
	}
	return nil
}

// daeFloats reads numbers between white space.
func daeFloats(text string) ([]float64, error) {
	words := strings.Fields(text)
	x := make([]float64, len(words))
	for i, w := range words {
		// exporters of some languages write decimal commas
		var err error
		if x[i], err = strconv.ParseFloat(strings.ReplaceAll(w, ",", "."), 64); err != nil || x[i]-x[i] != 0 {
			return nil, fmt.Errorf("%q is not a finite number", w)
		}
	}
	return x, nil
}

// mat4 is an affine map x ↦ L x + p.
// COLLADA writes it as 16 numbers in rows, whose last row is 0 0 0 1 and is not read.
type mat4 struct {
	L r3.Mat
	p r3.Vec
}

// identity4 returns the map that moves nothing.
func identity4() mat4 { return mat4{L: r3.Identity()} }

// mul returns the map of a after b.
func (a mat4) mul(b mat4) mat4 { return mat4{a.L.Mul(b.L), a.point(b.p)} }

// point maps a point.
func (a mat4) point(x r3.Vec) r3.Vec { return a.L.MulVec(x).Add(a.p) }

// det returns the determinant of the linear part, negative for maps that mirror.
func (a mat4) det() float64 { return a.L.Det() }

// transform returns the map of an element of a node; others than transforms do nothing.
func (r *daeReader) transform(e *daeElement) mat4 {
	// skew and lookat, the other two transforms, are seldom written and do nothing here
	want := map[string]int{"matrix": 16, "translate": 3, "rotate": 4, "scale": 3}[e.XMLName.Local]
	X := identity4()
	if want == 0 {
		return X
	}
	x, err := daeFloats(e.Text)
	if err == nil && len(x) != want {
		err = fmt.Errorf("%d numbers are required", want)
	}
	if err != nil {
		r.err = fmt.Errorf("<%s>: %w", e.XMLName.Local, err)
		return X
	}
	switch e.XMLName.Local {
	case "matrix": // rows
		X.L = r3.Mat{x[0], x[1], x[2], x[4], x[5], x[6], x[8], x[9], x[10]}
		X.p = r3.Vec{x[3], x[7], x[11]}
	case "translate":
		X.p = r3.Vec(x)
	case "rotate": // axis and degrees
		// the axis need not have length 1; without a direction nothing turns
		if axis := r3.Vec(x[:3]); axis.Norm() > 0 {
			X.L = r3.RotExp(axis.Unit().Scale(x[3] * math.Pi / 180))
		}
	case "scale":
		X.L = r3.Diag(r3.Vec(x))
	}
	return X
}
