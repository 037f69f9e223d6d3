package rigid

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// rightAngled returns a gimbal of any axes whose neighbours are at right angles.
func rightAngled(r *rand.Rand) Gimbal {
	across := func(a r3.Vec) r3.Vec { return a.Cross(randVec(r)).Unit() }
	a := randVec(r).Unit()
	b := across(a)
	return Gimbal{Axes: [3]r3.Vec{a, b, across(b)}}
}

// mixedChain returns a chain of two to five bricks on gimbals, universal joints, screws, balls and hinges, some of one
// axis with springs, with a root that floats or not, at random positions, whose fastest link turns by an angle (rad) in
// a step of h. With balls, gimbals are replaced by balls that move as they do.
func mixedChain(t testing.TB, seed uint64, kinds string, floating, balls bool, h, turn float64) *world {
	r := rand.New(rand.NewPCG(seed, 39))
	var links []LinkSpec
	for i := range 2 + r.IntN(4) {
		var joint Joint
		axis := randVec(r).Unit()
		switch kinds[r.IntN(len(kinds))] {
		case 'g':
			joint = rightAngled(r)
		case 'b':
			joint = Ball{}
		case 'u':
			joint = Universal{Axes: [2]r3.Vec{axis, randAcross(r, axis)}}
		case 's':
			joint = Screw{Axis: axis, Pitch: 0.2 * r.NormFloat64()}
		default:
			joint = Revolute{Axis: axis}
		}
		size := r3.Vec{0.05 + 0.3*r.Float64(), 0.05 + 0.3*r.Float64(), 0.1 + 0.4*r.Float64()}
		end := r3.Vec{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64(), 0.2}
		com := r3.Vec{0.05 * r.NormFloat64(), 0.05 * r.NormFloat64(), 0.5 * size[2]}
		mass, stiffness := math.Exp(0.5*r.NormFloat64()), 5*r.Float64()
		if i == 0 {
			if end = (r3.Vec{}); floating {
				joint = Floating{}
			}
		}
		l := brick(fmt.Sprint("link ", i), i-1, joint, mass, size, end, com)
		if _, nv := joint.Size(); nv == 1 && stiffness > 2.5 {
			l.Stiffness = stiffness
		}
		links = append(links, l)
	}
	w := newWorld(build(t, links...))
	move := make([]float64, len(w.v))
	for k := range move {
		move[k], w.v[k] = r.NormFloat64(), r.NormFloat64()
	}
	w.m.Displace(w.q, move)
	w.Place(0, h, w.q, w.v)
	fastest := 0.0
	for i := range links {
		fastest = math.Max(fastest, w.vel[i].w.Norm())
	}
	for k := range w.v {
		w.v[k] *= turn / (h * fastest)
	}
	if !balls {
		return w
	}
	// the same poses and angular velocities
	other := append([]LinkSpec(nil), links...)
	for i := range other {
		if _, ok := other[i].Joint.(Gimbal); ok {
			other[i].Joint = Ball{}
		}
	}
	b := newWorld(build(t, other...))
	for i := range links {
		nq, nv := links[i].Joint.Size()
		q, v := w.q[w.m.q0[i]:][:nq], w.v[w.m.v0[i]:][:nv]
		if j, ok := links[i].Joint.(Gimbal); ok {
			turn, spin := j.Pose_FM(q).R.Quat(), subspaceVelocity(j, q, v).w
			q, v = turn[:], spin[:]
		}
		copy(b.q[b.m.q0[i]:], q)
		copy(b.v[b.m.v0[i]:], v)
	}
	return b
}

// hopChecked takes a step, or returns the error of its joints.
func (w *world) hopChecked(h float64) error {
	q := append([]float64(nil), w.q...)
	w.hop(h)
	return w.CheckStep(h, w.p.V0, q)
}

