package sim

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Bodies that tip over an edge pivot at the rate p, p² = m g r/I about the edge, r its
// distance from the centre of mass.

// upright adds a box of the draw's size as its height and of a width.
func (p *pivotDraw) upright(width float64, mat int) (body int, rate float64) {
	r2 := (width*width + p.size*p.size) / 4
	body = p.body("box", p.box(width, 2*width, p.size), p.mass, at(0, 0, p.size/2-p.depth()), r3.Vec{}, r3.Vec{}, mat)
	return body, math.Sqrt(grav * 3 / (4 * math.Sqrt(r2)))
}

// leaning adds a rod of the draw's size as its length, thin, whose foot is at x = 0 and which
// leans by an angle from the vertical towards +x.
func (p *pivotDraw) leaning(angle float64, mat int) int {
	y, z := math.Sincos(angle)
	L := p.size
	X := r3.Pose{R: r3.RotExp(r3.Vec{0, angle, 0}), P: r3.Vec{L / 2 * y, 0, L/2*z + 0.01*L - p.depth()}}
	// a capsule whose lower centre is the pivot
	b := p.body("rod", must(geometry.NewCapsule(0.01*L, L)), p.mass, X, r3.Vec{}, r3.Vec{}, mat)
	I := p.mass * L * L / 12
	p.spec(b).Inertial = &geometry.MassProperties{Mass: p.mass, Inertia: r3.Diag(r3.Vec{I, I, 1e-3 * I})}
	return b
}

// creep returns the speed of a body that friction holds with a share x of its bound, m/s:
// ε x/√(1 − x²), with the stiction tolerance ε.
func creep(s *Stepper, share float64) float64 {
	return s.Report.EffectiveStiction * share / math.Sqrt(1-share*share)
}

// a box on an incline slides at a = g (sin θ − μ cos θ), or stays where tan θ < μ
func init() {
	pivotScenes["box slides or stays on an incline"] = func(p *pivotDraw) {
		angle := p.between(0.1, 0.6)
		beyond, slides := p.side(0.02, 0.5)
		mu := math.Tan(angle) / beyond
		p.incline(angle)
		mat := p.surface(mu)
		p.ground(mat)
		p.upright(p.size*2*math.Tan(angle), mat)
		s, x := p.build()
		p.say("angle %.3g, μ %.3g", angle, mu)
		p.take(s, x, 1)
		v := creep(s, beyond)
		if slides {
			v = grav * (math.Sin(angle) - mu*math.Cos(angle)) * x.Time
		}
		tol := 0.02*v + 1e-5
		if slides { // in the first step it begins to slide
			tol += mu * grav * math.Cos(angle) * p.h
		}
		p.near("speed", x.V[3], v, tol)
		p.near("tilt", tilt(s, 0), 0, 1e-3)
	}
}

// it tips where tan θ > width/height, with friction enough
func init() {
	pivotScenes["box tips or stays on an incline"] = func(p *pivotDraw) {
		slender := p.between(0.15, 0.8)
		beyond, tips := p.side(0.02, 0.3)
		angle := math.Atan(slender * beyond)
		p.incline(angle)
		mat := p.surface(2 * math.Tan(angle))
		p.ground(mat)
		_, rate := p.upright(slender*p.size, mat)
		s, x := p.build()
		p.say("width/height %.3g, tan of the angle %.3g", slender, math.Tan(angle))
		p.take(s, x, 7/rate)
		p.is("tips", tilt(s, 0) > 0.1, tips)
		if !tips {
			p.near("tilt", tilt(s, 0), 0, 5e-3)
			p.near("place", x.Q[4], 0, 0.01*p.size)
		}
	}
}

