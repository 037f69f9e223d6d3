package constraints

// A cable runs without friction through points p_0 … p_n of rigid bodies and of the world, such as the eyelets of a
// tackle or the guides of a finger. One tension T acts along all of it, a pull:
//
//	l = Σ d_i,  d_i = |p_i − p_{i−1}|,   T = max(0, k (l − L) + c l̇),   k = EA/L,   L = l_start/(1 + T_0/EA)
//
// It is one equation of the slack g = L − l ≥ 0, whose rate is −Σ ê_i·(v_i − v_{i−1}), with ê_i the mean direction of
// its segment in the step as that of a distance (constraint_distance.go). Each segment pulls along its own line, which
// keeps momentum and angular momentum. Source: MuJoCo, XML reference, tendon/spatial.

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Cable pulls along a path through points.
type Cable struct {
	// Path are the points that it runs through, at least two, those of its ends among them.
	Path   []Anchor
	Length float64 // L, at which it is slack, m
	Spring         // k = EA/L and c
}

var _ Described = (*Cable)(nil)

var _ = Constraints.Register(kinds.Kind[Spec]{
	Name: "cable",
	Doc:  "Pulls with one tension along a path through points of rigid bodies, without friction, as a cord through eyelets does.",
	New:  func() Spec { return &CableSpec{} },
	Samples: func() []Spec {
		return []Spec{
			&CableSpec{Path: []CablePoint{{Body: "box"}, {Body: "ball", Point: r3.Vec{0, 0.01, 0}}}, AxialStiffness: 500},
			&CableSpec{Path: []CablePoint{{Point: r3.Vec{0, 0, 1}}, {Body: "box", Point: r3.Vec{0.01, 0, 0.02}}, {Body: "ball"}, {Point: r3.Vec{1, 0, 1}}}, AxialStiffness: 2e3, Damping: 5},
		}
	},
})

// CablePoint is a point of a path.
type CablePoint struct {
	// Body is the name of the rigid body that has the point; empty: the world.
	Body string `key:"body" ref:"body" doc:"rigid body with the point" default:"world"`
	// Point is the point in the frame of the body, m.
	Point r3.Vec `key:"point" unit:"m" doc:"point in the frame of the body"`
}

// CableSpec are the parameters of a cable.
type CableSpec struct {
	// Path are its points from end to end.
	Path []CablePoint `key:"path,required" doc:"points that it runs through, from end to end"`
	// AxialStiffness is EA, N: the force over the strain.
	AxialStiffness float64 `key:"stiffness_EA,required" unit:"N" doc:"force over strain" above:"0"`
	// Damping is the force over the rate of the length, N s/m.
	Damping float64 `key:"damping" unit:"N s/m" doc:"damping" min:"0"`
	// Pretension is the tension at the start, N, where Length is nil.
	Pretension float64 `key:"pretension" unit:"N" doc:"tension at the start" min:"0"`
	// Length is the length at which it becomes taut, m; nil: that at the start under the pretension.
	Length *float64 `key:"length" unit:"m" doc:"length at which it becomes taut" default:"from the path at the start and the pretension" above:"0"`
}

// Make implements Spec.
func (s *CableSpec) Make(r Resolver) (Constraint, error) {
	if len(s.Path) < 2 {
		return nil, fmt.Errorf("path has %d points: give at least its two ends", len(s.Path))
	}
	if !(s.AxialStiffness > 0) {
		return nil, fmt.Errorf("stiffness_EA is %g N, the force over the strain: it must be positive", s.AxialStiffness)
	}
	c := &Cable{Path: make([]Anchor, len(s.Path))}
	start, free := 0.0, false
	for i := range s.Path {
		body, err := r.Body(s.Path[i].Body)
		if err == nil && r.IsDeformable(body) {
			err = fmt.Errorf("%s is deformable: cables run through points of rigid bodies; weld an eyelet to it, or take a distance with rope", s.Path[i].Body)
		}
		if err != nil {
			return nil, fmt.Errorf("path[%d].body: %w", i, err)
		}
		c.Path[i] = Anchor{Body: body, Pos_B: s.Path[i].Point}
		free = free || r.Movable(body)
		if i == 0 {
			continue
		}
		d := startOf(r, &c.Path[i]).Sub(startOf(r, &c.Path[i-1])).Norm()
		if body == c.Path[i-1].Body && d <= coincidentDistance {
			return nil, fmt.Errorf("path[%d] and path[%d] are one point of %s: leave out one of them", i-1, i, orWorld(s.Path[i].Body))
		}
		start += d
	}
	switch {
	case !free:
		return nil, errors.New("none of the bodies of path can move: give at least one that can")
	case s.Length != nil && s.Pretension > 0:
		return nil, errors.New("length and pretension: each gives the tension at the start, leave out one of them")
	case s.Length == nil && start <= coincidentDistance:
		return nil, errors.New("all points of path are at one place at the start: give a length")
	}
	c.Length = start / (1 + s.Pretension/s.AxialStiffness)
	set(&c.Length, s.Length)
	c.Spring = Spring{Stiffness: s.AxialStiffness / c.Length, Damping: s.Damping}
	return c, c.Check()
}

