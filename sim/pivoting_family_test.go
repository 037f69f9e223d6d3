package sim

// A family of bodies that roll, slide, pivot and topple, each with a closed form or an
// integral for its truth. Sizes, masses, friction and steps of 0.5 to 10 ms are drawn. A few
// draws of a fixed seed run in every test; CURLFREE_LONG=1 runs many of a fresh seed, which is
// logged, and CURLFREE_SEED repeats them. All use the default contact law and friction lag.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// pivotScenes are the scenes by their names.
var pivotScenes = map[string]func(p *pivotDraw){}

// pivotDraw is one draw of a scene, and what it finds.
type pivotDraw struct {
	*scaffold
	t      testing.TB
	rand   *rand.Rand
	h      float64 // step, s
	size   float64 // of the body, m
	mass   float64 // kg
	stiff  float64 // stiffness of materials, N/m
	text   string  // what was drawn, in words
	faults []string
}

// newPivotDraw makes draw i of a scene.
func newPivotDraw(t testing.TB, name string, seed, i uint64) *pivotDraw {
	for _, c := range name {
		seed = seed*31 + uint64(c)
	}
	r := rand.New(rand.NewPCG(seed, i))
	p := &pivotDraw{scaffold: newScaffold(t), t: t, rand: r, h: logUniform(r, 5e-4, 1e-2), size: logUniform(r, 0.03, 0.3), mass: logUniform(r, 0.05, 5)}
	// weights press surfaces in by 10⁻⁴ of the size
	p.stiff = 2 * p.mass * grav / (1e-4 * p.size)
	return p
}

// between draws a number.
func (p *pivotDraw) between(lo, hi float64) float64 { return lo + (hi-lo)*p.rand.Float64() }

// side draws a factor beyond a threshold: above 1, or below.
func (p *pivotDraw) side(least, most float64) (factor float64, above bool) {
	if above = p.rand.IntN(2) == 0; above {
		return 1 + p.between(least, most), true
	}
	return 1 - p.between(least, most), false
}

// say notes what was drawn.
func (p *pivotDraw) say(format string, args ...any) { p.text = fmt.Sprintf(format, args...) }

// near finds a fault where a number differs from its truth.
func (p *pivotDraw) near(what string, got, want, tol float64) {
	if !(math.Abs(got-want) <= tol) {
		p.faults = append(p.faults, fmt.Sprintf("%s is %.5g, want %.5g within %.2g", what, got, want, tol))
	}
}

// is finds a fault where a fact differs from the truth.
func (p *pivotDraw) is(what string, got, want bool) {
	if got != want {
		p.faults = append(p.faults, fmt.Sprintf("%s: %t, want %t", what, got, want))
	}
}

// incline turns gravity, as a plane that rises by the angle would.
func (p *pivotDraw) incline(angle float64) {
	y, x := math.Sincos(angle)
	p.Gravity = r3.Vec{grav * y, 0, -grav * x}
}

// surface appends a material of the draw's stiffness and a friction.
func (p *pivotDraw) surface(mu float64) int { return p.material(p.stiff, 20, mu) }

// take steps for a time, at least once.
func (p *pivotDraw) take(s *Stepper, x *State, seconds float64) {
	run(p.t, s, x, p.h, max(1, int(seconds/p.h+0.5)))
}

// depth is how far a weight presses surfaces in.
func (p *pivotDraw) depth() float64 { return 1e-4 * p.size }

// round adds a body of mass m and the moment of inertia c m R² about its axis or centre: a
// ball, or a cylinder along y, of radius size, that stands on z = 0.
func (p *pivotDraw) round(ball bool, c float64, om, u r3.Vec, mat int) int {
	R, I := p.size, p.mass*p.size*p.size
	// a cylinder stands on two points, each of the stiffness of the materials
	X := r3.Pose{R: r3.RotExp(r3.Vec{math.Pi / 2, 0, 0}), P: r3.Vec{0, 0, R - p.depth()/2}}
	shape, inertia := must2[geometry.Shape](geometry.NewCylinder(R, R)), r3.Diag(r3.Vec{I, I, c * I})
	if ball {
		X.P[2] = R - p.depth()
		shape, inertia = p.sphere(R), r3.Diag(r3.Vec{c * I, c * I, c * I})
	}
	b := p.body("body", shape, p.mass, X, om, u, mat)
	p.spec(b).Inertial = &geometry.MassProperties{Mass: p.mass, Inertia: inertia}
	return b
}

// must2 returns a value as an interface, or panics.
func must2[I any, T any](x T, err error) I { return any(must(x, err)).(I) }

// tilt returns the angle between the axes z of a free body and of the world.
func tilt(s *Stepper, body int) float64 {
	return math.Acos(math.Max(-1, math.Min(1, s.kin.Pose(body).R.MulVec(r3.Vec{0, 0, 1})[2])))
}

// swing integrates d²θ/dt² = f(θ) from θ0 at the rate w0 until θ passes the end, and returns the
// time and the rate.
func swing(theta, w, end float64, f func(theta float64) float64) (t, rate float64) {
	const dt = 1e-5
	up := end > theta
	for ; (theta < end) == up && t < 100; t += dt {
		// Störmer–Verlet
		w += dt / 2 * f(theta)
		theta += dt * w
		w += dt / 2 * f(theta)
	}
	return t, w
}

func TestPivotingRollingAndTopplingBodiesKeepTheirClosedForms(t *testing.T) {
	seed, n := shots(t, 3)
	if n > 100 {
		n = 100
	}
	if len(pivotScenes) < 30 {
		t.Errorf("%d scenes", len(pivotScenes))
	}
	for name, scene := range pivotScenes {
		t.Run(name, func(t *testing.T) {
			failed := 0
			for i := range n {
				p := newPivotDraw(t, name, seed, uint64(i))
				scene(p)
				if len(p.faults) > 0 {
					if failed++; failed <= 5 {
						t.Errorf("draw %d: %s, size %.3g m, mass %.3g kg, h %.3g ms: %v", i, p.text, p.size, p.mass, 1e3*p.h, p.faults)
					}
				}
			}
			if failed > 0 {
				t.Errorf("%d of %d draws", failed, n)
			}
		})
	}
}

// pull applies a constant force or torque to a joint.
func (p *pivotDraw) pull(joint string, effort float64) {
	p.AddDrive("pull of "+joint, &JointDrive{Joint: joint, FeedForward: motion.Constant(effort)})
}