// a push at the height z slides a box where μ < w/(2 z) and tips it where μ is more, if it
// exceeds either threshold
func init() {
	pivotScenes["box is pushed at a height"] = func(p *pivotDraw) {
		slender, high := p.between(0.3, 0.8), p.between(0.5, 0.95)
		beyond, tips := p.side(0.1, 0.6)
		mu := slender / (2 * high) * beyond
		F := p.mass * grav * min(mu, slender/(2*high)) * p.between(1.05, 1.3)
		mat, smooth := p.surface(mu), p.surface(0)
		p.ground(mat)
		_, rate := p.upright(slender*p.size, mat)
		ball := 0.05 * p.size
		X := at(-slender*p.size/2-ball, 0, high*p.size-p.depth())
		pusher := p.link(rigid.LinkSpec{Name: "pusher", Parent: rigid.World, Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, X_PF: X, Mass: 1e-3 * p.mass, Inertia_B: r3.Diag(r3.Vec{1, 1, 1})})
		p.geom(pusher, r3.PoseIdentity(), p.sphere(ball), smooth)
		p.pull("pusher", F)
		s, x := p.build()
		p.say("width/height %.3g, push at %.3g of it, μ %.3g, F/mg %.3g", slender, high, mu, F/p.mass/grav)
		tipped, slid := false, false
		for x.Time < 5/rate && !tipped && !slid {
			run(p.t, s, x, p.h, 1)
			tipped, slid = tilt(s, 0) > 0.15, math.Abs(s.kin.Pose(0).Point(r3.Vec{slender * p.size / 2, 0, -p.size / 2})[0]-slender*p.size/2) > 0.1*p.size
		}
		p.is("tips first", tipped, tips)
	}
}

// a box that is released beyond its balance falls about its edge:
// ½ I ω² = m g r (cos φ0 − cos φ)
func init() {
	pivotScenes["box falls over its edge"] = func(p *pivotDraw) {
		slender, beyond := p.between(0.15, 0.5), p.between(0.03, 0.2)
		mat := p.surface(2)
		p.ground(mat)
		b, rate := p.upright(slender*p.size, mat)
		alpha := math.Atan(slender)
		R := r3.RotExp(r3.Vec{0, alpha + beyond, 0})
		edge := r3.Vec{slender * p.size / 2, 0, -p.size / 2}
		p.spec(b).Pose = r3.Pose{R: R, P: R.MulVec(edge).Neg().Sub(r3.Vec{0, 0, p.depth()})}
		s, x := p.build()
		p.say("width/height %.3g, %.3g rad beyond balance", slender, beyond)
		for tilt(s, 0) < alpha+0.5 && x.Time < 10 {
			run(p.t, s, x, p.h, 1)
		}
		phi := tilt(s, 0) - alpha
		w := rate * math.Sqrt(2*(math.Cos(beyond)-math.Cos(phi)))
		p.near("rate", x.V[1], w, 0.02*w+rate*rate*math.Sin(phi)*p.h)
		foot := s.kin.Pose(0).Point(edge)
		p.near("edge", math.Hypot(foot[0], foot[1]), 0, 0.005*p.size)
	}
}

// a rod falls about its foot, which stays while |F| < μ N:
// ω² = (3 g/L) (cos θ0 − cos θ), ω' = (3 g/2L) sin θ
func init() {
	pivotScenes["rod falls about its foot"] = func(p *pivotDraw) {
		lean, mu := p.between(0.05, 0.7), p.between(0.5, 1)
		mat := p.surface(mu)
		p.ground(mat)
		p.leaning(lean, mat)
		L, end := p.size, lean
		for ; end < 1.5; end += 0.01 {
			sin, cos := math.Sincos(end)
			a, w2 := 1.5*grav/L*sin, 3*grav/L*(math.Cos(lean)-cos)
			along, normal := L/2*(a*cos-w2*sin), grav-L/2*(a*sin+w2*cos)
			if math.Abs(along) > 0.9*mu*normal {
				break
			}
		}
		p.say("from %.3g to %.3g rad, μ %.3g", lean, end, mu)
		if end < lean+0.05 {
			return // it slips at once
		}
		s, x := p.build()
		for tilt(s, 0)+x.V[1]*p.h < end && x.Time < 10 {
			run(p.t, s, x, p.h, 1)
		}
		theta := tilt(s, 0)
		w := math.Sqrt(3 * grav / L * (math.Cos(lean) - math.Cos(theta)))
		p.near("rate", x.V[1], w, 0.02*w+1.5*grav/L*math.Sin(theta)*p.h)
		foot := s.kin.Pose(0).Point(r3.Vec{0, 0, -L / 2})
		// its end rolls, and each step moves the foot by up to (ω h)² L/4
		p.near("foot", foot[0], 0.01*L*(theta-lean), 0.002*L+L/4*p.h*w*(math.Cos(lean)-math.Cos(theta)))
	}
}

