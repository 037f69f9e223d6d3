package fem

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// barStress returns the engineering stress of a bar of free sides at a stretch, Pa, and J.
func barStress(law VolumetricLaw, bulk, stretch float64) (stress, J float64) {
	side := func(t float64) float64 {
		F := r3.Diag(r3.Vec{stretch, t, t})
		return law.StressWith(F, bulk*(F.Det()-1))[4]
	}
	lo, hi := 0.5/math.Sqrt(stretch), 1.6/math.Sqrt(stretch)
	for range 200 {
		if mid := 0.5 * (lo + hi); side(mid) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	F := r3.Diag(r3.Vec{stretch, lo, lo})
	J = F.Det()
	return law.StressWith(F, bulk*(J-1))[0], J
}

// See testdata/README.md.
func TestBarsOfRubberMatchGoldenNumbers(t *testing.T) {
	data, err := os.ReadFile("testdata/rubber.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Laws []struct {
			Name, Law            string
			Moduli, Exponents, C []float64
			ShearModulus         float64 `json:"shear_modulus"`
			ChainStretch         float64 `json:"chain_stretch"`
			ShearAtRest          float64 `json:"shear_at_rest"`
			Uniaxial             []struct {
				Stretch, Incompressible float64
				Nu049, Nu04999          [2]float64
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Laws) < 3 {
		t.Fatalf("%d laws", len(file.Laws))
	}
	for _, c := range file.Laws {
		make := func(nu float64) VolumetricLaw {
			var law VolumetricLaw
			var err error
			switch c.Law {
			case "ogden":
				law, err = NewOgden(c.Moduli, c.Exponents, nu, 4)
			case "yeoh":
				law, err = NewYeoh(c.C[0], c.C[1], c.C[2], nu, 4)
			default:
				law, err = NewArrudaBoyce(c.ShearModulus, c.ChainStretch, nu)
			}
			if err != nil {
				t.Fatal(c.Name, err)
			}
			return law
		}
		law := make(0.49)
		if mu, _ := law.Lame(); math.Abs(mu/c.ShearAtRest-1) > 1e-9 {
			t.Errorf("%s: shear modulus %g, want %g", c.Name, mu, c.ShearAtRest)
		}
		for _, u := range c.Uniaxial {
			for nu, want := range map[float64][2]float64{0.49: u.Nu049, 0.4999: u.Nu04999} {
				law := make(nu)
				stress, J := barStress(law, law.Bulk(), u.Stretch)
				if math.Abs(stress/want[0]-1) > 1e-8 || math.Abs(J/want[1]-1) > 1e-9 {
					t.Errorf("%s, ν = %g, stretch %g: %.10g Pa, J = %.10g; want %.10g, %.10g", c.Name, nu, u.Stretch, stress, J, want[0], want[1])
				}
			}
		}
	}
}

// One term of exponent 2 is the neo-Hookean law, two of 2 and −2 are that of Mooney and Rivlin where the volume
// is kept, and a polynomial of one coefficient is neo-Hookean.
func TestLawsOfRubberContainOneAnother(t *testing.T) {
	const E, nu = 3e5, 0.4
	mu := E / (2 * (1 + nu))
	neo, _ := NewNeoHookean(E, nu)
	ogden, err := NewOgden([]float64{mu}, []float64{2}, nu, 4)
	if err != nil {
		t.Fatal(err)
	}
	yeoh, err := NewYeoh(mu/2, 0, 0, nu, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, F := range []r3.Mat{{1.3, 0.2, 0, -0.4, 0.8, 0.1, 0.3, 0, 0.9}, {0.7, 0.2, 0.5, -0.4, 0.8, 0.1, 0.3, -1, 1.9}, {0.7, 0, 0, 0, 0.9, 0, 0, 0, -0.4}} {
		for name, law := range map[string]ConstitutiveLaw{"ogden": ogden, "yeoh": yeoh} {
			I := r3.Identity()
			if a, b := law.Energy(F, I), neo.Energy(F, I); math.Abs(a-b) > 1e-13*E {
				t.Errorf("%s: energy %g, neo-Hookean %g", name, a, b)
			}
			if d := law.Stress(F, I).Sub(neo.Stress(F, I)); math.Sqrt(d.Norm2()) > 1e-13*E {
				t.Errorf("%s: stress is off by %v", name, d)
			}
			var A, B [81]float64
			law.Tangent(F, I, true, &A)
			neo.Tangent(F, I, true, &B)
			for k := range A {
				if math.Abs(A[k]-B[k]) > 1e-12*E {
					t.Fatalf("%s: tangent %d is %g, neo-Hookean %g", name, k, A[k], B[k])
				}
			}
		}
	}
	two, err := NewOgden([]float64{0.7 * mu, -0.3 * mu}, []float64{2, -2}, 0.4999, 4)
	if err != nil {
		t.Fatal(err)
	}
	mooney, _ := NewMooneyRivlin(2*mu*(1+0.4999), 0.4999, 0.3)
	for _, s := range []float64{0.6, 1.5, 3} {
		a, _ := barStress(two, 1e4*two.Bulk(), s)
		b, _ := barStress(mooney, 1e4*mooney.Bulk(), s)
		if math.Abs(a/b-1) > 1e-6 {
			t.Errorf("stretch %g: two terms have %.9g Pa, Mooney-Rivlin %.9g", s, a, b)
		}
	}
}

func TestImpossibleRubberIsAnError(t *testing.T) {
	of := func(_ any, err error) error { return err }
	for want, err := range map[string]error{
		"must be positive: a negative exponent": of(NewOgden([]float64{1e5, 1e3}, []float64{2, -2}, 0.49, 4)),
		"with 2 moduli and 1 exponents":         of(NewOgden([]float64{1e5, 1e3}, []float64{2}, 0.49, 4)),
		"with 0 moduli":                         of(NewOgden(nil, nil, 0.49, 4)),
		"term 1: modulus NaN":                   of(NewOgden([]float64{math.NaN()}, []float64{2}, 0.49, 4)),
		"Poisson's ratio of 0.5":                of(NewOgden([]float64{1e5}, []float64{2}, 0.5, 4)),
		"stretch_limit 1":                       of(NewOgden([]float64{1e5}, []float64{2}, 0.49, 1)),
		"c1 of -1 Pa":                           of(NewYeoh(-1, 0, 0, 0.49, 4)),
		"c3 of NaN Pa":                          of(NewYeoh(1, 0, math.NaN(), 0.49, 4)),
		"falls from":                            of(NewYeoh(1e5, 0, -2e3, 0.49, 4)),
		"c2 of 1e+09 Pa":                        of(NewYeoh(1e5, 1e9, 0, 0.49, 4)),
		"shear modulus of 0 Pa":                 of(NewArrudaBoyce(0, 2, 0.49)),
		"chain_stretch 1":                       of(NewArrudaBoyce(1e5, 1, 0.49)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// Beyond the stretch of its data a law whose last coefficient is negative neither softens nor gains energy.
func TestYeohDoesNotFallBeyondItsLimit(t *testing.T) {
	law, err := NewYeoh(7559, 152, -3, 0.49, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := law.Limit(); math.Abs(got-3) > 1e-12 {
		t.Errorf("limit %g", got)
	}
	last := 0.0
	for s := 1.1; s < 30; s *= 1.05 {
		stress, _ := barStress(law, law.Bulk(), s)
		if stress <= last {
			t.Fatalf("stretch %g: %g Pa after %g", s, stress, last)
		}
		last = stress
	}
}
