package sim

// Beads on taut springs: their motion across the springs never has more energy than it was given.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// tautNet is a random net of beads on springs.
type tautNet struct {
	*Builder
	text string
	h    float64
	ends [][2]string // bodies of each spring
	at   [][2]r3.Vec // where it is attached in the world, m
}

// newTautNet draws net i of a seed: a string of beads between two points, or beads that springs pull from all sides.
func newTautNet(seed, i uint64) *tautNet {
	r := rand.New(rand.NewPCG(seed, i))
	n := &tautNet{Builder: NewBuilder(), h: logUniform(r, 2e-4, 2e-2)}
	n.Gravity, n.RelTol = r3.Vec{}, 1e-8
	length, stiffness, mass := logUniform(r, 0.02, 1), logUniform(r, 100, 1e4), logUniform(r, 1e-3, 1)
	stretch := logUniform(r, 0.01, 1)
	spring := func(a, b string, p, q r3.Vec) {
		rest := p.Sub(q).Norm() / (1 + stretch)
		n.AddConstraint(fmt.Sprint("spring", len(n.ends)), &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: a, B: b}, PointA: placeIn(a, p), PointB: placeIn(b, q), Length: &rest, Stiffness: &stiffness})
		n.ends, n.at = append(n.ends, [2]string{a, b}), append(n.at, [2]r3.Vec{p, q})
	}
	beads := 1 + r.IntN(4)
	before, at := "", r3.Vec{}
	for k := range beads {
		next := at.Add(r3.Vec{length, 0, 0})
		name := fmt.Sprint("bead", k)
		I := r3.Diag(r3.Vec{1e-4, 1e-4, 1e-4}.Scale(mass * length * length))
		n.AddBody(name, BodySpec{Pose: r3.Pose{R: r3.Identity(), P: next}, Velocity: randomDirection(r).Scale(logUniform(r, 1e-3, 1) * length), Inertial: &geometry.MassProperties{Mass: mass * logUniform(r, 0.3, 3), Inertia: I}})
		spring(before, name, at, next)
		if r.IntN(2) == 0 { // a net
			side := r3.Vec{0, length, 0}
			spring("", name, next.Add(side), next)
			spring("", name, next.Sub(side), next)
		}
		before, at = name, next
	}
	spring(before, "", at, at.Add(r3.Vec{length, 0, 0}))
	n.text = fmt.Sprintf("%d beads of %.2g kg, %d springs of %.2g m and %.2g N/m, stretched by %.2g, h %.2g ms", beads, mass, len(n.ends), length, stiffness, stretch, 1e3*n.h)
	return n
}

// placeIn returns a place of the world in the frame of a body of a net, whose springs are attached at their origins.
func placeIn(body string, p r3.Vec) r3.Vec {
	if body == "" {
		return p
	}
	return r3.Vec{}
}

// run steps the net. It returns what is wrong, or "".
func (n *tautNet) run(t testing.TB) string {
	fault, _ := n.runReporting(t)
	return fault
}

// runReporting also returns whether the stepper reported that energy was gained.
func (n *tautNet) runReporting(t testing.TB) (fault string, reported bool) {
	m, err := n.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, x := start(t, m, 1)
	defer s.Close()
	stored := func() (U float64) {
		for _, c := range m.Constraints {
			U += c.(constraints.Described).StoredEnergy(s.kin)
		}
		return U
	}
	s.Place(x, n.h)
	kinetic := Energy{Kinetic}.Value(s, x)
	first, least := kinetic+stored(), stored()
	for i := range 200 {
		if err := s.Step(x, n.h); err != nil {
			return err.Error(), false
		}
		reported = reported || s.Report.EnergyGained.Energy > 0
		s.Place(x, n.h)
		gained := Energy{Kinetic}.Value(s, x) + stored() - first
		if gained > 1e-6*least {
			return fmt.Sprintf("step %d: gains %.3g J beside %.3g J of motion and %.3g J of the springs", i, gained, kinetic, least), reported
		}
	}
	return "", reported
}

func TestTautStringsGainNoEnergy(t *testing.T) {
	seed, n := shots(t, 40)
	n = min(n, 300)
	failed := 0
	for i := range n {
		if !isSelected(i) {
			continue
		}
		net := newTautNet(seed, uint64(i))
		if fault := net.run(t); fault != "" {
			failed++
			t.Errorf("%d: %s: %s", i, net.text, fault)
		}
	}
	if failed > 0 {
		t.Errorf("%d of %d", failed, n)
	}
}

// A ball of 5 g between two springs of 0.2 m and 100 N that starts across them with 0.05 m/s moves by 0.112 mm at most;
// it moved 191 mm at 10 ms.
func TestTautStringSwingsNoFartherThanItsEnergy(t *testing.T) {
	const T, d, mass, v = 100, 0.2, 5e-3, 0.05
	most := v / math.Sqrt(2*T/(d*mass))
	for _, h := range []float64{1e-3, 5e-3, 1e-2, 2e-2} {
		b := NewBuilder()
		b.Gravity = r3.Vec{}
		b.AddBody("ball", BodySpec{Velocity: r3.Vec{0, 0, v}, Inertial: &geometry.MassProperties{Mass: mass, Inertia: r3.Diag(r3.Vec{2e-7, 2e-7, 2e-7})}})
		stiffness, rest := 1000.0, d-T/1000.0
		for k, x := range []float64{-d, d} {
			b.AddConstraint(fmt.Sprint("spring", k), &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{B: "ball"}, PointA: r3.Vec{x, 0, 0}, Length: &rest, Stiffness: &stiffness})
		}
		s, x := start(t, b.MustBuild(), 1)
		for range int(0.2 / h) {
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
			s.Place(x, h)
			if z := math.Abs(s.kin.Pose(0).P[2]); z > 1.001*most {
				t.Fatalf("h %g s: moves %.3g mm, at most %.3g", h, 1e3*z, 1e3*most)
			}
		}
	}
}