// without friction the centre falls straight: (I + m L²/4 sin² θ) ω² = m g L (cos θ0 − cos θ)
func init() {
	pivotScenes["rod falls on smooth ground"] = func(p *pivotDraw) {
		lean := p.between(0.1, 0.6)
		mat := p.surface(0)
		p.ground(mat)
		p.leaning(lean, mat)
		s, x := p.build()
		p.say("from %.3g rad", lean)
		start := x.Q[4]
		for tilt(s, 0) < 1.2 && x.Time < 10 {
			run(p.t, s, x, p.h, 1)
		}
		theta, L := tilt(s, 0), p.size
		w := math.Sqrt(grav * (math.Cos(lean) - math.Cos(theta)) / (L * (1./12 + math.Pow(math.Sin(theta), 2)/4)))
		p.near("rate", x.V[1], w, 0.02*w+3*grav/L*p.h)
		p.near("centre", x.Q[4], start, 1e-6)
	}
}

// a ladder on a rough floor against a smooth wall stays up to tan θ = 2 μ
func init() {
	pivotScenes["ladder leans on a smooth wall"] = func(p *pivotDraw) {
		angle := p.between(0.2, 0.9)
		beyond, slips := p.side(0.03, 0.3)
		mu := math.Tan(angle) / 2 / beyond
		mat, smooth := p.surface(mu), p.surface(0)
		p.ground(mat)
		p.leaning(angle, mat)
		top := p.size*math.Sin(angle) + 0.01*p.size - p.depth()/2
		p.geom(geometry.World, at(top+1, 0, 0), p.box(2, 10, 10), smooth)
		s, x := p.build()
		p.say("angle %.3g, μ %.3g", angle, mu)
		p.take(s, x, 15*math.Sqrt(p.size/grav))
		moved := tilt(s, 0) - angle
		p.is("slips", moved > 0.1, slips)
		if !slips {
			p.near("lean", moved, 0, 1.2*creep(s, beyond)*x.Time/(p.size*math.Cos(angle))+1e-3)
		}
	}
}

// with the same friction on both ends it stays up to θ = 2 atan μ
func init() {
	pivotScenes["ladder leans on a rough wall"] = func(p *pivotDraw) {
		angle := p.between(0.2, 0.9)
		beyond, slips := p.side(0.03, 0.3)
		mu := math.Tan(angle/2) / beyond
		mat := p.surface(mu)
		p.ground(mat)
		p.leaning(angle, mat)
		top := p.size*math.Sin(angle) + 0.01*p.size - p.depth()/2
		p.geom(geometry.World, at(top+1, 0, 0), p.box(2, 10, 10), mat)
		s, x := p.build()
		p.say("angle %.3g, μ %.3g", angle, mu)
		p.take(s, x, 15*math.Sqrt(p.size/grav))
		p.is("slips", tilt(s, 0)-angle > 0.1, slips)
	}
}

