package sim

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Bodies cut from one plate, whose end faces are flush: they move as if they were of any other
// thickness, whatever the last bits of an offset.

// plate returns a plate in the plane of x and z between ±half along y, of an outline that is star-shaped
// about the origin, counter-clockwise from x to z.
func plate(outline [][2]float64, half float64) *geometry.Mesh {
	m := &meshes.Tri{}
	n := int32(len(outline))
	for _, y := range []float64{-half, half} {
		for _, p := range outline {
			m.Verts = append(m.Verts, r3.Vec{p[0], y, p[1]})
		}
	}
	m.Verts = append(m.Verts, r3.Vec{0, -half, 0}, r3.Vec{0, half, 0})
	for i := range n {
		j := (i + 1) % n
		m.Tris = append(m.Tris, [3]int32{2 * n, i, j}, [3]int32{2*n + 1, n + j, n + i}, [3]int32{i, n + j, j}, [3]int32{i, n + i, n + j})
	}
	return must(geometry.NewMesh(m))
}

// offset draws how far two plates are from flush, m.
func (p *pivotDraw) offset() float64 {
	d := math.Pow(10, p.between(-15, -4)) * p.size
	return []float64{0, d, -d, 1e-15, -1e-15, 1e-9, -1e-9}[p.rand.IntN(7)]
}

// flushKind draws a block of a plate's thickness: half extents x and z, and half of the thickness.
func (p *pivotDraw) flushKind(x, z, half float64) (geometry.Shape, string) {
	outline := [][2]float64{{x, -z}, {x, z}, {-x, z}, {-x, -z}}
	switch p.rand.IntN(4) {
	case 0:
		return p.box(2*x, 2*half, 2*z), "box"
	case 1:
		return must(geometry.NewConvex(plate(outline, half).SurfaceMesh().Verts)), "hull"
	case 2:
		notched := [][2]float64{{x, -z}, {x, -0.3 * z}, {0.8 * x, 0}, {x, 0.3 * z}, {x, z}, {-x, z}, {-x, -z}}
		return plate(notched, half), "notched"
	}
	return plate(outline, half), "mesh"
}

// flushTrack adds a fixed plate under z = 0, on which a block of half extents x and z rests, in
// either order of the two, and returns the block. Neither joint nor friction is of the plate.
func (p *pivotDraw) flushTrack(x, z, half float64, mat int) (body int, kind string) {
	shape, kind := p.flushKind(x, z, half)
	off := p.offset()
	track := func() int {
		long := 40 * p.size
		b := p.body("track", plate([][2]float64{{long, -p.size}, {long, p.size}, {-long, p.size}, {-long, -p.size}}, half), 1, at(0, off, -p.size), r3.Vec{}, r3.Vec{}, mat)
		p.spec(b).Fixed = true
		return b
	}
	first := p.rand.IntN(2) == 0
	if first {
		track()
	}
	I := p.mass * (x*x + z*z) / 3
	body = p.link(rigid.LinkSpec{Name: "block", Parent: rigid.World, Joint: rigid.Planar{Axes: [2]r3.Vec{{1, 0, 0}, {0, 0, 1}}}, X_PF: at(0, 0, z-p.depth()), X_BM: r3.PoseIdentity(),
		Mass: p.mass, Inertia_B: r3.Diag(r3.Vec{I, I, I})})
	p.geom(body, r3.PoseIdentity(), shape, mat)
	if !first {
		track()
	}
	return body, fmt.Sprintf("%s, offset %.3g, track first %t", kind, off, first)
}

