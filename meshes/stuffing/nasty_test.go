package stuffing

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// nasty is one broken STL file and what has to become of it.
type nasty struct {
	name string
	data []byte
	// part of the error of reading; "" if it is read
	refused string
	// kind of a finding on reading or repairing; "" for none
	told string
	// volume after repair, m³; NaN where the surface has to stay open, with an error
	volume float64
}

// nastyCube is a cube of 10 m with 12 triangles, whose volume is 1000 m³.
func nastyCube() *meshes.Tri { return surfaces.Welded(samples.GridBox(r3.Vec{5, 5, 5}, 1)) }

// binaryOf returns a binary STL file of m.
func binaryOf(m *meshes.Tri) []byte {
	var b bytes.Buffer
	_, stl := formats.FormatByExtension(".stl")
	if err := stl.(formats.SurfaceWriter).WriteTri(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// asciiOf returns an STL file of m as text with a number format and line ends.
func asciiOf(m *meshes.Tri, number, end string) []byte {
	var b strings.Builder
	b.WriteString("solid s" + end)
	for _, t := range m.Tris {
		b.WriteString("facet normal 0 0 0" + end + "outer loop" + end)
		for _, v := range t {
			p := m.Verts[v]
			fmt.Fprintf(&b, "vertex "+number+" "+number+" "+number+end, p[0], p[1], p[2])
		}
		b.WriteString("endloop" + end + "endfacet" + end)
	}
	b.WriteString("endsolid s" + end)
	return []byte(b.String())
}

// edited returns a cube after a change.
func edited(change func(m *meshes.Tri)) *meshes.Tri {
	m := nastyCube()
	change(m)
	return m
}

// withoutTop removes the upper side.
func withoutTop(m *meshes.Tri) {
	top := m.Bounds().Max[2]
	m.Tris = slices.DeleteFunc(m.Tris, func(t [3]int32) bool {
		return m.Verts[t[0]][2] == top && m.Verts[t[1]][2] == top && m.Verts[t[2]][2] == top
	})
}

// at returns a cube of 10 m moved by d, m.
func at(d r3.Vec) *meshes.Tri { return samples.Moved(nastyCube(), r3.Pose{R: r3.Identity(), P: d}) }

// nastyFiles returns thirty broken files, made from cubes so that the volumes are known.
func nastyFiles() []nasty {
	whole := binaryOf(nastyCube())
	vertex := func(n int) int { return 84 + 50*(n/3) + 12 + 12*(n%3) }
	patched := func(n int, bits uint32) []byte {
		b := slices.Clone(whole)
		binary.LittleEndian.PutUint32(b[vertex(n):], bits)
		return b
	}
	// a binary file that announces n triangles
	counted := func(b []byte, n uint32) []byte {
		b = slices.Clone(b)
		binary.LittleEndian.PutUint32(b[80:], n)
		return b
	}
	solid := slices.Clone(whole)
	copy(solid, "solid of a binary file")
	two := binaryOf(samples.Together(nastyCube(), at(r3.Vec{20, 0, 0})))
	nan := math.NaN()
	return []nasty{
		{"binary that begins with solid", solid, "", "", 1000},
		{"text with CRLF and exponents", asciiOf(nastyCube(), "%.7e", "\r\n"), "", "", 1000},
		{"text with capitals", bytes.ToUpper(asciiOf(nastyCube(), "%g", "\n")), "", "", 1000},
		{"text cut off", asciiOf(nastyCube(), "%g", "\n")[:900], "the STL is damaged here", "", 0},
		{"text with a comma for a point", asciiOf(nastyCube(), "%.0f,5", "\n"), "line 4", "", 0},
		{"empty file", nil, "empty", "", 0},
		{"header only", whole[:80], "", "", 0},
		{"no triangles", counted(whole[:84], 0), "no triangle", "", 0},
		{"count too large", counted(whole, 1000), "", "", 0},
		{"count too small: a cube behind it", counted(two, 12), "", "trailing", 1000},
		{"bytes behind the last facet", append(slices.Clone(whole), "junk"...), "", "trailing", 1000},
		{"coordinate not a number", patched(4, 0x7fc00000), "finite", "", 0},
		{"coordinate infinite", patched(4, 0x7f800000), "finite", "", 0},
		{"one facet turned over", binaryOf(edited(func(m *meshes.Tri) { t := m.Tris[3]; m.Tris[3] = [3]int32{t[1], t[0], t[2]} })), "", "oriented", 1000},
		{"inside out", binaryOf(samples.InsideOut(nastyCube())), "", "oriented", 1000},
		{"facet missing", binaryOf(edited(func(m *meshes.Tri) { m.Tris = m.Tris[1:] })), "", "filled", 1000},
		{"side missing", binaryOf(edited(withoutTop)), "", "hole", nan},
		{"facet twice", binaryOf(edited(func(m *meshes.Tri) { m.Tris = append(m.Tris, m.Tris[2]) })), "", "duplicate", 1000},
		{"facet to a point", binaryOf(edited(func(m *meshes.Tri) { m.Tris = append(m.Tris, [3]int32{1, 1, 2}) })), "", "degenerate", 1000},
		{"needle beside an edge", binaryOf(needled()), "", "sliver", 1000},
		{"T-junction", binaryOf(samples.Scaled(samples.WithJunctions(0.5), r3.Vec{5, 5, 5})), "", "t-junction", 1000},
		{"three T-junctions", binaryOf(samples.Scaled(samples.WithJunctions(0.25, 0.5, 0.75), r3.Vec{5, 5, 5})), "", "t-junction", 1000},
		{"corners off by round-off", binaryOf(frayed()), "", "weld", 1000},
		{"stray facet inside", binaryOf(samples.Together(nastyCube(), &meshes.Tri{Verts: []r3.Vec{{1, 1, 1}, {2, 1, 1}, {1, 2, 1}}, Tris: [][3]int32{{0, 1, 2}}})), "", "stray", 1000},
		{"cavity", binaryOf(samples.Together(nastyCube(), samples.InsideOut(samples.Scaled(at(r3.Vec{}), r3.Vec{0.5, 0.5, 0.5})))), "", "", 875},
		{"two solids along one edge", binaryOf(samples.Together(nastyCube(), at(r3.Vec{10, 10, 0}))), "", "", 2000},
		{"two solids at one corner", binaryOf(samples.Together(nastyCube(), at(r3.Vec{10, 10, 10}))), "", "", 2000},
		{"solids that overlap", binaryOf(samples.Together(nastyCube(), at(r3.Vec{5, 3, 2}))), "", "self-intersection", 2000},
		{"solid twice", binaryOf(samples.Together(nastyCube(), nastyCube())), "", "duplicate", 1000},
		{"far from the origin", binaryOf(at(r3.Vec{4096, 4096, 4096})), "", "", 1000},
	}
}

// needled is a cube with a triangle of no area between two triangles.
func needled() *meshes.Tri {
	return edited(func(m *meshes.Tri) {
		t := m.Tris[0]
		v := int32(len(m.Verts))
		m.Verts = append(m.Verts, m.Verts[t[0]].Lerp(m.Verts[t[1]], 0.5))
		m.Tris[0] = [3]int32{t[0], v, t[2]}
		m.Tris = append(m.Tris, [3]int32{v, t[1], t[2]}, [3]int32{t[0], t[1], v})
	})
}

// frayed is a cube whose triangles do not share corners exactly.
func frayed() *meshes.Tri {
	m := samples.AsSTL(nastyCube(), r3.Pose{R: r3.Identity()})
	for i := range m.Verts {
		m.Verts[i][i%3] += 2e-6 * float64(i%5-2)
	}
	return m
}

// Thirty broken STL files are read and repaired, or refused with words that say what is
// wrong: no volume changes unsaid.
func TestThirtyNastyFilesOfSTL(t *testing.T) {
	files := nastyFiles()
	if len(files) != 30 {
		t.Errorf("%d files", len(files))
	}
	for _, c := range files {
		m, rep, err := formats.ReadTriFrom(bytes.NewReader(c.data), ".stl", formats.ReadOptions{})
		if err != nil || c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) || c.volume != 0 {
				t.Errorf("%s: error %v, want %q", c.name, err, c.refused)
			}
			continue
		}
		fixed, more := repair.Repair(m, repair.DefaultOptions())
		d := repair.Diagnose(fixed)
		found := d.Findings(fixed)
		if c.told != "" && rep.Count(c.told)+more.Count(c.told)+found.Count(c.told) == 0 {
			t.Errorf("%s: nothing said of %s: %s %s %s", c.name, c.told, rep.String(), more.String(), found.String())
		}
		if err := repair.Watertight(fixed); math.IsNaN(c.volume) {
			if err == nil {
				t.Errorf("%s: the surface is closed", c.name)
			}
			continue
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if math.Abs(d.Volume-c.volume) > 1e-3 || len(d.Degenerate) > 0 {
			t.Errorf("%s: %g m³, want %g; %d triangles without an area", c.name, d.Volume, c.volume, len(d.Degenerate))
		}
	}
	// What two cubes share, 5 × 7 × 8 m, is known.
	m := surfaces.Welded(samples.Together(nastyCube(), at(r3.Vec{5, 3, 2})))
	if v := repair.SharedVolume(m); math.Abs(v-5*7*8) > 1e-3 {
		t.Errorf("two cubes share %g m³, want %d", v, 5*7*8)
	}
}
