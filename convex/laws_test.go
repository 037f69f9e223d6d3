package convex

import (
	"math"
	"math/rand/v2"

	"github.com/curlfree/curlfree/cliques"
)

// lagged is the contact law with friction frozen at the impulse n0, in (t1, t2, n).
type lagged struct {
	h, phi0, k, d, mu, eps, n0 float64
	prepared                   bool
	w                          [3]float64
}

func (*lagged) Dim() int { return 3 }

func (l *lagged) Prepare(_ float64, w []float64) {
	l.prepared = true
	copy(l.w[:], w)
}

func (l *lagged) Eval(c, gamma, G []float64) float64 {
	clear(G)
	ct2 := c[0]*c[0] + c[1]*c[1]
	rho := math.Sqrt(ct2 + l.eps*l.eps)
	f := l.mu * l.n0
	sx, sy := c[0]/rho, c[1]/rho
	gamma[0], gamma[1], gamma[2] = -f*sx, -f*sy, 0
	G[0], G[1], G[3], G[4] = f/rho*(1-sx*sx), -f/rho*sx*sy, -f/rho*sx*sy, f/rho*(1-sy*sy)
	cost := f * ct2 / (rho + l.eps)
	vx := -l.phi0 / l.h
	top := vx
	if l.d > 0 {
		top = min(vx, 1/l.d)
	}
	if u := top - c[2]; u > 0 {
		x, b := -(l.phi0 + l.h*c[2]), 1-l.d*c[2]
		gamma[2] = l.h * l.k * x * b
		G[8] = l.h * l.k * (l.h*b + l.d*x)
		x0, b0 := max(0, -(l.phi0+l.h*top)), max(0, 1-l.d*top)
		cost += l.h * l.k * (x0*b0*u + 0.5*(x0*l.d+b0*l.h)*u*u + l.d*l.h*u*u*u/3)
	}
	return cost
}

// sap is the contact law that projects onto the friction cone.
type sap struct{ mu, rt, rn, vhat float64 }

func (*sap) Dim() int                   { return 3 }
func (*sap) Prepare(float64, []float64) {}

func (l *sap) Eval(c, gamma, G []float64) float64 {
	clear(G)
	yx, yy, yn := -c[0]/l.rt, -c[1]/l.rt, (l.vhat-c[2])/l.rn
	yr := math.Hypot(yx, yy)
	hat, til := l.mu*l.rt/l.rn, l.mu*l.mu*l.rt/l.rn
	switch {
	case yr <= l.mu*yn:
		gamma[0], gamma[1], gamma[2] = yx, yy, yn
		G[0], G[4], G[8] = 1/l.rt, 1/l.rt, 1/l.rn
	case -hat*yr < yn:
		tx, ty := yx/yr, yy/yr
		n := (yn + hat*yr) / (1 + til)
		gamma[0], gamma[1], gamma[2] = l.mu*n*tx, l.mu*n*ty, n
		o := [3]float64{l.mu * tx, l.mu * ty, 1}
		for i := range 3 {
			for j := range 3 {
				G[3*i+j] = o[i] * o[j] / (l.rn * (1 + til))
			}
		}
		p := l.mu * n / (l.rt * yr)
		G[0] += p * (1 - tx*tx)
		G[1] -= p * tx * ty
		G[3] -= p * tx * ty
		G[4] += p * (1 - ty*ty)
	default:
		clear(gamma)
	}
	return 0.5 * (l.rt*(gamma[0]*gamma[0]+gamma[1]*gamma[1]) + l.rn*gamma[2]*gamma[2])
}

// spring is ½ k |c|² in any dimension: a holonomic constraint.
type spring struct {
	n int
	k float64
}

func (l *spring) Dim() int                 { return l.n }
func (*spring) Prepare(float64, []float64) {}

func (l *spring) Eval(c, gamma, G []float64) float64 {
	clear(G)
	sum := 0.0
	for i, x := range c {
		gamma[i], G[i*l.n+i] = -l.k*x, l.k
		sum += 0.5 * l.k * x * x
	}
	return sum
}

// limit is ½ k min(c, 0)².
type limit struct{ k float64 }

func (*limit) Dim() int                   { return 1 }
func (*limit) Prepare(float64, []float64) {}

func (l *limit) Eval(c, gamma, G []float64) float64 {
	x := min(c[0], 0)
	gamma[0], G[0] = -l.k*x, 0
	if x < 0 {
		G[0] = l.k
	}
	return 0.5 * l.k * x * x
}

func randomLaw(r *rand.Rand, stiff float64) cliques.Law {
	switch r.IntN(5) {
	case 0:
		return &spring{1 + r.IntN(6), stiff * 1e-4}
	case 1:
		return &limit{stiff * 1e-4}
	case 2:
		return &sap{mu: r.Float64(), rt: 1e-3, rn: 1 / (1e-4 * stiff), vhat: 0.2 * r.Float64()}
	default:
		return &lagged{h: 0.01, phi0: 1e-3 * (r.Float64() - 0.7), k: stiff, d: 20 * r.Float64() * float64(r.IntN(2)), mu: r.Float64(), eps: 1e-3, n0: r.Float64()}
	}
}
