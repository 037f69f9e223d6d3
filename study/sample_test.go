package study

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene"
)

// cube returns n points of m values.
func cube(kind string, n, m, seed, replicate int) [][]float64 {
	u := make([][]float64, n)
	for i := range u {
		u[i] = make([]float64, m)
	}
	samplers[kind].fill(u, newRandom(seed, replicate))
	return u
}

// Each kind gives the same points for the same seed, others for another, and all lie in [0, 1).
func TestSamplesDependOnTheirSeedAlone(t *testing.T) {
	for _, kind := range Samplers() {
		a, b := cube(kind, 100, 7, 5, 0), cube(kind, 100, 7, 5, 0)
		if !slices.EqualFunc(a, b, slices.Equal) {
			t.Errorf("%s: two samples of one seed differ", kind)
		}
		for _, other := range [][][]float64{cube(kind, 100, 7, 6, 0), cube(kind, 100, 7, 5, 1)} {
			if slices.EqualFunc(a, other, slices.Equal) {
				t.Errorf("%s: two seeds give one sample", kind)
			}
		}
		for _, p := range a {
			for _, x := range p {
				if !(x >= 0 && x < 1) {
					t.Errorf("%s: %v", kind, x)
				}
			}
		}
	}
}

// In a Latin hypercube of n points each of n strata of each value has one point, and values are
// independent: the correlation of two is of the order 1/√n.
func TestLatinHypercubesFillEachStratumOnce(t *testing.T) {
	const n, m = 1000, 5
	u := cube("latin_hypercube", n, m, 1, 0)
	for j := range m {
		var seen [n]bool
		for i := range u {
			seen[int(u[i][j]*n)] = true
		}
		if slices.Contains(seen[:], false) {
			t.Errorf("value %d leaves strata empty", j)
		}
		for k := range j {
			sum := 0.0
			for i := range u {
				sum += 12 * (u[i][j] - 0.5) * (u[i][k] - 0.5)
			}
			if c := sum / n; math.Abs(c) > 4/math.Sqrt(n) {
				t.Errorf("values %d and %d have correlation %g", j, k, c)
			}
		}
	}
}

// The first 2^m points of values j and k of Sobol's sequence are a (t, m, 2)-net with
// t = s_j − 1 + s_k − 1 (Sobol 1967): each box of 2^−a × 2^−b, a + b = m − t, has 2^t points. This is true
// for no pair of polynomials that are not primitive or not different. Scrambling keeps it.
func TestSobolPointsAreNetsInEachPairOfValues(t *testing.T) {
	const m = 13
	dims := len(sobolPolynomials) + 1
	degree := func(j int) int { // s − 1
		if j == 0 {
			return 0
		}
		return sobolPolynomials[j-1].s - 1
	}
	plain := make([][]float64, 1<<m)
	for i := range plain {
		plain[i] = make([]float64, dims)
	}
	for j := range dims {
		v := sobolDirections(j)
		for i := range plain {
			plain[i][j] = float64(sobol(i, &v)) / (1 << sobolBits)
		}
	}
	// points 2 and 3, known from the direction numbers 1, 3 of values 2 to 4
	if !slices.Equal(plain[2][:5], []float64{0.25, 0.75, 0.75, 0.75, 0.25}) || !slices.Equal(plain[3][:2], []float64{0.75, 0.25}) {
		t.Errorf("points %v, %v", plain[2][:5], plain[3][:2])
	}
	for name, u := range map[string][][]float64{"plain": plain, "scrambled": cube("sobol", 1<<m, dims, 3, 0)} {
		for j := range dims {
			for k := range j {
				q := degree(j) + degree(k)
				for a := 0; a <= m-q; a++ {
					b := m - q - a
					count := make([]int, 1<<(a+b))
					for i := range u {
						count[int(u[i][j]*float64(int(1)<<a))<<b|int(u[i][k]*float64(int(1)<<b))]++
					}
					if slices.Max(count) != 1<<q || slices.Min(count) != 1<<q {
						t.Fatalf("%s: values %d and %d, boxes 2^-%d by 2^-%d have %d to %d points, want %d", name, j, k, a, b, slices.Min(count), slices.Max(count), 1<<q)
					}
				}
			}
		}
	}
}

