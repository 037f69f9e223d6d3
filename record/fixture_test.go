package record

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// swing is a made-up recording: a box that turns, and a soft wedge of two tets
// that moves, stretches and presses on the box.
func swing() *Recording {
	rec := &Recording{}
	st := &rec.Static
	st.Title, st.Gravity, st.Bodies = "swing", r3.Vec{0, 0, -9.81}, []string{"box"}
	st.NumQ, st.NumV = 2, 1
	m := &meshes.Tri{
		Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		Tris:  [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
	st.Geoms = []Geom{
		{Name: "table", Body: -1, X_BG: r3.PoseIdentity(), Ground: 2},
		{Name: "shell", Body: 0, X_BG: r3.Pose{R: r3.Identity(), P: r3.Vec{0.5, 0, 0}}, Mesh: m, Color: "#ff0000"},
		{Name: "hull", Body: 0, X_BG: r3.PoseIdentity(), Mesh: m, Hidden: true},
	}
	soft := meshes.Tet{
		Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}},
		Tets:  [][4]int32{{0, 1, 2, 3}, {1, 2, 3, 4}},
	}
	if soft.Volume(1) < 0 {
		soft.Tets[1] = [4]int32{1, 3, 2, 4}
	}
	tris, _ := soft.Boundary()
	st.Deformables = []Deformable{{Name: "wedge", Rest: soft.Verts, Tets: soft.Tets, Tris: tris}}
	for k := range 5 {
		t := float64(k) / 10
		f := Frame{
			Time: t, Q: []float64{t, 2}, V: []float64{1},
			Poses:    []r3.Pose{{R: r3.RotExp(r3.Vec{0, 0, 3 * t}), P: r3.Vec{0, t, 0}}},
			VonMises: [][]float32{{float32(10 * k), float32(20 * k)}},
		}
		var x, v []r3.Vec
		for _, p := range soft.Verts {
			x = append(x, r3.Vec{p[0] * (1 + t), p[1], p[2] + 4*t*t})
			v = append(v, r3.Vec{0, 0, 8 * t})
		}
		f.Verts, f.Vels = [][]r3.Vec{x}, [][]r3.Vec{v}
		if k > 0 {
			f.Contacts = []Contact{{
				A: 0, B: 1, Pos_W: r3.Vec{0.3, 0.3, 0}, Normal_W: r3.Vec{0, 0, 1}, Force_W: r3.Vec{0.5, 0, 2}, Phi: -1e-4, Area: 0.25, Elem: [2]int32{1, 2},
			}}
		}
		rec.Frames = append(rec.Frames, f)
	}
	return rec
}

// encoded returns the bytes of a recording.
func encoded(t testing.TB, rec *Recording) []byte {
	var b bytes.Buffer
	w, err := NewWriter(&b, &rec.Static)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rec.Frames {
		if err := w.Frame(&rec.Frames[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// grid is a VTU file as read back.
type grid struct {
	points, cells int
	arrays        map[string][]float64 // by section/name
	width         map[string]int
}

func readVTU(t *testing.T, path string) *grid {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g := &grid{arrays: map[string][]float64{}, width: map[string]int{}}
	d := xml.NewDecoder(f)
	section := ""
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return g
		} else if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		at := map[string]string{}
		for _, a := range e.Attr {
			at[a.Name.Local] = a.Value
		}
		switch e.Name.Local {
		case "Piece":
			g.points, _ = strconv.Atoi(at["NumberOfPoints"])
			g.cells, _ = strconv.Atoi(at["NumberOfCells"])
		case "Points", "Cells", "PointData", "CellData", "FieldData":
			section = e.Name.Local
		case "DataArray", "Array":
			var body string
			if err := d.DecodeElement(&body, &e); err != nil {
				t.Fatal(err)
			}
			key := section + "/" + at["Name"]
			g.width[key] = 1
			if n, err := strconv.Atoi(at["NumberOfComponents"]); err == nil {
				g.width[key] = n
			}
			g.arrays[key] = decodeArray(t, body, at["type"])
		}
	}
}

func decodeArray(t *testing.T, s, kind string) []float64 {
	t.Helper()
	s = strings.TrimSpace(s)
	first, err := base64.StdEncoding.DecodeString(s[:12])
	if err != nil {
		t.Fatal(err)
	}
	// the head: number of blocks, their length, the last one's, compressed lengths
	blocks := int(binary.LittleEndian.Uint64(first))
	size := base64.StdEncoding.EncodedLen(8 * (3 + blocks))
	head, err := base64.StdEncoding.DecodeString(s[:size])
	if err != nil {
		t.Fatal(err)
	}
	z, err := base64.StdEncoding.DecodeString(s[size:])
	if err != nil {
		t.Fatal(err)
	}
	var raw []byte
	for i := range blocks {
		n := int(binary.LittleEndian.Uint64(head[24+8*i:]))
		r, err := zlib.NewReader(bytes.NewReader(z[:n]))
		if err != nil {
			t.Fatal(err)
		}
		block, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		raw, z = append(raw, block...), z[n:]
	}
	if len(z) != 0 {
		t.Fatalf("%d bytes behind the last block", len(z))
	}
	var out []float64
	switch kind {
	case "UInt8":
		for _, b := range raw {
			out = append(out, float64(b))
		}
	case "Int32", "Float32":
		for ; len(raw) > 0; raw = raw[4:] {
			u := binary.LittleEndian.Uint32(raw)
			if kind == "Int32" {
				out = append(out, float64(int32(u)))
			} else {
				out = append(out, float64(math.Float32frombits(u)))
			}
		}
	case "Int64", "Float64":
		for ; len(raw) > 0; raw = raw[8:] {
			u := binary.LittleEndian.Uint64(raw)
			if kind == "Int64" {
				out = append(out, float64(int64(u)))
			} else {
				out = append(out, math.Float64frombits(u))
			}
		}
	default:
		t.Fatalf("type %s", kind)
	}
	return out
}
