package constraints

import (
	"fmt"

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

// NormalParams are the parameters a normal model may read, besides those of the
// pair of surfaces. See DefaultNormalParams.
type NormalParams struct {
	HertzOverlap     float64 // δ, m: where Hertz's force is the pair's stiffness times the overlap
	BarrierRange     float64 // d̂, m: gap at which barriers begin to act
	BarrierStiffness float64 // κ, N/m; 0: the pair's stiffness
}

// DefaultNormalParams returns the default parameters of normal models.
func DefaultNormalParams() NormalParams {
	return NormalParams{HertzOverlap: DefaultHertzOverlap, BarrierRange: DefaultBarrierRange}
}

// DefaultNormalModel is the name of the normal model of scenes that do not choose one.
const DefaultNormalModel = "hunt_crossley"

// NormalModels are the registered kinds of normal laws.
var NormalModels = kinds.NewRegistry[NormalSpec]("normal law", "How the normal force of a point contact grows with overlap, or ahead of it.").In(kinds.Plain)

// NormalSpec creates a normal model from its parameters.
type NormalSpec interface {
	Make() (NormalModel, error)
}

// NewNormalModel returns the model of a name, or an error that lists the names
// or names the parameter that is out of range.
func NewNormalModel(name string, params NormalParams) (NormalModel, error) {
	if err := checkBounds("normal law:", []bound{
		{"Hertz overlap", params.HertzOverlap, positive(params.HertzOverlap), "a positive number"},
		{"barrier range", params.BarrierRange, positive(params.BarrierRange), "a positive number"},
		{"barrier stiffness", params.BarrierStiffness, params.BarrierStiffness == 0 || positive(params.BarrierStiffness), "a number ≥ 0"},
	}); err != nil {
		return nil, err
	}
	spec, err := NormalModels.New(name)
	if err != nil {
		return nil, fmt.Errorf("constraints: %w", err)
	}
	setParams(spec, map[string]any{
		"hertz_overlap": params.HertzOverlap, "barrier_range": params.BarrierRange, "barrier_stiffness": params.BarrierStiffness,
	})
	return spec.Make()
}
