package parts

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Small parts like those of a robot hand's gear train, 0.4 mm and 0.5 mm module.

func pinion() Spur {
	g := DefaultSpur()
	g.Module, g.Teeth, g.Shift, g.Backlash, g.FaceWidth, g.Bore = 0.4e-3, 16, 0.065, 15e-6, 1e-3, 3e-3
	return g
}

func gear(teeth int) Spur {
	g := pinion()
	g.Teeth, g.Shift = teeth, -g.Shift
	return g
}

func worm() Worm {
	w := DefaultWorm()
	w.Module, w.PitchDiameter, w.Backlash, w.Length, w.Bore = 0.5e-3, 8e-3, 15e-6, 12e-3, 3e-3
	return w
}

func wheelOf(w Worm, teeth int) WormWheel {
	_, gamma := w.pitchRadius()
	g := DefaultWormWheel()
	g.Module, g.Teeth, g.LeadAngle, g.Left, g.Backlash = w.Module, teeth, gamma, w.Left, w.Backlash
	g.FaceWidth, g.Bore = 10*w.Module, 4*w.Module
	return g
}

func steepWorm(left bool) Worm {
	w := worm()
	w.Starts, w.Left, w.Length = 4, left, 13e-3
	return w
}

func nutOf(s Screw) Nut {
	n := Nut{Thread: s.Thread, Length: 4.5 * s.Pitch, Outer: 1.6 * s.Major}
	return n
}

// leadScrew is a trapezoidal thread of two starts.
func leadScrew() Screw {
	return Screw{Thread: Thread{Pitch: 2e-3, Starts: 2, Major: 10e-3, Minor: 8e-3, FlankAngle: rad(15), Clearance: 0.04e-3, Left: true}, Length: 14e-3, Bore: 4e-3}
}

// samples returns parts of all kinds: defaults and awkward ones.
func samples() map[string]Part {
	bevel := DefaultSpur()
	bevel.Helix, bevel.Bore, bevel.Across = rad(25), 0, 3
	small := DefaultSpur()
	small.Teeth, small.Shift, small.Bore = 9, 0.5, 3e-3
	large := DefaultSpur()
	large.Teeth, large.Bore = 90, 5e-3
	helicalRing := DefaultRingGear()
	helicalRing.Helix = rad(-20)
	helicalRack := DefaultRack()
	helicalRack.Helix, helicalRack.Teeth = rad(15), 5
	coarseWorm, coarseScrew := DefaultWorm(), DefaultScrew() // quick: the facets do not matter here
	coarseWorm.Chord, coarseScrew.Chord = 0.03*coarseWorm.Module, 0.03*coarseScrew.Pitch
	solid := DefaultScrew()
	solid.Bore = 0
	steep := steepWorm(true)
	steep.Chord = 0.03 * steep.Module
	return map[string]Part{
		"spur": DefaultSpur(), "helical, solid": bevel, "nine teeth": small, "large": large, "pinion": pinion(),
		"ring gear": DefaultRingGear(), "helical ring": helicalRing, "rack": DefaultRack(), "helical rack": helicalRack,
		"worm": coarseWorm, "left worm of 4 starts": steep, "wheel": DefaultWormWheel(), "left wheel": wheelOf(steepWorm(true), 40),
		"screw": coarseScrew, "solid screw": solid, "lead screw": leadScrew(), "nut": DefaultNut(), "round nut": nutOf(leadScrew()),
		"ring": DefaultRing(), "cup": DefaultCup(), "shaft": DefaultShaft(), "rod": Shaft{Steps: []float64{5e-3, 20e-3}},
		"cone": Revolve{Profile: [][2]float64{{0, 0}, {10e-3, 0}, {0, 20e-3}}},
	}
}

// offFlank returns how far outside of the involute flanks of p a point of the
// transverse plane lies, measured to the nearest tooth's nearer flank. All
// involutes of a circle are parallel: one turned by an angle δ is r_b δ away.
func (p *profile) offFlank(x, y float64) float64 {
	radius, angle := math.Hypot(x, y), math.Atan2(y, x)
	angle -= 2 * p.half * math.Round(angle/(2*p.half)) // to the nearest tooth
	return p.rb * (math.Abs(angle) - p.halfAt(radius))
}

// worstOff samples all facets whose corners satisfy onSurface and returns the
// largest |off| over their insides, and their number.
func worstOff(m *meshes.Tri, off func(r3.Vec) float64, flank func(r3.Vec) bool) (worst float64, n int) {
	for _, t := range m.Tris {
		a, b, c := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
		if !flank(a) || !flank(b) || !flank(c) {
			continue
		}
		n++
		const k = 6
		for i := range k + 1 {
			for j := range k + 1 - i {
				w := [3]float64{float64(i) / k, float64(j) / k, float64(k-i-j) / k}
				worst = math.Max(worst, math.Abs(off(r3.Combine(w, a, b, c))))
			}
		}
	}
	return worst, n
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: %.15g, want %.15g ± %.2g", what, got, want, tol)
	}
}
