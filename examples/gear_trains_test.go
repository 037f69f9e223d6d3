package examples_test

// Random trains of gears: the first wheel is turned, suddenly or smoothly, the last is loaded or idle. No wheel
// may pass a tooth of its neighbour, and contact may give no energy. A few trains of a fixed seed run in every
// test; CURLFREE_LONG=1 runs hundreds of a fresh seed, which is logged; CURLFREE_SEED and CURLFREE_TRAINS set both.

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

	"github.com/curlfree/curlfree/sim"
)

// train is a row of equal spur gears of 1 mm module, whose first turns twice a second.
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
	trainRate     = 2.0 // turns a second
	trainBacklash = 2e-5
	trainChord    = 1e-5 // by which facets leave a flank, m
	pitchRadius   = trainTeeth * 1e-3 / 2
)

// newTrain draws train i of a seed.
func newTrain(seed, i uint64) train {
	r := rand.New(rand.NewPCG(seed, i))
	g := train{
		wheels: 2 + int(19*math.Pow(r.Float64(), 2)), steps: 10 + r.IntN(41), teeth: 3, widths: [2]float64{5e-3, 5e-3},
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
	fault   string
	refuses bool // an error named a pair
	parts   int
	gained  float64 // largest rise of the energy beyond work, over the largest energy that there was
	apart   float64 // largest angle by which two wheels left their ratio, beyond what teeth are pressed in, rad
}

// run runs the train.
func (g train) run(t *testing.T) (res trainRun) {
	file := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(file, []byte(g.scene()), 0o644); err != nil {
		t.Fatal(err)
	}
	r := begin(t, file)
	defer r.step.Close()
	inertia := g.inertias(r)
	angles := append([]float64{0}, r.x.Q...)
	work, least, most := 0.0, 0.0, 0.0
	for k := range g.length() {
		if err := r.step.Step(r.x, r.h); err != nil {
			res.refuses = strings.Contains(err.Error(), "gear")
			res.fault = fmt.Sprintf("step %d: %v", k, err)
			return res
		}
		r.x.Time = float64(r.x.Step) * r.h
		r.step.Place(r.x, r.h)
		r.read()
		report := &r.step.Report
		res.parts += report.Parts
		// energy of the wheels and of fields, less the work of motor and brake
		last := len(angles) - 1
		work += -r.last("motor")*(g.turned(k+1)-g.turned(k)) + g.brake()*(r.x.Q[last-1]-angles[last])
		kinetic := 0.0
		for i, w := range r.x.V {
			kinetic += inertia[i] * w * w / 2
		}
		stored := g.stored(r)
		most = max(most, kinetic+stored)
		// without fields what points store is not known: they may give back what they got
		balance := kinetic + stored - work
		if g.fields {
			res.gained = max(res.gained, balance-least)
			least = min(least, balance)
		} else {
			res.gained = max(res.gained, balance)
		}
		if os.Getenv("DBG") != "" {
			fmt.Printf("k %d parts %d kin %.4g U %.4g work %.4g bal %.4g least %.4g rise %.4g pen %.3g V %.4g\n", k, report.Parts, kinetic, stored, work, balance, least, balance-least, report.Penetration, r.x.V)
		}
		// ratios of neighbours, but for what they have of backlash and are pressed in
		angles[0] = g.turned(k + 1)
		copy(angles[1:], r.x.Q)
		play := (trainBacklash + 2*trainChord + report.Penetration) / (pitchRadius * math.Cos(math.Pi/9))
		for i := range g.wheels - 1 {
			apart := math.Abs(angles[i] + angles[i+1])
			if os.Getenv("DBG") != "" && apart > play {
				fmt.Printf("  pair %d apart %.4g play %.4g\n", i, angles[i]+angles[i+1], play)
			}
			res.apart = max(res.apart, apart-play)
			if apart > math.Pi/trainTeeth {
				res.fault = fmt.Sprintf("step %d: gear%d and gear%d left their ratio by %.3g rad: a tooth jumped", k, i, i+1, apart)
				return res
			}
		}
	}
	res.gained /= most
	return res
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

// stored returns the energy of all pressure fields, J.
func (g train) stored(r *trial) (energy float64) {
	r.step.ContactsAt(r.x, r.h)
	for i := range r.step.Geometry.NumSurfacePairs() {
		energy += r.step.Geometry.EnergyAtStart(i)
	}
	return energy
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

func TestTrainsOfGearsKeepTheirRatio(t *testing.T) {
	seed, n := trains(t, 8)
	for i := range n {
		g := newTrain(seed, uint64(i))
		start := time.Now()
		res := g.run(t)
		t.Logf("train %d: %v: %d parts, %.3g gained, %.3g rad apart, %v %s", i, g, res.parts, res.gained, res.apart, time.Since(start).Round(time.Millisecond), res.fault)
		switch {
		case res.refuses:
		case res.fault != "":
			t.Errorf("train %d: %v: %s", i, g, res.fault)
		case res.gained > 0.01:
			t.Errorf("train %d: %v: gains %.3g of its energy", i, g, res.gained)
		case res.apart > 1e-3:
			t.Errorf("train %d: %v: wheels leave their ratio by %.3g rad", i, g, res.apart)
		}
	}
	_ = sim.Options{}
}

func TestOneTrainZZ(t *testing.T) {
	i, _ := strconv.Atoi(os.Getenv("TRAIN"))
	g := newTrain(1, uint64(i))
	res := g.run(t)
	t.Logf("%v %+v", g, res)
}
