package examples_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// A mixture is a scene of bodies of all sorts, thrown by chance: what single scenes
// keep apart meets here.
type mixture struct {
	seed   uint64
	solver string // contact law, and what its friction lags by
	step   float64
	flat   bool // the ground is a half space, else a box
	fields bool // half of the bodies are pressure fields
	soft   string
	joints bool
	tie    string // of two free bodies
}

var mixtures = []mixture{
	{seed: 1, solver: "contact: lagged", step: 5e-3, fields: true, soft: "corotational", joints: true},
	{seed: 2, solver: "contact: lagged_regularized, friction_lag: sweep", step: 2e-3, flat: true, fields: true, soft: "linear"},
	{seed: 3, solver: "contact: similar", step: 1e-2, fields: true, joints: true, tie: "weld"},
	{seed: 4, solver: "contact: similar_regularized", step: 1e-2, flat: true, soft: "neo_hookean", joints: true, tie: "ball"},
	{seed: 5, solver: "contact: sap", step: 5e-3, flat: true, fields: true, joints: true},
	{seed: 6, solver: "contact: lagged, friction_lag: previous", step: 1e-2, soft: "corotational", tie: "weld"},
}

// Shapes of thrown bodies, all within 4 cm of their origin.
var mixtureShapes = []string{
	"box: {size: [0.06, 0.05, 0.04]}", "sphere: {radius: 0.03}", "capsule: {radius: 0.02, length: 0.04}",
	"cylinder: {radius: 0.03, length: 0.05}", "convex: {mesh: gear}", "mesh: {mesh: gear}",
}

const mixtureHead = `
time: {step: %g, duration: 1}
solver: {%s, allow_unconverged: true}
materials:
  default: {stiffness: 1e5, dissipation: 10, friction: 0.4, relaxation_time: 0.01}
  field: {hydroelastic_modulus: 1e6, friction: 0.5, dissipation: 10}
  soft: {youngs_modulus: 2e5, poissons_ratio: 0.35, density: 1000, pressure_gradient: 1e8, stiffness_damping: 0.01, law: %s}
meshes:
  slab: {box: {size: [0.2, 0.2, 0.04], cells: [3, 3, 2]}}
  gear: {part: {spur: {module: 3e-3, teeth: 18, face_width: 2e-2}}}
bodies:
  ground: {fixed: true, shapes: [{%s}]}
`

const mixtureJoints = `
  upper: {mass: 0.3, pose: {xyz: [-0.3, 0, 0.3]}, joint: {type: revolute, parent: world, axis: [0, 1, 0], damping: 0.01, friction: 0.01, lower: -1, upper: 2}, shapes: [{box: {size: [0.1, 0.04, 0.04]}}]}
  lower: {mass: 0.3, pose: {xyz: [-0.15, 0, 0.3]}, joint: {type: revolute, parent: upper, axis: [0, 1, 0], point: [-0.07, 0, 0]}, no_contact: [upper], shapes: [{capsule: {radius: 0.02, length: 0.08}}]}
  slide: {mass: 0.5, pose: {xyz: [0.3, 0, 0.06]}, joint: {type: prismatic, parent: world, axis: [1, 0, 0], lower: -0.1, upper: 0.1}, shapes: [{box: {size: [0.1, 0.2, 0.1]}}]}
`

