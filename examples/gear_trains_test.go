package examples_test

// Random trains of gears: the first wheel is turned, suddenly or smoothly, the last is loaded or idle. No wheel
// may pass a tooth of its neighbour, and contact may give no energy, unless the step is refused by an error that names
// both. A few trains of a fixed seed run in every test; CURLFREE_LONG=1 runs hundreds of a fresh seed, which is logged;
// CURLFREE_SEED and CURLFREE_TRAINS set both.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// train is a row of equal spur gears of 1 mm module, whose first turns once a second.
type train struct {
	wheels      int
	steps       int        // a tooth
	teeth       int        // that pass in the run, after a smooth start
	widths      [2]float64 // of wheels in turn, m
	load        float64    // N m
	smooth      bool
	fields      bool // pressure fields, else points
	dissipation float64
}

const (
	trainTeeth    = 20
	trainRate     = 1.0 // turns a second
	trainBacklash = 2e-5
	trainChord    = 1e-5 // by which facets leave a flank, m
	pitchRadius   = trainTeeth * 1e-3 / 2
)

// newTrain draws train i of a seed.
func newTrain(seed, i uint64) train {
	r := rand.New(rand.NewPCG(seed, i))
	g := train{
		wheels: 2 + int(19*math.Pow(r.Float64(), 2)), steps: 10 + r.IntN(41), teeth: 2, widths: [2]float64{5e-3, 5e-3},
		smooth: r.IntN(2) == 0, fields: r.IntN(4) > 0, dissipation: 50 * r.Float64(),
	}
	if r.IntN(2) == 0 {
		g.load = 0.005 * math.Exp(r.Float64()*math.Log(20))
	}
	if r.IntN(2) == 0 {
		g.widths[r.IntN(2)] = 4e-3
	}
	if r.IntN(4) == 0 {
		g.dissipation = 0
	}
	return g
}

// String describes the train.
func (g train) String() string {
	return fmt.Sprintf("%d wheels of %g and %g mm, %d steps a tooth, load %.3g N m, smooth start %v, fields %v, dissipation %.3g",
		g.wheels, 1e3*g.widths[0], 1e3*g.widths[1], g.steps, g.load, g.smooth, g.fields, g.dissipation)
}

// step returns the time step, s.
func (g train) step() float64 { return 1 / (trainTeeth * trainRate * float64(g.steps)) }

// turned returns the angle of the first wheel at a step, rad: a smooth start takes the time of two teeth.
func (g train) turned(step int) float64 {
	perStep, ramp := 2*math.Pi/trainTeeth/float64(g.steps), 2*g.steps
	if !g.smooth {
		return perStep * float64(step)
	}
	k := float64(min(step, ramp))
	return perStep * (k*k/(2*float64(ramp)) + float64(max(0, step-ramp)))
}

// length returns the number of steps.
func (g train) length() int {
	n := g.teeth * g.steps
	if g.smooth {
		n += 2 * g.steps
	}
	return n
}

// scene returns the scene file.
func (g train) scene() string {
	var b strings.Builder
	h := g.step()
	soft := ""
	if g.fields {
		soft = "hydroelastic_modulus: 1e9, "
	}
	fmt.Fprintf(&b, "time: {step: %g, duration: %g}\ngravity: [0, 0, 0]\nsolver: {hydroelastic_margin: 1e-5}\nmaterials:\n", h, h*float64(g.length()))
	fmt.Fprintf(&b, "  hard: {friction: 0, density: 7850, dissipation: %g}\n  soft: {%sfriction: 0, density: 7850, dissipation: %g}\nmeshes:\n", g.dissipation, soft, g.dissipation)
	for i, layers := range []string{"", ", layers: 2, across: 2"} {
		fmt.Fprintf(&b, "  wheel%d: {part: {spur: {module: 1e-3, teeth: %d, face_width: %g, backlash: %g, chord: %g%s}}}\n",
			i, trainTeeth, g.widths[i], trainBacklash, trainChord, layers)
	}
	b.WriteString("bodies:\n")
	for i := range g.wheels {
		fmt.Fprintf(&b, "  gear%d:\n    pose: {xyz: [%g, 0, 0], rpy_deg: [0, 0, %d]}\n", i, 2*pitchRadius*float64(i), i%2*180/trainTeeth)
		fmt.Fprintf(&b, "    shapes: [{mesh: {mesh: wheel%d}, material: %s, resolution_hint: 0.01}]\n", i%2, [2]string{"hard", "soft"}[i%2])
		if i > 0 {
			b.WriteString("    joint: {type: revolute, axis: [0, 0, 1]}\n")
		}
	}
	var times, values []string
	for k := range g.length() + 1 {
		times, values = append(times, fmt.Sprint(h*float64(k))), append(values, fmt.Sprint(g.turned(k)))
	}
	fmt.Fprintf(&b, "drives:\n  motor: {body: gear0, axis: [0, 0, 1], angle: {times: [%s], values: [%s], smooth: false}}\n", strings.Join(times, ", "), strings.Join(values, ", "))
	fmt.Fprintf(&b, "  brake: {joint: gear%d, kp: 0, kd: 0, feed_forward: %g}\n", g.wheels-1, g.brake())
	b.WriteString("signals:\n  motor: {body: gear0, contact_moment: z}\n")
	return b.String()
}

