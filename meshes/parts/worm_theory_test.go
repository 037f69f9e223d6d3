package parts

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// randomWorm changes the default worm.
func randomWorm(r *rand.Rand) Worm {
	w := DefaultWorm()
	w.Module *= 0.5 + r.Float64()
	w.Starts, w.Left = 1+r.IntN(3), r.IntN(2) == 0
	w.PitchDiameter = w.Module * (12 + 4*r.Float64())
	w.LeadAngle = 0
	w.Length = w.Module * (14 + 4*float64(w.Starts))
	w.Bore = 4 * w.Module
	w.Chord, w.Across = 0.04*w.Module, 6
	w.Backlash = 0.03 * w.Module * r.Float64()
	return w
}

// A worm's flank is an involute helicoid: a helical gear of few teeth, whose
// transverse section has the involute of the base radius
//
//	r_b = r cos α_t,  tan α_t = tan α_n/sin γ,  tan γ = l/(2π r)
//
// (helix angle β = 90° − γ). Vertices between root and tip lie on involutes of that
// circle: all of them at one angle once the involute and the twist are taken away.
func TestWormFlanksAreInvoluteHelicoids(t *testing.T) {
	r := rand.New(rand.NewPCG(321, 1))
	for range 5 {
		w := randomWorm(r)
		m, err := w.Surface()
		if err != nil {
			t.Fatal(err)
		}
		lead := float64(w.Starts) * math.Pi * w.Module
		radius := w.PitchDiameter / 2
		gamma := math.Atan(lead / (2 * math.Pi * radius))
		base := radius * math.Cos(math.Atan(math.Tan(w.PressureAngle)/math.Sin(gamma)))
		rb, _ := w.base()
		near(t, "base radius", rb, base, 1e-12)
		tip, root, _ := w.radii()
		// Half angle of a ridge at the pitch radius: a quarter of the pitch less half
		// of the backlash, over the lead.
		half := math.Pi / float64(w.Starts) / 2 * (1 - 2*w.Backlash/(math.Pi*w.Module))
		involute := func(rho float64) float64 { return inv(math.Acos(base / rho)) }
		full := w.thread().full()
		seen := 0
		for _, p := range m.Verts {
			rho := math.Hypot(p[0], p[1])
			if rho < root+1e-9 || rho > tip-1e-9 || math.Abs(p[2]) > full/2-math.Pi*w.Module {
				continue
			}
			seen++
			angle := math.Atan2(p[1], p[0])
			if w.Left {
				angle = -angle
			}
			angle -= 2 * math.Pi * p[2] / lead
			// To the nearest ridge.
			step := 2 * math.Pi / float64(w.Starts)
			angle = math.Abs(angle - step*math.Round(angle/step))
			near(t, "angle of a flank", angle, half+involute(radius)-involute(rho), 1e-9)
		}
		if seen == 0 {
			t.Error("no vertex between root and tip")
		}
	}
}

// A worm and its wheel mesh at the centre distance half the sum of the pitch
// diameters plus the shift, with the ratio starts/teeth, for both hands.
func TestWormsDriveWheelsByTheirStarts(t *testing.T) {
	r := rand.New(rand.NewPCG(322, 1))
	for range 10 {
		w := randomWorm(r)
		g := wheelOf(w, 28+r.IntN(20))
		g.Shift = 0.2 * r.Float64()
		p, err := NewPair(w, g)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		_, gamma := w.pitchRadius()
		// The wheel's helix angle is the worm's lead angle; its transverse module is
		// the axial module of the worm.
		want := w.PitchDiameter/2 + w.Module*float64(g.Teeth)/2 + g.Shift*w.Module
		near(t, "centre distance over the module", p.CenterDistance/w.Module, want/w.Module, 1e-9)
		near(t, "ratio", math.Abs(p.Ratio), float64(w.Starts)/float64(g.Teeth), 1e-12)
		near(t, "helix of the wheel", math.Abs(g.Spur().Helix), gamma, 1e-12)
	}
}

