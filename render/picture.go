package render

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/fauxgl"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// A painter holds what all pictures of a recording share: the camera, the scales, and for each body the
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
	// light holds the depth maps of the last picture, whose memory the next one uses.
	light lighting
	// cut is the cut of bodies; nil: none.
	cut *cutter
	// faces reports that faces of pressure fields are shown, scale that the scale of colours is.
	faces, scale bool
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
	// color is linear light.
	color fauxgl.Color
}

// softSkin is the boundary of a deformable as it is drawn.
type softSkin struct {
	// skin is the boundary as recorded, surface the boundary split into smaller triangles.
	// Vertices and normals are found for every picture.
	skin    *skin
	surface *tessellation
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
	p := &Painter{rec: rec, opt: opt, view: newView(rec, &opt), field: fieldByName(opt.Field), top: opt.FieldMax}
	// scales of colours and of arrows hold for the whole recording
	if p.top == 0 && opt.Field != "none" {
		p.top = fieldTop(rec, p.field, opt.Field == contactPressure)
	}
	p.cut = newCutter(opt.Cut, p.view.size)
	p.faces = opt.showsFaces() && hasFaces(rec)
	p.scale = opt.showsScale(rec)
	if opt.forces() {
		p.force, p.arrow = forceScale(rec), p.view.size/8
	}
	surfaces := len(rec.Static.Geoms) + len(rec.Static.Deformables)
	// surfaces of rigid bodies: split once, in the frame of their geom
	for i := range rec.Static.Geoms {
		g := &rec.Static.Geoms[i]
		switch {
		// a half-space is a square of ground with a checker of a sixteenth of the view
		case g.Hidden:
		case g.Ground > 0:
			p.cell = roundUp(p.view.size / 16)
		case g.Mesh != nil && len(g.Mesh.Tris) > 0:
			m := outward(g.Mesh)
			s := newSkin(m.Verts, m.Tris)
			t := tessellate(s, [][]r3.Vec{m.Verts}, p.arcTolerance(), p.view.size/litEdges, surfaces)
			verts, normals := t.apply(m.Verts, s.normals(m.Verts))
			p.geoms = append(p.geoms, geomSkin{g, bodyOf(&rec.Static, g), m, t, verts, normals, bodyColor(g.Color, max(0, g.Body))})
		}
	}
	// surfaces of deformables: where to split is found once, from several shapes
	for i := range rec.Static.Deformables {
		body := &rec.Static.Deformables[i]
		s := newSkin(body.Rest, body.Tris)
		// curvature of the undeformed body and of three instants
		n := rec.Len()
		placements := [][]r3.Vec{body.Rest}
		for _, k := range [3]int{0, n / 2, n - 1} {
			placements = append(placements, rec.At(k).Verts[i])
		}
		p.soft = append(p.soft, softSkin{s, tessellate(s, placements, p.arcTolerance(), math.Inf(1), surfaces)})
	}
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
	p.build(s, &f, values)
	img := s.draw()
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
	// of each deformable, nil for the field none
	v := make([][]float64, len(f.Verts))
	for i := range v {
		v[i] = p.field.eval(p.rec, f, i)
	}
	return v
}

// placement holds the vertices (m) and normals of all surfaces in world axes.
type placement struct {
	// verts and normals are those of each geom that is drawn, in the order of Painter.geoms.
	verts, normals [][]r3.Vec
	// softVerts and softNormals are those of each deformable.
	softVerts, softNormals [][]r3.Vec
}

