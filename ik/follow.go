package ik

// A step of differential inverse kinematics leaves an error of second order, and none of first order leads out of
// a singular position: an arm that is straight has no joint velocity along itself. Follow solves for the pose of the
// end of a step itself. Rounds of Gauss-Newton, each with the Jacobian of the last one, change the velocity by
//
//	min ½ |J h Δv − e|²_w + ½ d |h Δv|²,   lo ≤ v + Δv ≤ hi,   d = c e² + d0            (1)
//
// with c and d0 of reach.go, as long as the error falls. In a singular position no velocity of first order moves the
// frames along the part P e of the error, with the projector P on the directions of e that J does not reach: for it the
// position is a saddle of f(q) = ½ |J Δq|²_w + ½ |P e(q + Δq)|²_w. It has ways down along eigenvectors n of the Hessian
// of f with a negative eigenvalue λ,
//
//	q ← q ± a n,   a = |P e|_w √(2/|λ|)                                            (2)
//
// where P e(q ± a n) ≈ P e (1 − ½ |λ| a²/|P e|²_w) vanishes, and rounds (1) do the rest. Each eigenvector and sign is a
// branch of the solutions, such as the two elbows of a planar arm. Ways (2) begin at the start of the step: rounds (1)
// that fail there may have turned an arm about itself, so that its bends lie in planes of which none leads along P e.
// Where none does from the start, ways from the end of these rounds are tried. Source: damping as in reach.go;
// directions of negative curvature, Nocedal, Wright, "Numerical optimization", 2006, section 3.4.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// Followed is the result of Solver.Follow.
type Followed struct {
	Result
	// Position and Rotation are the largest errors of frames at the end of the step, m and rad.
	Position, Rotation float64
	// Branches is the number of branches on which the step may leave a singular position; 0 where it leaves none.
	Branches int
}

// branch is a way out of a singular position: velocities of the step, its errors (m, rad) and its largest velocity.
type branch struct {
	v                         []float64
	position, rotation, speed float64
	partial                   bool // limits of the step end it before the target
}

const (
	// followRounds bounds the rounds (1): two are usual, near singular positions the error falls by a quarter in each.
	followRounds = 60
	// followPatience is the number of rounds in which the error has to fall by a tenth.
	followPatience = 4
	// exact is the error of frames (m and rad) below which no round is worth its time.
	exact = 1e-10
	// singularError is the least error (m and rad) with which a singular position is left, singularValue the largest
	// singular value of J, as a share of the largest lever or of 1 for rotations, whose direction counts as one that J
	// does not reach, and singularCurvature the least |λ| as a share of |P e|_w times that lever.
	singularError, singularValue, singularCurvature = 1e-9, 1e-3, 1e-3
	// leastShare is the least share of a way (2) that limits of the step may leave of it.
	leastShare = 1e-6
)

// Follow takes a step of h seconds as Step does, and then as many rounds as bring the frames to their targets of the
// end of the step, within the limits of positions, velocities and distances. Where it starts in a singular
// position and the target is on the way out of it, it takes the branch of that number, from 0; see Followed.Branches.
// Velocities of targets are not needed, and gains are not used.
func (s *Solver) Follow(h float64, q, v []float64, branch int) (f Followed, err error) {
	w := &s.following
	w.q0, w.v0 = append(w.q0[:0], q...), append(w.v0[:0], v...)
	if f.Result, err = s.Step(h, q, v); err != nil {
		return f, err
	}
	lack := f.Lack
	if f.Position, f.Rotation, err = s.refine(h, q, v, !f.Braked, lack); err != nil {
		return f, err
	}
	if f.Position+f.Rotation > singularError {
		err = s.leave(h, q, v, !f.Braked, lack, branch, &f)
	}
	return f, err
}

// following is the memory of Follow.
type following struct {
	q0, v0       []float64 // at the start of the step
	lo, hi, near []float64 // limits of v, and of approaches of pairs
	q, v         []float64 // of a round, or of a branch
	start        []float64 // where branches begin
	branches     []branch
	rounds, v1   []float64 // q and v at the end of rounds (1) without a branch
	H, E         []float64 // Hessian of f and its eigenvectors
	g            []float64 // its gradient
	J, e, Pe     []float64 // of all frames, with roots of weights
	K, P         []float64 // J Jᵀ, and its eigenvectors
}

