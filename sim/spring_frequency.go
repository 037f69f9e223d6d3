package sim

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
)

// Natural frequencies of springs. A spring of stiffness k that acts along the row J of velocities
// moves the mass 1/(J M⁻¹ Jᵀ) where nothing else holds the bodies, so that
//
//	ω² = k J M⁻¹ Jᵀ                                                          (1)
//
// Of a spring with several rows, such as a compliant weld, the lowest ω counts.

// SpringFrequency is the natural frequency of a spring between rigid bodies, or on a joint.
type SpringFrequency struct {
	// Joint is the velocity of the joint that a spring acts on, −1 for a constraint.
	Joint int
	// Constraint is an index into Model.Constraints, −1 for a joint.
	Constraint int
	// Omega is ω of (1), rad/s.
	Omega float64
}

// SpringFrequencies returns the frequencies of all springs of joints, then of those of the
// constraints between rigid bodies, at a state. Springs that nothing can move, and those on
// deformables, are left out.
func (s *Stepper) SpringFrequencies(x *State) (all []SpringFrequency) {
	// A of so short a step is the mass alone
	const short = 1e-12
	s.Place(x, short)
	s.freeMotion(x, short)
	p := &s.Problem
	// springs of joints: rows of one velocity each
	for i := range s.Model.Rigid.NumLinks() {
		if k := s.Model.Rigid.Link(i).Stiffness; k > 0 {
			dof := s.Model.Rigid.VStart(i)
			p.ResetConstraints()
			p.AddConstraint(&massless{1})
			kinematics{s}.DofRow(p, 0, dof, 1)
			if w, ok := mobility(p); ok && w[0] > 0 {
				all = append(all, SpringFrequency{dof, -1, math.Sqrt(k * w[0])})
			}
		}
	}
	s.iterate.begin(nil, 0) // rows of the present poses
	for i, c := range s.Model.Constraints {
		stiffness := stiffnessOf(c)
		if stiffness == nil {
			continue
		}
		p.ResetConstraints()
		c.Append(kinematics{s}, p)
		w, ok := mobility(p)
		least := math.Inf(1)
		for row := range w {
			// rows of a near-rigid part, and directions in which nothing moves, have no frequency
			if k := stiffness[row]; k > 0 && !math.IsInf(k, 1) && w[row] > 0 {
				least = min(least, math.Sqrt(k*w[row]))
			}
		}
		if ok && !math.IsInf(least, 1) {
			all = append(all, SpringFrequency{-1, i, least})
		}
	}
	p.ResetConstraints()
	return all
}

// stiffnessOf returns the stiffness of each row of a constraint that may be a spring; nil for others, and for limits,
// which act at their ends alone.
func stiffnessOf(c constraints.Constraint) (rows []float64) {
	d, ok := c.(constraints.Described)
	if !ok {
		return nil
	}
	about := d.Describe()
	if about.OneSided && len(about.Dofs) > 0 {
		return nil
	}
	for _, s := range about.Rows {
		rows = append(rows, s.Stiffness)
	}
	return rows
}

// mobility returns the diagonal of J A⁻¹ Jᵀ of the only constraint of a problem; false where it
// touches a deformable.
func mobility(p *cliques.Problem) (w []float64, ok bool) {
	if len(p.Constraints) != 1 {
		return nil, false
	}
	rows := p.Constraints[0].Dim
	w = make([]float64, rows)
	for _, b := range p.Blocks(0) {
		var c *cliques.Clique
		for i := range p.Cliques {
			if k := &p.Cliques[i]; k.First <= b.Node && int(b.Node) < int(k.First)+k.Nodes {
				c = k
			}
		}
		if c.Pattern != nil {
			return nil, false
		}
		var chol mat.Cholesky
		if !chol.Factorize(mat.NewSymDense(c.Size, append([]float64(nil), c.A...))) {
			return nil, false
		}
		for r := range rows {
			J := mat.NewVecDense(c.Size, append([]float64(nil), b.J[r*c.Size:(r+1)*c.Size]...))
			var y mat.VecDense
			if err := chol.SolveVecTo(&y, J); err != nil {
				return nil, false
			}
			w[r] += mat.Dot(J, &y)
		}
	}
	return w, true
}

// massless is a law that does nothing: its constraint holds a Jacobian.
type massless struct{ rows int }

func (l *massless) Dim() int                               { return l.rows }
func (*massless) Prepare(float64, []float64)               {}
func (*massless) Eval(_, gamma, G []float64) (ell float64) { clear(gamma); clear(G); return 0 }
