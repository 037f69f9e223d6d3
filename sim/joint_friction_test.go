package sim

// Dry friction of joints: chains whose joints are loaded by a part of their friction stand but for creep of the
// stiction tolerance, what is loaded more slides as Coulomb's law says, and breaks away at its static friction. The
// derivatives of steps are those of whole steps on both sides.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// frictionChain is a random chain of joints with friction, loaded by shares of it.
type frictionChain struct {
	h, scale         float64 // step, s; size of links
	friction, static []float64
	shares           []float64
	tolerance        float64 // of stiction; 0: default
	sliding          float64 // 0: the default, or that of stiction where it is given
	law              int
}

// newFrictionChain draws chain number i of a seed: shares of the friction from lo to hi.
func newFrictionChain(seed, i uint64, lo, hi float64) (*frictionChain, *rand.Rand) {
	r := rand.New(rand.NewPCG(seed, i))
	c := &frictionChain{h: logUniform(r, 5e-4, 2e-2), scale: logUniform(r, 0.02, 1), law: r.IntN(3)}
	if r.IntN(2) == 0 {
		c.tolerance = logUniform(r, 1e-7, 1e-4)
	}
	weight := 1000 * math.Pow(c.scale, 3) * 9.81
	for range 1 + r.IntN(4) {
		c.friction = append(c.friction, weight*logUniform(r, 0.1, 10))
		c.shares = append(c.shares, (lo+(hi-lo)*r.Float64())*float64(1-2*r.IntN(2)))
		c.static = append(c.static, 0)
	}
	return c, r
}