// refine takes rounds (1) from the positions q, which the velocities v lead to. It returns the errors that are left.
func (s *Solver) refine(h float64, q, v []float64, accelerate bool, lack float64) (position, rotation float64, err error) {
	w, n := &s.following, len(q)
	// the limits of the step, from its start
	s.place(w.q0)
	s.findPairs(h)
	s.setLimits(h, w.q0, w.v0, accelerate)
	w.lo, w.hi = append(w.lo[:0], s.box.lo...), append(w.hi[:0], s.box.hi...)
	w.near = append(w.near[:0], s.apart.lo...)
	w.q, w.v = slices.Grow(w.q[:0], n)[:n], slices.Grow(w.v[:0], n)[:n]
	copy(w.q, q)
	copy(w.v, v)
	position, rotation = s.Errors(q)
	p, r := position, rotation
	least, since := p+r, 0
	for range followRounds {
		e := p + r
		if e <= exact {
			break
		}
		clear(s.A)
		clear(s.P)
		s.place(w.q)
		for i := range s.Frames {
			f := s.Frames[i]
			f.W_W, f.V_W, f.Gain = r3.Vec{}, r3.Vec{}, 1/h
			s.addFrame(&f, h)
		}
		s.addDamping(errorDamping*e*e+leastDamping, q)
		s.box.resize(n)
		for i, x := range w.v {
			s.box.lo[i], s.box.hi[i] = w.lo[i]-x, w.hi[i]-x
		}
		for i := range s.near {
			closing := 0.0
			for j, x := range w.v {
				closing += s.rows[i*n+j] * x
			}
			s.apart.lo[i] = math.Min(w.near[i]-closing, 0)
		}
		clear(s.solution)
		if ok, err := s.minimize(); err != nil || !ok {
			return position, rotation, err
		}
		for i := range w.v {
			w.v[i] = math.Min(math.Max(w.v[i]+s.solution[i], w.lo[i]), w.hi[i])
			j := &s.robot.Joints[i]
			w.q[i] = w.q0[i] + h*w.v[i]
			if w.q0[i] >= j.Lower && w.q0[i] <= j.Upper {
				w.q[i] = math.Min(math.Max(w.q[i], j.Lower), j.Upper)
			}
		}
		if s.shortfall(h, w.q0, w.v) > lack {
			break
		}
		if p, r = s.Errors(w.q); p+r < position+rotation {
			copy(q, w.q)
			copy(v, w.v)
			position, rotation = p, r
		}
		// the error may rise in single rounds
		if p+r < 0.9*least {
			least, since = p+r, 0
		} else if since++; since > followPatience {
			break
		}
	}
	return position, rotation, nil
}

// Errors returns the largest errors of frames at joint positions, m and rad; 0 of what is free.
func (s *Solver) Errors(q []float64) (position, rotation float64) {
	s.place(q)
	return s.frameErrors()
}

// leave takes a branch out of a singular position, where the step starts or ends in one.
func (s *Solver) leave(h float64, q, v []float64, accelerate bool, lack float64, number int, f *Followed) error {
	w := &s.following
	w.rounds, w.v1 = append(w.rounds[:0], q...), append(w.v1[:0], v...)
	w.branches = w.branches[:0]
	for _, from := range [2][]float64{w.q0, w.rounds} {
		w.start = append(w.start[:0], from...)
		if err := s.findBranches(h, q, v, accelerate, lack, f); err != nil {
			return err
		}
		if len(w.branches) > 0 {
			break
		}
	}
	f.Branches = len(w.branches)
	copy(q, w.rounds)
	copy(v, w.v1)
	if f.Branches == 0 {
		return nil
	}
	take := &w.branches[min(number, f.Branches-1)]
	copy(v, take.v)
	f.Position, f.Rotation = take.position, take.rotation
	for i := range q {
		j := &s.robot.Joints[i]
		q[i] = math.Min(math.Max(w.q0[i]+h*v[i], math.Min(j.Lower, w.q0[i])), math.Max(j.Upper, w.q0[i]))
	}
	return nil
}

