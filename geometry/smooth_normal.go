package geometry

// Normal of two convex cores of which one is curved, from a guess nearby. It is a maximum of
// the separation s(n) = min n·w over the points w of the Minkowski difference D (gjk.go).
// At n, with w the support point of D and H the sum of the derivatives ∂x/∂n of the support
// points of both cores,
//
//	s(m) ≈ w·m − ½ (m−n)ᵀ H (m−n),  H = H_A(n) + H_B(−n)                    (1)
//
// is valid to second order as long as w comes from the same smooth parts of the surfaces. On
// an edge or a face two or three parts meet, and s is the least of their (1). So the parts
// met so far are kept, and each round maximizes the least of their models over the plane
// of directions n + δ, δ·n = 0, in which
//
//	q_i(δ) = v_i + g_i·δ − ½ δᵀ M δ,   M = H + s 1                            (2)
//
// with M that of the present direction: Newton's method where one part decides, and a
// bundle method (Lemaréchal 1978) with second-order information where several do. The
// maximum lies where one q_i is greatest, where two are equal, or three.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// curved is a shape whose core is curved.
type curved interface {
	SupportMap
	// supportPart returns the support point x at the unit vector n of the smooth part of
	// the surface that contains the support point like, and ∂x/∂n there: symmetric, with
	// H n = 0. All in G, m.
	supportPart(n_G, like r3.Vec) (x r3.Vec, H r3.Mat)
}

const (
	// coarseTol ends searches for the distance of curved cores, relative to its square,
	// and coarseDepth those for the depth, relative to the size of the smaller one:
	// smoothNormal finishes them.
	coarseTol   = 1e-3
	coarseDepth = 2e-4
	// smoothRounds bounds the rounds, of which Newton's method takes about four.
	smoothRounds = 40
	// maxParts bounds the parts kept.
	maxParts = 5
	// maxTurn bounds the turn of one round, rad.
	maxTurn = 0.3
)

// isCurved reports whether one of the cores is curved, so that smoothNormal finds its normal.
func (k *cores) isCurved() bool {
	if k.plain {
		return false
	}
	_, a := k.A.(curved)
	_, b := k.B.(curved)
	return a || b
}

// smoothPart is a pair of smooth parts of the surfaces of both cores.
type smoothPart struct {
	// a support point of each, in the frame of its shape
	like_A, like_B r3.Vec
	// support point of D at the centre, the point of A it comes from, and −∂w/∂n, ∂a/∂n
	w, a   r3.Vec
	H, H_A r3.Mat
	// value and gradient of (2) in the plane of the centre
	v float64
	g [2]float64
	// share in the maximum
	share float64
}

// see evaluates a part at the unit direction n.
func (k *cores) see(p *smoothPart, n r3.Vec) {
	R := &k.X_AB.R
	var m, b r3.Vec
	m.SetTMul(R, &n)
	p.a, p.H, p.H_A, b = p.like_A, r3.Mat{}, r3.Mat{}, p.like_B
	if A, ok := k.A.(curved); ok {
		p.a, p.H_A = A.supportPart(n, p.like_A)
		p.H = p.H_A
	}
	if B, ok := k.B.(curved); ok {
		var H r3.Mat
		b, H = B.supportPart(m.Neg(), p.like_B)
		p.H = p.H.Add(R.Mul(H).Mul(R.T()))
	}
	b.SetPoint(&k.X_AB, &b)
	p.w.SetSub(&b, &p.a)
}

// smoothSearch is the working memory of smoothNormal.
type smoothSearch struct {
	part  [maxParts]smoothPart
	n     int
	scale float64
	// the best direction and its separation
	center r3.Vec
	s      float64
	// axes of the plane of directions, M and its inverse
	t1, t2     r3.Vec
	M, inverse [3]float64 // xx, xy, yy
}

// smoothNormal sharpens the normal of curved cores. It reports whether it has converged.
func (k *cores) smoothNormal(c *closest, scale float64) bool {
	q := smoothSearch{scale: scale, s: math.Inf(-1)}
	next, step := c.n, 1.0
	var delta [2]float64
	for range smoothRounds {
		// the part that decides here
		m := k.X_AB.R.TMulVec(next)
		p := smoothPart{like_A: k.A.Support(next), like_B: k.B.Support(m.Neg())}
		k.see(&p, next)
		s, fresh := p.w.Dot(next), q.add(k, &p, next, m)
		switch {
		case s >= q.s:
			q.center, q.s, step = next, s, 1
		case !fresh:
			step /= 2 // the models of known parts are wrong that far away
		}
		if step == 1 || fresh {
			var gain float64
			delta, gain = q.maximize(k)
			turn := math.Hypot(delta[0], delta[1])
			if gain <= 4e-16*scale {
				return q.answer(c, delta)
			}
			if turn > maxTurn {
				delta[0], delta[1] = delta[0]*maxTurn/turn, delta[1]*maxTurn/turn
			}
		} else if step < 1e-6 {
			return q.answer(c, [2]float64{})
		}
		_, next = direction(q.center.AddScaled(step*delta[0], q.t1).AddScaled(step*delta[1], q.t2))
	}
	return false
}

