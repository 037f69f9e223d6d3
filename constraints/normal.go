package constraints

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
)

// NormalLaw is the normal impulse p of a contact in one step as a function of its normal
// velocity vn (m/s): p ≥ 0, p' ≤ 0, p = 0 when separated. Contact laws add friction to it.
type NormalLaw interface {
	// Eval returns an antiderivative P ≤ 0 of p that vanishes when separated
	// (J), the impulse p (N s) and its slope p' (kg).
	Eval(vn float64) (P, p, dp float64)
	// Lag returns the normal impulse (N s) at the gap of the step's start and the velocity
	// vn: the bound n0 of lagged friction.
	Lag(vn float64) float64
}

// SecantLaw is a NormalLaw that has the mean force of a step, which contacts take under the midpoint rule. Laws that
// have none keep the force of the end.
type SecantLaw interface {
	NormalLaw
	// Secant is Eval of the mean force over the step with the damping of its end, normal_mean.go with η = 0: P vanishes
	// where the contact opens, and is positive beyond.
	Secant(vn float64) (P, p, dp float64)
	// SteepestAtStart returns a stiffness (N/m) that is typical of the law near the gap of the step's start.
	SteepestAtStart() float64
}

// NormalModel is a law of the normal force that creates the NormalLaw of each
// contact for one step, in memory from cliques.New.
type NormalModel interface {
	NormalFacts
	// New returns the law of a contact at its gap in a step.
	New(c *geometry.Contact, pair *Pair, p *cliques.Problem) NormalLaw
}

// orHuntCrossley returns m, or Hunt–Crossley's model when m is nil.
func orHuntCrossley(m NormalModel) NormalModel {
	if m == nil {
		return HuntCrossley{}
	}
	return m
}

// DefaultNormalModel is the name of the normal model of scenes that do not choose one.
const DefaultNormalModel = "hunt_crossley"

// NormalModels are the registered kinds of normal laws.
var NormalModels = kinds.NewRegistry[NormalSpec]("normal law", "How the normal force of a point contact grows with overlap, or ahead of it.").In(kinds.Plain)

// NormalSpec creates a normal model from its parameters.
type NormalSpec interface {
	Make() (NormalModel, error)
}
