package parts

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomSpur is a gear without undercut, without helix.
func randomSpur(r *rand.Rand) Spur {
	for {
		g := DefaultSpur()
		g.Module = (0.2 + r.Float64()) * 1e-3
		g.Teeth = 14 + r.IntN(50)
		g.PressureAngle = rad(15 + 10*r.Float64())
		g.Shift = 0.5*r.Float64() - 0.1
		g.Backlash = 0.05 * g.Module * r.Float64()
		g.Bore = 0
		if g.Check() == nil {
			return g
		}
	}
}

// The involute is unrolled from its base circle: the normal at each point of the
// flank touches the base circle at the distance ρ_b t.
func TestFlankNormalsTouchTheBaseCircle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		p := randomSpur(r).profile()
		for s := 0.05; s < 1; s += 0.1 {
			const h = 1e-5
			a, b, q := p.flankCurve(s-h), p.flankCurve(s+h), p.flankCurve(s)
			l := dist2(a, b)
			tangent := vec2{(b[0] - a[0]) / l, (b[1] - a[1]) / l}
			// The distance of the normal from the axis, and of the point from its foot.
			near(t, "distance of the normal", math.Abs(q[0]*tangent[0]+q[1]*tangent[1]), p.rb, 1e-4*p.rb)
			foot := math.Abs(q[0]*tangent[1] - q[1]*tangent[0])
			near(t, "length of the string", foot, p.rb*rollAt(p.rb, math.Hypot(q[0], q[1])), 1e-4*p.rb)
		}
	}
}

// s(ρ) = 2 ρ (s/(2r) + inv α − inv α_ρ): the thickness of a tooth at any radius.
func TestToothThicknessAtAnyRadius(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 50 {
		g := randomSpur(r)
		p := g.profile()
		s := math.Pi*g.Module/2 + 2*g.Shift*g.Module*math.Tan(g.PressureAngle) - g.Backlash
		near(t, "at the pitch circle", 2*p.halfAt(p.r)*p.r, s, 1e-12*s)
		for range 5 {
			radius := p.rb + (p.ra-p.rb)*(0.1+0.9*r.Float64())
			alpha := math.Acos(p.rb / radius)
			want := 2 * radius * (s/(2*p.r) + inv(g.PressureAngle) - inv(alpha))
			near(t, "thickness", 2*p.halfAt(radius)*radius, want, 1e-9*s)
		}
		near(t, "base pitch", 2*math.Pi*p.rb/float64(g.Teeth), math.Pi*g.Module*math.Cos(g.PressureAngle), 1e-15)
		near(t, "tip radius", p.ra, g.Module*(float64(g.Teeth)/2+1+g.Shift), 1e-15)
		near(t, "root radius", p.rf, g.Module*(float64(g.Teeth)/2-1.25+g.Shift), 1e-15)
	}
}

// m_t = m/cos β and tan α_t = tan α_n/cos β of helical gears; the normal base pitch
// does not depend on the helix beyond cos β_b.
func TestHelicalGearsInTheTransversePlane(t *testing.T) {
	for _, beta := range []float64{0, 10, 25, 45} {
		g := DefaultSpur()
		g.Helix = rad(beta)
		mt, at := g.transverse()
		near(t, "module", mt, 1e-3/math.Cos(g.Helix), 1e-18)
		near(t, "pressure angle", math.Tan(at), math.Tan(rad(20))/math.Cos(g.Helix), 1e-15)
		p := g.profile()
		betaB := math.Atan(math.Tan(g.Helix) * math.Cos(at)) // helix angle at the base circle
		near(t, "normal base pitch", 2*math.Pi*p.rb/20*math.Cos(betaB), math.Pi*1e-3*math.Cos(rad(20)), 1e-15)
		near(t, "twist", g.twist()*p.r, math.Tan(g.Helix), 1e-15)
	}
}

