package robottest

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// A change of any number, name or reference of a robot is found, a change of a line and
// of a number by round-off is not.
func TestDifferencesAreFound(t *testing.T) {
	f := Features{Types: []robot.JointType{robot.Revolute, robot.Prismatic}, Springs: true, Velocities: true, Properties: true, Pairs: true}
	seed := rand.Uint64()
	make := func() *robot.Robot { return Random(rand.New(rand.NewPCG(seed, 1)), f) }
	for !(len(make().Joints) > 3 && len(make().Links[1].Collisions) > 0) {
		seed++
	}
	if d := Differences(*make(), *make(), 0); len(d) > 0 {
		t.Fatalf("seed %d: the same robot differs: %q", seed, d)
	}
	for want, change := range map[string]func(m *robot.Robot){
		".Name":                   func(m *robot.Robot) { m.Name = "other" },
		".Links":                  func(m *robot.Robot) { m.Links = m.Links[1:] },
		".Links[2].Inertial":      func(m *robot.Robot) { m.Links[2].Inertial = nil },
		".Links[0].Inertial.Mass": func(m *robot.Robot) { m.Links[0].Inertial.Mass += 1e-9 },
		".Links[1].Collisions[0].Material.Friction": func(m *robot.Robot) { m.Links[1].Collisions[0].Material.Friction = new(77.0) },
		".Joints[1].Child":                          func(m *robot.Robot) { m.Joints[1].Child++ },
		".Joints[1].X_PF.R[4]":                      func(m *robot.Robot) { m.Joints[1].X_PF.R[4] += 1e-9 },
		".Joints[2].EffortLimit":                    func(m *robot.Robot) { m.Joints[2].EffortLimit = math.Inf(1) },
		"":                                          func(m *robot.Robot) { m.Joints[1].Line, m.Joints[1].Damping = 99, m.Joints[1].Damping+1e-14 },
	} {
		m := make()
		change(m)
		d := Differences(*m, *make(), 1e-12)
		if want == "" && len(d) > 0 || want != "" && (len(d) != 1 || !strings.HasPrefix(d[0], want+":")) {
			t.Errorf("seed %d: differences %q, want one at %q", seed, d, want)
		}
	}
}

// Random robots pass Check and are in depth-first order; their rotations
// have the roll, pitch and yaw that RPY returns.
func TestRandomRobotsAreSound(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	types := map[robot.JointType]int{}
	for range 200 {
		m := Random(rng, Features{Types: []robot.JointType{robot.Fixed, robot.Revolute, robot.Screw, robot.Ball}, Pairs: true})
		for i := range m.Links {
			m.Links[i].Line = 1
		}
		Check(t, m)
		for i := range m.Joints {
			types[m.Joints[i].Type]++
			rpy := RPY(m.Joints[i].X_PF.R)
			if d := r3.RotRPY(rpy[0], rpy[1], rpy[2]).Sub(m.Joints[i].X_PF.R).Norm2(); d > 1e-28 {
				t.Fatalf("seed %d: RPY is off by %g", seed, math.Sqrt(d))
			}
			if m.Joints[i].Child != i+1 || m.Joints[i].Parent > i {
				t.Fatalf("seed %d: joint %d connects %d to %d", seed, i, m.Joints[i].Parent, m.Joints[i].Child)
			}
		}
		if !slices.IsSortedFunc(m.ExcludedPairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
			t.Fatalf("seed %d: pairs %v", seed, m.ExcludedPairs)
		}
	}
	if len(types) != 4 {
		t.Errorf("seed %d: types %v", seed, types)
	}
}

// Numbers are read back bit for bit.
func TestNumbersKeepTheirBits(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 3))
	for range 1000 {
		x := math.Float64frombits(rng.Uint64())
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		f := strings.Fields(Numbers(x, -x))
		if y, fault := robot.ParseNumber(f[0]); fault != "" || y != x || f[1] != Numbers(-x) {
			t.Fatalf("seed %d: %v for %x", seed, f, x)
		}
	}
}
