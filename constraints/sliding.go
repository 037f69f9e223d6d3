package constraints

// The error of lagged friction. Where a contact slides, Coulomb's law allows it the impulse
// μ γn of the step's own normal impulse γn; lagged friction has μ n0. Over the contacts and
// faces that slide, at more than the speed ε below which their friction is viscous,
//
//	bound = Σ μ γn,  deficit = Σ μ (γn − n0)                            (1)
//
// with μ = |M s̃|, s̃ = M vt/|M vt|, of a friction tensor. Where normal-impulse errors of
// opposite sign alternate, as at an impact and the rebound after it, they cancel in the sum
// over steps. Where a soft thin surface moves by more than its depth in each step, they add
// up.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// SlidingFriction is (1), N s.
type SlidingFriction struct {
	Bound   float64 // impulse that Coulomb's law allows
	Deficit float64 // part of it that lagged friction misses; negative where it has too much
}

// Add adds the sums of other contacts or of another step.
func (s *SlidingFriction) Add(o SlidingFriction) {
	s.Bound, s.Deficit = s.Bound+o.Bound, s.Deficit+o.Deficit
}

// laggedFriction is a contact law whose friction is lagged.
type laggedFriction interface {
	// slidingFriction returns (1) at velocity vc and impulse γ.
	slidingFriction(vc, gamma []float64) SlidingFriction
}

// SlidingFrictionOf returns (1) of a contact or hydroelastic contact after the solve; zero for
// contacts that do not slide and for laws without lag.
func SlidingFrictionOf(p *cliques.Problem, h cliques.Handle) SlidingFriction {
	if l, ok := p.Constraints[h].Law.(laggedFriction); ok {
		return l.slidingFriction(p.Velocity(h), p.Impulse(h))
	}
	return SlidingFriction{}
}

func (l *lagged) slidingFriction(vc, gamma []float64) SlidingFriction {
	mu := l.slidingCoefficient(vc[0], vc[1])
	return SlidingFriction{mu * gamma[2], mu * (gamma[2] - l.n0)}
}

// slidingCoefficient returns the coefficient in the direction of a slip, 0 for a slip below ε.
func (f *friction) slidingCoefficient(x, y float64) float64 {
	if f.aniso {
		x, y = f.M.xx*x+f.M.xy*y, f.M.xy*x+f.M.yy*y
	}
	slip := x*x + y*y
	if slip <= f.eps*f.eps {
		return 0
	}
	if f.aniso {
		return math.Hypot(f.M.xx*x+f.M.xy*y, f.M.xy*x+f.M.yy*y) / math.Sqrt(slip)
	}
	return f.mu
}

func (l *surfaceLaw) slidingFriction(vc, _ []float64) (sum SlidingFriction) {
	w, v := r3.Vec(vc[:3]), r3.Vec(vc[3:6])
	for f := l.faces; f != nil; f = f.next {
		law, ok := f.law.(*lagged)
		if !ok {
			return sum
		}
		f.vc = f.velocity(w, v)
		_, f.gamma[2], _ = law.normal.Eval(f.vc[2])
		sum.Add(law.slidingFriction(f.vc[:], f.gamma[:]))
	}
	sum.Add(l.lanes.slidingFriction(w, v))
	return sum
}

func (q *laneFaces) slidingFriction(w, v r3.Vec) (sum SlidingFriction) {
	v = v.Add(q.surfaceVelocity)
	for b := q.first; b != nil; b = b.next {
		for k := range b.faces {
			tx, ty, tz, p := b.tractionAt(k, &w, &v)
			if tx*tx+ty*ty+tz*tz > b.eps[k]*b.eps[k] {
				sum.Bound += b.mu[k] * p
				sum.Deficit += b.mu[k]*p - b.bound[k]
			}
		}
	}
	return sum
}
