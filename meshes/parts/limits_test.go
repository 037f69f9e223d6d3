package parts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/repair"
)

// limit returns where between good and bad a condition stops to be true, by bisection.
func limit(good, bad float64, holds func(float64) bool) float64 {
	for range 60 {
		if x := (good + bad) / 2; holds(x) {
			good = x
		} else {
			bad = x
		}
	}
	return good
}

// Teeth of a rack end in a point where half of the pitch, less the backlash, is used
// up by both flanks: at the addendum (p/2 − j)/(2 tan α_t). The check leaves a land
// of minTip modules. The gaps close in the same way at the root.
func TestRackLimitsAreThoseOfTheTrapezium(t *testing.T) {
	r := rand.New(rand.NewPCG(301, 1))
	for range 20 {
		k := DefaultRack()
		k.Module = 1e-3 * (0.3 + r.Float64())
		k.PressureAngle, k.Helix = rad(25+15*r.Float64()), rad(40*r.Float64()-20)
		k.Backlash, k.Clearance = 0.1*k.Module*r.Float64(), 0.01
		pitch := math.Pi * k.Module / math.Cos(k.Helix)
		slope := math.Tan(k.PressureAngle) / math.Cos(k.Helix)
		// Width of the tip w(h) = p/2 − j − 2 h tan α_t.
		pointed := (pitch/2 - k.Backlash - minTip*k.Module) / (2 * slope) / k.Module
		// The root lies deeper by the clearance: width of the gap p − w(−h − c).
		closed := (pitch/2+k.Backlash-minTip*pitch)/(2*slope)/k.Module - k.Clearance
		want := min(pointed, closed, 2)
		got := limit(0.2, 3, func(h float64) bool { k.Addendum = h; return k.Check() == nil })
		near(t, "largest addendum", got, want, 1e-9)
	}
}

// The tips of a ring's teeth lie on the base circle where h_a − x = (r − r_b)/m =
// z (1 − cos α_t)/(2 cos β): the limits of the addendum, the shift and the number of
// teeth, each with the others fixed.
func TestRingLimitsAreTheBaseCircle(t *testing.T) {
	r := rand.New(rand.NewPCG(302, 1))
	for range 20 {
		g := DefaultRingGear()
		g.Teeth = 40 + r.IntN(40)
		g.PressureAngle, g.Helix = rad(18+4*r.Float64()), rad(30*r.Float64()-15)
		g.Outer = 0.2
		g.Clearance = 0.1
		alpha := math.Atan(math.Tan(g.PressureAngle) / math.Cos(g.Helix))
		room := func(z int) float64 { return float64(z) * (1 - math.Cos(alpha)) / (2 * math.Cos(g.Helix)) }
		// Longer teeth than 1.3 modules could be pointed first.
		if h := room(g.Teeth); h < 1.3 {
			got := limit(0.3, 2, func(h float64) bool { g.Addendum = h; return g.Check() == nil })
			near(t, "largest addendum", got, h, 1e-9)
			g.Addendum = 0.9
			if h > 0.9 {
				got = limit(0.05, -1, func(x float64) bool { g.Shift = x; return g.Check() == nil })
				near(t, "least shift", got, 0.9-h, 1e-9)
			}
		}
		g.Shift, g.Addendum = 0, 0.8
		least := int(math.Ceil(0.8 / room(1)))
		for z := least - 2; z <= least+2; z++ {
			g.Teeth = z
			if err := g.Check(); (err == nil) != (z >= least) {
				t.Errorf("%d teeth, at least %d: %v", z, least, err)
			}
		}
	}
}

// The error on a ring inside its base circle names three remedies; each of them
// keeps the tips out of it.
func TestProposedRingsAreMade(t *testing.T) {
	numbers := regexp.MustCompile(`at least (\d+) teeth, a shift of at least (-?[\d.]+) or an addendum of at most ([\d.]+)`)
	for _, z := range []int{24, 28, 32, 33} {
		g := DefaultRingGear()
		g.Teeth, g.Addendum = z, 1
		err := g.Check()
		if err == nil {
			t.Fatalf("%d teeth pass", z)
		}
		m := numbers.FindStringSubmatch(err.Error())
		if m == nil {
			t.Fatalf("%v", err)
		}
		teeth, _ := strconv.Atoi(m[1])
		shift, _ := strconv.ParseFloat(m[2], 64)
		addendum, _ := strconv.ParseFloat(m[3], 64)
		a, b, c := g, g, g
		a.Teeth = teeth
		b.Shift = shift + 1e-4 // printed with four digits
		c.Addendum = addendum - 1e-4
		for name, x := range map[string]RingGear{"teeth": a, "shift": b, "addendum": c} {
			if err := x.Check(); err != nil && strings.Contains(err.Error(), "base circle") {
				t.Errorf("%d teeth, other %s: %v", z, name, err)
			}
		}
		// One tooth less than advised still fails.
		a.Teeth--
		if a.Check() == nil {
			t.Errorf("%d teeth would do", a.Teeth)
		}
	}
}

