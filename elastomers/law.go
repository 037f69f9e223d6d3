package elastomers

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/fem"
)

// law is a family of laws with unknown parameters x.
type law struct {
	name   string // of the kind of constitutive law
	label  string // with the number of terms
	params []string
	// stress writes t of (2) at a stretch, and ∂t/∂x; i1 is x of yeoh
	stress func(x []float64, stretch, i1 float64, dt []float64) float64
	// start returns starts for a shear modulus
	starts func(mu float64) [][]float64
	// lower and upper are bounds; tension says that all tests are uniaxial ones in tension
	lower func(mu float64, tension bool) []float64
	upper func(mu float64) []float64
	// shear returns the shear modulus at rest
	shear func(x []float64) float64
	// spec are the parameters as in a scene
	spec func(x []float64, nu, limit float64) fem.ConstitutiveSpec
}

// laws are the families, by growing number of parameters.
var laws = []law{neoHookean(), mooneyRivlin(), arrudaBoyce(), ogden(1), yeoh(), ogden(2), ogden(3)}

// Names lists the families, such as "ogden 2".
func Names() (names []string) {
	for _, l := range laws {
		names = append(names, l.label)
	}
	return names
}

func neoHookean() law {
	return law{
		name: "neo_hookean", label: "neo_hookean", params: []string{"mu"},
		stress: func(x []float64, s, _ float64, dt []float64) float64 {
			dt[0] = s * s
			return x[0] * s * s
		},
		starts: func(mu float64) [][]float64 { return [][]float64{{mu}} },
		lower:  func(mu float64, _ bool) []float64 { return []float64{1e-6 * mu} },
		upper:  func(mu float64) []float64 { return []float64{1e6 * mu} },
		shear:  func(x []float64) float64 { return x[0] },
		spec: func(x []float64, nu, _ float64) fem.ConstitutiveSpec {
			return &fem.NeoHookeanSpec{Elastic: fem.Elastic{YoungsModulus: 2 * x[0] * (1 + nu), PoissonsRatio: nu}}
		},
	}
}

func mooneyRivlin() law {
	return law{
		name: "mooney_rivlin", label: "mooney_rivlin", params: []string{"C10", "C01"},
		stress: func(x []float64, s, _ float64, dt []float64) float64 {
			dt[0], dt[1] = 2*s*s, -2/(s*s)
			return x[0]*dt[0] + x[1]*dt[1]
		},
		starts: func(mu float64) [][]float64 { return [][]float64{{0.4 * mu, 0.1 * mu}} },
		lower:  func(float64, bool) []float64 { return []float64{0, 0} },
		upper:  func(mu float64) []float64 { return []float64{1e6 * mu, 1e6 * mu} },
		shear:  func(x []float64) float64 { return 2 * (x[0] + x[1]) },
		spec: func(x []float64, nu, _ float64) fem.ConstitutiveSpec {
			mu := 2 * (x[0] + x[1])
			return &fem.MooneyRivlinSpec{Elastic: fem.Elastic{YoungsModulus: 2 * mu * (1 + nu), PoissonsRatio: nu}, C01Share: 2 * x[1] / mu}
		},
	}
}

func yeoh() law {
	return law{
		name: "yeoh", label: "yeoh", params: []string{"c1", "c2", "c3"},
		stress: func(x []float64, s, i1 float64, dt []float64) float64 {
			q := 2 * s * s
			dt[0], dt[1], dt[2] = q, 2*i1*q, 3*i1*i1*q
			return x[0]*dt[0] + x[1]*dt[1] + x[2]*dt[2]
		},
		starts: func(mu float64) [][]float64 { return [][]float64{{0.5 * mu, 0, 0}} },
		lower:  func(mu float64, _ bool) []float64 { return []float64{1e-6 * mu, -mu, -mu} },
		upper:  func(mu float64) []float64 { return []float64{1e3 * mu, 1e3 * mu, 1e3 * mu} },
		shear:  func(x []float64) float64 { return 2 * x[0] },
		spec: func(x []float64, nu, limit float64) fem.ConstitutiveSpec {
			return &fem.YeohSpec{C1: x[0], C2: x[1], C3: x[2], Rubber: fem.Rubber{PoissonsRatio: nu}, StretchLimit: fem.StretchLimit{StretchLimit: limit}}
		},
	}
}

