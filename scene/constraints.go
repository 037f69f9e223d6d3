package scene

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// addConstraints adds welds, balls, distances and couplers.
func (l *loader) addConstraints() {
	for _, name := range l.f.Constraints.Keys {
		s := l.f.Constraints.Get(name)
		l.put("constraint", name, s.Pos, "constraints."+name)
		var make sim.ConstraintFunc
		given := 0
		if s.Weld != nil {
			given++
			X_BQ := l.poseOf(&s.Weld.PB)
			var X_AP *r3.Pose
			if s.Weld.PA != nil {
				x := l.poseOf(s.Weld.PA)
				X_AP = &x
			}
			make = func(r *sim.Resolver) (constraints.Constraint, error) { return weld(r, s.Weld, X_AP, X_BQ) }
		}
		if s.Ball != nil {
			given++
			make = func(r *sim.Resolver) (constraints.Constraint, error) {
				a, b, err := twoPoints(r, s.Ball)
				return &constraints.Ball{A: a, B: b}, err
			}
		}
		if s.Distance != nil {
			given++
			make = func(r *sim.Resolver) (constraints.Constraint, error) { return distance(r, s.Distance) }
		}
		if s.Coupler != nil {
			given++
			make = func(r *sim.Resolver) (constraints.Constraint, error) { return coupler(r, s.Coupler) }
		}
		if given != 1 {
			l.fail(s.Pos, "constraints.%s: exactly one of weld, ball, distance and coupler is wanted", name)
			continue
		}
		l.builder.AddConstraint(name, make)
	}
}

// twoBodies returns the two bodies of a constraint, which must be able to move
// against each other.
func twoBodies(r *sim.Resolver, nameA, nameB string) (i, j int, err error) {
	i, errA := r.RigidBody(nameA)
	j, errB := r.RigidBody(nameB)
	if err := errors.Join(errA, errB); err != nil {
		return 0, 0, err
	}
	if i == j || !r.Movable(i) && !r.Movable(j) {
		return 0, 0, fmt.Errorf("a constraint between %s and %s: two bodies are wanted of which one can move", orWorld(nameA), orWorld(nameB))
	}
	return i, j, nil
}

func coupler(r *sim.Resolver, s *Coupler) (constraints.Constraint, error) {
	i, errA := r.Joint(s.A)
	j, errB := r.Joint(s.B)
	switch err := errors.Join(errA, errB); {
	case err != nil:
		return nil, err
	case i == j:
		return nil, fmt.Errorf("coupler: a and b are both %s: two joints are wanted", s.A)
	case s.Ratio == 0:
		return nil, errors.New("coupler: ratio is wanted and not 0: q_a = ratio q_b + offset")
	}
	return &constraints.Coupler{A: i, B: j, Ratio: s.Ratio, Offset: s.Offset}, nil
}

func weld(r *sim.Resolver, w *TwoPoses, X_AP *r3.Pose, X_BQ r3.Pose) (constraints.Constraint, error) {
	i, j, err := twoBodies(r, w.A, w.B)
	if err != nil {
		return nil, err
	}
	c := &constraints.Weld{A: i, B: j, X_BQ: X_BQ}
	if X_AP != nil {
		c.X_AP = *X_AP
	} else {
		c.X_AP = r.Pose(i).Inv().Mul(r.Pose(j)).Mul(X_BQ)
	}
	return c, nil
}

func twoPoints(r *sim.Resolver, t *TwoPoints) (a, b constraints.Anchor, err error) {
	i, j, err := twoBodies(r, t.A, t.B)
	if err != nil {
		return a, b, err
	}
	b = constraints.Anchor{Body: j, Pos_B: r3.Vec(t.PB)}
	a = constraints.Anchor{Body: i, Pos_B: r.Pose(i).InvPoint(r.Pose(j).Point(b.Pos_B))}
	if t.PA != nil {
		a.Pos_B = r3.Vec(*t.PA)
	}
	return a, b, nil
}

func distance(r *sim.Resolver, d *Distance) (constraints.Constraint, error) {
	points := d.TwoPoints
	if points.PA == nil { // a distance of 0 from where b is would say nothing
		points.PA = new([3]float64)
	}
	a, b, err := twoPoints(r, &points)
	if err != nil {
		return nil, err
	}
	now := r.Pose(b.Body).Point(b.Pos_B).Sub(r.Pose(a.Body).Point(a.Pos_B)).Norm()
	c := &constraints.Distance{A: a, B: b, Length: value(d.Length, now), Rope: d.Rope}
	c.Stiffness, c.Damping = value(d.Stiffness, math.Inf(1)), d.Damping
	if c.Length <= 0 || c.Stiffness < 0 || c.Damping < 0 {
		return nil, errors.New("distance: length must be positive (are the points at one place?), stiffness and damping not negative")
	}
	return c, nil
}
