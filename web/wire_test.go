package web

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// testStatic is a rigid box on a ground and two tetrahedra that share a face; the vertex
// number 5 belongs to no tetrahedron.
func testStatic() *record.Static {
	box := &meshes.Tri{
		Verts: []r3.Vec{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}},
		Tris:  [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
	}
	return &record.Static{
		Title: "test", Gravity: r3.Vec{0, 0, -9.81}, Bodies: []string{"a", "b"},
		Geoms: []record.Geom{
			{Name: "ground", Body: -1, X_BG: r3.PoseIdentity(), Ground: 1},
			{Name: "a", Body: 0, X_BG: r3.PoseIdentity(), Mesh: box, Color: "#102030"},
			{Name: "b", Body: 1, X_BG: r3.Pose{R: r3.RotRPY(0.1, 0.2, 0.3), P: r3.Vec{0.01, 0, 0}}, Mesh: box},
			{Name: "hidden", Body: 1, X_BG: r3.PoseIdentity(), Mesh: box, Hidden: true},
		},
		Deformables: []record.Deformable{{
			Name: "soft",
			Rest: []r3.Vec{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}, {0.1, 0.1, 0.1}, {9, 9, 9}},
			Tets: [][4]int32{{0, 1, 2, 3}, {1, 4, 2, 3}},
			Tris: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 4}, {1, 4, 3}, {2, 3, 4}},
		}},
	}
}

// testFrame is a frame with random numbers at the time t.
func testFrame(rng *rand.Rand, st *record.Static, t float64) *record.Frame {
	vec := func(s float64) r3.Vec {
		return r3.Vec{s * rng.NormFloat64(), s * rng.NormFloat64(), s * rng.NormFloat64()}
	}
	f := &record.Frame{Time: t, Verts: [][]r3.Vec{nil}, VonMises: [][]float32{{float32(1e5 * rng.Float64()), float32(1e4 * rng.Float64())}}}
	for range st.Bodies {
		f.Poses = append(f.Poses, r3.Pose{R: r3.RotExp(vec(2)), P: vec(0.2)})
	}
	for _, x := range st.Deformables[0].Rest {
		f.Verts[0] = append(f.Verts[0], x.Add(vec(0.01)))
	}
	for range rng.IntN(4) {
		f.Contacts = append(f.Contacts, record.Contact{
			A: 0, B: 2, Pos_W: vec(0.1), Normal_W: vec(1).Unit(), Force_W: vec(10), Slip_W: vec(0.1), Elem: [2]int32{1, int32(rng.IntN(6))},
		})
	}
	for range rng.IntN(3) {
		s := record.ContactSurface{A: -1, B: 1, Area: rng.Float64(), Normal: 3, MaxPressure: 2e4, MaxSlip: 0.5, Force_W: vec(3), Center_W: vec(0.1)}
		for range rng.IntN(5) {
			lo := int32(len(s.Verts_W))
			for range 3 + rng.IntN(4) {
				s.Verts_W = append(s.Verts_W, vec(0.1))
			}
			s.Faces = append(s.Faces, record.Face{Lo: lo, Hi: int32(len(s.Verts_W)), Pressure: 2e4 * rng.Float64(), Slip_W: vec(0.2)})
		}
		f.ContactSurfaces = append(f.ContactSurfaces, s)
	}
	return f
}

// What a page decodes differs from the recorded frame by no more than the format states:
// half a step of the grid, 2e-6 rad, 1/255 of a field's largest value.
func TestFramesKeepTheStatedPrecision(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	st := testStatic()
	first := testFrame(rng, st, 0)
	s := NewScene(st, first, []Signal{{"force_N", "N"}}, []Signal{{"iterations", ""}})
	enc, dec := NewEncoder(s), newDecoder(s)
	rec := &record.Recording{Static: *st, Frames: []record.Frame{*first}}
	for k := range 50 {
		f := first
		if k > 0 {
			f = testFrame(rng, st, 0.02*float64(k))
		}
		if k%7 == 3 {
			enc.Key()
		}
		got, err := dec.Decode(enc.Frame(f, &Numbers{Step: uint32(k), Signals: []float64{1.5 * float64(k)}}))
		if err != nil {
			t.Fatal(err)
		}
		if got.Key != (k == 0 || k%7 == 3) || got.Time != f.Time || got.Step != uint32(k) || got.Signals[0] != 1.5*float64(k) || !math.IsNaN(got.Stats[0]) {
			t.Fatalf("frame %d: head %+v", k, got)
		}
		compareBodies(t, s, f, got)
		compareFields(t, s, rec, f, got)
		compareContacts(t, s, f, got)
	}
}