// Means over scrambled Sobol points have no bias, and errors far below those of independent points: the
// integral of Π (1 + (u_j − ½)) over the cube is 1.
func TestScrambledSobolIntegratesBetterThanMonteCarlo(t *testing.T) {
	const n, m, seeds = 1 << 10, 5, 20
	rms := map[string]float64{}
	for _, kind := range []string{"sobol", "monte_carlo", "latin_hypercube"} {
		bias := 0.0
		for seed := range seeds {
			sum := 0.0
			for _, u := range cube(kind, n, m, seed, 0) {
				f := 1.0
				for _, x := range u {
					f *= 0.5 + x
				}
				sum += f
			}
			e := sum/n - 1
			bias += e / seeds
			rms[kind] += e * e / seeds
		}
		rms[kind] = math.Sqrt(rms[kind])
		if math.Abs(bias) > 4*rms[kind]/math.Sqrt(seeds) {
			t.Errorf("%s: mean error %g of an rms error of %g", kind, bias, rms[kind])
		}
	}
	// variance of the product: (1 + 1/12)⁵ − 1
	if want := math.Sqrt((math.Pow(1+1./12, m) - 1) / n); math.Abs(rms["monte_carlo"]/want-1) > 0.5 {
		t.Errorf("independent points: error %g, want about %g", rms["monte_carlo"], want)
	}
	if rms["sobol"] > rms["monte_carlo"]/50 || rms["latin_hypercube"] > rms["monte_carlo"]/2 {
		t.Errorf("errors %v", rms)
	}
}

// Distributions have their cumulative distribution: F(F⁻¹(u)) = u.
func TestDistributionsHaveTheirQuantiles(t *testing.T) {
	phi := func(z float64) float64 { return (1 + math.Erf(z/math.Sqrt2)) / 2 }
	low, high := 9.0, 14.0
	a, b := phi((low-10)/2), phi((high-10)/2)
	for name, c := range map[string]struct {
		d Distribution
		f func(x float64) float64
	}{
		"uniform":     {Distribution{Uniform: &[2]float64{-1, 3}}, func(x float64) float64 { return (x + 1) / 4 }},
		"log_uniform": {Distribution{LogUniform: &[2]float64{1e-3, 10}}, func(x float64) float64 { return math.Log(x/1e-3) / math.Log(1e4) }},
		"normal":      {Distribution{Normal: &[2]float64{10, 2}}, func(x float64) float64 { return phi((x - 10) / 2) }},
		"cut normal":  {Distribution{Normal: &[2]float64{10, 2}, Min: &low, Max: &high}, func(x float64) float64 { return (phi((x-10)/2) - a) / (b - a) }},
	} {
		if err := c.d.check(); err != nil {
			t.Fatal(err)
		}
		for _, u := range []float64{0.001, 0.1, 0.5, 0.77, 0.999} {
			if got := c.f(c.d.quantile(u)); math.Abs(got-u) > 1e-12 {
				t.Errorf("%s: F(F⁻¹(%g)) = %g", name, u, got)
			}
		}
		for _, u := range []float64{0, 1 - 1./(1<<53)} {
			if x := c.d.quantile(u); math.IsInf(x, 0) || math.IsNaN(x) {
				t.Errorf("%s: F⁻¹(%g) = %g", name, u, x)
			}
		}
	}
	count := map[string]int{}
	whole, choice := Distribution{Integer: &[2]float64{-1, 2}}, Distribution{Choice: []string{"lagged", "sap"}}
	for i := range 400 {
		count[whole.text((float64(i)+0.5)/400)]++
		count[choice.text((float64(i)+0.5)/400)]++
	}
	for text, want := range map[string]int{"-1": 100, "0": 100, "1": 100, "2": 100, "lagged": 200, "sap": 200} {
		if count[text] != want {
			t.Errorf("%s is drawn %d times, want %d", text, count[text], want)
		}
	}
}

const sampledStudy = `
scene: scene.yaml
rows: [{law: a, time.step: 0.01}, {law: b, time.step: 0.005}]
sample:
  kind: latin_hypercube
  cases: 6
  seed: 2
  replicates: 2
  values:
    bodies.ball.mass: {log_uniform: [0.1, 10]}
    lift: {normal: [0.2, 0.05], min: 0}
derive: {bodies.ball.pose.xyz.2: 1 + lift}
measures: {drop: {signal: z}}
`

