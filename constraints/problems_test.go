package constraints_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	. "github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// problem is a whole single step of testdata/problems_*.json; see the READMEs
// there and in package convex.
type problem struct {
	NV       int             `json:"nv"`
	A        [][]float64     `json:"A"`
	VStar    []float64       `json:"v_star"`
	Contacts []problemPoint  `json:"contacts"`
	Solution problemSolution `json:"solution"`
}

type problemPoint struct {
	J      [][]float64 `json:"J"`
	B      []float64   `json:"b"`
	Inputs struct {
		Dt      float64       `json:"dt"`
		Phi     float64       `json:"phi0"`
		K       float64       `json:"k"`
		D       float64       `json:"d"`
		Tau     float64       `json:"tau_d"`
		Beta    float64       `json:"beta"`
		Mu      float64       `json:"mu"`
		Tensor  [2][2]float64 `json:"mu_tensor"`
		Eps     float64       `json:"eps_s"`
		Vs      float64       `json:"v_s"`
		Sigma   float64       `json:"sigma"`
		W       float64       `json:"w"`
		GammaN0 float64       `json:"gamma_n0"`
	} `json:"inputs"`
}

type problemSolution struct {
	V     []float64   `json:"v"`
	Cost  float64     `json:"cost"`
	Gamma [][]float64 `json:"gamma"`
	Vc    [][]float64 `json:"v_c"`
}

// rows is the Kinematics of a body whose rows are given.
type rows struct {
	Kinematics
	node cliques.Node
	at   *problemPoint
}

func (rows) Pose(int) r3.Pose { return r3.PoseIdentity() }

func (k rows) PointRows(p *cliques.Problem, f *geometry.MaterialPoint, R_WC *r3.Mat, _ *r3.Vec, s float64) {
	threeRows(k, p, f, R_WC, s)
}

func (k rows) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir r3.Vec, s float64) {
	J := p.Block(k.node)
	n := len(k.at.J[row])
	for j, x := range k.at.J[row] {
		J[row*n+j] += s * x
	}
	p.AddBias(row, s*k.at.B[row])
}

// given is a law whose Delassus diagonal is that of the reference.
type given struct {
	cliques.Law
	w float64
}

func (g given) Prepare(h float64, _ []float64) { g.Law.Prepare(h, []float64{g.w, g.w, g.w}) }

// append adds contact i of the problem as a caller of the package would.
func (c *problemPoint) append(model string, node cliques.Node, p *cliques.Problem) cliques.Handle {
	in := &c.Inputs
	contact := geometry.Contact{A: geometry.MaterialPoint{Body: geometry.World}, Normal_W: r3.Vec{0, 0, 1}, Phi: in.Phi}
	pair := Pair{Stiffness: in.K, Dissipation: in.D, RelaxationTime: in.Tau, Friction: in.Mu, LaggedImpulse: &in.GammaN0}
	eps := in.Eps
	if in.Tensor[0][0] > 0 {
		eps = c.setAxes(&contact, &pair) // they compare |M vt| with ε itself
	}
	m := map[string]ContactModel{
		"lagged":             Lagged{StictionTolerance: eps},
		"lagged_regularized": Lagged{StictionTolerance: in.Vs, Sigma: in.Sigma},
		"similar":            Similar{StictionTolerance: eps},
		"sap":                SAP{Beta: in.Beta, Sigma: in.Sigma},
	}[model]
	h := AppendContact(m, &contact, &pair, rows{node: node, at: c}, p)
	if in.W > 0 {
		law := &p.Constraints[h].Law
		*law = given{*law, in.W}
	}
	return h
}

// setAxes gives both sides the principal axes of the tensor and returns ε over the
// largest coefficient.
func (c *problemPoint) setAxes(contact *geometry.Contact, pair *Pair) float64 {
	M := c.Inputs.Tensor
	mean, diff := 0.5*(M[0][0]+M[1][1]), math.Hypot(0.5*(M[0][0]-M[1][1]), M[0][1])
	th := 0.5 * math.Atan2(2*M[0][1], M[0][0]-M[1][1])
	R_WC := ContactFrame(contact)
	side := Side{Friction: mean + diff, TransverseFriction: mean - diff, FrictionDirection_B: R_WC.MulVec(r3.Vec{math.Cos(th), math.Sin(th), 0})}
	pair.Sides = [2]Side{side, side}
	return c.Inputs.Eps / (mean + diff)
}

func TestReferenceProblemsAreSolved(t *testing.T) {
	for _, tc := range []struct{ file, model string }{
		{"testdata/problems_similar.json", "similar"},
		{"testdata/problems_aniso_similar.json", "similar"},
		{"testdata/problems_lagged_regularized.json", "lagged_regularized"},
		{"testdata/problems_aniso_lagged.json", "lagged"},
		{"../convex/testdata/problems_lagged.json", "lagged"},
		{"../convex/testdata/problems_sap.json", "sap"},
	} {
		data, err := os.ReadFile(tc.file)
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Problems []problem }
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		if len(file.Problems) < 6 {
			t.Fatalf("%s has %d problems", tc.file, len(file.Problems))
		}
		for i := range file.Problems {
			q := &file.Problems[i]
			var p cliques.Problem
			v, cost := q.solve(t, tc.model, &p)
			if d := distance(v, q.Solution.V); !(d <= 1e-10) {
				t.Errorf("%s %d: v is off by %g", tc.file, i, d)
			}
			if d := math.Abs(cost - q.Solution.Cost); !(d <= 1e-10*(1+q.Solution.Cost)) {
				t.Errorf("%s %d: cost %g, want %g", tc.file, i, cost, q.Solution.Cost)
			}
			for h := range q.Contacts {
				if d := distance(p.Velocity(cliques.Handle(h)), q.Solution.Vc[h]); !(d <= 1e-9) {
					t.Errorf("%s %d: velocity of contact %d is off by %g", tc.file, i, h, d)
				}
				if d := distance(p.Impulse(cliques.Handle(h)), q.Solution.Gamma[h]); !(d <= 1e-8) {
					t.Errorf("%s %d: impulse of contact %d is off by %g", tc.file, i, h, d)
				}
			}
		}
	}
}

func (q *problem) solve(t *testing.T, model string, p *cliques.Problem) (v []float64, cost float64) {
	p.Reset(0, q.Contacts[0].Inputs.Dt)
	node, A, v0, mom := p.AddDense(q.NV)
	for i, row := range q.A {
		copy(A[i*q.NV:], row)
		v0[i] = 0.3 // any
	}
	atV0 := 0.0 // ½ (v0 − v*)ᵀ A (v0 − v*), which the solver's cost is less of
	for i, row := range q.A {
		for j, a := range row {
			mom[i] += a * (q.VStar[j] - v0[j])
		}
		atV0 += 0.5 * mom[i] * (q.VStar[i] - v0[i])
	}
	for i := range q.Contacts {
		q.Contacts[i].append(model, node, p)
	}
	s := convex.Solver{RelTol: 1e-13}
	v = slices.Clone(p.V0)
	stats, err := s.Solve(p, v)
	if err != nil {
		t.Fatal(err)
	}
	return v, stats.Cost + atV0
}

func distance(a, b []float64) float64 {
	d := 0.0
	for i := range b {
		if e := math.Abs(a[i] - b[i]); !(e <= d) {
			d = e
		}
	}
	return d
}