// brake returns the torque on the last wheel, against its rotation, N m.
func (g train) brake() float64 { return -math.Pow(-1, float64(g.wheels-1)) * g.load }

// trainRun is what came of a train.
type trainRun struct {
	fault  string  // what is wrong, or ""
	pair   bool    // the fault is an error that names two wheels that mesh
	parts  int     // of steps that were divided
	gained float64 // largest rise of the energy beyond work, over the energy of the wheels and of fields and what the motor gave
	apart  float64 // largest angle by which two wheels left their ratio, beyond what backlash and overlap allow, rad
	depth  float64 // deepest overlap, m
}

// run runs the train.
func (g train) run(t *testing.T) (res trainRun) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(file, []byte(g.scene()), 0o644); err != nil {
		t.Fatal(err)
	}
	r := begin(t, file)
	defer r.step.Close()
	inertia, angles := g.inertias(r), append([]float64{0}, r.x.Q...)
	given, work, least, most := 0.0, 0.0, 0.0, 0.0
	for k := range g.length() {
		if err := r.step.Step(r.x, r.h); err != nil {
			res.fault, res.pair = fmt.Sprintf("step %d: %v", k, err), g.namesPair(err)
			return res
		}
		r.x.Time = float64(r.x.Step) * r.h
		r.step.Place(r.x, r.h)
		r.read()
		res.parts += r.step.Report.Parts
		// the energy of the wheels and of fields, less the work of motor and brake
		last := g.wheels - 1
		motor := -r.last("motor") * (g.turned(k+1) - angles[0])
		given += math.Abs(motor)
		work += motor + g.brake()*(r.x.Q[last-1]-angles[last])
		energy, depth := g.pressed(r)
		for i, w := range r.x.V {
			energy += inertia[i] * w * w / 2
		}
		most = max(most, energy)
		if rise := energy - work - least; given > 0 {
			res.gained = max(res.gained, rise/(most+given))
		}
		if least = min(least, energy-work); !g.fields {
			least = 0 // what points store is not known: they may give back what they got
		}
		// ratios of neighbours
		angles[0] = g.turned(k + 1)
		copy(angles[1:], r.x.Q)
		res.depth = max(res.depth, depth)
		play := (trainBacklash + 2*trainChord + depth) / (pitchRadius * math.Cos(math.Pi/9))
		for i := range last {
			apart := math.Abs(angles[i] + angles[i+1])
			if res.apart = max(res.apart, apart-play); apart > math.Pi/trainTeeth {
				res.fault = fmt.Sprintf("step %d: gear%d and gear%d left their ratio by %.3g rad: a tooth jumped", k, i, i+1, apart)
				return res
			}
		}
	}
	return res
}

// namesPair reports whether an error names two wheels that mesh.
func (g train) namesPair(err error) bool {
	for i := range g.wheels - 1 {
		if a, b := fmt.Sprintf("gear%d ", i), fmt.Sprintf("gear%d ", i+1); strings.Contains(err.Error(), a) && strings.Contains(err.Error(), b) {
			return true
		}
	}
	return false
}

