package sim

// Balls, welds and distances are solved again until they hold where bodies end the step (constraints/curved.go): their
// functions g at the end, less what their rows say,
//
//	δ = g(q ⊕ h v⁺) − (g(q) + h (J v⁺ + b))                                  (1)
//
// are at most curvedTol times the size of the bodies that they hold, and floating bodies have the momenta of their solved motion
// (rigid/solved_motion.go). Each pass takes δ to about θ δ, with the angle θ that bodies turn in the step. Rows are those of the mean of the motion, so
// that the constraints do no work but by (1), and floating bodies on them gain no energy, whatever the step; they lose ½ |v⁺ − v0|² in the norm of A, about θ² of their
// kinetic energy. Trees of joints have a mass matrix that changes within the step, and may gain
//
//	E⁺ − E − v⁺·Jᵀγ > ε T                                                     (2)
//
// beyond the work of impulses, with the kinetic energy T at the end, and the round-off of the weight's work. A step that does not settle, or for which (2) holds, is divided.
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
	// curvedMomentumTol is the change of velocities by the momentum of free motion at the solution, relative to them, that is left.
	curvedMomentumTol = 1e-5
	// tautTol is the share of the motion of a step that the turn of a taut distance may change.
	tautTol = 1e-3
	// tautSlack is the share of the way C d that is not resolved, over the tolerance of the solver.
	tautSlack = 30
	// loopGainTol is ε of (2).
	loopGainTol = 3e-5
	// maxCurvedPasses bounds the solves of a step for (1): three are usual.
	maxCurvedPasses = 20
	// curvedRelTol is the tolerance of the solver below which those of (1) follow it.
	curvedRelTol = 1e-8
)

// curvedLoops are the constraints of a model that follow arcs.
type curvedLoops struct {
	list   []curvedLoop
	trees  []int      // of their bodies
	mom    []float64  // momentum of one of them
	passes int        // solves of this step because of (1)
	now    [6]float64 // functions g of one of them
	end    [6]float64 // at the end of the step
}

// curvedLoop is one of them.
type curvedLoop struct {
	constraint int                // of the model
	at         constraints.Curved // it
	size       float64            // of the smaller of its bodies, m
	// of a distance between rigid bodies: itself, the sum of the inverse masses of its ends (1/kg), and p_PQ at the end of the step for which rows were made, m
	distance *constraints.Distance
	mobility float64
	span     r3.Vec
}

