package sim

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Errors that all scenes share: friction below the stiction tolerance creeps by 10⁻⁴ m/s, and
// a weight that starts at rest loads the ground within a few steps.

// a = g sin θ/(1 + c) without slip, which takes μ ≥ tan θ c/(1 + c)
func init() {
	roll := func(ball bool, c float64) func(p *pivotDraw) {
		return func(p *pivotDraw) {
			angle := p.between(0.02, 0.6)
			mu := math.Tan(angle) * c / (1 + c) * p.between(1.1, 3)
			p.incline(angle)
			mat := p.surface(mu)
			p.ground(mat)
			p.round(ball, c, r3.Vec{}, r3.Vec{}, mat)
			s, x := p.build()
			p.say("angle %.3g, μ %.3g", angle, mu)
			p.take(s, x, 4*math.Sqrt(p.size/grav))
			v := grav * math.Sin(angle) / (1 + c) * x.Time
			p.near("speed", x.V[3], v, 0.005*v+3e-4)
			p.near("rim speed", x.V[1]*p.size, v, 0.005*v+3e-4)
		}
	}
	pivotScenes["sphere rolls down an incline"] = roll(true, 0.4)
	pivotScenes["hollow ball rolls down an incline"] = roll(true, 2./3)
	pivotScenes["cylinder rolls down an incline"] = roll(false, 0.5)
	pivotScenes["hoop rolls down an incline"] = roll(false, 1)
}

// a = g (sin θ − μ cos θ), R ω' = μ g cos θ/c
func init() {
	pivotScenes["sphere slips down a steep incline"] = func(p *pivotDraw) {
		angle := p.between(0.3, 1.2)
		mu := math.Tan(angle) * 2 / 7 * p.between(0.2, 0.9)
		p.incline(angle)
		mat := p.surface(mu)
		p.ground(mat)
		p.round(true, 0.4, r3.Vec{}, r3.Vec{}, mat)
		s, x := p.build()
		p.say("angle %.3g, μ %.3g", angle, mu)
		p.take(s, x, 4*math.Sqrt(p.size/grav))
		v, u := grav*(math.Sin(angle)-mu*math.Cos(angle))*x.Time, mu*grav*math.Cos(angle)/0.4*x.Time
		p.near("speed", x.V[3], v, 0.01*v)
		p.near("rim speed", x.V[1]*p.size, u, 0.01*v)
	}
}

// v⁺ = (v0 + c R ω0)/(1 + c) after the time (v0 − R ω0) c/((1 + c) μ g)
func init() {
	skid := func(ball bool, c float64) func(p *pivotDraw) {
		return func(p *pivotDraw) {
			mu, v0 := p.between(0.05, 1), p.between(0.2, 3)
			w0 := p.between(-1, 0.8) * v0 / p.size
			mat := p.surface(mu)
			p.ground(mat)
			p.round(ball, c, r3.Vec{0, w0, 0}, r3.Vec{v0, 0, 0}, mat)
			s, x := p.build()
			p.say("μ %.3g, v0 %.3g, R ω0 %.3g", mu, v0, w0*p.size)
			slips := (v0 - w0*p.size) * c / ((1 + c) * mu * grav)
			// still slipping, and then rolling
			p.take(s, x, slips/2)
			if x.Time < slips {
				p.near("speed of slipping", x.V[3], v0-mu*grav*x.Time, 0.01*v0)
			}
			p.take(s, x, slips)
			v := (v0 + c*p.size*w0) / (1 + c)
			p.near("speed", x.V[3], v, 0.005*v0+3e-4)
			p.near("rim speed", x.V[1]*p.size, v, 0.005*v0+3e-4)
			// distance, with the error of a step of constant slowing
			d := v0*slips - mu*grav*slips*slips/2 + v*(x.Time-slips)
			p.near("distance", x.Q[4], d, 0.01*math.Abs(d)+v0*p.h)
		}
	}
	pivotScenes["skidding sphere comes to roll"] = skid(true, 0.4)
	pivotScenes["skidding cylinder comes to roll"] = skid(false, 0.5)
	pivotScenes["skidding hoop comes to roll"] = skid(false, 1)
}

