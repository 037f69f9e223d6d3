package constraints

// Primal-dual Newton directions of friction. The Hessian ∇²η = μ (I − s sᵀ)/ρ of friction.go is
// that of a kink rounded over ε: a direction that crosses it, from slip to stick or to slip the
// other way, is right for a distance of ε only, and Newton's method goes from kink to kink. With
// the direction of friction as an unknown of its own, w, the equation ρ w = v_t has no kink.
// Linearized about v_t and w,
//
//	ρ Δw = (I − w sᵀ) Δv_t + v_t − ρ w                                    (1)
//
// which eliminates Δw: the Newton matrix has, made symmetric,
//
//	∇²η_w = μ (I − ½ (w sᵀ + s wᵀ))/ρ ⪰ 0   for |w| ≤ 1                   (2)
//	w ← s + (I − w sᵀ) Δv_t/ρ, shortened to |w| ≤ 1                       (3)
//
// in place of ∇²η, with the same gradient. At the solution w = s, where (2) is ∇²η, so that
// convergence remains quadratic; before, (2) is the average over what w and s have. The minimum
// is the same, since w enters the direction alone. With a friction tensor M all vectors are those
// of M v_t, and (2) lies between two M.
//
// Source: Chan, Golub, Mulet 1999, "A nonlinear primal-dual method for total variation-based
// image restoration", for the norm |v| of images; its use for friction is this program's.

import "math"

// dual is w of (1).
type dual struct{ x, y float64 }

// directionHessian changes ∇²η times the normal impulse n in the tangential block of G into (2)
// times n, at the tangential velocity (x, y).
func (f *friction) directionHessian(n, x, y float64, G []float64) {
	if n == 0 {
		return
	}
	sx, sy, rho := f.slip(x, y)
	// s sᵀ − ½ (w sᵀ + s wᵀ)
	w, c := f.dual, n/rho
	d := tensor{c * sx * (sx - w.x), c * (sx*sy - 0.5*(w.x*sy+w.y*sx)), c * sy * (sy - w.y)}
	if f.aniso {
		d = f.M.congruent(d)
	} else {
		d = d.scale(f.mu)
	}
	G[0], G[1], G[3], G[4] = G[0]+d.xx, G[1]+d.xy, G[3]+d.xy, G[4]+d.yy
}

// updateDual takes (3) at the tangential velocity (x, y) for its change (dx, dy).
func (f *friction) updateDual(x, y, dx, dy float64) {
	sx, sy, rho := f.slip(x, y)
	if f.aniso {
		dx, dy = f.M.xx*dx+f.M.xy*dy, f.M.xy*dx+f.M.yy*dy
	}
	along := sx*dx + sy*dy
	w := &f.dual
	w.x, w.y = sx+(dx-w.x*along)/rho, sy+(dy-w.y*along)/rho
	// also of the largest finite numbers
	if l := math.Hypot(w.x, w.y); l > 1 {
		w.x, w.y = w.x/l, w.y/l
	}
}

// slip returns s and ρ, or s̃ and ρ̃ of a friction tensor.
func (f *friction) slip(x, y float64) (sx, sy, rho float64) {
	if f.aniso {
		x, y = f.M.xx*x+f.M.xy*y, f.M.xy*x+f.M.yy*y
	}
	rho = math.Sqrt(x*x + y*y + f.eps*f.eps)
	return x / rho, y / rho, rho
}

// DirectionHessian implements convex.PrimalDual.
func (l *lagged) DirectionHessian(vc, gamma, G []float64) {
	n := l.n0
	if l.coupled {
		n = gamma[2]
	}
	l.directionHessian(n, vc[0], vc[1], G)
}

// UpdateDual implements convex.PrimalDual.
func (l *lagged) UpdateDual(vc, dc []float64) { l.updateDual(vc[0], vc[1], dc[0], dc[1]) }

// DirectionHessian implements convex.PrimalDual.
func (l *similar) DirectionHessian(vc, gamma, G []float64) {
	l.directionHessian(gamma[2], vc[0], vc[1], G)
}

// UpdateDual implements convex.PrimalDual.
func (l *similar) UpdateDual(vc, dc []float64) { l.updateDual(vc[0], vc[1], dc[0], dc[1]) }
