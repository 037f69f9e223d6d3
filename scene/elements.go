package scene

// Finite elements of deformables. Hexahedra need the cells of a swept mesh; ten-node tetrahedra
// are made of any tetrahedra by vertices on the middles of their edges. `vertices` of a mesh
// means all vertices of the elements, so that a mesh from a surface is made anew with fewer
// corners where a body takes ten-node tetrahedra.

import (
	"math"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
)

// nodesOfCorner is about the number of vertices of ten-node tetrahedra for each corner: a mesh
// has some 4.5 to 6 edges a vertex.
const nodesOfCorner = 5.5

// elementsOf returns the elements that a deformable asks for and its mesh; nil after a fault.
// auto is hex12 where the mesh has cells and the law allows them, else tet10 where the law does.
func (l *loader) elementsOf(s *Deformable, path string, law fem.ConstitutiveLaw) (fem.Elements, *meshes.Tet) {
	elements := fem.Tet4
	if s.Elements != "" {
		var err error
		if elements, err = fem.ParseElements(s.Elements); err != nil {
			l.fail(s.Pos, "%s.elements: %v", path, err)
			return elements, nil
		}
	}
	quadratic := law.Class() != fem.Nonlinear // laws whose energy is quadratic in strain
	if elements == fem.Tet10 && quadratic {
		return elements, l.tets10(s.Pos, s.Mesh)
	}
	mesh := l.tets(s.Pos, s.Mesh)
	if elements == fem.Auto && quadratic && mesh != nil && mesh.Cells == nil {
		return fem.Tet10, l.tets10(s.Pos, s.Mesh)
	}
	return elements, mesh
}

// tets10 returns a mesh with ten-node tetrahedra, made the first time.
func (l *loader) tets10(p Pos, name string) *meshes.Tet {
	d := l.mesh(p, name)
	if d == nil || d.quadratic != nil {
		if d != nil {
			return d.quadratic
		}
		return nil
	}
	var tet *meshes.Tet
	if fills := d.tet == nil && d.part == nil || d.ofSurface; fills && d.spec.Vertices > 0 {
		tet = l.tetsOfNodes(p, name, d)
	} else {
		tet = l.tets(p, name)
	}
	if tet == nil {
		return nil
	}
	d.quadratic = tet
	if tet.Cells == nil || len(tet.Cells.Tets10) == 0 {
		d.quadratic = tet.Quadratic()
	}
	return d.quadratic
}

// tetsOfNodes returns tetrahedra of a surface that have about the asked number of vertices with
// those on their edges. A second mesh corrects what the first one missed.
func (l *loader) tetsOfNodes(p Pos, name string, d *meshData) *meshes.Tet {
	// made of a copy, so that other bodies still get the mesh of as many corners
	trial, spec := *d, *d.spec
	trial.spec = &spec
	want := float64(spec.Vertices)
	corners := want / nodesOfCorner
	var best *meshes.Tet
	for range 2 {
		spec.Vertices, trial.tet = max(4, int(math.Round(corners))), nil
		l.meshes[name] = &trial
		tet := l.tets(p, name)
		l.meshes[name] = d
		if tet == nil {
			return nil
		}
		nodes := float64(len(tet.Verts) + tet.NumEdges())
		if best == nil || math.Abs(nodes-want) < math.Abs(float64(len(best.Verts)+best.NumEdges())-want) {
			best = tet
		}
		corners *= want / nodes
	}
	return best
}
