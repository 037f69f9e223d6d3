package constraints

// Barriers: elastic laws f = −U'(φ) that act ahead of touching, below a gap d̂,
// and grow without bound as the gap closes. The step predicts φ = φ0 + h vn, so
// that
//
//	P = −U(φ),  p = h f(φ),  p' = −h² U''(φ).                            (1)
//
// Below φ_m = 10⁻³ d̂, of faces of deformables d̂/2, the force continues as a straight
// line with the value and slope that it has there,
//
//	f = f_m + U''_m (φ_m − φ)                                            (2)
//	U = U_m + f_m (φ_m − φ) + ½ U''_m (φ_m − φ)²,                        (3)
//
// so that the potential is finite everywhere and twice continuously differentiable, and the
// solver recovers from overlap. Limits of these laws: the gap is linear in the velocity and
// overlap has a finite energy, so bodies may intersect; there is no rate term, the pair's
// dissipation is not read; bodies rest at a gap below d̂, with friction over the gap; and
// collisions must be reported up to d̂, see ContactRange.
// Source: Castro et al., "Irrotational Contact Fields", section on barriers as
// compliant contact.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
)

// potential is the function of a barrier on gaps 0 < φ < d̂.
type potential struct {
	// at returns U (J), f (N) and U” = d²U/dφ² (N/m).
	at func(kappa, dHat, phi float64) (U, f, ddU float64)
	// mean returns the mean of f (N) over gaps from a to b > a, (U(a) − U(b))/(b − a) without what cancels.
	mean func(kappa, dHat, a, b float64) float64
}

// barrier is the law of one contact in one step.
type barrier struct {
	h, phi, kappa float64 // κ, N/m
	dHat          float64
	U             potential
	least         float64 // φ_m
	Um, fm, ddUm  float64 // there

	fullStiffness, steepest float64 // κ and U''(φ_m), without the cap of continuation.go
}

// newBarrier makes the law of a contact; zero κ and d̂ are the pair's stiffness
// and DefaultBarrierRange.
func newBarrier(U potential, kappa, dHat float64, c *geometry.Contact, pair *Pair, p *cliques.Problem) NormalLaw {
	if kappa == 0 {
		kappa = pair.Stiffness
	}
	b := cliques.New[barrier](p)
	floor := barrierFloor
	if c.Area > 0 {
		floor = faceBarrierFloor
	}
	b.init(U, p.H, kappa, barrierRange(dHat), floor, c.Phi)
	return b
}

// BarrierParams are the parameters of barriers.
type BarrierParams struct {
	// Range is the gap at which the barrier begins to act, m.
	Range float64 `key:"barrier_range" unit:"m" doc:"gap at which the barrier begins to act" above:"0"`
	// Stiffness is κ of the barrier, N/m; 0: that of the pair of materials.
	Stiffness float64 `key:"barrier_stiffness" unit:"N/m" doc:"stiffness κ of the barrier; 0: that of the pair" min:"0"`
}

// defaultBarrier returns the parameters of scenes that give none.
func defaultBarrier() BarrierParams { return BarrierParams{Range: DefaultBarrierRange} }

// staticBarrier returns the law of a pair of stiffness k, for its forces at rest.
func staticBarrier(U potential, kappa, dHat, k float64) (b barrier) {
	if kappa == 0 {
		kappa = k
	}
	b.init(U, 1, kappa, barrierRange(dHat), barrierFloor, 0)
	return b
}

// gap returns the gap (m) at which the barrier carries a load (N).
func (b *barrier) gap(load float64) float64 {
	if load >= b.fm {
		return b.least - (load-b.fm)/b.ddUm // (2)
	}
	lo, hi := b.least, b.dHat // f falls from f_m to 0
	for range gapBisections {
		phi := math.Sqrt(lo * hi)
		if _, f, _ := b.at(phi); f > load {
			lo = phi
		} else {
			hi = phi
		}
	}
	return hi
}

// gapBisections halve the logarithm of a ratio of 10³ down to round-off.
const gapBisections = 60

func barrierRange(dHat float64) float64 {
	if dHat == 0 {
		return DefaultBarrierRange
	}
	return dHat
}

func (b *barrier) init(U potential, h, kappa, dHat, floor, phi float64) {
	*b = barrier{h: h, phi: phi, kappa: kappa, dHat: dHat, U: U, least: floor * dHat}
	b.Um, b.fm, b.ddUm = U.at(kappa, dHat, b.least)
	b.fullStiffness, b.steepest = kappa, b.ddUm
}

// at returns U, f and d²U/dφ² anywhere.
func (b *barrier) at(phi float64) (U, f, ddU float64) {
	switch {
	case phi >= b.dHat:
		return 0, 0, 0
	case phi < b.least:
		x := b.least - phi
		return b.Um + x*(b.fm+0.5*b.ddUm*x), b.fm + b.ddUm*x, b.ddUm // (3), (2)
	}
	return b.U.at(b.kappa, b.dHat, phi)
}

// Eval implements NormalLaw.
func (b *barrier) Eval(vn float64) (P, p, dp float64) {
	U, f, ddU := b.at(b.phi + b.h*vn)
	return -U, b.h * f, -b.h * b.h * ddU // (1)
}

// Lag implements NormalLaw: h f(φ0).
func (b *barrier) Lag(vn float64) float64 {
	_, f, _ := b.at(b.phi)
	return b.h * f
}
