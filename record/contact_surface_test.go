package record

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/internal/mutation"
	"github.com/curlfree/curlfree/r3"
)

// pressedBall is the contact surface of a compliant ball on ground: a disc of about n faces.
func pressedBall(t testing.TB, hint float64, X r3.Pose) ContactSurface {
	opt := hydroelastic.Options{HydroelasticModulus: 1e6, ResolutionHint: hint}
	ball, err := hydroelastic.NewSphere(0.1, opt)
	if err != nil {
		t.Fatal(err)
	}
	var q hydroelastic.Query
	var s hydroelastic.ContactSurface
	X.P[2] = 0.09
	q.Contact(hydroelastic.NewRigidHalfSpace(), ball, r3.PoseIdentity(), X, &s)
	p := ContactSurface{A: -1, B: 0, Geoms: [2]int32{0, 1}, MaxPressure: s.MaxPressure, Force_W: s.Force_W, Center_W: s.CenterOfPressure_W}
	u := r3.Vec{0.3, -0.2, 0}
	for i := range s.Faces {
		f := &s.Faces[i]
		if f.Pressure <= 0 {
			continue
		}
		lo := int32(len(p.Verts_W))
		p.Verts_W = append(p.Verts_W, s.Verts_W[f.Lo:f.Hi]...)
		slip := u.Add(r3.Vec{0, 0, 5}.Cross(f.Pos_W))
		p.Faces = append(p.Faces, Face{
			Lo: lo, Hi: int32(len(p.Verts_W)), Area: f.Area, Pressure: f.Pressure, Normal_W: f.Normal_W,
			Traction_W: f.Normal_W.Sub(slip.Unit().Scale(0.5)).Scale(f.Pressure), Slip_W: slip,
		})
		p.Area += f.Area
		p.Normal += f.Area * f.Pressure
		p.MaxSlip = math.Max(p.MaxSlip, slip.Norm())
	}
	return p
}

// back returns a recording as it reads from its bytes.
func back(t testing.TB, rec *Recording) *Recording {
	t.Helper()
	r, err := opened(encoded(t, rec))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestContactSurfacesReadBackWithinTheirRounding(t *testing.T) {
	rec := swing()
	want := pressedBall(t, 0.02, r3.Pose{R: r3.RotExp(r3.Vec{0.3, 0.2, 0.1}), P: r3.Vec{0.01, 0.02, 0}})
	// normals of all directions, as on teeth
	R := r3.RotExp(r3.Vec{2, 0.5, -1})
	for i := range want.Faces {
		f := &want.Faces[i]
		f.Normal_W, f.Traction_W, f.Slip_W = R.MulVec(f.Normal_W), R.MulVec(f.Traction_W), R.MulVec(f.Slip_W)
		R = R.Mul(r3.RotExp(r3.Vec{0.7, 0.1, 0.2}))
	}
	rec.Frames[2].ContactSurfaces = []ContactSurface{want, {A: 0, B: 1, Geoms: [2]int32{1, -1}, Area: 1, Normal: 2}}
	got := back(t, rec).At(2).ContactSurfaces
	if len(got) != 2 || got[1].Area != 1 || got[1].MeanPressure() != 2 || got[1].Faces != nil {
		t.Fatalf("contact surfaces %v", got)
	}
	p := &got[0]
	if p.Area != want.Area || p.Force_W != want.Force_W || p.Center_W != want.Center_W || p.MaxSlip != want.MaxSlip || len(p.Faces) != len(want.Faces) {
		t.Fatal("the sums or the number of faces differ")
	}
	const bit = 1.0 / 65535
	extent := 0.1
	for i := range p.Faces {
		f, w := &p.Faces[i], &want.Faces[i]
		if f.Hi-f.Lo != w.Hi-w.Lo {
			t.Fatalf("face %d has %d corners, want %d", i, f.Hi-f.Lo, w.Hi-w.Lo)
		}
		for k := range f.Hi - f.Lo {
			if d := p.Verts_W[f.Lo+k].Sub(want.Verts_W[w.Lo+k]).Norm(); d > extent*bit {
				t.Fatalf("a corner is off by %g m", d)
			}
		}
		if math.Abs(f.Pressure-w.Pressure) > want.MaxPressure*bit || math.Abs(f.Area-w.Area) > want.Area*bit ||
			f.Normal_W.Sub(w.Normal_W).Norm() > 5*bit || f.Slip_W.Sub(w.Slip_W).Norm() > 6*bit*want.MaxSlip ||
			f.Traction_W.Sub(w.Traction_W).Norm() > 8*bit*want.MaxPressure {
			t.Fatalf("face %d: %+v, want %+v", i, f, w)
		}
	}
}

func TestOctahedralNormalsCoverTheSphere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for range 100000 {
		n := r3.Vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Unit()
		worst = math.Max(worst, fromOctahedral(octahedral(n)).Sub(n).Norm())
	}
	if worst > 7e-5 {
		t.Errorf("off by up to %g", worst)
	}
	for k := range 3 {
		for _, s := range []float64{-1, 1} {
			var n r3.Vec
			n[k] = s
			if got := fromOctahedral(octahedral(n)); got.Sub(n).Norm() > 1e-15 {
				t.Errorf("%v comes back as %v", n, got)
			}
		}
	}
	for x := range 1 << 16 {
		if unzigzag(zigzag(uint16(x))) != uint16(x) {
			t.Fatal(x)
		}
	}
}