// answer writes the best direction and its points to c, unless it is worse than the guess.
// The last δ, of some 1e-8 rad, adds less than round-off to the separation, but the points
// move by H δ: without it they would lie that far off the shortest line.
func (q *smoothSearch) answer(c *closest, delta [2]float64) bool {
	if q.s < c.s-1e-9*q.scale {
		return false
	}
	turn := q.t1.Scale(delta[0]).AddScaled(delta[1], q.t2)
	_, n := direction(q.center.Add(turn))
	c.s, c.n, c.a, c.located = q.s, n, r3.Vec{}, true
	for i := range q.n {
		if p := &q.part[i]; p.share > 0 {
			c.a = c.a.AddScaled(p.share, p.a.Add(p.H_A.MulVec(turn)))
		}
	}
	c.b = c.a.AddScaled(c.s, c.n)
	return true
}

// add keeps a part that is seen from the direction next, m in B, and reports whether it is
// new. Where there is no room it takes the
// place of one without a share.
func (q *smoothSearch) add(k *cores, p *smoothPart, next, m r3.Vec) (fresh bool) {
	for i := range q.n {
		if old := &q.part[i]; samePart(k.A, old.like_A, p.like_A, next) && samePart(k.B, old.like_B, p.like_B, m) {
			return false
		}
	}
	drop := q.n
	if drop == maxParts {
		drop = 0
		for i := range q.n {
			if q.part[i].share == 0 {
				drop = i
				break
			}
		}
	} else {
		q.n++
	}
	q.part[drop] = *p
	return true
}

// maximize returns the δ at which the least of (2) is greatest, and by how much that
// exceeds the best separation. It sets the shares.
func (q *smoothSearch) maximize(k *cores) (delta [2]float64, gain float64) {
	q.expand(k)
	best := math.Inf(-1)
	try := func(d [2]float64, i, j, l int, share [3]float64) {
		v := math.Inf(1)
		for m := range q.n {
			v = min(v, q.value(m, d))
		}
		if v > best {
			best, delta = v, d
			for m := range q.n {
				q.part[m].share = 0
			}
			q.part[i].share += share[0]
			q.part[j].share += share[1]
			q.part[l].share += share[2]
		}
	}
	for i := range q.n {
		try(q.newton(q.part[i].g), i, i, i, [3]float64{1})
		for j := range i {
			if d, lambda, ok := q.ridge(i, j); ok {
				try(d, i, j, j, [3]float64{lambda, 1 - lambda})
			}
			for l := range j {
				if d, share, ok := q.peak(i, j, l); ok {
					try(d, i, j, l, share)
				}
			}
		}
	}
	return delta, best - q.s
}

// expand writes the models (2) about the centre.
func (q *smoothSearch) expand(k *cores) {
	q.t1, q.t2 = r3.Basis(q.center)
	least := math.Inf(1)
	for i := range q.n {
		p := &q.part[i]
		k.see(p, q.center)
		p.v, p.g = p.w.Dot(q.center), [2]float64{p.w.Dot(q.t1), p.w.Dot(q.t2)}
		if p.v < least { // the part that decides at the centre
			least = p.v
			a, b := p.H.MulVec(q.t1), p.H.MulVec(q.t2)
			q.M = [3]float64{a.Dot(q.t1), a.Dot(q.t2), b.Dot(q.t2)}
		}
	}
	q.setCurvature()
}

// setCurvature completes M, in q.M without s, and inverts it. In overlap −s takes from both
// principal curvatures; a tenth of each is left, so that (2) stays concave.
func (q *smoothSearch) setCurvature() {
	xx, xy, yy := q.M[0], q.M[1], q.M[2]
	mean, half := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	curvature := [2]float64{mean + half, mean - half}
	for i, c := range curvature {
		curvature[i] = max(c+q.s, c/10) + 1e-7*q.scale
	}
	// the principal direction of the greater one, at half the angle of ((xx−yy)/2, xy)
	cos, sin := 1.0, 0.0
	if half > 0 {
		sin, cos = math.Sincos(math.Atan2(xy, (xx-yy)/2) / 2)
	}
	major, minor := curvature[0], curvature[1]
	q.M = [3]float64{major*cos*cos + minor*sin*sin, (major - minor) * cos * sin, major*sin*sin + minor*cos*cos}
	det := major * minor
	q.inverse = [3]float64{q.M[2] / det, -q.M[1] / det, q.M[0] / det}
}

