package constraints

// The barrier of incremental potential contact, with u = d̂ − φ and
// L = −ln(φ/d̂) = −ln(1 − u/d̂) on 0 < φ < d̂:
//
//	U   = κ u² L                                                        (1)
//	f   = κ u (u/φ + 2 L)                                               (2)
//	U'' = κ (u²/φ² + 4 u/φ + 2 L)                                       (3)
//
// Near d̂ it is a quadratic spring, f ≈ 3 κ u²/d̂; near contact f ≈ κ d̂²/φ. At
// d̂/2 it carries 1.19 κ d̂.
// Source: Li et al., "Incremental Potential Contact", 2020; Castro et al.,
// "Irrotational Contact Fields".

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
)

// IPC is the barrier of incremental potential contact. See normal_barrier.go for
// its limits.
type IPC struct {
	Gap       float64 // d̂, m; 0: DefaultBarrierRange
	Stiffness float64 // κ, N/m; 0: the pair's stiffness
}

var _ NormalModel = IPC{}

var _ = NormalModels.Register(kinds.Kind[NormalSpec]{
	Name:  "ipc",
	Doc:   "Barrier of incremental potential contact: acts ahead of touch and grows without bound as the gap closes.",
	About: "Bodies rest within barrier_range of each other without touching. The law is elastic: the dissipation of materials is not read.",
	New:   func() NormalSpec { return &IPCSpec{defaultBarrier()} },
	Samples: func() []NormalSpec {
		return []NormalSpec{&IPCSpec{defaultBarrier()}, &IPCSpec{BarrierParams{2e-4, 1e5}}}
	},
})

// IPCSpec are the parameters of the normal law ipc.
type IPCSpec struct{ BarrierParams }

// Make implements NormalSpec.
func (s *IPCSpec) Make() (NormalModel, error) { return IPC{s.Range, s.Stiffness}, nil }

// Dissipation implements NormalFacts.
func (IPC) Dissipation() Dissipation { return NoDissipation }

// StaticForce implements NormalFacts.
func (m IPC) StaticForce(k, overlap float64) (force, slope float64) {
	b := staticBarrier(ipcPotential, m.Stiffness, m.Gap, k)
	_, force, slope = b.at(-overlap)
	return force, slope
}

// StaticDepth implements NormalFacts.
func (m IPC) StaticDepth(k, load float64) float64 {
	b := staticBarrier(ipcPotential, m.Stiffness, m.Gap, k)
	return -b.gap(load)
}

// New implements NormalModel.
func (m IPC) New(c *geometry.Contact, pair *Pair, p *cliques.Problem) NormalLaw {
	return newBarrier(ipcPotential, m.Stiffness, m.Gap, c, pair, p)
}

// Range implements NormalFacts.
func (m IPC) Range() float64 { return barrierRange(m.Gap) }

// ipcPotential is (1) to (3), with a mean of terms of one sign: with t = (b − a)/a,
//
//	(U(a) − U(b))/(b − a) = κ [(u_a + u_b) L_a + u_b² ln(1 + t)/(b − a)]      (4)
var ipcPotential = potential{ipcAt, ipcMean}

func ipcMean(kappa, dHat, a, b float64) float64 {
	ua, ub := dHat-a, dHat-b
	t := (b - a) / a
	return kappa * ((ua+ub)*logGap(dHat, a) + ub*ub/a*(math.Log1p(t)/t)) // (4)
}

func ipcAt(kappa, dHat, phi float64) (U, f, ddU float64) {
	u, L := dHat-phi, logGap(dHat, phi)
	r := u / phi
	return kappa * u * u * L, kappa * u * (r + 2*L), kappa * (r*r + 4*r + 2*L) // (1)-(3)
}

// logGap returns −ln(φ/d̂), exact also near d̂.
func logGap(dHat, phi float64) float64 {
	if phi > 0.5*dHat {
		return -math.Log1p((phi - dHat) / dHat)
	}
	return -math.Log(phi / dHat)
}
