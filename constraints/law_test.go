package constraints

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints/lawtest"
)

// logUniform draws from [10^a, 10^b].
func logUniform(r *rand.Rand, a, b float64) float64 { return math.Pow(10, a+(b-a)*r.Float64()) }

// pick draws one of the values.
func pick(r *rand.Rand, v ...float64) float64 { return v[r.IntN(len(v))] }

func TestSAPKeepsTheLawContract(t *testing.T) {
	lawtest.Check(t, 300, func(r *rand.Rand) lawtest.Sample {
		l := &sap{
			SAP: SAP{Beta: pick(r, 0, 1), Sigma: logUniform(r, -4, -1), DampingFromTouch: r.IntN(2) == 0},
			mu:  pick(r, 0, r.Float64(), 3), k: pick(r, 0, logUniform(r, 2, 12), math.Inf(1)), tau: pick(r, 0, logUniform(r, -4, -1)),
			phi: pick(r, -1, 1, 0) * logUniform(r, -6, -2),
		}
		if math.IsInf(l.k, 1) {
			l.Beta = 1
		}
		l.Prepare(logUniform(r, -4, -2), []float64{0.5 + r.Float64(), 0.5 + r.Float64(), 0.5 + r.Float64()})
		scale := math.Max(math.Abs(l.vBreak), 1e-3)
		st := scale // of tangential velocities: slipping or sticking
		if stick := l.mu * l.rt / l.rn * scale; stick > 0 {
			st = pick(r, scale, stick)
		}
		s := lawtest.Sample{Law: l, Scale: []float64{st, st, scale}, Name: fmt.Sprintf("%+v", *l)}
		s.Cone = func(g []float64) float64 { return l.mu * g[2] }
		if !math.IsInf(l.rn, 1) {
			// The apex of the cone, its surface, and the polar cone's.
			s.At = append(s.At, []float64{0, 0, l.vBreak}, []float64{scale, 0, l.vBreak})
			for _, yn := range []float64{0.1 * scale / l.rn, 3 * scale / l.rn} {
				vt := l.mu * yn * l.rt
				s.At = append(s.At, []float64{0.6 * vt, -0.8 * vt, l.vBreak - l.rn*yn}, []float64{0, 0, l.vBreak - l.rn*yn})
				s.At = append(s.At, []float64{0.8 * scale, 0.6 * scale, l.vBreak + l.rn*l.mu*l.rt/l.rn*scale/l.rt})
			}
		}
		return s
	})
}

func randomRow(r *rand.Rand) row {
	e := row{
		g0: r.NormFloat64() * logUniform(r, -6, -1), k: pick(r, 0, logUniform(r, 1, 12), math.Inf(1)), d: pick(r, 0, logUniform(r, -2, 5)),
		vmax: pick(r, 1, math.Inf(1)), lo: math.Inf(-1), hi: math.Inf(1),
	}
	switch r.IntN(4) {
	case 0:
		e.oneSided(Spring{e.k, e.d}, e.g0, e.vmax)
	case 1:
		e.lo, e.hi = -logUniform(r, -3, 0), logUniform(r, -3, 0)
		e.vd, e.f = r.NormFloat64(), pick(r, 0, 1)*r.NormFloat64()
	case 2:
		e.spring(Spring{e.k, e.d}, e.g0, e.vmax)
	}
	return e
}

func TestCompliantKeepsTheLawContract(t *testing.T) {
	lawtest.Check(t, 300, func(r *rand.Rand) lawtest.Sample {
		n := []int{1, 3, 6}[r.IntN(3)]
		l := &compliant{rows: make([]row, n)}
		w := make([]float64, n)
		for i := range l.rows {
			l.rows[i] = randomRow(r)
			w[i] = pick(r, 0, 1, 1) * logUniform(r, -2, 3)
		}
		s := lawtest.Sample{Law: l, Scale: make([]float64, n)}
		l.Prepare(logUniform(r, -5, -2), w)
		for i := range s.Scale {
			s.Scale[i] = 1
			if e := &l.rows[i]; e.r*(e.hi-e.lo) < 1 {
				s.Scale[i] = e.r * (e.hi - e.lo) // resolve the interval between the bounds
			}
		}
		// Velocities where bounds begin to act.
		for i, e := range l.rows {
			for _, bound := range []float64{e.lo, e.hi, 0} {
				if c := e.v - e.r*bound; !math.IsInf(c, 0) && !math.IsNaN(c) {
					at := make([]float64, n)
					at[i] = c
					s.At = append(s.At, at)
				}
			}
		}
		s.Name = fmt.Sprintf("%+v", l.rows)
		return s
	})
}

