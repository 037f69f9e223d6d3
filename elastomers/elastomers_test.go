package elastomers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// curve returns a test of given stresses.
func curve(kind Kind, stretches []float64, stress func(float64) float64) *Test {
	t := &Test{Name: string(kind), Kind: kind}
	for _, s := range stretches {
		t.Stretch, t.Stress = append(t.Stretch, s), append(t.Stress, stress(s))
	}
	return t
}

// from returns n stretches between two, in equal parts.
func from(a, b float64, n int) (s []float64) {
	for i := range n {
		s = append(s, a+(b-a)*float64(i)/float64(n-1))
	}
	return s
}

func fitOf(t *testing.T, fits []*Fit, name string) *Fit {
	t.Helper()
	for _, f := range fits {
		if f.Law == name {
			return f
		}
	}
	t.Fatalf("no fit %q", name)
	return nil
}

// Derivatives of stresses by parameters are those of differences, for all families, at stretches below and above 1.
func TestDerivativesByParametersAgreeWithDifferences(t *testing.T) {
	for i := range laws {
		l := &laws[i]
		for _, x := range l.starts(2e5) {
			n := len(x)
			d, scratch, other := make([]float64, n), make([]float64, n), make([]float64, n)
			for _, k := range []Kind{Uniaxial, Equibiaxial, Planar} {
				for _, s := range []float64{0.6, 1, 1.3, 3} {
					along, free, across := k.stretches(s)
					at := &sample{along: along, free: free, i1: along*along + free*free + across*across - 3}
					size := math.Abs(l.stressOf(x, at, d, scratch)) + 1
					for j := range x {
						h := 1e-5 * math.Max(math.Abs(x[j]), 1e-3)
						y := append([]float64(nil), x...)
						y[j] = x[j] + h
						up := l.stressOf(y, at, other, scratch)
						y[j] = x[j] - h
						down := l.stressOf(y, at, other, scratch)
						if got := (up - down) / (2 * h); math.Abs(got-d[j]) > 1e-6*math.Max(math.Abs(d[j]), size/math.Max(math.Abs(x[j]), 1e-3)) {
							t.Errorf("%s, %s, stretch %g, parameter %s: %g, differences %g", l.label, k, s, l.params[j], d[j], got)
						}
					}
				}
			}
		}
	}
}

