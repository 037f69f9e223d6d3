package sim

// A moment M(t) = s(t) M on a rigid body has the power M·ω, whatever its point. It is not defined on a
// deformable, whose vertices do not rotate: forces over two regions make a couple there. Its term in
// the problem is −h M·ω.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

var _ = Loads.Register(kinds.Kind[LoadSpec]{
	Name: "moment", Doc: "Moment on a rigid body.",
	New: func() LoadSpec { return &MomentSpec{Axes: "world"} },
	Samples: func() []LoadSpec {
		return []LoadSpec{
			&MomentSpec{Moment: r3.Vec{0, 1e-3, 0}, Body: "ball", Axes: "world"},
			&MomentSpec{Moment: r3.Vec{0, 1e-3, 0}, Body: "arm", Axes: "body", Factor: motion.Constant(0.5)},
		}
	},
})

// MomentSpec are the parameters of a moment.
type MomentSpec struct {
	// Moment is the moment on the body, N m.
	Moment r3.Vec `key:"moment,required" unit:"N m" doc:"moment"`
	// Body is the name of a rigid body.
	Body string `key:"body,required" doc:"rigid body" ref:"body"`
	// Axes are the axes of the moment: world, or body for a moment that rotates with the body.
	Axes string `key:"axes" doc:"axes of the moment: world, or body, with which it turns" choice:"world,body"`
	// Factor multiplies the moment over time; nil: 1.
	Factor motion.Motion `key:"factor" doc:"factor over time" default:"1"`
}

// Make implements LoadSpec.
func (p *MomentSpec) Make(r *Resolver) (Load, error) {
	body, err := r.loadedBody(p.Body)
	if err != nil {
		return Load{}, err
	}
	// a moment has no point; the wrench wants one for its force, which is zero
	c := &constraints.Wrench{Body: body, Moment: p.Moment, InBodyAxes: p.Axes == "body", Pos_B: r.model.Rigid.Link(body).Com_B}
	if p.Factor != nil {
		c.Factor = valueOf(p.Factor)
	}
	return Load{OnBody: c}, nil
}
