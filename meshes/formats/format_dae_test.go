package formats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// dae wraps geometries and nodes as a COLLADA file in centimetres.
func dae(geometry, nodes string) string {
	return `<?xml version="1.0" encoding="utf-8"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="pos"><float_array id="a" count="15">0 0 0 1 0 0 1 1 0 0 1 0 0 0 2</float_array><technique_common><accessor source="#a" count="5" stride="3"/></technique_common></source>
<source id="nrm"><float_array count="3">0 0 1</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#pos"/></vertices>` + geometry + `</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">` + nodes + `</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`
}

// All kinds of primitives give the two halves of the square 0 1 2 3, with indices of normals between
// those of vertices.
func TestColladaPrimitivesBecomeTriangles(t *testing.T) {
	const inputs = `<input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#nrm" offset="1"/>`
	area := func(m *RawMesh) (sum r3.Vec) {
		for _, tri := range m.Tris {
			a := m.Verts[tri[0]]
			sum = sum.Add(m.Verts[tri[1]].Sub(a).Cross(m.Verts[tri[2]].Sub(a)).Scale(0.5))
		}
		return sum
	}
	for _, g := range []string{
		`<triangles count="2">` + inputs + `<p>0 0 1 0 2 0 0 0 2 0 3 0</p></triangles>`,
		`<polylist count="1">` + inputs + `<vcount>4</vcount><p>0 0 1 0 2 0 3 0</p></polylist>`,
		`<polygons count="1">` + inputs + `<p>0 0 1 0 2 0 3 0</p></polygons>`,
		`<trifans count="1">` + inputs + `<p>0 0 1 0 2 0 3 0</p></trifans>`,
		`<tristrips count="1">` + inputs + `<p>0 0 1 0 3 0 2 0</p></tristrips>`,
	} {
		m, err := (&daeFormat{}).Read([]byte(dae(g, `<node><instance_geometry url="#g"/></node>`)))
		if err != nil {
			t.Fatalf("%s: %v", g, err)
		}
		// 1 cm², its normal along z: the up axis turns nothing
		if a := area(m); len(m.Tris) != 2 || a.Sub(r3.Vec{0, 0, 1e-4}).Norm() > 1e-18 {
			t.Errorf("%s: %d triangles of area %v", g, len(m.Tris), a)
		}
	}
}

// Nodes place geometries: elements of a node apply from the last to the first, inner nodes before
// outer ones; instances of nodes repeat them, and mirrors turn triangles.
func TestColladaNodesPlaceGeometries(t *testing.T) {
	const tri = `<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 4</p></triangles>`
	for _, c := range []struct {
		nodes string
		want  []r3.Vec // of vertices 0, 1, 4 in cm, as the triangle lists them
	}{
		// (1,0,0) turns to (0,1,0), doubled, shifted
		{`<node><translate>1 2 3</translate><rotate>0 0 2 90</rotate><scale>2 2 2</scale><instance_geometry url="#g"/></node>`,
			[]r3.Vec{{1, 2, 3}, {1, 4, 3}, {1, 2, 7}}},
		{`<node><matrix>0 -1 0 5  1 0 0 6  0 0 1 7  0 0 0 1</matrix><node><translate>1 0 0</translate><instance_geometry url="#g"/></node></node>`,
			[]r3.Vec{{5, 7, 7}, {5, 8, 7}, {5, 7, 9}}},
		{`<node id="n"><translate>0 0 0</translate><instance_geometry url="#g"/></node><node><translate>10 0 0</translate><instance_node url="#n"/></node>`,
			[]r3.Vec{{}, {1, 0, 0}, {0, 0, 2}, {10, 0, 0}, {11, 0, 0}, {10, 0, 2}}},
		{`<node><scale>-1 1 1</scale><instance_geometry url="#g"/></node>`,
			[]r3.Vec{{}, {0, 0, 2}, {-1, 0, 0}}},
	} {
		m, err := (&daeFormat{}).Read([]byte(dae(tri, c.nodes)))
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Tris)*3 != len(c.want) {
			t.Fatalf("%s: %d triangles", c.nodes, len(m.Tris))
		}
		for i, want := range c.want {
			if p := m.Verts[m.Tris[i/3][i%3]]; p.Sub(want.Scale(0.01)).Norm() > 1e-15 {
				t.Errorf("%s: corner %d at %v m, want %v cm", c.nodes, i, p, want)
			}
		}
	}
}

func TestFaultyColladaIsRefused(t *testing.T) {
	const v = `<input semantic="VERTEX" source="#v" offset="0"/>`
	const node = `<node><instance_geometry url="#g"/></node>`
	deep := strings.Repeat("<node>", 70) + strings.Repeat("</node>", 70)
	// 2^20 copies by 20 levels of two instances each
	var bomb strings.Builder
	for i := range 20 {
		fmt.Fprintf(&bomb, `<node id="n%d"><instance_node url="#n%d"/><instance_node url="#n%d"/></node>`, i, i+1, i+1)
	}
	for _, c := range [][2]string{
		{dae(`<triangles>`+v+`<p>0 1 5</p></triangles>`, node), `geometry "g": <p> names vertex "5"`},
		{dae(`<triangles>`+v+`<p>0 1 -1</p></triangles>`, node), `<p> names vertex "-1"`},
		{dae(`<polylist>`+v+`<vcount>4</vcount><p>0 1 2</p></polylist>`, node), `<vcount> "4": 3 corners are left`},
		{dae(`<triangles><p>0 1 2</p></triangles>`, node), "triangles without <input"},
		{dae("", `<node><translate>1 2</translate></node>`), "<translate>: 3 numbers are required"},
		{dae("", `<node><scale>1 x 1</scale></node>`), `"x" is not a finite number`},
		{dae("", deep), "nest too deep"},
		{dae("", bomb.String()), "instances of them are too many"},
		{"<COLLADA><asset></COLLADA", "not well-formed COLLADA"},
	} {
		if _, err := (&daeFormat{}).Read([]byte(c[0])); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%.80s: %v, want %s", c[0], err, c[1])
		}
	}
}
