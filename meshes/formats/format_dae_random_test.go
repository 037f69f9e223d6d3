package formats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// daeTree writes random nodes of COLLADA, and computes where they put the points of the geometry of dae.
type daeTree struct {
	r *rand.Rand
	// points are those of one copy of the geometry, by corner.
	points []r3.Vec
	// library are nodes that instances name, with the points that each places in its own frame.
	library []string
	placed  [][]r3.Vec
}

// transforms writes up to four transforms of all kinds, and returns their product.
func (d *daeTree) transforms() (text string, X matrix44) {
	X = matrix44{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	r := d.r
	for range r.IntN(5) {
		switch r.IntN(4) {
		case 0:
			p := samples.RandomVec(r)
			text += fmt.Sprintf("<translate sid=\"t\">%v\n%v\t%v</translate>", p[0], p[1], p[2])
			X = X.times(matrix44{{1, 0, 0, p[0]}, {0, 1, 0, p[1]}, {0, 0, 1, p[2]}, {0, 0, 0, 1}})
		case 1:
			s := samples.RandomVec(r)
			text += fmt.Sprintf("<scale>%v %v %v</scale>", s[0], s[1], s[2])
			X = X.times(matrix44{{s[0], 0, 0, 0}, {0, s[1], 0, 0}, {0, 0, s[2], 0}, {0, 0, 0, 1}})
		case 2: // Rodrigues: cos I + sin [a]× + (1 − cos) a aᵀ, in degrees about an axis of any length
			a, deg := samples.RandomVec(r), 720*r.Float64()-360
			text += fmt.Sprintf("<rotate>%v %v %v %v</rotate>", a[0], a[1], a[2], deg)
			a = a.Unit()
			s, c := math.Sincos(deg * math.Pi / 180)
			var R matrix44
			for i := range 3 {
				for j := range 3 {
					R[i][j] = (1 - c) * a[i] * a[j]
				}
				R[i][i] += c
				R[i][(i+1)%3] -= s * a[(i+2)%3]
				R[i][(i+2)%3] += s * a[(i+1)%3]
			}
			R[3][3] = 1
			X = X.times(R)
		case 3:
			var M matrix44
			text += "<matrix>"
			for i := range 4 {
				for j := range 4 {
					if M[i][j] = 2*r.Float64() - 1; i == 3 {
						M[i][j] = [4]float64{0, 0, 0, 1}[j]
					}
					text += fmt.Sprint(" ", M[i][j])
				}
			}
			text += "</matrix>"
			X = X.times(M)
		}
	}
	return text, X
}

// node writes a node with what it contains, and returns the points of its copies in the frame above.
func (d *daeTree) node(depth int, id string) (text string, points []r3.Vec) {
	moves, X := d.transforms()
	text = "<node id=\"" + id + "\">" + moves
	for range d.r.IntN(3) {
		switch k := d.r.IntN(4); {
		case k == 0:
			text += `<instance_geometry url="#g"/>`
			points = append(points, d.points...)
		case k == 1: // a skin stands for its geometry
			text += `<instance_controller url="#skin"/>`
			points = append(points, d.points...)
		case k == 2 && len(d.library) > 0:
			i := d.r.IntN(len(d.library))
			text += fmt.Sprintf(`<instance_node url="#lib%d"/>`, i)
			points = append(points, d.placed[i]...)
		case depth < 4:
			below, more := d.node(depth+1, fmt.Sprint(id, "x"))
			text += below + `<extra/><instance_light url="#none"/><instance_geometry url="#missing"/>`
			points = append(points, more...)
		}
	}
	for i, p := range points {
		points[i] = X.apply(p)
	}
	return text + "</node>", points
}

// Copies of a geometry are where the products of the transforms above them put it, in metres,
// whatever the kind of node that names them.
func TestColladaOfRandomTrees(t *testing.T) {
	r := samples.NewRand(t, 8)
	copies := 0
	for round := range 500 {
		d := &daeTree{r: r, points: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 0, 2}}}
		for i := range r.IntN(3) {
			text, points := d.node(2, fmt.Sprintf("lib%d", i))
			d.library, d.placed = append(d.library, text), append(d.placed, points)
		}
		scene, want := d.node(0, "root")
		text := dae(`<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 4</p></triangles><lines count="1"/>`, scene)
		text = strings.Replace(text, "<library_visual_scenes>", "<library_nodes>"+strings.Join(d.library, "")+"</library_nodes>"+
			`<library_controllers><controller id="skin"><skin source="#g"/></controller></library_controllers><library_visual_scenes><visual_scene id="other"><node><instance_geometry url="#g"/></node></visual_scene>`, 1)
		unit := []float64{0.01, 1, 0.0254}[round%3]
		text = strings.Replace(text, `meter="0.01"`, fmt.Sprintf(`meter="%v"`, unit), 1)
		m, err := (&daeFormat{}).Read([]byte(text))
		if err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, text)
		}
		if 3*len(m.Tris) != len(want) {
			t.Fatalf("round %d: %d triangles of %d points\n%s", round, len(m.Tris), len(want), text)
		}
		copies += len(m.Tris)
		// transforms of a node come before what it contains, whose order is that of the file
		for i := range m.Tris {
			for k := range 3 {
				// every copy has the five vertices of the geometry; mirrors exchange two corners
				p, w := m.Verts[5*i+[3]int{0, 1, 4}[k]], want[3*i+k].Scale(unit)
				if p.Sub(w).Norm() > 1e-12*(1+w.Norm()) {
					t.Fatalf("round %d: corner %d of copy %d at %v, want %v\n%s", round, k, i, p, w, text)
				}
			}
		}
		if len(m.skipped) != 1 || m.skipped[0].name != "lines" {
			t.Errorf("round %d: %v is reported as left out, want lines", round, m.skipped)
		}
	}
	if copies < 200 {
		t.Errorf("only %d copies", copies)
	}
}

