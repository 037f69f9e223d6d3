package record

import (
	"encoding/csv"
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"github.com/curlfree/curlfree/r3"
)

// Every instant, the first included, is in the index with its time, and every
// array has as many numbers as its grid says.
func TestVTKSeriesIsWhole(t *testing.T) {
	rec := swing()
	dir := t.TempDir()
	names, err := Export(rec, "vtk", dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, names[0]))
	if err != nil {
		t.Fatal(err)
	}
	var index struct {
		Collection struct {
			DataSet []struct {
				Timestep float64 `xml:"timestep,attr"`
				File     string  `xml:"file,attr"`
			}
		}
	}
	if err := xml.Unmarshal(b, &index); err != nil {
		t.Fatal(err)
	}
	sets := index.Collection.DataSet
	if len(sets) != 15 || sets[0].Timestep != 0 || sets[14].Timestep != rec.Frames[4].Time {
		t.Fatalf("%d sets of times", len(sets))
	}
	for _, s := range sets {
		g := readVTU(t, filepath.Join(dir, s.File))
		if v := g.arrays["FieldData/TimeValue"]; len(v) != 1 || v[0] != s.Timestep {
			t.Errorf("%s: TimeValue %v, index says %g", s.File, v, s.Timestep)
		}
		for key, a := range g.arrays {
			want := g.points
			switch {
			case key == "FieldData/TimeValue":
				want = 1
			case strings.HasPrefix(key, "CellData"), key == "Cells/offsets", key == "Cells/types":
				want = g.cells
			case key == "Cells/connectivity":
				if n := len(g.arrays["Cells/offsets"]); n > 0 {
					want = int(g.arrays["Cells/offsets"][n-1])
				} else {
					want = 0
				}
				for _, v := range a {
					if v < 0 || int(v) >= g.points {
						t.Errorf("%s: vertex %g of %d", s.File, v, g.points)
					}
				}
			}
			if len(a) != want*g.width[key] {
				t.Errorf("%s: %s has %d numbers, want %d × %d", s.File, key, len(a), want, g.width[key])
			}
		}
	}
}

func TestVTKHasFieldsAndPoses(t *testing.T) {
	rec := swing()
	dir := t.TempDir()
	if _, err := Export(rec, "vtk", dir); err != nil {
		t.Fatal(err)
	}
	last := &rec.Frames[4]
	g := readVTU(t, filepath.Join(dir, "deformables_00004.vtu"))
	for j, p := range last.Verts[0] {
		u := p.Sub(rec.Frames[0].Verts[0][j])
		for k := range 3 {
			if got := g.arrays["PointData/displacement"][3*j+k]; math.Abs(got-u[k]) > 1e-6 {
				t.Errorf("displacement of vertex %d: %g, want %g", j, got, u[k])
			}
		}
	}
	if s := g.arrays["CellData/von_mises"]; s[0] != 40 || s[1] != 80 {
		t.Errorf("stress of the tets %v, want 40 and 80", s)
	}
	// vertex 0 has the first tet alone, vertex 4 the second; the volumes are 1/6 and 1/3
	if s := g.arrays["PointData/von_mises"]; s[0] != 40 || s[4] != 80 || math.Abs(s[1]-200./3) > 1e-4 {
		t.Errorf("stress at the vertices %v, want 40, 66.7, …, 80", s)
	}
	g = readVTU(t, filepath.Join(dir, "rigid_00004.vtu"))
	X_WG := last.Poses[0].Mul(rec.Static.Geoms[1].X_BG)
	if g.points != 8 || g.cells != 6 {
		t.Fatalf("%d points and %d cells, want the ground and one shell", g.points, g.cells)
	}
	for j, v := range rec.Static.Geoms[1].Mesh.Verts {
		for k, x := range X_WG.Point(v) {
			if got := g.arrays["Points/Points"][3*(4+j)+k]; math.Abs(got-x) > 1e-6 {
				t.Errorf("vertex %d of the shell: %g, want %g", j, got, x)
			}
		}
	}
	g = readVTU(t, filepath.Join(dir, "contacts_00004.vtu"))
	if p := g.arrays["PointData/pressure"]; len(p) != 1 || p[0] != 8 {
		t.Errorf("pressure %v, want 2 N on 0.25 m²", p)
	}
	if g = readVTU(t, filepath.Join(dir, "contacts_00000.vtu")); g.points != 0 {
		t.Error("contacts before the first step")
	}
}

