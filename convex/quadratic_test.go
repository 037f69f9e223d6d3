package convex

import (
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
)

// held is the quadratic law of an attachment, γ = −k c.
type held struct{ k float64 }

func (l *held) Dim() int                       { return 3 }
func (l *held) Prepare(h float64, w []float64) {}
func (l *held) IsQuadratic() bool              { return true }

func (l *held) Eval(vc, gamma, G []float64) float64 {
	cost := 0.0
	clear(G)
	for i, c := range vc {
		gamma[i], G[4*i] = -l.k*c, l.k
		cost += 0.5 * l.k * c * c
	}
	return cost
}

// unknownLaw hides that a law is quadratic.
type unknownLaw struct{ cliques.Law }

// buildHeld appends a grasp whose fingers are attached to a hand by their first layers, and a
// finger that nothing touches where that is asked for.
func (g *grasp) buildHeld(p *cliques.Problem, known, free bool) {
	g.build(p)
	if free {
		_, A, _, mom := p.AddSparse(g.pat)
		copy(A, g.A[0])
		mom[0] = 1e-5
	}
	hand, A, v0, mom := p.AddDense(6)
	for i := range 6 {
		A[7*i], v0[i], mom[i] = 1e-3*float64(i+1), 0.01, 1e-4
	}
	// the contacts follow their cliques: the hand is appended last, and is node nodes−1
	for k := range 2 {
		for v := range 6 {
			var law cliques.Law = &held{1 + float64(v)}
			if !known {
				law = unknownLaw{law}
			}
			p.AddConstraint(law)
			J, B := p.Block(cliques.Node(k*g.pat.N+v)), p.Block(hand)
			for i := range 3 {
				J[4*i] = 1
				B[6*i+3+i], B[6*i+(i+v)%3] = -1, 0.03*float64(1+v)
			}
		}
	}
}

// Nodes that quadratic constraints alone touch are factored once a step; velocities, regularized
// directions and those after them are what they are where nothing is known of the laws.
func TestQuadraticLawsAreFactoredOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(seed, 41))
	for trial := range 12 {
		g := newGrasp(r, 24, 4+3*trial)
		var v [2][]float64
		var x [2][3][]float64
		for i, known := range []bool{false, true} {
			var p cliques.Problem
			g.buildHeld(&p, known, trial%2 == 1)
			s := tight()
			v[i], _ = mustSolve(t, s, &p)
			if s.sparse.hasQuadratic != known {
				t.Fatalf("quadratic nodes: %v, want %v", s.sparse.hasQuadratic, known)
			}
			s.connect(&p, v[i])
			is := s.partition.large[0]
			for k, lambda := range []float64{0, 0.3, 0} {
				is.lambda = lambda
				s.hessian.assemble(is)
				y := make([]float64, p.Size())
				for j := range y {
					y[j] = float64(j%7) - 3
				}
				if node, ok := s.sparse.factor(y); !ok {
					t.Fatalf("trial %d: pivot of node %d fails", trial, node)
				}
				x[i][k] = y
			}
			// what is not regularized needs no more than the fronts of contact
			if is.lambda == 0 && s.sparse.factored != true {
				t.Errorf("trial %d: the common part has to be factored again", trial)
			}
		}
		if d := maxDiff(v[0], v[1]); d > 1e-10 {
			t.Errorf("trial %d: velocities off by %g", trial, d)
		}
		for k := range x[0] {
			size := 0.0
			for _, y := range x[0][k] {
				size = max(size, y, -y)
			}
			if d := maxDiff(x[0][k], x[1][k]); d > 1e-9*size {
				t.Errorf("trial %d, factor %d: off by %g of %g", trial, k, d, size)
			}
		}
	}
}
