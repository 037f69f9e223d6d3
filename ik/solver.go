package ik

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Solver solves inverse kinematics of one robot. Its settings may change between steps. Steps
// allocate nothing after the first ones. A solver serves one goroutine at a time.
type Solver struct {
	// Frames are the tasks of frames.
	Frames []Frame
	// Posture is the task of preferred joint positions.
	Posture Posture
	// Damping is d of equation (1) of the package, the damping of damped least squares,
	// s²/rad². The wanted velocity of a frame along a singular vector of J with the
	// singular value σ and the weight w is followed up to the relative error d/(w σ²).
	// NewSolver sets 1e-6.
	Damping float64
	// Pairs are pairs of bodies that keep a minimum distance (collision avoidance).
	Pairs []Pair
	// Margin is the least distance of a pair, m.
	Margin float64
	// Influence is the distance below which a pair counts, m: more than Margin, and more
	// than two bodies close in a step.
	Influence float64
	// Rate bounds the approach of a pair: its speed over its distance above the margin, 1/s;
	// 0: half of that distance in a step.
	Rate float64

	robot     Robot          // a copy of its joints
	data      *rigid.Data    // links at the placed positions
	geometry  *geometry.Data // shapes at the placed positions; nil: none
	columns   []int          // joint of each velocity of the model, or −1
	position  []int          // index in q of each joint
	all, zero []float64      // positions and velocities of all joints of the model
	other     [1]int         // B of a pair, as the list that queries of distance take

	A, P, J    []float64       // matrix and vector of the objective; Jacobian of a point
	near       []near          // pairs with a row in this step
	rows       []float64       // Jacobian of the pairs
	next       []float64       // positions at the end of the step
	problem    cliques.Problem // (1) and (2) of the package
	convex     convex.Solver   // keeps its memory between steps
	box, apart interval        // limits of joints, and of pairs
	solution   []float64       // v of the minimum, rad/s or m/s
	following  following       // memory of Follow
}

// Result describes the outcome of a step.
type Result struct {
	// Braked reports that the acceleration limits were exceeded, because limits of position
	// or distances could not be kept otherwise.
	Braked bool
	// Lack is the largest amount by which the distance of a pair is less than the margin
	// at the end of the step, m. It is above 0 only where the distance was less than the
	// margin at the start, too.
	Lack float64
}

// NewSolver returns a solver. Joints that do not move stand at zero until SetPositions.
func NewSolver(r Robot) (*Solver, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	r.Joints = slices.Clone(r.Joints)
	n := len(r.Joints)
	s := &Solver{
		Damping: 1e-6, robot: r, data: r.Rigid.NewData(), columns: make([]int, r.Rigid.NumV()),
		A: make([]float64, n*n), P: make([]float64, n), J: make([]float64, 6*n), next: make([]float64, n), solution: make([]float64, n),
	}
	s.all, s.zero = r.Rigid.Start()
	for i := range s.columns {
		s.columns[i] = -1
	}
	for i, j := range r.Joints {
		s.columns[j.Dof] = i
		s.position = append(s.position, r.Rigid.QStart(r.Rigid.LinkOfDof(j.Dof)))
	}
	if r.Geometry != nil {
		s.geometry = geometry.NewData(r.Geometry)
	}
	// limits are met to round-off, see interval.go
	s.convex.RelTol = 1e-12
	return s, nil
}

// SetPositions sets the positions (NumQ) of all joints of the model. Joints that are not in
// Robot.Joints keep them.
func (s *Solver) SetPositions(q []float64) { copy(s.all, q) }

// Pose returns X_WF of the frame of a task at joint positions q.
func (s *Solver) Pose(task int, q []float64) r3.Pose {
	s.place(q)
	f := &s.Frames[task]
	return s.data.Pose(f.Link).Mul(f.X_BF)
}

// place places the links at joint positions q.
func (s *Solver) place(q []float64) {
	for i, k := range s.position {
		s.all[k] = q[i]
	}
	s.data.Place(0, 1, s.all, s.zero)
}

// jacobian writes the Jacobian of a point of a link, 6×n.
func (s *Solver) jacobian(link int, p_W r3.Vec, J []float64) {
	s.data.Jacobian(link, p_W, s.columns, len(s.robot.Joints), J)
}

// Step takes a step of h seconds: from the joint positions q and the velocities v of the last
// step it writes those at its end, both in the order of Robot.Joints. Positions, velocities
// and distances are within their limits then; see Result for what may yield.
func (s *Solver) Step(h float64, q, v []float64) (Result, error) {
	n := len(s.robot.Joints)
	if len(q) != n || len(v) != n || !(h > 0) || math.IsInf(h, 1) {
		return Result{}, fmt.Errorf("ik: a step of %g s with %d positions and %d velocities for %d joints that move: give one of each for every joint, and a positive step", h, len(q), len(v), n)
	}
	if err := s.checkTasks(); err != nil {
		return Result{}, err
	}
	if err := s.checkPairs(); err != nil {
		return Result{}, err
	}
	// Jacobians and distances are those at the start of the step
	s.place(q)
	s.findPairs(h)
	s.objective(h, q, s.Damping)
	r, err := s.within(h, q, v)
	if err != nil {
		return r, err
	}
	// the state at the end, within the limits of positions to the last bit
	copy(v, s.solution)
	for i := range q {
		j := &s.robot.Joints[i]
		if x := q[i] + h*v[i]; q[i] >= j.Lower && q[i] <= j.Upper {
			q[i] = math.Min(math.Max(x, j.Lower), j.Upper)
		} else {
			q[i] = x
		}
	}
	return r, nil
}