// The least shift without undercut: x ≥ 1 − z sin²α/2 for full depth teeth with
// sharp-tipped racks reaching one module deep.
func TestUndercutLimitIsThatOfTextbooks(t *testing.T) {
	g := DefaultSpur()
	// The straight flank of the ISO rack ends where its rounding begins.
	deep, round := g.undercut()
	near(t, "depth of the straight flank", deep, 1.25-0.38*(1-math.Sin(rad(20))), 1e-15)
	near(t, "room", round, 20*math.Pow(math.Sin(rad(20)), 2)/2, 1e-14)
	if n := g.leastTeeth(); n != 18 && n != 17 {
		t.Errorf("undercut below %d teeth, textbooks say 17", n)
	}
	for z := 8; z < 30; z++ {
		g.Teeth, g.Bore, g.Shift = z, 0, 0
		p := g.profile()
		if (p.t0 >= 0) != (g.leastShift() <= 1e-12) {
			t.Errorf("%d teeth: the flank begins at roll %g, least shift %g", z, p.t0, g.leastShift())
		}
		g.Shift = g.leastShift()
		p = g.profile()
		near(t, "flank at the least shift", p.t0, 0, 1e-9)
	}
}

// On the line of action, the flanks of both gears keep the same distance at every
// angle: half of the play in each direction, as if a belt ran between the base
// circles. s = r_b (φ + ψ_b + α_w) is where a flank meets the line.
func TestFlanksKeepTheirDistanceAlongTheLineOfAction(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	pairs := 0
	for pairs < 30 {
		a, b := randomSpur(r), randomSpur(r)
		b.Module, b.PressureAngle = a.Module, a.PressureAngle
		p, err := NewPair(a, b)
		if err != nil {
			continue
		}
		pairs++
		f, g := a.profile(), b.profile()
		halfBase := func(q profile) float64 { return q.psi + inv(q.alpha) }
		length := p.CenterDistance * math.Sin(p.PressureAngle)
		near(t, "tangent of the base circles", p.CenterDistance*math.Cos(p.PressureAngle), f.rb+g.rb, 1e-12)
		for range 10 {
			qA := 20*r.Float64() - 10
			qB := p.Mate(qA)
			for _, side := range []float64{1, -1} { // both flanks of the teeth
				sA := f.rb * (side*qA + halfBase(f) + p.PressureAngle)
				sB := g.rb * (side*(qB-math.Pi) + halfBase(g) + p.PressureAngle)
				gap := math.Mod(length-sA-sB, p.BasePitch)
				if gap < -p.BasePitch/2 {
					gap += p.BasePitch
				} else if gap > p.BasePitch/2 {
					gap -= p.BasePitch
				}
				near(t, "gap along the line of action", gap, p.FlankClearance, 1e-9*a.Module)
			}
		}
	}
}

// At the working pitch circles, teeth and play fill the pitch:
// s_1 + s_2 + j cos α/cos α_w = p_w.
func TestTeethFillTheWorkingPitch(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for pairs := 0; pairs < 40; {
		a, b := randomSpur(r), randomSpur(r)
		b.Module, b.PressureAngle = a.Module, a.PressureAngle
		p, err := NewPair(a, b)
		if err != nil {
			continue
		}
		pairs++
		f, g := a.profile(), b.profile()
		w := math.Cos(f.alpha) / math.Cos(p.PressureAngle)
		rA, rB := f.r*w, g.r*w
		near(t, "working pitch radii", rA+rB, p.CenterDistance, 1e-12)
		near(t, "ratio of the radii", p.Ratio, -rA/rB, 1e-12)
		thick := 2*f.halfAt(rA)*rA + 2*g.halfAt(rB)*rB
		pitch := 2 * math.Pi * rA / float64(a.Teeth)
		near(t, "teeth and play", thick+(a.Backlash+b.Backlash)*w, pitch, 1e-9*a.Module)
	}
}