// arrudaBoyce has the unknowns μ and 1/λ_m², in which the series is a polynomial.
func arrudaBoyce() law {
	a := [5]float64{1. / 2, 1. / 20, 11. / 1050, 19. / 7000, 519. / 673750}
	return law{
		name: "arruda_boyce", label: "arruda_boyce", params: []string{"mu", "1/chain²"},
		stress: func(x []float64, s, i1 float64, dt []float64) float64 {
			// 2 W′ = μ N/D, N = Σ 2 i a_i q^{i−1} I₁^{i−1}, D the same at rest
			q, I := x[1], i1+3
			var n, dn, d, dd float64
			for i := len(a); i >= 1; i-- {
				k := 2 * float64(i) * a[i-1]
				dn, dd = dn*q*I+n*I, dd*q*3+d*3
				n, d = n*q*I+k, d*q*3+k
			}
			dt[0] = n / d * s * s
			dt[1] = x[0] * s * s * (dn - n*dd/d) / d
			return x[0] * dt[0]
		},
		starts: func(mu float64) [][]float64 { return [][]float64{{mu, 0.1}, {mu, 0.01}} },
		lower:  func(mu float64, _ bool) []float64 { return []float64{1e-6 * mu, 1e-6} },
		upper:  func(mu float64) []float64 { return []float64{1e3 * mu, 0.98} },
		shear:  func(x []float64) float64 { return x[0] },
		spec: func(x []float64, nu, _ float64) fem.ConstitutiveSpec {
			return &fem.ArrudaBoyceSpec{ShearModulus: x[0], ChainStretch: 1 / math.Sqrt(x[1]), Rubber: fem.Rubber{PoissonsRatio: nu}}
		},
	}
}

// ogden has the unknowns m_p = μ_p α_p > 0 and α_p, so that every point is stable at rest.
func ogden(terms int) law {
	l := law{
		name: "ogden", label: fmt.Sprint("ogden ", terms),
		stress: func(x []float64, s, _ float64, dt []float64) (t float64) {
			log := math.Log(s)
			for p := range terms {
				m, a := x[2*p], x[2*p+1]
				power := math.Exp(a * log)
				dt[2*p] = power / a
				dt[2*p+1] = m * power * (log/a - 1/(a*a))
				t += m * power / a
			}
			return t
		},
		starts: func(mu float64) [][]float64 {
			return [][][]float64{
				{{2 * mu, 2}, {1.3 * mu, 1.3}, {3 * mu, 3}, {2 * mu, -2}},
				{{1.5 * mu, 1.5, 0.05 * mu, 5}, {mu, 1, 8e-3 * mu, 8}, {2 * mu, 2, 0.2 * mu, -2}, {1.2 * mu, 1.2, 0.3 * mu, 3.5}},
				{{1.3 * mu, 1.3, 0.01 * mu, 5, 0.1 * mu, -2}, {1.8 * mu, 1.8, 0.1 * mu, 4, 0.01 * mu, 8}},
			}[terms-1]
		},
		shear: func(x []float64) (mu float64) {
			for p := range terms {
				mu += 0.5 * x[2*p]
			}
			return mu
		},
		spec: func(x []float64, nu, limit float64) fem.ConstitutiveSpec {
			o := &fem.OgdenSpec{Rubber: fem.Rubber{PoissonsRatio: nu}, StretchLimit: fem.StretchLimit{StretchLimit: limit}}
			for p := range terms {
				o.Moduli, o.Exponents = append(o.Moduli, x[2*p]/x[2*p+1]), append(o.Exponents, x[2*p+1])
			}
			return o
		},
	}
	for p := range terms {
		l.params = append(l.params, fmt.Sprint("mu", p+1, "·alpha", p+1), fmt.Sprint("alpha", p+1))
	}
	l.lower = func(mu float64, tension bool) (b []float64) {
		// the stress of terms of negative exponents is that of other strains, which tension does not show
		least := -25.0
		if tension {
			least = 0.5
		}
		for range terms {
			b = append(b, 1e-9*mu, least)
		}
		return b
	}
	l.upper = func(mu float64) (b []float64) {
		for range terms {
			b = append(b, 1e3*mu, 25)
		}
		return b
	}
	return l
}
