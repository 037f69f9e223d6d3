package main

// Forces of the fingers. Of the forces f_i within the friction cones of the touches, whose normal forces add
// up to F, those are taken that balance on the sphere,
//
//	min |Σ f_i|² + |Σ (p_i − c) × f_i|²/r²                                                       (1)
//
// by conditional gradients over the edges of the cones (Frank and Wolfe 1956) from equal normal forces. The
// torques that exert them, besides those that hold the positions of the joints, are
//
//	τ = Σ (∂p_i/∂q)ᵀ f_i                                                                          (2)

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

const edges = 12 // of a friction cone

// balance sets the forces of the touches, with normal forces of total N in all.
func (s *search) balance(g *grip, total float64) {
	n, mu := len(g.touches), dependable*s.do.friction
	if n == 0 {
		return
	}
	f := make([]r3.Vec, n)
	for i := range f {
		f[i] = g.touches[i].normal.Scale(1 / float64(n))
	}
	arm := func(i int) r3.Vec { return g.touches[i].normal.Neg() } // (p_i − c)/r
	for range 5000 {
		var F, M r3.Vec
		for i := range f {
			F, M = F.Add(f[i]), M.Add(arm(i).Cross(f[i]))
		}
		// the edge along which (1) falls fastest, and the minimum on the way there
		best, least := 0, math.Inf(1)
		var edge r3.Vec
		for i := range g.touches {
			t1, t2 := r3.Basis(g.touches[i].normal)
			for e := range edges + 1 {
				v := g.touches[i].normal
				if e > 0 {
					a := 2 * math.Pi * float64(e) / edges
					v = v.AddScaled(mu*math.Cos(a), t1).AddScaled(mu*math.Sin(a), t2)
				}
				if d := F.Dot(v) + M.Dot(arm(i).Cross(v)); d < least {
					best, least, edge = i, d, v
				}
			}
		}
		dF, dM := edge.Sub(F), arm(best).Cross(edge).Sub(M)
		length := dF.Norm2() + dM.Norm2()
		if length == 0 {
			break
		}
		step := -(F.Dot(dF) + M.Dot(dM)) / length
		if step <= 1e-12 {
			break
		}
		step = min(step, 1)
		for i := range f {
			f[i] = f[i].Scale(1 - step)
		}
		f[best] = f[best].AddScaled(step, edge)
	}
	for i := range f {
		g.touches[i].force = f[i].Scale(total)
	}
}

// positions are those of all joints with the fingers of a grip closed.
func (s *search) positions(g *grip) []float64 {
	q := append([]float64(nil), s.start...)
	for f, t := range g.closure {
		s.close(q, f, t)
	}
	s.k.place(q)
	return q
}

// efforts are (2) and those that carry the weight of the links there, for joints in the order of the file; 0 for those
// that follow.
func (s *search) efforts(g *grip, gravity r3.Vec) (press, carry []float64) {
	q := s.positions(g)
	local := make([]r3.Vec, len(g.touches))
	for i, t := range g.touches {
		local[i] = s.k.pose(t.link).InvPoint(t.point)
	}
	press, carry = make([]float64, len(q)), make([]float64, len(q))
	const d = 1e-5
	for j := range q {
		if !s.k.robot.Joints[j].Type.OneDOF() || s.k.robot.Joints[j].Mimic != nil {
			continue
		}
		for _, side := range []float64{1, -1} {
			p := append([]float64(nil), q...)
			p[j] += side * d
			s.k.place(p)
			for i, t := range g.touches {
				press[j] += side * s.k.pose(t.link).Point(local[i]).Dot(t.force) / (2 * d)
			}
			for l := range s.k.robot.Links {
				if m := s.k.robot.Links[l].Inertial; m != nil {
					carry[j] -= side * s.k.pose(l).Point(m.Com).Dot(gravity) * m.Mass / (2 * d)
				}
			}
		}
	}
	return press, carry
}
