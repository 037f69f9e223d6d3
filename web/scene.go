package web

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
)

// Version is the number of the wire format. A page refuses a scene of another version.
const Version = 1

// Scene is what a page needs before the first frame. It travels as JSON.
type Scene struct {
	// Version is the constant of that name.
	Version int `json:"version"`
	// Title is the scene's title.
	Title string `json:"title"`
	// Gravity is the acceleration of free fall, m/s²; up is its opposite.
	Gravity r3.Vec `json:"gravity"`
	// Quantum is the step of the grid of positions, m, a power of two.
	Quantum float64 `json:"quantum"`
	// RotationQuantum is the step of the components of unit quaternions.
	RotationQuantum float64 `json:"rotation_quantum"`
	// Low and High bound the bodies in the first frame, without grounds, m. Low is the lower corner.
	Low r3.Vec `json:"low"`
	// High is the upper corner of that box, m, in world axes.
	High r3.Vec `json:"high"`
	// Bodies are the names of all scene bodies, rigid ones first.
	Bodies []string `json:"bodies"`
	// Rigid is the number of rigid bodies.
	Rigid int `json:"rigid"`
	// Kinematic are the rigid bodies that no force moves, such as fixed ones: arrows show no force on them.
	Kinematic []int `json:"kinematic,omitempty"`
	// Shapes are the shapes of rigid bodies and of the world that are shown.
	Shapes []Shape `json:"shapes"`
	// Meshes are the surfaces of shapes, each once.
	Meshes []Mesh `json:"meshes"`
	// Deformables are the surfaces of deformable bodies.
	Deformables []Deformable `json:"deformables"`
	// Fields are the quantities that colour the vertices of deformables. A frame names
	// them by their index.
	Fields []Field `json:"fields"`
	// Signals are the signals of a frame in its order.
	Signals []Signal `json:"signals"`
	// Stats are figures about the simulation itself, in the order of a frame; live runs name them.
	Stats []Signal `json:"stats"`
	// Render has the render section of the scene as it was recorded.
	Render json.RawMessage `json:"render,omitempty"`

	static *record.Static
	first  record.Frame
}

// Shape is a shape as it is shown.
type Shape struct {
	// Name is the name of the shape's body, with a number where it has several.
	Name string `json:"name"`
	// Body is the rigid body; −1 is the world.
	Body int `json:"body"`
	// Pose is the position (m) and the unit quaternion (w, x, y, z) in the body.
	Pose [7]float64 `json:"pose"`
	// Mesh is the index of the surface; −1 for a ground.
	Mesh int `json:"mesh"`
	// Color is #rrggbb.
	Color string `json:"color"`
	// Ground is the edge of the square that stands for a half-space, m; else 0.
	Ground float64 `json:"ground,omitempty"`
}

// Mesh is a surface of triangles.
type Mesh struct {
	// Verts are three coordinates for each vertex, m.
	Verts Floats `json:"verts"`
	// Tris are three vertices for each triangle, counter-clockwise seen from outside.
	Tris Indices `json:"tris"`
}

// Deformable is the surface of a deformable body.
type Deformable struct {
	// Name is the body's name.
	Name string `json:"name"`
	// Color is #rrggbb.
	Color string `json:"color"`
	// Tris are three vertices for each triangle, numbered as in frames.
	Tris Indices `json:"tris"`
	// Vertices are the numbers that the surface's vertices have in the model.
	Vertices Indices `json:"vertices"`
}

// Field is a quantity at the vertices of deformables.
type Field struct {
	// Name is one of render.FieldNames.
	Name string `json:"name"`
	// Label is its name in words.
	Label string `json:"label"`
	// Unit is its SI unit.
	Unit string `json:"unit"`
	// Max is the top of the scale of colours, in the unit; 0: the page chooses it.
	Max float64 `json:"max"`
}

// Signal is a number of each frame.
type Signal struct {
	// Name is its name.
	Name string `json:"name"`
	// Unit is its unit; empty for a pure number.
	Unit string `json:"unit"`
}

// Floats travel in JSON as base64 of little-endian float32.
type Floats []float32

// MarshalJSON implements json.Marshaler.
func (f Floats) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 4*len(f))
	for _, x := range f {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return json.Marshal(base64.StdEncoding.EncodeToString(b))
}

// Indices travel in JSON as base64 of little-endian uint32.
type Indices []uint32

// MarshalJSON implements json.Marshaler.
func (n Indices) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 4*len(n))
	for _, x := range n {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return json.Marshal(base64.StdEncoding.EncodeToString(b))
}

// rotationQuantum is the step of components of quaternions: 2⁻²⁰, some 2e-6 rad.
const rotationQuantum = 1.0 / (1 << 20)

// NewScene returns the scene of a recording or of a live run. first is its first frame,
// from which displacements are measured; signals and stats name the numbers that come
// with each frame. The scene keeps a reference to the static data.
func NewScene(st *record.Static, first *record.Frame, signals, stats []Signal) *Scene {
	s := &Scene{
		Version: Version, Title: st.Title, Gravity: st.Gravity, Rigid: len(st.Bodies), Kinematic: st.Kinematic, Render: st.Render,
		RotationQuantum: rotationQuantum, Signals: append([]Signal{}, signals...), Stats: append([]Signal{}, stats...),
		Bodies: append([]string{}, st.Bodies...), Shapes: []Shape{}, Meshes: []Mesh{}, Deformables: []Deformable{}, Fields: []Field{},
		static: st,
	}
	// only vertices of the first frame are read later; a live frame's memory is reused
	s.first.Verts = make([][]r3.Vec, len(first.Verts))
	for i, v := range first.Verts {
		s.first.Verts[i] = append([]r3.Vec{}, v...)
	}
	s.addShapes(st)
	for i := range st.Deformables {
		s.addDeformable(&st.Deformables[i], render.BodyColor(st.Deformables[i].Color, len(st.Bodies)+i))
	}
	// fields need a surface that they can colour
	if len(st.Deformables) > 0 {
		for _, name := range render.FieldNames() {
			if label, unit := render.FieldLabel(name); label != "" {
				s.Fields = append(s.Fields, Field{Name: name, Label: label, Unit: unit})
			}
		}
	}
	s.setBounds(first)
	return s
}

