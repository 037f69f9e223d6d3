package sim

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// addLink adds a link of robot "r" with a joint J_NAME and slender inertia.
func addLink(b *Builder, name, parent string, joint rigid.Joint, X_PF r3.Pose, mass float64, com r3.Vec, q ...float64) {
	i := mass * (0.002 + 0.3*com.Norm2())
	b.AddBody("r."+name, BodySpec{Mass: mass, Com_B: &com, Inertia: &r3.Mat{i, 0, 0, 0, 1.1 * i, 0, 0, 0, 1.2 * i}, Joint: &JointSpec{
		Name: "r.j_" + name, Parent: parent, Joint: joint, Frames: &JointFrames{X_PF: X_PF, X_BM: r3.PoseIdentity()}, Q: q,
	}})
}

var aboutMinusY = rigid.Revolute{Axis: r3.Vec{0, -1, 0}}

// mimicArm is an arm of two links, of which the second follows the first by 0.8, with the efforts of its closed form.
func mimicArm(q float64) *Builder {
	b := NewBuilder()
	b.RelTol = 1e-11
	addLink(b, "one", "", aboutMinusY, at(0, 0, 1), 2, r3.Vec{0.25, 0, 0}, q)
	addLink(b, "two", "r.one", aboutMinusY, at(0.5, 0, 0), 1, r3.Vec{0.2, 0, 0}, 0.8*q)
	b.AddMimic("r.j_two", "r.j_one", 0.8, 0)
	return b
}

// coupledArm is mimicArm with a coupler.
func coupledArm(q float64) *Builder {
	b := mimicArm(q)
	b.mimics = nil
	b.AddConstraint("gear", &constraints.CouplerSpec{A: "r.j_two", B: "r.j_one", Ratio: 0.8})
	return b
}

// parallelogram is a crank, a rod and a rocker, which a ball, a rod of given length or a weld to a stub closes.
func parallelogram(closure string, q float64) *Builder {
	b := NewBuilder()
	b.RelTol = 1e-11
	addLink(b, "crank", "", aboutMinusY, at(0, 0, 1), 1, r3.Vec{0.15, 0, 0}, q)
	addLink(b, "rod", "r.crank", aboutMinusY, at(0.3, 0, 0), 1, r3.Vec{0, 0, -0.1}, -q)
	addLink(b, "rocker", "", aboutMinusY, at(0, 0, 0.8), 1, r3.Vec{0.15, 0, 0}, q)
	closeLoop(b, closure, "r.rod", r3.Vec{0, 0, -0.2}, "r.rocker", r3.Vec{0.3, 0, 0})
	return b
}

// closeLoop ties a point of a link to a point of another, both at one place, whose hinges are parallel to y.
func closeLoop(b *Builder, closure, A string, a r3.Vec, B string, p r3.Vec) {
	switch closure {
	case "ball":
		b.AddConstraint("loop", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: A, B: B}, PointA: &a, PointB: p}})
	case "rods":
		// two rods keep the points together, as seen along y
		for i, d := range []r3.Vec{{0.07, 0, 0.05}, {-0.04, 0, 0.06}} {
			end := p.Add(d)
			b.AddConstraint(fmt.Sprintf("rod%d", i), &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: A, B: B}, PointA: a, PointB: end})
		}
	case "weld":
		addLink(b, "stub", B, aboutMinusY, at(p[0], p[1], p[2]), 0.2, r3.Vec{0.02, 0, 0})
		b.AddConstraint("loop", &constraints.WeldSpec{TwoBodies: constraints.TwoBodies{A: A, B: "r.stub"}, PoseB: r3.PoseIdentity()})
	case "twice": // redundant
		closeLoop(b, "ball", A, a, B, p)
		b.AddConstraint("again", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: A, B: B}, PointB: p.Add(r3.Vec{0, 0.1, 0})}})
	}
}

// bear adds a drive of joints of robot "r" without gains, that compensates its weight.
func bear(b *Builder, joints ...string) {
	b.AddDrive("d", &RobotDrive{Robot: "r", Joints: joints, GravityCompensation: true})
}

// moved returns how far the joints move from the start in some seconds at steps of h.
func moved(t *testing.T, m *Model, h, seconds float64) float64 {
	t.Helper()
	s, x := start(t, m, 1)
	defer s.Close()
	for range int(math.Round(seconds / h)) {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
	}
	return farthest(x.Q, m.Start.Q)
}