// findBranches adds the branches that lead from w.start, where that is singular. Their ways are tried in q and v.
func (s *Solver) findBranches(h float64, q, v []float64, accelerate bool, lack float64, f *Followed) error {
	w, n := &s.following, len(q)
	lever := s.linearize(w.start)
	norm := s.unreached(lever)
	if norm <= singularError {
		return nil
	}
	s.hessian(w.start, norm)
	eigenvectors(w.H, w.E, n)
	// the most curved first: its way is the shortest
	for {
		k := w.mostCurved(n, singularCurvature*norm*lever)
		if k < 0 {
			return nil
		}
		a := norm * math.Sqrt(2/-w.H[k*n+k])
		w.H[k*n+k] = 0
		first := math.Copysign(1, s.sideAwayFromLimits(n, k))
		for _, side := range [2]float64{first, -first} {
			way, cut := 0.0, false
			for i := range n {
				x := (w.start[i] + side*a*w.E[i*n+k] - w.q0[i]) / h
				v[i] = math.Min(math.Max(x, w.lo[i]), w.hi[i])
				q[i] = w.q0[i] + h*v[i]
				way += (q[i] - w.start[i]) * side * w.E[i*n+k]
				cut = cut || v[i] != x
			}
			position, rotation, err := s.refine(h, q, v, accelerate, lack)
			if err != nil {
				return err
			}
			if len(s.near) > 0 && s.shortfall(h, w.q0, v) > lack {
				continue
			}
			// limits of the step may leave the share way/a of (2), by whose square the error falls
			falls := f.Position + f.Rotation - position - rotation
			switch share := way / a; {
			case falls >= 0.9*(f.Position+f.Rotation):
				w.add(v, position, rotation, false)
			case cut && share > leastShare && falls >= 0.1*share*share*norm:
				w.add(v, position, rotation, true)
			}
		}
	}
}

// mostCurved returns the number of the least eigenvalue of H (n×n, diagonal) below −least; −1: there is none.
func (w *following) mostCurved(n int, least float64) int {
	k := -1
	for i := range n {
		if x := w.H[i*n+i]; x < -least && (k < 0 || x < w.H[k*n+k]) {
			k = i
		}
	}
	return k
}

// sideAwayFromLimits returns a number of the sign with which eigenvector k of n joints leads away from their limits, or
// else of the first joint that it moves, so that runs agree on it.
func (s *Solver) sideAwayFromLimits(n, k int) (sign float64) {
	w := &s.following
	for i := range n {
		j := &s.robot.Joints[i]
		if mid := 0.5 * (j.Lower + j.Upper); !math.IsInf(mid, 0) && !math.IsNaN(mid) {
			sign += w.E[i*n+k] * (mid - w.start[i]) / (j.Upper - j.Lower + 1)
		}
	}
	if math.Abs(sign) >= 1e-9 {
		return sign
	}
	for i := range n {
		if sign = w.E[i*n+k]; math.Abs(sign) > 1e-3 {
			break
		}
	}
	return sign
}

// add keeps a branch, behind those that are as good or better: first those that reach the target, the slowest first,
// then the others, the nearest first.
func (w *following) add(v []float64, position, rotation float64, partial bool) {
	speed := 0.0
	for _, x := range v {
		speed = math.Max(speed, math.Abs(x))
	}
	n := len(w.branches)
	w.branches = slices.Grow(w.branches, 1)[:n+1]
	b := w.branches[n] // with the memory that it had
	b.v, b.position, b.rotation, b.speed, b.partial = append(b.v[:0], v...), position, rotation, speed, partial
	i := n
	for ; i > 0 && b.before(&w.branches[i-1]); i-- {
		w.branches[i] = w.branches[i-1]
	}
	w.branches[i] = b
}

// before reports whether a branch is better than another one by more than round-off.
func (b *branch) before(o *branch) bool {
	switch {
	case b.partial != o.partial:
		return o.partial
	case b.partial:
		return (b.position+b.rotation)*(1+1e-9) < o.position+o.rotation
	}
	return b.speed*(1+1e-3) < o.speed
}

