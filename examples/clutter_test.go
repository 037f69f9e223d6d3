package examples_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// Forty objects of a few hundred grams stay between walls of 4 cm, whether these
// are as soft as foam (an impact sinks in by centimetres) or a million times
// stiffer than steel, and every step converges.
func TestClutterStaysInItsBinAtAnyStiffness(t *testing.T) {
	for _, c := range []struct{ file, law, k string }{
		{"scene", "lagged", "1e3"}, {"scene", "lagged", "1e13"}, {"scene", "similar", "1e13"}, {"scene", "sap", "1e3"}, {"spheres", "lagged", "1e7"},
	} {
		t.Run(c.file+" "+c.law+" "+c.k, func(t *testing.T) {
			if testing.Short() && c.file != "spheres" {
				t.Skip("long")
			}
			t.Parallel()
			sc, err := scene.Load("clutter/"+c.file+".yaml", []string{
				"solver.contact=" + c.law, "pairs.0.stiffness=" + c.k, "pairs.1.stiffness=" + c.k,
			})
			if err != nil {
				t.Fatal(err)
			}
			st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			x := sc.Model.Start.Clone()
			for x.Time < 3-1e-9 {
				if err := st.Step(x, 5e-3); err != nil {
					t.Fatal(err)
				}
			}
			trees := sc.Model.Rigid
			if n := trees.NumLinks(); n != 41 {
				t.Fatalf("%d bodies, want the bin and 40 objects", n)
			}
			const half, sink = 0.38, 0.03 // of the bin inside; a little softness
			for i := 1; i < trees.NumLinks(); i++ {
				p := x.Q[trees.QStart(i)+4:]
				if math.Max(math.Abs(p[0]), math.Abs(p[1])) > half-0.05+sink || p[2] < 0.05-sink || p[2] > 0.8 {
					t.Errorf("%s rests at %.3f", trees.LinkName(i), p[:3])
				}
			}
		})
	}
}

// Forty bodies with a friction of 1 that strike, jam and roll on each other: in no step a loaded
// contact lacks more than 2 % of its friction. With bounds alone 12 of the 1,500 steps of a run did.
func TestNoLoadedContactOfClutterLacksFriction(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"scene", "spheres"} {
		r := begin(t, "clutter/"+file+".yaml")
		for r.x.Time < 1.8 { // after that most bodies rest
			if err := r.step.Step(r.x, r.h); err != nil {
				t.Fatal(err)
			}
			if l := &r.step.Report; l.LackingFriction > 0.02 {
				t.Errorf("%s: %s and %s lack %.2g of their friction at %g s", file, r.step.BodyName(l.LackingBodies[0]), r.step.BodyName(l.LackingBodies[1]), l.LackingFriction, r.x.Time)
			}
		}
	}
}

// Lagged friction's stiffness at rest is μ γ0/v_s, in proportion to impulses and so
// to the step; that of SAP does not depend on the step (Castro et al., section on
// impacts and conditioning). The mean is the geometric one: impacts do not count more.
func TestConditioningFollowsTheStepForLaggedNotForSAP(t *testing.T) {
	t.Parallel()
	mean := map[string]float64{}
	for _, law := range []string{"lagged", "sap"} {
		for _, h := range []string{"5e-3", "2e-2"} {
			sc, err := scene.Load("clutter/scene.yaml", []string{"solver.contact=" + law, "time.step=" + h, "solver.condition_number=true"})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if _, err := run.Run(context.Background(), sc, run.Options{Dir: dir, Threads: 1}); err != nil {
				t.Fatal(err)
			}
			steps, err := record.ReadColumns(dir, record.StepsFile, nil)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			cond := steps.Column("condition_number")
			for _, c := range cond {
				sum += math.Log(c)
			}
			mean[law+h] = math.Exp(sum / float64(len(cond)))
		}
	}
	lagged, sap := mean["lagged2e-2"]/mean["lagged5e-3"], mean["sap2e-2"]/mean["sap5e-3"]
	t.Logf("condition at a step of 20 ms over that at 5 ms: Lagged %.3g, SAP %.3g", lagged, sap)
	if lagged < 4 {
		t.Errorf("Lagged: %.3g, want at least 4, the ratio of the steps", lagged)
	}
	if sap < 0.5 || sap > 2 {
		t.Errorf("SAP: %.3g, want about 1", sap)
	}
}

