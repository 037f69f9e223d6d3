package examples_test

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/scene"
)

const barrett = "barrett-finger/scene.yaml"

// Times of the phases, s: the motor stands and has wound the gear onto the washers;
// it turns evenly; the clutch has opened.
var (
	barrettLoaded = [2]float64{0.045, 0.05}
	barrettDrive  = [2]float64{0.08, 0.24}
	barrettFree   = [2]float64{0.31, 0.36}
)

// barrettPlay is the angle by which a wheel can turn while the motor stands: between
// the flanks of its worm, and with the worm whose gear turns between those of the
// motor's; backlashes of 15 µm each over pitch radii, rad.
const barrettPlay = 30e-6/12.5e-3 + 30e-6/6e-3/50

// barrettFacets is what facets, which lie inside of the flanks by up to 10 µm on worm and
// wheel, add to the play of a link that carries no load and floats from flank to flank, rad.
const barrettFacets = 4 * 10e-6 / 12.5e-3

// part makes the machine part of a mesh of the scene.
func part(t *testing.T, f *scene.File, mesh string) parts.Part {
	t.Helper()
	m := f.Meshes.Get(mesh)
	kind := m.Part.Keys[0]
	params := map[string][]float64{}
	for key, v := range m.Part.Get(kind).Item {
		params[key] = *v
	}
	p, err := parts.Make(kind, params)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Gears stand where involutes of their numbers of teeth roll on each other, with
// their teeth centred in the other's gaps.
func TestBarrettGearsMesh(t *testing.T) {
	sc, err := scene.Load(barrett, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := sc.File
	motor := f.Bodies.Get("motor")
	for _, g := range []struct {
		mesh, body string
		shape      int
	}{{"proximal_gear", "proximal_gear", 0}, {"distal_gear", "distal_worm", 1}} {
		pair, err := parts.NewPair(part(t, f, "pinion"), part(t, f, g.mesh))
		if err != nil {
			t.Fatal(err)
		}
		b := f.Bodies.Get(g.body)
		dx, dy := b.Pose.XYZ[0]-motor.Pose.XYZ[0], b.Pose.XYZ[1]-motor.Pose.XYZ[1]
		near(t, g.mesh+": distance of the axes", math.Hypot(dx, dy), pair.CenterDistance, 1e-9)
		turn := b.Shapes[g.shape].Pose.RPYDeg[2] * math.Pi / 180
		near(t, g.mesh+": turn", turn, pair.MateAt(math.Atan2(dy, dx), 0), 1e-8)
	}
	pair, err := parts.NewPair(part(t, f, "worm"), part(t, f, "wheel"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"proximal_worm", "distal_worm"} {
		near(t, name+": distance from the wheel's axis", -f.Bodies.Get(name).Pose.XYZ[0], pair.CenterDistance, 1e-9)
	}
	near(t, "a wheel turns by a tooth for each turn of its worm", 1/pair.Ratio, -50, 1e-9)
	near(t, "turn of the proximal wheel", f.Bodies.Get("proximal_link").Shapes[0].Pose.RPYDeg[1], -pair.Mate(0)*180/math.Pi, 1e-6)
	// both wheels are on one axis, the distal one turned with its link at the start
	wheel := f.Bodies.Get("distal_wheel")
	start := wheel.Joint.Position[0] * 180 / math.Pi
	near(t, "turn of the distal wheel", wheel.Shapes[0].Pose.RPYDeg[1], -pair.Mate(0)*180/math.Pi-start, 1e-6)
}

// until steps to a time.
func (r *trial) until(time float64) *trial {
	r.t.Helper()
	for r.x.Time < time-r.h/2 {
		r.next()
	}
	return r
}

// over returns the samples of a signal in a span of time.
func (r *trial) over(signal string, span [2]float64) []float64 {
	i, j := int(math.Round(span[0]/r.h)), int(math.Round(span[1]/r.h))
	return r.history[signal][i : j+1]
}

func meanOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func rangeOf(x []float64) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	return hi - lo
}

func medianOf(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return x[len(x)/2]
}

// change is by how much a signal grows over a span of time.
func (r *trial) change(signal string, span [2]float64) float64 {
	return r.at(signal, span[1]) - r.at(signal, span[0])
}

// The finger goes through its phases: wound onto the washers with 0.6 N cm at the
// motor, the gear takes the proximal link along by 125:1 while the distal wheel
// turns by 93.75:1, until the link meets the obstacle and the clutch transmits μFr − Fp/2π
// of the μFr + Fp/2π that it was wound up with; then the distal link moves alone.
func TestBarrettFingerLoadsDrivesAndBreaksAway(t *testing.T) {
	if testing.Short() {
		t.Skip("some ten seconds")
	}
	t.Parallel()
	r := begin(t, barrett).until(0.36)

	const load = 2.5 * 0.6 // N cm on the proximal gear
	near(t, "torque of the wheel on the loaded worm", meanOf(r.over("torque_wheel_Ncm", barrettLoaded)), load, 0.01*load)
	// 50 µm at rest; the momentum of the gear winds it farther, as steps of 0.025 ms show
	near(t, "washers squeezed", meanOf(r.over("clutch_gap", barrettLoaded)), -55.4e-6, 2e-6)
	if opened := r.change("distal_angle", [2]float64{0, 0.05}); !(opened < -0.02) {
		t.Errorf("the distal link opens by %.3g rad while the clutch is wound up", -opened)
	}

	motor := r.change("motor_angle", barrettDrive)
	proximal, distal := r.change("proximal_angle", barrettDrive), r.change("distal_angle", barrettDrive)
	near(t, "way of the proximal link", proximal, motor/125, barrettPlay)
	near(t, "way of the distal wheel", proximal+distal, motor/93.75, barrettPlay)
	near(t, "motor's speed", meanOf(r.over("motor_speed", barrettDrive)), 200, 2)

	touch := r.first("proximal_angle", func(q float64) bool { return q > 17.9*math.Pi/180 })
	near(t, "obstacle met at", touch, 0.26, 0.01)
	if slip := rangeOf(r.over("proximal_gear_angle", [2]float64{0.06, touch})); slip > 0.01 {
		t.Errorf("before the obstacle the gear turns on its thread by %.3g rad", slip)
	}
	release, when := r.most("torque_clutch_Ncm")
	near(t, "torque of the clutch at release", release, 0.961*load, 0.1*load)
	open := r.first("proximal_gear_angle", func(q float64) bool { return q > 0 })
	if !(touch < when && when < open && open < 0.3) {
		t.Errorf("obstacle met at %g s, largest clutch torque at %g s, clutch open at %g s", touch, when, open)
	}

	near(t, "wheel's torque on the open drive", meanOf(r.over("torque_wheel_Ncm", barrettFree)), 0, 0.01)
	if moved := rangeOf(r.over("proximal_angle", barrettFree)); moved > 1e-4 {
		t.Errorf("the proximal link, locked by its worm, moves by %.3g rad", moved)
	}
	near(t, "way of the distal link alone", r.change("distal_angle", barrettFree), r.change("motor_angle", barrettFree)/93.75, barrettPlay+barrettFacets)

	near(t, "contacts a step", meanOf(r.history["contacts"]), 1100, 250)
	barrettSpectrum(t, r, begin(t, barrett, "gravity=[0, 0, 1e-6]").until(0.36), begin(t, barrett, "gravity=[0, 0, 2e-6]").until(0.36))
}

// barrettSpectrum looks for the line of the gears' teeth in the clutch's torque: 16
// for each turn of the motor. The power of the line, mean over runs that differ by
// rounding errors only, is at least 9 times the median of that up to 100 Hz beside it.
// In a single run the ratio scatters between 3 and 160, as teeth and threads rattle; the
// mean of three noise spectra reaches 9 with a probability of about 1e-8.
func barrettSpectrum(t *testing.T, runs ...*trial) {
	t.Helper()
	var power, frequency []float64
	resolution, hz := 0.0, 0.0
	for _, r := range runs {
		hz += 16 * meanOf(r.over("motor_speed", barrettDrive)) / (2 * math.Pi) / float64(len(runs))
		x := r.over("torque_clutch_Ncm", barrettDrive)
		points := make([][2]float64, len(x))
		for i := range x {
			points[i] = [2]float64{float64(i) * r.h, x[i]}
		}
		s, err := render.NewSpectrum(points)
		if err != nil {
			t.Fatal(err)
		}
		if power == nil {
			power, frequency, resolution = make([]float64, len(s.Amplitude)), s.Frequency, s.Resolution
		}
		for i, a := range s.Amplitude {
			power[i] += a * a / float64(len(runs))
		}
	}
	peak, beside := 0.0, []float64(nil)
	for i, f := range frequency {
		switch d := math.Abs(f - hz); {
		case d <= resolution:
			peak = math.Max(peak, power[i])
		case d > 2*resolution && d < 100:
			beside = append(beside, power[i])
		}
	}
	if m := medianOf(beside); !(peak > 9*m) {
		t.Errorf("torque of the clutch at %.4g Hz: power %.3g (N cm)², want 9 times the %.3g beside", hz, peak, m)
	}
}

// A motor that cannot give the torque of release stands at the obstacle, and the
// clutch holds.
func TestBarrettClutchHoldsAWeakMotor(t *testing.T) {
	if testing.Short() {
		t.Skip("some ten seconds")
	}
	t.Parallel()
	r := begin(t, barrett, "drives.motor.effort.values=[0.006, 0.006, 0.0055]").until(0.34)
	stalled := [2]float64{0.3, 0.34}
	near(t, "motor's speed", meanOf(r.over("motor_speed", stalled)), 0, 1)
	near(t, "torque of the wheel", meanOf(r.over("torque_wheel_Ncm", stalled)), -2.5*0.55, 0.02)
	if gap := r.last("clutch_gap"); gap > -45e-6 {
		t.Errorf("the clutch opens: gap %.3g m", gap)
	}
}

// Similar friction keeps sliding surfaces μ h v apart, on both flanks of a thread: with
// less play than that the wheel binds in its worm, where Lagged friction runs free.
func TestBarrettWormBindsUnderSimilarFriction(t *testing.T) {
	if testing.Short() {
		t.Skip("some ten seconds")
	}
	t.Parallel()
	span := [2]float64{0.08, 0.12}
	force := map[string]float64{}
	for _, law := range []string{"lagged", "similar"} {
		r := begin(t, barrett, "solver.contact="+law,
			"meshes.worm.part.worm.backlash=5e-6", "meshes.wheel.part.worm_wheel.backlash=5e-6").until(0.12)
		force[law] = meanOf(r.over("distal_mesh_N", span))
	}
	if !(force["similar"] > 10*force["lagged"]) {
		t.Errorf("mean normal force in the distal worm: %.3g N with Similar, %.3g N with Lagged friction", force["similar"], force["lagged"])
	}
}
