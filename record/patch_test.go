package record

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"curlfree/hydroelastic"
	"curlfree/r3"
)

// pressedBall is the patch of a compliant ball on ground: a disc of about n faces.
func pressedBall(t testing.TB, hint float64, X r3.Pose) Patch {
	opt := hydroelastic.Options{Modulus: 1e6, Hint: hint}
	ball, err := hydroelastic.NewSphere(0.1, opt)
	if err != nil {
		t.Fatal(err)
	}
	var q hydroelastic.Query
	var s hydroelastic.Surface
	X.P[2] = 0.09
	q.Contact(hydroelastic.NewRigidHalfSpace(), ball, r3.PoseIdentity(), X, &s)
	p := Patch{A: -1, B: 0, Geoms: [2]int32{0, 1}, MaxPressure: s.MaxPressure, Force_W: s.Force_W, Center_W: s.Center_W}
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
	r, err := Decode(encoded(t, rec))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Valid(); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPatchesReadBackWithinTheirRounding(t *testing.T) {
	rec := swing()
	want := pressedBall(t, 0.02, r3.Pose{R: r3.RotExp(r3.Vec{0.3, 0.2, 0.1}), P: r3.Vec{0.01, 0.02, 0}})
	// normals of all directions, as on teeth
	R := r3.RotExp(r3.Vec{2, 0.5, -1})
	for i := range want.Faces {
		f := &want.Faces[i]
		f.Normal_W, f.Traction_W, f.Slip_W = R.MulVec(f.Normal_W), R.MulVec(f.Traction_W), R.MulVec(f.Slip_W)
		R = R.Mul(r3.RotExp(r3.Vec{0.7, 0.1, 0.2}))
	}
	rec.Frames[2].Patches = []Patch{want, {A: 0, B: 1, Geoms: [2]int32{1, -1}, Area: 1, Normal: 2}}
	got := back(t, rec).At(2).Patches
	if len(got) != 2 || got[1].Area != 1 || got[1].MeanPressure() != 2 || got[1].Faces != nil {
		t.Fatalf("patches %v", got)
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
		rec.Frames[0].Patches = append(rec.Frames[0].Patches, p)
		faces += len(p.Faces)
	}
	each := float64(len(encoded(t, rec))-bare) / float64(faces)
	t.Logf("%d faces, %.1f bytes each", faces, each)
	if each > 24 || faces < 2000 {
		t.Errorf("%d faces of %.1f bytes", faces, each)
	}
}

// version1 returns a recording as the first version wrote it.
func version1(rec *Recording) []byte {
	z, _ := zstd.NewWriter(nil)
	out := []byte(magic1)
	block := func(raw []byte) {
		c := z.EncodeAll(raw, nil)
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(c))), c...)
	}
	head, _ := json.Marshal(&rec.Static)
	block(head)
	for k := range rec.Frames {
		f := &rec.Frames[k]
		var e encoder
		e.f64(f.Time)
		e.floats(f.Q)
		e.floats(f.V)
		e.u32(len(f.Poses))
		for _, X := range f.Poses {
			for _, x := range X.R.Quat() {
				e.f64(x)
			}
			e.vec(X.P)
		}
		e.u32(len(f.Verts))
		for i := range f.Verts {
			e.vecs(f.Verts[i])
			e.vecs(f.Vels[i])
			e.u32(len(f.VonMises[i]))
			for _, s := range f.VonMises[i] {
				e.f32(float64(s))
			}
		}
		e.u32(len(f.Contacts))
		for _, c := range f.Contacts {
			e.u32(c.A)
			e.u32(c.B)
			e.vec(c.Pos_W)
			e.vec(c.Normal_W)
			e.vec(c.Force_W)
			e.f64(c.Phi)
			e.f64(c.Area)
			e.u32(int(c.Elem[0]))
			e.u32(int(c.Elem[1]))
		}
		block(e.b)
	}
	return out
}

func TestRecordingsOfTheFirstVersionAreRead(t *testing.T) {
	rec := swing()
	r, err := Decode(version1(rec))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Valid(); err != nil {
		t.Fatal(err)
	}
	if r.Len() != 5 || r.Time(3) != rec.Frames[3].Time || r.At(3).Time != r.Time(3) {
		t.Errorf("%d frames, the fourth at %g s", r.Len(), r.Time(3))
	}
	if got, want := r.At(4).Contacts[0], rec.Frames[4].Contacts[0]; got != want {
		t.Errorf("contact %+v, want %+v", got, want)
	}
	later := append([]byte("curlfree recording 3\n"), 0, 0, 0, 0)
	if _, err := Decode(later); err == nil || !strings.Contains(err.Error(), "later version") {
		t.Errorf("a later version: %v", err)
	}
}

// Frames come in any order, one or many times, and the same.
func TestFramesAreUnpackedInAnyOrder(t *testing.T) {
	rec := swing()
	r := back(t, rec)
	for _, k := range []int{4, 0, 3, 3, 1, 2, 0, 4, 1} {
		f, w := r.At(k), &rec.Frames[k]
		if f.Time != w.Time || f.Q[0] != w.Q[0] || len(f.Contacts) != len(w.Contacts) || f.Verts[0][4].Sub(w.Verts[0][4]).Norm() > 1e-6 {
			t.Fatalf("frame %d: %+v", k, f)
		}
	}
}

