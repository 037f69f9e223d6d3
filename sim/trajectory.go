package sim

// The joints of a robot follow a trajectory, a function q(t) of time that is continuous with its
// velocity. One through a table of positions q_i at times t_i is cubic between them,
//
//	q(t) = (2x³ − 3x² + 1) q_i + (x³ − 2x² + x) T v_i + (3x² − 2x³) q_{i+1} + (x³ − x²) T v_{i+1}   (1)
//	x = (t − t_i)/T,   T = t_{i+1} − t_i
//
// with the slope at a time that of the parabola through it and its neighbours, and rest at both
// ends. Source: the cubic is Hermite's; de Boor, "A practical guide to splines", chapter IV.

import (
	"sort"

	"github.com/curlfree/curlfree/motion"
)

// Trajectory is the motion of the joints of a robot: a function of time, immutable.
type Trajectory interface {
	// At writes positions q (m or rad), velocities v and accelerations a of all joints at time
	// t (s).
	At(t float64, q, v, a []float64)
}

// standing is a trajectory that stays where it is.
type standing []float64

// At implements Trajectory.
func (r standing) At(_ float64, q, v, a []float64) {
	copy(q, r)
	clear(v)
	clear(a)
}

// spline is the trajectory (1).
type spline struct {
	times []float64
	q, v  []float64 // of all joints at each time
}

// newSpline returns the trajectory through a table of positions (a row of n for each of the
// increasing times).
func newSpline(times, q []float64) *spline {
	n := len(q) / len(times)
	s := &spline{times, q, make([]float64, len(q))}
	for i := 1; i < len(times)-1; i++ {
		before, after := times[i]-times[i-1], times[i+1]-times[i]
		for j := range n {
			a := (q[i*n+j] - q[(i-1)*n+j]) / before
			b := (q[(i+1)*n+j] - q[i*n+j]) / after
			s.v[i*n+j] = (a*after + b*before) / (before + after)
		}
	}
	return s
}

// At implements Trajectory.
func (s *spline) At(t float64, q, v, a []float64) {
	n, last := len(q), len(s.times)-1
	i := sort.SearchFloat64s(s.times, t) - 1
	if i < 0 || i >= last {
		// before and after the table
		row := s.q[:n]
		if i >= last {
			row = s.q[last*n:]
		}
		standing(row).At(t, q, v, a)
		return
	}
	T := s.times[i+1] - s.times[i]
	x := (t - s.times[i]) / T
	for j := range q {
		p, u := s.q[i*n+j], s.v[i*n+j]*T
		d := s.q[(i+1)*n+j] - p
		w := s.v[(i+1)*n+j] * T
		// p + u x + c x² + e x³
		c, e := 3*d-2*u-w, u+w-2*d
		q[j] = p + x*(u+x*(c+x*e))
		v[j] = (u + x*(2*c+3*x*e)) / T
		a[j] = (2*c + 6*x*e) / (T * T)
	}
}

// passages are straight ways in joint space one after the other, each from rest to rest.
type passages struct {
	q     [][]float64 // corners
	start []float64   // time at which each way begins
	way   []motion.Passage
}

// At implements Trajectory.
func (p *passages) At(t float64, q, v, a []float64) {
	i := max(0, sort.Search(len(p.start), func(i int) bool { return p.start[i] > t })-1)
	if len(p.way) == 0 {
		standing(p.q[0]).At(t, q, v, a)
		return
	}
	s, ds, dds := p.way[i].At(t - p.start[i])
	for j := range q {
		d := p.q[i+1][j] - p.q[i][j]
		q[j], v[j], a[j] = p.q[i][j]+s*d, ds*d, dds*d
	}
}
