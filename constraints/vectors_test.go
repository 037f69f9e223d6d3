package constraints

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/curlfree/curlfree/cliques"
)

// vector is a case of testdata/*.json; see testdata/README.md.
type vector struct {
	Inputs struct {
		Vc      []float64 `json:"v_c"`
		Dt      float64   `json:"dt"`
		Phi     float64   `json:"phi0"`
		Mu      float64   `json:"mu"`
		Eps     float64   `json:"eps_s"`
		Vs      float64   `json:"v_s"`
		Sigma   float64   `json:"sigma"`
		W       float64   `json:"w"`
		Vn0     *float64  `json:"v_n0"`
		GammaN0 float64   `json:"gamma_n0"`
		K       float64   `json:"k"`
		D       float64   `json:"d"`
		Tau     float64   `json:"tau_d"`
		Beta    float64   `json:"beta"`

		Tensor [2][2]float64 `json:"mu_tensor"`
		Hertz  float64       `json:"kH"`
		Kappa  float64       `json:"kappa"`
		DHat   float64       `json:"d_hat"`
	} `json:"inputs"`
	Outputs struct {
		Cost  float64     `json:"cost"`
		Scale float64     `json:"cost_abs_scale"`
		Gamma []float64   `json:"gamma"`
		H     [][]float64 `json:"H"`
	} `json:"outputs"`
}

// checkVectors compares the laws that make builds with the cases of a file.
func checkVectors(t *testing.T, file string, make func(v *vector) cliques.Law) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var f struct{ Cases []vector }
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Cases) < 30 {
		t.Fatalf("%s has %d cases", file, len(f.Cases))
	}
	for i := range f.Cases {
		v := &f.Cases[i]
		var gamma [3]float64
		var G [9]float64
		law := make(v)
		law.Prepare(v.Inputs.Dt, []float64{v.Inputs.W, v.Inputs.W, v.Inputs.W})
		cost := law.Eval(v.Inputs.Vc, gamma[:], G[:])

		name := fmt.Sprintf("%s case %d", file, i)
		if tol := 1e-9*math.Abs(v.Outputs.Cost) + 1e-13*v.Outputs.Scale; !(math.Abs(cost-v.Outputs.Cost) <= tol) {
			t.Errorf("%s: cost %g, want %g", name, cost, v.Outputs.Cost)
		}
		var H []float64
		for _, r := range v.Outputs.H {
			H = append(H, r...)
		}
		closeTo(t, name+" gamma", gamma[:], v.Outputs.Gamma, 1e-11)
		closeTo(t, name+" H", G[:], H, 1e-11)
	}
}

// closeTo compares with a tolerance relative to the largest component wanted.
func closeTo(t *testing.T, name string, got, want []float64, tol float64) {
	t.Helper()
	largest := 0.0
	for _, x := range want {
		largest = math.Max(largest, math.Abs(x))
	}
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", name, got, want)
		return
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol*largest) {
			t.Errorf("%s[%d]: %.15g, want %.15g", name, i, got[i], want[i])
		}
	}
}

// normal returns the normal law of a case, whose lagged impulse it also checks.
func (v *vector) normal(t *testing.T) NormalLaw {
	in := &v.Inputs
	var n NormalLaw
	switch {
	case in.Kappa > 0:
		b := new(barrier)
		b.init(ipcPotential, in.Dt, in.Kappa, in.DHat, barrierFloor, in.Phi)
		n = b
	case in.Hertz > 0:
		b := new(hertz)
		b.init(in.Dt, in.Hertz, in.D, in.Phi)
		n = b
	default:
		b := new(huntCrossley)
		b.init(in.Dt, in.K, in.D, in.Phi)
		n = b
	}
	if in.Vn0 != nil {
		closeTo(t, "lagged impulse", []float64{n.Lag(*in.Vn0)}, []float64{in.GammaN0}, 1e-12)
	}
	return n
}

// friction returns the friction of a case.
func (v *vector) friction() friction {
	in := &v.Inputs
	f := friction{mu: in.Mu, n0: in.GammaN0, vs: in.Eps}
	if in.Vs > 0 {
		f.vs, f.sigma = in.Vs, in.Sigma
	}
	if in.Tensor[0][0] > 0 {
		f.aniso, f.M = true, tensor{in.Tensor[0][0], in.Tensor[0][1], in.Tensor[1][1]}
		f.mu = f.M.norm()
		f.vs = in.Eps / f.mu // they compare |M vt| with ε itself
	}
	return f
}

func TestLaggedMatchesReferenceVectors(t *testing.T) {
	for _, file := range []string{"lagged", "lagged_regularized", "aniso_lagged", "lagged_hertz", "lagged_ipc"} {
		checkVectors(t, file+".json", func(v *vector) cliques.Law { return &lagged{normal: v.normal(t), friction: v.friction()} })
	}
}

func TestSimilarMatchesReferenceVectors(t *testing.T) {
	for _, file := range []string{"similar", "aniso_similar", "similar_hertz", "similar_ipc"} {
		checkVectors(t, file+".json", func(v *vector) cliques.Law { return &similar{normal: v.normal(t), friction: v.friction()} })
	}
}

func TestSAPMatchesReferenceVectors(t *testing.T) {
	checkVectors(t, "sap.json", func(v *vector) cliques.Law {
		in := &v.Inputs
		return &sap{SAP: SAP{Beta: in.Beta, Sigma: in.Sigma}, mu: in.Mu, k: in.K, tau: in.Tau, phi: in.Phi}
	})
}

// golden compares one evaluation with printed digits.
func golden(t *testing.T, law cliques.Law, vc []float64, cost float64, gamma, G []float64) {
	t.Helper()
	var g [3]float64
	var H [9]float64
	l := law.Eval(vc, g[:], H[:])
	closeTo(t, "cost", []float64{l}, []float64{cost}, 1e-10)
	closeTo(t, "gamma", g[:], gamma, 1e-10)
	closeTo(t, "G", H[:], G, 1e-10)
}

