package ik

// Limits lo ≤ c ≤ hi that are met exactly, by smooth potentials. For a multiplier y and a small
// compliance R of a row,
//
//	ℓ(c) = (z − P(z))²/(2R),   z = c − R y,   P(z) = min(max(z, lo), hi)           (1)
//	γ = −∂ℓ/∂c = (P(z) − z)/R
//
// With y = 0 this is a stiff spring outside of the interval, which the minimum enters by
// R γ. With y = γ of the last minimum it is the augmented Lagrangian: the minimum enters by
// R |γ − y|, which falls by about R/(R + w) from solve to solve, w the row's Delassus entry.
// R = w compliance makes that a factor of 10⁻⁵: two or three solves reach round-off.
// Source: Rockafellar, "Augmented Lagrange multiplier functions and duality in nonconvex
// programming", SIAM J. Control 12, 1974.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

const (
	// compliance is R over the Delassus entry of a row.
	compliance = 1e-5
	// stiffer is the factor by which it falls where violations do not, leastCompliance its end.
	stiffer, leastCompliance = 1e-2, 1e-11
)

// interval is the law of n rows with limits.
type interval struct {
	lo, hi []float64 // limits of each row
	y      []float64 // multipliers
	r      []float64 // R, by Prepare
	share  float64   // R over the Delassus entry
}

var _ cliques.Law = (*interval)(nil)

// resize sets the number of rows. Multipliers are zero then.
func (l *interval) resize(n int) {
	l.lo, l.hi, l.r = grow(l.lo, n), grow(l.hi, n), grow(l.r, n)
	l.y = grow(l.y, n)
	clear(l.y)
	l.share = compliance
}

// grow returns x with length n.
func grow(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n, n+n/2)
	}
	return x[:n]
}

// Dim implements cliques.Law.
func (l *interval) Dim() int { return len(l.lo) }

// Prepare implements cliques.Law.
func (l *interval) Prepare(_ float64, w []float64) {
	for i := range l.r {
		l.r[i] = l.share * w[i]
	}
}

// Eval implements cliques.Law.
func (l *interval) Eval(c, gamma, G []float64) (cost float64) {
	clear(G)
	n := len(l.lo)
	for i, r := range l.r {
		z := c[i] - r*l.y[i]
		g := (math.Min(math.Max(z, l.lo[i]), l.hi[i]) - z) / r // (1)
		gamma[i] = g
		if g != 0 {
			G[i*n+i] = 1 / r
			cost += 0.5 * r * g * g
		}
	}
	return cost
}

// update takes the impulses of the last minimum as multipliers, and returns by how much its
// velocities c break the limits.
func (l *interval) update(c, gamma []float64) (violation float64) {
	for i := range l.y {
		violation = math.Max(violation, math.Max(l.lo[i]-c[i], c[i]-l.hi[i]))
		l.y[i] = gamma[i]
	}
	return violation
}