// A face costs less than 24 bytes: 10 s of a thousand faces at 50 a second are
// some 12 MB.
func TestRecordedFacesAreSmall(t *testing.T) {
	rec := swing()
	rec.Frames = rec.Frames[:1]
	bare := len(encoded(t, rec))
	rng := rand.New(rand.NewPCG(3, 4))
	faces := 0
	for k := range 10 {
		X := r3.Pose{R: r3.RotExp(r3.Vec{rng.Float64(), rng.Float64(), rng.Float64()}), P: r3.Vec{0.01 * float64(k)}}
		p := pressedBall(t, 0.007, X)
		rec.Frames[0].ContactSurfaces = append(rec.Frames[0].ContactSurfaces, p)
		faces += len(p.Faces)
	}
	each := float64(len(encoded(t, rec))-bare) / float64(faces)
	t.Logf("%d faces, %.1f bytes each", faces, each)
	if each > 24 || faces < 2000 {
		t.Errorf("%d faces of %.1f bytes", faces, each)
	}
}

func TestFaultyContactSurfacesAreRefused(t *testing.T) {
	ball := pressedBall(t, 0.05, r3.PoseIdentity())
	for name, spoil := range map[string]func(p *ContactSurface){
		"damaged":      func(p *ContactSurface) { p.A = 7 },
		"is damaged":   func(p *ContactSurface) { p.Geoms[0] = -1 },
		"recording is": func(p *ContactSurface) { p.Faces[1].Hi = p.Faces[1].Lo + 2 },
		"not finite":   func(p *ContactSurface) { p.Faces[2].Traction_W[1] = math.NaN() },
		"is not fin":   func(p *ContactSurface) { p.Verts_W[2][1] = math.Inf(1) },
		"number is ":   func(p *ContactSurface) { p.Center_W[0] = math.NaN() },
	} {
		rec := swing()
		p := ball
		p.Faces, p.Verts_W = append([]Face(nil), ball.Faces...), append([]r3.Vec(nil), ball.Verts_W...)
		spoil(&p)
		rec.Frames[1].ContactSurfaces = []ContactSurface{p}
		if err := rec.Valid(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := opened(encoded(t, rec)); err == nil {
			t.Errorf("%s: read back", name)
		}
	}
}

// Whatever a block unpacks to, it is a frame or an error.
func FuzzFrame(f *testing.F) {
	rec := swing()
	rec.Frames[1].ContactSurfaces = []ContactSurface{pressedBall(f, 0.05, r3.PoseIdentity()), {A: 0, B: 1, Geoms: [2]int32{1, -1}, Area: 1}}
	r := back(f, rec)
	var seeds [][]byte
	for k := range r.Len() {
		if err := r.file.inflate(&r.file.c.frames[k], 0); err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, bytes.Clone(r.file.raw))
	}
	mutation.Fuzz(f, seeds, func(t testing.TB, b []byte) string {
		got, err := decode(b, &rec.Static)
		if err != nil {
			return err.Error()
		}
		got.Time = 1
		one := &Recording{Static: rec.Static, Frames: []Frame{*got}}
		if err := one.Valid(); err != nil {
			return err.Error()
		}
		exportAll(t, one)
		return ""
	})
}

