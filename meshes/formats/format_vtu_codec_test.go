package formats

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// vtuCodec writes grids in one of the encodings that VTK has for arrays. It is
// written from Kitware's description of the format and shares no code with the
// reader and the writer under test.
type vtuCodec struct {
	format string           // "ascii", "binary" (inline base64), "base64" or "raw" (both appended)
	order  binary.ByteOrder // of all numbers and heads
	wide   bool             // heads of 64 bits
	block  int              // bytes of each compressed block; 0: uncompressed
	tail   bytes.Buffer     // appended data
}

func (c *vtuCodec) String() string {
	return fmt.Sprintf("%s, %v, wide %v, blocks of %d", c.format, c.order, c.wide, c.block)
}

// head encodes the numbers before the data of an array.
func (c *vtuCodec) head(v ...int) []byte {
	var b bytes.Buffer
	for _, x := range v {
		var err error
		if c.wide {
			err = binary.Write(&b, c.order, uint64(x))
		} else {
			err = binary.Write(&b, c.order, uint32(x))
		}
		if err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

// pack returns the head and the data of an array. They are separate only when the
// data are compressed: then base64 pads each of them.
func (c *vtuCodec) pack(payload []byte) (head, body []byte) {
	if c.block == 0 {
		return nil, append(c.head(len(payload)), payload...)
	}
	var sizes []int
	for part := range slices.Chunk(payload, c.block) {
		var z bytes.Buffer
		w := zlib.NewWriter(&z)
		w.Write(part)
		w.Close()
		sizes = append(sizes, z.Len())
		body = append(body, z.Bytes()...)
	}
	return c.head(append([]int{len(sizes), c.block, len(payload) % c.block}, sizes...)...), body
}

// array returns the element of an array and adds its data to the tail if they are
// appended.
func (c *vtuCodec) array(name, kind string, components int, values any) string {
	open := fmt.Sprintf(`<DataArray type="%s" Name="%s" NumberOfComponents="%d" `, kind, name, components)
	if c.format == "ascii" {
		return open + `format="ascii">` + strings.Trim(fmt.Sprint(values), "[]") + "</DataArray>\n"
	}
	var raw bytes.Buffer
	if err := binary.Write(&raw, c.order, values); err != nil {
		panic(err)
	}
	head, body := c.pack(raw.Bytes())
	text := base64.StdEncoding.EncodeToString(head) + base64.StdEncoding.EncodeToString(body)
	at := c.tail.Len()
	switch c.format {
	case "binary":
		return open + "format=\"binary\">\n  " + text + "\n</DataArray>\n"
	case "base64":
		c.tail.WriteString(text)
	case "raw":
		c.tail.Write(head)
		c.tail.Write(body)
	}
	return open + fmt.Sprintf("format=\"appended\" offset=\"%d\"/>\n", at)
}

// piece returns the element of one piece with tets.
func (c *vtuCodec) piece(m *meshes.Tet) string {
	var points []float64
	for _, p := range m.Verts {
		points = append(points, p[:]...)
	}
	var conn, offsets []int64
	var types []uint8
	for i, t := range m.Tets {
		for _, v := range t {
			conn = append(conn, int64(v))
		}
		offsets, types = append(offsets, int64(4*i+4)), append(types, 10)
	}
	return fmt.Sprintf("<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", len(m.Verts), len(m.Tets)) +
		"<Points>" + c.array("anything", "Float64", 3, points) + "</Points>\n<Cells>" +
		c.array("types", "UInt8", 1, types) + c.array("connectivity", "Int64", 1, conn) + c.array("offsets", "Int64", 1, offsets) +
		"</Cells></Piece>\n"
}

// file returns a whole file of pieces.
func (c *vtuCodec) file(pieces ...*meshes.Tet) []byte {
	c.tail.Reset()
	order, head, compressor := "LittleEndian", "UInt32", ""
	if c.order == binary.BigEndian {
		order = "BigEndian"
	}
	if c.wide {
		head = "UInt64"
	}
	if c.block > 0 {
		compressor = ` compressor="vtkZLibDataCompressor"`
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"%s\"%s>\n<UnstructuredGrid>\n", order, head, compressor)
	for _, m := range pieces {
		b.WriteString(c.piece(m))
	}
	b.WriteString("</UnstructuredGrid>\n")
	if c.tail.Len() > 0 {
		encoding := map[string]string{"raw": "raw", "base64": "base64"}[c.format]
		fmt.Fprintf(&b, "<AppendedData encoding=\"%s\">\n _", encoding)
		b.Write(c.tail.Bytes())
		b.WriteString("\n</AppendedData>\n")
	}
	b.WriteString("</VTKFile>\n")
	return b.Bytes()
}

// vtuCodecs are all combinations of the encodings.
func vtuCodecs() []*vtuCodec {
	var out []*vtuCodec
	for _, format := range []string{"ascii", "binary", "base64", "raw"} {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, wide := range []bool{false, true} {
				for _, block := range []int{0, 64, 1 << 15} {
					out = append(out, &vtuCodec{format: format, order: order, wide: wide, block: block})
				}
			}
		}
	}
	return out
}

// tetSoup has n tets on random vertices.
func tetSoup(r *rand.Rand, n int) *meshes.Tet {
	m := &meshes.Tet{}
	for range n + 4 {
		m.Verts = append(m.Verts, samples.RandomVec(r))
	}
	for range n {
		p := r.Perm(len(m.Verts))
		m.Tets = append(m.Tets, [4]int32{int32(p[0]), int32(p[1]), int32(p[2]), int32(p[3])})
	}
	return m
}

// sameTets reports whether a file gave the vertices and tets of m, bit by bit.
func sameTets(got *RawMesh, m *meshes.Tet) bool {
	return slices.Equal(got.Verts, m.Verts) && slices.Equal(got.Tets, m.Tets)
}

// A grid has the same vertices and cells in all 48 encodings, to the last bit.
func TestVtuIsReadInAllEncodings(t *testing.T) {
	r := samples.NewRand(t, 201)
	for _, c := range vtuCodecs() {
		m := tetSoup(r, 1+r.IntN(30))
		got, err := readVTU(c.file(m))
		if err != nil || !sameTets(got, m) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// Pieces become one mesh: the vertices of each piece are numbered behind those of
// the pieces before it. A piece may be empty.
func TestVtuPiecesAreJoined(t *testing.T) {
	r := samples.NewRand(t, 202)
	for _, c := range vtuCodecs() {
		var pieces []*meshes.Tet
		want := &meshes.Tet{}
		for range 1 + r.IntN(4) {
			m := tetSoup(r, 1+r.IntN(5))
			base := int32(len(want.Verts))
			want.Verts = append(want.Verts, m.Verts...)
			for _, v := range m.Tets {
				want.Tets = append(want.Tets, [4]int32{base + v[0], base + v[1], base + v[2], base + v[3]})
			}
			pieces = append(pieces, m)
		}
		got, err := readVTU(c.file(pieces...))
		if err != nil || !sameTets(got, want) {
			t.Errorf("%v, %d pieces: %v", c, len(pieces), err)
		}
	}
}

// A file that is cut anywhere gives an error with its place, unless only closing
// tags are lost.
func TestVtuCutAnywhereIsRefused(t *testing.T) {
	r := samples.NewRand(t, 203)
	m := tetSoup(r, 3)
	for _, c := range vtuCodecs() {
		data := c.file(m)
		// All data lie before the last closing tags.
		end := bytes.Index(data, []byte("</UnstructuredGrid>"))
		if c.tail.Len() > 0 {
			end = bytes.LastIndex(data, []byte("\n</AppendedData>"))
		}
		for range 40 {
			n := r.IntN(len(data))
			got, err := readVTU(data[:n])
			switch {
			case err != nil && !strings.Contains(err.Error(), "line"):
				t.Errorf("%v cut at byte %d: the error has no place: %v", c, n, err)
			case err == nil && n < end:
				t.Errorf("%v cut at byte %d of %d is accepted", c, n, len(data))
			case err == nil && !sameTets(got, m):
				t.Errorf("%v cut at byte %d gives another mesh", c, n)
			}
		}
	}
}

// zlib has a checksum: compressed data with any one bit flipped are refused, or give
// the same mesh where the bit means nothing.
func TestVtuChecksumsFindFlippedBits(t *testing.T) {
	r := samples.NewRand(t, 204)
	m := tetSoup(r, 4)
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		c := &vtuCodec{format: "raw", order: order, wide: true, block: 128}
		data := c.file(m)
		first := bytes.Index(data, []byte(" _")) + 2
		refused, tried := 0, 0
		for i := 0; i < 8*c.tail.Len(); i += 1 + r.IntN(10) {
			tried++
			damaged := slices.Clone(data)
			damaged[first+i/8] ^= 1 << (i % 8)
			got, err := readVTU(damaged)
			if err != nil {
				refused++
			} else if !sameTets(got, m) {
				t.Fatalf("%v: bit %d flipped gives another mesh", c, i)
			}
		}
		// The lengths of full and last block may mean the same in two ways: 16
		// bytes in the head of each of the four arrays.
		needless := float64(4*16) / float64(c.tail.Len())
		if share := float64(refused) / float64(tried); share < 1-1.5*needless {
			t.Errorf("%v: %.0f %% of the flipped bits are refused, %.0f %% mean nothing", c, 100*share, 100*needless)
		}
	}
}

// A small file that decompresses to far more than any mesh does is refused before
// it fills the memory.
func TestVtuRefusesIncredibleCompression(t *testing.T) {
	c := &vtuCodec{format: "raw", order: binary.LittleEndian, block: 8 << 20}
	m := &meshes.Tet{Verts: make([]r3.Vec, 1<<18)} // 6 MiB of zeros
	data := c.file(m)
	if len(data) > 1<<16 {
		t.Fatalf("the file takes %d bytes", len(data))
	}
	if _, err := readVTU(data); err == nil || !strings.Contains(err.Error(), "save it without compression") {
		t.Errorf("%v", err)
	}
}

// Attributes of the file decide how arrays are read: a wrong one is reported, not taken
// for numbers.
func TestVtuAttributesAreTakenSeriously(t *testing.T) {
	r := samples.NewRand(t, 205)
	m := tetSoup(r, 5)
	for _, c := range []struct{ format, old, now, want string }{
		{"raw", `header_type="UInt32"`, `header_type="UInt64"`, "cut short"},
		{"raw", `byte_order="LittleEndian"`, `byte_order="BigEndian"`, "cut short"},
		{"binary", `type="Float64"`, `type="Float16"`, `"Float16" is not one of VTK's`},
		{"binary", `format="binary"`, `format="hex"`, `the format is "hex"`},
		{"base64", `offset="0"`, `offset="-1"`, `offset "-1"`},
		{"base64", `offset="0"`, `offset="zero"`, `offset "zero"`},
		{"ascii", `type="UnstructuredGrid"`, `type="PolyData"`, "only UnstructuredGrid"},
		{"ascii", `header_type="UInt32"`, `compressor="vtkLZ4DataCompressor"`, "zlib or without compression"},
		{"ascii", `Name="offsets"`, `Name="ofsets"`, `no array "offsets"`},
		{"ascii", `Name="types"`, `Name="type"`, `no array "types"`},
		{"ascii", `NumberOfPoints="9"`, `NumberOfPoints="-9"`, `announces "-9" points`},
		{"ascii", "10 10 10 10 10", "10 10 10 10", "4 cell types are given for 5 cells"},
		{"ascii", "4 8 12 16 20", "4 3 12 16 20", "offset 1 is 3"},
		{"ascii", "4 8 12 16 20", "4 8 12 16 24", "offset 4 is 24"},
		{"ascii", "4 8 12 16 20", "4 NaN 12 16 20", "offset 1 is NaN"},
		{"ascii", "<Piece", "<Part", "no <Piece>"},
	} {
		codec := &vtuCodec{format: c.format, order: binary.LittleEndian}
		data := codec.file(m)
		if !bytes.Contains(data, []byte(c.old)) {
			t.Fatalf("%s: no %s in the file", c.format, c.old)
		}
		damaged := bytes.ReplaceAll(data, []byte(c.old), []byte(c.now))
		if c.old == "<Piece" {
			damaged = bytes.ReplaceAll(damaged, []byte("</Piece"), []byte("</Part"))
		}
		if _, err := readVTU(damaged); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s → %s: %v, want …%s…", c.old, c.now, err, c.want)
		}
	}
}

// What a compressor has packed before does not show in what it packs next: files are the same whenever they are
// written.
func TestPackedBytesDependOnTheirDataAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	data := make([]byte, 3*vtuBlock/2)
	for i := range data {
		data[i] = byte(rng.IntN(3) * rng.IntN(3))
	}
	_, want, err := deflate(data)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		noise := make([]byte, rng.IntN(2*vtuBlock))
		for i := range noise {
			noise[i] = byte(rng.IntN(2 + rng.IntN(4)))
		}
		if _, _, err := deflate(noise); err != nil {
			t.Fatal(err)
		}
		if _, got, err := deflate(data); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, want the %d of the first time: %v", len(got), len(want), err)
		}
	}
}
