package convex

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/internal/oracle"
)

const seed = 20261121

func maxDiff(x, y []float64) float64 {
	d := 0.0
	for i := range x {
		if e := math.Abs(x[i] - y[i]); !(e <= d) {
			d = e
		}
	}
	return d
}

// tight is a solver that goes to round-off.
func tight() *Solver { return &Solver{RelTol: 1e-13} }

func mustSolve(t *testing.T, s *Solver, p *cliques.Problem) ([]float64, Stats) {
	t.Helper()
	v := slices.Clone(p.V0)
	st, err := s.Solve(p, v)
	if err != nil {
		t.Fatalf("%v (history %.2g)", err, st.History)
	}
	return v, st
}

func TestAgreesWithDenseMinimizer(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 1))
	s := tight()
	for trial := range 200 {
		q := randomSpec(r, 1+r.IntN(6), r.IntN(10), 1e5, 1)
		var p cliques.Problem
		q.build(&p, count(len(q.size)), count(len(q.terms)), trial%2 == 0)
		v, _ := mustSolve(t, s, &p)
		A, vStar, terms := denseTwin(&p)
		want := oracle.Minimize(A, vStar, terms)
		if d := maxDiff(v, want); d > 1e-9 {
			t.Fatalf("trial %d: off by %g", trial, d)
		}
	}
}

type vectors struct {
	Problems []struct {
		NV       int         `json:"nv"`
		A        [][]float64 `json:"A"`
		VStar    []float64   `json:"v_star"`
		Contacts []struct {
			J      [][]float64        `json:"J"`
			B      []float64          `json:"b"`
			Inputs map[string]float64 `json:"inputs"`
		} `json:"contacts"`
		Solution struct {
			V     []float64   `json:"v"`
			Cost  float64     `json:"cost"`
			Gamma [][]float64 `json:"gamma"`
		} `json:"solution"`
	} `json:"problems"`
}

func TestReferenceProblems(t *testing.T) {
	for _, name := range []string{"lagged", "sap"} {
		raw, err := os.ReadFile("testdata/problems_" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var file vectors
		if err := json.Unmarshal(raw, &file); err != nil {
			t.Fatal(err)
		}
		for k, x := range file.Problems {
			var p cliques.Problem
			p.Reset(0, x.Contacts[0].Inputs["dt"])
			node, A, v0, mom := p.AddDense(x.NV)
			for i, row := range x.A {
				copy(A[i*x.NV:], row)
				v0[i] = 0.3 // any: P follows
			}
			atV0 := 0.0 // ½ (v0 − v*)ᵀ A (v0 − v*)
			for i, row := range x.A {
				for j, a := range row {
					mom[i] += a * (x.VStar[j] - v0[j])
				}
				atV0 += 0.5 * mom[i] * (x.VStar[i] - v0[i])
			}
			for _, c := range x.Contacts {
				p.AddConstraint(law(name, c.Inputs))
				J := p.Block(node)
				for i, row := range c.J {
					copy(J[i*x.NV:], row)
					p.AddBias(i, c.B[i])
				}
			}
			v, st := mustSolve(t, tight(), &p)
			if d := maxDiff(v, x.Solution.V); d > 1e-10 {
				t.Errorf("%s %d: velocities off by %g", name, k, d)
			}
			for h, want := range x.Solution.Gamma {
				if d := maxDiff(p.Impulse(handle(h)), want); d > 1e-8 {
					t.Errorf("%s %d: impulse %d off by %g", name, k, h, d)
				}
			}
			if d := math.Abs(st.Cost + atV0 - x.Solution.Cost); d > 1e-10*(1+x.Solution.Cost) {
				t.Errorf("%s %d: cost off by %g", name, k, d)
			}
		}
	}
}

func law(name string, in map[string]float64) cliques.Law {
	if name == "lagged" {
		return &lagged{in["dt"], in["phi0"], in["k"], in["d"], in["mu"], in["eps_s"], in["gamma_n0"], false, [3]float64{}}
	}
	h, tau := in["dt"], in["tau_d"]
	rn := max(in["beta"]*in["beta"]/(4*math.Pi*math.Pi)*in["w"], 1/(h*in["k"]*(h+tau)))
	return &sap{mu: in["mu"], rt: in["sigma"] * in["w"], rn: rn, vhat: -in["phi0"] / (h + tau)}
}
