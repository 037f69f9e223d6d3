package sim

// The reaction over the attached vertices v of a deformable, with forces f_v on them at p_v:
//
//	F = Σ f_v,   M_O = Σ (p_v − p_O) × f_v                                      (1)
//
// At rest the reactions of a body, its loads, contacts and weight add up to zero.

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Reaction is the reaction force of a rigid body or the world on the attached vertices of a
// deformable, mean over the step. The model must have Reactions.
type Reaction struct {
	// Deformable is an index into Model.Deformables.
	Deformable int
	// Verts are the attached vertices over which the force is summed.
	Verts []int32
	// Of is the component, in the world's axes.
	Of Component
	// Moment measures the moment (1) about a point instead of the force.
	Moment bool
	// About_B is that point, in the frame of the rigid body About, m.
	About_B r3.Vec
	// About is a rigid body, or geometry.World.
	About int
}

// Value implements Signal: N, of a moment N m.
func (g Reaction) Value(s *Stepper, x *State) float64 {
	if !s.took(x) || s.reactions.time == 0 {
		return 0
	}
	var sum r3.Vec
	about := s.kin.Pose(g.About).Point(g.About_B)
	body := s.Model.Geometry.NumRigid + g.Deformable
	for _, v := range g.Verts {
		f := s.reaction(g.Deformable, v)
		if g.Moment {
			f = s.kin.Vertex(body, v).Sub(about).Cross(f)
		}
		sum = sum.Add(f)
	}
	return g.Of.of(sum)
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "reaction", Doc: "Force on a deformable where it is attached, mean over the step.",
	About: "It is the force of what holds the body on the body: at rest, reactions, loads, contact forces and weight add up to zero.",
	New:   func() SignalSpec { return &ReactionSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&ReactionSpec{Component: "z", HeldSpec: HeldSpec{Body: "strip"}}, &ReactionSpec{Component: "norm", HeldSpec: HeldSpec{Body: "strip", At: "cart"}}}
	},
})

// HeldSpec selects attached vertices of a deformable.
type HeldSpec struct {
	// Body is a deformable.
	Body string `key:"body,required" doc:"deformable body" ref:"body"`
	// At is the name of the supporting body; empty: all.
	At string `key:"at" doc:"body that holds it, or world" ref:"body" default:"all that hold it"`
	// Where restricts the sum to attached vertices in a region.
	Where Region `key:"where" doc:"region of the attached vertices" default:"all of them"`
}

// find returns the deformable, its attached vertices, and what they are attached to: the world where several
// bodies do.
func (p *HeldSpec) find(r *Resolver) (deformable int, verts []int32, holder int, err error) {
	if _, err := r.Body(p.Body); err != nil {
		return 0, nil, 0, err
	}
	i, ok := r.model.Names.Deformables[p.Body]
	if !ok {
		return 0, nil, 0, fmt.Errorf("%s is rigid: reactions are those of deformables where they are attached", orWorld(p.Body))
	}
	holder, err = r.RigidBody(p.At)
	if err != nil {
		return 0, nil, 0, fmt.Errorf("at: %w", err)
	}
	within := VertsWithin(r.model.Deformables[i].Mesh(), p.Where.Box())
	for _, a := range r.model.Attachments {
		if a.Deformable != i || p.At != "" && a.Body != holder {
			continue
		}
		for _, v := range a.Verts {
			if _, found := slices.BinarySearch(within, v); found {
				verts = append(verts, v)
			}
		}
	}
	switch {
	case len(verts) == 0 && p.At != "":
		return 0, nil, 0, fmt.Errorf("%s holds no vertex of %s in this region: see its attach", p.At, p.Body)
	case len(verts) == 0:
		return 0, nil, 0, fmt.Errorf("nothing holds a vertex of %s in this region: see its attach", p.Body)
	}
	r.model.Reactions = true
	return i, verts, holder, nil
}

// ReactionSpec are the parameters of a Reaction.
type ReactionSpec struct {
	// Component of the force, in the world's axes: x, y, z or norm.
	Component string `key:"reaction,required" doc:"component of the force, in the world's axes" choice:"x,y,z,norm"`
	HeldSpec
	ofStep
}

// Unit implements SignalSpec.
func (*ReactionSpec) Unit() string { return "N" }

// Make implements SignalSpec.
func (p *ReactionSpec) Make(r *Resolver) (Signal, error) {
	i, verts, _, err := p.find(r)
	return Reaction{Deformable: i, Verts: verts, Of: components[p.Component], About: geometry.World}, err
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "reaction_moment", Doc: "Moment of the forces on a deformable where it is attached, in the world's axes.",
	New: func() SignalSpec { return &ReactionMomentSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&ReactionMomentSpec{Component: "y", HeldSpec: HeldSpec{Body: "strip"}, Point: &r3.Vec{0, 0, 0.1}}, &ReactionMomentSpec{Component: "norm", HeldSpec: HeldSpec{Body: "strip", At: "cart"}}}
	},
})

// ReactionMomentSpec are the parameters of a Reaction with Moment.
type ReactionMomentSpec struct {
	// Component of the moment, in the world's axes: x, y, z or norm.
	Component string `key:"reaction_moment,required" doc:"component of the moment, in the world's axes" choice:"x,y,z,norm"`
	HeldSpec
	// Point is the point about which the moment is taken, in the frame of At, m; nil: its
	// origin.
	Point *r3.Vec `key:"point" unit:"m" doc:"point about which the moment is taken, in the frame of at or of the world" default:"the origin"`
	ofStep
}

// Unit implements SignalSpec.
func (*ReactionMomentSpec) Unit() string { return "N m" }

// Make implements SignalSpec.
func (p *ReactionMomentSpec) Make(r *Resolver) (Signal, error) {
	i, verts, holder, err := p.find(r)
	g := Reaction{Deformable: i, Verts: verts, Of: components[p.Component], Moment: true, About: holder}
	if p.Point != nil {
		g.About_B = *p.Point
	}
	return g, err
}

// whyUnsmooth implements unsmooth. Impulses of nearly rigid constraints are differences of motions that are alike but
// for rounding: those of differences exceed them.
func (g Reaction) whyUnsmooth(m *Model) string {
	for _, a := range m.Attachments {
		if a.Deformable != g.Deformable || a.Constraint < 0 {
			continue
		}
		for _, v := range a.Verts {
			if slices.Contains(g.Verts, v) {
				return "the force on vertices that a moving body holds nearly rigidly, whose derivative rounding decides: take a drive_effort or contact_force"
			}
		}
	}
	return ""
}
