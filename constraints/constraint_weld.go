package constraints

// A weld constraint keeps frame Q of body B on frame P of body A. With M midway between
// their origins and a the rotation vector of R_PQ,
//
//	g = (R_WP a, p_PQ_W),   ġ = (ω_B − ω_A, v_BM − v_AM)   (6 equations).
//
// M makes the weld symmetric in A and B and its impulse free of spurious moment.
//
// A deformable has no frames. Its weld fixes the vertices of the element at the frame's origin,
// each as an attachment does (constraint_fixed.go): that is the least part which turns with the
// other body.

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Weld fixes a frame of one rigid body on a frame of another or of the world.
type Weld struct {
	A, B        int     // rigid bodies, or geometry.World
	X_AP, X_BQ  r3.Pose // the frames P on A and Q on B that coincide
	Rotation    Spring  // rotational stiffness and damping, N m/rad and N m s/rad
	Translation Spring  // translational stiffness and damping, N/m and N s/m
}

var _ Described = (*Weld)(nil)

var _ = Constraints.Register(kinds.Kind[Spec]{
	Name:  "weld",
	Doc:   "Fixes a frame of one body on a frame of another.",
	About: "On a deformable it fixes the element at the frame's origin, where it is at the start.",
	New:   func() Spec { return &WeldSpec{PoseB: r3.PoseIdentity()} },
	Samples: func() []Spec {
		return []Spec{
			&WeldSpec{TwoBodies: TwoBodies{"box", "ball"}, PoseB: r3.PoseIdentity()},
			&WeldSpec{TwoBodies: TwoBodies{"", "box"}, PoseB: r3.Pose{R: r3.RotRPY(0.1, 0.2, 0.3), P: r3.Vec{0.05, 0, 0}}},
			&WeldSpec{TwoBodies: TwoBodies{"box", "pad"}, PoseB: r3.Pose{R: r3.Identity(), P: r3.Vec{0.02, 0.01, 0.01}}},
		}
	},
})

// WeldSpec are the parameters of a weld.
type WeldSpec struct {
	TwoBodies
	// PoseA is the frame on body A, as its pose in A, the zero value for the identity; nil: where that on B is at the
	// start.
	PoseA *r3.Pose `key:"pose_a" doc:"frame on a" default:"where pose_b is at the start"`
	// PoseB is the frame on body B, as its pose in B, the zero value for the identity.
	PoseB r3.Pose `key:"pose_b" doc:"frame on b"`
}

// Make implements Spec.
func (s *WeldSpec) Make(r Resolver) (Constraint, error) {
	a, errA := r.Body(s.A)
	b, errB := r.Body(s.B)
	if errA == nil && errB == nil {
		switch {
		case r.IsDeformable(a) && r.IsDeformable(b):
			return nil, errors.New("a weld of two deformables: weld both to one rigid body, or tie points of them by several balls")
		case r.IsDeformable(b):
			if s.PoseA != nil {
				return nil, errors.New("pose_a has no meaning for a deformable, which is fixed where it is at the start: leave it out")
			}
			return holdElement(r, b, s.PoseB.P, a)
		case r.IsDeformable(a):
			p := pose(r, a).InvPoint(pose(r, b).Point(s.PoseB.P))
			if s.PoseA != nil {
				p = s.PoseA.P
			}
			return holdElement(r, a, p, b)
		}
	}
	a, b, err := s.find(r)
	if err != nil {
		return nil, err
	}
	X_BQ := s.PoseB.OrIdentity()
	c := &Weld{A: a, B: b, X_AP: pose(r, a).Inv().Mul(pose(r, b)).Mul(X_BQ), X_BQ: X_BQ}
	if s.PoseA != nil {
		c.X_AP = s.PoseA.OrIdentity()
	}
	return c, nil
}

// holdElement fixes the element of a deformable at a point of its mesh on a rigid body.
func holdElement(r Resolver, deformable int, point r3.Vec, body int) (Constraint, error) {
	if !r.Movable(deformable) {
		return nil, errors.New("all vertices of the deformable are fixed: the weld has no effect")
	}
	verts, at, err := r.Element(deformable, point)
	if err != nil {
		return nil, err
	}
	placed := make([]r3.Vec, len(at))
	for i, p := range at {
		placed[i] = pose(r, deformable).Point(p)
	}
	return NewFixed(deformable, verts, placed, body, pose(r, body))
}

// frameRounding bounds the round-off of ‖RᵀR − 1‖² of a rotation R that was written with a few digits.
const frameRounding = 1e-6

