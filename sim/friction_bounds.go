package sim

// Bounds of lagged friction that agree with the solution. After each solve, what the lag takes
// away from the friction of a contact, and what it adds, is compared with the friction that
// Coulomb's law allows there, see constraints.LagError. Where a contact is off, its bound
// moves towards the solved normal impulse and the step is solved again: a fixed-point
// iteration of convex problems. Contacts that are right keep their bounds, so that islands
// without change cost one evaluation. The bound of every solve only scales friction, which
// opposes the slip of that solve: friction never supplies energy.
//
// A contact here is that of two bodies, all of its points or faces: how a body distributes its
// load over them is often undetermined. All but the last solve of an iteration are coarse.
//
//	solve                   γ with the bounds n₀, fully converged
//	compare                 friction lacking and in excess of μ γ_n, by pairs of bodies
//	update, solve coarsely  n₀ towards γ_n of pairs that are off or nearly so, until none is;
//	                        after boundUpdates, slip offsets of their points in place of bounds
//	solve                   to the full tolerance
//
// Friction that lacks lets bodies slip that should hold; friction in excess holds bodies that
// should slip. The report has what is left of both.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
)

const (
	// lagTol is the error of the friction of a contact, relative to what Coulomb's law
	// allows, that FrictionLagAuto accepts. Coefficients of friction are seldom known better
	// than to a tenth.
	lagTol = 0.02
	// nearShare of lagTol is the error from which contacts of an island with one that is off are
	// updated with it.
	nearShare = 0.5
	// loadedShare: a contact is loaded if it carries this share of what all contacts of one
	// of its bodies carry that forces move. FrictionLagAuto leaves other contacts as they are.
	loadedShare = 0.05
	// maxUpdates bounds how often FrictionLagAuto solves a step again. Three suffice mostly,
	// and late ones take one Newton iteration; heaps in which many bodies strike at once
	// take most.
	maxUpdates = 40
	// boundUpdates is how many of these change bounds of contact points. Points that are off
	// after them get a slip offset in place of a bound, with which no friction lacks.
	boundUpdates = 14
	// sweepTol is the difference of a bound from its impulse, relative to the largest normal
	// impulse, at which FrictionLagSweep ends.
	sweepTol = 1e-4
	// maxSweeps bounds how often FrictionLagSweep solves a step again: there need not be a
	// fixed point nearby, such as where a rod jams.
	maxSweeps = 20
	// coarseTol is the relative tolerance of the solves but the first and the last.
	coarseTol = 1e-2
)

// frictionBounds is the iteration of bounds, with the errors of the last solve.
type frictionBounds struct {
	kind    FrictionLag
	lagged  bool             // the contact law has bounds
	updates int              // in this step, since contacts were detected
	coarse  bool             // the next solve may be coarse
	changed []cliques.Handle // contacts whose bounds are not those of the last solve
	pairs   []laggedPair
	load    []float64   // of each body that forces move: friction that its contacts may have, N s
	off     []bool      // a contact of the island is off; the first entry is that of contacts without an island
	current bool        // pairs are those of the last solve
	kept    []keptBound // of the problem before, where its bounds were updated
}

// laggedPair is the contact of two bodies: handles of points or faces, or of a contact
// surface.
type laggedPair struct {
	body    [2]int
	handles []cliques.Handle
	err     constraints.LagError
	loaded  bool
	offset  bool // a slip offset is off
	hides   bool // a slip offset hides overlap
	island  int  // of the solver, −1 for none
}

// off reports whether the friction of a loaded contact differs from Coulomb's law by more than
// the relative tolerance tol, or whether a contact that should be loaded bears nothing.
func (p *laggedPair) off(tol float64) bool {
	return p.hides || p.loaded && (p.offset || p.err.Lacking+p.err.Excess > tol*(p.err.Allowed+p.err.Excess))
}

// newFrictionBounds returns the working memory for a model.
func newFrictionBounds(m *Model) frictionBounds {
	return frictionBounds{
		kind: m.FrictionLag, lagged: constraints.IsLagged(m.Contact),
		load: make([]float64, m.Geometry.NumRigid+len(m.Deformables)),
	}
}

// reset begins the iteration of a new problem.
func (l *frictionBounds) reset() { l.updates, l.coarse = 0, false }

// tolerance returns the relative tolerance of the next solve.
func (l *frictionBounds) tolerance(relTol float64) float64 {
	if l.coarse {
		return math.Max(coarseTol, relTol)
	}
	return relTol
}

