package render

import (
	"image"
	"math"
	"strings"
	"testing"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// plates is a made-up recording of two boxes above each other, whose contact is a
// square of four faces of 1, 2, 3 and 4 kPa between them, at z = 0.
func plates() *record.Recording {
	rec := &record.Recording{}
	st := &rec.Static
	st.Title, st.Gravity, st.Bodies = "Two plates", r3.Vec{0, 0, -9.81}, []string{"low", "high"}
	for b, name := range st.Bodies {
		st.Geoms = append(st.Geoms, record.Geom{Name: name, Body: b, X_BG: r3.PoseIdentity(), Mesh: box(r3.Vec{0.2, 0.2, 0.1}), Color: "#5b84b1"})
	}
	p := record.ContactSurface{A: 0, B: 1, Geoms: [2]int32{0, 1}, Force_W: r3.Vec{0, 0, 25}}
	for i, x := range []float64{-0.05, 0} {
		for j, y := range []float64{-0.05, 0} {
			lo := int32(len(p.Verts_W))
			p.Verts_W = append(p.Verts_W, r3.Vec{x, y, 0}, r3.Vec{x + 0.05, y, 0}, r3.Vec{x + 0.05, y + 0.05, 0}, r3.Vec{x, y + 0.05, 0})
			p.Faces = append(p.Faces, record.Face{Lo: lo, Hi: lo + 4, Area: 0.0025, Pressure: 1000 * float64(2*i+j+1), Normal_W: r3.Vec{0, 0, 1}})
		}
	}
	for k := range 2 {
		at := func(z float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, z}} }
		rec.Frames = append(rec.Frames, record.Frame{Time: float64(k), Poses: []r3.Pose{at(-0.05), at(0.05)}, ContactSurfaces: []record.ContactSurface{p}})
	}
	return rec
}

// looking returns options of a camera above or beside the plates.
func looking(from r3.Vec) Options {
	no := false
	target, up := r3.Vec{}, r3.Vec{0, 1, 0.01}
	return Options{Size: [2]int{320, 240}, FOV: 30, Rate: 25, Camera: &from, Target: &target, Up: &up, Forces: &no, Samples: 1, Field: contactPressure}
}

