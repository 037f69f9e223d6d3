package constraints

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints/lawtest"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// rigidStiffness is what a near-rigid equation resists a steady load with.
func rigidStiffness(h, w float64) float64 {
	return 4 * math.Pi * math.Pi / (rigidBeta * rigidBeta * h * h * w)
}

// joint returns a scene of one unit-inertia joint and steps it under
// constraints and a load.
func joint(q, v float64) *fake { return &fake{q: []float64{q}, v: []float64{v}} }

func (f *fake) stepJoints(t *testing.T, p *cliques.Problem, h float64, load []float64, cs ...Constraint) {
	t.Helper()
	for i := range f.v {
		f.v[i] += h * load[i]
	}
	f.begin(p, 0, h)
	for i := range f.v {
		f.v[i] -= h * load[i] // Dof reports the velocity at the start
	}
	for _, c := range cs {
		c.Append(f, p)
	}
	copy(f.v, solve(t, p))
	for i := range f.q {
		f.q[i] += h * f.v[i]
	}
}

func TestLimitCarriesALoadAtItsStiffness(t *testing.T) {
	const load = 25.0
	for _, tc := range []struct {
		name   string
		h      float64
		spring Spring
		k      float64
	}{
		{"near-rigid", 1e-3, Spring{}, rigidStiffness(1e-3, 1) * (rigidBeta / jointBeta) * (rigidBeta / jointBeta)},
		{"soft", 1e-3, Spring{Stiffness: 5e4, Damping: 100}, 5e4},
		{"stiffer than near-rigid", 1e-2, Spring{Stiffness: 1e9, Damping: 1e6}, 1e9},
	} {
		h := tc.h
		f := joint(0.9, 0)
		c := &Limit{Dof: 0, Lower: -1, Upper: 1, Spring: tc.spring}
		var p cliques.Problem
		for range 2000 {
			f.stepJoints(t, &p, h, []float64{load}, c)
		}
		if got, want := f.q[0]-1, load/tc.k; math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s: passed the limit by %g, want %g", tc.name, got, want)
		}
		if got := Effort(&p, 0); math.Abs(got+load) > 1e-6*load {
			t.Errorf("%s: reaction %g, want %g", tc.name, got, -load)
		}
	}
}

func TestFiniteLimitsArePartOfEveryStep(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		lower, upper float64
		terms        int
	}{{-1, 1, 1}, {-inf, 1, 1}, {-1, inf, 1}, {-inf, inf, 0}} {
		f := joint(0, 0)
		var p cliques.Problem
		f.begin(&p, 0, 1e-3)
		if n := (&Limit{Dof: 0, Lower: tc.lower, Upper: tc.upper}).Append(f, &p); n != tc.terms {
			t.Errorf("%g to %g: %d terms, want %d", tc.lower, tc.upper, n, tc.terms)
		}
		f = joint(0, 0)
		f.begin(&p, 0, 1e-3)
		if n := (&JointSumLimit{JointSum: JointSum{[]int{0}, []float64{2}}, Lower: tc.lower, Upper: tc.upper}).Append(f, &p); n != tc.terms {
			t.Errorf("sum, %g to %g: %d terms, want %d", tc.lower, tc.upper, n, tc.terms)
		}
	}
}

// A limit in the middle of the way of one step stops the joint there, and carries any load at rest: both but for the
// compliance β²/4π² of the step.
func TestLimitStopsAJointWithinOneStep(t *testing.T) {
	const h = 1e-2
	give := jointBeta * jointBeta / (4 * math.Pi * math.Pi)
	for _, effort := range []float64{1e3, 1e5, 1e7} { // of a unit inertia: 0.1 to 1000 rad a step
		f := joint(0, 0)
		c := &Limit{Dof: 0, Lower: -1, Upper: 0.05}
		var p cliques.Problem
		for i := range 100 {
			f.stepJoints(t, &p, h, []float64{effort}, c)
			// besides the effort it stops the velocity that led to the limit
			most := give * (effort*h*h + c.Upper) * (1 + 1e-6)
			if over := f.q[0] - c.Upper; over > most {
				t.Fatalf("%g N m, step %d: %g rad beyond the limit, want %g", effort, i, over, most)
			}
		}
		if turn := math.Abs(f.v[0] * h); turn > 1e-9 {
			t.Errorf("%g N m: still turns by %g rad a step", effort, turn)
		}
	}
}

