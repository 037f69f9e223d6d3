package sim

// Balls, welds and distances are solved again until they are met where bodies end the step (constraints/curved.go):
// their functions g at the end, less what their rows say,
//
//	δ = g(q ⊕ h v⁺) − (g(q) + h (J v⁺ + b))                                  (1)
//
// are at most curvedTol times the size of the bodies that they act on, and floating bodies have the momenta of their
// solved motion (rigid/solved_motion.go). Each pass takes δ to about θ δ, with the angle θ that bodies turn in the
// step. Rows are those of the mean of the motion, so that the constraints do no work but by (1), and floating bodies on
// them gain no energy, whatever the step; they lose ½ |v⁺ − v0|² in the norm of A, about θ² of their kinetic energy.
// Trees of joints have a mass matrix that changes within the step, and may gain energy, see term_tree_energy.go.
//
// Near-rigid equations yield under their impulse, which counts likewise: what yields by more than the tolerance carries
// the impulse of the solve before (constraints/carried_impulse.go). Loops that are closed more than once need not yield
// less then, as what they carry presses other equations of their own, nor do bodies of less than 10⁻⁵ of the mass of
// those that pull at them: they are left as they are, and reported where they open.
//
// Under the midpoint rule v⁺ is the displacement velocity, so that (1) holds where bodies end, and rows are those of
// its mean levers, of trees those of q_m. The first linearization is about the motion that the last step predicts
// (rigid/damped_prediction.go), with δ = O(h⁴): steps of smooth motion are solved once, and are of second order. The
// part of v⁺ that loops do not allow is O(h²) and changes its sign from step to step, by the factor −0.57 with the
// damping of the rule; what the start of a step has more of it is an impact (impact_loops.go).
//
// Source: this program.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

const (
	curvedTol = 2e-5
	// curvedMomentumTol is the change of velocities by the momentum of free motion at the solution, relative to them,
	// that is left.
	curvedMomentumTol = 1e-5
	// tautTol is the share of the motion of a step that the turn of a taut distance may change.
	tautTol = 1e-3
	// tautSlack is the share of the way C d that is not resolved, over the tolerance of the solver.
	tautSlack = 30
	// curvedRelTol is the tolerance of the solver below which those of (1) follow it.
	curvedRelTol = 1e-8
	// leastYielded is the share of a yield above which an impulse that is carried was of no use.
	leastYielded = 0.8
	// openTol is the yield, over the size of the bodies, from which on a loop that is left as it is counts as a defect.
	openTol = 1e-3
)

// curvedLoops is the term of the constraints of a model that follow arcs.
type curvedLoops struct {
	plainTerm
	list  []curvedLoop
	trees []int      // of their bodies
	off   []int      // of which the momentum is another one, and −1 − i of a loop i that is to carry its impulse
	mom   []float64  // momentum of one of them
	now   [6]float64 // functions g of one of them
	end   [6]float64 // at the end of the step
	yield [6]float64 // of one of them
	// segments of one line, now and at the end
	nowSpans, endSpans []r3.Vec
}

var loopsKind = termKind{name: "loops", unit: "m", again: "bodies turn so far that balls, welds or distances were solved again"}

// curvedLoop is one of them.
type curvedLoop struct {
	constraint int                // of the model
	at         constraints.Curved // it
	size       float64            // of the smaller of its bodies, m
	bodies     [2]int             // it and another one
	// of a line between rigid bodies: itself, the sum of the inverse masses of its bodies (1/kg), and its
	// segments at the end of the step for which rows were made, m
	line     constraints.Line
	mobility float64
	spans    []r3.Vec
	carriedImpulse
}

// carriedImpulse is what a loop carries in a step.
type carriedImpulse struct {
	carries bool       // from the first solve on after which it yielded
	stays   bool       // it yields no less by it
	impulse [6]float64 // of the last solve after which it yielded
	yielded float64    // by then, m; of angles times the size of the bodies
}

// begin implements term: no loop carries an impulse.
func (l *curvedLoops) begin(*Stepper) {
	for i := range l.list {
		l.list[i].carriedImpulse = carriedImpulse{}
	}
}

// carry has loops carry their impulses in a problem that has them.
func (l *curvedLoops) carry(s *Stepper) {
	for i := range l.list {
		if c := &l.list[i]; c.carries && s.modelTerms[c.constraint] >= 0 {
			constraints.Carry(&s.Problem, s.modelTerms[c.constraint], &c.impulse)
		}
	}
}

// anyCarries reports whether a loop carries an impulse.
func (l *curvedLoops) anyCarries() bool {
	return slices.ContainsFunc(l.list, func(c curvedLoop) bool { return c.carries })
}