// value returns (2) of a part.
func (q *smoothSearch) value(i int, d [2]float64) float64 {
	p := &q.part[i]
	return p.v + p.g[0]*d[0] + p.g[1]*d[1] - (q.M[0]*d[0]*d[0]+2*q.M[1]*d[0]*d[1]+q.M[2]*d[1]*d[1])/2
}

// newton returns M⁻¹ g.
func (q *smoothSearch) newton(g [2]float64) [2]float64 {
	return [2]float64{q.inverse[0]*g[0] + q.inverse[1]*g[1], q.inverse[1]*g[0] + q.inverse[2]*g[1]}
}

// ridge returns the maximum over the line where q_i = q_j, and the share of part i there.
func (q *smoothSearch) ridge(i, j int) (d [2]float64, lambda float64, ok bool) {
	pi, pj := &q.part[i], &q.part[j]
	g := [2]float64{pi.g[0] - pj.g[0], pi.g[1] - pj.g[1]}
	square := g[0]*g[0] + g[1]*g[1]
	if square == 0 {
		return d, 0, false
	}
	// a point of the line g·δ = v_j − v_i, then along it by τ
	c := (pj.v - pi.v) / square
	x, y := c*g[0], c*g[1]
	tx, ty := -g[1], g[0]
	curvature := q.M[0]*tx*tx + 2*q.M[1]*tx*ty + q.M[2]*ty*ty
	tau := (pj.g[0]*tx + pj.g[1]*ty - x*(q.M[0]*tx+q.M[1]*ty) - y*(q.M[1]*tx+q.M[2]*ty)) / curvature
	d = [2]float64{x + tau*tx, y + tau*ty}
	// M δ = λ g_i + (1 − λ) g_j
	r := [2]float64{q.M[0]*d[0] + q.M[1]*d[1] - pj.g[0], q.M[1]*d[0] + q.M[2]*d[1] - pj.g[1]}
	lambda = (r[0]*g[0] + r[1]*g[1]) / square
	return d, lambda, lambda >= 0 && lambda <= 1
}

// peak returns the point where three parts are equal, and their shares.
func (q *smoothSearch) peak(i, j, l int) (d [2]float64, share [3]float64, ok bool) {
	pi, pj, pl := &q.part[i], &q.part[j], &q.part[l]
	a := [2]float64{pj.g[0] - pi.g[0], pj.g[1] - pi.g[1]}
	b := [2]float64{pl.g[0] - pi.g[0], pl.g[1] - pi.g[1]}
	va, vb := pi.v-pj.v, pi.v-pl.v
	det := a[0]*b[1] - a[1]*b[0]
	if math.Abs(det) <= 1e-12*q.scale*q.scale {
		return d, share, false
	}
	d = [2]float64{(va*b[1] - vb*a[1]) / det, (a[0]*vb - b[0]*va) / det}
	// M δ = Σ share_i g_i, with shares that add up to 1
	r := [2]float64{q.M[0]*d[0] + q.M[1]*d[1] - pi.g[0], q.M[1]*d[0] + q.M[2]*d[1] - pi.g[1]}
	share[1] = (r[0]*b[1] - r[1]*b[0]) / det
	share[2] = (a[0]*r[1] - a[1]*r[0]) / det
	share[0] = 1 - share[1] - share[2]
	return d, share, share[0] >= 0 && share[1] >= 0 && share[2] >= 0
}

// supportPart implements curved: with Q the squares of the semi-axes, x = Q n/h and
// h = √(nᵀQ n), ∂x/∂n = (Q − x xᵀ)/h.
func (e *Ellipsoid) supportPart(n_G, _ r3.Vec) (r3.Vec, r3.Mat) {
	x := e.Support(n_G)
	h := x.Dot(n_G)
	Q := r3.Diag(r3.Vec{e.Semi[0] * e.Semi[0], e.Semi[1] * e.Semi[1], e.Semi[2] * e.Semi[2]})
	return x, Q.Sub(r3.Outer(x, x)).Scale(1 / h)
}

// supportPart implements curved: the point of the same rim turns about the axis. Near the
// axis it turns too fast for a linear model, and points of the rim count as corners.
func (c *Cylinder) supportPart(n_G, like r3.Vec) (r3.Vec, r3.Mat) {
	rho, u := radial(n_G)
	if rho < leastTilt {
		return like, r3.Mat{}
	}
	t := r3.Vec{-u[1], u[0], 0}
	return r3.Vec{c.Radius * u[0], c.Radius * u[1], like[2]}, r3.Outer(t, t).Scale(c.Radius / rho)
}

// leastTilt is the sine of the angle to the axis below which points of a rim count as
// corners.
const leastTilt = 0.02

// samePart reports whether two support points lie on the same smooth part of a shape.
func samePart(s SupportMap, a, b, n_G r3.Vec) bool {
	switch s.(type) {
	case *Ellipsoid:
		return true
	case *Cylinder:
		if rho, _ := radial(n_G); rho >= leastTilt {
			return a[2] == b[2]
		}
	}
	return a == b
}
