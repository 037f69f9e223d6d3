package elastomers

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/leastsquares"
)

// Options are choices of a fit.
type Options struct {
	// Stretch is the largest stretch that counts, and 1/Stretch the least; 0: that of the data.
	Stretch float64
	// PoissonsRatio is that of the laws for bodies; 0: 0.49.
	PoissonsRatio float64
}

// Fit is a law with the parameters of least squares.
type Fit struct {
	// Law is the family, such as "ogden 2".
	Law string
	// Parameters are names and values of the unknowns, Pa where they are moduli, with the half width of their 95 %
	// intervals: +Inf where the data do not determine them, NaN at a bound.
	Parameters []Parameter
	// Error is the root of the mean square of (3), over all tests.
	Error float64
	// YoungsModulus is that at rest of a body that keeps its volume, 3 μ, Pa.
	YoungsModulus float64
	// Spec is the law for bodies, as in a scene.
	Kind string
	Spec fem.ConstitutiveSpec
	// Unstable says where the stress of a body falls; nil: it rises in all tests between 1/Limit and Limit.
	Unstable error
	// Limit is the largest stretch of the data that counted.
	Limit float64

	law *law
	x   []float64
}

// Parameter is a parameter of a fit.
type Parameter struct {
	Name        string
	Value, Half float64
}

const (
	leastStrain = 0.02 // smaller strains are mostly slack of the machine
	floor       = 0.1  // of the largest stress, in (3)
	fewPoints   = 4
)

// sample is a point of a test.
type sample struct{ along, free, i1, stress, weight float64 }

// All fits every family, in the order of Names. Families with more parameters than points are left out.
func All(tests []*Test, o Options) ([]*Fit, error) {
	samples, limit, err := collect(tests, o.Stretch)
	if err != nil {
		return nil, err
	}
	nu := o.PoissonsRatio
	if nu == 0 {
		nu = 0.49
	}
	if !(nu > 0 && nu < 0.5) {
		return nil, fmt.Errorf("a Poisson's ratio of %g: it must lie between 0 and 0.5, such as 0.49", nu)
	}
	mu := modulus(samples)
	tension := !slices.ContainsFunc(tests, func(t *Test) bool { return t.Kind != Uniaxial }) && !slices.ContainsFunc(samples, func(s sample) bool { return s.along < 1 })
	var fits []*Fit
	for i := range laws {
		if len(laws[i].params) > len(samples) {
			continue
		}
		f, err := laws[i].fit(samples, mu, nu, limit, len(tests), tension)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", laws[i].label, err)
		}
		fits = append(fits, f)
	}
	return fits, nil
}

// Best returns the fit with the fewest parameters among those that are stable and at most a quarter worse than the
// best stable one; nil where none is stable.
func Best(fits []*Fit) *Fit {
	least := math.Inf(1)
	for _, f := range fits {
		if f.Unstable == nil {
			least = math.Min(least, f.Error)
		}
	}
	for _, f := range fits {
		if f.Unstable == nil && f.Error <= 1.25*least {
			return f
		}
	}
	return nil
}

// collect returns the points that count and their largest stretch.
func collect(tests []*Test, most float64) (all []sample, limit float64, err error) {
	if most != 0 && !(most > 1+leastStrain) {
		return nil, 0, fmt.Errorf("a largest stretch of %g: it must be greater than 1, such as 4", most)
	}
	for _, t := range tests {
		first, top := len(all), 0.0
		for i, s := range t.Stretch {
			if math.Abs(s-1) <= leastStrain || most > 0 && (s > most || s < 1/most) {
				continue
			}
			along, free, other := t.Kind.stretches(s)
			all = append(all, sample{along: along, free: free, i1: along*along + free*free + other*other - 3, stress: t.Stress[i]})
			top = math.Max(top, math.Abs(t.Stress[i]))
			limit = math.Max(limit, math.Max(s, 1/s))
		}
		n := len(all) - first
		if n < fewPoints {
			return nil, 0, fmt.Errorf("%s: %d points with a strain beyond %g %% count, at least %d are needed", t.Name, n, 100*leastStrain, fewPoints)
		}
		if top == 0 {
			return nil, 0, fmt.Errorf("%s: all stresses are zero", t.Name)
		}
		against := 0
		for i := range all[first:] {
			s := &all[first+i]
			if s.stress*(s.along-1) < 0 {
				against++
			}
			s.weight = 1 / (math.Max(math.Abs(s.stress), floor*top) * math.Sqrt(float64(n)))
		}
		if against > n/2 {
			return nil, 0, fmt.Errorf("%s: most stresses have the sign against their strain: stress is positive in tension; a test of compression with positive columns is of the kind compression", t.Name)
		}
	}
	if len(all) == 0 {
		return nil, 0, errors.New("no tests")
	}
	return all, limit, nil
}

