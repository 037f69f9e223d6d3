package constraints

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// Values by an independent implementation in Python (numpy) of the law of the mean force.
func TestMeanForceOfALinearSpring(t *testing.T) {
	data, err := os.ReadFile("testdata/mean_force.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Phi  float64    `json:"phi"`
		C    float64    `json:"c"`
		Want [2]float64 `json:"p_dp"`
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		var n huntCrossley
		n.init(1e-3, 1e4, 10, c.Phi)
		_, p, dp := (&meanForce{&n, 0.1}).Eval(c.C)
		closeTo(t, "p, p'", []float64{p, dp}, c.Want[:], 1e-13)
	}
}

// elasticForce returns f and U of a normal law at a gap without damping, by the facts of its definition.
func elasticForce(n NormalLaw) func(phi float64) (U, f float64) {
	switch n := n.(type) {
	case *huntCrossley:
		return func(phi float64) (U, f float64) {
			x := math.Max(0, -phi)
			return 0.5 * n.k * x * x, n.k * x
		}
	case *hertz:
		return func(phi float64) (U, f float64) {
			x := math.Max(0, -phi)
			return 0.4 * n.k * math.Pow(x, 2.5), n.k * math.Pow(x, 1.5)
		}
	case *barrier:
		return func(phi float64) (U, f float64) { U, f, _ = n.at(phi); return U, f }
	}
	panic("a normal law without a test")
}

// factor returns the damping factor of a law at a velocity.
func factor(n NormalLaw, v float64) float64 {
	switch n := n.(type) {
	case *huntCrossley:
		return math.Max(0, 1-n.d*v)
	case *hertz:
		return math.Max(0, 1-n.d*v)
	}
	return 1
}

// gapOf returns φ0 of a law.
func gapOf(n NormalLaw) float64 {
	switch n := n.(type) {
	case *huntCrossley:
		return n.phi
	case *hertz:
		return n.phi
	}
	return n.(*barrier).phi
}

// The work of the mean force is the difference of the potential, with the damping factor of the end.
func TestSecantIsTheDifferenceOfThePotential(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 0))
	for name, draw := range normalDraws {
		for range 3000 {
			n := draw(r)
			phi, energy := gapOf(n.NormalLaw), elasticForce(n.NormalLaw)
			v := n.scale * r.NormFloat64() * pick(r, 1, 1, 0.1, 10)
			if r.IntN(3) == 0 {
				v = n.breaks[r.IntN(len(n.breaks))]
			}
			way := n.h * v
			U0, f0 := energy(phi)
			U1, f1 := energy(phi + way)
			_, p, _ := n.NormalLaw.(SecantLaw).Secant(v)
			b := factor(n.NormalLaw, v)
			// what the difference of U loses to rounding of φ and of U
			tol := 1e-12*n.h*(f0+f1)*b + 4e-16*n.h*math.Max(f0, f1)
			if way != 0 {
				tol += n.h * b * 4e-16 * (U0 + U1 + (f0+f1)*(math.Abs(phi)+math.Abs(way))) / math.Abs(way)
			}
			if way != 0 && !(math.Abs(p-n.h*(U0-U1)/way*b) <= tol) {
				t.Fatalf("%s: secant %g at %g m/s, want %g (%+v)", name, p, v, n.h*(U0-U1)/way*b, n.NormalLaw)
			}
			// between the forces at both ends
			if lo, hi := n.h*math.Min(f0, f1)*b, n.h*math.Max(f0, f1)*b; !(p >= lo*(1-1e-12)-tol && p <= hi*(1+1e-12)+tol) {
				t.Fatalf("%s: secant %g at %g m/s is not between %g and %g (%+v)", name, p, v, lo, hi, n.NormalLaw)
			}
			// the limit without motion
			if _, p, _ := n.NormalLaw.(SecantLaw).Secant(0); !(math.Abs(p-n.h*f0) <= 1e-12*n.h*f0) {
				t.Fatalf("%s: secant %g at rest, want %g (%+v)", name, p, n.h*f0, n.NormalLaw)
			}
		}
	}
}

// Impulses of the mean force fall with the velocity for any share, over the largest velocities and across all branches.
func TestMeanForceIsMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 0))
	for name, draw := range normalDraws {
		for range 100_000 / len(normalDraws) {
			n := draw(r)
			law := &meanForce{n.NormalLaw.(SecantLaw), pick(r, 0, 1, 0.2*r.Float64())}
			a := n.scale * r.NormFloat64() * pick(r, 1, 1, 0.01, 100, 1e6)
			b := a + n.scale*math.Abs(r.NormFloat64())*pick(r, 1, 1e-3, 1e-9, 100)
			if r.IntN(4) == 0 {
				b = n.breaks[r.IntN(len(n.breaks))]
			}
			if b < a {
				a, b = b, a
			}
			Pa, pa, da := law.Eval(a)
			Pb, pb, db := law.Eval(b)
			mean := (Pb - Pa) / (b - a)
			// round-off of P, and of the gaps
			size := 1e-12*pa + (1e-14*(math.Abs(Pa)+math.Abs(Pb))+4e-16*pa*(math.Abs(a)+math.Abs(gapOf(n.NormalLaw))/n.h))/(b-a)
			if pa < 0 || pb < 0 || da > 0 || db > 0 || pb > pa*(1+1e-12) {
				t.Fatalf("%s: p %g, p' %g at %g, p %g, p' %g at %g (%+v)", name, pa, da, a, pb, db, b, n.NormalLaw)
			}
			if a < b && !(mean <= pa+size && mean >= pb-size) {
				t.Fatalf("%s: P rises by %g a velocity from %g to %g m/s, where p is %g and %g (%+v)", name, mean, a, b, pa, pb, n.NormalLaw)
			}
		}
	}
}