// upTo returns 0 to n−1.
func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// farthest returns the largest difference of two lists of positions.
func farthest(a, b []float64) (most float64) {
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

// The joint that leads carries what follows it, by the ratio: closed form.
func TestLeadersCarryTheirFollowers(t *testing.T) {
	b := mimicArm(0.3)
	bear(b)
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 5e-3, 1)
	c1, c2 := math.Cos(0.3), math.Cos(0.54)
	near(t, "effort", Effort{m.Names.Drives["d.j_one"]}.Value(s, x), 9.81*(2*0.25*c1+0.5*c1+0.2*c2+0.8*0.2*c2), 1e-6)
}

// A crank carries what its loop lifts, however it is closed: closed form by the principle of virtual work.
func TestCranksCarryTheirLoops(t *testing.T) {
	for _, closure := range []string{"ball", "rods", "weld", "twice"} {
		b := parallelogram(closure, 0.3)
		bear(b, "j_crank")
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 5e-3, 1)
		want := 9.81 * math.Cos(0.3) * (0.15 + 0.3 + 0.15)
		if closure == "weld" { // the stub keeps its direction with the rod
			want += 9.81 * 0.2 * 0.3 * math.Cos(0.3)
		}
		near(t, closure+": effort", Effort{m.Names.Drives["d.j_crank"]}.Value(s, x), want, 1e-6)
		if far := moved(t, m, 5e-3, 2); far > 1e-6 {
			t.Errorf("%s: joints move by %g rad", closure, far)
		}
	}
}

// A joint of which nothing is tied to a drive carries its weight alone: the others' efforts are those without it.
func TestJointsThatNothingTiesStayUncompensated(t *testing.T) {
	b := parallelogram("ball", 0.3)
	addLink(b, "pendulum", "r.rod", aboutMinusY, at(0, 0, 0), 0.5, r3.Vec{0.1, 0, 0}, -0.3)
	bear(b, "j_crank")
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 5e-3, 1)
	near(t, "effort", Effort{m.Names.Drives["d.j_crank"]}.Value(s, x), 9.81*math.Cos(0.3)*(0.15+0.3+0.15+0.5*0.3), 1e-6)
}

// Joints that are all driven have their own efforts, also where constraints tie them: none is loaded.
func TestDrivenJointsKeepTheirOwnEfforts(t *testing.T) {
	// a motor is a drive as any other
	b := coupledArm(0.3)
	b.AddDrive("m", &MotorDrive{Joint: "r.j_two", Kp: 100, Kd: 1, Target: motion.Constant(0.24), Stall: 100, NoLoad: 100, GearRatio: 1})
	bear(b, "j_one")
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 5e-3, 1)
	near(t, "beside a motor", Effort{m.Names.Drives["d.j_one"]}.Value(s, x), 9.81*(2*0.25*math.Cos(0.3)+0.5*math.Cos(0.3)+0.2*math.Cos(0.54)), 1e-6)
	efforts := func(tied bool) (e [2]float64) {
		b := NewBuilder()
		addLink(b, "one", "", aboutMinusY, at(0, 0, 1), 2, r3.Vec{0.25, 0, 0}, 0.3)
		addLink(b, "two", "r.one", aboutMinusY, at(0.5, 0, 0), 1, r3.Vec{0.2, 0, 0}, 0.24)
		if tied {
			b.AddConstraint("gear", &constraints.CouplerSpec{A: "r.j_two", B: "r.j_one", Ratio: 0.8})
		}
		bear(b, "j_one", "j_two")
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 5e-3, 1)
		return [2]float64{Effort{m.Names.Drives["d.j_one"]}.Value(s, x), Effort{m.Names.Drives["d.j_two"]}.Value(s, x)}
	}
	if a, b := efforts(false), efforts(true); a != b {
		t.Errorf("efforts %v N m, tied %v", a, b)
	}
}

