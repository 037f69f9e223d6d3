package formats

import (
	"encoding/binary"
	"math"

	"github.com/qmuntal/gltf"

	"github.com/curlfree/curlfree/r3"
)

// Accessors: rows of numbers in the buffers of glTF. Row i begins at
//
//	bufferView.byteOffset + accessor.byteOffset + i stride
//
// of the buffer. All rows are checked to lie in it before memory is taken.

// gltfBytes are the bytes of a number; the format has no numbers of eight bytes.
var gltfBytes = map[gltf.ComponentType]int{
	gltf.ComponentByte: 1, gltf.ComponentUbyte: 1, gltf.ComponentShort: 2, gltf.ComponentUshort: 2, gltf.ComponentUint: 4, gltf.ComponentFloat: 4,
}

// primitive returns the vertices of a primitive and its corners.
func (r *gltfReader) primitive(p *gltf.Primitive) (verts []r3.Vec, corners []int32) {
	// of all attributes only positions are wanted
	i, ok := p.Attributes[gltf.POSITION]
	if !ok {
		r.fail("a primitive has no POSITION")
		return nil, nil
	}
	a, rows := r.accessor(i, gltf.AccessorVec3)
	if r.err != nil {
		return nil, nil
	}
	verts = make([]r3.Vec, len(rows))
	// metres, y up; transforms of nodes come later
	for i, row := range rows {
		for k := range 3 {
			verts[i][k] = gltfNumber(a, row[k*gltfBytes[a.ComponentType]:])
		}
	}
	// without indices every vertex is a corner
	if p.Indices == nil {
		corners = make([]int32, len(verts))
		for i := range corners {
			corners[i] = int32(i)
		}
		return verts, corners
	}
	// three indices a triangle, of any kind of integer
	if a, rows = r.accessor(*p.Indices, gltf.AccessorScalar); r.err != nil {
		return nil, nil
	}
	// a normalized 1 would be a 255th of a vertex
	if a.Normalized {
		r.fail("accessor %d has indices, which cannot be normalized", *p.Indices)
		return nil, nil
	}
	corners = make([]int32, len(rows))
	for i, row := range rows {
		x := gltfNumber(a, row)
		// integers below 2³² are exact
		if !(x >= 0) || x >= float64(len(verts)) || a.ComponentType == gltf.ComponentFloat {
			r.fail("accessor %d names vertex %g of %d", *p.Indices, x, len(verts))
			return nil, nil
		}
		corners[i] = int32(x)
	}
	return verts, corners
}

// accessor returns the bytes of each row of an accessor of a type.
func (r *gltfReader) accessor(i int, kind gltf.AccessorType) (a *gltf.Accessor, rows [][]byte) {
	d := r.doc
	if i < 0 || i >= len(d.Accessors) || d.Accessors[i] == nil {
		r.fail("there is no accessor %d", i)
		return nil, nil
	}
	// the document names arrays by their number
	a = d.Accessors[i]
	size := r.rowBytes(i, a, kind)
	if r.err != nil {
		return nil, nil
	}
	// a view is a range of a buffer, an accessor a range of a view
	v := d.BufferViews[*a.BufferView]
	// what the view points at may be missing, too
	if v.Buffer < 0 || v.Buffer >= len(r.buffers) {
		r.fail("there is no buffer %d", v.Buffer)
		return nil, nil
	}
	// rows are adjacent unless a stride says otherwise
	data, stride := r.buffers[v.Buffer], v.ByteStride
	if stride == 0 {
		stride = size
	}
	// bounded, so that nothing below overflows
	const most = maxFile
	ok := a.Count >= 0 && a.Count <= len(data) && stride >= size && stride <= 256 && v.ByteOffset >= 0 && v.ByteOffset <= most && a.ByteOffset >= 0 && a.ByteOffset <= most
	start := v.ByteOffset + a.ByteOffset
	if !ok || a.Count > 0 && start+(a.Count-1)*stride+size > len(data) {
		r.fail("accessor %d has %d rows, more than its buffer of %d bytes has: the file is cut short", i, a.Count, len(data))
		return nil, nil
	}
	// slices of the buffer, no copies
	rows = make([][]byte, a.Count)
	for k := range rows {
		rows[k] = data[start+k*stride:][:size]
	}
	return a, rows
}

// rowBytes returns the bytes of a row of accessor i, after it has checked that its view is there.
func (r *gltfReader) rowBytes(i int, a *gltf.Accessor, kind gltf.AccessorType) int {
	views := r.doc.BufferViews
	// 0 for a type of number that the format does not have
	size := gltfBytes[a.ComponentType]
	if kind == gltf.AccessorVec3 {
		size *= 3
	}
	switch {
	case a.Type != kind || size == 0:
		r.fail("accessor %d is not of the type that its use wants", i)
	case a.Sparse != nil || a.BufferView == nil:
		r.fail("accessor %d is sparse: export the mesh without sparse accessors", i)
	case *a.BufferView < 0 || *a.BufferView >= len(views) || views[*a.BufferView] == nil:
		r.fail("there is no bufferView %d", *a.BufferView)
	}
	return size
}

// gltfNumber reads a number. Normalized integers stand for −1 to 1 or 0 to 1.
func gltfNumber(a *gltf.Accessor, b []byte) float64 {
	x, largest := 0.0, 1.0
	switch a.ComponentType {
	case gltf.ComponentByte:
		x, largest = float64(int8(b[0])), math.MaxInt8
	case gltf.ComponentUbyte:
		x, largest = float64(b[0]), math.MaxUint8
	case gltf.ComponentShort:
		x, largest = float64(int16(binary.LittleEndian.Uint16(b))), math.MaxInt16
	case gltf.ComponentUshort:
		x, largest = float64(binary.LittleEndian.Uint16(b)), math.MaxUint16
	case gltf.ComponentUint:
		return float64(binary.LittleEndian.Uint32(b))
	case gltf.ComponentFloat:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	if a.Normalized {
		return max(x/largest, -1)
	}
	return x
}
