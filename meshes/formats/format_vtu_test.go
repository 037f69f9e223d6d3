package formats

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
)

// A grid with cells of all kinds and fields of 1, 3 and 9 components.
func fieldGrid(n int, raw bool) *VTU {
	tet := samples.GridTets(n, 0.01)
	v := &VTU{Points: tet.Verts, Tets: tet.Tets, Tris: [][3]int32{{0, 1, 2}}, Lines: [][2]int32{{0, 1}}, Verts: []int32{3}, Time: 1.25, HasTime: true, Raw: raw}
	r := rand.New(rand.NewPCG(1, 2))
	var p, q, f []float64
	for range v.Points {
		p = append(p, r.NormFloat64())
	}
	for range v.cells() {
		q = append(q, r.NormFloat64())
		for range 9 {
			f = append(f, r.NormFloat64())
		}
	}
	p[0] = math.NaN()
	v.PointData = []Field{Scalars(`pressure <p> & "q"`, p), Vectors("velocity", v.Points)}
	v.CellData = []Field{Scalars("von Mises", q), {"F", 9, f}}
	return v
}

// The numbers come back bit by bit from both encodings, over several blocks.
func TestVtuGivesItsNumbersBack(t *testing.T) {
	for _, raw := range []bool{false, true} {
		v := fieldGrid(12, raw)
		var b bytes.Buffer
		if err := v.Write(&b); err != nil {
			t.Fatal(err)
		}
		m, err := readVTU(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Verts, v.Points) || !slices.Equal(m.Tets, v.Tets) || !slices.Equal(m.Tris, v.Tris) {
			t.Errorf("raw %v: the mesh changed", raw)
		}
		// The fields, through the reader's own decoding.
		r := &vtuReader{data: b.Bytes(), order: binary.LittleEndian, head: 8, compressed: true, budget: 1 << 30}
		r.dec = xml.NewDecoder(bytes.NewReader(r.cutTail(b.Bytes())))
		arrays := map[string]vtuArray{}
		for {
			tok, err := r.dec.Token()
			if err != nil {
				break
			}
			if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "DataArray" {
				a, err := r.array(e)
				if err != nil {
					t.Fatal(err)
				}
				arrays[a.name] = a
			}
		}
		for _, f := range append(slices.Clone(v.PointData), v.CellData...) {
			got, err := r.numbers(arrays, f.Name)
			if err != nil || len(got) != len(f.Values) {
				t.Fatalf("field %q: %d numbers, %v", f.Name, len(got), err)
			}
			for i := range got {
				if math.Float64bits(got[i]) != math.Float64bits(f.Values[i]) {
					t.Fatalf("field %q: number %d is %v, want %v", f.Name, i, got[i], f.Values[i])
				}
			}
		}
		if got, err := r.numbers(arrays, "TimeValue"); err != nil || !slices.Equal(got, []float64{1.25}) {
			t.Errorf("TimeValue %v, %v", got, err)
		}
	}
}

func TestVtuOfOtherWritersIsRead(t *testing.T) {
	flat := func(f func(b *bytes.Buffer)) string {
		var body bytes.Buffer
		f(&body)
		head := binary.LittleEndian.AppendUint32(nil, uint32(body.Len()))
		return base64.StdEncoding.EncodeToString(append(head, body.Bytes()...))
	}
	little := func(v any) func(*bytes.Buffer) {
		return func(b *bytes.Buffer) {
			if err := binary.Write(b, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	var points []float32
	for _, p := range samples.OneTet {
		points = append(points, float32(p[0]), float32(p[1]), float32(p[2]))
	}
	text := `<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian"><UnstructuredGrid><Piece NumberOfPoints="4" NumberOfCells="1">
<PointData><DataArray type="Float64" Name="points" format="ascii">1 2</DataArray></PointData>
<Points><DataArray type="Float32" NumberOfComponents="3" format="binary">` + flat(little(points)) + `</DataArray></Points>
<Cells><DataArray type="Int32" Name="connectivity" format="ascii">0 1 2 3</DataArray>
<DataArray type="Int64" Name="offsets" format="appended" offset="0"/>
<DataArray type="UInt8" Name="types" format="ascii"> 10 </DataArray></Cells></Piece></UnstructuredGrid>
<AppendedData encoding="base64">_` + flat(little([]int64{4})) + `</AppendedData></VTKFile>`
	m, err := readVTU([]byte(text))
	checkOneTet(t, "mixed", m, err)
	for _, c := range []struct{ old, now, want string }{
		{"0 1 2 3", "0 1 2 4", "line 4: cell 0 uses vertex 4"},
		{"0 1 2 3", "0 1 x 3", `line 4: array "connectivity": found "x"`},
		{`offset="0"`, `offset="999"`, "beyond the"},
		{">_", ">_!!", "not base64"},
		{`NumberOfPoints="4"`, `NumberOfPoints="5"`, `announces "5" points, but 12 coordinates`},
		{"</Cells>", "", "line"},
	} {
		if _, err := readVTU([]byte(strings.Replace(text, c.old, c.now, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s → %s: %v", c.old, c.now, err)
		}
	}
}

func TestVtuRefusesFieldsThatDoNotFit(t *testing.T) {
	v := fieldGrid(1, false)
	v.PointData[1].Values = v.PointData[1].Values[1:]
	if err := v.Write(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), `"velocity" has 23 numbers: 8 × 3`) {
		t.Errorf("%v", err)
	}
	v = fieldGrid(1, false)
	v.CellData[1].Name = "von Mises"
	if err := v.Write(&bytes.Buffer{}); err == nil {
		t.Error("two fields of one name are written")
	}
	v = fieldGrid(1, false)
	v.Verts[0] = 8
	if err := v.Write(&bytes.Buffer{}); err == nil {
		t.Error("a dot on no point is written")
	}
}

func TestPvdListsTimesAndEscapesNames(t *testing.T) {
	var p PVD
	p.Add(0, 0, "a<b", "x/a.vtu")
	p.Add(0.1, 0, "", "x/b.vtu")
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Sets []struct {
			Time float64 `xml:"timestep,attr"`
			Name string  `xml:"name,attr"`
			File string  `xml:"file,attr"`
		} `xml:"Collection>DataSet"`
	}
	if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Sets) != 2 || doc.Sets[0].Name != "a<b" || doc.Sets[1].Time != 0.1 || doc.Sets[1].File != "x/b.vtu" {
		t.Errorf("%+v", doc)
	}
	p.Add(math.NaN(), 0, "", "c")
	if p.Write(&b) == nil {
		t.Error("a time that is not a number is written")
	}
}