// randomDependentArm is an arm of random joints, some of which follow others by ratios, sums or loops.
func randomDependentArm(r *rand.Rand) (b *Builder, joints []string, what string) {
	b = NewBuilder()
	b.RelTol = 1e-11
	b.Gravity = randomDirection(r).Scale(9.81)
	parent, X := "", at(0, 0, 0)
	for i := range 1 + r.IntN(4) {
		name := fmt.Sprintf("l%d", i)
		q := r.Float64() - 0.5
		var joint rigid.Joint = rigid.Revolute{Axis: randomDirection(r)}
		if r.IntN(4) == 0 {
			joint, q = rigid.Prismatic{Axis: randomDirection(r)}, 0.2*q
		}
		follows := len(joints) > 0 && r.IntN(2) == 0
		var at []float64
		if !follows {
			at = []float64{q}
		}
		addLink(b, name, parent, joint, X, logUniform(r, 0.1, 3), randomDirection(r).Scale(0.3*r.Float64()), at...)
		switch {
		case !follows:
			joints = append(joints, "j_"+name)
		default:
			leader := joints[r.IntN(len(joints))]
			b.AddMimic("r.j_"+name, "r."+leader, (0.3+r.Float64())*[]float64{-1, 1}[r.IntN(2)], 0.2*r.Float64())
			what += " mimic"
		}
		parent, X = "r."+name, r3.Pose{R: r3.RotExp(randomDirection(r)), P: randomDirection(r).Scale(0.1 + 0.3*r.Float64())}
	}
	// a fixed tendon of two more joints, or a parallelogram
	switch r.IntN(3) {
	case 0:
		addLink(b, "t0", parent, rigid.Revolute{Axis: randomDirection(r)}, X, 0.5, r3.Vec{0.1, 0, 0.05}, 0.2)
		addLink(b, "t1", "r.t0", rigid.Revolute{Axis: randomDirection(r)}, at(0.2, 0, 0), 0.3, r3.Vec{0.1, 0.05, 0}, -0.4)
		joints = append(joints, "j_t0")
		c := 0.5 + r.Float64()
		b.AddConstraint("tendon", ConstraintFunc(func(r *Resolver) (constraints.Constraint, error) {
			sum := constraints.JointSum{Dofs: []int{must(r.Joint("r.j_t0")), must(r.Joint("r.j_t1"))}, Coefficients: []float64{c, 1}}
			l := 0.2*c - 0.4
			return &constraints.JointSumLimit{JointSum: sum, Lower: l, Upper: l}, nil
		}))
		what += " tendon"
	default:
		a, c, q := 0.1+0.3*r.Float64(), 0.1+0.2*r.Float64(), 1.2*(r.Float64()-0.5)
		addLink(b, "crank", parent, aboutMinusY, X, logUniform(r, 0.1, 2), r3.Vec{a / 2, 0.02, 0.03}, q)
		addLink(b, "rod", "r.crank", aboutMinusY, at(a, 0, 0), logUniform(r, 0.1, 2), r3.Vec{0.02, 0, -c / 2}, -q)
		addLink(b, "rocker", parent, aboutMinusY, X.Mul(at(0, 0, -c)), logUniform(r, 0.1, 2), r3.Vec{a / 2, 0, 0.01}, q)
		closure := []string{"ball", "rods", "weld", "twice"}[r.IntN(4)]
		closeLoop(b, closure, "r.rod", r3.Vec{0, 0, -c}, "r.rocker", r3.Vec{a, 0, 0})
		joints = append(joints, "j_crank")
		if r.IntN(2) == 0 {
			addLink(b, "hand", "r.rod", rigid.Revolute{Axis: randomDirection(r)}, at(0, 0, -c), 0.4, r3.Vec{0.1, 0, 0}, 0.3)
			joints = append(joints, "j_hand")
		}
		what += " parallelogram by " + closure
	}
	return b, joints, what
}

// addSprings gives some joints springs, which bend the arm as weight does, and dry friction, which transmits nothing
// while they rest.
func addSprings(b *Builder, r *rand.Rand) (what string) {
	for _, name := range slices.Sorted(maps.Keys(b.bodyOf)) {
		if j := b.bodyOf[name].spec.Joint; j != nil && r.IntN(2) == 0 {
			j.Stiffness, j.Rest, j.Damping = logUniform(r, 0.1, 30), 2*r.Float64()-1, 0.1*r.Float64()
			what += " spring"
		}
	}
	return what
}