// near reports a distance along an axis of more than half a step.
func near(t *testing.T, what string, s *Scene, want, got r3.Vec) {
	t.Helper()
	for k := range 3 {
		if d := math.Abs(want[k] - got[k]); d > s.Quantum/2*(1+1e-9) {
			t.Fatalf("%s: %v, want %v: %g m off, allowed %g", what, got, want, d, s.Quantum/2)
		}
	}
}

func compareBodies(t *testing.T, s *Scene, f *record.Frame, got *Decoded) {
	t.Helper()
	for b, X := range f.Poses {
		near(t, "body", s, X.P, got.Poses[b].P)
		if a := X.R.T().Mul(got.Poses[b].R).Quat().Log().Norm(); a > 2e-6 {
			t.Fatalf("body %d turned by %g rad", b, a)
		}
	}
	for j, v := range s.Deformables[0].Vertices {
		near(t, "vertex", s, f.Verts[0][v], got.Verts[0][j])
	}
}

func compareFields(t *testing.T, s *Scene, rec *record.Recording, f *record.Frame, got *Decoded) {
	t.Helper()
	if len(got.Fields) != len(s.Fields) {
		t.Fatalf("%d fields, want %d", len(got.Fields), len(s.Fields))
	}
	for k := range s.Fields {
		want := render.FieldValues(rec, f, s.Fields[k].Name, 0)
		largest := 0.0
		for _, v := range s.Deformables[0].Vertices {
			largest = max(largest, want[v])
		}
		for j, v := range s.Deformables[0].Vertices {
			if d := math.Abs(want[v] - got.Fields[k][0][j]); d > largest/255*(1+1e-6) {
				t.Fatalf("%s at vertex %d: %g, want %g", s.Fields[k].Name, v, got.Fields[k][0][j], want[v])
			}
		}
	}
}

func compareContacts(t *testing.T, s *Scene, f *record.Frame, got *Decoded) {
	t.Helper()
	if len(got.Contacts) != len(f.Contacts) || len(got.Surfaces) != len(f.ContactSurfaces) {
		t.Fatalf("%d contacts and %d surfaces, want %d and %d", len(got.Contacts), len(got.Surfaces), len(f.Contacts), len(f.ContactSurfaces))
	}
	largest := 0.0
	for i := range f.Contacts {
		for k := range 3 {
			largest = max(largest, math.Abs(f.Contacts[i].Force_W[k]))
		}
	}
	for i, c := range f.Contacts {
		near(t, "contact", s, c.Pos_W, got.Contacts[i].Pos_W)
		for k := range 3 {
			if d := math.Abs(c.Force_W[k] - got.Contacts[i].Force_W[k]); d > largest/(1<<15) {
				t.Fatalf("force %v, want %v", got.Contacts[i].Force_W, c.Force_W)
			}
		}
		if got.Contacts[i].A != c.A || got.Contacts[i].B != c.B {
			t.Fatalf("bodies %d, %d", got.Contacts[i].A, got.Contacts[i].B)
		}
	}
	for i := range f.ContactSurfaces {
		want, g := &f.ContactSurfaces[i], &got.Surfaces[i]
		if g.A != want.A || g.B != want.B || math.Abs(g.Area-want.Area) > 1e-6*want.Area || len(g.Corners) != len(want.Faces) {
			t.Fatalf("surface %+v, want %+v", g, want)
		}
		if g.Force_W.Sub(want.Force_W).Norm() > 1e-6 || g.Center_W.Sub(want.Center_W).Norm() > 1e-7 {
			t.Fatalf("force %v at %v, want %v at %v", g.Force_W, g.Center_W, want.Force_W, want.Center_W)
		}
		largest := 0.0
		for _, face := range want.Faces {
			largest = max(largest, face.Pressure)
		}
		for j, face := range want.Faces {
			if math.Abs(face.Pressure-g.Pressure[j]) > largest/255*(1+1e-6) {
				t.Fatalf("pressure %g, want %g", g.Pressure[j], face.Pressure)
			}
			for c, p := range want.Verts_W[face.Lo:face.Hi] {
				near(t, "corner", s, p, g.Corners[j][c])
			}
		}
	}
}

