package examples_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/study"
)

// errorPoint is an error at a step or an accuracy, and the convex problems that the run solved.
type errorPoint struct{ step, err, solves float64 }

// order returns the slope of log err over log step by least squares.
func order(points []errorPoint) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		x, y := math.Log(p.step), math.Log(p.err)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// convergenceErrors runs the study and returns the errors of each sweep under each rule, the largest step first, and
// under control of errors, the largest accuracy first.
func convergenceErrors(t *testing.T) map[string]map[string][]errorPoint {
	t.Helper()
	s, err := study.Load("convergence/study.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := s.Run(context.Background(), study.Options{Dir: dir, Jobs: 2, Threads: 1}); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(dir, study.TableFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int { return slices.Index(table[0], name) }
	measures := map[string]string{"beam": "beam_m", "pendulum": "pendulum_rad", "double-pendulum": "double_pendulum_rad", "spin": "spin_m", "ball": "ball_m",
		"cradle": "cradle_rad", "stick-slip": "stick_slip_m", "belt": "belt_m", "sphere": "sphere_m", "rod": "rod"}
	errors := map[string]map[string][]errorPoint{}
	for _, row := range table[1:] {
		sweep, controlled := strings.CutSuffix(row[column("sweep")], "-accuracy")
		number := func(name string) float64 {
			x, err := strconv.ParseFloat(row[column(name)], 64)
			if err != nil {
				t.Fatalf("%s: %s: %v", row[0], name, err)
			}
			return x
		}
		if row[column("status")] != "done" {
			t.Fatal(row)
		}
		if row[column("reference")] == "" || row[column("reference")] == row[column("case")] {
			continue
		}
		if errors[sweep] == nil {
			errors[sweep] = map[string][]errorPoint{}
		}
		rule, step := row[column("time.rule")], "time.step"
		if controlled {
			rule, step = "accuracy", "time.accuracy"
		}
		errors[sweep][rule] = append(errors[sweep][rule], errorPoint{number(step), number(measures[sweep]), number("solves")})
	}
	return errors
}

// Errors fall with the square of the step under the midpoint rule where motion is smooth and where steps resolve
// contact, and in proportion under Euler. Friction that sets in, impacts that steps do not resolve, and a rod that jams
// cost some of the order.
func TestErrorsFallWithTheSquareOfTheStep(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a study for ten seconds")
	}
	got := convergenceErrors(t)
	for _, c := range []struct {
		sweep string
		least float64 // order under the midpoint rule, fitted over all steps
		ratio float64 // least error of Euler over that of the midpoint rule, at the smallest step
	}{
		{"beam", 1.9, 80}, {"pendulum", 1.95, 300}, {"double-pendulum", 1.95, 500}, {"spin", 1.95, 1000}, {"ball", 1.95, 1e4}, {"cradle", 1.95, 150},
		{"stick-slip", 1.45, 20}, {"belt", 1.85, 5}, {"sphere", 1.5, 100}, {"rod", 1.2, 5},
	} {
		controlledErrorsFall(t, c.sweep, got[c.sweep]["accuracy"])
		euler, midpoint := got[c.sweep]["euler"], got[c.sweep]["midpoint"]
		if len(euler) < 4 || len(midpoint) != len(euler) {
			t.Fatalf("%s: %v, %v", c.sweep, euler, midpoint)
		}
		n := len(euler)
		t.Logf("%s: order %.2f under Euler, %.2f between the smallest steps, %.2f and %.2f under midpoint; errors %.2g and %.2g", c.sweep,
			order(euler), order(euler[n-2:]), order(midpoint), order(midpoint[n-2:]), euler[n-1].err, midpoint[n-1].err)
		if o := order(midpoint); !(o >= c.least) {
			t.Errorf("%s: order %.3f under the midpoint rule, want at least %g: %v", c.sweep, o, c.least, midpoint)
		}
		if o := order(euler[n-2:]); !(o > 0.8 && o < 1.1) && c.sweep != "belt" {
			t.Errorf("%s: order %.3f under Euler at the smallest steps: %v", c.sweep, o, euler)
		}
		if r := euler[n-1].err / midpoint[n-1].err; !(r > c.ratio) {
			t.Errorf("%s: the error of Euler is %.3g times that of the midpoint rule, want more than %g", c.sweep, r, c.ratio)
		}
		for i, e := range euler {
			if m := midpoint[i]; m.step != e.step || !(m.solves <= 2*e.solves) {
				t.Errorf("%s: %g problems at %g s under the midpoint rule, %g at %g s under Euler", c.sweep, m.solves, m.step, e.solves, e.step)
			}
		}
	}
}

// controlledErrorsFall checks that the errors of a sweep fall with the accuracy, over four decades of it.
func controlledErrorsFall(t *testing.T, sweep string, points []errorPoint) {
	t.Helper()
	if len(points) != 5 {
		t.Fatalf("%s: %v", sweep, points)
	}
	t.Logf("%s: errors and problems %v", sweep, points)
	if first, last := points[0], points[4]; !(last.err < 0.15*first.err) {
		t.Errorf("%s: error %.3g at accuracy %g, %.3g at %g", sweep, first.err, first.step, last.err, last.step)
	}
}

// jacobi returns sn, cn and dn of Jacobi at u for the parameter m = k², by arithmetic-geometric means (Abramowitz and
// Stegun 16.4).
func jacobi(u, m float64) (sn, cn, dn float64) {
	a, b, c := 1.0, math.Sqrt(1-m), math.Sqrt(m)
	var as, cs []float64
	for c > 1e-17 {
		a, b, c = (a+b)/2, math.Sqrt(a*b), (a-b)/2
		as, cs = append(as, a), append(cs, c)
	}
	phi := math.Ldexp(a*u, len(as))
	for i := len(as) - 1; i >= 0; i-- {
		phi = (phi + math.Asin(cs[i]/as[i]*math.Sin(phi))) / 2
	}
	sn, cn = math.Sincos(phi)
	return sn, cn, math.Sqrt(1 - m*sn*sn)
}

