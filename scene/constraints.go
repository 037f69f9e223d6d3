package scene

import (
	"encoding/json"
	"math"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// buildConstraints adds welds, balls, distances and couplers.
func (b *builder) buildConstraints() {
	pose := b.placed()
	for _, name := range b.f.Constraints.Keys {
		s := b.f.Constraints.Get(name)
		var c constraints.Constraint
		kinds := 0
		if s.Weld != nil {
			kinds++
			c = b.weld(s.Pos, s.Weld, pose)
		}
		if s.Ball != nil {
			kinds++
			if pa, pb, ok := b.twoPoints(s.Pos, s.Ball, pose); ok {
				c = &constraints.Ball{A: pa, B: pb}
			}
		}
		if s.Distance != nil {
			kinds++
			c = b.distance(s.Pos, s.Distance, pose)
		}
		if s.Coupler != nil {
			kinds++
			c = b.coupler(s.Pos, s.Coupler)
		}
		if kinds != 1 {
			b.fail(s.Pos, "constraints.%s: exactly one of weld, ball, distance and coupler is wanted", name)
			continue
		}
		if c != nil {
			b.model.Constraints = append(b.model.Constraints, c)
		}
	}
}

// twoBodies returns the two bodies of a constraint, which must be able to move
// against each other.
func (b *builder) twoBodies(p Pos, nameA, nameB string) (i, j int, ok bool) {
	i, ok1 := b.rigidBody(p, nameA)
	j, ok2 := b.rigidBody(p, nameB)
	if !ok1 || !ok2 {
		return 0, 0, false
	}
	if i == j || b.neverMoves(orWorld(nameA)) && b.neverMoves(orWorld(nameB)) {
		b.fail(p, "a constraint between %s and %s: two bodies are wanted of which one can move", orWorld(nameA), orWorld(nameB))
		return 0, 0, false
	}
	return i, j, true
}

func orWorld(name string) string {
	if name == "" {
		return "world"
	}
	return name
}

func (b *builder) coupler(p Pos, s *Coupler) constraints.Constraint {
	i, ok1 := b.dof(p, s.A)
	j, ok2 := b.dof(p, s.B)
	switch {
	case !ok1 || !ok2:
		return nil
	case i == j:
		b.fail(p, "coupler: a and b are both %s: two joints are wanted", s.A)
		return nil
	case s.Ratio == 0:
		b.fail(p, "coupler: ratio is wanted and not 0: q_a = ratio q_b + offset")
		return nil
	}
	return &constraints.Coupler{A: i, B: j, Ratio: s.Ratio, Offset: s.Offset}
}

func (b *builder) weld(p Pos, w *TwoPoses, pose func(int) r3.Pose) constraints.Constraint {
	i, j, ok := b.twoBodies(p, w.A, w.B)
	if !ok {
		return nil
	}
	X_BQ := b.pose(&w.PB)
	X_AP := pose(i).Inv().Mul(pose(j)).Mul(X_BQ)
	if w.PA != nil {
		X_AP = b.pose(w.PA)
	}
	return &constraints.Weld{A: i, B: j, X_AP: X_AP, X_BQ: X_BQ}
}

func (b *builder) twoPoints(p Pos, t *TwoPoints, pose func(int) r3.Pose) (pa, pb constraints.Anchor, ok bool) {
	i, j, ok := b.twoBodies(p, t.A, t.B)
	if !ok {
		return pa, pb, false
	}
	pb = constraints.Anchor{Body: j, Pos_B: r3.Vec(t.PB)}
	pa = constraints.Anchor{Body: i, Pos_B: pose(i).InvPoint(pose(j).Point(pb.Pos_B))}
	if t.PA != nil {
		pa.Pos_B = r3.Vec(*t.PA)
	}
	return pa, pb, true
}

func (b *builder) distance(p Pos, d *Distance, pose func(int) r3.Pose) constraints.Constraint {
	points := d.TwoPoints
	if points.PA == nil { // a distance of 0 from where b is would say nothing
		points.PA = new([3]float64)
	}
	pa, pb, ok := b.twoPoints(p, &points, pose)
	if !ok {
		return nil
	}
	now := pose(pb.Body).Point(pb.Pos_B).Sub(pose(pa.Body).Point(pa.Pos_B)).Norm()
	c := &constraints.Distance{A: pa, B: pb, Length: value(d.Length, now), Rope: d.Rope}
	c.Stiffness, c.Damping = value(d.Stiffness, math.Inf(1)), d.Damping
	if c.Length <= 0 || c.Stiffness < 0 || c.Damping < 0 {
		b.fail(p, "distance: length must be positive (are the points at one place?), stiffness and damping not negative")
		return nil
	}
	return c
}

// buildDrives adds the controllers of joints; prescribed motions are joints.
func (b *builder) buildDrives() {
	for _, name := range b.f.Drives.Keys {
		d := b.f.Drives.Get(name)
		if (d.Joint == "") == (d.Body == "") {
			b.fail(d.Pos, "drives.%s: one of joint (a controller) and body (a prescribed motion) is wanted", name)
			continue
		}
		if d.Joint == "" {
			if d.Kp != 0 || d.Kd != 0 || d.Effort != nil || d.FeedForward != nil || d.Target != nil || d.Velocity != nil {
				b.fail(d.Pos, "drives.%s: a prescribed motion has x, y, z, axis and angle; kp, kd, effort, feed_forward, target and velocity are of a controller, which names a joint", name)
			}
			if d.X == nil && d.Y == nil && d.Z == nil && d.Angle == nil {
				b.fail(d.Pos, "drives.%s: a prescribed motion wants one of x, y, z and angle", name)
			}
			continue
		}
		if d.X != nil || d.Y != nil || d.Z != nil || d.Angle != nil || d.Axis != [3]float64{} {
			b.fail(d.Pos, "drives.%s: x, y, z, axis and angle are of a prescribed motion, which names a body; a controller has target or velocity", name)
		}
		i, ok := b.dof(d.Pos, d.Joint)
		if !ok {
			continue
		}
		c := &constraints.PD{Dof: i, Kp: d.Kp, Kd: d.Kd}
		switch {
		case d.Target != nil && d.Velocity != nil:
			b.fail(d.Pos, "drives.%s: target and velocity exclude each other", name)
		case d.Target != nil:
			c.Target = d.Target
		case d.Velocity != nil:
			if d.Kp != 0 {
				b.fail(d.Pos, "drives.%s: a velocity drive has kd only", name)
			}
			c.Target = velocityTarget{d.Velocity}
		}
		b.effortLimit(name, d, c)
		if limit, limited := b.speeds[d.Joint]; limited && c.Target != nil {
			b.targets = append(b.targets, check.Target{Path: "drives." + name, Joint: d.Joint, SpeedLimit: limit, Motion: c.Target})
		}
		if m := d.FeedForward; m != nil {
			c.FeedForward = valueOf(m)
		}
		if err := c.Check(); err != nil {
			b.fail(d.Pos, "drives.%s: %v", name, err)
			continue
		}
		b.drives[name] = len(b.model.Constraints)
		b.model.Constraints = append(b.model.Constraints, c)
	}
}

// effortLimit bounds a controller by its drive, else by its robot's file.
func (b *builder) effortLimit(name string, d *Drive, c *constraints.PD) {
	e, limited := b.efforts[d.Joint]
	switch limit := d.Effort.(type) {
	case nil:
	case *motion.Value:
		if e, limited = limit.Number, true; !(e > 0) {
			b.fail(d.Pos, "drives.%s.effort is %g: a limit is positive", name, e)
			return
		}
	default:
		if table, ok := limit.(*motion.Piecewise); ok {
			for _, v := range table.Values {
				if v < 0 {
					b.fail(d.Pos, "drives.%s.effort: %g in its values: a limit is not negative", name, v)
				}
			}
		}
		c.Limit = valueOf(limit)
		return
	}
	if limited && !math.IsInf(e, 1) {
		c.Min, c.Max = -e, e
	}
}

// valueOf returns a motion without its rate.
func valueOf(m motion.Motion) func(t float64) float64 {
	return func(t float64) float64 {
		x, _ := m.At(t)
		return x
	}
}

// velocityTarget is the target of a velocity drive: its function is the
// velocity.
type velocityTarget struct{ v motion.Motion }

// At implements constraints.Target.
func (t velocityTarget) At(time float64) (x, dx float64) {
	v, _ := t.v.At(time)
	return 0, v
}

// finishStatic completes what recordings start with.
func (b *builder) finishStatic() error {
	s := &b.static
	s.Title, s.Gravity = b.f.Title, b.model.Gravity
	s.NumQ, s.NumV = b.model.RigidSize()
	var err error
	if s.Render, err = json.Marshal(b.f.Render); err != nil {
		return err
	}
	// pictures start from the deformables' own frames
	for i := range s.Deformables {
		rest := make([]r3.Vec, len(s.Deformables[i].Rest))
		for j, p := range s.Deformables[i].Rest {
			rest[j] = b.softPose[i].Point(p)
		}
		s.Deformables[i].Rest = rest
	}
	return nil
}
