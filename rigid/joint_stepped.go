package rigid

import (
	"errors"
	"fmt"
)

// SteppedJoint is a BiasedJoint whose velocities are rates of coordinates with singular configurations, such as Euler
// angles, while the body that it carries has none. Its step is that of the body: ω = H(q) v is constant over the step,
//
//	X(q⁺) = exp(h H(q) v) X(q),   H(q⁺) v⁺ = H(q) v                        (1)
//
// so that motions of the tree do not depend on the coordinates in which they are written. Free motion leaves out the
// acceleration bias Ḣ v of these joints, because (1) turns v as much. A joint with a rotor keeps to Advance: its rates
// have momenta of their own, which keep it out of singular configurations where steps are short enough.
type SteppedJoint interface {
	BiasedJoint
	// CheckRegular returns an error that describes a singular configuration at q (nq) and its remedy, or nil.
	CheckRegular(q []float64) error
	// Step moves q (nq) and v (nv) by (1) over h seconds. An error describes a singular configuration at which (1) has
	// no solution to working precision, with its remedy; q and v are then those of Advance.
	Step(h float64, q, v []float64) error
	// Transfer replaces velocities v at positions q (nq) by those at other positions to (nq) with which the body moves
	// alike, H(to) v' = H(q) v. An error describes a singular configuration at to, with its remedy; v is then as
	// before.
	Transfer(q, to, v []float64) error
	// StepTangent writes the derivative of (1) of q and v by q and v (2nv × 2nv, row-major), at the q and v of the
	// start.
	StepTangent(h float64, q, v, dst []float64)
}

// ErrSingularJoint reports a joint that a step brings to a singular configuration.
var ErrSingularJoint = errors.New("a joint is in a singular configuration")

// CheckStep returns an error that names the first link whose SteppedJoint has no step of h (s) from the positions q
// (nq) with the velocities vNext (nv), or nil.
func (d *Data) CheckStep(h float64, vNext, q []float64) error {
	for _, i := range d.m.steppedLinks {
		l, joint := &d.m.placing[i], d.m.links[i].Joint
		nq, _ := joint.Size()
		x, v := d.stepQ[:nq], d.vMidpoint[:l.nv]
		copy(x, q[l.q0:])
		copy(v, vNext[l.v0:])
		if l.stepped != nil {
			if d.rule.Midpoint {
				if err := l.stepped.Transfer(d.damped.middle.q[l.q0:l.q0+nq], x, v); err != nil {
					return fmt.Errorf("%w: that of link %q: %w", ErrSingularJoint, d.m.links[i].Name, err)
				}
			}
			if err := l.stepped.Step(h, x, v); err != nil {
				return fmt.Errorf("%w: that of link %q: %w", ErrSingularJoint, d.m.links[i].Name, err)
			}
			continue
		}
		// along the coordinates, whose axes may not turn far
		start := subspaceVelocity(joint, x, v)
		joint.Advance(h, x, v)
		end := subspaceVelocity(joint, x, v)
		if change, size := end.w.Sub(start.w).Norm(), max(start.w.Norm(), end.w.Norm()); change > farTurn*size {
			return fmt.Errorf("%w: that of link %q: at the rates %.3g its axes turn too far within the step of %.3g s: take a shorter step, give it a larger rotor inertia, or none", ErrSingularJoint, d.m.links[i].Name, v, h)
		}
	}
	return nil
}

// farTurn is the change of H v over |H v| in a step along the coordinates beyond which it describes no motion of the
// body.
const farTurn = 0.1

// subspaceVelocity returns H(q) v of a joint in F's axes.
func subspaceVelocity(j Joint, q, v []float64) (V spatial) {
	for k, x := range v {
		w, u := j.Subspace_FM(q, k)
		V = V.addScaled(x, spatial{w, u})
	}
	return V
}

// SingularJoint returns an error that names the first SteppedJoint of a tree that is in a singular configuration at the
// placed positions, or nil.
func (d *Data) SingularJoint(tree int) error {
	for _, i := range d.m.steppedLinks {
		l := &d.m.placing[i]
		if d.m.tree[i] != tree || l.stepped == nil {
			continue
		}
		nq, _ := l.stepped.Size()
		err := l.stepped.CheckRegular(d.q[l.q0 : l.q0+nq])
		if err == nil && d.rule.Midpoint {
			err = l.stepped.CheckRegular(d.damped.middle.q[l.q0 : l.q0+nq])
		}
		if err != nil {
			return fmt.Errorf("%w: that of link %q: %w", ErrSingularJoint, d.m.links[i].Name, err)
		}
	}
	return nil
}

// displace moves the positions of one link's joint by its velocities over one second, along its coordinates.
func (m *Model) displace(link int, q, delta []float64) {
	if nv := m.nv[link]; nv > 0 {
		joint, q0, v0 := m.links[link].Joint, m.q0[link], m.v0[link]
		nq, _ := joint.Size()
		joint.Advance(1, q[q0:q0+nq], delta[v0:v0+nv])
	}
}
