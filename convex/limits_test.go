package convex_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/hydroelastic"
	"github.com/curlfree/curlfree/r3"
)

var (
	_ convex.ContinuationLaw = cappedLaw()

	stiffnesses = []float64{1e3, 1e5, 1e7, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14}
)

// cappedLaw returns a law of Similar, which package convex has to recognize.
func cappedLaw() convex.ContinuationLaw {
	var p cliques.Problem
	q := stack(1e6, 0.5, []float64{1})
	q.build(&p, constraints.Similar{})
	return p.Constraints[0].Law.(convex.ContinuationLaw)
}

// count sums the statistics of a series of solves.
type count struct {
	solves, iterations, most, continuation, evaluations int
	criteria                                            [4]int
	residual                                            float64 // largest of momentum
}

func (n *count) add(t *testing.T, st *convex.Stats, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	n.solves++
	n.iterations += st.Iterations
	n.continuation += st.Continuation
	n.evaluations += st.LineSearch
	n.most = max(n.most, st.Iterations)
	n.criteria[st.Criterion]++
	if st.Criterion != convex.Free {
		n.residual = max(n.residual, st.Residual/st.Scale)
	}
}

func (n *count) mean() float64 { return float64(n.iterations) / float64(n.solves) }

func (n *count) log(t *testing.T, format string, args ...any) {
	t.Helper()
	t.Logf(format+": %.1f iterations, %.1f in continuation, at most %d, %.1f evaluations; %d by optimality, %d at round-off, residual at most %.1e",
		append(args, n.mean(), float64(n.continuation)/float64(n.solves), n.most, float64(n.evaluations)/float64(n.solves),
			n.criteria[convex.Optimality], n.criteria[convex.RoundOff], n.residual)...)
}

func solver(m constraints.ContactModel) *convex.Solver {
	return &convex.Solver{AlphaMax: constraints.AlphaMax(m)}
}

// Heaps of five bodies with 12 contacts and 40 pairs centimetres apart, from the
// velocities before the step, for every law and stiffness.
func TestContactConvergesAtAnyStiffness(t *testing.T) {
	for _, x := range models {
		for _, k := range stiffnesses {
			r := rand.New(rand.NewPCG(rngSeed, 60))
			s, n := solver(x.m), new(count)
			for range 20 {
				var p cliques.Problem
				randomHeap(r, k, 1, 0.3).build(&p, x.m)
				st, err := s.Solve(&p, slices.Clone(p.V0))
				n.add(t, &st, err)
				checkLaws(t, &p)
			}
			n.log(t, "%s, k = %.0e N/m", x.name, k)
			if limit := map[bool]float64{true: 120, false: 70}[strings.HasPrefix(x.name, "similar")]; n.mean() > limit {
				t.Errorf("%s, k = %g: %.1f iterations", x.name, k, n.mean())
			}
		}
	}
}

// checkLaws checks that no law of a solved problem is capped, and that the impulses are
// those of the laws at the constraint velocities.
func checkLaws(t *testing.T, p *cliques.Problem) {
	t.Helper()
	for h := range p.Constraints {
		c := &p.Constraints[h]
		gamma, G := make([]float64, c.Dim), make([]float64, c.Dim*c.Dim)
		c.Law.Eval(p.Velocity(cliques.Handle(h)), gamma, G)
		if !slices.Equal(gamma, p.Impulse(cliques.Handle(h))) {
			t.Fatalf("constraint %d: impulse %v, its law says %v", h, p.Impulse(cliques.Handle(h)), gamma)
		}
		if l, ok := c.Law.(convex.ContinuationLaw); ok && l.CapSlope(math.Inf(1)) {
			t.Fatalf("constraint %d: still capped", h)
		}
	}
}

// Heavy on light and light on heavy, with friction that is viscous below 0.1 mm/s: as many iterations as that takes,
// which are up to 158 where each body has to converge; and with the default
// stiction tolerance.
func TestStacksOfAnyMassRatioConverge(t *testing.T) {
	for _, masses := range [][]float64{{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1e6}, {1e6, 1, 1, 1, 1}, {1, 1e3, 1, 1e6, 1}, {1e-3, 1, 1e3, 1e-3, 1e3}} {
		for i, x := range append(withStiction(1e-4), models...) {
			n := new(count)
			off := 0.0
			for _, k := range stiffnesses[1:] {
				var p cliques.Problem
				stack(k, 0.5, masses).build(&p, x.m)
				s := solver(x.m)
				v := slices.Clone(p.V0)
				st, err := s.Solve(&p, v)
				n.add(t, &st, err)
				checkLaws(t, &p)

				// error of the default tolerance against the tightest
				s.RelTol = 1e-14
				tight := slices.Clone(v)
				if _, err = s.Solve(&p, tight); err != nil {
					t.Error(err)
				}
				for i := range v {
					off = math.Max(off, math.Abs(v[i]-tight[i]))
				}
			}
			n.log(t, "masses %g, %s, off by at most %.0e", masses, x.name, off)
			if limit := map[bool]int{true: 170, false: 20}[strings.HasPrefix(x.name, "similar")]; n.most > limit && i < len(models) {
				t.Errorf("masses %g, %s: %d iterations", masses, x.name, n.most)
			}
		}
	}
}

