package constraints

// The logarithmic barrier of interior-point methods, U = −κ' ln φ with an energy
// κ' (J), pushes over any distance. Less its tangent at d̂ it ends there,
//
//	U   = κ' (L − u/d̂),  u = d̂ − φ,  L = −ln(φ/d̂) = −ln(1 − u/d̂)         (1)
//	f   = κ' (1/φ − 1/d̂) = κ' u/(φ d̂)                                    (2)
//	U'' = κ'/φ²                                                         (3)
//
// on 0 < φ < d̂, and tends to the plain f = κ'/φ for φ ≪ d̂. With κ' = κ d̂² it
// starts as a spring of stiffness κ at d̂ and has the force of incremental
// potential contact near touching; at d̂/2 it carries κ d̂.
// Source: Castro et al., "Irrotational Contact Fields"; the tangent is this
// program's.

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
)

// LogBarrier is the logarithmic barrier with a range. See normal_barrier.go for
// its limits.
type LogBarrier struct {
	Gap       float64 // d̂, m; 0: DefaultBarrierRange
	Stiffness float64 // κ, N/m: κ' = κ d̂²; 0: the pair's stiffness
}

var _ NormalModel = LogBarrier{}

var _ = NormalModels.Register(kinds.Kind[NormalSpec]{
	Name:  "log_barrier",
	Doc:   "Logarithmic barrier: acts ahead of touch and grows with the inverse of the gap.",
	About: "Bodies rest within barrier_range of each other without touching. The law is elastic: the dissipation of materials is not read.",
	New:   func() NormalSpec { return &LogBarrierSpec{defaultBarrier()} },
	Samples: func() []NormalSpec {
		return []NormalSpec{&LogBarrierSpec{defaultBarrier()}, &LogBarrierSpec{BarrierParams{2e-4, 1e5}}}
	},
})

// LogBarrierSpec are the parameters of the normal law log_barrier.
type LogBarrierSpec struct{ BarrierParams }

// Make implements NormalSpec.
func (s *LogBarrierSpec) Make() (NormalModel, error) { return LogBarrier{s.Range, s.Stiffness}, nil }

// Dissipation implements NormalFacts.
func (LogBarrier) Dissipation() Dissipation { return NoDissipation }

// StaticForce implements NormalFacts.
func (m LogBarrier) StaticForce(k, overlap float64) (force, slope float64) {
	b := staticBarrier(logPotential, m.Stiffness, m.Gap, k)
	_, force, slope = b.at(-overlap)
	return force, slope
}

// StaticDepth implements NormalFacts.
func (m LogBarrier) StaticDepth(k, load float64) float64 {
	b := staticBarrier(logPotential, m.Stiffness, m.Gap, k)
	return -b.gap(load)
}

// New implements NormalModel.
func (m LogBarrier) New(c *geometry.Contact, pair *Pair, p *cliques.Problem) NormalLaw {
	return newBarrier(logPotential, m.Stiffness, m.Gap, c, pair, p)
}

// Range implements NormalFacts.
func (m LogBarrier) Range() float64 { return barrierRange(m.Gap) }

// logPotential is (1) to (3), with the mean
//
//	(U(a) − U(b))/(b − a) = κ' [u_a/(a d̂) − (t − ln(1 + t))/(b − a)],  t = (b − a)/a      (4)
var logPotential = potential{logAt, logMean}

func logMean(kappa, dHat, a, b float64) float64 {
	t := (b - a) / a
	return kappa * dHat * dHat * ((dHat-a)/dHat - lessLog(t)/t) / a // (4)
}

func logAt(kappa, dHat, phi float64) (U, f, ddU float64) {
	u := dHat - phi
	energy := kappa * dHat * dHat
	return energy * logLess(u/dHat, dHat, phi), energy * u / (phi * dHat), energy / (phi * phi) // (1)-(3)
}

// logLess returns L − r, r = u/d̂, which cancels near d̂: there it is r²/2 + r³/3 + ….
func logLess(r, dHat, phi float64) float64 {
	if r > 0.1 {
		return logGap(dHat, phi) - r
	}
	sum, power := 0.0, r
	for k := 2.0; k < 20; k++ {
		power *= r
		sum += power / k
	}
	return sum
}
