package sim

// The ground under a robot with a floating base. Points at which its links touch bodies that no force moves are
// supported in all directions, as by ball joints, for the efforts of robot_dependents.go: the least forces there that
// carry what the base needs are those of equation (4). A point can only push: those whose force would pull are left
// out, the largest pulls first, until none pulls; what then is free moves freely. Bounds of friction are not asked for.
//
// Bodies that the ground carries, free ones and deformables such as a plank, a box on a box or a mat, are ground for
// what stands on them: from the ground upwards over contacts whose normal is within 60° of the vertical. They are taken
// as firm, as the floor is. Other bodies carry nothing, as they may be in the robot's hand. What stands on a body that
// joints hang on the world, such as a lift or a lever, has an unknown support, which is reported.

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// support are the points on which a robot stands in one step.
type support struct {
	list    []supportPoint
	carried []bool // scene bodies that the ground carries, beside the ground
}

// uprightNormal is the least upward component of the normal at which a body stands on another.
const uprightNormal = 0.5

// supportPoint is a material point of a link on the ground.
type supportPoint struct {
	link, ground int
	p_B, p_G     r3.Vec // in the frame of the link, and in that of the ground
	normal_W     r3.Vec // from the ground

}

// pullTol is the share of the largest force that points may pull with, as round-off.
const pullTol = 1e-9

// find finds the points on which a controller's robot stands: those that touch, or would after the free fall of the
// step.
func (u *support) find(s *Stepper, c *robotControl) {
	u.list = u.list[:0]
	d := c.dependents
	if d.led == d.driven {
		return
	}
	h := s.Problem.H
	within := h * h * s.Model.Gravity.Norm()
	u.findCarried(s, c, within)
	for i := range s.contacts {
		if at := &s.contacts[i]; at.Phi <= within {
			u.add(s, c, at.A.Body, at.B.Body, &at.Pos_W, &at.Normal_W)
		}
	}
	for i := range s.surfaces {
		surface := &s.surfaces[i]
		for k := range surface.Surface.Faces {
			if f := &surface.Surface.Faces[k]; f.Pressure > 0 {
				u.add(s, c, surface.A, surface.B, &f.Pos_W, &f.Normal_W)
			}
		}
	}
}

// add appends a point at which bodies A and B touch, with the normal from A to B, if one is the robot and the other the
// ground.
func (u *support) add(s *Stepper, c *robotControl, A, B int, p_W, normal_W *r3.Vec) {
	m := s.Model.Rigid
	for _, side := range [2]struct {
		link, ground int
		sign         float64
	}{{B, A, 1}, {A, B, -1}} {
		link, ground := side.link, side.ground
		if link < 0 || link >= m.NumLinks() {
			continue
		}
		if t := m.TreeOf(link); t < 0 || !c.dependents.floats[t] || !c.known[link] {
			continue
		}
		p := supportPoint{link: link, ground: ground, p_B: s.rigid.Pose(link).InvPoint(*p_W), p_G: *p_W, normal_W: normal_W.Scale(side.sign)}
		switch {
		case u.isGround(m, ground):
		case !u.standsOn(s, &p.normal_W):
			continue
		case u.carried[ground]:
			p.ground = geometry.World
		default:
			u.note(s, c, link, ground)
			continue
		}
		if p.ground >= 0 {
			p.p_G = s.rigid.Pose(ground).InvPoint(*p_W)
		}
		u.list = append(u.list, p)
	}
}

// isGround reports whether no force moves a body.
func (u *support) isGround(m *rigid.Model, body int) bool {
	return body < 0 || body < m.NumLinks() && m.IsKinematic(body)
}

// standsOn reports whether a normal points up.
func (u *support) standsOn(s *Stepper, normal_W *r3.Vec) bool {
	g := &s.Model.Gravity
	return -normal_W.Dot(*g) > uprightNormal*g.Norm()
}

