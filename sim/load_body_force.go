package sim

import (
	"fmt"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// A body force is a force per volume at rest along fixed axes, f_a = s(t) b V_a with the volumes
// V_a of fem/faces.go.

var _ = Loads.Register(kinds.Kind[LoadSpec]{
	Name: "body_force", Doc: "Force per volume at rest on a deformable, along fixed axes.",
	New: func() LoadSpec { return &BodyForceSpec{} },
	Samples: func() []LoadSpec {
		return []LoadSpec{&BodyForceSpec{BodyForce: r3.Vec{0, 0, -1000}, Body: "pad"}}
	},
})

// BodyForceSpec are the parameters of a body force.
type BodyForceSpec struct {
	// BodyForce is the force per volume at rest, in world axes, N/m³.
	BodyForce r3.Vec `key:"body_force,required" unit:"N/m³" doc:"force per volume at rest, in world axes"`
	// Body is the name of a deformable.
	Body string `key:"body,required" doc:"deformable body" ref:"body"`
	// Where is the region whose elements it acts on.
	Where Region `key:"where" doc:"region of the elements" default:"the whole body"`
	// Factor multiplies the force over time; nil: 1.
	Factor motion.Motion `key:"factor" doc:"factor over time" default:"1"`
}

// Make implements LoadSpec.
func (p *BodyForceSpec) Make(r *Resolver) (Load, error) {
	i, err := r.loadedDeformable(p.Body, "body_force")
	if err != nil {
		return Load{}, err
	}
	part, err := p.Where.find(r.model.Deformables[i])
	switch {
	case err != nil:
		return Load{}, err
	case len(part.elements) == 0:
		return Load{}, fmt.Errorf("where: the region has %d vertices of %s but no element with all corners in it: move its bounds until it contains one", len(part.verts), p.Body)
	}
	return Load{Deformable: i, OnVertices: &deadLoad{part.volumes(), p.BodyForce, p.Factor}}, nil
}
