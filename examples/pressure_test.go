package examples_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// largest is the largest magnitude of a signal from a time on.
func (r *trial) largest(signal string, from float64) float64 {
	r.t.Helper()
	if r.history[signal] == nil {
		r.t.Fatalf("no signal %s", signal)
	}
	most := 0.0
	for i, v := range r.history[signal] {
		if r.history["time_s"][i] >= from-1e-9 {
			most = math.Max(most, math.Abs(v))
		}
	}
	return most
}

// below reports a number above a bound, or NaN.
func below(t *testing.T, what string, got, bound float64) {
	t.Helper()
	if !(got <= bound) {
		t.Errorf("%s: %.4g, want at most %.4g", what, got, bound)
	}
}

// Flat on flat: ideal cubes lie still from 0.01 to 10 MPa a centimetre, at any
// step, and where they lie after a second they lie after two. Friction holds a part of what soft cubes sink, which is
// gone after a second where it creeps by 0.1 mm/s.
func TestPlacedAndDroppedCubesLieStill(t *testing.T) {
	starts := map[string][]string{
		"placed":  nil,
		"dropped": {"bodies.lower.pose.xyz.2=0.051", "bodies.upper.pose.xyz.2=0.152"},
	}
	for name, set := range starts {
		for _, E := range []float64{1e5, 1e6, 1e7, 1e8, 1e9} {
			for _, h := range []float64{1e-3, 5e-3, 1e-2} {
				t.Run(fmt.Sprintf("%s/%g/%g", name, E, h), func(t *testing.T) {
					t.Parallel()
					set := append([]string{"time.duration=2", "solver.stiction_tolerance=1e-4", fmt.Sprint("time.step=", h), fmt.Sprint("materials.cube.hydroelastic_modulus=", E)}, set...)
					r := begin(t, "resting-cube/scene.yaml", set...).run()
					below(t, "speed", r.largest("speed", 1), 1e-6)
					below(t, "drift", r.largest("rise_m", 1), 1e-7)
					below(t, "tilt", r.largest("tilt_rad", 0), 1e-12)
					// Both cubes give alike where they meet, each by half.
					near(t, "sinks", 0.15-r.last("z"), 2*9.81*0.05/(E*0.01)*(1+1), 0.02*2*2*9.81*0.05/(E*0.01))
				})
			}
		}
	}
}

// What is put askew or pushed comes to rest too. Friction then holds a tilt of its
// own, which creeps, by its stiction tolerance times a share that grows with how
// far the cubes sink: 1 mm each at 0.1 MPa, which need four seconds.
func TestTiltedAndPushedCubesComeToRest(t *testing.T) {
	starts := map[string][]string{
		"tilted": {"bodies.lower.pose.xyz.2=0.0509", "bodies.upper.pose.xyz.2=0.1518", "bodies.upper.pose.rpy_deg=[0, 1, 0]"},
		"both":   {"bodies.lower.pose.xyz.2=0.0515", "bodies.upper.pose.xyz.2=0.1535", "bodies.lower.pose.rpy_deg=[0.7, 0.7, 0]"},
		"pushed": {"bodies.lower.velocity=[0.1, 0.05, 0]", "bodies.upper.velocity=[0.2, 0, 0]"},
	}
	for name, set := range starts {
		for _, E := range []float64{1e5, 1e6, 1e7, 1e8, 1e9} {
			for _, h := range []float64{1e-3, 5e-3, 1e-2} {
				if E < 1e6 && h < 5e-3 {
					continue // for time
				}
				t.Run(fmt.Sprintf("%s/%g/%g", name, E, h), func(t *testing.T) {
					t.Parallel()
					quiet := 1.0
					if E < 1e6 {
						quiet = 4
					}
					set := append([]string{fmt.Sprint("time.duration=", quiet+0.5), fmt.Sprint("time.step=", h), "solver.stiction_tolerance=1e-5",
						fmt.Sprint("materials.cube.hydroelastic_modulus=", E)}, set...)
					r := begin(t, "resting-cube/scene.yaml", set...).run()
					below(t, "speed", r.largest("speed", quiet), 1e-6)
					below(t, "energy", r.most0("energy_J"), 0)
				})
			}
		}
	}
}

// most0 is by how much a signal ever exceeds its start.
func (r *trial) most0(signal string) float64 {
	most, _ := r.most(signal)
	return most - r.history[signal][0]
}

