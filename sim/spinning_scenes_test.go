package sim

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Flat bodies that spin on the ground under an even load, with the moment of friction μ ρ N of an even pressure, ρ the
// mean distance of the face from its centre; and that slide besides, as the integral of friction over the face has it.

// flatFace is the face of a flat body: outlines of parts that do not overlap, about the centre of the face.
type flatFace [][][2]float64

// samples returns points of the face, evenly spread, in the order of a grid.
func (f flatFace) samples() (q [][2]float64) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, o := range f {
		for _, p := range o {
			lo, hi = min(lo, p[0], p[1]), max(hi, p[0], p[1])
		}
	}
	const n = 150
	for i := range n {
		for j := range n {
			p := [2]float64{lo + (hi-lo)*(float64(i)+0.5)/n, lo + (hi-lo)*(float64(j)+0.5)/n}
			inside := false
			for _, o := range f {
				for k := range o {
					a, b := o[k], o[(k+1)%len(o)]
					if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0]+(p[1]-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
						inside = !inside
					}
				}
			}
			if inside {
				q = append(q, p)
			}
		}
	}
	return q
}

// friction returns force and moment over μ N at a velocity and a spin, in axes of the face.
func faceFriction(q [][2]float64, vx, vy, w float64) (fx, fy, m float64) {
	for _, p := range q {
		x, y := vx-w*p[1], vy+w*p[0]
		if l := math.Hypot(x, y); l > 0 {
			x, y = x/l, y/l
		}
		fx, fy, m = fx-x, fy-y, m-(p[0]*y-p[1]*x)
	}
	n := float64(len(q))
	return fx / n, fy / n, m / n
}

// regular returns a regular polygon.
func regular(n int, R, turn float64) (o [][2]float64) {
	for i := range n {
		sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(n))
		o = append(o, [2]float64{R * cos, R * sin})
	}
	return o
}

// prismOf returns a plate of an outline that is star-shaped about the origin, from z = −half to half.
func prismOf(o [][2]float64, half float64) *meshes.Tri {
	m := &meshes.Tri{}
	n := int32(len(o))
	for _, z := range []float64{-half, half} {
		for _, p := range o {
			m.Verts = append(m.Verts, r3.Vec{p[0], p[1], z})
		}
	}
	m.Verts = append(m.Verts, r3.Vec{0, 0, -half}, r3.Vec{0, 0, half})
	for i := range n {
		j := (i + 1) % n
		m.Tris = append(m.Tris, [3]int32{2 * n, j, i}, [3]int32{2*n + 1, n + i, n + j}, [3]int32{i, j, n + j}, [3]int32{i, n + j, n + i})
	}
	return m
}

// ringOf returns a ring of n corners, from z = −half to half.
func ringOf(n int, outer, inner, half float64) *meshes.Tri {
	m := &meshes.Tri{}
	for _, z := range []float64{-half, half} {
		for _, R := range []float64{outer, inner} {
			for _, p := range regular(n, R, 0) {
				m.Verts = append(m.Verts, r3.Vec{p[0], p[1], z})
			}
		}
	}
	N := int32(n)
	for i := range N {
		j := (i + 1) % N
		quad := func(a, b, c, d int32) { m.Tris = append(m.Tris, [3]int32{a, b, c}, [3]int32{a, c, d}) }
		quad(i, N+i, N+j, j)             // below
		quad(2*N+i, 2*N+j, 3*N+j, 3*N+i) // above
		quad(i, j, 2*N+j, 2*N+i)         // outside
		quad(N+i, 3*N+i, 3*N+j, N+j)     // inside
	}
	return m
}

// flatBody draws a flat body of the draw's size whose face z = −half is under its centre.
func (p *pivotDraw) flatBody(half float64) (shape geometry.Shape, face flatFace, kind string) {
	R := p.size
	solid := func(o [][2]float64) geometry.Shape {
		if p.rand.IntN(2) == 0 {
			kind += " mesh"
			return must(geometry.NewMesh(prismOf(o, half)))
		}
		kind += " hull"
		return must(geometry.NewConvex(prismOf(o, half).Verts))
	}
	switch p.rand.IntN(5) {
	case 0:
		kind = "disc"
		o := regular(p.rand.IntN(100)+40, R, p.between(0, 1))
		if p.rand.IntN(2) == 0 {
			return must(geometry.NewCylinder(R, 2*half)), flatFace{regular(200, R, 0)}, kind
		}
		return solid(o), flatFace{o}, kind
	case 1:
		inner := R * p.between(0.1, 0.9)
		kind = fmt.Sprintf("ring of inner radius %.3g", inner)
		n := p.rand.IntN(80) + 20
		return must(geometry.NewMesh(ringOf(n, R, inner, half))), flatFace{regular(n, R, 0), regular(n, inner, 0)}, kind
	case 2:
		b := R * p.between(0.1, 1)
		kind = fmt.Sprintf("rectangle 1:%.3g", R/b)
		o := [][2]float64{{R, -b}, {R, b}, {-R, b}, {-R, -b}}
		if p.rand.IntN(2) == 0 {
			return p.box(2*R, 2*b, 2*half), flatFace{o}, kind
		}
		return solid(o), flatFace{o}, kind
	case 3:
		n := 3 + p.rand.IntN(9)
		kind = fmt.Sprintf("%d corners", n)
		o := regular(n, R, p.between(0, 1))
		return solid(o), flatFace{o}, kind
	}
	// a random polygon with its centroid in the origin, opposite corners alike
	n := 2 + p.rand.IntN(5)
	kind = fmt.Sprintf("random of %d corners", 2*n)
	var o [][2]float64
	for i := range n {
		sin, cos := math.Sincos(math.Pi * (float64(i) + p.between(-0.3, 0.3)) / float64(n))
		o = append(o, [2]float64{R * cos, R * sin})
	}
	for _, q := range o[:n] {
		o = append(o, [2]float64{-q[0], -q[1]})
	}
	return solid(o), flatFace{o}, kind
}

