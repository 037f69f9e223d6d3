package ik

// A step of differential inverse kinematics leaves an error of second order, and none of first order leads out of
// a singular position: an arm that is straight has no joint velocity along itself. Follow solves for the pose of the
// end of a step itself. Rounds of Gauss-Newton, each with the Jacobian of the last one, change the velocity by
//
//	min ½ |J h Δv − e|²_w + ½ d |h Δv|²,   lo ≤ v + Δv ≤ hi,   d = c e² + d0            (1)
//
// with c and d0 of reach.go, as long as the error falls. In a singular position Jᵀ w e = 0 although e ≠ 0: a saddle of
// f(q) = ½ |e(q)|²_w. It has ways down along eigenvectors n of the Hessian of f with a negative eigenvalue λ,
//
//	q ← q ± a n,   a = |e|_w √(2/|λ|)                                              (2)
//
// where e(q ± a n) ≈ e (1 − ½ |λ| a²/|e|²_w) vanishes, and rounds (1) do the rest. Each eigenvector and sign is a branch
// of the solutions, such as the two elbows of a planar arm. Source: damping as in reach.go; directions of negative
// curvature, Nocedal, Wright, "Numerical optimization", 2006, section 3.4.

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
}

const (
	// followRounds bounds the rounds (1): two are usual, near singular positions the error falls by a quarter in each.
	followRounds = 60
	// followPatience is the number of rounds in which the error has to fall by a tenth.
	followPatience = 4
	// exact is the error of frames (m and rad) below which no round is worth its time.
	exact = 1e-10
	// singularError is the least error (m and rad) with which a singular position is left, singularSlope the gradient |Jᵀ w e| of one
	// as a share of |e|_w times the largest lever, and singularCurvature the least |λ| as a share of |e|_w times it.
	singularError, singularSlope, singularCurvature = 1e-9, 1e-3, 1e-3
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
	H, E         []float64 // Hessian of f and its eigenvectors
	g            []float64 // its gradient
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
		if ok, err := s.minimise(); err != nil || !ok {
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

// leave takes a branch out of a singular position, where q is in one.
func (s *Solver) leave(h float64, q, v []float64, accelerate bool, lack float64, number int, f *Followed) error {
	w, n := &s.following, len(q)
	w.g = slices.Grow(w.g[:0], n)[:n]
	norm, lever := s.slope(q, w.g)
	slope := 0.0
	for _, x := range w.g {
		slope += x * x
	}
	if math.Sqrt(slope) > singularSlope*norm*lever {
		return nil
	}
	s.hessian(q, norm)
	eigenvectors(w.H, w.E, n)
	w.start = append(w.start[:0], q...)
	w.branches = w.branches[:0]
	before := append(w.g[:0], v...) // the gradient is not needed any more
	// the most curved first: its way is the shortest
	for {
		k := -1
		for i := range n {
			if x := w.H[i*n+i]; x < -singularCurvature*norm*lever && (k < 0 || x < w.H[k*n+k]) {
				k = i
			}
		}
		if k < 0 {
			break
		}
		a := norm * math.Sqrt(2/-w.H[k*n+k])
		w.H[k*n+k] = 0
		// first the sign that leads away from limits, then that of the first joint, so that runs agree on it
		sign := 0.0
		for i := range n {
			j := &s.robot.Joints[i]
			if mid := 0.5 * (j.Lower + j.Upper); !math.IsInf(mid, 0) && !math.IsNaN(mid) {
				sign += w.E[i*n+k] * (mid - w.start[i]) / (j.Upper - j.Lower + 1)
			}
		}
		if math.Abs(sign) < 1e-9 {
			for i := range n {
				if sign = w.E[i*n+k]; math.Abs(sign) > 1e-3 {
					break
				}
			}
		}
		for _, side := range [2]float64{math.Copysign(1, sign), -math.Copysign(1, sign)} {
			for i := range n {
				v[i] = math.Min(math.Max((w.start[i]+side*a*w.E[i*n+k]-w.q0[i])/h, w.lo[i]), w.hi[i])
				q[i] = w.q0[i] + h*v[i]
			}
			position, rotation, err := s.refine(h, q, v, accelerate, lack)
			if err != nil {
				return err
			}
			if position+rotation > 0.1*(f.Position+f.Rotation) || len(s.near) > 0 && s.shortfall(h, w.q0, v) > lack {
				continue
			}
			w.add(v, position, rotation)
		}
	}
	f.Branches = len(w.branches)
	copy(v, before)
	if f.Branches > 0 {
		take := &w.branches[min(number, f.Branches-1)]
		copy(v, take.v)
		f.Position, f.Rotation = take.position, take.rotation
	}
	for i := range q {
		q[i] = w.start[i]
		if f.Branches > 0 {
			j := &s.robot.Joints[i]
			q[i] = math.Min(math.Max(w.q0[i]+h*v[i], math.Min(j.Lower, w.q0[i])), math.Max(j.Upper, w.q0[i]))
		}
	}
	return nil
}

// add keeps a branch, behind those that are as fast or slower: of branches that differ in speed the slowest comes first.
func (w *following) add(v []float64, position, rotation float64) {
	speed := 0.0
	for _, x := range v {
		speed = math.Max(speed, math.Abs(x))
	}
	n := len(w.branches)
	w.branches = slices.Grow(w.branches, 1)[:n+1]
	b := w.branches[n] // with the memory that it had
	b.v, b.position, b.rotation, b.speed = append(b.v[:0], v...), position, rotation, speed
	i := n
	for ; i > 0 && w.branches[i-1].speed > speed*(1+1e-3); i-- {
		w.branches[i] = w.branches[i-1]
	}
	w.branches[i] = b
}

// slope writes the gradient −Jᵀ w e of f at joint positions, and returns |e|_w and the largest lever of a joint (m, at least 0.01).
func (s *Solver) slope(q, g []float64) (norm, lever float64) {
	clear(s.A)
	clear(s.P)
	s.place(q)
	for i := range s.Frames {
		f := s.Frames[i]
		f.W_W, f.V_W, f.Gain = r3.Vec{}, r3.Vec{}, 1
		s.addFrame(&f, 1)
		turn, way := s.errors(&f)
		norm += f.Position*way.Dot(way) + f.Rotation*turn.Dot(turn)
		n := len(q)
		for j := range n {
			lever = math.Max(lever, r3.Vec{s.J[3*n+j], s.J[4*n+j], s.J[5*n+j]}.Norm())
		}
	}
	for i, x := range s.P {
		g[i] = -x
	}
	return math.Sqrt(norm), math.Max(lever, 0.01)
}

// hessian writes the Hessian of f, by central differences of its gradient. Their width grows with √|e|, as the way (2) does, and is a tenth of it, so
// that what differences leave out, which is the square of the width times the curvature of e squared, stays below λ.
func (s *Solver) hessian(q []float64, norm float64) {
	w, n := &s.following, len(q)
	w.H, w.E = slices.Grow(w.H[:0], n*n)[:n*n], slices.Grow(w.E[:0], n*n)[:n*n]
	w.q = append(w.q[:0], q...)
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
		for j := range i {
			mean := 0.5 * (w.H[i*n+j] + w.H[j*n+i])
			w.H[i*n+j], w.H[j*n+i] = mean, mean
		}
	}
}

// eigenvectors turns a symmetric n×n matrix H into the diagonal of its eigenvalues, with eigenvectors in the columns of E, by Jacobi's rotations.
func eigenvectors(H, E []float64, n int) {
	clear(E)
	for i := range n {
		E[i*n+i] = 1
	}
	const sweeps = 60
	for range sweeps {
		off, all := 0.0, 0.0
		for i := range n {
			for j := range n {
				if all += H[i*n+j] * H[i*n+j]; i != j {
					off += H[i*n+j] * H[i*n+j]
				}
			}
		}
		if off <= 1e-36*all {
			return
		}
		for p := range n {
			for r := p + 1; r < n; r++ {
				if H[p*n+r] == 0 {
					continue
				}
				theta := (H[r*n+r] - H[p*n+p]) / (2 * H[p*n+r])
				t := math.Copysign(1, theta) / (math.Abs(theta) + math.Hypot(theta, 1))
				c := 1 / math.Hypot(t, 1)
				rotate(H, E, n, p, r, c, t*c)
			}
		}
	}
}

// rotate applies Gᵀ H G and E G with the rotation G in the plane of the columns p and r.
func rotate(H, E []float64, n, p, r int, c, s float64) {
	for k := range n {
		a, b := H[k*n+p], H[k*n+r]
		H[k*n+p], H[k*n+r] = c*a-s*b, s*a+c*b
		a, b = E[k*n+p], E[k*n+r]
		E[k*n+p], E[k*n+r] = c*a-s*b, s*a+c*b
	}
	for k := range n {
		a, b := H[p*n+k], H[r*n+k]
		H[p*n+k], H[r*n+k] = c*a-s*b, s*a+c*b
	}
}