// newCurvedLoops returns those of a stepper's model.
func newCurvedLoops(s *Stepper) (l curvedLoops) {
	m := s.Model
	for i, c := range m.Constraints {
		at, ok := c.(constraints.Curved)
		if !ok {
			continue
		}
		size := math.Inf(1)
		var bodies []int
		if held, ok := c.(constraints.Anchored); ok {
			for _, a := range held.Anchors() {
				size, bodies = min(size, m.leverOf(&a)), append(bodies, a.Body)
			}
		}
		if w, ok := c.(*constraints.Weld); ok {
			size = min(m.leverOf(&constraints.Anchor{Body: w.A, Pos_B: w.X_AP.P}), m.leverOf(&constraints.Anchor{Body: w.B, Pos_B: w.X_BQ.P}))
			bodies = append(bodies, w.A, w.B)
		}
		if d, ok := c.(*switchedWeld); ok {
			size, bodies = min(m.leverOf(&constraints.Anchor{Body: d.a, Pos_B: d.X_AP.P}), m.leverOf(&constraints.Anchor{Body: d.b})), append(bodies, d.a, d.b)
		}
		loop := curvedLoop{constraint: i, at: at, size: size}
		if d, ok := c.(*constraints.Distance); ok && d.A.N == 0 && d.B.N == 0 {
			loop.distance = d
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

// followSolution gives trees on loops the momentum of their free motion at the solved velocities, where it changes velocities by more than
// a relative tolerance. It reports whether any did.
func (s *Stepper) followSolution(tol float64) (changed bool) {
	for _, t := range s.curved.trees {
		c := &s.Problem.Cliques[t]
		n := c.Size
		s.curved.mom = slices.Grow(s.curved.mom[:0], n)[:n]
		mom, p, v := s.curved.mom, s.Problem.P[c.Offset:c.Offset+n], s.vNext[c.Offset:c.Offset+n]
		if !s.rigid.MomentumAt(t, &s.rigid.gravity, v, mom) {
			continue
		}
		change, scale := 0.0, 0.0
		for k := range mom {
			d, m := mom[k]-p[k], c.A[k*n+k]
			change, scale = change+d*d/m, scale+m*v[k]*v[k]
		}
		if change > tol*tol*scale {
			copy(p, mom)
			changed = true
		}
	}
	return changed
}

// leverOf returns the distance of an anchor on a link from its centre of mass, with the radius of gyration about it, m; +Inf of
// other anchors, which move on straight lines or do not move.
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

// loopsDeviate reports whether constraints deviate from their rows by more than (1) permits, so that the step has to be solved
// again, and whether the step may be taken as a whole.
func (s *Stepper) loopsDeviate(x *State, h float64) (again, whole bool) {
	l := &s.curved
	if len(l.list) == 0 {
		return false, true
	}
	s.predictedEnd.begin(x, h)
	deviates, tighter := false, 1.0
	if s.Model.RelTol > 0 {
		tighter = min(1, s.Model.RelTol/curvedRelTol)
	}
	for i := range l.list {
		c := &l.list[i]
		handle := s.modelTerms[c.constraint]
		if handle < 0 {
			continue
		}
		deviates = deviates || s.loopDeviation(c, handle, h) > tighter*curvedTol*c.size
	}
	deviates = deviates || s.tautLinesTurn(h, tighter)
	if deviates = s.followSolution(tighter*curvedMomentumTol) || deviates; !deviates {
		return false, s.halvings >= maxHalvings || !s.loopsGain(h)
	}
	if l.passes++; l.passes < maxCurvedPasses {
		return true, true
	}
	if s.halvings < maxHalvings {
		return false, false
	}
	s.Report.LoopsUnconverged++
	return false, true
}

// loopsGain reports whether (2) holds for a tree on loops.
func (s *Stepper) loopsGain(h float64) bool {
	s.predictedEnd.place(s)
	for _, t := range s.curved.trees {
		if !s.rigid.model.HasJoints(t) {
			continue
		}
		c := &s.Problem.Cliques[t]
		end := c.Offset + c.Size
		gained, kinetic, roundoff := s.rigid.GainAtEnd(t, &s.rigid.gravity, c.A, s.Problem.V0[c.Offset:end], s.Problem.P[c.Offset:end], s.vNext[c.Offset:end])
		if gained > loopGainTol*kinetic+roundoff {
			return true
		}
	}
	return false
}

// tautLinesTurn reports whether distances that bear a tension have turned since the problem was made, so that their force points elsewhere.
// With the tension T, the length d and the mobility w of the ends, a change δ of the relative place at the end of the step changes its motion
// in the next solve by
//
//	½ C δ,   C = h² w T/d                                                    (3)
//
// which is small against the motion of the step where lines are slack. Where C is above 2 the solves diverge, and the step is divided. What the solver
// does not resolve of the way C d by which the tension moves the ends in a step is no turn: of a linkage at rest no other motion is left, and parts of divided steps, in
// which its rods yield less, would set it in motion.
func (s *Stepper) tautLinesTurn(h, tighter float64) bool {
	l := &s.curved
	for i := range l.list {
		c := &l.list[i]
		handle := s.modelTerms[c.constraint]
		if c.distance == nil || handle < 0 {
			continue
		}
		now, end := c.distance.Span(s.kin), c.distance.Span(s.kinAtEnd)
		C := h * math.Abs(s.Problem.Impulse(handle)[0]) * c.mobility / now.Norm()
		most := tighter * (tautTol*end.Sub(now).Norm() + tautSlack*curvedRelTol*C*now.Norm())
		if C > tighter*tautTol && C/2*end.Sub(c.span).Norm() > most {
			return true
		}
	}
	return false
}

// noteSpans notes where distances are at the end of the step at the velocities about which the problem is made.
func (s *Stepper) noteSpans() {
	for i := range s.curved.list {
		if c := &s.curved.list[i]; c.distance != nil {
			c.span = c.distance.Span(s.kinAtEnd)
		}
	}
}

// loopDeviation returns the largest δ of (1) of a constraint, m; of angles times the size of the bodies.
func (s *Stepper) loopDeviation(c *curvedLoop, handle cliques.Handle, h float64) (worst float64) {
	now, end := &s.curved.now, &s.curved.end
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
