package sim

// The partial derivatives of r, (1) of linearize.go, from parts of the step. The gradient r is a sum over trees, pairs
// of bodies in contact and constraints, each of which depends on few numbers,
//
//	r = Σ_trees [A (v⁺ − v0) − p] − Σ_pairs Jᵀ W − Σ_constraints Jᵀ γ                (1)
//
//	tree         its own q and v                          rigid/free_tangent.go
//	pair, W      relative pose, velocities v0 and v⁺      local_pair.go, rigid/wrench_tangent.go
//	constraint   positions and velocities of its joints   local_joint.go
//	input        the constraint of its drive              local_joint.go
//
// so that no direction of the state passes through all of the step. Trees of joints with one axis are differentiated by
// hand, the rest by central differences of the part.
//
// Steps with other parts have their derivatives from differences of whole assemblies (linearization.go): those of
// deformables, contact surfaces, controllers of robots, constraints between more than two bodies, and laws whose
// regularization follows the mobility w of bodies (compliant.go, friction.go of constraints), which depends on all of
// the state.

import (
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// localDerivatives is working memory of a Linearization.
type localDerivatives struct {
	problem cliques.Problem // of one part
	pair    pairPart
	wrench  rigid.PairWrench
	joints  jointView
	start   r3.Vec
	w       [][]float64 // mobilities of the terms of a part
	vc      []float64   // of one term, with its impulses and Hessian
	gamma   []float64
	other   []float64
	G       [36]float64
	// impulses of the terms of a constraint, and those where a joint is displaced
	impulses, moved []float64
	off             bool // tests compare with whole assemblies
	// velocities of the trees, of which columns are; y of the adjoint of a step with deformables
	size     int
	solution []float64
}

// computeLocalPartials computes r_x and r_u by (1). It is false, and leaves them undefined, where the step has parts
// that have no derivatives of their own.
func (l *Linearization) computeLocalPartials() (ok bool, err error) {
	s, n := l.s, len(l.v)
	if !l.hasLocalDerivatives() {
		return false, nil
	}
	// signals and steps may have placed bodies elsewhere since
	if s.placements != l.placement {
		if err := l.residualAt(s, &l.x, l.v, l.plus); err != nil {
			return false, err
		}
		l.keepPlacement()
	}
	l.local.size, l.local.solution = n, nil
	l.partials = sized(l.partials, 2*n*n)
	l.inputPartials = sized(l.inputPartials, n*len(s.inputs.of))
	clear(l.partials)
	clear(l.inputPartials)
	s.rigid.FreeMotionTangent(l.x.Time, s.rigid.gravity, l.v, l.partials, n, n)
	for i := range s.Geometry.NumPairs() {
		ok, err := l.addContactPair(i)
		if !ok || err != nil {
			return false, err
		}
	}
	if !l.addConstraints() {
		return false, nil
	}
	l.known, l.inputsKnown, l.isLocal = true, true, true
	return true, nil
}

// addRigidParts adds r_xᵀy of the trees of a step with deformables to products, with contacts of rigid bodies,
// constraints and attachments, and computes r_u. It is false where one has no derivative of its own.
func (l *Linearization) addRigidParts(y []float64) (ok bool, err error) {
	s, d, n := l.s, &l.local, len(l.v)
	_, joints := s.Model.RigidSize()
	d.size, d.solution = joints, y
	l.partials = sized(l.partials, 2*joints*joints)
	l.inputPartials = sized(l.inputPartials, n*len(s.inputs.of))
	clear(l.partials)
	clear(l.inputPartials)
	if s.rigid != nil {
		s.rigid.FreeMotionTangent(l.x.Time, s.rigid.gravity, l.v[:joints], l.partials, joints, joints)
	}
	for i := range s.Geometry.NumPairs() {
		if s.Geometry.HasDeformable(i) {
			continue
		}
		if ok, err := l.addContactPair(i); !ok || err != nil {
			return false, err
		}
	}
	if !l.addConstraints() {
		return false, nil
	}
	for k := range 2 * joints {
		entry := k
		if k >= joints {
			entry += len(l.place) - joints
		}
		l.products[entry] += dot(l.partials[k*joints:(k+1)*joints], y[:joints])
	}
	l.inputsKnown = true
	return true, nil
}

// hasLocalDerivatives reports whether the step has no parts but those of (1).
func (l *Linearization) hasLocalDerivatives() bool {
	s := l.s
	return !l.IsChain() && !l.s.Model.Rule.Midpoint && !l.local.off && s.rigid != nil && len(s.deformables) == 0 && len(s.surfaces) == 0 && s.planner == nil && !s.rest.holds
}

// evaluate writes impulse and Hessian of term i of the part's problem at a velocity.
func (d *localDerivatives) evaluate(i int, vc, gamma, G []float64) {
	law := d.problem.Constraints[i].Law
	law.Prepare(d.problem.H, d.mobility(i, len(vc)))
	law.Eval(vc, gamma, G[:len(vc)*len(vc)])
}

// mobility returns w of term i of the part, of n equations.
func (d *localDerivatives) mobility(i, n int) []float64 { return d.w[min(i, len(d.w)-1)][:n] }

// mobilityProbe is the factor of w at which laws are asked whether they depend on it.
const mobilityProbe = 1.25

// dependsOnMobility reports whether the regularization of term i of the part's problem is set by w, so that it changes
// with the state. Its law is to be prepared again.
func (d *localDerivatives) dependsOnMobility(i int, vc []float64) bool {
	n := len(vc)
	d.gamma, d.other = sized(d.gamma, n), sized(d.other, n)
	w, law := d.mobility(i, n), d.problem.Constraints[i].Law
	d.evaluate(i, vc, d.gamma, d.G[:])
	for r := range w {
		w[r] *= mobilityProbe
	}
	law.Prepare(d.problem.H, w)
	law.Eval(vc, d.other, d.G[:n*n])
	for r := range w {
		w[r] /= mobilityProbe
	}
	return !slices.Equal(d.gamma, d.other)
}

// setMobilities reads w of terms of the step's problem, from handle first on.
func (l *Linearization) setMobilities(first, count int) {
	d := &l.local
	for len(d.w) < count {
		d.w = append(d.w, nil)
	}
	for i := range count {
		h := cliques.Handle(first + i)
		d.w[i] = sized(d.w[i], l.s.Problem.Constraints[h].Dim)
		l.s.solver.DelassusDiagonal(h, d.w[i])
	}
	d.w = d.w[:max(count, 1)]
}
