package mjcf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// randomIn returns a vector of a cube.
func randomIn(rng *rand.Rand, size float64) r3.Vec {
	return r3.Vec{size * (2*rng.Float64() - 1), size * (2*rng.Float64() - 1), size * (2*rng.Float64() - 1)}
}

// randomTurn returns a rotation and the quaternion that writes it.
func randomTurn(rng *rand.Rand) (r3.Mat, string) {
	q := r3.Quat{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Unit()
	return q.Mat(), robottest.Numbers(q[:]...)
}

// bodyTwin is a body of a random world.
type bodyTwin struct {
	parent      int  // body, 0 the world
	jointed     bool // else it is fixed on its parent
	is, touches uint32
	shaped      bool
}

// Links touch unless the file excludes the pair, no shapes of them match by contype and
// conaffinity, they are fixed to each other, or one is the parent of the other and not
// fixed to the world.
func TestPairsOfRandomWorldsFollowTheRules(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	excludedPairs := 0
	for range 300 {
		n := 3 + rng.IntN(6)
		bodies := []bodyTwin{{}}
		for i := 1; i < n; i++ {
			b := bodyTwin{parent: rng.IntN(i), jointed: rng.IntN(3) > 0, shaped: rng.IntN(4) > 0}
			if b.parent == 0 && i > 1 {
				b.parent = 1 // one tree
			}
			for b.is|b.touches == 0 {
				b.is, b.touches = uint32(rng.IntN(4)), uint32(rng.IntN(4))
			}
			bodies = append(bodies, b)
		}
		bodies[1].jointed = true // the world is a link
		excluded := map[[2]int]bool{}
		for range rng.IntN(3) {
			a, b := 1+rng.IntN(n-1), 1+rng.IntN(n-1)
			excluded[[2]int{min(a, b), max(a, b)}] = true
		}
		m, _, err := Parse(strings.NewReader(writeWorld(bodies, excluded)), "r.xml", nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		name := func(i int) string { return fmt.Sprintf("b%d", i) }
		// the moving body that a body is fixed on, 0 for the world
		var top func(i int) int
		top = func(i int) int {
			if i == 0 || bodies[i].jointed {
				return i
			}
			return top(bodies[i].parent)
		}
		for i := 1; i < n; i++ {
			for j := i + 1; j < n; j++ {
				a, b := &bodies[i], &bodies[j]
				p, q := top(i), top(j)
				parents := p != 0 && q != 0 && (top(bodies[p].parent) == q || top(bodies[q].parent) == p)
				match := a.is&b.touches != 0 || b.is&a.touches != 0
				want := excluded[[2]int{i, j}] || a.shaped && b.shaped && p != q && (parents || !match)
				k := slices.IndexFunc(m.Links, func(l robot.Link) bool { return l.Name == name(i) })
				l := slices.IndexFunc(m.Links, func(l robot.Link) bool { return l.Name == name(j) })
				if got := slices.Contains(m.ExcludedPairs, [2]int{min(k, l), max(k, l)}); got != want {
					t.Fatalf("seed %d: %d and %d excluded: %v, want %v, in\n%s", seed, i, j, got, want, writeWorld(bodies, excluded))
				}
				if want {
					excludedPairs++
				}
			}
		}
	}
	if excludedPairs < 500 {
		t.Errorf("only %d pairs were excluded", excludedPairs)
	}
}

// writeWorld writes bodies with a sphere each.
func writeWorld(bodies []bodyTwin, excluded map[[2]int]bool) string {
	var write func(i int) string
	write = func(i int) (s string) {
		for k := 1; k < len(bodies); k++ {
			if b := &bodies[k]; b.parent == i {
				inside := heavy
				if b.jointed {
					inside += "<joint/>"
				}
				if b.shaped {
					inside += fmt.Sprintf("<geom size='1' contype='%d' conaffinity='%d'/>", b.is, b.touches)
				}
				s += fmt.Sprintf("<body name='b%d'>%s%s</body>\n", k, inside, write(k))
			}
		}
		return s
	}
	s := "<mujoco><worldbody>" + write(0) + "</worldbody><contact>"
	for p := range excluded {
		s += fmt.Sprintf("<exclude body1='b%d' body2='b%d'/>", p[1], p[0])
	}
	return s + "</contact></mujoco>"
}

// The mass properties of a body of boxes and balls are those of its parts, moved by
// Steiner's theorem: I = Σ R I_k Rᵀ + m_k (|d|² 1 − d dᵀ), d from the common centre.
func TestRandomBodiesWeighAsTheirParts(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	for range 200 {
		type part struct {
			mass float64
			p    r3.Vec
			I    r3.Mat
		}
		var parts []part
		geoms, mass, com := "", 0.0, r3.Vec{}
		for range 1 + rng.IntN(4) {
			R, quat := randomTurn(rng)
			p, density, half := randomIn(rng, 1), 100+900*rng.Float64(), randomIn(rng, 0.1).Add(r3.Vec{0.15, 0.15, 0.15})
			k := part{p: p}
			if rng.IntN(2) == 0 {
				k.mass = density * 8 * half[0] * half[1] * half[2]
				x, y, z := half[0]*half[0], half[1]*half[1], half[2]*half[2]
				k.I = R.Mul(r3.Diag(r3.Vec{y + z, x + z, x + y}.Scale(k.mass / 3))).Mul(R.T())
				geoms += fmt.Sprintf("<geom type='box' size='%s'", robottest.Numbers(half[:]...))
			} else {
				k.mass = density * 4 / 3 * math.Pi * half[0] * half[0] * half[0]
				k.I = r3.Identity().Scale(0.4 * k.mass * half[0] * half[0])
				geoms += fmt.Sprintf("<geom type='sphere' size='%s'", robottest.Numbers(half[0]))
			}
			if rng.IntN(2) == 0 {
				geoms += fmt.Sprintf(" density='%s'", robottest.Numbers(density))
			} else {
				geoms += fmt.Sprintf(" mass='%s'", robottest.Numbers(k.mass))
			}
			geoms += fmt.Sprintf(" pos='%s' quat='%s'/>\n", robottest.Numbers(p[:]...), quat)
			parts, mass, com = append(parts, k), mass+k.mass, com.AddScaled(k.mass, p)
		}
		com = com.Scale(1 / mass)
		var I r3.Mat
		for _, k := range parts {
			d := k.p.Sub(com)
			I = I.Add(k.I).Add(r3.Identity().Scale(k.mass * d.Dot(d))).Sub(r3.Outer(d, d).Scale(k.mass))
		}
		m, _ := model(t, world("<body>"+geoms+"</body>"))
		want := robot.Inertial{Mass: mass, Com: com, Inertia: I}
		if d := robottest.Differences(*m.Links[0].Inertial, want, 1e-12); len(d) > 0 {
			t.Fatalf("seed %d: %q in\n%s", seed, d, geoms)
		}
	}
}

// Where a joint stands at its ref, the body is where the file puts it, whatever the place
// of the joint: X_PF · joint(ref) · X_CM⁻¹ is the pose of the body.
func TestBodiesAreInPlaceAtTheReferenceOfTheirJoint(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 3))
	for range 200 {
		R, quat := randomTurn(rng)
		p, pos, axis, ref := randomIn(rng, 1), randomIn(rng, 1), randomIn(rng, 1), 4*rng.Float64()-2
		kind := []string{"hinge", "slide"}[rng.IntN(2)]
		m := one(t, `<compiler angle="radian"/>`+world(fmt.Sprintf(`<body>%s<body pos="%s" quat="%s">%s<joint type="%s" pos="%s" axis="%s" ref="%s"/></body></body>`,
			heavy, robottest.Numbers(p[:]...), quat, heavy, kind, robottest.Numbers(pos[:]...), robottest.Numbers(axis[:]...), robottest.Numbers(ref))))
		j := m.Joints[0]
		X_JM := r3.Pose{R: r3.Identity(), P: j.Axis.Scale(ref)}
		if kind == "hinge" {
			X_JM = r3.Pose{R: r3.RotExp(j.Axis.Scale(ref))}
		}
		X := j.X_PF.Mul(X_JM).Mul(j.X_CM.Inv())
		if d := X.P.Sub(p).Norm() + math.Sqrt(X.R.Sub(R).Norm2()); d > 1e-13 || j.StartPosition != ref {
			t.Fatalf("seed %d: %s: off by %g, starts at %g, not %g", seed, kind, d, j.StartPosition, ref)
		}
	}
}

// The ends of a shape between two points are these points.
func TestShapesReachFromPointToPoint(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 4))
	for range 200 {
		a, b := randomIn(rng, 1), randomIn(rng, 1)
		if rng.IntN(4) == 0 { // along z, up or down
			b = a.Add(r3.Vec{0, 0, rng.Float64() - 0.5})
		}
		m := one(t, world(fmt.Sprintf(`<body>%s<geom type="capsule" size="0.1" fromto="%s"/></body>`, heavy, robottest.Numbers(append(a[:], b[:]...)...))))
		g := m.Links[0].Collisions[0]
		half := g.Capsule.Length / 2
		from, to := g.X_LG.Point(r3.Vec{0, 0, half}), g.X_LG.Point(r3.Vec{0, 0, -half})
		if from.Sub(a).Norm() > 1e-13 || to.Sub(b).Norm() > 1e-13 || g.Capsule.Radius != 0.1 {
			t.Fatalf("seed %d: from %v to %v, want %v to %v", seed, from, to, a, b)
		}
	}
}