// write writes the scene: bodies fall in two layers, the deformable between them.
func (m *mixture) write(t *testing.T) (file string) {
	r := rand.New(rand.NewPCG(m.seed, 7))
	var b strings.Builder
	say := func(format string, a ...any) { fmt.Fprintf(&b, format, a...) }
	ground, law := "box: {size: [2, 2, 0.1]}, pose: {xyz: [0, 0, -0.05]}", m.soft
	if m.flat {
		ground = "half_space: {size: 2}"
	}
	if law == "" {
		law = "linear"
	}
	say(mixtureHead, m.step, m.solver, law, ground)
	for i := range 2 * len(mixtureShapes) {
		shape, material := mixtureShapes[i%len(mixtureShapes)], "default"
		if m.fields && (i/3)%2 == 0 {
			material = "field"
			if !strings.Contains(shape, "gear") {
				material += ", resolution_hint: 0.03"
			}
		}
		layer, place := i%2, i/2
		say("  b%d: {mass: %.3g, pose: {xyz: [%.3g, %.3g, %.3g], rpy: [%.3g, %.3g, %.3g]}, velocity: [%.3g, %.3g, %.3g], angular_velocity: [%.3g, 0, %.3g], shapes: [{%s, material: %s}]}\n",
			i, 0.1+r.Float64(), 0.11*float64(place%3)-0.11, 0.11*float64(place/3)-0.05, 0.055+0.16*float64(layer),
			r.Float64(), r.Float64(), r.Float64(), 0.5*r.NormFloat64(), 0.5*r.NormFloat64(), -r.Float64(), r.NormFloat64(), r.NormFloat64(), shape, material)
	}
	if m.joints {
		b.WriteString(mixtureJoints)
	}
	if m.soft != "" {
		say("deformables:\n  slab: {mesh: slab, material: soft, pose: {xyz: [0, 0, 0.135]}, velocity: [0, 0, -0.5], self_contact: true}\n")
	}
	if m.tie != "" {
		say("constraints:\n  tie: {%s: {a: b0, b: b2}}\n", m.tie)
	}
	file = filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// advance takes a step, which need not converge.
func advance(t *testing.T, s *sim.Stepper, x *sim.State, h float64) {
	t.Helper()
	if err := s.Step(x, h); err != nil && !errors.Is(err, sim.ErrNotConverged) {
		t.Fatal(err)
	}
}

// Whatever meets, the state has the same bits for any number of threads and from any
// state that was kept, whatever the stepper did before, and energy falls.
func TestMixturesRepeatBitForBitAndLoseEnergy(t *testing.T) {
	for _, m := range mixtures {
		t.Run(fmt.Sprintf("%d %s", m.seed, m.solver), func(t *testing.T) {
			if testing.Short() && m.seed != 2 && m.seed != 5 {
				t.Skip("long")
			}
			t.Parallel()
			sc, err := scene.Load(m.write(t), nil)
			if err != nil {
				t.Fatal(err)
			}
			const steps, middle, few = 32, 16, 4
			kept := m.history(t, sc, steps)
			for i, from := range []int{0, middle} {
				threads := 2 << i
				s, err := sim.NewStepper(sc.Model, sim.Options{Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				name := fmt.Sprint(threads, " threads")
				follow(t, name, s, kept[from:], m.step)
				follow(t, name+", sent back", s, kept[middle/2:][:few], m.step)
			}
		})
	}
}

// history steps on one core and keeps all states. Energy rises by no more than what
// friction that lags a step may give, and what the mixture is to show meets.
func (m *mixture) history(t *testing.T, sc *scene.Scene, steps int) (kept []*sim.State) {
	t.Helper()
	s, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := sc.Model.Start.Clone()
	kept = append(kept, x.Clone())
	total := sim.Energy{Kind: sim.Total}
	s.Place(x, m.step)
	start := total.Value(s, x)
	last := start
	points, faces, soft := 0, 0, 0
	for range steps {
		advance(t, s, x, m.step)
		for i, c := range s.Report.Contacts() {
			switch {
			case i >= s.Report.FirstFace:
				faces++
			case max(c.A.Body, c.B.Body) >= sc.Model.Geometry.NumRigid:
				soft++
			default:
				points++
			}
		}
		s.Place(x, m.step)
		energy := total.Value(s, x)
		if !(energy <= last+1e-3*start) { // NaN too
			t.Fatalf("step %d: energy is %g J, before it was %g J", x.Step, energy, last)
		}
		last = energy
		kept = append(kept, x.Clone())
	}
	if points == 0 || (faces > 0) != m.fields || (soft > 0) != (m.soft != "") || last > 0.9*start {
		t.Errorf("%d contacts of rigid bodies, %d faces of fields, %d contacts of the slab; energy went from %g to %g J: not what should meet", points, faces, soft, start, last)
	}
	return kept
}

// follow steps on from the first of the states kept and compares with the rest.
func follow(t *testing.T, what string, s *sim.Stepper, kept []*sim.State, h float64) {
	t.Helper()
	x := kept[0].Clone()
	for _, want := range kept[1:] {
		advance(t, s, x, h)
		if x.Hash() != want.Hash() {
			t.Fatalf("%s, from step %d: step %d differs", what, kept[0].Step, x.Step)
		}
	}
}