// note notes that a link stands on a body of which joints of others move the tree. A body that floats may be in the
// robot's hand.
func (u *support) note(s *Stepper, c *robotControl, link, body int) {
	m := s.Model.Rigid
	if body >= m.NumLinks() || c.dependents.member[m.TreeOf(body)] {
		return
	}
	if from, to := m.FloatingBase(m.TreeOf(body)); to == from {
		s.Report.UnseenSupport = UnseenSupport{c.name, link, body}
	}
}

// findCarried marks the bodies that the ground carries, none of the robot's, over touching contacts and attachments.
func (u *support) findCarried(s *Stepper, c *robotControl, within float64) {
	m := s.Model.Rigid
	clear(u.carried)
	for i := range s.Model.Attachments {
		if a := &s.Model.Attachments[i]; u.isGround(m, a.Body) {
			u.carried[m.NumLinks()+a.Deformable] = true
		}
	}
	for more := true; more; {
		more = false
		for i := range s.contacts {
			if at := &s.contacts[i]; at.Phi <= within {
				more = u.carry(s, c, m, at.A.Body, at.B.Body, &at.Normal_W) || more
			}
		}
		for i := range s.surfaces {
			surface := &s.surfaces[i]
			for k := range surface.Surface.Faces {
				if f := &surface.Surface.Faces[k]; f.Pressure > 0 {
					more = u.carry(s, c, m, surface.A, surface.B, &f.Normal_W) || more
				}
			}
		}
	}
}

// carry marks A or B of a contact, with the normal from A to B, if it stands on the other, which is ground or carried;
// it reports whether one is new.
func (u *support) carry(s *Stepper, c *robotControl, m *rigid.Model, A, B int, normal_W *r3.Vec) bool {
	if up := u.standsOn(s, normal_W); !up {
		down := normal_W.Neg()
		if !u.standsOn(s, &down) {
			return false
		}
		A, B = B, A
	}
	if !u.isGround(m, A) && !u.carried[A] || u.isGround(m, B) || u.carried[B] {
		return false
	}
	if B < m.NumLinks() {
		t := m.TreeOf(B)
		if from, to := m.FloatingBase(t); to == from || c.dependents.member[t] {
			return false
		}
	}
	u.carried[B] = true
	return true
}

// points returns the number of points.
func (u *support) points() int { return len(u.list) }

// append appends the rows of all points: their velocity relative to the ground, world axes.
func (u *support) append(k constraints.Kinematics, p *cliques.Problem) {
	for i := range u.list {
		at := &u.list[i]
		p.AddConstraint(&threeRows)
		f := cliques.New[[2]geometry.MaterialPoint](p)
		f[0] = geometry.MaterialPoint{Body: at.link, Pos_W: k.Pose(at.link).Point(at.p_B)}
		k.PointRows(p, &f[0], &supportAxes, &noTangent, 1)
		if at.ground >= 0 {
			f[1] = geometry.MaterialPoint{Body: at.ground, Pos_W: k.Pose(at.ground).Point(at.p_G)}
			k.PointRows(p, &f[1], &supportAxes, &noTangent, -1)
		}
	}
}

var (
	threeRows   = massless{3}
	supportAxes = r3.Identity()
	noTangent   r3.Vec
)

// release leaves out points that pull, of forces lambdaC in the rows that act, and reports whether there are any.
func (u *support) release(w *dependentMotion) bool {
	largest, least := 0.0, 0.0
	for i := 0; i < len(w.acts); i++ {
		row := w.acts[i] - w.ties
		if row < 0 {
			continue
		}
		f := r3.Vec(w.lambdaC[i : i+3])
		largest, least = max(largest, f.Norm()), min(least, f.Dot(u.list[row/3].normal_W))
		i += 2
	}
	if least >= -pullTol*largest {
		return false
	}
	kept := w.acts[:0]
	for i := 0; i < len(w.acts); i++ {
		row := w.acts[i] - w.ties
		if row < 0 {
			kept = append(kept, w.acts[i])
			continue
		}
		if f := r3.Vec(w.lambdaC[i : i+3]); f.Dot(u.list[row/3].normal_W) >= 0.5*least {
			kept = append(kept, w.acts[i], w.acts[i+1], w.acts[i+2])
		}
		i += 2
	}
	w.acts = kept
	return true
}
