package parts

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// placed returns the pose of B in the frame of A, both turned, with B off its
// meshing position by slip.
func placed(p *Pair, q_A, slip float64) r3.Pose {
	q := p.Mate(q_A) + slip
	B := r3.Pose{R: r3.RotExp(r3.Vec{0, 0, q})}
	switch p.B.(type) {
	case Rack:
		B = r3.Pose{R: r3.Identity(), P: r3.Vec{q, 0, 0}}
	case Nut:
		B = r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, q}}
	}
	A := r3.Pose{R: r3.RotExp(r3.Vec{0, 0, q_A})}
	return A.Inv().Mul(p.X_AB).Mul(B)
}

// clearance is the least signed distance of two surfaces, sampled at the corners,
// edges and insides of the facets of both.
func clearance(a, b *meshes.Distance, X_AB r3.Pose) float64 {
	least := math.Inf(1)
	probe := func(from, to *meshes.Distance, X r3.Pose) {
		m, within := from.Mesh(), to.Mesh().Bounds()
		for _, c := range m.Tris {
			p, q, r := X.Point(m.Verts[c[0]]), X.Point(m.Verts[c[1]]), X.Point(m.Verts[c[2]])
			if !r3.EmptyBox().Extend(p).Extend(q).Extend(r).Overlaps(within) {
				continue
			}
			const n = 3
			for i := range n + 1 {
				for j := range n + 1 - i {
					w := [3]float64{float64(i) / n, float64(j) / n, float64(n-i-j) / n}
					phi, _, _, _, _ := to.Signed(r3.Combine(w, p, q, r))
					least = min(least, phi)
				}
			}
		}
	}
	probe(b, a, X_AB)
	probe(a, b, X_AB.Inv())
	return least
}

// couples returns pairs of all kinds, and the chord errors of the two.
func couples() map[string][2]Part {
	shifted, mate := pinion(), gear(23)
	shifted.Shift, mate.Shift = 0.4, 0.25
	left, right := pinion(), gear(24)
	left.Helix, right.Helix, left.FaceWidth, right.FaceWidth = rad(-20), rad(20), 2e-3, 2e-3
	rack := DefaultRack()
	rack.Module, rack.Backlash, rack.FaceWidth, rack.Base = 0.4e-3, 15e-6, 1e-3, 1e-3
	helicalRack, helical := rack, gear(24)
	helicalRack.Helix, helical.Helix = rad(-20), rad(20)
	ring := DefaultRingGear()
	ring.Module, ring.Backlash, ring.FaceWidth, ring.Teeth, ring.Outer = 0.4e-3, 15e-6, 1e-3, 50, 23e-3
	ring.Addendum, ring.Clearance = 0.75, 0.5
	iso := DefaultScrew()
	iso.Clearance = 0.02e-3
	return map[string][2]Part{
		"pinion and gear":      {pinion(), gear(30)},
		"shifted gears":        {shifted, mate},
		"helical gears":        {left, right},
		"pinion and rack":      {pinion(), rack},
		"helical and rack":     {helical, helicalRack},
		"pinion and ring":      {pinion(), ring},
		"worm and wheel":       {worm(), wheelOf(worm(), 50)},
		"steep worm and wheel": {steepWorm(false), wheelOf(steepWorm(false), 40)},
		"left worm and wheel":  {steepWorm(true), wheelOf(steepWorm(true), 31)},
		"screw and hex nut":    {iso, DefaultNut()},
		"lead screw and nut":   {leadScrew(), nutOf(leadScrew())},
	}
}

// The facts of a pair place the mate as a scene does: at x and y, turned about x.
func TestFactsPlaceTheMate(t *testing.T) {
	for name, parts := range couples() {
		p, _, _, _ := pairOf(t, name, parts)
		if _, ok := p.A.(Screw); ok {
			continue // on its axis
		}
		fact := map[string]float64{}
		for _, f := range p.Facts() {
			fact[f.Name] = f.Value
		}
		c, s := math.Cos(fact["mate's turn about x"]), math.Sin(fact["mate's turn about x"])
		R := r3.FromColumns(r3.Vec{1, 0, 0}, r3.Vec{0, c, s}, r3.Vec{0, -s, c})
		if d := R.Sub(p.X_AB.R).Norm2(); d > 1e-24 {
			t.Errorf("%s: turned otherwise than the facts say", name)
		}
		if at := (r3.Vec{fact["mate's x"], fact["mate's y"], 0}); at.Sub(p.X_AB.P).Norm() > 1e-15 {
			t.Errorf("%s: placed at %v, the facts say %v", name, p.X_AB.P, at)
		}
	}
}

func chordOf(p Part) float64 {
	for _, f := range p.Facts() {
		if f.Name == "chord error" {
			return f.Value
		}
	}
	panic("no chord error among the facts")
}

func pairOf(t *testing.T, name string, parts [2]Part) (p *Pair, a, b *meshes.Distance, chords float64) {
	t.Helper()
	p, err := NewPair(parts[0], parts[1])
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sa, err := p.A.Surface()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sb, err := p.B.Surface()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p, meshes.NewDistance(sa), meshes.NewDistance(sb), chordOf(p.A) + chordOf(p.B)
}

