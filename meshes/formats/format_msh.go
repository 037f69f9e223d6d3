package formats

// MSH: the native files of Gmsh.

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// MSH files of Gmsh (gmsh.info, reference manual, "File formats"), versions 2.2
// and 4.1, ASCII and binary. A file is a sequence of sections $Name … $EndName:
//
//	$MeshFormat  version, 0 (ASCII) or 1 (binary), 8 (bytes of a double);
//	             binary files then have the int 1, which gives the byte order
//	$Nodes       2.2: count, then per node: number x y z
//	             4.1: blocks count min max, then per block: dimension entity
//	             parametric count, all numbers, then all x y z [u [v [w]]]
//	$Elements    2.2: count, then per element: number type tags tag … node …
//	             4.1: blocks count min max, then per block: dimension entity
//	             type count, then per element: number node …
//	others       physical names, entities, fields: passed over
//
// Nodes are referred to by their numbers, which need neither be consecutive nor
// sorted. In binary files of version 4.1 counts and numbers are 64 bits, in
// version 2.2 ints of 32 bits; elements of version 2.2 come in blocks of one
// type.
//
// Triangles and tets are read, those of second order and higher by their
// corners; other elements are counted and left out.

var _ = Formats.Register(kinds.Kind[Format]{
	Name:    "gmsh",
	Doc:     "MSH files of Gmsh.",
	About:   "Versions 2.2 and 4.1, ASCII and binary. Elements of second order are read as linear. The binary files of MuJoCo that end in .msh are read, too. Written as ASCII of version 2.2 with the shortest digits that read back to the same numbers.",
	New:     func() Format { return &mshFormat{} },
	Samples: func() []Format { return []Format{&mshFormat{}} },
})

// mshFormat is the Format.
type mshFormat struct{}

// Extensions implements Format.
func (*mshFormat) Extensions() []string { return []string{".msh"} }

// Volumes implements Format.
func (*mshFormat) Volumes() bool { return true }

// Recognize implements Format by the first section, or the length of a file of MuJoCo.
func (*mshFormat) Recognize(data []byte) Match {
	if isMujocoMSH(data) {
		return Likely
	}
	return certainIf(bytes.HasPrefix(data, []byte("$MeshFormat")))
}

// Read implements Format.
func (*mshFormat) Read(data []byte) (*RawMesh, error) {
	if isMujocoMSH(data) {
		return readMujocoMSH(data)
	}
	return readMSH(data)
}

// WriteTri implements SurfaceWriter.
func (*mshFormat) WriteTri(w io.Writer, m *meshes.Tri) error { return writeMSHTri(w, m) }

// WriteTet implements VolumeWriter.
func (*mshFormat) WriteTet(w io.Writer, m *meshes.Tet) error { return writeMSHTet(w, m) }

// mshKind describes a Gmsh element type.
type mshKind struct {
	// number of its nodes
	nodes int
	// the VTK cell type as which it is read or counted
	vtk int64
}

// mshKinds has Gmsh's element types up to third order and the rarer ones that
// are left out, by their numbers.
var mshKinds = map[int]mshKind{
	1: {2, 3}, 2: {3, 5}, 3: {4, 9}, 4: {4, 10}, 5: {8, 12}, 6: {6, 13}, 7: {5, 14},
	8: {3, 3}, 9: {6, 22}, 10: {9, 9}, 11: {10, 24}, 12: {27, 25}, 13: {18, 26}, 14: {14, 14},
	15: {1, 1}, 16: {8, 9}, 17: {20, 25}, 18: {15, 26}, 19: {13, 14}, 20: {9, 69}, 21: {10, 69},
	22: {12, 69}, 23: {15, 69}, 24: {15, 69}, 25: {21, 69}, 26: {4, 3}, 27: {5, 3}, 28: {6, 3},
	29: {20, 71}, 30: {35, 71}, 31: {56, 71}, 92: {64, 25}, 93: {125, 25},
}

// mshReader is the state of parsing one file.
type mshReader struct {
	scan
	// the mesh so far
	m RawMesh
	// the file is of version 4.1, not 2.2
	four bool
	// vertex of each node number
	index map[int64]int32
	// $Nodes was read
	nodes bool
	// $Elements was read
	cells bool
	// the vertices of one element
	row []int64
}

// readMSH walks through the sections; nodes must come before elements.
func readMSH(data []byte) (*RawMesh, error) {
	// Little-endian until the header says otherwise.
	r := &mshReader{scan: scan{data: data, order: binary.LittleEndian}, index: map[int64]int32{}}
	r.header()
	for r.more() {
		switch section := r.word(); section {
		// The data begin on the next line, also in binary files.
		case "$Nodes":
			r.line()
			r.readNodes()
			r.expect("$EndNodes")
		// Elements refer to nodes by their numbers.
		case "$Elements":
			r.line()
			r.readElements()
			r.expect("$EndElements")
		// Unknown sections end with their own name.
		default:
			r.passSection(section)
		}
	}
	// Both sections must be there.
	if r.err == nil && !r.nodes {
		r.fail("the file ends without $Nodes: it is cut short")
	}
	if r.err == nil && !r.cells {
		r.fail("the file ends without $Elements: it is cut short")
	}
	return &r.m, r.fault()
}