// The pressure at the vertices carries the contact's normal force: Σ p A = F.
func TestContactPressureSumsToTheNormalForce(t *testing.T) {
	rec := swing()
	f := &rec.Frames[4]
	p := ContactPressure(rec, f, 0)
	sum := 0.0
	for _, v := range rec.Static.Deformables[0].Tris {
		a := r3.TriangleNormal(f.Verts[0][v[0]], f.Verts[0][v[1]], f.Verts[0][v[2]]).Norm() / 2
		for _, k := range v {
			sum += p[k] * a / 3
		}
	}
	if math.Abs(sum-2) > 1e-12 {
		t.Errorf("%g N, want 2", sum)
	}
}

func TestCSVTablesHaveEveryFrame(t *testing.T) {
	rec := swing()
	dir := t.TempDir()
	names, err := Export(rec, "csv", dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		f, err := os.Open(filepath.Join(dir, n))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		f.Close()
		want := map[string]int{"poses.csv": 5, "deformables.csv": 5, "contacts.csv": 4}[n]
		if err != nil || len(rows) != want+1 {
			t.Errorf("%s: %v, %d rows, want %d", n, err, len(rows)-1, want)
		}
		if n == "poses.csv" {
			q := rec.Frames[4].Poses[0].R.Quat()
			if rows[5][1] != "box" || rows[5][3] != "0.4" || rows[5][8] != number(q[3]) {
				t.Errorf("last pose %v", rows[5])
			}
		}
	}
}

// Names that a spreadsheet would compute are text in every table; other names and numbers stay as they are.
func TestCSVNamesAreNoFormulas(t *testing.T) {
	for name, want := range map[string]string{
		"+1+A1": "'+1+A1", "=HYPERLINK(1)": "'=HYPERLINK(1)", "-1+1": "'-1+1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1", "a=b": "a=b", "Ω": "Ω", "'": "'",
	} {
		rec := swing()
		rec.Static.Bodies[0], rec.Static.Deformables[0].Name = name, name
		dir := t.TempDir()
		names, err := Export(rec, "csv", dir)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, n := range names {
			f, err := os.Open(filepath.Join(dir, n))
			if err != nil {
				t.Fatal(err)
			}
			rows, err := csv.NewReader(f).ReadAll()
			f.Close()
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows[1:] {
				for _, cell := range row {
					if _, err := strconv.ParseFloat(cell, 64); err == nil && cell != name {
						continue
					}
					if seen++; cell != want {
						t.Errorf("%s: the name %q is the cell %q, want %q", n, name, cell, want)
					}
				}
			}
		}
		// a body, a deformable, and both in contact
		if seen < 15 {
			t.Errorf("%q: %d names", name, seen)
		}
	}
}