// The contact ratio from where the tip circles cut the line of action.
func TestContactRatioIsThePathOverTheBasePitch(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for pairs := 0; pairs < 40; {
		a, b := randomSpur(r), randomSpur(r)
		b.Module, b.PressureAngle = a.Module, a.PressureAngle
		p, err := NewPair(a, b)
		if err != nil {
			continue
		}
		pairs++
		f, g := a.profile(), b.profile()
		// Points on the line: T₁ + s·direction; the tip circle of A ends the contact at
		// the larger s, that of B at the smaller one.
		sin, cos := math.Sincos(-p.PressureAngle)
		start := vec2{f.rb * cos, f.rb * sin}
		dir := vec2{-sin, cos}
		end, begin := 0.0, 0.0
		for lo, hi, k := 0.0, 2*p.CenterDistance, 0; k < 100; k++ {
			s := (lo + hi) / 2
			if math.Hypot(start[0]+s*dir[0], start[1]+s*dir[1]) < f.ra {
				lo, end = s, s
			} else {
				hi, end = s, s
			}
		}
		for lo, hi, k := 0.0, p.CenterDistance*math.Sin(p.PressureAngle), 0; k < 100; k++ {
			s := (lo + hi) / 2
			if math.Hypot(start[0]+s*dir[0]-p.CenterDistance, start[1]+s*dir[1]) > g.ra {
				lo, begin = s, s
			} else {
				hi, begin = s, s
			}
		}
		near(t, "contact ratio", p.ContactRatio, (end-begin)/p.BasePitch, 1e-6)
	}
}

// Standard gears of equal module: C = m (z₁ + z₂)/2, α_w = α, and the contact ratios
// that tables give for α = 20°.
func TestStandardPairs(t *testing.T) {
	for _, c := range []struct {
		z1, z2 int
		ratio  float64
	}{{20, 20, 1.557}, {20, 40, 1.635}, {30, 60, 1.717}, {25, 100, 1.733}} {
		a, b := DefaultSpur(), DefaultSpur()
		a.Teeth, b.Teeth = c.z1, c.z2
		p, err := NewPair(a, b)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "centre distance", p.CenterDistance, 0.5e-3*float64(c.z1+c.z2), 1e-15)
		near(t, "working pressure angle", p.PressureAngle, rad(20), 1e-12)
		near(t, "contact ratio", p.ContactRatio, c.ratio, 2e-2)
		near(t, "ratio", p.Ratio, -float64(c.z1)/float64(c.z2), 1e-15)
		if p.FlankClearance != 0 || p.OverlapRatio != 0 {
			t.Errorf("clearance %g, overlap %g", p.FlankClearance, p.OverlapRatio)
		}
	}
}

// Shifts that cancel keep the centre distance (V-zero drive); positive ones widen it,
// by less than their sum.
func TestShiftsAndCentreDistance(t *testing.T) {
	for _, x := range []float64{0.1, 0.3} {
		a, b := DefaultSpur(), DefaultSpur()
		a.Teeth, b.Teeth = 24, 36
		a.Shift, b.Shift = x, -x
		p, err := NewPair(a, b)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "V-zero", p.CenterDistance, 30e-3, 1e-12)
		b.Shift = x
		if p, err = NewPair(a, b); err != nil {
			t.Fatal(err)
		}
		if d := p.CenterDistance - 30e-3; d <= 0 || d >= 2*x*1e-3 {
			t.Errorf("shifts of %g move the axes apart by %g m", x, d)
		}
		near(t, "involute equation", inv(p.PressureAngle), inv(rad(20))+2*math.Tan(rad(20))*2*x/60, 1e-12)
	}
}

// Helical pairs: the overlap ratio is b sin β/(π m), hands are opposite.
func TestHelicalPairs(t *testing.T) {
	a, b := DefaultSpur(), DefaultSpur()
	a.Helix, b.Helix = rad(15), rad(-15)
	p, err := NewPair(a, b)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "overlap ratio", p.OverlapRatio, 8*math.Sin(rad(15))/math.Pi, 1e-12)
	near(t, "centre distance", p.CenterDistance, 20e-3/math.Cos(rad(15)), 1e-15)
	b.Helix = rad(15)
	if _, err := NewPair(a, b); err == nil {
		t.Error("two right-handed gears on parallel axes mate")
	}
}

