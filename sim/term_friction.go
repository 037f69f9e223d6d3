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
// FrictionLagSweep compares and updates the bounds of all points alike.
// Friction that lacks lets bodies slip that should stick; friction in excess stops bodies that
// should slip. The report has what is left of both.

import (
	"math"
	"slices"

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

// frictionBounds is the term of bounds of lagged friction, with the errors of the last solve.
type frictionBounds struct {
	plainTerm
	source  FrictionLag
	lagged  bool             // the contact law has bounds
	updates int              // in this step, since contacts were detected
	changed []cliques.Handle // contacts whose bounds are not those of the last solve
	pairs   []laggedPair
	load    []float64   // of each body that forces move: friction that its contacts may have, N s
	off     []bool      // a contact of the island is off; the first entry is that of contacts without an island
	current bool        // pairs are those of the last solve
	chosen  []int       // pairs whose bounds move
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
}

// ratio returns the difference of the friction of a loaded contact from Coulomb's law, relative to what that allows; 1
// where a slip offset is off.
func (p *laggedPair) ratio() float64 {
	switch off := p.err.Lacking + p.err.Excess; {
	case p.hides, p.loaded && p.offset:
		return 1
	case p.loaded && off > 0:
		return off / (p.err.Allowed + p.err.Excess)
	}
	return 0
}

var frictionKind = termKind{name: "friction", unit: "N s", again: "the bound of lagged friction follows the solution"}

// newFrictionBounds returns the term for a model.
func newFrictionBounds(m *Model) *frictionBounds {
	return &frictionBounds{
		source: m.FrictionLag, lagged: constraints.IsLagged(m.Contact),
		load: make([]float64, m.Geometry.NumRigid+len(m.Deformables)),
	}
}

// begin implements term.
func (l *frictionBounds) begin(*Stepper) {
	l.reset()
	l.kept = l.kept[:0]
}

// reset begins the iteration of a new problem.
func (l *frictionBounds) reset() { l.updates = 0 }

// follows reports whether bounds follow the solution.
func (l *frictionBounds) follows() bool {
	return l.lagged && (l.source == FrictionLagAuto || l.source == FrictionLagSweep)
}

// isLast reports whether the bound of updates is reached: there need not be a fixed point nearby.
func (l *frictionBounds) isLast() bool {
	if l.source == FrictionLagSweep {
		return l.updates >= maxSweeps
	}
	return l.updates >= maxUpdates
}

// measure returns the largest friction that the contact of two loaded bodies lacks or has in excess, N s. A step that
// does not converge is not tried again.
func (l *frictionBounds) measure(s *Stepper) (worst defect) {
	l.changed = l.changed[:0]
	if !l.follows() || s.Report.Err != nil {
		return worst
	}
	if l.source == FrictionLagSweep {
		return l.sweep(s) // moves the bounds, too
	}
	s.measureLag()
	for i := range l.pairs {
		p := &l.pairs[i]
		if ratio := p.ratio() / lagTol; ratio > worst.ratio {
			worst = defect{ratio: ratio, value: p.err.Lacking + p.err.Excess, bodies: p.body}
		}
	}
	return worst
}

// linearize moves the bounds of loaded contacts whose friction is off towards the solved normal impulses. In their
// islands it moves those of contacts near the tolerance as well: these would leave it next, one by one, as the others
// change.
func (l *frictionBounds) linearize(s *Stepper) change {
	return l.linearizeChosen(s, l.choose(s))
}

// choose implements chooser: pairs of bodies whose bounds move.
func (l *frictionBounds) choose(s *Stepper) []int {
	l.chosen = l.chosen[:0]
	if l.source == FrictionLagSweep {
		return l.chosen // measure has moved all
	}
	l.off = slices.Grow(l.off[:0], s.Report.Solver.Islands+1)[:s.Report.Solver.Islands+1]
	clear(l.off)
	for i := range l.pairs {
		if p := &l.pairs[i]; p.ratio() > lagTol {
			l.off[s.solver.Island(&s.Problem, p.handles[0])+1] = true
		}
	}
	for i := range l.pairs {
		p := &l.pairs[i]
		if p.ratio() > nearShare*lagTol && l.off[s.solver.Island(&s.Problem, p.handles[0])+1] {
			l.chosen = append(l.chosen, i)
		}
	}
	return l.chosen
}

// linearizeChosen implements chooser.
func (l *frictionBounds) linearizeChosen(s *Stepper, chosen []int) change {
	l.updates++
	for _, i := range chosen {
		p := &l.pairs[i]
		for _, h := range p.handles {
			if l.updates <= boundUpdates || !constraints.UpdateSlipOffset(&s.Problem, h) {
				constraints.UpdateNormalBound(&s.Problem, h)
			}
		}
		l.changed = append(l.changed, p.handles...)
	}
	l.current = false
	return newLaws
}

// sweep moves all bounds, and returns by how much the worst was off.
func (l *frictionBounds) sweep(s *Stepper) defect {
	change, largest := 0.0, 0.0
	for _, list := range [2][]cliques.Handle{s.handles, s.surfaceHandles} {
		for _, h := range list {
			by, to := constraints.UpdateNormalBound(&s.Problem, h)
			change, largest = math.Max(change, by), math.Max(largest, to)
		}
		l.changed = append(l.changed, list...)
	}
	d := defect{value: change}
	if change > sweepTol*largest {
		d.ratio = change / (sweepTol * largest)
	}
	return d
}

// measureLag computes the errors of lagged friction of the last solve.
func (s *Stepper) measureLag() {
	l := s.lag
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
	l := s.lag
	p := laggedPair{body: [2]int{a, b}, handles: handles}
	// hidden overlap gives energy where faces are found again: rigid points are pushed apart by damped springs, and
	// heaps of them would take further solves for it
	soft := max(a, b) >= s.Model.Geometry.NumRigid
	for _, h := range handles {
		p.err.Add(constraints.LagErrorOf(&s.Problem, h))
		p.offset = p.offset || constraints.SlipOffsetOff(&s.Problem, h)
		p.hides = p.hides || soft && constraints.SlipOffsetHides(&s.Problem, h)
	}
	// each body takes the whole contact; the load of one that no force moves has no effect on its motion
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