// Random arms whose joints follow others stand where they are without gains, for 10 s within 1e-6, at any step. What
// they do before that is the way of their constraints to load: as stiff as the step resolves, these yield by δ ~ 1e-5 f
// h²/m, once. Rows that turn by δ/l meanwhile are not those of the feed forward, which leaves the velocity ½ h δ f/(m
// l), of third order, that nothing brakes: the arms are set at rest once they are loaded.
func TestArmsWithFollowersStandWithoutGains(t *testing.T) {
	seed, n := shots(t, 12)
	// rods and springs at 19 ms: parts of divided steps moved these arms by 7e-5 and 9e-6 rad
	for k, i := range append([]int{1, 81}, upTo(n)...) {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		if k < 2 {
			r = rand.New(rand.NewPCG(1795984602269819577, uint64(i)))
		}
		b, joints, what := randomDependentArm(r)
		if i%2 == 1 {
			what += addSprings(b, r)
		}
		bear(b, joints...)
		m, err := b.Build()
		if err != nil {
			t.Fatalf("arm %d: %v", i, err)
		}
		h := logUniform(r, 1e-3, 2e-2)
		s, x := start(t, m, 1)
		run(t, s, x, h, 20)
		yielded := farthest(x.Q, m.Start.Q)
		clear(x.V)
		x.EnergyReference = nil
		loaded := slices.Clone(x.Q)
		run(t, s, x, h, int(math.Round(10/h)))
		if far := farthest(x.Q, loaded); !(far <= 1e-6) || yielded > 1e-6+0.2*h*h {
			t.Errorf("arm %d (%s), h %.2g ms: joints move by %g rad in 10 s, and before, until they are loaded, by %g", i, what, 1e3*h, far, yielded)
		}
		s.Close()
	}
}

// delta is a Delta robot: three cranks, each with a pair of rods to a platform that floats. The rods are distances, or
// links on balls.
func delta(links bool) *Builder {
	b := NewBuilder()
	b.RelTol = 1e-11
	const base, crank, rod, platform, width, q = 0.2, 0.25, 0.5, 0.06, 0.05, 0.4
	// the platform's depth, by Pythagoras
	out := base + crank*math.Cos(q) - platform
	z := -crank*math.Sin(q) - math.Sqrt(rod*rod-out*out)
	X_WP := at(0, 0, z)
	b.AddBody("r.platform", BodySpec{Mass: 0.7, Com_B: &r3.Vec{0.01, 0.02, -0.03}, Inertia: &r3.Mat{2e-3, 0, 0, 0, 2e-3, 0, 0, 0, 3e-3}, Pose: X_WP})
	for k := range 3 {
		R := r3.RotRPY(0, 0, 2*math.Pi*float64(k)/3)
		X := r3.Pose{R: R, P: R.MulVec(r3.Vec{base, 0, 0})}
		name := fmt.Sprintf("crank%d", k)
		addLink(b, name, "", rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, X, 0.8, r3.Vec{0.1, 0, 0}, q)
		for side, y := range []float64{-width, width} {
			end := R.MulVec(r3.Vec{platform, y, 0})
			if !links {
				b.AddConstraint(fmt.Sprintf("rod%d%d", k, side), &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "r." + name, B: "r.platform"}, PointA: r3.Vec{crank, y, 0}, PointB: end})
				continue
			}
			// a rod that points down along its x axis
			tilt := math.Atan2(-crank*math.Sin(q)-z, -out)
			b.AddBody(fmt.Sprintf("r.rod%d%d", k, side), BodySpec{Mass: 0.1, Com_B: &r3.Vec{rod / 2, 0, 0}, Inertia: &r3.Mat{1e-5, 0, 0, 0, 2e-3, 0, 0, 0, 2e-3}, Joint: &JointSpec{
				Parent: "r." + name, Joint: rigid.Universal{Axes: [2]r3.Vec{{0, 1, 0}, {0, 0, 1}}}, Frames: &JointFrames{X_PF: at(crank, y, 0), X_BM: r3.PoseIdentity()}, Q: []float64{tilt - q, 0},
			}})
			p := r3.Vec{rod, 0, 0}
			b.AddConstraint(fmt.Sprintf("rod%d%d", k, side), &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: fmt.Sprintf("r.rod%d%d", k, side), B: "r.platform"}, PointA: &p, PointB: end}})
		}
	}
	return b
}

// A Delta robot, whose platform no joint holds, stands without gains.
func TestDeltaRobotsStandWithoutGains(t *testing.T) {
	for _, links := range []bool{false, true} {
		for _, h := range []float64{1e-3, 2e-2} {
			b := delta(links)
			bear(b, "j_crank0", "j_crank1", "j_crank2")
			m, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			if far := moved(t, m, h, 2); far > 1e-6 {
				t.Errorf("rods are links: %v, h %g s: it moves by %g", links, h, far)
			}
		}
	}
}