func TestLaggedMatchesGoldenNumbers(t *testing.T) {
	n := new(huntCrossley)
	n.init(5e-3, 1e4, 5, -2e-3)
	closeTo(t, "breaking velocity", []float64{n.vBreak}, []float64{0.2}, 1e-15)
	golden(t, &lagged{normal: n, friction: friction{mu: 0.7, n0: 0.3, eps: 0.02}}, []float64{0.03, -0.01, -0.05}, 0.0179803971789,
		[]float64{-0.168374582405, 0.0561248608016, 0.140625},
		[]float64{2.00445931434, 1.20267558861, 0, 1.20267558861, 5.21159421729, 0, 0, 0, 0.875})
}

func TestSimilarMatchesGoldenNumbers(t *testing.T) {
	n := new(huntCrossley)
	n.init(5e-3, 1e4, 5, -2e-3)
	golden(t, &similar{normal: n, friction: friction{mu: 0.7, n0: 0.3, eps: 0.02}}, []float64{0.03, -0.01, -0.05}, 0.0161031435778,
		[]float64{-0.0850170666444, 0.0283390222148, 0.151478445434},
		[]float64{1.29733382259, 0.512189466298, -0.508198830734, 0.512189466298, 2.66317239938, 0.169399610245, -0.508198830734, 0.169399610245, 0.905479004269})
}

func TestAnisotropicFrictionMatchesGoldenNumbers(t *testing.T) {
	f := friction{aniso: true, M: tensor{0.8, 0.1, 0.4}, eps: 0.02}
	const n0 = 0.3
	golden(t, &lagged{normal: new(huntCrossley), friction: friction{aniso: f.aniso, M: f.M, eps: f.eps, n0: n0}}, []float64{0.03, -0.01, 1}, n0*0.010495901364,
		[]float64{-0.180024191923, -0.0186910363198, 0},
		[]float64{2.85189038041, 0.812695144569, 0, 0.812695144569, 1.63416989307, 0, 0, 0, 0})
}

func TestNormalLawsMatchGoldenNumbers(t *testing.T) {
	n := new(hertz)
	n.init(1e-3, 1e7, 2, -1e-4)
	P, p, dp := n.Eval(-0.02)
	closeTo(t, "Hertz P", []float64{P}, []float64{-0.000612948489496}, 1e-10)
	closeTo(t, "Hertz p", []float64{p}, []float64{0.0136711550353}, 1e-10)
	closeTo(t, "Hertz p'", []float64{dp}, []float64{-0.197180120702}, 1e-10)
	U, f, ddU := ipcPotential.at(3, 1e-3, 2.5e-4)
	closeTo(t, "IPC U", []float64{U}, []float64{2.33937173439e-06}, 1e-10)
	closeTo(t, "IPC f", []float64{f}, []float64{0.012988324625}, 1e-10)
	closeTo(t, "IPC U''", []float64{ddU}, []float64{71.3177661667}, 1e-10)
}

func TestSAPMatchesGoldenNumbers(t *testing.T) {
	l := &sap{mu: 0.7, rt: 1e-3, rn: 1e-2, vBreak: 0.1}
	golden(t, l, []float64{0.03, -0.01, -0.05}, 1.41233475149,
		[]float64{-10.897211277, 3.63240375899, 16.4095275139},
		[]float64{78.3640757214, 94.9587667257, -63.3058444838, 94.9587667257, 331.587453657, 21.1019481613, -63.3058444838, 21.1019481613, 95.328884652})
	golden(t, l, []float64{1e-5, 0, -0.05}, 1.12500005,
		[]float64{-0.01, 0, 15}, []float64{1000, 0, 0, 0, 1000, 0, 0, 0, 100})
	golden(t, l, []float64{0.03, -0.01, 0.11}, 0.00702007281108,
		[]float64{-0.768276159547, 0.256092053182, 1.15690596961},
		[]float64{44.6009586634, -6.33058444838, -63.3058444838, -6.33058444838, 27.7194001344, 21.1019481613, -63.3058444838, 21.1019481613, 95.328884652})
	golden(t, l, []float64{0.03, -0.01, 0.3}, 0, make([]float64, 3), make([]float64, 9))
}

// TestSlidingParticleMatchesGoldenNumbers solves one step of a 1 kg particle
// that slides on a plane, by the fixed point v = v* + γ(v)/m of its decoupled
// rows: m (v − v*) = γ.
func TestSlidingParticleMatchesGoldenNumbers(t *testing.T) {
	const h, k, g = 5e-3, 1e7, 9.81
	n := new(huntCrossley)
	n.init(h, k, 20, -g/k)
	l := &lagged{normal: n, friction: friction{mu: 0.5, n0: n.Lag(0), sigma: 1e-3, vs: 1e-4}}
	l.Prepare(h, []float64{1, 1, 1})
	closeTo(t, "n0, eps", []float64{l.n0, l.eps}, []float64{0.04905, 1e-4}, 1e-12)

	v := []float64{0.5, 0, -h * g}
	var gamma [3]float64
	var G [9]float64
	for range 50 { // Newton: the rows do not couple here
		l.Eval(v, gamma[:], G[:])
		for i, free := range []float64{0.5, 0, -h * g} {
			v[i] -= (v[i] - free - gamma[i]) / (1 + G[4*i])
		}
	}
	closeTo(t, "v", v, []float64{0.475475000542, 0, 0}, 1e-10)
	closeTo(t, "gamma", gamma[:], []float64{-0.0245249994576, 0, 0.04905}, 1e-10)
}