// The stress is that of the law for bodies, (t1 − t3)/λ1 of its Cauchy stress, for every family and kind of test.
func TestStressesAreThoseOfTheLawsForBodies(t *testing.T) {
	pull := curve(Uniaxial, from(1.05, 3, 30), func(s float64) float64 { return 1e5 * (s - 1/(s*s)) * (1 + 0.05*s*s) })
	fits, err := All([]*Test{pull}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(fits) != len(laws) {
		t.Fatalf("%d fits", len(fits))
	}
	for _, f := range fits {
		m, err := f.Spec.Make()
		if err != nil {
			t.Errorf("%s: %v", f.Law, err)
			continue
		}
		for _, k := range []Kind{Uniaxial, Equibiaxial, Planar} {
			for _, s := range []float64{0.8, 1.4, 2} {
				along, free, other := k.stretches(s)
				P := stressAt(m, along, other, free)
				want := P[0] - P[2]*free/along
				if got := f.Stress(k, s); math.Abs(got/want-1) > 1e-9 {
					t.Errorf("%s, %s, stretch %g: %g Pa, the body has %g", f.Law, k, s, got, want)
				}
			}
		}
	}
}

// Random laws are found from their own curves, alone and of three tests at once, with intervals that contain
// them under noise.
func TestFitsFindTheLawBehindACurve(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		mu, a := math.Exp(8+5*r.Float64()), 1.2+3*r.Float64()
		stress := func(k Kind) func(float64) float64 {
			return func(s float64) float64 {
				along, free, _ := k.stretches(s)
				return mu * (math.Pow(along, a) - math.Pow(free, a)) / along
			}
		}
		tests := []*Test{curve(Uniaxial, from(0.6, 3, 60), stress(Uniaxial)), curve(Equibiaxial, from(1, 2, 30), stress(Equibiaxial)), curve(Planar, from(1, 2.5, 40), stress(Planar))}
		for n := 1; n <= 3; n += 2 {
			fits, err := All(tests[:n], Options{})
			if err != nil {
				t.Fatal(err)
			}
			f := fitOf(t, fits, "ogden 1")
			if math.Abs(f.Parameters[0].Value/(mu*a)-1) > 1e-6 || math.Abs(f.Parameters[1].Value/a-1) > 1e-6 || f.Error > 1e-7 {
				t.Errorf("%d tests: %+v for %g, %g", n, f, mu*a, a)
			}
			if math.Abs(f.YoungsModulus/(1.5*mu*a)-1) > 1e-6 || f.Unstable != nil {
				t.Errorf("E = %g, want %g; %v", f.YoungsModulus, 1.5*mu*a, f.Unstable)
			}
			if best := Best(fits); best == nil || best.Error > 1e-6 {
				t.Errorf("best is %+v", best)
			}
		}
	}
	inside := 0
	for range 60 {
		c := []float64{1e5, 8e3, 3e2}
		noisy := curve(Uniaxial, from(1.03, 3, 80), func(s float64) float64 {
			x := s*s + 2/s - 3
			return 2 * (c[0] + 2*c[1]*x + 3*c[2]*x*x) * (s - 1/(s*s)) * (1 + 0.02*r.NormFloat64())
		})
		fits, err := All([]*Test{noisy}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range fitOf(t, fits, "yeoh").Parameters {
			if math.Abs(p.Value-c[i]) <= p.Half {
				inside++
			}
		}
	}
	if inside < 150 { // of 180, 95 % of which are expected
		t.Errorf("%d of 180 values lie in their intervals of 95 %%", inside)
	}
}

// Laws that fall within the data, as those of a curve that falls, are unstable.
func TestUnstableFitsSayWhere(t *testing.T) {
	falling := curve(Uniaxial, from(1.05, 4, 50), func(s float64) float64 { return 1e5 * (s - 1) * math.Exp(1-0.5*s) })
	fits, err := All([]*Test{falling}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := fitOf(t, fits, "yeoh")
	if f.Unstable == nil || !strings.Contains(f.Unstable.Error(), "falls") {
		t.Errorf("%v", f.Unstable)
	}
}

func TestTablesOfManyFormsAreRead(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		f    Format
	}{
		"commas":           {"strain,stress_MPa\n0.5,0.1\n1,0.3\n", Format{}},
		"semicolons":       {"Strain;Stress (kPa)\n0,5;100\n1;300\n", Format{}},
		"percent":          {"stress [kPa]\tstrain [%]\n100\t50\n300\t100\n", Format{}},
		"stretch":          {"# test 3\nstretch stress/Pa\n1.5 1e5\n2 3e5\n", Format{StressUnit: "Pa"}},
		"units below":      {"Time,Strain,Stress\n(s),(%),(MPa)\n0,50,0.1\n1,100,0.3\n", Format{}},
		"unit by option":   {"0.5,0.1\n1,0.3\n", Format{StressUnit: "MPa"}},
		"true stress":      {"strain,stress_MPa\n0.5,0.15\n1,0.6\n", Format{True: true}},
		"byte order mark":  {"\ufeffstrain,stress_MPa\r\n0.5,0.1\r\n1,0.3\r\n", Format{}},
		"quoted":           {"\"strain\",\"stress (MPa)\"\n\"0.5\",\"0.1\"\n\"1\",\"0.3\"\n", Format{}},
		"footer":           {"strain,stress_N/mm2\n0.5,0.1\n1,0.3\nend of test,\n", Format{StressUnit: "N/mm2"}},
		"pounds per inch²": {"strain,stress psi\n0.5,14.503773773\n1,43.511321319\n", Format{}},
	} {
		got, err := Read(strings.NewReader(c.text), name, c.f)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(got.Stretch) != 2 || math.Abs(got.Stretch[0]-1.5) > 1e-12 || math.Abs(got.Stretch[1]-2) > 1e-12 || math.Abs(got.Stress[0]-1e5) > 1e-3 || math.Abs(got.Stress[1]-3e5) > 1e-3 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	got, err := Read(strings.NewReader("strain,stress_kPa\n0.1,100\n0.2,300\n"), "c", Format{Kind: Compression})
	if err != nil || got.Kind != Uniaxial || got.Stretch[1] != 0.8 || got.Stress[1] != -3e5 {
		t.Errorf("compression: %+v, %v", got, err)
	}
	for text, want := range map[string]string{
		"":                               "no row of numbers",
		"strain,stress\n1,2\n":           "the unit of stress is not given",
		"strain,stress_MPa\n1,x\n":       "no row of numbers",
		"strain,stress_MPa\n1,2\n-2,1\n": "line 3: a stretch of -1",
		"strain,stress_MPa\n1,NaN\n":     "a stress of NaN",
		"a,b,strain,stress_MPa\n1,2\n":   "the header names column 4, the rows have 2",
	} {
		if _, err := Read(strings.NewReader(text), "t.csv", Format{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v does not say %q", text, err, want)
		}
	}
	for want, f := range map[string]Format{`unknown kind of test "shear"`: {Kind: "shear"}, `unknown unit of stress "bar"`: {StressUnit: "bar"}} {
		if _, err := Read(strings.NewReader("0.5,1\n1,2\n"), "t.csv", f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestFitsRefuseWhatNoLawFits(t *testing.T) {
	good := curve(Uniaxial, from(1.05, 2, 20), func(s float64) float64 { return 1e5 * (s - 1) })
	for want, c := range map[string]struct {
		tests []*Test
		o     Options
	}{
		"no tests":                      {nil, Options{}},
		"at least 4 are needed":         {[]*Test{good}, Options{Stretch: 1.1}},
		"a largest stretch of 0.5":      {[]*Test{good}, Options{Stretch: 0.5}},
		"Poisson's ratio of 0.5":        {[]*Test{good}, Options{PoissonsRatio: 0.5}},
		"all stresses are zero":         {[]*Test{curve(Uniaxial, from(1.05, 2, 20), func(float64) float64 { return 0 })}, Options{}},
		"the sign against their strain": {[]*Test{curve(Uniaxial, from(0.5, 0.95, 20), func(s float64) float64 { return 1e5 * (1 - s) })}, Options{}},
	} {
		if _, err := All(c.tests, c.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("strain,stress_MPa\n0.5,0.1\n1,0.3\n")
	f.Add("Time;Strain;Stress\n(s);(%);(kPa)\n0;50;0,1\n")
	f.Add("# x\n1 2 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Read(strings.NewReader(text), "fuzz", Format{})
		if err != nil {
			return
		}
		for i, s := range got.Stretch {
			if !(s > 0) || math.IsInf(s, 0) || math.IsNaN(got.Stress[i]) || math.IsInf(got.Stress[i], 0) {
				t.Fatal(fmt.Sprint(got))
			}
		}
	})
}