// turn is the angle of A from one tooth of its mesh to the next.
func turn(p Part) float64 {
	switch a := p.(type) {
	case Spur:
		return 2 * math.Pi / float64(a.Teeth)
	case Worm:
		return 2 * math.Pi / float64(a.Starts)
	}
	return 2 * math.Pi
}

// Turned at the exact ratio, with teeth centred in gaps, the least clearance is at
// every angle the play shared by both flanks, but for the facets: flanks lie
// inside of the true ones by up to their chord error, concave roots outside.
func TestPairsRunAtConstantClearance(t *testing.T) {
	for name, parts := range couples() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, a, b, chords := pairOf(t, name, parts)
			steps := 4
			if testing.Short() {
				steps = 2
			}
			for i := range steps {
				q := turn(p.A) * (0.13 + float64(i)/float64(steps))
				got := clearance(a, b, placed(p, q, 0))
				if got < p.FlankClearance-chords || got > p.FlankClearance+chords {
					t.Errorf("at %.4f rad the clearance is %.3g m, want %.3g ± %.2g m", q, got, p.FlankClearance, chords)
				}
			}
		})
	}
}

// Finer facets bring the clearance to its exact value.
func TestClearanceConvergesWithTheChordError(t *testing.T) {
	a, b := pinion(), gear(30)
	last := 0.0
	for i, chord := range []float64{8e-6, 0.5e-6} {
		a.Chord, b.Chord = chord, chord
		p, da, db, _ := pairOf(t, "pair", [2]Part{a, b})
		worst := 0.0
		for k := range 5 {
			worst = max(worst, math.Abs(clearance(da, db, placed(p, turn(a)*float64(k)/5, 0))-p.FlankClearance))
		}
		if worst > 2*chord || i > 0 && worst > last/5 {
			t.Errorf("chord %g m: clearance off by %g m, before by %g m", chord, worst, last)
		}
		last = worst
	}
}

// Off its meshing position by a quarter of a tooth B overlaps A; by the play
// alone it touches.
func TestPairsTouchAfterTheirPlayAndOverlapBeyond(t *testing.T) {
	for name, parts := range couples() {
		p, a, b, chords := pairOf(t, name, parts)
		if got := clearance(a, b, placed(p, 0, p.period/4)); got > -4*chords {
			t.Errorf("%s: a quarter tooth off, the clearance is still %.3g m", name, got)
		}
	}
	for _, side := range []float64{-1, 1} {
		p, a, b, chords := pairOf(t, "pair", [2]Part{pinion(), gear(30)})
		play := 15e-6 / gear(30).profile().r // both are thinner by 15 µm: half of the sum on each side
		near(t, "clearance after the play", clearance(a, b, placed(p, 0.1, side*play)), 0, chords)
	}
}

func TestKinematicsOfPairs(t *testing.T) {
	p, err := NewPair(pinion(), gear(30))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "centre distance", p.CenterDistance, 9.2e-3, 1e-12)
	near(t, "ratio", p.Ratio, -16.0/30, 1e-15)
	near(t, "base pitch", p.BasePitch, math.Pi*0.4e-3*math.Cos(rad(20)), 1e-15)
	near(t, "clearance", p.FlankClearance, 15e-6*math.Cos(rad(20)), 1e-12)

	// Two standard gears of 20 and 40 teeth, from textbooks: 1.635.
	a, b := DefaultSpur(), DefaultSpur()
	b.Teeth = 40
	if p, err = NewPair(a, b); err != nil {
		t.Fatal(err)
	}
	near(t, "contact ratio", p.ContactRatio, 1.635, 5e-4)

	// Shifts of sum 0.5 on 20 and 40 teeth: inv α_w = inv 20° + 2 tan 20°/120.
	a.Shift, b.Shift = 0.3, 0.2
	if p, err = NewPair(a, b); err != nil {
		t.Fatal(err)
	}
	near(t, "working angle", inv(p.PressureAngle), inv(rad(20))+2*math.Tan(rad(20))*0.5/60, 1e-12)
	near(t, "shifted distance", p.CenterDistance, 30e-3*math.Cos(rad(20))/math.Cos(p.PressureAngle), 1e-12)

	w, err := NewPair(worm(), wheelOf(worm(), 50))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "worm distance", w.CenterDistance, 16.5e-3, 1e-12)
	near(t, "worm ratio", w.Ratio, -1.0/50, 1e-15)
	near(t, "lead", worm().Lead(), math.Pi*0.5e-3, 1e-15)
	_, gamma := worm().pitchRadius()
	near(t, "lead angle", deg(gamma), 3.576, 5e-4)
	near(t, "worm clearance", w.FlankClearance, 15e-6*math.Cos(rad(20))*math.Cos(gamma), 1e-12)

	s, err := NewPair(DefaultScrew(), DefaultNut())
	if err != nil {
		t.Fatal(err)
	}
	near(t, "travel of a turn", s.Ratio*2*math.Pi, -1e-3, 1e-15)
	near(t, "slope of M6", deg(DefaultScrew().LeadAngle()), 3.405, 1e-3)
}

