package fem

// Linear tetrahedra of four nodes: one deformation gradient for each, so that free.go computes
// forces and stiffness of eight of them at a time, with any constitutive law. They are the only
// elements that are no elementSet: contact and pictures see these tets of every mesh.

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
)

// Tet4 are four-node (linear) tetrahedra, for any mesh and any law.
const Tet4 Elements = "tet4"

var _ = ElementKinds.Register(kinds.Kind[ElementKind]{
	Name: string(Tet4),
	Doc:  "Linear tetrahedra of four nodes, for any mesh and any law.",
	About: "Only where a scene asks for them, or a law from Go takes no others. Strain is constant in each, so that thin walls bend too stiffly: with one across, a beam has a fifth of its deflection, with two half, " +
		"and they lock as Poisson's ratio comes near 0.5. `curlfree check` tells how far a body bends from the truth.",
	New:     func() ElementKind { return &tet4Elements{} },
	Samples: func() []ElementKind { return []ElementKind{&tet4Elements{}} },
})

// tet4Elements implements ElementKind.
type tet4Elements struct{}

func (*tet4Elements) TakesLaw(ConstitutiveLaw) error { return nil }

func (*tet4Elements) TakesMesh(*meshes.Tet) error { return nil }

func (*tet4Elements) SuitsMesh(*meshes.Tet) error { return nil }

func (*tet4Elements) Mesh(tets *meshes.Tet) *meshes.Tet { return tets }

func (*tet4Elements) NodesOfCorner() float64 { return 1 }

// Rank implements ElementKind: see shareOne.
func (*tet4Elements) Rank() int { return 21 }

func (*tet4Elements) newSet(*Model) (elementSet, error) { return nil, nil }
