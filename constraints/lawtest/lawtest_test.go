package lawtest

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/cliques"
)

// bowl is a right contact law, ½ k |vt|² ∧ ½ k vn², spoilt by the fields.
type bowl struct {
	slope, curve, skew, dent, jump, garbage, pull float64
}

func (b bowl) Dim() int                       { return 3 }
func (b bowl) Prepare(h float64, w []float64) {}

func (b bowl) Eval(vc, gamma, G []float64) float64 {
	cost := 0.0
	for i, v := range vc {
		if i == 2 && v > 0 { // separated
			gamma[i], v = 0, 0
		} else {
			gamma[i] = -v * (1 + b.slope)
		}
		cost += 0.5 * v * v
		for j := range 3 {
			G[3*i+j] = 0
		}
		G[4*i] = 1 + b.curve
	}
	if vc[2] > 0 {
		G[8] = 0
	}
	G[1] += b.skew
	if b.dent != 0 { // concave along t1
		cost -= b.dent * vc[0] * vc[0]
		gamma[0] += 2 * b.dent * vc[0]
		G[0] -= 2 * b.dent
	}
	if vc[0] > 0 {
		cost += b.jump
	}
	if b.garbage != 0 {
		gamma[1] = math.NaN()
	}
	gamma[2] -= b.pull
	cost += b.pull * vc[2]
	return cost
}

// recorder is a testing.TB that only takes notes.
type recorder struct {
	testing.TB
	notes []string
}

func (r *recorder) Helper()      {}
func (r *recorder) Failed() bool { return len(r.notes) > 0 }
func (r *recorder) Errorf(format string, args ...any) {
	r.notes = append(r.notes, format)
}

func run(law cliques.Law, cone func([]float64) float64) string {
	var r recorder
	Check(&r, 3, func(*rand.Rand) Sample {
		return Sample{Law: law, Scale: []float64{1, 1, 1}, At: [][]float64{{0, 0, 0}, {0, 1, 0}}, Cone: cone}
	})
	return strings.Join(r.notes, "\n")
}

func TestCheckPassesARightLaw(t *testing.T) {
	if notes := run(bowl{}, nil); notes != "" {
		t.Error(notes)
	}
}

func TestCheckCatchesEveryFault(t *testing.T) {
	wide := func([]float64) float64 { return math.Inf(1) }
	for _, tc := range []struct {
		law  bowl
		cone func([]float64) float64
		want string
	}{
		{bowl{slope: 1e-5}, nil, "ℓ differs"},
		{bowl{curve: 1e-5}, nil, "γ[%d] differs"},
		{bowl{skew: 1e-5}, nil, "but G[%d][%d]"},
		{bowl{dent: 0.6}, nil, "not positive semidefinite"},
		{bowl{dent: 0.6}, nil, "not monotone"},
		{bowl{dent: 0.6}, nil, "below its tangent"},
		{bowl{dent: 0.6}, nil, "above its chord"},
		{bowl{dent: 0.6}, wide, "does work"},
		{bowl{jump: 1e-6}, nil, "ℓ differs"},
		{bowl{garbage: 1}, nil, "want finite"},
		{bowl{pull: 1}, wide, "pulls"},
		{bowl{}, func(g []float64) float64 { return 0.5 * g[2] }, "friction %g above"},
	} {
		if notes := run(tc.law, tc.cone); !strings.Contains(notes, tc.want) {
			t.Errorf("%+v: no %q in\n%s", tc.law, tc.want, notes)
		}
	}
}
