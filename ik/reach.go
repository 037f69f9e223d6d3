package ik

// Search of joint positions by the Levenberg-Marquardt method from several starts. With the errors
// e_t of the frames at q (m, rad), an iteration takes the change Δq that is the minimum of
//
//	½ Σ_t |J_t Δq − e_t|²_{w_t} + ½ (c e² + d0) |Δq|²                              (1)
//
// within limits of position, distances of pairs and |Δq| ≤ 0.6: the problem of the package for a step
// of 1 s, in which velocities are changes of positions. c and d0 are errorDamping and leastDamping,
// e the sum of the largest errors of position and rotation.
// A start ends at a minimum of the errors that need not be zero; other starts lead to other minima.
import (
	"fmt"
	"math"
)

// Search has the settings of Solver.Reach.
type Search struct {
	// Restarts is the number of starts after the first; 0: 30.
	Restarts int
	// Iterations is the largest number of iterations from one start; 0: 100.
	Iterations int
	// PositionTol and RotationTol are the errors of frames at which they count as reached, m
	// and rad; 0: 1e-7.
	PositionTol, RotationTol float64
}

// Reached is the result of Solver.Reach.
type Reached struct {
	// OK reports whether all frames have reached their targets.
	OK bool
	// Position and Rotation are the largest errors of frames at the positions found, m and rad.
	Position, Rotation float64
	// Starts is the number of starts that were tried.
	Starts int
}

// Err returns an error with the remaining distance and angle, nil where the targets are
// reached.
func (r Reached) Err() error {
	if r.OK {
		return nil
	}
	return fmt.Errorf("out of reach: %d starts came no nearer than %.3g m and %.3g rad", r.Starts, r.Position, r.Rotation)
}

// Steps of the search.
const (
	// largestTurn bounds the change of a joint in an iteration, rad or m.
	largestTurn = 0.6
	// errorDamping is the damping per square of the error of frames: far from the target the
	// linearization is poor.
	errorDamping = 1e-2
	// leastDamping is what is left of it at the target, s²/rad².
	leastDamping = 1e-10
	// patience is the number of iterations in which the error has to fall by a tenth.
	patience = 12
)

// Reach searches joint positions at which all frames are at their targets, within the limits of
// positions and distances. It starts from q, then from positions that fill the limits evenly, and
// takes the first that it finds; then, or where it finds none, q is the best one. Source: the
// damping by the square of the error is Sugihara's, "Solvability-unconcerned inverse
// kinematics by the Levenberg-Marquardt method", IEEE T-RO 27, 2011.
func (s *Solver) Reach(q []float64, o Search) (Reached, error) {
	n := len(s.robot.Joints)
	if len(q) != n {
		return Reached{}, fmt.Errorf("ik: %d positions for %d joints that move: give one for each", len(q), n)
	}
	if err := s.checkTasks(); err != nil {
		return Reached{}, err
	}
	if err := s.checkPairs(); err != nil {
		return Reached{}, err
	}
	o.fill()
	best := Reached{Position: math.Inf(1), Rotation: math.Inf(1)}
	at, start := make([]float64, n), append([]float64(nil), q...)
	for i := range o.Restarts + 1 {
		s.start(i, start, at)
		r, err := s.descend(at, &o)
		if err != nil {
			return best, err
		}
		r.Starts = i + 1
		// m and rad are added as they are: the sum only orders starts that failed
		if r.OK || r.Position+r.Rotation < best.Position+best.Rotation {
			best = r
			copy(q, at)
		}
		best.Starts = i + 1
		if r.OK {
			break
		}
	}
	return best, nil
}

// fill sets what is not given.
func (o *Search) fill() {
	if o.Restarts == 0 {
		o.Restarts = 30
	}
	if o.Iterations == 0 {
		o.Iterations = 100
	}
	if o.PositionTol == 0 {
		o.PositionTol = 1e-7
	}
	if o.RotationTol == 0 {
		o.RotationTol = 1e-7
	}
}