// A joint that starts beyond its limit returns with v_max at most, and comes to rest at the limit.
func TestJointReturnsToItsLimitAndStaysThere(t *testing.T) {
	for _, over := range []float64{1e-6, 1e-3, 0.01, 1, 100} {
		for _, h := range []float64{2e-4, 1e-3, 1e-2} {
			f := joint(1+over, 0)
			var p cliques.Problem
			steps := int(over/(maxTurn*h)) + 100
			for range steps {
				f.stepJoints(t, &p, h, []float64{0}, &Limit{Dof: 0, Lower: -1, Upper: 1})
				if -f.v[0] > maxTurn*(1+1e-6) || f.q[0] < 1-1e-12 {
					t.Fatalf("%g rad beyond: returns at %g rad/s, to %g", over, f.v[0], f.q[0])
				}
			}
			if gap := math.Abs(f.q[0] - 1); gap > 1e-9 || math.Abs(f.v[0]) > 1e-9 {
				t.Errorf("%g rad beyond: %g rad from the limit at %g rad/s", over, gap, f.v[0])
			}
		}
	}
}

// The limit lets go at once where an effort, or the velocity of the joint, leads away from it.
func TestJointLeavesItsLimitFreely(t *testing.T) {
	const h, over = 1e-3, 1e-7
	limit := &Limit{Dof: 0, Lower: -1, Upper: 1}
	var p cliques.Problem
	f := joint(1+over, 0)
	f.stepJoints(t, &p, h, []float64{-5}, limit)
	closeTo(t, "velocity from rest", []float64{f.v[0]}, []float64{-5 * h}, 1e-12)
	f = joint(1+over, -2)
	f.stepJoints(t, &p, h, []float64{0}, limit)
	if least := 2 - brakedInertia*over/(leastReturn*h)*(1+1e-9); -f.v[0] < least {
		t.Errorf("a joint that leaves at 2 rad/s is braked to %g, want %g at least", -f.v[0], least)
	}
}

// The law of a range has a convex potential on both sides of its limits, also where it brakes.
func TestJointRangeIsConvex(t *testing.T) {
	lawtest.Check(t, 500, func(r *rand.Rand) lawtest.Sample {
		const h = 1e-3
		beyond := logUniform(r, -7, 0)
		l := []float64{-1 - beyond, 1 + beyond, -1 + beyond, 0}[r.IntN(4)]
		law := newJointRange(new(cliques.Problem), Spring{}, l, r.NormFloat64()*logUniform(r, -3, 2), -1, 1)
		law.Prepare(h, []float64{logUniform(r, -3, 3)})
		at := [][]float64{{law.lower.v}, {-law.upper.v}, {law.lower.v - law.lower.r*law.lower.lo}, {-law.upper.v + law.upper.r*law.upper.lo}}
		scale := math.Max(law.lower.r, law.upper.r)
		return lawtest.Sample{Law: law, Scale: []float64{scale}, Name: fmt.Sprintf("%+v", *law), At: at}
	})
}

func TestLimitLeavesTheGapFree(t *testing.T) {
	const h = 1e-3
	for _, s := range []Spring{{}, {Stiffness: 1e4, Damping: 1e3}} {
		f := joint(0.9951, 4.8) // arrives at 0.9999
		var p cliques.Problem
		f.stepJoints(t, &p, h, []float64{0}, &Limit{Dof: 0, Lower: -1, Upper: 1, Spring: s})
		if f.v[0] != 4.8 {
			t.Errorf("%+v: slowed to %g before touch", s, f.v[0])
		}
	}
}

func TestPDMatchesItsImplicitStep(t *testing.T) {
	const h, kp, kd, q0, v0, qd, vd, ff = 1e-2, 30.0, 4.0, 0.3, -0.2, 0.5, 0.7, 1.5
	f := joint(q0, v0)
	c := &PD{Dof: 0, Kp: kp, Kd: kd, Target: moving{qd, vd}, FeedForward: func(float64) float64 { return ff }}
	var p cliques.Problem
	f.stepJoints(t, &p, h, []float64{0}, c)
	want := (v0 + h*(-kp*(q0-qd)+kd*vd+ff)) / (1 + h*(h*kp+kd))
	closeTo(t, "v", []float64{f.v[0]}, []float64{want}, 1e-13)
	closeTo(t, "effort", []float64{Effort(&p, 0)}, []float64{-kp*(q0+h*want-qd) - kd*(want-vd) + ff}, 1e-12)
}