// place moves all surfaces to where they are in a frame.
func (p *Painter) place(f *record.Frame) *placement {
	at := &placement{
		verts: make([][]r3.Vec, len(p.geoms)), normals: make([][]r3.Vec, len(p.geoms)),
		softVerts: make([][]r3.Vec, len(p.soft)), softNormals: make([][]r3.Vec, len(p.soft)),
	}
	// x_W = X_WG x_G for vertices, n_W = R_WG n_G for normals
	for i := range p.geoms {
		g := &p.geoms[i]
		X_WG := geomPose(g.geom, f)
		verts, normals := make([]r3.Vec, len(g.verts)), make([]r3.Vec, len(g.normals))
		for j, v := range g.verts {
			verts[j] = X_WG.Point(v)
		}
		for j, n := range g.normals {
			normals[j] = X_WG.R.MulVec(n)
		}
		at.verts[i], at.normals[i] = verts, normals
	}
	// vertices of deformables are recorded in world axes
	for i := range p.soft {
		s := &p.soft[i]
		at.softVerts[i], at.softNormals[i] = s.surface.apply(f.Verts[i], s.skin.normals(f.Verts[i]))
	}
	return at
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
func (p *Painter) build(s *stage, f *record.Frame, values [][]float64) {
	// shadows first: shaders look them up
	at := p.place(f)
	lamp := p.view.lampDirection()
	center, radius := p.castShadows(at, lamp)
	shader := surfaceShader{eye: vector(p.view.eye), up: vector(p.view.up), light: &p.light, lamp: vector(lamp)}

	// bodies, then the ground, which gives way to bodies in its plane
	// bodies of one picture are one layer: the depth bias lets the first of coplanar faces win
	s.solid = append(s.solid, layer{
		tris: p.bodies(f, at, values), bias: p.view.depth(tieDepth * p.view.size), shader: shader.with(false),
	})
	for i := range p.rec.Static.Geoms {
		if g := &p.rec.Static.Geoms[i]; g.Ground > 0 && !g.Hidden {
			s.solid = append(s.solid, p.ground(g, geomPose(g, f), shader, center, radius))
		}
	}
	p.covers(s, f, shader)
}

// covers adds what shows through bodies: contact surfaces, then arrows.
func (p *Painter) covers(s *stage, f *record.Frame, shader surfaceShader) {
	if p.faces {
		top := 0.0 // one colour
		if p.opt.Field == contactPressure {
			top = p.top
		}
		s.over = append(s.over, cover{layer{
			tris:   drawFaces(f, top),
			shader: func(m fauxgl.Matrix) fauxgl.Shader { return &flatShader{m} },
		}, hiddenFace, p.view.depth(faceDepth * p.view.size)})
	}
	if p.force > 0 {
		s.over = append(s.over, cover{layer{
			tris: drawArrows(nil, arrowsOf(p.rec, f), p.force, p.arrow), shader: shader.with(true),
		}, hiddenArrow, 0})
	}
}

// with returns the shader for any projection; a plain one ignores shadows.
func (s surfaceShader) with(plain bool) func(fauxgl.Matrix) fauxgl.Shader {
	return func(m fauxgl.Matrix) fauxgl.Shader {
		// each band draws with a copy of its own
		sh := s
		sh.matrix, sh.plain = m, plain
		return &sh
	}
}

// bodies returns the triangles of all bodies with their colours and ambient light,
// cut.
func (p *Painter) bodies(f *record.Frame, at *placement, values [][]float64) []fauxgl.Triangle {
	b := &builder{light: &p.light}
	// sections of a picture are numbered from 0
	if p.cut != nil {
		p.cut.caps = 0
	}
	for i := range p.geoms {
		g := &p.geoms[i]
		b.cut = p.cut.of(g.name)
		// the surface, then the section that closes it
		b.surface(g.surface, at.verts[i], at.normals[i], look{color: g.color, gloss: rigidGloss})
		if b.cut != nil {
			b.tris = append(b.tris, b.cut.section(at.verts[i], g.surface.tris, g.color)...)
		}
	}
	// deformables by their field, as a part of the scale
	for i := range p.soft {
		body := &p.rec.Static.Deformables[i]
		lk := look{color: bodyColor(body.Color, len(p.rec.Static.Bodies)+i), gloss: softGloss}
		if values[i] != nil {
			lk.scalar = make([]float64, len(values[i]))
			for j, x := range values[i] {
				lk.scalar[j] = max(0, min(1, x/p.top))
			}
			lk.scalar = p.soft[i].surface.scalars(lk.scalar)
		}
		b.cut = p.cut.of(body.Name)
		// the surface from the split boundary, the section from the tetrahedra
		b.surface(p.soft[i].surface, at.softVerts[i], at.softNormals[i], lk)
		if b.cut != nil {
			b.tris = append(b.tris, b.cut.tetSection(f.Verts[i], body.Tets, lk.scalar, lk.color)...)
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

// castShadows draws the depth maps of everything shown, and returns the ball it
// fits in.
func (p *Painter) castShadows(at *placement, lamp r3.Vec) (center r3.Vec, radius float64) {
	// soup are triangles of three points each, box is their bounding box
	box := r3.EmptyBox()
	var soup []r3.Vec
	add := func(cut *cutter, verts []r3.Vec, tris [][3]int32) {
		// cut bodies throw the shadow of what is left of them
		from := len(soup)
		for _, t := range tris {
			for _, v := range t {
				soup = append(soup, verts[v])
				box = box.Extend(verts[v])
			}
		}
		if cut != nil {
			soup = append(soup[:from], cut.soup(soup[from:])...)
		}
	}
	for i := range p.geoms {
		add(p.cut.of(p.geoms[i].name), at.verts[i], p.geoms[i].surface.tris)
	}
	for i := range p.soft {
		add(p.cut.of(p.rec.Static.Deformables[i].Name), at.softVerts[i], p.soft[i].surface.tris)
	}
	// nothing but ground: a point, which gets a ball of the least radius
	if len(soup) == 0 {
		box = r3.Box{Min: p.view.target, Max: p.view.target}
	}
	// the ball about the box, a little larger
	center, radius = box.Center(), max(box.Size().Norm()/2*1.01, 1e-9)
	p.light.cast(soup, lamp, p.view.up, center, radius, lampCells(p.opt.Size), domeCells(p.opt.Size))
	return center, radius
}

// ground is a square of a half-space's boundary.
func (p *Painter) ground(g *record.Geom, X_WG r3.Pose, shader surfaceShader, center r3.Vec, radius float64) layer {
	// a grey that is lighter than bodies, unless the ground has a colour
	half := g.Ground / 2
	c, err := parseColor(g.Color)
	if err != nil {
		c = color.NRGBA{214, 212, 206, 255}
	}
	// corners at ±half in the plane z = 0 of the ground's frame, whose z axis is the normal
	corner := func(x, y float64) fauxgl.Vertex {
		return fauxgl.Vertex{
			Position: vector(X_WG.Point(r3.Vec{x * half, y * half, 0})),
			Normal:   vector(X_WG.R.Col(2)), Color: toLight(c), Texture: fauxgl.Vector{X: 1, Y: -1},
		}
	}
	a, b, d, e := corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)
	// the sky's light is sampled about the bodies, not over all of a large ground
	X_GW := X_WG.Inv()
	m := X_GW.Point(center)
	sh := groundShader{surfaceShader: shader, X_GW: X_GW, half: half, cell: p.cell}
	sh.shade = newGroundShade(&p.light, X_WG, m[0], m[1], min(2.2*radius, 2*math.Hypot(half, half)), domeCells(p.opt.Size))
	return layer{
		bias: p.view.depth(groundDepth * p.view.size),
		tris: []fauxgl.Triangle{{V1: a, V2: b, V3: d}, {V1: a, V2: d, V3: e}},
		shader: func(m fauxgl.Matrix) fauxgl.Shader {
			s := sh
			s.matrix = m
			return &s
		},
	}
}
