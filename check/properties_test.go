package check_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene"
)

// The stiffness that is estimated for a contact is the slope of its load over its depth: of
// two bodies that differ by a little mass, Δ(m g)/Δδ.
func TestStiffnessIsTheSlopeOfTheLoad(t *testing.T) {
	for _, c := range []struct{ name, material, shape, solver string }{
		{"block", "{hydroelastic_modulus: 1e6}", "{box: {size: [0.05, 0.04, 0.06]}}", "{}"},
		{"ball", "{hydroelastic_modulus: 1e6}", "{sphere: {radius: 0.05}}", "{}"},
		{"capsule", "{hydroelastic_modulus: 1e6}", "{capsule: {radius: 0.02, length: 0.06}}", "{}"},
		{"ellipsoid", "{hydroelastic_modulus: 1e6}", "{ellipsoid: {semi_axes: [0.05, 0.04, 0.03]}}", "{}"},
		{"point", "{stiffness: 1e5}", "{sphere: {radius: 0.05}}", "{}"},
		{"point by Hertz's law", "{stiffness: 1e5}", "{sphere: {radius: 0.05}}", "{normal_law: hertz}"},
		{"point by SAP's law", "{stiffness: 1e5}", "{sphere: {radius: 0.05}}", "{contact: sap}"},
	} {
		estimate := func(mass float64) check.ContactEstimate {
			sc := load(t, fmt.Sprintf(`%s
solver: %s
materials: {hard: {}, a: %s}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}, material: hard}]}
  b: {mass: %.17g, pose: {xyz: [0, 0, 1]}, shapes: [{%s, material: a}]}
`, timeOf, c.solver, c.material, mass, strings.Trim(c.shape, "{}")+"}"))
			if len(sc.Contacts) != 1 {
				t.Fatalf("%s: %d estimates", c.name, len(sc.Contacts))
			}
			return sc.Contacts[0]
		}
		const mass, eps = 0.5, 1e-4
		less, at, more := estimate(mass*(1-eps)), estimate(mass), estimate(mass*(1+eps))
		slope := 2 * eps * mass * 9.81 / (more.Depth - less.Depth)
		if math.Abs(slope/at.Stiffness-1) > 1e-6 {
			t.Errorf("%s: stiffness %g N/m, but the slope is %g N/m", c.name, at.Stiffness, slope)
		}
		if want := 2 * math.Pi * math.Sqrt(mass/at.Stiffness); math.Abs(at.Period/want-1) > 1e-12 {
			t.Errorf("%s: period %g s, want %g s", c.name, at.Period, want)
		}
	}
}

// A contact whose parameter is lowered as the remedy says is no longer too stiff; one
// that is lowered by a tenth less is.
func TestRemediesOfTooStiffContactsAreExact(t *testing.T) {
	factor := regexp.MustCompile(`below (\S+) times this`)
	for _, c := range []struct {
		name, text string // with K for the parameter
		from       float64
		within     float64 // of the advised factor, which has two digits
	}{
		{"point", "materials: {default: {stiffness: K}}\nbodies: {ground: {fixed: true, shapes: [{half_space: {}}]}, ball: {pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.1}}]}}\n", 1e18, 0.1},
		{"point by Hertz's law", "solver: {normal_law: hertz}\nmaterials: {default: {stiffness: K}}\nbodies: {ground: {fixed: true, shapes: [{half_space: {}}]}, ball: {pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.1}}]}}\n", 1e24, 0.1},
		{"pressure on a flat side", "materials: {hard: {}, a: {hydroelastic_modulus: K}}\nbodies: {ground: {fixed: true, shapes: [{half_space: {}, material: hard}]}, box: {pose: {xyz: [0, 0, 1]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}, material: a}]}}\n", 1e18, 0.1},
		{"deformable", "materials: {default: {pressure_gradient: K}}\nbodies: {ground: {fixed: true, shapes: [{half_space: {}}]}}\n" + soft, 1e22, 0.1},
	} {
		tooStiff := func(k float64) string {
			return warned(t, timeOf+strings.ReplaceAll(c.text, "K}", fmt.Sprintf("%g}", k)), "is too stiff for steps")
		}
		m := factor.FindStringSubmatch(tooStiff(c.from))
		if m == nil {
			t.Errorf("%s of %g is not too stiff", c.name, c.from)
			continue
		}
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := tooStiff(c.from * x * (1 - c.within)); got != "" {
			t.Errorf("%s: as advised: %s", c.name, got)
		}
		if tooStiff(c.from*x*(1+c.within)) == "" {
			t.Errorf("%s: not lowered as far as advised, and no warning", c.name)
		}
	}
}

