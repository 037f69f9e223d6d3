package constraints

// Hertz's law of smooth curved elastic bodies, with Hunt and Crossley's damping:
//
//	f = k_H x^{3/2} (1 − d vn)  for x = −φ > 0 and vn < 1/d, else 0.
//
// A sphere of radius R on a plane has k_H = 4/3 E* √R with 1/E* the sum of both
// (1 − ν²)/E. Because 1/E* adds like compliances do, the pair's combined
// stiffness carries over: k_H = k/√δ, the linear law's force at the overlap δ,
// so that k = 4/3 E* √(R δ). With φ = φ0 + h vn the impulse is
//
//	p(vn) = h k_H x^{3/2} b,  x = −(φ0 + h vn),  b = 1 − d vn            (1)
//	p'    = −h k_H (3/2 h √x b + d x^{3/2})                              (2)
//
// below v̂ = min(−φ0/h, 1/d). As for the linear law let u = v̂ − vn, x̂ and b̂ the
// values at v̂, one of which is zero, and x = x̂ + h u, b = b̂ + d u; with
// y = √(x̂/x) then
//
//	P = −k_H x^{5/2} [⅖ b̂ + 2/35 (d x/h) (1 − y)² q(y)]                  (3)
//	q = 5 + 10 y + 8 y² + 6 y³ + 4 y⁴ + 2 y⁵,  1 − y = (h u/x)/(1 + y)
//
// where the textbook's 5 − 7 y² + 2 y⁷ = (1 − y)² q(y) would cancel.
// The mean force of the step, normal_mean.go, is with s = √x, s0 = √x0, x0 = −φ0 of φ0 ≤ 0
//
//	f̄ = ⅖ k_H (s⁴ + s³ s0 + s² s0² + s s0³ + s0⁴)/(s + s0)                (4)
//	P  = −2 ∫ f̄ [b̂ + d/h (s² − ŝ²)] s ds  from ŝ = √x̂                    (5)
//
// and of φ0 > 0 with ρ = x/(φ0 + x), g = √φ0
//
//	f̄ = ⅖ k_H x^{3/2} ρ,  ∫ f̄ dx = ⅘ k_H [s⁵/5 − g² s³/3 + g⁴ s − g⁵ atan(s/g)]   (6)
//
// plus 4/35 k_H d/h x^{7/2} for the damping. (5) is taken by Gauss' rule in s, which has no root and no difference of
// large terms, to round-off.
// Source: Hertz 1882; Castro et al., "Irrotational Contact Fields".

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
)

// Hertz is the normal model whose force grows with the power 3/2 of the overlap:
// stiffness k and dissipation d of the pair.
type Hertz struct {
	Overlap float64 // overlap δ at which the force is k δ, m; 0: DefaultHertzOverlap
	onOverlap
}

var _ NormalModel = Hertz{}

var _ = NormalModels.Register(kinds.Kind[NormalSpec]{
	Name:    "hertz",
	Doc:     "Force of smooth curved elastic bodies, which grows with the power 3/2 of the overlap.",
	About:   "The pair's stiffness times the overlap is the force at hertz_overlap; dissipation is that of hunt_crossley.",
	New:     func() NormalSpec { return &HertzSpec{DefaultHertzOverlap} },
	Samples: func() []NormalSpec { return []NormalSpec{&HertzSpec{DefaultHertzOverlap}, &HertzSpec{1e-3}} },
})

// HertzSpec are the parameters of Hertz's law.
type HertzSpec struct {
	// Overlap is the overlap at which the force equals stiffness times overlap, m.
	Overlap float64 `key:"hertz_overlap" unit:"m" doc:"overlap at which the force is the pair's stiffness times the overlap" above:"0"`
}

// Make implements NormalSpec.
func (s *HertzSpec) Make() (NormalModel, error) { return Hertz{Overlap: s.Overlap}, nil }

// Dissipation implements NormalFacts.
func (Hertz) Dissipation() Dissipation { return HuntCrossleyDissipation }

// StaticForce implements NormalFacts: k_H x^{3/2}.
func (m Hertz) StaticForce(k, overlap float64) (force, slope float64) {
	if overlap <= 0 {
		return 0, 0
	}
	root := math.Sqrt(overlap / m.overlap())
	return k * overlap * root, 1.5 * k * root
}

// StaticDepth implements NormalFacts: (f/k_H)^{2/3}.
func (m Hertz) StaticDepth(k, load float64) float64 {
	return math.Pow(load*math.Sqrt(m.overlap())/k, 2.0/3)
}

// Stiffness returns the k (N/m) of the pair that makes this law Hertz's of a
// sphere of radius R (m) on a plane, or of two spheres with 1/R the sum of their
// curvatures, and effective modulus E* (Pa).
func (m Hertz) Stiffness(modulus, radius float64) float64 {
	return 4.0 / 3 * modulus * math.Sqrt(radius*m.overlap())
}

func (m Hertz) overlap() float64 {
	if m.Overlap == 0 {
		return DefaultHertzOverlap
	}
	return m.Overlap
}

// hertz is the law of one contact in one step.
type hertz struct {
	h, k, d, phi        float64 // k_H, N/m^1.5
	vBreak, xBreak, b   float64 // v̂, x̂, b̂
	fullStiffness, pair float64 // k_H without the cap of continuation.go; k of the pair
}