// start writes start number i: the first is that given, within the limits, the others follow
// the Weyl sequence of the square roots of primes, which fills the limits evenly.
func (s *Solver) start(i int, first, q []float64) {
	prime := 1
	for k := range q {
		j := &s.robot.Joints[k]
		// half a turn to either side: a hinge without limits has all angles, a slide a finite interval
		lo, hi := math.Max(j.Lower, first[k]-math.Pi), math.Min(j.Upper, first[k]+math.Pi)
		prime = nextPrime(prime)
		if i == 0 {
			q[k] = math.Min(math.Max(first[k], j.Lower), j.Upper)
			continue
		}
		// the fraction of ½ + i √p with a prime p for each joint, in [0, 1)
		_, u := math.Modf(0.5 + float64(i)*math.Sqrt(float64(prime)))
		q[k] = lo + u*(hi-lo)
	}
}

// nextPrime returns the least prime above p.
func nextPrime(p int) int {
	for p++; ; p++ {
		prime := true
		for d := 2; d*d <= p; d++ {
			prime = prime && p%d != 0
		}
		if prime {
			return p
		}
	}
}

// descend iterates from q until the frames are reached or the error falls no more.
func (s *Solver) descend(q []float64, o *Search) (r Reached, err error) {
	least, since := math.Inf(1), 0
	v := make([]float64, len(q))
	for range o.Iterations {
		s.place(q)
		r.Position, r.Rotation = s.frameErrors()
		e := r.Position + r.Rotation
		if r.Position <= o.PositionTol && r.Rotation <= o.RotationTol {
			// a distance may be short although frames are reached: then the next start is tried
			r.OK = s.clear()
			return r, nil
		}
		if e < 0.9*least {
			least, since = e, 0
		} else if since++; since > patience {
			return r, nil
		}
		if err := s.iterate(q, v, errorDamping*e*e+leastDamping); err != nil {
			return r, err
		}
	}
	return r, nil
}

// iterate takes one step of the search.
func (s *Solver) iterate(q, v []float64, damping float64) error {
	s.findPairs(1)
	clear(s.A)
	clear(s.P)
	for i := range s.Frames {
		f := s.Frames[i] // without the motion and the gain of a tracker
		f.W_W, f.V_W, f.Gain = [3]float64{}, [3]float64{}, 0
		// the damping that a tracker needs is left out: (1) has its own
		s.addFrame(&f, 1)
	}
	s.addDamping(damping, q)
	// limits of the step: those of positions, and of its size
	clear(v)
	s.setLimits(1, q, v, false)
	for i := range q {
		j := &s.robot.Joints[i]
		s.box.lo[i] = math.Max(math.Min(j.Lower-q[i], 0), -largestTurn)
		s.box.hi[i] = math.Min(math.Max(j.Upper-q[i], 0), largestTurn)
	}
	clear(s.solution)
	if _, err := s.minimize(); err != nil {
		return err
	}
	s.clampSolution()
	for i := range q {
		j := &s.robot.Joints[i]
		q[i] = math.Min(math.Max(q[i]+s.solution[i], j.Lower), j.Upper)
	}
	return nil
}

// frameErrors returns the largest errors of the frames at the placed positions.
func (s *Solver) frameErrors() (position, rotation float64) {
	for i := range s.Frames {
		f := &s.Frames[i]
		turn, way := s.errors(f)
		if f.Position > 0 {
			position = math.Max(position, way.Norm())
		}
		if f.Rotation > 0 {
			rotation = math.Max(rotation, turn.Norm())
		}
	}
	return position, rotation
}

// clear reports whether all pairs keep their margin at the placed positions.
func (s *Solver) clear() bool {
	if len(s.Pairs) == 0 {
		return true
	}
	copy(s.geometry.X_WB, s.data.Poses())
	for i := range s.Pairs {
		if c, ok := s.distance(i); ok && c.Phi < s.Margin-distanceTol {
			return false
		}
	}
	return true
}