// A sample combines with the rows, its values are columns, replicates are counted, and the same file
// makes the same cases.
func TestSamplesAreCasesOfTheTable(t *testing.T) {
	s, again := mustLoad(t, sampledStudy), mustLoad(t, sampledStudy)
	if len(s.Cases) != 24 || !slices.Equal(s.Paths, []string{"law", "time.step", "bodies.ball.mass", "lift", replicateName, "bodies.ball.pose.xyz.2"}) {
		t.Fatalf("%d cases, columns %v", len(s.Cases), s.Paths)
	}
	masses := map[string]int{}
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.Name != again.Cases[i].Name || !slices.Equal(c.Set, again.Cases[i].Set) {
			t.Errorf("case %d: %v, then %v", i, c.Set, again.Cases[i].Set)
		}
		masses[c.Values[2]]++
		lift, _ := parseNumber(c.Values[3])
		if z, _ := parseNumber(c.Values[5]); math.Abs(z-1-lift) > 1e-12 {
			t.Errorf("height %g with a lift of %g", z, lift)
		}
		if want := []string{"0", "1"}[i%12/6]; c.Values[4] != want {
			t.Errorf("case %d is of replicate %s, want %s", i, c.Values[4], want)
		}
	}
	if len(masses) != 12 { // each with both rows
		t.Errorf("%d masses", len(masses))
	}
	dir := t.TempDir()
	rows, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 2})
	if err != nil || slices.ContainsFunc(rows, func(r Row) bool { return !r.Done() }) {
		t.Errorf("%v", err)
	}
}

// Faults of samples are reported with their position.
func TestFaultsOfSamples(t *testing.T) {
	for text, want := range map[string]string{
		"kind: sobul, cases: 4, values: {a: {uniform: [0, 1]}}":                            `did you mean "sobol"`,
		"kind: sobol, values: {a: {uniform: [0, 1]}}":                                      "sample.cases is 0",
		"kind: sobol, cases: 4":                                                            "sample.values is missing",
		"kind: sobol, cases: 4, replicates: -1, values: {a: {uniform: [0, 1]}}":            "replicates is -1",
		"kind: sobol, cases: 4, values: {a: {uniform: [1, 1]}}":                            "sample.values.a: the second bound",
		"kind: sobol, cases: 4, values: {a: {log_uniform: [0, 1]}}":                        "above 0",
		"kind: sobol, cases: 4, values: {a: {}}":                                           "exactly one",
		"kind: sobol, cases: 4, values: {a: {uniform: [0, 1], integer: [0, 1]}}":           "exactly one",
		"kind: sobol, cases: 4, values: {a: {integer: [0, 1.5]}}":                          "whole numbers",
		"kind: sobol, cases: 4, values: {a: {normal: [0, 0]}}":                             "standard deviation",
		"kind: sobol, cases: 4, values: {a: {normal: [0, 1], min: 100}}":                   "no normal value",
		"kind: sobol, cases: 4, values: {a: {uniform: [0, 1], max: 1}}":                    "normal only",
		"kind: sobol, cases: 4, values: {time: {uniform: [0, 1]}}":                         "section of the scene",
		"kind: sobol, cases: 4, values: {time.step: {uniform: [0.01, 0.02]}}":              "both in sample",
		"kind: monte_carlo, cases: 20000, values: {a: {uniform: [0, 1]}}":                  "limit is 10000",
		"kind: monte_carlo, cases: 9000, replicates: 9000, values: {a: {uniform: [0, 1]}}": "limit is 10000",
	} {
		_, err := Load(write(t, "scene: scene.yaml\ncases: {time.step: [0.01, 0.02]}\nsample: {"+text+"}\nmeasures: {drop: {signal: z}}\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want …%s…", text, err, want)
		}
	}
	many := Sample{Kind: "sobol", Cases: 2}
	for i := range 30 {
		many.Values.Keys = append(many.Values.Keys, string(rune('a'+i)))
	}
	if err := (&Study{positions: map[string]scene.Pos{}}).checkSample(&many, ""); err == nil || !strings.Contains(err.Error(), "at most 21 values") {
		t.Errorf("30 values: %v", err)
	}
}
