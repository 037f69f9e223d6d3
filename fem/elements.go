package fem

import "fmt"

// Elements are the finite elements of a body.
type Elements int

// Finite elements.
const (
	// Tet4 are linear tetrahedra: any mesh, any law. They bend too stiffly unless a wall has
	// four or more of them across.
	Tet4 Elements = iota
	// Hex12 are hexahedra with twelve internal modes, and wedges between them: for meshes that
	// have cells and laws that are linear or corotational. One across a wall bends right.
	Hex12
	// Auto are Hex12 where mesh and law allow them, else Tet4.
	Auto
)

// elementNames are the names of Elements.
var elementNames = [...]string{Tet4: "tet4", Hex12: "hex12", Auto: "auto"}

// String returns the name of scene files.
func (e Elements) String() string {
	if e < 0 || int(e) >= len(elementNames) {
		return fmt.Sprintf("Elements(%d)", int(e))
	}
	return elementNames[e]
}

// ParseElements returns the elements of a name; an error lists the names.
func ParseElements(name string) (Elements, error) {
	for e, n := range elementNames {
		if n == name {
			return Elements(e), nil
		}
	}
	return 0, fmt.Errorf("fem: elements %q: take one of %v", name, elementNames)
}

// checkElements returns an error where the elements that are asked for do not fit mesh or law.
func (s *Spec) checkElements() error {
	if s.Elements == Hex12 {
		switch {
		case s.Mesh.Cells == nil:
			return fmt.Errorf("elements hex12, but the mesh has tetrahedra only: sweep it (a box, a ring, a FinRay finger, an extruded part), or take elements tet4")
		case s.Law.Class() == Nonlinear:
			return fmt.Errorf("elements hex12 take the laws linear and corotational: choose one of these, or elements tet4")
		}
	}
	if err := s.Mesh.CheckCells(); err != nil {
		return err
	}
	return nil
}

// usesCells reports whether the mesh's cells are the elements.
func (s *Spec) usesCells() bool {
	return s.Elements != Tet4 && s.Mesh.Cells != nil && s.Law.Class() != Nonlinear
}

// Elements returns what the body is made of, Tet4 or Hex12.
func (m *Model) Elements() Elements {
	if m.cells != nil {
		return Hex12
	}
	return Tet4
}

// numElements returns the number of elements: of tets, or of hexahedra and wedges.
func (m *Model) numElements() int {
	if m.cells != nil {
		return len(m.cells)
	}
	return len(m.elements)
}

// cellOf returns the element of a tet in a mesh with cells.
func (m *Model) cellOf(tet int32) *cell { return &m.cells[m.spec.Mesh.Cells.Of[tet]] }
