package sim

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// a pull F at the axle lifts a wheel over a step of height s where
// F/mg > √(2 R s − s²)/(R − s)
func init() {
	pivotScenes["wheel is pulled over a step"] = func(p *pivotDraw) {
		R, high := p.size, p.between(0.1, 0.6)
		beyond, climbs := p.side(0.03, 0.3)
		pull := math.Sqrt(2*high-high*high) / (1 - high) * beyond
		mat := p.surface(p.between(0.3, 1))
		p.ground(mat)
		reach := R * math.Sqrt(2*high-high*high) // of the edge, from the axle
		p.geom(geometry.World, at(reach+5*R, 0, high*R-R), p.box(10*R, 10*R, 2*R), mat)
		p.Gravity = r3.Vec{pull * grav, 0, -grav}
		p.round(true, 0.4, r3.Vec{}, r3.Vec{}, mat)
		s, x := p.build()
		p.say("step %.3g R, F/mg %.3g, μ %.3g", high, pull, p.mat(mat).Friction)
		for range int(12 * math.Sqrt(R/grav) / p.h) {
			if run(p.t, s, x, p.h, 1); x.Q[4] > 0.9*reach {
				break
			}
		}
		p.is("climbs", x.Q[4] > 0.9*reach, climbs)
		if !climbs {
			p.near("height", x.Q[6], R, 0.01*R)
		}
	}
}

// a plank of half thickness b rocks on a ball of radius R > b:
// ω² = g (R − b)/(I/m + b²), I/m = (L² + 4 b²)/12
func init() {
	pivotScenes["plank rocks on a ball"] = func(p *pivotDraw) {
		R := p.size
		b, L := R*p.between(0.1, 0.6), R*p.between(4, 10)
		mat := p.surface(p.between(0.5, 1))
		p.geom(geometry.World, at(0, 0, -R), p.sphere(R), mat)
		plank := p.body("plank", p.box(L, L, 2*b), p.mass, at(0, 0, b-p.depth()), r3.Vec{}, r3.Vec{}, mat)
		// rolled to the side by an angle
		tip := 0.03
		sin, cos := math.Sincos(tip)
		n := r3.Vec{sin, 0, cos}
		X := r3.Pose{R: r3.RotExp(r3.Vec{0, tip, 0}), P: n.Scale(R + b - p.depth())}
		p.spec(plank).Pose = r3.Pose{R: X.R, P: X.P.Add(r3.Vec{-R * tip * cos, 0, R*tip*sin - R})}
		s, x := p.build()
		w := math.Sqrt(grav * (R - b) / ((L*L+4*b*b)/12 + b*b))
		p.say("b/R %.3g, L/R %.3g, μ %.3g", b/R, L/R, p.mat(mat).Friction)
		lean := func() float64 { return s.kin.Pose(0).R.MulVec(r3.Vec{0, 0, 1})[0] }
		// two quarters: from one side through the middle to the other
		for lean() > 0 && x.Time < 20 {
			run(p.t, s, x, p.h, 1)
		}
		quarter := x.Time
		for lean() < 0 && x.Time < 20 {
			run(p.t, s, x, p.h, 1)
		}
		p.near("half a period", x.Time-quarter, math.Pi/w, 0.02*math.Pi/w+2*p.h)
		p.near("quarter of a period", quarter, math.Pi/2/w, 0.03*math.Pi/w+2*p.h)
	}
}

// a log on two logs presses them apart: they stay together where the friction between
// them is more than tan 15°, and that of the ground more than a third of it
func init() {
	pivotScenes["three logs lie in a pile"] = func(p *pivotDraw) {
		between, floor := math.Tan(math.Pi/12), math.Tan(math.Pi/12)/3
		byFloor := p.rand.IntN(2) == 0
		beyond, holds := p.side(0.05, 0.4)
		mu, ground := between*1.5, floor*beyond
		if !byFloor {
			mu, ground = between*beyond, floor*3
		}
		// friction of two materials is their harmonic mean
		logs := p.surface(mu)
		p.ground(p.surface(mu * ground / (2*mu - ground)))
		R, I := p.size, p.mass*p.size*p.size
		for _, q := range [3][2]float64{{-1, 1}, {1, 1}, {0, 1 + math.Sqrt(3)}} {
			X := r3.Pose{R: r3.RotExp(r3.Vec{math.Pi / 2, 0, 0}), P: r3.Vec{q[0] * R, 0, (q[1] - 2e-4) * R}}
			b := p.body("log", must(geometry.NewCylinder(R, 4*R)), p.mass, X, r3.Vec{}, r3.Vec{}, logs)
			p.spec(b).Inertial = &geometry.MassProperties{Mass: p.mass, Inertia: r3.Diag(r3.Vec{I, I, I / 2})}
		}
		s, x := p.build()
		p.say("μ of logs %.3g, of the ground %.3g", mu, ground)
		p.take(s, x, 15*math.Sqrt(R/grav))
		p.is("holds", s.kin.Pose(2).P[2] > 2.5*R, holds)
	}
}