func TestDryFrictionKeepsTheLawContract(t *testing.T) {
	lawtest.Check(t, 100, func(r *rand.Rand) lawtest.Sample {
		l := &dryFriction{f: logUniform(r, -5, 1), eps: logUniform(r, -4, -2)}
		l.Prepare(1e-3, []float64{logUniform(r, -2, 3)})
		return lawtest.Sample{Law: l, Scale: []float64{3 * l.eps}, At: [][]float64{{l.eps}, {-l.eps}, {1e3 * l.eps}}}
	})
}

// A bound on the commanded velocity keeps the potential convex and its derivatives right, at the velocities where
// the command reaches the bound, with and without bounds of the effort that act before or after.
func TestVelocityLimitKeepsTheLawContract(t *testing.T) {
	beyond := 0
	lawtest.Check(t, 500, func(r *rand.Rand) lawtest.Sample {
		e := row{
			g0: r.NormFloat64() * logUniform(r, -4, -1), k: pick(r, 0, 1, 1, 1) * logUniform(r, 0, 5), d: logUniform(r, -1, 4),
			vd: pick(r, 0, 1) * r.NormFloat64(), f: pick(r, 0, 1) * 10 * r.NormFloat64(), vmax: math.Inf(1),
			lo: math.Inf(-1), hi: math.Inf(1), single: true, limit: velocityLimit{most: logUniform(r, -2, 1)},
		}
		if r.IntN(2) == 0 {
			e.lo, e.hi = -logUniform(r, -3, 0), logUniform(r, -3, 0)
		}
		l := &compliant{rows: []row{e}}
		l.Prepare(logUniform(r, -4, -2), []float64{logUniform(r, -2, 3)})
		p := &l.rows[0]
		s := lawtest.Sample{Law: l, Scale: []float64{p.limit.most}, Name: fmt.Sprintf("%+v", *p)}
		if p.limit.acts {
			beyond++
			s.At = append(s.At, []float64{p.limit.ends[0]}, []float64{p.limit.ends[1]},
				[]float64{p.limit.ends[0] - p.limit.most}, []float64{p.limit.ends[1] + p.limit.most})
			// where bounds of the effort begin to act beyond the limit
			for i, bound := range []float64{e.hi, e.lo} {
				if !math.IsInf(bound, 0) {
					s.At = append(s.At, []float64{p.limit.pieces[2*i].v - p.limit.pieces[2*i].r*bound}, []float64{p.v - p.r*bound})
				}
			}
		}
		return s
	})
	if beyond < 100 {
		t.Errorf("the limit acts in %d samples", beyond)
	}
}

// The impulse is h times the effort d (clamp(v_d + (k/d) e, ±v_lim) − v) + f of a cascaded controller, bounded.
func TestVelocityLimitIsThatOfACascadedController(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 2000 {
		h := logUniform(r, -4, -2)
		e := row{
			g0: r.NormFloat64() * 0.1, k: pick(r, 0, 1, 1) * logUniform(r, 0, 5), d: logUniform(r, -1, 4), vd: r.NormFloat64(), f: r.NormFloat64(),
			vmax: math.Inf(1), lo: -0.3, hi: 0.2, single: true, limit: velocityLimit{most: logUniform(r, -2, 1)},
		}
		raw := e
		e.prepare(h, 1)
		c := r.NormFloat64() * logUniform(r, -2, 1)
		command := raw.vd - raw.k/raw.d*(raw.g0+h*c)
		command = math.Max(-raw.limit.most, math.Min(command, raw.limit.most))
		want := math.Max(raw.lo, math.Min(h*(raw.d*(command-c)+raw.f), raw.hi))
		if _, gamma, _ := e.eval(c); math.Abs(gamma-want) > 1e-9*(1+h*raw.k*math.Abs(raw.g0)) {
			t.Fatalf("%+v at %g: %g, want %g", raw, c, gamma, want)
		}
	}
}
