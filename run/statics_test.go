package run

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
)

// lastRow returns the numbers of the last row of a table.
func lastRow(t *testing.T, table string) (row []float64) {
	t.Helper()
	rows := strings.Split(strings.TrimSpace(table), "\n")
	for _, s := range strings.Split(rows[len(rows)-1], ",") {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		row = append(row, x)
	}
	return row
}

// heavyElastica returns the place of the free end of a strip of length L that is clamped level and hangs under its
// weight w per length, by shooting with the method of Runge and Kutta: EI θ” = −w (L − s) cos θ, θ(0) = 0, θ'(L) = 0.
func heavyElastica(L, EI, w float64) (x, z float64) {
	const n = 2000
	shoot := func(curvature float64) (end, x, z float64) {
		y, h := [4]float64{0, curvature, 0, 0}, L/n
		slope := func(s float64, y [4]float64) [4]float64 {
			return [4]float64{y[1], -w * (L - s) * math.Cos(y[0]) / EI, math.Cos(y[0]), math.Sin(y[0])}
		}
		ahead := func(y, d [4]float64, h float64) [4]float64 {
			for i := range y {
				y[i] += h * d[i]
			}
			return y
		}
		for i := range n {
			s := float64(i) * h
			a := slope(s, y)
			b := slope(s+h/2, ahead(y, a, h/2))
			c := slope(s+h/2, ahead(y, b, h/2))
			d := slope(s+h, ahead(y, c, h))
			for k := range y {
				y[k] += h / 6 * (a[k] + 2*b[k] + 2*c[k] + d[k])
			}
		}
		return y[1], y[2], y[3]
	}
	lo, hi := 0.0, w*L*L/2/EI
	for range 60 {
		mid := (lo + hi) / 2
		var end float64
		if end, x, z = shoot(mid); end > 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	return x, -z
}

// Films of 0.1 to 0.02 mm that hang from one edge have the elastica to 0.1 %.
func TestFilmsHangAsTheElastica(t *testing.T) {
	for thickness, cells := range map[float64]int{1e-4: 160, 5e-5: 160, 2e-5: 320} {
		if testing.Short() && thickness != 1e-4 {
			continue
		}
		signals, err := runText(t, fmt.Sprintf(`
time: {equilibrium: true}
materials: {p: {youngs_modulus: 3e9, poissons_ratio: 0, density: 800}}
meshes: {s: {box: {size: [0.1, 0.05, %g], cells: [%d, 1, 1]}}}
deformables: {s: {mesh: s, material: p, elements: hex12, attach: [{body: world, where: {x_max: -0.04999}}]}}
signals:
  x: {body: s, position: x, point: [0.05, 0, 0], since: 0}
  z: {body: s, position: z, point: [0.05, 0, 0], since: 0}
`, thickness, cells))
		if err != nil {
			t.Errorf("%g m: %v", thickness, err)
			continue
		}
		row := lastRow(t, signals)
		x, z := heavyElastica(0.1, 3e9*math.Pow(thickness, 3)/12, 800*9.81*thickness)
		t.Logf("%g m: %.6g, %.6g; elastica %.6g, %.6g", thickness, 0.1+row[1], row[2], x, z)
		if off := math.Hypot(0.1+row[1]-x, row[2]-z); off > 1e-3*math.Abs(z) {
			t.Errorf("%g m: the end is off by %g m", thickness, off)
		}
	}
}

// Two slanted springs under a load, that snap through at the load of the closed form: F = 2 k (L₀ − L) z/L below, and
// on the other side of it.
func TestShallowTrussesHaveTheClosedForm(t *testing.T) {
	const a, z0, k = 0.1, 0.03, 2000.0
	L0 := math.Hypot(a, z0)
	force := func(z float64) float64 { L := math.Hypot(a, z); return 2 * k * (L0 - L) * z / L }
	most := 0.0
	for i := range 3000 {
		most = math.Max(most, force(z0*float64(i)/3000))
	}
	for _, share := range []float64{-2, -0.5, 0.01, 0.1 / most, 0.5, 0.9, 0.99, 1.01, 1.5} {
		F := share * most
		signals, err := runText(t, fmt.Sprintf(`
gravity: [0, 0, 0]
time: {equilibrium: true}
bodies: {m: {mass: 0.1, inertia: {ixx: 1e-5, iyy: 1e-5, izz: 1e-5}, pose: {xyz: [0, 0, 0.03]}, joint: {type: prismatic, axis: [0, 0, 1]}}}
constraints:
  s: {distance: {a: world, point_a: [-0.1, 0, 0], b: m, stiffness: 2000}}
  t: {distance: {a: world, point_a: [0.1, 0, 0], b: m, stiffness: 2000}}
loads: {P: {force: [0, 0, %.17g], body: m}}
signals: {z: {body: m, position: z}}
`, -F))
		if err != nil {
			t.Errorf("%g of the limit load: %v", share, err)
			continue
		}
		// the branch of the start up to the limit load, the other one beyond
		lo, hi := 0.0, 0.06
		z := lastRow(t, signals)[1]
		if share > 1 {
			lo, hi = -0.06, -z0
		} else {
			for i := 3000; i > 0 && lo == 0; i-- { // the maximum of the force
				if w := z0 * float64(i) / 3000; force(w) > force(w-1e-5) {
					lo = 0
				} else {
					continue
				}
				lo = z0 * float64(i) / 3000
			}
		}
		for range 100 {
			if mid := (lo + hi) / 2; force(mid) > F {
				lo = mid
			} else {
				hi = mid
			}
		}
		t.Logf("%g of the limit load: z = %.8f, closed form %.8f", share, z, lo)
		if math.Abs(z-lo) > 1e-3*math.Abs(z0-lo)+1e-9 {
			t.Errorf("%g of the limit load: z = %g, closed form %g", share, z, lo)
		}
	}
}

// Two slanted springs under a load that grows in steps show the time of the limit load, and that they snapped once.
func TestSnapsAreReportedWithTheirLoad(t *testing.T) {
	const a, z0, k, most = 0.1, 0.03, 2000.0, 6.0
	limit := 0.0
	for i := range 30000 {
		z := z0 * float64(i) / 30000
		L := math.Hypot(a, z)
		limit = math.Max(limit, 2*k*(math.Hypot(a, z0)-L)*z/L)
	}
	dir := t.TempDir()
	summary, err := runIn(t, dir, `
gravity: [0, 0, 0]
time: {equilibrium: true, step: 0.1, duration: 1}
bodies: {m: {mass: 0.1, inertia: {ixx: 1e-5, iyy: 1e-5, izz: 1e-5}, pose: {xyz: [0, 0, 0.03]}, joint: {type: prismatic, axis: [0, 0, 1]}}}
constraints:
  s: {distance: {a: world, point_a: [-0.1, 0, 0], b: m, stiffness: 2000}}
  t: {distance: {a: world, point_a: [0.1, 0, 0], b: m, stiffness: 2000}}
loads: {P: {force: [0, 0, -6], body: m, factor: {times: [0, 1], values: [0, 1], smooth: false}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := record.ReadColumns(filepath.Join(dir, "out"), record.StepsFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	snaps := 0
	for i, moved := range steps.Column("snap_m") {
		if moved == 0 {
			continue
		}
		snaps++
		at, within := steps.Column("snap_time_s")[i], steps.Column("snap_within_s")[i]
		t.Logf("t = %g s within %g s by %g m, closed form %g s", at, within, moved, limit/most)
		if !(limit/most < at && limit/most > at-within && within < 1e-3) {
			t.Errorf("the springs snap at %g s within %g s, not at %g s", at, within, limit/most)
		}
	}
	if snaps != 1 {
		t.Errorf("%d snaps", snaps)
	}
	if warned := strings.Join(summary.Warnings, "\n"); !strings.Contains(warned, "snap through") {
		t.Errorf("warnings: %s", warned)
	}
}

// elliptic returns the complete elliptic integrals K and E of the modulus k, by the arithmetic-geometric mean.
func elliptic(k float64) (K, E float64) {
	a, b, c, sum, pow := 1.0, math.Sqrt(1-k*k), k, 0.0, 0.5
	for range 30 {
		sum += pow * c * c
		a, b, c, pow = (a+b)/2, math.Sqrt(a*b), (a-b)/2, 2*pow
	}
	K = math.Pi / 2 / a
	return K, K * (1 - sum)
}

// A column without imperfection goes through its buckling load along the elastica, in one step or over several:
// straight below it, beyond it with P/P_cr = (2K/π)², x = (2E/K − 1) L, y = 2kL/K, k = sin(α/2) for the slope α of the
// end.
func TestColumnsBuckleAlongTheElastica(t *testing.T) {
	const L, b, d, E = 0.1, 0.01, 0.001, 1e9
	critical := math.Pi * math.Pi * E * b * d * d * d / 12 / (4 * L * L)
	for _, degrees := range []float64{0, 20, 60, 120} {
		k := math.Sin(degrees * math.Pi / 360)
		K, El := elliptic(k)
		P := critical * math.Pow(2*K/math.Pi, 2)
		x, y := (2*El/K-1)*L, 2*k/K*L
		if degrees == 0 {
			P = 0.95 * critical
		}
		for _, step := range []float64{1, 0.25} {
			signals, err := runText(t, fmt.Sprintf(`
gravity: [0, 0, 0]
time: {equilibrium: true, step: %g}
materials: {p: {youngs_modulus: 1e9, poissons_ratio: 0, density: 1000}}
meshes: {s: {box: {size: [0.1, 0.01, 0.001], cells: [50, 1, 1]}}}
deformables: {s: {mesh: s, material: p, elements: hex12, attach: [{body: world, where: {x_max: -0.04999}}]}}
loads: {P: {force: [%.17g, 0, 0], body: s, where: {x_min: 0.04999}, factor: {times: [0, 1], values: [0, 1], smooth: false}}}
signals:
  x: {body: s, position: x, point: [0.05, 0, 0], since: 0}
  z: {body: s, position: z, point: [0.05, 0, 0], since: 0}
`, step, -P))
			if err != nil {
				t.Errorf("%g°, step %g: %v", degrees, step, err)
				continue
			}
			row := lastRow(t, signals)
			t.Logf("%g° (%.4g of the buckling load), step %g: %.6g, %.6g; elastica %.6g, %.6g", degrees, P/critical, step, L+row[1], row[2], x, y)
			if math.Abs(L+row[1]-x) > 0.01*L || math.Abs(math.Abs(row[2])-y) > 0.01*L {
				t.Errorf("%g°, step %g: the end is at %g, %g, that of the elastica at %g, %g", degrees, step, L+row[1], row[2], x, y)
			}
		}
	}
}