// P is the integral of p, by Gauss' rule over parts of a line between two velocities, and both are smooth where
// branches switch.
func TestMeanForceIsTheDerivativeOfItsPotential(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 0))
	for name, draw := range normalDraws {
		for range 60 {
			n := draw(r)
			law := &meanForce{n.NormalLaw.(SecantLaw), pick(r, 0, 1, 0.2*r.Float64())}
			ends := append([]float64{n.scale * r.NormFloat64(), n.scale * r.NormFloat64()}, n.breaks...)
			for _, v := range ends {
				e := 1e-7 * (math.Abs(v) + 1e-3*n.scale)
				_, p, dp := law.Eval(v)
				_, pp, dpp := law.Eval(v + e)
				_, pm, dpm := law.Eval(v - e)
				tol := 1e-6*math.Abs(dp) + math.Abs(dpp-dp) + math.Abs(dpm-dp) + 1e-14*(p+pm)/e
				if d := (pp-pm)/(2*e) - dp; !(math.Abs(d) <= tol) {
					t.Fatalf("%s: p' is off by %g of %g at %g (%+v)", name, d, dp, v, n.NormalLaw)
				}
				if jump := pm - pp; !(jump <= 4*e*math.Max(math.Abs(dpm), math.Abs(dpp))+1e-14*pm) {
					t.Fatalf("%s: p jumps by %g at %g (%+v)", name, jump, v, n.NormalLaw)
				}
			}
			a, b := ends[0], ends[1]
			want := integral(func(v float64) float64 { _, p, _ := law.Eval(v); return p }, a, b, n.breaks)
			Pa, pa, _ := law.Eval(a)
			Pb, pb, _ := law.Eval(b)
			if !(math.Abs(Pb-Pa-want) <= 1e-9*math.Abs(want)+1e-13*math.Max(pa, pb)*math.Abs(b-a)+1e-14*(math.Abs(Pa)+math.Abs(Pb))) {
				t.Fatalf("%s: P rises by %g from %g to %g m/s, the integral of p is %g (%+v)", name, Pb-Pa, a, b, want, n.NormalLaw)
			}
		}
	}
}

// integral returns the integral of f from a to b by Gauss' rule on parts that end at breaks and shrink towards them.
func integral(f func(float64) float64, a, b float64, breaks []float64) (sum float64) {
	if b < a {
		return -integral(f, b, a, breaks)
	}
	for _, v := range breaks {
		if v > a && v < b {
			return integral(f, a, v, breaks) + integral(f, v, b, breaks)
		}
	}
	const parts = 40 // halves towards both ends
	at := func(lo, hi float64) {
		for i, x := range gauss20.x {
			sum += 0.5 * (hi - lo) * gauss20.w[i] * f(lo+0.5*(hi-lo)*(1+x))
		}
	}
	middle := 0.5 * (a + b)
	for left, right, k := middle, middle, 0; k <= parts; k++ {
		nextLeft, nextRight := a+0.5*(left-a), b-0.5*(b-right)
		if k == parts {
			nextLeft, nextRight = a, b
		}
		at(nextLeft, left)
		at(right, nextRight)
		left, right = nextLeft, nextRight
	}
	return sum
}

// No input makes NaN where the law of the end has finite numbers.
func TestMeanForceOfExtremeNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 0))
	extreme := func() float64 { return pick(r, 0, 1, 1, 1) * math.Pow(10, 590*r.Float64()-300) }
	signed := func() float64 { return pick(r, -1, 1) * extreme() }
	for range 100_000 {
		h, k, d, phi, v := math.Pow(10, -9*r.Float64()), extreme(), extreme(), signed(), signed()
		if r.IntN(2) == 0 {
			v = math.Pow(10, 40*r.Float64()-20) * pick(r, -1, 1)
		}
		var hc huntCrossley
		hc.init(h, k, d, phi)
		var he hertz
		he.init(h, k, d, phi)
		var ipc, log barrier
		dHat := math.Pow(10, -9*r.Float64())
		ipc.init(ipcPotential, h, k, dHat, barrierFloor, phi)
		log.init(logPotential, h, k, dHat, barrierFloor, phi)
		for _, n := range []SecantLaw{&hc, &he, &ipc, &log} {
			if P, p, dp := n.Eval(v); P-P+p-p+dp-dp != 0 {
				continue // beyond the range of numbers by the law of the end
			}
			P, p, dp := (&meanForce{n, EndShare(h, n.SteepestAtStart(), extreme())}).Eval(v)
			if math.IsNaN(P) || math.IsNaN(p) || math.IsNaN(dp) || p < 0 || dp > 0 {
				t.Fatalf("P %g, p %g, p' %g at %g (%+v)", P, p, dp, v, n)
			}
		}
	}
}

// The share of the end is 0 of contacts that a step resolves, and 0.2 of others.
func TestShareOfTheForceAtTheEnd(t *testing.T) {
	for _, c := range []struct{ h, k, w, want float64 }{
		{1e-3, 1e6, 1, 0.1}, {1e-3, 1e6, 0, 0}, {1e-3, 1e300, 1e300, 0.2}, {1, 1e-8, 1, 2e-9}, {1e-3, 3e6, 1, 0.15},
	} {
		if got := EndShare(c.h, c.k, c.w); !(math.Abs(got-c.want) <= 1e-7*c.want) {
			t.Errorf("%+v: %g", c, got)
		}
	}
}
