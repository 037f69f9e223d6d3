package check

// Contact laws that bound friction by the normal force of the same step, in a convex problem,
// lift bodies that slide: at a slip of v by up to
//
// 	μ T v                                                                 (1)
//
// with the time T of the law (see constraints.ContactFacts.SlidingLift): the step, or its sum
// with a parameter of the pair. v follows from the velocities at the start, drives, prescribed
// motions and surface velocities: with the velocity v_b and the angular velocity ω_b of a body b
// when it is fastest, at the centre c of the smaller shape
//
// 	v = |v_p + ω_p × (c − o_p) + u_p − (v_q + ω_q × (c − o_q) + u_q)|     (2)
//
// where u are the velocities of the surfaces along their bodies. Gears, which roll on each
// other, are left out, and speeds that bodies gain on the way.
//
// Sliding at 1 m/s with μ = 0.5 and T = 10 ms lifts a body by 5 mm, whatever its weight: (1) is a
// property of the problem, not of the materials. The default law does not have it.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

const (
	// deepLift is the lift (1), over the least extent of the smaller shape, from which it is
	// too high.
	deepLift = 0.01
	// liftSamples is the number of times of a run at which bodies are placed.
	liftSamples = 64
)

// fastest is the motion of a body at the time at which it is fastest.
type fastest struct {
	X_WB r3.Pose
	w, v r3.Vec // rad/s, and of the origin, m/s; world axes
}

// at returns the velocity of the point c of the world, m/s.
func (f *fastest) at(c r3.Vec) r3.Vec { return f.v.Add(f.w.Cross(c.Sub(f.X_WB.P))) }

// lifts warns, for each pair of materials, of the body that sliding lifts highest in relation to
// its size.
func (c *checker) lifts() {
	facts := c.Model.Contact.Facts()
	if facts.SlidingLift == nil {
		return
	}
	motions := c.fastestMotions()
	geoms := c.Model.Geometry.Geoms
	type found struct {
		p, q               *geometry.Geom
		share, slip, mu, T float64
	}
	// one warning for a pair of materials: a pile of equal parts has one cause and one remedy
	worst := map[[2]int]found{}
	var order [][2]int
	for i := range geoms {
		for j := range geoms {
			p, q := &geoms[i], &geoms[j] // p is the smaller
			a, b := diagonal(p), diagonal(q)
			if p.Body == q.Body || c.mass(p)+c.mass(q) == 0 || a > b || a == b && i > j || c.Parts[i] != nil && c.Parts[j] != nil {
				continue
			}
			pair, _, err := c.combined(p, q)
			if err != nil {
				continue // the step that they touch in says so
			}
			f := found{p: p, q: q, mu: pair.Friction, T: facts.SlidingLift(c.Step, &pair), slip: c.slip(motions, p, q)}
			f.share = f.mu * f.T * f.slip / leastExtent(p) // (1)
			key := [2]int{min(c.Materials[p.Material].Base, c.Materials[q.Material].Base), max(c.Materials[p.Material].Base, c.Materials[q.Material].Base)}
			w, seen := worst[key]
			if !(f.share > math.Max(deepLift, w.share)) || c.filtered(p.Body, q.Body) || !c.canMeet(p, q) {
				continue
			}
			if !seen {
				order = append(order, key)
			}
			worst[key] = f
		}
	}
	for _, key := range order {
		f := worst[key]
		remedy := fmt.Sprintf("set solver.contact: %s, which lifts nothing, or a time.step below %.2g s", constraints.DefaultContactModel, c.Step*deepLift/f.share)
		if f.T > c.Step {
			remedy = fmt.Sprintf("set solver.contact: %s, which lifts nothing, or lower the step and the %s, whose sum is %.3g s, below %.2g s", constraints.DefaultContactModel, facts.LiftKey, f.T, f.T*deepLift/f.share)
		}
		c.warn(Lift, c.paths(f.p.Body, f.q.Body), remedy,
			"where they slide on each other, at up to %.3g m/s with a friction of %.3g, contact lifts %s by up to %s, %.2g %% of its least extent",
			f.slip, f.mu, c.name(f.p.Body), metres(f.mu*f.T*f.slip), 100*f.share)
	}
}

// slip returns (2).
func (c *checker) slip(motions []fastest, p, q *geometry.Geom) float64 {
	surface := func(g *geometry.Geom, at r3.Vec) r3.Vec {
		u_B := c.Materials[g.Material].Contact.SurfaceVelocity_B
		if g.Body == geometry.World {
			return u_B
		}
		f := &motions[g.Body]
		return f.at(at).Add(f.X_WB.R.MulVec(u_B))
	}
	center := p.X_BG.Point(p.Shape.Bounds().Center())
	if p.Body != geometry.World {
		center = motions[p.Body].X_WB.Point(center)
	}
	return surface(p, center).Sub(surface(q, center)).Norm()
}

// fastestMotions returns the motion of each rigid body at the sampled time at which its shape is
// fastest. Bodies start with their velocities, joints with a drive follow its target.
func (c *checker) fastestMotions() []fastest {
	m := c.Model
	nq, nv := m.RigidSize()
	kin, v := m.Rigid.NewData(), make([]float64, nv)
	all, best := make([]fastest, m.Rigid.NumLinks()), make([]float64, m.Rigid.NumLinks())
	for s := range liftSamples {
		t := float64(s) / liftSamples * c.Duration
		copy(v, m.Start.V[:nv])
		for _, k := range m.Constraints {
			drive, ok := k.(constraints.Following)
			if !ok {
				continue
			}
			// what follows a sum of several joints states no velocity of any of them
			if along := drive.Actuation().Along; len(along.Dofs) == 1 {
				if _, rate, ok := drive.TargetAt(t); ok {
					v[along.Dofs[0]] = rate / along.Coefficients[0]
				}
			}
		}
		kin.Place(t, c.Step, m.Start.Q[:nq], v)
		for i := range all {
			w, u := kin.Velocity(i)
			if speed := u.Norm() + w.Norm(); s == 0 || speed > best[i] { // 1 m from the axis
				all[i], best[i] = fastest{kin.Pose(i), w, u}, speed
			}
		}
	}
	return all
}
