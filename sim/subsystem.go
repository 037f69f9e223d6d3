package sim

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// Subsystem is a part of the model's bodies with equations of motion of its own: all
// rigid trees, or one deformable. In the problem, the velocities of its cliques stand in
// the order of its own v; fixed vertices are left out.
type Subsystem interface {
	// Size returns the lengths of its parts of State.Q and State.V.
	Size() (nq, nv int)
	// Integrate sets the rule and the memory, its part of State.Memory, of the coming step.
	Integrate(step timestep.Step)
	// Place reads the state at time t (s) for a step of h (s). It writes poses or
	// vertices, and the motion predicted from the velocities v, into the geometry.
	Place(t, h float64, q, v []float64, g *geometry.Data)
	// PredictMotion writes the motion in a step of h with the velocities vNext, which
	// are the problem's, from where Place put the bodies.
	PredictMotion(h float64, vNext []float64, g *geometry.Data)
	// FreeMotion appends its cliques to the problem: A, v0 and p.
	FreeMotion(h float64, q, v []float64, p *cliques.Problem)
	// PointRow adds s·dir_W·v(f) to a row of the problem's last constraint, with v(f)
	// the velocity of a material point of one of its bodies.
	PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64)
	// Advance writes its part of the state after a step of h, from the solved displacement
	// velocities w of its cliques, and of its memory for the next step.
	Advance(h float64, w, q, v []float64, next timestep.Memory)
}

var (
	_ Subsystem = (*rigidTrees)(nil)
	_ Subsystem = (*deformableBody)(nil)
)
