package convex_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/convex"
)

// hessian returns D H D of a solved problem of dense cliques.
func hessian(p *cliques.Problem) *mat.SymDense {
	n := p.Size()
	H := mat.NewSymDense(n, nil)
	d := make([]float64, n)
	for k := range p.Cliques {
		c := &p.Cliques[k]
		for i := range c.Size {
			d[c.Offset+i] = 1 / math.Sqrt(c.A[i*c.Size+i])
			for j := range i + 1 {
				H.SetSym(c.Offset+i, c.Offset+j, c.A[i*c.Size+j])
			}
		}
	}
	for h := range p.Constraints {
		c := &p.Constraints[h]
		gamma, G := make([]float64, c.Dim), make([]float64, c.Dim*c.Dim)
		c.Law.Eval(p.Velocity(cliques.Handle(h)), gamma, G)
		J := mat.NewDense(c.Dim, n, nil)
		for _, b := range p.Blocks(cliques.Handle(h)) {
			m := p.NodeSize[b.Node]
			for i, x := range b.J {
				J.Set(i/m, p.NodeOffset[b.Node]+i%m, x)
			}
		}
		var GJ, JGJ mat.Dense
		GJ.Mul(mat.NewDense(c.Dim, c.Dim, G), J)
		JGJ.Mul(J.T(), &GJ)
		for i := range n {
			for j := range i + 1 {
				H.SetSym(i, j, H.At(i, j)+0.5*(JGJ.At(i, j)+JGJ.At(j, i)))
			}
		}
	}
	for i := range n {
		for j := range i + 1 {
			H.SetSym(i, j, H.At(i, j)*d[i]*d[j])
		}
	}
	return H
}

func exactCondition(H *mat.SymDense) float64 {
	var e mat.EigenSym
	e.Factorize(H, false)
	v := e.Values(nil)
	return v[len(v)-1] / v[0]
}

func TestConditionNearsThatOfEigenvalues(t *testing.T) {
	r := rand.New(rand.NewPCG(rngSeed, 70))
	for _, x := range models {
		worst := 0.0
		for _, k := range []float64{1e3, 1e5, 1e7, 1e9} {
			for range 10 {
				var p cliques.Problem
				q := randomHeap(r, k, r.Float64(), 0.3)
				q.build(&p, x.m)
				s := &convex.Solver{Condition: true}
				v := slices.Clone(p.V0)
				st, err := s.Solve(&p, v)
				if err != nil {
					t.Fatal(err)
				}
				want := exactCondition(hessian(&p))
				worst = max(worst, math.Abs(st.Condition/want-1))
			}
		}
		t.Logf("%s: off by at most %.2g", x.name, worst)
		if !(worst < 0.05) {
			t.Errorf("%s: off by %g", x.name, worst)
		}
	}
}

// Over the time step, the condition number of rigid contact stays the same with SAP's law,
// whose regularization is in proportion to the Delassus operator, and grows like h² k with
// the others.
func TestConditionOverSteps(t *testing.T) {
	steps := []float64{1e-3, 1e-2, 1e-1}
	for _, x := range models {
		var mean [3]float64 // of the logarithm
		for i, h := range steps {
			r := rand.New(rand.NewPCG(rngSeed, 71))
			const trials = 10
			for range trials {
				var p cliques.Problem
				q := randomHeap(r, 1e5, 0.5, 0.3)
				q.h = h
				q.build(&p, x.m)
				st, err := (&convex.Solver{Condition: true}).Solve(&p, slices.Clone(p.V0))
				if err != nil {
					t.Fatal(err)
				}
				mean[i] += math.Log10(st.Condition) / trials
			}
		}
		t.Logf("%s: 10^%.2f at steps %v", x.name, mean, steps)
		switch rise := mean[2] - mean[0]; x.name {
		case "sap":
			if math.Abs(rise) > 0.3 {
				t.Errorf("sap: condition over steps 10^%.2f", mean)
			}
		default:
			if rise < 1 {
				t.Errorf("%s: condition over steps 10^%.2f", x.name, mean)
			}
		}
	}
}

// A turn measured in other units is the same problem: A = diag(1, s²), J = (1, s).
func TestConditionHasNoUnits(t *testing.T) {
	for _, s := range []float64{1, 1e-3, 1e6} {
		var p cliques.Problem
		p.Reset(0, 1e-3)
		node, A, _, mom := p.AddDense(2)
		A[0], A[3] = 1, s*s
		mom[0], mom[1] = 1, s
		p.AddConstraint(&stiff{3})
		J := p.Block(node)
		J[0], J[1] = 1, s
		st, err := (&convex.Solver{Condition: true}).Solve(&p, slices.Clone(p.V0))
		if err != nil || math.Abs(st.Condition/7-1) > 1e-6 { // D H D = I + 3 (1 1)(1 1)ᵀ
			t.Errorf("condition %g, want 7 (%v)", st.Condition, err)
		}
	}
	var free cliques.Problem
	free.Reset(0, 1e-3)
	_, A, _, _ := free.AddDense(2)
	A[0], A[3] = 1, 100
	if st, err := (&convex.Solver{Condition: true}).Solve(&free, make([]float64, 2)); err != nil || st.Condition != 1 {
		t.Errorf("without constraints condition %g (%v)", st.Condition, err)
	}
}

// stiff is ½ k c².
type stiff struct{ k float64 }

func (*stiff) Dim() int                   { return 1 }
func (*stiff) Prepare(float64, []float64) {}
func (l *stiff) Eval(c, gamma, G []float64) float64 {
	gamma[0], G[0] = -l.k*c[0], l.k
	return 0.5 * l.k * c[0] * c[0]
}
