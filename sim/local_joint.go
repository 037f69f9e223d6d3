package sim

// Constraints of joints, such as drives and limits: they read positions and velocities of a few joints, and their
// rows are velocities of joints. Which they read shows when they append their terms. Constraints that read poses
// of two bodies are pairs, local_pair.go. Efforts of drives are linear in the inputs.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// jointView is constraints.Kinematics that notes what a constraint reads, with one joint displaced.
type jointView struct {
	constraints.Kinematics // the step's
	s                      *Stepper
	dof                    int // the displaced one, or −1
	dq, dv                 float64
	dofs, bodies           []int // that the constraint reads
	other                  bool  // or anything else
}

// note adds x to a list, once.
func note(list []int, x int) []int {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// Pose implements constraints.Kinematics.
func (k *jointView) Pose(body int) r3.Pose {
	k.bodies = note(k.bodies, body)
	return k.Kinematics.Pose(body)
}

// Vertex implements constraints.Kinematics.
func (k *jointView) Vertex(body int, v int32) r3.Vec {
	k.other = true
	return k.Kinematics.Vertex(body, v)
}

// Lever implements constraints.Kinematics.
func (k *jointView) Lever(_ int, p_W r3.Vec) r3.Vec {
	k.other = true
	return p_W
}

// AtEnd implements constraints.Kinematics.
func (k *jointView) AtEnd() constraints.Kinematics {
	k.other = true
	return nil
}

// PointRow implements constraints.Kinematics.
func (k *jointView) PointRow(p *cliques.Problem, row int, f *geometry.MaterialPoint, dir_W r3.Vec, s float64) {
	k.bodies, k.other = note(k.bodies, f.Body), k.other || f.N > 0
	k.Kinematics.PointRow(p, row, f, dir_W, s)
}

// PointRows implements constraints.Kinematics.
func (k *jointView) PointRows(p *cliques.Problem, f *geometry.MaterialPoint, R_WC *r3.Mat, tangent_W *r3.Vec, s float64) {
	k.bodies, k.other = note(k.bodies, f.Body), k.other || f.N > 0
	k.Kinematics.PointRows(p, f, R_WC, tangent_W, s)
}

// AngularRow implements constraints.Kinematics.
func (k *jointView) AngularRow(p *cliques.Problem, row int, body int, dir_W r3.Vec, s float64) {
	k.bodies = note(k.bodies, body)
	k.Kinematics.AngularRow(p, row, body, dir_W, s)
}

// DofRow implements constraints.Kinematics. Mimic joints move as their leaders, which count for them.
func (k *jointView) DofRow(p *cliques.Problem, row int, dof int, s float64) {
	leader, _, _ := k.s.Model.Rigid.Leader(dof)
	k.dofs = note(k.dofs, leader)
	k.Kinematics.DofRow(p, row, dof, s)
}

// Dof implements constraints.Kinematics.
func (k *jointView) Dof(dof int) (q, v float64) {
	leader, ratio, _ := k.s.Model.Rigid.Leader(dof)
	k.dofs = note(k.dofs, leader)
	if q, v = k.Kinematics.Dof(dof); leader == k.dof {
		q, v = q+ratio*k.dq, v+ratio*k.dv
	}
	return q, v
}

// addConstraints adds the derivatives of the model's constraints, and of the inputs. It is false where one of them has
// none of its own.
func (l *Linearization) addConstraints() bool {
	s, d := l.s, &l.local
	k := &d.joints
	k.Kinematics, k.s, k.dof = s.kin, s, -1
	l.beginJoints()
	for i, c := range s.inputs.constraints {
		if a, ok := c.(*constraints.Fixed); ok && d.solution != nil {
			if !l.addAttachment(a, l.terms[i]-cliques.Handle(len(a.Verts)-1), d.solution) {
				return false
			}
			l.beginJoints()
			continue
		}
		d.problem.ResetConstraints()
		k.dofs, k.bodies, k.other = k.dofs[:0], k.bodies[:0], false
		count := c.Append(k, &d.problem)
		if count == 0 {
			continue
		}
		l.setMobilities(int(l.terms[i])-count+1, count)
		switch {
		case k.other || len(k.bodies) > 0 && len(k.dofs) > 0:
			return false
		case len(k.bodies) > 0:
			if !l.addConstraintPair(c) {
				return false
			}
			l.beginJoints() // the problem was that of the pair
		case !l.addJoints(i, c):
			return false
		}
	}
	return true
}

// beginJoints empties the problem of parts, but for the trees with their velocities.
func (l *Linearization) beginJoints() {
	p, main := &l.local.problem, &l.s.Problem
	p.Reset(l.x.Time, l.h)
	for i := range main.Cliques {
		c := &main.Cliques[i]
		if c.Offset >= l.local.size {
			break // deformables
		}
		_, _, v0, _ := p.AddDense(c.Size)
		copy(v0, main.V0[c.Offset:c.Offset+c.Size])
	}
}

// addConstraintPair adds the derivatives of a constraint between two bodies.
func (l *Linearization) addConstraintPair(c constraints.Constraint) bool {
	d := &l.local
	bodies := d.joints.bodies
	slices.Sort(bodies)
	a, b := geometry.World, bodies[len(bodies)-1]
	if len(bodies) > 1 {
		a = bodies[0]
	}
	if len(bodies) > 2 || b == geometry.World {
		return false
	}
	d.pair.with = c
	ok, err := l.addPair(a, b, l.s.kin.Pose(b).P)
	return ok && err == nil
}

// addJoints adds the derivatives of constraint i, which reads joints alone, and of its input. Its terms are in the
// problem of parts.
func (l *Linearization) addJoints(i int, c constraints.Constraint) bool {
	s, d, n := l.s, &l.local, l.local.size
	k := &d.joints
	d.impulses = d.impulses[:0]
	for t := range d.problem.Constraints {
		if d.dependsOnMobility(t, d.velocitiesOfTrees(t, l.v)) {
			return false
		}
		d.impulses = append(d.impulses, d.gamma...)
	}
	for at := 0; at < len(k.dofs); at++ {
		dof := k.dofs[at]
		if !l.readsJoint(c, dof) {
			continue // such as a motor without gains
		}
		// joints whose positions are quaternions have none to read
		if q, _ := s.rigid.Dof(dof); !math.IsNaN(q) {
			k.dof = dof
			if !l.addJointDifference(c, l.partials[dof*n:(dof+1)*n], &k.dq, nil, jointWidth) {
				k.dof = -1
				return false
			}
		}
		k.dof = dof
		width := jointWidth / l.h
		if _, ok := c.(*constraints.JointFriction); ok {
			width = slipWidth // its slip tolerance and static friction follow the velocity at the start
		}
		sides := l.addJointDifference(c, l.partials[(n+dof)*n:(n+dof+1)*n], &k.dv, &d.problem.V0[dof], width)
		k.dof = -1
		if !sides {
			return false
		}
	}
	if in := slices.Index(s.inputs.drives, i); in >= 0 {
		// r is linear in an input as long as the effort keeps within its bounds, so that the width may be large
		l.addJointDifference(c, l.inputPartials[in*len(l.v):(in+1)*len(l.v)], &s.inputs.of[in].Input, nil, inputWidth(s, in))
	}
	return true
}

// readsJoint reports whether the impulses of a constraint change with the motion of a joint.
func (l *Linearization) readsJoint(c constraints.Constraint, dof int) bool {
	d := &l.local
	k := &d.joints
	k.dof = dof
	differs := false
	for _, w := range [2]float64{jointWidth, -jointWidth} {
		// unlike amounts, lest they cancel
		k.dq, k.dv = w, w/l.h
		d.problem.V0[dof] += w / l.h
		d.problem.ResetConstraints()
		c.Append(k, &d.problem)
		d.problem.V0[dof] -= w / l.h
		d.moved = d.appendImpulses(l.v, d.moved[:0])
		differs = differs || !slices.Equal(d.moved, d.impulses)
	}
	k.dof, k.dq, k.dv = -1, 0, 0
	d.problem.V0[dof] = l.s.Problem.V0[dof] // to the last bit
	return differs
}

// appendImpulses appends the impulses of the part's terms at the velocities v of the trees.
func (d *localDerivatives) appendImpulses(v, dst []float64) []float64 {
	for t := range d.problem.Constraints {
		vc := d.velocitiesOfTrees(t, v)
		d.gamma = sized(d.gamma, len(vc))
		d.evaluate(t, vc, d.gamma, d.G[:])
		dst = append(dst, d.gamma...)
	}
	return dst
}

// addJointDifference adds to col the central difference of −Jᵀγ of a constraint by a number x, and another
// that changes by as much, if any. It is false where the constraint acts on one side alone (touch.go).
func (l *Linearization) addJointDifference(c constraints.Constraint, col []float64, x, too *float64, width float64) (sides bool) {
	d := &l.local
	old, oldToo := *x, 0.0
	if too != nil {
		oldToo = *too
	}
	for side, w := range [2]float64{width, -width} {
		l.slopes[side] = l.slopes[side][:0]
		*x = old + w
		if too != nil {
			*too = oldToo + w
		}
		d.problem.ResetConstraints()
		c.Append(&d.joints, &d.problem)
		for t := range d.problem.Constraints {
			vc := d.velocitiesOfTrees(t, l.v)
			d.gamma = sized(d.gamma, len(vc))
			d.evaluate(t, vc, d.gamma, d.G[:])
			slope := 0.0
			for r := range vc {
				slope += d.G[r*len(vc)+r]
			}
			l.slopes[side] = append(l.slopes[side], slope)
			for _, b := range d.problem.Blocks(cliques.Handle(t)) {
				m, off := d.problem.NodeSize[b.Node], d.problem.NodeOffset[b.Node]
				for r, g := range d.gamma {
					for j := range m {
						col[off+j] -= g * b.J[r*m+j] / (2 * w)
					}
				}
			}
		}
	}
	*x = old
	if too != nil {
		*too = oldToo
	}
	_, acts := l.slopesDiffer()
	return !acts
}

// velocitiesOfTrees returns J v + b of term t of the part's problem, until the next call.
func (d *localDerivatives) velocitiesOfTrees(t int, v []float64) []float64 {
	p := &d.problem
	c := &p.Constraints[t]
	d.vc = append(d.vc[:0], p.Bias[c.Row:c.Row+c.Dim]...)
	for _, b := range p.Blocks(cliques.Handle(t)) {
		n, off := p.NodeSize[b.Node], p.NodeOffset[b.Node]
		for r := range d.vc {
			d.vc[r] += dot(b.J[r*n:(r+1)*n], v[off:off+n])
		}
	}
	return d.vc
}