// Gimbals move bodies as balls do, whatever their angles: chains of them are where chains of balls are, through gimbal
// lock too.
func TestGimbalsMoveAsBallsDo(t *testing.T) {
	n, seed := family(t, 40, 1000)
	const h = 0.01
	nearest := 1.0
	for i := range n {
		for k, turn := range []float64{0.02, 0.1, 0.02, 0.1} {
			at := seed + uint64(i)
			g, b := mixedChain(t, at, "ggur", i%2 == 0, false, h, turn), mixedChain(t, at, "ggur", i%2 == 0, true, h, turn)
			rule := timestep.Rule{Midpoint: k > 1, Damping: timestep.DefaultDamping}
			g.scheme, b.scheme = rule, rule
			if i%3 == 0 {
				g.gravity, b.gravity = gravity, gravity
			}
			least := 1.0
			for range 60 {
				if err := g.hopChecked(h); err != nil {
					t.Fatalf("chain %d: %v", at, err)
				}
				b.hop(h)
				middle := g.q
				if g.scheme.Midpoint {
					middle = g.Data.damped.middle.q
				}
				for k := range g.m.links {
					if j, ok := g.m.links[k].Joint.(Gimbal); ok {
						for _, q := range [2][]float64{g.q, middle} {
							H := nestedSubspace(&j.Axes, q[g.m.q0[k]:])
							least = math.Min(least, math.Abs(H.Det()))
						}
					}
				}
			}
			nearest = math.Min(nearest, least)
			g.Place(g.t, h, g.q, g.v)
			b.Place(b.t, h, b.q, b.v)
			for k := range g.x_WB {
				turned := g.x_WB[k].R.Mul(b.x_WB[k].R.T()).Quat().Log().Norm()
				// rates lose digits of the motion as the square of the distance from the lock; chains are chaotic
				if off := turned + g.x_WB[k].P.Sub(b.x_WB[k].P).Norm(); !(off <= 1e-9+1e-12/(least*least)) {
					t.Errorf("chain %d at %g rad a step: link %d is %g from where balls bring it, %g from the lock", at, turn, k, off, least)
					break
				}
			}
		}
	}
	t.Logf("nearest to the lock: |det H| = %.2g", nearest)
}

// A gimbal next to the lock moves as a ball to the digits that its rates have, and fails by name where they have none.
func TestGimbalsNextToTheLockMoveAsBallsOrFail(t *testing.T) {
	const h = 0.01
	for _, c := range []struct {
		off   float64
		tol   float64
		fails bool
	}{{1e-1, 1e-11, false}, {1e-3, 1e-9, false}, {1e-5, 1e-5, false}, {1e-7, 0, true}, {0, 0, true}} {
		r := newRand(7)
		for range 20 {
			chain := func(j Joint) *world {
				size := r3.Vec{0.1, 0.2, 0.35}
				return newWorld(build(t, brick("a", World, j, 1, size, r3.Vec{}, r3.Vec{0.05, 0.02, 0.03}), brick("b", 0, Revolute{Axis: r3.Vec{1, 0, 0}}, 1, size, r3.Vec{0.1, 0.2, 0.2}, r3.Vec{0, 0, 0.1})))
			}
			g, b := chain(Gimbal{}), chain(Ball{})
			q, spin := []float64{r.NormFloat64(), math.Pi/2 - c.off, r.NormFloat64()}, randVec(r).Unit().Scale(2)
			axes := Gimbal{}.axes()
			H, turn := nestedSubspace(&axes, q), Gimbal{}.Pose_FM(q).R.Quat()
			inv, _ := H.Inv()
			rates := inv.MulVec(spin)
			if c.off == 0 {
				rates = spin
			}
			copy(g.q, q)
			copy(g.v, rates[:])
			copy(b.q, turn[:])
			copy(b.v, spin[:])
			g.v[3], b.v[3] = 1, 1
			g.Place(0, h, g.q, g.v)
			if err := g.SingularJoint(0); (err != nil) != c.fails {
				t.Fatalf("%g from the lock: %v", c.off, err)
			} else if c.fails {
				if !errors.Is(err, ErrSingularJoint) || !strings.Contains(err.Error(), `"a"`) || !strings.Contains(err.Error(), "ball joint") {
					t.Errorf("the error names neither joint nor remedy: %v", err)
				}
				continue
			}
			for range 20 {
				if err := g.hopChecked(h); err != nil {
					t.Fatal(err)
				}
				b.hop(h)
			}
			g.Place(0, h, g.q, g.v)
			b.Place(0, h, b.q, b.v)
			if off := g.x_WB[1].R.Mul(b.x_WB[1].R.T()).Quat().Log().Norm() + math.Abs(g.KineticEnergy()/b.KineticEnergy()-1); !(off <= c.tol) {
				t.Errorf("%g from the lock: off by %g", c.off, off)
			}
		}
	}
}

// Angles of a gimbal count revolutions, also at several radians a step, and a pure turn of the second passes the lock.
func TestAnglesOfGimbalsAreContinuous(t *testing.T) {
	for axis := range 3 {
		for _, rate := range []float64{3, -40, 700} {
			q, v := []float64{0.3, 0.2, -0.4}, make([]float64, 3)
			if axis == 1 {
				q[0], q[2] = 0, 0 // else the turn does not stay one of the second
			}
			v[axis] = rate
			want := append([]float64(nil), q...)
			for k := range 100 {
				if err := (Gimbal{}).Step(0.013, q, v); err != nil {
					t.Fatalf("axis %d at %g rad/s, step %d: %v", axis, rate, k, err)
				}
				want[axis] += 0.013 * rate
				for i := range q {
					if math.Abs(q[i]-want[i]) > 1e-9*(1+math.Abs(want[i])) {
						t.Fatalf("axis %d at %g rad/s, step %d: angle %d is %g, want %g", axis, rate, k, i, q[i], want[i])
					}
				}
			}
		}
	}
}