// palletizer is an arm with a turntable, whose forearm a crank at the shoulder moves by a parallelogram, and whose hand
// two more keep level, at the angles a of its upper arm and f of its forearm from the horizontal. It returns the
// efforts of shoulder and crank that carry it, by the principle of virtual work.
func palletizer(a, f float64) (b *Builder, shoulder, crank float64) {
	b = NewBuilder()
	b.RelTol = 1e-11
	const upper, fore, back = 0.8, 0.7, 0.2
	low, high := r3.Vec{-0.1, 0, 0.15}, r3.Vec{0.1, 0, 0.15} // pins of the triangle at the elbow
	addLink(b, "table", "", rigid.Revolute{Axis: r3.Vec{0, 0, 1}}, at(0, 0, 0.5), 20, r3.Vec{0.1, 0, 0.1}, 0.4)
	addLink(b, "upper", "r.table", aboutMinusY, at(0.2, 0, 0.3), 8, r3.Vec{0.35, 0, 0}, a)
	addLink(b, "fore", "r.upper", aboutMinusY, at(upper, 0, 0), 5, r3.Vec{0.3, 0, 0}, f-a)
	addLink(b, "crank", "r.table", aboutMinusY, at(0.2, 0, 0.3), 2, r3.Vec{0.1, 0, 0}, f+math.Pi)
	addLink(b, "rod", "r.crank", aboutMinusY, at(back, 0, 0), 1.5, r3.Vec{0.4, 0, 0}, a-f-math.Pi)
	closeLoop(b, "ball", "r.rod", r3.Vec{upper, 0, 0}, "r.fore", r3.Vec{-back, 0, 0})
	addLink(b, "triangle", "r.upper", aboutMinusY, at(upper, 0, 0), 1, r3.Vec{0, 0, 0.1}, -a)
	addLink(b, "level1", "r.table", aboutMinusY, at(0.2+low[0], 0, 0.3+low[2]), 0.7, r3.Vec{0.4, 0, 0}, a)
	addLink(b, "level2", "r.triangle", aboutMinusY, at(high[0], 0, high[2]), 0.6, r3.Vec{0.35, 0, 0}, f)
	addLink(b, "hand", "r.fore", aboutMinusY, at(fore, 0, 0), 4, r3.Vec{0.05, 0, -0.1}, -f)
	for i, c := range []struct {
		A, B string
		l    float64
		p    r3.Vec
	}{{"level1", "triangle", upper, low}, {"level2", "hand", fore, high}} {
		b.AddConstraint(fmt.Sprintf("level%d", i), &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: "r." + c.A, B: "r." + c.B}, PointA: &r3.Vec{c.l, 0, 0}, PointB: c.p}})
	}
	shoulder = 9.81 * math.Cos(a) * (8*0.35 + 1.5*0.4 + 0.7*0.4 + (5+1+0.6+4)*upper)
	crank = 9.81 * math.Cos(f) * (5*0.3 - 2*0.1 - 1.5*back + 0.6*0.35 + 4*fore)
	return b, shoulder, crank
}

// A palletizer carries its weight by shoulder and crank, at any angles, and stands without gains.
func TestPalletizersCarryTheirLoops(t *testing.T) {
	for _, q := range [][2]float64{{0.9, -0.3}, {1.5, 0.4}, {0.5, -1}} {
		b, shoulder, crank := palletizer(q[0], q[1])
		bear(b, "j_table", "j_upper", "j_crank")
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 5e-3, 1)
		for name, want := range map[string]float64{"table": 0, "upper": shoulder, "crank": crank} {
			near(t, name, Effort{m.Names.Drives["d.j_"+name]}.Value(s, x), want, 1e-6)
		}
		for _, h := range []float64{1e-3, 1e-2} {
			if far := moved(t, m, h, 2); far > 1e-6 {
				t.Errorf("h %g s: joints move by %g rad", h, far)
			}
		}
	}
}