// objective writes A and P of the tasks at the placed positions.
func (s *Solver) objective(h float64, q []float64, damping float64) {
	clear(s.A)
	clear(s.P)
	for i := range s.Frames {
		damping += s.addFrame(&s.Frames[i], h)
	}
	s.addPosture(q)
	s.addDamping(damping, q)
}

// correctionRounds bounds the number of times that rows of pairs are shifted, halvings how
// often a step is shortened then.
const (
	correctionRounds = 4
	halvings         = 8
)

// within minimizes the objective within all limits, those of acceleration included unless
// they exclude the others.
func (s *Solver) within(h float64, q, v []float64) (r Result, err error) {
	// the guess is that of the state, so that a step is a function of its arguments
	copy(s.solution, v)
	for _, accelerate := range [2]bool{true, false} {
		s.setLimits(h, q, v, accelerate)
		ok, err := s.minimize()
		if err != nil {
			return r, err
		}
		// links turn within the step: what (1) of pairs.go leaves out is measured and added to the rows
		lack := s.shortfall(h, q, s.solution)
		for round := 0; ok && lack > 0 && round < correctionRounds; round++ {
			if ok, err = s.minimize(); err != nil {
				return r, err
			}
			lack = s.shortfall(h, q, s.solution)
		}
		if r.Lack = lack; ok && lack == 0 {
			return r, nil
		}
		// the second try has no limits of acceleration
		r.Braked = true
	}
	// v = 0 fulfils limits of position, velocity and distance, so that a shorter way does
	for range halvings {
		s.clampSolution()
		if r.Lack = s.shortfall(h, q, s.solution); r.Lack == 0 {
			return r, nil
		}
		for i := range s.solution {
			s.solution[i] *= 0.5
		}
	}
	// joints that stand still keep the distances of the start
	clear(s.solution)
	r.Lack = s.shortfall(h, q, s.solution)
	return r, nil
}

// setLimits writes the limits of joints and of pairs.
func (s *Solver) setLimits(h float64, q, v []float64, accelerate bool) {
	s.box.resize(len(q))
	for i := range q {
		s.box.lo[i], s.box.hi[i] = s.robot.Joints[i].bounds(h, q[i], v[i], accelerate)
	}
	rate := s.Rate
	if rate == 0 || rate > 1/h {
		rate = 0.5 / h
	}
	s.apart.resize(len(s.near))
	for i, k := range s.near {
		// a pair that is too near need not part, which may be impossible
		s.apart.lo[i] = math.Min(0, -rate*(k.phi-s.Margin))
		s.apart.hi[i] = math.Inf(1)
	}
}

// Solves for multipliers.
const (
	// limitTol is by how much a solution may break a limit before clampSolution, rad/s or m/s.
	limitTol = 1e-10
	// maxSolves bounds the solves of one problem; two or three are usual.
	maxSolves = 40
	// contraction is the factor by which violations fall within patientSolves where limits
	// have a common point.
	contraction, patientSolves = 0.5, 3
)

// minimize writes the minimum of the objective within the limits to the solution; false where no
// velocities fulfil them.
func (s *Solver) minimize() (ok bool, err error) {
	n, p := len(s.robot.Joints), &s.problem
	p.Reset(0, 1)
	// ½ vᵀ A v − Pᵀ v has the form of a step of dynamics with the mass matrix A and the momentum P
	node, A, _, mom := p.AddDense(n)
	copy(A, s.A)
	copy(mom, s.P)
	// rows of joints are unit vectors
	box := p.AddConstraint(&s.box)
	J := p.Block(node)
	for i := range n {
		J[i*n+i] = 1
	}
	apart := cliques.Handle(-1)
	if len(s.near) > 0 {
		apart = p.AddConstraint(&s.apart)
		copy(p.Block(node), s.rows)
	}
	clear(s.box.y)
	s.box.share, s.apart.share = compliance, compliance
	clear(s.apart.y)
	best, since := math.Inf(1), 0
	// the method of multipliers, see interval.go
	for range maxSolves {
		if _, err := s.convex.Solve(p, s.solution); err != nil {
			// multipliers that grow without bound, where no velocities fulfil the limits
			if errors.Is(err, convex.ErrNotConverged) {
				return false, nil
			}
			return false, fmt.Errorf("ik: %w", err)
		}
		worst := s.box.update(p.Velocity(box), p.Impulse(box))
		if apart >= 0 {
			worst = math.Max(worst, s.apart.update(p.Velocity(apart), p.Impulse(apart)))
		}
		// violations rise now and then, when other limits become active
		switch since++; {
		case worst <= limitTol:
			s.clampSolution()
			return true, nil
		case worst < contraction*best:
			best, since = worst, 0
		case since >= patientSolves && s.box.share <= leastCompliance:
			return false, nil
		case since >= patientSolves:
			// limits that nearly exclude each other want stiffer rows
			s.box.share *= stiffer
			s.apart.share *= stiffer
			best, since = worst, 0
		}
	}
	return false, nil
}

// clampSolution removes what round-off leaves beyond the limits of joints.
func (s *Solver) clampSolution() {
	for i := range s.solution {
		s.solution[i] = math.Min(math.Max(s.solution[i], s.box.lo[i]), s.box.hi[i])
	}
}
