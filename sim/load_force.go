package sim

// A force is a total F(t) = s(t) F. On a rigid body it acts at a point; over a region of a
// deformable it is spread as the shape functions of its elements or faces say,
//
//	f_a = F V_a/Σ V_a  or  F s_a/Σ s_a                                        (1)
//
// with the volumes and areas at rest of fem/faces.go: as a body force or a traction of the same
// total would be. A resultant at single nodes would have a stress that grows with each finer mesh.

import (
	"errors"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

var _ = Loads.Register(kinds.Kind[LoadSpec]{
	Name: "force", Doc: "Total force on a rigid body or on a region of a deformable.",
	About: "Over a region it is spread by volume where the region contains elements, else by area where it contains faces, " +
		"else by equal parts over its vertices.",
	New: func() LoadSpec { return &ForceSpec{Axes: "world"} },
	Samples: func() []LoadSpec {
		top := 0.01
		return []LoadSpec{
			&ForceSpec{Force: r3.Vec{0.1, 0, -0.2}, Body: "ball", Axes: "world", Point: &r3.Vec{0, 0, 0.01}},
			&ForceSpec{Force: r3.Vec{0, 0, 0.3}, Body: "arm", Axes: "body", Factor: &motion.Sine{Amplitude: 1, Frequency: 2}},
			&ForceSpec{Force: r3.Vec{0, 0, -0.1}, Body: "pad", Axes: "world", Where: Region{ZMin: &top}},
			&ForceSpec{Force: r3.Vec{0.1, 0, 0}, Body: "pad", Axes: "world"},
		}
	},
})

// ForceSpec are the parameters of a force.
type ForceSpec struct {
	// Force is the total force, N.
	Force r3.Vec `key:"force,required" unit:"N" doc:"total force"`
	// Body is the name of a rigid or deformable body.
	Body string `key:"body,required" doc:"rigid or deformable body" ref:"body"`
	// Where is the region of a deformable.
	Where Region `key:"where" doc:"region of a deformable" default:"the whole body"`
	// Point is the point of a rigid body at which the force acts, in the body's frame, m; nil:
	// the centre of mass.
	Point *r3.Vec `key:"point" unit:"m" doc:"point of a rigid body, in its frame" default:"the centre of mass"`
	// Axes are the axes of the force: world, or body for a follower force that rotates with a
	// rigid body.
	Axes string `key:"axes" doc:"axes of the force: world, or body, with which it turns" choice:"world,body"`
	// Factor multiplies the force over time; nil: 1.
	Factor motion.Motion `key:"factor" doc:"factor over time" default:"1"`
}

// Make implements LoadSpec.
func (p *ForceSpec) Make(r *Resolver) (Load, error) {
	if _, deformable := r.model.Names.Deformables[p.Body]; deformable {
		return p.onDeformable(r)
	}
	body, err := r.loadedBody(p.Body)
	switch {
	case err != nil:
		return Load{}, err
	case !p.Where.whole():
		return Load{}, errors.New("where is for deformables: give point, where the force acts on the rigid body")
	}
	// a force at the centre of mass turns no body that is free
	c := &constraints.Wrench{Body: body, Force: p.Force, InBodyAxes: p.Axes == "body", Pos_B: r.model.Rigid.Link(body).Com_B}
	if p.Point != nil {
		c.Pos_B = *p.Point
	}
	if p.Factor != nil {
		c.Factor = valueOf(p.Factor)
	}
	return Load{OnBody: c}, nil
}

// onDeformable spreads the force over a region. The force keeps its axes, those of the world.
func (p *ForceSpec) onDeformable(r *Resolver) (Load, error) {
	switch {
	case p.Point != nil:
		return Load{}, errors.New("point is for rigid bodies: give where, the region over which the force is spread")
	case p.Axes == "body":
		return Load{}, errors.New("axes: body is for rigid bodies: the vertices of a deformable have no common axes")
	}
	i, err := r.loadedDeformable(p.Body, "force")
	if err != nil {
		return Load{}, err
	}
	part, err := p.Where.find(r.model.Deformables[i])
	if err != nil {
		return Load{}, err
	}
	return Load{Deformable: i, OnVertices: &deadLoad{part.spread(), p.Force, p.Factor}}, nil
}