// exportAll makes what exporters write, without writing it.
func exportAll(t testing.TB, r *Recording) {
	t.Helper()
	for k := range r.Len() {
		for _, p := range vtkParts {
			if err := p.grid(r, r.At(k)).Write(io.Discard); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestContactSurfacesAreExported(t *testing.T) {
	rec := swing()
	p := pressedBall(t, 0.05, r3.PoseIdentity())
	rec.Frames[3].ContactSurfaces = []ContactSurface{{A: 0, B: 1, Geoms: [2]int32{1, -1}, Area: 0.5, Normal: 3, MaxPressure: 9}, p}
	dir := t.TempDir()
	if _, err := Export(rec, "vtk", dir); err != nil {
		t.Fatal(err)
	}
	g := readVTU(t, filepath.Join(dir, "contact_surfaces_00003.vtu"))
	if g.cells != len(p.Faces) || g.points != len(p.Verts_W) || g.arrays["Cells/types"][0] != 7 {
		t.Fatalf("%d cells of %d points", g.cells, g.points)
	}
	force := 0.0
	for i, a := range g.arrays["CellData/area"] {
		force += a * g.arrays["CellData/traction"][3*i+2]
		if g.arrays["CellData/pressure"][i] != p.Faces[i].Pressure || g.arrays["CellData/slip"][3*i+1] != p.Faces[i].Slip_W[1] {
			t.Errorf("face %d is another", i)
		}
	}
	if math.Abs(force-p.Normal) > 1e-9*p.Normal {
		t.Errorf("tractions carry %g N, want %g", force, p.Normal)
	}
	if empty := readVTU(t, filepath.Join(dir, "contact_surfaces_00000.vtu")); empty.cells != 0 {
		t.Errorf("%d cells before contact", empty.cells)
	}
	names, err := Export(rec, "csv", dir)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(names, "faces.csv") {
		t.Errorf("only %v are reported", names)
	}
	rows := readCSV(t, filepath.Join(dir, "contact_surfaces.csv"))
	if len(rows) != 3 || strings.Join(rows[1][:8], " ") != "0.3 0 box wedge 0.5 3 6 9" || strings.Join(rows[2][:3], " ") != "0.3 1 world" {
		t.Errorf("contact_surfaces.csv: %v", rows)
	}
}

func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// The table of faces adds up to what its contact surface transmits: area, force, and the moment about
// the centre of pressure, which vanishes as faces get small.
func TestFacesInATableSumToTheirContactSurface(t *testing.T) {
	rec := swing()
	p := pressedBall(t, 0.01, r3.Pose{R: r3.Identity(), P: r3.Vec{0.5, -0.2, 0}})
	rec.Frames[3].ContactSurfaces = []ContactSurface{{A: 0, B: 1, Geoms: [2]int32{1, -1}, Area: 0.5, Normal: 3}, p}
	dir := t.TempDir()
	if _, err := Export(back(t, rec), "csv", dir); err != nil {
		t.Fatal(err)
	}
	rows := readCSV(t, filepath.Join(dir, "faces.csv"))
	col := map[string]int{}
	for i, name := range rows[0] {
		col[name] = i
	}
	if len(rows) != 1+len(p.Faces) {
		t.Fatalf("%d faces, want %d", len(rows)-1, len(p.Faces))
	}
	area, normal, slip := 0.0, 0.0, 0.0
	var force, center r3.Vec
	for _, r := range rows[1:] {
		if r[0] != "0.3" || r[col["contact_surface"]] != "1" || r[col["a"]] != "world" || r[col["b"]] != "box" {
			t.Fatalf("row %v", r)
		}
		at := func(format string) (v r3.Vec) {
			for k, axis := range []string{"x", "y", "z"} {
				v[k] = parsed(t, r[col[fmt.Sprintf(format, axis)]])
			}
			return v
		}
		n, f := at("normal_%s"), at("force_on_b_%s_N")
		a := parsed(t, r[col["area_m2"]])
		if d := f.Dot(n) - a*parsed(t, r[col["pressure_Pa"]]); math.Abs(d) > 1e-9*p.Normal {
			t.Fatalf("force along the normal is off pressure times area by %g N", d)
		}
		area, normal, force = area+a, normal+f.Dot(n), force.Add(f)
		center = center.AddScaled(f.Dot(n), at("%s_m"))
		slip = math.Max(slip, at("slip_%s_m_per_s").Norm())
	}
	want := r3.Vec{}
	for i := range p.Faces {
		want = want.AddScaled(p.Faces[i].Area, p.Faces[i].Traction_W)
	}
	const bits = 1e-4 // of numbers of 16 bits
	if math.Abs(area-p.Area) > bits*p.Area || math.Abs(normal-p.Normal) > bits*p.Normal || force.Sub(want).Norm() > bits*p.Normal || math.Abs(slip-p.MaxSlip) > bits*p.MaxSlip {
		t.Errorf("%g m², %g N, %v N, %g m/s; want %g, %g, %v, %g", area, normal, force, slip, p.Area, p.Normal, want, p.MaxSlip)
	}
	if d := center.Scale(1 / normal).Sub(p.Center_W).Norm(); d > 1e-3*math.Sqrt(p.Area) {
		t.Errorf("the centre of pressure is off by %g m", d)
	}
	// without faces there is no table of them
	rec.Frames[3].ContactSurfaces = rec.Frames[3].ContactSurfaces[:1]
	if names, err := Export(rec, "csv", t.TempDir()); err != nil || slices.Contains(names, "faces.csv") {
		t.Errorf("%v: %v", names, err)
	}
}

func parsed(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A triangle beside a square: their centroids, and where corners lie on one line.
func TestCentroidsOfFaces(t *testing.T) {
	p := ContactSurface{Verts_W: []r3.Vec{
		{5, 1, 2}, {8, 1, 2}, {5, 4, 2}, // a triangle
		{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {0, 2, 0}, // a square with a corner in a side
		{1, 0, 0}, {2, 0, 0}, {6, 0, 0}, // a line
	}}
	for _, c := range []struct {
		lo, hi int32
		want   r3.Vec
	}{{0, 3, r3.Vec{6, 2, 2}}, {3, 8, r3.Vec{1, 1, 0}}, {8, 11, r3.Vec{3, 0, 0}}} {
		got := p.centroid(&Face{Lo: c.lo, Hi: c.hi, Normal_W: r3.Vec{0, 0, 1}})
		if got.Sub(c.want).Norm() > 1e-15 {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