// header reads $MeshFormat: version, binary or not, byte order.
func (r *mshReader) header() {
	// The header must come first.
	if w := r.word(); w != "$MeshFormat" {
		r.fail("found %s where $MeshFormat belongs", found(w))
		return
	}
	// Versions 2.0 to 2.2 have the same layout, 4.0 differs from 4.1.
	version := r.word()
	switch {
	case version == "2" || strings.HasPrefix(version, "2."):
	case version == "4.1":
		r.four = true
	default:
		r.fail("the format is MSH %s: save the mesh as version 4.1 or 2.2", version)
		return
	}
	// Both numbers are text in binary files, too.
	binaryData, size := r.integer("0 (ASCII) or 1 (binary)"), r.integer("the size of a number")
	if r.err == nil && (size != 8 || binaryData < 0 || binaryData > 1) {
		r.fail("the file is of type %d with numbers of %d bytes: 0 or 1, and 8, are supported", binaryData, size)
		return
	}
	if binaryData == 1 {
		r.byteOrder()
	}
	r.expect("$EndMeshFormat")
}

// byteOrder reads the int 1 behind the header of a binary file, which gives the byte
// order of all its numbers.
func (r *mshReader) byteOrder() {
	r.binary = true
	r.line()
	if b := r.bytes(4, "the byte order"); b != nil && binary.BigEndian.Uint32(b) == 1 {
		r.order = binary.BigEndian
	} else if b != nil && binary.LittleEndian.Uint32(b) != 1 {
		r.fail("the byte order is not given by the number 1: the file is damaged")
	}
}

// expect reads the end of a section.
func (r *mshReader) expect(end string) {
	// If something else follows, the counts of the section were wrong.
	if w := r.word(); r.err == nil && w != end {
		r.fail("found %s where %s belongs: the data before it are longer than announced, or damaged", found(w), end)
	}
}

// passSection skips a section that has no mesh.
func (r *mshReader) passSection(name string) {
	if len(name) < 2 || name[0] != '$' || strings.HasPrefix(name, "$End") {
		r.fail("found %s where a section such as $Nodes belongs", found(name))
		return
	}
	// Search for the end rather than parse the section: its layout does not
	// matter here.
	end := "$End" + name[1:]
	i := bytes.Index(r.data[r.pos:], []byte(end))
	if i < 0 {
		r.fail("section %s does not end with %s: the file is cut short", found(name), end)
		return
	}
	r.pos += i + len(end)
}

// small reads an int: a word of an ASCII file, 32 bits of a binary one.
func (r *mshReader) small(what string) int64 {
	if r.binary {
		return int64(r.int32(what))
	}
	return r.integer(what)
}

// big reads a size_t: a word, 64 bits in version 4.1, 32 bits in version 2.2.
func (r *mshReader) big(what string) int64 {
	switch {
	case !r.binary:
		return r.integer(what)
	case r.four:
		return r.int64(what)
	}
	return int64(r.int32(what))
}

// coordinate reads a double.
func (r *mshReader) coordinate() float64 {
	if r.binary {
		return r.float64("a coordinate")
	}
	return r.real("a coordinate")
}