// closedForms are the solutions of scenes of examples/convergence in closed form: the signals at a time.
var closedForms = map[string]func(t float64) map[string]float64{
	// sin(θ/2) = k cd(ω t), k = sin(θ0/2)
	"pendulum": func(t float64) map[string]float64 {
		k := math.Sin(0.5)
		_, cn, dn := jacobi(math.Sqrt(9.81/0.5)*t, k*k)
		return map[string]float64{"angle": 2 * math.Asin(k*cn/dn)}
	},
	// L = I₁ ω + (I₃ − I₁) ω₃ e₃: the body turns by L/I₁ in the world and by −(I₃ − I₁) ω₃/I₁ about its axis
	"spin": func(t float64) map[string]float64 {
		R := r3.RotExp(r3.Vec{2 * t, 0, 12 * t}).Mul(r3.RotExp(r3.Vec{0, 0, -6 * t}))
		edge, axis := R.MulVec(r3.Vec{0.06, 0, 0}), R.MulVec(r3.Vec{0, 0, 0.06})
		return map[string]float64{"edge_x": edge[0], "edge_y": edge[1], "axis_x": axis[0], "axis_y": axis[1]}
	},
	// parabolas, and halves of harmonic oscillations about the depth s of the weight
	"ball": func(t float64) map[string]float64 {
		const k, m, g, drop, radius = 1e4, 0.4, 9.81, 0.1, 0.025
		fall, omega, s := math.Sqrt(2*drop/g), math.Sqrt(k/m), m*g/k
		v := g * fall
		touch := 2 / omega * (math.Pi - math.Atan(v/(omega*s)))
		t = math.Mod(t+fall, 2*fall+touch) - fall // 0 at the top
		if t < fall {
			return map[string]float64{"z": radius + drop - g*t*t/2}
		}
		sin, cos := math.Sincos(omega * (t - fall))
		return map[string]float64{"z": radius + s*(cos-1) - v/omega*sin}
	},
}

// Against closed forms the midpoint rule is of second order and Euler's of first, and the fine steps by which the study
// measures errors are exact to what it measures.
func TestConvergenceToClosedForms(t *testing.T) {
	for _, c := range []struct {
		scene       string
		step        float64
		euler, fine float64 // least error of Euler at the step, and largest of the reference of the study
		reference   float64
	}{{"pendulum", 5e-3, 5e-3, 1e-7, 1e-4}, {"spin", 5e-3, 2e-3, 1e-8, 1e-4}, {"ball", 2e-4, 0.02, 1e-8, 5e-6}} {
		exact := closedForms[c.scene]
		off := func(rule string, h float64) float64 {
			r := begin(t, "convergence/"+c.scene+".yaml", "time.rule="+rule, fmt.Sprint("time.step=", h)).run()
			sum := 0.0
			for i, time := range r.history["time_s"] {
				for name, want := range exact(time) {
					d := r.history[name][i] - want
					sum += d * d
				}
			}
			return math.Sqrt(sum / float64(len(r.history["time_s"])))
		}
		coarse, half, euler, fine := off("midpoint", c.step), off("midpoint", c.step/2), off("euler", c.step), off("midpoint", c.reference)
		t.Logf("%s: %.3g at %g s, %.3g at half of it, %.3g at %g s; Euler %.3g", c.scene, coarse, c.step, half, fine, c.reference, euler)
		if o := math.Log2(coarse / half); !(o > 1.85) {
			t.Errorf("%s: errors %.4g and %.4g: order %.3f", c.scene, coarse, half, o)
		}
		if !(fine < c.fine) || !(euler > c.euler) {
			t.Errorf("%s: error %.4g of the reference, %.4g of Euler, want less than %g and more than %g", c.scene, fine, euler, c.fine, c.euler)
		}
	}
}

// Steps of the midpoint rule take up to twice the Newton iterations of those of Euler, and less than half as many more
// in the sum over scenes.
func TestIterationsOfTheMidpointRule(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a dozen scenes twice, for seconds")
	}
	var sum [2]int
	for _, file := range []string{"anisotropic-slide/scene.yaml", "belt/scene.yaml", "box-stack/scene.yaml", "fast-bullet/points.yaml", "finray-design/scene.yaml",
		"incline/scene.yaml", "peg-hole/jam.yaml", "resting-cube/scene.yaml", "slip-gripper/scene.yaml", "sphere-plate/scene.yaml", "thrown-box/scene.yaml",
		"tower/scene.yaml", "two-plates/scene.yaml"} {
		var n [2]int
		for i, rule := range []string{"euler", "midpoint"} {
			r := begin(t, file, "time.rule="+rule)
			for r.x.Time < r.sc.File.Time.Duration-0.5*r.h {
				r.next()
				n[i] += r.step.Report.Solver.Iterations
			}
			sum[i] += n[i]
		}
		t.Logf("%s: %d and %d iterations", file, n[0], n[1])
		if n[1] > 2*n[0] {
			t.Errorf("%s: %d Newton iterations under the midpoint rule, %d under Euler", file, n[1], n[0])
		}
	}
	if sum[1]*2 > sum[0]*3 {
		t.Errorf("%d Newton iterations under the midpoint rule, %d under Euler", sum[1], sum[0])
	}
}