// What a second has settled stays, but for a ten-thousandth of how deep cubes sink; friction creeps by 0.1 mm/s, as
// above.
func TestCubesAndPlatesDoNotDriftInTwentySeconds(t *testing.T) {
	for file, material := range map[string]string{"resting-cube/scene.yaml": "cube", "two-plates/scene.yaml": "plate"} {
		for _, E := range []float64{1e5, 1e6, 1e7, 1e8, 1e9} {
			for _, h := range []float64{1e-3, 5e-3, 1e-2} {
				if (h < 5e-3 || testing.Short()) && E != 1e7 {
					continue // for time
				}
				t.Run(fmt.Sprintf("%s/%g/%g", file, E, h), func(t *testing.T) {
					t.Parallel()
					r := begin(t, file, "solver.stiction_tolerance=1e-4", fmt.Sprint("time.step=", h), fmt.Sprintf("materials.%s.hydroelastic_modulus=%g", material, E)).run()
					below(t, "speed", r.largest("speed", 1), 1e-6)
					below(t, "rise", r.largest("rise_m", 1), max(1e-9, 1e-4*4*9.81*0.05/(E*0.01)))
					below(t, "sideways", r.largest("upper_x", 0), 1e-12)
					below(t, "tilt", r.largest("tilt_rad", 0), 1e-12)
				})
			}
		}
	}
}

// No step of a collision makes energy, and pressure fields bring back what they
// took: without dissipation in the material the loss is the step's, and friction's.
func TestThrownCubesGainNoEnergy(t *testing.T) {
	kept := map[float64]float64{}
	for _, E := range []float64{1e6, 1e7, 1e8, 1e9} {
		for _, rpy := range []string{"[0, 0, 0]", "[0.4, 0.3, 0.7]", "[0, 0.01, 0]"} {
			for _, h := range []float64{2e-4, 5e-4, 1e-3, 1e-2} {
				r := begin(t, "resting-cube/thrown.yaml", fmt.Sprint("time.step=", h), "bodies.right.pose.rpy="+rpy,
					fmt.Sprint("materials.cube.hydroelastic_modulus=", E)).run()
				name := fmt.Sprintf("%g Pa, %s, step %g s", E, rpy, h)
				below(t, name+": gain", r.most0("energy_J"), 1e-9)
				near(t, name+": momentum", r.last("px"), -2, 1e-9)
				below(t, name+": momentum aside", r.largest("py", 0)+r.largest("pz", 0), 1e-9)
				if E == 1e6 {
					kept[h] += r.last("energy_J") / 3
				}
			}
		}
	}
	if !(kept[2e-4] > kept[1e-3] && kept[1e-3] > kept[1e-2]) {
		t.Errorf("shorter steps do not lose less: %v", kept)
	}
}

// The pressure of a sphere pressed in by δ integrates to
// 2π E ((R² − c²)/2 − (R³ − c³)/(3 R)), c = R − δ; its facets lie inside.
func TestPressedSphereAnswersWithItsFieldAtSecondOrder(t *testing.T) {
	t.Parallel()
	const E, R = 1e6, 0.05
	force := func(depth float64) float64 {
		c := R - depth
		return 2 * math.Pi * E * ((R*R-c*c)/2 - (R*R*R-c*c*c)/(3*R))
	}
	depths := []float64{0.25, 0.5, 0.75, 1} // s, at 10.53 mm a second
	errors := map[float64][]float64{}
	for _, size := range []float64{0.012, 0.006, 0.003} {
		r := begin(t, "sphere-plate/scene.yaml", "time.step=5e-3", fmt.Sprint("bodies.sphere.shapes.0.resolution_hint=", size)).run()
		for _, at := range depths {
			depth := r.at("depth", at)
			errors[size] = append(errors[size], r.at("force_N", at)/force(depth)-1)
		}
		below(t, "aside", r.largest("side_N", 0), 1e-9)
		near(t, "area", r.last("area"), math.Pi*(R*R-(R-0.01)*(R-0.01)), 2.8e-3*9*size)
	}
	for i, at := range depths {
		for _, size := range []float64{0.012, 0.006} {
			if rate := math.Log2(errors[size][i] / errors[size/2][i]); !(rate > 1.6 && rate < 2.5) {
				t.Errorf("depth %g mm, %g mm to half: order %.2f (errors %v)", 10*at/0.95, 1e3*size, rate, errors)
			}
		}
		below(t, "finest", math.Abs(errors[0.003][i]), 0.025)
	}
	below(t, "finest, deepest", math.Abs(errors[0.003][3]), 0.007)
}