// spinning bodies on flat ground: ω' = −M/I with M = 2/3 μ m g R of a disc of even pressure,
// and μ m g d of a box on its corners, at d from the middle
func init() {
	pivotScenes["disc spins on its field"] = func(p *pivotDraw) {
		mu, R := p.between(0.1, 1), p.size
		disc, ground := p.surface(mu), p.surface(mu)
		p.mat(disc).HydroelasticModulus = p.mass * grav / (1e-4 * math.Pi * R * R)
		p.ground(ground)
		thick := 0.3 * R
		w0 := p.between(0.5, 2) * math.Sqrt(grav/R)
		b := p.body("disc", must(geometry.NewCylinder(R, thick)), p.mass, at(0, 0, thick/2), r3.Vec{0, 0, w0}, r3.Vec{}, disc)
		p.spec(b).Shapes[0].ResolutionHint = R / 4
		s, x := p.build()
		p.say("μ %.3g, ω0 %.3g", mu, w0)
		p.take(s, x, 0.1*w0*R/(mu*grav))
		from, at0 := x.V[2], x.Time
		p.take(s, x, 0.4*w0*R/(mu*grav))
		p.near("slowing", (from-x.V[2])/(x.Time-at0), 4./3*mu*grav/R, 0.03*4/3*mu*grav/R)
	}
	pivotScenes["box spins on its face"] = func(p *pivotDraw) {
		mu, a := p.between(0.1, 1), p.size
		mat := p.surface(mu)
		p.ground(mat)
		w0 := p.between(0.5, 2) * math.Sqrt(grav/a)
		p.body("box", p.box(a, a, 0.4*a), p.mass, at(0, 0, 0.2*a-p.depth()/4), r3.Vec{0, 0, w0}, r3.Vec{}, mat)
		s, x := p.build()
		p.say("μ %.3g, ω0 %.3g", mu, w0)
		// mean distance of a square from its centre: (√2 + asinh 1)/6 of the side
		slow := mu * grav * a * (math.Sqrt2 + math.Asinh(1)) / 6 / (a * a / 6)
		p.take(s, x, 0.5*w0/slow)
		p.near("rate", x.V[2], w0-slow*x.Time, 0.02*w0)
		p.take(s, x, w0/slow+5*p.h) // steps in which the last slip decays
		p.near("rate of rest", x.V[2], 0, 1e-5)
	}
}

// a disc that a load presses on the ground holds a torque up to 2/3 μ N R
func init() {
	pivotScenes["pressed disc holds a torque"] = func(p *pivotDraw) {
		mu, R := p.between(0.2, 1), p.size
		beyond, turns := p.side(0.04, 0.3)
		disc, ground := p.surface(mu), p.surface(mu)
		p.mat(disc).HydroelasticModulus = p.mass * grav / (1e-4 * math.Pi * R * R)
		p.ground(ground)
		press := p.link(rigid.LinkSpec{Name: "press", Parent: rigid.World, Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}, Mass: p.mass / 2, Inertia_B: r3.Diag(r3.Vec{1, 1, 1})})
		I := p.mass * R * R / 2
		p.link(rigid.LinkSpec{Name: "disc", Parent: press, Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}}, Mass: p.mass / 2, Inertia_B: r3.Diag(r3.Vec{I, I, I})})
		p.AddShape("disc", ShapeSpec{
			Shape: must(geometry.NewCylinder(R, 0.3*R)), Pose: at(0, 0, 0.15*R), Material: materialName(disc), ResolutionHint: R / 4,
		})
		torque := 2. / 3 * mu * p.mass * grav * R * beyond
		p.pull("disc", torque)
		s, x := p.build()
		p.say("μ %.3g, torque %.3g of what it holds", mu, beyond)
		p.take(s, x, 10*math.Sqrt(R/grav))
		p.is("turns", x.V[1]*R > 2e-3, turns) // what holds creeps at some 10⁻⁴ m/s
	}
}

// a pendulum of length L leans on a stop: N a = m g L/2 sin θ, with the lever a of the stop
func init() {
	pivotScenes["pendulum rests on a stop"] = func(p *pivotDraw) {
		angle, share := p.between(0.2, 1.2), p.between(0.3, 0.95)
		L, thin := p.size, 0.02*p.size
		mat := p.surface(p.between(0, 1))
		I := p.mass * L * L / 12
		rod := p.link(rigid.LinkSpec{
			Name: "rod", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, Mass: p.mass,
			Com_B: r3.Vec{0, 0, -L / 2}, Inertia_B: r3.Diag(r3.Vec{I, I, I / 100}),
		})
		p.geom(rod, at(0, 0, -L/2), must(geometry.NewCapsule(thin, L)), mat)
		// it hangs out towards −x at the angle, on a ball below
		p.setQ(rod, angle+p.between(0, 0.1))
		sin, cos := math.Sincos(angle)
		along, normal := r3.Vec{-sin, 0, -cos}, r3.Vec{cos, 0, -sin}
		p.geom(geometry.World, r3.Pose{R: r3.Identity(), P: along.Scale(share*L).AddScaled(2*thin, normal)}, p.sphere(thin), mat)
		s, x := p.build()
		p.say("angle %.3g, stop at %.3g L, μ %.3g", angle, share, p.mat(mat).Friction)
		p.take(s, x, 20*math.Sqrt(L/grav))
		want := p.mass * grav / 2 * math.Sin(x.Q[0]) / share
		p.near("force", ContactForce{On: rod, Kind: NormalSum}.Value(s, x), want, 0.005*want)
		p.near("angle", x.Q[0], angle, 0.01)
	}
}