// Computed torque without gains moves robots with followers, loops and floating bases as planned: errors are those of
// the step, of first order.
func TestComputedTorqueMovesWhatFollows(t *testing.T) {
	for _, c := range []struct {
		name   string
		build  func() *Builder
		joints []string
	}{
		{"mimic", func() *Builder { return mimicArm(0.3) }, []string{"j_one"}},
		{"parallelogram by ball", func() *Builder { return parallelogram("ball", 0.3) }, []string{"j_crank"}},
		{"parallelogram by rods", func() *Builder { return parallelogram("rods", 0.3) }, []string{"j_crank"}},
		{"parallelogram by weld", func() *Builder { return parallelogram("weld", 0.3) }, []string{"j_crank"}},
		{"delta", func() *Builder { return delta(false) }, []string{"j_crank0", "j_crank1", "j_crank2"}},
		{"delta of links", func() *Builder { return delta(true) }, []string{"j_crank0", "j_crank1", "j_crank2"}},
		{"palletizer", func() *Builder { b, _, _ := palletizer(0.9, -0.3); return b }, []string{"j_table", "j_upper", "j_crank"}},
		{"floating", floatingArm, []string{"j_one", "j_two"}},
	} {
		var worst [2]float64
		for k, h := range []float64{1e-3, 5e-4} {
			b := c.build()
			amplitude := kinds.Numbers{0.3, -0.2, 0.25}[:len(c.joints)]
			b.AddDrive("d", &RobotDrive{Robot: "r", Joints: c.joints, GravityCompensation: true, InverseDynamics: true,
				Target: &JointSines{Amplitude: amplitude, Frequency: 1, Ramp: 0.5}, Velocity: kinds.Numbers{10}})
			m, err := b.Build()
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			s, x := start(t, m, 1)
			q, v, a := make([]float64, len(c.joints)), make([]float64, len(c.joints)), make([]float64, len(c.joints))
			for range int(math.Round(0.7 / h)) {
				run(t, s, x, h, 1)
				robotsOf(m)[0].trajectory.At(x.Time, q, v, a)
				for i, dof := range robotsOf(m)[0].dofs {
					at := x.Q[m.Rigid.QStart(m.Rigid.LinkOfDof(dof))]
					worst[k] = max(worst[k], math.Abs(at-q[i]))
				}
			}
		}
		if ratio := worst[0] / worst[1]; worst[0] > 0.01 || ratio < 1.7 || ratio > 2.5 {
			t.Errorf("%s: errors %v rad: want first order", c.name, worst)
		}
	}
}

// floatingArm is an arm of two links on a base that floats.
func floatingArm() *Builder {
	b := NewBuilder()
	b.RelTol = 1e-11
	b.AddBody("r.base", BodySpec{Mass: 5, Com_B: &r3.Vec{0.02, 0.01, 0}, Inertia: &r3.Mat{0.05, 0, 0, 0, 0.06, 0, 0, 0, 0.04}, Pose: at(0, 0, 1)})
	addLink(b, "one", "r.base", aboutMinusY, at(0, 0, 0.1), 2, r3.Vec{0.25, 0, 0}, 0.3)
	addLink(b, "two", "r.one", rigid.Revolute{Axis: r3.Vec{0, -0.6, 0.8}}, at(0.5, 0, 0), 1, r3.Vec{0.2, 0, 0}, -0.4)
	return b
}

// A robot in free fall has no weight to carry.
func TestFallingRobotsCarryNoWeight(t *testing.T) {
	b := floatingArm()
	bear(b)
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 1e-3, 10)
	for _, joint := range []string{"j_one", "j_two"} {
		near(t, joint, Effort{m.Names.Drives["d."+joint]}.Value(s, x), 0, 1e-9)
	}
}

// walker is a trunk on legs with feet at points of the plane, each leg a slider; with masses of trunk and feet.
func walker(feet []r3.Vec, trunk float64, com r3.Vec) *Builder {
	b := NewBuilder()
	b.RelTol = 1e-10
	mat := constraints.DefaultContactMaterial()
	mat.Stiffness, mat.Friction, mat.StaticFriction = 1e7, 1, 1
	b.AddMaterial("m", mat)
	b.AddBody("ground", BodySpec{Fixed: true, Shapes: []ShapeSpec{{Shape: geometry.HalfSpace{}, Material: "m"}}})
	b.AddBody("r.trunk", BodySpec{Mass: trunk, Com_B: &com, Inertia: &r3.Mat{0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, Pose: at(0, 0, 0.53)})
	for i, p := range feet {
		name := fmt.Sprintf("foot%d", i)
		addLink(b, name, "r.trunk", rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}, at(p[0], p[1], -0.5), 0.5, r3.Vec{})
		b.bodyOf["r."+name].spec.Shapes = []ShapeSpec{{Shape: must(geometry.NewSphere(0.03)), Material: "m"}}
	}
	return b
}

