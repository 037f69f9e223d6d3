// Package constrainttest checks that constraints, contact models and normal laws keep the
// contracts of package constraints.
//
// A constraint has rows J. In a world of free bodies of unit mass and inertia at rest,
//
//	Σ_bodies f = 0, Σ (m + p×f) = 0 of each row that acts on two bodies    (1)
//	d|g|/dt = |J v| at g = 0, for random velocities v                      (2)
//	γ → −λ h under a constant load Jᵀλ                                     (3)
//
//	U = ½ Σ k (J v t)² after a motion by the velocities v for a short time t       (4)
//
// (1) is the conservation of momentum, (2) states that rows are derivatives of the error g, and
// (3) is the load in closed form: a near-rigid constraint leaves 3 % of it to the next step,
// one with a spring carries it when it has come to rest.
//
// A normal law is compared with its facts at rest and with its kind of dissipation in
// motion, a contact model with Coulomb's cone and with the facts of its normal law.
package constrainttest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/oracle"
)

const (
	step   = 0.01  // s
	small  = 1e-6  // s, of differences
	loads  = 3     // random loads of a constraint
	settle = 400   // steps until a load rests on a spring
	borne  = 0.05  // a near-rigid constraint leaves 3 % of a load to the next step
	round  = 1e-10 // round-off of sums of order one
)

// Check tests a constraint whose error is zero in the world given.
func Check(t testing.TB, c constraints.Constraint, w *World) {
	t.Helper()
	k := &checker{t: t, c: c, w: w, r: rand.New(rand.NewPCG(20261122, 2))}
	// wrong parameters would fail the checks below for reasons of their own
	if p, ok := c.(constraints.Checker); ok && p.Check() != nil {
		t.Errorf("parameters: %v", p.Check())
		return
	}
	d, ok := c.(constraints.Described)
	if !ok {
		t.Errorf("describe: it is no constraints.Described, which says what it constrains and by how much that is violated")
		return
	}
	k.d, k.about = d, d.Describe()
	k.momentum()
	k.rate()
	k.energy()
	k.load()
}

// checker tests one constraint in its world, with random velocities and loads of a fixed seed.
type checker struct {
	t testing.TB
	c constraints.Constraint
	d constraints.Described
	w *World
	r *rand.Rand
	// about is what the constraint says of itself
	about constraints.Description
}

// rows returns the Jacobian of all terms (rows × velocities), and each term's first row.
func (k *checker) rows() (J []float64, first []int) {
	// a constraint appends as many terms as it likes: a weld one of angles and one of distances
	k.w.begin(step)
	k.c.Append(k.w, &k.w.P)
	for h := range k.w.P.Constraints {
		first = append(first, len(J)/k.w.P.Size())
		J = append(J, denseRows(&k.w.P, h)...)
	}
	// the end of the last term, so that term h has the rows first[h] … first[h+1]
	return J, append(first, len(J)/k.w.P.Size())
}

// momentum: where no row touches joints or the world, forces and moments of all bodies
// cancel.
func (k *checker) momentum() {
	k.t.Helper()
	// the world feels what bodies do not
	if slices.Contains(k.about.Bodies(), geometry.World) {
		return
	}
	// forces of each row
	J, _ := k.rows()
	n := k.w.P.Size()
	for row := range len(J) / n {
		// rows on joints take up forces that no body of this world feels
		force, moment, closed := k.w.wrench(J[row*n : (row+1)*n])
		if closed && !(force.Norm()+moment.Norm() <= round) {
			k.t.Errorf("momentum: row %d acts with a net force %v and a net moment %v", row, force, moment)
		}
	}
}

// errorsIn returns the errors of the constraint by groups of rows: the
// distance, or a weld's angle and distance.
func (k *checker) errorsIn(w *World) []float64 {
	v := k.d.Violation(w)
	switch {
	case len(k.about.Rows) > 3:
		return []float64{v.Angle, v.Distance}
	case len(k.about.Dofs) > 0:
		return []float64{v.Joint}
	}
	return []float64{v.Distance}
}

// rate: from zero the error grows at the rate |J v| of its rows, the largest of all terms.
func (k *checker) rate() {
	k.t.Helper()
	// the rows where the error is zero, before anything moves
	J, first := k.rows()
	e := k.errorsIn(k.w)
	for h := range first[1:] {
		if n := first[h+1] - first[h]; n != len(k.about.Rows) {
			k.t.Errorf("describe: its terms have %d rows, and it says %d", n, len(k.about.Rows))
		}
	}
	if len(first)-1 != k.about.Terms {
		k.t.Errorf("describe: it has %d terms, and says %d", len(first)-1, k.about.Terms)
	}
	for i, x := range e {
		if x > round {
			k.t.Errorf("rate: the error %d is %g at the start, want 0", i, x)
		}
	}
	for range loads {
		v, moved := k.randomMotion()
		vc := oracle.MulVec(J, v)
		// compare each error with its rows, of the term where they are fastest
		for i, got := range k.errorsIn(moved) {
			want := 0.0
			for h := range first[1:] {
				rows := vc[first[h]:first[h+1]]
				// a weld has three rows of angles, then three of distances
				rows = rows[len(rows)*i/len(e) : len(rows)*(i+1)/len(e)]
				want = max(want, math.Sqrt(oracle.Dot(rows, rows)))
			}
			// a rope has an error only where its ends part
			if k.about.OneSided && len(vc) == 1 {
				want = max(0, -vc[0])
			}
			// errors are lengths of vectors: second derivatives leave 1e-6, with room
			if !(math.Abs(got/small-want) <= 1e-4*(1+want)) {
				k.t.Errorf("rate: the error %d grows by %g in a second, its rows by %g", i, got/small, want)
			}
		}
	}
}