// places counts the pixels that are within 2 of a colour.
func places(img *image.RGBA, u float64) int {
	c := colormap(u)
	n := 0
	for i := 0; i < len(img.Pix); i += 4 {
		d := max(apart(img.Pix[i], c.R), apart(img.Pix[i+1], c.G), apart(img.Pix[i+2], c.B))
		if d <= 2 {
			n++
		}
	}
	return n
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

func paint(t *testing.T, rec *record.Recording, opt Options) *image.RGBA {
	t.Helper()
	p, err := NewPainter(rec, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p.Picture(0)
}

// Where nothing hides a face it has exactly the colour of its pressure on the
// scale, whose top is that of the largest.
func TestFacesHaveTheColourOfTheirPressure(t *testing.T) {
	rec := plates()
	opt := looking(r3.Vec{0, 0, 0.6})
	opt.Cut = &Cut{Point: r3.Vec{0, 0, -1e-4}, Normal: r3.Vec{0, 0, 1}}
	img := paint(t, rec, opt)
	for k := 1; k <= 4; k++ {
		if n := places(img, float64(k)/4); n < 500 {
			t.Errorf("%d pixels have the colour of %d kPa", n, k)
		}
	}
	opt.Field, opt.Cut = "none", nil
	if n := places(paint(t, rec, opt), 0.75); n > 5 {
		t.Errorf("without the field %d pixels have its colours", n)
	}
	no := false
	opt.Field, opt.ContactSurfaces = contactPressure, &no
	if n := places(paint(t, rec, opt), 0.75); n > 5 {
		t.Errorf("without contact surfaces %d pixels have their colours", n)
	}
}

// Strips as narrow as those between teeth, a twentieth of a pixel, and faces that are seen edge-on have a border of
// some pixels in the colour of their pressure.
func TestNarrowContactSurfacesAreSeen(t *testing.T) {
	rec := plates()
	f := &rec.Frames[0].ContactSurfaces[0]
	f.Verts_W = []r3.Vec{{-0.05, 0, 0}, {0.05, 0, 0}, {0.05, 5e-5, 0}, {-0.05, 5e-5, 0}}
	f.Faces = []record.Face{{Lo: 0, Hi: 4, Area: 5e-6, Pressure: 3000, Normal_W: r3.Vec{0, 0, 1}}}
	rec.Frames = rec.Frames[:1]
	for name, from := range map[string]r3.Vec{"narrow": {0, 0, 0.6}, "edge-on": {0, -0.6, 0}} {
		opt := looking(from)
		opt.Size, opt.FieldMax = [2]int{640, 480}, 4000
		opt.Cut = &Cut{Point: r3.Vec{0, 0, -1e-4}, Normal: r3.Vec{0, 0, 1}}
		if from[2] == 0 {
			up := r3.Vec{0, 0, 1}
			opt.Up, opt.Cut = &up, &Cut{Point: r3.Vec{0, -1e-4, 0}, Normal: r3.Vec{0, -1, 0}}
		}
		with := places(paint(t, rec, opt), 0.75)
		long := 0.1 / (1.2 * math.Tan(15*math.Pi/180)) * 480
		if float64(with) < 1.5*long {
			t.Errorf("%s: %d pixels show the pressure along %.0f", name, with, long)
		}
	}
}

func TestFacesShowThroughBodies(t *testing.T) {
	rec := plates()
	opt := looking(r3.Vec{0, 0, 0.6})
	yes := true
	with := paint(t, rec, opt)
	opt.Field = "none"
	without := paint(t, rec, opt)
	opt.ContactSurfaces = &yes
	plain := paint(t, rec, opt)
	// a square of 0.1 m at 0.6 m, of a picture 0.32 m high, in its middle: the scale of colours stands beside it
	side := 0.1 / (1.2 * math.Tan(15*math.Pi/180)) * 240
	want := side * side
	c := with.Rect.Max.Div(2)
	middle := image.Rect(c.X-int(0.65*side), c.Y-int(0.65*side), c.X+int(0.65*side), c.Y+int(0.65*side))
	differ := func(a, b *image.RGBA) (n int) {
		for y := middle.Min.Y; y < middle.Max.Y; y++ {
			for x := middle.Min.X; x < middle.Max.X; x++ {
				if apart(a.RGBAAt(x, y).R, b.RGBAAt(x, y).R) > 8 {
					n++
				}
			}
		}
		return n
	}
	for _, img := range []*image.RGBA{with, plain} {
		if n := float64(differ(img, without)); n < 0.8*want || n > 1.5*want {
			t.Errorf("%g pixels show faces, want about %g", n, want)
		}
	}
}

func TestRecordingsWithoutDeformablesHaveAScaleOfContactPressure(t *testing.T) {
	p, err := NewPainter(plates(), looking(r3.Vec{0, 0, 0.6}))
	if err != nil {
		t.Fatal(err)
	}
	if !p.scale || p.top != 4000 {
		t.Errorf("scale %v up to %g Pa, want 4000", p.scale, p.top)
	}
	rec := plates()
	for k := range rec.Frames {
		rec.Frames[k].ContactSurfaces = nil
	}
	if p, err = NewPainter(rec, looking(r3.Vec{0, 0, 0.6})); err != nil || p.scale {
		t.Errorf("a scale of nothing (%v)", err)
	}
}

func TestContactSurfacesHaveArrows(t *testing.T) {
	rec := plates()
	rec.Frames[0].ContactSurfaces[0].Center_W = r3.Vec{0.01, 0.02, 0}
	rec.Frames[0].ContactSurfaces = append(rec.Frames[0].ContactSurfaces, record.ContactSurface{A: 0, B: 1, Force_W: r3.Vec{1, 0, 0}}) // of a deformable
	a := arrowsOf(rec, &rec.Frames[0])
	if len(a) != 1 || a[0].at != (r3.Vec{0.01, 0.02, 0}) || a[0].force != (r3.Vec{0, 0, 25}) {
		t.Errorf("arrows %v", a)
	}
}

func areaOf(tris []fauxgl.Triangle) float64 {
	sum := 0.0
	for i := range tris {
		t := &tris[i]
		sum += r3.TriangleNormal(vec(t.V1.Position), vec(t.V2.Position), vec(t.V3.Position)).Norm() / 2
	}
	return sum
}

func TestSectionsHaveTheirArea(t *testing.T) {
	size := r3.Vec{0.3, 0.2, 0.1}
	c := newCutter(&Cut{Point: r3.Vec{0.02, 0.01, 0}, Normal: r3.Vec{1, 0.5, 0}}, 1)
	want := 0.1 * math.Hypot(0.1, 0.2) // across the whole of y, obliquely
	b := box(size)
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s has the area %g, want %g", what, got, want)
		}
	}
	near("a box' section", areaOf(c.section(b.Verts, b.Tris, fauxgl.Color{})), want)
	solid := bar(size, [3]int{5, 4, 3})
	near("a deformable's section", areaOf(c.tetSection(solid.Verts, solid.Tets, nil, fauxgl.Color{})), want)

	// a tube: a square with a hole, turned inside out there
	tube := box(r3.Vec{2, 2, 2})
	hole := box(r3.Vec{1, 1, 4})
	for _, v := range hole.Tris {
		n := int32(len(tube.Verts))
		tube.Tris = append(tube.Tris, [3]int32{v[0] + n, v[2] + n, v[1] + n})
	}
	tube.Verts = append(tube.Verts, hole.Verts...)
	c = newCutter(&Cut{Normal: r3.Vec{0, 0, -3}}, 1)
	near("a tube's section", areaOf(c.section(tube.Verts, tube.Tris, fauxgl.Color{})), 3)

	left := 0.0
	c = newCutter(&Cut{Point: r3.Vec{0.05, 0, 0}, Normal: r3.Vec{1, 0, 0}}, 1)
	cut := c.caster(b.Verts, b.Tris)
	for i := 0; i < len(cut); i += 3 {
		left += r3.TriangleNormal(cut[i], cut[i+1], cut[i+2]).Norm() / 2
	}
	near("what is left", left, 0.02+2*0.2*0.2+2*0.2*0.1)
}

