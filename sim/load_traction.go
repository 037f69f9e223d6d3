package sim

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// A traction is a force per area at rest along fixed axes, f_a = s(t) t s_a with the areas s_a
// of fem/faces.go. It does not follow the surface; a pressure does.

var _ = Loads.Register(kinds.Kind[LoadSpec]{
	Name: "traction", Doc: "Force per area at rest on the surface of a deformable, along fixed axes.",
	New: func() LoadSpec { return &TractionSpec{} },
	Samples: func() []LoadSpec {
		top := 0.01
		return []LoadSpec{&TractionSpec{Traction: r3.Vec{100, 0, -200}, Body: "pad", Where: Region{ZMin: &top}}}
	},
})

// TractionSpec are the parameters of a traction.
type TractionSpec struct {
	// Traction is the force per area at rest, in world axes, Pa.
	Traction r3.Vec `key:"traction,required" unit:"Pa" doc:"force per area at rest, in world axes"`
	// Body is the name of a deformable.
	Body string `key:"body,required" doc:"deformable body" ref:"body"`
	// Where is the region whose faces it acts on.
	Where Region `key:"where" doc:"region of the faces" default:"the whole surface"`
	// Factor multiplies the traction over time; nil: 1.
	Factor motion.Motion `key:"factor" doc:"factor over time" default:"1"`
}

// Make implements LoadSpec.
func (p *TractionSpec) Make(r *Resolver) (Load, error) {
	i, err := r.loadedDeformable(p.Body, "traction")
	if err != nil {
		return Load{}, err
	}
	part, err := p.Where.find(r.model.Deformables[i])
	if err == nil {
		err = part.needFaces()
	}
	if err != nil {
		return Load{}, err
	}
	return Load{Deformable: i, OnVertices: &deadLoad{part.areas(), p.Traction, p.Factor}}, nil
}