// newCurvedLoops returns those of a stepper's model.
func newCurvedLoops(s *Stepper) *curvedLoops {
	l := &curvedLoops{}
	m := s.Model
	for i, c := range m.Constraints {
		at, ok := c.(constraints.Curved)
		if !ok {
			continue
		}
		size := math.Inf(1)
		var bodies []int
		if held, ok := c.(constraints.Described); ok {
			about := held.Describe()
			bodies = about.Bodies()
			for i := range about.Points {
				size = min(size, m.leverOf(&about.Points[i]))
			}
		}
		loop := curvedLoop{constraint: i, at: at, size: size}
		if n := len(bodies); n > 0 {
			loop.bodies = [2]int{bodies[0], bodies[n-1]}
		}
		if line, ok := c.(constraints.Line); ok {
			loop.line = line
			for _, body := range bodies {
				if mass := s.movingMass(body); mass > 0 {
					loop.mobility += 1 / mass
				}
			}
		}
		l.list = append(l.list, loop)
		for _, body := range bodies {
			if body == geometry.World || body >= m.Geometry.NumRigid {
				continue
			}
			if t := m.Rigid.TreeOf(body); t >= 0 && !slices.Contains(l.trees, t) {
				l.trees = append(l.trees, t)
			}
		}
	}
	return l
}

// momentumDiffers returns the change of velocities of a tree on loops by the momentum of its free motion at the solved
// velocities, relative to them; under the midpoint rule term_motions.go has it.
func (l *curvedLoops) momentumDiffers(s *Stepper, t int) float64 {
	if s.rule().Midpoint {
		return 0
	}
	return s.momentumDiffers(t, &l.mom)
}

// momentumDiffers returns the change of velocities of a tree by the momentum that it gains at the solved velocities,
// relative to them; mom is scratch.
func (s *Stepper) momentumDiffers(t int, mom *[]float64) float64 {
	c := &s.Problem.Cliques[t]
	n := c.Size
	*mom = slices.Grow((*mom)[:0], n)[:n]
	p, v := s.Problem.P[c.Offset:c.Offset+n], s.vNext[c.Offset:c.Offset+n]
	if !s.rigid.MomentumAt(t, &s.rigid.gravity, v, *mom) {
		return 0
	}
	change, scale := 0.0, 0.0
	for k, x := range *mom {
		d, m := x-p[k], c.A[k*n+k]
		change, scale = change+d*d/m, scale+m*v[k]*v[k]
	}
	if change == 0 {
		return 0
	}
	return math.Sqrt(change / scale)
}

// followSolution gives trees on loops the momentum of their free motion at the solved velocities, where it changes
// these by more than a relative tolerance.
func (l *curvedLoops) followSolution(s *Stepper, tol float64) {
	for _, t := range l.trees {
		if l.momentumDiffers(s, t) > tol {
			l.giveMomentum(s, t)
		}
	}
}

// giveMomentum gives a tree on loops the momentum of its free motion at the solved velocities.
func (l *curvedLoops) giveMomentum(s *Stepper, t int) {
	c := &s.Problem.Cliques[t]
	end := c.Offset + c.Size
	l.mom = slices.Grow(l.mom[:0], c.Size)[:c.Size]
	if s.rigid.MomentumAt(t, &s.rigid.gravity, s.vNext[c.Offset:end], l.mom) {
		copy(s.Problem.P[c.Offset:end], l.mom)
	}
}

// leverOf returns the distance of an anchor on a link from its centre of mass, with the radius of gyration about it, m;
// +Inf of other anchors, which move on straight lines or do not move.
func (m *Model) leverOf(a *constraints.Anchor) float64 {
	if a.N > 0 || a.Body == geometry.World {
		return math.Inf(1)
	}
	link := m.Rigid.Link(a.Body)
	lever := a.Pos_B.Sub(link.Com_B).Norm()
	if link.Mass > 0 {
		lever += math.Sqrt(link.Inertia_B.Trace() / 2 / link.Mass)
	}
	return lever
}

// tighter returns the factor of tolerances where the solver has one of its own.
func (l *curvedLoops) tighter(s *Stepper) float64 {
	if s.Model.RelTol > 0 {
		return min(1, s.Model.RelTol/curvedRelTol)
	}
	return 1
}

// measure returns the largest δ of (1), or yield, m; of angles times the size of the bodies. Its ratio is that of
// momenta and of taut distances, too.
func (l *curvedLoops) measure(s *Stepper) (worst defect) {
	tighter := l.tighter(s)
	for i := range l.list {
		c := &l.list[i]
		handle := s.modelTerms[c.constraint]
		if handle < 0 {
			continue
		}
		value := l.deviation(s, c, handle)
		if ratio := value / (tighter * curvedTol * c.size); ratio > worst.ratio {
			worst = defect{ratio: ratio, value: value, bodies: c.bodies}
		}
		if c.stays {
			continue
		}
		// how much a near-rigid equation yields is no matter of the solver's tolerance
		value = l.yieldOf(s, c, handle)
		if ratio := value / (curvedTol * c.size); ratio > worst.ratio {
			worst = defect{ratio: ratio, value: value, bodies: c.bodies}
		}
	}
	if worst.ratio > 1 {
		return worst
	}
	for _, t := range l.trees {
		worst.ratio = max(worst.ratio, l.momentumDiffers(s, t)/(tighter*curvedMomentumTol))
	}
	if worst.ratio <= 1 && l.tautLinesTurn(s, tighter) {
		worst.ratio = math.Nextafter(1, 2)
	}
	return worst
}