// moving is a target that is at x with velocity dx at all times.
type moving struct{ x, dx float64 }

func (m moving) At(float64) (float64, float64) { return m.x, m.dx }

func TestPDAsksItsTargetAtTheEndOfTheStep(t *testing.T) {
	var asked []float64
	f := joint(0, 0)
	c := &PD{Dof: 0, Kp: 1, FeedForward: func(t float64) float64 { asked = append(asked, t); return 0 }}
	var p cliques.Problem
	f.begin(&p, 2, 0.25)
	c.Append(f, &p)
	if len(asked) != 1 || asked[0] != 2.25 {
		t.Errorf("asked at %v, want 2.25", asked)
	}
}

func TestPDKeepsALimitThatChanges(t *testing.T) {
	for _, at := range []float64{0, 1, 2} {
		f := scene()
		var p cliques.Problem
		c := &PD{Dof: 0, Kp: 1e6, Min: -1.5, Max: 5, Target: motion.Constant(1), Limit: func(t float64) float64 { return 1 + math.Round(t) }}
		f.begin(&p, at, 1e-3)
		c.Append(f, &p)
		solve(t, &p)
		if got, want := Effort(&p, 0), 1+at; math.Abs(got-want) > 1e-9 {
			t.Errorf("t = %g: effort %g, want %g", at, got, want)
		}
	}
}

func TestPDSaturatesExactlyAtItsEffort(t *testing.T) {
	const h = 1.0 / 1024
	for _, tc := range []struct{ target, want float64 }{{10, 3}, {-10, -2}} {
		f := joint(0, 0)
		c := &PD{Dof: 0, Kp: 1e4, Kd: 10, Min: -2, Max: 3, Target: motion.Constant(tc.target)}
		var p cliques.Problem
		f.stepJoints(t, &p, h, []float64{0}, c)
		if got := Effort(&p, 0); got != tc.want {
			t.Errorf("effort %v, want %v", got, tc.want)
		}
		if f.v[0] != h*tc.want {
			t.Errorf("v %v, want %v", f.v[0], h*tc.want)
		}
	}
}

// Stiff springs and dampers keep their gains: on one velocity any, between two bodies up to
// 10⁵ times the near-rigid stiffness, from where on both shrink in proportion.
func TestStiffRowsKeepTheirGains(t *testing.T) {
	const h, w = 1e-3, 1.0
	least := leastCompliance * rigidBeta * rigidBeta * h * w / (4 * math.Pi * math.Pi * (h + rigidBeta*h/math.Pi))
	for _, g := range [][2]float64{{1e13, 1e11}, {1e16, 1e9}, {0, 1e12}, {1e8, 0}} {
		e := row{k: g[0], d: g[1], g0: 1e-6, vd: 0.1, vmax: math.Inf(1), lo: math.Inf(-1), hi: math.Inf(1), single: true}
		e.prepare(h, w)
		given := 1 / (h * (h*g[0] + g[1]))
		closeTo(t, "R", []float64{e.r / given}, []float64{1}, 1e-12)
		closeTo(t, "v̂", []float64{e.v}, []float64{(g[1]*e.vd - g[0]*e.g0) / (h*g[0] + g[1])}, 1e-12)
		e.single = false
		e.prepare(h, w)
		closeTo(t, "R between bodies", []float64{e.r / math.Max(given, least)}, []float64{1}, 1e-12)
	}
}

func TestFeedForwardAloneIsAClampedEffort(t *testing.T) {
	f := joint(0, 0)
	var p cliques.Problem
	f.stepJoints(t, &p, 1e-3, []float64{0}, &PD{Dof: 0, Min: -5, Max: 2, FeedForward: func(float64) float64 { return 7 }})
	closeTo(t, "effort", []float64{Effort(&p, 0), f.v[0]}, []float64{2, 2e-3}, 1e-14)
}