// New implements NormalModel.
func (m Hertz) New(c *geometry.Contact, pair *Pair, p *cliques.Problem) NormalLaw {
	n := cliques.New[hertz](p)
	n.init(p.H, pair.Stiffness/math.Sqrt(m.overlap()), pair.Dissipation, c.Phi)
	n.pair = pair.Stiffness
	return n
}

func (n *hertz) init(h, k, d, phi float64) {
	*n = hertz{h: h, k: k, d: d, phi: phi, fullStiffness: k, pair: k}
	n.vBreak, n.xBreak, n.b = breakOff(h, d, phi)
}

// Eval implements NormalLaw.
func (n *hertz) Eval(vn float64) (P, p, dp float64) {
	u := n.vBreak - vn
	if u <= 0 || n.k == 0 {
		return 0, 0, 0
	}
	x, b := n.xBreak+n.h*u, n.b+n.d*u
	root := math.Sqrt(x)
	x32 := x * root
	y := math.Sqrt(n.xBreak / x)
	c := n.h * u / x / (1 + y) // 1 − y
	q := 5 + y*(10+y*(8+y*(6+y*(4+y*2))))
	P = -n.k * x * x32 * (0.4*n.b + 2.0/35*(n.d*x/n.h)*c*c*q)              // (3)
	return P, n.h * n.k * x32 * b, -n.h * n.k * (1.5*n.h*root*b + n.d*x32) // (1), (2)
}

// Lag implements NormalLaw: h k_H (−φ0)₊^{3/2} (1 − d vn)₊.
func (n *hertz) Lag(vn float64) float64 {
	x := math.Max(0, -n.phi)
	return n.h * n.k * x * math.Sqrt(x) * math.Max(0, 1-n.d*vn)
}

// Secant implements SecantLaw.
func (n *hertz) Secant(vn float64) (P, p, dp float64) {
	u := n.vBreak - vn
	if n.k == 0 {
		return 0, 0, 0
	}
	x, b := n.xBreak+n.h*u, n.b+n.d*u
	var f, df, energy float64 // f̄, df̄/dx, −P
	switch x0 := -n.phi; {
	case u <= 0 && x0 > 0:
		return opening(0.4*n.k*x0*x0*math.Sqrt(x0), vn, n.vBreak, n.d)
	case u <= 0:
		return 0, 0, 0
	case x0 >= 0:
		f, df = n.secantAt(math.Sqrt(x), math.Sqrt(x0))
		energy = n.secantEnergy(u, math.Sqrt(x), math.Sqrt(n.xBreak), math.Sqrt(x0))
	default: // (6)
		root, rho := math.Sqrt(x), x/(n.phi+x)
		f, df = 0.4*n.k*x*root*rho, 0.4*n.k*root*rho*(2.5-rho)
		energy = n.k * x * x * root * (0.8*hertzClosing(root/math.Sqrt(n.phi)) + 0.8/7*n.d*u)
	}
	return -energy, n.h * f * b, -n.h * (n.h*df*b + n.d*f)
}

// secantAt returns (4) and its slope by x.
func (n *hertz) secantAt(s, s0 float64) (f, df float64) {
	most := math.Max(s, s0)
	if most == 0 {
		return 0, 0
	}
	t := math.Min(s, s0) / most
	f = 0.4 * n.k * most * most * most * (1 + t*(1+t*(1+t*(1+t)))) / (1 + t)
	if s >= s0 {
		return f, 0.2 * n.k * most * (3 + t*(6+t*(4+t*2))) / ((1 + t) * (1 + t))
	}
	return f, 0.2 * n.k * most * (2 + t*(4+t*(6+t*3))) / ((1 + t) * (1 + t))
}

// secantEnergy returns −P (5) from ŝ = least to s, between which the velocity differs by u.
func (n *hertz) secantEnergy(u, s, least, s0 float64) (energy float64) {
	if s == 0 {
		return 0
	}
	delta := n.h * u / (s + least) // s − ŝ
	for i, x := range gauss20.x {
		y := 0.5 * (1 + x) // (s − ŝ)/δ
		at := least + y*delta
		f, _ := n.secantAt(at, s0)
		energy += gauss20.w[i] * f * at * (n.b + n.d*u*(y*((2*least+y*delta)/(s+least))))
	}
	return energy * delta
}

// hertzClosing returns 1/5 − 1/(3 r²) + 1/r⁴ − atan(r)/r⁵ of (6), r²/7 − r⁴/9 + … where that cancels.
func hertzClosing(r float64) float64 {
	if r > 0.5 {
		q := 1 / r
		return 0.2 - q*q*(1.0/3-q*q*(1-q*math.Atan(r)))
	}
	sum, r2 := 0.0, r*r
	for k := 2*lastOfSeries + 7; k >= 7; k -= 2 {
		sum = 1/float64(k) - r2*sum
	}
	return r2 * sum
}

// SteepestAtStart implements SecantLaw: that of the start, and not less than the stiffness of the pair.
func (n *hertz) SteepestAtStart() float64 {
	return math.Max(n.pair, 1.5*n.fullStiffness*math.Sqrt(math.Max(0, -n.phi)))
}