func init() {
	// a block on a track of its own thickness slides at a = g (sin θ − μ cos θ), or stays where tan θ < μ
	pivotScenes["flush block slides or stays"] = func(p *pivotDraw) {
		angle := p.between(0.05, 0.3)
		beyond, slides := p.side(0.05, 0.5)
		mu := math.Tan(angle) / beyond
		p.incline(angle)
		mat := p.surface(mu)
		z := p.size / 4
		_, kind := p.flushTrack(p.size, z, p.size*p.between(0.1, 1), mat)
		s, x := p.build()
		p.say("angle %.3g, μ %.3g, %s", angle, mu, kind)
		p.take(s, x, 0.5)
		v := creep(s, beyond)
		if slides {
			v = grav * (math.Sin(angle) - mu*math.Cos(angle)) * x.Time
		}
		tol := 0.02*v + 1e-5
		if slides {
			tol += mu * grav * math.Cos(angle) * p.h
		}
		p.near("speed", x.V[0], v, tol)
		p.near("height", x.Q[1], 0, 2*p.depth())
		p.near("turn", x.Q[2], 0, 4*p.depth()/p.size)
	}
	// a prescribed block pushes one of its own thickness along the track
	pivotScenes["flush block pushes another"] = func(p *pivotDraw) {
		mat := p.surface(p.between(0.2, 0.6)) // which stops the block where it rebounds
		half, z := p.size*p.between(0.1, 1), p.size/4
		body, kind := p.flushTrack(p.size, z, half, mat)
		shape, pusher := p.flushKind(p.size/2, z/2, half)
		gap := p.size * 0.01
		b := p.body("pusher", shape, 1, at(-1.5*p.size-gap, p.offset(), z*p.between(0.6, 1.4)), r3.Vec{}, r3.Vec{}, mat)
		v := p.between(0.1, 1) * p.size / 0.2
		p.AddDrive("push", &BodyMotion{Body: p.bodies[b].name, X: must(motion.NewPiecewise([]float64{0, 100}, []float64{0, 100 * v}, false))})
		s, x := p.build()
		p.say("%s pushes %s of body %d at %.3g m/s", pusher, kind, body, v)
		p.take(s, x, 0.3)
		p.near("place", x.Q[0]-(v*x.Time-gap), 0, 0.02*p.size+v*p.h)
		p.near("height", x.Q[1], 0, 0.02*p.size)
		p.near("turn", x.Q[2], 0, 0.05)
	}
	// a round cam of eccentricity e under a flat follower of its own thickness lifts it to e sin θ
	pivotScenes["flush cam lifts its follower"] = func(p *pivotDraw) {
		mat := p.surface(0.1)
		R, half := p.size, p.size*p.between(0.1, 1)
		e := R * p.between(0.1, 0.5)
		var circle [][2]float64
		const n = 180
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
			circle = append(circle, [2]float64{e + R*cos, R * sin})
		}
		cam := p.body("cam", plate(circle, half), 1, r3.PoseIdentity(), r3.Vec{}, r3.Vec{}, mat)
		shape, kind := p.flushKind(2*R, R/4, half)
		off := p.offset()
		b := p.link(rigid.LinkSpec{Name: "follower", Parent: rigid.World, Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}, X_PF: at(0, off, R+R/4), X_BM: r3.PoseIdentity(),
			Mass: p.mass, Inertia_B: r3.Diag(r3.Vec{1, 1, 1})})
		p.geom(b, r3.PoseIdentity(), shape, mat)
		// slow enough that the follower does not leave the cam
		w := math.Min(0.5*math.Sqrt(grav/e), 0.05/p.h)
		p.AddDrive("turn", &BodyMotion{Body: p.bodies[cam].name, Axis: r3.Vec{0, -1, 0}, Angle: must(motion.NewPiecewise([]float64{0, 100 / w}, []float64{0, 100}, false))})
		s, x := p.build()
		p.say("eccentricity %.3g, %.3g rad/s, %s, offset %.3g", e, w, kind, off)
		for x.Time < 2*math.Pi/w {
			p.take(s, x, p.h)
			sin := math.Sin(w * x.Time)
			facet := R * (1 - math.Cos(math.Pi/n))
			if q := x.Q[0]; !(math.Abs(q-e*sin) <= facet+0.02*e+5*p.depth()) {
				p.near(fmt.Sprintf("lift at %.3g rad", w*x.Time), q, e*sin, facet+0.02*e+5*p.depth())
				return
			}
		}
	}
}