func TestHertzSphereAnswersWithHisForce(t *testing.T) {
	r := begin(t, "sphere-plate/hertz.yaml").run()
	for i, depth := range r.history["depth"] {
		if i > 0 {
			want := 4.0 / 3 * 1e6 * math.Sqrt(0.05) * math.Pow(depth, 1.5)
			near(t, fmt.Sprintf("at %g m", depth), r.history["force_N"][i], want, 1e-9*want)
		}
	}
}

// A peg beside its hole, askew, is pushed in; how finely its pressure is resolved
// does not matter.
func TestPegEntersItsHole(t *testing.T) {
	for _, c := range []struct{ x, tilt float64 }{{0, 0}, {0.0008, 0.0175}, {-0.0008, 0.0175}, {0.0008, -0.01}} {
		for _, size := range []float64{0.02, 0.05} {
			t.Run(fmt.Sprint(c, size), func(t *testing.T) {
				t.Parallel()
				set := []string{"time.step=2e-3", fmt.Sprint("bodies.peg.joint.position=", c.tilt), fmt.Sprint("bodies.peg.joint.rest=", c.tilt),
					fmt.Sprint("bodies.peg.shapes.0.resolution_hint=", size), fmt.Sprint("bodies.holder.shapes.0.resolution_hint=", size)}
				for _, b := range []string{"slide", "across", "aside", "askew", "peg"} {
					set = append(set, fmt.Sprintf("bodies.%s.pose.xyz.0=%g", b, c.x))
				}
				r := begin(t, "peg-hole/scene.yaml", set...).run()
				near(t, "depth", r.last("depth"), 0.04, 2e-4)
				below(t, "normal force", r.largest("normal_N", 0), 6)
				below(t, "aside", math.Abs(r.last("peg_x")), 1e-3)
			})
		}
	}
}

// A peg whose weight acts at an arm e hangs in a ring by friction where 2 μ e > a,
// however heavy it is: a is the distance along the peg of the places where it
// touches, the ring's length and, at the tilt of 0.02, the hole's share of it. That
// they are not quite at the ends of the ring, as the peg gives, makes it hang from
// 0.95 on.
func TestPegJamsByItsArm(t *testing.T) {
	for _, mu := range []float64{0.3, 0.5} {
		for _, load := range []float64{0.8, 1.02} {
			t.Run(fmt.Sprint(mu, load), func(t *testing.T) {
				t.Parallel()
				r := begin(t, "peg-hole/jam.yaml", fmt.Sprint("bodies.peg.com.0=", load*0.0204/(2*mu)),
					fmt.Sprint("materials.peg.friction=", mu), fmt.Sprint("materials.ring.friction=", mu)).run()
				if v := -r.last("vz"); load > 1 && !(math.Abs(v) < 1e-3) || load < 1 && !(v > 0.01) {
					t.Errorf("2 μ e/a = %g: %g m/s", load, v)
				}
			})
		}
	}
}

// At 50 m/s the bullet would be through the plate within a step.
func TestBulletIsStoppedByThePlate(t *testing.T) {
	for _, file := range []string{"fast-bullet/scene.yaml", "fast-bullet/points.yaml"} {
		for _, v := range []string{"[50, 0, 0]", "[300, 0, 0]", "[50, 3, -2]", "[20, 1, 1]"} {
			for _, h := range []float64{1e-2, 1e-3} {
				r := begin(t, file, "bodies.bullet.velocity="+v, fmt.Sprint("time.step=", h), "time.duration=0.1").run()
				name := fmt.Sprintf("%s, %s m/s, step %g s", file, v, h)
				most, _ := r.most("x")
				below(t, name+": place", most, -0.009)
				below(t, name+": energy", r.most0("energy_J"), 1e-9)
				below(t, name+": speed", math.Abs(r.last("vx")), 1)
			}
		}
	}
}

// Results do not depend on the number of threads.
func TestPressureGivesTheSameBitsForAnyThreads(t *testing.T) {
	files := map[string][]string{
		"resting-cube/thrown.yaml": {"time.duration=0.1"},
		"peg-hole/scene.yaml":      {"time.step=5e-3"},
		"peg-hole/jam.yaml":        nil,
		"spur-pair/scene.yaml":     {"time.duration=0.1", "drives.motor.angle.times.1=0.1", "drives.motor.angle.values.1=1.2566370614359172", "signals.turned.since=0.05", "expect.wheel_torque.over=[0, 0.1]", "expect.pinion_torque.over=[0, 0.1]"},
	}
	for file, set := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			sc, err := scene.Load(file, set)
			if err != nil {
				t.Fatal(err)
			}
			var hash [2]string
			for i := range hash {
				st, err := sim.NewStepper(sc.Model, sim.Options{Threads: i + 1})
				if err != nil {
					t.Fatal(err)
				}
				defer st.Close()
				x := sc.Model.Start.Clone()
				for range int(math.Round(sc.File.Time.Duration / sc.File.Time.Step)) {
					if err := st.Step(x, sc.File.Time.Step); err != nil {
						t.Fatal(err)
					}
				}
				hash[i] = fmt.Sprint(x.Hash())
			}
			if hash[0] != hash[1] {
				t.Errorf("1 thread ends at %s, 2 at %s", hash[0], hash[1])
			}
		})
	}
}

