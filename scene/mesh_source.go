package scene

// Meshes of scenes as shapes take them by name.

import (
	"errors"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// meshSource finds the meshes that shapes name.
type meshSource struct {
	l *loader
	// at is the place of the shape, which faults of its mesh are reported at.
	at Pos
	// filled is set for shapes that get a pressure field.
	filled bool
}

var _ geometry.MeshSource = (*meshSource)(nil)

// errReported stands for a fault that the loader has already.
var errReported = errors.New("the mesh has a fault")

// Solid implements geometry.MeshSource. A pressure field is built on the tetrahedra of
// the mesh, if it has any.
func (m *meshSource) Solid(name string) (*geometry.Mesh, error) {
	// faults of the mesh are reported with their own place
	tri := m.l.surface(m.at, name)
	if tri == nil {
		return nil, errReported
	}
	d := m.l.meshes[name]
	// one solid for all shapes of the mesh, so that trees and fields are made once
	if d.solid == nil {
		solid, err := geometry.NewMesh(tri)
		if err != nil {
			return nil, err
		}
		d.solid = solid
	}
	solid := d.solid
	// the same solid with tetrahedra, on which a pressure field is built
	if m.filled {
		if d.filled == nil {
			d.filled = d.solid.WithTets(m.l.partTets(name, d))
		}
		solid = d.filled
	}
	// a stretched gear meshes with nothing: its teeth are not checked
	if d.part != nil && d.spec.Scale == [3]float64{} {
		m.l.pictures.parts[solid] = d.part
	}
	return solid, nil
}

// Verts implements geometry.MeshSource. A hull needs no closed surface, so that any mesh serves.
func (m *meshSource) Verts(name string) ([]r3.Vec, error) {
	d := m.l.mesh(m.at, name)
	if d == nil {
		return nil, errReported
	}
	return d.verts(), nil
}

// verts returns the vertices of a mesh, of which a hull is made.
func (d *meshData) verts() []r3.Vec {
	if d.tri != nil {
		return d.tri.Verts
	}
	return d.tet.Verts
}

// draftMeshes are the meshes of a scene for shapes that a program adds to its draft.
type draftMeshes struct{ l *loader }

var _ geometry.MeshSource = draftMeshes{}

// Solid implements geometry.MeshSource.
func (m draftMeshes) Solid(name string) (solid *geometry.Mesh, err error) {
	err = m.find(func(from *meshSource) error { solid, err = from.Solid(name); return err })
	return solid, err
}

// Verts implements geometry.MeshSource.
func (m draftMeshes) Verts(name string) (verts []r3.Vec, err error) {
	err = m.find(func(from *meshSource) error { verts, err = from.Verts(name); return err })
	return verts, err
}

// find looks up a mesh, and returns its faults in place of noting them in the file.
func (m draftMeshes) find(look func(from *meshSource) error) error {
	l := *m.l
	l.errs = nil
	err := look(&meshSource{l: &l})
	if errors.Is(err, errReported) {
		return errors.Join(l.errs...)
	}
	return err
}