// updateBounds moves the bounds of lagged friction towards the solved normal impulses. It
// reports whether the step has to be solved again.
func (s *Stepper) updateBounds() (again bool) {
	l := &s.lag
	l.changed = l.changed[:0]
	// a step that does not converge is not tried again
	if !l.lagged || s.Report.Err != nil {
		return false
	}
	switch l.kind {
	case FrictionLagAuto:
		again = l.updates < maxUpdates && s.updateWhereOff()
		if !again && l.coarse { // to the full tolerance
			l.coarse = false
			return true
		}
		// the last solve that the bound allows is not coarse
		l.coarse = again && l.updates < maxUpdates
	case FrictionLagSweep:
		again = l.updates < maxSweeps && s.updateAll()
	}
	return again
}

// updateWhereOff updates the bounds of loaded contacts whose friction is off, and reports
// whether there are any. In their islands it updates contacts near the tolerance as well: these
// would leave it next, one by one, as the others change.
func (s *Stepper) updateWhereOff() (any bool) {
	l := &s.lag
	s.measureLag()
	l.off = l.off[:0]
	for range s.Report.Solver.Islands + 1 {
		l.off = append(l.off, false)
	}
	for i := range l.pairs {
		if p := &l.pairs[i]; p.off(lagTol) {
			l.off[p.island+1], any = true, true
		}
	}
	if !any {
		return false
	}
	for i := range l.pairs {
		p := &l.pairs[i]
		if !l.off[p.island+1] || !p.off(nearShare*lagTol) {
			continue
		}
		for _, h := range p.handles {
			if l.updates < boundUpdates || !constraints.UpdateSlipOffset(&s.Problem, h) {
				constraints.UpdateNormalBound(&s.Problem, h)
			}
		}
		l.changed = append(l.changed, p.handles...)
	}
	l.updates++
	l.current = false
	return true
}

// updateAll updates all bounds, and reports whether one was off by more than sweepTol.
func (s *Stepper) updateAll() bool {
	change, largest := 0.0, 0.0
	for _, list := range [2][]cliques.Handle{s.handles, s.surfaceHandles} {
		for _, h := range list {
			by, to := constraints.UpdateNormalBound(&s.Problem, h)
			change, largest = math.Max(change, by), math.Max(largest, to)
		}
		s.lag.changed = append(s.lag.changed, list...)
	}
	s.lag.updates++
	return change > sweepTol*largest
}

// measureLag computes the errors of lagged friction of the last solve.
func (s *Stepper) measureLag() {
	l := &s.lag
	if l.current {
		return
	}
	l.current = true
	l.pairs = l.pairs[:0]
	clear(l.load)
	// the order of detection, which sorts pairs by bodies
	// contacts of the same bodies follow each other
	for i, j := 0, 0; i < len(s.contacts); i = j {
		a, b := s.contacts[i].A.Body, s.contacts[i].B.Body
		for j = i + 1; j < len(s.contacts) && s.contacts[j].A.Body == a && s.contacts[j].B.Body == b; j++ {
		}
		s.measurePair(a, b, s.handles[i:j])
	}
	for i := range s.surfaces {
		s.measurePair(s.surfaces[i].A, s.surfaces[i].B, s.surfaceHandles[i:i+1])
	}
	// which are loaded, by the loads of all
	for i := range l.pairs {
		p := &l.pairs[i]
		least := math.Inf(1)
		for _, body := range p.body {
			if !s.Geometry.IsKinematic(body) {
				least = math.Min(least, l.load[body])
			}
		}
		p.loaded = p.err.Allowed+p.err.Excess > loadedShare*least
	}
}

// measurePair adds a pair of bodies with the errors of its contacts.
func (s *Stepper) measurePair(a, b int, handles []cliques.Handle) {
	l := &s.lag
	p := laggedPair{body: [2]int{a, b}, handles: handles, island: s.solver.Island(&s.Problem, handles[0])}
	// hidden overlap gives energy where faces are found again: rigid points are pushed apart by damped springs, and
	// heaps of them would take further solves for it
	soft := max(a, b) >= s.Model.Geometry.NumRigid
	for _, h := range handles {
		p.err.Add(constraints.LagErrorOf(&s.Problem, h))
		p.offset = p.offset || constraints.SlipOffsetOff(&s.Problem, h)
		p.hides = p.hides || soft && constraints.SlipOffsetHides(&s.Problem, h)
	}
	// each body bears the whole contact; the load of one that no force moves has no effect on its motion
	for _, body := range p.body {
		if !s.Geometry.IsKinematic(body) {
			l.load[body] += p.err.Allowed + p.err.Excess
		}
	}
	l.pairs = append(l.pairs, p)
}

// summarizeLag writes the errors of lagged friction of the step.
func (r *Report) summarizeLag(s *Stepper) {
	if !s.lag.lagged {
		return
	}
	s.measureLag()
	for i := range s.lag.pairs {
		p := &s.lag.pairs[i]
		r.FrictionLag.Add(p.err)
		if !p.loaded || p.err.Lacking == 0 {
			continue
		}
		if share := p.err.Lacking / p.err.Allowed; share > r.LackingFriction {
			r.LackingFriction, r.LackingBodies = share, p.body
		}
	}
}
