package render

import (
	"image"
	"image/color"
	"math"
	"sync"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// A painter has what all pictures of a recording share: the camera, the scales, and for each body the
// surface split into triangles that are small enough. For one picture it
//
// 	samples the state at a time          f
// 	places all surfaces                  x_W = X_WG x_G,  n_W = R_WG n_G
// 	draws the depth maps of the lights   castShadows
// 	collects triangles with their light  bodies, ground
// 	rasterizes them                      stage.draw
// 	writes words and scales over it      annotate
//
// Frames: W is the world, G a geom. Lengths are m, colours linear light.
//
// Triangles are small enough that light, which is computed at vertices, and the order of depth
// look smooth; deformables keep the triangles of their mesh, whose field is shown at vertices.

// Painter draws pictures of one recording. Data that do not change from picture to
// picture are computed once.
type Painter struct {
	rec *record.Recording
	// opt are the options with all defaults filled in.
	opt  Options
	view *view
	// field is the scalar that deformables are coloured by, top the value at the top of the
	// colour scale, SI.
	field *field
	top   float64
	// force is the force (N) that an arrow of the length arrow (m) stands for; 0: pictures
	// have no arrows.
	force, arrow float64
	// cell is the edge of a square of the ground's checker, m; 0: no ground.
	cell float64
	// geoms and soft are the surfaces of rigid bodies and of deformables.
	geoms []geomSkin
	soft  []softSkin
	// grounds are the squares of half-spaces.
	grounds []groundSkin
	// quality is that of Options.Quality.
	quality *quality
	// boards are what pictures are drawn with, whose memory the next ones use.
	boards sync.Pool
	// fixedWords are the words that all pictures share, without and with values above the scale; fixed guards them.
	fixed      [2]sync.Once
	fixedWords [2][]words
	// bodiesBox is the box about all that is shown over the recording, ground excluded, m.
	bodiesBox r3.Box
	// cut is the cut of bodies; nil: none.
	cut *cutter
	// faces reports that faces of pressure fields are shown, scale that the scale of colours is.
	faces, scale bool
}

// board is the memory of a picture while it is drawn.
type board struct {
	// light has the depth maps.
	light lighting
	// builder collects the triangles of bodies; seen are those in sight, facets what their pixels need.
	builder builder
	seen    []projected
	facets  []facet
	// at are the surfaces where they are.
	at placement
}

// geomSkin is a rigid surface as it is drawn, in its geom's frame.
type geomSkin struct {
	geom *record.Geom
	// name is that of its body, or its own if it is fixed in the world.
	name string
	// mesh is the surface as recorded, with its normals outward.
	mesh *meshes.Tri
	// surface is the mesh split into smaller triangles; verts (m) and normals are its
	// vertices and the unit normals of its slots.
	surface        *tessellation
	verts, normals []r3.Vec
	// shadow are the vertices of the surface that throws shadows, m, shadowTris its triangles: split less.
	shadow     []r3.Vec
	shadowTris [][3]int32
	// color is linear light.
	color fauxgl.Color
}

// softSkin is the boundary of a deformable as it is drawn.
type softSkin struct {
	// index is that of the deformable.
	index int
	// skin is the boundary as recorded, surface the boundary split into smaller triangles, shadow the one that throws
	// shadows. Vertices and normals are found for every picture.
	skin            *skin
	surface, shadow *tessellation
}

// NewPainter prepares to draw a recording.
func NewPainter(rec *record.Recording, opt Options) (*Painter, error) {
	// faults of the recording and of the options are found before anything is drawn
	if err := rec.Valid(); err != nil {
		return nil, err
	}
	if err := opt.complete(&rec.Static); err != nil {
		return nil, err
	}
	p := &Painter{rec: rec, opt: opt, quality: opt.quality(), view: newView(rec, &opt), field: fieldByName(opt.Field), top: opt.FieldMax}
	// scales of colours and of arrows apply to the whole recording
	if p.top == 0 && opt.Field != "none" {
		p.top = fieldTop(rec, p.field, opt.Field == contactPressure)
	}
	p.cut = newCutter(opt.Cut, p.view.size)
	p.faces = opt.showsFaces() && hasFaces(rec)
	p.scale = opt.showsScale(rec)
	if opt.forces() {
		p.force, p.arrow = forceScale(rec), p.view.size/8
	}
	p.boards.New = func() any { return new(board) }
	p.skins()
	// one frame stands for all: that of the picture, or the last
	t := rec.Time(rec.Len() - 1)
	if opt.Picture != nil {
		t = *opt.Picture
	}
	if err := p.checkCover(t); err != nil {
		return nil, err
	}
	return p, rec.Err()
}

// skins splits the surfaces of all bodies that are shown.
func (p *Painter) skins() {
	rec := p.rec
	p.bodiesBox = bounds(rec, func(g *record.Geom) bool { return !p.opt.hides(bodyOf(&rec.Static, g)) })
	surfaces := len(rec.Static.Geoms) + len(rec.Static.Deformables)
	arc := p.arcTolerance()
	shadowArc := arc / final.arc * p.quality.arc
	// surfaces of rigid bodies: split once, in the frame of their geom
	for i := range rec.Static.Geoms {
		g := &rec.Static.Geoms[i]
		switch {
		// a half-space is a square of ground with a checker of a sixteenth of the view
		case g.Hidden || p.opt.hides(bodyOf(&rec.Static, g)):
		case g.Ground > 0:
			p.cell = roundUp(p.view.size / 16)
			p.grounds = append(p.grounds, newGroundSkin(g))
		case g.Mesh != nil && len(g.Mesh.Tris) > 0:
			m := outward(g.Mesh)
			s := newSkin(m.Verts, m.Tris)
			normals := s.normals(m.Verts)
			skin := geomSkin{geom: g, name: bodyOf(&rec.Static, g), mesh: m, color: bodyColor(g.Color, max(0, g.Body))}
			skin.surface = tessellate(s, [][]r3.Vec{m.Verts}, arc, p.view.size/litEdges, surfaces)
			skin.verts, skin.normals = skin.surface.apply(m.Verts, normals)
			shadow := tessellate(s, [][]r3.Vec{m.Verts}, shadowArc, math.Inf(1), surfaces)
			skin.shadow, _ = shadow.apply(m.Verts, normals)
			skin.shadowTris = shadow.tris
			p.geoms = append(p.geoms, skin)
		}
	}
	// surfaces of deformables: where to split is found once, from several shapes
	for i := range rec.Static.Deformables {
		body := &rec.Static.Deformables[i]
		if p.opt.hides(body.Name) {
			continue
		}
		s := newSkin(body.Rest, body.Tris)
		// curvature of the undeformed body and of three instants
		n := rec.Len()
		placements := [][]r3.Vec{body.Rest}
		for _, k := range [3]int{0, n / 2, n - 1} {
			placements = append(placements, rec.At(k).Verts[i])
		}
		p.soft = append(p.soft, softSkin{
			index: i, skin: s,
			surface: tessellate(s, placements, arc, math.Inf(1), surfaces),
			shadow:  tessellate(s, placements, shadowArc, math.Inf(1), surfaces),
		})
	}
}

// litEdges is the least number of edges of a large face over the picture's height:
// ambient light is evaluated at vertices.
const litEdges = 32

// arcTolerance is how far outlines of curved surfaces may be from their arcs, m: a
// quarter of a pixel.
func (p *Painter) arcTolerance() float64 { return 0.25 * p.view.size / float64(p.opt.Size[1]) }

// bodyOf names the body of a geom: in the world, the geom.
func bodyOf(st *record.Static, g *record.Geom) string {
	// the world has no name of its own
	if g.Body < 0 {
		return g.Name
	}
	return st.Bodies[g.Body]
}

// outward turns a surface that is inside out, as mirrored ones are.
func outward(m *meshes.Tri) *meshes.Tri {
	// the volume by the divergence theorem is negative where normals point inward
	if m.Volume() >= 0 {
		return m
	}
	out := &meshes.Tri{Verts: m.Verts}
	for _, t := range m.Tris {
		out.Tris = append(out.Tris, [3]int32{t[0], t[2], t[1]})
	}
	return out
}

// Picture draws the recording at time t (s). A time before the first or after the last frame
// shows that frame.
func Picture(rec *record.Recording, t float64, opt Options) (image.Image, error) {
	p, err := NewPainter(rec, opt)
	if err != nil {
		return nil, err
	}
	return p.Picture(t), rec.Err()
}

// Picture draws the recording at time t, s.
func (p *Painter) Picture(t float64) *image.RGBA {
	var f record.Frame
	sample(p.rec, t, &f)
	values := p.values(&f)
	// the background: one colour, or a light gradient
	s := &stage{w: p.opt.Size[0], h: p.opt.Size[1], samples: p.opt.Samples, matrix: p.view.matrix}
	s.top, s.bottom = color.NRGBA{250, 251, 252, 255}, color.NRGBA{222, 226, 231, 255}
	if p.opt.Background != "" {
		s.top, _ = parseColor(p.opt.Background)
		s.bottom = s.top
	}
	// everything is drawn, then words are written over it
	b := p.boards.Get().(*board)
	p.build(s, b, &f, values)
	s.seen, s.facets = b.seen, b.facets
	img := s.draw()
	b.seen, b.facets = s.seen, s.facets
	p.boards.Put(b)
	// a value above the scale puts ≥ in front of the top label
	peak := fieldPeak(values)
	if p.faces && p.opt.Field == contactPressure {
		peak = max(peak, fieldPeak([][]float64{facePressures(&f)}))
	}
	p.annotate(img, f.Time, peak)
	return img
}

// values evaluates the field on each deformable, SI.
func (p *Painter) values(f *record.Frame) [][]float64 {
	// of each deformable, nil for those that are not shown and for the field none
	v := make([][]float64, len(f.Verts))
	for _, s := range p.soft {
		v[s.index] = p.field.eval(p.rec, f, s.index)
	}
	return v
}

// lampDirection returns the direction to the lamp: above, to the left of the camera
// and a little in front of it.
func (v *view) lampDirection() r3.Vec {
	// back points to the camera, right to the right of the picture, front to the viewer on the level
	back := v.eye.Sub(v.target).Unit()
	right := v.up.Cross(back).Unit()
	front := right.Cross(v.up)
	return v.up.Scale(1.25).AddScaled(-0.62, right).AddScaled(0.42, front).Unit()
}

// build fills the stage with the bodies, their light, the ground, the contact
// surfaces and the arrows.
func (p *Painter) build(s *stage, b *board, f *record.Frame, values [][]float64) {
	// shadows first: shaders look them up
	at, light := &b.at, &b.light
	p.place(at, f)
	s.light = light
	lamp := p.view.lampDirection()
	center, radius := p.castShadows(light, at, lamp)
	shader := surfaceShader{eye: vector(p.view.eye), up: vector(p.view.up), light: light, lamp: vector(lamp)}
	plain := shader
	plain.plain = true

	// bodies, then the ground, which gives way to bodies in its plane
	// bodies of one picture are one layer: the depth bias lets the first of coplanar faces win
	s.solid = append(s.solid, layer{
		tris: p.bodies(b, f, at, values), bias: p.view.depth(tieDepth * p.view.size), shader: &shader,
	})
	for i := range p.grounds {
		g := &p.grounds[i]
		s.solid = append(s.solid, p.ground(s, g, geomPose(g.geom, f), lamp, center, radius))
	}
	p.covers(s, f, &plain)
}

// covers adds what shows through bodies: contact surfaces, then arrows.
func (p *Painter) covers(s *stage, f *record.Frame, plain *surfaceShader) {
	if p.faces {
		top := 0.0 // one colour
		if p.opt.Field == contactPressure {
			top = p.top
		}
		faces, lift := p.view.drawFaces(f, top), p.view.depth(faceDepth*p.view.size)
		s.over = append(s.over,
			cover{layer{tris: faces.outer, shader: flatShader{}}, hiddenBorder, lift},
			cover{layer{tris: faces.inner, shader: flatShader{}}, hiddenFace, lift},
			cover{layer{tris: faces.faces, shader: flatShader{}}, hiddenFace, lift})
	}
	if p.force > 0 {
		s.over = append(s.over, cover{layer{
			tris: drawArrows(nil, arrowsOf(p.rec, f), p.force, p.arrow), shader: plain,
		}, hiddenArrow, 0})
	}
}

// bodies returns the triangles of all bodies with their colours and ambient light,
// cut.
func (p *Painter) bodies(mem *board, f *record.Frame, at *placement, values [][]float64) []fauxgl.Triangle {
	b := &mem.builder
	b.view, b.light, b.tris, b.slots = p.view, &mem.light, b.tris[:0], 0
	// sections of a picture are numbered from 0; pictures that are drawn at the same time have cutters of their own
	cut := p.cut
	if cut != nil {
		own := *cut
		own.caps = 0
		cut = &own
	}
	for i := range p.geoms {
		g := &p.geoms[i]
		b.cut = cut.of(g.name)
		// the surface, then the section that closes it
		b.surface(g.surface, at.verts[i], at.normals[i], look{color: g.color, gloss: rigidGloss})
		if b.cut != nil {
			b.tris = append(b.tris, b.cut.section(at.verts[i], g.surface.tris, g.color)...)
		}
	}
	// deformables by their field, as a part of the scale
	for i := range p.soft {
		k := p.soft[i].index
		body := &p.rec.Static.Deformables[k]
		lk := look{color: bodyColor(body.Color, len(p.rec.Static.Bodies)+k), gloss: softGloss}
		if values[k] != nil {
			lk.scalar = make([]float64, len(values[k]))
			for j, x := range values[k] {
				lk.scalar[j] = max(0, min(1, x/p.top))
			}
			lk.scalar = p.soft[i].surface.scalars(lk.scalar)
		}
		b.cut = cut.of(body.Name)
		// the surface from the split boundary, the section from the tetrahedra
		b.surface(p.soft[i].surface, at.softVerts[i], at.softNormals[i], lk)
		if b.cut != nil {
			b.tris = append(b.tris, b.cut.tetSection(f.Verts[k], body.Tets, lk.scalar, lk.color)...)
		}
	}
	return b.tris
}

// Strengths of the highlight on rigid and on deformable bodies.
const (
	rigidGloss = 0.16
	softGloss  = 0.07
)

// Depths that decide which of two surfaces in one place is seen, over the height of
// what is seen: of two bodies' coplanar faces that of the first; of a body and the
// ground the body; of a contact surface and the bodies that it lies in the contact
// surface.
const (
	tieDepth    = 1e-6
	groundDepth = 1e-5
	faceDepth   = 3e-3
)