// a ball that is dropped with spin: friction gives μ times the normal impulse, or ends the
// slip, c/(1 + c) of it
func init() {
	pivotScenes["spinning ball bounces"] = func(p *pivotDraw) {
		mu, fall, w0, v0 := p.between(0.05, 1), p.between(0.5, 3), p.between(-30, 30), p.between(-2, 2)
		mat := p.surface(mu)
		p.mat(mat).Dissipation = 20 * float64(p.rand.IntN(2))
		p.ground(mat)
		p.round(true, 0.4, r3.Vec{0, w0, 0}, r3.Vec{v0, 0, -fall}, mat)
		p.Gravity = r3.Vec{}
		s, x := p.build()
		p.say("μ %.3g, falls at %.3g m/s, v0 %.3g, R ω0 %.3g", mu, fall, v0, w0*p.size)
		p.take(s, x, 0.2)
		slip := v0 - w0*p.size
		friction := min(mu*(x.V[5]+fall), 2./7*math.Abs(slip))
		p.near("speed", x.V[3], v0-math.Copysign(friction, slip), 0.02*friction+2e-3*math.Abs(slip)+1e-4)
		p.near("rim speed", x.V[1]*p.size, w0*p.size+2.5*math.Copysign(friction, slip), 0.05*friction+5e-3*math.Abs(slip)+2.5e-4)
	}
}

// a rolling ball leaves a smooth wall at the speed u with its spin R ω = v. Friction turns
// both into (2/5 v − u)/(7/5), which leads back to the wall where u < 2/5 v: there it ends
func init() {
	pivotScenes["rolling ball meets a smooth wall"] = func(p *pivotDraw) {
		mu, v := p.between(0.1, 0.8), p.between(0.3, 2)
		mat, smooth := p.surface(mu), p.surface(0)
		p.mat(smooth).Dissipation, p.mat(mat).Dissipation = 0, 20*float64(p.rand.IntN(2))
		p.mat(smooth).Stiffness *= p.between(1, 100)
		p.ground(mat)
		gap := 0.3 * p.size
		p.geom(geometry.World, at(p.size+gap+1, 0, 0), p.box(2, 20, 20), smooth)
		p.round(true, 0.4, r3.Vec{0, v / p.size, 0}, r3.Vec{v, 0, 0}, mat)
		s, x := p.build()
		touched := 0.0
		for x.V[3] > 0 && x.Time < 10 {
			if x.V[3] > 0.99*v {
				touched = x.Time
			}
			run(p.t, s, x, p.h, 1)
		}
		u := 0.0
		for x.V[3] < -u && x.Time < 10 { // the wall still speeds it up
			u = -x.V[3]
			run(p.t, s, x, p.h, 1)
		}
		spin, slowed := x.V[1]*p.size, mu*grav*(x.Time-touched+p.h)
		p.say("μ %.3g, v %.3g, back at %.3g", mu, v, u)
		p.near("spin kept", spin, v, 2.5*slowed+0.01*v)
		p.take(s, x, 10*v/(mu*grav))
		want := min(0, (0.4*v-u)/1.4)
		p.near("speed", x.V[3], want, slowed+0.01*v+3e-4)
		p.near("rim speed", x.V[1]*p.size, want, slowed+0.01*v+3e-4)
	}
}

// contacts with walls of a groove are R sin β off the axis through the centre:
// a = g sin θ/(1 + 2/(5 sin² β))
func init() {
	pivotScenes["ball rolls in a V groove"] = func(p *pivotDraw) {
		angle, beta := p.between(0.05, 0.4), p.between(0.5, 1.2)
		mat := p.surface(p.between(2, 3) * math.Tan(angle) * math.Sin(beta))
		p.incline(angle)
		// walls are planes through the x axis at β from the plane y = 0
		for _, side := range [2]float64{-1, 1} {
			y, z := math.Sincos(beta)
			n := r3.Vec{0, -side * z, y}
			wall := r3.Pose{R: r3.RotExp(r3.Vec{side * (math.Pi/2 - beta), 0, 0}), P: n.Scale(-0.5)}
			p.geom(geometry.World, wall, p.box(100, 100, 1), mat)
		}
		R := p.size
		p.body("ball", p.sphere(R), p.mass, at(0, 0, (R-p.depth())/math.Sin(beta)), r3.Vec{}, r3.Vec{}, mat)
		s, x := p.build()
		p.say("angle %.3g, β %.3g, μ %.3g", angle, beta, p.mat(mat).Friction)
		p.take(s, x, 4*math.Sqrt(R/grav))
		v := grav * math.Sin(angle) / (1 + 0.4/math.Pow(math.Sin(beta), 2)) * x.Time
		p.near("speed", x.V[3], v, 0.01*v+5e-4)
	}
}