// Legs support what their feet carry: with three feet the efforts follow from the moments of the weight, and the robot
// stands without gains.
func TestStandingRobotsCarryTheirWeightOnTheirFeet(t *testing.T) {
	feet := []r3.Vec{{0.3, 0, 0}, {-0.2, 0.25, 0}, {-0.2, -0.25, 0}}
	com := r3.Vec{0.05, -0.03, 0.1}
	b := walker(feet, 10, com)
	bear(b)
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 2e-3, 1)
	// lever rule of the trunk's weight alone: feet weigh on the ground themselves
	f0 := (com[0] + 0.2) / 0.5
	f1 := (1-f0)/2 + com[1]/0.5
	for i, share := range []float64{f0, f1, 1 - f0 - f1} {
		near(t, fmt.Sprintf("leg %d", i), Effort{m.Names.Drives[fmt.Sprintf("d.j_foot%d", i)]}.Value(s, x), -98.1*share, 1e-4)
	}
	run(t, s, x, 2e-3, 499)
	near(t, "height after 1 s", s.kin.Pose(m.Body("r.trunk")).P[2], 0.53, 2e-5)
}

// With gains a leg sinks no more than the ground gives way, and much less than without compensation.
func TestCompensatedLegsDoNotSink(t *testing.T) {
	sink := func(compensate bool) float64 {
		b := walker([]r3.Vec{{0.3, 0, 0}, {-0.2, 0.25, 0}, {-0.2, -0.25, 0}}, 10, r3.Vec{-0.1 / 3, 0, 0})
		b.AddDrive("d", &RobotDrive{Robot: "r", Kp: kinds.Numbers{2000}, Kd: kinds.Numbers{200}, GravityCompensation: compensate})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 2e-3, 1000)
		return 0.53 - s.kin.Pose(m.Body("r.trunk")).P[2]
	}
	near(t, "without compensation", sink(false), 98.1/3/2000, 1e-4)
	near(t, "with it", sink(true), 0, 2e-5)
}

// Feet only push: where the weight leans out beyond them, those that would pull carry nothing, and the robot tips over
// them as one body.
func TestFeetDoNotPull(t *testing.T) {
	feet := []r3.Vec{{0.3, 0.2, 0}, {0.3, -0.2, 0}, {-0.2, 0, 0}}
	b := walker(feet, 10, r3.Vec{0.45, 0, 0})
	bear(b)
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 2e-3, 1)
	for i := range feet {
		e := Effort{m.Names.Drives[fmt.Sprintf("d.j_foot%d", i)]}.Value(s, x)
		// the foot in the air is carried by its leg
		if i == 2 && !(e > 0.5*9.81) || i < 2 && !(e < -10) {
			t.Errorf("leg %d has the effort %g N", i, e)
		}
	}
	near(t, "velocity of the leg in the air", x.V[8], 0, 1e-2*2e-3*9.81)
}

// The inertia that gains of accelerations multiply has all that follows in it: from rest, away from the target by e,
// the first step gives the leader the velocity of a mass point.
func TestInertialGainsSeeWhatFollows(t *testing.T) {
	const h, k, d, e = 1e-3, 400, 40, 0.02
	for name, b := range map[string]*Builder{"mimic": mimicArm(0.3), "parallelogram": parallelogram("ball", 0.3)} {
		b.Gravity = r3.Vec{}
		joint := map[string]string{"mimic": "j_one", "parallelogram": "j_crank"}[name]
		b.AddDrive("d", &RobotDrive{Robot: "r", Joints: []string{joint}, Gains: "acceleration", Kp: kinds.Numbers{k}, Kd: kinds.Numbers{d},
			Target: &JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{0.3}}}}})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		follow := []float64{1, 0.8}
		if name == "parallelogram" {
			follow = []float64{1, -1, 1}
		}
		for i, w := range follow {
			x.Q[i] -= w * e
		}
		run(t, s, x, h, 1)
		near(t, name, x.V[0], h*k*e/(1+h*(h*k+d)), 2e-5)
	}
}

