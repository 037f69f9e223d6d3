package constraints

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints/lawtest"
	"github.com/curlfree/curlfree/geometry"
)

// drawn is a random normal law with what a test needs of it.
type drawn struct {
	NormalLaw
	h, scale float64   // step, s; typical velocity, m/s
	breaks   []float64 // velocities where it switches branches
}

// normalDraws draws each normal law by its name.
var normalDraws = map[string]func(r *rand.Rand) drawn{
	"hunt_crossley": func(r *rand.Rand) drawn {
		n := new(huntCrossley)
		h, d, phi := randomGap(r)
		n.init(h, pick(r, 0, logUniform(r, 2, 12)), d, phi)
		return drawn{n, h, math.Max(math.Abs(n.vBreak), 1e-3), gapBreaks(h, d, phi)}
	},
	"hertz": func(r *rand.Rand) drawn {
		n := new(hertz)
		h, d, phi := randomGap(r)
		n.init(h, pick(r, 0, logUniform(r, 4, 14)), d, phi)
		return drawn{n, h, math.Max(math.Abs(n.vBreak), 1e-3), gapBreaks(h, d, phi)}
	},
	"ipc":         func(r *rand.Rand) drawn { return randomBarrier(r, ipcPotential) },
	"log_barrier": func(r *rand.Rand) drawn { return randomBarrier(r, logPotential) },
}

func randomGap(r *rand.Rand) (h, d, phi float64) {
	return logUniform(r, -4, -2), pick(r, 0, logUniform(r, -1, 3)), pick(r, -1, 1, -1, 0) * logUniform(r, -6, -2)
}

// gapBreaks returns velocities where a damped elastic law breaks off or may seem
// to.
func gapBreaks(h, d, phi float64) []float64 {
	v := []float64{0, -phi / h}
	if d > 0 {
		v = append(v, 1/d)
	}
	return v
}

func randomBarrier(r *rand.Rand, U potential) drawn {
	b := new(barrier)
	h, dHat := logUniform(r, -4, -2), logUniform(r, -4, -2)
	b.init(U, h, pick(r, 0, logUniform(r, 1, 8)), dHat, pick(r, barrierFloor, faceBarrierFloor), dHat*pick(r, -1, 0, 1e-3, 1, 1, 1)*2*r.Float64())
	n := drawn{b, h, dHat / h * pick(r, 1, 0.01), nil}
	for _, phi := range []float64{-dHat, 0, b.least, 2 * b.least, 0.5 * dHat, 0.95 * dHat, dHat, 1.5 * dHat} {
		n.breaks = append(n.breaks, (phi-b.phi)/h)
	}
	return n
}

// drawSample draws contacts of the samples of a registered normal law, at gaps and
// overlaps of the depth at which it carries a random load.
func drawSample(t *testing.T, name string) func(r *rand.Rand) drawn {
	samples := NormalModels.Entry(name).Samples()
	return func(r *rand.Rand) drawn {
		m, err := samples[r.IntN(len(samples))].Make()
		if err != nil {
			t.Fatal(err)
		}
		var p cliques.Problem
		p.Reset(0, logUniform(r, -4, -2))
		pair := Pair{Stiffness: logUniform(r, 2, 8), Dissipation: pick(r, 0, logUniform(r, -2, 2))}
		depth := math.Abs(m.StaticDepth(pair.Stiffness, logUniform(r, -2, 2)))
		c := geometry.Contact{Phi: depth * pick(r, -1, 0, 1) * 2 * r.Float64()}
		// the law begins at its range and, with dissipation, ends at 1/d
		breaks := []float64{(m.Range() - c.Phi) / p.H}
		if pair.Dissipation > 0 {
			breaks = append(breaks, 1/pair.Dissipation)
		}
		return drawn{m.New(&c, &pair, &p), p.H, depth / p.H, breaks}
	}
}

// randomFriction draws isotropic or anisotropic friction, of singular tensors
// too.
func randomFriction(r *rand.Rand, aniso bool, scale float64) friction {
	f := friction{n0: pick(r, 0, logUniform(r, -4, 1)), sigma: pick(r, 0, 1e-3), vs: scale * logUniform(r, -2, 0)}
	if f.mu = pick(r, 0, r.Float64(), 3); !aniso {
		return f
	}
	a, b, th := pick(r, 0, r.Float64(), 3), pick(r, 0, r.Float64(), 3), 2*math.Pi*r.Float64()
	c, s := math.Cos(th), math.Sin(th)
	f.aniso, f.M = true, tensor{a*c*c + b*s*s, (a - b) * c * s, a*s*s + b*c*c}
	f.mu = f.M.norm()
	return f
}