// Check implements Checker.
func (c *Weld) Check() error {
	if c.A == c.B {
		return fmt.Errorf("constraints: weld ties body %d to itself", c.A)
	}
	for _, X := range [2]r3.Pose{c.X_AP, c.X_BQ} {
		if d := X.R.T().Mul(X.R).Sub(r3.Identity()).Norm2(); !(d < frameRounding) {
			return fmt.Errorf("constraints: weld of bodies %d and %d: a frame has no rotation: give r3.PoseIdentity() at least", c.A, c.B)
		}
	}
	return errors.Join(c.Rotation.Check(), c.Translation.Check())
}

// Append implements Constraint with one term of six equations, rotations first.
func (c *Weld) Append(k Kinematics, p *cliques.Problem) int {
	law := newCompliant(p, 6)
	p.AddConstraint(law)
	turn, p_PQ, p_WM := c.errors(k)
	f := cliques.New[materialPoints](p)
	f[0] = geometry.MaterialPoint{Body: c.A, Pos_W: k.Lever(c.A, p_WM)}
	f[1] = geometry.MaterialPoint{Body: c.B, Pos_W: k.Lever(c.B, p_WM)}
	for i := range 3 {
		law.rows[i].spring(c.Rotation, turn[i], maxTurn)
		relativeAngularRow(k, p, i, c.A, c.B, worldAxis(i))
		law.rows[3+i].spring(c.Translation, p_PQ[i], maxCorrection)
		law.rows[i].loop, law.rows[3+i].loop = true, true
		relativePointRow(k, p, 3+i, &f[0], &f[1], worldAxis(i))
	}
	if end := k.AtEnd(); end != nil {
		turnAt, at, _ := c.errors(end)
		for i := range 3 {
			follow(k, p, i, turn[i], turnAt[i])
			follow(k, p, 3+i, p_PQ[i], at[i])
		}
	}
	return 1
}

// Values implements Curved: the rotation vector, then p_PQ.
func (c *Weld) Values(k Kinematics, g *[6]float64) int {
	turn, p_PQ, _ := c.errors(k)
	return copy(g[:], turn[:]) + copy(g[3:], p_PQ[:])
}

// errors returns the rotation vector from P to Q (rad) and p_PQ in the world,
// and the point M.
func (c *Weld) errors(k Kinematics) (turn, p_PQ, p_WM r3.Vec) {
	X_WP, X_WQ := k.Pose(c.A).Mul(c.X_AP), k.Pose(c.B).Mul(c.X_BQ)
	turn = X_WP.R.MulVec(X_WP.R.T().Mul(X_WQ.R).Quat().Log())
	return turn, X_WQ.P.Sub(X_WP.P), X_WP.P.Lerp(X_WQ.P, 0.5)
}

// Wrench returns the moment (N m) about the weld's midpoint and the force (N)
// on B, in the world, of the weld with handle h after the solve.
func (c *Weld) Wrench(p *cliques.Problem, h cliques.Handle) (moment, force r3.Vec) {
	g, s := p.Impulse(h), 1/p.H
	return r3.Vec{s * g[0], s * g[1], s * g[2]}, r3.Vec{s * g[3], s * g[4], s * g[5]}
}

// relativeAngularRow adds dir·(ω_b − ω_a) to a row.
func relativeAngularRow(k Kinematics, p *cliques.Problem, row, a, b int, dir_W r3.Vec) {
	if b != geometry.World {
		k.AngularRow(p, row, b, dir_W, 1)
	}
	if a != geometry.World {
		k.AngularRow(p, row, a, dir_W, -1)
	}
}

// Describe implements Described.
func (c *Weld) Describe() Description {
	r, t := c.Rotation, c.Translation
	return Description{Points: []Anchor{{Body: c.A, Pos_B: c.X_AP.P}, {Body: c.B, Pos_B: c.X_BQ.P}}, Rows: []Spring{r, r, r, t, t, t}, Terms: 1}
}

// Violation implements Described. An angle above a quarter turn means that the weld was given wrong frames: its
// rotation vector is close to being ambiguous.
func (c *Weld) Violation(k Kinematics) Violation {
	turn, p_PQ, _ := c.errors(k)
	return Violation{Distance: p_PQ.Norm(), Angle: turn.Norm()}
}

// StoredEnergy implements Described.
func (c *Weld) StoredEnergy(k Kinematics) float64 {
	turn, p_PQ, _ := c.errors(k)
	return c.Rotation.stored(turn.Norm2()) + c.Translation.stored(p_PQ.Norm2())
}