// A frame on a link that follows yields by its stiffness along the way that it can go: an unknown load of weight F
// pulls it by e with J·(K e + F) = 0, where J is the motion of the tip by its leader, follower included.
func TestFramesSeeWhatFollows(t *testing.T) {
	for _, name := range []string{"mimic", "parallelogram"} {
		var b *Builder
		var link, joint string
		var tip r3.Vec
		if name == "mimic" {
			b, link, joint, tip = mimicArm(0.3), "r.two", "j_one", r3.Vec{0.4, 0, 0}
		} else {
			b, link, joint, tip = parallelogram("ball", 0.3), "r.rocker", "j_crank", r3.Vec{0.3, 0, 0}
		}
		b.AddBody("load", BodySpec{Mass: 0.5, Com_B: &r3.Vec{}, Inertia: &r3.Mat{1e-5, 0, 0, 0, 1e-5, 0, 0, 0, 1e-5},
			Joint: &JointSpec{Parent: link, Joint: rigid.Weld{}, Frames: &JointFrames{X_PF: at(tip[0], tip[1], tip[2]), X_BM: r3.PoseIdentity()}}})
		frame := at(tip[0], tip[1], tip[2])
		b.AddDrive("d", &RobotDrive{Robot: "r", Joints: []string{joint}, GravityCompensation: true,
			Cartesian: &CartesianSpec{ToolFrame: ToolFrame{Link: strings.TrimPrefix(link, "r."), Tool: &frame}, Stiffness: 2000, Damping: 300}})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		load := m.Body("load")
		from := s.kin.Pose(load).P
		run(t, s, x, 2e-3, 3000)
		at := s.kin.Pose(load).P
		// the motion of the tip, by a small turn of the leader
		J := r3.Vec{-math.Sin(x.Q[0]), 0, math.Cos(x.Q[0])}.Scale(0.3)
		if name == "mimic" {
			J = r3.Vec{-math.Sin(x.Q[0]), 0, math.Cos(x.Q[0])}.Scale(0.5).Add(r3.Vec{-math.Sin(1.8 * x.Q[0]), 0, math.Cos(1.8 * x.Q[0])}.Scale(1.8 * 0.4))
		}
		force := from.Sub(at).Scale(2000).Add(r3.Vec{0, 0, -0.5 * 9.81})
		near(t, name+": moment on the leader", J.Dot(force), 0, 1e-3)
		if sunk := from[2] - at[2]; sunk < 1e-3 {
			t.Errorf("%s: the load sinks by %g m only", name, sunk)
		}
	}
}

// custom is a constraint of a program, of which it is not said whether it ties.
type custom struct{ dof int }

func (c custom) Append(k constraints.Kinematics, p *cliques.Problem) int {
	return (&constraints.JointSumLimit{JointSum: constraints.JointSum{Dofs: []int{c.dof}, Coefficients: []float64{1}}, Lower: -1, Upper: 1}).Append(k, p)
}

// Constraints of programs that act on joints which no drive moves are refused by name; of driven ones they are not
// asked.
func TestUnknownTiesAreRefusedByName(t *testing.T) {
	for joint, want := range map[string]string{"r.j_two": "constraint spring (sim.custom) ties the joint of r.two", "r.j_one": ""} {
		b := coupledArm(0.3)
		b.AddConstraint("spring", ConstraintFunc(func(r *Resolver) (constraints.Constraint, error) { return custom{must(r.Joint(joint))}, nil }))
		bear(b, "j_one")
		_, err := b.Build()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", joint, err)
		}
	}
}

// Steps allocate nothing, and have the same bits for any number of threads and after a restore.
func TestDependentRobotsAreRepeatable(t *testing.T) {
	for name, b := range map[string]*Builder{"delta": delta(true), "walker": walker([]r3.Vec{{0.3, 0, 0}, {-0.2, 0.25, 0}, {-0.2, -0.25, 0}}, 10, r3.Vec{})} {
		joints := []string{"j_crank0", "j_crank1", "j_crank2"}
		if name == "walker" {
			joints = nil
		}
		b.AddDrive("d", &RobotDrive{Robot: "r", Joints: joints, Kp: kinds.Numbers{500}, Kd: kinds.Numbers{20}, GravityCompensation: true, InverseDynamics: true,
			Target: &JointSines{Amplitude: kinds.Numbers{0.02}, Frequency: 2}, Velocity: kinds.Numbers{10}})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 2e-3, 50)
		half := *x.Clone()
		run(t, s, x, 2e-3, 50)
		s2, _ := start(t, m, 2)
		run(t, s2, &half, 2e-3, 50)
		if half.Hash() != x.Hash() {
			t.Errorf("%s: the restored run on two threads has other bits", name)
		}
		if n := alloctest.PerRun(50, func() { run(t, s, x, 2e-3, 1) }); n != 0 {
			t.Errorf("%s: %g allocations a step", name, n)
		}
	}
}
