package robot

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
	"github.com/curlfree/curlfree/r3"
)

// Loops. A tree has one joint to each link. A second one closes a loop, and is no joint of the tree:
//
//	fixed        Robot.Loops: frames P and Q of the joint coincide
//	ball         their origins do
//	hinge        their origins do, and so do the points at a distance on the axis            (1)
//	others       left out
//
// (1) has six equations for the five of a hinge: the points of a rigid body keep their distance by
// themselves. Limits, damping, friction, springs and motors of such a joint are not simulated.

// openLoops takes joints whose child another joint carries already out of the tree, and closes
// the loops by constraints where the format has loops. Mimics of these joints go with them.
func (r *Reader) openLoops(m *Robot) {
	holder := make([]int, len(m.Links))  // 1 + the joint whose child the link is
	number := make([]int, len(m.Joints)) // of joints that stay; -1 for others
	var kept, closing []Joint
	for i, j := range m.Joints {
		if holder[j.Child] > 0 {
			number[i] = -1
			closing = append(closing, j)
			continue
		}
		holder[j.Child], number[i] = i+1, len(kept)
		kept = append(kept, j)
	}
	if len(closing) == 0 {
		return
	}
	all := m.Joints
	m.Joints = kept
	for i := range closing {
		j := &closing[i]
		if held := all[holder[j.Child]-1].Name; !r.close(m, j, held) {
			r.Repair(j.Line, "joint %q is left out: link %q is the child of %q already, and robots are trees: close the loop with a constraint of the scene",
				j.Name, m.Links[j.Child].Name, held)
		}
	}
	for i := range kept {
		f := kept[i].Mimic
		switch {
		case f == nil:
		case number[f.Joint] < 0:
			r.Repair(kept[i].Line, "joint %q mimics a joint that is left out: it moves by itself", kept[i].Name)
			kept[i].Mimic = nil
		default:
			// a copy: both lists would share the old one
			kept[i].Mimic = &Mimic{number[f.Joint], f.Multiplier, f.Offset}
		}
	}
}

// close makes constraints of a joint to a link that the joint called held carries, and reports
// whether there are some.
func (r *Reader) close(m *Robot, j *Joint, held string) bool {
	if !r.Loops {
		return false
	}
	// one point, and a second on the axis of a hinge
	points := []r3.Vec{{}}
	switch j.Type {
	case Fixed, Ball:
	case Revolute, Continuous:
		// as far away as the joint is from its links, so that lengths are those of the robot
		lever := max(j.X_PF.P.Norm(), j.X_CM.P.Norm())
		if lever == 0 {
			lever = 0.1
		}
		points = append(points, j.Axis.Scale(lever))
	default:
		return false
	}
	if m.fixedTogether(j.Parent, j.Child) {
		r.Warn(j.Line, "joint %q is left out: links %q and %q do not move against each other", j.Name, m.Links[j.Parent].Name, m.Links[j.Child].Name)
		return true
	}
	for k, p := range points {
		name := j.Name
		if k > 0 {
			name += "_axis"
		}
		for slices.ContainsFunc(m.Loops, func(l Loop) bool { return l.Name == name }) {
			name += "_"
		}
		at := r3.Pose{R: r3.Identity(), P: p}
		m.Loops = append(m.Loops, Loop{Name: name, Line: j.Line, Weld: j.Type == Fixed, A: j.Parent, B: j.Child, X_AP: j.X_PF.Mul(at), X_BQ: j.X_CM.Mul(at)})
	}
	// links that a joint connects do not touch
	pair := [2]int{min(j.Parent, j.Child), max(j.Parent, j.Child)}
	compare := func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }
	if at, there := slices.BinarySearchFunc(m.ExcludedPairs, pair, compare); !there && pair[0] != pair[1] && !m.AdjacentContact {
		m.ExcludedPairs = slices.Insert(m.ExcludedPairs, at, pair)
	}
	r.Warn(j.Line, "joint %q closes a loop, since link %q is the child of %q already: a constraint replaces it%s", j.Name, m.Links[j.Child].Name, held, j.unconstrained())
	return true
}

// unconstrained says what of a joint a constraint does not have.
func (j *Joint) unconstrained() string {
	what := ""
	for _, p := range []struct {
		name  string
		there bool
	}{
		{"limits", !math.IsInf(j.Lower, -1) || !math.IsInf(j.Upper, 1)},
		{"damping", j.Damping != 0}, {"friction", j.Friction != 0}, {"spring", j.Stiffness != 0},
		{"rotor inertia", j.RotorInertia != 0}, {"mimic", j.Mimic != nil},
	} {
		if p.there {
			what += ", " + p.name
		}
	}
	if what == "" {
		return ""
	}
	return fmt.Sprintf(" without its %s", what[len(", "):])
}

// fixedTogether reports whether fixed joints of the tree connect two links.
func (m *Robot) fixedTogether(a, b int) bool {
	sets := unionfind.New(len(m.Links))
	for i := range m.Joints {
		if j := &m.Joints[i]; j.Type == Fixed {
			sets.Union(int32(j.Parent), int32(j.Child))
		}
	}
	return sets.Find(int32(a)) == sets.Find(int32(b))
}

// NamedBall is a constraint of Drake, which keeps point P of a body A at point Q of a body B, before
// names are resolved.
type NamedBall struct {
	// Line is where the file describes it.
	Line int
	// A and B are names of links, or world.
	A, B string
	// P and Q are points of A and B in their frames, m.
	P, Q r3.Vec
}

// AddBall adds a constraint between links, whose numbers by name are in links.
func (r *Reader) AddBall(m *Robot, b NamedBall, links map[string]int) {
	number := func(name string) int {
		i, ok := links[name]
		switch {
		case ok:
			return i
		case name != "world" && name != "":
			r.Fail(b.Line, "<drake:ball_constraint> names body %q: there is no such link", name)
		}
		return -1 // the frame of the file
	}
	l := Loop{
		Name: fmt.Sprintf("ball of %s and %s (line %d)", b.A, b.B, b.Line), Line: b.Line, A: number(b.A), B: number(b.B),
		X_AP: r3.Pose{R: r3.Identity(), P: b.P}, X_BQ: r3.Pose{R: r3.Identity(), P: b.Q},
	}
	if r.Err == nil && l.A == l.B {
		r.Fail(b.Line, "<drake:ball_constraint> names body %q twice: it joins two bodies", b.A)
	}
	for slices.ContainsFunc(m.Loops, func(o Loop) bool { return o.Name == l.Name }) {
		l.Name += "_" // two in a line
	}
	m.Loops = append(m.Loops, l)
}
