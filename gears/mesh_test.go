package gears

import (
	"math"
	"testing"
)

func meshOf(t *testing.T, a, b Gear, kind string) (*Pair, *Mesh) {
	t.Helper()
	p, err := NewPair(a, b, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compliance(kind)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMesh(p, c, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p, m
}

type named struct {
	name string
	a, b Gear
}

// steelPairs are ten pairs of solid steel discs: spur and helical, shifted, of a sun and of a ring.
func steelPairs() []named {
	g := func(m float64, z int, helix, shift, width float64) Gear {
		g := Default(m, z)
		g.Helix, g.Shift, g.FaceWidth = helix/deg, shift, width
		return g
	}
	return []named{
		{"20/30", g(4e-3, 20, 0, 0, .02), g(4e-3, 30, 0, 0, .02)},
		{"18/18", g(2e-3, 18, 0, 0, .02), g(2e-3, 18, 0, 0, .02)},
		{"20/40", g(2e-3, 20, 0, 0, .02), g(2e-3, 40, 0, 0, .02)},
		{"25/75", g(3e-3, 25, 0, 0, .03), g(3e-3, 75, 0, 0, .03)},
		{"40/40", g(1e-3, 40, 0, 0, .01), g(1e-3, 40, 0, 0, .01)},
		{"24/36 x .3/.2", g(5e-3, 24, 0, .3, .05), g(5e-3, 36, 0, .2, .05)},
		{"17/51 x .4/-.4", g(4e-3, 17, 0, .4, .04), g(4e-3, 51, 0, -.4, .04)},
		{"20/30 15deg", g(4e-3, 20, 15, 0, .04), g(4e-3, 30, -15, 0, .04)},
		{"25/50 25deg", g(3e-3, 25, 25, 0, .04), g(3e-3, 50, -25, 0, .04)},
		{"60/120", g(2e-3, 60, 0, 0, .02), g(2e-3, 120, 0, 0, .02)},
	}
}

// meanStiffness returns the mean over a pitch of tangent and of secant stiffness per face width, N/m².
func meanStiffness(t *testing.T, p *Pair, m *Mesh, load float64) (tangent, secant float64) {
	t.Helper()
	const n = 64
	torque := load * m.width() * p.ToothA.R
	for i := range n {
		l, err := m.At(p.ToothA.Pitch*(float64(i)+.5)/n, torque)
		if err != nil {
			t.Fatal(err)
		}
		tangent += l.Stiffness / m.width() / n
		secant += l.Force / (l.Error - l.Unloaded) / m.width() / n
	}
	return tangent, secant
}

// On the theoretical path of contact, as standards take it. The load of Weber and Banaschek's figures is 300 N/mm:
// there
// their law is within 5 % of the series of ISO 6336; Hertzian contact stiffens with load, the standard's c' does not.
func TestSteelPairsAreAsStiffAsISO6336(t *testing.T) {
	for _, c := range steelPairs() {
		for kind, bounds := range map[string][3]float64{ISO6336: {.01, .01, .01}, WeberBanaschek: {.09, .05, .09}} {
			p, m := meshOf(t, c.a, c.b, kind)
			m.TheoreticalPath = true
			for i, load := range []float64{100e3, 300e3, 1000e3} {
				_, secant := meanStiffness(t, p, m, load)
				iso := p.ISO(load).Mesh
				if ratio := secant / 1e9 / iso; math.Abs(ratio-1) > bounds[i] {
					t.Errorf("%s, %s: c_γ %.2f N/(mm µm) at %.0f N/mm, ISO 6336: %.2f, ratio %.3f", c.name, kind, secant/1e9, load/1e3, iso, ratio)
				}
			}
		}
	}
}

// Flanks that come early share the load: c_γ under load is above that of the theoretical path.
func TestLoadBringsTeethInEarly(t *testing.T) {
	p, m := meshOf(t, steelPairs()[0].a, steelPairs()[0].b, "")
	edges := 0
	for i := range 200 {
		l, err := m.At(p.ToothA.Pitch*float64(i)/200, 3000)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range l.Points {
			if q.Edge != NoEdge {
				edges++
			}
		}
	}
	if edges == 0 {
		t.Error("no tip touches beyond the path of contact at 3000 N m")
	}
}

func TestPressureAtThePitchPointIsThatOfHertz(t *testing.T) {
	p, m := meshOf(t, Default(2e-3, 20), Default(2e-3, 40), "")
	const torque = 10.0
	r1, r2, sin := p.ToothA.R, p.ToothB.R, math.Sin(p.ToothA.Alpha)
	w := torque / (r1 * math.Cos(p.ToothA.Alpha)) / p.A.FaceWidth
	radius := r1 * r2 / (r1 + r2) * sin
	want := math.Sqrt(w * 206e9 / (2 * (1 - .3*.3)) / (math.Pi * radius))
	// where a tooth touches at the pitch point, r_b tan α along the line of action
	turn := math.Tan(p.ToothA.Alpha) - p.ToothA.HalfBase - p.ToothA.Alpha
	l, err := m.At(turn, torque)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Points) != 1 {
		t.Fatalf("%d pairs of teeth at the pitch point, 1 wanted", len(l.Points))
	}
	q := l.Points[0]
	if math.Abs(q.Pressure/want-1) > 2e-3 || math.Abs(math.Hypot(q.Point[0], q.Point[1])/r1-1) > 1e-3 {
		t.Errorf("pressure %.5g Pa at radius %.6g m; Hertz %.5g at %.6g", q.Pressure, math.Hypot(q.Point[0], q.Point[1]), want, r1)
	}
}

// forms are pairs of all forms, spur and helical, at distances apart from the standard one.
func forms() []struct {
	named
	distance float64
} {
	g := func(form Form, z int, helix, shift float64) Gear {
		g := Default(2e-3, z)
		g.Form, g.Helix, g.Shift, g.Thinning = form, helix/deg, shift, 2e-5
		return g
	}
	type f = struct {
		named
		distance float64
	}
	return []f{
		{named{"external", g(External, 20, 0, 0), g(External, 33, 0, 0)}, 0},
		{named{"external, apart", g(External, 20, 0, .2), g(External, 33, 0, -.1)}, 53.4e-3},
		{named{"helical", g(External, 20, 22, 0), g(External, 33, -22, 0)}, 57.3e-3},
		{named{"internal", g(External, 22, 0, .3), with(g(Internal, 60, 0, .3), func(g *Gear) { g.TipDiameter = 117.6e-3 })}, 0},
		{named{"internal helical", g(External, 22, 12, .3), with(g(Internal, 60, 12, .3), func(g *Gear) { g.TipDiameter = 120.3e-3 })}, 0},
		{named{"rack", g(External, 20, 0, 0), g(Rack, 9, 0, 0)}, 0},
		{named{"rack, apart", g(External, 21, 0, .2), g(Rack, 40, 0, 0)}, 21.5e-3},
		{named{"helical rack", g(External, 20, 14, 0), g(Rack, 40, -14, 0)}, 0},
	}
}

func TestPerfectGearsHaveNoTransmissionError(t *testing.T) {
	for _, c := range forms() {
		p, err := NewPair(c.a, c.b, c.distance)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		law, _ := p.Compliance("")
		m, err := NewMesh(p, law, 0)
		if err != nil {
			t.Fatal(err)
		}
		turns := 2 * math.Pi
		if c.b.Form == Rack {
			turns = p.ToothA.Pitch * 2
		}
		for i := range 500 {
			turn := turns * (float64(i)/500 - .5)
			lag, ok := m.unloaded(turn)
			if !ok || math.Abs(lag/p.ToothA.RBase) > 1e-11 {
				t.Errorf("%s: transmission error %g rad at %g rad", c.name, lag/p.ToothA.RBase, turn)
				break
			}
		}
	}
}

// A tooth that stands f ahead along the pitch circle drives alone, f cos α along the line of action, while it
// touches;
// one that lags is carried by its neighbors where they touch too.
func TestPitchErrorsMoveTheMate(t *testing.T) {
	const f = 10e-6
	a, b := Default(2e-3, 20), Default(2e-3, 40)
	a.Displacements = make([]float64, 20)
	a.Displacements[10] = f
	a.Thinning = 1e-4
	p, m := meshOf(t, a, b, "")
	most, least := math.Inf(-1), math.Inf(1)
	for i := range 4000 {
		turn := 2 * math.Pi * float64(i) / 4000
		lag, ok := m.unloaded(turn)
		if !ok {
			t.Fatal("no flanks")
		}
		most, least = math.Max(most, lag), math.Min(least, lag)
		// The path length of tooth 10 on its line of action.
		s := p.ToothA.RBase * (p.ToothA.Pitch*10 + p.ToothA.HalfBase + turn + math.Acos(p.baseDistance()/p.Distance))
		s = math.Mod(s, 2*math.Pi*p.ToothA.RBase) + f*math.Cos(p.ToothA.Alpha)
		from := p.ToothA.STip - p.ContactRatio*p.BasePitch
		switch {
		case s > from+1e-6 && s < p.ToothA.STip-1e-6: // leads
			if math.Abs(lag+f*math.Cos(p.ToothA.Alpha)) > 1e-13 {
				t.Fatalf("error %g m at %g rad, want %g", lag, turn, -f*math.Cos(p.ToothA.Alpha))
			}
		case s > from-.5*p.BasePitch && s < p.ToothA.STip+.5*p.BasePitch: // its tips come early and leave late
		case math.Abs(lag) > 1e-13:
			t.Fatalf("error %g m at %g rad, where the tooth is away", lag, turn)
		}
	}
	if math.Abs(least+f*math.Cos(p.ToothA.Alpha)) > 1e-12 || most > 1e-12 {
		t.Errorf("errors from %g to %g m", least, most)
	}
}

// The force at a constant lag, over a pitch: the interval of the largest change is halved down to 1e-6 rad, where
// what
// is left of it is a slope, not a jump.
func TestForcesAreContinuousAsTeethEnterAndLeave(t *testing.T) {
	for _, c := range forms() {
		p, err := NewPair(c.a, c.b, c.distance)
		if err != nil {
			t.Fatal(err)
		}
		law, _ := p.Compliance("")
		m, _ := NewMesh(p, law, 1)
		for _, lag := range []float64{2e-6, 20e-6, 100e-6} {
			force := func(turn float64) float64 { _, _, f := m.load(turn, lag); return f }
			scale := force(0)
			const n = 400
			step := p.ToothA.Pitch / n
			for i := range n {
				lo, hi := float64(i)*step, float64(i+1)*step
				fl, fh := force(lo), force(hi)
				for hi-lo > 1e-6 {
					mid := (lo + hi) / 2
					if fm := force(mid); math.Abs(fm-fl) > math.Abs(fh-fm) {
						hi, fh = mid, fm
					} else {
						lo, fl = mid, fm
					}
				}
				if math.Abs(fh-fl) > 2e-2*scale*2e-6/lag {
					t.Errorf("%s, lag %g m: force from %g to %g N within %g rad at %g", c.name, lag, fl, fh, hi-lo, lo)
					break
				}
			}
		}
	}
}

func TestMeshAllocatesNothing(t *testing.T) {
	p, m := meshOf(t, steelPairs()[7].a, steelPairs()[7].b, "")
	run := func() {
		if _, err := m.At(.1*p.ToothA.Pitch, 100); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if n := testing.AllocsPerRun(10, run); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