// build returns a chain in no gravity with constant efforts of its joints.
func (c *frictionChain) build(t testing.TB, r *rand.Rand) (*Stepper, *State) {
	b := NewBuilder()
	b.Gravity, b.RelTol = r3.Vec{}, 1e-10
	b.Contact = [3]constraints.ContactModel{
		constraints.Lagged{StictionTolerance: c.tolerance, SlidingTolerance: c.sliding}, constraints.Similar{StictionTolerance: c.tolerance, SlidingTolerance: c.sliding},
		constraints.SAP{StictionTolerance: c.tolerance, SlidingTolerance: c.sliding},
	}[c.law]
	parent := ""
	for k, f := range c.friction {
		var joint rigid.Joint = rigid.Revolute{Axis: randomDirection(r)}
		if r.IntN(3) == 0 {
			joint = rigid.Prismatic{Axis: randomDirection(r)}
		}
		mass := 1000 * math.Pow(c.scale, 3) * logUniform(r, 0.3, 3)
		I := r3.Diag(r3.Vec{1, 1, 1}.Scale(mass * c.scale * c.scale / 12))
		name := fmt.Sprint("link", k)
		b.AddBody(name, BodySpec{Mass: mass, Inertia: &I, Pose: at3(randomDirection(r).Scale(c.scale * float64(k))),
			Joint: &JointSpec{Joint: joint, Parent: parent, Point: randomDirection(r).Scale(c.scale / 2), Friction: f, StaticFriction: c.static[k]}})
		b.AddDrive("load"+name, &JointDrive{Joint: name, FeedForward: motion.Constant(c.shares[k] * f)})
		parent = name
	}
	s, err := NewStepper(b.MustBuild(), Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, s.Model.Start.Clone()
}

// at3 returns a pose without rotation.
func at3(p r3.Vec) r3.Pose { return r3.Pose{R: r3.Identity(), P: p} }

// Joints loaded by up to 95 % of their friction creep at ε x/√(1 − x²), ε the stiction tolerance, 1e-6 by default, and
// have gone no farther than that and the way of one step under their load.
func TestJointsLoadedBelowTheirFrictionStand(t *testing.T) {
	seed, n := shots(t, 40)
	for i := range uint64(n) {
		c, r := newFrictionChain(seed, i, 0, 0.95)
		s, x := c.build(t, r)
		const steps = 60
		for range steps {
			if err := s.Step(x, c.h); err != nil {
				t.Fatalf("chain %d of seed %d: %v", i, seed, err)
			}
		}
		// ε² = ε₀² + (v/20)² where it follows the velocity
		eps, grows, fastest := c.tolerance, 0.0, 0.0
		if eps == 0 {
			eps, grows = constraints.DefaultStictionTolerance, 1./400
		}
		for _, share := range c.shares {
			fastest = max(fastest, eps*math.Abs(share)/math.Sqrt(1-share*share))
		}
		for k, share := range c.shares {
			creep := eps * share / math.Sqrt(1-share*share*(1+grows))
			// the bound of the conditioning is 1e-9 of what friction takes from the joint in a step
			if off := math.Abs(x.V[k] - creep); !(off <= 1e-3*math.Abs(creep)+1e-8*c.h*c.friction[k]*s.mobility(k)) {
				t.Errorf("chain %d of seed %d: joint %d moves at %.4g, creep of %.0f %% at h = %.2g is %.4g", i, seed, k, x.V[k], 100*share, c.h, creep)
			}
			if way := math.Abs(x.Q[k]); way > (steps+20)*c.h*fastest+1e-6*c.h*c.h*c.friction[k]*s.mobility(k) {
				t.Errorf("chain %d of seed %d: joint %d went %.3g in %d steps, creep is %.3g", i, seed, k, way, steps, steps*c.h*creep)
			}
		}
	}
}

// mobility returns the inverse of the inertia that a joint feels, other joints free.
func (s *Stepper) mobility(dof int) float64 {
	c := &s.Problem.Cliques[0]
	n := c.Size
	col := make([]float64, n)
	col[dof] = 1
	A := slices.Clone(c.A)
	for k := range n { // Gauss without pivoting: A is positive definite
		for i := k + 1; i < n; i++ {
			f := A[i*n+k] / A[k*n+k]
			for j := k; j < n; j++ {
				A[i*n+j] -= f * A[k*n+j]
			}
			col[i] -= f * col[k]
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			col[k] -= A[k*n+j] * col[j]
		}
		col[k] /= A[k*n+k]
	}
	return col[dof]
}

// A joint under more than its friction f slides as (load − f) t/I; one of static friction fs stands below fs, and above
// it slides against f.
func TestJointsSlideBeyondTheirFriction(t *testing.T) {
	seed, n := shots(t, 40)
	for i := range uint64(n) {
		c, r := newFrictionChain(seed, i, 1.05, 4)
		c.friction, c.shares, c.static = c.friction[:1], c.shares[:1], c.static[:1]
		c.tolerance, c.sliding = min(c.tolerance, 1e-5), constraints.DefaultSlidingTolerance
		f, share := c.friction[0], math.Abs(c.shares[0])
		stands := false
		if r.IntN(2) == 0 {
			c.static[0] = f * (1 + (share-1)*2*r.Float64())
			// not at the very edge
			stands = c.static[0] > share*f
			if math.Abs(c.static[0]/f-share) < 0.02*share {
				continue
			}
		}
		s, x := c.build(t, r)
		const steps = 50
		for range steps {
			if err := s.Step(x, c.h); err != nil {
				t.Fatalf("chain %d of seed %d: %v", i, seed, err)
			}
		}
		accelerates := f * s.mobility(0) * (share - 1)
		want := math.Copysign(steps*c.h*accelerates, c.shares[0])
		if stands {
			if !(math.Abs(x.V[0]) < 1e-3*math.Abs(want)) {
				t.Errorf("chain %d of seed %d: a load of %.3g of the friction moves a joint of static friction %.3g at %g", i, seed, share, c.static[0]/f, x.V[0])
			}
			continue
		}
		// friction is static until the joint moves by ten sliding tolerances: a step of breaking away and those below
		// it
		tol := 2e-4*math.Abs(want) + 5*c.sliding/(share-1) // friction is less than f below some sliding tolerances
		if c.static[0] > f {
			tol += 2*(c.static[0]-f)*s.mobility(0)*c.h + 40*c.sliding*(c.static[0]/f-1)/(share-c.static[0]/f)
		}
		if math.Abs(x.V[0]-want) > tol {
			t.Errorf("chain %d of seed %d: load %.3g of the friction, static %.3g: slides at %g after %d steps, want %g ± %g", i, seed, share, c.static[0]/f, x.V[0], steps, want, tol)
		}
	}
}

// Derivatives of steps are those of differences of whole steps where joints stick, slip, and switch between them.
func TestJointFrictionHasDerivatives(t *testing.T) {
	seed, n := shots(t, 25)
	refused := 0
	for i := range uint64(n) {
		c, r := newFrictionChain(seed, i, 0.9, 1.1)
		c.law, c.h = r.IntN(2), min(c.h, 5e-3)
		c.tolerance = logUniform(r, 1e-5, 1e-2)
		for k := range c.static {
			if r.IntN(2) == 0 {
				c.static[k] = c.friction[k] * (1 + 0.2*r.Float64())
			}
		}
		s, x := c.build(t, r)
		s.Model.RelTol = 1e-14
		nx := 2 * len(x.V)
		fx := make([]float64, nx*nx)
		for step := range 6 {
			// what turns fast has limits of its own, energy_limit.go of package rigid
			if slices.ContainsFunc(x.V, func(v float64) bool { return math.Abs(v)*c.h > 0.1 }) {
				break
			}
			l, err := s.Linearize(x, c.h)
			if errors.Is(err, ErrNotDifferentiable) {
				refused++
				break
			} else if err != nil {
				t.Fatalf("chain %d of seed %d: %v", i, seed, err)
			}
			if err := l.Jacobian(fx, nil); err != nil {
				t.Fatalf("chain %d of seed %d: %v", i, seed, err)
			}
			dx := make([]float64, nx)
			for k := range dx {
				dx[k] = r.NormFloat64()
				if k < nx/2 {
					dx[k] *= c.h
				}
			}
			// displacements well within the slip tolerance
			eps := 1e-3 * c.tolerance
			var ends [2]*State
			for side, w := range [2]float64{eps, -eps} {
				y := x.Clone()
				y.EnergyReference = nil
				s.Model.MoveState(y, w, dx)
				if err := s.Step(y, c.h); err != nil {
					t.Fatal(err)
				}
				ends[side] = y
			}
			want := make([]float64, nx)
			s.Model.StateDifference(ends[1], ends[0], want)
			size := 0.0
			for k := range want {
				want[k] /= 2 * eps
				size = max(size, math.Abs(want[k]))
			}
			for k := range want {
				got := 0.0
				for j, d := range dx {
					got += fx[k*nx+j] * d
				}
				// solutions are known to the noise of the solver over the width
				if math.Abs(got-want[k]) > 2e-4*size+1e-15/eps {
					t.Errorf("chain %d of seed %d, step %d, tolerance %.1e: derivative %d is %g, by whole steps %g", i, seed, step, c.tolerance, k, got, want[k])
					break
				}
			}
			if err := s.Step(x, c.h); err != nil {
				t.Fatal(err)
			}
		}
	}
	if refused > n/20 {
		t.Errorf("%d of %d chains refused", refused, n)
	}
}
