package fem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
)

// Elements is the name of a registered kind of finite elements, such as Hex12; empty: Auto.
type Elements string

// String returns the name as scene files write it.
func (e Elements) String() string {
	if e == "" {
		return string(Auto)
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
	// TakesLaw returns an error where the elements do not support a constitutive law: what the
	// law lacks, a colon, and the remedy.
	TakesLaw(law ConstitutiveLaw) error
	// TakesMesh returns an error where the mesh does not meet the requirements of the elements:
	// what the mesh lacks, a colon, and the remedy.
	TakesMesh(mesh *meshes.Tet) error
	// SuitsMesh returns an error where the elements take the mesh but would be inaccurate on
	// it, so that Auto passes them over.
	SuitsMesh(mesh *meshes.Tet) error
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
	// newSet makes the elements of a model.
	newSet(m *Model) (elementSet, error)
}

// Choice is the kind of elements that a body gets.
type Choice struct {
	// Elements is the kind, never Auto.
	Elements Elements
	// Mesh is the mesh of the body; nil after an error.
	Mesh *meshes.Tet
	// Reason says why Auto passed over more accurate kinds; empty where there are none, and
	// where the kind was asked for.
	Reason string
}

// Choose returns the kind of elements that a body gets and its mesh, which mesh returns for a
// kind. Auto tries all kinds from the highest rank on. An error gives the reason.
// Where mesh returns nil, after an error of its own, the choice has no mesh.
func (e Elements) Choose(law ConstitutiveLaw, mesh func(ElementKind) *meshes.Tet) (Choice, error) {
	kind, err := ElementKinds.New(e.String())
	if err != nil {
		return Choice{}, fmt.Errorf("elements: %w", err)
	}
	if e.String() == string(Auto) {
		return chooseBest(law, mesh)
	}
	if err := kind.TakesLaw(law); err != nil {
		return Choice{}, fmt.Errorf("elements %s, but %w", e, err)
	}
	m := mesh(kind)
	if m == nil {
		return Choice{}, nil
	}
	if err := kind.TakesMesh(m); err != nil {
		return Choice{}, fmt.Errorf("elements %s, but %w", e, err)
	}
	return Choice{Elements: e, Mesh: m}, nil
}

// chooseBest is Choose of Auto.
func chooseBest(law ConstitutiveLaw, mesh func(ElementKind) *meshes.Tet) (Choice, error) {
	var reasons []string
	for _, k := range ranked() {
		kind := k.New()
		// a mesh is asked for only where the law fits: it may have to be made
		err := kind.TakesLaw(law)
		if err == nil {
			m := mesh(kind)
			if m == nil {
				return Choice{}, nil
			}
			if err = kind.TakesMesh(m); err == nil {
				err = kind.SuitsMesh(m)
			}
			if err == nil {
				return Choice{Elements: Elements(k.Name), Mesh: m, Reason: strings.Join(reasons, ", ")}, nil
			}
		}
		// what is missing, without the remedy
		lacks, _, _ := strings.Cut(err.Error(), ":")
		reasons = append(reasons, "not "+k.Name+", for "+lacks)
	}
	return Choice{}, fmt.Errorf("no finite elements fit this mesh and law")
}

// ranked returns the kinds that Auto may take, from the highest rank on; equal ranks by name.
func ranked() []kinds.Kind[ElementKind] {
	list := slices.DeleteFunc(ElementKinds.Entries(), func(k kinds.Kind[ElementKind]) bool { return k.New().Rank() <= 0 })
	slices.SortStableFunc(list, func(a, b kinds.Kind[ElementKind]) int { return b.New().Rank() - a.New().Rank() })
	return list
}

// Elements returns the kind of elements of the body, never Auto.
func (m *Model) Elements() Elements { return m.choice.Elements }

// ElementsNote describes the elements of the body in one line: their kind, why Auto took it, and
// how many elements and nodes there are.
func (m *Model) ElementsNote() string {
	how := ""
	if asked := m.spec.Elements; asked.String() == string(Auto) {
		how = " (auto)"
		if m.choice.Reason != "" {
			how = " (auto; " + m.choice.Reason + ")"
		}
	}
	return fmt.Sprintf("%s%s, %d elements, %d nodes", m.choice.Elements, how, m.set.len(), m.NumVerts())
}
