package constraints

// The Hunt-Crossley law: a linear spring whose damping grows with overlap,
//
//	f = k x (1 − d vn)  for x = −φ > 0 and vn < 1/d, else 0.
//
// The step predicts φ = φ0 + h vn, so that the impulse is
//
//	p(vn) = h k x b,  x = −(φ0 + h vn),  b = 1 − d vn                    (1)
//	p'    = −h k (h b + d x)                                             (2)
//
// below the breaking velocity v̂ = min(−φ0/h, 1/d). With u = v̂ − vn, the overlap
// x̂ = max(0, −(φ0 + h v̂)) and the factor b̂ = max(0, 1 − d v̂) there,
//
//	x = x̂ + h u,  b = b̂ + d u                                            (3)
//	P = −h k [x̂ b̂ u + ½ (x̂ d + b̂ h) u² + ⅓ d h u³]                        (4)
//
// The law has no coefficient of restitution: rebounds are slower than 1/d, whatever the impact.
// Every term of (4) has one sign. The textbook antiderivative differs by the
// constant ½ k φ0² per contact, in which the cost drowns when k is large.
// Source: Hunt and Crossley 1975; Castro et al., "Irrotational Contact Fields".

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
)

// HuntCrossley is the default normal model: a linear spring with Hunt–Crossley
// damping, with the stiffness k and the dissipation d of the pair of materials.
// Bodies rebound at less than 1/d.
type HuntCrossley struct{ linear }

var _ NormalModel = HuntCrossley{}

var _ = NormalModels.Register(kinds.Kind[NormalSpec]{
	Name:    DefaultNormalModel,
	Doc:     "Linear spring whose damping grows with overlap: f = k δ (1 − d v).",
	About:   "The stiffness k and the dissipation d are those of the pair of materials. Bodies rebound more slowly than 1/d.",
	New:     func() NormalSpec { return &HuntCrossleySpec{} },
	Samples: func() []NormalSpec { return []NormalSpec{&HuntCrossleySpec{}} },
})

// HuntCrossleySpec is the parameter set of the Hunt–Crossley law. It is empty: stiffness and
// dissipation come from the materials of the two surfaces in contact.
type HuntCrossleySpec struct{}

// Make implements NormalSpec.
func (*HuntCrossleySpec) Make() (NormalModel, error) { return HuntCrossley{}, nil }

// Dissipation implements NormalFacts.
func (HuntCrossley) Dissipation() Dissipation { return HuntCrossleyDissipation }

// huntCrossley is the law of one contact in one step.
type huntCrossley struct {
	h, k, d, phi      float64
	vBreak, xBreak, b float64 // v̂, x̂, b̂
	fullStiffness     float64 // k without the cap of continuation.go
}

// New implements NormalModel.
func (HuntCrossley) New(c *geometry.Contact, pair *Pair, p *cliques.Problem) NormalLaw {
	n := cliques.New[huntCrossley](p)
	n.init(p.H, pair.Stiffness, pair.Dissipation, c.Phi)
	return n
}

func (n *huntCrossley) init(h, k, d, phi float64) {
	*n = huntCrossley{h: h, k: k, d: d, phi: phi, fullStiffness: k}
	n.vBreak, n.xBreak, n.b = breakOff(h, d, phi)
}

// breakOff returns the breaking velocity v̂ and the overlap x̂ and damping factor b̂ there.
func breakOff(h, d, phi float64) (v, x, b float64) {
	v = -phi / h
	if d > 0 && 1/d < v {
		// Deep overlap: the force breaks off inside.
		return 1 / d, max(0, -(phi + h/d)), 0
	}
	return v, 0, max(0, 1-d*v)
}

// Eval implements NormalLaw.
func (n *huntCrossley) Eval(vn float64) (P, p, dp float64) {
	u := n.vBreak - vn
	if u <= 0 || n.k == 0 {
		return 0, 0, 0
	}
	hk := n.h * n.k
	x, b := n.xBreak+n.h*u, n.b+n.d*u                                         // (3)
	P = -hk * u * (n.xBreak*n.b + u*(0.5*(n.xBreak*n.d+n.b*n.h)+u*n.d*n.h/3)) // (4)
	return P, hk * x * b, -hk * (n.h*b + n.d*x)                               // (1), (2)
}

// Lag implements NormalLaw: h (−k φ0)₊ (1 − d vn)₊.
func (n *huntCrossley) Lag(vn float64) float64 {
	return n.h * n.k * math.Max(0, -n.phi) * math.Max(0, 1-n.d*vn)
}
