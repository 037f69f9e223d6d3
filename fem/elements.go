package fem

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
)

// Elements is the name of a registered kind of finite elements, such as Hex12; empty: Tet4.
type Elements string

// String returns the name as scene files write it.
func (e Elements) String() string {
	if e == "" {
		return string(Tet4)
	}
	return string(e)
}

// ElementKinds are the registered kinds of finite elements. They have no parameters: size and
// form of elements are those of the mesh.
var ElementKinds = kinds.NewRegistry[ElementKind]("finite element", "How the strain inside of a deformable follows from the positions of its vertices.").In(kinds.Plain)

// ElementKind is a kind of finite element: its requirements on mesh and law, and the
// creation of its elements. Kinds belong to this package, because their elements are
// evaluated in the passes of a step.
type ElementKind interface {
	// TakesLaw returns an error where the elements do not support a constitutive law.
	TakesLaw(law ConstitutiveLaw) error
	// TakesMesh returns an error, with its remedy, where the mesh does not meet the
	// requirements of the elements.
	TakesMesh(mesh *meshes.Tet) error
	// Mesh returns the mesh of the elements for a mesh of tetrahedra: the same one, unless they
	// have vertices of their own.
	Mesh(tets *meshes.Tet) *meshes.Tet
	// NodesOfCorner is the approximate number of vertices of Mesh for each vertex of the
	// tetrahedra; 1 where Mesh adds none.
	NodesOfCorner() float64
	// Rank is the accuracy by which Auto chooses among the possible kinds: it takes the highest
	// rank, and none of rank 0. It is about the deflection of a bent wall one element thick, in
	// percent of the exact one.
	Rank() int
	// newSet makes the elements of a model; nil where they are the tets of the mesh.
	newSet(m *Model) (elementSet, error)
}

// Choose returns the kind of elements that a body gets and its mesh, which mesh returns for a
// kind. Auto tries all kinds from the highest rank on. An error gives the reason.
// Where mesh returns nil, after an error of its own, Choose returns nil too.
func (e Elements) Choose(law ConstitutiveLaw, mesh func(ElementKind) *meshes.Tet) (Elements, *meshes.Tet, error) {
	kind, err := ElementKinds.New(e.String())
	if err != nil {
		return "", nil, fmt.Errorf("elements: %w", err)
	}
	if e == Auto {
		return chooseBest(law, mesh)
	}
	if err := kind.TakesLaw(law); err != nil {
		return "", nil, err
	}
	m := mesh(kind)
	if m == nil {
		return "", nil, nil
	}
	if err := kind.TakesMesh(m); err != nil {
		return "", nil, err
	}
	return Elements(e.String()), m, nil
}

// chooseBest is Choose of Auto.
func chooseBest(law ConstitutiveLaw, mesh func(ElementKind) *meshes.Tet) (Elements, *meshes.Tet, error) {
	// a mesh is asked for only where the law fits: it may have to be made
	for _, k := range ranked() {
		kind := k.New()
		if kind.TakesLaw(law) != nil {
			continue
		}
		m := mesh(kind)
		if m == nil {
			return "", nil, nil
		}
		if kind.TakesMesh(m) == nil {
			return Elements(k.Name), m, nil
		}
	}
	return "", nil, fmt.Errorf("no finite elements fit this mesh and law")
}

// ranked returns the kinds that Auto may take, from the highest rank on; equal ranks by name.
func ranked() []kinds.Kind[ElementKind] {
	list := slices.DeleteFunc(ElementKinds.Entries(), func(k kinds.Kind[ElementKind]) bool { return k.New().Rank() <= 0 })
	slices.SortStableFunc(list, func(a, b kinds.Kind[ElementKind]) int { return b.New().Rank() - a.New().Rank() })
	return list
}

// Elements returns the kind of elements of the body, never Auto.
func (m *Model) Elements() Elements { return m.kind }

// numElements returns the number of elements: of tets, or of hexahedra and wedges.
func (m *Model) numElements() int {
	if m.set != nil {
		return m.set.len()
	}
	return len(m.elements)
}