// fits checks a count of items, each at least size bytes long in a binary file,
// against the bytes that are left.
func (r *mshReader) fits(n int64, what string, size int) int {
	// A word takes at least two bytes: a digit and a blank.
	if !r.binary {
		size = 2
	}
	// Refuse before memory is allocated.
	if r.err == nil && !r.mayHold(n, size) {
		r.fail("%d %s are announced, but only %d bytes follow: the file is cut short or the count is wrong", n, what, len(r.data)-r.pos)
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

// readNodes reads the section $Nodes of either version.
func (r *mshReader) readNodes() {
	// A second list would change what numbers mean.
	if r.nodes {
		r.fail("$Nodes is given twice: keep one")
		return
	}
	r.nodes = true
	// Version 2.2: one node a line.
	if !r.four {
		n := r.fits(r.plainCount("nodes"), "nodes", 28)
		for i := 0; i < n && r.err == nil; i++ {
			// Numbers of nodes may be in any order.
			tag := r.small("the number of a node")
			r.addNode(tag, r3.Vec{r.coordinate(), r.coordinate(), r.coordinate()})
		}
		return
	}
	// Version 4.1: blocks, each with its numbers first, then its positions.
	blocks := r.fits(r.big("the number of blocks"), "blocks of nodes", 20)
	// Totals and bounds repeat numbers of the blocks.
	for range 3 { // nodes in all, least and largest number
		r.big("a count")
	}
	var tags []int64
	for i := 0; i < blocks && r.err == nil; i++ {
		dim := r.small("a dimension")
		r.small("an entity")
		parametric := r.small("0 or 1")
		n := r.fits(r.big("a number of nodes"), "nodes", 32)
		// All numbers of a block come before its positions.
		tags = tags[:0]
		for k := 0; k < n && r.err == nil; k++ {
			tags = append(tags, r.big("the number of a node"))
		}
		for k := 0; k < n && r.err == nil; k++ {
			at := r.pos
			p := r3.Vec{r.coordinate(), r.coordinate(), r.coordinate()}
			// Coordinates on the geometric entity follow.
			if parametric != 0 {
				for range min(max(dim, 0), 3) {
					r.coordinate()
				}
			}
			if r.err == nil {
				// A repeated number is reported at its node.
				r.at = at
				r.addNode(tags[k], p)
			}
		}
	}
}

// plainCount reads a count that is text even in binary files of version 2.2.
func (r *mshReader) plainCount(what string) int64 {
	n := r.integer("the number of " + what)
	if r.binary {
		r.line()
	}
	return n
}

// addNode appends a vertex with its number.
func (r *mshReader) addNode(tag int64, p r3.Vec) {
	if r.err != nil {
		return
	}
	if _, twice := r.index[tag]; twice {
		r.fail("node %d is given twice: numbers must be unique", tag)
		return
	}
	// Vertices get numbers in the order of the file.
	r.index[tag] = int32(len(r.m.Verts))
	r.m.Verts = append(r.m.Verts, p)
}

// readElements reads the section $Elements of either version.
func (r *mshReader) readElements() {
	r.cells = true
	switch {
	case r.four:
		r.elements4()
	case r.binary:
		r.elements2Binary()
	default:
		// One element a line: number, type, tags, nodes.
		n := r.fits(r.plainCount("elements"), "elements", 2)
		for i := 0; i < n && r.err == nil; i++ {
			r.integer("the number of an element")
			kind := r.kind(r.integer("an element type"))
			for range r.fits(r.integer("the number of tags"), "tags", 2) {
				r.integer("a tag")
			}
			r.element(kind, i)
		}
	}
}

// elements2Binary reads blocks of elements of one type with equal numbers of
// tags.
func (r *mshReader) elements2Binary() {
	n := r.fits(r.plainCount("elements"), "elements", 4)
	// Blocks of one type with a common number of tags.
	for i := 0; i < n && r.err == nil; {
		kind := r.kind(r.small("an element type"))
		follow, tags := r.fits(r.small("a number of elements"), "elements", 4), r.fits(r.small("the number of tags"), "tags", 4)
		// An empty block would never end the loop.
		if r.err == nil && follow == 0 {
			r.fail("a block of elements is empty: the file is damaged")
		}
		for k := 0; k < follow && r.err == nil; k++ {
			// The number and tags of each element are skipped.
			r.bytes(4+4*tags, "the tags of an element")
			r.element(kind, i)
			i++
		}
	}
}

// elements4 reads blocks of elements of one type on one geometric entity.
func (r *mshReader) elements4() {
	blocks := r.fits(r.big("the number of blocks"), "blocks of elements", 20)
	for range 3 {
		r.big("a count")
	}
	i := 0
	for b := 0; b < blocks && r.err == nil; b++ {
		r.small("a dimension")
		r.small("an entity")
		// The entity is of no interest; the type is that of the whole block.
		kind := r.kind(r.small("an element type"))
		n := r.fits(r.big("a number of elements"), "elements", 16)
		for k := 0; k < n && r.err == nil; k++ {
			r.big("the number of an element")
			r.element(kind, i)
			i++
		}
	}
}

// kind looks an element type up.
func (r *mshReader) kind(n int64) mshKind {
	// Types of order four and higher are not listed.
	k, ok := mshKinds[int(n)]
	if r.err == nil && !ok {
		r.fail("element type %d is not one of Gmsh's common ones: only triangles (2) and tetrahedra (4) are supported", n)
	}
	return k
}

// element reads the nodes of one element and adds its corners as a cell.
func (r *mshReader) element(kind mshKind, i int) {
	// Map node numbers to vertices.
	r.row = r.row[:0]
	for k := 0; k < kind.nodes && r.err == nil; k++ {
		tag := r.big("a node")
		v, ok := r.index[tag]
		if r.err == nil && !ok {
			r.fail("element %d uses node %d, which $Nodes does not give", i, tag)
		}
		r.row = append(r.row, int64(v))
	}
	// Only the corners continue to the cell.
	if r.err == nil {
		r.m.addCell(&r.scan, kind.vtk, r.row[:min(len(r.row), vtkCorners(kind.vtk, len(r.row)))], i)
	}
}

// vtkCorners returns how many of the n nodes of a cell are read: a quad of
// second order keeps its four corners, other cells are cut by addCell.
func vtkCorners(vtk int64, n int) int {
	if vtk == 9 {
		return 4
	}
	return n
}