// inertias returns the moments of inertia of the wheels that turn freely, kg m².
func (g train) inertias(r *trial) []float64 {
	x := r.x.Clone()
	at := func() float64 {
		r.step.Place(x, r.h)
		return r.step.KineticEnergy(x)
	}
	rest := at()
	I := make([]float64, len(x.V))
	for i := range x.V {
		x.V[i] = 1
		I[i] = 2 * (at() - rest)
		x.V[i] = 0
	}
	r.step.Place(r.x, r.h)
	return I
}

// pressed returns the energy of all pressure fields (J) and the deepest overlap (m) at the present state.
func (g train) pressed(r *trial) (energy, depth float64) {
	for _, c := range r.step.ContactsAt(r.x, r.h) {
		depth = max(depth, -c.Phi)
	}
	for i := range r.step.Geometry.NumSurfacePairs() {
		energy += r.step.Geometry.EnergyAtStart(i)
	}
	for _, c := range r.step.Geometry.HydroelasticContacts() {
		for k := range c.Surface.Faces {
			depth = max(depth, c.Surface.Faces[k].Depth)
		}
	}
	return energy, depth
}

// trains returns the seed and the number of trains of a test.
func trains(t *testing.T, few int) (seed uint64, n int) {
	seed, n = 1, few
	if os.Getenv("CURLFREE_LONG") != "" {
		seed, n = uint64(time.Now().UnixNano()), 300
	}
	if v, err := strconv.ParseUint(os.Getenv("CURLFREE_SEED"), 10, 64); err == nil {
		seed = v
	}
	if v, err := strconv.Atoi(os.Getenv("CURLFREE_TRAINS")); err == nil {
		n = v
	}
	t.Logf("seed %d, %d trains", seed, n)
	return seed, n
}

// check runs a train and reports what is wrong with it.
func (g train) check(t *testing.T) {
	t.Helper()
	switch res := g.run(t); {
	case res.pair:
		t.Logf("%v: refused: %s", g, res.fault)
	case res.fault != "":
		t.Errorf("%v: %s", g, res.fault)
	case res.gained > 0.01 || res.apart > 5e-4 || res.depth > 0.2e-3:
		t.Errorf("%v: gains %.3g of its energy, wheels leave their ratio by %.3g rad beyond their play, %.3g mm deep", g, res.gained, res.apart, 1e3*res.depth)
	default:
		t.Logf("%v: %d parts, gains %.2g, %.2g rad apart, %.3g mm deep", g, res.parts, res.gained, res.apart, 1e3*res.depth)
	}
}

func TestTrainsOfGearsKeepTheirRatio(t *testing.T) {
	few := 7
	if testing.Short() {
		few = 2
	}
	seed, n := trains(t, few)
	for i := range n {
		t.Run(fmt.Sprint(i), newTrain(seed, uint64(i)).check)
	}
}

// Trains whose first wheel turns at once: a chain of impacts runs through them within a step. Five idle wheels reached
// 117 rad/s instead of 6.28, and loaded wheels jumped by teeth.
func TestSuddenStartsOfTrainsJumpNoTeeth(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, g := range []train{
		{wheels: 6, steps: 25, teeth: 4, widths: [2]float64{5e-3, 4e-3}, fields: true, dissipation: 10},
		{wheels: 6, steps: 25, teeth: 4, widths: [2]float64{5e-3, 4e-3}, fields: true, dissipation: 10, load: 0.05},
		{wheels: 6, steps: 12, teeth: 4, widths: [2]float64{5e-3, 4e-3}, fields: true, dissipation: 10, load: 0.05},
		{wheels: 20, steps: 25, teeth: 1, widths: [2]float64{5e-3, 4e-3}, fields: true, dissipation: 10, load: 0.05},
		{wheels: 18, steps: 26, teeth: 1, widths: [2]float64{4e-3, 5e-3}, dissipation: 27, load: 0.0733},
	} {
		res := g.run(t)
		t.Logf("%v: %+v", g, res)
		if res.fault != "" || res.gained > 0.01 || res.apart > 5e-4 || res.depth > 0.2e-3 {
			t.Errorf("%v: %+v", g, res)
		}
	}
}
