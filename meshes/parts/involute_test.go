package parts

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

func TestRadiiOfAStandardGear(t *testing.T) {
	g := DefaultSpur() // module 1 mm, 20 teeth, 20°
	p := g.profile()
	near(t, "pitch radius", p.r, 10e-3, 1e-15)
	near(t, "base radius", p.rb, 10e-3*math.Cos(rad(20)), 1e-15)
	near(t, "tip radius", p.ra, 11e-3, 1e-15)
	near(t, "root radius", p.rf, 8.75e-3, 1e-15)
	near(t, "thickness at pitch", 2*p.r*p.psi, math.Pi/2*1e-3, 1e-15)
	near(t, "least shift", g.leastShift(), 1.25-0.38*(1-math.Sin(rad(20)))-10*math.Pow(math.Sin(rad(20)), 2), 1e-12)
	g.Helix = rad(30)
	p = g.profile()
	near(t, "helical pitch radius", p.r, 10e-3/math.Cos(rad(30)), 1e-15)
	near(t, "helical pressure angle", math.Tan(p.alpha), math.Tan(rad(20))/math.Cos(rad(30)), 1e-15)
	tri, err := DefaultSpur().Surface()
	if err != nil {
		t.Fatal(err)
	}
	lo, hi := math.Inf(1), 0.0
	for _, v := range tri.Verts {
		r := math.Hypot(v[0], v[1])
		if hi = math.Max(hi, r); r > 8.5e-3 {
			lo = math.Min(lo, r)
		}
	}
	near(t, "tip radius of the mesh", hi, 11e-3, 1e-15)
	near(t, "root radius of the mesh", lo, 8.75e-3, 1e-15)
}

// The rack's rounded tip cuts a root that joins the involute without a step or
// kink, and is level on the root circle.
func TestRootJoinsFlankSmoothly(t *testing.T) {
	for _, g := range []Spur{DefaultSpur(), pinion(), gear(30), DefaultWormWheel().Spur()} {
		p := g.profile()
		psi, r := p.flank(p.t0)
		fpsi, fr := p.fillet(p.alpha)
		near(t, "radius at the joint", fr, r, 1e-12*r)
		near(t, "angle at the joint", fpsi, psi, 1e-12)
		const h = 1e-5
		slope := func(a, b vec2) float64 { return math.Atan2(b[1]-a[1], b[0]-a[0]) }
		flank := slope(p.flankCurve(0), p.flankCurve(h))
		fillet := slope(p.filletCurve(1-h), p.filletCurve(1))
		near(t, "direction at the joint", fillet, flank, 1e-3)
		_, r0 := p.fillet(math.Pi / 2)
		near(t, "root radius", r0, p.rf, 1e-12*p.rf)
		_, r1 := p.fillet(math.Pi/2 - 1e-4)
		if (r1-p.rf)/p.rf > 1e-7 || r1 < p.rf {
			t.Errorf("the root leaves its circle at once: %g beyond %g", r1-p.rf, p.rf)
		}
	}
}

// The root is the envelope of the rack: no point of the rack's rounded tip ever
// enters the gear's root, and each point of the root is touched.
func TestRackRollsInTheRootWithoutCutting(t *testing.T) {
	g := pinion()
	p := g.profile()
	worst, least := 0.0, math.Inf(1)
	for i := range 200 {
		nu := p.alpha + (math.Pi/2-p.alpha)*float64(i)/199
		psi, r := p.fillet(nu)
		fromGap := p.half - psi // from the gap's middle
		touch := math.Inf(1)
		for k := -2000; k <= 2000; k++ {
			phi := p.half * float64(k) / 1000 // gear turned by phi, rack moved by r phi
			// Centre of the rounding, in the gear.
			x, y := p.a-p.r*phi, p.r-p.b
			c, s := math.Cos(phi), math.Sin(phi)
			cx, cy := c*x+s*y, -s*x+c*y
			touch = math.Min(touch, math.Hypot(r*math.Sin(fromGap)-cx, r*math.Cos(fromGap)-cy)-p.rho)
		}
		worst, least = math.Max(worst, touch), math.Min(least, touch)
	}
	if least < -1e-3*1e-6 || worst > 1e-3*1e-6 {
		t.Errorf("root is %g to %g m from the rack's path", least, worst)
	}
}