// Spheres on random chains of joints: whatever touches at any position of the joints can
// meet, and what CanMeet excludes never touches.
func TestCanMeetIsTrueForAllPositionsOfRandomChains(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	excluded, touched := 0, 0
	for range 40 {
		sc := load(t, randomChain(rng))
		in := &check.Input{Model: sc.Model, Step: sc.File.Time.Step}
		geoms := sc.Model.Geometry.Geoms
		can := map[[2]int]bool{}
		for i := range geoms {
			for j := range i {
				if can[[2]int{i, j}] = check.CanMeet(in, &geoms[i], &geoms[j]); !can[[2]int{i, j}] {
					excluded++
				}
			}
		}
		for range 200 {
			centers := randomPosition(rng, sc)
			for i := range geoms {
				for j := range i {
					reach := geoms[i].Shape.(*geometry.Sphere).Radius + geoms[j].Shape.(*geometry.Sphere).Radius
					if centers[i].Sub(centers[j]).Norm() > reach {
						continue
					}
					if touched++; !can[[2]int{i, j}] {
						t.Fatalf("seed %d: %s and %s touch, but cannot meet", seed, geoms[i].Name, geoms[j].Name)
					}
				}
			}
		}
	}
	if excluded < 20 || touched < 100 {
		t.Errorf("seed %d: only %d pairs were excluded and %d touched", seed, excluded, touched)
	}
}

// randomChain returns a scene of spheres on a chain of joints with limits, among fixed
// ones.
func randomChain(rng *rand.Rand) string {
	at := func(size float64) string {
		return fmt.Sprintf("[%.3f, %.3f, %.3f]", size*(2*rng.Float64()-1), size*(2*rng.Float64()-1), size*(2*rng.Float64()-1))
	}
	ball := func() string {
		return fmt.Sprintf("shapes: [{sphere: {radius: %.3f}, pose: {xyz: %s}}]", 0.05+0.1*rng.Float64(), at(0.3))
	}
	s := timeOf + noGravity + "bodies:\n"
	for i := range 3 {
		s += fmt.Sprintf("  fixed%d: {fixed: true, pose: {xyz: %s}, %s}\n", i, at(1), ball())
	}
	parent := "world"
	for i := range 4 {
		joint := fmt.Sprintf("parent: %s, axis: %s, point: %s", parent, at(1), at(0.2))
		switch rng.IntN(min(3+i, 4)) { // the first is no weld, so that something moves
		case 0:
			joint += ", type: revolute"
		case 1:
			joint += fmt.Sprintf(", type: prismatic, lower: %.3f, upper: %.3f", -0.3*rng.Float64(), 0.3*rng.Float64())
		case 2:
			joint += fmt.Sprintf(", type: screw, pitch: 0.05, lower: %.3f, upper: %.3f", -9*rng.Float64(), 9*rng.Float64())
		case 3:
			joint = "parent: " + parent + ", type: weld"
		}
		s += fmt.Sprintf("  moving%d: {pose: {xyz: %s, rpy: %s}, joint: {%s}, %s}\n", i, at(0.6), at(3), joint, ball())
		parent = fmt.Sprintf("moving%d", i)
	}
	return s
}

// randomPosition returns the centres of all spheres in the world at a random position
// within the limits of the joints.
func randomPosition(rng *rand.Rand, sc *scene.Scene) []r3.Vec {
	m := sc.Model.Rigid
	q, v := m.Start()
	for _, name := range sc.File.Bodies.Keys {
		j := sc.File.Bodies.Get(name).Joint
		if j == nil || j.Kind.Name == "weld" {
			continue
		}
		lower, upper := -math.Pi, math.Pi
		if j.Lower != nil {
			lower, upper = *j.Lower, *j.Upper
		}
		for i := range m.NumLinks() {
			if m.LinkName(i) == name {
				q[m.QStart(i)] = lower + (upper-lower)*rng.Float64()
			}
		}
	}
	d := m.NewData()
	d.Place(0, 1e-3, q, v)
	geoms := sc.Model.Geometry.Geoms
	centers := make([]r3.Vec, len(geoms))
	for i := range geoms {
		X_WB := r3.PoseIdentity()
		if b := geoms[i].Body; b != geometry.World {
			X_WB = d.Pose(b)
		}
		centers[i] = X_WB.Mul(geoms[i].X_BG).P
	}
	return centers
}
