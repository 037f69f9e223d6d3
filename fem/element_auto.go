package fem

import "github.com/curlfree/curlfree/kinds"

// Auto chooses the most accurate kind of elements (highest rank) that mesh and law allow.
const Auto Elements = "auto"

var _ = ElementKinds.Register(kinds.Kind[ElementKind]{
	Name: string(Auto),
	Doc:  "The best elements that mesh and law allow.",
	About: "These are `hex12` where the mesh is swept (a box, a ring, a FinRay finger, an extruded part), unless most of it is wedges, " +
		"else `tet10`, which any volume can have, else `tet4`, for laws that only these take. `curlfree check` and the summary of a run say " +
		"which ones were chosen and why.",
	New:     func() ElementKind { return &autoElements{} },
	Samples: func() []ElementKind { return []ElementKind{&autoElements{}} },
})

// autoElements stands for another kind, which Choose finds: it takes what tet4 takes, because
// every body can be made of these.
type autoElements struct{ tet4Elements }

// Rank implements ElementKind: auto never chooses itself.
func (*autoElements) Rank() int { return 0 }
