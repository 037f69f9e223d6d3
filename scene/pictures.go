package scene

// Recordings begin with what does not change: shapes with their poses on bodies, rest positions and
// tetrahedra of deformables, the render section of the scene. They have surfaces, not kinds of shape,
// so that a recording can be drawn by a program that does not support a shape.
//
// Colours are of the scene alone: bodies and shapes are those that the builder has when the model is built, so that a
// draft shows what a program has made of it.

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/sim"
)

// pictures are the shapes and deformables that recordings and pictures show.
type pictures struct {
	// geoms have the name of their body until the model numbers bodies.
	geoms []shownShape
	// colors are those of deformables by name.
	colors map[string]string

	// parts are the shapes that are machine parts, whose meshing package check verifies.
	parts map[geometry.Shape]parts.Part
	// spheres are surfaces by radius, m: heaps and robots have thousands of equal ones.
	spheres map[float64]*meshes.Tri
}

// newPictures returns an empty collection.
func newPictures() pictures {
	return pictures{colors: map[string]string{}, parts: map[geometry.Shape]parts.Part{}, spheres: map[float64]*meshes.Tri{}}
}

// shownShape is the picture of a shape.
type shownShape struct {
	record.Geom
	// of is the shape of the builder; nil: pictures alone show it, as visuals of robot files.
	of geometry.Shape
}

// add adds a shape of the builder; g.Name is its body. The surface is made once here; recordings share it
// between all frames.
func (p *pictures) add(g record.Geom, shape geometry.Shape) {
	g.Mesh = p.surface(shape)
	p.geoms = append(p.geoms, shownShape{g, shape})
}

// addVisual adds a shape that the builder does not have.
func (p *pictures) addVisual(g record.Geom, shape geometry.Shape) {
	g.Mesh = p.surface(shape)
	p.geoms = append(p.geoms, shownShape{Geom: g})
}

// surface returns the surface of a shape.
func (p *pictures) surface(shape geometry.Shape) *meshes.Tri {
	s, ok := shape.(*geometry.Sphere)
	if !ok {
		return shape.SurfaceMesh()
	}
	if p.spheres[s.Radius] == nil {
		p.spheres[s.Radius] = s.SurfaceMesh()
	}
	return p.spheres[s.Radius]
}

// shown returns the pictures of the shapes of all bodies of the builder: those of the scene in its order, where
// their bodies still have them, then those that a program has added or put in the place of others.
func (l *loader) shown() ([]record.Geom, error) {
	bodies := append(l.builder.Names("body"), world)
	rest := make(map[string][]sim.ShapeSpec, len(bodies)) // shapes without a picture so far
	for _, name := range bodies {
		var shapes []sim.ShapeSpec
		if spec, err := l.builder.Body(name); err == nil {
			shapes = append(shapes, spec.Shapes...)
		}
		added, err := l.builder.Shapes(name)
		if err != nil {
			return nil, err
		}
		for _, s := range added {
			shapes = append(shapes, *s)
		}
		rest[name] = shapes
	}
	var geoms []record.Geom
	for _, g := range l.pictures.geoms {
		shapes, ok := rest[g.Name]
		i := slices.IndexFunc(shapes, func(s sim.ShapeSpec) bool { return s.Spec == nil && s.Shape == g.of })
		switch {
		case !ok || g.of != nil && i < 0:
			continue // the program has removed it
		case g.of != nil:
			g.X_BG = shapes[i].Pose.OrIdentity()
			rest[g.Name] = slices.Delete(shapes, i, i+1)
		}
		geoms = append(geoms, g.Geom)
	}
	for _, name := range bodies {
		for _, s := range rest[name] {
			g, err := l.pictureOf(name, s)
			if err != nil {
				return nil, err
			}
			geoms = append(geoms, g)
		}
	}
	return geoms, nil
}

// shownGround is the edge of the square that pictures show of a half-space without a size, m.
const shownGround = 1

// pictureOf returns the picture of a shape that the scene does not have, with the colours of its body and material.
func (l *loader) pictureOf(body string, s sim.ShapeSpec) (record.Geom, error) {
	g := record.Geom{Name: body, X_BG: s.Pose.OrIdentity(), Color: l.materialSpec(s.Material).Color}
	if b := l.f.Bodies.Get(body); b != nil {
		g.Color = cmp.Or(b.Color, g.Color)
	}
	shape := s.Shape
	if s.Spec != nil {
		var err error
		if shape, err = s.Spec.Make(l.builder.Meshes); err != nil {
			return g, err
		}
	}
	if _, ok := shape.(geometry.HalfSpace); ok {
		g.Ground = shownGround
		if spec, ok := s.Spec.(*geometry.HalfSpaceSpec); ok {
			g.Ground = spec.Size
		}
	}
	g.Mesh = l.pictures.surface(shape)
	return g, nil
}

// static returns what recordings start with.
func (l *loader) static(m *sim.Model) (*record.Static, error) {
	geoms, err := l.shown()
	if err != nil {
		return nil, err
	}
	s := &record.Static{Title: l.f.Title, Gravity: m.Gravity, Geoms: geoms}
	// columns of a frame
	s.NumQ, s.NumV = m.RigidSize()
	for i := range m.Rigid.NumLinks() {
		s.Bodies = append(s.Bodies, m.Rigid.LinkName(i))
		// trees begin at the first joint with velocities
		if m.Rigid.TreeOf(i) < 0 {
			s.Kinematic = append(s.Kinematic, i)
		}
	}
	// shapes were collected before bodies had numbers
	for i := range s.Geoms {
		s.Geoms[i].Body = m.Body(s.Geoms[i].Name)
	}
	// displacements in pictures are from where deformables start
	start := m.Start.Q[s.NumQ:]
	for i, body := range m.Deformables {
		// three coordinates a vertex, body after body
		mesh, name := body.Mesh(), m.Geometry.Deformables[i].Name
		rest := make([]r3.Vec, len(mesh.Verts))
		for j := range rest {
			rest[j] = r3.Vec(start[3*j : 3*j+3])
		}
		start = start[3*len(rest):]
		tris, _ := mesh.Boundary()
		s.Deformables = append(s.Deformables, record.Deformable{Name: name, Color: l.pictures.colors[name], Rest: rest, Tets: mesh.Tets, Tris: tris})
	}
	s.Render, err = json.Marshal(l.f.Render)
	return s, err
}

// partGeoms returns the machine parts among the shapes of a model by their index.
func (p *pictures) partGeoms(m *sim.Model) map[int]parts.Part {
	all := map[int]parts.Part{}
	for i := range m.Geometry.Geoms {
		if part, ok := p.parts[m.Geometry.Geoms[i].Shape]; ok {
			all[i] = part
		}
	}
	return all
}