// A ring around its pinion: C = m (z₂ − z₁)/2, same sense of rotation.
func TestRingPairs(t *testing.T) {
	a := DefaultSpur()
	for _, z := range []int{48, 60, 77} {
		b := DefaultRingGear()
		b.Teeth, b.Outer = z, float64(z+10)*1e-3
		p, err := NewPair(a, b)
		if err != nil {
			t.Fatalf("%d teeth: %v", z, err)
		}
		near(t, "centre distance", p.CenterDistance, 0.5e-3*float64(z-20), 1e-15)
		near(t, "ratio", p.Ratio, 20/float64(z), 1e-15)
		tip, root := b.radii()
		near(t, "tip", tip, 0.5e-3*float64(z)-0.8e-3, 1e-15)
		near(t, "root", root, 0.5e-3*float64(z)+1.25e-3, 1e-15)
		if p.ContactRatio < 1 {
			t.Errorf("contact ratio %g", p.ContactRatio)
		}
	}
}

// Mates at many positions: one tooth on is one tooth on, ratios are exact, and MateAt
// is Mate seen from a turned frame.
func TestMatesAtManyPositions(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for name, parts := range couples() {
		p, err := NewPair(parts[0], parts[1])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for range 50 {
			q, dq := 50*r.Float64()-25, r.Float64()
			near(t, name+": ratio", p.Mate(q+dq)-p.Mate(q), p.Ratio*dq, 1e-9)
			steps := (p.Mate(q+turn(p.A)) - p.Mate(q)) / p.period
			if math.Abs(steps-math.Round(steps)) > 1e-6 || steps == 0 {
				t.Errorf("%s: one tooth of A moves B by %g teeth", name, steps)
			}
		}
		switch p.B.(type) {
		case Spur, RingGear:
		default:
			continue
		}
		for range 50 {
			psi, q := 7*r.Float64(), 9*r.Float64()
			got := p.MateAt(psi, q)
			want := p.Mate(q-psi) + psi
			if k := (got - want) / p.period; math.Abs(k-math.Round(k)) > 1e-6 {
				t.Errorf("%s: at %g rad around, off by %g teeth", name, psi, k)
			}
			if math.Abs(got-p.Mate(q)) > p.period/2+1e-9 {
				t.Errorf("%s: %g is not the nearest to %g", name, got, p.Mate(q))
			}
			near(t, name+": at no angle", p.MateAt(0, q), p.Mate(q), 1e-12)
		}
	}
}

// A planet between sun and ring fits where (z_sun + z_ring) ψ/2π is whole.
func TestPlanetsFitWhereTheTeethAddUp(t *testing.T) {
	sun, planet := DefaultSpur(), DefaultSpur()
	sun.Teeth, planet.Teeth = 24, 18
	ring := DefaultRingGear()
	ring.Teeth = 60
	inner, err := NewPair(sun, planet)
	if err != nil {
		t.Fatal(err)
	}
	outer, err := NewPair(planet, ring)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "planet's circle", inner.CenterDistance, outer.CenterDistance, 1e-12)
	// The angle of the ring that a planet at psi asks for, modulo the ring's pitch.
	asks := func(psi float64) float64 {
		return outer.MateAt(psi+math.Pi, inner.MateAt(psi, 0)) / outer.period
	}
	base := asks(0)
	for k := range 84 {
		psi := 2 * math.Pi * float64(k) / 84 // z_sun + z_ring
		if d := asks(psi) - base; math.Abs(d-math.Round(d)) > 1e-6 {
			t.Errorf("position %d of 84: the ring is off by %g teeth", k, d-math.Round(d))
		}
	}
	if d := asks(math.Pi/84) - base; math.Abs(d-math.Round(d)) < 0.1 {
		t.Errorf("half-way between, the planet fits too: %g", d)
	}
}

