package scene

// Finite elements of deformables are kinds of package fem, which say what law and mesh they take.
// `vertices` of a mesh means all vertices of the elements, so that a mesh from a surface is made
// anew with fewer corners for elements that add vertices, as ten-node tetrahedra do.

import (
	"math"
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
	// only a mesh that fills a surface can be made anew with another number of corners
	if fills := d.tet == nil && d.part == nil || d.ofSurface; fills && d.spec.Vertices > 0 {
		tet = l.tetsOfNodes(s, d, kind)
	} else if tet = l.tets(s.Pos, s.Mesh); tet != nil {
		tet = kind.Mesh(tet)
	}
	if d.ofElements == nil {
		d.ofElements = map[reflect.Type]*meshes.Tet{}
	}
	d.ofElements[name] = tet
	return tet
}

// tetsOfNodes returns the mesh of a surface that has about the asked number of vertices with
// those that elements add. A second mesh corrects what the first one missed.
func (l *loader) tetsOfNodes(s *Deformable, d *meshData, kind fem.ElementKind) *meshes.Tet {
	// made of a copy, so that other bodies still get the mesh of as many corners
	trial, spec := *d, *d.spec
	trial.spec = &spec
	want := float64(spec.Vertices)
	corners := want / kind.NodesOfCorner()
	var best *meshes.Tet
	// by how many vertices a mesh misses the number that is asked for
	off := func(m *meshes.Tet) float64 { return math.Abs(float64(len(m.Verts)) - want) }
	for range 2 {
		spec.Vertices, trial.tet = max(4, int(math.Round(corners))), nil
		// tets finds a mesh by its name, so the trial takes the place of the mesh for this call
		l.meshes[s.Mesh] = &trial
		tet := l.tets(s.Pos, s.Mesh)
		l.meshes[s.Mesh] = d
		if tet == nil {
			return nil
		}
		tet = kind.Mesh(tet)
		if best == nil || off(tet) < off(best) {
			best = tet
		}
		// nodes per corner depend on the mesh: near its surface a corner shares fewer edges
		corners *= want / float64(len(tet.Verts))
	}
	return best
}