// a ball on a table that turns at Ω rolls on circles at 2/7 Ω
func init() {
	pivotScenes["ball rolls on a turntable"] = func(p *pivotDraw) {
		turn := p.between(0.5, 3)
		mat := p.surface(1)
		table := p.link(rigid.LinkSpec{Name: "table", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}}, Mass: 1, Inertia_B: r3.Diag(r3.Vec{1e9, 1e9, 1e9})})
		p.setV(table, turn)
		p.geom(table, at(0, 0, -0.5), p.box(40, 40, 1), mat)
		R, z := p.size, r3.Vec{0, 0, 1}
		r0, v0 := r3.Vec{p.between(-1, 1), p.between(-1, 1), 0}, r3.Vec{p.between(-0.5, 0.5), p.between(-0.5, 0.5), 0}
		// the contact moves with the table
		w0 := z.Cross(v0.Sub(z.Cross(r0).Scale(turn))).Scale(1 / R)
		p.body("ball", p.sphere(R), p.mass, r3.Pose{R: r3.Identity(), P: r3.Vec{r0[0], r0[1], R - p.depth()}}, w0, v0, mat)
		s, x := p.build()
		p.say("Ω %.3g, from %.3g at %.3g", turn, r0, v0)
		p.take(s, x, 1.5/turn)
		phi := 2. / 7 * turn * x.Time
		y, c := math.Sincos(phi)
		// v0 = 2/7 Ω z × (r0 − centre)
		arm := z.Cross(v0).Scale(-7 / (2 * turn))
		want := r0.Sub(arm).Add(r3.Vec{c*arm[0] - y*arm[1], y*arm[0] + c*arm[1], 0})
		got := s.kin.Pose(1).P
		p.near("distance from the circle's point", math.Hypot(got[0]-want[0], got[1]-want[1]), 0, 0.02*phi*arm.Norm()+v0.Norm()*phi*p.h+3e-4)
	}
}

// F at the axle and F r about it pull a spool: a = F (R − r)/(R m (1 + c))
func init() {
	pivotScenes["spool is pulled by its string"] = func(p *pivotDraw) {
		inner, pull, c := p.between(0.1, 0.9), p.between(0.05, 0.3), p.between(0.3, 0.9)
		F, R := pull*p.mass*grav, p.size
		mat := p.surface(1)
		p.ground(mat)
		// slides along x and z carry the spool
		light := r3.Diag(r3.Vec{1e-9, 1e-9, 1e-9})
		along := p.link(rigid.LinkSpec{Name: "x", Parent: rigid.World, Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, Mass: 1e-9, Inertia_B: light})
		up := p.link(rigid.LinkSpec{Name: "z", Parent: along, Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}, Mass: 1e-9, Inertia_B: light})
		I := p.mass * R * R
		spool := p.link(rigid.LinkSpec{Name: "spool", Parent: up, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, Mass: p.mass, Inertia_B: r3.Diag(r3.Vec{I, c * I, I})})
		p.geom(spool, r3.Pose{R: r3.RotExp(r3.Vec{math.Pi / 2, 0, 0})}, must(geometry.NewCylinder(R, R)), mat)
		p.setQ(up, R-p.depth())
		p.pull("x", F)
		p.pull("spool", -F*inner*R) // the string leaves below the axle
		s, x := p.build()
		p.say("r/R %.3g, F/mg %.3g, c %.3g", inner, pull, c)
		p.take(s, x, 3*math.Sqrt(R/grav))
		v := F * (1 - inner) / (p.mass * (1 + c)) * x.Time
		p.near("speed", x.V[0], v, 0.01*v+5e-4)
		p.near("rim speed", x.V[2]*R, v, 0.01*v+5e-4)
	}
}