// Axes that are not at right angles do not reach all rotations. Where the body would leave them, the step fails, and
// says why.
func TestSkewGimbalsFailWhereTheyReachNoFurther(t *testing.T) {
	j := Gimbal{Axes: [3]r3.Vec{{0, 0, 1}, {0, 0.6, 0.8}, {0, 0, 1}}} // the third within 2 acos 0.8 of the first
	w := newWorld(build(t, brick("head", World, j, 1, r3.Vec{0.1, 0.2, 0.3}, r3.Vec{}, r3.Vec{})))
	w.q[1] = 2.5
	w.v[1] = 1
	for range 500 {
		if err := w.hopChecked(0.01); err != nil {
			if !errors.Is(err, ErrSingularJoint) || !strings.Contains(err.Error(), `"head"`) || !strings.Contains(err.Error(), "not at right angles") {
				t.Errorf("unclear: %v", err)
			}
			return
		}
	}
	t.Error("passed")
}

// gains returns the largest gain of energy above that at the start, and the largest in one step, of the states of a
// run, relative to the largest kinetic energy.
func (w *world) gains(t testing.TB, T, h float64) (gain, jump float64) {
	energy := func() float64 {
		w.Place(w.t, h, w.q, w.v)
		return w.KineticEnergy() + w.PotentialEnergy(w.gravity) + w.SpringEnergy()
	}
	start := energy()
	last, kinetic := start, w.KineticEnergy()
	for w.t < T-h/2 {
		if err := w.hopChecked(h); err != nil {
			t.Errorf("at t = %g s: %v", w.t, err)
			break
		}
		e := energy()
		kinetic = math.Max(kinetic, w.KineticEnergy())
		gain, jump, last = math.Max(gain, e-start), math.Max(jump, e-last), e
	}
	return gain / kinetic, jump / kinetic
}

// The energy of free chains with gimbals, universal joints, screws, balls and hinges oscillates by what a leapfrog of
// first order leaves, below the bound of energy_limit.go: over all chains the largest gain falls as the step and that
// in one step as its square, and none is left in one chain, as jumps are that do not depend on the step.
// CURLFREE_LONG=1 takes 300.
func TestEnergyOfMixedChainsIsThatOfTheOrder(t *testing.T) {
	n, seed := family(t, 4, 300)
	const h, T = 0.01, 1.0
	for _, floating := range []bool{false, true} {
		for _, g := range []r3.Vec{{}, {0, 0, -0.3}} { // a weight that makes them little faster than they are
			var gains, jumps [3]float64
			worst, worstJump, above := 0.0, 0.0, 0
			for i := range n {
				at := seed + uint64(i)
				var gain, jump [3]float64
				for k, step := range [3]float64{h, h / 4, h / 16} {
					w := mixedChain(t, at, "gusbr", floating, false, h, 0.02)
					w.gravity = g
					gain[k], jump[k] = w.gains(t, T, step)
					gains[k], jumps[k] = gains[k]+gain[k], jumps[k]+jump[k]
				}
				if !(gain[0] <= 1.1*energyMargin) {
					t.Errorf("chain %d, floating %v, gravity %g: gains %.4f of its energy", at, floating, g.Norm(), gain[0])
				}
				if !(gain[2] <= 0.5*max(gain[0], gain[1])+1e-3) || !(jump[2] <= 0.4*max(jump[0], jump[1])+1e-3) {
					t.Errorf("chain %d, floating %v, gravity %g: gains %.5f of its energy at steps of 10 ms, a quarter and a sixteenth, in one step %.5f: not by the order", at, floating, g.Norm(), gain, jump)
				}
				worst, worstJump = max(worst, gain[0]), max(worstJump, jump[0])
				if gain[0] > 0.01 {
					above++
				}
			}
			t.Logf("floating %v, gravity %.3g: of %d chains %d gain more than 1 %%, at most %.4f; in one step %.4f; falling as %.3f and %.3f", floating, g.Norm(), n, above, worst, worstJump, gains[2]/gains[1], jumps[2]/jumps[1])
			if !(gains[2] <= 0.35*gains[1]+1e-3) || !(jumps[2] <= 0.15*jumps[1]+1e-3) {
				t.Errorf("floating %v, gravity %g: at a quarter of the step gains are %.3f, those of one step %.3f of what they were, want a quarter and a sixteenth", floating, g.Norm(), gains[2]/gains[1], jumps[2]/jumps[1])
			}
		}
	}
}