// One convex problem as stiff as steel costs at most a fifth more iterations than a
// hundredth of it. Bounds of friction stay those of the start of the step, since solving
// again for them takes more problems, not harder ones. Where objects come to rest is chaotic, so that one run says
// little: gravity differs by a millionth from run to run.
func TestStiffnessOfSteelCostsLittle(t *testing.T) {
	t.Parallel()
	var mean [2]float64
	for i, k := range []string{"1e5", "1e7"} {
		const starts = 2
		for s := range starts {
			sc, err := scene.Load("clutter/scene.yaml", []string{
				"pairs.0.stiffness=" + k, "pairs.1.stiffness=" + k, "solver.friction_lag=geometry",
				fmt.Sprintf("gravity=[0, 0, %g]", -9.81-1e-5*float64(s)),
			})
			if err != nil {
				t.Fatal(err)
			}
			sum, err := run.Run(context.Background(), sc, run.Options{Dir: t.TempDir(), Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			mean[i] += sum.Newton.Mean / starts
		}
	}
	t.Logf("iterations a step: %.2f at 1e5 N/m, %.2f at 1e7", mean[0], mean[1])
	if mean[1] > 1.2*mean[0] {
		t.Errorf("%.2f iterations a step at 1e7 N/m, %.2f at 1e5", mean[1], mean[0])
	}
}

// What rests sinks in like 1/k, until SAP stops at what it takes for
// rigid, here about 1e6 N/m at a step of 5 ms, and 1e8 where a gap is still open.
func TestRestingPenetrationIsInverseToStiffness(t *testing.T) {
	t.Parallel()
	start := func(law, k string, i int) float64 {
		sc, err := scene.Load("clutter/scene.yaml", []string{
			"solver.contact=" + law, "pairs.0.stiffness=" + k, "pairs.1.stiffness=" + k, "time.step=5e-3",
			fmt.Sprintf("gravity=[0, 0, %g]", -9.81-1e-5*float64(i)),
		})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := run.Run(context.Background(), sc, run.Options{Dir: dir, Threads: 1}); err != nil {
			t.Fatal(err)
		}
		steps, err := record.ReadColumns(dir, record.StepsFile, nil)
		if err != nil {
			t.Fatal(err)
		}
		// the median, as a heap that still gives way somewhere has impacts, of which a
		// mean is made
		c := record.Check{Signal: "mean_penetration_m", Stat: "median", From: 1.75, To: 3}
		return c.Statistic(steps)
	}
	// the median of three heaps, as one of them may still settle at this time
	penetration := func(law, k string) float64 {
		return medianOf([]float64{start(law, k, 0), start(law, k, 1), start(law, k, 2)})
	}
	soft, stiff := penetration("lagged", "1e5"), penetration("lagged", "1e9")
	sap, sapRigid := penetration("sap", "1e10"), penetration("sap", "1e12")
	t.Logf("Lagged %.3g m at 1e5 N/m, %.3g at 1e9; SAP %.3g at 1e10, %.3g at 1e12", soft, stiff, sap, sapRigid)
	if ratio := soft / stiff; ratio < 0.5e4 || ratio > 2e4 {
		t.Errorf("Lagged: %.3g times less at 1e9 N/m than at 1e5, want about 1e4", ratio)
	}
	if sap != sapRigid || sap < 100*stiff {
		t.Errorf("SAP: %.3g m at 1e10 N/m and %.3g at 1e12, want both the same: near-rigid", sap, sapRigid)
	}
}

// Resting on a force T below μ N, Lagged friction creeps at v_s T/√((μN)² − T²).
func TestHeldPartCreepsByTheFormula(t *testing.T) {
	for _, c := range []struct{ tolerance, mass float64 }{{1e-3, 0.5}, {1e-4, 0.2}, {1e-4, 0.95}, {1e-6, 0.5}, {1e-4, 1}} {
		sc, err := scene.Load("hold/scene.yaml", []string{
			fmt.Sprint("solver.stiction_tolerance=", c.tolerance), fmt.Sprint("bodies.part.mass=", c.mass), "time.duration=4",
		})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := run.Run(context.Background(), sc, run.Options{Dir: dir, Threads: 1}); err != nil {
			t.Fatal(err)
		}
		signals, err := record.ReadColumns(dir, record.SignalsFile, nil)
		if err != nil {
			t.Fatal(err)
		}
		creep := (&record.Check{Signal: "part_velocity_z", Stat: "mean", From: 3, To: 4}).Statistic(signals) // caught at first, the heaviest slides for a second
		T, muN := c.mass*9.81/2, 0.5*10.0
		want := -c.tolerance * T / math.Sqrt(muN*muN-T*T)
		if math.Abs(creep/want-1) > 0.01 {
			t.Errorf("v_s = %g m/s, %g kg: creeps at %.5g m/s, want %.5g", c.tolerance, c.mass, creep, want)
		}
	}
}

// The weight of what stands above, over four corners, for mass ratios of 1 to 1e6;
// and no tower moves once it stands.
func TestTowersStandAtAnyMassRatio(t *testing.T) {
	for _, mass := range []float64{0.1, 10, 1e3, 1e5} {
		sc, err := scene.Load("tower/scene.yaml", []string{fmt.Sprint("bodies.top.mass=", mass), "time.duration=3"})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		sum, err := run.Run(context.Background(), sc, run.Options{Dir: dir, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		signals, err := record.ReadColumns(dir, record.SignalsFile, nil)
		if err != nil {
			t.Fatal(err)
		}
		stat := func(signal, stat string) float64 {
			return (&record.Check{Signal: signal, Stat: stat, From: 2, To: 3}).Statistic(signals)
		}
		const g, k = 9.81, 1e9
		for _, c := range []struct {
			signal string
			above  float64
		}{{"highest_gap_m", mass}, {"lowest_gap_m", mass + 0.5}} {
			if got, want := stat(c.signal, "last"), -c.above*g/(4*k); math.Abs(got/want-1) > 1e-3 {
				t.Errorf("%g kg on top: %s is %.6g, want %.6g", mass, c.signal, got, want)
			}
		}
		drift := math.Hypot(stat("top_x", "range"), stat("top_y", "range"))
		if tilt := stat("top_tilt_rad", "max"); drift > 1e-12 || tilt > 1e-12 {
			t.Errorf("%g kg on top: drifts by %g m and leans by %g rad", mass, drift, tilt)
		}
		t.Logf("%g kg on top: %.2f iterations a step, at most %g", mass, sum.Newton.Mean, sum.Newton.Max)
	}
}

// A point on a floor with grain: v' = −g M (M v)/|M v|, M = diag(μ along, μ across),
// integrated by a Runge–Kutta method. Where a puck comes to rest is met at first
// order in the step, and its energy never grows.
func TestSlideOverGrainFollowsItsEquation(t *testing.T) {
	const g, along, v0 = 9.81, 0.2, 1.2
	rest := func(across float64) (x, y float64) {
		f := func(s [4]float64) [4]float64 {
			n := math.Hypot(along*s[2], across*s[3])
			return [4]float64{s[2], s[3], -g * along * along * s[2] / n, -g * across * across * s[3] / n}
		}
		plus := func(a, b [4]float64, h float64) [4]float64 {
			for i := range a {
				a[i] += h * b[i]
			}
			return a
		}
		s := [4]float64{0, 0, v0, v0}
		const h = 2e-5
		for math.Hypot(s[2], s[3]) > 10*h*g {
			k1 := f(s)
			k2 := f(plus(s, k1, h/2))
			k3 := f(plus(s, k2, h/2))
			k4 := f(plus(s, k3, h))
			for i := range s {
				s[i] += h / 6 * (k1[i] + 2*k2[i] + 2*k3[i] + k4[i])
			}
		}
		return s[0], s[1]
	}
	for _, law := range []string{"lagged", "similar"} {
		for _, across := range []float64{0.2, 0.4, 1} {
			x, y := rest(across)
			for _, h := range []float64{2e-3, 5e-4} {
				z := 0.01
				if law == "similar" { // its gap in steady sliding, h |M v|
					z += h * v0 * math.Hypot(along, across)
				}
				sc, err := scene.Load("anisotropic-slide/scene.yaml", []string{
					"solver.contact=" + law, fmt.Sprint("materials.default.friction_transverse=", across),
					fmt.Sprint("time.step=", h), fmt.Sprint("bodies.puck.pose.xyz.2=", z),
				})
				if err != nil {
					t.Fatal(err)
				}
				dir := t.TempDir()
				if _, err := run.Run(context.Background(), sc, run.Options{Dir: dir, Threads: 1}); err != nil {
					t.Fatal(err)
				}
				signals, err := record.ReadColumns(dir, record.SignalsFile, nil)
				if err != nil {
					t.Fatal(err)
				}
				last := len(signals.Data[0]) - 1
				off := math.Hypot(signals.Column("x")[last]-x, signals.Column("y")[last]-y)
				if off > 1.5*h*v0 {
					t.Errorf("%s, μ %g across, step %g s: rests %.3g m off (%.5f, %.5f)", law, across, h, off, x, y)
				}
				energy := signals.Column("energy_J")
				for i := 1; i <= last; i++ {
					if energy[i] > energy[i-1]+1e-6 {
						t.Errorf("%s, μ %g across, step %g s: energy grows from %g to %g J", law, across, h, energy[i-1], energy[i])
						break
					}
				}
			}
		}
	}
}