// addShapes adds the shapes that are shown, and their surfaces once each.
func (s *Scene) addShapes(st *record.Static) {
	// by pointer: copies of a robot share their surfaces
	index := map[*meshes.Tri]int{}
	for i := range st.Geoms {
		g := &st.Geoms[i]
		if g.Hidden || g.Ground == 0 && (g.Mesh == nil || len(g.Mesh.Tris) == 0) {
			continue
		}
		q := g.X_BG.R.Quat()
		p := g.X_BG.P
		sh := Shape{
			Name: g.Name, Body: g.Body, Pose: [7]float64{p[0], p[1], p[2], q[0], q[1], q[2], q[3]},
			Mesh: -1, Color: render.BodyColor(g.Color, max(0, g.Body)), Ground: g.Ground,
		}
		// a half-space is drawn as ground, whatever surface it has, in no body's colour
		if g.Ground > 0 {
			sh.Color = render.GroundColor(g.Color)
		} else {
			k, ok := index[g.Mesh]
			if !ok {
				k = len(s.Meshes)
				index[g.Mesh] = k
				s.Meshes = append(s.Meshes, newMesh(g.Mesh))
			}
			sh.Mesh = k
		}
		s.Shapes = append(s.Shapes, sh)
	}
}

// newMesh copies a surface into the lists of the wire.
func newMesh(t *meshes.Tri) Mesh {
	// float32: half the size, and 6e-8 of a length is far below the grid
	m := Mesh{Verts: make(Floats, 0, 3*len(t.Verts)), Tris: make(Indices, 0, 3*len(t.Tris))}
	for _, v := range t.Verts {
		m.Verts = append(m.Verts, float32(v[0]), float32(v[1]), float32(v[2]))
	}
	for _, v := range t.Tris {
		m.Tris = append(m.Tris, uint32(v[0]), uint32(v[1]), uint32(v[2]))
	}
	return m
}

// addDeformable adds the surface of a deformable: the vertices that its boundary has, in
// the order of the model, and the triangles renumbered.
func (s *Scene) addDeformable(d *record.Deformable, color string) {
	// empty lists and not nil: scripts walk through []
	out := Deformable{Name: d.Name, Color: color, Tris: Indices{}, Vertices: Indices{}}
	onSurface := make([]bool, len(d.Rest))
	for _, t := range d.Tris {
		onSurface[t[0]], onSurface[t[1]], onSurface[t[2]] = true, true, true
	}
	// number of a vertex among those of the surface; inner ones are not sent
	number := make([]uint32, len(d.Rest))
	for k, on := range onSurface {
		if on {
			number[k] = uint32(len(out.Vertices))
			out.Vertices = append(out.Vertices, uint32(k))
		}
	}
	for _, t := range d.Tris {
		out.Tris = append(out.Tris, number[t[0]], number[t[1]], number[t[2]])
	}
	// deformables are numbered behind the rigid bodies, as contacts number them
	s.Bodies = append(s.Bodies, d.Name)
	s.Deformables = append(s.Deformables, out)
}

// setBounds sets the bounds of the bodies in the first frame and, from the largest body,
// the step of the grid of positions: with its diagonal d the largest power of two that
// does not exceed 2⁻¹⁶ d, from 2⁻²⁴ m to 2⁻¹⁰ m.
func (s *Scene) setBounds(first *record.Frame) {
	all, largest := r3.EmptyBox(), 0.0
	add := func(b r3.Box) {
		if b.Min[0] <= b.Max[0] {
			largest = max(largest, b.Size().Norm())
			all = all.Union(b)
		}
	}
	for i := range s.static.Geoms {
		// hidden shapes and grounds would make the grid coarser than what is seen needs
		g := &s.static.Geoms[i]
		if g.Hidden || g.Ground > 0 || g.Mesh == nil || len(g.Mesh.Verts) == 0 {
			continue
		}
		X := g.X_BG
		if g.Body >= 0 {
			X = first.Poses[g.Body].Mul(X)
		}
		add(g.Mesh.Bounds().Transform(X))
	}
	for _, v := range first.Verts {
		b := r3.EmptyBox()
		for _, x := range v {
			b = b.Extend(x)
		}
		add(b)
	}
	// a scene without bodies: a cube of 0.1 m
	if all.Min[0] > all.Max[0] {
		all, largest = r3.Box{Min: r3.Vec{-0.05, -0.05, 0}, Max: r3.Vec{0.05, 0.05, 0.1}}, 0.1
	}
	// pages choose camera, arrows and shadows by this box
	s.Low, s.High = all.Min, all.Max
	s.Quantum = math.Exp2(math.Max(-24, math.Min(-10, math.Floor(math.Log2(largest/(1<<16))))))
}
