package sim

// Limits and dry friction of joints are constraints of their own. A joint that mimics
// another follows it exactly,
//
//	q = r q_leader + o
//
// as one degree of freedom (package rigid, mimic.go). Where the two belong to different trees of which one floats, a
// coupler ties them, and a start of the follower that was given elsewhere is kept.

import (
	"errors"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// JointSpec describes the joint between a body and its parent. A frame F on the parent and
// a frame M on the body coincide at zero position.
type JointSpec struct {
	// Name is the name of the joint; empty: that of the body.
	Name string
	// Parent is the name of a rigid body; empty or "world": the world.
	Parent string
	// Joint is the kind of the joint with its axes in F, such as rigid.Revolute.
	Joint rigid.Joint
	// Point is p_BM, the position of the joint on the body, m. The axes of F and M are
	// then those of the body at zero position.
	Point r3.Vec
	// Frames are F and M in place of Point; nil: not given.
	Frames *JointFrames

	// Q is the position at the start, in the order of the joint's kind, m or rad; nil:
	// zero, or the position that AddMimic implies.
	Q []float64
	// V is the velocity at the start, m/s or rad/s; nil: zero.
	V []float64

	// Limits are the lower and the upper limit of the position of a joint with one degree
	// of freedom, m or rad; ±Inf or nil: none.
	Limits *[2]float64
	// Friction is the dry friction of a joint with one degree of freedom, N or N m.
	Friction float64
	// StaticFriction is that of the joint at rest (breakaway), N or N m; Friction where it is less.
	StaticFriction float64
	// Damping is the viscous friction, of each velocity, N s/m or N m s/rad.
	Damping float64
	// Stiffness is the stiffness of a spring on a joint with one degree of freedom, N/m or N
	// m/rad.
	Stiffness float64
	// Rest is the position at which the spring is slack, m or rad.
	Rest float64
	// RotorInertia is the reflected inertia (armature) of a motor behind a gear: the
	// rotor's inertia times the square of the gear ratio, kg or kg m².
	RotorInertia float64
	// Effort is the effort limit of drives without a bound of their own, N or N m; 0: none.
	Effort float64
	// Velocity is the velocity limit of drives without a limit of their own, m/s or rad/s; 0:
	// none. It does not act on the joint itself.
	Velocity float64

	// ContactParent enables contact between the body and its parent.
	ContactParent bool
}

// JointFrames are the frames of a joint on parent and body. The body's Pose follows
// from them and may be left out.
type JointFrames struct {
	// X_PF is the pose of F on the parent.
	X_PF r3.Pose
	// X_BM is the pose of M on the body.
	X_BM r3.Pose
}

// jointName returns the name of a body's joint.
func (b *bodyItem) jointName() string {
	return b.spec.Joint.nameOr(b.name)
}

// nameOr returns the joint's name, or that of its body.
func (j *JointSpec) nameOr(body string) string {
	if j == nil || j.Name == "" {
		return body
	}
	return j.Name
}

// rootJoint reports whether a joint holds a body on the world, fixed or free, so that a
// motion may take its place.
func rootJoint(j *JointSpec) bool {
	switch j.Joint.(type) {
	case rigid.Weld, rigid.Floating:
		return j.Parent == "" || j.Parent == worldName
	}
	return false
}

// joint sets the joint of a link; false when it cannot.
func (a *assembly) joint(body *bodyItem, X_WB r3.Pose, spec *rigid.LinkSpec, start *jointStart) bool {
	j := body.spec.Joint
	// the parent, and its pose with all joints at zero
	X_WP := r3.PoseIdentity()
	if j.Parent != "" && j.Parent != worldName {
		parent := a.bodyOf[j.Parent]
		switch {
		case parent == nil:
			a.fail("body", body.name, "its joint's parent: %w", &UnknownError{"body", j.Parent, a.bodyNames()})
			return false
		case parent.link < 0:
			return false // its fault is reported
		}
		spec.Parent, X_WP = parent.link, a.X_W0[j.Parent]
	}
	// frames as given, or both at the joint's point with the body's axes
	if f := j.Frames; f != nil {
		spec.X_PF, spec.X_BM = f.X_PF, f.X_BM
		if body.spec.Pose == (r3.Pose{}) {
			X_WB = X_WP.Mul(f.X_PF).Mul(f.X_BM.Inv())
		}
	} else {
		spec.X_BM = r3.Pose{R: r3.Identity(), P: j.Point}
		spec.X_PF = X_WP.Inv().Mul(X_WB).Mul(spec.X_BM)
	}
	a.X_W0[body.name] = X_WB
	// what acts along the joint's own velocities
	spec.Joint = j.Joint
	spec.Damping, spec.Stiffness, spec.Rest, spec.RotorInertia = j.Damping, j.Stiffness, j.Rest, j.RotorInertia+a.rotors[body.jointName()]
	if err := j.check(); err != nil {
		a.fail("joint", body.jointName(), "%w", err)
		return false
	}
	start.q, start.v = j.Q, j.V
	return true
}

// check reports what is wrong with a joint beside those that package rigid checks.
func (j *JointSpec) check() error {
	if j.Joint == nil {
		return errors.New("it has no kind: set Joint, such as rigid.Revolute{Axis: r3.Vec{0, 0, 1}}")
	}
	// numbers of positions and velocities of the kind, and what needs just one of each
	nq, nv := j.Joint.Size()
	switch {
	case j.Q != nil && len(j.Q) != nq, j.V != nil && len(j.V) != nv:
		return errors.New("the lengths of its Q and V must be the numbers of positions and velocities of its kind")
	case nv != 1 && (j.Limits != nil || j.Friction != 0 || j.StaticFriction != 0):
		return errors.New("limits and friction apply only to joints with one degree of freedom: leave them out")
	case j.Limits != nil && j.Limits[0] > j.Limits[1]:
		return errors.New("its lower limit exceeds the upper one")
	case !(j.Friction >= 0), !(j.StaticFriction >= 0):
		return errors.New("its friction must not be negative")
	}
	return nil
}

// limits returns the bounds of a joint with one degree of freedom.
func (j *JointSpec) limits() jointLimits {
	l := jointLimits{math.Inf(-1), math.Inf(1), j.Velocity, j.Effort}
	if j.Limits != nil {
		l.lower, l.upper = j.Limits[0], j.Limits[1]
	}
	if l.velocity == 0 {
		l.velocity = math.Inf(1)
	}
	return l
}

// mimicItem is a joint that follows another.
type mimicItem struct {
	joint, leader string
	ratio, offset float64
}

// AddMimic makes a joint with one degree of freedom a mimic joint of another one
// (gear): q = ratio q_leader + offset. It moves and starts as its leader says, and what acts on it acts on its leader.
func (b *Builder) AddMimic(joint, leader string, ratio, offset float64) {
	b.revision++
	b.mimics = append(b.mimics, mimicItem{joint, leader, ratio, offset})
}

// follow gives mimic joints their leaders, before velocities are numbered.
func (a *assembly) follow() {
	links := map[string]int{}
	for link := range a.starts {
		links[a.starts[link].item.jointName()] = link
	}
	for i := range a.mimics {
		m := &a.mimics[i]
		link, ok := links[m.joint]
		leader, leads := links[m.leader]
		if !ok || !leads {
			continue // couple says so
		}
		if err := a.trees.AddMimic(link, leader, m.ratio, m.offset); err != nil {
			a.fail("joint", m.joint, "mimic: %w", err)
		}
	}
}

// couple moves the starts of mimic joints, and adds couplers of those that the trees do not have.
func (a *assembly) couple() {
	trees := a.m.Rigid
	for i := range a.mimics {
		m := &a.mimics[i]
		follower, err1 := a.names.Joint(m.joint)
		leader, err2 := a.names.Joint(m.leader)
		if err := errors.Join(err1, err2); err != nil {
			a.fail("joint", m.joint, "mimic: %w", err)
			continue
		}
		if _, _, ok := trees.Leader(follower); !ok {
			a.m.Constraints = append(a.m.Constraints, &constraints.Coupler{A: follower, B: leader, Ratio: m.ratio, Offset: m.offset})
		}
	}
	if len(a.errs) > 0 || len(a.mimics) == 0 {
		return
	}
	// leaders first, whatever the order of the calls: a chain settles within as many turns as it is long
	given := append([]float64(nil), a.m.Start.Q...)
	for range a.mimics {
		trees.Follow(a.m.Start.Q, a.m.Start.V)
		for i := range a.mimics {
			m := &a.mimics[i]
			dof := a.m.Names.Joints[m.joint]
			if _, _, ok := trees.Leader(dof); !ok && a.starts[trees.LinkOfDof(dof)].q == nil {
				*a.position(dof) = m.ratio**a.position(a.m.Names.Joints[m.leader]) + m.offset
			}
		}
	}
	for i := range a.mimics {
		m := &a.mimics[i]
		dof := a.m.Names.Joints[m.joint]
		link := trees.LinkOfDof(dof)
		if a.starts[link].q == nil {
			continue
		}
		// a start that was given elsewhere
		q, want := given[trees.QStart(link)], m.ratio**a.position(a.m.Names.Joints[m.leader])+m.offset
		if _, _, ok := trees.Leader(dof); math.Abs(q-want) > mimicTol {
			starts := "starts there"
			if !ok {
				starts = "will jump there"
			}
			a.warn("joint", m.joint, "it starts at %g, but as a mimic joint of %s it belongs at %g: it %s", q, m.leader, want, starts)
		}
	}
}

// mimicTol is the distance, m or rad, within which a joint is where it belongs.
const mimicTol = 1e-9

// position returns the place of a one-degree-of-freedom joint's position in the start
// state.
func (a *assembly) position(dof int) *float64 {
	return &a.m.Start.Q[a.m.Rigid.QStart(a.m.Rigid.LinkOfDof(dof))]
}

// limits adds the constraints of limits and dry friction, joint by joint.
func (a *assembly) limits() {
	for link := range a.starts {
		item := a.starts[link].item
		j := item.spec.Joint
		if j == nil {
			continue
		}
		if _, nv := a.m.Rigid.Link(link).Joint.Size(); nv != 1 {
			continue
		}
		// each joint's limit, then its friction
		dof := a.m.Rigid.VStart(link)
		// bounds that are both infinite bound nothing
		if l := j.Limits; l != nil && !(math.IsInf(l[0], -1) && math.IsInf(l[1], 1)) {
			a.m.Constraints = append(a.m.Constraints, &constraints.Limit{Dof: dof, Lower: l[0], Upper: l[1]})
			if q := *a.position(dof); q < l[0]-mimicTol || q > l[1]+mimicTol {
				a.warn("joint", item.jointName(), "it starts at %g, outside of its limits %g to %g", q, l[0], l[1])
			}
		}
		if j.Friction > 0 || j.StaticFriction > 0 {
			a.m.Constraints = append(a.m.Constraints, &constraints.JointFriction{Dof: dof, Effort: j.Friction, StaticEffort: j.StaticFriction})
		}
	}
}
