package scene

// Recordings begin with what does not change: shapes with their poses on bodies, rest positions and
// tetrahedra of deformables, the render section of the scene. They hold surfaces, not kinds of shape,
// so that a recording can be drawn by a program that does not know a shape.

import (
	"encoding/json"

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
	geoms       []record.Geom
	deformables []record.Deformable

	// parts are the shapes that are machine parts, whose meshing package check verifies.
	parts map[geometry.Shape]parts.Part
	// spheres are surfaces by radius, m: heaps and robots have thousands of equal ones.
	spheres map[float64]*meshes.Tri
}

// newPictures returns an empty collection.
func newPictures() pictures {
	return pictures{parts: map[geometry.Shape]parts.Part{}, spheres: map[float64]*meshes.Tri{}}
}

// add adds a shape; g.Name is its body. The surface is made once here; recordings share it
// between all frames.
func (p *pictures) add(g record.Geom, shape interface{ SurfaceMesh() *meshes.Tri }) {
	if s, ok := shape.(*geometry.Sphere); ok {
		if p.spheres[s.Radius] == nil {
			p.spheres[s.Radius] = s.SurfaceMesh()
		}
		g.Mesh = p.spheres[s.Radius]
	} else {
		g.Mesh = shape.SurfaceMesh()
	}
	p.geoms = append(p.geoms, g)
}

// static returns what recordings start with.
func (l *loader) static(m *sim.Model) (*record.Static, error) {
	s := &record.Static{Title: l.f.Title, Gravity: m.Gravity, Geoms: l.pictures.geoms, Deformables: l.pictures.deformables}
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
	for i := range s.Deformables {
		// three coordinates a vertex, body after body
		n := 3 * len(s.Deformables[i].Rest)
		rest := make([]r3.Vec, n/3)
		for j := range rest {
			rest[j] = r3.Vec(start[3*j : 3*j+3])
		}
		s.Deformables[i].Rest, start = rest, start[n:]
	}
	var err error
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