// Worm: tan γ = s m/d, the normal base pitches of worm and wheel agree.
func TestWormsAndWheelsHaveOneBasePitch(t *testing.T) {
	for _, starts := range []int{1, 2, 4} {
		w := worm()
		w.Starts = starts
		r, gamma := w.pitchRadius()
		near(t, "lead angle", math.Tan(gamma), float64(starts)*0.5e-3/8e-3, 1e-15)
		near(t, "lead", w.Lead(), float64(starts)*math.Pi*0.5e-3, 1e-15)
		near(t, "width at the pitch cylinder", 2*w.halfWidth(r), math.Pi*w.Module/2-w.Backlash, 1e-12)
		rb, alpha := w.base()
		near(t, "base radius", rb, r*math.Cos(alpha), 1e-15)
		// Seen as a helical gear, the worm's helix angle is π/2 − γ.
		betaB := math.Atan(math.Tan(math.Pi/2-gamma) * math.Cos(alpha))
		worms := 2 * math.Pi * rb / float64(starts) * math.Cos(betaB)
		g := wheelOf(w, 40).Spur()
		p := g.profile()
		wheels := 2 * math.Pi * p.rb / 40 * math.Cos(math.Atan(math.Tan(g.Helix)*math.Cos(p.alpha)))
		near(t, "normal base pitch", worms, wheels, 1e-12)
		pair, err := NewPair(w, wheelOf(w, 40))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "centre distance", pair.CenterDistance, (8e-3+20e-3)/2, 1e-12)
		near(t, "ratio", math.Abs(pair.Ratio), float64(starts)/40, 1e-15)
	}
}

// ISO 724: basic diameters of metric threads, mm.
func TestMetricThreadsHaveTheirTabulatedDiameters(t *testing.T) {
	for _, c := range []struct{ d, p, pitch, minor float64 }{
		{3, 0.5, 2.675, 2.459}, {6, 1, 5.350, 4.917}, {8, 1.25, 7.188, 6.647}, {10, 1.5, 9.026, 8.376}, {16, 2, 14.701, 13.835}, {24, 3, 22.051, 20.752},
	} {
		thread := ISOThread(c.d*1e-3, c.p*1e-3)
		near(t, "pitch diameter", thread.PitchDiameter*1e3, c.pitch, 1e-3)
		near(t, "minor diameter", thread.Minor*1e3, c.minor, 1e-3)
		near(t, "lead angle", math.Tan(thread.LeadAngle()), c.p/(math.Pi*c.pitch), 1e-4)
		// Ridge and groove are equally wide at the pitch diameter.
		near(t, "half width", thread.half(thread.pitchRadius(), 0), c.p*1e-3/4, 1e-15)
	}
	lead := leadScrew()
	near(t, "lead of two starts", lead.Lead(), 4e-3, 1e-15)
	near(t, "pitch diameter midway", lead.pitchRadius(), 4.5e-3, 1e-15)
}

// Screw and nut: the nut travels one lead a turn, against the hand of the thread; the
// axial gap is that of both clearances.
func TestScrewsDriveTheirNuts(t *testing.T) {
	for _, left := range []bool{false, true} {
		s := leadScrew()
		s.Left = left
		n := nutOf(s)
		p, err := NewPair(s, n)
		if err != nil {
			t.Fatal(err)
		}
		travel := p.Mate(2*math.Pi) - p.Mate(0)
		near(t, "travel", math.Abs(travel), s.Lead(), 1e-15)
		if (travel > 0) != left {
			t.Errorf("left-handed %v: the nut travels %g m a turn", left, travel)
		}
		axial := 2 * 0.04e-3 / math.Cos(rad(15))
		slope := math.Sqrt(1 + math.Pow(math.Tan(rad(15)), 2) + math.Pow(math.Tan(s.LeadAngle()), 2))
		near(t, "clearance", p.FlankClearance, axial/slope, 1e-12)
	}
}