// Housner's block rocks back from θ0 to its base: d²θ/dt² = −p² sin(α − θ), and keeps at most
// the rate ratio 1 − 3/2 sin² α at the impact
func init() {
	pivotScenes["block rocks on its base"] = func(p *pivotDraw) {
		slender, share := p.between(0.15, 0.4), p.between(0.2, 0.8)
		mat := p.surface(2)
		p.ground(mat)
		b, rate := p.upright(slender*p.size, mat)
		alpha := math.Atan(slender)
		R := r3.RotExp(r3.Vec{0, share * alpha, 0})
		edge := r3.Vec{slender * p.size / 2, 0, -p.size / 2}
		p.spec(b).Pose = r3.Pose{R: R, P: R.MulVec(edge).Neg().Sub(r3.Vec{0, 0, p.depth()})}
		s, x := p.build()
		p.say("width/height %.3g, from %.3g of balance", slender, share)
		want, w := swing(share*alpha, 0, 0, func(theta float64) float64 { return -rate * rate * math.Sin(alpha-theta) })
		for s.kin.Pose(0).R.MulVec(r3.Vec{0, 0, 1})[0] > 0 && x.Time < 10 {
			run(p.t, s, x, p.h, 1)
		}
		p.near("time", x.Time, want, 0.02*want+2*p.h)
		// the largest lean to the other side: 1 − cos(α − θ) = … of the energy that is left
		most := 0.0
		for range int(1.5*want/p.h) + 1 {
			run(p.t, s, x, p.h, 1)
			most = max(most, tilt(s, 0))
		}
		ratio := 1 - 1.5*math.Pow(math.Sin(alpha), 2)
		left := math.Cos(alpha) + ratio*ratio*w*w/(2*rate*rate) // cos(α − θ) where it turns
		p.is("rocks higher than Housner's block", most > 1.02*(alpha-math.Acos(min(1, left)))+1e-3, false)
	}
}

// the first domino falls on the second, which falls
func init() {
	pivotScenes["domino topples the next"] = func(p *pivotDraw) {
		thick, gap, mu := p.between(0.08, 0.14), p.between(0.5, 0.7), p.between(0.2, 0.8)
		mat := p.surface(mu)
		p.ground(mat)
		first, _ := p.upright(thick*p.size, mat)
		second, _ := p.upright(thick*p.size, mat)
		p.spec(second).Pose.P[0] = (thick + gap) * p.size
		lean := 1.3 * math.Atan(thick)
		R := r3.RotExp(r3.Vec{0, lean, 0})
		edge := r3.Vec{thick * p.size / 2, 0, -p.size / 2}
		p.spec(first).Pose = r3.Pose{R: R, P: edge.Sub(R.MulVec(edge)).Add(r3.Vec{0, 0, p.size/2 - p.depth()})}
		s, x := p.build()
		p.say("thickness %.3g, gap %.3g of the height, μ %.3g", thick, gap, mu)
		p.take(s, x, 20*math.Sqrt(p.size/grav))
		p.is("second lies", tilt(s, 1) > 1.3, true)
		p.is("first leans on it", tilt(s, 0) > 0.8, true)
	}
}

// a cylinder stands up again from a tilt below atan(R/z), with its centre of mass at z
func init() {
	pivotScenes["top-heavy cylinder topples or not"] = func(p *pivotDraw) {
		z := p.between(1, 4)
		beyond, topples := p.side(0.03, 0.4)
		R := p.size
		angle := math.Atan(1/z) * beyond
		mat := p.surface(1)
		p.ground(mat)
		Q := r3.RotExp(r3.Vec{0, angle, 0})
		rim := r3.Vec{R, 0, 0}
		b := p.body("cylinder", must2[geometry.Shape](geometry.NewCylinder(R, 5*R)), p.mass, r3.Pose{}, r3.Vec{}, r3.Vec{}, mat)
		p.spec(b).Shapes[0].Pose = at(0, 0, 2.5*R)
		p.spec(b).Pose = r3.Pose{R: Q, P: Q.MulVec(rim).Neg().Sub(r3.Vec{0, 0, p.depth()})}
		I := p.mass * R * R
		p.spec(b).Inertial = &geometry.MassProperties{Mass: p.mass, Com: r3.Vec{0, 0, z * R}, Inertia: r3.Diag(r3.Vec{I, I, I / 2})}
		s, x := p.build()
		p.say("centre at %.3g R, tilt %.3g of balance", z, beyond)
		arm := math.Sqrt(1 + z*z)
		p.take(s, x, 6/math.Sqrt(grav*arm/(R*(1+arm*arm))))
		p.is("topples", tilt(s, 0) > 1, topples)
	}
}