// A triangle that is a line in the picture, along a row of pixels' centres, shows nothing
// and stops nothing.
func TestTrianglesWithoutAreaAreNotDrawn(t *testing.T) {
	at := func(x, y float64) fauxgl.Vertex {
		return fauxgl.Vertex{Position: fauxgl.V(x, y, 0), Normal: fauxgl.V(0, 0, 1), Color: fauxgl.White, Texture: fauxgl.V(1, -1, 0)}
	}
	row := -1.0 / 16 // its area is positive before it is measured in pixels, then rounded off
	s := &stage{w: 16, h: 16, samples: 1, matrix: fauxgl.Identity(), solid: []layer{{
		tris:   []fauxgl.Triangle{{V1: at(-0.5, row), V2: at(0, row), V3: at(0.5, math.Nextafter(row, 0))}},
		shader: &surfaceShader{plain: true, lamp: fauxgl.V(0, 0, 1), up: fauxgl.V(0, 1, 0), eye: fauxgl.V(0, 0, 5)},
	}}}
	for i, x := range s.draw().Pix {
		if x != 0 && i%4 != 3 {
			t.Fatalf("byte %d of the picture is %d", i, x)
		}
	}
}

// A section carries the field within: of von Mises stress that falls along x, what
// the cut meets.
func TestSectionsOfDeformablesShowTheField(t *testing.T) {
	m := bar(r3.Vec{1, 1, 1}, [3]int{4, 4, 4})
	u := make([]float64, len(m.Verts))
	for i, p := range m.Verts {
		u[i] = p[0] + 0.5
	}
	c := newCutter(&Cut{Point: r3.Vec{0.13, 0, 0}, Normal: r3.Vec{1, 0, 0}}, 1)
	for _, tri := range c.tetSection(m.Verts, m.Tets, u, fauxgl.Color{}) {
		if math.Abs(tri.V1.Texture.Y-0.63) > 1e-12 || tri.V1.Normal.X != 1 {
			t.Fatalf("value %g, normal %v", tri.V1.Texture.Y, tri.V1.Normal)
		}
	}
}

func TestCutsSpareOtherBodies(t *testing.T) {
	rec := plates()
	opt := looking(r3.Vec{0.6, 0, 0.1})
	up := r3.Vec{0, 0, 1}
	opt.Up, opt.Field = &up, "none"
	whole := paint(t, rec, opt)
	opt.Cut = &Cut{Point: r3.Vec{0, 0, 0}, Normal: r3.Vec{1, 0, 0}, Bodies: []string{"high"}}
	cut := paint(t, rec, opt)
	changed := [2]int{}
	for y := range 240 {
		for x := range 320 {
			i := cut.PixOffset(x, y)
			if apart(whole.Pix[i], cut.Pix[i]) > 8 {
				changed[y*2/240]++
			}
		}
	}
	if changed[0] < 2000 || changed[1] > changed[0]/5 {
		t.Errorf("%d pixels change above, %d below", changed[0], changed[1])
	}
	for name, c := range map[string]*Cut{
		`no body "hihg": did you mean "high"?`: {Normal: r3.Vec{1, 0, 0}, Bodies: []string{"hihg"}},
		"normal not zero":                      {},
		"finite":                               {Normal: r3.Vec{1, 0, 0}, Point: r3.Vec{math.NaN()}},
	} {
		opt.Cut = c
		if _, err := NewPainter(rec, opt); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
