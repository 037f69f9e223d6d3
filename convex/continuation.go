package convex

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Continuation (homotopy). The costs of very stiff contact have narrow curved valleys,
// along which Newton steps shrink, and kinks far narrower than a step. An island that
// needs many steps is solved as a sequence of easier problems, in which the slopes of
// its laws, the eigenvalues of G, are capped,
//
//	ℓ^r(v) = ½ (v − v*)ᵀ A (v − v*) + Σ ℓ_i^r(c_i),   G_i^r ≤ r/w_i        (15)
//	r = 10, 100, 1000 … ∞
//
//	r   cap ratio
//	w   Delassus diagonal (5) of the constraint: 1/w is the mass that it feels
//
// Each stage starts from the solution of the one before; ℓ^∞ = ℓ is solved to the full
// tolerance, the stages before it coarsely. That takes some iterations for every decade
// of stiffness, where Newton's method alone takes a number that grows like its square
// root. An island that fails after its stages goes through them once more, from where it
// is, with r = 10, 20, 40 …: each stage then starts nearer to its solution. (Nocedal, Wright, Numerical Optimization,
// section 11.3: continuation methods.)

// ContinuationLaw is a Law whose slope can be capped temporarily. A law implements it
// where continuation (homotopy) speeds up convergence.
type ContinuationLaw interface {
	cliques.Law
	// CapSlope limits the part of the Hessian G that slows Newton's method down to
	// ratio/w, w the Delassus diagonal of Prepare, until it is called again; +Inf
	// removes the cap. It returns whether the cap changes the law. Prepare must have
	// been called before.
	CapSlope(ratio float64) bool
}

// continuation takes islands through the stages.
type continuation struct {
	*convergence
	maxIter int
}

// capSlopes caps the laws of an island and returns whether any of them changes.
func (l *laws) capSlopes(is *island, ratio float64) bool {
	capped := false
	for _, k := range l.constraintsOf(is) {
		if law, ok := l.p.Constraints[k].Law.(ContinuationLaw); ok && law.CapSlope(ratio) {
			capped = true
		}
	}
	return capped
}

// advance begins continuation on an island that has taken many steps, takes one that has
// converged at a stage to the next, and gives one that fails its laws back.
func (t *continuation) advance(is *island) error {
	if !is.done && is.capRatio == 0 && is.iterations >= manySteps {
		if begun, err := t.begin(is); !begun || err != nil {
			return err
		}
	}
	if is.done && is.criterion == Failed && math.IsInf(is.capRatio, 1) && !is.finer {
		if begun, err := t.refine(is); begun || err != nil {
			return err
		}
	}
	if err := t.nextStages(is); err != nil {
		return err
	}
	// failed in the last stage, under the laws as they are or capped
	if is.done && is.criterion == Failed && is.capRatio != 0 {
		return t.restore(is)
	}
	return nil
}

// nextStages takes an island to the first stage at whose laws it has not converged.
func (t *continuation) nextStages(is *island) error {
	for {
		// a stage ends when it has converged, or when stages have taken too many steps
		late := is.continuation >= t.stageSteps(is)
		if !is.isCapped() || !is.done && !late || is.criterion == Failed {
			return nil
		}
		is.capRatio *= is.ratioGrow()
		if late {
			is.capRatio = math.Inf(1)
		}
		// caps above all slopes change nothing: this is the last stage
		if !t.capSlopes(is, is.capRatio) {
			is.capRatio = math.Inf(1)
		}
		is.done = false
		if err := t.restart(is); err != nil {
			return err
		}
	}
}

// begin saves the iterate, so that a continuation that fails cannot make it worse, and
// starts the first stage. It returns false when no law of the island can be capped, or
// none is stiff.
func (t *continuation) begin(is *island) (begun bool, err error) {
	for _, k := range t.cliquesOf(is) {
		c := &t.p.Cliques[k]
		copy(t.saved[c.Offset:c.Offset+c.Size], t.v[c.Offset:])
	}
	// first stage
	is.savedCost = is.cost
	is.capRatio = firstRatio
	// nothing to cap: Newton's method continues
	if !t.capSlopes(is, is.capRatio) {
		is.capRatio = math.Inf(1)
		t.capSlopes(is, is.capRatio)
		return false, nil
	}
	return true, t.restart(is)
}

// refine begins the stages again, closer to each other, on an island that failed after
// them. The steps that it took count as those of stages, so that the last stage has all of
// its own. It returns false where nothing can be capped: Newton's method has failed then.
func (t *continuation) refine(is *island) (begun bool, err error) {
	is.finer = true
	if !t.capSlopes(is, firstRatio) {
		t.capSlopes(is, math.Inf(1))
		return false, nil
	}
	is.done, is.criterion = false, Free // not failed any more, lest stages continue without end
	is.continuation, is.capRatio = is.iterations, firstRatio
	return true, t.restart(is)
}

// stageSteps returns the number of Newton steps that stages may take: as many again for
// those of refine.
func (t *continuation) stageSteps(is *island) int {
	if is.finer {
		return 2 * stagesShare * t.maxIter
	}
	return stagesShare * t.maxIter
}

// ratioGrow returns the factor from stage to stage.
func (is *island) ratioGrow() float64 {
	if is.finer {
		return ratioGrowFiner
	}
	return ratioGrow
}

// restart evaluates an island under changed laws, or after a jump of its iterate.
func (t *continuation) restart(is *island) error {
	is.leastExcess, is.alpha = math.Inf(1), 0
	// progress so far was of another problem
	t.refresh(is)
	if err := t.evaluate(is); err != nil {
		return err
	}
	t.balance(is)
	return t.test(is)
}

// restore gives a failed island its laws back, and the iterate from before continuation
// where its cost was lower.
func (t *continuation) restore(is *island) error {
	is.capRatio = 0
	t.capSlopes(is, math.Inf(1))
	t.refresh(is)
	if err := t.evaluate(is); err != nil {
		return err
	}
	// the detour made it worse: back to where it began
	if !(is.cost <= is.savedCost) {
		t.exchange(is, t.saved)
		t.refresh(is)
		if err := t.evaluate(is); err != nil {
			return err
		}
	}
	t.balance(is)
	return nil
}