// TestContactLawsKeepTheLawContract checks every friction law on every normal
// law, isotropic and anisotropic.
func TestContactLawsKeepTheLawContract(t *testing.T) {
	for _, name := range NormalModels.Names() {
		draw, known := normalDraws[name]
		if !known {
			draw = drawSample(t, name)
		}
		for _, aniso := range []bool{false, true} {
			for _, law := range []string{"lagged", "lagged with a slip offset", "similar"} {
				t.Run(fmt.Sprintf("%s/%s/anisotropic=%v", law, name, aniso), func(t *testing.T) {
					lawtest.Check(t, 100, func(r *rand.Rand) lawtest.Sample {
						n := draw(r)
						if law, ok := n.NormalLaw.(SecantLaw); ok && r.IntN(2) == 0 {
							n.NormalLaw = &meanForce{law, pick(r, 0, 1, r.Float64())}
						}
						f := randomFriction(r, aniso, n.scale)
						f.prepare([]float64{r.Float64(), r.Float64(), r.Float64()})
						return sampleOf(law, n, f)
					})
				})
			}
		}
	}
}

func sampleOf(name string, n drawn, f friction) lawtest.Sample {
	vs := math.Max(f.vs, f.eps)
	if f.aniso && f.mu > 0 {
		vs = f.eps / f.mu
	}
	s := lawtest.Sample{Scale: []float64{3 * vs, 3 * vs, n.scale}, Name: fmt.Sprintf("%+v %+v", f, n.NormalLaw)}
	lifted := 0.0 // of the normal velocity at which the law switches
	switch name {
	case "lagged":
		s.Law = &lagged{normal: n.NormalLaw, friction: f}
		s.Cone = func([]float64) float64 { return f.mu * f.n0 }
	case "lagged with a slip offset":
		lifted = f.eval(vs, -2*vs).eta
		offset := lifted / 3
		lifted -= offset
		s.Law = &lagged{normal: n.NormalLaw, friction: f, coupled: true, offset: offset}
		s.Cone = func(g []float64) float64 { return f.mu * g[2] }
	default:
		s.Law = &similar{normal: n.NormalLaw, friction: f}
		s.Cone = func(g []float64) float64 { return f.mu * g[2] }
		lifted = f.eval(vs, -2*vs).eta
	}
	for _, v := range n.breaks {
		s.At = append(s.At, []float64{0, 0, v}, []float64{vs, -2 * vs, v + lifted})
	}
	return s
}

// TestNormalLawsAreDerivativesOfTheirPotential checks p = P', p' and signs along
// vn by differences, finer than the law check does.
func TestNormalLawsAreDerivativesOfTheirPotential(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	for name, draw := range normalDraws {
		for range 300 {
			n := draw(r)
			v := n.scale * r.NormFloat64()
			e := 1e-5 * n.scale
			P, p, dp := n.Eval(v)
			Pp, pp, dpp := n.Eval(v + e)
			Pm, pm, dpm := n.Eval(v - e)
			if P > 0 || p < 0 || dp > 0 {
				t.Fatalf("%s: P %g, p %g, p' %g at %g", name, P, p, dp, v)
			}
			if d, tol := (Pp-Pm)/(2*e)-p, 1e-7*p+math.Abs(dpp-dpm)*e+1e-15*math.Abs(P)/e; math.Abs(d) > tol {
				t.Fatalf("%s: P' is off by %g of %g (%+v at %g)", name, d, p, n.NormalLaw, v)
			}
			if d, tol := (pp-pm)/(2*e)-dp, 1e-7*math.Abs(dp)+math.Abs(dpp-dp)+math.Abs(dpm-dp)+1e-14*p/e; math.Abs(d) > tol {
				t.Fatalf("%s: p' is off by %g of %g (%+v at %g)", name, d, dp, n.NormalLaw, v)
			}
		}
	}
}

// TestTensorOfEqualCoefficientsIsIsotropic compares μ I with μ, regularization
// included.
func TestTensorOfEqualCoefficientsIsIsotropic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for range 200 {
		n := normalDraws["hunt_crossley"](r)
		iso := randomFriction(r, false, n.scale)
		w := []float64{r.Float64(), r.Float64(), 1}
		aniso := iso
		aniso.aniso, aniso.M = true, tensor{iso.mu, 0, iso.mu}
		iso.prepare(w)
		aniso.prepare(w)
		vc := []float64{n.scale * r.NormFloat64(), n.scale * r.NormFloat64(), n.scale * r.NormFloat64()}
		for _, pair := range [][2]cliques.Law{
			{&lagged{normal: n.NormalLaw, friction: iso}, &lagged{normal: n.NormalLaw, friction: aniso}},
			{&similar{normal: n.NormalLaw, friction: iso}, &similar{normal: n.NormalLaw, friction: aniso}},
		} {
			var l [2]float64
			var g [2][3]float64
			var G [2][9]float64
			for i, law := range pair {
				l[i] = law.Eval(vc, g[i][:], G[i][:])
			}
			closeTo(t, "cost", l[1:], l[:1], 1e-13)
			closeTo(t, "gamma", g[1][:], g[0][:], 1e-12)
			closeTo(t, "G", G[1][:], G[0][:], 1e-12)
		}
	}
}