// linearize implements term: rows are made at the end of the step that the solution predicts.
func (l *curvedLoops) linearize(s *Stepper) change { return l.linearizeChosen(s, l.choose(s)) }

// choose implements chooser: the trees whose momentum is another one, and −1 − i for the loops i that yield.
func (l *curvedLoops) choose(s *Stepper) []int {
	tol := l.tighter(s) * curvedMomentumTol
	l.off = l.off[:0]
	for _, t := range l.trees {
		if l.momentumDiffers(s, t) > tol {
			l.off = append(l.off, t)
		}
	}
	for i := range l.list {
		c := &l.list[i]
		handle := s.modelTerms[c.constraint]
		if handle < 0 || c.stays {
			continue
		}
		yields := l.yieldOf(s, c, handle)
		if !(yields > curvedTol*c.size) {
			continue
		}
		if c.carries && yields > leastYielded*c.yielded {
			c.stays = true
			continue
		}
		c.yielded = yields
		l.off = append(l.off, -1-i)
	}
	return l.off
}

// linearizeChosen implements chooser.
func (l *curvedLoops) linearizeChosen(s *Stepper, chosen []int) change {
	for _, k := range chosen {
		if k >= 0 {
			l.giveMomentum(s, k)
			continue
		}
		c := &l.list[-1-k]
		c.carries = true
		copy(c.impulse[:], s.Problem.Impulse(s.modelTerms[c.constraint]))
	}
	if s.rule().Midpoint { // levers of rows are those of the solved motion, too
		for _, t := range l.trees {
			s.linearizeMotion(t)
		}
		return newRows | newMatrix
	}
	return newRows
}

// opened returns the largest yield of a constraint that is left as it is, m, over openTol.
func (l *curvedLoops) opened(s *Stepper) (worst defect) {
	for i := range l.list {
		c := &l.list[i]
		handle := s.modelTerms[c.constraint]
		if !c.stays || handle < 0 {
			continue
		}
		value := l.yieldOf(s, c, handle)
		if ratio := value / (openTol * c.size); ratio > worst.ratio {
			worst = defect{ratio: ratio, value: value, bodies: c.bodies}
		}
	}
	return worst
}

// yieldOf returns the largest yield of a constraint, m; of angles times the size of the bodies.
func (l *curvedLoops) yieldOf(s *Stepper, c *curvedLoop, handle cliques.Handle) (worst float64) {
	n := constraints.Yield(&s.Problem, handle, &l.yield)
	for i, yield := range l.yield[:n] {
		if n == 6 && i < 3 { // a rotation
			yield *= c.size
		}
		worst = max(worst, yield)
	}
	return worst
}

// tautLinesTurn reports whether distances that transmit a tension have turned since the problem was made, so that their
// force points elsewhere. With the tension T, the length d and the mobility w of the ends, a change δ of the relative
// place at the end of the step changes its motion in the next solve by
//
//	½ C δ,   C = h² w T/d                                                    (3)
//
// which is small against the motion of the step where lines are slack. Where C is above 2 the solves diverge, and the
// step is divided. What the solver does not resolve of the way C d by which the tension moves the ends in a step is no
// turn: of a linkage at rest no other motion is left, and parts of divided steps, in which its rods yield less, would
// set it in motion.
func (l *curvedLoops) tautLinesTurn(s *Stepper, tighter float64) bool {
	h := s.iterate.h
	for i := range l.list {
		c := &l.list[i]
		handle := s.modelTerms[c.constraint]
		if c.line == nil || handle < 0 {
			continue
		}
		l.nowSpans, l.endSpans = c.line.Spans(s.kin, l.nowSpans[:0]), c.line.Spans(s.kinAtEnd, l.endSpans[:0])
		for j, now := range l.nowSpans {
			end := l.endSpans[j]
			C := h * math.Abs(s.Problem.Impulse(handle)[0]) * c.mobility / now.Norm()
			most := tighter * (tautTol*end.Sub(now).Norm() + tautSlack*curvedRelTol*C*now.Norm())
			if C > tighter*tautTol && C/2*end.Sub(c.spans[j]).Norm() > most {
				return true
			}
		}
	}
	return false
}

// noteSpans notes where distances are at the end of the step at the velocities about which the problem is made.
func (s *Stepper) noteSpans() {
	for i := range s.curved.list {
		if c := &s.curved.list[i]; c.line != nil {
			c.spans = c.line.Spans(s.kinAtEnd, c.spans[:0])
		}
	}
}

// deviation returns the largest δ of (1) of a constraint, m; of angles times the size of the bodies.
func (l *curvedLoops) deviation(s *Stepper, c *curvedLoop, handle cliques.Handle) (worst float64) {
	now, end, h := &l.now, &l.end, s.iterate.h
	n := c.at.Values(s.kin, now)
	c.at.Values(s.kinAtEnd, end)
	rate := s.Problem.Velocity(handle)
	for i := range n {
		deviation := math.Abs(end[i] - now[i] - h*rate[i])
		if n == 6 && i < 3 { // a rotation
			deviation *= c.size
		}
		worst = max(worst, deviation)
	}
	return worst
}
