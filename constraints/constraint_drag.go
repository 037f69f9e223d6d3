package constraints

// A hand that drags a body is a spring and damper between a point of it and a target in the world,
// with a bounded force in any direction. With the offset g0 of the point from its target at the start of the
// step, R and v̂ of (1) of compliant.go with v_d = f = 0, and the largest impulse γ_m = h F,
//
//	y = (v̂ − c)/R,   v̂ = −k g0/(h k + d),   R = 1/(h (h k + d))                  (1)
//	|y| ≤ γ_m:  γ = y,            ℓ = ½ R |y|²,             G = I/R
//	|y| > γ_m:  γ = γ_m y/|y|,    ℓ = R γ_m (|y| − ½ γ_m),  G = γ_m/(R |y|) (I − y yᵀ/|y|²)   (2)
//
// ℓ is Huber's function of the length of y: convex, with a continuous gradient. Source: as compliant.go; Huber,
// "Robust Estimation of a Location Parameter", 1964.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Drag is the constraint that pulls a point of a body to a target in the world by a spring with a
// bounded force, as a hand does.
type Drag struct {
	// Anchor is the point that is dragged.
	Anchor Anchor
	// Target_W is where it is dragged to, m.
	Target_W r3.Vec
	// Stiffness is k, N/m, above 0.
	Stiffness float64
	// Damping is d, N s/m.
	Damping float64
	// Force bounds the magnitude of the force, N, above 0.
	Force float64
}

var _ Constraint = (*Drag)(nil)

// Check implements Checker.
func (c *Drag) Check() error {
	if !(c.Stiffness > 0) || math.IsInf(c.Stiffness, 1) || !(c.Force > 0) || math.IsInf(c.Force, 1) || !c.Target_W.IsFinite() {
		return fmt.Errorf("constraints: a drag to %g m with stiffness %g N/m and at most %g N: target, stiffness and force must be finite, the latter two positive", c.Target_W, c.Stiffness, c.Force)
	}
	return errors.Join(c.Anchor.check(), checkPositive("damping", c.Damping))
}

// Append implements Constraint with one term of three equations, along the world's axes.
func (c *Drag) Append(k Kinematics, p *cliques.Problem) int {
	law, f := cliques.New[drag](p), cliques.New[geometry.MaterialPoint](p)
	c.Anchor.feature(k, f)
	K := p.H*c.Stiffness + c.Damping
	*law = drag{R: 1 / (p.H * K), v: f.Pos_W.Sub(c.Target_W).Scale(-c.Stiffness / K), most: p.H * c.Force} // (1)
	p.AddConstraint(law)
	for i := range 3 {
		k.PointRow(p, i, f, worldAxis(i), 1)
	}
	return 1
}

// drag is the law (2) of one step.
type drag struct {
	R    float64 // m/(s N s)
	v    r3.Vec  // v̂, m/s
	most float64 // γ_m, N s
}

// Dim implements cliques.Law.
func (l *drag) Dim() int { return 3 }

// Prepare implements cliques.Law: the spring is as soft as it was given, whatever the inertia.
func (l *drag) Prepare(float64, []float64) {}

// Eval implements cliques.Law.
func (l *drag) Eval(vc, gamma, G []float64) float64 {
	y := l.v.Sub(r3.Vec(vc[:3])).Scale(1 / l.R)
	n := y.Norm()
	clear(G)
	// a force within its bound
	if n <= l.most {
		copy(gamma, y[:])
		for i := range 3 {
			G[4*i] = 1 / l.R
		}
		return 0.5 * l.R * n * n
	}
	// a bounded force turns with the direction, and does not grow
	s, u := l.most/(l.R*n), y.Scale(1/n)
	for i := range 3 {
		gamma[i] = l.most * u[i]
		for j := range 3 {
			G[3*i+j] = -s * (u[i] * u[j]) // symmetric to the last bit
		}
		G[4*i] += s
	}
	return l.R * l.most * (n - 0.5*l.most)
}
