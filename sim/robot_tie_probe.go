package sim

// Which constraints tie joints without a drive to driven ones, found when the model is built by the rows that they
// append.

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// findDependents sets what moves with the joints of each controller, after all constraints are made.
func findDependents(a *assembly) {
	list := robotsOf(a.m)
	if len(a.errs) > 0 || a.m.Rigid == nil || len(list) == 0 {
		return
	}
	driven := a.m.drivenDofs()
	probe := newTieProbe(a.m)
	for _, c := range list {
		if !c.gravity && !c.inverse && !c.coupled() {
			continue
		}
		d, err := probe.dependents(c, driven)
		if err != nil {
			a.fail("drive", c.name, "%w", err)
			continue
		}
		c.dependents = d
		c.frictions = plannedFrictions(a.m, c)
	}
}

// drivenDofs marks the velocities that a drive of any kind moves by itself.
func (m *Model) drivenDofs() []bool {
	driven := make([]bool, m.Rigid.NumV())
	for _, c := range m.Constraints {
		if d, ok := c.(constraints.Commanded); ok {
			if dofs := d.Actuation().Along.Dofs; len(dofs) == 1 {
				driven[dofs[0]] = true
			}
		}
	}
	// drives of mimic joints drive their leaders
	for dof := range driven {
		leader, _, _ := m.Rigid.Leader(dof)
		driven[leader] = driven[leader] || driven[dof]
		driven[dof] = driven[dof] && leader == dof
	}
	return driven
}

// tieProbe finds the trees that constraints touch.
type tieProbe struct {
	m       *Model
	ties    []constraints.Constraint
	trees   [][]int // of each
	curved  []bool
	unknown []int // constraints of which it is not known whether they tie
	dofs    [][]int

	stops    []constraints.Stop
	stopDofs [][]int // velocities that each acts on
}

// newTieProbe appends all constraints at the start of the model.
func newTieProbe(m *Model) *tieProbe {
	p := &tieProbe{m: m}
	d := m.Rigid.NewData()
	nq, nv := m.RigidSize()
	d.Place(0, DefaultTimeStep, m.Start.Q[:nq], m.Start.V[:nv])
	all := make([]int, m.Rigid.Trees())
	for t := range all {
		all[t] = t
	}
	var problem cliques.Problem
	// holds count as closed: they may be at any time
	closed := newHolds(m)
	for i := range closed.data {
		closed.data[i].is = holdHolds
	}
	k := rowKinematics{kinematics{&Stepper{Model: m, contact: m.Contact, actors: []actor{closed}}}, m, d}
	for i, c := range m.Constraints {
		if _, drive := c.(constraints.Commanded); drive {
			continue
		}
		tie, known := c.(constraints.Tie)
		stop, stops := c.(constraints.Stop)
		if known && !tie.Ties() && !stops {
			continue
		}
		problem.Reset(0, DefaultTimeStep)
		d.AddNodes(all, &problem)
		if c.Append(k, &problem) == 0 {
			continue
		}
		var trees, dofs []int
		for h := range problem.Constraints {
			for _, b := range problem.Blocks(cliques.Handle(h)) {
				trees = append(trees, int(b.Node))
				first, _ := m.Rigid.DofsOfTree(int(b.Node))
				n := problem.NodeSize[b.Node]
				for e, x := range b.J {
					if x != 0 {
						dofs = append(dofs, first+e%n)
					}
				}
			}
		}
		if known && !tie.Ties() {
			p.stops, p.stopDofs = append(p.stops, stop), append(p.stopDofs, dofs)
			continue
		}
		if !known {
			p.unknown, p.dofs = append(p.unknown, i), append(p.dofs, dofs)
			continue
		}
		_, curved := c.(constraints.Curved)
		p.ties, p.trees, p.curved = append(p.ties, c), append(p.trees, trees), append(p.curved, curved)
	}
	return p
}

// checkUnknown refuses constraints that may act on joints which the controller includes and does not drive.
func (p *tieProbe) checkUnknown(c *robotControl, others []int) error {
	for i, number := range p.unknown {
		for _, dof := range p.dofs[i] {
			if link := p.m.Rigid.LinkOfDof(dof); slices.Contains(others, dof) && c.known[link] {
				return fmt.Errorf("feed forward cannot see whether constraint %s (%T) ties the joint of %s, which moves without a drive, to others: let it implement constraints.Tie, or set gravity_compensation and inverse_dynamics to false",
					nameOf(p.m.Names.Constraints, number), p.m.Constraints[number], p.m.Rigid.LinkName(link))
			}
		}
	}
	return nil
}

// nameOf returns the name of a number.
func nameOf(names map[string]int, number int) string {
	for name, n := range names {
		if n == number {
			return name
		}
	}
	return fmt.Sprint(number)
}

// rowKinematics gives constraints the poses of placed links, and takes their rows, for a problem of rows alone.
type rowKinematics struct {
	constraints.Kinematics // of the stepper, for what rows do not depend on
	m                      *Model
	d                      *rigid.Data
}

// Pose implements constraints.Kinematics.
func (k rowKinematics) Pose(body int) r3.Pose {
	if body == geometry.World {
		return r3.PoseIdentity()
	}
	return k.d.Pose(body)
}

// Vertex implements constraints.Kinematics: ties act on no deformables.
func (k rowKinematics) Vertex(int, int32) r3.Vec { return r3.Vec{} }

// AtEnd implements constraints.Kinematics: rows are those of the placed links.
func (k rowKinematics) AtEnd() constraints.Kinematics { return nil }

// Lever implements constraints.Kinematics.
func (k rowKinematics) Lever(_ int, p_W r3.Vec) r3.Vec { return p_W }

// Rate implements constraints.Kinematics.
func (k rowKinematics) Rate(*cliques.Problem, int) float64 { return 0 }

// isLink reports whether a scene body is a link.
func (k rowKinematics) isLink(body int) bool { return body >= 0 && body < k.m.Rigid.NumLinks() }

// PointRow implements constraints.Kinematics.
func (k rowKinematics) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64) {
	if k.isLink(f.Body) {
		k.d.PointRow(p, row, f.Body, f.Pos_W, dir_W, s)
	}
}

// PointRows implements constraints.Kinematics.
func (k rowKinematics) PointRows(p *cliques.Problem, f *geometry.MaterialPoint, R_WC *r3.Mat, tangent_W *r3.Vec, s float64) {
	if k.isLink(f.Body) {
		k.d.PointRows(p, f.Body, &f.Pos_W, R_WC, tangent_W, s)
	}
}

// AngularRow implements constraints.Kinematics.
func (k rowKinematics) AngularRow(p *cliques.Problem, row int, body int, dir_W r3.Vec, s float64) {
	if k.isLink(body) {
		k.d.AngularRow(p, row, body, dir_W, s)
	}
}

// DofRow implements constraints.Kinematics.
func (k rowKinematics) DofRow(p *cliques.Problem, row int, dof int, s float64) {
	k.d.DofRow(p, row, dof, s)
}

// Dof implements constraints.Kinematics.
func (k rowKinematics) Dof(dof int) (q, v float64) { return k.d.Dof(dof) }