// flatGround adds the ground: a half-space, a box or a mesh.
func (p *pivotDraw) flatGround(mat int) string {
	side := 1000 * p.size
	switch p.rand.IntN(3) {
	case 0:
		p.ground(mat)
		return "half-space"
	case 1:
		p.geom(geometry.World, at(0, 0, -p.size), p.box(side, side, 2*p.size), mat)
		return "box"
	}
	p.geom(geometry.World, at(0, 0, -p.size), must(geometry.NewMesh(must(geometry.NewBox(r3.Vec{side, side, 2 * p.size})).SurfaceMesh())), mat)
	return "mesh"
}

func init() {
	flat := func(p *pivotDraw, slides bool) {
		p.h = math.Min(p.h, 2e-3)
		mu := p.between(0.1, 0.6)
		mat := p.surface(mu)
		half := 0.02 * p.size
		ground := p.flatGround(mat)
		shape, face, kind := p.flatBody(half)
		q := face.samples()
		_, _, moment := faceFriction(q, 0, 0, 1)
		rho := -moment
		k2 := 0.0
		for _, c := range q {
			k2 += (c[0]*c[0] + c[1]*c[1]) / float64(len(q))
		}
		// about 0.4 s until it stops
		w := 0.4 * mu * grav * rho / k2
		var v r3.Vec
		if slides {
			v = r3.Vec{w * rho * p.between(0.2, 4), 0, 0}
		}
		// a little pressed in, as the weight does it
		b := p.body("body", shape, p.mass, at(0, 0, half-p.depth()/4), r3.Vec{0, 0, w}, v, mat)
		p.spec(b).Inertial = &geometry.MassProperties{Mass: p.mass, Inertia: r3.Diag(r3.Vec{k2, k2, k2}.Scale(p.mass))}
		s, x := p.build()
		p.say("%s on %s, μ %.3g, spin %.3g, velocity %.3g of ρ ω", kind, ground, mu, w, v[0]/(w*rho))
		if !slides {
			// the time in which half of the spin is lost
			stop := w * k2 / (mu * grav * rho)
			p.take(s, x, stop/2)
			p.near("moment over that of even pressure", (w-x.V[2])/(mu*grav*rho/k2*x.Time), 1, 0.05)
			return
		}
		// its path by the integral over the face
		const dt = 2e-4
		vx, vy, om, turn, t := v[0], 0.0, w, 0.0, 0.0
		var X, Y float64
		coarse := q[:0:0]
		for i := 0; i < len(q); i += 13 {
			coarse = append(coarse, q[i])
		}
		for math.Hypot(vx, vy)+om*rho > 5*mu*grav*dt && t < 10 {
			sin, cos := math.Sincos(turn)
			fx, fy, m := faceFriction(coarse, cos*vx+sin*vy, -sin*vx+cos*vy, om)
			a := mu * grav * dt
			vx, vy, om = vx+a*(cos*fx-sin*fy), vy+a*(sin*fx+cos*fy), om+a*m/k2
			X, Y, turn, t = X+dt*vx, Y+dt*vy, turn+dt*om, t+dt
		}
		angle, end := 0.0, 0.0
		for x.Time < 2*t {
			p.take(s, x, p.h)
			angle += x.V[2] * p.h
			if end == 0 && math.Hypot(x.V[3], x.V[4])+math.Abs(x.V[2])*rho < 0.02*(v[0]+w*rho) {
				end = x.Time
			}
		}
		p.near("time until it stops", end/t, 1, 0.1)
		// over the way of a point of the face
		p.near("path", math.Hypot(x.Q[4]-X, x.Q[5]-Y)/(math.Hypot(v[0], w*rho)*t/2), 0, 0.1)
		p.near("angle", angle/turn, 1, 0.1)
	}
	// friction acts at the centre of pressure: a box whose mass is off its middle slides straight, without turning
	pivotScenes["box of lopsided mass slides straight"] = func(p *pivotDraw) {
		p.h = math.Min(p.h, 2e-3)
		mu, a := p.between(0.1, 0.5), p.size
		mat := p.surface(mu)
		ground := p.flatGround(mat)
		kind := "box"
		shape := p.box(2*a, a, 0.2*a)
		if p.rand.IntN(2) == 0 {
			kind, shape = "mesh", must(geometry.NewMesh(prismOf([][2]float64{{a, -a / 2}, {a, a / 2}, {-a, a / 2}, {-a, -a / 2}}, 0.1*a)))
		}
		off := r3.Vec{0, 0.2 * a * (2*p.rand.Float64() - 1), 0}
		v := 0.4 * mu * grav
		b := p.body("body", shape, p.mass, at(0, 0, 0.1*a-p.depth()/4), r3.Vec{}, r3.Vec{v, 0, 0}, mat)
		I := p.mass * a * a
		p.spec(b).Inertial = &geometry.MassProperties{Mass: p.mass, Com: off, Inertia: r3.Diag(r3.Vec{I / 5, I / 2, I / 2})}
		s, x := p.build()
		p.say("%s on %s, μ %.3g, mass off by %.3g of the half width", kind, ground, mu, 2*off[1]/a)
		p.take(s, x, 0.3)
		p.near("turn in the time of the slide", x.V[2]*x.Time, 0, 0.02)
		p.near("speed", x.V[3], v-mu*grav*x.Time, 0.03*v)
	}
	pivotScenes["flat body spins"] = func(p *pivotDraw) { flat(p, false) }
	pivotScenes["flat body spins and slides"] = func(p *pivotDraw) { flat(p, true) }
}
