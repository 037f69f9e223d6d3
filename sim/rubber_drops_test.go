package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Random blocks of rubber that are thrown against a plane, turning, gain no energy, whatever the law, the elements and
// the step, and none counts as having gained any.
func TestThrownRubberGainsNoEnergy(t *testing.T) {
	seed, n := shots(t, 10)
	worst, alarms, least, most := 0.0, 0, 1.0, 1.0
	for i := range n {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		mu := math.Exp(9 + 3*r.Float64()) // 8 kPa to 160 kPa
		nu := []float64{0.4, 0.45, 0.49}[r.IntN(3)]
		law := []fem.ConstitutiveLaw{
			must(fem.NewOgden([]float64{0.7 * mu}, []float64{2.83}, nu, 4)),
			must(fem.NewOgden([]float64{0.8 * mu, -0.1 * mu}, []float64{2.2, -2}, nu, 4)),
			must(fem.NewYeoh(0.5*mu, 0.04*mu, -0.001*mu, nu, 4)),
			must(fem.NewArrudaBoyce(mu, 2.8, nu)),
		}[r.IntN(4)]
		elements := []fem.Elements{fem.Tet4, fem.Hex12, fem.Tet10}[r.IntN(3)]
		speed := 0.5 * math.Sqrt(mu/1000) * r.Float64()
		w := newScaffold(t)
		mat := w.contactMaterial(constraints.DefaultContactMaterial())
		w.mat(mat).PressureGradient = 100 * mu / 0.02
		w.ground(mat)
		w.soft("block", r3.Vec{0.04, 0.02, 0.02}, [3]int{4, 2, 2}, 1, at(0, 0, 0.03+0.01*r.Float64()), r3.Vec{speed * (r.Float64() - 0.5), 0, -speed}, mat, func(s *DeformableSpec) {
			s.Law, s.AngularVelocity = law, r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Scale(5)
			if s.Elements = elements; elements == fem.Tet10 {
				s.Mesh = meshOf(must(meshes.BoxTets(r3.Vec{0.04, 0.02, 0.02}, [3]int{2, 1, 1})), elements)
			}
		})
		s, x := w.build()
		h := []float64{1e-3, 2e-3, 5e-3, 10e-3}[r.IntN(4)]
		s.Place(x, h)
		start := energy(s, x)
		for range int(0.2 / h) {
			if err := s.Step(x, h); err != nil {
				t.Fatalf("throw %d: %v", i, err)
			}
			if s.Report.EnergyGained.Energy > 0 {
				alarms++
			}
			s.Place(x, h)
			a, b := s.Stretch(0)
			least, most = math.Min(least, a), math.Max(most, b)
			if gain := energy(s, x)/start - 1; gain > worst {
				worst = gain
				if gain > 1e-3 {
					t.Errorf("throw %d: %.2g of the energy is gained", i, gain)
				}
			}
		}
	}
	t.Logf("largest gain %.2g, %d alarms, stretches from %.3f to %.3f", worst, alarms, least, most)
	if alarms > 0 {
		t.Errorf("%d steps are said to gain energy", alarms)
	}
}