// A residual of 1e-12 of the momentum is reached, or the criterion says that round-off of
// the contact velocities alone makes a larger one.
func TestTightToleranceEndsAtOptimalityOrRoundOff(t *testing.T) {
	for _, x := range models {
		for _, k := range stiffnesses {
			r := rand.New(rand.NewPCG(rngSeed, 62))
			s, n := solver(x.m), new(count)
			s.RelTol = 1e-12
			for range 10 {
				var p cliques.Problem
				randomHeap(r, k, 1, 0.3).build(&p, x.m)
				v := slices.Clone(p.V0)
				st, err := s.Solve(&p, v)
				n.add(t, &st, err)

				// from another guess the velocities are the same
				for i := range v {
					v[i] += 0.1 * r.NormFloat64()
				}
				w := slices.Clone(v)
				st, err = s.Solve(&p, w)
				n.add(t, &st, err)
			}
			n.log(t, "%s, k = %.0e N/m", x.name, k)
			// between stick and slip G is so large that round-off of c exceeds the tolerance
			if k <= 1e5 && n.criteria[convex.RoundOff] > 2 {
				t.Errorf("%s, k = %g: %d ended at round-off", x.name, k, n.criteria[convex.RoundOff])
			}
			// ε h² k/m̄ with room, and never worse than the default tolerance; AbsTol adds to 1e-12
			if bound := max(1.05e-12, min(3e-5, 100*0x1p-53*25e-6*k)); strings.HasPrefix(x.name, "lagged") == false && n.residual > bound {
				t.Errorf("%s, k = %g: residual %g, want %g", x.name, k, n.residual, bound)
			}
		}
	}
}

// Impacts from walking speed to that of a bullet.
func TestImpactsConverge(t *testing.T) {
	for _, x := range models {
		for _, speed := range []float64{1, 10, 100, 1000} {
			r := rand.New(rand.NewPCG(rngSeed, 63))
			s, n := solver(x.m), new(count)
			for i := range 20 {
				var p cliques.Problem
				randomHeap(r, []float64{1e5, 1e7, 1e9, 1e11}[i%4], 1, speed).build(&p, x.m)
				st, err := s.Solve(&p, slices.Clone(p.V0))
				checkLaws(t, &p)
				n.add(t, &st, err)
			}
			n.log(t, "%s at %g m/s", x.name, speed)
		}
	}
}

// Painlevé's rod, with friction so large that rigid contact has no solution or
// several: convex contact has one.
func TestJammingRodConverges(t *testing.T) {
	for _, x := range models {
		n := new(count)
		for _, k := range stiffnesses {
			for _, angle := range []float64{0.3, 0.6, 0.9, 1.2, 1.5} {
				for _, slide := range []float64{-3, -0.1, 0.1, 3} {
					for _, mu := range []float64{0.5, 1.4, 3} {
						const half = 0.5
						q := &heap{h: 5e-3, pair: constraints.Pair{Stiffness: k, Dissipation: 20, RelaxationTime: 1e-4, Friction: mu}}
						tip := r3.Vec{-half * math.Cos(angle), 0, -half * math.Sin(angle)}
						q.body(1, half*math.Sqrt(1/(3*0.4)), tip.Neg(), r3.Vec{slide, 0, -0.1}, r3.Vec{})
						q.touch(geometry.World, 0, r3.Vec{}, r3.Vec{0, 0, 1}, -gravity/k)
						var p cliques.Problem
						q.build(&p, x.m)
						st, err := solver(x.m).Solve(&p, slices.Clone(p.V0))
						n.add(t, &st, err)
						checkLaws(t, &p)
						g := p.Impulse(0)
						if x.name == "similar" && math.Hypot(g[0], g[1]) > mu*g[2]*(1+1e-9) {
							t.Errorf("impulse %v leaves the cone of %g", g, mu)
						}
					}
				}
			}
		}
		n.log(t, "%s", x.name)
	}
}

// A contact surface of faces with any pressure gradient and areas that differ by a
// thousand.
func TestContactSurfacesConverge(t *testing.T) {
	r := rand.New(rand.NewPCG(rngSeed, 64))
	for _, x := range models {
		n := new(count)
		for _, grad := range []float64{1e8, 1e11, 1e14, 1e17} {
			for range 5 {
				q := stack(1e6, 0.8, []float64{1, 2})
				q.vel[0], q.vel[1], q.spin[1] = r3.Vec{0.3, 0, -0.1}, r3.Vec{0, 1, 0}, r3.Vec{3, 2, 1}
				pt := &geometry.HydroelasticContact{A: 0, B: 1, Centroid_W: r3.Vec{0, 0, 0.2}}
				for range 40 {
					area := 1e-5 * math.Pow(10, -3*r.Float64())
					pt.Surface.Faces = append(pt.Surface.Faces, hydroelastic.Face{
						Pos_W: r3.Vec{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64(), 0.2}, Normal_W: r3.Vec{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64(), 1}.Unit(),
						Area: area, PressureGradient: grad, Phi: -r.Float64() * 20 / (40 * area * grad),
					})
				}
				q.contacts = q.contacts[:4]
				var p cliques.Problem
				q.build(&p, x.m)
				pair := q.pair
				constraints.AppendHydroelasticContact(x.m, pt, &pair, (*bodies)(q), &p)
				st, err := solver(x.m).Solve(&p, slices.Clone(p.V0))
				n.add(t, &st, err)
				checkLaws(t, &p)
			}
		}
		n.log(t, "%s", x.name)
	}
}