// Ten turns of the pinion are 200 teeth and 6 2/3 turns of the wheel. The mean is
// taken between two times at which the same places of the teeth touch under the
// same load, so that what facets and load add is the same at both.
func TestSpurGearsTurnByTheirTeeth(t *testing.T) {
	t.Parallel()
	const turns = 10
	r := begin(t, "spur-pair/scene.yaml", "time.step=5e-3").run() // 5 steps a tooth
	ratio := -r.last("turned") / (2 * math.Pi * turns)
	near(t, "ratio", ratio, 20.0/30, 1e-6)
	near(t, "wheel", -r.largest("wheel_Nm", 5)/0.05, -1, 0.1)
}

// What the wheel leads or lags is the backlash, (j₁ + j₂)/2 cos α over the base
// radius to either side, what facets take from the flanks, and how far the teeth
// give.
func TestSpurGearsHaveTheirBacklash(t *testing.T) {
	t.Parallel()
	var lag [2]float64
	for i, load := range []float64{0.05, -0.05} {
		r := begin(t, "spur-pair/scene.yaml", "time.duration=0.2", "drives.motor.angle.times.1=0.2", "drives.motor.angle.values.1=2.5132741228718345",
			"signals.turned.since=0.1", "expect.wheel_torque.over=[0.1, 0.2]", "expect.pinion_torque.over=[0.1, 0.2]",
			fmt.Sprint("drives.brake.feed_forward.values.1=", load), "meshes.pinion.part.spur.chord=2e-6", "meshes.wheel.part.spur.chord=2e-6").run()
		n := 0.0
		for j, time := range r.history["time_s"] {
			if time > 0.1-1e-9 {
				lag[i] += r.history["wheel_rad"][j] + 2.0/3*4*math.Pi*time
				n++
			}
		}
		lag[i] /= n
	}
	half := 0.01879 / 14.0954 // cos 20° of 20 μm over the base radius
	near(t, "middle", (lag[0]+lag[1])/2, 0, 5e-5)
	if give := (lag[0] - lag[1]) / 2; !(give > half && give < half+7e-4) {
		t.Errorf("the wheel is off by %g rad to either side, want a little more than %g", give, half)
	}
}

// Work is kept but for the step and a tenth of a percent of dissipation: the pinion's torque is
// two thirds of the wheel's, and what it exceeds that by falls with the step.
func TestSpurGearsPassOnTheirTorque(t *testing.T) {
	t.Parallel()
	var excess []float64
	for _, h := range []float64{2e-3, 1e-3, 5e-4} {
		r := begin(t, "spur-pair/scene.yaml", fmt.Sprint("time.step=", h), "time.duration=0.2", "drives.motor.angle.times.1=0.2",
			"drives.motor.angle.values.1=2.5132741228718345", "signals.turned.since=0.1", "expect.wheel_torque.over=[0.1, 0.2]", "expect.pinion_torque.over=[0.1, 0.2]").run()
		sum, n := 0.0, 0.0
		for j, time := range r.history["time_s"] {
			if time > 0.1+h/2 { // four teeth
				sum += r.history["pinion_Nm"][j]
				n++
			}
		}
		excess = append(excess, -sum/n/(0.05*20/30)-1)
	}
	if !(excess[0] < 0.01 && excess[1] < 0.7*excess[0] && excess[2] < 0.7*excess[1] && excess[2] > -1e-3) {
		t.Errorf("the pinion takes too much torque by %v at 2, 1 and 0.5 ms", excess)
	}
}