// Units and coordinates that are no lengths are refused; files without a scene have each geometry
// once, and those without a unit are in metres.
func TestUnitsAndScenesOfCollada(t *testing.T) {
	const tri = `<triangles><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 4</p></triangles>`
	const node = `<node><instance_geometry url="#g"/></node>`
	for _, c := range []struct{ old, with, want string }{
		{`meter="0.01"`, `meter="-1"`, `<unit meter="-1">: a positive number of metres is required`},
		{`meter="0.01"`, `meter="two"`, `<unit meter="two">`},
		{`meter="0.01"`, `meter="1e10"`, `<unit meter="1e10">`},
		{`0 0 2<`, `0 0 1e400<`, `"1e400" is not a finite number`},
		{`0 0 2<`, `0 0 0x1p1023<`, ""},                                                // finite in a unit of a centimetre
		{`<instance_visual_scene url="#s"/>`, `<instance_visual_scene url="#t"/>`, ""}, // the only one
		{`visual_scene id="s"`, `visual_scene id="w"`, ""},
	} {
		text := strings.Replace(dae(tri, node), c.old, c.with, 1)
		if text == dae(tri, node) {
			t.Fatalf("%s is not in the file", c.old)
		}
		m, err := (&daeFormat{}).Read([]byte(text))
		if c.want == "" && (err != nil || len(m.Tris) != 1) {
			t.Errorf("%s: %v", c.with, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %s", c.with, err, c.want)
		}
	}
	// the largest numbers overflow only where they are scaled up
	huge := strings.Replace(strings.Replace(dae(tri, node), "0 0 2<", "0 0 1e308<", 1), `meter="0.01"`, `meter="1000"`, 1)
	if _, err := (&daeFormat{}).Read([]byte(huge)); err == nil || !strings.Contains(err.Error(), "vertex 4 is at") {
		t.Errorf("a coordinate that overflows: %v", err)
	}
	bare := strings.Replace(dae(tri, node), `<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>`, "", 1)
	i := strings.Index(bare, "<library_visual_scenes>")
	bare = bare[:i] + "</COLLADA>"
	m, err := (&daeFormat{}).Read([]byte(bare))
	if err != nil || len(m.Tris) != 1 || m.Verts[4] != (r3.Vec{0, 0, 2}) {
		t.Errorf("without scene and unit: %v, %v", m, err)
	}
}