// modulus returns the shear modulus of the neo-Hookean law nearest to the points: a scale of all starts.
func modulus(samples []sample) float64 {
	var up, down float64
	for _, s := range samples {
		p := (s.along*s.along - s.free*s.free) / s.along * s.weight
		up += p * s.stress * s.weight
		down += p * p
	}
	return math.Max(math.Abs(up/down), 1e-9)
}

// stressOf returns (1) and its derivatives.
func (l *law) stressOf(x []float64, s *sample, dp, scratch []float64) float64 {
	t1 := l.stress(x, s.along, s.i1, dp)
	t3 := l.stress(x, s.free, s.i1, scratch)
	for i := range dp {
		dp[i] = (dp[i] - scratch[i]) / s.along
	}
	return (t1 - t3) / s.along
}

// fit finds the parameters from several starts.
func (l *law) fit(samples []sample, mu, nu, limit float64, tests int, tension bool) (*Fit, error) {
	n := len(l.params)
	dp, scratch := make([]float64, n), make([]float64, n)
	p := &leastsquares.Problem{
		NumResiduals: len(samples),
		Lower:        l.lower(mu, tension), Upper: l.upper(mu),
		Residuals: func(x, r []float64) error {
			for i := range samples {
				r[i] = (l.stressOf(x, &samples[i], dp, scratch) - samples[i].stress) * samples[i].weight
				if math.IsNaN(r[i]) || math.IsInf(r[i], 0) {
					return errors.New("the stress has no value")
				}
			}
			return nil
		},
		Jacobian: func(x, _, J []float64) error {
			for i := range samples {
				l.stressOf(x, &samples[i], dp, scratch)
				for k := range dp {
					J[n*i+k] = dp[k] * samples[i].weight
				}
			}
			return nil
		},
	}
	var best *leastsquares.Result
	for _, x := range l.starts(mu) {
		r, err := leastsquares.Solve(p, x, leastsquares.Options{Iterations: 2000, Decrease: 1e-14})
		if err != nil {
			continue // a start without a value
		}
		if best == nil || r.Cost < best.Cost {
			best = r
		}
	}
	if best == nil {
		return nil, errors.New("no start has a stress")
	}
	f := &Fit{Law: l.label, Kind: l.name, Limit: limit, law: l, x: best.X, Error: math.Sqrt(2 * best.Cost / float64(tests)),
		YoungsModulus: 3 * l.shear(best.X), Spec: l.spec(best.X, nu, limit)}
	ranges := slices.Clone(best.X)
	for i, x := range ranges {
		ranges[i] = math.Max(math.Abs(x), 1e-9)
	}
	c := best.Confidence(ranges)
	for i, name := range l.params {
		f.Parameters = append(f.Parameters, Parameter{name, best.X[i], c.Half[i]})
	}
	f.Unstable = l.stability(best.X, limit)
	if f.Unstable == nil {
		_, f.Unstable = f.Spec.Make()
	}
	return f, nil
}

// Toe is the share by which the stress of a fit at 5 % of strain exceeds that measured, of the first test in
// tension that has points on both sides; false where none has. Machines that measure the distance of their
// grips, and slack, make it large: Young's modulus at rest is then that of the fit at larger strains.
func (f *Fit) Toe(tests []*Test) (float64, bool) {
	const at = 1.05
	for _, t := range tests {
		for i := 1; i < len(t.Stretch); i++ {
			if a, b := t.Stretch[i-1], t.Stretch[i]; a > 1 && a <= at && b > at && t.Kind == Uniaxial {
				measured := t.Stress[i-1] + (t.Stress[i]-t.Stress[i-1])*(at-a)/(b-a)
				return f.Stress(Uniaxial, at)/measured - 1, measured > 0
			}
		}
	}
	return 0, false
}

// stability verifies that the engineering stress rises with the stretch in all kinds of tests, uniaxial ones
// from 1/limit to limit, the others in tension.
func (l *law) stability(x []float64, limit float64) error {
	const parts = 300
	dp, scratch := make([]float64, len(x)), make([]float64, len(x))
	for _, k := range []Kind{Uniaxial, Equibiaxial, Planar} {
		span := math.Log(limit)
		if k == Equibiaxial {
			span /= 2 // as thin as in uniaxial compression by the limit
		}
		from := 0
		if k == Uniaxial {
			from = -parts
		}
		last := math.Inf(-1)
		for i := from; i <= parts; i++ {
			s := math.Exp(span * float64(i) / parts)
			along, free, other := k.stretches(s)
			p := l.stressOf(x, &sample{along: along, free: free, i1: along*along + free*free + other*other - 3}, dp, scratch)
			if !(p > last) {
				return fmt.Errorf("the stress falls from a stretch of %.3f on in a test of the kind %s", s, k)
			}
			last = p
		}
	}
	return nil
}

// Stress returns the engineering stress at a stretch in a kind of test, Pa.
func (f *Fit) Stress(k Kind, stretch float64) float64 {
	along, free, other := k.stretches(stretch)
	n := len(f.x)
	return f.law.stressOf(f.x, &sample{along: along, free: free, i1: along*along + free*free + other*other - 3}, make([]float64, n), make([]float64, n))
}