// Rims: the outer diameter of a ring and the bore of a gear leave minRim modules.
// The advice in the error is the limit.
func TestRimsAreKept(t *testing.T) {
	g := DefaultRingGear()
	// Root radius r + (h_a + c) m.
	root := float64(g.Teeth)*g.Module/2 + (g.Addendum+g.Clearance)*g.Module
	got := limit(0.1, 0.05, func(d float64) bool { g.Outer = d; return g.Check() == nil })
	near(t, "least outer diameter", got, 2*(root+minRim*g.Module), 1e-12)
	g.Outer = got - 1e-6
	if err := g.Check(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("at least %.6g m", got)) {
		t.Errorf("%v, want %.6g", err, got)
	}
	s := DefaultScrew()
	crest, foot := s.radii()
	got = limit(1e-3, 6e-3, func(d float64) bool { s.Bore = d; return s.Check() == nil })
	near(t, "largest bore of a screw", got, 2*(foot-minRim*(crest-foot)), 1e-12)
}

// The lead angle γ = atan(n p/(π d₂)) may reach 45°: at the pitch π d₂/n.
func TestLeadAnglesEndAt45Degrees(t *testing.T) {
	for starts := 4; starts < 12; starts++ {
		th := Thread{Starts: starts, Major: 10e-3, Minor: 9.6e-3, FlankAngle: rad(15)}
		got := limit(1e-3, 30e-3, func(p float64) bool {
			th.Pitch = p
			c := checker{part: "screw"}
			th.check(&c)
			return c.err == nil
		})
		near(t, "largest pitch", got, math.Pi*9.8e-3/float64(starts), 1e-12)
	}
}

// Parts of random parameters near the defaults: what passes the check has a closed
// surface without self-contact that the tets fill, and facts that agree with the
// mesh; what fails says how to repair it.
func TestRandomPartsKeepTheInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(303, 1))
	made := map[string]int{}
	for round := range 2 {
		for _, d := range kinds {
			params := randomParams(r, d)
			p, err := Make(d.Name, params)
			if err != nil {
				if !strings.Contains(err.Error(), strings.ReplaceAll(d.Name, "_", " ")) {
					t.Errorf("%s %v: the error does not name the part: %v", d.Name, params, err)
				}
				continue
			}
			made[d.Name]++
			s, err := p.Surface()
			if err != nil {
				t.Errorf("%s %v: checked, but %v", d.Name, params, err)
				continue
			}
			if err := repair.Watertight(s); err != nil {
				t.Errorf("%s %v: %v", d.Name, params, err)
			}
			inBounds(t, d.Name, p, s)
			if round > 0 || len(s.Tris) > 8_000 {
				continue // slow
			}
			m, err := p.Tets()
			if err != nil {
				t.Errorf("%s %v: %v", d.Name, params, err)
				continue
			}
			if rep := repair.CheckTet(m); rep.Err() != nil {
				t.Errorf("%s %v: %v", d.Name, params, rep.Err())
			}
			near(t, d.Name+": volume of the tets over that of the surface", tetsVolume(m)/s.Volume(), 1, 0.02)
		}
	}
	for _, d := range kinds {
		if made[d.Name] == 0 {
			t.Errorf("no %s was made", d.Name)
		}
	}
}

// randomParams scales some defaults of a kind by up to a fifth.
func randomParams(r *rand.Rand, d Kind) map[string][]float64 {
	params := map[string][]float64{}
	for _, p := range d.Params {
		if p.Flag || p.Name == "chord" || p.Name == "across" || p.Name == "layers" || r.IntN(3) > 0 {
			continue
		}
		for _, x := range p.Default {
			x *= 0.9 + 0.3*r.Float64()
			if p.Whole {
				x = math.Round(x)
			}
			params[p.Name] = append(params[p.Name], x)
		}
	}
	return params
}

// inBounds compares the bounds of a surface with the diameters among the facts of
// its part: the largest one is the extent from the axis.
func inBounds(t *testing.T, name string, p Part, s *meshes.Tri) {
	t.Helper()
	facts := map[string]float64{}
	for _, f := range p.Facts() {
		facts[f.Name] = f.Value
	}
	reach := 0.0
	for _, q := range s.Verts {
		reach = max(reach, math.Hypot(q[0], q[1]))
	}
	for _, key := range []string{"tip diameter", "crest diameter", "largest diameter"} {
		want, ok := facts[key]
		if !ok || name == "ring_gear" || name == "nut" { // these turn inwards
			continue
		}
		near(t, name+": reach", reach, want/2, 1e-9)
	}
	if v, ok := facts["exact volume"]; ok && !(s.Volume() <= v*(1+1e-12) && s.Volume() > 0.97*v) {
		t.Errorf("%s: volume %g, exact %g", name, s.Volume(), v)
	}
}