// linearize writes J and e of all frames at joint positions, rows times roots of weights, and returns the largest lever
// of a joint (m, at least 0.01).
func (s *Solver) linearize(q []float64) (lever float64) {
	w, n := &s.following, len(q)
	s.place(q)
	w.J, w.e = slices.Grow(w.J[:0], 6*len(s.Frames)*n), w.e[:0]
	for i := range s.Frames {
		f := &s.Frames[i]
		turn, way := s.errors(f)
		s.jacobian(f.Link, s.data.Pose(f.Link).Point(f.X_BF.P), s.J)
		for row := range 6 {
			weight, e := math.Sqrt(f.Rotation), turn[row%3]
			if row >= 3 {
				weight, e = math.Sqrt(f.Position), way[row-3]
			}
			w.e = append(w.e, weight*e)
			for _, x := range s.J[row*n : (row+1)*n] {
				w.J = append(w.J, weight*x)
			}
		}
		for j := range n {
			lever = math.Max(lever, r3.Vec{s.J[3*n+j], s.J[4*n+j], s.J[5*n+j]}.Norm())
		}
	}
	return math.Max(lever, 0.01)
}

// unreached writes P e, the part of the linearized error that J does not reach, with P as eigenvectors in w.P, and
// returns its norm.
func (s *Solver) unreached(lever float64) float64 {
	w := &s.following
	m, n := len(w.e), len(s.robot.Joints)
	w.K, w.P = slices.Grow(w.K[:0], m*m)[:m*m], slices.Grow(w.P[:0], m*m)[:m*m]
	for i := range m {
		for j := range m {
			sum := 0.0
			for k := range n {
				sum += w.J[i*n+k] * w.J[j*n+k]
			}
			w.K[i*m+j] = sum
		}
	}
	eigenvectors(w.K, w.P, m)
	least := singularValue * math.Max(lever, 1)
	for k := range m {
		if w.K[k*m+k] > least*least {
			for i := range m {
				w.P[i*m+k] = 0
			}
		}
	}
	return s.project()
}

// project writes P e and returns its norm.
func (s *Solver) project() (norm float64) {
	w := &s.following
	m := len(w.e)
	w.Pe = slices.Grow(w.Pe[:0], m)[:m]
	clear(w.Pe)
	for k := range m {
		sum := 0.0
		for i := range m {
			sum += w.P[i*m+k] * w.e[i]
		}
		norm += sum * sum
		for i := range m {
			w.Pe[i] += w.P[i*m+k] * sum
		}
	}
	return math.Sqrt(norm)
}

// slope writes the gradient −Jᵀ P e of ½ |P e|² at joint positions.
func (s *Solver) slope(q, g []float64) {
	w, n := &s.following, len(q)
	s.linearize(q)
	s.project()
	clear(g)
	for i, e := range w.Pe {
		for j := range g {
			g[j] -= w.J[i*n+j] * e
		}
	}
}

// hessian writes the Hessian of f at the positions q of J, by central differences of the gradient of its second part.
// Their width grows with √|P e|, as the way (2) does, and is a tenth of it, so that what differences leave out, which
// is the square of the width times the curvature of e squared, stays below λ.
func (s *Solver) hessian(q []float64, norm float64) {
	w, n := &s.following, len(q)
	w.H, w.E = slices.Grow(w.H[:0], n*n)[:n*n], slices.Grow(w.E[:0], n*n)[:n*n]
	w.g = slices.Grow(w.g[:0], n)[:n]
	w.q = append(w.q[:0], q...)
	w.K = append(w.K[:0], w.J...) // at q
	d := math.Min(0.1*math.Sqrt(norm), 1e-2)
	for i := range n {
		row := w.H[i*n : (i+1)*n]
		w.q[i] = q[i] + d
		s.slope(w.q, row)
		w.q[i] = q[i] - d
		s.slope(w.q, w.g)
		w.q[i] = q[i]
		for j := range row {
			row[j] = (row[j] - w.g[j]) / (2 * d)
		}
	}
	for i := range n {
		for j := range i + 1 {
			mean := 0.5 * (w.H[i*n+j] + w.H[j*n+i])
			for k := range len(w.e) {
				mean += w.K[k*n+i] * w.K[k*n+j]
			}
			w.H[i*n+j], w.H[j*n+i] = mean, mean
		}
	}
}
