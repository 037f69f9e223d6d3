package scene

// Finite elements of deformables are kinds of package fem, which say what law and mesh they take.
// `vertices` of a mesh means all vertices of the elements, so that a mesh from a surface is made
// again with fewer corners for elements that add vertices, as ten-node tetrahedra do.

import (
	"reflect"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
)

// elementMeshOf returns the mesh of the elements of a deformable, on which they are chosen once
// more, with the same outcome; nil after a fault.
func (l *loader) elementMeshOf(s *Deformable, path string, law fem.ConstitutiveLaw) *meshes.Tet {
	choice, err := fem.Elements(s.Elements.Name).Choose(law, func(kind fem.ElementKind) *meshes.Tet { return l.elementMesh(s, kind) })
	if err != nil {
		l.fail(s.Elements.Pos, "%s: %v", path, err)
	}
	return choice.Mesh
}

// elementMesh returns the mesh of a deformable for a kind of elements; nil after a fault.
func (l *loader) elementMesh(s *Deformable, kind fem.ElementKind) *meshes.Tet {
	// vertices of the elements per corner of the tetrahedra; 1 where elements add none
	perCorner := kind.NodesOfCorner()
	if perCorner == 1 {
		return l.tets(s.Pos, s.Mesh)
	}
	d := l.mesh(s.Pos, s.Mesh)
	if d == nil {
		return nil
	}
	// made the first time: bodies of one mesh and kind of elements share it
	name := reflect.TypeOf(kind)
	if d.ofElements[name] != nil {
		return d.ofElements[name]
	}
	var tet *meshes.Tet
	// only a mesh that fills a surface can be made again with another number of corners
	if fills := d.tet == nil && d.part == nil || d.ofSurface; fills && d.spec.Vertices > 0 {
		// vertices counts those that the elements add
		if corners := l.fill(s.Mesh, d, true); corners != nil {
			tet = kind.Mesh(corners)
		}
	} else if tet = l.tets(s.Pos, s.Mesh); tet != nil {
		tet = kind.Mesh(tet)
	}
	if d.ofElements == nil {
		d.ofElements = map[reflect.Type]*meshes.Tet{}
	}
	d.ofElements[name] = tet
	return tet
}
