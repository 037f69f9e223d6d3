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
	// Tet10 are ten-node tetrahedra: any mesh that meshes.Tet.Quadratic makes, laws that are
	// linear or corotational. One across a wall bends right within some percent.
	Tet10
)

// elementNames are the names of Elements.
var elementNames = [...]string{Tet4: "tet4", Hex12: "hex12", Auto: "auto", Tet10: "tet10"}

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
	if err := s.Mesh.CheckCells(); err != nil {
		return err
	}
	if s.Elements != Hex12 && s.Elements != Tet10 {
		return nil
	}
	if s.Law.Class() == Nonlinear {
		return fmt.Errorf("elements %v take the laws linear and corotational: choose one of these, or elements tet4", s.Elements)
	}
	c := s.Mesh.Cells
	switch {
	case s.Elements == Hex12 && (c == nil || len(c.Tets10) > 0):
		return fmt.Errorf("elements hex12, but the mesh has tetrahedra only: sweep it (a box, a ring, a FinRay finger, an extruded part), or take elements tet10 or tet4")
	case s.Elements == Tet10 && (c == nil || len(c.Tets10) == 0):
		return fmt.Errorf("elements tet10, but the mesh has no ten-node tetrahedra: make it with Quadratic, or take elements tet4")
	}
	return nil
}

// usesCells reports whether the mesh's cells are the elements.
func (s *Spec) usesCells() bool {
	return s.Elements != Tet4 && s.Mesh.Cells != nil && s.Law.Class() != Nonlinear
}

// Elements returns what the body is made of, never Auto.
func (m *Model) Elements() Elements {
	if m.set != nil {
		return m.set.kind()
	}
	return Tet4
}

// numElements returns the number of elements: of tets, or of hexahedra and wedges.
func (m *Model) numElements() int {
	if m.set != nil {
		return m.set.len()
	}
	return len(m.elements)
}