func TestFlankFacetsKeepToTheChordError(t *testing.T) {
	helical := DefaultSpur()
	helical.Helix = rad(-30)
	for name, g := range map[string]Spur{"spur": DefaultSpur(), "pinion": pinion(), "helical": helical, "wheel": DefaultWormWheel().Spur()} {
		type at struct{ off, facets float64 }
		var got []at
		for _, chord := range []float64{0.02, 0.005, 0.00125} {
			if g.Helix != 0 && chord < 0.005 {
				continue // many layers
			}
			g.Chord = chord * g.Module
			m, err := g.Surface()
			if err != nil {
				t.Fatal(name, err)
			}
			p := g.profile()
			off := func(v r3.Vec) float64 {
				s, c := math.Sincos(g.twist() * v[2])
				return p.offFlank(c*v[0]+s*v[1], -s*v[0]+c*v[1])
			}
			_, foot := p.flank(p.t0)
			worst, n := worstOff(m, off, func(v r3.Vec) bool {
				return math.Hypot(v[0], v[1]) > foot*(1-1e-12) && math.Abs(off(v)) < 1e-12
			})
			if worst > g.Chord || n < 6*g.Teeth {
				t.Errorf("%s: %d facets are up to %g m off the involute, chord error %g m", name, n, worst, g.Chord)
			}
			got = append(got, at{worst, float64(len(g.flankPoints()) - 1)})
		}
		// Second order: deviation times the square of the facets is constant.
		for i := 1; i < len(got) && g.Helix == 0; i++ {
			rate := math.Log(got[i-1].off/got[i].off) / math.Log(got[i].facets/got[i-1].facets)
			if rate < 1.8 || rate > 2.3 {
				t.Errorf("%s: deviation falls with order %.2f of the number of facets: %v", name, rate, got)
			}
		}
	}
}

func TestRingGearFacetsKeepToTheChordError(t *testing.T) {
	g := DefaultRingGear()
	for _, chord := range []float64{0.02, 0.002} {
		g.Chord = chord * g.Module
		m, err := g.Surface()
		if err != nil {
			t.Fatal(err)
		}
		p := g.gap().profile()
		tip, root := g.radii()
		off := func(v r3.Vec) float64 {
			s, c := math.Sincos(p.half) // gaps lie half a pitch from teeth
			return p.offFlank(c*v[0]-s*v[1], s*v[0]+c*v[1])
		}
		worst, n := worstOff(m, off, func(v r3.Vec) bool {
			r := math.Hypot(v[0], v[1])
			return r > tip*(1-1e-9) && r < root*(1+1e-9) && math.Abs(off(v)) < 1e-12
		})
		if worst > g.Chord || n < 6*g.Teeth {
			t.Errorf("%d facets are up to %g m off the involute, chord error %g m", n, worst, g.Chord)
		}
	}
}

// The worm's flank is the involute helicoid: in the plane turned back by the
// thread's own turn, the involute of a gear of as many teeth as starts.
func TestWormFacetsKeepToTheChordError(t *testing.T) {
	for name, w := range map[string]Worm{"one start": worm(), "four": steepWorm(false), "left": steepWorm(true)} {
		for _, chord := range []float64{0.02, 0.01, 0.004} {
			w.Chord = chord * w.Module
			m, err := w.Surface()
			if err != nil {
				t.Fatal(name, err)
			}
			rb, _ := w.base()
			tip, root, _ := w.radii()
			lead := w.Lead()
			cosBase := rb / math.Hypot(rb, lead/(2*math.Pi)) // of the base cylinder's lead angle: what the normal has along z
			off := func(v r3.Vec) float64 {
				y := v[1]
				if w.Left {
					y = -y
				}
				pitch := lead / float64(w.Starts)
				u := v[2] - lead*math.Atan2(y, v[0])/(2*math.Pi)
				u -= pitch * math.Round(u/pitch)
				axial := math.Abs(u) - w.halfWidth(math.Hypot(v[0], v[1]))
				return axial * cosBase
			}
			full := w.thread().full() / 2
			m.Tris = slices.DeleteFunc(m.Tris, func(t [3]int32) bool { // the root between the threads
				return max(math.Hypot(m.Verts[t[0]][0], m.Verts[t[0]][1]), math.Hypot(m.Verts[t[1]][0], m.Verts[t[1]][1]), math.Hypot(m.Verts[t[2]][0], m.Verts[t[2]][1])) < root*(1+1e-9)
			})
			worst, n := worstOff(m, off, func(v r3.Vec) bool {
				r := math.Hypot(v[0], v[1])
				return r > root*(1-1e-9) && r < tip*(1+1e-9) && math.Abs(v[2]) < full-0.2*w.Lead() && math.Abs(off(v)) < 1e-12
			})
			if worst > w.Chord || n < 100 {
				t.Errorf("%s: %d facets are up to %g m off the helicoid, chord error %g m", name, n, worst, w.Chord)
			}
		}
	}
}
