package constraints

// A coupler (gear) ties two joints:
//
//	g = q_a − ρ q_b − q_off,   ġ = v_a − ρ v_b,
//
// with the efforts γ/h on a and −ρ γ/h on b.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/kinds"
)

// Coupler couples the positions of two joints with one degree of freedom (a gear ratio; the
// mimic joints of robot files are exact, package rigid): q_a = ρ q_b + q_off.
type Coupler struct {
	A, B   int     // dofs
	Ratio  float64 // ρ, in units of a per unit of b
	Offset float64 // q_off, m or rad
	Spring
}

var _ Described = (*Coupler)(nil)

var _ = Constraints.Register(kinds.Kind[Spec]{
	Name:    "coupler",
	Doc:     "Ties the positions of two joints, as gears do: q_a = ratio q_b + offset.",
	New:     func() Spec { return &CouplerSpec{} },
	Samples: func() []Spec { return []Spec{&CouplerSpec{A: "arm", B: "cart", Ratio: -0.5, Offset: 0.1}} },
})

// CouplerSpec are the parameters of a coupler.
type CouplerSpec struct {
	// A is the name of the joint with the position q_a.
	A string `key:"a,required" ref:"joint" doc:"first joint"`
	// B is the name of the joint with the position q_b.
	B string `key:"b,required" ref:"joint" doc:"second joint"`
	// Ratio is the gear ratio q_a per q_b, in the unit of q_a over the unit of q_b.
	Ratio float64 `key:"ratio,required" unit:"units of a per unit of b" doc:"position of a per position of b"`
	// Offset is q_a where q_b is 0, m or rad.
	Offset float64 `key:"offset" unit:"m or rad" doc:"position of a where that of b is 0"`
}

// Make implements Spec.
func (s *CouplerSpec) Make(r Resolver) (Constraint, error) {
	a, errA := r.Joint(s.A)
	b, errB := r.Joint(s.B)
	switch {
	case errA != nil || errB != nil:
		return nil, errors.Join(errA, errB)
	case a == b:
		return nil, fmt.Errorf("a and b are both %s: two joints are required", s.A)
	case s.Ratio == 0:
		return nil, errors.New("ratio is required and not 0: q_a = ratio q_b + offset")
	}
	return &Coupler{A: a, B: b, Ratio: s.Ratio, Offset: s.Offset}, nil
}

// Check implements Checker.
func (c *Coupler) Check() error {
	if c.A == c.B {
		return fmt.Errorf("constraints: coupler ties dof %d to itself", c.A)
	}
	return errors.Join(checkFinite("ratio", c.Ratio), checkFinite("offset", c.Offset), c.Spring.Check())
}

// Append implements Constraint with one term of one equation.
func (c *Coupler) Append(k Kinematics, p *cliques.Problem) int {
	law := newCompliant(p, 1)
	p.AddConstraint(law)
	law.rows[0].jointCoupling(c.Spring, c.excess(k))
	k.DofRow(p, 0, c.A, 1)
	k.DofRow(p, 0, c.B, -c.Ratio)
	return 1
}

// excess returns q_a − ρ q_b − q_off (m or rad) now.
func (c *Coupler) excess(k Kinematics) float64 {
	qa, _ := k.Dof(c.A)
	qb, _ := k.Dof(c.B)
	return qa - c.Ratio*qb - c.Offset
}

// Describe implements Described.
func (c *Coupler) Describe() Description {
	return Description{Dofs: []int{c.A, c.B}, Rows: []Spring{c.Spring}, Terms: 1}
}

// Violation implements Described.
func (c *Coupler) Violation(k Kinematics) Violation { return Violation{Joint: math.Abs(c.excess(k))} }

// StoredEnergy implements Described.
func (c *Coupler) StoredEnergy(k Kinematics) float64 {
	g := c.excess(k)
	return c.stored(g * g)
}