// A file cannot unpack to much more than what its header and its own bytes
// explain, and its sizes must be those of the header.
func TestHostileRecordingsAreRefused(t *testing.T) {
	z, _ := zstd.NewWriter(nil)
	bomb := z.EncodeAll(make([]byte, 1<<28), nil)
	b := encoded(t, swing())
	b = binary.LittleEndian.AppendUint32(b, uint32(len(bomb)))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(9))
	r, err := Decode(append(b, bomb...))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Valid(); err == nil || !strings.Contains(err.Error(), "frame 5") {
		t.Errorf("a frame that unpacks to 256 MB: %v", err)
	}
	if n := cap(r.packed.raw); n > 16<<20 {
		t.Errorf("%d bytes were unpacked", n)
	}
	head := append([]byte(magic), binary.LittleEndian.AppendUint32(nil, uint32(len(bomb)))...)
	if _, err := Decode(append(head, bomb...)); err == nil {
		t.Error("a header of 256 MB is read")
	}

	for name, spoil := range map[string]func(r *Recording){
		"2 positions":  func(r *Recording) { r.Static.NumQ = 1 },
		"1 velocities": func(r *Recording) { r.Static.NumV = 3 },
	} {
		rec := swing()
		spoil(rec)
		r, err := Decode(encoded(t, rec))
		if err == nil {
			err = r.Valid()
		}
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	rec := swing()
	rec.Static.NumQ = 1 << 40
	if _, err := Decode(encoded(t, rec)); err == nil {
		t.Error("a header of a trillion positions is read")
	}
}

func TestFaultyPatchesAreRefused(t *testing.T) {
	ball := pressedBall(t, 0.05, r3.PoseIdentity())
	for name, spoil := range map[string]func(p *Patch){
		"damaged":      func(p *Patch) { p.A = 7 },
		"is damaged":   func(p *Patch) { p.Geoms[0] = -1 },
		"recording is": func(p *Patch) { p.Faces[1].Hi = p.Faces[1].Lo + 2 },
		"not finite":   func(p *Patch) { p.Faces[2].Traction_W[1] = math.NaN() },
		"is not fin":   func(p *Patch) { p.Verts_W[2][1] = math.Inf(1) },
		"number is ":   func(p *Patch) { p.Center_W[0] = math.NaN() },
	} {
		rec := swing()
		p := ball
		p.Faces, p.Verts_W = append([]Face(nil), ball.Faces...), append([]r3.Vec(nil), ball.Verts_W...)
		spoil(&p)
		rec.Frames[1].Patches = []Patch{p}
		if err := rec.Valid(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		r, err := Decode(encoded(t, rec))
		if err == nil {
			err = r.Valid()
		}
		if err == nil {
			t.Errorf("%s: read back", name)
		}
	}
	b := encoded(t, swing())
	if !bytes.HasPrefix(b, []byte(magic)) {
		t.Error("no mark of the version")
	}
}

// Whatever a block unpacks to, it is a frame or an error.
func FuzzFrame(f *testing.F) {
	rec := swing()
	rec.Frames[1].Patches = []Patch{pressedBall(f, 0.05, r3.PoseIdentity()), {A: 0, B: 1, Geoms: [2]int32{1, -1}, Area: 1}}
	r, err := Decode(encoded(f, rec))
	if err != nil {
		f.Fatal(err)
	}
	for k := range r.Len() {
		if err := r.packed.inflate(r.packed.blocks[k].data, 1<<20); err != nil {
			f.Fatal(err)
		}
		f.Add(bytes.Clone(r.packed.raw))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := (&packed{raw: b}).decode(&rec.Static)
		if err != nil {
			return
		}
		got.Time = 1
		one := &Recording{Static: rec.Static, Frames: []Frame{*got}}
		if one.Valid() == nil {
			exportAll(t, one)
		}
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

func TestPatchesAreExported(t *testing.T) {
	rec := swing()
	p := pressedBall(t, 0.05, r3.PoseIdentity())
	rec.Frames[3].Patches = []Patch{{A: 0, B: 1, Geoms: [2]int32{1, -1}, Area: 0.5, Normal: 3, MaxPressure: 9}, p}
	dir := t.TempDir()
	if _, err := Export(rec, "vtk", dir); err != nil {
		t.Fatal(err)
	}
	g := readVTU(t, filepath.Join(dir, "patches_00003.vtu"))
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
	if empty := readVTU(t, filepath.Join(dir, "patches_00000.vtu")); empty.cells != 0 {
		t.Errorf("%d cells before contact", empty.cells)
	}
	if _, err := Export(rec, "csv", dir); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "patches.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 3 || strings.Join(rows[1][:7], " ") != "0.3 box wedge 0.5 3 6 9" || rows[2][1] != "world" {
		t.Errorf("%v: %v", err, rows)
	}
}