// Turned by one tooth about its axis, a helical gear falls on itself; moved along z by
// dz and turned by dz tan β/r too, up to the chord error.
func TestHelicalGearsFallOnThemselves(t *testing.T) {
	r := rand.New(rand.NewPCG(323, 1))
	for range 3 {
		g := pinion()
		g.Helix, g.Layers = rad(30*r.Float64()-15), 4
		g.FaceWidth = 2e-3
		m, err := g.Surface()
		if err != nil {
			t.Fatal(err)
		}
		d := meshes.NewDistance(m)
		twist := math.Tan(g.Helix) / (g.Module * float64(g.Teeth) / (2 * math.Cos(g.Helix)))
		tooth := 2 * math.Pi / float64(g.Teeth)
		for range 200 {
			p := m.Verts[r.IntN(len(m.Verts))]
			q := r3.RotExp(r3.Vec{0, 0, tooth * float64(r.IntN(g.Teeth))}).MulVec(p)
			if phi, _, _, _, _ := d.Signed(q); math.Abs(phi) > 1e-9 {
				t.Errorf("turned by teeth, a vertex lies %g m off", phi)
			}
			if math.Hypot(p[0], p[1]) < g.Bore/2+1e-6 || math.Abs(p[2]) > g.FaceWidth/2-1e-9 {
				continue // the end faces have vertices inside of the outline
			}
			// Slid along the helix to a random height.
			z := g.FaceWidth * (r.Float64() - 0.5)
			q = r3.RotExp(r3.Vec{0, 0, twist * (z - p[2])}).MulVec(p)
			q[2] = z
			if phi, _, _, _, _ := d.Signed(q); math.Abs(phi) > 1.5*g.chord() {
				t.Errorf("slid along the helix, a vertex lies %g m off, the chord error is %g m", phi, g.chord())
			}
		}
	}
}

// Rings of random parameters: thickness at the pitch circle π m_t/2 − 2 x m tan α_t −
// j, tip and root circles, and mirror symmetry of the teeth.
func TestRandomRingsKeepTheirFacts(t *testing.T) {
	r := rand.New(rand.NewPCG(324, 1))
	for range 3 {
		g := DefaultRingGear()
		g.Teeth = 40 + r.IntN(30)
		g.Shift, g.Helix = 0.3*r.Float64(), rad(20*r.Float64()-10)
		g.Backlash = 0.05 * g.Module * r.Float64()
		g.Outer = g.Module * float64(g.Teeth+8)
		g.Chord = 0.02 * g.Module
		s, err := g.Surface()
		if err != nil {
			t.Fatal(err)
		}
		facts := map[string]float64{}
		for _, f := range g.Facts() {
			facts[f.Name] = f.Value
		}
		mt := g.Module / math.Cos(g.Helix)
		slope := math.Tan(g.PressureAngle) / math.Cos(g.Helix)
		pitch := mt * float64(g.Teeth)
		near(t, "pitch diameter", facts["pitch diameter"], pitch, 1e-12)
		near(t, "tooth thickness", facts["tooth thickness at the pitch circle"], math.Pi*mt/2-2*g.Shift*g.Module*slope-g.Backlash, 1e-12)
		near(t, "base pitch", facts["base pitch"], math.Pi*mt*math.Cos(math.Atan(slope)), 1e-12)
		near(t, "tip diameter", facts["tip diameter"], pitch-2*(g.Addendum-g.Shift)*g.Module, 1e-12)
		near(t, "root diameter", facts["root diameter"], pitch+2*(g.Addendum+g.Clearance+g.Shift)*g.Module, 1e-12)
		// The surface lies between tip circle and outer circle and reaches both.
		lo, hi := math.Inf(1), 0.0
		for _, p := range s.Verts {
			rho := math.Hypot(p[0], p[1])
			lo, hi = min(lo, rho), max(hi, rho)
		}
		near(t, "outer radius", hi, g.Outer/2, 1e-12)
		if tip := facts["tip diameter"] / 2; lo > tip+1e-12 || lo < tip*math.Cos(math.Pi/float64(g.Teeth)) {
			t.Errorf("the least radius is %g, the tip circle has %g", lo, tip)
		}
		if d := repair.Diagnose(s); d.Genus != 1 || d.Components != 1 || !d.Closed {
			t.Errorf("%d teeth: genus %d, %d components", g.Teeth, d.Genus, d.Components)
		}
	}
}