// randomMotion returns random velocities of all bodies, m/s and rad/s, and the world after a short time. Rows stay
// those of the start, as in a step.
func (k *checker) randomMotion() (v []float64, moved *World) {
	v = make([]float64, k.w.P.Size())
	for i := range v {
		v[i] = k.r.NormFloat64()
	}
	moved = k.w.clone()
	moved.advance(small, v)
	return v, moved
}

// energy: (4).
func (k *checker) energy() {
	k.t.Helper()
	J, _ := k.rows()
	for range loads {
		v, moved := k.randomMotion()
		want, scale := 0.0, 0.0
		for i, rate := range oracle.MulVec(J, v) {
			// a rope is stretched where its ends part
			if s := k.about.Rows[i%len(k.about.Rows)].Stiffness; !math.IsInf(s, 1) && !(k.about.OneSided && rate > 0) {
				want += 0.5 * s * (small * rate) * (small * rate)
				scale += 0.5 * s * small * small * (1 + rate*rate)
			}
		}
		if got := k.d.StoredEnergy(moved); !(math.Abs(got-want) <= 1e-4*scale) {
			k.t.Errorf("energy: it stores %g J, its rows %g J", got, want)
		}
	}
}

// load: under a constant load F = Jᵀ λ at rest the impulse of a step is −λ h, (3).
func (k *checker) load() {
	k.t.Helper()
	J, _ := k.rows()
	// loads act on all velocities, as the rows do
	n := k.w.size()
	for range loads {
		lambda, force := k.randomLoad(J)
		// at rest the constraint alone carries the load, because the bodies float
		gamma := k.settled(force)
		// the number of rows depends on the constraint alone, not on loads
		if len(gamma) != len(lambda) {
			k.t.Errorf("load: %d rows under load, %d without", len(gamma), len(lambda))
			return
		}
		// Jᵀ (γ/h + λ) vanishes also where rows are redundant
		// γ = −λ h would ask too much: redundant rows share a load in many ways
		rest := make([]float64, n)
		for i, g := range gamma {
			addRow(rest, g/step+lambda[i], J[i*n:(i+1)*n])
		}
		if e, f := math.Sqrt(oracle.Dot(rest, rest)), math.Sqrt(oracle.Dot(force, force)); !(e <= borne*f) {
			k.t.Errorf("load: of a force of %g N %g N are not balanced: impulses %v N s, want %v h", f, e, gamma, lambda)
			return
		}
	}
}

// randomLoad returns a load λ in the directions of the rows J, and its generalized force Jᵀ λ. A rope
// transmits only pulls. Of unit bodies newtons and impulses have the size of velocities.
func (k *checker) randomLoad(J []float64) (lambda, force []float64) {
	n := k.w.size()
	lambda, force = make([]float64, len(J)/n), make([]float64, n)
	// each row of the constraint gets a load of its own
	for i := range lambda {
		// small against the impulses of near-rigid laws, large against round-off
		lambda[i] = 0.05 * k.r.NormFloat64()
		if k.about.OneSided {
			lambda[i] = -math.Abs(lambda[i])
		}
		addRow(force, lambda[i], J[i*n:(i+1)*n])
	}
	return lambda, force
}

// settled returns the impulses of the constraint under a generalized force, after
// overdamped steps, each from rest, until they are constant.
func (k *checker) settled(force []float64) []float64 {
	// each step starts without velocity, so that springs come to rest without oscillating
	w, last := k.w.clone(), math.Inf(1)
	for range settle {
		w.begin(step)
		k.c.Append(w, &w.P)
		w.advance(step, w.solve(force))
		sum := oracle.Dot(w.P.Gamma, w.P.Gamma)
		// springs come to rest in many overdamped steps, near-rigid constraints in few
		if math.Abs(sum-last) <= 1e-4*sum {
			break
		}
		last = sum
	}
	return w.P.Gamma
}

// addRow adds s times a row to a vector of forces on all velocities.
// Rows are those of denseRows, over all of them.
// Forces of rows add up as Jᵀ λ.
func addRow(dst []float64, s float64, row []float64) {
	for i, x := range row {
		dst[i] += s * x
	}
}

// denseRows returns the Jacobian of a constraint over all velocities.
// The problem keeps a block for each node that is touched; tests of sums want whole rows.
func denseRows(p *cliques.Problem, h int) []float64 {
	n, c := p.Size(), &p.Constraints[h]
	J := make([]float64, c.Dim*n)
	// blocks name only the nodes that a constraint touches; all others are zero
	for _, b := range p.Blocks(cliques.Handle(h)) {
		m, off := p.NodeSize[b.Node], p.NodeOffset[b.Node]
		for i := range c.Dim {
			copy(J[i*n+off:], b.J[i*m:(i+1)*m])
		}
	}
	return J
}