// A turn of the bolt moves the nut by the pitch, exactly between places that are
// alike, and within a share of the facets' error between others.
func TestNutGoesByItsPitch(t *testing.T) {
	t.Parallel()
	r := begin(t, "bolt-nut/scene.yaml", "time.step=5e-3").run()
	near(t, "a turn", r.last("travel"), -1e-3, 1e-9)
	for i, time := range r.history["time_s"] {
		if time > 0.1 {
			near(t, fmt.Sprintf("at %g s", time), r.history["travel"][i], -1e-3*(time-0.1)/0.5, 1e-6)
		}
	}
	near(t, "load", r.last("load_N"), 9.81, 0.05)
}

// On a thread of lead angle λ and flank angle β, whose unit normal has the parts
// (tan β, −tan λ, 1)/D in radial, tangential and axial direction, axial force
// W = N (1/D + μ sin λ) has no moment left where
//
//	N tan λ/D = μ N cos λ, μ = tan λ/√(1 + tan² β cos² λ) = tan λ cos β_n
//
// Over the depth of this thread that is 0.0690 to 0.0719, at its middle 0.0704. What
// carries creeps, at v_s ρ/√(1 − ρ²) along the thread under the load ρ = 0.0704/μ.
func TestNutLocksItselfByFriction(t *testing.T) {
	const lead, r0, beta = 6e-3, 11.755e-3, math.Pi / 6
	lambda := math.Atan(lead / (2 * math.Pi * r0))
	most := math.Tan(lambda) / math.Sqrt(1+math.Pow(math.Tan(beta)*math.Cos(lambda), 2))
	for _, share := range []float64{0.95, 1.05} {
		t.Run(fmt.Sprint(share), func(t *testing.T) {
			t.Parallel()
			mu := fmt.Sprint(share * most)
			r := begin(t, "bolt-nut/lock.yaml", "time.duration=0.16", "expect.locks.over=[0.1, 0.16]", "materials.bolt.friction="+mu, "materials.nut.friction="+mu).run()
			spin := -r.last("spin")
			creep := 1e-4 / math.Sqrt(share*share-1) * math.Cos(lambda) / r0
			if share < 1 && !(spin > 0.3) || share > 1 && !(spin > 0 && spin < 1.2*creep) {
				t.Errorf("at %g of the threshold the nut turns at %g rad/s (creep would be %g)", share, spin, creep)
			}
		})
	}
}

// A wheel drives its worm back where μ < tan γ cos α: the normal force N on a thread
// of lead angle γ turns it by N cos α sin γ, friction brakes it by μ N cos γ.
func TestWormLocksItselfByFriction(t *testing.T) {
	gamma := math.Atan(0.1)
	most := math.Tan(gamma) * math.Cos(20*math.Pi/180)
	for _, share := range []float64{0.95, 1.05} {
		t.Run(fmt.Sprint(share), func(t *testing.T) {
			t.Parallel()
			mu := share * most
			r := begin(t, "worm-drive/scene.yaml", "time.step=2e-3", "time.duration=0.7", fmt.Sprint("materials.worm.friction=", mu), fmt.Sprint("materials.wheel.friction=", mu)).run()
			speed := -r.last("worm_speed")
			creep := 1e-4 / math.Sqrt(share*share-1) / 0.02
			if share < 1 && !(speed > 5) || share > 1 && !(speed > 0 && speed < 1.2*creep) {
				t.Errorf("at %g of the threshold the worm turns back at %g rad/s (creep would be %g)", share, speed, creep)
			}
			// Driven, it lifts: tan(γ + φ), tan φ = μ/cos α.
			lifting, n := 0.0, 0.0
			for i, time := range r.history["time_s"] {
				if time > 0.2 && time < 0.4 {
					lifting += r.history["motor_Nm"][i]
					n++
				}
			}
			want := 0.5 / 0.015 * 0.02 * math.Tan(gamma+math.Atan(mu/math.Cos(20*math.Pi/180)))
			near(t, "lifting torque", lifting/n, want, 0.015*want)
			// Over a tooth, a quarter of a turn, the wheel turns by 4/30 of it.
			near(t, "ratio", r.reached("worm_rad", "wheel_rad", math.Pi/2, 0.2), -math.Pi/15, 2e-6)
		})
	}
}

// reached is how much signal y changes while x changes by dx from a time on, between
// steps by straight lines.
func (r *trial) reached(x, y string, dx, from float64) float64 {
	i0 := int(math.Round(from / r.h))
	xs, ys := r.history[x], r.history[y]
	for i := i0; i+1 < len(xs); i++ {
		if end := xs[i0] + dx; xs[i+1] >= end {
			return ys[i] + (ys[i+1]-ys[i])*(end-xs[i])/(xs[i+1]-xs[i]) - ys[i0]
		}
	}
	return math.NaN()
}