// Nodes and morph targets, played by the rules of glTF, give the recorded poses
// and surfaces.
func TestGLTFPlaysTheRecording(t *testing.T) {
	rec := swing()
	dir := t.TempDir()
	names, err := Export(rec, "gltf", dir)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := gltf.Open(filepath.Join(dir, names[0]))
	if err != nil {
		t.Fatal(err)
	}
	read := func(i int) any {
		a, err := modeler.ReadAccessor(doc, doc.Accessors[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if len(doc.Animations) != 1 || len(doc.Animations[0].Channels) != 3 {
		t.Fatal("want three channels: translation and rotation of the box, weights of the wedge")
	}
	for _, ch := range doc.Animations[0].Channels {
		s := doc.Animations[0].Samplers[ch.Sampler]
		times := read(s.Input).([]float32)
		if len(times) != 5 || math.Abs(float64(times[4])-0.4) > 1e-6 {
			t.Fatalf("times %v", times)
		}
		node := doc.Nodes[*ch.Target.Node]
		switch ch.Target.Path {
		case gltf.TRSTranslation:
			if p := read(s.Output).([][3]float32); node.Name != "box" || math.Abs(float64(p[4][1])-0.4) > 1e-6 {
				t.Errorf("%s at %v", node.Name, p[4])
			}
		case gltf.TRSRotation:
			q := read(s.Output).([][4]float32)
			for k := range q {
				R := r3.Quat{float64(q[k][3]), float64(q[k][0]), float64(q[k][1]), float64(q[k][2])}.Mat()
				if d := R.Sub(rec.Frames[k].Poses[0].R).Norm2(); d > 1e-12 {
					t.Errorf("frame %d: rotation is off by %g", k, math.Sqrt(d))
				}
			}
		case gltf.TRSWeights:
			w := read(s.Output).([]float32)
			prim := doc.Meshes[*node.Mesh].Primitives[0]
			n := len(prim.Targets)
			base := read(prim.Attributes[gltf.POSITION]).([][3]float32)
			if n == 0 || n > 3 || len(w) != 5*n || len(base) != 5 {
				t.Fatalf("%d targets, %d weights, %d vertices", n, len(w), len(base))
			}
			index := read(*prim.Indices)
			for k := range rec.Frames {
				// by the order of the boundary's triangles
				for c, v := range indices(t, index) {
					x := base[v]
					for m, target := range prim.Targets {
						d := read(target[gltf.POSITION]).([][3]float32)[v]
						for i := range x {
							x[i] += w[k*n+m] * d[i]
						}
					}
					want := rec.Frames[k].Verts[0][rec.Static.Deformables[0].Tris[c/3][c%3]]
					for i := range x {
						if math.Abs(float64(x[i])-want[i]) > 2*modeError {
							t.Fatalf("frame %d, corner %d: %v, want %v", k, c, x, want)
						}
					}
				}
			}
		}
	}
	// the world's up is glTF's y
	q := doc.Nodes[0].Rotation
	up := r3.Quat{q[3], q[0], q[1], q[2]}.Mat().MulVec(r3.Vec{0, 0, 1})
	if up.Sub(r3.Vec{0, 1, 0}).Norm() > 1e-12 {
		t.Errorf("up is %v", up)
	}
}

func indices(t *testing.T, a any) []int {
	var out []int
	switch s := a.(type) {
	case []uint8:
		for _, v := range s {
			out = append(out, int(v))
		}
	case []uint16:
		for _, v := range s {
			out = append(out, int(v))
		}
	case []uint32:
		for _, v := range s {
			out = append(out, int(v))
		}
	default:
		t.Fatalf("indices are %T", a)
	}
	return out
}

// A rigid swing of many vertices needs few modes for its accuracy.
func TestFewModesDescribeARotation(t *testing.T) {
	rec := &Recording{Static: Static{Deformables: []Deformable{{}}}}
	var verts []int32
	var rest []r3.Vec
	for i := range 60 {
		verts = append(verts, int32(i))
		rest = append(rest, r3.Vec{math.Sin(float64(i)), math.Cos(2.3 * float64(i)), float64(i) / 60})
	}
	for k := range 300 {
		R := r3.RotExp(r3.Vec{0, 0, float64(k) / 100})
		x := make([]r3.Vec, len(rest))
		for j := range x {
			x[j] = R.MulVec(rest[j])
		}
		rec.Frames = append(rec.Frames, Frame{Time: float64(k), Verts: [][]r3.Vec{x}})
	}
	modes, weights := motionModes(rec, 0, verts)
	if len(modes) != 2 || len(weights) != 600 { // sin and 1 − cos
		t.Fatalf("%d modes, %d weights; want 2, 600", len(modes), len(weights))
	}
	for k := range rec.Frames {
		for j := range rest {
			for i := range 3 {
				u := 0.0
				for m := range modes {
					u += float64(weights[2*k+m] * modes[m][j][i])
				}
				want := rec.Frames[k].Verts[0][j][i] - rec.Frames[0].Verts[0][j][i]
				if math.Abs(u-want) > 1e-5 {
					t.Fatalf("frame %d, vertex %d: %g, want %g", k, j, u, want)
				}
			}
		}
	}
}

func TestUnknownFormatNamesTheFormats(t *testing.T) {
	for format, want := range map[string]string{
		"vtu":          `no export format "vtu": did you mean "vtk"?`,
		"spread_sheet": "the choices are " + strings.Join(Formats.Names(), ", "),
	} {
		if _, err := Export(swing(), format, t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", format, err, want)
		}
	}
}

// Each fault is named instead of drawn.
func TestUnusableRecordingsAreRefused(t *testing.T) {
	if err := swing().Valid(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(r *Recording){
		"no frames":         func(r *Recording) { r.Frames = nil },
		"not later":         func(r *Recording) { r.Frames[2].Time = r.Frames[1].Time },
		"not finite":        func(r *Recording) { r.Frames[3].Verts[0][1][2] = math.Inf(1) },
		"frame 1":           func(r *Recording) { r.Frames[1].Contacts[0].Force_W[0] = math.NaN() },
		"damaged":           func(r *Recording) { r.Static.Geoms[1].Body = 7 },
		"recording is dam":  func(r *Recording) { r.Static.Deformables[0].Tets[0][2] = 99 },
		"is damaged: run":   func(r *Recording) { r.Static.Deformables[0].Tris[0][2] = -1 },
		"frame 2 ":          func(r *Recording) { r.Frames[2].Contacts[0].B = 12 },
		"recording, at 0.1": func(r *Recording) { r.Frames[1].Contacts[0].Elem[1] = 400 },
		"frame 4 ":          func(r *Recording) { r.Frames[4].Poses = nil },
	} {
		r := swing()
		spoil(r)
		if err := r.Valid(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Export(r, "csv", t.TempDir()); err == nil {
			t.Errorf("%s: exported", name)
		}
	}
}