// B seen from the axis of A in any direction meshes as it does in its standard
// place.
func TestMateAtAgreesWithMate(t *testing.T) {
	p, a, b, chords := pairOf(t, "pair", [2]Part{pinion(), gear(30)})
	for _, psi := range []float64{0, 0.3, 2, -1.1, math.Pi} {
		q := 0.2
		X := r3.Pose{R: r3.RotExp(r3.Vec{0, 0, -q})}.Mul(r3.Pose{
			R: r3.RotExp(r3.Vec{0, 0, p.MateAt(psi, q)}),
			P: r3.Vec{p.CenterDistance * math.Cos(psi), p.CenterDistance * math.Sin(psi), 0},
		})
		near(t, fmt.Sprintf("clearance toward %g", psi), clearance(a, b, X), p.FlankClearance, chords)
	}
	near(t, "toward x", p.MateAt(0, 0.7), p.Mate(0.7), 1e-12)
}

func TestPartsThatDoNotMeshAreRefused(t *testing.T) {
	other := func(change func(*Spur)) Part { g := gear(30); change(&g); return g }
	nut := func(change func(*Nut)) Part { n := DefaultNut(); change(&n); return n }
	ring := DefaultRingGear()
	ring.Module, ring.Teeth, ring.Outer, ring.FaceWidth = 0.4e-3, 50, 23e-3, 1e-3
	tight := ring
	tight.Addendum, tight.Clearance, tight.Teeth = 0.5, 0.75, 35
	ring.Addendum, ring.Clearance = 1, 0.25
	thick := DefaultScrew()
	thick.PitchDiameter += 0.25e-3
	stub := DefaultSpur()
	stub.Addendum, stub.Clearance = 0.3, 0.95
	full := DefaultSpur()
	full.Teeth, full.Module, full.Bore, full.FaceWidth = 33, 0.4e-3, 1e-3, 1e-3
	for _, c := range []struct {
		a, b Part
		says []string
	}{
		{pinion(), other(func(g *Spur) { g.Module = 0.5e-3 }), []string{"modules", "0.0004", "0.0005"}},
		{pinion(), other(func(g *Spur) { g.PressureAngle = rad(22) }), []string{"pressure angles", "22"}},
		{pinion(), other(func(g *Spur) { g.Helix = rad(10) }), []string{"helix angles", "left-handed"}},
		{pinion(), other(func(g *Spur) { g.Addendum, g.Clearance = 1.5, 0.1 }), []string{"addendum"}},
		{stub, stub, []string{"contact ratio", "addenda"}},
		{pinion(), other(func(g *Spur) { g.Teeth = 16; g.Shift = 0; g.Addendum = 1 }), []string{"undercut", "shift"}},
		{pinion(), ring, []string{"ring's tip", "addendum of at most 0."}},
		{full, tight, []string{"tips", "foul"}},
		{pinion(), worm(), []string{"do not make a pair"}},
		{DefaultRing(), worm(), []string{"do not make a pair"}},
		{worm(), wheelOf(steepWorm(false), 50), []string{"lead angle", "3.576"}},
		{steepWorm(true), wheelOf(steepWorm(false), 40), []string{"hand"}},
		{DefaultScrew(), nut(func(n *Nut) { n.Pitch = 0.75e-3 }), []string{"pitch"}},
		{DefaultScrew(), nut(func(n *Nut) { n.Left = true }), []string{"hand"}},
		{DefaultScrew(), nut(func(n *Nut) { n.Major -= 0.3e-3 }), []string{"does not fit"}},
		{thick, DefaultNut(), []string{"overlap"}},
	} {
		_, err := NewPair(c.a, c.b)
		if err == nil {
			t.Errorf("no error, want one that says %v", c.says)
			continue
		}
		for _, word := range c.says {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q does not say %q", err, word)
			}
		}
	}
}

func TestMateFollowsThePart(t *testing.T) {
	helical := pinion()
	helical.Helix = rad(15)
	for _, c := range []struct {
		part   Part
		kind   string
		params map[string][]float64
	}{
		{helical, "spur", map[string][]float64{"teeth": {30}, "bore": {2e-3}}},
		{helical, "rack", nil},
		{helical, "ring_gear", map[string][]float64{"teeth": {60}, "outer": {30e-3}}},
		{steepWorm(true), "worm_wheel", nil},
		{leadScrew(), "nut", map[string][]float64{"outer": {15e-3}, "length": {10e-3}}},
	} {
		mate, err := MakeMate(c.part, c.kind, c.params)
		if err == nil {
			_, err = NewPair(c.part, mate)
		}
		if err != nil {
			t.Errorf("%s: %v", c.kind, err)
		}
	}
	if _, err := MakeMate(DefaultRing(), "nut", nil); err == nil {
		t.Error("a ring has a mate")
	}
}