func TestParametersAreChecked(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	soft := Spring{1e3, 2}
	for _, c := range []Checker{
		&PD{Kp: -1}, &PD{Kd: nan}, &PD{Kp: inf}, &PD{Min: 2, Max: 1}, &PD{Max: nan},
		&Limit{Lower: 1, Upper: 0}, &Limit{Lower: nan}, &Limit{Spring: Spring{-1, 0}},
		&Ball{Spring: Spring{nan, 0}}, &Ball{Spring: Spring{1, inf}}, &Distance{Length: -1}, &Distance{Length: nan},
		&Coupler{A: 1, B: 1}, &Coupler{B: 1, Ratio: nan}, &Coupler{B: 1, Offset: inf}, &Coupler{B: 1, Spring: Spring{0, -1}},
		&JointFriction{Effort: -1}, &JointFriction{Effort: 1, StictionTolerance: nan},
		&Weld{A: 1, B: 1, X_AP: r3.PoseIdentity(), X_BQ: r3.PoseIdentity()}, &Weld{B: 1, X_AP: r3.PoseIdentity(), X_BQ: r3.PoseIdentity(), Rotation: Spring{-1, 0}}, &Weld{B: 1, X_AP: r3.PoseIdentity(), X_BQ: r3.PoseIdentity(), Translation: Spring{1, -1}},
		&Fixed{Verts: []int32{1}}, &Fixed{Verts: []int32{1, 1}, Pos_B: make([]r3.Vec, 2)},
	} {
		if c.Check() == nil {
			t.Errorf("%T %+v passes", c, c)
		}
	}
	for _, c := range []Checker{
		&PD{Kp: 1, Kd: 1, Min: -1, Max: 1}, &Limit{Lower: -inf, Upper: inf}, &Limit{Upper: 1, Spring: soft},
		&Ball{Spring: Spring{inf, 0}}, &Distance{Length: 1, Spring: soft}, &Coupler{B: 1, Ratio: 2},
		&JointFriction{Effort: 1}, &Weld{B: 1, X_AP: r3.PoseIdentity(), X_BQ: r3.PoseIdentity()}, &Fixed{Verts: []int32{1}, Pos_B: make([]r3.Vec, 1)},
	} {
		if err := c.Check(); err != nil {
			t.Errorf("%T: %v", c, err)
		}
	}
}

// TestCouplerKeepsItsRatio drives one of two coupled joints by a wave for 1e4
// steps: a ratio exact to 1e-9.
func TestCouplerKeepsItsRatio(t *testing.T) {
	const h, ratio, off = 1e-3, -2.5, 0.3
	f := &fake{q: []float64{ratio*0.2 + off, 0.2}, v: []float64{0, 0}}
	c := &Coupler{A: 0, B: 1, Ratio: ratio, Offset: off}
	var p cliques.Problem
	for i := range 10000 {
		f.stepJoints(t, &p, h, []float64{0.01 * math.Sin(0.01*float64(i)), 0}, c)
		if e := c.excess(f); math.Abs(e) > 1e-9 {
			t.Fatalf("step %d: error %g", i, e)
		}
	}
	if math.Abs(f.q[1]-0.2) < 1e-3 {
		t.Error("the joints did not move")
	}
}

func TestJointFrictionHoldsAndSlides(t *testing.T) {
	const h, effort = 1e-3, 2.0
	for _, tc := range []struct{ load, slides float64 }{{1, 0}, {5, 3}} {
		f := joint(0, 0)
		var p cliques.Problem
		const steps = 1000
		for range steps {
			f.stepJoints(t, &p, h, []float64{tc.load}, &JointFriction{Dof: 0, Effort: effort, StictionTolerance: DefaultStictionTolerance})
		}
		if tc.slides == 0 {
			// A load at rest creeps at ε T/√(f² − T²).
			want := DefaultStictionTolerance * tc.load / math.Sqrt(effort*effort-tc.load*tc.load)
			closeTo(t, "creep", []float64{f.v[0]}, []float64{want}, 1e-6)
			continue
		}
		closeTo(t, "speed", []float64{f.v[0]}, []float64{tc.slides * h * steps}, 1e-3)
		closeTo(t, "friction", []float64{Effort(&p, 0)}, []float64{-effort}, 1e-5)
	}
}