// Check implements Checker.
func (c *Cable) Check() error {
	errs := []error{checkPositive("length", c.Length), c.Spring.Check()}
	if len(c.Path) < 2 {
		errs = append(errs, fmt.Errorf("constraints: a cable of %d points: give at least its two ends", len(c.Path)))
	}
	if !c.storing() {
		errs = append(errs, fmt.Errorf("constraints: stiffness of a cable is %g N/m, want a finite number > 0", c.Stiffness))
	}
	for i := range c.Path {
		if c.Path[i].N > 0 {
			errs = append(errs, fmt.Errorf("constraints: point %d of a cable is on a deformable: cables run through points of rigid bodies", i))
		}
	}
	return errors.Join(errs...)
}

// span returns p_i − p_{i−1}, m.
func (c *Cable) span(k Kinematics, i int) r3.Vec { return anchorOffset(k, &c.Path[i-1], &c.Path[i]) }

// Append implements Constraint with one term of one equation.
func (c *Cable) Append(k Kinematics, p *cliques.Problem) int {
	law := newCompliant(p, 1)
	p.AddConstraint(law)
	now, after, end := 0.0, 0.0, k.AtEnd()
	for i := 1; i < len(c.Path); i++ {
		mean := c.span(k, i)
		now += mean.Norm()
		f := cliques.New[materialPoints](p)
		c.Path[i-1].feature(k, &f[0])
		c.Path[i].feature(k, &f[1])
		width := mean.Norm()
		if end != nil {
			at := c.span(end, i)
			after += at.Norm()
			mean, width = mean.Add(at), width+at.Norm()
			f[0].Pos_W, f[1].Pos_W = k.Lever(c.Path[i-1].Body, f[0].Pos_W), k.Lever(c.Path[i].Body, f[1].Pos_W)
		}
		if c.Path[i-1].Body != c.Path[i].Body && width > coincidentDistance {
			relativePointRow(k, p, 0, &f[0], &f[1], mean.Scale(-1/width))
		}
	}
	law.rows[0].oneSided(c.Spring, c.Length-now, maxCorrection)
	law.rows[0].loop = true
	if end != nil {
		follow(k, p, 0, -now, -after)
	}
	return 1
}

// PathLength returns l, m.
func (c *Cable) PathLength(k Kinematics) (l float64) {
	for i := 1; i < len(c.Path); i++ {
		l += c.span(k, i).Norm()
	}
	return l
}

// Values implements Curved: the negative of the length.
func (c *Cable) Values(k Kinematics, g *[6]float64) int {
	g[0] = -c.PathLength(k)
	return 1
}

// Spans implements Line.
func (c *Cable) Spans(k Kinematics, dst []r3.Vec) []r3.Vec {
	for i := 1; i < len(c.Path); i++ {
		dst = append(dst, c.span(k, i))
	}
	return dst
}

// Tension returns the tension (N) of the cable with handle h after the solve.
func (c *Cable) Tension(p *cliques.Problem, h cliques.Handle) float64 { return Effort(p, h) }

// Describe implements Described.
func (c *Cable) Describe() Description {
	return Description{Points: c.Path, Rows: []Spring{c.Spring}, Terms: 1, OneSided: true}
}

// Violation implements Described: by how much it is longer than without tension.
func (c *Cable) Violation(k Kinematics) Violation {
	return Violation{Distance: max(0, c.PathLength(k)-c.Length)}
}

// StoredEnergy implements Described.
func (c *Cable) StoredEnergy(k Kinematics) float64 {
	x := max(0, c.PathLength(k)-c.Length)
	return c.stored(x * x)
}

// Ties implements Tie: it yields.
func (c *Cable) Ties() bool { return false }