// A receiver that joins late understands a key frame, and nothing before it.
func TestLateReceiversWaitForAKeyFrame(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	st := testStatic()
	first := testFrame(rng, st, 0)
	s := NewScene(st, first, nil, nil)
	enc, late := NewEncoder(s), newDecoder(s)
	enc.Frame(first, &Numbers{})
	if _, err := late.Decode(enc.Frame(testFrame(rng, st, 1), &Numbers{})); err == nil {
		t.Fatal("a difference was decoded without a key frame")
	}
	enc.Key()
	f := testFrame(rng, st, 2)
	got, err := late.Decode(enc.Frame(f, &Numbers{}))
	if err != nil {
		t.Fatal(err)
	}
	compareBodies(t, s, f, got)
}

// Fields that are not chosen are not sent.
func TestOnlyChosenFieldsAreSent(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	st := testStatic()
	first := testFrame(rng, st, 0)
	s := NewScene(st, first, nil, nil)
	enc := NewEncoder(s)
	enc.SetFields("slip", "unknown")
	got, err := newDecoder(s).Decode(enc.Frame(first, &Numbers{}))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Fields) != 1 {
		t.Fatalf("%d fields", len(got.Fields))
	}
	for k := range got.Fields {
		if s.Fields[k].Name != "slip" {
			t.Errorf("field %s", s.Fields[k].Name)
		}
	}
}

// A body at rest, and one that moves as a whole, cost a byte a number in frames that are
// no key frames.
func TestMotionAsAWholeIsCheap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	st := testStatic()
	f := testFrame(rng, st, 0)
	f.Contacts, f.ContactSurfaces = nil, nil
	s := NewScene(st, f, nil, nil)
	enc := NewEncoder(s)
	enc.SetFields()
	enc.Frame(f, &Numbers{})
	for i := range f.Verts[0] {
		f.Verts[0][i] = f.Verts[0][i].Add(r3.Vec{1000 * s.Quantum, 0, 0})
	}
	// head 14, two bodies of 7, 5 vertices of 3, and the first x takes a second byte; then
	// counts of fields, contacts and surfaces
	if n := len(enc.Frame(f, &Numbers{})); n != 14+14+15+1+3 {
		t.Errorf("%d bytes", n)
	}
}

// Damaged messages are refused without a panic and without memory beyond their size.
func FuzzDecode(f *testing.F) {
	rng := rand.New(rand.NewPCG(5, 6))
	st := testStatic()
	first := testFrame(rng, st, 0)
	s := NewScene(st, first, nil, nil)
	for range 5 {
		f.Add(NewEncoder(s).Frame(testFrame(rng, st, 0), &Numbers{}))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		newDecoder(s).Decode(b)
	})
}

// Numbers that are not finite leave the other values of a body, and the other forces of a frame, as they are.
func TestDamagedValuesLeaveTheOthers(t *testing.T) {
	st := testStatic()
	rng := rand.New(rand.NewPCG(3, 4))
	f := testFrame(rng, st, 0)
	f.VonMises = [][]float32{{float32(math.NaN()), 4e4}}
	f.ContactSurfaces = nil
	f.Contacts = []record.Contact{
		{A: 0, B: -1, Force_W: r3.Vec{0, 0, 5}}, {A: 1, B: -1, Force_W: r3.Vec{math.NaN(), 0, 0}}, {A: 1, B: -1, Force_W: r3.Vec{math.Inf(1), 0, 0}},
	}
	s := NewScene(st, f, nil, nil)
	d, err := newDecoder(s).Decode(NewEncoder(s).Frame(f, &Numbers{}))
	if err != nil {
		t.Fatal(err)
	}
	largest := 0.0
	for k, field := range s.Fields {
		if field.Name == "von_mises" {
			for _, v := range d.Fields[k][0] {
				largest = math.Max(largest, v)
			}
		}
	}
	if math.Abs(largest-4e4) > 4e4/100 {
		t.Errorf("the largest stress is %g Pa, want 4e4", largest)
	}
	if z := d.Contacts[0].Force_W[2]; math.Abs(z-5) > 1e-3 {
		t.Errorf("a force of %g N, want 5", z)
	}
}
