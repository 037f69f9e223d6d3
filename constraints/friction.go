package constraints

// Regularized friction, shared by Lagged and Similar, which couple it to the normal force in
// different ways. With the tangential velocity vt, the coefficient μ and a speed ε below
// which friction is viscous, the regularized norm η ≈ μ|vt| and its derivatives are
//
//	ρ = √(|vt|² + ε²),  s = vt/ρ
//	η = μ |vt|²/(ρ + ε)          = μ (ρ − ε)                         (1)
//	∇η = μ s,  ∇²η = μ (I − s sᵀ)/ρ                                  (2)
//
// and with a friction tensor M (symmetric, ⪰ 0) in place of μ, ṽ = M vt, ε̃ = μ_max ε:
//
//	ρ̃ = √(|ṽ|² + ε̃²),  s̃ = ṽ/ρ̃
//	η = |ṽ|²/(ρ̃ + ε̃),  ∇η = M s̃,  ∇²η = M (I − s̃ s̃ᵀ) M/ρ̃           (3)
//
// which is (1) and (2) for M = μ I. The printed form of (3) in the source has ε
// for ε̃, and then does not reduce to the isotropic one. ε is constant over a step,
//
//	ε = max(v_s, μ_max σ w_t n0),                                    (4)
//
// where v_s grows with the velocity at the start, as friction_sliding.go says, n0 is the normal impulse of the start of
// the step and w_t the Delassus operator: the tangential stiffness μ n0/ε then is below 1/(σ w_t) however strong an
// impact.
// Source: Castro et al., "Irrotational Contact Fields", section on regularized
// friction and appendix on anisotropic friction.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
)

// friction is the regularized norm of one contact in one step.
type friction struct {
	mu          float64 // μ, or the largest principal value of M
	M           tensor
	aniso       bool    // M counts, not mu
	static      bool    // static friction counts
	vs, sliding float64 // v_s, ε_s of friction_sliding.go
	least       float64 // ε of it, by the velocity at the start; 0: v_s
	sigma       float64 // σ
	n0          float64 // N s
	wt          float64 // w_t
	eps         float64 // ε, or ε̃
	dual        dual    // of friction_primal_dual.go
}

// softNorm is η, ∇η and ∇²η at one velocity.
type softNorm struct {
	eta           float64
	gx, gy        float64
	hxx, hxy, hyy float64
}

// init reads the coefficients of the pair.
func (f *friction) init(c *geometry.Contact, pair *Pair, k Kinematics) {
	f.vs, f.sliding = tolerances(f.vs, f.sliding)
	f.mu = pair.Friction
	if pair.anisotropic() {
		f.aniso, f.M = true, pair.tensor(c, k)
		f.mu = f.M.norm()
	}
}

// start sets ε and the coefficient by the slip, and n0: that of the pair if
// it has one, else the normal law's at the present gap and the lagged velocity.
func (f *friction) start(pair *Pair, normal NormalLaw, at StartVelocities) {
	f.least = viscousSlip(f.vs, f.sliding, at.Slip.Norm())
	if f.static {
		slip := math.Hypot(at.Slip[0], at.Slip[1]) / f.sliding
		if f.aniso {
			if static, dynamic := pair.principalCoefficients(); dynamic > 0 {
				s := Stribeck(static, dynamic, slip) / dynamic
				f.M, f.mu = f.M.scale(s), s*f.mu
			}
		} else {
			f.mu = Stribeck(pair.StaticFriction, pair.Friction, slip)
		}
	}
	if n0 := pair.LaggedImpulse; n0 != nil && !math.IsNaN(*n0) {
		f.n0 = math.Max(0, *n0)
		return
	}
	f.n0 = normal.Lag(at.Lagged[2])
}

// prepare sets ε from the Delassus diagonal w.
func (f *friction) prepare(w []float64) {
	f.wt = 0.5 * (w[0] + w[1])
	f.eps = f.epsilon(f.sigma)
}

// epsilon returns ε, or ε̃ of a friction tensor, for a σ.
func (f *friction) epsilon(sigma float64) float64 {
	eps := math.Max(f.leastSlip(), f.mu*sigma*f.wt*f.n0) // (4)
	if f.aniso && f.mu > 0 {
		eps *= f.mu
	}
	return eps
}

// leastSlip returns the first term of (4): v_s, or what the velocity at the start makes of it.
func (f *friction) leastSlip() float64 { return math.Max(f.vs, f.least) }

// eval returns (1) and (2), or (3).
func (f *friction) eval(x, y float64) softNorm {
	if f.aniso {
		x, y = f.M.xx*x+f.M.xy*y, f.M.xy*x+f.M.yy*y
	}
	xx, yy, ee := x*x, y*y, f.eps*f.eps
	rho := math.Sqrt(xx + yy + ee)
	inv := 1 / rho
	sx, sy := x*inv, y*inv

	// 1 − sx² = (y² + ε²)/ρ², which does not cancel.
	inv3 := inv * inv * inv
	n := softNorm{
		eta: (xx + yy) / (rho + f.eps),
		gx:  sx, gy: sy,
		hxx: (yy + ee) * inv3, hxy: -sx * sy * inv, hyy: (xx + ee) * inv3,
	}
	if f.aniso {
		n.gx, n.gy = f.M.xx*sx+f.M.xy*sy, f.M.xy*sx+f.M.yy*sy
		H := f.M.congruent(tensor{n.hxx, n.hxy, n.hyy})
		n.hxx, n.hxy, n.hyy = H.xx, H.xy, H.yy
		return n
	}
	n.eta *= f.mu
	n.gx, n.gy = f.mu*n.gx, f.mu*n.gy
	n.hxx, n.hxy, n.hyy = f.mu*n.hxx, f.mu*n.hxy, f.mu*n.hyy
	return n
}
